/* SPDX-License-Identifier: MIT
 *
 * Parameter state: framebuffers, viewports, scissors, vertex buffers and the
 * like.
 */
#include "virgl/object/surface.h"
#include "virgl/resource/resource.h"
#include "virgl/wire/decode.h"

/* ---- framebuffers -------------------------------------------------------- */

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
      return virgl_refuse(call, "there is no surface %u", handle);
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
      result = virgl_refuse(call, "%u colour buffers in %u words", num_colors,
                            call->length);
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

enum tg_result
virgl_do_clear(const struct virgl_call *call)
{
   const uint32_t *words = call->words;
   const union tg_color color = {.u = {words[2], words[3], words[4], words[5]}};

   return tg_context_clear(call->context->context, words[1] & TG_CLEAR_ALL,
                           NULL, &color, virgl_double(&words[6]),
                           (uint8_t)words[8], call->diagnostics);
}

/* ---- the window ---------------------------------------------------------- */

enum tg_result
virgl_do_set_viewports(const struct virgl_call *call)
{
   struct tg_viewport viewports[TG_MAX_VIEWPORTS];
   const uint32_t count = (call->length - 1) / 6;

   if (count > TG_MAX_VIEWPORTS)
      return virgl_refuse(call, "%u viewports; there can be %u", count,
                          (unsigned)TG_MAX_VIEWPORTS);
   for (uint32_t i = 0; i < count; i++) {
      virgl_floats(&call->words[2 + 6 * i], 3, viewports[i].scale);
      virgl_floats(&call->words[5 + 6 * i], 3, viewports[i].translate);
   }
   return tg_context_set_viewports(call->context->context, call->words[1],
                                   count, viewports, call->diagnostics);
}

enum tg_result
virgl_do_set_scissors(const struct virgl_call *call)
{
   struct tg_scissor scissors[TG_MAX_VIEWPORTS];
   const uint32_t count = (call->length - 1) / 2;

   if (count > TG_MAX_VIEWPORTS)
      return virgl_refuse(call, "%u scissors; there can be %u", count,
                          (unsigned)TG_MAX_VIEWPORTS);
   for (uint32_t i = 0; i < count; i++)
      scissors[i] = virgl_decode_scissor(&call->words[2 + 2 * i]);
   return tg_context_set_scissors(call->context->context, call->words[1], count,
                                  scissors, call->diagnostics);
}

enum tg_result
virgl_do_set_polygon_stipple(const struct virgl_call *call)
{
   tg_context_set_polygon_stipple(call->context->context, &call->words[1]);
   return TG_OK;
}

enum tg_result
virgl_do_set_clip_planes(const struct virgl_call *call)
{
   float planes[TG_MAX_CLIP_PLANES][4];

   virgl_floats(&call->words[1], 4 * TG_MAX_CLIP_PLANES, planes[0]);
   tg_context_set_clip_planes(call->context->context,
                              (const float(*)[4])planes);
   return TG_OK;
}

/* ---- fragments ----------------------------------------------------------- */

enum tg_result
virgl_do_set_stencil_ref(const struct virgl_call *call)
{
   const uint8_t ref[2] = {(uint8_t)virgl_bits(call->words[1], 0, 8),
                           (uint8_t)virgl_bits(call->words[1], 8, 8)};

   tg_context_set_stencil_ref(call->context->context, ref);
   return TG_OK;
}

enum tg_result
virgl_do_set_blend_color(const struct virgl_call *call)
{
   float color[4];

   virgl_floats(&call->words[1], 4, color);
   tg_context_set_blend_color(call->context->context, color);
   return TG_OK;
}

enum tg_result
virgl_do_set_sample_mask(const struct virgl_call *call)
{
   tg_context_set_sample_mask(call->context->context, call->words[1]);
   return TG_OK;
}

enum tg_result
virgl_do_set_min_samples(const struct virgl_call *call)
{
   tg_context_set_min_samples(call->context->context, call->words[1]);
   return TG_OK;
}

/* ---- vertices ------------------------------------------------------------ */

/* All that are not named are empty from now on. */
enum tg_result
virgl_do_set_vertex_buffers(const struct virgl_call *call)
{
   struct tg_vertex_buffer buffers[TG_MAX_VERTEX_BUFFERS] = {0};
   const uint32_t count = call->length / 3;
   enum tg_result result = TG_OK;

   if (count > TG_MAX_VERTEX_BUFFERS)
      return virgl_refuse(call, "%u vertex buffers; there can be %u", count,
                          (unsigned)TG_MAX_VERTEX_BUFFERS);
   for (uint32_t i = 0; i < count && result == TG_OK; i++) {
      const uint32_t *words = &call->words[1 + 3 * i];

      buffers[i].stride = words[0];
      buffers[i].offset = words[1];
      result = virgl_get_resource(call, words[2], &buffers[i].buffer);
   }
   if (result == TG_OK)
      result = tg_context_set_vertex_buffers(call->context->context, 0,
                                             TG_MAX_VERTEX_BUFFERS, buffers,
                                             call->diagnostics);
   return result;
}

enum tg_result
virgl_do_set_index_buffer(const struct virgl_call *call)
{
   struct virgl_index_buffer *index_buffer = &call->context->index_buffer;
   struct tg_resource *resource;
   const enum tg_result result =
      virgl_get_resource(call, call->words[1], &resource);

   tg_resource_destroy(index_buffer->resource);
   *index_buffer = (struct virgl_index_buffer){0};
   if (result != TG_OK || !resource || call->length < 3)
      return result;
   *index_buffer = (struct virgl_index_buffer){
      .resource = tg_resource_ref(resource),
      .size = call->words[2],
      .offset = call->words[3],
   };
   return TG_OK;
}

enum tg_result
virgl_do_set_tess_levels(const struct virgl_call *call)
{
   float outer[4], inner[2];

   virgl_floats(&call->words[1], 4, outer);
   virgl_floats(&call->words[5], 2, inner);
   tg_context_set_tess_levels(call->context->context, outer, inner);
   return TG_OK;
}
