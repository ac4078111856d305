/* SPDX-License-Identifier: MIT
 *
 * Compare functions: a row says which of the operations that LIR has, and
 * whether the operands change places.
 */
#include "lower/fixed_function/compare_func.h"

#include <assert.h>

#include "util/length.h"

static const struct row {
   uint16_t floats, uints; /* enum lir_op; none: a constant */
   bool is_swapped;
   bool constant;
} rows[ABI_NUM_COMPARES] = {
   [TG_COMPARE_NEVER] = {LIR_OP_none, LIR_OP_none, false, false},
   [TG_COMPARE_LESS] = {LIR_OP_flt, LIR_OP_ult, false, false},
   [TG_COMPARE_EQUAL] = {LIR_OP_feq, LIR_OP_ieq, false, false},
   [TG_COMPARE_LEQUAL] = {LIR_OP_fge, LIR_OP_uge, true, false},
   [TG_COMPARE_GREATER] = {LIR_OP_flt, LIR_OP_ult, true, false},
   [TG_COMPARE_NOTEQUAL] = {LIR_OP_fne, LIR_OP_ine, false, false},
   [TG_COMPARE_GEQUAL] = {LIR_OP_fge, LIR_OP_uge, false, false},
   [TG_COMPARE_ALWAYS] = {LIR_OP_none, LIR_OP_none, false, true},
};

static lir_value
build_row(struct lir_builder *builder, const struct row *row, uint16_t op,
          lir_value a, lir_value b)
{
   const lir_value operands[2] = {
      row->is_swapped ? b : a,
      row->is_swapped ? a : b,
   };

   if (op == LIR_OP_none)
      return lir_const1(builder, row->constant);
   return lir_build(builder, (enum lir_op)op, operands, 0);
}

lir_value
lower_compare_func_of_floats(struct lir_builder *builder, enum tg_compare func,
                             lir_value a, lir_value b)
{
   assert(func < TG_LENGTH(rows));
   return build_row(builder, &rows[func], rows[func].floats, a, b);
}

lir_value
lower_compare_func_of_uints(struct lir_builder *builder, enum tg_compare func,
                            lir_value a, lir_value b)
{
   assert(func < TG_LENGTH(rows));
   return build_row(builder, &rows[func], rows[func].uints, a, b);
}
