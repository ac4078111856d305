/* SPDX-License-Identifier: MIT
 *
 * Words that code looks things up in. The places of samples are Direct3D's
 * standard ones.
 */
#include "abi/tables.h"

#include "abi/bindings.h"

const uint32_t abi_tables[ABI_TABLE_WORDS] = {
#include "format/srgb.def"
   /* clang-format off */
   8, 8,
   12, 12, 4, 4,
   6, 2, 14, 6, 2, 10, 10, 14,
   9, 5, 7, 11, 13, 9, 5, 3, 3, 13, 1, 7, 11, 15, 15, 1,
   9, 9, 7, 5, 5, 10, 12, 7, 3, 6, 10, 13, 13, 11, 11, 3,
   6, 14, 8, 1, 4, 2, 2, 12, 0, 8, 15, 4, 14, 15, 1, 0,
   /* clang-format on */
};

_Static_assert((int)ABI_TABLE_WORDS <= (int)LIR_MAX_SIZE_WORDS,
               "their size is declared");

lir_value
abi_table_lookup(struct lir_builder *builder, lir_value index)
{
   builder->failed |= !lir_module_declare_size(
      builder->module, ABI_CONST_TABLES, ABI_TABLE_WORDS);
   return lir_load32(builder, LIR_SPACE_CONST, ABI_CONST_TABLES, index);
}
