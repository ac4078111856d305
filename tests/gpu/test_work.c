/* SPDX-License-Identifier: MIT
 *
 * What drawing costs, and how it ends with the work.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "gpu/core/limits.h"
#include "pipe.h"
#include "util/work.h"

enum {
   SIZE = 128,
   SLACK = 2 * 4096, /* what the workers of geometry and tiles may owe */
};

static const struct pipe_vertex whole[3] = {
   {{-1, -1, 0, 1}, {5}}, {{3, -1, 0, 1}, {5}}, {{-1, 3, 0, 1}, {5}}};

/* Declares its place, so that nothing of it is filled in without waves. */
#define PLACED "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL IN[1], POSITION\n"

static const char placed_shader[] = PLACED "DCL OUT[0], COLOR\n"
                                           "MOV OUT[0], IN[0]\n"
                                           "END\n";

static const char endless[] = "FRAG\n"
                              "DCL OUT[0], COLOR\n"
                              "BGNLOOP\n"
                              "ENDLOOP\n"
                              "END\n";

/* The same, of which a turn takes so long that machine code does not come to
 * the last that a wave may take. */
static const char slowly_endless[] = "FRAG\n"
                                     "DCL OUT[0], COLOR\n"
                                     "DCL TEMP[0]\n"
                                     "IMM[0] FLT32 {0.5, 2.0, 0.0, 0.0}\n"
                                     "MOV TEMP[0], IMM[0].xxxx\n"
                                     "BGNLOOP\n"
                                     "RCP TEMP[0].x, TEMP[0].xxxx\n"
                                     "RCP TEMP[0].x, TEMP[0].xxxx\n"
                                     "RCP TEMP[0].x, TEMP[0].xxxx\n"
                                     "RCP TEMP[0].x, TEMP[0].xxxx\n"
                                     "RCP TEMP[0].x, TEMP[0].xxxx\n"
                                     "FSLT TEMP[0].y, IMM[0].yyyy, "
                                     "TEMP[0].xxxx\n"
                                     "UIF TEMP[0].yyyy\n"
                                     "BRK\n"
                                     "ENDIF\n"
                                     "ENDLOOP\n"
                                     "MOV OUT[0], TEMP[0].xxxx\n"
                                     "END\n";

/* A pipe whose work has these limits. */
static struct tg_work *
begin(struct pipe *pipe, uint64_t max_work, double max_seconds,
      unsigned num_threads, const char *fragment_text)
{
   const struct tg_work_options limits = {sizeof(limits), max_work, max_seconds,
                                          NULL};
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   assert_int_equal(tg_work_create(NULL, &limits, &options.work), TG_OK);
   pipe_init_with(pipe, num_threads, &options, SIZE, SIZE, pipe_vertex_shader,
                  fragment_text);
   pipe_set_vertices(pipe, whole, 3);
   return options.work;
}

static void
end(struct pipe *pipe, struct tg_work *work)
{
   pipe_finish(pipe);
   tg_work_destroy(work);
}

/* What a second draw costs, which compiles nothing. */
static uint64_t
cost_of_draw(struct pipe *pipe, struct tg_work *work, uint32_t count)
{
   assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, count), TG_OK);
   tg_work_refill(work);
   assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, count), TG_OK);
   return tg_work_get_spent(work);
}

static bool
is_about(uint64_t cost, uint64_t expected)
{
   return cost + SLACK >= expected && cost <= expected + SLACK;
}

/* ---- what draws cost ----------------------------------------------------- */

/* A shader of so many multiplications in a row. */
static const char *
long_shader(char *text, size_t size, unsigned length)
{
   int used = snprintf(text, size,
                       PLACED "DCL OUT[0], COLOR\nDCL TEMP[0]\n"
                              "MOV TEMP[0], IN[0]\n");
   for (unsigned i = 0; i < length; i++)
      used += snprintf(text + used, size - (size_t)used,
                       "MUL TEMP[0].x, TEMP[0].xxxx, TEMP[0].xxxx\n");
   snprintf(text + used, size - (size_t)used, "MOV OUT[0], TEMP[0]\nEND\n");
   return text;
}

/* Every wave pays for each of its instructions: 128 by 128 pixels are 1024
 * waves, and 200 multiplications 200 instructions. */
static void
waves_cost_their_length(void **test)
{
   static char text[1 << 16];
   uint64_t cost[2];
   (void)test;
   for (unsigned i = 0; i < 2; i++) {
      struct pipe pipe;
      struct tg_work *work =
         begin(&pipe, 0, 0, 1, long_shader(text, sizeof(text), 10 + 200 * i));
      cost[i] = cost_of_draw(&pipe, work, 3);
      end(&pipe, work);
   }
   assert_true(is_about(cost[1] - cost[0], 1024 * 200));
}

/* What the 1024 waves of a whole picture cost beyond that of 4 by 4 pixels. */
static uint64_t
cost_of_picture(const char *executor)
{
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   struct tg_device_options device = TG_DEVICE_OPTIONS_INIT;
   uint64_t cost[2];
   struct pipe pipe;

   device.num_threads = 1;
   device.executor = executor;
   assert_int_equal(tg_work_create(NULL, NULL, &options.work), TG_OK);
   pipe_init_on(&pipe, &device, &options, SIZE, SIZE, pipe_vertex_shader,
                placed_shader);
   pipe_set_vertices(&pipe, whole, 3);
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t side = i ? SIZE : 4;
      pipe.state.viewport = tg_viewport_of(side, side, false, false);
      cost[i] = cost_of_draw(&pipe, options.work, 3);
   }
   end(&pipe, options.work);
   return cost[1] - cost[0];
}

/* Waves cost the same, and TG_WORK_WAVE each besides their steps, whether the
 * executor runs them one by one or together. */
static void
waves_cost_the_same_on_all_executors(void **test)
{
   const uint64_t expected = cost_of_picture(tg_executor_name(0));
   const char *name;
   (void)test;
   assert_true(expected >= 1023 * (TG_WORK_WAVE + 1));
   for (unsigned i = 1; (name = tg_executor_name(i)); i++)
      assert_true(is_about(cost_of_picture(name), expected));
}

/* What a draw costs that runs no waves for its pixels: of each of 4 tiles the
 * quads, and rows of 64 texels with a unit for 16 bytes, and 8. What is beside
 * that, vertices and a wave to ask for the color, is little. */
static uint64_t
cost_without_waves(uint64_t texel_bytes)
{
   const uint64_t tile = GPU_WORK_TILE + GPU_WORK_SHAPE + 1024 * GPU_WORK_QUAD +
                         64 * (64 * texel_bytes / 16 + 8);

   return GPU_WORK_CALL + GPU_WORK_DRAW + GPU_WORK_PRIMITIVE + 4 * tile;
}

enum { NUM_DRAWS = 32 };

static uint64_t
cost_of_draws(struct pipe *pipe, struct tg_work *work)
{
   assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   const uint64_t before = tg_work_get_spent(work);
   for (unsigned i = 0; i < NUM_DRAWS; i++)
      assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   assert_int_equal(pipe_statistics(pipe).fragment_waves, 0);
   return tg_work_get_spent(work) - before;
}

/* Within a tenth. */
static bool
is_near(uint64_t cost, uint64_t expected)
{
   return cost >= expected - expected / 10 && cost <= expected + expected / 10;
}

static void
solid_shapes_cost_their_bytes(void **test)
{
   struct pipe pipe;
   (void)test;
   struct tg_work *work = begin(&pipe, 0, 0, 1, pipe_constant_shader);
   assert_true(
      is_near(cost_of_draws(&pipe, work), NUM_DRAWS * cost_without_waves(16)));
   end(&pipe, work);
}

static const char copy_shader[] = "FRAG\n"
                                  "DCL IN[0], GENERIC[0], LINEAR\n"
                                  "DCL OUT[0], COLOR\n"
                                  "DCL SAMP[0]\n"
                                  "DCL SVIEW[0], 2D, FLOAT\n"
                                  "TEX OUT[0], IN[0], SAMP[0], 2D\n"
                                  "END\n";

static void
copies_cost_their_bytes(void **test)
{
   static const struct pipe_vertex vertices[3] = {
      {{-1, -1, 0, 1}, {0}}, {{3, -1, 0, 1}, {2}}, {{-1, 3, 0, 1}, {0, 2}}};
   const struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   const enum tg_format format = TG_FORMAT_R8G8B8A8_UNORM;
   struct pipe pipe;
   (void)test;
   struct tg_work *work = begin(&pipe, 0, 0, 1, copy_shader);
   pipe_set_vertices(&pipe, vertices, 3);
   pipe_set_texture(&pipe, 0, pipe_texture(&pipe, format, SIZE, SIZE, 0),
                    &sampler);
   pipe.state.framebuffer.colors[0] =
      tg_surface_of(pipe_texture(&pipe, format, SIZE, SIZE, 0));
   assert_true(
      is_near(cost_of_draws(&pipe, work), NUM_DRAWS * cost_without_waves(4)));
   end(&pipe, work);
}

/* The pixels that a draw has left of those of a target, all of which are 5. */
static uint64_t
count_filled(const struct pipe *pipe)
{
   uint64_t count = 0;
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      count += pipe_pixel(pipe, i % SIZE, i / SIZE)[0] == 5;
   return count;
}

/* Wherever the work ends: what was not stored is not counted either. */
static void
solid_shapes_end_with_the_work(void **test)
{
   bool has_part = false;
   (void)test;
   for (uint64_t limit = 1; limit < 300; limit += 3) {
      struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
      struct pipe pipe;
      options.max_work = limit * 500;
      pipe_init_with(&pipe, 1, &options, SIZE, SIZE, pipe_vertex_shader,
                     pipe_constant_shader);
      pipe_set_vertices(&pipe, whole, 3);
      const enum tg_result result = pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3);
      const uint64_t filled = count_filled(&pipe);
      assert_true(result == TG_OK || result == TG_ERROR_LIMIT);
      assert_int_equal(pipe_statistics(&pipe).samples_passed, filled);
      assert_true(result != TG_OK || filled == SIZE * SIZE);
      has_part |= filled && filled < SIZE * SIZE;
      pipe_finish(&pipe);
   }
   assert_true(has_part);
}

/* Triangles that are hidden cost the tiles and blocks that they touch: each of
 * 4 tiles has 1024 quads. */
static void
hidden_triangles_cost(void **test)
{
   enum { COUNT = 3 * 64 };
   static struct pipe_vertex vertices[COUNT];
   struct pipe pipe;
   (void)test;
   for (unsigned i = 0; i < COUNT; i++)
      vertices[i] = whole[i % 3];
   struct tg_work *work = begin(&pipe, 0, 0, 1, pipe_constant_shader);
   pipe_set_vertices(&pipe, vertices, COUNT);
   pipe.state.depth.depth_enabled = true;
   pipe.state.depth.depth_func = TG_COMPARE_NEVER;
   const uint64_t one = cost_of_draw(&pipe, work, 3);
   const uint64_t many = cost_of_draw(&pipe, work, COUNT);
   assert_true(many - one >= 63 * 4 * 1024);
   end(&pipe, work);
}

/* A triangle from the corner along the diagonal, to so many pixels before the
 * other corner on both sides. */
static void
set_needle(struct pipe_vertex corners[3], int pixels)
{
   const float end = 1 - (float)pixels * 2 / SIZE;
   corners[0] = (struct pipe_vertex){{-1, -1, 0, 1}, {5}};
   corners[1] = (struct pipe_vertex){{1, end, 0, 1}, {5}};
   corners[2] = (struct pipe_vertex){{end, 1, 0, 1}, {5}};
}

/* Quads with the centre of a pixel in it, all in units of half a pixel. */
static uint32_t
quads_of_needle(int pixels)
{
   bool is_touched[SIZE / 2][SIZE / 2] = {{false}};
   uint32_t count = 0;
   for (int i = 0; i < SIZE * SIZE; i++) {
      const int x = i % SIZE, y = i / SIZE;
      const int right = 2 * x + 1, down = 2 * y + 1;
      bool *quad = &is_touched[y / 2][x / 2];
      if (SIZE * down <= (SIZE - pixels) * right ||
          SIZE * right <= (SIZE - pixels) * down ||
          right + down >= 2 * (2 * SIZE - pixels) || *quad)
         continue;
      *quad = true;
      count++;
   }
   return count;
}

/* Quads are paid for too where no square is covered, hidden or not. */
static void
quads_of_needles_cost(void **test)
{
   enum { COUNT = 64 };
   static struct pipe_vertex vertices[COUNT * 3];
   static const int pixels[2] = {1, 8};
   uint64_t cost[2];
   (void)test;
   for (unsigned i = 0; i < 2; i++) {
      struct pipe pipe;
      struct tg_work *work = begin(&pipe, 0, 0, 1, pipe_constant_shader);
      for (unsigned k = 0; k < COUNT; k++)
         set_needle(&vertices[k * 3], pixels[i]);
      pipe_set_vertices(&pipe, vertices, COUNT * 3);
      pipe.state.depth.depth_enabled = true;
      pipe.state.depth.depth_func = TG_COMPARE_NEVER;
      cost[i] = cost_of_draw(&pipe, work, COUNT * 3);
      end(&pipe, work);
   }
   const uint32_t more =
      quads_of_needle(pixels[1]) - quads_of_needle(pixels[0]);
   assert_true(is_about(cost[1] - cost[0], COUNT * GPU_WORK_QUAD * more));
}

/* What is seen costs its quads and the waves that shade them. With a stipple
 * pattern of all ones the same pixels are shaded, as blocks that are tested one
 * by one: quads of all ways to the fragments are paid for. */
static void
quads_that_are_seen_cost(void **test)
{
   enum { COUNT = 64, PIXELS = 8 };
   static struct pipe_vertex vertices[COUNT * 3];
   uint64_t cost[2];
   (void)test;
   for (unsigned k = 0; k < COUNT; k++)
      set_needle(&vertices[k * 3], PIXELS);
   for (unsigned i = 0; i < 2; i++) {
      struct pipe pipe;
      struct tg_work *work = begin(&pipe, 0, 0, 1, pipe_constant_shader);
      pipe_set_vertices(&pipe, vertices, COUNT * 3);
      pipe.state.rasterizer.poly_stipple_enable = i == 1;
      cost[i] = cost_of_draw(&pipe, work, COUNT * 3);
      end(&pipe, work);
   }
   assert_true(COUNT * GPU_WORK_QUAD * quads_of_needle(PIXELS) > 4 * SLACK);
   assert_true(is_about(cost[0], cost[1]));
}

/* Indices that lead nowhere, and instances of nothing. */
static void
vertices_cost(void **test)
{
   struct pipe pipe;
   uint64_t spent[2];
   (void)test;
   struct tg_work *work = begin(&pipe, 0, 0, 1, pipe_constant_shader);
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.index_size = 4;
   info.index_buffer = pipe_buffer(&pipe, "", 1);
   info.primitive_restart = true;
   for (unsigned i = 0; i < 3; i++) {
      const struct tg_draw_range range = {.count = i == 2 ? 1 << 17 : 1 << 16};
      info.draws = &range;
      tg_work_refill(work);
      assert_int_equal(pipe_draw_info(&pipe, &info, 0), TG_OK);
      if (i > 0)
         spent[i - 1] = tg_work_get_spent(work);
   }
   assert_int_equal(pipe_statistics(&pipe).vertex_waves, 0);
   assert_true(spent[1] - spent[0] >= 1 << 16);
   end(&pipe, work);
}

/* Points beside the view cost an index and a primitive each, 8 and 256, in
 * however many they are paid; all of them are one vertex. */
static void
primitives_cost(void **test)
{
   enum { MANY = 1024 + 60 };
   const struct pipe_vertex beside = {{5, 0, 0, 1}, {5}};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct pipe pipe;
   uint64_t cost[2];
   (void)test;
   struct tg_work *work = begin(&pipe, 0, 0, 1, pipe_constant_shader);
   pipe_set_vertices(&pipe, &beside, 1);
   info.mode = TG_PRIM_POINTS;
   info.index_size = 4;
   info.index_buffer = pipe_buffer(&pipe, "", 1);
   for (unsigned i = 0; i < 2; i++) {
      assert_int_equal(pipe_draw_info(&pipe, &info, 1), TG_OK);
      tg_work_refill(work);
      assert_int_equal(pipe_draw_info(&pipe, &info, i ? MANY : 1), TG_OK);
      cost[i] = tg_work_get_spent(work);
   }
   assert_true(is_about(cost[1] - cost[0], (MANY - 1) * (8 + 256)));
   end(&pipe, work);
}

/* A patch of quads of level 64 has 65 by 65 points, which cost something
 * besides their waves. */
static void
points_of_patches_cost(void **test)
{
   static const float low[4] = {1, 1, 1, 1}, high[4] = {64, 64, 64, 64};
   static const char text[] = "TESS_EVAL\n"
                              "PROPERTY TES_PRIM_MODE 7\n"
                              "DCL IN[][0], POSITION\n"
                              "DCL OUT[0], POSITION\n"
                              "MOV OUT[0], IN[0][0]\n"
                              "END\n";
   struct pipe pipe;
   uint64_t cost[2];
   (void)test;
   struct tg_work *work = begin(&pipe, 0, 0, 1, pipe_constant_shader);
   pipe.state.rasterizer.rasterizer_discard = true;
   assert_int_equal(tg_context_set_shader(pipe.gpu, TG_GPU_TESS_EVAL,
                                          pipe_shader(&pipe, text),
                                          pipe.diagnostics),
                    TG_OK);
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.mode = TG_PRIM_PATCHES;
   info.vertices_per_patch = 3;
   for (unsigned i = 0; i < 2; i++) {
      const float *levels = i ? high : low;
      tg_context_set_tess_levels(pipe.gpu, levels, levels);
      assert_int_equal(pipe_draw_info(&pipe, &info, 3), TG_OK);
      tg_work_refill(work);
      assert_int_equal(pipe_draw_info(&pipe, &info, 3), TG_OK);
      cost[i] = tg_work_get_spent(work);
   }
   assert_true(cost[1] - cost[0] >= 65 * 65 * 16);
   end(&pipe, work);
}

/* Each piece of each vertex that goes to a stream target costs 8. */
static void
stream_output_costs(void **test)
{
   enum { COUNT = 3 * 2048 };
   static struct pipe_vertex vertices[COUNT];
   static const struct tg_stream_output_info info = {
      .size = sizeof(info),
      .num_outputs = 2,
      .outputs = {{.num_components = 2},
                  {.num_components = 2, .start_component = 2, .dst_offset = 2}},
      .stride = {4},
   };
   struct tg_stream_target *target;
   struct pipe pipe;
   (void)test;
   struct tg_work *work = begin(&pipe, 0, 0, 1, pipe_constant_shader);
   pipe_set_vertices(&pipe, vertices, COUNT);
   pipe.state.rasterizer.rasterizer_discard = true;
   assert_int_equal(tg_gpu_shader_create(tg_context_get_device(pipe.gpu),
                                         pipe.sources[0], &info,
                                         pipe.diagnostics, &pipe.state.vs),
                    TG_OK);
   const uint64_t without = cost_of_draw(&pipe, work, COUNT);
   assert_int_equal(tg_stream_target_create(pipe.gpu,
                                            pipe_buffer(&pipe, vertices, 1024),
                                            0, 1024, NULL, &target),
                    TG_OK);
   assert_int_equal(tg_context_set_stream_targets(pipe.gpu, 1, &target,
                                                  (const uint32_t[]){0}, NULL),
                    TG_OK);
   const uint64_t with = cost_of_draw(&pipe, work, COUNT);
   assert_true(is_about(with - without, COUNT * 2 * 8));
   tg_stream_target_destroy(target);
   tg_gpu_shader_destroy(pipe.state.vs);
   end(&pipe, work);
}

/* ---- other work ---------------------------------------------------------- */

static void
copies_and_clears_cost(void **test)
{
   const struct tg_box box = {0, 0, 0, SIZE, SIZE, 1};
   const union tg_color color = {.f = {0}};
   static float texels[SIZE * SIZE * 4];
   struct pipe pipe;
   (void)test;
   struct tg_work *work = begin(&pipe, 0, 0, 1, pipe_constant_shader);
   struct tg_resource *texture =
      pipe_texture(&pipe, TG_FORMAT_R32G32B32A32_FLOAT, SIZE, SIZE, 0);
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   uint64_t before = tg_work_get_spent(work);
   assert_int_equal(tg_context_clear_texture(pipe.gpu, texture, 0, &box, &color,
                                             pipe.diagnostics),
                    TG_OK);
   assert_true(tg_work_get_spent(work) - before >= SIZE * SIZE * 16 / 64);
   before = tg_work_get_spent(work);
   assert_int_equal(tg_context_copy(pipe.gpu, pipe.color, 0, 0, 0, 0, texture,
                                    0, &box, pipe.diagnostics),
                    TG_OK);
   assert_true(tg_work_get_spent(work) - before >= SIZE * SIZE * 16 / 64);
   before = tg_work_get_spent(work);
   assert_int_equal(tg_context_clear(pipe.gpu, TG_CLEAR_COLOR0, NULL, &color, 0,
                                     0, pipe.diagnostics),
                    TG_OK);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   /* Of a row of a tile a unit for 16 bytes, and 8. */
   assert_true(is_about(tg_work_get_spent(work) - before,
                        GPU_WORK_CALL + 4 * GPU_WORK_TILE +
                           SIZE * SIZE * 16 / 16 + 4 * 64 * 8));

   before = tg_work_get_spent(work);
   assert_int_equal(
      tg_context_write(pipe.gpu, texture, 0, 0, &box, texels, 0, 0), TG_OK);
   assert_true(tg_work_get_spent(work) - before >= SIZE * SIZE * 16 / 64);
   before = tg_work_get_spent(work);
   assert_int_equal(
      tg_context_read(pipe.gpu, texture, 0, 0, &box, texels, 0, 0), TG_OK);
   assert_true(tg_work_get_spent(work) - before >= SIZE * SIZE * 16 / 64);

   tg_work_cancel(work);
   assert_int_equal(
      tg_context_write(pipe.gpu, texture, 0, 0, &box, texels, 0, 0),
      TG_ERROR_LIMIT);
   assert_int_equal(
      tg_context_read(pipe.gpu, texture, 0, 0, &box, texels, 0, 0), TG_OK);
   assert_int_equal(tg_context_clear_texture(pipe.gpu, texture, 0, &box, &color,
                                             pipe.diagnostics),
                    TG_ERROR_LIMIT);
   assert_int_equal(tg_context_copy(pipe.gpu, pipe.color, 0, 0, 0, 0, texture,
                                    0, &box, pipe.diagnostics),
                    TG_ERROR_LIMIT);
   assert_int_equal(tg_context_clear(pipe.gpu, TG_CLEAR_COLOR0, NULL, &color, 0,
                                     0, pipe.diagnostics),
                    TG_ERROR_LIMIT);
   assert_int_equal(tg_diagnostics_num_errors(pipe.diagnostics), 3);
   tg_work_refill(work);
   end(&pipe, work);
}

/* ---- ends ---------------------------------------------------------------- */

/* As many draws as there is work for. */
static void
draws_end_with_the_work(void **test)
{
   struct pipe pipe;
   (void)test;
   struct tg_work *work = begin(&pipe, 0, 0, 1, placed_shader);
   const uint64_t one = cost_of_draw(&pipe, work, 3);
   assert_true(one > 4 * SLACK);
   end(&pipe, work);

   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   options.max_work = 20 * one;
   pipe_init_with(&pipe, 1, &options, SIZE, SIZE, pipe_vertex_shader,
                  placed_shader);
   pipe_set_vertices(&pipe, whole, 3);
   unsigned count = 0;
   while (pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3) == TG_OK)
      count++;
   assert_in_range(count, 14, 20);
   const uint64_t tiles = pipe_statistics(&pipe).tiles;
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3),
                    TG_ERROR_LIMIT);
   assert_true(pipe_statistics(&pipe).tiles == tiles);
   pipe_finish(&pipe);
}

/* An endless shader is stopped in its loop, and the message has its place; the
 * tiles that are left are not begun. */
static void
endless_fragments_end(void **test)
{
   (void)test;
   for (unsigned threads = 1; threads <= 2; threads++) {
      struct pipe pipe;
      struct tg_work *work = begin(&pipe, 10000000, 0, threads, endless);
      assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3),
                       TG_ERROR_LIMIT);
      assert_int_equal(tg_diagnostics_num_errors(pipe.diagnostics), 1);
      const struct tg_diagnostic *said = tg_diagnostics_get(
         pipe.diagnostics, tg_diagnostics_count(pipe.diagnostics) - 1);
      assert_string_equal(said->message,
                          "draw 1: the limit of 10000000 units of "
                          "work is reached");
      assert_true(tg_work_get_spent(work) < 11000000);
      assert_true(pipe_statistics(&pipe).tiles <= threads);
      end(&pipe, work);
   }
}

static double
seconds(void)
{
   struct timespec time;
   clock_gettime(CLOCK_MONOTONIC, &time);
   return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void
endless_fragments_end_in_time(void **test)
{
   struct pipe pipe;
   (void)test;
   struct tg_work *work = begin(&pipe, 0, 0.05, 2, slowly_endless);
   const double start = seconds();
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3),
                    TG_ERROR_LIMIT);
   assert_true(seconds() - start < 2.05);
   assert_int_equal(tg_work_get_end(work), TG_WORK_LATE);
   end(&pipe, work);
}

/* Of patches that may become many primitives each is a part of the draw, and
 * costs less than may be owed. */
static void
small_parts_end_with_the_work(void **test)
{
   static const char eval[] = "TESS_EVAL\nPROPERTY TES_PRIM_MODE 1\n"
                              "DCL OUT[0], POSITION\nEND\n";
   static const char geometry[] = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\n"
                                  "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                                  "PROPERTY GS_MAX_OUTPUT_VERTICES 1024\n"
                                  "DCL OUT[0], POSITION\nEND\n";
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct pipe pipe;
   (void)test;
   struct tg_work *work = begin(&pipe, 1000000, 0, 1, pipe_constant_shader);
   assert_int_equal(tg_context_set_shader(pipe.gpu, TG_GPU_TESS_EVAL,
                                          pipe_shader(&pipe, eval), NULL),
                    TG_OK);
   assert_int_equal(tg_context_set_shader(pipe.gpu, TG_GPU_GEOMETRY,
                                          pipe_shader(&pipe, geometry), NULL),
                    TG_OK);
   info.mode = TG_PRIM_PATCHES;
   info.vertices_per_patch = 3;
   const double start = seconds();
   assert_int_equal(pipe_draw_info(&pipe, &info, 1u << 29), TG_ERROR_LIMIT);
   assert_true(seconds() - start < 5);
   end(&pipe, work);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(waves_cost_their_length),
      cmocka_unit_test(waves_cost_the_same_on_all_executors),
      cmocka_unit_test(solid_shapes_cost_their_bytes),
      cmocka_unit_test(copies_cost_their_bytes),
      cmocka_unit_test(solid_shapes_end_with_the_work),
      cmocka_unit_test(hidden_triangles_cost),
      cmocka_unit_test(quads_of_needles_cost),
      cmocka_unit_test(quads_that_are_seen_cost),
      cmocka_unit_test(vertices_cost),
      cmocka_unit_test(primitives_cost),
      cmocka_unit_test(points_of_patches_cost),
      cmocka_unit_test(stream_output_costs),
      cmocka_unit_test(copies_and_clears_cost),
      cmocka_unit_test(draws_end_with_the_work),
      cmocka_unit_test(small_parts_end_with_the_work),
      cmocka_unit_test(endless_fragments_end),
      cmocka_unit_test(endless_fragments_end_in_time),
   };
   return cmocka_run_group_tests_name("gpu: work", tests, NULL, NULL);
}
