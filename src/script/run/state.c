/* SPDX-License-Identifier: MIT
 *
 * Parsing of the lines that set state.
 */
#include "script/run/state.h"

#include <assert.h>
#include <string.h>

#include "script/sections/model.h"
#include "tgsi/tables/tables.h"

/* ---- words --------------------------------------------------------------- */

static const struct script_choice blend_funcs[] = {
   {"add", TG_BLEND_ADD},
   {"subtract", TG_BLEND_SUBTRACT},
   {"reverse_subtract", TG_BLEND_REVERSE_SUBTRACT},
   {"min", TG_BLEND_MIN},
   {"max", TG_BLEND_MAX},
};
static const struct script_choice blend_factors[] = {
   {"one", TG_BLEND_ONE},
   {"src_color", TG_BLEND_SRC_COLOR},
   {"src_alpha", TG_BLEND_SRC_ALPHA},
   {"dst_alpha", TG_BLEND_DST_ALPHA},
   {"dst_color", TG_BLEND_DST_COLOR},
   {"src_alpha_saturate", TG_BLEND_SRC_ALPHA_SATURATE},
   {"const_color", TG_BLEND_CONST_COLOR},
   {"const_alpha", TG_BLEND_CONST_ALPHA},
   {"src1_color", TG_BLEND_SRC1_COLOR},
   {"src1_alpha", TG_BLEND_SRC1_ALPHA},
   {"zero", TG_BLEND_ZERO},
   {"inv_src_color", TG_BLEND_INV_SRC_COLOR},
   {"inv_src_alpha", TG_BLEND_INV_SRC_ALPHA},
   {"inv_dst_alpha", TG_BLEND_INV_DST_ALPHA},
   {"inv_dst_color", TG_BLEND_INV_DST_COLOR},
   {"inv_const_color", TG_BLEND_INV_CONST_COLOR},
   {"inv_const_alpha", TG_BLEND_INV_CONST_ALPHA},
   {"inv_src1_color", TG_BLEND_INV_SRC1_COLOR},
   {"inv_src1_alpha", TG_BLEND_INV_SRC1_ALPHA},
};
static const struct script_choice fronts[] = {{"ccw", true}, {"cw", false}};
static const struct script_choice faces[] = {
   {"none", TG_FACE_NONE},
   {"front", TG_FACE_FRONT},
   {"back", TG_FACE_BACK},
   {"all", TG_FACE_FRONT_AND_BACK},
};
static const struct script_choice polygon_modes[] = {
   {"fill", TG_POLYGON_FILL},
   {"line", TG_POLYGON_LINE},
   {"point", TG_POLYGON_POINT},
};
static const struct script_choice sprite_origins[] = {
   {"upper_left", TG_SPRITE_UPPER_LEFT},
   {"lower_left", TG_SPRITE_LOWER_LEFT},
};
static const struct script_choice depths[] = {
   {"from -1", false},
   {"from 0", true},
};
static const struct script_choice stencil_ops[] = {
   {"keep", TG_STENCIL_KEEP},           {"zero", TG_STENCIL_ZERO},
   {"replace", TG_STENCIL_REPLACE},     {"incr", TG_STENCIL_INCR},
   {"decr", TG_STENCIL_DECR},           {"incr_wrap", TG_STENCIL_INCR_WRAP},
   {"decr_wrap", TG_STENCIL_DECR_WRAP}, {"invert", TG_STENCIL_INVERT},
};
static const struct script_choice directions[] = {{"up", true},
                                                  {"down", false}};

/* ---- readers ------------------------------------------------------------- */

/* Whether there is a logical operation, and which. */
static bool
read_logic(struct script_cursor *cursor, const struct script_rule *rule,
           enum script_plain plain, uint32_t numbers[SCRIPT_MAX_NUMBERS])
{
   enum { OFF = TG_LOGIC_SET + 1 };
   static const struct script_choice choices[] = {
      {"off", OFF},
      {"clear", TG_LOGIC_CLEAR},
      {"nor", TG_LOGIC_NOR},
      {"and_inverted", TG_LOGIC_AND_INVERTED},
      {"copy_inverted", TG_LOGIC_COPY_INVERTED},
      {"and_reverse", TG_LOGIC_AND_REVERSE},
      {"invert", TG_LOGIC_INVERT},
      {"xor", TG_LOGIC_XOR},
      {"nand", TG_LOGIC_NAND},
      {"and", TG_LOGIC_AND},
      {"equiv", TG_LOGIC_EQUIV},
      {"noop", TG_LOGIC_NOOP},
      {"or_inverted", TG_LOGIC_OR_INVERTED},
      {"copy", TG_LOGIC_COPY},
      {"or_reverse", TG_LOGIC_OR_REVERSE},
      {"or", TG_LOGIC_OR},
      {"set", TG_LOGIC_SET},
   };
   const size_t count = sizeof(choices) / sizeof(choices[0]);

   (void)rule;
   (void)plain;
   if (!script_read_choice(cursor, choices, count, &numbers[1]))
      return false;
   numbers[0] = numbers[1] != OFF;
   if (!numbers[0])
      numbers[1] = TG_LOGIC_COPY;
   return true;
}

/* Whether it is flat, and whether the first vertex counts. */
static bool
read_shading(struct script_cursor *cursor, const struct script_rule *rule,
             enum script_plain plain, uint32_t numbers[SCRIPT_MAX_NUMBERS])
{
   enum { FLAT = 1, FIRST = 2 };
   static const struct script_choice choices[] = {
      {"smooth", 0},
      {"flat first", FLAT | FIRST},
      {"flat last", FLAT},
   };
   uint32_t number;

   (void)rule;
   (void)plain;
   if (!script_read_choice(cursor, choices, 3, &number))
      return false;
   numbers[0] = (number & FLAT) != 0;
   numbers[1] = (number & FIRST) != 0;
   return true;
}

static bool
read_size(struct script_cursor *cursor, const struct script_rule *rule,
          enum script_plain plain, uint32_t numbers[SCRIPT_MAX_NUMBERS])
{
   (void)rule;
   (void)plain;
   return cursor_read_size(cursor, 2, SCRIPT_MAX_SIZE, numbers);
}

/* ---- the table ----------------------------------------------------------- */

enum { STATE, FRAME };

#define ON SCRIPT_READ_CHOICE(script_switches)
#define WORD(table) SCRIPT_READ_CHOICE(table)
#define NUMBER SCRIPT_READ_NUMBER
#define FLOATS .read = script_rule_read_floats
#define COMPARE .read = script_rule_read_compare
#define MASK .read = script_rule_read_mask
#define FORMAT .read = script_rule_read_format
#define LOGIC .read = read_logic
#define SHADING .read = read_shading
#define SIZE .read = read_size

#define MEMBER(member) ((struct script_state *)0)->member
#define ONE .num_elements = 0
#define ELEMENTS(member)                                                       \
   .num_elements = sizeof(MEMBER(member)) / sizeof(MEMBER(member)[0]),         \
   .stride = sizeof(MEMBER(member)[0])
#define M(member) SCRIPT_FIELD(struct script_state, member)
#define COUNT_FIELDS(...)                                                      \
   (sizeof((struct { uint16_t a, b; }[]){__VA_ARGS__}) / (2 * sizeof(uint16_t)))

static const struct script_rule rules[] = {
#define SCRIPT_STATE(words_, what_, reader, elements, ...)                     \
   {                                                                           \
      .words = words_,                                                         \
      .kinds = what_,                                                          \
      reader,                                                                  \
      elements,                                                                \
      .num_fields = COUNT_FIELDS(__VA_ARGS__),                                 \
      .fields = {__VA_ARGS__},                                                 \
   },
#include "script/run/state.def"
#include "util/length.h"
};

bool
script_state_changes_framebuffer(const struct script_change *change)
{
   return change->rule->kinds == FRAME;
}

/* ---- lines --------------------------------------------------------------- */

bool
script_state_read(struct script_cursor *cursor, struct script_change *change)
{
   bool good = false;

   for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
      if (script_accept_rule(cursor, &rules[i], SCRIPT_PLAIN_FLOAT, change,
                             &good))
         return good;
   }
   return cursor_complain(cursor, "there is no such command");
}

void
script_state_init(struct script_state *state)
{
   *state = (struct script_state){
      .blend = TG_BLEND_INIT,
      .rasterizer = TG_RASTERIZER_INIT,
      .depth_stencil_alpha = {.size = sizeof(state->depth_stencil_alpha),
                              .depth_writemask = true,
                              .depth_func = TG_COMPARE_LESS,
                              .depth_bounds_max = 1.0f},
      .sample_mask = UINT32_MAX,
      .min_samples = 1,
      .tess_outer = {1, 1, 1, 1},
      .tess_inner = {1, 1},
      .patch_vertices = 3,
      .index_size = 4,
      .width = 64,
      .height = 64,
      .layers = 1,
      .samples = 1,
      .num_targets = 1,
      .formats = {TG_FORMAT_R8G8B8A8_UNORM},
      .depth_format = TG_FORMAT_Z32_FLOAT,
   };
   for (unsigned i = 0; i < TG_MAX_COLOR_BUFFERS; i++) {
      struct tg_blend_target *target = &state->blend.targets[i];

      *target = (struct tg_blend_target){
         .rgb_src_factor = TG_BLEND_ONE,
         .rgb_dst_factor = TG_BLEND_ZERO,
         .alpha_src_factor = TG_BLEND_ONE,
         .alpha_dst_factor = TG_BLEND_ZERO,
         .colormask = TG_CHANNEL_RGBA,
      };
      state->formats[i] = TG_FORMAT_R8G8B8A8_UNORM;
   }
   for (unsigned i = 0; i < 2; i++) {
      state->depth_stencil_alpha.stencil[i].valuemask = UINT8_MAX;
      state->depth_stencil_alpha.stencil[i].writemask = UINT8_MAX;
   }
   for (unsigned i = 0; i < TG_MAX_VIEWPORTS; i++) {
      state->viewports[i].depth[1] = 1.0f;
      state->scissors[i][2] = state->scissors[i][3] = UINT16_MAX;
   }
   memset(state->polygon_stipple, 0xff, sizeof(state->polygon_stipple));
}

/* ---- the GPU ------------------------------------------------------------- */

/* window = ndc * scale + translate */
static struct tg_viewport
make_viewport(const struct script_state *state, unsigned number)
{
   assert(number < TG_LENGTH(state->viewports));
   const float *rect = state->viewports[number].rect;
   const float near = state->viewports[number].depth[0];
   const float far = state->viewports[number].depth[1];
   const bool is_all = !rect[0] && !rect[1] && !rect[2] && !rect[3];
   const float half_width = (is_all ? (float)state->width : rect[2]) / 2;
   const float half_height = (is_all ? (float)state->height : rect[3]) / 2;
   const bool halfz = state->rasterizer.clip_halfz;

   return (struct tg_viewport){
      .scale = {half_width, state->y_up ? -half_height : half_height,
                halfz ? far - near : (far - near) / 2},
      .translate = {rect[0] + half_width, rect[1] + half_height,
                    halfz ? near : (near + far) / 2},
   };
}

static uint16_t
to_pixel(float value)
{
   if (!(value > 0))
      return 0;
   return value < UINT16_MAX ? (uint16_t)value : UINT16_MAX;
}

static struct tg_scissor
make_scissor(const float rect[4])
{
   return (struct tg_scissor){
      .min_x = to_pixel(rect[0]),
      .min_y = to_pixel(rect[1]),
      .max_x = to_pixel(rect[0] + rect[2]),
      .max_y = to_pixel(rect[1] + rect[3]),
   };
}

enum tg_result
script_state_apply_windows(const struct script_state *state,
                           struct tg_context *gpu,
                           struct tg_diagnostics *diagnostics)
{
   struct tg_scissor rectangles[TG_MAX_WINDOW_RECTANGLES];

   for (uint32_t i = 0; i < state->num_window_rectangles; i++)
      rectangles[i] = make_scissor(state->window_rectangles[i]);
   return tg_context_set_window_rectangles(gpu, state->window_include,
                                           state->num_window_rectangles,
                                           rectangles, diagnostics);
}

static enum tg_result
apply_viewports(const struct script_state *state, struct tg_context *gpu,
                struct tg_diagnostics *diagnostics)
{
   struct tg_viewport viewports[TG_MAX_VIEWPORTS];
   struct tg_scissor scissors[TG_MAX_VIEWPORTS];

   for (unsigned i = 0; i < TG_MAX_VIEWPORTS; i++) {
      viewports[i] = make_viewport(state, i);
      scissors[i] = make_scissor(state->scissors[i]);
   }
   enum tg_result result = tg_context_set_viewports(gpu, 0, TG_MAX_VIEWPORTS,
                                                    viewports, diagnostics);
   if (result == TG_OK)
      result = tg_context_set_scissors(gpu, 0, TG_MAX_VIEWPORTS, scissors,
                                       diagnostics);
   return result;
}

/* State objects are the context's alone, which drops them at the next change.
 */
static enum tg_result
apply_objects(const struct script_state *state, struct tg_context *gpu,
              struct tg_diagnostics *diagnostics)
{
   struct tg_device *device = tg_context_get_device(gpu);
   struct tg_blend *blend = NULL;
   struct tg_rasterizer *rasterizer = NULL;
   struct tg_depth_stencil_alpha *tests = NULL;
   enum tg_result result =
      tg_blend_create(device, &state->blend, diagnostics, &blend);

   if (result == TG_OK)
      result = tg_context_bind_blend(gpu, blend, diagnostics);
   if (result == TG_OK)
      result = tg_rasterizer_create(device, &state->rasterizer, diagnostics,
                                    &rasterizer);
   if (result == TG_OK)
      result = tg_context_bind_rasterizer(gpu, rasterizer, diagnostics);
   if (result == TG_OK)
      result = tg_depth_stencil_alpha_create(
         device, &state->depth_stencil_alpha, diagnostics, &tests);
   if (result == TG_OK)
      result = tg_context_bind_depth_stencil_alpha(gpu, tests, diagnostics);
   tg_blend_destroy(blend);
   tg_rasterizer_destroy(rasterizer);
   tg_depth_stencil_alpha_destroy(tests);
   return result;
}

enum tg_result
script_state_apply(const struct script_state *state, struct tg_context *gpu,
                   struct tg_diagnostics *diagnostics)
{
   enum tg_result result = apply_objects(state, gpu, diagnostics);

   if (result == TG_OK)
      result = apply_viewports(state, gpu, diagnostics);
   if (result == TG_OK)
      result = script_state_apply_windows(state, gpu, diagnostics);
   tg_context_set_blend_color(gpu, state->blend_color);
   tg_context_set_stencil_ref(gpu, state->stencil_ref);
   tg_context_set_sample_mask(gpu, state->sample_mask);
   tg_context_set_min_samples(gpu, state->min_samples);
   tg_context_set_clip_planes(gpu, (const float(*)[4])state->clip_planes);
   tg_context_set_polygon_stipple(gpu, state->polygon_stipple);
   tg_context_set_tess_levels(gpu, state->tess_outer, state->tess_inner);
   return result;
}
