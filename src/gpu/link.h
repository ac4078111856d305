/* SPDX-License-Identifier: MIT
 *
 * Which output of the vertex shader each input of the fragment shader reads,
 * and how it changes over a triangle. What they agree on is a list of
 * attributes: the fragment shader's inputs in the order of their registers,
 * without POSITION, FACE and PRIM_ID, which the pipeline itself makes.
 */
#ifndef TG_GPU_LINK_H
#define TG_GPU_LINK_H

#include "gpu/context.h"

enum gpu_interpolation {
   GPU_INTERPOLATE_CONSTANT,
   GPU_INTERPOLATE_LINEAR,
   GPU_INTERPOLATE_PERSPECTIVE,
};

struct gpu_interface {
   uint32_t num_attributes;
   uint8_t input[GPU_MAX_ATTRIBUTES];  /* register of the fragment shader */
   uint8_t output[GPU_MAX_ATTRIBUTES]; /* of the vertex shader, or
                                        * GPU_NO_REGISTER: reads 0 */
   uint8_t interpolation[GPU_MAX_ATTRIBUTES]; /* enum gpu_interpolation */
   uint8_t position; /* output register, or GPU_NO_REGISTER */
};

/* Links by semantic name and index. An input that no output matches reads
 * (0, 0, 0, 0). TG_ERROR_LIMIT over GPU_MAX_ATTRIBUTES. */
enum tg_result
gpu_link(const struct tg_gpu_shader *vs, const struct tg_gpu_shader *fs,
         bool flatshade, struct tg_diagnostics *diagnostics,
         struct gpu_interface *interface_out);

/* The attribute that an input register is, or -1. */
int
gpu_interface_find(const struct gpu_interface *interface, uint32_t input);

#endif
