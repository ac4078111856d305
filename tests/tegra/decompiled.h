/* SPDX-License-Identifier: MIT
 *
 * A program and what it is decompiled to, run on the same vertices.
 */
#ifndef TESTS_TEGRA_DECOMPILED_H
#define TESTS_TEGRA_DECOMPILED_H

#include <stdbool.h>
#include <stdint.h>

#include "tegra/isa/program.h"

/* A generator that need not be good, only varied. */
struct decompiled_random {
   uint64_t state;
};
uint32_t
decompiled_number(struct decompiled_random *random, uint32_t bound);

/* A float: small integers, fractions, special values, any bits. */
uint32_t
decompiled_float(struct decompiled_random *random);

/* What came of it. */
enum decompiled_result {
   DECOMPILED_SAME,
   DECOMPILED_REFUSED, /* and that is said */
   DECOMPILED_LONG,    /* a vertex had not ended after all steps */
   DECOMPILED_DIFFERS, /* and shows how */
};

/* Runs 16 vertices with random attributes and constants through both, NaNs
 * counting as equal. `shows` prints the text in any case. */
enum decompiled_result
decompiled_compare(const struct tg_tegra_program *program,
                   struct decompiled_random *random, bool shows);

#endif
