/* SPDX-License-Identifier: MIT
 *
 * State objects: blend, rasterizer, depth-stencil-alpha, vertex elements. Each
 * is checked when it is created, together with the part of the fragment key
 * that follows from it alone, and does not change after that, so that any
 * number of contexts and threads read one.
 */
#ifndef TG_GPU_OBJECTS_H
#define TG_GPU_OBJECTS_H

#include "lower/fixed_function/blend.h"
#include "lower/fixed_function/stencil.h"
#include "tungsten/gpu.h"
#include "util/refcount.h"

/* The first member of each. */
struct gpu_object {
   struct tg_refcount refs;
   struct tg_device *device; /* a reference; NULL: a constant, not counted */
};

struct tg_blend {
   struct gpu_object object;
   struct tg_blend_state state;
   /* Of each colour buffer: with independent_blend_enable or without, and
    * disabled where it would replace. */
   struct lower_blend_key key[TG_MAX_COLOR_BUFFERS];
};

struct tg_rasterizer {
   struct gpu_object object;
   struct tg_rasterizer_state state;
};

struct tg_depth_stencil_alpha {
   struct gpu_object object;
   struct tg_depth_stencil_alpha_state state;
   bool tests_alpha, tests_depth; /* enabled, and able to fail or to write */
   struct lower_stencil_key stencil[2];
};

struct tg_vertex_elements {
   struct gpu_object object;
   uint32_t count;
   struct tg_vertex_element elements[TG_MAX_VERTEX_ELEMENTS];
};

/* What is bound at first. */
extern const struct tg_blend gpu_default_blend;
extern const struct tg_rasterizer gpu_default_rasterizer;
extern const struct tg_depth_stencil_alpha gpu_default_depth_stencil_alpha;
extern const struct tg_vertex_elements gpu_default_vertex_elements;

/* Can a vertex element have the format? Uncompressed colours can. */
bool
gpu_is_vertex_element_format(enum tg_format format);

/* Creates a constant state object: a copy of `size` bytes of an object, with
 * one reference; NULL: no memory. */
void *
gpu_object_create(struct tg_device *device, const void *object, size_t size);

/* Adds and drops references; not of constants. `size` is that of the whole. */
void
gpu_object_ref(struct gpu_object *object);
void
gpu_object_drop(const struct gpu_object *object, size_t size);

#endif
