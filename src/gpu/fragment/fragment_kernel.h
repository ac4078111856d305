/* SPDX-License-Identifier: MIT
 *
 * The fragment kernel: interpolation, the shader, the per-fragment tests and
 * the output of colours, as LIR. A lane is a pixel; where samples are shaded by
 * themselves it is one of them.
 */
#ifndef TG_GPU_FRAGMENT_KERNEL_H
#define TG_GPU_FRAGMENT_KERNEL_H

#include "gpu/core/kernel.h"
#include "gpu/core/key.h"
#include "gpu/state/link.h"

/* Words of INPUT memory. A lane with samples that are covered is live. */
enum gpu_fragment_input {
   GPU_FRAGMENT_X, /* of the pixel, from the base */
   GPU_FRAGMENT_Y,
   GPU_FRAGMENT_COVERAGE, /* of the pixel; bit i: sample i */
   GPU_FRAGMENT_SAMPLE,   /* where samples are shaded by themselves */
   /* The pixel, but of lanes without coverage one that has some: beside it
    * another thread may be at work. */
   GPU_FRAGMENT_TEXEL_X,
   GPU_FRAGMENT_TEXEL_Y,
   GPU_FRAGMENT_BASE_X, /* what x and y are counted from */
   GPU_FRAGMENT_BASE_Y,
   GPU_FRAGMENT_INPUT_WORDS,
};

/* Words of OUTPUT memory. Without gpu_fragment_kernel_tells_samples() the first
 * is not written: then lanes that passed are those that are still live. */
enum gpu_fragment_output {
   GPU_FRAGMENT_PASSED, /* how many samples passed all tests: each wave of a
                         * round adds those of a lane to what is there */
   GPU_FRAGMENT_COST,   /* if the key says so: instructions of the wave */
   GPU_FRAGMENT_OUTPUT_WORDS,
};

/* The FRAME words of a surface, in units of its format. The texel of sample s
 * at (x, y) of the shape's layer begins at unit
 *   OFFSET + layer * SLICE + y * ROW + s * SAMPLE + x * units of a texel.
 * OFFSET is 0, and there is one layer, unless the key says is_layered. */
enum gpu_frame_surface_word {
   GPU_SURFACE_OFFSET,
   GPU_SURFACE_ROW,
   GPU_SURFACE_SLICE,
   GPU_SURFACE_SAMPLE,
   GPU_SURFACE_WORDS,
};

/* The words of the FRAME constants: what belongs to a draw. */
enum gpu_frame_word {
   GPU_FRAME_SURFACES, /* by binding, a gpu_frame_surface_word each */
   GPU_FRAME_HEIGHT =
      GPU_FRAME_SURFACES + GPU_NUM_SURFACE_BINDINGS * GPU_SURFACE_WORDS,
   GPU_FRAME_BLEND_COLOR, /* four floats */
   GPU_FRAME_ALPHA_REF = GPU_FRAME_BLEND_COLOR + 4,
   GPU_FRAME_DEPTH_BOUNDS,                             /* least and greatest */
   GPU_FRAME_STENCIL_REF = GPU_FRAME_DEPTH_BOUNDS + 2, /* front and back */
   GPU_FRAME_WORDS = GPU_FRAME_STENCIL_REF + 2,
};

/* What gpu_fragment_write_kernel() takes as `user`. */
struct gpu_fragment_writer {
   const struct tg_gpu_shader *shader;
   const struct gpu_interface *interface;
   bool is_checked;
};

/* Does the kernel report how many samples passed? Else the lanes that are live
 * at its end have. */
bool
gpu_fragment_kernel_tells_samples(const struct tg_gpu_shader *shader,
                                  const struct gpu_fragment_key *key);

/* Emits a fragment shader with its interpolation, tests and output: an
 * exec_writer for struct gpu_fragment_key. */
enum tg_result
gpu_fragment_write_kernel(void *user, const void *key,
                          struct lir_module *module,
                          struct tg_diagnostics *diagnostics);

#endif
