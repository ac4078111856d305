/* SPDX-License-Identifier: MIT
 *
 * The scenes by their names.
 */
#include "scene.h"

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
   static const char format[] = "R8G8B8A8_UNORM";
   struct canvas canvas = {
      .width = width,
      .height = height,
      .samples = samples,
      .color = gallery_target(gallery, format, width, height, samples),
      .depth = gallery_target(gallery, "Z32_FLOAT", width, height, samples),
   };

   canvas.picture = samples == 1
                       ? canvas.color
                       : gallery_target(gallery, format, width, height, 1);
   return canvas;
}

static struct tg_blit_side
whole(const struct canvas *canvas, struct tg_resource *resource)
{
   return (struct tg_blit_side){
      .resource = resource,
      .width = (int32_t)canvas->width,
      .height = (int32_t)canvas->height,
      .depth = 1,
   };
}

void
canvas_resolve(struct gallery *gallery, const struct canvas *canvas)
{
   const struct tg_blit_info info = {
      .size = sizeof(info),
      .dst = whole(canvas, canvas->picture),
      .src = whole(canvas, canvas->color),
      .mask = TG_CHANNEL_RGBA,
   };

   if (canvas->picture != canvas->color)
      gallery_check(gallery,
                    tg_context_blit(gallery->gpu, &info, gallery->diagnostics));
}

uint32_t *
canvas_read(struct gallery *gallery, const struct canvas *canvas)
{
   uint32_t *picture = gallery_read(gallery, canvas->picture);

   for (uint32_t i = 0; i < canvas->width * canvas->height; i++)
      picture[i] |= 0xff000000;
   return picture;
}
