/* SPDX-License-Identifier: MIT
 *
 * Running fragments: keys and memory of a draw, and waves of four quads.
 */
#include "gpu/fragment.h"

#include <string.h>

enum { QUADS_PER_WAVE = LIR_LANES / 4 };

/* ---- surfaces ------------------------------------------------------------ */

static const struct tg_surface *
find_surface(const struct tg_framebuffer_state *framebuffer, uint32_t binding)
{
   if (binding == GPU_BINDING_DEPTH)
      return &framebuffer->depth_stencil;
   return binding < framebuffer->num_colors ? &framebuffer->colors[binding]
                                            : NULL;
}

static void
bind_surfaces(struct gpu_fragment_draw *draw,
              const struct tg_framebuffer_state *framebuffer)
{
   for (uint32_t i = 0; i <= GPU_BINDING_DEPTH; i++) {
      const struct tg_surface *surface = find_surface(framebuffer, i);
      if (!surface || !surface->resource)
         continue;
      const struct resource_level *level =
         &surface->resource->written.layout.level[surface->level];
      const uint32_t unit = format_info(surface->format)->unit;
      const uint64_t first =
         level->offset + surface->first_layer * level->slice_pitch;
      draw->surfaces[i] = resource_memory(surface->resource);
      draw->frame[GPU_FRAME_OFFSET + i] = (uint32_t)(first / unit);
      draw->frame[GPU_FRAME_ROW_PITCH + i] =
         (uint32_t)(level->row_pitch / unit);
      draw->frame[GPU_FRAME_SLICE_PITCH + i] =
         (uint32_t)(level->slice_pitch / unit);
      draw->frame[GPU_FRAME_SAMPLE_PITCH + i] =
         (uint32_t)(level->sample_pitch / unit);
   }
   draw->frame[GPU_FRAME_HEIGHT] = framebuffer->height;
}

/* FBFETCH reads the colour buffers that are drawn to. */
static enum tg_result
bind_colors(struct tg_bindings *bindings,
            const struct tg_framebuffer_state *framebuffer,
            struct tg_diagnostics *diagnostics)
{
   enum tg_result result = TG_OK;
   for (uint32_t i = 0; i < framebuffer->num_colors && result == TG_OK; i++) {
      const struct tg_surface *surface = &framebuffer->colors[i];
      if (!surface->resource)
         continue;
      const struct tg_image image = {
         .resource = surface->resource,
         .format = surface->format,
         .level = surface->level,
         .first_layer = surface->first_layer,
         .last_layer = surface->last_layer,
      };
      result = tg_bindings_set_color(bindings, i, &image, diagnostics);
   }
   return result;
}

/* ---- the draw ------------------------------------------------------------ */

static void
make_key(const struct gpu_state *state, struct gpu_fragment_key *key)
{
   const struct tg_framebuffer_state *framebuffer = &state->framebuffer;
   const struct tg_depth_stencil_alpha_state *test =
      &state->depth_stencil_alpha;
   *key = (struct gpu_fragment_key){
      .shader_id = state->shader[TG_GPU_FRAGMENT]->id,
      .num_colors = (uint8_t)framebuffer->num_colors,
      .flatshade = state->rasterizer.flatshade,
   };
   if (test->depth_enabled && framebuffer->depth_stencil.resource) {
      key->depth_enabled = true;
      key->depth_write = test->depth_writemask;
      key->depth_func = test->depth_func;
      key->depth_format = (uint16_t)framebuffer->depth_stencil.format;
   }
   for (uint32_t i = 0; i < framebuffer->num_colors; i++)
      key->color_format[i] = (uint16_t)framebuffer->colors[i].format;
}

static enum tg_result
find_kernels(struct gpu_fragment_draw *draw, struct tg_gpu *gpu,
             const struct gpu_interface *interface,
             struct tg_diagnostics *diagnostics)
{
   const struct tg_gpu_shader *shader = gpu->state.shader[TG_GPU_FRAGMENT];
   struct gpu_fragment_writer writer = {
      .shader = shader,
      .interface = interface,
      .is_checked = gpu->options.check,
   };
   struct gpu_fragment_key key;
   make_key(&gpu->state, &key);
   lower_mask_keys(&draw->bindings->keys, &shader->seen, &key.bound);
   const struct gpu_kernel *kernel;
   const enum tg_result result =
      gpu_kernel_get(gpu, &key, sizeof(key), shader->shader,
                     gpu_fragment_write_kernel, &writer, diagnostics, &kernel);
   for (unsigned i = 0; i < GPU_NUM_SHAPE_KINDS; i++)
      draw->kernel[i] = kernel;
   return result;
}

static void
point_at_memory(struct gpu_fragment_draw *draw)
{
   gpu_stage_memory_init(&draw->memory, draw->bindings);
   draw->memory.constants[GPU_BINDING_FRAME] = (struct exec_memory){
      .data = draw->frame,
      .num_bytes = sizeof(draw->frame),
   };
}

enum tg_result
gpu_fragment_draw_create(struct tg_gpu *gpu,
                         const struct gpu_interface *interface,
                         struct tg_arena *arena,
                         struct tg_diagnostics *diagnostics,
                         struct gpu_fragment_draw **draw_out)
{
   const struct gpu_state *state = &gpu->state;
   const struct tg_gpu_shader *shader = state->shader[TG_GPU_FRAGMENT];
   struct gpu_fragment_draw *draw = tg_arena_alloc(arena, sizeof(*draw));
   struct tg_bindings *bindings =
      draw ? tg_arena_alloc(arena, sizeof(*bindings)) : NULL;
   if (!bindings)
      return TG_ERROR_MEMORY;
   *bindings = *resource_bindings(state->bindings[TG_GPU_FRAGMENT]);
   draw->bindings = bindings;
   draw->epoch = gpu->epoch;
   draw->is_sequential = shader->writes_memory || gpu->options.check;
   draw->words_per_shape = GPU_SHAPE_ATTRIBUTES + interface->num_attributes *
                                                     4 * GPU_SHAPE_PLANE_WORDS;
   gpu_raster_init(&draw->raster, state);
   bind_surfaces(draw, &state->framebuffer);

   enum tg_result result = TG_OK;
   if (shader->fetches_colors)
      result = bind_colors(bindings, &state->framebuffer, diagnostics);
   if (result == TG_OK)
      result = find_kernels(draw, gpu, interface, diagnostics);
   if (result != TG_OK)
      return result;
   point_at_memory(draw);
   *draw_out = draw;
   return gpu_begin_check(gpu, shader, CHECK_PIXELS, diagnostics, &draw->check);
}

enum tg_result
gpu_fragment_draw_copy(const struct gpu_fragment_draw *draw,
                       struct tg_arena *arena,
                       struct gpu_fragment_draw **draw_out)
{
   struct gpu_fragment_draw *copy = tg_arena_alloc(arena, sizeof(*copy));
   struct tg_bindings *bindings =
      copy ? tg_arena_alloc(arena, sizeof(*bindings)) : NULL;
   if (!bindings)
      return TG_ERROR_MEMORY;
   *bindings = *draw->bindings;
   *copy = *draw;
   copy->bindings = bindings;
   point_at_memory(copy);
   *draw_out = copy;
   return TG_OK;
}

enum tg_result
gpu_fragment_workers_create(struct tg_gpu *gpu)
{
   for (unsigned i = 0; i < gpu->num_workers; i++) {
      void *memory = NULL;
      if (!gpu_grow(&gpu->allocator, &memory, 0,
                    sizeof(struct gpu_fragment_worker)))
         return TG_ERROR_MEMORY;
      struct gpu_fragment_worker *fragments = memory;
      memset(fragments, 0, sizeof(*fragments));
      fragments->worker = &gpu->tile_workers[i];
      gpu->tile_workers[i].fragments = fragments;
   }
   return TG_OK;
}

/* ---- running it ---------------------------------------------------------- */

void
gpu_fragment_begin(struct gpu_fragment_worker *fragments,
                   const struct gpu_fragment_draw *draw,
                   const struct gpu_shape *shape, const uint32_t *constants)
{
   if (fragments->draw != draw)
      memcpy(fragments->constants, draw->memory.constants,
             sizeof(fragments->constants));
   fragments->draw = draw;
   fragments->kernel = draw->kernel[shape->kind];
   fragments->constants[GPU_BINDING_STAGE] = (struct exec_memory){
      .data = (uint32_t *)constants,
      .num_bytes = draw->words_per_shape * UINT64_C(4),
   };
}

void
gpu_fragment_quad(void *user, int32_t x, int32_t y, const uint16_t coverage[4])
{
   struct gpu_fragment_worker *fragments = user;
   const uint32_t first = fragments->num_quads * 4;
   for (uint32_t i = 0; i < 4; i++) {
      fragments->input[GPU_FRAGMENT_X][first + i] = (uint32_t)x + (i & 1);
      fragments->input[GPU_FRAGMENT_Y][first + i] = (uint32_t)y + (i >> 1);
      fragments->input[GPU_FRAGMENT_COVERAGE][first + i] = coverage[i];
      fragments->live |= (uint32_t)(coverage[i] != 0) << (first + i);
   }
   if (++fragments->num_quads == QUADS_PER_WAVE)
      gpu_fragment_flush(fragments);
}

void
gpu_fragment_flush(struct gpu_fragment_worker *fragments)
{
   const struct gpu_fragment_draw *draw = fragments->draw;
   struct gpu_worker *worker = fragments->worker;
   if (!fragments->num_quads)
      return;

   struct exec_wave wave = {
      .launched = (UINT32_C(1) << fragments->num_quads * 4) - 1,
      .live = fragments->live,
      .input = {.data = fragments->input,
                .num_words = GPU_FRAGMENT_INPUT_WORDS},
   };
   const unsigned num_live = (unsigned)__builtin_popcount(fragments->live);
   worker->count[GPU_COUNT_FRAGMENT_WAVES]++;
   worker->count[GPU_COUNT_FRAGMENTS] += num_live;
   worker->count[GPU_COUNT_PS_INVOCATIONS] += num_live;
   fragments->num_quads = 0;
   fragments->live = 0;

   gpu_stage_memory_bind(&draw->memory, &wave);
   wave.memory[LIR_SPACE_CONST] = fragments->constants;
   wave.memory[LIR_SPACE_SURFACE] = draw->surfaces;
   wave.num_memories[LIR_SPACE_SURFACE] = GPU_NUM_SURFACE_BINDINGS;
   gpu_run_wave(worker, fragments->kernel, draw->check, &wave);
}
