/* SPDX-License-Identifier: MIT
 *
 * Webs: components of registers that live in registers, and where they are
 * alive.
 */
#ifndef MAXWELL_LOWER_VALUES_H
#define MAXWELL_LOWER_VALUES_H

#include "maxwell/lower/lower.h"

enum { MAXWELL_LOWER_MOST_SUCCESSORS = 2 };

struct maxwell_lower_components {
   uint32_t count;
   /* The number of component x of a register; those of y, z, w follow.
    * MAXWELL_LOWER_NONE: it is not in a register. By file and index. */
   uint32_t *first[TG_NUM_FILES];
   uint32_t num_registers[TG_NUM_FILES];

   /* For each instruction a row of bits: components alive before and after
    * it, and those that it writes. */
   uint32_t words; /* of a row */
   uint32_t *before, *after, *written;

   /* Nodes to be joined: that of component c before instruction i is
    * i * count + c; those of what instructions write follow, likewise. A node
    * is the root of its set or refers to another one. */
   uint32_t num_instructions;
   uint32_t *node;
   uint32_t *value_of; /* value of a root, or MAXWELL_LOWER_NONE */
};

static inline bool
maxwell_lower_get_bit(const uint32_t *row, uint32_t bit)
{
   return row[bit / 32] >> bit % 32 & 1;
}

static inline void
maxwell_lower_set_bit(uint32_t *row, uint32_t bit)
{
   row[bit / 32] |= 1u << bit % 32;
}

static inline uint32_t *
maxwell_lower_row_of(const struct maxwell_lower_components *components,
                     uint32_t *rows, uint32_t at)
{
   return &rows[(size_t)at * components->words];
}

/* Subroutines are called from several places: with them everything counts as
 * alive everywhere, and each component is one value. */
static inline bool
maxwell_lower_has_subroutines(const struct tg_maxwell_lowering *lowering)
{
   return lowering->flow.num_subroutines != 0;
}

/* The number of a component, or MAXWELL_LOWER_NONE if it is not in a register.
 */
uint32_t
maxwell_lower_live_component(const struct maxwell_lower_components *components,
                             enum tg_file file, uint32_t index,
                             unsigned channel);

/* That of a register's channel, likewise. */
uint32_t
maxwell_lower_live_component_of(
   const struct maxwell_lower_components *components,
   const struct tg_register *reg, unsigned channel);

/* Numbers the components of every declared register that is no memory. False
 * when out of memory. */
bool
maxwell_lower_number_live_components(
   struct tg_maxwell_lowering *lowering,
   struct maxwell_lower_components *components);

/* Fills the rows of bits. */
void
maxwell_lower_find_liveness(struct tg_maxwell_lowering *lowering);

#endif
