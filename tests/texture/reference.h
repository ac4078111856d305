/* SPDX-License-Identifier: MIT
 *
 * A sampler for one lookup at a time, in doubles: the judge of what shaders
 * sample. It follows the OpenGL 4.6 specification (8.14 and 8.15, of the
 * compatibility profile where wrap modes are older) and the Direct3D 11.3
 * functional specification, in their own order of steps and with integer texel
 * indices, and knows nothing of how this library does it.
 *
 * Where the rules allow more than one answer, or where the operands lie so near
 * to a decision that single precision may fall on the other side, the result
 * says `is_open` and nothing should be concluded from it.
 */
#ifndef TESTS_TEXTURE_REFERENCE_H
#define TESTS_TEXTURE_REFERENCE_H

#include "tgsi/tables/tables.h"
#include "tungsten/resource.h"

enum { REFERENCE_MAX_LEVELS = 15 };

/* A view: its first level is level 0 here, its first layer layer 0. A texel is
 * four doubles, before the swizzle; integers are integers. */
struct reference_texture {
   enum tg_target target;     /* without SHADOW */
   int width, height, depth;  /* of level 0; of a BUFFER its elements */
   int layers;                /* faces count; 1 if the target has none */
   int num_levels;            /* at least 1 */
   int num_samples;           /* at least 1 */
   bool is_fixed_point_depth; /* references are clamped to [0, 1] */
   uint8_t swizzle[4];        /* enum tg_swizzle */
   /* Of each level slice after slice, row after row, texel after texel, sample
    * after sample; a slice is a layer, a face or a depth. */
   double (*texels[REFERENCE_MAX_LEVELS])[4];
   double border[4]; /* what the sampler's border colour is in this format */
};

/* Sizes of a level. */
int
reference_width(const struct reference_texture *texture, int level);
int
reference_height(const struct reference_texture *texture, int level);
int
reference_depth(const struct reference_texture *texture, int level);

/* How far a pixel reaches, and what follows from it. */
struct reference_footprint {
   double lod[2];  /* least and greatest that the rules allow; no bias yet */
   int num_probes; /* 1 without anisotropy */
   double axis[3]; /* from one end of the probes to the other, as coordinates */
   bool is_open;
};

/* The level that is given, or that of a lookup without one: lod 0. */
struct reference_footprint
reference_explicit(double lod);

/* From derivatives, explicit or differences in a quad. */
struct reference_footprint
reference_derivatives(const struct reference_texture *texture,
                      const struct tg_sampler_desc *sampler,
                      const double coord[3], const double dx[3],
                      const double dy[3]);

/* What a lane uses when no derivatives are given: the differences to the lane
 * at the bottom left, which are the same for all four; on a cube as they are
 * seen from where this lane's direction meets a face. */
struct reference_footprint
reference_quad(const struct reference_texture *texture,
               const struct tg_sampler_desc *sampler, double coord[4][3],
               unsigned lane);

struct reference_lookup {
   double coord[3];
   double layer; /* cube arrays: of the cube */
   struct reference_footprint footprint;
   double bias; /* of the shader */
   int offset[3];
   bool compares;
   double reference;
};

struct reference_result {
   double value[4];
   double tolerance[4]; /* 0: only the value itself is right */
   bool is_open;
};

/* Everything that filters. */
void
reference_sample(const struct reference_texture *texture,
                 const struct tg_sampler_desc *sampler,
                 const struct reference_lookup *lookup,
                 struct reference_result *result);

/* The four texels of component `component` that linear filtering of level 0
 * would use, in the order (-,+) (+,+) (+,-) (-,-), not swizzled. With
 * `offsets` result i is (-,-) moved by offsets[i]. */
void
reference_gather(const struct reference_texture *texture,
                 const struct tg_sampler_desc *sampler,
                 const struct reference_lookup *lookup, int component,
                 int (*offsets)[3], struct reference_result *result);

/* One texel, swizzled; zeros for what is not there. `z` counts slices. */
void
reference_fetch(const struct reference_texture *texture, int64_t x, int64_t y,
                int64_t z, int64_t level, int64_t sample,
                struct reference_result *result);

/* x: the level of detail as it is used, y: as it was before the clamps. */
void
reference_query_lod(const struct reference_texture *texture,
                    const struct tg_sampler_desc *sampler,
                    const struct reference_lookup *lookup,
                    struct reference_result *result);

/* The texture's sizes at a level, as TXQ gives them. */
void
reference_query_size(const struct reference_texture *texture, uint32_t level,
                     struct reference_result *result);

/* What a swizzle makes of four values. */
void
reference_swizzle(const uint8_t swizzle[4], double value[4]);

#endif
