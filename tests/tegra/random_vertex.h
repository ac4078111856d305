/* SPDX-License-Identifier: MIT
 *
 * Vertex shaders at random, of all that the vertex unit can express: floats,
 * nested and divergent control flow, subroutines, indirect registers, truth
 * values and small integers. Valid and always ending, with no register read
 * that was not written.
 *
 *    IN[0..3], CONST[0..5], CONST[1][0..2], OUT[0..3]   floats
 *    TEMP[0..5], TEMP[9..12], an array                  floats
 *    TEMP[13..14]                                       truth values
 *    TEMP[15..16]                                       integers
 */
#ifndef TESTS_TEGRA_RANDOM_VERTEX_H
#define TESTS_TEGRA_RANDOM_VERTEX_H

#include <stdint.h>

/* What a shader may have; to be or-ed. */
enum random_vertex_parts {
   RANDOM_VERTEX_FLOW = 1 << 0,
   RANDOM_VERTEX_ADDRESSES = 1 << 1,
   RANDOM_VERTEX_INTEGERS = 1 << 2,
};

/* The text of a shader; tg_string_free() it. NULL when out of memory. */
char *
random_vertex(uint64_t seed, unsigned parts);

#endif
