/* SPDX-License-Identifier: MIT
 *
 * Register merging: two registers become one. Nothing is lost where x of one is
 * y of another, if both together have no more than four components and each is
 * written once. Liveness that was found before does not know of it.
 */
#ifndef TEGRA_OPTIMIZE_UNITE_H
#define TEGRA_OPTIMIZE_UNITE_H

#include "tegra/mir/mir.h"

struct unite_value {
   uint32_t num_writers;
   uint8_t components; /* that are written or read */
   bool is_fixed;      /* they cannot move */
};

struct unite {
   const struct mir *mir;
   struct unite_value *values; /* [register] */
};

/* Makes room in the arena, and looks. False when out of memory. */
bool
unite_start(struct unite *unite, const struct mir *mir, struct tg_arena *arena);

/* Collects how the registers are used as they are now. */
void
unite_look(struct unite *unite);

/* Can two registers be packed into one: do the components of `b` move into what
 * `a` leaves free? */
bool
unite_can(const struct unite *unite, uint32_t a, uint32_t b);

/* Merges register `b` into `a`, in all of the program; looks again. */
void
unite_two(struct unite *unite, uint32_t a, uint32_t b);

/* Merges any two registers: component i of `b` becomes that which `order` has.
 */
void
unite_as(const struct mir *mir, uint32_t a, uint32_t b, unsigned order);

#endif
