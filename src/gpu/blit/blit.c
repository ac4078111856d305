/* SPDX-License-Identifier: MIT
 *
 * Set-up of blits: how the boxes become positions, and these places in memory.
 */
#include "gpu/blit/blit.h"

#include <assert.h>
#include <string.h>

#include "gpu/blit/blit_side.h"
#include "gpu/core/grow.h"
#include "util/length.h"

/* ---- how it is done ------------------------------------------------------ */

/* Colours are filtered and resolved, and depths filtered; other things are what
 * one texel, or the first sample, is. */
static bool
is_linear(const struct gpu_blit *blit, const struct gpu_blit_memory *from,
          const struct tg_blit_info *info)
{
   return info->filter == TG_FILTER_LINEAR &&
          !(blit->key.mask & TG_CHANNEL_S) &&
          from->info->class == FORMAT_CLASS_FLOAT;
}

static void
find_axes(struct gpu_blit *blit, const struct gpu_blit_memory *to,
          const struct gpu_blit_memory *from, const struct tg_blit_info *info,
          struct gpu_blit_axis axes[3])
{
   const struct tg_blit_side *dst = to->given, *src = from->given;
   const bool linear = is_linear(blit, from, info);
   const bool has_depth = src->resource->desc.target == TG_TEXTURE_3D;

   axes[0] = (struct gpu_blit_axis){{dst->x, dst->width, to->size[0]},
                                    {src->x, src->width, from->size[0]},
                                    0,
                                    UINT32_MAX,
                                    linear};
   axes[1] = (struct gpu_blit_axis){{dst->y, dst->height, to->size[1]},
                                    {src->y, src->height, from->size[1]},
                                    0,
                                    UINT32_MAX,
                                    linear};
   axes[2] = (struct gpu_blit_axis){{dst->z, dst->depth, to->size[2]},
                                    {src->z, src->depth, from->size[2]},
                                    0,
                                    UINT32_MAX,
                                    linear && has_depth};
   if (info->scissor_enable) {
      axes[0].min = info->scissor.min_x;
      axes[0].max = info->scissor.max_x;
      axes[1].min = info->scissor.min_y;
      axes[1].max = info->scissor.max_y;
   }
   for (unsigned i = 0; i < 3; i++)
      blit->key.filtered |= (uint8_t)(gpu_blit_axis_is_filtered(&axes[i]) << i);
}

/* Does the mask have all words that a format's channels are made from? */
static bool
is_whole(enum tg_format format, uint8_t mask)
{
   const struct format_info *info = format_info(format);

   if (info->colorspace == FORMAT_COLORSPACE_ZS)
      return (!format_has_depth(format) || mask & TG_CHANNEL_Z) &&
             (!format_has_stencil(format) || mask & TG_CHANNEL_S);
   for (unsigned i = 0; i < 4; i++) {
      if (format_channel_of(info, i) && !(mask >> i & 1))
         return false;
   }
   return true;
}

/* Is each byte of a word a channel, which is a linear unorm, or nothing? */
static bool
has_bytes(const struct format_info *info)
{
   if (info->layout != FORMAT_LAYOUT_PLAIN || info->block_bytes != 4 ||
       info->unit != 4 || info->colorspace != FORMAT_COLORSPACE_RGB)
      return false;
   for (unsigned i = 0; i < info->num_channels; i++) {
      const struct format_channel *channel = &info->channel[i];

      if ((channel->type != FORMAT_TYPE_UNORM &&
           channel->type != FORMAT_TYPE_VOID) ||
          channel->bits != 8)
         return false;
   }
   return true;
}

static uint32_t
bits_of_channels(const struct format_info *info)
{
   uint32_t bits = 0;

   for (unsigned i = 0; i < info->num_channels; i++) {
      const struct format_channel *channel = &info->channel[i];

      if (channel->type != FORMAT_TYPE_VOID)
         bits |= (uint32_t)format_greatest(channel) << channel->shift;
   }
   return bits;
}

static void
find_key(struct gpu_blit *blit, const struct gpu_blit_memory *to,
         const struct gpu_blit_memory *from, const struct tg_blit_info *info)
{
   const uint32_t samples = from->given->resource->desc.samples;
   const bool is_resolved = samples > to->given->resource->desc.samples &&
                            blit->key.mask & TG_CHANNEL_RGBA &&
                            from->info->class == FORMAT_CLASS_FLOAT;

   blit->key.to_format = (uint16_t)to->format;
   blit->key.from_format = (uint16_t)from->format;
   blit->key.num_samples = is_resolved ? (uint8_t)samples : 1;
   blit->key.has_plane = is_resolved && !blit->key.filtered &&
                         from->given->resource->may_be_one_color;
   blit->key.alpha_blend = info->alpha_blend &&
                           blit->key.mask & TG_CHANNEL_RGBA &&
                           to->info->class == FORMAT_CLASS_FLOAT;
   blit->block_bytes = to->info->block_bytes;
   blit->unit_bytes = to->info->unit;
   blit->is_move = to->format == from->format && !blit->key.filtered &&
                   !is_resolved && !blit->key.alpha_blend &&
                   is_whole(to->format, blit->key.mask);
   blit->is_mean_of_bytes = is_resolved && to->format == from->format &&
                            !blit->key.filtered && !blit->key.alpha_blend &&
                            has_bytes(to->info) &&
                            is_whole(to->format, blit->key.mask);
   if (blit->is_mean_of_bytes)
      blit->bits_of_channels = bits_of_channels(to->info);
}

/* ---- positions ----------------------------------------------------------- */

static bool
allocate_words(struct gpu_blit *blit, const struct tg_allocator *allocator,
               unsigned axis, uint32_t count)
{
   const size_t size = count * sizeof(*blit->words[axis]);
   void *memory = NULL;

   if (!gpu_grow(allocator, &memory, 0, size))
      return false;
   if (memory)
      memset(memory, 0, size);
   assert(axis < TG_LENGTH(blit->words));
   blit->words[axis] = memory;
   blit->words_size[axis] = size;
   return true;
}

static enum tg_result
find_positions(struct gpu_blit *blit, const struct tg_allocator *allocator,
               const struct gpu_blit_axis axes[3])
{
   for (unsigned i = 0; i < 3; i++) {
      if (!allocate_words(blit, allocator, i, gpu_blit_axis_bound(&axes[i])))
         return TG_ERROR_MEMORY;
      blit->count[i] = gpu_blit_axis_fill(&axes[i], blit->words[i]);
   }
   return TG_OK;
}

/* A sample of the target is that of the source, or its only one. The words of
 * samples that become their mean follow one position. */
static enum tg_result
find_samples(struct gpu_blit *blit, const struct tg_allocator *allocator,
             const struct gpu_blit_memory *to,
             const struct gpu_blit_memory *from)
{
   const uint32_t num_to = to->given->resource->desc.samples;
   const uint32_t num_from = from->given->resource->desc.samples;
   const uint32_t count = num_to > num_from ? num_to : num_from;

   if (!allocate_words(blit, allocator, GPU_BLIT_SAMPLES, count))
      return TG_ERROR_MEMORY;
   for (uint32_t i = 0; i < count; i++) {
      uint32_t *words = blit->words[GPU_BLIT_SAMPLES][i];

      words[GPU_BLIT_TO] = i < num_to ? i : 0;
      words[GPU_BLIT_FROM] = i < num_from ? i : 0;
   }
   blit->count[GPU_BLIT_SAMPLES] = num_to;
   return TG_OK;
}

/* ---- overlap ------------------------------------------------------------- */

/* Positions that one of the words has. */
struct reach {
   uint32_t first, last;
};

static void
extend(struct reach *reach, uint32_t position)
{
   reach->first = position < reach->first ? position : reach->first;
   reach->last = position > reach->last ? position : reach->last;
}

static void
find_reach(const struct gpu_blit *blit, unsigned axis, struct reach *to,
           struct reach *from)
{
   *to = *from = (struct reach){UINT32_MAX, 0};
   for (uint32_t i = 0; i < blit->count[axis]; i++) {
      const uint32_t *words = blit->words[axis][i];

      extend(to, words[GPU_BLIT_TO]);
      extend(from, words[GPU_BLIT_FROM]);
      if (blit->key.filtered >> axis & 1)
         extend(from, words[GPU_BLIT_FROM_NEXT]);
   }
}

static bool
overlaps(const struct gpu_blit *blit, const struct gpu_blit_memory *to,
         const struct gpu_blit_memory *from)
{
   if (to->given->resource != from->given->resource ||
       to->given->level != from->given->level)
      return false;
   for (unsigned i = 0; i < 3; i++) {
      struct reach drawn, read;

      find_reach(blit, i, &drawn, &read);
      if (drawn.last < read.first || read.last < drawn.first)
         return false;
   }
   return true;
}

/* Copies the slices that are read away, and lets the source be that copy. */
static enum tg_result
copy_source(struct gpu_blit *blit, const struct tg_allocator *allocator,
            struct gpu_blit_memory *from)
{
   struct reach drawn, read;

   find_reach(blit, GPU_BLIT_Z, &drawn, &read);
   const size_t slice_bytes =
      (size_t)from->pitch[GPU_BLIT_Z] * from->info->unit;
   const size_t offset = (size_t)from->offset * from->info->unit;

   blit->copy_size = (read.last - read.first + 1) * slice_bytes;
   if (!gpu_grow(allocator, &blit->copy, 0, blit->copy_size))
      return TG_ERROR_MEMORY;
   memcpy(blit->copy,
          (const char *)from->binding.memory.data + offset +
             read.first * slice_bytes,
          blit->copy_size);
   from->binding.memory = (struct exec_memory){
      .data = blit->copy,
      .num_bytes = blit->copy_size,
   };
   from->offset = 0 - read.first * from->pitch[GPU_BLIT_Z];
   return TG_OK;
}

/* A resolve reads which pixels have one colour; for all others all samples are
 * stored before. */
static void
settle_samples(struct gpu_blit *blit, const struct gpu_blit_memory *to,
               const struct gpu_blit_memory *from)
{
   resource_settle_one_color(to->given->resource);
   if (blit->key.has_plane)
      blit->from[1] = resource_one_color_memory(from->given->resource);
   else
      resource_settle_one_color(from->given->resource);
}

/* ---- places -------------------------------------------------------------- */

/* Where a position's byte is in the plane of pixels of one colour. */
static uint32_t
place_in_plane(const struct gpu_blit_memory *from, unsigned axis,
               uint32_t position)
{
   switch (axis) {
   case GPU_BLIT_X: return resource_microtile_column(position);
   case GPU_BLIT_Y: return resource_one_color_row(from->level, position);
   case GPU_BLIT_Z: return position * resource_one_color_slice(from->level);
   default: return 0;
   }
}

/* From positions to units; the slices' lead to the level, too. */
static void
place_words(struct gpu_blit *blit, const struct gpu_blit_memory *to,
            const struct gpu_blit_memory *from)
{
   for (unsigned axis = 0; axis < GPU_BLIT_AXES; axis++) {
      const bool is_first = axis == GPU_BLIT_Z;
      const uint32_t to_offset = is_first ? to->offset : 0;
      const uint32_t from_offset = is_first ? from->offset : 0;
      const size_t count = blit->words_size[axis] / sizeof(*blit->words[axis]);

      for (size_t i = 0; i < count; i++) {
         uint32_t *words = blit->words[axis][i];

         words[GPU_BLIT_TO] =
            gpu_blit_place(to, axis, words[GPU_BLIT_TO]) + to_offset;
         words[GPU_BLIT_FROM] =
            gpu_blit_place(from, axis, words[GPU_BLIT_FROM]) + from_offset;
         words[GPU_BLIT_FROM_NEXT] =
            gpu_blit_place(from, axis, words[GPU_BLIT_FROM_NEXT]) + from_offset;
         words[GPU_BLIT_PIXEL] =
            place_in_plane(from, axis, words[GPU_BLIT_PIXEL]);
      }
   }
   blit->to = to->binding.memory;
   blit->from[0] = from->binding.memory;
}

/* Checked programs may read what was written. */
static void
define_texels(const struct gpu_blit *blit, struct tg_resource *resource)
{
   const uint64_t num_rows =
      resource_undefined(resource) ? gpu_blit_num_rows(blit) : 0;

   for (uint64_t i = 0; i < num_rows; i++) {
      for (uint32_t x = 0; x < blit->count[GPU_BLIT_X]; x++)
         resource_define(resource,
                         (char *)blit->to.data + gpu_blit_address(blit, i, x),
                         blit->block_bytes);
   }
}

/* ---- the call ------------------------------------------------------------ */

static enum tg_result
prepare(struct gpu_blit *blit, const struct tg_allocator *allocator,
        struct gpu_blit_memory *to, struct gpu_blit_memory *from,
        const struct tg_blit_info *info)
{
   struct gpu_blit_axis axes[3];

   find_axes(blit, to, from, info, axes);
   find_key(blit, to, from, info);
   settle_samples(blit, to, from);
   enum tg_result result = find_positions(blit, allocator, axes);
   if (result == TG_OK)
      result = find_samples(blit, allocator, to, from);
   if (result == TG_OK && overlaps(blit, to, from))
      result = copy_source(blit, allocator, from);
   if (result == TG_OK)
      place_words(blit, to, from);
   return result;
}

static void
finish(struct gpu_blit *blit, const struct tg_allocator *allocator)
{
   for (unsigned i = 0; i < GPU_BLIT_AXES; i++) {
      void *words = blit->words[i];

      gpu_grow(allocator, &words, blit->words_size[i], 0);
   }
   gpu_grow(allocator, &blit->copy, blit->copy_size, 0);
}

static bool
is_empty(const struct gpu_blit *blit)
{
   for (unsigned i = 0; i < GPU_BLIT_AXES; i++) {
      if (!blit->count[i])
         return true;
   }
   return false;
}

enum tg_result
gpu_blit_sides(const struct gpu_compiler *compiler, struct tg_pool *pool,
               const struct gpu_call *call, struct gpu_blit_memory *to,
               struct gpu_blit_memory *from, const struct tg_blit_info *info,
               uint8_t mask, struct tg_diagnostics *diagnostics)
{
   const struct tg_allocator *allocator = compiler->allocator;
   struct gpu_blit blit = {.key.mask = mask};
   enum tg_result result = prepare(&blit, allocator, to, from, info);

   if (result == TG_OK && !is_empty(&blit)) {
      result = gpu_blit_run(compiler, pool, call, &blit, diagnostics);
      define_texels(&blit, to->given->resource);
   }
   finish(&blit, allocator);
   return result;
}
