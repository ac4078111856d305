/* SPDX-License-Identifier: MIT
 *
 * Rows of .def files as listings.
 */
#include "cli/maxwell/tables.h"

#include <string.h>

#include "cli/io/diagnostics.h"
#include "util/ascii.h"

enum { MOST_COLUMNS = 16 };

static const char *const *
row_at(const struct cli_maxwell_table *table, unsigned row)
{
   return table->cells + (size_t)row * table->num_columns;
}

static void
list(struct cli_listing *listing, const char *const *row, unsigned num_columns)
{
   const char *cells[MOST_COLUMNS];

   for (unsigned i = 0; i < num_columns; i++)
      cells[i] = strcmp(row[i], "NONE") == 0 ? NULL : row[i];
   cli_listing_row(listing, cells);
}

/* Lists the rows with a name; false, with a sentence, when there is none. */
static bool
list_named(struct cli_listing *listing, const struct cli_maxwell_table *table,
           const char *name)
{
   bool found = false;

   for (unsigned i = 0; i < table->num_rows; i++) {
      const char *const *row = row_at(table, i);

      if (strlen(name) != strlen(row[0]) ||
          tg_ascii_compare(name, row[0], strlen(name)) != 0)
         continue;
      list(listing, row, table->num_columns);
      found = true;
   }
   if (!found)
      cli_complain("there is no %s '%s'", table->what, name);
   return found;
}

int
cli_list_maxwell_table(struct cli_call *call,
                       const struct cli_maxwell_table *table)
{
   struct cli_listing listing;
   int status = CLI_OK;

   cli_listing_begin(&listing, &call->options, table->columns,
                     table->num_columns);
   for (unsigned i = 0; i < table->num_rows && !call->num_operands; i++)
      list(&listing, row_at(table, i), table->num_columns);
   for (int i = 0; i < call->num_operands; i++) {
      if (!list_named(&listing, table, call->operands[i]))
         status = CLI_FAILED;
   }
   return cli_listing_end(&listing) ? status : CLI_FAILED;
}
