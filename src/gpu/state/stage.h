/* SPDX-License-Identifier: MIT
 *
 * Resource bindings of a stage: the memory that waves see of what is bound.
 */
#ifndef TG_GPU_STAGE_H
#define TG_GPU_STAGE_H

#include "gpu/core/waves.h"
#include "gpu/state/shader.h"
#include "gpu/state/state.h"
#include "resource/bindings.h"

/* Made once for a draw. The bindings of the stage itself, kernel.h's, are left
 * to the caller: all up to the last that it counts. */
struct gpu_stage_memory {
   const struct tg_bindings *bindings;
   uint64_t version; /* of these */
   uint32_t num_constants;
   struct exec_memory constants[GPU_NUM_CONST_BINDINGS];
};

/* Finds the memory that a stage has bound, without vertices, which come after
 * it. It is zero, or was made before for whatever bindings. It must not move
 * while waves use it. */
void
gpu_stage_memory_init(struct gpu_stage_memory *memory,
                      const struct tg_bindings *bindings);

/* Points a wave at a stage's memory. */
void
gpu_stage_memory_bind(const struct gpu_stage_memory *memory,
                      struct exec_wave *wave);

/* A stage whose kernel is its shader and nothing else: values come in and go
 * out through lane memory, or memory of a patch. Not to be moved once it is set
 * up. */
struct gpu_stage {
   const struct tg_gpu_shader *shader; /* NULL: not set up */
   const struct exec_kernel *kernel;
   struct check *check; /* or NULL */
   struct gpu_stage_memory memory;
};

/* Gets the kernel of the shader that is set; `patch_inputs` as of struct
 * lower_stage. Errors as of tg_context_draw(). */
enum tg_result
gpu_stage_init(struct gpu_stage *stage, const struct gpu_compiler *compiler,
               const struct gpu_state *state, enum tg_gpu_stage which,
               uint64_t patch_inputs, struct tg_diagnostics *diagnostics);

/* Ends a stage and its check. Takes one that is not set up. TG_ERROR_MEMORY: of
 * checks. */
enum tg_result
gpu_stage_finish(struct gpu_stage *stage);

/* A wave of `count` lanes, or of 16 if that is less, that sees what is bound to
 * the stage. */
struct exec_wave
gpu_stage_wave(const struct gpu_stage *stage, uint32_t count);

/* The check of a shader for one draw; NULL where kernels have none. */
enum tg_result
gpu_stage_begin_check(const struct gpu_compiler *compiler,
                      const struct tg_gpu_shader *shader,
                      enum check_lanes lanes,
                      struct tg_diagnostics *diagnostics,
                      struct check **check_out);

/* Reports the findings of a check and destroys it. Takes NULL. */
enum tg_result
gpu_stage_end_check(struct check *check);

#endif
