/* SPDX-License-Identifier: MIT
 *
 * Local common subexpression elimination: an operation that computes what one
 * before it in its block did becomes a move of that.
 */
#include <assert.h>

#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"

/* Do two sources read the same, lane by lane? */
static bool
is_same_source(const struct mir_source *a, const struct mir_source *b,
               unsigned lanes)
{
   if (a->file != b->file || a->negate != b->negate ||
       a->absolute != b->absolute)
      return false;
   if (a->file != MIR_LITERAL && !mir_same_register(a, b))
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(lanes, i) &&
          (a->file == MIR_LITERAL ? a->literal[i] != b->literal[i]
                                  : tegra_swizzle_get(a->swizzle, i) !=
                                       tegra_swizzle_get(b->swizzle, i)))
         return false;
   }
   return true;
}

static bool
has_value(const struct mir_op *op)
{
   unsigned result = mir_info(op)->result;

   return result != TEGRA_RESULT_NONE && result != TEGRA_RESULT_ADDR &&
          !op->predicate.enabled && mir_num_sources(op) > 0;
}

static bool
replicates(const struct mir_op *op)
{
   return mir_info(op)->result == TEGRA_RESULT_REPL;
}

/* Does `a` compute what `b` does, in the components that that writes, from what
 * is called the same? */
static bool
computes(const struct mir_op *a, const struct mir_op *b)
{
   unsigned lanes = tegra_isa_components_read(mir_info(b), b->mask);

   if (a->unit != b->unit || a->opcode != b->opcode ||
       a->saturate != b->saturate || !has_value(a) ||
       a->temporary == MIR_NONE || (!replicates(b) && (b->mask & ~a->mask)))
      return false;
   for (unsigned i = 0; i < mir_num_sources(b); i++) {
      if (!is_same_source(&a->source[i], &b->source[i], lanes))
         return false;
   }
   return true;
}

/* Does operation `from` have the value of operation `index` after it? */
static bool
has_computed(const struct local *local, uint32_t from, uint32_t index)
{
   assert(from < local->block->num_ops);
   assert(index < local->block->num_ops);
   const struct mir_op *a = &local->block->ops[from];
   const struct mir_op *b = &local->block->ops[index];

   if (!computes(a, b) || local_is_written(local, from + 1, index, a->temporary,
                                           replicates(b) ? a->mask : b->mask))
      return false;
   for (unsigned i = 0; i < mir_num_sources(b); i++) {
      if (!local_is_kept(local, &b->source[i], mir_components_read(b, i), from,
                         index))
         return false;
   }
   return true;
}

static void
become_move(struct mir_op *op, const struct mir_op *from)
{
   unsigned any = tegra_mask_first(from->mask);

   op->unit = TEGRA_VECTOR;
   op->opcode = TEGRA_VECTOR_MOV;
   op->source[0] = (struct mir_source){
      .file = MIR_TEMPORARY,
      .index = from->temporary,
      .swizzle = mir_info(from)->result == TEGRA_RESULT_REPL
                    ? (uint8_t)tegra_swizzle(any, any, any, any)
                    : TEGRA_IDENTITY,
   };
   op->saturate = false;
}

static bool
reuse(const struct local *local, uint32_t index)
{
   assert(index < local->block->num_ops);
   struct mir_op *op = &local->block->ops[index];

   if (!has_value(op) || mir_is_move(op))
      return false;
   for (uint32_t i = index; i-- > 0;) {
      if (has_computed(local, i, index)) {
         become_move(op, &local->block->ops[i]);
         return true;
      }
   }
   return false;
}

enum tg_result
optimize_common(struct mir *mir, bool *changed)
{
   return local_each(mir, reuse, changed);
}
