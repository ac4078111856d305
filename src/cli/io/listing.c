/* SPDX-License-Identifier: MIT
 *
 * Tables on standard output, in three forms.
 */
#include "cli/io/listing.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/io/standard_output.h"

static bool
is_in(const struct cli_column *column, unsigned form)
{
   return !column->forms || (column->forms & form);
}

static void
print_cell(const struct cli_listing *listing, const struct cli_column *column,
           const char *cell)
{
   if (column != listing->columns)
      putchar(listing->is_tsv ? '\t' : ' ');
   printf("%-*s", listing->is_tsv ? 0 : column->width, cell);
}

static void
add_member(struct tg_json *json, struct tg_json_value *object,
           const struct cli_column *column, const char *cell)
{
   if (!cell)
      tg_json_null(json, object, column->name);
   else if (column->is_number)
      tg_json_number(json, object, column->name, strtod(cell, NULL));
   else
      tg_json_string(json, object, column->name, cell);
}

void
cli_listing_begin(struct cli_listing *listing,
                  const struct cli_options *options,
                  const struct cli_column *columns, unsigned num_columns)
{
   *listing = (struct cli_listing){
      .columns = columns,
      .num_columns = num_columns,
      .is_json = options->json,
      .is_tsv = options->tsv,
   };
   if (listing->is_json) {
      tg_json_init_array(&listing->json, NULL);
      return;
   }
   for (unsigned i = 0; i < num_columns; i++) {
      if (is_in(&columns[i], CLI_IN_TEXT))
         print_cell(listing, &columns[i], columns[i].name);
   }
   putchar('\n');
}

void
cli_listing_row(struct cli_listing *listing, const char *const *cells)
{
   const struct cli_column *columns = listing->columns;
   struct tg_json_value *object = NULL;

   if (listing->is_json)
      object = tg_json_object(&listing->json, listing->json.root, NULL);
   for (unsigned i = 0; i < listing->num_columns; i++) {
      if (!is_in(&columns[i], listing->is_json ? CLI_IN_JSON : CLI_IN_TEXT))
         continue;
      if (listing->is_json)
         add_member(&listing->json, object, &columns[i], cells[i]);
      else
         print_cell(listing, &columns[i], cells[i] ? cells[i] : "-");
   }
   if (!listing->is_json)
      putchar('\n');
}

bool
cli_listing_end(struct cli_listing *listing)
{
   return !listing->is_json || cli_output_json(tg_json_take(&listing->json));
}
