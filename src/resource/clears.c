/* SPDX-License-Identifier: MIT
 *
 * Fast clears that outlive the scene: of a depth buffer, granules that hold
 * what their tile was cleared with and are not stored, since most often another
 * clear comes before anything reads them. All readers and writers but tiles
 * that are drawn have them stored first (fast clear elimination).
 */
#include <string.h>

#include "resource/resource.h"
#include "util/memory.h"
#include "util/minmax.h"

enum {
   TILE = RESOURCE_CLEAR_TILE,
   GRANULE = RESOURCE_GRANULE,
   GRANULES = TILE / GRANULE,
};

static uint32_t
num_tiles(uint32_t size)
{
   return (size + TILE - 1) / TILE;
}

static size_t
clears_size(const struct tg_resource *resource)
{
   return sizeof(struct resource_clears) +
          (size_t)num_tiles(resource->desc.width) *
             num_tiles(resource->desc.height) * sizeof(struct resource_clear);
}

/* Is it one image, in memory that nothing else knows of? */
static bool
is_plain(const struct tg_resource *resource)
{
   const struct resource_layout *layout = &resource->written.layout;

   return !resource_is_buffer(resource) && layout->num_levels == 1 &&
          layout->level[0].num_slices == 1 && !resource->written.is_borrowed &&
          !resource->decoded && !resource_undefined(resource);
}

void
resource_keep_clears(struct tg_resource *resource)
{
   assert(resource->written.format->block_bytes <= RESOURCE_CLEAR_TEXEL);
   if (resource->keeps_clears || resource->is_seen || !is_plain(resource))
      return;
   pthread_mutex_lock(&resource->mutex);
   if (!resource->clears)
      resource->clears =
         tg_alloc_zeroed(resource->allocator, clears_size(resource));
   resource->keeps_clears = resource->clears;
   pthread_mutex_unlock(&resource->mutex);
}

void
resource_free_clears(struct tg_resource *resource)
{
   if (resource->clears)
      resource->allocator->resize(resource->allocator->user, resource->clears,
                                  clears_size(resource), 0);
   resource->clears = NULL;
}

struct resource_clear *
resource_find_clear(const struct tg_resource *resource, uint32_t x, uint32_t y)
{
   assert(x < resource->desc.width && y < resource->desc.height);
   if (!resource->keeps_clears)
      return NULL;
   return &resource->clears
              ->tile[y / TILE * num_tiles(resource->desc.width) + x / TILE];
}

void
resource_put_clear(const struct tg_resource *resource,
                   struct resource_clear *clear, uint32_t pending,
                   const uint8_t texel[RESOURCE_CLEAR_TEXEL])
{
   clear->pending = (uint16_t)pending;
   memcpy(clear->texel, texel, sizeof(clear->texel));
   if (pending && !resource->clears->is_pending)
      resource->clears->is_pending = true;
}

/* ---- elimination --------------------------------------------------------- */

static void
store_granule(const struct tg_resource *resource,
              const struct resource_pattern *pattern, uint32_t x, uint32_t y)
{
   const struct tg_resource_desc *desc = &resource->desc;

   if (x >= desc->width || y >= desc->height)
      return;
   resource_fill_samples(resource,
                         &(struct resource_blocks){
                            .x = x,
                            .y = y,
                            .width = tg_min_u32(desc->width - x, GRANULE),
                            .height = tg_min_u32(desc->height - y, GRANULE),
                            .depth = 1,
                         },
                         pattern, desc->samples);
}

void
resource_settle_clear(const struct tg_resource *resource, uint32_t x,
                      uint32_t y)
{
   struct resource_clear *clear = resource_find_clear(resource, x, y);

   if (!clear || !clear->pending)
      return;
   const struct resource_pattern pattern = resource_fill_pattern(
      clear->texel, resource->written.format->block_bytes);
   for (unsigned i = 0; i < GRANULES * GRANULES; i++) {
      if (clear->pending >> i & 1)
         store_granule(resource, &pattern,
                       x / TILE * TILE + i % GRANULES * GRANULE,
                       y / TILE * TILE + i / GRANULES * GRANULE);
   }
   clear->pending = 0;
}

void
resource_settle_clears(const struct tg_resource *resource)
{
   if (!resource->keeps_clears || !resource->clears->is_pending)
      return;
   resource->clears->is_pending = false;
   for (uint32_t y = 0; y < resource->desc.height; y += TILE) {
      for (uint32_t x = 0; x < resource->desc.width; x += TILE)
         resource_settle_clear(resource, x, y);
   }
}
