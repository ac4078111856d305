/* SPDX-License-Identifier: MIT
 *
 * The vertex stage: fetch, the shader, and a vertex record for each vertex.
 *
 * A record has all output registers of the shader: stream.h.
 */
#ifndef TG_GPU_VERTEX_H
#define TG_GPU_VERTEX_H

#include "gpu/stage.h"

/* Everything that shading vertices of one draw takes. Not to be moved once it
 * is set up; it does not change while waves run. */
struct gpu_vertex_stage {
   const struct tg_gpu_shader *shader;
   const struct gpu_kernel *kernel;
   struct check *check; /* or NULL */
   uint32_t num_words;  /* of a record */
   struct gpu_stage_memory memory;
   uint32_t constants[TG_MAX_VERTEX_ELEMENTS + 1]; /* STAGE binding */
};

/* Finds the kernel and points at memory. Errors as of tg_gpu_draw(). */
enum tg_result
gpu_vertex_stage_init(struct gpu_vertex_stage *stage, struct tg_gpu *gpu,
                      const struct tg_draw_info *info,
                      struct tg_diagnostics *diagnostics);

/* Shades `count` vertices of one instance, 16 at a time, into records. False
 * after a fault. */
bool
gpu_vertex_stage_run(const struct gpu_vertex_stage *stage,
                     struct gpu_worker *worker, const uint32_t *indices,
                     uint32_t count, uint32_t instance, uint32_t *records);

#endif
