/* SPDX-License-Identifier: MIT
 *
 * Places: registers and condition registers that operations write, parts of
 * them, and under which condition.
 */
#include "tegra/select/select.h"

struct select_place
select_no_place(unsigned mask)
{
   return (struct select_place){
      .mask = mask,
      .temporary = MIR_NONE,
      .export_index = TEGRA_NO_EXPORT,
   };
}

struct select_place
select_temporary_place(struct select *select, unsigned mask)
{
   struct select_place place = select_no_place(mask);

   place.temporary = mir_add_temporary(select->mir);
   return place;
}

struct select_place
select_condition_place(unsigned condition, unsigned mask)
{
   struct select_place place = select_no_place(mask);

   place.sets_condition = true;
   place.condition = (uint8_t)condition;
   return place;
}

struct select_place
select_masked_place(struct select_place place, unsigned mask)
{
   place.mask &= mask;
   return place;
}

struct select_place
select_place_where(struct select_place place, unsigned signs, unsigned swizzle)
{
   place.predicate = (struct mir_predicate){
      .enabled = true,
      .condition = 1,
      .swizzle = (uint8_t)swizzle,
      .less = signs & SELECT_LESS,
      .equal = signs & SELECT_EQUAL,
      .greater = signs & SELECT_GREATER,
   };
   return place;
}
