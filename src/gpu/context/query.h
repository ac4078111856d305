/* SPDX-License-Identifier: MIT
 *
 * Queries: what draws between a beginning and an end have counted, and times.
 *
 * Counters belong to epochs. A query begins one and ends it with the next, and
 * its result is the sum over those between, once their scenes are done. Epochs
 * that no query needs are added to what the GPU has counted in all.
 */
#ifndef TG_GPU_QUERY_H
#define TG_GPU_QUERY_H

#include "gpu/context/context.h"

/* Conditional rendering: shall draws and the like happen? Waits for the query
 * that they depend on. One that has not been ended lets them. */
bool
gpu_query_condition_holds(struct tg_context *context);

/* Destroys all queries of a context, whose work is done. */
void
gpu_queries_destroy(struct tg_context *context);

#endif
