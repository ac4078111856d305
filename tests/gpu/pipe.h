/* SPDX-License-Identifier: MIT
 *
 * A small pipeline for tests: a GPU, two shaders from text, a float colour
 * buffer, a depth buffer, and a state that draws to them. Anything that fails
 * fails the test.
 */
#ifndef TESTS_GPU_PIPE_H
#define TESTS_GPU_PIPE_H

#include "gpu/state/state.h"
#include "tgsi/tables/tables.h"
#include "tungsten/gpu.h"

enum { PIPE_MAX_RESOURCES = 16, PIPE_MAX_SHADERS = 16 };

/* What pipe_draw() sets. */
struct pipe_state {
   struct tg_gpu_shader *vs, *fs;
   struct tg_viewport viewport;
   struct tg_rasterizer_state rasterizer;
   struct tg_depth_stencil_alpha_state depth;
   struct tg_framebuffer_state framebuffer;
   uint32_t num_elements;
   struct tg_vertex_element elements[TG_MAX_VERTEX_ELEMENTS];
   struct tg_vertex_buffer vertices; /* buffer 0 */
   bool binds_nothing;               /* not even `vertex` and `fragment` */
};

struct pipe {
   struct tg_diagnostics *diagnostics;
   struct tg_context *gpu;
   struct pipe_state state;
   struct tg_bindings *vertex, *fragment; /* those of the state */
   struct tg_resource *color, *depth;
   uint32_t num_resources, num_shaders;
   struct tg_resource *resources[PIPE_MAX_RESOURCES];
   struct tg_shader *sources[PIPE_MAX_SHADERS];
   struct tg_gpu_shader *shaders[PIPE_MAX_SHADERS];
};

/* Vertices are position in IN[0] and one attribute in IN[1], four floats each,
 * from vertex buffer 0. */
struct pipe_vertex {
   float position[4];
   float attribute[4];
};

/* Passes position and GENERIC[0] through. */
extern const char pipe_vertex_shader[];
/* Colour is GENERIC[0], which is interpolated as the name says. */
extern const char pipe_constant_shader[];
extern const char pipe_linear_shader[];
extern const char pipe_perspective_shader[];

/* `num_threads`, `device` and `options`, which may be NULL, as of the device
 * and the context. The viewport maps clip space to the whole of `width` by
 * `height`, with y downwards. */
void
pipe_init(struct pipe *pipe, uint32_t width, uint32_t height,
          const char *vertex_text, const char *fragment_text);
void
pipe_init_with(struct pipe *pipe, unsigned num_threads,
               const struct tg_context_options *options, uint32_t width,
               uint32_t height, const char *vertex_text,
               const char *fragment_text);
void
pipe_init_on(struct pipe *pipe, const struct tg_device_options *device,
             const struct tg_context_options *options, uint32_t width,
             uint32_t height, const char *vertex_text,
             const char *fragment_text);
void
pipe_finish(struct pipe *pipe);

struct tg_gpu_shader *
pipe_shader(struct pipe *pipe, const char *text);
struct tg_gpu_shader *
pipe_shader_in(struct pipe *pipe, const char *text, enum tg_dialect dialect);

/* Resources belong to the pipe. */
struct tg_resource *
pipe_buffer(struct pipe *pipe, const void *data, size_t size);
struct tg_resource *
pipe_texture(struct pipe *pipe, enum tg_format format, uint32_t width,
             uint32_t height, uint32_t last_level);

/* Bind a whole buffer, or texture, to the fragment shader. */
void
pipe_set_constants(struct pipe *pipe, unsigned place,
                   struct tg_resource *buffer);
void
pipe_set_texture(struct pipe *pipe, unsigned place, struct tg_resource *texture,
                 const struct tg_sampler_desc *sampler);

void
pipe_set_vertices(struct pipe *pipe, const struct pipe_vertex *vertices,
                  size_t count);

/* Sets the state on a GPU; the first thing that is refused. */
enum tg_result
pipe_set_state(struct pipe *pipe, struct tg_context *gpu);

/* Sets the state, draws, and finishes. Of `info` a missing range is `count`
 * vertices from 0 on. */
enum tg_result
pipe_draw_info(struct pipe *pipe, const struct tg_draw_info *info,
               uint32_t count);
enum tg_result
pipe_draw(struct pipe *pipe, enum tg_primitive mode, uint32_t count);

/* What the GPU has done so far. */
struct tg_context_statistics
pipe_statistics(const struct pipe *pipe);

/* Fills level 0. */
void
pipe_clear(struct tg_resource *texture, const float color[4]);

/* The words of a level, rows from the top without gaps. */
uint32_t *
pipe_texels(struct tg_resource *texture, uint32_t level);

/* The float colour of a pixel. */
const float *
pipe_pixel(const struct pipe *pipe, uint32_t x, uint32_t y);

#endif
