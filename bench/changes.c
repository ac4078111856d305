/* SPDX-License-Identifier: MIT
 *
 * What it costs to change something before each draw: 10,000 draws of a small
 * triangle each, without and with a texture that is bound anew while 1, 16 and
 * 128 views are bound, new constants, or buffers that are written whole. One
 * thread. docs/performance.md has figures.
 *
 *    bench_changes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure.h"
#include "tungsten/gpu.h"

enum { NUM_ROUNDS = 11, NUM_DRAWS = 10000, SIZE = 64, NUM_CONSTANTS = 64 };

static const char vertex_text[] = "VERT\n"
                                  "DCL IN[0]\n"
                                  "DCL OUT[0], POSITION\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "END\n";

static const char fragment_text[] = "FRAG\n"
                                    "DCL OUT[0], COLOR\n"
                                    "DCL CONST[0..15]\n"
                                    "DCL SAMP[0]\n"
                                    "DCL SVIEW[0], 2D, FLOAT\n"
                                    "IMM[0] UINT32 {0, 0, 0, 0}\n"
                                    "DCL TEMP[0]\n"
                                    "TXF TEMP[0], IMM[0], SAMP[0], 2D\n"
                                    "ADD OUT[0], TEMP[0], CONST[15]\n"
                                    "END\n";

struct subject {
   struct tg_diagnostics *diagnostics;
   struct tg_device *device;
   struct tg_context *context;
   struct tg_shader *sources[2];
   struct tg_gpu_shader *shaders[2];
   struct tg_resource *vertices, *constants, *color, *textures[2];
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

static const float corners[3][4] = {
   {-1, -1, 0, 1}, {-0.9f, -1, 0, 1}, {-1, -0.9f, 0, 1}};

/* All of a buffer, in the order of the calls. */
static void
write(struct subject *subject, struct tg_resource *buffer, const void *bytes)
{
   const struct tg_box all = {0, 0, 0, tg_resource_get_desc(buffer)->width,
                              1, 1};

   check(subject,
         tg_context_write(subject->context, buffer, 0, 0, &all, bytes, 0, 0));
}

static void
set_state(struct subject *subject)
{
   const struct tg_viewport viewport = tg_viewport_of(SIZE, SIZE, false, false);
   const struct tg_vertex_element element = {
      .format = tg_format_number("R32G32B32A32_FLOAT"),
   };
   struct tg_context *context = subject->context;
   struct tg_framebuffer_state framebuffer = TG_FRAMEBUFFER_INIT;

   subject->vertices = make(subject, NULL, sizeof(corners));
   write(subject, subject->vertices, corners);
   subject->constants = make(subject, NULL, NUM_CONSTANTS * 4);
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

/* ---- changes ------------------------------------------------------------- */

static void
bind(struct subject *subject, unsigned place, unsigned which)
{
   check(subject,
         tg_bindings_set_view(subject->bindings, place, subject->views[which],
                              subject->diagnostics));
}

static void
bind_texture(struct subject *subject, unsigned number)
{
   bind(subject, 0, number & 1);
}

static void
set_constants(struct subject *subject, unsigned number)
{
   const float words[NUM_CONSTANTS] = {[60] = (float)number};

   check(subject,
         tg_bindings_set_constants(subject->bindings, 0, words, sizeof(words),
                                   subject->diagnostics));
}

static void
bind_constants(struct subject *subject)
{
   check(subject,
         tg_bindings_set_buffer(subject->bindings, TG_BUFFER_CONSTANT, 0,
                                subject->constants, 0, NUM_CONSTANTS * 4,
                                subject->diagnostics));
}

static void
write_constants(struct subject *subject, unsigned number)
{
   const float words[NUM_CONSTANTS] = {[60] = (float)number};

   write(subject, subject->constants, words);
}

static void
write_vertices(struct subject *subject, unsigned number)
{
   float moved[3][4];

   memcpy(moved, corners, sizeof(moved));
   moved[0][2] = (float)(number % 16) / 16;
   write(subject, subject->vertices, moved);
}

/* Each is made with so many views bound, and a buffer of constants unless it
 * copies them. */
static const struct change {
   const char *name;
   unsigned num_views;
   void (*make)(struct subject *subject, unsigned number);
} changes[] = {
   {"a texture of 1", 1, bind_texture},
   {"a texture of 16", 16, bind_texture},
   {"a texture of 128", 128, bind_texture},
   {"constants, copied", 1, set_constants},
   {"constants, a buffer", 1, write_constants},
   {"vertices, a buffer", 1, write_vertices},
};

static void
begin(struct subject *subject, const struct change *change)
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
   for (unsigned i = 0; i < change->num_views; i++)
      bind(subject, i, 0);
   if (change->make == set_constants)
      set_constants(subject, 0);
   else
      bind_constants(subject);
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
   tg_resource_destroy(subject->constants);
   tg_diagnostics_destroy(subject->diagnostics);
}

/* Microseconds a draw, with all that it leads to. */
static double
measure(struct subject *subject, const struct change *change_or_null)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   const double first = now();

   info.draws = &range;
   for (unsigned i = 0; i < NUM_DRAWS; i++) {
      if (change_or_null)
         change_or_null->make(subject, i);
      check(subject,
            tg_context_draw(subject->context, &info, subject->diagnostics));
   }
   check(subject, tg_context_finish(subject->context, subject->diagnostics));
   return (now() - first) * 1e6 / NUM_DRAWS;
}

int
main(void)
{
   printf("%-24s%14s%10s%12s%8s\n", "microseconds a draw", "the same",
          "changed", "difference", "ratio");
   for (unsigned i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
      const struct change *change = &changes[i];
      double same[NUM_ROUNDS], anew[NUM_ROUNDS];
      double difference[NUM_ROUNDS], ratio[NUM_ROUNDS];
      struct subject subject;

      begin(&subject, change);
      measure(&subject, change);
      for (unsigned k = 0; k < NUM_ROUNDS; k++) {
         same[k] = measure(&subject, NULL);
         anew[k] = measure(&subject, change);
         difference[k] = anew[k] - same[k];
         ratio[k] = anew[k] / same[k];
      }
      printf("%-24s%14.2f%10.2f%12.2f%8.2f\n", change->name,
             bench_median(same, NUM_ROUNDS), bench_median(anew, NUM_ROUNDS),
             bench_median(difference, NUM_ROUNDS),
             bench_median(ratio, NUM_ROUNDS));
      end(&subject);
   }
   return 0;
}
