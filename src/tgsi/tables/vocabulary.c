/* SPDX-License-Identifier: MIT
 *
 * Keyword lists: one vocabulary for each table, and for the lists that only
 * text has.
 */
#include "tgsi/tables/vocabulary.h"

#include <string.h>

#include "util/ascii.h"
#include "util/diagnostics.h"

#define DEFINE_VOCABULARY(name_, noun_, slug, prefix_, count, expression,      \
                          finder)                                              \
   static const char *word_of_##name_(size_t index)                            \
   {                                                                           \
      return expression;                                                       \
   }                                                                           \
                                                                               \
   const struct tg_vocabulary tg_vocabulary_##name_ = {                        \
      .noun = noun_,                                                           \
      .code = "unknown-" slug,                                                 \
      .prefix = prefix_,                                                       \
      .num_words = count,                                                      \
      .word = word_of_##name_,                                                 \
      .find = finder,                                                          \
   };

/* For arrays of names alone. */
#define DEFINE_LIST(name_, noun_, slug, names)                                 \
   static int find_in_##name_(const char *word, size_t length)                 \
   {                                                                           \
      return tg_name_find(names, sizeof(names) / sizeof(names[0]), word,       \
                          length);                                             \
   }                                                                           \
   DEFINE_VOCABULARY(name_, noun_, slug, "", sizeof(names) / sizeof(names[0]), \
                     names[index], find_in_##name_)

/* TASK and MESH are no stages of a shader, but may follow one. */
DEFINE_VOCABULARY(processors, "processor", "processor", "", TG_NUM_PROCESSORS,
                  tg_processor_row(index)->name, tg_processor_find)
DEFINE_VOCABULARY(stages, "processor", "processor", "", TG_NUM_STAGES,
                  tg_processor_row(index)->name, tg_processor_find)
DEFINE_VOCABULARY(files, "register file", "register-file", "", TG_NUM_FILES,
                  tg_file_row(index)->name, tg_file_find)
DEFINE_VOCABULARY(opcodes, "opcode", "opcode", "", TG_NUM_OPCODES,
                  tg_opcode_row(index)->name, tg_opcode_find)
DEFINE_VOCABULARY(semantics, "semantic", "semantic", "", TG_NUM_SEMANTICS,
                  tg_semantic_row(index)->name, tg_semantic_find)
DEFINE_VOCABULARY(properties, "property", "property", "", TG_NUM_PROPERTIES,
                  tg_property_row(index)->name, tg_property_find)
DEFINE_VOCABULARY(targets, "texture target", "texture-target", "",
                  TG_NUM_TARGETS, tg_target_row(index)->name, tg_target_find)
DEFINE_VOCABULARY(formats, "format", "format", "PIPE_FORMAT_", TG_NUM_FORMATS,
                  tg_format_row(index)->name, tg_format_find)
DEFINE_VOCABULARY(primitives, "primitive", "primitive", "", TG_NUM_PRIMITIVES,
                  tg_primitive_row(index)->name, tg_primitive_find)
DEFINE_LIST(interpolations, "interpolation mode", "interpolation-mode",
            tg_interpolate_names)
DEFINE_LIST(locations, "interpolation location", "interpolation-location",
            tg_location_names)
DEFINE_LIST(return_types, "return type", "return-type", tg_return_type_names)
DEFINE_LIST(imm_types, "immediate type", "immediate-type", tg_imm_type_names)
DEFINE_LIST(memory_types, "memory type", "memory-type", tg_memory_type_names)

/* In the order of their bits. */
static const char *const qualifier_names[] = {
#define TG_QUALIFIER(name, bit) #name,
#include "tgsi/tables/small_tables.def"
};
DEFINE_LIST(qualifiers, "memory qualifier", "memory-qualifier", qualifier_names)

static const char *const origin_names[] = {"UPPER_LEFT", "LOWER_LEFT"};
DEFINE_LIST(origins, "coordinate origin", "coordinate-origin", origin_names)

static const char *const center_names[] = {"HALF_INTEGER", "INTEGER"};
DEFINE_LIST(centers, "pixel center", "pixel-center", center_names)

static const char *const keyword_names[TG_NUM_KEYWORDS] = {
   [TG_KEYWORD_ARRAY] = "ARRAY",   [TG_KEYWORD_LOCAL] = "LOCAL",
   [TG_KEYWORD_STREAM] = "STREAM", [TG_KEYWORD_INVARIANT] = "INVARIANT",
   [TG_KEYWORD_ATOMIC] = "ATOMIC", [TG_KEYWORD_WR] = "WR",
   [TG_KEYWORD_RAW] = "RAW",
};
DEFINE_LIST(keywords, "attribute", "attribute", keyword_names)

const struct tg_vocabulary *
tg_vocabulary_of_property(enum tg_property_form form)
{
   static const struct tg_vocabulary *const vocabularies[] = {
      [TG_FORM_UINT] = NULL,
      [TG_FORM_PRIMITIVE] = &tg_vocabulary_primitives,
      [TG_FORM_ORIGIN] = &tg_vocabulary_origins,
      [TG_FORM_CENTER] = &tg_vocabulary_centers,
      [TG_FORM_PROCESSOR] = &tg_vocabulary_processors,
   };

   return vocabularies[form];
}

const char *
tg_vocabulary_suggest(const struct tg_vocabulary *vocabulary, const char *word,
                      size_t length)
{
   size_t prefix_length = strlen(vocabulary->prefix);

   if (length > prefix_length &&
       tg_ascii_compare(word, vocabulary->prefix, prefix_length) == 0) {
      word += prefix_length;
      length -= prefix_length;
   }
   return tg_did_you_mean(word, length, vocabulary->num_words,
                          vocabulary->word);
}
