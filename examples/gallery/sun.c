/* SPDX-License-Identifier: MIT
 *
 * Where the sun stands, and the pass that draws what it sees.
 */
#include "sun.h"

static const struct vec3 sun = {0.52f, 0.70f, 0.48f};

const float sun_sky[4] = {0.60f, 0.72f, 0.86f, 1};

/* Beyond the map all is in the light. */
const struct tg_sampler_desc sun_sampler = {
   .size = sizeof(sun_sampler),
   .wrap = {TG_WRAP_CLAMP_TO_BORDER, TG_WRAP_CLAMP_TO_BORDER,
            TG_WRAP_CLAMP_TO_BORDER},
   .border_color = {.f = {1, 1, 1, 1}},
   .min_filter = TG_FILTER_LINEAR,
   .mag_filter = TG_FILTER_LINEAR,
   .mip_filter = TG_MIP_NONE,
   .compares = true,
   .compare_func = TG_COMPARE_LEQUAL,
   .max_lod = 1000,
};

struct mat4
sun_matrix(void)
{
   const struct mat4 view = mat4_look_at(sun, (struct vec3){0});

   return mat4_multiply(mat4_parallel(10, 60), view);
}

/* From the sun's window to coordinates of the map; the first row is y = 1.
 * Depths move a little towards the sun, so that nothing is in its own shadow.
 */
static struct mat4
map_matrix(void)
{
   const struct mat4 to_texture = {{
      {0.5f, 0, 0, 0},
      {0, -0.5f, 0, 0},
      {0, 0, 0.5f, 0},
      {0.5f, 0.5f, 0.5f - 0.0005f, 1},
   }};

   return mat4_multiply(to_texture, sun_matrix());
}

struct sun_light
sun_light(struct vec3 eye, struct vec3 color, float shininess)
{
   const float *sky = sun_sky;

   return (struct sun_light){
      .way_to_sun = {sun.x, sun.y, sun.z},
      .sun_light = {1.15f, 1.02f, 0.82f},
      .sky_light = {0.26f, 0.34f, 0.48f},
      .to_map = map_matrix(),
      .point_step = {1.4f / SUN_MAP_SIZE},
      .color = {color.x, color.y, color.z, shininess},
      .eye = {eye.x, eye.y, eye.z},
      .haze = {sky[0] * sky[0], sky[1] * sky[1], sky[2] * sky[2], -0.0025f},
   };
}
