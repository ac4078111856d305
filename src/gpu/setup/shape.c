/* SPDX-License-Identifier: MIT
 *
 * Shapes and their edges in fixed point.
 */
#include <assert.h>

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

void
gpu_shape_add_side(const struct gpu_setup_work *work, struct gpu_shape *shape,
                   int32_t p_x, int32_t p_y, int32_t q_x, int32_t q_y)
{
   assert(shape->num_edges < GPU_MAX_EDGES);
   shape->edge[shape->num_edges++] = gpu_edge_between(
      work->state->rasterizer->bottom_edge_rule, p_x, p_y, q_x, q_y);
}
