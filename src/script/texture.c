/* SPDX-License-Identifier: MIT
 *
 * The section [texture N]: where the texels come from and how they are
 * sampled; and how a texture of the GPU is made from it.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/pixel.h"
#include "script/parse.h"
#include "script/runner.h"
#include "script/words.h"
#include "util/picture.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { CHECKER_SIZE = 8 /* texels of a square */ };

/* ---- where texels come from ---------------------------------------------- */

/* The rows below `texels WxH`: as many words rrggbbaa as the width, without
 * comments in between. */
static bool
read_texel_row(struct script_cursor *cursor, uint32_t width, uint32_t *row)
{
   for (uint32_t i = 0; i < width; i++) {
      struct script_word word = script_peek_word(cursor);

      if (word.length != 8 || !script_word_to_hex(word, &row[i]))
         return script_complain(cursor, "expected a texel, rrggbbaa");
      script_read_word(cursor);
   }
   return script_expect_end(cursor);
}

static bool
read_texels(struct script_parser *parser, struct script_texture *texture)
{
   const struct script_cursor *cursor = &parser->cursor;
   const char *text_end = cursor->source->text + cursor->source->length;
   size_t num_texels = (size_t)texture->width * texture->height;

   /* A texel takes eight digits and what divides it from the next. */
   if (num_texels > ((size_t)(text_end - cursor->end) + 1) / 9)
      return script_complain(&parser->cursor, "expected %u rows of texels",
                             texture->height);
   uint32_t *texels =
      tg_arena_array(&parser->script->arena, num_texels, sizeof(*texels));
   if (!texels) {
      parser->out_of_memory = true;
      return false;
   }
   texture->texels = texels;
   for (uint32_t y = 0; y < texture->height; y++) {
      if (!script_next_words(parser))
         return script_complain(&parser->cursor, "expected %u rows of texels",
                                texture->height);
      if (!read_texel_row(&parser->cursor, texture->width,
                          texels + (size_t)y * texture->width))
         return false;
   }
   return true;
}

/* A path below the folder of the script. */
static bool
is_safe_path(struct script_word path)
{
   if (!path.length || path.text[0] == '/')
      return false;
   for (size_t i = 0; i + 1 < path.length; i++) {
      if (path.text[i] == '.' && path.text[i + 1] == '.')
         return false;
   }
   return !memchr(path.text, '\0', path.length);
}

static bool
read_png(struct script_parser *parser, struct script_texture *texture)
{
   struct script_word path = script_peek_word(&parser->cursor);

   if (path.length > SCRIPT_MAX_NAME || !is_safe_path(path))
      return script_complain(&parser->cursor,
                             "expected a file in the folder of this one");
   script_read_word(&parser->cursor);
   texture->path =
      tg_arena_strndup(&parser->script->arena, path.text, path.length);
   parser->out_of_memory |= !texture->path;
   return script_expect_end(&parser->cursor);
}

static const struct script_choice patterns[] = {
   {"checker", SCRIPT_PATTERN_CHECKER},
   {"gradient", SCRIPT_PATTERN_GRADIENT},
   {"texels", SCRIPT_PATTERN_TEXELS},
   {"png", SCRIPT_PATTERN_PNG},
};

static bool
read_pattern(struct script_parser *parser, struct script_texture *texture)
{
   uint32_t size[2], pattern;

   if (texture->pattern != SCRIPT_PATTERN_NONE)
      return script_complain(&parser->cursor,
                             "the texture has its texels already");
   if (!script_read_choice(&parser->cursor, patterns, COUNT(patterns),
                           &pattern))
      return false;
   texture->pattern = (enum script_pattern)pattern;
   if (pattern == SCRIPT_PATTERN_PNG)
      return read_png(parser, texture);
   if (!script_read_size(&parser->cursor, SCRIPT_MAX_SIZE, size) ||
       !script_expect_end(&parser->cursor))
      return false;
   texture->width = size[0];
   texture->height = size[1];
   return pattern != SCRIPT_PATTERN_TEXELS || read_texels(parser, texture);
}

/* ---- how they are sampled ------------------------------------------------ */

static const struct script_choice filters[] = {
   {"nearest", LOWER_FILTER_NEAREST},
   {"linear", LOWER_FILTER_LINEAR},
};
static const struct script_choice mip_filters[] = {
   {"none", LOWER_MIP_NONE},
   {"nearest", LOWER_MIP_NEAREST},
   {"linear", LOWER_MIP_LINEAR},
};
static const struct script_choice wraps[] = {
   {"repeat", LOWER_WRAP_REPEAT},
   {"clamp", LOWER_WRAP_CLAMP_TO_EDGE},
};

/* A line that chooses one of a few words, for a byte of the sampler or two. */
static const struct choice_line {
   const char *words;
   const struct script_choice *choices;
   size_t num_choices;
   size_t offset, second_offset;
} choice_lines[] = {
#define LINE(words, choices, field, second)                                    \
   {                                                                           \
      words, choices, COUNT(choices), offsetof(struct gpu_sampler, field),     \
         offsetof(struct gpu_sampler, second)                                  \
   }
   LINE("filter", filters, min_filter, mag_filter),
   LINE("min filter", filters, min_filter, min_filter),
   LINE("mag filter", filters, mag_filter, mag_filter),
   LINE("mip filter", mip_filters, mip_filter, mip_filter),
   LINE("wrap", wraps, wrap_s, wrap_t),
   LINE("wrap_s", wraps, wrap_s, wrap_s),
   LINE("wrap_t", wraps, wrap_t, wrap_t),
#undef LINE
};

static const struct lod_line {
   const char *words;
   size_t offset;
} lod_lines[] = {
   {"lod bias", offsetof(struct gpu_sampler, lod_bias)},
   {"min lod", offsetof(struct gpu_sampler, min_lod)},
   {"max lod", offsetof(struct gpu_sampler, max_lod)},
};

static bool
read_choice(struct script_cursor *cursor, const struct choice_line *line,
            struct gpu_sampler *sampler)
{
   uint32_t number;

   if (!script_read_choice(cursor, line->choices, line->num_choices, &number))
      return false;
   *((uint8_t *)sampler + line->offset) = (uint8_t)number;
   *((uint8_t *)sampler + line->second_offset) = (uint8_t)number;
   return script_expect_end(cursor);
}

static bool
read_lod(struct script_cursor *cursor, const struct lod_line *line,
         struct gpu_sampler *sampler)
{
   double value;

   if (!script_read_double(cursor, "a level of detail", &value))
      return false;
   const float lod = (float)value;
   memcpy((char *)sampler + line->offset, &lod, sizeof(lod));
   return script_expect_end(cursor);
}

/* False when the line is not about sampling; else whether it was good. */
static bool
accept_sampling(struct script_cursor *cursor, struct gpu_sampler *sampler,
                bool *good_out)
{
   for (size_t i = 0; i < COUNT(choice_lines); i++) {
      if (script_accept_words(cursor, choice_lines[i].words)) {
         *good_out = read_choice(cursor, &choice_lines[i], sampler);
         return true;
      }
   }
   for (size_t i = 0; i < COUNT(lod_lines); i++) {
      if (script_accept_words(cursor, lod_lines[i].words)) {
         *good_out = read_lod(cursor, &lod_lines[i], sampler);
         return true;
      }
   }
   return false;
}

/* ---- the section --------------------------------------------------------- */

static bool
read_line(struct script_parser *parser, struct script_texture *texture)
{
   struct script_cursor *cursor = &parser->cursor;
   bool good;

   if (accept_sampling(cursor, &texture->sampler, &good))
      return good;
   if (script_accept_words(cursor, "mipmaps")) {
      texture->mipmaps = true;
      return script_expect_end(cursor);
   }
   if (script_accept_words(cursor, "format")) {
      uint32_t format;

      if (!script_read_format(cursor, &format))
         return false;
      texture->format = (enum tg_format)format;
      return script_expect_end(cursor);
   }
   return read_pattern(parser, texture);
}

/* The texture that a head names, or NULL after a complaint. */
static struct script_texture *
find_texture(struct script_parser *parser, struct script_word name)
{
   uint32_t number = 0;

   for (size_t i = 0; i < name.length; i++) {
      if (name.text[i] < '0' || name.text[i] > '9' || i == 2)
         number = GPU_MAX_SAMPLERS;
      else
         number = number * 10 + (uint32_t)(name.text[i] - '0');
   }
   if (!name.length || number >= GPU_MAX_SAMPLERS) {
      script_complain(&parser->cursor, "a texture has a number from 0 to %u",
                      GPU_MAX_SAMPLERS - 1);
      return NULL;
   }
   struct script_texture *texture = &parser->script->textures[number];
   if (!texture->is_defined)
      return texture;
   script_complain(&parser->cursor, "there is a texture %u already", number);
   return NULL;
}

void
script_parse_texture(struct script_parser *parser, struct script_word name)
{
   struct script_texture *texture = find_texture(parser, name);
   if (!texture) {
      script_check(parser, false);
      script_skip_section(parser);
      return;
   }
   *texture = (struct script_texture){
      .is_defined = true,
      .position = script_position(&parser->cursor),
      .format = TG_FORMAT_R8G8B8A8_UNORM,
      .sampler =
         {
            .mip_filter = LOWER_MIP_NONE,
            .max_lod = 1000.0f,
         },
   };
   while (script_next_words(parser) && !parser->out_of_memory)
      script_check(parser, read_line(parser, texture));
   if (texture->pattern == SCRIPT_PATTERN_NONE)
      script_check(
         parser, script_complain(&parser->cursor, "the texture has no texels"));
}

/* ---- on the GPU ---------------------------------------------------------- */

/* The file beside the script that a path names; to be freed. */
static char *
path_beside(const char *script_name, const char *path)
{
   const char *slash = strrchr(script_name, '/');
   int folder_length = slash ? (int)(slash - script_name) + 1 : 0;
   size_t size = (size_t)folder_length + strlen(path) + 1;
   char *full = malloc(size);

   if (full)
      snprintf(full, size, "%.*s%s", folder_length, script_name, path);
   return full;
}

static enum tg_result
complain(const struct script_runner *runner,
         const struct script_texture *texture, const char *what)
{
   tg_diagnose(runner->diagnostics, TG_SEVERITY_ERROR, "test-failed",
               &runner->script->source, texture->position, NULL, "%s", what);
   return TG_ERROR_LIMIT;
}

static enum tg_result
load_png(struct script_runner *runner, const struct script_texture *texture,
         uint32_t size_out[2], uint8_t **rgba_out)
{
   if (runner->limits->no_files)
      return complain(runner, texture, "pictures are not read");

   char *path = path_beside(runner->script->source.name, texture->path);
   if (!path)
      return TG_ERROR_MEMORY;

   enum tg_result result =
      tg_picture_read(runner->allocator, path, runner->diagnostics,
                      &size_out[0], &size_out[1], rgba_out);
   free(path);
   return result;
}

/* The colour of a texel of level 0. */
static void
find_color(const struct script_texture *texture, const uint32_t size[2],
           const uint8_t *rgba, uint32_t x, uint32_t y, float color[4])
{
   size_t index = (size_t)y * size[0] + x;
   bool is_white = (x / CHECKER_SIZE + y / CHECKER_SIZE) % 2 == 0;

   color[0] = color[1] = color[2] = is_white ? 1.0f : 0.0f;
   color[3] = 1.0f;
   switch (texture->pattern) {
   case SCRIPT_PATTERN_NONE:
   case SCRIPT_PATTERN_CHECKER: break;
   case SCRIPT_PATTERN_GRADIENT:
      color[0] = size[0] > 1 ? (float)x / (float)(size[0] - 1) : 0.0f;
      color[1] = size[1] > 1 ? (float)y / (float)(size[1] - 1) : 0.0f;
      color[2] = 0.0f;
      break;
   case SCRIPT_PATTERN_TEXELS:
      for (unsigned i = 0; i < 4; i++)
         color[i] =
            (float)(texture->texels[index] >> (24 - i * 8) & 255) / 255.0f;
      break;
   case SCRIPT_PATTERN_PNG:
      for (unsigned i = 0; i < 4; i++)
         color[i] = (float)rgba[index * 4 + i] / 255.0f;
      break;
   }
}

static void
fill(struct gpu_resource *resource, const struct script_texture *texture,
     const uint32_t size[2], const uint8_t *rgba)
{
   size_t num_words;
   uint32_t *words = gpu_resource_map(resource, 0, &num_words);
   size_t words_per_texel = num_words / ((size_t)size[0] * size[1]);

   for (uint32_t y = 0; y < size[1]; y++) {
      for (uint32_t x = 0; x < size[0]; x++) {
         float color[4];

         find_color(texture, size, rgba, x, y, color);
         gpu_pixel_pack(texture->format, color, words);
         words += words_per_texel;
      }
   }
}

/* The textures of a test share one bound. */
static enum tg_result
check_size(struct script_runner *runner, const struct script_texture *texture,
           const uint32_t size[2])
{
   if (size[0] > runner->limits->max_size || size[1] > runner->limits->max_size)
      return complain(runner, texture, "the texture is too large");

   uint32_t num_texels = size[0] * size[1];
   if (num_texels > SCRIPT_MAX_TEXELS - runner->drawing.num_texels)
      return complain(runner, texture,
                      "the textures have more than 2^25 texels in all");
   runner->drawing.num_texels += num_texels;
   return TG_OK;
}

enum tg_result
script_texture_create(struct script_runner *runner,
                      const struct script_texture *texture,
                      struct gpu_resource **resource_out)
{
   uint32_t size[2] = {texture->width, texture->height};
   uint8_t *rgba = NULL;
   enum tg_result result = TG_OK;

   if (texture->pattern == SCRIPT_PATTERN_PNG)
      result = load_png(runner, texture, size, &rgba);
   if (result == TG_OK)
      result = check_size(runner, texture, size);
   if (result != TG_OK)
      goto done;

   const struct gpu_resource_desc desc = {
      .format = texture->format,
      .width = size[0],
      .height = size[1],
      .last_level =
         texture->mipmaps ? gpu_full_last_level(size[0], size[1]) : 0,
   };
   result = gpu_resource_create(runner->drawing.context, &desc,
                                runner->diagnostics, resource_out);
   if (result == TG_OK) {
      fill(*resource_out, texture, size, rgba);
      gpu_resource_generate_mipmaps(*resource_out);
   }

done:
   tg_picture_free(runner->allocator, rgba, size[0], size[1]);
   return result;
}
