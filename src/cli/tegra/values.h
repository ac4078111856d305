/* SPDX-License-Identifier: MIT
 *
 * What `tungsten tegra run` gives to a program: attributes of vertices, and
 * constants, from a file of values and from --set.
 *
 *     a[0] vertex 2 = 1, 2, 3, 4      with --set; c[3] = ... likewise
 *     a[0] vertex2: 3f800000 0 0 0    a line of a file
 *
 * IN[r], CONST[r] and lane mean a[r], c[r] and vertex, as in a file for
 * tungsten-run(1); export[r] and OUT[r] in a file set a[r], so that what one
 * program wrote can be given to the next.
 */
#ifndef TG_CLI_TEGRA_VALUES_H
#define TG_CLI_TEGRA_VALUES_H

#include "cli/table/handlers.h"
#include "tungsten/tegra.h"

struct cli_tegra_values {
   uint32_t num_vertices;
   uint32_t (*attributes)[TG_TEGRA_NUM_ATTRIBUTES][4]; /* of each vertex */
   uint32_t constants[TG_TEGRA_NUM_CONSTANTS][4];
};

/* Reads --values, then --set in its order. There are as many vertices as are
 * named, or --vertices. Warns of constants that the program gives, since those
 * count. TG_ERROR_INPUT after complaints, or what went wrong
 * otherwise; finish in any case. */
enum tg_result
cli_tegra_values_read(struct cli_call *call,
                      const struct tg_tegra_program *program,
                      struct cli_tegra_values *values_out);

void
cli_tegra_values_finish(struct cli_tegra_values *values);

#endif
