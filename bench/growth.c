/* SPDX-License-Identifier: MIT
 *
 * How the time of a frame grows with its pixels, its triangles and the threads
 * of the device. Prints the medians, by which growth.gp draws curves, and after
 * each series its exponents: from the first size to the last, and from the one
 * before it. docs/performance.md explains the method.
 *
 *    bench_growth [EXECUTOR]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../examples/gallery/gallery.h"
#include "../examples/picture.h"
#include "measure.h"

enum { NUM_ROUNDS = 9, NUM_THREADS = 2, MAX_SIZES = 8 };

/* A frame: a clear, and a lit grid of triangles over all of it. */
struct frame {
   uint32_t width, height;
   uint32_t num_cells; /* squares of two triangles, each way */
};

struct series {
   const char *unit;
   unsigned num;
   struct frame frames[MAX_SIZES];
};

static const struct series all_series[] = {
   {
      "pixels",
      7,
      {{320, 240, 16},
       {640, 480, 16},
       {1280, 720, 16},
       {1920, 1080, 16},
       {2560, 1440, 16},
       {3200, 1800, 16},
       {3840, 2160, 16}},
   },
   {
      "triangles",
      7,
      {{1280, 720, 1},
       {1280, 720, 2},
       {1280, 720, 7},
       {1280, 720, 22},
       {1280, 720, 71},
       {1280, 720, 224},
       {1280, 720, 707}},
   },
};

/* ---- frames -------------------------------------------------------------- */

struct subject {
   struct gallery gallery;
   struct gallery_mesh mesh;
};

static struct mesh
make_grid(uint32_t num_cells)
{
   const uint32_t num_columns = num_cells + 1;
   const float step = 2.0f / (float)num_cells;
   struct mesh mesh =
      mesh_create(num_columns * num_columns, num_cells * num_cells * 6);
   uint32_t *index = mesh.indices;

   for (uint32_t i = 0; i < mesh.num_vertices; i++) {
      const float x = (float)(i % num_columns), y = (float)(i / num_columns);

      mesh.vertices[i] = (struct mesh_vertex){
         .position = {x * step - 1, y * step - 1, 0.25f},
         .normal = {x * step - 1, y * step - 1, 1},
      };
   }
   for (uint32_t i = 0; i < num_cells * num_cells; i++) {
      const uint32_t corner = i / num_cells * num_columns + i % num_cells;
      const uint32_t above = corner + num_columns;

      *index++ = corner;
      *index++ = corner + 1;
      *index++ = above;
      *index++ = corner + 1;
      *index++ = above + 1;
      *index++ = above;
   }
   return mesh;
}

static void
open_subject(struct subject *subject, const struct frame *frame,
             unsigned num_threads, const char *executor)
{
   static const struct mat4 same = {
      {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
   const struct mat4 matrices[2] = {same, same};
   struct gallery *gallery = &subject->gallery;
   struct mesh grid = make_grid(frame->num_cells);

   gallery_open_on(gallery, SOURCE_FOLDER, num_threads, executor);
   subject->mesh = gallery_mesh(gallery, &grid);
   struct tg_resource *color =
      gallery_target(gallery, "B8G8R8A8_UNORM", frame->width, frame->height, 1);
   struct tg_resource *depth =
      gallery_target(gallery, "Z24X8_UNORM", frame->width, frame->height, 1);
   struct tg_bindings *vertex =
      gallery_bindings(gallery, matrices, sizeof(matrices));
   struct tg_bindings *fragment =
      gallery_bindings(gallery, matrices, sizeof(matrices));
   gallery_see(gallery, vertex, fragment);
   gallery_test_depth(gallery, true);
   gallery_use(gallery,
               gallery_shader(gallery, "examples/gallery/mesh.vert.tgsi"),
               gallery_shader(gallery, "bench/color.frag.tgsi"));
   gallery_draw_to(gallery, 1, &color, depth);
}

static double
measure(struct subject *subject)
{
   static const float black[4];
   struct gallery *gallery = &subject->gallery;
   const double begin = now();

   gallery_clear(gallery, black);
   gallery_draw(gallery, &subject->mesh, TG_PRIM_TRIANGLES, 0);
   gallery_check(gallery,
                 tg_context_finish(gallery->gpu, gallery->diagnostics));
   return now() - begin;
}

/* ---- series -------------------------------------------------------------- */

/* The median time of a frame by threads, which take turns. */
static void
measure_frame(const struct frame *frame, const char *executor,
              double times_out[NUM_THREADS])
{
   static struct subject subjects[NUM_THREADS];
   double times[NUM_THREADS][NUM_ROUNDS];

   for (unsigned k = 0; k < NUM_THREADS; k++) {
      open_subject(&subjects[k], frame, k + 1, executor);
      measure(&subjects[k]);
   }
   for (unsigned i = 0; i < NUM_ROUNDS; i++) {
      for (unsigned k = 0; k < NUM_THREADS; k++)
         times[k][i] = measure(&subjects[k]);
   }
   for (unsigned k = 0; k < NUM_THREADS; k++) {
      times_out[k] = bench_median(times[k], NUM_ROUNDS);
      gallery_close(&subjects[k].gallery);
   }
}

static double
size_of(const struct series *series, unsigned i)
{
   const struct frame *frame = &series->frames[i];

   return series == &all_series[0]
             ? (double)frame->width * frame->height
             : 2.0 * (double)frame->num_cells * frame->num_cells;
}

/* The slope between two sizes where both axes are logarithmic. */
static double
exponent(const struct series *series, double times[][NUM_THREADS],
         unsigned thread, unsigned from, unsigned to)
{
   return log(times[to][thread] / times[from][thread]) /
          log(size_of(series, to) / size_of(series, from));
}

static void
run(const struct series *series, const char *executor)
{
   double times[MAX_SIZES][NUM_THREADS];
   const unsigned last = series->num - 1;

   printf("# %s: 1 thread, ms; 2 threads, ms; gain\n", series->unit);
   for (unsigned i = 0; i < series->num; i++) {
      measure_frame(&series->frames[i], executor, times[i]);
      printf("%9.0f %10.3f %10.3f %6.2f\n", size_of(series, i),
             times[i][0] * 1e3, times[i][1] * 1e3, times[i][0] / times[i][1]);
      fflush(stdout);
   }
   for (unsigned k = 0; k < NUM_THREADS; k++)
      printf("# exponent, %u threads: %.2f of all, %.2f of the last\n", k + 1,
             exponent(series, times, k, 0, last),
             exponent(series, times, k, last - 1, last));
   printf("\n\n");
}

int
main(int argc, char **argv)
{
   for (unsigned i = 0; i < sizeof(all_series) / sizeof(all_series[0]); i++)
      run(&all_series[i], argc > 1 ? argv[1] : NULL);
   return 0;
}
