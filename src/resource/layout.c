/* SPDX-License-Identifier: MIT
 *
 * Texture layout: see layout.h.
 */
#include "resource/layout.h"

#include <assert.h>

enum { LEVEL_ALIGNMENT = 64 };

const struct format_info resource_bytes = {
   .name = "bytes",
   .layout = FORMAT_LAYOUT_PLAIN,
   .class = FORMAT_CLASS_UINT,
   .block_width = 1,
   .block_height = 1,
   .block_bytes = 1,
   .unit = 1,
   .num_units = 1,
};

static uint32_t
num_blocks(uint32_t size, uint32_t block_size)
{
   assert(block_size > 0);
   return (size + block_size - 1) / block_size;
}

static void
find_pitches(struct resource_level *level)
{
   const bool is_tiled = resource_is_tiled(level);
   const uint32_t width =
      is_tiled ? resource_whole_microtiles(level->width) : level->width;
   const uint32_t height =
      is_tiled ? resource_whole_microtiles(level->height) : level->height;

   level->row_pitch = (uint64_t)width * level->block_bytes;
   level->sample_pitch = level->row_pitch * height;
   level->slice_pitch = level->sample_pitch * level->num_samples;
}

/* Nothing overflows: the largest sizes give less than 2^48 bytes. */
void
resource_lay_out(const struct tg_resource_desc *desc,
                 const struct format_info *format,
                 struct resource_layout *layout)
{
   assert(desc->last_level < TG_MAX_TEXTURE_LEVELS);
   uint64_t end = 0;

   *layout = (struct resource_layout){.num_levels = desc->last_level + 1};
   for (uint32_t i = 0; i < layout->num_levels; i++) {
      struct resource_level *level = &layout->level[i];

      level->width =
         num_blocks(resource_minify(desc->width, i), format->block_width);
      level->height =
         num_blocks(resource_minify(desc->height, i), format->block_height);
      level->num_slices = desc->target == TG_TEXTURE_3D
                             ? resource_minify(desc->depth, i)
                             : desc->layers;
      level->num_samples = desc->samples;
      level->block_bytes = format->block_bytes;
      level->offset = (end + LEVEL_ALIGNMENT - 1) & -(uint64_t)LEVEL_ALIGNMENT;
      find_pitches(level);
      end = level->offset + level->slice_pitch * level->num_slices;
   }
   layout->size = end;
}
