/* SPDX-License-Identifier: MIT
 *
 * Rasterizer objects.
 */
#include "gpu/state/check.h"

#include "gpu/state/objects.h"
#include "util/sized.h"
#include <assert.h>

const struct tg_rasterizer gpu_default_rasterizer = {
   .state = TG_RASTERIZER_INIT,
};

static enum tg_result
check(const struct tg_rasterizer_state *rasterizer,
      struct tg_diagnostics *diagnostics)
{
   const struct {
      const char *name;
      float value;
   } floats[] = {
      {"offset_units", rasterizer->offset_units},
      {"offset_scale", rasterizer->offset_scale},
      {"offset_clamp", rasterizer->offset_clamp},
      {"point_size", rasterizer->point_size},
      {"line_width", rasterizer->line_width},
   };
   enum tg_result result = GPU_CHECK_MEMBERS(
      diagnostics, {"cull_face", rasterizer->cull_face, 4},
      {"fill_front", rasterizer->fill_front, 3},
      {"fill_back", rasterizer->fill_back, 3},
      {"sprite_coord_mode", rasterizer->sprite_coord_mode, 2});
   for (unsigned i = 0; i < 5 && result == TG_OK; i++)
      result = gpu_check_float(floats[i].name, floats[i].value, diagnostics);
   return result;
}

enum tg_result
tg_rasterizer_create(struct tg_device *device,
                     const struct tg_rasterizer_state *given,
                     struct tg_diagnostics *diagnostics,
                     struct tg_rasterizer **rasterizer_out)
{
   assert(device);
   assert(rasterizer_out);
   struct tg_rasterizer rasterizer = {0};
   enum tg_result result =
      tg_rasterizer_state_take(&rasterizer.state, given, diagnostics);
   if (result == TG_OK)
      result = check(&rasterizer.state, diagnostics);
   if (result != TG_OK)
      return result;
   struct tg_rasterizer *made =
      gpu_object_create(device, &rasterizer, sizeof(rasterizer));
   if (!made)
      return TG_ERROR_MEMORY;
   *rasterizer_out = made;
   return TG_OK;
}

struct tg_rasterizer *
tg_rasterizer_ref(struct tg_rasterizer *rasterizer)
{
   if (rasterizer)
      gpu_object_ref(&rasterizer->object);
   return rasterizer;
}

void
tg_rasterizer_destroy(struct tg_rasterizer *rasterizer)
{
   if (rasterizer)
      gpu_object_drop(&rasterizer->object, sizeof(*rasterizer));
}
