/* SPDX-License-Identifier: MIT
 *
 * Words of the Tegra vertex unit: whatever they are, what is printed of them
 * assembles to the same words, and they can be checked and run.
 */
#include "fuzz.h"

#include "fuzz_copy.h"
#include "tegra_use.h"

enum { MAX_WORDS = TG_TEGRA_MAX_INSTRUCTIONS * TG_TEGRA_WORDS };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   size_t num_words = size / sizeof(uint32_t);

   if (num_words > MAX_WORDS)
      num_words = MAX_WORDS;
   num_words -= num_words % TG_TEGRA_WORDS;

   uint32_t *words = fuzz_copy(data, num_words * sizeof(uint32_t));
   struct tg_tegra_program *program = NULL;
   enum tg_result result =
      tg_tegra_decode(NULL, "fuzz", words, num_words, NULL, &program);
   free(words);
   if ((result == TG_OK) != (num_words > 0))
      abort();
   if (result != TG_OK)
      return 0;
   struct tg_tegra_program *again = tegra_read_back(program, size % 8);
   if (!tegra_is_same(program, again))
      abort();
   tg_tegra_program_destroy(again);
   tegra_use(program);
   tg_tegra_program_destroy(program);
   return 0;
}
