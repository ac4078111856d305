/* SPDX-License-Identifier: MIT
 *
 * From tiles to blocks of 4 by 4 pixels to quads. An edge rejects a square
 * when it is negative at the corner where it is greatest.
 */
#include "gpu/raster.h"

enum { BLOCK_SIZE = 4 };

static int64_t
edge_at(const struct gpu_edge *edge, int32_t x, int32_t y)
{
   return edge->dx * x + edge->dy * y + edge->c;
}

/* The greatest value of an edge over the pixels of a square. */
static int64_t
edge_max(const struct gpu_edge *edge, int32_t x, int32_t y, int32_t size)
{
   return edge_at(edge, edge->dx > 0 ? x + size - 1 : x,
                  edge->dy > 0 ? y + size - 1 : y);
}

static bool
square_is_outside(const struct gpu_shape *shape, int32_t x, int32_t y,
                  int32_t size)
{
   for (unsigned i = 0; i < shape->num_edges; i++) {
      if (edge_max(&shape->edge[i], x, y, size) < 0)
         return true;
   }
   return false;
}

bool
gpu_raster_touches(const struct gpu_shape *shape, int32_t tile_x,
                   int32_t tile_y)
{
   return !square_is_outside(shape, tile_x, tile_y, GPU_TILE_SIZE);
}

/* Bit 4y + x: the pixel is inside all edges and the shape's bounds; the
 * latter keep it within the framebuffer. */
static unsigned
block_mask(const struct gpu_shape *shape, int32_t x, int32_t y)
{
   int64_t value[GPU_MAX_EDGES];
   unsigned mask = 0;
   for (unsigned i = 0; i < shape->num_edges; i++)
      value[i] = edge_at(&shape->edge[i], x, y);
   for (int32_t j = 0; j < BLOCK_SIZE; j++) {
      for (int32_t i = 0; i < BLOCK_SIZE; i++) {
         int64_t signs = 0;
         for (unsigned e = 0; e < shape->num_edges; e++)
            signs |= value[e] + shape->edge[e].dx * i;
         const bool in_bounds = x + i >= shape->min_x &&
                                x + i <= shape->max_x &&
                                y + j >= shape->min_y && y + j <= shape->max_y;
         mask |= (unsigned)(signs >= 0 && in_bounds) << (j * BLOCK_SIZE + i);
      }
      for (unsigned i = 0; i < shape->num_edges; i++)
         value[i] += shape->edge[i].dy;
   }
   return mask;
}

static void
raster_block(const struct gpu_shape *shape, int32_t x, int32_t y,
             gpu_quad_function quad, void *user)
{
   const unsigned block = block_mask(shape, x, y);
   for (int32_t j = 0; j < BLOCK_SIZE; j += 2) {
      for (int32_t i = 0; i < BLOCK_SIZE; i += 2) {
         const unsigned rows = block >> (j * BLOCK_SIZE + i);
         const uint16_t mask = (rows & 3) | (rows >> (BLOCK_SIZE - 2) & 12);
         if (mask)
            quad(user, x + i, y + j,
                 (const uint16_t[4]){mask & 1, mask >> 1 & 1, mask >> 2 & 1,
                                     mask >> 3});
      }
   }
}

static int32_t
max(int32_t a, int32_t b)
{
   return a > b ? a : b;
}

static int32_t
min(int32_t a, int32_t b)
{
   return a < b ? a : b;
}

void
gpu_raster_tile(const struct gpu_shape *shape, int32_t tile_x, int32_t tile_y,
                gpu_quad_function quad, void *user)
{
   const int32_t first_x = max(shape->min_x, tile_x) & -BLOCK_SIZE;
   const int32_t first_y = max(shape->min_y, tile_y) & -BLOCK_SIZE;
   const int32_t last_x = min(shape->max_x, tile_x + GPU_TILE_SIZE - 1);
   const int32_t last_y = min(shape->max_y, tile_y + GPU_TILE_SIZE - 1);
   for (int32_t y = first_y; y <= last_y; y += BLOCK_SIZE) {
      for (int32_t x = first_x; x <= last_x; x += BLOCK_SIZE) {
         if (!square_is_outside(shape, x, y, BLOCK_SIZE))
            raster_block(shape, x, y, quad, user);
      }
   }
}
