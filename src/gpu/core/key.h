/* SPDX-License-Identifier: MIT
 *
 * Shader keys: the state that a kernel is specialised for. Two draws whose keys
 * have the same bytes run the same kernel, so a key is zeroed before it is
 * filled, and has no padding that anything could write to.
 *
 * Sizes, addresses, planes and lod ranges are not in here: they are data.
 */
#ifndef TG_GPU_KEY_H
#define TG_GPU_KEY_H

#include "abi/bindings.h"
#include "gpu/core/limits.h"
#include "lower/fixed_function/blend.h"
#include "lower/fixed_function/stencil.h"
#include "tungsten/gpu.h"

/* Coverage that becomes a part of alpha, in shapes of the kind. */
enum gpu_smoothing {
   GPU_SMOOTH_NONE,
   GPU_SMOOTH_POLYGON, /* by 16 samples, whatever the framebuffer has */
   GPU_SMOOTH_LINE,
   GPU_SMOOTH_POINT,
};

/* What is off is 0 in all its members. */
struct gpu_fragment_key {
   uint64_t shader_id;
   uint8_t num_samples;   /* of a pixel, 1 to 16 */
   uint8_t is_per_sample; /* a lane is one of several samples */
   uint8_t is_by_pixel;   /* all samples have the depth of the centre */
   uint8_t masks_pixels;  /* without multisampling, bit 0 of SAMPLEMASK is the
                           * pixel */
   uint8_t is_layered;    /* surfaces have more than a first layer */
   uint8_t smoothing;     /* enum gpu_smoothing */
   uint8_t clamp_color;   /* to [0, 1], whatever the format */
   uint8_t depth_clamp;   /* to the range of the shape */
   uint8_t depth_enabled;
   uint8_t depth_write;
   uint8_t depth_func; /* enum tg_compare */
   uint8_t depth_bounds;
   uint8_t alpha_enabled;
   uint8_t alpha_func; /* enum tg_compare */
   uint8_t alpha_to_coverage;
   uint8_t alpha_to_one;
   uint8_t dither;
   uint8_t logic_enabled;
   uint8_t logic_op; /* enum tg_logic_op */
   uint8_t num_colors;
   uint8_t one_color;     /* bit n: GPU_BINDING_ONE_COLOR + n is there */
   uint8_t tells_cost;    /* instructions that the wave has run */
   uint16_t depth_format; /* enum tg_format; NONE: no depth, no stencil */
   uint16_t color_format[TG_MAX_COLOR_BUFFERS]; /* NONE: nothing is written */
   struct lower_blend_key blend[TG_MAX_COLOR_BUFFERS];
   struct lower_stencil_key stencil[2]; /* the second is of backs, if it is
                                         * enabled */
   uint8_t interpolation[GPU_MAX_ATTRIBUTES]; /* enum gpu_interpolation */
   struct abi_keys bound;                     /* as far as the shader sees it */
};

_Static_assert(sizeof(struct gpu_fragment_key) ==
                  32 + TG_MAX_COLOR_BUFFERS * 10 + 2 * 8 + GPU_MAX_ATTRIBUTES +
                     sizeof(struct abi_keys),
               "no padding");

#endif
