/* SPDX-License-Identifier: MIT */
#include "scene.h"

#include <stdlib.h>

const struct scene *const scenes[NUM_SCENES] = {
   &tessellation_scene, &fur_scene,      &shadow_scene,
   &foliage_scene,      &deferred_scene,
};

struct mat4
canvas_camera(const struct canvas *canvas, struct vec3 eye, struct vec3 target,
              float slope)
{
   const float aspect = (float)canvas->width / (float)canvas->height;

   return mat4_multiply(mat4_perspective(slope, aspect, 0.5f, 80),
                        mat4_look_at(eye, target));
}

struct canvas
canvas_create(struct gallery *gallery, uint32_t width, uint32_t height,
              uint32_t samples)
{
   return (struct canvas){
      .width = width,
      .height = height,
      .samples = samples,
      .color =
         gallery_target(gallery, "R8G8B8A8_UNORM", width, height, samples),
      .depth = gallery_target(gallery, "Z32_FLOAT", width, height, samples),
   };
}

/* The mean of a pixel's samples, and opaque. */
uint32_t *
canvas_read(struct gallery *gallery, const struct canvas *canvas)
{
   const uint32_t num_pixels = canvas->width * canvas->height;
   uint32_t *sums = gallery_allocate(num_pixels * 4 * sizeof(*sums));
   uint32_t *picture = NULL;

   for (uint32_t i = 0; i < canvas->samples; i++) {
      free(picture);
      picture = gallery_read(gallery, canvas->color, i);
      for (uint32_t k = 0; k < num_pixels * 4; k++)
         sums[k] += picture[k / 4] >> k % 4 * 8 & 0xff;
   }
   for (uint32_t i = 0; i < num_pixels; i++) {
      picture[i] = 0xff000000;
      for (uint32_t c = 0; c < 3; c++)
         picture[i] |= (sums[i * 4 + c] + canvas->samples / 2) / canvas->samples
                       << c * 8;
   }
   free(sums);
   return picture;
}
