/* SPDX-License-Identifier: MIT
 *
 * Queries and epochs. Only the API thread is here; others add to the counters
 * of epochs, which stay where they are while a scene that does so is not done.
 */
#include "gpu/context/query.h"

#include <string.h>

#include "gpu/core/memory.h"
#include "gpu/queue/queue.h"
#include "util/diagnostics.h"

enum query_state {
   QUERY_NEW,
   QUERY_ACTIVE,
   QUERY_ENDED, /* the result may not be there yet */
   QUERY_DONE,
};

struct tg_query {
   struct tg_context *gpu;
   struct tg_query *next; /* of tg_context.queries */
   enum tg_query_type type;
   unsigned stream;
   enum query_state state;
   struct gpu_epoch *first, *end; /* epochs from the one up to the other */
   uint64_t last_scene;           /* that must be done */
   struct gpu_watch begun, ended; /* of times */
   union tg_query_result result;
};

/* ---- types --------------------------------------------------------------- */

struct type {
   const char *name;
   bool has_begin;  /* else end() is all there is */
   bool has_stream; /* is of one of them */
   bool counts;     /* needs epochs */
};

static const struct type types[] = {
   [TG_QUERY_OCCLUSION_COUNTER] = {"occlusion", true, false, true},
   [TG_QUERY_OCCLUSION_PREDICATE] = {"occlusion", true, false, true},
   [TG_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE] = {"occlusion", true, false,
                                                  true},
   [TG_QUERY_TIMESTAMP] = {"timestamp", false, false, false},
   [TG_QUERY_TIMESTAMP_DISJOINT] = {"timestamp", true, false, false},
   [TG_QUERY_TIME_ELAPSED] = {"time", true, false, false},
   [TG_QUERY_PRIMITIVES_GENERATED] = {"primitive", true, true, true},
   [TG_QUERY_PRIMITIVES_EMITTED] = {"primitive", true, true, true},
   [TG_QUERY_SO_STATISTICS] = {"stream output", true, true, true},
   [TG_QUERY_SO_OVERFLOW_PREDICATE] = {"stream output", true, true, true},
   [TG_QUERY_SO_OVERFLOW_ANY_PREDICATE] = {"stream output", true, false, true},
   [TG_QUERY_GPU_FINISHED] = {"finished", false, false, false},
   [TG_QUERY_PIPELINE_STATISTICS] = {"statistics", true, false, true},
};

enum { NUM_TYPES = sizeof(types) / sizeof(types[0]) };

/* ---- epochs -------------------------------------------------------------- */

/* The number that the scene which is being filled will have, or that of the
 * last: work so far is done when it is. */
static uint64_t
current_scene(const struct tg_context *gpu)
{
   return gpu_queue_last(gpu->queue) + (gpu->scene != NULL);
}

/* From now on draws add to a new epoch. TG_ERROR_MEMORY. */
static enum tg_result
begin_epoch(struct tg_context *gpu)
{
   void *memory = NULL;

   if (!gpu_grow(&gpu->allocator, &memory, 0, sizeof(struct gpu_epoch)))
      return TG_ERROR_MEMORY;
   memset(memory, 0, sizeof(struct gpu_epoch));
   gpu->epoch->last_scene = current_scene(gpu);
   gpu->epoch->next = memory;
   gpu->epoch = memory;
   return TG_OK;
}

/* Does a query count from this epoch on? */
static bool
is_needed(const struct tg_context *gpu, const struct gpu_epoch *epoch)
{
   for (const struct tg_query *q = gpu->queries; q; q = q->next) {
      if (q->first == epoch)
         return true;
   }
   return false;
}

/* Frees the oldest epochs, as far as they are done and nobody needs them. */
static void
drop_epochs(struct tg_context *gpu)
{
   const uint64_t done = gpu_queue_done(gpu->queue);
   struct gpu_epoch *epoch = gpu->oldest_epoch;

   while (epoch != gpu->epoch && epoch->last_scene <= done &&
          !is_needed(gpu, epoch)) {
      void *memory = epoch;

      for (unsigned i = 0; i < GPU_NUM_COUNTERS; i++)
         gpu->count[i] +=
            atomic_load_explicit(&epoch->count[i], memory_order_relaxed);
      gpu->oldest_epoch = epoch->next;
      gpu_grow(&gpu->allocator, &memory, sizeof(*epoch), 0);
      epoch = gpu->oldest_epoch;
   }
}

/* ---- results ------------------------------------------------------------- */

static uint64_t
sum(const struct tg_query *query, enum gpu_counter counter)
{
   uint64_t count = 0;

   for (const struct gpu_epoch *epoch = query->first; epoch != query->end;
        epoch = epoch->next)
      count +=
         atomic_load_explicit(&epoch->count[counter], memory_order_relaxed);
   return count;
}

static uint64_t
sum_stream(const struct tg_query *query, enum gpu_counter counter,
           unsigned stream)
{
   return sum(query, (enum gpu_counter)(counter + stream));
}

static bool
has_overflowed(const struct tg_query *query, unsigned stream)
{
   return sum_stream(query, GPU_COUNT_STREAM_NEEDED, stream) !=
          sum_stream(query, GPU_COUNT_STREAM_WRITTEN, stream);
}

static bool
has_any_overflowed(const struct tg_query *query)
{
   for (unsigned i = 0; i < TG_MAX_STREAMS; i++) {
      if (has_overflowed(query, i))
         return true;
   }
   return false;
}

static struct tg_pipeline_statistics
sum_pipeline(const struct tg_query *query)
{
   return (struct tg_pipeline_statistics){
      .ia_vertices = sum(query, GPU_COUNT_IA_VERTICES),
      .ia_primitives = sum(query, GPU_COUNT_IA_PRIMITIVES),
      .vs_invocations = sum(query, GPU_COUNT_VS_INVOCATIONS),
      .gs_invocations = sum(query, GPU_COUNT_GS_INVOCATIONS),
      .gs_primitives = sum(query, GPU_COUNT_GS_PRIMITIVES),
      .c_invocations = sum(query, GPU_COUNT_C_INVOCATIONS),
      .c_primitives = sum(query, GPU_COUNT_C_PRIMITIVES),
      .ps_invocations = sum(query, GPU_COUNT_PS_INVOCATIONS),
      .hs_invocations = sum(query, GPU_COUNT_HS_INVOCATIONS),
      .ds_invocations = sum(query, GPU_COUNT_DS_INVOCATIONS),
      .cs_invocations = sum(query, GPU_COUNT_CS_INVOCATIONS),
   };
}

static void
find_result(const struct tg_query *query, union tg_query_result *result)
{
   const unsigned stream = query->stream;

   switch (query->type) {
   case TG_QUERY_OCCLUSION_COUNTER:
      result->u64 = sum(query, GPU_COUNT_SAMPLES_PASSED);
      break;
   case TG_QUERY_OCCLUSION_PREDICATE:
   case TG_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
      result->b = sum(query, GPU_COUNT_SAMPLES_PASSED) != 0;
      break;
   case TG_QUERY_TIMESTAMP: result->u64 = query->ended.time; break;
   case TG_QUERY_TIMESTAMP_DISJOINT:
      result->timestamp_disjoint.frequency = 1000000000;
      break;
   case TG_QUERY_TIME_ELAPSED:
      result->u64 = query->ended.time - query->begun.time;
      break;
   case TG_QUERY_PRIMITIVES_GENERATED:
      result->u64 = sum_stream(query, GPU_COUNT_STREAM_GENERATED, stream);
      break;
   case TG_QUERY_PRIMITIVES_EMITTED:
      result->u64 = sum_stream(query, GPU_COUNT_STREAM_WRITTEN, stream);
      break;
   case TG_QUERY_SO_STATISTICS:
      result->so_statistics.num_primitives_written =
         sum_stream(query, GPU_COUNT_STREAM_WRITTEN, stream);
      result->so_statistics.primitives_storage_needed =
         sum_stream(query, GPU_COUNT_STREAM_NEEDED, stream);
      break;
   case TG_QUERY_SO_OVERFLOW_PREDICATE:
      result->b = has_overflowed(query, stream);
      break;
   case TG_QUERY_SO_OVERFLOW_ANY_PREDICATE:
      result->b = has_any_overflowed(query);
      break;
   case TG_QUERY_GPU_FINISHED: result->b = true; break;
   case TG_QUERY_PIPELINE_STATISTICS:
      result->pipeline_statistics = sum_pipeline(query);
      break;
   }
}

/* Finds all results that are there. */
static void
settle(struct tg_context *gpu)
{
   const uint64_t done = gpu_queue_done(gpu->queue);

   for (struct tg_query *q = gpu->queries; q; q = q->next) {
      if (q->state != QUERY_ENDED || q->last_scene > done)
         continue;
      memset(&q->result, 0, sizeof(q->result));
      find_result(q, &q->result);
      q->first = q->end = NULL;
      q->state = QUERY_DONE;
   }
   drop_epochs(gpu);
}

bool
tg_query_get_result(struct tg_query *query, bool wait,
                    union tg_query_result *result_out)
{
   struct tg_context *gpu = query->gpu;

   if (query->state == QUERY_NEW || query->state == QUERY_ACTIVE)
      return false;
   if (query->last_scene > gpu_queue_last(gpu->queue))
      gpu_flush_scene(gpu);
   if (wait)
      gpu_queue_wait(gpu->queue, query->last_scene);
   settle(gpu);
   if (query->state != QUERY_DONE)
      return false;
   *result_out = query->result;
   return true;
}

/* ---- life ---------------------------------------------------------------- */

enum tg_result
tg_query_create(struct tg_context *gpu, enum tg_query_type type, unsigned index,
                struct tg_diagnostics *diagnostics, struct tg_query **query_out)
{
   void *memory = NULL;

   if ((unsigned)type >= NUM_TYPES)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "there is no type of queries %u", (unsigned)type);
   if (index >= (types[type].has_stream ? TG_MAX_STREAMS : 1))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "there is no %s query %u", types[type].name, index);
   if (!gpu_grow(&gpu->allocator, &memory, 0, sizeof(struct tg_query)))
      return TG_ERROR_MEMORY;
   struct tg_query *query = memory;
   *query = (struct tg_query){
      .gpu = gpu,
      .next = gpu->queries,
      .type = type,
      .stream = index,
   };
   gpu->queries = query;
   *query_out = query;
   return TG_OK;
}

/* Forgets what the query has counted and waits for. */
static void
reset(struct tg_query *query)
{
   gpu_queue_unwatch(query->gpu->queue, &query->begun);
   gpu_queue_unwatch(query->gpu->queue, &query->ended);
   query->first = query->end = NULL;
   query->state = QUERY_NEW;
}

void
tg_query_destroy(struct tg_query *query)
{
   void *memory = query;

   if (!query)
      return;
   struct tg_context *gpu = query->gpu;
   struct tg_query **link = &gpu->queries;
   while (*link != query)
      link = &(*link)->next;
   *link = query->next;
   reset(query);
   if (gpu->state.condition == query)
      gpu->state.condition = NULL;
   drop_epochs(gpu);
   gpu_grow(&gpu->allocator, &memory, sizeof(*query), 0);
}

void
gpu_queries_destroy(struct tg_context *gpu)
{
   while (gpu->queries)
      tg_query_destroy(gpu->queries);
}

/* ---- begin and end ------------------------------------------------------- */

/* Notes when all work so far is done, which begins. */
static void
watch(struct tg_context *gpu, struct gpu_watch *watch)
{
   gpu_flush_scene(gpu);
   watch->scene = gpu_queue_last(gpu->queue);
   gpu_queue_watch(gpu->queue, watch);
}

enum tg_result
tg_query_begin(struct tg_query *query, struct tg_diagnostics *diagnostics)
{
   const struct type *type = &types[query->type];
   struct tg_context *gpu = query->gpu;

   if (!type->has_begin)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "a %s query has no beginning", type->name);
   if (query->state == QUERY_ACTIVE)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "the %s query has begun already", type->name);
   if (type->counts && begin_epoch(gpu) != TG_OK)
      return TG_ERROR_MEMORY;
   reset(query);
   settle(gpu);
   if (type->counts)
      query->first = gpu->epoch;
   else
      watch(gpu, &query->begun);
   query->state = QUERY_ACTIVE;
   return TG_OK;
}

enum tg_result
tg_query_end(struct tg_query *query, struct tg_diagnostics *diagnostics)
{
   const struct type *type = &types[query->type];
   struct tg_context *gpu = query->gpu;

   if (type->has_begin && query->state != QUERY_ACTIVE)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "the %s query has not begun", type->name);
   if (type->counts && begin_epoch(gpu) != TG_OK)
      return TG_ERROR_MEMORY;
   if (!type->has_begin)
      reset(query);
   if (type->counts)
      query->end = gpu->epoch;
   else
      watch(gpu, &query->ended);
   query->last_scene = current_scene(gpu);
   query->state = QUERY_ENDED;
   settle(gpu);
   return TG_OK;
}

/* ---- conditions ---------------------------------------------------------- */

bool
gpu_condition_holds(struct tg_context *gpu)
{
   static const union tg_query_result nothing;
   struct tg_query *query = gpu->state.condition;
   union tg_query_result result;

   if (!query || !tg_query_get_result(query, true, &result))
      return true;
   const bool has_counted = memcmp(&result, &nothing, sizeof(nothing)) != 0;
   return has_counted != gpu->state.condition_is_inverted;
}
