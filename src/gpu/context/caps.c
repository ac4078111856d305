/* SPDX-License-Identifier: MIT
 *
 * Capabilities: the rows of tungsten/caps.def, with the values of the constants
 * by which all other files refuse.
 */
#include "gpu/core/limits.h"
#include "gpu/geometry/primitive.h"
#include "gpu/geometry/tessellate.h"
#include "gpu/raster/shape.h"
#include "lower/lower.h"
#include "tgsi/shader.h"
#include "util/sized.h"

_Static_assert((int)GPU_MAX_PATCH_VERTICES == (int)TG_MAX_PATCH_VERTICES &&
                  (int)LOWER_MAX_VERTICES == (int)TG_MAX_PATCH_VERTICES,
               "a patch has as many vertices in every stage");

/* The greatest value of a property. */
#define GEOMETRY(name) tg_properties[TG_PROPERTY_GS_##name].greatest

enum tg_result
tg_context_get_caps(const struct tg_context *gpu, struct tg_caps *caps_out)
{
   const struct tg_caps caps = {
#define TG_CAP_(kind, type, name, value, what) .name = value,
#include "tungsten/caps.def"
   };
   (void)gpu;
   return tg_caps_give(&caps, caps_out);
}
