/* SPDX-License-Identifier: MIT
 *
 * Capabilities: the rows of tungsten/caps.def, with the values of the constants
 * by which all other files refuse; and the sample positions.
 */
#include "gpu/core/limits.h"

#include "abi/layout.h"
#include "gpu/geometry/primitive.h"
#include "gpu/geometry/tessellate.h"
#include "gpu/raster/raster.h"
#include "tgsi/shader/shader.h"
#include "util/sized.h"
#include <assert.h>

_Static_assert((int)GPU_MAX_PATCH_VERTICES == (int)TG_MAX_PATCH_VERTICES &&
                  (int)ABI_MAX_VERTICES == (int)TG_MAX_PATCH_VERTICES,
               "a patch has as many vertices in every stage");

/* The greatest value of a property. */
#define GEOMETRY(name) tg_property_row(TG_PROPERTY_GS_##name)->greatest

enum tg_result
tg_device_get_caps(const struct tg_device *device, struct tg_caps *caps_out)
{
   assert(device);
   assert(caps_out);
   const struct tg_caps caps = {
#define TG_CAP_(kind, type, name, value, what) .name = value,
#include "tungsten/caps.def"
   };
   (void)device;
   return tg_caps_give(&caps, caps_out);
}

enum tg_result
tg_get_sample_position(unsigned num_samples, unsigned sample,
                       float position_out[2])
{
   assert(position_out);
   if (num_samples > TG_MAX_TEXTURE_SAMPLES ||
       !(TG_SAMPLE_COUNTS >> num_samples & 1) || sample >= num_samples)
      return TG_ERROR_INPUT;
   const uint32_t *place = gpu_raster_sample_position(num_samples, sample);
   position_out[0] = (float)place[0] / 16.0f;
   position_out[1] = (float)place[1] / 16.0f;
   return TG_OK;
}
