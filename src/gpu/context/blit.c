/* SPDX-License-Identifier: MIT
 *
 * Blits, in the order of the calls.
 */
#include "gpu/blit/blit.h"
#include "gpu/context/context.h"
#include "gpu/context/query.h"
#include "util/sized.h"

enum tg_result
tg_context_blit(struct tg_context *gpu, const struct tg_blit_info *given,
            struct tg_diagnostics *diagnostics)
{
   struct tg_blit_info info;
   struct gpu_blit_memory to, from;
   uint8_t mask = 0;
   enum tg_result result = tg_blit_info_take(&info, given, diagnostics);

   if (result == TG_OK)
      result = gpu_blit_find_sides(&info, diagnostics, &to, &from, &mask);
   if (result != TG_OK || !mask ||
       (info.render_condition_enable && !gpu_condition_holds(gpu)))
      return result;
   gpu_wait_for(gpu, info.dst.resource, GPU_WRITES);
   gpu_wait_for(gpu, info.src.resource, GPU_READS);
   return gpu_blit_sides(&gpu->compiler, &gpu->geometry, &to, &from, &info,
                         mask, diagnostics);
}
