/* SPDX-License-Identifier: MIT
 *
 * Explicit derivatives that TXD does not take, of three coordinates or beside a
 * comparison, by quad operations. The threads of a quad look up for each other,
 * one thread at a time: each has the coordinates of that thread, its neighbours
 * moved by that thread's derivatives, so that the differences in the quad are
 * these.
 *
 *    0 s          1 s + dx          for thread 0; for thread 3
 *    2 s + dy     3 s + dx + dy     it is 0 s - dx - dy, and so on
 *
 * The thread at home, which has s itself, looks up what is wanted. That is the
 * thread that it is for, and its result stays there; but of a cube it is always
 * the one at the lower left, so that it does not matter whether the differences
 * are seen from its face or from each thread's own, and the result is sent
 * home.
 *
 * All threads of the quads take part, also those that flow has left out. What
 * is written here is so in them, too, where it may lie over values that they
 * will read: such values get registers of their own.
 */
#include "maxwell/lower/plan.h"

#include <assert.h>

enum { MAXWELL_LOWER_LEFT = 2 };

static bool
is_cube(const struct maxwell_lower_plan *plan)
{
   return tg_target_row(plan->target)->plain == TG_TARGET_CUBE ||
          tg_target_row(plan->target)->plain == TG_TARGET_CUBE_ARRAY;
}

/* The thread of the quad that has the coordinates of a thread as they are. */
static unsigned
home_of(const struct maxwell_lower_plan *plan, unsigned lane)
{
   return is_cube(plan) ? MAXWELL_LOWER_LEFT : lane;
}

unsigned
maxwell_lower_quad_base(const struct maxwell_lower_plan *plan)
{
   return plan->is_in_quad ? home_of(plan, 0) : 0;
}

bool
maxwell_lower_quad_may_be_elsewhere(const struct tg_maxwell_lowering *lowering,
                                    uint32_t at)
{
   const struct tg_shader *shader = lowering->shader;

   if (lowering->flow.num_subroutines != 0 ||
       lowering->flow.nodes[at].parent != TG_NO_INSTRUCTION)
      return true;
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      enum tg_flow flow = tg_opcode_row(shader->instructions[i].opcode)->flow;

      if (flow == TG_FLOW_BRANCH || (flow == TG_FLOW_RETURN && i < at) ||
          (flow == TG_FLOW_END && i < at))
         return true;
   }
   return false;
}

/* ---- operands ------------------------------------------------------------ */

/* Has the value the same bits in all threads? */
static bool
is_constant(const struct maxwell_lower_plan *plan, uint32_t value)
{
   assert(value < plan->lowering->num_values);
   unsigned kind = plan->lowering->values[value].kind;

   return kind == MAXWELL_LOWER_CONSTANT || kind == MAXWELL_LOWER_WORD;
}

/* A new value that is written for each thread. */
static uint32_t
fresh_for_each(struct maxwell_lower_plan *plan)
{
   uint32_t value = maxwell_lower_fresh_operand(plan);

   if (value != MAXWELL_LOWER_NONE) {
      plan->lowering->values[value].num_definitions = 2;
      plan->lowering->values[value].definition = plan->fetch->at;
   }
   return value;
}

/* Finds the derivatives of a coordinate but for those that are 0. False when
 * out of memory. */
static bool
find_derivatives(struct maxwell_lower_plan *plan, unsigned coordinate,
                 uint32_t derivative[2])
{
   for (unsigned axis = 0; axis < 2; axis++) {
      unsigned src = plan->row->derivative + axis;

      if (maxwell_lower_operand_is_zero(plan, src, coordinate))
         continue;
      derivative[axis] = maxwell_lower_source_operand(plan, src, coordinate);
      if (derivative[axis] == MAXWELL_LOWER_NONE)
         return false;
   }
   return true;
}

/* What is no coordinate matters only in the thread at home. */
uint32_t
maxwell_lower_quad_operand(struct maxwell_lower_plan *plan,
                           enum maxwell_operand operand)
{
   struct maxwell_lower_carried carried = {
      .derivative = {MAXWELL_LOWER_NONE, MAXWELL_LOWER_NONE}};
   bool is_coordinate =
      operand >= MAXWELL_OPERAND_S && operand <= MAXWELL_OPERAND_R;

   carried.value = maxwell_lower_operand(plan, operand);
   if (carried.value == MAXWELL_LOWER_NONE ||
       (!is_coordinate && !is_cube(plan)))
      return carried.value;
   if (is_coordinate &&
       !find_derivatives(plan, operand - MAXWELL_OPERAND_S, carried.derivative))
      return MAXWELL_LOWER_NONE;
   if (is_constant(plan, carried.value) &&
       carried.derivative[0] == MAXWELL_LOWER_NONE &&
       carried.derivative[1] == MAXWELL_LOWER_NONE)
      return carried.value;
   carried.place = fresh_for_each(plan);
   plan->carried[plan->num_carried++] = carried;
   return carried.place;
}

/* ---- steps --------------------------------------------------------------- */

/* A value of one thread for all of its quad. */
static bool
spread(struct maxwell_lower_plan *plan, uint32_t dst, uint32_t src,
       unsigned lane)
{
   struct maxwell_lower_step step = {.kind = is_constant(plan, src)
                                                ? MAXWELL_LOWER_STEP_MOVE
                                                : MAXWELL_LOWER_STEP_SPREAD,
                                     .lane = (uint8_t)lane,
                                     .dst = dst,
                                     .src = src,
                                     .src2 = MAXWELL_LOWER_NONE};

   return maxwell_lower_plan_step(plan, step);
}

/* A thread on the other side of the quad adds the derivative, or subtracts it
 * if the thread at home is on the far side. */
static unsigned
signs_of(unsigned home, unsigned axis)
{
   unsigned side = 1u << axis, signs = 0;

   for (unsigned lane = 0; lane < MAXWELL_LOWER_QUAD; lane++) {
      unsigned sign = !((lane ^ home) & side) ? MAXWELL_LOWER_SIGNS_ZP
                      : home & side           ? MAXWELL_LOWER_SIGNS_NP
                                              : MAXWELL_LOWER_SIGNS_PP;

      signs |= sign << 2 * lane;
   }
   return signs;
}

/* Moves a coordinate along a derivative of one thread. */
static bool
shift(struct maxwell_lower_plan *plan, uint32_t place, uint32_t derivative,
      unsigned lane, unsigned axis, uint32_t scratch)
{
   struct maxwell_lower_step step = {
      .kind = MAXWELL_LOWER_STEP_SHIFT,
      .signs = (uint8_t)signs_of(home_of(plan, lane), axis),
      .dst = place,
      .src = derivative,
      .src2 = place};

   if (!is_constant(plan, derivative)) {
      step.src = scratch;
      if (!spread(plan, scratch, derivative, lane))
         return false;
   }
   return maxwell_lower_plan_step(plan, step);
}

/* Makes the operands of the fetch for one thread. */
static bool
carry(struct maxwell_lower_plan *plan, unsigned lane, uint32_t scratch)
{
   bool good = true;

   for (uint32_t i = 0; i < plan->num_carried; i++) {
      const struct maxwell_lower_carried *carried = &plan->carried[i];

      good &= spread(plan, carried->place, carried->value, lane);
      for (unsigned axis = 0; axis < 2; axis++) {
         if (carried->derivative[axis] != MAXWELL_LOWER_NONE)
            good &= shift(plan, carried->place, carried->derivative[axis], lane,
                          axis, scratch);
      }
   }
   return good;
}

bool
maxwell_lower_fetch_in_quad(struct maxwell_lower_plan *plan)
{
   uint32_t scratch = fresh_for_each(plan);
   bool good = scratch != MAXWELL_LOWER_NONE &&
               maxwell_lower_plan_bare_step(plan, MAXWELL_LOWER_STEP_SAVE, 0);

   plan->fetch->needs_killed = is_cube(plan);
   for (unsigned lane = 0; lane < MAXWELL_LOWER_QUAD && good; lane++)
      good = carry(plan, lane, scratch) &&
             maxwell_lower_plan_bare_step(plan, MAXWELL_LOWER_STEP_FETCH, lane);
   return good;
}

/* ---- results ------------------------------------------------------------- */

/* Puts a register of one thread's fetch into that of the base. */
static bool
keep(struct maxwell_lower_plan *plan, unsigned lane, uint32_t dst, uint32_t src)
{
   unsigned home = home_of(plan, lane);
   struct maxwell_lower_step step = {.kind = MAXWELL_LOWER_STEP_KEEP,
                                     .lanes = (uint8_t)(1u << lane),
                                     .dst = dst,
                                     .src = src,
                                     .src2 = MAXWELL_LOWER_NONE};

   return (home == lane || spread(plan, src, src, home)) &&
          maxwell_lower_plan_step(plan, step);
}

bool
maxwell_lower_keep_in_quad(struct maxwell_lower_plan *plan)
{
   const struct maxwell_lower_word *words = plan->fetch->words;
   unsigned base = maxwell_lower_quad_base(plan);
   bool good = true;

   for (unsigned lane = 0; lane < MAXWELL_LOWER_QUAD; lane++) {
      for (unsigned t = 0; t < 2 && lane != base; t++) {
         for (unsigned i = 0; i < words[lane].results[t].count; i++)
            good &= keep(plan, lane, words[base].results[t].value[i],
                         words[lane].results[t].value[i]);
      }
   }
   return good &&
          maxwell_lower_plan_bare_step(plan, MAXWELL_LOWER_STEP_RESTORE, 0);
}
