/* SPDX-License-Identifier: MIT
 *
 * Creation of resources: which ones there can be, and their memory.
 */
#include "resource/resource.h"

#include <assert.h>

#include "resource/target.h"
#include "util/memory.h"
#include "util/sized.h"

/* ---- what there can be --------------------------------------------------- */

static uint32_t
at_least_1(uint32_t size)
{
   return size ? size : 1;
}

/* Sets each size that may be left 0 to 1. */
static void
complete(struct tg_resource_desc *desc)
{
   const struct resource_target *target = &resource_targets[desc->target];

   if (target->max_height == 1)
      desc->height = at_least_1(desc->height);
   if (target->max_depth == 1)
      desc->depth = at_least_1(desc->depth);
   if (target->max_layers == 1)
      desc->layers = at_least_1(desc->layers);
   desc->samples = at_least_1(desc->samples);
   if (desc->target == TG_TEXTURE_BUFFER)
      desc->format = TG_FORMAT_NONE;
}

static enum tg_result
check_size(const char *what, uint32_t size, uint32_t max,
           const struct resource_target *target,
           struct tg_diagnostics *diagnostics)
{
   if (size >= 1 && size <= max)
      return TG_OK;
   if (max == 1)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "a %s texture has a %s of 1, not %u", target->name,
                         what, size);
   return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                      "a %s texture has a %s of 1 to %u, not %u", target->name,
                      what, max, size);
}

static enum tg_result
check_layers(const struct tg_resource_desc *desc,
             const struct resource_target *target,
             struct tg_diagnostics *diagnostics)
{
   const bool is_cube = target->faces == 6;
   const uint32_t max = target->max_layers;

   if (is_cube && desc->width != desc->height)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "faces of a cube are square, not %u by %u",
                         desc->width, desc->height);
   if (desc->layers >= 1 && desc->layers <= max &&
       desc->layers % target->faces == 0)
      return TG_OK;
   if (is_cube)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "a %s texture has 6 faces a cube and %u at most, not "
                         "%u",
                         target->name, max, desc->layers);
   return check_size("number of layers", desc->layers, max, target,
                     diagnostics);
}

static enum tg_result
check_samples(const struct tg_resource_desc *desc,
              const struct resource_target *target,
              struct tg_diagnostics *diagnostics)
{
   const uint32_t samples = desc->samples;

   if (samples > 1 && target->target_msaa == TG_TARGET_UNKNOWN)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "a %s texture has one sample, not %u", target->name,
                         samples);
   if (samples > TG_MAX_TEXTURE_SAMPLES || !(TG_SAMPLE_COUNTS >> samples & 1))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "a texture has 1, 2, 4, 8 or 16 samples, not %u",
                         samples);
   return TG_OK;
}

static enum tg_result
check_levels(const struct tg_resource_desc *desc,
             const struct resource_target *target,
             struct tg_diagnostics *diagnostics)
{
   const uint32_t last =
      tg_full_last_level(desc->width, desc->height, desc->depth);

   if (desc->last_level > 0 && (!target->has_levels || desc->samples > 1))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "a %s texture%s has level 0 only, not to level %u",
                         target->name, desc->samples > 1 ? " with samples" : "",
                         desc->last_level);
   if (desc->last_level > last)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "a texture of %u by %u by %u has level %u at last, "
                         "not %u",
                         desc->width, desc->height, desc->depth, last,
                         desc->last_level);
   return TG_OK;
}

static enum tg_result
check_format(const struct tg_resource_desc *desc,
             struct tg_diagnostics *diagnostics)
{
   const char *name = tg_format_name(desc->format);

   if (tg_format_is_supported(desc->format))
      return TG_OK;
   if (!name)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "there is no format %u", desc->format);
   return tg_complain(diagnostics, TG_ERROR_UNSUPPORTED, "resource",
                      "textures cannot have the format %s", name);
}

/* Blocks of a compressed format are parts of an image. */
static enum tg_result
check_compressed(const struct tg_resource_desc *desc,
                 const struct resource_target *target,
                 struct tg_diagnostics *diagnostics)
{
   if (desc->samples > 1 &&
       !(tg_format_get_uses(desc->format) & TG_FORMAT_USE_MULTISAMPLE))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "a %s texture with samples cannot have the compressed "
                         "format %s",
                         target->name, tg_format_name(desc->format));
   return TG_OK;
}

/* What is wrong with a desc, all sizes of which are given. */
static enum tg_result
check_texture(const struct tg_resource_desc *desc,
              struct tg_diagnostics *diagnostics)
{
   const struct resource_target *target = &resource_targets[desc->target];
   enum tg_result result = check_format(desc, diagnostics);

   if (result == TG_OK)
      result = check_size("width", desc->width, target->max_width, target,
                          diagnostics);
   if (result == TG_OK)
      result = check_size("height", desc->height, target->max_height, target,
                          diagnostics);
   if (result == TG_OK)
      result = check_size("depth", desc->depth, target->max_depth, target,
                          diagnostics);
   if (result == TG_OK)
      result = check_layers(desc, target, diagnostics);
   if (result == TG_OK)
      result = check_samples(desc, target, diagnostics);
   if (result == TG_OK)
      result = check_levels(desc, target, diagnostics);
   if (result == TG_OK)
      result = check_compressed(desc, target, diagnostics);
   return result;
}

static enum tg_result
check_buffer(const struct tg_resource_desc *desc,
             struct tg_diagnostics *diagnostics)
{
   if (desc->height == 1 && desc->depth == 1 && desc->layers == 1 &&
       desc->samples == 1 && desc->last_level == 0)
      return TG_OK;
   return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                      "a buffer has a width and nothing else");
}

/* ---- memory -------------------------------------------------------------- */

/* Whole words, so that the last unit of any size lies in memory; at least one;
 * and what it takes to begin with a cache line. */
static uint64_t
allocated_size(const struct resource_storage *storage)
{
   const uint64_t size = (storage->layout.size + 3) & ~UINT64_C(3);

   return (size ? size : 4) + RESOURCE_ALIGNMENT - 1;
}

/* The first cache line that begins in the memory. */
static uint32_t *
align(void *memory)
{
   const uintptr_t address = (uintptr_t)memory;

   return (uint32_t *)((address + RESOURCE_ALIGNMENT - 1) &
                       ~(uintptr_t)(RESOURCE_ALIGNMENT - 1));
}

enum tg_result
resource_storage_init(struct resource_storage *storage,
                      const struct tg_resource_desc *desc,
                      const struct tg_allocator *allocator,
                      struct tg_diagnostics *diagnostics)
{
   resource_lay_out(desc, storage->format, &storage->layout);
   const uint64_t size = allocated_size(storage);

   if (storage->layout.size > TG_MAX_RESOURCE_SIZE || size > SIZE_MAX)
      return tg_complain(diagnostics, TG_ERROR_LIMIT, "resource",
                         "a resource of %llu bytes is too large; the most is "
                         "4 GiB - 1",
                         (unsigned long long)storage->layout.size);
   storage->memory = tg_alloc_zeroed(allocator, (size_t)size);
   if (!storage->memory)
      return TG_ERROR_MEMORY;
   storage->data = align(storage->memory);
   storage->num_bytes = storage->layout.size;
   return TG_OK;
}

void
resource_storage_finish(struct resource_storage *storage,
                        const struct tg_allocator *allocator)
{
   if (!storage->is_borrowed)
      allocator->resize(allocator->user, storage->memory,
                        (size_t)allocated_size(storage), 0);
   else if (storage->release)
      storage->release(storage->user);
}

/* What is asked for, with all sizes that were left out. */
static enum tg_result
take_desc(struct tg_resource_desc *desc, const struct tg_resource_desc *given,
          struct tg_diagnostics *diagnostics)
{
   const enum tg_result result =
      tg_resource_desc_take(desc, given, diagnostics);

   if (result != TG_OK)
      return result;
   if (desc->target >= RESOURCE_NUM_TARGETS)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "resource",
                         "there is no texture target %u", desc->target);
   complete(desc);
   return desc->target == TG_TEXTURE_BUFFER ? check_buffer(desc, diagnostics)
                                            : check_texture(desc, diagnostics);
}

/* Buffers of our own live in blocks. */
static enum tg_result
make_memory(struct resource_storage *storage, struct resource_block **block,
            const struct tg_resource_desc *desc,
            const struct tg_allocator *allocator,
            struct tg_diagnostics *diagnostics)
{
   if (desc->target != TG_TEXTURE_BUFFER)
      return resource_storage_init(storage, desc, allocator, diagnostics);
   resource_lay_out(desc, storage->format, &storage->layout);
   *block = resource_block_create(allocator, desc->width);
   if (!*block)
      return TG_ERROR_MEMORY;
   storage->data = (*block)->words;
   storage->num_bytes = storage->layout.size;
   return TG_OK;
}

static void
free_memory(struct resource_storage *storage, struct resource_block *block,
            const struct tg_allocator *allocator)
{
   if (block)
      resource_block_drop(block);
   else
      resource_storage_finish(storage, allocator);
}

/* In memory of the caller, or in our own for NULL. */
static enum tg_result
create(const struct tg_allocator *allocator,
       const struct tg_resource_desc *given,
       const struct tg_resource_memory *memory,
       struct tg_diagnostics *diagnostics, struct tg_resource **resource_out)
{
   struct tg_resource_desc desc;
   struct resource_storage storage = {0};
   struct resource_block *block = NULL;

   enum tg_result result = take_desc(&desc, given, diagnostics);
   if (result != TG_OK)
      return result;
   storage.format = desc.target == TG_TEXTURE_BUFFER
                       ? &resource_bytes
                       : format_info((enum tg_format)desc.format);
   result = memory
               ? resource_storage_init_caller_memory(&storage, &desc, memory,
                                                     diagnostics)
               : make_memory(&storage, &block, &desc, allocator, diagnostics);
   if (result != TG_OK)
      return result;

   struct tg_resource *resource =
      allocator->resize(allocator->user, NULL, 0, sizeof(*resource));
   if (!resource) {
      storage.release = NULL;
      free_memory(&storage, block, allocator);
      return TG_ERROR_MEMORY;
   }
   *resource = (struct tg_resource){
      .refs = TG_REFCOUNT_INIT,
      .allocator = allocator,
      .desc = desc,
      .written = storage,
      .block = block,
   };
   pthread_mutex_init(&resource->mutex, NULL);
   *resource_out = resource;
   return TG_OK;
}

enum tg_result
tg_resource_create(const struct tg_allocator *allocator,
                   const struct tg_resource_desc *desc,
                   struct tg_diagnostics *diagnostics,
                   struct tg_resource **resource_out)
{
   assert(desc);
   assert(resource_out);
   return create(allocator ? allocator : tg_default_allocator(), desc, NULL,
                 diagnostics, resource_out);
}

enum tg_result
tg_resource_create_from_memory(const struct tg_allocator *allocator,
                               const struct tg_resource_desc *desc,
                               const struct tg_resource_memory *given,
                               struct tg_diagnostics *diagnostics,
                               struct tg_resource **resource_out)
{
   assert(desc);
   assert(resource_out);
   struct tg_resource_memory memory;
   const enum tg_result result =
      tg_resource_memory_take(&memory, given, diagnostics);

   if (result != TG_OK)
      return result;
   return create(allocator ? allocator : tg_default_allocator(), desc, &memory,
                 diagnostics, resource_out);
}

struct tg_resource *
tg_resource_ref(struct tg_resource *resource)
{
   if (resource)
      tg_refcount_add(&resource->refs);
   return resource;
}

void
tg_resource_destroy(struct tg_resource *resource)
{
   if (!resource || !tg_refcount_drop(&resource->refs))
      return;

   const struct tg_allocator *allocator = resource->allocator;
   resource_free_one_color(resource);
   resource_free_clears(resource);
   resource_free_undefined(resource);
   resource_free_decoded(resource);
   resource_block_drop(resource->spare);
   free_memory(&resource->written, resource->block, allocator);
   pthread_mutex_destroy(&resource->mutex);
   allocator->resize(allocator->user, resource, sizeof(*resource), 0);
}

/* ---- questions ----------------------------------------------------------- */

const struct tg_resource_desc *
tg_resource_get_desc(const struct tg_resource *resource)
{
   assert(resource);
   return &resource->desc;
}

uint64_t
tg_resource_get_size(const struct tg_resource *resource)
{
   assert(resource);
   uint64_t size = resource->written.num_bytes;

   for (const struct resource_storage *s = resource->decoded; s; s = s->next)
      size += s->num_bytes;
   return size;
}

uint32_t
tg_full_last_level(uint32_t width, uint32_t height, uint32_t depth)
{
   uint32_t level = 0;

   while (width >> level > 1 || height >> level > 1 || depth >> level > 1)
      level++;
   return level;
}

void *
tg_resource_map_buffer(struct tg_resource *resource)
{
   if (!resource_is_buffer(resource))
      return NULL;
   resource_forbid_renaming(resource);
   return resource->written.data;
}
