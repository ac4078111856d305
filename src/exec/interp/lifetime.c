/* SPDX-License-Identifier: MIT
 *
 * Three walks over a function: one matches constructs, one follows uses, and
 * one goes backwards to see which variable is written next.
 */
#include "exec/interp/lifetime.h"

#include <assert.h>

/* Fills in `match` and `max_level`. */
static void
match_constructs(const struct lir_function *function,
                 struct interp_lifetimes *lifetimes)
{
   uint32_t open[LIR_MAX_LEVELS]; /* what opened, or its else */
   uint32_t opener[LIR_MAX_LEVELS];
   uint32_t level = 0;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      switch (function->insts[i].op) {
      case LIR_OP_block:
      case LIR_OP_if:
      case LIR_OP_loop:
         open[level] = i;
         opener[level] = i;
         level++;
         if (level > lifetimes->max_level)
            lifetimes->max_level = level;
         break;
      case LIR_OP_else:
         lifetimes->match[open[level - 1]] = i;
         open[level - 1] = i;
         break;
      case LIR_OP_end:
         level--;
         lifetimes->match[open[level]] = i;
         lifetimes->match[i] = opener[level];
         break;
      default: break;
      }
   }
}

/* Loops that are open at an instruction, outermost first. */
struct open_loops {
   uint32_t end[LIR_MAX_LEVELS];
   uint32_t num;
};

static void
follow_loops(struct open_loops *loops, const struct lir_function *function,
             const struct interp_lifetimes *lifetimes, uint32_t i)
{
   assert(i < function->num_insts);
   uint16_t op = function->insts[i].op;

   if (op == LIR_OP_loop)
      loops->end[loops->num++] = lifetimes->match[i];
   else if (op == LIR_OP_end &&
            function->insts[lifetimes->match[i]].op == LIR_OP_loop)
      loops->num--;
}

/* Fills in `last`. The loops around a value are around its uses too, so the
 * first loop beyond their number is the outermost that began after it. */
static bool
follow_uses(struct tg_arena *arena, const struct lir_function *function,
            struct interp_lifetimes *lifetimes)
{
   struct open_loops loops = {.num = 0};
   uint16_t *num_loops =
      tg_arena_array(arena, function->num_insts, sizeof(*num_loops));
   if (!num_loops)
      return false;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      const struct lir_inst *inst = &function->insts[i];

      for (unsigned k = interp_first_use(function, inst);
           k < lir_op_row(inst->op)->num_operands; k++) {
         uint32_t value = inst->operand[k].index;
         uint32_t depth = num_loops[value];
         uint32_t needed = depth < loops.num ? loops.end[depth] : i;

         if (needed > lifetimes->last[value])
            lifetimes->last[value] = needed;
      }
      follow_loops(&loops, function, lifetimes, i);
      num_loops[i] = (uint16_t)loops.num;
      lifetimes->last[i] = i;
   }
   return true;
}

/* Fills in `is_alias`. */
static void
find_aliases(const struct lir_function *function, uint32_t *write_of_var,
             struct interp_lifetimes *lifetimes)
{
   uint32_t call = UINT32_MAX;

   for (uint32_t i = function->num_insts; i-- > 0;) {
      const struct lir_inst *inst = &function->insts[i];
      const struct lir_op_info *info = lir_op_row(inst->op);

      if (inst->op == LIR_OP_call)
         call = i;
      if (info->imm != LIR_IMM_VAR)
         continue;
      if (info->flags & LIR_FLAG_WRITE) {
         write_of_var[inst->imm] = i;
         continue;
      }
      uint32_t write = write_of_var[inst->imm];
      lifetimes->is_alias[i] =
         lifetimes->last[i] < (write < call ? write : call);
   }
   for (uint32_t i = 0; i < function->num_insts; i++) {
      if (lir_op_row(function->insts[i].op)->imm == LIR_IMM_VAR)
         write_of_var[function->insts[i].imm] = UINT32_MAX;
   }
}

bool
interp_find_lifetimes(struct tg_arena *arena,
                      const struct lir_function *function,
                      uint32_t *write_of_var,
                      struct interp_lifetimes *lifetimes_out)
{
   size_t count = function->num_insts;
   struct interp_lifetimes lifetimes = {
      .match = tg_arena_array(arena, count, sizeof(*lifetimes.match)),
      .last = tg_arena_array(arena, count, sizeof(*lifetimes.last)),
      .is_alias = tg_arena_array(arena, count, sizeof(*lifetimes.is_alias)),
   };
   if (!lifetimes.match || !lifetimes.last || !lifetimes.is_alias)
      return false;

   match_constructs(function, &lifetimes);
   if (!follow_uses(arena, function, &lifetimes))
      return false;
   find_aliases(function, write_of_var, &lifetimes);
   *lifetimes_out = lifetimes;
   return true;
}
