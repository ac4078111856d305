/* SPDX-License-Identifier: MIT
 *
 * The parts of a lookup's function: one file each, in the order in which they
 * follow each other. Only this folder includes it.
 */
#ifndef TG_LOWER_SAMPLE_PARTS_H
#define TG_LOWER_SAMPLE_PARTS_H

#include "lower/sample/sample.h"

/* Registers of the functions, and of those that call them. */
enum sample_variable {
   SAMPLE_RESULT,                     /* four words, so far */
   SAMPLE_SUM = SAMPLE_RESULT + 4,    /* of the results of several probes */
   SAMPLE_PROBE = SAMPLE_SUM + 4,     /* the number of one */
   SAMPLE_TEXELS,                     /* what two ways of reading give */
   SAMPLE_CHOSEN = SAMPLE_TEXELS + 4, /* what one of several calls gives */
   SAMPLE_NUM_VARIABLES = SAMPLE_CHOSEN + 4,
};

/* A function that is being written. What is the same for all levels and probes
 * is worked out once. */
struct sample {
   struct lir_builder *builder;
   const uint32_t *variables; /* by enum sample_variable */
   struct sample_kind kind;
   lir_value argument[SAMPLE_NUM_ARGUMENTS]; /* 0 unless the kind reads it */
   const struct abi_view_key *view;
   const struct abi_sampler_key *sampler;
   uint8_t num_axes; /* along which texels lie: a cube has two */
   bool is_cube;
   bool is_array;
   bool is_normalized; /* coordinates go from 0 to 1, not to the size */
   bool is_integer;    /* texels are integers, which cannot be blended */
   bool keeps_codes;   /* texels are codes for a while, see texel.h */

   lir_value border[4]; /* a texel */
   lir_value reference; /* clamped as the format wants it */
   lir_value offset[4][3];
};

/* The CONST binding that has the view's descriptor, and where in it a word of
 * that is. */
unsigned
sample_view_binding(const struct sample *sample);
unsigned
sample_view_place(const struct sample *sample, unsigned word);

/* A word that describes the view or the sampler. */
lir_value
sample_view_word(const struct sample *sample, unsigned word);
lir_value
sample_sampler_word(const struct sample *sample, unsigned word);

/* Sets the result: as it is, or as the view's swizzle says. */
void
sample_give(const struct sample *sample, const lir_value result[4]);
void
sample_give_texel(const struct sample *sample, const lir_value texel[4]);

/* The component of a texel that the view's swizzle puts at `channel`. */
lir_value
sample_swizzle(const struct sample *sample, const lir_value texel[4],
               unsigned channel);

/* x, or 0 where it is NaN; or where it is infinite, too. */
lir_value
sample_number(struct lir_builder *builder, lir_value x);
lir_value
sample_finite(struct lir_builder *builder, lir_value x);

/* a + (b - a) * weight, with one rounding less. */
lir_value
sample_blend(struct lir_builder *builder, lir_value a, lir_value b,
             lir_value weight);

/* ---- cube.c -------------------------------------------------------------- */

/* The face that a direction points at, by the component that is greatest. */
struct sample_face {
   lir_value number;     /* 0 to 5: +x, -x, +y, -y, +z, -z */
   lir_value is_x, is_y; /* neither: z */
   lir_value sign;       /* bit 31 is that of the greatest component */
   lir_value major;      /* its magnitude, above 0 */
   lir_value s, t;       /* from -major to major */
};

struct sample_face
sample_cube_face(struct lir_builder *builder, const lir_value direction[3]);

/* From the derivative of a direction to that of s and t on its face, where a
 * face is 2 wide. */
void
sample_cube_derivative(struct lir_builder *builder,
                       const struct sample_face *face,
                       const lir_value derivative[3], lir_value out[2]);

/* The direction of the place s, t of a face whose major component is `major`.
 */
void
sample_cube_direction(struct lir_builder *builder,
                      const struct sample_face *face, lir_value s, lir_value t,
                      lir_value major, lir_value direction_out[3]);

/* ---- point.c ------------------------------------------------------------- */

/* Coordinates as they are wrapped: of a cube those on its face. */
struct sample_point {
   lir_value coord[3];
   struct sample_face face; /* of a cube */
   lir_value slice;         /* of arrays and cubes */
   lir_value cube_slice;    /* of cube arrays: face 0 */
};

struct sample_point
sample_find_point(const struct sample *sample, const lir_value coord[3]);

/* ---- border.c ------------------------------------------------------------ */

/* What the format has not is 0, and 1 for alpha; a depth is within its bounds
 * if it is compared. */
void
sample_find_border(const struct sample *sample, lir_value border_out[4]);

/* Has the view's format not this component, which is then a constant? */
bool
sample_border_is_absent(const struct sample *sample, unsigned component);

/* ---- fetch.c ------------------------------------------------------------- */

/* A level of the view. Sizes and pitches are of the axes that there are. */
struct sample_level {
   lir_value size[3];
   lir_value size_float[3];
   lir_value offset;   /* of the first texel, in units */
   lir_value pitch[3]; /* from one texel to the next along an axis */
   lir_value slice_pitch;
};

struct sample_level
sample_fetch_level(const struct sample *sample, lir_value number);

/* The first texel of a slice, in units. */
lir_value
sample_fetch_slice(const struct sample *sample,
                   const struct sample_level *level, lir_value slice);

/* The texel whose first unit is `index`. */
void
sample_fetch_texel(const struct sample *sample, lir_value index,
                   lir_value out[4]);

/* SAMPLE_FETCH. */
void
sample_emit_fetch(const struct sample *sample);

/* ---- wrap.c -------------------------------------------------------------- */

/* The texels along one axis that a coordinate leads to: one or two. */
struct sample_taps {
   lir_value place[2];
   lir_value part[2];      /* of a texel's index: the place times the pitch */
   bool has_border;        /* places may be outside */
   lir_value is_inside[2]; /* if so */
   lir_value weight;       /* of the second */
};

/* `offset` is which of the lookup's offsets counts. */
void
sample_wrap_nearest(const struct sample *sample,
                    const struct sample_level *level, unsigned axis,
                    lir_value coord, unsigned offset,
                    struct sample_taps *taps_out);
void
sample_wrap_linear(const struct sample *sample,
                   const struct sample_level *level, unsigned axis,
                   lir_value coord, unsigned offset,
                   struct sample_taps *taps_out);

/* The two texels of a linear filter by themselves; the weight is not set. */
void
sample_wrap_gather(const struct sample *sample,
                   const struct sample_level *level, unsigned axis,
                   lir_value coord, unsigned offset,
                   struct sample_taps *taps_out);

/* ---- compare.c ----------------------------------------------------------- */

/* A reference or a depth within the bounds of the view's format. */
lir_value
sample_compare_bound(const struct sample *sample, lir_value depth);

/* 1 where the comparison with a texel's depth holds, else 0. */
lir_value
sample_compare(const struct sample *sample, lir_value depth);

/* ---- seam.c -------------------------------------------------------------- */

/* The 2x2 texels around a place of a cube's face, those beyond an edge from the
 * face after it: places -1 and `size` of `taps` are outside. Texel 2 j + i. */
void
sample_seam_texels(const struct sample *sample,
                   const struct sample_level *level,
                   const struct sample_point *point,
                   const struct sample_taps taps[2], lir_value texel_out[4][4]);

/* ---- filter.c ------------------------------------------------------------ */

/* What a texel counts as: itself, or (k, k, k, 1) where k is how the comparison
 * came out. */
void
sample_filter_texel(const struct sample *sample, lir_value texel[4]);

/* Samples one level with one filter. */
void
sample_filter_level(const struct sample *sample, enum tg_filter filter,
                    lir_value number, const struct sample_point *point,
                    lir_value texel_out[4]);

/* SAMPLE_GATHER. */
void
sample_filter_gather(const struct sample *sample);

/* ---- lod.c --------------------------------------------------------------- */

/* The level of detail, as far as the kind has one. */
struct sample_detail {
   lir_value lambda;     /* with all biases, before all clamps */
   lir_value lod;        /* clamped by the sampler */
   lir_value num_probes; /* a float, if there are several */
   lir_value is_along_x; /* the longer derivative, along which they lie */
};

struct sample_detail
sample_lod_detail(const struct sample *sample);

/* Whether a footprint may have several probes. */
bool
sample_lod_has_probes(const struct sample *sample);

/* A lod within the levels of the view. */
lir_value
sample_existing_lod(const struct sample *sample, lir_value lod);

/* The level that is nearest to such a lod; half way, the finer one. */
lir_value
sample_level_of_lod(const struct sample *sample, lir_value lod);

/* SAMPLE_LOD. */
void
sample_emit_lod(const struct sample *sample);

/* ---- levels.c ------------------------------------------------------------ */

/* SAMPLE_FILTER. */
void
sample_emit_levels(const struct sample *sample);

/* ---- query.c ------------------------------------------------------------- */

void
sample_emit_query(const struct sample *sample);

#endif
