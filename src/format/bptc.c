/* SPDX-License-Identifier: MIT
 *
 * BPTC of 8 bits a channel (BC7), as the Khronos Data Format specification has
 * it. The number of zeros before the first one is the mode, which says what
 * follows: partition, rotation, which index alpha takes, end points channel by
 * channel, their last bits, indices.
 */
#include <assert.h>
#include <string.h>

#include "format/bptc.h"
#include "util/length.h"

/* clang-format off */
static const struct bptc_partition two_subsets[64] = {
   {{0xcccc}, {15}}, {{0x8888}, {15}}, {{0xeeee}, {15}},
   {{0xecc8}, {15}}, {{0xc880}, {15}}, {{0xfeec}, {15}},
   {{0xfec8}, {15}}, {{0xec80}, {15}}, {{0xc800}, {15}},
   {{0xffec}, {15}}, {{0xfe80}, {15}}, {{0xe800}, {15}},
   {{0xffe8}, {15}}, {{0xff00}, {15}}, {{0xfff0}, {15}},
   {{0xf000}, {15}}, {{0xf710}, {15}}, {{0x008e}, {2}},
   {{0x7100}, {8}}, {{0x08ce}, {2}}, {{0x008c}, {2}},
   {{0x7310}, {8}}, {{0x3100}, {8}}, {{0x8cce}, {15}},
   {{0x088c}, {2}}, {{0x3110}, {8}}, {{0x6666}, {2}},
   {{0x366c}, {2}}, {{0x17e8}, {8}}, {{0x0ff0}, {8}},
   {{0x718e}, {2}}, {{0x399c}, {2}}, {{0xaaaa}, {15}},
   {{0xf0f0}, {15}}, {{0x5a5a}, {6}}, {{0x33cc}, {8}},
   {{0x3c3c}, {2}}, {{0x55aa}, {8}}, {{0x9696}, {15}},
   {{0xa55a}, {15}}, {{0x73ce}, {2}}, {{0x13c8}, {8}},
   {{0x324c}, {2}}, {{0x3bdc}, {2}}, {{0x6996}, {2}},
   {{0xc33c}, {15}}, {{0x9966}, {15}}, {{0x0660}, {6}},
   {{0x0272}, {6}}, {{0x04e4}, {2}}, {{0x4e40}, {6}},
   {{0x2720}, {8}}, {{0xc936}, {15}}, {{0x936c}, {15}},
   {{0x39c6}, {2}}, {{0x639c}, {2}}, {{0x9336}, {15}},
   {{0x9cc6}, {15}}, {{0x817e}, {15}}, {{0xe718}, {15}},
   {{0xccf0}, {15}}, {{0x0fcc}, {2}}, {{0x7744}, {2}},
   {{0xee22}, {15}},
};

static const struct bptc_partition three_subsets[64] = {
   {{0x08cc, 0xf600}, {3, 15}}, {{0x8cc8, 0x7300}, {3, 8}},
   {{0xcc80, 0x3310}, {15, 8}}, {{0xec00, 0x00ce}, {15, 3}},
   {{0x3300, 0xcc00}, {8, 15}}, {{0x00cc, 0xcc00}, {3, 15}},
   {{0xff00, 0x00cc}, {15, 3}}, {{0xcccc, 0x3300}, {15, 8}},
   {{0x0f00, 0xf000}, {8, 15}}, {{0x0ff0, 0xf000}, {8, 15}},
   {{0x00f0, 0xff00}, {6, 15}}, {{0x4444, 0x8888}, {6, 15}},
   {{0x6666, 0x8888}, {6, 15}}, {{0x2222, 0xcccc}, {5, 15}},
   {{0x136c, 0xec80}, {3, 15}}, {{0x008c, 0x7310}, {3, 8}},
   {{0x36c8, 0xc800}, {3, 15}}, {{0x08ce, 0x3100}, {3, 8}},
   {{0x3330, 0xccc0}, {8, 15}}, {{0xf000, 0x0ccc}, {15, 3}},
   {{0x00ee, 0xee00}, {3, 15}}, {{0x8888, 0x7700}, {3, 8}},
   {{0x22c0, 0xcc00}, {6, 15}}, {{0x4430, 0x3300}, {10, 8}},
   {{0x0c22, 0x00cc}, {5, 3}}, {{0x0344, 0xfc88}, {8, 15}},
   {{0x6996, 0x0660}, {8, 6}}, {{0x9960, 0x6600}, {6, 10}},
   {{0x0330, 0xc88c}, {8, 15}}, {{0x0066, 0xf900}, {5, 15}},
   {{0xc22c, 0x0cc0}, {15, 10}}, {{0x8c00, 0x7310}, {15, 8}},
   {{0x1300, 0xec80}, {8, 15}}, {{0xc400, 0x08ce}, {15, 3}},
   {{0x004c, 0xec80}, {3, 15}}, {{0x2222, 0x4444}, {5, 10}},
   {{0x00f0, 0x0f00}, {6, 10}}, {{0x2492, 0x4924}, {10, 8}},
   {{0x2942, 0x4294}, {8, 9}}, {{0xc30c, 0x0c30}, {15, 10}},
   {{0xc03c, 0x03c0}, {15, 6}}, {{0x00aa, 0xff00}, {3, 15}},
   {{0xaa00, 0x5500}, {15, 8}}, {{0x3030, 0xcccc}, {5, 15}},
   {{0xc0c0, 0x0c0c}, {15, 3}}, {{0x9090, 0x6666}, {15, 6}},
   {{0xa00a, 0x0ff0}, {15, 6}}, {{0xaaa0, 0x5550}, {15, 8}},
   {{0x0aaa, 0xf000}, {3, 15}}, {{0xe0e0, 0x0e0e}, {15, 3}},
   {{0x7070, 0x8888}, {5, 15}}, {{0x6660, 0x9990}, {5, 15}},
   {{0x0ee0, 0xe00e}, {5, 15}}, {{0x0770, 0x8888}, {8, 15}},
   {{0x0666, 0xf000}, {5, 15}}, {{0x6600, 0x9900}, {10, 15}},
   {{0x0066, 0xff00}, {5, 15}}, {{0x0cc0, 0xc00c}, {10, 15}},
   {{0x0330, 0xcccc}, {8, 15}}, {{0x6000, 0x9000}, {13, 15}},
   {{0x8080, 0x0808}, {15, 3}}, {{0x1010, 0xeeee}, {12, 15}},
   {{0x000a, 0xfff0}, {3, 15}}, {{0x08ce, 0x7310}, {3, 8}},
};
/* clang-format on */

const struct bptc_partition *
bptc_partition(unsigned num_subsets, unsigned number)
{
   assert(num_subsets >= 1 && num_subsets <= 3);
   assert(number < 64);
   static const struct bptc_partition whole = {0};
   return num_subsets == 1   ? &whole
          : num_subsets == 2 ? &two_subsets[number]
                             : &three_subsets[number];
}

/* ---- indices ------------------------------------------------------------- */

unsigned
bptc_indices(const uint8_t *block, unsigned first, unsigned bits,
             const struct bptc_partition *partition, uint8_t indices_out[16])
{
   for (unsigned i = 0; i < 16; i++) {
      const bool is_anchor =
         i == 0 || i == partition->anchor[0] || i == partition->anchor[1];
      const unsigned count = bits - is_anchor;
      indices_out[i] = (uint8_t)format_bits(block, first, count);
      first += count;
   }
   return first;
}

int
bptc_mix(int first, int second, unsigned index, unsigned bits)
{
   assert(bits >= 2 && bits <= 4 && index < 1u << bits);
   static const uint8_t weights[3][16] = {
      {0, 21, 43, 64},
      {0, 9, 18, 27, 37, 46, 55, 64},
      {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64},
   };
   const int weight = weights[bits - 2][index];
   return ((64 - weight) * first + weight * second + 32) >> 6;
}

/* ---- modes --------------------------------------------------------------- */

enum last_bits { LAST_NONE, LAST_OF_ENDS, LAST_OF_SUBSETS };

struct mode {
   uint8_t num_subsets;
   uint8_t partition_bits, rotation_bits, selection_bits;
   uint8_t color_bits, alpha_bits;
   uint8_t last; /* enum last_bits: a lowest bit of all channels */
   uint8_t index_bits, second_index_bits;
};

static const struct mode modes[8] = {
   {3, 4, 0, 0, 4, 0, LAST_OF_ENDS, 3, 0},
   {2, 6, 0, 0, 6, 0, LAST_OF_SUBSETS, 3, 0},
   {3, 6, 0, 0, 5, 0, LAST_NONE, 2, 0},
   {2, 6, 0, 0, 7, 0, LAST_OF_ENDS, 2, 0},
   {1, 0, 2, 1, 5, 6, LAST_NONE, 2, 3},
   {1, 0, 2, 0, 7, 8, LAST_NONE, 2, 2},
   {1, 0, 0, 0, 7, 7, LAST_OF_ENDS, 4, 0},
   {2, 6, 0, 0, 5, 5, LAST_OF_ENDS, 2, 0},
};

/* Reads a block from its beginning. */
struct reader {
   const uint8_t *block;
   unsigned position;
};

static unsigned
take(struct reader *reader, unsigned count)
{
   const unsigned bits = format_bits(reader->block, reader->position, count);
   reader->position += count;
   return bits;
}

/* To 8 bits, repeating the highest ones. */
static int
extend(unsigned value, unsigned bits)
{
   value <<= 8 - bits;
   return (int)(value | value >> bits);
}

/* Two ends for each subset. */
static void
read_ends(struct reader *reader, const struct mode *mode, int ends_out[6][4])
{
   const unsigned num_ends = mode->num_subsets * 2u;
   unsigned raw[4][6], last[6] = {0};
   for (unsigned c = 0; c < 4; c++)
      for (unsigned i = 0; i < num_ends; i++)
         raw[c][i] = take(reader, c < 3 ? mode->color_bits : mode->alpha_bits);
   for (unsigned i = 0; i < num_ends && mode->last; i++)
      last[i] =
         i % 2 && mode->last == LAST_OF_SUBSETS ? last[i - 1] : take(reader, 1);
   for (unsigned i = 0; i < num_ends; i++) {
      for (unsigned c = 0; c < 4; c++) {
         const unsigned bits = c < 3 ? mode->color_bits : mode->alpha_bits;
         if (!bits)
            ends_out[i][c] = 255;
         else if (mode->last)
            ends_out[i][c] = extend(raw[c][i] << 1 | last[i], bits + 1);
         else
            ends_out[i][c] = extend(raw[c][i], bits);
      }
   }
}

struct indices {
   uint8_t color[16], alpha[16];
   unsigned color_bits, alpha_bits;
};

/* Without a second set the first is for all channels. */
static void
read_indices(struct reader *reader, const struct mode *mode, bool is_swapped,
             const struct bptc_partition *partition, struct indices *out)
{
   struct indices indices = {
      .color_bits = mode->index_bits,
      .alpha_bits =
         mode->second_index_bits ? mode->second_index_bits : mode->index_bits,
   };
   const unsigned next =
      bptc_indices(reader->block, reader->position, mode->index_bits, partition,
                   indices.color);
   if (mode->second_index_bits)
      bptc_indices(reader->block, next, mode->second_index_bits, partition,
                   indices.alpha);
   else
      memcpy(indices.alpha, indices.color, sizeof(indices.alpha));
   *out = indices;
   if (is_swapped) {
      memcpy(out->color, indices.alpha, sizeof(out->color));
      memcpy(out->alpha, indices.color, sizeof(out->alpha));
      out->color_bits = indices.alpha_bits;
      out->alpha_bits = indices.color_bits;
   }
}

static void
put(uint8_t *texel, int ends[2][4], const struct indices *indices, unsigned i,
    unsigned rotation)
{
   assert(i < TG_LENGTH(indices->color));
   for (unsigned c = 0; c < 3; c++)
      texel[c] = (uint8_t)bptc_mix(ends[0][c], ends[1][c], indices->color[i],
                                   indices->color_bits);
   texel[3] = (uint8_t)bptc_mix(ends[0][3], ends[1][3], indices->alpha[i],
                                indices->alpha_bits);
   if (rotation) {
      const uint8_t alpha = texel[3];
      texel[3] = texel[rotation - 1];
      texel[rotation - 1] = alpha;
   }
}

/* Eight zeros are reserved and mean transparent black. */
void
format_decode_bptc_unorm(const struct format_info *info, const uint8_t *block,
                         uint8_t *texels)
{
   struct reader reader = {block, 0};
   unsigned number = 0;
   (void)info;
   while (number < 8 && !take(&reader, 1))
      number++;
   if (number == 8) {
      memset(texels, 0, 16 * 4);
      return;
   }

   const struct mode *mode = &modes[number];
   const struct bptc_partition *partition =
      bptc_partition(mode->num_subsets, take(&reader, mode->partition_bits));
   const unsigned rotation = take(&reader, mode->rotation_bits);
   const bool is_swapped = take(&reader, mode->selection_bits);
   int ends[6][4];
   struct indices indices;
   read_ends(&reader, mode, ends);
   read_indices(&reader, mode, is_swapped, partition, &indices);
   for (unsigned i = 0; i < 16; i++)
      put(texels + i * 4, &ends[bptc_subset(partition, i) * 2], &indices, i,
          rotation);
}
