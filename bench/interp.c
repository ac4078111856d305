/* SPDX-License-Identifier: MIT
 *
 * How much faster the interpreter runs 16 lanes as a wave than the scalar
 * yardstick runs them one at a time. docs/performance.md explains the method.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "exec/exec.h"
#include "measure.h"
#include "programs.h"
#include "scalar.h"

enum {
   NUM_ROUNDS = 41,
   ROUND_NS = 1000000, /* about, of each engine */
   LOOP_BUDGET = 1000, /* a run, which takes away from it */
};

static const double bar = 8.0;

/* ---- what is run --------------------------------------------------------- */

typedef uint32_t lanes[LIR_LANES];

struct subject {
   const struct exec_executor *executor;
   const struct scalar_engine *engine;
   struct lir_module module;
   struct exec_program *program;
   struct scalar_program *scalar;
   void *scratch, *scalar_scratch;
   struct exec_memory constants;
   struct exec_wave wave;
   uint32_t words[BENCH_WORDS];
   /* Rows begin where a cache line does. */
   _Alignas(64) lanes input[BENCH_WORDS];
   lanes output[BENCH_WORDS], scalar_output[BENCH_WORDS];
};

/* Yardsticks for each instruction set. */
#define INTERP_INSTRUCTION_SET(name, is_there)                                 \
   extern const struct scalar_engine scalar_##name##_carrying;                 \
   extern const struct scalar_engine scalar_##name##_plain;
#include "exec/interp/sets.def"

static const struct scalar_engine *const engines[] = {
#define INTERP_INSTRUCTION_SET(name, is_there)                                 \
   &scalar_##name##_carrying, &scalar_##name##_plain,
#include "exec/interp/sets.def"
};

enum { NUM_ENGINES = sizeof(engines) / sizeof(engines[0]) };

static uint32_t
float_bits(float value)
{
   uint32_t bits;

   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

/* The same floats between 0 and 1 each time. */
static void
fill_in(struct subject *subject)
{
   uint32_t random = 1;

   for (unsigned i = 0; i < BENCH_WORDS; i++) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++) {
         random = random * 1664525 + 1013904223;
         subject->input[i][lane] = float_bits((float)(random >> 8) * 0x1p-24f);
      }
      random = random * 1664525 + 1013904223;
      subject->words[i] = float_bits((float)(random >> 8) * 0x1p-24f);
   }
   subject->constants = (struct exec_memory){subject->words, BENCH_WORDS * 4};
   subject->wave = (struct exec_wave){
      .launched = 0xffff,
      .live = 0xffff,
      .memory[LIR_SPACE_CONST] = &subject->constants,
      .num_memories[LIR_SPACE_CONST] = 1,
      .input = {subject->input, BENCH_WORDS},
   };
}

/* Memory that begins with a cache line. */
static void *
allocate_lines(size_t size)
{
   return aligned_alloc(64, (size + 127) / 64 * 64);
}

static bool
prepare(struct subject *subject, const struct bench_program *program)
{
   struct lir_builder builder;

   lir_module_init(&subject->module, NULL);
   lir_builder_init(&builder, &subject->module,
                    lir_module_add_function(&subject->module, program->name));
   program->build(&builder);
   if (builder.failed || subject->executor->compile(NULL, &subject->module,
                                                    &subject->program) != TG_OK)
      return false;
   subject->scalar = subject->engine->compile(&subject->module);
   if (!subject->scalar)
      return false;
   subject->scratch =
      allocate_lines(subject->executor->scratch_size(subject->program));
   subject->scalar_scratch =
      allocate_lines(subject->engine->scratch_size(subject->scalar));
   fill_in(subject);
   return subject->scratch && subject->scalar_scratch;
}

static void
clean_up(struct subject *subject)
{
   free(subject->scalar_scratch);
   free(subject->scratch);
   if (subject->scalar)
      subject->engine->destroy(subject->scalar);
   if (subject->program)
      subject->executor->destroy(subject->program);
   lir_module_finish(&subject->module);
}

/* What did not run to its end is no measurement. */
static void
require(enum tg_result result)
{
   if (result == TG_OK)
      return;
   fprintf(stderr, "a program did not run to its end\n");
   exit(EXIT_FAILURE);
}

static void
run_wave(struct subject *subject)
{
   struct exec_fault fault;

   subject->wave.output =
      (struct exec_lane_memory){subject->output, BENCH_WORDS};
   subject->wave.loop_budget = LOOP_BUDGET;
   require(subject->executor->run(subject->program, &subject->wave,
                                  subject->scratch, &fault));
}

static void
run_scalar(struct subject *subject)
{
   subject->wave.output =
      (struct exec_lane_memory){subject->scalar_output, BENCH_WORDS};
   subject->wave.loop_budget = LOOP_BUDGET;
   subject->engine->run(subject->scalar, &subject->wave,
                        subject->scalar_scratch);
}

/* ---- time ---------------------------------------------------------------- */

typedef void (*runner)(struct subject *subject);

static double
now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* Nanoseconds a run. */
static double
measure(struct subject *subject, runner run, unsigned count)
{
   double begin = now();

   for (unsigned i = 0; i < count; i++)
      run(subject);
   return (now() - begin) / count;
}

/* Runs that take about ROUND_NS. */
static unsigned
find_count(struct subject *subject, runner run)
{
   double once = measure(subject, run, 50);

   return 1 + (unsigned)(ROUND_NS / once);
}

struct timing {
   double wave[NUM_ROUNDS], scalar[NUM_ROUNDS]; /* sorted */
};

/* The two take turns, so that what disturbs one disturbs the other. */
static void
take_turns(struct subject *subject, struct timing *timing)
{
   unsigned wave_count = find_count(subject, run_wave);
   unsigned scalar_count = find_count(subject, run_scalar);

   for (unsigned i = 0; i < NUM_ROUNDS; i++) {
      timing->wave[i] = measure(subject, run_wave, wave_count);
      timing->scalar[i] = measure(subject, run_scalar, scalar_count);
   }
   bench_sort(timing->wave, NUM_ROUNDS);
   bench_sort(timing->scalar, NUM_ROUNDS);
}

/* ---- the table ----------------------------------------------------------- */

/* Times one yardstick against the interpreter; false when something is wrong.
 */
static bool
race(const struct exec_executor *executor, const struct scalar_engine *engine,
     const struct bench_program *program, struct timing *timing)
{
   struct subject *subject = allocate_lines(sizeof(*subject));
   bool is_right = false;

   if (!subject)
      return false;
   memset(subject, 0, sizeof(*subject));
   subject->executor = executor;
   subject->engine = engine;
   if (prepare(subject, program)) {
      run_wave(subject);
      run_scalar(subject);
      is_right = memcmp(subject->output, subject->scalar_output,
                        sizeof(subject->output)) == 0;
   }
   if (is_right)
      take_turns(subject, timing);
   else
      fprintf(stderr, "%s: results differ\n", program->name);
   clean_up(subject);
   free(subject);
   return is_right;
}

/* The ratio of the medians, against the faster of the yardsticks for the same
 * instruction set; 0 when something is wrong. */
static double
bench(const struct exec_executor *executor, const struct bench_program *program)
{
   double ratio = 0;

   printf("%-9s %-10s", executor->name, program->name);
   for (unsigned i = 0; i < NUM_ENGINES; i++) {
      struct timing timing;

      if (strcmp(engines[i]->instruction_set, executor->name) != 0)
         continue;
      if (!race(executor, engines[i], program, &timing))
         return 0;
      double wave = timing.wave[NUM_ROUNDS / 2];
      double scalar = timing.scalar[NUM_ROUNDS / 2];
      printf(" %6.0f %6.0f %7.0f %7.0f", timing.wave[0], wave, timing.scalar[0],
             scalar);
      if (ratio == 0 || ratio > scalar / wave)
         ratio = scalar / wave;
   }
   printf(" %6.1f\n", ratio);
   return ratio;
}

/* The n-th root, by bisection: it is all that is wanted of libm. */
static double
root(double product, unsigned n)
{
   double low = 0;
   double high = product > 1 ? product : 1;

   for (unsigned i = 0; i < 200; i++) {
      double middle = (low + high) / 2;
      double power = 1;

      for (unsigned k = 0; k < n; k++)
         power *= middle;
      *(power < product ? &low : &high) = middle;
   }
   return low;
}

static double
bench_all(const struct exec_executor *executor)
{
   double product = 1;

   for (unsigned i = 0; i < bench_num_programs; i++)
      product *= bench(executor, &bench_programs[i]);
   double mean = root(product, bench_num_programs);
   printf("%-9s %-10s %66.1f\n", executor->name, "mean", mean);
   return mean;
}

/* The bar is for the interpreter that this machine would run. */
int
main(void)
{
   static const char *const sets[] = {"baseline", "avx2", "avx512"};
   double mean = 0;

   printf("ns for 16 lanes,     yardstick carries in registers "
          " yardstick uses memory alone\n"
          "best and median        wave        scalar          "
          "wave        scalar           ratio\n");
   for (unsigned i = 0; i < sizeof(sets) / sizeof(sets[0]); i++) {
      const struct exec_executor *executor = exec_interpreter_for(sets[i]);

      if (!executor)
         continue;
      double result = bench_all(executor);
      if (executor == exec_interpreter())
         mean = result;
   }
   printf("bar %.1f: %s\n", bar, mean >= bar ? "met" : "missed");
   return mean >= bar ? 0 : 1;
}
