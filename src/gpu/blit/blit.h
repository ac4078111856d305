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
   /* The mean of samples whose bytes are unorms of their own: no kernel either.
    */
   bool is_mean_of_bytes;
   uint32_t bits_of_channels; /* the bytes that are channels */
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

/* How many rows of the target are written, and where position number `x` of one
 * begins, in bytes. There are positions. */
uint64_t
gpu_blit_num_rows(const struct gpu_blit *blit);
size_t
gpu_blit_address(const struct gpu_blit *blit, uint64_t row, uint32_t x);

/* The sum of a row's words, for all axes but X. */
uint32_t
gpu_blit_row_place(const struct gpu_blit *blit, uint64_t row,
                   enum gpu_blit_word word);

/* ---- blit_resolve.c ------------------------------------------------------ */

/* The positions on axis X whose sources are whole rows of microtiles. */
struct gpu_blit_whole {
   uint32_t first, end;
};

struct gpu_blit_whole
gpu_blit_find_whole(const struct gpu_blit *blit);

/* Resolves rows of the target, of a blit that is a mean of bytes. */
void
gpu_blit_resolve_rows(const struct gpu_blit *blit, struct gpu_blit_whole whole,
                      uint64_t first, uint64_t end);

/* ---- blit_run.c ---------------------------------------------------------- */

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
