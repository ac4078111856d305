/* SPDX-License-Identifier: MIT
 *
 * Pseudo-instructions, which the hardware has not: the rows of pseudo.def and
 * expansions.def, and how they make sources of those of the text.
 */
#include "tegra/text/assemble.h"

#include <assert.h>

/* What a source of a row is made of: where it comes from, its sign, and the
 * components that are taken. */
enum {
   A = 1,
   B,
   C,
   D, /* the destination */
   NEGATED = 8,
   ABSOLUTE = 16,
   ONLY_X = 1 << 5,
   ONLY_Y = 2 << 5,
   TURNED_YZX = 3 << 5,
   TURNED_ZXY = 4 << 5,
   FIRST_WRITTEN = 5 << 5,
   COMPONENTS = 7 << 5,

   LESS = ASSEMBLE_LESS,
   EQUAL = ASSEMBLE_EQUAL,
   GREATER = ASSEMBLE_GREATER,
};

#define NEG(source) ((source) | NEGATED)
#define ABS(source) ((source) | ABSOLUTE)
#define X(source) ((source) | ONLY_X)
#define Y(source) ((source) | ONLY_Y)
#define YZX(source) ((source) | TURNED_YZX)
#define ZXY(source) ((source) | TURNED_ZXY)
#define FIRST(source) ((source) | FIRST_WRITTEN)

#define VECTOR_LETTER "v"
#define SCALAR_LETTER "s"

static const struct assemble_pseudo pseudos[] = {
#define TEGRA_PSEUDO(name, unit, opcode, s0, s1, s2, conditions, formula)      \
   {#name unit##_LETTER,                                                       \
    TEGRA_##unit,                                                              \
    TEGRA_##unit##_##opcode,                                                   \
    {s0, s1, s2},                                                              \
    conditions},
#include "tegra/text/pseudo.def"
};

static const struct assemble_expansion expansions[] = {
#define VECTOR_STEP(opcode, s0, s1, s2)                                        \
   {TEGRA_VECTOR, TEGRA_VECTOR_##opcode, {s0, s1, s2}},
#define SCALAR_STEP(opcode, source)                                            \
   {TEGRA_SCALAR, TEGRA_SCALAR_##opcode, {source}},
#define TEGRA_EXPANSION(name, unit, sources, steps, formula)                   \
   {#name unit##_LETTER, sources, {steps}},
#include "tegra/text/expansions.def"
};

/* All names that operations have, with the letters of their units. */
static const char *const names[] = {
#define TEGRA_VECTOR_OP(name, ...) #name "v",
#define TEGRA_SCALAR_OP(name, ...) #name "s",
#include "tegra/isa/opcodes.def"
#define TEGRA_PSEUDO(name, unit, ...) #name unit##_LETTER,
#include "tegra/text/pseudo.def"
#define TEGRA_EXPANSION(name, unit, ...) #name unit##_LETTER,
#include "tegra/text/expansions.def"
#include "util/length.h"
};

static const char *
operation_name(size_t index)
{
   assert(index < TG_LENGTH(names));
   return names[index];
}

const char *
assemble_suggest_operation(struct tg_word word)
{
   return tg_did_you_mean(word.text, word.length,
                          sizeof(names) / sizeof(names[0]), operation_name);
}

const struct assemble_pseudo *
assemble_find_pseudo(struct tg_word word)
{
   for (size_t i = 0; i < sizeof(pseudos) / sizeof(pseudos[0]); i++) {
      if (tg_lexer_word_is(word, pseudos[i].name))
         return &pseudos[i];
   }
   return NULL;
}

const struct assemble_expansion *
assemble_find_pseudo_expansion(struct tg_word word)
{
   for (size_t i = 0; i < sizeof(expansions) / sizeof(expansions[0]); i++) {
      if (tg_lexer_word_is(word, expansions[i].name))
         return &expansions[i];
   }
   return NULL;
}

/* ---- sources ------------------------------------------------------------- */

/* The swizzle that takes those components of what has the swizzle `s`. */
static uint8_t
pick(unsigned s, unsigned x, unsigned y, unsigned z, unsigned w)
{
   return (uint8_t)tegra_swizzle(
      tegra_swizzle_get(s, x), tegra_swizzle_get(s, y), tegra_swizzle_get(s, z),
      tegra_swizzle_get(s, w));
}

static unsigned
first_of(unsigned mask)
{
   unsigned component = 0;

   while (component < 3 && !tegra_mask_has(mask, component))
      component++;
   return component;
}

struct assemble_source
assemble_derive(const struct assemble_source *text, unsigned how, unsigned mask)
{
   struct assemble_source source = *text;
   struct tegra_operand *operand = &source.operand;
   const unsigned swizzle = operand->swizzle;
   const unsigned first = first_of(mask);

   if (how & ABSOLUTE) {
      operand->absolute = true;
      operand->negate = false;
   }
   operand->negate ^= (how & NEGATED) != 0;
   switch (how & COMPONENTS) {
   case ONLY_X: operand->swizzle = pick(swizzle, 0, 0, 0, 0); break;
   case ONLY_Y: operand->swizzle = pick(swizzle, 1, 1, 1, 1); break;
   case TURNED_YZX: operand->swizzle = pick(swizzle, 1, 2, 0, 3); break;
   case TURNED_ZXY: operand->swizzle = pick(swizzle, 2, 0, 1, 3); break;
   case FIRST_WRITTEN:
      operand->swizzle = pick(swizzle, first, first, first, first);
      break;
   default: break;
   }
   return source;
}
