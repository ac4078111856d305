/* SPDX-License-Identifier: MIT
 *
 * Rules about control flow. What belongs together is found by flow.c, which
 * also reports what does not; here is what can be said about the whole.
 */
#include "tgsi/validate.h"

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
      unsigned kind = tg_opcodes[instruction->opcode].flow;

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
                       tg_opcodes[instruction->opcode].name);
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
       tg_opcodes[instructions[next].opcode].flow != TG_FLOW_CASE)
      validate_warning(validation, instructions[next].position, "unreachable",
                       "a lane enters SWITCH at a CASE or DEFAULT",
                       "%s is never executed",
                       tg_opcodes[instructions[next].opcode].name);
}

void
validate_flow(struct validation *validation)
{
   const struct tg_shader *shader = validation->shader;
   struct tg_flow_info flow;
   enum tg_result result =
      tg_flow_analyse(shader, validation->diagnostics, &flow);

   if (result != TG_OK)
      validation->result = result;
   if (result != TG_ERROR_MEMORY)
      check_end(validation, &flow);
   if (result == TG_OK) {
      check_unreachable(validation, &flow);
      for (uint32_t i = 0; i < shader->num_instructions; i++) {
         if (shader->instructions[i].opcode == TG_OPCODE_SWITCH)
            check_switch(validation, &flow, i);
      }
   }
   tg_flow_finish(&flow);
}
