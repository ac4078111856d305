/* SPDX-License-Identifier: MIT
 *
 * Packing and unpacking of one texel in C: which channel goes where. convert.c
 * knows what is in one.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "format/convert.h"
#include "format/format.h"
#include "util/bits.h"

/* ---- bits of a texel ----------------------------------------------------- */

/* A channel lies in eight bytes at most. */
static uint64_t
read_channel(const uint8_t *texel, const struct format_channel *channel)
{
   assert(channel->bits > 0 && channel->bits <= 64);
   const unsigned first = channel->shift / 8;
   const unsigned last = (channel->shift + channel->bits - 1u) / 8;
   uint64_t bits = 0;
   for (unsigned i = first; i <= last; i++)
      bits |= (uint64_t)texel[i] << ((i - first) * 8);
   bits >>= channel->shift % 8;
   return channel->bits == 64 ? bits
                              : bits & ((UINT64_C(1) << channel->bits) - 1);
}

/* Other bits stay as they are. */
static void
write_channel(uint8_t *texel, const struct format_channel *channel,
              uint64_t bits)
{
   assert(channel->bits > 0 && channel->bits <= 64);
   for (unsigned done = 0; done < channel->bits;) {
      const unsigned at = channel->shift + done;
      const unsigned left = channel->bits - done;
      const unsigned num = left < 8 - at % 8 ? left : 8 - at % 8;
      const unsigned mask = ((1u << num) - 1) << at % 8;
      const unsigned piece = (unsigned)(bits >> done) << at % 8;
      texel[at / 8] = (uint8_t)((texel[at / 8] & ~mask) | (piece & mask));
      done += num;
   }
}

/* ---- words --------------------------------------------------------------- */

/* Word 3, alpha, is linear in every colorspace. */
static bool
is_srgb(const struct format_info *info, unsigned word)
{
   return info->colorspace == FORMAT_COLORSPACE_SRGB && word < 3;
}

static uint32_t
unpack_word(const struct format_info *info, const uint8_t *texel, unsigned from,
            unsigned word)
{
   const struct format_channel *channel = &info->channel[from];
   const uint64_t bits = read_channel(texel, channel);
   if (info->class != FORMAT_CLASS_FLOAT)
      return format_channel_to_integer(channel, bits);
   if (is_srgb(info, word))
      return tg_bits_of_float(
         format_srgb_to_float(channel->bits, (uint32_t)bits));
   return tg_bits_of_float(format_channel_to_float(channel, bits));
}

static uint64_t
pack_word(const struct format_info *info, unsigned to, unsigned word,
          uint32_t value)
{
   const struct format_channel *channel = &info->channel[to];
   if (info->class != FORMAT_CLASS_FLOAT)
      return format_channel_from_integer(channel, value);
   if (is_srgb(info, word))
      return format_srgb_from_float(channel->bits, tg_float_of_bits(value));
   return format_channel_from_float(channel, tg_float_of_bits(value));
}

/* What makes (x, y) a unit vector; 0 if it is too long already. */
static uint32_t
normal(const uint32_t words[2])
{
   const float x = tg_float_of_bits(words[0]), y = tg_float_of_bits(words[1]);
   const float rest = (1.0f - x * x) - y * y;
   return tg_bits_of_float(rest > 0 ? sqrtf(rest) : 0);
}

static uint32_t
one(const struct format_info *info)
{
   return info->class == FORMAT_CLASS_FLOAT ? tg_bits_of_float(1.0f) : 1;
}

/* ---- depth and stencil --------------------------------------------------- */

static void
unpack_depth_stencil(const struct format_info *info, const uint8_t *texel,
                     uint32_t words_out[4])
{
   const bool has_depth = info->class == FORMAT_CLASS_FLOAT;
   const unsigned from = info->swizzle[has_depth ? 0 : 1];
   const uint32_t value = unpack_word(info, texel, from, 0);
   words_out[0] = words_out[1] = words_out[2] = value;
   words_out[3] = has_depth ? one(info) : value;
}

uint8_t
format_unpack_stencil(enum tg_format format, const void *texel)
{
   assert(format_has_stencil(format));
   const struct format_info *info = format_info(format);
   return (uint8_t)read_channel(texel, &info->channel[info->swizzle[1]]);
}

void
format_pack_stencil(enum tg_format format, uint8_t stencil, void *texel)
{
   assert(format_has_stencil(format));
   const struct format_info *info = format_info(format);
   write_channel(texel, &info->channel[info->swizzle[1]], stencil);
}

/* ---- whole texels -------------------------------------------------------- */

static void
unpack_shared(const uint8_t *texel, uint32_t words_out[4])
{
   const struct format_channel whole = {FORMAT_TYPE_VOID, 32, 0};
   float rgb[3];
   format_shared_to_floats((uint32_t)read_channel(texel, &whole), rgb);
   for (unsigned i = 0; i < 3; i++)
      words_out[i] = tg_bits_of_float(rgb[i]);
   words_out[3] = tg_bits_of_float(1.0f);
}

static void
pack_shared(const uint32_t words[4], uint8_t *texel)
{
   const struct format_channel whole = {FORMAT_TYPE_VOID, 32, 0};
   float rgb[3];
   memcpy(rgb, words, sizeof(rgb));
   write_channel(texel, &whole, format_shared_from_floats(rgb));
}

static void
unpack_plain(const struct format_info *info, const uint8_t *texel,
             uint32_t words_out[4])
{
   for (unsigned i = 0; i < 4; i++) {
      switch (info->swizzle[i]) {
      case FORMAT_SWIZZLE_0: words_out[i] = 0; break;
      case FORMAT_SWIZZLE_1: words_out[i] = one(info); break;
      case FORMAT_SWIZZLE_NORMAL: words_out[i] = normal(words_out); break;
      default:
         words_out[i] = unpack_word(info, texel, info->swizzle[i], i);
         break;
      }
   }
}

/* A channel is written from the first word that is read from it. */
static void
pack_plain(const struct format_info *info, const uint32_t words[4],
           uint8_t *texel)
{
   memset(texel, 0, info->block_bytes);
   for (unsigned to = 0; to < info->num_channels; to++) {
      unsigned word = 0;
      while (word < 4 && info->swizzle[word] != to)
         word++;
      if (word < 4)
         write_channel(texel, &info->channel[to],
                       pack_word(info, to, word, words[word]));
   }
}

/* Depth beside stencil leaves everything else as it is. */
static void
pack_depth_stencil(const struct format_info *info, uint32_t value,
                   uint8_t *texel)
{
   const unsigned depth = info->swizzle[0];
   if (depth == FORMAT_SWIZZLE_NONE ||
       info->swizzle[1] == FORMAT_SWIZZLE_NONE) {
      const uint32_t words[4] = {value, value, value, value};
      pack_plain(info, words, texel);
      return;
   }
   write_channel(texel, &info->channel[depth],
                 pack_word(info, depth, 0, value));
}

void
format_unpack(enum tg_format format, const void *texel, uint32_t words_out[4])
{
   const struct format_info *info = format_info(format);
   assert(info->layout != FORMAT_LAYOUT_NONE && !format_is_compressed(format));
   if (info->layout == FORMAT_LAYOUT_R9G9B9E5)
      unpack_shared(texel, words_out);
   else if (info->colorspace == FORMAT_COLORSPACE_ZS)
      unpack_depth_stencil(info, texel, words_out);
   else
      unpack_plain(info, texel, words_out);
}

void
format_pack(enum tg_format format, const uint32_t words[4], void *texel)
{
   const struct format_info *info = format_info(format);
   assert(info->layout != FORMAT_LAYOUT_NONE && !format_is_compressed(format));
   if (info->layout == FORMAT_LAYOUT_R9G9B9E5)
      pack_shared(words, texel);
   else if (info->colorspace == FORMAT_COLORSPACE_ZS)
      pack_depth_stencil(info, words[0], texel);
   else
      pack_plain(info, words, texel);
}
