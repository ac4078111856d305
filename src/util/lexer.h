/* SPDX-License-Identifier: MIT
 *
 * The lexer: bytes of a shader's or an assembler's text to words and signs.
 * These languages have no tokens of their own: `2D` is a word, `0` in `[0..3]`
 * a number and `1.5e-3` one literal, so the parser asks for the kind of thing
 * that may come next. Space, tab, line feed and carriage return separate, and
 * comments as in C where the language has them; no other control character and
 * no byte from 0x80 on is part of any of them.
 */
#ifndef TG_UTIL_LEXER_H
#define TG_UTIL_LEXER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diagnostics.h"

/* A byte of the text. */
struct tg_place {
   const char *at;
   const char *line_start;
   uint32_t line; /* from 1 */
};

struct tg_lexer {
   const struct tg_source *source; /* borrowed */
   const char *end;
   /* Comments of C, and from # to the end of the line; to be set after
    * tg_lexer_init(), which says no. */
   bool has_comments, has_hash_comments;
   struct tg_place here;     /* what is looked at next */
   struct tg_place previous; /* after what was taken last */
   struct tg_place before;   /* what `previous` was before that */
};

/* A run of letters, digits and underscores; empty when there is none. */
struct tg_word {
   const char *text;
   size_t length;
   struct tg_position position;
};

/* What tg_lexer_peek() returns after the last byte. */
enum { TG_LEXER_END = -1 };

/* Starts at the beginning of a text, which may be up to 4 GiB long. */
void
tg_lexer_init(struct tg_lexer *lexer, const struct tg_source *source);

/* The line and column of a place, as diagnostics want it. */
struct tg_position
tg_lexer_position(const struct tg_lexer *lexer, struct tg_place place);

/* Steps over white space and returns the byte that follows, not taken. */
int
tg_lexer_peek(struct tg_lexer *lexer);

/* Takes this character if it comes next, perhaps after white space. */
bool
tg_lexer_accept(struct tg_lexer *lexer, char c);

/* Takes these characters if they come next without white space before. */
bool
tg_lexer_accept_touching(struct tg_lexer *lexer, const char *text);

/* Takes the word that comes next, perhaps after white space. */
struct tg_word
tg_lexer_word(struct tg_lexer *lexer);

/* The word that comes next, without taking it. */
struct tg_word
tg_lexer_peek_word(struct tg_lexer *lexer);

/* Gives back what was taken last; once. */
void
tg_lexer_untake(struct tg_lexer *lexer);

/* The byte that follows a word just peeked at, or TG_LEXER_END. */
int
tg_lexer_after(const struct tg_lexer *lexer, struct tg_word word);

/* A diagnostic of what comes next where something else is expected. */
struct tg_unexpected {
   struct tg_position position;
   const char *code; /* "syntax", or "bad-byte" of what is in no language */
   const char *note; /* or NULL */
   char message[512];
};

/* `what` is expected, and `note` says what would be right; `byte_note` says
 * which bytes there are in this language. Of what stands on a later line than
 * what was taken last, it says that the line has ended. */
struct tg_unexpected
tg_lexer_unexpected(struct tg_lexer *lexer, const char *what, const char *note,
                    const char *byte_note);

/* Where the comment begins that is open at the end of the text. False when
 * there is none. To be asked when all else has been taken. */
bool
tg_lexer_open_comment(const struct tg_lexer *lexer,
                      struct tg_position *position_out);

/* Takes a number as immediates write it: sign, digits, point, exponent, hex,
 * `inf`, `nan(...)`. Whether it is one is for the caller to see. */
struct tg_word
tg_lexer_literal(struct tg_lexer *lexer);

/* Goes back to what was taken last and then on to the end of that line, or of
 * the next one that does not end in a comma. */
void
tg_lexer_skip_line(struct tg_lexer *lexer);

/* Does the word say this, upper or lower case? */
bool
tg_lexer_word_is(struct tg_word word, const char *text);

/* How many bytes of the word a message repeats. */
int
tg_lexer_word_shown(struct tg_word word);

#endif
