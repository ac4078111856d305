/* SPDX-License-Identifier: MIT
 *
 * Dominators (Cooper, Harvey and Kennedy), and the natural loops that back
 * edges show.
 */
#include "tegra/decompile/graph.h"

#include <string.h>

/* ---- order --------------------------------------------------------------- */

static void
sort(struct graph *graph)
{
   int stack[GRAPH_NUM_NODES], at[GRAPH_NUM_NODES];
   int postorder[GRAPH_NUM_NODES];
   int depth = 0, count = 0;

   for (int i = 0; i < GRAPH_NUM_NODES; i++)
      graph->nodes[i].order = -1;
   stack[depth] = graph->entry;
   at[depth++] = 0;
   graph->nodes[graph->entry].order = 0;
   while (depth) {
      const struct graph_node *node = &graph->nodes[stack[depth - 1]];

      if (at[depth - 1] == node->num_next) {
         postorder[count++] = stack[--depth];
         continue;
      }
      /* The last way first, so that it comes last in the order. */
      int next = node->next[node->num_next - 1 - at[depth - 1]++];
      if (graph->nodes[next].order < 0) {
         graph->nodes[next].order = 0;
         stack[depth] = next;
         at[depth++] = 0;
      }
   }
   graph->num_sorted = count;
   for (int i = 0; i < count; i++) {
      graph->sorted[i] = postorder[count - 1 - i];
      graph->nodes[graph->sorted[i]].order = i;
   }
}

/* ---- dominators ---------------------------------------------------------- */

static int
common_dominator(const struct graph *graph, int a, int b)
{
   while (a != b) {
      while (graph->nodes[a].order > graph->nodes[b].order)
         a = graph->nodes[a].dominator;
      while (graph->nodes[b].order > graph->nodes[a].order)
         b = graph->nodes[b].dominator;
   }
   return a;
}

static bool
dominates(const struct graph *graph, int a, int b)
{
   while (graph->nodes[b].order > graph->nodes[a].order)
      b = graph->nodes[b].dominator;
   return a == b;
}

static void
find_dominators(struct graph *graph)
{
   bool has_changed = true;

   for (int i = 0; i < graph->num_sorted; i++)
      graph->nodes[graph->sorted[i]].dominator = GRAPH_NONE;
   graph->nodes[graph->entry].dominator = graph->entry;
   while (has_changed) {
      has_changed = false;
      for (int i = 0; i < graph->num_sorted; i++) {
         int from = graph->sorted[i];
         const struct graph_node *node = &graph->nodes[from];

         for (unsigned n = 0; n < node->num_next; n++) {
            int to = node->next[n];
            int before = graph->nodes[to].dominator;
            int after = before == GRAPH_NONE
                           ? from
                           : common_dominator(graph, before, from);

            if (to == graph->entry || after == before)
               continue;
            graph->nodes[to].dominator = after;
            has_changed = true;
         }
      }
   }
}

bool
graph_analyse(struct graph *graph)
{
   sort(graph);
   find_dominators(graph);
   for (int i = 0; i < graph->num_sorted; i++) {
      int from = graph->sorted[i];

      for (unsigned n = 0; n < graph->nodes[from].num_next; n++) {
         struct graph_node *to = &graph->nodes[graph->nodes[from].next[n]];

         if (to->order > i) {
            to->num_forward++;
            continue;
         }
         if (!dominates(graph, graph->sorted[to->order], from))
            return false;
         to->is_header = true;
      }
   }
   return true;
}

/* ---- loops --------------------------------------------------------------- */

/* The nodes that come back to the header without passing it. */
static void
find_body(const struct graph *graph, int header, bool body[GRAPH_NUM_NODES])
{
   bool has_changed = true;

   memset(body, 0, GRAPH_NUM_NODES * sizeof(*body));
   body[header] = true;
   while (has_changed) {
      has_changed = false;
      for (int i = graph->num_sorted; i-- > 0;) {
         int from = graph->sorted[i];

         for (unsigned n = 0; n < graph->nodes[from].num_next; n++) {
            if (body[from] || !body[graph->nodes[from].next[n]] ||
                !dominates(graph, header, from))
               continue;
            body[from] = true;
            has_changed = true;
         }
      }
   }
}

/* Where edges lead out of the body: how many places, the first of them, and one
 * that nothing else leads to. */
struct ways_out {
   int count, first, own;
   bool exits; /* one leads out of the function */
};

static struct ways_out
find_ways_out(const struct graph *graph, const bool body[GRAPH_NUM_NODES])
{
   bool is_seen[GRAPH_NUM_NODES] = {false};
   struct ways_out ways = {0, GRAPH_NONE, GRAPH_NONE, false};

   for (int i = 0; i < graph->num_sorted; i++) {
      int from = graph->sorted[i];

      for (unsigned n = 0; n < graph->nodes[from].num_next; n++) {
         int to = graph->nodes[from].next[n];

         if (!body[from] || body[to] || is_seen[to])
            continue;
         is_seen[to] = true;
         if (to == GRAPH_EXIT) {
            ways.exits = true;
            continue;
         }
         ways.count++;
         if (ways.first == GRAPH_NONE)
            ways.first = to;
         if (ways.own == GRAPH_NONE && graph->nodes[to].num_forward == 1 &&
             !graph->nodes[to].is_header)
            ways.own = to;
      }
   }
   return ways;
}

int
graph_loop_follow(const struct graph *graph, int header, bool *is_one_out)
{
   bool body[GRAPH_NUM_NODES];

   find_body(graph, header, body);
   struct ways_out ways = find_ways_out(graph, body);
   while (ways.count > 1 && ways.own != GRAPH_NONE) {
      body[ways.own] = true;
      ways = find_ways_out(graph, body);
   }
   *is_one_out = ways.count <= 1;
   if (ways.count == 0 && ways.exits)
      return GRAPH_EXIT;
   return ways.first;
}

/* ---- joins --------------------------------------------------------------- */

unsigned
graph_joins(const struct graph *graph, int node, const uint8_t *taken,
            int *joins, unsigned most)
{
   unsigned count = 0;

   for (int i = graph->nodes[node].order + 1;
        i < graph->num_sorted && count < most; i++) {
      int candidate = graph->sorted[i];

      if (graph->nodes[candidate].dominator == node &&
          graph->nodes[candidate].num_forward > 1 && !taken[candidate] &&
          candidate != GRAPH_EXIT)
         joins[count++] = candidate;
   }
   return count;
}
