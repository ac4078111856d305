/* SPDX-License-Identifier: MIT
 *
 * tungsten maxwell fields [FORM]...
 */
#include "cli/maxwell/tables.h"

enum { NUM_COLUMNS = 4 };

static const struct cli_column columns[NUM_COLUMNS] = {
   {"form", .width = 6},
   {"field", .width = 6},
   {"lsb", .width = 3, .is_number = true},
   {"width", .is_number = true},
};

/* Forms with their handle in a register are TEX_B and so on, as in the table.
 */
static const char *const cells[][NUM_COLUMNS] = {
#define MAXWELL_FIELD(form, field, lsb, width) {#form, #field, #lsb, #width},
#include "maxwell/isa/forms.def"
};

int
cmd_maxwell_fields(struct cli_call *call)
{
   static const struct cli_maxwell_table table = {
      .what = "form",
      .columns = columns,
      .num_columns = NUM_COLUMNS,
      .num_rows = sizeof(cells) / sizeof(*cells),
      .cells = cells[0],
   };

   return cli_list_maxwell_table(call, &table);
}
