/* SPDX-License-Identifier: MIT
 *
 * The GPU: one call that draws triangles from resources to resources. State is
 * a plain structure with Gallium's names and numbers, handed to each draw;
 * nothing lingers.
 *
 * A context and what was made from it may be used by one thread at a time.
 */
#ifndef TG_GPU_GPU_H
#define TG_GPU_GPU_H

#include <stdbool.h>
#include <stdint.h>

#include "tgsi/tables.h"
#include "tungsten/resource.h"
#include "tungsten/tgsi.h"

enum {
   GPU_MAX_SIZE = 16384, /* of a texture or framebuffer, in pixels */
   GPU_MAX_COLORS = 8,
   GPU_MAX_VERTEX_BUFFERS = 32,
   GPU_MAX_VERTEX_ELEMENTS = 32,
   GPU_MAX_ATTRIBUTES = 80, /* registers that a vertex hands to fragments */
};

struct gpu_context;
struct gpu_shader;

/* ---- context ------------------------------------------------------------- */

/* `allocator` NULL takes the default. TG_ERROR_MEMORY. */
enum tg_result
gpu_context_create(const struct tg_allocator *allocator,
                   struct gpu_context **context_out);

/* Bounds what draws may cost from now on: waves and turns of their loops, each
 * as many times as the shader has 64 instructions, begun ones too. At first
 * there is no bound. */
void
gpu_set_work(struct gpu_context *context, uint64_t work);

/* From now on shaders are checked as check/check.h says; findings are errors
 * among the diagnostics of a draw, which is a success all the same. To be
 * called before the first draw. */
void
gpu_set_check(struct gpu_context *context);

/* Shaders must be gone already. Takes NULL. */
void
gpu_context_destroy(struct gpu_context *context);

/* ---- shaders ------------------------------------------------------------- */

/* A shader that tg_shader_validate() has found good; it must outlive this.
 * TG_ERROR_UNSUPPORTED when the stage or a property is one that draws do not
 * know; TG_ERROR_LIMIT, TG_ERROR_MEMORY. */
enum tg_result
gpu_shader_create(struct gpu_context *context, const struct tg_shader *shader,
                  struct tg_diagnostics *diagnostics,
                  struct gpu_shader **shader_out);

/* Takes NULL. Kernels made from it stay in the context's cache. */
void
gpu_shader_destroy(struct gpu_shader *shader);

/* ---- state --------------------------------------------------------------- */

enum gpu_face {
   GPU_FACE_NONE,
   GPU_FACE_FRONT = 1,
   GPU_FACE_BACK = 2,
   GPU_FACE_FRONT_AND_BACK = 3,
};

/* window = ndc * scale + translate; y grows downwards in the window. */
struct gpu_viewport {
   float scale[3];
   float translate[3];
};

struct gpu_rasterizer {
   bool front_ccw;       /* as one sees the window, with y downwards */
   uint8_t cull_face;    /* enum gpu_face */
   bool flatshade;       /* COLOR inputs are constant */
   bool flatshade_first; /* constants come from the first vertex */
   bool clip_halfz;      /* z is visible from 0 to w, not from -w to w */
};

struct gpu_depth {
   bool enabled;
   bool writemask;
   uint8_t func; /* enum tg_compare: fragment's z `func` the buffer's */
};

/* Level 0 of 2D textures. All have the framebuffer's size or more. */
struct gpu_framebuffer {
   uint32_t width, height;
   uint32_t num_colors;
   struct tg_resource *color[GPU_MAX_COLORS]; /* NULL: writes go nowhere */
   struct tg_resource *depth;                 /* or NULL: no depth test */
};

struct gpu_vertex_element {
   uint32_t src_offset; /* bytes from the start of a vertex; times of 4 */
   uint32_t stride;     /* bytes from vertex to vertex; times of 4 */
   uint8_t buffer;
   uint16_t format;           /* enum tg_format */
   uint32_t instance_divisor; /* 0: goes with the vertex */
};

struct gpu_vertex_buffer {
   struct tg_resource *buffer;
   uint32_t offset; /* bytes, a multiple of 4 */
};

/* Everything that a draw depends on; all zero is a start. Borrowed. */
struct gpu_state {
   const struct gpu_shader *vs, *fs;
   /* What each stage sees; NULL: nothing. */
   const struct tg_bindings *vertex, *fragment;
   struct gpu_viewport viewport;
   struct gpu_rasterizer rasterizer;
   struct gpu_depth depth;
   struct gpu_framebuffer framebuffer;
   uint32_t num_elements;
   struct gpu_vertex_element elements[GPU_MAX_VERTEX_ELEMENTS];
   struct gpu_vertex_buffer vertex_buffers[GPU_MAX_VERTEX_BUFFERS];
};

struct gpu_draw_info {
   uint8_t mode;       /* enum tg_primitive: TRIANGLES or TRIANGLE_STRIP */
   uint8_t index_size; /* bytes: 0 for none, 2 or 4 */
   struct tg_resource *index_buffer;
   uint32_t start, count; /* of vertices, or of indices */
   int32_t index_bias;    /* added to each index */
   bool primitive_restart;
   uint32_t restart_index;
   uint32_t start_instance, instance_count; /* a count of 0 draws nothing */
};

/* ---- drawing ------------------------------------------------------------- */

/* Draws. When state or shaders do not fit, says why and has drawn nothing:
 * TG_ERROR_INPUT, TG_ERROR_UNSUPPORTED. TG_ERROR_LIMIT when a shader used up
 * its loop budget or the draws their work, and TG_ERROR_MEMORY may come after
 * something was drawn. */
enum tg_result
gpu_draw(struct gpu_context *context, const struct gpu_state *state,
         const struct gpu_draw_info *info, struct tg_diagnostics *diagnostics);

/* Sets all pixels of level 0, converted like a fragment's colour; for a depth
 * format color[0] is the depth. */
void
gpu_clear(struct tg_resource *resource, const float color[4]);

/* What was done since the context was created. */
struct gpu_statistics {
   uint64_t vertices, triangles; /* shaded; behind clipping and culling */
   uint64_t fragments;           /* covered pixels */
   uint64_t vertex_waves, fragment_waves;
   uint64_t kernels; /* compiled */
};

const struct gpu_statistics *
gpu_get_statistics(const struct gpu_context *context);

#endif
