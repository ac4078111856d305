/* SPDX-License-Identifier: MIT
 *
 * Words of state objects: each bit is where the protocol has it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "client.h"
#include "virgl/wire/decode.h"

static void
blend_is_decoded(void **test)
{
   /* reverse_subtract, src_alpha, inv_src_alpha; max, one, zero; R and A. */
   const uint32_t target = 1 | 2 << 1 | 3 << 4 | 0x13 << 9 | 4 << 14 | 1 << 17 |
                           0x11 << 22 | 9u << 27;
   uint32_t words[12] = {[2] = 1 | 1 << 3, [3] = 6, [4] = target};
   struct tg_blend_state blend;
   (void)test;

   words[11] = 1u << 28;
   virgl_decode_blend(words, &blend);
   assert_true(blend.independent_blend_enable);
   assert_false(blend.logicop_enable);
   assert_false(blend.dither);
   assert_true(blend.alpha_to_coverage);
   assert_false(blend.alpha_to_one);
   assert_int_equal(blend.logicop_func, TG_LOGIC_XOR);
   assert_true(blend.targets[0].blend_enable);
   assert_int_equal(blend.targets[0].rgb_func, TG_BLEND_REVERSE_SUBTRACT);
   assert_int_equal(blend.targets[0].rgb_src_factor, TG_BLEND_SRC_ALPHA);
   assert_int_equal(blend.targets[0].rgb_dst_factor, TG_BLEND_INV_SRC_ALPHA);
   assert_int_equal(blend.targets[0].alpha_func, TG_BLEND_MAX);
   assert_int_equal(blend.targets[0].alpha_src_factor, TG_BLEND_ONE);
   assert_int_equal(blend.targets[0].alpha_dst_factor, TG_BLEND_ZERO);
   assert_int_equal(blend.targets[0].colormask, TG_CHANNEL_R | TG_CHANNEL_A);
   assert_int_equal(blend.targets[7].colormask, TG_CHANNEL_G);
   words[2] = 1 << 1 | 1 << 2 | 1 << 4;
   virgl_decode_blend(words, &blend);
   assert_false(blend.independent_blend_enable);
   assert_true(blend.logicop_enable);
   assert_true(blend.dither);
   assert_false(blend.alpha_to_coverage);
   assert_true(blend.alpha_to_one);
}

/* The bits of the second word that are yes or no. */
static const struct {
   unsigned bit;
   size_t offset;
} switches[] = {
#define SWITCH(bit, member)                                                    \
   {                                                                           \
      bit, offsetof(struct tg_rasterizer_state, member)                        \
   }
   SWITCH(0, flatshade),
   SWITCH(2, clip_halfz),
   SWITCH(3, rasterizer_discard),
   SWITCH(4, flatshade_first),
   SWITCH(5, light_twoside),
   SWITCH(7, point_quad_rasterization),
   SWITCH(14, scissor),
   SWITCH(15, front_ccw),
   SWITCH(16, clamp_vertex_color),
   SWITCH(17, clamp_fragment_color),
   SWITCH(18, offset_line),
   SWITCH(19, offset_point),
   SWITCH(20, offset_tri),
   SWITCH(21, poly_smooth),
   SWITCH(22, poly_stipple_enable),
   SWITCH(23, point_smooth),
   SWITCH(24, point_size_per_vertex),
   SWITCH(25, multisample),
   SWITCH(26, line_smooth),
   SWITCH(27, line_stipple_enable),
   SWITCH(28, line_last_pixel),
   SWITCH(29, half_pixel_center),
   SWITCH(30, bottom_edge_rule),
   SWITCH(31, force_persample_interp),
};

static bool
switch_at(const struct tg_rasterizer_state *state, size_t offset)
{
   bool value;

   memcpy(&value, (const char *)state + offset, sizeof(value));
   return value;
}

static void
rasterizer_is_decoded(void **test)
{
   enum { COUNT = sizeof(switches) / sizeof(switches[0]) };
   struct tg_rasterizer_state state;
   (void)test;

   for (unsigned i = 0; i < COUNT; i++) {
      const uint32_t words[10] = {[2] = UINT32_C(1) << switches[i].bit};

      virgl_decode_rasterizer(words, &state);
      for (unsigned j = 0; j < COUNT; j++)
         assert_int_equal(switch_at(&state, switches[j].offset), i == j);
      assert_true(state.depth_clamp);
      assert_false(state.depth_clip_near || state.depth_clip_far);
   }
   const uint32_t words[10] = {0,
                               0,
                               1 << 1 | 1 << 6 | 2 << 8 | 1 << 10 | 2 << 12,
                               client_float(2.5f),
                               0x81,
                               0xaaaa | 6 << 16 | 0x41u << 24,
                               client_float(3),
                               client_float(4),
                               client_float(5),
                               client_float(6)};
   virgl_decode_rasterizer(words, &state);
   assert_true(state.depth_clip_near && state.depth_clip_far);
   assert_false(state.depth_clamp);
   assert_int_equal(state.sprite_coord_mode, TG_SPRITE_LOWER_LEFT);
   assert_int_equal(state.cull_face, TG_FACE_BACK);
   assert_int_equal(state.fill_front, TG_POLYGON_LINE);
   assert_int_equal(state.fill_back, TG_POLYGON_POINT);
   assert_true(state.point_size == 2.5f);
   assert_int_equal(state.sprite_coord_enable, 0x81);
   assert_int_equal(state.line_stipple_pattern, 0xaaaa);
   assert_int_equal(state.line_stipple_factor, 6);
   assert_int_equal(state.clip_plane_enable, 0x41);
   assert_true(state.line_width == 3);
   assert_true(state.offset_units == 4);
   assert_true(state.offset_scale == 5);
   assert_true(state.offset_clamp == 6);
}

static void
tests_are_decoded(void **test)
{
   /* LESS, fails: INCR, passes: DECR_WRAP, depth fails: INVERT. */
   const uint32_t front =
      1 | 1 << 1 | 3 << 4 | 6 << 7 | 7 << 10 | 0x5a << 13 | 0xa5 << 21;
   const uint32_t words[6] = {0,     0,      1 | 5 << 2 | 1 << 8 | 6 << 9,
                              front, 4 << 1, client_float(0.25f)};
   struct tg_depth_stencil_alpha_state tests;
   (void)test;

   virgl_decode_tests(words, &tests);
   assert_true(tests.depth_enabled);
   assert_false(tests.depth_writemask);
   assert_int_equal(tests.depth_func, TG_COMPARE_NOTEQUAL);
   assert_true(tests.alpha_enabled);
   assert_int_equal(tests.alpha_func, TG_COMPARE_GEQUAL);
   assert_true(tests.alpha_ref_value == 0.25f);
   assert_true(tests.stencil[0].enabled);
   assert_int_equal(tests.stencil[0].func, TG_COMPARE_LESS);
   assert_int_equal(tests.stencil[0].fail_op, TG_STENCIL_INCR);
   assert_int_equal(tests.stencil[0].zpass_op, TG_STENCIL_DECR_WRAP);
   assert_int_equal(tests.stencil[0].zfail_op, TG_STENCIL_INVERT);
   assert_int_equal(tests.stencil[0].valuemask, 0x5a);
   assert_int_equal(tests.stencil[0].writemask, 0xa5);
   assert_false(tests.stencil[1].enabled);
   assert_int_equal(tests.stencil[1].func, TG_COMPARE_GREATER);
}

static void
samplers_are_decoded(void **test)
{
   const uint32_t words[10] = {0,
                               0,
                               1 | 2 << 3 | 3 << 6 | 1 << 9 | 2 << 11 |
                                  0 << 13 | 1 << 15 | 4 << 16 | 1 << 19 |
                                  40 << 20,
                               client_float(1),
                               client_float(2),
                               client_float(3),
                               11,
                               12,
                               13,
                               14};
   struct tg_sampler_desc sampler;
   (void)test;

   virgl_decode_sampler(words, &sampler);
   assert_int_equal(sampler.wrap[0], TG_WRAP_CLAMP);
   assert_int_equal(sampler.wrap[1], TG_WRAP_CLAMP_TO_EDGE);
   assert_int_equal(sampler.wrap[2], TG_WRAP_CLAMP_TO_BORDER);
   assert_int_equal(sampler.min_filter, TG_FILTER_LINEAR);
   assert_int_equal(sampler.mip_filter, TG_MIP_NONE);
   assert_int_equal(sampler.mag_filter, TG_FILTER_NEAREST);
   assert_true(sampler.compares);
   assert_int_equal(sampler.compare_func, TG_COMPARE_GREATER);
   assert_true(sampler.seamless_cube);
   assert_int_equal(sampler.max_anisotropy, TG_MAX_ANISOTROPY);
   assert_true(sampler.lod_bias == 1 && sampler.min_lod == 2 &&
               sampler.max_lod == 3);
   assert_int_equal(sampler.border_color.u[0], 11);
   assert_int_equal(sampler.border_color.u[3], 14);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(blend_is_decoded),
      cmocka_unit_test(rasterizer_is_decoded),
      cmocka_unit_test(tests_are_decoded),
      cmocka_unit_test(samplers_are_decoded),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
