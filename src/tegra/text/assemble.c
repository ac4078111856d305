/* SPDX-License-Identifier: MIT
 *
 * The assembler's driver: sections, statements one after the other, and error
 * recovery. What a statement consists of is in the files assemble_*.c. There is
 * no recursion, and each byte is looked at a bounded number of times.
 */
#include "tegra/text/assemble.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
   MAX_TEXT = 64 << 20, /* bytes; what is longer is not looked at */
   MAX_ERRORS = 1000,   /* the last of which says that the rest is not read */
   NUM_OTHERS = 3,      /* directives that are no sections */
};

/* ---- complaints ---------------------------------------------------------- */

static void
complain(struct assembler *as, enum tg_severity severity,
         struct tg_position position, const char *code, const char *note,
         const char *format, va_list args)
{
   as->num_errors += severity == TG_SEVERITY_ERROR;
   tg_vdiagnose(as->diagnostics, severity, code, as->lexer.source, position,
                note, format, args);
}

bool
assemble_error(struct assembler *as, struct tg_position position,
               const char *code, const char *note, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   complain(as, TG_SEVERITY_ERROR, position, code, note, format, args);
   va_end(args);
   return false;
}

bool
assemble_doubt(struct assembler *as, struct tg_position position,
               const char *code, const char *note, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   complain(as, as->is_strict ? TG_SEVERITY_ERROR : TG_SEVERITY_WARNING,
            position, code, note, format, args);
   va_end(args);
   return !as->is_strict;
}

void
assemble_warning(struct assembler *as, struct tg_position position,
                 const char *code, const char *note, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   complain(as, TG_SEVERITY_WARNING, position, code, note, format, args);
   va_end(args);
}

static bool
expected_note(struct assembler *as, const char *what, const char *note)
{
   struct tg_unexpected found =
      tg_lexer_unexpected(&as->lexer, what, note,
                          "a program consists of printable ASCII characters");

   return assemble_error(as, found.position, found.code, found.note, "%s",
                         found.message);
}

bool
assemble_expected(struct assembler *as, const char *what)
{
   return expected_note(as, what, NULL);
}

bool
assemble_char(struct assembler *as, char c, const char *what)
{
   return tg_lexer_accept(&as->lexer, c) || assemble_expected(as, what);
}

/* ---- sections ------------------------------------------------------------ */

static const char *const sections[ASSEMBLE_NUM_SECTIONS] = {
   [TG_TEGRA_ATTRIBUTE] = "attributes",
   [TG_TEGRA_EXPORT] = "exports",
   [TG_TEGRA_UNIFORM] = "uniforms",
   [ASSEMBLE_CONSTANTS] = "constants",
   [ASSEMBLE_CODE] = "asm",
};

/* `.defaults` was taken. */
static bool
parse_defaults(struct assembler *as)
{
   struct tg_word word = tg_lexer_peek_word(&as->lexer);

   for (int i = 0; i < TEGRA_NUM_STYLES; i++) {
      if (!tg_lexer_word_is(word, tegra_style_names[i]))
         continue;
      tg_lexer_word(&as->lexer);
      as->style = (enum tegra_style)i;
      return true;
   }
   return assemble_expected(as, "'grate' or 'nvidia'");
}

/* The names of everything that begins with a point. */
static const char *
directive_name(size_t index)
{
   static const char *const others[NUM_OTHERS] = {"defaults", "end_last",
                                                  "word"};

   return index < ASSEMBLE_NUM_SECTIONS ? sections[index]
                                        : others[index - ASSEMBLE_NUM_SECTIONS];
}

static bool
unknown_directive(struct assembler *as, struct tg_word word)
{
   char note[64];

   if (!word.length)
      return assemble_expected(as, "the name of a section");
   const char *meant =
      tg_did_you_mean(word.text, word.length,
                      ASSEMBLE_NUM_SECTIONS + NUM_OTHERS, directive_name);
   snprintf(note, sizeof(note), "did you mean .%s?", meant ? meant : "");
   as->section = ASSEMBLE_UNKNOWN;
   return assemble_error(as, word.position, "unknown-section",
                         meant ? note : NULL, "unknown section '.%.*s'",
                         tg_lexer_word_shown(word), word.text);
}

/* An instruction after `.constants` and the like; the first is complained of.
 */
static void
expect_code(struct assembler *as, struct tg_position position)
{
   if (as->section < ASSEMBLE_CODE)
      assemble_error(as, position, "misplaced-instruction",
                     "write .asm before the instructions",
                     "no instruction can stand in the section .%s",
                     sections[as->section]);
   as->section = ASSEMBLE_CODE;
}

/* What begins with a point, which was taken. */
static bool
parse_directive(struct assembler *as, struct tg_position position)
{
   struct tg_word word = tg_lexer_peek_word(&as->lexer);

   if (tg_lexer_word_is(word, "word")) {
      expect_code(as, position);
      tg_lexer_word(&as->lexer);
      return assemble_instruction_words(as, position);
   }
   if (tg_lexer_word_is(word, "defaults")) {
      tg_lexer_word(&as->lexer);
      return parse_defaults(as);
   }
   if (tg_lexer_word_is(word, "end_last")) {
      tg_lexer_word(&as->lexer);
      as->ends_last = true;
      return true;
   }
   for (int i = 0; i < ASSEMBLE_NUM_SECTIONS; i++) {
      if (!tg_lexer_word_is(word, sections[i]))
         continue;
      tg_lexer_word(&as->lexer);
      as->section = (enum assemble_section)i;
      return true;
   }
   return unknown_directive(as, word);
}

static bool
parse_declaration(struct assembler *as)
{
   switch (as->section) {
   case ASSEMBLE_ATTRIBUTES:
   case ASSEMBLE_EXPORTS:
   case ASSEMBLE_UNIFORMS:
      return assemble_name_declaration(as, (enum tg_tegra_name)as->section);
   case ASSEMBLE_CONSTANTS: return assemble_constant_declaration(as);
   case ASSEMBLE_CODE:
      return expected_note(as, "an instruction",
                           "names and values stand after .attributes,"
                           " .exports, .uniforms or .constants");
   case ASSEMBLE_UNKNOWN: break;
   }
   return false;
}

/* ---- statements ---------------------------------------------------------- */

static bool
parse_word(struct assembler *as, struct tg_word word)
{
   bool is_end = tg_lexer_word_is(word, "EXEC_END");

   if (!is_end && !tg_lexer_word_is(word, "EXEC") &&
       (word.text[0] <= '9' || tg_lexer_after(&as->lexer, word) != ':'))
      return as->section < ASSEMBLE_CODE
                ? assemble_expected(as, "'[' or a section")
                : expected_note(as, "an instruction",
                                "it begins with EXEC, EXEC_END, .word "
                                "or a label with ':'");
   expect_code(as, word.position);
   tg_lexer_word(&as->lexer);
   if (tg_lexer_peek(&as->lexer) == ':')
      return assemble_label(as, word);
   return assemble_instruction(as, is_end, word.position);
}

static bool
parse_statement(struct assembler *as)
{
   struct tg_lexer *lexer = &as->lexer;
   int c = tg_lexer_peek(lexer);
   struct tg_position position = tg_lexer_position(lexer, lexer->here);

   if (c == '[')
      return parse_declaration(as);
   if (tg_lexer_accept(lexer, '.'))
      return parse_directive(as, position);
   struct tg_word word = tg_lexer_peek_word(lexer);
   if (word.length)
      return parse_word(as, word);
   return assemble_expected(as, as->section < ASSEMBLE_CODE ? "'[' or a section"
                                                            : "an instruction");
}

/* Is this where a statement begins? Points and brackets also stand elsewhere,
 * so they must be the first of their line. */
static bool
is_at_statement(struct assembler *as, int c)
{
   struct tg_lexer *lexer = &as->lexer;
   struct tg_word word = tg_lexer_peek_word(lexer);

   if (lexer->here.line != lexer->previous.line && (c == '.' || c == '['))
      return true;
   return tg_lexer_word_is(word, "EXEC") || tg_lexer_word_is(word, "EXEC_END");
}

/* Goes on after the `;` of a statement that began at `start`, or to where the
 * next one begins. At least one thing is taken. */
static void
recover(struct assembler *as, const char *start)
{
   struct tg_lexer *lexer = &as->lexer;
   int c;

   if (lexer->previous.at > start && lexer->previous.at[-1] == ';')
      return;
   while ((c = tg_lexer_peek(lexer)) != TG_LEXER_END) {
      if (lexer->here.at != start && is_at_statement(as, c))
         return;
      if (!tg_lexer_word(lexer).length)
         tg_lexer_accept(lexer, (char)c);
      if (c == ';')
         return;
   }
}

static void
parse_statements(struct assembler *as)
{
   struct tg_lexer *lexer = &as->lexer;

   while (as->failure == TG_OK && tg_lexer_peek(lexer) != TG_LEXER_END) {
      const char *start = lexer->here.at;

      /* Complaints about the first byte belong to its line. */
      lexer->previous = lexer->here;
      if (as->num_errors + 1 >= MAX_ERRORS) {
         assemble_error(as, tg_lexer_position(lexer, lexer->here), "too-many",
                        NULL, "there are %d mistakes; the rest is not read",
                        MAX_ERRORS - 1);
         as->failure = TG_ERROR_INPUT;
      } else if (!parse_statement(as)) {
         recover(as, start);
      }
   }
}

/* ---- the whole ----------------------------------------------------------- */

/* Diagnostics that need all to have been read. */
static void
finish_text(struct assembler *as)
{
   struct tg_position position;

   if (tg_lexer_open_comment(&as->lexer, &position))
      assemble_error(as, position, "open-comment", "it ends with */",
                     "this comment does not end");
   assemble_resolve_branches(as);

   uint32_t count = as->program->num_instructions;
   if (as->num_errors)
      return;
   if (!count)
      assemble_error(as, (struct tg_position){0}, "program-size",
                     "the shortest one is EXEC_END NOPv;",
                     "a program has at least one instruction");
   else if (as->ends_last)
      tegra_program_end_last(as->program);
   else if (!as->has_end)
      assemble_warning(as, as->program->positions[count - 1], "no-end",
                       "write EXEC_END for the last, or .end_last",
                       "no instruction ends the program");
}

/* What comes out when the text has been read. */
static enum tg_result
finish(struct assembler *as, struct tg_tegra_program **program_out)
{
   enum tg_result result = as->failure;

   if (result == TG_OK && as->num_errors)
      result = TG_ERROR_INPUT;
   if (result == TG_OK) {
      *program_out = as->program;
      as->program = NULL;
   }
   tg_tegra_program_destroy(as->program);
   tg_arena_finish(&as->arena);
   if (as->c_locale)
      freelocale(as->c_locale);
   return result;
}

enum tg_result
tg_tegra_assemble(const struct tg_allocator *allocator, const char *name,
                  const char *text, size_t length, unsigned flags,
                  struct tg_diagnostics *diagnostics,
                  struct tg_tegra_program **program_out)
{
   assert(program_out);
   const struct tg_source source = {name, text, length};
   struct assembler as = {
      .diagnostics = diagnostics,
      .is_strict = flags & TG_TEGRA_STRICT,
      .ends_last = flags & TG_TEGRA_END_LAST,
      .section = ASSEMBLE_CODE,
   };

   if (length > MAX_TEXT) {
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "too-long", &source,
                  (struct tg_position){0}, NULL,
                  "a program has at most %d bytes, not %zu", MAX_TEXT, length);
      return TG_ERROR_INPUT;
   }
   size_t first = diagnostics ? tg_diagnostics_count(diagnostics) : 0;
   tg_lexer_init(&as.lexer, &source);
   as.lexer.has_comments = true;
   tg_arena_init(&as.arena, allocator);
   as.program = tegra_program_create(allocator, &source);
   as.c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
   if (!as.program || !as.c_locale) {
      as.failure = TG_ERROR_MEMORY;
   } else {
      parse_statements(&as);
      if (as.failure == TG_OK)
         finish_text(&as);
   }
   if (diagnostics)
      tg_diagnostics_sort(diagnostics, first);
   return finish(&as, program_out);
}
