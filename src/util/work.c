/* SPDX-License-Identifier: MIT
 *
 * Accounting of work and time against their limits.
 */
#include "util/work.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "util/clock.h"
#include "util/sized.h"

enum {
   LOG_LOOK = 18,      /* units from one look at the clock to the next */
   MAX_GRAIN = 1 << 17 /* what a purse owes at most */
};

/* More at once is as good as no end of it, and must not wrap. */
static const uint64_t max_cost = UINT64_C(1) << 56;

/* ---- the object ---------------------------------------------------------- */

void
tg_work_refill(struct tg_work *work)
{
   assert(work);
   const double nanoseconds = work->options.max_seconds * 1e9;

   atomic_store(&work->deadline, UINT64_MAX);
   if (nanoseconds > 0 && nanoseconds < 0x1p62)
      atomic_store(&work->deadline, tg_clock_now() + (uint64_t)nanoseconds);
   atomic_store(&work->spent, 0);
   atomic_store(&work->end, TG_WORK_GOES_ON);
}

void
tg_work_init(struct tg_work *work, const struct tg_work_options *options)
{
   const uint64_t most = options->max_work;

   /* A small limit is kept exactly. */
   *work = (struct tg_work){
      .options = *options,
      .grain = most && most / 1024 < MAX_GRAIN ? most / 1024 + 1 : MAX_GRAIN,
   };
   tg_work_refill(work);
}

void
tg_work_init_part(struct tg_work *part, struct tg_work *parent,
                  double max_seconds)
{
   *part = (struct tg_work){
      .options.max_seconds = max_seconds,
      .parent = parent,
      .deadline = max_seconds > 0 ? TG_WORK_NOT_BEGUN : UINT64_MAX,
      .grain = parent->grain,
   };
}

void
tg_work_set_deadline(struct tg_work *part, uint64_t deadline)
{
   atomic_store_explicit(&part->deadline, deadline, memory_order_relaxed);
}

enum tg_result
tg_work_create(const struct tg_allocator *allocator,
               const struct tg_work_options *given, struct tg_work **work_out)
{
   assert(work_out);
   struct tg_work_options options;
   if (tg_work_options_take(&options, given, NULL) != TG_OK ||
       !tg_work_is_duration(options.max_seconds))
      return TG_ERROR_INPUT;
   if (!allocator)
      allocator = tg_default_allocator();
   struct tg_work *work =
      allocator->resize(allocator->user, NULL, 0, sizeof(*work));
   if (!work)
      return TG_ERROR_MEMORY;
   tg_work_init(work, &options);
   work->allocator = allocator;
   *work_out = work;
   return TG_OK;
}

void
tg_work_destroy(struct tg_work *work)
{
   if (work)
      work->allocator->resize(work->allocator->user, work, sizeof(*work), 0);
}

bool
tg_work_is_duration(double seconds)
{
   return isfinite(seconds) && seconds >= 0;
}

/* ---- ends ---------------------------------------------------------------- */

void
tg_work_end(struct tg_work *work, int reason)
{
   int none = TG_WORK_GOES_ON;

   atomic_compare_exchange_strong(&work->end, &none, reason);
}

void
tg_work_resume(struct tg_work *part)
{
   atomic_store(&part->end, TG_WORK_GOES_ON);
}

void
tg_work_cancel(struct tg_work *work)
{
   assert(work);
   tg_work_end(work, TG_WORK_CANCELLED);
}

enum tg_work_end
tg_work_get_end(const struct tg_work *work)
{
   assert(work);
   return (enum tg_work_end)atomic_load(&work->end);
}

uint64_t
tg_work_get_spent(const struct tg_work *work)
{
   assert(work);
   return atomic_load(&work->spent);
}

/* ---- paying -------------------------------------------------------------- */

static bool
stop(struct tg_work *work, enum tg_work_end reason)
{
   tg_work_end(work, (int)reason);
   return false;
}

/* Looks at the clock. */
static bool
is_late(struct tg_work *work, uint64_t deadline)
{
   const uint64_t time = tg_clock_now();
   if (deadline != TG_WORK_NOT_BEGUN)
      return time > deadline;
   tg_work_set_deadline(work,
                        time + (uint64_t)(work->options.max_seconds * 1e9) + 1);
   return false;
}

/* For one of a part and what it is a part of. */
static bool
pay(struct tg_work *work, uint64_t cost)
{
   const uint64_t deadline =
      atomic_load_explicit(&work->deadline, memory_order_relaxed);
   if (atomic_load_explicit(&work->end, memory_order_relaxed))
      return false;
   if (work->parent && deadline == UINT64_MAX)
      return true; /* nobody asks what a part has spent */
   if (cost > max_cost)
      cost = max_cost;
   const uint64_t before =
      atomic_fetch_add_explicit(&work->spent, cost, memory_order_relaxed);
   const uint64_t after = before + cost;
   if (work->options.max_work && after > work->options.max_work)
      return stop(work, TG_WORK_SPENT);
   const bool is_time_to_look = (before ^ after) >> LOG_LOOK;
   if (is_time_to_look && deadline != UINT64_MAX && is_late(work, deadline))
      return stop(work, TG_WORK_LATE);
   return true;
}

bool
tg_work_pay(struct tg_work *work, uint64_t cost)
{
   for (; work; work = work->parent) {
      if (!pay(work, cost))
         return false;
   }
   return true;
}

bool
tg_work_settle_purse(struct tg_purse *purse)
{
   const uint64_t owed = purse->owed;

   purse->owed = 0;
   if (!owed)
      return !tg_work_has_ended(purse->work);
   if (!purse->outer)
      return tg_work_pay(purse->work, owed);
   const bool goes_on = pay(purse->work, owed);
   return tg_purse_pay(purse->outer, owed) && goes_on;
}

/* ---- saying it ----------------------------------------------------------- */

/* The one that has ended, of a part and what it is a part of. */
static const struct tg_work *
find_end(const struct tg_work *work)
{
   while (work->parent && tg_work_get_end(work) == TG_WORK_GOES_ON)
      work = work->parent;
   return work;
}

static void
describe(const struct tg_work *work, char *message, size_t size)
{
   const struct tg_work_options *options = &work->options;

   switch (atomic_load(&work->end)) {
   case TG_WORK_SPENT:
      snprintf(message, size, "the limit of %llu units of work is reached",
               (unsigned long long)options->max_work);
      break;
   case TG_WORK_LATE:
      snprintf(message, size, "the limit of %g seconds%s is reached",
               options->max_seconds, work->parent ? " of a call" : "");
      break;
   case TG_WORK_LOST:
      snprintf(message, size, "the context is lost by an earlier fault");
      break;
   default: snprintf(message, size, "the work was cancelled"); break;
   }
}

static enum tg_result
explain(const struct tg_work *work, struct tg_diagnostics *diagnostics,
        const struct tg_source *source, struct tg_position position,
        const char *what)
{
   static const struct tg_source nowhere = {.name = "work"};
   const bool is_limit = tg_work_get_end(work) <= TG_WORK_LATE;
   char message[128];

   describe(work, message, sizeof(message));
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "limit",
               source ? source : &nowhere, position,
               is_limit ? work->options.note : NULL, "%s%s%s", what ? what : "",
               what ? ": " : "", message);
   return TG_ERROR_LIMIT;
}

enum tg_result
tg_work_explain(const struct tg_work *work, struct tg_diagnostics *diagnostics,
                const struct tg_source *source, struct tg_position position)
{
   return explain(find_end(work), diagnostics, source, position, NULL);
}

enum tg_result
tg_work_diagnose_call(const struct tg_work *work,
                      struct tg_diagnostics *diagnostics,
                      const struct tg_source *source,
                      struct tg_position position, const char *what)
{
   const struct tg_work *ended = find_end(work);

   if (!ended->is_explained)
      explain(ended, diagnostics, source, position, what);
   return TG_ERROR_LIMIT;
}

enum tg_result
tg_work_diagnose(const struct tg_work *work, struct tg_diagnostics *diagnostics,
                 const struct tg_source *source, struct tg_position position)
{
   return tg_work_diagnose_call(work, diagnostics, source, position, NULL);
}
