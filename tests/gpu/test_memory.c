/* SPDX-License-Identifier: MIT
 *
 * Drawing while memory runs out: the first, second, third ... allocation
 * fails, until all is well. Nothing leaks, and a context whose draw failed can
 * draw.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../context.h"
#include "pipe.h"

/* An allocator that counts what is held, and says no once. */
struct meter {
   size_t held;     /* bytes */
   int until_fault; /* allocations that still succeed; -1: all do */
};

static void *
metered_resize(void *user, void *ptr, size_t old_size, size_t new_size)
{
   struct meter *meter = user;
   if (new_size > 0 && meter->until_fault >= 0 && meter->until_fault-- == 0)
      return NULL;
   meter->held = meter->held - (ptr ? old_size : 0) + new_size;
   if (new_size)
      return realloc(ptr, new_size);
   free(ptr);
   return NULL;
}

static enum tg_result
draw(struct tg_context *gpu)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = &range;
   const enum tg_result result = tg_context_draw(gpu, &info, NULL);
   const enum tg_result finished = tg_context_finish(gpu, NULL);
   return result != TG_OK ? result : finished;
}

/* Sets the pipe's state with shaders of the context's device. */
static void
set_state(struct pipe *pipe, struct tg_context *gpu)
{
   struct tg_device *device = tg_context_get_device(gpu);
   struct tg_gpu_shader **shaders[2] = {&pipe->state.vs, &pipe->state.fs};
   for (unsigned i = 0; i < 2; i++)
      assert_int_equal(
         tg_gpu_shader_create(device, pipe->sources[i], NULL, NULL, shaders[i]),
         TG_OK);
   assert_int_equal(pipe_set_state(pipe, gpu), TG_OK);
   for (unsigned i = 0; i < 2; i++)
      tg_gpu_shader_destroy(*shaders[i]);
}

static void
draws_or_fails_whole(void **test)
{
   (void)test;
   const struct pipe_vertex v[3] = {{{-1, -1, 0, 1}, {1, 2, 3, 4}},
                                    {{3, -1, 0, 1}, {1, 2, 3, 4}},
                                    {{-1, 3, 0, 1}, {1, 2, 3, 4}}};
   struct pipe pipe;
   pipe_init(&pipe, 8, 8, pipe_vertex_shader, pipe_perspective_shader);
   pipe_set_vertices(&pipe, v, 3);

   struct meter meter = {0};
   const struct tg_allocator allocator = {metered_resize, &meter};
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   options.num_threads = 1;
   enum tg_result result = TG_ERROR_MEMORY;
   int num_faults = 0;
   for (; result != TG_OK; num_faults++) {
      struct tg_context *gpu;
      assert_true(num_faults < 10000);
      meter.until_fault = -1;
      assert_int_equal(context_alone(&allocator, &options, NULL, &gpu), TG_OK);
      set_state(&pipe, gpu);
      meter.until_fault = num_faults;
      result = draw(gpu);
      assert_true(result == TG_OK || result == TG_ERROR_MEMORY);

      meter.until_fault = -1;
      assert_int_equal(draw(gpu), TG_OK);
      tg_context_destroy(gpu);
      assert_int_equal(meter.held, 0);
   }
   assert_true(num_faults > 20);
   assert_true(pipe_pixel(&pipe, 7, 7)[3] == 4.0f);
   pipe_finish(&pipe);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(draws_or_fails_whole),
   };
   return cmocka_run_group_tests_name("gpu: memory", tests, NULL, NULL);
}
