/* SPDX-License-Identifier: MIT
 *
 * Parsing of PROPERTY statements: a name, and one value or, as tokens may hold,
 * several.
 */
#include "tgsi/text/parse.h"

/* A name where the property has names, or the number of one. */
static bool
parse_property_value(struct tg_parser *parser,
                     const struct tg_vocabulary *vocabulary,
                     uint32_t *value_out)
{
   if (vocabulary && !tg_parse_at_number(parser))
      return tg_parse_word(parser, vocabulary, value_out);

   int64_t number;
   if (!tg_parse_number(parser, "property value", INT32_MIN, UINT32_MAX,
                        &number))
      return false;
   *value_out = (uint32_t)number;
   return true;
}

bool
tg_parse_property(struct tg_parser *parser, struct tg_word word)
{
   struct tg_property made = {0};
   unsigned name;

   made.position = tg_lexer_peek_word(&parser->lexer).position;
   if (!tg_parse_word(parser, &tg_vocabulary_properties, &name))
      return false;
   made.name = (uint8_t)name;

   const struct tg_vocabulary *vocabulary = tg_vocabulary_of_property(
      (enum tg_property_form)tg_property_row(name)->form);
   do {
      if (made.num_values == TG_MAX_PROPERTY_VALUES)
         return tg_parse_error(parser, made.position, "too-many-values", NULL,
                               "a property has at most %d values",
                               TG_MAX_PROPERTY_VALUES);
      if (!parse_property_value(parser, vocabulary,
                                &made.values[made.num_values]))
         return false;
      made.num_values++;
   } while (tg_lexer_accept(&parser->lexer, ','));

   struct tg_property *added = tg_shader_add_property(parser->shader);
   if (!added)
      return tg_parse_no_room(parser, word.position,
                              parser->shader->num_properties, TG_MAX_PROPERTIES,
                              "properties");
   *added = made;
   return true;
}
