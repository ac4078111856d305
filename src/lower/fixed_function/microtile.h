/* SPDX-License-Identifier: MIT
 *
 * Addresses of tiled levels as LIR: where abi/bindings.h says that a texel of a
 * multisampled resource lies.
 */
#ifndef TG_LOWER_FIXED_FUNCTION_MICROTILE_H
#define TG_LOWER_FIXED_FUNCTION_MICROTILE_H

#include "lir/builder.h"

/* The part of column `x` of a row, and of row `y`, in units, of which a texel
 * has `units`; `row_pitch` is ABI_LEVEL_ROW_PITCH. */
lir_value
lower_microtile_column(struct lir_builder *builder, lir_value x,
                       unsigned units);
lir_value
lower_microtile_row(struct lir_builder *builder, lir_value y,
                    lir_value row_pitch, unsigned units);

#endif
