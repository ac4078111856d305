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

_Static_assert(sizeof(struct gpu_fragment_key) ==
                  16 + TG_MAX_COLOR_BUFFERS * 2 + sizeof(struct lower_keys),
               "no padding");

#endif
