/* SPDX-License-Identifier: MIT
 *
 * What the opcodes of the vector unit compute. Sources are swizzled already, so
 * each component is a loop over lanes. Included once for each instruction set.
 */
#ifndef TEGRA_SIMULATE_VECTOR_H
#define TEGRA_SIMULATE_VECTOR_H

#include "tegra/formulas.h"
#include "tegra/simulate.h"

/* ---- a value for each component ------------------------------------------ */

/* One component: an expression of a, b and c. */
#define COMPONENT(expression)                                                  \
   do {                                                                        \
      const struct simulate_source *sa = &instruction->source[TEGRA_RA];       \
      const struct simulate_source *sb = &instruction->source[TEGRA_RB];       \
      const struct simulate_source *sc = &instruction->source[TEGRA_RC];       \
      const uint32_t a_keep = sa->keep, a_flip = sa->flip;                     \
      const uint32_t b_keep = sb->keep, b_flip = sb->flip;                     \
      const uint32_t c_keep = sc->keep, c_flip = sc->flip;                     \
      const uint32_t *ra = sa->row[k], *rb = sb->row[k], *rc = sc->row[k];     \
      uint32_t *to = result[k];                                                \
      FOR_LANES_IN_PLACE (i) {                                                 \
         uint32_t a = (ra[i] & a_keep) ^ a_flip;                               \
         uint32_t b = (rb[i] & b_keep) ^ b_flip;                               \
         uint32_t c = (rc[i] & c_keep) ^ c_flip;                               \
         (void)a, (void)b, (void)c;                                            \
         to[i] = (expression);                                                 \
      }                                                                        \
   } while (0)

#define VECTOR_FUNCTION(name)                                                  \
   static void vector_##name(struct simulate_machine *machine,                 \
                             const struct simulate_instruction *instruction,   \
                             simulate_row *result)

#define COMPONENTS(name, expression)                                           \
   VECTOR_FUNCTION(name)                                                       \
   {                                                                           \
      (void)machine;                                                           \
      for (unsigned k = 0; k < 4; k++) {                                       \
         if (tegra_mask_has(instruction->slot[TEGRA_VECTOR].mask, k))          \
            COMPONENT(expression);                                             \
      }                                                                        \
   }

#define TEGRA_VECTOR_FORMULA(name, expression) COMPONENTS(name, expression)
#include "tegra/formulas.def"

/* ---- one value for all --------------------------------------------------- */

/* a[i] * b[i], and a[i] alone, with their modifiers. */
static inline uint32_t
element(const struct simulate_source *source, unsigned component, unsigned lane)
{
   return (source->row[component][lane] & source->keep) ^ source->flip;
}

/* The dot product of the first `count` components, and `addend` if not NULL;
 * rounded from the left. */
static inline void
dot(const struct simulate_instruction *instruction, unsigned count,
    const struct simulate_source *addend, simulate_row *result)
{
   const struct simulate_source a = instruction->source[TEGRA_RA];
   const struct simulate_source b = instruction->source[TEGRA_RB];

   FOR_LANES_IN_PLACE (i) {
      uint32_t sum = alu_fmul(element(&a, 0, i), element(&b, 0, i));
      for (unsigned k = 1; k < count; k++) {
         uint32_t product = alu_fmul(element(&a, k, i), element(&b, k, i));
         sum = alu_fadd(sum, product);
      }
      if (addend)
         sum = alu_fadd(sum, element(addend, 3, i));
      result[0][i] = sum;
   }
}

VECTOR_FUNCTION(DP3)
{
   (void)machine;
   dot(instruction, 3, NULL, result);
}

VECTOR_FUNCTION(DPH)
{
   const struct simulate_source addend = instruction->source[TEGRA_RA];

   (void)machine;
   dot(instruction, 3, &addend, result);
}

VECTOR_FUNCTION(DP4)
{
   (void)machine;
   dot(instruction, 4, NULL, result);
}

/* ---- a formula for each component ---------------------------------------- */

/* (1, a.y * b.y, b.z, a.w). */
VECTOR_FUNCTION(DST)
{
   const struct simulate_source a = instruction->source[TEGRA_RA];
   const struct simulate_source b = instruction->source[TEGRA_RB];

   (void)machine;
   FOR_LANES (i) {
      result[0][i] = ALU_ONE;
      result[1][i] = alu_fmul(element(&a, 1, i), element(&b, 1, i));
      result[2][i] = element(&b, 2, i);
      result[3][i] = element(&a, 3, i);
   }
}

/* ---- the table ----------------------------------------------------------- */

/* A row without a result, or of which nothing is known, has no function. */
#define VECTOR_IF_KNOWN_NONE(function) function
#define VECTOR_IF_KNOWN_UNKNOWN(function) NULL
#define VECTOR_IF_NONE(function, effect) NULL
#define VECTOR_IF_COMP(function, effect) VECTOR_IF_KNOWN_##effect(function)
#define VECTOR_IF_REPL(function, effect) VECTOR_IF_KNOWN_##effect(function)
#define VECTOR_IF_VEC(function, effect) VECTOR_IF_KNOWN_##effect(function)
#define VECTOR_IF_ADDR(function, effect) VECTOR_IF_KNOWN_##effect(function)

static simulate_function *const vector_functions[TEGRA_NUM_OPCODES] = {
#define TEGRA_VECTOR_OP(name, number, alias, operands, reads, result, effect,  \
                        ...)                                                   \
   [number] = VECTOR_IF_##result(vector_##name, effect),
#include "tegra/opcodes.def"
};

#endif
