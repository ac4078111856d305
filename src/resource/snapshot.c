/* SPDX-License-Identifier: MIT
 *
 * Snapshots: what was bound at one time. Of each kind of slots there is a table
 * that never changes, which bindings and snapshots share until a slot of that
 * kind is written; so that a snapshot is a few references, and what is bound
 * anew costs the slots of its kind up to the last that is bound.
 */
#include <stddef.h>
#include <string.h>

#include "resource/bindings.h"

/* ---- kinds --------------------------------------------------------------- */

/* Where the slots of a kind are in bindings. */
struct kind {
   size_t memory; /* offset of the array, or NO_MEMORY */
   unsigned num_slots;
   unsigned first_resource;
   unsigned first_word, words_per_slot; /* of the descriptors */
};

#define NO_MEMORY SIZE_MAX

static const struct kind kinds[RESOURCE_NUM_KINDS] = {
   [RESOURCE_CONSTANTS] = {.memory = offsetof(struct tg_bindings, constants),
                           .num_slots = LOWER_NUM_CONST_BINDINGS},
   [RESOURCE_VIEWS] = {.memory = offsetof(struct tg_bindings, textures),
                       .num_slots = LOWER_MAX_VIEWS,
                       .first_resource = RESOURCE_FIRST_TEXTURE,
                       .first_word = LOWER_VIEW_FIRST,
                       .words_per_slot = LOWER_VIEW_WORDS},
   [RESOURCE_SAMPLERS] = {.memory = NO_MEMORY,
                          .num_slots = LOWER_MAX_SAMPLERS,
                          .first_word = LOWER_SAMPLER_FIRST,
                          .words_per_slot = LOWER_SAMPLER_WORDS},
   [RESOURCE_IMAGES] = {.memory = offsetof(struct tg_bindings, images),
                        .num_slots = LOWER_NUM_IMAGE_BINDINGS,
                        .first_resource = RESOURCE_FIRST_IMAGE,
                        .first_word = LOWER_IMAGE_FIRST,
                        .words_per_slot = LOWER_IMAGE_WORDS},
   [RESOURCE_BUFFERS] = {.memory = offsetof(struct tg_bindings, buffers),
                         .num_slots = LOWER_NUM_BUFFER_BINDINGS,
                         .first_resource = RESOURCE_FIRST_BUFFER},
};

static const struct exec_memory *
memory_of(const struct tg_bindings *bindings, const struct kind *kind)
{
   return kind->memory == NO_MEMORY
             ? NULL
             : (const struct exec_memory *)((const char *)bindings +
                                            kind->memory);
}

/* Slots up to the last that is bound. */
static unsigned
count_slots(const struct tg_bindings *bindings, const struct kind *kind)
{
   const struct exec_memory *memory = memory_of(bindings, kind);
   unsigned count = kind->num_slots;

   while (count && !(memory ? memory[count - 1].data != NULL
                            : bindings->keys.samplers[count - 1].is_bound))
      count--;
   return count;
}

/* ---- tables -------------------------------------------------------------- */

/* The arrays follow the struct: memory and resources, where the kind has some,
 * then words. */
struct resource_table {
   struct tg_refcount refs;
   const struct tg_allocator *allocator;
   size_t size;
   uint32_t num_slots, num_words;
   struct exec_memory *memory;
   struct tg_resource **resources; /* references, or NULL */
   uint32_t *words;
};

static void
place_arrays(struct resource_table *table, bool has_memory)
{
   const uint32_t num_resources = has_memory ? table->num_slots : 0;
   struct exec_memory *memory = (struct exec_memory *)(table + 1);
   struct tg_resource **resources =
      (struct tg_resource **)(memory + num_resources);

   table->memory = has_memory ? memory : NULL;
   table->resources = has_memory ? resources : NULL;
   table->words = (uint32_t *)(resources + num_resources);
}

static void
fill_table(struct resource_table *table, const struct tg_bindings *bindings,
           const struct kind *kind)
{
   const uint32_t count = table->num_slots;

   memcpy(table->words, &bindings->descriptors[kind->first_word],
          table->num_words * sizeof(uint32_t));
   if (!table->memory)
      return;
   memcpy(table->memory, memory_of(bindings, kind),
          count * sizeof(*table->memory));
   memcpy(table->resources, &bindings->resources[kind->first_resource],
          count * sizeof(struct tg_resource *));
   for (uint32_t i = 0; i < count; i++)
      tg_resource_ref(table->resources[i]);
}

/* A table of so many slots; NULL when out of memory. */
static struct resource_table *
create_table(const struct tg_bindings *bindings, const struct kind *kind,
             unsigned num_slots)
{
   const struct tg_allocator *allocator = bindings->allocator;
   const bool has_memory = kind->memory != NO_MEMORY;
   const size_t of_memory =
      has_memory ? sizeof(struct exec_memory) + sizeof(struct tg_resource *)
                 : 0;
   const size_t of_slot = of_memory + kind->words_per_slot * sizeof(uint32_t);
   const size_t size = sizeof(struct resource_table) + num_slots * of_slot;
   struct resource_table *table =
      allocator->resize(allocator->user, NULL, 0, size);

   if (!table)
      return NULL;
   *table = (struct resource_table){
      .refs = TG_REFCOUNT_INIT,
      .allocator = allocator,
      .size = size,
      .num_slots = num_slots,
      .num_words = num_slots * kind->words_per_slot,
   };
   place_arrays(table, has_memory);
   fill_table(table, bindings, kind);
   return table;
}

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

   const struct tg_allocator *allocator = table->allocator;
   for (uint32_t i = 0; table->resources && i < table->num_slots; i++)
      tg_resource_destroy(table->resources[i]);
   allocator->resize(allocator->user, table, table->size, 0);
}

/* ---- snapshots ----------------------------------------------------------- */

void
resource_forget_table(struct tg_bindings *bindings,
                      enum resource_slot_kind kind)
{
   drop_table(bindings->tables[kind]);
   bindings->tables[kind] = NULL;
}

/* The table of what is bound, which may be none; adds its size if it is made
 * anew. False when out of memory. */
static bool
update_table(struct tg_bindings *bindings, enum resource_slot_kind kind,
             size_t *num_new_bytes)
{
   if (bindings->tables[kind])
      return true;
   const unsigned num_slots = count_slots(bindings, &kinds[kind]);
   if (!num_slots)
      return true;
   bindings->tables[kind] = create_table(bindings, &kinds[kind], num_slots);
   if (!bindings->tables[kind])
      return false;
   *num_new_bytes += bindings->tables[kind]->size;
   return true;
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
   const struct resource_table *table = snapshot->tables[kind];

   return table ? (struct resource_slots){table->memory, table->num_slots}
                : (struct resource_slots){NULL, 0};
}

static void
bind_space(const struct resource_snapshot *snapshot,
           enum resource_slot_kind kind, unsigned space, struct exec_wave *wave)
{
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

static struct exec_memory
words_of(const struct resource_snapshot *snapshot, enum resource_slot_kind kind)
{
   const struct resource_table *table = snapshot->tables[kind];

   if (!table)
      return (struct exec_memory){0};
   return (struct exec_memory){
      .data = table->words,
      .num_bytes = table->num_words * sizeof(uint32_t),
   };
}

void
resource_snapshot_bind_constants(
   const struct resource_snapshot *snapshot,
   struct exec_memory constants[LOWER_NUM_CONST_BINDINGS])
{
   const struct resource_slots slots =
      resource_snapshot_slots(snapshot, RESOURCE_CONSTANTS);

   resource_bind_constants(NULL, constants);
   for (uint32_t i = 0; i < slots.count; i++) {
      if (slots.memory[i].data)
         constants[i] = slots.memory[i];
   }
   constants[LOWER_CONST_VIEWS] = words_of(snapshot, RESOURCE_VIEWS);
   constants[LOWER_CONST_SAMPLERS] = words_of(snapshot, RESOURCE_SAMPLERS);
   constants[LOWER_CONST_IMAGES] = words_of(snapshot, RESOURCE_IMAGES);
}
