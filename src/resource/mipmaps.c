/* SPDX-License-Identifier: MIT
 *
 * Mipmap generation: each level from the one above it.
 */
#include "resource/resource.h"

#include <assert.h>

union texel {
   float f[4];
   uint32_t u[4];
};

/* Texels of the level above that one texel covers, along each axis. */
struct footprint {
   uint32_t width, height, depth;
};

/* The mean of the texels of a level from (x, y, z) on. */
static union texel
mean(const struct tg_resource *resource, uint32_t level,
     const struct footprint *footprint, uint32_t x, uint32_t y, uint32_t z)
{
   const uint32_t count =
      footprint->width * footprint->height * footprint->depth;
   union texel sum = {0};

   for (uint32_t i = 0; i < count; i++) {
      const uint32_t row = i / footprint->width;
      const void *at = resource_texel(
         resource, level, 0, x + i % footprint->width,
         y + row % footprint->height, z + row / footprint->height);
      union texel texel;

      format_unpack((enum tg_format)resource->desc.format, at, texel.u);
      for (unsigned c = 0; c < 4; c++)
         sum.f[c] += texel.f[c];
   }
   for (unsigned c = 0; c < 4; c++)
      sum.f[c] /= (float)count;
   return sum;
}

/* Fills a level from the one above it. */
static void
reduce(const struct tg_resource *resource, uint32_t level)
{
   assert(level > 0 && level < TG_MAX_TEXTURE_LEVELS);
   const struct resource_level *above =
      &resource->written.layout.level[level - 1];
   const struct resource_level *to = above + 1;
   const struct footprint footprint = {
      above->width > 1 ? 2 : 1,
      above->height > 1 ? 2 : 1,
      above->num_slices != to->num_slices ? 2 : 1,
   };

   for (uint32_t z = 0; z < to->num_slices; z++) {
      for (uint32_t y = 0; y < to->height; y++) {
         for (uint32_t x = 0; x < to->width; x++) {
            const union texel texel =
               mean(resource, level - 1, &footprint, x * footprint.width,
                    y * footprint.height, z * footprint.depth);

            format_pack((enum tg_format)resource->desc.format, texel.u,
                        resource_texel(resource, level, 0, x, y, z));
         }
      }
   }
}

enum tg_result
tg_resource_generate_mipmaps(struct tg_resource *resource)
{
   assert(resource);
   if (resource_is_buffer(resource) ||
       !(tg_format_get_uses(resource->desc.format) & TG_FORMAT_USE_MIPMAPS))
      return TG_ERROR_UNSUPPORTED;
   for (uint32_t i = 1; i <= resource->desc.last_level; i++)
      reduce(resource, i);
   return TG_OK;
}
