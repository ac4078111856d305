/* SPDX-License-Identifier: MIT
 *
 * Multisample compression: where all samples of a pixel hold the same, a draw
 * may store the first alone, and say so in a plane of bytes. All other readers
 * and writers of samples have the others stored first (decompression).
 */
#include <string.h>

#include "resource/microtile.h"
#include "resource/resource.h"
#include "util/memory.h"

static size_t
plane_size(const struct tg_resource *resource)
{
   const struct resource_level *level = &resource->written.layout.level[0];

   return (size_t)level->num_slices * resource_one_color_slice(level);
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

/* The pixels of a microtile, in a slice. */
struct part {
   const struct tg_resource *resource;
   uint32_t z;
};

/* The bytes of a microtile. */
static uint8_t *
find_bytes(const struct part *part, uint32_t x, uint32_t y)
{
   const struct resource_level *level =
      &part->resource->written.layout.level[0];

   return part->resource->one_color +
          part->z * (size_t)resource_one_color_slice(level) +
          resource_one_color_row(level, y) + resource_microtile_column(x);
}

static void
visit(const struct tg_resource *resource, const struct resource_blocks *blocks,
      void (*function)(void *user, uint32_t x, uint32_t y, uint32_t pixels))
{
   struct part part = {.resource = resource};

   for (part.z = blocks->z; part.z < blocks->z + blocks->depth; part.z++)
      resource_visit_microtiles(&resource->written.layout.level[0], blocks,
                                function, &part);
}

/* Copies a texel to its place in the other samples. */
static void
settle_pixel(const struct tg_resource *resource, unsigned char *first)
{
   const struct resource_level *level = &resource->written.layout.level[0];
   const size_t num_bytes = level->block_bytes;

   for (uint32_t s = 1; s < level->num_samples; s++)
      memcpy(first + s * level->sample_pitch, first, num_bytes);
}

static void
settle_microtile(void *user, uint32_t x, uint32_t y, uint32_t pixels)
{
   const struct part *part = user;
   const size_t num_bytes = part->resource->written.format->block_bytes;
   uint8_t *is_one = find_bytes(part, x, y);
   unsigned char *first = resource_texel(part->resource, 0, 0, x, y, part->z);

   for (; pixels; pixels &= pixels - 1) {
      const size_t i = (size_t)__builtin_ctz(pixels);

      if (is_one[i])
         settle_pixel(part->resource, first + i * num_bytes);
      is_one[i] = 0;
   }
}

void
resource_settle_one_color_blocks(const struct tg_resource *resource,
                                 const struct resource_blocks *blocks)
{
   resource_settle_clears(resource);
   if (resource->may_be_one_color)
      visit(resource, blocks, settle_microtile);
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

/* Marks pixels of a microtile. */
static void
mark_pixels(void *user, uint32_t x, uint32_t y, uint32_t pixels)
{
   uint8_t *is_one = find_bytes(user, x, y);

   for (; pixels; pixels &= pixels - 1)
      is_one[__builtin_ctz(pixels)] = 1;
}

/* Marks rows of microtiles. */
static void
mark_rows(const struct part *part, const struct resource_blocks *blocks)
{
   const size_t num_bytes =
      (size_t)resource_whole_microtiles(blocks->width) * RESOURCE_MICROTILE;

   for (uint32_t y = 0; y < blocks->height; y += RESOURCE_MICROTILE)
      memset(find_bytes(part, blocks->x, blocks->y + y), 1, num_bytes);
}

void
resource_mark_one_color(const struct tg_resource *resource,
                        const struct resource_blocks *blocks)
{
   struct part part = {.resource = resource};

   if (!resource_has_whole_microtiles(&resource->written.layout.level[0],
                                      blocks)) {
      visit(resource, blocks, mark_pixels);
      return;
   }
   for (part.z = blocks->z; part.z < blocks->z + blocks->depth; part.z++)
      mark_rows(&part, blocks);
}
