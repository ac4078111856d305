/* SPDX-License-Identifier: MIT
 *
 * Matching of control-flow constructs: one walk over the instructions with a
 * stack of open constructs, whose depth is bounded; then jumps are checked,
 * whose targets may lie further on.
 */
#include "tgsi/analysis/flow.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* An open construct, and what is innermost inside of it. */
struct scope {
   uint32_t begin;      /* IF, loop, SWITCH or BGNSUB */
   uint32_t opener;     /* the same, or the ELSE that followed the IF */
   uint32_t breakable;  /* loop or SWITCH that a BRK leaves */
   uint32_t loop;       /* loop that a CONT continues */
   uint32_t subroutine; /* BGNSUB */
   uint32_t last_label; /* of a SWITCH: its latest CASE or DEFAULT */
};

struct walk {
   const struct tg_shader *shader;
   struct tg_diagnostics *diagnostics;
   struct tg_flow_info *flow;
   enum tg_result result;
   struct scope scopes[TG_MAX_NESTING + 1]; /* [0] is the whole shader */
   unsigned depth;
   uint32_t first_stop; /* first END or BGNSUB outside of all constructs */
   bool has_main;       /* see is_of_main() */
};

static uint16_t
opcode_at(const struct walk *walk, uint32_t index)
{
   assert(index < walk->shader->num_instructions);
   return walk->shader->instructions[index].opcode;
}

static const char *
name_at(const struct walk *walk, uint32_t index)
{
   assert(index < walk->shader->num_instructions);
   return tg_opcode_row(opcode_at(walk, index))->name;
}

static struct scope *
innermost(struct walk *walk)
{
   return &walk->scopes[walk->depth];
}

__attribute__((format(printf, 5, 6))) static void
fault(struct walk *walk, uint32_t index, const char *code, const char *note,
      const char *format, ...)
{
   assert(index < walk->shader->num_instructions);
   va_list args;

   walk->result = TG_ERROR_INPUT;
   va_start(args, format);
   tg_vdiagnose(walk->diagnostics, TG_SEVERITY_ERROR, code,
                &walk->shader->source,
                walk->shader->instructions[index].position, note, format, args);
   va_end(args);
}

/* ---- constructs ---------------------------------------------------------- */

/* An opcode that is closed by this one: the first of the table. */
static const char *
opener_name(uint16_t closer)
{
   for (int i = 0; i < TG_NUM_OPCODES; i++) {
      if (tg_opcode_row(i)->name && tg_opcode_row(i)->closer == closer)
         return tg_opcode_row(i)->name;
   }
   return "?";
}

static struct scope *
open_scope(struct walk *walk, uint32_t index)
{
   if (walk->depth == TG_MAX_NESTING) {
      char note[64];

      snprintf(note, sizeof(note), "constructs nest at most %d deep",
               TG_MAX_NESTING);
      fault(walk, index, "nesting-too-deep", note, "%s is nested too deeply",
            name_at(walk, index));
      return NULL;
   }

   struct scope scope = *innermost(walk);
   scope.begin = scope.opener = index;
   scope.last_label = TG_NO_INSTRUCTION;
   walk->scopes[++walk->depth] = scope;
   if (walk->flow->max_depth < walk->depth)
      walk->flow->max_depth = walk->depth;
   return innermost(walk);
}

static void
report_unclosed(struct walk *walk, const struct scope *scope)
{
   uint16_t closer = tg_opcode_row(opcode_at(walk, scope->opener))->closer;
   char note[48];

   snprintf(note, sizeof(note), "expected %s", tg_opcode_row(closer)->name);
   fault(walk, scope->opener, "unclosed-construct", note, "%s is not closed",
         name_at(walk, scope->opener));
}

/* Makes the construct that `closer` ends the innermost one and returns it.
 * Those inside of it were not closed. A construct never ends outside of the
 * subroutine in which it began. */
static struct scope *
find_scope(struct walk *walk, uint32_t index, uint16_t closer)
{
   unsigned depth = walk->depth;

   while (depth > 0) {
      uint16_t opener = opcode_at(walk, walk->scopes[depth].opener);

      if (tg_opcode_row(opener)->closer == closer)
         break;
      depth = opener == TG_OPCODE_BGNSUB ? 0 : depth - 1;
   }
   if (depth == 0) {
      fault(walk, index, "unopened-construct", NULL, "%s without %s",
            name_at(walk, index), opener_name(closer));
      return NULL;
   }
   for (; walk->depth > depth; walk->depth--)
      report_unclosed(walk, innermost(walk));
   return innermost(walk);
}

/* ---- one instruction ----------------------------------------------------- */

/* Each returns false when the walk must end. */

static bool
visit_if(struct walk *walk, uint32_t index)
{
   return open_scope(walk, index) != NULL;
}

static bool
visit_else(struct walk *walk, uint32_t index)
{
   struct scope *scope = find_scope(walk, index, TG_OPCODE_ENDIF);

   if (!scope)
      return true;
   if (scope->opener != scope->begin) {
      fault(walk, index, "second-else", NULL, "IF has a second ELSE");
      return true;
   }
   walk->flow->nodes[scope->begin].partner = index;
   walk->flow->nodes[index].parent = walk->flow->nodes[scope->begin].parent;
   scope->opener = index;
   return true;
}

static bool
visit_end_of_construct(struct walk *walk, uint32_t index)
{
   struct scope *scope = find_scope(walk, index, opcode_at(walk, index));

   if (!scope)
      return true;
   walk->flow->nodes[scope->opener].partner = index;
   walk->flow->nodes[index].partner = scope->begin;
   walk->flow->nodes[index].parent = walk->flow->nodes[scope->begin].parent;
   walk->depth--;
   return true;
}

static bool
visit_loop(struct walk *walk, uint32_t index)
{
   struct scope *scope = open_scope(walk, index);

   if (!scope)
      return false;
   scope->breakable = scope->loop = index;
   return true;
}

static bool
visit_switch(struct walk *walk, uint32_t index)
{
   struct scope *scope = open_scope(walk, index);

   if (!scope)
      return false;
   scope->breakable = index;
   return true;
}

static bool
visit_case(struct walk *walk, uint32_t index)
{
   struct scope *scope = innermost(walk);
   struct tg_flow_node *nodes = walk->flow->nodes;

   if (walk->depth == 0 || opcode_at(walk, scope->begin) != TG_OPCODE_SWITCH) {
      fault(walk, index, "label-outside-switch",
            "it stands directly inside of SWITCH and ENDSWITCH",
            "%s outside of SWITCH", name_at(walk, index));
      return true;
   }
   if (opcode_at(walk, index) == TG_OPCODE_DEFAULT) {
      if (nodes[scope->begin].default_label != TG_NO_INSTRUCTION)
         fault(walk, index, "second-default", NULL,
               "SWITCH has a second DEFAULT");
      else
         nodes[scope->begin].default_label = index;
   }

   uint32_t previous =
      scope->last_label == TG_NO_INSTRUCTION ? scope->begin : scope->last_label;
   nodes[previous].next = index;
   nodes[index].partner = scope->begin;
   scope->last_label = index;
   return true;
}

static bool
visit_subroutine(struct walk *walk, uint32_t index)
{
   struct tg_flow_info *flow = walk->flow;

   if (walk->depth > 0)
      fault(walk, index, "nested-subroutine",
            "subroutines stand outside of all constructs, after END",
            "BGNSUB inside of %s", name_at(walk, innermost(walk)->opener));
   else if (walk->first_stop == TG_NO_INSTRUCTION)
      walk->first_stop = index;

   struct scope *scope = open_scope(walk, index);
   if (!scope)
      return false;
   scope->breakable = scope->loop = TG_NO_INSTRUCTION;
   scope->subroutine = index;
   flow->subroutines[flow->num_subroutines++] = index;
   return true;
}

/* A BRK or CONT may not leave a loop of the caller. */
static const char *
caller_note(const struct scope *scope)
{
   return scope->subroutine == TG_NO_INSTRUCTION
             ? NULL
             : "a subroutine cannot leave a construct of its caller";
}

static bool
visit_break(struct walk *walk, uint32_t index)
{
   const struct scope *scope = innermost(walk);

   if (scope->breakable == TG_NO_INSTRUCTION)
      fault(walk, index, "break-outside-loop", caller_note(scope),
            "%s outside of a loop and of SWITCH", name_at(walk, index));
   walk->flow->nodes[index].partner = scope->breakable;
   return true;
}

static bool
visit_continue(struct walk *walk, uint32_t index)
{
   const struct scope *scope = innermost(walk);

   if (scope->loop == TG_NO_INSTRUCTION)
      fault(walk, index, "continue-outside-loop", caller_note(scope),
            "%s outside of a loop", name_at(walk, index));
   walk->flow->nodes[index].partner = scope->loop;
   return true;
}

static bool
visit_return(struct walk *walk, uint32_t index)
{
   walk->flow->nodes[index].partner = innermost(walk)->subroutine;
   return true;
}

/* Inside of a construct it ends the active lanes, where the dialect allows it.
 * That END does not close the program. */
static bool
visit_end(struct walk *walk, uint32_t index)
{
   const bool may_nest = tg_dialect_row(walk->shader->dialect)->end_nests;

   if (walk->depth > 0 && may_nest) {
      walk->flow->nodes[index].partner = innermost(walk)->subroutine;
      walk->flow->num_ends--;
      return true;
   }
   if (walk->depth > 0)
      fault(walk, index, "nested-end", "RET ends a lane anywhere",
            "END inside of %s", name_at(walk, innermost(walk)->opener));
   else if (walk->first_stop == TG_NO_INSTRUCTION)
      walk->first_stop = index;
   return true;
}

/* By enum tg_flow; CALL and BRANCH have their turn when all is paired. */
static bool (*const visit[])(struct walk *walk, uint32_t index) = {
   [TG_FLOW_IF] = visit_if,
   [TG_FLOW_ELSE] = visit_else,
   [TG_FLOW_ENDIF] = visit_end_of_construct,
   [TG_FLOW_LOOP] = visit_loop,
   [TG_FLOW_ENDLOOP] = visit_end_of_construct,
   [TG_FLOW_SWITCH] = visit_switch,
   [TG_FLOW_CASE] = visit_case,
   [TG_FLOW_ENDSWITCH] = visit_end_of_construct,
   [TG_FLOW_SUB] = visit_subroutine,
   [TG_FLOW_ENDSUB] = visit_end_of_construct,
   [TG_FLOW_BREAK] = visit_break,
   [TG_FLOW_CONTINUE] = visit_continue,
   [TG_FLOW_RETURN] = visit_return,
   [TG_FLOW_END] = visit_end,
};
enum { NUM_VISITS = sizeof(visit) / sizeof(visit[0]) };

/* Does an instruction outside of all constructs make a main part? Neither NOP
 * does nor the END that closes a program of subroutines. */
static bool
is_of_main(const struct walk *walk, uint32_t index)
{
   enum tg_opcode opcode = opcode_at(walk, index);

   return opcode != TG_OPCODE_NOP &&
          tg_opcode_row(opcode)->flow != TG_FLOW_SUB &&
          (opcode != TG_OPCODE_END || walk->flow->num_subroutines == 0);
}

/* False when the nesting became too deep to go on. */
static bool
pair_constructs(struct walk *walk)
{
   const struct tg_shader *shader = walk->shader;

   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      unsigned flow = tg_opcode_row(opcode_at(walk, i))->flow;

      walk->flow->nodes[i].parent = innermost(walk)->opener;
      if (walk->depth == 0 && is_of_main(walk, i))
         walk->has_main = true;
      if (flow < NUM_VISITS && visit[flow] && !visit[flow](walk, i))
         return false;
   }
   for (; walk->depth > 0; walk->depth--)
      report_unclosed(walk, innermost(walk));
   return true;
}

/* ---- jumps --------------------------------------------------------------- */

static void
check_call(struct walk *walk, uint32_t index)
{
   const struct tg_shader *shader = walk->shader;
   assert(index < shader->num_instructions);
   const struct tg_instruction *call = &shader->instructions[index];
   static const char note[] = "a label is the number of a BGNSUB";

   if (!call->has_label) {
      fault(walk, index, "missing-label", note, "%s without a label",
            name_at(walk, index));
      return;
   }
   if (call->label >= shader->num_instructions ||
       opcode_at(walk, call->label) != TG_OPCODE_BGNSUB) {
      fault(walk, index, "bad-label", note,
            "%s :%u does not lead to a subroutine", name_at(walk, index),
            call->label);
      return;
   }
   walk->flow->nodes[index].partner = call->label;
}

static void
check_branch(struct walk *walk, uint32_t index)
{
   const struct tg_shader *shader = walk->shader;
   assert(index < shader->num_instructions);
   const struct tg_instruction *branch = &shader->instructions[index];
   struct tg_flow_node *nodes = walk->flow->nodes;

   if (!branch->has_label) {
      fault(walk, index, "missing-label",
            "a label is the number of an instruction", "BRA without a label");
      return;
   }
   if (branch->label >= shader->num_instructions) {
      char note[64];

      snprintf(note, sizeof(note), "the last instruction is %u",
               shader->num_instructions - 1);
      fault(walk, index, "bad-label", note, "BRA :%u leads out of the shader",
            branch->label);
      return;
   }
   if (nodes[branch->label].parent != nodes[index].parent) {
      fault(walk, index, "bad-label",
            "a jump stays inside of its IF, loop, SWITCH and subroutine",
            "BRA :%u leads into another construct", branch->label);
      return;
   }
   nodes[index].partner = branch->label;
}

static void
check_jumps(struct walk *walk)
{
   for (uint32_t i = 0; i < walk->shader->num_instructions; i++) {
      unsigned flow = tg_opcode_row(opcode_at(walk, i))->flow;

      if (flow == TG_FLOW_CALL)
         check_call(walk, i);
      else if (flow == TG_FLOW_BRANCH)
         check_branch(walk, i);
   }
}

/* ---- the whole ----------------------------------------------------------- */

static void
find_main(struct walk *walk)
{
   struct tg_flow_info *flow = walk->flow;

   flow->main_begin = 0;
   flow->main_end = walk->first_stop == TG_NO_INSTRUCTION
                       ? walk->shader->num_instructions
                       : walk->first_stop;
   flow->only_subroutines = walk->shader->processor == TG_PROCESSOR_COMP &&
                            flow->num_subroutines && !walk->has_main;
   if (!flow->only_subroutines)
      return;

   uint32_t kernel = flow->subroutines[0];
   flow->main_begin = kernel + 1;
   flow->main_end = flow->nodes[kernel].partner;
   if (flow->main_end == TG_NO_INSTRUCTION)
      flow->main_end = walk->shader->num_instructions;
}

static uint32_t
count_opcode(const struct tg_shader *shader, enum tg_opcode opcode)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < shader->num_instructions; i++)
      count += shader->instructions[i].opcode == opcode;
   return count;
}

enum tg_result
tg_flow_analyse(const struct tg_shader *shader,
                struct tg_diagnostics *diagnostics,
                struct tg_flow_info *flow_out)
{
   struct walk walk = {
      .shader = shader,
      .diagnostics = diagnostics,
      .flow = flow_out,
      .result = TG_OK,
      .first_stop = TG_NO_INSTRUCTION,
   };
   /* Nothing is open: every field is TG_NO_INSTRUCTION. */
   memset(&walk.scopes[0], 0xff, sizeof(walk.scopes[0]));

   *flow_out = (struct tg_flow_info){0};
   tg_arena_init(&flow_out->arena, shader->arena.allocator);
   flow_out->nodes = tg_arena_array(&flow_out->arena, shader->num_instructions,
                                    sizeof(*flow_out->nodes));
   flow_out->subroutines =
      tg_arena_array(&flow_out->arena, count_opcode(shader, TG_OPCODE_BGNSUB),
                     sizeof(*flow_out->subroutines));
   if (!flow_out->nodes || !flow_out->subroutines)
      return TG_ERROR_MEMORY;
   memset(flow_out->nodes, 0xff,
          shader->num_instructions * sizeof(*flow_out->nodes));

   flow_out->num_ends = count_opcode(shader, TG_OPCODE_END);
   if (pair_constructs(&walk))
      check_jumps(&walk);
   find_main(&walk);
   return walk.result;
}

void
tg_flow_finish(struct tg_flow_info *flow)
{
   tg_arena_finish(&flow->arena);
}
