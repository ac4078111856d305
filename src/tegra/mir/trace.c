/* SPDX-License-Identifier: MIT
 *
 * Trace of the compiler: the caller gets a listing of the program after each
 * stage that changed it.
 */
#include "tegra/mir/compile.h"

#include <string.h>

static void
count(const struct mir *mir, struct tg_tegra_compile_step *step)
{
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      const struct mir_block *block = &mir->blocks[i];

      step->num_operations += block->num_ops;
      for (uint32_t j = 0; j < block->num_ops; j++)
         step->num_instructions += !block->ops[j].paired;
   }
}

enum tg_result
mir_trace(const struct compile *compile, const struct mir *mir,
          const char *stage, unsigned round)
{
   if (!compile->options->trace)
      return TG_OK;

   struct tg_tegra_compile_step step = {.stage = stage, .round = round};
   char *listing = mir_print(mir, MIR_PRINT_FLOATS);
   if (!listing)
      return TG_ERROR_MEMORY;
   if (*compile->last_listing && strcmp(*compile->last_listing, listing) == 0) {
      tg_string_free(listing);
      return TG_OK;
   }
   tg_string_free(*compile->last_listing);
   *compile->last_listing = listing;
   count(mir, &step);
   step.listing = listing;
   compile->options->trace(compile->options->user, &step);
   return TG_OK;
}
