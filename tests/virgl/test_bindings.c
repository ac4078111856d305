/* SPDX-License-Identifier: MIT
 *
 * What shaders see: textures, constants, buffers, images; and dispatches.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "client.h"
#include "util/length.h"

enum { RGBA8 = 67, R32_UINT = 193, R8 = 64, R8_UINT = 177, RGBA32_UINT = 196 };

/* A texture of two by two, drawn to as many pixels. With a swizzle of wzyx. */
static void
textures_are_sampled(void **test)
{
   static const uint8_t texels[4][4] = {
      {1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
   struct client *client = *test;
   uint8_t pixels[4][4];

   client_set_up(client, RGBA8, 2, 2);
   client_set_fragment_shader(client, "FRAG\n"
                                      "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                      "DCL OUT[0], COLOR\n"
                                      "DCL SAMP[3]\n"
                                      "DCL SVIEW[3], 2D, FLOAT\n"
                                      "  0: TEX OUT[0], IN[0], SAMP[3], 2D\n"
                                      "  1: END\n");
   client_create(client, FREE, TG_TEXTURE_2D, RGBA8, 2, 2, NULL);
   client_put(client, FREE, 2, 2, texels, sizeof(texels));
   CREATE(client, SAMPLER_VIEW, FREE, FREE, RGBA8, 0, 0,
          3 | 2 << 3 | 1 << 6 | 0 << 9);
   COMMAND(client, SET_SAMPLER_VIEWS, TG_GPU_FRAGMENT, 3, FREE);
   /* Clamped to edges, nearest, no levels. */
   CREATE(client, SAMPLER_STATE, FREE + 1, 2 | 2 << 3 | 2 << 6 | 2 << 11, 0, 0,
          0, 0, 0, 0, 0);
   COMMAND(client, BIND_SAMPLER_STATES, TG_GPU_FRAGMENT, 3, FREE + 1);
   COMMAND(client, DESTROY_OBJECT, FREE);
   COMMAND(client, DESTROY_OBJECT, FREE + 1);
   client_draw(client);
   client_run(client);
   client_get(client, TARGET, 2, 2, pixels, sizeof(pixels));
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned c = 0; c < 4; c++)
         assert_int_equal(pixels[i][c], texels[i][3 - c]);
   }
}

/* Elements 1 and 2 of a buffer; the third is beyond the view. */
static void
buffers_are_textures(void **test)
{
   static const uint32_t words[4] = {1, 20, 30, 4};
   struct client *client = *test;
   uint32_t pixel[1];

   client_set_up(client, R32_UINT, 1, 1);
   client_set_fragment_shader(
      client, "FRAG\n"
              "DCL OUT[0], COLOR\n"
              "DCL SAMP[0]\n"
              "DCL SVIEW[0], BUFFER, UINT\n"
              "DCL TEMP[0..2]\n"
              "IMM[0] UINT32 {0, 1, 2, 0}\n"
              "  0: TXF TEMP[0], IMM[0].xxxx, SAMP[0], BUFFER\n"
              "  1: TXF TEMP[1], IMM[0].yyyy, SAMP[0], BUFFER\n"
              "  2: TXF TEMP[2], IMM[0].zzzz, SAMP[0], BUFFER\n"
              "  3: UADD TEMP[0].x, TEMP[0].xxxx, TEMP[1].xxxx\n"
              "  4: UADD OUT[0], TEMP[0].xxxx, TEMP[2].xxxx\n"
              "  5: END\n");
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 16, 1, NULL);
   client_put(client, FREE, 16, 1, words, 16);
   CREATE(client, SAMPLER_VIEW, FREE, FREE, R32_UINT, 1, 2, 0 | 5 << 9);
   COMMAND(client, SET_SAMPLER_VIEWS, TG_GPU_FRAGMENT, 0, FREE);
   client_draw(client);
   client_run(client);
   client_get(client, TARGET, 1, 1, pixel, 4);
   assert_int_equal(pixel[0], 50);
}

/* A buffer of more texels than there can be, as a texture and as an image. */
static void
texels_of_buffers_are_limited(void **test)
{
   enum { MOST = 1 << 27 };
   struct client *client = *test;
   uint32_t pixel[4];

   client_set_up(client, RGBA32_UINT, 1, 1);
   client_set_fragment_shader(client,
                              "FRAG\n"
                              "DCL OUT[0], COLOR\n"
                              "DCL SAMP[0]\n"
                              "DCL SVIEW[0], BUFFER, UINT\n"
                              "DCL IMAGE[0], BUFFER, PIPE_FORMAT_R8_UINT\n"
                              "DCL IMAGE[1], BUFFER, PIPE_FORMAT_R8_UINT\n"
                              "DCL TEMP[0..2]\n"
                              "IMM[0] UINT32 {0, 0, 0, 0}\n"
                              "  0: TXQ TEMP[0].x, IMM[0].xxxx, SAMP[0], "
                              "BUFFER\n"
                              "  1: RESQ TEMP[1].x, IMAGE[0], BUFFER\n"
                              "  2: RESQ TEMP[2].x, IMAGE[1], BUFFER\n"
                              "  3: MOV OUT[0].x, TEMP[0].xxxx\n"
                              "  4: MOV OUT[0].y, TEMP[1].xxxx\n"
                              "  5: MOV OUT[0].zw, TEMP[2].xxxx\n"
                              "  6: END\n");
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, MOST + 1, 1, NULL);
   CREATE(client, SAMPLER_VIEW, FREE, FREE, R8_UINT, 0, MOST, 0 | 5 << 9);
   COMMAND(client, SET_SAMPLER_VIEWS, TG_GPU_FRAGMENT, 0, FREE);
   COMMAND(client, SET_SHADER_IMAGES, TG_GPU_FRAGMENT, 0, R8_UINT, 3, 0,
           MOST + 1, FREE, R8_UINT, 3, 0, MOST - 1, FREE);
   client_draw(client);
   client_run(client);
   client_get(client, TARGET, 1, 1, pixel, sizeof(pixel));
   assert_int_equal(pixel[0], MOST);
   assert_int_equal(pixel[1], MOST);
   assert_int_equal(pixel[2], MOST - 1);
}

/* Words of the command, then a part of a buffer in their place, then words
 * again, then nothing. */
static void
constants_take_each_others_place(void **test)
{
   static const uint32_t words[12] = {[8] = 7};
   struct client *client = *test;
   uint32_t pixel;

   client_set_up(client, R32_UINT, 1, 1);
   client_set_fragment_shader(client, "FRAG\n"
                                      "DCL OUT[0], COLOR\n"
                                      "DCL CONST[2][0..1]\n"
                                      "  0: MOV OUT[0], CONST[2][1]\n"
                                      "  1: END\n");
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, sizeof(words), 1, NULL);
   client_put(client, FREE, sizeof(words), 1, words, sizeof(words));

   COMMAND(client, SET_CONSTANT_BUFFER, TG_GPU_FRAGMENT, 2, 0, 0, 0, 0, 5);
   client_draw(client);
   client_run(client);
   client_get(client, TARGET, 1, 1, &pixel, 4);
   assert_int_equal(pixel, 5);

   COMMAND(client, SET_UNIFORM_BUFFER, TG_GPU_FRAGMENT, 2, 16, 999, FREE);
   client_draw(client);
   client_run(client);
   client_get(client, TARGET, 1, 1, &pixel, 4);
   assert_int_equal(pixel, 7);

   COMMAND(client, SET_CONSTANT_BUFFER, TG_GPU_FRAGMENT, 2, 0, 0, 0, 0, 6);
   client_draw(client);
   COMMAND(client, SET_CONSTANT_BUFFER, TG_GPU_FRAGMENT, 2);
   client_run(client);
   client_get(client, TARGET, 1, 1, &pixel, 4);
   assert_int_equal(pixel, 6);
   client_draw(client);
   client_run(client);
   client_get(client, TARGET, 1, 1, &pixel, 4);
   assert_int_equal(pixel, 0);
}

/* Mesa has 4,096 registers of uniforms, and adds others that it sets itself. */
static void
constants_may_be_more_than_uniforms(void **test)
{
   enum { LAST = 4096 };
   static uint32_t words[2 + (LAST + 1) * 4] = {TG_GPU_FRAGMENT, 0};
   struct client *client = *test;
   uint32_t pixel;

   client_set_up(client, R32_UINT, 1, 1);
   client_set_fragment_shader(client, "FRAG\n"
                                      "DCL OUT[0], COLOR\n"
                                      "DCL CONST[0][0..4096]\n"
                                      "  0: MOV OUT[0], CONST[0][4096]\n"
                                      "  1: END\n");
   words[2 + LAST * 4] = 9;
   client_add(client, VIRGL_SET_CONSTANT_BUFFER, 0, TG_LENGTH(words), words);
   client_draw(client);
   client_run(client);
   client_get(client, TARGET, 1, 1, &pixel, 4);
   assert_int_equal(pixel, 9);
}

/* Each thread of two blocks of four writes its number, and counts. */
static void
dispatches_write_buffers(void **test)
{
   struct client *client = *test;
   uint32_t words[8], count, grid[3] = {2, 1, 1};

   client_add_shader(
      client, FREE, VIRGL_STAGE_COMPUTE,
      "COMP\n"
      "PROPERTY CS_FIXED_BLOCK_WIDTH 4\n"
      "PROPERTY CS_FIXED_BLOCK_HEIGHT 1\n"
      "PROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
      "DCL SV[0], THREAD_ID\n"
      "DCL SV[1], BLOCK_ID\n"
      "DCL BUFFER[1]\n"
      "DCL HWATOMIC[0][0..1]\n"
      "DCL TEMP[0..1]\n"
      "IMM[0] UINT32 {4, 1, 0, 0}\n"
      "  0: UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx\n"
      "  1: UMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\n"
      "  2: STORE BUFFER[1].x, TEMP[1].xxxx, TEMP[0].xxxx\n"
      "  3: ATOMUADD TEMP[0].x, HWATOMIC[0][1], IMM[0].xxxx, "
      "IMM[0].yyyy\n"
      "  4: END\n",
      0);
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 32, 1, NULL);
   client_create(client, FREE + 1, TG_TEXTURE_BUFFER, R8, 16, 1, NULL);
   client_create(client, FREE + 2, TG_TEXTURE_BUFFER, R8, 12, 1, NULL);
   client_put(client, FREE + 2, 12, 1, grid, 12);
   COMMAND(client, BIND_SHADER, FREE, VIRGL_STAGE_COMPUTE);
   COMMAND(client, SET_SHADER_BUFFERS, VIRGL_STAGE_COMPUTE, 1, 0, 32, FREE);
   COMMAND(client, SET_ATOMIC_BUFFERS, 0, 4, 12, FREE + 1, 0, 0, 0);
   COMMAND(client, LAUNCH_GRID, 4, 1, 1, 2, 1, 1, 0, 0);
   COMMAND(client, LAUNCH_GRID, 4, 1, 1, 9, 9, 9, FREE + 2, 0);
   client_run(client);
   client_get(client, FREE, 32, 1, words, sizeof(words));
   for (uint32_t i = 0; i < 8; i++)
      assert_int_equal(words[i], i);
   client_get(client, FREE + 1, 16, 1, words, 16);
   count = words[2]; /* counter 1, of a part that begins at word 1 */
   assert_int_equal(count, 16);
}

/* As many slots as clients empty, although there are fewer; something in one
 * that there is not is refused. */
static void
slots_are_bounded(void **test)
{
   struct client *client = *test;
   uint32_t words[2 + 5 * 128] = {TG_GPU_FRAGMENT, 0};

   client_add(client, VIRGL_SET_SHADER_BUFFERS, 0, 2 + 3 * 64, words);
   client_add(client, VIRGL_SET_SHADER_IMAGES, 0, 2 + 5 * 128, words);
   client_run(client);
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 32, 1, NULL);
   words[1] = 31;
   words[2 + 3 + 2] = FREE;
   client_add(client, VIRGL_SET_SHADER_BUFFERS, 0, 2 + 3 * 2, words);
   assert_int_equal(client_submit(client), TG_OK);
   assert_int_equal(client->num_lines, 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      CLIENT_TEST(textures_are_sampled),
      CLIENT_TEST(buffers_are_textures),
      CLIENT_TEST(texels_of_buffers_are_limited),
      CLIENT_TEST(constants_take_each_others_place),
      CLIENT_TEST(constants_may_be_more_than_uniforms),
      CLIENT_TEST(dispatches_write_buffers),
      CLIENT_TEST(slots_are_bounded),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
