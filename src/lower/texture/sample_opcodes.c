/* SPDX-License-Identifier: MIT
 *
 * Texture opcodes that name a view, and a sampler apart from it. The target is
 * that of the view's declaration, where SHADOW has no meaning: the opcode says
 * whether it compares. What comes out is permuted by the view's swizzle.
 */
#include <assert.h>

#include "lower/texture/texture.h"

static struct texture
read_texture(struct lower_context *context, enum sample_operation operation)
{
   struct texture texture = {.kind.operation = (uint8_t)operation};

   texture_read_coordinates(context, &texture,
                            texture_look_up_target(context, 1), 0);
   texture_read_offsets(context, &texture);
   return texture;
}

static void
give_swizzled(struct lower_context *context, const lir_value result[4],
              unsigned src)
{
   assert(src < context->instruction->num_src);
   const uint8_t *swizzle = context->instruction->src[src].swizzle;

   for (unsigned c = 0; c < 4; c++)
      lower_dst(context, 0, c, result[swizzle[c]]);
}

static void
give_texture(struct lower_context *context, const struct texture *texture)
{
   lir_value result[4];

   texture_look_up_view(context, texture, 1, 2, result);
   give_swizzled(context, result, 1);
}

/* ---- sampling ------------------------------------------------------------ */

void
lower_op_sample(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);

   texture_derive_lod(context, &texture);
   give_texture(context, &texture);
}

void
lower_op_sample_b(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);
   const lir_value bias = lower_src(context, 3, 0);

   texture_bias_lod(context, &texture, bias);
   give_texture(context, &texture);
}

static void
read_reference(struct lower_context *context, struct texture *texture)
{
   texture->kind.compares = true;
   texture->argument[SAMPLE_REFERENCE] = lower_src(context, 3, 0);
}

void
lower_op_sample_c(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);

   read_reference(context, &texture);
   texture_derive_lod(context, &texture);
   give_texture(context, &texture);
}

void
lower_op_sample_c_lz(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);

   read_reference(context, &texture);
   texture_give_lod(&texture, lir_constf(&context->builder, 0.0f));
   give_texture(context, &texture);
}

void
lower_op_sample_d(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);

   texture_read_derivatives(context, &texture, 3, 4);
   give_texture(context, &texture);
}

/* With three operands, as in 2011, the lod is in the address. */
void
lower_op_sample_l(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FILTER);
   const bool is_old = context->instruction->num_src == 3;

   texture_give_lod(&texture, is_old ? lower_src(context, 0, 3)
                                     : lower_src(context, 3, 0));
   give_texture(context, &texture);
}

void
lower_op_gather4(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_GATHER);

   texture.kind.component = SAMPLE_RED;
   give_texture(context, &texture);
}

void
lower_op_lod(struct lower_context *context)
{
   struct texture texture = {.kind.operation = SAMPLE_LOD};

   texture_read_coordinates(context, &texture,
                            texture_look_up_target(context, 1), 0);
   texture_derive_lod(context, &texture);
   give_texture(context, &texture);
}

/* ---- without a sampler --------------------------------------------------- */

/* 2011 has no targets for multisampled surfaces: its 2D and 2DArray are those
 * too, wherever samples make sense. Coordinates are the same. */
static enum tg_target
with_samples(enum tg_target target)
{
   switch (target) {
   case TG_TARGET_2D: return TG_TARGET_2D_MSAA;
   case TG_TARGET_2D_ARRAY: return TG_TARGET_2D_ARRAY_MSAA;
   default: return target;
   }
}

static void
give_fetched(struct lower_context *context, const struct texture *texture)
{
   lir_value result[4];

   texture_look_up_view(context, texture, 1, -1, result);
   give_swizzled(context, result, 1);
}

/* SAMPLE_I, and LOAD of 2011. */
void
lower_op_sample_i(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FETCH);

   texture_read_slice(context, &texture);
   if (texture_has_levels((enum tg_target)texture.kind.target))
      texture_give_lod(&texture, lower_src(context, 0, 3));
   give_fetched(context, &texture);
}

/* SAMPLE_I_MS and LOAD_MS, where the sample may have no operand of its own. */
void
lower_op_sample_i_ms(struct lower_context *context)
{
   struct texture texture = read_texture(context, SAMPLE_FETCH);

   texture.kind.target = (uint8_t)with_samples(texture.kind.target);
   texture.argument[SAMPLE_INDEX] = context->instruction->num_src == 3
                                       ? lower_src(context, 2, 0)
                                       : lower_src(context, 0, 3);
   give_fetched(context, &texture);
}

/* ---- questions ----------------------------------------------------------- */

static void
ask_size(struct lower_context *context, lir_value result_out[4])
{
   const enum tg_target target = texture_look_up_target(context, 1);
   struct texture texture = {
      .kind = {.operation = SAMPLE_SIZE,
               .target = (uint8_t)with_samples(target)},
   };

   if (target == TG_TARGET_RECT)
      texture_give_lod(&texture, lir_const32(&context->builder, 0));
   else if (texture_has_levels(target))
      texture_give_lod(&texture, lower_src(context, 0, 0));
   texture_look_up_view(context, &texture, 1, -1, result_out);
}

void
lower_op_sviewinfo(struct lower_context *context)
{
   lir_value result[4];

   ask_size(context, result);
   for (unsigned c = 0; c < 4; c++)
      lower_dst(context, 0, c, result[c]);
}

/* It tells no levels of a 1D array. */
void
lower_op_resinfo(struct lower_context *context)
{
   lir_value result[4];

   ask_size(context, result);
   if (texture_look_up_target(context, 1) == TG_TARGET_1D_ARRAY)
      result[3] = lir_const32(&context->builder, 0);
   for (unsigned c = 0; c < 4; c++)
      lower_dst(context, 0, c, result[c]);
}

/* A TEMP stands for the render target. */
static bool
asks_render_target(const struct lower_context *context)
{
   return context->instruction->src[0].reg.file == TG_FILE_TEMP;
}

/* Samples of the render target that the shader sees: by its dialect all, or one
 * unless lanes are samples. */
static uint32_t
target_samples(const struct lower_context *context)
{
   const struct lower_stage *stage = context->options->stage;

   if (!stage || stage->num_target_samples < 2 ||
       (!context->dialect->target_samples && !stage->is_per_sample))
      return 1;
   return stage->num_target_samples;
}

/* The lookup in the view, of a target that may have samples. */
static bool
find_samples(struct lower_context *context, enum sample_operation operation,
             struct texture *texture_out)
{
   const enum tg_target target =
      with_samples(texture_look_up_target(context, 0));

   *texture_out = (struct texture){
      .kind = {.operation = (uint8_t)operation,
               .target = (uint8_t)target,
               .component = context->dialect->samples_zero},
   };
   return tg_target_row(target)->flags & TG_TARGET_FLAG_MSAA;
}

/* What cannot be multisampled has one sample, or none: `samples_zero`. */
void
lower_op_sample_info(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   const lir_value zero = lir_const32(builder, 0);
   lir_value result[4] = {zero, zero, zero, zero};
   struct texture texture;

   if (asks_render_target(context))
      result[0] = lir_const32(builder, target_samples(context));
   else if (find_samples(context, SAMPLE_COUNT, &texture))
      texture_look_up_view(context, &texture, 0, -1, result);
   else
      result[0] = lir_const32(builder, !context->dialect->samples_zero);
   give_swizzled(context, result, 0);
}

/* What cannot be multisampled has its sample in the middle, or at 0:
 * `samples_zero`; so has a sample that there is not. Without an operand it is
 * sample 0. */
void
lower_op_sample_pos(struct lower_context *context)
{
   struct lir_builder *builder = &context->builder;
   const float otherwise = context->dialect->samples_zero ? 0.0f : 0.5f;
   const lir_value zero = lir_const32(builder, 0);
   const lir_value nowhere = lir_constf(builder, otherwise);
   const lir_value number =
      context->instruction->num_src > 1 ? lower_src(context, 1, 0) : zero;
   lir_value result[4] = {nowhere, nowhere, zero, zero};
   struct texture texture;

   if (asks_render_target(context)) {
      const lir_value count = lir_const32(builder, target_samples(context));
      sample_query_place(builder, count, number, otherwise, result);
   } else if (find_samples(context, SAMPLE_POSITION, &texture)) {
      texture.argument[SAMPLE_INDEX] = number;
      texture_look_up_view(context, &texture, 0, -1, result);
   }
   give_swizzled(context, result, 0);
}
