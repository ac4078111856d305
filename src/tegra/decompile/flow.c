/* SPDX-License-Identifier: MIT
 *
 * Static flow analysis: what A0 can hold, the successors of each instruction,
 * and what ends the program.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "tegra/decompile/decompile.h"
#include "util/bits.h"
#include "util/length.h"
#include "util/minmax.h"

/* ---- facts --------------------------------------------------------------- */

/* A component of an address operation's source, rounded; false when it is not
 * known. */
static bool
known_address(const struct decompile *decompile,
              const union tegra_instruction *instruction, unsigned component,
              int32_t *value_out)
{
   struct tegra_operand operand = tegra_isa_get_source(instruction, TEGRA_RA);
   unsigned from = tegra_swizzle_get(operand.swizzle, component);

   if (operand.file != TEGRA_CONSTANT || operand.relative ||
       operand.index >= TG_TEGRA_NUM_CONSTANTS ||
       !(decompile->program->constant_masks[operand.index] >> from & 1))
      return false;

   float value =
      tg_float_of_bits(decompile->program->constants[operand.index][from]);
   value = operand.absolute ? fabsf(value) : value;
   value = operand.negate ? -value : value;
   if (!(fabsf(value) < 4096))
      return false;
   value =
      instruction->v_op == TEGRA_VECTOR_ARL ? floorf(value) : nearbyintf(value);
   *value_out = (int32_t)value;
   return true;
}

static void
learn_address(struct decompile *decompile,
              const union tegra_instruction *instruction)
{
   struct decompile_writes writes =
      decompile_instruction_writes(decompile, instruction, TEGRA_VECTOR);
   struct tegra_operand operand = tegra_isa_get_source(instruction, TEGRA_RA);
   bool is_sum = instruction->v_op == TEGRA_VECTOR_ARA;

   for (unsigned i = 0; i < 4; i++) {
      int32_t least = INT32_MIN, most = INT32_MAX;

      if (!tegra_mask_has(writes.address, i))
         continue;
      if (!is_sum && known_address(decompile, instruction, i, &least))
         most = least;
      else if (!is_sum && operand.absolute && !operand.negate)
         least = 0;
      decompile->least_address[i] =
         tg_min_i32(decompile->least_address[i], least);
      decompile->most_address[i] = tg_max_i32(decompile->most_address[i], most);
   }
}

/* Which condition registers are written: that some are may be why others are.
 */
static void
learn_conditions(struct decompile *decompile)
{
   bool has_changed = true;

   while (has_changed) {
      has_changed = false;
      for (uint32_t i = 0; i < decompile->num_instructions; i++) {
         const union tegra_instruction *instruction =
            &decompile->instructions[i];
         bool *sets = &decompile->sets_condition[instruction->cr];

         for (unsigned u = 0; u < TEGRA_NUM_UNITS && !*sets; u++) {
            *sets = decompile_instruction_writes(decompile, instruction, u)
                       .condition;
            has_changed |= *sets;
         }
      }
   }
}

static void
learn_registers(struct decompile *decompile,
                const union tegra_instruction *instruction)
{
   for (unsigned u = 0; u < TEGRA_NUM_UNITS; u++) {
      struct decompile_writes writes =
         decompile_instruction_writes(decompile, instruction, u);

      for (unsigned r = decompile->num_registers; r < TG_TEGRA_NUM_TEMPORARIES;
           r++) {
         if ((writes.temporary && writes.rd == r) ||
             decompile_operand_components(instruction, u, TEGRA_TEMPORARY,
                                          writes.mask, (int)r))
            decompile->num_registers = (uint8_t)(r + 1);
      }
   }
}

void
decompile_learn_flow(struct decompile *decompile)
{
   learn_conditions(decompile);
   for (uint32_t i = 0; i < decompile->num_instructions; i++)
      learn_address(decompile, &decompile->instructions[i]);
   for (uint32_t i = 0; i < decompile->num_instructions; i++)
      learn_registers(decompile, &decompile->instructions[i]);
}

/* ---- where instructions lead --------------------------------------------- */

struct decompile_exits
decompile_flow_exits(const struct decompile *decompile, uint32_t number)
{
   assert(number < TG_LENGTH(decompile->instructions));
   const union tegra_instruction *instruction =
      &decompile->instructions[number];
   struct decompile_exits exits = {
      .effect = tegra_opcodes[TEGRA_SCALAR][instruction->s_op].effect,
      .when = decompile_predicate_jumps(decompile, instruction),
      .jump = DECOMPILE_ABORTS,
      .after = DECOMPILE_ABORTS,
      .next = DECOMPILE_ABORTS,
   };

   if (tegra_isa_fault(instruction) != TG_TEGRA_ENDED) {
      exits.when = DECOMPILE_NEVER;
      return exits;
   }
   if (number + 1 < decompile->num_instructions)
      exits.after = (int)number + 1;
   exits.next = instruction->end ? DECOMPILE_ENDS : exits.after;
   if (instruction->rc_swz < decompile->num_instructions)
      exits.jump = instruction->rc_swz;
   return exits;
}

void
decompile_for_each_flow_exit(const struct decompile *decompile, uint32_t number,
                             void (*visit)(void *user, int exit), void *user)
{
   struct decompile_exits exits = decompile_flow_exits(decompile, number);

   if (exits.when != DECOMPILE_ALWAYS)
      visit(user, exits.next);
   if (exits.when == DECOMPILE_NEVER)
      return;
   if (exits.effect != TEGRA_EFFECT_RETURN) {
      visit(user, exits.jump);
      return;
   }
   for (uint32_t i = 0; i < decompile->num_instructions; i++) {
      struct decompile_exits call = decompile_flow_exits(decompile, i);

      if (call.effect == TEGRA_EFFECT_CALL && call.when != DECOMPILE_NEVER)
         visit(user, call.after);
   }
   if (!decompile->is_structured)
      visit(user, DECOMPILE_ABORTS);
}

/* ---- ends ---------------------------------------------------------------- */

struct walk {
   struct decompile *decompile;
   uint32_t waiting[TG_TEGRA_MAX_INSTRUCTIONS];
   uint32_t num_waiting;
};

static void
reach(void *user, int exit)
{
   struct walk *walk = user;

   walk->decompile->ends |= exit == DECOMPILE_ENDS;
   if (exit < 0 || walk->decompile->is_reached[exit])
      return;
   walk->decompile->is_reached[exit] = true;
   walk->waiting[walk->num_waiting++] = (uint32_t)exit;
}

static void
find_reached(struct decompile *decompile)
{
   struct walk walk = {.decompile = decompile};

   reach(&walk, 0);
   while (walk.num_waiting)
      decompile_for_each_flow_exit(decompile, walk.waiting[--walk.num_waiting],
                                   reach, &walk);
}

/* The stack of a program that is followed as long as nothing decides where it
 * goes: numbers of instructions, or -1 for an address vector. */
struct follow {
   int entries[TG_TEGRA_STACK_DEPTH];
   unsigned depth;
   enum tg_tegra_end end; /* TG_TEGRA_ENDED: nothing is wrong */
};

static void
push(struct follow *follow, int entry)
{
   if (follow->depth == TG_TEGRA_STACK_DEPTH)
      follow->end = TG_TEGRA_STACK_OVERFLOW;
   else
      follow->entries[follow->depth++] = entry;
}

static int
pop(struct follow *follow, bool is_address_vector)
{
   if (follow->depth == 0) {
      follow->end = TG_TEGRA_STACK_UNDERFLOW;
      return -1;
   }
   int entry = follow->entries[--follow->depth];

   if ((entry == -1) != is_address_vector)
      follow->end = TG_TEGRA_STACK_MISMATCH;
   return entry;
}

/* Goes on to the next instruction, or returns a special exit. */
static int
follow_step(const struct decompile *decompile, struct follow *follow,
            uint32_t number)
{
   assert(number < TG_LENGTH(decompile->instructions));
   const union tegra_instruction *instruction =
      &decompile->instructions[number];
   struct decompile_exits exits = decompile_flow_exits(decompile, number);
   enum tegra_effect effect = decompile_instruction_stack_effect(instruction);

   follow->end = tegra_isa_fault(instruction);
   if (follow->end != TG_TEGRA_ENDED)
      return DECOMPILE_ABORTS;
   if (exits.when == DECOMPILE_SOMETIMES ||
       decompile_instruction_may_abort(decompile, instruction))
      return DECOMPILE_ENDS;
   if (effect == TEGRA_EFFECT_PUSH)
      push(follow, -1);
   if (effect == TEGRA_EFFECT_POP)
      pop(follow, true);
   if (exits.when == DECOMPILE_ALWAYS) {
      if (exits.effect == TEGRA_EFFECT_CALL)
         push(follow, exits.after);
      exits.next =
         exits.effect == TEGRA_EFFECT_RETURN ? pop(follow, false) : exits.jump;
   }
   if (exits.next == DECOMPILE_ABORTS && follow->end == TG_TEGRA_ENDED)
      follow->end = TG_TEGRA_RAN_OFF;
   return follow->end == TG_TEGRA_ENDED ? exits.next : DECOMPILE_ABORTS;
}

static enum tg_result
refuse(struct decompile *decompile, uint32_t number, const char *message)
{
   assert(number < TG_LENGTH(decompile->program->positions));
   tg_diagnose(decompile->diagnostics, TG_SEVERITY_ERROR, "never-ends",
               &decompile->program->source,
               decompile->program->positions[number],
               "what never ends well has no form in TGSI", "%s", message);
   return TG_ERROR_UNSUPPORTED;
}

enum tg_result
decompile_check_flow_ends(struct decompile *decompile)
{
   enum { MOST_STEPS = 65536 };
   struct follow follow = {.end = TG_TEGRA_ENDED};
   int at = 0;

   for (unsigned i = 0; i < MOST_STEPS && at >= 0; i++) {
      uint32_t number = (uint32_t)at;

      at = follow_step(decompile, &follow, number);
      if (at == DECOMPILE_ABORTS)
         return refuse(decompile, number,
                       decompile_text_format(
                          "instruction %u always ends the program: %s",
                          (unsigned)number, tg_tegra_end_name(follow.end))
                          .text);
   }
   find_reached(decompile);
   if (at >= 0 || !decompile->ends)
      return refuse(decompile, 0,
                    "no way through the program leads to its end");
   return TG_OK;
}
