/* SPDX-License-Identifier: MIT
 *
 * Logs: shaders are found in order, parse or not, and what those that parse
 * print as is a log of the same shaders.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz_copy.h"
#include "tungsten/tgsi.h"

/* Printed shaders, one after the other. */
struct printed {
   char *text;
   size_t length;
   uint32_t count;
};

static void
add(struct printed *printed, char *text)
{
   const size_t length = text ? strlen(text) : 0;
   char *larger = realloc(printed->text, printed->length + length + 1);

   if (!text || !larger)
      abort();
   memcpy(larger + printed->length, text, length + 1);
   printed->text = larger;
   printed->length += length;
   printed->count++;
   tg_string_free(text);
}

/* Prints all shaders of the log that parse. */
static struct printed
print_all(const char *text, size_t length)
{
   struct printed printed = {0};
   struct tg_log *log = NULL;
   uint32_t line = 0;

   if (tg_log_read(NULL, "fuzz", text, length, NULL, &log) != TG_OK)
      return printed;
   for (uint32_t i = 0; i < tg_log_num_shaders(log); i++) {
      char *own_text = tg_log_text(log, i);
      const char *stage = tg_log_processor_name(log, i);
      struct tg_shader *shader = NULL;

      if (!own_text || strncmp(own_text, stage, strlen(stage)) != 0 ||
          tg_log_line(log, i) <= line)
         abort();
      line = tg_log_line(log, i);
      if (tg_log_parse(log, i, TG_DIALECT_2019, NULL, &shader) == TG_OK)
         add(&printed, tg_shader_print(shader, TG_PRINT_FLOATS_AS_HEX));
      tg_shader_destroy(shader);
      tg_string_free(own_text);
   }
   tg_log_destroy(log);
   return printed;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   uint8_t *copy = fuzz_copy(data, size);
   struct printed once = print_all((const char *)copy, size);
   struct printed twice = print_all(once.text, once.length);

   if (once.count != twice.count ||
       (once.count && strcmp(once.text, twice.text) != 0))
      abort();
   free(once.text);
   free(twice.text);
   free(copy);
   return 0;
}
