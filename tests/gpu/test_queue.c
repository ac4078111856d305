/* SPDX-License-Identifier: MIT
 *
 * The queue: fences, scenes that overlap, and the same pixels for any number of
 * threads.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../context.h"
#include "pipe.h"

enum { WIDTH = 300, HEIGHT = 200, NUM_TRIANGLES = 500, FRAMES = 6 };

static void
random_vertices(struct pipe_vertex *vertices, uint32_t count)
{
   uint32_t seed = 7;
   for (uint32_t i = 0; i < count; i++) {
      float word[6];
      for (int j = 0; j < 6; j++) {
         seed = seed * 1664525 + 1013904223;
         word[j] = (float)(seed >> 8) / 8388608.0f - 1.0f;
      }
      vertices[i] = (struct pipe_vertex){
         {word[0] * 1.5f, word[1] * 1.5f, word[2], 1.0f + word[3] * 0.5f},
         {word[4], word[5], word[0], 1.0f},
      };
   }
}

static void
init(struct pipe *pipe, unsigned num_threads)
{
   static struct pipe_vertex vertices[NUM_TRIANGLES * 3];
   random_vertices(vertices, NUM_TRIANGLES * 3);
   pipe_init_with(pipe, num_threads, NULL, WIDTH, HEIGHT, pipe_vertex_shader,
                  pipe_perspective_shader);
   pipe->state.depth = (struct tg_depth_stencil_alpha_state){
      .size = sizeof(struct tg_depth_stencil_alpha_state),
      .depth_enabled = true,
      .depth_writemask = true,
      .depth_func = TG_COMPARE_LESS,
   };
   pipe_set_vertices(pipe, vertices, NUM_TRIANGLES * 3);
   assert_int_equal(pipe_set_state(pipe, pipe->gpu), TG_OK);
}

/* A frame of several draws, each of a part of the triangles. */
static void
draw_frame(struct pipe *pipe)
{
   const union tg_color black = {{0}};
   assert_int_equal(tg_context_clear(pipe->gpu, TG_CLEAR_ALL, NULL, &black, 1,
                                     0, pipe->diagnostics),
                    TG_OK);
   for (uint32_t i = 0; i < 5; i++) {
      const struct tg_draw_range range = {
         .start = i * NUM_TRIANGLES / 5 * 3,
         .count = NUM_TRIANGLES / 5 * 3,
      };
      struct tg_draw_info info = TG_DRAW_INFO_INIT;
      info.draws = &range;
      assert_int_equal(tg_context_draw(pipe->gpu, &info, pipe->diagnostics),
                       TG_OK);
   }
}

/* The pixels of all pipes are those of the first. */
static void
finish_alike(struct pipe *pipe, float pixels[WIDTH * HEIGHT * 4], bool is_first)
{
   const size_t num_bytes = WIDTH * HEIGHT * 4 * sizeof(*pixels);
   assert_int_equal(tg_context_finish(pipe->gpu, pipe->diagnostics), TG_OK);
   if (is_first)
      memcpy(pixels, pipe_texels(pipe->color, 0), num_bytes);
   assert_memory_equal(pixels, pipe_texels(pipe->color, 0), num_bytes);
   pipe_finish(pipe);
}

static void
threads_draw_the_same(void **test)
{
   static const unsigned counts[] = {1, 2, 3, 8};
   static float pixels[WIDTH * HEIGHT * 4];
   (void)test;
   for (size_t i = 0; i < 4; i++) {
      struct pipe pipe;
      init(&pipe, counts[i]);
      assert_int_equal(tg_device_num_threads(tg_context_get_device(pipe.gpu)),
                       counts[i]);
      draw_frame(&pipe);
      finish_alike(&pipe, pixels, i == 0);
   }
}

/* Frames go to two targets in turn; each fence is waited for two frames later,
 * as a program with two buffers does. */
static void
fences_signal_in_order(void **test)
{
   struct pipe pipe;
   struct tg_fence *fences[FRAMES];
   (void)test;
   init(&pipe, 3);
   struct tg_resource *target[2] = {
      pipe.color,
      pipe_texture(&pipe, TG_FORMAT_R32G32B32A32_FLOAT, WIDTH, HEIGHT, 0),
   };
   for (int i = 0; i < FRAMES; i++) {
      pipe.state.framebuffer.colors[0] = tg_surface_of(target[i % 2]);
      assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
      draw_frame(&pipe);
      assert_int_equal(tg_context_flush(pipe.gpu, &fences[i]), TG_OK);
      if (i >= 2)
         assert_true(tg_fence_wait(fences[i - 2], UINT64_MAX));
   }
   assert_true(tg_fence_wait(fences[FRAMES - 1], UINT64_MAX));
   for (int i = 0; i < FRAMES; i++)
      assert_true(tg_fence_wait(fences[i], 0));
   assert_memory_equal(pipe_texels(target[0], 0), pipe_texels(target[1], 0),
                       WIDTH * HEIGHT * 16);
   pipe_finish(&pipe);
   /* They outlive the GPU. */
   for (int i = 0; i < FRAMES; i++) {
      assert_true(tg_fence_wait(fences[i], 1000));
      tg_fence_destroy(fences[i]);
   }
   tg_fence_destroy(NULL);
}

/* A caller that helps tile by tile, and is called away again and again. */
struct visits {
   unsigned num_asked, most;
};

static bool
goes_on(void *user)
{
   struct visits *visits = user;
   return visits->num_asked++ < visits->most;
}

static void
callers_help_for_a_while(void **test)
{
   static const unsigned counts[] = {1, 2, 3, 8};
   static float pixels[WIDTH * HEIGHT * 4];
   (void)test;
   for (size_t i = 0; i < 4; i++) {
      struct pipe pipe;
      init(&pipe, counts[i]);
      for (unsigned frame = 0; frame < 20; frame++) {
         struct visits visits = {.most = frame % 5};
         tg_context_help(pipe.gpu, goes_on, &visits);
         draw_frame(&pipe);
         assert_int_equal(tg_context_flush(pipe.gpu, NULL), TG_OK);
         for (unsigned visit = 0; visit < 3; visit++) {
            visits.num_asked = 0;
            tg_context_help(pipe.gpu, goes_on, &visits);
            assert_true(visits.num_asked <= visits.most + 1);
         }
      }
      finish_alike(&pipe, pixels, i == 0);
   }
}

/* Sooner or later there is a tile that the other thread has not begun, also for
 * a caller that was called away before. */
static void
callers_draw_tiles(void **test)
{
   struct pipe pipe;
   bool was_drawn = false;
   (void)test;
   init(&pipe, 2);
   for (unsigned frame = 0; frame < 1000 && !was_drawn; frame++) {
      struct visits none = {.most = 0}, visits = {.most = 1};
      draw_frame(&pipe);
      assert_int_equal(tg_context_flush(pipe.gpu, NULL), TG_OK);
      tg_context_help(pipe.gpu, goes_on, &none);
      tg_context_help(pipe.gpu, goes_on, &visits);
      was_drawn = visits.num_asked > 1; /* asked again, after a tile */
   }
   assert_true(was_drawn);
   pipe_finish(&pipe);
}

/* Is all that was drawn done, sooner or later, if nobody asks for it? */
static bool
ends_by_itself(const struct pipe *pipe, unsigned most_milliseconds)
{
   for (unsigned i = 0; i < most_milliseconds; i++) {
      const struct timespec millisecond = {.tv_nsec = 1000000};
      if (!tg_context_is_busy(pipe->gpu, pipe->color, TG_ACCESS_READ))
         return true;
      nanosleep(&millisecond, NULL);
   }
   return false;
}

static void
idle_threads_are_given_work(void **test)
{
   static float pixels[WIDTH * HEIGHT * 4];
   (void)test;
   for (unsigned threads = 1; threads < 4; threads++) {
      struct pipe pipe;
      init(&pipe, threads);
      draw_frame(&pipe);
      assert_false(ends_by_itself(&pipe, 10));
      tg_context_flush_if_idle(pipe.gpu);
      if (threads == 1)
         assert_false(ends_by_itself(&pipe, 10));
      else
         assert_true(ends_by_itself(&pipe, 60000));
      for (unsigned i = 0; i < 20; i++) {
         draw_frame(&pipe);
         tg_context_flush_if_idle(pipe.gpu);
      }
      finish_alike(&pipe, pixels, threads == 1);
   }
}

/* Without work a fence is signalled at once, with any number of threads. */
static void
nothing_to_do_is_done(void **test)
{
   (void)test;
   for (unsigned threads = 1; threads < 3; threads++) {
      struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
      struct tg_context *gpu;
      struct tg_fence *fence;
      options.num_threads = threads;
      assert_int_equal(context_alone(NULL, &options, NULL, &gpu), TG_OK);
      assert_int_equal(tg_context_flush(gpu, &fence), TG_OK);
      assert_true(tg_fence_wait(fence, 0));
      assert_int_equal(tg_context_flush(gpu, NULL), TG_OK);
      assert_int_equal(tg_context_finish(gpu, NULL), TG_OK);
      tg_fence_destroy(fence);
      tg_context_destroy(gpu);
   }
}

/* A GPU that is destroyed finishes first. */
static void
destroying_finishes(void **test)
{
   struct pipe pipe;
   (void)test;
   init(&pipe, 2);
   draw_frame(&pipe);
   tg_context_destroy(pipe.gpu);
   const float *pixels = pipe_pixel(&pipe, 0, 0);
   unsigned count = 0;
   for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
      count += pixels[i * 4 + 3] == 1.0f;
   assert_true(count > WIDTH * HEIGHT / 2);
   pipe.gpu = NULL;
   pipe_finish(&pipe);
}

/* Draws the first three vertices with a fragment shader. */
static void
draw_with(struct pipe *pipe, struct tg_gpu_shader *shader)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = &range;
   assert_int_equal(tg_context_set_shader(pipe->gpu, TG_GPU_FRAGMENT, shader,
                                          pipe->diagnostics),
                    TG_OK);
   assert_int_equal(tg_context_draw(pipe->gpu, &info, pipe->diagnostics),
                    TG_OK);
}

/* Fragments of one draw count in a buffer; those of the next, in all tiles,
 * find there what all of them counted. */
static void
draws_see_what_fragments_wrote(void **test)
{
   static const char counting[] =
      "FRAG\n"
      "DCL OUT[0], COLOR\n"
      "DCL BUFFER[0]\n"
      "DCL TEMP[0]\n"
      "IMM[0] UINT32 {0, 1, 0, 0}\n"
      "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
      "MOV OUT[0], IMM[0].xxxx\n"
      "END\n";
   static const char reading[] = "FRAG\n"
                                 "DCL OUT[0], COLOR\n"
                                 "DCL BUFFER[0]\n"
                                 "DCL TEMP[0]\n"
                                 "IMM[0] UINT32 {0, 1, 0, 0}\n"
                                 "LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\n"
                                 "U2F OUT[0], TEMP[0].xxxx\n"
                                 "END\n";
   const struct pipe_vertex v[3] = {
      {{-1, -1, 0, 1}, {0}}, {{7, -1, 0, 1}, {0}}, {{-1, 7, 0, 1}, {0}}};
   struct pipe pipe;
   (void)test;
   pipe_init_with(&pipe, 3, NULL, WIDTH, HEIGHT, pipe_vertex_shader, counting);
   pipe_set_vertices(&pipe, v, 3);
   struct tg_resource *buffer = pipe_buffer(&pipe, (uint32_t[1]){0}, 4);
   assert_int_equal(tg_bindings_set_buffer(pipe.fragment, TG_BUFFER_SHADER, 0,
                                           buffer, 0, 4, pipe.diagnostics),
                    TG_OK);
   struct tg_gpu_shader *second = pipe_shader(&pipe, reading);
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   draw_with(&pipe, pipe.state.fs);
   draw_with(&pipe, second);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   for (uint32_t y = 0; y < HEIGHT; y++) {
      for (uint32_t x = 0; x < WIDTH; x++)
         assert_true(pipe_pixel(&pipe, x, y)[0] == WIDTH * HEIGHT);
   }
   pipe_finish(&pipe);
}

/* A draw that samples its own target finds what was drawn before, with any
 * number of threads. */
static void
draws_see_what_they_draw_to(void **test)
{
   static const char doubling[] = "FRAG\n"
                                  "DCL IN[0], POSITION, LINEAR\n"
                                  "DCL OUT[0], COLOR\n"
                                  "DCL SAMP[0]\n"
                                  "DCL SVIEW[0], 2D, FLOAT\n"
                                  "DCL TEMP[0]\n"
                                  "IMM[0] UINT32 {0, 0, 0, 0}\n"
                                  "F2I TEMP[0].xy, IN[0].xyyy\n"
                                  "MOV TEMP[0].zw, IMM[0].xxxx\n"
                                  "TXF TEMP[0], TEMP[0], SAMP[0], 2D\n"
                                  "ADD OUT[0], TEMP[0], TEMP[0]\n"
                                  "END\n";
   const struct pipe_vertex v[3] = {
      {{-1, -1, 0, 1}, {3, 3, 3, 3}},
      {{7, -1, 0, 1}, {3, 3, 3, 3}},
      {{-1, 7, 0, 1}, {3, 3, 3, 3}},
   };
   const struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   struct pipe pipe;
   (void)test;
   pipe_init(&pipe, WIDTH, HEIGHT, pipe_vertex_shader, pipe_constant_shader);
   pipe_set_vertices(&pipe, v, 3);
   pipe_set_texture(&pipe, 0, pipe.color, &sampler);
   struct tg_gpu_shader *second = pipe_shader(&pipe, doubling);
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   draw_with(&pipe, pipe.state.fs);
   for (int i = 0; i < 3; i++)
      draw_with(&pipe, second);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   for (uint32_t y = 0; y < HEIGHT; y++) {
      for (uint32_t x = 0; x < WIDTH; x++)
         assert_true(pipe_pixel(&pipe, x, y)[2] == 24);
   }
   pipe_finish(&pipe);
}

/* Endless loops of fragments end with the work, are said at the finish, and
 * once.
 */
static void
faults_are_said_once(void **test)
{
   static const char endless[] = "FRAG\n"
                                 "DCL OUT[0], COLOR\n"
                                 "BGNLOOP\n"
                                 "ENDLOOP\n"
                                 "END\n";
   struct pipe pipe;
   (void)test;
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   options.max_work = 1 << 20;
   pipe_init_with(&pipe, 2, &options, 8, 8, pipe_vertex_shader, endless);
   const struct pipe_vertex v[3] = {
      {{-1, -1, 0, 1}, {0}}, {{3, -1, 0, 1}, {0}}, {{-1, 3, 0, 1}, {0}}};
   pipe_set_vertices(&pipe, v, 3);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3),
                    TG_ERROR_LIMIT);
   assert_int_equal(tg_diagnostics_num_errors(pipe.diagnostics), 1);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   pipe_finish(&pipe);
}

/* The signals that a thread of this process blocks: bit n - 1, signal n. */
static unsigned long long
blocked_signals(const char *thread)
{
   char path[300], line[200];
   unsigned long long mask = 0;
   snprintf(path, sizeof(path), "/proc/self/task/%s/status", thread);
   FILE *file = fopen(path, "r");
   assert_non_null(file);
   while (fgets(line, sizeof(line), file)) {
      if (strncmp(line, "SigBlk:", 7) == 0)
         mask = strtoull(line + 7, NULL, 16);
   }
   fclose(file);
   return mask;
}

static bool
blocks(unsigned long long mask, int signal)
{
   return mask >> (signal - 1) & 1;
}

/* ThreadSanitizer has a thread of its own, which gets none either. */
#ifdef __SANITIZE_THREAD__
enum { NUM_OF_SANITIZER = 1 };
#else
enum { NUM_OF_SANITIZER = 0 };
#endif

/* All threads of a device. */
static void
threads_get_no_signals(void **test)
{
   static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGCHLD};
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_context *gpu;
   unsigned num_others = 0;
   (void)test;
   options.num_threads = 4;
   assert_int_equal(context_alone(NULL, &options, NULL, &gpu), TG_OK);
   DIR *threads = opendir("/proc/self/task");
   assert_non_null(threads);
   for (struct dirent *entry; (entry = readdir(threads));) {
      if (entry->d_name[0] == '.' || atol(entry->d_name) == getpid())
         continue;
      const unsigned long long mask = blocked_signals(entry->d_name);
      for (unsigned i = 0; i < sizeof(signals) / sizeof(*signals); i++)
         assert_true(blocks(mask, signals[i]));
      num_others++;
   }
   closedir(threads);
   assert_int_equal(num_others, 3 + NUM_OF_SANITIZER);
   tg_context_destroy(gpu);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_get_no_signals),
      cmocka_unit_test(threads_draw_the_same),
      cmocka_unit_test(fences_signal_in_order),
      cmocka_unit_test(callers_help_for_a_while),
      cmocka_unit_test(callers_draw_tiles),
      cmocka_unit_test(idle_threads_are_given_work),
      cmocka_unit_test(nothing_to_do_is_done),
      cmocka_unit_test(destroying_finishes),
      cmocka_unit_test(draws_see_what_fragments_wrote),
      cmocka_unit_test(draws_see_what_they_draw_to),
      cmocka_unit_test(faults_are_said_once),
   };
   return cmocka_run_group_tests_name("gpu: queue", tests, NULL, NULL);
}
