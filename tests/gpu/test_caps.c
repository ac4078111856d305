/* SPDX-License-Identifier: MIT
 *
 * Every row of tungsten/caps.def: a limit is the most that the API takes, what
 * is a feature has a golden test, and docs/caps.md has the values.
 *
 *    test_caps SOURCE-FOLDER [--rebase]
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "caps_rows.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *source_folder;

/* ---- rows ---------------------------------------------------------------- */

enum kind { MOST, CLAMP, FACT, SET, FEATURE };
enum type { TYPE_uint32_t, TYPE_uint64_t, TYPE_int32_t, TYPE_float, TYPE_bool };

struct row {
   const char *name, *what;
   enum kind kind;
   enum type type;
   size_t offset;
   bool (*takes)(struct pipe *pipe, uint64_t number);
   bool (*holds)(struct pipe *pipe, const struct tg_caps *caps);
};

#define ROW_MOST(name) .takes = takes_##name
#define ROW_CLAMP(name) .holds = holds_##name
#define ROW_FACT(name) .holds = holds_##name
#define ROW_SET(name) .holds = holds_##name
#define ROW_FEATURE(name) .holds = NULL

static const struct row rows[] = {
#define TG_CAP_(kind, type, name, value, what)                                 \
   {#name,           what, kind, TYPE_##type, offsetof(struct tg_caps, name),  \
    ROW_##kind(name)},
#include "tungsten/caps.def"
};

static uint64_t
integer(const struct tg_caps *caps, const struct row *row)
{
   const void *member = (const char *)caps + row->offset;
   switch (row->type) {
   case TYPE_uint32_t: return *(const uint32_t *)member;
   case TYPE_uint64_t: return *(const uint64_t *)member;
   case TYPE_int32_t: return (uint64_t)(int64_t) * (const int32_t *)member;
   case TYPE_float: return (uint64_t) * (const float *)member;
   default: return *(const bool *)member;
   }
}

static struct tg_caps
get_caps(const struct tg_context *gpu)
{
   struct tg_caps caps = TG_CAPS_INIT;
   assert_int_equal(tg_device_get_caps(tg_context_get_device(gpu), &caps),
                    TG_OK);
   return caps;
}

/* Each call has a pipe of its own, as it was made. */
static bool
try_row(const struct row *row, uint64_t number)
{
   struct pipe pipe;
   pipe_init(&pipe, CAPS_WIDTH, CAPS_HEIGHT, pipe_vertex_shader,
             pipe_constant_shader);
   const struct tg_caps caps = get_caps(pipe.gpu);
   const bool is_good =
      row->takes ? row->takes(&pipe, number) : row->holds(&pipe, &caps);
   pipe_finish(&pipe);
   return is_good;
}

static void
limits_are_what_the_api_takes(void **state)
{
   struct pipe pipe;
   unsigned num_wrong = 0;
   (void)state;
   pipe_init(&pipe, 1, 1, pipe_vertex_shader, pipe_constant_shader);
   const struct tg_caps caps = get_caps(pipe.gpu);
   pipe_finish(&pipe);
   for (size_t i = 0; i < COUNT(rows); i++) {
      const struct row *row = &rows[i];
      const uint64_t value = integer(&caps, row);
      if (row->kind == FEATURE)
         continue;
      const bool is_kept = try_row(row, value);
      const bool is_refused = !row->takes || !try_row(row, value + 1);
      if (is_kept && is_refused)
         continue;
      print_error("%s, %" PRIu64 ": %s\n", row->name, value,
                  is_kept ? "more is taken" : "does not hold");
      num_wrong++;
   }
   assert_int_equal(num_wrong, 0);
}

/* ---- features ------------------------------------------------------------ */

/* The test that has one at work, and what must stand in it. */
static const struct feature {
   const char *name, *file, *text;
} features[] = {
   {"cube_map_array", "opcodes/tex.tgsi_test", "CUBE_ARRAY"},
   {"texture_multisample", "opcodes/tex-fetch.tgsi_test", "2D_MSAA"},
   {"texture_buffer", "opcodes/tex-fetch.tgsi_test", "BUFFER"},
   {"texture_query_lod", "opcodes/tex-fetch.tgsi_test", "LODQ"},
   {"texture_query_samples", "opcodes/tex-fetch.tgsi_test", "TXQS"},
   {"texture_gather", "opcodes/tex-fetch.tgsi_test", "TG4"},
   {"texture_swizzle", "opcodes/sample.tgsi_test", "swizzle"},
   {"seamless_cube_per_sampler", "script/sampling.tgsi_test", "seamless"},
   {"mirror_clamp", "script/sampling.tgsi_test", "mirror_clamp"},
   {"image_formatted", "opcodes/image.tgsi_test", "IMAGE"},
   {"bindless", "opcodes/handles.tgsi_test", "SAMP2HND"},
   {"fp64", "opcodes/wide-masks.tgsi_test", "DADD"},
   {"int64", "opcodes/modifiers.tgsi_test", "U64ADD"},
   {"float_atomic_add", "opcodes/atomic.tgsi_test", "ATOMFADD"},
   {"derivative_control", "opcodes/derivative.tgsi_test", "DDX_FINE"},
   {"shader_clock", "opcodes/clock.tgsi_test", "CLOCK"},
   {"framebuffer_fetch", "opcodes/fbfetch.tgsi_test", "FBFETCH"},
   {"shader_ballot", "opcodes/subgroup.tgsi_test", "BALLOT"},
   {"shader_group_vote", "opcodes/subgroup.tgsi_test", "VOTE_"},
   {"geometry_shader", "pipeline/geometry/inputs.tgsi_test", "GEOM"},
   {"tessellation_shader", "pipeline/tessellation/control.tgsi_test",
    "TESS_CTRL"},
   {"compute_shader", "pipeline/semantics/compute.tgsi_test", "COMP"},
   {"stencil_export", "pipeline/semantics/stencil.tgsi_test", "STENCIL"},
   {"coord_origin_lower_left", "pipeline/properties/fs-coord-origin.tgsi_test",
    "FS_COORD_ORIGIN"},
   {"coord_center_integer",
    "pipeline/properties/fs-coord-pixel-center.tgsi_test",
    "FS_COORD_PIXEL_CENTER"},
   {"early_depth_stencil",
    "pipeline/properties/fs-early-depth-stencil.tgsi_test",
    "FS_EARLY_DEPTH_STENCIL"},
   {"post_depth_coverage",
    "pipeline/properties/fs-post-depth-coverage.tgsi_test",
    "FS_POST_DEPTH_COVERAGE"},
   {"window_space_position",
    "pipeline/properties/vs-window-space-position.tgsi_test",
    "VS_WINDOW_SPACE_POSITION"},
   {"draw_parameters", "pipeline/semantics/drawid.tgsi_test", "DRAWID"},
   {"layer_viewport_in_vertex", "pipeline/semantics/layer.tgsi_test", "LAYER"},
   {"cull_distance", "pipeline/semantics/culldist.tgsi_test",
    "NUM_CULLDIST_ENABLED"},
   {"helper_invocation", "pipeline/semantics/helper-invocation.tgsi_test",
    "HELPER_INVOCATION"},
   {"primitive_restart", "pipeline/primitives/restart.tgsi_test",
    "primitive restart"},
   {"indirect_draw", "pipeline/vertices/draws.tgsi_test", "indirect"},
   {"flatshade_first", "pipeline/rasterizer/flatshade-first.tgsi_test",
    "flatshade first"},
   {"two_sided_color", "pipeline/semantics/bcolor.tgsi_test", "light twoside"},
   {"vertex_color_clamp", "pipeline/blend/clamp.tgsi_test", "clamp"},
   {"polygon_mode", "pipeline/rasterizer/fill.tgsi_test", "fill front"},
   {"polygon_offset_clamp", "pipeline/rasterizer/offset.tgsi_test",
    "offset clamp"},
   {"polygon_offset_unscaled", "pipeline/rasterizer/offset.tgsi_test",
    "offset units unscaled"},
   {"polygon_stipple", "pipeline/rasterizer/poly-stipple.tgsi_test",
    "poly stipple"},
   {"polygon_smooth", "pipeline/rasterizer/poly-smooth.tgsi_test",
    "poly smooth"},
   {"line_stipple", "pipeline/rasterizer/line-stipple.tgsi_test",
    "line stipple"},
   {"line_smooth", "pipeline/rasterizer/line-smooth.tgsi_test", "line smooth"},
   {"point_smooth", "pipeline/rasterizer/point-smooth.tgsi_test",
    "point smooth"},
   {"point_sprite", "pipeline/semantics/pcoord.tgsi_test", "PCOORD"},
   {"depth_clip_disable", "pipeline/rasterizer/clip-halfz.tgsi_test",
    "depth clip"},
   {"clip_halfz", "pipeline/rasterizer/clip-halfz.tgsi_test", "z "},
   {"half_pixel_center", "pipeline/rasterizer/half-pixel-center.tgsi_test",
    "half pixel center"},
   {"bottom_edge_rule", "pipeline/rasterizer/bottom-edge-rule.tgsi_test",
    "bottom edge rule"},
   {"sample_shading", "pipeline/samples/interpolation.tgsi_test",
    "min samples"},
   {"multisample_off", "pipeline/samples/multisample-off.tgsi_test",
    "multisample off"},
   {"alpha_test", "pipeline/alpha/functions.tgsi_test", "alpha test"},
   {"depth_bounds_test", "pipeline/depth/bounds.tgsi_test", "depth bounds"},
   {"two_sided_stencil", "pipeline/stencil/two-sided.tgsi_test",
    "stencil back"},
   {"alpha_to_coverage", "pipeline/samples/alpha-to-coverage.tgsi_test",
    "alpha to coverage"},
   {"independent_blend", "pipeline/blend/independent.tgsi_test",
    "independent blend"},
   {"dual_source_blend", "pipeline/blend/dual-source.tgsi_test", "src1"},
   {"logic_op", "pipeline/blend/logic.tgsi_test", "logic op"},
   {"dither", "pipeline/output/dither.tgsi_test", "dither"},
   {"srgb_write", "pipeline/output/srgb.tgsi_test", "SRGB"},
   {"mixed_color_formats", "pipeline/output/targets.tgsi_test",
    "target 1 format"},
   {"occlusion_query", "pipeline/queries/occlusion.tgsi_test", "occlusion"},
   {"timer_query", "pipeline/queries/time.tgsi_test", "time"},
   {"pipeline_statistics", "pipeline/queries/statistics.tgsi_test",
    "statistics"},
   {"conditional_render", "pipeline/queries/condition.tgsi_test", "condition"},
   {"conditional_render_inverted", "pipeline/queries/condition.tgsi_test",
    "inverted"},
   {"stream_overflow_query", "pipeline/queries/primitives.tgsi_test",
    "overflow"},
   {"stream_pause_resume", "pipeline/stream-output/vertices.tgsi_test",
    "stream resume"},
   {"clear_texture", "pipeline/transfers/clear-texture.tgsi_test",
    "clear texture"},
   {"clear_buffer", "pipeline/transfers/clear-buffer.tgsi_test",
    "clear buffer"},
   {"copy_between_formats", "pipeline/transfers/copy.tgsi_test", "copy"},
   {"blit_scaled_resolve", "pipeline/transfers/resolve.tgsi_test", "blit"},
   {"clear_surface", "gpu/test_clear.c", "tg_context_clear_surface"},
   {"instance_divisor", "pipeline/vertices/rows.tgsi_test", "divisor"},
   {"start_instance", "pipeline/semantics/instanceid.tgsi_test",
    "start instance"},
   {"vertex_streams", "pipeline/stream-output/geometry.tgsi_test", "stream 1"},
   {"depth_clamp", "pipeline/rasterizer/clip-halfz.tgsi_test", "depth clamp"},
   {"framebuffer_no_attachments", "pipeline/output/targets.tgsi_test",
    "targets 0"},
   {"border_color", "script/sampling.tgsi_test", "border"},
   {"robust_access", "opcodes/buffer.tgsi_test", "outside"},
   {"query_buffer", "gpu/test_query.c", "tg_query_write_result"},
};

static char *
read_all(const char *path)
{
   FILE *file = fopen(path, "rb");
   if (!file)
      return NULL;
   char *text = calloc(1, 1 << 20);
   assert_non_null(text);
   const size_t size = fread(text, 1, (1 << 20) - 1, file);
   assert_true(size < (1 << 20) - 1);
   fclose(file);
   return text;
}

static bool
is_shown(const struct feature *feature)
{
   char path[1000];
   snprintf(path, sizeof(path), "%s/tests/%s", source_folder, feature->file);
   char *text = read_all(path);
   const bool found = text && strstr(text, feature->text);
   free(text);
   return found;
}

static const struct feature *
find_feature(const char *name)
{
   for (size_t i = 0; i < COUNT(features); i++) {
      if (strcmp(features[i].name, name) == 0)
         return &features[i];
   }
   return NULL;
}

static void
features_have_golden_tests(void **state)
{
   struct pipe pipe;
   size_t num_features = 0;
   (void)state;
   pipe_init(&pipe, 1, 1, pipe_vertex_shader, pipe_constant_shader);
   const struct tg_caps caps = get_caps(pipe.gpu);
   pipe_finish(&pipe);
   for (size_t i = 0; i < COUNT(rows); i++) {
      const struct row *row = &rows[i];
      if (row->kind != FEATURE)
         continue;
      const struct feature *feature = find_feature(row->name);
      num_features++;
      if (!feature || !is_shown(feature) || !integer(&caps, row))
         fail_msg("no test shows %s", row->name);
   }
   assert_int_equal(num_features, COUNT(features));
}

/* ---- documentation ------------------------------------------------------- */

static void
print_value(FILE *file, const struct tg_caps *caps, const struct row *row)
{
   if (row->type == TYPE_bool)
      fprintf(file, "%s", integer(caps, row) ? "yes" : "no");
   else if (row->kind == SET)
      fprintf(file, "%#" PRIx64, integer(caps, row));
   else
      fprintf(file, "%" PRId64, (int64_t)integer(caps, row));
}

/* The page, in memory that is the caller's. */
static char *
make_page(const struct tg_caps *caps)
{
   static const char *const kinds[] = {[MOST] = "limit",
                                       [CLAMP] = "clamped",
                                       [FACT] = "number",
                                       [SET] = "set",
                                       [FEATURE] = "feature"};
   char *page = NULL;
   size_t size = 0;
   FILE *file = open_memstream(&page, &size);
   assert_non_null(file);
   fprintf(file,
           "# Capabilities\n\n"
           "What `tg_device_get_caps()` gives, row by row of\n"
           "`tungsten/caps.def`, from which the members of `struct tg_caps` "
           "are made.\n"
           "Beyond a limit calls are refused; what is clamped counts as the "
           "value. A set\nhas a bit for each number that there is.\n\n"
           "| name | kind | value | what it is |\n"
           "| --- | --- | ---: | --- |\n");
   for (size_t i = 0; i < COUNT(rows); i++) {
      fprintf(file, "| `%s` | %s | ", rows[i].name, kinds[rows[i].kind]);
      print_value(file, caps, &rows[i]);
      fprintf(file, " | %s |\n", rows[i].what);
   }
   fclose(file);
   return page;
}

static void
the_page_has_the_values(void **state)
{
   struct pipe pipe;
   char path[1000];
   const bool rebases = *(const bool *)*state;
   pipe_init(&pipe, 1, 1, pipe_vertex_shader, pipe_constant_shader);
   const struct tg_caps caps = get_caps(pipe.gpu);
   pipe_finish(&pipe);
   char *expected = make_page(&caps);
   snprintf(path, sizeof(path), "%s/docs/caps.md", source_folder);
   if (rebases) {
      FILE *file = fopen(path, "wb");
      assert_non_null(file);
      fputs(expected, file);
      fclose(file);
   }
   char *page = read_all(path);
   assert_non_null(page);
   assert_string_equal(page, expected);
   free(page);
   free(expected);
}

int
main(int argc, char **argv)
{
   bool rebases = argc == 3 && strcmp(argv[2], "--rebase") == 0;
   void *state = &rebases;
   if (argc < 2)
      return 2;
   source_folder = argv[1];
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_are_what_the_api_takes),
      cmocka_unit_test(features_have_golden_tests),
      cmocka_unit_test_prestate(the_page_has_the_values, state),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
