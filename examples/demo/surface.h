/* SPDX-License-Identifier: MIT
 *
 * The two surfaces of the demo, as functions of (u, v) in the unit square: a
 * torus knot of scales, and a floor of slabs. Each has a base, a relief that
 * the vertex shader raises it by, and colours.
 */
#ifndef DEMO_SURFACE_H
#define DEMO_SURFACE_H

#include "../vector.h"

struct surface {
   struct vec3 (*base)(float u, float v);
   struct vec3 (*normal)(float u, float v); /* of the base */
   float (*relief)(float u, float v);       /* 0 to 1 */
   void (*high_color)(float u, float v, float rgb[3]);
   void (*low_color)(float u, float v, float rgb[3]);
   float (*gloss)(float u, float v);
   float height;               /* of the relief, in units of the world */
   unsigned columns, rows;     /* of the mesh */
   unsigned width, height_map; /* of the relief's textures, texels */
   unsigned detail_size;       /* of the colours' textures, texels */
   float repeat[2];            /* colours, times over the surface */
};

extern const struct surface knot_surface;
extern const struct surface floor_surface;

/* To be called first: works out where the knot's shadow falls. */
void
surfaces_prepare(void);

/* Where the light is. */
extern const struct vec3 light_position;

/* The base raised by the relief. */
struct vec3
surface_point(const struct surface *surface, float u, float v);

/* A lattice noise from -1 to 1 that repeats with `period`. */
float
noise(float x, float y, int period);

#endif
