/* SPDX-License-Identifier: MIT
 *
 * Tables on standard output: in columns for reading, with tabs between them
 * (--tsv), or as JSON (--json), an array with an object for each row.
 */
#ifndef TG_CLI_IO_LISTING_H
#define TG_CLI_IO_LISTING_H

#include "cli/table/commands.h"
#include "util/json.h"

enum { CLI_IN_TEXT = 1 << 0, CLI_IN_JSON = 1 << 1 };

struct cli_column {
   const char *name;
   int width;      /* in text for reading; 0: the last one there */
   bool is_number; /* in JSON */
   unsigned forms; /* which have it; 0: all */
};

struct cli_listing {
   const struct cli_column *columns;
   unsigned num_columns;
   bool is_json, is_tsv;
   struct tg_json json; /* an array, if it is JSON */
};

/* Prints the names of the columns, where the form has them. */
void
cli_listing_begin(struct cli_listing *listing,
                  const struct cli_options *options,
                  const struct cli_column *columns, unsigned num_columns);

/* Prints a row, with a cell for each column; NULL is "-", or null. */
void
cli_listing_row(struct cli_listing *listing, const char *const *cells);

/* Ends the table. False, with a sentence, when something could not be printed.
 */
bool
cli_listing_end(struct cli_listing *listing);

#endif
