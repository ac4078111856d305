/* SPDX-License-Identifier: MIT
 *
 * Programs for Maxwell in files: assembly text, words as hexadecimal text, as
 * bytes, or as an array in C, and cubins. With --bundles words are code as it
 * lies in memory.
 */
#ifndef TG_CLI_MAXWELL_INPUT_H
#define TG_CLI_MAXWELL_INPUT_H

#include "cli/io/lines.h"
#include "cli/table/handlers.h"
#include "tungsten/maxwell.h"

/* The forms that can be read; the words of --format where that is for
 * reading. A cubin is none of them but found by CLI_MAXWELL_AUTO. */
enum cli_maxwell_form {
   CLI_MAXWELL_AUTO, /* as the bytes look */
   CLI_MAXWELL_TEXT,
   CLI_MAXWELL_HEX,
   CLI_MAXWELL_BIN,
};

/* What a file holds: a program, or those of a cubin's sections. */
struct cli_maxwell_input {
   struct tg_maxwell_program *program; /* NULL of a cubin */
   struct tg_maxwell_cubin *cubin;     /* NULL of all else */
   uint32_t first, end; /* of the programs; the sections that --section leaves */
};

/* Reads a file; finish in any case. False when there is no program: the reason
 * is on standard error or in the diagnostics. */
bool
cli_maxwell_input_read(struct cli_call *call, const char *path,
                       enum cli_maxwell_form form,
                       struct cli_maxwell_input *input_out);

void
cli_maxwell_input_finish(struct cli_maxwell_input *input);

/* The program with a number from `first` to `end` - 1. */
const struct tg_maxwell_program *
cli_maxwell_input_program(const struct cli_maxwell_input *input,
                          uint32_t number);

/* The version that --spa names. */
enum tg_maxwell_version
cli_maxwell_input_version(const struct cli_options *options);

/* The text of each instruction. False when
 * out of memory; to be finished with cli_lines_finish(). */
bool
cli_maxwell_input_lines_init(struct cli_lines *lines,
                             const struct tg_maxwell_program *program);

#endif
