/* SPDX-License-Identifier: MIT
 *
 * What contexts of one device cost each other: frames of one that draws, beside
 * 1 and 7 others that draw the same, and beside as many with endless shaders
 * that a deadline ends, over and over. docs/performance.md has figures.
 *
 *    bench_neighbours [threads of the device]
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure.h"
#include "tungsten/gpu.h"

enum { SIZE = 192, MAX_NEIGHBOURS = 7, NUM_ROUNDS = 9 };

static const double deadline = 0.02; /* of a call, seconds */
static const double slice = 0.5;     /* seconds that are measured at a time */

static const char vertex_text[] = "VERT\n"
                                  "DCL IN[0]\n"
                                  "DCL OUT[0], POSITION\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "END\n";

static const char endless_text[] = "FRAG\n"
                                   "DCL OUT[0], COLOR\n"
                                   "BGNLOOP\n"
                                   "ENDLOOP\n"
                                   "END\n";

static const char usual_text[] = "FRAG\n"
                                 "DCL IN[0], POSITION, LINEAR\n"
                                 "DCL OUT[0], COLOR\n"
                                 "DCL TEMP[0]\n"
                                 "IMM[0] FLT32 {0.001, 0.5, 16, 1}\n"
                                 "MUL TEMP[0], IN[0], IMM[0].xxxx\n"
                                 "DP3 TEMP[0].x, TEMP[0], TEMP[0]\n"
                                 "MAD OUT[0], TEMP[0], IMM[0].yyyy, "
                                 "IMM[0].xyyw\n"
                                 "END\n";

/* A context with a thread of its own, which draws frame after frame. */
struct neighbour {
   struct tg_context *context;
   struct tg_resource *color;
   pthread_t thread;
   _Atomic uint64_t frames;
   atomic_bool is_over;
};

struct bench {
   struct tg_device *device;
   struct tg_shader *sources[3];
   struct tg_gpu_shader *vertex, *usual, *endless;
   struct tg_resource *vertices;
   struct tg_vertex_elements *elements;
   struct neighbour neighbours[1 + MAX_NEIGHBOURS]; /* 0: that is measured */
};

static void
check(enum tg_result result)
{
   if (result == TG_OK)
      return;
   fprintf(stderr, "%s\n", tg_result_name(result));
   exit(1);
}

/* ---- what all share ------------------------------------------------------ */

static struct tg_gpu_shader *
make_shader(struct bench *bench, unsigned number, const char *text)
{
   struct tg_gpu_shader *shader;

   check(tg_shader_parse(NULL, "bench", text, strlen(text), TG_DIALECT_2019,
                         NULL, &bench->sources[number]));
   check(tg_gpu_shader_create(bench->device, bench->sources[number], NULL, NULL,
                              &shader));
   return shader;
}

static void
begin(struct bench *bench, unsigned num_threads)
{
   static const float positions[3][4] = {
      {-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
   const struct tg_vertex_element element = {
      .format = tg_format_number("R32G32B32A32_FLOAT")};
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;

   options.num_threads = num_threads;
   check(tg_device_create(NULL, &options, &bench->device));
   bench->vertex = make_shader(bench, 0, vertex_text);
   bench->usual = make_shader(bench, 1, usual_text);
   bench->endless = make_shader(bench, 2, endless_text);
   desc.width = sizeof(positions);
   check(tg_resource_create(NULL, &desc, NULL, &bench->vertices));
   memcpy(tg_resource_map_buffer(bench->vertices), positions,
          sizeof(positions));
   check(tg_vertex_elements_create(bench->device, 1, &element, NULL,
                                   &bench->elements));
}

static void
end(struct bench *bench)
{
   tg_vertex_elements_destroy(bench->elements);
   tg_resource_destroy(bench->vertices);
   tg_gpu_shader_destroy(bench->vertex);
   tg_gpu_shader_destroy(bench->usual);
   tg_gpu_shader_destroy(bench->endless);
   for (unsigned i = 0; i < 3; i++)
      tg_shader_destroy(bench->sources[i]);
   tg_device_destroy(bench->device);
}

/* ---- a neighbour --------------------------------------------------------- */

static void
set_state(struct bench *bench, struct neighbour *neighbour,
          struct tg_gpu_shader *fragment)
{
   const struct tg_vertex_buffer buffer = {bench->vertices, 0, 16};
   const struct tg_viewport viewport = tg_viewport_of(SIZE, SIZE, true, true);
   struct tg_framebuffer_state framebuffer = TG_FRAMEBUFFER_INIT;
   struct tg_context *context = neighbour->context;

   framebuffer.width = framebuffer.height = SIZE;
   framebuffer.num_colors = 1;
   framebuffer.colors[0] = tg_surface_of(neighbour->color);
   check(tg_context_set_framebuffer(context, &framebuffer, NULL));
   check(tg_context_set_viewports(context, 0, 1, &viewport, NULL));
   check(tg_context_set_shader(context, TG_GPU_VERTEX, bench->vertex, NULL));
   check(tg_context_set_shader(context, TG_GPU_FRAGMENT, fragment, NULL));
   check(tg_context_bind_vertex_elements(context, bench->elements, NULL));
   check(tg_context_set_vertex_buffers(context, 0, 1, &buffer, NULL));
}

/* A frame is four draws and a finish, whatever comes of it. */
static void *
draw_frames(void *user)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct neighbour *neighbour = user;

   info.draws = &range;
   while (!atomic_load(&neighbour->is_over)) {
      for (unsigned i = 0; i < 4; i++)
         tg_context_draw(neighbour->context, &info, NULL);
      tg_context_finish(neighbour->context, NULL);
      atomic_fetch_add(&neighbour->frames, 1);
   }
   return NULL;
}

static void
start(struct bench *bench, struct neighbour *neighbour,
      struct tg_gpu_shader *fragment)
{
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;

   *neighbour = (struct neighbour){0};
   if (fragment == bench->endless)
      options.max_call_seconds = deadline;
   check(tg_context_create(bench->device, &options, &neighbour->context));
   desc.target = TG_TEXTURE_2D;
   desc.format = tg_format_number("R8G8B8A8_UNORM");
   desc.width = desc.height = SIZE;
   check(tg_resource_create(NULL, &desc, NULL, &neighbour->color));
   set_state(bench, neighbour, fragment);
   if (pthread_create(&neighbour->thread, NULL, draw_frames, neighbour) != 0)
      exit(1);
}

static void
stop(struct neighbour *neighbour)
{
   atomic_store(&neighbour->is_over, true);
   pthread_join(neighbour->thread, NULL);
   tg_context_destroy(neighbour->context);
   tg_resource_destroy(neighbour->color);
}

/* ---- measuring ----------------------------------------------------------- */

static void
wait(double seconds)
{
   const struct timespec time = {
      (time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};

   nanosleep(&time, NULL);
}

/* Frames a second of the one beside so many others. */
static double
measure(struct bench *bench, unsigned count, struct tg_gpu_shader *fragment)
{
   struct neighbour *neighbours = bench->neighbours;

   start(bench, &neighbours[0], bench->usual);
   for (unsigned i = 1; i <= count; i++)
      start(bench, &neighbours[i], fragment);
   wait(0.1);
   const double begun = bench_now();
   const uint64_t before = atomic_load(&neighbours[0].frames);
   wait(slice);
   const uint64_t after = atomic_load(&neighbours[0].frames);
   const double rate = (double)(after - before) / (bench_now() - begun);
   for (unsigned i = 0; i <= count; i++)
      stop(&neighbours[i]);
   return rate;
}

static void
compare(struct bench *bench, unsigned count)
{
   double usual[NUM_ROUNDS], endless[NUM_ROUNDS], ratio[NUM_ROUNDS];

   for (unsigned i = 0; i < NUM_ROUNDS; i++) {
      usual[i] = measure(bench, count, bench->usual);
      endless[i] = measure(bench, count, bench->endless);
      ratio[i] = endless[i] / usual[i];
   }
   printf("%u neighbours%9.1f frames a second%9.1f beside endless ones%7.2f\n",
          count, bench_median(usual, NUM_ROUNDS),
          bench_median(endless, NUM_ROUNDS), bench_median(ratio, NUM_ROUNDS));
}

int
main(int argc, char **argv)
{
   static struct bench bench;

   begin(&bench, argc > 1 ? (unsigned)atoi(argv[1]) : 0);
   printf("alone       %9.1f frames a second\n",
          measure(&bench, 0, bench.usual));
   compare(&bench, 1);
   compare(&bench, MAX_NEIGHBOURS);
   end(&bench);
   return 0;
}
