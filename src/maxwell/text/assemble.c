/* SPDX-License-Identifier: MIT
 *
 * The assembler: text to a program. A statement is control bits, a guard, a
 * name with modifiers, operands and control bits again, up to a semicolon, and
 * braces may stand around two; after a mistake it goes on with the next one.
 */
#include "maxwell/text/assemble.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "maxwell/isa/control.h"
#include "util/ascii.h"
#include "util/length.h"
#include "util/number.h"

enum {
   MOST_TEXT = 64 << 20, /* bytes */
   MOST_ERRORS = 1000,   /* the last of which says that the rest is not read */
};

/* ---- complaints ---------------------------------------------------------- */

bool
maxwell_assemble_error(struct maxwell_assembler *assembler,
                       struct tg_position position, const char *code,
                       const char *note, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   tg_vdiagnose(assembler->diagnostics, TG_SEVERITY_ERROR, code,
                assembler->lexer.source, position, note, format, args);
   va_end(args);
   assembler->num_errors++;
   return false;
}

bool
maxwell_assemble_expected(struct maxwell_assembler *assembler, const char *what,
                          const char *note)
{
   struct tg_unexpected found =
      tg_lexer_unexpected(&assembler->lexer, what, note,
                          "a program consists of printable ASCII characters");

   return maxwell_assemble_error(assembler, found.position, found.code,
                                 found.note, "%s", found.message);
}

/* ---- small things -------------------------------------------------------- */

static const char *
article_of(const char *noun)
{
   return strchr("aeio", *noun) ? "an" : "a";
}

/* The bound is in the base of the number that is beyond it. */
static bool
refuse_number(struct maxwell_assembler *assembler, struct tg_word word,
              const char *what, uint64_t most)
{
   const bool is_hexadecimal =
      word.length > 1 && tg_ascii_lower(word.text[1]) == 'x';
   char range[48];

   snprintf(range, sizeof(range),
            !most            ? "here it is 0"
            : is_hexadecimal ? "it goes from 0 to 0x%llx"
                             : "it goes from 0 to %llu",
            (unsigned long long)most);
   return maxwell_assemble_error(assembler, word.position, "range", NULL,
                                 "%.*s is no %s: %s", tg_lexer_word_shown(word),
                                 word.text, what, range);
}

bool
maxwell_assemble_number(struct maxwell_assembler *assembler, const char *what,
                        uint64_t most, uint64_t *number_out)
{
   struct tg_word word = tg_lexer_peek_word(&assembler->lexer);
   char expected[64];
   if (!word.length || word.text[0] < '0' || word.text[0] > '9') {
      snprintf(expected, sizeof(expected), "%s %s", article_of(what), what);
      return maxwell_assemble_expected(assembler, expected, NULL);
   }

   uint64_t number;
   enum tg_number found = tg_number_read(word.text, word.length, &number);
   tg_lexer_word(&assembler->lexer);
   if (found != TG_NUMBER_GOOD || number > most)
      return refuse_number(assembler, word, what, most);
   *number_out = number;
   return true;
}

bool
maxwell_assemble_predicate(struct maxwell_assembler *assembler, uint16_t *out)
{
   struct tg_word word = tg_lexer_peek_word(&assembler->lexer);

   *out = MAXWELL_PT;
   if (!tg_lexer_word_is(word, "PT")) {
      if (word.length != 2 || tg_ascii_lower(word.text[0]) != 'p' ||
          word.text[1] < '0' || word.text[1] >= '0' + MAXWELL_PT)
         return maxwell_assemble_expected(assembler, "a predicate",
                                          "predicates are P0 to P6 and PT");
      *out = (uint16_t)(word.text[1] - '0');
   }
   tg_lexer_word(&assembler->lexer);
   return true;
}

/* ---- name and modifiers -------------------------------------------------- */

static const char *
form_name(size_t index)
{
   assert(index < TG_LENGTH(maxwell_forms));
   return maxwell_forms[index].name;
}

static const char *
modifier_name(size_t index)
{
   assert(index < TG_LENGTH(maxwell_modifiers));
   return maxwell_modifiers[index].name;
}

/* The form with this name and a handle in a register or not. */
static enum maxwell_form
find_form(struct tg_word name, bool is_bindless)
{
   enum maxwell_form form = 0;

   while (form < MAXWELL_FORM_NONE &&
          !(tg_lexer_word_is(name, maxwell_forms[form].name) &&
            maxwell_forms[form].is_bindless == is_bindless))
      form++;
   return form;
}

static bool
read_name(struct maxwell_assembler *assembler,
          struct maxwell_statement *statement)
{
   struct tg_word name = tg_lexer_peek_word(&assembler->lexer);
   if (!name.length)
      return maxwell_assemble_expected(assembler, "an instruction", NULL);

   statement->name = tg_lexer_word(&assembler->lexer);
   statement->position = name.position;
   if (find_form(name, false) != MAXWELL_FORM_NONE)
      return true;

   const char *meant =
      tg_did_you_mean(name.text, name.length, MAXWELL_NUM_FORMS, form_name);
   return maxwell_assemble_error(
      assembler, name.position, "unknown-instruction",
      "they are TEXS, TLDS, TLD4S, TEX, TLD, TLD4, TXD, TXQ, "
      "TMML and TXA",
      "there is no texture instruction '%.*s'%s%s%s", tg_lexer_word_shown(name),
      name.text, meant ? "; did you mean '" : "", meant ? meant : "",
      meant ? "'?" : "");
}

/* The modifier with this name whose property is free, of two the later row: a
 * .B is a handle in a register until settle_component() knows better.
 * `was_given` is set if there is such a row, but with a property that has its
 * value.
 */
static const struct maxwell_modifier *
find_modifier(const struct maxwell_properties *properties, struct tg_word word,
              bool *was_given)
{
   *was_given = false;
   for (unsigned i = MAXWELL_NUM_MODIFIERS; i-- > 0;) {
      const struct maxwell_modifier *modifier = &maxwell_modifiers[i];

      if (!tg_lexer_word_is(word, modifier->name))
         continue;
      if (!properties->value[modifier->property])
         return modifier;
      *was_given = true;
   }
   return NULL;
}

static bool
read_modifier(struct maxwell_assembler *assembler,
              struct maxwell_properties *properties)
{
   struct tg_word word = tg_lexer_peek_word(&assembler->lexer);
   if (!word.length)
      return maxwell_assemble_expected(assembler, "a modifier", NULL);

   bool was_given;
   const struct maxwell_modifier *modifier =
      find_modifier(properties, word, &was_given);
   tg_lexer_word(&assembler->lexer);
   if (modifier) {
      properties->value[modifier->property] = modifier->value;
      return true;
   }
   if (was_given)
      return maxwell_assemble_error(
         assembler, word.position, "modifier", NULL,
         "'.%.*s' was given already, or what excludes it",
         tg_lexer_word_shown(word), word.text);

   const char *meant = tg_did_you_mean(word.text, word.length,
                                       MAXWELL_NUM_MODIFIERS, modifier_name);
   return maxwell_assemble_error(assembler, word.position, "modifier", NULL,
                                 "there is no modifier '.%.*s'%s%s%s",
                                 tg_lexer_word_shown(word), word.text,
                                 meant ? "; did you mean '." : "",
                                 meant ? meant : "", meant ? "'?" : "");
}

/* A gather's only .B is its component, unless another one is given: NVIDIA's
 * .A.B and .B.A are both the component A and a handle in a register. */
static void
settle_component(struct maxwell_statement *statement)
{
   uint8_t *value = statement->properties.value;
   enum maxwell_form form = find_form(statement->name, false);

   if (maxwell_may_have_modifier(form, MAXWELL_PROPERTY_COMP) &&
       value[MAXWELL_PROPERTY_BINDLESS] && !value[MAXWELL_PROPERTY_COMP]) {
      value[MAXWELL_PROPERTY_BINDLESS] = 0;
      value[MAXWELL_PROPERTY_COMP] = 3;
   }
}

/* Says which modifier the form has not. */
static bool
check_properties(struct maxwell_assembler *assembler,
                 const struct maxwell_statement *statement)
{
   enum maxwell_form form = statement->instruction.form;

   for (unsigned i = 0; i < MAXWELL_NUM_MODIFIERS; i++) {
      const struct maxwell_modifier *modifier = &maxwell_modifiers[i];

      if (statement->properties.value[modifier->property] == modifier->value &&
          !maxwell_may_have_modifier(form, modifier->property))
         return maxwell_assemble_error(
            assembler, statement->position, "modifier", NULL,
            "%s has no modifier .%s", maxwell_forms[form].name, modifier->name);
   }
   return true;
}

static bool
read_mnemonic(struct maxwell_assembler *assembler,
              struct maxwell_statement *statement)
{
   if (!read_name(assembler, statement))
      return false;
   while (tg_lexer_accept_touching(&assembler->lexer, ".")) {
      if (!read_modifier(assembler, &statement->properties))
         return false;
   }
   settle_component(statement);

   bool is_bindless = statement->properties.value[MAXWELL_PROPERTY_BINDLESS];
   enum maxwell_form form = find_form(statement->name, is_bindless);
   if (form == MAXWELL_FORM_NONE)
      return maxwell_assemble_error(
         assembler, statement->position, "modifier",
         "TEX, TLD, TLD4, TXD, TXQ and TMML have it",
         "%s has no form with a handle in a register, .B",
         maxwell_forms[find_form(statement->name, false)].name);
   statement->instruction.form = (uint8_t)form;
   return check_properties(assembler, statement);
}

/* ---- statements ---------------------------------------------------------- */

static bool
read_guard(struct maxwell_assembler *assembler,
           struct maxwell_statement *statement)
{
   statement->instruction.pred = MAXWELL_PT;
   if (!tg_lexer_accept(&assembler->lexer, '@'))
      return true;
   statement->instruction.pnot = tg_lexer_accept(&assembler->lexer, '!');
   return maxwell_assemble_predicate(assembler, &statement->instruction.pred);
}

static bool
add_instruction(struct maxwell_assembler *assembler,
                struct maxwell_statement *statement, uint64_t word)
{
   uint32_t control = maxwell_isa_encode_control(&statement->control);
   enum tg_result result = maxwell_program_add(assembler->program, word,
                                               control, statement->position);

   if (result == TG_ERROR_LIMIT)
      maxwell_assemble_error(assembler, statement->position, "program-size",
                             NULL, "there are more than %d instructions",
                             TG_MAXWELL_MAX_INSTRUCTIONS);
   assembler->failure = result;
   return result == TG_OK;
}

/* `.word 0x...` */
static bool
read_word(struct maxwell_assembler *assembler,
          struct maxwell_statement *statement)
{
   uint64_t word;

   return maxwell_assemble_number(assembler, "word", UINT64_MAX, &word) &&
          maxwell_assemble_control_schedule(assembler, statement) &&
          add_instruction(assembler, statement, word);
}

/* `.integer 0x28`: the texture with the handle there has integers. */
static bool
read_integer(struct maxwell_assembler *assembler)
{
   uint64_t index;

   if (!maxwell_assemble_number(assembler, "index", MAXWELL_MAX_INDEX, &index))
      return false;
   maxwell_program_set_integer(assembler->program, (unsigned)index);
   return true;
}

static bool
read_directive(struct maxwell_assembler *assembler,
               struct maxwell_statement *statement)
{
   struct tg_word name = tg_lexer_word(&assembler->lexer);

   statement->position = name.position;
   if (tg_lexer_word_is(name, "word"))
      return read_word(assembler, statement);
   if (tg_lexer_word_is(name, "integer"))
      return read_integer(assembler);
   return maxwell_assemble_error(assembler, name.position, "syntax", NULL,
                                 "the directives are .word and .integer");
}

static bool
read_instruction(struct maxwell_assembler *assembler,
                 struct maxwell_statement *statement)
{
   if (!read_guard(assembler, statement) ||
       !read_mnemonic(assembler, statement) ||
       !maxwell_read_operands(assembler, statement) ||
       !maxwell_assemble_control_schedule(assembler, statement))
      return false;

   uint32_t control = maxwell_isa_encode_control(&statement->control);
   if (!maxwell_set_modifiers(&statement->instruction, &control,
                              &statement->properties))
      return maxwell_refuse_modifiers(assembler, statement);
   statement->control = maxwell_isa_decode_control(control);
   return add_instruction(assembler, statement,
                          maxwell_isa_encode(&statement->instruction));
}

/* A semicolon; where a brace closes a pair it may stand before that, after
 * it, or be left out. */
static bool
end_statement(struct maxwell_assembler *assembler)
{
   struct tg_lexer *lexer = &assembler->lexer;
   bool has_semicolon = tg_lexer_accept(lexer, ';');

   if (tg_lexer_peek(lexer) == '}') {
      maxwell_close_pair(assembler);
      if (!has_semicolon)
         tg_lexer_accept(lexer, ';');
      return true;
   }
   return has_semicolon || maxwell_assemble_expected(assembler, "';'", NULL);
}

static bool
read_statement(struct maxwell_assembler *assembler)
{
   struct maxwell_statement statement = {0};

   return maxwell_open_pair(assembler) &&
          maxwell_assemble_control_prefix(assembler, &statement) &&
          maxwell_open_pair(assembler) &&
          (tg_lexer_accept(&assembler->lexer, '.')
              ? read_directive(assembler, &statement)
              : read_instruction(assembler, &statement)) &&
          end_statement(assembler);
}

/* Goes on after the next semicolon, or at the next line if it comes first. */
static void
skip_statement(struct maxwell_assembler *assembler)
{
   struct tg_lexer *lexer = &assembler->lexer;
   const char *at = lexer->here.at;

   if (assembler->pair.state == MAXWELL_PAIR_OPEN)
      assembler->pair.state = MAXWELL_PAIR_BROKEN;
   while (at < lexer->end && *at != ';' && *at != '\n')
      at++;
   lexer->here.at = at;
   lexer->previous = lexer->here;
   tg_lexer_accept_touching(lexer, ";");
}

/* Diagnostics that need all to have been read. */
static void
finish_text(struct maxwell_assembler *assembler)
{
   struct tg_position position;

   if (tg_lexer_open_comment(&assembler->lexer, &position))
      maxwell_assemble_error(assembler, position, "open-comment",
                             "it ends with */", "this comment does not end");
   else if (assembler->pair.state == MAXWELL_PAIR_OPEN)
      maxwell_assemble_error(assembler, assembler->pair.position, "braces",
                             NULL, "there is no '}' for this '{'");
   else if (!assembler->program->num_instructions && !assembler->num_errors)
      maxwell_assemble_error(assembler, (struct tg_position){0}, "program-size",
                             NULL, "a program has at least one instruction");
}

static void
read_program(struct maxwell_assembler *assembler)
{
   struct tg_lexer *lexer = &assembler->lexer;

   while (tg_lexer_peek(lexer) != TG_LEXER_END && assembler->failure == TG_OK) {
      if (assembler->num_errors + 1 >= MOST_ERRORS) {
         maxwell_assemble_error(
            assembler, tg_lexer_position(lexer, lexer->here), "too-many", NULL,
            "there are %d mistakes; the rest is not read", MOST_ERRORS - 1);
         return;
      }
      if (!read_statement(assembler))
         skip_statement(assembler);
   }
   if (assembler->failure == TG_OK)
      finish_text(assembler);
}

enum tg_result
tg_maxwell_assemble(const struct tg_allocator *allocator, const char *name,
                    const char *text, size_t length,
                    struct tg_diagnostics *diagnostics,
                    struct tg_maxwell_program **program_out)
{
   assert(program_out);
   struct tg_source source = {name, text, length};
   struct maxwell_assembler assembler = {.diagnostics = diagnostics};

   if (length > MOST_TEXT) {
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "program-size", &source,
                  (struct tg_position){0}, NULL,
                  "a program has at most %d bytes, not %zu", MOST_TEXT, length);
      return TG_ERROR_INPUT;
   }
   assembler.program = maxwell_program_create(allocator, &source);
   if (!assembler.program)
      return TG_ERROR_MEMORY;
   tg_lexer_init(&assembler.lexer, &assembler.program->source);
   assembler.lexer.has_comments = assembler.lexer.has_hash_comments = true;

   read_program(&assembler);
   if (assembler.failure == TG_ERROR_MEMORY || assembler.num_errors) {
      tg_maxwell_program_destroy(assembler.program);
      return assembler.failure == TG_ERROR_MEMORY ? TG_ERROR_MEMORY
                                                  : TG_ERROR_INPUT;
   }
   *program_out = assembler.program;
   return TG_OK;
}
