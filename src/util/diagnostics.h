/* SPDX-License-Identifier: MIT
 *
 * Diagnostics of all rooms. The public half, which reads complaints, is in
 * tungsten/base.h; this half makes them. Every place is a byte of a source
 * text, so that the line can be shown with a caret under the column.
 */
#ifndef TG_UTIL_DIAGNOSTICS_H
#define TG_UTIL_DIAGNOSTICS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/base.h"

/* A text that positions point into; borrowed while complaints are made. */
struct tg_source {
   const char *name; /* "-" for standard input */
   const char *text; /* NULL when the input is not text */
   size_t length;
   uint32_t first_line; /* the number of its first line; 0: 1 */
};

struct tg_arena;

/* Makes a copy with the name and the text in the arena; false when out of
 * memory. */
bool
tg_source_copy(struct tg_arena *arena, const struct tg_source *source,
               struct tg_source *copy_out);

/* Where in a source. Without text, `line` is 0 and `column` counts words. */
struct tg_position {
   uint32_t line;   /* from 1 */
   uint32_t column; /* from 1, in bytes */
   uint32_t offset; /* from 0, in bytes */
};

/* Adds one complaint. `note` may be NULL. `diagnostics` may be NULL, then
 * nothing is kept. Memory running out loses the complaint, not the count. */
void
tg_diagnose(struct tg_diagnostics *diagnostics, enum tg_severity severity,
            const char *code, const struct tg_source *source,
            struct tg_position position, const char *note, const char *format,
            ...) __attribute__((format(printf, 7, 8)));
void
tg_vdiagnose(struct tg_diagnostics *diagnostics, enum tg_severity severity,
             const char *code, const struct tg_source *source,
             struct tg_position position, const char *note, const char *format,
             va_list args) __attribute__((format(printf, 7, 0)));

/* Complains of what no source text is the cause of; the code, or `name`, stands
 * where the name of a file would. Returns `result`. */
enum tg_result
tg_complain(struct tg_diagnostics *diagnostics, enum tg_result result,
            const char *code, const char *format, ...)
   __attribute__((format(printf, 4, 5)));

enum tg_result
tg_vcomplain(struct tg_diagnostics *diagnostics, enum tg_result result,
             const char *code, const char *name, const char *format,
             va_list args) __attribute__((format(printf, 5, 0)));

/* The allocator that its memory comes from; the default where it is NULL. */
const struct tg_allocator *
tg_diagnostics_allocator(const struct tg_diagnostics *diagnostics);

/* Puts the complaints from number `first` on into the order of their places;
 * those of one place stay in the order in which they were made. */
void
tg_diagnostics_sort(struct tg_diagnostics *diagnostics, size_t first);

/* The candidate that `word` probably meant, or NULL: edit distance (letters
 * swapped count once) at most a third of its length, letters compared without
 * case. `name(i)` gives the candidates, NULL entries are skipped. */
const char *
tg_did_you_mean(const char *word, size_t length, size_t num_candidates,
                const char *(*name)(size_t index));

/* The same where `name` needs to know more than an index. */
const char *
tg_did_you_mean_of(const char *word, size_t length, size_t num_candidates,
                   const char *(*name)(const void *user, size_t index),
                   const void *user);

/* How the parts of tg_diagnostics_text() begin and end on a terminal: escape
 * sequences, or "" for none. */
struct tg_text_style {
   const char *place, *error, *warning, *note, *caret; /* before each */
   const char *end;                                    /* after each */
};

/* As tg_diagnostics_text(), in a style. */
char *
tg_diagnostics_styled_text(const struct tg_diagnostics *diagnostics,
                           const struct tg_text_style *style);

#endif
