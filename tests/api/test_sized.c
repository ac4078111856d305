/* SPDX-License-Identifier: MIT
 *
 * Public structs that begin with their size: how much of them is read and
 * written, and which sizes are refused, by every function that takes one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../context.h"
#include "../state.h"
#include "util/sized.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- a struct that has grown --------------------------------------------- */

struct version_1 {
   size_t size;
   uint32_t a, b;
};

struct version_2 {
   size_t size;
   uint32_t a, b;
   uint64_t c;
};

static const struct tg_sized grown = {
   "grown", "GROWN_INIT", sizeof(struct version_1), sizeof(struct version_2)};

static const struct version_2 usual = {sizeof(usual), 1, 2, 3};

/* In memory of its own size, so that a sanitizer sees what goes beyond. */
static void *
heap_copy(const void *bytes, size_t size)
{
   void *copy = malloc(size);

   assert_non_null(copy);
   return memcpy(copy, bytes, size);
}

static void
takes_an_older_struct(void **state)
{
   const struct version_1 old = {sizeof(old), 10, 20};
   struct version_1 *given = heap_copy(&old, sizeof(old));
   struct version_2 whole = usual;

   (void)state;
   assert_int_equal(tg_sized_take(&grown, &whole, given, NULL), TG_OK);
   assert_int_equal(whole.size, sizeof(whole));
   assert_int_equal(whole.a, 10);
   assert_int_equal(whole.b, 20);
   assert_int_equal(whole.c, 3); /* as it usually is */
   free(given);
}

static void
takes_its_own_struct(void **state)
{
   const struct version_2 given = {sizeof(given), 10, 20, 30};
   struct version_2 whole = usual;

   (void)state;
   assert_int_equal(tg_sized_take(&grown, &whole, &given, NULL), TG_OK);
   assert_memory_equal(&whole, &given, sizeof(whole));
}

static void
gives_an_older_struct(void **state)
{
   const struct version_1 old = {sizeof(old), 0, 0};
   struct version_1 *given = heap_copy(&old, sizeof(old));

   (void)state;
   assert_int_equal(tg_sized_give(&grown, &usual, given), TG_OK);
   assert_int_equal(given->size, sizeof(*given));
   assert_int_equal(given->a, 1);
   assert_int_equal(given->b, 2);
   free(given);
}

static void
expect_complaint(struct tg_diagnostics *diagnostics, const char *message)
{
   const struct tg_diagnostic *last = tg_diagnostics_get(diagnostics, 0);

   assert_int_equal(tg_diagnostics_count(diagnostics), 1);
   assert_string_equal(last->code, "size");
   assert_string_equal(last->message, message);
   tg_diagnostics_clear(diagnostics);
}

/* Of these there is no more than the size. */
static void
refuses_other_sizes(void **state)
{
   static const struct {
      size_t size;
      const char *message;
   } rows[] = {
      {0, "the size of a struct grown is 0; it is 24, as GROWN_INIT sets it"},
      {15, "the size of a struct grown is 15; it is 24, as GROWN_INIT sets it"},
      {25, "the size of a struct grown is 25; this library knows 24, the "
           "program is for a newer one"},
   };
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   (void)state;
   for (size_t i = 0; i < COUNT(rows); i++) {
      struct version_2 whole = usual;
      size_t *given = heap_copy(&rows[i].size, sizeof(size_t));

      assert_int_equal(tg_sized_take(&grown, &whole, given, diagnostics),
                       TG_ERROR_INPUT);
      assert_memory_equal(&whole, &usual, sizeof(whole));
      expect_complaint(diagnostics, rows[i].message);
      assert_int_equal(tg_sized_give(&grown, &usual, given), TG_ERROR_INPUT);
      assert_int_equal(*given, rows[i].size);
      free(given);
   }
   tg_diagnostics_destroy(diagnostics);
}

/* ---- those that there are ------------------------------------------------ */

/* What the functions work with. */
struct world {
   struct tg_diagnostics *said;
   struct tg_bindings *bindings;
   struct tg_context *gpu;
   struct tg_shader *vertex, *compute;
   struct tg_program *program;
   struct tg_tegra_program *tegra;
   struct tg_maxwell_program *maxwell;
   struct tg_code_cache *code_cache;
   struct tg_profile *profile;
};

/* Calls a function with a struct; most of them are told apart by it. */
#define CALL(type, call)                                                       \
   static enum tg_result call_##type(const struct world *world, void *given)   \
   {                                                                           \
      (void)world;                                                             \
      return call;                                                             \
   }

/* Where what would be made goes, which is nothing. */
static void *made;

/* What structs go with. */
static const struct tg_resource_desc some_buffer = TG_RESOURCE_DESC_INIT;

CALL(tg_resource_desc,
     tg_resource_create(NULL, given, world->said, (struct tg_resource **)&made))
CALL(tg_resource_memory,
     tg_resource_create_from_memory(NULL, &some_buffer, given, world->said,
                                    (struct tg_resource **)&made))
CALL(tg_sampler_desc,
     tg_sampler_create(NULL, given, world->said, (struct tg_sampler **)&made))
CALL(tg_program_options,
     tg_program_create(NULL, world->vertex, given, world->said,
                       (struct tg_program **)&made))
CALL(tg_grid, tg_dispatch(world->program, NULL, given, world->said))
CALL(tg_device_options,
     tg_device_create(NULL, given, (struct tg_device **)&made))
CALL(tg_context_options, tg_context_create(tg_context_get_device(world->gpu),
                                           given, (struct tg_context **)&made))
CALL(tg_stream_output_info,
     tg_gpu_shader_create(tg_context_get_device(world->gpu), world->vertex,
                          given, world->said, (struct tg_gpu_shader **)&made))
CALL(tg_blend_state, bind_blend(world->gpu, given, world->said))
CALL(tg_rasterizer_state, bind_rasterizer(world->gpu, given, world->said))
CALL(tg_depth_stencil_alpha_state,
     bind_depth_stencil_alpha(world->gpu, given, world->said))
CALL(tg_framebuffer_state,
     tg_context_set_framebuffer(world->gpu, given, world->said))
CALL(tg_draw_info, tg_context_draw(world->gpu, given, world->said))
CALL(tg_clear_info, tg_context_clear_surface(world->gpu, given, world->said))
CALL(tg_blit_info, tg_context_blit(world->gpu, given, world->said))
CALL(tg_context_statistics, tg_context_get_statistics(world->gpu, given))
CALL(tg_code_cache_options,
     tg_code_cache_create(NULL, given, world->said,
                          (struct tg_code_cache **)&made))
CALL(tg_code_cache_statistics,
     tg_code_cache_get_statistics(world->code_cache, given))
CALL(tg_code_statistics,
     tg_device_get_code_statistics(tg_context_get_device(world->gpu), given))
CALL(tg_context_fault, tg_context_take_fault(world->gpu, given))
CALL(tg_caps, tg_device_get_caps(tg_context_get_device(world->gpu), given))
CALL(tg_pixel_counters, tg_context_set_pixel_counters(world->gpu, given))
CALL(tg_tegra_batch, tg_tegra_run(world->tegra, given, world->said))
CALL(tg_tegra_compile_options,
     tg_tegra_compile(NULL, world->vertex, given, world->said,
                      (struct tg_tegra_program **)&made))
CALL(tg_maxwell_warp,
     tg_maxwell_run(NULL, world->maxwell, given, NULL, NULL, world->said))
CALL(tg_work_options, tg_work_create(NULL, given, (struct tg_work **)&made))
CALL(tg_profile_options,
     tg_profile_create(NULL, given, (struct tg_profile **)&made))
CALL(tg_profile_total,
     tg_profile_get_total(world->profile, TG_PROFILE_DRAW, given))
CALL(tg_profile_counters, tg_profile_get_counters(world->profile, given))
CALL(tg_maxwell_lower_options,
     tg_maxwell_lower(NULL, world->vertex, given, world->said,
                      (struct tg_maxwell_lowering **)&made))

static const struct row {
   const struct tg_sized *sized;
   enum tg_result (*call)(const struct world *world, void *given);
} rows[] = {
#define SIZED(type, last, init) {&type##_sized, call_##type},
#include "util/sized.def"
};

static void
expect_refusal(const struct world *world, const struct row *row, size_t size,
               const char *rest)
{
   void *given = heap_copy(&size, sizeof(size));
   char message[200];

   made = NULL;
   assert_int_equal(row->call(world, given), TG_ERROR_INPUT);
   assert_null(made);
   free(given);
   if (tg_diagnostics_count(world->said) == 0)
      return; /* no diagnostics are passed */
   snprintf(message, sizeof(message), "the size of a struct %s is %zu; %s",
            row->sized->name, size, rest);
   expect_complaint(world->said, message);
}

static void
refuses_each(const struct world *world, const struct row *row)
{
   char rest[160];

   assert_true(row->sized->first > sizeof(size_t));
   assert_true(row->sized->first <= row->sized->size);
   snprintf(rest, sizeof(rest), "it is %zu, as %s sets it", row->sized->size,
            row->sized->init);
   expect_refusal(world, row, 0, rest);
   expect_refusal(world, row, row->sized->first - 1, rest);
   snprintf(rest, sizeof(rest),
            "this library knows %zu, the program is for a newer one",
            row->sized->size);
   expect_refusal(world, row, row->sized->size + 1, rest);
   expect_refusal(world, row, SIZE_MAX, rest);
}

static struct tg_shader *
parse(const char *text)
{
   struct tg_shader *shader;

   assert_int_equal(tg_shader_parse(NULL, "test", text, strlen(text),
                                    TG_DIALECT_2019, NULL, &shader),
                    TG_OK);
   return shader;
}

static void
every_function_refuses(void **state)
{
   static const char maxwell[] = "TEXS R2, R0, R4, R5, 0x28, 2D, RGBA;\n";
   static const uint32_t tegra[4] = {0};
   char folder[] = "/tmp/test-sized-XXXXXX";
   struct tg_code_cache_options cache_options = TG_CODE_CACHE_OPTIONS_INIT;
   struct world world = {
      .said = tg_diagnostics_create(NULL),
      .vertex = parse("VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n"
                      "MOV OUT[0], IN[0]\nEND\n"),
      .compute = parse("COMP\nEND\n"),
   };

   (void)state;
   assert_int_equal(tg_bindings_create(NULL, &world.bindings), TG_OK);
   assert_int_equal(context_alone(NULL, NULL, NULL, &world.gpu), TG_OK);
   assert_int_equal(
      tg_program_create(NULL, world.compute, NULL, NULL, &world.program),
      TG_OK);
   assert_int_equal(tg_tegra_decode(NULL, "test", tegra, 4, NULL, &world.tegra),
                    TG_OK);
   assert_int_equal(tg_maxwell_assemble(NULL, "test", maxwell,
                                        sizeof(maxwell) - 1, world.said,
                                        &world.maxwell),
                    TG_OK);
   cache_options.folder = mkdtemp(folder);
   assert_int_equal(
      tg_code_cache_create(NULL, &cache_options, world.said, &world.code_cache),
      TG_OK);
   assert_int_equal(tg_profile_create(NULL, NULL, &world.profile), TG_OK);
   tg_diagnostics_clear(world.said);
   for (size_t i = 0; i < COUNT(rows); i++)
      refuses_each(&world, &rows[i]);
   tg_profile_destroy(world.profile);
   tg_code_cache_destroy(world.code_cache);
   rmdir(folder);
   tg_maxwell_program_destroy(world.maxwell);
   tg_tegra_program_destroy(world.tegra);
   tg_program_destroy(world.program);
   tg_context_destroy(world.gpu);
   tg_bindings_destroy(world.bindings);
   tg_shader_destroy(world.compute);
   tg_shader_destroy(world.vertex);
   tg_diagnostics_destroy(world.said);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_an_older_struct),
      cmocka_unit_test(takes_its_own_struct),
      cmocka_unit_test(gives_an_older_struct),
      cmocka_unit_test(refuses_other_sizes),
      cmocka_unit_test(every_function_refuses),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
