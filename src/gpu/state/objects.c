/* SPDX-License-Identifier: MIT
 *
 * State objects: their memory and references.
 */
#include "gpu/state/objects.h"

#include <string.h>

#include "gpu/core/grow.h"
#include "gpu/device/device.h"

void *
gpu_object_create(struct tg_device *device, const void *object, size_t size)
{
   void *memory = NULL;
   if (!gpu_grow(&device->allocator, &memory, 0, size))
      return NULL;
   memcpy(memory, object, size);
   *(struct gpu_object *)memory = (struct gpu_object){
      .refs = TG_REFCOUNT_INIT,
      .device = tg_device_ref(device),
   };
   return memory;
}

void
gpu_object_ref(struct gpu_object *object)
{
   if (object->device)
      tg_refcount_add(&object->refs);
}

void
gpu_object_drop(const struct gpu_object *constant, size_t size)
{
   struct tg_device *device = constant->device;
   if (!device)
      return;
   struct gpu_object *object = (struct gpu_object *)constant;
   void *memory = object;
   if (!tg_refcount_drop(&object->refs))
      return;
   gpu_grow(&device->allocator, &memory, size, 0);
   tg_device_destroy(device);
}
