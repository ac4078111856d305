/* SPDX-License-Identifier: MIT
 *
 * Parsing of choices: words that stand for numbers, and sizes.
 */
#include "script/text/choices.h"

#include <stdio.h>

#include "tgsi/tables/vocabulary.h"
#include "util/strbuf.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { MAX_WORD = 80 /* longer ones are in no table */ };

bool
script_read_choice(struct script_cursor *cursor,
                   const struct script_choice *choices, size_t num_choices,
                   uint32_t *number_out)
{
   struct tg_strbuf list = {
      .allocator = tg_diagnostics_allocator(cursor->diagnostics),
   };

   for (size_t i = 0; i < num_choices; i++) {
      if (cursor_accept_words(cursor, choices[i].words)) {
         *number_out = choices[i].number;
         tg_strbuf_finish(&list);
         return true;
      }
      tg_strbuf_printf(&list, "%s%s", i ? ", " : "", choices[i].words);
   }
   cursor_complain(cursor, "expected one of %s",
                   list.data ? list.data : "other words");
   tg_strbuf_finish(&list);
   return false;
}

bool
script_read_compare_choice(struct script_cursor *cursor, uint32_t *compare_out)
{
   static const struct script_choice compares[] = {
      {"off", SCRIPT_COMPARE_OFF},       {"never", TG_COMPARE_NEVER},
      {"less", TG_COMPARE_LESS},         {"equal", TG_COMPARE_EQUAL},
      {"lequal", TG_COMPARE_LEQUAL},     {"greater", TG_COMPARE_GREATER},
      {"notequal", TG_COMPARE_NOTEQUAL}, {"gequal", TG_COMPARE_GEQUAL},
      {"always", TG_COMPARE_ALWAYS},
   };

   return script_read_choice(cursor, compares, COUNT(compares), compare_out);
}

/* ---- words of the language's tables -------------------------------------- */

/* Looks a word up that may lack the vocabulary's prefix; -1 after a complaint
 * that guesses what was meant. */
static int
find_word(struct script_cursor *cursor, const struct tg_vocabulary *vocabulary)
{
   const struct script_word word = cursor_peek_word(cursor);
   char text[MAX_WORD];
   char note[MAX_WORD];

   int length = snprintf(text, sizeof(text), "%s%.*s", vocabulary->prefix,
                         (int)word.length, word.text);
   int found = vocabulary->find(word.text, word.length);
   if (found < 0 && length < MAX_WORD)
      found = vocabulary->find(text, (size_t)length);
   if (found >= 0)
      return found;

   const char *meant =
      tg_vocabulary_suggest(vocabulary, word.text, word.length);
   snprintf(note, sizeof(note), "did you mean %s?", meant ? meant : "");
   if (!word.length)
      cursor_complain(cursor, "expected a %s", vocabulary->noun);
   else
      cursor_complain_with_note(
         cursor, meant ? note : NULL, "unknown %s '%.*s'", vocabulary->noun,
         (int)(word.length < MAX_WORD ? word.length : MAX_WORD), word.text);
   return -1;
}

bool
script_read_format_choice(struct script_cursor *cursor, uint32_t *format_out)
{
   const int format = find_word(cursor, &tg_vocabulary_formats);

   if (format < 0)
      return false;
   if (!tg_format_is_supported((uint32_t)format))
      return cursor_complain(cursor, "textures of format %s are not supported",
                             tg_format_name((uint32_t)format));
   cursor_read_word(cursor);
   *format_out = (uint32_t)format;
   return true;
}

bool
script_read_target_choice(struct script_cursor *cursor, uint32_t *target_out)
{
   /* Those that memory itself has: shadows and samples are no targets here. */
   static const struct {
      bool is_one;
      uint8_t number;
   } targets[TG_NUM_TARGETS] = {
      [TG_TARGET_BUFFER] = {true, TG_TEXTURE_BUFFER},
      [TG_TARGET_1D] = {true, TG_TEXTURE_1D},
      [TG_TARGET_2D] = {true, TG_TEXTURE_2D},
      [TG_TARGET_3D] = {true, TG_TEXTURE_3D},
      [TG_TARGET_CUBE] = {true, TG_TEXTURE_CUBE},
      [TG_TARGET_RECT] = {true, TG_TEXTURE_RECT},
      [TG_TARGET_1D_ARRAY] = {true, TG_TEXTURE_1D_ARRAY},
      [TG_TARGET_2D_ARRAY] = {true, TG_TEXTURE_2D_ARRAY},
      [TG_TARGET_CUBE_ARRAY] = {true, TG_TEXTURE_CUBE_ARRAY},
   };
   const int target = find_word(cursor, &tg_vocabulary_targets);
   if (target < 0)
      return false;
   if (!targets[target].is_one)
      return cursor_complain(cursor, "%s is a target of instructions only",
                             tg_target_row(target)->name);
   cursor_read_word(cursor);
   *target_out = targets[target].number;
   return true;
}
