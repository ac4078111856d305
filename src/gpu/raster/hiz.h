/* SPDX-License-Identifier: MIT
 *
 * Hierarchical depth: for blocks of 8 by 8 pixels of the tile that is drawn,
 * the least and the greatest depth in the buffer, so that a block in which the
 * depth test fails everywhere is left out before anything runs for it (Greene,
 * Kass and Miller, "Hierarchical Z-buffer visibility", 1993). Bounds are read
 * from the buffer when a large shape asks for them, follow from clears and from
 * the shapes that are drawn, and live as long as the tile.
 */
#ifndef TG_GPU_HIZ_H
#define TG_GPU_HIZ_H

#include "gpu/raster/shape.h"
#include "gpu/state/state.h"
#include "resource/resource.h"

enum {
   GPU_HIZ_SIZE = 8, /* pixels each way, of a block */
   GPU_HIZ_BLOCKS = GPU_TILE_SIZE / GPU_HIZ_SIZE,
};

/* What a draw does to depths. */
struct gpu_hiz_mode {
   bool hides;   /* fragments that fail the test do nothing at all */
   bool writes;  /* and those that pass write theirs */
   uint8_t func; /* enum tg_compare; ALWAYS without a test */
   bool clamps;  /* depths to the range of the shape */
   bool keeps;   /* no fragment is discarded but by the depth test */
};

/* What hierarchical Z may do for a draw with this state. */
struct gpu_hiz_mode
gpu_hiz_mode(const struct gpu_state *state);

struct gpu_hiz_bounds {
   float min, max;
};

struct gpu_hiz_block {
   bool is_known;
   uint8_t num_written; /* quads since the bounds were tight, up to 255 */
   struct gpu_hiz_bounds bounds;

   /* Of the shape that is drawn, if it has asked for the block: how many of the
    * 4 by 4 blocks it covers wholly, and the bounds of the depths it writes. */
   uint8_t num_whole;
   struct gpu_hiz_bounds shape;
};

/* The plane of z of a shape, with what its bounds over any rectangle of one
 * size have in common. */
struct gpu_hiz_plane {
   double x, y;            /* the reference */
   double a, da_dx, da_dy; /* z there, and from pixel to pixel */
   double least, greatest; /* changes within a rectangle */
   double room;            /* for rounding, wherever the rectangle is */
};

/* Of one tile. All depths are those of one layer, the one that was asked for
 * last. */
struct gpu_hiz {
   const struct tg_surface *surface; /* NULL: nothing is hidden */
   uint32_t x, y;                    /* of the tile */
   uint32_t width, height;           /* of the framebuffer */
   uint32_t layer;
   float margin; /* by which depths are rounded when they are stored */
   struct gpu_hiz_block blocks[GPU_HIZ_BLOCKS][GPU_HIZ_BLOCKS];

   /* Does what is still to be done to the block of the buffer that has the
    * pixel (x, y), before it is read; NULL: nothing is. */
   void (*settle)(void *user, uint32_t x, uint32_t y);
   void *user;

   /* Of the shape that is drawn. Bit i: it has asked for block i, row by row;
    * and it is hidden there. */
   uint64_t asked, hidden;
   const uint32_t *constants;
   struct gpu_hiz_plane plane; /* over blocks, once it has asked */
};

/* Begins a tile; nothing is known of it. The surface may have no resource. */
void
gpu_hiz_begin(struct gpu_hiz *hiz, const struct tg_framebuffer_state *target,
              uint32_t x, uint32_t y);

/* Forgets all bounds: it is not known what was written. */
void
gpu_hiz_forget(struct gpu_hiz *hiz);

/* Pixels of all layers of a surface were filled with a pattern, from min up to,
 * without, max. If that is the depth buffer they are bounds. */
void
gpu_hiz_clear(struct gpu_hiz *hiz, const struct tg_surface *surface,
              const struct resource_pattern *pattern,
              const struct tg_scissor *area);

/* Begins a shape with these constants, of which no block was tested yet. */
static inline void
gpu_hiz_begin_shape(struct gpu_hiz *hiz, const uint32_t *constants)
{
   hiz->asked = hiz->hidden = 0;
   hiz->constants = constants;
}

/* Are the shape's bounds in the tile so small that it is to be tested as a
 * whole, and not block by block? */
bool
gpu_hiz_is_small(const struct gpu_hiz *hiz, const struct gpu_shape *shape);

/* Hierarchical Z test of such a shape: is all of it hidden? Never wrong when it
 * says so. Else it is to be drawn, and the bounds of its blocks include what it
 * may write; it must not be noted. */
bool
gpu_hiz_hides_shape(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
                    const struct gpu_shape *shape);

/* Hierarchical Z test: is all of the shape hidden in the block that has the
 * pixel (x, y)? Never wrong when it says so. Else the shape is to be drawn
 * there, and the block's bounds include what it may write. */
bool
gpu_hiz_hides(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
              const struct gpu_shape *shape, int32_t x, int32_t y);

/* Hierarchical Z test as gpu_hiz_hides(), but the block's bounds stay as they
 * are. */
bool
gpu_hiz_would_hide(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
                  const struct gpu_shape *shape, int32_t x, int32_t y);

/* Trivial accept: does the depth test pass in all of a square of whole blocks,
 * for a shape with these depths, one of which it writes if it writes any? Never
 * wrong when it says so. NULL: they are those of its plane. */
bool
gpu_hiz_passes(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
               const struct gpu_shape *shape,
               const struct gpu_hiz_bounds *depths, int32_t x, int32_t y,
               int32_t size);

/* The shape is drawn at (x, y), in so many quads of the block there; of the
 * four blocks of 4 by 4 pixels in it, it covers `num_whole` in all samples. To
 * be called after gpu_hiz_hides(). */
void
gpu_hiz_note(struct gpu_hiz *hiz, const struct gpu_hiz_mode *mode,
             uint32_t layer, int32_t x, int32_t y, uint32_t num_quads,
             unsigned num_whole);

/* Blocks that were hidden from the shape. */
static inline unsigned
gpu_hiz_num_hidden(const struct gpu_hiz *hiz)
{
   return hiz->hidden ? (unsigned)__builtin_popcountll(hiz->hidden) : 0;
}

#endif
