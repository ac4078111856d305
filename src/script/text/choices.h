/* SPDX-License-Identifier: MIT
 *
 * Enumerated words: a table of words that stand for numbers, and its reader.
 */
#ifndef TG_SCRIPT_TEXT_CHOICES_H
#define TG_SCRIPT_TEXT_CHOICES_H

#include "script/text/cursor.h"
#include "tungsten/resource.h"

struct script_choice {
   const char *words;
   uint32_t number;
};

/* Reads one of the choices. The complaint lists them. */
bool
script_read_choice(struct script_cursor *cursor,
                   const struct script_choice *choices, size_t num_choices,
                   uint32_t *number_out);

/* The name of a pixel format, with or without PIPE_FORMAT_. */
bool
script_read_format_choice(struct script_cursor *cursor, uint32_t *format_out);

/* The target of a resource, enum tg_texture_target. */
bool
script_read_target_choice(struct script_cursor *cursor, uint32_t *target_out);

/* off, never, less, ...: enum tg_compare, or SCRIPT_COMPARE_OFF. */
enum { SCRIPT_COMPARE_OFF = TG_COMPARE_ALWAYS + 1 };

bool
script_read_compare_choice(struct script_cursor *cursor, uint32_t *compare_out);

#endif
