/* SPDX-License-Identifier: MIT
 *
 * A rasteriser that asks of one sample at a time whether a primitive covers it,
 * and what it sees there: the judge of what the GPU draws. It follows the
 * OpenGL 4.6 specification (chapter 14 of the compatibility profile), and
 * Direct3D 11 for the places of samples and the top-left rule. Everything is in
 * doubles, or in exact integers where a decision hangs on them, and it knows
 * nothing of how this library does it.
 *
 * A position is rounded to 256ths of a pixel; that is part of the rules. Where
 * the rules leave it open whether a sample is covered, because an end that was
 * cut off lies somewhere near, the answer is REF_OPEN.
 */
#ifndef TESTS_REFERENCE_REFERENCE_H
#define TESTS_REFERENCE_REFERENCE_H

#include "tungsten/gpu.h"

enum {
   REF_SUBPIXELS = 256,
   REF_NUM_ATTRIBUTES = 2,
   REF_MAX_SHAPES = 3, /* that a primitive becomes: edges of a triangle */
   REF_MAX_SAMPLES = 16,
};

/* ---- what is drawn ------------------------------------------------------- */

/* What a vertex shader makes. */
struct ref_vertex {
   double position[4]; /* clip space */
   double point_size;
   bool is_edge; /* EDGEFLAG: of the edge that begins here */
   double clip_distance[TG_MAX_CLIP_PLANES];
   double attribute[REF_NUM_ATTRIBUTES][4];
};

/* The state that says where a primitive is drawn, and how. */
struct ref_setup {
   struct tg_rasterizer_state rasterizer;
   struct tg_viewport viewport;
   struct tg_scissor scissor;
   int width, height; /* of the framebuffer */
   int num_samples;
   uint32_t stipple[32];
   double depth_unit; /* the smallest step of depth; 0: of a float format */
};

enum ref_kind { REF_POINT = 1, REF_LINE, REF_TRIANGLE }; /* or: vertices */

/* ---- shapes -------------------------------------------------------------- */

/* Coordinates in 256ths of a pixel. */
struct ref_place {
   int64_t x, y;
};

/* Not negative on the inside, for x and y in pixels. */
struct ref_half_plane {
   double a, b, c; /* a x + b y + c; a and b have length 1 */
};

/* A point, a line or a triangle in the window. */
struct ref_shape {
   const struct ref_setup *setup;
   enum ref_kind kind; /* what it is drawn as */
   bool is_polygon;    /* it came from a triangle */
   bool is_front;
   struct ref_vertex vertex[3];
   struct ref_vertex provoking; /* that constants come from */
   struct ref_place place[3];
   double z[3]; /* window's depth, offset not included */
   double offset;
   int stipple_start; /* fragments of the strip before it */

   /* With is_cut only these say what is covered: edges, the near and the far
    * plane, and the user's. */
   bool is_cut;
   int num_half_planes;
   struct ref_half_plane half_plane[3 + 2 + TG_MAX_CLIP_PLANES];
};

/* Where a coordinate in pixels is rounded to. `is_open_out` becomes true when
 * single precision might fall on the other side of a half. */
int64_t
ref_round(double coordinate, bool *is_open_out);

/* What is left of a primitive: 0 shapes if nothing can be seen of it, or if it
 * is culled. `is_open_out` says that a position was too near between two places
 * to conclude anything. */
int
ref_make_shapes(const struct ref_setup *setup, enum ref_kind kind,
                const struct ref_vertex *vertices,
                struct ref_shape shapes[REF_MAX_SHAPES], bool *is_open_out);

/* Pixels that may be covered: from min up to, without, max. */
struct ref_bounds {
   int min_x, min_y, max_x, max_y;
};
struct ref_bounds
ref_get_bounds(const struct ref_shape *shape);

/* ---- samples ------------------------------------------------------------- */

/* Do samples of a pixel have places of their own? */
bool
ref_has_samples(const struct ref_setup *setup);

enum ref_cover { REF_OUT, REF_IN, REF_OPEN };

/* Sample `sample` of `num_samples` in its pixel, in 256ths. */
struct ref_place
ref_sample_place(int num_samples, int sample);

/* Is a sample of pixel (x, y) in the shape, the scissor and the framebuffer? */
enum ref_cover
ref_covers(const struct ref_shape *shape, int x, int y, int sample);

/* The parts of it: each kind by itself, for a place in the window. */
enum ref_cover
ref_triangle_covers(const struct ref_shape *shape, struct ref_place at);
enum ref_cover
ref_point_covers(const struct ref_shape *shape, struct ref_place at);
enum ref_cover
ref_line_covers(const struct ref_shape *shape, struct ref_place at);

/* Which fragment of its segment a pixel on an aliased line is, from 0. */
int
ref_line_step(const struct ref_shape *shape, int x, int y);
/* How many there are. */
int
ref_line_length(const struct ref_shape *shape);

/* ---- values -------------------------------------------------------------- */

enum ref_interpolation { REF_CONSTANT, REF_LINEAR, REF_PERSPECTIVE };

/* An attribute at a place of the window. */
void
ref_interpolate(const struct ref_shape *shape, struct ref_place at,
                int attribute, enum ref_interpolation interpolation,
                double value_out[4]);

/* Depth there, with offset, and 1 / w. */
double
ref_depth(const struct ref_shape *shape, struct ref_place at);
double
ref_reciprocal_w(const struct ref_shape *shape, struct ref_place at);

/* The point sprite's (s, t). */
void
ref_sprite(const struct ref_shape *shape, struct ref_place at, double st[2]);

#endif
