/* SPDX-License-Identifier: MIT
 *
 * Interval arithmetic: bounds of what integer operations give, for bounds of
 * their operands: of each rule of kinds.h that computes. Integers have 32 bits
 * and a sign; bounds may be wider than what is ever there, and no result leaves
 * them that needs no more than 32 bits.
 */
#ifndef TEGRA_SELECT_KINDS_BOUNDS_H
#define TEGRA_SELECT_KINDS_BOUNDS_H

#include "tegra/select/kinds.h"

/* All that is in either. */
struct kinds_range
bounds_hull(struct kinds_range a, struct kinds_range b);

/* With the modifiers of a source. */
struct kinds_range
bounds_modified(struct kinds_range a, bool absolute, bool negate);

/* The least power of two above a number that is not below 0. */
double
bounds_power_above(double number);

/* What shifts by: modulo 32. */
struct kinds_range
bounds_shift(struct kinds_range count);

struct kinds_range
bounds_and(const struct kinds_range *s);
struct kinds_range
bounds_or(const struct kinds_range *s);
struct kinds_range
bounds_xor(const struct kinds_range *s);
struct kinds_range
bounds_not(const struct kinds_range *s);
struct kinds_range
bounds_negation(const struct kinds_range *s);
struct kinds_range
bounds_sum(const struct kinds_range *s);
struct kinds_range
bounds_product(const struct kinds_range *s);
struct kinds_range
bounds_product_sum(const struct kinds_range *s);
struct kinds_range
bounds_high(const struct kinds_range *s);
struct kinds_range
bounds_distance(const struct kinds_range *s);
struct kinds_range
bounds_least(const struct kinds_range *s);
struct kinds_range
bounds_greatest(const struct kinds_range *s);
struct kinds_range
bounds_absolute(const struct kinds_range *s);
struct kinds_range
bounds_sign(const struct kinds_range *s);
struct kinds_range
bounds_left(const struct kinds_range *s);
struct kinds_range
bounds_right(const struct kinds_range *s);
struct kinds_range
bounds_quotient(const struct kinds_range *s);
struct kinds_range
bounds_quotient_or_ones(const struct kinds_range *s);
struct kinds_range
bounds_remainder(const struct kinds_range *s);
struct kinds_range
bounds_field(const struct kinds_range *s);
struct kinds_range
bounds_signed_field(const struct kinds_range *s);
struct kinds_range
bounds_insert(const struct kinds_range *s);
struct kinds_range
bounds_count(const struct kinds_range *s);
struct kinds_range
bounds_place(const struct kinds_range *s);

#endif
