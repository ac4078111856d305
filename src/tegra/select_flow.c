/* SPDX-License-Identifier: MIT
 *
 * Control flow: constructs become blocks and branches. The main program comes
 * first and the block that ends it behind, then each subroutine that is called.
 *
 * While branches are made they lead to labels; at the end labels have become
 * blocks. What nothing leads to is left out.
 */
#include "tegra/select.h"

#include <string.h>

/* ---- labels and branches ------------------------------------------------- */

static uint32_t
label_of(uint32_t instruction, enum select_side side)
{
   return instruction * SELECT_NUM_SIDES + side;
}

/* The label behind the last instruction: where the program ends. */
static uint32_t
end_label(const struct select *select)
{
   return label_of(select->shader->num_instructions, SELECT_BEFORE);
}

static void
begin_block(struct select *select)
{
   const struct mir_block *block = &select->mir->blocks[select->block];

   if (block->num_ops == 0 && select->block != select->mir->end)
      return;
   uint32_t next = mir_add_block(select->mir);
   if (next == MIR_NONE)
      select->result = TG_ERROR_MEMORY;
   else
      select->block = next;
}

/* Operations from here on are where branches to the label lead, of which some
 * may still come. */
static void
place_label(struct select *select, uint32_t label)
{
   begin_block(select);
   select->labels[label].block = select->block;
   select->is_unreachable = false;
}

/* The same where all branches to the label have been made. */
static void
place_forward_label(struct select *select, uint32_t label)
{
   if (select->labels[label].is_used)
      place_label(select, label);
}

/* Ends the block with a branch, call or return, to be taken where CR[0].x has
 * one of the signs; 0: always. */
static void
jump(struct select *select, enum tegra_scalar_op opcode, uint32_t label,
     unsigned signs)
{
   struct mir_op op = mir_op(TEGRA_SCALAR, opcode, select->index);

   if (select->is_unreachable || select->is_refused)
      return;
   if (signs) {
      op.predicate = (struct mir_predicate){
         .enabled = true,
         .swizzle = TEGRA_XXXX,
         .less = signs & SELECT_LESS,
         .equal = signs & SELECT_EQUAL,
         .greater = signs & SELECT_GREATER,
      };
   }
   op.target = label;
   if (label != MIR_NONE)
      select->labels[label].is_used = true;
   if (!mir_append(select->mir, select->block, &op))
      select->result = TG_ERROR_MEMORY;
   begin_block(select);
   if (!signs && opcode != TEGRA_SCALAR_CAL)
      select->is_unreachable = true;
}

static void
go_to(struct select *select, uint32_t label)
{
   jump(select, TEGRA_SCALAR_BRA, label, 0);
}

static const struct tg_flow_node *
node(const struct select *select)
{
   return &select->flow.nodes[select->index];
}

/* The instruction behind which BRK out of this loop or SWITCH leads. */
static uint32_t
closer_of(const struct select *select, uint32_t begin)
{
   return select->flow.nodes[begin].partner;
}

/* ---- conditions ---------------------------------------------------------- */

enum { SELECT_NOT_ZERO = SELECT_LESS | SELECT_GREATER };

/* Leads around the part in front of the partner where CR[0].x is 0. */
static void
skip_if_zero(struct select *select)
{
   uint32_t partner = node(select)->partner;
   bool has_else =
      select->shader->instructions[partner].opcode == TG_OPCODE_ELSE;

   jump(select, TEGRA_SCALAR_BRA,
        label_of(partner, has_else ? SELECT_BEHIND : SELECT_BEFORE),
        SELECT_EQUAL);
}

static void
set_condition(struct select *select, struct mir_source value)
{
   select_vector1(select, TEGRA_VECTOR_MOV,
                  select_condition(0, tegra_mask_bit(0)), value);
}

/* Sets CR[0].x to something else than "equal" where a bit of the operand is
 * set. */
static void
test_bits(struct select *select)
{
   set_condition(select, select_truth(select, 0, tegra_mask_bit(0)));
}

void
select_op_if(struct select *select)
{
   set_condition(select, select_source(select, 0));
   skip_if_zero(select);
}

void
select_op_uif(struct select *select)
{
   test_bits(select);
   skip_if_zero(select);
}

void
select_op_else(struct select *select)
{
   go_to(select, label_of(node(select)->partner, SELECT_BEFORE));
   place_forward_label(select, label_of(select->index, SELECT_BEHIND));
}

void
select_op_endif(struct select *select)
{
   place_forward_label(select, label_of(select->index, SELECT_BEFORE));
}

/* ---- predicates ---------------------------------------------------------- */

static bool
is_guarded(const struct select *select)
{
   return select->instruction->has_predicate &&
          select->instruction->num_dst == 0;
}

/* A negated predicate holds where CR[0].x is 0. */
void
select_begin_guard(struct select *select)
{
   if (!is_guarded(select))
      return;
   set_condition(select, select_predicate(select, tegra_mask_bit(0)));
   jump(select, TEGRA_SCALAR_BRA, label_of(select->index, SELECT_BEHIND),
        select->instruction->predicate_negate ? SELECT_NOT_ZERO : SELECT_EQUAL);
}

void
select_end_guard(struct select *select)
{
   if (is_guarded(select))
      place_forward_label(select, label_of(select->index, SELECT_BEHIND));
}

/* ---- loops --------------------------------------------------------------- */

/* BRK leads behind the closer, CONT in front of it, or where that leads. */

void
select_op_bgnloop(struct select *select)
{
   if (!select->is_unreachable)
      place_label(select, label_of(select->index, SELECT_BEHIND));
}

void
select_op_endloop(struct select *select)
{
   place_forward_label(select, label_of(select->index, SELECT_BEFORE));
   go_to(select, label_of(node(select)->partner, SELECT_BEHIND));
   place_forward_label(select, label_of(select->index, SELECT_BEHIND));
}

void
select_op_brk(struct select *select)
{
   go_to(select,
         label_of(closer_of(select, node(select)->partner), SELECT_BEHIND));
}

void
select_op_cont(struct select *select)
{
   uint32_t begin = node(select)->partner;

   if (select->shader->instructions[begin].opcode == TG_OPCODE_BGNLOOP) {
      go_to(select, label_of(begin, SELECT_BEHIND));
      return;
   }
   go_to(select,
         label_of(closer_of(select, node(select)->partner), SELECT_BEFORE));
}

void
select_op_breakc(struct select *select)
{
   test_bits(select);
   jump(select, TEGRA_SCALAR_BRA,
        label_of(closer_of(select, node(select)->partner), SELECT_BEHIND),
        SELECT_NOT_ZERO);
}

/* Begins a loop if a count is positive, which NaN is not. */
static void
begin_counted_loop(struct select *select, struct mir_source count)
{
   select_vector2(select, TEGRA_VECTOR_SGT,
                  select_condition(0, tegra_mask_bit(0)), count,
                  select_number(0.0f));
   jump(select, TEGRA_SCALAR_BRA,
        label_of(node(select)->partner, SELECT_BEHIND), SELECT_EQUAL);
   select_op_bgnloop(select);
}

/* Takes one off a count, which CR[0].x then compares with 0, and goes round
 * while it is positive. */
static void
end_counted_loop(struct select *select, struct select_place place,
                 struct mir_source count)
{
   place.sets_condition = true;
   place.condition = 0;
   select_vector2(select, TEGRA_VECTOR_ADD, place, count, select_number(-1.0f));
   jump(select, TEGRA_SCALAR_BRA,
        label_of(node(select)->partner, SELECT_BEHIND), SELECT_GREATER);
   place_forward_label(select, label_of(select->index, SELECT_BEHIND));
}

/* As often as the operand says, rounded down. It is read once. */
void
select_op_rep(struct select *select)
{
   if (select->instruction->num_src == 0) {
      select_op_bgnloop(select);
      return;
   }

   struct mir_source count = select_component(select_source(select, 0), 0);
   struct select_place counter = select_temporary(select, tegra_mask_bit(0));
   select->counters[select->index] = counter.temporary;
   select_vector1(select, TEGRA_VECTOR_FLR, counter, count);
   begin_counted_loop(select, select_value(counter));
}

void
select_op_endrep(struct select *select)
{
   struct select_place counter = select_temporary(select, tegra_mask_bit(0));

   counter.temporary = select->counters[node(select)->partner];
   if (counter.temporary == MIR_NONE) {
      select_op_endloop(select);
      return;
   }
   place_forward_label(select, label_of(select->index, SELECT_BEFORE));
   end_counted_loop(select, counter, select_value(counter));
}

/* Index, count and step are x, y and z of the destination, where the shader
 * sees and may change them. */
void
select_op_bgnfor(struct select *select)
{
   struct select_place place = select_result(select);
   struct mir_source start = select_source(select, 0);
   struct select_place count = select_temporary(select, tegra_mask_bit(0));

   if (place.temporary == MIR_NONE) {
      select_refuse(select, SELECT_REFUSED_REGISTER);
      return;
   }
   select_vector1(select, TEGRA_VECTOR_FLR, count, select_component(start, 1));
   select_vector1(select, TEGRA_VECTOR_FLR, select_masked(place, 14), start);
   begin_counted_loop(select, select_value(count));
}

/* What is tested is the count less one, whether the mask lets it be written. */
void
select_op_endfor(struct select *select)
{
   struct select_place place = select_result(select);
   struct mir_source value = select_value(place);
   struct select_place next = select_temporary(select, tegra_mask_bit(1));

   place_forward_label(select, label_of(select->index, SELECT_BEFORE));
   select_vector2(select, TEGRA_VECTOR_ADD,
                  select_masked(place, tegra_mask_bit(0)), value,
                  select_component(value, 2));
   select_vector2(select, TEGRA_VECTOR_ADD, next, value, select_number(-1.0f));
   select_vector1(select, TEGRA_VECTOR_MOV,
                  select_masked(place, tegra_mask_bit(1)), select_value(next));
   set_condition(select, select_component(select_value(next), 1));
   jump(select, TEGRA_SCALAR_BRA,
        label_of(node(select)->partner, SELECT_BEHIND), SELECT_GREATER);
   place_forward_label(select, label_of(select->index, SELECT_BEHIND));
}

/* ---- SWITCH -------------------------------------------------------------- */

/* All labels are compared where the SWITCH stands, in their order; if none is
 * equal it goes to DEFAULT, wherever that stands. */
void
select_op_switch(struct select *select)
{
   const struct tg_flow_node *nodes = select->flow.nodes;
   struct mir_source value = select_component(select_source(select, 0), 0);
   uint32_t begin = select->index;
   uint32_t otherwise = nodes[begin].default_label;

   for (uint32_t i = nodes[begin].next; i != TG_NO_INSTRUCTION;
        i = nodes[i].next) {
      if (i == otherwise)
         continue;
      select_go_to(select, i);
      select_vector2(select, TEGRA_VECTOR_SEQ,
                     select_condition(0, tegra_mask_bit(0)), value,
                     select_component(select_source(select, 0), 0));
      jump(select, TEGRA_SCALAR_BRA, label_of(i, SELECT_BEHIND),
           SELECT_GREATER);
   }
   select_go_to(select, begin);
   go_to(select, label_of(otherwise == TG_NO_INSTRUCTION ? nodes[begin].partner
                                                         : otherwise,
                          SELECT_BEHIND));
}

void
select_op_case(struct select *select)
{
   place_forward_label(select, label_of(select->index, SELECT_BEHIND));
}

void
select_op_endswitch(struct select *select)
{
   place_forward_label(select, label_of(select->index, SELECT_BEHIND));
}

/* ---- subroutines --------------------------------------------------------- */

void
select_op_cal(struct select *select)
{
   jump(select, TEGRA_SCALAR_CAL,
        label_of(node(select)->partner, SELECT_BEHIND), 0);
}

void
select_op_callnz(struct select *select)
{
   test_bits(select);
   jump(select, TEGRA_SCALAR_CAL,
        label_of(node(select)->partner, SELECT_BEHIND), SELECT_NOT_ZERO);
}

/* In the main program the stack is empty, so that the unit's RET would end
 * badly. */
void
select_op_ret(struct select *select)
{
   if (select->is_subroutine)
      jump(select, TEGRA_SCALAR_RET, MIR_NONE, 0);
   else
      go_to(select, end_label(select));
}

void
select_op_bra(struct select *select)
{
   go_to(select, label_of(node(select)->partner, SELECT_BEFORE));
}

/* ---- the walk ------------------------------------------------------------ */

static void
select_range(struct select *select, uint32_t begin, uint32_t end)
{
   for (uint32_t i = begin; i < end && select->result != TG_ERROR_MEMORY; i++) {
      uint32_t label = label_of(i, SELECT_BEFORE);

      if (select->labels[label].block == MIR_NONE &&
          select->is_branch_target[i])
         place_label(select, label);
      if (!select->is_unreachable ||
          tg_opcodes[select->shader->instructions[i].opcode].flow)
         select_instruction(select, i);
   }
}

/* Refuses calls that would be too deep, and with them recursion. A depth is
 * that of the stack while a subroutine runs; 0 is one that nobody calls. */
static bool
spread_depths(struct select *select, uint32_t *depths)
{
   const struct tg_shader *shader = select->shader;
   uint32_t caller = TG_NO_INSTRUCTION;
   bool changed = false;

   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      enum tg_flow flow = tg_opcodes[shader->instructions[i].opcode].flow;
      uint32_t partner = select->flow.nodes[i].partner;

      if (flow == TG_FLOW_SUB)
         caller = i;
      if (flow != TG_FLOW_CALL ||
          (i >= select->flow.main_end &&
           (caller == TG_NO_INSTRUCTION || depths[caller] == 0)))
         continue;
      uint32_t depth = i < select->flow.main_end ? 1 : depths[caller] + 1;
      if (depth <= depths[partner])
         continue;
      changed = true;
      depths[partner] = depth;
      if (depth > TG_TEGRA_STACK_DEPTH) {
         select_refuse_at(select, i, SELECT_REFUSED_DEPTH);
         return false;
      }
   }
   return changed;
}

static void
select_subroutines(struct select *select, const uint32_t *depths)
{
   select->is_subroutine = true;
   for (uint32_t i = 0; i < select->flow.num_subroutines; i++) {
      uint32_t begin = select->flow.subroutines[i];
      uint32_t end = select->flow.nodes[begin].partner;

      if (!depths[begin])
         continue;
      place_label(select, label_of(begin, SELECT_BEHIND));
      select_range(select, begin + 1, end);
      select->index = end;
      select->is_refused = false;
      select_op_ret(select);
   }
}

/* Until here a branch leads to the number of a label. */
static void
resolve_labels(struct select *select)
{
   struct mir *mir = select->mir;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++) {
         uint32_t *target = &mir->blocks[i].ops[j].target;

         if (*target != MIR_NONE)
            *target = select->labels[*target].block;
      }
   }
}

static bool
create_labels(struct select *select)
{
   const struct tg_shader *shader = select->shader;
   struct tg_arena *arena = &select->mir->arena;
   uint32_t count = shader->num_instructions + 1;

   select->labels =
      tg_arena_array(arena, count, SELECT_NUM_SIDES * sizeof(*select->labels));
   select->is_branch_target = tg_arena_alloc(arena, count);
   select->counters = tg_arena_array(arena, count, sizeof(*select->counters));
   if (!select->labels || !select->is_branch_target || !select->counters)
      return false;
   memset(select->counters, 0xff, count * sizeof(*select->counters));
   for (uint32_t i = 0; i < count * SELECT_NUM_SIDES; i++)
      select->labels[i].block = MIR_NONE;
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      if (tg_opcodes[shader->instructions[i].opcode].flow == TG_FLOW_BRANCH)
         select->is_branch_target[select->flow.nodes[i].partner] = true;
   }
   return true;
}

enum tg_result
select_program(struct select *select)
{
   struct mir *mir = select->mir;
   uint32_t *depths = tg_arena_array(
      &mir->arena, select->shader->num_instructions, sizeof(*depths));

   if (!depths || !create_labels(select))
      return TG_ERROR_MEMORY;
   select->block = mir_add_block(mir);
   if (select->block == MIR_NONE)
      return TG_ERROR_MEMORY;
   while (spread_depths(select, depths))
      ;
   select_range(select, select->flow.main_begin, select->flow.main_end);
   place_forward_label(select, end_label(select));
   mir->end = select->block;
   select_subroutines(select, depths);
   if (select->is_unreachable && select->block != mir->end)
      mir->num_blocks--; /* behind the last RET */
   if (select->result == TG_OK)
      resolve_labels(select);
   return select->result;
}
