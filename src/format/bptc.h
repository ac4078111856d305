/* SPDX-License-Identifier: MIT
 *
 * What the two kinds of BPTC share: subsets of texels, and indices between two
 * end points.
 */
#ifndef TG_FORMAT_BPTC_H
#define TG_FORMAT_BPTC_H

#include "format/blocks.h"

/* Texel 0 is always in subset 0. Bit i of `mask[s - 1]`: texel i is in subset
 * s; of `anchor[s - 1]`, a texel of that subset, the highest bit of the index
 * is 0 and not stored. So it is of texel 0. */
struct bptc_partition {
   uint16_t mask[2];
   uint8_t anchor[2];
};

/* The partition of a block, by the number of its subsets, 1 to 3, and its
 * number. */
const struct bptc_partition *
bptc_partition(unsigned num_subsets, unsigned number);

/* The subset of a texel. */
static inline unsigned
bptc_subset(const struct bptc_partition *partition, unsigned texel)
{
   return (partition->mask[0] >> texel & 1) +
          2u * (partition->mask[1] >> texel & 1);
}

/* Reads the indices of 16 texels, of `bits` each, from bit `first` on. Returns
 * the bit after them. */
unsigned
bptc_indices(const uint8_t *block, unsigned first, unsigned bits,
             const struct bptc_partition *partition, uint8_t indices_out[16]);

/* Interpolates between two end points, by an index of `bits`. */
int
bptc_mix(int first, int second, unsigned index, unsigned bits);

#endif
