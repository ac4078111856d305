/* SPDX-License-Identifier: MIT
 *
 * What the files of the parser share: its state, complaints, and the small
 * things that all statements are made of. Every function that returns bool
 * returns false after it has complained; the statement is then given up and
 * the parser goes on with the next one.
 */
#ifndef TG_TGSI_TEXT_PARSE_H
#define TG_TGSI_TEXT_PARSE_H

#include <locale.h>
#include <stdbool.h>
#include <stdint.h>

#include "tgsi/shader/shader.h"
#include "tgsi/tables/vocabulary.h"
#include "util/lexer.h"

struct tg_parser {
   struct tg_lexer lexer;
   struct tg_diagnostics *diagnostics; /* may be NULL */
   struct tg_shader *shader;
   locale_t c_locale; /* numbers have a point, whatever the user's say */
   uint32_t num_errors;
   uint32_t
      num_immediates; /* begun, so that one mistake is not reported twice */
   enum tg_result failure; /* TG_OK, or why it makes no sense to go on */
};

enum { TG_PARSE_MAX_TEXT = 64 << 20 /* bytes; no more are looked at */ };

/* As tg_shader_parse(), of a text whose lines may be those of a larger one. */
enum tg_result
tg_shader_parse_source(const struct tg_allocator *allocator,
                       const struct tg_source *source, enum tg_dialect dialect,
                       struct tg_diagnostics *diagnostics,
                       struct tg_shader **shader_out);

/* Does a statement that is no instruction begin with this word? */
bool
tg_parse_is_statement(struct tg_word word);

/* ---- complaints (parse.c) ------------------------------------------------ */

/* Adds an error of what printf() would make of the format; returns false. */
bool
tg_parse_error(struct tg_parser *parser, struct tg_position position,
               const char *code, const char *note, const char *format, ...)
   __attribute__((format(printf, 5, 6)));

/* Adds a warning, which changes nothing. */
void
tg_parse_warning(struct tg_parser *parser, struct tg_position position,
                 const char *code, const char *note, const char *message);

/* Complains "expected WHAT, found ..." at the byte that comes next. */
bool
tg_parse_expected(struct tg_parser *parser, const char *what);
bool
tg_parse_expected_note(struct tg_parser *parser, const char *what,
                       const char *note);

/* The word, which was taken, is not what the statement goes on with: it stands
 * on a later line and begins a statement itself. */
bool
tg_parse_is_next_statement(const struct tg_parser *parser, struct tg_word word);

/* Complains that the word, which was taken, is not in the vocabulary. */
bool
tg_parse_unknown(struct tg_parser *parser,
                 const struct tg_vocabulary *vocabulary, struct tg_word word);

/* The word of the vocabulary that was probably meant, or NULL. Not looked for
 * after very many mistakes, because it takes time. */
const char *
tg_parse_suggest(const struct tg_parser *parser,
                 const struct tg_vocabulary *vocabulary, struct tg_word word);

/* Complains that nothing can be appended to the shader: its array of `count`
 * things is as full as `bound` allows, or memory ran out. */
bool
tg_parse_no_room(struct tg_parser *parser, struct tg_position position,
                 uint32_t count, uint32_t bound, const char *things);

/* ---- small things (parse.c) ---------------------------------------------- */

/* Takes `c`, or complains that `what` was expected. */
bool
tg_parse_char(struct tg_parser *parser, char c, const char *what);

/* Takes a word of the vocabulary and gives its number. */
bool
tg_parse_word(struct tg_parser *parser, const struct tg_vocabulary *vocabulary,
              unsigned *number_out);

/* Takes a decimal number between two bounds, with a sign where `least` is
 * negative. */
bool
tg_parse_number(struct tg_parser *parser, const char *what, int64_t least,
                int64_t most, int64_t *number_out);

/* A number follows: a digit, or a sign. */
bool
tg_parse_at_number(struct tg_parser *parser);

/* ---- operands (parse_operand.c) ------------------------------------------ */

/* 0 to 3 for a channel's letter, of a position or of a color; else -1. */
int
tg_channel_of(char letter);

/* Takes `.xz` if it is there; else all channels. */
bool
tg_parse_mask(struct tg_parser *parser, uint8_t *mask_out);

bool
tg_parse_dst(struct tg_parser *parser, struct tg_dst *dst);

bool
tg_parse_src(struct tg_parser *parser, struct tg_src *src);

bool
tg_parse_tex_offset(struct tg_parser *parser, struct tg_tex_offset *offset);

/* Parses `(PRED[0].x)` or `(!PRED[0])`, the parenthesis not yet taken. */
bool
tg_parse_predicate(struct tg_parser *parser, struct tg_instruction *head);

/* Does a source operand come next, and not the next statement? */
bool
tg_parse_at_src(struct tg_parser *parser);

/* ---- statements ---------------------------------------------------------- */

/* Parse statements that are no instructions. `word` is the one that the
 * statement begins with; it was taken. */
bool
tg_parse_declaration(struct tg_parser *parser, struct tg_word word);
bool
tg_parse_immediate(struct tg_parser *parser, struct tg_word word);
/* `{{a, b, c, d}, ...}`: values for each register of a declaration of IMMX. */
bool
tg_parse_elements(struct tg_parser *parser, struct tg_declaration *declaration);
bool
tg_parse_property(struct tg_parser *parser, struct tg_word word);

/* Finds the opcode of a mnemonic, whose suffixes it cuts off and sets in
 * `*head`. False, and nothing in `*head` but these, when there is none. */
bool
tg_parse_find_mnemonic(struct tg_word *word, struct tg_instruction *head);

/* Parses an instruction, from the predicate or the mnemonic on. */
bool
tg_parse_instruction(struct tg_parser *parser);

#endif
