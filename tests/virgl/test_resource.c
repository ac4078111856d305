/* SPDX-License-Identifier: MIT
 *
 * Resources of a client and transfers: what lies where, and that nothing leaves
 * the resource, its shared memory, or the data of a command.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tungsten/gpu.h"
#include "virgl/virgl.h"

enum { R8 = 64, RGBA8 = 67, RGBA32 = 31, DXT1 = 105 };

struct client {
   struct tg_device *device;
   struct virgl_host *host;
   unsigned num_lines;
   char line[512]; /* the last of the log */
};

static void
take_line(void *user, const char *line)
{
   struct client *client = user;

   client->num_lines++;
   snprintf(client->line, sizeof(client->line), "%s", line);
}

static void
begin(struct client *client)
{
   *client = (struct client){0};
   assert_int_equal(tg_device_create(NULL, NULL, &client->device), TG_OK);
   const struct virgl_host_options options = {
      .device = client->device,
      .log = take_line,
      .user = client,
   };
   assert_int_equal(virgl_host_create(&options, &client->host), TG_OK);
}

static void
end(struct client *client)
{
   virgl_host_destroy(client->host);
   tg_device_destroy(client->device);
}

/* Memory that is shared, of exactly the size: a sanitizer sees what leaves it.
 */
static enum tg_result
create(struct client *client, uint32_t handle,
       const struct virgl_resource_desc *desc, unsigned char **bytes_out)
{
   uint64_t num_bytes;

   assert_true(virgl_layout_count_bytes(desc, &num_bytes));
   const struct virgl_memory memory = {
      .address = calloc(1, num_bytes),
      .num_bytes = num_bytes,
      .release = free,
   };
   struct virgl_memory given = memory;
   given.user = memory.address;
   *bytes_out = memory.address;
   return virgl_host_create_resource(client->host, handle, desc, &given);
}

/* ---- layout -------------------------------------------------------------- */

static void
sizes_are_those_of_all_levels(void **state)
{
   static const struct {
      struct virgl_resource_desc desc;
      uint64_t num_bytes;
   } rows[] = {
      {{.target = 0, .format = R8, .width = 1048576, .height = 1, .depth = 1},
       1048576},
      {{.target = 2,
        .format = 2,
        .width = 300,
        .height = 300,
        .depth = 1,
        .array_size = 1},
       360000},
      /* 8 x 4, 4 x 2, 2 x 1, 1 x 1 */
      {{.target = 2,
        .format = RGBA8,
        .width = 8,
        .height = 4,
        .depth = 1,
        .array_size = 1,
        .last_level = 3},
       (32 + 8 + 2 + 1) * 4},
      /* 4 x 4 x 4, 2 x 2 x 2 */
      {{.target = 3,
        .format = R8,
        .width = 4,
        .height = 4,
        .depth = 4,
        .array_size = 1,
        .last_level = 1},
       64 + 8},
      {{.target = 4,
        .format = RGBA8,
        .width = 4,
        .height = 4,
        .depth = 1,
        .array_size = 6},
       6 * 64},
      /* 3 x 3 blocks, 2 x 1 and 1 */
      {{.target = 2,
        .format = DXT1,
        .width = 10,
        .height = 9,
        .depth = 1,
        .array_size = 1,
        .last_level = 2},
       (9 + 2 + 1) * 8},
      {{.target = 2,
        .format = RGBA8,
        .width = 8,
        .height = 8,
        .depth = 1,
        .array_size = 1,
        .num_samples = 4},
       0},
      {{.target = 6,
        .format = R8,
        .width = 5,
        .height = 1,
        .depth = 1,
        .array_size = 3},
       15},
   };
   uint64_t num_bytes;
   (void)state;

   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      assert_true(virgl_layout_count_bytes(&rows[i].desc, &num_bytes));
      assert_int_equal(num_bytes, rows[i].num_bytes);
   }
}

static const struct virgl_resource_desc texture = {.target = 2,
                                                   .format = RGBA8,
                                                   .width = 8,
                                                   .height = 4,
                                                   .depth = 1,
                                                   .array_size = 1,
                                                   .last_level = 1};

/* ---- transfers ----------------------------------------------------------- */

/* From shared memory into the texture, and out of it to another place. */
static void
texels_go_in_and_out(void **state)
{
   struct client client;
   unsigned char *bytes;
   (void)state;

   begin(&client);
   assert_int_equal(create(&client, 5, &texture, &bytes), TG_OK);
   for (unsigned i = 0; i < 160; i++)
      bytes[i] = (unsigned char)(i + 1);
   /* Level 1: 4 x 2 at byte 128, in which the box is 2 x 2 at (1, 0). */
   struct virgl_transfer transfer = {
      .handle = 5,
      .level = 1,
      .box = {1, 0, 0, 2, 2, 1},
      .offset = 132,
   };
   assert_int_equal(virgl_host_transfer_put(client.host, &transfer, NULL, 0),
                    TG_OK);
   memset(bytes, 0, 160);
   assert_int_equal(virgl_host_transfer_get(client.host, &transfer, NULL, 0),
                    TG_OK);
   for (unsigned i = 0; i < 160; i++) {
      const bool is_within =
         i >= 132 && (i - 128) % 16 >= 4 && (i - 128) % 16 < 12;
      assert_int_equal(bytes[i], is_within ? i + 1 : 0);
   }
   /* With strides of its own, as data without shared memory. */
   unsigned char data[3 * 8];
   memset(data, 0, sizeof(data));
   transfer.offset = 0;
   transfer.stride = 16;
   assert_int_equal(virgl_host_transfer_get(client.host, &transfer, data, 24),
                    TG_OK);
   assert_int_equal(data[0], 133);
   assert_int_equal(data[8], 0);
   assert_int_equal(data[16], 149);
   transfer.stride = 0;
   assert_int_equal(virgl_host_transfer_get(client.host, &transfer, data, 16),
                    TG_OK);
   assert_int_equal(data[8], 149);
   assert_int_equal(client.num_lines, 0);
   end(&client);
}

static void
strange_transfers_are_refused(void **state)
{
   static const struct virgl_transfer good = {.handle = 5,
                                              .box = {0, 0, 0, 8, 4, 1}};
   struct client client;
   unsigned char *bytes;
   unsigned char data[128] = {0};
   (void)state;

   begin(&client);
   const struct virgl_resource_desc layers = {.target = 7,
                                              .format = RGBA8,
                                              .width = 8,
                                              .height = 4,
                                              .depth = 1,
                                              .array_size = 2};
   assert_int_equal(create(&client, 8, &layers, &bytes), TG_OK);
   assert_int_equal(create(&client, 5, &texture, &bytes), TG_OK);
   const struct {
      struct virgl_transfer transfer;
      uint64_t num_bytes; /* of data; 0: shared memory */
   } rows[] = {
      {{.handle = 6, .box = {0, 0, 0, 8, 4, 1}}, 0},
      {{.handle = 0, .box = {0, 0, 0, 8, 4, 1}}, 0},
      {{.handle = 5, .level = 2, .box = {0, 0, 0, 1, 1, 1}}, 0},
      {{.handle = 5, .box = {-1, 0, 0, 1, 1, 1}}, 0},
      {{.handle = 5, .box = {0, 0, 0, -1, 1, 1}}, 0},
      {{.handle = 5, .box = {1, 0, 0, 8, 4, 1}}, 0},
      {{.handle = 5, .box = {0, 1, 0, 8, 4, 1}}, 0},
      {{.handle = 5, .box = {0, 0, 1, 8, 4, 1}}, 0},
      {{.handle = 5, .box = {INT32_MAX, 0, 0, INT32_MAX, 1, 1}}, 0},
      {{.handle = 5, .box = {0, 0, 0, 8, 4, 1}, .offset = 36}, 0},
      {{.handle = 5, .box = {0, 0, 0, 8, 4, 1}, .offset = UINT64_MAX}, 0},
      {{.handle = 5, .box = {0, 0, 0, 8, 4, 1}, .stride = 44}, 0},
      {{.handle = 5, .box = {0, 0, 0, 8, 4, 1}, .stride = UINT32_MAX}, 0},
      {{.handle = 8, .box = {0, 0, 0, 8, 4, 3}}, 0},
      {{.handle = 8, .box = {0, 0, 0, 8, 4, 2}, .layer_stride = 132}, 0},
      {{.handle = 8, .box = {0, 0, 0, 8, 4, 2}, .layer_stride = UINT32_MAX}, 0},
      {{.handle = 5, .box = {0, 0, 0, 8, 4, 1}}, 127},
      {{.handle = 5, .box = {0, 0, 0, 8, 4, 1}, .offset = 1}, 128},
   };
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      unsigned char *at = rows[i].num_bytes ? data : NULL;

      client.num_lines = 0;
      assert_int_equal(virgl_host_transfer_put(client.host, &rows[i].transfer,
                                               at, rows[i].num_bytes),
                       TG_ERROR_INPUT);
      assert_int_equal(virgl_host_transfer_get(client.host, &rows[i].transfer,
                                               at, rows[i].num_bytes),
                       TG_ERROR_INPUT);
      assert_int_equal(client.num_lines, 2);
   }
   assert_int_equal(virgl_host_transfer_put(client.host, &good, NULL, 0),
                    TG_OK);
   assert_int_equal(virgl_host_transfer_get(client.host, &good, data, 128),
                    TG_OK);
   end(&client);
}

/* ---- creation ------------------------------------------------------------ */

static unsigned num_released;

static void
count_release(void *user)
{
   (void)user;
   num_released++;
}

static void
strange_resources_are_refused(void **state)
{
   static const struct virgl_resource_desc rows[] = {
      {.target = 9, .format = RGBA8, .width = 1, .height = 1, .depth = 1},
      {.target = 2, .format = 322, .width = 1, .height = 1, .depth = 1},
      {.target = 2, .format = 307, .width = 1, .height = 1, .depth = 1},
      {.target = 2, .format = 0, .width = 1, .height = 1, .depth = 1},
      {.target = 2, .format = RGBA8, .width = 0, .height = 1, .depth = 1},
      {.target = 2,
       .format = RGBA8,
       .width = UINT32_MAX,
       .height = 1,
       .depth = 1},
      {.target = 2,
       .format = RGBA8,
       .width = 4,
       .height = 4,
       .depth = 1,
       .last_level = 3},
      {.target = 2,
       .format = RGBA8,
       .width = 4,
       .height = 4,
       .depth = 1,
       .last_level = UINT32_MAX},
      {.target = 2,
       .format = RGBA8,
       .width = 4,
       .height = 4,
       .depth = 1,
       .num_samples = 3},
      {.target = 3,
       .format = RGBA8,
       .width = 4,
       .height = 4,
       .depth = 4,
       .num_samples = 4},
      {.target = 4,
       .format = RGBA8,
       .width = 4,
       .height = 4,
       .depth = 1,
       .array_size = 5},
      {.target = 0, .format = R8, .width = 4, .height = 2, .depth = 1},
      {.target = 2,
       .format = RGBA32,
       .width = 16384,
       .height = 16384,
       .depth = 1,
       .array_size = 1},
   };
   struct client client;
   char byte;
   const struct virgl_memory memory = {
      .address = &byte, .num_bytes = 1, .release = count_release};
   (void)state;

   begin(&client);
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      client.num_lines = num_released = 0;
      assert_int_not_equal(
         virgl_host_create_resource(client.host, 7, &rows[i], &memory), TG_OK);
      assert_int_equal(num_released, 1);
      assert_true(client.num_lines >= 1);
   }
   assert_int_equal(virgl_host_create_resource(client.host, 0, &texture, NULL),
                    TG_ERROR_INPUT);
   assert_int_equal(
      virgl_host_create_resource(client.host, 7, &texture, &memory), TG_OK);
   assert_int_equal(virgl_host_create_resource(client.host, 7, &texture, NULL),
                    TG_ERROR_INPUT);
   assert_string_equal(client.line, "resource 7: the handle is in use");
   num_released = 0;
   virgl_host_destroy_resource(client.host, 7);
   virgl_host_destroy_resource(client.host, 7);
   assert_int_equal(num_released, 1);
   assert_int_equal(
      virgl_host_create_resource(client.host, 7, &texture, &memory), TG_OK);
   end(&client);
   assert_int_equal(num_released, 2);
}

/* Is what has been read back so a frame? */
static bool
is_frame(struct client *client, const struct virgl_transfer *transfer,
         uint64_t num_bytes)
{
   unsigned char *data = malloc(num_bytes + 1);
   struct virgl_frame frame;

   assert_non_null(data);
   assert_int_equal(
      virgl_host_transfer_get(client->host, transfer, data, num_bytes), TG_OK);
   const bool is_it =
      virgl_host_find_frame(client->host, transfer, data, num_bytes, &frame);
   if (is_it) {
      assert_ptr_equal(frame.pixels, data);
      assert_true((frame.height - 1) * frame.stride + frame.width * 4 <=
                  num_bytes);
   }
   free(data);
   return is_it;
}

/* All rows of a frame are read later: all of them have to be there. */
static void
frames_are_whole(void **state)
{
   struct virgl_resource_desc desc = {
      TG_TEXTURE_2D, RGBA8, 0x8a, 4, 4, 1, 1, 1, 0};
   const struct virgl_transfer whole = {.handle = 1, .box = {0, 0, 0, 4, 4, 1}};
   struct virgl_transfer transfer = whole;
   struct client client;
   (void)state;

   begin(&client);
   assert_int_equal(virgl_host_create_resource(client.host, 1, &desc, NULL),
                    TG_OK);
   assert_true(is_frame(&client, &transfer, 64));
   transfer.stride = 20;
   assert_true(is_frame(&client, &transfer, 3 * 20 + 16));
   transfer = whole;
   transfer.box.depth = 0; /* takes no bytes */
   assert_false(is_frame(&client, &transfer, 0));
   transfer = whole;
   transfer.box.height = 3;
   assert_false(is_frame(&client, &transfer, 64));
   transfer = (struct virgl_transfer){
      .handle = 1, .level = 1, .box = {0, 0, 0, 2, 2, 1}};
   assert_false(is_frame(&client, &transfer, 64));
   desc.bind = 0x0a; /* not to be displayed */
   assert_int_equal(virgl_host_create_resource(client.host, 2, &desc, NULL),
                    TG_OK);
   transfer = whole;
   transfer.handle = 2;
   assert_false(is_frame(&client, &transfer, 64));
   desc.bind = 0x8a;
   desc.format = DXT1; /* 16 texels in 8 bytes */
   assert_int_equal(virgl_host_create_resource(client.host, 3, &desc, NULL),
                    TG_OK);
   transfer.handle = 3;
   assert_false(is_frame(&client, &transfer, 8));
   end(&client);
}

/* A fence of a client: a buffer of no layers. */
static void
idle_resources_are_not_busy(void **state)
{
   static const struct virgl_resource_desc fence = {
      .target = 0, .format = R8, .width = 8, .height = 1, .depth = 1};
   struct client client;
   (void)state;

   begin(&client);
   assert_false(virgl_host_is_busy(client.host, 0));
   assert_int_equal(virgl_host_create_resource(client.host, 1, &fence, NULL),
                    TG_OK);
   virgl_host_wait(client.host, 1);
   assert_false(virgl_host_is_busy(client.host, 1));
   end(&client);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_are_those_of_all_levels),
      cmocka_unit_test(texels_go_in_and_out),
      cmocka_unit_test(strange_transfers_are_refused),
      cmocka_unit_test(strange_resources_are_refused),
      cmocka_unit_test(frames_are_whole),
      cmocka_unit_test(idle_resources_are_not_busy),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
