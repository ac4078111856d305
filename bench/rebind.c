/* SPDX-License-Identifier: MIT
 *
 * What it costs to bind a texture anew before each draw: 10,000 draws of a
 * small triangle each, with the same texture and with two that take turns,
 * while 1, 16 and 128 views are bound. One thread. docs/performance.md has
 * figures.
 *
 *    bench_rebind
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure.h"
#include "tungsten/gpu.h"

enum { NUM_ROUNDS = 11, NUM_DRAWS = 10000, SIZE = 64 };

static const char vertex_text[] = "VERT\n"
                                  "DCL IN[0]\n"
                                  "DCL OUT[0], POSITION\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "END\n";

static const char fragment_text[] = "FRAG\n"
                                    "DCL OUT[0], COLOR\n"
                                    "DCL SAMP[0]\n"
                                    "DCL SVIEW[0], 2D, FLOAT\n"
                                    "IMM[0] UINT32 {0, 0, 0, 0}\n"
                                    "TXF OUT[0], IMM[0], SAMP[0], 2D\n"
                                    "END\n";

struct subject {
   struct tg_diagnostics *diagnostics;
   struct tg_device *device;
   struct tg_context *context;
   struct tg_shader *sources[2];
   struct tg_gpu_shader *shaders[2];
   struct tg_resource *vertices, *color, *textures[2];
   struct tg_view *views[2];
   struct tg_sampler *sampler;
   struct tg_bindings *bindings;
};

static double
now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
   return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void
check(const struct subject *subject, enum tg_result result)
{
   if (result == TG_OK)
      return;
   fprintf(stderr, "%s\n%s", tg_result_name(result),
           tg_diagnostics_text(subject->diagnostics));
   exit(1);
}

static struct tg_resource *
make(struct subject *subject, const char *format, uint32_t size)
{
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   struct tg_resource *made = NULL;

   desc.width = size;
   if (format) {
      desc.target = TG_TEXTURE_2D;
      desc.format = tg_format_number(format);
      desc.height = size;
   }
   check(subject, tg_resource_create(NULL, &desc, subject->diagnostics, &made));
   return made;
}

static void
make_shaders(struct subject *subject)
{
   static const char *const texts[2] = {vertex_text, fragment_text};

   for (unsigned i = 0; i < 2; i++) {
      check(subject, tg_shader_parse(NULL, "bench", texts[i], strlen(texts[i]),
                                     TG_DIALECT_2019, subject->diagnostics,
                                     &subject->sources[i]));
      check(subject,
            tg_gpu_shader_create(subject->device, subject->sources[i], NULL,
                                 subject->diagnostics, &subject->shaders[i]));
      check(subject, tg_context_set_shader(
                        subject->context, i ? TG_GPU_FRAGMENT : TG_GPU_VERTEX,
                        subject->shaders[i], subject->diagnostics));
   }
}

static void
set_state(struct subject *subject)
{
   static const float corners[3][4] = {
      {-1, -1, 0, 1}, {-0.9f, -1, 0, 1}, {-1, -0.9f, 0, 1}};
   const struct tg_viewport viewport = tg_viewport_of(SIZE, SIZE, false, false);
   const struct tg_vertex_element element = {
      .format = tg_format_number("R32G32B32A32_FLOAT"),
   };
   struct tg_context *context = subject->context;
   struct tg_framebuffer_state framebuffer = TG_FRAMEBUFFER_INIT;

   subject->vertices = make(subject, NULL, sizeof(corners));
   memcpy(tg_resource_map_buffer(subject->vertices), corners, sizeof(corners));
   subject->color = make(subject, "R8G8B8A8_UNORM", SIZE);
   framebuffer.width = framebuffer.height = SIZE;
   framebuffer.num_colors = 1;
   framebuffer.colors[0] = tg_surface_of(subject->color);
   const struct tg_vertex_buffer buffer = {subject->vertices, 0, 16};
   struct tg_diagnostics *said = subject->diagnostics;
   check(subject, tg_context_set_framebuffer(context, &framebuffer, said));
   check(subject, tg_context_set_viewports(context, 0, 1, &viewport, said));
   struct tg_vertex_elements *elements;
   check(subject, tg_vertex_elements_create(tg_context_get_device(context), 1,
                                            &element, said, &elements));
   check(subject, tg_context_bind_vertex_elements(context, elements, said));
   tg_vertex_elements_destroy(elements);
   check(subject, tg_context_set_vertex_buffers(context, 0, 1, &buffer, said));
}

static void
bind(struct subject *subject, unsigned place, unsigned which)
{
   check(subject,
         tg_bindings_set_view(subject->bindings, place, subject->views[which],
                              subject->diagnostics));
}

static void
begin(struct subject *subject, unsigned num_views)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;

   *subject = (struct subject){.diagnostics = tg_diagnostics_create(NULL)};
   options.num_threads = 1;
   check(subject, tg_device_create(NULL, &options, &subject->device));
   check(subject, tg_context_create(subject->device, NULL, &subject->context));
   make_shaders(subject);
   set_state(subject);
   check(subject, tg_bindings_create(NULL, &subject->bindings));
   for (unsigned i = 0; i < 2; i++) {
      subject->textures[i] = make(subject, "R8G8B8A8_UNORM", 4);
      const struct tg_view_desc all = tg_view_desc_of(subject->textures[i]);
      check(subject, tg_view_create(NULL, &all, subject->diagnostics,
                                    &subject->views[i]));
   }
   for (unsigned i = 0; i < num_views; i++)
      bind(subject, i, 0);
   check(subject, tg_sampler_create(NULL, NULL, subject->diagnostics,
                                    &subject->sampler));
   check(subject,
         tg_bindings_set_sampler(subject->bindings, 0, subject->sampler,
                                 subject->diagnostics));
   tg_context_set_bindings(subject->context, TG_GPU_FRAGMENT,
                           subject->bindings);
}

static void
end(struct subject *subject)
{
   tg_context_destroy(subject->context);
   tg_device_destroy(subject->device);
   tg_bindings_destroy(subject->bindings);
   tg_sampler_destroy(subject->sampler);
   for (unsigned i = 0; i < 2; i++) {
      tg_view_destroy(subject->views[i]);
      tg_resource_destroy(subject->textures[i]);
      tg_gpu_shader_destroy(subject->shaders[i]);
      tg_shader_destroy(subject->sources[i]);
   }
   tg_resource_destroy(subject->color);
   tg_resource_destroy(subject->vertices);
   tg_diagnostics_destroy(subject->diagnostics);
}

/* Microseconds a draw, with all that it leads to. */
static double
measure(struct subject *subject, bool rebinds)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   const double first = now();

   info.draws = &range;
   for (unsigned i = 0; i < NUM_DRAWS; i++) {
      if (rebinds)
         bind(subject, 0, i & 1);
      check(subject,
            tg_context_draw(subject->context, &info, subject->diagnostics));
   }
   check(subject, tg_context_finish(subject->context, subject->diagnostics));
   return (now() - first) * 1e6 / NUM_DRAWS;
}

int
main(void)
{
   static const unsigned counts[] = {1, 16, 128};

   printf("microseconds:   same texture     bound anew     difference\n");
   for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
      double same[NUM_ROUNDS], anew[NUM_ROUNDS], difference[NUM_ROUNDS];
      struct subject subject;

      begin(&subject, counts[i]);
      measure(&subject, true);
      for (unsigned k = 0; k < NUM_ROUNDS; k++) {
         same[k] = measure(&subject, false);
         anew[k] = measure(&subject, true);
         difference[k] = anew[k] - same[k];
      }
      printf("%3u views %18.2f %14.2f %14.2f\n", counts[i],
             bench_median(same, NUM_ROUNDS), bench_median(anew, NUM_ROUNDS),
             bench_median(difference, NUM_ROUNDS));
      end(&subject);
   }
   return 0;
}
