/* SPDX-License-Identifier: MIT
 *
 * Reachability: which instructions are executed, what may follow each, and the
 * rules on that.
 *
 * A program is followed as a set of subroutines, the main program being one, by
 * what stack.c and predicates.c know of each instruction: with each
 * stack that is possible there, over branches whose predicate can hold, and
 * past those whose predicate can fail. What reaches its return goes on after
 * those calls that came with the same stack. All this can only grow, so it
 * terminates.
 */
#include "tegra/check/check.h"

#include <assert.h>

#include "util/length.h"

/* ---- following a program ------------------------------------------------- */

enum {
   MAIN = 0,
   MAX_SUBROUTINES = TG_TEGRA_MAX_INSTRUCTIONS + 1,
};

struct subroutine {
   uint32_t entry;
   struct tegra_set pending; /* to be followed again */
   struct tegra_set calls;   /* entries of subroutines */
   unsigned exits;           /* bases with which it returns */
   uint32_t exit_conditions;
   /* Before each instruction. */
   struct tegra_stacks at[TG_TEGRA_MAX_INSTRUCTIONS];
};

struct flow {
   struct tegra_check *check;
   struct subroutine *subroutines[MAX_SUBROUTINES];
   uint32_t num_subroutines;
   bool has_failed; /* out of memory */
};

static uint32_t
target_of(const struct tegra_step *step)
{
   return step->instruction.rc_swz;
}

static struct subroutine *
add_subroutine(struct flow *flow, uint32_t entry)
{
   struct subroutine *subroutine =
      tg_arena_alloc(&flow->check->arena, sizeof(*subroutine));

   if (!subroutine) {
      flow->has_failed = true;
      return NULL;
   }
   subroutine->entry = entry;
   flow->subroutines[flow->num_subroutines++] = subroutine;
   return subroutine;
}

/* NULL when out of memory. */
static struct subroutine *
subroutine_at(struct flow *flow, uint32_t entry)
{
   for (uint32_t i = MAIN + 1; i < flow->num_subroutines; i++) {
      if (flow->subroutines[i]->entry == entry)
         return flow->subroutines[i];
   }
   return add_subroutine(flow, entry);
}

/* All that have got to an instruction follow it again. */
static void
follow_again(struct flow *flow, uint32_t number)
{
   for (uint32_t i = 0; i < flow->num_subroutines; i++) {
      struct subroutine *subroutine = flow->subroutines[i];

      assert(number < TG_LENGTH(subroutine->at));
      if (!tegra_stacks_is_empty(&subroutine->at[number]))
         tegra_set_add(&subroutine->pending, number);
   }
}

/* Execution gets from `from` to `to` with one of the stacks. */
static void
go(struct flow *flow, struct subroutine *subroutine, struct tegra_step *from,
   uint32_t to, const struct tegra_stacks *stacks, uint32_t conditions)
{
   if (tegra_stacks_is_empty(stacks))
      return;
   if (to >= flow->check->num_steps) {
      from->runs_off = true;
      return;
   }

   struct tegra_step *step = &flow->check->steps[to];
   for (unsigned i = 0; i <= TG_TEGRA_STACK_DEPTH; i++) {
      uint16_t *known = &subroutine->at[to].bases[i];

      if (stacks->bases[i] & ~*known)
         tegra_set_add(&subroutine->pending, to);
      *known |= stacks->bases[i];
   }
   if (conditions & ~step->conditions) {
      step->conditions |= conditions;
      follow_again(flow, to);
   }
}

static void
follow_call(struct flow *flow, struct subroutine *caller, uint32_t number,
            const struct tegra_stacks *stacks, uint32_t conditions)
{
   assert(number < flow->check->num_steps);
   struct tegra_step *step = &flow->check->steps[number];
   unsigned faults = 0;
   struct tegra_stacks entered = {
      {(uint16_t)tegra_stacks_call(stacks, &faults)}};

   if (target_of(step) >= flow->check->num_steps ||
       tegra_stacks_is_empty(&entered))
      return;

   struct subroutine *callee = subroutine_at(flow, target_of(step));
   if (!callee)
      return;
   tegra_set_add(&caller->calls, callee->entry);
   go(flow, callee, step, callee->entry, &entered, conditions);
   struct tegra_stacks after = tegra_stacks_after_call(stacks, callee->exits);
   go(flow, caller, step, number + 1, &after, callee->exit_conditions);
}

/* What comes back to the callers of a subroutine has become more. */
static void
follow_callers(struct flow *flow, uint32_t entry)
{
   for (uint32_t i = 0; i < flow->check->num_steps; i++) {
      const struct tegra_step *step = &flow->check->steps[i];

      if (tegra_step_has(step, TEGRA_EFFECT_CALL) && target_of(step) == entry)
         follow_again(flow, i);
   }
}

static void
follow_return(struct flow *flow, struct subroutine *subroutine,
              const struct tegra_stacks *stacks, uint32_t conditions)
{
   unsigned faults = 0;
   unsigned exits = tegra_stacks_return(stacks, &faults);

   if (!(exits & ~subroutine->exits) &&
       (!exits || !(conditions & ~subroutine->exit_conditions)))
      return;
   subroutine->exits |= exits;
   subroutine->exit_conditions |= conditions;
   follow_callers(flow, subroutine->entry);
}

/* Where execution goes from an instruction. */
static void
follow(struct flow *flow, struct subroutine *subroutine, uint32_t number)
{
   assert(number < flow->check->num_steps);
   struct tegra_step *step = &flow->check->steps[number];
   unsigned faults = 0;
   struct tegra_stacks stacks =
      tegra_stacks_move(step, &subroutine->at[number], &faults);
   uint32_t conditions = tegra_predicate_conditions(step);

   step->jumps = (uint8_t)tegra_predicate_jumps(step);
   step->writes = (uint8_t)tegra_predicate_may_write(step);
   if (step->jumps != TEGRA_NEVER) {
      if (tegra_step_has(step, TEGRA_EFFECT_CALL))
         follow_call(flow, subroutine, number, &stacks, conditions);
      else if (tegra_step_has(step, TEGRA_EFFECT_RETURN))
         follow_return(flow, subroutine, &stacks, conditions);
      else if (target_of(step) < flow->check->num_steps)
         go(flow, subroutine, step, target_of(step), &stacks, conditions);
   }
   if (step->jumps != TEGRA_ALWAYS && !step->instruction.end)
      go(flow, subroutine, step, number + 1, &stacks, conditions);
}

/* Follows what is pending in a subroutine, in order; false when nothing is. */
static bool
follow_pending(struct flow *flow, struct subroutine *subroutine)
{
   bool is_any = false;

   for (uint32_t i = 0; i < flow->check->num_steps && !flow->has_failed; i++) {
      if (!tegra_set_has(&subroutine->pending, i))
         continue;
      subroutine->pending.bits[i / 64] &= ~(UINT64_C(1) << i % 64);
      follow(flow, subroutine, i);
      is_any = true;
   }
   return is_any;
}

static void
follow_program(struct flow *flow)
{
   static const struct tegra_stacks empty = {{TEGRA_MAIN_BASE}};
   struct tegra_step *first = &flow->check->steps[0];
   struct subroutine *program = add_subroutine(flow, 0);

   if (!program)
      return;
   go(flow, program, first, 0, &empty, TEGRA_ALL_EQUAL);
   for (bool is_any = true; is_any;) {
      is_any = false;
      for (uint32_t i = 0; i < flow->num_subroutines; i++)
         is_any |= follow_pending(flow, flow->subroutines[i]);
   }
}

/* ---- what was found, of each instruction --------------------------------- */

/* The instructions that a subroutine returns to. */
static struct tegra_set
return_sites(const struct flow *flow, const struct subroutine *subroutine)
{
   const struct tegra_check *check = flow->check;
   struct tegra_set sites = {{0}};

   for (uint32_t i = 0; i + 1 < check->num_steps; i++) {
      const struct tegra_step *step = &check->steps[i];

      if (step->is_reached && step->jumps != TEGRA_NEVER &&
          tegra_step_has(step, TEGRA_EFFECT_CALL) &&
          target_of(step) == subroutine->entry)
         tegra_set_add(&sites, i + 1);
   }
   return sites;
}

static void
note_returns(const struct flow *flow, const struct subroutine *subroutine)
{
   struct tegra_set sites = return_sites(flow, subroutine);

   for (uint32_t i = 0; i < flow->check->num_steps; i++) {
      struct tegra_step *step = &flow->check->steps[i];

      if (tegra_stacks_is_empty(&subroutine->at[i]) ||
          step->jumps == TEGRA_NEVER ||
          !tegra_step_has(step, TEGRA_EFFECT_RETURN))
         continue;
      tegra_set_join(&step->successors, &sites);
   }
}

static void
note_successors(struct tegra_check *check, uint32_t number)
{
   assert(number < check->num_steps);
   struct tegra_step *step = &check->steps[number];

   if (step->jumps != TEGRA_ALWAYS && !step->instruction.end &&
       number + 1 < check->num_steps)
      tegra_set_add(&step->successors, number + 1);
   if (step->jumps != TEGRA_NEVER &&
       !tegra_step_has(step, TEGRA_EFFECT_RETURN) &&
       target_of(step) < check->num_steps)
      tegra_set_add(&step->successors, target_of(step));
}

static void
note_steps(const struct flow *flow)
{
   struct tegra_check *check = flow->check;

   for (uint32_t i = 0; i < flow->num_subroutines; i++) {
      for (uint32_t j = 0; j < check->num_steps; j++) {
         const struct tegra_stacks *before = &flow->subroutines[i]->at[j];

         if (tegra_stacks_is_empty(before))
            continue;
         check->steps[j].is_reached = true;
         tegra_stacks_note_faults(&check->steps[j], before);
      }
   }
   for (uint32_t i = 0; i < check->num_steps; i++) {
      if (check->steps[i].is_reached)
         note_successors(check, i);
   }
   for (uint32_t i = MAIN + 1; i < flow->num_subroutines; i++)
      note_returns(flow, flow->subroutines[i]);
}

/* The entries of what `entry` calls, of what that calls, and so on, and its
 * own. */
static struct tegra_set
called_in_turn(const struct flow *flow, uint32_t entry)
{
   struct tegra_set called = {{0}};
   bool is_more = true;

   tegra_set_add(&called, entry);
   while (is_more) {
      is_more = false;
      for (uint32_t i = MAIN + 1; i < flow->num_subroutines; i++) {
         const struct subroutine *subroutine = flow->subroutines[i];

         if (tegra_set_has(&called, subroutine->entry))
            is_more |= tegra_set_join(&called, &subroutine->calls);
      }
   }
   return called;
}

/* Recursion: a call whose subroutine reaches the call again. */
static void
note_recursion(const struct flow *flow)
{
   for (uint32_t i = 0; i < flow->check->num_steps; i++) {
      struct tegra_step *step = &flow->check->steps[i];

      if (!tegra_step_has(step, TEGRA_EFFECT_CALL) ||
          step->jumps == TEGRA_NEVER)
         continue;
      struct tegra_set called = called_in_turn(flow, target_of(step));
      for (uint32_t j = MAIN + 1; j < flow->num_subroutines; j++) {
         const struct subroutine *subroutine = flow->subroutines[j];

         if (!tegra_stacks_is_empty(&subroutine->at[i]) &&
             tegra_set_has(&called, subroutine->entry))
            step->is_recursive = true;
      }
   }
}

static bool
leads_out(const struct tegra_check *check, const struct tegra_step *step)
{
   return step->jumps != TEGRA_NEVER &&
          !tegra_step_has(step, TEGRA_EFFECT_RETURN) &&
          target_of(step) >= check->num_steps;
}

static bool
ends_badly(const struct tegra_check *check, const struct tegra_step *step)
{
   return step->runs_off || tegra_stacks_end_in_fault(step) ||
          leads_out(check, step);
}

/* Which instructions have a way to an end, good or bad. */
static void
note_ends(struct tegra_check *check)
{
   struct tegra_set ends = {{0}};

   for (bool is_more = true; is_more;) {
      is_more = false;
      for (uint32_t i = check->num_steps; i-- > 0;) {
         struct tegra_step *step = &check->steps[i];

         if (!step->is_reached || step->can_end)
            continue;
         step->can_end =
            (step->instruction.end && step->jumps != TEGRA_ALWAYS) ||
            ends_badly(check, step) ||
            tegra_set_meets(&step->successors, &ends);
         if (step->can_end) {
            tegra_set_add(&ends, i);
            is_more = true;
         }
      }
   }
}

static void
note_stray_flow(struct tegra_check *check)
{
   for (uint32_t i = 0; i < check->num_steps; i++) {
      const struct tegra_step *step = &check->steps[i];

      if (step->is_reached && (!step->can_end || ends_badly(check, step)))
         check->has_stray_flow = true;
   }
}

bool
tegra_check_flow(struct tegra_check *check)
{
   struct flow flow = {.check = check};

   follow_program(&flow);
   if (flow.has_failed)
      return false;
   note_steps(&flow);
   note_recursion(&flow);
   note_ends(check);
   note_stray_flow(check);
   return true;
}

/* ---- rules --------------------------------------------------------------- */

void
tegra_check_flow_of(struct tegra_check *check, uint32_t number)
{
   const struct tegra_step *step = &check->steps[number];
   struct tegra_text name = tegra_check_slot_text(step, TEGRA_SCALAR);
   uint32_t target = target_of(step);

   if (leads_out(check, step))
      tegra_check_report(check, number, TEGRA_FINDING_BAD_TARGET,
                         "%s %u leads out of the program, whose last "
                         "instruction is %u",
                         name.text, target, check->num_steps - 1);
   if (step->runs_off)
      tegra_check_report(check, number, TEGRA_FINDING_RUNS_OFF,
                         "execution goes on after the last instruction");
   if (!step->can_end && step->jumps != TEGRA_NEVER &&
       !tegra_step_has(step, TEGRA_EFFECT_RETURN) && target <= number)
      tegra_check_report(
         check, number, TEGRA_FINDING_ENDLESS,
         "%s %u closes a loop from which no way leads to an end", name.text,
         target);
   if (step->instruction.end && step->jumps != TEGRA_NEVER)
      tegra_check_report(check, number, TEGRA_FINDING_END_BESIDE_JUMP,
                         "the end bit stands beside %s", name.text);
}
