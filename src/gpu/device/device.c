/* SPDX-License-Identifier: MIT
 *
 * Lifetime of devices. Contexts and shaders hold references, so the last of
 * them that goes takes the device along.
 */
#include "gpu/device/device.h"

#include <assert.h>
#include <string.h>

#include "exec/store/folder.h"
#include "gpu/core/grow.h"
#include "util/sized.h"

/* Bytes of batches that are kept for the next ones: those of a full scene, but
 * no large part of what the device may have. */
static size_t
most_recycled(const struct tg_device *device)
{
   const uint64_t part = device->options.max_memory / 8;
   const size_t most = (size_t)64 << 20;
   return part && part < most ? (size_t)part : most;
}

static enum tg_result
create_parts(struct tg_device *device)
{
   const struct tg_allocator *allocator = &device->allocator;
   const unsigned num_threads =
      device->options.check ? 1 : device->options.num_threads;
   enum tg_result result =
      tg_pool_create(allocator, num_threads, &device->pool);
   if (result == TG_OK)
      result = gpu_workers_init(&device->workers, allocator, device->pool,
                                device->options.profile, most_recycled(device));
   return result;
}

static void
destroy(struct tg_device *device)
{
   const struct tg_allocator base = device->base;
   void *memory = device;
   tg_pool_destroy(device->pool);
   gpu_workers_finish(&device->workers);
   exec_cache_finish(&device->kernels);
   gpu_grow(&base, &memory, sizeof(*device), 0);
}

/* The caller's string may go. */
static const char *
name_executor(const char *name)
{
   unsigned number = 0;
   while (name && strcmp(name, tg_executor_name(number)) != 0)
      number++;
   return tg_executor_name(number);
}

enum tg_result
tg_device_create(const struct tg_allocator *allocator,
                 const struct tg_device_options *given,
                 struct tg_device **device_out)
{
   assert(device_out);
   struct tg_device_options options;
   void *memory = NULL;
   if (!allocator)
      allocator = tg_default_allocator();
   if (tg_device_options_take(&options, given, NULL) != TG_OK ||
       options.num_threads > TG_MAX_DEVICE_THREADS ||
       !exec_find_executor(options.executor))
      return TG_ERROR_INPUT;
   if (!gpu_grow(allocator, &memory, 0, sizeof(struct tg_device)))
      return TG_ERROR_MEMORY;
   struct tg_device *device = memory;
   *device = (struct tg_device){
      .refs = TG_REFCOUNT_INIT,
      .base = *allocator,
      .options = options,
      .executor = exec_find_executor(options.executor),
      .executor_name = name_executor(options.executor),
   };
   tg_quota_init(&device->quota, &device->base,
                 options.max_memory ? options.max_memory : UINT64_MAX);
   device->allocator = device->quota.allocator;
   enum tg_result result =
      exec_cache_init(&device->kernels, &device->allocator);
   if (result != TG_OK) {
      gpu_grow(allocator, &memory, sizeof(*device), 0);
      return result;
   }
   result = create_parts(device);
   if (result != TG_OK) {
      destroy(device);
      return result;
   }
   *device_out = device;
   return TG_OK;
}

struct tg_device *
tg_device_ref(struct tg_device *device)
{
   if (device)
      tg_refcount_add(&device->refs);
   return device;
}

void
tg_device_destroy(struct tg_device *device)
{
   if (device && tg_refcount_drop(&device->refs))
      destroy(device);
}

const char *
tg_device_get_executor(const struct tg_device *device)
{
   assert(device);
   return device->executor_name;
}

const struct tg_allocator *
tg_device_get_allocator(const struct tg_device *device)
{
   assert(device);
   return &device->allocator;
}

uint64_t
tg_device_get_memory(const struct tg_device *device, uint64_t *peak_out)
{
   assert(device);
   if (peak_out)
      *peak_out = atomic_load(&device->quota.peak);
   return atomic_load(&device->quota.held);
}

unsigned
tg_device_num_threads(const struct tg_device *device)
{
   assert(device);
   return tg_pool_num_threads(device->pool);
}

struct tg_code_cache *
tg_device_get_code_cache(const struct tg_device *device)
{
   assert(device);
   return device->options.code_cache;
}

struct tg_profile *
tg_device_get_profile(const struct tg_device *device)
{
   assert(device);
   return device->options.profile;
}

enum tg_result
tg_device_get_code_statistics(const struct tg_device *device,
                              struct tg_code_statistics *statistics_out)
{
   assert(device);
   assert(statistics_out);
   const struct exec_counters *counters = &device->counters;
   const struct tg_code_statistics statistics = {
      .compiled = atomic_load(&counters->compiled),
      .loaded = atomic_load(&counters->loaded),
      .shared = atomic_load(&counters->shared),
      .seconds = 1e-9 * (double)atomic_load(&counters->nanoseconds),
      .refused = atomic_load(&counters->refused),
   };

   return tg_code_statistics_give(&statistics, statistics_out);
}

struct gpu_compiler
gpu_device_compiler(struct tg_device *device, struct tg_work *work)
{
   return (struct gpu_compiler){
      .allocator = &device->allocator,
      .exec =
         {
            .allocator = &device->allocator,
            .executor = device->executor,
            .work = work,
            .verify_each = device->options.verify_each,
            .print = device->options.print_kernel,
            .print_user = device->options.print_user,
            .store = exec_cache_store(device->options.code_cache),
            .counters = &device->counters,
            .profile = device->options.profile,
         },
      .cache = &device->kernels,
      .check = device->options.check,
   };
}
