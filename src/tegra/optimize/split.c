/* SPDX-License-Identifier: MIT
 *
 * Live-range splitting into webs: registers that hold different things at
 * different times become different registers. Webs are found by union-find: a
 * read joins all writes that may reach it, a write under a predicate joins what
 * was there, and at joins of control flow what is live is joined. This also
 * renumbers registers so that none is unused.
 */
#include <assert.h>

#include "tegra/mir/liveness.h"
#include "tegra/optimize/optimize.h"

#define NOBODY UINT32_MAX

/* Things that are joined are numbered: first components of registers at the
 * beginnings of blocks, the last row being that after calls, then operations,
 * for what they write. */
struct split {
   struct mir *mir;
   struct tg_arena arena;
   struct liveness liveness;
   uint32_t *parent; /* [thing] */
   uint32_t *now;    /* [register][component]: who wrote it last */
   uint32_t *number; /* [thing that stands for its kin]: register and 1 */
   uint32_t first_op;
};

static uint32_t
find(struct split *split, uint32_t thing)
{
   while (split->parent[thing] != thing) {
      split->parent[thing] = split->parent[split->parent[thing]];
      thing = split->parent[thing];
   }
   return thing;
}

static void
join(struct split *split, uint32_t a, uint32_t b)
{
   if (a != NOBODY && b != NOBODY)
      split->parent[find(split, a)] = find(split, b);
}

static uint32_t
at_beginning(const struct split *split, uint32_t block, uint32_t temporary,
             unsigned component)
{
   return (block * split->mir->num_temporaries + temporary) * 4 + component;
}

static bool
is_live(const struct split *split, uint32_t block, uint32_t temporary,
        unsigned component)
{
   const uint8_t *in =
      split->liveness.in + (size_t)block * split->liveness.num_locations;

   return tegra_mask_has(in[temporary], component);
}

/* ---- walking through a block --------------------------------------------- */

static void
enter(struct split *split, uint32_t block)
{
   for (uint32_t i = 0; i < split->mir->num_temporaries; i++) {
      for (unsigned j = 0; j < 4; j++)
         split->now[4 * i + j] = is_live(split, block, i, j)
                                    ? at_beginning(split, block, i, j)
                                    : NOBODY;
   }
}

/* Joins the writers of these components; returns one, or NOBODY. */
static uint32_t
join_writers(struct split *split, uint32_t temporary, unsigned components)
{
   uint32_t first = NOBODY;

   for (unsigned i = 0; i < 4; i++) {
      if (!tegra_mask_has(components, i))
         continue;
      uint32_t writer = split->now[4 * temporary + i];

      join(split, first, writer);
      first = first == NOBODY ? writer : first;
   }
   return first;
}

/* `thing` is for what the operation writes. */
static void
join_op(struct split *split, const struct mir_op *op, uint32_t thing)
{
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      if (op->source[i].file == MIR_TEMPORARY)
         join_writers(split, op->source[i].index, mir_components_read(op, i));
   }
   if (op->temporary == MIR_NONE)
      return;
   if (mir_write_is_partial(op))
      join(split, thing, join_writers(split, op->temporary, op->mask));
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(op->mask, i))
         split->now[4 * op->temporary + i] = thing;
   }
}

/* What holds now goes on at the beginning of a block. */
static void
leave(struct split *split, uint32_t successor)
{
   for (uint32_t i = 0; i < split->mir->num_temporaries; i++) {
      for (unsigned j = 0; j < 4; j++) {
         if (is_live(split, successor, i, j))
            join(split, split->now[4 * i + j],
                 at_beginning(split, successor, i, j));
      }
   }
}

static uint32_t
join_block(struct split *split, uint32_t index, uint32_t thing)
{
   const struct mir *mir = split->mir;
   assert(index < mir->num_blocks);
   const struct mir_block *block = &mir->blocks[index];
   uint32_t successors[MIR_MAX_SUCCESSORS];
   unsigned count = mir_successors(mir, index, successors);

   enter(split, index);
   for (uint32_t i = 0; i < block->num_ops; i++)
      join_op(split, &block->ops[i], thing++);
   for (unsigned i = 0; i < count; i++)
      leave(split, successors[i]);
   return thing;
}

/* What comes back from somewhere goes on after each call. */
static void
join_returns(struct split *split)
{
   const struct mir *mir = split->mir;

   enter(split, mir->num_blocks);
   for (uint32_t i = 0; i + 1 < mir->num_blocks; i++) {
      const struct mir_block *block = &mir->blocks[i];

      if (block->num_ops && i != mir->end &&
          mir_info(&block->ops[block->num_ops - 1])->effect ==
             TEGRA_EFFECT_CALL)
         leave(split, i + 1);
   }
}

/* ---- new numbers --------------------------------------------------------- */

static uint32_t
number_of(struct split *split, uint32_t thing, uint32_t *count)
{
   uint32_t *number = &split->number[find(split, thing)];

   if (!*number)
      *number = ++*count;
   return *number - 1;
}

/* The same walk again; now all writers of a source are of one kin. A source
 * that was not written reads a register that is never written. */
static void
renumber_op(struct split *split, struct mir_op *op, uint32_t thing,
            uint32_t *count)
{
   uint32_t numbers[TEGRA_NUM_SOURCES] = {0};

   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      if (op->source[i].file != MIR_TEMPORARY)
         continue;
      uint32_t writer =
         join_writers(split, op->source[i].index, mir_components_read(op, i));
      numbers[i] =
         writer == NOBODY ? (*count)++ : number_of(split, writer, count);
   }
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      if (op->source[i].file == MIR_TEMPORARY)
         op->source[i].index = numbers[i];
   }
   if (op->temporary == MIR_NONE)
      return;
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(op->mask, i))
         split->now[4 * op->temporary + i] = thing;
   }
   op->temporary = number_of(split, thing, count);
}

static void
renumber(struct split *split)
{
   struct mir *mir = split->mir;
   uint32_t thing = split->first_op, count = 0;

   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      enter(split, i);
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++)
         renumber_op(split, &mir->blocks[i].ops[j], thing++, &count);
   }
   mir->num_temporaries = count;
}

/* ---- all ----------------------------------------------------------------- */

static bool
start(struct split *split, struct mir *mir)
{
   uint32_t num_things;

   *split = (struct split){.mir = mir};
   tg_arena_init(&split->arena, mir->arena.allocator);
   split->first_op = (mir->num_blocks + 1) * mir->num_temporaries * 4;
   num_things = split->first_op;
   for (uint32_t i = 0; i < mir->num_blocks; i++)
      num_things += mir->blocks[i].num_ops;
   split->parent = tg_arena_array(&split->arena, num_things, sizeof(uint32_t));
   split->number = tg_arena_array(&split->arena, num_things, sizeof(uint32_t));
   split->now =
      tg_arena_array(&split->arena, mir->num_temporaries, 4 * sizeof(uint32_t));
   for (uint32_t i = 0; i < num_things && split->parent; i++)
      split->parent[i] = i;
   return split->parent && split->number && split->now &&
          liveness_find(&split->liveness, mir, &split->arena);
}

enum tg_result
optimize_split(struct mir *mir, bool *changed)
{
   struct split split;
   bool started = start(&split, mir);
   uint32_t before = mir->num_temporaries;

   if (started) {
      uint32_t thing = split.first_op;

      for (uint32_t i = 0; i < mir->num_blocks; i++)
         thing = join_block(&split, i, thing);
      join_returns(&split);
      renumber(&split);
   }
   *changed |= mir->num_temporaries != before;
   tg_arena_finish(&split.arena);
   return started ? TG_OK : TG_ERROR_MEMORY;
}
