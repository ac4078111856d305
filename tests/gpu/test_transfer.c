/* SPDX-License-Identifier: MIT
 *
 * Reads, writes, copies, fills and dispatches between draws: each sees what
 * stands before it in the order of the calls, though nobody waits for a draw.
 * What copies and fills do to a box is tested in tests/resource.
 */
#include "pipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 200 }; /* more than 9 tiles */

static const struct pipe_vertex whole[3] = {{{-1, -1, 0, 1}, {1, 2, 3, 4}},
                                            {{3, -1, 0, 1}, {1, 2, 3, 4}},
                                            {{-1, 3, 0, 1}, {1, 2, 3, 4}}};

/* Colour is CONST[0]. */
static const char constant_shader[] = "FRAG\n"
                                      "DCL OUT[0], COLOR\n"
                                      "DCL CONST[0]\n"
                                      "MOV OUT[0], CONST[0]\n"
                                      "END\n";

static void
begin(struct pipe *pipe, const char *fragment_text)
{
   pipe_init_with(pipe, 3, NULL, SIZE, SIZE, pipe_vertex_shader, fragment_text);
   pipe_set_vertices(pipe, whole, 3);
   assert_int_equal(pipe_set_state(pipe, pipe->gpu), TG_OK);
}

static void
end(struct pipe *pipe)
{
   assert_int_equal(tg_context_finish(pipe->gpu, NULL), TG_OK);
   pipe_finish(pipe);
}

/* Draws all pixels, without waiting. */
static void
draw(struct pipe *pipe)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.draws = &range;
   assert_int_equal(tg_context_draw(pipe->gpu, &info, pipe->diagnostics),
                    TG_OK);
}

/* All pixels of what was drawn to have this red. */
static void
expect_red(struct pipe *pipe, struct tg_resource *texture, float red)
{
   const struct tg_box box = {0, 0, 0, SIZE, SIZE, 1};
   float *pixels = malloc(SIZE * SIZE * 4 * sizeof(*pixels));

   assert_int_equal(
      tg_context_read(pipe->gpu, texture, 0, 0, &box, pixels, 0, 0), TG_OK);
   for (unsigned i = 0; i < SIZE * SIZE; i++)
      assert_true(pixels[4 * i] == red);
   free(pixels);
}

/* A constant buffer that is written between two draws. */
static void
writes_are_in_order(void **test)
{
   (void)test;
   struct pipe pipe;
   float color[4] = {5, 0, 0, 0};
   const struct tg_box box = {0, 0, 0, sizeof(color), 1, 1};

   begin(&pipe, constant_shader);
   struct tg_resource *constants = pipe_buffer(&pipe, color, sizeof(color));
   pipe_set_constants(&pipe, 0, constants);
   draw(&pipe);
   color[0] = 6;
   assert_int_equal(
      tg_context_write(pipe.gpu, constants, 0, 0, &box, color, 0, 0), TG_OK);
   expect_red(&pipe, pipe.color, 5);
   draw(&pipe);
   expect_red(&pipe, pipe.color, 6);
   end(&pipe);
}

static void
copies_are_in_order(void **test)
{
   (void)test;
   struct pipe pipe;
   const struct tg_box box = {0, 0, 0, SIZE, SIZE, 1};

   begin(&pipe, pipe_constant_shader);
   struct tg_resource *other =
      pipe_texture(&pipe, TG_FORMAT_R32G32B32A32_FLOAT, SIZE, SIZE, 0);
   draw(&pipe);
   assert_int_equal(tg_context_copy(pipe.gpu, other, 0, 0, 0, 0, pipe.color, 0,
                                    &box, pipe.diagnostics),
                    TG_OK);
   expect_red(&pipe, other, 1);
   assert_int_equal(tg_context_copy(pipe.gpu, other, 0, 1, 0, 0, pipe.color, 0,
                                    &box, pipe.diagnostics),
                    TG_ERROR_INPUT);
   end(&pipe);
}

static void
fills_are_in_order(void **test)
{
   (void)test;
   struct pipe pipe;
   const struct tg_box all = {0, 0, 0, SIZE, SIZE, 1};
   const struct tg_box beyond = {1, 0, 0, SIZE, SIZE, 1};
   const float texel[4] = {9, 9, 9, 9};

   begin(&pipe, pipe_constant_shader);
   draw(&pipe);
   assert_int_equal(tg_context_clear_texture(pipe.gpu, pipe.color, 0, &all,
                                             texel, pipe.diagnostics),
                    TG_OK);
   expect_red(&pipe, pipe.color, 9);
   draw(&pipe);
   assert_int_equal(tg_context_clear_texture(pipe.gpu, pipe.color, 0, &beyond,
                                             texel, pipe.diagnostics),
                    TG_ERROR_INPUT);
   expect_red(&pipe, pipe.color, 1);
   end(&pipe);
}

static void
clears_are_seen(void **test)
{
   (void)test;
   struct pipe pipe;
   const union tg_color color = {.f = {3, 0, 0, 0}};

   begin(&pipe, pipe_constant_shader);
   draw(&pipe);
   assert_int_equal(tg_context_clear(pipe.gpu, TG_CLEAR_COLOR0, NULL, &color, 0,
                                     0, pipe.diagnostics),
                    TG_OK);
   expect_red(&pipe, pipe.color, 3);
   end(&pipe);
}

/* The words of a buffer. */
static void
expect_words(struct tg_resource *buffer, const uint32_t *words, size_t count)
{
   assert_memory_equal(tg_resource_map_buffer(buffer), words,
                       count * sizeof(*words));
}

static void
fills_buffers(void **test)
{
   (void)test;
   struct pipe pipe;
   const uint32_t zeros[8] = {0};
   const uint32_t value[3] = {0x01020304, 7, 8};
   const uint16_t half = 0xabcd;

   begin(&pipe, pipe_constant_shader);
   struct tg_resource *buffer = pipe_buffer(&pipe, zeros, sizeof(zeros));
   assert_int_equal(tg_context_clear_buffer(pipe.gpu, buffer, 0, 24, value, 12,
                                            pipe.diagnostics),
                    TG_OK);
   expect_words(
      buffer, (const uint32_t[8]){0x01020304, 7, 8, 0x01020304, 7, 8, 0, 0}, 8);
   assert_int_equal(tg_context_clear_buffer(pipe.gpu, buffer, 26, 6, &half, 2,
                                            pipe.diagnostics),
                    TG_OK);
   expect_words(buffer,
                (const uint32_t[8]){0x01020304, 7, 8, 0x01020304, 7, 8,
                                    0xabcd0000, 0xabcdabcd},
                8);

   static const struct {
      uint32_t offset, size, value_size;
      const char *message;
   } refusals[] = {
      {0, 6, 3, "a value has 1, 2, 4, 8, 12 or 16 bytes, not 3"},
      {2, 8, 4, "offset 2 and size 8 are not multiples of the value's 4 bytes"},
      {4, 6, 4, "offset 4 and size 6 are not multiples of the value's 4 bytes"},
      {16, 20, 4, "the buffer has no 20 bytes from 16 on"},
      {8, UINT32_MAX - 3, 4, "the buffer has no 4294967292 bytes from 8 on"},
   };
   for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
      tg_diagnostics_clear(pipe.diagnostics);
      assert_int_equal(
         tg_context_clear_buffer(pipe.gpu, buffer, refusals[i].offset,
                                 refusals[i].size, value,
                                 refusals[i].value_size, pipe.diagnostics),
         TG_ERROR_INPUT);
      assert_string_equal(tg_diagnostics_get(pipe.diagnostics, 0)->message,
                          refusals[i].message);
   }
   end(&pipe);
}

/* A compute shader reads what was drawn, and the vertices of the next draw read
 * what it wrote. */
static void
dispatches_are_in_order(void **test)
{
   (void)test;
   static const char compute_text[] =
      "COMP\n"
      "DCL SV[0], THREAD_ID\n"
      "DCL IMAGE[0], 2D, PIPE_FORMAT_R32G32B32A32_FLOAT, WR\n"
      "DCL BUFFER[0]\n"
      "DCL TEMP[0..1]\n"
      "IMM[0] UINT32 {150, 160, 16, 0}\n"
      "IMM[1] FLT32 {40.0, 0.0, 0.0, 0.0}\n"
      "LOAD TEMP[0], IMAGE[0], IMM[0].xyww, 2D, "
      "PIPE_FORMAT_R32G32B32A32_FLOAT\n"
      "ADD TEMP[0].x, TEMP[0].xxxx, IMM[1].xxxx\n"
      "STORE BUFFER[0].x, IMM[0].zzzz, TEMP[0].xxxx\n"
      "END\n";
   struct pipe pipe;
   struct tg_shader *shader;
   struct tg_program *program;
   struct tg_bindings *bindings;
   struct tg_grid grid = TG_GRID_INIT;

   begin(&pipe, pipe_constant_shader);
   assert_int_equal(tg_shader_parse(NULL, "test", compute_text,
                                    strlen(compute_text), TG_DIALECT_2019,
                                    pipe.diagnostics, &shader),
                    TG_OK);
   assert_int_equal(
      tg_program_create(NULL, shader, NULL, pipe.diagnostics, &program), TG_OK);
   assert_int_equal(tg_bindings_create(NULL, &bindings), TG_OK);
   const struct tg_image image = tg_image_of(pipe.color);
   assert_int_equal(
      tg_bindings_set_image(bindings, 0, &image, pipe.diagnostics), TG_OK);
   /* Byte 16 of a vertex is its attribute; the last one gives the colour. */
   const uint32_t last = 2 * sizeof(struct pipe_vertex);
   assert_int_equal(tg_bindings_set_buffer(bindings, TG_BUFFER_SHADER, 0,
                                           pipe.state.vertices.buffer, last,
                                           sizeof(struct pipe_vertex),
                                           pipe.diagnostics),
                    TG_OK);
   draw(&pipe);
   assert_int_equal(
      tg_context_dispatch(pipe.gpu, program, bindings, &grid, pipe.diagnostics),
      TG_OK);
   draw(&pipe);
   expect_red(&pipe, pipe.color, 41);
   assert_int_equal(pipe_statistics(&pipe).pipeline.cs_invocations, 1);

   tg_bindings_destroy(bindings);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
   end(&pipe);
}

/* Vertices come from a buffer that fragments of an earlier draw write. */
static void
geometry_waits_for_fragments(void **test)
{
   (void)test;
   static const char fragment_text[] =
      "FRAG\n"
      "DCL OUT[0], COLOR\n"
      "DCL IN[0], GENERIC[0], CONSTANT\n"
      "DCL BUFFER[0]\n"
      "DCL TEMP[0]\n"
      "IMM[0] UINT32 {80, 0, 0, 0}\n"
      "IMM[1] FLT32 {70.0, 0.0, 0.0, 0.0}\n"
      "STORE BUFFER[0].x, IMM[0].xxxx, IMM[1].xxxx\n"
      "MOV OUT[0], IN[0]\n"
      "END\n";
   struct pipe pipe;

   begin(&pipe, fragment_text);
   struct tg_resource *vertices = pipe.state.vertices.buffer;
   assert_int_equal(tg_bindings_set_buffer(pipe.fragment, TG_BUFFER_SHADER, 0,
                                           vertices, 0, sizeof(whole),
                                           pipe.diagnostics),
                    TG_OK);
   draw(&pipe);
   draw(&pipe);
   expect_red(&pipe, pipe.color, 70);
   end(&pipe);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(writes_are_in_order),
      cmocka_unit_test(copies_are_in_order),
      cmocka_unit_test(fills_are_in_order),
      cmocka_unit_test(clears_are_seen),
      cmocka_unit_test(fills_buffers),
      cmocka_unit_test(dispatches_are_in_order),
      cmocka_unit_test(geometry_waits_for_fragments),
   };

   return cmocka_run_group_tests_name("gpu: transfer", tests, NULL, NULL);
}
