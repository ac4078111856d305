/* SPDX-License-Identifier: MIT
 *
 * The fragment kernel, as LIR.
 */
#ifndef TG_GPU_FRAGMENT_KERNEL_H
#define TG_GPU_FRAGMENT_KERNEL_H

#include "gpu/key.h"
#include "gpu/link.h"

/* Words of INPUT memory. */
enum gpu_fragment_input {
   GPU_FRAGMENT_X,
   GPU_FRAGMENT_Y,
   GPU_FRAGMENT_COVERAGE, /* bit i: sample i */
   GPU_FRAGMENT_SAMPLE,   /* where samples are shaded by themselves */
   GPU_FRAGMENT_INPUT_WORDS,
};

/* The words of the FRAME constants. Pitches and offsets count units of the
 * surface's format. */
enum gpu_frame_word {
   GPU_FRAME_OFFSET, /* of surface n, the depth last */
   GPU_FRAME_ROW_PITCH = GPU_FRAME_OFFSET + GPU_BINDING_DEPTH + 1,
   GPU_FRAME_SLICE_PITCH = GPU_FRAME_ROW_PITCH + GPU_BINDING_DEPTH + 1,
   GPU_FRAME_SAMPLE_PITCH = GPU_FRAME_SLICE_PITCH + GPU_BINDING_DEPTH + 1,
   GPU_FRAME_HEIGHT = GPU_FRAME_SAMPLE_PITCH + GPU_BINDING_DEPTH + 1,
   GPU_FRAME_WORDS,
};

/* What gpu_fragment_write_kernel() takes as `user`. */
struct gpu_fragment_writer {
   const struct tg_gpu_shader *shader;
   const struct gpu_interface *interface;
   bool is_checked;
   const struct gpu_fragment_key *key; /* filled in by the writer */
};

/* A gpu_kernel_writer for struct gpu_fragment_key. */
enum tg_result
gpu_fragment_write_kernel(void *user, const void *key,
                          struct lir_module *module,
                          struct tg_diagnostics *diagnostics);

#endif
