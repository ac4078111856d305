/* SPDX-License-Identifier: MIT
 *
 * Bounded integer sequence decoding of ASTC, and what the numbers stand for.
 */
#include "format/astc_sequence.h"

#include <assert.h>
#include <string.h>

#include "format/blocks.h"
#include "util/length.h"

const struct astc_range astc_ranges[ASTC_NUM_RANGES] = {
   {1, 1}, {0, 3}, {2, 1}, {0, 5}, {1, 3}, {3, 1}, {1, 5},
   {2, 3}, {4, 1}, {2, 5}, {3, 3}, {5, 1}, {3, 5}, {4, 3},
   {6, 1}, {4, 5}, {5, 3}, {7, 1}, {5, 5}, {6, 3}, {8, 1},
};

/* ---- sequences ----------------------------------------------------------- */

/* Five digits to base 3 have 8 bits, three to base 5 have 7. */
unsigned
astc_sequence_bits(unsigned range, unsigned count)
{
   assert(range < TG_LENGTH(astc_ranges));
   const struct astc_range *row = &astc_ranges[range];
   const unsigned own = row->bits * count;
   switch (row->base) {
   case 3: return own + (8 * count + 4) / 5;
   case 5: return own + (7 * count + 2) / 3;
   default: return own;
   }
}

static unsigned
bit(unsigned bits, unsigned number)
{
   assert(number < 32);
   return bits >> number & 1;
}

static void
unpack_base3(unsigned bits, uint8_t digits[5])
{
   unsigned rest;
   if ((bits >> 2 & 7) == 7) {
      rest = bits >> 5 << 2 | (bits & 3);
      digits[4] = digits[3] = 2;
   } else {
      rest = bits & 31;
      if ((bits >> 5 & 3) == 3) {
         digits[4] = 2;
         digits[3] = (uint8_t)bit(bits, 7);
      } else {
         digits[4] = (uint8_t)bit(bits, 7);
         digits[3] = bits >> 5 & 3;
      }
   }
   if ((rest & 3) == 3) {
      digits[2] = 2;
      digits[1] = (uint8_t)bit(rest, 4);
      digits[0] = (uint8_t)(bit(rest, 3) << 1 | (bit(rest, 2) & ~bit(rest, 3)));
   } else if ((rest >> 2 & 3) == 3) {
      digits[2] = digits[1] = 2;
      digits[0] = rest & 3;
   } else {
      digits[2] = (uint8_t)bit(rest, 4);
      digits[1] = rest >> 2 & 3;
      digits[0] = (uint8_t)(bit(rest, 1) << 1 | (bit(rest, 0) & ~bit(rest, 1)));
   }
}

static void
unpack_base5(unsigned bits, uint8_t digits[3])
{
   unsigned rest;
   if ((bits >> 1 & 3) == 3 && (bits >> 5 & 3) == 0) {
      const unsigned low = bit(bits, 0);
      digits[1] = digits[0] = 4;
      digits[2] = (uint8_t)(low << 2 | (bit(bits, 4) & ~low) << 1 |
                            (bit(bits, 3) & ~low));
      return;
   }
   if ((bits >> 1 & 3) == 3) {
      digits[2] = 4;
      rest = (bits >> 3 & 3) << 3 | (~(bits >> 5) & 3) << 1 | (bits & 1);
   } else {
      digits[2] = bits >> 5 & 3;
      rest = bits & 31;
   }
   if ((rest & 7) == 5) {
      digits[1] = 4;
      digits[0] = (uint8_t)(rest >> 3);
   } else {
      digits[1] = (uint8_t)(rest >> 3);
      digits[0] = rest & 7;
   }
}

/* How many bits of the digits follow each number's own. */
static const uint8_t base3_bits[5] = {2, 2, 1, 2, 1};
static const uint8_t base5_bits[3] = {3, 2, 2};

/* One group of five or three numbers, or the first `count` of it: bits that
 * would belong to the others are 0. Returns the bit after it. */
static unsigned
read_group(const uint8_t *block, unsigned first, const struct astc_range *range,
           unsigned count, uint8_t *numbers_out)
{
   const uint8_t *shared = range->base == 3 ? base3_bits : base5_bits;
   unsigned own[5], digit_bits = 0, num_digit_bits = 0;
   uint8_t digits[5];
   for (unsigned i = 0; i < count; i++) {
      own[i] = format_bits(block, first, range->bits);
      first += range->bits;
      digit_bits |= format_bits(block, first, shared[i]) << num_digit_bits;
      first += shared[i];
      num_digit_bits += shared[i];
   }
   if (range->base == 3)
      unpack_base3(digit_bits, digits);
   else
      unpack_base5(digit_bits, digits);
   for (unsigned i = 0; i < count; i++)
      numbers_out[i] = (uint8_t)(digits[i] << range->bits | own[i]);
   return first;
}

void
astc_read_sequence(const uint8_t *block, unsigned first, unsigned range,
                   unsigned count, uint8_t *numbers_out)
{
   assert(range < TG_LENGTH(astc_ranges));
   const struct astc_range *row = &astc_ranges[range];
   const unsigned group = row->base == 3 ? 5 : row->base == 5 ? 3 : 1;
   for (unsigned i = 0; i < count; i += group) {
      if (row->base == 1) {
         numbers_out[i] = (uint8_t)format_bits(block, first, row->bits);
         first += row->bits;
      } else {
         const unsigned left = count - i < group ? count - i : group;
         first = read_group(block, first, row, left, numbers_out + i);
      }
   }
}

/* ---- what numbers stand for ---------------------------------------------- */

/* Repeats the bits from the highest down. */
static unsigned
repeat(unsigned value, unsigned bits, unsigned wanted)
{
   unsigned result = 0;
   for (int shift = (int)wanted - (int)bits; shift > -(int)bits;
        shift -= (int)bits)
      result |= shift >= 0 ? value << shift : value >> -shift;
   return result;
}

/* Numbers with a digit are spread so: the lowest bit inverts, the others add
 * `pattern`, which has them at the places that the letters show, and the digit
 * counts `step`s. Letters b to f are bits 1 to 5. */
struct spread {
   uint8_t step;
   const char *pattern;
};

static unsigned
place_bits(const char *pattern, unsigned number)
{
   unsigned placed = 0;
   for (; *pattern; pattern++)
      placed = placed << 1 |
               (*pattern == '0' ? 0 : bit(number, (unsigned)(*pattern - 'a')));
   return placed;
}

static unsigned
spread_number(const struct spread *spread, unsigned number, unsigned num_bits,
              unsigned result_bits)
{
   const unsigned digit = number >> num_bits;
   const unsigned sum =
      digit * spread->step + place_bits(spread->pattern, number);
   const unsigned all = (1u << (result_bits + 1)) - 1;
   const unsigned inverted = sum ^ (number & 1 ? all : 0);
   const unsigned high = number & 1 ? 1u << (result_bits - 1) : 0;
   return high | inverted >> 2;
}

uint8_t
astc_color(unsigned range, unsigned number)
{
   assert(range < TG_LENGTH(astc_ranges));
   static const struct spread base3[7] = {
      [1] = {204, "000000000"}, {93, "b000b0bb0"}, {44, "cb000cbcb"},
      {22, "dcb000dcb"},        {11, "edcb000ed"}, {5, "fedcb000f"},
   };
   static const struct spread base5[6] = {
      [1] = {113, "000000000"}, {54, "b0000bb00"}, {26, "cb0000cbc"},
      {13, "dcb0000dc"},        {6, "edcb0000e"},
   };
   const struct astc_range *row = &astc_ranges[range];
   if (row->base == 1)
      return (uint8_t)repeat(number, row->bits, 8);
   const struct spread *spread =
      row->base == 3 ? &base3[row->bits] : &base5[row->bits];
   return (uint8_t)spread_number(spread, number, row->bits, 8);
}

uint8_t
astc_weight(unsigned range, unsigned number)
{
   assert(range < TG_LENGTH(astc_ranges));
   static const struct spread base3[4] = {
      [1] = {50, "0000000"},
      {23, "b000b0b"},
      {11, "cb000cb"},
   };
   static const struct spread base5[3] = {
      [1] = {28, "0000000"},
      {13, "b0000b0"},
   };
   static const uint8_t alone[2][5] = {{0, 32, 63}, {0, 16, 32, 47, 63}};
   const struct astc_range *row = &astc_ranges[range];
   unsigned weight;
   if (row->base == 1)
      weight = repeat(number, row->bits, 6);
   else if (row->bits == 0)
      weight = alone[row->base == 5][number];
   else
      weight =
         spread_number(row->base == 3 ? &base3[row->bits] : &base5[row->bits],
                       number, row->bits, 6);
   return (uint8_t)(weight + (weight > 32));
}
