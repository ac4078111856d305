/* SPDX-License-Identifier: MIT
 *
 * One pixel at a time in C, for clears and mipmaps: the scalar sister of
 * lower/texel.h, with the same rounding.
 */
#ifndef TG_GPU_PIXEL_H
#define TG_GPU_PIXEL_H

#include <stdint.h>

#include "tgsi/tables.h"

/* The words of a pixel as four floats; what the format lacks is 0, 0, 0, 1. */
void
gpu_pixel_unpack(enum tg_format format, const uint32_t *words, float color[4]);

/* Writes as many words as the format has. */
void
gpu_pixel_pack(enum tg_format format, const float color[4], uint32_t *words);

#endif
