/* SPDX-License-Identifier: MIT
 *
 * How many instructions the vertex shaders of some folders become when they are
 * compiled for Tegra's vertex unit, and in which time.
 *
 *    bench_tegra_compile [--each] FOLDER...
 *
 * With --each there is a row for each shader, too.
 *
 * Ratios are geometric means over the shaders of words at -O2 to words with one
 * operation in each: of the same optimised operations (--single-issue), and of
 * operations as they come (-O0). What is executed are words, too: of 64
 * vertices with attributes and constants at random between -4 and 4.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "measure.h"
#include "texts.h"
#include "tgsi/shader/shader.h"
#include "tungsten/tegra.h"

enum { REPEATS = 5, NUM_VERTICES = 64, MAX_STEPS = 4096 };

static struct bench_text texts[BENCH_MAX_TEXTS];

/* ---- one shader ---------------------------------------------------------- */

struct size {
   uint32_t words;  /* 0 when the unit cannot do it, or it does not fit */
   double executed; /* a vertex */
};

struct figures {
   struct size optimised, single, plain;
   double milliseconds; /* at -O2, the least of some */
   bool only_moves, has_flow;
};

static double
milliseconds(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void
count_steps(void *user, const struct tg_tegra_change *change)
{
   uint64_t *count = user;

   *count += change->kind == TG_TEGRA_CHANGE_STEP;
}

static double
count_executed(const struct tg_tegra_program *program)
{
   static float attributes[NUM_VERTICES][TG_TEGRA_NUM_ATTRIBUTES][4];
   static float constants[TG_TEGRA_NUM_CONSTANTS][4];
   static uint32_t exports[NUM_VERTICES][TG_TEGRA_NUM_EXPORTS][4];
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;
   uint64_t count = 0;

   bench_fill(attributes[0][0], sizeof(attributes) / sizeof(float), 4);
   bench_fill(constants[0], sizeof(constants) / sizeof(float), 4);
   batch.num_vertices = NUM_VERTICES;
   batch.attributes = (const uint32_t *)(const void *)attributes;
   batch.constants = (const uint32_t *)(const void *)constants;
   batch.exports = exports[0][0];
   batch.max_steps = MAX_STEPS;
   batch.trace = count_steps;
   batch.user = &count;
   tg_tegra_run(program, &batch, NULL);
   return (double)count / NUM_VERTICES;
}

static struct tg_tegra_program *
compile(const struct tg_shader *shader, unsigned optimize, bool single)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_tegra_program *program = NULL;

   options.optimize = optimize;
   options.single_issue = single;
   tg_tegra_compile(NULL, shader, &options, NULL, &program);
   return program;
}

static struct size
measure_size(const struct tg_shader *shader, unsigned optimize, bool single)
{
   struct tg_tegra_program *program = compile(shader, optimize, single);
   struct size size = {0, 0};

   if (program) {
      size.words = tg_tegra_num_instructions(program);
      size.executed = count_executed(program);
   }
   tg_tegra_program_destroy(program);
   return size;
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
has_flow(const struct tg_shader *shader)
{
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      enum tg_flow flow = tg_opcodes[shader->instructions[i].opcode].flow;

      if (flow != TG_FLOW_NONE && flow != TG_FLOW_END)
         return true;
   }
   return false;
}

static bool
measure(const struct bench_text *text, struct figures *figures)
{
   struct tg_shader *shader = NULL;

   if (tg_shader_parse(NULL, "bench", text->data, text->length, TG_DIALECT_2019,
                       NULL, &shader) != TG_OK)
      return false;
   figures->optimised = measure_size(shader, 2, false);
   figures->single = measure_size(shader, 2, true);
   figures->plain = measure_size(shader, 0, false);
   figures->only_moves = has_only_moves(shader);
   figures->has_flow = has_flow(shader);
   figures->milliseconds = INFINITY;
   for (unsigned i = 0; i < REPEATS && figures->optimised.words; i++) {
      double start = milliseconds();

      tg_tegra_program_destroy(compile(shader, 2, false));
      figures->milliseconds =
         fmin(figures->milliseconds, milliseconds() - start);
   }
   tg_shader_destroy(shader);
   return figures->optimised.words && figures->single.words &&
          figures->plain.words;
}

/* ---- all ----------------------------------------------------------------- */

struct sums {
   size_t num_shaders;
   struct size optimised, single, plain;
   double log_single, log_plain, log_executed; /* of the ratios */
};

static void
add_size(struct size *sum, const struct size *size)
{
   sum->words += size->words;
   sum->executed += size->executed;
}

static void
add(struct sums *sums, const struct figures *figures)
{
   double words = figures->optimised.words;

   sums->num_shaders++;
   add_size(&sums->optimised, &figures->optimised);
   add_size(&sums->single, &figures->single);
   add_size(&sums->plain, &figures->plain);
   sums->log_single += log(words / figures->single.words);
   sums->log_plain += log(words / figures->plain.words);
   sums->log_executed +=
      log(figures->optimised.executed / figures->plain.executed);
}

static void
print_sums(const char *name, const struct sums *sums)
{
   double num = (double)sums->num_shaders;

   if (!sums->num_shaders)
      return;
   printf("%-18s %7zu %6u %6u %6u  %6.3f %6.3f | %7.0f %7.0f  %6.3f\n", name,
          sums->num_shaders, sums->optimised.words, sums->single.words,
          sums->plain.words, exp(sums->log_single / num),
          exp(sums->log_plain / num), sums->optimised.executed,
          sums->plain.executed, exp(sums->log_executed / num));
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
   struct sums all = {0}, moves = {0}, flow = {0}, others = {0};
   size_t num_texts = 0;

   bool each = argc > 1 && strcmp(argv[1], "--each") == 0;
   if (argc < 2 + each) {
      fprintf(stderr, "usage: bench_tegra_compile [--each] FOLDER...\n");
      return 2;
   }
   for (int i = 1 + each; i < argc; i++)
      num_texts = bench_read_texts(argv[i], texts, num_texts);
   printf("%-18s shaders    -O2 single    -O0 /single   /-O0 | executed: -O2 "
          "  -O0    /-O0\n",
          "");
   for (size_t i = 0; i < num_texts; i++) {
      struct sums one = {0};
      struct figures figures;

      if (!measure(&texts[i], &figures))
         continue;
      add(&one, &figures);
      if (each)
         print_sums(texts[i].name, &one);
      times[all.num_shaders] = figures.milliseconds;
      add(&all, &figures);
      add(figures.has_flow     ? &flow
          : figures.only_moves ? &moves
                               : &others,
          &figures);
   }
   print_sums("all", &all);
   print_sums("nothing but moves", &moves);
   print_sums("branches and loops", &flow);
   print_sums("others", &others);
   print_times(times, all.num_shaders);
   return 0;
}
