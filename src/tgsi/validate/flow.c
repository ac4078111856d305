/* SPDX-License-Identifier: MIT
 *
 * Rules about control flow as a whole. Constructs are matched by
 * analysis/flow.c, which also reports what does not belong together.
 */
#include "tgsi/validate/validate.h"

#include <assert.h>

static void
check_end(struct validation *validation, const struct tg_flow_info *flow)
{
   const struct tg_shader *shader = validation->shader;
   uint32_t seen = 0;

   for (uint32_t i = 0; flow->num_ends > 1 && i < shader->num_instructions;
        i++) {
      if (shader->instructions[i].opcode == TG_OPCODE_END &&
          flow->nodes[i].parent == TG_NO_INSTRUCTION && seen++ > 0)
         validate_error(validation, shader->instructions[i].position,
                        "second-end", "RET ends a lane anywhere",
                        "the shader has more than one END");
   }
   if (flow->num_ends > 0 || flow->only_subroutines)
      return;

   struct tg_position last = shader->position;
   if (shader->num_instructions > 0)
      last = shader->instructions[shader->num_instructions - 1].position;
   validate_error(validation, last, "missing-end",
                  "the main program ends with END", "the shader has no END");
}

/* One warning for each stretch that no lane can reach. */
static void
check_unreachable(struct validation *validation,
                  const struct tg_flow_info *flow)
{
   const struct tg_shader *shader = validation->shader;
   bool said = false;

   if (flow->only_subroutines)
      return;
   for (uint32_t i = flow->main_end; i < shader->num_instructions; i++) {
      const struct tg_instruction *instruction = &shader->instructions[i];
      unsigned kind = tg_opcode_row(instruction->opcode)->flow;

      if (kind == TG_FLOW_SUB)
         said = false;
      if (flow->nodes[i].parent != TG_NO_INSTRUCTION || kind == TG_FLOW_SUB ||
          kind == TG_FLOW_ENDSUB || kind == TG_FLOW_END ||
          instruction->opcode == TG_OPCODE_NOP || said)
         continue;
      said = true;
      validate_warning(validation, instruction->position, "unreachable",
                       "the main program ends at the first END or BGNSUB",
                       "%s is never executed",
                       tg_opcode_row(instruction->opcode)->name);
   }
}

static void
check_switch(struct validation *validation, const struct tg_flow_info *flow,
             uint32_t index)
{
   const struct tg_instruction *instructions = validation->shader->instructions;
   uint32_t next = index + 1;

   if (next < validation->shader->num_instructions &&
       flow->nodes[next].parent == index &&
       tg_opcode_row(instructions[next].opcode)->flow != TG_FLOW_CASE)
      validate_warning(validation, instructions[next].position, "unreachable",
                       "a lane enters SWITCH at a CASE or DEFAULT",
                       "%s is never executed",
                       tg_opcode_row(instructions[next].opcode)->name);
}

/* The loops that control leaves here, whatever else it does. */
static void
mark_exits(const struct validation *validation, uint32_t index, bool *has_exit)
{
   assert(index < validation->shader->num_instructions);
   const struct tg_flow_info *flow = &validation->flow;

   switch (
      tg_opcode_row(validation->shader->instructions[index].opcode)->flow) {
   case TG_FLOW_BREAK: has_exit[flow->nodes[index].partner] = true; break;
   case TG_FLOW_RETURN:
   case TG_FLOW_END:
   case TG_FLOW_BRANCH:
      for (uint32_t i = flow->nodes[index].parent; i != TG_NO_INSTRUCTION;
           i = flow->nodes[i].parent)
         has_exit[i] = true;
      break;
   default: break;
   }
}

/* Loops of 2010 count their iterations; BGNLOOP iterates until a jump leaves
 * it. */
static void
check_loops(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;
   bool *has_exit = tg_arena_array(&validation->arena, shader->num_instructions,
                                   sizeof(*has_exit));

   if (!has_exit) {
      validation->result = TG_ERROR_MEMORY;
      return;
   }
   for (uint32_t i = 0; i < shader->num_instructions; i++)
      mark_exits(validation, i, has_exit);
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      if (shader->instructions[i].opcode == TG_OPCODE_BGNLOOP && !has_exit[i])
         validate_warning(validation, shader->instructions[i].position,
                          "infinite-loop", "BRK, BREAKC and RET leave a loop",
                          "BGNLOOP has no way out");
   }
}

void
validate_flow(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;
   const struct tg_flow_info *flow = &validation->flow;
   enum tg_result result =
      tg_flow_analyse(shader, validation->diagnostics, &validation->flow);

   if (result != TG_OK)
      validation->result = result;
   if (result != TG_ERROR_MEMORY)
      check_end(validation, flow);
   if (result != TG_OK)
      return;
   check_unreachable(validation, flow);
   check_loops(validation);
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      if (shader->instructions[i].opcode == TG_OPCODE_SWITCH)
         check_switch(validation, flow, i);
   }
}
