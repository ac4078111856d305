/* SPDX-License-Identifier: MIT
 *
 * FBFETCH: the colour that is in the framebuffer at the lane's own pixel, as an
 * image is read. The stage says which pixel that is. A shader by itself has no
 * framebuffer around it: there x and y are those of an input or system value
 * with the semantic POSITION, rounded down, or 0 if there is none; layer and
 * sample are 0.
 */
#include "lower/memory/object.h"
#include "lower/operands/location.h"
#include "lower/operands/registers.h"

/* ---- the pixel ----------------------------------------------------------- */

static void
default_pixel(struct lower_context *context, lir_value pixel_out[4])
{
   struct lir_builder *builder = &context->builder;
   const struct tg_declaration *position = context->registers->position;

   for (unsigned c = 0; c < 4; c++)
      pixel_out[c] = lir_const32(builder, 0);
   if (!position)
      return;

   struct lower_location location =
      lower_locate_direct(context, position->file, position->first);
   for (unsigned c = 0; c < 2; c++) {
      lir_value value = lower_load_location(context, &location, c);
      lir_value whole = lir_ffloor(builder, value);
      pixel_out[c] = lir_f2i(builder, whole);
   }
}

static void
find_pixel(struct lower_context *context, lir_value pixel_out[4])
{
   const struct lower_stage *stage = context->options->stage;

   if (stage && stage->pixel)
      stage->pixel(stage->user, &context->builder, pixel_out);
   else
      default_pixel(context, pixel_out);
}

/* ---- the colour ---------------------------------------------------------- */

/* COLOR of which number an output is, or ABI_MAX_COLORS. */
static uint32_t
color_of(const struct lower_context *context, int32_t output)
{
   const struct tg_declaration *declaration =
      lower_register_declaration(context, TG_FILE_OUT, output);

   if (!declaration || !declaration->has_semantic ||
       declaration->semantic != TG_SEMANTIC_COLOR)
      return ABI_MAX_COLORS;

   uint32_t color =
      declaration->semantic_index + ((uint32_t)output - declaration->first);
   return color < ABI_MAX_COLORS ? color : ABI_MAX_COLORS;
}

void
lower_op_fbfetch(struct lower_context *context)
{
   const struct abi_keys *keys = context->options->keys;
   const struct tg_register *reg = &context->instruction->src[0].reg;
   uint32_t color = color_of(context, reg->index.offset);
   struct lower_object object = {.kind = LOWER_OBJECT_IMAGE};
   struct lower_access access = {
      .object = &object,
      .channels = TG_MASK_XYZW,
   };
   lir_value texel[4] = {{0}, {0}, {0}, {0}};
   lir_value pixel[4];

   if (keys && color < ABI_MAX_COLORS) {
      find_pixel(context, pixel);
      object.target = keys->colors[color].target;
      lower_image_pixel(&object, pixel, access.at);
      lower_image_load(context, &access, ABI_IMAGE_COLORS + color, texel);
   }
   for (unsigned c = 0; c < 4; c++)
      lower_dst(context, 0, c, texel[context->instruction->src[0].swizzle[c]]);
}
