/* SPDX-License-Identifier: MIT
 *
 * Registers and handles from files and the command line.
 */
#include "cli/maxwell/values.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/files.h"
#include "script/text/values.h"
#include "util/length.h"

enum { ALL_THREADS = TG_MAXWELL_NUM_THREADS };

/* ---- what is set --------------------------------------------------------- */

enum place_kind { REGISTERS, PREDICATES, KILLED, BANK };

static const struct {
   const char *name;
   const char *what; /* its number, for complaints; NULL: there is one */
   uint32_t count;
   bool is_brief;  /* the number follows at once, and not in brackets */
   bool is_shared; /* all threads have the same */
} place_rules[] = {
   [REGISTERS] = {"R", "a register's number", TG_MAXWELL_NUM_REGISTERS,
                  .is_brief = true},
   [PREDICATES] = {"P", "a predicate's number", TG_MAXWELL_NUM_PREDICATES,
                   .is_brief = true},
   [KILLED] = {"killed", NULL, 1},
   [BANK] = {"c", "a word's number", CLI_MAXWELL_BANK, .is_shared = true},
};

struct place {
   enum place_kind kind;
   uint32_t index;
   uint32_t thread; /* or ALL_THREADS */
};

static bool
begins_like(struct script_word word, unsigned kind)
{
   assert(kind < TG_LENGTH(place_rules));
   const size_t length = strlen(place_rules[kind].name);

   if (!place_rules[kind].is_brief)
      return cursor_word_is(word, place_rules[kind].name);
   return word.length > length &&
          memcmp(word.text, place_rules[kind].name, length) == 0 &&
          word.text[length] >= '0' && word.text[length] <= '9';
}

/* A number, or one in hexadecimal with 0x in front. */
static bool
read_number(struct script_cursor *cursor, const char *what, uint32_t count,
            uint32_t *number_out)
{
   const struct script_word word = cursor_peek_word(cursor);
   const struct script_word digits = {word.text + 2, word.length - 2};

   if (word.length <= 2 || memcmp(word.text, "0x", 2) != 0)
      return cursor_read_number(cursor, 0, count - 1, what, number_out);
   if (!cursor_word_to_hex(digits, number_out) || *number_out >= count)
      return cursor_complain(cursor, "expected %s, from 0 to 0x%x", what,
                             count - 1);
   cursor->at += word.length;
   return true;
}

static bool
read_index(struct script_cursor *cursor, struct place *place)
{
   const char *what = place_rules[place->kind].what;
   const uint32_t count = place_rules[place->kind].count;

   place->index = 0;
   if (!what)
      return true;
   if (place_rules[place->kind].is_brief)
      return cursor_read_number(cursor, 0, count - 1, what, &place->index);
   return cursor_expect_char(cursor, '[') &&
          read_number(cursor, what, count, &place->index) &&
          cursor_expect_char(cursor, ']');
}

static bool
read_thread(struct script_cursor *cursor, struct place *place)
{
   static const char name[] = "thread";
   const struct script_word word = cursor_peek_word(cursor);
   const size_t length = sizeof(name) - 1;

   place->thread = ALL_THREADS;
   if (word.length < length || memcmp(word.text, name, length) != 0)
      return true;
   if (place_rules[place->kind].is_shared)
      return cursor_complain(cursor, "all threads have the same handles");
   cursor->at += length;
   return cursor_read_number(cursor, 0, TG_MAXWELL_NUM_THREADS - 1,
                             "a thread's number", &place->thread);
}

static bool
read_place(struct script_cursor *cursor, struct place *place)
{
   const struct script_word word = cursor_peek_word(cursor);

   for (unsigned i = 0; i < sizeof(place_rules) / sizeof(*place_rules); i++) {
      if (!begins_like(word, i))
         continue;
      cursor->at += strlen(place_rules[i].name);
      place->kind = (enum place_kind)i;
      return read_index(cursor, place) && read_thread(cursor, place);
   }
   return cursor_complain(cursor, "expected R0 to R254, P0 to P6, killed or "
                                  "c[...]");
}

/* ---- to its place -------------------------------------------------------- */

static void
set_bit(uint32_t *bits, unsigned bit, bool is_set)
{
   *bits = (*bits & ~(1u << bit)) | (uint32_t)is_set << bit;
}

static void
set_thread(struct cli_maxwell_values *values, const struct place *place,
           uint32_t index, uint32_t thread, uint32_t word)
{
   assert(thread < TG_LENGTH(values->predicates));
   uint32_t bits = values->predicates[thread];

   switch (place->kind) {
   case REGISTERS: values->registers[index][thread] = word; break;
   case PREDICATES:
      set_bit(&bits, index, word != 0);
      values->predicates[thread] = (uint8_t)bits;
      break;
   case KILLED: set_bit(&values->killed, thread, word != 0); break;
   case BANK: break;
   }
}

static void
set(struct cli_maxwell_values *values, const struct place *place,
    uint32_t index, uint32_t word)
{
   const bool all = place->thread == ALL_THREADS;
   const uint32_t first = all ? 0 : place->thread;
   const uint32_t end = all ? TG_MAXWELL_NUM_THREADS : first + 1;

   if (place->kind == BANK) {
      assert(index < TG_LENGTH(values->bank));
      values->bank[index] = word;
      values->is_given[index] = true;
      return;
   }
   for (uint32_t t = first; t < end; t++)
      set_thread(values, place, index, t, word);
   if (!all && values->num_threads < end)
      values->num_threads = end;
}

/* Sets `count` words from the place on. `num_before` are set already. */
static bool
set_words(struct script_cursor *cursor, struct cli_maxwell_values *values,
          const struct place *place, const uint32_t *words, uint32_t count,
          uint32_t num_before)
{
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t num_set = num_before + i;
      const uint32_t index = place->index + num_set;

      if (index >= place_rules[place->kind].count)
         return cursor_complain(cursor,
                                "there is no place for more than %u word%s",
                                num_set, num_set == 1 ? "" : "s");
      set(values, place, index, words[i]);
   }
   return true;
}

/* `R4 thread 2 = 0.5, 1` */
static bool
read_set(struct script_cursor *cursor, struct cli_maxwell_values *values)
{
   struct place place;
   uint32_t count = 0;

   if (!read_place(cursor, &place) || !cursor_expect_char(cursor, '='))
      return false;
   do {
      struct script_values some = {0};

      if (!script_read_value(cursor, SCRIPT_PLAIN_FLOAT, &some) ||
          !set_words(cursor, values, &place, some.words, some.count, count))
         return false;
      count += some.count;
   } while (cursor_accept_char(cursor, ','));
   return cursor_expect_end(cursor);
}

/* `R4 thread2: 3f000000 3f800000` */
static bool
read_line(struct script_cursor *cursor, struct cli_maxwell_values *values)
{
   struct place place;
   uint32_t count = 0;

   if (!read_place(cursor, &place) || !cursor_expect_char(cursor, ':'))
      return false;
   do {
      const struct script_word digits = cursor_peek_word(cursor);
      uint32_t word;

      if (!cursor_word_to_hex(digits, &word))
         return cursor_complain(
            cursor, "expected a word of up to eight hexadecimal digits");
      if (!set_words(cursor, values, &place, &word, 1, count++))
         return false;
      cursor->at += digits.length;
   } while (!cursor_at_end(cursor));
   return true;
}

/* ---- all of them --------------------------------------------------------- */

static enum tg_result
read_file(struct cli_call *call, struct cli_maxwell_values *values)
{
   const char *path = call->options.values;
   enum tg_result result = TG_OK;
   size_t length;
   char *text = cli_read_file(path, &length);
   if (!text)
      return TG_ERROR_IO;

   const struct tg_source source = {path, text, length};
   struct script_cursor cursor = cursor_at_start(&source, call->diagnostics);
   while (cursor_next_line(&cursor)) {
      if (!cursor_at_end(&cursor) && !read_line(&cursor, values))
         result = TG_ERROR_INPUT;
   }
   free(text);
   return result;
}

static enum tg_result
read_option(struct cli_call *call, const char *text,
            struct cli_maxwell_values *values)
{
   const struct tg_source source = {"--set", text, strlen(text)};
   struct script_cursor cursor = cursor_at_start(&source, call->diagnostics);

   if (!cursor_next_line(&cursor))
      cursor.line = 1; /* an empty line, to complain about */
   return read_set(&cursor, values) ? TG_OK : TG_ERROR_INPUT;
}

enum tg_result
cli_maxwell_values_read(struct cli_call *call,
                        struct cli_maxwell_values **values_out)
{
   const struct cli_list *list = &call->options.set;
   struct cli_maxwell_values *values = calloc(1, sizeof(*values));
   if (!values)
      return TG_ERROR_MEMORY;

   values->num_threads = 1;
   *values_out = values;
   enum tg_result result =
      call->options.values ? read_file(call, values) : TG_OK;
   for (unsigned i = 0; i < list->count && result == TG_OK; i++)
      result = read_option(call, list->items[i], values);
   return result;
}
