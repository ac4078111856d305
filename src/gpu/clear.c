/* SPDX-License-Identifier: MIT
 *
 * Clears of the framebuffer.
 */
#include <string.h>

#include "format/format.h"
#include "gpu/context.h"
#include "gpu/queue.h"

/* Pixels from min up to, without, max; of all layers and samples. */
struct area {
   uint32_t min_x, min_y, max_x, max_y;
};

static void
fill(const struct tg_surface *surface, const struct area *area,
     const void *pixel)
{
   const struct tg_resource *resource = surface->resource;
   const size_t bytes = resource->written.format->block_bytes;
   for (uint32_t z = surface->first_layer; z <= surface->last_layer; z++) {
      for (uint32_t s = 0; s < resource->desc.samples; s++) {
         for (uint32_t y = area->min_y; y < area->max_y; y++) {
            unsigned char *row =
               resource_texel(resource, surface->level, s, area->min_x, y, z);
            for (uint32_t x = area->min_x; x < area->max_x; x++, row += bytes)
               memcpy(row, pixel, bytes);
         }
      }
   }
}

static uint32_t
min(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

static struct area
find_area(const struct tg_framebuffer_state *framebuffer,
          const struct tg_scissor *scissor)
{
   struct area area = {0, 0, framebuffer->width, framebuffer->height};
   if (scissor)
      area = (struct area){
         scissor->min_x,
         scissor->min_y,
         min(scissor->max_x, framebuffer->width),
         min(scissor->max_y, framebuffer->height),
      };
   return area;
}

enum tg_result
tg_gpu_clear(struct tg_gpu *gpu, uint32_t buffers,
             const struct tg_scissor *scissor, const union tg_color *color,
             double depth, uint8_t stencil, struct tg_diagnostics *diagnostics)
{
   const struct tg_framebuffer_state *framebuffer = &gpu->state.framebuffer;
   const struct area area = find_area(framebuffer, scissor);
   unsigned char pixel[32] = {0};
   (void)stencil;
   (void)diagnostics;
   gpu_wait(gpu);
   for (uint32_t i = 0; i < framebuffer->num_colors; i++) {
      const struct tg_surface *surface = &framebuffer->colors[i];
      if (!surface->resource || !(buffers >> 2 >> i & 1))
         continue;
      format_pack((enum tg_format)surface->format, color->u, pixel);
      fill(surface, &area, pixel);
   }
   if (framebuffer->depth_stencil.resource && (buffers & TG_CLEAR_DEPTH)) {
      const union tg_color z = {.f = {(float)depth}};
      format_pack((enum tg_format)framebuffer->depth_stencil.format, z.u,
                  pixel);
      fill(&framebuffer->depth_stencil, &area, pixel);
   }
   return TG_OK;
}
