/* SPDX-License-Identifier: MIT
 *
 * Snapshots of bindings, copy on write: what was bound at one time. Of each
 * kind of slots there is a table that never changes, which bindings and
 * snapshots share until a slot of that kind is written; so that a snapshot is a
 * few references. A table has what waves index in one array, and the rest,
 * references and descriptors, in chunks of slots, which tables share: a new
 * binding costs its chunk.
 */
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "resource/bindings.h"
#include "util/length.h"

/* ---- kinds --------------------------------------------------------------- */

/* Where the slots of a kind are in bindings. */
struct kind {
   size_t memory; /* offset of the array, or NO_MEMORY */
   unsigned num_slots;
   unsigned slots_per_chunk;
   unsigned first_chunk; /* of bindings */
   unsigned first_resource;
   unsigned first_word, words_per_slot; /* of the descriptors */
   unsigned words_binding;              /* of CONST, of chunk 0 */
};

#define NO_MEMORY SIZE_MAX

static const struct kind kinds[RESOURCE_NUM_KINDS] = {
   [RESOURCE_CONSTANTS] = {.memory = offsetof(struct tg_bindings, constants),
                           .num_slots = ABI_NUM_CONST_BINDINGS,
                           .slots_per_chunk = ABI_NUM_CONST_BINDINGS,
                           .first_chunk = RESOURCE_CHUNK_CONSTANTS},
   [RESOURCE_VIEWS] = {.memory = offsetof(struct tg_bindings, textures),
                       .num_slots = ABI_MAX_VIEWS,
                       .slots_per_chunk = ABI_CHUNK_VIEWS,
                       .first_chunk = RESOURCE_CHUNK_VIEWS,
                       .first_resource = RESOURCE_FIRST_TEXTURE,
                       .first_word = ABI_VIEW_FIRST,
                       .words_per_slot = ABI_VIEW_WORDS,
                       .words_binding = ABI_CONST_VIEWS},
   [RESOURCE_SAMPLERS] = {.memory = NO_MEMORY,
                          .num_slots = ABI_MAX_SAMPLERS,
                          .slots_per_chunk = ABI_MAX_SAMPLERS,
                          .first_chunk = RESOURCE_CHUNK_SAMPLERS,
                          .first_word = ABI_SAMPLER_FIRST,
                          .words_per_slot = ABI_SAMPLER_WORDS,
                          .words_binding = ABI_CONST_SAMPLERS},
   [RESOURCE_IMAGES] = {.memory = offsetof(struct tg_bindings, images),
                        .num_slots = ABI_NUM_IMAGE_BINDINGS,
                        .slots_per_chunk = ABI_NUM_IMAGE_BINDINGS,
                        .first_chunk = RESOURCE_CHUNK_IMAGES,
                        .first_resource = RESOURCE_FIRST_IMAGE,
                        .first_word = ABI_IMAGE_FIRST,
                        .words_per_slot = ABI_IMAGE_WORDS,
                        .words_binding = ABI_CONST_IMAGES},
   [RESOURCE_BUFFERS] = {.memory = offsetof(struct tg_bindings, buffers),
                         .num_slots = ABI_NUM_BUFFER_BINDINGS,
                         .slots_per_chunk = ABI_NUM_BUFFER_BINDINGS,
                         .first_chunk = RESOURCE_CHUNK_BUFFERS,
                         .first_resource = RESOURCE_FIRST_BUFFER},
};

static struct exec_memory *
memory_of(const struct tg_bindings *bindings, const struct kind *kind)
{
   return kind->memory == NO_MEMORY
             ? NULL
             : (struct exec_memory *)((uintptr_t)bindings + kind->memory);
}

/* Up to the last slot in which something is bound. Contexts that share bindings
 * read the ends meanwhile: only other ones are stored. */
static unsigned
count_slots(struct tg_bindings *bindings, enum resource_slot_kind number)
{
   assert(number < TG_LENGTH(kinds));
   const struct kind *kind = &kinds[number];
   const struct exec_memory *memory = memory_of(bindings, kind);
   unsigned count = bindings->ends[number];

   while (count && !(memory ? memory[count - 1].data != NULL
                            : bindings->keys.samplers[count - 1].is_bound))
      count--;
   if (bindings->ends[number] != count)
      bindings->ends[number] = (uint16_t)count;
   return count;
}

/* ---- chunks -------------------------------------------------------------- */

/* The arrays follow the struct: resources and blocks, where the kind has some,
 * then words. */
struct resource_chunk {
   struct tg_refcount refs;
   struct resource_block *block; /* in which it is; a reference */
   size_t size;
   uint32_t num_resources, num_words;
   struct tg_resource **resources; /* references, or NULL */
   struct resource_block **blocks; /* likewise */
   uint32_t *words;
};

/* Bytes that nothing but a chunk may keep: of constants that were copied. */
static size_t
count_copied(const struct tg_bindings *bindings,
             const struct resource_chunk *chunk)
{
   size_t num_bytes = 0;

   for (uint32_t i = 0; i < chunk->num_resources; i++) {
      if (chunk->blocks[i] && !chunk->resources[i])
         num_bytes += (size_t)bindings->constants[i].num_bytes;
   }
   return num_bytes;
}

static void
fill_chunk(struct resource_chunk *chunk, const struct tg_bindings *bindings,
           const struct kind *kind, unsigned first_slot)
{
   const unsigned first = kind->first_resource + first_slot;

   if (chunk->num_words)
      memcpy(chunk->words,
             &bindings->descriptors[kind->first_word +
                                    first_slot * kind->words_per_slot],
             chunk->num_words * sizeof(uint32_t));
   for (uint32_t i = 0; i < chunk->num_resources; i++) {
      chunk->resources[i] = tg_resource_ref(bindings->resources[first + i]);
      chunk->blocks[i] = resource_block_ref(bindings->blocks[first + i]);
   }
}

/* The slots of a kind from one on; NULL when out of memory. */
static struct resource_chunk *
create_chunk(struct tg_bindings *bindings, const struct kind *kind,
             unsigned first_slot, unsigned num_slots)
{
   struct resource_block *block;
   const unsigned num_resources = kind->memory == NO_MEMORY ? 0 : num_slots;
   const unsigned num_words = num_slots * kind->words_per_slot;
   const size_t size = sizeof(struct resource_chunk) +
                       2 * num_resources * sizeof(void *) +
                       num_words * sizeof(uint32_t);
   struct resource_chunk *chunk = resource_upload_alloc(
      &bindings->upload, bindings->allocator, size, &block);

   if (!chunk)
      return NULL;
   *chunk = (struct resource_chunk){
      .refs = TG_REFCOUNT_INIT,
      .block = block,
      .size = size,
      .num_resources = num_resources,
      .num_words = num_words,
   };
   chunk->resources = (struct tg_resource **)(chunk + 1);
   chunk->blocks = (struct resource_block **)(chunk->resources + num_resources);
   chunk->words = (uint32_t *)(chunk->blocks + num_resources);
   fill_chunk(chunk, bindings, kind, first_slot);
   return chunk;
}

static struct resource_chunk *
ref_chunk(struct resource_chunk *chunk)
{
   if (chunk)
      tg_refcount_add(&chunk->refs);
   return chunk;
}

static void
drop_chunk(struct resource_chunk *chunk)
{
   if (!chunk || !tg_refcount_drop(&chunk->refs))
      return;

   for (uint32_t i = 0; i < chunk->num_resources; i++) {
      resource_block_drop(chunk->blocks[i]);
      tg_resource_destroy(chunk->resources[i]);
   }
   resource_block_drop(chunk->block);
}

/* The chunk of what is bound; adds its size if it is a new one. */
static struct resource_chunk *
update_chunk(struct tg_bindings *bindings, const struct kind *kind,
             unsigned number, unsigned num_slots, size_t *num_new_bytes)
{
   struct resource_chunk **chunk =
      &bindings->chunks[kind->first_chunk + number];
   const unsigned first_slot = number * kind->slots_per_chunk;
   const unsigned left = num_slots - first_slot;

   if (*chunk)
      return *chunk;
   *chunk =
      create_chunk(bindings, kind, first_slot,
                   left < kind->slots_per_chunk ? left : kind->slots_per_chunk);
   if (*chunk)
      *num_new_bytes += (*chunk)->size + count_copied(bindings, *chunk);
   return *chunk;
}

/* ---- tables -------------------------------------------------------------- */

/* The array follows the struct, where the kind has memory. */
struct resource_table {
   struct tg_refcount refs;
   struct resource_block *block; /* in which it is; a reference */
   uint64_t copied; /* bit i: slot i has constants that were copied */
   uint32_t num_slots, num_chunks;
   struct resource_chunk *chunks[ABI_NUM_VIEW_CHUNKS];
   struct exec_memory memory[];
};

_Static_assert(ABI_NUM_CONST_BINDINGS <= 64, "a bit for each");

static struct resource_table *
ref_table(struct resource_table *table)
{
   if (table)
      tg_refcount_add(&table->refs);
   return table;
}

static void
drop_table(struct resource_table *table)
{
   if (!table || !tg_refcount_drop(&table->refs))
      return;

   for (uint32_t i = 0; i < table->num_chunks; i++)
      drop_chunk(table->chunks[i]);
   resource_block_drop(table->block);
}

static uint64_t
find_copied(const struct tg_bindings *bindings)
{
   uint64_t copied = 0;

   for (unsigned i = 0; i < ABI_NUM_CONST_BINDINGS; i++)
      copied |= (uint64_t)(bindings->blocks[i] && !bindings->resources[i]) << i;
   return copied;
}

/* A table of so many slots; NULL when out of memory. */
static struct resource_table *
create_table(struct tg_bindings *bindings, const struct kind *kind,
             unsigned num_slots, size_t *num_new_bytes)
{
   struct resource_block *block;
   const struct exec_memory *memory = memory_of(bindings, kind);
   const size_t memory_size =
      memory ? num_slots * sizeof(struct exec_memory) : 0;
   const size_t size = sizeof(struct resource_table) + memory_size;
   struct resource_table *table = resource_upload_alloc(
      &bindings->upload, bindings->allocator, size, &block);

   if (!table)
      return NULL;
   *table = (struct resource_table){
      .refs = TG_REFCOUNT_INIT,
      .block = block,
      .copied = kind == &kinds[RESOURCE_CONSTANTS] ? find_copied(bindings) : 0,
      .num_slots = num_slots,
   };
   if (memory)
      memcpy(table->memory, memory, memory_size);
   *num_new_bytes += size;
   for (unsigned i = 0; i * kind->slots_per_chunk < num_slots; i++) {
      table->chunks[i] =
         ref_chunk(update_chunk(bindings, kind, i, num_slots, num_new_bytes));
      table->num_chunks = i + 1;
      if (!table->chunks[i]) {
         drop_table(table);
         return NULL;
      }
   }
   return table;
}

/* ---- bindings ------------------------------------------------------------ */

/* Those that say what code is made for. */
static bool
has_keys(enum resource_slot_kind kind)
{
   return kind == RESOURCE_VIEWS || kind == RESOURCE_SAMPLERS ||
          kind == RESOURCE_IMAGES;
}

/* A chunk that ends before its last slot stays good when later slots are bound:
 * what is missing at its end is not bound. */
void
resource_forget_snapshot_slot(struct tg_bindings *bindings,
                              enum resource_slot_kind kind, unsigned slot)
{
   assert(kind < TG_LENGTH(kinds));
   static _Atomic uint64_t last_version;

   assert(slot < kinds[kind].num_slots);
   if (slot >= bindings->ends[kind])
      bindings->ends[kind] = (uint16_t)(slot + 1);
   bindings->version =
      atomic_fetch_add_explicit(&last_version, 1, memory_order_relaxed) + 1;
   if (has_keys(kind))
      bindings->keys_version = bindings->version;
   struct resource_chunk **chunk =
      &bindings->chunks[kinds[kind].first_chunk +
                        slot / kinds[kind].slots_per_chunk];

   drop_table(bindings->tables[kind]);
   bindings->tables[kind] = NULL;
   drop_chunk(*chunk);
   *chunk = NULL;
}

void
resource_forget_snapshots(struct tg_bindings *bindings)
{
   for (unsigned i = 0; i < RESOURCE_NUM_KINDS; i++) {
      drop_table(bindings->tables[i]);
      bindings->tables[i] = NULL;
   }
   for (unsigned i = 0; i < RESOURCE_NUM_CHUNKS; i++) {
      drop_chunk(bindings->chunks[i]);
      bindings->chunks[i] = NULL;
   }
}

/* A buffer that was renamed is where its block is now. */
static void
refresh_slot(struct tg_bindings *bindings, enum resource_slot_kind kind,
             unsigned slot)
{
   assert(kind < TG_LENGTH(kinds));
   const unsigned place = kinds[kind].first_resource + slot;
   struct resource_block **block = &bindings->blocks[place];
   struct resource_hold hold = resource_hold(bindings->resources[place]);

   if (hold.block != *block) {
      struct exec_memory *memory = &memory_of(bindings, &kinds[kind])[slot];

      memory->data = hold.block->words + (memory->data - (*block)->words);
      resource_block_drop(*block);
      *block = resource_block_ref(hold.block);
      resource_forget_snapshot_slot(bindings, kind, slot);
   }
   resource_release(&hold);
}

/* Finds where the slots end that are bound. */
static void
trim(struct tg_bindings *bindings)
{
   for (unsigned k = 0; k < RESOURCE_NUM_KINDS; k++)
      count_slots(bindings, (enum resource_slot_kind)k);
   bindings->trimmed_version = bindings->version;
}

void
resource_refresh_snapshot(struct tg_bindings *bindings)
{
   const uint64_t num_renames = resource_count_renames();

   if (!bindings)
      return;
   if (bindings->trimmed_version != bindings->version)
      trim(bindings);
   if (bindings->num_renames == num_renames)
      return;
   bindings->num_renames = num_renames;
   for (unsigned k = 0; k < RESOURCE_NUM_KINDS; k++) {
      const struct kind *kind = &kinds[k];

      for (unsigned i = 0; memory_of(bindings, kind) && i < bindings->ends[k];
           i++) {
         const unsigned place = kind->first_resource + i;

         if (bindings->blocks[place] && bindings->resources[place])
            refresh_slot(bindings, (enum resource_slot_kind)k, i);
      }
   }
}

/* ---- snapshots ----------------------------------------------------------- */

/* The table of what is bound, which may be none; adds its size if it is made
 * anew. False when out of memory. */
static bool
update_table(struct tg_bindings *bindings, enum resource_slot_kind kind,
             size_t *num_new_bytes)
{
   assert(kind < TG_LENGTH(bindings->tables));
   if (bindings->tables[kind])
      return true;
   const unsigned num_slots = count_slots(bindings, kind);
   if (!num_slots)
      return true;
   bindings->tables[kind] =
      create_table(bindings, &kinds[kind], num_slots, num_new_bytes);
   return bindings->tables[kind] != NULL;
}

bool
resource_snapshot_take(struct tg_bindings *bindings_or_null,
                       struct resource_snapshot *snapshot)
{
   *snapshot = (struct resource_snapshot){0};
   if (!bindings_or_null)
      return true;
   for (unsigned i = 0; i < RESOURCE_NUM_KINDS; i++) {
      if (!update_table(bindings_or_null, (enum resource_slot_kind)i,
                        &snapshot->num_new_bytes))
         return false;
   }
   for (unsigned i = 0; i < RESOURCE_NUM_KINDS; i++)
      snapshot->tables[i] = ref_table(bindings_or_null->tables[i]);
   return true;
}

bool
resource_snapshot_is_current(const struct resource_snapshot *snapshot,
                             struct tg_bindings *bindings_or_null)
{
   for (unsigned i = 0; i < RESOURCE_NUM_KINDS; i++) {
      const struct resource_table *table =
         bindings_or_null ? bindings_or_null->tables[i] : NULL;

      if (table != snapshot->tables[i])
         return false;
      if (!table && bindings_or_null && bindings_or_null->ends[i] &&
          count_slots(bindings_or_null, (enum resource_slot_kind)i))
         return false;
   }
   return true;
}

struct resource_snapshot
resource_snapshot_ref(const struct resource_snapshot *snapshot)
{
   for (unsigned i = 0; i < RESOURCE_NUM_KINDS; i++)
      ref_table(snapshot->tables[i]);
   struct resource_snapshot another = *snapshot;
   another.num_new_bytes = 0;
   return another;
}

void
resource_snapshot_drop(struct resource_snapshot *snapshot)
{
   for (unsigned i = 0; i < RESOURCE_NUM_KINDS; i++)
      drop_table(snapshot->tables[i]);
   *snapshot = (struct resource_snapshot){0};
}

/* ---- what waves see ------------------------------------------------------ */

struct resource_slots
resource_snapshot_slots(const struct resource_snapshot *snapshot,
                        enum resource_slot_kind kind)
{
   assert((unsigned)kind < RESOURCE_NUM_KINDS);
   const struct resource_table *table = snapshot->tables[kind];

   return table ? (struct resource_slots){table->memory, table->num_slots,
                                          table->copied}
                : (struct resource_slots){NULL, 0, 0};
}

static void
bind_space(const struct resource_snapshot *snapshot,
           enum resource_slot_kind kind, unsigned space, struct exec_wave *wave)
{
   assert(space < TG_LENGTH(wave->memory));
   const struct resource_slots slots = resource_snapshot_slots(snapshot, kind);

   wave->memory[space] = slots.memory;
   wave->num_memories[space] = slots.count;
}

void
resource_snapshot_bind_wave(const struct resource_snapshot *snapshot,
                            struct exec_wave *wave)
{
   bind_space(snapshot, RESOURCE_VIEWS, LIR_SPACE_TEXTURE, wave);
   bind_space(snapshot, RESOURCE_IMAGES, LIR_SPACE_IMAGE, wave);
   bind_space(snapshot, RESOURCE_BUFFERS, LIR_SPACE_BUFFER, wave);
}

/* Descriptors of a kind, in a binding for each chunk that there may be. */
static void
bind_words(const struct resource_snapshot *snapshot,
           enum resource_slot_kind kind,
           struct exec_memory constants[ABI_NUM_CONST_BINDINGS])
{
   assert(kind < TG_LENGTH(snapshot->tables));
   const struct resource_table *table = snapshot->tables[kind];
   const unsigned most =
      (kinds[kind].num_slots - 1) / kinds[kind].slots_per_chunk;

   for (unsigned i = 0; i <= most; i++) {
      const struct resource_chunk *chunk =
         table && i < table->num_chunks ? table->chunks[i] : NULL;

      constants[kinds[kind].words_binding + i] = (struct exec_memory){
         .data = chunk ? chunk->words : NULL,
         .num_bytes = chunk ? chunk->num_words * sizeof(uint32_t) : 0,
      };
   }
}

void
resource_snapshot_bind_constants(
   const struct resource_snapshot *snapshot,
   struct exec_memory constants[ABI_NUM_CONST_BINDINGS])
{
   const struct resource_slots slots =
      resource_snapshot_slots(snapshot, RESOURCE_CONSTANTS);

   if (slots.count)
      memcpy(constants, slots.memory, slots.count * sizeof(*constants));
   memset(constants + slots.count, 0,
          (ABI_NUM_CONST_BINDINGS - slots.count) * sizeof(*constants));
   constants[ABI_CONST_TABLES] = resource_tables();
   bind_words(snapshot, RESOURCE_VIEWS, constants);
   bind_words(snapshot, RESOURCE_SAMPLERS, constants);
   bind_words(snapshot, RESOURCE_IMAGES, constants);
}
