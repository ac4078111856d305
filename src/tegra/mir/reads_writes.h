/* SPDX-License-Identifier: MIT
 *
 * Def and use sets: what an operation reads and writes. Everything that passes
 * ask this of is a location of four components: virtual registers first, by
 * their numbers, then condition registers, A0, exports and the stack.
 */
#ifndef TEGRA_MIR_READS_WRITES_H
#define TEGRA_MIR_READS_WRITES_H

#include "tegra/mir/mir.h"

/* Locations after the registers, to be added to their number. */
enum mir_place {
   MIR_PLACE_CONDITION,
   MIR_PLACE_ADDRESS = MIR_PLACE_CONDITION + TEGRA_NUM_CONDITIONS,
   MIR_PLACE_EXPORT,
   MIR_PLACE_STACK = MIR_PLACE_EXPORT + TG_TEGRA_NUM_EXPORTS,
   MIR_NUM_PLACES,
};

struct mir_access {
   uint32_t location;
   uint8_t mask; /* components, as in a word */
};

enum {
   /* Three sources, a predicate, A0, the stack. */
   MIR_MAX_READS = 6,
   /* A register, a condition, A0 and the stack, any export. */
   MIR_MAX_WRITES = 4 + TG_TEGRA_NUM_EXPORTS,
};

static inline uint32_t
mir_num_locations(const struct mir *mir)
{
   return mir->num_temporaries + MIR_NUM_PLACES;
}

/* Lists the locations that an operation reads, or writes; both return how many
 * they gave. */
unsigned
mir_reads(const struct mir *mir, const struct mir_op *op,
          struct mir_access reads[MIR_MAX_READS]);
unsigned
mir_writes(const struct mir *mir, const struct mir_op *op,
           struct mir_access writes[MIR_MAX_WRITES]);

/* May a location that is written keep what it held: is it gated, or is the
 * export one of many? */
bool
mir_write_is_partial(const struct mir_op *op);

/* The components of A0 that it needs. */
unsigned
mir_address_read(const struct mir_op *op);

bool
mir_writes_address(const struct mir_op *op);

/* The components of its condition register that its predicate looks at. */
unsigned
mir_condition_read(const struct mir_op *op);

/* The components of register `temporary` that it reads, in all sources. */
unsigned
mir_temporary_read(const struct mir_op *op, uint32_t temporary);

#endif
