/* SPDX-License-Identifier: MIT
 *
 * Profiles of devices: how many spans there are of draws, clears, blits and
 * transfers whose batches and tiles are known, and that they change no bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../profile/trace.h"
#include "gpu/geometry/assemble.h"
#include "pipe.h"

/* Four columns and three rows of tiles, of which the last are not whole. */
enum { WIDTH = 200, HEIGHT = 130, NUM_TILES = 4 * 3 };

static const struct pipe_vertex whole[3] = {
   {{-1, -1, 0, 1}, {7, 7, 7, 7}},
   {{3, -1, 0, 1}, {7, 7, 7, 7}},
   {{-1, 3, 0, 1}, {7, 7, 7, 7}},
};

/* A pipeline whose device has a profile, and what it has counted. */
struct profiled {
   struct pipe pipe;
   struct tg_profile *profile;
};

static void
init(struct profiled *profiled, unsigned num_threads)
{
   struct tg_device_options device = TG_DEVICE_OPTIONS_INIT;

   assert_int_equal(tg_profile_create(NULL, NULL, &profiled->profile), TG_OK);
   device.num_threads = num_threads;
   device.profile = profiled->profile;
   pipe_init_on(&profiled->pipe, &device, NULL, WIDTH, HEIGHT,
                pipe_vertex_shader, pipe_constant_shader);
   assert_ptr_equal(
      tg_device_get_profile(tg_context_get_device(profiled->pipe.gpu)),
      profiled->profile);
}

static void
finish(struct profiled *profiled)
{
   pipe_finish(&profiled->pipe);
   tg_profile_destroy(profiled->profile);
}

static uint64_t
spans_of(const struct profiled *profiled, enum tg_profile_stage stage)
{
   struct tg_profile_total total = TG_PROFILE_TOTAL_INIT;

   assert_int_equal(tg_profile_get_total(profiled->profile, stage, &total),
                    TG_OK);
   return total.spans;
}

static struct tg_profile_counters
counters_of(const struct profiled *profiled)
{
   struct tg_profile_counters counters = TG_PROFILE_COUNTERS_INIT;

   assert_int_equal(tg_profile_get_counters(profiled->profile, &counters),
                    TG_OK);
   return counters;
}

/* ---- draws --------------------------------------------------------------- */

/* One batch, whose shapes are set up and sorted, in each tile. */
static void
counts_a_draw(void **state)
{
   (void)state;
   for (unsigned num_threads = 1; num_threads <= 3; num_threads++) {
      struct profiled profiled;

      init(&profiled, num_threads);
      pipe_set_vertices(&profiled.pipe, whole, 3);
      assert_int_equal(pipe_draw(&profiled.pipe, TG_PRIMITIVE_TRIANGLES, 3),
                       TG_OK);
      assert_int_equal(spans_of(&profiled, TG_PROFILE_DRAW), 1);
      assert_int_equal(spans_of(&profiled, TG_PROFILE_VERTEX), 1);
      assert_int_equal(spans_of(&profiled, TG_PROFILE_SETUP), 2);
      assert_int_equal(spans_of(&profiled, TG_PROFILE_GEOMETRY), 0);
      assert_int_equal(spans_of(&profiled, TG_PROFILE_TILE), NUM_TILES);
      assert_int_equal(spans_of(&profiled, TG_PROFILE_FRAGMENT), NUM_TILES);
      assert_int_equal(pipe_statistics(&profiled.pipe).tiles, NUM_TILES);
      assert_int_equal(counters_of(&profiled).draws, 1);
      finish(&profiled);
   }
}

/* Batches end with so many vertices; a tile takes those of a draw together. */
static void
counts_batches(void **state)
{
   enum {
      NUM_BATCHES = 3,
      NUM_VERTICES = NUM_BATCHES * GPU_ASSEMBLY_UNINDEXED
   };
   static struct pipe_vertex vertices[NUM_VERTICES];
   struct profiled profiled;

   (void)state;
   assert_int_equal(GPU_ASSEMBLY_UNINDEXED % 3, 0);
   for (unsigned i = 0; i < NUM_VERTICES; i++)
      vertices[i] = whole[i % 3];
   init(&profiled, 2);
   pipe_set_vertices(&profiled.pipe, vertices, NUM_VERTICES);
   assert_int_equal(
      pipe_draw(&profiled.pipe, TG_PRIMITIVE_TRIANGLES, NUM_VERTICES), TG_OK);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_DRAW), 1);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_VERTEX), NUM_BATCHES);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_SETUP), NUM_BATCHES * 2);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_TILE), NUM_TILES);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_FRAGMENT), NUM_TILES);
   finish(&profiled);
}

/* A draw that is refused has a number, and nothing else. */
static void
counts_a_draw_that_is_refused(void **state)
{
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct profiled profiled;

   (void)state;
   init(&profiled, 1);
   info.size = 1;
   assert_int_equal(tg_context_draw(profiled.pipe.gpu, &info, NULL),
                    TG_ERROR_INPUT);
   pipe_set_vertices(&profiled.pipe, whole, 3);
   assert_int_equal(pipe_draw(&profiled.pipe, TG_PRIMITIVE_TRIANGLES, 3),
                    TG_OK);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_DRAW), 2);
   assert_int_equal(counters_of(&profiled).draws, 2);
   cJSON *trace = read_trace(profiled.profile);
   assert_int_equal(count_events(trace, "X", "draw 1"), 1);
   const cJSON *arguments =
      cJSON_GetObjectItem(find_event(trace, "fragment"), "args");
   assert_int_equal(number_of(arguments, "draw"), 2);
   assert_string_equal(cJSON_GetObjectItem(arguments, "shader")->valuestring,
                       "FRAG test");
   cJSON_Delete(trace);
   finish(&profiled);
}

/* ---- what is not drawn --------------------------------------------------- */

/* The call, and a clear in each tile. */
/* The call, and of each tile what it begins with, and what is stored at the end.
 */
static void
counts_a_clear(void **state)
{
   const union tg_color color = {.f = {1, 1, 1, 1}};
   struct profiled profiled;

   (void)state;
   init(&profiled, 2);
   assert_int_equal(pipe_set_state(&profiled.pipe, profiled.pipe.gpu), TG_OK);
   assert_int_equal(tg_context_clear(profiled.pipe.gpu, TG_CLEAR_COLOR0, NULL,
                                     &color, 0, 0, NULL),
                    TG_OK);
   assert_int_equal(tg_context_finish(profiled.pipe.gpu, NULL), TG_OK);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_CLEAR), 1 + 2 * NUM_TILES);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_TILE), NUM_TILES);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_FRAGMENT), 0);
   finish(&profiled);
}

static void
blit(struct profiled *profiled, const struct tg_blit_side *dst,
     const struct tg_blit_side *src)
{
   struct tg_blit_info info = TG_BLIT_INFO_INIT;

   info.dst = *dst;
   info.src = *src;
   info.filter = TG_FILTER_LINEAR;
   assert_int_equal(tg_context_blit(profiled->pipe.gpu, &info, NULL), TG_OK);
}

/* The call, and the one part that a few texels are; whether a kernel scales
 * them or they are moved. */
static void
counts_blits(void **state)
{
   struct profiled profiled;

   (void)state;
   init(&profiled, 1);
   struct tg_resource *to =
      pipe_texture(&profiled.pipe, TG_FORMAT_R8G8B8A8_UNORM, 8, 8, 0);
   struct tg_resource *from =
      pipe_texture(&profiled.pipe, TG_FORMAT_R8G8B8A8_UNORM, 8, 8, 0);
   const struct tg_blit_side whole_side = {to, 0, 0, 0, 0, 0, 8, 8, 1};
   const struct tg_blit_side same = {from, 0, 0, 0, 0, 0, 8, 8, 1};
   const struct tg_blit_side half = {from, 0, 0, 0, 0, 0, 4, 4, 1};

   blit(&profiled, &whole_side, &same);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_BLIT), 2);
   assert_int_equal(counters_of(&profiled).kernels_made, 0);
   blit(&profiled, &whole_side, &half);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_BLIT), 4);
   assert_int_equal(counters_of(&profiled).kernels_made, 1);
   cJSON *trace = read_trace(profiled.profile);
   assert_int_equal(count_events(trace, "X", "BLIT"), 3);
   cJSON_Delete(trace);
   finish(&profiled);
}

static void
counts_transfers(void **state)
{
   const struct tg_box box = {0, 0, 0, 4, 4, 1};
   uint8_t texels[4 * 4 * 4] = {0};
   struct profiled profiled;

   (void)state;
   init(&profiled, 1);
   struct tg_context *gpu = profiled.pipe.gpu;
   struct tg_resource *texture =
      pipe_texture(&profiled.pipe, TG_FORMAT_R8G8B8A8_UNORM, 4, 4, 0);
   assert_int_equal(tg_context_write(gpu, texture, 0, 0, &box, texels, 0, 0),
                    TG_OK);
   assert_int_equal(tg_context_read(gpu, texture, 0, 0, &box, texels, 0, 0),
                    TG_OK);
   assert_int_equal(tg_context_read(gpu, texture, 9, 0, &box, texels, 0, 0),
                    TG_ERROR_INPUT);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_UPLOAD), 1);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_READ), 2);
   finish(&profiled);
}

/* ---- kernels ------------------------------------------------------------- */

/* Both shaders are made once. With another state there is another fragment
 * kernel, and with the first one again that is found. */
static void
counts_kernels(void **state)
{
   struct profiled profiled;

   (void)state;
   init(&profiled, 1);
   struct pipe *pipe = &profiled.pipe;
   pipe_set_vertices(pipe, whole, 3);
   assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   assert_int_equal(counters_of(&profiled).kernels_made, 2);
   assert_int_equal(counters_of(&profiled).kernels_found, 0);
   pipe->state.depth.depth_enabled = true;
   assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   assert_int_equal(counters_of(&profiled).kernels_made, 3);
   pipe->state.depth.depth_enabled = false;
   assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   assert_int_equal(counters_of(&profiled).kernels_made, 3);
   assert_int_equal(counters_of(&profiled).kernels_found, 1);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_LOWER), 3);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_PASSES), 3);
   assert_int_equal(spans_of(&profiled, TG_PROFILE_INTERPRETER), 3);
   cJSON *trace = read_trace(profiled.profile);
   assert_int_equal(
      number_of(cJSON_GetObjectItem(find_event(trace, "VERT test"), "args"),
                "draw"),
      1);
   cJSON_Delete(trace);
   finish(&profiled);
}

/* ---- the picture --------------------------------------------------------- */

static void
draw_slope(struct pipe *pipe)
{
   const struct pipe_vertex slope[3] = {
      {{-0.9f, -0.7f, 0.1f, 1}, {1, 2, 3, 4}},
      {{0.8f, -0.9f, 0.7f, 2}, {9, 8, 7, 6}},
      {{0.1f, 0.9f, 0.3f, 3}, {-1, 0.3f, 1e-3f, 1e9f}},
   };

   pipe_set_vertices(pipe, slope, 3);
   assert_int_equal(pipe_draw(pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
}

static void
changes_no_bit(void **state)
{
   struct profiled profiled;
   struct pipe plain;

   (void)state;
   init(&profiled, 2);
   profiled.pipe.state.fs =
      pipe_shader(&profiled.pipe, pipe_perspective_shader);
   pipe_init_with(&plain, 2, NULL, WIDTH, HEIGHT, pipe_vertex_shader,
                  pipe_perspective_shader);
   draw_slope(&profiled.pipe);
   draw_slope(&plain);
   assert_memory_equal(pipe_texels(profiled.pipe.color, 0),
                       pipe_texels(plain.color, 0),
                       WIDTH * HEIGHT * 4 * sizeof(float));
   assert_null(tg_device_get_profile(tg_context_get_device(plain.gpu)));
   pipe_finish(&plain);
   finish(&profiled);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_a_draw),
      cmocka_unit_test(counts_batches),
      cmocka_unit_test(counts_a_draw_that_is_refused),
      cmocka_unit_test(counts_a_clear),
      cmocka_unit_test(counts_blits),
      cmocka_unit_test(counts_transfers),
      cmocka_unit_test(counts_kernels),
      cmocka_unit_test(changes_no_bit),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
