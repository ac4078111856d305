/* SPDX-License-Identifier: MIT
 *
 * Dispatches of compute, each at once and in the order of the calls.
 */
#include <assert.h>

#include "gpu/context/context.h"
#include "gpu/context/query.h"
#include "gpu/queue/queue.h"
#include "run/dispatch.h"

static enum tg_result
dispatch(struct tg_context *context, struct gpu_call *call,
         const struct tg_program *program, const struct tg_bindings *bindings,
         const struct tg_grid *grid, struct tg_diagnostics *diagnostics)
{
   uint64_t num_threads;

   if (!gpu_query_condition_holds(context))
      return TG_OK;
   resource_refresh_snapshot((struct tg_bindings *)(uintptr_t)bindings);
   gpu_wait_for_bindings(context, bindings, GPU_WRITES);
   if (grid->indirect)
      gpu_wait_for(context, grid->indirect, GPU_READS);
   gpu_call_enter(call);
   const enum tg_result result = run_dispatch_on(
      context->device->pool, gpu_queue_share(context->queue), call->work,
      program, bindings, grid, diagnostics, &num_threads);
   gpu_call_leave(call);

   if (result == TG_OK)
      context->epoch->own[GPU_COUNT_CS_INVOCATIONS] += num_threads;
   return result;
}

enum tg_result
tg_context_dispatch(struct tg_context *context,
                    const struct tg_program *program,
                    const struct tg_bindings *bindings,
                    const struct tg_grid *grid,
                    struct tg_diagnostics *diagnostics)
{
   assert(context);
   assert(program);
   assert(grid);
   struct gpu_call call;

   gpu_context_begin_call(context, TG_CALL_DISPATCH);
   gpu_call_init(&call, context->call, &context->life,
                 context->options.max_call_seconds);
   const enum tg_result result = gpu_context_end_call(
      context, &call,
      dispatch(context, &call, program, bindings, grid, diagnostics));
   gpu_call_finish(&call);
   return result;
}
