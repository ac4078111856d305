/* SPDX-License-Identifier: MIT
 *
 * The parser of .tgsi_test files as the readers of sections see it. Each
 * reader has a row in the table of sections of test/parse.c and reads up to the
 * head of the next section.
 */
#ifndef TG_SCRIPT_SECTIONS_SECTION_H
#define TG_SCRIPT_SECTIONS_SECTION_H

#include "script/sections/model.h"

struct script_parser {
   struct script *script;
   struct script_cursor cursor;
   const char *head; /* the words of the section's head */
   bool has_line;    /* the cursor stands in a line that is not yet read */
   bool failed;      /* something was complained about */
   bool out_of_memory;
   struct tg_work work; /* for reading, which has the time of a test */
};

/* Goes to the next line of the section. False at the next head, where it
 * stays, and at the end. script_next_section_words() leaves out empty lines and
 * comments. */
bool
script_next_section_line(struct script_parser *parser);
bool
script_next_section_words(struct script_parser *parser);

void
script_skip_section(struct script_parser *parser);

/* Notes that something was wrong; reading goes on with the next line. */
void
script_section_check(struct script_parser *parser, bool good);

/* Makes room for `num_more` more elements after `count` in an array of the
 * script, which may have `most`. */
bool
script_section_reserve(struct script_parser *parser, void **items,
                       uint32_t *capacity, uint32_t count, uint32_t num_more,
                       uint32_t most, size_t size);

/* The readers that have a file of their own; `name` is what stood after the
 * words of the head. */
void
script_parse_vertex_data(struct script_parser *parser, struct script_word name);
void
script_parse_index_data(struct script_parser *parser, struct script_word name);
void
script_parse_stream_output(struct script_parser *parser,
                           struct script_word name);
void
script_parse_place(struct script_parser *parser, struct script_word name);

/* ---- the parts of a place's section -------------------------------------- */

/* Memory of which nothing has been said. */
struct script_memory
script_texture_memory_init(enum script_holds holds);

/* Each reads a line, up to its end or to that of the rows of texels below. */
bool
script_read_texture_line(struct script_parser *parser,
                         struct script_memory *memory);
bool
script_read_buffer_line(struct script_parser *parser,
                        struct script_memory *memory);

/* Complains, about the head of the section, when something is missing. */
bool
script_finish_texture(struct script_cursor *head,
                      const struct script_memory *memory);
bool
script_finish_buffer(struct script_cursor *head, struct script_memory *memory);

#endif
