/* SPDX-License-Identifier: MIT
 *
 * How subcommands come by a shader, and print it.
 */
#ifndef TG_CLI_SHADER_H
#define TG_CLI_SHADER_H

#include "cli/handlers.h"
#include "tungsten/tgsi.h"

/* The generation that --dialect named. */
enum tg_dialect
cli_dialect(const struct cli_options *options);

/* The token layout that --layout named. */
enum tg_token_layout
cli_layout(const struct cli_options *options);

/* Reads and parses a file; the caller destroys the shader. NULL when there is
 * none: the reason is on standard error or in the diagnostics. */
struct tg_shader *
cli_load_shader(struct cli_call *call, const char *path);

/* Writes the text of a shader to a file, NULL for standard output. Returns an
 * enum cli_status. */
int
cli_print_shader(const struct tg_shader *shader,
                 const struct cli_options *options, const char *path);

#endif
