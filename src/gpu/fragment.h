/* SPDX-License-Identifier: MIT
 *
 * The fragment stage: interpolation, the shader, depth test and output, run on
 * waves of four quads of one triangle.
 */
#ifndef TG_GPU_FRAGMENT_H
#define TG_GPU_FRAGMENT_H

#include "gpu/link.h"
#include "gpu/stage.h"

/* The words of the FRAME constants. */
enum gpu_frame_word {
   GPU_FRAME_PITCH, /* pixels from row to row of surface n, the depth last */
   GPU_FRAME_HEIGHT = GPU_FRAME_PITCH + GPU_NUM_SURFACE_BINDINGS,
   GPU_FRAME_WORDS,
};

/* Everything that shading fragments of one draw takes; not to be moved once it
 * is set up. */
struct gpu_fragment_stage {
   struct gpu_context *context;
   const struct gpu_kernel *kernel;
   struct tg_diagnostics *diagnostics;
   struct check *check;            /* or NULL */
   enum tg_result result;          /* the first thing that went wrong */
   struct tg_bindings with_colors; /* what is bound, and what FBFETCH reads */
   struct gpu_stage_memory memory;
   uint32_t frame[GPU_FRAME_WORDS];
   struct exec_memory surfaces[GPU_NUM_SURFACE_BINDINGS];

   /* The wave that is being filled. */
   uint32_t num_quads;
   uint32_t live;
   uint32_t input[2][LIR_LANES];
};

/* Finds the kernel and points at memory. Errors as of gpu_draw(). */
enum tg_result
gpu_fragment_stage_init(struct gpu_fragment_stage *stage,
                        struct gpu_context *context,
                        const struct gpu_state *state,
                        const struct gpu_interface *interface,
                        struct tg_diagnostics *diagnostics);

/* The triangle that the quads to come belong to; its words of setup.h. They
 * must stay until gpu_fragment_flush(). */
void
gpu_fragment_begin(struct gpu_fragment_stage *stage, uint32_t *constants,
                   uint32_t num_words);

/* A gpu_quad_function with the stage as `user`. */
void
gpu_fragment_quad(void *user, int32_t x, int32_t y, unsigned mask);

/* Runs what has not run yet. To be called behind the quads of a triangle. */
void
gpu_fragment_flush(struct gpu_fragment_stage *stage);

#endif
