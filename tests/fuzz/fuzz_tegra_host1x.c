/* SPDX-License-Identifier: MIT
 *
 * Command streams for Tegra, as words and as logs: whatever they are, what they
 * upload goes to a stream and back, and can be checked and run.
 */
#include "fuzz.h"

#include "fuzz_copy.h"
#include "tegra_use.h"

static bool
has_same_constants(const struct tg_tegra_program *a,
                   const struct tg_tegra_program *b)
{
   uint32_t x[4], y[4];

   for (uint32_t i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++) {
      tg_tegra_constant(a, i, x);
      tg_tegra_constant(b, i, y);
      if (memcmp(x, y, sizeof(x)) != 0)
         return false;
   }
   return true;
}

/* There and back, by a block of the exact size. */
static void
go_round(const struct tg_tegra_program *program)
{
   struct tg_tegra_program *again = NULL;
   const size_t count = tg_tegra_encode_host1x(program, NULL, 0);
   uint32_t *words = malloc(count * sizeof(*words));

   if (!words || count > TG_TEGRA_MAX_HOST1X_WORDS ||
       tg_tegra_encode_host1x(program, words, count) != count ||
       !tg_tegra_is_host1x(words, count) ||
       tg_tegra_decode_host1x(NULL, "again", words, count, 1, NULL, &again) !=
          TG_OK ||
       !tegra_is_same(program, again) || !has_same_constants(program, again))
      abort();
   tg_tegra_program_destroy(again);
   free(words);
}

static void
use(enum tg_result result, struct tg_tegra_program *program)
{
   if ((result == TG_OK) != (program != NULL))
      abort();
   if (!program)
      return;
   go_round(program);
   tegra_use(program);
   tg_tegra_program_destroy(program);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   const size_t num_words = size / sizeof(uint32_t);
   const uint32_t number = size % sizeof(uint32_t);
   struct tg_tegra_program *of_words = NULL, *of_log = NULL;
   uint32_t *words = fuzz_copy(data, num_words * sizeof(*words));
   char *log = fuzz_copy(data, size);

   enum tg_result result = tg_tegra_decode_host1x(
      NULL, "words", words, num_words, number, NULL, &of_words);
   use(result, of_words);
   if (number == 0 && tg_tegra_is_host1x(words, num_words) && result != TG_OK)
      abort();
   result =
      tg_tegra_decode_host1x_log(NULL, "log", log, size, 0, NULL, &of_log);
   if (result == TG_OK && !tg_tegra_is_host1x_log(log, size))
      abort();
   use(result, of_log);
   free(log);
   free(words);
   return 0;
}
