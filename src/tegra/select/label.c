/* SPDX-License-Identifier: MIT
 *
 * Labels and the resolution of branches. While branches are made they lead to
 * labels; at the end labels have become blocks.
 */
#include "tegra/select/flow.h"

#include <string.h>

/* ---- branches ------------------------------------------------------------ */

uint32_t
select_label_at(uint32_t instruction, enum select_side side)
{
   return instruction * SELECT_NUM_SIDES + side;
}

uint32_t
select_end_label(const struct select *select)
{
   return select_label_at(select->shader->num_instructions, SELECT_BEFORE);
}

static void
begin_block(struct select *select)
{
   const struct mir_block *block = &select->mir->blocks[select->block];

   if (block->num_ops == 0 && select->block != select->mir->end)
      return;
   uint32_t next = mir_add_block(select->mir);
   if (next == MIR_NONE)
      select->result = TG_ERROR_MEMORY;
   else
      select->block = next;
}

void
select_place_label(struct select *select, uint32_t label)
{
   begin_block(select);
   select->labels[label].block = select->block;
   select->is_unreachable = false;
}

void
select_place_used_label(struct select *select, uint32_t label)
{
   if (select->labels[label].is_used)
      select_place_label(select, label);
}

void
select_jump_to_label(struct select *select, enum tegra_scalar_op opcode,
                     uint32_t label, unsigned signs)
{
   struct mir_op op = mir_op(TEGRA_SCALAR, opcode, select->index);

   if (select->is_unreachable || select->is_refused)
      return;
   if (signs) {
      op.predicate = (struct mir_predicate){
         .enabled = true,
         .swizzle = TEGRA_XXXX,
         .less = signs & SELECT_LESS,
         .equal = signs & SELECT_EQUAL,
         .greater = signs & SELECT_GREATER,
      };
   }
   op.target = label;
   if (label != MIR_NONE)
      select->labels[label].is_used = true;
   if (!mir_append(select->mir, select->block, &op))
      select->result = TG_ERROR_MEMORY;
   begin_block(select);
   if (!signs && opcode != TEGRA_SCALAR_CAL)
      select->is_unreachable = true;
}

void
select_branch_to_label(struct select *select, uint32_t label)
{
   select_jump_to_label(select, TEGRA_SCALAR_BRA, label, 0);
}

/* ---- all of them --------------------------------------------------------- */

void
select_resolve_labels(struct select *select)
{
   struct mir *mir = select->mir;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++) {
         uint32_t *target = &mir->blocks[i].ops[j].target;

         if (*target != MIR_NONE)
            *target = select->labels[*target].block;
      }
   }
}

bool
select_create_labels(struct select *select)
{
   const struct tg_shader *shader = select->shader;
   struct tg_arena *arena = &select->mir->arena;
   uint32_t count = shader->num_instructions + 1;

   select->labels =
      tg_arena_array(arena, count, SELECT_NUM_SIDES * sizeof(*select->labels));
   select->is_branch_target = tg_arena_alloc(arena, count);
   select->counters = tg_arena_array(arena, count, sizeof(*select->counters));
   if (!select->labels || !select->is_branch_target || !select->counters)
      return false;
   memset(select->counters, 0xff, count * sizeof(*select->counters));
   for (uint32_t i = 0; i < count * SELECT_NUM_SIDES; i++)
      select->labels[i].block = MIR_NONE;
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      if (tg_opcode_row(shader->instructions[i].opcode)->flow == TG_FLOW_BRANCH)
         select->is_branch_target[select->flow.nodes[i].partner] = true;
   }
   return true;
}
