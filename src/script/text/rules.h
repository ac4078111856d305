/* SPDX-License-Identifier: MIT
 *
 * Table-driven parsing of lines that set members of a structure: a table of
 * words, of how what follows them is read, and of the members that it goes to.
 */
#ifndef TG_SCRIPT_TEXT_RULES_H
#define TG_SCRIPT_TEXT_RULES_H

#include "script/text/choices.h"
#include "script/text/values.h"

enum { SCRIPT_MAX_FIELDS = 4, SCRIPT_MAX_NUMBERS = 4 };

struct script_rule;

/* Reads what follows the words into numbers. */
typedef bool (*script_rule_reader)(struct script_cursor *cursor,
                                   const struct script_rule *rule,
                                   enum script_plain plain,
                                   uint32_t numbers[SCRIPT_MAX_NUMBERS]);

struct script_rule {
   /* A # among them stands for the number of an element, a ? for one that may
    * be left out when all of them are meant. */
   const char *words;
   unsigned kinds; /* bits: who takes such lines */
   script_rule_reader read;
   const struct script_choice *choices; /* of SCRIPT_READ_CHOICE */
   size_t num_choices;
   const char *what; /* it is, in complaints about numbers */
   uint32_t least, greatest;
   unsigned num_fields;
   struct {
      uint16_t offset; /* in the structure; of element 0 */
      uint16_t size;   /* 1, 2 or 4: number i; more: all numbers */
   } fields[SCRIPT_MAX_FIELDS];
   uint16_t num_elements, stride; /* bytes between elements */
};

/* The readers. They fill all numbers with the one that they read, but: a
 * comparison is whether there is one, and which. A mask of colours is letters,
 * or none; numbers may be hexadecimal. */
bool
script_rule_read_choice(struct script_cursor *cursor,
                        const struct script_rule *rule, enum script_plain plain,
                        uint32_t numbers[SCRIPT_MAX_NUMBERS]);
bool
script_rule_read_number(struct script_cursor *cursor,
                        const struct script_rule *rule, enum script_plain plain,
                        uint32_t numbers[SCRIPT_MAX_NUMBERS]);
bool
script_rule_read_mask(struct script_cursor *cursor,
                      const struct script_rule *rule, enum script_plain plain,
                      uint32_t numbers[SCRIPT_MAX_NUMBERS]);
bool
script_rule_read_compare(struct script_cursor *cursor,
                         const struct script_rule *rule,
                         enum script_plain plain,
                         uint32_t numbers[SCRIPT_MAX_NUMBERS]);
bool
script_rule_read_format(struct script_cursor *cursor,
                        const struct script_rule *rule, enum script_plain plain,
                        uint32_t numbers[SCRIPT_MAX_NUMBERS]);

/* As many floats as the fields have words. */
bool
script_rule_read_floats(struct script_cursor *cursor,
                        const struct script_rule *rule, enum script_plain plain,
                        uint32_t numbers[SCRIPT_MAX_NUMBERS]);

/* For initializers of rules. */
#define SCRIPT_FIELD(type, member)                                             \
   {                                                                           \
      offsetof(type, member), sizeof(((type *)0)->member)                      \
   }
#define SCRIPT_READ_CHOICE(table)                                              \
   .read = script_rule_read_choice, .choices = table,                          \
   .num_choices = sizeof(table) / sizeof((table)[0])
#define SCRIPT_READ_NUMBER(least_, greatest_, what_)                           \
   .read = script_rule_read_number, .least = least_, .greatest = greatest_,    \
   .what = what_

/* on, off */
extern const struct script_choice script_switches[2];

enum { SCRIPT_ALL_ELEMENTS = -1 };

/* One line. */
struct script_change {
   const struct script_rule *rule;
   int element; /* or SCRIPT_ALL_ELEMENTS */
   uint32_t numbers[SCRIPT_MAX_NUMBERS];
};

/* Whether the next words are those of a rule for some kinds, and if so reads
 * the line: *good_out is false after a complaint. */
bool
script_accept_rule(struct script_cursor *cursor, const struct script_rule *rule,
                   enum script_plain plain, struct script_change *change_out,
                   bool *good_out);

/* Sets the members of a structure. */
void
script_apply_rule(const struct script_change *change, void *structure);

#endif
