/* SPDX-License-Identifier: MIT
 *
 * The eight compare functions of depth, stencil, alpha and shadow tests as LIR.
 */
#ifndef TG_LOWER_FIXED_FUNCTION_COMPARE_FUNC_H
#define TG_LOWER_FIXED_FUNCTION_COMPARE_FUNC_H

#include "abi/bindings.h"
#include "lir/builder.h"

/* `a` func `b`, as floats; with NaN only NOTEQUAL and ALWAYS are true. */
lir_value
lower_compare_func_of_floats(struct lir_builder *builder, enum tg_compare func,
                             lir_value a, lir_value b);

/* `a` func `b`, as unsigned integers. */
lir_value
lower_compare_func_of_uints(struct lir_builder *builder, enum tg_compare func,
                            lir_value a, lir_value b);

#endif
