/* SPDX-License-Identifier: MIT
 *
 * Texels of images. An instruction says what an image is (a target, a format),
 * and so does the binding; where the two do not fit, nothing is bound for that
 * instruction. Where coordinates lead outside, reads give 0, alpha too, and
 * writes do nothing.
 */
#include "lower/memory/image.h"

#include <assert.h>

#include "lower/fixed_function/microtile.h"
#include "lower/fixed_function/texel.h"
#include "tgsi/analysis/memory.h"

/* ---- targets ------------------------------------------------------------- */

/* Which coordinate counts what; 0: none does. x is always coordinate 0. */
struct image_target {
   bool is_image;
   uint8_t y, slice, sample;
   uint8_t flat; /* enum tg_target, of one of its slices */
};

static const struct image_target targets[TG_NUM_TARGETS] = {
   [TG_TARGET_BUFFER] = {true, 0, 0, 0, TG_TARGET_BUFFER},
   [TG_TARGET_1D] = {true, 0, 0, 0, TG_TARGET_1D},
   [TG_TARGET_2D] = {true, 1, 0, 0, TG_TARGET_2D},
   [TG_TARGET_RECT] = {true, 1, 0, 0, TG_TARGET_2D},
   [TG_TARGET_3D] = {true, 1, 2, 0, TG_TARGET_2D},
   [TG_TARGET_CUBE] = {true, 1, 2, 0, TG_TARGET_2D},
   [TG_TARGET_1D_ARRAY] = {true, 0, 1, 0, TG_TARGET_1D},
   [TG_TARGET_2D_ARRAY] = {true, 1, 2, 0, TG_TARGET_2D},
   [TG_TARGET_CUBE_ARRAY] = {true, 1, 2, 0, TG_TARGET_2D},
   [TG_TARGET_2D_MSAA] = {true, 1, 0, 3, TG_TARGET_2D_MSAA},
   [TG_TARGET_2D_ARRAY_MSAA] = {true, 1, 2, 3, TG_TARGET_2D_MSAA},
};

enum { NUM_FACES = 6 };

/* What is bound can be taken for itself, for one of its slices, and layers can
 * be taken for faces and the other way round. */
static bool
fits_target(unsigned bound, unsigned wanted)
{
   if (wanted >= TG_NUM_TARGETS || !targets[wanted].is_image ||
       targets[bound].flat != targets[wanted].flat)
      return false;
   return bound == wanted || !targets[wanted].slice ||
          (targets[bound].slice && bound != TG_TARGET_3D &&
           wanted != TG_TARGET_3D);
}

/* ---- the image in a place ------------------------------------------------ */

static const struct abi_image_key *
key_of(const struct lower_context *context, uint32_t place)
{
   static const struct abi_image_key unbound;
   const struct abi_keys *keys = context->options->keys;

   if (!keys)
      return &unbound;
   return place < ABI_IMAGE_COLORS ? &keys->images[place]
                                   : &keys->colors[place - ABI_IMAGE_COLORS];
}

static bool
is_bound_as(const struct abi_image_key *key, unsigned target)
{
   assert(target < TG_NUM_TARGETS);
   return key->format != TG_FORMAT_NONE && fits_target(key->target, target);
}

/* A texel of the one format is at the beginning of one of the other. */
static bool
fits_format(enum tg_format bound, enum tg_format wanted)
{
   const struct format_info *outer = format_info(bound);
   const struct format_info *inner = format_info(wanted);

   return inner->layout != FORMAT_LAYOUT_NONE &&
          !format_is_compressed(wanted) &&
          inner->block_bytes <= outer->block_bytes &&
          inner->unit <= outer->unit;
}

enum tg_format
image_format_bound(const struct lower_context *context,
                   const struct lower_access *access, uint32_t place)
{
   const struct abi_image_key *key = key_of(context, place);

   return is_bound_as(key, access->object->target)
             ? (enum tg_format)key->resource_format
             : TG_FORMAT_NONE;
}

lir_value
image_word(struct lower_context *context, uint32_t place,
           enum abi_image_word word)
{
   assert(place < ABI_NUM_IMAGE_BINDINGS);
   assert(word < ABI_IMAGE_WORDS);
   struct lir_builder *builder = &context->builder;
   lir_value at =
      lir_const32(builder, place * ABI_IMAGE_WORDS + (uint32_t)word);

   return lir_load32(builder, LIR_SPACE_CONST, ABI_CONST_IMAGES, at);
}

/* ---- places in it -------------------------------------------------------- */

static lir_value
bound_of_slices(struct lower_context *context, uint32_t place, unsigned target)
{
   struct lir_builder *builder = &context->builder;
   lir_value num_slices = image_word(context, place, ABI_IMAGE_DEPTH);
   lir_value faces = lir_const32(builder, NUM_FACES);

   return target == TG_TARGET_CUBE ? lir_umin(builder, num_slices, faces)
                                   : num_slices;
}

void
image_spot_add(struct lower_context *context, struct image_spot *spot,
               lir_value coordinate, lir_value bound, lir_value part)
{
   struct lir_builder *builder = &context->builder;
   lir_value is_inside = lir_ult(builder, coordinate, bound);

   spot->is_inside = lir_band(builder, spot->is_inside, is_inside);
   spot->index = lir_iadd(builder, spot->index, part);
}

/* The same of what lies `pitch` apart. */
static void
add_steps(struct lower_context *context, struct image_spot *spot,
          lir_value coordinate, lir_value bound, lir_value pitch)
{
   lir_value part = lir_imul(&context->builder, coordinate, pitch);

   image_spot_add(context, spot, coordinate, bound, part);
}

bool
image_is_tiled(const struct lower_access *access)
{
   assert(access->object->target < TG_NUM_TARGETS);
   return targets[access->object->target].sample != 0;
}

lir_value
image_column(struct lower_context *context, const struct lower_access *access,
             const struct format_info *bound, lir_value x)
{
   struct lir_builder *builder = &context->builder;

   if (!image_is_tiled(access)) {
      lir_value units = lir_const32(builder, bound->num_units);
      return lir_imul(builder, x, units);
   }
   return lower_microtile_column(builder, x, bound->num_units);
}

/* The same of row `y`. Formats that are bound have their units in the key. */
static lir_value
image_row(struct lower_context *context, const struct lower_access *access,
          uint32_t place, lir_value y)
{
   struct lir_builder *builder = &context->builder;
   lir_value pitch = image_word(context, place, ABI_IMAGE_ROW_PITCH);

   if (!image_is_tiled(access))
      return lir_imul(builder, y, pitch);
   return lower_microtile_row(
      builder, y, pitch,
      format_info(image_format_bound(context, access, place))->num_units);
}

struct image_spot
image_find_row(struct lower_context *context, const struct lower_access *access,
               uint32_t place)
{
   const unsigned number = access->object->target;
   const struct image_target *target = &targets[number];
   struct image_spot row = {
      .index = image_word(context, place, ABI_IMAGE_OFFSET),
      .is_inside = lir_const1(&context->builder, true),
   };

   if (target->y) {
      lir_value y = access->at[target->y];
      lir_value height = image_word(context, place, ABI_IMAGE_HEIGHT);
      lir_value part = image_row(context, access, place, y);
      image_spot_add(context, &row, y, height, part);
   }
   if (target->slice) {
      lir_value depth = bound_of_slices(context, place, number);
      lir_value pitch = image_word(context, place, ABI_IMAGE_SLICE_PITCH);
      add_steps(context, &row, access->at[target->slice], depth, pitch);
   }
   if (target->sample) {
      lir_value samples = image_word(context, place, ABI_IMAGE_SAMPLES);
      lir_value pitch = image_word(context, place, ABI_IMAGE_SAMPLE_PITCH);
      add_steps(context, &row, access->at[target->sample], samples, pitch);
   }
   return row;
}

void
image_trace_coordinates(struct lower_context *context,
                        const struct lower_access *access, lir_value x)
{
   const unsigned target = access->object->target;

   if (target >= TG_NUM_TARGETS)
      return;
   const uint8_t number[] = {targets[target].y, targets[target].slice,
                             targets[target].sample};
   lower_trace_coordinate(context, 0, x);
   for (unsigned i = 0; i < 3; i++) {
      if (number[i])
         lower_trace_coordinate(context, number[i], access->at[number[i]]);
   }
}

void
image_trace_nothing(struct lower_context *context,
                    const struct lower_access *access,
                    enum abi_access_kind kind, uint32_t place)
{
   image_trace_coordinates(context, access, access->at[0]);
   lower_trace_no_texel(context, kind, place);
}

/* ---- one texel ----------------------------------------------------------- */

/* False when the image cannot be accessed so. Descriptors count in units of the
 * format that is bound, which are no smaller than those of the one that is
 * wanted. */
static bool
find_texel(struct lower_context *context, const struct lower_access *access,
           uint32_t place, enum tg_format format, struct image_spot *texel_out)
{
   struct lir_builder *builder = &context->builder;
   const enum tg_format bound = image_format_bound(context, access, place);

   if (bound == TG_FORMAT_NONE || !fits_format(bound, format))
      return false;
   *texel_out = image_find_row(context, access, place);

   const struct format_info *info = format_info(bound);
   lir_value width = image_word(context, place, ABI_IMAGE_WIDTH);
   lir_value part = image_column(context, access, info, access->at[0]);
   image_spot_add(context, texel_out, access->at[0], width, part);

   const unsigned ratio = info->unit / format_info(format)->unit;
   lir_value factor = lir_const32(builder, ratio);
   texel_out->index = lir_imul(builder, texel_out->index, factor);
   return true;
}

static void
trace_texel(struct lower_context *context, const struct lower_access *access,
            enum abi_access_kind kind, uint32_t place, enum tg_format format,
            const struct image_spot *texel)
{
   const struct format_info *info = format_info(format);

   image_trace_coordinates(context, access, access->at[0]);
   lower_trace_units(context, kind, place, info->unit, info->num_units,
                     texel->index, texel->is_inside);
}

void
lower_image_pixel(const struct lower_object *object, const lir_value pixel[4],
                  lir_value at_out[4])
{
   const struct image_target *target = &targets[object->target];

   at_out[0] = pixel[0];
   if (target->y)
      at_out[target->y] = pixel[1];
   if (target->slice)
      at_out[target->slice] = pixel[2];
   if (target->sample)
      at_out[target->sample] = pixel[3];
}

/* ---- what instructions do ------------------------------------------------ */

/* The format of the instruction; if it names none, that of the view. */
static enum tg_format
format_of(const struct lower_context *context,
          const struct lower_access *access, uint32_t place)
{
   return (enum tg_format)(access->object->format
                              ? access->object->format
                              : key_of(context, place)->format);
}

void
lower_image_load(struct lower_context *context,
                 const struct lower_access *access, uint32_t place,
                 lir_value result[4])
{
   struct lir_builder *builder = &context->builder;
   const enum tg_format format = format_of(context, access, place);
   lir_value loaded[4];
   struct image_spot texel;

   if (!find_texel(context, access, place, format, &texel)) {
      image_trace_nothing(context, access, ABI_ACCESS_LOAD, place);
      return;
   }
   trace_texel(context, access, ABI_ACCESS_LOAD, place, format, &texel);
   lower_texel_load(builder, format, LIR_SPACE_IMAGE, place, texel.index,
                    loaded);
   for (unsigned c = 0; c < 4; c++) {
      lir_value zero = lir_const32(builder, 0);

      if (access->channels & 1u << c)
         result[c] = lir_sel32(builder, texel.is_inside, loaded[c], zero);
   }
}

/* Without a format of its own an instruction stores in that of the resource. */
void
lower_image_store(struct lower_context *context,
                  const struct lower_access *access, uint32_t place,
                  lir_value result[4])
{
   struct lir_builder *builder = &context->builder;
   const enum tg_format format = (enum tg_format)(
      access->object->format ? access->object->format
                             : key_of(context, place)->resource_format);
   struct image_spot texel;

   (void)result;
   if (!find_texel(context, access, place, format, &texel)) {
      image_trace_nothing(context, access, ABI_ACCESS_STORE, place);
      return;
   }
   lower_begin_effect(context, 0);
   trace_texel(context, access, ABI_ACCESS_STORE, place, format, &texel);
   lir_begin_if(builder, texel.is_inside);
   lower_texel_store(builder, format, LIR_SPACE_IMAGE, place, texel.index,
                     access->value);
   lir_end(builder);
   lower_end_effect(context);
}

bool
lower_image_word(struct lower_context *context,
                 const struct lower_access *access, uint32_t place,
                 lir_value *word_out)
{
   struct lir_builder *builder = &context->builder;
   const enum tg_format format = format_of(context, access, place);
   const enum tg_opcode opcode = (enum tg_opcode)context->instruction->opcode;
   struct image_spot texel;

   if (!tg_memory_has_format(opcode, format) ||
       !find_texel(context, access, place, format, &texel)) {
      image_trace_nothing(context, access, ABI_ACCESS_ATOMIC, place);
      return false;
   }
   image_trace_coordinates(context, access, access->at[0]);
   lir_value no_word = lir_const32(builder, LOWER_NO_WORD);
   *word_out = lir_sel32(builder, texel.is_inside, texel.index, no_word);
   return true;
}

/* Sizes as far as the target has them, 0 for the others; then samples. */
void
lower_image_query(struct lower_context *context,
                  const struct lower_access *access, uint32_t place,
                  lir_value result[4])
{
   struct lir_builder *builder = &context->builder;
   const unsigned number = access->object->target;

   if (!is_bound_as(key_of(context, place), number))
      return;

   const struct image_target *target = &targets[number];
   result[0] = image_word(context, place, ABI_IMAGE_WIDTH);
   if (target->y)
      result[target->y] = image_word(context, place, ABI_IMAGE_HEIGHT);
   if (target->slice && number != TG_TARGET_CUBE)
      result[target->slice] = image_word(context, place, ABI_IMAGE_DEPTH);
   if (number == TG_TARGET_CUBE_ARRAY) {
      lir_value faces = lir_const32(builder, NUM_FACES);
      result[2] = lir_udiv(builder, result[2], faces);
   }
   result[3] = target->sample ? image_word(context, place, ABI_IMAGE_SAMPLES)
                              : lir_const32(builder, 1);
}

/* ---- handles ------------------------------------------------------------- */

static void
give_handle(struct lower_context *context, const struct lower_access *access,
            uint32_t place, lir_value result[4])
{
   (void)access;
   result[0] = lir_const32(&context->builder, ABI_HANDLE_IMAGE + place);
}

/* An image that is not declared has the handle 0. */
void
lower_op_img2hnd(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   struct lower_object object = lower_find_object(context);
   struct lower_access access = {.object = &object};
   lir_value words[4];

   lower_each_object_place(context, &access, give_handle, words);
   lir_value handle = lir_pack64(builder, words[0], words[1]);
   lower_dst64(context, 0, 0, handle);
   lower_dst64(context, 0, 1, handle);
}
