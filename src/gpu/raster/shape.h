/* SPDX-License-Identifier: MIT
 *
 * Shapes: what setup makes of points, lines and triangles, what the rasteriser
 * covers pixels with, and what the fragment kernel reads of them.
 *
 * Window coordinates have 8 fractional bits. A shape is convex: the
 * samples that are inside all of its edges, and its bounds.
 */
#ifndef TG_GPU_SHAPE_H
#define TG_GPU_SHAPE_H

#include "gpu/core/limits.h"

enum {
   GPU_SUBPIXEL_BITS = 8,
   /* What is further away is cut off, so that a block of 4 by 4 pixels changes
    * an edge by less than 2^30 times 256. */
   GPU_GUARD_BAND = 1 << 18,
   GPU_MAX_EDGES = 4,
};

/* Value at the centre of pixel (x, y), 0 or more inside: 256 (a x + b y) + c.
 * From subpixel to subpixel it changes by a and b. Ties are folded into c. */
struct gpu_edge {
   int32_t a, b;
   int64_t c;
};

static inline int64_t
gpu_edge_at(const struct gpu_edge *edge, int32_t x, int32_t y)
{
   const int64_t change = (int64_t)edge->a * x + (int64_t)edge->b * y;
   return change * (1 << GPU_SUBPIXEL_BITS) + edge->c;
}

/* What the shape was when it was drawn: state that is for one kind of
 * primitives goes by this. A polygon that is drawn as lines or points is these.
 */
enum gpu_shape_kind {
   GPU_SHAPE_POLYGON,
   GPU_SHAPE_LINE,
   GPU_SHAPE_POINT,
   GPU_NUM_SHAPE_KINDS,
};

struct gpu_shape {
   struct gpu_edge edge[GPU_MAX_EDGES];
   uint8_t num_edges;
   uint8_t kind;     /* enum gpu_shape_kind */
   bool is_round;    /* covers what is within a circle, too */
   bool is_by_pixel; /* all samples are as the pixel's centre */
   bool is_cut;      /* bounds leave out some of what is inside the edges */
   /* Of a triangle or point within four quads, 2 by 2 from that of (min_x,
    * min_y) on: the pixels whose centres are covered, in the order of a
    * block's; nobody looks at the edges then, and it need not have any. 0: only
    * edges tell. */
   uint16_t quads;
   /* Pixels, inclusive; never outside of the framebuffer. */
   int32_t min_x, min_y, max_x, max_y;
   uint32_t layer;
   uint32_t constants; /* first word in its batch */
   /* Of the circle, in subpixels and their squares. */
   int32_t center_x, center_y;
   int64_t squared_radius;
};

/* The words of a shape's constants, which the fragment kernel finds in SYSVAL
 * memory: lanes of a wave may be of different shapes. A plane is a, da/dx,
 * da/dy, and has the value a + dx * da/dx + dy * da/dy, rounded after each sum,
 * where dx and dy lead from the reference pixel's corner. A PERSPECTIVE
 * attribute's plane is that of attribute / w; of a CONSTANT one only `a`
 * counts, and is bits. */
enum gpu_shape_word {
   GPU_SHAPE_X, /* of the reference, floats */
   GPU_SHAPE_Y,
   GPU_SHAPE_FACE,  /* 1.0 in front, else -1.0; lines and points are in front,
                     * unless they are of a polygon */
   GPU_SHAPE_ID,    /* of the primitive, an integer */
   GPU_SHAPE_LAYER, /* that is drawn to */
   GPU_SHAPE_WRITTEN_LAYER, /* as shaders read it */
   GPU_SHAPE_WRITTEN_VIEWPORT,
   GPU_SHAPE_MIN_DEPTH, /* of the viewport, for depth clamping, floats */
   GPU_SHAPE_MAX_DEPTH,
   /* Of smooth lines and points, which are within these distances of the
    * middle: see ACROSS and ALONG. A pixel whose centre is half a pixel within
    * the edge is covered wholly; one half a pixel outside not at all. */
   GPU_SHAPE_HALF_ACROSS,
   GPU_SHAPE_HALF_ALONG,
   /* Four planes, coefficient by coefficient: of the window's z, of 1 / w, and
    * of the distance in pixels from the middle of a smooth line or point,
    * across and along; those of a point are x and y, and the radius. Fours of
    * words begin here, and the one before is not used. */
   GPU_SHAPE_Z = 12,
   GPU_SHAPE_W,
   GPU_SHAPE_ACROSS,
   GPU_SHAPE_ALONG,
   GPU_PLANES_WORDS = 12, /* of four planes: from one's `a` it is so far to its
                           * da/dx and da/dy: */
   GPU_PLANE_DX = 4,
   GPU_PLANE_DY = 8,
   /* Four planes each. */
   GPU_SHAPE_ATTRIBUTES = GPU_SHAPE_Z + GPU_PLANES_WORDS,
   GPU_MAX_SHAPE_WORDS =
      GPU_SHAPE_ATTRIBUTES + GPU_MAX_ATTRIBUTES * GPU_PLANES_WORDS,
};

/* The `a` of an attribute's channel. */
static inline uint32_t
gpu_shape_attribute(uint32_t attribute, unsigned channel)
{
   return GPU_SHAPE_ATTRIBUTES + attribute * GPU_PLANES_WORDS + channel;
}

/* Words of a shape with so many attributes. */
static inline uint32_t
gpu_shape_num_words(uint32_t num_attributes)
{
   return gpu_shape_attribute(num_attributes, 0);
}

#endif
