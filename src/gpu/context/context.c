/* SPDX-License-Identifier: MIT
 *
 * Lifetime of contexts, and their counters.
 */
#include <assert.h>
#include <string.h>

#include "gpu/context/context.h"
#include "gpu/context/query.h"
#include "gpu/core/grow.h"
#include "gpu/queue/queue.h"
#include "util/length.h"
#include "util/sized.h"

/* ---- counters ------------------------------------------------------------ */

static enum tg_result
create_epoch(struct tg_context *context)
{
   void *memory = NULL;
   if (!gpu_grow(context->allocator, &memory, 0, sizeof(struct gpu_epoch)))
      return TG_ERROR_MEMORY;
   memset(memory, 0, sizeof(struct gpu_epoch));
   context->oldest_epoch = context->epoch = memory;
   return TG_OK;
}

static void
destroy_epochs(struct tg_context *context)
{
   for (struct gpu_epoch *epoch = context->oldest_epoch, *next; epoch;
        epoch = next) {
      void *memory = epoch;
      next = epoch->next;
      gpu_grow(context->allocator, &memory, sizeof(*epoch), 0);
   }
}

static uint64_t
total(const struct tg_context *context, enum gpu_counter counter)
{
   assert(counter < TG_LENGTH(context->count));
   uint64_t count = context->count[counter];
   if (context->caller)
      count += context->caller->count[counter];
   for (const struct gpu_epoch *epoch = context->oldest_epoch; epoch;
        epoch = epoch->next)
      count += gpu_epoch_get(epoch, counter);
   return count;
}

enum tg_result
tg_context_get_statistics(const struct tg_context *context,
                          struct tg_context_statistics *statistics_out)
{
   assert(context);
   assert(statistics_out);
   const struct tg_context_statistics statistics = {
      .pipeline =
         {
            .ia_vertices = total(context, GPU_COUNT_IA_VERTICES),
            .ia_primitives = total(context, GPU_COUNT_IA_PRIMITIVES),
            .vs_invocations = total(context, GPU_COUNT_VS_INVOCATIONS),
            .gs_invocations = total(context, GPU_COUNT_GS_INVOCATIONS),
            .gs_primitives = total(context, GPU_COUNT_GS_PRIMITIVES),
            .c_invocations = total(context, GPU_COUNT_C_INVOCATIONS),
            .c_primitives = total(context, GPU_COUNT_C_PRIMITIVES),
            .ps_invocations = total(context, GPU_COUNT_PS_INVOCATIONS),
            .hs_invocations = total(context, GPU_COUNT_HS_INVOCATIONS),
            .ds_invocations = total(context, GPU_COUNT_DS_INVOCATIONS),
            .cs_invocations = total(context, GPU_COUNT_CS_INVOCATIONS),
         },
      .draws = total(context, GPU_COUNT_DRAWS),
      .kernels = context->num_kernels,
      .vertex_waves = total(context, GPU_COUNT_VERTEX_WAVES),
      .fragment_waves = total(context, GPU_COUNT_FRAGMENT_WAVES),
      .triangles = total(context, GPU_COUNT_TRIANGLES),
      .lines = total(context, GPU_COUNT_LINES),
      .points = total(context, GPU_COUNT_POINTS),
      .fragments = total(context, GPU_COUNT_FRAGMENTS),
      .samples_passed = total(context, GPU_COUNT_SAMPLES_PASSED),
      .tiles = total(context, GPU_COUNT_TILES),
      .hidden_blocks = total(context, GPU_COUNT_HIDDEN_BLOCKS),
   };
   return tg_context_statistics_give(&statistics, statistics_out);
}

enum tg_result
tg_context_set_pixel_counters(struct tg_context *context,
                              const struct tg_pixel_counters *given)
{
   assert(context);
   struct tg_pixel_counters counters;
   const enum tg_result result = tg_pixel_counters_take(&counters, given, NULL);
   if (result != TG_OK)
      return result;
   gpu_flush_and_wait(context);
   context->pixels = counters;
   return TG_OK;
}

/* ---- creation and destruction -------------------------------------------- */

static void
set_up_work(struct tg_context *context)
{
   struct tg_work_options options = TG_WORK_OPTIONS_INIT;
   options.max_work = context->options.max_work;
   options.max_seconds = context->options.max_seconds;
   tg_work_init(&context->own_work, &options);
   context->work =
      context->options.work ? context->options.work : &context->own_work;
   tg_work_init_part(&context->life, context->work, 0);
}

static void
set_up_compiler(struct tg_context *context)
{
   context->compiler = gpu_device_compiler(context->device, &context->life);
   context->compiler.num_compiled = &context->num_kernels;
   context->fragment_source = (struct gpu_fragment_source){
      .compiler = &context->compiler,
      .state = &context->state,
      .pixels = &context->pixels,
      .last = &context->fragment_kernels,
   };
}

enum tg_result
tg_context_create(struct tg_device *device,
                  const struct tg_context_options *given,
                  struct tg_context **context_out)
{
   assert(device);
   assert(context_out);
   struct tg_context_options options;
   void *memory = NULL;
   if (tg_context_options_take(&options, given, NULL) != TG_OK ||
       !tg_work_is_duration(options.max_seconds) ||
       !tg_work_is_duration(options.max_call_seconds) ||
       options.on_fault > TG_FAULT_RESET)
      return TG_ERROR_INPUT;
   if (!gpu_grow(&device->allocator, &memory, 0, sizeof(struct tg_context)))
      return TG_ERROR_MEMORY;
   struct tg_context *context = memory;
   *context = (struct tg_context){
      .device = tg_device_ref(device),
      .allocator = &device->allocator,
      .options = options,
   };
   gpu_calls_init(&context->calls, context->allocator);
   set_up_work(context);
   set_up_compiler(context);
   gpu_state_init(&context->state);
   enum tg_result result = create_epoch(context);
   if (result == TG_OK)
      result =
         gpu_queue_create(context->allocator, &device->workers, &context->life,
                          &context->options, &context->queue);
   if (result != TG_OK) {
      tg_context_destroy(context);
      return result;
   }
   *context_out = context;
   return TG_OK;
}

void
tg_context_destroy(struct tg_context *context)
{
   void *memory = context;
   if (!context)
      return;
   struct tg_device *device = context->device;
   if (context->queue)
      tg_context_finish(context, NULL);
   gpu_state_finish(&context->state);
   while (context->stream_targets)
      tg_stream_target_destroy(context->stream_targets);
   gpu_queries_destroy(context);
   gpu_queue_destroy(context->queue);
   gpu_uses_finish(context);
   gpu_calls_finish(&context->calls);
   destroy_epochs(context);
   gpu_grow(&device->allocator, &memory, sizeof(*context), 0);
   tg_device_destroy(device);
}

struct tg_device *
tg_context_get_device(const struct tg_context *context)
{
   assert(context);
   return context->device;
}

/* ---- work ---------------------------------------------------------------- */

struct tg_work *
tg_context_get_work(const struct tg_context *context)
{
   assert(context);
   return context->work;
}

void
tg_context_cancel(struct tg_context *context)
{
   assert(context);
   tg_work_cancel(context->work);
}

/* ---- faults -------------------------------------------------------------- */

/* Begins the span of a call that has its number. */
static void
begin_span(const struct tg_context *context)
{
   static const uint8_t stages[TG_NUM_CALL_KINDS] = {
      [TG_CALL_DRAW] = TG_PROFILE_DRAW,
      [TG_CALL_CLEAR] = TG_PROFILE_CLEAR,
      [TG_CALL_BLIT] = TG_PROFILE_BLIT,
      [TG_CALL_COPY] = TG_PROFILE_BLIT,
      [TG_CALL_WRITE] = TG_PROFILE_UPLOAD,
      [TG_CALL_READ] = TG_PROFILE_READ,
      [TG_CALL_DISPATCH] = TG_PROFILE_COMPUTE,
      [TG_CALL_MAP] = TG_PROFILE_UPLOAD,
   };
   const struct gpu_call_name *call = &context->call;

   assert(call->kind < TG_LENGTH(stages));
   profile_begin(context->device->options.profile,
                 (enum tg_profile_stage)stages[call->kind],
                 (struct profile_subject){
                    .draw = call->draw,
                    .call = call->number,
                 });
}

void
gpu_context_begin_call(struct tg_context *context, enum tg_call_kind kind)
{
   struct tg_profile *profile = context->device->options.profile;

   context->call.kind = kind;
   context->call.number++;
   context->call.draw = kind == TG_CALL_DRAW ? profile_next_draw(profile) : 0;
   begin_span(context);
}

enum tg_result
gpu_context_end_call(struct tg_context *context, struct gpu_call *call,
                     enum tg_result result)
{
   const bool is_fault = result == TG_ERROR_LIMIT || result == TG_ERROR_MEMORY;
   const bool is_late = call && tg_work_get_end(&call->own) == TG_WORK_LATE;
   const struct gpu_fault fault = {
      .result = result,
      .late = is_late ? context->options.max_call_seconds : 0,
      .call = context->call,
   };
   if (is_fault && !(call && atomic_exchange(&call->has_fault, true)))
      gpu_queue_note_fault(context->queue, &fault);
   profile_end(context->device->options.profile);
   return result;
}

uint64_t
tg_context_get_call(const struct tg_context *context)
{
   assert(context);
   return context->call.number;
}

enum tg_result
tg_context_take_fault(struct tg_context *context,
                      struct tg_context_fault *fault_out)
{
   assert(context);
   assert(fault_out);
   struct tg_context_fault report = TG_CONTEXT_FAULT_INIT;
   uint64_t num_calls;
   const enum tg_result result = tg_context_fault_give(&report, fault_out);
   if (result != TG_OK)
      return result;
   const struct gpu_fault fault =
      gpu_queue_take_faults(context->queue, &num_calls);
   report.call = fault.call.number;
   report.kind = fault.call.kind;
   report.result = fault.result;
   report.num_calls = num_calls;
   return tg_context_fault_give(&report, fault_out);
}

enum tg_reset_status
tg_context_get_reset_status(struct tg_context *context)
{
   assert(context);
   return gpu_queue_get_status(context->queue);
}

void
tg_context_reset(struct tg_context *context)
{
   assert(context);
   gpu_flush_and_wait(context);
   gpu_queue_reset(context->queue);
}
