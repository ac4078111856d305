/* SPDX-License-Identifier: MIT
 *
 * Translation of predicates to comparisons and selects. A component of a
 * condition register is the value that set it, so that less, equal and greater
 * are comparisons with 0. NaN passes where both "less" and "greater" do and
 * "equal" does not, as comparisons have it too.
 */
#include "tegra/decompile/decompile.h"

enum { LESS = 1, EQUAL = 2, GREATER = 4, ANY = 7 };

static unsigned
accepted(const union tegra_instruction *instruction)
{
   return (instruction->p_lt ? LESS : 0) | (instruction->p_eq ? EQUAL : 0) |
          (instruction->p_gt ? GREATER : 0);
}

static enum decompile_when
predicate(const struct decompile *decompile,
          const union tegra_instruction *instruction)
{
   unsigned bits = accepted(instruction);

   if (bits == 0)
      return DECOMPILE_NEVER;
   if (bits == ANY)
      return DECOMPILE_ALWAYS;
   if (decompile->sets_condition[instruction->cr])
      return DECOMPILE_SOMETIMES;
   return bits & EQUAL ? DECOMPILE_ALWAYS : DECOMPILE_NEVER;
}

enum decompile_when
decompile_predicate_writes(const struct decompile *decompile,
                           const union tegra_instruction *instruction)
{
   return instruction->cc ? predicate(decompile, instruction)
                          : DECOMPILE_ALWAYS;
}

enum decompile_when
decompile_predicate_jumps(const struct decompile *decompile,
                          const union tegra_instruction *instruction)
{
   switch (tegra_opcodes[TEGRA_SCALAR][instruction->s_op].effect) {
   case TEGRA_EFFECT_BRANCH:
   case TEGRA_EFFECT_CALL:
   case TEGRA_EFFECT_RETURN: return predicate(decompile, instruction);
   default: return DECOMPILE_NEVER;
   }
}

/* Comparisons with 0 as TGSI has them: with 1.0 and 0.0 as results, and with
 * all ones and zeros, some of which have their operands exchanged. */
static const struct {
   const char *number, *bits;
   bool is_swapped;
} comparisons[] = {
   [LESS] = {"SLT", "FSLT", false},
   [EQUAL] = {"SEQ", "FSEQ", false},
   [LESS | EQUAL] = {"SLE", "FSGE", true},
   [GREATER] = {"SGT", "FSLT", true},
   [LESS | GREATER] = {"SNE", "FSNE", false},
   [EQUAL | GREATER] = {"SGE", "FSGE", false},
};

void
decompile_write_predicate_gate(struct decompile *decompile,
                               const union tegra_instruction *instruction,
                               unsigned mask)
{
   struct decompile_text gate = decompile_text_role(decompile, DECOMPILE_GATE);
   struct decompile_text zero = decompile_text_float(decompile, 0);
   struct decompile_text reg =
      decompile_text_role(decompile, DECOMPILE_CONDITION + instruction->cr);
   struct decompile_text letters =
      decompile_text_swizzle(instruction->p_swz, mask);
   struct decompile_text value =
      decompile_text_format("%.40s%.5s", reg.text, letters.text);
   unsigned bits = accepted(instruction);
   bool is_swapped = comparisons[bits].is_swapped;

   decompile_text_line(decompile, "%s %s%s, %s, %s", comparisons[bits].bits,
                       gate.text, decompile_text_mask(mask).text,
                       is_swapped ? zero.text : value.text,
                       is_swapped ? value.text : zero.text);
}

/* Is it one component of the condition register that decides a jump? */
static bool
is_replicated(unsigned swizzle)
{
   unsigned x = tegra_swizzle_get(swizzle, 0);

   return swizzle == tegra_swizzle(x, x, x, x);
}

/* "Equal" and "not equal" are each other's opposite, of NaN too. */
bool
decompile_predicate_is_negated_freely(
   const union tegra_instruction *instruction)
{
   unsigned bits = accepted(instruction);

   return is_replicated(instruction->p_swz) &&
          (bits == EQUAL || bits == (LESS | GREATER));
}

struct decompile_text
decompile_predicate_condition(struct decompile *decompile,
                              const union tegra_instruction *instruction,
                              bool is_negated, bool is_early)
{
   unsigned bits = accepted(instruction);
   struct decompile_text zero = decompile_text_float(decompile, 0);
   struct decompile_text reg =
      decompile_text_role(decompile, DECOMPILE_CONDITION + instruction->cr);
   struct decompile_text letters =
      decompile_text_swizzle(instruction->p_swz, TEGRA_MASK_XYZW);
   struct decompile_text value =
      decompile_text_format("%.40s%.5s", reg.text, letters.text);
   bool is_one = is_replicated(instruction->p_swz);

   /* IF asks for "not equal to 0" itself. */
   if (is_one && !is_early && bits == (is_negated ? EQUAL : LESS | GREATER))
      return value;

   struct decompile_text branch =
      decompile_text_role(decompile, DECOMPILE_BRANCH);
   bool is_opposite =
      is_negated && decompile_predicate_is_negated_freely(instruction);
   if (is_opposite)
      bits ^= ANY;
   decompile_text_line(decompile, "%s %s%s, %s, %s", comparisons[bits].number,
                       branch.text, is_one ? ".x" : "", value.text, zero.text);
   if (!is_one)
      decompile_text_line(decompile, "DP4 %s.x, %s, %s", branch.text,
                          branch.text, branch.text);
   if (is_negated && !is_opposite)
      decompile_text_line(decompile, "SEQ %s.x, %s.xxxx, %s", branch.text,
                          branch.text, zero.text);
   return decompile_text_format("%.40s.xxxx", branch.text);
}
