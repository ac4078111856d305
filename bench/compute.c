/* SPDX-License-Identifier: MIT
 *
 * Compute shaders against the same kernels in PoCL, on all processors.
 * docs/performance.md explains the method. Without PoCL there are our own
 * figures only, and the benchmark counts as skipped. The argument, if any, is
 * the executor.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../examples/compute/kernel.h"
#include "opencl.h"

enum {
   NUM_ROUNDS = 15,
   MIDDLE = NUM_ROUNDS / 2,
   WIDTH = 1280,
   HEIGHT = 720,
   NUM_PIXELS = WIDTH * HEIGHT,
   NUM_SORTED = 1 << 20,
   NUM_BODIES = 4096,
   NUM_ATOMICS = 10000000,
   SKIPPED = 77,
};

/* What the two may differ by, relatively, where they round differently. */
static const double tolerance = 1e-4;

struct row {
   const char *file; /* of the shader */
   const char *unit;
   double num_units; /* of a run */
   struct opencl_work work;
   bool has_floats; /* in the buffers */
};

/* CONST[0] of each; see the examples. */
static const uint32_t blur_constants[] = {
   WIDTH, HEIGHT, 1, 0, WIDTH - 1, HEIGHT - 1, 0, 0, 1, 0, 0, 0, 4, 0,
   0,     0,      6, 0, 0,         0,          4, 0, 0, 0, 1, 0, 0, 0,
};
static const uint32_t step_constants[] = {1 << 12, 1 << 20};
static const uint32_t piece_constants[] = {2, 1024};
static const uint32_t body_constants[] = {
   NUM_BODIES / 256, 4096, 0, 0, 0x3a83126f /* 1e-3 */, 0x3c23d70a /* 1e-2 */,
};
static const uint32_t reduce_constants[] = {NUM_PIXELS, 64 * 256};

#define CONSTANTS(array)                                                       \
   .constants = (array), .num_constants = sizeof(array) / sizeof((array)[0])

static const struct row rows[] = {
   {
      .file = COMPUTE_FOLDER "/blur.comp.tgsi",
      .unit = "Mpixel",
      .num_units = NUM_PIXELS * 1e-6,
      .work = {"blur", CONSTANTS(blur_constants),
               .num_words = {NUM_PIXELS, NUM_PIXELS}, .block = {16, 16},
               .grid = {WIDTH / 16, HEIGHT / 16}},
   },
   {
      .file = COMPUTE_FOLDER "/sort_step.comp.tgsi",
      .unit = "Mword",
      .num_units = NUM_SORTED * 1e-6,
      .work = {"sort_step", CONSTANTS(step_constants),
               .num_words = {NUM_SORTED}, .block = {512, 1},
               .grid = {NUM_SORTED / 1024, 1}},
   },
   {
      .file = COMPUTE_FOLDER "/sort_block.comp.tgsi",
      .unit = "Mword",
      .num_units = NUM_SORTED * 1e-6,
      .work = {"sort_block", CONSTANTS(piece_constants),
               .num_words = {NUM_SORTED}, .block = {512, 1},
               .grid = {NUM_SORTED / 1024, 1}},
   },
   {
      .file = COMPUTE_FOLDER "/nbody.comp.tgsi",
      .unit = "Mpair",
      .num_units = 1e-6 * NUM_BODIES * NUM_BODIES,
      .work = {"nbody", CONSTANTS(body_constants),
               .num_words = {NUM_BODIES * 4, NUM_BODIES * 4, NUM_BODIES * 4},
               .block = {256, 1}, .grid = {NUM_BODIES / 256, 1}},
      .has_floats = true,
   },
   {
      .file = COMPUTE_FOLDER "/reduce.comp.tgsi",
      .unit = "Mpixel",
      .num_units = NUM_PIXELS * 1e-6,
      .work = {"reduce", CONSTANTS(reduce_constants),
               .num_words = {NUM_PIXELS, 2}, .block = {256, 1},
               .grid = {64, 1}},
   },
   {
      .file = BENCH_FOLDER "/atomics.comp.tgsi",
      .unit = "Matomic",
      .num_units = NUM_ATOMICS * 1e-6,
      .work = {"atomics", .num_words = {16}, .block = {1000, 1},
               .grid = {NUM_ATOMICS / 1000, 1}},
   },
};

/* ---- a row --------------------------------------------------------------- */

/* What is read is random: words, or floats between -1 and 1. */
static void
fill(const struct row *row, uint32_t *words, size_t num_words)
{
   uint32_t random = 1;

   for (size_t i = 0; i < num_words; i++) {
      random = random * 1664525 + 1013904223;
      words[i] = random;
      if (row->has_floats) {
         float value = (float)(random >> 8) * 0x1p-23f - 1.0f;
         memcpy(&words[i], &value, sizeof(value));
      }
   }
}

static void
fill_buffers(const struct row *row, uint32_t *const words[OPENCL_NUM_BUFFERS])
{
   const struct opencl_work *work = &row->work;
   bool counts = strcmp(work->kernel, "atomics") == 0;

   for (unsigned i = 0; i < OPENCL_NUM_BUFFERS; i++)
      memset(words[i], 0, work->num_words[i] * 4);
   if (!counts)
      fill(row, words[0], work->num_words[0]);
   if (row->has_floats)
      fill(row, words[1], work->num_words[1]);
}

static bool
is_near(uint32_t x, uint32_t y)
{
   float a, b;

   memcpy(&a, &x, sizeof(a));
   memcpy(&b, &y, sizeof(b));
   return fabs((double)a - b) <= tolerance * (1 + fabs((double)a));
}

static void
compare(const struct row *row, uint32_t *const ours[OPENCL_NUM_BUFFERS],
        uint32_t *const theirs[OPENCL_NUM_BUFFERS])
{
   for (unsigned i = 0; i < OPENCL_NUM_BUFFERS; i++) {
      for (size_t k = 0; k < row->work.num_words[i]; k++) {
         uint32_t a = ours[i][k], b = theirs[i][k];

         if (a == b || (row->has_floats && is_near(a, b)))
            continue;
         printf("%s: word %zu of buffer %u is %08x, and %08x in PoCL\n",
                row->work.kernel, k, i, a, b);
         exit(1);
      }
   }
}

static int
compare_times(const void *a, const void *b)
{
   double x = *(const double *)a, y = *(const double *)b;

   return x < y ? -1 : x > y;
}

static void
sort_times(double times[NUM_ROUNDS])
{
   qsort(times, NUM_ROUNDS, sizeof(*times), compare_times);
}

/* One shader and one kernel in turn. */
static void
measure(struct opencl *opencl, struct opencl_kernel *theirs,
        struct kernel *ours, const struct row *row)
{
   double our_times[NUM_ROUNDS], their_times[NUM_ROUNDS];
   uint32_t x = (uint32_t)row->work.grid[0], y = (uint32_t)row->work.grid[1];

   for (unsigned i = 0; i < NUM_ROUNDS; i++) {
      double begin = now();
      kernel_run(ours, x, y);
      double middle = now();
      if (theirs)
         opencl_run(opencl, theirs);
      our_times[i] = middle - begin;
      their_times[i] = now() - middle;
   }
   sort_times(our_times);
   sort_times(their_times);
   printf("%-10s %9.2f %9.2f %9.1f %ss/s", row->work.kernel, our_times[0] * 1e3,
          our_times[MIDDLE] * 1e3, row->num_units / our_times[0], row->unit);
   if (theirs)
      printf("  %9.2f %9.2f   %5.2f %5.2f", their_times[0] * 1e3,
             their_times[MIDDLE] * 1e3, our_times[0] / their_times[0],
             our_times[MIDDLE] / their_times[MIDDLE]);
   putchar('\n');
}

/* The first run, of which the words are compared. */
static void
run_row(struct opencl *opencl, const struct row *row, const char *executor)
{
   struct opencl_work work = row->work;
   struct tg_resource *buffers[OPENCL_NUM_BUFFERS];
   uint32_t *words[OPENCL_NUM_BUFFERS];
   struct opencl_kernel *theirs = NULL;
   struct kernel ours;

   kernel_open(&ours, row->file, executor);
   kernel_set(&ours, work.constants, work.num_constants);
   for (unsigned i = 0; i < OPENCL_NUM_BUFFERS; i++) {
      size_t num_words = work.num_words[i] ? work.num_words[i] : 1;

      buffers[i] = make_buffer(num_words);
      words[i] = tg_resource_map_buffer(buffers[i]);
      kernel_bind(&ours, i, buffers[i]);
      work.words[i] = calloc(num_words, 4);
      if (!work.words[i])
         exit(1);
   }
   if (opencl) {
      fill_buffers(row, work.words);
      theirs = opencl_prepare(opencl, &work);
      opencl_run(opencl, theirs);
      opencl_finish(opencl, theirs);
      fill_buffers(row, words);
      kernel_run(&ours, (uint32_t)work.grid[0], (uint32_t)work.grid[1]);
      compare(row, words, work.words);
      theirs = opencl_prepare(opencl, &work);
   }
   measure(opencl, theirs, &ours, row);
   if (theirs)
      opencl_finish(opencl, theirs);
   for (unsigned i = 0; i < OPENCL_NUM_BUFFERS; i++) {
      tg_resource_destroy(buffers[i]);
      free(work.words[i]);
   }
   kernel_close(&ours);
}

int
main(int argc, char **argv)
{
   const char *executor = argc > 1 ? argv[1] : NULL;
   struct opencl *opencl = opencl_open(BENCH_FOLDER "/compute.cl");

   printf("%-10s %9s %9s %-19s  %9s %9s   %s\n", "", "best, ms", "median", "",
          opencl ? "PoCL best" : "", opencl ? "median" : "",
          opencl ? "ratios" : "");
   for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      run_row(opencl, &rows[i], executor);
   opencl_close(opencl);
   return opencl ? 0 : SKIPPED;
}
