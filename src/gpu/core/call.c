/* SPDX-License-Identifier: MIT
 *
 * Calls: their names in messages, and their deadlines.
 */
#include "gpu/core/call.h"

#include <assert.h>

#include "gpu/core/memory.h"
#include "util/clock.h"

/* ---- calls --------------------------------------------------------------- */

void
gpu_call_init(struct gpu_call *call, struct gpu_call_name name,
              struct tg_work *work, double seconds)
{
   const double nanoseconds = seconds * 1e9;
   *call = (struct gpu_call){.name = name, .work = work};
   if (nanoseconds <= 0 || nanoseconds >= 0x1p62)
      return;
   call->left = (uint64_t)nanoseconds + 1;
   tg_work_init_part(&call->own, work, seconds);
   call->work = &call->own;
   pthread_mutex_init(&call->mutex, NULL);
}

/* Has it a time of its own? */
static bool
is_timed(const struct gpu_call *call)
{
   return call->work == &call->own;
}

void
gpu_call_finish(struct gpu_call *call)
{
   if (is_timed(call))
      pthread_mutex_destroy(&call->mutex);
}

struct gpu_call *
gpu_call_create(const struct tg_allocator *allocator, struct gpu_call_name name,
                struct tg_work *work, double seconds)
{
   void *memory = NULL;
   if (!gpu_grow(allocator, &memory, 0, sizeof(struct gpu_call)))
      return NULL;
   struct gpu_call *call = memory;
   gpu_call_init(call, name, work, seconds);
   call->refs = (struct tg_refcount)TG_REFCOUNT_INIT;
   call->allocator = allocator;
   return call;
}

struct gpu_call *
gpu_call_ref(struct gpu_call *call)
{
   if (call)
      tg_refcount_add(&call->refs);
   return call;
}

void
gpu_call_destroy(struct gpu_call *call)
{
   void *memory = call;
   if (!call || !tg_refcount_drop(&call->refs))
      return;
   gpu_call_finish(call);
   gpu_grow(call->allocator, &memory, sizeof(*call), 0);
}

/* ---- the clock ----------------------------------------------------------- */

void
gpu_call_enter(struct gpu_call *call)
{
   if (!is_timed(call))
      return;
   pthread_mutex_lock(&call->mutex);
   if (call->num_threads++ == 0)
      tg_work_set_deadline(&call->own, tg_clock_now() + call->left);
   pthread_mutex_unlock(&call->mutex);
}

void
gpu_call_leave(struct gpu_call *call)
{
   if (!is_timed(call))
      return;
   pthread_mutex_lock(&call->mutex);
   assert(call->num_threads > 0);
   if (--call->num_threads == 0) {
      const uint64_t time = tg_clock_now(), deadline = call->own.deadline;
      call->left = deadline > time ? deadline - time : 0;
      if (!call->left)
         tg_work_end(&call->own, TG_WORK_LATE);
   }
   pthread_mutex_unlock(&call->mutex);
}

/* ---- workers ------------------------------------------------------------- */

/* The work that the purse pays with changes where the call has its own. */
static void
change_purse(struct gpu_worker *worker, struct tg_work *work)
{
   tg_purse_settle(&worker->purse);
   worker->purse = tg_purse_of(work);
}

void
gpu_call_begin(struct gpu_call *call, struct gpu_worker *worker)
{
   if (is_timed(call)) {
      change_purse(worker, &call->own);
      gpu_call_enter(call);
   }
   worker->call = call;
   worker->fault = (struct gpu_fault){.result = TG_OK};
   if (tg_work_has_ended(call->work))
      gpu_fail(worker, TG_ERROR_LIMIT, NULL);
}

void
gpu_call_end(struct gpu_call *call, struct gpu_worker *worker)
{
   struct gpu_fault *fault = &worker->fault;
   if (is_timed(call)) {
      change_purse(worker, call->own.parent);
      gpu_call_leave(call);
   }
   worker->call = NULL;
   fault->call = call->name;
   if (is_timed(call) && fault->result == TG_ERROR_LIMIT && !fault->what &&
       tg_work_get_end(&call->own) == TG_WORK_LATE)
      fault->late = call->own.options.max_seconds;
}

void
gpu_yield(struct gpu_worker *worker)
{
   if (!worker->call || !tg_pool_is_shared(worker->pool))
      return;
   gpu_call_leave(worker->call);
   tg_pool_yield(worker->pool, worker->thread);
   gpu_call_enter(worker->call);
}
