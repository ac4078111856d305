/* SPDX-License-Identifier: MIT
 *
 * Selection of control flow: what becomes of constructs, subroutines and
 * predicates.
 */
#include "tegra/select/flow.h"

static const struct tg_flow_node *
node(const struct select *select)
{
   return &select->flow.nodes[select->index];
}

/* The instruction after which BRK out of this loop or SWITCH leads. */
static uint32_t
closer_of(const struct select *select, uint32_t begin)
{
   return select->flow.nodes[begin].partner;
}

/* ---- conditions ---------------------------------------------------------- */

enum { SELECT_NOT_ZERO = SELECT_LESS | SELECT_GREATER };

/* Leads around the part before the partner where CR[0].x is 0. */
static void
skip_if_zero(struct select *select)
{
   uint32_t partner = node(select)->partner;
   bool has_else =
      select->shader->instructions[partner].opcode == TG_OPCODE_ELSE;

   select_jump_to_label(
      select, TEGRA_SCALAR_BRA,
      select_label_at(partner, has_else ? SELECT_BEHIND : SELECT_BEFORE),
      SELECT_EQUAL);
}

static void
set_condition(struct select *select, struct mir_source value)
{
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_condition_place(0, tegra_mask_bit(0)), value);
}

/* Sets CR[0].x to something else than "equal" where a bit of the operand is
 * set. */
static void
test_bits(struct select *select)
{
   set_condition(select, select_source_truth(select, 0, tegra_mask_bit(0)));
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
   select_branch_to_label(
      select, select_label_at(node(select)->partner, SELECT_BEFORE));
   select_place_used_label(select,
                           select_label_at(select->index, SELECT_BEHIND));
}

void
select_op_endif(struct select *select)
{
   select_place_used_label(select,
                           select_label_at(select->index, SELECT_BEFORE));
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
   set_condition(select, select_predicate_source(select, tegra_mask_bit(0)));
   select_jump_to_label(
      select, TEGRA_SCALAR_BRA, select_label_at(select->index, SELECT_BEHIND),
      select->instruction->predicate_negate ? SELECT_NOT_ZERO : SELECT_EQUAL);
}

void
select_end_guard(struct select *select)
{
   if (is_guarded(select))
      select_place_used_label(select,
                              select_label_at(select->index, SELECT_BEHIND));
}

/* ---- loops --------------------------------------------------------------- */

/* BRK leads after the closer, CONT before it, or where that leads. */

void
select_op_bgnloop(struct select *select)
{
   if (!select->is_unreachable)
      select_place_label(select, select_label_at(select->index, SELECT_BEHIND));
}

void
select_op_endloop(struct select *select)
{
   select_place_used_label(select,
                           select_label_at(select->index, SELECT_BEFORE));
   select_branch_to_label(
      select, select_label_at(node(select)->partner, SELECT_BEHIND));
   select_place_used_label(select,
                           select_label_at(select->index, SELECT_BEHIND));
}

void
select_op_brk(struct select *select)
{
   select_branch_to_label(
      select,
      select_label_at(closer_of(select, node(select)->partner), SELECT_BEHIND));
}

void
select_op_cont(struct select *select)
{
   uint32_t begin = node(select)->partner;

   if (select->shader->instructions[begin].opcode == TG_OPCODE_BGNLOOP) {
      select_branch_to_label(select, select_label_at(begin, SELECT_BEHIND));
      return;
   }
   select_branch_to_label(
      select,
      select_label_at(closer_of(select, node(select)->partner), SELECT_BEFORE));
}

void
select_op_breakc(struct select *select)
{
   test_bits(select);
   select_jump_to_label(
      select, TEGRA_SCALAR_BRA,
      select_label_at(closer_of(select, node(select)->partner), SELECT_BEHIND),
      SELECT_NOT_ZERO);
}

/* Begins a loop if a count is positive, which NaN is not. */
static void
begin_counted_loop(struct select *select, struct mir_source count)
{
   select_emit_vector2(select, TEGRA_VECTOR_SGT,
                       select_condition_place(0, tegra_mask_bit(0)), count,
                       mir_number(0.0f));
   select_jump_to_label(select, TEGRA_SCALAR_BRA,
                        select_label_at(node(select)->partner, SELECT_BEHIND),
                        SELECT_EQUAL);
   select_op_bgnloop(select);
}

/* Ends a loop that goes on while CR[0].x is greater than 0. */
static void
go_round_if_greater(struct select *select)
{
   select_jump_to_label(select, TEGRA_SCALAR_BRA,
                        select_label_at(node(select)->partner, SELECT_BEHIND),
                        SELECT_GREATER);
   select_place_used_label(select,
                           select_label_at(select->index, SELECT_BEHIND));
}

/* Takes one off a count, which CR[0].x then compares with 0, and goes round
 * while it is positive. */
static void
end_counted_loop(struct select *select, struct select_place place,
                 struct mir_source count)
{
   place.sets_condition = true;
   place.condition = 0;
   select_emit_vector2(select, TEGRA_VECTOR_ADD, place, count,
                       mir_number(-1.0f));
   go_round_if_greater(select);
}

/* As often as the operand says, rounded down. It is read once. */
void
select_op_rep(struct select *select)
{
   if (select->instruction->num_src == 0) {
      select_op_bgnloop(select);
      return;
   }

   struct mir_source count = mir_component(select_source(select, 0), 0);
   struct select_place counter =
      select_temporary_place(select, tegra_mask_bit(0));
   select->counters[select->index] = counter.temporary;
   select_emit_vector1(select, TEGRA_VECTOR_FLR, counter, count);
   begin_counted_loop(select, select_value(counter));
}

void
select_op_endrep(struct select *select)
{
   struct select_place counter =
      select_temporary_place(select, tegra_mask_bit(0));

   counter.temporary = select->counters[node(select)->partner];
   if (counter.temporary == MIR_NONE) {
      select_op_endloop(select);
      return;
   }
   select_place_used_label(select,
                           select_label_at(select->index, SELECT_BEFORE));
   end_counted_loop(select, counter, select_value(counter));
}

/* Index, count and step are x, y and z of the destination, where the shader
 * sees and may change them. */
void
select_op_bgnfor(struct select *select)
{
   struct select_place place = select_result(select);
   struct mir_source start = select_source(select, 0);
   struct select_place count =
      select_temporary_place(select, tegra_mask_bit(0));

   if (place.temporary == MIR_NONE) {
      select_refuse(select, SELECT_REFUSED_REGISTER);
      return;
   }
   select_emit_vector1(select, TEGRA_VECTOR_FLR, count,
                       mir_component(start, 1));
   select_emit_vector1(select, TEGRA_VECTOR_FLR, select_masked_place(place, 14),
                       start);
   begin_counted_loop(select, select_value(count));
}

/* What is tested is the count less one, whether the mask lets it be written. */
void
select_op_endfor(struct select *select)
{
   struct select_place place = select_result(select);
   struct mir_source value = select_value(place);
   struct select_place next = select_temporary_place(select, tegra_mask_bit(1));

   select_place_used_label(select,
                           select_label_at(select->index, SELECT_BEFORE));
   select_emit_vector2(select, TEGRA_VECTOR_ADD,
                       select_masked_place(place, tegra_mask_bit(0)), value,
                       mir_component(value, 2));
   select_emit_vector2(select, TEGRA_VECTOR_ADD, next, value,
                       mir_number(-1.0f));
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_masked_place(place, tegra_mask_bit(1)),
                       select_value(next));
   set_condition(select, mir_component(select_value(next), 1));
   go_round_if_greater(select);
}

/* ---- SWITCH -------------------------------------------------------------- */

/* All labels are compared where the SWITCH stands, in their order; if none is
 * equal it goes to DEFAULT, wherever that stands. */
void
select_op_switch(struct select *select)
{
   const struct tg_flow_node *nodes = select->flow.nodes;
   struct mir_source value = mir_component(select_source(select, 0), 0);
   uint32_t begin = select->index;
   uint32_t otherwise = nodes[begin].default_label;

   for (uint32_t i = nodes[begin].next; i != TG_NO_INSTRUCTION;
        i = nodes[i].next) {
      if (i == otherwise)
         continue;
      select_begin_instruction(select, i);
      select_emit_vector2(select, TEGRA_VECTOR_SEQ,
                          select_condition_place(0, tegra_mask_bit(0)), value,
                          mir_component(select_source(select, 0), 0));
      select_jump_to_label(select, TEGRA_SCALAR_BRA,
                           select_label_at(i, SELECT_BEHIND), SELECT_GREATER);
   }
   select_begin_instruction(select, begin);
   select_branch_to_label(select, select_label_at(otherwise == TG_NO_INSTRUCTION
                                                     ? nodes[begin].partner
                                                     : otherwise,
                                                  SELECT_BEHIND));
}

void
select_op_case(struct select *select)
{
   select_place_used_label(select,
                           select_label_at(select->index, SELECT_BEHIND));
}

void
select_op_endswitch(struct select *select)
{
   select_place_used_label(select,
                           select_label_at(select->index, SELECT_BEHIND));
}

/* ---- subroutines --------------------------------------------------------- */

void
select_op_cal(struct select *select)
{
   select_jump_to_label(select, TEGRA_SCALAR_CAL,
                        select_label_at(node(select)->partner, SELECT_BEHIND),
                        0);
}

void
select_op_callnz(struct select *select)
{
   test_bits(select);
   select_jump_to_label(select, TEGRA_SCALAR_CAL,
                        select_label_at(node(select)->partner, SELECT_BEHIND),
                        SELECT_NOT_ZERO);
}

/* In the main program the stack is empty, so that the unit's RET would end
 * badly. */
void
select_op_ret(struct select *select)
{
   if (select->is_subroutine)
      select_jump_to_label(select, TEGRA_SCALAR_RET, MIR_NONE, 0);
   else
      select_branch_to_label(select, select_end_label(select));
}

/* Inside of a construct; the unit does not mind what is on its stack. */
void
select_op_end(struct select *select)
{
   select_branch_to_label(select, select_end_label(select));
}

void
select_op_bra(struct select *select)
{
   select_branch_to_label(
      select, select_label_at(node(select)->partner, SELECT_BEFORE));
}
