/* SPDX-License-Identifier: MIT
 *
 * Register allocation with tuples: values on their way to registers. What must
 * stand side by side makes bodies: sets of values with places relative to each
 * other.
 */
#ifndef MAXWELL_LOWER_PLACE_H
#define MAXWELL_LOWER_PLACE_H

#include "maxwell/lower/lower.h"

/* The body that a value is in, and where. The registers of a body are
 * base + place, with base = residue modulo modulus. */
struct maxwell_lower_member {
   uint32_t body; /* its first value */
   int32_t place;
   uint32_t next; /* the next value of the body, or MAXWELL_LOWER_NONE */
};

struct maxwell_lower_body { /* of the value that it is named for */
   uint8_t modulus, residue;
   uint32_t last; /* value */
   uint32_t size;
};

/* All of them, while they are being placed. */
struct maxwell_lower_placement {
   struct tg_maxwell_lowering *lowering;
   uint32_t capacity; /* values that there is room for */
   struct maxwell_lower_member *members;
   struct maxwell_lower_body *bodies;
   uint32_t *conflicts; /* a row of bits for each value */
   uint32_t words;
};

/* ---- conflicts.c --------------------------------------------------------- */

/* Are two values alive together? */
static inline bool
maxwell_lower_conflict(const struct maxwell_lower_placement *place, uint32_t a,
                       uint32_t b)
{
   const uint32_t *row = &place->conflicts[(size_t)a * place->words];

   return row[b / 32] >> b % 32 & 1;
}

static inline bool
maxwell_lower_is_constant(const struct maxwell_lower_value *value)
{
   return value->kind == MAXWELL_LOWER_CONSTANT ||
          value->kind == MAXWELL_LOWER_WORD;
}

/* Finds which values may not share a register. */
void
maxwell_lower_find_conflicts(struct maxwell_lower_placement *place);

/* The same for one that a step makes. */
void
maxwell_lower_find_own_conflicts(struct maxwell_lower_placement *place,
                                 uint32_t value);

/* ---- tuples.c ------------------------------------------------------------ */

/* Of a power of two. */
static inline unsigned
maxwell_lower_modulo(int32_t value, unsigned modulus)
{
   return (unsigned)value & (modulus - 1);
}

/* A body of a value alone. */
void
maxwell_lower_make_tuple_body(struct maxwell_lower_placement *place,
                              uint32_t value);

/* Makes one body of each tuple, with moves where values cannot be in it. False
 * when out of memory. */
bool
maxwell_lower_settle_tuples(struct maxwell_lower_placement *place);

#endif
