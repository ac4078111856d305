/* SPDX-License-Identifier: MIT
 *
 * The GPU: bytes become calls of its public functions, with good values and bad
 * ones, on one thread and on three. Nothing crashes, what is refused says why,
 * and both runs give the same results, counts and texels, as long as the bound
 * on work is not met and no draw reads what it draws to. Now and then mistakes
 * in shaders are looked for, too.
 *
 * Behind its end the input goes on with numbers that follow from it, so that
 * each has NUM_CALLS calls.
 */
#include "../bind.h"
#include "../context.h"
#include "../state.h"
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_shaders.h"
#include "tungsten/gpu.h"

enum {
   NUM_CALLS = 48,
   NUM_TEXTURES = 8,
   NUM_BUFFERS = 4,
   NUM_RESOURCES = NUM_TEXTURES + NUM_BUFFERS,
   NUM_TARGETS = 3,
   NUM_QUERIES = 4,
   NUM_SHADERS = sizeof(gpu_shaders) / sizeof(gpu_shaders[0]),
   EVAL_SHADER = 5,
   ENDLESS_SHADER = NUM_SHADERS - 1,
   MAX_BUFFER_BYTES = 4096,
   MAX_LEVEL_BYTES = 1 << 16, /* that are written or read at once */
   COUNTERS_SIZE = 16,        /* pixels of which waves are counted, each way */
   MAX_FORMAT = 512,
   MAX_WORK = 1 << 20,
};

/* All that one run has. Textures come in front of buffers. */
struct world {
   struct tg_context *gpu;
   struct tg_diagnostics *diagnostics;
   struct tg_resource *resources[NUM_RESOURCES];
   struct tg_stream_target *targets[NUM_TARGETS];
   struct tg_gpu_shader *shaders[NUM_SHADERS];
   struct tg_query *queries[NUM_QUERIES];
   enum tg_query_type query_types[NUM_QUERIES];
   struct tg_bindings *bindings;
   struct tg_fence *fence;
   uint32_t counters[2][COUNTERS_SIZE * COUNTERS_SIZE];
   bool has_eval;

   /* Who sees what, bit i: resource i. */
   uint32_t drawn_to, bound;

   const uint8_t *data;
   size_t size;
   uint64_t random;

   uint64_t hash; /* of what the calls gave */
   bool is_exact; /* it is the same with any number of threads */
};

static struct tg_shader *sources[NUM_SHADERS];
static struct tg_shader *compute_source;
static struct tg_program *compute_program;

/* ---- numbers from the input ---------------------------------------------- */

static uint8_t
next_byte(struct world *world)
{
   if (world->size) {
      world->size--;
      world->random = (world->random ^ *world->data) * UINT64_C(0x100000001b3);
      return *world->data++;
   }
   world->random =
      world->random * UINT64_C(6364136223846793005) + 1442695040888963407;
   return (uint8_t)(world->random >> 56);
}

static uint32_t
next_word(struct world *world)
{
   uint32_t word = 0;
   for (unsigned i = 0; i < 4; i++)
      word = word << 8 | next_byte(world);
   return word;
}

static bool
flag(struct world *world)
{
   return next_byte(world) & 1;
}

/* Once in `count` times. */
static bool
rarely(struct world *world, unsigned count)
{
   return next_byte(world) % count == count - 1;
}

static uint32_t
below(struct world *world, uint32_t bound)
{
   return next_byte(world) % bound;
}

/* Below `bound`, but now and then any byte. */
static uint8_t
choice(struct world *world, uint32_t bound)
{
   return rarely(world, 128) ? next_byte(world) : (uint8_t)below(world, bound);
}

/* Up to `usual`, but now and then any word. */
static uint32_t
number(struct world *world, uint32_t usual)
{
   return rarely(world, 64) ? next_word(world) : next_word(world) % (usual + 1);
}

/* Of a usual size, but now and then any float, also an infinite one or NaN. */
static float
real(struct world *world)
{
   float value = ((float)next_byte(world) - 128.0f) / 64.0f;
   if (rarely(world, 64)) {
      const uint32_t word = next_word(world);
      memcpy(&value, &word, sizeof(value));
   }
   return value;
}

/* ---- results ------------------------------------------------------------- */

static void
note(struct world *world, const void *data, size_t size)
{
   const uint8_t *bytes = data;
   for (size_t i = 0; i < size; i++)
      world->hash = (world->hash ^ bytes[i]) * UINT64_C(0x100000001b3);
}

static bool
says(const struct world *world, const char *words)
{
   return strstr(tg_diagnostics_get(world->diagnostics, 0)->message, words);
}

/* A call is done. One that fails has said why, if it can. */
static bool
done(struct world *world, enum tg_result result)
{
   if (result == TG_ERROR_MEMORY || result == TG_ERROR_IO)
      abort();
   if (result != TG_OK && !tg_diagnostics_num_errors(world->diagnostics))
      abort();
   /* How far work came does depend on threads. */
   if (result == TG_ERROR_LIMIT && !says(world, "a call may have"))
      world->is_exact = false;
   tg_diagnostics_clear(world->diagnostics);
   note(world, &result, sizeof(result));
   return result == TG_OK;
}

static void
done_silently(struct world *world, enum tg_result result)
{
   if (result != TG_OK && result != TG_ERROR_INPUT && result != TG_ERROR_LIMIT)
      abort();
   if (result == TG_ERROR_LIMIT)
      world->is_exact = false;
   note(world, &result, sizeof(result));
}

/* ---- resources ----------------------------------------------------------- */

static struct tg_resource *
any_resource(struct world *world)
{
   return world->resources[below(world, NUM_RESOURCES)];
}

static struct tg_resource *
any_texture(struct world *world)
{
   return world->resources[below(world, NUM_TEXTURES)];
}

static struct tg_resource *
any_buffer(struct world *world)
{
   return world->resources[NUM_TEXTURES + below(world, NUM_BUFFERS)];
}

static uint32_t
bit_of(const struct world *world, const struct tg_resource *resource)
{
   for (unsigned i = 0; resource && i < NUM_RESOURCES; i++) {
      if (world->resources[i] == resource)
         return UINT32_C(1) << i;
   }
   return 0;
}

/* One that can be drawn to, one with depth, or any. */
static uint32_t
any_format(struct world *world)
{
   static const char *const usual[] = {
      "R8G8B8A8_UNORM",       "B5G6R5_UNORM",  "R32G32B32A32_FLOAT",
      "R16G16_SNORM",         "R8G8B8A8_SRGB", "R32G32B32A32_UINT",
      "R11G11B10_FLOAT",      "R16_SINT",      "A8_UNORM",
      "Z24_UNORM_S8_UINT",    "Z16_UNORM",     "Z32_FLOAT",
      "Z32_FLOAT_S8X24_UINT", "S8_UINT",
   };
   if (rarely(world, 4))
      return next_word(world) % MAX_FORMAT;
   return tg_format_number(
      usual[below(world, sizeof(usual) / sizeof(usual[0]))]);
}

static struct tg_resource_desc
any_desc(struct world *world)
{
   static const uint8_t counts[] = {1, 4, 1, 2, 8, 16};
   struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = any_format(world),
      .width = 72,
      .height = 68,
      .samples = counts[below(world, sizeof(counts))],
   };
   if (flag(world))
      return desc;
   desc.target = choice(world, 9);
   desc.samples = flag(world) ? 1 : desc.samples;
   desc.width = 1 + below(world, 80);
   desc.height = 1 + below(world, 80);
   desc.layers = below(world, 13);
   desc.depth = below(world, 5);
   desc.last_level = rarely(world, 3) ? below(world, 7) : 0;
   return desc;
}

/* Nothing sees any resource any more, so that they can go. */
static void
let_go(struct world *world)
{
   const struct tg_vertex_buffer none[TG_MAX_VERTEX_BUFFERS] = {0};
   done(world,
        tg_context_set_framebuffer(world->gpu, NULL, world->diagnostics));
   done(world,
        tg_context_set_vertex_buffers(world->gpu, 0, TG_MAX_VERTEX_BUFFERS,
                                      none, world->diagnostics));
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++)
      tg_context_set_bindings(world->gpu, i, NULL);
   for (unsigned i = 0; i < NUM_TARGETS; i++) {
      tg_stream_target_destroy(world->targets[i]);
      world->targets[i] = NULL;
   }
   done(world, tg_context_finish(world->gpu, world->diagnostics));
   tg_bindings_destroy(world->bindings);
   if (tg_bindings_create(NULL, &world->bindings) != TG_OK)
      abort();
   world->drawn_to = world->bound = 0;
}

/* Vertices in the first half of the buffers, small numbers in the others. */
static struct tg_resource *
any_vertices(struct world *world)
{
   return rarely(world, 16)
             ? any_buffer(world)
             : world->resources[NUM_TEXTURES + below(world, NUM_BUFFERS / 2)];
}

static struct tg_resource *
any_numbers(struct world *world)
{
   return rarely(world, 16) ? any_buffer(world)
                            : world->resources[NUM_RESOURCES - 1 -
                                               below(world, NUM_BUFFERS / 2)];
}

static void
fill_buffer(struct world *world, struct tg_resource *buffer, bool has_vertices)
{
   const uint32_t size = tg_resource_get_desc(buffer)->width;
   const struct tg_box all = {0, 0, 0, size, 1, 1};
   uint8_t *bytes = calloc(1, size);
   if (!bytes)
      abort();
   for (uint32_t i = 0; i + 4 <= size; i += 4) {
      const float value = i % 16 == 12 && !rarely(world, 8) ? 1 : real(world);
      const uint32_t index = below(world, 16);
      if (has_vertices)
         memcpy(bytes + i, &value, sizeof(value));
      else
         memcpy(bytes + i, &index, sizeof(index));
   }
   if (tg_resource_write(buffer, 0, 0, &all, bytes, 0, 0) != TG_OK)
      abort();
   free(bytes);
   /* Now and then one that has to stay where it is. */
   if (rarely(world, 8))
      tg_resource_map_buffer(buffer);
}

/* A resource in a place, where there may be one. */
static void
replace(struct world *world, unsigned place)
{
   struct tg_resource_desc desc = any_desc(world);
   struct tg_resource *made;
   if (place >= NUM_TEXTURES)
      desc = (struct tg_resource_desc){
         .size = sizeof(struct tg_resource_desc),
         .target = TG_TEXTURE_BUFFER,
         .width = 1 + next_word(world) % MAX_BUFFER_BYTES,
      };
   if (!done(world, tg_resource_create(NULL, &desc, world->diagnostics, &made)))
      return;
   if (desc.target == TG_TEXTURE_BUFFER)
      fill_buffer(world, made, place < NUM_TEXTURES + NUM_BUFFERS / 2);
   tg_resource_destroy(world->resources[place]);
   world->resources[place] = made;
}

static struct tg_box
any_box(struct world *world, const struct tg_resource *resource)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   struct tg_box box = {0, 0, 0, desc->width, desc->height, 1};
   if (flag(world))
      return box;
   box.x = number(world, desc->width / 2);
   box.y = number(world, desc->height / 2);
   box.z = number(world, 3);
   box.width = number(world, desc->width / 2);
   box.height = number(world, desc->height / 2);
   box.depth = number(world, 2);
   return box;
}

/* ---- state --------------------------------------------------------------- */

static void
set_blend(struct world *world)
{
   struct tg_blend_state blend = {
      .size = sizeof(blend),
      .independent_blend_enable = flag(world),
      .logicop_enable = rarely(world, 4),
      .logicop_func = choice(world, 16),
      .dither = flag(world),
      .alpha_to_coverage = rarely(world, 4),
      .alpha_to_one = rarely(world, 4),
   };
   static const uint8_t factors[] = {1,  2,    3,    4,    5,    6,    7,
                                     8,  9,    10,   0x11, 0x12, 0x13, 0x14,
                                     21, 0x17, 0x18, 0x19, 0x1a, 0};
   for (unsigned i = 0; i < 2; i++) {
      uint8_t words[4];
      for (unsigned j = 0; j < 4; j++)
         words[j] = factors[below(world, sizeof(factors))];
      blend.targets[i] = (struct tg_blend_target){
         .blend_enable = flag(world),
         .rgb_func = choice(world, 5),
         .alpha_func = choice(world, 5),
         .rgb_src_factor = words[0],
         .rgb_dst_factor = words[1],
         .alpha_src_factor = words[2],
         .alpha_dst_factor = words[3],
         .colormask = choice(world, 16),
      };
   }
   done(world, bind_blend(world->gpu, &blend, world->diagnostics));
   const float color[4] = {real(world), real(world), real(world), real(world)};
   tg_context_set_blend_color(world->gpu, color);
}

static void
set_rasterizer(struct world *world)
{
   const struct tg_rasterizer_state state = {
      .size = sizeof(state),
      .flatshade = flag(world),
      .flatshade_first = flag(world),
      .light_twoside = flag(world),
      .front_ccw = flag(world),
      .cull_face = rarely(world, 4) ? choice(world, 4) : 0,
      .fill_front = rarely(world, 4) ? choice(world, 3) : 0,
      .fill_back = rarely(world, 4) ? choice(world, 3) : 0,
      .offset_point = flag(world),
      .offset_line = flag(world),
      .offset_tri = flag(world),
      .offset_units_unscaled = flag(world),
      .offset_units = real(world),
      .offset_scale = real(world),
      .offset_clamp = real(world),
      .scissor = rarely(world, 4),
      .poly_smooth = rarely(world, 4),
      .poly_stipple_enable = rarely(world, 4),
      .point_smooth = rarely(world, 4),
      .point_quad_rasterization = flag(world),
      .point_size_per_vertex = flag(world),
      .point_size = real(world) * 8.0f,
      .point_tri_clip = flag(world),
      .sprite_coord_mode = choice(world, 2),
      .sprite_coord_enable = next_byte(world),
      .line_smooth = rarely(world, 4),
      .line_stipple_enable = rarely(world, 4),
      .line_last_pixel = flag(world),
      .line_rectangular = flag(world),
      .line_width = real(world) * 4.0f,
      .line_stipple_factor = next_byte(world),
      .line_stipple_pattern = (uint16_t)next_word(world),
      .multisample = flag(world),
      .force_persample_interp = rarely(world, 4),
      .half_pixel_center = flag(world),
      .bottom_edge_rule = flag(world),
      .clip_halfz = flag(world),
      .depth_clip_near = flag(world),
      .depth_clip_far = flag(world),
      .depth_clamp = flag(world),
      .clip_plane_enable = rarely(world, 4) ? next_byte(world) : 0,
      .rasterizer_discard = rarely(world, 8),
      .clamp_vertex_color = flag(world),
      .clamp_fragment_color = flag(world),
      .sample_mask_without_msaa = flag(world),
   };
   done(world, bind_rasterizer(world->gpu, &state, world->diagnostics));
}

static void
set_depth_stencil_alpha(struct world *world)
{
   struct tg_depth_stencil_alpha_state state = {
      .size = sizeof(state),
      .depth_enabled = flag(world),
      .depth_writemask = flag(world),
      .depth_func = choice(world, 8),
      .depth_bounds_test = rarely(world, 4),
      .depth_bounds_min = real(world),
      .depth_bounds_max = real(world),
      .alpha_enabled = rarely(world, 4),
      .alpha_func = choice(world, 8),
      .alpha_ref_value = real(world),
   };
   for (unsigned i = 0; i < 2; i++)
      state.stencil[i] = (struct tg_stencil_state){
         .enabled = flag(world),
         .func = choice(world, 8),
         .fail_op = choice(world, 8),
         .zfail_op = choice(world, 8),
         .zpass_op = choice(world, 8),
         .valuemask = next_byte(world),
         .writemask = next_byte(world),
      };
   done(world,
        bind_depth_stencil_alpha(world->gpu, &state, world->diagnostics));
   const uint8_t ref[2] = {next_byte(world), next_byte(world)};
   tg_context_set_stencil_ref(world->gpu, ref);
}

static void
set_view(struct world *world)
{
   const unsigned first = choice(world, 3);
   const unsigned count = choice(world, 3);
   struct tg_viewport viewports[TG_MAX_VIEWPORTS];
   struct tg_scissor scissors[TG_MAX_VIEWPORTS];
   for (unsigned i = 0; i < TG_MAX_VIEWPORTS; i++) {
      viewports[i] = tg_viewport_of(72, 68, flag(world), flag(world));
      if (flag(world))
         viewports[i].scale[below(world, 3)] *= real(world);
      scissors[i] =
         (struct tg_scissor){next_byte(world) / 4, next_byte(world) / 4,
                             next_byte(world), next_byte(world)};
   }
   done(world, tg_context_set_viewports(world->gpu, first, count, viewports,
                                        world->diagnostics));
   done(world, tg_context_set_scissors(world->gpu, first, count, scissors,
                                       world->diagnostics));
}

static void
set_samples_and_planes(struct world *world)
{
   float planes[TG_MAX_CLIP_PLANES][4];
   uint32_t rows[32];
   float levels[6];
   for (unsigned i = 0; i < TG_MAX_CLIP_PLANES * 4; i++)
      planes[i / 4][i % 4] = real(world);
   for (unsigned i = 0; i < 32; i++)
      rows[i] = next_word(world);
   for (unsigned i = 0; i < 6; i++)
      levels[i] = real(world) * 4.0f;
   tg_context_set_clip_planes(world->gpu, (const float(*)[4])planes);
   tg_context_set_polygon_stipple(world->gpu, rows);
   tg_context_set_tess_levels(world->gpu, levels, levels + 4);
   tg_context_set_sample_mask(world->gpu,
                              flag(world) ? UINT32_MAX : next_word(world));
   tg_context_set_min_samples(world->gpu, flag(world) ? 1 : next_byte(world));
}

/* Often within the usual textures, sometimes empty or beyond. */
static struct tg_scissor
any_rectangle(struct world *world)
{
   const uint16_t x = (uint16_t)number(world, 80);
   const uint16_t y = (uint16_t)number(world, 80);
   return (struct tg_scissor){x, y, (uint16_t)(x + number(world, 60)),
                              (uint16_t)(y + number(world, 60))};
}

static void
set_windows(struct world *world)
{
   struct tg_scissor rectangles[TG_MAX_WINDOW_RECTANGLES];
   const unsigned count = choice(world, TG_MAX_WINDOW_RECTANGLES + 2);
   const bool include = count && flag(world);
   for (unsigned i = 0; i < TG_MAX_WINDOW_RECTANGLES; i++)
      rectangles[i] = any_rectangle(world);
   done(world, tg_context_set_window_rectangles(
                  world->gpu, include, count, rectangles, world->diagnostics));
}

static struct tg_surface
any_surface(struct world *world, struct tg_resource *resource)
{
   struct tg_surface surface = tg_surface_of(resource);
   if (rarely(world, 8)) {
      surface.format = rarely(world, 4) ? any_format(world) : 0;
      surface.level = number(world, 2);
      surface.first_layer = number(world, 3);
      surface.last_layer = surface.first_layer + number(world, 3);
   }
   return surface;
}

/* Mostly such as fit each other: of one texture's size and samples. */
static void
set_framebuffer(struct world *world)
{
   struct tg_resource *first = any_texture(world);
   const struct tg_resource_desc *desc = tg_resource_get_desc(first);
   struct tg_framebuffer_state state = {
      .size = sizeof(state),
      .width = flag(world) ? desc->width : number(world, desc->width),
      .height = flag(world) ? desc->height : number(world, desc->height),
      .layers = number(world, 2),
      .samples = rarely(world, 8) ? number(world, 16) : 0,
   };
   uint32_t drawn_to = 0;
   for (unsigned i = 0; i < NUM_TEXTURES; i++) {
      struct tg_resource *other = world->resources[i];
      const struct tg_resource_desc *is = tg_resource_get_desc(other);
      const char *name = tg_format_name(is->format);
      if (is->samples != desc->samples && !rarely(world, 32))
         continue;
      if (bit_of(world, other) & world->bound && !rarely(world, 32))
         continue;
      if (name && (name[0] == 'Z' || name[0] == 'S'))
         state.depth_stencil = any_surface(world, other);
      else if (state.num_colors < 4)
         state.colors[state.num_colors++] = any_surface(world, other);
      else
         continue;
      state.width = state.width < is->width ? state.width : is->width;
      state.height = state.height < is->height ? state.height : is->height;
      drawn_to |= UINT32_C(1) << i;
      i -= rarely(world, 16) && state.num_colors < 4;
   }
   if (state.num_colors && rarely(world, 8))
      state.colors[0].resource = NULL;
   if (done(world,
            tg_context_set_framebuffer(world->gpu, &state, world->diagnostics)))
      world->drawn_to = drawn_to;
}

static void
set_vertices(struct world *world)
{
   static const char *const formats[] = {
      "R32G32B32A32_FLOAT", "R32G32B32_FLOAT", "R16G16B16A16_SNORM",
      "R8G8B8A8_UNORM",     "R64G64_FLOAT",    "R10G10B10A2_SSCALED",
   };
   struct tg_vertex_element elements[TG_MAX_VERTEX_ELEMENTS] = {0};
   struct tg_vertex_buffer buffers[2];
   for (unsigned i = 0; i < 4; i++) {
      const char *name = formats[flag(world) ? 0 : below(world, 6)];
      elements[i] = (struct tg_vertex_element){
         .src_offset = flag(world) ? i * 16 : number(world, 16),
         .format =
            rarely(world, 16) ? any_format(world) : tg_format_number(name),
         .instance_divisor = rarely(world, 4) ? number(world, 3) : 0,
         .vertex_buffer_index = choice(world, 3),
      };
   }
   for (unsigned i = 0; i < 2; i++)
      buffers[i] = (struct tg_vertex_buffer){
         .buffer = rarely(world, 16)   ? NULL
                   : rarely(world, 32) ? any_resource(world)
                                       : any_vertices(world),
         .offset = flag(world) ? 0 : number(world, 64),
         .stride = flag(world) ? 16 : number(world, 40),
      };
   if (!rarely(world, 4)) /* the first is mostly a good position */
      elements[0] = (struct tg_vertex_element){
         .format = tg_format_number(formats[0]),
      };
   done(world, bind_vertex_elements(world->gpu, 1 + choice(world, 4), elements,
                                    world->diagnostics));
   done(world, tg_context_set_vertex_buffers(world->gpu, rarely(world, 16), 2,
                                             buffers, world->diagnostics));
}

/* ---- shaders and what they see ------------------------------------------- */

static enum tg_gpu_stage
stage_of(unsigned place)
{
   static const char *const names[TG_NUM_GPU_STAGES] = {
      [TG_GPU_VERTEX] = "VERT",         [TG_GPU_FRAGMENT] = "FRAG",
      [TG_GPU_GEOMETRY] = "GEOM",       [TG_GPU_TESS_CTRL] = "TESS_CTRL",
      [TG_GPU_TESS_EVAL] = "TESS_EVAL",
   };
   unsigned stage = 0;
   while (strncmp(gpu_shaders[place], names[stage], strlen(names[stage])) != 0)
      stage++;
   return stage;
}

static void
set_shader_of(struct world *world, enum tg_gpu_stage stage,
              struct tg_gpu_shader *shader)
{
   if (done(world, tg_context_set_shader(world->gpu, stage, shader,
                                         world->diagnostics)) &&
       stage == TG_GPU_TESS_EVAL)
      world->has_eval = shader;
}

static void
set_shader(struct world *world)
{
   const enum tg_gpu_stage stage =
      flag(world) ? TG_GPU_FRAGMENT : below(world, TG_NUM_GPU_STAGES);
   if (stage > TG_GPU_FRAGMENT && flag(world)) {
      set_shader_of(world, stage, NULL);
      return;
   }
   /* The next one of the stage behind a number, or one of another stage. */
   unsigned place = below(world, NUM_SHADERS);
   while (stage_of(place) != stage)
      place = (place + 1) % NUM_SHADERS;
   if (rarely(world, 32))
      place = below(world, NUM_SHADERS);
   if (place == ENDLESS_SHADER && !rarely(world, 8))
      place--;
   set_shader_of(world, stage, world->shaders[place]);
   if (stage == TG_GPU_TESS_CTRL && !world->has_eval)
      set_shader_of(world, TG_GPU_TESS_EVAL, world->shaders[EVAL_SHADER]);
}

/* Makes a shader anew, with stream output or without. */
static void
make_shader(struct world *world, unsigned place)
{
   struct tg_stream_output_info info = {.size = sizeof(info),
                                        .num_outputs = below(world, 4)};
   const bool has_output = rarely(world, 3);
   struct tg_gpu_shader *made;
   for (unsigned i = 0; i < info.num_outputs; i++)
      info.outputs[i] = (struct tg_stream_output){
         .register_index = choice(world, 2),
         .start_component = choice(world, 2),
         .num_components = 1 + choice(world, 3),
         .buffer = choice(world, 2),
         .stream = rarely(world, 8) ? choice(world, 4) : 0,
         .dst_offset = choice(world, 8),
      };
   for (unsigned i = 0; i < TG_MAX_STREAM_BUFFERS; i++)
      info.stride[i] = 12 + choice(world, 4);
   if (!done(world, tg_gpu_shader_create(
                       tg_context_get_device(world->gpu), sources[place],
                       has_output ? &info : NULL, world->diagnostics, &made)))
      return;
   if (stage_of(place) == TG_GPU_TESS_EVAL && world->shaders[place])
      set_shader_of(world, TG_GPU_TESS_EVAL, NULL);
   tg_gpu_shader_destroy(world->shaders[place]);
   world->shaders[place] = made;
   if (stage_of(place) <= TG_GPU_FRAGMENT && place != ENDLESS_SHADER)
      set_shader_of(world, stage_of(place), made);
}

static void
bind(struct world *world)
{
   struct tg_resource *texture = any_resource(world);
   struct tg_resource *buffer = any_buffer(world);
   if (bit_of(world, texture) & world->drawn_to && !rarely(world, 16))
      texture = buffer;
   struct tg_view_desc view = tg_view_desc_of(texture);
   struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   const unsigned place = choice(world, 2);
   sampler.min_filter = choice(world, 2);
   sampler.mag_filter = choice(world, 2);
   sampler.wrap[0] = choice(world, 8);
   sampler.wrap[1] = choice(world, 8);
   view.first_level = number(world, 1);
   done(world,
        bind_sampler(world->bindings, place, &sampler, world->diagnostics));
   if (done(world,
            bind_view(world->bindings, place, &view, world->diagnostics)))
      world->bound |= bit_of(world, texture);
   const uint32_t offset = number(world, 64) & ~UINT32_C(3);
   done(world, tg_bindings_set_buffer(world->bindings, TG_BUFFER_CONSTANT,
                                      place, buffer, offset, number(world, 64),
                                      world->diagnostics));
   if (flag(world))
      done(world, tg_bindings_set_buffer(
                     world->bindings, TG_BUFFER_SHADER, 0, any_buffer(world), 0,
                     number(world, 256), world->diagnostics));
   tg_context_set_bindings(world->gpu,
                           choice(world, TG_NUM_GPU_STAGES) % TG_NUM_GPU_STAGES,
                           rarely(world, 16) ? NULL : world->bindings);
}

static void
set_stream_targets(struct world *world)
{
   struct tg_stream_target *targets[TG_MAX_STREAM_BUFFERS];
   uint32_t offsets[TG_MAX_STREAM_BUFFERS];
   const unsigned place = below(world, NUM_TARGETS);
   if (flag(world)) {
      tg_stream_target_destroy(world->targets[place]);
      world->targets[place] = NULL;
      done(world, tg_stream_target_create(
                     world->gpu, any_buffer(world), number(world, 16) * 4,
                     number(world, 128) * 4, world->diagnostics,
                     &world->targets[place]));
   }
   for (unsigned i = 0; i < TG_MAX_STREAM_BUFFERS; i++) {
      targets[i] = world->targets[(place + i) % NUM_TARGETS];
      offsets[i] = flag(world) ? TG_STREAM_APPEND : number(world, 8) * 4;
   }
   done(world, tg_context_set_stream_targets(
                  world->gpu, choice(world, 4), targets,
                  flag(world) ? offsets : NULL, world->diagnostics));
}

/* ---- draws --------------------------------------------------------------- */

static void
draw(struct world *world)
{
   static const uint8_t sizes[] = {0, 0, 1, 2, 4};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct tg_draw_range ranges[3];
   for (unsigned i = 0; i < 3; i++)
      ranges[i] = (struct tg_draw_range){
         .start = number(world, 8),
         .count = rarely(world, 64) ? next_word(world) : below(world, 16),
         .index_bias = (int32_t)(number(world, 8) - 4),
      };
   info.mode = flag(world) ? TG_PRIM_TRIANGLES : choice(world, 15);
   if (world->has_eval && !rarely(world, 16))
      info.mode = TG_PRIM_PATCHES;
   info.index_size = rarely(world, 64) ? 3 : sizes[below(world, sizeof(sizes))];
   info.vertices_per_patch = 1 + choice(world, 5);
   info.primitive_restart = rarely(world, 4);
   info.restart_index = number(world, 12);
   info.index_buffer =
      rarely(world, 64) ? any_resource(world) : any_numbers(world);
   info.index_offset = number(world, 16);
   info.start_instance = number(world, 2);
   info.instance_count = number(world, 3);
   info.draws = ranges;
   info.num_draws = 1 + below(world, 3);
   if (rarely(world, 8)) {
      info.indirect = any_numbers(world);
      info.indirect_offset = number(world, 16) * 4;
      info.indirect_stride = number(world, 8) * 4;
      info.num_draws = number(world, 4);
      if (flag(world))
         info.indirect_count = any_numbers(world);
   } else if (rarely(world, 16)) {
      info.count_from_stream_output = world->targets[below(world, NUM_TARGETS)];
   }
   if (world->bound & world->drawn_to)
      world->is_exact = false;
   done(world, tg_context_draw(world->gpu, &info, world->diagnostics));
}

/* ---- clears, copies, transfers ------------------------------------------- */

static void
clear(struct world *world)
{
   const struct tg_scissor scissor = {5, 7, 40, next_byte(world)};
   const union tg_color color = {
      .f = {real(world), real(world), real(world), real(world)}};
   uint8_t texel[32]; /* as many as any format has */
   for (unsigned i = 0; i < sizeof(texel); i++)
      texel[i] = next_byte(world);
   struct tg_resource *resource = any_resource(world);
   const struct tg_box box = any_box(world, resource);
   static const uint8_t sizes[] = {1, 2, 4, 8, 12, 16, 3};
   switch (below(world, 4)) {
   case 0:
      done(world,
           tg_context_clear_texture(world->gpu, resource, number(world, 1),
                                    &box, texel, world->diagnostics));
      break;
   case 1:
      done(world, tg_context_clear_buffer(
                     world->gpu, resource, number(world, 16) * 4,
                     number(world, 16) * 4, texel,
                     sizes[below(world, sizeof(sizes))], world->diagnostics));
      break;
   default:
      done(world,
           tg_context_clear(world->gpu, number(world, TG_CLEAR_ALL),
                            flag(world) ? &scissor : NULL, &color, real(world),
                            next_byte(world), world->diagnostics));
   }
}

static void
clear_surface(struct world *world)
{
   static const uint32_t buffers[] = {TG_CLEAR_COLOR0, TG_CLEAR_COLOR0,
                                      TG_CLEAR_DEPTH, TG_CLEAR_STENCIL,
                                      TG_CLEAR_DEPTH | TG_CLEAR_STENCIL};
   struct tg_clear_info info = TG_CLEAR_INIT;
   info.surface = any_surface(world, rarely(world, 32) ? any_buffer(world)
                                                       : any_texture(world));
   info.buffers = rarely(world, 16) ? number(world, TG_CLEAR_ALL)
                                    : buffers[below(world, 5)];
   info.scissor_enable = flag(world);
   info.scissor = any_rectangle(world);
   for (unsigned i = 0; i < 4; i++)
      info.color.f[i] = real(world);
   info.depth = real(world);
   info.stencil = next_byte(world);
   info.render_condition_enable = flag(world);
   done(world, tg_context_clear_surface(world->gpu, &info, world->diagnostics));
}

static void
copy(struct world *world)
{
   struct tg_resource *src = any_resource(world);
   const struct tg_box box = any_box(world, src);
   struct tg_resource *dst = flag(world) ? src : any_resource(world);
   const uint32_t level = number(world, 1);
   const uint32_t x = number(world, 16);
   const uint32_t y = number(world, 16);
   const uint32_t z = number(world, 1);
   done(world, tg_context_copy(world->gpu, dst, level, x, y, z, src,
                               number(world, 1), &box, world->diagnostics));
}

static struct tg_blit_side
any_side(struct world *world)
{
   struct tg_resource *resource = any_texture(world);
   const struct tg_box box = any_box(world, resource);
   struct tg_blit_side side = {
      .resource = resource,
      .format = rarely(world, 16) ? any_format(world) : 0,
      .level = number(world, 1),
      .x = (int32_t)box.x,
      .y = (int32_t)box.y,
      .z = (int32_t)box.z,
      .width = (int32_t)box.width,
      .height = (int32_t)box.height,
      .depth = (int32_t)box.depth,
   };
   if (rarely(world, 4) && side.x >= 0 && side.width > 0 &&
       side.x <= INT32_MAX - side.width) {
      side.x += side.width;
      side.width = -side.width;
   }
   return side;
}

static void
blit(struct world *world)
{
   struct tg_blit_info info = {
      .size = sizeof(info), .dst = any_side(world), .src = any_side(world)};
   info.mask = choice(world, 64);
   info.filter = choice(world, 2);
   info.scissor_enable = rarely(world, 4);
   info.scissor = (struct tg_scissor){3, 2, next_byte(world), 30};
   info.render_condition_enable = flag(world);
   info.alpha_blend = rarely(world, 4);
   info.window_rectangle_enable = rarely(world, 4);
   done(world, tg_context_blit(world->gpu, &info, world->diagnostics));
}

/* Bytes of all of a level's slice; 0 when they are too many. */
static size_t
box_bytes(const struct tg_resource *resource, const struct tg_box *box)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   const struct tg_format_block block = tg_format_get_block(desc->format);
   const bool is_buffer = desc->target == TG_TEXTURE_BUFFER;
   if (box->width > 4096 || box->height > 128 || box->depth > 4)
      return 0;
   const size_t bytes = (size_t)box->width * box->height * box->depth *
                        (is_buffer ? 1 : block.bytes);
   return bytes <= MAX_LEVEL_BYTES ? bytes : 0;
}

static void
transfer(struct world *world)
{
   struct tg_resource *resource = any_resource(world);
   const struct tg_box box = any_box(world, resource);
   const uint32_t level = number(world, 1);
   const uint32_t sample = rarely(world, 2) ? number(world, 3) : 0;
   const size_t size = box_bytes(resource, &box);
   const uint8_t fill = next_byte(world);
   uint8_t *bytes = malloc(size + 1);
   if (!bytes)
      abort();
   memset(bytes, fill, size);
   if (size && flag(world)) {
      done_silently(world, tg_context_write(world->gpu, resource, level, sample,
                                            &box, bytes, 0, 0));
   } else if (size) {
      done_silently(world, tg_context_read(world->gpu, resource, level, sample,
                                           &box, bytes, 0, 0));
      note(world, bytes, size);
   }
   free(bytes);
}

static void
fill_in_order(struct world *world, struct tg_resource *buffer, uint32_t size,
              uint32_t value)
{
   const struct tg_box all = {0, 0, 0, size, 1, 1};
   uint8_t *bytes = malloc(size + 1);
   if (!bytes)
      abort();
   memset(bytes, (int)value, size);
   done_silently(world,
                 tg_context_write(world->gpu, buffer, 0, 0, &all, bytes, 0, 0));
   free(bytes);
}

/* Reads or writes all that is mapped, of formats whose blocks are texels. */
static void
use_map(struct world *world, const struct tg_map *map, uint32_t flags,
        const struct tg_resource *resource, const struct tg_box *box)
{
   const struct tg_format_block block =
      tg_format_get_block(tg_resource_get_desc(resource)->format);
   const uint8_t fill = next_byte(world);
   size_t row_stride, slice_stride;
   uint8_t *data = tg_map_get_data(map, &row_stride, &slice_stride);
   if (!box_bytes(resource, box) || block.width > 1 || block.height > 1)
      return;
   const size_t row_bytes =
      (size_t)box->width * (block.bytes ? block.bytes : 1);
   for (uint32_t z = 0; z < box->depth; z++) {
      for (uint32_t y = 0; y < box->height; y++) {
         uint8_t *row = data + z * slice_stride + y * row_stride;
         if (flags & TG_MAP_READ)
            note(world, row, row_bytes);
         if (flags & TG_MAP_WRITE)
            memset(row, fill, row_bytes);
      }
   }
}

static void
map(struct world *world)
{
   static const uint8_t usual[] = {
      TG_MAP_READ,
      TG_MAP_WRITE,
      TG_MAP_READ | TG_MAP_WRITE,
      TG_MAP_WRITE | TG_MAP_DISCARD_RANGE,
      TG_MAP_WRITE | TG_MAP_DISCARD_WHOLE,
      TG_MAP_READ | TG_MAP_PERSISTENT,
   };
   struct tg_resource *resource = any_resource(world);
   const struct tg_box box = any_box(world, resource);
   const uint32_t level = number(world, 1);
   const uint32_t flags =
      rarely(world, 16) ? next_byte(world) : usual[below(world, sizeof(usual))];
   struct tg_map *map;
   if (!done(world, tg_context_map(world->gpu, resource, level, &box, flags,
                                   world->diagnostics, &map)))
      return;
   /* What is in use may be anything then. */
   if (flags & TG_MAP_UNSYNCHRONIZED)
      world->is_exact = false;
   use_map(world, map, flags, resource, &box);
   done_silently(world, tg_context_unmap(world->gpu, map));
}

static void
set_constants(struct world *world)
{
   uint8_t bytes[256];
   const uint32_t size = below(world, 2) * 16 + number(world, 16);
   memset(bytes, next_byte(world) % 64, sizeof(bytes));
   if (size <= sizeof(bytes))
      done(world, tg_bindings_set_constants(world->bindings, choice(world, 3),
                                            bytes, size, world->diagnostics));
}

/* All of a buffer, or a value all over a part of it. */
static void
rewrite(struct world *world)
{
   struct tg_resource *buffer = any_buffer(world);
   const uint32_t size = tg_resource_get_desc(buffer)->width;
   const uint32_t value[4] = {below(world, 16), 0, 0, below(world, 16)};
   if (flag(world)) {
      fill_in_order(world, buffer, size, value[0]);
      return;
   }
   done(world, tg_context_clear_buffer(world->gpu, buffer, number(world, 8) * 4,
                                       number(world, size / 8) * 4, value,
                                       rarely(world, 8) ? below(world, 20) : 4,
                                       world->diagnostics));
}

static void
wait(struct world *world)
{
   const struct tg_resource *resource = any_resource(world);
   const enum tg_access access =
      below(world, 2) ? TG_ACCESS_WRITE : TG_ACCESS_READ;
   tg_context_is_busy(world->gpu, resource, access);
   if (flag(world) &&
       !tg_context_wait(world->gpu, resource, access, UINT64_MAX))
      abort();
   tg_context_wait(world->gpu, resource, access, 0);
}

/* ---- queries, fences ----------------------------------------------------- */

static bool
counts(enum tg_query_type type)
{
   return type != TG_QUERY_TIMESTAMP && type != TG_QUERY_TIME_ELAPSED &&
          type != TG_QUERY_GPU_FINISHED && type != TG_QUERY_TIMESTAMP_DISJOINT;
}

static void
query(struct world *world)
{
   const unsigned place = below(world, NUM_QUERIES);
   struct tg_query **held = &world->queries[place];
   if (!*held || rarely(world, 8)) {
      const enum tg_query_type type = choice(world, 13);
      tg_query_destroy(*held);
      *held = NULL;
      if (done(world, tg_query_create(world->gpu, type, choice(world, 2),
                                      world->diagnostics, held)))
         world->query_types[place] = type;
      return;
   }
   const bool is_exact = counts(world->query_types[place]);
   union tg_query_result result;
   memset(&result, 0, sizeof(result));
   switch (below(world, 6)) {
   case 0:
   case 1: done(world, tg_query_begin(*held, world->diagnostics)); break;
   case 2: done(world, tg_query_end(*held, world->diagnostics)); break;
   case 3:
      if (tg_query_get_result(*held, flag(world), &result) && is_exact) {
         /* Whether it is there yet depends on threads; what it is does not. */
         tg_query_get_result(*held, true, &result);
      }
      if (tg_query_get_result(*held, true, &result) && is_exact)
         note(world, &result, sizeof(result));
      break;
   case 4:
      if (is_exact)
         done(world,
              tg_query_write_result(
                 *held, true, (enum tg_query_value)choice(world, 4),
                 rarely(world, 4) ? (int)number(world, 11) - 1 : 0,
                 rarely(world, 32) ? any_resource(world) : any_buffer(world),
                 number(world, 16) * 4, world->diagnostics));
      break;
   default:
      tg_context_set_condition(world->gpu,
                               is_exact && rarely(world, 3) ? *held : NULL,
                               rarely(world, 4));
   }
}

static void
synchronise(struct world *world)
{
   switch (below(world, 4)) {
   case 0:
      tg_fence_destroy(world->fence);
      world->fence = NULL;
      done(world, tg_context_flush(world->gpu, &world->fence));
      break;
   case 1: done(world, tg_context_flush(world->gpu, NULL)); break;
   case 2:
      if (world->fence)
         tg_fence_wait(world->fence, flag(world) ? UINT64_MAX : 0);
      break;
   default: done(world, tg_context_finish(world->gpu, world->diagnostics));
   }
}

static void
dispatch(struct world *world)
{
   struct tg_grid grid = TG_GRID_INIT;
   grid.grid[0] = below(world, 4);
   grid.block[0] = choice(world, 20);
   grid.num_threads = 1;
   done(world, tg_context_dispatch(world->gpu, compute_program,
                                   rarely(world, 8) ? NULL : world->bindings,
                                   &grid, world->diagnostics));
}

static void
count_pixels(struct world *world)
{
   const struct tg_pixel_counters counters = {
      .size = sizeof(counters),
      .width = 1 + below(world, COUNTERS_SIZE),
      .height = 1 + below(world, COUNTERS_SIZE),
      .fragments = rarely(world, 4) ? NULL : world->counters[0],
      .instructions = rarely(world, 4) ? NULL : world->counters[1],
   };
   tg_context_set_pixel_counters(world->gpu,
                                 rarely(world, 4) ? NULL : &counters);
}

/* Counts that do not depend on who did the work. */
static void
note_statistics(struct world *world)
{
   struct tg_context_statistics statistics = TG_CONTEXT_STATISTICS_INIT;
   tg_context_get_statistics(world->gpu, &statistics);
   note(world, &statistics.pipeline, sizeof(statistics.pipeline));
   note(world, &statistics.samples_passed, sizeof(statistics.samples_passed));
   note(world, world->counters, sizeof(world->counters));
}

/* ---- a run --------------------------------------------------------------- */

/* All that let_go() takes away. */
static void
settle(struct world *world)
{
   const struct tg_framebuffer_state plain = {
      .size = sizeof(plain),
      .width = 72,
      .height = 68,
      .num_colors = 1,
      .colors[0] = tg_surface_of(world->resources[0]),
   };
   if (done(world,
            tg_context_set_framebuffer(world->gpu, &plain, world->diagnostics)))
      world->drawn_to = 1;
   for (unsigned i = 0; i < TG_NUM_GPU_STAGES; i++)
      tg_context_set_bindings(world->gpu, i, world->bindings);
   set_framebuffer(world);
   set_vertices(world);
}

static void
call(struct world *world)
{
   static void (*const calls[])(struct world *) = {
      set_blend,
      set_rasterizer,
      set_depth_stencil_alpha,
      set_view,
      set_vertices,
      set_samples_and_planes,
      set_shader,
      set_framebuffer,
      bind,
      set_shader,
      set_stream_targets,
      clear,
      copy,
      blit,
      transfer,
      query,
      query,
      synchronise,
      dispatch,
      count_pixels,
      set_windows,
      clear_surface,
      map,
      set_constants,
      rewrite,
      wait,
   };
   const unsigned which = below(world, 32);
   if (which < sizeof(calls) / sizeof(calls[0]))
      calls[which](world);
   else if (which == 30)
      make_shader(world, below(world, NUM_SHADERS));
   else if (which == 31) {
      let_go(world);
      replace(world, below(world, NUM_RESOURCES));
      settle(world);
   } else
      draw(world);
}

/* What most draws need, so that not each input has to find it. */
static void
begin(struct world *world, unsigned num_threads, bool check)
{
   struct tg_device_options device_options = TG_DEVICE_OPTIONS_INIT;
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   device_options.num_threads = num_threads;
   device_options.check = check;
   options.max_work = MAX_WORK;
   world->diagnostics = tg_diagnostics_create(NULL);
   if (context_alone(NULL, &device_options, &options, &world->gpu) != TG_OK ||
       tg_bindings_create(NULL, &world->bindings) != TG_OK)
      abort();
   const struct tg_resource_desc plain = {
      .size = sizeof(plain),
      .target = TG_TEXTURE_2D,
      .format = tg_format_number("R8G8B8A8_UNORM"),
      .width = 72,
      .height = 68,
   };
   for (unsigned i = 0; i < NUM_RESOURCES; i++) {
      while (i && !world->resources[i])
         replace(world, i);
      if (!i)
         done(world, tg_resource_create(NULL, &plain, world->diagnostics,
                                        &world->resources[0]));
   }
   const struct tg_viewport viewport = tg_viewport_of(72, 68, true, false);
   tg_context_set_viewports(world->gpu, 0, 1, &viewport, NULL);
   for (unsigned i = 0; i < NUM_SHADERS; i++) {
      while (!world->shaders[i])
         make_shader(world, i);
   }
   settle(world);
   tg_context_set_shader(world->gpu, TG_GPU_VERTEX, world->shaders[0], NULL);
   tg_context_set_shader(world->gpu, TG_GPU_FRAGMENT,
                         world->shaders[NUM_SHADERS - 7], NULL);
}

/* All that is in a level of a resource. */
static void
note_contents(struct world *world, struct tg_resource *resource)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   const struct tg_box box = {0, 0, 0, desc->width, desc->height, 1};
   const size_t size = box_bytes(resource, &box);
   uint8_t *bytes = calloc(1, size + 1);
   if (!bytes)
      abort();
   for (uint32_t sample = 0; size && sample < desc->samples; sample++) {
      done_silently(world, tg_context_read(world->gpu, resource, 0, sample,
                                           &box, bytes, 0, 0));
      note(world, bytes, size);
   }
   free(bytes);
}

static void
drop_shaders(struct world *world)
{
   for (unsigned i = 0; i < NUM_SHADERS; i++) {
      tg_gpu_shader_destroy(world->shaders[i]);
      world->shaders[i] = NULL;
   }
}

/* Objects go before the GPU, with it or after it. */
static void
end(struct world *world)
{
   if (flag(world))
      drop_shaders(world);
   if (flag(world)) {
      for (unsigned i = 0; i < NUM_QUERIES; i++)
         tg_query_destroy(world->queries[i]);
   }
   for (unsigned i = 0; i < NUM_RESOURCES; i++)
      note_contents(world, world->resources[i]);
   done(world, tg_context_finish(world->gpu, world->diagnostics));
   note_statistics(world);
   tg_fence_destroy(world->fence);
   tg_context_destroy(world->gpu);
   drop_shaders(world);
   tg_bindings_destroy(world->bindings);
   for (unsigned i = 0; i < NUM_RESOURCES; i++)
      tg_resource_destroy(world->resources[i]);
   tg_diagnostics_destroy(world->diagnostics);
}

static struct world
run(const uint8_t *data, size_t size, unsigned num_threads, bool check)
{
   struct world world = {.data = data, .size = size, .is_exact = true};
   begin(&world, num_threads, check);
   for (unsigned i = 0; i < NUM_CALLS || world.size; i++) {
      if (i == 4 * NUM_CALLS)
         break;
      call(&world);
   }
   end(&world);
   return world;
}

static struct tg_shader *
parse(const char *text)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader;
   if (tg_shader_parse(NULL, "shader", text, strlen(text), TG_DIALECT_2019,
                       diagnostics, &shader) != TG_OK) {
      fputs(tg_diagnostics_text(diagnostics), stderr);
      abort();
   }
   tg_diagnostics_destroy(diagnostics);
   return shader;
}

static void
make_sources(void)
{
   for (unsigned i = 0; i < NUM_SHADERS; i++)
      sources[i] = parse(gpu_shaders[i]);
   compute_source = parse(gpu_compute_shader);
   if (tg_program_create(NULL, compute_source, NULL, NULL, &compute_program) !=
       TG_OK)
      abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   if (!compute_program)
      make_sources();
   const struct world one = run(data, size, 1, false);
   const struct world three = run(data, size, 3, false);
   if (one.is_exact && three.is_exact && one.hash != three.hash)
      abort();
   if (size % 4 == 0)
      run(data, size, 1, true);
   return 0;
}
