/* SPDX-License-Identifier: MIT
 *
 * Colour output: from the colours of a shader to texels of the colour buffers:
 * alpha to one, blending or a logic operation, dither, colour masks; and the
 * samples of each.
 *
 * A pixel of a buffer with samples may be stored as one: where a byte of
 * ONE_COLOR is 1, the first sample stands for all.
 */
#include <assert.h>

#include "gpu/fragment/fragment_parts.h"
#include "lower/fixed_function/dither.h"

enum { ALL_WORDS = TG_CHANNEL_RGBA };

/* One colour buffer that something is written to. */
struct target {
   const struct fragment_kernel *kernel;
   const struct lower_blend_key *blend;
   uint32_t binding;
   enum tg_format format;
   const struct format_info *info;
   unsigned colormask; /* of words that the format has */
   bool is_integer;
   bool has_logic, has_blend, reads_old;
   bool has_one_color;

   lir_value color[4], color1[4]; /* from the shader, before blending */
};

/* ---- the shader's colours ------------------------------------------------ */

lir_value
fragment_output(struct lir_builder *builder,
                const struct fragment_kernel *kernel, uint8_t reg,
                unsigned channel)
{
   assert(channel < 4);
   if (reg == GPU_NO_REGISTER || kernel->outputs[reg][channel] == UINT32_MAX)
      return lir_const32(builder, 0);
   return lir_getvar(builder, kernel->outputs[reg][channel]);
}

/* Of a colour that is no integer one: clamped, and its alpha as much as a
 * smooth shape covers of the pixel. */
static lir_value
finish_channel(struct lir_builder *builder,
               const struct fragment_kernel *kernel, lir_value value,
               unsigned channel, bool is_final)
{
   const struct gpu_fragment_key *key = kernel->key;
   if (channel == 3 && is_final && key->alpha_to_one)
      return lir_constf(builder, 1.0f);
   if (key->clamp_color)
      value = lir_fsat(builder, value);
   if (channel < 3 || key->smoothing == GPU_SMOOTH_NONE)
      return value;
   const lir_value coverage = fragment_smooth_coverage(builder, kernel);
   return lir_fmul(builder, value, coverage);
}

bool
fragment_output_has_alpha(const struct fragment_kernel *kernel)
{
   const uint8_t reg = gpu_find_output(kernel->shader, TG_SEMANTIC_COLOR, 0);
   const enum tg_format format = (enum tg_format)kernel->key->color_format[0];
   return reg != GPU_NO_REGISTER && !format_is_integer(format);
}

lir_value
fragment_output_alpha(struct lir_builder *builder,
                      const struct fragment_kernel *kernel, bool is_final)
{
   const uint8_t reg = gpu_find_output(kernel->shader, TG_SEMANTIC_COLOR, 0);
   const lir_value alpha = fragment_output(builder, kernel, reg, 3);
   return finish_channel(builder, kernel, alpha, 3, is_final);
}

static void
read_color(struct lir_builder *builder, const struct target *target,
           uint32_t number, lir_value color_out[4])
{
   const struct fragment_kernel *kernel = target->kernel;
   const uint8_t reg =
      gpu_find_output(kernel->shader, TG_SEMANTIC_COLOR, number);
   for (unsigned c = 0; c < 4; c++) {
      color_out[c] = fragment_output(builder, kernel, reg, c);
      if (!target->is_integer)
         color_out[c] = finish_channel(builder, kernel, color_out[c], c, true);
   }
}

/* ---- what is to be done to a target -------------------------------------- */

static bool
is_plain(const struct format_info *info)
{
   return info->layout == FORMAT_LAYOUT_PLAIN;
}

/* Logic operations work on bits that count something. */
static bool
takes_logic(const struct format_info *info)
{
   const enum format_type type = format_color_type(info);
   return is_plain(info) && info->colorspace == FORMAT_COLORSPACE_RGB &&
          type != FORMAT_TYPE_FLOAT && type != FORMAT_TYPE_USCALED &&
          type != FORMAT_TYPE_SSCALED;
}

static bool
logic_reads_target(unsigned op)
{
   return op != TG_LOGIC_CLEAR && op != TG_LOGIC_COPY &&
          op != TG_LOGIC_COPY_INVERTED && op != TG_LOGIC_SET;
}

static bool
factor_reads_target(unsigned factor)
{
   const unsigned plain = factor & ~(unsigned)LOWER_BLEND_INVERTED;
   return plain == TG_BLEND_DST_ALPHA || plain == TG_BLEND_DST_COLOR ||
          plain == TG_BLEND_SRC_ALPHA_SATURATE;
}

static bool
equation_reads_target(unsigned func, unsigned src_factor, unsigned dst_factor)
{
   return func == TG_BLEND_MIN || func == TG_BLEND_MAX ||
          dst_factor != TG_BLEND_ZERO || factor_reads_target(src_factor);
}

static bool
blend_reads_target(const struct lower_blend_key *blend)
{
   return equation_reads_target(blend->rgb_func, blend->rgb_src_factor,
                                blend->rgb_dst_factor) ||
          equation_reads_target(blend->alpha_func, blend->alpha_src_factor,
                                blend->alpha_dst_factor);
}

/* False: nothing of it is written. */
static bool
describe_target(const struct fragment_kernel *kernel, uint32_t number,
                struct target *target)
{
   const struct gpu_fragment_key *key = kernel->key;
   const enum tg_format format = (enum tg_format)key->color_format[number];
   const struct lower_blend_key *blend = &key->blend[number];
   const struct format_info *info = format_info(format);
   if (format == TG_FORMAT_NONE)
      return false;

   const unsigned stored = format_stored_words(info);
   *target = (struct target){
      .kernel = kernel,
      .blend = blend,
      .binding = number,
      .format = format,
      .info = info,
      .colormask = blend->colormask & stored,
      .is_integer = format_is_integer(format),
      .has_logic = key->logic_enabled && takes_logic(info),
      .has_one_color = key->one_color >> number & 1,
   };
   target->has_blend =
      blend->enabled && !target->is_integer && !key->logic_enabled;
   target->reads_old =
      target->colormask != stored ||
      (target->has_logic && logic_reads_target(key->logic_op)) ||
      (target->has_blend && blend_reads_target(blend));
   return target->colormask &&
          !(target->has_logic && key->logic_op == TG_LOGIC_NOOP);
}

/* ---- one texel ----------------------------------------------------------- */

static void
blend(struct lir_builder *builder, const struct target *target,
      const lir_value *old, lir_value out[4])
{
   struct lower_blend_colors colors;
   for (unsigned c = 0; c < 4; c++) {
      colors.src[c] = target->color[c];
      colors.src1[c] = target->color1[c];
      colors.constant[c] =
         fragment_frame_word(builder, GPU_FRAME_BLEND_COLOR + c);
   }
   lower_texel_unpack_units(builder, target->format, old, colors.dst);
   lower_blend(builder, target->blend, lower_blend_range(target->info), &colors,
               out);
}

/* A logic operation on bits, and of those only the ones to be written. */
static void
combine_units(struct lir_builder *builder, const struct target *target,
              const lir_value *old, lir_value *units)
{
   const enum tg_logic_op op = (enum tg_logic_op)target->kernel->key->logic_op;
   for (unsigned i = 0; i < target->info->num_units; i++) {
      const uint32_t all = lower_texel_unit_mask(target->format, i, ALL_WORDS);
      const uint32_t written =
         lower_texel_unit_mask(target->format, i, target->colormask);
      const lir_value mask = lir_const32(builder, written);
      const lir_value rest = lir_const32(builder, all & ~written);
      const lir_value result = lower_blend_logic(builder, op, units[i], old[i]);
      const lir_value changed = lir_iand(builder, result, mask);
      const lir_value kept = lir_iand(builder, old[i], rest);
      units[i] = lir_ior(builder, changed, kept);
   }
}

static void
dither(struct lir_builder *builder, const struct target *target,
       lir_value color[4])
{
   const lir_value x = fragment_pixel_word(builder, 0);
   const lir_value y = fragment_pixel_word(builder, 1);
   lower_dither(builder, target->format, x, y, color);
}

/* What a texel becomes; `old` does not matter unless reads_old. */
static void
make_texel(struct lir_builder *builder, const struct target *target,
           const lir_value *old, lir_value *units_out)
{
   lir_value color[4];
   for (unsigned c = 0; c < 4; c++)
      color[c] = target->color[c];
   for (unsigned i = 0; i < target->info->num_units; i++)
      units_out[i] = old[i];
   if (target->has_blend)
      blend(builder, target, old, color);
   if (target->kernel->key->dither)
      dither(builder, target, color);
   lower_texel_pack_units(builder, target->format, color,
                          target->has_logic ? ALL_WORDS : target->colormask,
                          units_out);
   if (target->has_logic)
      combine_units(builder, target, old, units_out);
}

static void
read_texel(struct lir_builder *builder, const struct target *target,
           lir_value index, lir_value *units_out)
{
   lower_texel_read_units(builder, target->format, LIR_SPACE_SURFACE,
                          target->binding, index, units_out);
}

static void
write_texel(struct lir_builder *builder, const struct target *target,
            lir_value index, const lir_value *units)
{
   lower_texel_write_units(builder, target->format, LIR_SPACE_SURFACE,
                           target->binding, index, units);
}

/* `ready` is what the texel becomes if that does not depend on what it is. */
static void
change_texel(struct lir_builder *builder, const struct target *target,
             lir_value index, const lir_value *ready)
{
   lir_value old[LOWER_MAX_TEXEL_WORDS], units[LOWER_MAX_TEXEL_WORDS];
   if (!target->reads_old) {
      write_texel(builder, target, index, ready);
      return;
   }
   read_texel(builder, target, index, old);
   make_texel(builder, target, old, units);
   write_texel(builder, target, index, units);
}

/* ---- samples ------------------------------------------------------------- */

static lir_value
one_color_texel(struct lir_builder *builder,
                const struct fragment_kernel *kernel, uint32_t color)
{
   return fragment_first_texel(builder, kernel, GPU_BINDING_ONE_COLOR + color,
                               TG_FORMAT_R8_UINT);
}

static lir_value
is_one_color(struct lir_builder *builder, uint32_t color, lir_value texel)
{
   const lir_value byte = lir_load(builder, LIR_OP_load8, LIR_SPACE_SURFACE,
                                   GPU_BINDING_ONE_COLOR + color, texel);
   return lir_i2b(builder, byte);
}

static void
set_one_color(struct lir_builder *builder, uint32_t color, lir_value texel,
              bool value)
{
   const lir_value byte = lir_const32(builder, value);
   lir_store(builder, LIR_OP_store8, LIR_SPACE_SURFACE,
             GPU_BINDING_ONE_COLOR + color, texel, byte);
}

void
fragment_output_expand(struct lir_builder *builder,
                       const struct fragment_kernel *kernel, uint32_t color)
{
   const enum tg_format format =
      (enum tg_format)kernel->key->color_format[color];
   lir_value units[LOWER_MAX_TEXEL_WORDS];
   const lir_value flag = one_color_texel(builder, kernel, color);
   const lir_value is_one = is_one_color(builder, color, flag);
   lir_begin_if(builder, is_one);
   lir_value index = fragment_first_texel(builder, kernel, color, format);
   const lir_value pitch = fragment_texel_sample_pitch(builder, color);
   lower_texel_read_units(builder, format, LIR_SPACE_SURFACE, color, index,
                          units);
   for (unsigned i = 1; i < kernel->key->num_samples; i++) {
      index = lir_iadd(builder, index, pitch);
      lower_texel_write_units(builder, format, LIR_SPACE_SURFACE, color, index,
                              units);
   }
   set_one_color(builder, color, flag, false);
   lir_end(builder);
}

static void
write_each_sample(struct lir_builder *builder, const struct target *target,
                  lir_value covered, const lir_value *ready)
{
   lir_value index = fragment_first_texel(builder, target->kernel,
                                          target->binding, target->format);
   const lir_value pitch =
      fragment_texel_sample_pitch(builder, target->binding);
   for (unsigned i = 0; i < target->kernel->key->num_samples; i++) {
      if (i)
         index = lir_iadd(builder, index, pitch);
      const lir_value is_covered =
         fragment_coverage_has_sample(builder, covered, i);
      lir_begin_if(builder, is_covered);
      change_texel(builder, target, index, ready);
      lir_end(builder);
   }
}

/* Multisample decompression, as a part of writing some of a pixel's samples. */
struct split {
   lir_value is_one; /* the lane's pixel is stored as one */
   lir_value index[FRAGMENT_MAX_SAMPLES];
   uint32_t old[LOWER_MAX_TEXEL_WORDS]; /* variables: its texel, for targets
                                         * that are not read anyhow */
};

static void
begin_split(struct lir_builder *builder, const struct target *target,
            lir_value flag, struct split *split)
{
   const lir_value pitch =
      fragment_texel_sample_pitch(builder, target->binding);
   const lir_value zero = lir_const32(builder, 0);
   lir_value old[LOWER_MAX_TEXEL_WORDS];
   split->is_one = is_one_color(builder, target->binding, flag);
   split->index[0] = fragment_first_texel(builder, target->kernel,
                                          target->binding, target->format);
   for (unsigned i = 1; i < target->kernel->key->num_samples; i++)
      split->index[i] = lir_iadd(builder, split->index[i - 1], pitch);
   if (target->reads_old)
      return;
   for (unsigned i = 0; i < target->info->num_units; i++) {
      split->old[i] =
         lir_module_add_var(builder->module, LIR_TYPE_B32, "one_color");
      lir_setvar(builder, split->old[i], zero);
   }
   lir_begin_if(builder, split->is_one);
   read_texel(builder, target, split->index[0], old);
   for (unsigned i = 0; i < target->info->num_units; i++)
      lir_setvar(builder, split->old[i], old[i]);
   lir_end(builder);
}

/* What a sample has, and what it becomes where it is covered. */
static void
make_split_sample(struct lir_builder *builder, const struct target *target,
                  const struct split *split, unsigned number,
                  const lir_value *ready, lir_value *old_out,
                  lir_value *units_out)
{
   if (target->reads_old) {
      const lir_value from = lir_sel32(builder, split->is_one, split->index[0],
                                       split->index[number]);
      read_texel(builder, target, from, old_out);
      make_texel(builder, target, old_out, units_out);
      return;
   }
   for (unsigned i = 0; i < target->info->num_units; i++) {
      old_out[i] = lir_getvar(builder, split->old[i]);
      units_out[i] = ready[i];
   }
}

static void
write_split_sample(struct lir_builder *builder, const struct target *target,
                   const struct split *split, unsigned number,
                   lir_value covered, const lir_value *ready)
{
   lir_value old[LOWER_MAX_TEXEL_WORDS], units[LOWER_MAX_TEXEL_WORDS];
   const lir_value is_covered =
      fragment_coverage_has_sample(builder, covered, number);
   const lir_value is_stored =
      number ? lir_bor(builder, is_covered, split->is_one) : is_covered;
   lir_begin_if(builder, is_stored);
   make_split_sample(builder, target, split, number, ready, old, units);
   for (unsigned i = 0; number && i < target->info->num_units; i++)
      units[i] = lir_sel32(builder, is_covered, units[i], old[i]);
   write_texel(builder, target, split->index[number], units);
   lir_end(builder);
}

/* Stores the samples that are covered, and of a pixel that is stored as one the
 * others, too, each once. The first comes last, as it stands for them until
 * then. */
static void
write_split_samples(struct lir_builder *builder, const struct target *target,
                    lir_value covered, lir_value flag, const lir_value *ready)
{
   struct split split;
   begin_split(builder, target, flag, &split);
   for (unsigned i = target->kernel->key->num_samples; i-- > 0;)
      write_split_sample(builder, target, &split, i, covered, ready);
   lir_begin_if(builder, split.is_one);
   set_one_color(builder, target->binding, flag, false);
   lir_end(builder);
}

/* A pixel that is covered as a whole stays one, or becomes one if what was
 * there does not matter. */
static void
write_samples(struct lir_builder *builder, const struct target *target,
              lir_value covered, const lir_value *ready)
{
   const struct fragment_kernel *kernel = target->kernel;
   const uint32_t number = target->binding;
   if (!target->has_one_color) {
      write_each_sample(builder, target, covered, ready);
      return;
   }
   const lir_value flag = one_color_texel(builder, kernel, number);
   const lir_value all = lir_const32(builder, fragment_all_samples(kernel));
   lir_value is_whole = lir_ieq(builder, covered, all);
   if (target->reads_old) {
      const lir_value is_one = is_one_color(builder, number, flag);
      is_whole = lir_band(builder, is_whole, is_one);
   }
   lir_begin_if(builder, is_whole);
   const lir_value first =
      fragment_first_texel(builder, kernel, number, target->format);
   change_texel(builder, target, first, ready);
   if (!target->reads_old)
      set_one_color(builder, number, flag, true);
   lir_begin_else(builder);
   write_split_samples(builder, target, covered, flag, ready);
   lir_end(builder);
}

/* ---- targets ------------------------------------------------------------- */

static void
write_own_sample(struct lir_builder *builder, const struct target *target,
                 const lir_value *ready)
{
   const struct fragment_kernel *kernel = target->kernel;
   if (target->has_one_color)
      fragment_output_expand(builder, kernel, target->binding);
   const lir_value index =
      fragment_texel(builder, kernel, target->binding, target->format);
   change_texel(builder, target, index, ready);
}

/* What is ready here, where no sample is chosen yet, is worked out once: where
 * the target's texel has a part in it, only that part is written again. */
static void
write_target(struct lir_builder *builder, struct target *target,
             lir_value covered)
{
   const struct fragment_kernel *kernel = target->kernel;
   lir_value nothing[LOWER_MAX_TEXEL_WORDS], ready[LOWER_MAX_TEXEL_WORDS];
   for (unsigned i = 0; i < LOWER_MAX_TEXEL_WORDS; i++)
      nothing[i] = lir_const32(builder, 0);
   make_texel(builder, target, nothing, ready);
   if (fragment_has_samples(kernel))
      write_samples(builder, target, covered, ready);
   else
      write_own_sample(builder, target, ready);
}

/* False: nothing of a colour buffer is written. An output that the shader does
 * not declare leaves it alone. */
static bool
find_target(const struct fragment_kernel *kernel, uint32_t number,
            struct target *target, uint32_t *output_out)
{
   const uint32_t output = kernel->shader->color0_writes_all ? 0 : number;
   *output_out = output;
   return gpu_find_output(kernel->shader, TG_SEMANTIC_COLOR, output) !=
             GPU_NO_REGISTER &&
          describe_target(kernel, number, target);
}

uint8_t
fragment_output_colors(const struct fragment_kernel *kernel,
                       uint8_t *reading_out)
{
   uint8_t written = 0, reading = 0;
   for (uint32_t i = 0; i < kernel->key->num_colors; i++) {
      struct target target;
      uint32_t output;
      if (!find_target(kernel, i, &target, &output))
         continue;
      written |= (uint8_t)(1u << i);
      reading |= (uint8_t)(target.reads_old << i);
   }
   *reading_out = reading;
   return written;
}

/* The source's factor is no matter where only the channel itself is in it. */
static bool
blend_is_monotonic(const struct lower_blend_key *blend)
{
   return !factor_reads_target(blend->rgb_src_factor) &&
          !factor_reads_target(blend->rgb_dst_factor) &&
          !factor_reads_target(blend->alpha_dst_factor);
}

/* Logic operations and masks are functions of each bit. */
bool
fragment_output_is_monotonic(const struct fragment_kernel *kernel,
                             uint32_t number)
{
   struct target target;
   uint32_t output;
   if (!find_target(kernel, number, &target, &output))
      return false;
   return is_plain(target.info) &&
          format_color_type(target.info) == FORMAT_TYPE_UNORM &&
          (!target.has_blend || blend_is_monotonic(target.blend));
}

void
fragment_output_write_colors(struct lir_builder *builder,
                             const struct fragment_kernel *kernel,
                             lir_value covered)
{
   const lir_value is_covered = fragment_coverage_any(builder, kernel, covered);
   lir_begin_if(builder, is_covered);
   for (uint32_t i = 0; i < kernel->key->num_colors; i++) {
      struct target target;
      uint32_t output;
      if (!find_target(kernel, i, &target, &output))
         continue;
      read_color(builder, &target, output, target.color);
      read_color(builder, &target, 1, target.color1);
      write_target(builder, &target, covered);
   }
   lir_end(builder);
}
