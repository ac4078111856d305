/* SPDX-License-Identifier: MIT
 *
 * Triangles whose vertices are in the window and of which nothing is cut off:
 * their targets and the constants of their shapes.
 */
#ifndef TG_GPU_PLAIN_TRIANGLE_H
#define TG_GPU_PLAIN_TRIANGLE_H

#include <stddef.h>
#include <string.h>

#include "gpu/setup/four_planes.h"
#include "gpu/setup/setup_parts.h"
#include "util/bits.h"

/* One that is set up. */
struct gpu_plain_triangle {
   struct gpu_setup *setup;
   const struct gpu_setup_primitive *primitive;
   const uint32_t *provoking; /* record */
   const struct gpu_window_vertex *v[3];
   bool is_front;
   uint32_t layer, written_layer, id;
};

/* The side from one corner to another. */
static inline struct gpu_edge
gpu_plain_side(const struct gpu_plain_triangle *triangle, bool is_clockwise,
               unsigned from, unsigned to)
{
   const bool is_bottom_owner =
      triangle->setup->state->rasterizer->bottom_edge_rule;
   const struct gpu_window_vertex *p = triangle->v[is_clockwise ? from : to];
   const struct gpu_window_vertex *q = triangle->v[is_clockwise ? to : from];
   return gpu_edge_between(is_bottom_owner, p->x, p->y, q->x, q->y);
}

/* Finds its three sides. */
static inline void
gpu_plain_find_edges(const struct gpu_plain_triangle *triangle,
                     bool is_clockwise, struct gpu_edge edge[3])
{
   edge[0] = gpu_plain_side(triangle, is_clockwise, 0, 1);
   edge[1] = gpu_plain_side(triangle, is_clockwise, 1, 2);
   edge[2] = gpu_plain_side(triangle, is_clockwise, 2, 0);
}

/* In fours, as words are stored. */
static inline void
gpu_plain_store_header(const struct gpu_plain_triangle *triangle,
                       const struct gpu_planes *planes, uint32_t *words)
{
   const struct gpu_depth_range *depth = &triangle->setup->window.depth;
   tg_store_four(words + GPU_SHAPE_X,
                 (tg_four){tg_bits_of_float((float)planes->reference_x),
                           tg_bits_of_float((float)planes->reference_y),
                           tg_bits_of_float(triangle->is_front ? 1.0f : -1.0f),
                           triangle->id});
   tg_store_four(words + GPU_SHAPE_LAYER,
                 (tg_four){triangle->layer, triangle->written_layer, 0,
                           tg_bits_of_float(depth->min)});
   tg_store_four(words + GPU_SHAPE_MAX_DEPTH,
                 (tg_four){tg_bits_of_float(depth->max), 0, 0, 0});
   static_assert(GPU_SHAPE_ID == GPU_SHAPE_X + 3 &&
                    GPU_SHAPE_LAYER == GPU_SHAPE_ID + 1 &&
                    GPU_SHAPE_MIN_DEPTH == GPU_SHAPE_LAYER + 3 &&
                    GPU_SHAPE_MAX_DEPTH == GPU_SHAPE_MIN_DEPTH + 1 &&
                    GPU_SHAPE_Z == GPU_SHAPE_MAX_DEPTH + 4,
                 "they are fours");
}

/* z and 1 / w, with no -0. One load of both: vectors that are stored by halves
 * are not forwarded to loads of the whole. */
static inline gpu_channels
gpu_plain_load_zw(const struct gpu_window_vertex *v)
{
   typedef double pair __attribute__((vector_size(2 * sizeof(double))));
   const size_t first = offsetof(struct gpu_window_vertex, z);
   const pair none = {0.0, 0.0};
   pair zw;
   static_assert(offsetof(struct gpu_window_vertex, reciprocal_w) ==
                    offsetof(struct gpu_window_vertex, z) + sizeof(double),
                 "they are a pair");
   memcpy(&zw, (const char *)v + first, sizeof(zw));
   return __builtin_shufflevector(zw + none, none, 0, 1, 2, 3);
}

static inline void
gpu_plain_store_position(const struct gpu_plain_triangle *triangle,
                         const struct gpu_planes *planes, uint32_t *words)
{
   const gpu_channels value[3] = {gpu_plain_load_zw(triangle->v[0]),
                                  gpu_plain_load_zw(triangle->v[1]),
                                  gpu_plain_load_zw(triangle->v[2])};
   gpu_store_four_planes(planes, value, &words[GPU_SHAPE_Z]);
}

static inline void
gpu_plain_store_attribute(const struct gpu_plain_triangle *triangle,
                          const struct gpu_planes *planes, uint32_t attribute,
                          uint32_t *words)
{
   static const uint32_t zeros[4];
   const struct gpu_interface *interface = triangle->setup->state->interface;
   const uint8_t output =
      gpu_visible_output(interface, attribute, triangle->is_front);
   const unsigned interpolation = interface->interpolation[attribute];
   gpu_channels value[3];
   if (output == GPU_NO_REGISTER || interpolation == GPU_INTERPOLATE_CONSTANT) {
      gpu_store_four_constants(
         output == GPU_NO_REGISTER ? zeros : triangle->provoking + output * 4u,
         words);
      return;
   }
   /* One by one: in a loop GCC keeps them in memory, and tests in each turn. */
   const uint32_t *const *vertex = triangle->primitive->vertex;
   value[0] = gpu_load_channels(vertex[0] + output * 4u);
   value[1] = gpu_load_channels(vertex[1] + output * 4u);
   value[2] = gpu_load_channels(vertex[2] + output * 4u);
   if (interpolation == GPU_INTERPOLATE_PERSPECTIVE) {
      value[0] *= triangle->v[0]->reciprocal_w;
      value[1] *= triangle->v[1]->reciprocal_w;
      value[2] *= triangle->v[2]->reciprocal_w;
   }
   gpu_store_four_planes(planes, value, words);
}

/* All words of its shape. */
static inline void
gpu_plain_store_constants(const struct gpu_plain_triangle *triangle,
                          const struct gpu_planes *planes, uint32_t *words)
{
   const struct gpu_interface *interface = triangle->setup->state->interface;
   gpu_plain_store_header(triangle, planes, words);
   gpu_plain_store_position(triangle, planes, words);
   for (uint32_t i = 0; i < interface->num_attributes; i++)
      gpu_plain_store_attribute(triangle, planes, i,
                                words + gpu_shape_attribute(i, 0));
}

/* Finds its layer and number, which are those of the provoking vertex. False
 * when there is no such layer. */
static inline bool
gpu_plain_find_target(struct gpu_plain_triangle *triangle)
{
   const struct gpu_setup_state *state = triangle->setup->state;
   const struct gpu_record_layout *layout = &state->layout;
   const uint32_t *provoking = triangle->provoking;
   triangle->written_layer = 0;
   triangle->id = triangle->primitive->id;
   if (layout->layer != GPU_NO_REGISTER)
      triangle->written_layer = provoking[layout->layer * 4u];
   if (layout->primitive_id != GPU_NO_REGISTER)
      triangle->id = provoking[layout->primitive_id * 4u];
   triangle->layer = state->num_layers > 1 ? triangle->written_layer : 0;
   return triangle->layer < state->num_layers;
}

#endif
