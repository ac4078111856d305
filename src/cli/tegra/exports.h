/* SPDX-License-Identifier: MIT
 *
 * What `tungsten tegra run` prints: the exports in one of three forms.
 */
#ifndef TG_CLI_TEGRA_EXPORTS_H
#define TG_CLI_TEGRA_EXPORTS_H

#include "cli/io/run_output.h"
#include "tungsten/tegra.h"

/* Prints the exports that the program names, of all vertices of a batch that
 * has been run and has `ends`. */
enum tg_result
cli_print_exports(const struct tg_tegra_program *program,
                  const struct tg_tegra_batch *batch,
                  enum cli_run_format format);

#endif
