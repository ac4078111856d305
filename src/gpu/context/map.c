/* SPDX-License-Identifier: MIT
 *
 * Mapping of resources: boxes of resources as memory of the caller. Most are
 * the resource's own memory; a range of a busy buffer that is discarded is
 * staging memory, which is written when the map ends.
 */
#include <assert.h>
#include <string.h>

#include "gpu/context/context.h"
#include "gpu/context/write.h"
#include "gpu/core/grow.h"
#include "gpu/queue/queue.h"
#include "util/diagnostics.h"
#include "util/minmax.h"

struct tg_map {
   struct tg_resource *resource; /* a reference */
   struct resource_hold hold;
   struct resource_block *staged; /* or NULL */
   struct resource_blocks blocks;
   uint32_t flags;
   void *data;
   size_t row_stride, slice_stride;
};

enum {
   ALL_FLAGS = TG_MAP_READ | TG_MAP_WRITE | TG_MAP_DISCARD_RANGE |
               TG_MAP_DISCARD_WHOLE | TG_MAP_UNSYNCHRONIZED | TG_MAP_PERSISTENT,
   DISCARDS = TG_MAP_DISCARD_RANGE | TG_MAP_DISCARD_WHOLE,
};

/* ---- checks -------------------------------------------------------------- */

static enum tg_result
check_flags(uint32_t flags, struct tg_diagnostics *diagnostics)
{
   if (flags & ~(uint32_t)ALL_FLAGS)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "map",
                         "there are no flags 0x%x",
                         flags & ~(uint32_t)ALL_FLAGS);
   if (!(flags & (TG_MAP_READ | TG_MAP_WRITE)))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "map",
                         "neither read nor written");
   if (flags & DISCARDS && (flags & TG_MAP_READ || !(flags & TG_MAP_WRITE)))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "map",
                         "what is discarded is written, and not read");
   return TG_OK;
}

static enum tg_result
check_resource(const struct tg_resource *resource, uint32_t flags,
               struct tg_diagnostics *diagnostics)
{
   if (resource->desc.samples > 1)
      return tg_complain(diagnostics, TG_ERROR_UNSUPPORTED, "map",
                         "a texture with %u samples is not mapped",
                         resource->desc.samples);
   if (flags & TG_MAP_PERSISTENT &&
       format_is_compressed((enum tg_format)resource->desc.format))
      return tg_complain(diagnostics, TG_ERROR_UNSUPPORTED, "map",
                         "the compressed format %s is not mapped for long",
                         resource->written.format->name);
   return TG_OK;
}

/* ---- where the data is --------------------------------------------------- */

/* Memory apart, of the size of the range. */
static enum tg_result
stage(struct tg_map *map, const struct tg_allocator *allocator)
{
   map->staged = resource_block_create(allocator, map->blocks.width);
   if (!map->staged)
      return TG_ERROR_MEMORY;
   map->data = map->staged->words;
   map->row_stride = map->slice_stride = map->blocks.width;
   return TG_OK;
}

static void
point_at_resource(struct tg_map *map)
{
   struct tg_resource *resource = map->resource;
   const struct resource_level *level =
      &resource->written.layout.level[map->blocks.level];

   resource_pin_against_renaming(resource);
   map->hold = resource_hold(resource);
   map->data =
      resource_texel_in(map->hold.memory.data, resource, map->blocks.level, 0,
                        map->blocks.x, map->blocks.y, map->blocks.z);
   map->row_stride = (size_t)level->row_pitch;
   map->slice_stride = (size_t)level->slice_pitch;
}

/* ---- discarding ---------------------------------------------------------- */

static void
clear(struct tg_resource *resource, const struct resource_blocks *blocks)
{
   static const uint8_t zeros[RESOURCE_MAX_BLOCK];
   const struct resource_pattern pattern =
      resource_fill_pattern(zeros, resource->written.format->block_bytes);

   resource_fill(resource, blocks, &pattern);
}

static void
discard_buffer(struct tg_context *context, struct tg_resource *buffer)
{
   const struct resource_blocks all = {
      .width = buffer->desc.width, .height = 1, .depth = 1};

   if (gpu_rename_for_write(context, buffer, RESOURCE_CLEARED))
      return;
   gpu_wait_for(context, buffer, GPU_WRITES);
   clear(buffer, &all);
}

/* A range of a buffer that is in use: it need not wait. */
static bool
is_to_be_staged(struct tg_context *context, const struct tg_map *map)
{
   return resource_is_buffer(map->resource) &&
          map->flags & TG_MAP_DISCARD_RANGE &&
          !(map->flags & (TG_MAP_UNSYNCHRONIZED | TG_MAP_PERSISTENT)) &&
          gpu_has_busy_use_of_bytes(context, map->resource, map->blocks.x,
                                    map->blocks.width, GPU_WRITES);
}

static void
wait_to_map(struct tg_context *context, const struct tg_map *map)
{
   const enum gpu_access access =
      map->flags & TG_MAP_WRITE ? GPU_WRITES : GPU_READS;

   if (map->flags & TG_MAP_UNSYNCHRONIZED)
      return;
   if (resource_is_buffer(map->resource))
      gpu_wait_for_bytes(context, map->resource, map->blocks.x,
                         map->blocks.width, access);
   else
      gpu_wait_for(context, map->resource, access);
}

static enum tg_result
find_data(struct tg_context *context, struct tg_map *map)
{
   struct tg_resource *resource = map->resource;

   if (map->flags & TG_MAP_DISCARD_WHOLE && resource_is_buffer(resource) &&
       !(map->flags & TG_MAP_UNSYNCHRONIZED))
      discard_buffer(context, resource);
   else if (is_to_be_staged(context, map))
      return stage(map, context->allocator);
   wait_to_map(context, map);
   resource->is_seen = true;
   gpu_settle_one_color(context, resource);
   if (map->flags & DISCARDS)
      clear(resource, &map->blocks);
   point_at_resource(map);
   return TG_OK;
}

/* ---- maps ---------------------------------------------------------------- */

static void
destroy(struct tg_context *context, struct tg_map *map)
{
   void *memory = map;

   if (map->hold.memory.data)
      resource_unpin_for_renaming(map->resource);
   resource_release(&map->hold);
   resource_block_drop(map->staged);
   tg_resource_destroy(map->resource);
   gpu_grow(context->allocator, &memory, sizeof(*map), 0);
}

static enum tg_result
map_box(struct tg_context *context, struct tg_resource *resource,
        uint32_t level, const struct tg_box *box, uint32_t flags,
        struct tg_diagnostics *diagnostics, struct tg_map **map_out)
{
   struct resource_blocks blocks;
   void *memory = NULL;
   enum tg_result result = check_flags(flags, diagnostics);

   if (result == TG_OK)
      result = check_resource(resource, flags, diagnostics);
   if (result != TG_OK)
      return result;
   if (!resource_find_blocks(resource, level, 0, box, &blocks))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "map",
                         "the resource has no such box of blocks in level %u",
                         level);
   result = gpu_fault_charge(&context->life,
                             GPU_WORK_CALL + resource_cost(resource, &blocks),
                             diagnostics);
   if (result != TG_OK)
      return result;
   if (!gpu_grow(context->allocator, &memory, 0, sizeof(struct tg_map)))
      return TG_ERROR_MEMORY;
   struct tg_map *map = memory;
   *map = (struct tg_map){
      .resource = tg_resource_ref(resource),
      .blocks = blocks,
      .flags = flags,
   };
   result = find_data(context, map);
   if (result == TG_OK)
      *map_out = map;
   else
      destroy(context, map);
   return result;
}

enum tg_result
tg_context_map(struct tg_context *context, struct tg_resource *resource,
               uint32_t level, const struct tg_box *box, uint32_t flags,
               struct tg_diagnostics *diagnostics, struct tg_map **map_out)
{
   assert(context);
   assert(resource);
   assert(box);
   assert(map_out);
   gpu_context_begin_call(context, TG_CALL_MAP);
   return gpu_context_end_call(
      context, NULL,
      map_box(context, resource, level, box, flags, diagnostics, map_out));
}

void *
tg_map_get_data(const struct tg_map *map, size_t *row_stride_out,
                size_t *slice_stride_out)
{
   if (row_stride_out)
      *row_stride_out = map->row_stride;
   if (slice_stride_out)
      *slice_stride_out = map->slice_stride;
   return map->data;
}

/* What was written where it belongs. */
static void
take_written(struct tg_map *map)
{
   const size_t row_bytes =
      (size_t)map->blocks.width * map->resource->written.format->block_bytes;

   for (uint32_t z = 0; z < map->blocks.depth; z++) {
      for (uint32_t y = 0; y < map->blocks.height; y++)
         resource_define(map->resource,
                         (char *)map->data + z * map->slice_stride +
                            y * map->row_stride,
                         row_bytes);
   }
   resource_decode_blocks(map->resource, &map->blocks);
}

static enum tg_result
end_map(struct tg_context *context, struct tg_map *map)
{
   const struct tg_box box = {map->blocks.x, 0, 0, map->blocks.width, 1, 1};

   if (map->staged)
      return gpu_write(context, map->resource, 0, 0, &box, map->data, 0, 0);
   if (map->flags & TG_MAP_WRITE)
      take_written(map);
   return TG_OK;
}

enum tg_result
tg_context_unmap(struct tg_context *context, struct tg_map *map)
{
   if (!map)
      return TG_OK;
   gpu_context_begin_call(context, TG_CALL_MAP);
   const enum tg_result result =
      gpu_context_end_call(context, NULL, end_map(context, map));
   destroy(context, map);
   return result;
}
