/* SPDX-License-Identifier: MIT
 *
 * Blit shaders: fragment shaders that copy a texture, whose colour is a texel
 * at the coordinates that an input is, and nothing else.
 */
#ifndef TG_GPU_TEXTURE_COPY_H
#define TG_GPU_TEXTURE_COPY_H

#include <stdbool.h>
#include <stdint.h>

struct tg_shader;

struct gpu_texture_copy {
   bool exists;
   uint8_t input;      /* register, whose x and y are the coordinates */
   uint8_t sampler;    /* and view; of a 2D or RECT target */
   bool is_rect;       /* coordinates are texels */
   uint8_t output;     /* register */
   uint8_t swizzle[4]; /* where its channels come from: enum tg_swizzle */
};

/* Is this shader one? It has MOV and one TEX, and no other instruction. */
void
gpu_find_texture_copy(const struct tg_shader *shader,
                      struct gpu_texture_copy *copy_out);

#endif
