/* SPDX-License-Identifier: MIT
 *
 * Streams: where commands begin and end, and what is cut off.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "client.h"
#include "virgl/wire/stream.h"

static uint32_t
header(uint32_t number, uint32_t object, uint32_t length)
{
   return number | object << 8 | length << 16;
}

/* Of a stream of one command with so many words, all of them there. */
static const char *
error_of(uint32_t number, uint32_t object, uint32_t length)
{
   static uint32_t words[1 << 16];
   struct virgl_stream stream = {words, length + 1, 0};
   struct virgl_command command;

   words[0] = header(number, object, length);
   assert_true(virgl_stream_next(&stream, &command));
   return command.error;
}

static void
commands_are_walked(void **test)
{
   const uint32_t words[] = {
      header(VIRGL_NOP, 0, 2),
      77,
      78,
      header(VIRGL_SET_SUB_CTX, 0, 1),
      5,
      header(200, 3, 1),
      9,
      header(VIRGL_END_TRANSFERS, 0, 0),
   };
   struct virgl_stream stream = {words, sizeof(words) / 4, 0};
   struct virgl_command command;
   (void)test;

   assert_true(virgl_stream_next(&stream, &command));
   assert_int_equal(command.number, VIRGL_NOP);
   assert_true(virgl_stream_next(&stream, &command));
   assert_int_equal(command.number, VIRGL_SET_SUB_CTX);
   assert_int_equal(command.position, 3);
   assert_int_equal(command.words[1], 5);
   assert_true(virgl_stream_next(&stream, &command));
   assert_int_equal(command.number, 200);
   assert_int_equal(command.object, 3);
   assert_null(command.error);
   assert_true(virgl_stream_next(&stream, &command));
   assert_int_equal(command.number, VIRGL_END_TRANSFERS);
   assert_int_equal(command.length, 0);
   assert_false(virgl_stream_next(&stream, &command));
}

static void
lengths_are_those_of_the_command(void **test)
{
   (void)test;
   assert_null(error_of(VIRGL_DRAW_VBO, 0, 12));
   assert_non_null(error_of(VIRGL_DRAW_VBO, 0, 11));
   assert_null(error_of(VIRGL_SET_VIEWPORT_STATE, 0, 1));
   assert_null(error_of(VIRGL_SET_VIEWPORT_STATE, 0, 13));
   assert_non_null(error_of(VIRGL_SET_VIEWPORT_STATE, 0, 12));
   assert_non_null(error_of(VIRGL_CREATE_OBJECT, VIRGL_OBJECT_NULL, 0));
   assert_null(error_of(VIRGL_CREATE_OBJECT, VIRGL_OBJECT_BLEND, 11));
   assert_non_null(error_of(VIRGL_CREATE_OBJECT, VIRGL_OBJECT_BLEND, 10));
   assert_non_null(
      error_of(VIRGL_CREATE_OBJECT, VIRGL_OBJECT_VERTEX_ELEMENTS, 3));
}

/* A stream that says more words than it has; nothing is read beyond it. */
static void
what_is_cut_off_ends_the_stream(void **test)
{
   const uint32_t words[] = {header(VIRGL_SET_SUB_CTX, 0, 1)};
   struct virgl_stream stream = {words, 1, 0};
   struct virgl_command command;
   (void)test;

   assert_true(virgl_stream_next(&stream, &command));
   assert_non_null(command.error);
   assert_false(virgl_stream_next(&stream, &command));
}

static void
what_is_malformed_ends_the_client_with_one_line(void **test)
{
   struct client *client = *test;

   COMMAND(client, NOP, 1);
   COMMAND(client, DRAW_VBO, 1, 2, 3);
   COMMAND(client, SET_SUB_CTX, 99);
   assert_int_equal(client_submit(client), TG_ERROR_INPUT);
   assert_int_equal(client->num_lines, 1);
   assert_string_equal(client->log[0],
                       "DRAW_VBO at word 2 has 3 words: it is too short");
}

/* Unknown commands and objects, handles and slots that are none: all is told
 * and left out, and what comes after it is done. */
static void
what_cannot_be_done_is_left_out(void **test)
{
   struct client *client = *test;

   ADD(client, 99, 0, 1);
   ADD(client, VIRGL_CREATE_OBJECT, 12, 5);
   ADD(client, VIRGL_BIND_OBJECT, VIRGL_OBJECT_SHADER, 5);
   COMMAND(client, DESTROY_OBJECT, 5);
   CREATE(client, DSA, 0, 0, 0, 0, 0);
   COMMAND(client, SET_SUB_CTX, 7);
   COMMAND(client, SET_FRAMEBUFFER_STATE, 9, 0);
   COMMAND(client, SET_FRAMEBUFFER_STATE, 1, 0, 8);
   COMMAND(client, SET_SAMPLER_VIEWS, 6, 0);
   COMMAND(client, SET_SAMPLER_VIEWS, 0, 0xffffffff, 0);
   COMMAND(client, SET_CONSTANT_BUFFER, 0, 32, 1);
   COMMAND(client, BEGIN_QUERY, 4);
   COMMAND(client, CREATE_VIDEO_CODEC, 0);
   assert_int_equal(client_submit(client), TG_OK);
   assert_int_equal(client->num_lines, 13);
   assert_true(client_was_told(client, "word 0: there is no command 99"));
   assert_true(client_was_told(client, "there are no objects of type 12"));
   assert_true(client_was_told(client, "an object needs a handle"));
   assert_true(client_was_told(client, "there is no sub-context 7"));
   assert_true(client_was_told(client, "9 colour buffers"));
   assert_true(client_was_told(client, "there is no surface 8"));
   assert_true(client_was_told(client, "there is no stage 6"));
   assert_true(client_was_told(client, "there is no query 4"));
}

static void
objects_are_bounded(void **test)
{
   struct client *client = *test;

   client_finish(client);
   client_init_with(client, (struct virgl_host_options){.max_objects = 3});
   for (uint32_t i = 1; i <= 4; i++)
      CREATE(client, DSA, i, 0, 0, 0, 0);
   COMMAND(client, DESTROY_OBJECT, 1);
   CREATE(client, DSA, 5, 0, 0, 0, 0);
   assert_int_equal(client_submit(client), TG_OK);
   assert_int_equal(client->num_lines, 1);
   assert_true(client_was_told(client, "there are 3 objects already"));
}

/* An object in place of another one is no more than that was. */
static void
objects_are_replaced(void **test)
{
   struct client *client = *test;

   client_finish(client);
   client_init_with(client, (struct virgl_host_options){.max_objects = 2});
   for (uint32_t i = 0; i < 9; i++)
      CREATE(client, DSA, 1 + i % 2, 0, 0, 0, 0);
   CREATE(client, BLEND, 2, 0, 0, 0x78000000, 0, 0, 0, 0, 0, 0, 0);
   BIND(client, BLEND, 2);
   COMMAND(client, DESTROY_OBJECT, 1);
   COMMAND(client, DESTROY_OBJECT, 2);
   client_run(client);
   COMMAND(client, DESTROY_OBJECT, 2);
   assert_int_equal(client_submit(client), TG_OK);
   assert_int_equal(client->num_lines, 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(commands_are_walked),
      cmocka_unit_test(lengths_are_those_of_the_command),
      cmocka_unit_test(what_is_cut_off_ends_the_stream),
      CLIENT_TEST(what_is_malformed_ends_the_client_with_one_line),
      CLIENT_TEST(what_cannot_be_done_is_left_out),
      CLIENT_TEST(objects_are_bounded),
      CLIENT_TEST(objects_are_replaced),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
