/* SPDX-License-Identifier: MIT
 *
 * Mipmaps: each level from the one above it.
 */
#include "resource/resource.h"

/* A level with its texels. */
struct image {
   const struct resource_level *level;
   const struct format_info *format;
   unsigned char *data;
};

static struct image
image_of(const struct tg_resource *resource, uint32_t level)
{
   return (struct image){
      .level = &resource->written.layout.level[level],
      .format = resource->written.format,
      .data = (unsigned char *)resource->written.data,
   };
}

static unsigned char *
texel_at(const struct image *image, uint32_t x, uint32_t y, uint32_t z)
{
   return image->data +
          resource_address(image->level, image->format, x, y, z, 0);
}

union texel {
   float f[4];
   uint32_t u[4];
};

/* Texels of the level above that one texel covers, along each axis. */
struct footprint {
   uint32_t width, height, depth;
};

/* The mean of the texels from (x, y, z) on. */
static union texel
mean(const struct image *image, enum tg_format format,
     const struct footprint *footprint, uint32_t x, uint32_t y, uint32_t z)
{
   const uint32_t count =
      footprint->width * footprint->height * footprint->depth;
   union texel sum = {0};

   for (uint32_t i = 0; i < count; i++) {
      const uint32_t row = i / footprint->width;
      union texel texel;

      format_unpack(format,
                    texel_at(image, x + i % footprint->width,
                             y + row % footprint->height,
                             z + row / footprint->height),
                    texel.u);
      for (unsigned c = 0; c < 4; c++)
         sum.f[c] += texel.f[c];
   }
   for (unsigned c = 0; c < 4; c++)
      sum.f[c] /= (float)count;
   return sum;
}

static void
reduce(const struct image *from, const struct image *to, enum tg_format format,
       bool has_depth)
{
   const struct footprint footprint = {
      from->level->width > 1 ? 2 : 1,
      from->level->height > 1 ? 2 : 1,
      has_depth && from->level->num_slices > 1 ? 2 : 1,
   };

   for (uint32_t z = 0; z < to->level->num_slices; z++) {
      for (uint32_t y = 0; y < to->level->height; y++) {
         for (uint32_t x = 0; x < to->level->width; x++) {
            const union texel texel =
               mean(from, format, &footprint, x * footprint.width,
                    y * footprint.height, z * footprint.depth);

            format_pack(format, texel.u, texel_at(to, x, y, z));
         }
      }
   }
}

enum tg_result
tg_resource_generate_mipmaps(struct tg_resource *resource)
{
   const enum tg_format format = (enum tg_format)resource->desc.format;

   if (resource_is_buffer(resource) || format_is_compressed(format) ||
       resource->written.format->class != FORMAT_CLASS_FLOAT)
      return TG_ERROR_UNSUPPORTED;
   for (uint32_t i = 1; i <= resource->desc.last_level; i++) {
      const struct image from = image_of(resource, i - 1);
      const struct image to = image_of(resource, i);

      reduce(&from, &to, format, resource->desc.target == TG_TEXTURE_3D);
   }
   return TG_OK;
}
