/* SPDX-License-Identifier: MIT
 *
 * One axis of a blit: clipping and sampling positions: which positions of the
 * target are drawn, and from which of the source. All is worked out here, in
 * exact integers, so that kernels are given places in memory and weights.
 */
#ifndef TG_GPU_BLIT_AXIS_H
#define TG_GPU_BLIT_AXIS_H

#include <stdbool.h>
#include <stdint.h>

/* Words of a position of the target that is drawn: numbers of positions; later
 * places in units, which are added up over the axes. */
enum gpu_blit_word {
   GPU_BLIT_TO,
   GPU_BLIT_FROM,
   GPU_BLIT_FROM_NEXT, /* of an axis that is filtered: the second texel, and */
   GPU_BLIT_WEIGHT,    /* its weight, a float */
   GPU_BLIT_PIXEL,     /* of the source, in its plane of pixels of one colour */
   GPU_BLIT_WORDS,
};

/* A side of a box, of which `length` may be negative, and the size of the level
 * that it is in. */
struct gpu_blit_span {
   int32_t start, length;
   uint32_t size;
};

struct gpu_blit_axis {
   struct gpu_blit_span to, from;
   uint32_t min, max; /* only positions from min up to max are drawn */
   bool is_linear;    /* the filter */
};

/* Do two texels count, each with its weight? Not where the lengths are the
 * same, so that texels fall on texels. */
bool
gpu_blit_axis_is_filtered(const struct gpu_blit_axis *axis);

/* An upper bound on the positions that are written. */
uint32_t
gpu_blit_axis_bound(const struct gpu_blit_axis *axis);

/* Fills in the positions that are written, each with the texels that it reads:
 * inside of the box, the target and min to max, with a centre that is inside of
 * the source. Returns how many there are. */
uint32_t
gpu_blit_axis_fill(const struct gpu_blit_axis *axis,
                   uint32_t (*words_out)[GPU_BLIT_WORDS]);

#endif
