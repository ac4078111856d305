/* SPDX-License-Identifier: MIT
 *
 * Clears of the framebuffer, and of any surface. Those of the framebuffer are
 * binned, in order with what is drawn there, so that each tile is cleared by
 * the thread that draws it next, when it does.
 */
#include <assert.h>
#include <string.h>

#include "format/format.h"
#include "gpu/context/context.h"
#include "gpu/context/query.h"
#include "gpu/context/surface.h"
#include "gpu/context/windows.h"
#include "gpu/queue/clear.h"
#include "gpu/queue/queue.h"
#include "util/sized.h"

/* ---- what becomes of a texel --------------------------------------------- */

/* Writes depth, stencil or both. */
static void
pack_depth_stencil(enum tg_format format, uint32_t buffers, double depth,
                   uint8_t stencil, uint8_t *texel)
{
   const union tg_color z = {.f = {(float)depth}};
   if ((buffers & TG_CLEAR_DEPTH) && format_has_depth(format))
      format_pack(format, z.u, texel);
   if ((buffers & TG_CLEAR_STENCIL) && format_has_stencil(format))
      format_pack_stencil(format, stencil, texel);
}

/* Packing leaves alone what it does not write: bits are written if they come
 * out the same from all zeros and from all ones. */
static struct resource_pattern
depth_stencil_pattern(enum tg_format format, uint32_t buffers, double depth,
                      uint8_t stencil)
{
   const size_t num_bytes = format_info(format)->block_bytes;
   uint8_t ones[RESOURCE_MAX_BLOCK];
   memset(ones, 0xff, sizeof(ones));
   struct resource_pattern pattern = resource_fill_pattern(ones, num_bytes);
   memset(pattern.value, 0, sizeof(pattern.value));
   pack_depth_stencil(format, buffers, depth, stencil, pattern.value);
   pack_depth_stencil(format, buffers, depth, stencil, ones);
   for (size_t i = 0; i < num_bytes; i++)
      pattern.mask[i] = (uint8_t) ~(pattern.value[i] ^ ones[i]);
   return pattern;
}

static struct resource_pattern
color_pattern(enum tg_format format, const union tg_color *color)
{
   uint8_t texel[RESOURCE_MAX_BLOCK] = {0};
   format_pack(format, color->u, texel);
   return resource_fill_pattern(texel, format_info(format)->block_bytes);
}

/* ---- clears -------------------------------------------------------------- */

/* The parts of the framebuffer that are cleared; false if there are none. */
static bool
find_pieces(const struct gpu_state *state, const struct tg_scissor *scissor,
            struct gpu_window_pieces *pieces)
{
   const uint16_t width = (uint16_t)state->framebuffer.width;
   const uint16_t height = (uint16_t)state->framebuffer.height;
   struct tg_scissor area = {.max_x = width, .max_y = height};
   if (scissor) {
      area = *scissor;
      area.max_x = area.max_x < width ? area.max_x : width;
      area.max_y = area.max_y < height ? area.max_y : height;
   }
   pieces->count = 0;
   if (area.min_x < area.max_x && area.min_y < area.max_y)
      gpu_cut_windows(&state->window_rectangles, &area, pieces);
   return pieces->count;
}

/* The clears of all attachments that are wanted; their number. */
static uint32_t
make_clears(const struct tg_framebuffer_state *framebuffer, uint32_t buffers,
            const union tg_color *color, double depth, uint8_t stencil,
            struct gpu_clear clears[TG_MAX_COLOR_BUFFERS + 1])
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < framebuffer->num_colors; i++) {
      const struct tg_surface *surface = &framebuffer->colors[i];
      if (!surface->resource || !(buffers & TG_CLEAR_COLOR0 << i))
         continue;
      resource_keep_one_color(surface->resource);
      clears[count] = (struct gpu_clear){.surface = *surface};
      clears[count++].pattern =
         color_pattern((enum tg_format)surface->format, color);
   }
   const struct tg_surface *surface = &framebuffer->depth_stencil;
   if (surface->resource && (buffers & (TG_CLEAR_DEPTH | TG_CLEAR_STENCIL))) {
      resource_keep_clears(surface->resource);
      clears[count] = (struct gpu_clear){.surface = *surface};
      clears[count++].pattern = depth_stencil_pattern(
         (enum tg_format)surface->format, buffers, depth, stencil);
   }
   return count;
}

static enum tg_result
add_clear(struct tg_context *context, const struct gpu_clear *clear,
          const struct gpu_window_pieces *pieces)
{
   const enum tg_result result =
      gpu_note_use_of_target(context, clear->surface.resource);
   for (uint32_t i = 0; i < pieces->count && result == TG_OK; i++) {
      struct gpu_clear part = *clear;
      part.min_x = pieces->piece[i].min_x;
      part.min_y = pieces->piece[i].min_y;
      part.max_x = pieces->piece[i].max_x;
      part.max_y = pieces->piece[i].max_y;
      if (!gpu_scene_add_clear(context->scene, &part))
         return TG_ERROR_MEMORY;
   }
   return result;
}

/* They wait in the scene. */
static enum tg_result
add_clears(struct tg_context *context, struct gpu_clear *clears, uint32_t count,
           const struct gpu_window_pieces *pieces)
{
   struct gpu_call *call =
      gpu_call_create(&context->calls, context->call, &context->life, 0);
   enum tg_result result = call ? gpu_open_scene(context) : TG_ERROR_MEMORY;
   for (uint32_t i = 0; i < count && result == TG_OK; i++) {
      clears[i].call = call;
      result = add_clear(context, &clears[i], pieces);
   }
   gpu_call_destroy(call);
   return result;
}

static enum tg_result
clear_framebuffer(struct tg_context *context, uint32_t buffers,
                  const struct tg_scissor *scissor, const union tg_color *color,
                  double depth, uint8_t stencil,
                  struct tg_diagnostics *diagnostics)
{
   const struct tg_framebuffer_state *framebuffer = &context->state.framebuffer;
   struct gpu_clear clears[TG_MAX_COLOR_BUFFERS + 1];
   struct gpu_window_pieces pieces;
   if (buffers & ~(uint32_t)TG_CLEAR_ALL)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "clear",
                                "there are no buffers 0x%x to clear",
                                buffers & ~(uint32_t)TG_CLEAR_ALL);
   if ((buffers & TG_CLEAR_COLORS) && !color)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "clear",
                                "there is no colour to clear with");
   if (!find_pieces(&context->state, scissor, &pieces) ||
       !gpu_query_condition_holds(context))
      return TG_OK;
   const enum tg_result result =
      gpu_fault_charge(&context->life, GPU_WORK_CALL, diagnostics);
   if (result != TG_OK)
      return result;
   const uint32_t count =
      make_clears(framebuffer, buffers, color, depth, stencil, clears);
   return count ? add_clears(context, clears, count, &pieces) : TG_OK;
}

enum tg_result
tg_context_clear(struct tg_context *context, uint32_t buffers,
                 const struct tg_scissor *scissor, const union tg_color *color,
                 double depth, uint8_t stencil,
                 struct tg_diagnostics *diagnostics)
{
   assert(context);
   gpu_context_begin_call(context, TG_CALL_CLEAR);
   return gpu_context_end_call(context, NULL,
                               clear_framebuffer(context, buffers, scissor,
                                                 color, depth, stencil,
                                                 diagnostics));
}

/* ---- surfaces ------------------------------------------------------------ */

/* A colour, or depth and stencil? */
static enum tg_result
check_buffers(uint32_t buffers, struct tg_diagnostics *diagnostics)
{
   const uint32_t depth_stencil = TG_CLEAR_DEPTH | TG_CLEAR_STENCIL;
   if (buffers == TG_CLEAR_COLOR0 ||
       (buffers & depth_stencil && !(buffers & ~depth_stencil)))
      return TG_OK;
   return gpu_fault_complain(
      diagnostics, TG_ERROR_INPUT, "clear",
      "a surface is cleared as colour 0, or depth and stencil, "
      "not as buffers 0x%x",
      buffers);
}

/* The blocks of its level, which are texels, within the scissor; false if there
 * are none. */
static bool
find_blocks(const struct tg_clear_info *info, struct resource_blocks *blocks)
{
   const struct tg_surface *surface = &info->surface;
   const struct resource_level *level =
      &surface->resource->written.layout.level[surface->level];
   uint32_t max_x = level->width, max_y = level->height;
   *blocks = (struct resource_blocks){
      .level = surface->level,
      .z = surface->first_layer,
      .depth = surface->last_layer - surface->first_layer + 1,
   };
   if (info->scissor_enable) {
      blocks->x = info->scissor.min_x;
      blocks->y = info->scissor.min_y;
      max_x = info->scissor.max_x < max_x ? info->scissor.max_x : max_x;
      max_y = info->scissor.max_y < max_y ? info->scissor.max_y : max_y;
   }
   if (blocks->x >= max_x || blocks->y >= max_y)
      return false;
   blocks->width = max_x - blocks->x;
   blocks->height = max_y - blocks->y;
   return true;
}

static struct resource_pattern
make_pattern(const struct tg_clear_info *info)
{
   const enum tg_format format = (enum tg_format)info->surface.format;
   if (info->buffers == TG_CLEAR_COLOR0)
      return color_pattern(format, &info->color);
   return depth_stencil_pattern(format, info->buffers, info->depth,
                                info->stencil);
}

static enum tg_result
check_clear(struct tg_clear_info *info, struct tg_diagnostics *diagnostics)
{
   const enum tg_result result = check_buffers(info->buffers, diagnostics);
   if (result != TG_OK)
      return result;
   if (!info->surface.resource)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "clear",
                                "there is no surface to clear");
   return gpu_check_surface(&info->surface, "the surface",
                            info->buffers != TG_CLEAR_COLOR0, diagnostics);
}

static enum tg_result
clear_surface(struct tg_context *context, const struct tg_clear_info *given,
              struct tg_diagnostics *diagnostics)
{
   struct tg_clear_info info;
   struct resource_blocks blocks;
   enum tg_result result = tg_clear_info_take(&info, given, diagnostics);
   if (result == TG_OK)
      result = check_clear(&info, diagnostics);
   if (result != TG_OK || !find_blocks(&info, &blocks) ||
       (info.render_condition_enable && !gpu_query_condition_holds(context)))
      return result;
   struct tg_resource *resource = info.surface.resource;
   result = gpu_fault_charge(&context->life,
                             GPU_WORK_CALL + resource_cost(resource, &blocks),
                             diagnostics);
   if (result != TG_OK)
      return result;
   const struct resource_pattern pattern = make_pattern(&info);
   gpu_wait_for(context, resource, GPU_WRITES);
   resource_fill(resource, &blocks, &pattern);
   return TG_OK;
}

enum tg_result
tg_context_clear_surface(struct tg_context *context,
                         const struct tg_clear_info *given,
                         struct tg_diagnostics *diagnostics)
{
   assert(context);
   gpu_context_begin_call(context, TG_CALL_CLEAR);
   return gpu_context_end_call(context, NULL,
                               clear_surface(context, given, diagnostics));
}
