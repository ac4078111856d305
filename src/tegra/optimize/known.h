/* SPDX-License-Identifier: MIT
 *
 * Forward data-flow analysis of constants: which words components hold whatever
 * the program is given, through operations, and over branches that may be taken
 * for all that is known of their conditions.
 */
#ifndef TEGRA_OPTIMIZE_KNOWN_H
#define TEGRA_OPTIMIZE_KNOWN_H

#include "tegra/mir/liveness.h"

/* Of a location the components of `mask`: a register's words, the number that
 * a condition was set by, integers in A0. */
struct known_value {
   uint8_t mask;
   uint32_t words[4];
};

/* Exports are not followed. */
static inline uint32_t
known_num_locations(const struct mir *mir)
{
   return mir->num_temporaries + MIR_PLACE_EXPORT;
}

struct known {
   const struct mir *mir;
   struct known_value *in; /* [block][location], at its beginning */
   bool *reached;          /* [block] */
   uint8_t *called;        /* [location]: what subroutines write */
};

/* Conditional constant propagation: finds what is known at the beginning of
 * each block. False when out of memory, of which it takes what it needs from
 * `arena`. */
bool
known_find(struct known *known, const struct mir *mir, struct tg_arena *arena);

static inline struct known_value *
known_at(const struct known *known, uint32_t block)
{
   return known->in + (size_t)block * known_num_locations(known->mir);
}

/* The transfer function: what is known before an operation becomes what is
 * after it. */
void
known_step(const struct mir *mir, const struct mir_op *op,
           struct known_value *values);

/* Where execution may go from the end of a block, of whose last operation
 * `values` are known in front, as mir_successors() has it. What a call may have
 * written is not known any more; where it leads is not said. */
unsigned
known_leave(const struct known *known, uint32_t block,
            struct known_value *values,
            uint32_t successors[MIR_MAX_SUCCESSORS]);

/* The meet operator: keeps of `values` what `others` agree in; returns whether
 * that is less. */
bool
known_meet(const struct mir *mir, struct known_value *values,
           const struct known_value *others);

/* Where an operation surely writes, and where it surely does not, of the
 * components of its mask; of a jump x says whether it is taken. */
struct known_gate {
   uint8_t open, shut;
};

struct known_gate
known_gate(const struct mir *mir, const struct mir_op *op,
           const struct known_value *values);

/* The words of a source with its swizzle and signs; returns the lanes that are
 * known. */
unsigned
known_source(const struct mir_source *source, const struct known_value *values,
             uint32_t words[4]);

#endif
