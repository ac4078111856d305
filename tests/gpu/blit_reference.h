/* SPDX-License-Identifier: MIT
 *
 * What a blit must do, worked out one texel of the target at a time, in double
 * precision.
 */
#ifndef TESTS_GPU_BLIT_REFERENCE_H
#define TESTS_GPU_BLIT_REFERENCE_H

#include "resource/resource.h"
#include "tungsten/gpu.h"

/* A resource that must be possible. */
struct tg_resource *
blit_make(const struct tg_resource_desc *desc);

/* All slices of a level. */
struct tg_blit_side
blit_side(struct tg_resource *resource, uint32_t level);

/* Colours of level 0 of one become those of level 0 of the other. */
struct tg_blit_info
blit_all(struct tg_resource *dst, struct tg_resource *src);

/* How many texels of targets were looked at, and were to be drawn. */
struct blit_counts {
   unsigned long texels, drawn;
};

/* Blits, and asserts that the target is what it must be, all of it. Source and
 * target are not compressed. */
void
blit_and_check(struct tg_context *gpu, const struct tg_blit_info *info,
               struct blit_counts *counts);

#endif
