/* SPDX-License-Identifier: MIT
 *
 * Patches and the tessellation control stage: the shader runs once for each
 * vertex of the patch that it makes, all invocations at once, and they wait for
 * each other at barriers.
 */
#ifndef TG_GPU_TESS_CTRL_H
#define TG_GPU_TESS_CTRL_H

#include "gpu/geometry/gather.h"
#include "gpu/geometry/tessellate.h"
#include "gpu/state/stage.h"

/* A patch on its way to the evaluation stage. Its own registers are in the
 * first record. */
struct gpu_patch {
   uint32_t id;
   uint32_t num_vertices;
   const uint32_t *record[ABI_MAX_VERTICES];
   struct gpu_tess_levels levels;
};

/* What a worker needs to tessellate. Large. */
struct gpu_tess_memory {
   struct exec_memory constants[GPU_NUM_CONST_BINDINGS];
   uint32_t inputs[ABI_MAX_VERTICES * ABI_MAX_INPUTS * 4];
   uint32_t outputs[ABI_MAX_VERTICES * ABI_MAX_OUTPUTS * 4];
   struct gpu_tess_patch points;
};

/* Lets waves of a stage see the inputs of a patch of so many vertices, along
 * with what is bound to the stage. */
void
gpu_bind_tess_ctrl_patch(struct gpu_tess_memory *memory,
                         const struct gpu_stage *stage, uint32_t num_vertices);

/* What a draw needs of it. Not to be moved once it is set up. */
struct gpu_tess_ctrl {
   struct gpu_stage stage;
   struct gpu_gather gather;
   uint8_t outer, inner; /* output registers, or GPU_NO_REGISTER */
};

/* For the control shader that is set, after `producer`. */
enum tg_result
gpu_tess_ctrl_init(struct gpu_tess_ctrl *ctrl,
                   const struct gpu_compiler *compiler,
                   const struct gpu_state *state,
                   const struct tg_gpu_shader *producer,
                   struct tg_diagnostics *diagnostics);

/* Makes another patch of a patch: its records lie in `memory`, its levels are
 * those of before where the shader declares none. False after a fault. */
bool
gpu_tess_ctrl_run(const struct gpu_tess_ctrl *ctrl, struct gpu_worker *worker,
                  struct gpu_tess_memory *memory, struct gpu_patch *patch);

#endif
