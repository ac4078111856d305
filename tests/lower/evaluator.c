/* SPDX-License-Identifier: MIT */
#include "evaluator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lir/passes.h"

/* ---- running ------------------------------------------------------------- */

static unsigned
count_operations(const struct lir_module *module)
{
   unsigned count = 0;

   for (uint32_t i = 0; i < module->functions[0].num_insts; i++) {
      enum lir_op op = module->functions[0].insts[i].op;

      if (lir_ops[op].imm != LIR_IMM_CONST)
         count++;
   }
   return count;
}

/* Takes the finished module, whose result is `value`. */
static bool
compile(struct evaluator *evaluator, struct lir_builder *builder,
        lir_value value)
{
   struct lir_module *module = builder->module;

   /* Without the loads of the operands and the store. */
   evaluator->num_operations = count_operations(module) - 2;
   lir_value zero = lir_const32(builder, 0);
   lir_store32(builder, LIR_SPACE_OUTPUT, 0, zero, value);
   if (builder->failed || lir_verify(module) ||
       evaluator->executor->compile(NULL, module, &evaluator->program) != TG_OK)
      return false;

   size_t size = evaluator->executor->scratch_size(evaluator->program);
   evaluator->scratch = aligned_alloc(64, (size + 64) / 64 * 64);
   return evaluator->scratch;
}

static bool
init(struct evaluator *evaluator, const struct exec_executor *executor,
     unary_function unary, binary_function binary)
{
   struct lir_module module;
   struct lir_builder builder;

   memset(evaluator, 0, sizeof(*evaluator));
   evaluator->executor = executor;
   lir_module_init(&module, NULL);
   lir_module_add_function(&module, "main");
   lir_builder_init(&builder, &module, 0);

   lir_value zero = lir_const32(&builder, 0);
   lir_value one = lir_const32(&builder, 1);
   lir_value x = lir_load32(&builder, LIR_SPACE_INPUT, 0, zero);
   lir_value y = lir_load32(&builder, LIR_SPACE_INPUT, 0, one);
   lir_value value = unary ? unary(&builder, x) : binary(&builder, x, y);
   bool ok = compile(evaluator, &builder, value);
   lir_module_finish(&module);
   return ok;
}

bool
evaluator_init_unary(struct evaluator *evaluator,
                     const struct exec_executor *executor,
                     unary_function function)
{
   return init(evaluator, executor, function, NULL);
}

bool
evaluator_init_binary(struct evaluator *evaluator,
                      const struct exec_executor *executor,
                      binary_function function)
{
   return init(evaluator, executor, NULL, function);
}

void
evaluator_finish(struct evaluator *evaluator)
{
   free(evaluator->scratch);
   if (evaluator->program)
      evaluator->executor->destroy(evaluator->program);
}

bool
evaluator_run(struct evaluator *evaluator)
{
   struct exec_fault fault;
   struct exec_wave wave = {
      .launched = 0xffff,
      .live = 0xffff,
      .input = {evaluator->input, 2},
      .output = {evaluator->output, 1},
   };

   return evaluator->executor->run(evaluator->program, &wave,
                                   evaluator->scratch, &fault) == TG_OK;
}

/* ---- judging ------------------------------------------------------------- */

uint32_t
float_bits(float value)
{
   uint32_t bits;

   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

float
bits_float(uint32_t bits)
{
   float value;

   memcpy(&value, &bits, sizeof(value));
   return value;
}

double
ulp_distance(float got, long double expected)
{
   /* What rounds to inf is as far from it as the next float would be. */
   const long double beyond = 0x1p128L;
   int exponent;

   if (isnan(got) || isnan(expected))
      return isnan(got) && isnan(expected) ? 0 : HUGE_VAL;
   if (isinf(expected))
      return got == expected ? 0 : HUGE_VAL;
   if (isinf(got) && fabsl(expected) > beyond)
      return signbit(got) == signbit(expected) ? 0 : HUGE_VAL;

   long double value = isinf(got) ? copysignl(beyond, got) : (long double)got;
   frexpl(expected, &exponent);
   if (expected == 0 || exponent < -125)
      exponent = -125;
   return (double)(fabsl(value - expected) / ldexpl(1, exponent - 24));
}
