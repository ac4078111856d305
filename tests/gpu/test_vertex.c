/* SPDX-License-Identifier: MIT
 *
 * What vertex shaders are told: each vertex writes its system values and its
 * attributes into a buffer, one behind the other.
 */
#include "pipe.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_VERTICES = 64, TOLD_WORDS = 8 };

/* What a vertex writes. */
struct told {
   uint32_t vertex, nobase, base_vertex, instance;
   uint32_t start_instance, draw, attribute, instanced;
};

/* The buffer: how many there are, and they. */
struct log {
   uint32_t count, unused[3];
   struct told told[MAX_VERTICES];
};

static const char vertex_shader[] =
   "VERT\n"
   "DCL IN[0..1]\n"
   "DCL SV[0], VERTEXID\n"
   "DCL SV[1], VERTEXID_NOBASE\n"
   "DCL SV[2], BASEVERTEX\n"
   "DCL SV[3], INSTANCEID\n"
   "DCL SV[4], BASEINSTANCE\n"
   "DCL SV[5], DRAWID\n"
   "DCL BUFFER[0]\n"
   "DCL OUT[0], POSITION\n"
   "DCL TEMP[0..2]\n"
   "IMM[0] UINT32 {0, 1, 16, 32}\n"
   "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
   "UMAD TEMP[0].x, TEMP[0].xxxx, IMM[0].wwww, IMM[0].zzzz\n"
   "UADD TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\n"
   "MOV TEMP[1].x, SV[0].xxxx\n"
   "MOV TEMP[1].y, SV[1].xxxx\n"
   "MOV TEMP[1].z, SV[2].xxxx\n"
   "MOV TEMP[1].w, SV[3].xxxx\n"
   "STORE BUFFER[0].xyzw, TEMP[0].xxxx, TEMP[1]\n"
   "MOV TEMP[2].x, SV[4].xxxx\n"
   "MOV TEMP[2].y, SV[5].xxxx\n"
   "MOV TEMP[2].z, IN[0].xxxx\n"
   "MOV TEMP[2].w, IN[1].xxxx\n"
   "STORE BUFFER[0].xyzw, TEMP[0].yyyy, TEMP[2]\n"
   "MOV OUT[0], IMM[0].xxxx\n"
   "END\n";

/* ---- a GPU that tells ---------------------------------------------------- */

struct teller {
   struct pipe pipe;
   struct tg_resource *buffer; /* struct log */
};

enum { NUM_ROWS = 10 };

/* Row i of the attribute is 100 + i, and of the other, which goes with every
 * second instance, 200 + i. */
static void
init(struct teller *teller)
{
   static const struct log nothing;
   struct pipe *pipe = &teller->pipe;
   uint32_t rows[NUM_ROWS][2];
   for (uint32_t i = 0; i < NUM_ROWS; i++) {
      rows[i][0] = 100 + i;
      rows[i][1] = 200 + i;
   }
   pipe_init(pipe, 8, 8, vertex_shader, pipe_constant_shader);
   pipe->state.rasterizer.rasterizer_discard = true;
   pipe->state.num_elements = 2;
   pipe->state.elements[0] = (struct tg_vertex_element){
      .format = TG_FORMAT_R32_UINT,
   };
   pipe->state.elements[1] = (struct tg_vertex_element){
      .format = TG_FORMAT_R32_UINT,
      .src_offset = 4,
      .instance_divisor = 2,
   };
   pipe->state.vertices = (struct tg_vertex_buffer){
      .buffer = pipe_buffer(pipe, rows, sizeof(rows)),
      .stride = 8,
   };
   teller->buffer = pipe_buffer(pipe, &nothing, sizeof(nothing));
   assert_int_equal(tg_bindings_set_buffer(pipe->vertex, TG_BUFFER_SHADER, 0,
                                           teller->buffer, 0, sizeof(nothing),
                                           NULL),
                    TG_OK);
}

/* What the vertices of a draw of points told; how many there were. */
static uint32_t
draw(struct teller *teller, struct tg_draw_info *info, struct log *log)
{
   static const struct log nothing;
   const struct tg_box box = {.width = sizeof(*log), .height = 1, .depth = 1};
   info->mode = TG_PRIM_POINTS;
   assert_int_equal(
      tg_resource_write(teller->buffer, 0, 0, &box, &nothing, 0, 0), TG_OK);
   assert_int_equal(pipe_draw_info(&teller->pipe, info, 0), TG_OK);
   assert_int_equal(tg_resource_read(teller->buffer, 0, 0, &box, log, 0, 0),
                    TG_OK);
   assert_in_range(log->count, 0, MAX_VERTICES);
   return log->count;
}

static void
compare(const struct log *log, uint32_t number, const struct told *expected)
{
   uint32_t found[TOLD_WORDS], words[TOLD_WORDS];
   memcpy(found, &log->told[number], sizeof(found));
   memcpy(words, expected, sizeof(words));
   for (unsigned i = 0; i < TOLD_WORDS; i++)
      assert_int_equal(found[i], words[i]);
}

/* ---- tests --------------------------------------------------------------- */

static void
unindexed_draws(void **test)
{
   (void)test;
   const struct tg_draw_range ranges[] = {{3, 2, 77}, {8, 4, 0}};
   struct teller teller;
   struct log log;
   init(&teller);
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = ranges;
   info.num_draws = 2;
   info.first_draw_id = 5;
   info.instance_count = 3;
   info.start_instance = 8;
   assert_int_equal(draw(&teller, &info, &log), 18);
   uint32_t number = 0;
   for (uint32_t d = 0; d < 2; d++) {
      for (uint32_t i = 0; i < 3; i++) {
         for (uint32_t v = 0; v < ranges[d].count; v++) {
            const uint32_t vertex = ranges[d].start + v;
            const struct told expected = {
               .vertex = vertex,
               .nobase = v,
               .base_vertex = ranges[d].start,
               .instance = i,
               .start_instance = 8,
               .draw = 5 + d,
               .attribute = vertex < NUM_ROWS ? 100 + vertex : 0,
               .instanced = i < 2 ? 208 : 209,
            };
            compare(&log, number++, &expected);
         }
      }
   }
   const struct tg_pipeline_statistics statistics =
      pipe_statistics(&teller.pipe).pipeline;
   assert_int_equal(statistics.ia_vertices, 18);
   assert_int_equal(statistics.ia_primitives, 18);
   assert_int_equal(statistics.vs_invocations, 18);
   pipe_finish(&teller.pipe);
}

static void
indexed_draws(void **test)
{
   (void)test;
   static const uint16_t indices[] = {9, 9, 4, 0xffff, 6, 9};
   const struct tg_draw_range range = {
      .start = 1, .count = 6, .index_bias = -3};
   struct teller teller;
   struct log log;
   init(&teller);
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = &range;
   info.index_size = 2;
   info.index_buffer = pipe_buffer(&teller.pipe, indices, sizeof(indices));
   info.primitive_restart = true;
   info.restart_index = 0xffff;
   /* The last index is beyond the buffer. */
   assert_int_equal(draw(&teller, &info, &log), 4);
   static const uint32_t vertices[] = {6, 1, 3, (uint32_t)-3};
   for (uint32_t i = 0; i < 4; i++) {
      const struct told expected = {
         .vertex = vertices[i],
         .nobase = vertices[i] + 3,
         .base_vertex = (uint32_t)-3,
         .attribute = i < 3 ? 100 + vertices[i] : 0,
         .instanced = 200,
      };
      compare(&log, i, &expected);
   }
   const struct tg_pipeline_statistics statistics =
      pipe_statistics(&teller.pipe).pipeline;
   assert_int_equal(statistics.ia_vertices, 5); /* a restart is none */
   assert_int_equal(statistics.ia_primitives, 5);
   assert_int_equal(statistics.vs_invocations, 4);
   pipe_finish(&teller.pipe);
}

static void
indirect_draws(void **test)
{
   (void)test;
   /* The number of draws, and draws of five words. */
   static const uint32_t words[] = {2, 1, 2, 3, 4, 0, 2, 1,
                                    5, 6, 0, 9, 9, 9, 9};
   struct teller teller;
   struct log log;
   init(&teller);
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.indirect = pipe_buffer(&teller.pipe, words, sizeof(words));
   info.indirect_offset = 4;
   info.indirect_stride = 20;
   info.indirect_count = info.indirect;
   info.num_draws = 100;
   assert_int_equal(draw(&teller, &info, &log), 4);
   const struct told expected[] = {
      {3, 0, 3, 0, 4, 0, 103, 204},
      {3, 0, 3, 1, 4, 0, 103, 204},
      {5, 0, 5, 0, 6, 1, 105, 206},
      {6, 1, 5, 0, 6, 1, 106, 206},
   };
   for (uint32_t i = 0; i < 4; i++)
      compare(&log, i, &expected[i]);
   pipe_finish(&teller.pipe);
}

/* Numbers that do not fit say so, and read nothing. */
static void
numbers_do_not_wrap(void **test)
{
   (void)test;
   const struct tg_draw_range range = {.start = UINT32_MAX - 1, .count = 5};
   struct teller teller;
   struct log log;
   init(&teller);
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = &range;
   info.start_instance = UINT32_MAX;
   info.instance_count = 4;
   /* Of each instance the first vertex, and the last one that there is. */
   assert_int_equal(draw(&teller, &info, &log), 8);
   for (uint32_t i = 0; i < 8; i++) {
      const struct told expected = {
         .vertex = UINT32_MAX - 1 + i % 2,
         .nobase = i % 2,
         .base_vertex = UINT32_MAX - 1,
         .instance = i / 2,
         .start_instance = UINT32_MAX,
      };
      compare(&log, i, &expected);
   }
   pipe_finish(&teller.pipe);
}

/* Each lane stands at its own place of the wave; a shader without outputs. */
static void
subgroups_are_waves(void **test)
{
   (void)test;
   static const char shader[] = "VERT\n"
                                "DCL SV[0], VERTEXID\n"
                                "DCL SV[1], SUBGROUP_SIZE\n"
                                "DCL SV[2], SUBGROUP_INVOCATION\n"
                                "DCL SV[3], SUBGROUP_GE_MASK\n"
                                "DCL SV[4], SUBGROUP_LT_MASK\n"
                                "DCL BUFFER[0]\n"
                                "DCL TEMP[0..1]\n"
                                "IMM[0] UINT32 {16, 0, 0, 0}\n"
                                "UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\n"
                                "MOV TEMP[1].x, SV[1].xxxx\n"
                                "MOV TEMP[1].y, SV[2].xxxx\n"
                                "MOV TEMP[1].z, SV[3].xxxx\n"
                                "MOV TEMP[1].w, SV[4].xxxx\n"
                                "STORE BUFFER[0].xyzw, TEMP[0].xxxx, TEMP[1]\n"
                                "END\n";
   struct teller teller;
   uint32_t words[20][4];
   const struct tg_draw_range range = {.count = 20};
   const struct tg_box box = {.width = sizeof(words), .height = 1, .depth = 1};
   init(&teller);
   teller.pipe.state.vs = pipe_shader(&teller.pipe, shader);
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.mode = TG_PRIM_POINTS;
   info.draws = &range;
   assert_int_equal(pipe_draw_info(&teller.pipe, &info, 0), TG_OK);
   assert_int_equal(tg_resource_read(teller.buffer, 0, 0, &box, words, 0, 0),
                    TG_OK);
   for (uint32_t i = 0; i < 20; i++) {
      assert_int_equal(words[i][0], 16);
      assert_int_equal(words[i][1], i % 16);
      assert_int_equal(words[i][2], 0xffff << i % 16 & 0xffff);
      assert_int_equal(words[i][3], (1 << i % 16) - 1);
   }
   pipe_finish(&teller.pipe);
}

/* As many vertices as draws before have put into a target: two points each of
 * three instances, and there is room for five. */
static void
draws_what_was_captured(void **test)
{
   (void)test;
   static const struct tg_stream_output_info captured = {
      .size = sizeof(captured),
      .num_outputs = 1,
      .outputs = {{.num_components = 4}},
      .stride = {4},
   };
   static const uint32_t from_start = 0;
   const struct tg_draw_range range = {.count = 2};
   struct teller teller;
   struct log log = {0};
   init(&teller);
   struct pipe *pipe = &teller.pipe;
   struct tg_resource *buffer = pipe_buffer(pipe, &log, 5 * 16);
   struct tg_gpu_shader *capturing;
   struct tg_stream_target *target;
   assert_int_equal(tg_gpu_shader_create(tg_context_get_device(pipe->gpu),
                                         pipe->sources[0], &captured,
                                         pipe->diagnostics, &capturing),
                    TG_OK);
   assert_int_equal(tg_stream_target_create(pipe->gpu, buffer, 0, 5 * 16,
                                            pipe->diagnostics, &target),
                    TG_OK);
   assert_int_equal(tg_context_set_stream_targets(
                       pipe->gpu, 1, &target, &from_start, pipe->diagnostics),
                    TG_OK);
   struct tg_gpu_shader *plain = pipe->state.vs;
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   pipe->state.vs = capturing;
   info.draws = &range;
   info.instance_count = 3;
   assert_int_equal(draw(&teller, &info, &log), 6);

   pipe->state.vs = plain;
   info.draws = NULL;
   info.instance_count = 2;
   info.count_from_stream_output = target;
   assert_int_equal(draw(&teller, &info, &log), 10);
   for (uint32_t i = 0; i < 10; i++) {
      assert_int_equal(log.told[i].vertex, i % 5);
      assert_int_equal(log.told[i].instance, i / 5);
   }
   tg_stream_target_destroy(target);
   tg_gpu_shader_destroy(capturing);
   pipe_finish(pipe);
}

/* Colours are held to [0, 1] if they shall; other outputs are not. */
static void
vertex_colors_are_clamped(void **test)
{
   (void)test;
   static const char vertex[] = "VERT\n"
                                "DCL IN[0..1]\n"
                                "DCL OUT[0], POSITION\n"
                                "DCL OUT[1], GENERIC[0]\n"
                                "DCL OUT[2], COLOR[1]\n"
                                "MOV OUT[0], IN[0]\n"
                                "MOV OUT[1], IN[1]\n"
                                "MOV OUT[2], IN[1]\n"
                                "END\n";
   static const char fragment[] = "FRAG\n"
                                  "DCL IN[0], COLOR[1], CONSTANT\n"
                                  "DCL IN[1], GENERIC[0], CONSTANT\n"
                                  "DCL OUT[0], COLOR\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "MOV OUT[0].w, IN[1].xxxx\n"
                                  "END\n";
   struct pipe_vertex v[3] = {{{-1, -1, 0, 1}, {0}},
                              {{3, -1, 0, 1}, {0}},
                              {{-1, 3, 0, 1}, {3.0f, -2.0f, 0.25f, 0}}};
   for (int clamps = 0; clamps < 2; clamps++) {
      struct pipe pipe;
      pipe_init(&pipe, 8, 8, vertex, fragment);
      pipe.state.rasterizer.clamp_vertex_color = clamps;
      pipe_set_vertices(&pipe, v, 3);
      assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
      const float *pixel = pipe_pixel(&pipe, 3, 3);
      assert_true(pixel[0] == (clamps ? 1.0f : 3.0f));
      assert_true(pixel[1] == (clamps ? 0.0f : -2.0f));
      assert_true(pixel[2] == 0.25f);
      assert_true(pixel[3] == 3.0f);
      pipe_finish(&pipe);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(unindexed_draws),
      cmocka_unit_test(indexed_draws),
      cmocka_unit_test(indirect_draws),
      cmocka_unit_test(numbers_do_not_wrap),
      cmocka_unit_test(subgroups_are_waves),
      cmocka_unit_test(draws_what_was_captured),
      cmocka_unit_test(vertex_colors_are_clamped),
   };
   return cmocka_run_group_tests_name("gpu: vertex", tests, NULL, NULL);
}
