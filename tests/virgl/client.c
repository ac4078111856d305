/* SPDX-License-Identifier: MIT
 *
 * A client of a virgl host.
 */
#include "client.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static void
keep_line(void *user, const char *line)
{
   struct client *client = user;

   if (client->num_lines < CLIENT_MAX_LINES)
      snprintf(client->log[client->num_lines], sizeof(client->log[0]), "%s",
               line);
   client->num_lines++;
}

void
client_init_with(struct client *client, struct virgl_host_options options)
{
   memset(client, 0, sizeof(*client));
   assert_int_equal(tg_device_create(NULL, NULL, &client->device), TG_OK);
   options.device = client->device;
   options.log = keep_line;
   options.user = client;
   assert_int_equal(virgl_host_create(&options, &client->host), TG_OK);
}

void
client_init(struct client *client)
{
   client_init_with(client, (struct virgl_host_options){0});
}

void
client_finish(struct client *client)
{
   virgl_host_destroy(client->host);
   tg_device_destroy(client->device);
}

/* ---- commands ------------------------------------------------------------ */

void
client_add(struct client *client, uint32_t number, uint32_t object,
           uint32_t count, const uint32_t *words)
{
   uint32_t *out = &client->words[client->num_words];

   assert_true(count < sizeof(client->words) / 4 - client->num_words);
   out[0] = number | object << 8 | count << 16;
   memcpy(&out[1], words, count * sizeof(*words));
   client->num_words += 1 + count;
}

uint32_t
client_float(float value)
{
   uint32_t word;

   memcpy(&word, &value, sizeof(word));
   return word;
}

void
client_add_shader(struct client *client, uint32_t handle, uint32_t stage,
                  const char *text, uint32_t piece)
{
   const uint32_t size = (uint32_t)strlen(text) + 1;
   const uint32_t most = piece ? 4 * piece : size + 3;

   for (uint32_t at = 0; at < size; at += most) {
      const uint32_t count = size - at < most ? size - at : most;
      uint32_t words[5 + 4096] = {
         handle, stage, at ? at | VIRGL_SHADER_IS_LATER_PIECE : size, 300};

      assert_true(count <= 4096 * 4);
      memcpy(&words[5], text + at, count);
      client_add(client, VIRGL_CREATE_OBJECT, VIRGL_OBJECT_SHADER,
                 5 + (count + 3) / 4, words);
   }
}

enum tg_result
client_submit(struct client *client)
{
   const size_t num_words = client->num_words;

   client->num_words = 0;
   return virgl_host_submit(client->host, client->words, num_words);
}

void
client_run(struct client *client)
{
   const enum tg_result result = client_submit(client);

   virgl_host_wait(client->host, 0);
   if (client->num_lines)
      fail_msg("%s", client->log[0]);
   assert_int_equal(result, TG_OK);
}

bool
client_was_told(const struct client *client, const char *text)
{
   for (unsigned i = 0; i < client->num_lines && i < CLIENT_MAX_LINES; i++) {
      if (strstr(client->log[i], text))
         return true;
   }
   return false;
}

/* ---- resources ----------------------------------------------------------- */

void
client_create(struct client *client, uint32_t handle, uint32_t target,
              uint32_t format, uint32_t width, uint32_t height, void *memory)
{
   const struct virgl_resource_desc desc = {.target = target,
                                            .format = format,
                                            .width = width,
                                            .height = height,
                                            .depth = 1,
                                            .array_size = 1};
   struct virgl_memory shared = {.address = memory};

   assert_true(virgl_layout_count_bytes(&desc, &shared.num_bytes));
   assert_int_equal(virgl_host_create_resource(client->host, handle, &desc,
                                               memory ? &shared : NULL),
                    TG_OK);
}

void
client_put(struct client *client, uint32_t handle, uint32_t width,
           uint32_t height, const void *data, size_t num_bytes)
{
   const struct virgl_transfer transfer = {
      .handle = handle, .box = {0, 0, 0, (int32_t)width, (int32_t)height, 1}};

   assert_int_equal(
      virgl_host_transfer_put(client->host, &transfer, data, num_bytes), TG_OK);
}

void
client_get(struct client *client, uint32_t handle, uint32_t width,
           uint32_t height, void *data, size_t num_bytes)
{
   const struct virgl_transfer transfer = {
      .handle = handle, .box = {0, 0, 0, (int32_t)width, (int32_t)height, 1}};

   assert_int_equal(
      virgl_host_transfer_get(client->host, &transfer, data, num_bytes), TG_OK);
}

void
client_set_up(struct client *client, uint32_t format, uint32_t width,
              uint32_t height)
{
   static const float vertices[3][3] = {{-1, -1, 0}, {3, -1, 0}, {-1, 3, 0}};

   client_create(client, TARGET, TG_TEXTURE_2D, format, width, height, NULL);
   client_create(client, VERTICES, TG_TEXTURE_BUFFER, 64, sizeof(vertices), 1,
                 NULL);
   client_put(client, VERTICES, sizeof(vertices), 1, vertices,
              sizeof(vertices));
   COMMAND(client, CREATE_SUB_CTX, 1);
   COMMAND(client, SET_SUB_CTX, 1);
   client_set_state(client, format, width, height);
}

void
client_set_state(struct client *client, uint32_t format, uint32_t width,
                 uint32_t height)
{
   const uint32_t w = client_float((float)width / 2);
   const uint32_t h = client_float((float)height / 2);
   const uint32_t one = client_float(1), half = client_float(0.5f);

   CREATE(client, SURFACE, TARGET, TARGET, format, 0, 0);
   COMMAND(client, SET_FRAMEBUFFER_STATE, 1, 0, TARGET);
   COMMAND(client, SET_FRAMEBUFFER_STATE_NO_ATTACH, width | height << 16, 0);
   CREATE(client, DSA, 2, 0, 0, 0, 0);
   BIND(client, DSA, 2);
   CREATE(client, BLEND, 3, 0, 0, 0x78000000, 0, 0, 0, 0, 0, 0, 0);
   BIND(client, BLEND, 3);
   /* Depth clip, half_pixel_center. */
   CREATE(client, RASTERIZER, 4, 0x20000002, one, 0, 0xffff, one, 0, 0, 0);
   BIND(client, RASTERIZER, 4);
   COMMAND(client, SET_VIEWPORT_STATE, 0, w, h, half, w, h, half);
   client_add_shader(client, VERTEX_SHADER, TG_GPU_VERTEX,
                     "VERT\n"
                     "DCL IN[0]\n"
                     "DCL OUT[0], POSITION\n"
                     "DCL OUT[1], GENERIC[0]\n"
                     "IMM[0] FLT32 {0x3f000000, 0x3f000000, 0, 0}\n"
                     "  0: MOV OUT[0], IN[0]\n"
                     "  1: MAD OUT[1], IN[0], IMM[0].xxxx, IMM[0].xxxx\n"
                     "  2: END\n",
                     0);
   COMMAND(client, BIND_SHADER, VERTEX_SHADER, TG_GPU_VERTEX);
   CREATE(client, VERTEX_ELEMENTS, 6, 0, 0, 0, 30);
   BIND(client, VERTEX_ELEMENTS, 6);
   COMMAND(client, SET_VERTEX_BUFFERS, 12, 0, VERTICES);
   client_run(client);
}

void
client_set_fragment_shader(struct client *client, const char *text)
{
   client_add_shader(client, 7, TG_GPU_FRAGMENT, text, 0);
   COMMAND(client, BIND_SHADER, 7, TG_GPU_FRAGMENT);
}

void
client_draw(struct client *client)
{
   COMMAND(client, DRAW_VBO, 0, 3, TG_PRIM_TRIANGLES, 0, 1, 0, 0, 0, 0, 0, 2,
           0);
}

int
client_begin_test(void **test)
{
   static struct client client;

   client_init(&client);
   *test = &client;
   return 0;
}

int
client_end_test(void **test)
{
   client_finish(*test);
   return 0;
}
