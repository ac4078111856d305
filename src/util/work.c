/* SPDX-License-Identifier: MIT
 *
 * Limits of work and time.
 */
#include "util/work.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "util/sized.h"

enum {
   LOG_LOOK = 18,   /* units from one look at the clock to the next */
   MAX_GRAIN = 4096 /* what a purse owes at most */
};

/* More at once is as good as no end of it, and must not wrap. */
static const uint64_t max_cost = UINT64_C(1) << 56;

static uint64_t
now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* ---- the object ---------------------------------------------------------- */

void
tg_work_refill(struct tg_work *work)
{
   const double nanoseconds = work->options.max_seconds * 1e9;

   work->deadline = UINT64_MAX;
   if (nanoseconds > 0 && nanoseconds < 0x1p62)
      work->deadline = now() + (uint64_t)nanoseconds;
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

enum tg_result
tg_work_create(const struct tg_allocator *allocator,
               const struct tg_work_options *given, struct tg_work **work_out)
{
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

/* The first reason counts. Returns false. */
static bool
end(struct tg_work *work, enum tg_work_end reason)
{
   int none = TG_WORK_GOES_ON;

   atomic_compare_exchange_strong(&work->end, &none, (int)reason);
   return false;
}

void
tg_work_cancel(struct tg_work *work)
{
   end(work, TG_WORK_CANCELLED);
}

enum tg_work_end
tg_work_get_end(const struct tg_work *work)
{
   return (enum tg_work_end)atomic_load(&work->end);
}

uint64_t
tg_work_get_spent(const struct tg_work *work)
{
   return atomic_load(&work->spent);
}

/* ---- paying -------------------------------------------------------------- */

bool
tg_work_pay(struct tg_work *work, uint64_t cost)
{
   if (!work)
      return true;
   if (tg_work_has_ended(work))
      return false;
   if (cost > max_cost)
      cost = max_cost;
   const uint64_t before =
      atomic_fetch_add_explicit(&work->spent, cost, memory_order_relaxed);
   const uint64_t after = before + cost;
   if (work->options.max_work && after > work->options.max_work)
      return end(work, TG_WORK_SPENT);
   const bool is_time_to_look = (before ^ after) >> LOG_LOOK;
   if (is_time_to_look && work->deadline != UINT64_MAX &&
       now() > work->deadline)
      return end(work, TG_WORK_LATE);
   return true;
}

bool
tg_purse_settle(struct tg_purse *purse)
{
   const uint64_t owed = purse->owed;

   purse->owed = 0;
   return tg_work_pay(purse->work, owed);
}

enum tg_result
tg_work_explain(const struct tg_work *work, struct tg_diagnostics *diagnostics,
                const struct tg_source *source, struct tg_position position)
{
   static const struct tg_source nowhere = {.name = "work"};
   const struct tg_source *place = source ? source : &nowhere;
   const struct tg_work_options *options = &work->options;

   switch (tg_work_get_end(work)) {
   case TG_WORK_SPENT:
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "limit", place, position,
                  options->note, "the limit of %llu units of work is reached",
                  (unsigned long long)options->max_work);
      break;
   case TG_WORK_LATE:
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "limit", place, position,
                  options->note, "the limit of %g seconds is reached",
                  options->max_seconds);
      break;
   default:
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "limit", place, position,
                  NULL, "the work was cancelled");
      break;
   }
   return TG_ERROR_LIMIT;
}

enum tg_result
tg_work_diagnose(const struct tg_work *work, struct tg_diagnostics *diagnostics,
                 const struct tg_source *source, struct tg_position position)
{
   if (!work->is_explained)
      tg_work_explain(work, diagnostics, source, position);
   return TG_ERROR_LIMIT;
}
