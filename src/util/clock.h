/* SPDX-License-Identifier: MIT
 *
 * The monotonic clock, which never goes back.
 */
#ifndef TG_UTIL_CLOCK_H
#define TG_UTIL_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds of CLOCK_MONOTONIC. Any thread. */
static inline uint64_t
tg_clock_now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

#endif
