/* SPDX-License-Identifier: MIT
 *
 * How much of a test of thousands of modules is worth its time.
 */
#ifndef TESTS_SHARE_H
#define TESTS_SHARE_H

#include <stdint.h>
#include <string.h>

#include "tungsten/base.h"

enum { SHARE_OF_SLOW = 50 };

/* As many as `count`; of executors by which LLVM compiles each module, for ten
 * milliseconds and more, a share, where it is the usual one. */
static inline uint64_t
share_of(uint64_t count)
{
   return strncmp(tg_executor_name(0), "jit", 3) == 0
             ? count / SHARE_OF_SLOW + 1
             : count;
}

#endif
