/* SPDX-License-Identifier: MIT
 *
 * Fills: boxes of a resource filled with one block, or with some of its bits.
 */
#include <assert.h>
#include <string.h>

#include "resource/microtile.h"
#include "resource/resource.h"

struct resource_pattern
resource_fill_pattern(const void *block, size_t num_bytes)
{
   assert(num_bytes >= 1 && num_bytes <= RESOURCE_MAX_BLOCK);
   struct resource_pattern pattern = {.num_bytes = (uint32_t)num_bytes};

   memcpy(pattern.value, block, num_bytes);
   memset(pattern.mask, 0xff, num_bytes);
   return pattern;
}

bool
resource_fill_has_all_bits(const struct resource_pattern *pattern)
{
   for (uint32_t i = 0; i < pattern->num_bytes; i++) {
      if (pattern->mask[i] != 0xff)
         return false;
   }
   return true;
}

/* Each time what is there is doubled. */
static void
repeat(unsigned char *row, const struct resource_pattern *pattern,
       size_t num_bytes)
{
   assert(pattern->num_bytes > 0 && pattern->num_bytes <= num_bytes);
   size_t done = pattern->num_bytes;

   memcpy(row, pattern->value, done);
   while (done < num_bytes) {
      const size_t step = done < num_bytes - done ? done : num_bytes - done;

      memcpy(row + done, row, step);
      done += step;
   }
}

/* Some bits of each block; blocks are few bytes, or whole words. */
static void
merge(unsigned char *row, const struct resource_pattern *pattern,
      size_t num_bytes)
{
   uint32_t value, mask;

   if (pattern->num_bytes != sizeof(value)) {
      for (size_t i = 0; i < num_bytes; i++) {
         const size_t at = i % pattern->num_bytes;

         row[i] =
            (unsigned char)((row[i] & ~pattern->mask[at]) | pattern->value[at]);
      }
      return;
   }
   memcpy(&value, pattern->value, sizeof(value));
   memcpy(&mask, pattern->mask, sizeof(mask));
   for (size_t i = 0; i < num_bytes; i += sizeof(value)) {
      uint32_t word;

      memcpy(&word, row + i, sizeof(word));
      word = (word & ~mask) | value;
      memcpy(row + i, &word, sizeof(word));
   }
}

/* The rows of a slice; the first serves the others. */
static void
fill_rows(const struct tg_resource *resource, const struct resource_hold *hold,
          const struct resource_blocks *blocks, uint32_t z,
          const struct resource_pattern *pattern)
{
   const size_t num_bytes =
      (size_t)blocks->width * resource->written.format->block_bytes;
   const bool is_whole = resource_fill_has_all_bits(pattern);
   const unsigned char *first = NULL;

   for (uint32_t y = blocks->y; y < blocks->y + blocks->height; y++) {
      unsigned char *row = resource_texel_in(hold->memory.data, resource,
                                             blocks->level, 0, blocks->x, y, z);

      if (!is_whole)
         merge(row, pattern, num_bytes);
      else if (first)
         memcpy(row, first, num_bytes);
      else
         repeat(row, pattern, num_bytes);
      first = row;
      resource_define(resource, row, num_bytes);
   }
}

/* One sample of a tiled slice. */
struct plane {
   const struct tg_resource *resource;
   const struct resource_pattern *pattern;
   unsigned char *data;
   const struct resource_blocks *blocks;
   uint32_t z, sample;
   bool is_whole; /* the pattern */
};

static void
fill_texels(const struct plane *plane, unsigned char *first, size_t count)
{
   const size_t num_bytes = count * plane->pattern->num_bytes;

   if (plane->is_whole)
      repeat(first, plane->pattern, num_bytes);
   else
      merge(first, plane->pattern, num_bytes);
   resource_define(plane->resource, first, num_bytes);
}

static void
fill_microtile(void *user, uint32_t x, uint32_t y, uint32_t pixels)
{
   const struct plane *plane = user;
   unsigned char *first =
      resource_texel_in(plane->data, plane->resource, plane->blocks->level,
                        plane->sample, x, y, plane->z);

   if (pixels == RESOURCE_MICROTILE_ALL) {
      fill_texels(plane, first, RESOURCE_MICROTILE_PIXELS);
      return;
   }
   for (; pixels; pixels &= pixels - 1)
      fill_texels(
         plane,
         first + (size_t)__builtin_ctz(pixels) * plane->pattern->num_bytes, 1);
}

static void
fill_sample(const struct tg_resource *resource,
            const struct resource_hold *hold,
            const struct resource_blocks *blocks, uint32_t z, uint32_t sample,
            const struct resource_pattern *pattern)
{
   struct plane plane = {
      .resource = resource,
      .pattern = pattern,
      .data = (unsigned char *)hold->memory.data,
      .blocks = blocks,
      .z = z,
      .sample = sample,
      .is_whole = resource_fill_has_all_bits(pattern),
   };

   resource_visit_microtiles(&resource->written.layout.level[blocks->level],
                             blocks, fill_microtile, &plane);
}

/* Where there is a plane of pixels of one colour the first sample is enough, if
 * nothing of what was there stays. */
static uint32_t
prepare_samples(const struct tg_resource *resource,
                const struct resource_blocks *blocks,
                const struct resource_pattern *pattern)
{
   if (!resource->may_be_one_color)
      return resource->desc.samples;
   if (resource_fill_has_all_bits(pattern)) {
      resource_mark_one_color(resource, blocks);
      return 1;
   }
   resource_settle_one_color_blocks(resource, blocks);
   return resource->desc.samples;
}

void
resource_fill_samples(const struct tg_resource *resource,
                      const struct resource_blocks *blocks,
                      const struct resource_pattern *pattern,
                      uint32_t num_samples)
{
   struct resource_hold hold = resource_hold(resource);

   for (uint32_t z = blocks->z; z < blocks->z + blocks->depth; z++) {
      if (resource->desc.samples == 1)
         fill_rows(resource, &hold, blocks, z, pattern);
      for (uint32_t s = 0; s < num_samples && resource->desc.samples > 1; s++)
         fill_sample(resource, &hold, blocks, z, s, pattern);
   }
   resource_release(&hold);
}

void
resource_fill_tile(struct tg_resource *resource,
                   const struct resource_blocks *blocks,
                   const struct resource_pattern *pattern)
{
   assert(blocks->level < resource->written.layout.num_levels);
   assert(pattern->num_bytes >= 1 && pattern->num_bytes <= RESOURCE_MAX_BLOCK);
   if (!blocks->width || !blocks->height)
      return;
   resource_fill_samples(resource, blocks, pattern,
                         prepare_samples(resource, blocks, pattern));
   resource_decode_blocks(resource, blocks);
}

void
resource_fill(struct tg_resource *resource,
              const struct resource_blocks *blocks,
              const struct resource_pattern *pattern)
{
   resource_settle_clears(resource);
   resource_fill_tile(resource, blocks, pattern);
}
