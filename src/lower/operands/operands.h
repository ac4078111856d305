/* SPDX-License-Identifier: MIT
 *
 * The operands of the instruction at hand, for those who drive the lowering.
 * Lowering functions reach them through context.h.
 */
#ifndef TG_LOWER_OPERANDS_H
#define TG_LOWER_OPERANDS_H

#include "lower/operands/context.h"
#include "lower/operands/location.h"

struct lower_operands {
   struct lower_location src[TG_MAX_SRC];
   struct lower_location dst[TG_MAX_DST];
   lir_value guard[4]; /* of the predicate, by channel written */

   /* What the lowering function gave: saturated, not yet masked. */
   lir_value given[TG_MAX_DST][4];
   bool is_given[TG_MAX_DST][4];
};

/* The state of operands of the instruction at hand. False when out of memory.
 */
bool
lower_operands_create(struct lower_context *context);

/* Makes an instruction the one at hand: finds its registers and reads its
 * predicate. What was given to the one before and not stored is forgotten. */
void
lower_operands_begin(struct lower_context *context, uint32_t index);

/* The location of destination `dst`. */
const struct lower_location *
lower_dst_location(const struct lower_context *context, unsigned dst);

/* A channel of a source, after its swizzle, without its modifiers; and a value
 * with the modifiers of a source of floats. */
lir_value
lower_src_bare(struct lower_context *context, unsigned src, unsigned channel);
lir_value
lower_src_modify_float(struct lower_context *context, unsigned src,
                       lir_value value);

/* The predicate's truth value for a channel, in an instruction that has one. */
lir_value
lower_operands_predicate(const struct lower_context *context, unsigned channel);

/* An operand of integers that is an address register holding floats. Opcodes
 * for address registers know what these hold, others are to see integers. */
static inline bool
lower_is_float_as_integer(const struct lower_context *context,
                          enum tg_file file, enum tg_type type)
{
   return file == TG_FILE_ADDR &&
          (type == TG_TYPE_I32 || type == TG_TYPE_U32) &&
          context->info->group != TG_GROUP_ADDRESS &&
          lower_address_registers_hold_floats(context);
}

#endif
