/* SPDX-License-Identifier: MIT
 *
 * Which values can be seen from where. A scope is the function, a construct,
 * or one arm of an if. What walks a function forward calls
 * lir_scopes_pass() with each instruction after it.
 *
 * One number for each instruction is enough, the level of its scope: of the
 * scopes of that level only the newest can still be open, and an instruction
 * lies in it if it came after its first.
 */
#ifndef LIR_SCOPE_H
#define LIR_SCOPE_H

#include "lir/lir.h"

struct lir_scopes {
   uint16_t *level_of; /* of the instructions that were passed */
   uint32_t level;     /* scopes open here, not counting the function */
   uint32_t first[LIR_MAX_LEVELS]; /* instruction of each open scope */
};

/* Visibility of values: starts at the beginning of a function of `num_insts`.
 * False when out of memory. */
static inline bool
lir_scopes_init(struct lir_scopes *scopes, struct tg_arena *arena,
                uint32_t num_insts)
{
   scopes->level_of =
      tg_arena_array(arena, num_insts, sizeof(*scopes->level_of));
   scopes->level = 0;
   scopes->first[0] = 0;
   return scopes->level_of;
}

/* Steps over an instruction. Its function must be well nested so far. */
static inline void
lir_scopes_pass(struct lir_scopes *scopes, uint32_t index, enum lir_op op)
{
   if (lir_op_row(op)->flags & LIR_FLAG_CLOSE) {
      assert(scopes->level > 0);
      scopes->level--;
   }
   scopes->level_of[index] = (uint16_t)scopes->level;
   assert(scopes->level + 1 < LIR_MAX_LEVELS ||
          !(lir_op_row(op)->flags & LIR_FLAG_OPEN));
   if (lir_op_row(op)->flags & LIR_FLAG_OPEN)
      scopes->first[++scopes->level] = index + 1;
}

/* Whether the scope that holds an instruction passed earlier is still open. */
static inline bool
lir_scopes_see(const struct lir_scopes *scopes, uint32_t index)
{
   uint32_t level = scopes->level_of[index];

   return level <= scopes->level && index >= scopes->first[level];
}

#endif
