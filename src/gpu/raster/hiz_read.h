/* SPDX-License-Identifier: MIT
 *
 * Depth bounds of hierarchical Z that are read from the depth buffer.
 */
#ifndef TG_GPU_HIZ_READ_H
#define TG_GPU_HIZ_READ_H

#include "gpu/raster/hiz.h"

/* Of two numbers; the second if one is NaN. */
static inline float
gpu_lesser(float a, float b)
{
   return a < b ? a : b;
}

static inline float
gpu_greater(float a, float b)
{
   return a > b ? a : b;
}

/* The bits of a texel's first word that its depth is in. */
static inline uint32_t
gpu_hiz_depth_mask(enum tg_format format)
{
   const struct format_channel *channel = format_depth_channel(format);
   return UINT32_MAX >> (32 - channel->bits) << channel->shift;
}

/* Of what the framebuffer has of the block at (x, y), in the layer at work,
 * after what is to be done to it is done. False when a depth is NaN, of which
 * there are no bounds. */
bool
gpu_hiz_read(const struct gpu_hiz *hiz, uint32_t x, uint32_t y,
             struct gpu_hiz_bounds *bounds_out);

/* The same of a texel of a depth buffer's format. */
bool
gpu_hiz_read_texel(enum tg_format format, const uint8_t *texel,
                   struct gpu_hiz_bounds *bounds_out);

#endif
