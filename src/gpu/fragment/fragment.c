/* SPDX-License-Identifier: MIT
 *
 * Execution of fragments: keys and memory of a draw, and waves of four quads.
 */
#include "gpu/fragment/fragment.h"

#include <assert.h>
#include <string.h>

#include "gpu/core/memory.h"
#include "gpu/fragment/fragment_key.h"
#include "util/bits.h"
#include "util/length.h"

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

/* Where the level begins. */
static void
bind_surface(struct gpu_fragment_draw *draw, uint32_t binding,
             const struct tg_surface *surface)
{
   assert(binding < TG_LENGTH(draw->surfaces));
   const struct tg_resource *resource = surface->resource;
   const struct resource_level *level =
      &resource->written.layout.level[surface->level];
   const struct format_info *info = format_info(surface->format);
   const struct exec_memory all = resource_memory(resource);
   uint32_t *words =
      &draw->frame[GPU_FRAME_SURFACES + binding * GPU_SURFACE_WORDS];
   draw->surfaces[binding] = (struct exec_memory){
      .data = all.data + level->offset / 4,
      .num_bytes = all.num_bytes - level->offset,
   };
   words[GPU_SURFACE_OFFSET] =
      (uint32_t)(surface->first_layer * level->slice_pitch / info->unit);
   words[GPU_SURFACE_ROW] = (uint32_t)(level->row_pitch / info->unit);
   words[GPU_SURFACE_SLICE] = (uint32_t)(level->slice_pitch / info->unit);
   words[GPU_SURFACE_SAMPLE] = (uint32_t)(level->sample_pitch / info->unit);
}

/* The plane that says which pixels are one colour; false if there is none. */
static bool
bind_one_color(struct gpu_fragment_draw *draw, uint32_t color,
               const struct tg_surface *surface)
{
   const struct resource_level *level =
      &surface->resource->written.layout.level[0];
   const uint32_t binding = GPU_BINDING_ONE_COLOR + color;
   const uint32_t layer = level->width * level->height;
   uint32_t *words =
      &draw->frame[GPU_FRAME_SURFACES + binding * GPU_SURFACE_WORDS];
   if (!resource_keep_one_color(surface->resource))
      return false;
   draw->surfaces[binding] = resource_one_color_memory(surface->resource);
   words[GPU_SURFACE_OFFSET] = surface->first_layer * layer;
   words[GPU_SURFACE_ROW] = level->width;
   words[GPU_SURFACE_SLICE] = layer;
   return true;
}

static void
bind_surfaces(struct gpu_fragment_draw *draw,
              const struct tg_framebuffer_state *framebuffer)
{
   for (uint32_t i = 0; i <= GPU_BINDING_DEPTH; i++) {
      const struct tg_surface *surface = find_surface(framebuffer, i);
      if (!surface || !surface->resource)
         continue;
      bind_surface(draw, i, surface);
      if (i != GPU_BINDING_DEPTH && bind_one_color(draw, i, surface))
         draw->one_color |= (uint8_t)(1u << i);
   }
}

/* ---- the draw ------------------------------------------------------------ */

static void
fill_frame(const struct gpu_state *state, uint32_t frame[GPU_FRAME_WORDS])
{
   const struct tg_depth_stencil_alpha_state *test =
      &state->depth_stencil_alpha->state;
   frame[GPU_FRAME_HEIGHT] = state->framebuffer.height;
   for (unsigned i = 0; i < 4; i++)
      frame[GPU_FRAME_BLEND_COLOR + i] =
         tg_bits_of_float(state->blend_color[i]);
   frame[GPU_FRAME_ALPHA_REF] = tg_bits_of_float(test->alpha_ref_value);
   frame[GPU_FRAME_DEPTH_BOUNDS] = tg_bits_of_float(test->depth_bounds_min);
   frame[GPU_FRAME_DEPTH_BOUNDS + 1] = tg_bits_of_float(test->depth_bounds_max);
   frame[GPU_FRAME_STENCIL_REF] = state->stencil_ref[0];
   frame[GPU_FRAME_STENCIL_REF + 1] = state->stencil_ref[1];
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

/* What polygons are drawn as. */
static enum gpu_shape_kind
filled_kind(uint8_t mode)
{
   return mode == TG_POLYGON_LINE    ? GPU_SHAPE_LINE
          : mode == TG_POLYGON_POINT ? GPU_SHAPE_POINT
                                     : GPU_SHAPE_POLYGON;
}

static bool
makes_shapes(const struct tg_rasterizer_state *rasterizer, unsigned num_corners,
             enum gpu_shape_kind kind)
{
   switch (num_corners) {
   case 1: return kind == GPU_SHAPE_POINT;
   case 2: return kind == GPU_SHAPE_LINE;
   default:
      return kind == filled_kind(rasterizer->fill_front) ||
             kind == filled_kind(rasterizer->fill_back);
   }
}

static enum tg_result
make_kernels(struct gpu_fragment_kernels *kernels,
             const struct gpu_fragment_source *source,
             const struct gpu_interface *interface,
             struct tg_diagnostics *diagnostics)
{
   const struct gpu_state *state = source->state;
   const struct tg_gpu_shader *shader = state->shader[TG_GPU_FRAGMENT];
   struct gpu_fragment_writer writer = {
      .shader = shader,
      .interface = interface,
      .is_checked = source->compiler->check,
   };
   enum tg_result result = TG_OK;
   for (unsigned i = 0; i < GPU_NUM_SHAPE_KINDS && result == TG_OK; i++) {
      struct gpu_fragment_key key;
      kernels->kernel[i] = NULL;
      if (!makes_shapes(&state->rasterizer->state, kernels->num_corners,
                        (enum gpu_shape_kind)i))
         continue;
      gpu_fragment_make_key(state, interface, (enum gpu_shape_kind)i, &key);
      key.one_color = kernels->one_color;
      key.tells_cost = kernels->tells_cost;
      abi_mask_keys(&kernels->bound, &shader->seen, &key.bound);
      const struct exec_source kernel_source = {
         .kind = "FRAG",
         .key = &key,
         .key_size = sizeof(key),
         .members = gpu_fragment_key_members,
         .shader = shader->shader,
         .write = gpu_fragment_write_kernel,
         .user = &writer,
      };
      result = gpu_kernel_get(source->compiler, &kernel_source, diagnostics,
                              &kernels->kernel[i]);
      kernels->num_samples = key.is_per_sample ? key.num_samples : 1;
      kernels->tells_samples = gpu_fragment_tells_samples(shader, &key);
   }
   return result;
}

/* Bindings that are set to what they were are another version with the same
 * keys. */
static bool
has_keys(struct gpu_fragment_kernels *last, const struct tg_bindings *bindings)
{
   if (last->keys_version == bindings->keys_version)
      return true;
   if (memcmp(&last->bound, &bindings->keys, sizeof(last->bound)) != 0)
      return false;
   last->keys_version = bindings->keys_version;
   return true;
}

static enum tg_result
find_kernels(struct gpu_fragment_draw *draw,
             const struct gpu_fragment_source *source,
             const struct gpu_interface *interface, unsigned num_corners,
             const struct tg_bindings *bindings,
             struct tg_diagnostics *diagnostics)
{
   struct gpu_fragment_kernels *last = source->last;
   const bool tells_cost = source->pixels->instructions != NULL;
   enum tg_result result = TG_OK;
   if (!last->is_current || last->num_corners != num_corners ||
       last->one_color != draw->one_color || last->tells_cost != tells_cost ||
       !has_keys(last, bindings)) {
      last->num_corners = (uint8_t)num_corners;
      last->one_color = draw->one_color;
      last->tells_cost = tells_cost;
      last->bound = bindings->keys;
      last->keys_version = bindings->keys_version;
      result = make_kernels(last, source, interface, diagnostics);
      last->is_current = result == TG_OK;
   }
   memcpy(draw->kernel, last->kernel, sizeof(draw->kernel));
   draw->num_samples = last->num_samples;
   draw->tells_samples = last->tells_samples;
   return result;
}

/* A copy of what is bound with the colours that FBFETCH reads. */
static enum tg_result
add_colors(const struct gpu_fragment_source *source,
           struct tg_diagnostics *diagnostics,
           struct tg_bindings **bindings_out)
{
   const struct gpu_state *state = source->state;
   const enum tg_result result =
      tg_bindings_create(source->compiler->allocator, bindings_out);
   if (result != TG_OK)
      return result;
   resource_copy_bindings(*bindings_out,
                          resource_bindings(state->bindings[TG_GPU_FRAGMENT]));
   return bind_colors(*bindings_out, &state->framebuffer, diagnostics);
}

/* Takes what is bound, and finds the kernels for it. */
static enum tg_result
take_bindings(struct gpu_fragment_draw *draw,
              const struct gpu_fragment_source *source,
              const struct gpu_interface *interface, unsigned num_corners,
              struct tg_diagnostics *diagnostics)
{
   struct tg_bindings *bindings = source->state->bindings[TG_GPU_FRAGMENT];
   struct tg_bindings *with_colors = NULL;
   enum tg_result result = TG_OK;
   if (draw->shader->fetches_colors) {
      result = add_colors(source, diagnostics, &with_colors);
      bindings = with_colors;
   }
   if (result == TG_OK && !resource_snapshot_take(bindings, &draw->bound))
      result = TG_ERROR_MEMORY;
   if (result == TG_OK)
      result = find_kernels(draw, source, interface, num_corners,
                            resource_bindings(bindings), diagnostics);
   tg_bindings_destroy(with_colors);
   return result;
}

enum tg_result
gpu_fragment_draw_create(const struct gpu_fragment_source *source,
                         const struct gpu_interface *interface,
                         unsigned num_corners, struct tg_arena *arena,
                         struct tg_diagnostics *diagnostics,
                         struct gpu_fragment_draw **draw_out)
{
   const struct gpu_state *state = source->state;
   struct tg_gpu_shader *shader = state->shader[TG_GPU_FRAGMENT];
   struct gpu_fragment_draw *draw = tg_arena_alloc(arena, sizeof(*draw));
   if (!draw)
      return TG_ERROR_MEMORY;
   draw->shader = tg_gpu_shader_ref(shader);
   draw->epoch = source->epoch;
   draw->hiz = gpu_hiz_mode(state);
   draw->pixels = *source->pixels;
   draw->is_sequential = shader->writes_memory || source->compiler->check;
   draw->words_per_shape = gpu_shape_num_words(interface->num_attributes);
   gpu_raster_init(&draw->raster, state);
   bind_surfaces(draw, &state->framebuffer);
   fill_frame(state, draw->frame);

   enum tg_result result =
      take_bindings(draw, source, interface, num_corners, diagnostics);
   if (result == TG_OK)
      result = gpu_begin_check(source->compiler, shader, CHECK_PIXELS,
                               diagnostics, &draw->check);
   if (result != TG_OK) {
      gpu_fragment_draw_drop(draw);
      return result;
   }
   *draw_out = draw;
   return TG_OK;
}

enum tg_result
gpu_fragment_draw_copy(const struct gpu_fragment_draw *draw,
                       struct tg_arena *arena,
                       struct gpu_fragment_draw **draw_out)
{
   struct gpu_fragment_draw *copy = tg_arena_alloc(arena, sizeof(*copy));
   if (!copy)
      return TG_ERROR_MEMORY;
   *copy = *draw;
   tg_gpu_shader_ref(copy->shader);
   copy->bound = resource_snapshot_ref(&draw->bound);
   *draw_out = copy;
   return TG_OK;
}

void
gpu_fragment_draw_drop(void *dropped)
{
   struct gpu_fragment_draw *draw = dropped;
   resource_snapshot_drop(&draw->bound);
   tg_gpu_shader_destroy(draw->shader);
}

static void
finish_fragments(struct gpu_worker *worker)
{
   void *memory = worker->fragments;
   gpu_grow(worker->allocator, &memory, sizeof(*worker->fragments), 0);
   worker->fragments = NULL;
}

struct gpu_fragment_worker *
gpu_fragment_worker(struct gpu_worker *worker)
{
   void *memory = NULL;
   if (worker->fragments)
      return worker->fragments;
   if (!gpu_grow(worker->allocator, &memory, 0,
                 sizeof(struct gpu_fragment_worker))) {
      gpu_fail(worker, TG_ERROR_MEMORY, "out of memory");
      return NULL;
   }
   memset(memory, 0, sizeof(struct gpu_fragment_worker));
   worker->fragments = memory;
   worker->fragments->worker = worker;
   worker->finish_fragments = finish_fragments;
   return worker->fragments;
}

/* ---- running it ---------------------------------------------------------- */

void
gpu_fragment_begin_tile(struct gpu_fragment_worker *fragments,
                        const struct tg_framebuffer_state *framebuffer,
                        uint32_t x, uint32_t y)
{
   fragments->draw = NULL;
   gpu_hiz_begin(&fragments->hiz, framebuffer, x, y);
}

/* All that does not change from wave to wave. */
static void
begin_draw(struct gpu_fragment_worker *fragments,
           const struct gpu_fragment_draw *draw)
{
   struct exec_wave *wave = &fragments->wave;
   fragments->draw = draw;
   resource_snapshot_bind_constants(&draw->bound, fragments->constants);
   fragments->constants[GPU_BINDING_FRAME] = (struct exec_memory){
      .data = (uint32_t *)draw->frame,
      .num_bytes = sizeof(draw->frame),
   };
   *wave = (struct exec_wave){
      .input = {.num_words = GPU_FRAGMENT_INPUT_WORDS},
      .output = {.data = fragments->output,
                 .num_words = GPU_FRAGMENT_OUTPUT_WORDS},
   };
   resource_snapshot_bind_wave(&draw->bound, wave);
   wave->memory[LIR_SPACE_CONST] = fragments->constants;
   wave->num_memories[LIR_SPACE_CONST] = GPU_BINDING_VERTEX;
   wave->memory[LIR_SPACE_SURFACE] = draw->surfaces;
   wave->num_memories[LIR_SPACE_SURFACE] = GPU_NUM_SURFACE_BINDINGS;
}

void
gpu_fragment_begin(struct gpu_fragment_worker *fragments,
                   const struct gpu_fragment_draw *draw,
                   const struct gpu_shape *shape, const uint32_t *constants)
{
   if (fragments->draw != draw)
      begin_draw(fragments, draw);
   assert(draw->kernel[shape->kind]);
   fragments->kernel = draw->kernel[shape->kind];
   fragments->constants[GPU_BINDING_STAGE] = (struct exec_memory){
      .data = (uint32_t *)constants,
      .num_bytes = draw->words_per_shape * UINT64_C(4),
   };
}

/* The bits that are set in a word of up to 16 bits. The builtin is a call where
 * all processors of a kind are compiled for. */
static uint32_t
count_bits(uint32_t x)
{
   x -= x >> 1 & 0x5555;
   x = (x & 0x3333) + (x >> 2 & 0x3333);
   x = (x & 0x0f0f) + (x >> 4 & 0x0f0f);
   return (x & 0xff) + (x >> 8);
}

static uint32_t
count_all_bits(const uint32_t words[LIR_LANES])
{
   uint32_t sum = 0;
   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      sum += count_bits(words[lane]);
   return sum;
}

static uint32_t
count_passed(const struct gpu_fragment_worker *fragments)
{
   if (!fragments->draw->tells_samples)
      return count_bits(fragments->wave.live);
   return count_all_bits(fragments->output[GPU_FRAGMENT_PASSED]);
}

/* Adds a wave to the counters of its pixels. */
static void
count_pixels(const struct gpu_fragment_worker *fragments,
             const uint32_t (*input)[LIR_LANES], uint32_t live)
{
   const struct tg_pixel_counters *pixels = &fragments->draw->pixels;
   for (; live; live &= live - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(live);
      const uint32_t x = input[GPU_FRAGMENT_X][lane];
      const uint32_t y = input[GPU_FRAGMENT_Y][lane];
      const size_t number = (size_t)y * pixels->width + x;
      if (x >= pixels->width || y >= pixels->height)
         continue;
      if (pixels->fragments)
         pixels->fragments[number]++;
      if (pixels->instructions)
         pixels->instructions[number] +=
            fragments->output[GPU_FRAGMENT_COST][lane];
   }
}

static void
count_waves(struct gpu_worker *worker, uint32_t num_waves, uint32_t num_live,
            uint32_t num_passed)
{
   worker->count[GPU_COUNT_FRAGMENT_WAVES] += num_waves;
   worker->count[GPU_COUNT_FRAGMENTS] += num_live;
   worker->count[GPU_COUNT_PS_INVOCATIONS] += num_live;
   worker->count[GPU_COUNT_SAMPLES_PASSED] += num_passed;
}

/* Lanes that are not launched have no effect. */
static void
run_wave(struct gpu_fragment_worker *fragments, uint32_t (*input)[LIR_LANES],
         uint32_t launched, uint32_t live)
{
   const struct gpu_fragment_draw *draw = fragments->draw;
   struct gpu_worker *worker = fragments->worker;
   struct exec_wave *wave = &fragments->wave;
   wave->input.data = input;
   wave->launched = launched;
   wave->live = live;
   if (draw->tells_samples)
      memset(fragments->output, 0, sizeof(fragments->output));
   if (!gpu_run_wave(worker, fragments->kernel, draw->check, wave))
      return;
   count_waves(worker, 1, count_bits(live), count_passed(fragments));
   if (draw->pixels.width)
      count_pixels(fragments, (const uint32_t(*)[LIR_LANES])input, live);
}

/* ---- waves of quads ------------------------------------------------------ */

/* Lanes that are not launched load what others do. */
static void
place_idle_lanes(struct gpu_fragment_worker *fragments)
{
   uint32_t *x = fragments->input[GPU_FRAGMENT_TEXEL_X];
   uint32_t *y = fragments->input[GPU_FRAGMENT_TEXEL_Y];
   for (uint32_t i = fragments->num_quads * 4; i < LIR_LANES; i++) {
      x[i] = x[i & 3];
      y[i] = y[i & 3];
   }
}

static void
flush_quads(struct gpu_fragment_worker *fragments)
{
   place_idle_lanes(fragments);
   run_wave(fragments, fragments->input,
            (UINT32_C(1) << fragments->num_quads * 4) - 1, fragments->live);
   fragments->num_quads = 0;
   fragments->live = 0;
}

static void
add_quad(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
         const uint16_t coverage[4], uint32_t live)
{
   const uint32_t first = fragments->num_quads * 4;
   const uint32_t covered = (uint32_t)__builtin_ctz(live);
   for (uint32_t i = 0; i < 4; i++) {
      const uint32_t at = live >> i & 1 ? i : covered;
      fragments->input[GPU_FRAGMENT_TEXEL_X][first + i] =
         (uint32_t)x + (at & 1);
      fragments->input[GPU_FRAGMENT_TEXEL_Y][first + i] =
         (uint32_t)y + (at >> 1);
      fragments->input[GPU_FRAGMENT_X][first + i] = (uint32_t)x + (i & 1);
      fragments->input[GPU_FRAGMENT_Y][first + i] = (uint32_t)y + (i >> 1);
      fragments->input[GPU_FRAGMENT_COVERAGE][first + i] = coverage[i];
   }
   fragments->live |= live << first;
   if (++fragments->num_quads == QUADS_PER_WAVE)
      flush_quads(fragments);
}

/* Bit i: pixel i has this sample. */
static uint32_t
covered_pixels(const uint16_t coverage[4], uint32_t sample)
{
   uint32_t live = 0;
   for (uint32_t i = 0; i < 4; i++)
      live |= (uint32_t)(coverage[i] >> sample & 1) << i;
   return live;
}

/* A quad of each sample that is shaded by itself. */
static void
add_samples(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
            const uint16_t coverage[4])
{
   for (uint32_t s = 0; s < fragments->draw->num_samples; s++) {
      const uint32_t live = covered_pixels(coverage, s);
      const uint32_t first = fragments->num_quads * 4;
      if (!live)
         continue;
      for (uint32_t i = 0; i < 4; i++)
         fragments->input[GPU_FRAGMENT_SAMPLE][first + i] = s;
      add_quad(fragments, x, y, coverage, live);
   }
}

static void
add_quads(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
          const uint16_t coverage[GPU_BLOCK_PIXELS], uint32_t live)
{
   for (int32_t i = 0; live >> i * 4; i++) {
      const int32_t quad_x = x + (i & 1) * 2, quad_y = y + (i >> 1) * 2;
      const uint32_t covered = live >> i * 4 & 0xf;
      if (!covered)
         continue;
      if (fragments->draw->num_samples > 1)
         add_samples(fragments, quad_x, quad_y, coverage + i * 4);
      else
         add_quad(fragments, quad_x, quad_y, coverage + i * 4, covered);
   }
}

/* ---- waves of blocks ----------------------------------------------------- */

static const uint32_t column[LIR_LANES] = {0, 1, 0, 1, 2, 3, 2, 3,
                                           0, 1, 0, 1, 2, 3, 2, 3};
static const uint32_t row[LIR_LANES] = {0, 0, 1, 1, 0, 0, 1, 1,
                                        2, 2, 3, 3, 2, 2, 3, 3};

/* Lanes without coverage load what the first of their quad does that has
 * some. */
static void
place_uncovered(uint32_t (*input)[LIR_LANES], uint32_t live)
{
   for (uint32_t lanes = ~live & 0xffff; lanes; lanes &= lanes - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
      const uint32_t quad = lane & ~UINT32_C(3);
      const uint32_t other = quad + (uint32_t)__builtin_ctz(live >> quad);
      input[GPU_FRAGMENT_TEXEL_X][lane] = input[GPU_FRAGMENT_X][other];
      input[GPU_FRAGMENT_TEXEL_Y][lane] = input[GPU_FRAGMENT_Y][other];
   }
}

/* Runs the blocks that wait. What they leave in the outputs is not looked at
 * where there are several. */
static void
flush_blocks(struct gpu_fragment_worker *fragments)
{
   uint32_t live[GPU_MAX_ROUNDS];
   uint32_t num_run, num_live = 0, num_passed = 0;
   for (uint32_t i = 0; i < fragments->num_blocks; i++)
      live[i] = fragments->rounds[i].live;
   gpu_run_rounds(fragments->worker, fragments->kernel, fragments->draw->check,
                  &fragments->wave, fragments->rounds, fragments->num_blocks,
                  &num_run);
   for (uint32_t i = 0; i < num_run; i++) {
      num_live += count_bits(live[i]);
      num_passed += count_bits(fragments->rounds[i].live);
   }
   count_waves(fragments->worker, num_run, num_live, num_passed);
   fragments->num_blocks = 0;
}

/* Is a wave's output of interest to us, so that no other may overwrite it? */
static bool
runs_alone(const struct gpu_fragment_draw *draw)
{
   return draw->tells_samples || draw->pixels.width;
}

/* A wave whose pixels are those of a block, with these inputs for its place. */
static void
run_block(struct gpu_fragment_worker *fragments, uint32_t (*input)[LIR_LANES],
          uint32_t live)
{
   if (runs_alone(fragments->draw)) {
      run_wave(fragments, input, 0xffff, live);
      return;
   }
   fragments->rounds[fragments->num_blocks] =
      (struct exec_round){0xffff, live, input, NULL, fragments->output};
   if (++fragments->num_blocks == GPU_MAX_ROUNDS)
      flush_blocks(fragments);
}

/* The inputs of the next block, but for the coverage. */
static uint32_t (*place_block(struct gpu_fragment_worker *fragments, int32_t x,
                              int32_t y))[LIR_LANES]
{
   assert(fragments->num_blocks < GPU_MAX_ROUNDS);
   uint32_t(*input)[LIR_LANES] = fragments->blocks[fragments->num_blocks];
   for (uint32_t i = 0; i < LIR_LANES; i++) {
      input[GPU_FRAGMENT_X][i] = (uint32_t)x + column[i];
      input[GPU_FRAGMENT_Y][i] = (uint32_t)y + row[i];
      input[GPU_FRAGMENT_TEXEL_X][i] = (uint32_t)x + column[i];
      input[GPU_FRAGMENT_TEXEL_Y][i] = (uint32_t)y + row[i];
   }
   return input;
}

static void
add_block(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
          const uint16_t coverage[GPU_BLOCK_PIXELS], uint32_t live)
{
   uint32_t(*input)[LIR_LANES] = place_block(fragments, x, y);
   for (uint32_t i = 0; i < LIR_LANES; i++)
      input[GPU_FRAGMENT_COVERAGE][i] = coverage[i];
   if (live != 0xffff)
      place_uncovered(input, live);
   run_block(fragments, input, live);
}

static void
add_whole_block(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
                uint16_t coverage)
{
   uint32_t(*input)[LIR_LANES] = place_block(fragments, x, y);
   for (uint32_t i = 0; i < LIR_LANES; i++)
      input[GPU_FRAGMENT_COVERAGE][i] = coverage;
   run_block(fragments, input, 0xffff);
}

/* Is a block a wave? Fragments that write memory do so in the order of quads,
 * and those of samples take more lanes. */
static bool
has_waves_of_blocks(const struct gpu_fragment_draw *draw)
{
   return draw->num_samples == 1 && !draw->is_sequential;
}

void
gpu_fragment_block(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
                   const uint16_t coverage[GPU_BLOCK_PIXELS], uint32_t live)
{
   const bool has_all_quads =
      (live & 0xf) && (live & 0xf0) && (live & 0xf00) && (live & 0xf000);
   if (has_all_quads && has_waves_of_blocks(fragments->draw))
      add_block(fragments, x, y, coverage, live);
   else
      add_quads(fragments, x, y, coverage, live);
}

void
gpu_fragment_square(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
                    int32_t size, uint16_t coverage)
{
   const bool is_whole = has_waves_of_blocks(fragments->draw);
   uint16_t each[GPU_BLOCK_PIXELS];
   for (unsigned i = 0; i < GPU_BLOCK_PIXELS; i++)
      each[i] = coverage;
   for (int32_t j = y; j < y + size; j += GPU_BLOCK_SIZE) {
      for (int32_t i = x; i < x + size; i += GPU_BLOCK_SIZE) {
         if (is_whole)
            add_whole_block(fragments, i, j, coverage);
         else
            add_quads(fragments, i, j, each, 0xffff);
      }
   }
}

void
gpu_fragment_flush(struct gpu_fragment_worker *fragments)
{
   if (fragments->num_quads)
      flush_quads(fragments);
   if (fragments->num_blocks)
      flush_blocks(fragments);
}
