/* SPDX-License-Identifier: MIT
 *
 * Parsing of options: what stands in parentheses after EXEC.
 */
#include <stdio.h>

#include "tegra/text/assemble.h"

/* Options that are a word and set a bit. */
static const struct flag {
   const char *word;
   uint8_t field;
} flags[] = {
   {"cs", TEGRA_FIELD_cs},        {"cwr", TEGRA_FIELD_cwr},
   {"cc", TEGRA_FIELD_cc},        {"eq", TEGRA_FIELD_p_eq},
   {"lt", TEGRA_FIELD_p_lt},      {"gt", TEGRA_FIELD_p_gt},
   {"saturate", TEGRA_FIELD_sat}, {"bit120", TEGRA_FIELD_bit120},
};

enum { NUM_FLAGS = sizeof(flags) / sizeof(flags[0]) };

/* All words that options begin with. */
static const char *
option_name(size_t index)
{
   static const char *const others[] = {"export", "p"};
   enum { NUM_OTHERS = sizeof(others) / sizeof(others[0]) };

   if (index < NUM_FLAGS)
      return flags[index].word;
   if (index < NUM_FLAGS + NUM_OTHERS)
      return others[index - NUM_FLAGS];
   return tegra_fields[index - NUM_FLAGS - NUM_OTHERS].name;
}

static bool
unknown_option(struct assembler *as, struct tg_word word)
{
   char note[64];

   if (!word.length)
      return assemble_expected(as, "an option");
   const char *meant = tg_did_you_mean(
      word.text, word.length, NUM_FLAGS + 2 + TEGRA_NUM_FIELDS, option_name);
   snprintf(note, sizeof(note), "did you mean %s?", meant ? meant : "");
   return assemble_error(as, word.position, "unknown-option",
                         meant ? note : NULL, "unknown option '%.*s'",
                         tg_lexer_word_shown(word), word.text);
}

/* Of two values the later one counts, which is hardly meant. */
static bool
check_once(struct assembler *as, tegra_field_set explicit, unsigned field,
           struct tg_word word)
{
   return !(explicit & tegra_field_bit(field)) ||
          assemble_doubt(as, word.position, "given-twice",
                         "the last one counts", "the option %.*s is repeated",
                         tg_lexer_word_shown(word), word.text);
}

static bool
parse_flag(struct assembler *as, struct assemble_line *line,
           const struct flag *flag, struct tg_word word)
{
   return check_once(as, line->explicit, flag->field, word) &&
          assemble_set_field(as, line, flag->field, 1, word.position);
}

/* `FIELD=NUMBER`, the field being taken. */
static bool
parse_field(struct assembler *as, struct assemble_line *line, unsigned field,
            struct tg_word word)
{
   uint32_t most = (1u << tegra_fields[field].width) - 1;
   uint32_t value = 0;

   if (!assemble_char(as, '=', "'=' and a number") ||
       !assemble_number(as, tegra_fields[field].name, most, &value) ||
       !check_once(as, line->raw_explicit | line->explicit, field, word))
      return false;
   if (field == TEGRA_FIELD_cr) { /* which is no field, but grate's option */
      line->instruction.cr = (uint16_t)value;
      line->explicit |= TEGRA_FIELD_BIT(cr);
      return true;
   }
   line->raw.field[field] = (uint16_t)value;
   line->raw_explicit |= tegra_field_bit(field);
   return true;
}

/* `p.xyzw`, `p` being taken. */
static bool
parse_predicate(struct assembler *as, struct assemble_line *line,
                struct tg_word word)
{
   uint8_t swizzle;

   return assemble_char(as, '.', "'.' and a swizzle") &&
          assemble_swizzle(as, &swizzle) &&
          check_once(as, line->explicit, TEGRA_FIELD_p_swz, word) &&
          assemble_set_field(as, line, TEGRA_FIELD_p_swz, swizzle,
                             word.position);
}

/* `=vector` or `=scalar`, or nothing for the vector. */
static bool
parse_exported(struct assembler *as, unsigned *is_vector_out)
{
   struct tg_lexer *lexer = &as->lexer;

   *is_vector_out = true;
   if (!tg_lexer_accept(lexer, '='))
      return true;
   struct tg_word word = tg_lexer_peek_word(lexer);
   *is_vector_out = tg_lexer_word_is(word, "vector");
   if (!*is_vector_out && !tg_lexer_word_is(word, "scalar"))
      return assemble_expected(as, "'vector' or 'scalar'");
   tg_lexer_word(lexer);
   return true;
}

/* `export[7]=vector`, `export` being taken. */
static bool
parse_export(struct assembler *as, struct assemble_line *line,
             struct tg_word word)
{
   uint32_t index = 0;
   bool is_relative = false;
   unsigned address = 0, is_vector;

   if (!assemble_index(as, "export", TEGRA_NO_EXPORT, &index, &is_relative,
                       &address) ||
       !parse_exported(as, &is_vector) ||
       !check_once(as, line->explicit, TEGRA_FIELD_export_index, word))
      return false;
   if (index >= TG_TEGRA_NUM_EXPORTS &&
       (index != TEGRA_NO_EXPORT || is_relative))
      return assemble_error(as, word.position, "export",
                            "there are export[0] to export[15], and 31 is none",
                            is_relative
                               ? "export[A0 + %u] starts where no export is"
                               : "there is no export[%u]",
                            index);
   return assemble_set_field(as, line, TEGRA_FIELD_export_index, index,
                             word.position) &&
          assemble_set_field(as, line, TEGRA_FIELD_export_rel, is_relative,
                             word.position) &&
          assemble_set_field(as, line, TEGRA_FIELD_export_vec, is_vector,
                             word.position) &&
          (!is_relative || assemble_set_field(as, line, TEGRA_FIELD_a_sel,
                                              address, word.position));
}

static bool
parse_option(struct assembler *as, struct assemble_line *line)
{
   struct tg_lexer *lexer = &as->lexer;
   struct tg_word word = tg_lexer_peek_word(lexer);
   int field = tegra_isa_find_field(word.text, word.length);
   bool has_value = tg_lexer_after(lexer, word) == '=';

   for (int i = 0; i < NUM_FLAGS && !has_value; i++) {
      if (tg_lexer_word_is(word, flags[i].word)) {
         tg_lexer_word(lexer);
         return parse_flag(as, line, &flags[i], word);
      }
   }
   if (field < 0 && !tg_lexer_word_is(word, "p") &&
       !tg_lexer_word_is(word, "export"))
      return unknown_option(as, word);
   tg_lexer_word(lexer);
   if (field >= 0)
      return parse_field(as, line, (unsigned)field, word);
   return word.length == 1 ? parse_predicate(as, line, word)
                           : parse_export(as, line, word);
}

bool
assemble_options(struct assembler *as, struct assemble_line *line)
{
   while (tg_lexer_accept(&as->lexer, '(')) {
      if (!parse_option(as, line) ||
          !assemble_char(as, ')', "')' after the option"))
         return false;
   }
   return true;
}
