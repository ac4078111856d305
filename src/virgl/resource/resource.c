/* SPDX-License-Identifier: MIT
 *
 * Lifetime of the resources that a client creates; whether one lives in the
 * memory that is shared.
 */
#include "virgl/resource/resource.h"

#include <stdatomic.h>
#include <string.h>

#include "virgl/core/log.h"
#include "virgl/core/memory.h"
#include "virgl/resource/layout.h"
#include "virgl/wire/formats.h"

/* ---- creation and destruction -------------------------------------------- */

static struct tg_resource_desc
describe(const struct virgl_resource_desc *desc)
{
   const bool is_buffer = desc->target == TG_TEXTURE_BUFFER;

   return (struct tg_resource_desc){
      .size = sizeof(struct tg_resource_desc),
      .target = desc->target,
      .format = is_buffer ? 0 : virgl_format(desc->format),
      .width = desc->width,
      .height = desc->height,
      .depth = desc->depth,
      .layers = desc->array_size ? desc->array_size : 1,
      .last_level = desc->last_level,
      .samples = desc->num_samples ? desc->num_samples : 1,
   };
}

static void
release(struct virgl_memory *memory)
{
   if (memory->address && memory->release)
      memory->release(memory->user);
   *memory = (struct virgl_memory){0};
}

struct virgl_resource *
virgl_find_resource(const struct virgl_host *host, uint32_t handle)
{
   const struct virgl_handle *found =
      virgl_handles_find(&host->resources, handle);

   return found ? found->thing : NULL;
}

static void
destroy(struct virgl_host *host, struct virgl_resource *resource)
{
   tg_resource_destroy(resource->resource);
   release(&resource->memory);
   virgl_free(host, resource, sizeof(*resource));
}

/* Is it a target of the kind that clients read back, and hardly upload to:
 * windows, and renderbuffers? Observers see all that is drawn from; they could
 * not see what a client writes there. */
static bool
can_be_in_place(const struct virgl_host *host,
                const struct virgl_resource *resource)
{
   const struct virgl_resource_desc *desc = &resource->desc;

   return resource->memory.make_private && !host->options.observer &&
          desc->target == TG_TEXTURE_2D && desc->last_level == 0 &&
          desc->bind & VIRGL_BIND_RENDER_TARGET &&
          (desc->bind & VIRGL_BIND_DISPLAY_TARGET ||
           !(desc->bind & VIRGL_BIND_SAMPLER_VIEW));
}

/* In the shared memory, when the resource can be there. */
static bool
create_in_place(struct virgl_host *host, struct virgl_resource *resource,
                const struct tg_resource_desc *given)
{
   const struct tg_resource_memory place = {
      .size = sizeof(place),
      .address = resource->memory.address,
      .num_bytes = resource->memory.num_bytes,
      .release = resource->memory.release,
      .user = resource->memory.user,
   };

   if (!can_be_in_place(host, resource) ||
       tg_resource_create_from_memory(host->allocator, given, &place, NULL,
                                      &resource->resource) != TG_OK)
      return false;
   resource->memory.release = NULL;
   resource->is_in_place = true;
   return true;
}

/* Checks the rest of a description, and makes the resource, which takes the
 * memory. After an error the caller still has it. */
static enum tg_result
create(struct virgl_host *host, const struct virgl_resource_desc *desc,
       struct virgl_memory *memory, struct virgl_resource **resource_out)
{
   const struct tg_resource_desc given = describe(desc);
   struct virgl_resource *resource = virgl_alloc(host, sizeof(*resource));
   enum tg_result result = TG_OK;

   if (!resource)
      return TG_ERROR_MEMORY;
   *resource = (struct virgl_resource){
      .desc = *desc,
      .memory = *memory,
      .num_submits = host->num_submits,
   };
   if (!create_in_place(host, resource, &given))
      result = tg_resource_create(host->allocator, &given, host->diagnostics,
                                  &resource->resource);
   if (result == TG_OK) {
      *memory = (struct virgl_memory){0};
      *resource_out = resource;
      return TG_OK;
   }
   resource->memory = (struct virgl_memory){0};
   destroy(host, resource);
   return result;
}

static enum tg_result
create_with_handle(struct virgl_host *host, uint32_t handle,
                   const struct virgl_resource_desc *desc,
                   struct virgl_memory *memory)
{
   struct virgl_resource *resource = NULL;

   if (!handle || virgl_find_resource(host, handle)) {
      virgl_log(host, "resource %u: the handle is %s", handle,
                handle ? "in use" : "none");
      return TG_ERROR_INPUT;
   }
   if (!virgl_layout_is_bounded(desc)) {
      virgl_log(host,
                "resource %u: target %u, format %u, %u x %u x %u, %u layers, "
                "level %u, %u samples cannot be",
                handle, desc->target, desc->format, desc->width, desc->height,
                desc->depth, desc->array_size, desc->last_level,
                desc->num_samples);
      return TG_ERROR_INPUT;
   }
   enum tg_result result = create(host, desc, memory, &resource);
   if (result == TG_OK &&
       !virgl_handles_add(&host->resources, handle, 0, resource)) {
      destroy(host, resource);
      result = TG_ERROR_MEMORY;
   }
   if (result != TG_OK)
      virgl_log_failure(host, result, "resource %u", handle);
   return result;
}

enum tg_result
virgl_host_create_resource(struct virgl_host *host, uint32_t handle,
                           const struct virgl_resource_desc *desc,
                           const struct virgl_memory *memory)
{
   const struct virgl_observer *observer = host->options.observer;
   struct virgl_memory given = memory ? *memory : (struct virgl_memory){0};

   if (observer)
      observer->create_resource(observer->user, handle, desc, given.num_bytes);
   const enum tg_result result = create_with_handle(host, handle, desc, &given);

   release(&given);
   return result;
}

void
virgl_host_destroy_resource(struct virgl_host *host, uint32_t handle)
{
   const struct virgl_observer *observer = host->options.observer;
   struct virgl_handle *found = virgl_handles_find(&host->resources, handle);

   if (observer)
      observer->destroy_resource(observer->user, handle);
   if (!found)
      return;
   struct virgl_resource *resource = found->thing;
   virgl_handles_remove(&host->resources, found);
   destroy(host, resource);
}

/* ---- for commands -------------------------------------------------------- */

enum tg_result
virgl_get_resource(const struct virgl_call *call, uint32_t handle,
                   struct tg_resource **resource_out)
{
   const struct virgl_resource *found = virgl_find_resource(call->host, handle);

   *resource_out = found ? found->resource : NULL;
   if (handle && !found)
      return virgl_refuse_call(call, "there is no resource %u", handle);
   return TG_OK;
}

enum tg_result
virgl_resource_leave_shared(struct virgl_host *host,
                            struct virgl_resource *resource)
{
   struct virgl_memory *memory = &resource->memory;

   if (!resource->is_in_place)
      return TG_OK;
   tg_context_wait(host->context, resource->resource, TG_ACCESS_WRITE,
                   UINT64_MAX);
   void *shared = memory->make_private(memory->user);
   if (!shared)
      return TG_ERROR_MEMORY;
   memory->address = shared;
   resource->is_in_place = false;
   return TG_OK;
}

void
virgl_resource_write_shared(struct virgl_host *host, uint32_t handle,
                            const void *words, uint32_t num_bytes)
{
   const struct virgl_resource *found = virgl_find_resource(host, handle);

   if (!found || found->desc.target != TG_TEXTURE_BUFFER ||
       found->desc.width < num_bytes || !found->memory.address ||
       found->memory.num_bytes < num_bytes)
      return;
   const struct tg_box box = {.width = num_bytes, .height = 1, .depth = 1};
   _Atomic uint32_t *first = found->memory.address;
   tg_context_write(host->context, found->resource, 0, 0, &box, words, 0, 0);
   memcpy((char *)found->memory.address + 4, (const char *)words + 4,
          num_bytes - 4);
   atomic_store_explicit(first, *(const uint32_t *)words, memory_order_release);
}

void
virgl_resources_finish(struct virgl_host *host)
{
   for (uint32_t i = 0; i < host->resources.num_places; i++) {
      if (host->resources.places[i].number)
         destroy(host, host->resources.places[i].thing);
   }
   virgl_handles_finish(&host->resources);
}
