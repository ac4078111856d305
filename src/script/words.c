/* SPDX-License-Identifier: MIT
 *
 * Readers of words and sizes.
 */
#include "script/words.h"

#include "tgsi/tables.h"
#include "util/strbuf.h"

bool
script_read_choice(struct script_cursor *cursor,
                   const struct script_choice *choices, size_t num_choices,
                   uint32_t *number_out)
{
   struct tg_strbuf list = {0};

   for (size_t i = 0; i < num_choices; i++) {
      if (script_accept_words(cursor, choices[i].words)) {
         *number_out = choices[i].number;
         tg_strbuf_finish(&list);
         return true;
      }
      tg_strbuf_printf(&list, "%s%s", i ? ", " : "", choices[i].words);
   }
   script_complain(cursor, "expected one of %s",
                   list.data ? list.data : "other words");
   tg_strbuf_finish(&list);
   return false;
}

bool
script_read_size(struct script_cursor *cursor, uint32_t greatest,
                 uint32_t size_out[2])
{
   return script_read_number(cursor, 1, greatest, "a width", &size_out[0]) &&
          script_expect_char(cursor, 'x') &&
          script_read_number(cursor, 1, greatest, "a height", &size_out[1]);
}

bool
script_read_format(struct script_cursor *cursor, uint32_t *format_out)
{
   static const struct script_choice formats[] = {
      {"R8G8B8A8_UNORM", TG_FORMAT_R8G8B8A8_UNORM},
      {"R32G32B32A32_FLOAT", TG_FORMAT_R32G32B32A32_FLOAT},
   };
   return script_read_choice(cursor, formats,
                             sizeof(formats) / sizeof(*formats), format_out);
}
