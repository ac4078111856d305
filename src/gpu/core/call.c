/* SPDX-License-Identifier: MIT
 *
 * Calls in progress: their names in messages, and their deadlines.
 */
#include "gpu/core/call.h"

#include <assert.h>

#include "gpu/core/grow.h"
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

/* ---- slabs --------------------------------------------------------------- */

enum { CALLS_PER_SLAB = 32 };

struct gpu_call_slab {
   const struct tg_allocator *allocator;
   _Atomic uint32_t left; /* calls not destroyed yet, or not made */
   struct gpu_call calls[CALLS_PER_SLAB];
};

void
gpu_calls_init(struct gpu_calls *calls, const struct tg_allocator *allocator)
{
   *calls = (struct gpu_calls){.allocator = allocator};
}

/* So many calls of a slab are not needed any more. */
static void
leave_slab(struct gpu_call_slab *slab, uint32_t count)
{
   void *memory = slab;
   if (atomic_fetch_sub_explicit(&slab->left, count, memory_order_acq_rel) ==
       count)
      gpu_grow(slab->allocator, &memory, sizeof(*slab), 0);
}

void
gpu_calls_finish(struct gpu_calls *calls)
{
   if (calls->slab && calls->used < CALLS_PER_SLAB)
      leave_slab(calls->slab, CALLS_PER_SLAB - calls->used);
   gpu_calls_init(calls, calls->allocator);
}

static bool
add_slab(struct gpu_calls *calls)
{
   void *memory = NULL;
   if (!gpu_grow(calls->allocator, &memory, 0, sizeof(struct gpu_call_slab)))
      return false;
   calls->slab = memory;
   calls->slab->allocator = calls->allocator;
   atomic_init(&calls->slab->left, CALLS_PER_SLAB);
   calls->used = 0;
   return true;
}

struct gpu_call *
gpu_call_create(struct gpu_calls *calls, struct gpu_call_name name,
                struct tg_work *work, double seconds)
{
   if ((!calls->slab || calls->used == CALLS_PER_SLAB) && !add_slab(calls))
      return NULL;
   struct gpu_call *call = &calls->slab->calls[calls->used++];
   gpu_call_init(call, name, work, seconds);
   call->refs = (struct tg_refcount)TG_REFCOUNT_INIT;
   call->slab = calls->slab;
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
   if (!call || !tg_refcount_drop(&call->refs))
      return;
   gpu_call_finish(call);
   leave_slab(call->slab, 1);
}

/* ---- the clock ----------------------------------------------------------- */

/* Has it spent so much that the clock was looked at? */
static bool
has_begun(const struct gpu_call *call)
{
   return atomic_load_explicit(&call->own.deadline, memory_order_relaxed) !=
          TG_WORK_NOT_BEGUN;
}

void
gpu_call_enter(struct gpu_call *call)
{
   if (!is_timed(call))
      return;
   pthread_mutex_lock(&call->mutex);
   if (call->num_threads++ == 0 && has_begun(call))
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
   if (--call->num_threads == 0 && has_begun(call)) {
      const uint64_t time = tg_clock_now(), deadline = call->own.deadline;
      call->left = deadline > time ? deadline - time : 0;
      if (!call->left)
         tg_work_end(&call->own, TG_WORK_LATE);
   }
   pthread_mutex_unlock(&call->mutex);
}

/* ---- workers ------------------------------------------------------------- */

/* The purse is another one where the call has a work of its own, a part of the
 * context's. */
static void
begin_purse(struct gpu_worker *worker, struct tg_work *part)
{
   assert(worker->purse.work == part->parent);
   worker->outer = worker->purse;
   worker->purse = tg_purse_within(part, &worker->outer);
}

static void
end_purse(struct gpu_worker *worker)
{
   tg_work_settle_purse(&worker->purse);
   worker->purse = worker->outer;
}

void
gpu_call_begin(struct gpu_call *call, struct gpu_worker *worker)
{
   if (is_timed(call)) {
      begin_purse(worker, &call->own);
      gpu_call_enter(call);
   }
   worker->call = call;
   worker->fault = (struct gpu_fault){.result = TG_OK};
   if (tg_work_has_ended(call->work))
      gpu_worker_fail(worker, TG_ERROR_LIMIT, NULL);
}

void
gpu_call_end(struct gpu_call *call, struct gpu_worker *worker)
{
   struct gpu_fault *fault = &worker->fault;
   if (is_timed(call)) {
      end_purse(worker);
      gpu_call_leave(call);
   }
   worker->call = NULL;
   fault->call = call->name;
   if (is_timed(call) && fault->result == TG_ERROR_LIMIT && !fault->what &&
       tg_work_get_end(&call->own) == TG_WORK_LATE)
      fault->late = call->own.options.max_seconds;
}

void
gpu_yield_call(struct gpu_worker *worker)
{
   if (!worker->call || !tg_pool_is_shared(worker->pool))
      return;
   gpu_call_leave(worker->call);
   tg_pool_yield(worker->pool, worker->thread);
   gpu_call_enter(worker->call);
}

/* ---- names --------------------------------------------------------------- */

const char *
tg_call_kind_name(enum tg_call_kind kind)
{
   static const char *const names[TG_NUM_CALL_KINDS] = {
      [TG_CALL_NONE] = "none",   [TG_CALL_DRAW] = "draw",
      [TG_CALL_CLEAR] = "clear", [TG_CALL_BLIT] = "blit",
      [TG_CALL_COPY] = "copy",   [TG_CALL_WRITE] = "write",
      [TG_CALL_READ] = "read",   [TG_CALL_DISPATCH] = "dispatch",
      [TG_CALL_MAP] = "map",
   };
   return (unsigned)kind < TG_NUM_CALL_KINDS ? names[kind] : NULL;
}
