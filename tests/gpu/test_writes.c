/* SPDX-License-Identifier: MIT
 *
 * Writes to buffers that draws use, and maps: each draw sees what was there at
 * its call, whatever it is that comes after; and where nothing has to wait
 * nothing does.
 */
#include "pipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/context/context.h"
#include "gpu/queue/queue.h"

enum {
   WIDTH = 200,
   HEIGHT = 130,
   COLUMNS = 10,
   SMALL = 256,
   LARGE = 128 << 10,
   PLACE = 32, /* of the colour, in bytes, unless all is written */
};

static const struct pipe_vertex whole[3] = {
   {{-1, -1, 0, 1}}, {{3, -1, 0, 1}}, {{-1, 3, 0, 1}}};

/* Colour is the constant at PLACE. */
static const char constant_shader[] = "FRAG\n"
                                      "DCL OUT[0], COLOR\n"
                                      "DCL CONST[0..2]\n"
                                      "MOV OUT[0], CONST[2]\n"
                                      "END\n";

static void
begin(struct pipe *pipe, unsigned num_threads)
{
   pipe_init_with(pipe, num_threads, NULL, WIDTH, HEIGHT, pipe_vertex_shader,
                  constant_shader);
   pipe_set_vertices(pipe, whole, 3);
   assert_int_equal(pipe_set_state(pipe, pipe->gpu), TG_OK);
}

static void
end(struct pipe *pipe)
{
   assert_int_equal(tg_context_finish(pipe->gpu, NULL), TG_OK);
   pipe_finish(pipe);
}

static void
draw(struct pipe *pipe)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.draws = &range;
   assert_int_equal(tg_context_draw(pipe->gpu, &info, pipe->diagnostics),
                    TG_OK);
}

/* One of COLUMNS parts of the picture. */
static void
draw_column(struct pipe *pipe, unsigned column)
{
   const float width = (float)WIDTH / COLUMNS;
   const struct tg_viewport viewport = {
      .scale = {width / 2, HEIGHT / 2.0f, 0.5f},
      .translate = {width * ((float)column + 0.5f), HEIGHT / 2.0f, 0.5f},
   };

   assert_int_equal(
      tg_context_set_viewports(pipe->gpu, 0, 1, &viewport, pipe->diagnostics),
      TG_OK);
   draw(pipe);
}

static void
expect_columns(struct pipe *pipe)
{
   const struct tg_box box = {0, 0, 0, WIDTH, HEIGHT, 1};
   float(*pixels)[4] = malloc(sizeof(float[4]) * WIDTH * HEIGHT);

   assert_int_equal(
      tg_context_read(pipe->gpu, pipe->color, 0, 0, &box, pixels, 0, 0), TG_OK);
   for (unsigned y = 0; y < HEIGHT; y++) {
      for (unsigned x = 0; x < WIDTH; x++) {
         const float expected = (float)(x / (WIDTH / COLUMNS) + 1);
         const float got = pixels[y * WIDTH + x][0];

         if (got != expected)
            fail_msg("pixel (%u, %u) is %g, not %g", x, y, (double)got,
                     (double)expected);
      }
   }
   free(pixels);
}

/* ---- ways to write ------------------------------------------------------- */

static void
map_and_write(struct pipe *pipe, struct tg_resource *buffer, uint32_t first,
              uint32_t num_bytes, uint32_t flags, float value)
{
   const struct tg_box box = {first, 0, 0, num_bytes, 1, 1};
   struct tg_map *map;

   assert_int_equal(tg_context_map(pipe->gpu, buffer, 0, &box,
                                   TG_MAP_WRITE | flags, pipe->diagnostics,
                                   &map),
                    TG_OK);
   memcpy((char *)tg_map_get_data(map, NULL, NULL) + PLACE - first, &value,
          sizeof(value));
   assert_int_equal(tg_context_unmap(pipe->gpu, map), TG_OK);
}

static void
write_bytes(struct pipe *pipe, struct tg_resource *buffer, uint32_t first,
            uint32_t num_bytes, float value)
{
   const struct tg_box box = {first, 0, 0, num_bytes, 1, 1};
   char *bytes = calloc(1, num_bytes);

   memcpy(bytes + PLACE - first, &value, sizeof(value));
   assert_int_equal(
      tg_context_write(pipe->gpu, buffer, 0, 0, &box, bytes, 0, 0), TG_OK);
   free(bytes);
}

static void
write_all(struct pipe *pipe, struct tg_resource *buffer, float value)
{
   write_bytes(pipe, buffer, 0, tg_resource_get_desc(buffer)->width, value);
}

static void
write_some(struct pipe *pipe, struct tg_resource *buffer, float value)
{
   write_bytes(pipe, buffer, PLACE, 4, value);
}

/* More than is queued. */
static void
write_much(struct pipe *pipe, struct tg_resource *buffer, float value)
{
   write_bytes(pipe, buffer, PLACE, LARGE - PLACE, value);
}

static void
fill_all(struct pipe *pipe, struct tg_resource *buffer, float value)
{
   assert_int_equal(tg_context_clear_buffer(pipe->gpu, buffer, 0,
                                            tg_resource_get_desc(buffer)->width,
                                            &value, 4, pipe->diagnostics),
                    TG_OK);
}

static void
map_range(struct pipe *pipe, struct tg_resource *buffer, float value)
{
   map_and_write(pipe, buffer, PLACE, 16, TG_MAP_DISCARD_RANGE, value);
}

static void
map_whole(struct pipe *pipe, struct tg_resource *buffer, float value)
{
   map_and_write(pipe, buffer, 0, 64, TG_MAP_DISCARD_WHOLE, value);
}

static void
map_and_wait(struct pipe *pipe, struct tg_resource *buffer, float value)
{
   map_and_write(pipe, buffer, 16, 64, 0, value);
}

/* Each with a buffer of a size; is the scene that is being filled left alone?
 */
static const struct way {
   const char *name;
   void (*write)(struct pipe *pipe, struct tg_resource *buffer, float value);
   uint32_t size;
   bool keeps_scene;
} ways[] = {
   {"all of a small one", write_all, SMALL, true},
   {"all of a large one", write_all, LARGE, true},
   {"some of a small one", write_some, SMALL, true},
   {"some of a large one", write_some, LARGE, false},
   {"most of a large one", write_much, LARGE, false},
   {"a fill", fill_all, LARGE, true},
   {"a map of a range of a small one", map_range, SMALL, true},
   {"a map of a range of a large one", map_range, LARGE, false},
   {"a map that discards all", map_whole, LARGE, true},
   {"a map that waits", map_and_wait, SMALL, false},
};

enum { NUM_WAYS = sizeof(ways) / sizeof(ways[0]) };

static void
draw_and_write(const struct way *way, unsigned num_threads)
{
   struct pipe pipe;

   begin(&pipe, num_threads);
   struct tg_resource *buffer =
      pipe_texture(&pipe, TG_FORMAT_NONE, way->size, 1, 0);
   pipe_set_constants(&pipe, 0, buffer);
   for (unsigned i = 0; i < COLUMNS; i++) {
      const struct gpu_scene *scene = pipe.gpu->scene;

      way->write(&pipe, buffer, (float)(i + 1));
      if (way->keeps_scene && pipe.gpu->scene != scene)
         fail_msg("%s: the scene was flushed", way->name);
      draw_column(&pipe, i);
   }
   expect_columns(&pipe);
   end(&pipe);
}

static void
draws_see_what_was_there(void **state)
{
   static const unsigned num_threads[] = {1, 2, 8};
   (void)state;

   for (unsigned t = 0; t < 3; t++) {
      for (unsigned i = 0; i < NUM_WAYS; i++)
         draw_and_write(&ways[i], num_threads[t]);
   }
}

static void
constants_are_copied(void **state)
{
   static const unsigned num_threads[] = {1, 2, 8};
   (void)state;

   for (unsigned t = 0; t < 3; t++) {
      struct pipe pipe;
      begin(&pipe, num_threads[t]);
      for (unsigned i = 0; i < COLUMNS; i++) {
         const struct gpu_scene *scene = pipe.gpu->scene;
         const float words[12] = {[8] = (float)(i + 1)};

         assert_int_equal(tg_bindings_set_constants(pipe.fragment, 0, words,
                                                    sizeof(words),
                                                    pipe.diagnostics),
                          TG_OK);
         draw_column(&pipe, i);
         assert_true(!scene || pipe.gpu->scene == scene);
      }
      expect_columns(&pipe);
      end(&pipe);
   }
}

/* ---- what comes after ---------------------------------------------------- */

/* What waits to be written is seen by a read, a map and a copy. */
static void
queued_writes_are_seen(void **state)
{
   (void)state;
   struct pipe pipe;
   const struct tg_box box = {PLACE, 0, 0, 4, 1, 1};
   struct tg_map *map;
   float value = 0;

   begin(&pipe, 3);
   struct tg_resource *buffer =
      pipe_texture(&pipe, TG_FORMAT_NONE, LARGE, 1, 0);
   struct tg_resource *other = pipe_texture(&pipe, TG_FORMAT_NONE, LARGE, 1, 0);
   pipe_set_constants(&pipe, 0, buffer);
   draw(&pipe);
   write_some(&pipe, buffer, 2);
   assert_int_equal(tg_context_read(pipe.gpu, buffer, 0, 0, &box, &value, 0, 0),
                    TG_OK);
   assert_true(value == 2);
   draw(&pipe);
   write_some(&pipe, buffer, 3);
   write_some(&pipe, buffer, 4);
   assert_int_equal(tg_context_map(pipe.gpu, buffer, 0, &box, TG_MAP_READ,
                                   pipe.diagnostics, &map),
                    TG_OK);
   memcpy(&value, tg_map_get_data(map, NULL, NULL), sizeof(value));
   assert_true(value == 4);
   assert_int_equal(tg_context_unmap(pipe.gpu, map), TG_OK);
   draw(&pipe);
   write_some(&pipe, buffer, 5);
   assert_int_equal(tg_context_copy(pipe.gpu, other, 0, 0, 0, 0, buffer, 0,
                                    &box, pipe.diagnostics),
                    TG_OK);
   memcpy(&value, tg_resource_map_buffer(other), sizeof(value));
   assert_true(value == 5);
   end(&pipe);
}

/* Bytes that no draw uses are written at once, though others of the buffer are
 * in use. */
static void
other_bytes_are_free(void **state)
{
   (void)state;
   struct pipe pipe;
   const struct tg_box box = {LARGE / 2, 0, 0, 4, 1, 1};
   const uint32_t word = 7;

   begin(&pipe, 3);
   struct tg_resource *buffer =
      pipe_texture(&pipe, TG_FORMAT_NONE, LARGE, 1, 0);
   assert_int_equal(tg_bindings_set_buffer(pipe.fragment, TG_BUFFER_CONSTANT, 0,
                                           buffer, 0, 64, pipe.diagnostics),
                    TG_OK);
   draw(&pipe);
   const struct gpu_scene *scene = pipe.gpu->scene;
   struct resource_hold before = resource_hold(buffer);
   assert_int_equal(tg_context_write(pipe.gpu, buffer, 0, 0, &box, &word, 0, 0),
                    TG_OK);
   assert_ptr_equal(pipe.gpu->scene, scene);
   assert_int_equal(before.memory.data[LARGE / 8], 7);
   resource_release(&before);
   end(&pipe);
}

/* A buffer that has to stay where it is waits. */
static void
fixed_buffers_wait(void **state)
{
   (void)state;
   struct pipe pipe;

   begin(&pipe, 3);
   struct tg_resource *buffer =
      pipe_texture(&pipe, TG_FORMAT_NONE, SMALL, 1, 0);
   const float *memory = tg_resource_map_buffer(buffer);
   pipe_set_constants(&pipe, 0, buffer);
   for (unsigned i = 0; i < COLUMNS; i++) {
      ways[i % 4 == 3 ? 2 : i % 4].write(&pipe, buffer, (float)(i + 1));
      assert_true(memory[PLACE / 4] == (float)(i + 1));
      draw_column(&pipe, i);
   }
   expect_columns(&pipe);
   end(&pipe);
}

/* ---- maps ---------------------------------------------------------------- */

static void
maps_show_boxes(void **state)
{
   (void)state;
   struct pipe pipe;
   const struct tg_box box = {7, 9, 0, 5, 3, 1};
   const struct tg_box all = {0, 0, 0, WIDTH, HEIGHT, 1};
   const float words[12] = {[8] = 6};
   struct tg_map *map;
   size_t row, slice;

   begin(&pipe, 3);
   assert_int_equal(
      tg_bindings_set_constants(pipe.fragment, 0, words, sizeof(words), NULL),
      TG_OK);
   draw(&pipe);
   assert_int_equal(tg_context_map(pipe.gpu, pipe.color, 0, &box,
                                   TG_MAP_READ | TG_MAP_WRITE, pipe.diagnostics,
                                   &map),
                    TG_OK);
   char *data = tg_map_get_data(map, &row, &slice);
   assert_int_equal(row, WIDTH * 16);
   assert_int_equal(slice, WIDTH * HEIGHT * 16);
   for (unsigned y = 0; y < 3; y++) {
      for (unsigned x = 0; x < 5; x++) {
         float *pixel = (float *)(void *)(data + y * row + x * 16);

         assert_true(pixel[0] == 6);
         pixel[0] = 60;
      }
   }
   assert_int_equal(tg_context_unmap(pipe.gpu, map), TG_OK);
   float(*pixels)[4] = malloc(sizeof(float[4]) * WIDTH * HEIGHT);
   assert_int_equal(
      tg_context_read(pipe.gpu, pipe.color, 0, 0, &all, pixels, 0, 0), TG_OK);
   unsigned num_changed = 0;
   for (unsigned i = 0; i < WIDTH * HEIGHT; i++)
      num_changed += pixels[i][0] == 60;
   assert_int_equal(num_changed, 15);
   assert_true(pixels[9 * WIDTH + 7][0] == 60);
   assert_true(pixels[11 * WIDTH + 11][0] == 60);
   free(pixels);
   end(&pipe);
}

/* What is discarded is zero, in use or not. */
static void
discarded_bytes_are_zero(void **state)
{
   (void)state;
   struct pipe pipe;

   begin(&pipe, 3);
   for (unsigned i = 0; i < 8; i++) {
      const uint32_t size = i & 1 ? LARGE : SMALL;
      const uint32_t flags =
         i & 2 ? TG_MAP_DISCARD_RANGE : TG_MAP_DISCARD_WHOLE;
      const struct tg_box box = {16, 0, 0, 32, 1, 1};
      struct tg_resource *buffer =
         pipe_texture(&pipe, TG_FORMAT_NONE, size, 1, 0);
      struct tg_map *map;

      write_all(&pipe, buffer, 9);
      if (i & 4) {
         pipe_set_constants(&pipe, 0, buffer);
         draw(&pipe);
      }
      assert_int_equal(tg_context_map(pipe.gpu, buffer, 0, &box,
                                      TG_MAP_WRITE | flags, pipe.diagnostics,
                                      &map),
                       TG_OK);
      const uint32_t *words = tg_map_get_data(map, NULL, NULL);
      for (unsigned k = 0; k < 8; k++)
         assert_int_equal(words[k], 0);
      assert_int_equal(tg_context_unmap(pipe.gpu, map), TG_OK);
   }
   end(&pipe);
}

/* Memory of a persistent map stays the buffer's; draws see what is written
 * there before their call, if nothing is drawing. */
static void
persistent_maps_stay(void **state)
{
   (void)state;
   struct pipe pipe;
   const struct tg_box box = {0, 0, 0, SMALL, 1, 1};
   struct tg_map *map;

   begin(&pipe, 3);
   struct tg_resource *buffer =
      pipe_texture(&pipe, TG_FORMAT_NONE, SMALL, 1, 0);
   pipe_set_constants(&pipe, 0, buffer);
   assert_int_equal(
      tg_context_map(pipe.gpu, buffer, 0, &box,
                     TG_MAP_WRITE | TG_MAP_PERSISTENT | TG_MAP_UNSYNCHRONIZED,
                     pipe.diagnostics, &map),
      TG_OK);
   float *memory = tg_map_get_data(map, NULL, NULL);
   for (unsigned i = 0; i < COLUMNS; i++) {
      if (i % 2)
         memory[PLACE / 4] = (float)(i + 1);
      else
         write_all(&pipe, buffer, (float)(i + 1));
      assert_true(memory[PLACE / 4] == (float)(i + 1));
      draw_column(&pipe, i);
      assert_true(
         tg_context_wait(pipe.gpu, buffer, TG_ACCESS_WRITE, UINT64_MAX));
   }
   expect_columns(&pipe);
   assert_int_equal(tg_context_unmap(pipe.gpu, map), TG_OK);
   end(&pipe);
}

static void
strange_maps_are_refused(void **state)
{
   (void)state;
   struct pipe pipe;
   const struct tg_box box = {0, 0, 0, 16, 1, 1};
   const struct tg_box beyond = {SMALL - 8, 0, 0, 16, 1, 1};
   const struct tg_box block = {0, 0, 0, 4, 4, 1};
   struct tg_resource *samples;
   struct tg_map *map;

   begin(&pipe, 1);
   struct tg_resource *buffer =
      pipe_texture(&pipe, TG_FORMAT_NONE, SMALL, 1, 0);
   struct tg_resource *blocks =
      pipe_texture(&pipe, TG_FORMAT_DXT1_RGB, 8, 8, 0);
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = TG_FORMAT_R8G8B8A8_UNORM,
      .width = 16,
      .height = 16,
      .samples = 4,
   };
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &samples), TG_OK);
   const struct {
      struct tg_resource *resource;
      uint32_t level;
      const struct tg_box *box;
      uint32_t flags;
      enum tg_result result;
   } cases[] = {
      {buffer, 0, &box, 0, TG_ERROR_INPUT},
      {buffer, 0, &box, TG_MAP_PERSISTENT, TG_ERROR_INPUT},
      {buffer, 0, &box, TG_MAP_WRITE | 64, TG_ERROR_INPUT},
      {buffer, 0, &box, TG_MAP_READ | TG_MAP_DISCARD_RANGE, TG_ERROR_INPUT},
      {buffer, 0, &box, TG_MAP_READ | TG_MAP_WRITE | TG_MAP_DISCARD_WHOLE,
       TG_ERROR_INPUT},
      {buffer, 0, &beyond, TG_MAP_READ, TG_ERROR_INPUT},
      {buffer, 1, &box, TG_MAP_READ, TG_ERROR_INPUT},
      {samples, 0, &block, TG_MAP_READ, TG_ERROR_UNSUPPORTED},
      {blocks, 0, &block, TG_MAP_WRITE | TG_MAP_PERSISTENT,
       TG_ERROR_UNSUPPORTED},
      {blocks, 0, &block, TG_MAP_WRITE, TG_OK},
   };
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      map = NULL;
      tg_diagnostics_clear(pipe.diagnostics);
      assert_int_equal(tg_context_map(pipe.gpu, cases[i].resource,
                                      cases[i].level, cases[i].box,
                                      cases[i].flags, pipe.diagnostics, &map),
                       cases[i].result);
      assert_int_equal(map != NULL, cases[i].result == TG_OK);
      assert_int_equal(tg_diagnostics_num_errors(pipe.diagnostics) != 0,
                       cases[i].result != TG_OK);
      assert_int_equal(tg_context_unmap(pipe.gpu, map), TG_OK);
   }
   tg_context_cancel(pipe.gpu);
   assert_int_equal(
      tg_context_map(pipe.gpu, buffer, 0, &box, TG_MAP_READ, NULL, &map),
      TG_ERROR_LIMIT);
   tg_resource_destroy(samples);
   pipe_finish(&pipe);
}

/* Blocks that are written through a map are what shaders sample afterwards: a
 * texel of colour 0, 0xf800, is red. */
static void
mapped_blocks_are_decoded(void **state)
{
   static const char sampling_shader[] = "FRAG\n"
                                         "DCL OUT[0], COLOR\n"
                                         "DCL SAMP[0]\n"
                                         "DCL SVIEW[0], 2D, FLOAT\n"
                                         "IMM[0] UINT32 {0, 0, 0, 0}\n"
                                         "TXF OUT[0], IMM[0], SAMP[0], 2D\n"
                                         "END\n";
   static const uint8_t red[8] = {0x00, 0xf8, 0x00, 0xf8, 0, 0, 0, 0};
   const struct tg_box block = {0, 0, 0, 4, 4, 1};
   struct tg_map *map;
   struct pipe pipe;
   (void)state;

   pipe_init_with(&pipe, 2, NULL, WIDTH, HEIGHT, pipe_vertex_shader,
                  sampling_shader);
   pipe_set_vertices(&pipe, whole, 3);
   struct tg_resource *texture =
      pipe_texture(&pipe, TG_FORMAT_DXT1_RGB, 4, 4, 0);
   pipe_set_texture(&pipe, 0, texture, NULL);
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   draw(&pipe);
   assert_int_equal(tg_context_map(pipe.gpu, texture, 0, &block, TG_MAP_WRITE,
                                   pipe.diagnostics, &map),
                    TG_OK);
   memcpy(tg_map_get_data(map, NULL, NULL), red, sizeof(red));
   assert_int_equal(tg_context_unmap(pipe.gpu, map), TG_OK);
   draw(&pipe);
   assert_int_equal(tg_context_finish(pipe.gpu, NULL), TG_OK);
   assert_true(pipe_pixel(&pipe, 3, 4)[0] == 1);
   assert_true(pipe_pixel(&pipe, 3, 4)[1] == 0);
   pipe_finish(&pipe);
}

/* ---- waiting ------------------------------------------------------------- */

static void
resources_are_busy(void **state)
{
   (void)state;
   struct pipe pipe;

   begin(&pipe, 3);
   struct tg_resource *buffer =
      pipe_texture(&pipe, TG_FORMAT_NONE, SMALL, 1, 0);
   struct tg_context *gpu = pipe.gpu;
   pipe_set_constants(&pipe, 0, buffer);
   assert_false(tg_context_is_busy(gpu, buffer, TG_ACCESS_WRITE));
   draw(&pipe);
   assert_true(tg_context_is_busy(gpu, buffer, TG_ACCESS_WRITE));
   assert_false(tg_context_is_busy(gpu, buffer, TG_ACCESS_READ));
   assert_true(tg_context_is_busy(gpu, pipe.color, TG_ACCESS_READ));
   assert_true(tg_context_wait(gpu, buffer, TG_ACCESS_READ, 0));
   assert_true(tg_context_wait(gpu, pipe.color, TG_ACCESS_READ, UINT64_MAX));
   assert_false(tg_context_is_busy(gpu, pipe.color, TG_ACCESS_WRITE));
   assert_false(tg_context_is_busy(gpu, buffer, TG_ACCESS_WRITE));
   end(&pipe);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(draws_see_what_was_there),
      cmocka_unit_test(constants_are_copied),
      cmocka_unit_test(queued_writes_are_seen),
      cmocka_unit_test(other_bytes_are_free),
      cmocka_unit_test(fixed_buffers_wait),
      cmocka_unit_test(maps_show_boxes),
      cmocka_unit_test(discarded_bytes_are_zero),
      cmocka_unit_test(persistent_maps_stay),
      cmocka_unit_test(strange_maps_are_refused),
      cmocka_unit_test(mapped_blocks_are_decoded),
      cmocka_unit_test(resources_are_busy),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
