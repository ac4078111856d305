/* SPDX-License-Identifier: MIT
 *
 * Constant folding and algebraic identities: arithmetic on literals, and with
 * literals that change nothing. Exact for every operand: x + 0 is not x where x
 * is -0, but x + -0 is, and x * 1.
 */
#include <string.h>

#include "tegra/optimize/evaluate.h"
#include "tegra/optimize/optimize.h"

enum { ONE = 0x3f800000, MINUS_ZERO = (int)0x80000000 };

/* ---- literals ------------------------------------------------------------ */

static bool
is_all(const struct mir_op *op, unsigned source, uint32_t word)
{
   if (op->source[source].file != MIR_LITERAL)
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(op->mask, i) &&
          mir_literal(&op->source[source], i) != word)
         return false;
   }
   return true;
}

/* ---- identities ---------------------------------------------------------- */

static void
become(struct mir_op *op, enum tegra_vector_op opcode, struct mir_source a,
       struct mir_source b)
{
   op->opcode = (uint8_t)opcode;
   memset(op->source, 0, sizeof(op->source));
   op->source[0] = a;
   op->source[1] = b;
}

/* Source `which` of a product is 1 or -1: the other with that sign, which
 * becomes the first source. */
static bool
drop_factor(struct mir_op *op, unsigned which)
{
   bool is_minus = is_all(op, which, ONE | 0x80000000);
   struct mir_source other = op->source[1 - which];

   if (!is_minus && !is_all(op, which, ONE))
      return false;
   other.negate ^= is_minus;
   if (op->opcode == TEGRA_VECTOR_MUL)
      become(op, TEGRA_VECTOR_MOV, other, (struct mir_source){0});
   else
      become(op, TEGRA_VECTOR_ADD, other, op->source[2]);
   return true;
}

static bool
simplify(struct mir_op *op)
{
   switch (op->opcode) {
   case TEGRA_VECTOR_MAD:
      if (is_all(op, 2, (uint32_t)MINUS_ZERO)) {
         become(op, TEGRA_VECTOR_MUL, op->source[0], op->source[1]);
         return true;
      }
      return drop_factor(op, 0) || drop_factor(op, 1);
   case TEGRA_VECTOR_MUL: return drop_factor(op, 0) || drop_factor(op, 1);
   case TEGRA_VECTOR_ADD:
      for (unsigned i = 0; i < 2; i++) {
         if (!is_all(op, i, (uint32_t)MINUS_ZERO))
            continue;
         become(op, TEGRA_VECTOR_MOV, op->source[1 - i],
                (struct mir_source){0});
         return true;
      }
      return false;
   default: return false;
   }
}

/* ---- comparisons --------------------------------------------------------- */

/* A comparison of x with 0 is one of x with -x, which leaves the constant of
 * the word to others. Neither 0 is less than the other, and NaN is not even
 * equal to itself. */
static bool
compare_with_itself(struct mir_op *op)
{
   for (unsigned i = 0; i < 2; i++) {
      if (!is_all(op, i, 0) && !is_all(op, i, (uint32_t)MINUS_ZERO))
         continue;
      op->source[i] = op->source[1 - i];
      op->source[i].negate ^= true;
      return true;
   }
   return false;
}

static bool
simplify_truth(struct mir_op *op)
{
   bool was_saturated = op->saturate;

   op->saturate = false;
   return (mir_num_sources(op) == 2 && compare_with_itself(op)) ||
          was_saturated;
}

/* ---- arithmetic ---------------------------------------------------------- */

/* The words of a source in the lanes that are read, if all are its own. */
static bool
find_words(const struct mir_op *op, unsigned source, uint32_t words[4])
{
   unsigned lanes = tegra_isa_components_read(mir_info(op), op->mask);

   if (op->source[source].file != MIR_LITERAL)
      return false;
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(lanes, i))
         words[i] = mir_literal(&op->source[source], i);
   }
   return true;
}

static bool
compute(const struct mir *mir, struct mir_op *op)
{
   struct mir_source result = {.file = MIR_LITERAL, .swizzle = TEGRA_IDENTITY};
   evaluate_words words = {0};

   if ((mir_is_move(op) && !op->saturate) || mir_num_sources(op) == 0 ||
       mir_info(op)->result == TEGRA_RESULT_ADDR || !evaluate_can(op))
      return false;
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      if (!find_words(op, i, words[i]))
         return false;
   }
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(op->mask, i))
         result.literal[i] = evaluate(mir, op, i, words);
   }
   op->unit = TEGRA_VECTOR;
   op->saturate = false;
   become(op, TEGRA_VECTOR_MOV, result, (struct mir_source){0});
   return true;
}

enum tg_result
optimize_fold(struct mir *mir, bool *changed)
{
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++) {
         struct mir_op *op = &mir->blocks[i].ops[j];

         *changed |= compute(mir, op) ||
                     (op->unit == TEGRA_VECTOR && simplify(op)) ||
                     (mir_info(op)->truth && simplify_truth(op));
      }
   }
   return TG_OK;
}
