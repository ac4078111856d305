/* SPDX-License-Identifier: MIT
 *
 * All stages of a draw together: when memory runs out, when what one primitive
 * becomes is more than memory should hold, and when many threads make what has
 * an order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../context.h"
#include "../state.h"
#include "tgsi/shader/shader.h"
#include "tungsten/gpu.h"

static const char vertex_text[] = "VERT\n"
                                  "DCL IN[0]\n"
                                  "DCL OUT[0], GENERIC[0]\n"
                                  "MOV OUT[0], IN[0]\n"
                                  "END\n";

static const char control_text[] = "TESS_CTRL\n"
                                   "PROPERTY TCS_VERTICES_OUT 2\n"
                                   "DCL IN[][0], GENERIC[0]\n"
                                   "DCL OUT[][0], GENERIC[0]\n"
                                   "DCL OUT[1], TESSOUTER\n"
                                   "DCL SV[0], INVOCATIONID\n"
                                   "DCL ADDR[0]\n"
                                   "IMM[0] FLT32 {2.0, 2.0, 2.0, 2.0}\n"
                                   "UARL ADDR[0].x, SV[0].xxxx\n"
                                   "MOV OUT[ADDR[0].x][0], IN[0][0]\n"
                                   "BARRIER\n"
                                   "MOV OUT[1], IMM[0]\n"
                                   "END\n";

/* Level 2 lines of 2 pieces: 6 points, 4 lines. */
static const char evaluation_text[] = "TESS_EVAL\n"
                                      "PROPERTY TES_PRIM_MODE 1\n"
                                      "PROPERTY TES_SPACING 2\n"
                                      "DCL IN[][0], GENERIC[0]\n"
                                      "DCL OUT[0], GENERIC[0]\n"
                                      "MOV OUT[0], IN[1][0]\n"
                                      "END\n";

/* A point in the middle of the lower right pixel of 4 for each line. */
#define GEOMETRY_TEXT(input, invocations, count)                               \
   "GEOM\n"                                                                    \
   "PROPERTY GS_INPUT_PRIMITIVE " input "\n"                                   \
   "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"                                     \
   "PROPERTY GS_MAX_OUTPUT_VERTICES " count "\n"                               \
   "PROPERTY GS_INVOCATIONS " invocations "\n"                                 \
   "DCL IN[][0], GENERIC[0]\n"                                                 \
   "DCL OUT[0], POSITION\n"                                                    \
   "DCL TEMP[0]\n"                                                             \
   "IMM[0] UINT32 {0, 1, " count ", 0}\n"                                      \
   "IMM[1] FLT32 {0.5, 0.5, 0.0, 1.0}\n"                                       \
   "MOV OUT[0], IMM[1]\n"                                                      \
   "BGNLOOP\n"                                                                 \
   "USGE TEMP[0].y, TEMP[0].xxxx, IMM[0].zzzz\n"                               \
   "UIF TEMP[0].yyyy\n"                                                        \
   "BRK\n"                                                                     \
   "ENDIF\n"                                                                   \
   "EMIT IMM[0].xxxx\n"                                                        \
   "UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"                               \
   "ENDLOOP\n"                                                                 \
   "END\n"

static const char fragment_text[] = "FRAG\n"
                                    "DCL OUT[0], COLOR\n"
                                    "IMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n"
                                    "MOV OUT[0], IMM[0]\n"
                                    "END\n";

/* An allocator that counts what is held, and says no once. */
struct meter {
   size_t held, most; /* bytes */
   int until_fault;   /* allocations that still succeed; -1: all do */
};

static void *
metered_resize(void *user, void *ptr, size_t old_size, size_t new_size)
{
   struct meter *meter = user;
   if (new_size > 0 && meter->until_fault >= 0 && meter->until_fault-- == 0)
      return NULL;
   meter->held = meter->held - (ptr ? old_size : 0) + new_size;
   if (meter->held > meter->most)
      meter->most = meter->held;
   if (new_size)
      return realloc(ptr, new_size);
   free(ptr);
   return NULL;
}

/* ---- what is drawn with -------------------------------------------------- */

enum { MAX_SOURCES = 5, NUM_VERTICES = 3 };

static struct tg_shader *sources[MAX_SOURCES];
static struct tg_resource *color, *vertices, *streamed;

static struct tg_resource *
make_resource(uint32_t target, uint32_t format, uint32_t width, uint32_t height)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = target,
      .format = format,
      .width = width,
      .height = height,
   };
   struct tg_resource *resource;
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &resource), TG_OK);
   return resource;
}

static int
set_up(void **state)
{
   (void)state;
   color = make_resource(TG_TEXTURE_2D, TG_FORMAT_R32_FLOAT, 2, 2);
   vertices = make_resource(TG_TEXTURE_BUFFER, TG_FORMAT_NONE, 64, 0);
   streamed = make_resource(TG_TEXTURE_BUFFER, TG_FORMAT_NONE, 64, 0);
   return 0;
}

static int
tear_down(void **state)
{
   (void)state;
   for (unsigned i = 0; i < MAX_SOURCES; i++) {
      tg_shader_destroy(sources[i]);
      sources[i] = NULL;
   }
   tg_resource_destroy(color);
   tg_resource_destroy(vertices);
   tg_resource_destroy(streamed);
   return 0;
}

static void
parse(const char *const texts[MAX_SOURCES])
{
   for (unsigned i = 0; i < MAX_SOURCES && texts[i]; i++)
      assert_int_equal(tg_shader_parse(NULL, "test", texts[i], strlen(texts[i]),
                                       TG_DIALECT_2019, NULL, &sources[i]),
                       TG_OK);
}

static enum tg_gpu_stage
stage_of(const struct tg_shader *shader)
{
   switch (shader->processor) {
   case TG_PROCESSOR_FRAG: return TG_GPU_FRAGMENT;
   case TG_PROCESSOR_GEOM: return TG_GPU_GEOMETRY;
   case TG_PROCESSOR_TESS_CTRL: return TG_GPU_TESS_CTRL;
   case TG_PROCESSOR_TESS_EVAL: return TG_GPU_TESS_EVAL;
   default: return TG_GPU_VERTEX;
   }
}

/* Each point adds 1 to its pixel. */
static enum tg_result
set_state(struct tg_context *gpu)
{
   const struct tg_framebuffer_state framebuffer = {
      .size = sizeof(framebuffer),
      .width = 2,
      .height = 2,
      .num_colors = 1,
      .colors = {tg_surface_of(color)},
   };
   const struct tg_viewport viewport = tg_viewport_of(2, 2, false, false);
   const struct tg_vertex_buffer buffer = {.buffer = vertices, .stride = 4};
   const struct tg_vertex_element element = {.format = TG_FORMAT_R32_FLOAT};
   const struct tg_blend_state blend = {
      .size = sizeof(blend),
      .targets = {{
         .blend_enable = true,
         .rgb_src_factor = TG_BLEND_ONE,
         .rgb_dst_factor = TG_BLEND_ONE,
         .alpha_src_factor = TG_BLEND_ONE,
         .alpha_dst_factor = TG_BLEND_ONE,
         .colormask = TG_CHANNEL_RGBA,
      }},
   };
   enum tg_result result = tg_context_set_framebuffer(gpu, &framebuffer, NULL);
   if (result == TG_OK)
      result = tg_context_set_viewports(gpu, 0, 1, &viewport, NULL);
   if (result == TG_OK)
      result = bind_vertex_elements(gpu, 1, &element, NULL);
   if (result == TG_OK)
      result = tg_context_set_vertex_buffers(gpu, 0, 1, &buffer, NULL);
   return result == TG_OK ? bind_blend(gpu, &blend, NULL) : result;
}

/* Shaders and targets belong to the GPU, which destroys them. */
static enum tg_result
set_shaders(struct tg_context *gpu)
{
   static const struct tg_stream_output_info info = {
      .size = sizeof(info),
      .num_outputs = 1,
      .outputs = {{.num_components = 1}},
      .stride = {1},
   };
   struct tg_stream_target *target;
   enum tg_result result =
      tg_stream_target_create(gpu, streamed, 0, 64, NULL, &target);
   if (result == TG_OK)
      result = tg_context_set_stream_targets(gpu, 1, &target, NULL, NULL);
   for (unsigned i = 0; i < MAX_SOURCES && sources[i] && result == TG_OK; i++) {
      const enum tg_gpu_stage stage = stage_of(sources[i]);
      struct tg_gpu_shader *shader = NULL;
      result = tg_gpu_shader_create(tg_context_get_device(gpu), sources[i],
                                    stage == TG_GPU_GEOMETRY ? &info : NULL,
                                    NULL, &shader);
      if (result == TG_OK)
         result = tg_context_set_shader(gpu, stage, shader, NULL);
      tg_gpu_shader_destroy(shader);
   }
   return result;
}

static enum tg_result
draw(struct tg_context *gpu, enum tg_prim mode)
{
   const struct tg_draw_range range = {.count = NUM_VERTICES};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.mode = mode;
   info.vertices_per_patch = 1;
   info.draws = &range;
   const enum tg_result result = tg_context_draw(gpu, &info, NULL);
   const enum tg_result finished = tg_context_finish(gpu, NULL);
   return result != TG_OK ? result : finished;
}

static void
clear_color(void)
{
   static const float zeros[4];
   const struct tg_box box = {.width = 2, .height = 2, .depth = 1};
   assert_int_equal(tg_resource_write(color, 0, 0, &box, zeros, 0, 0), TG_OK);
}

static void
expect_points(float number)
{
   float pixels[4];
   const struct tg_box box = {.width = 2, .height = 2, .depth = 1};
   assert_int_equal(tg_resource_read(color, 0, 0, &box, pixels, 0, 0), TG_OK);
   assert_true(pixels[0] == 0.0f && pixels[1] == 0.0f && pixels[2] == 0.0f);
   assert_true(pixels[3] == number);
}

/* ---- memory -------------------------------------------------------------- */

static enum tg_result
draw_all(const struct tg_allocator *allocator, struct meter *meter,
         int until_fault)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_context *gpu;
   options.num_threads = 1;
   meter->until_fault = -1;
   assert_int_equal(context_alone(allocator, &options, NULL, &gpu), TG_OK);
   assert_int_equal(set_state(gpu), TG_OK);
   meter->until_fault = until_fault;
   enum tg_result result = set_shaders(gpu);
   if (result == TG_OK)
      result = draw(gpu, TG_PRIM_PATCHES);
   meter->until_fault = -1;
   assert_true(result == TG_OK || result == TG_ERROR_MEMORY);
   assert_int_equal(set_shaders(gpu), TG_OK);
   clear_color();
   assert_int_equal(draw(gpu, TG_PRIM_PATCHES), TG_OK);
   tg_context_destroy(gpu);
   return result;
}

/* 3 patches of 4 lines, 2 invocations of 3 points: 72. */
static void
test_memory(void **state)
{
   static const char *const texts[MAX_SOURCES] = {
      vertex_text, control_text, evaluation_text,
      GEOMETRY_TEXT("LINES", "2", "3"), fragment_text};
   struct meter meter = {0};
   const struct tg_allocator allocator = {metered_resize, &meter};
   enum tg_result result = TG_ERROR_MEMORY;
   int num_faults = 0;
   (void)state;
   parse(texts);
   for (; result != TG_OK; num_faults++) {
      assert_true(num_faults < 10000);
      result = draw_all(&allocator, &meter, num_faults);
      assert_int_equal(meter.held, 0);
      expect_points(72.0f);
   }
   assert_true(num_faults > 50);
}

/* ---- bounds -------------------------------------------------------------- */

/* 3 points with 100 invocations of 1024: 307,200 points, whose shapes take more
 * than 100 MB if all are there at once. */
static void
test_product(void **state)
{
   static const char *const texts[MAX_SOURCES] = {
      vertex_text, GEOMETRY_TEXT("POINTS", "100", "1024"), fragment_text};
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_context_statistics statistics = TG_CONTEXT_STATISTICS_INIT;
   struct meter meter = {.until_fault = -1};
   const struct tg_allocator allocator = {metered_resize, &meter};
   struct tg_context *gpu;
   (void)state;
   parse(texts);
   options.num_threads = 1;
   assert_int_equal(context_alone(&allocator, &options, NULL, &gpu), TG_OK);
   assert_int_equal(set_state(gpu), TG_OK);
   assert_int_equal(set_shaders(gpu), TG_OK);
   clear_color();
   assert_int_equal(draw(gpu, TG_PRIM_POINTS), TG_OK);
   expect_points(307200.0f);
   tg_context_get_statistics(gpu, &statistics);
   assert_int_equal(statistics.pipeline.gs_invocations, 300);
   assert_int_equal(statistics.pipeline.gs_primitives, 307200);
   assert_true(meter.most < 100 << 20);
   tg_context_destroy(gpu);
}

/* ---- order --------------------------------------------------------------- */

enum { NUM_INSTANCES = 50000, ROOM = 140001 };

/* An instance makes three points, of which the buffer gets the number of the
 * instance times 4, plus that of the point. */
static const char number_text[] = "VERT\n"
                                  "DCL SV[0], INSTANCEID\n"
                                  "DCL OUT[0], GENERIC[0]\n"
                                  "IMM[0] UINT32 {4, 0, 0, 0}\n"
                                  "UMUL OUT[0].x, SV[0].xxxx, IMM[0].xxxx\n"
                                  "END\n";
static const char triple_text[] = "GEOM\n"
                                  "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"
                                  "PROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                                  "PROPERTY GS_MAX_OUTPUT_VERTICES 1\n"
                                  "PROPERTY GS_INVOCATIONS 3\n"
                                  "DCL IN[][0], GENERIC[0]\n"
                                  "DCL SV[0], INVOCATIONID\n"
                                  "DCL OUT[0], POSITION\n"
                                  "IMM[0] UINT32 {0, 0, 0, 0}\n"
                                  "UADD OUT[0].x, IN[0][0].xxxx, SV[0].xxxx\n"
                                  "EMIT IMM[0].xxxx\n"
                                  "END\n";

static void
expect_numbers(unsigned num_threads)
{
   static uint32_t numbers[ROOM];
   const struct tg_draw_range range = {.count = 1};
   const struct tg_box box = {
      .width = sizeof(numbers), .height = 1, .depth = 1};
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_rasterizer_state rasterizer = TG_RASTERIZER_INIT;
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct tg_stream_target *target;
   struct tg_context *gpu;
   struct tg_resource *buffer =
      make_resource(TG_TEXTURE_BUFFER, TG_FORMAT_NONE, sizeof(numbers), 0);
   options.num_threads = num_threads;
   rasterizer.rasterizer_discard = true;
   info.mode = TG_PRIM_POINTS;
   info.draws = &range;
   info.instance_count = NUM_INSTANCES;
   assert_int_equal(context_alone(NULL, &options, NULL, &gpu), TG_OK);
   assert_int_equal(set_shaders(gpu), TG_OK);
   assert_int_equal(
      tg_stream_target_create(gpu, buffer, 0, sizeof(numbers), NULL, &target),
      TG_OK);
   assert_int_equal(tg_context_set_stream_targets(gpu, 1, &target, NULL, NULL),
                    TG_OK);
   assert_int_equal(bind_rasterizer(gpu, &rasterizer, NULL), TG_OK);
   assert_int_equal(tg_context_draw(gpu, &info, NULL), TG_OK);
   assert_int_equal(tg_resource_read(buffer, 0, 0, &box, numbers, 0, 0), TG_OK);
   for (uint32_t i = 0; i < ROOM; i++)
      assert_int_equal(numbers[i], i / 3 * 4 + i % 3);
   tg_context_destroy(gpu);
   tg_resource_destroy(buffer);
}

/* The first 140,001 points of 150,000 are written, as they came. */
static void
test_order(void **state)
{
   static const char *const texts[MAX_SOURCES] = {number_text, triple_text};
   (void)state;
   parse(texts);
   expect_numbers(1);
   expect_numbers(2);
   expect_numbers(3);
   expect_numbers(8);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
   const struct CMUnitTest tests[] = {TEST(test_memory), TEST(test_product),
                                      TEST(test_order)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
