/* SPDX-License-Identifier: MIT
 *
 * Writes to variables that make no difference: those that the same lanes write
 * again before anybody reads the variable, and those after which nobody reads
 * it at all. A write in all lanes is only the second kind.
 *
 * The first kind is found walking backward. All lanes that run an instruction
 * come to a later one if its scope is the same or lies around it, unless they
 * leave (br) or repeat (the end of a loop) in between. Reads in between undo
 * what is known of the variable, calls that of those that their callees may
 * read.
 */
#include <assert.h>

#include "lir/calls.h"
#include "lir/passes.h"
#include "lir/rewrite.h"

#define NOWHERE UINT32_MAX

/* What is known of a variable, walking backward. */
struct future {
   uint32_t written_at; /* no read before this write, or NOWHERE */
   uint16_t level;      /* of the scope of that write */
   bool is_read;        /* somewhere after */
};

struct sweeper {
   struct lir_calls calls;
   struct future *future; /* for each variable */
   uint32_t *last_read;   /* for each variable, walking forward */

   /* About the function that is rewritten: */
   struct lir_rewrite *rewrite;
   bool *loops;    /* of a setvar: a loop around it reads the variable above it;
                    * of an end: it closes a loop */
   bool runs_once; /* nobody reads anything after the end */
   uint32_t level;
   uint32_t scope_end[LIR_MAX_LEVELS]; /* of each open scope */
   uint32_t next_leave;                /* br or end of a loop */
   struct lir_met_calls met;
};

/* ---- reads above, in loops ----------------------------------------------- */

static void
forget_variables(struct sweeper *sweeper)
{
   const struct lir_function *function = sweeper->rewrite->function;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      if (lir_op_row(inst->op)->imm != LIR_IMM_VAR)
         continue;
      /* The end of all is as good as a write. */
      sweeper->future[inst->imm] = (struct future){
         .written_at = sweeper->runs_once ? function->num_insts : NOWHERE,
         .is_read = !sweeper->runs_once,
      };
      sweeper->last_read[inst->imm] = 0;
   }
}

static void
look_at_variable(struct sweeper *sweeper, uint32_t index, uint32_t loop)
{
   assert(index < sweeper->rewrite->function->num_insts);
   const struct lir_inst *inst = &sweeper->rewrite->function->insts[index];
   uint32_t *last_read = &sweeper->last_read[inst->imm];
   const uint32_t last_call =
      lir_met_calls_last(&sweeper->met, sweeper->calls.readers[inst->imm]);

   if (last_call > *last_read)
      *last_read = last_call;
   if (lir_op_row(inst->op)->flags & LIR_FLAG_WRITE)
      sweeper->loops[index] = loop && *last_read > loop;
   else
      *last_read = index;
}

/* Fills in `loops`. */
static void
look_for_loops(struct sweeper *sweeper)
{
   const struct lir_function *function = sweeper->rewrite->function;
   uint32_t *opened_by = sweeper->scope_end; /* for each level, for now */
   uint32_t outermost = 0;                   /* loop that is open, or 0 */
   uint32_t level = 0;

   lir_met_calls_init(&sweeper->met, 0);
   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];
      const struct lir_op_info *info = lir_op_row(inst->op);

      if (inst->op == LIR_OP_call) {
         lir_met_calls_pass(&sweeper->met, &sweeper->calls, inst, i);
      } else if (inst->op == LIR_OP_end) {
         uint32_t opener = opened_by[level--];

         sweeper->loops[i] = function->insts[opener].op == LIR_OP_loop;
         if (opener == outermost)
            outermost = 0;
      } else if (inst->op != LIR_OP_else && (info->flags & LIR_FLAG_OPEN)) {
         opened_by[++level] = i;
         if (inst->op == LIR_OP_loop && !outermost)
            outermost = i;
      } else if (info->imm == LIR_IMM_VAR) {
         look_at_variable(sweeper, i, outermost);
      }
   }
}

/* ---- the walk backward --------------------------------------------------- */

/* The next call of what may read a variable, or NOWHERE. */
static uint32_t
find_reading_call(const struct sweeper *sweeper, uint32_t var)
{
   return lir_met_calls_next(&sweeper->met, sweeper->calls.readers[var]);
}

static bool
is_overwritten(const struct sweeper *sweeper, uint32_t var)
{
   const struct future *future = &sweeper->future[var];

   if (future->written_at == NOWHERE || future->level > sweeper->level ||
       future->written_at > sweeper->scope_end[future->level])
      return false;
   if (find_reading_call(sweeper, var) < future->written_at)
      return false;
   return future->written_at < sweeper->next_leave;
}

static bool
is_read_later(const struct sweeper *sweeper, uint32_t var, uint32_t index)
{
   return sweeper->future[var].is_read || sweeper->loops[index] ||
          find_reading_call(sweeper, var) != NOWHERE;
}

static void
sweep_write(struct sweeper *sweeper, uint32_t index)
{
   const struct lir_inst *inst = &sweeper->rewrite->function->insts[index];
   const uint32_t var = (uint32_t)inst->imm;
   const bool is_overwritten_there =
      inst->op != LIR_OP_putvar32 && is_overwritten(sweeper, var);

   if (is_overwritten_there || !is_read_later(sweeper, var, index)) {
      lir_rewrite_drop(sweeper->rewrite, index);
      return;
   }
   sweeper->future[var].written_at = index;
   sweeper->future[var].level = (uint16_t)sweeper->level;
}

static void
sweep_read(struct sweeper *sweeper, uint32_t var)
{
   sweeper->future[var].written_at = NOWHERE;
   sweeper->future[var].is_read = true;
}

static void
sweep_control(struct sweeper *sweeper, uint32_t index,
              const struct lir_inst *inst)
{
   const struct lir_op_info *info = lir_op_row(inst->op);

   if (info->flags & LIR_FLAG_OPEN)
      sweeper->level--;
   if (info->flags & LIR_FLAG_CLOSE)
      sweeper->scope_end[++sweeper->level] = index;
   if (inst->op == LIR_OP_call)
      lir_met_calls_pass(&sweeper->met, &sweeper->calls, inst, index);
   if (inst->op == LIR_OP_br || sweeper->loops[index])
      sweeper->next_leave = index;
}

static void
sweep_instruction(struct sweeper *sweeper, uint32_t index)
{
   assert(index < sweeper->rewrite->function->num_insts);
   const struct lir_inst *inst = &sweeper->rewrite->function->insts[index];
   const struct lir_op_info *info = lir_op_row(inst->op);

   if (info->flags & LIR_FLAG_CONTROL)
      sweep_control(sweeper, index, inst);
   else if (info->imm == LIR_IMM_VAR && (info->flags & LIR_FLAG_WRITE))
      sweep_write(sweeper, index);
   else if (info->imm == LIR_IMM_VAR)
      sweep_read(sweeper, (uint32_t)inst->imm);
}

static bool
sweep_function(struct lir_rewrite *rewrite, void *user)
{
   uint32_t num_insts = rewrite->function->num_insts;
   struct sweeper *sweeper = user;

   sweeper->rewrite = rewrite;
   sweeper->runs_once =
      lir_calls_only_once(&sweeper->calls, rewrite->function_index);
   sweeper->level = 0;
   sweeper->next_leave = NOWHERE;
   sweeper->loops = tg_arena_array(rewrite->scratch, num_insts, sizeof(bool));
   if (!sweeper->loops)
      return false;
   forget_variables(sweeper);
   look_for_loops(sweeper);
   lir_met_calls_init(&sweeper->met, NOWHERE);
   sweeper->scope_end[0] = num_insts;
   for (uint32_t i = num_insts; i-- > 0;)
      sweep_instruction(sweeper, i);
   return true;
}

enum tg_result
lir_pass_dead_store(struct lir_module *module, bool *changed_out)
{
   enum tg_result result = TG_ERROR_MEMORY;
   struct sweeper sweeper;
   struct tg_arena arena;

   tg_arena_init(&arena, module->arena.allocator);
   sweeper.future =
      tg_arena_array(&arena, module->num_vars, sizeof(*sweeper.future));
   sweeper.last_read =
      tg_arena_array(&arena, module->num_vars, sizeof(*sweeper.last_read));
   if (sweeper.future && sweeper.last_read &&
       lir_calls_init(&sweeper.calls, &arena, module))
      result =
         lir_rewrite_module(module, sweep_function, &sweeper, changed_out);
   tg_arena_finish(&arena);
   return result;
}
