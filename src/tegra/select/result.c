/* SPDX-License-Identifier: MIT
 *
 * Places of results: where an expansion puts what it computes, and how that
 * comes to the destination of the TGSI instruction.
 */
#include "tegra/select/select.h"

#include <assert.h>

/* TGSI has x in the lowest bit. */
static unsigned
mask_of(unsigned writemask)
{
   unsigned mask = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (writemask & 1u << i)
         mask |= tegra_mask_bit(i);
   }
   return mask;
}

struct select_place
select_nowhere(unsigned mask)
{
   return (struct select_place){
      .mask = mask,
      .temporary = MIR_NONE,
      .export_index = TEGRA_NO_EXPORT,
   };
}

struct select_place
select_temporary(struct select *select, unsigned mask)
{
   struct select_place place = select_nowhere(mask);

   place.temporary = mir_add_temporary(select->mir);
   return place;
}

struct select_place
select_condition(unsigned condition, unsigned mask)
{
   struct select_place place = select_nowhere(mask);

   place.sets_condition = true;
   place.condition = (uint8_t)condition;
   return place;
}

struct select_place
select_masked(struct select_place place, unsigned mask)
{
   place.mask &= mask;
   return place;
}

struct select_place
select_where(struct select_place place, unsigned signs, unsigned swizzle)
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

void
select_begin_result(struct select *select)
{
   const struct tg_instruction *instruction = select->instruction;

   if (instruction->num_dst == 0)
      return;
   const struct tg_register *reg = &instruction->dst[0].reg;
   unsigned mask = mask_of(instruction->dst[0].writemask);
   bool is_array = reg->index.indirect;
   if (is_array && reg->file != TG_FILE_TEMP && reg->file != TG_FILE_OUT)
      select_refuse(select, SELECT_REFUSED_REGISTER);
   select->target =
      is_array ? select_nowhere(mask) : select_operand_place(select, reg, mask);
   select->result_place = select->target;
   if (is_array || instruction->has_predicate ||
       instruction->saturate == TG_SATURATE_MINUS_ONE_ONE)
      select->result_place = select_temporary(select, mask);
   select->result_place.saturate =
      instruction->saturate == TG_SATURATE_ZERO_ONE;
}

/* The result to where it belongs, in the components that the predicate has. */
static void
move_result(struct select *select, struct mir_source value)
{
   const struct tg_instruction *instruction = select->instruction;
   struct select_place target = select->target;

   if (instruction->dst[0].reg.index.indirect) {
      if (instruction->has_predicate)
         select_refuse(select, SELECT_REFUSED_PREDICATE);
      select_array_write(select, &instruction->dst[0].reg, target.mask, value);
      return;
   }
   if (instruction->has_predicate) {
      select_vector1(select, TEGRA_VECTOR_MOV, select_condition(1, target.mask),
                     select_predicate(select, target.mask));
      target = select_where(target,
                            instruction->predicate_negate
                               ? SELECT_EQUAL
                               : SELECT_LESS | SELECT_GREATER,
                            TEGRA_IDENTITY);
   }
   select_vector1(select, TEGRA_VECTOR_MOV, target, value);
}

void
select_finish_result(struct select *select)
{
   struct select_place result = select->result_place;
   struct mir_source value = select_value(result);
   bool is_plain = !select->instruction->has_predicate &&
                   select->instruction->num_dst > 0 &&
                   !select->instruction->dst[0].reg.index.indirect;

   if (select->instruction->num_dst == 0 ||
       (result.temporary == select->target.temporary &&
        result.export_index == select->target.export_index))
      return;
   if (select->instruction->saturate == TG_SATURATE_MINUS_ONE_ONE) {
      select_vector2(select, TEGRA_VECTOR_MAX, result, value,
                     mir_number(-1.0f));
      select_vector2(select, TEGRA_VECTOR_MIN,
                     is_plain ? select->target : result, value,
                     mir_number(1.0f));
      if (is_plain)
         return;
   }
   move_result(select, value);
}

struct select_place
select_result(struct select *select)
{
   return select->result_place;
}

/* Does an operand of the instruction at hand read what it writes? */
static bool
reads_own_result(const struct select *select)
{
   const struct tg_instruction *instruction = select->instruction;
   const struct tg_register *dst = &instruction->dst[0].reg;

   for (unsigned i = 0; i < instruction->num_src; i++) {
      const struct tg_register *src = &instruction->src[i].reg;

      if (src->file == dst->file &&
          (src->index.indirect || dst->index.indirect ||
           src->index.offset == dst->index.offset))
         return true;
   }
   return false;
}

struct select_place
select_parts(struct select *select)
{
   bool saturate = select->result_place.saturate;

   if (reads_own_result(select)) {
      select->result_place = select_temporary(select, select->target.mask);
      select->result_place.saturate = saturate;
   }
   return select->result_place;
}
