/* SPDX-License-Identifier: MIT
 *
 * Shaders at random: valid, always ending, and full of everything that lowering
 * and the passes have to get right together: nested and divergent control flow,
 * subroutines, jumps, computed registers, discard, memory, and opcodes that
 * look at other lanes.
 *
 * Which NaN an operation gives is nobody's promise, so no float is ever read as
 * bits: registers hold either floats or integers.
 *
 *    IN[0..1], CONST[0][0..3], TEMP[0..7], OUT[0..1]      floats
 *    IN[2..3], CONST[1][0..3], TEMP[12..19], OUT[2..3]    integers
 *
 * So do buffers: BUFFER[2] floats, the others integers.
 */
#ifndef TESTS_LOWER_RANDOM_TGSI_H
#define TESTS_LOWER_RANDOM_TGSI_H

#include <stdint.h>

/* A sequence of numbers, the same for the same seed. */
struct random_numbers {
   uint64_t state;
};

uint32_t
random_below(struct random_numbers *numbers, uint32_t bound);

/* A float that is worth trying: small whole numbers, fractions, both zeros,
 * infinities, NaN, denormals, anything. */
uint32_t
random_float_bits(struct random_numbers *numbers);

/* The text of a shader; tg_string_free() it. NULL when out of memory. */
char *
random_tgsi(uint64_t seed);

#endif
