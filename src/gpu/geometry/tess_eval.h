/* SPDX-License-Identifier: MIT
 *
 * The tessellation evaluation stage: patches become points, lines or triangles.
 * The tessellator says at which points the shader runs and how they are joined.
 */
#ifndef TG_GPU_TESS_EVAL_H
#define TG_GPU_TESS_EVAL_H

#include "gpu/geometry/stream.h"
#include "gpu/geometry/tess_ctrl.h"

/* What a draw needs of it, the control stage in front included. Not to be moved
 * once it is set up. */
struct gpu_tess_eval {
   struct gpu_stage stage;
   bool has_ctrl;
   struct gpu_tess_ctrl ctrl;
   struct gpu_gather gather;
   struct gpu_tess_mode mode;
   struct gpu_tess_levels levels; /* unless the control shader makes some */
   bool first_provokes;
};

/* For the shaders and the state that are set. TG_ERROR_INPUT without a
 * TES_PRIM_MODE. */
enum tg_result
gpu_tess_eval_init(struct gpu_tess_eval *eval,
                   const struct gpu_compiler *compiler,
                   const struct gpu_state *state,
                   struct tg_diagnostics *diagnostics);

/* TG_ERROR_MEMORY: of checks. */
enum tg_result
gpu_tess_eval_finish(struct gpu_tess_eval *eval);

/* What its primitives are: POINTS, LINES or TRIANGLES. */
enum tg_primitive
gpu_tess_eval_primitive(const struct gpu_tess_eval *eval);

/* Patches go in, each a primitive of `in`; what comes out is handed on through
 * `out` in pieces of a bounded size. False after a fault. */
bool
gpu_tess_eval_run(const struct gpu_tess_eval *eval, struct gpu_worker *worker,
                  struct gpu_tess_memory *memory, const struct gpu_stream *in,
                  struct gpu_stream *out, const struct gpu_sink *sink);

#endif
