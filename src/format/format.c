/* SPDX-License-Identifier: MIT
 *
 * Format queries: the rows of formats.def, and what can be asked about them.
 */
#include "format/format.h"

#include <assert.h>

/* A channel is its type and bits in one number. */
#define CHANNEL(type, bits) (FORMAT_TYPE_##type << 8 | (bits))
#define UN(bits) CHANNEL(UNORM, bits)
#define SN(bits) CHANNEL(SNORM, bits)
#define US(bits) CHANNEL(USCALED, bits)
#define SS(bits) CHANNEL(SSCALED, bits)
#define UI(bits) CHANNEL(UINT, bits)
#define SI(bits) CHANNEL(SINT, bits)
#define FL(bits) CHANNEL(FLOAT, bits)
#define FX(bits) CHANNEL(FIXED, bits)
#define MA(bits) CHANNEL(MANTISSA, bits)
#define EX(bits) CHANNEL(EXPONENT, bits)
#define VO(bits) CHANNEL(VOID, bits)
#define NO 0

#define BITS(channel) ((channel)&0xff)
#define BITS2(a, b) (BITS(a) + BITS(b))
#define BITS3(a, b, c) (BITS2(a, b) + BITS(c))
#define BYTES(a, b, c, d) ((BITS3(a, b, c) + BITS(d)) / 8)
#define NUM(a, b, c, d) (((a) != NO) + ((b) != NO) + ((c) != NO) + ((d) != NO))
#define IS(channel, type) ((channel) >> 8 == FORMAT_TYPE_##type)
#define ANY(type, a, b, c, d)                                                  \
   (IS(a, type) || IS(b, type) || IS(c, type) || IS(d, type))
#define CLASS(a, b, c, d)                                                      \
   (ANY(UINT, a, b, c, d)   ? FORMAT_CLASS_UINT                                \
    : ANY(SINT, a, b, c, d) ? FORMAT_CLASS_SINT                                \
                            : FORMAT_CLASS_FLOAT)
#define UNIT(bytes) ((bytes) % 4 == 0 ? 4 : (bytes) % 2 == 0 ? 2 : 1)

#define SIZE(bytes)                                                            \
   .block_bytes = (bytes), .unit = UNIT(bytes),                                \
   .num_units = (bytes) / UNIT(bytes)
#define CHANNELS(a, b, c, d)                                                   \
   .num_channels = NUM(a, b, c, d), .channel = {                               \
                                       {(a) >> 8, BITS(a), 0},                 \
                                       {(b) >> 8, BITS(b), BITS(a)},           \
                                       {(c) >> 8, BITS(c), BITS2(a, b)},       \
                                       {(d) >> 8, BITS(d), BITS3(a, b, c)},    \
   }
#define SWIZZLE(x, y, z, w)                                                    \
   .swizzle = {FORMAT_SWIZZLE_##x, FORMAT_SWIZZLE_##y, FORMAT_SWIZZLE_##z,     \
               FORMAT_SWIZZLE_##w}
#define DEPTH_OR_STENCIL(depth, stencil)                                       \
   (FORMAT_SWIZZLE_##depth == FORMAT_SWIZZLE_NONE ? FORMAT_SWIZZLE_##stencil   \
                                                  : FORMAT_SWIZZLE_##depth)

/* A texel of its own, made of channels. */
#define TEXEL(name_, layout_, class_, colorspace_, x, y, z, w, a, b, c, d)     \
   [TG_FORMAT_##name_] = {                                                     \
      .name = #name_,                                                          \
      .layout = FORMAT_LAYOUT_##layout_,                                       \
      .class = class_,                                                         \
      .colorspace = FORMAT_COLORSPACE_##colorspace_,                           \
      .block_width = 1,                                                        \
      .block_height = 1,                                                       \
      SIZE(BYTES(a, b, c, d)),                                                 \
      CHANNELS(a, b, c, d),                                                    \
      SWIZZLE(x, y, z, w),                                                     \
      .decoded = TG_FORMAT_##name_,                                            \
   },

static const struct format_info infos[TG_NUM_FORMATS] = {
   [TG_FORMAT_NONE] = {.name = "NONE"},
#define FORMAT_PLAIN(name, virgl_, colorspace, x, y, z, w, a, b, c, d)         \
   TEXEL(name, PLAIN, CLASS(a, b, c, d), colorspace, x, y, z, w, a, b, c, d)
#define FORMAT_ZS(name_, virgl_, depth_, stencil_, a, b, c)                    \
   [TG_FORMAT_##name_] = {                                                     \
      .name = #name_,                                                          \
      .layout = FORMAT_LAYOUT_PLAIN,                                           \
      .class = FORMAT_SWIZZLE_##depth_ == FORMAT_SWIZZLE_NONE                  \
                  ? FORMAT_CLASS_UINT                                          \
                  : FORMAT_CLASS_FLOAT,                                        \
      .colorspace = FORMAT_COLORSPACE_ZS,                                      \
      .block_width = 1,                                                        \
      .block_height = 1,                                                       \
      SIZE(BYTES(a, b, c, NO)),                                                \
      CHANNELS(a, b, c, NO),                                                   \
      .depth = FORMAT_SWIZZLE_##depth_,                                        \
      .stencil = FORMAT_SWIZZLE_##stencil_,                                    \
      .swizzle =                                                               \
         {                                                                     \
            DEPTH_OR_STENCIL(depth_, stencil_),                                \
            DEPTH_OR_STENCIL(depth_, stencil_),                                \
            DEPTH_OR_STENCIL(depth_, stencil_),                                \
            FORMAT_SWIZZLE_##depth_ == FORMAT_SWIZZLE_NONE                     \
               ? FORMAT_SWIZZLE_##stencil_                                     \
               : FORMAT_SWIZZLE_1,                                             \
         },                                                                    \
      .decoded = TG_FORMAT_##name_,                                            \
   },
#define FORMAT_SHARED(name, virgl_, x, y, z, w, a, b, c, d)                    \
   TEXEL(name, R9G9B9E5, FORMAT_CLASS_FLOAT, RGB, x, y, z, w, a, b, c, d)
#define FORMAT_PAIR(name_, virgl_, x, y, z)                                    \
   [TG_FORMAT_##name_] = {                                                     \
      .name = #name_,                                                          \
      .layout = FORMAT_LAYOUT_SUBSAMPLED,                                      \
      .class = FORMAT_CLASS_FLOAT,                                             \
      .colorspace = FORMAT_COLORSPACE_RGB,                                     \
      .block_width = 2,                                                        \
      .block_height = 1,                                                       \
      SIZE(4),                                                                 \
      CHANNELS(UN(8), UN(8), UN(8), UN(8)),                                    \
      SWIZZLE(x, y, z, 1),                                                     \
      .decoded = TG_FORMAT_R8G8B8X8_UNORM,                                     \
   },
#define FORMAT_BLOCK(name_, virgl_, layout_, colorspace_, width, height,       \
                     bytes, decoded_)                                          \
   [TG_FORMAT_##name_] = {                                                     \
      .name = #name_,                                                          \
      .layout = FORMAT_LAYOUT_##layout_,                                       \
      .class = FORMAT_CLASS_FLOAT,                                             \
      .colorspace = FORMAT_COLORSPACE_##colorspace_,                           \
      .block_width = width,                                                    \
      .block_height = height,                                                  \
      SIZE(bytes),                                                             \
      .decoded = TG_FORMAT_##decoded_,                                         \
   },
#include "format/formats.def"
};

const struct format_info *
format_info(enum tg_format format)
{
   if ((unsigned)format >= TG_NUM_FORMATS || !infos[format].name)
      return &infos[TG_FORMAT_NONE];
   return &infos[format];
}

bool
format_is_compressed(enum tg_format format)
{
   const struct format_info *info = format_info(format);
   return info->block_width > 1;
}

bool
format_has_depth(enum tg_format format)
{
   const struct format_info *info = format_info(format);
   return info->colorspace == FORMAT_COLORSPACE_ZS &&
          info->depth != FORMAT_SWIZZLE_NONE;
}

bool
format_has_stencil(enum tg_format format)
{
   const struct format_info *info = format_info(format);
   return info->colorspace == FORMAT_COLORSPACE_ZS &&
          info->stencil != FORMAT_SWIZZLE_NONE;
}

const struct format_channel *
format_depth_channel(enum tg_format format)
{
   const struct format_info *info = format_info(format);
   return format_has_depth(format) ? &info->channel[info->depth] : NULL;
}

bool
format_is_integer(enum tg_format format)
{
   return format_info(format)->class != FORMAT_CLASS_FLOAT;
}

enum tg_format
format_decoded(enum tg_format format)
{
   return format_info(format)->decoded;
}

/* ---- layouts ------------------------------------------------------------- */

uint32_t
format_stored_words(const struct format_info *info)
{
   uint32_t words = 0;
   for (unsigned i = 0; i < info->num_channels; i++) {
      const unsigned word = format_word_of(info, i);
      if (word < FORMAT_NUM_WORDS)
         words |= UINT32_C(1) << word;
   }
   return words;
}

/* That of the first one with a meaning: colours have one type. */
enum format_type
format_color_type(const struct format_info *info)
{
   return (enum format_type)(info->channel[0].type == FORMAT_TYPE_VOID
                                ? info->channel[1].type
                                : info->channel[0].type);
}

struct format_place
format_place(const struct format_info *info, unsigned channel)
{
   assert(channel < info->num_channels);
   const unsigned unit_bits = info->unit * 8u;
   const unsigned shift = info->channel[channel].shift % unit_bits;
   const unsigned bits = info->channel[channel].bits;
   const uint32_t ones = UINT32_MAX >> (bits > 32 ? 0 : 32 - bits);
   return (struct format_place){
      .unit = info->channel[channel].shift / unit_bits,
      .shift = shift,
      .mask = ones << shift,
      .all = UINT32_MAX >> (32 - unit_bits),
   };
}
