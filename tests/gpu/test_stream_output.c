/* SPDX-License-Identifier: MIT
 *
 * Stream output: which words go where, whole primitives only, the order of
 * batches, and targets that go on where they stopped.
 */
#include "stages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/geometry/stream_output.h"
#include "resource/resource.h"

enum { NUM_BUFFERS = 2, BUFFER_WORDS = 32 };

static struct stages stages;
static struct tg_resource *buffers[NUM_BUFFERS];
static struct tg_stream_target *targets[NUM_BUFFERS];
static struct tg_gpu_shader shader; /* of which only the outputs count */
static struct gpu_stream_output output;
static struct gpu_stream_words words;
static uint64_t count[GPU_NUM_COUNTERS];

static int
set_up(void **state)
{
   (void)state;
   stages_init(&stages, false);
   gpu_stream_words_init(&words, stages.gpu->allocator);
   memset(count, 0, sizeof(count));
   for (unsigned i = 0; i < NUM_BUFFERS; i++) {
      const struct tg_resource_desc desc = {
         .size = sizeof(desc),
         .target = TG_TEXTURE_BUFFER,
         .width = BUFFER_WORDS * 4,
      };
      assert_int_equal(tg_resource_create(NULL, &desc, NULL, &buffers[i]),
                       TG_OK);
      memset(tg_resource_map_buffer(buffers[i]), 0xee, BUFFER_WORDS * 4);
   }
   return 0;
}

static int
tear_down(void **state)
{
   (void)state;
   gpu_stream_words_finish(&words);
   stages_finish(&stages);
   for (unsigned i = 0; i < NUM_BUFFERS; i++)
      tg_resource_destroy(buffers[i]);
   return 0;
}

/* A target for each buffer: all but its first word. */
static void
make_targets(uint32_t size)
{
   for (unsigned i = 0; i < NUM_BUFFERS; i++)
      assert_int_equal(tg_stream_target_create(stages.gpu, buffers[i], 4, size,
                                               stages.diagnostics, &targets[i]),
                       TG_OK);
}

static void
set_targets(const uint32_t *offsets)
{
   assert_int_equal(tg_context_set_stream_targets(stages.gpu, NUM_BUFFERS,
                                                  targets, offsets,
                                                  stages.diagnostics),
                    TG_OK);
}

/* Register 1, y and z, and register 0, x, to buffer 0; of stream 1, register 1
 * to buffer 1. */
static const struct tg_stream_output_info two_streams = {
   .size = sizeof(two_streams),
   .num_outputs = 3,
   .outputs =
      {
         {.register_index = 1, .start_component = 1, .num_components = 2},
         {.register_index = 0, .num_components = 1, .dst_offset = 3},
         {.register_index = 1, .num_components = 4, .buffer = 1, .stream = 1},
      },
   .stride = {4, 4},
};

/* What a draw does with the input of `stages`, in one batch. */
static void
draw(const struct tg_stream_output_info *info)
{
   shader.stream_output = *info;
   gpu_stream_output_init(&output, &stages.gpu->state, &shader,
                          stages.in.vertices_per_primitive);
   gpu_stream_words_finish(&words);
   assert_true(gpu_stream_output_collect(&output, &stages.in, &words));
   gpu_stream_output_commit(&output, &words, count);
}

static const uint32_t *
words_of(unsigned buffer)
{
   return tg_resource_map_buffer(buffers[buffer]);
}

static void
expect_word(unsigned buffer, unsigned number, float value)
{
   const float found = stages_float(words_of(buffer)[number]);
   if (found != value)
      fail_msg("word %u of buffer %u is %g, not %g", number, buffer,
               (double)found, (double)value);
}

static void
expect_untouched(unsigned buffer, unsigned number)
{
   assert_int_equal(words_of(buffer)[number], 0xeeeeeeee);
}

/* Two lines: vertices 0 to 3, 100 v + 10 r + c each. */
static void
test_words(void **state)
{
   (void)state;
   make_targets(124);
   set_targets((const uint32_t[]){0, 0});
   stages_fill(&stages, 2, 2, 2, 0);
   stages.in.primitives[1].stream = 1;
   draw(&two_streams);

   for (unsigned v = 0; v < 2; v++) {
      expect_word(0, 1 + v * 4, 100.0f * (float)v + 11.0f);
      expect_word(0, 2 + v * 4, 100.0f * (float)v + 12.0f);
      expect_untouched(0, 3 + v * 4);
      expect_word(0, 4 + v * 4, 100.0f * (float)v);
      for (unsigned c = 0; c < 4; c++)
         expect_word(1, 1 + v * 4 + c, 100.0f * (float)(v + 2) + 10 + (float)c);
   }
   expect_untouched(0, 0);
   expect_untouched(0, 9);
   expect_untouched(1, 0);
   expect_untouched(1, 9);
   assert_int_equal(count[GPU_COUNT_STREAM_WRITTEN], 1);
   assert_int_equal(count[GPU_COUNT_STREAM_WRITTEN + 1], 1);
   assert_int_equal(count[GPU_COUNT_STREAM_WRITTEN + 2], 0);
   assert_int_equal(targets[0]->num_vertices, 2);
   assert_int_equal(targets[0]->filled, 32);
}

/* 31 words are 7 vertices of 4, and so 3 lines: the fourth does not fit, nor
 * does any behind it. */
static void
test_whole_primitives(void **state)
{
   (void)state;
   make_targets(124);
   set_targets((const uint32_t[]){0, 0});
   stages_fill(&stages, 2, 2, 5, 0);
   draw(&two_streams);
   assert_int_equal(count[GPU_COUNT_STREAM_NEEDED], 5);
   assert_int_equal(count[GPU_COUNT_STREAM_WRITTEN], 3);
   expect_word(0, 24, 500.0f);
   expect_untouched(0, 25);
   assert_int_equal(targets[0]->num_vertices, 6);
   draw(&two_streams);
   assert_int_equal(count[GPU_COUNT_STREAM_NEEDED], 10);
   assert_int_equal(count[GPU_COUNT_STREAM_WRITTEN], 3);
}

/* The fuller one of two targets decides for both. */
static void
test_needs_all_targets(void **state)
{
   static const struct tg_stream_output_info info = {
      .size = sizeof(info),
      .num_outputs = 2,
      .outputs =
         {
            {.register_index = 0, .num_components = 1},
            {.register_index = 1, .num_components = 1, .buffer = 1},
         },
      .stride = {1, 5},
   };
   (void)state;
   make_targets(124);
   set_targets((const uint32_t[]){0, 0});
   stages_fill(&stages, 2, 1, 10, 0);
   draw(&info);
   assert_int_equal(count[GPU_COUNT_STREAM_WRITTEN], 6);
   expect_word(0, 6, 500.0f);
   expect_untouched(0, 7);
   expect_word(1, 26, 510.0f);
}

/* Where no target is nothing is written, and the other takes all. */
static void
test_missing_target(void **state)
{
   (void)state;
   make_targets(124);
   assert_int_equal(tg_context_set_stream_targets(
                       stages.gpu, 2,
                       (struct tg_stream_target *[]){NULL, targets[1]}, NULL,
                       NULL),
                    TG_OK);
   stages_fill(&stages, 2, 1, 2, 0);
   draw(&two_streams);
   assert_int_equal(count[GPU_COUNT_STREAM_WRITTEN], 0);
   assert_int_equal(count[GPU_COUNT_STREAM_NEEDED], 0);
   stages.in.primitives[0].stream = 1;
   draw(&two_streams);
   assert_int_equal(count[GPU_COUNT_STREAM_WRITTEN + 1], 1);
   expect_word(1, 1, 10.0f);
   tg_stream_target_destroy(targets[1]);
   targets[1] = NULL;
   draw(&two_streams);
   assert_int_equal(count[GPU_COUNT_STREAM_WRITTEN + 1], 1);
}

/* Appending, beginning anew, and beginning somewhere. */
static void
test_offsets(void **state)
{
   static const struct tg_stream_output_info info = {
      .size = sizeof(info),
      .num_outputs = 1,
      .outputs = {{.register_index = 0, .num_components = 1}},
      .stride = {1},
   };
   (void)state;
   make_targets(124);
   set_targets((const uint32_t[]){0, 0});
   stages_fill(&stages, 2, 1, 2, 0);
   draw(&info);
   set_targets((const uint32_t[]){TG_STREAM_APPEND, TG_STREAM_APPEND});
   draw(&info);
   for (unsigned i = 0; i < 4; i++)
      expect_word(0, 1 + i, 100.0f * (float)(i % 2));
   expect_untouched(0, 5);
   assert_int_equal(targets[0]->num_vertices, 4);

   set_targets((const uint32_t[]){40, 0});
   draw(&info);
   expect_untouched(0, 10);
   expect_word(0, 11, 0.0f);
   expect_word(0, 12, 100.0f);
   assert_int_equal(targets[0]->num_vertices, 2);
   set_targets((const uint32_t[]){0, 0});
   stages_fill(&stages, 2, 1, 1, 0);
   draw(&info);
   expect_word(0, 2, 100.0f);
   assert_int_equal(targets[0]->num_vertices, 1);
}

/* Two batches that were collected side by side are written in their order. */
static void
test_batches(void **state)
{
   struct gpu_stream_words second;
   (void)state;
   make_targets(16);
   set_targets((const uint32_t[]){0, 0});
   stages_fill(&stages, 2, 1, 3, 0);
   shader.stream_output = (struct tg_stream_output_info){
      .size = sizeof(struct tg_stream_output_info),
      .num_outputs = 1,
      .outputs = {{.register_index = 0, .num_components = 1}},
      .stride = {1},
   };
   gpu_stream_output_init(&output, &stages.gpu->state, &shader, 1);
   gpu_stream_words_init(&second, stages.gpu->allocator);
   gpu_stream_words_finish(&words);
   assert_true(gpu_stream_output_collect(&output, &stages.in, &second));
   stages_fill(&stages, 2, 1, 2, 0);
   assert_true(gpu_stream_output_collect(&output, &stages.in, &words));
   assert_true(gpu_stream_output_collect(&output, &stages.in, &words));
   gpu_stream_output_commit(&output, &words, count);
   gpu_stream_output_commit(&output, &second, count);
   assert_int_equal(count[GPU_COUNT_STREAM_NEEDED], 7);
   assert_int_equal(count[GPU_COUNT_STREAM_WRITTEN], 4);
   for (unsigned i = 0; i < 4; i++)
      expect_word(0, 1 + i, 100.0f * (float)(i % 2));
   expect_untouched(0, 5);
   gpu_stream_words_finish(&second);
}

/* ---- what is refused ----------------------------------------------------- */

static void
expect_complaint(const char *complaint)
{
   char *complaints = stages_complaints(&stages);
   if (!strstr(complaints, complaint))
      fail_msg("%s", complaints);
   tg_string_free(complaints);
}

static void
test_bad_targets(void **state)
{
   struct tg_stream_target *target = NULL;
   (void)state;
   assert_int_equal(tg_stream_target_create(stages.gpu, buffers[0], 2, 4,
                                            stages.diagnostics, &target),
                    TG_ERROR_INPUT);
   expect_complaint("a stream target of bytes 2 to 6; expected whole words of "
                    "a buffer of 128 bytes");
   assert_int_equal(tg_stream_target_create(stages.gpu, buffers[0], 4, 128,
                                            stages.diagnostics, &target),
                    TG_ERROR_INPUT);
   expect_complaint("a stream target of bytes 4 to 132; expected whole words "
                    "of a buffer of 128 bytes");
   assert_int_equal(tg_stream_target_create(stages.gpu, buffers[0],
                                            UINT32_MAX - 3, UINT32_MAX - 3,
                                            stages.diagnostics, &target),
                    TG_ERROR_INPUT);
   assert_int_equal(tg_stream_target_create(stages.gpu, NULL, 0, 4,
                                            stages.diagnostics, &target),
                    TG_ERROR_INPUT);
   expect_complaint("a stream target without a buffer");
   assert_null(target);
}

static void
test_bad_settings(void **state)
{
   (void)state;
   make_targets(16);
   set_targets(NULL);
   assert_int_equal(tg_context_set_stream_targets(stages.gpu, 2, targets,
                                                  (const uint32_t[]){0, 20},
                                                  stages.diagnostics),
                    TG_ERROR_INPUT);
   expect_complaint("stream target 1 begins at byte 20 of 16");
   assert_int_equal(tg_context_set_stream_targets(stages.gpu, 5, targets, NULL,
                                                  stages.diagnostics),
                    TG_ERROR_INPUT);
   expect_complaint("5 stream targets; there can be 4");
   assert_int_equal(tg_context_set_stream_targets(
                       stages.gpu, 2,
                       (struct tg_stream_target *[]){targets[0], targets[0]},
                       NULL, stages.diagnostics),
                    TG_ERROR_INPUT);
   expect_complaint("stream target 1 is stream target 0, too");
   assert_int_equal(stages.gpu->state.num_stream_targets, 2);
   assert_ptr_equal(stages.gpu->state.stream_targets[1], targets[1]);
}

static void
expect_bad_info(const struct tg_stream_output_info *info, const char *complaint)
{
   static const char text[] = "VERT\n"
                              "DCL IN[0]\n"
                              "DCL OUT[0], POSITION\n"
                              "MOV OUT[0], IN[0]\n"
                              "END\n";
   struct tg_gpu_shader *made = NULL;
   struct tg_shader *source;
   assert_int_equal(tg_shader_parse(NULL, "test", text, strlen(text),
                                    TG_DIALECT_2019, NULL, &source),
                    TG_OK);
   assert_int_equal(tg_gpu_shader_create(tg_context_get_device(stages.gpu),
                                         source, info, stages.diagnostics,
                                         &made),
                    TG_ERROR_INPUT);
   assert_null(made);
   expect_complaint(complaint);
   tg_shader_destroy(source);
}

static void
test_bad_infos(void **state)
{
   const struct tg_stream_output good = {.num_components = 4};
   struct tg_stream_output_info info = {
      .size = sizeof(info),
      .num_outputs = 2,
      .outputs = {good, good},
      .stride = {4, 4},
   };
   struct tg_stream_output *second = &info.outputs[1];
   (void)state;
   second->register_index = 1;
   expect_bad_info(&info, "test: stream output 1 is of a register that it does "
                          "not have");
   *second = good;
   second->start_component = 1;
   expect_bad_info(&info, "stream output 1 is of no components of a register");
   *second = good;
   second->dst_offset = 1;
   expect_bad_info(&info, "stream output 1 does not fit the stride of its "
                          "buffer");
   *second = good;
   second->buffer = 4;
   expect_bad_info(&info, "stream output 1 goes to a buffer that there cannot "
                          "be");
   *second = good;
   second->stream = 1;
   expect_bad_info(&info, "stream output 1 is of a stream that there cannot "
                          "be");
   info.num_outputs = TG_MAX_STREAM_OUTPUTS + 1;
   expect_bad_info(&info, "test: 65 stream outputs; there can be 64");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
   const struct CMUnitTest tests[] = {
      TEST(test_words),
      TEST(test_whole_primitives),
      TEST(test_needs_all_targets),
      TEST(test_missing_target),
      TEST(test_offsets),
      TEST(test_batches),
      TEST(test_bad_targets),
      TEST(test_bad_settings),
      TEST(test_bad_infos),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
