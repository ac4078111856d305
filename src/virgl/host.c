/* SPDX-License-Identifier: MIT
 *
 * Lifetime of a host, and its log.
 */
#include "virgl/host.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "util/memory.h"
#include "virgl/resource.h"

enum {
   DEFAULT_OBJECTS = 1 << 20,
   DEFAULT_CALL_SECONDS = 10,
   DEFAULT_LOG_LINES = 1000,
   MAX_LINE = 512, /* bytes of a line of the log */
};

/* ---- the log ------------------------------------------------------------- */

/* Without what a terminal could take for a command. */
static void
clean(char *line)
{
   for (char *at = line; *at; at++) {
      if ((unsigned char)*at < ' ' || *at == 0x7f)
         *at = '?';
   }
}

static void
log_line(struct virgl_host *host, char *line)
{
   const uint32_t most = host->options.max_log_lines;

   if (!host->options.log || host->num_log_lines > most)
      return;
   if (host->num_log_lines++ == most) {
      host->options.log(host->options.user,
                        "this client has had enough lines; no more of it");
      return;
   }
   clean(line);
   host->options.log(host->options.user, line);
}

void
virgl_log(struct virgl_host *host, const char *format, ...)
{
   char line[MAX_LINE];
   va_list args;

   va_start(args, format);
   vsnprintf(line, sizeof(line), format, args);
   va_end(args);
   log_line(host, line);
}

/* The first that is an error, or NULL. */
static const struct tg_diagnostic *
first_error(const struct tg_diagnostics *diagnostics)
{
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const struct tg_diagnostic *diagnostic =
         tg_diagnostics_get(diagnostics, i);

      if (diagnostic->severity == TG_SEVERITY_ERROR)
         return diagnostic;
   }
   return NULL;
}

void
virgl_log_failure(struct virgl_host *host, enum tg_result result,
                  const char *format, ...)
{
   const struct tg_diagnostic *error = first_error(host->diagnostics);
   char about[64];
   va_list args;

   va_start(args, format);
   vsnprintf(about, sizeof(about), format, args);
   va_end(args);
   if (!error)
      virgl_log(host, "%s: %s", about, tg_result_name(result));
   else if (error->line && error->source_line)
      virgl_log(host, "%s: line %u: %s: %s", about, error->line, error->message,
                error->source_line);
   else
      virgl_log(host, "%s: %s", about, error->message);
   tg_diagnostics_clear(host->diagnostics);
}

/* ---- memory -------------------------------------------------------------- */

void *
virgl_alloc(struct virgl_host *host, size_t size)
{
   return tg_alloc_zeroed(host->allocator, size);
}

void
virgl_free(struct virgl_host *host, void *memory, size_t size)
{
   host->allocator->resize(host->allocator->user, memory, size, 0);
}

/* ---- hosts --------------------------------------------------------------- */

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

/* ---- what was done ------------------------------------------------------- */

/* All members but the size are counters. */
void
virgl_add_statistics(struct tg_context_statistics *sum,
                     const struct tg_context *context)
{
   enum { FIRST = offsetof(struct tg_context_statistics, pipeline) };
   struct tg_context_statistics more = TG_CONTEXT_STATISTICS_INIT;

   tg_context_get_statistics(context, &more);
   for (size_t at = FIRST; at < sizeof(more); at += sizeof(uint64_t)) {
      uint64_t a, b;

      memcpy(&a, (char *)sum + at, sizeof(a));
      memcpy(&b, (char *)&more + at, sizeof(b));
      a += b;
      memcpy((char *)sum + at, &a, sizeof(a));
   }
}

void
virgl_host_get_statistics(const struct virgl_host *host,
                          struct tg_context_statistics *statistics_out)
{
   const struct virgl_contexts *contexts = &host->contexts;

   *statistics_out = host->statistics;
   virgl_add_statistics(statistics_out, contexts->first->context);
   for (uint32_t i = 0; i < contexts->others.num_places; i++) {
      const struct virgl_context *context = contexts->others.places[i].thing;

      if (contexts->others.places[i].number)
         virgl_add_statistics(statistics_out, context->context);
   }
}

/* ---- waiting ------------------------------------------------------------- */

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
