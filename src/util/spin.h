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

struct tg_spin {
   unsigned
      num_left;  /* times to look: programs are run with clocks that stand */
   uint64_t end; /* nanoseconds of CLOCK_MONOTONIC */
};

static inline struct tg_spin
tg_spin_begin(void)
{
   const uint64_t most = 100000;
   return (struct tg_spin){.num_left = 1000, .end = tg_clock_now() + most};
}

/* Lets other threads run. False: it has been long enough. */
static inline bool
tg_spin(struct tg_spin *spin)
{
   sched_yield();
   return spin->num_left-- > 0 && tg_clock_now() < spin->end;
}

#endif
