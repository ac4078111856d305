/* SPDX-License-Identifier: MIT
 *
 * Queries and epochs. Only the API thread is here; others add to the counters
 * of epochs, which stay where they are while a scene that does so is not done.
 */
#include "gpu/context/query.h"

#include <assert.h>
#include <string.h>

#include "gpu/core/grow.h"
#include "gpu/queue/queue.h"
#include "util/diagnostics.h"
#include "util/length.h"

enum query_state {
   QUERY_NEW,
   QUERY_ACTIVE,
   QUERY_ENDED, /* the result may not be there yet */
   QUERY_DONE,
};

struct tg_query {
   struct tg_context *context;
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

enum {
   NUM_PIPELINE_STATISTICS =
      sizeof(struct tg_pipeline_statistics) / sizeof(uint64_t),
};

struct type {
   const char *name;
   bool has_begin;     /* else end() is all there is */
   bool has_stream;    /* is of one of them */
   bool counts;        /* needs epochs */
   uint8_t num_values; /* of the result */
};

static const struct type types[] = {
   [TG_QUERY_OCCLUSION_COUNTER] = {"occlusion", true, false, true, 1},
   [TG_QUERY_OCCLUSION_PREDICATE] = {"occlusion", true, false, true, 1},
   [TG_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE] = {"occlusion", true, false,
                                                  true, 1},
   [TG_QUERY_TIMESTAMP] = {"timestamp", false, false, false, 1},
   [TG_QUERY_TIMESTAMP_DISJOINT] = {"timestamp", true, false, false, 2},
   [TG_QUERY_TIME_ELAPSED] = {"time", true, false, false, 1},
   [TG_QUERY_PRIMITIVES_GENERATED] = {"primitive", true, true, true, 1},
   [TG_QUERY_PRIMITIVES_EMITTED] = {"primitive", true, true, true, 1},
   [TG_QUERY_SO_STATISTICS] = {"stream output", true, true, true, 2},
   [TG_QUERY_SO_OVERFLOW_PREDICATE] = {"stream output", true, true, true, 1},
   [TG_QUERY_SO_OVERFLOW_ANY_PREDICATE] = {"stream output", true, false, true,
                                           1},
   [TG_QUERY_GPU_FINISHED] = {"finished", false, false, false, 1},
   [TG_QUERY_PIPELINE_STATISTICS] = {"statistics", true, false, true,
                                     NUM_PIPELINE_STATISTICS},
};

enum { NUM_TYPES = sizeof(types) / sizeof(types[0]) };

/* ---- epochs -------------------------------------------------------------- */

/* The number that the scene which is being filled will have, or that of the
 * last: work so far is done when it is. */
static uint64_t
current_scene(const struct tg_context *context)
{
   return gpu_queue_last(context->queue) + (context->scene != NULL);
}

/* From now on draws add to a new epoch. TG_ERROR_MEMORY. */
static enum tg_result
begin_epoch(struct tg_context *context)
{
   void *memory = NULL;

   if (!gpu_grow(context->allocator, &memory, 0, sizeof(struct gpu_epoch)))
      return TG_ERROR_MEMORY;
   memset(memory, 0, sizeof(struct gpu_epoch));
   if (context->caller)
      gpu_worker_count_own(context->caller, context->epoch);
   context->epoch->last_scene = current_scene(context);
   context->epoch->next = memory;
   context->epoch = memory;
   gpu_state_changed(&context->state);
   return TG_OK;
}

/* Does a query count from this epoch on? */
static bool
is_needed(const struct tg_context *context, const struct gpu_epoch *epoch)
{
   for (const struct tg_query *q = context->queries; q; q = q->next) {
      if (q->first == epoch)
         return true;
   }
   return false;
}

/* Frees the oldest epochs, as far as they are done and not needed. */
static void
drop_epochs(struct tg_context *context)
{
   const uint64_t done = gpu_queue_done(context->queue);
   struct gpu_epoch *epoch = context->oldest_epoch;

   while (epoch != context->epoch && epoch->last_scene <= done &&
          !is_needed(context, epoch)) {
      void *memory = epoch;

      for (unsigned i = 0; i < GPU_NUM_COUNTERS; i++)
         context->count[i] += gpu_epoch_get(epoch, (enum gpu_counter)i);
      context->oldest_epoch = epoch->next;
      gpu_grow(context->allocator, &memory, sizeof(*epoch), 0);
      epoch = context->oldest_epoch;
   }
}

/* ---- results ------------------------------------------------------------- */

static uint64_t
sum(const struct tg_query *query, enum gpu_counter counter)
{
   uint64_t count = 0;

   for (const struct gpu_epoch *epoch = query->first; epoch != query->end;
        epoch = epoch->next)
      count += gpu_epoch_get(epoch, counter);
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
settle(struct tg_context *context)
{
   const uint64_t done = gpu_queue_done(context->queue);

   for (struct tg_query *q = context->queries; q; q = q->next) {
      if (q->state != QUERY_ENDED || q->last_scene > done)
         continue;
      memset(&q->result, 0, sizeof(q->result));
      find_result(q, &q->result);
      q->first = q->end = NULL;
      q->state = QUERY_DONE;
   }
   drop_epochs(context);
}

bool
tg_query_get_result(struct tg_query *query, bool wait,
                    union tg_query_result *result_out)
{
   assert(query);
   assert(result_out);
   struct tg_context *context = query->context;

   if (query->state == QUERY_NEW || query->state == QUERY_ACTIVE)
      return false;
   if (query->last_scene > gpu_queue_last(context->queue))
      gpu_flush_scene(context);
   if (wait)
      gpu_queue_wait(context->queue, query->last_scene);
   settle(context);
   if (query->state != QUERY_DONE)
      return false;
   *result_out = query->result;
   return true;
}

/* ---- results in buffers -------------------------------------------------- */

/* A member of a result, in the order of union tg_query_result. */
static uint64_t
value_of(const struct tg_query *query, int index)
{
   const union tg_query_result *result = &query->result;
   uint64_t statistics[NUM_PIPELINE_STATISTICS];

   switch (query->type) {
   case TG_QUERY_OCCLUSION_PREDICATE:
   case TG_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
   case TG_QUERY_SO_OVERFLOW_PREDICATE:
   case TG_QUERY_SO_OVERFLOW_ANY_PREDICATE:
   case TG_QUERY_GPU_FINISHED: return result->b;
   case TG_QUERY_TIMESTAMP_DISJOINT:
      return index ? result->timestamp_disjoint.disjoint
                   : result->timestamp_disjoint.frequency;
   case TG_QUERY_SO_STATISTICS:
      return index ? result->so_statistics.primitives_storage_needed
                   : result->so_statistics.num_primitives_written;
   case TG_QUERY_PIPELINE_STATISTICS:
      memcpy(statistics, &result->pipeline_statistics, sizeof(statistics));
      assert((unsigned)index < TG_LENGTH(statistics));
      return statistics[index];
   default: return result->u64;
   }
}

static uint64_t
at_most(uint64_t value, uint64_t most)
{
   return value < most ? value : most;
}

/* Its bytes, as many as the type has. */
static uint32_t
pack_value(uint64_t value, enum tg_query_value type, uint8_t bytes[8])
{
   const bool is_long =
      type == TG_QUERY_VALUE_I64 || type == TG_QUERY_VALUE_U64;
   const bool is_signed =
      type == TG_QUERY_VALUE_I32 || type == TG_QUERY_VALUE_I64;
   const uint64_t most = is_long ? UINT64_MAX : UINT32_MAX;
   const uint64_t held = at_most(value, is_signed ? most >> 1 : most);
   const uint32_t size = is_long ? 8 : 4;

   for (uint32_t i = 0; i < size; i++)
      bytes[i] = (uint8_t)(held >> 8 * i);
   return size;
}

static enum tg_result
check_value(const struct tg_query *query, enum tg_query_value type, int index,
            struct tg_diagnostics *diagnostics)
{
   const struct type *info = &types[query->type];

   if ((unsigned)type > TG_QUERY_VALUE_U64)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "a result is not written as type %u", (unsigned)type);
   if (index < TG_QUERY_AVAILABLE || index >= (int)info->num_values)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "the %s query has no result %d", info->name, index);
   if (index != TG_QUERY_AVAILABLE &&
       (query->state == QUERY_NEW || query->state == QUERY_ACTIVE))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "the %s query has not been ended", info->name);
   return TG_OK;
}

static enum tg_result
check_place(const struct tg_resource *buffer, uint32_t offset, uint32_t size,
            struct tg_diagnostics *diagnostics)
{
   if (!buffer || tg_resource_get_desc(buffer)->target != TG_TEXTURE_BUFFER)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "a result is written to a buffer");
   const uint64_t num_bytes = tg_resource_get_size(buffer);
   if (offset % 4 || offset > num_bytes || size > num_bytes - offset)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "a result of %u bytes at byte %u; expected whole "
                         "words of a buffer of %llu bytes",
                         size, offset, (unsigned long long)num_bytes);
   return TG_OK;
}

static enum tg_result
write_result(struct tg_query *query, bool wait, enum tg_query_value type,
             int index, struct tg_resource *buffer, uint32_t offset,
             struct tg_diagnostics *diagnostics)
{
   struct tg_context *context = query->context;
   union tg_query_result unused;
   uint8_t bytes[8];
   enum tg_result result = check_value(query, type, index, diagnostics);

   if (result == TG_OK)
      result =
         check_place(buffer, offset, pack_value(0, type, bytes), diagnostics);
   if (result == TG_OK)
      result = gpu_fault_charge(&context->life, GPU_WORK_CALL, diagnostics);
   if (result != TG_OK)
      return result;
   const bool is_there = tg_query_get_result(query, wait, &unused);
   if (!is_there && index != TG_QUERY_AVAILABLE)
      return TG_OK;
   const uint64_t value =
      index == TG_QUERY_AVAILABLE ? is_there : value_of(query, index);
   const struct tg_box box = {offset, 0, 0, pack_value(value, type, bytes),
                              1,      1};
   gpu_wait_for(context, buffer, GPU_WRITES);
   return tg_resource_write(buffer, 0, 0, &box, bytes, 0, 0);
}

enum tg_result
tg_query_write_result(struct tg_query *query, bool wait,
                      enum tg_query_value type, int index,
                      struct tg_resource *buffer, uint32_t offset,
                      struct tg_diagnostics *diagnostics)
{
   assert(query);
   gpu_context_begin_call(query->context, TG_CALL_WRITE);
   return gpu_context_end_call(
      query->context, NULL,
      write_result(query, wait, type, index, buffer, offset, diagnostics));
}

/* ---- life ---------------------------------------------------------------- */

enum tg_result
tg_query_create(struct tg_context *context, enum tg_query_type type,
                unsigned index, struct tg_diagnostics *diagnostics,
                struct tg_query **query_out)
{
   assert(context);
   assert(query_out);
   void *memory = NULL;

   if ((unsigned)type >= NUM_TYPES)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "there is no type of queries %u", (unsigned)type);
   if (index >= (types[type].has_stream ? TG_MAX_STREAMS : 1))
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "there is no %s query %u", types[type].name, index);
   if (!gpu_grow(context->allocator, &memory, 0, sizeof(struct tg_query)))
      return TG_ERROR_MEMORY;
   struct tg_query *query = memory;
   *query = (struct tg_query){
      .context = context,
      .next = context->queries,
      .type = type,
      .stream = index,
   };
   context->queries = query;
   *query_out = query;
   return TG_OK;
}

/* Forgets what the query has counted and waits for. */
static void
reset(struct tg_query *query)
{
   gpu_queue_unwatch(query->context->queue, &query->begun);
   gpu_queue_unwatch(query->context->queue, &query->ended);
   query->first = query->end = NULL;
   query->state = QUERY_NEW;
}

void
tg_query_destroy(struct tg_query *query)
{
   void *memory = query;

   if (!query)
      return;
   struct tg_context *context = query->context;
   struct tg_query **link = &context->queries;
   while (*link != query)
      link = &(*link)->next;
   *link = query->next;
   reset(query);
   if (context->state.condition == query)
      context->state.condition = NULL;
   drop_epochs(context);
   gpu_grow(context->allocator, &memory, sizeof(*query), 0);
}

void
gpu_queries_destroy(struct tg_context *context)
{
   while (context->queries)
      tg_query_destroy(context->queries);
}

/* ---- begin and end ------------------------------------------------------- */

/* Notes when all work so far is done, which begins. */
static void
watch(struct tg_context *context, struct gpu_watch *watch)
{
   gpu_flush_scene(context);
   watch->scene = gpu_queue_last(context->queue);
   gpu_queue_watch(context->queue, watch);
}

enum tg_result
tg_query_begin(struct tg_query *query, struct tg_diagnostics *diagnostics)
{
   assert(query);
   const struct type *type = &types[query->type];
   struct tg_context *context = query->context;

   if (!type->has_begin)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "a %s query has no beginning", type->name);
   if (query->state == QUERY_ACTIVE)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "the %s query has begun already", type->name);
   if (type->counts && begin_epoch(context) != TG_OK)
      return TG_ERROR_MEMORY;
   reset(query);
   settle(context);
   if (type->counts)
      query->first = context->epoch;
   else
      watch(context, &query->begun);
   query->state = QUERY_ACTIVE;
   return TG_OK;
}

enum tg_result
tg_query_end(struct tg_query *query, struct tg_diagnostics *diagnostics)
{
   assert(query);
   const struct type *type = &types[query->type];
   struct tg_context *context = query->context;

   if (type->has_begin && query->state != QUERY_ACTIVE)
      return tg_complain(diagnostics, TG_ERROR_INPUT, "query",
                         "the %s query has not begun", type->name);
   if (type->counts && begin_epoch(context) != TG_OK)
      return TG_ERROR_MEMORY;
   if (!type->has_begin)
      reset(query);
   if (type->counts)
      query->end = context->epoch;
   else
      watch(context, &query->ended);
   query->last_scene = current_scene(context);
   query->state = QUERY_ENDED;
   settle(context);
   return TG_OK;
}

/* ---- conditions ---------------------------------------------------------- */

bool
gpu_query_condition_holds(struct tg_context *context)
{
   static const union tg_query_result nothing;
   struct tg_query *query = context->state.condition;
   union tg_query_result result;

   if (!query || !tg_query_get_result(query, true, &result))
      return true;
   const bool has_counted = memcmp(&result, &nothing, sizeof(nothing)) != 0;
   return has_counted != context->state.condition_is_inverted;
}
