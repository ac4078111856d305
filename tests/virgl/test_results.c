/* SPDX-License-Identifier: MIT
 *
 * What comes back from draws: queries, conditions, stream output; and blits,
 * copies and clears.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "client.h"

enum { RGBA8 = 67, R32_UINT = 193, R8 = 64 };

/* Types of queries on the wire. */
enum {
   OCCLUSION_COUNTER,
   OCCLUSION_PREDICATE,
   PRIMITIVES_EMITTED = 6,
   PIPELINE_STATISTICS = 10,
};

static const char one_shader[] = "FRAG\n"
                                 "DCL OUT[0], COLOR\n"
                                 "IMM[0] UINT32 {1, 1, 1, 1}\n"
                                 "  0: MOV OUT[0], IMM[0]\n"
                                 "  1: END\n";

static void
create_query(struct client *client, uint32_t handle, uint32_t type,
             struct virgl_query_memory *memory)
{
   *memory = (struct virgl_query_memory){.state = 2};
   client_create(client, handle, TG_TEXTURE_BUFFER, R8, sizeof(*memory), 1,
                 memory);
   CREATE(client, QUERY, handle, type, 0, handle);
}

/* 5 by 3 pixels; reading the resource does not undo what was told. */
static void
results_are_in_shared_memory(void **test)
{
   struct client *client = *test;
   struct virgl_query_memory counter, predicate, again;

   client_set_up(client, R32_UINT, 5, 3);
   client_set_fragment_shader(client, one_shader);
   create_query(client, FREE, OCCLUSION_COUNTER, &counter);
   create_query(client, FREE + 1, OCCLUSION_PREDICATE, &predicate);
   COMMAND(client, BEGIN_QUERY, FREE);
   COMMAND(client, BEGIN_QUERY, FREE + 1);
   client_draw(client);
   COMMAND(client, END_QUERY, FREE);
   COMMAND(client, GET_QUERY_RESULT, FREE, 0);
   COMMAND(client, END_QUERY, FREE + 1);
   COMMAND(client, GET_QUERY_RESULT, FREE + 1, 0);
   client_run(client);
   assert_int_equal(counter.state, VIRGL_QUERY_DONE);
   assert_int_equal(counter.result_size, 4);
   assert_int_equal(counter.result, 15);
   assert_int_equal(predicate.result, 1);
   client_get(client, FREE, sizeof(again), 1, &again, sizeof(again));
   assert_memory_equal(&again, &counter, sizeof(again));

   /* Nothing is drawn. */
   COMMAND(client, BEGIN_QUERY, FREE);
   COMMAND(client, END_QUERY, FREE);
   COMMAND(client, GET_QUERY_RESULT, FREE, 0);
   COMMAND(client, DESTROY_OBJECT, FREE + 1);
   client_run(client);
   assert_int_equal(counter.result, 0);
}

/* Memory that is too small is left alone, and so is that of textures. */
static void
results_need_room(void **test)
{
   struct client *client = *test;
   uint32_t small[3] = {2, 2, 2}, texels[16] = {2};

   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 12, 1, small);
   client_create(client, FREE + 1, TG_TEXTURE_2D, RGBA8, 16, 1, texels);
   for (uint32_t query = FREE; query < FREE + 2; query++) {
      CREATE(client, QUERY, query, OCCLUSION_COUNTER, 0, query);
      COMMAND(client, BEGIN_QUERY, query);
      COMMAND(client, END_QUERY, query);
      COMMAND(client, GET_QUERY_RESULT, query, 0);
   }
   client_run(client);
   assert_int_equal(small[0], 2);
   assert_int_equal(texels[0], 2);
}

/* Vertices, primitives and fragments of one triangle; in a buffer, too. */
static void
statistics_are_asked_for_one_by_one(void **test)
{
   enum { IA_VERTICES = 0, IA_PRIMITIVES = 1, PS_INVOCATIONS = 7, U32 = 1 };
   static const struct {
      uint32_t index, value;
   } rows[] = {{IA_VERTICES, 3}, {IA_PRIMITIVES, 1}, {PS_INVOCATIONS, 15}};
   struct client *client = *test;

   client_set_up(client, R32_UINT, 5, 3);
   client_set_fragment_shader(client, one_shader);
   for (uint32_t i = 0; i < 3; i++) {
      struct virgl_query_memory memory = {.state = 2};
      const uint32_t query = FREE + 2 * i, buffer = query + 1;
      uint32_t written[2] = {0};

      client_create(client, query, TG_TEXTURE_BUFFER, R8, sizeof(memory), 1,
                    &memory);
      client_create(client, buffer, TG_TEXTURE_BUFFER, R8, 8, 1, NULL);
      CREATE(client, QUERY, query, PIPELINE_STATISTICS | rows[i].index << 16, 0,
             query);
      COMMAND(client, BEGIN_QUERY, query);
      client_draw(client);
      COMMAND(client, END_QUERY, query);
      COMMAND(client, GET_QUERY_RESULT, query, 0);
      COMMAND(client, GET_QUERY_RESULT_QBO, query, buffer, 1, U32, 0, 0);
      COMMAND(client, GET_QUERY_RESULT_QBO, query, buffer, 1, U32, 4, -1);
      client_run(client);
      assert_int_equal(memory.state, VIRGL_QUERY_DONE);
      assert_int_equal(memory.result_size, 8);
      assert_int_equal(memory.result, rows[i].value);
      client_get(client, buffer, 8, 1, written, 8);
      assert_int_equal(written[0], rows[i].value);
      assert_int_equal(written[1], 1);
   }
   CREATE(client, QUERY, FREE + 6, PIPELINE_STATISTICS | 11 << 16, 0, FREE);
   assert_int_equal(client_submit(client), TG_OK);
   assert_true(client_was_told(client, "there is no statistic 11"));
}

static void
draw_so_often(struct client *client, unsigned count)
{
   client_set_state(client, R32_UINT, 5, 3);
   client_set_fragment_shader(client, one_shader);
   while (count--)
      client_draw(client);
}

/* Of the first sub-context, of those that there are, and of those that were. */
static void
statistics_are_of_all_contexts(void **test)
{
   struct client *client = *test;
   struct tg_context_statistics statistics;

   client_set_up(client, R32_UINT, 5, 3);
   COMMAND(client, SET_SUB_CTX, 0);
   draw_so_often(client, 1);
   COMMAND(client, CREATE_SUB_CTX, 2);
   COMMAND(client, SET_SUB_CTX, 2);
   draw_so_often(client, 2);
   COMMAND(client, CREATE_SUB_CTX, 3);
   COMMAND(client, SET_SUB_CTX, 3);
   draw_so_often(client, 4);
   COMMAND(client, SET_SUB_CTX, 1);
   COMMAND(client, DESTROY_SUB_CTX, 2);
   client_run(client);
   virgl_host_get_statistics(client->host, &statistics);
   assert_int_equal(statistics.draws, 7);
   assert_int_equal(statistics.fragments, 7 * 15);
}

static uint32_t
pixel_of(struct client *client)
{
   uint32_t pixel;

   client_run(client);
   client_get(client, TARGET, 1, 1, &pixel, 4);
   return pixel;
}

/* The query has counted nothing. */
static void
draws_obey_conditions(void **test)
{
   struct client *client = *test;
   struct virgl_query_memory memory;

   client_set_up(client, R32_UINT, 1, 1);
   client_set_fragment_shader(client, one_shader);
   create_query(client, FREE, OCCLUSION_COUNTER, &memory);
   COMMAND(client, BEGIN_QUERY, FREE);
   COMMAND(client, END_QUERY, FREE);
   COMMAND(client, SET_RENDER_CONDITION, FREE, 0, 0);
   client_draw(client);
   assert_int_equal(pixel_of(client), 0);
   COMMAND(client, SET_RENDER_CONDITION, FREE, 1, 0);
   client_draw(client);
   assert_int_equal(pixel_of(client), 1);
   COMMAND(client, SET_RENDER_CONDITION, FREE, 0, 0);
   COMMAND(client, CLEAR, 4, 9, 9, 9, 9, 0, 0, 0);
   assert_int_equal(pixel_of(client), 1);
   COMMAND(client, SET_RENDER_CONDITION, 0, 0, 0);
   COMMAND(client, CLEAR, 4, 9, 9, 9, 9, 0, 0, 0);
   assert_int_equal(pixel_of(client), 9);
}

/* The x of OUT[0], to word 0 of a vertex of one word. */
static void
create_stream_shader_of(struct client *client, const char *text)
{
   const uint32_t size = (uint32_t)strlen(text) + 1;
   uint32_t words[64] = {FREE, TG_GPU_VERTEX, size, 300, 1, 1, 0, 0, 0};

   words[9] = 0 | 0 << 8 | 1 << 10 | 0 << 13 | 0 << 16;
   memcpy(&words[11], text, size);
   client_add(client, VIRGL_CREATE_OBJECT, VIRGL_OBJECT_SHADER,
              11 + (size + 3) / 4, words);
   COMMAND(client, BIND_SHADER, FREE, TG_GPU_VERTEX);
   /* Nothing after stream output. */
   CREATE(client, RASTERIZER, FREE + 1, 0x2000000a, client_float(1), 0, 0xffff,
          client_float(1), 0, 0, 0);
   BIND(client, RASTERIZER, FREE + 1);
}

/* The x of vertices. */
static void
create_stream_shader(struct client *client)
{
   create_stream_shader_of(client, "VERT\n"
                                   "DCL IN[0]\n"
                                   "DCL OUT[0], POSITION\n"
                                   "  0: MOV OUT[0], IN[0]\n"
                                   "  1: END\n");
}

static void
draw_points(struct client *client, uint32_t first, uint32_t count)
{
   COMMAND(client, DRAW_VBO, first, count, TG_PRIM_POINTS, 0, 1, 0, 0, 0, 0, 0,
           0xffffffff, 0);
}

static void
expect_stream(struct client *client, uint32_t resource, float a, float b,
              float c, float d)
{
   const float expected[4] = {a, b, c, d};
   float words[4];

   client_run(client);
   client_get(client, resource, 16, 1, words, 16);
   assert_memory_equal(words, expected, 16);
}

/* A list that was set before goes on; one with a new target begins anew. */
static void
stream_output_is_paused_and_goes_on(void **test)
{
   struct client *client = *test;

   client_set_up(client, R32_UINT, 1, 1);
   create_stream_shader(client);
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 16, 1, NULL);
   CREATE(client, STREAMOUT_TARGET, 20, FREE, 0, 16);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 20);
   draw_points(client, 1, 1); /* 3 */
   COMMAND(client, SET_STREAMOUT_TARGETS, 0);
   draw_points(client, 0, 3);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 20);
   draw_points(client, 0, 2); /* -1, 3 */
   expect_stream(client, FREE, 3, -1, 3, 0);
   CREATE(client, STREAMOUT_TARGET, 21, FREE, 0, 16);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 21);
   draw_points(client, 0, 1); /* -1 */
   expect_stream(client, FREE, -1, -1, 3, 0);
   COMMAND(client, DESTROY_OBJECT, 20);
   CREATE(client, STREAMOUT_TARGET, 20, FREE, 8, 8);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 20);
   draw_points(client, 0, 3); /* the third has no room */
   expect_stream(client, FREE, -1, -1, -1, 3);
}

/* A draw of a target of so many bytes; query FREE + 2 counts what is emitted.
 */
static void
expect_stream_draw(struct client *client, uint32_t num_bytes,
                   const struct virgl_query_memory *memory, uint64_t emitted)
{
   COMMAND(client, BEGIN_QUERY, FREE + 2);
   COMMAND(client, DRAW_VBO, 0, 0, TG_PRIM_POINTS, 0, 1, 0, 0, 0, 0, 0,
           0xffffffff, num_bytes);
   COMMAND(client, END_QUERY, FREE + 2);
   COMMAND(client, GET_QUERY_RESULT, FREE + 2, 0);
   client_run(client);
   assert_int_equal(memory->result, emitted);
}

/* As many vertices as a target has; the wire names it by its bytes. */
static void
draws_take_their_count_from_stream_output(void **test)
{
   struct client *client = *test;
   struct virgl_query_memory memory;

   client_set_up(client, R32_UINT, 1, 1);
   create_stream_shader(client);
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 16, 1, NULL);
   client_create(client, FREE + 1, TG_TEXTURE_BUFFER, R8, 32, 1, NULL);
   CREATE(client, STREAMOUT_TARGET, 20, FREE, 0, 16);
   CREATE(client, STREAMOUT_TARGET, 21, FREE + 1, 0, 32);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 20);
   draw_points(client, 0, 2);
   create_query(client, FREE + 2, PRIMITIVES_EMITTED, &memory);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 21);
   expect_stream_draw(client, 16, &memory, 2);
   COMMAND(client, DRAW_VBO, 0, 0, TG_PRIM_POINTS, 0, 1, 0, 0, 0, 0, 0,
           0xffffffff, 99);
   assert_int_equal(client_submit(client), TG_OK);
   assert_true(client_was_told(client, "no stream target of 99 bytes"));
}

/* Two targets take turns, and have the same size: drawn is that which is a
 * vertex buffer, though the other is set. */
static void
draws_count_what_they_read(void **test)
{
   struct client *client = *test;
   struct virgl_query_memory memory;

   client_set_up(client, R32_UINT, 1, 1);
   create_stream_shader(client);
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 64, 1, NULL);
   client_create(client, FREE + 1, TG_TEXTURE_BUFFER, R8, 64, 1, NULL);
   CREATE(client, STREAMOUT_TARGET, 20, FREE, 0, 64);
   CREATE(client, STREAMOUT_TARGET, 21, FREE + 1, 0, 64);
   create_query(client, FREE + 2, PRIMITIVES_EMITTED, &memory);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 20);
   draw_points(client, 0, 2);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 21);
   COMMAND(client, SET_VERTEX_BUFFERS, 4, 0, VERTICES, 4, 0, FREE);
   expect_stream_draw(client, 64, &memory, 2);

   /* None is read: 21, which was set last, and has two and one by now. */
   COMMAND(client, SET_VERTEX_BUFFERS, 4, 0, VERTICES);
   draw_points(client, 0, 1);
   expect_stream_draw(client, 64, &memory, 3);
}

/* As in OpenGL: 0 where there are no indices. */
static void
the_base_vertex_is_that_of_indices(void **test)
{
   static const uint16_t indices[2] = {0, 1};
   struct client *client = *test;

   client_set_up(client, R32_UINT, 1, 1);
   create_stream_shader_of(client, "VERT\n"
                                   "DCL SV[0], BASEVERTEX\n"
                                   "DCL OUT[0], POSITION\n"
                                   "  0: I2F OUT[0], SV[0].xxxx\n"
                                   "  1: END\n");
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 64, 1, NULL);
   client_create(client, FREE + 1, TG_TEXTURE_BUFFER, R8, 4, 1, NULL);
   client_put(client, FREE + 1, 4, 1, indices, 4);
   CREATE(client, STREAMOUT_TARGET, 20, FREE, 0, 64);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 20);
   COMMAND(client, SET_INDEX_BUFFER, FREE + 1, 2, 0);
   draw_points(client, 1, 2); /* 0, 0 */
   COMMAND(client, DRAW_VBO, 0, 2, TG_PRIM_POINTS, 1, 1, 7, 0, 0, 0, 0,
           0xffffffff, 0);
   expect_stream(client, FREE, 0, 0, 7, 7);
}

/* Three draws, of which one has a point. */
static void
draws_have_their_numbers_in_buffers(void **test)
{
   static const uint32_t numbers[16] = {0, 1, 0, 0, 1, 1, 2, 0, 1, 0, 0, 0, 2};
   struct client *client = *test;

   client_set_up(client, R32_UINT, 1, 1);
   create_stream_shader(client);
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 64, 1, NULL);
   client_create(client, FREE + 1, TG_TEXTURE_BUFFER, R8, sizeof(numbers), 1,
                 NULL);
   client_put(client, FREE + 1, sizeof(numbers), 1, numbers, sizeof(numbers));
   CREATE(client, STREAMOUT_TARGET, 20, FREE, 0, 64);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 20);
   COMMAND(client, DRAW_VBO, 0, 0, TG_PRIM_POINTS, 0, 1, 0, 0, 0, 0, 0,
           0xffffffff, 0, 0, 0, FREE + 1, 0, 16, 3, 48, FREE + 1);
   expect_stream(client, FREE, -1, 0, 0, 0);
}

/* The shader of stream output, room for that, and indices. */
static void
set_up_indices(struct client *client, const uint16_t indices[4])
{
   client_set_up(client, R32_UINT, 1, 1);
   create_stream_shader(client);
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 64, 1, NULL);
   client_create(client, FREE + 1, TG_TEXTURE_BUFFER, R8, 8, 1, NULL);
   client_put(client, FREE + 1, 8, 1, indices, 8);
}

/* Indices 0 and 1 with a restart between them, of two bytes; from the second
 * index on, one vertex farther, for two instances. The offset of the index
 * buffer leads to the first index. */
static void
draws_have_indices_biases_and_instances(void **test)
{
   static const uint16_t indices[4] = {2, 0, 0xffff, 1};
   struct client *client = *test;

   set_up_indices(client, indices);
   CREATE(client, STREAMOUT_TARGET, 20, FREE, 0, 64);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 20);
   COMMAND(client, SET_INDEX_BUFFER, FREE + 1, 2, 2);
   COMMAND(client, DRAW_VBO, 1, 3, TG_PRIM_POINTS, 1, 2, 1, 0, 1, 0xffff, 0,
           0xffffffff, 0);
   expect_stream(client, FREE, 3, -1, 3, -1);

   /* An offset that does not lead there, as Mesa 22.3 has it for some draws. */
   CREATE(client, STREAMOUT_TARGET, 21, FREE, 0, 16);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 21);
   COMMAND(client, SET_INDEX_BUFFER, FREE + 1, 2, 0);
   COMMAND(client, DRAW_VBO, 1, 1, TG_PRIM_POINTS, 1, 2, 1, 0, 0, 0, 0,
           0xffffffff, 0);
   expect_stream(client, FREE, 3, 3, 3, -1);
}

/* The last of four indices, at which the offset is; with the number of the
 * first counted once more there would be none. */
static void
offsets_of_indices_may_be_exact(void **test)
{
   static const uint16_t indices[4] = {0, 0, 0, 1};
   struct client *client = *test;

   client_finish(client);
   client_init_with(client,
                    (struct virgl_host_options){.exact_index_offsets = true});
   set_up_indices(client, indices);
   CREATE(client, STREAMOUT_TARGET, 20, FREE, 0, 64);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 20);
   COMMAND(client, SET_INDEX_BUFFER, FREE + 1, 2, 6);
   COMMAND(client, DRAW_VBO, 1, 1, TG_PRIM_POINTS, 1, 1, 0, 0, 0, 0, 0,
           0xffffffff, 0);
   expect_stream(client, FREE, 3, 0, 0, 0);
}

/* Draws one point, of `start` 2, and expects its x. */
static void
expect_index(struct client *client, uint32_t target, float x)
{
   CREATE(client, STREAMOUT_TARGET, target, FREE, 0, 64);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, target);
   COMMAND(client, DRAW_VBO, 2, 1, TG_PRIM_POINTS, 1, 1, 0, 0, 0, 0, 0,
           0xffffffff, 0);
   expect_stream(client, FREE, x, 0, 0, 0);
}

/* Offsets are exact from where a draw's indices were set before its vertex
 * buffers, as Mesa's are since 22.3; not where a draw came between. */
static void
offsets_are_exact_if_indices_come_first(void **test)
{
   static const uint16_t indices[4] = {0, 0, 1, 1};
   struct client *client = *test;

   set_up_indices(client, indices);
   COMMAND(client, SET_VERTEX_BUFFERS, 12, 0, VERTICES);
   COMMAND(client, SET_INDEX_BUFFER, FREE + 1, 2, 0);
   expect_index(client, 20, 3);
   COMMAND(client, SET_VERTEX_BUFFERS, 12, 0, VERTICES);
   COMMAND(client, SET_INDEX_BUFFER, FREE + 1, 2, 0);
   expect_index(client, 21, 3);
   COMMAND(client, SET_INDEX_BUFFER, FREE + 1, 2, 2);
   COMMAND(client, SET_VERTEX_BUFFERS, 12, 0, VERTICES);
   expect_index(client, 22, -1);
   COMMAND(client, SET_INDEX_BUFFER, FREE + 1, 2, 2);
   expect_index(client, 23, -1);
}

/* A patch of three vertices goes through an evaluation shader as it is. */
static void
patches_are_drawn(void **test)
{
   struct client *client = *test;
   uint32_t pixels[16];

   client_set_up(client, R32_UINT, 4, 4);
   client_set_fragment_shader(client, one_shader);
   client_add_shader(client, FREE, TG_GPU_TESS_EVAL,
                     "TESS_EVAL\n"
                     "PROPERTY TES_PRIM_MODE 4\n"
                     "PROPERTY TES_SPACING 2\n"
                     "PROPERTY TES_VERTEX_ORDER_CW 0\n"
                     "PROPERTY TES_POINT_MODE 0\n"
                     "DCL IN[][0], POSITION\n"
                     "DCL SV[0], TESSCOORD\n"
                     "DCL OUT[0], POSITION\n"
                     "DCL TEMP[0]\n"
                     "  0: MUL TEMP[0], IN[0][0], SV[0].xxxx\n"
                     "  1: MAD TEMP[0], IN[1][0], SV[0].yyyy, TEMP[0]\n"
                     "  2: MAD OUT[0], IN[2][0], SV[0].zzzz, TEMP[0]\n"
                     "  3: END\n",
                     0);
   COMMAND(client, BIND_SHADER, FREE, TG_GPU_TESS_EVAL);
   COMMAND(client, SET_TESS_STATE, client_float(2), client_float(2),
           client_float(2), client_float(2), client_float(2), client_float(2));
   COMMAND(client, DRAW_VBO, 0, 3, TG_PRIM_PATCHES, 0, 1, 0, 0, 0, 0, 0, 2, 0,
           3, 0);
   client_run(client);
   client_get(client, TARGET, 4, 4, pixels, sizeof(pixels));
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(pixels[i], 1);
}

static void
blits_copies_and_clears(void **test)
{
   static const uint32_t source[2][2] = {{1, 2}, {3, 4}};
   static const uint32_t flipped[2][4] = {{2, 2, 1, 1}, {4, 4, 3, 3}};
   struct client *client = *test;
   uint32_t pixels[2][4];

   client_create(client, FREE, TG_TEXTURE_2D, R32_UINT, 2, 2, NULL);
   client_create(client, FREE + 1, TG_TEXTURE_2D, R32_UINT, 4, 2, NULL);
   client_put(client, FREE, 2, 2, source, sizeof(source));
   COMMAND(client, BLIT, 0xf, 0, 0, FREE + 1, 0, R32_UINT, 0, 0, 0, 4, 2, 1,
           FREE, 0, R32_UINT, 2, 0, 0, (uint32_t)-2, 2, 1);
   client_run(client);
   client_get(client, FREE + 1, 4, 2, pixels, sizeof(pixels));
   assert_memory_equal(pixels, flipped, sizeof(pixels));

   COMMAND(client, RESOURCE_COPY_REGION, FREE + 1, 0, 3, 0, 0, FREE, 0, 1, 0, 0,
           1, 2, 1);
   COMMAND(client, CLEAR_TEXTURE, FREE + 1, 0, 0, 1, 0, 2, 1, 1, 9, 0, 0, 0);
   client_run(client);
   client_get(client, FREE + 1, 4, 2, pixels, sizeof(pixels));
   static const uint32_t expected[2][4] = {{2, 2, 1, 2}, {9, 9, 3, 4}};
   assert_memory_equal(pixels, expected, sizeof(pixels));

   /* Of column 1 alone. */
   COMMAND(client, BLIT, 0xf | 1 << 10, 1, 2 | 2 << 16, FREE + 1, 0, R32_UINT,
           0, 0, 0, 2, 2, 1, FREE, 0, R32_UINT, 0, 0, 0, 2, 2, 1);
   client_run(client);
   client_get(client, FREE + 1, 4, 2, pixels, sizeof(pixels));
   assert_int_equal(pixels[0][0], 2);
   assert_int_equal(pixels[0][1], 2);
   assert_int_equal(pixels[1][0], 9);
   assert_int_equal(pixels[1][1], 4);
}

/* A surface has the size of its level. */
static void
levels_are_drawn_to(void **test)
{
   const struct virgl_resource_desc desc = {.target = TG_TEXTURE_2D,
                                            .format = R32_UINT,
                                            .width = 8,
                                            .height = 8,
                                            .depth = 1,
                                            .array_size = 1,
                                            .last_level = 1};
   const struct virgl_transfer transfer = {
      .handle = FREE, .level = 1, .box = {0, 0, 0, 4, 4, 1}};
   struct client *client = *test;
   uint32_t pixels[16];

   client_set_up(client, R32_UINT, 4, 4);
   client_set_fragment_shader(client, one_shader);
   assert_int_equal(virgl_host_create_resource(client->host, FREE, &desc, NULL),
                    TG_OK);
   CREATE(client, SURFACE, FREE, FREE, R32_UINT, 1, 0);
   COMMAND(client, SET_FRAMEBUFFER_STATE, 1, 0, FREE);
   client_draw(client);
   client_run(client);
   assert_int_equal(
      virgl_host_transfer_get(client->host, &transfer, pixels, sizeof(pixels)),
      TG_OK);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(pixels[i], 1);
   CREATE(client, SURFACE, FREE, FREE, R32_UINT, 2, 0);
   assert_int_equal(client_submit(client), TG_OK);
   assert_true(client_was_told(client, "a surface of level 2 of 1"));
}

/* Setting vertex buffers empties those that are not named. */
static void
vertex_buffers_are_replaced(void **test)
{
   struct client *client = *test;

   client_set_up(client, R32_UINT, 1, 1);
   create_stream_shader(client);
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 64, 1, NULL);
   CREATE(client, STREAMOUT_TARGET, 20, FREE, 0, 64);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 20);
   CREATE(client, VERTEX_ELEMENTS, FREE + 2, 0, 0, 1, 30);
   BIND(client, VERTEX_ELEMENTS, FREE + 2);
   COMMAND(client, SET_VERTEX_BUFFERS, 12, 0, VERTICES, 12, 12, VERTICES);
   draw_points(client, 0, 1); /* 3: buffer 1 begins a vertex later */
   COMMAND(client, SET_VERTEX_BUFFERS, 12, 0, VERTICES);
   draw_points(client, 0, 1); /* 0 */
   COMMAND(client, SET_VERTEX_BUFFERS, 12, 0, 0, 12, 24, VERTICES);
   draw_points(client, 0, 1); /* -1 */
   expect_stream(client, FREE, 3, 0, -1, 0);
}

/* Those that were set before stay. */
static void
textures_are_no_vertex_buffers(void **test)
{
   struct client *client = *test;

   client_set_up(client, R32_UINT, 1, 1);
   create_stream_shader(client);
   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 64, 1, NULL);
   CREATE(client, STREAMOUT_TARGET, 20, FREE, 0, 64);
   COMMAND(client, SET_STREAMOUT_TARGETS, 0, 20);
   COMMAND(client, SET_VERTEX_BUFFERS, 12, 12, VERTICES, 12, 0, TARGET);
   draw_points(client, 1, 1);
   assert_int_equal(client_submit(client), TG_OK);
   assert_int_equal(client->num_lines, 1);
   assert_true(client_was_told(client, "vertex buffer 1 is a texture"));
   client->num_lines = 0;
   expect_stream(client, FREE, 3, 0, 0, 0);
}

/* From the words of the command, and through the memory of a third one. */
static void
transfers_are_commands(void **test)
{
   static const uint32_t expected[4] = {0, 7, 8, 5};
   struct client *client = *test;
   uint32_t staging[2] = {1, 5}, shared[4] = {0}, words[4];

   client_create(client, FREE, TG_TEXTURE_BUFFER, R8, 64, 1, shared);
   client_create(client, FREE + 1, TG_TEXTURE_BUFFER, R8, 8, 1, staging);
   COMMAND(client, RESOURCE_INLINE_WRITE, FREE, 0, 0, 0, 0, 4, 0, 0, 8, 1, 1, 7,
           8);
   COMMAND(client, COPY_TRANSFER3D, FREE, 0, 0, 0, 0, 12, 0, 0, 4, 1, 1,
           FREE + 1, 4, 1);
   COMMAND(client, TRANSFER3D, FREE, 0, 0, 0, 0, 8, 0, 0, 8, 1, 1, 8,
           VIRGL_TRANSFER_FROM_HOST);
   client_run(client);
   client_get(client, FREE, 16, 1, words, 16);
   assert_memory_equal(words, expected, 16);
   assert_int_equal(shared[1], 0);
   assert_int_equal(shared[2], 8);
   assert_int_equal(shared[3], 5);
   COMMAND(client, COPY_TRANSFER3D, FREE, 0, 0, 0, 0, 0, 0, 0, 4, 1, 1,
           FREE + 1, 0, 3);
   client_run(client);
   assert_int_equal(staging[0], 0);

   COMMAND(client, RESOURCE_INLINE_WRITE, FREE, 0, 0, 0, 0, 4, 0, 0, 9, 1, 1, 7,
           8);
   COMMAND(client, COPY_TRANSFER3D, FREE, 0, 0, 0, 0, 12, 0, 0, 4, 1, 1,
           FREE + 1, 5, 1);
   COMMAND(client, TRANSFER3D, FREE, 0, 0, 0, 0, 8, 0, 0, 8, 1, 1, 8, 3);
   assert_int_equal(client_submit(client), TG_OK);
   assert_int_equal(client->num_lines, 3);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      CLIENT_TEST(results_are_in_shared_memory),
      CLIENT_TEST(results_need_room),
      CLIENT_TEST(statistics_are_asked_for_one_by_one),
      CLIENT_TEST(statistics_are_of_all_contexts),
      CLIENT_TEST(draws_obey_conditions),
      CLIENT_TEST(stream_output_is_paused_and_goes_on),
      CLIENT_TEST(draws_take_their_count_from_stream_output),
      CLIENT_TEST(draws_count_what_they_read),
      CLIENT_TEST(the_base_vertex_is_that_of_indices),
      CLIENT_TEST(draws_have_their_numbers_in_buffers),
      CLIENT_TEST(draws_have_indices_biases_and_instances),
      CLIENT_TEST(offsets_of_indices_may_be_exact),
      CLIENT_TEST(offsets_are_exact_if_indices_come_first),
      CLIENT_TEST(patches_are_drawn),
      CLIENT_TEST(levels_are_drawn_to),
      CLIENT_TEST(vertex_buffers_are_replaced),
      CLIENT_TEST(textures_are_no_vertex_buffers),
      CLIENT_TEST(blits_copies_and_clears),
      CLIENT_TEST(transfers_are_commands),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
