/* SPDX-License-Identifier: MIT
 *
 * Bounded integer sequence encoding, as ASTC packs numbers: each has a few bits
 * of its own, and above those a digit to base 3 or 5 that it shares bits for
 * with its neighbours.
 */
#ifndef TG_FORMAT_ASTC_SEQUENCE_H
#define TG_FORMAT_ASTC_SEQUENCE_H

#include <stdint.h>

/* A range of 2^bits, or 3 or 5 times as many numbers. */
struct astc_range {
   uint8_t bits;
   uint8_t base; /* 3, 5, or 1 */
};

/* From few numbers to many: of those, weights have the first 12, colours the
 * 5th to the last. */
enum {
   ASTC_NUM_RANGES = 21,
   ASTC_FIRST_COLOR_RANGE = 4,
   ASTC_NUM_WEIGHT_RANGES = 12,
};
extern const struct astc_range astc_ranges[ASTC_NUM_RANGES];

/* The size in bits of a sequence of `count` numbers. */
unsigned
astc_sequence_bits(unsigned range, unsigned count);

/* Reads `count` numbers from bit `first` of a block on. Bits after the last
 * number are not looked at. */
void
astc_read_sequence(const uint8_t *block, unsigned first, unsigned range,
                   unsigned count, uint8_t *numbers_out);

/* Unquantizes a number of a range to a colour, 0 to 255, or as a weight, 0 to
 * 64. */
uint8_t
astc_color(unsigned range, unsigned number);
uint8_t
astc_weight(unsigned range, unsigned number);

#endif
