/* SPDX-License-Identifier: MIT
 *
 * Parameter state: viewports, scissors, stencil references and the like.
 */
#include "virgl/core/call.h"
#include "virgl/wire/decode.h"

/* ---- the window ---------------------------------------------------------- */

enum tg_result
virgl_do_set_viewports(const struct virgl_call *call)
{
   struct tg_viewport viewports[TG_MAX_VIEWPORTS];
   const uint32_t count = (call->length - 1) / 6;

   if (count > TG_MAX_VIEWPORTS)
      return virgl_refuse_call(call, "%u viewports; there can be %u", count,
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
      return virgl_refuse_call(call, "%u scissors; there can be %u", count,
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

enum tg_result
virgl_do_set_tess_levels(const struct virgl_call *call)
{
   float outer[4], inner[2];

   virgl_floats(&call->words[1], 4, outer);
   virgl_floats(&call->words[5], 2, inner);
   tg_context_set_tess_levels(call->context->context, outer, inner);
   return TG_OK;
}
