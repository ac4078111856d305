/* SPDX-License-Identifier: MIT
 *
 * A blit that has been checked: where its texels lie and what is to be done
 * with them. blit.c sets it up, blit_run.c carries it out.
 */
#ifndef TG_GPU_BLIT_H
#define TG_GPU_BLIT_H

#include "exec/exec.h"
#include "gpu/blit/blit_axis.h"
#include "gpu/blit/blit_kernel.h"
#include "gpu/blit/blit_side.h"
#include "gpu/core/call.h"
#include "gpu/core/kernel.h"
#include "gpu/core/worker.h"

struct gpu_blit {
   struct gpu_blit_key key;
   /* Texels become what they are: blocks of `block_bytes` are moved and no
    * kernel is needed. */
   bool is_move;
   /* Are pixels of one colour moved, which then would be resolved to itself? */
   bool moves_one_color;
   uint32_t block_bytes, unit_bytes;
   struct exec_memory to;
   struct exec_memory from[2]; /* and the plane of pixels of one colour */

   /* Positions that are drawn, and their words in units of the formats. */
   uint32_t count[GPU_BLIT_AXES];
   uint32_t (*words[GPU_BLIT_AXES])[GPU_BLIT_WORDS];
   size_t words_size[GPU_BLIT_AXES]; /* bytes that were allocated */

   /* Of the source, where it overlaps with the target. */
   void *copy;
   size_t copy_size;
};

/* How many rows of the target are written, and where one begins, in bytes.
 * There are positions. */
uint64_t
gpu_blit_num_rows(const struct gpu_blit *blit);
size_t
gpu_blit_row_address(const struct gpu_blit *blit, uint64_t row);

/* Runs a blit that has positions to be written. The work of `call` pays.
 * TG_ERROR_MEMORY, TG_ERROR_LIMIT. */
enum tg_result
gpu_blit_run(const struct gpu_compiler *compiler, struct tg_pool *pool,
             const struct gpu_call *call, const struct gpu_blit *blit,
             struct tg_diagnostics *diagnostics);

/* Blits between sides that gpu_blit_find_sides() has found, in channels of its
 * mask, of which there are some. TG_ERROR_MEMORY, TG_ERROR_LIMIT. */
enum tg_result
gpu_blit_sides(const struct gpu_compiler *compiler, struct tg_pool *pool,
               const struct gpu_call *call, struct gpu_blit_memory *to,
               struct gpu_blit_memory *from, const struct tg_blit_info *info,
               uint8_t mask, struct tg_diagnostics *diagnostics);

#endif
