/* SPDX-License-Identifier: MIT
 *
 * What `tungsten tegra run` prints: the exports in one of three forms, and the
 * trace of a run.
 */
#ifndef TG_CLI_TEGRA_OUTPUT_H
#define TG_CLI_TEGRA_OUTPUT_H

#include "cli/io/run_output.h"
#include "cli/tegra/file.h"

/* Prints the exports that the program names, of all vertices of a batch that
 * has been run and has `ends`. */
enum tg_result
cli_print_exports(const struct tg_tegra_program *program,
                  const struct tg_tegra_batch *batch,
                  enum cli_run_format format);

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
