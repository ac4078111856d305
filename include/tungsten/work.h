/* SPDX-License-Identifier: MIT
 *
 * Limits of work and time. What a program runs or a GPU draws may come from
 * anywhere; a struct tg_work bounds what all of it together may cost. The unit
 * is about one instruction of a wave of 16 lanes, some nanoseconds; what is done
 * besides running shaders, from compiling to filling memory, costs as many units
 * as it takes about as long. docs/limits.md has the figures.
 *
 * What reaches a limit ends soon after it, with TG_ERROR_LIMIT and a diagnostic
 * that names the limit. What was written by then stays written.
 */
#ifndef TUNGSTEN_WORK_H
#define TUNGSTEN_WORK_H

#include "tungsten/base.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tg_work;

struct tg_work_options {
   size_t size;        /* sizeof(struct tg_work_options) */
   uint64_t max_work;  /* units; 0: there is no bound */
   double max_seconds; /* of CLOCK_MONOTONIC, from the creation or the last
                        * refill on; 0: there is no bound */
   const char *note;   /* said below the diagnostic, as how to raise a limit; it
                        * must outlive the object. NULL: nothing */
};

#define TG_WORK_OPTIONS_INIT TG_INIT_(tg_work_options, TG_NO_MEMBERS_)

/** Why work goes no further. */
enum tg_work_end {
   TG_WORK_GOES_ON,
   TG_WORK_SPENT,     /* max_work is used up */
   TG_WORK_LATE,      /* max_seconds are over */
   TG_WORK_CANCELLED, /* by tg_work_cancel() */
};

/**
 * Makes a bound that any number of runs, dispatches, programs and GPUs may
 * share; they borrow it and must be gone before it. `options` NULL bounds
 * nothing, and can be cancelled. TG_ERROR_INPUT for seconds that are negative or
 * not finite, TG_ERROR_MEMORY.
 */
TG_API enum tg_result
tg_work_create(const struct tg_allocator *allocator,
               const struct tg_work_options *options,
               struct tg_work **work_out);

/** Takes NULL. */
TG_API void
tg_work_destroy(struct tg_work *work);

/** Resets the account to all of max_work and max_seconds, also after an end.
 * Nothing may be at work. */
TG_API void
tg_work_refill(struct tg_work *work);

/** Ends what is at work, and what begins later, until the next refill. Any
 * thread may call it at any time, a signal handler too. */
TG_API void
tg_work_cancel(struct tg_work *work);

/** Whether it goes on, or the first reason why not. Any thread. */
TG_API enum tg_work_end
tg_work_get_end(const struct tg_work *work);

/** Units that were used since the creation or the last refill, those that went
 * beyond the limit too. Any thread. */
TG_API uint64_t
tg_work_get_spent(const struct tg_work *work);

#ifdef __cplusplus
}
#endif

#endif
