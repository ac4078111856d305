/* SPDX-License-Identifier: MIT
 *
 * The state of draws as a test sets it, with the meanings of tungsten/gpu.h.
 * What may be set, and in which words, says state.def.
 */
#ifndef TG_SCRIPT_RUN_STATE_H
#define TG_SCRIPT_RUN_STATE_H

#include "script/text/rules.h"
#include "tungsten/gpu.h"

struct script_state {
   struct tg_blend_state blend;
   float blend_color[4];
   struct tg_rasterizer_state rasterizer;
   struct tg_depth_stencil_alpha_state depth_stencil_alpha;
   uint8_t stencil_ref[2];
   uint32_t sample_mask, min_samples;
   float clip_planes[TG_MAX_CLIP_PLANES][4];
   uint32_t polygon_stipple[32];
   float scissors[TG_MAX_VIEWPORTS][4]; /* x, y, width, height */
   bool window_include;
   uint32_t num_window_rectangles;
   float window_rectangles[TG_MAX_WINDOW_RECTANGLES][4]; /* the same */
   struct {
      float rect[4]; /* x, y, width, height; all 0: the framebuffer */
      float depth[2];
   } viewports[TG_MAX_VIEWPORTS];
   bool y_up; /* y = 1 is at the top of a viewport */
   float tess_outer[4], tess_inner[2];

   /* Of draws. */
   uint8_t patch_vertices;
   bool primitive_restart;
   uint32_t restart_index;
   uint8_t index_size;

   /* The framebuffer. */
   uint32_t width, height, layers, samples;
   uint32_t num_targets;
   uint32_t formats[TG_MAX_COLOR_BUFFERS]; /* NONE: no target */
   uint32_t depth_format;                  /* or NONE */
};

/* The state that a test begins with: one target of 64 by 64 pixels of
 * R8G8B8A8_UNORM and Z32_FLOAT, no tests. */
void
script_state_init(struct script_state *state);

/* Reads a line of state.def. False after a complaint. */
bool
script_state_read(struct script_cursor *cursor, struct script_change *change);

/* Is it about the framebuffer? */
bool
script_state_changes_framebuffer(const struct script_change *change);

/* Gives a GPU all state but the framebuffer. What cannot be is TG_ERROR_INPUT
 * with a diagnostic. */
enum tg_result
script_state_apply(const struct script_state *state, struct tg_context *gpu,
                   struct tg_diagnostics *diagnostics);

/* The window rectangles alone, which are for clears and blits, too. */
enum tg_result
script_state_apply_windows(const struct script_state *state,
                           struct tg_context *gpu,
                           struct tg_diagnostics *diagnostics);

#endif
