/* SPDX-License-Identifier: MIT
 *
 * Lifetime of sub-contexts: made, made current and destroyed.
 */
#include "virgl/host/contexts.h"

#include "virgl/core/log.h"
#include "virgl/core/memory.h"
#include "virgl/host/statistics.h"
#include "virgl/object/object.h"
#include "virgl/object/query.h"
#include "virgl/object/shader.h"

enum { MAX_CONTEXTS = 1024 };

/* ---- one ----------------------------------------------------------------- */

static void
destroy_context(struct virgl_context *context)
{
   if (!context)
      return;
   if (context->context) {
      virgl_context_finish_work(context);
      virgl_add_statistics(&context->host->statistics, context->context);
   }
   virgl_shader_text_finish(context);
   virgl_objects_finish(context);
   for (unsigned i = 0; i < VIRGL_NUM_STAGES; i++) {
      virgl_shader_unref(context->host, context->shaders[i]);
      tg_bindings_destroy(context->bindings[i]);
   }
   tg_resource_destroy(context->index_buffer.resource);
   tg_context_destroy(context->context);
   virgl_free(context->host, context, sizeof(*context));
}

static enum tg_result
create_bindings(struct virgl_context *context)
{
   const struct tg_allocator *allocator = context->host->allocator;
   enum tg_result result = TG_OK;

   for (unsigned i = 0; i < VIRGL_NUM_STAGES && result == TG_OK; i++) {
      result = tg_bindings_create(allocator, &context->bindings[i]);
      if (result == TG_OK && i != VIRGL_STAGE_COMPUTE)
         tg_context_set_bindings(context->context, (enum tg_gpu_stage)i,
                                 context->bindings[i]);
   }
   return result;
}

static enum tg_result
create_context(struct virgl_host *host, uint32_t number,
               struct virgl_context **context_out)
{
   struct virgl_context *context = virgl_alloc(host, sizeof(*context));
   if (!context)
      return TG_ERROR_MEMORY;
   context->host = host;
   context->number = number;
   context->objects.allocator = host->allocator;
   struct tg_context_options options = TG_CONTEXT_OPTIONS_INIT;
   options.max_call_seconds = host->options.max_call_seconds;
   enum tg_result result =
      tg_context_create(host->options.device, &options, &context->context);

   if (result == TG_OK)
      result = create_bindings(context);
   if (result == TG_OK)
      *context_out = context;
   else
      destroy_context(context);
   return result;
}

void
virgl_context_finish_work(struct virgl_context *context)
{
   struct virgl_host *host = context->host;

   tg_diagnostics_clear(host->diagnostics);
   const enum tg_result result =
      tg_context_finish(context->context, host->diagnostics);
   if (result != TG_OK)
      virgl_log_failure(host, result, "sub-context %u", context->number);
   virgl_write_query_results(context);
}

/* ---- all of a client ----------------------------------------------------- */

enum tg_result
virgl_contexts_init(struct virgl_contexts *contexts, struct virgl_host *host)
{
   const enum tg_result result = create_context(host, 0, &contexts->first);

   contexts->others.allocator = host->allocator;
   if (result != TG_OK)
      return result;
   contexts->current = contexts->first;
   host->context = contexts->first->context;
   return TG_OK;
}

void
virgl_contexts_finish(struct virgl_contexts *contexts)
{
   for (uint32_t i = 0; i < contexts->others.num_places; i++) {
      if (contexts->others.places[i].number)
         destroy_context(contexts->others.places[i].thing);
   }
   virgl_handles_finish(&contexts->others);
   destroy_context(contexts->first);
   *contexts = (struct virgl_contexts){0};
}

static struct virgl_context *
find_context(const struct virgl_contexts *contexts, uint32_t number)
{
   if (!number)
      return contexts->first;
   const struct virgl_handle *found =
      virgl_handles_find(&contexts->others, number);
   return found ? found->thing : NULL;
}

/* The order between two contexts is that of their commands. */
static void
make_current(struct virgl_contexts *contexts, struct virgl_context *context)
{
   if (contexts->current == context)
      return;
   virgl_context_finish_work(contexts->current);
   contexts->current = context;
   context->host->context = context->context;
}

/* ---- commands ------------------------------------------------------------ */

enum tg_result
virgl_do_create_sub_context(const struct virgl_call *call)
{
   struct virgl_contexts *contexts = &call->host->contexts;
   struct virgl_context *context = NULL;
   const uint32_t number = call->words[1];

   if (find_context(contexts, number))
      return TG_OK;
   if (contexts->others.count >= MAX_CONTEXTS)
      return virgl_refuse_call(call, "there are %u sub-contexts already",
                               contexts->others.count);
   const enum tg_result result = create_context(call->host, number, &context);
   if (result != TG_OK)
      return result;
   if (virgl_handles_add(&contexts->others, number, 0, context))
      return TG_OK;
   destroy_context(context);
   return TG_ERROR_MEMORY;
}

enum tg_result
virgl_do_set_sub_context(const struct virgl_call *call)
{
   struct virgl_contexts *contexts = &call->host->contexts;
   struct virgl_context *context = find_context(contexts, call->words[1]);

   if (!context)
      return virgl_refuse_call(call, "there is no sub-context %u",
                               call->words[1]);
   make_current(contexts, context);
   return TG_OK;
}

enum tg_result
virgl_do_destroy_sub_context(const struct virgl_call *call)
{
   struct virgl_contexts *contexts = &call->host->contexts;
   struct virgl_handle *found =
      virgl_handles_find(&contexts->others, call->words[1]);

   if (!found)
      return virgl_refuse_call(call, "there is no sub-context %u to destroy",
                               call->words[1]);
   struct virgl_context *context = found->thing;
   virgl_handles_remove(&contexts->others, found);
   if (contexts->current == context)
      make_current(contexts, contexts->first);
   destroy_context(context);
   return TG_OK;
}
