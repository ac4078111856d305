/* SPDX-License-Identifier: MIT
 *
 * Transcendental functions: those of src/lower as modules of the lane IR, which
 * the interpreter runs on a wave. So they give the bits that TGSI's opcodes do.
 */
#include <assert.h>
#include <string.h>

#include "lir/builder.h"
#include "lower/math/functions.h"
#include "tegra/simulate/simulate.h"
#include "util/length.h"

typedef lir_value (*function_of_one)(struct lir_builder *builder, lir_value x);
typedef lir_value (*function_of_two)(struct lir_builder *builder, lir_value x,
                                     lir_value y);

struct row {
   const char *name;
   function_of_one one;
   function_of_two two;
};

static const struct row rows[SIMULATE_NUM_KERNELS] = {
   [SIMULATE_EXP2] = {"exp2", lower_math_exp2},
   [SIMULATE_LOG2] = {"log2", lower_math_log2},
   [SIMULATE_SIN] = {"sin", lower_math_sin},
   [SIMULATE_COS] = {"cos", lower_math_cos},
   [SIMULATE_EXPONENT] = {"exponent", lower_math_exponent},
   [SIMULATE_SIGNIFICAND] = {"significand", lower_math_significand},
   [SIMULATE_POW] = {"pow", .two = lower_math_pow},
};

/* Kernels that opcodes call, as a set. */
static const uint8_t kernels_of[TEGRA_NUM_OPCODES] = {
   [TEGRA_SCALAR_EXP] = 1 << SIMULATE_EXP2,
   [TEGRA_SCALAR_LOG] =
      1 << SIMULATE_EXPONENT | 1 << SIMULATE_SIGNIFICAND | 1 << SIMULATE_LOG2,
   [TEGRA_SCALAR_LIT] = 1 << SIMULATE_POW,
   [TEGRA_SCALAR_LG2] = 1 << SIMULATE_LOG2,
   [TEGRA_SCALAR_EX2] = 1 << SIMULATE_EXP2,
   [TEGRA_SCALAR_SIN] = 1 << SIMULATE_SIN,
   [TEGRA_SCALAR_COS] = 1 << SIMULATE_COS,
};

static lir_value
load(struct lir_builder *builder, uint32_t index)
{
   lir_value value = lir_const32(builder, index);

   return lir_load32(builder, LIR_SPACE_INPUT, 0, value);
}

static void
build(struct lir_builder *builder, const struct row *row)
{
   lir_value x = load(builder, 0);
   lir_value y = row->two ? load(builder, 1) : x;
   lir_value value = row->two ? row->two(builder, x, y) : row->one(builder, x);
   lir_value zero = lir_const32(builder, 0);

   lir_store32(builder, LIR_SPACE_OUTPUT, 0, zero, value);
}

static enum tg_result
write_kernel(void *user, const void *key, struct lir_module *module,
             struct tg_diagnostics *diagnostics)
{
   const struct row *row = key;
   uint32_t function = lir_module_add_function(module, row->name);
   struct lir_builder builder;

   (void)user;
   (void)diagnostics;
   if (function == UINT32_MAX)
      return TG_ERROR_MEMORY;
   lir_builder_init(&builder, module, function);
   build(&builder, row);
   return builder.failed ? TG_ERROR_MEMORY : TG_OK;
}

static enum tg_result
compile(struct simulate_kernels *kernels, enum simulate_kernel kernel)
{
   assert(kernel < TG_LENGTH(kernels->code));
   const struct exec_compiler compiler = {
      .allocator = kernels->allocator,
      .executor = kernels->executor,
   };
   const struct exec_source source = {
      .kind = rows[kernel].name,
      .key = &rows[kernel],
      .write = write_kernel,
   };

   return exec_compile(&compiler, &source, NULL, &kernels->code[kernel]);
}

enum tg_result
simulate_kernels_add(struct simulate_kernels *kernels,
                     enum tegra_scalar_op opcode)
{
   enum tg_result result = TG_OK;

   for (unsigned i = 0; i < SIMULATE_NUM_KERNELS && result == TG_OK; i++) {
      assert(opcode < TG_LENGTH(kernels_of));
      if (kernels_of[opcode] & 1u << i && !kernels->code[i])
         result = compile(kernels, i);
   }
   return result;
}

size_t
simulate_kernels_scratch_size(const struct simulate_kernels *kernels)
{
   size_t most = 0;

   for (unsigned i = 0; i < SIMULATE_NUM_KERNELS; i++) {
      size_t size = kernels->code[i] ? kernels->code[i]->scratch_size : 0;

      most = size > most ? size : most;
   }
   return most;
}

void
simulate_kernels_finish(struct simulate_kernels *kernels)
{
   for (unsigned i = 0; i < SIMULATE_NUM_KERNELS; i++)
      exec_code_destroy(kernels->allocator, kernels->code[i]);
}

void
simulate_kernel_run(struct simulate_kernels *kernels,
                    enum simulate_kernel kernel, const uint32_t *x,
                    const uint32_t *y, uint32_t *restrict result)
{
   assert(kernel < TG_LENGTH(kernels->code));
   const struct exec_code *code = kernels->code[kernel];
   struct exec_fault fault;
   struct exec_wave wave = {
      .launched = 0xffff,
      .live = 0xffff,
      .input = {kernels->input, 2},
      .output = {kernels->output, 1},
   };

   memcpy(kernels->input[0], x, sizeof(simulate_row));
   if (y)
      memcpy(kernels->input[1], y, sizeof(simulate_row));
   enum tg_result ended =
      code->executor->run(code->program, &wave, kernels->scratch, &fault);
   assert(ended == TG_OK); /* there are no loops */
   (void)ended;
   memcpy(result, kernels->output[0], sizeof(simulate_row));
}
