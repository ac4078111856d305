/* SPDX-License-Identifier: MIT
 *
 * Validation of the sides of a blit: what may be blitted to what.
 */
#include "gpu/blit/blit_side.h"

#include <assert.h>

#include "util/diagnostics.h"
#include "util/length.h"

static enum tg_result
describe(struct gpu_blit_memory *side, const char *name,
         struct tg_diagnostics *diagnostics)
{
   const struct tg_blit_side *given = side->given;
   struct tg_resource *resource = given->resource;

   if (!resource || resource_is_buffer(resource))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "blit",
                         "the %s is not a texture", name);
   struct tg_view_desc view = tg_view_desc_of(resource);
   view.first_level = view.last_level = given->level;
   if (given->format)
      view.format = given->format;
   const enum tg_result result = resource_describe_view(
      &view, name, RESOURCE_NO_PLACE, diagnostics, &side->binding);
   if (result != TG_OK)
      return result;

   const uint32_t *words = side->binding.words;
   const uint32_t *level = &words[ABI_VIEW_LEVEL_WORDS];
   side->level = &resource->written.layout.level[given->level];
   side->format = (enum tg_format)side->binding.key.view.format;
   side->info = format_info(side->format);
   side->size[0] = words[ABI_VIEW_WIDTH];
   side->size[1] = words[ABI_VIEW_HEIGHT];
   side->size[2] = resource_num_slices(resource, given->level);
   side->offset = level[ABI_LEVEL_OFFSET];
   side->pitch[GPU_BLIT_X] = side->info->num_units;
   side->pitch[GPU_BLIT_Y] = level[ABI_LEVEL_ROW_PITCH];
   side->pitch[GPU_BLIT_Z] = level[ABI_LEVEL_SLICE_PITCH];
   side->pitch[GPU_BLIT_SAMPLES] = words[ABI_VIEW_SAMPLE_PITCH];
   return TG_OK;
}

uint32_t
gpu_blit_place(const struct gpu_blit_memory *side, unsigned axis,
               uint32_t position)
{
   const struct resource_level *level = side->level;

   assert(axis < TG_LENGTH(side->pitch));
   if (resource_is_tiled(level) && axis == GPU_BLIT_X)
      return resource_column(level, position) * side->info->num_units;
   if (resource_is_tiled(level) && axis == GPU_BLIT_Y)
      return (uint32_t)(resource_row_offset(level, position) /
                        side->info->unit);
   return position * side->pitch[axis];
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
check_classes(const struct gpu_blit_memory *to,
              const struct gpu_blit_memory *from, uint8_t mask,
              struct tg_diagnostics *diagnostics)
{
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
   const struct tg_resource *to = info->dst.resource;

   if (to && format_is_compressed((enum tg_format)to->desc.format))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "blit",
                         "the target has the compressed format %s",
                         to->written.format->name);
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
find_mask(const struct gpu_blit_memory *to, const struct gpu_blit_memory *from,
          uint8_t asked)
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

enum tg_result
gpu_blit_find_sides(const struct tg_blit_info *info,
                    struct tg_diagnostics *diagnostics,
                    struct gpu_blit_memory *to, struct gpu_blit_memory *from,
                    uint8_t *mask_out)
{
   *to = (struct gpu_blit_memory){.given = &info->dst};
   *from = (struct gpu_blit_memory){.given = &info->src};
   enum tg_result result = check_numbers(info, diagnostics);
   if (result == TG_OK)
      result = describe(to, "target of a blit", diagnostics);
   if (result == TG_OK)
      result = describe(from, "source of a blit", diagnostics);
   if (result == TG_OK)
      result =
         check_samples(info->dst.resource, info->src.resource, diagnostics);
   if (result != TG_OK)
      return result;
   *mask_out = find_mask(to, from, info->mask);
   return check_classes(to, from, *mask_out, diagnostics);
}
