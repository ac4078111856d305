/* SPDX-License-Identifier: MIT
 *
 * Assembly of the Tegra vertex unit: whatever assembles prints as something
 * that assembles to the same words and constants and prints the same, and it
 * can be checked and run.
 */
#include "fuzz.h"

#include "tegra_use.h"

static void
compare_constants(const struct tg_tegra_program *a,
                  const struct tg_tegra_program *b)
{
   for (uint32_t i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++) {
      uint32_t left[4], right[4];

      if (tg_tegra_constant(a, i, left) != tg_tegra_constant(b, i, right) ||
          memcmp(left, right, sizeof(left)) != 0)
         abort();
   }
}

static void
compare_texts(const struct tg_tegra_program *a,
              const struct tg_tegra_program *b, unsigned flags)
{
   char *left = tg_tegra_print(a, flags), *right = tg_tegra_print(b, flags);

   if (!left || !right || strcmp(left, right) != 0)
      abort();
   tg_string_free(right);
   tg_string_free(left);
}

static void
go_round(const struct tg_tegra_program *program, unsigned flags)
{
   struct tg_tegra_program *again = tegra_read_back(program, flags);

   if (!tegra_is_same(program, again))
      abort();
   compare_constants(program, again);
   compare_texts(program, again, flags);
   tg_tegra_program_destroy(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   const unsigned flags = size % 2 ? TG_TEGRA_STRICT : 0;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;

   if (!diagnostics)
      abort();
   enum tg_result result = tg_tegra_assemble(
      NULL, "fuzz", (const char *)data, size, flags, diagnostics, &program);
   if ((result == TG_OK) != (tg_diagnostics_num_errors(diagnostics) == 0))
      abort();
   tg_string_free(tg_diagnostics_text(diagnostics));
   if (result == TG_OK) {
      go_round(program, size / 2 % 8);
      tegra_use(program);
   }
   tg_tegra_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
   return 0;
}
