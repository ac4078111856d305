/* SPDX-License-Identifier: MIT
 *
 * Loop-invariant code motion: what gives the same in each turn of a loop goes
 * before it, before the outermost loop of which that is true.
 *
 * No operation traps, and a load outside the bounds gives 0, so code may be
 * moved to where it would not have run. It costs time there: out of an `if`
 * goes what is cheap alone. Reads of variables stay; copy propagation knows
 * those that no loop writes.
 */
#include <assert.h>
#include <string.h>

#include "lir/passes.h"

/* An open scope while a function is walked over. */
struct scope {
   uint32_t num_loops;    /* that are open, up to this scope */
   uint32_t innermost_if; /* the level of the innermost arm of an if, or 0 */
};

struct motion {
   struct lir_function *function;
   struct scope scopes[LIR_MAX_LEVELS]; /* by level, the function first */
   uint32_t level;
   uint32_t loops[LIR_MAX_LEVELS]; /* the open ones, the outermost first */

   /* For each instruction passed: the level of the scope that it is in, or
    * will be. */
   uint16_t *level_of;

   /* What goes before a loop, in its order, as a list for each loop. 0 is the
    * function's const32 0, which never moves. */
   uint32_t *first, *last; /* of the list of an instruction that is a loop */
   uint32_t *next;         /* in the list that an instruction is in */
   bool *moves;            /* is it in a list? */
   bool changed;
};

/* ---- what moves ---------------------------------------------------------- */

/* May it run where it would not have? Loads of constants are nearly always the
 * same for all lanes; others may be gathers. */
static bool
is_cheap(const struct lir_inst *inst)
{
   if (lir_op_row(inst->op)->imm == LIR_IMM_MEM)
      return lir_mem_space(inst->imm) == LIR_SPACE_CONST;
   return !lir_op_is_slow[inst->op];
}

/* The outermost level from which the operands are seen, and out of which no if
 * keeps the instruction. */
static uint32_t
find_outermost_level(const struct motion *motion, const struct lir_inst *inst)
{
   uint32_t level =
      is_cheap(inst) ? 0 : motion->scopes[motion->level].innermost_if;

   for (unsigned i = 0; i < lir_op_row(inst->op)->num_operands; i++) {
      const uint32_t other = motion->level_of[inst->operand[i].index];
      level = other > level ? other : level;
   }
   return level;
}

/* ---- the walk ------------------------------------------------------------ */

static void
move_before(struct motion *motion, uint32_t loop, uint32_t index)
{
   assert(loop < index);
   if (motion->first[loop] == 0)
      motion->first[loop] = index;
   else
      motion->next[motion->last[loop]] = index;
   motion->last[loop] = index;
   motion->moves[index] = true;
   motion->changed = true;
}

/* A loop that is opened at the level at which a value is seen can be left. */
static void
place_instruction(struct motion *motion, uint32_t index)
{
   const struct lir_inst *inst = &motion->function->insts[index];
   const uint32_t num_loops = motion->scopes[motion->level].num_loops;

   motion->level_of[index] = (uint16_t)motion->level;
   if (num_loops == 0 || !lir_inst_is_pure(inst))
      return;
   const uint32_t level = find_outermost_level(motion, inst);
   const uint32_t outer_loops = motion->scopes[level].num_loops;
   if (outer_loops == num_loops)
      return;
   const uint32_t loop = motion->loops[outer_loops];
   motion->level_of[index] = motion->level_of[loop];
   move_before(motion, loop, index);
}

static void
open_scope(struct motion *motion, uint32_t index)
{
   const uint32_t op = motion->function->insts[index].op;
   struct scope scope = motion->scopes[motion->level];

   motion->level++;
   assert(motion->level < LIR_MAX_LEVELS);
   if (op == LIR_OP_loop)
      motion->loops[scope.num_loops++] = index;
   else if (op != LIR_OP_block)
      scope.innermost_if = motion->level;
   motion->scopes[motion->level] = scope;
}

static void
find_motion(struct motion *motion)
{
   const struct lir_function *function = motion->function;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      const uint8_t flags = lir_op_row(function->insts[i].op)->flags;

      if (flags & LIR_FLAG_CLOSE)
         motion->level--;
      place_instruction(motion, i);
      if (flags & LIR_FLAG_OPEN)
         open_scope(motion, i);
   }
}

/* ---- the new order ------------------------------------------------------- */

struct order {
   struct lir_inst *insts;
   uint32_t num_insts;
   uint32_t *number; /* the new one of each instruction */
};

static void
append(struct order *order, const struct lir_function *function, uint32_t index)
{
   struct lir_inst inst = function->insts[index];

   for (unsigned i = 0; i < lir_op_row(inst.op)->num_operands; i++)
      inst.operand[i].index = order->number[inst.operand[i].index];
   order->number[index] = order->num_insts;
   order->insts[order->num_insts++] = inst;
}

static void
put_in_order(const struct motion *motion, struct order *order)
{
   struct lir_function *function = motion->function;

   for (uint32_t i = 0; i < function->num_insts; i++) {
      for (uint32_t k = motion->first[i]; k != 0; k = motion->next[k])
         append(order, function, k);
      if (!motion->moves[i])
         append(order, function, i);
   }
   assert(order->num_insts == function->num_insts);
   memcpy(function->insts, order->insts,
          function->num_insts * sizeof(*function->insts));
}

/* ---- functions ----------------------------------------------------------- */

static bool
has_loop(const struct lir_function *function)
{
   for (uint32_t i = 0; i < function->num_insts; i++) {
      if (function->insts[i].op == LIR_OP_loop)
         return true;
   }
   return false;
}

/* False when out of memory; nothing has moved then. */
static bool
move_in_function(struct lir_function *function, struct tg_arena *arena,
                 bool *changed_out)
{
   const uint32_t count = function->num_insts;
   struct motion *motion = tg_arena_array(arena, 1, sizeof(*motion));
   struct order order = {
      .insts = tg_arena_array(arena, count, sizeof(*order.insts)),
      .number = tg_arena_array(arena, count, sizeof(*order.number)),
   };

   if (!motion)
      return false;
   motion->function = function;
   motion->level_of = tg_arena_array(arena, count, sizeof(uint16_t));
   motion->first = tg_arena_array(arena, count, sizeof(uint32_t));
   motion->last = tg_arena_array(arena, count, sizeof(uint32_t));
   motion->next = tg_arena_array(arena, count, sizeof(uint32_t));
   motion->moves = tg_arena_array(arena, count, sizeof(bool));
   if (!motion->level_of || !motion->first || !motion->last || !motion->next ||
       !motion->moves || !order.insts || !order.number)
      return false;
   find_motion(motion);
   if (motion->changed)
      put_in_order(motion, &order);
   *changed_out |= motion->changed;
   return true;
}

enum tg_result
lir_pass_licm(struct lir_module *module, bool *changed_out)
{
   struct tg_arena scratch;
   bool good = true;

   tg_arena_init(&scratch, module->arena.allocator);
   for (uint32_t i = 0; good && i < module->num_functions; i++) {
      if (has_loop(&module->functions[i]))
         good = move_in_function(&module->functions[i], &scratch, changed_out);
      tg_arena_finish(&scratch);
   }
   return good ? TG_OK : TG_ERROR_MEMORY;
}
