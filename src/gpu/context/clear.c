/* SPDX-License-Identifier: MIT
 *
 * Clears of the framebuffer. They wait in the bins of the tiles, in order with
 * what is drawn there, so that each tile is cleared by whoever draws it next,
 * when it does.
 */
#include <string.h>

#include "format/format.h"
#include "gpu/context/context.h"
#include "gpu/context/query.h"
#include "gpu/queue/clear.h"
#include "gpu/queue/queue.h"
#include "util/minmax.h"

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
   struct resource_pattern pattern = resource_pattern(ones, num_bytes);
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
   return resource_pattern(texel, format_info(format)->block_bytes);
}

/* ---- clears -------------------------------------------------------------- */

/* The part of the framebuffer that is cleared; false if there is none. */
static bool
find_area(const struct tg_framebuffer_state *framebuffer,
          const struct tg_scissor *scissor, struct gpu_clear *clear)
{
   clear->max_x = framebuffer->width;
   clear->max_y = framebuffer->height;
   if (scissor) {
      clear->min_x = scissor->min_x;
      clear->min_y = scissor->min_y;
      clear->max_x = tg_min_u32(scissor->max_x, framebuffer->width);
      clear->max_y = tg_min_u32(scissor->max_y, framebuffer->height);
   }
   return clear->min_x < clear->max_x && clear->min_y < clear->max_y;
}

/* The clears of all attachments that are wanted; their number. */
static uint32_t
make_clears(const struct tg_framebuffer_state *framebuffer, uint32_t buffers,
            const struct gpu_clear *area, const union tg_color *color,
            double depth, uint8_t stencil,
            struct gpu_clear clears[TG_MAX_COLOR_BUFFERS + 1])
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < framebuffer->num_colors; i++) {
      const struct tg_surface *surface = &framebuffer->colors[i];
      if (!surface->resource || !(buffers & TG_CLEAR_COLOR0 << i))
         continue;
      resource_keep_one_color(surface->resource);
      clears[count] = *area;
      clears[count].surface = *surface;
      clears[count++].pattern =
         color_pattern((enum tg_format)surface->format, color);
   }
   const struct tg_surface *surface = &framebuffer->depth_stencil;
   if (surface->resource && (buffers & (TG_CLEAR_DEPTH | TG_CLEAR_STENCIL))) {
      clears[count] = *area;
      clears[count].surface = *surface;
      clears[count++].pattern = depth_stencil_pattern(
         (enum tg_format)surface->format, buffers, depth, stencil);
   }
   return count;
}

enum tg_result
tg_context_clear(struct tg_context *gpu, uint32_t buffers,
             const struct tg_scissor *scissor, const union tg_color *color,
             double depth, uint8_t stencil, struct tg_diagnostics *diagnostics)
{
   const struct tg_framebuffer_state *framebuffer = &gpu->state.framebuffer;
   struct gpu_clear clears[TG_MAX_COLOR_BUFFERS + 1], area = {0};
   if (buffers & ~(uint32_t)TG_CLEAR_ALL)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "clear",
                          "there are no buffers 0x%x to clear",
                          buffers & ~(uint32_t)TG_CLEAR_ALL);
   if ((buffers & TG_CLEAR_COLORS) && !color)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "clear",
                          "there is no colour to clear with");
   if (!find_area(framebuffer, scissor, &area) || !gpu_condition_holds(gpu))
      return TG_OK;
   enum tg_result result = gpu_charge(gpu->work, GPU_WORK_CALL, diagnostics);
   if (result != TG_OK)
      return result;
   const uint32_t count =
      make_clears(framebuffer, buffers, &area, color, depth, stencil, clears);
   if (count)
      result = gpu_open_scene(gpu);
   for (uint32_t i = 0; i < count && result == TG_OK; i++) {
      result = gpu_note_target(gpu, clears[i].surface.resource);
      if (result == TG_OK && !gpu_scene_add_clear(gpu->scene, &clears[i]))
         result = TG_ERROR_MEMORY;
   }
   return result;
}
