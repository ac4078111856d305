/* SPDX-License-Identifier: MIT
 *
 * Registers and lanes as tests and command lines write them; see values.h.
 */
#include "script/text/values.h"

#include <string.h>

#include "tungsten/run.h"

enum { MAX_REGISTER = 65535 };

static const char *const file_names[SCRIPT_NUM_FILES] = {
   [SCRIPT_IN] = "IN",
   [SCRIPT_SV] = "SV",
   [SCRIPT_CONST] = "CONST",
   [SCRIPT_OUT] = "OUT",
};

static bool
read_bracket(struct script_cursor *cursor, uint32_t *number_out)
{
   return cursor_expect_char(cursor, '[') &&
          cursor_read_number(cursor, 0, MAX_REGISTER, "a register's number",
                             number_out) &&
          cursor_expect_char(cursor, ']');
}

bool
script_read_register(struct script_cursor *cursor,
                     struct script_register *reg_out)
{
   struct script_word word = cursor_peek_word(cursor);
   unsigned file = 0;

   while (file < SCRIPT_NUM_FILES && !cursor_word_is(word, file_names[file]))
      file++;
   if (file == SCRIPT_NUM_FILES)
      return cursor_complain(cursor, "expected IN, SV, CONST or OUT");
   cursor->at += word.length;

   *reg_out = (struct script_register){.file = (enum script_file)file};
   if (!read_bracket(cursor, &reg_out->index))
      return false;
   if (cursor->at == cursor->end || *cursor->at != '[')
      return true;
   reg_out->has_dimension = true;
   reg_out->dimension = reg_out->index;
   return read_bracket(cursor, &reg_out->index);
}

bool
script_read_register_lane(struct script_cursor *cursor, int *lane_out)
{
   struct script_word word = cursor_peek_word(cursor);
   uint32_t lane;

   *lane_out = SCRIPT_ALL_LANES;
   if (word.length < 4 || memcmp(word.text, "lane", 4) != 0)
      return true;
   cursor->at += 4;
   if (!cursor_read_number(cursor, 0, TG_MAX_LANES - 1, "a lane's number",
                           &lane))
      return false;
   *lane_out = (int)lane;
   return true;
}

void
script_format_register(struct tg_strbuf *out, const struct script_register *reg)
{
   tg_strbuf_add(out, file_names[reg->file]);
   if (reg->has_dimension)
      tg_strbuf_printf(out, "[%u]", reg->dimension);
   tg_strbuf_printf(out, "[%u]", reg->index);
}
