/* SPDX-License-Identifier: MIT
 *
 * The verifier of the IR: what holds of operations between any two stages of
 * the compiler.
 */
#include "tegra/mir/word.h"

#include <assert.h>

static const char *
check_source(const struct mir *mir, const struct mir_source *source)
{
   switch ((enum mir_file)source->file) {
   case MIR_UNDEFINED: return NULL;
   case MIR_TEMPORARY:
      return source->relative ? "a register has no relative index"
             : source->index < mir->num_temporaries ? NULL
                                                    : "no such register";
   case MIR_ATTRIBUTE:
      return source->index < TG_TEGRA_NUM_ATTRIBUTES ? NULL
                                                     : "no such attribute";
   case MIR_CONSTANT:
      return source->index < TEGRA_NUM_CONSTANT_INDICES ? NULL
                                                        : "no such constant";
   case MIR_LITERAL:
      return source->relative || source->swizzle != TEGRA_IDENTITY
                ? "a literal has no index and no swizzle"
                : NULL;
   }
   return "no such file";
}

static const char *
check_destinations(const struct mir *mir, const struct mir_op *op)
{
   unsigned result = mir_info(op)->result;
   bool writes = op->temporary != MIR_NONE ||
                 op->export_index != TEGRA_NO_EXPORT || op->sets_condition;

   if (op->temporary != MIR_NONE && op->temporary >= mir->num_temporaries)
      return "no such register is written";
   if (op->export_index != TEGRA_NO_EXPORT &&
       op->export_index >= TG_TEGRA_NUM_EXPORTS)
      return "no such export";
   if (writes && (result == TEGRA_RESULT_NONE || result == TEGRA_RESULT_ADDR))
      return "there is no result to write";
   return writes && !op->mask ? "nothing is written of a destination" : NULL;
}

static const char *
check_op(const struct mir *mir, const struct mir_op *op)
{
   const struct tegra_opcode_info *info = mir_info(op);

   if (!info->name || info->effect == TEGRA_EFFECT_UNKNOWN)
      return "no such opcode";
   if (info->operands == TEGRA_OPERANDS_TARGET && op->target >= mir->num_blocks)
      return "no such target";
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      const char *error = check_source(mir, &op->source[i]);
      if (error)
         return error;
   }
   return check_destinations(mir, op);
}

static const char *
check_pair(const struct mir_block *block, uint32_t index)
{
   assert(index < block->num_ops);
   const struct mir_op *scalar = &block->ops[index];
   const struct mir_op *vector = index ? scalar - 1 : NULL;
   struct word_claim claims[2];

   if (!scalar->paired)
      return NULL;
   if (!vector || vector->paired || vector->unit != TEGRA_VECTOR ||
       scalar->unit != TEGRA_SCALAR)
      return "a pair is a vector operation and then a scalar one";
   word_claim(vector, &claims[0]);
   word_claim(scalar, &claims[1]);
   return word_can_pair(vector, &claims[0], scalar, &claims[1])
             ? NULL
             : "these operations cannot share a word";
}

static const char *
check_block(const struct mir *mir, const struct mir_block *block)
{
   for (uint32_t i = 0; i < block->num_ops; i++) {
      const char *error = check_op(mir, &block->ops[i]);

      if (!error && mir_is_jump(&block->ops[i]) && i + 1 < block->num_ops)
         error = "a jump does not end its block";
      if (!error)
         error = check_pair(block, i);
      if (error)
         return error;
   }
   return NULL;
}

const char *
mir_verify(const struct mir *mir)
{
   const char *error = mir->end < mir->num_blocks ? NULL : "there is no end";

   for (uint32_t i = 0; i < mir->num_blocks && !error; i++)
      error = check_block(mir, &mir->blocks[i]);
   return error;
}
