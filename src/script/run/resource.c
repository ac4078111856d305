/* SPDX-License-Identifier: MIT
 *
 * Resources with their initial contents: patterns, pictures, and what a script
 * gives.
 * Texels are made as four words, row by row, and packed by the format.
 */
#include "script/run/resource.h"

#include <string.h>

#include "format/format.h"
#include "script/run/runner.h"
#include "util/block.h"

enum {
   CHECKER_SIZE = 8, /* texels of a square */
   FILL_WORK = 8,    /* units of work of a texel */
};

/* Level and sample that are being filled, and where texels come from. */
struct source {
   const struct script_memory *memory;
   const struct format_info *info;
   enum tg_format format;
   const uint8_t *rgba; /* of a picture */
   uint32_t level, sample;
   struct script_extent extent; /* of the level */
   const void *part;            /* what the script gives, or NULL */
};

/* ---- one texel ----------------------------------------------------------- */

/* A number as the format wants it: integers are held to their range. */
static uint32_t
to_word(const struct source *source, double value)
{
   const bool is_signed = source->info->class == FORMAT_CLASS_SINT;
   const double least = is_signed ? INT32_MIN : 0;
   const double greatest = is_signed ? INT32_MAX : UINT32_MAX;
   const float number = (float)value;
   uint32_t word;

   if (source->info->class == FORMAT_CLASS_FLOAT) {
      memcpy(&word, &number, sizeof(word));
      return word;
   }
   if (!(value > least)) /* also what is no number */
      return is_signed && value <= least ? (uint32_t)INT32_MIN : 0;
   return (uint32_t)(int64_t)(value < greatest ? value : greatest);
}

/* Eight bits a channel are the numbers of an integer format, and are encoded
 * where the format is. */
static void
from_bytes(const struct source *source, const uint8_t rgba[4],
           uint32_t words[4])
{
   enum tg_format format = TG_FORMAT_R8G8B8A8_UNORM;

   if (source->info->class != FORMAT_CLASS_FLOAT)
      format = TG_FORMAT_R8G8B8A8_UINT;
   else if (source->info->colorspace == FORMAT_COLORSPACE_SRGB)
      format = TG_FORMAT_R8G8B8A8_SRGB;
   format_unpack(format, rgba, words);
}

static void
from_word(const struct source *source, uint32_t rgba, uint32_t words[4])
{
   const uint8_t bytes[4] = {
      (uint8_t)(rgba >> 24),
      (uint8_t)(rgba >> 16),
      (uint8_t)(rgba >> 8),
      (uint8_t)rgba,
   };
   from_bytes(source, bytes, words);
}

/* From 0 to 1 over a side, or the texels counted. */
static double
slope(const struct source *source, uint32_t at, uint32_t size)
{
   if (source->info->class != FORMAT_CLASS_FLOAT)
      return at;
   return size > 1 ? (double)((float)at / (float)(size - 1)) : 0;
}

static bool
is_normalized(const struct format_info *info)
{
   const enum format_type type = format_color_type(info);
   return type == FORMAT_TYPE_UNORM || type == FORMAT_TYPE_SNORM;
}

static void
find_color(const struct source *source, uint32_t x, uint32_t y, uint32_t z,
           double color[4])
{
   const struct script_extent *extent = &source->extent;
   const bool is_white =
      (x / CHECKER_SIZE + y / CHECKER_SIZE + z / CHECKER_SIZE) % 2 == 0;
   const double unit = is_normalized(source->info) ? 1.0 / 255 : 1;

   color[3] = 1;
   switch (source->memory->contents) {
   case SCRIPT_CONTENTS_GRADIENT:
      color[0] = slope(source, x, extent->width);
      color[1] = slope(source, y, extent->height);
      color[2] = slope(source, z, extent->slices);
      break;
   case SCRIPT_CONTENTS_NUMBERED:
      color[0] = source->level * unit;
      color[1] = z * unit;
      color[2] = source->sample * unit;
      break;
   case SCRIPT_CONTENTS_COORDINATES:
      color[0] = x * unit;
      color[1] = y * unit;
      color[2] = z * unit;
      color[3] = source->level * unit;
      break;
   case SCRIPT_CONTENTS_COLOR:
      memcpy(color, source->memory->color, sizeof(source->memory->color));
      break;
   default: color[0] = color[1] = color[2] = is_white; break;
   }
}

static void
find_texel(const struct source *source, uint32_t x, uint32_t y, uint32_t z,
           uint32_t words[4])
{
   const size_t row = (size_t)z * source->extent.height + y;
   const size_t index = row * source->extent.width + x;
   const uint32_t *part = source->part;
   double color[4];

   switch (source->memory->contents) {
   case SCRIPT_CONTENTS_PNG:
      from_bytes(source, source->rgba + index * 4, words);
      return;
   case SCRIPT_CONTENTS_TEXELS: from_word(source, part[index], words); return;
   case SCRIPT_CONTENTS_VALUES:
      memcpy(words, part + index * 4, 4 * sizeof(*words));
      return;
   default: break;
   }
   find_color(source, x, y, z, color);
   for (unsigned i = 0; i < 4; i++)
      words[i] = to_word(source, color[i]);
}

static void
pack(const struct source *source, const uint32_t words[4], uint8_t *texel)
{
   if (format_has_depth(source->format) || !format_has_stencil(source->format))
      format_pack(source->format, words, texel);
   if (format_has_stencil(source->format) &&
       source->memory->contents == SCRIPT_CONTENTS_VALUES)
      format_pack_stencil(source->format, (uint8_t)words[1], texel);
}

/* ---- levels -------------------------------------------------------------- */

static enum tg_result
fill_rows(struct script_runner *runner, struct tg_resource *resource,
          const struct source *source, uint8_t *row)
{
   const struct script_extent *extent = &source->extent;
   const size_t row_size = (size_t)extent->width * source->info->block_bytes;

   for (uint32_t z = 0; z < extent->slices; z++) {
      for (uint32_t y = 0; y < extent->height; y++) {
         if (!tg_work_pay(&runner->work, extent->width * (uint64_t)FILL_WORK))
            return TG_ERROR_LIMIT;
         memset(row, 0, row_size);
         for (uint32_t x = 0; x < extent->width; x++) {
            uint32_t words[4];

            find_texel(source, x, y, z, words);
            pack(source, words, row + (size_t)x * source->info->block_bytes);
         }
         const struct tg_box box = {0, y, z, extent->width, 1, 1};
         enum tg_result result = tg_resource_write(
            resource, source->level, source->sample, &box, row, 0, 0);
         if (result != TG_OK)
            return result;
      }
   }
   return TG_OK;
}

/* Fills what the source says of level and sample. */
static enum tg_result
fill_level(struct script_runner *runner, struct tg_resource *resource,
           struct source *source)
{
   const struct tg_allocator *allocator = runner->allocator;
   const struct script_extent extent =
      script_place_level_extent(tg_resource_get_desc(resource), source->level);

   source->extent = extent;
   if (source->memory->contents == SCRIPT_CONTENTS_BYTES) {
      const struct tg_box box = {
         0, 0, 0, extent.width, extent.height, extent.slices,
      };
      return tg_resource_write(resource, source->level, source->sample, &box,
                               source->part, 0, 0);
   }
   const size_t row_size = (size_t)extent.width * source->info->block_bytes;
   uint8_t *row = allocator->resize(allocator->user, NULL, 0, row_size);
   if (!row)
      return TG_ERROR_MEMORY;
   enum tg_result result = fill_rows(runner, resource, source, row);
   allocator->resize(allocator->user, row, row_size, 0);
   return result;
}

static bool
is_given(const struct script_memory *memory)
{
   return memory->contents >= SCRIPT_CONTENTS_TEXELS &&
          memory->contents <= SCRIPT_CONTENTS_BYTES;
}

static enum tg_result
fill_parts(struct script_runner *runner, struct tg_resource *resource,
           struct source *source)
{
   const struct script_memory *memory = source->memory;
   enum tg_result result = TG_OK;

   for (uint32_t i = 0; i < memory->num_parts && result == TG_OK; i++) {
      source->level = memory->parts[i].level;
      source->sample = memory->parts[i].sample;
      source->part = memory->parts[i].texels;
      result = fill_level(runner, resource, source);
   }
   return result;
}

/* Every level and sample by the same rule; a picture has but one level. */
static enum tg_result
fill_pattern(struct script_runner *runner, struct tg_resource *resource,
             struct source *source)
{
   const struct tg_resource_desc *desc = tg_resource_get_desc(resource);
   const bool is_single = source->memory->mipmaps || source->rgba;
   const uint32_t last_level = is_single ? 0 : desc->last_level;
   const uint32_t num_samples = desc->samples ? desc->samples : 1;
   enum tg_result result = TG_OK;

   for (uint32_t level = 0; level <= last_level; level++) {
      for (uint32_t i = 0; i < num_samples && result == TG_OK; i++) {
         source->level = level;
         source->sample = i;
         result = fill_level(runner, resource, source);
      }
   }
   return result;
}

static enum tg_result
fill_texture(struct script_runner *runner, const struct script_place *place,
             const uint8_t *rgba, struct tg_resource *resource)
{
   const struct script_memory *memory = &place->memory;
   struct source source = {
      .memory = memory,
      .format = (enum tg_format)memory->desc.format,
      .info = format_info((enum tg_format)memory->desc.format),
      .rgba = rgba,
   };
   enum tg_result result = is_given(memory)
                              ? fill_parts(runner, resource, &source)
                              : fill_pattern(runner, resource, &source);

   if (result == TG_OK && memory->mipmaps)
      result = tg_resource_generate_mipmaps(resource);
   if (result == TG_ERROR_UNSUPPORTED)
      return script_blame(runner, place->position, result,
                          "mipmaps of this format are not made");
   return result;
}

static enum tg_result
fill_buffer(struct script_runner *runner, const struct script_memory *memory,
            struct tg_resource *resource)
{
   uint8_t *bytes = tg_resource_map_buffer(resource);
   const uint32_t size = memory->desc.width;

   if (!tg_work_pay(&runner->work, size / 4 * (uint64_t)FILL_WORK))
      return TG_ERROR_LIMIT;
   for (uint32_t i = 0; i + 4 <= size; i += 4) {
      const uint32_t word =
         memory->contents == SCRIPT_CONTENTS_NUMBERED ? i / 4 : memory->fill;
      memcpy(bytes + i, &word, sizeof(word));
   }
   if (memory->num_bytes)
      memcpy(bytes, memory->bytes, memory->num_bytes);
   return TG_OK;
}

/* Only the bytes that the section lists were ever written. */
static enum tg_result
forget_contents(const struct script_memory *memory,
                struct tg_resource *resource)
{
   const struct tg_box box = {
      .width = memory->num_bytes,
      .height = 1,
      .depth = 1,
   };
   enum tg_result result = tg_resource_set_undefined(resource);

   if (result == TG_OK && memory->num_bytes)
      result = tg_resource_write(resource, 0, 0, &box, memory->bytes, 0, 0);
   return result;
}

/* ---- pictures ------------------------------------------------------------ */

/* Reads the picture of a place. */
static enum tg_result
load_png(struct script_runner *runner, const struct script_place *place,
         struct tg_resource_desc *desc, uint8_t **rgba_out)
{
   const struct script_memory *memory = &place->memory;
   enum tg_result result = script_load_picture(
      runner, memory->path, &desc->width, &desc->height, rgba_out);

   if (result != TG_OK && result != TG_ERROR_MEMORY)
      result = script_blame(runner, memory->path_position, result, "%s: %s",
                            memory->path, script_first_error(runner));
   return result;
}

/* ---- resources ----------------------------------------------------------- */

/* What it is, once the size of a picture is known. */
static void
complete_desc(const struct script_memory *memory, struct tg_resource_desc *desc)
{
   const struct tg_format_block block = tg_format_get_block(desc->format);

   if (memory->mipmaps && !memory->desc.last_level)
      desc->last_level =
         tg_full_last_level(desc->width, desc->height, desc->depth);
   if (desc->target == TG_TEXTURE_BUFFER && block.bytes)
      desc->width = desc->width > UINT32_MAX / block.bytes
                       ? UINT32_MAX
                       : desc->width * block.bytes;
}

/* Texels that are filled, or words. */
static uint64_t
count_texels(const struct tg_resource_desc *desc)
{
   uint64_t count = 0;

   if (desc->target == TG_TEXTURE_BUFFER)
      return desc->width / 4 + 1;
   for (uint32_t level = 0; level <= desc->last_level; level++) {
      const struct script_extent extent =
         script_place_level_extent(desc, level);

      count += (uint64_t)extent.width * extent.height * extent.slices;
   }
   return count * (desc->samples ? desc->samples : 1);
}

/* Units of work of the levels that are made of level 0. */
static uint64_t
cost_of_mipmaps(const struct script_memory *memory,
                const struct tg_resource_desc *desc)
{
   return memory->mipmaps ? count_texels(desc) * FILL_WORK : 0;
}

static enum tg_result
create(struct script_runner *runner, const struct script_place *place,
       const struct tg_resource_desc *desc, struct tg_resource **resource_out)
{
   struct tg_diagnostics *errors = script_errors(runner);
   if (!errors)
      return TG_ERROR_MEMORY;
   if (!script_runner_count_texels(runner, count_texels(desc)))
      return script_blame(runner, place->position, TG_ERROR_LIMIT,
                          "the test fills more than %llu texels",
                          (unsigned long long)runner->limits->pixels);

   enum tg_result result =
      tg_resource_create(runner->allocator, desc, errors, resource_out);
   if (result != TG_OK && result != TG_ERROR_MEMORY)
      return script_blame(runner, place->position, result, "%s",
                          script_first_error(runner));
   return result;
}

enum tg_result
script_create_resource(struct script_runner *runner,
                       const struct script_place *place,
                       struct tg_resource **resource_out)
{
   const struct script_memory *memory = &place->memory;
   struct tg_resource_desc desc = memory->desc;
   struct tg_resource *resource = NULL;
   uint8_t *rgba = NULL;
   enum tg_result result = TG_OK;

   if (memory->contents == SCRIPT_CONTENTS_PNG)
      result = load_png(runner, place, &desc, &rgba);
   complete_desc(memory, &desc);
   if (result == TG_OK)
      result = create(runner, place, &desc, &resource);
   if (result == TG_OK &&
       script_place_rules[place->kind].holds == SCRIPT_HOLDS_BYTES)
      result = fill_buffer(runner, memory, resource);
   else if (result == TG_OK &&
            !tg_work_pay(&runner->work, cost_of_mipmaps(memory, &desc)))
      result = TG_ERROR_LIMIT;
   else if (result == TG_OK)
      result = fill_texture(runner, place, rgba, resource);
   tg_block_free(rgba);
   if (result == TG_OK && memory->is_undefined)
      result = forget_contents(memory, resource);
   if (result == TG_OK)
      *resource_out = resource;
   else
      tg_resource_destroy(resource);
   return result;
}
