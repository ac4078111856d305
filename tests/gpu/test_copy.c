/* SPDX-License-Identifier: MIT
 *
 * Copies of texels: which draws are some; and they, and random ones that may
 * be, leave the same bytes as those whose pixels are counted, which never are.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "../bind.h"
#include "../state.h"
#include "format/format.h"
#include "pipe.h"
#include "resource/resource.h"
#include "util/length.h"

/* Two tiles each way. */
enum { SIZE = 128, NUM_WAVES = SIZE * SIZE / 16, MOST_BYTES = 8 };

#define HEAD(interpolation)                                                    \
   "FRAG\nDCL IN[0], GENERIC[0], " interpolation "\n"                          \
   "DCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n"                 \
   "DCL TEMP[0..1]\n"

static const char direct[] =
   HEAD("PERSPECTIVE") "TEX OUT[0], IN[0], SAMP[0], 2D\nEND\n";
static const char linear[] =
   HEAD("LINEAR") "TEX OUT[0], IN[0], SAMP[0], 2D\nEND\n";
static const char constant[] =
   HEAD("CONSTANT") "TEX OUT[0], IN[0], SAMP[0], 2D\nEND\n";
static const char moved[] = HEAD("LINEAR") "MOV TEMP[0].xy, IN[0].xyyy\n"
                                           "TEX TEMP[1], TEMP[0], SAMP[0], 2D\n"
                                           "MOV OUT[0], TEMP[1]\nEND\n";
static const char opaque[] =
   HEAD("LINEAR") "IMM[0] FLT32 {1.0, 0.0, 0.5, 0.0}\n"
                  "TEX TEMP[1], IN[0], SAMP[0], 2D\n"
                  "MOV OUT[0].xyz, TEMP[1].zyxx\n"
                  "MOV OUT[0].w, IMM[0].xxxx\nEND\n";
static const char half[] = HEAD("LINEAR") "IMM[0] FLT32 {1.0, 0.0, 0.5, 0.0}\n"
                                          "TEX TEMP[1], IN[0], SAMP[0], 2D\n"
                                          "MOV OUT[0].xyz, TEMP[1]\n"
                                          "MOV OUT[0].w, IMM[0].zzzz\nEND\n";
static const char swapped[] =
   HEAD("LINEAR") "MOV TEMP[0].xy, IN[0].yxxx\n"
                  "TEX OUT[0], TEMP[0], SAMP[0], 2D\nEND\n";
static const char diagonal[] =
   HEAD("LINEAR") "MOV TEMP[0].xy, IN[0].xxxx\n"
                  "TEX OUT[0], TEMP[0], SAMP[0], 2D\nEND\n";
static const char negated[] = HEAD("LINEAR") "MOV TEMP[0].xy, -IN[0]\n"
                                             "TEX OUT[0], TEMP[0], SAMP[0], "
                                             "2D\nEND\n";
static const char absolute[] = HEAD("LINEAR") "TEX TEMP[1], IN[0], SAMP[0], "
                                              "2D\n"
                                              "MOV OUT[0], |TEMP[1]|\nEND\n";
static const char overwritten[] =
   HEAD("LINEAR") "TEX OUT[0], IN[0], SAMP[0], 2D\n"
                  "MOV OUT[0].y, IN[0].xxxx\nEND\n";
static const char saturated[] =
   HEAD("LINEAR") "TEX_SAT OUT[0], IN[0], SAMP[0], 2D\nEND\n";
static const char twice[] = HEAD("LINEAR") "TEX TEMP[0], IN[0], SAMP[0], 2D\n"
                                           "TEX OUT[0], IN[0], SAMP[0], 2D\n"
                                           "END\n";
static const char shifted[] =
   HEAD("LINEAR") "IMM[0] INT32 {1, 0, 0, 0}\n"
                  "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xyz\nEND\n";
static const char multiplied[] =
   HEAD("LINEAR") "TEX TEMP[1], IN[0], SAMP[0], 2D\n"
                  "MUL OUT[0], TEMP[1], TEMP[1]\nEND\n";
static const char rect[] = "FRAG\nDCL IN[0], GENERIC[0], LINEAR\n"
                           "DCL OUT[0], COLOR\nDCL SAMP[0]\n"
                           "DCL SVIEW[0], RECT, FLOAT\n"
                           "TEX OUT[0], IN[0], SAMP[0], RECT\nEND\n";
static const char broad[] =
   "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\n"
   "DCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\n"
   "DCL SVIEW[0], 2D, FLOAT\nTEX OUT[0], IN[0], SAMP[0], 2D\nEND\n";
static const char masking[] = HEAD("LINEAR") "DCL OUT[1], SAMPLEMASK\n"
                                             "TEX OUT[0], IN[0], SAMP[0], 2D\n"
                                             "END\n";

/* ---- setups -------------------------------------------------------------- */

enum extra {
   NONE,
   BLENDS = 1 << 0,
   MASKS = 1 << 1,
   ANISOTROPIC = 1 << 2,
   MIPMAPPED = 1 << 3,
   MAGNIFIES = 1 << 4, /* with another filter */
   PASSES = 1 << 5,    /* a depth test, which writes nothing */
   FAILS = 1 << 6,
   WRITES = 1 << 7, /* depths */
   FEEDS_BACK = 1 << 8,
   TESTS_ALPHA = 1 << 9,
   LIES_DEEP = 1 << 10, /* w is 2 */
   MASKS_PIXELS = 1 << 11,
   MULTIPLIES = 1 << 12, /* by alpha */
   INVERTS = 1 << 13,
   DIVIDES = 1 << 14,     /* w is 2, and so are coordinates */
   TILTS_RIGHT = 1 << 15, /* w is from 1 to 2, and so are coordinates */
   TILTS_DOWN = 1 << 16,
   HAS_TWO_TARGETS = 1 << 17,
   IS_SPRITE = 1 << 18, /* a point that is a polygon's corner */
};

enum { MULTIPLIED = DIVIDES | TILTS_RIGHT | TILTS_DOWN };

struct setup {
   const char *name, *shader;
   enum tg_format from, to;
   uint8_t filter, wrap;
   unsigned extra;
   float shift[2], step[2]; /* texels: of the first pixel, and to the next */
   uint32_t width, height;  /* of the texture */
   uint8_t swizzle[4];      /* all 0: none */
   uint32_t num_waves;      /* that are expected */
};

#define RGBA TG_FORMAT_R8G8B8A8_UNORM
#define BGRA TG_FORMAT_B8G8R8A8_UNORM
#define BGRX TG_FORMAT_B8G8R8X8_UNORM
#define NEAREST TG_FILTER_NEAREST, TG_WRAP_REPEAT
#define LINEAR TG_FILTER_LINEAR, TG_WRAP_REPEAT

/* clang-format off */
static const struct setup setups[] = {
   {"direct", direct, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"linear", linear, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"moved", moved, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"filtered", direct, RGBA, RGBA, LINEAR, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"a large texture", direct, RGBA, RGBA, LINEAR, NONE, {40, 17}, {1, 1}, 300, 200, {0}, 0},
   {"upside down", direct, RGBA, RGBA, LINEAR, NONE, {0, SIZE}, {1, -1}, SIZE, SIZE, {0}, 0},
   {"mirrored", direct, RGBA, RGBA, LINEAR, NONE, {SIZE, 0}, {-1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"to the left", direct, RGBA, RGBA, NEAREST, NONE, {-1, 0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES / 2},
   {"to the right", direct, RGBA, RGBA, NEAREST, NONE, {1, 0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES / 2},
   {"up", direct, RGBA, RGBA, NEAREST, NONE, {0, -1}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES / 2},
   {"down", direct, RGBA, RGBA, NEAREST, NONE, {0, 1}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES / 2},
   {"too far up", direct, RGBA, RGBA, NEAREST, NONE, {0, SIZE - 1}, {1, -1}, SIZE, SIZE, {0}, NUM_WAVES / 2},
   {"nearly", direct, RGBA, RGBA, NEAREST, NONE, {0.2f, -0.2f}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"not quite", direct, RGBA, RGBA, NEAREST, NONE, {0.3f, 0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"not quite down", direct, RGBA, RGBA, NEAREST, NONE, {0, 0.3f}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"nearly, filtered", direct, RGBA, RGBA, LINEAR, NONE, {0.01f, 0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"wider", direct, RGBA, RGBA, NEAREST, NONE, {0}, {0.99f, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"higher", direct, RGBA, RGBA, NEAREST, NONE, {0}, {1, 0.99f}, SIZE, SIZE, {0}, NUM_WAVES},
   {"swapped", swapped, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"diagonal", diagonal, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"negated", negated, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"absolute", absolute, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"overwritten", overwritten, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"saturated", saturated, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"twice", twice, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"shifted", shifted, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"multiplied", multiplied, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"rect", rect, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"another order", direct, RGBA, BGRA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"without alpha", direct, RGBA, BGRX, LINEAR, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"of no alpha", direct, BGRX, BGRA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"opaque", opaque, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"half", half, RGBA, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"view", opaque, RGBA, BGRA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {3, 4, 5, 1}, 0},
   {"bytes", direct, TG_FORMAT_R8_UNORM, TG_FORMAT_R8_UNORM, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"green bytes", direct, TG_FORMAT_R8G8_UNORM, TG_FORMAT_R8G8_UNORM, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {1, 0, 2, 3}, NUM_WAVES},
   {"fewer bytes", direct, RGBA, TG_FORMAT_R8_UNORM, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"few bits", direct, TG_FORMAT_B5G6R5_UNORM, TG_FORMAT_B5G6R5_UNORM, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"signed", direct, TG_FORMAT_R8G8B8A8_SNORM, TG_FORMAT_R8G8B8A8_SNORM, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"sRGB", direct, TG_FORMAT_R8G8B8A8_SRGB, RGBA, NEAREST, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"border", direct, RGBA, RGBA, TG_FILTER_LINEAR, TG_WRAP_CLAMP_TO_BORDER, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"border beside", direct, RGBA, RGBA, TG_FILTER_NEAREST, TG_WRAP_CLAMP_TO_BORDER, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"edge", direct, RGBA, RGBA, TG_FILTER_LINEAR, TG_WRAP_CLAMP_TO_EDGE, NONE, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"blend", direct, RGBA, RGBA, NEAREST, BLENDS, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"mask", direct, RGBA, RGBA, NEAREST, MASKS, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"anisotropic", direct, RGBA, RGBA, LINEAR, ANISOTROPIC, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"mipmapped", direct, RGBA, RGBA, NEAREST, MIPMAPPED, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"magnifies", direct, RGBA, RGBA, NEAREST, MAGNIFIES, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"passes", direct, RGBA, RGBA, NEAREST, PASSES, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"fails", direct, RGBA, RGBA, NEAREST, FAILS, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"writes", direct, RGBA, RGBA, NEAREST, PASSES | WRITES, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"alpha test", direct, RGBA, RGBA, NEAREST, TESTS_ALPHA, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"feedback", direct, RGBA, RGBA, NEAREST, FEEDS_BACK, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"in depth", direct, RGBA, RGBA, NEAREST, LIES_DEEP, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"in depth, linear", linear, RGBA, RGBA, NEAREST, LIES_DEEP, {0}, {1, 1}, SIZE, SIZE, {0}, 0},
   {"divided", direct, RGBA, RGBA, NEAREST, DIVIDES, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"tilted", direct, RGBA, RGBA, NEAREST, TILTS_RIGHT, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"tilted down", direct, RGBA, RGBA, NEAREST, TILTS_DOWN, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"a very large texture", direct, RGBA, RGBA, LINEAR, NONE, {3800, 0}, {1, 1}, 4000, SIZE, {0}, NUM_WAVES},
   {"its nearest texels", direct, RGBA, RGBA, NEAREST, NONE, {3800, 0}, {1, 1}, 4000, SIZE, {0}, 0},
   {"multiplied by alpha", direct, RGBA, RGBA, NEAREST, MULTIPLIES, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"inverted", direct, RGBA, RGBA, NEAREST, INVERTS, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"two targets", broad, RGBA, RGBA, NEAREST, HAS_TWO_TARGETS, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"sprite", direct, RGBA, RGBA, NEAREST, IS_SPRITE, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
   {"masking", masking, RGBA, RGBA, NEAREST, MASKS_PIXELS, {0}, {1, 1}, SIZE, SIZE, {0}, NUM_WAVES},
};
/* clang-format on */

/* ---- draws --------------------------------------------------------------- */

static uint32_t seed;

static uint32_t
random_below(uint32_t limit)
{
   seed = seed * 1664525 + 1013904223;
   return (seed >> 8) % limit;
}

/* Random bytes. */
static struct tg_resource *
make_texture(struct pipe *pipe, const struct setup *setup)
{
   struct tg_resource *texture =
      pipe_texture(pipe, setup->from, setup->width, setup->height, 0);
   const struct resource_level *level = &texture->written.layout.level[0];
   uint8_t *bytes = resource_texel(texture, 0, 0, 0, 0, 0);
   seed = 1;
   for (size_t i = 0; i < level->row_pitch * setup->height; i++)
      bytes[i] = (uint8_t)random_below(256);
   return texture;
}

static void
bind_texture(struct pipe *pipe, const struct setup *setup,
             struct tg_resource *texture)
{
   struct tg_sampler_desc sampler = TG_SAMPLER_DESC_INIT;
   struct tg_view_desc view = tg_view_desc_of(texture);
   sampler.min_filter = sampler.mag_filter = setup->filter;
   memset(sampler.wrap, setup->wrap, sizeof(sampler.wrap));
   sampler.border_color = (union tg_color){.f = {1e30f, 1e30f, 1e30f, 1e30f}};
   if (setup->extra & MAGNIFIES)
      sampler.mag_filter = TG_FILTER_LINEAR;
   if (setup->extra & MIPMAPPED)
      sampler.mip_filter = TG_MIP_NEAREST;
   if (setup->extra & ANISOTROPIC)
      sampler.max_anisotropy = 4;
   if (setup->swizzle[0] | setup->swizzle[1])
      memcpy(view.swizzle, setup->swizzle, sizeof(view.swizzle));
   assert_int_equal(bind_view(pipe->fragment, 0, &view, pipe->diagnostics),
                    TG_OK);
   assert_int_equal(
      bind_sampler(pipe->fragment, 0, &sampler, pipe->diagnostics), TG_OK);
}

static void
set_blend(struct pipe *pipe, unsigned extra)
{
   struct tg_blend_state state = TG_BLEND_INIT;
   if (extra & BLENDS)
      state.targets[0] = (struct tg_blend_target){
         .blend_enable = true,
         .rgb_src_factor = TG_BLEND_DST_COLOR,
         .rgb_dst_factor = TG_BLEND_ONE,
         .alpha_src_factor = TG_BLEND_ONE,
         .alpha_dst_factor = TG_BLEND_ZERO,
         .colormask = TG_CHANNEL_RGBA,
      };
   if (extra & MULTIPLIES)
      state.targets[0] = (struct tg_blend_target){
         .blend_enable = true,
         .rgb_src_factor = TG_BLEND_SRC_ALPHA,
         .rgb_dst_factor = TG_BLEND_ZERO,
         .alpha_src_factor = TG_BLEND_ONE,
         .alpha_dst_factor = TG_BLEND_ZERO,
         .colormask = TG_CHANNEL_RGBA,
      };
   state.logicop_enable = extra & INVERTS;
   state.logicop_func = TG_LOGIC_COPY_INVERTED;
   if (extra & MASKS)
      state.targets[0].colormask &= ~TG_CHANNEL_G;
   assert_int_equal(bind_blend(pipe->gpu, &state, pipe->diagnostics), TG_OK);
}

/* Depths are 0.5, in a buffer of zeros. */
static void
set_tests(struct pipe *pipe, unsigned extra)
{
   struct tg_depth_stencil_alpha_state *state = &pipe->state.depth;
   state->depth_enabled = extra & (PASSES | FAILS);
   state->depth_writemask = extra & WRITES;
   state->depth_func = extra & FAILS ? TG_COMPARE_LESS : TG_COMPARE_GREATER;
   state->alpha_enabled = extra & TESTS_ALPHA;
   state->alpha_func = TG_COMPARE_GREATER;
   state->alpha_ref_value = 0.5f;
   pipe->state.rasterizer.sample_mask_without_msaa = extra & MASKS_PIXELS;
}

/* The triangle's side, which is the front, is drawn as points; the back would
 * be filled. */
static void
set_sprites(struct pipe *pipe, unsigned extra)
{
   struct tg_rasterizer_state *state = &pipe->state.rasterizer;
   if (!(extra & IS_SPRITE))
      return;
   state->fill_front = TG_POLYGON_POINT;
   state->point_quad_rasterization = true;
   state->sprite_coord_enable = 1;
   state->point_size = SIZE;
}

static float
find_w(unsigned extra, unsigned corner)
{
   if (extra & (TILTS_RIGHT | TILTS_DOWN))
      return corner == (extra & TILTS_RIGHT ? 1 : 2) ? 2 : 1;
   return extra & (LIES_DEEP | DIVIDES) ? 2 : 1;
}

/* One triangle over everything: the coordinate of a pixel's corner is that of
 * the first one and as many steps as it is away. */
static void
cover(struct pipe *pipe, const struct setup *setup, bool is_rect)
{
   static const float corners[3][2] = {{0, 0}, {2, 0}, {0, 2}};
   const bool is_sprite = setup->extra & IS_SPRITE;
   struct pipe_vertex vertices[3];
   for (unsigned i = 0; i < 3; i++) {
      const bool is_center = is_sprite && i == 0;
      const float x = is_center ? 0.5f : corners[i][0];
      const float y = is_center ? 0.5f : corners[i][1];
      const float w = find_w(setup->extra, i);
      vertices[i] = (struct pipe_vertex){
         {(2 * x - 1) * w, (2 * y - 1) * w, 0, w},
         {setup->shift[0] + x * SIZE * setup->step[0],
          setup->shift[1] + y * SIZE * setup->step[1], 0, 0},
      };
      if (!is_rect) {
         vertices[i].attribute[0] /= (float)setup->width;
         vertices[i].attribute[1] /= (float)setup->height;
      }
      for (unsigned c = 0; c < 2 && setup->extra & MULTIPLIED; c++)
         vertices[i].attribute[c] *= w;
   }
   pipe_set_vertices(pipe, vertices, 3);
}

/* What a draw leaves. */
struct remains {
   uint8_t bytes[SIZE * SIZE * MOST_BYTES];
   uint64_t passed, waves;
};

/* With counters of pixels no square is copied. */
static void
run(const struct setup *setup, bool is_counted, struct remains *remains_out)
{
   static uint32_t counters[SIZE * SIZE];
   static const union tg_color grey = {.f = {0.5f, 0.5f, 0.5f, 0.5f}};
   const struct tg_draw_range range = {.count = 3};
   struct tg_draw_info info = TG_DRAW_INFO_INIT;
   struct tg_pixel_counters counted = TG_PIXEL_COUNTERS_INIT;
   struct tg_resource *target;
   struct pipe pipe;
   memset(remains_out, 0, sizeof(*remains_out));
   pipe_init(&pipe, SIZE, SIZE, pipe_vertex_shader, setup->shader);
   target = pipe_texture(&pipe, setup->to, SIZE, SIZE, 0);
   pipe.state.framebuffer.colors[0] = tg_surface_of(target);
   bind_texture(&pipe, setup,
                setup->extra & FEEDS_BACK ? target
                                          : make_texture(&pipe, setup));
   if (setup->extra & HAS_TWO_TARGETS) {
      pipe.state.framebuffer.num_colors = 2;
      pipe.state.framebuffer.colors[1] =
         tg_surface_of(pipe_texture(&pipe, setup->to, SIZE, SIZE, 0));
   }
   set_blend(&pipe, setup->extra);
   set_tests(&pipe, setup->extra);
   set_sprites(&pipe, setup->extra);
   cover(&pipe, setup, setup->shader == rect);
   counted.width = counted.height = SIZE;
   counted.fragments = counters;
   if (is_counted)
      assert_int_equal(tg_context_set_pixel_counters(pipe.gpu, &counted),
                       TG_OK);
   assert_int_equal(pipe_set_state(&pipe, pipe.gpu), TG_OK);
   if (!(setup->extra & FEEDS_BACK))
      assert_int_equal(tg_context_clear(pipe.gpu, TG_CLEAR_COLOR0, NULL, &grey,
                                        0, 0, pipe.diagnostics),
                       TG_OK);
   info.draws = &range;
   assert_int_equal(tg_context_draw(pipe.gpu, &info, pipe.diagnostics), TG_OK);
   assert_int_equal(tg_context_finish(pipe.gpu, pipe.diagnostics), TG_OK);
   remains_out->passed = pipe_statistics(&pipe).samples_passed;
   remains_out->waves = pipe_statistics(&pipe).fragment_waves;
   memcpy(remains_out->bytes, pipe_texels(target, 0),
          target->written.layout.level[0].row_pitch * SIZE);
   pipe_finish(&pipe);
}

static void
expect_same(const struct setup *setup, uint64_t *waves_out)
{
   static struct remains copied, drawn;
   run(setup, false, &copied);
   run(setup, true, &drawn);
   if (memcmp(copied.bytes, drawn.bytes, sizeof(copied.bytes)) != 0)
      fail_msg("%s: other bytes", setup->name);
   if (copied.passed != drawn.passed)
      fail_msg("%s: other samples passed", setup->name);
   assert_true(drawn.waves == NUM_WAVES || setup->extra & FAILS);
   *waves_out = copied.waves;
}

static void
some_draws_are_copies(void **test)
{
   (void)test;
   for (unsigned i = 0; i < TG_LENGTH(setups); i++) {
      uint64_t waves;
      expect_same(&setups[i], &waves);
      if (waves != setups[i].num_waves)
         fail_msg("%s: %u waves", setups[i].name, (unsigned)waves);
   }
}

/* ---- random ones --------------------------------------------------------- */

static struct setup
random_setup(void)
{
   static const char *const shaders[] = {direct, linear, moved,
                                         opaque, rect,   constant};
   static const enum tg_format formats[] = {
      RGBA, BGRA, BGRX, TG_FORMAT_R8G8B8X8_UNORM, TG_FORMAT_A8R8G8B8_UNORM};
   static const uint8_t wraps[] = {TG_WRAP_REPEAT, TG_WRAP_CLAMP_TO_EDGE,
                                   TG_WRAP_MIRROR_REPEAT,
                                   TG_WRAP_CLAMP_TO_BORDER};
   struct setup setup = {
      .name = "random",
      .shader = shaders[random_below(TG_LENGTH(shaders))],
      .from = formats[random_below(TG_LENGTH(formats))],
      .to = formats[random_below(TG_LENGTH(formats))],
      .filter = (uint8_t)random_below(2),
      .wrap = wraps[random_below(TG_LENGTH(wraps))],
      .extra = random_below(4) ? NONE : 1u << random_below(8),
      .width = 200 + random_below(1900),
      .height = 200 + random_below(300),
      .step = {1, random_below(2) ? 1 : -1},
   };
   for (unsigned i = 0; i < 2; i++) {
      setup.shift[i] =
         (float)random_below(100) + (setup.step[i] < 0 ? SIZE : 0);
      if (random_below(4) == 0)
         setup.shift[i] += (float)random_below(100) / 300.0f;
      if (random_below(8) == 0)
         setup.step[i] *= 1 + (float)random_below(100) / 10000.0f;
   }
   for (unsigned i = 0; i < 4 && random_below(2); i++)
      setup.swizzle[i] = (uint8_t)random_below(6);
   return setup;
}

static void
copies_are_as_waves(void **test)
{
   enum { COUNT = 400 };
   uint64_t sum = 0;
   (void)test;
   for (uint32_t i = 0; i < COUNT; i++) {
      uint64_t waves;
      seed = i * 1000;
      const struct setup setup = random_setup();
      expect_same(&setup, &waves);
      sum += waves;
   }
   assert_true(sum < COUNT * (uint64_t)NUM_WAVES * 3 / 4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(some_draws_are_copies),
      cmocka_unit_test(copies_are_as_waves),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
