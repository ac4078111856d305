/* SPDX-License-Identifier: MIT
 *
 * The trace of `tungsten tegra run`.
 */
#ifndef TG_CLI_TEGRA_TRACE_H
#define TG_CLI_TEGRA_TRACE_H

#include "cli/io/lines.h"
#include "tungsten/tegra.h"

/* Prints instructions, and after each what it changes. */
struct cli_tegra_trace {
   struct cli_lines lines;
   uint32_t num_vertices;
   uint32_t vertex; /* whose changes were printed last */
   bool has_begun;
};

/* Prints a step or change: a tg_tegra_trace_function; `user` is the
 * cli_tegra_trace. */
void
cli_tegra_trace_event(void *user, const struct tg_tegra_change *change);

#endif
