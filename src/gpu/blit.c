/* SPDX-License-Identifier: MIT
 *
 * Blits: what may be blitted to what, and how the boxes become positions.
 */
#include "gpu/blit.h"

#include <string.h>

#include "gpu/context.h"
#include "gpu/query.h"
#include "resource/bindings.h"

/* A side as it is in memory. */
struct side {
   const struct tg_blit_side *given;
   struct resource_binding binding; /* of all slices of the level */
   enum tg_format format;
   const struct format_info *info;
   uint32_t size[3];
   uint32_t pitch[GPU_BLIT_AXES]; /* units */
   uint32_t offset;               /* units */
};

/* ---- what there may be --------------------------------------------------- */

static enum tg_result
describe(struct side *side, const char *name,
         struct tg_diagnostics *diagnostics)
{
   const struct tg_blit_side *given = side->given;
   struct tg_resource *resource = given->resource;

   if (!resource || resource_is_buffer(resource))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "blit",
                         "the %s is not a texture", name);
   struct tg_view view = tg_view_of(resource);
   view.first_level = view.last_level = given->level;
   if (given->format)
      view.format = given->format;
   const enum tg_result result = resource_describe_view(
      &view, name, RESOURCE_NO_PLACE, diagnostics, &side->binding);
   if (result != TG_OK)
      return result;

   const uint32_t *words = side->binding.words;
   const uint32_t *level = &words[LOWER_VIEW_LEVEL_WORDS];
   side->format = (enum tg_format)side->binding.key.view.format;
   side->info = format_info(side->format);
   side->size[0] = words[LOWER_VIEW_WIDTH];
   side->size[1] = words[LOWER_VIEW_HEIGHT];
   side->size[2] = resource_num_slices(resource, given->level);
   side->offset = level[LOWER_LEVEL_OFFSET];
   side->pitch[GPU_BLIT_X] = side->info->num_units;
   side->pitch[GPU_BLIT_Y] = level[LOWER_LEVEL_ROW_PITCH];
   side->pitch[GPU_BLIT_Z] = level[LOWER_LEVEL_SLICE_PITCH];
   side->pitch[GPU_BLIT_SAMPLES] = words[LOWER_VIEW_SAMPLE_PITCH];
   return TG_OK;
}

static enum tg_result
check_samples(const struct tg_resource *to, const struct tg_resource *from,
              struct tg_diagnostics *diagnostics)
{
   if (to->desc.samples == 1 || from->desc.samples == 1 ||
       to->desc.samples == from->desc.samples)
      return TG_OK;
   return tg_complain(diagnostics, TG_ERROR_INPUT, "blit",
                      "%u samples do not become %u", from->desc.samples,
                      to->desc.samples);
}

static const char *
class_name(const struct format_info *info)
{
   switch (info->class) {
   case FORMAT_CLASS_SINT: return "signed integers";
   case FORMAT_CLASS_UINT: return "unsigned integers";
   default: return "floats";
   }
}

static enum tg_result
check_formats(const struct side *to, const struct side *from, uint8_t mask,
              struct tg_diagnostics *diagnostics)
{
   if (format_is_compressed((enum tg_format)to->given->resource->desc.format))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "blit",
                         "the target has the compressed format %s",
                         to->given->resource->written.format->name);
   if (mask & TG_CHANNEL_RGBA && to->info->class != from->info->class)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "blit",
                         "%s has %s, which do not become the %s of %s",
                         from->info->name, class_name(from->info),
                         class_name(to->info), to->info->name);
   return TG_OK;
}

static enum tg_result
check_numbers(const struct tg_blit_info *info,
              struct tg_diagnostics *diagnostics)
{
   if (info->mask & ~(TG_CHANNEL_RGBA | TG_CHANNEL_Z | TG_CHANNEL_S))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "blit",
                         "there is no mask %u", info->mask);
   if (info->filter > TG_FILTER_LINEAR)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "blit",
                         "there is no filter %u", info->filter);
   return TG_OK;
}

/* What both have of what is asked for. */
static uint8_t
find_mask(const struct side *to, const struct side *from, uint8_t asked)
{
   const bool is_color = to->info->colorspace != FORMAT_COLORSPACE_ZS &&
                         from->info->colorspace != FORMAT_COLORSPACE_ZS;
   uint8_t mask = asked & (is_color ? TG_CHANNEL_RGBA : 0);

   if (format_has_depth(to->format) && format_has_depth(from->format))
      mask |= asked & TG_CHANNEL_Z;
   if (format_has_stencil(to->format) && format_has_stencil(from->format))
      mask |= asked & TG_CHANNEL_S;
   return mask;
}

/* ---- how it is done ------------------------------------------------------ */

/* Colours are filtered and resolved, and depths filtered; other things are what
 * one texel, or the first sample, is. */
static bool
is_linear(const struct gpu_blit *blit, const struct side *from,
          const struct tg_blit_info *info)
{
   return info->filter == TG_FILTER_LINEAR &&
          !(blit->key.mask & TG_CHANNEL_S) &&
          from->info->class == FORMAT_CLASS_FLOAT;
}

static void
find_axes(struct gpu_blit *blit, const struct side *to, const struct side *from,
          const struct tg_blit_info *info, struct gpu_blit_axis axes[3])
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
      if (info->swizzle[i] <= FORMAT_SWIZZLE_W && !(mask >> i & 1))
         return false;
   }
   return true;
}

static void
find_key(struct gpu_blit *blit, const struct side *to, const struct side *from,
         const struct tg_blit_info *info)
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
             const struct side *to, const struct side *from)
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
overlaps(const struct gpu_blit *blit, const struct side *to,
         const struct side *from)
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
            struct side *from)
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
settle_samples(struct gpu_blit *blit, const struct side *to,
               const struct side *from)
{
   resource_settle(to->given->resource);
   if (blit->key.has_plane)
      blit->from[1] = resource_one_color_memory(from->given->resource);
   else
      resource_settle(from->given->resource);
}

/* ---- places -------------------------------------------------------------- */

/* From positions to units; the slices' lead to the level, too. */
static void
place_words(struct gpu_blit *blit, const struct side *to,
            const struct side *from)
{
   const uint32_t pixel_pitch[GPU_BLIT_AXES] = {
      1, from->size[0], from->size[0] * from->size[1], 0};

   for (unsigned axis = 0; axis < GPU_BLIT_AXES; axis++) {
      const bool is_first = axis == GPU_BLIT_Z;
      const uint32_t to_offset = is_first ? to->offset : 0;
      const uint32_t from_offset = is_first ? from->offset : 0;
      const size_t count = blit->words_size[axis] / sizeof(*blit->words[axis]);

      for (size_t i = 0; i < count; i++) {
         uint32_t *words = blit->words[axis][i];

         words[GPU_BLIT_TO] = words[GPU_BLIT_TO] * to->pitch[axis] + to_offset;
         words[GPU_BLIT_FROM] =
            words[GPU_BLIT_FROM] * from->pitch[axis] + from_offset;
         words[GPU_BLIT_FROM_NEXT] =
            words[GPU_BLIT_FROM_NEXT] * from->pitch[axis] + from_offset;
         words[GPU_BLIT_PIXEL] *= pixel_pitch[axis];
      }
   }
   blit->to = to->binding.memory;
   blit->from[0] = from->binding.memory;
}

/* Checked programs may read what was written: rows, since positions along x
 * have no gaps. */
static void
define_rows(const struct gpu_blit *blit, struct tg_resource *resource)
{
   const size_t num_bytes = (size_t)blit->count[GPU_BLIT_X] * blit->block_bytes;
   const uint64_t num_rows =
      resource_undefined(resource) ? gpu_blit_num_rows(blit) : 0;

   for (uint64_t i = 0; i < num_rows; i++)
      resource_define(resource,
                      (char *)blit->to.data + gpu_blit_row_address(blit, i),
                      num_bytes);
}

/* ---- the call ------------------------------------------------------------ */

static enum tg_result
prepare(struct gpu_blit *blit, const struct tg_allocator *allocator,
        struct side *to, struct side *from, const struct tg_blit_info *info)
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

static enum tg_result
run(struct tg_gpu *gpu, struct side *to, struct side *from,
    const struct tg_blit_info *info, uint8_t mask,
    struct tg_diagnostics *diagnostics)
{
   struct gpu_blit blit = {.key.mask = mask};
   enum tg_result result = prepare(&blit, &gpu->allocator, to, from, info);

   if (result == TG_OK && !is_empty(&blit)) {
      result = gpu_blit_run(gpu, &blit, diagnostics);
      define_rows(&blit, to->given->resource);
   }
   finish(&blit, &gpu->allocator);
   return result;
}

enum tg_result
tg_gpu_blit(struct tg_gpu *gpu, const struct tg_blit_info *info,
            struct tg_diagnostics *diagnostics)
{
   struct side to = {.given = &info->dst}, from = {.given = &info->src};
   enum tg_result result = check_numbers(info, diagnostics);

   if (result == TG_OK)
      result = describe(&to, "target of a blit", diagnostics);
   if (result == TG_OK)
      result = describe(&from, "source of a blit", diagnostics);
   if (result == TG_OK)
      result =
         check_samples(info->dst.resource, info->src.resource, diagnostics);
   if (result != TG_OK)
      return result;
   const uint8_t mask = find_mask(&to, &from, info->mask);
   result = check_formats(&to, &from, mask, diagnostics);
   if (result != TG_OK || !mask ||
       (info->render_condition_enable && !gpu_condition_holds(gpu)))
      return result;
   gpu_wait_for(gpu, info->dst.resource, GPU_WRITES);
   gpu_wait_for(gpu, info->src.resource, GPU_READS);
   return run(gpu, &to, &from, info, mask, diagnostics);
}
