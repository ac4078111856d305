/* SPDX-License-Identifier: MIT
 *
 * What may be done with any program for Tegra: it is checked, run and brought
 * back to TGSI. Done twice it gives the same.
 */
#ifndef TG_TESTS_FUZZ_TEGRA_USE_H
#define TG_TESTS_FUZZ_TEGRA_USE_H

#include <stdlib.h>
#include <string.h>

#include "tungsten/tegra.h"

enum {
   TEGRA_VERTICES = 5,
   TEGRA_MAX_STEPS = 500,
};

struct tegra_outcome {
   uint32_t exports[TEGRA_VERTICES * TG_TEGRA_NUM_EXPORTS * 4];
   uint8_t ends[TEGRA_VERTICES];
};

/* Words that are often of interest: floats large and small, and not finite. */
static inline void
tegra_fill(uint32_t *words, size_t count, uint64_t seed)
{
   static const uint32_t values[] = {
      0x00000000, 0x3f800000, 0xbf800000, 0x40490fdb, 0x80000000, 0x7f800000,
      0x00000001, 0x3e99999a, 0x447a0000, 0x7fc00000, 0x41880000, 0xc2f6e979,
      0x3f000000, 0x40000000, 0xff800000, 0x7f7fffff,
   };

   for (size_t i = 0; i < count; i++) {
      seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
      words[i] = values[seed >> 60];
   }
}

static inline struct tegra_outcome
tegra_run(const struct tg_tegra_program *program,
          struct tg_diagnostics *diagnostics)
{
   static uint32_t attributes[TEGRA_VERTICES * TG_TEGRA_NUM_ATTRIBUTES * 4];
   static uint32_t constants[TG_TEGRA_NUM_CONSTANTS * 4];
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;
   struct tegra_outcome outcome;

   tegra_fill(attributes, sizeof(attributes) / sizeof(attributes[0]), 1);
   tegra_fill(constants, sizeof(constants) / sizeof(constants[0]), 2);
   batch.num_vertices = TEGRA_VERTICES;
   batch.attributes = attributes;
   batch.constants = constants;
   batch.exports = outcome.exports;
   batch.ends = outcome.ends;
   batch.max_steps = TEGRA_MAX_STEPS;
   if (tg_tegra_run(program, &batch, diagnostics) != TG_OK)
      abort();
   return outcome;
}

/* All that is said of a program; the string is the caller's. */
static inline char *
tegra_say(const struct tg_tegra_program *program, struct tegra_outcome *outcome)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   if (!diagnostics)
      abort();
   enum tg_result result = tg_tegra_check(program, diagnostics);
   if ((result == TG_OK) != (tg_diagnostics_num_errors(diagnostics) == 0))
      abort();
   *outcome = tegra_run(program, diagnostics);
   char *said = tg_diagnostics_text(diagnostics);
   tg_diagnostics_destroy(diagnostics);
   return said;
}

/* What comes out is a shader that makes sense. */
static inline void
tegra_bring_back(const struct tg_tegra_program *program)
{
   struct tg_shader *shader = NULL;
   char *text = NULL;
   enum tg_result result = tg_tegra_decompile(NULL, program, NULL, &text);

   if ((result != TG_OK && result != TG_ERROR_UNSUPPORTED) ||
       (result == TG_OK) != (text != NULL))
      abort();
   if (!text)
      return;
   if (tg_shader_parse(NULL, "decompiled", text, strlen(text), TG_DIALECT_2019,
                       NULL, &shader) != TG_OK ||
       tg_shader_validate(shader, NULL) != TG_OK)
      abort();
   tg_shader_destroy(shader);
   tg_string_free(text);
}

static inline void
tegra_use(const struct tg_tegra_program *program)
{
   struct tegra_outcome once, twice;
   char *said = tegra_say(program, &once);
   char *said_again = tegra_say(program, &twice);

   if (!said || !said_again || strcmp(said, said_again) != 0 ||
       memcmp(once.exports, twice.exports, sizeof(once.exports)) != 0 ||
       memcmp(once.ends, twice.ends, sizeof(once.ends)) != 0)
      abort();
   tg_string_free(said_again);
   tg_string_free(said);
   tegra_bring_back(program);
}

static inline bool
tegra_is_same(const struct tg_tegra_program *a,
              const struct tg_tegra_program *b)
{
   uint32_t num = tg_tegra_num_instructions(a);

   return tg_tegra_num_instructions(b) == num &&
          memcmp(tg_tegra_words(a), tg_tegra_words(b),
                 (size_t)num * TG_TEGRA_WORDS * sizeof(uint32_t)) == 0;
}

/* The program that the printed text of another is; never NULL. */
static inline struct tg_tegra_program *
tegra_read_back(const struct tg_tegra_program *program, unsigned flags)
{
   char *text = tg_tegra_print(program, flags);
   struct tg_tegra_program *again = NULL;

   if (!text || tg_tegra_assemble(NULL, "printed", text, strlen(text), 0, NULL,
                                  &again) != TG_OK)
      abort();
   tg_string_free(text);
   return again;
}

#endif
