/* SPDX-License-Identifier: MIT
 *
 * A row of TEXS or TLDS, the texture that it looks at, what its operands are
 * for each thread, and what comes out.
 */
#ifndef TESTS_MAXWELL_ROW_TEXELS_H
#define TESTS_MAXWELL_ROW_TEXELS_H

#include "tungsten/maxwell.h"

/* What Ra and Rb hold: coordinates s, t and r, the layer a, the level l, and
 * the reference c; integers x, y and z, v for the level, o for the offset, and
 * the sample m. */
struct row_case {
   const char *form;
   unsigned number;
   const char *modifiers, *target;
   const char *ra, *rb;
};

/* The resource of the view is the caller's. */
void
row_make_texture(const struct row_case *row, struct tg_view_desc *view_out,
                 struct tg_sampler_desc *sampler_out);

/* What the letter of an operand stands for. */
uint32_t
row_operand(const struct row_case *row, unsigned thread, char operand);

/* The word that a component of the result is, R, G, B or A; and as a half,
 * where
 * - is 0. */
uint32_t
row_component(const struct row_case *row, unsigned thread, char component);
uint32_t
row_half(const struct row_case *row, unsigned thread, char component);

/* What is there to be compared with. */
uint32_t
row_depth(const struct row_case *row, unsigned thread);

#endif
