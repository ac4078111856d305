/* SPDX-License-Identifier: MIT
 *
 * Any words are printed, and what is printed assembles to the same words.
 *
 *    test_round_trip [NUMBER]
 *
 * NUMBER is how many instructions are made up; there is a few of everything in
 * the 200,000 that it is otherwise.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tegra/isa/implied.h"

/* A multiplicative generator; what it gives need not be good, only varied. */
static uint32_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(*state >> 32);
}

/* ---- words that are made up ---------------------------------------------- */

typedef void (*maker)(uint64_t *random, uint32_t words[TG_TEGRA_WORDS]);

static void
make_even(uint64_t *random, uint32_t words[TG_TEGRA_WORDS])
{
   for (unsigned i = 0; i < TG_TEGRA_WORDS; i++)
      words[i] = next_random(random);
}

/* Few bits are set. */
static void
make_sparse(uint64_t *random, uint32_t words[TG_TEGRA_WORDS])
{
   for (unsigned i = 0; i < TG_TEGRA_WORDS; i++)
      words[i] =
         next_random(random) & next_random(random) & next_random(random);
}

/* Most bits are set, or all. */
static void
make_dense(uint64_t *random, uint32_t words[TG_TEGRA_WORDS])
{
   make_sparse(random, words);
   for (unsigned i = 0; i < TG_TEGRA_WORDS; i++)
      words[i] = ~words[i] | (next_random(random) % 8 ? 0 : UINT32_MAX);
}

/* As a tool might make them: most fields are what is implied. */
static void
make_likely(uint64_t *random, uint32_t words[TG_TEGRA_WORDS])
{
   union tegra_instruction instruction;
   tegra_field_set said = 0;

   make_even(random, words);
   instruction = tegra_isa_decode(words);
   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++) {
      if (next_random(random) % 4 == 0)
         said |= tegra_field_bit(i);
   }
   said |= TEGRA_FIELD_BIT(v_op) | TEGRA_FIELD_BIT(s_op);
   tegra_imply((enum tegra_style)(next_random(random) % TEGRA_NUM_STYLES), said,
               &instruction);
   tegra_isa_encode(&instruction, words);
}

static const maker makers[] = {make_even, make_sparse, make_dense, make_likely};

enum { NUM_MAKERS = sizeof(makers) / sizeof(makers[0]) };

/* ---- there and back ------------------------------------------------------ */

static struct tg_tegra_program *
assemble(const char *text)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;

   if (tg_tegra_assemble(NULL, "printed", text, strlen(text), 0, NULL,
                         &program) != TG_OK) {
      tg_tegra_assemble(NULL, "printed", text, strlen(text), 0, diagnostics,
                        &program);
      char *said = tg_diagnostics_text(diagnostics);
      printf("%s", said ? said : "out of memory\n");
      tg_string_free(said);
   }
   tg_diagnostics_destroy(diagnostics);
   return program;
}

static bool
goes_round(const uint32_t *words, size_t num_words, unsigned flags)
{
   struct tg_tegra_program *program = NULL, *again = NULL;
   char *text = NULL;
   bool is_same = false;

   if (tg_tegra_decode(NULL, "words", words, num_words, NULL, &program) ==
       TG_OK)
      text = tg_tegra_print(program, flags);
   if (text)
      again = assemble(text);
   if (again)
      is_same =
         tg_tegra_num_instructions(again) * TG_TEGRA_WORDS == num_words &&
         memcmp(tg_tegra_words(again), words, num_words * sizeof(*words)) == 0;
   if (!is_same)
      printf("not the same words:\n%s", text ? text : "nothing\n");
   tg_string_free(text);
   tg_tegra_program_destroy(program);
   tg_tegra_program_destroy(again);
   return is_same;
}

int
main(int argc, char **argv)
{
   enum { MOST = TG_TEGRA_MAX_INSTRUCTIONS };
   unsigned long wanted = argc > 1 ? strtoul(argv[1], NULL, 10) : 200000;
   uint64_t random = 1;
   unsigned long count = 0;

   for (unsigned long turn = 0; count < wanted; turn++) {
      uint32_t words[MOST][TG_TEGRA_WORDS];
      /* The first programs have one instruction, for what they have alone. */
      uint32_t length = turn < 1000 ? 1 : MOST;

      for (uint32_t i = 0; i < length; i++)
         makers[turn % NUM_MAKERS](&random, words[i]);
      if (!goes_round(words[0], (size_t)length * TG_TEGRA_WORDS,
                      turn / NUM_MAKERS % 4))
         return 1;
      count += length;
   }
   printf("%lu instructions went round\n", count);
   return 0;
}
