/* SPDX-License-Identifier: MIT
 *
 * The time from the text of a shader to its first pixel, over the shaders of a
 * folder, and the part of it that is code generation. A vertex or fragment
 * shader draws a triangle with a stand-in for the other stage; one of another
 * stage is run by itself, on one wave. One thread; docs/performance.md has
 * figures.
 *
 *    bench_compile FOLDER [EXECUTOR...]
 *
 * With VERBOSE in the environment it prints a line for each shader too: its
 * file, milliseconds, and those of code generation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/views.h"
#include "measure.h"
#include "texts.h"
#include "tungsten/gpu.h"
#include "tungsten/run.h"

enum {
   SIZE = 64, /* of the framebuffer */
   MAX_EXECUTORS = 8,
};

static struct bench_text texts[BENCH_MAX_TEXTS];
static size_t num_texts;

static void
require(bool is_good, const char *what)
{
   if (is_good)
      return;
   fprintf(stderr, "bench_compile: %s\n", what);
   exit(1);
}

/* ---- a device and what all draws have in common -------------------------- */

struct subject {
   const char *executor;
   struct tg_device *device;
   struct tg_context *context;
   struct tg_resource *color, *vertices;
   struct tg_gpu_shader *stand_ins[2]; /* of vertices, of fragments */
};

static const char vertex_text[] = "VERT\n"
                                  "DCL IN[0]\n"
                                  "DCL OUT[0], POSITION\n"
                                  "DCL OUT[1..4], GENERIC[0]\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "MOV OUT[1], IN[0].xyxy\n"
                                  "MOV OUT[2], IN[0].yzxw\n"
                                  "MOV OUT[3], IN[0].wzyx\n"
                                  "MOV OUT[4], IN[0]\n"
                                  "END\n";

static const char fragment_text[] = "FRAG\n"
                                    "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                    "DCL OUT[0], COLOR\n"
                                    "MOV OUT[0], IN[0]\n"
                                    "END\n";

static struct tg_resource *
make_resource(uint32_t target, const char *format, uint32_t width,
              uint32_t height)
{
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   struct tg_resource *made = NULL;

   desc.target = target;
   desc.format = format ? tg_format_number(format) : 0;
   desc.width = width;
   desc.height = height;
   require(tg_resource_create(NULL, &desc, NULL, &made) == TG_OK,
           "a resource cannot be made");
   return made;
}

static struct tg_shader *
parse(const char *text, size_t length)
{
   struct tg_shader *shader = NULL;

   tg_shader_parse(NULL, "bench", text, length, TG_DIALECT_2019, NULL, &shader);
   return shader;
}

static struct tg_gpu_shader *
make_shader(const struct subject *subject, const char *text, size_t length)
{
   struct tg_shader *source = parse(text, length);
   struct tg_gpu_shader *shader = NULL;

   if (source)
      tg_gpu_shader_create(subject->device, source, NULL, NULL, &shader);
   tg_shader_destroy(source);
   return shader;
}

static void
set_state(struct subject *subject)
{
   static const float corners[3][4] = {
      {-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
   const struct tg_box all = {
      .width = sizeof(corners), .height = 1, .depth = 1};
   const struct tg_viewport viewport = tg_viewport_of(SIZE, SIZE, false, false);
   const struct tg_vertex_buffer buffer = {subject->vertices, 0, 16};
   struct tg_framebuffer_state framebuffer = TG_FRAMEBUFFER_INIT;
   struct tg_vertex_element element[TG_MAX_VERTEX_ELEMENTS] = {0};
   struct tg_vertex_elements *elements = NULL;
   struct tg_context *context = subject->context;

   framebuffer.width = framebuffer.height = SIZE;
   framebuffer.num_colors = 1;
   framebuffer.colors[0] = tg_surface_of(subject->color);
   for (unsigned i = 0; i < TG_MAX_VERTEX_ELEMENTS; i++)
      element[i].format = tg_format_number("R32G32B32A32_FLOAT");
   require(
      tg_resource_write(subject->vertices, 0, 0, &all, corners, 0, 0) ==
            TG_OK &&
         tg_context_set_framebuffer(context, &framebuffer, NULL) == TG_OK &&
         tg_context_set_viewports(context, 0, 1, &viewport, NULL) == TG_OK &&
         tg_vertex_elements_create(subject->device, TG_MAX_VERTEX_ELEMENTS,
                                   element, NULL, &elements) == TG_OK &&
         tg_context_bind_vertex_elements(context, elements, NULL) == TG_OK &&
         tg_context_set_vertex_buffers(context, 0, 1, &buffer, NULL) == TG_OK,
      "the state cannot be set");
   tg_vertex_elements_destroy(elements);
}

static void
begin(struct subject *subject, const char *executor)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;

   *subject = (struct subject){.executor = executor};
   options.num_threads = 1;
   options.executor = executor;
   require(tg_device_create(NULL, &options, &subject->device) == TG_OK &&
              tg_context_create(subject->device, NULL, &subject->context) ==
                 TG_OK,
           "there is no such executor");
   subject->color = make_resource(TG_TEXTURE_2D, "R8G8B8A8_UNORM", SIZE, SIZE);
   subject->vertices = make_resource(TG_TEXTURE_BUFFER, NULL, 48, 0);
   subject->stand_ins[0] =
      make_shader(subject, vertex_text, strlen(vertex_text));
   subject->stand_ins[1] =
      make_shader(subject, fragment_text, strlen(fragment_text));
   require(subject->stand_ins[0] && subject->stand_ins[1],
           "a stand-in cannot be made");
   set_state(subject);
}

static void
end(struct subject *subject)
{
   tg_context_destroy(subject->context);
   for (unsigned i = 0; i < 2; i++)
      tg_gpu_shader_destroy(subject->stand_ins[i]);
   tg_device_destroy(subject->device);
   tg_resource_destroy(subject->color);
   tg_resource_destroy(subject->vertices);
}

/* ---- first pixels -------------------------------------------------------- */

static bool
draw(const struct subject *subject, const struct bench_text *text, bool is_vert)
{
   struct tg_gpu_shader *shader =
      make_shader(subject, text->data, text->length);
   struct tg_context *context = subject->context;
   const struct tg_draw_range range = {.count = 3};
   const struct tg_box pixel = {.width = 1, .height = 1, .depth = 1};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   uint32_t word;

   info.draws = &range;
   const bool is_good =
      shader &&
      tg_context_set_shader(context, TG_GPU_VERTEX,
                            is_vert ? shader : subject->stand_ins[0],
                            NULL) == TG_OK &&
      tg_context_set_shader(context, TG_GPU_FRAGMENT,
                            is_vert ? subject->stand_ins[1] : shader,
                            NULL) == TG_OK &&
      tg_context_draw(context, &info, NULL) == TG_OK &&
      tg_context_read(context, subject->color, 0, 0, &pixel, &word, 0, 0) ==
         TG_OK;
   tg_gpu_shader_destroy(shader);
   return is_good;
}

static bool
run(const struct subject *subject, const struct bench_text *text,
    struct tg_bindings *bindings)
{
   struct tg_shader *shader = parse(text->data, text->length);
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct tg_program *program = NULL;
   struct tg_run *wave = NULL;

   options.executor = subject->executor;
   const bool is_good =
      shader &&
      tg_program_create(NULL, shader, &options, NULL, &program) == TG_OK &&
      tg_run_create(program, TG_MAX_LANES, &wave) == TG_OK;
   if (is_good) {
      tg_run_set_bindings(wave, bindings);
      tg_run_execute(wave, NULL); /* a loop may be too long */
   }
   tg_run_destroy(wave);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
   return is_good;
}

/* Milliseconds; 0: the shader draws nothing here. */
static double
measure(const struct subject *subject, const struct bench_text *text)
{
   const bool is_vert = strncmp(text->name, "vert", 4) == 0;
   const bool is_drawn = is_vert || strncmp(text->name, "frag", 4) == 0;
   struct tg_bindings *bindings = views_bindings_for(text->data);

   require(bindings, "no bindings");
   tg_context_set_bindings(subject->context, TG_GPU_VERTEX,
                           is_vert ? bindings : NULL);
   tg_context_set_bindings(subject->context, TG_GPU_FRAGMENT,
                           is_vert ? NULL : bindings);
   const double first = bench_now();
   const bool is_good =
      is_drawn ? draw(subject, text, is_vert) : run(subject, text, bindings);
   const double milliseconds = (bench_now() - first) * 1e3;
   tg_bindings_destroy(bindings);
   return is_good ? milliseconds : 0;
}

/* ---- distributions ------------------------------------------------------- */

static double
code_seconds(const struct subject *subject, uint64_t *compiled_out)
{
   struct tg_code_statistics statistics = TG_CODE_STATISTICS_INIT;

   tg_device_get_code_statistics(subject->device, &statistics);
   *compiled_out = statistics.compiled;
   return statistics.seconds;
}

static void
print_distribution(const char *executor, const char *what, double *values,
                   size_t num)
{
   double sum = 0;

   if (!num)
      return;
   for (size_t i = 0; i < num; i++)
      sum += values[i];
   bench_sort(values, num);
   printf("%-14s%-24s%6zu%10.2f%10.2f%10.2f%10.2f%11.0f\n", executor, what, num,
          values[num / 2], values[num * 9 / 10], values[num * 99 / 100],
          values[num - 1], sum);
}

static void
measure_all(const char *executor)
{
   static double pixels[BENCH_MAX_TEXTS], codes[BENCH_MAX_TEXTS];
   struct subject subject;
   size_t num_pixels = 0, num_codes = 0;

   begin(&subject, executor);
   for (size_t i = 0; i < num_texts; i++) {
      uint64_t compiled, before;
      const double began = code_seconds(&subject, &before);
      const double milliseconds = measure(&subject, &texts[i]);
      const double code = (code_seconds(&subject, &compiled) - began) * 1e3;

      if (milliseconds > 0)
         pixels[num_pixels++] = milliseconds;
      if (compiled > before)
         codes[num_codes++] = code;
      if (getenv("VERBOSE"))
         printf("%s %.3f %.3f\n", texts[i].name, milliseconds, code);
   }
   print_distribution(executor, "text to first pixel", pixels, num_pixels);
   print_distribution(executor, "code of draws", codes, num_codes);
   end(&subject);
}

/* Has this build, on this machine, an executor of the name? */
static bool
is_there(const char *executor)
{
   const char *name;

   for (unsigned i = 0; (name = tg_executor_name(i)); i++) {
      if (strcmp(name, executor) == 0)
         return true;
   }
   return false;
}

static void
measure_usual(void)
{
   static const char *const usual[] = {"interp", "x86", "auto", "jit"};

   for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++) {
      if (is_there(usual[i]))
         measure_all(usual[i]);
   }
}

int
main(int argc, char **argv)
{
   require(argc >= 2, "usage: bench_compile FOLDER [EXECUTOR...]");
   num_texts = bench_read_texts(argv[1], texts, 0);
   printf("%-14s%-24s%6s%10s%10s%10s%10s%11s\n", "executor", "milliseconds",
          "number", "median", "of 90 %", "of 99 %", "worst", "all");
   if (argc == 2)
      measure_usual();
   for (int i = 2; i < argc; i++)
      measure_all(argv[i]);
   return 0;
}
