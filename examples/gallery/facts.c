/* SPDX-License-Identifier: MIT
 *
 * Looks at small pictures of the gallery: at places of the world, worked out
 * from where the lights and the things are, one must be brighter or more of a
 * colour than another. Says what is not so.
 *
 *    gallery_facts NAME
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

enum { WIDTH = 480, HEIGHT = 270, REACH = 2 };

enum quantity { RED, GREEN, BLUE, LIGHT }; /* colours: their part of all */

struct fact {
   const char *scene;
   const char *what;
   struct vec3 more, less;
   enum quantity quantity;
   float times; /* at least */
};

/* The sun is at (0.52, 0.70, 0.48): what is h high throws its shadow to
 * (-0.74 h, -0.69 h) from where it stands. Lamp i of 24 is around the middle at
 * 75 i degrees from z to x, its colour at 15 i degrees from red to green. */
static const struct fact facts[] = {
   {"shadow",
    "the floor is darker behind the bunny than in front of it",
    {1.3f, 0, 1.5f},
    {-0.5f, 0, -0.1f},
    LIGHT,
    1.6f},
   {"shadow",
    "the knot is bronze, the bunny is not",
    {2.75f, 0.72f, -1.7f},
    {0.55f, 0.9f, 1.0f},
    RED,
    1.2f},
   {"tessellation",
    "the floor is greener between slabs than on them",
    {-2.29f, 0, 1.765f},
    {-2.29f, 0, 1.0f},
    GREEN,
    1.1f},
   {"tessellation",
    "the floor is darker behind the teapot than in front of it",
    {-2.29f, 0, 1.0f},
    {-2.1f, 0, -0.2f},
    LIGHT,
    1.6f},
   {"fur",
    "the fur is browner than the floor",
    {0.1f, 0.8f, 0.7f},
    {2.0f, 0, 0.9f},
    RED,
    1.1f},
   {"fur",
    "the floor is darker behind the bunny than in front of it",
    {1.5f, 0, 1.5f},
    {-1.15f, 0, -0.35f},
    LIGHT,
    1.6f},
   {"foliage",
    "leaves are green, the trunk is not",
    {0.9f, 3.1f, 0},
    {0.05f, 0.5f, 0.1f},
    GREEN,
    1.2f},
   {"foliage",
    "the lawn is darker where the crown's shadow is",
    {2.5f, 0, -2.3f},
    {-2.3f, 0, -2.3f},
    LIGHT,
    1.2f},
   {"deferred",
    "the floor is green below lamp 8, blue below lamp 16",
    {-1.65f, 0, -0.7f},
    {1.65f, 0, -0.7f},
    GREEN,
    1.2f},
   {"deferred",
    "the floor is blue below lamp 16, green below lamp 8",
    {1.65f, 0, -0.7f},
    {-1.65f, 0, -0.7f},
    BLUE,
    1.2f},
   {"deferred",
    "lamp 0 is red, above a crate",
    {0.2f, 0.8f, 1.6f},
    {-1.65f, 0, -0.7f},
    RED,
    1.5f},
};

/* ---- looking ------------------------------------------------------------- */

struct picture {
   const uint32_t *texels;
   struct mat4 camera;
};

/* A channel's mean of 5 by 5 pixels, as light. */
static float
channel_at(const struct picture *picture, int x, int y, int channel)
{
   float sum = 0;

   for (int j = y - REACH; j <= y + REACH; j++) {
      for (int i = x - REACH; i <= x + REACH; i++) {
         const uint32_t texel = picture->texels[j * WIDTH + i];
         const float value = (float)(texel >> channel * 8 & 0xff) / 255;

         sum += value * value;
      }
   }
   return sum / ((2 * REACH + 1) * (2 * REACH + 1));
}

/* False if the point is not in the picture. */
static bool
look_at(const struct picture *picture, struct vec3 point,
        enum quantity quantity, float *value_out)
{
   float at[4], rgb[3];

   for (int i = 0; i < 4; i++) {
      const float(*column)[4] = picture->camera.column;

      at[i] = column[0][i] * point.x + column[1][i] * point.y +
              column[2][i] * point.z + column[3][i];
   }
   const int x = (int)((at[0] / at[3] * 0.5f + 0.5f) * WIDTH);
   const int y = (int)((0.5f - at[1] / at[3] * 0.5f) * HEIGHT);
   if (x < REACH || x >= WIDTH - REACH || y < REACH || y >= HEIGHT - REACH)
      return false;
   for (int c = 0; c < 3; c++)
      rgb[c] = channel_at(picture, x, y, c);
   const float sum = rgb[0] + rgb[1] + rgb[2];
   *value_out = quantity == LIGHT ? sum : rgb[quantity] / sum;
   return true;
}

static bool
is_so(const struct fact *fact, const struct picture *picture)
{
   float more = 0, less = 0;
   const bool is_seen = look_at(picture, fact->more, fact->quantity, &more) &&
                        look_at(picture, fact->less, fact->quantity, &less);

   if (is_seen && more >= less * fact->times)
      return true;
   fprintf(stderr, "not so: %s (%.3f, %.3f)\n", fact->what, (double)more,
           (double)less);
   return false;
}

static int
check_scene(const struct scene *scene)
{
   struct gallery gallery;
   int num_wrong = 0;

   gallery_open(&gallery, GALLERY_FOLDER, 2);
   const struct canvas canvas =
      canvas_create(&gallery, WIDTH, HEIGHT, scene->samples);
   void *made = scene->make(&gallery, &canvas);
   if (scene->prepare)
      scene->prepare(&gallery, made);
   scene->draw(&gallery, &canvas, made);
   canvas_resolve(&gallery, &canvas);
   uint32_t *texels = canvas_read(&gallery, &canvas);
   const struct picture picture = {texels, scene->camera(&canvas)};
   for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
      if (strcmp(facts[i].scene, scene->name) == 0)
         num_wrong += !is_so(&facts[i], &picture);
   free(texels);
   free(made);
   gallery_close(&gallery);
   return num_wrong;
}

int
main(int argc, char **argv)
{
   for (int i = 0; argc == 2 && i < NUM_SCENES; i++)
      if (strcmp(scenes[i]->name, argv[1]) == 0)
         return check_scene(scenes[i]) != 0;
   fprintf(stderr, "usage: gallery_facts NAME\n");
   return 2;
}
