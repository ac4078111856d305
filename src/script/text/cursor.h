/* SPDX-License-Identifier: MIT
 *
 * The text cursor: reading a text line by line and word by word, with
 * complaints that name the place. Readers return false after a complaint was
 * made.
 */
#ifndef TG_SCRIPT_TEXT_CURSOR_H
#define TG_SCRIPT_TEXT_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diagnostics.h"

/* A word is a run of bytes without spaces and punctuation. */
struct script_word {
   const char *text; /* in the source, not terminated */
   size_t length;
};

struct script_cursor {
   const struct tg_source *source;
   struct tg_diagnostics *diagnostics;
   const char *line_start;
   const char *at;  /* the next byte of the line */
   const char *end; /* of the line, without its line end */
   uint32_t line;   /* from 1; 0 before the first */
};

/* A cursor before the first line of a source with a text below 4 GiB. */
struct script_cursor
cursor_at_start(const struct tg_source *source,
                struct tg_diagnostics *diagnostics);

/* Steps to the next line. False after the last line. */
bool
cursor_next_line(struct script_cursor *cursor);

/* After the spaces that follow, the line or its comment (#) begins or ends. */
bool
cursor_at_end(struct script_cursor *cursor);

/* Where the next word stands. */
struct tg_position
cursor_position(struct script_cursor *cursor);

/* Each steps over what it names if it comes next. `words` are one or more
 * with single spaces between them. */
bool
cursor_accept_char(struct script_cursor *cursor, char c);
bool
cursor_accept_words(struct script_cursor *cursor, const char *words);

/* The next word, of length 0 when punctuation or the end comes. A word ends at
 * a space or one of , = [ ] # " */
struct script_word
cursor_read_word(struct script_cursor *cursor);

/* Looks without stepping. */
struct script_word
cursor_peek_word(struct script_cursor *cursor);

bool
cursor_word_is(struct script_word word, const char *text);

/* One to eight hexadecimal digits. */
bool
cursor_word_to_hex(struct script_word word, uint32_t *number_out);

/* Must-readers. `what` names the thing in the complaint. */
bool
cursor_expect_char(struct script_cursor *cursor, char c);
bool
cursor_expect_end(struct script_cursor *cursor);
bool
cursor_read_number(struct script_cursor *cursor, uint32_t least,
                   uint32_t greatest, const char *what, uint32_t *number_out);
/* Reads 64, 64x48 or 64x48x2, `count` numbers from 1 to `greatest`. */
bool
cursor_read_size(struct script_cursor *cursor, unsigned count,
                 uint32_t greatest, uint32_t *size_out);
/* "text between quotation marks", without escapes. */
bool
cursor_read_string(struct script_cursor *cursor, const char *what,
                   struct script_word *string_out);

/* Complains about the next word; always returns false. `note` is what would be
 * right, or NULL. */
bool
cursor_complain_with_note(struct script_cursor *cursor, const char *note,
                          const char *format, ...)
   __attribute__((format(printf, 3, 4)));
bool
cursor_complain(struct script_cursor *cursor, const char *format, ...)
   __attribute__((format(printf, 2, 3)));

#endif
