/* SPDX-License-Identifier: MIT
 *
 * Queries and what depends on them, with results worked out by hand.
 *
 * The framebuffer has 8 by 8 pixels. `half` covers those with x + y < 7: its
 * long edge goes through the centres of those with x + y = 7, and is neither
 * its left nor its top one. These are 7 + 6 + 5 + 4 + 3 + 2 + 1 = 28.
 */
#include "../context.h"
#include "../sweep.h"

#include <string.h>
#include <time.h>

#include "pipe.h"

enum { SIZE = 8, HALF = 28, WHOLE = SIZE * SIZE };

static const struct pipe_vertex vertices[6] = {
   /* half */
   {{-1, -1, 0, 1}, {1, 2, 3, 4}},
   {{1, -1, 0, 1}, {1, 2, 3, 4}},
   {{-1, 1, 0, 1}, {1, 2, 3, 4}},
   /* whole */
   {{-1, -1, 0, 1}, {1, 2, 3, 4}},
   {{3, -1, 0, 1}, {1, 2, 3, 4}},
   {{-1, 3, 0, 1}, {1, 2, 3, 4}},
};

static void
begin(struct pipe *pipe)
{
   pipe_init_with(pipe, 3, NULL, SIZE, SIZE, pipe_vertex_shader,
                  pipe_constant_shader);
   pipe_set_vertices(pipe, vertices, 6);
   assert_int_equal(pipe_set_state(pipe, pipe->gpu), TG_OK);
}

static void
end(struct pipe *pipe)
{
   assert_int_equal(tg_context_finish(pipe->gpu, NULL), TG_OK);
   pipe_finish(pipe);
}

static enum tg_result
draw(struct tg_context *gpu, uint32_t start)
{
   const struct tg_draw_range range = {.start = start, .count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.draws = &range;
   return tg_context_draw(gpu, &info, NULL);
}

static void
draw_half(struct pipe *pipe)
{
   assert_int_equal(draw(pipe->gpu, 0), TG_OK);
}

static void
draw_whole(struct pipe *pipe)
{
   assert_int_equal(draw(pipe->gpu, 3), TG_OK);
}

static struct tg_query *
make(struct pipe *pipe, enum tg_query_type type)
{
   struct tg_query *query;

   assert_int_equal(
      tg_query_create(pipe->gpu, type, 0, pipe->diagnostics, &query), TG_OK);
   return query;
}

static void
begin_query(struct tg_query *query)
{
   assert_int_equal(tg_query_begin(query, NULL), TG_OK);
}

static void
end_query(struct tg_query *query)
{
   assert_int_equal(tg_query_end(query, NULL), TG_OK);
}

static union tg_query_result
result_of(struct tg_query *query)
{
   union tg_query_result result;

   assert_true(tg_query_get_result(query, true, &result));
   return result;
}

static uint64_t
fragments_of(struct tg_query *query)
{
   return result_of(query).pipeline_statistics.ps_invocations;
}

/* ---- counters ------------------------------------------------------------ */

static void
counts_stages(void **test)
{
   (void)test;
   struct pipe pipe;

   begin(&pipe);
   struct tg_query *query = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   draw_whole(&pipe);
   begin_query(query);
   draw_half(&pipe);
   draw_whole(&pipe);
   end_query(query);
   draw_whole(&pipe);

   const struct tg_pipeline_statistics found =
      result_of(query).pipeline_statistics;
   assert_int_equal(found.ia_vertices, 6);
   assert_int_equal(found.ia_primitives, 2);
   assert_int_equal(found.vs_invocations, 6);
   assert_int_equal(found.ps_invocations, HALF + WHOLE);
   assert_int_equal(found.gs_invocations, 0);
   assert_int_equal(found.cs_invocations, 0);
   end(&pipe);
}

/* One triangle of three is out of sight. */
static void
counts_clipping(void **test)
{
   (void)test;
   struct pipe pipe;
   struct pipe_vertex moved[9];

   begin(&pipe);
   for (unsigned i = 0; i < 9; i++) {
      moved[i] = vertices[i % 3];
      moved[i].position[0] += i >= 3 && i < 6 ? 5.0f : 0.0f;
   }
   pipe_set_vertices(&pipe, moved, 9);
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   struct tg_query *query = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   begin_query(query);
   draw_half(&pipe);
   draw_whole(&pipe);
   assert_int_equal(draw(pipe.gpu, 6), TG_OK);
   end_query(query);
   const struct tg_pipeline_statistics found =
      result_of(query).pipeline_statistics;
   assert_int_equal(found.c_invocations, 3);
   assert_int_equal(found.c_primitives, 2);
   assert_int_equal(found.ps_invocations, 2 * HALF);
   end(&pipe);
}

/* Samples that pass; behind what is there already none does. */
static void
counts_samples(void **test)
{
   (void)test;
   struct pipe pipe;
   const float near[4] = {0.25f, 0, 0, 0}; /* z of the triangles is 0.5 */

   begin(&pipe);
   struct tg_query *count = make(&pipe, TG_QUERY_OCCLUSION_COUNTER);
   struct tg_query *any = make(&pipe, TG_QUERY_OCCLUSION_PREDICATE);
   struct tg_query *maybe =
      make(&pipe, TG_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE);
   begin_query(count);
   begin_query(any);
   draw_half(&pipe);
   draw_whole(&pipe);
   end_query(any);
   end_query(count);
   assert_int_equal(result_of(count).u64, HALF + WHOLE);
   assert_true(result_of(any).b);

   pipe_clear(pipe.depth, near);
   pipe.state.depth.depth_enabled = true;
   pipe.state.depth.depth_func = TG_COMPARE_LESS;
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   begin_query(count);
   begin_query(any);
   begin_query(maybe);
   draw_whole(&pipe);
   end_query(any);
   end_query(count);
   end_query(maybe);
   assert_int_equal(result_of(count).u64, 0);
   assert_false(result_of(any).b);
   assert_false(result_of(maybe).b);
   end(&pipe);
}

/* Each of four samples of a pixel counts. */
static void
counts_each_sample(void **test)
{
   (void)test;
   struct pipe pipe;
   struct tg_resource *color = NULL;
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = TG_FORMAT_R8G8B8A8_UNORM,
      .width = SIZE,
      .height = SIZE,
      .samples = 4,
   };

   begin(&pipe);
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &color), TG_OK);
   pipe.state.framebuffer = (struct tg_framebuffer_state){
      .size = sizeof(struct tg_framebuffer_state),
      .width = SIZE,
      .height = SIZE,
      .num_colors = 1,
      .colors = {tg_surface_of(color)},
   };
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   struct tg_query *count = make(&pipe, TG_QUERY_OCCLUSION_COUNTER);
   begin_query(count);
   draw_whole(&pipe);
   end_query(count);
   assert_int_equal(result_of(count).u64, 4 * WHOLE);
   assert_int_equal(tg_context_set_framebuffer(pipe.gpu, NULL, NULL), TG_OK);
   end(&pipe);
   tg_resource_destroy(color);
}

/* Queries overlap, nest, and are begun again. */
static void
counts_between_begin_and_end(void **test)
{
   (void)test;
   struct pipe pipe;

   begin(&pipe);
   struct tg_query *first = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   struct tg_query *second = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   struct tg_query *inner = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   begin_query(first);
   draw_half(&pipe);
   begin_query(second);
   draw_half(&pipe);
   begin_query(inner);
   draw_whole(&pipe);
   end_query(inner);
   end_query(first);
   draw_whole(&pipe);
   end_query(second);
   draw_half(&pipe);
   assert_int_equal(fragments_of(second), HALF + 2 * WHOLE);
   assert_int_equal(fragments_of(first), 2 * HALF + WHOLE);
   assert_int_equal(fragments_of(inner), WHOLE);
   assert_int_equal(fragments_of(first), 2 * HALF + WHOLE);

   begin_query(first);
   end_query(first);
   assert_int_equal(fragments_of(first), 0);
   begin_query(first);
   draw_half(&pipe);
   end_query(first);
   assert_int_equal(fragments_of(first), HALF);
   end(&pipe);
}

/* What nobody asks for is still in the sum of all. */
static void
keeps_the_sum(void **test)
{
   (void)test;
   enum { TURNS = 100 };
   struct pipe pipe;
   struct tg_query *queries[3];

   begin(&pipe);
   for (unsigned i = 0; i < 3; i++)
      queries[i] = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   for (unsigned i = 0; i < TURNS; i++) {
      begin_query(queries[i % 2]);
      draw_half(&pipe);
      end_query(queries[i % 2]);
      if (i == 50)
         begin_query(queries[2]);
      if (i % 16 == 0)
         assert_int_equal(tg_context_flush(pipe.gpu, NULL), TG_OK);
   }
   tg_query_destroy(queries[0]);
   end_query(queries[2]);
   assert_int_equal(fragments_of(queries[2]), (TURNS - 51) * HALF);
   assert_int_equal(fragments_of(queries[1]), HALF);
   tg_query_destroy(queries[2]);
   const struct tg_context_statistics statistics = pipe_statistics(&pipe);
   assert_int_equal(statistics.pipeline.ps_invocations, TURNS * HALF);
   assert_int_equal(statistics.pipeline.vs_invocations, TURNS * 3);
   end(&pipe);
}

/* A result comes by itself, even if nobody waits for it. */
static void
results_come(void **test)
{
   (void)test;
   struct pipe pipe;
   union tg_query_result result;
   const struct timespec pause = {.tv_nsec = 1000000};
   unsigned num_tries = 0;

   begin(&pipe);
   struct tg_query *query = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   assert_false(tg_query_get_result(query, true, &result));
   begin_query(query);
   assert_false(tg_query_get_result(query, true, &result));
   draw_half(&pipe);
   end_query(query);
   while (!tg_query_get_result(query, false, &result)) {
      assert_true(num_tries++ < 10000);
      nanosleep(&pause, NULL);
   }
   assert_int_equal(result.pipeline_statistics.ps_invocations, HALF);
   end(&pipe);
}

/* ---- stream output ------------------------------------------------------- */

/* Position is written, to a buffer that has room for one triangle of two. */
static void
counts_stream_output(void **test)
{
   (void)test;
   enum { TRIANGLE_BYTES = 3 * 16 };
   static const struct tg_stream_output_info info = {
      .size = sizeof(info),
      .num_outputs = 1,
      .outputs = {{.register_index = 0, .num_components = 4}},
      .stride = {4},
   };
   static const enum tg_query_type types[] = {
      TG_QUERY_PRIMITIVES_GENERATED, TG_QUERY_PRIMITIVES_EMITTED,
      TG_QUERY_SO_STATISTICS, TG_QUERY_SO_OVERFLOW_PREDICATE,
      TG_QUERY_SO_OVERFLOW_ANY_PREDICATE};
   enum { NUM_QUERIES = sizeof(types) / sizeof(types[0]) };
   struct pipe pipe;
   struct tg_gpu_shader *shader;
   struct tg_stream_target *target;
   struct tg_query *queries[NUM_QUERIES], *other;
   const uint8_t zeros[TRIANGLE_BYTES + 16] = {0};

   begin(&pipe);
   struct tg_resource *buffer = pipe_buffer(&pipe, zeros, sizeof(zeros));
   assert_int_equal(tg_gpu_shader_create(tg_context_get_device(pipe.gpu),
                                         pipe.sources[0], &info,
                                         pipe.diagnostics, &shader),
                    TG_OK);
   assert_int_equal(
      tg_context_set_shader(pipe.gpu, TG_GPU_VERTEX, shader, NULL), TG_OK);
   assert_int_equal(tg_stream_target_create(pipe.gpu, buffer, 0, sizeof(zeros),
                                            NULL, &target),
                    TG_OK);
   assert_int_equal(tg_context_set_stream_targets(pipe.gpu, 1, &target,
                                                  (const uint32_t[]){0}, NULL),
                    TG_OK);
   assert_int_equal(
      tg_query_create(pipe.gpu, TG_QUERY_SO_STATISTICS, 1, NULL, &other),
      TG_OK);
   begin_query(other);
   for (unsigned i = 0; i < NUM_QUERIES; i++) {
      queries[i] = make(&pipe, types[i]);
      begin_query(queries[i]);
   }
   draw_half(&pipe);
   draw_whole(&pipe);
   for (unsigned i = 0; i < NUM_QUERIES; i++)
      end_query(queries[i]);
   end_query(other);
   assert_int_equal(result_of(queries[0]).u64, 2);
   assert_int_equal(result_of(queries[1]).u64, 1);
   assert_int_equal(result_of(queries[2]).so_statistics.num_primitives_written,
                    1);
   assert_int_equal(
      result_of(queries[2]).so_statistics.primitives_storage_needed, 2);
   assert_true(result_of(queries[3]).b);
   assert_true(result_of(queries[4]).b);
   assert_int_equal(result_of(other).so_statistics.num_primitives_written, 0);

   /* From the start again there is room. */
   assert_int_equal(tg_context_set_stream_targets(pipe.gpu, 1, &target,
                                                  (const uint32_t[]){0}, NULL),
                    TG_OK);
   begin_query(queries[3]);
   begin_query(queries[4]);
   draw_half(&pipe);
   end_query(queries[3]);
   end_query(queries[4]);
   assert_false(result_of(queries[3]).b);
   assert_false(result_of(queries[4]).b);

   assert_int_equal(
      tg_context_set_stream_targets(pipe.gpu, 0, NULL, NULL, NULL), TG_OK);
   tg_gpu_shader_destroy(shader);
   end(&pipe);
}

/* ---- times --------------------------------------------------------------- */

static uint64_t
now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void
tells_times(void **test)
{
   (void)test;
   struct pipe pipe;

   begin(&pipe);
   struct tg_query *early = make(&pipe, TG_QUERY_TIMESTAMP);
   struct tg_query *late = make(&pipe, TG_QUERY_TIMESTAMP);
   struct tg_query *elapsed = make(&pipe, TG_QUERY_TIME_ELAPSED);
   struct tg_query *disjoint = make(&pipe, TG_QUERY_TIMESTAMP_DISJOINT);
   struct tg_query *finished = make(&pipe, TG_QUERY_GPU_FINISHED);
   const uint64_t before = now();

   begin_query(disjoint);
   draw_half(&pipe);
   end_query(early);
   begin_query(elapsed);
   for (unsigned i = 0; i < 20; i++)
      draw_whole(&pipe);
   end_query(elapsed);
   end_query(late);
   end_query(finished);
   end_query(disjoint);
   const uint64_t first = result_of(early).u64;
   const uint64_t last = result_of(late).u64;
   const uint64_t between = result_of(elapsed).u64;

   assert_true(result_of(finished).b);
   assert_true(before < first && first < last && last <= now());
   assert_true(between > 0 && between <= last - first);
   assert_int_equal(result_of(disjoint).timestamp_disjoint.frequency,
                    1000000000);
   assert_false(result_of(disjoint).timestamp_disjoint.disjoint);
   end(&pipe);
}

/* A timestamp that waits is forgotten with its query, or when it is taken
 * again. */
static void
forgets_times(void **test)
{
   (void)test;
   struct pipe pipe;

   begin(&pipe);
   for (unsigned i = 0; i < 50; i++) {
      struct tg_query *query = make(&pipe, TG_QUERY_TIMESTAMP);
      draw_whole(&pipe);
      end_query(query);
      draw_whole(&pipe);
      end_query(query);
      tg_query_destroy(query);
   }
   tg_query_destroy(NULL);
   end(&pipe);
}

/* ---- conditions ---------------------------------------------------------- */

static void
condition_decides(void **test)
{
   (void)test;
   struct pipe pipe;
   const union tg_color color = {.f = {9, 9, 9, 9}};

   begin(&pipe);
   struct tg_query *nothing = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   struct tg_query *something = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   begin_query(nothing);
   end_query(nothing);
   begin_query(something);
   draw_half(&pipe);
   end_query(something);

   tg_context_set_condition(pipe.gpu, nothing, false);
   draw_whole(&pipe);
   tg_context_set_condition(pipe.gpu, something, true);
   draw_whole(&pipe);
   assert_int_equal(
      tg_context_clear(pipe.gpu, TG_CLEAR_COLOR0, NULL, &color, 0, 0, NULL),
      TG_OK);
   assert_int_equal(pipe_statistics(&pipe).pipeline.vs_invocations, 3);
   assert_int_equal(tg_context_finish(pipe.gpu, NULL), TG_OK);
   assert_true(pipe_pixel(&pipe, 0, 0)[0] == 1);
   assert_true(pipe_pixel(&pipe, 7, 7)[0] == 0);

   tg_context_set_condition(pipe.gpu, something, false);
   draw_whole(&pipe);
   assert_int_equal(tg_context_finish(pipe.gpu, NULL), TG_OK);
   assert_true(pipe_pixel(&pipe, 7, 7)[0] == 1);
   tg_context_set_condition(pipe.gpu, nothing, true);
   assert_int_equal(
      tg_context_clear(pipe.gpu, TG_CLEAR_COLOR0, NULL, &color, 0, 0, NULL),
      TG_OK);
   assert_int_equal(tg_context_finish(pipe.gpu, NULL), TG_OK);
   assert_true(pipe_pixel(&pipe, 7, 7)[0] == 9);
   end(&pipe);
}

/* Threads of a dispatch count, if it happens. */
static void
condition_decides_on_dispatches(void **test)
{
   (void)test;
   static const char text[] = "COMP\nDCL SV[0], THREAD_ID\nEND\n";
   struct pipe pipe;
   struct tg_shader *shader;
   struct tg_program *program;
   struct tg_grid grid = TG_GRID_INIT;

   begin(&pipe);
   assert_int_equal(tg_shader_parse(NULL, "test", text, strlen(text),
                                    TG_DIALECT_2019, NULL, &shader),
                    TG_OK);
   assert_int_equal(tg_program_create(NULL, shader, NULL, NULL, &program),
                    TG_OK);
   grid.grid[0] = 5;
   grid.block[1] = 7;
   struct tg_query *nothing = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   begin_query(nothing);
   end_query(nothing);
   struct tg_query *query = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   begin_query(query);
   for (unsigned inverted = 0; inverted < 2; inverted++) {
      tg_context_set_condition(pipe.gpu, nothing, inverted);
      assert_int_equal(
         tg_context_dispatch(pipe.gpu, program, NULL, &grid, NULL), TG_OK);
   }
   end_query(query);
   assert_int_equal(result_of(query).pipeline_statistics.cs_invocations, 5 * 7);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
   end(&pipe);
}

/* Without a query, with one that is gone, or one that has no result. */
static void
no_condition_decides_nothing(void **test)
{
   (void)test;
   struct pipe pipe;

   begin(&pipe);
   struct tg_query *query = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   tg_context_set_condition(pipe.gpu, query, true);
   draw_half(&pipe);
   begin_query(query);
   draw_half(&pipe);
   end_query(query);
   draw_half(&pipe);
   assert_int_equal(pipe_statistics(&pipe).pipeline.vs_invocations, 2 * 3);
   tg_query_destroy(query);
   draw_half(&pipe);
   tg_context_set_condition(pipe.gpu, NULL, true);
   draw_half(&pipe);
   assert_int_equal(pipe_statistics(&pipe).pipeline.vs_invocations, 4 * 3);
   end(&pipe);
}

/* ---- bad use ------------------------------------------------------------- */

static void
expect_complaint(struct pipe *pipe, enum tg_result result, const char *message)
{
   assert_int_equal(result, TG_ERROR_INPUT);
   assert_int_equal(tg_diagnostics_num_errors(pipe->diagnostics), 1);
   assert_string_equal(tg_diagnostics_get(pipe->diagnostics, 0)->message,
                       message);
   tg_diagnostics_clear(pipe->diagnostics);
}

static void
refuses_bad_use(void **test)
{
   (void)test;
   struct pipe pipe;
   struct tg_query *none = NULL;

   begin(&pipe);
   struct tg_diagnostics *said = pipe.diagnostics;
   expect_complaint(
      &pipe, tg_query_create(pipe.gpu, (enum tg_query_type)13, 0, said, &none),
      "there is no type of queries 13");
   expect_complaint(
      &pipe,
      tg_query_create(pipe.gpu, TG_QUERY_OCCLUSION_COUNTER, 1, said, &none),
      "there is no occlusion query 1");
   expect_complaint(
      &pipe, tg_query_create(pipe.gpu, TG_QUERY_SO_STATISTICS, 4, said, &none),
      "there is no stream output query 4");
   assert_null(none);

   struct tg_query *query = make(&pipe, TG_QUERY_OCCLUSION_COUNTER);
   expect_complaint(&pipe, tg_query_end(query, said),
                    "the occlusion query has not begun");
   begin_query(query);
   expect_complaint(&pipe, tg_query_begin(query, said),
                    "the occlusion query has begun already");
   end_query(query);
   expect_complaint(&pipe, tg_query_end(query, said),
                    "the occlusion query has not begun");
   struct tg_query *time = make(&pipe, TG_QUERY_TIMESTAMP);
   expect_complaint(&pipe, tg_query_begin(time, said),
                    "a timestamp query has no beginning");
   end(&pipe);
}

/* A query for each type, begun and ended around nothing. */
static enum tg_result
query_all(const struct tg_allocator *allocator)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_context *gpu = NULL;

   options.num_threads = 1;
   enum tg_result result = context_alone(allocator, &options, NULL, &gpu);
   for (unsigned i = 0; i <= TG_QUERY_PIPELINE_STATISTICS; i++) {
      struct tg_query *query;

      if (result == TG_OK)
         result = tg_query_create(gpu, (enum tg_query_type)i, 0, NULL, &query);
      if (result == TG_OK && i != TG_QUERY_TIMESTAMP &&
          i != TG_QUERY_GPU_FINISHED)
         result = tg_query_begin(query, NULL);
      if (result == TG_OK)
         result = tg_query_end(query, NULL);
      if (result == TG_OK)
         result_of(query);
   }
   tg_context_destroy(gpu);
   return result;
}

static void
memory_may_run_out(void **test)
{
   (void)test;
   sweep(query_all);
}

/* ---- results in buffers -------------------------------------------------- */

/* Writes a value to word 1 of a buffer of four words, which are 7 before. */
static uint64_t
written(struct pipe *pipe, struct tg_query *query, enum tg_query_value type,
        int index)
{
   static const uint32_t sevens[4] = {7, 7, 7, 7};
   const bool is_long =
      type == TG_QUERY_VALUE_I64 || type == TG_QUERY_VALUE_U64;
   const struct tg_box box = {0, 0, 0, 16, 1, 1};
   struct tg_resource *buffer = pipe->resources[pipe->num_resources - 1];
   uint32_t words[4];

   assert_int_equal(
      tg_context_write(pipe->gpu, buffer, 0, 0, &box, sevens, 0, 0), TG_OK);
   assert_int_equal(tg_query_write_result(query, true, type, index, buffer, 4,
                                          pipe->diagnostics),
                    TG_OK);
   assert_int_equal(tg_context_read(pipe->gpu, buffer, 0, 0, &box, words, 0, 0),
                    TG_OK);
   assert_int_equal(words[0], 7);
   assert_int_equal(words[3], 7);
   if (!is_long)
      assert_int_equal(words[2], 7);
   return words[1] | (is_long ? (uint64_t)words[2] << 32 : 0);
}

static void
results_are_written_as_each_type(void **test)
{
   (void)test;
   struct pipe pipe;

   begin(&pipe);
   struct tg_query *count = make(&pipe, TG_QUERY_OCCLUSION_COUNTER);
   struct tg_query *any = make(&pipe, TG_QUERY_OCCLUSION_PREDICATE);
   struct tg_query *time = make(&pipe, TG_QUERY_TIMESTAMP);
   pipe_buffer(&pipe, "0123456789abcdef", 16);
   begin_query(count);
   begin_query(any);
   draw_half(&pipe);
   draw_whole(&pipe);
   end_query(any);
   end_query(count);
   end_query(time);
   for (int type = TG_QUERY_VALUE_I32; type <= TG_QUERY_VALUE_U64; type++) {
      const enum tg_query_value as = (enum tg_query_value)type;
      assert_int_equal(written(&pipe, count, as, 0), HALF + WHOLE);
      assert_int_equal(written(&pipe, any, as, 0), 1);
      assert_int_equal(written(&pipe, count, as, TG_QUERY_AVAILABLE), 1);
   }
   /* More than 2^32 nanoseconds, as any machine has been up for. */
   const uint64_t now = result_of(time).u64;
   assert_true(now > UINT32_MAX);
   assert_int_equal(written(&pipe, time, TG_QUERY_VALUE_I32, 0), INT32_MAX);
   assert_int_equal(written(&pipe, time, TG_QUERY_VALUE_U32, 0), UINT32_MAX);
   assert_true(written(&pipe, time, TG_QUERY_VALUE_I64, 0) == now);
   assert_true(written(&pipe, time, TG_QUERY_VALUE_U64, 0) == now);
   end(&pipe);
}

/* Each member of a result that has several. */
static void
results_are_written_by_index(void **test)
{
   (void)test;
   static const int expected[11] = {3, 1, 3, 0, 0, 1, 1, HALF, 0, 0, 0};
   struct pipe pipe;

   begin(&pipe);
   struct tg_query *statistics = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   struct tg_query *disjoint = make(&pipe, TG_QUERY_TIMESTAMP_DISJOINT);
   struct tg_query *finished = make(&pipe, TG_QUERY_GPU_FINISHED);
   struct tg_query *stream = make(&pipe, TG_QUERY_SO_STATISTICS);
   pipe_buffer(&pipe, "0123456789abcdef", 16);
   begin_query(statistics);
   begin_query(disjoint);
   begin_query(stream);
   draw_half(&pipe);
   end_query(stream);
   end_query(disjoint);
   end_query(statistics);
   end_query(finished);
   for (int i = 0; i < 11; i++)
      assert_int_equal(written(&pipe, statistics, TG_QUERY_VALUE_U64, i),
                       expected[i]);
   assert_int_equal(written(&pipe, disjoint, TG_QUERY_VALUE_U32, 0),
                    1000000000);
   assert_int_equal(written(&pipe, disjoint, TG_QUERY_VALUE_U32, 1), 0);
   assert_int_equal(written(&pipe, finished, TG_QUERY_VALUE_U32, 0), 1);
   assert_int_equal(written(&pipe, stream, TG_QUERY_VALUE_I64, 1), 0);
   end(&pipe);
}

/* A draw before a result is written does not see it; one after it does. */
static void
results_are_written_in_order(void **test)
{
   (void)test;
   static const char reader[] = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0]\n"
                                "U2F OUT[0], CONST[0][0]\nEND\n";
   struct pipe pipe;

   begin(&pipe);
   struct tg_query *count = make(&pipe, TG_QUERY_OCCLUSION_COUNTER);
   struct tg_resource *buffer =
      pipe_buffer(&pipe, (uint32_t[4]){5, 0, 0, 0}, 16);
   struct tg_resource *other =
      pipe_texture(&pipe, TG_FORMAT_R32G32B32A32_FLOAT, SIZE, SIZE, 0);
   begin_query(count);
   draw_half(&pipe);
   end_query(count);
   pipe.state.fs = pipe_shader(&pipe, reader);
   pipe_set_constants(&pipe, 0, buffer);
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   draw_whole(&pipe);
   assert_int_equal(tg_query_write_result(count, true, TG_QUERY_VALUE_U32, 0,
                                          buffer, 0, NULL),
                    TG_OK);
   pipe.state.framebuffer.colors[0] = tg_surface_of(other);
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   draw_whole(&pipe);
   assert_int_equal(tg_context_finish(pipe.gpu, NULL), TG_OK);
   assert_true(pipe_pixel(&pipe, 3, 3)[0] == 5);
   assert_true(((const float *)pipe_texels(other, 0))[0] == HALF);
   end(&pipe);
}

/* A query that is not ended is not available, and changes nothing. */
static void
results_that_are_not_there(void **test)
{
   (void)test;
   struct pipe pipe;

   begin(&pipe);
   struct tg_query *count = make(&pipe, TG_QUERY_OCCLUSION_COUNTER);
   struct tg_query *statistics = make(&pipe, TG_QUERY_PIPELINE_STATISTICS);
   struct tg_resource *buffer = pipe_buffer(&pipe, "0123456789abcdef", 16);
   begin_query(count);
   begin_query(statistics);
   end_query(statistics);
   assert_int_equal(
      written(&pipe, count, TG_QUERY_VALUE_U32, TG_QUERY_AVAILABLE), 0);
   const struct {
      struct tg_query *query;
      int type, index;
      struct tg_resource *buffer;
      uint32_t offset;
      const char *message;
   } rows[] = {
      {count, 0, 0, buffer, 0, "the occlusion query has not been ended"},
      {statistics, 4, 0, buffer, 0, "a result is not written as type 4"},
      {statistics, -1, 0, buffer, 0,
       "a result is not written as type 4294967295"},
      {statistics, 0, 11, buffer, 0, "the statistics query has no result 11"},
      {count, 0, 1, buffer, 0, "the occlusion query has no result 1"},
      {statistics, 0, -2, buffer, 0, "the statistics query has no result -2"},
      {statistics, 0, 0, NULL, 0, "a result is written to a buffer"},
      {statistics, 0, 0, pipe.color, 0, "a result is written to a buffer"},
      {statistics, 0, 0, buffer, 16,
       "a result of 4 bytes at byte 16; expected whole words of a buffer of 16 "
       "bytes"},
      {statistics, 2, 0, buffer, 12,
       "a result of 8 bytes at byte 12; expected whole words of a buffer of 16 "
       "bytes"},
      {statistics, 0, 0, buffer, 2,
       "a result of 4 bytes at byte 2; expected whole words of a buffer of 16 "
       "bytes"},
      {statistics, 0, 0, buffer, UINT32_MAX - 3,
       "a result of 4 bytes at byte 4294967292; expected whole words of a "
       "buffer of 16 bytes"},
   };
   for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
      tg_diagnostics_clear(pipe.diagnostics);
      assert_int_equal(tg_query_write_result(rows[i].query, true,
                                             (enum tg_query_value)rows[i].type,
                                             rows[i].index, rows[i].buffer,
                                             rows[i].offset, pipe.diagnostics),
                       TG_ERROR_INPUT);
      assert_string_equal(tg_diagnostics_get(pipe.diagnostics, 0)->message,
                          rows[i].message);
   }
   end_query(count);
   end(&pipe);
}

/* What the calling thread does is counted at once, flushed or not. */
static void
vertices_are_counted_at_once(void **state)
{
   struct pipe pipe;
   (void)state;

   begin(&pipe);
   for (uint64_t i = 1; i <= 3; i++) {
      draw_half(&pipe);
      assert_int_equal(pipe_statistics(&pipe).draws, i);
      assert_int_equal(pipe_statistics(&pipe).pipeline.ia_vertices, 3 * i);
      if (i == 2)
         assert_int_equal(tg_context_flush(pipe.gpu, NULL), TG_OK);
      assert_int_equal(pipe_statistics(&pipe).pipeline.ia_vertices, 3 * i);
   }
   end(&pipe);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_stages),
      cmocka_unit_test(counts_clipping),
      cmocka_unit_test(counts_samples),
      cmocka_unit_test(counts_each_sample),
      cmocka_unit_test(counts_between_begin_and_end),
      cmocka_unit_test(counts_stream_output),
      cmocka_unit_test(keeps_the_sum),
      cmocka_unit_test(vertices_are_counted_at_once),
      cmocka_unit_test(results_come),
      cmocka_unit_test(tells_times),
      cmocka_unit_test(forgets_times),
      cmocka_unit_test(condition_decides),
      cmocka_unit_test(condition_decides_on_dispatches),
      cmocka_unit_test(no_condition_decides_nothing),
      cmocka_unit_test(refuses_bad_use),
      cmocka_unit_test(results_are_written_as_each_type),
      cmocka_unit_test(results_are_written_by_index),
      cmocka_unit_test(results_are_written_in_order),
      cmocka_unit_test(results_that_are_not_there),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests_name("gpu: query", tests, NULL, NULL);
}
