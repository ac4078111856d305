/* SPDX-License-Identifier: MIT
 *
 * BPTC of halves (BC6H), as the Khronos Data Format specification has it. The
 * lowest two bits, or five, are the mode; after them lie the end points, in
 * pieces, the partition, and the indices.
 */
#include <string.h>

#include "format/bptc.h"

/* ---- modes --------------------------------------------------------------- */

/* Channels of the end points: two for each subset. */
enum channel { R0, G0, B0, R1, G1, B1, R2, G2, B2, R3, G3, B3, NUM_CHANNELS };

/* So many bits of a channel, from bit `first` up. */
struct piece {
   uint8_t channel, first, count;
};

struct mode {
   uint8_t code;
   uint8_t num_subsets;
   uint8_t bits;            /* of the first end point */
   bool is_relative;        /* the others are differences from it */
   uint8_t other_bits[3];   /* of the others' red, green and blue */
   struct piece pieces[25]; /* in their order, then a count of 0 */
};

/* clang-format off */
static const struct mode modes[] = {
   {0x00, 2, 10, true,  { 5,  5,  5},
    {{G2,  4,  1}, {B2,  4,  1}, {B3,  4,  1}, {R0,  0, 10}, {G0,  0, 10},
     {B0,  0, 10}, {R1,  0,  5}, {G3,  4,  1}, {G2,  0,  4}, {G1,  0,  5},
     {B3,  0,  1}, {G3,  0,  4}, {B1,  0,  5}, {B3,  1,  1}, {B2,  0,  4},
     {R2,  0,  5}, {B3,  2,  1}, {R3,  0,  5}, {B3,  3,  1}}},
   {0x01, 2,  7, true,  { 6,  6,  6},
    {{G2,  5,  1}, {G3,  4,  1}, {G3,  5,  1}, {R0,  0,  7}, {B3,  0,  1},
     {B3,  1,  1}, {B2,  4,  1}, {G0,  0,  7}, {B2,  5,  1}, {B3,  2,  1},
     {G2,  4,  1}, {B0,  0,  7}, {B3,  3,  1}, {B3,  5,  1}, {B3,  4,  1},
     {R1,  0,  6}, {G2,  0,  4}, {G1,  0,  6}, {G3,  0,  4}, {B1,  0,  6},
     {B2,  0,  4}, {R2,  0,  6}, {R3,  0,  6}}},
   {0x02, 2, 11, true,  { 5,  4,  4},
    {{R0,  0, 10}, {G0,  0, 10}, {B0,  0, 10}, {R1,  0,  5}, {R0, 10,  1},
     {G2,  0,  4}, {G1,  0,  4}, {G0, 10,  1}, {B3,  0,  1}, {G3,  0,  4},
     {B1,  0,  4}, {B0, 10,  1}, {B3,  1,  1}, {B2,  0,  4}, {R2,  0,  5},
     {B3,  2,  1}, {R3,  0,  5}, {B3,  3,  1}}},
   {0x03, 1, 10, false, {10, 10, 10},
    {{R0,  0, 10}, {G0,  0, 10}, {B0,  0, 10}, {R1,  0, 10}, {G1,  0, 10},
     {B1,  0, 10}}},
   {0x06, 2, 11, true,  { 4,  5,  4},
    {{R0,  0, 10}, {G0,  0, 10}, {B0,  0, 10}, {R1,  0,  4}, {R0, 10,  1},
     {G3,  4,  1}, {G2,  0,  4}, {G1,  0,  5}, {G0, 10,  1}, {G3,  0,  4},
     {B1,  0,  4}, {B0, 10,  1}, {B3,  1,  1}, {B2,  0,  4}, {R2,  0,  4},
     {B3,  0,  1}, {B3,  2,  1}, {R3,  0,  4}, {G2,  4,  1}, {B3,  3,  1}}},
   {0x07, 1, 11, true,  { 9,  9,  9},
    {{R0,  0, 10}, {G0,  0, 10}, {B0,  0, 10}, {R1,  0,  9}, {R0, 10,  1},
     {G1,  0,  9}, {G0, 10,  1}, {B1,  0,  9}, {B0, 10,  1}}},
   {0x0a, 2, 11, true,  { 4,  4,  5},
    {{R0,  0, 10}, {G0,  0, 10}, {B0,  0, 10}, {R1,  0,  4}, {R0, 10,  1},
     {B2,  4,  1}, {G2,  0,  4}, {G1,  0,  4}, {G0, 10,  1}, {B3,  0,  1},
     {G3,  0,  4}, {B1,  0,  5}, {B0, 10,  1}, {B2,  0,  4}, {R2,  0,  4},
     {B3,  1,  1}, {B3,  2,  1}, {R3,  0,  4}, {B3,  4,  1}, {B3,  3,  1}}},
   {0x0b, 1, 12, true,  { 8,  8,  8},
    {{R0,  0, 10}, {G0,  0, 10}, {B0,  0, 10}, {R1,  0,  8}, {R0, 11,  1},
     {R0, 10,  1}, {G1,  0,  8}, {G0, 11,  1}, {G0, 10,  1}, {B1,  0,  8},
     {B0, 11,  1}, {B0, 10,  1}}},
   {0x0e, 2,  9, true,  { 5,  5,  5},
    {{R0,  0,  9}, {B2,  4,  1}, {G0,  0,  9}, {G2,  4,  1}, {B0,  0,  9},
     {B3,  4,  1}, {R1,  0,  5}, {G3,  4,  1}, {G2,  0,  4}, {G1,  0,  5},
     {B3,  0,  1}, {G3,  0,  4}, {B1,  0,  5}, {B3,  1,  1}, {B2,  0,  4},
     {R2,  0,  5}, {B3,  2,  1}, {R3,  0,  5}, {B3,  3,  1}}},
   {0x0f, 1, 16, true,  { 4,  4,  4},
    {{R0,  0, 10}, {G0,  0, 10}, {B0,  0, 10}, {R1,  0,  4}, {R0, 15,  1},
     {R0, 14,  1}, {R0, 13,  1}, {R0, 12,  1}, {R0, 11,  1}, {R0, 10,  1},
     {G1,  0,  4}, {G0, 15,  1}, {G0, 14,  1}, {G0, 13,  1}, {G0, 12,  1},
     {G0, 11,  1}, {G0, 10,  1}, {B1,  0,  4}, {B0, 15,  1}, {B0, 14,  1},
     {B0, 13,  1}, {B0, 12,  1}, {B0, 11,  1}, {B0, 10,  1}}},
   {0x12, 2,  8, true,  { 6,  5,  5},
    {{R0,  0,  8}, {G3,  4,  1}, {B2,  4,  1}, {G0,  0,  8}, {B3,  2,  1},
     {G2,  4,  1}, {B0,  0,  8}, {B3,  3,  1}, {B3,  4,  1}, {R1,  0,  6},
     {G2,  0,  4}, {G1,  0,  5}, {B3,  0,  1}, {G3,  0,  4}, {B1,  0,  5},
     {B3,  1,  1}, {B2,  0,  4}, {R2,  0,  6}, {R3,  0,  6}}},
   {0x16, 2,  8, true,  { 5,  6,  5},
    {{R0,  0,  8}, {B3,  0,  1}, {B2,  4,  1}, {G0,  0,  8}, {G2,  5,  1},
     {G2,  4,  1}, {B0,  0,  8}, {G3,  5,  1}, {B3,  4,  1}, {R1,  0,  5},
     {G3,  4,  1}, {G2,  0,  4}, {G1,  0,  6}, {G3,  0,  4}, {B1,  0,  5},
     {B3,  1,  1}, {B2,  0,  4}, {R2,  0,  5}, {B3,  2,  1}, {R3,  0,  5},
     {B3,  3,  1}}},
   {0x1a, 2,  8, true,  { 5,  5,  6},
    {{R0,  0,  8}, {B3,  1,  1}, {B2,  4,  1}, {G0,  0,  8}, {B2,  5,  1},
     {G2,  4,  1}, {B0,  0,  8}, {B3,  5,  1}, {B3,  4,  1}, {R1,  0,  5},
     {G3,  4,  1}, {G2,  0,  4}, {G1,  0,  5}, {B3,  0,  1}, {G3,  0,  4},
     {B1,  0,  6}, {B2,  0,  4}, {R2,  0,  5}, {B3,  2,  1}, {R3,  0,  5},
     {B3,  3,  1}}},
   {0x1e, 2,  6, false, { 6,  6,  6},
    {{R0,  0,  6}, {G3,  4,  1}, {B3,  0,  1}, {B3,  1,  1}, {B2,  4,  1},
     {G0,  0,  6}, {G2,  5,  1}, {B2,  5,  1}, {B3,  2,  1}, {G2,  4,  1},
     {B0,  0,  6}, {G3,  5,  1}, {B3,  3,  1}, {B3,  5,  1}, {B3,  4,  1},
     {R1,  0,  6}, {G2,  0,  4}, {G1,  0,  6}, {G3,  0,  4}, {B1,  0,  6},
     {B2,  0,  4}, {R2,  0,  6}, {R3,  0,  6}}},
};
/* clang-format on */

static const struct mode *
find_mode(const uint8_t *block)
{
   const unsigned low = format_bits(block, 0, 2);
   const unsigned code = low < 2 ? low : format_bits(block, 0, 5);
   for (unsigned i = 0; i < sizeof(modes) / sizeof(*modes); i++)
      if (modes[i].code == code)
         return &modes[i];
   return NULL;
}

/* ---- end points ---------------------------------------------------------- */

static int
sign_extend(int value, unsigned bits)
{
   const int sign = 1 << (bits - 1);
   return ((value & ((sign << 1) - 1)) ^ sign) - sign;
}

/* Returns the bit after them. */
static unsigned
read_ends(const uint8_t *block, const struct mode *mode,
          int ends_out[NUM_CHANNELS])
{
   unsigned position = mode->code < 2 ? 2 : 5;
   memset(ends_out, 0, NUM_CHANNELS * sizeof(*ends_out));
   for (const struct piece *piece = mode->pieces; piece->count; piece++) {
      const uint32_t bits = format_bits(block, position, piece->count);
      ends_out[piece->channel] |= (int)(bits << piece->first);
      position += piece->count;
   }
   return position;
}

/* Differences wrap around within the bits of the first end point. */
static void
add_differences(const struct mode *mode, bool is_signed, int ends[NUM_CHANNELS])
{
   for (unsigned i = 0; i < mode->num_subsets * 6u; i++) {
      if (i >= 3 && mode->is_relative)
         ends[i] =
            (ends[i % 3] + sign_extend(ends[i], mode->other_bits[i % 3])) &
            ((1 << mode->bits) - 1);
   }
   for (unsigned i = 0; i < mode->num_subsets * 6u && is_signed; i++)
      ends[i] = sign_extend(ends[i], mode->bits);
}

/* To 16 bits, or 15 with a sign. */
static int
unquantize(int value, unsigned bits, bool is_signed)
{
   if (is_signed) {
      const int magnitude = value < 0 ? -value : value;
      int wide = ((magnitude << 15) + 0x4000) >> (bits - 1);
      if (bits >= 16 || magnitude == 0)
         wide = magnitude;
      else if (magnitude >= (1 << (bits - 1)) - 1)
         wide = 0x7fff;
      return value < 0 ? -wide : wide;
   }
   if (bits >= 15 || value == 0)
      return value;
   if (value == (1 << bits) - 1)
      return 0xffff;
   return ((value << 15) + 0x4000) >> (bits - 1);
}

/* Scales so that the greatest is the greatest finite half. */
static uint16_t
finish(int value, bool is_signed)
{
   if (!is_signed)
      return (uint16_t)(value * 31 >> 6);
   const int magnitude = (value < 0 ? -value : value) * 31 >> 5;
   return (uint16_t)(magnitude | (value < 0 ? 0x8000 : 0));
}

/* ---- blocks -------------------------------------------------------------- */

/* A reserved mode means black. */
static void
decode(const uint8_t *block, bool is_signed, uint8_t *texels)
{
   const struct mode *mode = find_mode(block);
   memset(texels, 0, 16 * 8);
   if (!mode)
      return;

   int ends[NUM_CHANNELS];
   unsigned position = read_ends(block, mode, ends);
   add_differences(mode, is_signed, ends);
   unsigned number = 0;
   if (mode->num_subsets == 2) {
      number = format_bits(block, position, 5);
      position += 5;
   }
   const struct bptc_partition *partition =
      bptc_partition(mode->num_subsets, number);
   const unsigned index_bits = mode->num_subsets == 2 ? 3 : 4;
   uint8_t indices[16];
   bptc_indices(block, position, index_bits, partition, indices);

   for (unsigned i = 0; i < 16; i++) {
      const int *pair = &ends[bptc_subset(partition, i) * 6];
      for (unsigned c = 0; c < 3; c++) {
         const int value =
            bptc_mix(unquantize(pair[c], mode->bits, is_signed),
                     unquantize(pair[c + 3], mode->bits, is_signed), indices[i],
                     index_bits);
         const uint16_t half = finish(value, is_signed);
         memcpy(texels + i * 8 + c * 2, &half, sizeof(half));
      }
   }
}

void
format_decode_bptc_float(const struct format_info *info, const uint8_t *block,
                         uint8_t *texels)
{
   (void)info;
   decode(block, true, texels);
}

void
format_decode_bptc_ufloat(const struct format_info *info, const uint8_t *block,
                          uint8_t *texels)
{
   (void)info;
   decode(block, false, texels);
}
