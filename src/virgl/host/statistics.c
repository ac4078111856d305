/* SPDX-License-Identifier: MIT
 *
 * Statistics of a host: the sums over all its sub-contexts, also those that are
 * gone.
 */
#include "virgl/host/statistics.h"

#include <stddef.h>
#include <string.h>

#include "virgl/core/host.h"

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
