/* SPDX-License-Identifier: MIT
 *
 * How many words of Maxwell are decoded in a second, on one core, and encoded
 * again. docs/performance.md explains the method.
 */
#include <stdio.h>
#include <time.h>

#include "maxwell/isa/isa.h"
#include "measure.h"

enum { NUM_ROUNDS = 41, NUM_WORDS = 1 << 16 };

static const double bar = 20e6;

static uint64_t words[NUM_WORDS];
static struct maxwell_instruction instructions[NUM_WORDS];

/* ---- loads --------------------------------------------------------------- */

static uint64_t
next_random(uint64_t *state)
{
   *state ^= *state << 13;
   *state ^= *state >> 7;
   *state ^= *state << 17;
   return *state;
}

/* Words of TEXS, with a row and a mask that there is. */
static uint64_t
texs_word(uint64_t random)
{
   struct maxwell_instruction instruction;

   maxwell_isa_decode((random & ~maxwell_forms[MAXWELL_FORM_TEXS].bits) |
                         maxwell_forms[MAXWELL_FORM_TEXS].value,
                      &instruction);
   instruction.row %= 14;
   instruction.wmask %= 5;
   return maxwell_isa_encode(&instruction);
}

/* Words of the form that random bits name. */
static uint64_t
any_form_word(uint64_t random)
{
   const struct maxwell_form_info *form =
      &maxwell_forms[(random >> 20) % MAXWELL_NUM_FORMS];

   return (random & ~form->bits) | form->value;
}

static uint64_t
any_word(uint64_t random)
{
   return random;
}

static const struct load {
   const char *name;
   uint64_t (*make)(uint64_t random);
} loads[] = {
   {"TEXS", texs_word},
   {"all forms", any_form_word},
   {"any word", any_word},
};

/* ---- time ---------------------------------------------------------------- */

static double
now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
   return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static unsigned
decode_all(void)
{
   unsigned count = 0;

   for (unsigned i = 0; i < NUM_WORDS; i++)
      count += maxwell_isa_decode(words[i], &instructions[i]);
   return count;
}

static uint64_t
encode_all(void)
{
   uint64_t sum = 0;

   for (unsigned i = 0; i < NUM_WORDS; i++)
      sum += maxwell_isa_encode(&instructions[i]);
   return sum;
}

/* Prints a line; is the bar met? */
static bool
bench(const struct load *load)
{
   static volatile uint64_t sink; /* so that nothing is left out */
   double decode[NUM_ROUNDS], encode[NUM_ROUNDS];
   uint64_t seed = 88172645463325252u;
   unsigned count = 0;

   for (unsigned i = 0; i < NUM_WORDS; i++)
      words[i] = load->make(next_random(&seed));
   for (unsigned i = 0; i < NUM_ROUNDS; i++) {
      const double begin = now();
      count = decode_all();
      const double middle = now();
      sink = sink + encode_all();
      decode[i] = middle - begin;
      encode[i] = now() - middle;
   }
   const double rate = NUM_WORDS / bench_median(decode, NUM_ROUNDS);
   printf("%-12s %8.1f %12.1f %12.1f %12.1f\n", load->name,
          100.0 * count / NUM_WORDS, rate * 1e-6, NUM_WORDS / decode[0] * 1e-6,
          NUM_WORDS / bench_median(encode, NUM_ROUNDS) * 1e-6);
   return rate >= bar;
}

int
main(int argc, char **argv)
{
   bool is_met = true;

   printf("%-12s %8s %12s %12s %12s\n", "", "known", "decode", "best",
          "encode");
   printf("%-12s %8s %12s %12s %12s\n", "words", "%", "M a second",
          "M a second", "M a second");
   for (size_t i = 0; i < sizeof(loads) / sizeof(loads[0]); i++) {
      if (bench_is_wanted(loads[i].name, argc - 1, argv + 1))
         is_met &= bench(&loads[i]);
   }
   printf("bar %.0f M decoded a second: %s\n", bar * 1e-6,
          is_met ? "met" : "missed");
   return is_met ? 0 : 1;
}
