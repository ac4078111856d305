/* SPDX-License-Identifier: MIT
 *
 * Traversal of a shader: the main program comes first and the block that ends
 * it after, then each subroutine that is called. What is unreachable is left
 * out.
 */
#include "tegra/select/flow.h"

static void
select_range(struct select *select, uint32_t begin, uint32_t end)
{
   for (uint32_t i = begin; i < end && select->result != TG_ERROR_MEMORY; i++) {
      uint32_t label = select_label_at(i, SELECT_BEFORE);

      if (select->labels[label].block == MIR_NONE &&
          select->is_branch_target[i])
         select_place_label(select, label);
      if (!select->is_unreachable ||
          tg_opcode_row(select->shader->instructions[i].opcode)->flow)
         select_instruction(select, i);
   }
}

/* Refuses calls that would be too deep, and with them recursion. A depth is
 * that of the stack while a subroutine runs; 0 is one that is not called. */
static bool
spread_depths(struct select *select, uint32_t *depths)
{
   const struct tg_shader *shader = select->shader;
   uint32_t caller = TG_NO_INSTRUCTION;
   bool changed = false;

   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      enum tg_flow flow = tg_opcode_row(shader->instructions[i].opcode)->flow;
      uint32_t partner = select->flow.nodes[i].partner;

      if (flow == TG_FLOW_SUB)
         caller = i;
      if (flow != TG_FLOW_CALL ||
          (i >= select->flow.main_end &&
           (caller == TG_NO_INSTRUCTION || depths[caller] == 0)))
         continue;
      uint32_t depth = i < select->flow.main_end ? 1 : depths[caller] + 1;
      if (depth <= depths[partner])
         continue;
      changed = true;
      depths[partner] = depth;
      if (depth > TG_TEGRA_STACK_DEPTH) {
         select_refuse_at(select, i, SELECT_REFUSED_DEPTH);
         return false;
      }
   }
   return changed;
}

static void
select_subroutines(struct select *select, const uint32_t *depths)
{
   select->is_subroutine = true;
   for (uint32_t i = 0; i < select->flow.num_subroutines; i++) {
      uint32_t begin = select->flow.subroutines[i];
      uint32_t end = select->flow.nodes[begin].partner;

      if (!depths[begin])
         continue;
      select_place_label(select, select_label_at(begin, SELECT_BEHIND));
      select_range(select, begin + 1, end);
      select->index = end;
      select->is_refused = false;
      select_op_ret(select);
   }
}

/* Exports are 0 until they are written, so that w is all there is to do. Where
 * it is written in any case the pass over dead operations finds that. */
static void
select_output_defaults(struct select *select)
{
   for (uint32_t i = 0; i < select->num_outputs; i++) {
      const struct select_output *output = &select->outputs[i];
      struct select_place place = select_no_place(tegra_mask_bit(3));

      if (!output->declaration ||
          !tg_shader_output_has_default_w(select->shader, output->declaration))
         continue;
      place.temporary = output->shadow;
      place.export_index = output->export_index;
      select_emit_vector0(select, TEGRA_VECTOR_STR, place);
   }
}

enum tg_result
select_program(struct select *select)
{
   struct mir *mir = select->mir;
   uint32_t *depths = tg_arena_array(
      &mir->arena, select->shader->num_instructions, sizeof(*depths));

   if (!depths || !select_create_labels(select))
      return TG_ERROR_MEMORY;
   select->block = mir_add_block(mir);
   if (select->block == MIR_NONE)
      return TG_ERROR_MEMORY;
   while (spread_depths(select, depths))
      ;
   select_output_defaults(select);
   select_range(select, select->flow.main_begin, select->flow.main_end);
   select_place_used_label(select, select_end_label(select));
   mir->end = select->block;
   select_subroutines(select, depths);
   if (select->is_unreachable && select->block != mir->end)
      mir->num_blocks--; /* after the last RET */
   if (select->result == TG_OK)
      select_resolve_labels(select);
   return select->result;
}
