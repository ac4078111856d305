/* SPDX-License-Identifier: MIT
 *
 * Words that stand for numbers: a table and its reader.
 */
#ifndef TG_SCRIPT_WORDS_H
#define TG_SCRIPT_WORDS_H

#include "script/cursor.h"

struct script_choice {
   const char *words;
   uint32_t number;
};

/* Reads one of the choices. The complaint lists them. */
bool
script_read_choice(struct script_cursor *cursor,
                   const struct script_choice *choices, size_t num_choices,
                   uint32_t *number_out);

/* Reads 64x48, each side from 1 to `greatest`. */
bool
script_read_size(struct script_cursor *cursor, uint32_t greatest,
                 uint32_t size_out[2]);

/* The formats of pictures and textures. */
bool
script_read_format(struct script_cursor *cursor, uint32_t *format_out);

#endif
