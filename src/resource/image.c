/* SPDX-License-Identifier: MIT
 *
 * Images of whole resources, and their bindless handles. view.c checks images.
 */
#include <assert.h>

#include "resource/bindings.h"

struct tg_image
tg_image_of(struct tg_resource *resource)
{
   assert(resource);
   if (resource_is_buffer(resource))
      return (struct tg_image){
         .resource = resource,
         .format = TG_FORMAT_R32_UINT,
         .size = resource->desc.width,
      };
   return (struct tg_image){
      .resource = resource,
      .format = resource->desc.format,
      .last_layer = resource_num_slices(resource, 0) - 1,
   };
}

uint64_t
tg_image_handle(unsigned place)
{
   return place < ABI_MAX_IMAGES ? ABI_HANDLE_IMAGE + place : 0;
}
