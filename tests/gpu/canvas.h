/* SPDX-License-Identifier: MIT
 *
 * Setup and rasteriser without shaders: primitives of records go in, and how
 * often each sample of a small picture was covered comes out.
 */
#ifndef TESTS_GPU_CANVAS_H
#define TESTS_GPU_CANVAS_H

#include "gpu/raster/raster.h"
#include "gpu/setup/setup.h"

enum {
   CANVAS_SIZE = 128, /* pixels each way; two tiles */
   CANVAS_MAX_SAMPLES = 16,
   CANVAS_MAX_SHAPES = 4096,
   CANVAS_ATTRIBUTE = 9, /* register of attribute 0 */
   CANVAS_NUM_ATTRIBUTES = 2,
};

/* A record; registers in the order of the members. Tests say in the layout
 * which ones have a meaning; the position always has. */
struct record {
   float position[4];
   float point_size[4];
   float edge_flag[4];
   uint32_t layer[4], viewport[4], primitive_id[4];
   float clip_vertex[4];
   float distance[8];
   float attribute[CANVAS_NUM_ATTRIBUTES][4];
};

struct canvas {
   /* What tests change before the first draw. */
   struct gpu_state state;
   struct tg_rasterizer rasterizer; /* that is bound */
   struct gpu_interface interface; /* one PERSPECTIVE, one CONSTANT attribute */
   struct gpu_record_layout layout;
   uint8_t depth_kind; /* enum gpu_depth_kind */

   uint32_t num_shapes, num_words;
   uint32_t shapes_left; /* before there is no memory */
   struct gpu_shape shapes[CANVAS_MAX_SHAPES];
   uint32_t words[CANVAS_MAX_SHAPES * 64];
   /* How often each sample of each pixel was covered. */
   uint8_t count[CANVAS_SIZE][CANVAS_SIZE][CANVAS_MAX_SAMPLES];

   bool is_ready;
   struct gpu_setup_state setup_state;
   struct gpu_setup setup;
   struct gpu_raster raster;
};

/* On the heap. The viewport maps [-1, 1] to the whole canvas, y downwards. */
struct canvas *
canvas_create(uint32_t num_samples);
void
canvas_destroy(struct canvas *canvas);

/* A vertex at a place of the canvas in pixels, with w = 1 and z = 0. */
struct record
canvas_vertex(double x, double y);

/* A primitive of `count` vertices, the first of which provokes. */
struct gpu_setup_primitive
canvas_primitive(const struct record *vertices, unsigned count);

/* Draws one; or only makes its shapes. */
void
canvas_draw(struct canvas *canvas, const struct record *vertices,
            unsigned count);
void
canvas_set_up(struct canvas *canvas, const struct record *vertices,
              unsigned count);

/* Draws one. False: there was no memory. */
bool
canvas_draw_primitive(struct canvas *canvas,
                      const struct gpu_setup_primitive *primitive);
void
canvas_clear(struct canvas *canvas);

/* Counts what a shape covers once more. */
void
canvas_raster(struct canvas *canvas, const struct gpu_shape *shape);

/* Calls `block` for each block of a square, as the rasteriser would. */
void
canvas_blocks_of_square(void (*block)(void *user, int32_t x, int32_t y,
                                      const uint16_t coverage[]),
                        void *user, int32_t x, int32_t y, int32_t size,
                        uint16_t coverage);

/* Calls `block` for each live pixel of blocks, all of this coverage. */
void
canvas_live_blocks(void (*block)(void *user, int32_t x, int32_t y,
                                 const uint16_t coverage[]),
                   void *user, const struct gpu_live_block *blocks,
                   uint32_t num_blocks, uint16_t coverage);

/* How often sample 0 of a pixel was covered; how many pixels were. */
unsigned
canvas_at(const struct canvas *canvas, int x, int y);
unsigned
canvas_num_covered(const struct canvas *canvas);

/* What a plane of a shape's constants is worth at a place in pixels. */
double
canvas_plane(const struct canvas *canvas, uint32_t shape, unsigned word,
             double x, double y);
/* The same of an attribute's channel; `word` of other things. */
unsigned
canvas_attribute(unsigned attribute, unsigned channel);
float
canvas_float(const struct canvas *canvas, uint32_t shape, unsigned word);

/* Numbers that are the same in each run. */
uint32_t
random_below(uint32_t *seed, uint32_t limit);

/* Where pixel i of a block is: its place in its quad, and that of the quad. */
static inline int
canvas_block_x(int i)
{
   return (i & 1) + (i >> 2 & 1) * 2;
}

static inline int
canvas_block_y(int i)
{
   return (i >> 1 & 1) + (i >> 3 & 1) * 2;
}

#endif
