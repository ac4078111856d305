/* SPDX-License-Identifier: MIT
 *
 * What changes between two draws counts for the second, and what is put back
 * counts for the third: each thing that a pipeline, or a kernel of it, is made
 * for, changed by itself, between two scenes and within one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../context.h"
#include "../state.h"
#include "format/format.h"

enum { SIZE = 4, NUM_PIXELS = SIZE * SIZE };

enum shader {
   VERTEX,
   OTHER_VERTEX,
   FRAGMENT,
   OTHER_FRAGMENT,
   NUM_SHADERS,
};

/* All that is drawn is (2, 3, 4, 5), the texture of the vertex shader more,
 * which is 0, and 1 of the fragment shader's, and their constants, which are 0.
 * The other vertex shader feeds nothing. */
static const char *const texts[NUM_SHADERS] = {
   [VERTEX] =
      "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
      "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\n"
      "DCL CONST[0]\nIMM[0] FLT32 {2, 3, 4, 5}\nIMM[1] UINT32 {0, 0, 0, 0}\n"
      "TXF TEMP[0], IMM[1], SAMP[0], 2D\n"
      "ADD TEMP[0], TEMP[0], CONST[0]\n"
      "MOV OUT[0], IN[0]\nADD OUT[1], TEMP[0], IMM[0]\nEND\n",
   [OTHER_VERTEX] = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n"
                    "DCL OUT[1], GENERIC[1]\nIMM[0] FLT32 {2, 3, 4, 5}\n"
                    "MOV OUT[0], IN[0]\nMOV OUT[1], IMM[0]\nEND\n",
   [FRAGMENT] = "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\n"
                "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\n"
                "DCL CONST[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
                "TXF TEMP[0], IMM[0], SAMP[0], 2D\n"
                "ADD TEMP[0], TEMP[0], CONST[0]\n"
                "ADD OUT[0], TEMP[0], IN[0]\nEND\n",
   [OTHER_FRAGMENT] = ("FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {7, 7, 7, 7}\n"
                       "MOV OUT[0], IMM[0]\nEND\n"),
};

struct world {
   struct tg_context *context;
   struct tg_gpu_shader *shaders[NUM_SHADERS];
   struct tg_resource *vertices, *texture;
   struct tg_resource *colors[3]; /* floats, bytes, floats of 4 samples */
   struct tg_resource *depth;     /* and stencil, of the first two */
   unsigned target;               /* of them */
   enum tg_prim mode;
   struct tg_bindings *bindings, *vertex_bindings;
   struct tg_view *views[2]; /* the second is all 0 */
   uint32_t counts[NUM_PIXELS];
};

/* ---- setting up ---------------------------------------------------------- */

static void
good(enum tg_result result)
{
   assert_int_equal(result, TG_OK);
}

static struct tg_resource *
make(uint32_t format, uint32_t size, uint32_t samples)
{
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   struct tg_resource *made;

   desc.width = size;
   if (format) {
      desc.target = TG_TEXTURE_2D;
      desc.format = format;
      desc.height = size;
      desc.samples = samples;
   }
   good(tg_resource_create(NULL, &desc, NULL, &made));
   return made;
}

static void
make_shaders(struct world *world)
{
   struct tg_device *device = tg_context_get_device(world->context);

   for (unsigned i = 0; i < NUM_SHADERS; i++) {
      struct tg_shader *source;
      good(tg_shader_parse(NULL, "test", texts[i], strlen(texts[i]),
                           TG_DIALECT_2019, NULL, &source));
      good(
         tg_gpu_shader_create(device, source, NULL, NULL, &world->shaders[i]));
      tg_shader_destroy(source);
   }
}

static void
make_bindings(struct world *world)
{
   static const float ones[4] = {1, 1, 1, 1};
   const struct tg_box one = {.width = 1, .height = 1, .depth = 1};

   world->texture = make(TG_FORMAT_R32G32B32A32_FLOAT, 1, 0);
   good(tg_resource_write(world->texture, 0, 0, &one, ones, 0, 0));
   struct tg_view_desc desc = tg_view_desc_of(world->texture);
   good(tg_view_create(NULL, &desc, NULL, &world->views[0]));
   memset(desc.swizzle, TG_SWIZZLE_0, sizeof(desc.swizzle));
   good(tg_view_create(NULL, &desc, NULL, &world->views[1]));
   good(tg_bindings_create(NULL, &world->bindings));
   good(tg_bindings_set_view(world->bindings, 0, world->views[0], NULL));
   tg_context_set_bindings(world->context, TG_GPU_FRAGMENT, world->bindings);
   good(tg_bindings_create(NULL, &world->vertex_bindings));
   good(tg_bindings_set_view(world->vertex_bindings, 0, world->views[1], NULL));
   tg_context_set_bindings(world->context, TG_GPU_VERTEX,
                           world->vertex_bindings);
}

static void
draw_to(struct world *world, unsigned target)
{
   struct tg_framebuffer_state framebuffer = TG_FRAMEBUFFER_INIT;

   framebuffer.width = framebuffer.height = SIZE;
   framebuffer.num_colors = 1;
   framebuffer.colors[0] = tg_surface_of(world->colors[target]);
   if (target < 2)
      framebuffer.depth_stencil = tg_surface_of(world->depth);
   good(tg_context_set_framebuffer(world->context, &framebuffer, NULL));
   world->target = target;
}

/* ---- state that changes nothing until some of it changes ----------------- */

/* Times the blend colour. */
static void
bind_usual_blend(struct world *world)
{
   static const float ones[4] = {1, 1, 1, 1};
   struct tg_blend_state blend = TG_BLEND_INIT;
   struct tg_blend_target *target = &blend.targets[0];

   target->blend_enable = true;
   target->rgb_func = target->alpha_func = TG_BLEND_ADD;
   target->rgb_src_factor = target->alpha_src_factor = TG_BLEND_CONST_COLOR;
   target->rgb_dst_factor = target->alpha_dst_factor = TG_BLEND_ZERO;
   good(bind_blend(world->context, &blend, NULL));
   tg_context_set_blend_color(world->context, ones);
}

/* With all that can leave something out. */
static struct tg_rasterizer_state
usual_rasterizer(void)
{
   struct tg_rasterizer_state rasterizer = TG_RASTERIZER_INIT;

   rasterizer.scissor = true;
   rasterizer.poly_stipple_enable = true;
   rasterizer.clip_plane_enable = 1;
   return rasterizer;
}

/* Where the stencil is its reference, 0. */
static struct tg_depth_stencil_alpha_state
usual_tests(void)
{
   struct tg_depth_stencil_alpha_state tests = TG_DEPTH_STENCIL_ALPHA_INIT;

   tests.stencil[0].enabled = true;
   tests.stencil[0].func = TG_COMPARE_EQUAL;
   tests.stencil[0].valuemask = 0xff;
   return tests;
}

static void
set_plane(struct world *world, float w)
{
   const float planes[TG_MAX_CLIP_PLANES][4] = {{0, 0, 0, w}};

   tg_context_set_clip_planes(world->context, planes);
}

static void
set_scissor(struct world *world, uint16_t size)
{
   const struct tg_scissor scissor = {.max_x = size, .max_y = size};

   good(tg_context_set_scissors(world->context, 0, 1, &scissor, NULL));
}

static void
set_constants(struct tg_bindings *bindings, float value)
{
   const float constants[4] = {value, value, value, value};

   good(tg_bindings_set_constants(bindings, 0, constants, sizeof(constants),
                                  NULL));
}

static void
set_vertices(struct world *world, uint32_t offset)
{
   const struct tg_vertex_buffer buffer = {world->vertices, offset, 16};

   good(tg_context_set_vertex_buffers(world->context, 0, 1, &buffer, NULL));
}

static void
set_viewport(struct world *world, float x)
{
   struct tg_viewport viewport = tg_viewport_of(SIZE, SIZE, false, false);

   viewport.translate[0] += x;
   good(tg_context_set_viewports(world->context, 0, 1, &viewport, NULL));
}

static void
set_usual_state(struct world *world)
{
   const struct tg_rasterizer_state rasterizer = usual_rasterizer();
   const struct tg_depth_stencil_alpha_state tests = usual_tests();

   bind_usual_blend(world);
   good(bind_rasterizer(world->context, &rasterizer, NULL));
   good(bind_depth_stencil_alpha(world->context, &tests, NULL));
   set_plane(world, 1);
   set_scissor(world, SIZE);
   set_constants(world->bindings, 0);
   set_constants(world->vertex_bindings, 0);
   set_vertices(world, 0);
   set_viewport(world, 0);
}

static void
begin(struct world *world)
{
   static const float corners[4][4] = {
      {-1, -1, 0, 1}, {7, -1, 0, 1}, {-1, 7, 0, 1}, {-0.25f, -0.25f, 0, 1}};
   const struct tg_vertex_element element = {
      .format = TG_FORMAT_R32G32B32A32_FLOAT,
   };

   *world = (struct world){.mode = TG_PRIM_TRIANGLES};
   good(context_alone(NULL, NULL, NULL, &world->context));
   struct tg_context *context = world->context;
   make_shaders(world);
   make_bindings(world);
   world->vertices = make(TG_FORMAT_NONE, sizeof(corners), 0);
   memcpy(tg_resource_map_buffer(world->vertices), corners, sizeof(corners));
   world->colors[0] = make(TG_FORMAT_R32G32B32A32_FLOAT, SIZE, 0);
   world->colors[1] = make(TG_FORMAT_R8G8B8A8_UNORM, SIZE, 0);
   world->colors[2] = make(TG_FORMAT_R32G32B32A32_FLOAT, SIZE, 4);
   world->depth = make(TG_FORMAT_Z24_UNORM_S8_UINT, SIZE, 0);
   good(bind_vertex_elements(context, 1, &element, NULL));
   good(tg_context_set_shader(context, TG_GPU_VERTEX, world->shaders[VERTEX],
                              NULL));
   good(tg_context_set_shader(context, TG_GPU_FRAGMENT,
                              world->shaders[FRAGMENT], NULL));
   set_usual_state(world);
   draw_to(world, 0);
}

static void
end(struct world *world)
{
   tg_context_destroy(world->context);
   for (unsigned i = 0; i < NUM_SHADERS; i++)
      tg_gpu_shader_destroy(world->shaders[i]);
   for (unsigned i = 0; i < 3; i++)
      tg_resource_destroy(world->colors[i]);
   tg_resource_destroy(world->depth);
   for (unsigned i = 0; i < 2; i++)
      tg_view_destroy(world->views[i]);
   tg_bindings_destroy(world->bindings);
   tg_bindings_destroy(world->vertex_bindings);
   tg_resource_destroy(world->texture);
   tg_resource_destroy(world->vertices);
}

/* ---- drawing ------------------------------------------------------------- */

/* Over whatever was there, in the scene that is being filled. */
static void
draw_on(struct world *world)
{
   const bool is_point = world->mode == TG_PRIM_POINTS;
   const struct tg_draw_range range = {
      .start = is_point ? 3 : 0,
      .count = is_point ? 1 : 3,
   };
   const union tg_color nothing = {.f = {0}};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.mode = world->mode;
   info.draws = &range;
   good(tg_context_clear(world->context, TG_CLEAR_ALL, NULL, &nothing, 0, 0,
                         NULL));
   good(tg_context_draw(world->context, &info, NULL));
}

static void
draw(struct world *world)
{
   draw_on(world);
   good(tg_context_finish(world->context, NULL));
}

static void
expect_pixel(const struct world *world, const float expected[4])
{
   const struct tg_box one = {
      .x = 1, .y = 1, .width = 1, .height = 1, .depth = 1};
   float pixel[4];
   uint8_t bytes[4];

   if (world->target == 1) {
      good(tg_resource_read(world->colors[1], 0, 0, &one, bytes, 0, 0));
      for (unsigned i = 0; i < 4; i++)
         pixel[i] = (float)bytes[i] / 255.0f;
   } else {
      good(tg_resource_read(world->colors[0], 0, 0, &one, pixel, 0, 0));
   }
   assert_memory_equal(pixel, expected, sizeof(pixel));
}

/* ---- what changes -------------------------------------------------------- */

static void
change_blend(struct world *world, bool is_changed)
{
   struct tg_blend_state blend = TG_BLEND_INIT;

   blend.targets[0].colormask = TG_CHANNEL_R;
   if (is_changed)
      good(bind_blend(world->context, &blend, NULL));
   else
      bind_usual_blend(world);
}

static void
change_blend_color(struct world *world, bool is_changed)
{
   const float color[4] = {1, is_changed ? 2 : 1, is_changed ? 0 : 1, 1};

   tg_context_set_blend_color(world->context, color);
}

static void
change_rasterizer(struct world *world, bool is_changed)
{
   struct tg_rasterizer_state rasterizer = usual_rasterizer();

   rasterizer.clamp_fragment_color = is_changed;
   good(bind_rasterizer(world->context, &rasterizer, NULL));
}

static void
change_clip_planes(struct world *world, bool is_changed)
{
   set_plane(world, is_changed ? -1 : 1);
}

static void
change_scissor(struct world *world, bool is_changed)
{
   set_scissor(world, is_changed ? 1 : SIZE);
}

static void
change_viewport(struct world *world, bool is_changed)
{
   set_viewport(world, is_changed ? 2 : 0);
}

static void
change_stipple(struct world *world, bool is_changed)
{
   static const uint32_t nothing[32];

   tg_context_set_polygon_stipple(world->context, is_changed ? nothing : NULL);
}

static void
change_sample_mask(struct world *world, bool is_changed)
{
   tg_context_set_sample_mask(world->context, is_changed ? 0 : UINT32_MAX);
}

/* Alpha is 6. */
static void
change_tests(struct world *world, bool is_changed)
{
   struct tg_depth_stencil_alpha_state tests = usual_tests();

   tests.alpha_enabled = is_changed;
   tests.alpha_func = TG_COMPARE_LESS;
   tests.alpha_ref_value = 1;
   good(bind_depth_stencil_alpha(world->context, &tests, NULL));
}

static void
change_stencil_ref(struct world *world, bool is_changed)
{
   const uint8_t ref[2] = {is_changed, is_changed};

   tg_context_set_stencil_ref(world->context, ref);
}

static void
change_constants(struct world *world, bool is_changed)
{
   set_constants(world->bindings, is_changed);
}

static void
change_vertex_constants(struct world *world, bool is_changed)
{
   set_constants(world->vertex_bindings, is_changed);
}

/* The last vertex, and nothing after it: no triangle. */
static void
change_vertices(struct world *world, bool is_changed)
{
   set_vertices(world, is_changed ? 48 : 0);
}

static void
change_elements(struct world *world, bool is_changed)
{
   const struct tg_vertex_element element = {
      .format = TG_FORMAT_R32G32B32A32_FLOAT,
      .src_offset = is_changed ? 48 : 0,
   };

   good(bind_vertex_elements(world->context, 1, &element, NULL));
}

static void
change_vertex_shader(struct world *world, bool is_changed)
{
   good(tg_context_set_shader(
      world->context, TG_GPU_VERTEX,
      world->shaders[is_changed ? OTHER_VERTEX : VERTEX], NULL));
}

static void
change_fragment_shader(struct world *world, bool is_changed)
{
   good(tg_context_set_shader(
      world->context, TG_GPU_FRAGMENT,
      world->shaders[is_changed ? OTHER_FRAGMENT : FRAGMENT], NULL));
}

static void
change_framebuffer(struct world *world, bool is_changed)
{
   draw_to(world, is_changed);
}

/* The context is not told. */
static void
change_view(struct world *world, bool is_changed)
{
   good(
      tg_bindings_set_view(world->bindings, 0, world->views[is_changed], NULL));
}

static void
change_bindings(struct world *world, bool is_changed)
{
   tg_context_set_bindings(world->context, TG_GPU_FRAGMENT,
                           is_changed ? NULL : world->bindings);
}

static void
change_vertex_view(struct world *world, bool is_changed)
{
   good(tg_bindings_set_view(world->vertex_bindings, 0,
                             world->views[!is_changed], NULL));
}

static void
change_vertex_bindings(struct world *world, bool is_changed)
{
   tg_context_set_bindings(world->context, TG_GPU_VERTEX,
                           is_changed ? world->bindings
                                      : world->vertex_bindings);
}

/* The vertex after the triangle's is in pixel (1, 1). */
static void
change_mode(struct world *world, bool is_changed)
{
   world->mode = is_changed ? TG_PRIM_POINTS : TG_PRIM_TRIANGLES;
}

static const struct row {
   const char *name;
   void (*change)(struct world *world, bool is_changed);
   float pixel[4];
} rows[] = {
   {"blend", change_blend, {3, 0, 0, 0}},
   {"blend colour", change_blend_color, {3, 8, 0, 6}},
   {"rasterizer", change_rasterizer, {1, 1, 1, 1}},
   {"clip planes", change_clip_planes, {0, 0, 0, 0}},
   {"scissor", change_scissor, {0, 0, 0, 0}},
   {"viewport", change_viewport, {0, 0, 0, 0}},
   {"stipple", change_stipple, {0, 0, 0, 0}},
   {"sample mask", change_sample_mask, {0, 0, 0, 0}},
   {"tests", change_tests, {0, 0, 0, 0}},
   {"stencil reference", change_stencil_ref, {0, 0, 0, 0}},
   {"constants", change_constants, {4, 5, 6, 7}},
   {"vertex constants", change_vertex_constants, {4, 5, 6, 7}},
   {"vertex buffer", change_vertices, {0, 0, 0, 0}},
   {"vertex elements", change_elements, {0, 0, 0, 0}},
   {"vertex shader", change_vertex_shader, {1, 1, 1, 1}},
   {"fragment shader", change_fragment_shader, {7, 7, 7, 7}},
   {"framebuffer", change_framebuffer, {1, 1, 1, 1}},
   {"view", change_view, {2, 3, 4, 5}},
   {"bindings", change_bindings, {2, 3, 4, 5}},
   {"vertex view", change_vertex_view, {4, 5, 6, 7}},
   {"vertex bindings", change_vertex_bindings, {4, 5, 6, 7}},
   {"mode", change_mode, {3, 4, 5, 6}},
};

static const float usual[4] = {3, 4, 5, 6};

static void
changes_count_for_the_next_scene(void **state)
{
   struct world world;
   (void)state;

   begin(&world);
   draw(&world);
   expect_pixel(&world, usual);
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      print_message("%s\n", rows[i].name);
      rows[i].change(&world, true);
      draw(&world);
      expect_pixel(&world, rows[i].pixel);
      rows[i].change(&world, false);
      draw(&world);
      expect_pixel(&world, usual);
   }
   end(&world);
}

static void
changes_count_within_a_scene(void **state)
{
   struct world world;
   (void)state;

   begin(&world);
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      print_message("%s\n", rows[i].name);
      draw_on(&world);
      rows[i].change(&world, true);
      draw(&world);
      expect_pixel(&world, rows[i].pixel);
      draw_on(&world);
      rows[i].change(&world, false);
      draw(&world);
      expect_pixel(&world, usual);
   }
   end(&world);
}

/* Clears heed them, too, so the pixel is what was there before them. */
static void
window_rectangles_count_within_a_scene(void **state)
{
   static const struct tg_scissor all = {.max_x = SIZE, .max_y = SIZE};
   static const float nothing[4];
   struct world world;
   (void)state;

   begin(&world);
   set_vertices(&world, 48);
   draw_on(&world);
   good(tg_context_set_window_rectangles(world.context, false, 1, &all, NULL));
   set_vertices(&world, 0);
   draw(&world);
   expect_pixel(&world, nothing);
   draw_on(&world);
   good(tg_context_set_window_rectangles(world.context, false, 0, NULL, NULL));
   draw(&world);
   expect_pixel(&world, usual);
   end(&world);
}

/* A query that begins within a scene counts what comes after it. */
static void
queries_count_within_a_scene(void **state)
{
   union tg_query_result result;
   struct tg_query *query;
   struct world world;
   (void)state;

   begin(&world);
   good(tg_query_create(world.context, TG_QUERY_OCCLUSION_COUNTER, 0, NULL,
                        &query));
   draw_on(&world);
   good(tg_query_begin(query, NULL));
   draw_on(&world);
   good(tg_query_end(query, NULL));
   draw_on(&world);
   assert_true(tg_query_get_result(query, true, &result));
   assert_int_equal(result.u64, NUM_PIXELS);
   tg_query_destroy(query);
   end(&world);
}

static uint64_t
count_fragments(struct world *world)
{
   struct tg_context_statistics before = TG_CONTEXT_STATISTICS_INIT;
   struct tg_context_statistics after = TG_CONTEXT_STATISTICS_INIT;

   good(tg_context_get_statistics(world->context, &before));
   draw(world);
   good(tg_context_get_statistics(world->context, &after));
   return after.fragments - before.fragments;
}

static void
samples_are_shaded_from_the_next_draw_on(void **state)
{
   struct world world;
   (void)state;

   begin(&world);
   draw_to(&world, 2);
   assert_int_equal(count_fragments(&world), NUM_PIXELS);
   tg_context_set_min_samples(world.context, 4);
   assert_int_equal(count_fragments(&world), NUM_PIXELS * 4);
   tg_context_set_min_samples(world.context, 1);
   assert_int_equal(count_fragments(&world), NUM_PIXELS);
   end(&world);
}

static void
costs_are_told_from_the_next_draw_on(void **state)
{
   struct tg_pixel_counters counters = TG_PIXEL_COUNTERS_INIT;
   struct world world;
   (void)state;

   begin(&world);
   draw(&world);
   counters.width = counters.height = SIZE;
   counters.instructions = world.counts;
   good(tg_context_set_pixel_counters(world.context, &counters));
   draw(&world);
   for (unsigned i = 0; i < NUM_PIXELS; i++)
      assert_int_not_equal(world.counts[i], 0);
   end(&world);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(changes_count_for_the_next_scene),
      cmocka_unit_test(changes_count_within_a_scene),
      cmocka_unit_test(window_rectangles_count_within_a_scene),
      cmocka_unit_test(queries_count_within_a_scene),
      cmocka_unit_test(samples_are_shaded_from_the_next_draw_on),
      cmocka_unit_test(costs_are_told_from_the_next_draw_on),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
