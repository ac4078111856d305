/* SPDX-License-Identifier: MIT
 *
 * ETC2 (ETC1 is a part of it) and EAC, as the Khronos Data Format specification
 * has them. A block is a big-endian number of 64 bits, and texels go column by
 * column: number 4 x + y. Colours:
 *
 *   63 ... 32    end points and how they are meant, see below
 *   31 ... 16    high bits of the texels' codes, texel 0 the lowest
 *   15 ...  0    low bits
 *
 * Bit 33 chooses between two colours of 4 bits a channel and one of 5 bits with
 * differences of 3. A difference that leaves the range makes the block one of
 * three other kinds: red T, green H, blue planar. With one bit of alpha, bit 33
 * says instead that the block is opaque; otherwise code 2 is transparent.
 */
#include <assert.h>
#include <string.h>

#include "format/blocks.h"
#include "util/length.h"

static uint64_t
big_endian(const uint8_t *block)
{
   uint64_t bits = 0;
   for (unsigned i = 0; i < 8; i++)
      bits = bits << 8 | block[i];
   return bits;
}

/* Bits `high` down to `low`. */
static int
field(uint64_t bits, unsigned high, unsigned low)
{
   return (int)(bits >> low & ((1u << (high - low + 1)) - 1));
}

/* ---- two colours, each with steps of brightness -------------------------- */

static const uint8_t steps[8][2] = {
   {2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183},
};

static const uint8_t distances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

struct colors {
   uint64_t bits;
   bool has_transparent; /* code 2 */
   int base[2][3];
};

static unsigned
code_of(const struct colors *colors, unsigned texel)
{
   return (unsigned)(colors->bits >> (16 + texel) & 1) << 1 |
          (unsigned)(colors->bits >> texel & 1);
}

/* Texel 4 x + y of a block lies at 4 y + x in memory. */
static uint8_t *
texel_at(uint8_t *texels, unsigned texel)
{
   return texels + (texel % 4 * 4 + texel / 4) * 4;
}

static void
put(uint8_t *texel, const int rgb[3], int offset)
{
   for (unsigned i = 0; i < 3; i++)
      texel[i] = format_clamp255(rgb[i] + offset);
   texel[3] = 255;
}

static int
extend4(int value)
{
   return value << 4 | value;
}

static int
extend5(int value)
{
   return value << 3 | value >> 2;
}

/* Codes 0 to 3 add a small step, a large one, and take away the same. Where
 * code 2 is transparent, code 0 adds nothing. */
static int
brightness(const struct colors *colors, unsigned table, unsigned code)
{
   if (colors->has_transparent && code == 0)
      return 0;
   assert(table < TG_LENGTH(steps));
   const int step = steps[table][code & 1];
   return code & 2 ? -step : step;
}

/* Halves of the block lie side by side, or one above the other. */
static void
decode_halves(const struct colors *colors, uint8_t *texels)
{
   const bool is_flipped = field(colors->bits, 32, 32);
   const unsigned table[2] = {(unsigned)field(colors->bits, 39, 37),
                              (unsigned)field(colors->bits, 36, 34)};
   for (unsigned i = 0; i < 16; i++) {
      const unsigned half = is_flipped ? i % 4 / 2 : i / 8;
      const unsigned code = code_of(colors, i);
      uint8_t *texel = texel_at(texels, i);
      if (code == 2 && colors->has_transparent)
         memset(texel, 0, 4);
      else
         put(texel, colors->base[half], brightness(colors, table[half], code));
   }
}

/* ---- T and H: four paints ------------------------------------------------ */

struct paint {
   const int *base;
   int offset;
};

static void
decode_paints(const struct colors *colors, const struct paint paints[4],
              uint8_t *texels)
{
   for (unsigned i = 0; i < 16; i++) {
      const unsigned code = code_of(colors, i);
      uint8_t *texel = texel_at(texels, i);
      if (code == 2 && colors->has_transparent)
         memset(texel, 0, 4);
      else
         put(texel, paints[code].base, paints[code].offset);
   }
}

static void
decode_t(struct colors *colors, uint8_t *texels)
{
   const uint64_t bits = colors->bits;
   colors->base[0][0] = extend4(field(bits, 60, 59) << 2 | field(bits, 57, 56));
   colors->base[0][1] = extend4(field(bits, 55, 52));
   colors->base[0][2] = extend4(field(bits, 51, 48));
   colors->base[1][0] = extend4(field(bits, 47, 44));
   colors->base[1][1] = extend4(field(bits, 43, 40));
   colors->base[1][2] = extend4(field(bits, 39, 36));
   const int d = distances[field(bits, 35, 34) << 1 | field(bits, 32, 32)];
   const struct paint paints[4] = {
      {colors->base[0], 0},
      {colors->base[1], d},
      {colors->base[1], 0},
      {colors->base[1], -d},
   };
   decode_paints(colors, paints, texels);
}

/* The last bit of the distance is whether the first colour is not below the
 * second, as numbers. */
static void
decode_h(struct colors *colors, uint8_t *texels)
{
   const uint64_t bits = colors->bits;
   const int first = field(bits, 62, 59) << 8 |
                     (field(bits, 58, 56) << 1 | field(bits, 52, 52)) << 4 |
                     (field(bits, 51, 51) << 3 | field(bits, 49, 47));
   const int second = field(bits, 46, 35);
   for (unsigned i = 0; i < 3; i++) {
      colors->base[0][i] = extend4(first >> (8 - 4 * i) & 15);
      colors->base[1][i] = extend4(second >> (8 - 4 * i) & 15);
   }
   const int d = distances[field(bits, 34, 34) << 2 | field(bits, 32, 32) << 1 |
                           (first >= second)];
   const struct paint paints[4] = {
      {colors->base[0], d},
      {colors->base[0], -d},
      {colors->base[1], d},
      {colors->base[1], -d},
   };
   decode_paints(colors, paints, texels);
}

/* ---- planar -------------------------------------------------------------- */

static int
extend6(int value)
{
   return value << 2 | value >> 4;
}

static int
extend7(int value)
{
   return value << 1 | value >> 6;
}

/* Colours at the origin, to the right and below; opaque always. */
static void
decode_planar(uint64_t bits, uint8_t *texels)
{
   const int origin[3] = {
      extend6(field(bits, 62, 57)),
      extend7(field(bits, 56, 56) << 6 | field(bits, 54, 49)),
      extend6(field(bits, 48, 48) << 5 | field(bits, 44, 43) << 3 |
              field(bits, 41, 39)),
   };
   const int right[3] = {
      extend6(field(bits, 38, 34) << 1 | field(bits, 32, 32)),
      extend7(field(bits, 31, 25)),
      extend6(field(bits, 24, 19)),
   };
   const int below[3] = {
      extend6(field(bits, 18, 13)),
      extend7(field(bits, 12, 6)),
      extend6(field(bits, 5, 0)),
   };
   for (int i = 0; i < 16; i++) {
      uint8_t *texel = texel_at(texels, (unsigned)i);
      for (unsigned c = 0; c < 3; c++) {
         const int sum = i / 4 * (right[c] - origin[c]) +
                         i % 4 * (below[c] - origin[c]) + 4 * origin[c] + 2;
         texel[c] = format_clamp255(sum >> 2);
      }
      texel[3] = 255;
   }
}

/* ---- colours ------------------------------------------------------------- */

static void
decode_individual(struct colors *colors, uint8_t *texels)
{
   for (unsigned i = 0; i < 3; i++) {
      const unsigned low = 56 - 8 * i;
      colors->base[0][i] = extend4(field(colors->bits, low + 7, low + 4));
      colors->base[1][i] = extend4(field(colors->bits, low + 3, low));
   }
   decode_halves(colors, texels);
}

static void
decode_differential(struct colors *colors, uint8_t *texels)
{
   static void (*const others[2])(struct colors *, uint8_t *) = {
      decode_t,
      decode_h,
   };
   for (unsigned i = 0; i < 3; i++) {
      const unsigned low = 56 - 8 * i;
      const int first = field(colors->bits, low + 7, low + 3);
      const int difference = (field(colors->bits, low + 2, low) ^ 4) - 4;
      const int second = first + difference;
      if (second < 0 || second > 31) {
         if (i < 2)
            others[i](colors, texels);
         else
            decode_planar(colors->bits, texels);
         return;
      }
      colors->base[0][i] = extend5(first);
      colors->base[1][i] = extend5(second);
   }
   decode_halves(colors, texels);
}

void
format_decode_etc2_rgb(const struct format_info *info, const uint8_t *block,
                       uint8_t *texels)
{
   struct colors colors = {.bits = big_endian(block)};
   (void)info;
   if (field(colors.bits, 33, 33))
      decode_differential(&colors, texels);
   else
      decode_individual(&colors, texels);
}

void
format_decode_etc2_rgba1(const struct format_info *info, const uint8_t *block,
                         uint8_t *texels)
{
   struct colors colors = {.bits = big_endian(block)};
   (void)info;
   colors.has_transparent = !field(colors.bits, 33, 33);
   decode_differential(&colors, texels);
}

void
format_decode_etc2_rgba(const struct format_info *info, const uint8_t *block,
                        uint8_t *texels)
{
   format_decode_etc2_rgb(info, block + 8, texels);
   format_decode_eac_alpha(block, texels);
}

/* ---- EAC ----------------------------------------------------------------- */

/* Codes 0 to 3 take these away, codes 4 to 7 add one less. */
static const uint8_t modifiers[16][4] = {
   {3, 6, 9, 15}, {3, 7, 10, 13}, {2, 5, 8, 13}, {2, 4, 6, 13},
   {3, 6, 8, 12}, {3, 7, 9, 11},  {4, 7, 8, 11}, {3, 5, 8, 11},
   {2, 6, 8, 10}, {2, 5, 8, 10},  {2, 4, 8, 10}, {2, 5, 7, 10},
   {3, 4, 7, 10}, {1, 2, 3, 10},  {4, 6, 8, 9},  {3, 5, 7, 9},
};

static int
modifier(uint64_t bits, unsigned texel)
{
   const unsigned low = 45 - 3 * texel;
   const int code = field(bits, low + 2, low);
   const uint8_t *row = modifiers[field(bits, 51, 48)];
   return code < 4 ? -row[code] : row[code - 4] - 1;
}

void
format_decode_eac_alpha(const uint8_t *block, uint8_t *texels)
{
   const uint64_t bits = big_endian(block);
   const int base = field(bits, 63, 56);
   const int multiplier = field(bits, 55, 52);
   for (unsigned i = 0; i < 16; i++)
      texel_at(texels, i)[3] =
         format_clamp255(base + modifier(bits, i) * multiplier);
}

/* One component of 11 bits from `least` to `most`, as floats. A multiplier of 0
 * counts as an eighth. */
static void
decode_component(const uint8_t *block, int base, int least, int most,
                 uint8_t *texels, unsigned stride)
{
   const uint64_t bits = big_endian(block);
   const int multiplier = field(bits, 55, 52);
   const int scale = multiplier ? multiplier * 8 : 1;
   for (unsigned i = 0; i < 16; i++) {
      const int value = base + modifier(bits, i) * scale;
      const int clamped = value < least ? least : value > most ? most : value;
      const float quotient = (float)clamped / (float)most;
      memcpy(texels + (i % 4 * 4 + i / 4) * stride, &quotient,
             sizeof(quotient));
   }
}

/* One component, or two one after the other. */

void
format_decode_eac_unorm(const struct format_info *info, const uint8_t *block,
                        uint8_t *texels)
{
   const unsigned num = info->block_bytes / 8u;
   for (unsigned c = 0; c < num; c++, block += 8)
      decode_component(block, block[0] * 8 + 4, 0, 2047, texels + c * 4,
                       num * 4);
}

/* A base of -128 counts as -127. */
void
format_decode_eac_snorm(const struct format_info *info, const uint8_t *block,
                        uint8_t *texels)
{
   const unsigned num = info->block_bytes / 8u;
   for (unsigned c = 0; c < num; c++, block += 8) {
      const int base = (int8_t)block[0];
      decode_component(block, (base < -127 ? -127 : base) * 8, -1023, 1023,
                       texels + c * 4, num * 4);
   }
}
