/* SPDX-License-Identifier: MIT
 *
 * The fragment kernel's key: the state that code depends on.
 */
#include "gpu/fragment/fragment_key.h"

#include <assert.h>

#include "format/format.h"
#include "gpu/raster/raster.h"
#include "lower/fixed_function/dither.h"
#include "util/length.h"

/* ---- as text --------------------------------------------------------------
 */

const struct tg_member gpu_fragment_key_members[] = {
   TG_NUMBER(gpu_fragment_key, shader_id),
   TG_NUMBER(gpu_fragment_key, num_samples),
   TG_NUMBER(gpu_fragment_key, is_per_sample),
   TG_NUMBER(gpu_fragment_key, is_by_pixel),
   TG_NUMBER(gpu_fragment_key, masks_pixels),
   TG_NUMBER(gpu_fragment_key, is_layered),
   TG_NUMBER(gpu_fragment_key, smoothing),
   TG_NUMBER(gpu_fragment_key, clamp_color),
   TG_NUMBER(gpu_fragment_key, depth_clamp),
   TG_NUMBER(gpu_fragment_key, depth_enabled),
   TG_NUMBER(gpu_fragment_key, depth_write),
   TG_NUMBER(gpu_fragment_key, depth_func),
   TG_NUMBER(gpu_fragment_key, depth_bounds),
   TG_NUMBER(gpu_fragment_key, alpha_enabled),
   TG_NUMBER(gpu_fragment_key, alpha_func),
   TG_NUMBER(gpu_fragment_key, alpha_to_coverage),
   TG_NUMBER(gpu_fragment_key, alpha_to_one),
   TG_NUMBER(gpu_fragment_key, dither),
   TG_NUMBER(gpu_fragment_key, logic_enabled),
   TG_NUMBER(gpu_fragment_key, logic_op),
   TG_NUMBER(gpu_fragment_key, num_colors),
   TG_NUMBER(gpu_fragment_key, one_color),
   TG_NUMBER(gpu_fragment_key, tells_cost),
   TG_NAMED(gpu_fragment_key, depth_format, tg_format_name),
   TG_NAMEDS(gpu_fragment_key, color_format, tg_format_name),
   TG_STRUCTS(gpu_fragment_key, blend, lower_blend_key_members),
   TG_STRUCTS(gpu_fragment_key, stencil, lower_stencil_key_members),
   TG_NUMBERS(gpu_fragment_key, interpolation),
   TG_STRUCT(gpu_fragment_key, bound, abi_key_members),
   {0},
};

/* ---- samples ------------------------------------------------------------- */

static bool
shader_is_per_sample(const struct tg_gpu_shader *shader)
{
   for (uint32_t i = 0; i < shader->layout.num_inputs; i++) {
      const struct gpu_semantic *input = &shader->input[i];
      if (input->declared && input->location == TG_LOCATION_SAMPLE)
         return true;
   }
   for (uint32_t i = 0; i < shader->layout.num_sysvals; i++) {
      const struct gpu_semantic *sysval = &shader->sysval[i];
      if (sysval->declared && (sysval->name == TG_SEMANTIC_SAMPLEID ||
                               sysval->name == TG_SEMANTIC_SAMPLEPOS))
         return true;
   }
   return false;
}

static void
set_samples(const struct gpu_state *state, struct gpu_fragment_key *key)
{
   const struct tg_rasterizer_state *rasterizer = &state->rasterizer->state;
   const uint32_t num_samples = state->framebuffer.samples;
   key->num_samples = (uint8_t)num_samples;
   if (!gpu_raster_has_samples(rasterizer, num_samples)) {
      key->is_by_pixel = num_samples > 1;
      key->masks_pixels = rasterizer->sample_mask_without_msaa;
      return;
   }
   key->is_per_sample = rasterizer->force_persample_interp ||
                        state->min_samples > 1 ||
                        shader_is_per_sample(state->shader[TG_GPU_FRAGMENT]);
   key->alpha_to_coverage = state->blend->state.alpha_to_coverage;
   key->alpha_to_one = state->blend->state.alpha_to_one;
}

static enum gpu_smoothing
smoothing_of(const struct gpu_state *state, enum gpu_shape_kind kind)
{
   if (!gpu_raster_is_smooth(&state->rasterizer->state,
                             state->framebuffer.samples, kind))
      return GPU_SMOOTH_NONE;
   return kind == GPU_SHAPE_LINE    ? GPU_SMOOTH_LINE
          : kind == GPU_SHAPE_POINT ? GPU_SMOOTH_POINT
                                    : GPU_SMOOTH_POLYGON;
}

/* ---- tests --------------------------------------------------------------- */

static void
set_tests(const struct gpu_state *state, struct gpu_fragment_key *key)
{
   const struct tg_surface *surface = &state->framebuffer.depth_stencil;
   const struct tg_depth_stencil_alpha *tests = state->depth_stencil_alpha;
   if (tests->tests_alpha) {
      key->alpha_enabled = true;
      key->alpha_func = tests->state.alpha_func;
   }
   if (!surface->resource)
      return;
   const enum tg_format format = (enum tg_format)surface->format;
   key->depth_format = (uint16_t)format;
   if (format_has_depth(format)) {
      key->depth_bounds = tests->state.depth_bounds_test;
      key->depth_enabled = tests->tests_depth;
   }
   if (key->depth_enabled) {
      key->depth_write = tests->state.depth_writemask;
      key->depth_func = tests->state.depth_func;
      key->depth_clamp = state->rasterizer->state.depth_clamp;
   }
   if (format_has_stencil(format)) {
      key->stencil[0] = tests->stencil[0];
      key->stencil[1] = tests->stencil[1];
   }
}

/* ---- colours ------------------------------------------------------------- */

static void
set_colors(const struct gpu_state *state, struct gpu_fragment_key *key)
{
   const struct tg_framebuffer_state *framebuffer = &state->framebuffer;
   const struct tg_blend *blend = state->blend;
   key->num_colors = (uint8_t)framebuffer->num_colors;
   key->clamp_color = state->rasterizer->state.clamp_fragment_color;
   if (blend->state.logicop_enable) {
      key->logic_enabled = true;
      key->logic_op = blend->state.logicop_func;
   }
   for (uint32_t i = 0; i < framebuffer->num_colors; i++) {
      if (!framebuffer->colors[i].resource)
         continue;
      key->color_format[i] = (uint16_t)framebuffer->colors[i].format;
      key->dither |=
         blend->state.dither &&
         lower_dithers((enum tg_format)framebuffer->colors[i].format);
      key->blend[i] = blend->key[i];
   }
}

/* Surfaces whose first layer is not the level's, or that have several. */
static bool
is_layered(const struct tg_framebuffer_state *framebuffer)
{
   bool found =
      framebuffer->layers > 1 || framebuffer->depth_stencil.first_layer;
   for (uint32_t i = 0; i < framebuffer->num_colors; i++)
      found |= framebuffer->colors[i].first_layer != 0;
   return found;
}

/* ---- inputs -------------------------------------------------------------- */

/* The coordinate of a sprite has a plane, whatever it is declared as. */
static enum gpu_interpolation
interpolation_of(const struct gpu_interface *interface, uint32_t attribute,
                 enum gpu_shape_kind kind)
{
   const enum gpu_interpolation declared =
      (enum gpu_interpolation)interface->interpolation[attribute];
   if (kind == GPU_SHAPE_POINT && interface->is_sprite[attribute])
      return declared == GPU_INTERPOLATE_PERSPECTIVE
                ? GPU_INTERPOLATE_PERSPECTIVE
                : GPU_INTERPOLATE_LINEAR;
   assert(attribute < TG_LENGTH(interface->output));
   return interface->output[attribute] == GPU_NO_REGISTER
             ? GPU_INTERPOLATE_NOTHING
             : declared;
}

static void
set_inputs(const struct gpu_interface *interface, enum gpu_shape_kind kind,
           struct gpu_fragment_key *key)
{
   for (uint32_t i = 0; i < interface->num_attributes; i++)
      key->interpolation[i] = (uint8_t)interpolation_of(interface, i, kind);
}

void
gpu_fragment_make_key(const struct gpu_state *state,
                      const struct gpu_interface *interface,
                      enum gpu_shape_kind kind,
                      struct gpu_fragment_key *key_out)
{
   *key_out = (struct gpu_fragment_key){
      .shader_id = state->shader[TG_GPU_FRAGMENT]->id,
      .smoothing = (uint8_t)smoothing_of(state, kind),
      .is_layered = is_layered(&state->framebuffer),
   };
   set_samples(state, key_out);
   set_tests(state, key_out);
   set_colors(state, key_out);
   set_inputs(interface, kind, key_out);
}

bool
gpu_fragment_key_is_plain(const struct gpu_fragment_key *key)
{
   return key->num_samples == 1 && !key->is_layered &&
          key->smoothing == GPU_SMOOTH_NONE && !key->depth_bounds &&
          !key->stencil[0].enabled && !key->dither;
}
