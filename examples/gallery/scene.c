/* SPDX-License-Identifier: MIT */
#include "scene.h"

const struct scene *const scenes[NUM_SCENES] = {
   &shadow_scene,
   &deferred_scene,
};

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
