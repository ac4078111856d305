/* SPDX-License-Identifier: MIT
 *
 * The vertex stage: fetch, the shader, and a vertex record for each vertex.
 *
 * A record is words, four a register: the position in clip space, then the
 * attributes of the interface in their order.
 */
#ifndef TG_GPU_VERTEX_H
#define TG_GPU_VERTEX_H

#include "gpu/link.h"
#include "gpu/stage.h"

enum {
   GPU_MAX_VERTEX_WORDS = (1 + GPU_MAX_ATTRIBUTES) * 4,
};

/* Everything that shading vertices of one draw takes. Large; not to be moved
 * once it is set up. */
struct gpu_vertex_stage {
   struct gpu_context *context;
   const struct gpu_kernel *kernel;
   struct tg_diagnostics *diagnostics;
   struct check *check; /* or NULL */
   uint32_t num_words;  /* of a record */
   struct gpu_stage_memory memory;
   uint32_t constants[GPU_MAX_VERTEX_ELEMENTS + 1]; /* STAGE binding */
   uint32_t input[2][LIR_LANES];
   uint32_t output[GPU_MAX_VERTEX_WORDS][LIR_LANES];
};

/* Finds the kernel and points at memory. Errors as of gpu_draw(). */
enum tg_result
gpu_vertex_stage_init(struct gpu_vertex_stage *stage,
                      struct gpu_context *context,
                      const struct gpu_state *state,
                      const struct gpu_interface *interface,
                      uint32_t start_instance,
                      struct tg_diagnostics *diagnostics);

/* Shades `count` vertices of one instance, 16 at a time, into records. */
enum tg_result
gpu_vertex_stage_run(struct gpu_vertex_stage *stage, const uint32_t *indices,
                     uint32_t count, uint32_t instance, uint32_t *records);

#endif
