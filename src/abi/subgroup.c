/* SPDX-License-Identifier: MIT
 *
 * System values of subgroups.
 */
#include "abi/subgroup.h"

#include <assert.h>

#include "lir/lir.h"

uint32_t
abi_subgroup_value(enum tg_semantic semantic, unsigned lane)
{
   assert(lane < LIR_LANES);
   const uint32_t bit = UINT32_C(1) << lane;
   const uint32_t all = (UINT32_C(1) << LIR_LANES) - 1;

   switch (semantic) {
   case TG_SEMANTIC_SUBGROUP_SIZE: return LIR_LANES;
   case TG_SEMANTIC_SUBGROUP_INVOCATION: return lane;
   case TG_SEMANTIC_SUBGROUP_EQ_MASK: return bit;
   case TG_SEMANTIC_SUBGROUP_GE_MASK: return all & ~(bit - 1);
   case TG_SEMANTIC_SUBGROUP_GT_MASK: return all & ~(2 * bit - 1);
   case TG_SEMANTIC_SUBGROUP_LE_MASK: return 2 * bit - 1;
   case TG_SEMANTIC_SUBGROUP_LT_MASK: return bit - 1;
   default: return 0;
   }
}
