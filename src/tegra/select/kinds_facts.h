/* SPDX-License-Identifier: MIT
 *
 * Facts about webs while kinds are inferred: shared by kinds.c, which finds
 * what they are, and kinds_range.c, which finds what numbers they hold.
 */
#ifndef TEGRA_SELECT_KINDS_FACTS_H
#define TEGRA_SELECT_KINDS_FACTS_H

#include "tegra/select/kinds.h"
#include "tegra/select/webs.h"

/* What is known of a web, at the one that stands for it. */
struct fact {
   uint8_t kind; /* enum kind */
   bool may_be_minus_zero;
   bool is_number; /* something but finding registers is done with it */
   struct kinds_range range;       /* of an integer */
   double growth_low, growth_high; /* most that it adds to itself at once */
};

struct kinds {
   const struct tg_shader *shader;
   struct webs webs;
   struct fact *facts; /* by web */
   bool changed;
};

/* The web that stands for that of an operand; NONE where nothing was worked
 * out. */
uint32_t
kinds_web(const struct kinds *kinds, uint32_t instruction, unsigned operand,
          unsigned channel);

/* ANY of what is no web. */
enum kind
kinds_of_web(const struct kinds *kinds, uint32_t web);

/* The word that an operand reads of a literal. */
uint32_t
kinds_literal(const struct kinds *kinds, uint32_t instruction, unsigned operand,
              unsigned channel);

/* Applies a rule to each component of each instruction, again and again until
 * nothing changes. */
typedef void (*kinds_rule_function)(struct kinds *kinds, uint32_t instruction,
                                    unsigned channel);
void
kinds_apply(struct kinds *kinds, kinds_rule_function rule);
void
kinds_settle(struct kinds *kinds, kinds_rule_function rule);

/* Finds bounds of integers, what is an index and nothing else, and what may be
 * -0. Kinds are known. */
void
kinds_range_find_numbers(struct kinds *kinds);

#endif
