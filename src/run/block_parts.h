/* SPDX-License-Identifier: MIT
 *
 * A block of compute threads in memory, for the files that set it up and run
 * it.
 */
#ifndef TG_RUN_BLOCK_PARTS_H
#define TG_RUN_BLOCK_PARTS_H

#include "run/block.h"
#include "run/memory.h"

enum { RUN_MAX_WAVES = TG_MAX_BLOCK_THREADS / LIR_LANES };

/* The listener of a wave of a checked program. */
struct run_tracer {
   struct exec_listener listener;
   struct check *check;
   uint32_t wave;
};

struct run_block {
   const struct run_block_shape *shape;
   size_t size; /* of all that follows this in memory, and this */
   struct exec_memory shared;
   /* As many as waves, or one, in which they then run one after the other. A
    * wave takes the one that was given back last, which is in the cache. */
   unsigned char *scratch;
   size_t scratch_stride;
   uint32_t num_scratches, num_free;
   uint8_t free[RUN_MAX_WAVES];
   uint8_t scratch_of[RUN_MAX_WAVES];
   struct tg_purse *purse;      /* of the thread that runs it */
   struct tg_pool *pool;        /* whose that is, or NULL */
   unsigned thread;             /* of it */
   uint64_t steps;              /* since others had it */
   lane_words *sysvals;         /* of all waves */
   struct run_tracer *tracers;  /* of all waves, in a checked program */
   uint64_t block_id_registers; /* a bit for each system value that is that, */
   uint32_t id[3];              /* what they hold */
   /* The waves as rounds, where the executor runs them together. */
   struct exec_round *rounds;
   struct exec_wave common;
   struct exec_wave waves[];
};

/* See exec_wave.pay; `payer` is the block. */
bool
run_block_pay(void *payer, const struct exec_wave *wave);

/* Gives the threads their BLOCK_ID: from block to block mostly x alone is
 * another. */
void
run_block_set_id(struct run_block *block, const uint32_t id[3]);

#endif
