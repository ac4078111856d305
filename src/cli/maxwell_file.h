/* SPDX-License-Identifier: MIT
 *
 * Programs for Maxwell in files: assembly text, or words as hexadecimal text,
 * as bytes, or as an array in C. With --bundles words are code as it lies in
 * memory.
 */
#ifndef TG_CLI_MAXWELL_FILE_H
#define TG_CLI_MAXWELL_FILE_H

#include "cli/handlers.h"
#include "tungsten/maxwell.h"

/* The forms that can be read; the words of --format where that is for
 * reading. */
enum cli_maxwell_form {
   CLI_MAXWELL_AUTO, /* as the bytes look */
   CLI_MAXWELL_TEXT,
   CLI_MAXWELL_HEX,
   CLI_MAXWELL_BIN,
};

/* Reads a program. The caller destroys it. NULL when there is none: the reason
 * is on standard error or in the diagnostics. */
struct tg_maxwell_program *
cli_load_maxwell(struct cli_call *call, const char *path,
                 enum cli_maxwell_form form);

/* The version that --spa names. */
enum tg_maxwell_version
cli_maxwell_version(const struct cli_options *options);

/* The forms of words that can be written, in the order of words of --format. */
enum cli_maxwell_words_form {
   CLI_MAXWELL_WRITE_HEX,
   CLI_MAXWELL_WRITE_C,
   CLI_MAXWELL_WRITE_BIN,
};

/* Writes words to --output, or standard output. Returns an enum cli_status. */
int
cli_write_maxwell_words(const struct cli_call *call,
                        const struct tg_maxwell_program *program,
                        enum cli_maxwell_words_form form);

/* The text of each instruction. */
struct cli_maxwell_lines {
   char *text; /* what the lines point into */
   const char **lines;
};

/* False when out of memory; finish in any case. */
bool
cli_maxwell_lines_init(struct cli_maxwell_lines *lines,
                       const struct tg_maxwell_program *program);

void
cli_maxwell_lines_finish(struct cli_maxwell_lines *lines);

#endif
