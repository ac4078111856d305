/* SPDX-License-Identifier: MIT
 *
 * The pipeline of the GPU tests.
 */
#include "pipe.h"
#include "../bind.h"
#include "../context.h"
#include "../state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "resource/resource.h"

const char pipe_vertex_shader[] = "VERT\n"
                                  "DCL IN[0]\n"
                                  "DCL IN[1]\n"
                                  "DCL OUT[0], POSITION\n"
                                  "DCL OUT[1], GENERIC[0]\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "MOV OUT[1], IN[1]\n"
                                  "END\n";

#define FRAGMENT_SHADER(interpolation)                                         \
   "FRAG\n"                                                                    \
   "DCL IN[0], GENERIC[0], " interpolation "\n"                                \
   "DCL OUT[0], COLOR\n"                                                       \
   "MOV OUT[0], IN[0]\n"                                                       \
   "END\n"

const char pipe_constant_shader[] = FRAGMENT_SHADER("CONSTANT");
const char pipe_linear_shader[] = FRAGMENT_SHADER("LINEAR");
const char pipe_perspective_shader[] = FRAGMENT_SHADER("PERSPECTIVE");

static void
expect_ok(const struct pipe *pipe, enum tg_result result)
{
   if (result == TG_OK)
      return;
   char *text = tg_diagnostics_text(pipe->diagnostics);
   print_error("%s\n%s", tg_result_name(result), text ? text : "");
   tg_string_free(text);
   fail();
}

struct tg_gpu_shader *
pipe_shader_in(struct pipe *pipe, const char *text, enum tg_dialect dialect)
{
   struct tg_shader **source = &pipe->sources[pipe->num_shaders];
   struct tg_gpu_shader **shader = &pipe->shaders[pipe->num_shaders++];
   expect_ok(pipe, tg_shader_parse(NULL, "test", text, strlen(text), dialect,
                                   pipe->diagnostics, source));
   expect_ok(pipe,
             tg_gpu_shader_create(tg_context_get_device(pipe->gpu), *source,
                                  NULL, pipe->diagnostics, shader));
   return *shader;
}

struct tg_gpu_shader *
pipe_shader(struct pipe *pipe, const char *text)
{
   return pipe_shader_in(pipe, text, TG_DIALECT_2019);
}

struct tg_resource *
pipe_texture(struct pipe *pipe, enum tg_format format, uint32_t width,
             uint32_t height, uint32_t last_level)
{
   struct tg_resource **resource = &pipe->resources[pipe->num_resources++];
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = format == TG_FORMAT_NONE ? TG_TEXTURE_BUFFER : TG_TEXTURE_2D,
      .format = format,
      .width = width,
      .height = height,
      .last_level = last_level,
   };
   expect_ok(pipe,
             tg_resource_create(NULL, &desc, pipe->diagnostics, resource));
   return *resource;
}

struct tg_resource *
pipe_buffer(struct pipe *pipe, const void *data, size_t size)
{
   struct tg_resource *buffer =
      pipe_texture(pipe, TG_FORMAT_NONE, (uint32_t)size, 1, 0);
   if (size)
      memcpy(tg_resource_map_buffer(buffer), data, size);
   return buffer;
}

void
pipe_init(struct pipe *pipe, uint32_t width, uint32_t height,
          const char *vertex_text, const char *fragment_text)
{
   pipe_init_with(pipe, 0, NULL, width, height, vertex_text, fragment_text);
}

void
pipe_init_with(struct pipe *pipe, unsigned num_threads,
               const struct tg_context_options *options, uint32_t width,
               uint32_t height, const char *vertex_text,
               const char *fragment_text)
{
   struct tg_device_options device = TG_DEVICE_OPTIONS_INIT;
   device.num_threads = num_threads;
   pipe_init_on(pipe, &device, options, width, height, vertex_text,
                fragment_text);
}

void
pipe_init_on(struct pipe *pipe, const struct tg_device_options *device,
             const struct tg_context_options *options, uint32_t width,
             uint32_t height, const char *vertex_text,
             const char *fragment_text)
{
   *pipe = (struct pipe){.diagnostics = tg_diagnostics_create(NULL)};
   assert_non_null(pipe->diagnostics);
   expect_ok(pipe, context_alone(NULL, device, options, &pipe->gpu));
   expect_ok(pipe, tg_bindings_create(NULL, &pipe->vertex));
   expect_ok(pipe, tg_bindings_create(NULL, &pipe->fragment));
   pipe->color =
      pipe_texture(pipe, TG_FORMAT_R32G32B32A32_FLOAT, width, height, 0);
   pipe->depth = pipe_texture(pipe, TG_FORMAT_Z32_FLOAT, width, height, 0);
   pipe->state = (struct pipe_state){
      .vs = pipe_shader(pipe, vertex_text),
      .fs = pipe_shader(pipe, fragment_text),
      .viewport = tg_viewport_of(width, height, false, false),
      .rasterizer = TG_RASTERIZER_INIT,
      .depth = TG_DEPTH_STENCIL_ALPHA_INIT,
      .framebuffer =
         {
            .size = sizeof(pipe->state.framebuffer),
            .width = width,
            .height = height,
            .num_colors = 1,
            .colors = {tg_surface_of(pipe->color)},
            .depth_stencil = tg_surface_of(pipe->depth),
         },
      .num_elements = 2,
      .elements =
         {
            {.format = TG_FORMAT_R32G32B32A32_FLOAT},
            {.src_offset = offsetof(struct pipe_vertex, attribute),
             .format = TG_FORMAT_R32G32B32A32_FLOAT},
         },
      .vertices = {.stride = sizeof(struct pipe_vertex)},
   };
   pipe->state.rasterizer.front_ccw = false;
}

void
pipe_finish(struct pipe *pipe)
{
   for (uint32_t i = 0; i < pipe->num_shaders; i++) {
      tg_gpu_shader_destroy(pipe->shaders[i]);
      tg_shader_destroy(pipe->sources[i]);
   }
   tg_bindings_destroy(pipe->vertex);
   tg_bindings_destroy(pipe->fragment);
   for (uint32_t i = 0; i < pipe->num_resources; i++)
      tg_resource_destroy(pipe->resources[i]);
   tg_context_destroy(pipe->gpu);
   tg_diagnostics_destroy(pipe->diagnostics);
}

void
pipe_set_constants(struct pipe *pipe, unsigned place,
                   struct tg_resource *buffer)
{
   expect_ok(pipe, tg_bindings_set_buffer(
                      pipe->fragment, TG_BUFFER_CONSTANT, place, buffer, 0,
                      tg_resource_get_desc(buffer)->width, pipe->diagnostics));
}

void
pipe_set_texture(struct pipe *pipe, unsigned place, struct tg_resource *texture,
                 const struct tg_sampler_desc *sampler)
{
   const struct tg_view_desc view = tg_view_desc_of(texture);
   expect_ok(pipe, bind_view(pipe->fragment, place, &view, pipe->diagnostics));
   expect_ok(pipe,
             bind_sampler(pipe->fragment, place, sampler, pipe->diagnostics));
}

void
pipe_set_vertices(struct pipe *pipe, const struct pipe_vertex *vertices,
                  size_t count)
{
   pipe->state.vertices.buffer =
      pipe_buffer(pipe, vertices, count * sizeof(*vertices));
}

enum tg_result
pipe_set_state(struct pipe *pipe, struct tg_context *gpu)
{
   const struct pipe_state *state = &pipe->state;
   struct tg_diagnostics *said = pipe->diagnostics;
   tg_context_set_bindings(gpu, TG_GPU_VERTEX,
                           state->binds_nothing ? NULL : pipe->vertex);
   tg_context_set_bindings(gpu, TG_GPU_FRAGMENT,
                           state->binds_nothing ? NULL : pipe->fragment);
   const enum tg_result results[] = {
      tg_context_set_shader(gpu, TG_GPU_VERTEX, state->vs, said),
      tg_context_set_shader(gpu, TG_GPU_FRAGMENT, state->fs, said),
      tg_context_set_viewports(gpu, 0, 1, &state->viewport, said),
      bind_rasterizer(gpu, &state->rasterizer, said),
      bind_depth_stencil_alpha(gpu, &state->depth, said),
      tg_context_set_framebuffer(gpu, &state->framebuffer, said),
      bind_vertex_elements(gpu, state->num_elements, state->elements, said),
      tg_context_set_vertex_buffers(gpu, 0, 1, &state->vertices, said),
   };
   for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++) {
      if (results[i] != TG_OK)
         return results[i];
   }
   return TG_OK;
}

enum tg_result
pipe_draw_info(struct pipe *pipe, const struct tg_draw_info *info,
               uint32_t count)
{
   const struct tg_draw_range range = {.count = count};
   struct tg_draw_info whole = *info;
   enum tg_result result = pipe_set_state(pipe, pipe->gpu);
   if (!whole.draws)
      whole.draws = &range;
   if (result == TG_OK)
      result = tg_context_draw(pipe->gpu, &whole, pipe->diagnostics);
   if (result == TG_OK)
      result = tg_context_finish(pipe->gpu, pipe->diagnostics);
   return result;
}

enum tg_result
pipe_draw(struct pipe *pipe, enum tg_primitive mode, uint32_t count)
{
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.mode = (uint8_t)mode;
   return pipe_draw_info(pipe, &info, count);
}

struct tg_context_statistics
pipe_statistics(const struct pipe *pipe)
{
   struct tg_context_statistics statistics = TG_CONTEXT_STATISTICS_INIT;
   tg_context_get_statistics(pipe->gpu, &statistics);
   return statistics;
}

void
pipe_clear(struct tg_resource *texture, const float color[4])
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(texture);
   uint32_t words[4], pixel[4];
   memcpy(words, color, sizeof(words));
   format_pack((enum tg_format)desc->format, words, pixel);
   for (uint32_t y = 0; y < desc->height; y++) {
      for (uint32_t x = 0; x < desc->width; x++)
         memcpy(resource_texel(texture, 0, 0, x, y, 0), pixel,
                texture->written.format->block_bytes);
   }
}

uint32_t *
pipe_texels(struct tg_resource *texture, uint32_t level)
{
   resource_settle_clears(texture);
   return resource_texel(texture, level, 0, 0, 0, 0);
}

const float *
pipe_pixel(const struct pipe *pipe, uint32_t x, uint32_t y)
{
   return resource_texel(pipe->color, 0, 0, x, y, 0);
}
