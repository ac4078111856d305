/* SPDX-License-Identifier: MIT
 *
 * Constant state objects: blend, rasterizer, depth-stencil-alpha, vertex
 * elements, samplers.
 */
#include "virgl/object/object.h"
#include "virgl/wire/decode.h"
#include "virgl/wire/formats.h"

/* virgl_drop_<id>(), and virgl_bind_<id>() of state. */
#define DROPS(id, type)                                                        \
   void virgl_drop_##id(struct virgl_context *context, void *thing)            \
   {                                                                           \
      (void)context;                                                           \
      tg_##type##_destroy(thing);                                              \
   }
#define BINDS(id, type)                                                        \
   enum tg_result virgl_bind_##id(const struct virgl_call *call, void *thing)  \
   {                                                                           \
      return tg_context_bind_##type(call->context->context, thing,             \
                                    call->diagnostics);                        \
   }

DROPS(blend, blend)
BINDS(blend, blend)
DROPS(rasterizer, rasterizer)
BINDS(rasterizer, rasterizer)
DROPS(tests, depth_stencil_alpha)
BINDS(tests, depth_stencil_alpha)
DROPS(elements, vertex_elements)
BINDS(elements, vertex_elements)
DROPS(sampler, sampler)

enum tg_result
virgl_create_blend(const struct virgl_call *call, void **thing_out)
{
   struct tg_blend_state state;

   virgl_decode_blend(call->words, &state);
   return tg_blend_create(call->host->options.device, &state, call->diagnostics,
                          (struct tg_blend **)thing_out);
}

/* The protocol does not say which API it is: OpenGL clips a point by its
 * centre (4.6, 13.7), OpenGL ES by its square. Hardware does the latter for
 * both. */
enum tg_result
virgl_create_rasterizer(const struct virgl_call *call, void **thing_out)
{
   struct tg_rasterizer_state state;

   virgl_decode_rasterizer(call->words, &state);
   state.point_tri_clip = true;
   return tg_rasterizer_create(call->host->options.device, &state,
                               call->diagnostics,
                               (struct tg_rasterizer **)thing_out);
}

enum tg_result
virgl_create_tests(const struct virgl_call *call, void **thing_out)
{
   struct tg_depth_stencil_alpha_state state;

   virgl_decode_tests(call->words, &state);
   return tg_depth_stencil_alpha_create(
      call->host->options.device, &state, call->diagnostics,
      (struct tg_depth_stencil_alpha **)thing_out);
}

enum tg_result
virgl_create_elements(const struct virgl_call *call, void **thing_out)
{
   struct tg_vertex_element elements[TG_MAX_VERTEX_ELEMENTS];
   const uint32_t count = (call->length - 1) / 4;

   if (count > TG_MAX_VERTEX_ELEMENTS)
      return virgl_refuse_call(call, "%u vertex elements; there can be %u",
                               count, (unsigned)TG_MAX_VERTEX_ELEMENTS);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t *words = &call->words[2 + 4 * i];

      if (words[2] >= TG_MAX_VERTEX_BUFFERS)
         return virgl_refuse_call(call, "element %u is of vertex buffer %u", i,
                                  words[2]);
      elements[i] = (struct tg_vertex_element){
         .src_offset = words[0],
         .instance_divisor = words[1],
         .vertex_buffer_index = (uint8_t)words[2],
         .format = virgl_format(words[3]),
      };
   }
   return tg_vertex_elements_create(call->host->options.device, count, elements,
                                    call->diagnostics,
                                    (struct tg_vertex_elements **)thing_out);
}

enum tg_result
virgl_create_sampler(const struct virgl_call *call, void **thing_out)
{
   struct tg_sampler_desc desc;

   virgl_decode_sampler(call->words, &desc);
   return tg_sampler_create(call->host->allocator, &desc, call->diagnostics,
                            (struct tg_sampler **)thing_out);
}
