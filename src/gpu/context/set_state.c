/* SPDX-License-Identifier: MIT
 *
 * State setters: what comes in is validated before anything changes.
 */
#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "gpu/context/context.h"
#include "gpu/queue/queue.h"
#include "gpu/state/check.h"
#include "gpu/state/state.h"
#include "util/minmax.h"

/* ---- what is there at first ---------------------------------------------- */

#define TWO_ROWS UINT32_MAX, UINT32_MAX
#define EIGHT_ROWS TWO_ROWS, TWO_ROWS, TWO_ROWS, TWO_ROWS

static const struct gpu_state usual = {
   .blend = &gpu_default_blend,
   .rasterizer = &gpu_default_rasterizer,
   .depth_stencil_alpha = &gpu_default_depth_stencil_alpha,
   .vertex_elements = &gpu_default_vertex_elements,
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

void
gpu_state_changed(struct gpu_state *state)
{
   static _Atomic uint64_t last;
   state->version =
      atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

/* So that the next draw looks for its fragment kernels, too. */
static void
change_kernels(struct tg_context *context)
{
   context->fragment_kernels.is_current = false;
   gpu_state_changed(&context->state);
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
tg_context_set_shader(struct tg_context *context, enum tg_gpu_stage stage,
                      struct tg_gpu_shader *shader,
                      struct tg_diagnostics *diagnostics)
{
   assert(context);
   if ((unsigned)stage >= TG_NUM_GPU_STAGES)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "there is no stage %u", (unsigned)stage);
   if (shader && shader->stage != stage)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "%s is no %s shader",
                                shader->shader->source.name, stage_name[stage]);
   if (shader && shader->device != context->device)
      return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                "%s is a shader of another device",
                                shader->shader->source.name);
   struct tg_gpu_shader *before = context->state.shader[stage];
   context->state.shader[stage] = tg_gpu_shader_ref(shader);
   change_kernels(context);
   tg_gpu_shader_destroy(before);
   return TG_OK;
}

void
tg_context_set_bindings(struct tg_context *context, enum tg_gpu_stage stage,
                        struct tg_bindings *bindings)
{
   assert(context);
   if ((unsigned)stage >= TG_NUM_GPU_STAGES)
      return;
   struct tg_bindings *before = context->state.bindings[stage];
   context->state.bindings[stage] = tg_bindings_ref(bindings);
   tg_bindings_destroy(before);
}

/* ---- state objects ------------------------------------------------------- */

static bool
is_ours(const struct tg_context *context, const struct gpu_object *object)
{
   return object->device == context->device;
}

static enum tg_result
refuse_foreign(const char *what, struct tg_diagnostics *diagnostics)
{
   return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                             "%s of another device cannot be bound", what);
}

enum tg_result
tg_context_bind_blend(struct tg_context *context, struct tg_blend *blend,
                      struct tg_diagnostics *diagnostics)
{
   assert(context);
   const struct tg_blend *before = context->state.blend;
   if (blend && !is_ours(context, &blend->object))
      return refuse_foreign("a blend object", diagnostics);
   context->state.blend = blend ? tg_blend_ref(blend) : &gpu_default_blend;
   change_kernels(context);
   gpu_object_drop(&before->object, sizeof(*before));
   return TG_OK;
}

enum tg_result
tg_context_bind_rasterizer(struct tg_context *context,
                           struct tg_rasterizer *rasterizer,
                           struct tg_diagnostics *diagnostics)
{
   assert(context);
   const struct tg_rasterizer *before = context->state.rasterizer;
   if (rasterizer && !is_ours(context, &rasterizer->object))
      return refuse_foreign("a rasterizer object", diagnostics);
   context->state.rasterizer =
      rasterizer ? tg_rasterizer_ref(rasterizer) : &gpu_default_rasterizer;
   change_kernels(context);
   gpu_object_drop(&before->object, sizeof(*before));
   return TG_OK;
}

enum tg_result
tg_context_bind_depth_stencil_alpha(struct tg_context *context,
                                    struct tg_depth_stencil_alpha *tests,
                                    struct tg_diagnostics *diagnostics)
{
   assert(context);
   const struct tg_depth_stencil_alpha *before =
      context->state.depth_stencil_alpha;
   if (tests && !is_ours(context, &tests->object))
      return refuse_foreign("a depth-stencil-alpha object", diagnostics);
   context->state.depth_stencil_alpha = tests
                                           ? tg_depth_stencil_alpha_ref(tests)
                                           : &gpu_default_depth_stencil_alpha;
   change_kernels(context);
   gpu_object_drop(&before->object, sizeof(*before));
   return TG_OK;
}

enum tg_result
tg_context_bind_vertex_elements(struct tg_context *context,
                                struct tg_vertex_elements *elements,
                                struct tg_diagnostics *diagnostics)
{
   assert(context);
   const struct tg_vertex_elements *before = context->state.vertex_elements;
   if (elements && !is_ours(context, &elements->object))
      return refuse_foreign("a vertex elements object", diagnostics);
   context->state.vertex_elements = elements ? tg_vertex_elements_ref(elements)
                                             : &gpu_default_vertex_elements;
   gpu_object_drop(&before->object, sizeof(*before));
   return TG_OK;
}

/* ---- blending ------------------------------------------------------------ */

void
tg_context_set_blend_color(struct tg_context *context, const float color[4])
{
   assert(context);
   memcpy(context->state.blend_color, color ? color : usual.blend_color,
          sizeof(context->state.blend_color));
   gpu_state_changed(&context->state);
}

/* ---- rasterisation ------------------------------------------------------- */

void
tg_context_set_sample_mask(struct tg_context *context, uint32_t mask)
{
   assert(context);
   context->state.sample_mask = mask;
   gpu_state_changed(&context->state);
}

void
tg_context_set_min_samples(struct tg_context *context, unsigned min_samples)
{
   assert(context);
   context->state.min_samples = min_samples;
   change_kernels(context);
}

void
tg_context_set_clip_planes(struct tg_context *context,
                           const float planes[TG_MAX_CLIP_PLANES][4])
{
   assert(context);
   memcpy(context->state.clip_planes, planes ? planes : usual.clip_planes,
          sizeof(context->state.clip_planes));
}

void
tg_context_set_polygon_stipple(struct tg_context *context,
                               const uint32_t rows[32])
{
   assert(context);
   memcpy(context->state.polygon_stipple, rows ? rows : usual.polygon_stipple,
          sizeof(context->state.polygon_stipple));
   gpu_state_changed(&context->state);
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
tg_context_set_viewports(struct tg_context *context, unsigned first,
                         unsigned count, const struct tg_viewport *viewports,
                         struct tg_diagnostics *diagnostics)
{
   assert(context);
   const enum tg_result result =
      gpu_check_range("viewports", first, count, TG_MAX_VIEWPORTS, diagnostics);
   if (result != TG_OK)
      return result;
   if (!viewports)
      viewports = &usual.viewports[first];
   for (unsigned i = 0; i < count; i++) {
      if (!is_viewport(&viewports[i]))
         return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                   "viewport %u has a value that is no number",
                                   first + i);
   }
   for (unsigned i = 0; i < count; i++)
      context->state.viewports[first + i] = clamp_viewport(&viewports[i]);
   return TG_OK;
}

enum tg_result
tg_context_set_scissors(struct tg_context *context, unsigned first,
                        unsigned count, const struct tg_scissor *scissors,
                        struct tg_diagnostics *diagnostics)
{
   assert(context);
   const enum tg_result result =
      gpu_check_range("scissors", first, count, TG_MAX_VIEWPORTS, diagnostics);
   if (result == TG_OK && !scissors)
      scissors = &usual.scissors[first];
   for (unsigned i = 0; i < count && result == TG_OK; i++)
      context->state.scissors[first + i] = scissors[i];
   return result;
}

enum tg_result
tg_context_set_window_rectangles(struct tg_context *context, bool include,
                                 unsigned count,
                                 const struct tg_scissor *rectangles,
                                 struct tg_diagnostics *diagnostics)
{
   assert(context);
   const enum tg_result result = gpu_check_range(
      "window rectangles", 0, count, TG_MAX_WINDOW_RECTANGLES, diagnostics);
   if (result != TG_OK)
      return result;
   context->state.window_rectangles =
      (struct gpu_window_rectangles){.include = include, .count = count};
   for (unsigned i = 0; i < count; i++)
      context->state.window_rectangles.rectangle[i] = rectangles[i];
   gpu_state_changed(&context->state);
   return TG_OK;
}

/* ---- tests --------------------------------------------------------------- */

void
tg_context_set_stencil_ref(struct tg_context *context, const uint8_t ref[2])
{
   assert(context);
   memcpy(context->state.stencil_ref, ref ? ref : usual.stencil_ref,
          sizeof(context->state.stencil_ref));
   gpu_state_changed(&context->state);
}

/* ---- vertices ------------------------------------------------------------ */

static void
count_vertex_buffers(struct gpu_state *state, uint32_t most)
{
   uint32_t count = tg_max_u32(state->num_vertex_buffers, most);
   while (count && !state->vertex_buffers[count - 1].buffer)
      count--;
   state->num_vertex_buffers = count;
}

enum tg_result
tg_context_set_vertex_buffers(struct tg_context *context, unsigned first,
                              unsigned count,
                              const struct tg_vertex_buffer *buffers,
                              struct tg_diagnostics *diagnostics)
{
   assert(context);
   const enum tg_result result = gpu_check_range(
      "vertex buffers", first, count, TG_MAX_VERTEX_BUFFERS, diagnostics);
   if (result != TG_OK)
      return result;
   for (unsigned i = 0; i < count; i++) {
      if (buffers && buffers[i].buffer &&
          !resource_is_buffer(buffers[i].buffer))
         return gpu_fault_complain(diagnostics, TG_ERROR_INPUT, "state",
                                   "vertex buffer %u is a texture", first + i);
   }
   for (unsigned i = 0; i < count; i++) {
      struct tg_vertex_buffer *place =
         &context->state.vertex_buffers[first + i];
      struct tg_resource *before = place->buffer;
      *place = buffers ? buffers[i] : (struct tg_vertex_buffer){0};
      if (place->buffer == before)
         continue; /* another place in it, most often */
      tg_resource_ref(place->buffer);
      tg_resource_destroy(before);
   }
   count_vertex_buffers(&context->state, first + count);
   return TG_OK;
}

void
tg_context_set_tess_levels(struct tg_context *context, const float outer[4],
                           const float inner[2])
{
   assert(context);
   memcpy(context->state.tess_outer, outer ? outer : usual.tess_outer,
          sizeof(context->state.tess_outer));
   memcpy(context->state.tess_inner, inner ? inner : usual.tess_inner,
          sizeof(context->state.tess_inner));
}

/* ---- conditions ---------------------------------------------------------- */

void
tg_context_set_condition(struct tg_context *context, struct tg_query *query,
                         bool inverted)
{
   assert(context);
   context->state.condition = query;
   context->state.condition_is_inverted = inverted;
}
