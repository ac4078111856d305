/* SPDX-License-Identifier: MIT
 *
 * Setup: from primitives of vertex records to shapes and their constants.
 * Clipping, culling, viewports, facing, what polygons are drawn as, and the
 * forms of points and lines are here.
 *
 * A record has the words of all output registers of the shader before
 * fragments: channel c of register r is word r * 4 + c.
 */
#ifndef TG_GPU_SETUP_H
#define TG_GPU_SETUP_H

#include "gpu/raster/shape.h"
#include "gpu/state/link.h"

/* How far apart the depths of a buffer are: the unit of polygon offset. */
enum gpu_depth_kind {
   GPU_DEPTH_UNORM24, /* too where there is no buffer, or of 32 bits */
   GPU_DEPTH_UNORM16,
   GPU_DEPTH_FLOAT,
};

/* State of a draw; nothing changes it while it is in use. */
struct gpu_setup_state {
   const struct tg_rasterizer_state *rasterizer;
   const struct tg_viewport *viewports;             /* TG_MAX_VIEWPORTS */
   const struct tg_scissor *scissors;               /* as many */
   const float (*clip_planes)[4];                   /* TG_MAX_CLIP_PLANES */
   uint32_t width, height, num_layers, num_samples; /* of the framebuffer */
   uint8_t depth_kind;                              /* enum gpu_depth_kind */
   struct gpu_record_layout layout;
   const struct gpu_interface *interface;
};

/* Of what is set, for records of the last shader before fragments. */
void
gpu_setup_state_init(struct gpu_setup_state *setup,
                     const struct gpu_state *state,
                     const struct tg_gpu_shader *last,
                     const struct gpu_interface *interface);

/* Where shapes go. */
struct gpu_shape_sink {
   /* Room for words, until the next call, and the number of the first. NULL:
    * there is no memory. */
   uint32_t *(*reserve)(void *user, uint32_t num_words, uint32_t *first_out);
   /* Where so many shapes more are to be written, until they are added; NULL:
    * there is no memory. */
   struct gpu_shape *(*room)(void *user, uint32_t count);
   /* Adds some, which may be there or elsewhere. False: there is no memory. */
   bool (*add)(void *user, const struct gpu_shape *shapes, uint32_t count);
   void *user;
};

/* A vertex in the window, or what clipping puts there. */
struct gpu_window_vertex {
   int32_t x, y; /* fixed point */
   double z;
   double reciprocal_w;
};

/* What setup knows of a record. */
enum gpu_setup_bit {
   GPU_SETUP_OUTSIDE = 0xf,     /* bit i: it is beyond side i of the view */
   GPU_SETUP_IS_KNOWN = 1 << 4, /* its place was looked for: */
   GPU_SETUP_IS_CUT = 1 << 5,   /* it is not in the window as it is */
};

/* Records that primitives are made of, and for each of them what is found for
 * the first primitive and used for those after it. */
struct gpu_setup_records {
   const uint32_t *words;
   uint32_t words_per_record, count;
   const uint8_t *sides;             /* gpu_view_sides() of each, or NULL */
   uint8_t *bits;                    /* enum gpu_setup_bit */
   struct gpu_window_vertex *window; /* where it is, when known and not cut */
};

/* A point, line or triangle. */
struct gpu_setup_primitive {
   const uint32_t *vertex[3]; /* records */
   uint32_t number[3];        /* of them, where setup has their list */
   uint8_t num_vertices;
   uint8_t provoking; /* which of them flat shading takes */
   uint8_t edges;     /* of a triangle, bit i: the edge after vertex i is one of
                       * the polygon */
   bool restarts_stipple; /* a line that is the first of its strip */
   uint32_t id;
};

struct gpu_bounds {
   int32_t min_x, min_y, max_x, max_y; /* pixels, inclusive */
};

struct gpu_depth_range {
   float min, max;
};

/* What primitives of a list have in common whose vertices are in the window. */
struct gpu_window_setup {
   const struct tg_viewport *viewport;
   double shift; /* of pixels' centres */
   bool clip_halfz, clips_near, clips_far;
   bool is_plain; /* filled triangles, and all there is to a shape follows from
                   * these and the records */
   bool goes_by_center,
      is_by_pixel; /* see gpu_cut_bounds(), struct gpu_shape */
   struct gpu_bounds visible;
   struct gpu_depth_range depth;
};

/* For one thread, and the primitives of one draw in their order. Stipple
 * patterns go on from each line to the next. */
struct gpu_setup {
   const struct gpu_setup_state *state;
   struct gpu_shape_sink sink;
   /* Of the primitives to come; NULL: each finds all for itself. */
   const struct gpu_setup_records *records;
   bool uses_window; /* their vertices are taken from there: */
   struct gpu_window_setup window;
   double stipple_pixels; /* drawn of the strip so far */
   uint64_t num_visible;  /* primitives that clipping left something of */
   uint64_t num_polygons, num_lines, num_points; /* shapes' primitives */
   /* By viewport: what is visible through it; those that were asked for. */
   struct gpu_bounds bounds[TG_MAX_VIEWPORTS];
   struct gpu_depth_range depth[TG_MAX_VIEWPORTS];
   uint32_t known_bounds;
};

void
gpu_setup_init(struct gpu_setup *setup, const struct gpu_setup_state *state,
               const struct gpu_shape_sink *sink);

/* Primitives to come are of these records, which stay where they are. Finds
 * which sides of the view each is beyond: all where nothing of it can be seen,
 * and none where that makes no difference. */
void
gpu_setup_use_records(struct gpu_setup *setup,
                      const struct gpu_setup_records *records,
                      unsigned vertices_per_primitive);

/* Trivial reject, where setup has a list of records: are those with these
 * numbers all beyond the same side of the view? */
static inline bool
gpu_setup_is_beside(const struct gpu_setup *setup, const uint32_t *numbers,
                    uint32_t count)
{
   uint32_t all = GPU_SETUP_OUTSIDE;
   for (uint32_t i = 0; i < count; i++)
      all &= setup->records->bits[numbers[i]];
   return all;
}

/* Leaves a primitive out, of which nothing can be seen. */
static inline void
gpu_setup_skip(struct gpu_setup *setup, bool restarts_stipple)
{
   if (restarts_stipple)
      setup->stipple_pixels = 0.0;
}

/* One that is not beside the view, where setup has a list of records. False:
 * there is no memory. */
bool
gpu_setup_primitive(struct gpu_setup *setup,
                    const struct gpu_setup_primitive *primitive);

enum { GPU_SETUP_AT_ONCE = 8 };

/* How many primitives are best set up at once: 1 or GPU_SETUP_AT_ONCE. */
uint32_t
gpu_setup_at_once(const struct gpu_setup *setup);

/* Several in their order, of which no line begins a strip but the first; up to
 * that many. False: there is no memory. */
bool
gpu_setup_primitives(struct gpu_setup *setup,
                     const struct gpu_setup_primitive *primitives,
                     uint32_t count);

#endif
