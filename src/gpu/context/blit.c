/* SPDX-License-Identifier: MIT
 *
 * Blit calls, in order with the other calls of a context.
 */
#include "gpu/blit/blit.h"

#include "gpu/context/context.h"
#include "gpu/context/query.h"
#include "gpu/context/windows.h"
#include "gpu/queue/queue.h"
#include "util/sized.h"
#include <assert.h>

/* The target within the scissor, if any, rectangle by rectangle. */
static enum tg_result
blit_windows(struct tg_context *context, const struct gpu_call *call,
             struct gpu_blit_memory *to, struct gpu_blit_memory *from,
             const struct tg_blit_info *info, uint8_t mask,
             struct tg_diagnostics *diagnostics)
{
   struct tg_scissor area = {.max_x = UINT16_MAX, .max_y = UINT16_MAX};
   struct gpu_window_pieces pieces;
   enum tg_result result = TG_OK;
   if (info->scissor_enable)
      area = info->scissor;
   if (area.min_x >= area.max_x || area.min_y >= area.max_y)
      return TG_OK;
   gpu_cut_windows(&context->state.window_rectangles, &area, &pieces);
   for (uint32_t i = 0; i < pieces.count && result == TG_OK; i++) {
      struct gpu_blit_memory to_piece = *to, from_piece = *from;
      struct tg_blit_info piece = *info;
      piece.scissor_enable = true;
      piece.scissor = pieces.piece[i];
      result =
         gpu_blit_sides(&context->compiler, context->device->pool, call,
                        &to_piece, &from_piece, &piece, mask, diagnostics);
   }
   return result;
}

static enum tg_result
blit(struct tg_context *context, struct gpu_call *call,
     const struct tg_blit_info *given, struct tg_diagnostics *diagnostics)
{
   struct tg_blit_info info;
   struct gpu_blit_memory to, from;
   uint8_t mask = 0;
   enum tg_result result = tg_blit_info_take(&info, given, diagnostics);

   if (result == TG_OK)
      result = gpu_blit_find_sides(&info, diagnostics, &to, &from, &mask);
   if (result != TG_OK || !mask ||
       (info.render_condition_enable && !gpu_query_condition_holds(context)))
      return result;
   gpu_wait_for(context, info.dst.resource, GPU_WRITES);
   gpu_wait_for(context, info.src.resource, GPU_READS);
   gpu_call_enter(call);
   if (info.window_rectangle_enable)
      result =
         blit_windows(context, call, &to, &from, &info, mask, diagnostics);
   else
      result = gpu_blit_sides(&context->compiler, context->device->pool, call,
                              &to, &from, &info, mask, diagnostics);
   gpu_call_leave(call);
   return result;
}

enum tg_result
tg_context_blit(struct tg_context *context, const struct tg_blit_info *given,
                struct tg_diagnostics *diagnostics)
{
   assert(context);
   struct gpu_call call;

   gpu_context_begin_call(context, TG_CALL_BLIT);
   gpu_call_init(&call, context->call, &context->life,
                 context->options.max_call_seconds);
   call.share = gpu_queue_share(context->queue);
   const enum tg_result result = gpu_context_end_call(
      context, &call, blit(context, &call, given, diagnostics));
   gpu_call_finish(&call);
   return result;
}
