/* SPDX-License-Identifier: MIT
 *
 * State of descriptions, for tests: the object is made, bound and dropped, so
 * that the context has it alone.
 */
#ifndef TESTS_STATE_H
#define TESTS_STATE_H

#include "tungsten/gpu.h"

static inline enum tg_result
bind_blend(struct tg_context *context, const struct tg_blend_state *state,
           struct tg_diagnostics *diagnostics)
{
   struct tg_device *device = tg_context_get_device(context);
   struct tg_blend *object = NULL;
   enum tg_result result = tg_blend_create(device, state, diagnostics, &object);

   if (result == TG_OK)
      result = tg_context_bind_blend(context, object, diagnostics);
   tg_blend_destroy(object);
   return result;
}

static inline enum tg_result
bind_rasterizer(struct tg_context *context,
                const struct tg_rasterizer_state *state,
                struct tg_diagnostics *diagnostics)
{
   struct tg_device *device = tg_context_get_device(context);
   struct tg_rasterizer *object = NULL;
   enum tg_result result =
      tg_rasterizer_create(device, state, diagnostics, &object);

   if (result == TG_OK)
      result = tg_context_bind_rasterizer(context, object, diagnostics);
   tg_rasterizer_destroy(object);
   return result;
}

static inline enum tg_result
bind_depth_stencil_alpha(struct tg_context *context,
                         const struct tg_depth_stencil_alpha_state *state,
                         struct tg_diagnostics *diagnostics)
{
   struct tg_device *device = tg_context_get_device(context);
   struct tg_depth_stencil_alpha *object = NULL;
   enum tg_result result =
      tg_depth_stencil_alpha_create(device, state, diagnostics, &object);

   if (result == TG_OK)
      result =
         tg_context_bind_depth_stencil_alpha(context, object, diagnostics);
   tg_depth_stencil_alpha_destroy(object);
   return result;
}

static inline enum tg_result
bind_vertex_elements(struct tg_context *context, unsigned count,
                     const struct tg_vertex_element *elements,
                     struct tg_diagnostics *diagnostics)
{
   struct tg_device *device = tg_context_get_device(context);
   struct tg_vertex_elements *object = NULL;
   enum tg_result result =
      tg_vertex_elements_create(device, count, elements, diagnostics, &object);

   if (result == TG_OK)
      result = tg_context_bind_vertex_elements(context, object, diagnostics);
   tg_vertex_elements_destroy(object);
   return result;
}

#endif
