/* SPDX-License-Identifier: MIT
 *
 * The parser of .tgsi_test files as the readers of sections see it. Each
 * reader has a row in the table of sections of parse.c and reads up to the
 * head of the next section.
 */
#ifndef TG_SCRIPT_PARSE_H
#define TG_SCRIPT_PARSE_H

#include "script/model.h"

struct script_parser {
   struct script *script;
   struct script_cursor cursor;
   bool has_line; /* the cursor stands in a line that is not yet read */
   bool failed;   /* something was complained about */
   bool out_of_memory;
};

/* Goes to the next line of the section. False at the next head, where it
 * stays, and at the end. script_next_words() leaves out empty lines and
 * comments. */
bool
script_next_section_line(struct script_parser *parser);
bool
script_next_words(struct script_parser *parser);

void
script_skip_section(struct script_parser *parser);

/* Notes that something was wrong; reading goes on with the next line. */
void
script_check(struct script_parser *parser, bool good);

/* Makes room for `num_more` more elements behind `count` in an array of the
 * script, which may have `most`. */
bool
script_reserve(struct script_parser *parser, void **items, uint32_t *capacity,
               uint32_t count, uint32_t num_more, uint32_t most, size_t size);

/* The readers that have a file of their own; `name` is what stood behind the
 * words of the head. */
void
script_parse_vertex_data(struct script_parser *parser, struct script_word name);
void
script_parse_index_data(struct script_parser *parser, struct script_word name);
void
script_parse_texture(struct script_parser *parser, struct script_word name);

#endif
