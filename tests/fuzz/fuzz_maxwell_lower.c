/* SPDX-License-Identifier: MIT
 *
 * Texture instructions of shaders for Maxwell, lowered in all ways: the checker
 * finds nothing in what comes out, which goes through text; listing and JSON
 * are there.
 */
#include "fuzz.h"

#include "fuzz_shader.h"
#include "maxwell_use.h"

static void
check(const struct tg_maxwell_program *program)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   if (!diagnostics ||
       tg_maxwell_check(program, TG_MAXWELL_ANY, diagnostics) != TG_OK ||
       tg_diagnostics_count(diagnostics) != 0)
      abort();
   tg_diagnostics_destroy(diagnostics);
}

static void
use(const struct tg_maxwell_lowering *lowering)
{
   const struct tg_maxwell_program *program =
      tg_maxwell_lowering_program(lowering);
   char *text = tg_maxwell_lowering_print(lowering);
   char *json = tg_maxwell_lowering_json(lowering);

   if (!program || !text || !json)
      abort();
   check(program);
   if (tg_maxwell_num_instructions(program))
      maxwell_go_through_text(program, 0);
   tg_string_free(json);
   tg_string_free(text);
}

static void
lower(const struct tg_shader *shader, unsigned how)
{
   struct tg_maxwell_lower_options options = TG_MAXWELL_LOWER_OPTIONS_INIT;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_lowering *lowering = NULL;

   if (!diagnostics)
      abort();
   options.half = how & 1;
   options.full_only = how >> 1 & 1;
   options.version = how >> 2 & 1 ? TG_MAXWELL_SPA_5_0 : TG_MAXWELL_ANY;
   enum tg_result result =
      tg_maxwell_lower(NULL, shader, &options, diagnostics, &lowering);
   if ((result == TG_OK) != (lowering != NULL) ||
       (result == TG_OK) != (tg_diagnostics_num_errors(diagnostics) == 0))
      abort();
   if (lowering)
      use(lowering);
   tg_maxwell_lowering_destroy(lowering);
   tg_diagnostics_destroy(diagnostics);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct tg_shader *shader = fuzz_valid_shader(data, size);

   for (unsigned how = 0; shader && how < 4; how++)
      lower(shader, how | (size % 2) << 2);
   tg_shader_destroy(shader);
   return 0;
}
