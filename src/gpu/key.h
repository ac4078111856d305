/* SPDX-License-Identifier: MIT
 *
 * Keys: the state that a kernel is specialised for. Two draws whose keys have
 * the same bytes run the same kernel, so a key is zeroed before it is filled,
 * and has no padding that anything could write to.
 *
 * Sizes, addresses, planes and lod ranges are not in here: they are data.
 */
#ifndef TG_GPU_KEY_H
#define TG_GPU_KEY_H

#include "gpu/limits.h"
#include "lower/bindings.h"
#include "tungsten/gpu.h"

/* A vertex attribute: where input register i of the vertex shader comes from.
 */
struct gpu_element_key {
   uint32_t src_offset; /* words */
   uint32_t stride;     /* words */
   uint32_t instance_divisor;
   uint16_t format; /* enum tg_format */
   uint16_t buffer;
};

struct gpu_vertex_key {
   uint64_t shader_id;
   uint32_t num_elements;
   uint32_t zero;
   struct gpu_element_key elements[TG_MAX_VERTEX_ELEMENTS];
   struct lower_keys bound; /* as far as the shader sees it */
};

struct gpu_fragment_key {
   uint64_t shader_id;
   uint8_t num_colors;
   uint8_t depth_enabled;
   uint8_t depth_write;
   uint8_t depth_func; /* enum tg_compare */
   uint8_t flatshade;
   uint8_t zero;
   uint16_t depth_format;                       /* enum tg_format */
   uint16_t color_format[TG_MAX_COLOR_BUFFERS]; /* NONE: nothing is written */
   struct lower_keys bound; /* as far as the shader sees it */
};

_Static_assert(sizeof(struct gpu_element_key) == 16, "no padding");
_Static_assert(sizeof(struct gpu_vertex_key) ==
                  16 + TG_MAX_VERTEX_ELEMENTS * 16 + sizeof(struct lower_keys),
               "no padding");
_Static_assert(sizeof(struct gpu_fragment_key) ==
                  16 + TG_MAX_COLOR_BUFFERS * 2 + sizeof(struct lower_keys),
               "no padding");

#endif
