/* SPDX-License-Identifier: MIT
 *
 * Texture layout: where the texels of a resource lie: the one place that knows.
 * Linear, level by level, slice by slice, sample by sample, row by row, without
 * gaps but those that align a level.
 */
#ifndef TG_RESOURCE_LAYOUT_H
#define TG_RESOURCE_LAYOUT_H

#include <assert.h>

#include "format/format.h"
#include "tungsten/resource.h"

/* What a buffer is made of: it has a width only. */
extern const struct format_info resource_bytes;

/* Sizes in blocks of the format, which are texels unless it is compressed. The
 * rest in bytes: block (x, y) of slice z, sample s, begins at
 *    offset + z * slice_pitch + s * sample_pitch + y * row_pitch
 *           + x * bytes of a block */
struct resource_level {
   uint32_t width, height, num_slices;
   uint64_t offset, row_pitch, sample_pitch, slice_pitch;
};

struct resource_layout {
   uint32_t num_levels;
   struct resource_level level[TG_MAX_TEXTURE_LEVELS];
   uint64_t size; /* bytes of all; cannot be used beyond
                   * TG_MAX_RESOURCE_SIZE */
};

/* A size at a level: half of it each time, rounded down, at least 1. That of an
 * empty buffer is 0. */
static inline uint32_t
resource_minify(uint32_t size, uint32_t level)
{
   assert(level < 32);
   uint32_t shifted = size >> level;

   return shifted || !level ? shifted : 1;
}

/* Lays out a texture whose sizes have been checked. */
void
resource_lay_out(const struct tg_resource_desc *desc,
                 const struct format_info *format,
                 struct resource_layout *layout);

/* The offset of a block in bytes. */
static inline uint64_t
resource_address(const struct resource_level *level,
                 const struct format_info *format, uint32_t x, uint32_t y,
                 uint32_t z, uint32_t sample)
{
   return level->offset + z * level->slice_pitch +
          sample * level->sample_pitch + y * level->row_pitch +
          (uint64_t)x * format->block_bytes;
}

#endif
