/* SPDX-License-Identifier: MIT
 *
 * Flow as IF, loops and subroutines. A subroutine is what calls lead to, if
 * every way through it returns with the stack as it was, and nothing in it ends
 * the program. The depth of the stack is then known at each instruction, and
 * its entries are temporaries.
 *
 * A function's nodes are written where they are dominated from; where ways meet
 * again is written behind the IF that parted them. Whatever else jumps leaves
 * or continues the innermost loop, or leaves the function.
 */
#include "tegra/decompile_graph.h"

#include <string.h>

/* ---- functions ----------------------------------------------------------- */

struct function {
   uint32_t entry; /* instruction */
   bool is_main;
   bool is_stale;    /* is to be visited again */
   unsigned depth;   /* of the stack when it begins, at most */
   unsigned vectors; /* that are A0's */
   uint32_t begin;   /* number of its BGNSUB */
   /* Entries that it has pushed when it comes to an instruction; -1: it does
    * not. */
   int8_t pushed[TG_TEGRA_MAX_INSTRUCTIONS];
};

struct structure {
   struct decompile *decompile;
   struct function *functions;
   uint32_t num_functions, capacity;
   struct function *function; /* at work; and its graph */
   struct graph *graph;
   bool is_done[GRAPH_NUM_NODES];
   uint8_t is_awaited[GRAPH_NUM_NODES]; /* by how many constructs around */
   bool failed;
};

static struct function *
add_function(struct structure *structure, uint32_t entry, bool is_main)
{
   struct decompile *decompile = structure->decompile;

   if (!tg_arena_reserve(&decompile->arena, (void **)&structure->functions,
                         &structure->capacity, structure->num_functions,
                         sizeof(*structure->functions))) {
      decompile->out_of_memory = true;
      structure->failed = true;
      return NULL;
   }
   struct function *function =
      &structure->functions[structure->num_functions++];
   *function =
      (struct function){.entry = entry, .is_main = is_main, .is_stale = true};
   return function;
}

static struct function *
find_function(struct structure *structure, int entry)
{
   for (uint32_t i = 1; i < structure->num_functions; i++) {
      if (structure->functions[i].entry == (uint32_t)entry)
         return &structure->functions[i];
   }
   return add_function(structure, (uint32_t)entry, false);
}

/* A way through a function, as far as it is not followed. */
struct visit {
   struct structure *structure;
   uint32_t function;
   uint32_t stack[TG_TEGRA_MAX_INSTRUCTIONS];
   uint32_t num_waiting;
};

static struct function *
visited(struct visit *visit)
{
   return &visit->structure->functions[visit->function];
}

/* What a subroutine cannot do. */
static void
leave_program(struct visit *visit)
{
   visit->structure->failed |= !visited(visit)->is_main;
}

static void
visit_next(struct visit *visit, int next, int pushed)
{
   int8_t *known = next < 0 ? NULL : &visited(visit)->pushed[next];

   if (!known) {
      leave_program(visit);
   } else if (*known < 0) {
      *known = (int8_t)pushed;
      visit->stack[visit->num_waiting++] = (uint32_t)next;
   } else {
      visit->structure->failed |= *known != pushed;
   }
}

static void
visit_call(struct visit *visit, const struct decompile_exits *exits, int pushed)
{
   const struct function *caller = visited(visit);
   unsigned depth = caller->depth + (unsigned)pushed + 1;
   unsigned vectors = caller->vectors + (unsigned)pushed;

   if (exits->jump < 0 || depth > TG_TEGRA_STACK_DEPTH) {
      visit->structure->failed = true;
      return;
   }
   struct function *called = find_function(visit->structure, exits->jump);
   if (!called)
      return;
   if (called->depth < depth || called->vectors < vectors) {
      called->depth = called->depth < depth ? depth : called->depth;
      called->vectors = called->vectors < vectors ? vectors : called->vectors;
      called->is_stale = true;
   }
   visit_next(visit, exits->behind, pushed);
}

/* Of the main part a RET is the end, since the stack has nothing to return to;
 * but then the rest of the instruction does not happen. */
static void
visit_return(struct visit *visit, enum decompile_when when, int pushed)
{
   if (visited(visit)->is_main ? when == DECOMPILE_SOMETIMES : pushed != 0)
      visit->structure->failed = true;
}

static void
visit_instruction(struct visit *visit, uint32_t number)
{
   const struct decompile *decompile = visit->structure->decompile;
   const union tegra_instruction *instruction =
      &decompile->instructions[number];
   struct decompile_exits exits = decompile_exits(decompile, number);
   enum tegra_effect effect = decompile_stack_effect(instruction);
   int pushed = visited(visit)->pushed[number];

   if (decompile_abort(instruction) != TG_TEGRA_ENDED) {
      leave_program(visit);
      return;
   }
   if (decompile_may_abort(decompile, instruction))
      leave_program(visit);
   pushed += effect == TEGRA_EFFECT_PUSH  ? 1
             : effect == TEGRA_EFFECT_POP ? -1
                                          : 0;
   if (pushed < 0 ||
       visited(visit)->depth + (unsigned)pushed > TG_TEGRA_STACK_DEPTH) {
      visit->structure->failed = true;
      return;
   }
   if (exits.when != DECOMPILE_ALWAYS)
      visit_next(visit, exits.next, pushed);
   if (exits.when == DECOMPILE_NEVER)
      return;
   if (exits.effect == TEGRA_EFFECT_CALL)
      visit_call(visit, &exits, pushed);
   else if (exits.effect == TEGRA_EFFECT_RETURN)
      visit_return(visit, exits.when, pushed);
   else
      visit_next(visit, exits.jump, pushed);
}

static void
visit_function(struct structure *structure, uint32_t index)
{
   struct visit visit = {.structure = structure, .function = index};
   struct function *function = &structure->functions[index];

   function->is_stale = false;
   for (uint32_t i = 0; i < TG_TEGRA_MAX_INSTRUCTIONS; i++)
      function->pushed[i] = -1;
   visit_next(&visit, (int)function->entry, 0);
   while (visit.num_waiting && !structure->failed)
      visit_instruction(&visit, visit.stack[--visit.num_waiting]);
}

/* Calls make functions deeper until none changes; what calls itself gets too
 * deep. */
static void
find_functions(struct structure *structure)
{
   bool has_changed = true;

   add_function(structure, 0, true);
   while (has_changed && !structure->failed) {
      has_changed = false;
      for (uint32_t i = 0; i < structure->num_functions && !structure->failed;
           i++) {
         if (!structure->functions[i].is_stale)
            continue;
         visit_function(structure, i);
         has_changed = true;
      }
   }
}

/* ---- graphs -------------------------------------------------------------- */

static void
add_edge(struct graph_node *node, int to)
{
   node->next[node->num_next++] = to < 0 ? GRAPH_EXIT : to;
}

static void
add_node(struct structure *structure, uint32_t number)
{
   struct decompile *decompile = structure->decompile;
   struct graph_node *node = &structure->graph->nodes[number];
   struct decompile_exits exits = decompile_exits(decompile, number);

   if (exits.when != DECOMPILE_NEVER) {
      switch (exits.effect) {
      case TEGRA_EFFECT_RETURN: add_edge(node, GRAPH_EXIT); break;
      case TEGRA_EFFECT_CALL:
         add_edge(node, GRAPH_CALL + (int)number);
         add_edge(&structure->graph->nodes[GRAPH_CALL + number], exits.behind);
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
   const union tegra_instruction *instruction =
      &decompile->instructions[number];
   struct decompile_exits exits = decompile_exits(decompile, number);

   return exits.effect == TEGRA_EFFECT_BRANCH &&
          exits.when == DECOMPILE_ALWAYS &&
          decompile_stack_effect(instruction) == TEGRA_EFFECT_NONE &&
          !decompile_may_abort(decompile, instruction) &&
          !decompile_written(decompile, instruction, TEGRA_VECTOR).mask;
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

/* Where nodes lead without a jump, and what BRK and CONT do; GRAPH_NONE. */
struct place {
   int next, header, follow;
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
   decompile_line(structure->decompile, "%s",
                  node == place->header   ? "CONT"
                  : node == place->follow ? "BRK"
                                          : "RET");
}

static struct decompile_text
stacked(struct structure *structure, uint32_t number)
{
   struct decompile *decompile = structure->decompile;
   const struct function *function = structure->function;
   enum tegra_effect effect =
      decompile_stack_effect(&decompile->instructions[number]);

   if (effect == TEGRA_EFFECT_NONE)
      return (struct decompile_text){""};
   unsigned slot = function->vectors + (unsigned)function->pushed[number] -
                   (effect == TEGRA_EFFECT_POP);
   return decompile_role(decompile, DECOMPILE_STACK + slot);
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
      const struct function *called = find_function(structure, call->rc_swz);

      decompile_line(decompile, "CAL :%u", (unsigned)called->begin);
      return condition;
   }
   uint32_t number = (uint32_t)node;
   const union tegra_instruction *instruction =
      &decompile->instructions[number];
   bool parts = structure->graph->nodes[node].num_next == 2;
   bool is_early = decompile_sets_condition(decompile, instruction);
   struct decompile_exits exits = decompile_exits(decompile, number);

   /* What ends the program does nothing before. */
   if (decompile_abort(instruction) != TG_TEGRA_ENDED ||
       (structure->function->is_main && exits.when == DECOMPILE_ALWAYS &&
        exits.effect == TEGRA_EFFECT_RETURN))
      return condition;
   if (decompile_may_abort(decompile, instruction))
      decompile_write_abort(decompile, instruction);
   if (parts && is_early)
      condition =
         decompile_condition(decompile, instruction, is_negated, is_early);
   decompile_instruction(decompile, number, stacked(structure, number).text);
   if (parts && !is_early)
      condition =
         decompile_condition(decompile, instruction, is_negated, is_early);
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

/* Returns the node behind the loop. */
static int
write_loop(struct structure *structure, int header)
{
   bool is_one_out;
   int follow = graph_loop_follow(structure->graph, header, &is_one_out);
   struct place place = {.next = header, .header = header, .follow = follow};

   structure->failed |= !is_one_out;
   await(structure, header, 1);
   await(structure, follow, 1);
   decompile_open(structure->decompile, "BGNLOOP");
   write_from(structure, header, place, true);
   decompile_close(structure->decompile, "ENDLOOP");
   await(structure, follow, -1);
   await(structure, header, -1);
   return follow;
}

/* Which way of a node that parts goes into the IF: the shorter one, or the one
 * that the jump jumps over. */
static bool
is_jump_first(const int next[2], const struct place *place)
{
   if (next[0] == place->next)
      return false;
   if (next[1] == place->next)
      return true;
   return !is_reachable_by_jump(place, next[1]) &&
          is_reachable_by_jump(place, next[0]);
}

/* Writes a node with two ways out, and both ways up to where they meet, which
 * is put into `*join`. True if the end can be passed. */
static bool
write_if(struct structure *structure, int node, struct place place, int *join)
{
   struct decompile *decompile = structure->decompile;
   const int *next = structure->graph->nodes[node].next;
   bool is_one_out;

   *join =
      graph_join(structure->graph, node, structure->is_awaited, &is_one_out);
   structure->failed |= !is_one_out;
   if (*join != GRAPH_NONE)
      place.next = *join;
   await(structure, *join, 1);

   bool is_taken = is_jump_first(next, &place);
   int first = next[!is_taken], second = next[is_taken];
   struct decompile_text condition = write_node(structure, node, !is_taken);
   bool passes = true;

   if (first != second) {
      decompile_open(decompile, "IF %s", condition.text);
      passes = write_from(structure, first, place, false);
      if (passes && second != place.next) {
         decompile->nesting--;
         decompile_open(decompile, "ELSE");
         passes |= write_from(structure, second, place, false);
         decompile_close(decompile, "ENDIF");
      } else {
         decompile_close(decompile, "ENDIF");
         passes = write_from(structure, second, place, false);
      }
   } else {
      passes = write_from(structure, second, place, false);
   }
   await(structure, *join, -1);
   return passes;
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
      bool passes = true;

      if (!is_header_open && node == place.next)
         return true;
      if (!is_header_open && is_reachable_by_jump(&place, node)) {
         write_jump(structure, &place, node);
         return false;
      }
      if (!is_header_open &&
          (structure->is_done[node] || structure->is_awaited[node])) {
         structure->failed = true;
         break;
      }
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
   struct place place = {GRAPH_EXIT, GRAPH_NONE, GRAPH_NONE};

   structure->function = &structure->functions[index];
   memset(structure->is_done, 0, sizeof(structure->is_done));
   if (!make_graph(structure)) {
      structure->failed = true;
      return;
   }
   if (index) {
      structure->function->begin = decompile->num_lines;
      decompile_open(decompile, "BGNSUB");
   }
   bool passes = write_from(structure, structure->graph->entry, place, false);
   if (!index) {
      decompile_line(decompile, "END");
      return;
   }
   if (passes)
      decompile_line(decompile, "RET");
   decompile_close(decompile, "ENDSUB");
}

/* A second time when labels are known. */
bool
decompile_structure(struct decompile *decompile)
{
   struct structure structure = {.decompile = decompile};

   structure.graph =
      tg_arena_alloc(&decompile->arena, sizeof(*structure.graph));
   if (!structure.graph) {
      decompile->out_of_memory = true;
      return false;
   }
   find_functions(&structure);
   decompile->is_structured = true;
   for (unsigned pass = 0; pass < 2 && !structure.failed; pass++) {
      if (pass && structure.num_functions == 1)
         break;
      decompile_clear(decompile);
      decompile_initialise(decompile);
      for (uint32_t i = 0; i < structure.num_functions && !structure.failed;
           i++)
         write_function(&structure, i);
   }
   decompile->is_structured = !structure.failed;
   return decompile->is_structured;
}
