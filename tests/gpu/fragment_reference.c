/* SPDX-License-Identifier: MIT
 *
 * One fragment at a time.
 */
#include "fragment_reference.h"

#include <string.h>

#include "util/bits.h"

/* ---- bits ---------------------------------------------------------------- */

static uint32_t
get_bits(const uint8_t *texel, const struct format_channel *channel)
{
   uint32_t value = 0;
   for (unsigned i = 0; i < channel->bits; i++) {
      const unsigned at = channel->shift + i;
      value |= (uint32_t)(texel[at / 8] >> at % 8 & 1) << i;
   }
   return value;
}

static bool
compare(unsigned func, double a, double b)
{
   static const char *const when[] = {
      "", "<", "=", "<=", ">", "<>", ">=", "<=>"};
   const char relation = a < b ? '<' : a > b ? '>' : '=';
   return strchr(when[func], relation) != NULL;
}

/* ---- depth and stencil --------------------------------------------------- */

struct tester {
   const struct fragment_runner *runner;
   const struct format_info *info;
   enum tg_format format;
   bool is_front;
};

static float
frame_float(const struct fragment_runner *runner, unsigned word)
{
   return tg_float_of_bits(runner->frame[word]);
}

static float
stage_float(const struct fragment_runner *runner, unsigned word)
{
   return tg_float_of_bits(runner->stage[word]);
}

static float
limit_depth(const struct tester *tester, float z)
{
   const struct fragment_runner *runner = tester->runner;
   float least = 0.0f, most = 1.0f;
   if (runner->key.depth_clamp) {
      least = stage_float(runner, GPU_SHAPE_MIN_DEPTH);
      most = stage_float(runner, GPU_SHAPE_MAX_DEPTH);
   }
   return z < least ? least : z > most ? most : z;
}

/* A depth as the format orders it. */
static double
depth_number(const struct tester *tester, const uint8_t *texel)
{
   const struct format_channel *channel =
      &tester->info->channel[tester->info->depth];
   const uint32_t bits = get_bits(texel, channel);
   return channel->type == FORMAT_TYPE_FLOAT ? (double)tg_float_of_bits(bits)
                                             : (double)bits;
}

static bool
depth_passes(const struct tester *tester, float z, const uint8_t *texel)
{
   uint8_t own[REFERENCE_MAX_BYTES] = {0};
   const uint32_t words[4] = {tg_bits_of_float(limit_depth(tester, z))};
   if (!tester->runner->key.depth_enabled)
      return true;
   format_pack(tester->format, words, own);
   return compare(tester->runner->key.depth_func, depth_number(tester, own),
                  depth_number(tester, texel));
}

static bool
bounds_hold(const struct tester *tester, const uint8_t *texel)
{
   uint32_t words[4];
   if (!tester->runner->key.depth_bounds)
      return true;
   format_unpack(tester->format, texel, words);
   const float depth = tg_float_of_bits(words[0]);
   return depth >= frame_float(tester->runner, GPU_FRAME_DEPTH_BOUNDS) &&
          depth <= frame_float(tester->runner, GPU_FRAME_DEPTH_BOUNDS + 1);
}

static uint8_t
change_stencil(unsigned op, uint8_t stencil, uint8_t reference)
{
   switch (op) {
   case TG_STENCIL_ZERO: return 0;
   case TG_STENCIL_REPLACE: return reference;
   case TG_STENCIL_INCR: return stencil == 255 ? 255 : stencil + 1;
   case TG_STENCIL_DECR: return stencil == 0 ? 0 : stencil - 1;
   case TG_STENCIL_INCR_WRAP: return (uint8_t)(stencil + 1);
   case TG_STENCIL_DECR_WRAP: return (uint8_t)(stencil - 1);
   case TG_STENCIL_INVERT: return (uint8_t)~stencil;
   default: return stencil;
   }
}

static bool
test_sample(const struct tester *tester, float z, uint8_t reference,
            uint8_t *texel)
{
   const struct gpu_fragment_key *key = &tester->runner->key;
   const bool is_back = !tester->is_front && key->stencil[1].enabled;
   const struct lower_stencil_key *rules = &key->stencil[is_back];
   if (!bounds_hold(tester, texel))
      return false;

   const bool z_passes = depth_passes(tester, z, texel);
   bool passes = z_passes;
   if (rules->enabled) {
      const uint8_t stencil = format_unpack_stencil(tester->format, texel);
      const bool s_passes = compare(rules->func, reference & rules->valuemask,
                                    stencil & rules->valuemask);
      const unsigned op = !s_passes   ? rules->fail_op
                          : !z_passes ? rules->zfail_op
                                      : rules->zpass_op;
      const uint8_t changed = change_stencil(op, stencil, reference);
      format_pack_stencil(tester->format,
                          (uint8_t)((stencil & ~rules->writemask) |
                                    (changed & rules->writemask)),
                          texel);
      passes &= s_passes;
   }
   if (passes && key->depth_enabled && key->depth_write) {
      const uint32_t words[4] = {tg_bits_of_float(limit_depth(tester, z))};
      format_pack(tester->format, words, texel);
   }
   return passes;
}

static uint32_t
test_samples(const struct fragment_runner *runner, uint32_t samples,
             const float z[16], const struct reference_values *values,
             bool is_early, struct reference_pixel *pixel)
{
   const struct gpu_fragment_key *key = &runner->key;
   const bool is_front = stage_float(runner, GPU_SHAPE_FACE) > 0;
   const struct tester tester = {
      .runner = runner,
      .format = (enum tg_format)key->depth_format,
      .info = format_info((enum tg_format)key->depth_format),
      .is_front = is_front,
   };
   uint32_t passed = 0;
   if (key->depth_format == TG_FORMAT_NONE)
      return samples;
   for (unsigned s = 0; s < 16; s++) {
      if (!(samples >> s & 1))
         continue;
      const bool is_back = !is_front && key->stencil[1].enabled;
      uint32_t reference = runner->frame[GPU_FRAME_STENCIL_REF + is_back];
      if (values->has_stencil && !is_early)
         reference = values->stencil;
      const float depth = values->has_z && !is_early ? values->z : z[s];
      if (test_sample(&tester, depth, (uint8_t)reference, pixel->depth[s]))
         passed |= 1u << s;
   }
   return passed;
}

/* ---- alpha --------------------------------------------------------------- */

static float
clamp01(float x)
{
   return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

static bool
is_integer(enum tg_format format)
{
   return format_info(format)->class != FORMAT_CLASS_FLOAT;
}

static void
finish_color(const struct fragment_runner *runner, const float in[4],
             float out[4])
{
   for (unsigned c = 0; c < 4; c++)
      out[c] = runner->key.clamp_color ? clamp01(in[c]) : in[c];
   if (runner->key.alpha_to_one)
      out[3] = 1.0f;
}

/* The samples that the output SAMPLEMASK keeps. */
static uint32_t
kept_samples(const struct gpu_fragment_key *key, uint32_t mask)
{
   if (key->num_samples > 1 && !key->is_by_pixel)
      return mask;
   return key->masks_pixels && !(mask & 1) ? 0 : UINT32_MAX;
}

static uint32_t
discard(const struct fragment_runner *runner, uint32_t samples,
        const struct reference_values *values)
{
   const struct gpu_fragment_key *key = &runner->key;
   if (values->is_killed)
      return 0;
   if (values->has_mask)
      samples &= kept_samples(key, values->mask);
   if (is_integer((enum tg_format)key->color_format[0]))
      return samples;

   float color[4];
   if (key->alpha_to_coverage) {
      const float alpha = clamp01(values->color[0][3]);
      const unsigned count = (unsigned)(alpha * key->num_samples + 0.5f);
      samples &= (1u << count) - 1;
   }
   finish_color(runner, values->color[0], color);
   if (key->alpha_enabled && !compare(key->alpha_func, color[3],
                                      frame_float(runner, GPU_FRAME_ALPHA_REF)))
      return 0;
   return samples;
}

/* ---- blending ------------------------------------------------------------ */

struct colors {
   float src[4], src1[4], dst[4], constant[4];
};

static float
factor_of(unsigned factor, const struct colors *colors, unsigned c)
{
   switch (factor) {
   case TG_BLEND_ONE: return 1.0f;
   case TG_BLEND_SRC_COLOR: return colors->src[c];
   case TG_BLEND_SRC_ALPHA: return colors->src[3];
   case TG_BLEND_DST_ALPHA: return colors->dst[3];
   case TG_BLEND_DST_COLOR: return colors->dst[c];
   case TG_BLEND_SRC_ALPHA_SATURATE: {
      const float rest = 1.0f - colors->dst[3];
      return c == 3 ? 1.0f : colors->src[3] < rest ? colors->src[3] : rest;
   }
   case TG_BLEND_CONST_COLOR: return colors->constant[c];
   case TG_BLEND_CONST_ALPHA: return colors->constant[3];
   case TG_BLEND_SRC1_COLOR: return colors->src1[c];
   case TG_BLEND_SRC1_ALPHA: return colors->src1[3];
   case TG_BLEND_ZERO: return 0.0f;
   default: return 1.0f - factor_of(factor - 16, colors, c);
   }
}

/* By ZERO all becomes 0, a negative number too. */
static float
weigh(float color, unsigned factor, const struct colors *colors, unsigned c)
{
   return factor == TG_BLEND_ZERO ? 0.0f : color * factor_of(factor, colors, c);
}

static float
blend_channel(const struct lower_blend_key *key, const struct colors *colors,
              unsigned c)
{
   const bool is_alpha = c == 3;
   const float a = colors->src[c], b = colors->dst[c];
   const float s = weigh(
      a, is_alpha ? key->alpha_src_factor : key->rgb_src_factor, colors, c);
   const float d = weigh(
      b, is_alpha ? key->alpha_dst_factor : key->rgb_dst_factor, colors, c);
   switch (is_alpha ? key->alpha_func : key->rgb_func) {
   case TG_BLEND_SUBTRACT: return s - d;
   case TG_BLEND_REVERSE_SUBTRACT: return d - s;
   case TG_BLEND_MIN: return a < b ? a : b;
   case TG_BLEND_MAX: return a > b ? a : b;
   default: return s + d;
   }
}

/* The type of the first channel that means something, or VOID. */
static unsigned
number_type(const struct format_info *info)
{
   for (unsigned i = 0; i < info->num_channels; i++) {
      if (info->layout == FORMAT_LAYOUT_PLAIN &&
          info->channel[i].type != FORMAT_TYPE_VOID)
         return info->channel[i].type;
   }
   return FORMAT_TYPE_VOID;
}

static void
limit_colors(const struct format_info *info, struct colors *colors)
{
   const unsigned type = number_type(info);
   float *all[3] = {colors->src, colors->src1, colors->constant};
   if (type != FORMAT_TYPE_UNORM && type != FORMAT_TYPE_SNORM)
      return;
   const float least = type == FORMAT_TYPE_SNORM ? -1.0f : 0.0f;
   for (unsigned i = 0; i < 3; i++) {
      for (unsigned c = 0; c < 4; c++)
         all[i][c] = all[i][c] < least  ? least
                     : all[i][c] > 1.0f ? 1.0f
                                        : all[i][c];
   }
}

/* ---- dither -------------------------------------------------------------- */

/* The usual matrix of 4 by 4. */
static const int matrix[4][4] = {
   {0, 8, 2, 10},
   {12, 4, 14, 6},
   {3, 11, 1, 9},
   {15, 7, 13, 5},
};

static void
dither(const struct format_info *info, uint32_t x, uint32_t y, float color[4])
{
   if (info->layout != FORMAT_LAYOUT_PLAIN ||
       info->colorspace != FORMAT_COLORSPACE_RGB)
      return;
   for (unsigned c = 0; c < 4; c++) {
      const unsigned from = info->swizzle[c];
      if (from > FORMAT_SWIZZLE_W || info->channel[from].bits >= 8 ||
          info->channel[from].type != FORMAT_TYPE_UNORM)
         continue;
      const float steps = (float)((1u << info->channel[from].bits) - 1);
      const float way = ((float)matrix[y % 4][x % 4] - 7.5f) / 16.0f;
      color[c] = clamp01(color[c]) + way * (1.0f / steps);
   }
}

/* ---- a texel ------------------------------------------------------------- */

static uint8_t
logic(unsigned op, uint8_t s, uint8_t d)
{
   switch (op) {
   case TG_LOGIC_CLEAR: return 0;
   case TG_LOGIC_NOR: return (uint8_t) ~(s | d);
   case TG_LOGIC_AND_INVERTED: return (uint8_t)(~s & d);
   case TG_LOGIC_COPY_INVERTED: return (uint8_t)~s;
   case TG_LOGIC_AND_REVERSE: return (uint8_t)(s & ~d);
   case TG_LOGIC_INVERT: return (uint8_t)~d;
   case TG_LOGIC_XOR: return s ^ d;
   case TG_LOGIC_NAND: return (uint8_t) ~(s & d);
   case TG_LOGIC_AND: return s & d;
   case TG_LOGIC_EQUIV: return (uint8_t) ~(s ^ d);
   case TG_LOGIC_NOOP: return d;
   case TG_LOGIC_OR_INVERTED: return (uint8_t)(~s | d);
   case TG_LOGIC_COPY: return s;
   case TG_LOGIC_OR_REVERSE: return (uint8_t)(s | ~d);
   case TG_LOGIC_OR: return s | d;
   default: return 255;
   }
}

/* The bits of a texel that a mask lets be written. */
static void
find_written(const struct format_info *info, unsigned colormask,
             uint8_t written[REFERENCE_MAX_BYTES])
{
   memset(written, 0, REFERENCE_MAX_BYTES);
   if (info->layout != FORMAT_LAYOUT_PLAIN) {
      memset(written, 255, info->block_bytes);
      return;
   }
   for (unsigned i = 0; i < info->num_channels; i++) {
      unsigned word = 0;
      while (word < 4 && info->swizzle[word] != i)
         word++;
      if (word == 4 || !(colormask >> word & 1))
         continue;
      const struct format_channel *channel = &info->channel[i];
      for (unsigned b = channel->shift; b < channel->shift + channel->bits; b++)
         written[b / 8] |= (uint8_t)(1u << b % 8);
   }
}

void
reference_clear_void(enum tg_format format, uint8_t texel[REFERENCE_MAX_BYTES])
{
   uint8_t all[REFERENCE_MAX_BYTES];
   find_written(format_info(format), TG_CHANNEL_RGBA, all);
   for (unsigned i = 0; i < REFERENCE_MAX_BYTES; i++)
      texel[i] &= all[i];
}

/* A shared exponent has no bits of its own for each channel. */
static void
keep_words(const struct format_info *info, unsigned colormask,
           const uint32_t old[4], uint32_t words[4])
{
   if (info->layout == FORMAT_LAYOUT_PLAIN)
      return;
   for (unsigned c = 0; c < 3; c++) {
      if (!(colormask >> c & 1))
         words[c] = old[c];
   }
}

static bool
has_logic(const struct fragment_runner *runner, const struct format_info *info)
{
   const unsigned type = number_type(info);
   return runner->key.logic_enabled &&
          info->colorspace == FORMAT_COLORSPACE_RGB &&
          type != FORMAT_TYPE_VOID && type != FORMAT_TYPE_FLOAT &&
          type != FORMAT_TYPE_USCALED && type != FORMAT_TYPE_SSCALED;
}

static void
find_color(const struct fragment_runner *runner, unsigned target,
           const struct reference_values *values, const uint32_t old[4],
           uint32_t words_out[4])
{
   const struct gpu_fragment_key *key = &runner->key;
   const enum tg_format format = (enum tg_format)key->color_format[target];
   const unsigned source = runner->shader->color0_writes_all ? 0 : target;
   struct colors colors;
   if (is_integer(format)) {
      for (unsigned c = 0; c < 4; c++)
         words_out[c] = tg_bits_of_float(values->color[source][c]);
      return;
   }
   finish_color(runner, values->color[source], colors.src);
   finish_color(runner, values->color[1], colors.src1);
   for (unsigned c = 0; c < 4; c++) {
      colors.dst[c] = tg_float_of_bits(old[c]);
      colors.constant[c] = frame_float(runner, GPU_FRAME_BLEND_COLOR + c);
      words_out[c] = tg_bits_of_float(colors.src[c]);
   }
   if (!key->blend[target].enabled || key->logic_enabled)
      return;
   limit_colors(format_info(format), &colors);
   for (unsigned c = 0; c < 4; c++)
      words_out[c] =
         tg_bits_of_float(blend_channel(&key->blend[target], &colors, c));
}

static void
write_texel(const struct fragment_runner *runner, unsigned target, uint32_t x,
            uint32_t y, const struct reference_values *values, uint8_t *texel)
{
   const struct gpu_fragment_key *key = &runner->key;
   const enum tg_format format = (enum tg_format)key->color_format[target];
   const struct format_info *info = format_info(format);
   const unsigned colormask = key->blend[target].colormask;
   uint8_t packed[REFERENCE_MAX_BYTES] = {0}, written[REFERENCE_MAX_BYTES],
           all[REFERENCE_MAX_BYTES];
   uint32_t old[4], words[4];
   float color[4];
   find_written(info, colormask, written);
   find_written(info, TG_CHANNEL_RGBA, all);
   const uint8_t none[REFERENCE_MAX_BYTES] = {0};
   if (memcmp(written, none, sizeof(none)) == 0 ||
       (info->layout != FORMAT_LAYOUT_PLAIN && !(colormask & 7)) ||
       (has_logic(runner, info) && key->logic_op == TG_LOGIC_NOOP))
      return;

   format_unpack(format, texel, old);
   find_color(runner, target, values, old, words);
   if (key->dither) {
      for (unsigned c = 0; c < 4; c++)
         color[c] = tg_float_of_bits(words[c]);
      dither(info, x, y, color);
      for (unsigned c = 0; c < 4; c++)
         words[c] = tg_bits_of_float(color[c]);
   }
   keep_words(info, colormask, old, words);
   format_pack(format, words, packed);
   for (unsigned i = 0; i < info->block_bytes; i++) {
      if (has_logic(runner, info))
         packed[i] = logic(key->logic_op, packed[i], texel[i]);
      texel[i] = (uint8_t)((packed[i] & written[i]) |
                           (texel[i] & all[i] & ~written[i]));
   }
}

/* ---- a fragment ---------------------------------------------------------- */

uint32_t
reference_draw(const struct fragment_runner *runner, uint32_t x, uint32_t y,
               uint32_t samples, const float z[16],
               const struct reference_values *values,
               struct reference_pixel *pixel)
{
   const struct gpu_fragment_key *key = &runner->key;
   uint32_t passed = samples, left;
   if (runner->shader->early_depth) {
      passed = test_samples(runner, samples, z, values, true, pixel);
      left = discard(runner, passed, values);
   } else {
      left = discard(runner, samples, values);
      left = test_samples(runner, left, z, values, false, pixel);
      passed = left;
   }
   for (unsigned i = 0; i < key->num_colors; i++) {
      for (unsigned s = 0; s < 16; s++) {
         if (left >> s & 1 && key->color_format[i] != TG_FORMAT_NONE)
            write_texel(runner, i, x, y, values, pixel->color[i][s]);
      }
   }
   return passed;
}
