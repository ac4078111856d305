/* SPDX-License-Identifier: MIT
 *
 * Multisampled framebuffers, from state to what is read back: every sample for
 * itself, by where Direct3D puts it.
 */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../state.h"
#include "pipe.h"

enum { SIZE = 8, WIDTH = 136, HEIGHT = 128 };

/* The places of four samples, in sixteenths. */
static const int place[4][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};

static struct pipe pipe;

static struct tg_resource *
make_texture_of(enum tg_format format, uint32_t width, uint32_t height,
                uint32_t layers, uint32_t samples)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = layers > 1 ? TG_TEXTURE_2D_ARRAY : TG_TEXTURE_2D,
      .format = format,
      .width = width,
      .height = height,
      .layers = layers,
      .samples = samples,
   };
   struct tg_resource **resource = &pipe.resources[pipe.num_resources++];
   assert_int_equal(tg_resource_create(NULL, &desc, pipe.diagnostics, resource),
                    TG_OK);
   return *resource;
}

static struct tg_resource *
make_texture(enum tg_format format, uint32_t layers)
{
   return make_texture_of(format, SIZE, SIZE, layers, 4);
}

static void
begin_of(uint32_t width, uint32_t height, const char *fragment_text)
{
   pipe_init(&pipe, width, height, pipe_vertex_shader, fragment_text);
   pipe.color =
      make_texture_of(TG_FORMAT_R32G32B32A32_FLOAT, width, height, 1, 4);
   pipe.depth = make_texture_of(TG_FORMAT_Z32_FLOAT, width, height, 1, 4);
   pipe.state.framebuffer.colors[0] = tg_surface_of(pipe.color);
   pipe.state.framebuffer.depth_stencil = tg_surface_of(pipe.depth);
}

static void
begin(const char *fragment_text)
{
   begin_of(SIZE, SIZE, fragment_text);
}

static void
end(void)
{
   pipe_finish(&pipe);
}

/* From x = `left` to the right edge, in one colour; z goes from z0 there to z1
 * at the right edge. */
static void
draw_rectangle(float left, float z0, float z1, float color)
{
   const struct tg_framebuffer_state *target = &pipe.state.framebuffer;
   const float x0 = left / (float)target->width * 2.0f - 1.0f;
   const struct pipe_vertex vertices[4] = {
      {{x0, -1.0f, z0, 1.0f}, {color, color, color, color}},
      {{1.0f, -1.0f, z1, 1.0f}, {color, color, color, color}},
      {{x0, 1.0f, z0, 1.0f}, {color, color, color, color}},
      {{1.0f, 1.0f, z1, 1.0f}, {color, color, color, color}},
   };
   pipe_set_vertices(&pipe, vertices, 4);
   pipe.state.rasterizer.clip_halfz = true;
   pipe.state.viewport =
      tg_viewport_of(target->width, target->height, false, true);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLE_STRIP, 4), TG_OK);
}

/* One sample of all pixels. */
static const float *
read_samples(uint32_t sample)
{
   static float texels[SIZE][SIZE][4];
   const struct tg_box box = {.width = SIZE, .height = SIZE, .depth = 1};
   assert_int_equal(tg_context_read(pipe.gpu, pipe.color, 0, sample, &box,
                                    texels, sizeof(texels[0]), 0),
                    TG_OK);
   return &texels[0][0][0];
}

static double
sample_x(uint32_t x, uint32_t sample)
{
   return x + place[sample][0] / 16.0;
}

/* What every sample is, by its x. */
static void
expect_by_x(double edge, float before, float behind)
{
   for (uint32_t s = 0; s < 4; s++) {
      const float *texels = read_samples(s);
      for (uint32_t y = 0; y < SIZE; y++) {
         for (uint32_t x = 0; x < SIZE; x++)
            assert_true(texels[(y * SIZE + x) * 4] ==
                        (sample_x(x, s) < edge ? before : behind));
      }
   }
}

/* Twice, so that the second finds pixels of one colour. */
static void
edges_cut_pixels(void **state)
{
   (void)state;
   begin(pipe_constant_shader);
   draw_rectangle(0.0f, 0.0f, 0.0f, 1.0f);
   expect_by_x(0.0, 0.0f, 1.0f);
   draw_rectangle(2.5f, 0.0f, 0.0f, 2.0f);
   draw_rectangle(2.75f, 0.0f, 0.0f, 3.0f);
   for (uint32_t s = 0; s < 4; s++) {
      const double x = sample_x(2, s);
      assert_true(read_samples(s)[2 * 4] == (x < 2.5    ? 1.0f
                                             : x < 2.75 ? 2.0f
                                                        : 3.0f));
   }
   end();
}

/* Without multisampling the pixel's centre is all of it. */
static void
centers_may_be_all(void **state)
{
   (void)state;
   begin(pipe_constant_shader);
   pipe.state.rasterizer.multisample = false;
   draw_rectangle(2.25f, 0.0f, 0.0f, 1.0f);
   for (uint32_t s = 0; s < 4; s++) {
      assert_true(read_samples(s)[1 * 4] == 0.0f);
      assert_true(read_samples(s)[2 * 4] == 1.0f);
   }
   end();
}

/* A slope from 0 to 1 through a plane at 0.3125, which is at x = 2.5. */
static void
depths_are_of_samples(void **state)
{
   (void)state;
   begin(pipe_constant_shader);
   pipe.state.depth.depth_enabled = true;
   pipe.state.depth.depth_writemask = true;
   pipe.state.depth.depth_func = TG_COMPARE_ALWAYS;
   draw_rectangle(0.0f, 0.3125f, 0.3125f, 1.0f);
   pipe.state.depth.depth_func = TG_COMPARE_GREATER;
   draw_rectangle(0.0f, 0.0f, 1.0f, 2.0f);
   expect_by_x(2.5, 1.0f, 2.0f);
   end();
}

static void
passing_samples_are_counted(void **state)
{
   uint64_t expected = 0;
   (void)state;
   begin(pipe_constant_shader);
   draw_rectangle(2.5f, 0.0f, 0.0f, 1.0f);
   for (uint32_t x = 0; x < SIZE; x++) {
      for (uint32_t s = 0; s < 4; s++)
         expected += sample_x(x, s) >= 2.5 ? SIZE : 0;
   }
   assert_true(pipe_statistics(&pipe).samples_passed == expected);
   /* Pixels are shaded once, those on the diagonal for each of its sides. */
   assert_true(pipe_statistics(&pipe).fragments >= SIZE * 6);
   assert_true(pipe_statistics(&pipe).fragments <= SIZE * 6 + SIZE * 2);
   end();
}

/* Of squares that are wholly covered, whose waves are run together, and of
 * draws one after the other. The slope is as deep as the plane at x = 42.5. */
static void
passing_samples_of_squares_are_counted(void **state)
{
   const uint64_t all = WIDTH * HEIGHT * 4;
   const uint64_t beyond = (WIDTH - 43) * HEIGHT * 4 + HEIGHT * 2;
   (void)state;
   begin_of(WIDTH, HEIGHT, pipe_constant_shader);
   pipe.state.depth.depth_enabled = true;
   pipe.state.depth.depth_writemask = true;
   pipe.state.depth.depth_func = TG_COMPARE_ALWAYS;
   draw_rectangle(0.0f, 0.3125f, 0.3125f, 1.0f);
   assert_int_equal(pipe_statistics(&pipe).samples_passed, all);
   pipe.state.depth.depth_func = TG_COMPARE_GREATER;
   draw_rectangle(0.0f, 0.0f, 1.0f, 2.0f);
   assert_int_equal(pipe_statistics(&pipe).samples_passed, all + beyond);
   draw_rectangle(0.0f, 0.0f, 1.0f, 2.0f);
   assert_int_equal(pipe_statistics(&pipe).samples_passed, all + beyond);
   end();
}

static void
masks_choose_samples(void **state)
{
   (void)state;
   begin(pipe_constant_shader);
   tg_context_set_sample_mask(pipe.gpu, 6);
   draw_rectangle(0.0f, 0.0f, 0.0f, 1.0f);
   for (uint32_t s = 0; s < 4; s++)
      assert_true(read_samples(s)[0] == (s == 1 || s == 2 ? 1.0f : 0.0f));
   end();
}

/* 0.6 of four samples are two. */
static void
alpha_is_coverage(void **state)
{
   const struct tg_blend_state blend = {
      .size = sizeof(blend),
      .alpha_to_coverage = true,
      .targets = {{.colormask = TG_CHANNEL_RGBA}},
   };
   (void)state;
   begin(pipe_constant_shader);
   assert_int_equal(bind_blend(pipe.gpu, &blend, pipe.diagnostics), TG_OK);
   draw_rectangle(0.0f, 0.0f, 0.0f, 0.6f);
   for (uint32_t s = 0; s < 4; s++)
      assert_true(read_samples(s)[5 * 4] == (s < 2 ? 0.6f : 0.0f));
   end();
}

/* Each sample gives its number, or where it is. */
static const char numbers[] = "FRAG\n"
                              "DCL SV[0], SAMPLEID\n"
                              "DCL OUT[0], COLOR\n"
                              "U2F OUT[0], SV[0].xxxx\n"
                              "END\n";
static const char places[] = "FRAG\n"
                             "DCL IN[0], POSITION, LINEAR\n"
                             "DCL OUT[0], COLOR\n"
                             "MOV OUT[0], IN[0]\n"
                             "END\n";

static void
samples_are_shaded(void **state)
{
   (void)state;
   begin(numbers);
   draw_rectangle(2.5f, 0.0f, 0.0f, 0.0f);
   for (uint32_t s = 0; s < 4; s++) {
      const float *texels = read_samples(s);
      for (uint32_t x = 0; x < SIZE; x++)
         assert_true(texels[x * 4] == (sample_x(x, s) < 2.5 ? 0.0f : (float)s));
   }
   end();

   for (unsigned by_minimum = 0; by_minimum < 2; by_minimum++) {
      begin(places);
      if (by_minimum)
         tg_context_set_min_samples(pipe.gpu, 4);
      else
         pipe.state.rasterizer.force_persample_interp = true;
      draw_rectangle(0.0f, 0.0f, 0.0f, 0.0f);
      for (uint32_t s = 0; s < 4; s++)
         assert_true(read_samples(s)[3 * 4] == (float)sample_x(3, s));
      end();
   }
}

/* A texture that was drawn to is read by the next draw, sample 3 of it. */
static void
textures_have_all_samples(void **state)
{
   static const char text[] = "FRAG\n"
                              "DCL IN[0], POSITION, LINEAR\n"
                              "DCL OUT[0], COLOR\n"
                              "DCL SAMP[0]\n"
                              "DCL SVIEW[0], 2D_MSAA, FLOAT\n"
                              "DCL TEMP[0]\n"
                              "IMM[0] INT32 {3, 0, 0, 0}\n"
                              "F2I TEMP[0].xy, IN[0]\n"
                              "MOV TEMP[0].w, IMM[0].xxxx\n"
                              "TXF OUT[0], TEMP[0], SAMP[0], 2D_MSAA\n"
                              "END\n";
   const struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   (void)state;
   begin(pipe_constant_shader);
   struct tg_resource *first = pipe.color;
   draw_rectangle(0.0f, 0.0f, 0.0f, 1.0f);
   draw_rectangle(2.5f, 0.0f, 0.0f, 2.0f);

   pipe.color = make_texture(TG_FORMAT_R32G32B32A32_FLOAT, 1);
   pipe.state.framebuffer.colors[0] = tg_surface_of(pipe.color);
   pipe.state.fs = pipe_shader(&pipe, text);
   pipe_set_texture(&pipe, 0, first, &sampler);
   draw_rectangle(0.0f, 0.0f, 0.0f, 0.0f);
   for (uint32_t x = 0; x < SIZE; x++)
      assert_true(read_samples(0)[x * 4] ==
                  (sample_x(x, 3) < 2.5 ? 1.0f : 2.0f));
   end();
}

/* Clears mark pixels as one colour; what is drawn over them keeps the rest. */
static void
clears_are_of_all_samples(void **state)
{
   const union tg_color five = {.f = {5.0f, 5.0f, 5.0f, 5.0f}};
   (void)state;
   begin(pipe_constant_shader);
   draw_rectangle(1.0f, 0.0f, 0.0f, 1.0f);
   assert_int_equal(tg_context_clear(pipe.gpu, TG_CLEAR_COLOR0, NULL, &five,
                                     0.0, 0, pipe.diagnostics),
                    TG_OK);
   draw_rectangle(2.5f, 0.0f, 0.0f, 2.0f);
   expect_by_x(2.5, 5.0f, 2.0f);
   end();
}

/* Layer 1 of the surface that begins at layer 1 is layer 2. */
static void
layers_are_chosen_by_shaders(void **state)
{
   static const char text[] = "VERT\n"
                              "DCL IN[0]\n"
                              "DCL IN[1]\n"
                              "DCL OUT[0], POSITION\n"
                              "DCL OUT[1], GENERIC[0]\n"
                              "DCL OUT[2], LAYER\n"
                              "IMM[0] INT32 {1, 0, 0, 0}\n"
                              "MOV OUT[0], IN[0]\n"
                              "MOV OUT[1], IN[1]\n"
                              "MOV OUT[2].x, IMM[0].xxxx\n"
                              "END\n";
   (void)state;
   begin(pipe_constant_shader);
   struct tg_resource *array = make_texture(TG_FORMAT_R32G32B32A32_FLOAT, 4);
   pipe.state.framebuffer.colors[0] = (struct tg_surface){
      .resource = array,
      .first_layer = 1,
      .last_layer = 3,
   };
   pipe.state.framebuffer.depth_stencil = (struct tg_surface){0};
   pipe.state.vs = pipe_shader(&pipe, text);
   draw_rectangle(2.5f, 0.0f, 0.0f, 7.0f);
   for (uint32_t layer = 0; layer < 4; layer++) {
      for (uint32_t s = 0; s < 4; s++) {
         float texels[SIZE][4];
         const struct tg_box box = {
            .z = layer, .width = SIZE, .height = 1, .depth = 1};
         assert_int_equal(tg_context_read(pipe.gpu, array, 0, s, &box, texels,
                                          sizeof(texels), 0),
                          TG_OK);
         for (uint32_t x = 0; x < SIZE; x++)
            assert_true(texels[x][0] ==
                        (layer == 2 && sample_x(x, s) >= 2.5 ? 7.0f : 0.0f));
      }
   }
   end();
}

/* ---- threads ------------------------------------------------------------- */

enum { LARGE = 150, NUM_TRIANGLES = 300 };

static uint32_t
random_below(uint32_t *seed, uint32_t limit)
{
   *seed = *seed * 1664525 + 1013904223;
   return (*seed >> 8) % limit;
}

/* Frames of a clear and blended triangles, over several tiles, one behind the
 * other; what all samples are then. */
static void
draw_with_threads(unsigned num_threads, uint8_t texels[4][LARGE][LARGE][4])
{
   static struct pipe_vertex vertices[NUM_TRIANGLES * 3];
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = TG_FORMAT_R8G8B8A8_UNORM,
      .width = LARGE,
      .height = LARGE,
      .samples = 4,
   };
   const struct tg_blend_state blend = {
      .size = sizeof(blend),
      .targets = {{
         .blend_enable = true,
         .rgb_src_factor = TG_BLEND_SRC_ALPHA,
         .rgb_dst_factor = TG_BLEND_INV_SRC_ALPHA,
         .alpha_src_factor = TG_BLEND_ONE,
         .alpha_dst_factor = TG_BLEND_ZERO,
         .colormask = TG_CHANNEL_RGBA,
      }},
   };
   const union tg_color half = {.f = {0.5f, 0.5f, 0.5f, 0.5f}};
   const struct tg_box box = {.width = LARGE, .height = LARGE, .depth = 1};
   uint32_t seed = 7;
   for (unsigned i = 0; i < NUM_TRIANGLES * 3; i++) {
      vertices[i] = (struct pipe_vertex){{0.0f, 0.0f, 0.0f, 1.0f}, {0.0f}};
      for (unsigned c = 0; c < 4; c++) {
         vertices[i].attribute[c] = (float)random_below(&seed, 256) / 255.0f;
         if (c < 2)
            vertices[i].position[c] =
               (float)random_below(&seed, 4096) / 2048.0f - 1.0f;
      }
   }
   pipe_init_with(&pipe, num_threads, NULL, LARGE, LARGE, pipe_vertex_shader,
                  pipe_linear_shader);
   struct tg_resource **color = &pipe.resources[pipe.num_resources++];
   assert_int_equal(tg_resource_create(NULL, &desc, pipe.diagnostics, color),
                    TG_OK);
   pipe.state.framebuffer.colors[0] = tg_surface_of(*color);
   pipe.state.framebuffer.depth_stencil = (struct tg_surface){0};
   pipe_set_vertices(&pipe, vertices, NUM_TRIANGLES * 3);
   assert_int_equal(bind_blend(pipe.gpu, &blend, pipe.diagnostics), TG_OK);
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   for (unsigned i = 0; i < 4; i++) {
      const struct tg_scissor part = {10, 10, 100, 100};
      const struct tg_draw_range range = {.count = NUM_TRIANGLES * 3};
      struct tg_draw_info info = TG_DRAW_INFO_INIT;
      info.draws = &range;
      assert_int_equal(tg_context_clear(pipe.gpu, TG_CLEAR_COLOR0, &part, &half,
                                        0.0, 0, pipe.diagnostics),
                       TG_OK);
      assert_int_equal(tg_context_draw(pipe.gpu, &info, pipe.diagnostics),
                       TG_OK);
      assert_int_equal(tg_context_flush(pipe.gpu, NULL), TG_OK);
   }
   for (uint32_t s = 0; s < 4; s++)
      assert_int_equal(tg_context_read(pipe.gpu, *color, 0, s, &box, texels[s],
                                       sizeof(texels[0][0]), 0),
                       TG_OK);
   pipe_finish(&pipe);
}

static void
threads_draw_the_same(void **state)
{
   static const unsigned counts[] = {2, 3, 8};
   static uint8_t expected[4][LARGE][LARGE][4], found[4][LARGE][LARGE][4];
   (void)state;
   draw_with_threads(1, expected);
   for (unsigned i = 0; i < 3; i++) {
      memset(found, 0, sizeof(found));
      draw_with_threads(counts[i], found);
      assert_memory_equal(found, expected, sizeof(found));
   }
}

/* ---- positions ----------------------------------------------------------- */

/* The rectangle from the window's corner to a 32nd beyond a place of pixel 0.
 */
static void
draw_up_to(const float place_of_sample[2])
{
   const float x = (place_of_sample[0] + 1.0f / 32) / SIZE * 2 - 1;
   const float y = (place_of_sample[1] + 1.0f / 32) / SIZE * 2 - 1;
   const struct pipe_vertex vertices[4] = {
      {{-1, -1, 0, 1}, {1, 1, 1, 1}},
      {{x, -1, 0, 1}, {1, 1, 1, 1}},
      {{-1, y, 0, 1}, {1, 1, 1, 1}},
      {{x, y, 0, 1}, {1, 1, 1, 1}},
   };
   pipe_set_vertices(&pipe, vertices, 4);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLE_STRIP, 4), TG_OK);
}

/* A sample is covered if it is not to the right of the one that the rectangle
 * goes to, nor below it. */
static void
check_positions(uint32_t num_samples)
{
   for (uint32_t i = 0; i < num_samples; i++) {
      float corner[2], other[2];
      pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, pipe_constant_shader);
      pipe.color = make_texture_of(TG_FORMAT_R32G32B32A32_FLOAT, SIZE, SIZE, 1,
                                   num_samples);
      pipe.state.framebuffer.colors[0] = tg_surface_of(pipe.color);
      pipe.state.framebuffer.depth_stencil = (struct tg_surface){0};
      assert_int_equal(tg_get_sample_position(num_samples, i, corner), TG_OK);
      draw_up_to(corner);
      for (uint32_t j = 0; j < num_samples; j++) {
         assert_int_equal(tg_get_sample_position(num_samples, j, other), TG_OK);
         assert_int_equal(read_samples(j)[0] == 1,
                          other[0] <= corner[0] && other[1] <= corner[1]);
      }
      pipe_finish(&pipe);
   }
}

static void
positions_are_those_of_coverage(void **test)
{
   float position[2];
   (void)test;
   for (uint32_t n = 1; n <= 16; n *= 2)
      check_positions(n);
   for (uint32_t i = 0; i < 4; i++) {
      assert_int_equal(tg_get_sample_position(4, i, position), TG_OK);
      assert_true(position[0] * 16 == (float)place[i][0]);
      assert_true(position[1] * 16 == (float)place[i][1]);
   }
}

static void
there_are_no_other_positions(void **test)
{
   static const unsigned bad[][2] = {{0, 0},   {3, 0},        {32, 0},
                                     {33, 0},  {4, 4},        {1, 1},
                                     {16, 16}, {UINT_MAX, 0}, {4, UINT_MAX}};
   float position[2] = {7, 8};
   (void)test;
   for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
      assert_int_equal(tg_get_sample_position(bad[i][0], bad[i][1], position),
                       TG_ERROR_INPUT);
   assert_true(position[0] == 7 && position[1] == 8);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_are_those_of_coverage),
      cmocka_unit_test(there_are_no_other_positions),
      cmocka_unit_test(edges_cut_pixels),
      cmocka_unit_test(centers_may_be_all),
      cmocka_unit_test(depths_are_of_samples),
      cmocka_unit_test(passing_samples_are_counted),
      cmocka_unit_test(passing_samples_of_squares_are_counted),
      cmocka_unit_test(masks_choose_samples),
      cmocka_unit_test(alpha_is_coverage),
      cmocka_unit_test(samples_are_shaded),
      cmocka_unit_test(textures_have_all_samples),
      cmocka_unit_test(clears_are_of_all_samples),
      cmocka_unit_test(layers_are_chosen_by_shaders),
      cmocka_unit_test(threads_draw_the_same),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
