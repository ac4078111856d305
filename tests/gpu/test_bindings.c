/* SPDX-License-Identifier: MIT
 *
 * What shaders of draws see beside their inputs: buffers, images, and the
 * colours that are drawn to. Textures: test_sampler.c.
 */
#include "pipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 8 };

/* Covers everything; its attribute is (1, 2, 3, 4). */
static const struct pipe_vertex whole[3] = {{{-1, -1, 0, 1}, {1, 2, 3, 4}},
                                            {{3, -1, 0, 1}, {1, 2, 3, 4}},
                                            {{-1, 3, 0, 1}, {1, 2, 3, 4}}};

/* Each fragment adds to what lies below it, be it there before the draw or
 * from another triangle of it. */
static void
fetches_the_framebuffer(void **test)
{
   (void)test;
   struct pipe pipe;
   struct pipe_vertex v[6];
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader,
             "FRAG\n"
             "DCL IN[0], GENERIC[0], CONSTANT\n"
             "DCL OUT[0], COLOR\n"
             "DCL TEMP[0]\n"
             "FBFETCH TEMP[0], OUT[0]\n"
             "ADD OUT[0], TEMP[0], IN[0]\n"
             "END\n");
   memcpy(v, whole, sizeof(whole));
   memcpy(v + 3, whole, sizeof(whole));
   pipe_set_vertices(&pipe, v, 6);
   pipe_clear(pipe.color, (const float[4]){100, 0, 0, 0});
   *(float *)(pipe_texels(pipe.color, 0) + 4 * (5 * SIZE + 2)) = 200;
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 6), TG_OK);

   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++) {
         const float *pixel = pipe_pixel(&pipe, x, y);
         assert_true(pixel[0] == (x == 2 && y == 5 ? 202 : 102));
         assert_true(pixel[1] == 4 && pixel[2] == 6 && pixel[3] == 8);
      }
   }
   pipe_finish(&pipe);
}

/* Live fragments count, helpers do not; vertices have a buffer of their own. */
static void
counts_in_buffers(void **test)
{
   (void)test;
   static const char vertex_text[] =
      "VERT\n"
      "DCL IN[0]\n"
      "DCL OUT[0], POSITION\n"
      "DCL BUFFER[3]\n"
      "DCL TEMP[0]\n"
      "IMM[0] UINT32 {4, 1, 0, 0}\n"
      "ATOMUADD TEMP[0].x, BUFFER[3], IMM[0].xxxx, IMM[0].yyyy\n"
      "MOV OUT[0], IN[0]\n"
      "END\n";
   static const char fragment_text[] =
      "FRAG\n"
      "DCL OUT[0], COLOR\n"
      "DCL HWATOMIC[0][0..1]\n"
      "DCL TEMP[0]\n"
      "IMM[0] UINT32 {0, 1, 0, 0}\n"
      "ATOMUADD TEMP[0].x, HWATOMIC[0][1], IMM[0].xxxx, IMM[0].yyyy\n"
      "MOV OUT[0], TEMP[0].xxxx\n"
      "END\n";
   static const struct pipe_vertex half[3] = {
      {{-1, -1, 0, 1}, {0}}, {{1, -1, 0, 1}, {0}}, {{-1, 1, 0, 1}, {0}}};
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, vertex_text, fragment_text);
   pipe_set_vertices(&pipe, half, 3);
   struct tg_resource *buffer = pipe_buffer(&pipe, (uint32_t[4]){0}, 16);
   assert_int_equal(tg_bindings_set_buffer(pipe.vertex, TG_BUFFER_SHADER, 3,
                                           buffer, 0, 8, pipe.diagnostics),
                    TG_OK);
   assert_int_equal(tg_bindings_set_buffer(pipe.fragment, TG_BUFFER_COUNTER, 0,
                                           buffer, 8, 8, pipe.diagnostics),
                    TG_OK);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);

   /* Pixel centres below the diagonal: 7 + 6 + ... + 1, and those on it belong
    * to one side of it or to the other. */
   const uint32_t *words = tg_resource_map_buffer(buffer);
   assert_int_equal(words[0], 0);
   assert_int_equal(words[1], 3);
   assert_int_equal(words[2], 0);
   assert_true(words[3] == 28 || words[3] == 36);
   assert_int_equal(words[3], pipe_statistics(&pipe).fragments);
   pipe_finish(&pipe);
}

/* Each fragment stores its place in an image of integers. */
static void
stores_to_images(void **test)
{
   (void)test;
   static const char fragment_text[] =
      "FRAG\n"
      "DCL IN[0], POSITION, LINEAR\n"
      "DCL OUT[0], COLOR\n"
      "DCL IMAGE[2], 2D, PIPE_FORMAT_R32G32_UINT, WR\n"
      "DCL TEMP[0]\n"
      "F2U TEMP[0], IN[0]\n"
      "STORE IMAGE[2].xy, TEMP[0], TEMP[0], 2D, PIPE_FORMAT_R32G32_UINT\n"
      "MOV OUT[0], IN[0]\n"
      "END\n";
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, fragment_text);
   pipe_set_vertices(&pipe, whole, 3);
   struct tg_resource *texture =
      pipe_texture(&pipe, TG_FORMAT_R32G32_UINT, SIZE, SIZE, 0);
   const struct tg_image image = tg_image_of(texture);
   assert_int_equal(
      tg_bindings_set_image(pipe.fragment, 2, &image, pipe.diagnostics), TG_OK);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);

   const uint32_t *texels = pipe_texels(texture, 0);
   for (uint32_t i = 0; i < SIZE * SIZE; i++) {
      assert_int_equal(texels[i * 2], i % SIZE);
      assert_int_equal(texels[i * 2 + 1], i / SIZE);
   }
   pipe_finish(&pipe);
}

/* What is not bound reads as 0, and a stage need not have any bindings. */
static void
draws_without_bindings(void **test)
{
   (void)test;
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader,
             "FRAG\n"
             "DCL IN[0], GENERIC[0], CONSTANT\n"
             "DCL OUT[0], COLOR\n"
             "DCL CONST[0][0]\n"
             "ADD OUT[0], IN[0], CONST[0][0]\n"
             "END\n");
   pipe_set_vertices(&pipe, whole, 3);
   pipe.state.binds_nothing = true;
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   assert_true(pipe_pixel(&pipe, 3, 3)[3] == 4);
   pipe_finish(&pipe);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(fetches_the_framebuffer),
      cmocka_unit_test(counts_in_buffers),
      cmocka_unit_test(stores_to_images),
      cmocka_unit_test(draws_without_bindings),
   };
   return cmocka_run_group_tests_name("gpu: bindings", tests, NULL, NULL);
}
