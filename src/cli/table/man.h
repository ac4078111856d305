/* SPDX-License-Identifier: MIT
 *
 * Pieces of manual pages.
 */
#ifndef TG_CLI_TABLE_MAN_H
#define TG_CLI_TABLE_MAN_H

#include <stdio.h>

/* Prints text with what roff would take for its own made harmless. */
void
cli_man_text(FILE *out, const char *text);

/* Prints the title line, and the name of the page with what it is in a line. */
void
cli_man_heading(FILE *out, const char *name, unsigned section,
                const char *summary);

#endif
