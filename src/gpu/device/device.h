/* SPDX-License-Identifier: MIT
 *
 * The device: what all contexts share. Any number of threads use it at once.
 */
#ifndef TG_GPU_DEVICE_H
#define TG_GPU_DEVICE_H

#include "exec/store.h"
#include "gpu/core/kernel.h"
#include "gpu/core/worker.h"
#include "util/quota.h"
#include "util/refcount.h"

struct tg_device {
   struct tg_refcount refs;
   struct tg_allocator base;      /* that the device itself comes from */
   struct tg_quota quota;         /* over it */
   struct tg_allocator allocator; /* of the quota: for all that is made */
   struct tg_device_options options;
   const struct exec_executor *executor;
   const char *executor_name;
   struct exec_cache kernels;
   struct exec_counters counters;
   struct tg_pool *pool;
   struct gpu_workers workers;
   _Atomic uint64_t next_shader_id;
};

/* Kernels of the device, whose making `work`, or NULL, pays for. */
struct gpu_compiler
gpu_device_compiler(struct tg_device *device, struct tg_work *work);

#endif
