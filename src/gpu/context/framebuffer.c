/* SPDX-License-Identifier: MIT
 *
 * Framebuffer state and completeness: what can be drawn to, and whether
 * attachments fit each other.
 */
#include "gpu/context/context.h"

#include "gpu/context/surface.h"
#include "gpu/queue/queue.h"
#include "util/sized.h"
#include <assert.h>

/* One attachment, with what it leaves out filled in. */
static enum tg_result
check_attachment(struct tg_surface *surface, const char *name, bool is_depth,
                 const struct tg_framebuffer_state *framebuffer,
                 struct tg_diagnostics *diagnostics)
{
   if (!surface->resource)
      return TG_OK;
   const enum tg_result result =
      gpu_check_surface(surface, name, is_depth, diagnostics);
   if (result != TG_OK)
      return result;
   const struct resource_level *level =
      &surface->resource->written.layout.level[surface->level];
   if (level->width < framebuffer->width || level->height < framebuffer->height)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "state",
         "%s is %u by %u, smaller than the framebuffer's %u "
         "by %u",
         name, level->width, level->height, framebuffer->width,
         framebuffer->height);
   return TG_OK;
}

/* Samples are alike; layers are those of the attachment that has the fewest. */
static enum tg_result
join_surface(const struct tg_surface *surface, const char *name, bool *is_first,
             struct tg_framebuffer_state *framebuffer,
             struct tg_diagnostics *diagnostics)
{
   if (!surface->resource)
      return TG_OK;
   const uint32_t samples = surface->resource->desc.samples;
   const uint32_t layers = surface->last_layer - surface->first_layer + 1;
   if (!*is_first && samples != framebuffer->samples)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "%s has %u samples; other attachments have %u",
                                name, samples, framebuffer->samples);
   if (*is_first || layers < framebuffer->layers)
      framebuffer->layers = layers;
   framebuffer->samples = samples;
   *is_first = false;
   return TG_OK;
}

static enum tg_result
check_attachments(struct tg_framebuffer_state *framebuffer,
                  struct tg_diagnostics *diagnostics)
{
   bool is_first = true;
   for (uint32_t i = 0; i <= framebuffer->num_colors; i++) {
      const bool is_depth = i == framebuffer->num_colors;
      struct tg_surface *surface =
         is_depth ? &framebuffer->depth_stencil : &framebuffer->colors[i];
      const char name[] = {'c', 'o', 'l', 'o', 'u', 'r', ' ', (char)('0' + i),
                           '\0'};
      const char *said = is_depth ? "the depth and stencil buffer" : name;
      enum tg_result result =
         check_attachment(surface, said, is_depth, framebuffer, diagnostics);
      if (result == TG_OK)
         result =
            join_surface(surface, said, &is_first, framebuffer, diagnostics);
      if (result != TG_OK)
         return result;
   }
   return TG_OK;
}

static bool
is_sample_count(uint32_t samples)
{
   return samples <= TG_MAX_TEXTURE_SAMPLES && TG_SAMPLE_COUNTS >> samples & 1;
}

static enum tg_result
check_framebuffer(struct tg_framebuffer_state *framebuffer,
                  struct tg_diagnostics *diagnostics)
{
   if (framebuffer->width > TG_MAX_FRAMEBUFFER_SIZE ||
       framebuffer->height > TG_MAX_FRAMEBUFFER_SIZE)
      return gpu_fault_complain(
         diagnostics, TG_ERROR_INPUT, "state",
         "a framebuffer of %u by %u; %u each way is the most",
         framebuffer->width, framebuffer->height,
         (unsigned)TG_MAX_FRAMEBUFFER_SIZE);
   if (framebuffer->num_colors > TG_MAX_COLOR_BUFFERS)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "%u colour buffers; there can be %u",
                                framebuffer->num_colors,
                                (unsigned)TG_MAX_COLOR_BUFFERS);
   if (!framebuffer->layers)
      framebuffer->layers = 1;
   if (!framebuffer->samples)
      framebuffer->samples = 1;
   if (framebuffer->layers > TG_MAX_TEXTURE_LAYERS ||
       !is_sample_count(framebuffer->samples))
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "a framebuffer of %u layers and %u samples",
                                framebuffer->layers, framebuffer->samples);
   return check_attachments(framebuffer, diagnostics);
}

enum tg_result
tg_context_set_framebuffer(struct tg_context *context,
                           const struct tg_framebuffer_state *given,
                           struct tg_diagnostics *diagnostics)
{
   assert(context);
   struct tg_framebuffer_state state;
   enum tg_result result =
      tg_framebuffer_state_take(&state, given, diagnostics);
   if (result == TG_OK)
      result = check_framebuffer(&state, diagnostics);
   if (result != TG_OK)
      return result;
   for (uint32_t i = state.num_colors; i < TG_MAX_COLOR_BUFFERS; i++)
      state.colors[i] = (struct tg_surface){0};
   gpu_flush_scene(context);
   gpu_framebuffer_ref(&state);
   gpu_framebuffer_unref(&context->state.framebuffer);
   context->state.framebuffer = state;
   context->fragment_kernels.is_current = false;
   return TG_OK;
}
