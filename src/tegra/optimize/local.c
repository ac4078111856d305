/* SPDX-License-Identifier: MIT
 *
 * Local reaching definitions and uses: forward and backward through the
 * operations of a block.
 */
#include "tegra/optimize/local.h"

#include <assert.h>

bool
local_start(struct local *local, struct mir *mir)
{
   *local = (struct local){.mir = mir};
   tg_arena_init(&local->arena, mir->arena.allocator);
   local->at_end = tg_arena_alloc(&local->arena, mir_num_locations(mir));
   return local->at_end &&
          liveness_find_between(&local->liveness, mir, &local->arena);
}

void
local_finish(struct local *local)
{
   tg_arena_finish(&local->arena);
}

void
local_enter(struct local *local, uint32_t block)
{
   local->block = &local->mir->blocks[block];
   liveness_at_end(&local->liveness, local->mir, block, local->at_end);
}

enum tg_result
local_each(struct mir *mir,
           bool (*rewrite)(const struct local *local, uint32_t index),
           bool *changed)
{
   struct local local;
   bool started = local_start(&local, mir);

   for (uint32_t i = 0; i < mir->num_blocks && started; i++) {
      local_enter(&local, i);
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++)
         *changed |= rewrite(&local, j);
   }
   local_finish(&local);
   return started ? TG_OK : TG_ERROR_MEMORY;
}

/* ---- backward ------------------------------------------------------------ */

uint32_t
local_writer(const struct local *local, uint32_t index, uint32_t temporary,
             unsigned component)
{
   while (index-- > 0) {
      const struct mir_op *op = &local->block->ops[index];

      if (op->temporary == temporary && tegra_mask_has(op->mask, component))
         return index;
   }
   return LOCAL_NONE;
}

uint32_t
local_producer(const struct local *local, uint32_t index, unsigned source)
{
   assert(index < local->block->num_ops);
   const struct mir_op *op = &local->block->ops[index];
   unsigned components = mir_components_read(op, source);
   uint32_t producer = LOCAL_NONE;

   if (op->source[source].file != MIR_TEMPORARY)
      return LOCAL_NONE;
   for (unsigned i = 0; i < 4; i++) {
      if (!tegra_mask_has(components, i))
         continue;
      uint32_t writer = local_writer(local, index, op->source[source].index, i);

      if (writer == LOCAL_NONE ||
          (producer != LOCAL_NONE && writer != producer))
         return LOCAL_NONE;
      producer = writer;
   }
   if (producer != LOCAL_NONE && local->block->ops[producer].predicate.enabled)
      return LOCAL_NONE;
   return producer;
}

/* ---- forward ------------------------------------------------------------- */

static unsigned
find_access(const struct mir_access *accesses, unsigned count,
            uint32_t location)
{
   unsigned mask = 0;

   for (unsigned i = 0; i < count; i++) {
      if (accesses[i].location == location)
         mask |= accesses[i].mask;
   }
   return mask;
}

static unsigned
written(const struct local *local, const struct mir_op *op, uint32_t location)
{
   struct mir_access writes[MIR_MAX_WRITES];

   if (location < local->mir->num_temporaries)
      return op->temporary == location ? op->mask : 0;
   return find_access(writes, mir_writes(local->mir, op, writes), location);
}

static unsigned
read(const struct local *local, const struct mir_op *op, uint32_t location)
{
   struct mir_access reads[MIR_MAX_READS];

   if (location < local->mir->num_temporaries)
      return mir_temporary_read(op, location);
   return find_access(reads, mir_reads(local->mir, op, reads), location);
}

bool
local_is_written(const struct local *local, uint32_t from, uint32_t to,
                 uint32_t location, unsigned components)
{
   for (uint32_t i = from; i < to; i++) {
      if (written(local, &local->block->ops[i], location) & components)
         return true;
   }
   return false;
}

bool
local_is_read(const struct local *local, uint32_t from, uint32_t to,
              uint32_t location, unsigned components)
{
   for (uint32_t i = from; i < to; i++) {
      if (read(local, &local->block->ops[i], location) & components)
         return true;
   }
   return false;
}

bool
local_is_kept(const struct local *local, const struct mir_source *source,
              unsigned components, uint32_t from, uint32_t to)
{
   uint32_t address = local->mir->num_temporaries + MIR_PLACE_ADDRESS;

   if (source->file == MIR_TEMPORARY)
      return !local_is_written(local, from, to, source->index, components);
   return !source->relative ||
          !local_is_written(local, from, to, address,
                            tegra_mask_bit(source->address));
}

unsigned
local_needed(const struct local *local, uint32_t index, uint32_t location,
             unsigned components)
{
   unsigned needed = 0;

   for (uint32_t i = index + 1; i < local->block->num_ops; i++) {
      const struct mir_op *op = &local->block->ops[i];

      needed |= read(local, op, location) & components;
      if (!mir_write_is_partial(op))
         components &= ~written(local, op, location);
      if (!components)
         return needed;
   }
   return needed | (local->at_end[location] & components);
}

void
local_remove(struct mir_op *op)
{
   *op = mir_op(TEGRA_VECTOR, TEGRA_VECTOR_NOP, op->origin);
}

static bool
is_nothing(const struct mir_op *op)
{
   return op->unit == TEGRA_VECTOR && op->opcode == TEGRA_VECTOR_NOP;
}

void
local_sweep(struct mir_block *block)
{
   uint32_t kept = 0;

   for (uint32_t i = 0; i < block->num_ops; i++) {
      if (!is_nothing(&block->ops[i]))
         block->ops[kept++] = block->ops[i];
   }
   block->num_ops = kept;
}
