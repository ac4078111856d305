/* SPDX-License-Identifier: MIT
 *
 * The text of each instruction of a program, for traces and comments.
 */
#ifndef TG_CLI_IO_LINES_H
#define TG_CLI_IO_LINES_H

#include <stdbool.h>
#include <stdint.h>

/* All zero: of no program. */
struct cli_lines {
   char *text;         /* what the lines point into */
   const char **lines; /* by the number of the instruction */
   uint32_t count;
};

/* Cuts a listing into lines: takes the text of a program of `count`
 * instructions, which is freed with tg_string_free(). `instruction_of` gives
 * the instruction of a line, or NULL where it has none. False, and nothing is
 * kept, when out of memory, which includes text NULL. */
bool
cli_lines_init(struct cli_lines *lines, char *text, uint32_t count,
               const char *(*instruction_of)(const char *line));

void
cli_lines_finish(struct cli_lines *lines);

/* The text of an instruction, "" where there is none. */
const char *
cli_lines_get(const struct cli_lines *lines, uint32_t number);

#endif
