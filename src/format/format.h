/* SPDX-License-Identifier: MIT
 *
 * Pixel formats: one row of formats.def each, by the numbers of enum tg_format.
 * The rows describe a texel; packing and unpacking of one exist twice and give
 * the same bits: in C, below, and as LIR, in lower/fixed_function/texel.h.
 *
 * A texel has four words, in the order x, y, z, w: floats, or integers where
 * the format is a pure integer one. Nothing here keeps state or allocates.
 */
#ifndef TG_FORMAT_FORMAT_H
#define TG_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tgsi/tables/tables.h"

/* How a block of texels is written; one texel where nothing else is said. */
enum format_layout {
   FORMAT_LAYOUT_NONE,       /* a name without a use here: video, planes, ... */
   FORMAT_LAYOUT_PLAIN,      /* channels of whole bits */
   FORMAT_LAYOUT_R9G9B9E5,   /* three mantissas with one exponent */
   FORMAT_LAYOUT_SUBSAMPLED, /* two texels that share two of their channels */
   /* Blocks of texels that only a decoder reads. */
   FORMAT_LAYOUT_DXT1,
   FORMAT_LAYOUT_DXT3,
   FORMAT_LAYOUT_DXT5,
   FORMAT_LAYOUT_RGTC_UNORM,
   FORMAT_LAYOUT_RGTC_SNORM,
   FORMAT_LAYOUT_ETC2_RGB, /* and ETC1, which is a part of it */
   FORMAT_LAYOUT_ETC2_RGBA1,
   FORMAT_LAYOUT_ETC2_RGBA,
   FORMAT_LAYOUT_EAC_UNORM,
   FORMAT_LAYOUT_EAC_SNORM,
   FORMAT_LAYOUT_BPTC_UNORM,
   FORMAT_LAYOUT_BPTC_FLOAT,
   FORMAT_LAYOUT_BPTC_UFLOAT,
   FORMAT_LAYOUT_ASTC,
   FORMAT_NUM_LAYOUTS,
};

enum format_type {
   FORMAT_TYPE_VOID, /* bits without a meaning, written as 0 */
   FORMAT_TYPE_UNORM,
   FORMAT_TYPE_SNORM,
   FORMAT_TYPE_USCALED, /* integers that read as floats */
   FORMAT_TYPE_SSCALED,
   FORMAT_TYPE_UINT,
   FORMAT_TYPE_SINT,
   FORMAT_TYPE_FLOAT,    /* of 16, 32 or 64 bits; of 10 or 11 without a sign */
   FORMAT_TYPE_FIXED,    /* 16.16 */
   FORMAT_TYPE_MANTISSA, /* without a sign; its exponent is the last channel */
   FORMAT_TYPE_EXPONENT,
};

/* Exponents of floats of up to 16 bits, and those that mantissas share. */
enum { FORMAT_EXPONENT_BITS = 5, FORMAT_EXPONENT_BIAS = 15 };

/* What the four words of a texel are. */
enum format_class {
   FORMAT_CLASS_FLOAT, /* everything that reads as floats, depth too */
   FORMAT_CLASS_SINT,
   FORMAT_CLASS_UINT, /* stencil too */
};

enum format_colorspace {
   FORMAT_COLORSPACE_RGB,
   FORMAT_COLORSPACE_SRGB, /* red, green, blue; alpha is linear */
   FORMAT_COLORSPACE_ZS,   /* depth and stencil */
};

/* Where a word of the texel comes from. */
enum format_swizzle {
   FORMAT_SWIZZLE_X, /* channel 0, ... */
   FORMAT_SWIZZLE_Y,
   FORMAT_SWIZZLE_Z,
   FORMAT_SWIZZLE_W,
   FORMAT_SWIZZLE_0,
   FORMAT_SWIZZLE_1,      /* 1.0, or 1 of a pure integer format */
   FORMAT_SWIZZLE_NORMAL, /* sqrt(1 - x * x - y * y) */
   FORMAT_SWIZZLE_NONE,   /* depth or stencil that the format has not */

   FORMAT_NUM_CHANNELS = FORMAT_SWIZZLE_W + 1,
   FORMAT_NUM_WORDS = 4,
};

struct format_channel {
   uint8_t type;  /* enum format_type */
   uint8_t bits;  /* 1 to 64 */
   uint8_t shift; /* from the lowest bit of the texel, which is little-endian */
};

struct format_info {
   const char *name; /* "R8G8B8A8_UNORM" */
   uint8_t layout;   /* enum format_layout */
   uint8_t class;    /* enum format_class */
   uint8_t colorspace;
   uint8_t block_width, block_height; /* 1 by 1 unless compressed */
   uint8_t block_bytes;
   uint8_t unit;      /* bytes that are read and written at once: 1, 2 or 4 */
   uint8_t num_units; /* of a texel: block_bytes / unit */
   uint8_t num_channels;
   uint16_t decoded; /* enum tg_format, see format_decoded() */
   struct format_channel channel[FORMAT_NUM_CHANNELS];
   uint8_t swizzle[FORMAT_NUM_WORDS]; /* enum format_swizzle */
   uint8_t depth, stencil; /* of ZS: numbers of channels, or SWIZZLE_NONE */
};

/* The row of a format; that of NONE (layout NONE) for numbers that are none. */
const struct format_info *
format_info(enum tg_format format);

/* Has it blocks of more than one texel, which must be decoded to be read? */
bool
format_is_compressed(enum tg_format format);

/* Has it a depth, a stencil? */
bool
format_has_depth(enum tg_format format);
bool
format_has_stencil(enum tg_format format);

/* The channel of the depth, NULL: it has none. */
const struct format_channel *
format_depth_channel(enum tg_format format);

/* Are the words of a texel integers? */
bool
format_is_integer(enum tg_format format);

/* What it can be used for: enum tg_format_use. */
uint32_t
format_uses(enum tg_format format);

/* ---- the layout of a texel ----------------------------------------------- */

/* The channel that a word is read from; NULL: it is a constant, or NORMAL. */
static inline const struct format_channel *
format_channel_of(const struct format_info *info, unsigned word)
{
   const unsigned from = info->swizzle[word];
   return from < FORMAT_NUM_CHANNELS ? &info->channel[from] : NULL;
}

/* The word that a channel is written from: the first that is read from it;
 * FORMAT_NUM_WORDS: none is, and its bits become 0. */
static inline unsigned
format_word_of(const struct format_info *info, unsigned channel)
{
   unsigned word = 0;
   while (word < FORMAT_NUM_WORDS && info->swizzle[word] != channel)
      word++;
   return word;
}

/* The words that a texel is written from, bit 0 for x. */
uint32_t
format_stored_words(const struct format_info *info);

/* Is a word one that is kept as a code of sRGB? Alpha is linear. */
static inline bool
format_is_srgb(const struct format_info *info, unsigned word)
{
   return info->colorspace == FORMAT_COLORSPACE_SRGB && word < 3;
}

/* The type of a colour's channels. */
enum format_type
format_color_type(const struct format_info *info);

/* Is the channel two's complement? */
static inline bool
format_is_signed(const struct format_channel *channel)
{
   return channel->type == FORMAT_TYPE_SNORM ||
          channel->type == FORMAT_TYPE_SSCALED ||
          channel->type == FORMAT_TYPE_SINT ||
          channel->type == FORMAT_TYPE_FIXED;
}

/* The greatest integer of a channel that is no float: the code of 1 where it is
 * normalised. */
static inline uint64_t
format_greatest(const struct format_channel *channel)
{
   return UINT64_MAX >> (64 - channel->bits + format_is_signed(channel));
}

/* Where a channel lies among the units of a texel. */
struct format_place {
   unsigned unit, shift; /* of its lowest bit */
   uint32_t mask;        /* in its unit; of 64 bits, which are two units, all */
   uint32_t all;         /* bits of a unit */
};

/* Finds a channel among the units. */
struct format_place
format_place(const struct format_info *info, unsigned channel);

/* ---- one texel ----------------------------------------------------------- */

/* Reads and writes a texel of a format that is not compressed, as words of the
 * format's class. A format with depth and stencil reads as its depth.
 *
 * A normalised channel of n bits reads as v / (2^n - 1), a signed one as
 * max(v / (2^(n-1) - 1), -1), rounded once to the nearest float. Writing clamps
 * to the range, NaN counting as 0, and rounds the exact product with the same
 * number to nearest even, so that up to 24 bits come back as they were. Scaled
 * and 16.16 channels are rounded to nearest even and clamped, integers clamped.
 * Floats are rounded to nearest even; unsigned ones have 0 for what is negative
 * and their greatest number for finite ones above it. sRGB takes the nearest
 * code. Shared exponents are those of EXT_texture_shared_exponent, whose
 * mantissas round halves up.
 *
 * Bits that no channel has become 0. Where depth and stencil share a texel,
 * format_pack() writes the depth from x, and the rest stays as it is. */
void
format_unpack(enum tg_format format, const void *texel, uint32_t words_out[4]);
void
format_pack(enum tg_format format, const uint32_t words[4], void *texel);

/* The stencil of a format that has one; packing keeps all other bits. */
uint8_t
format_unpack_stencil(enum tg_format format, const void *texel);
void
format_pack_stencil(enum tg_format format, uint8_t stencil, void *texel);

/* ---- compressed blocks --------------------------------------------------- */

/* The format that the texels of a compressed or subsampled one are kept in
 * once decoded, with the same colorspace; any other format is its own. */
enum tg_format
format_decoded(enum tg_format format);

/* Decodes `width` by `height` texels, whose blocks begin at `blocks`, rows of
 * blocks `block_stride` bytes apart, into texels of format_decoded(), rows
 * `texel_stride` bytes apart. Blocks with encodings that are reserved decode to
 * what the format's specification says, or to zero. */
void
format_decode(enum tg_format format, const void *blocks, size_t block_stride,
              void *texels, size_t texel_stride, uint32_t width,
              uint32_t height);

#endif
