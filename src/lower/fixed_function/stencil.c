/* SPDX-License-Identifier: MIT
 *
 * The stencil test as LIR.
 */
#include "lower/fixed_function/stencil.h"

#include <assert.h>

const struct tg_member lower_stencil_key_members[] = {
   TG_NUMBER(lower_stencil_key, enabled),
   TG_NUMBER(lower_stencil_key, func),
   TG_NUMBER(lower_stencil_key, fail_op),
   TG_NUMBER(lower_stencil_key, zfail_op),
   TG_NUMBER(lower_stencil_key, zpass_op),
   TG_NUMBER(lower_stencil_key, valuemask),
   TG_NUMBER(lower_stencil_key, writemask),
   {0},
};

enum { STENCIL_MASK = 0xff };

static lir_value
masked(struct lir_builder *builder, lir_value value, uint32_t mask)
{
   return lir_iand(builder, value, lir_const32(builder, mask));
}

lir_value
lower_stencil_test(struct lir_builder *builder,
                   const struct lower_stencil_key *key, lir_value reference,
                   lir_value stencil)
{
   if (!key->enabled)
      return lir_const1(builder, true);

   const lir_value a = masked(builder, reference, key->valuemask);
   const lir_value b = masked(builder, stencil, key->valuemask);
   return lower_compare_func_of_uints(builder, (enum tg_compare)key->func, a,
                                      b);
}

bool
lower_stencil_writes(const struct lower_stencil_key *key)
{
   return key->enabled && key->writemask &&
          (key->fail_op != TG_STENCIL_KEEP ||
           key->zfail_op != TG_STENCIL_KEEP ||
           key->zpass_op != TG_STENCIL_KEEP);
}

/* What an operation makes of a stencil, in all its bits. */
static lir_value
apply(struct lir_builder *builder, enum tg_stencil_op op, lir_value reference,
      lir_value stencil)
{
   assert(op <= TG_STENCIL_INVERT);
   const lir_value zero = lir_const32(builder, 0);
   const lir_value one = lir_const32(builder, 1);
   const lir_value most = lir_const32(builder, STENCIL_MASK);

   switch (op) {
   case TG_STENCIL_ZERO: return zero;
   case TG_STENCIL_REPLACE: return masked(builder, reference, STENCIL_MASK);
   case TG_STENCIL_INCR: {
      const lir_value more = lir_iadd(builder, stencil, one);
      return lir_umin(builder, more, most);
   }
   case TG_STENCIL_DECR: {
      const lir_value held = lir_umax(builder, stencil, one);
      return lir_isub(builder, held, one);
   }
   case TG_STENCIL_INCR_WRAP: {
      const lir_value more = lir_iadd(builder, stencil, one);
      return lir_iand(builder, more, most);
   }
   case TG_STENCIL_DECR_WRAP: {
      const lir_value less = lir_isub(builder, stencil, one);
      return lir_iand(builder, less, most);
   }
   case TG_STENCIL_INVERT: return lir_ixor(builder, stencil, most);
   default: return stencil;
   }
}

lir_value
lower_stencil_update(struct lir_builder *builder,
                     const struct lower_stencil_key *key, lir_value reference,
                     lir_value stencil, lir_value stencil_passes,
                     lir_value depth_passes)
{
   if (!lower_stencil_writes(key))
      return stencil;

   const lir_value failed =
      apply(builder, (enum tg_stencil_op)key->fail_op, reference, stencil);
   const lir_value zfailed =
      apply(builder, (enum tg_stencil_op)key->zfail_op, reference, stencil);
   const lir_value zpassed =
      apply(builder, (enum tg_stencil_op)key->zpass_op, reference, stencil);
   const lir_value passed = lir_sel32(builder, depth_passes, zpassed, zfailed);
   const lir_value result = lir_sel32(builder, stencil_passes, passed, failed);

   /* Bits that are not written stay. */
   const lir_value change = lir_ixor(builder, stencil, result);
   const lir_value written = masked(builder, change, key->writemask);
   return lir_ixor(builder, stencil, written);
}
