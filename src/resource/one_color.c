/* SPDX-License-Identifier: MIT
 *
 * Multisample compression: where all samples of a pixel hold the same, a draw
 * may store the first alone, and say so in a plane of bytes. All other readers
 * and writers of samples have the others stored first (decompression).
 */
#include <string.h>

#include "resource/resource.h"
#include "util/memory.h"

static size_t
plane_size(const struct tg_resource *resource)
{
   const struct resource_level *level = &resource->written.layout.level[0];

   return (size_t)level->width * level->height * level->num_slices;
}

uint8_t *
resource_keep_one_color(struct tg_resource *resource)
{
   if (resource->desc.samples < 2)
      return NULL;
   pthread_mutex_lock(&resource->mutex);
   if (!resource->one_color)
      resource->one_color = tg_alloc_zeroed(
         resource->allocator, (plane_size(resource) + 3) & ~(size_t)3);
   pthread_mutex_unlock(&resource->mutex);
   if (resource->one_color && !resource->may_be_one_color)
      resource->may_be_one_color = true;
   return resource->one_color;
}

void
resource_free_one_color(struct tg_resource *resource)
{
   if (resource->one_color)
      resource->allocator->resize(resource->allocator->user,
                                  resource->one_color,
                                  (plane_size(resource) + 3) & ~(size_t)3, 0);
   resource->one_color = NULL;
}

struct exec_memory
resource_one_color_memory(const struct tg_resource *resource)
{
   return (struct exec_memory){
      .data = (uint32_t *)(void *)resource->one_color,
      .num_bytes = resource->one_color ? plane_size(resource) : 0,
   };
}

/* The byte of a pixel. */
static uint8_t *
find_byte(const struct tg_resource *resource, uint32_t x, uint32_t y,
          uint32_t z)
{
   const struct resource_level *level = &resource->written.layout.level[0];

   return resource->one_color + ((size_t)z * level->height + y) * level->width +
          x;
}

static void
settle_pixel(const struct tg_resource *resource, uint32_t x, uint32_t y,
             uint32_t z)
{
   const size_t num_bytes = resource->written.format->block_bytes;
   const void *first = resource_texel(resource, 0, 0, x, y, z);

   for (uint32_t s = 1; s < resource->desc.samples; s++)
      memcpy(resource_texel(resource, 0, s, x, y, z), first, num_bytes);
}

void
resource_settle_one_color_blocks(const struct tg_resource *resource,
                                 const struct resource_blocks *blocks)
{
   resource_settle_clears(resource);
   if (!resource->may_be_one_color)
      return;
   for (uint32_t z = blocks->z; z < blocks->z + blocks->depth; z++) {
      for (uint32_t y = blocks->y; y < blocks->y + blocks->height; y++) {
         uint8_t *is_one = find_byte(resource, blocks->x, y, z);

         for (uint32_t i = 0; i < blocks->width; i++) {
            if (is_one[i])
               settle_pixel(resource, blocks->x + i, y, z);
         }
         memset(is_one, 0, blocks->width);
      }
   }
}

void
resource_settle_one_color(struct tg_resource *resource)
{
   const struct resource_level *level = &resource->written.layout.level[0];

   resource_settle_clears(resource);
   if (resource->is_seen)
      resource->keeps_clears = false;
   if (!resource->may_be_one_color)
      return;
   resource_settle_one_color_blocks(resource, &(struct resource_blocks){
                                                 .width = level->width,
                                                 .height = level->height,
                                                 .depth = level->num_slices,
                                              });
   resource->may_be_one_color = false;
}

void
resource_mark_one_color(const struct tg_resource *resource,
                        const struct resource_blocks *blocks)
{
   for (uint32_t z = blocks->z; z < blocks->z + blocks->depth; z++) {
      for (uint32_t y = blocks->y; y < blocks->y + blocks->height; y++)
         memset(find_byte(resource, blocks->x, y, z), 1, blocks->width);
   }
}
