/* SPDX-License-Identifier: MIT
 *
 * The scenes of the gallery.
 */
#ifndef EXAMPLES_GALLERY_SCENE_H
#define EXAMPLES_GALLERY_SCENE_H

#include "gallery.h"

/* What a scene is drawn to. */
struct canvas {
   uint32_t width, height, samples;
   struct tg_resource *color, *depth;
   struct tg_resource *picture; /* of one sample; `color`, if that is so */
};

struct scene {
   const char *name;
   uint32_t samples;  /* that the picture is drawn with */
   bool compares_one; /* its left half is drawn with one sample */
   struct mat4 (*camera)(const struct canvas *canvas); /* world to window */
   /* Makes all that it needs, to be freed with free(). */
   void *(*make)(struct gallery *gallery, const struct canvas *canvas);
   /* What the picture needs that is drawn before; or NULL. */
   void (*prepare)(struct gallery *gallery, const void *scene);
   void (*draw)(struct gallery *gallery, const struct canvas *canvas,
                const void *scene);
};

enum { NUM_SCENES = 5 };
extern const struct scene *const scenes[NUM_SCENES];

extern const struct scene tessellation_scene;
extern const struct scene fur_scene;
extern const struct scene shadow_scene;
extern const struct scene foliage_scene;
extern const struct scene deferred_scene;

/* A camera that looks from a place to another. `slope` is half of what it sees
 * at distance 1, from below to above. */
struct mat4
canvas_camera(const struct canvas *canvas, struct vec3 eye, struct vec3 target,
              float slope);

/* `samples` each for colour and depth. */
struct canvas
canvas_create(struct gallery *gallery, uint32_t width, uint32_t height,
              uint32_t samples);

/* Makes the picture of what was drawn: the mean of each pixel's samples. */
void
canvas_resolve(struct gallery *gallery, const struct canvas *canvas);

/* Waits; the picture, opaque, to be freed with free(). */
uint32_t *
canvas_read(struct gallery *gallery, const struct canvas *canvas);

#endif
