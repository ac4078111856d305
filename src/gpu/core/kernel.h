/* SPDX-License-Identifier: MIT
 *
 * Kernels, and the cache that finds one by the bytes of its key.
 */
#ifndef TG_GPU_KERNEL_H
#define TG_GPU_KERNEL_H

#include <pthread.h>

#include "exec/exec.h"
#include "gpu/core/limits.h"
#include "lower/bindings.h"
#include "tungsten/gpu.h"

/* How kernels see memory, beside what is bound: lower/bindings.h.
 *   CONST   STAGE            vertex: fetch.h; fragment: the shape, shape.h
 *   CONST   FRAME            fragment: see fragment_kernel.h
 *   CONST   VERTEX + i       the vertex buffer of element i
 *   SURFACE n, DEPTH         colour buffer n, depth and stencil
 *   SURFACE ONE_COLOR + n    a byte a pixel, where colour buffer n has samples:
 *                            1 where all are as the first, which alone is
 *                            stored
 *   INPUT                    vertex: see vertex.c; fragment: fragment_kernel.h
 *   OUTPUT                   vertex: the record; fragment: samples passed */
enum {
   GPU_BINDING_STAGE = LOWER_NUM_CONST_BINDINGS,
   GPU_BINDING_FRAME,
   GPU_BINDING_VERTEX,
   GPU_NUM_CONST_BINDINGS = GPU_BINDING_VERTEX + TG_MAX_VERTEX_ELEMENTS,
   GPU_BINDING_DEPTH = TG_MAX_COLOR_BUFFERS,
   GPU_BINDING_ONE_COLOR, /* and n: of colour buffer n */
   GPU_NUM_SURFACE_BINDINGS = GPU_BINDING_ONE_COLOR + TG_MAX_COLOR_BUFFERS,
};

struct gpu_kernel {
   struct exec_program *program;
   size_t scratch_size;
   const struct tg_shader *shader; /* for the lines of complaints */
   const void *key;
   size_t key_size;
   uint64_t hash;
   struct gpu_kernel *next; /* in its bucket */
};

/* Any thread may look kernels up and add some; they stay where they are. */
struct gpu_kernel_cache {
   pthread_mutex_t mutex; /* of all that follows */
   struct gpu_kernel **buckets;
   uint32_t num_buckets; /* a power of two, or 0 */
   uint32_t num_kernels;
};

void
gpu_kernel_cache_init(struct gpu_kernel_cache *cache);

/* Writes a kernel's LIR into an empty module. `key` is the key that was asked
 * for. */
typedef enum tg_result (*gpu_kernel_writer)(void *user, const void *key,
                                            struct lir_module *module,
                                            struct tg_diagnostics *diagnostics);

/* What it takes to make kernels. */
struct gpu_compiler {
   const struct tg_allocator *allocator;
   const struct exec_executor *executor;
   struct gpu_kernel_cache *cache;
   struct tg_work *work;   /* that pays for it, or NULL */
   bool check;             /* kernels look for mistakes in shaders */
   uint64_t *num_compiled; /* is counted up for each new one; or NULL */
};

/* The kernel with this key; written, optimised and compiled when it is asked
 * for the first time. Keys of a shader begin with its
 * id, and their kernels live until it is dropped; others as long as the cache.
 */
enum tg_result
gpu_kernel_get(const struct gpu_compiler *compiler, const void *key,
               size_t key_size, const struct tg_shader *shader,
               gpu_kernel_writer write, void *user,
               struct tg_diagnostics *diagnostics,
               const struct gpu_kernel **kernel_out);

/* Destroys the kernels of a shader, which nobody runs any more. */
void
gpu_kernel_cache_drop(const struct gpu_compiler *compiler, uint64_t shader_id);

/* Destroys all kernels of the compiler's cache, and the cache. */
void
gpu_kernel_cache_finish(const struct gpu_compiler *compiler);

#endif
