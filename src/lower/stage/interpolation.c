/* SPDX-License-Identifier: MIT
 *
 * Inputs at another place than the declared one. The stage around the shader
 * knows how to interpolate. Without its help an input is a value of each lane;
 * then centroid and samples are at the lane's place, and an offset goes along
 * the derivatives.
 *
 * Swizzle and modifiers come after interpolation.
 */
#include <assert.h>

#include "lower/operands/operands.h"
#include "lower/operands/registers.h"
#include "util/length.h"

/* The value at the lane's place plus the way along both derivatives. */
static lir_value
follow_derivatives(struct lower_context *context, lir_value value,
                   const lir_value at[2])
{
   struct lir_builder *builder = &context->builder;
   lir_value slope_x = lir_fddx(builder, value);
   lir_value step_x = lir_fmul(builder, slope_x, at[0]);
   lir_value slope_y = lir_fddy(builder, value);
   lir_value step_y = lir_fmul(builder, slope_y, at[1]);
   lir_value sum = lir_fadd(builder, value, step_x);

   return lir_fadd(builder, sum, step_y);
}

static bool
is_constant(const struct lower_context *context, const struct tg_register *reg)
{
   uint32_t index = (uint32_t)reg->index.offset;

   return !reg->index.indirect && index < ABI_MAX_INPUTS &&
          context->registers->is_constant_input[index];
}

static lir_value
ask_stage(struct lower_context *context, uint32_t reg, unsigned channel,
          enum lower_place place, const lir_value at[2])
{
   const struct lower_stage *stage = context->options->stage;

   return stage->input(stage->user, &context->builder, reg, channel, place, at);
}

/* Asks for every input that a computed register may be, and selects. */
static lir_value
ask_stage_for_any(struct lower_context *context, lir_value index,
                  unsigned channel, enum lower_place place,
                  const lir_value at[2])
{
   struct lir_builder *builder = &context->builder;
   uint32_t num_inputs = context->registers->layout.num_inputs;
   lir_value value = lir_const32(builder, 0);

   for (uint32_t r = 0; r < num_inputs; r++) {
      if (!lower_register_is_declared(context, TG_FILE_IN, r))
         continue;

      lir_value input = ask_stage(context, r, channel, place, at);
      lir_value number = lir_const32(builder, r);
      lir_value is_this = lir_ieq(builder, index, number);
      value = lir_sel32(builder, is_this, input, value);
   }
   return value;
}

static lir_value
interpolate(struct lower_context *context, unsigned channel,
            enum lower_place place, const lir_value at[2])
{
   const struct lower_stage *stage = context->options->stage;
   const struct tg_src *src = &context->instruction->src[0];
   assert(channel < TG_LENGTH(src->swizzle));
   unsigned swizzled = src->swizzle[channel];
   uint32_t reg = (uint32_t)src->reg.index.offset;

   if (!stage || !stage->input) {
      lir_value value = lower_src_bare(context, 0, channel);

      return place == LOWER_PLACE_OFFSET && !is_constant(context, &src->reg)
                ? follow_derivatives(context, value, at)
                : value;
   }
   if (src->reg.index.indirect) {
      lir_value index = lower_index_location(context, &src->reg.index);

      return ask_stage_for_any(context, index, swizzled, place, at);
   }
   if (!lower_register_is_declared(context, TG_FILE_IN, reg))
      return lir_const32(&context->builder, 0);
   return ask_stage(context, reg, swizzled, place, at);
}

static void
interpolate_all(struct lower_context *context, enum lower_place place,
                const lir_value at[2])
{
   for (unsigned c = 0; c < 4; c++) {
      if (!lower_dst_writes(context, 0, c))
         continue;

      lir_value value = interpolate(context, c, place, at);
      lower_dst(context, 0, c, lower_src_modify_float(context, 0, value));
   }
}

void
lower_op_interp_centroid(struct lower_context *context)
{
   const lir_value at[2] = {{0}, {0}};

   interpolate_all(context, LOWER_PLACE_CENTROID, at);
}

void
lower_op_interp_sample(struct lower_context *context)
{
   const lir_value at[2] = {lower_src(context, 1, 0), {0}};

   interpolate_all(context, LOWER_PLACE_SAMPLE, at);
}

void
lower_op_interp_offset(struct lower_context *context)
{
   lir_value x = lower_src(context, 1, 0);
   lir_value y = lower_src(context, 1, 1);
   const lir_value at[2] = {x, y};

   interpolate_all(context, LOWER_PLACE_OFFSET, at);
}
