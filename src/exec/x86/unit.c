/* SPDX-License-Identifier: MIT
 *
 * Flattens modules: inlines calls, removes code that a br has made unreachable,
 * finds loop invariants, and the uses of values.
 */
#include "exec/x86/unit.h"

struct builder {
   const struct lir_module *module;
   struct tg_arena *arena;
   struct x86_unit *unit;
   uint32_t capacity;
   uint32_t *openers; /* of the constructs that are open */
   uint32_t num_open;
   uint32_t
      *numbers[X86_MAX_DEPTH]; /* of a function's instructions, by depth */
   uint32_t depth;
   uint32_t num_seen; /* instructions, dead ones too */
   enum tg_result result;
};

/* ---- flattening ---------------------------------------------------------- */

static struct x86_inst *
append(struct builder *b)
{
   struct x86_unit *unit = b->unit;
   void *insts = unit->insts;

   if (unit->num_insts == X86_MAX_INSTS)
      b->result = TG_ERROR_LIMIT;
   else if (!tg_arena_reserve(b->arena, &insts, &b->capacity, unit->num_insts,
                              sizeof(*unit->insts)))
      b->result = TG_ERROR_MEMORY;
   if (b->result != TG_OK)
      return NULL;
   unit->insts = insts;
   return &unit->insts[unit->num_insts++];
}

static void
open(struct builder *b)
{
   if (b->num_open == X86_MAX_OPEN) {
      b->result = TG_ERROR_LIMIT;
      return;
   }
   b->openers[b->num_open++] = b->unit->num_insts - 1;
   if (b->unit->most_open < b->num_open)
      b->unit->most_open = b->num_open;
}

/* A br leaves the constructs inside level `to`. */
static void
cross(struct builder *b, uint32_t to)
{
   for (uint32_t i = to + 1; i < b->num_open; i++)
      b->unit->insts[b->openers[i]].is_crossed = true;
}

static void
note_control(struct builder *b, struct x86_inst *inst, uint32_t base)
{
   struct x86_inst *insts = b->unit->insts;

   switch (inst->op) {
   case LIR_OP_block:
   case LIR_OP_if:
   case LIR_OP_loop:
   case LIR_OP_call: open(b); break;
   case LIR_OP_else: insts[b->openers[b->num_open - 1]].has_else = true; break;
   case LIR_OP_end:
   case X86_OP_leave: b->num_open--; break;
   case LIR_OP_br:
      inst->imm += base;
      cross(b, (uint32_t)inst->imm);
      break;
   }
}

static void
copy_inst(struct builder *b, const struct lir_inst *from,
          const uint32_t *numbers, uint32_t base)
{
   struct x86_inst *inst = append(b);

   if (!inst)
      return;
   *inst = (struct x86_inst){
      .op = from->op,
      .type = lir_op_row(from->op)->type,
      .is_uniform = from->is_uniform,
      .is_inside = from->is_inside,
      .origin = from->origin,
      .imm = from->imm,
      .first_use = X86_NEVER,
   };
   for (unsigned k = 0; k < lir_op_row(from->op)->num_operands; k++)
      inst->operand[k] = numbers[from->operand[k].index];
   note_control(b, inst, base);
}

static void
flatten(struct builder *b, uint32_t function);

static void
leave(struct builder *b)
{
   struct x86_inst *inst = append(b);

   if (!inst)
      return;
   *inst = (struct x86_inst){
      .op = X86_OP_leave,
      .origin = LIR_NO_ORIGIN,
      .first_use = X86_NEVER,
   };
   note_control(b, inst, 0);
}

/* After a br nothing runs up to the else or end that closes its construct. */
static void
flatten_body(struct builder *b, const struct lir_function *function,
             uint32_t *numbers)
{
   const uint32_t base = b->num_open - 1;
   uint32_t dead_levels = 0;
   bool is_dead = false;

   for (uint32_t i = 0; i < function->num_insts && b->result == TG_OK; i++) {
      const struct lir_inst *inst = &function->insts[i];
      const uint8_t flags = lir_op_row(inst->op)->flags;
      const bool closes = flags & LIR_FLAG_CLOSE;

      if (is_dead && !(closes && dead_levels == 0)) {
         dead_levels -= closes;
         dead_levels += (flags & LIR_FLAG_OPEN) != 0;
         continue;
      }
      is_dead = inst->op == LIR_OP_br;
      numbers[i] = b->unit->num_insts;
      copy_inst(b, inst, numbers, base);
      if (inst->op == LIR_OP_call)
         flatten(b, (uint32_t)inst->imm);
   }
}

/* Numbers of the instructions of a function at the current depth. */
static uint32_t *
take_numbers(struct builder *b)
{
   uint32_t **numbers = &b->numbers[b->depth];

   if (!*numbers)
      *numbers = tg_arena_array(b->arena, X86_MAX_INSTS, sizeof(**numbers));
   if (!*numbers)
      b->result = TG_ERROR_MEMORY;
   return *numbers;
}

/* The function whose construct is open. */
static void
flatten(struct builder *b, uint32_t number)
{
   const struct lir_function *function = &b->module->functions[number];

   if (b->result != TG_OK)
      return;
   b->num_seen += function->num_insts;
   if (b->depth == X86_MAX_DEPTH || function->num_insts > X86_MAX_INSTS ||
       b->num_seen > X86_MAX_SEEN) {
      b->result = TG_ERROR_LIMIT;
      return;
   }
   uint32_t *numbers = take_numbers(b);
   if (!numbers)
      return;
   b->depth++;
   flatten_body(b, function, numbers);
   b->depth--;
   leave(b);
}

/* ---- variables ----------------------------------------------------------- */

/* Variables that are read, and never but as uniform values, are scalars: all
 * lanes write the same to them. */
static void
find_scalars(struct x86_unit *unit, bool is_uniform)
{
   for (uint32_t i = 0; i < unit->num_insts; i++) {
      const struct x86_inst *inst = &unit->insts[i];

      if (inst->op != X86_OP_leave && inst->type != LIR_TYPE_V &&
          lir_op_row(inst->op)->imm == LIR_IMM_VAR &&
          inst->is_uniform == is_uniform)
         unit->var_is_scalar[inst->imm] = is_uniform;
   }
}

/* ---- invariants ---------------------------------------------------------- */

/* Does it compute, or read memory that nothing writes while waves run? What
 * helpers compute needs a wave. */
static bool
follows_from_operands(const struct x86_inst *inst)
{
   if (inst->op == X86_OP_leave || x86_is_call(inst->op))
      return false;
   const struct lir_op_info *row = lir_op_row(inst->op);
   const enum lir_space space = lir_mem_space(inst->imm);

   if (row->imm == LIR_IMM_MEM)
      return inst->type != LIR_TYPE_V &&
             (space == LIR_SPACE_CONST || space == LIR_SPACE_TEXTURE);
   return row->flags == LIR_FLAG_PURE && row->num_operands > 0;
}

static bool
is_invariant(const struct x86_unit *unit, const struct x86_inst *inst)
{
   if (x86_is_constant(inst))
      return true;
   if (!inst->is_uniform || !follows_from_operands(inst))
      return false;
   for (unsigned k = 0; k < x86_num_operands(inst); k++) {
      if (!unit->insts[inst->operand[k]].is_invariant)
         return false;
   }
   return true;
}

static void
find_invariants(struct x86_unit *unit)
{
   for (uint32_t i = 0; i < unit->num_insts; i++) {
      struct x86_inst *inst = &unit->insts[i];

      inst->is_uniform |= x86_is_constant(inst);
      inst->is_invariant = is_invariant(unit, inst);
   }
}

/* ---- uses ---------------------------------------------------------------- */

/* From the last instruction to the first. */
static void
find_next_uses(struct x86_unit *unit)
{
   for (uint32_t i = unit->num_insts; i-- > 0;) {
      struct x86_inst *inst = &unit->insts[i];
      const unsigned count = x86_num_operands(inst);

      for (unsigned k = 0; k < count; k++)
         inst->next_use[k] = unit->insts[inst->operand[k]].first_use;
      for (unsigned k = 0; k < count; k++) {
         struct x86_inst *value = &unit->insts[inst->operand[k]];

         value->first_use = i;
         value->varies_in_use |=
            value->is_invariant ? !inst->is_invariant : !inst->is_uniform;
      }
   }
}

/* Loops around an instruction, the outermost first: where they begin and end.
 */
struct loops {
   uint32_t (*bounds)[2];
   uint32_t count;
};

/* Where the outermost loop ends that has instruction `use` but not `value`; or
 * the use itself. */
static uint32_t
extend_use(const struct loops *loops, uint32_t value, uint32_t use)
{
   uint32_t first = 0, end = loops->count;

   while (first < end) {
      const uint32_t middle = (first + end) / 2;

      if (loops->bounds[middle][0] > value)
         end = middle;
      else
         first = middle + 1;
   }
   return first < loops->count ? loops->bounds[first][1] : use;
}

/* The end of each construct, by its opener. */
static void
match_ends(struct builder *b, uint32_t *ends)
{
   const struct x86_unit *unit = b->unit;

   b->num_open = 0;
   for (uint32_t i = 0; i < unit->num_insts; i++) {
      const uint16_t op = unit->insts[i].op;

      if (op == X86_OP_leave || op == LIR_OP_end)
         ends[b->num_open ? b->openers[--b->num_open] : 0] = i;
      else if (op == LIR_OP_call || op == LIR_OP_block || op == LIR_OP_if ||
               op == LIR_OP_loop)
         b->openers[b->num_open++] = i;
   }
}

static void
find_last_uses(struct x86_unit *unit, const uint32_t *ends, struct loops *loops)
{
   for (uint32_t i = 0; i < unit->num_insts; i++) {
      const struct x86_inst *inst = &unit->insts[i];

      while (loops->count && loops->bounds[loops->count - 1][1] < i)
         loops->count--;
      if (inst->op == LIR_OP_loop) {
         loops->bounds[loops->count][0] = i;
         loops->bounds[loops->count++][1] = ends[i];
      }
      for (unsigned k = 0; k < x86_num_operands(inst); k++) {
         struct x86_inst *value = &unit->insts[inst->operand[k]];
         const uint32_t use = extend_use(loops, inst->operand[k], i);

         value->last_use = use > value->last_use ? use : value->last_use;
      }
   }
}

static bool
find_uses(struct builder *b)
{
   struct x86_unit *unit = b->unit;
   uint32_t *ends = tg_arena_array(b->arena, unit->num_insts, sizeof(*ends));
   struct loops loops = {
      .bounds =
         tg_arena_array(b->arena, unit->most_open, sizeof(*loops.bounds)),
   };

   if (!ends || !loops.bounds)
      return false;
   match_ends(b, ends);
   find_last_uses(unit, ends, &loops);
   find_next_uses(unit);
   return true;
}

/* ---- the unit ------------------------------------------------------------ */

enum tg_result
x86_unit_init(struct x86_unit *unit, const struct lir_module *module,
              bool in_order, struct tg_arena *arena)
{
   *unit = (struct x86_unit){
      .most_open = 1,
      .var_is_scalar =
         tg_arena_array(arena, module->num_vars, sizeof(*unit->var_is_scalar)),
   };
   struct builder b = {
      .module = module,
      .arena = arena,
      .unit = unit,
      .openers = tg_arena_array(arena, X86_MAX_OPEN, sizeof(*b.openers)),
      .num_open = 1, /* the first function, which nothing opens */
   };

   if (!unit->var_is_scalar || !b.openers)
      return TG_ERROR_MEMORY;
   flatten(&b, 0);
   if (b.result != TG_OK)
      return b.result;
   find_scalars(unit, true);
   find_scalars(unit, false);
   find_invariants(unit);
   if (!in_order && !x86_schedule(unit, arena))
      return TG_ERROR_MEMORY;
   return find_uses(&b) ? TG_OK : TG_ERROR_MEMORY;
}
