/* SPDX-License-Identifier: MIT
 *
 * Reaching definitions, walked once: see webs_walk.h.
 */
#include "tegra/select/webs_walk.h"

#include <assert.h>
#include <string.h>

#include "tgsi/analysis/instruction.h"

/* ---- states -------------------------------------------------------------- */

static state
copy_state(struct walk *walk, state from)
{
   if (!from)
      return NULL;
   state to =
      tg_arena_array(walk->webs->arena, walk->num_components, sizeof(*to));
   if (to)
      memcpy(to, from, walk->num_components * sizeof(*to));
   else
      walk->failed = true;
   return to;
}

state
walk_joining_state(struct walk *walk)
{
   state to =
      tg_arena_array(walk->webs->arena, walk->num_components, sizeof(*to));

   for (uint32_t c = 0; to && c < walk->num_components; c++) {
      if (!webs_add(walk->webs, &to[c]))
         to = NULL;
   }
   if (!to)
      walk->failed = true;
   return to;
}

static void
flow_into(struct walk *walk, state joining)
{
   for (uint32_t c = 0;
        !walk->failed && walk->at && joining && c < walk->num_components; c++) {
      if (!webs_add_input(walk->webs, joining[c], walk->at[c]))
         walk->failed = true;
   }
}

/* What components have where two paths meet. `a` is changed. */
static state
meet(struct walk *walk, state a, state b)
{
   if (!a || !b)
      return a ? a : copy_state(walk, b);
   for (uint32_t c = 0; c < walk->num_components; c++) {
      uint32_t joined;

      if (a[c] == b[c])
         continue;
      if (!webs_add(walk->webs, &joined) ||
          !webs_add_input(walk->webs, joined, a[c]) ||
          !webs_add_input(walk->webs, joined, b[c])) {
         walk->failed = true;
         return a;
      }
      a[c] = joined;
   }
   return a;
}

/* ---- operands ------------------------------------------------------------ */

/* The number of the first component that a register has in a state, or NONE. */
static uint32_t
first_component(const struct walk *walk, const struct tg_register *reg)
{
   uint32_t index = (uint32_t)reg->index.offset;

   if (reg->index.indirect)
      return WEB_NONE;
   if (reg->file != TG_FILE_TEMP || walk->is_array[index])
      return WEB_NONE;
   return index * 4;
}

/* Of what is in no state. */
static uint32_t
fixed_web(const struct tg_register *reg)
{
   switch ((enum tg_file)reg->file) {
   case TG_FILE_IMM: return reg->index.indirect ? WEB_WORDS : WEB_LITERAL;
   case TG_FILE_ADDR: return WEB_ADDRESSES;
   case TG_FILE_TEMP: return WEB_ARRAYS;
   default: return WEB_WORDS;
   }
}

static void
read_source(struct walk *walk, uint32_t index, unsigned number)
{
   assert(index < walk->shader->num_instructions);
   const struct tg_instruction *instruction =
      &walk->shader->instructions[index];
   assert(number < instruction->num_src);
   const struct tg_src *src = &instruction->src[number];
   const struct tg_opcode_info *row =
      tg_instruction_row(walk->shader, instruction);
   unsigned reads = tg_instruction_reads(instruction, row, number);
   uint32_t first = first_component(walk, &src->reg);
   uint32_t *operand = walk->webs->operands[index][number + 1];

   for (unsigned c = 0; c < 4; c++) {
      if (!(reads & 1u << c))
         continue;
      operand[c] = first == WEB_NONE ? fixed_web(&src->reg)
                                     : walk->at[first + src->swizzle[c]];
      if (first != WEB_NONE)
         walk->webs->list[operand[c]].is_used = true;
   }
}

/* A predicated write leaves the old value in place, as one to an array does. */
static void
write_destination(struct walk *walk, uint32_t index)
{
   assert(index < walk->shader->num_instructions);
   const struct tg_instruction *instruction =
      &walk->shader->instructions[index];
   const struct tg_dst *dst = &instruction->dst[0];
   uint32_t first = first_component(walk, &dst->reg);
   uint32_t *operand = walk->webs->operands[index][0];

   for (unsigned c = 0; c < 4; c++) {
      if (!(dst->writemask & 1u << c))
         continue;
      if (first == WEB_NONE) {
         operand[c] = fixed_web(&dst->reg);
      } else if (instruction->has_predicate || walk->merges_all) {
         operand[c] = walk->at[first + c];
         walk->webs->list[operand[c]].is_used = true;
      } else {
         if (!webs_add(walk->webs, &operand[c]))
            walk->failed = true;
         walk->at[first + c] = operand[c];
      }
   }
}

/* A SWITCH looks at the operands of all its labels. */
static void
read_labels(struct walk *walk, uint32_t index)
{
   const struct tg_flow_node *nodes = walk->flow->nodes;

   for (uint32_t i = nodes[index].next; i != TG_NO_INSTRUCTION;
        i = nodes[i].next) {
      if (walk->shader->instructions[i].num_src)
         read_source(walk, i, 0);
   }
}

static void
walk_operands(struct walk *walk, uint32_t index)
{
   assert(index < walk->shader->num_instructions);
   const struct tg_instruction *instruction =
      &walk->shader->instructions[index];

   enum tg_flow flow = tg_opcode_row(instruction->opcode)->flow;

   if (flow == TG_FLOW_CASE)
      return;
   for (unsigned s = 0; s < instruction->num_src && s + 1 < WEBS_MAX_OPERANDS;
        s++)
      read_source(walk, index, s);
   if (flow == TG_FLOW_SWITCH)
      read_labels(walk, index);
   if (instruction->num_dst)
      write_destination(walk, index);
}

/* ---- control flow -------------------------------------------------------- */

static struct frame *
innermost(struct walk *walk)
{
   return &walk->open[walk->num_open - 1];
}

static void
open_frame(struct walk *walk, uint32_t index, state entry)
{
   walk->open[walk->num_open++] = (struct frame){index, entry, NULL};
}

static struct frame *
frame_of(struct walk *walk, uint32_t begin)
{
   uint32_t i = walk->num_open - 1;

   while (i > 0 && walk->open[i].begin != begin)
      i--;
   return &walk->open[i];
}

static void
walk_call(struct walk *walk, uint32_t index)
{
   uint32_t begin = walk->flow->nodes[index].partner;
   bool is_conditional = walk->shader->instructions[index].num_src > 0 ||
                         walk->shader->instructions[index].has_predicate;

   flow_into(walk, walk->sub_entry[begin]);
   if (walk->failed)
      return;
   state after = copy_state(walk, walk->sub_exit[begin]);
   walk->at = is_conditional ? meet(walk, after, walk->at) : after;
}

/* BRK, CONT and RET; what stands after them is reached if they have a
 * condition. */
static void
walk_leave(struct walk *walk, uint32_t index, enum tg_flow flow)
{
   uint32_t partner = walk->flow->nodes[index].partner;
   bool is_conditional = walk->shader->instructions[index].num_src > 0 ||
                         walk->shader->instructions[index].has_predicate;

   if (flow == TG_FLOW_RETURN) {
      if (partner != TG_NO_INSTRUCTION)
         flow_into(walk, walk->sub_exit[partner]);
   } else {
      struct frame *frame = frame_of(walk, partner);

      if (flow == TG_FLOW_CONTINUE)
         flow_into(walk, frame->entry);
      else
         frame->leaving = frame->leaving ? meet(walk, frame->leaving, walk->at)
                                         : copy_state(walk, walk->at);
   }
   if (!is_conditional)
      walk->at = NULL;
}

static void
walk_loop(struct walk *walk, uint32_t index)
{
   state head = walk->at ? walk_joining_state(walk) : NULL;

   flow_into(walk, head);
   open_frame(walk, index, head);
   walk->at = copy_state(walk, head);
}

/* A loop that counts may end at its head; to others only BRK puts an end. */
static void
walk_endloop(struct walk *walk)
{
   struct frame *frame = innermost(walk);

   flow_into(walk, frame->entry);
   walk->at = frame->leaving;
   if (walk->shader->instructions[frame->begin].opcode != TG_OPCODE_BGNLOOP)
      walk->at = meet(walk, walk->at, frame->entry);
   walk->num_open--;
}

static void
walk_flow(struct walk *walk, uint32_t index, enum tg_flow flow)
{
   struct frame *frame = innermost(walk);
   state other;

   switch (flow) {
   case TG_FLOW_IF:
   case TG_FLOW_SWITCH:
      open_frame(walk, index, copy_state(walk, walk->at));
      if (flow == TG_FLOW_SWITCH)
         walk->at = NULL;
      break;
   case TG_FLOW_ELSE:
      other = frame->entry;
      frame->entry = walk->at;
      walk->at = other;
      break;
   case TG_FLOW_ENDIF:
      walk->at = meet(walk, walk->at, frame->entry);
      walk->num_open--;
      break;
   case TG_FLOW_LOOP: walk_loop(walk, index); break;
   case TG_FLOW_ENDLOOP: walk_endloop(walk); break;
   case TG_FLOW_CASE: walk->at = meet(walk, walk->at, frame->entry); break;
   case TG_FLOW_ENDSWITCH:
      walk->at = meet(walk, meet(walk, walk->at, frame->entry), frame->leaving);
      walk->num_open--;
      break;
   case TG_FLOW_SUB:
      open_frame(walk, index, NULL);
      walk->at = copy_state(walk, walk->sub_entry[index]);
      break;
   case TG_FLOW_ENDSUB:
      flow_into(walk, walk->sub_exit[frame->begin]);
      walk->at = NULL;
      walk->num_open--;
      break;
   case TG_FLOW_END: walk->at = NULL; break;
   case TG_FLOW_CALL:
      if (walk->at)
         walk_call(walk, index);
      break;
   case TG_FLOW_BREAK:
   case TG_FLOW_CONTINUE:
   case TG_FLOW_RETURN:
      if (walk->at)
         walk_leave(walk, index, flow);
      break;
   case TG_FLOW_BRANCH: /* merges_all */
   case TG_FLOW_NONE: break;
   }
}

void
walk_shader(struct walk *walk)
{
   open_frame(walk, TG_NO_INSTRUCTION, NULL);
   for (uint32_t i = 0; i < walk->shader->num_instructions && !walk->failed;
        i++) {
      enum tg_flow flow =
         tg_opcode_row(walk->shader->instructions[i].opcode)->flow;

      if (walk->at)
         walk_operands(walk, i);
      if (!walk->failed && !walk->merges_all)
         walk_flow(walk, i, flow);
   }
}
