/* SPDX-License-Identifier: MIT
 *
 * Fused multiply-adds of 2019: MAD, LRP, dot products and DMAD on random
 * operands, in each executor, against sums of numbers of 113 bits that are
 * rounded once.
 *
 *    test_fused [NUM_OPERANDS]   of each opcode; 200,000
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tungsten/run.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* binary128: products of floats and of doubles are exact. */
#ifdef __x86_64__
typedef __float128 quad;
#else
typedef long double quad;
#endif

__extension__ typedef unsigned __int128 quad_bits;

enum { NUM_LANES = 16, NUM_INPUTS = 3 };

/* ---- exact sums ---------------------------------------------------------- */

/* a + b, of which the last bit is odd where the sum is no number of 113 bits,
 * so that rounding it to half of these bits rounds once. */
static quad
add_to_odd(quad a, quad b)
{
   const quad sum = a + b;
   const quad of_b = sum - a;
   const quad error = (a - (sum - of_b)) + (b - of_b);
   quad_bits bits;

   if (sum - sum != 0 || error == 0)
      return sum;
   memcpy(&bits, &sum, sizeof(bits));
   if (!(bits & 1))
      bits += (error > 0) == (sum > 0) ? 1 : -1;
   quad odd;
   memcpy(&odd, &bits, sizeof(odd));
   return odd;
}

static float
fma32(float a, float b, float c)
{
   return (float)add_to_odd((quad)a * (quad)b, (quad)c);
}

static double
fma64(double a, double b, double c)
{
   return (double)add_to_odd((quad)a * (quad)b, (quad)c);
}

/* ---- what opcodes compute ------------------------------------------------ */

union vector {
   uint32_t words[4];
   float f[4];
   double d[2];
};

typedef void (*formula)(const union vector in[NUM_INPUTS], union vector *out);

static void
mad(const union vector in[NUM_INPUTS], union vector *out)
{
   for (unsigned i = 0; i < 4; i++)
      out->f[i] = fma32(in[0].f[i], in[1].f[i], in[2].f[i]);
}

static void
lrp(const union vector in[NUM_INPUTS], union vector *out)
{
   for (unsigned i = 0; i < 4; i++) {
      const float rest = 1.0f - in[0].f[i];
      const float right = rest * in[2].f[i];

      out->f[i] = fma32(in[0].f[i], in[1].f[i], right);
   }
}

static float
dot(const union vector in[NUM_INPUTS], unsigned count)
{
   float sum = in[0].f[0] * in[1].f[0];

   for (unsigned i = 1; i < count; i++)
      sum = fma32(in[0].f[i], in[1].f[i], sum);
   return sum;
}

static void
all(union vector *out, float value)
{
   for (unsigned i = 0; i < 4; i++)
      out->f[i] = value;
}

static void
dp2(const union vector in[NUM_INPUTS], union vector *out)
{
   all(out, dot(in, 2));
}

static void
dp3(const union vector in[NUM_INPUTS], union vector *out)
{
   all(out, dot(in, 3));
}

static void
dp4(const union vector in[NUM_INPUTS], union vector *out)
{
   all(out, dot(in, 4));
}

static void
dph(const union vector in[NUM_INPUTS], union vector *out)
{
   all(out, dot(in, 3) + in[1].f[3]);
}

static void
dmad(const union vector in[NUM_INPUTS], union vector *out)
{
   for (unsigned i = 0; i < 2; i++)
      out->d[i] = fma64(in[0].d[i], in[1].d[i], in[2].d[i]);
}

struct opcode {
   const char *name;
   unsigned num_sources;
   formula formula;
   bool is_wide;
};

static const struct opcode opcodes[] = {
   {"MAD", 3, mad, false},  {"LRP", 3, lrp, false}, {"DP2", 2, dp2, false},
   {"DP3", 2, dp3, false},  {"DP4", 2, dp4, false}, {"DPH", 2, dph, false},
   {"DMAD", 3, dmad, true},
};

/* ---- operands ------------------------------------------------------------ */

static uint64_t
random_bits(uint64_t *state)
{
   *state =
      *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (*state >> 32) | (*state << 32 & UINT64_C(0xffffffff00000000));
}

/* Any bits, or numbers about 1 with few bits or many. */
static float
random_float(uint64_t *state)
{
   const uint64_t bits = random_bits(state);
   const uint32_t low = (uint32_t)bits;
   uint32_t word = low;
   float value;

   if (bits >> 60 < 12)
      word = (low & 0x807fffff) | (uint32_t)(120 + (bits >> 40) % 16) << 23;
   if (bits >> 60 < 4)
      word &= 0xfffff000;
   memcpy(&value, &word, sizeof(value));
   return value;
}

static double
random_double(uint64_t *state)
{
   const uint64_t kind = random_bits(state) >> 60;
   uint64_t bits = random_bits(state) ^ random_bits(state) >> 32;
   double value;

   if (kind < 12)
      bits = (bits & UINT64_C(0x800fffffffffffff)) | (uint64_t)(1016 + kind)
                                                        << 52;
   if (kind < 4)
      bits &= UINT64_C(0xfffffffff0000000);
   memcpy(&value, &bits, sizeof(value));
   return value;
}

/* Half of the sums nearly cancel: there two roundings are another result. */
static void
fill(union vector in[NUM_INPUTS], bool is_wide, uint64_t *state)
{
   for (unsigned i = 0; i < NUM_INPUTS * 4 && !is_wide; i++)
      in[i / 4].f[i % 4] = random_float(state);
   for (unsigned i = 0; i < NUM_INPUTS * 2 && is_wide; i++)
      in[i / 2].d[i % 2] = random_double(state);
   if (random_bits(state) & 1)
      return;
   for (unsigned i = 0; i < 4 && !is_wide; i++)
      in[2].f[i] = -in[0].f[i] * in[1].f[i];
   for (unsigned i = 0; i < 2 && is_wide; i++)
      in[2].d[i] = -in[0].d[i] * in[1].d[i];
}

/* ---- comparing ----------------------------------------------------------- */

static bool
is_same(const union vector *got, const union vector *expected, bool is_wide)
{
   for (unsigned i = 0; i < 4 && !is_wide; i++) {
      if (got->words[i] != expected->words[i] &&
          !(isnan(got->f[i]) && isnan(expected->f[i])))
         return false;
   }
   for (unsigned i = 0; i < 2 && is_wide; i++) {
      if (memcmp(&got->d[i], &expected->d[i], sizeof(double)) != 0 &&
          !(isnan(got->d[i]) && isnan(expected->d[i])))
         return false;
   }
   return true;
}

static void
complain(const struct opcode *opcode, const char *executor,
         const union vector in[NUM_INPUTS], const union vector *got,
         const union vector *expected)
{
   fprintf(stderr, "%s, %s:", opcode->name, executor);
   for (unsigned i = 0; i < NUM_INPUTS * 4; i++)
      fprintf(stderr, " %08" PRIx32, in[i / 4].words[i % 4]);
   fprintf(stderr, "\n   give");
   for (unsigned i = 0; i < 4; i++)
      fprintf(stderr, " %08" PRIx32, got->words[i]);
   fprintf(stderr, " and not");
   for (unsigned i = 0; i < 4; i++)
      fprintf(stderr, " %08" PRIx32, expected->words[i]);
   fprintf(stderr, "\n");
}

/* One wave. Counts the lanes that differ. */
static unsigned
compare(const struct opcode *opcode, const char *executor, struct tg_run *run,
        uint64_t *state)
{
   union vector in[NUM_LANES][NUM_INPUTS], got, expected;
   unsigned num_wrong = 0;

   for (unsigned lane = 0; lane < NUM_LANES; lane++) {
      fill(in[lane], opcode->is_wide, state);
      for (unsigned i = 0; i < opcode->num_sources; i++) {
         if (tg_run_set(run, TG_RUN_INPUT, 0, i, (int)lane,
                        in[lane][i].words) != TG_OK)
            abort();
      }
   }
   if (tg_run_execute(run, NULL) != TG_OK)
      abort();
   for (unsigned lane = 0; lane < NUM_LANES; lane++) {
      opcode->formula(in[lane], &expected);
      if (tg_run_get_output(run, 0, 0, lane, got.words) != TG_OK)
         abort();
      if (is_same(&got, &expected, opcode->is_wide))
         continue;
      if (num_wrong++ == 0)
         complain(opcode, executor, in[lane], &got, &expected);
   }
   return num_wrong;
}

static struct tg_program *
compile(const struct opcode *opcode, const char *executor)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct tg_shader *shader = NULL;
   struct tg_program *program = NULL;
   char text[256];

   snprintf(text, sizeof(text),
            "VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\n"
            "DCL OUT[0], GENERIC[0]\n%s OUT[0], IN[0], IN[1]%s\nEND\n",
            opcode->name, opcode->num_sources == 3 ? ", IN[2]" : "");
   options.executor = executor;
   options.optimize = true;
   if (tg_shader_parse(NULL, "fused", text, strlen(text), TG_DIALECT_2019, NULL,
                       &shader) != TG_OK ||
       tg_program_create(NULL, shader, &options, NULL, &program) != TG_OK)
      abort();
   tg_shader_destroy(shader);
   return program;
}

static unsigned
check(const struct opcode *opcode, const char *executor, uint64_t num_operands)
{
   const unsigned per_wave = NUM_LANES * (opcode->is_wide ? 2 : 4);
   struct tg_program *program = compile(opcode, executor);
   struct tg_run *run = NULL;
   uint64_t state = 1;
   unsigned num_wrong = 0;

   if (tg_run_create(program, NUM_LANES, &run) != TG_OK)
      abort();
   for (uint64_t i = 0; i < num_operands && num_wrong == 0; i += per_wave)
      num_wrong += compare(opcode, executor, run, &state);
   tg_run_destroy(run);
   tg_program_destroy(program);
   return num_wrong;
}

int
main(int argc, char **argv)
{
   const uint64_t num_operands =
      argc > 1 ? strtoull(argv[1], NULL, 10) : 200000;
   unsigned num_wrong = 0, num_checked = 0;
   const char *executor;

   for (unsigned i = 0; (executor = tg_executor_name(i)); i++) {
      for (unsigned k = 0; k < LENGTH(opcodes); k++, num_checked++)
         num_wrong += check(&opcodes[k], executor, num_operands);
   }
   printf("%u opcodes of executors, %" PRIu64 " operands each, %u wrong\n",
          num_checked, num_operands, num_wrong);
   return num_wrong || !num_checked;
}
