/* SPDX-License-Identifier: MIT
 *
 * List scheduling by critical path: of instructions whose operands are there
 * that one comes first from which the longest chain of others hangs. So chains
 * that do not wait for each other, as those of a vector's channels, take turns,
 * and a processor that looks ahead over a hundred instructions finds more than
 * one of them. Where register pressure is high that one comes first that lowers
 * it most (J. Goodman and W. Hsu, Code scheduling and register allocation in
 * large basic blocks, 1988).
 */
#include "exec/x86/unit.h"
#include "util/minmax.h"

#define NO_EDGE UINT32_MAX

enum {
   /* How far ahead of the first instruction that is left others may come. */
   WINDOW = 96,
   /* Of 16 registers, which both halves and instructions' own values share. */
   HIGH_PRESSURE = 6,
   OPERANDS = 3,
};

struct scheduler {
   const struct x86_inst *insts;
   uint32_t first, end; /* the run of instructions that may change places */

   /* By instruction: */
   uint32_t *height;    /* instructions of the longest chain that it begins */
   uint8_t *waits_for;  /* operands of the run that are not in order yet */
   uint32_t *num_users; /* of the run, that are not in order yet */
   uint32_t *users;     /* the first edge to one of these */
   uint32_t *edges;     /* by user and operand: the next one */
   bool *is_done;       /* it is in order */

   uint32_t ready[WINDOW]; /* that wait for nothing */
   uint32_t num_ready;
   uint32_t pressure; /* values in registers, for users of the run */
   uint32_t *order;   /* by place: the instruction */
};

/* ---- what may change places ---------------------------------------------- */

bool
x86_is_movable(const struct x86_inst *inst)
{
   if (inst->op == X86_OP_leave || x86_is_call(inst->op))
      return false;
   const struct lir_op_info *row = lir_op_row(inst->op);

   if (row->flags & LIR_FLAG_WRITE)
      return false;
   switch (row->imm) {
   case LIR_IMM_MEM: return lir_space_is_read_only(lir_mem_space(inst->imm));
   case LIR_IMM_VAR: return true;
   default: return row->flags & LIR_FLAG_PURE;
   }
}

/* Does its value take a register of the wave's? Rows of inputs are used where
 * they are. */
static bool
takes_register(const struct x86_inst *inst)
{
   const enum lir_space space = lir_mem_space(inst->imm);

   return !inst->is_invariant &&
          !(inst->op == LIR_OP_load32 &&
            (space == LIR_SPACE_INPUT || space == LIR_SPACE_SYSVAL));
}

/* ---- edges --------------------------------------------------------------- */

/* Is it a value of the run, and not that of an operand before it? */
static bool
is_edge(const struct scheduler *s, const struct x86_inst *inst, unsigned k)
{
   for (unsigned i = 0; i < k; i++) {
      if (inst->operand[i] == inst->operand[k])
         return false;
   }
   return inst->operand[k] >= s->first;
}

static void
find_edges(struct scheduler *s)
{
   for (uint32_t i = s->first; i < s->end; i++) {
      const struct x86_inst *inst = &s->insts[i];

      s->height[i] = 0;
      s->waits_for[i] = 0;
      s->num_users[i] = 0;
      s->users[i] = NO_EDGE;
      for (unsigned k = 0; k < x86_num_operands(inst); k++) {
         const uint32_t value = inst->operand[k];

         if (!is_edge(s, inst, k))
            continue;
         s->edges[OPERANDS * i + k] = s->users[value];
         s->users[value] = OPERANDS * i + k;
         s->num_users[value]++;
         s->waits_for[i]++;
      }
   }
}

static void
find_heights(struct scheduler *s)
{
   for (uint32_t i = s->end; i-- > s->first;) {
      const struct x86_inst *inst = &s->insts[i];

      s->height[i] += !inst->is_invariant;
      for (unsigned k = 0; k < x86_num_operands(inst); k++) {
         const uint32_t value = inst->operand[k];

         if (is_edge(s, inst, k))
            s->height[value] = tg_max_u32(s->height[value], s->height[i]);
      }
   }
}

/* ---- the choice ---------------------------------------------------------- */

/* By how many values an instruction changes the pressure. */
static int
change_of_pressure(const struct scheduler *s, uint32_t i)
{
   const struct x86_inst *inst = &s->insts[i];
   int change = takes_register(inst) && s->num_users[i] > 0;

   for (unsigned k = 0; k < x86_num_operands(inst); k++) {
      const uint32_t value = inst->operand[k];

      change -= is_edge(s, inst, k) && s->num_users[value] == 1 &&
                takes_register(&s->insts[value]);
   }
   return change;
}

/* Invariants, which the wave has none of, do not keep it waiting. */
static bool
is_before(const struct scheduler *s, uint32_t a, uint32_t b)
{
   if (s->insts[a].is_invariant != s->insts[b].is_invariant)
      return s->insts[a].is_invariant;
   if (s->pressure >= HIGH_PRESSURE) {
      const int more = change_of_pressure(s, a) - change_of_pressure(s, b);

      if (more)
         return more < 0;
   }
   if (s->height[a] != s->height[b])
      return s->height[a] > s->height[b];
   return a < b;
}

static uint32_t
take_best(struct scheduler *s)
{
   uint32_t best = 0;

   for (uint32_t i = 1; i < s->num_ready; i++) {
      if (is_before(s, s->ready[i], s->ready[best]))
         best = i;
   }
   const uint32_t taken = s->ready[best];
   s->ready[best] = s->ready[--s->num_ready];
   return taken;
}

/* An instruction is in order. Those before `entered` are in the window. */
static void
finish(struct scheduler *s, uint32_t taken, uint32_t entered)
{
   const struct x86_inst *inst = &s->insts[taken];

   s->is_done[taken] = true;
   s->pressure += (uint32_t)change_of_pressure(s, taken);
   for (unsigned k = 0; k < x86_num_operands(inst); k++)
      s->num_users[inst->operand[k]] -= is_edge(s, inst, k);
   for (uint32_t e = s->users[taken]; e != NO_EDGE; e = s->edges[e]) {
      const uint32_t user = e / OPERANDS;

      if (--s->waits_for[user] == 0 && user < entered)
         s->ready[s->num_ready++] = user;
   }
}

static void
schedule_run(struct scheduler *s)
{
   uint32_t oldest = s->first, entered = s->first;

   find_edges(s);
   find_heights(s);
   s->num_ready = 0;
   s->pressure = 0;
   for (uint32_t place = s->first; place < s->end; place++) {
      while (s->is_done[oldest])
         oldest++;
      for (; entered < s->end && entered < oldest + WINDOW; entered++) {
         if (s->waits_for[entered] == 0)
            s->ready[s->num_ready++] = entered;
      }
      s->order[place] = take_best(s);
      finish(s, s->order[place], entered);
   }
}

/* ---- the unit ------------------------------------------------------------ */

static bool
reorder(struct x86_unit *unit, const uint32_t *order, struct tg_arena *arena)
{
   struct x86_inst *insts =
      tg_arena_array(arena, unit->num_insts, sizeof(*insts));
   uint32_t *places = tg_arena_array(arena, unit->num_insts, sizeof(*places));

   if (!insts || !places)
      return false;
   for (uint32_t i = 0; i < unit->num_insts; i++)
      places[order[i]] = i;
   for (uint32_t i = 0; i < unit->num_insts; i++) {
      insts[i] = unit->insts[order[i]];
      for (unsigned k = 0; k < x86_num_operands(&insts[i]); k++)
         insts[i].operand[k] = places[insts[i].operand[k]];
   }
   unit->insts = insts;
   return true;
}

bool
x86_schedule(struct x86_unit *unit, struct tg_arena *arena)
{
   const uint32_t count = unit->num_insts;
   struct scheduler s = {
      .insts = unit->insts,
      .height = tg_arena_array(arena, count, sizeof(*s.height)),
      .waits_for = tg_arena_array(arena, count, sizeof(*s.waits_for)),
      .num_users = tg_arena_array(arena, count, sizeof(*s.num_users)),
      .users = tg_arena_array(arena, count, sizeof(*s.users)),
      .edges =
         tg_arena_array(arena, (size_t)count * OPERANDS, sizeof(*s.edges)),
      .is_done = tg_arena_array(arena, count, sizeof(*s.is_done)),
      .order = tg_arena_array(arena, count, sizeof(*s.order)),
   };

   if (!s.height || !s.waits_for || !s.num_users || !s.users || !s.edges ||
       !s.is_done || !s.order)
      return false;
   for (uint32_t i = 0; i < count; i = s.end) {
      s.first = s.end = i;
      while (s.end < count && x86_is_movable(&unit->insts[s.end]))
         s.end++;
      if (s.end == i)
         s.order[s.end++] = i;
      else
         schedule_run(&s);
   }
   return reorder(unit, s.order, arena);
}
