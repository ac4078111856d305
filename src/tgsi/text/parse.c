/* SPDX-License-Identifier: MIT
 *
 * The text parser's driver: header, statements one after the other, and error
 * recovery at the next statement. What a statement consists of is in the files
 * parse_*.c. There is no recursion, and each byte is looked at a bounded number
 * of times.
 */
#include "tgsi/text/parse.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
   MAX_WORDED = 1000, /* mistakes that are put into words; all are counted */
   MAX_LISTED = 8,    /* words of a vocabulary that a note lists */
};

/* ---- complaints ---------------------------------------------------------- */

bool
tg_parse_error(struct tg_parser *parser, struct tg_position position,
               const char *code, const char *note, const char *format, ...)
{
   char message[256] = "";
   va_list args;

   va_start(args, format);
   if (parser->num_errors++ < MAX_WORDED)
      vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   tg_diagnose(parser->diagnostics, TG_SEVERITY_ERROR, code,
               parser->lexer.source, position, note, "%s", message);
   return false;
}

void
tg_parse_warning(struct tg_parser *parser, struct tg_position position,
                 const char *code, const char *note, const char *message)
{
   tg_diagnose(parser->diagnostics, TG_SEVERITY_WARNING, code,
               parser->lexer.source, position, note, "%s", message);
}

bool
tg_parse_expected(struct tg_parser *parser, const char *what)
{
   return tg_parse_expected_note(parser, what, NULL);
}

bool
tg_parse_expected_note(struct tg_parser *parser, const char *what,
                       const char *note)
{
   struct tg_unexpected found =
      tg_lexer_unexpected(&parser->lexer, what, note,
                          "a shader consists of printable ASCII characters");

   return tg_parse_error(parser, found.position, found.code, found.note, "%s",
                         found.message);
}

/* The same for a word that needs an article. */
static bool
expected_a(struct tg_parser *parser, const char *noun)
{
   char what[64];

   snprintf(what, sizeof(what), "%s %s", strchr("aeiou", *noun) ? "an" : "a",
            noun);
   return tg_parse_expected(parser, what);
}

/* "one of A, B and C" for a short vocabulary. False for a long one. */
static bool
list_words(const struct tg_vocabulary *vocabulary, char *note, size_t size)
{
   size_t used = 0;

   if (vocabulary->num_words > MAX_LISTED)
      return false;
   for (size_t i = 0; i < vocabulary->num_words; i++) {
      const char *before = ", ";

      if (i == 0)
         before = "one of ";
      else if (i + 1 == vocabulary->num_words)
         before = " and ";
      used += (size_t)snprintf(note + used, size - used, "%s%s%s", before,
                               vocabulary->prefix, vocabulary->word(i));
      if (used >= size)
         return false;
   }
   return true;
}

const char *
tg_parse_suggest(const struct tg_parser *parser,
                 const struct tg_vocabulary *vocabulary, struct tg_word word)
{
   if (parser->num_errors >= MAX_WORDED)
      return NULL;
   return tg_vocabulary_suggest(vocabulary, word.text, word.length);
}

bool
tg_parse_unknown(struct tg_parser *parser,
                 const struct tg_vocabulary *vocabulary, struct tg_word word)
{
   if (tg_parse_is_next_statement(parser, word)) {
      tg_lexer_untake(&parser->lexer);
      return expected_a(parser, vocabulary->noun);
   }

   const char *meant = tg_parse_suggest(parser, vocabulary, word);
   char note[160];
   bool has_note = true;

   if (meant)
      snprintf(note, sizeof(note), "did you mean %s%s?", vocabulary->prefix,
               meant);
   else
      has_note = list_words(vocabulary, note, sizeof(note));
   return tg_parse_error(parser, word.position, vocabulary->code,
                         has_note ? note : NULL, "unknown %s '%.*s'",
                         vocabulary->noun, tg_lexer_word_shown(word),
                         word.text);
}

bool
tg_parse_no_room(struct tg_parser *parser, struct tg_position position,
                 uint32_t count, uint32_t bound, const char *things)
{
   if (count < bound) {
      parser->failure = TG_ERROR_MEMORY;
      return false;
   }
   parser->failure = TG_ERROR_INPUT;
   return tg_parse_error(parser, position, "too-many", NULL,
                         "a shader has at most %u %s", bound, things);
}

/* ---- small things -------------------------------------------------------- */

bool
tg_parse_char(struct tg_parser *parser, char c, const char *what)
{
   return tg_lexer_accept(&parser->lexer, c) || tg_parse_expected(parser, what);
}

bool
tg_parse_word(struct tg_parser *parser, const struct tg_vocabulary *vocabulary,
              unsigned *number_out)
{
   struct tg_word word = tg_lexer_word(&parser->lexer);

   if (!word.length)
      return expected_a(parser, vocabulary->noun);
   int number = vocabulary->find(word.text, word.length);
   if (number < 0)
      return tg_parse_unknown(parser, vocabulary, word);
   *number_out = (unsigned)number;
   return true;
}

bool
tg_parse_at_number(struct tg_parser *parser)
{
   int c = tg_lexer_peek(&parser->lexer);

   return (c >= '0' && c <= '9') || c == '+' || c == '-';
}

/* The value of decimal digits, INT64_MAX when it is that or more; false when
 * the word is something else. */
static bool
read_digits(struct tg_word word, int64_t *value_out)
{
   int64_t value = 0;

   for (size_t i = 0; i < word.length; i++) {
      int digit = word.text[i] - '0';

      if (digit < 0 || digit > 9)
         return false;
      if (value > (INT64_MAX - digit) / 10)
         value = INT64_MAX;
      else
         value = value * 10 + digit;
   }
   *value_out = value;
   return word.length > 0;
}

bool
tg_parse_number(struct tg_parser *parser, const char *what, int64_t least,
                int64_t most, int64_t *number_out)
{
   struct tg_lexer *lexer = &parser->lexer;
   int sign = tg_lexer_peek(lexer);
   struct tg_position position = tg_lexer_position(lexer, lexer->here);
   bool has_sign = least < 0 && (sign == '+' || sign == '-');

   if (has_sign)
      tg_lexer_accept(lexer, (char)sign);
   struct tg_word word = tg_lexer_word(lexer);
   int64_t number;
   if (!read_digits(word, &number) ||
       tg_parse_is_next_statement(parser, word)) {
      if (word.length)
         tg_lexer_untake(lexer);
      return expected_a(parser, what);
   }
   if (has_sign && sign == '-')
      number = -number;
   if (number < least || number > most) {
      char note[64];

      snprintf(note, sizeof(note), "it is at least %lld and at most %lld",
               (long long)least, (long long)most);
      return tg_parse_error(
         parser, position, "out-of-range", note, "%s %s%.*s is out of range",
         what, number < 0 ? "-" : "", tg_lexer_word_shown(word), word.text);
   }
   *number_out = number;
   return true;
}

/* ---- statements ---------------------------------------------------------- */

/* The statements that are no instructions. */
static const struct statement {
   const char *word;
   bool (*parse)(struct tg_parser *parser, struct tg_word word);
} statements[] = {
   {"DCL", tg_parse_declaration},
   {"IMM", tg_parse_immediate},
   {"PROPERTY", tg_parse_property},
};

static const struct statement *
find_statement(struct tg_word word)
{
   for (size_t i = 0; i < sizeof(statements) / sizeof(statements[0]); i++) {
      if (tg_lexer_word_is(word, statements[i].word))
         return &statements[i];
   }
   return NULL;
}

bool
tg_parse_is_statement(struct tg_word word)
{
   return find_statement(word) != NULL;
}

static bool
is_digit(char c)
{
   return c >= '0' && c <= '9';
}

bool
tg_parse_is_next_statement(const struct tg_parser *parser, struct tg_word word)
{
   const struct tg_lexer *lexer = &parser->lexer;

   if (!word.length || word.position.line == lexer->before.line)
      return false;
   if (is_digit(word.text[0]))
      return tg_lexer_after(lexer, word) == ':';
   return find_statement(word) || tg_opcode_find(word.text, word.length) >= 0;
}

/* `12:` before an instruction. The number means nothing. */
static bool
parse_label(struct tg_parser *parser)
{
   int64_t label;

   if (!tg_parse_number(parser, "instruction number", 0, UINT32_MAX, &label) ||
       !tg_parse_char(parser, ':', "':' after the instruction number"))
      return false;
   struct tg_word word = tg_lexer_peek_word(&parser->lexer);
   if (find_statement(word))
      return tg_parse_error(parser, word.position, "numbered-declaration", NULL,
                            "only instructions have a number, not %.*s",
                            tg_lexer_word_shown(word), word.text);
   return tg_parse_instruction(parser);
}

/* A statement begins with a sign. Most people who write one mean a comment. */
static bool
refuse_sign(struct tg_parser *parser)
{
   int c = tg_lexer_peek(&parser->lexer);
   bool is_comment = c == ';' || c == '#' || c == '/' || c == '*';

   return tg_parse_expected_note(
      parser, "a declaration, immediate, property or instruction",
      is_comment ? "the language has no comments" : NULL);
}

static bool
parse_statement(struct tg_parser *parser)
{
   struct tg_lexer *lexer = &parser->lexer;
   struct tg_word word = tg_lexer_peek_word(lexer);

   if (!word.length && tg_lexer_peek(lexer) != '(')
      return refuse_sign(parser);
   if (word.length && is_digit(word.text[0]))
      return parse_label(parser);
   const struct statement *statement = find_statement(word);
   if (!statement)
      return tg_parse_instruction(parser);
   tg_lexer_word(lexer);
   return statement->parse(parser, word);
}

/* Statements are separated by white space and by nothing else. */
static bool
parse_separator(struct tg_parser *parser)
{
   struct tg_lexer *lexer = &parser->lexer;

   if (tg_lexer_peek(lexer) == TG_LEXER_END ||
       lexer->here.at != lexer->previous.at)
      return true;
   return tg_parse_expected(parser, "white space after the statement");
}

static void
parse_statements(struct tg_parser *parser)
{
   struct tg_lexer *lexer = &parser->lexer;

   while (parser->failure == TG_OK && tg_lexer_peek(lexer) != TG_LEXER_END) {
      /* Complaints about the first byte belong to its line. */
      lexer->previous = lexer->here;
      if (!parse_statement(parser) || !parse_separator(parser))
         tg_lexer_skip_line(lexer);
   }
}

/* The stage, which is the first word. */
static bool
parse_header(struct tg_parser *parser, enum tg_processor *processor_out,
             struct tg_position *position_out)
{
   struct tg_word word = tg_lexer_peek_word(&parser->lexer);
   unsigned processor;

   parser->lexer.previous = parser->lexer.here;
   if (!tg_parse_word(parser, &tg_vocabulary_stages, &processor))
      return false;
   if (processor >= TG_NUM_STAGES)
      return tg_parse_error(parser, word.position, "not-a-stage", NULL,
                            "%s is not a stage that a shader can be for",
                            tg_processor_row(processor)->name);
   *processor_out = (enum tg_processor)processor;
   *position_out = word.position;
   return parse_separator(parser);
}

/* What comes out when the text has been read. */
static enum tg_result
finish(struct tg_parser *parser, struct tg_shader **shader_out)
{
   enum tg_result result = parser->failure;

   if (result == TG_OK && parser->num_errors)
      result = TG_ERROR_INPUT;
   if (result == TG_OK) {
      tg_shader_seal(parser->shader);
      *shader_out = parser->shader;
      parser->shader = NULL;
   }
   tg_shader_destroy(parser->shader);
   if (parser->c_locale)
      freelocale(parser->c_locale);
   return result;
}

enum tg_result
tg_shader_parse_source(const struct tg_allocator *allocator,
                       const struct tg_source *source, enum tg_dialect dialect,
                       struct tg_diagnostics *diagnostics,
                       struct tg_shader **shader_out)
{
   struct tg_parser parser = {.diagnostics = diagnostics};

   if (source->length > TG_PARSE_MAX_TEXT) {
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "too-long", source,
                  (struct tg_position){0}, NULL,
                  "a shader has at most %d bytes, not %zu", TG_PARSE_MAX_TEXT,
                  source->length);
      return TG_ERROR_INPUT;
   }
   tg_lexer_init(&parser.lexer, source);

   enum tg_processor processor = TG_PROCESSOR_VERT;
   struct tg_position position;
   if (!parse_header(&parser, &processor, &position))
      return finish(&parser, shader_out);
   parser.shader = tg_shader_create(allocator, processor, dialect, source);
   parser.c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
   if (parser.shader && parser.c_locale) {
      parser.shader->position = position;
      parse_statements(&parser);
   } else {
      parser.failure = TG_ERROR_MEMORY;
   }
   return finish(&parser, shader_out);
}

enum tg_result
tg_shader_parse(const struct tg_allocator *allocator, const char *name,
                const char *text, size_t length, enum tg_dialect dialect,
                struct tg_diagnostics *diagnostics,
                struct tg_shader **shader_out)
{
   assert(shader_out);
   const struct tg_source source = {name, text, length};

   return tg_shader_parse_source(allocator, &source, dialect, diagnostics,
                                 shader_out);
}
