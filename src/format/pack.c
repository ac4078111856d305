/* SPDX-License-Identifier: MIT
 *
 * Packing and unpacking of one texel in C: which channel goes where. channel.c
 * knows what is in one.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "format/channel.h"
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

static uint32_t
unpack_word(const struct format_info *info, const uint8_t *texel, unsigned from,
            unsigned word)
{
   const struct format_channel *channel = &info->channel[from];
   const uint64_t bits = read_channel(texel, channel);
   if (info->class != FORMAT_CLASS_FLOAT)
      return format_channel_to_integer(channel, bits);
   if (format_is_srgb(info, word))
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
   if (format_is_srgb(info, word))
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

uint8_t
format_unpack_stencil(enum tg_format format, const void *texel)
{
   assert(format_has_stencil(format));
   const struct format_info *info = format_info(format);
   return (uint8_t)read_channel(texel, &info->channel[info->stencil]);
}

void
format_pack_stencil(enum tg_format format, uint8_t stencil, void *texel)
{
   assert(format_has_stencil(format));
   const struct format_info *info = format_info(format);
   write_channel(texel, &info->channel[info->stencil], stencil);
}

/* ---- whole texels -------------------------------------------------------- */

static void
unpack_shared(const struct format_info *info, const uint8_t *texel,
              uint32_t words_out[4])
{
   uint32_t bits[4];
   float rgb[3];
   for (unsigned i = 0; i < 4; i++)
      bits[i] = (uint32_t)read_channel(texel, &info->channel[i]);
   format_shared_channels_to_floats(info, bits, rgb);
   for (unsigned i = 0; i < 3; i++)
      words_out[i] = tg_bits_of_float(rgb[i]);
   words_out[3] = one(info);
}

static void
pack_shared(const struct format_info *info, const uint32_t words[4],
            uint8_t *texel)
{
   uint32_t bits[4];
   float rgb[3];
   memcpy(rgb, words, sizeof(rgb));
   format_shared_channels_from_floats(info, rgb, bits);
   for (unsigned i = 0; i < 4; i++)
      write_channel(texel, &info->channel[i], bits[i]);
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

static void
pack_plain(const struct format_info *info, const uint32_t words[4],
           uint8_t *texel)
{
   memset(texel, 0, info->block_bytes);
   for (unsigned to = 0; to < info->num_channels; to++) {
      const unsigned word = format_word_of(info, to);
      if (word < FORMAT_NUM_WORDS)
         write_channel(texel, &info->channel[to],
                       pack_word(info, to, word, words[word]));
   }
}

/* Depth beside stencil leaves everything else as it is. */
static void
pack_depth(const struct format_info *info, uint32_t value, uint8_t *texel)
{
   write_channel(texel, &info->channel[info->depth],
                 pack_word(info, info->depth, 0, value));
}

void
format_unpack(enum tg_format format, const void *texel, uint32_t words_out[4])
{
   const struct format_info *info = format_info(format);
   assert(info->layout != FORMAT_LAYOUT_NONE && !format_is_compressed(format));
   if (info->layout == FORMAT_LAYOUT_R9G9B9E5)
      unpack_shared(info, texel, words_out);
   else
      unpack_plain(info, texel, words_out);
}

void
format_pack(enum tg_format format, const uint32_t words[4], void *texel)
{
   const struct format_info *info = format_info(format);
   assert(info->layout != FORMAT_LAYOUT_NONE && !format_is_compressed(format));
   if (info->layout == FORMAT_LAYOUT_R9G9B9E5)
      pack_shared(info, words, texel);
   else if (format_has_depth(format) && format_has_stencil(format))
      pack_depth(info, words[0], texel);
   else
      pack_plain(info, words, texel);
}
