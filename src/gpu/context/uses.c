/* SPDX-License-Identifier: MIT
 *
 * Hazards (RAW, WAR, WAW): the lists of memory that scenes read and write. Of a
 * resource that is gone they may have an entry that a new owner of the memory
 * waits for once, in vain.
 */
#include "gpu/context/uses.h"

#include <assert.h>

#include "gpu/context/context.h"
#include "gpu/core/grow.h"
#include "gpu/fragment/fragment.h"
#include "gpu/queue/queue.h"
#include "util/minmax.h"

/* Bytes from an address on, and the last scene that uses them. */
struct gpu_use {
   const char *first;
   uint64_t num_bytes;
   uint64_t scene;
};

/* The scene that is being filled, or will be next. */
static uint64_t
open_scene(const struct tg_context *context)
{
   return gpu_queue_last(context->queue) + 1;
}

/* ---- the lists ----------------------------------------------------------- */

/* Forgets what only scenes that are done use. */
static void
compact(const struct tg_context *context, struct gpu_use_list *list)
{
   const uint64_t done = gpu_queue_done(context->queue);
   uint32_t count = 0;

   for (uint32_t i = 0; i < list->count; i++) {
      if (list->uses[i].scene > done)
         list->uses[count++] = list->uses[i];
   }
   list->count = count;
}

static bool
reserve(struct tg_context *context, struct gpu_use_list *list)
{
   void *uses = list->uses;

   if (list->count == list->capacity)
      compact(context, list);
   const bool is_there = gpu_reserve(context->allocator, &uses, &list->capacity,
                                     list->count, 1, sizeof(*list->uses));
   list->uses = uses;
   return is_there;
}

/* The entry of a memory, which may be new; NULL when out of memory. */
static struct gpu_use *
find(struct tg_context *context, struct gpu_use_list *list,
     const struct exec_memory *memory)
{
   const char *first = (const char *)memory->data;

   for (uint32_t i = 0; i < list->count; i++) {
      if (list->uses[i].first == first)
         return &list->uses[i];
   }
   if (!reserve(context, list))
      return NULL;
   list->uses[list->count] = (struct gpu_use){.first = first};
   return &list->uses[list->count++];
}

static bool
note(struct tg_context *context, const struct exec_memory *memory,
     enum gpu_access access)
{
   struct gpu_busy *busy = &context->busy;
   struct gpu_use *use = find(
      context, access == GPU_WRITES ? &busy->written : &busy->read, memory);

   if (!use)
      return false;
   use->num_bytes = tg_max_u64(use->num_bytes, memory->num_bytes);
   use->scene = open_scene(context);
   return true;
}

static bool
overlap(const struct gpu_use *use, const struct exec_memory *memory)
{
   const char *first = (const char *)memory->data;

   return first < use->first + use->num_bytes &&
          use->first < first + memory->num_bytes;
}

static void
forget(struct gpu_use_list *list, const struct exec_memory *memory)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < list->count; i++) {
      if (!overlap(&list->uses[i], memory))
         list->uses[count++] = list->uses[i];
   }
   list->count = count;
}

void
gpu_forget_uses(struct tg_context *context, const struct exec_memory *memory)
{
   forget(&context->busy.read, memory);
   forget(&context->busy.written, memory);
}

static uint64_t
last_use(const struct gpu_use_list *list, const struct exec_memory *memory)
{
   uint64_t scene = 0;

   for (uint32_t i = 0; i < list->count; i++) {
      if (overlap(&list->uses[i], memory))
         scene = tg_max_u64(scene, list->uses[i].scene);
   }
   return scene;
}

/* The last scene that an access to a memory must wait for. */
static uint64_t
last_scene(const struct gpu_busy *busy, const struct exec_memory *memory,
           enum gpu_access access)
{
   const uint64_t written = last_use(&busy->written, memory);

   return access == GPU_WRITES
             ? tg_max_u64(written, last_use(&busy->read, memory))
             : written;
}

/* ---- memories ------------------------------------------------------------ */

/* False when out of memory. */
static bool
note_memory(struct tg_context *context, const struct exec_memory *memories,
            uint32_t count, enum gpu_access access)
{
   for (uint32_t i = 0; i < count; i++) {
      if (memories[i].num_bytes && !note(context, &memories[i], access))
         return false;
   }
   return true;
}

/* The last scene that an access to any of these must wait for. */
static uint64_t
find_use_of(const struct tg_context *context,
            const struct exec_memory *memories, uint32_t count,
            enum gpu_access access)
{
   uint64_t scene = 0;

   for (uint32_t i = 0; i < count; i++) {
      if (memories[i].num_bytes)
         scene =
            tg_max_u64(scene, last_scene(&context->busy, &memories[i], access));
   }
   return scene;
}

uint64_t
gpu_find_use(const struct tg_context *context,
             const struct tg_resource *resource, enum gpu_access access)
{
   const struct exec_memory written = resource_place_without_hold(resource);
   uint64_t scene = last_scene(&context->busy, &written, access);

   for (const struct resource_storage *s = resource->decoded; s; s = s->next) {
      const struct exec_memory decoded = {s->data, s->num_bytes, NULL};

      scene = tg_max_u64(scene, last_scene(&context->busy, &decoded, access));
   }
   return scene;
}

bool
gpu_has_busy_use(struct tg_context *context, const struct tg_resource *resource,
                 enum gpu_access access)
{
   return gpu_find_use(context, resource, access) >
          gpu_queue_done(context->queue);
}

/* ---- bytes of buffers ---------------------------------------------------- */

/* These are in the buffer. */
static struct exec_memory
part_of(const struct tg_resource *buffer, uint32_t offset, uint32_t num_bytes)
{
   const struct exec_memory place = resource_place_without_hold(buffer);

   assert((uint64_t)offset + num_bytes <= place.num_bytes);
   return (struct exec_memory){
      .data = (uint32_t *)(void *)((char *)place.data + offset),
      .num_bytes = num_bytes,
   };
}

uint64_t
gpu_find_use_of_bytes(const struct tg_context *context,
                      const struct tg_resource *buffer, uint32_t offset,
                      uint32_t num_bytes, enum gpu_access access)
{
   const struct exec_memory part = part_of(buffer, offset, num_bytes);

   return num_bytes ? last_scene(&context->busy, &part, access) : 0;
}

bool
gpu_has_busy_use_of_bytes(struct tg_context *context,
                          const struct tg_resource *buffer, uint32_t offset,
                          uint32_t num_bytes, enum gpu_access access)
{
   return gpu_find_use_of_bytes(context, buffer, offset, num_bytes, access) >
          gpu_queue_done(context->queue);
}

bool
gpu_has_read_use_of_bytes(struct tg_context *context,
                          const struct tg_resource *buffer, uint32_t offset,
                          uint32_t num_bytes)
{
   const struct exec_memory part = part_of(buffer, offset, num_bytes);
   bool is_read = false;

   for (uint32_t i = 0; i < context->busy.read.count && !is_read; i++) {
      const struct gpu_use *use = &context->busy.read.uses[i];

      is_read = use->scene == open_scene(context) && overlap(use, &part);
   }
   return is_read;
}

enum tg_result
gpu_note_use_of_bytes(struct tg_context *context,
                      const struct tg_resource *buffer, uint32_t offset,
                      uint32_t num_bytes)
{
   const struct exec_memory part = part_of(buffer, offset, num_bytes);

   return note(context, &part, GPU_WRITES) ? TG_OK : TG_ERROR_MEMORY;
}

/* ---- bindings ------------------------------------------------------------ */

/* Can it be read or written by a shader that sees this? Others are what was
 * left bound for another one. */
static bool
is_seen(const struct abi_keys *seen, enum resource_slot_kind kind,
        unsigned place)
{
   switch (kind) {
   case RESOURCE_VIEWS: return abi_sees_view(seen, place);
   case RESOURCE_IMAGES: return abi_sees_image(seen, place);
   default: return true;
   }
}

/* The last scene that an access to what is seen of a kind must wait for. */
static uint64_t
find_use_of_kind(const struct tg_context *context,
                 const struct tg_bindings *bindings,
                 const struct abi_keys *seen_or_null,
                 enum resource_slot_kind kind, const struct exec_memory *memory,
                 enum gpu_access access)
{
   uint64_t scene = 0;

   for (unsigned i = 0; i < bindings->ends[kind]; i++) {
      if (!seen_or_null || is_seen(seen_or_null, kind, i))
         scene = tg_max_u64(scene, find_use_of(context, &memory[i], 1, access));
   }
   return scene;
}

/* Constants and textures are never written. */
uint64_t
gpu_find_use_of_bindings(const struct tg_context *context,
                         const struct tg_bindings *bindings,
                         const struct abi_keys *seen_or_null,
                         enum gpu_access access)
{
   uint64_t scene = 0;

   bindings = resource_bindings(bindings);
   for (unsigned i = 0; i < bindings->ends[RESOURCE_CONSTANTS]; i++) {
      if (bindings->resources[i])
         scene = tg_max_u64(
            scene, find_use_of(context, &bindings->constants[i], 1, GPU_READS));
   }
   scene = tg_max_u64(scene, find_use_of_kind(context, bindings, seen_or_null,
                                              RESOURCE_VIEWS,
                                              bindings->textures, GPU_READS));
   scene = tg_max_u64(scene, find_use_of_kind(context, bindings, seen_or_null,
                                              RESOURCE_IMAGES, bindings->images,
                                              access));
   return tg_max_u64(scene,
                     find_use_of(context, bindings->buffers,
                                 bindings->ends[RESOURCE_BUFFERS], access));
}

/* ---- draws --------------------------------------------------------------- */

static bool
note_slots(struct tg_context *context, const struct gpu_fragment_draw *draw,
           enum resource_slot_kind kind, enum gpu_access access)
{
   const struct resource_slots slots =
      resource_snapshot_slots(&draw->bound, kind);
   bool is_noted = true;

   for (uint32_t i = 0; i < slots.count && is_noted; i++) {
      const bool is_copied = i < 64 && slots.copied >> i & 1;

      if (!is_copied && is_seen(&draw->shader->seen, kind, i))
         is_noted = note_memory(context, &slots.memory[i], 1, access);
   }
   return is_noted;
}

enum tg_result
gpu_note_uses_of_fragments(struct tg_context *context,
                           const struct gpu_fragment_draw *draw)
{
   const enum gpu_access access = draw->is_sequential ? GPU_WRITES : GPU_READS;

   if (!note_memory(context, draw->surfaces, GPU_NUM_SURFACE_BINDINGS,
                    GPU_WRITES) ||
       !note_slots(context, draw, RESOURCE_CONSTANTS, GPU_READS) ||
       !note_slots(context, draw, RESOURCE_VIEWS, GPU_READS) ||
       !note_slots(context, draw, RESOURCE_IMAGES, access) ||
       !note_slots(context, draw, RESOURCE_BUFFERS, access))
      return TG_ERROR_MEMORY;
   return TG_OK;
}

enum tg_result
gpu_note_use_of_target(struct tg_context *context,
                       const struct tg_resource *resource)
{
   const struct exec_memory written = resource_place_without_hold(resource);

   return note_memory(context, &written, 1, GPU_WRITES) ? TG_OK
                                                        : TG_ERROR_MEMORY;
}

static void
finish(const struct tg_context *context, struct gpu_use_list *list)
{
   void *uses = list->uses;

   gpu_grow(context->allocator, &uses, list->capacity * sizeof(*list->uses), 0);
   *list = (struct gpu_use_list){0};
}

void
gpu_uses_finish(struct tg_context *context)
{
   finish(context, &context->busy.read);
   finish(context, &context->busy.written);
}
