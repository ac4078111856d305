/* SPDX-License-Identifier: MIT
 *
 * Draws as Mesa's driver sends them, pixel by pixel.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <time.h>

#include "client.h"
#include "virgl/object/shader.h"

enum { SIZE = 8, B8G8R8X8 = 2, Z32 = 17, R32G32B32_FLOAT = 30, R8 = 64 };

static const char vertex_shader[] =
   "VERT\n"
   "DCL IN[0]\n"
   "DCL OUT[0], POSITION\n"
   "DCL OUT[1], COLOR\n"
   "DCL CONST[0..1]\n"
   "  0: MOV OUT[0], IN[0]\n"
   "  1: ADD OUT[0].z, IN[0].zzzz, CONST[1].xxxx\n"
   "  2: MOV OUT[1], CONST[0]\n"
   "  3: END\n";

static const char fragment_shader[] = "FRAG\n"
                                      "PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\n"
                                      "DCL IN[0], COLOR, COLOR\n"
                                      "DCL OUT[0], COLOR\n"
                                      "DCL TEMP[0..3]\n"
                                      "  0: MOV OUT[0], IN[0]\n"
                                      "  1: END\n";

/* A triangle whose long edge passes between the centres of pixels: of column c
 * and row r those with c <= r are within. Then its indices, in both orders. */
static const struct {
   float vertices[3][3];
   uint32_t indices[2][3];
} buffer = {
   {{-1, -1, 0}, {1.125f, -1, 0}, {-1, 1.125f, 0}},
   {{0, 1, 2}, {0, 2, 1}},
};

static void
set_constants(struct client *client, float red, float green, float z)
{
   COMMAND(client, SET_CONSTANT_BUFFER, TG_GPU_VERTEX, 0, client_float(red),
           client_float(green), 0, client_float(1), client_float(z), 0, 0, 0);
}

/* With the index buffer at one of the two orders. */
static void
draw(struct client *client, uint32_t order)
{
   const uint32_t first = 9 + order * 3;

   COMMAND(client, SET_INDEX_BUFFER, 3, 4, first * 4);
   COMMAND(client, DRAW_VBO, first, 3, TG_PRIM_TRIANGLES, 1, 1, 0, 0, 0, 0, 0,
           0xffffffff, 0);
}

/* The commands of glxgears' first frame, in its order, for a smaller window. */
static void
begin_frame(struct client *client, void *shared)
{
   client_create(client, 1, TG_TEXTURE_2D, B8G8R8X8, SIZE, SIZE, NULL);
   client_create(client, 2, TG_TEXTURE_2D, Z32, SIZE, SIZE, NULL);
   client_create(client, 3, TG_TEXTURE_BUFFER, R8, sizeof(buffer), 1, shared);
   memcpy(shared, &buffer, sizeof(buffer));
   COMMAND(client, TRANSFER3D, 3, 0, 0xa, 0, 0, 0, 0, 0, sizeof(buffer), 1, 1,
           0, VIRGL_TRANSFER_TO_HOST);
   COMMAND(client, END_TRANSFERS, 0, 0, 0);
   COMMAND(client, CREATE_SUB_CTX, 1);
   COMMAND(client, SET_SUB_CTX, 1);
   CREATE(client, SURFACE, 1, 1, B8G8R8X8, 0, 0);
   CREATE(client, SURFACE, 2, 2, Z32, 0, 0);
   COMMAND(client, SET_FRAMEBUFFER_STATE, 1, 2, 1);
   COMMAND(client, SET_FRAMEBUFFER_STATE_NO_ATTACH, SIZE | SIZE << 16, 0);
   COMMAND(client, CLEAR, 5, 0, 0, 0, 0, 0, 0x3ff00000, 0);
   client_add_shader(client, 3, TG_GPU_FRAGMENT, fragment_shader, 0);
   COMMAND(client, LINK_SHADER, 0, 3, 0, 0, 0, 0);
   client_add_shader(client, 4, TG_GPU_VERTEX, vertex_shader, 10);
   CREATE(client, DSA, 5, 7, 0, 0, 0);
   BIND(client, DSA, 5);
   COMMAND(client, BIND_SHADER, 3, TG_GPU_FRAGMENT);
   COMMAND(client, BIND_SHADER, 4, TG_GPU_VERTEX);
   COMMAND(client, SET_BLEND_COLOR, 0, 0, 0, 0);
   COMMAND(client, SET_SAMPLER_VIEWS, TG_GPU_VERTEX, 0);
   COMMAND(client, SET_SAMPLER_VIEWS, TG_GPU_FRAGMENT, 0);
   CREATE(client, BLEND, 6, 4, 0, 0x78000000, 0, 0, 0, 0, 0, 0, 0);
   BIND(client, BLEND, 6);
   CREATE(client, RASTERIZER, 7, 0x60008203, client_float(1), 0, 0xffff,
          client_float(1), 0, 0, 0);
   BIND(client, RASTERIZER, 7);
   COMMAND(client, SET_MIN_SAMPLES, 1);
   COMMAND(client, SET_VIEWPORT_STATE, 0, client_float(4), client_float(-4),
           client_float(0.5f), client_float(4), client_float(4),
           client_float(0.5f));
   COMMAND(client, SET_TESS_STATE, 1, 1, 1, 1, 1, 1);
   CREATE(client, VERTEX_ELEMENTS, 8, 0, 0, 0, R32G32B32_FLOAT);
   BIND(client, VERTEX_ELEMENTS, 8);
   COMMAND(client, SET_VERTEX_BUFFERS, 12, 0, 3);
}

/* Red and green in the triangle, nothing outside. */
static void
expect_triangle(struct client *client, uint8_t red, uint8_t green)
{
   uint8_t pixels[SIZE][SIZE][4];

   client_get(client, 1, SIZE, SIZE, pixels, sizeof(pixels));
   for (unsigned r = 0; r < SIZE; r++) {
      for (unsigned c = 0; c < SIZE; c++) {
         const bool is_within = c <= r;

         assert_int_equal(pixels[r][c][0], 0);
         assert_int_equal(pixels[r][c][1], is_within ? green : 0);
         assert_int_equal(pixels[r][c][2], is_within ? red : 0);
      }
   }
}

/* The second draw is farther away, the third seen from the back. */
static void
a_frame_is_drawn_as_it_is_sent(void **test)
{
   struct client *client = *test;
   uint32_t shared[sizeof(buffer) / 4];

   begin_frame(client, shared);
   set_constants(client, 1, 0.2f, 0);
   draw(client, 0);
   set_constants(client, 0, 1, 0.5f);
   draw(client, 0);
   set_constants(client, 0, 1, -0.5f);
   draw(client, 1);
   client_run(client);
   expect_triangle(client, 255, 51);
}

/* Vertex 1 is at (8.5, 8), outside of the window, and its square reaches to
 * (7.25, 6.75). */
static void
points_are_clipped_by_their_squares(void **test)
{
   struct client *client = *test;
   uint32_t shared[sizeof(buffer) / 4];
   uint8_t pixels[SIZE][SIZE][4];

   begin_frame(client, shared);
   CREATE(client, RASTERIZER, 9, 0x60008283, client_float(2.5f), 0, 0xffff,
          client_float(1), 0, 0, 0);
   BIND(client, RASTERIZER, 9);
   set_constants(client, 1, 0, 0);
   COMMAND(client, DRAW_VBO, 1, 1, TG_PRIM_POINTS, 0, 1, 0, 0, 0, 0, 0,
           0xffffffff, 0);
   client_run(client);
   client_get(client, 1, SIZE, SIZE, pixels, sizeof(pixels));
   for (unsigned r = 0; r < SIZE; r++) {
      for (unsigned c = 0; c < SIZE; c++)
         assert_int_equal(pixels[r][c][2], r == 7 && c == 7 ? 255 : 0);
   }
}

/* Which is by numbers of vertices, in their order. */
static void
draws_without_indices(void **test)
{
   struct client *client = *test;
   uint32_t shared[sizeof(buffer) / 4];

   begin_frame(client, shared);
   set_constants(client, 0, 0.6f, 0);
   COMMAND(client, DRAW_VBO, 0, 3, TG_PRIM_TRIANGLES, 0, 1, 0, 0, 0, 0, 0, 2,
           0);
   client_run(client);
   expect_triangle(client, 0, 153);
}

/* Of a shader that is refused the line is told, draws with it are left out, and
 * another one in its place draws. */
static void
refused_shaders_draw_nothing(void **test)
{
   struct client *client = *test;
   uint32_t shared[sizeof(buffer) / 4];

   begin_frame(client, shared);
   client_add_shader(client, 9, TG_GPU_FRAGMENT,
                     "FRAG\nDCL OUT[0], COLOR\n  0: NOSUCH OUT[0]\n  1: END\n",
                     0);
   COMMAND(client, BIND_SHADER, 9, TG_GPU_FRAGMENT);
   set_constants(client, 1, 1, 0);
   draw(client, 0);
   assert_int_equal(client_submit(client), TG_OK);
   assert_int_equal(client->num_lines, 2);
   assert_true(client_was_told(client, "shader 9: line 3"));
   assert_true(client_was_told(client, "a shader was refused"));
   expect_triangle(client, 0, 0);

   client->num_lines = 0;
   COMMAND(client, BIND_SHADER, 3, TG_GPU_FRAGMENT);
   draw(client, 0);
   client_run(client);
   expect_triangle(client, 255, 255);
}

/* The floor of infinity by its fraction is infinity, and powers of 2^-140 are
 * those of 0. */
static void
shaders_have_the_quirks_of_the_driver(void **test)
{
   struct client *client = *test;
   uint32_t shared[sizeof(buffer) / 4];

   begin_frame(client, shared);
   client_add_shader(client, 9, TG_GPU_FRAGMENT,
                     "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
                     "IMM[0] UINT32 {0x7f800000, 0x00000200, 0, 0}\n"
                     "IMM[1] FLT32 {-1.0, 1.0, 0.01, 0.0}\n"
                     "  0: FRC TEMP[0].x, IMM[0].xxxx\n"
                     "  1: MAD OUT[0].x, TEMP[0].xxxx, IMM[1].xxxx, "
                     "IMM[0].xxxx\n"
                     "  2: POW TEMP[1].x, IMM[0].yyyy, IMM[1].zzzz\n"
                     "  3: ADD OUT[0].y, IMM[1].yyyy, -TEMP[1].xxxx\n"
                     "  4: MOV OUT[0].zw, IMM[1].wwww\n"
                     "  5: END\n",
                     0);
   COMMAND(client, BIND_SHADER, 9, TG_GPU_FRAGMENT);
   set_constants(client, 0, 0, 0);
   draw(client, 0);
   client_run(client);
   expect_triangle(client, 255, 255);
}

/* Pieces out of order, or of another shader. */
static void
pieces_of_shaders_are_checked(void **test)
{
   struct client *client = *test;

   CREATE(client, SHADER, 1, TG_GPU_FRAGMENT, 0, 300, 0);
   CREATE(client, SHADER, 1, TG_GPU_FRAGMENT, VIRGL_MAX_SHADER_TEXT + 1, 300, 0,
          0);
   CREATE(client, SHADER, 1, 6, 40, 300, 0, 0);
   CREATE(client, SHADER, 1, TG_GPU_VERTEX, 40, 300, 65, 0, 0, 0, 0, 0, 0);
   CREATE(client, SHADER, 1, TG_GPU_FRAGMENT, 8 | VIRGL_SHADER_IS_LATER_PIECE,
          300, 0, 0);
   CREATE(client, SHADER, 1, TG_GPU_FRAGMENT, 40, 300, 0, 0x47415246);
   CREATE(client, SHADER, 1, TG_GPU_FRAGMENT, 8 | VIRGL_SHADER_IS_LATER_PIECE,
          300, 0, 0);
   assert_int_equal(client_submit(client), TG_OK);
   assert_int_equal(client->num_lines, 6);
   assert_true(client_was_told(client, "a shader of 0 bytes"));
   assert_true(client_was_told(client, "there is no stage 6"));
   assert_true(client_was_told(client, "65 stream outputs"));
   assert_true(client_was_told(client, "which has not begun"));
   assert_true(client_was_told(client, "a piece from byte 8 on, after 4"));
}

/* Each has state and objects of its own; resources are all theirs. */
static void
sub_contexts_are_apart(void **test)
{
   struct client *client = *test;
   uint32_t shared[sizeof(buffer) / 4];

   begin_frame(client, shared);
   set_constants(client, 1, 0, 0);
   draw(client, 0);
   COMMAND(client, CREATE_SUB_CTX, 2);
   COMMAND(client, SET_SUB_CTX, 2);
   CREATE(client, SURFACE, 1, 1, B8G8R8X8, 0, 0);
   COMMAND(client, SET_FRAMEBUFFER_STATE, 1, 0, 1);
   COMMAND(client, CLEAR, 4, 0, 0, 0, 0, 0, 0, 0);
   COMMAND(client, SET_SUB_CTX, 1);
   set_constants(client, 0, 1, -0.25f);
   draw(client, 0);
   COMMAND(client, DESTROY_SUB_CTX, 2);
   client_run(client);
   expect_triangle(client, 0, 255);
}

/* While fragments are at work for a few tenths of a second: a resource that
 * they have nothing to do with is idle, their target is busy, and so is one
 * that was made after them, a fence. A device of one thread is done at once.
 * That they ask for their place has each run by itself. */
static void
busy_is_what_uses_a_resource(void **test)
{
   enum { STAGING = FREE, FENCE, WIDE = 32 };
   static const char slow[] =
      "FRAG\nDCL IN[0], POSITION\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\n"
      "IMM[0] FLT32 {0, 0x3f800000, 0x48c35000, 0}\nMOV TEMP[0], "
      "IMM[0].xxxx\nBGNLOOP\n"
      "SGE TEMP[1], TEMP[0], IMM[0].zzzz\nIF TEMP[1].xxxx\nBRK\nENDIF\n"
      "ADD TEMP[0], TEMP[0], IMM[0].yyyy\nENDLOOP\nMOV OUT[0], TEMP[0]\n"
      "END\n";
   struct client *client = *test;

   client_set_up(client, R8, WIDE, WIDE);
   client_set_fragment_shader(client, slow);
   client_create(client, STAGING, 0, R8, 64, 1, NULL);
   client_run(client);
   client_draw(client);
   assert_int_equal(client_submit(client), TG_OK);
   const bool staging_is_busy = virgl_host_is_busy(client->host, STAGING);
   const bool nothing_is_busy = virgl_host_is_busy(client->host, FREE + 9);
   const struct virgl_resource_desc fence = {
      .format = R8,
      .bind = VIRGL_BIND_CUSTOM,
      .width = 8,
      .height = 1,
      .depth = 1,
   };
   assert_int_equal(
      virgl_host_create_resource(client->host, FENCE, &fence, NULL), TG_OK);
   const bool fence_is_busy = virgl_host_is_busy(client->host, FENCE);
   if (tg_device_num_threads(client->device) > 1) {
      assert_true(virgl_host_is_busy(client->host, TARGET));
      assert_false(staging_is_busy);
      assert_true(nothing_is_busy);
      assert_true(fence_is_busy);
   }
   virgl_host_wait(client->host, FENCE);
   assert_false(virgl_host_is_busy(client->host, TARGET));
   assert_false(virgl_host_is_busy(client->host, FENCE));
}

/* What was asked at each look. */
struct looks {
   struct client *client;
   unsigned count;
   bool is_unused[8][2];
};

static void
note_look(void *user)
{
   struct looks *looks = user;

   assert_true(looks->count < 8);
   for (unsigned i = 0; i < 2; i++)
      looks->is_unused[looks->count][i] =
         virgl_host_is_unused(looks->client->host, FREE + i);
   looks->count++;
}

/* Of two resources the commands before the second look use the first, and
 * those after it none, but for a word that looks like it. */
static void
looks_tell_what_is_unused(void **test)
{
   struct client *client = *test;
   struct looks looks = {.client = client};

   client_set_up(client, R8, 8, 8);
   client_create(client, FREE, 0, R8, 64, 1, NULL);
   client_create(client, FREE + 1, 0, R8, 64, 1, NULL);
   client_run(client);
   virgl_host_set_look(client->host, note_look, &looks);
   for (unsigned i = 0; i < 4 * 128 + 127; i++) {
      if (i == 200)
         COMMAND(client, RESOURCE_INLINE_WRITE, FREE, 0, 0, 0, 0, 0, 0, 0, 4, 1,
                 1, 0);
      else if (i == 400)
         COMMAND(client, SET_STENCIL_REF, FREE + 1);
      else
         COMMAND(client, SET_SAMPLE_MASK, UINT32_MAX);
   }
   client_run(client);
   assert_int_equal(looks.count, 4);
   for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(looks.is_unused[i][0], i >= 1);
      assert_int_equal(looks.is_unused[i][1], i >= 3);
   }
   assert_true(virgl_host_is_unused(client->host, FREE));
   assert_false(virgl_host_is_unused(client->host, FREE + 2));
   virgl_host_set_look(client->host, NULL, NULL);
   for (unsigned i = 0; i < 200; i++)
      COMMAND(client, SET_SAMPLE_MASK, UINT32_MAX);
   client_run(client);
   assert_int_equal(looks.count, 4);
}

/* Waits at the second look until what was drawn before the first is done. */
struct wait {
   struct client *client;
   unsigned num_looks;
   bool was_unused, is_unused;
};

static void
wait_at_look(void *user)
{
   struct wait *wait = user;
   const struct timespec millisecond = {.tv_nsec = 1000000};

   wait->is_unused = virgl_host_is_unused(wait->client->host, TARGET);
   if (wait->num_looks++ == 0)
      wait->was_unused = wait->is_unused;
   for (unsigned i = 0; i < 60000 && wait->num_looks == 2 && !wait->is_unused;
        i++) {
      nanosleep(&millisecond, NULL);
      wait->is_unused = virgl_host_is_unused(wait->client->host, TARGET);
   }
}

/* Where there are threads for it: one alone draws when all is decoded. */
static void
frames_are_drawn_while_they_are_decoded(void **test)
{
   struct client *client = *test;
   struct wait wait = {.client = client};

   client_set_up(client, R8, 8, 8);
   client_run(client);
   virgl_host_set_look(client->host, wait_at_look, &wait);
   COMMAND(client, CLEAR, 4, 0, 0, 0, 0, 0, 0, 0);
   for (unsigned i = 0; i < 2 * 128; i++)
      COMMAND(client, SET_SAMPLE_MASK, UINT32_MAX);
   if (tg_device_num_threads(client->device) > 1) {
      client_run(client);
      assert_int_equal(wait.num_looks, 2);
      assert_false(wait.was_unused);
      assert_true(wait.is_unused);
   }
   virgl_host_set_look(client->host, NULL, NULL);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      CLIENT_TEST(a_frame_is_drawn_as_it_is_sent),
      CLIENT_TEST(points_are_clipped_by_their_squares),
      CLIENT_TEST(draws_without_indices),
      CLIENT_TEST(refused_shaders_draw_nothing),
      CLIENT_TEST(shaders_have_the_quirks_of_the_driver),
      CLIENT_TEST(pieces_of_shaders_are_checked),
      CLIENT_TEST(sub_contexts_are_apart),
      CLIENT_TEST(busy_is_what_uses_a_resource),
      CLIENT_TEST(looks_tell_what_is_unused),
      CLIENT_TEST(frames_are_drawn_while_they_are_decoded),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
