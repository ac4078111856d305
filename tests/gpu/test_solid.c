/* SPDX-License-Identifier: MIT
 *
 * Solid fills: which shapes are filled without waves; and random draws leave
 * the same bytes, and as many samples that passed, as those whose pixels are
 * counted, which never are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "../state.h"
#include "format/format.h"
#include "pipe.h"
#include "resource/resource.h"
#include "util/length.h"

/* ---- shaders ------------------------------------------------------------- */

#define INPUT(interpolation) "FRAG\nDCL IN[0], GENERIC[0], " interpolation "\n"
#define COLOR "DCL OUT[0], COLOR\n"
#define MOVE "MOV OUT[0], IN[0]\nEND\n"

static const char linear[] = INPUT("LINEAR") COLOR MOVE;
static const char perspective[] = INPUT("PERSPECTIVE") COLOR MOVE;
static const char constant[] = INPUT("CONSTANT") COLOR MOVE;
static const char face[] = INPUT("LINEAR") "DCL IN[1], FACE, CONSTANT\n" COLOR
                                           "MUL OUT[0], IN[0], IN[1].xxxx\n"
                                           "END\n";
static const char primitive[] =
   INPUT("LINEAR") "DCL SV[0], PRIMID\n" COLOR "DCL TEMP[0]\n"
                   "U2F TEMP[0], SV[0].xxxx\n"
                   "ADD OUT[0], IN[0], TEMP[0]\n"
                   "END\n";
static const char placed[] = INPUT("LINEAR") "DCL IN[1], POSITION\n" COLOR
                                             "MUL OUT[0], IN[0], IN[1].xxxx\n"
                                             "END\n";
static const char placed_value[] =
   INPUT("LINEAR") "DCL SV[0], POSITION\n" COLOR "MUL OUT[0], IN[0], "
                   "SV[0].yyyy\n"
                   "END\n";
static const char lane[] =
   INPUT("LINEAR") "DCL SV[0], SUBGROUP_INVOCATION\n" COLOR "DCL TEMP[0]\n"
                   "U2F TEMP[0], SV[0].xxxx\n"
                   "ADD OUT[0], IN[0], TEMP[0]\n"
                   "END\n";
static const char discarding[] = INPUT("LINEAR") COLOR "KILL_IF IN[0]\n" MOVE;
static const char deep[] =
   INPUT("LINEAR") COLOR "DCL OUT[1], POSITION\n"
                         "MOV OUT[1].z, IN[0].xxxx\n" MOVE;
static const char masking[] = INPUT("LINEAR") COLOR
   "DCL OUT[1], SAMPLEMASK\nF2U OUT[1].x, IN[0].xxxx\n" MOVE;
static const char fetching[] = INPUT("LINEAR") COLOR "DCL TEMP[0]\n"
                                                     "FBFETCH TEMP[0], OUT[0]\n"
                                                     "ADD OUT[0], IN[0], "
                                                     "TEMP[0]\n"
                                                     "END\n";
static const char writing[] =
   INPUT("LINEAR") COLOR "DCL BUFFER[0]\n"
                         "STORE BUFFER[0].x, "
                         "IN[0].xxxx, IN[0].xxxx\n" MOVE;
static const char early[] = "FRAG\nPROPERTY FS_EARLY_DEPTH_STENCIL 1\n"
                            "DCL IN[0], GENERIC[0], LINEAR\n" COLOR MOVE;
static const char two[] = INPUT("LINEAR") COLOR "DCL OUT[1], COLOR[1]\n"
                                                "MOV OUT[1], IN[0].wzyx\n" MOVE;
static const char nothing[] = INPUT("LINEAR") "DCL TEMP[0]\n"
                                              "MOV TEMP[0], IN[0]\n"
                                              "END\n";

/* ---- which are filled ---------------------------------------------------- */

/* Two tiles each way. */
enum { SIZE = 128, NUM_WAVES = SIZE * SIZE / 16 };

static void
plain(struct pipe *pipe)
{
   (void)pipe;
}

static void
blend(struct pipe *pipe)
{
   struct tg_blend_state state = TG_BLEND_INIT;
   state.targets[0] = (struct tg_blend_target){
      .blend_enable = true,
      .rgb_src_factor = TG_BLEND_ONE,
      .rgb_dst_factor = TG_BLEND_ONE,
      .alpha_src_factor = TG_BLEND_ONE,
      .alpha_dst_factor = TG_BLEND_ZERO,
      .colormask = TG_CHANNEL_RGBA,
   };
   assert_int_equal(bind_blend(pipe->gpu, &state, NULL), TG_OK);
}

static void
mask(struct pipe *pipe)
{
   struct tg_blend_state state = TG_BLEND_INIT;
   state.targets[0].colormask = TG_CHANNEL_RGBA & ~TG_CHANNEL_R;
   assert_int_equal(bind_blend(pipe->gpu, &state, NULL), TG_OK);
}

static void
dither(struct pipe *pipe)
{
   struct tg_blend_state state = TG_BLEND_INIT;
   state.dither = true;
   assert_int_equal(bind_blend(pipe->gpu, &state, NULL), TG_OK);
}

static void
replace_color(struct pipe *pipe, enum tg_format format)
{
   struct tg_resource *texture = pipe_texture(pipe, format, SIZE, SIZE, 0);
   pipe->state.framebuffer.colors[0] = tg_surface_of(texture);
}

static void
dither_alpha(struct pipe *pipe)
{
   replace_color(pipe, TG_FORMAT_R10G10B10A2_UNORM);
   dither(pipe);
}

static void
mask_bytes(struct pipe *pipe)
{
   replace_color(pipe, TG_FORMAT_R8G8B8A8_UNORM);
   mask(pipe);
}

/* Factors of colours, and of alpha. */
static void
set_blend(struct pipe *pipe, enum tg_blend_func func, enum tg_blend_factor src,
          enum tg_blend_factor dst, enum tg_blend_factor alpha_dst)
{
   struct tg_blend_state state = TG_BLEND_INIT;
   state.targets[0] = (struct tg_blend_target){
      .blend_enable = true,
      .rgb_func = (uint8_t)func,
      .alpha_func = (uint8_t)func,
      .rgb_src_factor = (uint8_t)src,
      .rgb_dst_factor = (uint8_t)dst,
      .alpha_src_factor = TG_BLEND_ONE,
      .alpha_dst_factor = (uint8_t)alpha_dst,
      .colormask = TG_CHANNEL_RGBA,
   };
   assert_int_equal(bind_blend(pipe->gpu, &state, NULL), TG_OK);
}

static void
blend_floats_over(struct pipe *pipe)
{
   set_blend(pipe, TG_BLEND_ADD, TG_BLEND_ONE, TG_BLEND_INV_SRC_ALPHA,
             TG_BLEND_INV_SRC_ALPHA);
}

/* All zeros and all ones are both near 0. */
static void
choose_greatest(struct pipe *pipe)
{
   replace_color(pipe, TG_FORMAT_R8G8B8A8_SNORM);
   set_blend(pipe, TG_BLEND_MAX, TG_BLEND_ONE, TG_BLEND_ONE, TG_BLEND_ONE);
}

static void
blend_over(struct pipe *pipe)
{
   replace_color(pipe, TG_FORMAT_R8G8B8A8_UNORM);
   blend_floats_over(pipe);
}

/* The same of the least and of the greatest, but not of what is between. */
static void
blend_by_color(struct pipe *pipe)
{
   replace_color(pipe, TG_FORMAT_R8G8B8A8_UNORM);
   set_blend(pipe, TG_BLEND_ADD, TG_BLEND_ZERO, TG_BLEND_INV_DST_COLOR,
             TG_BLEND_ZERO);
}

static void
blend_by_alpha(struct pipe *pipe)
{
   replace_color(pipe, TG_FORMAT_R8G8B8A8_UNORM);
   set_blend(pipe, TG_BLEND_ADD, TG_BLEND_ZERO, TG_BLEND_ZERO,
             TG_BLEND_INV_DST_ALPHA);
}

/* Or of where a colour and an alpha are both. */
static void
blend_by_both(struct pipe *pipe)
{
   replace_color(pipe, TG_FORMAT_R8G8B8A8_UNORM);
   set_blend(pipe, TG_BLEND_ADD, TG_BLEND_INV_DST_ALPHA, TG_BLEND_SRC_COLOR,
             TG_BLEND_ZERO);
}

/* AND. */
static void
clear_by_logic(struct pipe *pipe)
{
   struct tg_blend_state state = TG_BLEND_INIT;
   replace_color(pipe, TG_FORMAT_R8G8B8A8_UNORM);
   state.logicop_enable = true;
   state.logicop_func = TG_LOGIC_AND;
   assert_int_equal(bind_blend(pipe->gpu, &state, NULL), TG_OK);
}

static void
dither_few_bits(struct pipe *pipe)
{
   replace_color(pipe, TG_FORMAT_B5G6R5_UNORM);
   dither(pipe);
}

/* The depth buffer has one. */
static void
two_layers(struct pipe *pipe)
{
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   struct tg_resource *resource;
   desc.target = TG_TEXTURE_2D_ARRAY;
   desc.format = TG_FORMAT_R8G8B8A8_UNORM;
   desc.width = desc.height = SIZE;
   desc.layers = 2;
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &resource), TG_OK);
   pipe->resources[pipe->num_resources++] = resource;
   pipe->state.framebuffer.colors[0] = tg_surface_of(resource);
}

static void
only_two_layers(struct pipe *pipe)
{
   two_layers(pipe);
   pipe->state.framebuffer.depth_stencil = (struct tg_surface){0};
}

static void
test_depth(struct pipe *pipe, enum tg_format format, enum tg_compare func)
{
   struct tg_resource *depth = pipe_texture(pipe, format, SIZE, SIZE, 0);
   pipe->state.framebuffer.depth_stencil = tg_surface_of(depth);
   pipe->state.depth.depth_enabled = true;
   pipe->state.depth.depth_writemask = true;
   pipe->state.depth.depth_func = (uint8_t)func;
}

/* Depths are 0.5, in a buffer of zeros. */
static void
pass(struct pipe *pipe)
{
   test_depth(pipe, TG_FORMAT_Z24_UNORM_S8_UINT, TG_COMPARE_GREATER);
}

static void
pass_without_writes(struct pipe *pipe)
{
   pass(pipe);
   pipe->state.depth.depth_writemask = false;
}

static void
pass_beyond_floats(struct pipe *pipe)
{
   test_depth(pipe, TG_FORMAT_Z32_UNORM, TG_COMPARE_GREATER);
}

static void
test_stencil(struct pipe *pipe)
{
   pass(pipe);
   pipe->state.depth.stencil[0].enabled = true;
   pipe->state.depth.stencil[0].func = TG_COMPARE_ALWAYS;
}

static void
test_bounds(struct pipe *pipe)
{
   pass(pipe);
   pipe->state.depth.depth_bounds_test = true;
   pipe->state.depth.depth_bounds_max = 1.0f;
}

static void
test_alpha(struct pipe *pipe)
{
   pipe->state.depth.alpha_enabled = true;
   pipe->state.depth.alpha_func = TG_COMPARE_GREATER;
}

static void
mask_pixels(struct pipe *pipe)
{
   pipe->state.rasterizer.sample_mask_without_msaa = true;
}

static void
smooth(struct pipe *pipe)
{
   pipe->state.rasterizer.poly_smooth = true;
}

static void
stipple(struct pipe *pipe)
{
   pipe->state.rasterizer.poly_stipple_enable = true;
}

struct row {
   const char *name, *shader;
   void (*prepare)(struct pipe *pipe);
   float color[3]; /* of the corners */
   float w[3];     /* added to 1 */
   bool is_filled;
};

/* clang-format off */
static const struct row rows[] = {
   {"constant", constant, plain, {1, 2, 3}, {0}, true},
   {"equal", linear, plain, {1, 1, 1}, {0}, true},
   {"equal but one", linear, plain, {1, 1, 2}, {0}, false},
   {"minus zero", constant, plain, {-0.0f, -0.0f, -0.0f}, {0}, false},
   {"perspective", perspective, plain, {1, 1, 1}, {1, 1, 1}, true},
   {"in depth", perspective, plain, {1, 1, 1}, {1, 1, 2}, false},
   {"face", face, plain, {1, 1, 1}, {0}, true},
   {"primitive", primitive, plain, {1, 1, 1}, {0}, true},
   {"place", placed, plain, {1, 1, 1}, {0}, false},
   {"place as a value", placed_value, plain, {1, 1, 1}, {0}, false},
   {"lane", lane, plain, {1, 1, 1}, {0}, false},
   {"discarding none", discarding, plain, {1, 1, 1}, {0}, true},
   {"discarding all", discarding, plain, {-1, -1, -1}, {0}, false},
   {"depth of the shader", deep, pass, {1, 1, 1}, {0}, true},
   {"depth for a test", deep, pass_without_writes, {1, 1, 1}, {0}, false},
   {"depth without a test", deep, plain, {1, 1, 1}, {0}, true},
   {"mask of the shader", masking, mask_pixels, {1, 1, 1}, {0}, true},
   {"mask of nothing", masking, mask_pixels, {0, 0, 0}, {0}, false},
   {"fetching", fetching, plain, {1, 1, 1}, {0}, false},
   {"writing", writing, plain, {0, 0, 0}, {0}, false},
   {"early", early, plain, {1, 1, 1}, {0}, false},
   {"blend", linear, blend, {1, 1, 1}, {0}, false},
   {"color mask", linear, mask, {1, 1, 1}, {0}, false},
   {"opaque", linear, blend_over, {1, 1, 1}, {0}, true},
   {"half transparent", linear, blend_over, {0.5f, 0.5f, 0.5f}, {0}, false},
   {"nearly opaque", linear, blend_over, {0.99f, 0.99f, 0.99f}, {0}, false},
   {"opaque floats", linear, blend_floats_over, {1, 1, 1}, {0}, false},
   {"greatest signed", linear, choose_greatest, {0.5f, 0.5f, 0.5f}, {0}, false},
   {"by color", linear, blend_by_color, {0, 0, 0}, {0}, false},
   {"by alpha", linear, blend_by_alpha, {0, 0, 0}, {0}, false},
   {"by both", linear, blend_by_both, {0.5f, 0.5f, 0.5f}, {0}, false},
   {"masked bytes", linear, mask_bytes, {1, 1, 1}, {0}, false},
   {"logic that clears", linear, clear_by_logic, {0, 0, 0}, {0}, true},
   {"logic that keeps", linear, clear_by_logic, {1, 1, 1}, {0}, false},
   {"dither of alpha", linear, dither_alpha, {1, 1, 1}, {0}, false},
   {"dither", linear, dither, {1, 1, 1}, {0}, true},
   {"dither of few bits", linear, dither_few_bits, {1, 1, 1}, {0}, false},
   {"layers", linear, only_two_layers, {1, 1, 1}, {0}, false},
   {"one layer of two", linear, two_layers, {1, 1, 1}, {0}, true},
   {"depth test", linear, pass, {1, 1, 1}, {0}, true},
   {"no depth write", linear, pass_without_writes, {1, 1, 1}, {0}, true},
   {"depth of 32 bits", linear, pass_beyond_floats, {1, 1, 1}, {0}, false},
   {"stencil", linear, test_stencil, {1, 1, 1}, {0}, false},
   {"depth bounds", linear, test_bounds, {1, 1, 1}, {0}, false},
   {"alpha test", linear, test_alpha, {1, 1, 1}, {0}, true},
   {"alpha test that fails", linear, test_alpha, {0, 0, 0}, {0}, false},
   {"smooth", linear, smooth, {1, 1, 1}, {0}, false},
   {"stipple", linear, stipple, {1, 1, 1}, {0}, false},
};
/* clang-format on */

/* One triangle over everything, with the corners' colours. */
static void
cover(struct pipe *pipe, const struct row *row)
{
   struct pipe_vertex vertices[3] = {
      {{-1, -1, 0, 1}}, {{3, -1, 0, 1}}, {{-1, 3, 0, 1}}};
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned c = 0; c < 4; c++) {
         vertices[i].position[c] *= 1 + row->w[i];
         vertices[i].attribute[c] = row->color[i];
      }
   }
   pipe_set_vertices(pipe, vertices, 3);
}

static void
expect_filled(const struct row *row)
{
   const struct tg_resource_desc *desc;
   struct tg_resource *buffer;
   struct pipe pipe;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, row->shader);
   buffer = pipe_buffer(&pipe, (uint32_t[4]){0}, 16);
   desc = tg_resource_get_desc(buffer);
   assert_int_equal(tg_bindings_set_buffer(pipe.fragment, TG_BUFFER_SHADER, 0,
                                           buffer, 0, desc->width,
                                           pipe.diagnostics),
                    TG_OK);
   row->prepare(&pipe);
   cover(&pipe, row);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   const struct tg_context_statistics done = pipe_statistics(&pipe);
   if ((done.fragment_waves == 0) != row->is_filled)
      fail_msg("%s: %u waves", row->name, (unsigned)done.fragment_waves);
   if (row->is_filled && done.fragments != SIZE * SIZE)
      fail_msg("%s: %u fragments", row->name, (unsigned)done.fragments);
   pipe_finish(&pipe);
}

static void
solid_shapes_are_filled(void **test)
{
   (void)test;
   for (unsigned i = 0; i < TG_LENGTH(rows); i++)
      expect_filled(&rows[i]);
}

/* Of a framebuffer of one layer the others of a surface stay. */
static void
other_layers_are_left_alone(void **test)
{
   static const struct row row = {"", linear, two_layers, {1, 1, 1}, {0}, true};
   struct pipe pipe;
   (void)test;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, linear);
   two_layers(&pipe);
   cover(&pipe, &row);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   const struct tg_resource *color = pipe.state.framebuffer.colors[0].resource;
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++) {
         const uint32_t *texel = resource_texel(color, 0, 0, x, y, 0);
         const uint32_t *other = resource_texel(color, 0, 0, x, y, 1);
         assert_true(*texel == 0xffffffff && *other == 0);
      }
   }
   pipe_finish(&pipe);
}

/* A depth that is a NaN fails, and has no bounds. */
static void
nans_are_not_filled(void **test)
{
   static const struct row row = {"", linear, plain, {1, 1, 1}, {0}, false};
   const float nan[4] = {NAN};
   struct pipe pipe;
   (void)test;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, linear);
   test_depth(&pipe, TG_FORMAT_Z32_FLOAT, TG_COMPARE_LESS);
   pipe_clear(pipe.state.framebuffer.depth_stencil.resource, nan);
   cover(&pipe, &row);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   assert_int_equal(pipe_statistics(&pipe).samples_passed, 0);
   assert_true(pipe_pixel(&pipe, 20, 20)[0] == 0);
   pipe_finish(&pipe);
}

/* Of a framebuffer with samples none is. */
static void
samples_are_not_filled(void **test)
{
   static const struct row row = {"", linear, plain, {1, 1, 1}, {0}, false};
   struct tg_resource_desc desc = TG_RESOURCE_DESC_INIT;
   struct tg_resource *resource;
   struct pipe pipe;
   (void)test;
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, linear);
   desc.target = TG_TEXTURE_2D;
   desc.format = TG_FORMAT_R8G8B8A8_UNORM;
   desc.width = desc.height = SIZE;
   desc.samples = 4;
   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &resource), TG_OK);
   pipe.resources[pipe.num_resources++] = resource;
   pipe.state.framebuffer.colors[0] = tg_surface_of(resource);
   pipe.state.framebuffer.depth_stencil = (struct tg_surface){0};
   cover(&pipe, &row);
   assert_int_equal(pipe_draw(&pipe, TG_PRIMITIVE_TRIANGLES, 3), TG_OK);
   assert_int_equal(pipe_statistics(&pipe).fragment_waves, NUM_WAVES);
   pipe_finish(&pipe);
}

/* ---- as the others ------------------------------------------------------- */

enum { WIDTH = 150, HEIGHT = 100, NUM_DRAWS = 40, NUM_WORLDS = 120 };

static uint32_t seed;

static uint32_t
random_below(uint32_t limit)
{
   seed = seed * 1664525 + 1013904223;
   return (seed >> 8) % limit;
}

static const char *const shaders[] = {
   linear, perspective, constant,   face, primitive,
   two,    nothing,     discarding, deep, masking};

static const enum tg_format color_formats[] = {
   TG_FORMAT_R8_UNORM,           TG_FORMAT_B5G6R5_UNORM,
   TG_FORMAT_R8G8B8A8_UNORM,     TG_FORMAT_B8G8R8X8_UNORM,
   TG_FORMAT_R16G16B16A16_FLOAT, TG_FORMAT_R32G32B32A32_FLOAT,
   TG_FORMAT_R8G8B8A8_SRGB,      TG_FORMAT_R10G10B10A2_UNORM,
};

static const enum tg_format depth_formats[] = {
   TG_FORMAT_NONE,        TG_FORMAT_Z16_UNORM,
   TG_FORMAT_Z24X8_UNORM, TG_FORMAT_Z24_UNORM_S8_UINT,
   TG_FORMAT_Z32_FLOAT,   TG_FORMAT_Z32_FLOAT_S8X24_UINT,
   TG_FORMAT_Z32_UNORM,   TG_FORMAT_S8_UINT_Z24_UNORM,
};

/* What a world leaves. */
struct remains {
   uint32_t words[3][WIDTH * HEIGHT * 4];
   uint64_t passed, waves;
};

static void
set_targets(struct pipe *pipe)
{
   const enum tg_format depth =
      depth_formats[random_below(TG_LENGTH(depth_formats))];
   struct tg_framebuffer_state *framebuffer = &pipe->state.framebuffer;
   framebuffer->num_colors = 1 + random_below(2);
   for (uint32_t i = 0; i < framebuffer->num_colors; i++)
      framebuffer->colors[i] = tg_surface_of(pipe_texture(
         pipe, color_formats[random_below(TG_LENGTH(color_formats))], WIDTH,
         HEIGHT, 0));
   framebuffer->depth_stencil = (struct tg_surface){0};
   if (depth != TG_FORMAT_NONE)
      framebuffer->depth_stencil =
         tg_surface_of(pipe_texture(pipe, depth, WIDTH, HEIGHT, 0));
}

static void
set_random_blend(struct tg_blend_target *target)
{
   static const uint8_t factors[] = {
      TG_BLEND_ONE,           TG_BLEND_ZERO,          TG_BLEND_SRC_ALPHA,
      TG_BLEND_INV_SRC_ALPHA, TG_BLEND_INV_DST_COLOR, TG_BLEND_SRC_COLOR,
      TG_BLEND_DST_ALPHA};
   target->blend_enable = random_below(3) == 0;
   target->rgb_func = (uint8_t)random_below(5);
   target->alpha_func = (uint8_t)random_below(5);
   target->rgb_src_factor = factors[random_below(TG_LENGTH(factors))];
   target->rgb_dst_factor = factors[random_below(TG_LENGTH(factors))];
   target->alpha_src_factor = factors[random_below(TG_LENGTH(factors))];
   target->alpha_dst_factor = factors[random_below(TG_LENGTH(factors))];
   target->colormask =
      random_below(8) ? TG_CHANNEL_RGBA : (uint8_t)random_below(16);
}

static void
set_random_state(struct pipe *pipe)
{
   struct pipe_state *state = &pipe->state;
   struct tg_blend_state blending = TG_BLEND_INIT;
   const struct tg_scissor scissor = {(uint16_t)(random_below(3) * 20),
                                      (uint16_t)(random_below(3) * 16),
                                      (uint16_t)(WIDTH - random_below(3) * 11),
                                      (uint16_t)(HEIGHT - random_below(3) * 8)};
   state->fs = pipe->shaders[1 + random_below(TG_LENGTH(shaders))];
   state->depth.depth_enabled = random_below(4) > 0;
   state->depth.depth_writemask = random_below(4) > 0;
   state->depth.depth_func = (uint8_t)random_below(8);
   state->rasterizer.depth_clamp = random_below(2);
   state->rasterizer.scissor = true;
   state->rasterizer.sample_mask_without_msaa = random_below(2);
   state->depth.alpha_enabled = random_below(4) == 0;
   state->depth.alpha_func = (uint8_t)random_below(8);
   state->depth.alpha_ref_value = 0.5f;
   blending.dither = random_below(2);
   blending.logicop_enable = random_below(8) == 0;
   blending.logicop_func = (uint8_t)random_below(16);
   set_random_blend(&blending.targets[0]);
   assert_int_equal(pipe_set_state(pipe, pipe->gpu), TG_OK);
   assert_int_equal(bind_blend(pipe->gpu, &blending, NULL), TG_OK);
   assert_int_equal(
      tg_context_set_scissors(pipe->gpu, 0, 1, &scissor, pipe->diagnostics),
      TG_OK);
}

/* A triangle over everything or, as often, over a part; mostly of one colour
 * and one depth. */
static void
make_triangle(struct pipe_vertex vertices[3])
{
   static const float depths[] = {-1, -0.5f, 0, 0.25f, 1};
   static const float x[3] = {0, 1}, y[3] = {0, 0, 1};
   const float reach = random_below(2) ? 4 : 1.5f + (float)random_below(3);
   const float z = depths[random_below(TG_LENGTH(depths))];
   const bool is_flat = random_below(8) > 0, is_level = random_below(8) > 0;
   const float value = (float)random_below(9) / 8 - 0.125f;
   for (unsigned i = 0; i < 3; i++) {
      vertices[i] =
         (struct pipe_vertex){{x[i] * reach - 1, y[i] * reach - 1,
                               is_level ? z : z / (float)(i + 2), 1}};
      for (unsigned c = 0; c < 4; c++)
         vertices[i].attribute[c] =
            is_flat ? value + (float)c / 16 : value * (float)(i + c);
   }
}

/* Of the two triangles the second covers what the first may still wait for. */
static void
draw(struct pipe *pipe)
{
   const struct tg_draw_range range = {.count = 6};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct pipe_vertex vertices[6];
   const struct tg_box box = {
      .width = sizeof(vertices), .height = 1, .depth = 1};
   make_triangle(vertices);
   make_triangle(vertices + 3);
   set_random_state(pipe);
   assert_int_equal(tg_context_write(pipe->gpu, pipe->state.vertices.buffer, 0,
                                     0, &box, vertices, 0, 0),
                    TG_OK);
   info.draws = &range;
   assert_int_equal(tg_context_draw(pipe->gpu, &info, pipe->diagnostics),
                    TG_OK);
}

static void
clear(struct pipe *pipe)
{
   const float value = (float)random_below(5) / 4;
   const union tg_color color = {.f = {value, value, value, value}};
   const uint32_t buffers = 1 + random_below(TG_CLEAR_ALL);
   assert_int_equal(pipe_set_state(pipe, pipe->gpu), TG_OK);
   assert_int_equal(tg_context_clear(pipe->gpu, buffers & TG_CLEAR_ALL, NULL,
                                     &color, value, (uint8_t)random_below(256),
                                     pipe->diagnostics),
                    TG_OK);
}

static void
keep(const struct pipe *pipe, const struct tg_surface *surface,
     uint32_t words_out[WIDTH * HEIGHT * 4])
{
   struct tg_resource *resource = surface->resource;
   (void)pipe;
   if (resource)
      memcpy(words_out, pipe_texels(resource, 0),
             resource->written.layout.level[0].row_pitch * HEIGHT);
}

/* With counters of pixels no shape is filled. */
static void
run(uint32_t number, bool is_counted, struct remains *remains_out)
{
   static uint32_t counters[WIDTH * HEIGHT];
   static const struct pipe_vertex none[6];
   struct tg_pixel_counters counted = TG_PIXEL_COUNTERS_INIT;
   struct pipe pipe;
   seed = number;
   memset(remains_out, 0, sizeof(*remains_out));
   pipe_init(&pipe, WIDTH, HEIGHT, pipe_vertex_shader, shaders[0]);
   for (unsigned i = 1; i < TG_LENGTH(shaders); i++)
      pipe_shader(&pipe, shaders[i]);
   pipe_shader(&pipe, shaders[0]);
   pipe_set_vertices(&pipe, none, 6);
   counted.width = WIDTH;
   counted.height = HEIGHT;
   counted.fragments = counters;
   if (is_counted)
      assert_int_equal(tg_context_set_pixel_counters(pipe.gpu, &counted),
                       TG_OK);
   set_targets(&pipe);
   for (unsigned i = 0; i < NUM_DRAWS; i++) {
      if (random_below(8))
         draw(&pipe);
      else
         clear(&pipe);
   }
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   const struct tg_context_statistics done = pipe_statistics(&pipe);
   remains_out->passed = done.samples_passed;
   remains_out->waves = done.fragment_waves;
   for (uint32_t i = 0; i < pipe.state.framebuffer.num_colors; i++)
      keep(&pipe, &pipe.state.framebuffer.colors[i], remains_out->words[i]);
   keep(&pipe, &pipe.state.framebuffer.depth_stencil, remains_out->words[2]);
   pipe_finish(&pipe);
}

static void
fills_are_as_waves(void **test)
{
   static struct remains filled, drawn;
   uint64_t waves[2] = {0};
   (void)test;
   for (uint32_t i = 0; i < NUM_WORLDS; i++) {
      run(i, false, &filled);
      run(i, true, &drawn);
      if (memcmp(filled.words, drawn.words, sizeof(filled.words)) != 0)
         fail_msg("world %u: other bytes", (unsigned)i);
      assert_int_equal(filled.passed, drawn.passed);
      waves[0] += filled.waves;
      waves[1] += drawn.waves;
   }
   assert_true(waves[0] < waves[1] * 9 / 10);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(solid_shapes_are_filled),
      cmocka_unit_test(other_layers_are_left_alone),
      cmocka_unit_test(nans_are_not_filled),
      cmocka_unit_test(samples_are_not_filled),
      cmocka_unit_test(fills_are_as_waves),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
