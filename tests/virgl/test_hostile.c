/* SPDX-License-Identifier: MIT
 *
 * Commands of whole lengths whose words are anything: small numbers, which are
 * handles of something, bits, the ends of ranges, and noise; and good ones of
 * which a few words have been changed so. All are survived, and then the same
 * client draws as ever. With a sanitizer this finds what is not bounded.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "client.h"
#include "virgl/wire/stream.h"

enum {
   NUM_ROUNDS = 100,
   NUM_COMMANDS = 200, /* a round */
   NUM_NUMBERS = 24,   /* that may be handles of something */
   RGBA8 = 67,
   R8 = 64,
   Z24S8 = 19,
   R32_UINT = 193,
};

static const struct {
   uint16_t least, unit;
} commands[VIRGL_NUM_COMMANDS] =
   {
#define VIRGL_COMMAND(number, NAME, id, least, unit) {least, unit},
#include "virgl/wire/commands.def"
},
  objects[VIRGL_NUM_OBJECTS] = {
     {1, 0},
#define VIRGL_OBJECT(number, NAME, id, least, unit, is_bound) {least, unit},
#include "virgl/wire/objects.def"
};

static const char any_shader[] = "FRAG\n"
                                 "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                 "DCL OUT[0], COLOR\n"
                                 "DCL SAMP[0]\n"
                                 "DCL SVIEW[0], 2D, FLOAT\n"
                                 "  0: TEX OUT[0], IN[0], SAMP[0], 2D\n"
                                 "  1: END\n";

static uint32_t random_state;

static uint32_t
random_below(uint32_t end)
{
   random_state = random_state * 1664525 + 1013904223;
   return (uint32_t)((uint64_t)random_state * end >> 32);
}

static uint32_t
random_word(void)
{
   static const uint32_t ends[] = {
      0xffffffff, 0x80000000, 0x7fffffff, 0xffff,     0x10000,
      0x7f800000, 0x7fc00000, 0x3f800000, 0xbf800000, 0xfffffffe,
      255,        256,        64,         4096,
   };

   switch (random_below(8)) {
   case 0: return ends[random_below(sizeof(ends) / sizeof(ends[0]))];
   case 1: return UINT32_C(1) << random_below(32);
   case 2: return random_below(UINT32_MAX);
   case 3: return 0;
   default: return random_below(NUM_NUMBERS);
   }
}

/* Not contexts, which are the test's, and not waits of the clock. */
static void
add_command(struct client *client)
{
   const uint32_t number = random_below(VIRGL_NUM_COMMANDS);
   const uint32_t object = random_below(VIRGL_NUM_OBJECTS);
   const bool creates = number == VIRGL_CREATE_OBJECT;
   const uint32_t least =
      creates ? objects[object].least : commands[number].least;
   const uint32_t unit = creates ? objects[object].unit : commands[number].unit;
   const uint32_t length = least + unit * random_below(6);
   uint32_t words[64];

   if (number == VIRGL_DESTROY_SUB_CTX || number == VIRGL_CREATE_SUB_CTX)
      return;
   for (uint32_t i = 0; i < length; i++)
      words[i] = random_word();
   if (number == VIRGL_SET_SUB_CTX)
      words[0] &= 1;
   client_add(client, number, object, length, words);
}

static void
create_resources(struct client *client, uint32_t (*memory)[1024])
{
   static const struct {
      uint32_t target, format, width, height;
   } rows[] = {
      {TG_TEXTURE_2D, Z24S8, 16, 16},       {TG_TEXTURE_2D, RGBA8, 20, 9},
      {TG_TEXTURE_BUFFER, R8, 256, 1},      {TG_TEXTURE_BUFFER, R8, 4096, 1},
      {TG_TEXTURE_3D, R32_UINT, 8, 8},      {TG_TEXTURE_1D, RGBA8, 16, 1},
      {TG_TEXTURE_RECT, R32_UINT, 16, 16},  {TG_TEXTURE_2D, 107, 16, 16},
      {TG_TEXTURE_2D_ARRAY, RGBA8, 16, 16}, {TG_TEXTURE_BUFFER, R8, 16, 1},
   };

   for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      client_create(client, FREE + i, rows[i].target, rows[i].format,
                    rows[i].width, rows[i].height, memory[i]);
}

/* A command or more of each kind that does something, all good. */
static void
add_good_commands(struct client *client)
{
   enum { COLOR = FREE + 1, BUFFER = FREE + 3, ARRAY = FREE + 8 };

   COMMAND(client, TRANSFER3D, BUFFER, 0, 0, 0, 0, 0, 0, 0, 4096, 1, 1, 0, 1);
   COMMAND(client, TRANSFER3D, ARRAY, 0, 0, 0, 0, 1, 2, 0, 3, 4, 1, 0, 1);
   CREATE(client, SURFACE, 10, COLOR, RGBA8, 0, 0);
   CREATE(client, SURFACE, 11, FREE, Z24S8, 0, 0);
   CREATE(client, SURFACE, 12, ARRAY, RGBA8, 0, 0);
   COMMAND(client, SET_FRAMEBUFFER_STATE, 2, 11, 10, 12);
   COMMAND(client, SET_SCISSOR_STATE, 0, 0, 16 | 16 << 16);
   COMMAND(client, CLEAR, 0xf, 1, 2, 3, 4, 0, 0x3ff00000, 1);
   CREATE(client, DSA, 13, 7, 0x1fe1fe01, 0x1fe1fe01, 0);
   BIND(client, DSA, 13);
   CREATE(client, BLEND, 14, 5, 0, 0x78222221, 0x78222221, 0, 0, 0, 0, 0, 0);
   BIND(client, BLEND, 14);
   COMMAND(client, SET_VERTEX_BUFFERS, 12, 0, VERTICES, 16, 4, BUFFER);
   CREATE(client, VERTEX_ELEMENTS, 15, 0, 0, 0, 30, 4, 1, 1, 31);
   BIND(client, VERTEX_ELEMENTS, 15);
   CREATE(client, SAMPLER_VIEW, 16, COLOR, RGBA8, 0, 0, 0x688);
   CREATE(client, SAMPLER_VIEW, 17, BUFFER, R32_UINT, 0, 63, 0x688);
   COMMAND(client, SET_SAMPLER_VIEWS, TG_GPU_FRAGMENT, 0, 16, 17);
   CREATE(client, SAMPLER_STATE, 18, 0x3292, 0, 0, 0, 0, 0, 0, 0);
   COMMAND(client, BIND_SAMPLER_STATES, TG_GPU_FRAGMENT, 0, 18);
   COMMAND(client, SET_CONSTANT_BUFFER, TG_GPU_VERTEX, 0, 1, 2, 3, 4, 5);
   COMMAND(client, SET_UNIFORM_BUFFER, TG_GPU_FRAGMENT, 1, 16, 64, BUFFER);
   COMMAND(client, SET_SHADER_BUFFERS, TG_GPU_FRAGMENT, 0, 0, 64, BUFFER);
   COMMAND(client, SET_SHADER_IMAGES, TG_GPU_FRAGMENT, 0, RGBA8, 3, 0, 0,
           ARRAY);
   COMMAND(client, SET_ATOMIC_BUFFERS, 0, 0, 64, BUFFER);
   CREATE(client, QUERY, 19, 0, 0, FREE + 9);
   COMMAND(client, BEGIN_QUERY, 19);
   client_draw(client);
   COMMAND(client, SET_INDEX_BUFFER, BUFFER, 2, 0);
   COMMAND(client, DRAW_VBO, 0, 12, TG_PRIM_TRIANGLE_STRIP, 1, 2, 0, 0, 1, 0, 0,
           0xffffffff, 0);
   COMMAND(client, DRAW_VBO, 0, 0, TG_PRIM_POINTS, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0,
           0, BUFFER, 16, 16, 3, 0, 0);
   COMMAND(client, END_QUERY, 19);
   COMMAND(client, GET_QUERY_RESULT, 19, 0);
   COMMAND(client, GET_QUERY_RESULT_QBO, 19, BUFFER, 1, 1, 8, 0);
   COMMAND(client, SET_RENDER_CONDITION, 19, 0, 0);
   CREATE(client, STREAMOUT_TARGET, 20, BUFFER, 64, 128);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 20);
   client_draw(client);
   COMMAND(client, BLIT, 0x10f, 0, 0, COLOR, 0, RGBA8, 0, 0, 0, 20, 9, 1, ARRAY,
           0, RGBA8, 0, 0, 0, 16, 16, 1);
   COMMAND(client, RESOURCE_COPY_REGION, COLOR, 0, 1, 1, 0, ARRAY, 0, 0, 0, 0,
           8, 8, 1);
   COMMAND(client, CLEAR_TEXTURE, ARRAY, 0, 2, 2, 0, 4, 4, 1, 1, 2, 3, 4);
   COMMAND(client, RESOURCE_INLINE_WRITE, BUFFER, 0, 0, 0, 0, 0, 0, 0, 8, 1, 1,
           1, 2);
   COMMAND(client, COPY_TRANSFER3D, BUFFER, 0, 0, 0, 0, 0, 0, 0, 64, 1, 1,
           FREE + 2, 16, 1);
   COMMAND(client, DESTROY_OBJECT, 10);
   COMMAND(client, DESTROY_OBJECT, 20);
   client_draw(client);
}

static void
change_words(struct client *client)
{
   for (uint32_t i = random_below(6); i; i--) {
      struct virgl_stream stream = {client->words, client->num_words, 0};
      struct virgl_command command;
      uint32_t skipped = random_below(50);

      while (virgl_stream_next(&stream, &command) && skipped)
         skipped--;
      if (command.length)
         client->words[command.position + 1 + random_below(command.length)] =
            random_word();
   }
}

static void
expect_drawing(struct client *client)
{
   static uint32_t pixels[64];

   client_create(client, 1000, TG_TEXTURE_2D, R32_UINT, 8, 8, NULL);
   COMMAND(client, CREATE_SUB_CTX, 50);
   COMMAND(client, SET_SUB_CTX, 50);
   CREATE(client, SURFACE, 1, 1000, R32_UINT, 0, 0);
   COMMAND(client, SET_FRAMEBUFFER_STATE, 1, 0, 1);
   COMMAND(client, CLEAR, 4, 77, 0, 0, 0, 0, 0, 0);
   assert_int_equal(client_submit(client), TG_OK);
   client_get(client, 1000, 8, 8, pixels, sizeof(pixels));
   for (unsigned i = 0; i < 64; i++)
      assert_int_equal(pixels[i], 77);
}

/* Which they have to be for changes of them to reach anything. */
static void
good_commands_are_good(void **test)
{
   static struct client client;
   static uint32_t memory[16][1024];
   (void)test;

   client_init(&client);
   client_set_up(&client, RGBA8, 8, 8);
   client_set_fragment_shader(&client, any_shader);
   create_resources(&client, memory);
   add_good_commands(&client);
   client_run(&client);
   client_finish(&client);
}

static void
any_words_are_survived(void **test)
{
   static struct client client;
   static uint32_t memory[16][1024];
   (void)test;

   for (uint32_t round = 0; round < NUM_ROUNDS; round++) {
      random_state = round;
      client_init_with(&client,
                       (struct virgl_host_options){.max_objects = 200,
                                                   .max_call_seconds = 0.01});
      client_set_up(&client, RGBA8, 8, 8);
      client_set_fragment_shader(&client, any_shader);
      create_resources(&client, memory);
      if (round % 4 == 0) {
         for (unsigned i = 0; i < NUM_COMMANDS; i++)
            add_command(&client);
      } else {
         add_good_commands(&client);
         change_words(&client);
      }
      assert_int_equal(client_submit(&client), TG_OK);
      virgl_host_wait(client.host, 0);
      expect_drawing(&client);
      client_finish(&client);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(good_commands_are_good),
      cmocka_unit_test(any_words_are_survived),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
