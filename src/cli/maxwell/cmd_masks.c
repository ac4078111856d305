/* SPDX-License-Identifier: MIT
 *
 * tungsten maxwell masks [MASK]...
 */
#include "cli/maxwell/tables.h"

enum { NUM_COLUMNS = 7 };

static const struct cli_column columns[NUM_COLUMNS] = {
   {"mask", .width = 4},
   {"rd1", .width = 3, .is_number = true},
   {"code", .width = 4, .is_number = true},
   {"n0", .width = 2, .is_number = true},
   {"n1", .width = 2, .is_number = true},
   {"n0_half", .width = 7, .is_number = true},
   {"n1_half", .is_number = true},
};

static const char *const cells[][NUM_COLUMNS] = {
#define MAXWELL_MASK(name, rd1, code, mask, n0, n1, n0_half, n1_half)          \
   {#name, #rd1, #code, #n0, #n1, #n0_half, #n1_half},
#include "maxwell/isa/masks.def"
};

int
cmd_maxwell_masks(struct cli_call *call)
{
   static const struct cli_maxwell_table table = {
      .what = "mask",
      .columns = columns,
      .num_columns = NUM_COLUMNS,
      .num_rows = sizeof(cells) / sizeof(*cells),
      .cells = cells[0],
   };

   return cli_list_maxwell_table(call, &table);
}
