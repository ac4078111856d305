/* SPDX-License-Identifier: MIT
 *
 * How many instructions of Tegra's vertex unit the simulator executes in a
 * second, on one core. docs/performance.md explains the method.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure.h"
#include "tungsten/tegra.h"

enum { NUM_ROUNDS = 41, NUM_VERTICES = 10000 };

static const double bar = 20e6;

struct load {
   const char *name; /* of the program in the folder of this file */
   bool has_bar;
};

static const struct load loads[] = {
   {"tegra_straight", true},
   {"tegra_loop", false},
   {"tegra_functions", false},
};

/* ---- what is run --------------------------------------------------------- */

typedef float vectors[NUM_VERTICES][16][4];

static vectors attributes, exports;
static float constants[TG_TEGRA_NUM_CONSTANTS][4];

static struct tg_tegra_program *
assemble(const char *name)
{
   static char text[1 << 14];
   char path[500];
   struct tg_tegra_program *program = NULL;

   snprintf(path, sizeof(path), "%s/%s.s", BENCH_FOLDER, name);
   FILE *file = fopen(path, "r");
   if (!file)
      return NULL;
   size_t length = fread(text, 1, sizeof(text), file);
   fclose(file);
   tg_tegra_assemble(NULL, path, text, length, 0, NULL, &program);
   return program;
}

static struct tg_tegra_batch
make_batch(void)
{
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;

   batch.num_vertices = NUM_VERTICES;
   batch.attributes = (const uint32_t *)(const void *)attributes;
   batch.constants = (const uint32_t *)(const void *)constants;
   batch.exports = (uint32_t *)(void *)exports;
   return batch;
}

static void
count_steps(void *user, const struct tg_tegra_change *change)
{
   size_t *count = user;

   *count += change->kind == TG_TEGRA_CHANGE_STEP;
}

/* Instructions that all vertices execute together. */
static size_t
count_instructions(const struct tg_tegra_program *program)
{
   struct tg_tegra_batch batch = make_batch();
   size_t count = 0;

   batch.trace = count_steps;
   batch.user = &count;
   tg_tegra_run(program, &batch, NULL);
   return count;
}

/* ---- time ---------------------------------------------------------------- */

static double
now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
   return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* Prints a line; is the bar met, if there is one? */
static bool
bench(const struct load *load)
{
   struct tg_tegra_program *program = assemble(load->name);
   struct tg_tegra_batch batch = make_batch();
   double seconds[NUM_ROUNDS];

   if (!program) {
      fprintf(stderr, "%s is no program\n", load->name);
      return false;
   }
   double count = (double)count_instructions(program);
   for (unsigned i = 0; i < NUM_ROUNDS; i++) {
      double begin = now();
      tg_tegra_run(program, &batch, NULL);
      seconds[i] = now() - begin;
   }
   double median = bench_median(seconds, NUM_ROUNDS);
   printf("%-16s %12.1f %10.2f %10.0f %10.0f\n", load->name,
          count / NUM_VERTICES, median * 1e3, count / median * 1e-6,
          count / seconds[0] * 1e-6);
   tg_tegra_program_destroy(program);
   return !load->has_bar || count / median >= bar;
}

int
main(int argc, char **argv)
{
   bool is_met = true;

   bench_fill(attributes[0][0], sizeof(attributes) / sizeof(float), 1);
   bench_fill(constants[0], sizeof(constants) / sizeof(float), 1);
   printf("%-16s %12s %10s %10s %10s\n", "", "instructions", "", "median",
          "best");
   printf("%-16s %12s %10s %10s %10s\n", "program", "a vertex", "ms",
          "M a second", "M a second");
   for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
      if (bench_is_wanted(loads[i].name, argc - 1, argv + 1))
         is_met &= bench(&loads[i]);
   }
   printf("bar %.0f M a second for tegra_straight: %s\n", bar * 1e-6,
          is_met ? "met" : "missed");
   return is_met ? 0 : 1;
}
