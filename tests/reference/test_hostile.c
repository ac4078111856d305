/* SPDX-License-Identifier: MIT
 *
 * Input that means no good: what does not fit is refused by name, with nothing
 * drawn and nothing changed; what is odd but allowed is harmless.
 */
#include <limits.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../context.h"
#include "../state.h"
#include "../sweep.h"
#include "random.h"
#include "rig.h"

enum { SIZE = 32 };

static const char fragment_shader[] = "FRAG\n"
                                      "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                      "DCL OUT[0], COLOR\n"
                                      "MOV OUT[0], IN[0]\n"
                                      "END\n";

/* Patches as they come, one triangle each. */
static const char evaluation_shader[] = "TESS_EVAL\n"
                                        "PROPERTY TES_PRIM_MODE 4\n"
                                        "DCL IN[][0], POSITION\n"
                                        "DCL OUT[0], POSITION\n"
                                        "DCL OUT[1], GENERIC[0]\n"
                                        "MOV OUT[0], IN[0][0]\n"
                                        "MOV OUT[1], IN[0][0]\n"
                                        "END\n";

/* Four vertices where it has promised three. */
static const char geometry_shader[] =
   "GEOM\n"
   "PROPERTY GS_INPUT_PRIMITIVE TRIANGLES\n"
   "PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
   "PROPERTY GS_MAX_OUTPUT_VERTICES 3\n"
   "DCL IN[][0], POSITION\n"
   "DCL IN[][1], GENERIC[0]\n"
   "DCL OUT[0], POSITION\n"
   "DCL OUT[1], GENERIC[0]\n"
   "IMM[0] UINT32 {0, 0, 0, 0}\n"
   "IMM[1] FLT32 {1.0, -1.0, 0.0, 0.0}\n"
   "MOV OUT[1], IN[0][1]\n"
   "MOV OUT[0], IN[0][0]\n"
   "EMIT IMM[0].xxxx\n"
   "MOV OUT[1], IN[1][1]\n"
   "MOV OUT[0], IN[1][0]\n"
   "EMIT IMM[0].xxxx\n"
   "MOV OUT[1], IN[2][1]\n"
   "MOV OUT[0], IN[2][0]\n"
   "EMIT IMM[0].xxxx\n"
   "MOV OUT[0], IMM[1].xxzx\n"
   "EMIT IMM[0].xxxx\n"
   "END\n";

/* ---- a small picture ----------------------------------------------------- */

static const struct rig_vertex triangle[3] = {
   {.position = {-1, -1, 0, 1}, .attribute = {{1, 0, 0, 1}}},
   {.position = {1, -1, 0, 1}, .attribute = {{0, 1, 0, 1}}},
   {.position = {-1, 1, 0, 1}, .attribute = {{0, 0, 1, 1}}},
};

typedef float picture[SIZE][SIZE][4];

static void
start(struct rig *rig)
{
   const struct ref_setup setup = {
      .rasterizer = TG_RASTERIZER_INIT,
      .viewport = tg_viewport_of(SIZE, SIZE, false, false),
      .width = SIZE,
      .height = SIZE,
      .num_samples = 1,
   };
   rig_init(rig, 2);
   rig_set_shader(rig, TG_GPU_VERTEX, rig_plain_vertices);
   rig_set_shader(rig, TG_GPU_FRAGMENT, fragment_shader);
   rig_set_framebuffer(rig, &setup, "R32G32B32A32_FLOAT", NULL);
   rig_set_vertices(rig, triangle, 3);
   rig_clear(rig);
}

static void
draw_picture(struct rig *rig, picture image)
{
   rig_clear(rig);
   rig_draw(rig, TG_PRIM_TRIANGLES, 3);
   rig_read(rig, rig_color(rig), 0, image);
}

/* ---- what is refused ----------------------------------------------------- */

static enum tg_result
draw_with(struct rig *rig, void (*spoil)(struct rig *, struct tg_draw_info *))
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = &range;
   spoil(rig, &info);
   return tg_context_draw(rig->gpu, &info, rig->diagnostics);
}

#define DRAW(name, ...)                                                        \
   static void spoil_##name(struct rig *rig, struct tg_draw_info *info)        \
   {                                                                           \
      (void)rig;                                                               \
      __VA_ARGS__                                                              \
   }                                                                           \
   static enum tg_result name(struct rig *rig)                                 \
   {                                                                           \
      return draw_with(rig, spoil_##name);                                     \
   }

DRAW(draw_without_size, info->size = 0;)
DRAW(draw_of_no_mode, info->mode = 200;)
DRAW(draw_with_odd_indices, info->index_size = 3;)
DRAW(draw_without_indices, info->index_size = 4;)
DRAW(draw_with_a_texture_as_indices, info->index_size = 2;
     info->index_buffer = rig_color(rig);)
DRAW(draw_with_a_texture_as_arguments, info->indirect = rig_color(rig);)
DRAW(draw_of_too_much, info->instance_count = UINT32_MAX;)
DRAW(draw_of_patches_without_a_shader, info->mode = TG_PRIM_PATCHES;
     info->vertices_per_patch = 3;)

static enum tg_result
draw_patches(struct rig *rig, uint8_t size)
{
   const struct tg_draw_range range = {.count = 66};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   const int num_shaders = rig->num_shaders;
   rig_set_shader(rig, TG_GPU_TESS_EVAL, evaluation_shader);
   info.draws = &range;
   info.mode = TG_PRIM_PATCHES;
   info.vertices_per_patch = size;
   const enum tg_result result =
      tg_context_draw(rig->gpu, &info, rig->diagnostics);
   rig_expect_ok(rig,
                 tg_context_set_shader(rig->gpu, TG_GPU_TESS_EVAL, NULL, NULL));
   tg_gpu_shader_destroy(rig->shaders[num_shaders]);
   tg_shader_destroy(rig->sources[num_shaders]);
   rig->num_shaders = num_shaders;
   return result;
}

static enum tg_result
draw_patches_of_none(struct rig *rig)
{
   return draw_patches(rig, 0);
}

static enum tg_result
draw_patches_of_33(struct rig *rig)
{
   return draw_patches(rig, 33);
}

static enum tg_result
draw_without(struct rig *rig, enum tg_gpu_stage stage)
{
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   info.draws = &range;
   rig_expect_ok(
      rig, tg_context_set_shader(rig->gpu, stage, NULL, rig->diagnostics));
   const enum tg_result result =
      tg_context_draw(rig->gpu, &info, rig->diagnostics);
   rig_expect_ok(
      rig, tg_context_set_shader(rig->gpu, stage,
                                 rig->shaders[stage == TG_GPU_FRAGMENT ? 1 : 0],
                                 rig->diagnostics));
   return result;
}

static enum tg_result
draw_without_vertex_shader(struct rig *rig)
{
   return draw_without(rig, TG_GPU_VERTEX);
}

static enum tg_result
draw_without_fragment_shader(struct rig *rig)
{
   return draw_without(rig, TG_GPU_FRAGMENT);
}

static enum tg_result
shader_of_another_stage(struct rig *rig)
{
   return tg_context_set_shader(rig->gpu, TG_GPU_VERTEX, rig->shaders[1],
                                rig->diagnostics);
}

static enum tg_result
framebuffer_with(struct rig *rig,
                 void (*spoil)(struct rig *, struct tg_framebuffer_state *))
{
   struct tg_framebuffer_state framebuffer = rig->framebuffer;
   spoil(rig, &framebuffer);
   return tg_context_set_framebuffer(rig->gpu, &framebuffer, rig->diagnostics);
}

#define FRAMEBUFFER(name, ...)                                                 \
   static void spoil_##name(struct rig *rig,                                   \
                            struct tg_framebuffer_state *framebuffer)          \
   {                                                                           \
      (void)rig;                                                               \
      __VA_ARGS__                                                              \
   }                                                                           \
   static enum tg_result name(struct rig *rig)                                 \
   {                                                                           \
      return framebuffer_with(rig, spoil_##name);                              \
   }

FRAMEBUFFER(colour_too_small, framebuffer->width = SIZE + 1;)
FRAMEBUFFER(depth_too_small,
            framebuffer->depth_stencil =
               tg_surface_of(rig_texture(rig, "Z32_FLOAT", SIZE, SIZE - 1, 1));)
FRAMEBUFFER(colour_of_depth,
            framebuffer->colors[0] = tg_surface_of(rig_texture(rig, "Z32_FLOAT",
                                                               SIZE, SIZE, 1));)
FRAMEBUFFER(colour_of_blocks,
            framebuffer->colors[0] = tg_surface_of(rig_texture(rig, "DXT1_RGB",
                                                               SIZE, SIZE, 1));)
FRAMEBUFFER(depth_of_colours,
            framebuffer->depth_stencil = framebuffer->colors[0];)
FRAMEBUFFER(unlike_samples, framebuffer->depth_stencil = tg_surface_of(
                               rig_texture(rig, "Z32_FLOAT", SIZE, SIZE, 4));)
FRAMEBUFFER(too_many_colours,
            framebuffer->num_colors = TG_MAX_COLOR_BUFFERS + 1;)
FRAMEBUFFER(enormous_framebuffer, framebuffer->num_colors = 0;
            framebuffer->height = TG_MAX_FRAMEBUFFER_SIZE + 1;)
FRAMEBUFFER(three_samples, framebuffer->num_colors = 0;
            framebuffer->samples = 3;)
FRAMEBUFFER(missing_level, framebuffer->colors[0].level = 1;)
FRAMEBUFFER(missing_layer, framebuffer->colors[0].last_layer = 1;)

#define RASTERIZER(name, member, value)                                        \
   static enum tg_result name(struct rig *rig)                                 \
   {                                                                           \
      struct tg_rasterizer_state state = TG_RASTERIZER_INIT;                   \
      state.member = value;                                                    \
      return bind_rasterizer(rig->gpu, &state, rig->diagnostics);              \
   }

RASTERIZER(odd_cull_face, cull_face, 4)
RASTERIZER(odd_fill_front, fill_front, 3)
RASTERIZER(odd_fill_back, fill_back, 255)
RASTERIZER(odd_sprite_mode, sprite_coord_mode, 2)
RASTERIZER(endless_line_width, line_width, INFINITY)
RASTERIZER(no_point_size, point_size, NAN)

#define TESTS(name, member, value)                                             \
   static enum tg_result name(struct rig *rig)                                 \
   {                                                                           \
      struct tg_depth_stencil_alpha_state state = {.size = sizeof(state),      \
                                                   .depth_func = 7};           \
      state.member = value;                                                    \
      return bind_depth_stencil_alpha(rig->gpu, &state, rig->diagnostics);     \
   }

TESTS(odd_depth_func, depth_func, 8)
TESTS(odd_alpha_func, alpha_func, 8)
TESTS(odd_stencil_func, stencil[0].func, 8)
TESTS(odd_zpass_op, stencil[1].zpass_op, 8)

#define BLEND(name, ...)                                                       \
   static enum tg_result name(struct rig *rig)                                 \
   {                                                                           \
      struct tg_blend_state blend = {                                          \
         .size = sizeof(blend),                                                \
         .targets = {{.blend_enable = true, .colormask = TG_CHANNEL_RGBA}}};   \
      __VA_ARGS__                                                              \
      return bind_blend(rig->gpu, &blend, rig->diagnostics);                   \
   }

BLEND(odd_factor, blend.targets[0].rgb_src_factor = 0x16;)
BLEND(odd_blend_func, blend.targets[0].alpha_func = 5;)
BLEND(odd_logic_op, blend.logicop_func = 16;)
BLEND(odd_target, blend.independent_blend_enable = true;
      blend.targets[7].colormask = 16;)

static enum tg_result
too_many_viewports(struct rig *rig)
{
   const struct tg_viewport viewports[2] = {{{1, 1, 1}, {0}}};
   return tg_context_set_viewports(rig->gpu, TG_MAX_VIEWPORTS - 1, 2, viewports,
                                   rig->diagnostics);
}

static enum tg_result
wrapped_viewports(struct rig *rig)
{
   const struct tg_viewport viewports[2] = {{{1, 1, 1}, {0}}};
   return tg_context_set_viewports(rig->gpu, UINT_MAX, 2, viewports,
                                   rig->diagnostics);
}

static enum tg_result
endless_viewport(struct rig *rig)
{
   const struct tg_viewport viewports[2] = {{{1, 1, 1}, {0}},
                                            {{NAN, 1, 1}, {0}}};
   return tg_context_set_viewports(rig->gpu, 0, 2, viewports, rig->diagnostics);
}

static enum tg_result
too_many_scissors(struct rig *rig)
{
   const struct tg_scissor scissors[2] = {{0}};
   return tg_context_set_scissors(rig->gpu, TG_MAX_VIEWPORTS, 1, scissors,
                                  rig->diagnostics);
}

static enum tg_result
too_many_elements(struct rig *rig)
{
   static const struct tg_vertex_element elements[TG_MAX_VERTEX_ELEMENTS + 1];
   return bind_vertex_elements(rig->gpu, TG_MAX_VERTEX_ELEMENTS + 1, elements,
                               rig->diagnostics);
}

static enum tg_result
element_of_no_format(struct rig *rig)
{
   const struct tg_vertex_element elements[1] = {{.format = UINT32_MAX}};
   return bind_vertex_elements(rig->gpu, 1, elements, rig->diagnostics);
}

static enum tg_result
element_of_no_buffer(struct rig *rig)
{
   const struct tg_vertex_element elements[1] = {
      {.format = tg_format_number("R32_FLOAT"),
       .vertex_buffer_index = TG_MAX_VERTEX_BUFFERS}};
   return bind_vertex_elements(rig->gpu, 1, elements, rig->diagnostics);
}

static enum tg_result
too_many_vertex_buffers(struct rig *rig)
{
   const struct tg_vertex_buffer buffers[2] = {{0}};
   return tg_context_set_vertex_buffers(rig->gpu, TG_MAX_VERTEX_BUFFERS - 1, 2,
                                        buffers, rig->diagnostics);
}

static enum tg_result
texture_as_vertices(struct rig *rig)
{
   const struct tg_vertex_buffer buffers[1] = {{.buffer = rig_color(rig)}};
   return tg_context_set_vertex_buffers(rig->gpu, 0, 1, buffers,
                                        rig->diagnostics);
}

static const struct {
   const char *name;
   enum tg_result (*call)(struct rig *rig);
   const char *said; /* a part of the message */
} refusals[] = {
#define REFUSAL(name, said)                                                    \
   {                                                                           \
#name, name, said                                                        \
   }
   REFUSAL(draw_without_size, "draw"),
   REFUSAL(draw_of_no_mode, "mode"),
   REFUSAL(draw_with_odd_indices, "index_size is 3"),
   REFUSAL(draw_without_indices, "indices"),
   REFUSAL(draw_with_a_texture_as_indices, "indices"),
   REFUSAL(draw_with_a_texture_as_arguments, "indirect"),
   REFUSAL(draw_of_too_much, "instances"),
   REFUSAL(draw_of_patches_without_a_shader, "patches"),
   REFUSAL(draw_patches_of_none, "patch"),
   REFUSAL(draw_patches_of_33, "patch"),
   REFUSAL(draw_without_vertex_shader, "vertex shader"),
   REFUSAL(draw_without_fragment_shader, "fragment shader"),
   REFUSAL(shader_of_another_stage, "vertex shader"),
   REFUSAL(colour_too_small, "colour 0"),
   REFUSAL(depth_too_small, "depth and stencil"),
   REFUSAL(colour_of_depth, "colour 0"),
   REFUSAL(colour_of_blocks, "colour 0"),
   REFUSAL(depth_of_colours, "depth and stencil"),
   REFUSAL(unlike_samples, "samples"),
   REFUSAL(too_many_colours, "9 colour buffers"),
   REFUSAL(enormous_framebuffer, "16385"),
   REFUSAL(three_samples, "3 samples"),
   REFUSAL(missing_level, "level 1"),
   REFUSAL(missing_layer, "layers 0 to 1"),
   REFUSAL(odd_cull_face, "cull_face"),
   REFUSAL(odd_fill_front, "fill_front"),
   REFUSAL(odd_fill_back, "fill_back"),
   REFUSAL(odd_sprite_mode, "sprite_coord_mode"),
   REFUSAL(endless_line_width, "line_width"),
   REFUSAL(no_point_size, "point_size"),
   REFUSAL(odd_depth_func, "depth_func"),
   REFUSAL(odd_alpha_func, "alpha_func"),
   REFUSAL(odd_stencil_func, "func"),
   REFUSAL(odd_zpass_op, "zpass_op"),
   REFUSAL(odd_factor, "factor"),
   REFUSAL(odd_blend_func, "alpha_func"),
   REFUSAL(odd_logic_op, "logicop_func"),
   REFUSAL(odd_target, "colormask"),
   REFUSAL(too_many_viewports, "viewports"),
   REFUSAL(wrapped_viewports, "viewports"),
   REFUSAL(endless_viewport, "viewport 1"),
   REFUSAL(too_many_scissors, "scissors"),
   REFUSAL(too_many_elements, "vertex elements"),
   REFUSAL(element_of_no_format, "vertex element 0"),
   REFUSAL(element_of_no_buffer, "vertex element 0"),
   REFUSAL(too_many_vertex_buffers, "vertex buffers"),
   REFUSAL(texture_as_vertices, "vertex buffer 0"),
#undef REFUSAL
};

static void
expect_message(struct rig *rig, const char *name, const char *said)
{
   char *text = tg_diagnostics_text(rig->diagnostics);
   assert_non_null(text);
   if (tg_diagnostics_count(rig->diagnostics) != 1 || !strstr(text, said))
      fail_msg("%s: expected one message with \"%s\":\n%s", name, said, text);
   tg_string_free(text);
   tg_diagnostics_clear(rig->diagnostics);
}

static void
what_does_not_fit_is_refused_by_name(void **test)
{
   static picture empty, before, after;
   struct rig rig;
   (void)test;
   start(&rig);
   draw_picture(&rig, before);
   assert_memory_not_equal(before, empty, sizeof(before));
   for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
      rig_clear(&rig);
      const enum tg_result result = refusals[i].call(&rig);
      if (result == TG_OK)
         fail_msg("%s is not refused", refusals[i].name);
      expect_message(&rig, refusals[i].name, refusals[i].said);
      rig_read(&rig, rig_color(&rig), 0, after);
      assert_memory_equal(after, empty, sizeof(after));
      draw_picture(&rig, after);
      if (memcmp(after, before, sizeof(after)) != 0)
         fail_msg("%s has changed something", refusals[i].name);
   }
   rig_finish(&rig);
}

/* NULL puts back what was there at first. */
static void
nothing_is_something_to_set(void **test)
{
   struct rig rig;
   struct tg_context *gpu;
   (void)test;
   start(&rig);
   gpu = rig.gpu;
   tg_context_set_blend_color(gpu, NULL);
   tg_context_set_stencil_ref(gpu, NULL);
   tg_context_set_clip_planes(gpu, NULL);
   tg_context_set_polygon_stipple(gpu, NULL);
   tg_context_set_tess_levels(gpu, NULL, NULL);
   rig_expect_ok(&rig, tg_context_bind_blend(gpu, NULL, rig.diagnostics));
   rig_expect_ok(&rig, tg_context_bind_rasterizer(gpu, NULL, rig.diagnostics));
   rig_expect_ok(
      &rig, tg_context_bind_depth_stencil_alpha(gpu, NULL, rig.diagnostics));
   rig_expect_ok(&rig,
                 tg_context_set_viewports(gpu, 0, 16, NULL, rig.diagnostics));
   rig_expect_ok(&rig,
                 tg_context_set_scissors(gpu, 0, 16, NULL, rig.diagnostics));
   rig_expect_ok(&rig,
                 tg_context_bind_vertex_elements(gpu, NULL, rig.diagnostics));
   rig_expect_ok(
      &rig, tg_context_set_vertex_buffers(gpu, 0, 32, NULL, rig.diagnostics));
   rig_expect_ok(&rig, tg_context_set_framebuffer(gpu, NULL, rig.diagnostics));
   rig_draw(&rig, TG_PRIM_TRIANGLES, 3);
   rig_finish(&rig);
}

/* ---- what is harmless ---------------------------------------------------- */

/* Of three vertices each is spoilt once, in each coordinate. */
static void
odd_positions_draw_nothing(void **test)
{
   static const float odd[] = {NAN, -NAN, INFINITY, -INFINITY};
   static const enum tg_prim modes[] = {TG_PRIM_TRIANGLES, TG_PRIM_LINES,
                                        TG_PRIM_POINTS};
   static picture empty, image;
   struct rig rig;
   (void)test;
   start(&rig);
   const int first_resource = rig.num_resources;
   for (int n = 0; n < 4 * 4 * 3 * 3; n++) {
      const int mode = n / 48, num_vertices = 3 - mode;
      struct rig_vertex vertices[3];
      memcpy(vertices, triangle, sizeof(vertices));
      vertices[n / 16 % num_vertices].position[n / 4 % 4] = odd[n % 4];
      rig_clear(&rig);
      rig_set_vertices(&rig, &vertices[0], (size_t)num_vertices);
      rig_draw(&rig, modes[mode], (uint32_t)num_vertices);
      rig_read(&rig, rig_color(&rig), 0, image);
      assert_memory_equal(image, empty, sizeof(image));
      rig_drop_resources(&rig, first_resource);
   }
   rig_finish(&rig);
}

static float
enormous(uint64_t *seed)
{
   static const float values[] = {
      3.402823466e38f, -3.402823466e38f, 1e20f,  -1e20f, 1e6f, -1e6f,
      1e-40f,          -1e-40f,          0.0f,   -0.0f,  1.0f, -1.0f,
      0x1p24f,         -0x1p24f,         1e-30f, 0.5f,
   };
   return values[random_below(seed, sizeof(values) / sizeof(values[0]))];
}

static void
enormous_positions_are_harmless(void **test)
{
   enum { COUNT = 300 };
   static struct rig_vertex vertices[COUNT];
   uint64_t seed = 77;
   struct rig rig;
   (void)test;
   start(&rig);
   for (int i = 0; i < COUNT; i++) {
      for (int c = 0; c < 4; c++) {
         vertices[i].position[c] = enormous(&seed);
         vertices[i].attribute[0][c] = enormous(&seed);
      }
   }
   rig_set_vertices(&rig, vertices, COUNT);
   for (int mode = 0; mode < TG_PRIM_PATCHES; mode++) {
      for (int smooth = 0; smooth < 2; smooth++) {
         struct tg_rasterizer_state state = TG_RASTERIZER_INIT;
         state.line_smooth = state.point_smooth = state.poly_smooth = smooth;
         state.line_width = state.point_size = 3.402823466e38f;
         state.line_stipple_enable = true;
         state.line_stipple_pattern = 0x5555;
         rig_expect_ok(&rig, bind_rasterizer(rig.gpu, &state, rig.diagnostics));
         rig_draw(&rig, (enum tg_prim)mode, COUNT);
      }
   }
   rig_finish(&rig);
}

static void
without_area_there_is_nothing(void **test)
{
   static picture empty, image;
   struct rig_vertex vertices[3];
   struct rig rig;
   (void)test;
   start(&rig);
   memcpy(vertices, triangle, sizeof(vertices));
   for (int i = 0; i < 3; i++) {
      vertices[i].position[0] = (float)i / 3;
      vertices[i].position[1] = (float)i / 3;
   }
   rig_set_vertices(&rig, vertices, 3);
   draw_picture(&rig, image);
   assert_memory_equal(image, empty, sizeof(image));
   rig_finish(&rig);
}

/* The fourth vertex is not there; the picture is the triangle's. */
static void
geometry_beyond_its_maximum_is_left_out(void **test)
{
   static picture expected, image;
   struct rig rig;
   (void)test;
   start(&rig);
   draw_picture(&rig, expected);
   rig_set_shader(&rig, TG_GPU_GEOMETRY, geometry_shader);
   draw_picture(&rig, image);
   assert_memory_equal(image, expected, sizeof(image));
   rig_finish(&rig);
}

/* ---- memory that runs out ------------------------------------------------ */

static enum tg_result
draw_in(struct tg_context *gpu, struct tg_gpu_shader *const shaders[3],
        const struct rig *rig)
{
   const struct tg_vertex_element elements[6] = {
      {.format = tg_format_number("R32G32B32A32_FLOAT")}};
   const struct tg_draw_range range = {.count = 6};
   const struct tg_viewport viewport = tg_viewport_of(SIZE, SIZE, 0, 0);
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   enum tg_result result =
      tg_context_set_framebuffer(gpu, &rig->framebuffer, NULL);
   info.draws = &range;
   for (int i = 0; i < 3 && result == TG_OK; i++)
      result =
         tg_context_set_shader(gpu, (enum tg_gpu_stage)i, shaders[i], NULL);
   if (result == TG_OK)
      result = tg_context_set_viewports(gpu, 0, 1, &viewport, NULL);
   if (result == TG_OK)
      result = bind_vertex_elements(gpu, 1, elements, NULL);
   if (result == TG_OK)
      result = tg_context_draw(gpu, &info, NULL);
   const enum tg_result finished = tg_context_finish(gpu, NULL);
   return result != TG_OK ? result : finished;
}

static const struct rig *sweep_rig;

static enum tg_result
make_all_and_draw(const struct tg_allocator *allocator)
{
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;
   struct tg_gpu_shader *shaders[3] = {NULL};
   struct tg_context *gpu;
   options.num_threads = 1;
   enum tg_result result = context_alone(allocator, &options, NULL, &gpu);
   if (result != TG_OK)
      return result;
   for (int i = 0; i < 3 && result == TG_OK; i++)
      result =
         tg_gpu_shader_create(tg_context_get_device(gpu), sweep_rig->sources[i],
                              NULL, NULL, &shaders[i]);
   if (result == TG_OK)
      result = draw_in(gpu, shaders, sweep_rig);
   for (int i = 0; i < 3; i++)
      tg_gpu_shader_destroy(shaders[i]);
   tg_context_destroy(gpu);
   return result;
}

static void
memory_may_run_out_anywhere(void **test)
{
   struct rig rig;
   (void)test;
   start(&rig);
   rig_set_shader(&rig, TG_GPU_GEOMETRY, geometry_shader);
   sweep_rig = &rig;
   sweep(make_all_and_draw);
   rig_finish(&rig);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_does_not_fit_is_refused_by_name),
      cmocka_unit_test(nothing_is_something_to_set),
      cmocka_unit_test(odd_positions_draw_nothing),
      cmocka_unit_test(enormous_positions_are_harmless),
      cmocka_unit_test(without_area_there_is_nothing),
      cmocka_unit_test(geometry_beyond_its_maximum_is_left_out),
      cmocka_unit_test(memory_may_run_out_anywhere),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
