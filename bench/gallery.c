/* SPDX-License-Identifier: MIT
 *
 * What four samples a pixel cost against one, in the scenes of the gallery that
 * have samples: the picture with its resolve, without the map of shadows
 * before. docs/performance.md explains the method.
 *
 *    bench_gallery [SCENE]...
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../examples/gallery/scene.h"
#include "measure.h"

enum { NUM_ROUNDS = 7, WIDTH = 1280, HEIGHT = 720, SAMPLES = 4 };

struct subject {
   struct gallery gallery;
   struct canvas canvas;
   const struct scene *scene;
   void *made;
};

static void
make_subject(struct subject *subject, const struct scene *scene,
             uint32_t samples)
{
   struct gallery *gallery = &subject->gallery;

   gallery_open(gallery, GALLERY_FOLDER, 1);
   subject->scene = scene;
   subject->canvas = canvas_create(gallery, WIDTH, HEIGHT, samples);
   subject->made = scene->make(gallery, &subject->canvas);
   if (scene->prepare)
      scene->prepare(gallery, subject->made);
   gallery_check(gallery,
                 tg_context_finish(gallery->gpu, gallery->diagnostics));
}

/* Seconds of processor time: there is one thread. */
static double
measure(struct subject *subject)
{
   struct gallery *gallery = &subject->gallery;
   struct timespec begin, end;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
   subject->scene->draw(gallery, &subject->canvas, subject->made);
   canvas_resolve(gallery, &subject->canvas);
   gallery_check(gallery,
                 tg_context_finish(gallery->gpu, gallery->diagnostics));
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
   return (double)(end.tv_sec - begin.tv_sec) +
          (double)(end.tv_nsec - begin.tv_nsec) * 1e-9;
}

/* The two take turns, and each round gives a ratio. */
static void
race(const struct scene *scene)
{
   static struct subject one, several;
   double time[2][NUM_ROUNDS], ratio[NUM_ROUNDS];

   make_subject(&one, scene, 1);
   make_subject(&several, scene, SAMPLES);
   measure(&one);
   measure(&several);
   for (int i = 0; i < NUM_ROUNDS; i++) {
      time[0][i] = measure(&one);
      time[1][i] = measure(&several);
      ratio[i] = time[1][i] / time[0][i];
   }
   const double middle = bench_median(ratio, NUM_ROUNDS);
   printf("%-14s %8.0f %8.0f   %.2f (%.2f to %.2f)\n", scene->name,
          bench_median(time[0], NUM_ROUNDS) * 1e3,
          bench_median(time[1], NUM_ROUNDS) * 1e3, middle, ratio[0],
          ratio[NUM_ROUNDS - 1]);
   free(one.made);
   free(several.made);
   gallery_close(&one.gallery);
   gallery_close(&several.gallery);
}

int
main(int argc, char **argv)
{
   printf("milliseconds a picture of %u x %u on one thread\n"
          "               1 sample  %u         ratio (least and most)\n",
          (unsigned)WIDTH, (unsigned)HEIGHT, (unsigned)SAMPLES);
   for (int i = 0; i < NUM_SCENES; i++)
      if (scenes[i]->samples > 1 &&
          bench_is_wanted(scenes[i]->name, argc - 1, argv + 1))
         race(scenes[i]);
   return 0;
}
