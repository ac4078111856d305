/* SPDX-License-Identifier: MIT
 *
 * Busy checks and waits: whether the work that was submitted is done, of a
 * fence of the client or of what uses a resource.
 */
#include "virgl/host/contexts.h"
#include "virgl/resource/resource.h"

/* Is all work done? Begins it. */
static bool
is_idle(struct virgl_host *host)
{
   struct tg_fence *fence;

   if (tg_context_flush(host->context, &fence) != TG_OK)
      return false;
   const bool is_done = tg_fence_wait(fence, 0);
   tg_fence_destroy(fence);
   if (is_done)
      host->num_done = host->num_submits;
   return is_done;
}

/* A client's fence is a resource that it makes: what was submitted before is to
 * be done, whatever it uses. When that is known to be, it is like any other. */
static bool
is_fence(const struct virgl_host *host, const struct virgl_resource *resource)
{
   return (resource->desc.bind & VIRGL_BIND_CUSTOM) &&
          resource->num_submits > host->num_done;
}

static bool
is_mentioned(const struct virgl_host *host, uint32_t handle)
{
   bool is_found = false;

   for (size_t i = 0; i < host->num_left && !is_found; i++)
      is_found = host->left[i] == handle;
   return is_found;
}

bool
virgl_host_is_unused(struct virgl_host *host, uint32_t handle)
{
   const struct virgl_resource *resource = virgl_find_resource(host, handle);

   return resource && !is_fence(host, resource) &&
          !is_mentioned(host, handle) &&
          !tg_context_is_busy(host->context, resource->resource,
                              TG_ACCESS_WRITE);
}

bool
virgl_host_is_busy(struct virgl_host *host, uint32_t handle)
{
   return !virgl_host_is_unused(host, handle) && !is_idle(host);
}

void
virgl_host_set_look(struct virgl_host *host, void (*look)(void *user),
                    void *user)
{
   host->look = look;
   host->look_user = user;
}

void
virgl_host_wait(struct virgl_host *host, uint32_t handle)
{
   const struct virgl_observer *observer = host->options.observer;

   (void)handle;
   if (observer)
      observer->wait(observer->user);
   virgl_context_finish_work(host->contexts.current);
   host->num_done = host->num_submits;
}

void
virgl_host_help(struct virgl_host *host, bool (*goes_on)(void *user),
                void *user)
{
   tg_context_help(host->context, goes_on, user);
}
