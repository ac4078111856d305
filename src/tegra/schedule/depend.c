/* SPDX-License-Identifier: MIT
 *
 * Dependences, by component: what is read comes after what wrote it (RAW), and
 * so does what is written again (WAW); what is overwritten may be read in the
 * same word (WAR), which reads before it writes. A jump comes last.
 */
#include "tegra/schedule/depend.h"

struct builder {
   struct depend *depend;
   const struct mir *mir;
   uint32_t *writers; /* [location][component]: the last operation and 1 */
   uint64_t *readers; /* [location][component]: rows, of those since then */
};

static void
add_read(struct builder *builder, uint32_t op, uint32_t location,
         unsigned component)
{
   uint32_t index = 4 * location + component;

   if (builder->writers[index])
      row_set(depend_strict(builder->depend, op), builder->writers[index] - 1);
}

static void
note_read(struct builder *builder, uint32_t op, uint32_t location,
          unsigned component)
{
   uint32_t index = 4 * location + component;

   row_set(builder->readers + (size_t)index * builder->depend->row_size, op);
}

static void
add_write(struct builder *builder, uint32_t op, uint32_t location,
          unsigned component)
{
   uint32_t index = 4 * location + component;
   uint32_t row_size = builder->depend->row_size;
   uint64_t *readers = builder->readers + (size_t)index * row_size;
   uint64_t *weak = depend_weak(builder->depend, op);

   add_read(builder, op, location, component);
   for (uint32_t i = 0; i < row_size; i++) {
      weak[i] |= readers[i];
      readers[i] = 0;
   }
   builder->writers[index] = op + 1;
}

typedef void (*visit)(struct builder *builder, uint32_t op, uint32_t location,
                      unsigned component);

static void
for_each_component(struct builder *builder, uint32_t op,
                   const struct mir_access *accesses, unsigned count,
                   visit function)
{
   for (unsigned i = 0; i < count; i++) {
      for (unsigned j = 0; j < 4; j++) {
         if (tegra_mask_has(accesses[i].mask, j))
            function(builder, op, accesses[i].location, j);
      }
   }
}

static void
add_op(struct builder *builder, const struct mir_op *op, uint32_t index)
{
   struct mir_access reads[MIR_MAX_READS], writes[MIR_MAX_WRITES];
   unsigned num_reads = mir_reads(builder->mir, op, reads);
   unsigned num_writes = mir_writes(builder->mir, op, writes);

   for_each_component(builder, index, reads, num_reads, add_read);
   for_each_component(builder, index, writes, num_writes, add_write);
   /* What it overwrites itself is read no more. */
   for_each_component(builder, index, reads, num_reads, note_read);
   if (mir_is_jump(op)) {
      for (uint32_t i = 0; i < index; i++)
         row_set(depend_weak(builder->depend, index), i);
   }
}

bool
depend_find(struct depend *depend, const struct mir *mir,
            const struct mir_block *block, struct tg_arena *arena)
{
   uint32_t n = block->num_ops, row_size = row_size_of(n);
   size_t num_components = (size_t)4 * mir_num_locations(mir);
   struct builder builder = {.depend = depend, .mir = mir};

   *depend = (struct depend){.num_ops = n, .row_size = row_size};
   depend->strict = tg_arena_array(arena, (size_t)n * row_size, 8);
   depend->weak = tg_arena_array(arena, (size_t)n * row_size, 8);
   builder.writers =
      tg_arena_array(arena, num_components, sizeof(*builder.writers));
   builder.readers = tg_arena_array(arena, num_components * row_size, 8);
   if (!depend->strict || !depend->weak || !builder.writers || !builder.readers)
      return false;
   for (uint32_t i = 0; i < n; i++)
      add_op(&builder, &block->ops[i], i);
   return true;
}
