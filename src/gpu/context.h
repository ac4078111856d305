/* SPDX-License-Identifier: MIT
 *
 * What the files of this room know of each other's objects.
 */
#ifndef TG_GPU_CONTEXT_H
#define TG_GPU_CONTEXT_H

#include "check/check.h"
#include "exec/exec.h"
#include "gpu/gpu.h"
#include "gpu/kernel.h"
#include "gpu/key.h"
#include "lower/lower.h"
#include "resource/bindings.h"

/* Times that the loops of one wave may go back to their top. */
#define GPU_LOOP_BUDGET (UINT64_C(1) << 24)

struct gpu_context {
   struct tg_allocator allocator;
   const struct exec_executor *executor;
   struct gpu_kernel_cache kernels;
   uint64_t next_shader_id;
   struct gpu_statistics statistics;
   uint64_t work_left; /* see gpu_set_work() */
   bool is_checked;    /* see gpu_set_check() */

   /* Scratch of the kernels, 64-byte aligned, as much as any has needed. */
   void *scratch_block;
   void *scratch;
   size_t scratch_block_size;
};

/* What a register of a shader's interface is for. */
struct gpu_semantic {
   bool declared;
   uint8_t name; /* enum tg_semantic */
   uint16_t index;
   uint8_t interpolate; /* enum tg_interpolate; inputs of fragments */
};

struct gpu_shader {
   struct tg_allocator allocator;
   const struct tg_shader *shader;
   uint64_t id; /* never used again in this context, so that keys are stable */
   struct lower_layout layout;
   struct lower_keys seen; /* see lower_find_seen() */
   bool fetches_colors;    /* has FBFETCH */
   bool kills;             /* has an opcode that discards */
   bool writes_memory;
   bool early_depth; /* asks for the depth test to come first */
   bool color0_writes_all;
   bool origin_lower_left, center_integer;
   struct gpu_semantic input[LOWER_MAX_INPUTS];
   struct gpu_semantic output[LOWER_MAX_OUTPUTS];
   struct gpu_semantic sysval[LOWER_MAX_SYSVALS];
};

/* Grows `*ptr` from `old_size` to `new_size` bytes; false, and unchanged, when
 * out of memory. */
bool
gpu_grow(const struct tg_allocator *allocator, void **ptr, size_t old_size,
         size_t new_size);

/* A complaint that no line of a shader is the cause of; returns `result`. */
enum tg_result
gpu_complain(struct tg_diagnostics *diagnostics, enum tg_result result,
             const char *code, const char *format, ...)
   __attribute__((format(printf, 4, 5)));

/* The check of a shader for one draw; NULL in a context without checks. */
enum tg_result
gpu_begin_check(struct gpu_context *context, const struct gpu_shader *shader,
                enum check_lanes lanes, struct tg_diagnostics *diagnostics,
                struct check **check_out);

/* Takes NULL. */
enum tg_result
gpu_end_check(struct check *check);

/* Runs one wave of a kernel, with a check or NULL. A wave that ran out of its
 * loop budget is reported with the shader's line. */
enum tg_result
gpu_run_wave(struct gpu_context *context, const struct gpu_kernel *kernel,
             struct check *check, struct exec_wave *wave,
             struct tg_diagnostics *diagnostics);

#endif
