/* SPDX-License-Identifier: MIT
 *
 * Webs (unions of def-use chains): which definitions of the components of TEMP
 * registers belong together, because one use may see either. One walk over the
 * instructions keeps for each component the web that it has; where paths meet
 * with different ones a web is put down that joins them, which only counts if
 * somebody reads it.
 *
 * Words that are no register's to keep (IN, CONST, OUT, PRED), address
 * registers and arrays are webs of their own, one each.
 */
#ifndef TEGRA_SELECT_WEBS_H
#define TEGRA_SELECT_WEBS_H

#include "tgsi/analysis/flow.h"
#include "util/arena.h"

enum {
   WEB_WORDS,
   WEB_ADDRESSES,
   WEB_ARRAYS,
   WEB_FIRST_COMPONENT, /* what registers hold at first, one a component */
};

#define WEB_NONE UINT32_MAX /* a channel that an instruction does not have */
#define WEB_LITERAL (UINT32_MAX - 1)

enum { WEBS_MAX_OPERANDS = 5 }; /* a destination and up to four sources */

struct web {
   uint32_t parent;      /* a web that it has become one with, or itself */
   uint32_t first_input; /* of those that it joins, 0: none */
   bool is_used;
};

/* A web that another one joins. */
struct web_input {
   uint32_t web;
   uint32_t next; /* 0: none */
};

struct webs {
   struct tg_arena *arena;
   struct web *list;
   uint32_t count, capacity;
   uint32_t num_first;       /* from FIRST_COMPONENT on that were not written */
   struct web_input *inputs; /* [0] is none */
   uint32_t num_inputs, input_capacity;
   /* By instruction, operand and channel, after the swizzle. */
   uint32_t (*operands)[WEBS_MAX_OPERANDS][4];
};

/* Finds webs: definitions and uses of registers that belong together.
 * TG_ERROR_LIMIT: it would take too long. TG_ERROR_MEMORY. */
enum tg_result
webs_create(struct webs *webs, struct tg_arena *arena,
            const struct tg_shader *shader, const struct tg_flow_info *flow);

/* The web that stands for all those that have become one with this. */
uint32_t
webs_find(const struct webs *webs, uint32_t web);

/* Makes two one; false if they were already. Returns false for what is no web.
 */
bool
webs_unite(struct webs *webs, uint32_t a, uint32_t b);

#endif
