/* SPDX-License-Identifier: MIT
 *
 * Lifetime of a host: its options, and the sub-contexts and resources that end
 * with it.
 */
#include "virgl/core/host.h"

#include "virgl/host/contexts.h"
#include "virgl/resource/resource.h"

enum {
   DEFAULT_OBJECTS = 1 << 20,
   DEFAULT_CALL_SECONDS = 10,
   DEFAULT_LOG_LINES = 1000,
};

static void
take_options(struct virgl_host *host, const struct virgl_host_options *options)
{
   host->options = *options;
   if (!options->max_objects)
      host->options.max_objects = DEFAULT_OBJECTS;
   if (!options->max_call_seconds)
      host->options.max_call_seconds = DEFAULT_CALL_SECONDS;
   if (!options->max_log_lines)
      host->options.max_log_lines = DEFAULT_LOG_LINES;
   host->profile = tg_device_get_profile(options->device);
   host->caps = (struct tg_caps)TG_CAPS_INIT;
   tg_device_get_caps(options->device, &host->caps);
}

enum tg_result
virgl_host_create(const struct virgl_host_options *options,
                  struct virgl_host **host_out)
{
   const struct tg_allocator *allocator =
      tg_device_get_allocator(options->device);
   struct virgl_host *host =
      allocator->resize(allocator->user, NULL, 0, sizeof(*host));

   if (!host)
      return TG_ERROR_MEMORY;
   *host = (struct virgl_host){
      .allocator = allocator,
      .resources.allocator = allocator,
      .statistics = TG_CONTEXT_STATISTICS_INIT,
   };
   take_options(host, options);
   host->diagnostics = tg_diagnostics_create(allocator);
   if (!host->diagnostics ||
       virgl_contexts_init(&host->contexts, host) != TG_OK) {
      virgl_host_destroy(host);
      return TG_ERROR_MEMORY;
   }
   *host_out = host;
   return TG_OK;
}

void
virgl_host_destroy(struct virgl_host *host)
{
   if (!host)
      return;

   const struct tg_allocator *allocator = host->allocator;
   virgl_contexts_finish(&host->contexts);
   virgl_resources_finish(host);
   tg_diagnostics_destroy(host->diagnostics);
   allocator->resize(allocator->user, host, sizeof(*host), 0);
}
