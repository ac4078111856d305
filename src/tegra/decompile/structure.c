/* SPDX-License-Identifier: MIT
 *
 * Structured control flow from the dominator tree: IF, loops and subroutines.
 * Entries of the stack are temporaries.
 *
 * A function's nodes are emitted at their immediate dominator; a join follows
 * the ENDIF of the branch that it ends. Whatever else jumps leaves or continues
 * the innermost loop, or leaves the function.
 */
#include "tegra/decompile/function.h"
#include "tegra/decompile/graph.h"
#include "util/length.h"

#include <assert.h>
#include <string.h>

struct structure {
   struct decompile *decompile;
   struct decompile_functions functions;
   struct decompile_function *function; /* at work; and its graph */
   struct graph *graph;
   bool is_done[GRAPH_NUM_NODES];
   uint8_t is_awaited[GRAPH_NUM_NODES]; /* by how many constructs around */
   unsigned num_flags;                  /* in use */
   bool failed;
};

/* ---- graphs -------------------------------------------------------------- */

static void
add_edge(struct graph_node *node, int to)
{
   node->next[node->num_next++] = to < 0 ? GRAPH_EXIT : to;
}

static void
add_node(struct structure *structure, uint32_t number)
{
   assert(number < TG_LENGTH(structure->graph->nodes));
   struct decompile *decompile = structure->decompile;
   struct graph_node *node = &structure->graph->nodes[number];
   struct decompile_exits exits = decompile_flow_exits(decompile, number);

   if (exits.when != DECOMPILE_NEVER) {
      switch (exits.effect) {
      case TEGRA_EFFECT_RETURN: add_edge(node, GRAPH_EXIT); break;
      case TEGRA_EFFECT_CALL:
         add_edge(node, GRAPH_CALL + (int)number);
         add_edge(&structure->graph->nodes[GRAPH_CALL + number], exits.after);
         break;
      default: add_edge(node, exits.jump); break;
      }
   }
   if (exits.when != DECOMPILE_ALWAYS)
      add_edge(node, exits.next);
}

/* Does an instruction nothing but jump? */
static bool
only_jumps(const struct decompile *decompile, uint32_t number)
{
   assert(number < TG_LENGTH(decompile->instructions));
   const union tegra_instruction *instruction =
      &decompile->instructions[number];
   struct decompile_exits exits = decompile_flow_exits(decompile, number);

   return exits.effect == TEGRA_EFFECT_BRANCH &&
          exits.when == DECOMPILE_ALWAYS &&
          decompile_instruction_stack_effect(instruction) ==
             TEGRA_EFFECT_NONE &&
          !decompile_instruction_may_abort(decompile, instruction) &&
          !decompile_instruction_writes(decompile, instruction, TEGRA_VECTOR)
              .mask;
}

/* Edges lead where jumps do that they lead to. */
static void
skip_jumps(struct structure *structure, int *edge)
{
   for (unsigned i = 0; i < TG_TEGRA_MAX_INSTRUCTIONS && *edge < GRAPH_CALL &&
                        only_jumps(structure->decompile, (uint32_t)*edge);
        i++)
      *edge = structure->graph->nodes[*edge].next[0];
}

static bool
make_graph(struct structure *structure)
{
   struct graph *graph = structure->graph;

   *graph = (struct graph){.entry = (int)structure->function->entry};
   for (uint32_t i = 0; i < structure->decompile->num_instructions; i++) {
      if (structure->function->pushed[i] >= 0)
         add_node(structure, i);
   }
   skip_jumps(structure, &graph->entry);
   for (int i = 0; i < GRAPH_NUM_NODES; i++) {
      for (unsigned n = 0; n < graph->nodes[i].num_next; n++)
         skip_jumps(structure, &graph->nodes[i].next[n]);
   }
   return graph_analyse(graph);
}

/* ---- writing ------------------------------------------------------------- */

/* Where nodes lead without a jump, what BRK and CONT do, and what a flag leads
 * to that is looked at before `next`; GRAPH_NONE. */
struct place {
   int next, header, follow;
   int flagged;
   unsigned flag; /* component */
};

/* Does a line, or none, lead there? */
static bool
is_reachable_by_jump(const struct place *place, int node)
{
   return node == place->header || node == place->follow || node == GRAPH_EXIT;
}

static void
write_jump(struct structure *structure, const struct place *place, int node)
{
   decompile_text_line(structure->decompile, "%s",
                       node == place->header   ? "CONT"
                       : node == place->follow ? "BRK"
                                               : "RET");
}

static struct decompile_text
stacked(struct structure *structure, uint32_t number)
{
   struct decompile *decompile = structure->decompile;
   const struct decompile_function *function = structure->function;
   assert(number < TG_LENGTH(decompile->instructions));
   enum tegra_effect effect =
      decompile_instruction_stack_effect(&decompile->instructions[number]);

   if (effect == TEGRA_EFFECT_NONE)
      return (struct decompile_text){""};
   unsigned slot = function->vectors + (unsigned)function->pushed[number] -
                   (effect == TEGRA_EFFECT_POP);
   return decompile_text_role(decompile, DECOMPILE_STACK + slot);
}

/* Writes a node. Of one that parts, the operand of an IF is returned. */
static struct decompile_text
write_node(struct structure *structure, int node, bool is_negated)
{
   struct decompile *decompile = structure->decompile;
   struct decompile_text condition = {""};

   if (node >= GRAPH_CALL) {
      const union tegra_instruction *call =
         &decompile->instructions[node - GRAPH_CALL];
      const struct decompile_function *called =
         decompile_find_function(&structure->functions, call->rc_swz);

      decompile_text_line(decompile, "CAL :%u", (unsigned)called->begin);
      return condition;
   }
   uint32_t number = (uint32_t)node;
   const union tegra_instruction *instruction =
      &decompile->instructions[number];
   bool parts = structure->graph->nodes[node].num_next == 2;
   bool is_early = decompile_instruction_sets_condition(decompile, instruction);
   struct decompile_exits exits = decompile_flow_exits(decompile, number);

   /* What ends the program does nothing before. */
   if (tegra_isa_fault(instruction) != TG_TEGRA_ENDED ||
       (structure->function->is_main && exits.when == DECOMPILE_ALWAYS &&
        exits.effect == TEGRA_EFFECT_RETURN))
      return condition;
   if (decompile_instruction_may_abort(decompile, instruction))
      decompile_instruction_write_abort(decompile, instruction);
   if (parts && is_early)
      condition = decompile_predicate_condition(decompile, instruction,
                                                is_negated, is_early);
   decompile_instruction(decompile, number, stacked(structure, number).text);
   if (parts && !is_early)
      condition = decompile_predicate_condition(decompile, instruction,
                                                is_negated, is_early);
   return condition;
}

static bool
write_from(struct structure *structure, int node, struct place place,
           bool is_header_open);

static void
await(struct structure *structure, int node, int change)
{
   if (node != GRAPH_NONE)
      structure->is_awaited[node] =
         (uint8_t)(structure->is_awaited[node] + change);
}

/* Returns the node after the loop. */
static int
write_loop(struct structure *structure, int header)
{
   bool is_one_out;
   int follow = graph_loop_follow(structure->graph, header, &is_one_out);
   struct place place = {
      .next = header,
      .header = header,
      .follow = follow,
      .flagged = GRAPH_NONE,
   };

   structure->failed |= !is_one_out;
   await(structure, header, 1);
   await(structure, follow, 1);
   decompile_text_open(structure->decompile, "BGNLOOP");
   write_from(structure, header, place, true);
   decompile_text_close(structure->decompile, "ENDLOOP");
   await(structure, follow, -1);
   await(structure, header, -1);
   return follow;
}

/* Which way of a node that parts goes into the IF: that of the jump, or the
 * other? An empty one does not, a line alone does; else it is the one that the
 * jump jumps over, unless it takes an instruction more to ask for that. */
static bool
is_jump_first(const struct structure *structure, int node,
              const struct place *place)
{
   assert((unsigned)node < TG_LENGTH(structure->graph->nodes));
   const int *next = structure->graph->nodes[node].next;

   if (next[0] == place->next || next[1] == place->next)
      return next[1] == place->next;
   if (is_reachable_by_jump(place, next[0]) !=
       is_reachable_by_jump(place, next[1]))
      return is_reachable_by_jump(place, next[0]);
   return !decompile_predicate_is_negated_freely(
      &structure->decompile->instructions[node]);
}

static void
write_flag(struct structure *structure, const struct place *place, float value)
{
   struct decompile *decompile = structure->decompile;

   decompile_text_line(decompile, "MOV %s.%c, %s",
                       decompile_text_role(decompile, DECOMPILE_FLAGS).text,
                       "xyzw"[place->flag],
                       decompile_text_float(decompile, value).text);
}

/* What the flag leads to. */
static void
write_flagged(struct structure *structure, const struct place *place)
{
   struct decompile *decompile = structure->decompile;
   struct decompile_text flags =
      decompile_text_role(decompile, DECOMPILE_FLAGS);
   struct place inner = *place;
   char c = "xyzw"[place->flag];

   inner.flagged = GRAPH_NONE;
   await(structure, place->flagged, -1);
   decompile_text_open(decompile, "IF %s.%c%c%c%c", flags.text, c, c, c, c);
   write_from(structure, place->flagged, inner, false);
   decompile_text_close(decompile, "ENDIF");
   structure->num_flags--;
}

/* The join of two paths is after the IF. If some join before, as in "a or b",
 * what is there is after a second IF, for a flag. */
static void
find_joins(struct structure *structure, int node, struct place *place,
           int *join)
{
   int joins[3];
   unsigned count =
      graph_joins(structure->graph, node, structure->is_awaited, joins, 3);

   if (count > 2 || (count == 2 && structure->num_flags == 4))
      structure->failed = true;
   if (count > 0) {
      *join = place->next = joins[count - 1];
      place->flagged = GRAPH_NONE;
      await(structure, *join, 1);
   }
   if (count == 2) {
      place->flagged = joins[0];
      place->flag = structure->num_flags++;
      await(structure, place->flagged, 1);
   }
}

/* Writes both ways from a node up to where the place goes on; true if any way
 * comes there. */
static bool
write_ways(struct structure *structure, int node, struct place place)
{
   assert((unsigned)node < TG_LENGTH(structure->graph->nodes));
   struct decompile *decompile = structure->decompile;
   const int *next = structure->graph->nodes[node].next;
   bool is_taken = is_jump_first(structure, node, &place);
   int first = next[!is_taken], second = next[is_taken];
   struct decompile_text condition = write_node(structure, node, !is_taken);

   if (first == second)
      return write_from(structure, second, place, false);
   decompile_text_open(decompile, "IF %s", condition.text);
   bool passes = write_from(structure, first, place, false);
   if (!passes || second == place.next) {
      decompile_text_close(decompile, "ENDIF");
      return write_from(structure, second, place, false);
   }
   decompile->nesting--;
   decompile_text_open(decompile, "ELSE");
   write_from(structure, second, place, false);
   decompile_text_close(decompile, "ENDIF");
   return true;
}

/* Emits a node with two successors, and both paths up to their join, which is
 * put into `*join`. True if they come there. */
static bool
write_if(struct structure *structure, int node, struct place place, int *join)
{
   find_joins(structure, node, &place, join);
   bool has_flag = *join != GRAPH_NONE && place.flagged != GRAPH_NONE;
   if (structure->failed)
      return false;
   if (has_flag)
      write_flag(structure, &place, 0);
   bool passes = write_ways(structure, node, place);
   if (has_flag)
      write_flagged(structure, &place);
   await(structure, *join, -1);
   return passes;
}

/* Does the way end before a node, because it stands elsewhere? Then there
 * may be a jump to write, after which nothing passes. */
static bool
ends_at(struct structure *structure, struct place *place, int node,
        bool *passes_out)
{
   *passes_out = node == place->next || node == place->flagged;
   if (node == place->next)
      return true;
   if (node == place->flagged) {
      write_flag(structure, place, 1);
      return true;
   }
   if (is_reachable_by_jump(place, node)) {
      write_jump(structure, place, node);
      return true;
   }
   structure->failed |= structure->is_done[node] || structure->is_awaited[node];
   return structure->failed;
}

/* Writes all from a node on to where the place goes on. False when no way leads
 * there, but all jump. */
static bool
write_from(struct structure *structure, int node, struct place place,
           bool is_header_open)
{
   enum { MOST_NESTING = 100 };

   structure->failed |= structure->decompile->nesting > MOST_NESTING;
   while (!structure->failed) {
      const struct graph_node *at = &structure->graph->nodes[node];
      int join = GRAPH_NONE;
      bool passes;

      if (!is_header_open && ends_at(structure, &place, node, &passes))
         return passes;
      if (!is_header_open && at->is_header) {
         node = write_loop(structure, node);
         if (node == GRAPH_NONE)
            return false;
         continue;
      }
      is_header_open = false;
      structure->is_done[node] = true;
      if (at->num_next == 2) {
         passes = write_if(structure, node, place, &join);
         if (join == GRAPH_NONE)
            return passes;
         node = join;
         continue;
      }
      write_node(structure, node, false);
      node = at->next[0];
   }
   return false;
}

static void
write_function(struct structure *structure, uint32_t index)
{
   struct decompile *decompile = structure->decompile;
   struct place place = {GRAPH_EXIT, GRAPH_NONE, GRAPH_NONE, GRAPH_NONE, 0};

   structure->function = &structure->functions.items[index];
   memset(structure->is_done, 0, sizeof(structure->is_done));
   if (!make_graph(structure)) {
      structure->failed = true;
      return;
   }
   if (index) {
      structure->function->begin = decompile->num_lines;
      decompile_text_open(decompile, "BGNSUB");
   }
   bool passes = write_from(structure, structure->graph->entry, place, false);
   if (!index) {
      decompile_text_line(decompile, "END");
      return;
   }
   if (passes)
      decompile_text_line(decompile, "RET");
   decompile_text_close(decompile, "ENDSUB");
}

/* A second time when labels are known. */
bool
decompile_structure(struct decompile *decompile)
{
   struct structure structure = {
      .decompile = decompile,
      .functions = {.decompile = decompile},
   };

   structure.graph =
      tg_arena_alloc(&decompile->arena, sizeof(*structure.graph));
   if (!structure.graph) {
      decompile->out_of_memory = true;
      return false;
   }
   decompile_find_functions(&structure.functions);
   structure.failed = structure.functions.failed;
   decompile->is_structured = true;
   for (unsigned pass = 0; pass < 2 && !structure.failed; pass++) {
      if (pass && structure.functions.count == 1)
         break;
      decompile_text_clear(decompile);
      decompile_initialise_live(decompile);
      for (uint32_t i = 0; i < structure.functions.count && !structure.failed;
           i++)
         write_function(&structure, i);
   }
   decompile->is_structured = !structure.failed;
   return decompile->is_structured;
}
