/* SPDX-License-Identifier: MIT
 *
 * What the files of this room know of each other's objects.
 *
 * Three kinds of threads meet here. The caller's sets state, compiles kernels
 * and cuts draws into batches. Workers of geometry, the caller among them, take
 * batches; workers of tiles take tiles. Each worker has a struct gpu_worker for
 * itself; all else that they see does not change while they work.
 */
#ifndef TG_GPU_CONTEXT_H
#define TG_GPU_CONTEXT_H

#include <stdatomic.h>

#include "check/check.h"
#include "exec/exec.h"
#include "gpu/queue/busy.h"
#include "gpu/core/kernel.h"
#include "gpu/state/state.h"
#include "lower/lower.h"
#include "resource/bindings.h"
#include "util/pool.h"
#include "util/work.h"

/* Times that the loops of one wave may go back to their top. */
#define GPU_LOOP_BUDGET (UINT64_C(1) << 24)

/* ---- faults -------------------------------------------------------------- */

/* What went wrong while shaders ran. */
struct gpu_fault {
   enum tg_result result;
   const struct tg_shader *shader; /* or NULL */
   struct tg_position position;    /* in its text */
   const char *what; /* static; NULL of TG_ERROR_LIMIT: the work has ended */
};

/* ---- counters ------------------------------------------------------------ */

enum gpu_counter {
   GPU_COUNT_IA_VERTICES,
   GPU_COUNT_IA_PRIMITIVES,
   GPU_COUNT_VS_INVOCATIONS,
   GPU_COUNT_HS_INVOCATIONS,
   GPU_COUNT_DS_INVOCATIONS,
   GPU_COUNT_GS_INVOCATIONS,
   GPU_COUNT_GS_PRIMITIVES,
   GPU_COUNT_C_INVOCATIONS,
   GPU_COUNT_C_PRIMITIVES,
   GPU_COUNT_PS_INVOCATIONS,
   GPU_COUNT_CS_INVOCATIONS,
   GPU_COUNT_SAMPLES_PASSED,
   /* Primitives, one counter for each stream: all; those that targets had room
    * for; those that went to targets, whether there was room or not. */
   GPU_COUNT_STREAM_GENERATED,
   GPU_COUNT_STREAM_WRITTEN = GPU_COUNT_STREAM_GENERATED + TG_MAX_STREAMS,
   GPU_COUNT_STREAM_NEEDED = GPU_COUNT_STREAM_WRITTEN + TG_MAX_STREAMS,
   GPU_COUNT_DRAWS = GPU_COUNT_STREAM_NEEDED + TG_MAX_STREAMS,
   GPU_COUNT_VERTEX_WAVES,
   GPU_COUNT_FRAGMENT_WAVES,
   GPU_COUNT_TRIANGLES,
   GPU_COUNT_LINES,
   GPU_COUNT_POINTS,
   GPU_COUNT_FRAGMENTS,
   GPU_COUNT_TILES,
   GPU_COUNT_HIDDEN_BLOCKS,
   GPU_NUM_COUNTERS,
};

/* What was counted between one begin or end of a query and the next. Draws add
 * to the epoch in which they were called, whenever they are done. */
struct gpu_epoch {
   _Atomic uint64_t count[GPU_NUM_COUNTERS];
   struct gpu_epoch *next; /* the one behind it, or NULL: the newest */
   uint64_t last_scene;    /* number of the last scene that adds to it */
};

/* ---- workers ------------------------------------------------------------- */

/* Words of lanes, as many as any kernel has needed. */
struct gpu_lane_words {
   uint32_t (*data)[LIR_LANES];
   uint32_t num_words;
};

struct gpu_worker {
   struct tg_gpu *gpu;
   unsigned number;
   struct gpu_fault fault;           /* the first of what it is at work on */
   struct tg_purse purse;
   uint64_t count[GPU_NUM_COUNTERS]; /* since gpu_worker_count() */
   struct gpu_lane_words input, sysval, output;
   void *scratch; /* of kernels, 64-byte aligned */
   void *scratch_block;
   size_t scratch_block_size;
   struct gpu_pipeline_worker *pipeline;  /* see pipeline.h; or NULL */
   struct gpu_fragment_worker *fragments; /* see fragment.h; or NULL */
};

/* ---- the GPU ------------------------------------------------------------- */

struct gpu_queue;
struct gpu_scene;

/* What is bound to fragments, as a scene keeps it. */
struct gpu_bindings_copy {
   const struct tg_arena *arena; /* of the scene that is filled; NULL: none */
   const struct tg_bindings *source;
   uint64_t num_changes; /* of the source, then */
   const struct tg_bindings *copy;
};

struct tg_gpu {
   struct tg_allocator allocator;
   struct tg_gpu_options options;
   const struct exec_executor *executor;
   struct gpu_kernel_cache kernels;
   uint64_t next_shader_id;
   struct tg_work *work; /* that all pay to, or NULL */
   struct tg_work own_work; /* where it is max_work */
   struct gpu_state state;
   struct tg_gpu_shader *shaders;           /* all that were made, in a list */
   struct tg_stream_target *stream_targets; /* the same */

   struct tg_pool *geometry_pool;
   unsigned num_workers;
   struct gpu_worker *geometry_workers, *tile_workers;

   struct gpu_scene *scene; /* that is being filled, or NULL */
   struct gpu_bindings_copy bindings_copy;
   void *draw_memory; /* of tg_gpu_draw(), or NULL */
   struct gpu_queue *queue; /* of those that are full */
   struct gpu_busy busy;    /* memory that they use */

   /* Epochs that somebody still wants, the oldest first; what those before
    * them have counted. */
   struct gpu_epoch *oldest_epoch, *epoch;
   uint64_t count[GPU_NUM_COUNTERS];
   struct tg_query *queries; /* all that were made, in a list */
   uint64_t num_kernels;
   struct tg_pixel_counters pixels; /* arrays NULL: nobody counts */
};

/* ---- shaders ------------------------------------------------------------- */

/* What a register of a shader's interface is for. */
struct gpu_semantic {
   bool declared;
   uint8_t name; /* enum tg_semantic */
   uint16_t index;
   /* Inputs of fragments: */
   uint8_t interpolate;    /* enum tg_interpolate */
   bool follows_flatshade; /* `interpolate` counts where it is off */
   uint8_t location;       /* enum tg_location */
   uint8_t cylindrical;    /* TG_MASK_* */
};

struct tg_gpu_shader {
   struct tg_gpu *gpu;
   struct tg_gpu_shader *next; /* of tg_gpu.shaders */
   const struct tg_shader *shader;
   uint64_t id; /* never used again in this GPU, so that keys are stable */
   enum tg_gpu_stage stage;
   bool has_stream_output;
   struct tg_stream_output_info stream_output;
   struct lower_layout layout;
   struct lower_keys seen; /* see lower_find_seen() */
   bool fetches_colors;    /* has FBFETCH */
   bool kills;             /* has an opcode that discards */
   bool writes_memory;
   bool early_depth; /* asks for the depth test to come first */
   bool color0_writes_all;
   bool origin_lower_left, center_integer;
   bool post_depth_coverage;
   uint8_t depth_layout; /* FS_DEPTH_LAYOUT */
   struct gpu_semantic input[LOWER_MAX_INPUTS];
   struct gpu_semantic output[LOWER_MAX_OUTPUTS];
   struct gpu_semantic sysval[LOWER_MAX_SYSVALS];
};

/* The output register with a semantic, or GPU_NO_REGISTER. */
uint8_t
gpu_find_output(const struct tg_gpu_shader *shader, enum tg_semantic name,
                uint32_t index);

/* ---- helpers ------------------------------------------------------------- */

/* Grows `*ptr` from `old_size` to `new_size` bytes; false, and unchanged, when
 * out of memory. */
bool
gpu_grow(const struct tg_allocator *allocator, void **ptr, size_t old_size,
         size_t new_size);

/* Room for `count` elements behind `used`, doubling. */
bool
gpu_reserve(const struct tg_allocator *allocator, void **elements,
            uint32_t *capacity, uint32_t used, uint32_t count, size_t size);

/* A complaint that no line of a shader is the cause of; returns `result`. */
enum tg_result
gpu_complain(struct tg_diagnostics *diagnostics, enum tg_result result,
             const char *code, const char *format, ...)
   __attribute__((format(printf, 4, 5)));

/* Says what a fault was; returns its result. */
enum tg_result
gpu_report(const struct tg_gpu *gpu, const struct gpu_fault *fault,
           struct tg_diagnostics *diagnostics);

/* Pays for what the caller's thread does beside draws. TG_ERROR_LIMIT, with a
 * diagnostic, when the work has ended. */
enum tg_result
gpu_charge(struct tg_gpu *gpu, uint64_t cost,
           struct tg_diagnostics *diagnostics);

/* The check of a shader for one draw; NULL in a GPU without checks. */
enum tg_result
gpu_begin_check(struct tg_gpu *gpu, const struct tg_gpu_shader *shader,
                enum check_lanes lanes, struct tg_diagnostics *diagnostics,
                struct check **check_out);

/* Takes NULL. */
enum tg_result
gpu_end_check(struct check *check);

/* ---- worker.c ------------------------------------------------------------ */

enum tg_result
gpu_workers_create(struct tg_gpu *gpu, struct gpu_worker **workers_out);
void
gpu_workers_destroy(struct tg_gpu *gpu, struct gpu_worker *workers);

/* Lane memory of so many words at least, or NULL when out of memory. */
uint32_t (*gpu_lane_words(struct gpu_worker *worker,
                          struct gpu_lane_words *words,
                          uint32_t num_words))[LIR_LANES];

/* So many bytes for kernels to work in, 64-byte aligned, or NULL when out of
 * memory. */
void *
gpu_scratch(struct gpu_worker *worker, size_t size);

/* A fault that no shader has. Keeps the first; returns false. */
bool
gpu_fail(struct gpu_worker *worker, enum tg_result result, const char *what);

/* Hands over to an epoch what the worker has counted. */
void
gpu_worker_count(struct gpu_worker *worker, struct gpu_epoch *epoch);

/* ---- waves.c ------------------------------------------------------------- */

/* Pays for what is done without waves. False after a fault: the work has ended.
 */
bool
gpu_pay(struct gpu_worker *worker, uint64_t cost);

/* Runs one wave of a kernel, with a check or NULL. False after the worker's
 * first fault, which is then this one's. */
bool
gpu_run_wave(struct gpu_worker *worker, const struct gpu_kernel *kernel,
             struct check *check, struct exec_wave *wave);

/* The same with the waves of one block, which wait for each other at barriers.
 */
bool
gpu_run_waves(struct gpu_worker *worker, const struct gpu_kernel *kernel,
              struct check *check, struct exec_wave *waves, uint32_t num_waves);

#endif
