/* SPDX-License-Identifier: MIT
 *
 * The walk of reaching definitions that finds a shader's webs: webs.c prepares
 * it and makes of what it found what counts, webs_walk.c goes.
 */
#ifndef TEGRA_SELECT_WEBS_WALK_H
#define TEGRA_SELECT_WEBS_WALK_H

#include "tegra/select/webs.h"

/* The webs of all components at one point of the shader; NULL: no path leads
 * there. */
typedef uint32_t *state;

/* A construct that is open, or a subroutine. */
struct frame {
   uint32_t begin;
   state entry;   /* IF: at the end of the part that is not at hand; SWITCH: at
                     its begin; loops: at the head; SUB: joined of all calls */
   state leaving; /* at the end, from BRK and RET */
};

struct walk {
   struct webs *webs;
   const struct tg_shader *shader;
   const struct tg_flow_info *flow;
   uint32_t num_temporaries, num_components;
   bool *is_array;                     /* by TEMP */
   bool is_noted[TG_MAX_ARRAY_ID + 1]; /* by ArrayID: it has been looked up */
   bool merges_all; /* each component is one web: there is BRA */
   state at;
   struct frame *open;
   uint32_t num_open;
   state *sub_entry, *sub_exit; /* by BGNSUB; NULL: it is not called */
   bool failed;
};

/* Add a web, and one that another joins. False when out of memory. */
bool
webs_add(struct webs *webs, uint32_t *web_out);
bool
webs_add_input(struct webs *webs, uint32_t web, uint32_t input);

/* A state in which each component has a web that joins what comes; NULL when
 * out of memory, which the walk notes. */
state
walk_joining_state(struct walk *walk);

/* Goes over all instructions, from the state at hand. */
void
walk_shader(struct walk *walk);

#endif
