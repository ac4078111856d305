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
draw_scene(const struct scene *scene, uint32_t samples, uint32_t zoom)
{
   struct gallery gallery;

   gallery_open(&gallery, GALLERY_FOLDER, 0);
   const struct canvas canvas =
      canvas_create(&gallery, WIDTH / zoom, HEIGHT / zoom, samples);
   const double start = now();
   void *made = scene->make(&gallery, &canvas);
   const double ready = now();
   if (scene->prepare)
      scene->prepare(&gallery, made);
   scene->draw(&gallery, &canvas, made);
   canvas_resolve(&gallery, &canvas);
   gallery_check(&gallery, tg_context_finish(gallery.gpu, gallery.diagnostics));
   printf("%s, %u samples: made in %.2f s, drawn in %.2f s\n", scene->name,
          (unsigned)samples, ready - start, now() - ready);
   uint32_t *picture = canvas_read(&gallery, &canvas);
   free(made);
   gallery_close(&gallery);
   return picture;
}

/* Both halves with pixels twice as large, so that the difference is seen. */
static uint32_t *
compare_samples(const struct scene *scene)
{
   enum { ZOOM = 2 };
   uint32_t *halves[2] = {
      draw_scene(scene, 1, ZOOM),
      draw_scene(scene, scene->samples, ZOOM),
   };
   uint32_t *picture = gallery_allocate(sizeof(*picture) * WIDTH * HEIGHT);

   for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
      const uint32_t x = i % WIDTH, y = i / WIDTH;
      const uint32_t *half = halves[x >= WIDTH / 2];

      picture[i] = half[y / ZOOM * (WIDTH / ZOOM) + x / ZOOM];
   }
   free(halves[0]);
   free(halves[1]);
   return picture;
}

static void
show_scene(const char *folder, const struct scene *scene)
{
   char path[4096];
   uint32_t *picture = scene->compares_one
                          ? compare_samples(scene)
                          : draw_scene(scene, scene->samples, 1);

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
