/* SPDX-License-Identifier: MIT
 *
 * The internals of a context, for the files of this room.
 *
 * The thread that calls sets state, compiles kernels and cuts draws into
 * batches. It and the threads of the device take batches, and tiles of full
 * scenes. Each has a struct gpu_worker for itself; all else that they see does
 * not change while they work.
 */
#ifndef TG_GPU_CONTEXT_H
#define TG_GPU_CONTEXT_H

#include "gpu/context/uses.h"
#include "gpu/core/call.h"
#include "gpu/device/device.h"
#include "gpu/fragment/fragment.h"
#include "gpu/geometry/vertex.h"
#include "gpu/queue/scene.h"
#include "gpu/state/state.h"

struct gpu_queue;

struct tg_context {
   struct tg_device *device;             /* a reference */
   const struct tg_allocator *allocator; /* the device's */
   struct tg_context_options options;
   struct gpu_compiler compiler;
   uint64_t num_kernels; /* that it has compiled */
   struct tg_work *work; /* that pays for all: the next, or the caller's */
   struct tg_work own_work;
   struct tg_work life; /* the part of it that is used, until it is lost */
   struct gpu_call_name call; /* the last */
   struct gpu_calls calls;    /* those that wait in scenes */
   struct gpu_state state;
   struct tg_stream_target *stream_targets; /* all that were made, in a list */

   struct gpu_scene *scene; /* that is being filled, or NULL */
   /* Of the thread that calls, from a draw to the next flush; or NULL. What it
    * has counted belongs to the newest epoch. */
   struct gpu_worker *caller;
   struct gpu_vertex_kernel vertex_kernel;       /* of the last draw */
   struct gpu_fragment_kernels fragment_kernels; /* likewise */
   struct gpu_fragment_source fragment_source;
   struct gpu_queue *queue; /* of those that are full */
   struct gpu_busy busy;    /* memory that they use */

   /* Epochs that are still wanted, the oldest first; what those before
    * them have counted. */
   struct gpu_epoch *oldest_epoch, *epoch;
   uint64_t count[GPU_NUM_COUNTERS];
   struct tg_query *queries;        /* all that were made, in a list */
   struct tg_pixel_counters pixels; /* arrays NULL: none are counted */
};

/* Begins a call of the API: gives it its number. */
void
gpu_context_begin_call(struct tg_context *context, enum tg_call_kind kind);

/* Ends a call of the API with a result, which is returned; a fault is counted,
 * unless one of `call`'s, which may be NULL, was. */
enum tg_result
gpu_context_end_call(struct tg_context *context, struct gpu_call *call,
                     enum tg_result result);

/* Sees to it that there is a scene for the framebuffer that is set.
 * TG_ERROR_MEMORY. */
enum tg_result
gpu_open_scene(struct tg_context *context);

/* Submits the scene that is being filled, if any, to the queue. */
void
gpu_flush_scene(struct tg_context *context);

/* Flushes, and waits until all is done. Faults stay to be reported. */
void
gpu_flush_and_wait(struct tg_context *context);

/* tg_context_finish(), as a part of another call. */
enum tg_result
gpu_flush_and_finish(struct tg_context *context,
                     struct tg_diagnostics *diagnostics);

/* What it costs to move a box; one that is refused costs a call. */
static inline uint64_t
gpu_box_cost(const struct tg_resource *resource, uint32_t level,
             const struct tg_box *box)
{
   struct resource_blocks blocks;

   if (!resource_find_blocks(resource, level, 0, box, &blocks))
      return GPU_WORK_CALL;
   return GPU_WORK_CALL + resource_cost(resource, &blocks);
}

#endif
