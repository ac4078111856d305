/* SPDX-License-Identifier: MIT
 *
 * Values: the file that `tungsten run --values` reads, and the line that --set
 * is. Whatever is refused says why; what is read is printed as lines that read
 * as the same values.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "script/text/settings.h"
#include "util/strbuf.h"

/* A lane that a line can name; one without a lane is for all of them. */
static unsigned
lane_of(const struct script_setting *setting)
{
   return setting->lane == SCRIPT_ALL_LANES ? 0 : (unsigned)setting->lane;
}

static char *
print(const struct script_settings *settings)
{
   struct tg_strbuf out = {0};

   for (uint32_t i = 0; i < settings->count; i++) {
      const struct script_setting *setting = &settings->items[i];

      script_print_setting(&out, &setting->reg, lane_of(setting),
                           setting->words);
   }
   return tg_strbuf_take(&out);
}

/* The values as lines, or NULL when the text is none. */
static char *
read_values(const char *text, size_t length, bool is_line)
{
   const struct tg_source source = {"fuzz", text, length};
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct script_settings settings = {0};
   struct tg_arena arena;
   char *printed = NULL;

   if (!diagnostics)
      abort();
   tg_arena_init(&arena, NULL);
   enum tg_result result =
      (is_line ? script_parse_setting : script_parse_settings)(
         &source, diagnostics, &arena, &settings);
   if ((result == TG_OK) == (tg_diagnostics_num_errors(diagnostics) > 0))
      abort();
   if (result == TG_OK)
      printed = print(&settings);
   tg_arena_finish(&arena);
   tg_diagnostics_destroy(diagnostics);
   return printed;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   const char *text = (const char *)data;

   tg_string_free(read_values(text, size, true));
   char *once = read_values(text, size, false);
   if (!once)
      return 0;
   char *twice = read_values(once, strlen(once), false);
   if (!twice || strcmp(once, twice) != 0)
      abort();
   tg_string_free(twice);
   tg_string_free(once);
   return 0;
}
