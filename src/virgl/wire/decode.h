/* SPDX-License-Identifier: MIT
 *
 * Decoding of state: from a command to a description. Nothing is checked: what
 * makes an object of a description does that.
 */
#ifndef VIRGL_WIRE_DECODE_H
#define VIRGL_WIRE_DECODE_H

#include "tungsten/gpu.h"

/* Decodes a state object into its description. `words` is a command, words[0]
 * its header, of a length that stream.h has found to be good. */
void
virgl_decode_blend(const uint32_t *words, struct tg_blend_state *blend);

void
virgl_decode_rasterizer(const uint32_t *words,
                        struct tg_rasterizer_state *rasterizer);

void
virgl_decode_tests(const uint32_t *words,
                   struct tg_depth_stencil_alpha_state *tests);

void
virgl_decode_sampler(const uint32_t *words, struct tg_sampler_desc *sampler);

/* Decodes a box in six words: where it begins, its size. */
struct tg_box
virgl_decode_box(const uint32_t words[6]);

/* Decodes bounds in two words: minima, maxima. */
struct tg_scissor
virgl_decode_scissor(const uint32_t words[2]);

#endif
