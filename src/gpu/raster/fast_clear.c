/* SPDX-License-Identifier: MIT
 *
 * Fast clears: which clears are kept, and the stores of their patterns,
 * ordinary ones and non-temporal ones.
 */
#include "gpu/raster/fast_clear.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "resource/microtile.h"
#include "util/clones.h"
#include "util/four.h"
#include "util/length.h"
#include "util/minmax.h"

/* Bytes of a resource from which on it is not in a cache when it is used again,
 * so that non-temporal stores lose nothing.
 */
#define LARGE_RESOURCE ((uint64_t)1 << 20)

#define ALL_GRANULES ((UINT32_C(1) << GPU_GRANULES * GPU_GRANULES) - 1)

/* ---- which clears -------------------------------------------------------- */

static bool
is_whole(const struct gpu_fast_clears *clears, const struct tg_scissor *area)
{
   return area->min_x <= clears->x && area->min_y <= clears->y &&
          area->max_x >= clears->x + clears->width &&
          area->max_y >= clears->y + clears->height;
}

/* Is it one layer, in memory that nothing else knows of? */
static bool
is_plain(const struct tg_surface *surface)
{
   return surface->first_layer == surface->last_layer &&
          resource_is_plain(surface->resource);
}

/* Clears are of whole microtiles. */
static bool
has_whole_microtiles(const struct gpu_fast_clears *clears,
                     const struct tg_surface *surface)
{
   const struct resource_level *level =
      &surface->resource->written.layout.level[surface->level];
   const struct resource_blocks blocks = {
      .x = clears->x,
      .y = clears->y,
      .width = clears->width,
      .height = clears->height,
   };

   return !resource_is_tiled(level) ||
          resource_has_whole_microtiles(level, &blocks);
}

static bool
is_same(const struct tg_surface *a, const struct tg_surface *b)
{
   return a->resource == b->resource && a->level == b->level &&
          a->first_layer == b->first_layer;
}

/* The place of a surface: its own, or a new one. */
static struct gpu_fast_clear *
find_place(struct gpu_fast_clears *clears, const struct tg_surface *surface)
{
   for (uint32_t i = 0; i < clears->count; i++) {
      if (is_same(&clears->clears[i].surface, surface))
         return &clears->clears[i];
   }
   assert(clears->count < TG_LENGTH(clears->clears));
   return &clears->clears[clears->count++];
}

/* The clear of a tile that may be pending beyond it: one of all that the
 * resource has there; or NULL. */
static struct resource_clear *
find_kept(const struct gpu_fast_clears *clears,
          const struct tg_surface *surface)
{
   const struct tg_resource_desc *desc = &surface->resource->desc;

   _Static_assert((int)GPU_TILE_SIZE == (int)RESOURCE_CLEAR_TILE,
                  "a tile has one clear");
   if (tg_min_u32(desc->width - clears->x, GPU_TILE_SIZE) != clears->width ||
       tg_min_u32(desc->height - clears->y, GPU_TILE_SIZE) != clears->height)
      return NULL;
   return resource_find_clear(surface->resource, clears->x, clears->y);
}

/* Of pixels of one color the first sample is stored alone. */
static uint32_t
prepare_samples(const struct gpu_fast_clears *clears,
                const struct tg_surface *surface)
{
   const struct resource_blocks blocks = {
      .x = clears->x,
      .y = clears->y,
      .z = surface->first_layer,
      .width = clears->width,
      .height = clears->height,
      .depth = 1,
   };
   if (!surface->resource->may_be_one_color)
      return surface->resource->desc.samples;
   resource_mark_one_color(surface->resource, &blocks);
   return 1;
}

static void
add(struct gpu_fast_clears *clears, const struct tg_surface *surface,
    const uint8_t *texel, uint32_t num_bytes, uint32_t pending)
{
   const struct tg_resource *resource = surface->resource;
   struct gpu_fast_clear *clear = find_place(clears, surface);
   *clear = (struct gpu_fast_clear){
      .surface = *surface,
      .first = resource_texel(resource, surface->level, 0, clears->x, clears->y,
                              surface->first_layer),
      .level = &resource->written.layout.level[surface->level],
      .num_samples = prepare_samples(clears, surface),
      .texel_bytes = num_bytes,
      .is_large = resource->written.num_bytes >= LARGE_RESOURCE,
      .is_kept = find_kept(clears, surface),
      .pending = pending,
   };
   for (uint32_t i = 0; i < GPU_CLEAR_LINE; i += num_bytes)
      memcpy(clear->line + i, texel, num_bytes);
   clears->pending |= pending;
}

bool
gpu_fast_clear_add(struct gpu_fast_clears *clears,
                   const struct tg_surface *surface,
                   const struct resource_pattern *pattern,
                   const struct tg_scissor *area)
{
   if (!is_whole(clears, area) || !is_plain(surface) ||
       !has_whole_microtiles(clears, surface) ||
       RESOURCE_CLEAR_TEXEL % pattern->num_bytes ||
       !resource_fill_has_all_bits(pattern))
      return false;
   add(clears, surface, pattern->value, pattern->num_bytes, ALL_GRANULES);
   return true;
}

/* What was pending when the tile ended is again, if it is of the same size. */
static void
take_kept(struct gpu_fast_clears *clears, const struct tg_surface *surface)
{
   struct resource_clear *kept = find_kept(clears, surface);
   if (!kept) {
      resource_settle_clear(surface->resource, clears->x, clears->y);
      return;
   }
   if (!kept->pending)
      return;
   add(clears, surface, kept->texel,
       surface->resource->written.format->block_bytes, kept->pending);
   kept->pending = 0;
}

void
gpu_fast_clear_begin(struct gpu_fast_clears *clears,
                     const struct tg_framebuffer_state *target, uint32_t x,
                     uint32_t y)
{
   assert(x < target->width && y < target->height);
   clears->x = x;
   clears->y = y;
   clears->width = tg_min_u32(target->width - x, GPU_TILE_SIZE);
   clears->height = tg_min_u32(target->height - y, GPU_TILE_SIZE);
   clears->pending = 0;
   clears->count = 0;
   if (target->depth_stencil.resource)
      take_kept(clears, &target->depth_stencil);
}

/* ---- stores -------------------------------------------------------------- */

static inline void
store_lines(uint8_t *row, uint64_t row_pitch, uint32_t num_rows,
            const uint8_t line[GPU_CLEAR_LINE])
{
   tg_eight low, high;
   memcpy(&low, line, sizeof(low));
   memcpy(&high, line + sizeof(low), sizeof(high));
   for (uint32_t j = 0; j < num_rows; j++, row += row_pitch) {
      memcpy(row, &low, sizeof(low));
      memcpy(row + sizeof(low), &high, sizeof(high));
   }
}

/* Rows of so many bytes, which begin where the line does: mostly of one. */
TG_CLONES static void
store_rows(uint8_t *row, uint64_t row_pitch, uint32_t num_rows,
           uint32_t num_bytes, const uint8_t line[GPU_CLEAR_LINE])
{
   if (num_bytes == GPU_CLEAR_LINE) {
      store_lines(row, row_pitch, num_rows, line);
      return;
   }
   for (uint32_t j = 0; j < num_rows; j++, row += row_pitch) {
      uint32_t done = 0;
      for (; done + GPU_CLEAR_LINE <= num_bytes; done += GPU_CLEAR_LINE)
         memcpy(row + done, line, GPU_CLEAR_LINE);
      if (done < num_bytes)
         memcpy(row + done, line, num_bytes - done);
   }
}

/* A store of a cache line, a non-temporal one where the processor has them. */
static inline void
stream_line(uint8_t *to, const uint8_t line[GPU_CLEAR_LINE])
{
#ifdef __SSE2__
   for (uint32_t i = 0; i < GPU_CLEAR_LINE; i += sizeof(__m128i)) {
      __m128i v;
      memcpy(&v, line + i, sizeof(v));
      _mm_stream_si128((__m128i *)(void *)(to + i), v);
   }
#else
   memcpy(to, line, GPU_CLEAR_LINE);
#endif
}

/* The same by non-temporal stores, where rows are whole cache lines; false
 * where they are not. */
static bool
stream_rows(uint8_t *row, uint64_t row_pitch, uint32_t num_rows,
            uint32_t num_bytes, const uint8_t line[GPU_CLEAR_LINE])
{
   if (((uintptr_t)row | row_pitch | num_bytes) % GPU_CLEAR_LINE)
      return false;
   for (uint32_t j = 0; j < num_rows; j++, row += row_pitch) {
      for (uint32_t done = 0; done < num_bytes; done += GPU_CLEAR_LINE)
         stream_line(row + done, line);
   }
   return true;
}

/* Rows of one sample. `is_last`: nothing is drawn there any more. */
static void
store_sample(const struct gpu_fast_clear *clear, uint8_t *first, uint64_t pitch,
             uint32_t num_rows, uint32_t num_bytes, bool is_last)
{
   if (!is_last || !clear->is_large ||
       !stream_rows(first, pitch, num_rows, num_bytes, clear->line))
      store_rows(first, pitch, num_rows, num_bytes, clear->line);
}

/* Granules next to each other in a row of them. Rows of a tiled level are those
 * of its microtiles. */
static void
store_granules(const struct gpu_fast_clears *clears,
               const struct gpu_fast_clear *clear, uint32_t row,
               uint32_t column, uint32_t count, bool is_last)
{
   const struct resource_level *level = clear->level;
   const uint32_t per_row = resource_is_tiled(level) ? RESOURCE_MICROTILE : 1;
   const uint32_t x = column * GPU_GRANULE_SIZE;
   const uint32_t y = row * GPU_GRANULE_SIZE;
   if (x >= clears->width || y >= clears->height)
      return;
   const uint32_t width =
      tg_min_u32(clears->width - x, count * GPU_GRANULE_SIZE);
   const uint32_t height = tg_min_u32(clears->height - y, GPU_GRANULE_SIZE);
   const uint32_t num_pixels =
      (width + per_row - 1) / per_row * per_row * per_row;
   uint8_t *first = clear->first + resource_row_offset(level, y) +
                    (uint64_t)resource_column(level, x) * clear->texel_bytes;
   for (uint32_t s = 0; s < clear->num_samples; s++)
      store_sample(clear, first + s * level->sample_pitch,
                   per_row * level->row_pitch, (height + per_row - 1) / per_row,
                   num_pixels * clear->texel_bytes, is_last);
}

/* Runs of granules, row by row. */
static void
store_clear(const struct gpu_fast_clears *clears, struct gpu_fast_clear *clear,
            uint32_t wanted, bool is_last)
{
   uint32_t left = clear->pending & wanted;
   clear->pending &= ~wanted;
   while (left) {
      const uint32_t first = (uint32_t)__builtin_ctz(left);
      const uint32_t column = first % GPU_GRANULES;
      uint32_t count = 1;
      while (column + count < GPU_GRANULES && (left >> (first + count) & 1))
         count++;
      store_granules(clears, clear, first / GPU_GRANULES, column, count,
                     is_last);
      left &= ~(((UINT32_C(1) << count) - 1) << first);
   }
}

static void
store(struct gpu_fast_clears *clears, uint32_t wanted, bool is_last)
{
   for (uint32_t i = 0; i < clears->count; i++)
      store_clear(clears, &clears->clears[i], wanted, is_last);
   clears->pending &= ~wanted;
}

void
gpu_fast_clear_store(struct gpu_fast_clears *clears, uint32_t granules)
{
   store(clears, granules, false);
}

/* Leaves a clear pending, if its resource still keeps it. */
static void
keep(const struct gpu_fast_clears *clears, struct gpu_fast_clear *clear)
{
   struct resource_clear *kept =
      clear->is_kept ? find_kept(clears, &clear->surface) : NULL;
   if (!kept)
      return;
   resource_put_clear(clear->surface.resource, kept, clear->pending,
                      clear->line);
   clear->pending = 0;
}

void
gpu_fast_clear_end(struct gpu_fast_clears *clears)
{
   if (!clears->pending)
      return;
   for (uint32_t i = 0; i < clears->count; i++)
      keep(clears, &clears->clears[i]);
   store(clears, ALL_GRANULES, true);
#ifdef __SSE2__
   _mm_sfence(); /* before other threads are told of it */
#endif
}
