/* SPDX-License-Identifier: MIT
 *
 * Pipeline state: everything that a draw depends on, checked when it came in.
 */
#ifndef TG_GPU_STATE_H
#define TG_GPU_STATE_H

#include "gpu/core/limits.h"
#include "gpu/state/objects.h"
#include "tungsten/gpu.h"

/* Pixels that may change: those in one of the rectangles with `include`, else
 * those in none. */
struct gpu_window_rectangles {
   bool include;
   uint32_t count;
   struct tg_scissor rectangle[TG_MAX_WINDOW_RECTANGLES];
};

/* It holds references on shaders, bindings, attachments, vertex buffers and
 * state objects, of which none is NULL. */
struct gpu_state {
   uint64_t version; /* see gpu_state_changed() */
   struct tg_gpu_shader *shader[TG_NUM_GPU_STAGES];
   struct tg_bindings *bindings[TG_NUM_GPU_STAGES]; /* or NULL */
   const struct tg_blend *blend;
   float blend_color[4];
   const struct tg_rasterizer *rasterizer;
   const struct tg_depth_stencil_alpha *depth_stencil_alpha;
   const struct tg_vertex_elements *vertex_elements;
   uint8_t stencil_ref[2];
   uint32_t sample_mask;
   unsigned min_samples;
   float clip_planes[TG_MAX_CLIP_PLANES][4];
   uint32_t polygon_stipple[32];
   struct tg_viewport viewports[TG_MAX_VIEWPORTS];
   struct tg_scissor scissors[TG_MAX_VIEWPORTS];
   struct gpu_window_rectangles window_rectangles;
   /* Formats, samples and layers are filled in where they were left out. */
   struct tg_framebuffer_state framebuffer;
   struct tg_vertex_buffer vertex_buffers[TG_MAX_VERTEX_BUFFERS];
   uint32_t num_vertex_buffers; /* up to the last that is set */
   float tess_outer[4], tess_inner[2];
   uint32_t num_stream_targets;
   struct tg_stream_target *stream_targets[TG_MAX_STREAM_BUFFERS];
   struct tg_query *condition; /* or NULL */
   bool condition_is_inverted;
};

/* Sets the state that a context has at first. */
void
gpu_state_init(struct gpu_state *state);

/* Invalidates pipelines: something is set that they are made for, or what is
 * drawn goes to another scene or epoch. What is looked at for each draw anyhow
 * makes no difference: bindings, vertices, stream targets; viewports, scissors
 * and clip planes; and the framebuffer, which has a scene of its own. No two
 * states, of whatever context, have the same version, unless it is 0. Any
 * thread, for a state of its own. */
void
gpu_state_changed(struct gpu_state *state);

/* Lets go of all that is set, to which nothing is done any more. */
void
gpu_state_finish(struct gpu_state *state);

/* Add, and drop, a reference on each attachment. */
void
gpu_framebuffer_ref(const struct tg_framebuffer_state *framebuffer);
void
gpu_framebuffer_unref(const struct tg_framebuffer_state *framebuffer);

#endif
