/* SPDX-License-Identifier: MIT
 *
 * Parsing of operands: registers, and what may stand around them: brackets,
 * masks, swizzles, signs, predicates.
 */
#include <stdio.h>
#include <string.h>

#include "tgsi/text/parse.h"

/* ---- channels ------------------------------------------------------------ */

int
tg_channel_of(char letter)
{
   static const char letters[] = "xyzwrgbaXYZWRGBA";
   const char *found = letter ? strchr(letters, letter) : NULL;

   return found ? (int)(found - letters) % 4 : -1;
}

/* The channels that the word names, in an order that a mask may have. */
static bool
read_mask(struct tg_word word, uint8_t *mask_out)
{
   uint8_t mask = 0;

   for (size_t i = 0; i < word.length; i++) {
      int channel = tg_channel_of(word.text[i]);

      if (channel < 0 || mask >> channel)
         return false;
      mask |= (uint8_t)(1 << channel);
   }
   *mask_out = mask;
   return true;
}

bool
tg_parse_mask(struct tg_parser *parser, uint8_t *mask_out)
{
   struct tg_lexer *lexer = &parser->lexer;

   *mask_out = TG_MASK_XYZW;
   if (!tg_lexer_accept(lexer, '.'))
      return true;

   /* A point alone is how a mask without channels is printed. */
   struct tg_word word = tg_lexer_peek_word(lexer);
   bool touches = lexer->here.at == lexer->previous.at;
   uint8_t mask;
   if (read_mask(word, &mask)) {
      tg_lexer_word(lexer);
      *mask_out = mask;
      return true;
   }
   if (!touches) {
      *mask_out = 0;
      return true;
   }
   tg_lexer_word(lexer);
   return tg_parse_error(parser, word.position, "bad-mask",
                         "its letters are x, y, z and w, in this order",
                         "this is not a write mask");
}

/* `.wzyx` or `.x`: so many letters, or one for all. What is there already stays
 * when there is none. */
static bool
parse_swizzle(struct tg_parser *parser, unsigned num_letters, uint8_t *swizzle)
{
   struct tg_lexer *lexer = &parser->lexer;

   if (!tg_lexer_accept(lexer, '.'))
      return true;
   struct tg_word word = tg_lexer_word(lexer);
   if (!word.length)
      return tg_parse_expected(parser, "the letters of a swizzle");

   bool is_good = word.length == num_letters || word.length == 1;
   for (unsigned i = 0; is_good && i < num_letters; i++) {
      int channel = tg_channel_of(word.text[word.length == 1 ? 0 : i]);

      is_good = channel >= 0;
      swizzle[i] = (uint8_t)channel;
   }
   if (is_good)
      return true;
   return tg_parse_error(parser, word.position, "bad-swizzle",
                         num_letters == 4
                            ? "it is one or four of the letters x, y, z and w"
                            : "it is one or three of the letters x, y, z "
                              "and w",
                         "this is not a swizzle");
}

/* ---- registers ----------------------------------------------------------- */

/* They are written without brackets. */
static const struct {
   const char *word;
   enum tg_res_register index;
} res_registers[] = {
   {"RGLOBAL", TG_RES_GLOBAL},
   {"RLOCAL", TG_RES_LOCAL},
   {"RPRIVATE", TG_RES_PRIVATE},
   {"RINPUT", TG_RES_INPUT},
};

static bool
find_res_register(struct tg_word word, struct tg_register *reg)
{
   size_t count = sizeof(res_registers) / sizeof(res_registers[0]);

   for (size_t i = 0; i < count; i++) {
      if (tg_lexer_word_is(word, res_registers[i].word)) {
         reg->file = TG_FILE_RES;
         reg->index.offset = (int32_t)res_registers[i].index;
         return true;
      }
   }
   return false;
}

static bool
parse_file(struct tg_parser *parser, uint8_t *file_out)
{
   int c = tg_lexer_peek(&parser->lexer);
   unsigned file;

   if (c >= '0' && c <= '9')
      return tg_parse_expected_note(parser, "a register",
                                    "numbers are declared with IMM and used "
                                    "as IMM[n]");
   if (!tg_parse_word(parser, &tg_vocabulary_files, &file))
      return false;
   *file_out = (uint8_t)file;
   return true;
}

/* FILE[n].c and an offset, up to the bracket that closes around them. */
static bool
parse_indirect(struct tg_parser *parser, struct tg_index *index)
{
   struct tg_lexer *lexer = &parser->lexer;
   int64_t number;

   if (!parse_file(parser, &index->file) ||
       !tg_parse_char(parser, '[', "'[' after the register file") ||
       !tg_parse_number(parser, "register index", INT16_MIN, INT16_MAX,
                        &number) ||
       !tg_parse_char(parser, ']', "']' after the register index"))
      return false;
   index->index = (int32_t)number;
   index->indirect = true;

   if (tg_lexer_accept(lexer, '.')) {
      struct tg_word word = tg_lexer_word(lexer);

      if (!word.length)
         return tg_parse_expected(parser, "a channel of the register");
      int channel = word.length == 1 ? tg_channel_of(word.text[0]) : -1;
      if (channel < 0)
         return tg_parse_error(parser, word.position, "bad-channel",
                               "an index is one of the channels x, y, z and w",
                               "this is not a channel");
      index->component = (uint8_t)channel;
   }
   if (!tg_parse_at_number(parser))
      return true;
   if (!tg_parse_number(parser, "index offset", INT16_MIN, INT16_MAX, &number))
      return false;
   index->offset = (int32_t)number;
   return true;
}

/* `(n)` directly after a bracket; of use only to an indirect one. */
static bool
parse_array_id(struct tg_parser *parser, struct tg_index *index)
{
   int64_t id;

   if (!tg_lexer_accept_touching(&parser->lexer, "("))
      return true;
   if (!tg_parse_number(parser, "array id", 0, TG_MAX_ARRAY_ID, &id) ||
       !tg_parse_char(parser, ')', "')' after the array id"))
      return false;
   if (index->indirect)
      index->array_id = (uint16_t)id;
   return true;
}

static bool
parse_bracket(struct tg_parser *parser, struct tg_index *index)
{
   int64_t number;

   *index = (struct tg_index){0};
   if (!tg_parse_char(parser, '[', "'[' after the register file"))
      return false;
   if (tg_parse_at_number(parser)) {
      if (!tg_parse_number(parser, "register index", INT16_MIN, INT16_MAX,
                           &number))
         return false;
      index->offset = (int32_t)number;
   } else if (!parse_indirect(parser, index)) {
      return false;
   }

   /* A register that does not exist adds nothing. */
   if (index->indirect && index->file == TG_FILE_NULL)
      *index = (struct tg_index){.offset = index->offset};
   return tg_parse_char(parser, ']', "']' after the index") &&
          parse_array_id(parser, index);
}

/* With two brackets the first one is the dimension. */
static bool
parse_register(struct tg_parser *parser, struct tg_register *reg)
{
   struct tg_lexer *lexer = &parser->lexer;

   if (find_res_register(tg_lexer_peek_word(lexer), reg)) {
      tg_lexer_word(lexer);
      return true;
   }
   if (!parse_file(parser, &reg->file) || !parse_bracket(parser, &reg->index))
      return false;
   if (tg_lexer_peek(lexer) != '[')
      return true;
   reg->has_dimension = true;
   reg->dimension = reg->index;
   return parse_bracket(parser, &reg->index);
}

/* ---- operands ------------------------------------------------------------ */

bool
tg_parse_dst(struct tg_parser *parser, struct tg_dst *dst)
{
   return parse_register(parser, &dst->reg) &&
          tg_parse_mask(parser, &dst->writemask);
}

bool
tg_parse_src(struct tg_parser *parser, struct tg_src *src)
{
   struct tg_lexer *lexer = &parser->lexer;

   src->negate = tg_lexer_accept(lexer, '-');
   src->absolute = tg_lexer_accept(lexer, '|');
   for (uint8_t i = 0; i < 4; i++)
      src->swizzle[i] = i;
   return parse_register(parser, &src->reg) &&
          parse_swizzle(parser, 4, src->swizzle) &&
          (!src->absolute ||
           tg_parse_char(parser, '|', "'|' after the absolute value"));
}

bool
tg_parse_tex_offset(struct tg_parser *parser, struct tg_tex_offset *offset)
{
   struct tg_lexer *lexer = &parser->lexer;
   struct tg_index index;

   struct tg_position position = tg_lexer_peek_word(lexer).position;
   if (!parse_file(parser, &offset->file) || !parse_bracket(parser, &index))
      return false;
   if (index.indirect)
      tg_parse_warning(parser, position, "indirect-offset",
                       "only the constant part of the index counts",
                       "texture offsets cannot be addressed indirectly");
   offset->index = index.offset;
   return parse_swizzle(parser, 3, offset->swizzle);
}

bool
tg_parse_predicate(struct tg_parser *parser, struct tg_instruction *head)
{
   struct tg_lexer *lexer = &parser->lexer;
   int64_t index;

   tg_lexer_accept(lexer, '(');
   head->has_predicate = true;
   head->predicate_negate = tg_lexer_accept(lexer, '!');
   if (!tg_lexer_word_is(tg_lexer_peek_word(lexer), "PRED"))
      return tg_parse_expected(parser, "a register of the file PRED");
   tg_lexer_word(lexer);
   for (uint8_t i = 0; i < 4; i++)
      head->predicate_swizzle[i] = i;
   if (!tg_parse_char(parser, '[', "'[' after the register file") ||
       !tg_parse_number(parser, "register index", 0, INT16_MAX, &index) ||
       !tg_parse_char(parser, ']', "']' after the register index"))
      return false;
   head->predicate_index = (int32_t)index;
   return parse_swizzle(parser, 4, head->predicate_swizzle) &&
          tg_parse_char(parser, ')', "')' after the predicate");
}

/* IMM is a register file and also begins a statement, `IMM[0] FLT32 {...}` or
 * `IMM FLT32 {...}`. */
static bool
is_immediate_statement(struct tg_lexer lexer)
{
   tg_lexer_word(&lexer);
   if (tg_lexer_accept(&lexer, '[')) {
      tg_lexer_word(&lexer);
      if (!tg_lexer_accept(&lexer, ']'))
         return false;
   }
   struct tg_word type = tg_lexer_peek_word(&lexer);
   return tg_vocabulary_imm_types.find(type.text, type.length) >= 0;
}

bool
tg_parse_at_src(struct tg_parser *parser)
{
   struct tg_lexer *lexer = &parser->lexer;
   int c = tg_lexer_peek(lexer);
   struct tg_word word = tg_lexer_peek_word(lexer);

   if (c == '-' || c == '|')
      return true;
   if (tg_lexer_word_is(word, "IMM"))
      return !is_immediate_statement(*lexer);
   struct tg_register unused;
   return tg_lexer_after(lexer, word) == '['
             ? tg_file_find(word.text, word.length) >= 0
             : find_res_register(word, &unused);
}
