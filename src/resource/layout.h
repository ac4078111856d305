/* SPDX-License-Identifier: MIT
 *
 * Texture layout: where the texels of a resource lie: the one place that knows.
 * Level by level, slice by slice and sample by sample, without gaps but those
 * that align a level.
 *
 * A sample is linear, row by row, where it is a pixel's only one. Where a pixel
 * has several each is tiled: microtiles of 4 by 4 pixels, row by row, with 16
 * texels in Morton order. That is the order of the lanes of a wave, which so
 * reads and writes a vector a sample.
 */
#ifndef TG_RESOURCE_LAYOUT_H
#define TG_RESOURCE_LAYOUT_H

#include <assert.h>

#include "abi/bindings.h"
#include "format/format.h"
#include "tungsten/resource.h"

/* What a buffer is made of: it has a width only. */
extern const struct format_info resource_bytes;

enum {
   RESOURCE_MICROTILE = ABI_MICROTILE,
   RESOURCE_MICROTILE_PIXELS = RESOURCE_MICROTILE * RESOURCE_MICROTILE,
};

/* Sizes in blocks of the format, which are texels unless it is compressed. The
 * rest in bytes: block (x, y) of slice z, sample s, begins at
 *    offset + z * slice_pitch + s * sample_pitch + resource_row_offset(y)
 *           + resource_column(x) * bytes of a block
 * Tiled levels have whole microtiles, and row_pitch is what they take for each
 * row of pixels. */
struct resource_level {
   uint32_t width, height, num_slices;
   uint32_t num_samples; /* tiled: more than one */
   uint32_t block_bytes;
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

static inline bool
resource_is_tiled(const struct resource_level *level)
{
   return level->num_samples > 1;
}

/* A size in pixels, up to whole microtiles. */
static inline uint32_t
resource_whole_microtiles(uint32_t size)
{
   return (size + RESOURCE_MICROTILE - 1) & ~(RESOURCE_MICROTILE - 1u);
}

/* Pixels from the first of a row to one of it, and from the first row to
 * another, in microtiles of which a row has so many pixels across. */
static inline uint32_t
resource_microtile_column(uint32_t x)
{
   return (x & ~(RESOURCE_MICROTILE - 1u)) * RESOURCE_MICROTILE | (x & 2) << 1 |
          (x & 1);
}

static inline uint32_t
resource_microtile_row(uint32_t y, uint32_t across)
{
   return (y & ~(RESOURCE_MICROTILE - 1u)) * across +
          ((y & 2) << 2 | (y & 1) << 1);
}

/* Blocks from the first of a row to one of it. */
static inline uint32_t
resource_column(const struct resource_level *level, uint32_t x)
{
   return resource_is_tiled(level) ? resource_microtile_column(x) : x;
}

/* Bytes from the first row to another. */
static inline uint64_t
resource_row_offset(const struct resource_level *level, uint32_t y)
{
   if (!resource_is_tiled(level))
      return y * level->row_pitch;
   return resource_microtile_row(y, resource_whole_microtiles(level->width)) *
          (uint64_t)level->block_bytes;
}

/* How many of `count` blocks of a row, from one on, lie after each other: all,
 * or the rest of a pair. */
static inline uint32_t
resource_run(const struct resource_level *level, uint32_t x, uint32_t count)
{
   const uint32_t rest = 2 - (x & 1);

   return resource_is_tiled(level) && rest < count ? rest : count;
}

/* The size of a slice of the plane that says which pixels of a tiled level are
 * compressed, which is tiled, too, and has a byte for each. */
static inline uint32_t
resource_one_color_slice(const struct resource_level *level)
{
   return resource_whole_microtiles(level->width) *
          resource_whole_microtiles(level->height);
}

static inline uint32_t
resource_one_color_row(const struct resource_level *level, uint32_t y)
{
   return resource_microtile_row(y, resource_whole_microtiles(level->width));
}

/* The offset of a block in bytes. */
static inline uint64_t
resource_address(const struct resource_level *level, uint32_t x, uint32_t y,
                 uint32_t z, uint32_t sample)
{
   return level->offset + z * level->slice_pitch +
          sample * level->sample_pitch + resource_row_offset(level, y) +
          (uint64_t)resource_column(level, x) * level->block_bytes;
}

#endif
