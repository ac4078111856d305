/* SPDX-License-Identifier: MIT
 *
 * Table-driven parsing of lines that set members.
 */
#include "script/text/rules.h"

#include <string.h>

const struct script_choice script_switches[2] = {{"on", true}, {"off", false}};

/* ---- readers ------------------------------------------------------------- */

static void
set_all(uint32_t numbers[SCRIPT_MAX_NUMBERS], uint32_t number)
{
   for (unsigned i = 0; i < SCRIPT_MAX_NUMBERS; i++)
      numbers[i] = number;
}

bool
script_rule_read_choice(struct script_cursor *cursor,
                        const struct script_rule *rule, enum script_plain plain,
                        uint32_t numbers[SCRIPT_MAX_NUMBERS])
{
   uint32_t number;

   (void)plain;
   if (!script_read_choice(cursor, rule->choices, rule->num_choices, &number))
      return false;
   set_all(numbers, number);
   return true;
}

bool
script_rule_read_number(struct script_cursor *cursor,
                        const struct script_rule *rule, enum script_plain plain,
                        uint32_t numbers[SCRIPT_MAX_NUMBERS])
{
   struct script_cursor before = *cursor;
   const struct script_word word = cursor_peek_word(cursor);
   struct script_values value = {0};

   (void)plain;
   if (word.length > 2 && word.text[0] == '0' && word.text[1] == 'x') {
      if (!script_read_value(cursor, SCRIPT_PLAIN_INTEGER, &value))
         return false;
      set_all(numbers, value.words[0]);
      return (value.words[0] >= rule->least &&
              value.words[0] <= rule->greatest) ||
             cursor_complain(&before, "expected %s, from 0x%x to 0x%x",
                             rule->what, rule->least, rule->greatest);
   }
   uint32_t number;
   if (!cursor_read_number(cursor, rule->least, rule->greatest, rule->what,
                           &number))
      return false;
   set_all(numbers, number);
   return true;
}

bool
script_rule_read_mask(struct script_cursor *cursor,
                      const struct script_rule *rule, enum script_plain plain,
                      uint32_t numbers[SCRIPT_MAX_NUMBERS])
{
   static const char letters[] = "rgba";
   const struct script_word word = cursor_peek_word(cursor);
   uint32_t mask = 0;

   (void)rule;
   (void)plain;
   for (size_t i = 0; i < word.length && !cursor_word_is(word, "none"); i++) {
      const char *letter = memchr(letters, word.text[i], 4);
      if (!letter)
         return cursor_complain(cursor, "expected some of rgba, or none");
      mask |= 1u << (letter - letters);
   }
   if (!word.length)
      return cursor_complain(cursor, "expected some of rgba, or none");
   cursor_read_word(cursor);
   set_all(numbers, mask);
   return true;
}

bool
script_rule_read_compare(struct script_cursor *cursor,
                         const struct script_rule *rule,
                         enum script_plain plain,
                         uint32_t numbers[SCRIPT_MAX_NUMBERS])
{
   (void)rule;
   (void)plain;
   if (!script_read_compare_choice(cursor, &numbers[1]))
      return false;
   numbers[0] = numbers[1] != SCRIPT_COMPARE_OFF;
   if (!numbers[0])
      numbers[1] = TG_COMPARE_NEVER;
   return true;
}

bool
script_rule_read_format(struct script_cursor *cursor,
                        const struct script_rule *rule, enum script_plain plain,
                        uint32_t numbers[SCRIPT_MAX_NUMBERS])
{
   uint32_t format = 0;

   (void)rule;
   (void)plain;
   if (!cursor_accept_words(cursor, "none") &&
       !script_read_format_choice(cursor, &format))
      return false;
   set_all(numbers, format);
   return true;
}

bool
script_rule_read_floats(struct script_cursor *cursor,
                        const struct script_rule *rule, enum script_plain plain,
                        uint32_t numbers[SCRIPT_MAX_NUMBERS])
{
   unsigned size = 0;

   (void)plain;
   for (unsigned i = 0; i < rule->num_fields; i++)
      size += rule->fields[i].size;
   for (unsigned i = 0; i < size / sizeof(float); i++) {
      if (!script_read_float_value(cursor, rule->what ? rule->what : "a number",
                                   &numbers[i]))
         return false;
      cursor_accept_char(cursor, ',');
   }
   return true;
}

/* ---- lines --------------------------------------------------------------- */

/* The number of an element, unless there is none and need not be. */
static bool
accept_element(struct script_cursor *cursor, bool is_optional,
               struct script_change *change)
{
   const struct script_word word = cursor_peek_word(cursor);
   unsigned number = 0;

   for (size_t i = 0; i < word.length; i++) {
      if (word.text[i] < '0' || word.text[i] > '9' || i == 2)
         return is_optional;
      number = number * 10 + (unsigned)(word.text[i] - '0');
   }
   if (!word.length)
      return false;
   cursor_read_word(cursor);
   change->element = (int)number;
   return true;
}

/* Goes over the words of a rule. */
static bool
accept_words(struct script_cursor *cursor, const struct script_rule *rule,
             struct script_change *change)
{
   const char *mark = strpbrk(rule->words, "#?");
   char before[40] = "";

   if (!mark)
      return cursor_accept_words(cursor, rule->words);
   memcpy(before, rule->words, (size_t)(mark - rule->words));
   return cursor_accept_words(cursor, before) &&
          accept_element(cursor, *mark == '?', change) &&
          (!mark[1] || cursor_accept_words(cursor, mark + 2));
}

bool
script_accept_rule(struct script_cursor *cursor, const struct script_rule *rule,
                   enum script_plain plain, struct script_change *change_out,
                   bool *good_out)
{
   struct script_cursor before = *cursor;

   *change_out = (struct script_change){
      .rule = rule,
      .element = SCRIPT_ALL_ELEMENTS,
   };
   if (!accept_words(cursor, rule, change_out)) {
      *cursor = before;
      return false;
   }
   if (change_out->element >= rule->num_elements)
      *good_out = cursor_complain(&before, "there are numbers from 0 to %d",
                                  rule->num_elements - 1);
   else
      *good_out = rule->read(cursor, rule, plain, change_out->numbers);
   return true;
}

/* A member that has one word or less is a number; all others are words. */
static void
set_field(char *field, unsigned size, uint32_t number, const uint32_t *numbers)
{
   const uint8_t byte = (uint8_t)number;
   const uint16_t half = (uint16_t)number;

   if (size == sizeof(byte))
      memcpy(field, &byte, sizeof(byte));
   else if (size == sizeof(half))
      memcpy(field, &half, sizeof(half));
   else if (size == sizeof(number))
      memcpy(field, &number, sizeof(number));
   else
      memcpy(field, numbers, size);
}

void
script_apply_rule(const struct script_change *change, void *structure)
{
   const struct script_rule *rule = change->rule;
   unsigned first = 0, end = rule->num_elements ? rule->num_elements : 1;

   if (change->element != SCRIPT_ALL_ELEMENTS) {
      first = (unsigned)change->element;
      end = first + 1;
   }
   for (unsigned element = first; element < end; element++) {
      char *base = (char *)structure + (size_t)element * rule->stride;

      for (unsigned i = 0; i < rule->num_fields; i++)
         set_field(base + rule->fields[i].offset, rule->fields[i].size,
                   change->numbers[i], change->numbers);
   }
}
