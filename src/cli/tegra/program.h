/* SPDX-License-Identifier: MIT
 *
 * Programs of Tegra's vertex unit in files: assembly text, or the words of
 * instructions as hexadecimal text, as bytes, as an array in C, or in a command
 * stream of host1x.
 *
 * Words are in the order of upload, that with bit 127 first, unless --order
 * says that those of each instruction are reversed, as a structure of bit
 * fields has them in memory.
 */
#ifndef TG_CLI_TEGRA_PROGRAM_H
#define TG_CLI_TEGRA_PROGRAM_H

#include "cli/io/lines.h"
#include "cli/table/handlers.h"
#include "tungsten/tegra.h"

/* The forms that can be read; the words of --format where that is for
 * reading. */
enum cli_tegra_form {
   CLI_TEGRA_AUTO, /* as the bytes look */
   CLI_TEGRA_TEXT,
   CLI_TEGRA_HEX,
   CLI_TEGRA_BIN,
   CLI_TEGRA_HOST1X, /* a command stream: either of those, or a log */
};

/* Reads a program; `flags` are those of tg_tegra_assemble(). The caller
 * destroys it. NULL when there is none: the reason is on standard error or in
 * the diagnostics. */
struct tg_tegra_program *
cli_load_tegra_program(struct cli_call *call, const char *path,
                       enum cli_tegra_form form, unsigned flags);

/* The forms of words that can be written, in the order of words of --format. */
enum cli_tegra_words_form {
   CLI_TEGRA_WRITE_HEX,
   CLI_TEGRA_WRITE_C,
   CLI_TEGRA_WRITE_BIN,
   CLI_TEGRA_WRITE_HOST1X, /* digits */
   CLI_TEGRA_WRITE_HOST1X_BIN,
};

/* Writes words to --output, or standard output. Returns an enum cli_status. */
int
cli_write_tegra_program(const struct cli_call *call,
                        const struct tg_tegra_program *program,
                        enum cli_tegra_words_form form);

/* How many constants the program gives, in whole or in part. */
uint32_t
cli_tegra_program_num_constants(const struct tg_tegra_program *program);

/* The source of an array with these words of the program, and of one with its
 * constants; to be freed with tg_string_free(), NULL when out of memory. */
char *
cli_tegra_to_c(const struct tg_tegra_program *program, const uint32_t *words);

/* The flags of tg_tegra_print() that options ask for. */
unsigned
cli_tegra_program_print_flags(const struct cli_options *options);

/* The text of each instruction, without what stands before and after all of
 * them. False when
 * out of memory; to be finished with cli_lines_finish(). */
bool
cli_tegra_program_lines_init(struct cli_lines *lines,
                             const struct tg_tegra_program *program);

#endif
