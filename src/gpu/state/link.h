/* SPDX-License-Identifier: MIT
 *
 * Linking of vertex outputs to fragment inputs: which output of the vertex
 * shader each input of the fragment shader reads, and how it changes over a
 * triangle. What they agree on is a list of attributes: the fragment shader's
 * inputs in the order of their registers, without POSITION, FACE, PRIM_ID,
 * LAYER and VIEWPORT_INDEX, which the pipeline itself makes.
 */
#ifndef TG_GPU_LINK_H
#define TG_GPU_LINK_H

#include "gpu/state/shader.h"
#include "gpu/state/state.h"

enum gpu_interpolation {
   GPU_INTERPOLATE_CONSTANT,
   GPU_INTERPOLATE_LINEAR,
   GPU_INTERPOLATE_PERSPECTIVE,
   GPU_INTERPOLATE_NOTHING, /* of keys: no output matches, and none is needed */
};

struct gpu_interface {
   uint32_t num_attributes;
   uint8_t input[GPU_MAX_ATTRIBUTES];  /* register of the fragment shader */
   uint8_t output[GPU_MAX_ATTRIBUTES]; /* of the vertex shader, or
                                        * GPU_NO_REGISTER: reads 0 */
   uint8_t interpolation[GPU_MAX_ATTRIBUTES]; /* enum gpu_interpolation */
   /* Instead of `output` for back-facing polygons, or
    * GPU_NO_REGISTER. */
   uint8_t back_output[GPU_MAX_ATTRIBUTES];
   uint8_t wrap[GPU_MAX_ATTRIBUTES];   /* bit c: channel c is cylindrical */
   bool is_sprite[GPU_MAX_ATTRIBUTES]; /* of points it is their coordinate */
   uint8_t position;                   /* output register, or GPU_NO_REGISTER */
};

/* Registers of the last shader before fragments that have a meaning for setup,
 * each of them or GPU_NO_REGISTER. */
struct gpu_record_layout {
   uint8_t position, point_size, edge_flag;
   uint8_t layer, viewport, primitive_id;
   uint8_t clip_vertex;
   uint8_t clip_distance[2]; /* cull distances follow clip distances */
   uint8_t num_clip_distances, num_cull_distances;
   bool prohibits_user_planes;
   bool is_layer_relative; /* layers count from the number of the viewport */
   bool is_window_space;   /* positions are x, y, z of the window, and 1 / w */
};

/* Links two stages: inputs to outputs, by semantic name and index. An input
 * that no output matches reads (0, 0, 0, 0). TG_ERROR_LIMIT over
 * GPU_MAX_ATTRIBUTES. */
enum tg_result
gpu_link(const struct tg_gpu_shader *vs, const struct tg_gpu_shader *fs,
         const struct tg_rasterizer_state *rasterizer,
         struct tg_diagnostics *diagnostics,
         struct gpu_interface *interface_out);

/* Finds the outputs of the last shader before fragments that setup reads from a
 * vertex record: position, point size, layer and the like. */
void
gpu_link_record_layout(const struct tg_gpu_shader *shader,
                       struct gpu_record_layout *layout_out);

/* TG_ERROR_INPUT, naming it, when an input of a stage is fed by nothing: no
 * output of the stage in front, no sprite, not the pipeline. */
enum tg_result
gpu_check_links(const struct gpu_state *state,
                struct tg_diagnostics *diagnostics);

/* The attribute that an input register is, or -1. */
int
gpu_link_interface_find(const struct gpu_interface *interface, uint32_t input);

#endif
