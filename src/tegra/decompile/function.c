/* SPDX-License-Identifier: MIT
 *
 * Function discovery: the main part, and what calls lead to. A subroutine
 * returns on every path through it with the stack as it was, and nothing in it
 * ends the program. The depth of the stack is then known at each instruction.
 */
#include "tegra/decompile/function.h"

#include <assert.h>

#include "util/length.h"

static struct decompile_function *
add_function(struct decompile_functions *functions, uint32_t entry,
             bool is_main)
{
   struct decompile *decompile = functions->decompile;

   if (!tg_arena_reserve(&decompile->arena, (void **)&functions->items,
                         &functions->capacity, functions->count,
                         sizeof(*functions->items))) {
      decompile->out_of_memory = true;
      functions->failed = true;
      return NULL;
   }
   struct decompile_function *function = &functions->items[functions->count++];
   *function = (struct decompile_function){
      .entry = entry, .is_main = is_main, .is_stale = true};
   return function;
}

struct decompile_function *
decompile_find_function(struct decompile_functions *functions, int entry)
{
   for (uint32_t i = 1; i < functions->count; i++) {
      if (functions->items[i].entry == (uint32_t)entry)
         return &functions->items[i];
   }
   return add_function(functions, (uint32_t)entry, false);
}

/* A path through a function that is still to be followed. */
struct visit {
   struct decompile_functions *functions;
   uint32_t function;
   uint32_t stack[TG_TEGRA_MAX_INSTRUCTIONS];
   uint32_t num_waiting;
};

static struct decompile_function *
visited(struct visit *visit)
{
   return &visit->functions->items[visit->function];
}

/* What a subroutine cannot do. */
static void
leave_program(struct visit *visit)
{
   visit->functions->failed |= !visited(visit)->is_main;
}

static void
visit_next(struct visit *visit, int next, int pushed)
{
   int8_t *known = next < 0 ? NULL : &visited(visit)->pushed[next];

   if (!known) {
      leave_program(visit);
   } else if (*known < 0) {
      *known = (int8_t)pushed;
      visit->stack[visit->num_waiting++] = (uint32_t)next;
   } else {
      visit->functions->failed |= *known != pushed;
   }
}

static void
visit_call(struct visit *visit, const struct decompile_exits *exits, int pushed)
{
   const struct decompile_function *caller = visited(visit);
   unsigned depth = caller->depth + (unsigned)pushed + 1;
   unsigned vectors = caller->vectors + (unsigned)pushed;

   if (exits->jump < 0 || depth > TG_TEGRA_STACK_DEPTH) {
      visit->functions->failed = true;
      return;
   }
   struct decompile_function *called =
      decompile_find_function(visit->functions, exits->jump);
   if (!called)
      return;
   if (called->depth < depth || called->vectors < vectors) {
      called->depth = called->depth < depth ? depth : called->depth;
      called->vectors = called->vectors < vectors ? vectors : called->vectors;
      called->is_stale = true;
   }
   visit_next(visit, exits->after, pushed);
}

/* Of the main part a RET is the end, since the stack has nothing to return to;
 * but then the rest of the instruction does not happen. */
static void
visit_return(struct visit *visit, enum decompile_when when, int pushed)
{
   if (visited(visit)->is_main ? when == DECOMPILE_SOMETIMES : pushed != 0)
      visit->functions->failed = true;
}

static void
visit_instruction(struct visit *visit, uint32_t number)
{
   const struct decompile *decompile = visit->functions->decompile;
   assert(number < TG_LENGTH(decompile->instructions));
   const union tegra_instruction *instruction =
      &decompile->instructions[number];
   struct decompile_exits exits = decompile_flow_exits(decompile, number);
   enum tegra_effect effect = decompile_instruction_stack_effect(instruction);
   int pushed = visited(visit)->pushed[number];

   if (tegra_isa_fault(instruction) != TG_TEGRA_ENDED) {
      leave_program(visit);
      return;
   }
   if (decompile_instruction_may_abort(decompile, instruction))
      leave_program(visit);
   pushed += effect == TEGRA_EFFECT_PUSH  ? 1
             : effect == TEGRA_EFFECT_POP ? -1
                                          : 0;
   if (pushed < 0 ||
       visited(visit)->depth + (unsigned)pushed > TG_TEGRA_STACK_DEPTH) {
      visit->functions->failed = true;
      return;
   }
   if (exits.when != DECOMPILE_ALWAYS)
      visit_next(visit, exits.next, pushed);
   if (exits.when == DECOMPILE_NEVER)
      return;
   if (exits.effect == TEGRA_EFFECT_CALL)
      visit_call(visit, &exits, pushed);
   else if (exits.effect == TEGRA_EFFECT_RETURN)
      visit_return(visit, exits.when, pushed);
   else
      visit_next(visit, exits.jump, pushed);
}

static void
visit_function(struct decompile_functions *functions, uint32_t index)
{
   struct visit visit = {.functions = functions, .function = index};
   struct decompile_function *function = &functions->items[index];

   function->is_stale = false;
   for (uint32_t i = 0; i < TG_TEGRA_MAX_INSTRUCTIONS; i++)
      function->pushed[i] = -1;
   visit_next(&visit, (int)function->entry, 0);
   while (visit.num_waiting && !functions->failed)
      visit_instruction(&visit, visit.stack[--visit.num_waiting]);
}

/* Calls make functions deeper until none changes; what calls itself gets too
 * deep. */
void
decompile_find_functions(struct decompile_functions *functions)
{
   bool has_changed = true;

   add_function(functions, 0, true);
   while (has_changed && !functions->failed) {
      has_changed = false;
      for (uint32_t i = 0; i < functions->count && !functions->failed; i++) {
         if (!functions->items[i].is_stale)
            continue;
         visit_function(functions, i);
         has_changed = true;
      }
   }
}
