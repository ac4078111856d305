/* SPDX-License-Identifier: MIT
 *
 * Targets that live in the memory that is shared with the client: which ones
 * do, that they are read back without a copy, and that a transfer from or to
 * another place has them leave it first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "client.h"

enum {
   RGBA8 = 67,
   R8 = 64,
   WINDOW = FREE, /* the target */
   STAGING = FREE + 1,
   WIDTH = 4,
   HEIGHT = 2,
   NUM_TEXELS = WIDTH * HEIGHT,
   /* Bind bits. */
   TARGET_ONLY = VIRGL_BIND_RENDER_TARGET,
   SAMPLED = VIRGL_BIND_RENDER_TARGET | VIRGL_BIND_SAMPLER_VIEW,
   SHOWN = SAMPLED | VIRGL_BIND_DISPLAY_TARGET,
};

static const uint32_t red = 0xff0000ff, green = 0xff00ff00;

/* Memory as a transport has it: what is private stays where it was. The host
 * lets go of it after the test. */
struct place {
   uint32_t texels[NUM_TEXELS]; /* shared, or private */
   uint32_t shared[NUM_TEXELS]; /* once the others are private */
   unsigned num_private, num_released;
   bool is_full; /* there is no memory */
};

static void *
make_private(void *user)
{
   struct place *place = user;

   if (place->is_full)
      return NULL;
   place->num_private++;
   memcpy(place->shared, place->texels, sizeof(place->shared));
   return place->shared;
}

static void
release(void *user)
{
   struct place *place = user;

   place->num_released++;
}

static const struct virgl_resource_desc window = {
   .target = TG_TEXTURE_2D,
   .format = RGBA8,
   .bind = SHOWN,
   .width = WIDTH,
   .height = HEIGHT,
   .depth = 1,
   .array_size = 1,
};

static void
create_in(struct client *client, const struct virgl_resource_desc *desc,
          struct place *place)
{
   struct virgl_memory memory = {
      .address = place->texels,
      .release = release,
      .make_private = make_private,
      .user = place,
   };

   *place = (struct place){0};
   assert_true(virgl_layout_count_bytes(desc, &memory.num_bytes));
   assert_true(memory.num_bytes <= sizeof(place->texels));
   assert_int_equal(
      virgl_host_create_resource(client->host, WINDOW, desc, &memory), TG_OK);
}

/* A window that is drawn to. */
static void
begin(struct client *client, struct place *place)
{
   create_in(client, &window, place);
   COMMAND(client, CREATE_SUB_CTX, 1);
   COMMAND(client, SET_SUB_CTX, 1);
   CREATE(client, SURFACE, WINDOW, WINDOW, RGBA8, 0, 0);
   COMMAND(client, SET_FRAMEBUFFER_STATE, 1, 0, WINDOW);
}

static void
clear(struct client *client, uint32_t color)
{
   COMMAND(client, CLEAR, 4, client_float((float)(color & 0xff) / 255),
           client_float((float)(color >> 8 & 0xff) / 255), 0, client_float(1),
           0, 0, 0);
}

static void
expect(const uint32_t *texels, uint32_t color)
{
   for (unsigned i = 0; i < NUM_TEXELS; i++)
      assert_int_equal(texels[i], color);
}

/* What was drawn is there after a wait; reading it back leaves it there. */
static void
is_read_without_a_copy(void **test)
{
   const struct virgl_transfer part = {
      .handle = WINDOW, .box = {1, 1, 0, 2, 1, 1}, .offset = 4 * (WIDTH + 1)};
   struct client *client = *test;
   static struct place place;

   begin(client, &place);
   clear(client, red);
   client_run(client);
   expect(place.texels, red);
   client_get(client, WINDOW, WIDTH, HEIGHT, NULL, 0);
   assert_int_equal(virgl_host_transfer_get(client->host, &part, NULL, 0),
                    TG_OK);
   clear(client, green);
   client_run(client);
   expect(place.texels, green);
   assert_int_equal(place.num_private, 0);
   virgl_host_destroy_resource(client->host, WINDOW);
   COMMAND(client, SET_FRAMEBUFFER_STATE, 0, 0);
   ADD(client, VIRGL_DESTROY_OBJECT, VIRGL_OBJECT_SURFACE, WINDOW);
   client_run(client);
   assert_int_equal(place.num_released, 1);
}

/* The transfer waits for what is queued, which is drawn where it was. */
static void
is_left_at_the_first_upload(void **test)
{
   static const uint32_t texel = 0x12345678;
   const struct virgl_transfer one = {
      .handle = WINDOW, .box = {3, 1, 0, 1, 1, 1}, .offset = 4 * 7};
   struct client *client = *test;
   static struct place place;

   begin(client, &place);
   clear(client, red);
   client_run(client);
   place.texels[7] = texel;
   assert_int_equal(virgl_host_transfer_put(client->host, &one, NULL, 0),
                    TG_OK);
   assert_int_equal(place.num_private, 1);
   assert_int_equal(place.texels[6], red);
   assert_int_equal(place.texels[7], texel);
   /* From now on there are two. */
   place.shared[7] = 0;
   clear(client, green);
   client_run(client);
   expect(place.texels, green);
   assert_int_equal(place.shared[0], red);
   client_get(client, WINDOW, WIDTH, HEIGHT, NULL, 0);
   expect(place.shared, green);
   place.shared[7] = texel;
   assert_int_equal(virgl_host_transfer_put(client->host, &one, NULL, 0),
                    TG_OK);
   assert_int_equal(place.texels[7], texel);
   assert_int_equal(place.num_private, 1);
}

/* Another offset is another place of the same memory. */
static void
is_left_when_read_elsewhere(void **test)
{
   const struct virgl_transfer moved = {
      .handle = WINDOW, .box = {0, 0, 0, 1, 1, 1}, .offset = 4 * 7};
   struct client *client = *test;
   static struct place place;

   begin(client, &place);
   clear(client, red);
   client_run(client);
   place.texels[0] = green;
   assert_int_equal(virgl_host_transfer_get(client->host, &moved, NULL, 0),
                    TG_OK);
   assert_int_equal(place.num_private, 1);
   assert_int_equal(place.texels[7], red);
   assert_int_equal(place.shared[7], green);
}

/* So are rows that are closer than the resource's. */
static void
is_left_when_rows_are_elsewhere(void **test)
{
   const struct virgl_transfer column = {
      .handle = WINDOW, .box = {0, 0, 0, 1, HEIGHT, 1}, .stride = 4};
   struct client *client = *test;
   static struct place place;

   begin(client, &place);
   clear(client, red);
   client_run(client);
   place.texels[1] = green;
   assert_int_equal(virgl_host_transfer_get(client->host, &column, NULL, 0),
                    TG_OK);
   assert_int_equal(place.num_private, 1);
   assert_int_equal(place.shared[1], red);
   assert_int_equal(place.texels[1], green);
}

/* So is the memory as that of a staging buffer. */
static void
is_left_when_it_is_staging(void **test)
{
   struct client *client = *test;
   static struct place place;

   begin(client, &place);
   client_create(client, STAGING, TG_TEXTURE_BUFFER, R8, 4, 1, NULL);
   clear(client, red);
   COMMAND(client, COPY_TRANSFER3D, STAGING, 0, 0, 0, 0, 0, 0, 0, 4, 1, 1,
           WINDOW, 4, 1);
   client_run(client);
   assert_int_equal(place.num_private, 1);
   uint32_t word;
   client_get(client, STAGING, 4, 1, &word, 4);
   assert_int_equal(word, red);
}

static void
stays_without_memory(void **test)
{
   const struct virgl_transfer all = {.handle = WINDOW,
                                      .box = {0, 0, 0, WIDTH, HEIGHT, 1}};
   struct client *client = *test;
   static struct place place;

   begin(client, &place);
   client_run(client);
   place.is_full = true;
   assert_int_equal(virgl_host_transfer_put(client->host, &all, NULL, 0),
                    TG_ERROR_MEMORY);
   assert_true(client_was_told(client, "transfer of resource 10: "));
   place.is_full = false;
   assert_int_equal(virgl_host_transfer_put(client->host, &all, NULL, 0),
                    TG_OK);
   assert_int_equal(place.num_private, 1);
}

/* Of the others there are always two. */
static void
only_targets_are(void **test)
{
   static const struct {
      uint32_t bind, target, format, last_level;
      bool is_in_place;
   } rows[] = {
      {SHOWN, TG_TEXTURE_2D, RGBA8, 0, true},
      {TARGET_ONLY, TG_TEXTURE_2D, RGBA8, 0, true},
      {SAMPLED, TG_TEXTURE_2D, RGBA8, 0, false},
      {VIRGL_BIND_SAMPLER_VIEW, TG_TEXTURE_2D, RGBA8, 0, false},
      {VIRGL_BIND_DISPLAY_TARGET, TG_TEXTURE_2D, RGBA8, 0, false},
      {TARGET_ONLY, TG_TEXTURE_BUFFER, R8, 0, false},
      {TARGET_ONLY, TG_TEXTURE_RECT, RGBA8, 0, false},
      {TARGET_ONLY, TG_TEXTURE_2D, RGBA8, 1, false},
      /* Of 3 bytes, which are no whole words. */
      {TARGET_ONLY, TG_TEXTURE_2D, R8, 0, false},
   };
   struct client *client = *test;

   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const uint32_t width = rows[i].format == R8 ? 3 : 2;
      const struct virgl_resource_desc desc = {
         .target = rows[i].target,
         .format = rows[i].format,
         .bind = rows[i].bind,
         .width = width,
         .height = 1,
         .depth = 1,
         .array_size = 1,
         .last_level = rows[i].last_level,
      };
      static struct place place;

      create_in(client, &desc, &place);
      client_put(client, WINDOW, width, 1, NULL, 0);
      assert_int_equal(place.num_private, rows[i].is_in_place);
      virgl_host_destroy_resource(client->host, WINDOW);
      assert_int_equal(place.num_released, 1);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      CLIENT_TEST(is_read_without_a_copy),
      CLIENT_TEST(is_left_at_the_first_upload),
      CLIENT_TEST(is_left_when_read_elsewhere),
      CLIENT_TEST(is_left_when_rows_are_elsewhere),
      CLIENT_TEST(is_left_when_it_is_staging),
      CLIENT_TEST(stays_without_memory),
      CLIENT_TEST(only_targets_are),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
