/* SPDX-License-Identifier: MIT
 *
 * Many contexts of one device: each draws what it would draw alone, whatever
 * others do, and costs little while it does nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../context.h"
#include "pipe.h"
#include "util/quota.h"

enum {
   WIDTH = 100,
   HEIGHT = 90,
   NUM_TRIANGLES = 60,
   NUM_CONTEXTS = 64,
   NUM_STEPS = 24,
   NUM_CALLERS = 8,
};

/* ---- what all share ------------------------------------------------------ */

static uint32_t
random_number(uint32_t *seed, uint32_t bound)
{
   *seed = *seed * 1664525 + 1013904223;
   return (uint32_t)(((uint64_t)(*seed >> 8) * bound) >> 24);
}

/* Shaders, vertices and the state that each context begins with. */
static void
begin(struct pipe *pipe, unsigned num_threads)
{
   static struct pipe_vertex vertices[NUM_TRIANGLES * 3];
   uint32_t seed = 11;
   for (uint32_t i = 0; i < NUM_TRIANGLES * 3; i++) {
      float word[8];
      for (int j = 0; j < 8; j++)
         word[j] = (float)random_number(&seed, 2000) / 1000.0f - 1.0f;
      vertices[i] = (struct pipe_vertex){
         {word[0] * 1.5f, word[1] * 1.5f, word[2], 1.25f + word[3] / 4.0f},
         {word[4], word[5], word[6], 1.0f},
      };
   }
   pipe_init_with(pipe, num_threads, NULL, WIDTH, HEIGHT, pipe_vertex_shader,
                  pipe_perspective_shader);
   pipe->state.depth.depth_enabled = true;
   pipe->state.depth.depth_writemask = true;
   pipe->state.depth.depth_func = TG_COMPARE_LESS;
   pipe_set_vertices(pipe, vertices, NUM_TRIANGLES * 3);
}

/* ---- a context ----------------------------------------------------------- */

struct side {
   struct pipe pipe; /* with a context, targets and diagnostics of its own */
   struct tg_fence *fence;
   uint32_t seed;
};

static struct tg_resource *
make_target(enum tg_format format)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = format,
      .width = WIDTH,
      .height = HEIGHT,
   };
   struct tg_resource *target;
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &target), TG_OK);
   return target;
}

static void
begin_side(struct side *side, const struct pipe *shared, uint32_t number)
{
   struct tg_device *device = tg_context_get_device(shared->gpu);
   *side = (struct side){.pipe = *shared, .seed = number * 7919 + 1};
   struct pipe *pipe = &side->pipe;
   pipe->diagnostics = tg_diagnostics_create(NULL);
   pipe->color = make_target(TG_FORMAT_R8G8B8A8_UNORM);
   pipe->depth = make_target(TG_FORMAT_Z32_FLOAT);
   pipe->state.framebuffer.colors[0] = tg_surface_of(pipe->color);
   pipe->state.framebuffer.depth_stencil = tg_surface_of(pipe->depth);
   assert_int_equal(tg_context_create(device, NULL, &pipe->gpu), TG_OK);
   assert_int_equal(pipe_set_state(pipe, pipe->gpu), TG_OK);
   assert_int_equal(tg_context_clear(pipe->gpu, TG_CLEAR_ALL, NULL,
                                     &(union tg_color){.f = {0.5f, 0, 0, 1}}, 1,
                                     0, pipe->diagnostics),
                    TG_OK);
}

static void
end_side(struct side *side)
{
   tg_context_destroy(side->pipe.gpu);
   tg_fence_destroy(side->fence);
   tg_resource_destroy(side->pipe.color);
   tg_resource_destroy(side->pipe.depth);
   tg_diagnostics_destroy(side->pipe.diagnostics);
}

static enum tg_result
draw(struct side *side)
{
   const uint32_t first = random_number(&side->seed, NUM_TRIANGLES);
   const struct tg_draw_range range = {
      .start = first * 3,
      .count = 3 * (1 + random_number(&side->seed, NUM_TRIANGLES - first)),
   };
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = &range;
   return tg_context_draw(side->pipe.gpu, &info, side->pipe.diagnostics);
}

static enum tg_result
clear(struct side *side)
{
   const uint32_t x = random_number(&side->seed, WIDTH);
   const struct tg_scissor scissor = {(uint16_t)x, 5, (uint16_t)(x + 9), 80};
   const union tg_color color = {.f = {0, (float)x / WIDTH, 1, 1}};
   return tg_context_clear(side->pipe.gpu, TG_CLEAR_ALL, &scissor, &color, 0.75,
                           0, side->pipe.diagnostics);
}

static enum tg_result
blit(struct side *side)
{
   const int32_t x = (int32_t)random_number(&side->seed, 30);
   struct tg_blit_info info = TG_BLIT_INFO_INIT;
   info.src = (struct tg_blit_side){side->pipe.color, 0, 0, x, 0, 0, 40, 30, 1};
   info.dst =
      (struct tg_blit_side){side->pipe.color, 0, 0, 50, 40, 0, 31, -33, 1};
   info.filter = TG_FILTER_LINEAR;
   return tg_context_blit(side->pipe.gpu, &info, side->pipe.diagnostics);
}

static enum tg_result
flush(struct side *side)
{
   if (side->fence && !tg_fence_wait(side->fence, UINT64_MAX))
      return TG_ERROR_LIMIT;
   tg_fence_destroy(side->fence);
   side->fence = NULL;
   return tg_context_flush(side->pipe.gpu, &side->fence);
}

static void
step(struct side *side)
{
   enum tg_result result;
   switch (random_number(&side->seed, 10)) {
   case 0: result = clear(side); break;
   case 1: result = blit(side); break;
   case 2: result = flush(side); break;
   case 3:
      result = tg_context_finish(side->pipe.gpu, side->pipe.diagnostics);
      break;
   default: result = draw(side); break;
   }
   assert_int_equal(result, TG_OK);
}

/* ---- side by side -------------------------------------------------------- */

/* The contexts with number % NUM_CALLERS == first, a step of each in turn. */
struct caller {
   struct side *sides;
   unsigned first;
   pthread_t thread;
};

static void *
run_steps(void *user)
{
   const struct caller *caller = user;
   for (unsigned s = 0; s < NUM_STEPS; s++) {
      for (unsigned i = caller->first; i < NUM_CONTEXTS; i += NUM_CALLERS)
         step(&caller->sides[i]);
   }
   return NULL;
}

typedef uint8_t picture[HEIGHT][WIDTH][4];

static void
read_picture(struct side *side, picture texels)
{
   const struct tg_box all = {0, 0, 0, WIDTH, HEIGHT, 1};
   assert_int_equal(tg_context_finish(side->pipe.gpu, side->pipe.diagnostics),
                    TG_OK);
   assert_int_equal(tg_context_read(side->pipe.gpu, side->pipe.color, 0, 0,
                                    &all, texels, 0, 0),
                    TG_OK);
}

/* What each context draws when it is alone, in one thread. */
static void
draw_alone(picture *pictures)
{
   static struct side side;
   struct pipe pipe;
   begin(&pipe, 1);
   for (uint32_t i = 0; i < NUM_CONTEXTS; i++) {
      begin_side(&side, &pipe, i);
      for (unsigned s = 0; s < NUM_STEPS; s++)
         step(&side);
      read_picture(&side, pictures[i]);
      end_side(&side);
   }
   pipe_finish(&pipe);
}

static void
contexts_draw_as_if_alone(void **test)
{
   static const unsigned num_threads[] = {1, 2, 8};
   static picture expected[NUM_CONTEXTS], drawn;
   static struct side sides[NUM_CONTEXTS];
   (void)test;
   draw_alone(expected);
   assert_memory_not_equal(expected[0], expected[1], sizeof(picture));
   for (unsigned t = 0; t < 3; t++) {
      struct caller callers[NUM_CALLERS];
      struct pipe pipe;
      begin(&pipe, num_threads[t]);
      for (uint32_t i = 0; i < NUM_CONTEXTS; i++)
         begin_side(&sides[i], &pipe, i);
      for (unsigned c = 0; c < NUM_CALLERS; c++) {
         callers[c] = (struct caller){.sides = sides, .first = c};
         assert_int_equal(
            pthread_create(&callers[c].thread, NULL, run_steps, &callers[c]),
            0);
      }
      for (unsigned c = 0; c < NUM_CALLERS; c++)
         pthread_join(callers[c].thread, NULL);
      for (uint32_t i = 0; i < NUM_CONTEXTS; i++) {
         read_picture(&sides[i], drawn);
         assert_memory_equal(drawn, expected[i], sizeof(drawn));
         end_side(&sides[i]);
      }
      pipe_finish(&pipe);
   }
}

/* ---- in any order -------------------------------------------------------- */

/* While all of them draw, in an order of its own each time; what they share
 * goes first. */
static void
contexts_are_destroyed_in_flight(void **test)
{
   enum { NUM_SIDES = 12 };
   static struct side sides[NUM_SIDES];
   uint32_t seed = 5;
   (void)test;
   for (unsigned round = 0; round < 10; round++) {
      struct pipe pipe;
      begin(&pipe, 3);
      for (uint32_t i = 0; i < NUM_SIDES; i++) {
         begin_side(&sides[i], &pipe, i);
         assert_int_equal(draw(&sides[i]), TG_OK);
         assert_int_equal(flush(&sides[i]), TG_OK);
         assert_int_equal(draw(&sides[i]), TG_OK);
      }
      pipe_finish(&pipe);
      for (uint32_t left = NUM_SIDES; left > 0; left--) {
         const uint32_t which = random_number(&seed, left);
         end_side(&sides[which]);
         sides[which] = sides[left - 1];
      }
   }
}

/* ---- one that is stopped ------------------------------------------------- */

static void *
cancel(void *context)
{
   tg_context_cancel(context);
   return NULL;
}

/* It says so, harms no other, and goes on when its work is refilled. */
static void
a_context_is_cancelled_from_another_thread(void **test)
{
   static const char endless[] = "FRAG\n"
                                 "DCL OUT[0], COLOR\n"
                                 "BGNLOOP\n"
                                 "ENDLOOP\n"
                                 "END\n";
   static struct side stopped, other;
   static picture before, after;
   struct pipe pipe;
   (void)test;
   for (unsigned num_threads = 1; num_threads <= 3; num_threads++) {
      begin(&pipe, num_threads);
      struct tg_gpu_shader *shader = pipe_shader(&pipe, endless);
      begin_side(&stopped, &pipe, 3);
      begin_side(&other, &pipe, 3);
      assert_int_equal(draw(&other), TG_OK);
      read_picture(&other, before);

      pthread_t thread;
      struct tg_context *context = stopped.pipe.gpu;
      struct tg_diagnostics *said = stopped.pipe.diagnostics;
      assert_int_equal(
         tg_context_set_shader(context, TG_GPU_FRAGMENT, shader, said), TG_OK);
      assert_int_equal(pthread_create(&thread, NULL, cancel, context), 0);
      /* Cancelled before, or while it draws. */
      enum tg_result result = draw(&stopped);
      if (result == TG_OK)
         result = tg_context_finish(context, said);
      assert_int_equal(result, TG_ERROR_LIMIT);
      assert_string_equal(tg_diagnostics_get(said, 0)->code, "limit");
      pthread_join(thread, NULL);
      assert_int_equal(tg_work_get_end(tg_context_get_work(context)),
                       TG_WORK_CANCELLED);

      read_picture(&other, after);
      assert_memory_equal(after, before, sizeof(after));
      tg_context_finish(context, said);
      tg_work_refill(tg_context_get_work(context));
      stopped.seed = 3 * 7919 + 1;
      assert_int_equal(pipe_set_state(&stopped.pipe, context), TG_OK);
      assert_int_equal(tg_context_clear(context, TG_CLEAR_ALL, NULL,
                                        &(union tg_color){.f = {0.5f, 0, 0, 1}},
                                        1, 0, said),
                       TG_OK);
      assert_int_equal(draw(&stopped), TG_OK);
      read_picture(&stopped, after);
      assert_memory_equal(after, before, sizeof(after));
      end_side(&stopped);
      end_side(&other);
      pipe_finish(&pipe);
   }
}

/* ---- dispatches ---------------------------------------------------------- */

/* They are the context's work, as draws are. */
static void
dispatches_are_paid_by_the_context(void **test)
{
   enum { NUM_BLOCKS = 1000, WAVE = 64 };
   static const char text[] = "COMP\n"
                              "PROPERTY CS_FIXED_BLOCK_WIDTH 16\n"
                              "END\n";
   struct tg_grid grid = TG_GRID_INIT;
   struct tg_program *program;
   struct tg_shader *shader;
   struct pipe pipe;
   (void)test;
   begin(&pipe, 2);
   assert_int_equal(tg_shader_parse(NULL, "test", text, strlen(text),
                                    TG_DIALECT_2019, pipe.diagnostics, &shader),
                    TG_OK);
   assert_int_equal(
      tg_program_create(NULL, shader, NULL, pipe.diagnostics, &program), TG_OK);
   struct tg_work *work = tg_context_get_work(pipe.gpu);
   const uint64_t before = tg_work_get_spent(work);
   grid.grid[0] = NUM_BLOCKS;
   assert_int_equal(
      tg_context_dispatch(pipe.gpu, program, NULL, &grid, pipe.diagnostics),
      TG_OK);
   assert_in_range(tg_work_get_spent(work) - before, NUM_BLOCKS * WAVE,
                   2 * NUM_BLOCKS * WAVE);
   tg_context_cancel(pipe.gpu);
   assert_int_equal(
      tg_context_dispatch(pipe.gpu, program, NULL, &grid, pipe.diagnostics),
      TG_ERROR_LIMIT);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
   pipe_finish(&pipe);
}

/* ---- memory -------------------------------------------------------------- */

/* 1,000 that have drawn, and do nothing now. */
static void
idle_contexts_are_small(void **test)
{
   enum { COUNT = 1000, MOST = 64 << 10 };
   static struct tg_context *contexts[COUNT];
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_quota quota;
   struct tg_device *device;
   struct pipe pipe;
   (void)test;
   begin(&pipe, 1);
   tg_quota_init(&quota, NULL, UINT64_MAX);
   options.num_threads = 2;
   assert_int_equal(tg_device_create(&quota.allocator, &options, &device),
                    TG_OK);
   struct tg_gpu_shader *shaders[2];
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(tg_gpu_shader_create(device, pipe.sources[i], NULL,
                                            pipe.diagnostics, &shaders[i]),
                       TG_OK);
   pipe.state.vs = shaders[0];
   pipe.state.fs = shaders[1];
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   uint64_t first = 0;
   info.draws = &range;
   for (unsigned i = 0; i < COUNT; i++) {
      assert_int_equal(tg_context_create(device, NULL, &contexts[i]), TG_OK);
      assert_int_equal(pipe_set_state(&pipe, contexts[i]), TG_OK);
      assert_int_equal(tg_context_draw(contexts[i], &info, pipe.diagnostics),
                       TG_OK);
      assert_int_equal(tg_context_finish(contexts[i], pipe.diagnostics), TG_OK);
      if (i == 0)
         first = quota.held;
   }
   assert_in_range((quota.held - first) / (COUNT - 1), 1, MOST - 1);
   for (unsigned i = 0; i < COUNT; i++)
      tg_context_destroy(contexts[i]);
   for (unsigned i = 0; i < 2; i++)
      tg_gpu_shader_destroy(shaders[i]);
   tg_device_destroy(device);
   assert_int_equal(quota.held, 0);
   pipe_finish(&pipe);
}

/* ---- the quota ----------------------------------------------------------- */

static enum tg_result
make_device(uint64_t max_memory, struct tg_device **device_out)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   options.num_threads = 2;
   options.max_memory = max_memory;
   return tg_device_create(NULL, &options, device_out);
}

static enum tg_result
make_buffer(struct tg_device *device, uint32_t size,
            struct tg_resource **buffer_out)
{
   const struct tg_resource_desc desc = {.size = sizeof(desc), .width = size};
   return tg_resource_create(tg_device_get_allocator(device), &desc, NULL,
                             buffer_out);
}

/* What there is no room for is refused, and all else goes on. */
static void
a_device_has_a_quota(void **test)
{
   enum { QUOTA = 4 << 20, MANY = 4000, SIZE = 1 << 20 };
   static struct tg_context *contexts[MANY];
   struct tg_resource *buffer, *second;
   struct tg_device *device;
   uint64_t peak;
   unsigned count = 0;
   (void)test;
   assert_int_equal(make_device(1, &device), TG_ERROR_MEMORY);
   assert_int_equal(make_device(QUOTA, &device), TG_OK);
   const uint64_t empty = tg_device_get_memory(device, NULL);
   assert_int_equal(make_buffer(device, SIZE, &buffer), TG_OK);
   assert_in_range(tg_device_get_memory(device, NULL), empty + SIZE,
                   empty + SIZE + 4096);
   assert_int_equal(make_buffer(device, QUOTA, &second), TG_ERROR_MEMORY);
   while (count < MANY &&
          tg_context_create(device, NULL, &contexts[count]) == TG_OK)
      count++;
   assert_in_range(count, 10, MANY - 1);
   assert_in_range(tg_device_get_memory(device, &peak), QUOTA / 2, QUOTA);
   assert_in_range(peak, tg_device_get_memory(device, NULL), QUOTA);
   assert_int_equal(tg_context_create(device, NULL, &contexts[count]),
                    TG_ERROR_MEMORY);
   tg_resource_destroy(buffer);
   assert_int_equal(tg_context_create(device, NULL, &contexts[count]), TG_OK);
   for (unsigned i = 0; i <= count; i++)
      tg_context_destroy(contexts[i]);
   assert_int_equal(tg_device_get_memory(device, NULL), empty);
   tg_device_destroy(device);
}

/* Its kernels go with a shader: a device does not grow with those that are
 * gone. */
static void
kernels_go_with_their_shader(void **test)
{
   uint64_t first = 0;
   struct side side;
   struct pipe pipe;
   (void)test;
   begin(&pipe, 1);
   begin_side(&side, &pipe, 1);
   struct tg_context *context = side.pipe.gpu;
   struct tg_device *device = tg_context_get_device(context);
   for (unsigned i = 0; i < 40; i++) {
      struct tg_gpu_shader *shader;
      assert_int_equal(tg_gpu_shader_create(device, pipe.sources[1], NULL,
                                            pipe.diagnostics, &shader),
                       TG_OK);
      assert_int_equal(tg_context_set_shader(context, TG_GPU_FRAGMENT, shader,
                                             pipe.diagnostics),
                       TG_OK);
      tg_gpu_shader_destroy(shader);
      assert_int_equal(draw(&side), TG_OK);
      assert_int_equal(tg_context_finish(context, pipe.diagnostics), TG_OK);
      assert_int_equal(tg_context_set_shader(context, TG_GPU_FRAGMENT, NULL,
                                             pipe.diagnostics),
                       TG_OK);
      if (i == 19)
         first = tg_device_get_memory(device, NULL);
   }
   assert_in_range(tg_device_get_memory(device, NULL), 1, first + 4096);
   end_side(&side);
   pipe_finish(&pipe);
}

/* A fence lives longer than its context and its device. */
static void
fences_outlive_contexts(void **test)
{
   struct tg_context *context;
   struct tg_device *device;
   struct tg_fence *fence;
   (void)test;
   assert_int_equal(make_device(0, &device), TG_OK);
   assert_int_equal(tg_context_create(device, NULL, &context), TG_OK);
   assert_int_equal(tg_context_flush(context, &fence), TG_OK);
   tg_fence_destroy(tg_fence_ref(fence));
   tg_context_destroy(context);
   tg_device_destroy(device);
   assert_true(tg_fence_wait(fence, 0));
   tg_fence_destroy(fence);
}

/* A device has one that there is, by its name, which need not stay. */
static void
devices_have_executors(void **state)
{
   char name[] = "interp-baseline";
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_device *device;
   (void)state;

   options.executor = "abacus";
   assert_int_equal(tg_device_create(NULL, &options, &device), TG_ERROR_INPUT);
   options.executor = name;
   assert_int_equal(tg_device_create(NULL, &options, &device), TG_OK);
   memset(name, 'x', sizeof(name) - 1);
   assert_string_equal(tg_device_get_executor(device), "interp-baseline");
   tg_device_destroy(device);
   assert_int_equal(tg_device_create(NULL, NULL, &device), TG_OK);
   assert_string_equal(tg_device_get_executor(device), tg_executor_name(0));
   tg_device_destroy(device);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(contexts_draw_as_if_alone),
      cmocka_unit_test(contexts_are_destroyed_in_flight),
      cmocka_unit_test(a_context_is_cancelled_from_another_thread),
      cmocka_unit_test(dispatches_are_paid_by_the_context),
      cmocka_unit_test(idle_contexts_are_small),
      cmocka_unit_test(a_device_has_a_quota),
      cmocka_unit_test(kernels_go_with_their_shader),
      cmocka_unit_test(fences_outlive_contexts),
      cmocka_unit_test(devices_have_executors),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
