/* SPDX-License-Identifier: MIT
 *
 * Calls of a context that are in progress: the name that their faults have, and
 * the time that they may take. A call's clock runs while at least one thread is
 * at work on it, so it does not matter how many these are, and what else they
 * have to do. It begins when the call has spent as much work as is paid between
 * two looks at it: what most calls take is less than that.
 */
#ifndef TG_GPU_CALL_H
#define TG_GPU_CALL_H

#include <pthread.h>

#include "gpu/core/worker.h"
#include "profile/profile.h"
#include "util/refcount.h"

struct gpu_call {
   struct gpu_call_name name;
   struct tg_work *work;        /* that pays: its own, or the context's */
   struct tg_pool_share *share; /* of the pool's threads; or NULL */
   atomic_bool has_fault;

   /* Of calls that have a time. */
   struct tg_work own; /* part of the context's, which has the deadline */
   pthread_mutex_t mutex;
   unsigned num_threads; /* at work on it */
   uint64_t left;        /* nanoseconds, while there are none; once begun */

   /* Of those that wait in scenes. */
   struct tg_refcount refs;
   struct gpu_call_slab *slab; /* in which it is */
};

/* Prepares a call of the API, and frees it. `work` is the context's. `seconds`
 * 0: it has no time of its own. */
void
gpu_call_init(struct gpu_call *call, struct gpu_call_name name,
              struct tg_work *work, double seconds);
void
gpu_call_finish(struct gpu_call *call);

/* A slab allocator of calls: many for one call of the allocator. Of one thread;
 * any thread destroys calls. */
struct gpu_calls {
   const struct tg_allocator *allocator;
   struct gpu_call_slab *slab; /* the last, or NULL */
   uint32_t used;              /* calls of it that were made */
};

/* An empty slab allocator. */
void
gpu_calls_init(struct gpu_calls *calls, const struct tg_allocator *allocator);

/* Lets go of the last slab; calls stay until they are destroyed. */
void
gpu_calls_finish(struct gpu_calls *calls);

/* A call with a reference count, from the slab; NULL when out of memory.
 * Otherwise as gpu_call_init(). */
struct gpu_call *
gpu_call_create(struct gpu_calls *calls, struct gpu_call_name name,
                struct tg_work *work, double seconds);
struct gpu_call *
gpu_call_ref(struct gpu_call *call);

/* Drops a reference. Takes NULL. */
void
gpu_call_destroy(struct gpu_call *call);

/* Starts and stops the clock of a call for a thread that works on it. */
void
gpu_call_enter(struct gpu_call *call);
void
gpu_call_leave(struct gpu_call *call);

/* Makes a worker, which has begun with the context's work, work on a call: it
 * enters and leaves, without a fault at first unless the call may not go on;
 * one that it has afterwards is the call's. */
void
gpu_call_begin(struct gpu_call *call, struct gpu_worker *worker);
void
gpu_call_end(struct gpu_call *call, struct gpu_worker *worker);

/* Begins and ends a span of the device's profile, if any, for the call that a
 * worker is at work on; `shader` is a number of the profile's, or 0. */
static inline void
gpu_begin_span(const struct gpu_worker *worker, enum tg_profile_stage stage,
               uint32_t shader)
{
   struct profile_subject subject = {.shader = shader};

   if (!worker->profile)
      return;
   if (worker->call) {
      subject.draw = worker->call->name.draw;
      subject.call = worker->call->name.number;
   }
   profile_begin(worker->profile, stage, subject);
}

static inline void
gpu_end_span(const struct gpu_worker *worker)
{
   profile_end(worker->profile);
}

/* Cooperative yield within something long: lets others of the device have the
 * thread for a while, during which the call's clock stands still. */
void
gpu_yield_call(struct gpu_worker *worker);

#endif
