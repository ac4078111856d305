/* SPDX-License-Identifier: MIT
 *
 * All memory goes through the caller's allocator: the linker points malloc()
 * and its kin, wherever the library calls them, at this file, which counts.
 * Then the same with the first allocation failing, the second, ...: what is
 * made is whole or not there, and all memory is given back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../context.h"
#include "tungsten/gpu.h"
#include "tungsten/maxwell.h"
#include "tungsten/tegra.h"

/* ---- malloc() ------------------------------------------------------------ */

static size_t strays; /* calls that went past the allocator */

void *
__real_realloc(void *ptr, size_t size);
void
__real_free(void *ptr);

void *
__wrap_malloc(size_t size);
void *
__wrap_calloc(size_t count, size_t size);
void *
__wrap_realloc(void *ptr, size_t size);
void
__wrap_free(void *ptr);
char *
__wrap_strdup(const char *text);
char *
__wrap_strndup(const char *text, size_t length);

void *
__wrap_malloc(size_t size)
{
   strays++;
   return __real_realloc(NULL, size);
}

void *
__wrap_calloc(size_t count, size_t size)
{
   void *memory = __wrap_malloc(count * size);

   return memory ? memset(memory, 0, count * size) : NULL;
}

void *
__wrap_realloc(void *ptr, size_t size)
{
   strays++;
   return __real_realloc(ptr, size);
}

void
__wrap_free(void *ptr)
{
   strays += ptr != NULL;
   __real_free(ptr);
}

char *
__wrap_strndup(const char *text, size_t length)
{
   const size_t size = strnlen(text, length);
   char *copy = __wrap_calloc(size + 1, 1);

   return copy ? memcpy(copy, text, size) : NULL;
}

char *
__wrap_strdup(const char *text)
{
   return __wrap_strndup(text, SIZE_MAX);
}

/* ---- the allocator ------------------------------------------------------- */

struct counter {
   size_t calls;  /* that asked for more memory */
   size_t fails;  /* the call that is refused, from 1 */
   size_t in_use; /* bytes */
};

static void *
count(void *user, void *ptr, size_t old_size, size_t new_size)
{
   struct counter *counter = user;

   if (new_size > old_size && ++counter->calls == counter->fails)
      return NULL;
   counter->in_use += new_size - old_size;
   if (new_size)
      return __real_realloc(ptr, new_size);
   __real_free(ptr);
   return NULL;
}

/* ---- TGSI ---------------------------------------------------------------- */

static const char vertex_text[] =
   "VERT\n"
   "DCL IN[0]\n"
   "DCL OUT[0], POSITION\n"
   "DCL OUT[1], GENERIC[0]\n"
   "DCL CONST[0]\n"
   "DCL TEMP[0]\n"
   "IMM[0] FLT32 {    1.0000,     0.5000,     0.0000,     0.1000}\n"
   "  0: MUL TEMP[0], IN[0], CONST[0]\n"
   "  1: MOV OUT[0], IN[0]\n"
   "  2: ADD OUT[1], TEMP[0], IMM[0]\n"
   "  3: END\n";

static const char fragment_text[] = "FRAG\n"
                                    "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                    "DCL OUT[0], COLOR\n"
                                    "DCL SAMP[0]\n"
                                    "DCL SVIEW[0], 2D, FLOAT\n"
                                    "  0: TEX OUT[0], IN[0], SAMP[0], 2D\n"
                                    "  1: END\n";

static enum tg_result
parse(const struct tg_allocator *allocator, const char *text,
      struct tg_shader **shader_out)
{
   *shader_out = NULL;
   enum tg_result result = tg_shader_parse(
      allocator, "text", text, strlen(text), TG_DIALECT_2019, NULL, shader_out);
   if (result == TG_OK)
      result = tg_shader_validate(*shader_out, NULL);
   return result;
}

/* A string that was given away is whole or not there. */
static enum tg_result
take(char *string)
{
   const bool is_there = string != NULL;

   assert_true(!is_there || *string);
   tg_string_free(string);
   return is_there ? TG_OK : TG_ERROR_MEMORY;
}

static enum tg_result
use_text(const struct tg_allocator *allocator)
{
   struct tg_shader *shader;
   enum tg_result result = parse(allocator, vertex_text, &shader);

   if (result == TG_OK)
      result = take(tg_shader_print(shader, 0));
   if (result == TG_OK)
      result = take(tg_shader_info_text(shader));
   if (result == TG_OK)
      result = take(tg_shader_info_json(shader));
   tg_shader_destroy(shader);
   return result;
}

static enum tg_result
use_tokens(const struct tg_allocator *allocator)
{
   struct tg_shader *shader, *again = NULL;
   uint32_t *words = NULL;
   size_t num_words;
   enum tg_result result = parse(allocator, vertex_text, &shader);

   if (result == TG_OK)
      result = tg_shader_encode(shader, TG_TOKENS_MESA_20_0, NULL, &words,
                                &num_words);
   if (result == TG_OK)
      result =
         tg_shader_decode(allocator, "words", words, num_words,
                          TG_TOKENS_MESA_20_0, TG_DIALECT_2019, NULL, &again);
   tg_shader_destroy(again);
   tg_tokens_free(words);
   tg_shader_destroy(shader);
   return result;
}

/* A complaint that there is no memory for is lost, which is no failure. */
static enum tg_result
use_diagnostics(const struct tg_allocator *allocator)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(allocator);
   struct tg_shader *shader = NULL;
   if (!diagnostics)
      return TG_ERROR_MEMORY;

   enum tg_result result =
      tg_shader_parse(allocator, "t", "FRAG\nMOW OUT[0]\nEND\n", 20,
                      TG_DIALECT_2019, diagnostics, &shader);
   assert_true(result == TG_ERROR_INPUT || result == TG_ERROR_MEMORY);
   if (result == TG_ERROR_INPUT)
      result = tg_diagnostics_count(diagnostics) ? TG_OK : TG_ERROR_MEMORY;
   if (result == TG_OK)
      result = take(tg_diagnostics_text(diagnostics));
   if (result == TG_OK)
      result = take(tg_diagnostics_json(diagnostics));
   tg_diagnostics_destroy(diagnostics);
   return result;
}

static enum tg_result
use_run(const struct tg_allocator *allocator)
{
   struct tg_shader *shader;
   struct tg_program *program = NULL;
   struct tg_run *run = NULL;
   enum tg_result result = parse(allocator, vertex_text, &shader);

   if (result == TG_OK)
      result = tg_program_create(allocator, shader, NULL, NULL, &program);
   if (result == TG_OK)
      result = tg_run_create(program, 16, &run);
   if (result == TG_OK)
      result = tg_run_execute(run, NULL);
   tg_run_destroy(run);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
   return result;
}

/* ---- the GPU ------------------------------------------------------------- */

struct scene {
   struct tg_shader *shader[2];
   struct tg_context *gpu;
   struct tg_gpu_shader *stage[2];
   struct tg_resource *target;
   struct tg_query *query;
};

static enum tg_result
make_scene(const struct tg_allocator *allocator, struct scene *scene)
{
   static const char *const texts[2] = {
      "VERT\nDCL SV[0], VERTEXID\nDCL OUT[0], POSITION\nDCL TEMP[0]\n"
      "U2F TEMP[0], SV[0].xxxx\nMOV OUT[0], TEMP[0]\nEND\n",
      "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 0, 0, 1}\n"
      "MOV OUT[0], IMM[0]\nEND\n",
   };
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = tg_format_number("R8G8B8A8_UNORM"),
      .width = 8,
      .height = 8,
      .samples = 1,
   };
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   options.num_threads = 1;
   enum tg_result result =
      context_alone(allocator, &options, NULL, &scene->gpu);

   for (unsigned i = 0; i < 2 && result == TG_OK; i++) {
      result = parse(allocator, texts[i], &scene->shader[i]);
      if (result == TG_OK)
         result = tg_gpu_shader_create(tg_context_get_device(scene->gpu),
                                       scene->shader[i], NULL, NULL,
                                       &scene->stage[i]);
   }
   if (result == TG_OK)
      result = tg_resource_create(allocator, &desc, NULL, &scene->target);
   if (result == TG_OK)
      result = tg_query_create(scene->gpu, TG_QUERY_OCCLUSION_COUNTER, 0, NULL,
                               &scene->query);
   return result;
}

static enum tg_result
draw_scene(struct scene *scene)
{
   struct tg_framebuffer_state framebuffer = {
      .size = sizeof(framebuffer),
      .width = 8,
      .height = 8,
      .layers = 1,
      .samples = 1,
      .num_colors = 1,
      .colors = {tg_surface_of(scene->target)},
   };
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.mode = TG_PRIM_TRIANGLES;
   info.instance_count = 1;
   info.draws = &range;
   info.num_draws = 1;
   enum tg_result result =
      tg_context_set_framebuffer(scene->gpu, &framebuffer, NULL);

   if (result == TG_OK)
      result = tg_context_set_shader(scene->gpu, TG_GPU_VERTEX, scene->stage[0],
                                     NULL);
   if (result == TG_OK)
      result = tg_context_set_shader(scene->gpu, TG_GPU_FRAGMENT,
                                     scene->stage[1], NULL);
   if (result == TG_OK)
      result = tg_query_begin(scene->query, NULL);
   if (result == TG_OK)
      result = tg_context_draw(scene->gpu, &info, NULL);
   const enum tg_result drawn = tg_context_finish(scene->gpu, NULL);
   return result == TG_OK ? drawn : result;
}

static enum tg_result
use_gpu(const struct tg_allocator *allocator)
{
   struct scene scene = {0};
   enum tg_result result = make_scene(allocator, &scene);

   if (result == TG_OK)
      result = draw_scene(&scene);
   tg_context_destroy(scene.gpu);
   tg_gpu_shader_destroy(scene.stage[1]);
   tg_gpu_shader_destroy(scene.stage[0]);
   tg_resource_destroy(scene.target);
   tg_shader_destroy(scene.shader[1]);
   tg_shader_destroy(scene.shader[0]);
   return result;
}

/* ---- Tegra --------------------------------------------------------------- */

static enum tg_result
run_tegra(const struct tg_allocator *allocator,
          const struct tg_tegra_program *program)
{
   uint32_t exports[16][4];
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(allocator);
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;
   batch.num_vertices = 1;
   batch.exports = exports[0];
   enum tg_result result = diagnostics ? TG_OK : TG_ERROR_MEMORY;

   if (result == TG_OK)
      result = tg_tegra_check(program, diagnostics);
   if (result == TG_OK)
      result = tg_tegra_run(program, &batch, diagnostics);
   tg_diagnostics_destroy(diagnostics);
   return result;
}

static enum tg_result
use_tegra_text(const struct tg_allocator *allocator)
{
   static const char text[] =
      ".uniforms\n[4] = \"scale\";\n.asm\n"
      "EXEC(export[0]=vector) MOVv r63.xyzw, a[0].xyzw;\n"
      "EXEC_END(export[1]=vector) MULv r63.xyzw, a[1].xyzw, c[4].xyzw;\n";
   struct tg_tegra_program *program = NULL;
   char *tgsi = NULL;
   enum tg_result result = tg_tegra_assemble(
      allocator, "text", text, sizeof(text) - 1, 0, NULL, &program);

   if (result == TG_OK)
      result = take(tg_tegra_print(program, TG_TEGRA_PRINT_LABELS));
   if (result == TG_OK)
      result = run_tegra(allocator, program);
   if (result == TG_OK)
      result = tg_tegra_decompile(allocator, program, NULL, &tgsi);
   if (result == TG_OK)
      result = take(tgsi);
   tg_tegra_program_destroy(program);
   return result;
}

static enum tg_result
use_tegra_streams(const struct tg_allocator *allocator)
{
   static const uint32_t words[] = {0x42050000, 0x22060004, 0x401f9c6c,
                                    0x0040010d, 0x8106c083, 0x6041ff9d};
   static const char log[] = "02d42054: 22060004: NONINCR(offset=206, "
                             "[401f9c6c, 0040010d, 8106c083, 6041ff9d])\n";
   struct tg_tegra_program *of_words = NULL, *of_log = NULL;
   enum tg_result result = tg_tegra_decode_host1x(
      allocator, "words", words, sizeof(words) / sizeof(words[0]), 0, NULL,
      &of_words);

   if (result == TG_OK)
      result = tg_tegra_decode_host1x_log(allocator, "log", log,
                                          sizeof(log) - 1, 0, NULL, &of_log);
   tg_tegra_program_destroy(of_log);
   tg_tegra_program_destroy(of_words);
   return result;
}

static void
ignore_step(void *user, const struct tg_tegra_compile_step *step)
{
   (void)user;
   (void)step;
}

static enum tg_result
use_tegra_compiler(const struct tg_allocator *allocator)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_tegra_program *program = NULL;
   struct tg_shader *shader;
   enum tg_result result = parse(allocator, vertex_text, &shader);

   options.trace = ignore_step;
   if (result == TG_OK)
      result = tg_tegra_compile(allocator, shader, &options, NULL, &program);
   tg_tegra_program_destroy(program);
   tg_shader_destroy(shader);
   return result;
}

/* ---- Maxwell ------------------------------------------------------------- */

static enum tg_result
run_maxwell(const struct tg_allocator *allocator,
            const struct tg_maxwell_program *program)
{
   static uint32_t registers[TG_MAXWELL_NUM_REGISTERS][TG_MAXWELL_NUM_THREADS];
   const struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   const struct tg_sampler_desc *samplers[1] = {&sampler};
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_2D,
      .format = tg_format_number("R8G8B8A8_UNORM"),
      .width = 4,
      .height = 4,
   };
   const uint32_t handles[64] = {0};
   struct tg_maxwell_warp warp = TG_MAXWELL_WARP_INIT;
   struct tg_resource *texture = NULL;
   enum tg_result result = tg_resource_create(allocator, &desc, NULL, &texture);
   if (result != TG_OK)
      return result;

   const struct tg_view_desc view = tg_view_desc_of(texture);
   const struct tg_view_desc *headers[1] = {&view};
   warp.registers = registers;
   warp.constants = handles;
   warp.num_constants = 64;
   warp.headers = headers;
   warp.samplers = samplers;
   warp.num_headers = warp.num_samplers = 1;
   result = tg_maxwell_run(allocator, program, &warp, NULL, NULL, NULL);
   tg_resource_destroy(texture);
   return result;
}

static enum tg_result
use_maxwell_text(const struct tg_allocator *allocator)
{
   static const char text[] = "TEXS.T R2, R0, R4, R5, 0x0, 2D, RGBA;\n";
   struct tg_maxwell_program *program = NULL;
   enum tg_result result = tg_maxwell_assemble(
      allocator, "text", text, sizeof(text) - 1, NULL, &program);

   if (result == TG_OK)
      result = take(tg_maxwell_print(program, 0));
   if (result == TG_OK)
      result = run_maxwell(allocator, program);
   tg_maxwell_program_destroy(program);
   return result;
}

/* What there is no row for: the complaint lists those that there are. */
static enum tg_result
use_maxwell_complaint(const struct tg_allocator *allocator)
{
   static const char text[] = "TEXS.DC R2, R0, R4, R5, 0x0, 3D, RGBA;\n";
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(allocator);
   struct tg_maxwell_program *program = NULL;
   if (!diagnostics)
      return TG_ERROR_MEMORY;

   enum tg_result result = tg_maxwell_assemble(
      allocator, "text", text, sizeof(text) - 1, diagnostics, &program);
   assert_null(program);
   const struct tg_diagnostic *made = tg_diagnostics_get(diagnostics, 0);
   if (result == TG_ERROR_INPUT)
      result = made && made->note && !strncmp(made->message, "TEXS", 4)
                  ? TG_OK
                  : TG_ERROR_MEMORY;
   tg_diagnostics_destroy(diagnostics);
   return result;
}

static enum tg_result
use_maxwell_lowering(const struct tg_allocator *allocator)
{
   struct tg_maxwell_lowering *lowering = NULL;
   struct tg_shader *shader;
   enum tg_result result = parse(allocator, fragment_text, &shader);

   if (result == TG_OK)
      result = tg_maxwell_lower(allocator, shader, NULL, NULL, &lowering);
   if (result == TG_OK)
      result = take(tg_maxwell_lowering_print(lowering));
   if (result == TG_OK)
      result = take(tg_maxwell_lowering_json(lowering));
   tg_maxwell_lowering_destroy(lowering);
   tg_shader_destroy(shader);
   return result;
}

/* ---- all of them --------------------------------------------------------- */

static enum tg_result (*const uses[])(const struct tg_allocator *allocator) = {
   use_text,
   use_tokens,
   use_diagnostics,
   use_run,
   use_gpu,
   use_tegra_text,
   use_tegra_streams,
   use_tegra_compiler,
   use_maxwell_text,
   use_maxwell_complaint,
   use_maxwell_lowering,
};

enum { NUM_USES = sizeof(uses) / sizeof(uses[0]) };

/* Refuses one allocation, counted from 1; 0: none. True if it came so far. */
static bool
use_with(unsigned number, size_t fails)
{
   struct counter counter = {.fails = fails};
   const struct tg_allocator allocator = {count, &counter};

   strays = 0;
   const enum tg_result result = uses[number](&allocator);
   const bool did_fail = fails && counter.calls >= fails;
   const enum tg_result expected = did_fail ? TG_ERROR_MEMORY : TG_OK;
   if (strays || counter.in_use || result != expected)
      print_error("use %u, allocation %zu\n", number, fails);
   assert_int_equal(strays, 0);
   assert_int_equal(counter.in_use, 0);
   assert_int_equal(result, expected);
   return did_fail;
}

static void
nothing_goes_past(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_USES; i++)
      use_with(i, 0);
}

static void
failures_leave_nothing(void **state)
{
   enum { PLENTY = 100000 };

   (void)state;
   for (unsigned i = 0; i < NUM_USES; i++) {
      size_t fails = 1;

      while (fails < PLENTY && use_with(i, fails))
         fails++;
      assert_in_range(fails, 2, PLENTY - 1);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_goes_past),
      cmocka_unit_test(failures_leave_nothing),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
