/* SPDX-License-Identifier: MIT
 *
 * Parsing of DCL statements. Attributes may come in any order; which there are,
 * on which files, and what each of them does is one table.
 */
#include <stdio.h>

#include "tgsi/text/parse.h"
#include "util/ascii.h"

/* A declaration and what has been seen of it. */
struct declaration {
   struct tg_declaration made;
   struct tg_position file_position;
   unsigned num_return_types;
   bool has_target;
   bool has_memory_type;
   bool has_location;
   bool has_stream;
};

/* ---- brackets ------------------------------------------------------------ */

struct range {
   struct tg_position position;
   bool is_empty; /* [] */
   uint16_t first, last;
};

static bool
parse_range(struct tg_parser *parser, struct range *range)
{
   struct tg_lexer *lexer = &parser->lexer;
   int64_t first, last;

   *range = (struct range){0};
   tg_lexer_peek(lexer);
   range->position = tg_lexer_position(lexer, lexer->here);
   if (!tg_parse_char(parser, '[', "'[' after the register file"))
      return false;
   range->is_empty = tg_lexer_accept(lexer, ']');
   if (range->is_empty)
      return true;
   if (!tg_parse_number(parser, "register index", 0, UINT16_MAX, &first))
      return false;
   last = first;
   if (tg_lexer_peek(lexer) == '.') {
      if (!tg_lexer_accept_touching(lexer, ".."))
         return tg_parse_expected(parser, "']' or '..'");
      if (!tg_parse_number(parser, "register index", 0, UINT16_MAX, &last))
         return false;
   }
   range->first = (uint16_t)first;
   range->last = (uint16_t)last;
   return tg_parse_char(parser, ']', "']' or '..'");
}

/* How many registers `[]` means; 0 where it means nothing. */
static unsigned
implied_size(const struct tg_parser *parser)
{
   enum { PATCH_VERTICES = 32 };
   const struct tg_shader *shader = parser->shader;

   if (shader->processor == TG_PROCESSOR_TESS_CTRL ||
       shader->processor == TG_PROCESSOR_TESS_EVAL)
      return PATCH_VERTICES;
   if (shader->processor != TG_PROCESSOR_GEOM)
      return 0;
   uint32_t primitive = tg_shader_property(
      shader, TG_PROPERTY_GS_INPUT_PRIMITIVE, TG_NUM_PRIMITIVES);
   return primitive < TG_NUM_PRIMITIVES
             ? tg_primitive_row(primitive)->num_vertices
             : 0;
}

static bool
fill_empty_range(struct tg_parser *parser, struct range *range)
{
   if (!range->is_empty)
      return true;
   unsigned size = implied_size(parser);
   if (!size)
      return tg_parse_error(
         parser, range->position, "empty-bracket",
         "it stands for the vertices of TESS_CTRL and TESS_EVAL, and of GEOM "
         "after GS_INPUT_PRIMITIVE",
         "nothing says how many registers an empty bracket means here");
   range->last = (uint16_t)(size - 1);
   return true;
}

/* One bracket is the range; of two the first is the dimension, and in files
 * with a register for each vertex it says nothing. */
static bool
parse_brackets(struct tg_parser *parser, struct tg_declaration *made)
{
   struct range range, dimension;

   if (!parse_range(parser, &range))
      return false;
   if (tg_lexer_peek(&parser->lexer) == '[') {
      dimension = range;
      if (!parse_range(parser, &range))
         return false;
      if (!tg_shader_file_is_per_vertex(parser->shader->processor,
                                        made->file)) {
         if (!fill_empty_range(parser, &dimension))
            return false;
         made->has_dimension = true;
         made->dimension = dimension.first;
      }
   }
   if (!fill_empty_range(parser, &range))
      return false;
   made->first = range.first;
   made->last = range.last;
   return true;
}

/* ---- attributes ---------------------------------------------------------- */

enum outcome {
   TAKEN,
   NOT_HERE, /* this file has no such attribute */
   REPEATED, /* there was one already */
   FAILED,   /* complained */
};

/* `number` is that of the word in the row's vocabulary; the word was taken. */
typedef enum outcome
attribute_function(struct tg_parser *parser, struct declaration *declaration,
                   unsigned number);

/* A flag that may be set once. */
static enum outcome
set(bool *flag)
{
   if (*flag)
      return REPEATED;
   *flag = true;
   return TAKEN;
}

static enum outcome
take_array_id(struct tg_parser *parser, struct declaration *declaration)
{
   int64_t id;

   if (!tg_parse_char(parser, '(', "'(' after ARRAY") ||
       !tg_parse_number(parser, "array id", 0, TG_MAX_ARRAY_ID, &id) ||
       !tg_parse_char(parser, ')', "')' after the array id"))
      return FAILED;
   declaration->made.array_id = (uint16_t)id;
   return set(&declaration->made.has_array);
}

static enum outcome
take_streams(struct tg_parser *parser, struct declaration *declaration)
{
   enum { LAST_STREAM = 3 };

   if (!tg_parse_char(parser, '(', "'(' after STREAM"))
      return FAILED;
   for (unsigned i = 0; i < 4; i++) {
      int64_t stream;

      if ((i && !tg_parse_char(parser, ',', "',' and four streams")) ||
          !tg_parse_number(parser, "stream", 0, LAST_STREAM, &stream))
         return FAILED;
      declaration->made.stream[i] = (uint8_t)stream;
   }
   if (!tg_parse_char(parser, ')', "')' after the streams"))
      return FAILED;
   return set(&declaration->has_stream);
}

static enum outcome
take_keyword(struct tg_parser *parser, struct declaration *declaration,
             unsigned number)
{
   struct tg_declaration *made = &declaration->made;
   bool is_accessed = made->file == TG_FILE_IMAGE || made->file == TG_FILE_RES;

   switch ((enum tg_keyword)number) {
   case TG_KEYWORD_ARRAY: return take_array_id(parser, declaration);
   case TG_KEYWORD_STREAM: return take_streams(parser, declaration);
   case TG_KEYWORD_LOCAL: return set(&made->local);
   case TG_KEYWORD_INVARIANT: return set(&made->invariant);
   case TG_KEYWORD_ATOMIC:
      return made->file == TG_FILE_BUFFER ? set(&made->atomic) : NOT_HERE;
   case TG_KEYWORD_WR: return is_accessed ? set(&made->writable) : NOT_HERE;
   case TG_KEYWORD_RAW: return is_accessed ? set(&made->raw) : NOT_HERE;
   case TG_NUM_KEYWORDS: break;
   }
   return NOT_HERE;
}

static enum outcome
take_semantic(struct tg_parser *parser, struct declaration *declaration,
              unsigned number)
{
   struct tg_lexer *lexer = &parser->lexer;
   int64_t index = 0;

   if (declaration->made.has_semantic)
      return REPEATED;
   if (tg_lexer_accept(lexer, '[') &&
       (!tg_parse_number(parser, "semantic index", 0, UINT16_MAX, &index) ||
        !tg_parse_char(parser, ']', "']' after the semantic index")))
      return FAILED;
   declaration->made.semantic = (uint8_t)number;
   declaration->made.semantic_index = (uint16_t)index;
   return set(&declaration->made.has_semantic);
}

static enum outcome
take_mode(struct tg_parser *parser, struct declaration *declaration,
          unsigned number)
{
   (void)parser;
   if (!declaration->made.has_interpolate)
      declaration->made.interpolate = (uint8_t)number;
   return set(&declaration->made.has_interpolate);
}

static enum outcome
take_location(struct tg_parser *parser, struct declaration *declaration,
              unsigned number)
{
   (void)parser;
   if (!declaration->has_location)
      declaration->made.location = (uint8_t)number;
   return set(&declaration->has_location);
}

static enum outcome
take_target(struct tg_parser *parser, struct declaration *declaration,
            unsigned number)
{
   (void)parser;
   if (!declaration->has_target)
      declaration->made.target = (uint8_t)number;
   return set(&declaration->has_target);
}

static enum outcome
take_return_type(struct tg_parser *parser, struct declaration *declaration,
                 unsigned number)
{
   (void)parser;
   if (declaration->num_return_types == 4)
      return REPEATED;
   declaration->made.return_type[declaration->num_return_types++] =
      (uint8_t)number;
   return TAKEN;
}

static enum outcome
take_memory_type(struct tg_parser *parser, struct declaration *declaration,
                 unsigned number)
{
   (void)parser;
   declaration->made.memory_type = (uint8_t)number;
   return set(&declaration->has_memory_type);
}

/* The last format counts. */
static enum outcome
take_format(struct tg_parser *parser, struct declaration *declaration,
            unsigned number)
{
   (void)parser;
   declaration->made.format = (uint16_t)number;
   return TAKEN;
}

#define FILE_BIT(name) (1u << TG_FILE_##name)

enum {
   ALL_FILES = (1u << TG_NUM_FILES) - 1,
   TARGET_FILES = FILE_BIT(IMAGE) | FILE_BIT(SVIEW) | FILE_BIT(RES),
   VIEW_FILES = FILE_BIT(SVIEW) | FILE_BIT(RES),
   VALUE_FILES =
      ALL_FILES & ~(TARGET_FILES | FILE_BIT(BUFFER) | FILE_BIT(MEMORY)),
};

/* A word means what the first row makes of it that takes it: COLOR is a
 * semantic first and then an interpolation mode, UNKNOWN a target and then a
 * return type. */
static const struct attribute {
   const struct tg_vocabulary *vocabulary;
   uint32_t files; /* that may have it, as bits */
   attribute_function *take;
} attributes[] = {
   {&tg_vocabulary_keywords, ALL_FILES, take_keyword},
   {&tg_vocabulary_semantics, VALUE_FILES, take_semantic},
   {&tg_vocabulary_targets, TARGET_FILES, take_target},
   {&tg_vocabulary_return_types, VIEW_FILES, take_return_type},
   {&tg_vocabulary_formats, FILE_BIT(IMAGE), take_format},
   {&tg_vocabulary_memory_types, FILE_BIT(MEMORY), take_memory_type},
   {&tg_vocabulary_interpolations, ALL_FILES, take_mode},
   {&tg_vocabulary_locations, ALL_FILES, take_location},
};

enum { NUM_ATTRIBUTES = sizeof(attributes) / sizeof(attributes[0]) };

/* CYLWRAP_XY, which Mesa printed until 2021. */
static bool
read_cylindrical_wrap(struct tg_word word, uint8_t *mask_out)
{
   static const char prefix[] = "CYLWRAP_";
   const size_t prefix_length = sizeof(prefix) - 1;
   uint8_t mask = 0;

   if (word.length <= prefix_length ||
       tg_ascii_compare(word.text, prefix, prefix_length) != 0)
      return false;
   for (size_t i = prefix_length; i < word.length; i++) {
      int channel = tg_channel_of(word.text[i]);

      if (channel < 0)
         return false;
      mask |= (uint8_t)(1 << channel);
   }
   *mask_out = mask;
   return true;
}

static bool
complain_about_attribute(struct tg_parser *parser,
                         const struct declaration *declaration,
                         struct tg_word word)
{
   if (tg_parse_is_next_statement(parser, word)) {
      tg_lexer_untake(&parser->lexer);
      return tg_parse_expected(parser, "an attribute of the declaration");
   }

   const uint32_t file_bit = 1u << declaration->made.file;
   const char *file_name = tg_file_row(declaration->made.file)->name;
   char note[96];

   for (size_t i = 0; i < NUM_ATTRIBUTES; i++) {
      const struct tg_vocabulary *vocabulary = attributes[i].vocabulary;

      if (!(attributes[i].files & file_bit))
         continue;
      const char *meant = tg_parse_suggest(parser, vocabulary, word);
      bool is_same =
         meant && !*vocabulary->prefix && tg_lexer_word_is(word, meant);
      if (!meant || is_same)
         continue;
      snprintf(note, sizeof(note), "did you mean %s%s?", vocabulary->prefix,
               meant);
      return tg_parse_error(parser, word.position, "unknown-attribute", note,
                            "%s has no attribute '%.*s'", file_name,
                            tg_lexer_word_shown(word), word.text);
   }
   return tg_parse_error(parser, word.position, "unknown-attribute", NULL,
                         "%s has no attribute '%.*s'", file_name,
                         tg_lexer_word_shown(word), word.text);
}

static bool
parse_attribute(struct tg_parser *parser, struct declaration *declaration)
{
   struct tg_word word = tg_lexer_word(&parser->lexer);
   bool is_repeated = false;

   if (!word.length)
      return tg_parse_expected(parser, "an attribute of the declaration");
   if (read_cylindrical_wrap(word, &declaration->made.cylindrical_wrap))
      return true;
   for (size_t i = 0; i < NUM_ATTRIBUTES; i++) {
      const struct attribute *attribute = &attributes[i];

      if (!(attribute->files >> declaration->made.file & 1))
         continue;
      int number = attribute->vocabulary->find(word.text, word.length);
      if (number < 0)
         continue;
      switch (attribute->take(parser, declaration, (unsigned)number)) {
      case TAKEN: return true;
      case FAILED: return false;
      case REPEATED: is_repeated = true; break;
      case NOT_HERE: break;
      }
   }
   if (is_repeated)
      return tg_parse_error(parser, word.position, "repeated-attribute", NULL,
                            "the declaration already has what '%.*s' says",
                            tg_lexer_word_shown(word), word.text);
   return complain_about_attribute(parser, declaration, word);
}

/* ---- the whole ----------------------------------------------------------- */

/* A view is declared with nothing, or with a target and one or four types. */
static bool
check_return_types(struct tg_parser *parser, struct declaration *declaration)
{
   struct tg_declaration *made = &declaration->made;
   unsigned count = declaration->num_return_types;
   bool is_needed = made->file == TG_FILE_SVIEW && declaration->has_target;

   if (count == 4 || (count == 0 && !is_needed))
      return true;
   if (count != 1)
      return tg_parse_error(parser, declaration->file_position, "return-types",
                            "it is one for all components, or one for each",
                            "%s needs one or four return types, and has %u",
                            tg_file_row(made->file)->name, count);
   for (unsigned i = 1; i < 4; i++)
      made->return_type[i] = made->return_type[0];
   return true;
}

/* A location without a mode. Inputs of FRAG have both or neither; elsewhere the
 * mode is not printed, so that it may well be missing. */
static void
check_location(struct tg_parser *parser, struct declaration *declaration)
{
   struct tg_declaration *made = &declaration->made;

   if (made->has_interpolate ||
       (!declaration->has_location && !made->cylindrical_wrap))
      return;
   if (made->file != TG_FILE_IN ||
       parser->shader->processor != TG_PROCESSOR_FRAG) {
      made->has_interpolate = true;
      return;
   }
   tg_parse_warning(parser, declaration->file_position, "lost-location",
                    "write the mode before it: PERSPECTIVE, CENTROID",
                    "a location without interpolation mode is ignored");
   made->location = TG_LOCATION_CENTER;
   made->cylindrical_wrap = 0;
}

static bool
check_declaration(struct tg_parser *parser, struct declaration *declaration)
{
   struct tg_declaration *made = &declaration->made;
   bool needs_target = declaration->num_return_types || made->format ||
                       made->raw || made->writable;

   if (needs_target && !declaration->has_target)
      return tg_parse_error(parser, declaration->file_position,
                            "missing-target",
                            "it is the first attribute, like 2D",
                            "%s is declared without a texture target",
                            tg_file_row(made->file)->name);
   made->has_return_type = declaration->num_return_types > 0;

   check_location(parser, declaration);
   return check_return_types(parser, declaration);
}

bool
tg_parse_declaration(struct tg_parser *parser, struct tg_word word)
{
   struct declaration declaration = {.made.position = word.position};
   struct tg_declaration *made = &declaration.made;

   declaration.file_position = tg_lexer_peek_word(&parser->lexer).position;
   unsigned file;
   if (!tg_parse_word(parser, &tg_vocabulary_files, &file))
      return false;
   made->file = (uint8_t)file;
   made->position = declaration.file_position;
   if (!parse_brackets(parser, made) ||
       !tg_parse_mask(parser, &made->usage_mask) ||
       (file == TG_FILE_IMMX && !tg_parse_elements(parser, made)))
      return false;
   while (tg_lexer_accept(&parser->lexer, ',')) {
      if (!parse_attribute(parser, &declaration))
         return false;
   }
   if (!check_declaration(parser, &declaration))
      return false;

   struct tg_declaration *added = tg_shader_add_declaration(parser->shader);
   if (!added)
      return tg_parse_no_room(parser, word.position,
                              parser->shader->num_declarations,
                              TG_MAX_DECLARATIONS, "declarations");
   *added = *made;
   return true;
}
