/* SPDX-License-Identifier: MIT
 *
 * The vertex stage: fetch, the shader, and a record for each vertex.
 */
#ifndef TG_GPU_VERTEX_H
#define TG_GPU_VERTEX_H

#include "gpu/geometry/assemble.h"
#include "gpu/geometry/fetch.h"
#include "gpu/state/stage.h"
#include "resource/resource.h"

/* Everything that shading vertices of one draw takes. Not to be moved once it
 * is set up; it does not change while waves run. */
struct gpu_vertex_stage {
   const struct tg_gpu_shader *shader;
   const struct exec_kernel *kernel;
   struct check *check; /* or NULL */
   uint32_t num_words;  /* of a record */
   uint8_t position;    /* output register, or GPU_NO_REGISTER */
   uint32_t held;       /* bit i: vertex buffer i is read */
   struct resource_hold buffers[TG_MAX_VERTEX_BUFFERS]; /* these */
   uint32_t fetch_words[TG_MAX_VERTEX_ELEMENTS * GPU_FETCH_WORDS];
   struct gpu_stage_memory memory;
};

_Static_assert(TG_MAX_VERTEX_BUFFERS <= 32, "a bit for each");

/* The kernel of a context's last draw, which is that of the next one when these
 * are the same: shaders have numbers that are not used again. */
struct gpu_vertex_kernel {
   uint64_t shader_id;
   uint64_t keys_version; /* of the bindings */
   uint32_t num_elements;
   struct gpu_fetch_key elements[TG_MAX_VERTEX_ELEMENTS]; /* that are read */
   const struct exec_kernel *kernel;                      /* or NULL */
};

/* Finds the kernel and points at memory. Errors as of tg_context_draw(). */
enum tg_result
gpu_vertex_stage_init(struct gpu_vertex_stage *stage,
                      const struct gpu_compiler *compiler,
                      const struct gpu_state *state,
                      struct gpu_vertex_kernel *last,
                      struct tg_diagnostics *diagnostics);

/* Lets go of memory, after errors too. TG_ERROR_MEMORY: of checks. */
enum tg_result
gpu_vertex_stage_finish(struct gpu_vertex_stage *stage);

/* Shades the vertices of an assembly, 16 at a time. The stream is reset,
 * with them and the primitives. False after a fault. */
bool
gpu_vertex_stage_run(const struct gpu_vertex_stage *stage,
                     struct gpu_worker *worker,
                     const struct gpu_assembly *assembly,
                     struct gpu_stream *stream);

#endif
