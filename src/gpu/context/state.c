/* SPDX-License-Identifier: MIT
 *
 * Setting state: what comes in is looked at before anything changes.
 */
#include <math.h>
#include <string.h>

#include "gpu/context/context.h"
#include "gpu/geometry/fetch.h"
#include "gpu/queue/queue.h"
#include "gpu/state/state.h"
#include "util/sized.h"

/* ---- what is there at first ---------------------------------------------- */

#define TWO_ROWS UINT32_MAX, UINT32_MAX
#define EIGHT_ROWS TWO_ROWS, TWO_ROWS, TWO_ROWS, TWO_ROWS

static const struct gpu_state usual = {
   .blend = TG_BLEND_INIT,
   .rasterizer = TG_RASTERIZER_INIT,
   .depth_stencil_alpha = TG_DEPTH_STENCIL_ALPHA_INIT,
   .sample_mask = UINT32_MAX,
   .min_samples = 1,
   .polygon_stipple = {EIGHT_ROWS, EIGHT_ROWS, EIGHT_ROWS, EIGHT_ROWS},
   .framebuffer = {.layers = 1, .samples = 1},
   .tess_outer = {1.0f, 1.0f, 1.0f, 1.0f},
   .tess_inner = {1.0f, 1.0f},
};

void
gpu_state_init(struct gpu_state *state)
{
   *state = usual;
}

/* ---- values -------------------------------------------------------------- */

/* A member that is a number below a bound. */
struct member {
   const char *name;
   uint32_t value, bound;
};

static enum tg_result
check_members(const struct member *members, size_t count,
              struct tg_diagnostics *diagnostics)
{
   for (size_t i = 0; i < count; i++) {
      if (members[i].value >= members[i].bound)
         return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                             "%s is %u; it can be 0 to %u", members[i].name,
                             members[i].value, members[i].bound - 1);
   }
   return TG_OK;
}

#define CHECK_MEMBERS(diagnostics, ...)                                        \
   check_members((const struct member[]){__VA_ARGS__},                         \
                 sizeof((const struct member[]){__VA_ARGS__}) /                \
                    sizeof(struct member),                                     \
                 diagnostics)

static enum tg_result
check_float(const char *name, float value, struct tg_diagnostics *diagnostics)
{
   if (isfinite(value))
      return TG_OK;
   return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                       "%s is not a finite number", name);
}

/* A part of an array that is set at once. */
static enum tg_result
check_range(const char *name, unsigned first, unsigned count, unsigned bound,
            struct tg_diagnostics *diagnostics)
{
   if (first <= bound && count <= bound - first)
      return TG_OK;
   return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                       "%u %s from %u on; there are %u", count, name, first,
                       bound);
}

/* ---- shaders and what they see ------------------------------------------- */

static const char *const stage_name[TG_NUM_GPU_STAGES] = {
   [TG_GPU_VERTEX] = "vertex",
   [TG_GPU_FRAGMENT] = "fragment",
   [TG_GPU_GEOMETRY] = "geometry",
   [TG_GPU_TESS_CTRL] = "tessellation control",
   [TG_GPU_TESS_EVAL] = "tessellation evaluation",
};

enum tg_result
tg_context_set_shader(struct tg_context *gpu, enum tg_gpu_stage stage,
                  struct tg_gpu_shader *shader,
                  struct tg_diagnostics *diagnostics)
{
   if ((unsigned)stage >= TG_NUM_GPU_STAGES)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "there is no stage %u", (unsigned)stage);
   if (shader && shader->stage != stage)
      return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                          "%s is no %s shader", shader->shader->source.name,
                          stage_name[stage]);
   struct tg_gpu_shader *before = gpu->state.shader[stage];
   gpu->state.shader[stage] = tg_gpu_shader_ref(shader);
   tg_gpu_shader_destroy(before);
   return TG_OK;
}

void
tg_context_set_bindings(struct tg_context *gpu, enum tg_gpu_stage stage,
                    struct tg_bindings *bindings)
{
   if ((unsigned)stage >= TG_NUM_GPU_STAGES)
      return;
   struct tg_bindings *before = gpu->state.bindings[stage];
   gpu->state.bindings[stage] = tg_bindings_ref(bindings);
   tg_bindings_destroy(before);
}

/* ---- blending ------------------------------------------------------------ */

/* 0 stands for ONE, which plays no part where blending is off. */
static bool
is_factor(uint8_t factor)
{
   const uint32_t valid = 0x07be07ffu; /* bit i: factor i */
   return factor < 32 && (valid >> factor & 1);
}

static enum tg_result
check_target(const struct tg_blend_target *target, unsigned number,
             struct tg_diagnostics *diagnostics)
{
   const enum tg_result result =
      CHECK_MEMBERS(diagnostics, {"rgb_func", target->rgb_func, 5},
                    {"alpha_func", target->alpha_func, 5},
                    {"colormask", target->colormask, 16});
   if (result != TG_OK || !target->blend_enable)
      return result;
   if (is_factor(target->rgb_src_factor) && is_factor(target->rgb_dst_factor) &&
       is_factor(target->alpha_src_factor) &&
       is_factor(target->alpha_dst_factor))
      return TG_OK;
   return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                       "a blend factor of target %u is none", number);
}

enum tg_result
tg_context_set_blend(struct tg_context *gpu, const struct tg_blend_state *given,
                 struct tg_diagnostics *diagnostics)
{
   struct tg_blend_state blend;
   enum tg_result result = tg_blend_state_take(&blend, given, diagnostics);
   if (result == TG_OK)
      result =
         CHECK_MEMBERS(diagnostics, {"logicop_func", blend.logicop_func, 16});
   const unsigned count =
      blend.independent_blend_enable ? TG_MAX_COLOR_BUFFERS : 1;
   for (unsigned i = 0; i < count && result == TG_OK; i++)
      result = check_target(&blend.targets[i], i, diagnostics);
   if (result == TG_OK)
      gpu->state.blend = blend;
   return result;
}

void
tg_context_set_blend_color(struct tg_context *gpu, const float color[4])
{
   memcpy(gpu->state.blend_color, color ? color : usual.blend_color,
          sizeof(gpu->state.blend_color));
}

/* ---- rasterisation ------------------------------------------------------- */

static enum tg_result
check_rasterizer(const struct tg_rasterizer_state *rasterizer,
                 struct tg_diagnostics *diagnostics)
{
   const struct {
      const char *name;
      float value;
   } floats[] = {
      {"offset_units", rasterizer->offset_units},
      {"offset_scale", rasterizer->offset_scale},
      {"offset_clamp", rasterizer->offset_clamp},
      {"point_size", rasterizer->point_size},
      {"line_width", rasterizer->line_width},
   };
   enum tg_result result =
      CHECK_MEMBERS(diagnostics, {"cull_face", rasterizer->cull_face, 4},
                    {"fill_front", rasterizer->fill_front, 3},
                    {"fill_back", rasterizer->fill_back, 3},
                    {"sprite_coord_mode", rasterizer->sprite_coord_mode, 2});
   for (unsigned i = 0; i < 5 && result == TG_OK; i++)
      result = check_float(floats[i].name, floats[i].value, diagnostics);
   return result;
}

enum tg_result
tg_context_set_rasterizer(struct tg_context *gpu,
                      const struct tg_rasterizer_state *given,
                      struct tg_diagnostics *diagnostics)
{
   struct tg_rasterizer_state rasterizer;
   enum tg_result result =
      tg_rasterizer_state_take(&rasterizer, given, diagnostics);
   if (result == TG_OK)
      result = check_rasterizer(&rasterizer, diagnostics);
   if (result == TG_OK)
      gpu->state.rasterizer = rasterizer;
   return result;
}

void
tg_context_set_sample_mask(struct tg_context *gpu, uint32_t mask)
{
   gpu->state.sample_mask = mask;
}

void
tg_context_set_min_samples(struct tg_context *gpu, unsigned min_samples)
{
   gpu->state.min_samples = min_samples;
}

void
tg_context_set_clip_planes(struct tg_context *gpu,
                       const float planes[TG_MAX_CLIP_PLANES][4])
{
   memcpy(gpu->state.clip_planes, planes ? planes : usual.clip_planes,
          sizeof(gpu->state.clip_planes));
}

void
tg_context_set_polygon_stipple(struct tg_context *gpu, const uint32_t rows[32])
{
   memcpy(gpu->state.polygon_stipple, rows ? rows : usual.polygon_stipple,
          sizeof(gpu->state.polygon_stipple));
}

struct tg_viewport
tg_viewport_of(uint32_t width, uint32_t height, bool y_up, bool clip_halfz)
{
   const float half_width = (float)width / 2.0f;
   const float half_height = (float)height / 2.0f;
   return (struct tg_viewport){
      .scale = {half_width, y_up ? -half_height : half_height,
                clip_halfz ? 1.0f : 0.5f},
      .translate = {half_width, half_height, clip_halfz ? 0.0f : 0.5f},
   };
}

static bool
is_viewport(const struct tg_viewport *viewport)
{
   for (unsigned c = 0; c < 3; c++) {
      if (isnan(viewport->scale[c]) || isnan(viewport->translate[c]))
         return false;
   }
   return true;
}

static float
clamp_to_reach(float value)
{
   const float most = TG_MAX_VIEWPORT_REACH;
   return value > most ? most : value < -most ? -most : value;
}

static struct tg_viewport
clamp_viewport(const struct tg_viewport *viewport)
{
   struct tg_viewport clamped;
   for (unsigned c = 0; c < 3; c++) {
      clamped.scale[c] = clamp_to_reach(viewport->scale[c]);
      clamped.translate[c] = clamp_to_reach(viewport->translate[c]);
   }
   return clamped;
}

enum tg_result
tg_context_set_viewports(struct tg_context *gpu, unsigned first, unsigned count,
                     const struct tg_viewport *viewports,
                     struct tg_diagnostics *diagnostics)
{
   const enum tg_result result =
      check_range("viewports", first, count, TG_MAX_VIEWPORTS, diagnostics);
   if (result != TG_OK)
      return result;
   if (!viewports)
      viewports = &usual.viewports[first];
   for (unsigned i = 0; i < count; i++) {
      if (!is_viewport(&viewports[i]))
         return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                             "viewport %u has a value that is no number",
                             first + i);
   }
   for (unsigned i = 0; i < count; i++)
      gpu->state.viewports[first + i] = clamp_viewport(&viewports[i]);
   return TG_OK;
}

enum tg_result
tg_context_set_scissors(struct tg_context *gpu, unsigned first, unsigned count,
                    const struct tg_scissor *scissors,
                    struct tg_diagnostics *diagnostics)
{
   const enum tg_result result =
      check_range("scissors", first, count, TG_MAX_VIEWPORTS, diagnostics);
   if (result == TG_OK && !scissors)
      scissors = &usual.scissors[first];
   for (unsigned i = 0; i < count && result == TG_OK; i++)
      gpu->state.scissors[first + i] = scissors[i];
   return result;
}

enum tg_result
tg_context_set_window_rectangles(struct tg_context *gpu, bool include,
                                 unsigned count,
                                 const struct tg_scissor *rectangles,
                                 struct tg_diagnostics *diagnostics)
{
   const enum tg_result result = check_range(
      "window rectangles", 0, count, TG_MAX_WINDOW_RECTANGLES, diagnostics);
   if (result != TG_OK)
      return result;
   gpu->state.window_rectangles =
      (struct gpu_window_rectangles){.include = include, .count = count};
   for (unsigned i = 0; i < count; i++)
      gpu->state.window_rectangles.rectangle[i] = rectangles[i];
   return TG_OK;
}

/* ---- tests --------------------------------------------------------------- */

enum tg_result
tg_context_set_depth_stencil_alpha(struct tg_context *gpu,
                               const struct tg_depth_stencil_alpha_state *given,
                               struct tg_diagnostics *diagnostics)
{
   struct tg_depth_stencil_alpha_state state;
   enum tg_result result =
      tg_depth_stencil_alpha_state_take(&state, given, diagnostics);
   if (result == TG_OK)
      result = CHECK_MEMBERS(diagnostics, {"depth_func", state.depth_func, 8},
                             {"alpha_func", state.alpha_func, 8});
   for (unsigned i = 0; i < 2 && result == TG_OK; i++) {
      const struct tg_stencil_state *stencil = &state.stencil[i];
      result = CHECK_MEMBERS(diagnostics, {"stencil func", stencil->func, 8},
                             {"stencil fail_op", stencil->fail_op, 8},
                             {"stencil zfail_op", stencil->zfail_op, 8},
                             {"stencil zpass_op", stencil->zpass_op, 8});
   }
   if (result == TG_OK)
      gpu->state.depth_stencil_alpha = state;
   return result;
}

void
tg_context_set_stencil_ref(struct tg_context *gpu, const uint8_t ref[2])
{
   memcpy(gpu->state.stencil_ref, ref ? ref : usual.stencil_ref,
          sizeof(gpu->state.stencil_ref));
}

/* ---- vertices ------------------------------------------------------------ */

enum tg_result
tg_context_set_vertex_elements(struct tg_context *gpu, unsigned count,
                           const struct tg_vertex_element *elements,
                           struct tg_diagnostics *diagnostics)
{
   if (!elements)
      count = 0;
   const enum tg_result result = check_range(
      "vertex elements", 0, count, TG_MAX_VERTEX_ELEMENTS, diagnostics);
   if (result != TG_OK)
      return result;
   for (unsigned i = 0; i < count; i++) {
      if (!gpu_is_vertex_format((enum tg_format)elements[i].format))
         return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                             "vertex element %u cannot have format %u", i,
                             elements[i].format);
      if (elements[i].vertex_buffer_index >= TG_MAX_VERTEX_BUFFERS)
         return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                             "vertex element %u has buffer %u; there are %u", i,
                             (unsigned)elements[i].vertex_buffer_index,
                             (unsigned)TG_MAX_VERTEX_BUFFERS);
   }
   gpu->state.num_elements = count;
   for (unsigned i = 0; i < count; i++)
      gpu->state.elements[i] = elements[i];
   return TG_OK;
}

enum tg_result
tg_context_set_vertex_buffers(struct tg_context *gpu, unsigned first, unsigned count,
                          const struct tg_vertex_buffer *buffers,
                          struct tg_diagnostics *diagnostics)
{
   const enum tg_result result = check_range(
      "vertex buffers", first, count, TG_MAX_VERTEX_BUFFERS, diagnostics);
   if (result != TG_OK)
      return result;
   for (unsigned i = 0; i < count; i++) {
      if (buffers && buffers[i].buffer &&
          !resource_is_buffer(buffers[i].buffer))
         return gpu_complain(diagnostics, TG_ERROR_INPUT, "state",
                             "vertex buffer %u is a texture", first + i);
   }
   for (unsigned i = 0; i < count; i++) {
      struct tg_vertex_buffer *place = &gpu->state.vertex_buffers[first + i];
      struct tg_resource *before = place->buffer;
      *place = buffers ? buffers[i] : (struct tg_vertex_buffer){0};
      tg_resource_ref(place->buffer);
      tg_resource_destroy(before);
   }
   return TG_OK;
}

void
tg_context_set_tess_levels(struct tg_context *gpu, const float outer[4],
                       const float inner[2])
{
   memcpy(gpu->state.tess_outer, outer ? outer : usual.tess_outer,
          sizeof(gpu->state.tess_outer));
   memcpy(gpu->state.tess_inner, inner ? inner : usual.tess_inner,
          sizeof(gpu->state.tess_inner));
}

/* ---- conditions ---------------------------------------------------------- */

void
tg_context_set_condition(struct tg_context *gpu, struct tg_query *query, bool inverted)
{
   gpu->state.condition = query;
   gpu->state.condition_is_inverted = inverted;
}
