/* SPDX-License-Identifier: MIT
 *
 * Unstructured control flow as a state machine: a loop around a SWITCH over the
 * number of the instruction that is next, and the stack as an array. What ends
 * the program is a RET.
 *
 *    TEMP[state].x   the instruction
 *               .y   entries on the stack
 *               .z   a bit for each entry, set if it is an address vector
 */
#include "tegra/decompile/decompile.h"

#include <assert.h>

#include "util/length.h"

struct machine {
   struct decompile *decompile;
   const char *state; /* TEMP[n] */
   bool begins_block[TG_TEGRA_MAX_INSTRUCTIONS];
   bool has_vectors; /* the stack may have entries of A0 */
};

/* ---- blocks -------------------------------------------------------------- */

static void
begin_block(struct machine *machine, int exit)
{
   if (exit >= 0)
      machine->begins_block[exit] = true;
}

static void
find_blocks(struct machine *machine)
{
   struct decompile *decompile = machine->decompile;

   begin_block(machine, 0);
   for (uint32_t i = 0; i < decompile->num_instructions; i++) {
      struct decompile_exits exits = decompile_flow_exits(decompile, i);
      const union tegra_instruction *instruction = &decompile->instructions[i];

      machine->has_vectors |=
         decompile_instruction_stack_effect(instruction) != TEGRA_EFFECT_NONE;
      if (exits.when == DECOMPILE_NEVER)
         continue;
      if (exits.effect != TEGRA_EFFECT_RETURN)
         begin_block(machine, exits.jump);
      if (exits.effect == TEGRA_EFFECT_CALL)
         begin_block(machine, exits.after);
      if (exits.when == DECOMPILE_SOMETIMES)
         begin_block(machine, exits.next);
   }
}

/* ---- the stack ----------------------------------------------------------- */

static struct decompile_text
work_register(struct machine *machine)
{
   return decompile_text_role(machine->decompile, DECOMPILE_WORK);
}

static struct decompile_text
number(struct machine *machine, int value)
{
   return decompile_text_integer(machine->decompile, value);
}

/* Ends the program if a bit of work.x is set. */
static void
end_if(struct machine *machine)
{
   struct decompile *decompile = machine->decompile;

   decompile_text_open(decompile, "UIF %s.xxxx", work_register(machine).text);
   decompile_text_line(decompile, "RET");
   decompile_text_close(decompile, "ENDIF");
}

static void
end_if_fewer_are_free(struct machine *machine, int count)
{
   decompile_text_line(machine->decompile, "USGE %s.x, %s.yyyy, %s",
                       work_register(machine).text, machine->state,
                       number(machine, TG_TEGRA_STACK_DEPTH - count + 1).text);
   end_if(machine);
}

/* Unless the entry that lies under `above` others is of this kind. */
static void
end_unless_top_is(struct machine *machine, int above, bool is_vector)
{
   struct decompile *decompile = machine->decompile;
   struct decompile_text work = work_register(machine);

   decompile_text_line(decompile, "USLT %s.x, %s.yyyy, %s", work.text,
                       machine->state, number(machine, above + 1).text);
   end_if(machine);
   if (!machine->has_vectors)
      return;
   decompile_text_line(decompile, "UADD %s.x, %s.yyyy, %s", work.text,
                       machine->state, number(machine, -above - 1).text);
   decompile_text_line(decompile, "USHR %s.x, %s.zzzz, %s.xxxx", work.text,
                       machine->state, work.text);
   decompile_text_line(decompile, "AND %s.x, %s.xxxx, %s", work.text, work.text,
                       number(machine, 1).text);
   if (is_vector)
      decompile_text_line(decompile, "USEQ %s.x, %s.xxxx, %s", work.text,
                          work.text, number(machine, 0).text);
   end_if(machine);
}

/* The entry at the depth. */
static struct decompile_text
entry(struct machine *machine)
{
   struct decompile *decompile = machine->decompile;

   decompile->uses_address[1] = true;
   decompile->uses_stack_array = true;
   decompile_text_role(decompile, DECOMPILE_STACK);
   decompile_text_line(decompile, "UARL ADDR[1].x, %s.yyyy", machine->state);
   return decompile_text_format("TEMP[ADDR[1].x+%u](1)",
                                decompile->roles[DECOMPILE_STACK] - 1u);
}

static void
change_depth(struct machine *machine, int change)
{
   decompile_text_line(machine->decompile, "UADD %s.y, %s.yyyy, %s",
                       machine->state, machine->state,
                       number(machine, change).text);
}

static void
push(struct machine *machine, const char *value, bool is_vector)
{
   struct decompile *decompile = machine->decompile;
   struct decompile_text work = work_register(machine);

   if (machine->has_vectors) {
      decompile_text_line(decompile, "SHL %s.x, %s, %s.yyyy", work.text,
                          number(machine, 1).text, machine->state);
      decompile_text_line(decompile, "OR %s.z, %s.zzzz, %s.xxxx",
                          machine->state, machine->state, work.text);
   }
   if (machine->has_vectors && !is_vector)
      decompile_text_line(decompile, "XOR %s.z, %s.zzzz, %s.xxxx",
                          machine->state, machine->state, work.text);
   decompile_text_line(decompile, "MOV %s, %s", entry(machine).text, value);
   change_depth(machine, 1);
}

/* ---- jumps --------------------------------------------------------------- */

static void
go_to(struct machine *machine, int exit)
{
   struct decompile *decompile = machine->decompile;

   if (exit < 0) {
      decompile_text_line(decompile, "RET");
      return;
   }
   decompile_text_line(decompile, "MOV %s.x, %s", machine->state,
                       number(machine, exit).text);
   decompile_text_line(decompile, "BRK");
}

/* A call that never comes back to an instruction comes back to none. */
static void
jump(struct machine *machine, const struct decompile_exits *exits)
{
   struct decompile *decompile = machine->decompile;

   if (exits->effect == TEGRA_EFFECT_CALL)
      push(machine, number(machine, exits->after).text, false);
   if (exits->effect != TEGRA_EFFECT_RETURN) {
      go_to(machine, exits->jump);
      return;
   }
   change_depth(machine, -1);
   decompile_text_line(decompile, "MOV %s.x, %s.xxxx", machine->state,
                       entry(machine).text);
   decompile_text_line(decompile, "BRK");
}

/* What ends the program before the instruction has done anything: PUSHA and
 * POPA come before a call or return. */
static void
check_stack(struct machine *machine, const struct decompile_exits *exits,
            enum tegra_effect effect, const char *condition)
{
   struct decompile *decompile = machine->decompile;
   int pushed = effect == TEGRA_EFFECT_PUSH ? 1 : 0;
   int popped = effect == TEGRA_EFFECT_POP ? 1 : 0;
   bool is_call = exits->effect == TEGRA_EFFECT_CALL;

   if (pushed)
      end_if_fewer_are_free(machine, 1);
   if (popped)
      end_unless_top_is(machine, 0, true);
   if (exits->when == DECOMPILE_NEVER || exits->effect == TEGRA_EFFECT_BRANCH ||
       (is_call && popped))
      return;

   if (condition)
      decompile_text_open(decompile, "IF %s", condition);
   if (is_call)
      end_if_fewer_are_free(machine, pushed + 1);
   else if (pushed)
      decompile_text_line(decompile, "RET"); /* to what was pushed */
   else
      end_unless_top_is(machine, popped, false);
   if (condition)
      decompile_text_close(decompile, "ENDIF");
}

/* ---- instructions -------------------------------------------------------- */

static void
pop(struct machine *machine, const char *value)
{
   change_depth(machine, -1);
   decompile_text_line(machine->decompile, "MOV %s, %s", value,
                       entry(machine).text);
}

/* False where nothing follows it in its block. */
static bool
write_instruction(struct machine *machine, uint32_t index)
{
   struct decompile *decompile = machine->decompile;
   assert(index < TG_LENGTH(decompile->instructions));
   const union tegra_instruction *instruction = &decompile->instructions[index];
   struct decompile_exits exits = decompile_flow_exits(decompile, index);
   enum tegra_effect effect = decompile_instruction_stack_effect(instruction);
   struct decompile_text condition = {""}, stacked = {""};
   bool is_conditional = exits.when == DECOMPILE_SOMETIMES;

   if (tegra_isa_fault(instruction) != TG_TEGRA_ENDED) {
      go_to(machine, DECOMPILE_ABORTS);
      return false;
   }
   if (decompile_instruction_may_abort(decompile, instruction))
      decompile_instruction_write_abort(decompile, instruction);
   if (is_conditional)
      condition = decompile_predicate_condition(
         decompile, instruction, false,
         decompile_instruction_sets_condition(decompile, instruction));
   check_stack(machine, &exits, effect, is_conditional ? condition.text : NULL);
   if (effect != TEGRA_EFFECT_NONE)
      stacked = decompile_text_role(decompile, DECOMPILE_STACKED);
   if (effect == TEGRA_EFFECT_POP)
      pop(machine, stacked.text);
   decompile_instruction(decompile, index, stacked.text);
   if (effect == TEGRA_EFFECT_PUSH)
      push(machine, stacked.text, true);

   if (is_conditional)
      decompile_text_open(decompile, "IF %s", condition.text);
   if (exits.when != DECOMPILE_NEVER)
      jump(machine, &exits);
   if (is_conditional)
      decompile_text_close(decompile, "ENDIF");
   if (exits.when == DECOMPILE_ALWAYS)
      return false;
   if (exits.next >= 0 && !machine->begins_block[exits.next])
      return true;
   go_to(machine, exits.next);
   return false;
}

void
decompile_machine(struct decompile *decompile)
{
   decompile_text_clear(decompile);
   decompile_initialise_live(decompile);

   struct decompile_text state =
      decompile_text_role(decompile, DECOMPILE_STATE);
   struct machine machine = {.decompile = decompile, .state = state.text};

   find_blocks(&machine);
   decompile_text_line(decompile, "MOV %s, %s", state.text,
                       number(&machine, 0).text);
   decompile_text_open(decompile, "BGNLOOP");
   decompile_text_open(decompile, "SWITCH %s.xxxx", state.text);
   for (uint32_t i = 0; i < decompile->num_instructions; i++) {
      if (!machine.begins_block[i] || !decompile->is_reached[i])
         continue;
      decompile_text_open(decompile, "CASE %s", number(&machine, (int)i).text);
      for (uint32_t at = i; write_instruction(&machine, at);)
         at++;
      decompile->nesting--;
   }
   decompile_text_open(decompile, "DEFAULT");
   decompile_text_line(decompile, "RET");
   decompile->nesting--;
   decompile_text_close(decompile, "ENDSWITCH");
   decompile_text_close(decompile, "ENDLOOP");
   decompile_text_line(decompile, "END");
}
