/* SPDX-License-Identifier: MIT
 *
 * How long a context goes on after tg_context_cancel(): 100 draws, dispatches
 * and blits, each cancelled by another thread after 20 to 50 ms.
 * docs/performance.md has figures.
 *
 *    bench_cancel
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tungsten/gpu.h"

enum { NUM_CANCELS = 100, SIZE = 4096, NUM_KINDS = 3 };

static const char vertex_text[] = "VERT\n"
                                  "DCL IN[0]\n"
                                  "DCL OUT[0], POSITION\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "END\n";

static const char fragment_text[] = "FRAG\n"
                                    "DCL OUT[0], COLOR\n"
                                    "BGNLOOP\n"
                                    "ENDLOOP\n"
                                    "END\n";

static const char compute_text[] = "COMP\n"
                                   "PROPERTY CS_FIXED_BLOCK_WIDTH 1024\n"
                                   "BGNLOOP\n"
                                   "ENDLOOP\n"
                                   "END\n";

struct subject {
   struct tg_device *device;
   struct tg_context *context;
   struct tg_shader *sources[3];
   struct tg_gpu_shader *shaders[2];
   struct tg_program *program;
   struct tg_resource *color, *large, *vertices;
   double cancelled; /* milliseconds; when that was */
};

static double
now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void
check(enum tg_result result)
{
   if (result == TG_OK)
      return;
   fprintf(stderr, "%s\n", tg_result_name(result));
   exit(1);
}

/* ---- what is cancelled --------------------------------------------------- */

static struct tg_resource *
make_texture(const char *format, uint32_t size)
{
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   struct tg_resource *texture = NULL;

   desc.target = TG_TEXTURE_2D;
   desc.format = tg_format_number(format);
   desc.width = desc.height = size;
   check(tg_resource_create(NULL, &desc, NULL, &texture));
   return texture;
}

static void
make_shaders(struct subject *subject)
{
   static const char *const texts[3] = {vertex_text, fragment_text,
                                        compute_text};

   for (unsigned i = 0; i < 3; i++)
      check(tg_shader_parse(NULL, "bench", texts[i], strlen(texts[i]),
                            TG_DIALECT_2019, NULL, &subject->sources[i]));
   for (unsigned i = 0; i < 2; i++)
      check(tg_gpu_shader_create(subject->device, subject->sources[i], NULL,
                                 NULL, &subject->shaders[i]));
   check(tg_program_create(NULL, subject->sources[2], NULL, NULL,
                           &subject->program));
}

static void
set_vertices(struct subject *subject)
{
   static const float positions[3][4] = {
      {-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
   const struct tg_vertex_element element = {
      .format = tg_format_number("R32G32B32A32_FLOAT")};
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   struct tg_vertex_elements *elements;

   desc.width = sizeof(positions);
   check(tg_resource_create(NULL, &desc, NULL, &subject->vertices));
   memcpy(tg_resource_map_buffer(subject->vertices), positions,
          sizeof(positions));
   const struct tg_vertex_buffer buffer = {subject->vertices, 0, 16};
   check(
      tg_vertex_elements_create(subject->device, 1, &element, NULL, &elements));
   check(tg_context_bind_vertex_elements(subject->context, elements, NULL));
   check(tg_context_set_vertex_buffers(subject->context, 0, 1, &buffer, NULL));
   tg_vertex_elements_destroy(elements);
}

static void
begin(struct subject *subject)
{
   struct tg_framebuffer_state framebuffer = TG_FRAMEBUFFER_INIT;
   const struct tg_viewport viewport = tg_viewport_of(SIZE, SIZE, true, true);

   *subject = (struct subject){0};
   check(tg_device_create(NULL, NULL, &subject->device));
   check(tg_context_create(subject->device, NULL, &subject->context));
   make_shaders(subject);
   subject->color = make_texture("R8G8B8A8_UNORM", SIZE);
   subject->large = make_texture("R32G32B32A32_FLOAT", 2 * SIZE);
   framebuffer.width = framebuffer.height = SIZE;
   framebuffer.num_colors = 1;
   framebuffer.colors[0] = tg_surface_of(subject->color);
   check(tg_context_set_framebuffer(subject->context, &framebuffer, NULL));
   check(tg_context_set_viewports(subject->context, 0, 1, &viewport, NULL));
   check(tg_context_set_shader(subject->context, TG_GPU_VERTEX,
                               subject->shaders[0], NULL));
   check(tg_context_set_shader(subject->context, TG_GPU_FRAGMENT,
                               subject->shaders[1], NULL));
   set_vertices(subject);
}

static void
end(struct subject *subject)
{
   tg_context_destroy(subject->context);
   tg_program_destroy(subject->program);
   for (unsigned i = 0; i < 2; i++)
      tg_gpu_shader_destroy(subject->shaders[i]);
   for (unsigned i = 0; i < 3; i++)
      tg_shader_destroy(subject->sources[i]);
   tg_resource_destroy(subject->color);
   tg_resource_destroy(subject->large);
   tg_resource_destroy(subject->vertices);
   tg_device_destroy(subject->device);
}

/* ---- kinds --------------------------------------------------------------- */

static enum tg_result
draw(struct subject *subject)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;

   info.draws = &range;
   const enum tg_result result = tg_context_draw(subject->context, &info, NULL);
   return result == TG_OK ? tg_context_finish(subject->context, NULL) : result;
}

static enum tg_result
dispatch(struct subject *subject)
{
   struct tg_grid grid = TG_GRID_INIT;

   grid.grid[0] = 1 << 20;
   grid.loop_budget = UINT64_C(1) << 40;
   return tg_context_dispatch(subject->context, subject->program, NULL, &grid,
                              NULL);
}

static enum tg_result
blit(struct subject *subject)
{
   struct tg_blit_info info = TG_BLIT_INFO_INIT;

   info.src = (struct tg_blit_side){.resource = subject->large,
                                    .width = 2 * SIZE,
                                    .height = 2 * SIZE,
                                    .depth = 1};
   info.dst = (struct tg_blit_side){
      .resource = subject->color, .width = SIZE, .height = SIZE, .depth = 1};
   info.filter = TG_FILTER_LINEAR;
   return tg_context_blit(subject->context, &info, NULL);
}

static const struct {
   const char *name;
   enum tg_result (*run)(struct subject *subject);
} kinds[NUM_KINDS] = {
   {"draws", draw}, {"dispatches", dispatch}, {"blits", blit}};

/* ---- cancelling ---------------------------------------------------------- */

static void *
cancel(void *user)
{
   struct subject *subject = user;

   usleep(20000 + (useconds_t)(rand() % 30000));
   subject->cancelled = now();
   tg_context_cancel(subject->context);
   return NULL;
}

/* Milliseconds from the cancellation to the return of the call that heard. */
static double
measure(struct subject *subject, unsigned kind)
{
   enum tg_result result = TG_OK;
   pthread_t thread;

   if (pthread_create(&thread, NULL, cancel, subject) != 0)
      exit(1);
   while (result == TG_OK)
      result = kinds[kind].run(subject);
   const double end = now();
   pthread_join(thread, NULL);
   if (result != TG_ERROR_LIMIT)
      check(result);
   tg_context_finish(subject->context, NULL);
   tg_work_refill(tg_context_get_work(subject->context));
   return end - subject->cancelled;
}

int
main(void)
{
   double worst[NUM_KINDS] = {0};
   struct subject subject;

   begin(&subject);
   for (unsigned i = 0; i < NUM_CANCELS; i++) {
      const unsigned kind = i % NUM_KINDS;
      const double late = measure(&subject, kind);

      worst[kind] = late > worst[kind] ? late : worst[kind];
   }
   for (unsigned i = 0; i < NUM_KINDS; i++)
      printf("%-12s%8.2f ms at the latest\n", kinds[i].name, worst[i]);
   end(&subject);
   return 0;
}
