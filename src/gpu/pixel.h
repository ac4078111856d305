/* SPDX-License-Identifier: MIT
 *
 * One pixel at a time as floats; format/format.h says how it is rounded.
 */
#ifndef TG_GPU_PIXEL_H
#define TG_GPU_PIXEL_H

#include <stdbool.h>
#include <stdint.h>

#include "tgsi/tables.h"

/* Can vertices have it? They are one to four words that read as floats. */
bool
gpu_format_is_supported(enum tg_format format);

void
gpu_pixel_unpack(enum tg_format format, const uint32_t *words, float color[4]);

/* Writes as many words as the format has. */
void
gpu_pixel_pack(enum tg_format format, const float color[4], uint32_t *words);

#endif
