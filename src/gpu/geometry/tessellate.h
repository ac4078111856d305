/* SPDX-License-Identifier: MIT
 *
 * The fixed-function tessellator: levels of a patch become the points at which
 * the evaluation shader runs and the primitives that join them (OpenGL 4.6
 * core, 11.2.2). It knows nothing of shaders and keeps no state.
 *
 * Edges of neighbouring patches fit: points of an edge depend on its level and
 * on nothing else, coordinates along it are multiples of 2^-24, and the edge
 * looks the same from both ends, bit for bit.
 */
#ifndef TG_GPU_TESSELLATE_H
#define TG_GPU_TESSELLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "tgsi/tables/tables.h"

enum {
   GPU_TESS_MAX_LEVEL = 64,
   GPU_TESS_MAX_POINTS = (GPU_TESS_MAX_LEVEL + 1) * (GPU_TESS_MAX_LEVEL + 1),
   GPU_TESS_MAX_INDICES = GPU_TESS_MAX_LEVEL * GPU_TESS_MAX_LEVEL * 6,
};

/* Gallium's numbers. */
enum gpu_tess_spacing {
   GPU_TESS_FRACTIONAL_ODD,
   GPU_TESS_FRACTIONAL_EVEN,
   GPU_TESS_EQUAL,
};

/* What the properties of an evaluation shader ask for. */
struct gpu_tess_mode {
   uint8_t domain;  /* enum tg_primitive: TRIANGLES, QUADS or LINES */
   uint8_t spacing; /* enum gpu_tess_spacing */
   bool is_clockwise;
   bool has_points; /* TES_POINT_MODE: each point once, nothing joined */
};

struct gpu_tess_levels {
   float outer[4];
   float inner[2];
};

/* The result. Coordinates are u, v and w: w is 1 - u - v of triangles and else
 * 0. Indices name points; one, two or three make a primitive. */
struct gpu_tess_patch {
   uint32_t num_points, num_indices;
   uint8_t primitive; /* enum tg_primitive: POINTS, LINES or TRIANGLES */
   float coord[GPU_TESS_MAX_POINTS][3];
   uint16_t index[GPU_TESS_MAX_INDICES];
};

/* Outer levels 0 to 2 or 3 are those of the edges u = 0, v = 0, then w = 0 of
 * triangles, or u = 1 and v = 1 of quads; of lines outer[0] is their number and
 * outer[1] their segments. Where one of them is NaN or not above 0 the patch is
 * empty. All others are held to what the spacing allows; an inner NaN is 1. */
void
gpu_tessellate(const struct gpu_tess_mode *mode,
               const struct gpu_tess_levels *levels,
               struct gpu_tess_patch *patch_out);

#endif
