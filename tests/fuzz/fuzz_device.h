/* SPDX-License-Identifier: MIT
 *
 * The device of a fuzz target: one thread, so that inputs give the same paths
 * each time, and little memory.
 */
#ifndef TG_TESTS_FUZZ_DEVICE_H
#define TG_TESTS_FUZZ_DEVICE_H

#include <stdlib.h>

#include "tungsten/gpu.h"

/* Made at the first call, for all inputs of the process. */
static inline struct tg_device *
fuzz_device(void)
{
   static struct tg_device *device;
   struct tg_device_options options = TG_DEVICE_OPTIONS_INIT;

   options.num_threads = 1;
   options.max_memory = 64 << 20;
   if (!device && tg_device_create(NULL, &options, &device) != TG_OK)
      abort();
   return device;
}

#endif
