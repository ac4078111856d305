/* SPDX-License-Identifier: MIT
 *
 * Spin-then-park: a thread that is about to sleep looks for a while whether it
 * need not. To be woken takes 10 to 30 microseconds where the processor has
 * halted meanwhile, most of all that of a virtual machine.
 */
#ifndef TG_UTIL_SPIN_H
#define TG_UTIL_SPIN_H

#include <sched.h>
#include <stdbool.h>

#include "util/clock.h"

/* It ends by time, and by the number of looks: there are programs whose clock
 * is stopped. */
struct tg_spin {
   uint64_t end; /* nanoseconds of CLOCK_MONOTONIC */
   unsigned num_left;
};

static inline struct tg_spin
tg_spin_begin(void)
{
   const uint64_t most = 100000;
   return (struct tg_spin){.end = tg_clock_now() + most, .num_left = 1000};
}

/* To be called after each look. Lets other threads run. False: it has been long
 * enough. */
static inline bool
tg_spin(struct tg_spin *spin)
{
   if (spin->num_left == 0 || tg_clock_now() >= spin->end)
      return false;
   spin->num_left--;
   sched_yield();
   return true;
}

#endif
