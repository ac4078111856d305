/* SPDX-License-Identifier: MIT
 *
 * Pipeline statistics: counters of what the stages do, and epochs, in which
 * they are summed up for queries.
 */
#ifndef TG_GPU_COUNTERS_H
#define TG_GPU_COUNTERS_H

#include <assert.h>
#include <stdatomic.h>

#include "tungsten/gpu.h"

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
   _Atomic uint64_t count[GPU_NUM_COUNTERS]; /* by threads of the device */
   uint64_t own[GPU_NUM_COUNTERS];           /* by the thread that calls */
   struct gpu_epoch *next; /* the one after it, or NULL: the newest */
   uint64_t last_scene;    /* number of the last scene that adds to it */
};

/* Reads a counter of an epoch, by the calling thread of its context. */
static inline uint64_t
gpu_epoch_get(const struct gpu_epoch *epoch, enum gpu_counter counter)
{
   assert(counter < GPU_NUM_COUNTERS);
   return epoch->own[counter] +
          atomic_load_explicit(&epoch->count[counter], memory_order_relaxed);
}

#endif
