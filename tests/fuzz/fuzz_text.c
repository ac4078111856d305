/* SPDX-License-Identifier: MIT
 *
 * Text: whatever parses can be validated, and prints as something that parses
 * and prints the same.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tungsten/tgsi.h"

/* The validator says so when it refuses, and of what it accepts the rest of
 * the program takes for granted that it makes sense. */
static void
ask_about(const struct tg_shader *shader, struct tg_diagnostics *diagnostics)
{
   enum tg_result result = tg_shader_validate(shader, diagnostics);

   if ((result == TG_OK) == (tg_diagnostics_num_errors(diagnostics) > 0))
      abort();
   if (result == TG_OK)
      tg_string_free(tg_shader_info_json(shader));
}

/* The printed form, or NULL when the text is no shader. */
static char *
parse_and_print(const char *text, size_t length)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;
   char *printed = NULL;

   if (!diagnostics)
      abort();
   enum tg_result result = tg_shader_parse(
      NULL, "fuzz", text, length, TG_DIALECT_2019, diagnostics, &shader);
   if ((result == TG_OK) == (tg_diagnostics_num_errors(diagnostics) > 0))
      abort();
   if (result == TG_OK) {
      ask_about(shader, diagnostics);
      printed = tg_shader_print(shader, TG_PRINT_FLOATS_AS_HEX);
   }
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
   return printed;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   char *once = parse_and_print((const char *)data, size);
   if (!once)
      return 0;
   char *twice = parse_and_print(once, strlen(once));
   if (!twice || strcmp(once, twice) != 0)
      abort();
   tg_string_free(twice);
   tg_string_free(once);
   return 0;
}
