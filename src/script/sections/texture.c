/* SPDX-License-Identifier: MIT
 *
 * Parsing of sections that hold texels, [texture N] and the like: what the
 * memory is, and where its texels come from. run/texels.c makes them.
 */
#include <string.h>

#include "format/format.h"
#include "script/sections/section.h"
#include "script/text/choices.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct script_memory
script_texture_memory_init(enum script_holds holds)
{
   const bool is_texture = holds == SCRIPT_HOLDS_TEXELS;

   return (struct script_memory){
      .desc =
         {
            .size = sizeof(struct tg_resource_desc),
            .target = is_texture ? TG_TEXTURE_2D : TG_TEXTURE_BUFFER,
            .format = is_texture ? TG_FORMAT_R8G8B8A8_UNORM : TG_FORMAT_NONE,
            .height = 1,
            .depth = 1,
            .layers = 1,
            .samples = 1,
         },
   };
}

/* ---- shape --------------------------------------------------------------- */

/* How many numbers the size of a target has. */
static unsigned
num_sizes(uint32_t target)
{
   switch (target) {
   case TG_TEXTURE_BUFFER:
   case TG_TEXTURE_1D:
   case TG_TEXTURE_1D_ARRAY: return 1;
   case TG_TEXTURE_3D: return 3;
   default: return 2;
   }
}

static bool
read_target(struct script_cursor *cursor, struct tg_resource_desc *desc)
{
   if (!script_read_target_choice(cursor, &desc->target))
      return false;
   desc->layers =
      desc->target == TG_TEXTURE_CUBE || desc->target == TG_TEXTURE_CUBE_ARRAY
         ? 6
         : 1;
   return true;
}

static bool
read_levels(struct script_cursor *cursor, struct tg_resource_desc *desc)
{
   uint32_t num_levels;

   if (!cursor_read_number(cursor, 1, TG_MAX_TEXTURE_LEVELS,
                           "a number of levels", &num_levels))
      return false;
   desc->last_level = num_levels - 1;
   return true;
}

/* A line of the shape, which must stand above what depends on it. False when
 * the line is about something else. */
static bool
accept_shape(struct script_cursor *cursor, struct script_memory *memory,
             bool *good_out)
{
   struct tg_resource_desc *desc = &memory->desc;
   const struct script_cursor before = *cursor;
   bool comes_first = memory->contents != SCRIPT_CONTENTS_NONE;

   if (cursor_accept_words(cursor, "target")) {
      *good_out = read_target(cursor, desc);
   } else if (cursor_accept_words(cursor, "layers")) {
      *good_out = cursor_read_number(cursor, 1, TG_MAX_TEXTURE_LAYERS,
                                     "a number of layers", &desc->layers);
   } else if (cursor_accept_words(cursor, "levels")) {
      *good_out = read_levels(cursor, desc);
   } else if (cursor_accept_words(cursor, "samples")) {
      *good_out = cursor_read_number(cursor, 1, TG_MAX_TEXTURE_SAMPLES,
                                     "a number of samples", &desc->samples);
   } else if (cursor_accept_words(cursor, "format")) {
      comes_first = memory->contents == SCRIPT_CONTENTS_VALUES ||
                    memory->contents == SCRIPT_CONTENTS_BYTES;
      *good_out = script_read_format_choice(cursor, &desc->format);
   } else {
      return false;
   }
   if (*good_out && comes_first) {
      *cursor = before;
      *good_out = cursor_complain(cursor, "this stands above the texels");
   }
   return true;
}

/* ---- texels that are given ----------------------------------------------- */

/* Letters of components; d is depth, s stencil. */
static bool
read_components(struct script_cursor *cursor, struct script_components *out)
{
   static const char letters[] = "rgbads";
   static const uint8_t words[] = {0, 1, 2, 3, 0, 1};
   const struct script_word word = cursor_peek_word(cursor);

   out->count = 0;
   for (size_t i = 0; i < word.length && i < 4; i++) {
      const char *letter = memchr(letters, word.text[i], sizeof(letters) - 1);
      if (!letter)
         break;
      out->is_stencil[out->count] = *letter == 's';
      out->word[out->count++] = words[letter - letters];
   }
   if (!out->count || out->count != word.length)
      return cursor_complain(cursor, "expected components: some of rgbads");
   cursor_read_word(cursor);
   return true;
}

/* The words rrggbbaa of a row. */
static bool
read_texel_row(struct script_cursor *cursor, uint32_t width, uint32_t *row)
{
   for (uint32_t i = 0; i < width; i++) {
      struct script_word word = cursor_peek_word(cursor);

      if (word.length != 8 || !cursor_word_to_hex(word, &row[i]))
         return cursor_complain(cursor, "expected a texel, rrggbbaa");
      cursor_read_word(cursor);
   }
   return cursor_expect_end(cursor);
}

/* The values of a row; components that are not given are 0, 0, 0, 1. */
static bool
read_value_row(struct script_cursor *cursor, uint32_t width,
               const struct script_components *components, bool is_integer,
               uint32_t *row)
{
   for (uint32_t i = 0; i < width; i++, row += 4) {
      row[3] = is_integer ? 1 : 0x3f800000 /* 1.0f */;
      for (unsigned c = 0; c < components->count; c++) {
         const enum script_plain plain = is_integer || components->is_stencil[c]
                                            ? SCRIPT_PLAIN_INTEGER
                                            : SCRIPT_PLAIN_FLOAT;

         if (!script_read_word_values(cursor, plain, 1,
                                      &row[components->word[c]]))
            return false;
      }
   }
   return cursor_expect_end(cursor);
}

/* A number of bytes, two digits each, with spaces and line ends anywhere
 * between them. */
static bool
read_bytes(struct script_parser *parser, size_t size, uint8_t *bytes)
{
   struct script_cursor *cursor = &parser->cursor;

   for (size_t i = 0; i < size;) {
      if (cursor_at_end(cursor) && !script_next_section_words(parser))
         return cursor_complain(cursor, "expected %zu bytes more", size - i);
      struct script_word word = cursor_peek_word(cursor);
      struct script_word byte = {word.text, 2};
      uint32_t number;

      for (; byte.text < word.text + word.length; byte.text += 2) {
         if (i == size || word.length % 2 || !cursor_word_to_hex(byte, &number))
            return cursor_complain(cursor,
                                   "expected %zu bytes more, two "
                                   "hexadecimal digits each",
                                   size - i);
         bytes[i++] = (uint8_t)number;
      }
      if (!word.length)
         return cursor_complain(cursor, "expected %zu bytes more", size - i);
      cursor_read_word(cursor);
   }
   return cursor_expect_end(cursor);
}

/* What a part takes in memory: the bytes of texels or rows of blocks, and how
 * many digits at least make one of its elements. */
struct part_shape {
   size_t row_elements; /* words, or bytes of a row of blocks */
   size_t num_rows;
   size_t element_size;
   size_t least_digits; /* in the file, of an element */
};

static struct part_shape
shape_of(const struct script_memory *memory, const struct script_extent *extent)
{
   const struct format_info *info =
      format_info((enum tg_format)memory->desc.format);
   const size_t rows = (size_t)extent->height * extent->slices;

   switch (memory->contents) {
   case SCRIPT_CONTENTS_BYTES: {
      const size_t columns =
         (extent->width + info->block_width - 1) / info->block_width;
      const size_t block_rows =
         (extent->height + info->block_height - 1) / info->block_height;

      return (struct part_shape){columns * info->block_bytes,
                                 block_rows * extent->slices, 1, 2};
   }
   case SCRIPT_CONTENTS_VALUES:
      /* Of the four words but one need stand in the file. */
      return (struct part_shape){(size_t)extent->width * 4, rows, 4, 0};
   default: return (struct part_shape){extent->width, rows, 4, 9};
   }
}

/* Bytes of the file that are not yet read. */
static size_t
rest_of_file(const struct script_cursor *cursor)
{
   return (size_t)(cursor->source->text + cursor->source->length - cursor->at);
}

static bool
read_rows(struct script_parser *parser, const struct script_memory *memory,
          const struct part_shape *shape, void *texels)
{
   const bool is_integer = script_place_holds_integers(memory->desc.format);
   uint32_t *row = texels;

   if (memory->contents == SCRIPT_CONTENTS_BYTES)
      return read_bytes(parser, shape->row_elements * shape->num_rows, texels);
   for (size_t y = 0; y < shape->num_rows; y++, row += shape->row_elements) {
      if (!script_next_section_words(parser))
         return cursor_complain(&parser->cursor, "expected %zu rows of texels",
                                shape->num_rows);
      const bool good =
         memory->contents == SCRIPT_CONTENTS_VALUES
            ? read_value_row(&parser->cursor,
                             (uint32_t)(shape->row_elements / 4),
                             &memory->components, is_integer, row)
            : read_texel_row(&parser->cursor, (uint32_t)shape->row_elements,
                             row);
      if (!good)
         return false;
   }
   return true;
}

/* The texels of one sample of a level, below the line that begins them. */
static bool
read_part(struct script_parser *parser, struct script_memory *memory,
          uint32_t level, uint32_t sample)
{
   struct script *script = parser->script;
   const struct script_extent extent =
      script_place_level_extent(&memory->desc, level);
   const struct part_shape shape = shape_of(memory, &extent);
   const size_t num_elements = shape.row_elements * shape.num_rows;
   const size_t least = shape.least_digits
                           ? num_elements * shape.least_digits
                           : num_elements / 4 * 2 * memory->components.count;

   if (!cursor_expect_end(&parser->cursor))
      return false;
   if (least > rest_of_file(&parser->cursor) + 1)
      return memory->contents == SCRIPT_CONTENTS_BYTES
                ? cursor_complain(&parser->cursor, "expected %zu bytes",
                                  num_elements)
                : cursor_complain(&parser->cursor,
                                  "expected %zu rows of texels",
                                  shape.num_rows);
   if (!script_section_reserve(parser, (void **)&memory->parts,
                               &memory->part_capacity, memory->num_parts, 1,
                               SCRIPT_MAX_PARTS, sizeof(*memory->parts)))
      return false;
   void *texels =
      tg_arena_array(&script->arena, num_elements, shape.element_size);
   if (!texels) {
      parser->out_of_memory = true;
      return false;
   }
   memory->parts[memory->num_parts++] =
      (struct script_part){level, sample, texels};
   return read_rows(parser, memory, &shape, texels);
}

/* `level L`, `sample S` or both: texels of the kind that came before. */
static bool
read_next_part(struct script_parser *parser, struct script_memory *memory)
{
   struct script_cursor *cursor = &parser->cursor;
   uint32_t level = 0, sample = 0;

   if (!memory->num_parts)
      return cursor_complain(cursor, "the texels of level 0 come first");
   if (cursor_accept_words(cursor, "level") &&
       !cursor_read_number(cursor, 0, memory->desc.last_level, "a level",
                           &level))
      return false;
   if (cursor_accept_words(cursor, "sample") &&
       !cursor_read_number(cursor, 0, memory->desc.samples - 1, "a sample",
                           &sample))
      return false;
   return read_part(parser, memory, level, sample);
}

/* ---- texels that are made, or read --------------------------------------- */

/* A path below the folder of the script, by its looks; links are seen when it
 * is opened. */
static bool
is_safe_path(struct script_word path)
{
   const char *end = path.text + path.length;

   if (!path.length || path.text[0] == '/')
      return false;
   for (const char *name = path.text; name < end; name++) {
      const char *slash = memchr(name, '/', (size_t)(end - name));
      const char *next = slash ? slash : end;

      if (next - name == 2 && memcmp(name, "..", 2) == 0)
         return false;
      name = next;
   }
   return !memchr(path.text, '\0', path.length);
}

bool
script_texture_read_path(struct script_cursor *cursor,
                         struct script_word *path_out)
{
   *path_out = cursor_peek_word(cursor);
   if (path_out->length > SCRIPT_MAX_NAME || !is_safe_path(*path_out))
      return cursor_complain(cursor,
                             "expected a file in the folder of this one");
   cursor_read_word(cursor);
   return true;
}

static bool
read_png(struct script_parser *parser, struct script_memory *memory)
{
   struct script_word path;

   memory->path_position = cursor_position(&parser->cursor);
   if (!script_texture_read_path(&parser->cursor, &path))
      return false;
   memory->path =
      tg_arena_strndup(&parser->script->arena, path.text, path.length);
   parser->out_of_memory |= !memory->path;
   return num_sizes(memory->desc.target) == 2 ||
          cursor_complain(&parser->cursor, "a picture has two dimensions");
}

static bool
read_color(struct script_cursor *cursor, double color[4])
{
   for (unsigned i = 0; i < 4; i++) {
      if (!script_read_double_value(cursor, "a number", &color[i]))
         return false;
      cursor_accept_char(cursor, ',');
   }
   return true;
}

static const struct script_choice contents[] = {
   {"checker", SCRIPT_CONTENTS_CHECKER},
   {"gradient", SCRIPT_CONTENTS_GRADIENT},
   {"numbered", SCRIPT_CONTENTS_NUMBERED},
   {"coordinates", SCRIPT_CONTENTS_COORDINATES},
   {"color", SCRIPT_CONTENTS_COLOR},
   {"png", SCRIPT_CONTENTS_PNG},
   {"texels", SCRIPT_CONTENTS_TEXELS},
   {"values", SCRIPT_CONTENTS_VALUES},
   {"bytes", SCRIPT_CONTENTS_BYTES},
};

/* CONTENTS [COMPONENTS] SIZE [COLOR], and the rows of texels that are given. */
static bool
read_contents(struct script_parser *parser, struct script_memory *memory)
{
   struct script_cursor *cursor = &parser->cursor;
   struct tg_resource_desc *desc = &memory->desc;
   uint32_t size[3] = {1, 1, 1};
   uint32_t choice;

   if (memory->contents != SCRIPT_CONTENTS_NONE)
      return cursor_complain(cursor, "the texture has its texels already");
   if (!script_read_choice(cursor, contents, COUNT(contents), &choice))
      return false;
   memory->contents = (enum script_contents)choice;
   if (choice == SCRIPT_CONTENTS_PNG)
      return read_png(parser, memory);
   if (choice == SCRIPT_CONTENTS_VALUES &&
       !read_components(cursor, &memory->components))
      return false;
   if (!cursor_read_size(cursor, num_sizes(desc->target),
                         desc->target == TG_TEXTURE_BUFFER
                            ? TG_MAX_RESOURCE_SIZE
                            : TG_MAX_TEXTURE_SIZE,
                         size))
      return false;
   desc->width = size[0];
   desc->height = size[1];
   desc->depth = size[2];
   if (choice == SCRIPT_CONTENTS_COLOR)
      return read_color(cursor, memory->color);
   return choice < SCRIPT_CONTENTS_TEXELS || choice > SCRIPT_CONTENTS_BYTES ||
          read_part(parser, memory, 0, 0);
}

/* ---- the section --------------------------------------------------------- */

bool
script_read_texture_line(struct script_parser *parser,
                         struct script_memory *memory)
{
   struct script_cursor *cursor = &parser->cursor;
   const struct script_word word = cursor_peek_word(cursor);
   bool good;

   if (accept_shape(cursor, memory, &good))
      return good;
   if (cursor_accept_words(cursor, "mipmaps")) {
      memory->mipmaps = true;
      return true;
   }
   if (cursor_word_is(word, "level") || cursor_word_is(word, "sample"))
      return read_next_part(parser, memory);
   return read_contents(parser, memory);
}

bool
script_finish_texture(struct script_cursor *head,
                      const struct script_memory *memory)
{
   const enum script_contents given = memory->contents;

   if (given == SCRIPT_CONTENTS_NONE)
      return cursor_complain(head, "the texture has no texels");
   return given == SCRIPT_CONTENTS_BYTES ||
          !format_is_compressed((enum tg_format)memory->desc.format) ||
          cursor_complain(head,
                          "texels of a compressed format are given as bytes");
}
