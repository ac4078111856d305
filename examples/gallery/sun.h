/* SPDX-License-Identifier: MIT
 *
 * The light of the scenes that are outside: a sun with a map of the depths that
 * it sees, a sky, and haze far away.
 */
#ifndef EXAMPLES_GALLERY_SUN_H
#define EXAMPLES_GALLERY_SUN_H

#include "gallery.h"

enum { SUN_MAP_SIZE = 2048 };

/* CONST[0] of shadow.frag.tgsi, and the first of others. */
struct sun_light {
   float way_to_sun[4];
   float sun_light[4];
   float sky_light[4];
   struct mat4 to_map;  /* of the world: texture coordinates and depth */
   float point_step[4]; /* how far the nine points are apart */
   float color[4];      /* in w how sharply it shines */
   float eye[4];
   float haze[4]; /* what is far away fades into; in w how fast, negative */
};

/* Of the picture where nothing is. */
extern const float sun_sky[4];

/* The sun's window: 10 by 10 units around the origin. */
struct mat4
sun_matrix(void);

struct sun_light
sun_light(struct vec3 eye, struct vec3 color, float shininess);

/* What the map is seen through: it compares. */
extern const struct tg_sampler_desc sun_sampler;

#endif
