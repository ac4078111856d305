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
   select->target = is_array ? select_no_place(mask)
                             : select_operand_place(select, reg, mask);
   select->result_place = select->target;
   if (is_array || instruction->has_predicate ||
       instruction->saturate == TG_SATURATE_MINUS_ONE_ONE)
      select->result_place = select_temporary_place(select, mask);
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
      select_emit_vector1(select, TEGRA_VECTOR_MOV,
                          select_condition_place(1, target.mask),
                          select_predicate_source(select, target.mask));
      target = select_place_where(target,
                                  instruction->predicate_negate
                                     ? SELECT_EQUAL
                                     : SELECT_LESS | SELECT_GREATER,
                                  TEGRA_IDENTITY);
   }
   select_emit_vector1(select, TEGRA_VECTOR_MOV, target, value);
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
      select_emit_vector2(select, TEGRA_VECTOR_MAX, result, value,
                          mir_number(-1.0f));
      select_emit_vector2(select, TEGRA_VECTOR_MIN,
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
select_result_parts(struct select *select)
{
   bool saturate = select->result_place.saturate;

   if (reads_own_result(select)) {
      select->result_place =
         select_temporary_place(select, select->target.mask);
      select->result_place.saturate = saturate;
   }
   return select->result_place;
}
