/* SPDX-License-Identifier: MIT
 *
 * What a fragment does to one sample of the framebuffer: the tests and blending
 * of OpenGL 4.6, chapter 17, as formulas in doubles.
 */
#ifndef TESTS_REFERENCE_OUTPUT_H
#define TESTS_REFERENCE_OUTPUT_H

#include "tungsten/gpu.h"

enum ref_color_kind { REF_UNORM, REF_SRGB, REF_FLOAT, REF_UINT };

struct ref_output {
   struct tg_blend_state blend;
   struct tg_depth_stencil_alpha_state tests;
   double blend_color[4];
   uint8_t stencil_ref[2];
   bool multisample;
   /* The framebuffer. */
   enum ref_color_kind kind;
   int bits;       /* of a channel that is not a float */
   bool has_alpha; /* else it reads 1 */
   bool has_depth, has_stencil;
   int depth_bits; /* 0: floats */
};

struct ref_fragment {
   double color[2][4]; /* the second is the second source of blending */
   double depth;
   bool is_front;
};

/* What a sample holds. Colours and depth are what its bits stand for: channels
 * of UNORM and SRGB are whole numbers of steps, as is depth with bits. */
struct ref_sample {
   double color[4];
   double depth;
   uint8_t stencil;
};

/* True if the fragment passed all tests. */
bool
ref_output(const struct ref_output *output, const struct ref_fragment *fragment,
           struct ref_sample *sample);

/* Depth as a buffer holds it. */
double
ref_store_depth(const struct ref_output *output, double depth);

#endif
