/* SPDX-License-Identifier: MIT
 *
 * Shapes and their edges in fixed point.
 */
#include "gpu/setup/setup_parts.h"

int32_t
gpu_to_fixed(double pixels)
{
   const double scaled = pixels * GPU_SUBPIXELS + 0.5;
   const int32_t towards_zero = (int32_t)scaled;
   return towards_zero - (towards_zero > scaled);
}

void
gpu_begin_shape(const struct gpu_setup_work *work, enum gpu_shape_kind kind,
                bool is_by_pixel, struct gpu_shape *shape)
{
   shape->num_edges = 0;
   shape->kind = (uint8_t)kind;
   shape->is_round = false;
   shape->quads = 0;
   shape->is_by_pixel = is_by_pixel || !work->state->rasterizer->multisample;
   shape->layer = work->layer;
}
