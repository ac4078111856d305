/* SPDX-License-Identifier: MIT
 *
 * How many instructions the vertex shaders of some folders become when they are
 * compiled for Tegra's vertex unit, and in which time.
 *
 *    bench_tegra_compile FOLDER...
 *
 * Ratios are geometric means over the shaders of words at -O2 to words with one
 * operation in each: of the same optimised operations (--single-issue), and of
 * operations as they come (-O0).
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "measure.h"
#include "texts.h"
#include "tgsi/shader.h"
#include "tungsten/tegra.h"

enum { REPEATS = 5 };

static struct bench_text texts[BENCH_MAX_TEXTS];

/* ---- one shader ---------------------------------------------------------- */

struct figures {
   uint32_t words, single, plain;
   double milliseconds; /* at -O2, the least of some */
   bool only_moves;
};

static double
milliseconds(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* 0 when the unit cannot do it, or it does not fit. */
static uint32_t
count_words(const struct tg_shader *shader, unsigned optimize, bool single)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_tegra_program *program = NULL;

   options.optimize = optimize;
   options.single_issue = single;
   if (tg_tegra_compile(NULL, shader, &options, NULL, &program) != TG_OK)
      return 0;
   uint32_t count = tg_tegra_num_instructions(program);
   tg_tegra_program_destroy(program);
   return count;
}

static bool
has_only_moves(const struct tg_shader *shader)
{
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      unsigned opcode = shader->instructions[i].opcode;

      if (opcode != TG_OPCODE_MOV && opcode != TG_OPCODE_END)
         return false;
   }
   return true;
}

static bool
measure(const struct bench_text *text, struct figures *figures)
{
   struct tg_shader *shader = NULL;

   if (tg_shader_parse(NULL, "bench", text->data, text->length, TG_DIALECT_2019,
                       NULL, &shader) != TG_OK)
      return false;
   figures->words = count_words(shader, 2, false);
   figures->single = count_words(shader, 2, true);
   figures->plain = count_words(shader, 0, false);
   figures->only_moves = has_only_moves(shader);
   figures->milliseconds = INFINITY;
   for (unsigned i = 0; i < REPEATS && figures->words; i++) {
      double start = milliseconds();

      count_words(shader, 2, false);
      figures->milliseconds =
         fmin(figures->milliseconds, milliseconds() - start);
   }
   tg_shader_destroy(shader);
   return figures->words && figures->single && figures->plain;
}

/* ---- all ----------------------------------------------------------------- */

struct sums {
   size_t num_shaders;
   uint64_t words, single, plain;
   double log_single, log_plain; /* of the ratios */
};

static void
add(struct sums *sums, const struct figures *figures)
{
   sums->num_shaders++;
   sums->words += figures->words;
   sums->single += figures->single;
   sums->plain += figures->plain;
   sums->log_single += log((double)figures->words / figures->single);
   sums->log_plain += log((double)figures->words / figures->plain);
}

static void
print_sums(const char *name, const struct sums *sums)
{
   double num = (double)sums->num_shaders;

   if (!sums->num_shaders)
      return;
   printf("%-22s %7zu %8llu %8llu %8llu   %6.3f   %6.3f\n", name,
          sums->num_shaders, (unsigned long long)sums->words,
          (unsigned long long)sums->single, (unsigned long long)sums->plain,
          exp(sums->log_single / num), exp(sums->log_plain / num));
}

static void
print_times(double *times, size_t num)
{
   if (!num)
      return;
   bench_sort(times, num);
   printf("milliseconds to compile: median %.3f, 90 %% %.3f, 99 %% %.3f, "
          "most %.3f\n",
          times[num / 2], times[num * 9 / 10], times[num * 99 / 100],
          times[num - 1]);
}

int
main(int argc, char **argv)
{
   static double times[BENCH_MAX_TEXTS];
   struct sums all = {0}, moves = {0}, others = {0};
   size_t num_texts = 0;

   if (argc < 2) {
      fprintf(stderr, "usage: bench_tegra_compile FOLDER...\n");
      return 2;
   }
   for (int i = 1; i < argc; i++)
      num_texts = bench_read_texts(argv[i], texts, num_texts);
   for (size_t i = 0; i < num_texts; i++) {
      struct figures figures;

      if (!measure(&texts[i], &figures))
         continue;
      times[all.num_shaders] = figures.milliseconds;
      add(&all, &figures);
      add(figures.only_moves ? &moves : &others, &figures);
   }
   printf("%-22s shaders      -O2   single      -O0   /single    /-O0\n", "");
   print_sums("all", &all);
   print_sums("nothing but moves", &moves);
   print_sums("others", &others);
   print_times(times, all.num_shaders);
   return 0;
}
