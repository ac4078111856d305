/* SPDX-License-Identifier: MIT
 *
 * Queries. A result that is asked for is written when the commands that came
 * with it have been read, so that what is drawn goes on meanwhile.
 */
#include "virgl/object/query.h"

#include <assert.h>
#include <string.h>

#include "util/length.h"
#include "virgl/core/memory.h"
#include "virgl/object/object.h"
#include "virgl/resource/resource.h"

struct virgl_query {
   struct tg_query *query;
   uint32_t type;     /* a row of `types` */
   uint32_t index;    /* of a stream, or of a member of the statistics */
   uint32_t resource; /* its handle */
   bool is_asked_for; /* is in the list of its context */
   struct virgl_query *next;
};

enum value { VALUE_COUNT, VALUE_TRUTH, VALUE_TIME, VALUE_STATISTIC };

/* By the numbers of the wire; one without a value is not offered. */
static const struct type {
   bool is_offered;
   enum tg_query_type type;
   enum value value;
} types[] = {
   {true, TG_QUERY_OCCLUSION_COUNTER, VALUE_COUNT},
   {true, TG_QUERY_OCCLUSION_PREDICATE, VALUE_TRUTH},
   {true, TG_QUERY_TIMESTAMP, VALUE_TIME},
   {false},
   {true, TG_QUERY_TIME_ELAPSED, VALUE_TIME},
   {true, TG_QUERY_PRIMITIVES_GENERATED, VALUE_COUNT},
   {true, TG_QUERY_PRIMITIVES_EMITTED, VALUE_COUNT},
   {false},
   {true, TG_QUERY_SO_OVERFLOW_PREDICATE, VALUE_TRUTH},
   {true, TG_QUERY_GPU_FINISHED, VALUE_TRUTH},
   {true, TG_QUERY_PIPELINE_STATISTICS, VALUE_STATISTIC},
   {true, TG_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE, VALUE_TRUTH},
   {true, TG_QUERY_SO_OVERFLOW_ANY_PREDICATE, VALUE_TRUTH},
};

enum {
   NUM_TYPES = sizeof(types) / sizeof(types[0]),
   NUM_STATISTICS = sizeof(struct tg_pipeline_statistics) / sizeof(uint64_t),
};

static bool
is_statistic(const struct virgl_query *query)
{
   return types[query->type].value == VALUE_STATISTIC;
}

/* ---- objects ------------------------------------------------------------- */

enum tg_result
virgl_create_query(const struct virgl_call *call, void **thing_out)
{
   const uint32_t type = virgl_bits(call->words[2], 0, 16);
   const uint32_t index = virgl_bits(call->words[2], 16, 16);

   if (type >= NUM_TYPES || !types[type].is_offered)
      return virgl_refuse_call(call, "there are no queries of type %u", type);
   const bool is_one_of_many = types[type].value == VALUE_STATISTIC;
   if (is_one_of_many && index >= NUM_STATISTICS)
      return virgl_refuse_call(call, "there is no statistic %u", index);
   struct virgl_query *query = virgl_alloc(call->host, sizeof(*query));
   if (!query)
      return TG_ERROR_MEMORY;
   const enum tg_result result = tg_query_create(
      call->context->context, types[type].type, is_one_of_many ? 0 : index,
      call->diagnostics, &query->query);
   if (result != TG_OK) {
      virgl_free(call->host, query, sizeof(*query));
      return result;
   }
   query->type = type;
   query->index = index;
   query->resource = call->words[4];
   *thing_out = query;
   return TG_OK;
}

void
virgl_drop_query(struct virgl_context *context, void *thing)
{
   struct virgl_query *query = thing;
   struct virgl_query **link = &context->results;

   while (*link && *link != query)
      link = &(*link)->next;
   if (*link)
      *link = query->next;
   tg_query_destroy(query->query);
   virgl_free(context->host, query, sizeof(*query));
}

/* ---- results ------------------------------------------------------------- */

/* Its members are in the order of the wire's numbers. */
static uint64_t
statistic_of(const union tg_query_result *result, uint32_t index)
{
   uint64_t members[NUM_STATISTICS];

   memcpy(members, &result->pipeline_statistics, sizeof(members));
   assert(index < TG_LENGTH(members));
   return members[index];
}

static uint64_t
value_of(const struct virgl_query *query)
{
   union tg_query_result result = {.u64 = 0};

   if (!tg_query_get_result(query->query, true, &result))
      return 0;
   switch (types[query->type].value) {
   case VALUE_TRUTH: return result.b;
   case VALUE_STATISTIC: return statistic_of(&result, query->index);
   default: return result.u64;
   }
}

/* The state is written last: then the client reads the rest. */
static void
write_result(struct virgl_context *context, const struct virgl_query *query)
{
   const enum value value = types[query->type].value;
   const bool is_wide = value == VALUE_TIME || value == VALUE_STATISTIC;
   struct virgl_query_memory memory = {
      .state = VIRGL_QUERY_DONE,
      .result_size = is_wide ? 8 : 4,
      .result = value_of(query),
   };

   if (memory.result_size == 4)
      memory.result = (uint32_t)memory.result;
   virgl_resource_write_shared(context->host, query->resource, &memory,
                               sizeof(memory));
}

void
virgl_write_query_results(struct virgl_context *context)
{
   while (context->results) {
      struct virgl_query *query = context->results;

      context->results = query->next;
      query->is_asked_for = false;
      write_result(context, query);
   }
}

/* ---- commands ------------------------------------------------------------ */

static struct virgl_query *
find_query(const struct virgl_call *call)
{
   struct virgl_query *query =
      virgl_find_object(call->context, call->words[1], VIRGL_OBJECT_QUERY);

   if (!query)
      virgl_refuse_call(call, "there is no query %u", call->words[1]);
   return query;
}

enum tg_result
virgl_do_begin_query(const struct virgl_call *call)
{
   struct virgl_query *query = find_query(call);

   if (!query)
      return TG_ERROR_INPUT;
   if (query->is_asked_for)
      virgl_write_query_results(call->context);
   return tg_query_begin(query->query, call->diagnostics);
}

enum tg_result
virgl_do_end_query(const struct virgl_call *call)
{
   struct virgl_query *query = find_query(call);

   if (!query)
      return TG_ERROR_INPUT;
   if (query->is_asked_for)
      virgl_write_query_results(call->context);
   return tg_query_end(query->query, call->diagnostics);
}

enum tg_result
virgl_do_get_query_result(const struct virgl_call *call)
{
   struct virgl_query *query = find_query(call);

   if (!query)
      return TG_ERROR_INPUT;
   if (query->is_asked_for)
      return TG_OK;
   query->is_asked_for = true;
   query->next = call->context->results;
   call->context->results = query;
   return TG_OK;
}

enum tg_result
virgl_do_write_query_result(const struct virgl_call *call)
{
   const uint32_t *words = call->words;
   const struct virgl_query *query = find_query(call);
   struct tg_resource *buffer;

   if (!query)
      return TG_ERROR_INPUT;
   const enum tg_result result = virgl_get_resource(call, words[2], &buffer);
   if (result != TG_OK)
      return result;
   if (words[4] > TG_QUERY_VALUE_U64)
      return virgl_refuse_call(call, "there is no result type %u", words[4]);
   const bool is_value = (int)words[6] >= 0; /* and not whether there is one */
   const int index =
      is_value && is_statistic(query) ? (int)query->index : (int)words[6];
   return tg_query_write_result(query->query, words[3],
                                (enum tg_query_value)words[4], index, buffer,
                                words[5], call->diagnostics);
}

enum tg_result
virgl_do_set_condition(const struct virgl_call *call)
{
   const struct virgl_query *query = NULL;

   if (call->words[1])
      query = find_query(call);
   tg_context_set_condition(call->context->context, query ? query->query : NULL,
                            call->words[2]);
   return call->words[1] && !query ? TG_ERROR_INPUT : TG_OK;
}
