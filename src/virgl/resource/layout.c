/* SPDX-License-Identifier: MIT
 *
 * Layout of a resource in the memory that a client shares: linear, level by
 * level, slice by slice, row by row, without gaps.
 */
#include "virgl/resource/layout.h"

#include <assert.h>

#include "virgl/wire/formats.h"

struct tg_format_block
virgl_layout_block(const struct virgl_resource_desc *desc)
{
   if (desc->target == TG_TEXTURE_BUFFER)
      return (struct tg_format_block){1, 1, 1};
   return tg_format_get_block(virgl_format(desc->format));
}

static uint32_t
count_slices(const struct virgl_resource_desc *desc, uint32_t level)
{
   if (desc->target == TG_TEXTURE_3D)
      return virgl_minify(desc->depth, level);
   return desc->array_size ? desc->array_size : 1;
}

/* A level that begins at an offset. */
static struct virgl_level
lay_out(const struct virgl_resource_desc *desc, uint32_t level, uint64_t offset)
{
   assert(level <= desc->last_level);
   const struct tg_format_block block = virgl_layout_block(desc);
   struct virgl_level place = {
      .offset = offset,
      .width = virgl_minify(desc->width, level),
      .height = virgl_minify(desc->height, level),
      .num_slices = count_slices(desc, level),
   };

   place.stride =
      (uint64_t)virgl_count_blocks(place.width, block.width) * block.bytes;
   place.layer_stride =
      place.stride * virgl_count_blocks(place.height, block.height);
   return place;
}

static uint64_t
end_of(const struct virgl_level *level)
{
   return level->offset + level->layer_stride * level->num_slices;
}

bool
virgl_layout_find_level(const struct virgl_resource_desc *desc, uint32_t level,
                        struct virgl_level *level_out)
{
   uint64_t offset = 0;

   if (level > desc->last_level)
      return false;
   for (uint32_t i = 0; i <= level; i++) {
      *level_out = lay_out(desc, i, offset);
      offset = end_of(level_out);
   }
   return true;
}

bool
virgl_layout_is_bounded(const struct virgl_resource_desc *desc)
{
   if (desc->target > TG_TEXTURE_CUBE_ARRAY ||
       desc->last_level >= TG_MAX_TEXTURE_LEVELS)
      return false;
   if (desc->target == TG_TEXTURE_BUFFER)
      return desc->height <= 1 && desc->depth <= 1 && desc->array_size <= 1 &&
             desc->last_level == 0 && desc->num_samples <= 1;
   return virgl_format(desc->format) != 0 &&
          tg_format_is_supported(virgl_format(desc->format)) &&
          desc->width <= TG_MAX_TEXTURE_SIZE &&
          desc->height <= TG_MAX_TEXTURE_SIZE &&
          desc->depth <= TG_MAX_TEXTURE_SIZE &&
          desc->array_size <= TG_MAX_TEXTURE_SIZE;
}

bool
virgl_layout_count_bytes(const struct virgl_resource_desc *desc,
                         uint64_t *num_bytes_out)
{
   struct virgl_level last;

   if (!virgl_layout_is_bounded(desc) ||
       !virgl_layout_find_level(desc, desc->last_level, &last))
      return false;
   *num_bytes_out = desc->num_samples > 1 ? 0 : end_of(&last);
   return true;
}
