/* SPDX-License-Identifier: MIT
 *
 * tungsten maxwell rows [FORM]...
 */
#include "cli/maxwell/tables.h"

enum { NUM_COLUMNS = 10 };

static const struct cli_column columns[NUM_COLUMNS] = {
   {"form", .width = 5},   {"row", .width = 3, .is_number = true},
   {"target", .width = 8}, {"lod", .width = 3},
   {"extra", .width = 8},  {"ra", .width = 5},
   {"ra1", .width = 4},    {"rb", .width = 6},
   {"rb1", .width = 6},    {"tgsi"},
};

static const char *const cells[][NUM_COLUMNS] = {
#define MAXWELL_ROW(form, number, dim, lod, extra, a0, a1, b0, b1, opcode,     \
                    target)                                                    \
   {#form, #number, #dim, #lod, #extra,                                        \
    #a0,   #a1,     #b0,  #b1,  #opcode " " #target},
#include "maxwell/isa/rows.def"
};

int
cmd_maxwell_rows(struct cli_call *call)
{
   static const struct cli_maxwell_table table = {
      .what = "form with rows",
      .columns = columns,
      .num_columns = NUM_COLUMNS,
      .num_rows = sizeof(cells) / sizeof(*cells),
      .cells = cells[0],
   };

   return cli_list_maxwell_table(call, &table);
}
