/* SPDX-License-Identifier: MIT
 *
 * Accounting of work: everything that takes time pays for it, soon before or
 * after, and stops when the limit is reached. The clock is read once in many
 * units, so nothing may take long without paying.
 *
 * A thread has a purse, which owes a few units before it pays them, so that
 * threads do not wait for each other.
 */
#ifndef TG_UTIL_WORK_H
#define TG_UTIL_WORK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "tungsten/work.h"
#include "util/diagnostics.h"

/* The limits where none is given. All threads together do that much work in
 * less than a minute of processors, whatever it is. */
#define TG_WORK_USUAL_LOG 33
#define TG_WORK_USUAL (UINT64_C(1) << TG_WORK_USUAL_LOG)
#define TG_WORK_USUAL_SECONDS 60

/* What things cost, in units. */
enum {
   TG_WORK_WAVE = 64,       /* to begin a wave and to end it */
   TG_WORK_RESUME = 32,     /* to have one go on */
   TG_WORK_CHECKED = 16,    /* an instruction of a wave that is looked at */
   TG_WORK_BYTES = 64,      /* bytes that are filled or moved for a unit */
   TG_WORK_SLICE = 1 << 16, /* of a wave, until the end is looked at */
};

/* An end of a part, beside those of enum tg_work_end: its owner wants no more
 * of it. */
enum { TG_WORK_LOST = TG_WORK_CANCELLED + 1 };

struct tg_work {
   const struct tg_allocator *allocator; /* of tg_work_create() */
   struct tg_work_options options;
   struct tg_work *parent;    /* of a part: what else pays; or NULL */
   _Atomic uint64_t deadline; /* nanoseconds; UINT64_MAX: none */
   uint64_t grain;            /* what a purse may owe */
   bool is_explained; /* by its owner, once: tg_work_diagnose() says nothing */
   _Atomic uint64_t spent;
   atomic_int end; /* enum tg_work_end */
};

/* Makes a work budget in place, of options as tg_work_create() takes them. */
void
tg_work_init(struct tg_work *work, const struct tg_work_options *options);

/* The deadline of a part that has not looked at the clock yet. */
#define TG_WORK_NOT_BEGUN (UINT64_MAX - 1)

/* Makes a part of another work: what it pays that pays, too, and with the end
 * of that it has one. It has no limits of its own but, unless `max_seconds` is
 * 0, a deadline, nanoseconds of CLOCK_MONOTONIC: that long after the first look
 * at the clock, so that what costs little does not look at it, or another one
 * that any thread sets. */
void
tg_work_init_part(struct tg_work *part, struct tg_work *parent,
                  double max_seconds);
void
tg_work_set_deadline(struct tg_work *part, uint64_t deadline);

/* Ends a work, or a part, for a reason of enum tg_work_end or TG_WORK_LOST; the
 * first counts. */
void
tg_work_end(struct tg_work *work, int reason);

/* Has a part that has ended by itself go on. */
void
tg_work_resume(struct tg_work *part);

/* May max_seconds be this? */
bool
tg_work_is_duration(double seconds);

/* Charges a budget, and reads the clock if it is time to. False when there is
 * an end. NULL has no limits. */
bool
tg_work_pay(struct tg_work *work, uint64_t cost);

/* Has a limit been reached, or was it cancelled? */
static inline bool
tg_work_has_ended(const struct tg_work *work)
{
   for (; work; work = work->parent) {
      if (atomic_load_explicit(&work->end, memory_order_relaxed))
         return true;
   }
   return false;
}

/* Says which limit was reached, at a place or, with `source` NULL, at none;
 * returns TG_ERROR_LIMIT. There must be an end. The first is for those who
 * work, the other one for the owner. The message begins with `what`, unless
 * that is NULL. */
enum tg_result
tg_work_diagnose_call(const struct tg_work *work,
                      struct tg_diagnostics *diagnostics,
                      const struct tg_source *source,
                      struct tg_position position, const char *what);
enum tg_result
tg_work_diagnose(const struct tg_work *work, struct tg_diagnostics *diagnostics,
                 const struct tg_source *source, struct tg_position position);
enum tg_result
tg_work_explain(const struct tg_work *work, struct tg_diagnostics *diagnostics,
                const struct tg_source *source, struct tg_position position);

/* ---- purses -------------------------------------------------------------- */

/* Of one thread. */
struct tg_purse {
   struct tg_work *work; /* or NULL */
   uint64_t grain;
   uint64_t owed;
   struct tg_purse *outer; /* of what `work` is a part of, or NULL */
};

/* An empty purse of a budget, which may be NULL. */
static inline struct tg_purse
tg_purse_of(struct tg_work *work)
{
   return (struct tg_purse){work, work ? work->grain : UINT64_MAX, 0, NULL};
}

/* An empty purse of a part. What it pays the other one owes, which is of what
 * the part is of, and stays where it is as long. */
static inline struct tg_purse
tg_purse_within(struct tg_work *part, struct tg_purse *outer)
{
   return (struct tg_purse){part, part->grain, 0, outer};
}

/* Charges the budget with what a purse owes. False when there is an end. */
bool
tg_work_settle_purse(struct tg_purse *purse);

/* Charges a purse, which settles now and then. False when the limit is reached,
 * which a purse finds when it settles. */
static inline bool
tg_purse_pay(struct tg_purse *purse, uint64_t cost)
{
   purse->owed += cost;
   return purse->owed < purse->grain || tg_work_settle_purse(purse);
}

#endif
