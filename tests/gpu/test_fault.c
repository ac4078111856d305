/* SPDX-License-Identifier: MIT
 *
 * Faults: which call has one, what else it costs, how long a call may take, and
 * contexts that are lost.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "gpu/core/call.h"
#include "pipe.h"

enum { SIZE = 128 }; /* four tiles */

static const struct pipe_vertex whole[3] = {
   {{-1, -1, 0, 1}, {5}}, {{3, -1, 0, 1}, {5}}, {{-1, 3, 0, 1}, {5}}};

/* No power of 2 is 0. A turn takes so long that the time of a call ends
 * before the budget of loops does, however fast the executor is. */
#define FOREVER                                                                \
   "DCL TEMP[0..1]\n"                                                          \
   "BGNLOOP\n"                                                                 \
   "EX2 TEMP[0], TEMP[0].xxxx\n"                                               \
   "LG2 TEMP[1], TEMP[0].xxxx\n"                                               \
   "EX2 TEMP[0], TEMP[1].xxxx\n"                                               \
   "IF TEMP[0].xxxx\n"                                                         \
   "ELSE\n"                                                                    \
   "BRK\n"                                                                     \
   "ENDIF\n"                                                                   \
   "ENDLOOP\n"

static const char endless[] = "FRAG\n"
                              "DCL OUT[0], COLOR\n" FOREVER "END\n";

/* Endless in the first tile alone. */
static const char endless_there[] = "FRAG\n"
                                    "DCL IN[0], POSITION, LINEAR\n"
                                    "DCL OUT[0], COLOR\n"
                                    "DCL TEMP[0]\n"
                                    "IMM[0] FLT32 {64, 7, 0, 0}\n"
                                    "MAX TEMP[0].x, IN[0].xxxx, IN[0].yyyy\n"
                                    "SLT TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
                                    "IF TEMP[0].xxxx\n"
                                    "BGNLOOP\n"
                                    "ENDLOOP\n"
                                    "ENDIF\n"
                                    "MOV OUT[0], IMM[0].yyyy\n"
                                    "END\n";

static void
begin(struct pipe *pipe, unsigned num_threads,
      const struct tg_context_options *options)
{
   pipe_init_with(pipe, num_threads, options, SIZE, SIZE, pipe_vertex_shader,
                  pipe_constant_shader);
   pipe_set_vertices(pipe, whole, 3);
   assert_int_equal(pipe_set_state(pipe, pipe->gpu), TG_OK);
}

/* Draws all of the framebuffer, without waiting. */
static enum tg_result
draw(struct pipe *pipe, struct tg_gpu_shader *fragment)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = &range;
   assert_int_equal(tg_context_set_shader(pipe->gpu, TG_GPU_FRAGMENT, fragment,
                                          pipe->diagnostics),
                    TG_OK);
   return tg_context_draw(pipe->gpu, &info, pipe->diagnostics);
}

static enum tg_result
clear(struct pipe *pipe)
{
   const union tg_color color = {.f = {2, 2, 2, 2}};
   return tg_context_clear(pipe->gpu, TG_CLEAR_COLOR0, NULL, &color, 0, 0,
                           pipe->diagnostics);
}

static enum tg_result
finish(struct pipe *pipe)
{
   return tg_context_finish(pipe->gpu, pipe->diagnostics);
}

static void
assert_fault(struct pipe *pipe, enum tg_call_kind kind, uint64_t call,
             uint64_t num_calls)
{
   struct tg_context_fault fault = TG_CONTEXT_FAULT_INIT;
   assert_int_equal(tg_context_take_fault(pipe->gpu, &fault), TG_OK);
   assert_int_equal(fault.result, num_calls ? TG_ERROR_LIMIT : TG_OK);
   assert_int_equal(fault.kind, kind);
   assert_int_equal(fault.call, call);
   assert_int_equal(fault.num_calls, num_calls);
}

static void
assert_said(struct pipe *pipe, const char *code, const char *message)
{
   const size_t count = tg_diagnostics_count(pipe->diagnostics);
   assert_true(count > 0);
   const struct tg_diagnostic *said =
      tg_diagnostics_get(pipe->diagnostics, count - 1);
   assert_string_equal(said->code, code);
   assert_string_equal(said->message, message);
}

static void
assert_color(const struct pipe *pipe, uint32_t x, uint32_t y, float color)
{
   assert_true(pipe_pixel(pipe, x, y)[0] == color);
}

/* ---- which call ---------------------------------------------------------- */

/* All kinds count, refused ones, too. */
static void
calls_are_numbered(void **test)
{
   const struct tg_box box = {0, 0, 0, 1, 1, 1};
   struct tg_draw_info wrong = TG_DRAW_INFO_INIT;
   float texel[4];
   struct pipe pipe;
   (void)test;
   begin(&pipe, 1, NULL);
   assert_int_equal(tg_context_get_call(pipe.gpu), 0);
   assert_int_equal(clear(&pipe), TG_OK);
   assert_int_equal(tg_context_get_call(pipe.gpu), 1);
   wrong.size = 1;
   assert_int_equal(tg_context_draw(pipe.gpu, &wrong, NULL), TG_ERROR_INPUT);
   assert_int_equal(tg_context_get_call(pipe.gpu), 2);
   assert_int_equal(draw(&pipe, pipe.state.fs), TG_OK);
   assert_int_equal(tg_context_get_call(pipe.gpu), 3);
   assert_int_equal(
      tg_context_read(pipe.gpu, pipe.color, 0, 0, &box, texel, 0, 0), TG_OK);
   assert_int_equal(
      tg_context_write(pipe.gpu, pipe.color, 0, 0, &box, texel, 0, 0), TG_OK);
   assert_int_equal(tg_context_get_call(pipe.gpu), 5);
   assert_fault(&pipe, TG_CALL_NONE, 0, 0);
   assert_string_equal(tg_call_kind_name(TG_CALL_DISPATCH), "dispatch");
   assert_null(tg_call_kind_name(TG_NUM_CALL_KINDS));
   pipe_finish(&pipe);
}

/* A loop that uses up its budget in one tile: what is left of the draw is
 * dropped there, other tiles have it, and all have the draws around it. */
static void
a_fault_ends_its_draw_in_its_tile(void **test)
{
   static const struct tg_scissor half = {0, 0, SIZE, SIZE / 4};
   (void)test;
   for (unsigned threads = 1; threads <= 3; threads++) {
      struct pipe pipe;
      begin(&pipe, threads, NULL);
      assert_int_equal(clear(&pipe), TG_OK);
      assert_int_equal(draw(&pipe, pipe_shader(&pipe, endless_there)), TG_OK);
      pipe.state.rasterizer.scissor = true;
      assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
      assert_int_equal(
         tg_context_set_scissors(pipe.gpu, 0, 1, &half, pipe.diagnostics),
         TG_OK);
      assert_int_equal(draw(&pipe, pipe.state.fs), TG_OK);
      assert_int_equal(finish(&pipe), TG_ERROR_LIMIT);
      assert_said(&pipe, "run", "draw 2: the loop budget is used up");
      assert_int_equal(tg_diagnostics_num_errors(pipe.diagnostics), 1);
      assert_fault(&pipe, TG_CALL_DRAW, 2, 1);
      assert_fault(&pipe, TG_CALL_NONE, 0, 0);
      assert_color(&pipe, 3, 3, 5);
      assert_color(&pipe, 3, 60, 2);
      assert_color(&pipe, 70, 3, 5);
      assert_color(&pipe, 70, 60, 7);
      assert_color(&pipe, 127, 127, 7);
      pipe_finish(&pipe);
   }
}

/* Calls that the end of the work leaves out are counted: those that wait, in
 * whichever tiles, and those that are refused. */
static void
skipped_calls_are_counted(void **test)
{
   (void)test;
   for (unsigned threads = 1; threads <= 3; threads++) {
      struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
      struct pipe pipe;
      options.max_work = 4000000;
      begin(&pipe, threads, &options);
      assert_int_equal(clear(&pipe), TG_OK);
      assert_int_equal(draw(&pipe, pipe_shader(&pipe, endless)), TG_OK);
      assert_int_equal(clear(&pipe), TG_OK);
      assert_int_equal(draw(&pipe, pipe.state.fs), TG_OK);
      assert_int_equal(finish(&pipe), TG_ERROR_LIMIT);
      assert_said(&pipe, "limit",
                  "draw 2: the limit of 4000000 units of work is reached");
      assert_int_equal(draw(&pipe, pipe.state.fs), TG_ERROR_LIMIT);
      struct tg_context_fault fault = TG_CONTEXT_FAULT_INIT;
      assert_int_equal(tg_context_take_fault(pipe.gpu, &fault), TG_OK);
      assert_int_equal(fault.call, 2);
      /* The first clear was done in some tiles, and not in all. */
      assert_int_equal(fault.num_calls, 5);
      tg_work_refill(tg_context_get_work(pipe.gpu));
      assert_int_equal(draw(&pipe, pipe.state.fs), TG_OK);
      assert_int_equal(finish(&pipe), TG_OK);
      assert_color(&pipe, 100, 100, 5);
      assert_fault(&pipe, TG_CALL_NONE, 0, 0);
      pipe_finish(&pipe);
   }
}

/* ---- the time of a call -------------------------------------------------- */

static void
wait(double seconds)
{
   const struct timespec time = {0, (long)(seconds * 1e9)};
   nanosleep(&time, NULL);
}

/* Its clock begins with 2^18 units of work, and runs while somebody is at work
 * on it, and once for several. */
static void
clocks_run_during_work(void **test)
{
   const struct gpu_call_name name = {TG_CALL_DRAW, 1};
   const struct tg_work_options limits = TG_WORK_OPTIONS_INIT;
   struct gpu_call call;
   struct tg_work work;
   (void)test;
   tg_work_init(&work, &limits);
   gpu_call_init(&call, name, &work, 1000);
   const uint64_t all = UINT64_C(1000000000000) + 1;
   gpu_call_enter(&call);
   assert_true(tg_work_pay(call.work, (1 << 18) - 1));
   gpu_call_leave(&call);
   assert_int_equal(call.own.deadline, TG_WORK_NOT_BEGUN);
   wait(0.03);
   gpu_call_enter(&call);
   gpu_call_enter(&call);
   assert_true(tg_work_pay(call.work, 1));
   wait(0.03);
   gpu_call_leave(&call);
   gpu_call_leave(&call);
   const uint64_t left = call.left;
   assert_true(left > 0 && left <= all - 30000000);
   wait(0.03);
   assert_true(call.left == left);
   call.left = 1;
   assert_true(tg_work_pay(call.work, 1 << 20));
   gpu_call_enter(&call);
   wait(0.001);
   assert_false(tg_work_pay(call.work, 1 << 20));
   gpu_call_leave(&call);
   assert_true(tg_work_has_ended(call.work));
   assert_false(tg_work_has_ended(&work));
   gpu_call_finish(&call);

   gpu_call_init(&call, name, &work, 1000);
   tg_work_cancel(&work);
   assert_true(tg_work_has_ended(call.work));
   gpu_call_finish(&call);
}

/* The draw that takes too long is ended, and those around it are whole. */
static void
late_draws_end_alone(void **test)
{
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   (void)test;
   options.max_call_seconds = 0.02;
   for (unsigned threads = 1; threads <= 3; threads++) {
      struct pipe pipe;
      begin(&pipe, threads, &options);
      struct tg_gpu_shader *late = pipe_shader(&pipe, endless);
      assert_int_equal(clear(&pipe), TG_OK);
      assert_int_equal(draw(&pipe, late), TG_OK);
      assert_int_equal(finish(&pipe), TG_ERROR_LIMIT);
      assert_said(&pipe, "limit",
                  "draw 2: the limit of 0.02 seconds of a call is reached");
      assert_color(&pipe, 100, 100, 2);
      for (unsigned i = 0; i < 3; i++)
         assert_int_equal(draw(&pipe, late), TG_OK);
      assert_int_equal(draw(&pipe, pipe.state.fs), TG_OK);
      assert_int_equal(finish(&pipe), TG_ERROR_LIMIT);
      assert_color(&pipe, 0, 0, 5);
      assert_color(&pipe, 127, 127, 5);
      assert_fault(&pipe, TG_CALL_DRAW, 2, 4);
      assert_int_equal(tg_work_get_end(tg_context_get_work(pipe.gpu)),
                       TG_WORK_GOES_ON);
      pipe_finish(&pipe);
   }
}

/* Bounds of depth are forgotten with the draw, and read from the buffer, where
 * what was cleared must be then: 0 hides the next draw, 1 does not. */
static void
clears_are_there_after_a_fault(void **test)
{
   const struct tg_scissor corner = {0, 0, 4, 4}, all = {0, 0, SIZE, SIZE};
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   struct pipe pipe;
   (void)test;
   options.max_call_seconds = 0.02;
   begin(&pipe, 1, &options);
   pipe.state.rasterizer.scissor = true;
   pipe.state.depth.depth_enabled = true;
   pipe.state.depth.depth_func = TG_COMPARE_LESS;
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   assert_int_equal(tg_context_clear(pipe.gpu, TG_CLEAR_DEPTH, NULL, NULL, 1, 0,
                                     pipe.diagnostics),
                    TG_OK);
   tg_context_set_scissors(pipe.gpu, 0, 1, &corner, NULL);
   assert_int_equal(draw(&pipe, pipe_shader(&pipe, endless)), TG_OK);
   tg_context_set_scissors(pipe.gpu, 0, 1, &all, NULL);
   assert_int_equal(draw(&pipe, pipe.state.fs), TG_OK);
   assert_int_equal(finish(&pipe), TG_ERROR_LIMIT);
   assert_color(&pipe, 0, 0, 5);
   assert_color(&pipe, 30, 30, 5);
   assert_color(&pipe, 100, 100, 5);
   pipe_finish(&pipe);
}

/* Vertices, too, and this is told at once. */
static void
late_vertices_end(void **test)
{
   static const char text[] = "VERT\n"
                              "DCL OUT[0], POSITION\n" FOREVER "END\n";
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   struct pipe pipe;
   (void)test;
   options.max_call_seconds = 0.02;
   begin(&pipe, 2, &options);
   assert_int_equal(tg_context_set_shader(pipe.gpu, TG_GPU_VERTEX,
                                          pipe_shader(&pipe, text), NULL),
                    TG_OK);
   assert_int_equal(draw(&pipe, pipe.state.fs), TG_ERROR_LIMIT);
   assert_said(&pipe, "limit",
               "draw 1: the limit of 0.02 seconds of a call is reached");
   assert_int_equal(
      tg_context_set_shader(pipe.gpu, TG_GPU_VERTEX, pipe.state.vs, NULL),
      TG_OK);
   assert_int_equal(draw(&pipe, pipe.state.fs), TG_OK);
   assert_int_equal(finish(&pipe), TG_OK);
   assert_color(&pipe, 100, 100, 5);
   assert_fault(&pipe, TG_CALL_DRAW, 1, 1);
   pipe_finish(&pipe);
}

static void
late_dispatches_end(void **test)
{
   static const char text[] = "COMP\nBGNLOOP\nENDLOOP\nEND\n";
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   struct tg_grid grid = TG_GRID_INIT;
   struct tg_program *program;
   struct tg_shader *shader;
   struct pipe pipe;
   (void)test;
   options.max_call_seconds = 0.02;
   begin(&pipe, 2, &options);
   grid.grid[0] = 8;
   grid.loop_budget = UINT32_MAX;
   assert_int_equal(tg_shader_parse(NULL, "c", text, strlen(text),
                                    TG_DIALECT_2019, pipe.diagnostics, &shader),
                    TG_OK);
   assert_int_equal(
      tg_program_create(NULL, shader, NULL, pipe.diagnostics, &program), TG_OK);
   assert_int_equal(
      tg_context_dispatch(pipe.gpu, program, NULL, &grid, pipe.diagnostics),
      TG_ERROR_LIMIT);
   assert_said(&pipe, "limit",
               "the limit of 0.02 seconds of a call is reached");
   assert_fault(&pipe, TG_CALL_DISPATCH, 1, 1);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
   pipe_finish(&pipe);
}

/* ---- neighbours ---------------------------------------------------------- */

/* A context of the same device and state that draws to a texture of its own. */
static struct tg_context *
begin_neighbour(struct pipe *pipe, struct tg_gpu_shader *fragment)
{
   struct tg_framebuffer_state framebuffer = pipe->state.framebuffer;
   struct tg_context *context;
   assert_int_equal(
      tg_context_create(tg_context_get_device(pipe->gpu), NULL, &context),
      TG_OK);
   assert_int_equal(pipe_set_state(pipe, context), TG_OK);
   framebuffer.colors[0] = tg_surface_of(
      pipe_texture(pipe, TG_FORMAT_R32G32B32A32_FLOAT, SIZE, SIZE, 0));
   framebuffer.depth_stencil = (struct tg_surface){0};
   assert_int_equal(
      tg_context_set_framebuffer(context, &framebuffer, pipe->diagnostics),
      TG_OK);
   assert_int_equal(tg_context_set_shader(context, TG_GPU_FRAGMENT, fragment,
                                          pipe->diagnostics),
                    TG_OK);
   return context;
}

/* Draws, and waits without taking part. */
static bool
is_drawn_within(struct pipe *pipe, uint64_t nanoseconds)
{
   struct tg_fence *fence;
   assert_int_equal(draw(pipe, pipe->state.fs), TG_OK);
   assert_int_equal(tg_context_flush(pipe->gpu, &fence), TG_OK);
   const bool is_drawn = tg_fence_wait(fence, nanoseconds);
   tg_fence_destroy(fence);
   return is_drawn;
}

/* A context with short pieces, which the device knows to be short. */
static void
begin_short(struct pipe *pipe)
{
   static const struct tg_scissor few = {0, 0, 4, 4};
   pipe_init_with(pipe, 2, NULL, SIZE, SIZE, pipe_vertex_shader,
                  pipe_constant_shader);
   pipe_set_vertices(pipe, whole, 3);
   pipe->state.rasterizer.scissor = true;
   assert_int_equal(pipe_set_state(pipe, pipe->gpu), TG_OK);
   assert_int_equal(
      tg_context_set_scissors(pipe->gpu, 0, 1, &few, pipe->diagnostics), TG_OK);
   for (unsigned i = 0; i < 20; i++)
      assert_true(is_drawn_within(pipe, UINT64_MAX));
   pipe->state.rasterizer.scissor = false;
}

/* The only thread of the device is in an endless tile, and draws what others
 * ask for all the same. */
static void
endless_waves_yield(void **test)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct tg_fence *fence;
   struct pipe pipe;
   (void)test;
   info.draws = &range;
   begin_short(&pipe);
   struct tg_context *endless_one =
      begin_neighbour(&pipe, pipe_shader(&pipe, endless));
   for (unsigned i = 0; i < 1000; i++)
      assert_int_equal(tg_context_draw(endless_one, &info, NULL), TG_OK);
   assert_int_equal(tg_context_flush(endless_one, &fence), TG_OK);
   assert_false(tg_fence_wait(fence, 20000000));
   for (unsigned i = 0; i < 3; i++)
      assert_true(is_drawn_within(&pipe, 10000000000));
   assert_false(tg_fence_wait(fence, 0));
   tg_context_cancel(endless_one);
   assert_true(tg_fence_wait(fence, UINT64_MAX));
   tg_fence_destroy(fence);
   tg_context_destroy(endless_one);
   pipe_finish(&pipe);
}

/* A dispatch without an end, for a thread of its own. */
static void *
dispatch_endlessly(void *user)
{
   static const char text[] = "COMP\nBGNLOOP\nENDLOOP\nEND\n";
   struct tg_context *context = user;
   struct tg_grid grid = TG_GRID_INIT;
   struct tg_program *program;
   struct tg_shader *shader;
   grid.grid[0] = 64;
   grid.loop_budget = UINT64_C(1) << 40;
   if (tg_shader_parse(NULL, "c", text, strlen(text), TG_DIALECT_2019, NULL,
                       &shader) != TG_OK ||
       tg_program_create(NULL, shader, NULL, NULL, &program) != TG_OK)
      return NULL;
   tg_context_dispatch(context, program, NULL, &grid, NULL);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
   return NULL;
}

static void
endless_blocks_yield(void **test)
{
   struct tg_context *endless_one;
   pthread_t thread;
   struct pipe pipe;
   (void)test;
   begin_short(&pipe);
   assert_int_equal(
      tg_context_create(tg_context_get_device(pipe.gpu), NULL, &endless_one),
      TG_OK);
   assert_int_equal(
      pthread_create(&thread, NULL, dispatch_endlessly, endless_one), 0);
   wait(0.03);
   for (unsigned i = 0; i < 3; i++)
      assert_true(is_drawn_within(&pipe, 10000000000));
   tg_context_cancel(endless_one);
   pthread_join(thread, NULL);
   tg_context_destroy(endless_one);
   pipe_finish(&pipe);
}

/* ---- lost contexts ------------------------------------------------------- */

/* What follows a fault is skipped until the context is reset. */
static void
contexts_are_lost(void **test)
{
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   (void)test;
   options.on_fault = TG_FAULT_RESET;
   for (unsigned threads = 1; threads <= 3; threads++) {
      struct pipe pipe;
      begin(&pipe, threads, &options);
      assert_int_equal(tg_context_get_reset_status(pipe.gpu), TG_RESET_NONE);
      assert_int_equal(clear(&pipe), TG_OK);
      assert_int_equal(draw(&pipe, pipe_shader(&pipe, endless_there)), TG_OK);
      assert_int_equal(finish(&pipe), TG_ERROR_LIMIT);
      assert_int_equal(tg_context_get_reset_status(pipe.gpu), TG_RESET_GUILTY);
      assert_int_equal(draw(&pipe, pipe.state.fs), TG_ERROR_LIMIT);
      assert_said(&pipe, "limit", "the context is lost by an earlier fault");
      assert_int_equal(clear(&pipe), TG_ERROR_LIMIT);
      assert_int_equal(finish(&pipe), TG_OK);
      assert_color(&pipe, 3, 3, 2);
      assert_fault(&pipe, TG_CALL_DRAW, 2, 3);
      assert_int_equal(tg_context_get_reset_status(pipe.gpu), TG_RESET_GUILTY);
      tg_context_reset(pipe.gpu);
      assert_int_equal(tg_context_get_reset_status(pipe.gpu), TG_RESET_NONE);
      assert_int_equal(draw(&pipe, pipe.state.fs), TG_OK);
      assert_int_equal(finish(&pipe), TG_OK);
      assert_color(&pipe, 3, 3, 5);
      assert_fault(&pipe, TG_CALL_NONE, 0, 0);
      pipe_finish(&pipe);
   }
}

/* A fault of vertices is known at once, and what waits is not drawn. */
static void
the_status_says_why(void **test)
{
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   struct tg_work_options limits = TG_WORK_OPTIONS_INIT;
   struct pipe pipe;
   (void)test;
   options.on_fault = TG_FAULT_RESET;
   begin(&pipe, 1, &options);
   tg_context_cancel(pipe.gpu);
   assert_int_equal(draw(&pipe, pipe.state.fs), TG_ERROR_LIMIT);
   assert_int_equal(tg_context_get_reset_status(pipe.gpu), TG_RESET_INNOCENT);
   tg_context_reset(pipe.gpu);
   assert_int_equal(draw(&pipe, pipe.state.fs), TG_ERROR_LIMIT);
   assert_said(&pipe, "limit", "the work was cancelled");
   tg_work_refill(tg_context_get_work(pipe.gpu));
   tg_context_reset(pipe.gpu);
   assert_int_equal(draw(&pipe, pipe.state.fs), TG_OK);
   assert_int_equal(finish(&pipe), TG_OK);
   pipe_finish(&pipe);

   limits.max_work = options.max_work = 10;
   for (unsigned shared = 0; shared < 2; shared++) {
      if (shared)
         assert_int_equal(tg_work_create(NULL, &limits, &options.work), TG_OK);
      begin(&pipe, 1, &options);
      assert_int_equal(draw(&pipe, pipe.state.fs), TG_ERROR_LIMIT);
      assert_int_equal(tg_context_get_reset_status(pipe.gpu),
                       shared ? TG_RESET_UNKNOWN : TG_RESET_GUILTY);
      pipe_finish(&pipe);
      tg_work_destroy(options.work);
   }
}

/* ---- options ------------------------------------------------------------- */

static void
wrong_options_are_refused(void **test)
{
   struct tg_device *device;
   struct tg_context *context;
   (void)test;
   assert_int_equal(tg_device_create(NULL, NULL, &device), TG_OK);
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   options.max_call_seconds = -1;
   assert_int_equal(tg_context_create(device, &options, &context),
                    TG_ERROR_INPUT);
   options.max_call_seconds = 0;
   options.on_fault = 2;
   assert_int_equal(tg_context_create(device, &options, &context),
                    TG_ERROR_INPUT);
   tg_device_destroy(device);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_are_numbered),
      cmocka_unit_test(a_fault_ends_its_draw_in_its_tile),
      cmocka_unit_test(skipped_calls_are_counted),
      cmocka_unit_test(clocks_run_during_work),
      cmocka_unit_test(late_draws_end_alone),
      cmocka_unit_test(clears_are_there_after_a_fault),
      cmocka_unit_test(late_vertices_end),
      cmocka_unit_test(late_dispatches_end),
      cmocka_unit_test(endless_waves_yield),
      cmocka_unit_test(endless_blocks_yield),
      cmocka_unit_test(contexts_are_lost),
      cmocka_unit_test(the_status_says_why),
      cmocka_unit_test(wrong_options_are_refused),
   };
   return cmocka_run_group_tests_name("gpu: fault", tests, NULL, NULL);
}
