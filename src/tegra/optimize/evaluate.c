/* SPDX-License-Identifier: MIT
 *
 * Constant evaluation: the formulas, a function each.
 */
#include "tegra/optimize/evaluate.h"

#include "tegra/isa/formulas.h"

typedef uint32_t
formula(uint32_t a, uint32_t b, uint32_t c);

#define FORMULA(name, expression)                                              \
   static uint32_t formula_of_##name(uint32_t a, uint32_t b, uint32_t c)       \
   {                                                                           \
      (void)a, (void)b, (void)c;                                               \
      return (expression);                                                     \
   }
#define TEGRA_VECTOR_FORMULA(name, expression) FORMULA(v_##name, expression)
#define TEGRA_FUSED_FORMULA(name, expression) FORMULA(f_##name, expression)
#define TEGRA_SCALAR_FORMULA(name, expression) FORMULA(s_##name, expression)
#include "tegra/isa/formulas.def"

static formula *const formulas[TEGRA_NUM_UNITS][TEGRA_NUM_OPCODES] = {
#define TEGRA_VECTOR_FORMULA(name, expression)                                 \
   [TEGRA_VECTOR][TEGRA_VECTOR_##name] = formula_of_v_##name,
#define TEGRA_SCALAR_FORMULA(name, expression)                                 \
   [TEGRA_SCALAR][TEGRA_SCALAR_##name] = formula_of_s_##name,
#include "tegra/isa/formulas.def"
};

/* Of the vector unit where sums of products are fused; NULL: the same. */
static formula *const fused_formulas[TEGRA_NUM_OPCODES] = {
#define TEGRA_FUSED_FORMULA(name, expression)                                  \
   [TEGRA_VECTOR_##name] = formula_of_f_##name,
#include "tegra/isa/formulas.def"
};

static formula *
find_formula(const struct mir *mir, const struct mir_op *op)
{
   if (mir->fused && op->unit == TEGRA_VECTOR && fused_formulas[op->opcode])
      return fused_formulas[op->opcode];
   return formulas[op->unit][op->opcode];
}

/* ARA has no sources that a program could name. */
bool
evaluate_can(const struct mir_op *op)
{
   return formulas[op->unit][op->opcode] &&
          (mir_num_sources(op) > 0 ||
           mir_info(op)->result != TEGRA_RESULT_ADDR);
}

uint32_t
evaluate(const struct mir *mir, const struct mir_op *op, unsigned component,
         evaluate_words words)
{
   bool is_one = mir_info(op)->result == TEGRA_RESULT_REPL;
   enum tegra_source order[TEGRA_NUM_SOURCES];
   unsigned count = tegra_isa_sources(mir_info(op), order);
   uint32_t value[TEGRA_NUM_SOURCES] = {0};

   for (unsigned i = 0; i < count; i++)
      value[order[i]] = words[i][is_one ? 0 : component];

   uint32_t result =
      find_formula(mir, op)(value[TEGRA_RA], value[TEGRA_RB], value[TEGRA_RC]);
   bool saturates = op->saturate && mir_info(op)->result != TEGRA_RESULT_ADDR;
   return saturates ? formula_saturate(result) : result;
}
