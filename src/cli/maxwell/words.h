/* SPDX-License-Identifier: MIT
 *
 * Words of a program as files.
 */
#ifndef TG_CLI_MAXWELL_WORDS_H
#define TG_CLI_MAXWELL_WORDS_H

#include "cli/table/handlers.h"
#include "tungsten/maxwell.h"

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

#endif
