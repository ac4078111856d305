/* SPDX-License-Identifier: MIT
 *
 * ASTC blocks of two dimensions with low dynamic range, as the Khronos Data
 * Format specification has them:
 *
 *   bits 0-10    size of the grid of weights, their range, one plane or two
 *   bits 11-12   partitions, less 1; with more than one, which ones
 *   then         kinds of end points, and their numbers, from below
 *   from above   weights, bit-reversed; below them the rest of the kinds and
 *                the channel that the second plane is for
 *
 * A block that is not allowed, or wants high dynamic range, is magenta. Of the
 * 16 bits that a channel is interpolated to, the upper 8 are kept: this is what
 * the decode mode of 8 bits means.
 */
#include <assert.h>
#include <string.h>

#include "format/astc_sequence.h"
#include "format/blocks.h"
#include "util/length.h"

enum {
   MAX_WEIGHTS = 64,
   MAX_WEIGHT_BITS = 96,
   MIN_WEIGHT_BITS = 24,
   MAX_COLOR_NUMBERS = 18,
   MAX_PARTITIONS = 4,
   GRID_STRIDE = 12 + 1, /* the greatest grid, and one column to read */
};

struct ends {
   int color[2][4];
   bool is_error; /* of high dynamic range */
};

struct astc {
   const struct format_info *info;
   const uint8_t *block;

   unsigned grid_width, grid_height;
   unsigned weight_range;
   bool has_two_planes;
   unsigned second_plane; /* the channel that it is for */
   unsigned num_weights, weight_bits;

   unsigned num_partitions, partition;
   unsigned kind[MAX_PARTITIONS];
   unsigned first_color_bit, num_color_bits;

   struct ends ends[MAX_PARTITIONS];
   uint8_t weights[2][GRID_STRIDE * GRID_STRIDE];
};

static void
fill(const struct format_info *info, const uint8_t color[4], uint8_t *texels)
{
   const unsigned count = info->block_width * info->block_height;
   for (unsigned i = 0; i < count; i++)
      memcpy(texels + i * 4, color, 4);
}

/* ---- constant blocks ----------------------------------------------------- */

static bool
is_constant(const uint8_t *block)
{
   return format_bits(block, 0, 9) == 0x1fc;
}

/* Two bits of ones, and an extent: all ones, or first below last. */
static bool
constant_is_allowed(const uint8_t *block)
{
   uint32_t extent[4];
   bool is_none = true;
   for (unsigned i = 0; i < 4; i++) {
      extent[i] = format_bits(block, 12 + 13 * i, 13);
      is_none &= extent[i] == 0x1fff;
   }
   const bool is_high_range = format_bits(block, 9, 1);
   const bool has_extent = extent[0] < extent[1] && extent[2] < extent[3];
   return !is_high_range && format_bits(block, 10, 2) == 3 &&
          (is_none || has_extent);
}

static bool
decode_constant(const struct format_info *info, const uint8_t *block,
                uint8_t *texels)
{
   if (!constant_is_allowed(block))
      return false;
   const uint8_t color[4] = {block[9], block[11], block[13], block[15]};
   fill(info, color, texels);
   return true;
}

/* ---- the grid of weights ------------------------------------------------- */

/* The grid's width and height, which a mode says with two numbers of two bits
 * in one of nine ways. False if it says nothing, or more than the block has. */
static bool
read_size(struct astc *astc, uint32_t mode)
{
   const unsigned a = mode >> 5 & 3, b = mode >> 7 & 3;
   unsigned width, height;
   if (mode & 3) {
      switch (mode >> 2 & 3) {
      case 0: width = b + 4, height = a + 2; break;
      case 1: width = b + 8, height = a + 2; break;
      case 2: width = a + 2, height = b + 8; break;
      default:
         width = b < 2 ? a + 2 : (b & 1) + 2;
         height = b < 2 ? b + 6 : a + 2;
         break;
      }
   } else {
      switch (b) {
      case 0: width = 12, height = a + 2; break;
      case 1: width = a + 2, height = 12; break;
      case 2: width = a + 6, height = (mode >> 9 & 3) + 6; break;
      default:
         if (a > 1)
            return false;
         width = a == 0 ? 6 : 10;
         height = a == 0 ? 10 : 6;
         break;
      }
   }
   astc->grid_width = width;
   astc->grid_height = height;
   return width <= astc->info->block_width &&
          height <= astc->info->block_height;
}

static bool
read_mode(struct astc *astc)
{
   const uint32_t mode = format_bits(astc->block, 0, 11);
   const uint32_t range_high = mode & 3 ? mode & 3 : mode >> 2 & 3;
   const uint32_t range = range_high << 1 | (mode >> 4 & 1);
   const bool has_flags = mode & 3 || (mode >> 7 & 3) != 2;
   const bool is_precise = has_flags && mode >> 9 & 1;
   if (range < 2 || !read_size(astc, mode))
      return false;

   astc->has_two_planes = has_flags && mode >> 10 & 1;
   astc->weight_range = range - 2 + (is_precise ? 6 : 0);
   astc->num_weights =
      astc->grid_width * astc->grid_height * (1u + astc->has_two_planes);
   if (astc->num_weights > MAX_WEIGHTS)
      return false;
   astc->weight_bits =
      astc_sequence_bits(astc->weight_range, astc->num_weights);
   return astc->weight_bits >= MIN_WEIGHT_BITS &&
          astc->weight_bits <= MAX_WEIGHT_BITS;
}

/* From the last bit of the block down; planes take turns. */
static void
read_weights(struct astc *astc)
{
   uint8_t reversed[16], numbers[MAX_WEIGHTS];
   for (unsigned i = 0; i < 16; i++) {
      unsigned byte = 0;
      for (unsigned b = 0; b < 8; b++)
         byte |= (astc->block[15 - i] >> b & 1u) << (7 - b);
      reversed[i] = (uint8_t)byte;
   }
   astc_read_sequence(reversed, 0, astc->weight_range, astc->num_weights,
                      numbers);
   const unsigned num_planes = 1u + astc->has_two_planes;
   for (unsigned i = 0; i < astc->num_weights; i++) {
      const unsigned at = i / num_planes;
      const unsigned x = at % astc->grid_width, y = at / astc->grid_width;
      astc->weights[i % num_planes][y * GRID_STRIDE + x] =
         astc_weight(astc->weight_range, numbers[i]);
   }
}

/* The grid stretched over the block, in 16ths of its steps. Beyond the last
 * column and row there are weights that count 0 times. */
static int
weight_at(const struct astc *astc, unsigned plane, unsigned x, unsigned y)
{
   assert(plane < TG_LENGTH(astc->weights));
   const unsigned width = astc->info->block_width;
   const unsigned height = astc->info->block_height;
   const unsigned scale_x = (1024 + width / 2) / (width - 1);
   const unsigned scale_y = (1024 + height / 2) / (height - 1);
   const unsigned grid_x = (scale_x * x * (astc->grid_width - 1) + 32) >> 6;
   const unsigned grid_y = (scale_y * y * (astc->grid_height - 1) + 32) >> 6;
   const unsigned fx = grid_x & 15, fy = grid_y & 15;
   const uint8_t *at =
      astc->weights[plane] + (grid_y >> 4) * GRID_STRIDE + (grid_x >> 4);

   const unsigned both = (fx * fy + 8) >> 4;
   const unsigned sum = at[0] * (16 - fx - fy + both) + at[1] * (fx - both) +
                        at[GRID_STRIDE] * (fy - both) +
                        at[GRID_STRIDE + 1] * both;
   return (int)((sum + 8) >> 4);
}

/* ---- kinds of end points ------------------------------------------------- */

/* One kind for all partitions, or kinds of one class or the next: a bit for
 * each partition's class, then two for the rest. */
static void
read_kinds(struct astc *astc)
{
   unsigned above = 128 - astc->weight_bits;
   astc->num_partitions = format_bits(astc->block, 11, 2) + 1;
   if (astc->num_partitions == 1) {
      astc->kind[0] = format_bits(astc->block, 13, 4);
      astc->first_color_bit = 17;
   } else {
      const unsigned n = astc->num_partitions;
      const uint32_t low = format_bits(astc->block, 23, 6);
      astc->partition = format_bits(astc->block, 13, 10);
      astc->first_color_bit = 29;
      if ((low & 3) == 0) {
         for (unsigned i = 0; i < n; i++)
            astc->kind[i] = low >> 2;
      } else {
         above -= 3 * n - 4;
         const uint32_t bits =
            (low | format_bits(astc->block, above, 3 * n - 4) << 6) >> 2;
         for (unsigned i = 0; i < n; i++)
            astc->kind[i] = ((low & 3) - 1 + (bits >> i & 1)) << 2 |
                            (bits >> (n + 2 * i) & 3);
      }
   }
   if (astc->has_two_planes) {
      above -= 2;
      astc->second_plane = format_bits(astc->block, above, 2);
   }
   astc->num_color_bits =
      above > astc->first_color_bit ? above - astc->first_color_bit : 0;
}

static unsigned
numbers_of(unsigned kind)
{
   return 2 * (kind >> 2) + 2;
}

/* ---- end points ---------------------------------------------------------- */

static void
set(int color[4], int r, int g, int b, int a)
{
   color[0] = format_clamp255(r);
   color[1] = format_clamp255(g);
   color[2] = format_clamp255(b);
   color[3] = format_clamp255(a);
}

/* Red and green halfway to blue. */
static void
set_contracted(int color[4], int r, int g, int b, int a)
{
   set(color, (r + b) >> 1, (g + b) >> 1, b, a);
}

/* A number and a signed difference from it, whose top bits are exchanged. */
static void
split_difference(int *base, int *difference)
{
   *base = *base >> 1 | (*difference & 0x80);
   *difference = *difference >> 1 & 0x3f;
   if (*difference & 0x20)
      *difference -= 0x40;
}

/* Two colours; the smaller sum first, or else contracted. */
static void
set_direct(int color[2][4], const int v[6], int a0, int a1)
{
   if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4]) {
      set(color[0], v[0], v[2], v[4], a0);
      set(color[1], v[1], v[3], v[5], a1);
   } else {
      set_contracted(color[0], v[1], v[3], v[5], a1);
      set_contracted(color[1], v[0], v[2], v[4], a0);
   }
}

/* A colour and differences, whose sum says the same. */
static void
set_relative(int color[2][4], const int v[6], int a0, int a1)
{
   if (v[1] + v[3] + v[5] >= 0) {
      set(color[0], v[0], v[2], v[4], a0);
      set(color[1], v[0] + v[1], v[2] + v[3], v[4] + v[5], a1);
   } else {
      set_contracted(color[0], v[0] + v[1], v[2] + v[3], v[4] + v[5], a1);
      set_contracted(color[1], v[0], v[2], v[4], a0);
   }
}

static void
set_scaled(int color[2][4], const int v[4], int a0, int a1)
{
   set(color[0], v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, a0);
   set(color[1], v[0], v[1], v[2], a1);
}

static void
make_ends(unsigned kind, const uint8_t *numbers, struct ends *out)
{
   assert(kind < 16);
   int v[8] = {0};
   for (unsigned i = 0; i < numbers_of(kind); i++)
      v[i] = numbers[i];
   /* Kinds 5, 9 and 13 are all pairs of a number and a difference. */
   for (unsigned i = 0; i < 8 && (kind == 5 || kind == 9 || kind == 13); i += 2)
      split_difference(&v[i], &v[i + 1]);

   out->is_error = false;
   switch (kind) {
   case 0: /* luminance */
      set(out->color[0], v[0], v[0], v[0], 255);
      set(out->color[1], v[1], v[1], v[1], 255);
      break;
   case 1: { /* luminance and what is added */
      const int low = v[0] >> 2 | (v[1] & 0xc0);
      const int high = low + (v[1] & 0x3f);
      set(out->color[0], low, low, low, 255);
      set(out->color[1], high, high, high, 255);
      break;
   }
   case 4: /* luminance and alpha */
      set(out->color[0], v[0], v[0], v[0], v[2]);
      set(out->color[1], v[1], v[1], v[1], v[3]);
      break;
   case 5: { /* both with differences */
      const int sum = v[0] + v[1];
      set(out->color[0], v[0], v[0], v[0], v[2]);
      set(out->color[1], sum, sum, sum, v[2] + v[3]);
      break;
   }
   case 6: set_scaled(out->color, v, 255, 255); break;
   case 8: set_direct(out->color, v, 255, 255); break;
   case 9: set_relative(out->color, v, 255, 255); break;
   case 10: set_scaled(out->color, v, v[4], v[5]); break;
   case 12: set_direct(out->color, v, v[6], v[7]); break;
   case 13: set_relative(out->color, v, v[6], v[6] + v[7]); break;
   default: out->is_error = true; break;
   }
}

/* The widest range that the bits suffice for; none is an error. */
static bool
read_ends(struct astc *astc)
{
   unsigned count = 0;
   for (unsigned i = 0; i < astc->num_partitions; i++)
      count += numbers_of(astc->kind[i]);
   unsigned range = ASTC_NUM_RANGES - 1;
   while (astc_sequence_bits(range, count) > astc->num_color_bits &&
          range >= ASTC_FIRST_COLOR_RANGE)
      range--;
   if (count > MAX_COLOR_NUMBERS || range < ASTC_FIRST_COLOR_RANGE)
      return false;

   uint8_t numbers[MAX_COLOR_NUMBERS];
   astc_read_sequence(astc->block, astc->first_color_bit, range, count,
                      numbers);
   for (unsigned i = 0; i < count; i++)
      numbers[i] = astc_color(range, numbers[i]);
   const uint8_t *next = numbers;
   for (unsigned i = 0; i < astc->num_partitions; i++) {
      make_ends(astc->kind[i], next, &astc->ends[i]);
      next += numbers_of(astc->kind[i]);
   }
   return true;
}

/* ---- partitions ---------------------------------------------------------- */

static uint32_t
hash(uint32_t x)
{
   x ^= x >> 15;
   x *= 0xeede0891; /* (1 - 2^17) (1 + 2^7) (1 + 2^4) */
   x ^= x >> 5;
   x += x << 16;
   x ^= x >> 7;
   x ^= x >> 3;
   x ^= x << 6;
   x ^= x >> 17;
   return x;
}

/* Four planes over the block, slanted by the hash; a texel belongs to the
 * highest one. Small blocks have their texels twice as far apart. */
static unsigned
partition_of(const struct astc *astc, unsigned x, unsigned y)
{
   const unsigned n = astc->num_partitions;
   if (n == 1)
      return 0;
   const uint32_t seed = astc->partition + (n - 1) * 1024;
   const uint32_t random = hash(seed);
   const unsigned by_seed = seed & 2 ? 4 : 5;
   const unsigned by_count = n == 3 ? 6 : 5;
   const unsigned shift[2] = {seed & 1 ? by_seed : by_count,
                              seed & 1 ? by_count : by_seed};
   if (astc->info->block_width * astc->info->block_height < 31) {
      x *= 2;
      y *= 2;
   }

   unsigned best = 0, highest = 0;
   for (unsigned i = 0; i < n; i++) {
      const uint32_t a = random >> (8 * i) & 15;
      const uint32_t b = random >> (8 * i + 4) & 15;
      const uint32_t height = (a * a >> shift[0]) * x +
                              (b * b >> shift[1]) * y +
                              (random >> (14 - 4 * i));
      if ((height & 63) > highest || i == 0) {
         highest = height & 63;
         best = i;
      }
   }
   return best;
}

/* ---- texels -------------------------------------------------------------- */

/* Linear channels reach 65535 at 255; those of sRGB are filled up with a half.
 */
static int
widen(const struct astc *astc, unsigned channel, int value)
{
   const bool is_srgb =
      astc->info->colorspace == FORMAT_COLORSPACE_SRGB && channel < 3;
   return value << 8 | (is_srgb ? 0x80 : value);
}

static void
put(const struct astc *astc, unsigned x, unsigned y, uint8_t *texel)
{
   static const uint8_t magenta[4] = {255, 0, 255, 255};
   const struct ends *ends = &astc->ends[partition_of(astc, x, y)];
   if (ends->is_error) {
      memcpy(texel, magenta, 4);
      return;
   }
   const int weights[2] = {
      weight_at(astc, 0, x, y),
      astc->has_two_planes ? weight_at(astc, 1, x, y) : 0,
   };
   for (unsigned c = 0; c < 4; c++) {
      const bool is_second = astc->has_two_planes && c == astc->second_plane;
      const int weight = weights[is_second];
      const int first = widen(astc, c, ends->color[0][c]);
      const int second = widen(astc, c, ends->color[1][c]);
      const int mixed = (first * (64 - weight) + second * weight + 32) >> 6;
      texel[c] = (uint8_t)(mixed >> 8);
   }
}

static bool
decode_grid(struct astc *astc, uint8_t *texels)
{
   if (!read_mode(astc))
      return false;
   read_kinds(astc);
   if ((astc->has_two_planes && astc->num_partitions == MAX_PARTITIONS) ||
       !read_ends(astc))
      return false;
   read_weights(astc);
   for (unsigned y = 0; y < astc->info->block_height; y++)
      for (unsigned x = 0; x < astc->info->block_width; x++)
         put(astc, x, y, texels + (y * astc->info->block_width + x) * 4);
   return true;
}

void
format_decode_astc(const struct format_info *info, const uint8_t *block,
                   uint8_t *texels)
{
   static const uint8_t magenta[4] = {255, 0, 255, 255};
   struct astc astc = {.info = info, .block = block};
   const bool is_decoded = is_constant(block)
                              ? decode_constant(info, block, texels)
                              : decode_grid(&astc, texels);
   if (!is_decoded)
      fill(info, magenta, texels);
}
