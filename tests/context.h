/* SPDX-License-Identifier: MIT
 *
 * A context with a device of its own, for tests that need no more.
 */
#ifndef TESTS_CONTEXT_H
#define TESTS_CONTEXT_H

#include "tungsten/gpu.h"

/* Options and allocator may be NULL. */
static inline enum tg_result
context_alone(const struct tg_allocator *allocator,
              const struct tg_device_options *device_options,
              const struct tg_context_options *options,
              struct tg_context **context_out)
{
   struct tg_device *device;
   enum tg_result result = tg_device_create(allocator, device_options, &device);

   if (result != TG_OK)
      return result;
   result = tg_context_create(device, options, context_out);
   tg_device_destroy(device);
   return result;
}

#endif
