/* SPDX-License-Identifier: MIT
 *
 * Compute dispatch: launches of grids.
 */
#include "virgl/object/shader.h"
#include "virgl/resource/resource.h"

enum tg_result
virgl_do_launch_grid(const struct virgl_call *call)
{
   const uint32_t *words = call->words;
   const struct virgl_shader *shader =
      call->context->shaders[VIRGL_STAGE_COMPUTE];
   struct tg_grid grid = TG_GRID_INIT;
   struct tg_resource *indirect;
   const enum tg_result result = virgl_get_resource(call, words[7], &indirect);

   if (result != TG_OK)
      return result;
   if (!shader || !shader->program)
      return virgl_refuse_call(call, "there is no compute shader");
   for (unsigned i = 0; i < 3; i++) {
      grid.block[i] = words[1 + i];
      grid.grid[i] = words[4 + i];
   }
   grid.indirect = indirect;
   grid.indirect_offset = words[8];
   return tg_context_dispatch(call->context->context, shader->program,
                              call->context->bindings[VIRGL_STAGE_COMPUTE],
                              &grid, call->diagnostics);
}
