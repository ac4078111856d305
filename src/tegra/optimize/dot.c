/* SPDX-License-Identifier: MIT
 *
 * Idiom recognition of dot products: a product and products that are added to
 * it one by one become a dot product, which rounds as they do: it adds in the
 * order of the components.
 */
#include <assert.h>
#include <string.h>

#include "tegra/optimize/local.h"
#include "tegra/optimize/optimize.h"
#include "tegra/optimize/unite.h"
#include "util/length.h"

enum { MAX_TERMS = 4 };

/* The products, the first one last. */
struct dot {
   const struct local *local;
   uint32_t at[MAX_TERMS]; /* operations */
   unsigned num_terms;
};

static const struct mir_op *
term(const struct dot *dot, unsigned index)
{
   assert(index < TG_LENGTH(dot->at));
   return &dot->local->block->ops[dot->at[index]];
}

/* ---- the chain ----------------------------------------------------------- */

static bool
is_vector(const struct mir_op *op, enum tegra_vector_op opcode)
{
   return op->unit == TEGRA_VECTOR && op->opcode == (uint8_t)opcode &&
          __builtin_popcount(op->mask) == 1;
}

/* Does the sum of operation `to`, and nothing else, take what `from` computes?
 */
static bool
is_only_for(const struct local *local, uint32_t from, uint32_t to)
{
   assert(from < local->block->num_ops);
   assert(to < local->block->num_ops);
   const struct mir_op *op = &local->block->ops[from];
   const struct mir_op *sum = &local->block->ops[to];
   bool overwritten = sum->temporary == op->temporary &&
                      sum->mask == op->mask && !sum->predicate.enabled;

   for (unsigned i = 0; i < 2; i++) {
      if (sum->source[i].file == MIR_TEMPORARY &&
          sum->source[i].index == op->temporary &&
          (mir_components_read(sum, i) & op->mask))
         return false;
   }
   return !op->saturate && op->export_index == TEGRA_NO_EXPORT &&
          !op->sets_condition &&
          !local_is_read(local, from + 1, to, op->temporary, op->mask) &&
          (overwritten || !local_needed(local, to, op->temporary, op->mask));
}

/* Are the factors of operation `from` the same at operation `to`? */
static bool
is_kept(const struct local *local, uint32_t from, uint32_t to)
{
   assert(from < local->block->num_ops);
   const struct mir_op *op = &local->block->ops[from];

   for (unsigned i = 0; i < 2; i++) {
      if (!local_is_kept(local, &op->source[i], mir_components_read(op, i),
                         from, to))
         return false;
   }
   return true;
}

/* Finds the terms of the sum that operation `index` ends, which starts with a
 * product; false when there are not `num_terms`. */
static bool
find_terms(struct dot *dot, uint32_t index, unsigned num_terms)
{
   const struct local *local = dot->local;
   uint32_t at = index;

   for (dot->num_terms = 0; dot->num_terms < num_terms; dot->num_terms++) {
      const struct mir_op *op = &local->block->ops[at];
      bool is_first = dot->num_terms + 1 == num_terms;

      if (!is_vector(op, is_first ? TEGRA_VECTOR_MUL : TEGRA_VECTOR_MAD) ||
          (at != index && !is_kept(local, at, index)))
         return false;
      dot->at[dot->num_terms] = at;
      if (is_first)
         continue;
      uint32_t from = local_producer(local, at, 2);
      if (from == LOCAL_NONE || op->source[2].negate ||
          op->source[2].absolute || !is_only_for(local, from, at))
         return false;
      at = from;
   }
   return true;
}

/* ---- the factors --------------------------------------------------------- */

static bool
is_alike(const struct mir_source *a, const struct mir_source *b)
{
   if (a->negate != b->negate || a->absolute != b->absolute)
      return false;
   return a->file == MIR_LITERAL ? b->file == MIR_LITERAL
                                 : mir_same_register(a, b);
}

/* Lane `to` of a source reads what lane `from` of another does. */
static void
take_lane(struct mir_source *source, unsigned to,
          const struct mir_source *other, unsigned from)
{
   assert(to < TG_LENGTH(source->literal));
   assert(from < TG_LENGTH(other->literal));
   unsigned component = tegra_swizzle_get(other->swizzle, from);

   source->literal[to] = other->literal[from];
   if (source->file != MIR_LITERAL)
      source->swizzle = (uint8_t)tegra_swizzle_with(
         source->swizzle, tegra_mask_bit(to),
         tegra_swizzle(component, component, component, component));
}

/* Makes the two sources of all the terms. False when factors are of different
 * registers. */
static bool
join_factors(const struct dot *dot, struct mir_source sources[2])
{
   for (unsigned i = 0; i < dot->num_terms; i++) {
      const struct mir_op *op = term(dot, dot->num_terms - 1 - i);
      const struct mir_source *a = &op->source[0], *b = &op->source[1];

      if (i == 0) {
         sources[0] = *a;
         sources[1] = *b;
         memset(sources[0].literal, 0, sizeof(sources[0].literal));
         memset(sources[1].literal, 0, sizeof(sources[1].literal));
      }
      if (!is_alike(&sources[0], a) || !is_alike(&sources[1], b)) {
         const struct mir_source *swapped = a;

         a = b;
         b = swapped;
      }
      if (!is_alike(&sources[0], a) || !is_alike(&sources[1], b))
         return false;
      take_lane(&sources[0], i, a, tegra_mask_first(op->mask));
      take_lane(&sources[1], i, b, tegra_mask_first(op->mask));
   }
   return true;
}

/* ---- registers ----------------------------------------------------------- */

static bool
could_be_alike(const struct mir_source *a, const struct mir_source *b)
{
   return is_alike(a, b) ||
          (a->file == MIR_TEMPORARY && b->file == MIR_TEMPORARY &&
           a->negate == b->negate && a->absolute == b->absolute);
}

/* Is `op` so that its factors would be alike those of `first` if registers
 * became one? */
static bool
could_join(const struct mir_op *first, const struct mir_op *op)
{
   return could_be_alike(&first->source[0], &op->source[0]) &&
          could_be_alike(&first->source[1], &op->source[1]);
}

/* Makes one register of those that factors are in, as far as that can be. False
 * when nothing changed. */
static bool
unite_factors(const struct dot *dot, struct unite *unite)
{
   const struct mir_op *first = term(dot, dot->num_terms - 1);
   bool changed = false;

   for (unsigned i = 0; i < dot->num_terms - 1; i++) {
      if (!could_join(first, term(dot, i)))
         return false;
   }
   for (unsigned i = 0; i < 2 * (dot->num_terms - 1); i++) {
      uint32_t a = first->source[i % 2].index;
      const struct mir_source *b = &term(dot, i / 2)->source[i % 2];

      if (b->file != MIR_TEMPORARY || a == b->index ||
          !unite_can(unite, a, b->index))
         continue;
      unite_two(unite, a, b->index);
      changed = true;
   }
   return changed;
}

/* ---- all ----------------------------------------------------------------- */

static void
become_dot(const struct dot *dot, const struct mir_source sources[2])
{
   struct mir_op *ops = dot->local->block->ops;
   struct mir_op *op = &ops[dot->at[0]];

   for (unsigned i = 1; i < dot->num_terms; i++)
      local_remove(&ops[dot->at[i]]);
   op->opcode = dot->num_terms == 3 ? TEGRA_VECTOR_DP3 : TEGRA_VECTOR_DP4;
   op->source[0] = sources[0];
   op->source[1] = sources[1];
   op->source[2] = (struct mir_source){0};
}

static bool
sum(const struct local *local, uint32_t index, unsigned num_terms)
{
   struct dot dot = {.local = local};
   struct mir_source sources[2];

   if (!find_terms(&dot, index, num_terms) || !join_factors(&dot, sources))
      return false;
   become_dot(&dot, sources);
   return true;
}

static bool
sum_of_four(const struct local *local, uint32_t index)
{
   return sum(local, index, 4);
}

static bool
sum_of_three(const struct local *local, uint32_t index)
{
   return sum(local, index, 3);
}

/* Prepares a sum of four for the next round. */
static bool
unite_at(const struct local *local, uint32_t index, struct unite *unite)
{
   struct dot dot = {.local = local};

   return find_terms(&dot, index, 4) && unite_factors(&dot, unite);
}

/* Once it has made a register of two, what `local` knows of them is old. */
static enum tg_result
unite_once(struct mir *mir, bool *changed)
{
   struct local local;
   struct unite unite;
   bool started = local_start(&local, mir);
   bool done = false;

   started = started && unite_start(&unite, mir, &local.arena);
   for (uint32_t i = 0; i < mir->num_blocks && started && !done; i++) {
      local_enter(&local, i);
      for (uint32_t j = 0; j < mir->blocks[i].num_ops && !done; j++)
         done = unite_at(&local, j, &unite);
   }
   *changed |= done;
   local_finish(&local);
   return started ? TG_OK : TG_ERROR_MEMORY;
}

/* A sum of four has one of three in it, so it comes first. */
enum tg_result
optimize_dot(struct mir *mir, bool *changed)
{
   enum tg_result result = unite_once(mir, changed);

   if (result == TG_OK)
      result = local_each(mir, sum_of_four, changed);
   return result == TG_OK ? local_each(mir, sum_of_three, changed) : result;
}
