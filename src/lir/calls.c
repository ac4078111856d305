/* SPDX-License-Identifier: MIT
 *
 * Effects of calls on variables, from the transitive closure of the call graph
 * (Warshall, "A Theorem on Boolean Matrices", 1962) over classes of functions.
 */
#include "lir/calls.h"

/* The call graph. Bit k of a class's row: it may call what is of class k. */
struct graph {
   uint64_t calls[LIR_CALL_CLASSES];
};

/* ---- classes of functions ------------------------------------------------ */

static void
mark_callees(struct lir_calls *calls, const struct lir_function *function)
{
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (inst->op == LIR_OP_call)
         calls->class_of[inst->imm] = 0;
   }
}

static void
number_classes(struct lir_calls *calls, const struct lir_module *module)
{
   uint8_t next = 0;

   for (uint32_t i = 0; i < module->num_functions; i++)
      calls->class_of[i] = LIR_NOT_CALLED;
   for (uint32_t i = 0; i < module->num_functions; i++)
      mark_callees(calls, &module->functions[i]);
   for (uint32_t i = 0; i < module->num_functions; i++) {
      if (calls->class_of[i] == LIR_NOT_CALLED)
         continue;
      calls->class_of[i] = next;
      next += next < LIR_CALL_CLASSES - 1;
   }
}

/* ---- who calls whom ------------------------------------------------------ */

static void
add_calls(struct graph *graph, const struct lir_calls *calls,
          const struct lir_function *function, uint8_t caller)
{
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (inst->op == LIR_OP_call)
         graph->calls[caller] |= 1ull << calls->class_of[inst->imm];
   }
}

static void
close_graph(struct graph *graph)
{
   for (unsigned k = 0; k < LIR_CALL_CLASSES; k++) {
      for (unsigned i = 0; i < LIR_CALL_CLASSES; i++) {
         if (graph->calls[i] >> k & 1)
            graph->calls[i] |= graph->calls[k];
      }
   }
}

static void
make_graph(struct graph *graph, const struct lir_calls *calls,
           const struct lir_module *module)
{
   for (uint32_t i = 0; i < module->num_functions; i++) {
      if (calls->class_of[i] != LIR_NOT_CALLED)
         add_calls(graph, calls, &module->functions[i], calls->class_of[i]);
   }
   close_graph(graph);
}

/* A class, and those that may call it. */
static uint64_t
find_callers(const struct graph *graph, uint8_t callee)
{
   uint64_t callers = 1ull << callee;

   for (unsigned i = 0; i < LIR_CALL_CLASSES; i++)
      callers |= (graph->calls[i] >> callee & 1) << i;
   return callers;
}

/* ---- effects ------------------------------------------------------------- */

static void
note_effects(struct lir_calls *calls, const struct lir_function *function,
             uint64_t classes)
{
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (lir_op_row(inst->op)->imm != LIR_IMM_VAR)
         continue;
      if (lir_op_row(inst->op)->flags & LIR_FLAG_WRITE)
         calls->writers[inst->imm] |= classes;
      else
         calls->readers[inst->imm] |= classes;
   }
}

bool
lir_calls_init(struct lir_calls *calls, struct tg_arena *arena,
               const struct lir_module *module)
{
   struct graph graph = {0};

   calls->class_of =
      tg_arena_array(arena, module->num_functions, sizeof(uint8_t));
   calls->readers = tg_arena_array(arena, module->num_vars, sizeof(uint64_t));
   calls->writers = tg_arena_array(arena, module->num_vars, sizeof(uint64_t));
   if (!calls->class_of || !calls->readers || !calls->writers)
      return false;

   number_classes(calls, module);
   make_graph(&graph, calls, module);
   for (uint32_t i = 0; i < module->num_functions; i++) {
      if (calls->class_of[i] != LIR_NOT_CALLED)
         note_effects(calls, &module->functions[i],
                      find_callers(&graph, calls->class_of[i]));
   }
   return true;
}

/* ---- calls that a walk came by ------------------------------------------- */

void
lir_met_calls_init(struct lir_met_calls *met, uint32_t nowhere)
{
   for (unsigned i = 0; i < LIR_CALL_CLASSES; i++)
      met->at[i] = nowhere;
}

uint32_t
lir_met_calls_last(const struct lir_met_calls *met, uint64_t classes)
{
   uint32_t last = 0;

   for (; classes; classes &= classes - 1) {
      const uint32_t at = met->at[__builtin_ctzll(classes)];

      last = at > last ? at : last;
   }
   return last;
}

uint32_t
lir_met_calls_next(const struct lir_met_calls *met, uint64_t classes)
{
   uint32_t next = UINT32_MAX;

   for (; classes; classes &= classes - 1) {
      const uint32_t at = met->at[__builtin_ctzll(classes)];

      next = at < next ? at : next;
   }
   return next;
}
