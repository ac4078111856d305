/* SPDX-License-Identifier: MIT
 *
 * Default encodings: what an instruction holds where its text says nothing. The
 * two tools whose words are known differ there, so there are two styles;
 * hardware runs both. Assembler, printer and compiler ask here.
 */
#ifndef TEGRA_ISA_IMPLIED_H
#define TEGRA_ISA_IMPLIED_H

#include <assert.h>

#include "tegra/isa/isa.h"

enum tegra_style {
   TEGRA_STYLE_GRATE,  /* as grate's assembler */
   TEGRA_STYLE_NVIDIA, /* as NVIDIA's driver; the compiler's */
   TEGRA_NUM_STYLES
};

/* Their names in text. */
extern const char *const tegra_style_names[TEGRA_NUM_STYLES];

/* A set of fields. */
typedef uint64_t tegra_field_set;

static_assert(TEGRA_NUM_FIELDS <= 64, "a set has a bit for each field");

static inline tegra_field_set
tegra_field_bit(unsigned field)
{
   return UINT64_C(1) << field;
}

#define TEGRA_FIELD_BIT(id) (UINT64_C(1) << TEGRA_FIELD_##id)

/* Gives all fields but those in `explicit` what the style has there. The
 * opcodes count: where one is given, what it does without is as NOPv, BRAs or
 * PUSHAs have it; where not, the slot was left out. The vector operation is
 * taken to stand before the scalar one. */
void
tegra_imply(enum tegra_style style, tegra_field_set explicit,
            union tegra_instruction *instruction);

/* Does grate's assembler take this operation without its source? */
bool
tegra_source_may_be_implied(enum tegra_unit unit, unsigned opcode);

#endif
