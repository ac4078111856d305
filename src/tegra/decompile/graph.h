/* SPDX-License-Identifier: MIT
 *
 * The control-flow graph of a function, with its dominators, natural loops, and
 * where a loop goes on when it is left.
 */
#ifndef TEGRA_DECOMPILE_GRAPH_H
#define TEGRA_DECOMPILE_GRAPH_H

#include "tegra/decompile/decompile.h"

/* Nodes: instruction i, the call that instruction i makes, and the way out. */
enum {
   GRAPH_CALL = TG_TEGRA_MAX_INSTRUCTIONS,
   GRAPH_EXIT = 2 * TG_TEGRA_MAX_INSTRUCTIONS,
   GRAPH_NUM_NODES,
   GRAPH_NONE = -1,
};

struct graph_node {
   int next[2]; /* where the jump leads, if any; else where it goes */
   uint8_t num_next;
   bool is_header;       /* of a loop */
   int order;            /* in reverse postorder; -1: not reached */
   int dominator;        /* that immediately dominates it */
   unsigned num_forward; /* edges to it from nodes before it */
};

struct graph {
   struct graph_node nodes[GRAPH_NUM_NODES];
   int sorted[GRAPH_NUM_NODES]; /* nodes in reverse postorder */
   int num_sorted;
   int entry;
};

/* Dominators and loops: fills in all after the edges. False when a loop has two
 * entries. */
bool
graph_analyse(struct graph *graph);

/* The node after a loop, GRAPH_NONE when it is never left, to which all edges
 * lead that leave it but those of the function. What runs only on the way out
 * of a loop belongs to it. `*is_one_out` is false when there are several such
 * nodes. */
int
graph_loop_follow(const struct graph *graph, int header, bool *is_one_out);

/* The nodes that ways from a node meet at, among those that it dominates and
 * that are not `taken`, in their order: at most `most` are found, and their
 * number is returned. */
unsigned
graph_joins(const struct graph *graph, int node, const uint8_t *taken,
            int *joins, unsigned most);

#endif
