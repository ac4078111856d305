/* SPDX-License-Identifier: MIT
 *
 * Lines of [state] set the members that they name, and no others.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "script/commands/commands.h"
#include "tgsi/tables/tables.h"

/* A member and what it is: integers of its size, or floats. */
struct change {
   const char *line;
   struct {
      size_t offset, size;
      double value;
      bool is_float;
   } members[4];
};

#define AT(member) offsetof(struct script_state, member)
#define IS(member, value)                                                      \
   {                                                                           \
      AT(member), sizeof(((struct script_state *)0)->member), value, false     \
   }
#define NUMBER(member, value)                                                  \
   {                                                                           \
      AT(member), sizeof(float), value, true                                   \
   }
#define TARGET(i, member, value) IS(blend.targets[i].member, value)
#define RASTERIZER(member, value) IS(rasterizer.member, value)
#define DEPTH(member, value) IS(depth_stencil_alpha.member, value)

static const struct change changes[] = {
   {"blend 3 on", {TARGET(3, blend_enable, 1)}},
   {"blend 3 src src1_alpha",
    {TARGET(3, rgb_src_factor, TG_BLEND_SRC1_ALPHA),
     TARGET(3, alpha_src_factor, TG_BLEND_SRC1_ALPHA)}},
   {"blend 7 dst inv_const_color",
    {TARGET(7, rgb_dst_factor, TG_BLEND_INV_CONST_COLOR),
     TARGET(7, alpha_dst_factor, TG_BLEND_INV_CONST_COLOR)}},
   {"blend 0 func reverse_subtract",
    {TARGET(0, rgb_func, TG_BLEND_REVERSE_SUBTRACT),
     TARGET(0, alpha_func, TG_BLEND_REVERSE_SUBTRACT)}},
   {"blend 1 rgb func min", {TARGET(1, rgb_func, TG_BLEND_MIN)}},
   {"blend 1 alpha func max", {TARGET(1, alpha_func, TG_BLEND_MAX)}},
   {"blend 2 rgb src zero", {TARGET(2, rgb_src_factor, TG_BLEND_ZERO)}},
   {"blend 2 rgb dst src_alpha_saturate",
    {TARGET(2, rgb_dst_factor, TG_BLEND_SRC_ALPHA_SATURATE)}},
   {"blend 2 alpha src dst_alpha",
    {TARGET(2, alpha_src_factor, TG_BLEND_DST_ALPHA)}},
   {"blend 2 alpha dst one", {TARGET(2, alpha_dst_factor, TG_BLEND_ONE)}},
   {"colormask 4 rb", {TARGET(4, colormask, 5)}},
   {"colormask 0 none", {TARGET(0, colormask, 0)}},
   {"blend color 0.5 0 -1 2",
    {NUMBER(blend_color[0], 0.5), NUMBER(blend_color[1], 0),
     NUMBER(blend_color[2], -1), NUMBER(blend_color[3], 2)}},
   {"independent blend on", {IS(blend.independent_blend_enable, 1)}},
   {"logic op and_reverse",
    {IS(blend.logicop_enable, 1),
     IS(blend.logicop_func, TG_LOGIC_AND_REVERSE)}},
   {"dither on", {IS(blend.dither, 1)}},
   {"alpha to coverage on", {IS(blend.alpha_to_coverage, 1)}},
   {"alpha to one on", {IS(blend.alpha_to_one, 1)}},

   {"shading flat first",
    {RASTERIZER(flatshade, 1), RASTERIZER(flatshade_first, 1)}},
   {"shading flat last", {RASTERIZER(flatshade, 1)}},
   {"light twoside on", {RASTERIZER(light_twoside, 1)}},
   {"front cw", {RASTERIZER(front_ccw, 0)}},
   {"cull back", {RASTERIZER(cull_face, TG_FACE_BACK)}},
   {"fill point",
    {RASTERIZER(fill_front, TG_POLYGON_POINT),
     RASTERIZER(fill_back, TG_POLYGON_POINT)}},
   {"fill front line", {RASTERIZER(fill_front, TG_POLYGON_LINE)}},
   {"fill back line", {RASTERIZER(fill_back, TG_POLYGON_LINE)}},
   {"offset point on", {RASTERIZER(offset_point, 1)}},
   {"offset line on", {RASTERIZER(offset_line, 1)}},
   {"offset tri on", {RASTERIZER(offset_tri, 1)}},
   {"offset units unscaled on", {RASTERIZER(offset_units_unscaled, 1)}},
   {"offset units 2", {NUMBER(rasterizer.offset_units, 2)}},
   {"offset scale -1.5", {NUMBER(rasterizer.offset_scale, -1.5)}},
   {"offset clamp 0.25", {NUMBER(rasterizer.offset_clamp, 0.25)}},
   {"scissor on", {RASTERIZER(scissor, 1)}},
   {"window include on", {IS(window_include, 1)}},
   {"window rectangles 8", {IS(num_window_rectangles, 8)}},
   {"window rectangle 7 1 2 3 4",
    {NUMBER(window_rectangles[7][0], 1), NUMBER(window_rectangles[7][1], 2),
     NUMBER(window_rectangles[7][2], 3), NUMBER(window_rectangles[7][3], 4)}},
   {"scissor 15 1 2 3 4",
    {NUMBER(scissors[15][0], 1), NUMBER(scissors[15][1], 2),
     NUMBER(scissors[15][2], 3), NUMBER(scissors[15][3], 4)}},
   {"poly smooth on", {RASTERIZER(poly_smooth, 1)}},
   {"poly stipple on", {RASTERIZER(poly_stipple_enable, 1)}},
   {"stipple row 31 0x80000001", {IS(polygon_stipple[31], 0x80000001)}},
   {"point smooth on", {RASTERIZER(point_smooth, 1)}},
   {"point quad rasterization on", {RASTERIZER(point_quad_rasterization, 1)}},
   {"point size per vertex on", {RASTERIZER(point_size_per_vertex, 1)}},
   {"point size 3.5", {NUMBER(rasterizer.point_size, 3.5)}},
   {"point tri clip on", {RASTERIZER(point_tri_clip, 1)}},
   {"sprite coord enable 0x102", {RASTERIZER(sprite_coord_enable, 0x102)}},
   {"sprite coord mode lower_left",
    {RASTERIZER(sprite_coord_mode, TG_SPRITE_LOWER_LEFT)}},
   {"line smooth on", {RASTERIZER(line_smooth, 1)}},
   {"line stipple on", {RASTERIZER(line_stipple_enable, 1)}},
   {"line stipple factor 255", {RASTERIZER(line_stipple_factor, 255)}},
   {"line stipple pattern 0xff01", {RASTERIZER(line_stipple_pattern, 0xff01)}},
   {"line last pixel on", {RASTERIZER(line_last_pixel, 1)}},
   {"line rectangular on", {RASTERIZER(line_rectangular, 1)}},
   {"line width 8", {NUMBER(rasterizer.line_width, 8)}},
   {"multisample off", {RASTERIZER(multisample, 0)}},
   {"force persample interp on", {RASTERIZER(force_persample_interp, 1)}},
   {"sample mask without msaa on", {RASTERIZER(sample_mask_without_msaa, 1)}},
   {"half pixel center off", {RASTERIZER(half_pixel_center, 0)}},
   {"bottom edge rule on", {RASTERIZER(bottom_edge_rule, 1)}},
   {"z from 0", {RASTERIZER(clip_halfz, 1)}},
   {"depth clip off",
    {RASTERIZER(depth_clip_near, 0), RASTERIZER(depth_clip_far, 0)}},
   {"depth clip near off", {RASTERIZER(depth_clip_near, 0)}},
   {"depth clip far off", {RASTERIZER(depth_clip_far, 0)}},
   {"depth clamp on", {RASTERIZER(depth_clamp, 1)}},
   {"clip plane enable 129", {RASTERIZER(clip_plane_enable, 129)}},
   {"clip plane 7 1 2 3 4",
    {NUMBER(clip_planes[7][0], 1), NUMBER(clip_planes[7][1], 2),
     NUMBER(clip_planes[7][2], 3), NUMBER(clip_planes[7][3], 4)}},
   {"rasterizer discard on", {RASTERIZER(rasterizer_discard, 1)}},
   {"clamp vertex color on", {RASTERIZER(clamp_vertex_color, 1)}},
   {"clamp fragment color on", {RASTERIZER(clamp_fragment_color, 1)}},

   {"depth test gequal",
    {DEPTH(depth_enabled, 1), DEPTH(depth_func, TG_COMPARE_GEQUAL)}},
   {"depth write off", {DEPTH(depth_writemask, 0)}},
   {"depth bounds test on", {DEPTH(depth_bounds_test, 1)}},
   {"depth bounds 0.25 0.75",
    {NUMBER(depth_stencil_alpha.depth_bounds_min, 0.25),
     NUMBER(depth_stencil_alpha.depth_bounds_max, 0.75)}},
   {"stencil test notequal",
    {DEPTH(stencil[0].enabled, 1),
     DEPTH(stencil[0].func, TG_COMPARE_NOTEQUAL)}},
   {"stencil fail zero", {DEPTH(stencil[0].fail_op, TG_STENCIL_ZERO)}},
   {"stencil zfail incr", {DEPTH(stencil[0].zfail_op, TG_STENCIL_INCR)}},
   {"stencil zpass decr_wrap",
    {DEPTH(stencil[0].zpass_op, TG_STENCIL_DECR_WRAP)}},
   {"stencil value mask 0x0f", {DEPTH(stencil[0].valuemask, 15)}},
   {"stencil write mask 3", {DEPTH(stencil[0].writemask, 3)}},
   {"stencil ref 9", {IS(stencil_ref[0], 9), IS(stencil_ref[1], 9)}},
   {"stencil back test always",
    {DEPTH(stencil[1].enabled, 1), DEPTH(stencil[1].func, TG_COMPARE_ALWAYS)}},
   {"stencil back fail invert", {DEPTH(stencil[1].fail_op, TG_STENCIL_INVERT)}},
   {"stencil back zfail replace",
    {DEPTH(stencil[1].zfail_op, TG_STENCIL_REPLACE)}},
   {"stencil back zpass incr_wrap",
    {DEPTH(stencil[1].zpass_op, TG_STENCIL_INCR_WRAP)}},
   {"stencil back value mask 1", {DEPTH(stencil[1].valuemask, 1)}},
   {"stencil back write mask 2", {DEPTH(stencil[1].writemask, 2)}},
   {"stencil back ref 7", {IS(stencil_ref[1], 7)}},
   {"alpha test less",
    {DEPTH(alpha_enabled, 1), DEPTH(alpha_func, TG_COMPARE_LESS)}},
   {"alpha ref 0.5", {NUMBER(depth_stencil_alpha.alpha_ref_value, 0.5)}},

   {"sample mask 0xa", {IS(sample_mask, 10)}},
   {"min samples 4", {IS(min_samples, 4)}},
   {"y up", {IS(y_up, 1)}},
   {"viewport 2 1 2 3 4",
    {NUMBER(viewports[2].rect[0], 1), NUMBER(viewports[2].rect[1], 2),
     NUMBER(viewports[2].rect[2], 3), NUMBER(viewports[2].rect[3], 4)}},
   {"viewport 2 depth 0.25 0.5",
    {NUMBER(viewports[2].depth[0], 0.25), NUMBER(viewports[2].depth[1], 0.5)}},
   {"tess levels outer 1 2 3 4",
    {NUMBER(tess_outer[0], 1), NUMBER(tess_outer[1], 2),
     NUMBER(tess_outer[2], 3), NUMBER(tess_outer[3], 4)}},
   {"tess levels inner 5 6",
    {NUMBER(tess_inner[0], 5), NUMBER(tess_inner[1], 6)}},
   {"patch vertices 33", {IS(patch_vertices, 33)}},
   {"primitive restart on", {IS(primitive_restart, 1)}},
   {"restart index 0xffff", {IS(restart_index, 0xffff)}},
   {"index size 2", {IS(index_size, 2)}},
   {"size 3x5", {IS(width, 3), IS(height, 5)}},
   {"layers 6", {IS(layers, 6)}},
   {"samples 8", {IS(samples, 8)}},
   {"targets 4", {IS(num_targets, 4)}},
   {"format R32_UINT", {IS(formats[0], TG_FORMAT_R32_UINT)}},
   {"target 7 format none", {IS(formats[7], TG_FORMAT_NONE)}},
   {"depth format S8_UINT", {IS(depth_format, TG_FORMAT_S8_UINT)}},
};

static bool
read_line(const char *line, struct script_command *command)
{
   const struct tg_source source = {
      .name = "state",
      .text = line,
      .length = strlen(line),
   };
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct script_cursor cursor = cursor_at_start(&source, diagnostics);

   cursor_next_line(&cursor);
   bool good =
      script_read_state(&cursor, NULL, command) && cursor_expect_end(&cursor);
   tg_diagnostics_destroy(diagnostics);
   return good;
}

static void
set_member(struct script_state *state, const struct change *change, unsigned i)
{
   char *member = (char *)state + change->members[i].offset;
   const float number = (float)change->members[i].value;
   uint64_t bits = 0;

   if (change->members[i].is_float)
      memcpy(&bits, &number, sizeof(number));
   else
      bits = (uint64_t)change->members[i].value;
   memcpy(member, &bits, change->members[i].size);
}

static void
test_members(void **unused)
{
   struct script_state before, expected, found;

   (void)unused;
   memset(&before, 0, sizeof(before));
   script_state_init(&before);
   for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
      struct script_command command = {0};

      memcpy(&expected, &before, sizeof(before));
      memcpy(&found, &before, sizeof(before));
      for (unsigned j = 0; j < 4 && changes[i].members[j].size; j++)
         set_member(&expected, &changes[i], j);
      if (!read_line(changes[i].line, &command))
         fail_msg("'%s' is not read", changes[i].line);
      script_apply_rule(&command.change, &found);
      if (memcmp(&expected, &found, sizeof(found)) != 0)
         fail_msg("'%s' sets something else", changes[i].line);
   }
}

/* Without a number all targets are meant. */
static void
test_all_targets(void **unused)
{
   struct script_command command = {0};
   struct script_state state;

   (void)unused;
   script_state_init(&state);
   assert_true(read_line("blend src const_alpha", &command));
   script_apply_rule(&command.change, &state);
   for (unsigned i = 0; i < TG_MAX_COLOR_BUFFERS; i++) {
      assert_int_equal(state.blend.targets[i].rgb_src_factor,
                       TG_BLEND_CONST_ALPHA);
      assert_int_equal(state.blend.targets[i].alpha_src_factor,
                       TG_BLEND_CONST_ALPHA);
   }
}

static void
test_bad_lines(void **unused)
{
   static const char *const lines[] = {
      "blend 8 on",
      "blend maybe",
      "colormask rgbx",
      "window rectangles 9",
      "window rectangle 8 0 0 1 1",
      "scissor 16 0 0",
      "scissor 0 0 0 1",
      "viewport 0 1 2",
      "stencil ref 256",
      "stencil test maybe",
      "index size 5",
      "samples 17",
      "target format none",
      "clip plane 1 2 3",
      "point size",
      "depth bounds 1",
      "nonsense",
   };

   (void)unused;
   for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
      struct script_command command = {0};

      if (read_line(lines[i], &command))
         fail_msg("'%s' is read", lines[i]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_members),
      cmocka_unit_test(test_all_targets),
      cmocka_unit_test(test_bad_lines),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
