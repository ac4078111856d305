/* SPDX-License-Identifier: MIT
 *
 * Keyword lists: the tables of the language as lists of words, which the parser
 * needs in order to look a word up and to suggest one for a word that is
 * unknown.
 */
#ifndef TG_TGSI_TABLES_VOCABULARY_H
#define TG_TGSI_TABLES_VOCABULARY_H

#include <stddef.h>

#include "tgsi/tables/tables.h"

struct tg_vocabulary {
   const char *noun;   /* what its words are called: "texture target" */
   const char *code;   /* of the diagnostic for a word that is not in it */
   const char *prefix; /* that every word has in text and not in the table */
   size_t num_words;
   const char *(*word)(size_t index);            /* may be NULL for a gap */
   int (*find)(const char *word, size_t length); /* -1: not in it */
};

extern const struct tg_vocabulary tg_vocabulary_processors;
extern const struct tg_vocabulary tg_vocabulary_stages; /* of a shader */
extern const struct tg_vocabulary tg_vocabulary_files;
extern const struct tg_vocabulary tg_vocabulary_opcodes;
extern const struct tg_vocabulary tg_vocabulary_semantics;
extern const struct tg_vocabulary tg_vocabulary_properties;
extern const struct tg_vocabulary tg_vocabulary_targets;
extern const struct tg_vocabulary tg_vocabulary_formats;
extern const struct tg_vocabulary tg_vocabulary_primitives;
extern const struct tg_vocabulary tg_vocabulary_origins;
extern const struct tg_vocabulary tg_vocabulary_centers;
extern const struct tg_vocabulary tg_vocabulary_interpolations;
extern const struct tg_vocabulary tg_vocabulary_locations;
extern const struct tg_vocabulary tg_vocabulary_return_types;
extern const struct tg_vocabulary tg_vocabulary_imm_types;
extern const struct tg_vocabulary tg_vocabulary_memory_types;
extern const struct tg_vocabulary tg_vocabulary_qualifiers; /* bit numbers */

/* Words that only declarations have. */
enum tg_keyword {
   TG_KEYWORD_ARRAY,
   TG_KEYWORD_LOCAL,
   TG_KEYWORD_STREAM,
   TG_KEYWORD_INVARIANT,
   TG_KEYWORD_ATOMIC,
   TG_KEYWORD_WR,
   TG_KEYWORD_RAW,
   TG_NUM_KEYWORDS
};
extern const struct tg_vocabulary tg_vocabulary_keywords;

/* The values that a property of this form has names for; NULL for numbers. */
const struct tg_vocabulary *
tg_vocabulary_of_property(enum tg_property_form form);

/* The word of the vocabulary that was probably meant, or NULL. Prefixes do not
 * count, neither in `word` nor in the answer. */
const char *
tg_vocabulary_suggest(const struct tg_vocabulary *vocabulary, const char *word,
                      size_t length);

#endif
