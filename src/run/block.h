/* SPDX-License-Identifier: MIT
 *
 * A block of compute threads: waves of 16 that run in turn from barrier to
 * barrier. Each thread of the processor that works on a dispatch has the memory
 * of one block, and runs block after block in it.
 */
#ifndef TG_RUN_BLOCK_H
#define TG_RUN_BLOCK_H

#include "abi/bindings.h"
#include "check/check.h"
#include "exec/kernel.h"
#include "run/program.h"
#include "util/pool.h"
#include "util/work.h"

/* What all blocks of a dispatch have in common. */
struct run_block_shape {
   const struct tg_program *program;
   const struct exec_code *code;
   const struct tg_bindings *bindings; /* or NULL */
   uint32_t size[3];                   /* threads */
   uint32_t num_threads;               /* their product */
   uint32_t num_waves;
   uint64_t grid[3]; /* blocks */
   uint32_t work_dim;
   uint32_t shared_bytes; /* 0 if the shader has no shared memory */
   uint64_t loop_budget;
   struct check *check; /* of a checked program, else NULL: one block at a time,
                           in their order */
   struct exec_memory constants[ABI_NUM_CONST_BINDINGS];
};

/* Why a block could not be run to its end. */
struct run_block_fault {
   uint32_t thread;
   uint32_t origin;  /* TGSI instruction, or LIR_NO_ORIGIN */
   const char *what; /* static; NULL: the thread does not reach a barrier */
   bool has_ended;   /* the work has, whatever the thread does */
};

struct run_block;

/* Bytes that a block takes; false if there is no such number. */
bool
run_block_memory(const struct run_block_shape *shape, size_t *size_out);

/* Allocates the memory in which one block of a grid runs after the other. The
 * shape must outlive it. TG_ERROR_MEMORY. */
enum tg_result
run_block_create(const struct run_block_shape *shape,
                 struct run_block **block_out);

/* Takes NULL. */
void
run_block_destroy(struct run_block *block);

/* Sets the thread of a pool that runs the next blocks, which lets the pool's
 * other jobs have it now and then; `pool` NULL: it has none. */
void
run_block_set_thread(struct run_block *block, struct tg_pool *pool,
                     unsigned thread);

/* Runs the block with this BLOCK_ID, for which the purse pays. False:
 * `fault_out` says why it ended. */
bool
run_block_run(struct run_block *block, const uint32_t id[3],
              struct tg_purse *purse, struct run_block_fault *fault_out);

#endif
