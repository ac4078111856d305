/* SPDX-License-Identifier: MIT
 *
 * Resources: buffers and 2D textures as words in memory, mipmaps, and clears.
 * Levels lie one behind the other, rows without gaps between them.
 */
#include <string.h>

#include "format/format.h"
#include "gpu/context.h"
#include "gpu/pixel.h"

enum { MAX_RESOURCE_WORDS = 1 << 28 };

static uint32_t
level_size(uint32_t size, uint32_t level)
{
   const uint32_t shifted = size >> level;
   return shifted ? shifted : 1;
}

uint32_t
gpu_full_last_level(uint32_t width, uint32_t height)
{
   uint32_t level = 0;
   while (width >> level > 1 || height >> level > 1)
      level++;
   return level;
}

static enum tg_result
check_desc(const struct gpu_resource_desc *desc,
           struct tg_diagnostics *diagnostics)
{
   if (desc->format == TG_FORMAT_NONE) {
      if (desc->width % 4 || desc->height > 1 || desc->last_level)
         return gpu_complain(diagnostics, TG_ERROR_INPUT, "resource",
                             "a buffer of %u bytes, %u rows and last level %u; "
                             "expected whole words, one row, level 0",
                             desc->width, desc->height, desc->last_level);
      return TG_OK;
   }
   if (!gpu_format_is_supported(desc->format))
      return gpu_complain(diagnostics, TG_ERROR_UNSUPPORTED, "resource",
                          "textures of format %u are not supported",
                          (unsigned)desc->format);
   if (!desc->width || !desc->height || desc->width > GPU_MAX_SIZE ||
       desc->height > GPU_MAX_SIZE)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "resource",
                          "a texture of %u by %u; expected 1 to %u each way",
                          desc->width, desc->height, (unsigned)GPU_MAX_SIZE);
   if (desc->last_level > gpu_full_last_level(desc->width, desc->height))
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "resource",
                          "a texture of %u by %u has no level %u", desc->width,
                          desc->height, desc->last_level);
   return TG_OK;
}

enum tg_result
gpu_resource_create(struct gpu_context *context,
                    const struct gpu_resource_desc *desc,
                    struct tg_diagnostics *diagnostics,
                    struct gpu_resource **resource_out)
{
   const enum tg_result result = check_desc(desc, diagnostics);
   if (result != TG_OK)
      return result;

   const bool is_buffer = desc->format == TG_FORMAT_NONE;
   struct gpu_resource header = {
      .allocator = context->allocator,
      .desc = *desc,
      .num_levels = desc->last_level + 1,
      .words_per_texel = is_buffer ? 1 : format_info(desc->format)->num_units,
   };
   if (is_buffer) {
      header.num_words = desc->width / 4;
   } else {
      for (uint32_t i = 0; i < header.num_levels; i++) {
         header.level_offset[i] = (uint32_t)header.num_words;
         header.num_words += (size_t)level_size(desc->width, i) *
                             level_size(desc->height, i) *
                             header.words_per_texel;
         if (header.num_words > MAX_RESOURCE_WORDS)
            return gpu_complain(diagnostics, TG_ERROR_LIMIT, "resource",
                                "a texture may have 1 GiB at most");
      }
   }

   void *memory = NULL;
   const size_t size = sizeof(header) + header.num_words * 4;
   if (!gpu_grow(&context->allocator, &memory, 0, size))
      return TG_ERROR_MEMORY;
   memset(memory, 0, size);
   memcpy(memory, &header, sizeof(header));
   *resource_out = memory;
   return TG_OK;
}

void
gpu_resource_destroy(struct gpu_resource *resource)
{
   if (!resource)
      return;
   const struct tg_allocator allocator = resource->allocator;
   const size_t size = sizeof(*resource) + resource->num_words * 4;
   void *memory = resource;
   gpu_grow(&allocator, &memory, size, 0);
}

uint32_t *
gpu_resource_map(struct gpu_resource *resource, uint32_t level,
                 size_t *num_words_out)
{
   if (level >= resource->num_levels)
      return NULL;
   const bool is_last = level + 1 == resource->num_levels;
   const size_t end =
      is_last ? resource->num_words : resource->level_offset[level + 1];
   if (num_words_out)
      *num_words_out = end - resource->level_offset[level];
   return resource->words + resource->level_offset[level];
}

const struct gpu_resource_desc *
gpu_resource_desc(const struct gpu_resource *resource)
{
   return &resource->desc;
}

/* ---- mipmaps ------------------------------------------------------------- */

/* A level as the reduction below sees it. */
struct image {
   uint32_t *words;
   uint32_t width, height;
   uint32_t words_per_texel;
};

static struct image
image_of(struct gpu_resource *resource, uint32_t level)
{
   return (struct image){
      .words = gpu_resource_map(resource, level, NULL),
      .width = level_size(resource->desc.width, level),
      .height = level_size(resource->desc.height, level),
      .words_per_texel = resource->words_per_texel,
   };
}

/* The mean of the texels that (x, y) of the smaller image covers. */
static void
average(const struct image *image, enum tg_format format, uint32_t x,
        uint32_t y, float mean_out[4])
{
   const uint32_t columns = image->width > 1 ? 2 : 1;
   const uint32_t rows = image->height > 1 ? 2 : 1;
   float sum[4] = {0};
   for (uint32_t j = 0; j < rows; j++) {
      for (uint32_t i = 0; i < columns; i++) {
         const size_t row = (size_t)(y * rows + j) * image->width;
         const size_t texel = row + x * columns + i;
         float color[4];
         gpu_pixel_unpack(format, image->words + texel * image->words_per_texel,
                          color);
         for (unsigned c = 0; c < 4; c++)
            sum[c] += color[c];
      }
   }
   for (unsigned c = 0; c < 4; c++)
      mean_out[c] = sum[c] / (float)(rows * columns);
}

void
gpu_resource_generate_mipmaps(struct gpu_resource *resource)
{
   for (uint32_t level = 1; level < resource->num_levels; level++) {
      const struct image from = image_of(resource, level - 1);
      const struct image to = image_of(resource, level);
      for (uint32_t y = 0; y < to.height; y++) {
         for (uint32_t x = 0; x < to.width; x++) {
            const size_t texel = (size_t)y * to.width + x;
            float mean[4];
            average(&from, resource->desc.format, x, y, mean);
            gpu_pixel_pack(resource->desc.format, mean,
                           to.words + texel * to.words_per_texel);
         }
      }
   }
}

void
gpu_clear(struct gpu_resource *resource, const float color[4])
{
   if (resource->desc.format == TG_FORMAT_NONE)
      return;
   uint32_t pixel[4] = {0};
   size_t num_words = 0;
   uint32_t *words = gpu_resource_map(resource, 0, &num_words);
   gpu_pixel_pack(resource->desc.format, color, pixel);
   for (size_t i = 0; i < num_words; i++)
      words[i] = pixel[i % resource->words_per_texel];
}
