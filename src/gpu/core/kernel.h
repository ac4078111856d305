/* SPDX-License-Identifier: MIT
 *
 * Conventions of the pipeline's kernels: bindings of memory, and how a device
 * makes them. Keys of a shader begin with its id, and their kernels live until
 * it is dropped; others as long as the device.
 */
#ifndef TG_GPU_KERNEL_H
#define TG_GPU_KERNEL_H

#include "abi/bindings.h"
#include "exec/kernel.h"
#include "gpu/core/limits.h"
#include "tungsten/gpu.h"

/* How kernels see memory, beside what is bound: abi/bindings.h.
 *   CONST   STAGE            vertex: fetch.h
 *   CONST   FRAME            fragment: see fragment_kernel.h
 *   CONST   VERTEX + i       the vertex buffer of element i
 *   SURFACE n, DEPTH         colour buffer n, depth and stencil
 *   SURFACE ONE_COLOR + n    a byte a pixel, where colour buffer n has samples:
 *                            1 where all are as the first, which alone is
 *                            stored
 *   INPUT                    vertex: see vertex.c; fragment: fragment_kernel.h
 *   SYSVAL                   fragment: each lane's shape, shape.h
 *   OUTPUT                   vertex: the record; fragment: samples passed */
enum {
   GPU_BINDING_STAGE = ABI_NUM_CONST_BINDINGS,
   GPU_BINDING_FRAME,
   GPU_BINDING_VERTEX,
   GPU_NUM_CONST_BINDINGS = GPU_BINDING_VERTEX + TG_MAX_VERTEX_ELEMENTS,
   GPU_BINDING_DEPTH = TG_MAX_COLOR_BUFFERS,
   GPU_BINDING_ONE_COLOR, /* and n: of colour buffer n */
   GPU_NUM_SURFACE_BINDINGS = GPU_BINDING_ONE_COLOR + TG_MAX_COLOR_BUFFERS,
};

/* What it takes to make kernels. */
struct gpu_compiler {
   const struct tg_allocator *allocator;
   struct exec_compiler exec;
   struct exec_cache *cache;
   bool check;             /* kernels look for mistakes in shaders */
   uint64_t *num_compiled; /* is counted up for each new one; or NULL */
};

/* The kernel of a source; made when it is asked for the first time. Errors are
 * those of exec_compile(). */
enum tg_result
gpu_kernel_get(const struct gpu_compiler *compiler,
               const struct exec_source *source,
               struct tg_diagnostics *diagnostics,
               const struct exec_kernel **kernel_out);

#endif
