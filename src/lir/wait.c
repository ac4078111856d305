/* SPDX-License-Identifier: MIT
 *
 * Spin loops (busy waiting): can lanes leave a loop, or stay in it, by what
 * other waves write? Data flow analysis, without regard to order: what depends
 * on memory that waves share, in its words or because such a word decides
 * whether it is computed, until nothing is added.
 */
#include <string.h>

#include "lir/passes.h"

/* Walks over the module; more are not worth the time. */
enum { MAX_WALKS = 16 };

/* A construct that is open. */
struct level {
   bool is_loop;
   bool is_decided; /* shared words decide which lanes are in it */
};

struct finder {
   const struct lir_function *function;
   bool *values; /* that depend on shared words */
   bool *vars;
   bool lanes; /* and arrays and outputs, all of them together */
   struct level levels[LIR_MAX_LEVELS + 1]; /* [0]: the function */
   uint32_t level;
   bool has_changed, may_wait;
};

static bool
is_access(const struct lir_inst *inst)
{
   return lir_op_row(inst->op)->imm == LIR_IMM_MEM &&
          inst->op != LIR_OP_memsize;
}

/* Loops that only another wave can end have both. Calls may do anything. */
static bool
has_all_it_takes(const struct lir_module *module)
{
   bool has_loops = false, reads = false, writes = false;

   for (uint32_t k = 0; k < module->num_functions; k++) {
      const struct lir_function *function = &module->functions[k];

      for (uint32_t i = 0; i < function->num_insts; i++) {
         const struct lir_inst *inst = &function->insts[i];
         const struct lir_op_info *row = lir_op_row(inst->op);

         has_loops |= inst->op == LIR_OP_loop || inst->op == LIR_OP_call;
         if (is_access(inst) && lir_space_is_shared(lir_mem_space(inst->imm))) {
            reads |= row->type != LIR_TYPE_V;
            writes |= (row->flags & LIR_FLAG_WRITE) != 0;
         }
      }
   }
   return has_loops && reads && writes;
}

static bool
has_calls(const struct lir_module *module)
{
   for (uint32_t k = 0; k < module->num_functions; k++) {
      const struct lir_function *function = &module->functions[k];

      for (uint32_t i = 0; i < function->num_insts; i++) {
         if (function->insts[i].op == LIR_OP_call)
            return true;
      }
   }
   return false;
}

/* The innermost construct that is decided; UINT32_MAX: none is. */
static uint32_t
find_decided(const struct finder *finder)
{
   for (uint32_t i = finder->level + 1; i-- > 0;) {
      if (finder->levels[i].is_decided)
         return i;
   }
   return UINT32_MAX;
}

static void
mark(struct finder *finder, bool *flag)
{
   finder->has_changed |= !*flag;
   *flag = true;
}

/* Lanes leave constructs, down to `to`. What follows in it is for those that
 * stay, which are in none of those around it that are loops. */
static void
leave(struct finder *finder, uint32_t to)
{
   const uint32_t decided = find_decided(finder);

   if (decided == UINT32_MAX || decided <= to)
      return;
   for (uint32_t i = to; i < decided; i++)
      finder->may_wait |= finder->levels[i].is_loop;
   finder->levels[to].is_decided = true;
}

static bool
depends(const struct finder *finder, const struct lir_inst *inst)
{
   for (unsigned k = 0; k < lir_op_row(inst->op)->num_operands; k++) {
      if (finder->values[inst->operand[k].index])
         return true;
   }
   return false;
}

/* Of a value, or of what is written: where which lanes are active depends on
 * them, so do writes, and what lanes have of others. */
static bool
depends_on_shared(struct finder *finder, const struct lir_inst *inst)
{
   const struct lir_op_info *row = lir_op_row(inst->op);

   if (depends(finder, inst) || inst->op == LIR_OP_live)
      return true;
   if (row->imm == LIR_IMM_VAR && finder->vars[inst->imm])
      return true;
   if (is_access(inst) && row->type != LIR_TYPE_V &&
       (lir_space_is_shared(lir_mem_space(inst->imm)) ||
        (!lir_space_is_read_only(lir_mem_space(inst->imm)) && finder->lanes)))
      return true;
   return row->flags & (LIR_FLAG_CROSS | LIR_FLAG_WRITE) &&
          find_decided(finder) != UINT32_MAX;
}

static void
look_at(struct finder *finder, uint32_t index)
{
   const struct lir_inst *inst = &finder->function->insts[index];
   const struct lir_op_info *row = lir_op_row(inst->op);
   const bool is_shared_word = depends_on_shared(finder, inst);

   if (inst->op == LIR_OP_else)
      return;
   if (inst->op == LIR_OP_br)
      leave(finder, (uint32_t)inst->imm);
   if (row->flags & LIR_FLAG_CLOSE)
      finder->level--;
   if (row->flags & LIR_FLAG_OPEN)
      finder->levels[++finder->level] = (struct level){
         .is_loop = inst->op == LIR_OP_loop,
         .is_decided = inst->op == LIR_OP_if && depends(finder, inst),
      };
   if (!is_shared_word)
      return;
   finder->values[index] = true;
   if (row->imm == LIR_IMM_VAR && row->type == LIR_TYPE_V)
      mark(finder, &finder->vars[inst->imm]);
   if (is_access(inst) && row->type == LIR_TYPE_V)
      mark(finder, &finder->lanes);
}

static void
walk(struct finder *finder)
{
   finder->has_changed = false;
   finder->level = 0;
   finder->levels[0] = (struct level){0};
   for (uint32_t i = 0; i < finder->function->num_insts; i++)
      look_at(finder, i);
}

static enum tg_result
find_wait(const struct lir_module *module, struct tg_arena *arena,
          bool *may_wait_out)
{
   struct finder *finder = tg_arena_alloc(arena, sizeof(*finder));

   if (!finder)
      return TG_ERROR_MEMORY;
   *finder = (struct finder){.function = &module->functions[0]};
   finder->vars = tg_arena_array(arena, module->num_vars, sizeof(bool));
   finder->values =
      tg_arena_array(arena, finder->function->num_insts, sizeof(bool));
   if (!finder->vars || !finder->values)
      return TG_ERROR_MEMORY;
   finder->has_changed = true;
   for (unsigned i = 0;
        i < MAX_WALKS && finder->has_changed && !finder->may_wait; i++)
      walk(finder);
   *may_wait_out = finder->has_changed || finder->may_wait;
   return TG_OK;
}

enum tg_result
lir_find_waits(const struct lir_module *module, bool *may_wait_out)
{
   struct tg_arena arena;

   *may_wait_out = has_all_it_takes(module);
   if (!*may_wait_out || has_calls(module))
      return TG_OK;
   tg_arena_init(&arena, module->arena.allocator);
   const enum tg_result result = find_wait(module, &arena, may_wait_out);
   tg_arena_finish(&arena);
   return result;
}
