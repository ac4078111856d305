/* SPDX-License-Identifier: MIT
 *
 * The blit kernel, emitted as LIR.
 */
#include "gpu/blit/blit_kernel.h"

#include "gpu/blit/blit_axis.h"
#include "lower/fixed_function/blend.h"
#include "lower/fixed_function/texel.h"
#include "tungsten/gpu.h"

const struct tg_member gpu_blit_key_members[] = {
   TG_NAMED(gpu_blit_key, to_format, tg_format_name),
   TG_NAMED(gpu_blit_key, from_format, tg_format_name),
   TG_NUMBER(gpu_blit_key, mask),
   TG_NUMBER(gpu_blit_key, filtered),
   TG_NUMBER(gpu_blit_key, num_samples),
   TG_NUMBER(gpu_blit_key, has_plane),
   TG_NUMBER(gpu_blit_key, alpha_blend),
   {0},
};

struct writer {
   struct lir_builder builder;
   const struct gpu_blit_key *key;
   uint32_t texel_var[4];
};

/* ---- places -------------------------------------------------------------- */

/* A word of the position that the lane has on an axis. */
static lir_value
emit_word(struct writer *writer, unsigned axis, enum gpu_blit_word word)
{
   struct lir_builder *builder = &writer->builder;
   const bool is_x = axis == GPU_BLIT_X;
   const lir_value index =
      lir_const32(builder, (is_x ? 0 : axis * GPU_BLIT_WORDS) + word);
   return lir_load32(builder, is_x ? LIR_SPACE_INPUT : LIR_SPACE_CONST,
                     is_x ? 0 : GPU_BLIT_BINDING_ROW, index);
}

/* `place`, moved along an axis. */
static lir_value
emit_step(struct writer *writer, lir_value place, unsigned axis,
          enum gpu_blit_word word)
{
   const lir_value step = emit_word(writer, axis, word);
   return lir_iadd(&writer->builder, place, step);
}

static lir_value
emit_target(struct writer *writer)
{
   lir_value place = emit_word(writer, 0, GPU_BLIT_TO);
   for (unsigned axis = 1; axis < GPU_BLIT_AXES; axis++)
      place = emit_step(writer, place, axis, GPU_BLIT_TO);
   return place;
}

/* ---- reading ------------------------------------------------------------- */

static void
emit_load(struct writer *writer, lir_value place, lir_value texel_out[4])
{
   lower_texel_load(&writer->builder, (enum tg_format)writer->key->from_format,
                    LIR_SPACE_TEXTURE, 0, place, texel_out);
}

/* Are means rounded to what the format can have, half up, and not when they are
 * stored? So they depend on the samples' sum alone. */
static bool
rounds_codes(const struct gpu_blit_key *key)
{
   return key->to_format == key->from_format && !key->filtered &&
          !key->alpha_blend &&
          lower_texel_has_codes((enum tg_format)key->from_format);
}

static void
emit_sample(struct writer *writer, lir_value place, lir_value texel_out[4])
{
   if (rounds_codes(writer->key))
      lower_texel_load_codes(&writer->builder,
                             (enum tg_format)writer->key->from_format,
                             LIR_SPACE_TEXTURE, 0, place, texel_out);
   else
      emit_load(writer, place, texel_out);
}

/* Sums of codes have no more bits than a float, with those that are below 1. */
static void
emit_rounded(struct writer *writer, lir_value codes[4])
{
   struct lir_builder *builder = &writer->builder;
   const lir_value half = lir_constf(builder, 0.5f);

   for (unsigned c = 0; c < 4; c++) {
      const lir_value above = lir_fadd(builder, codes[c], half);
      codes[c] = lir_ffloor(builder, above);
   }
   lower_texel_divide_codes(builder, (enum tg_format)writer->key->from_format,
                            codes);
}

/* The mean of all samples, which the axis has the places of. */
static void
emit_sum(struct writer *writer, lir_value place, lir_value texel[4])
{
   struct lir_builder *builder = &writer->builder;
   const unsigned count = writer->key->num_samples;

   emit_sample(writer, place, texel);
   for (unsigned s = 1; s < count; s++) {
      const lir_value index =
         lir_const32(builder, s * GPU_BLIT_WORDS + GPU_BLIT_FROM);
      const lir_value step =
         lir_load32(builder, LIR_SPACE_CONST, GPU_BLIT_BINDING_MEAN, index);
      const lir_value at = lir_iadd(builder, place, step);
      lir_value sample[4];

      emit_sample(writer, at, sample);
      for (unsigned c = 0; c < 4; c++)
         texel[c] = lir_fadd(builder, texel[c], sample[c]);
   }
   const lir_value share = lir_constf(builder, 1.0f / (float)count);
   for (unsigned c = 0; c < 4; c++)
      texel[c] = lir_fmul(builder, texel[c], share);
   if (rounds_codes(writer->key))
      emit_rounded(writer, texel);
}

/* Where the samples of the lane's pixel may differ. */
static lir_value
emit_differs(struct writer *writer)
{
   struct lir_builder *builder = &writer->builder;
   lir_value pixel = emit_word(writer, 0, GPU_BLIT_PIXEL);

   for (unsigned axis = 1; axis < GPU_BLIT_SAMPLES; axis++)
      pixel = emit_step(writer, pixel, axis, GPU_BLIT_PIXEL);
   const lir_value is_one =
      lir_load(builder, LIR_OP_load8, LIR_SPACE_TEXTURE, 1, pixel);
   const lir_value zero = lir_const32(builder, 0);
   return lir_ieq(builder, is_one, zero);
}

/* The mean of all samples; of equal ones, what one of them is. */
static void
emit_mean(struct writer *writer, lir_value place, lir_value texel_out[4])
{
   struct lir_builder *builder = &writer->builder;

   if (!writer->key->has_plane) {
      emit_sum(writer, place, texel_out);
      return;
   }
   emit_load(writer, place, texel_out);
   for (unsigned c = 0; c < 4; c++)
      lir_setvar(builder, writer->texel_var[c], texel_out[c]);
   const lir_value differs = emit_differs(writer);
   lir_begin_if(builder, differs);
   emit_sum(writer, place, texel_out);
   for (unsigned c = 0; c < 4; c++)
      lir_setvar(builder, writer->texel_var[c], texel_out[c]);
   lir_end(builder);
   for (unsigned c = 0; c < 4; c++)
      texel_out[c] = lir_getvar(builder, writer->texel_var[c]);
}

/* What is read at a place that has been moved along all axes from
 * `axes_left` on. The filter is that of samplers. */
static void
emit_read(struct writer *writer, lir_value place, unsigned axes_left,
          lir_value texel_out[4])
{
   struct lir_builder *builder = &writer->builder;
   lir_value next[4];

   if (axes_left == 0) {
      if (writer->key->num_samples > 1)
         emit_mean(writer, place, texel_out);
      else
         emit_load(writer, place, texel_out);
      return;
   }
   const unsigned axis = axes_left - 1;
   const lir_value at = emit_step(writer, place, axis, GPU_BLIT_FROM);
   emit_read(writer, at, axis, texel_out);
   if (!(writer->key->filtered >> axis & 1))
      return;
   const lir_value beside = emit_step(writer, place, axis, GPU_BLIT_FROM_NEXT);
   const lir_value weight = emit_word(writer, axis, GPU_BLIT_WEIGHT);
   emit_read(writer, beside, axis, next);
   for (unsigned c = 0; c < 4; c++) {
      const lir_value step = lir_fsub(builder, next[c], texel_out[c]);
      texel_out[c] = lir_ffma(builder, step, weight, texel_out[c]);
   }
}

/* ---- writing ------------------------------------------------------------- */

/* Over what is there, by alpha. */
static void
emit_blend(struct writer *writer, lir_value place, lir_value texel[4])
{
   struct lir_builder *builder = &writer->builder;
   const enum tg_format format = (enum tg_format)writer->key->to_format;
   const struct lower_blend_key over = {
      .enabled = true,
      .rgb_func = TG_BLEND_ADD,
      .rgb_src_factor = TG_BLEND_SRC_ALPHA,
      .rgb_dst_factor = TG_BLEND_INV_SRC_ALPHA,
      .alpha_func = TG_BLEND_ADD,
      .alpha_src_factor = TG_BLEND_SRC_ALPHA,
      .alpha_dst_factor = TG_BLEND_INV_SRC_ALPHA,
   };
   const lir_value zero = lir_const32(builder, 0);
   struct lower_blend_colors colors;

   for (unsigned c = 0; c < 4; c++) {
      colors.src[c] = texel[c];
      colors.src1[c] = colors.constant[c] = zero;
   }
   lower_texel_load(builder, format, LIR_SPACE_IMAGE, 0, place, colors.dst);
   lower_blend(builder, &over, lower_blend_range(format_info(format)), &colors,
               texel);
}

static void
emit_color(struct writer *writer, lir_value to)
{
   const struct gpu_blit_key *key = writer->key;
   const lir_value zero = lir_const32(&writer->builder, 0);
   lir_value texel[4];

   emit_read(writer, zero, GPU_BLIT_AXES, texel);
   if (key->alpha_blend)
      emit_blend(writer, to, texel);
   lower_texel_store_masked(&writer->builder, (enum tg_format)key->to_format,
                            LIR_SPACE_IMAGE, 0, to, texel,
                            key->mask & TG_CHANNEL_RGBA);
}

static void
emit_depth(struct writer *writer, lir_value to)
{
   const lir_value zero = lir_const32(&writer->builder, 0);
   lir_value texel[4];

   emit_read(writer, zero, GPU_BLIT_AXES, texel);
   lower_texel_store(&writer->builder, (enum tg_format)writer->key->to_format,
                     LIR_SPACE_IMAGE, 0, to, texel);
}

static void
emit_stencil(struct writer *writer, lir_value to)
{
   struct lir_builder *builder = &writer->builder;
   lir_value place = emit_word(writer, 0, GPU_BLIT_FROM);

   for (unsigned axis = 1; axis < GPU_BLIT_AXES; axis++)
      place = emit_step(writer, place, axis, GPU_BLIT_FROM);
   const lir_value stencil = lower_texel_load_stencil(
      builder, (enum tg_format)writer->key->from_format, LIR_SPACE_TEXTURE, 0,
      place);
   lower_texel_store_stencil(builder, (enum tg_format)writer->key->to_format,
                             LIR_SPACE_IMAGE, 0, to, stencil);
}

enum tg_result
gpu_blit_write_kernel(void *user, const void *key, struct lir_module *module,
                      struct tg_diagnostics *diagnostics)
{
   struct writer writer = {.key = key};
   (void)user;
   (void)diagnostics;

   if (lir_module_add_function(module, "blit") == UINT32_MAX)
      return TG_ERROR_MEMORY;
   for (unsigned c = 0; c < 4; c++) {
      writer.texel_var[c] = lir_module_add_var(module, LIR_TYPE_B32, "texel");
      if (writer.texel_var[c] == UINT32_MAX)
         return TG_ERROR_MEMORY;
   }
   lir_builder_init(&writer.builder, module, 0);
   const lir_value to = emit_target(&writer);
   if (writer.key->mask & TG_CHANNEL_RGBA)
      emit_color(&writer, to);
   if (writer.key->mask & TG_CHANNEL_Z)
      emit_depth(&writer, to);
   if (writer.key->mask & TG_CHANNEL_S)
      emit_stencil(&writer, to);
   return writer.builder.failed ? TG_ERROR_MEMORY : TG_OK;
}
