/* SPDX-License-Identifier: MIT
 *
 * Depth bounds of hierarchical Z that are read from the depth buffer: the least
 * and the greatest of all samples of a block.
 */
#include "gpu/raster/hiz_read.h"

#include <math.h>
#include <string.h>

#include "util/clones.h"
#include "util/minmax.h"

/* Pixels of the framebuffer that a block has, and where they are. */
struct rows {
   const unsigned char *first;
   const struct resource_level *level;
   uint32_t width, height;
};

static struct rows
find_rows(const struct gpu_hiz *hiz, uint32_t x, uint32_t y)
{
   const struct tg_surface *surface = hiz->surface;
   const struct tg_resource *resource = surface->resource;
   return (struct rows){
      .first = resource_texel(resource, surface->level, 0, x, y,
                              surface->first_layer + hiz->layer),
      .level = &resource->written.layout.level[surface->level],
      .width = tg_min_u32(GPU_HIZ_SIZE, hiz->width - x),
      .height = tg_min_u32(GPU_HIZ_SIZE, hiz->height - y),
   };
}

static bool
is_whole(const struct rows *rows)
{
   return rows->width == GPU_HIZ_SIZE && rows->height == GPU_HIZ_SIZE;
}

/* The first texel of a row of a block, of all rows of all samples. */
static const unsigned char *
find_row(const struct rows *rows, uint32_t i)
{
   return rows->first + i / rows->height * rows->level->sample_pitch +
          resource_row_offset(rows->level, i % rows->height);
}

/* Half a microtile of a whole block of a tiled level, which is as many texels:
 * of all halves of all samples. */
static const unsigned char *
find_half(const struct rows *rows, uint32_t i)
{
   enum { ACROSS = GPU_HIZ_SIZE / RESOURCE_MICROTILE };
   const struct resource_level *level = rows->level;
   const uint32_t tile = i / 2 % (ACROSS * ACROSS);
   const uint32_t x = tile % ACROSS * RESOURCE_MICROTILE;
   const uint32_t texel = resource_column(level, x) + i % 2 * GPU_HIZ_SIZE;
   return rows->first + i / (2 * ACROSS * ACROSS) * level->sample_pitch +
          resource_row_offset(level, tile / ACROSS * RESOURCE_MICROTILE) +
          (uint64_t)texel * level->block_bytes;
}

/* Columns of a row: each has bounds of its own, so that they do not wait for
 * each other. */
typedef uint32_t row_words __attribute__((vector_size(GPU_HIZ_SIZE * 4)));
typedef int32_t row_numbers __attribute__((vector_size(GPU_HIZ_SIZE * 4)));
typedef float row_floats __attribute__((vector_size(GPU_HIZ_SIZE * 4)));

/* The first word of each texel. What is outside of the framebuffer is as the
 * last column that is not. */
static void
load_row(const struct rows *rows, uint32_t i, row_words *row_out)
{
   const struct resource_level *level = rows->level;
   const size_t stride = level->block_bytes;
   const bool is_dense = !resource_is_tiled(level) || is_whole(rows);
   const unsigned char *row = resource_is_tiled(level) && is_dense
                                 ? find_half(rows, i)
                                 : find_row(rows, i);
   uint32_t words[GPU_HIZ_SIZE] = {0};
   if (stride == sizeof(uint32_t) && is_dense && rows->width == GPU_HIZ_SIZE) {
      memcpy(row_out, row, sizeof(*row_out));
      return;
   }
   for (uint32_t k = 0; k < GPU_HIZ_SIZE; k++) {
      const uint32_t x = tg_min_u32(k, rows->width - 1);
      memcpy(&words[k],
             row + (is_dense ? x : resource_column(level, x)) * stride,
             stride < sizeof(uint32_t) ? stride : sizeof(uint32_t));
   }
   memcpy(row_out, words, sizeof(words));
}

/* A NaN is no bound. */
static bool
read_floats(const struct rows *rows, struct gpu_hiz_bounds *bounds_out)
{
   row_floats least = (row_floats){0} + INFINITY, greatest = -least;
   row_numbers is_nan = {0};
   bool is_ordered = true;
   for (uint32_t i = 0; i < rows->level->num_samples * rows->height; i++) {
      row_words words;
      load_row(rows, i, &words);
      const row_floats depth = (row_floats)words;
      const row_words less = (row_words)(depth < least);
      const row_words more = (row_words)(depth > greatest);
      is_nan |= depth != depth;
      least = (row_floats)((words & less) | ((row_words)least & ~less));
      greatest = (row_floats)((words & more) | ((row_words)greatest & ~more));
   }
   *bounds_out = (struct gpu_hiz_bounds){INFINITY, -INFINITY};
   for (uint32_t i = 0; i < GPU_HIZ_SIZE; i++) {
      is_ordered &= !is_nan[i];
      bounds_out->min = gpu_lesser(least[i], bounds_out->min);
      bounds_out->max = gpu_greater(greatest[i], bounds_out->max);
   }
   return is_ordered;
}

/* The same for depths of up to 32 bits, which keep their order. They are
 * compared as signed numbers with the highest bit flipped. */
static void
read_integers(const struct rows *rows, const struct format_channel *channel,
              struct gpu_hiz_bounds *bounds_out)
{
   const uint32_t mask = (uint32_t)format_greatest(channel);
   const uint32_t flip = UINT32_C(1) << 31;
   row_numbers least = (row_numbers){0} + INT32_MAX, greatest = ~least;
   uint32_t min = UINT32_MAX, max = 0;
   for (uint32_t i = 0; i < rows->level->num_samples * rows->height; i++) {
      row_words words;
      load_row(rows, i, &words);
      const row_numbers depth =
         (row_numbers)((words >> channel->shift & mask) ^ flip);
      const row_numbers less = depth<least, more = depth> greatest;
      least = (depth & less) | (least & ~less);
      greatest = (depth & more) | (greatest & ~more);
   }
   for (uint32_t i = 0; i < GPU_HIZ_SIZE; i++) {
      min = tg_min_u32(min, (uint32_t)least[i] ^ flip);
      max = tg_max_u32(max, (uint32_t)greatest[i] ^ flip);
   }
   bounds_out->min = (float)(min / (double)mask);
   bounds_out->max = (float)(max / (double)mask);
}

/* False when one of them is a NaN. */
TG_CLONES static bool
read_rows(enum tg_format format, const struct rows *rows,
          struct gpu_hiz_bounds *bounds_out)
{
   const struct format_channel *channel = format_depth_channel(format);
   if (channel->type == FORMAT_TYPE_FLOAT)
      return read_floats(rows, bounds_out);
   read_integers(rows, channel, bounds_out);
   return true;
}

bool
gpu_hiz_read(const struct gpu_hiz *hiz, uint32_t x, uint32_t y,
             struct gpu_hiz_bounds *bounds_out)
{
   const struct rows rows = find_rows(hiz, x, y);
   if (hiz->settle)
      hiz->settle(hiz->user, x, y);
   return read_rows((enum tg_format)hiz->surface->format, &rows, bounds_out);
}

bool
gpu_hiz_read_texel(enum tg_format format, const uint8_t *texel,
                   struct gpu_hiz_bounds *bounds_out)
{
   const struct resource_level level = {
      .num_samples = 1,
      .block_bytes = format_info(format)->block_bytes,
   };
   const struct rows rows = {
      .first = texel,
      .level = &level,
      .width = 1,
      .height = 1,
   };
   return read_rows(format, &rows, bounds_out);
}
