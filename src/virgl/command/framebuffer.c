/* SPDX-License-Identifier: MIT
 *
 * The framebuffer that is drawn to.
 */
#include "virgl/object/surface.h"
#include "virgl/resource/resource.h"
#include "virgl/wire/decode.h"

/* What all attachments have. */
static void
include_surface(struct tg_framebuffer_state *framebuffer,
                const struct virgl_surface *surface)
{
   if (!framebuffer->width || surface->width < framebuffer->width)
      framebuffer->width = surface->width;
   if (!framebuffer->height || surface->height < framebuffer->height)
      framebuffer->height = surface->height;
}

static enum tg_result
attach(const struct virgl_call *call, struct tg_framebuffer_state *framebuffer,
       uint32_t handle, struct tg_surface *attachment)
{
   if (!handle)
      return TG_OK;
   const struct virgl_surface *surface =
      virgl_find_object(call->context, handle, VIRGL_OBJECT_SURFACE);
   if (!surface)
      return virgl_refuse_call(call, "there is no surface %u", handle);
   *attachment = surface->surface;
   include_surface(framebuffer, surface);
   return TG_OK;
}

/* One that cannot be leaves nothing to draw to. */
enum tg_result
virgl_do_set_framebuffer(const struct virgl_call *call)
{
   struct virgl_context *context = call->context;
   struct tg_framebuffer_state framebuffer = TG_FRAMEBUFFER_INIT;
   const uint32_t num_colors = call->words[1];
   enum tg_result result = TG_OK;

   if (num_colors > TG_MAX_COLOR_BUFFERS || num_colors > call->length - 2)
      result = virgl_refuse_call(call, "%u colour buffers in %u words",
                                 num_colors, call->length);
   if (result == TG_OK)
      result =
         attach(call, &framebuffer, call->words[2], &framebuffer.depth_stencil);
   for (uint32_t i = 0; i < num_colors && result == TG_OK; i++)
      result =
         attach(call, &framebuffer, call->words[3 + i], &framebuffer.colors[i]);
   framebuffer.num_colors = num_colors;
   context->has_attachments = result == TG_OK && framebuffer.width;
   if (result == TG_OK)
      result = tg_context_set_framebuffer(context->context, &framebuffer,
                                          call->diagnostics);
   if (result != TG_OK)
      tg_context_set_framebuffer(context->context, NULL, NULL);
   return result;
}

enum tg_result
virgl_do_set_empty_framebuffer(const struct virgl_call *call)
{
   struct tg_framebuffer_state framebuffer = TG_FRAMEBUFFER_INIT;

   if (call->context->has_attachments)
      return TG_OK;
   framebuffer.width = virgl_bits(call->words[1], 0, 16);
   framebuffer.height = virgl_bits(call->words[1], 16, 16);
   framebuffer.layers = virgl_bits(call->words[2], 0, 16);
   framebuffer.samples = virgl_bits(call->words[2], 16, 16);
   return tg_context_set_framebuffer(call->context->context, &framebuffer,
                                     call->diagnostics);
}
