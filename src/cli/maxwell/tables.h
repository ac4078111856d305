/* SPDX-License-Identifier: MIT
 *
 * The tables of Maxwell's instructions on standard output.
 */
#ifndef TG_CLI_MAXWELL_TABLES_H
#define TG_CLI_MAXWELL_TABLES_H

#include "cli/io/listing.h"
#include "cli/table/handlers.h"

/* A table: rows one after the other, a cell for each column; "NONE" is
 * nothing. The first column names what a row belongs to. */
struct cli_maxwell_table {
   const char *what; /* the first column, in a complaint */
   const struct cli_column *columns;
   unsigned num_columns, num_rows;
   const char *const *cells;
};

/* Lists the rows of the operands, or all. Returns an enum cli_status. */
int
cli_list_maxwell_table(struct cli_call *call,
                       const struct cli_maxwell_table *table);

#endif
