/* SPDX-License-Identifier: MIT
 *
 * The gallery: draws scenes, all or those that are named, to FOLDER/NAME.png.
 *
 *    gallery FOLDER [NAME]...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../picture.h"
#include "scene.h"

enum { WIDTH = 1280, HEIGHT = 720 };

/* The picture of a scene, to be freed with free(). */
static uint32_t *
draw_scene(const struct scene *scene, uint32_t samples)
{
   struct gallery gallery;

   gallery_open(&gallery, GALLERY_FOLDER, 0);
   const struct canvas canvas = canvas_create(&gallery, WIDTH, HEIGHT, samples);
   const double start = now();
   void *made = scene->make(&gallery, &canvas);
   const double ready = now();
   scene->draw(&gallery, &canvas, made);
   uint32_t *picture = gallery_read(&gallery, canvas.color);
   printf("%s: made in %.2f s, drawn in %.2f s\n", scene->name, ready - start,
          now() - ready);
   free(made);
   gallery_close(&gallery);
   return picture;
}

static void
show_scene(const char *folder, const struct scene *scene)
{
   char path[4096];
   uint32_t *picture = draw_scene(scene, 1);

   snprintf(path, sizeof(path), "%s/%s.png", folder, scene->name);
   write_picture(path, picture, WIDTH, HEIGHT);
   free(picture);
}

static bool
is_wanted(const struct scene *scene, int num_names, char **names)
{
   for (int i = 0; i < num_names; i++)
      if (strcmp(names[i], scene->name) == 0)
         return true;
   return num_names == 0;
}

int
main(int argc, char **argv)
{
   if (argc < 2) {
      fprintf(stderr, "usage: gallery FOLDER [NAME]...\n");
      return 2;
   }
   for (int i = 0; i < NUM_SCENES; i++)
      if (is_wanted(scenes[i], argc - 2, argv + 2))
         show_scene(argv[1], scenes[i]);
   return 0;
}
