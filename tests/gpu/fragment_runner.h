/* SPDX-License-Identifier: MIT
 *
 * Fragment kernels by themselves: a shader's text, a key, and a wave with
 * constants and surfaces made by hand. Each run is done twice, as lowered and
 * optimised, and both must leave the same.
 */
#ifndef TESTS_GPU_FRAGMENT_RUNNER_H
#define TESTS_GPU_FRAGMENT_RUNNER_H

#include "gpu/context/context.h"
#include "gpu/fragment/fragment_kernel.h"
#include "gpu/raster/shape.h"

enum {
   RUNNER_WIDTH = 4, /* a wave: four quads from (0, 0) on, row by row */
   RUNNER_HEIGHT = 4,
   RUNNER_SURFACE_WORDS = 2048,
};

struct fragment_runner {
   struct tg_diagnostics *diagnostics;
   struct tg_context *gpu;
   struct tg_shader *source;
   struct tg_gpu_shader *shader;
   struct gpu_interface interface;
   struct gpu_fragment_key key;

   uint32_t stage[GPU_MAX_SHAPE_WORDS];
   uint32_t frame[GPU_FRAME_WORDS];
   uint32_t input[GPU_FRAGMENT_INPUT_WORDS][LIR_LANES];
   uint32_t output[GPU_FRAGMENT_OUTPUT_WORDS][LIR_LANES];
   uint32_t surfaces[GPU_NUM_SURFACE_BINDINGS][RUNNER_SURFACE_WORDS];
   uint32_t images[ABI_NUM_IMAGE_BINDINGS * ABI_IMAGE_WORDS];
   uint32_t launched, live; /* before and after; all at first */
   uint32_t num_insts;      /* of the optimised kernel, all functions */
};

/* Attributes are the inputs that the pipeline does not make, in their order,
 * interpolated as declared; COLOR is PERSPECTIVE. One sample, no state. */
void
fragment_runner_init(struct fragment_runner *runner, const char *text);
void
fragment_runner_finish(struct fragment_runner *runner);

/* Fails the test when the kernel is not right, or passes change what it does.
 */
void
fragment_runner_run(struct fragment_runner *runner);

/* The lane of a pixel. */
unsigned
fragment_runner_lane(uint32_t x, uint32_t y);

/* Sets a plane of the shape: its value at (0, 0) and its slopes. */
void
fragment_runner_plane(struct fragment_runner *runner, uint32_t word, float a,
                      float da_dx, float da_dy);

/* The same of a channel of an attribute. */
void
fragment_runner_attribute(struct fragment_runner *runner, uint32_t attribute,
                          unsigned channel, float a, float da_dx, float da_dy);

/* Makes a surface of the wave's pixels: rows without gaps, or the microtile of
 * a sample, samples one behind the other, `num_layers` of that. Binding
 * GPU_BINDING_DEPTH is the depth. */
void
fragment_runner_surface(struct fragment_runner *runner, uint32_t binding,
                        enum tg_format format, unsigned num_layers);

/* A texel of a surface. */
void *
fragment_runner_texel(struct fragment_runner *runner, uint32_t binding,
                      uint32_t x, uint32_t y, unsigned sample, unsigned layer);

/* The byte that says whether a pixel is one colour, once the key says that
 * there is one. */
uint8_t *
fragment_runner_one_color(struct fragment_runner *runner, uint32_t color,
                          uint32_t x, uint32_t y);

/* Lets FBFETCH read the first layer of the colour buffers that there are. */
void
fragment_runner_bind_colors(struct fragment_runner *runner);

#endif
