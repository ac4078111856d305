/* SPDX-License-Identifier: MIT
 *
 * What a module needs of memory.
 */
#include "exec/jit/shape.h"

enum {
   /* Words of a constant buffer or of lane memory that may be read
    * unchecked. */
   MAX_STATIC_WORDS = LIR_MAX_SIZE_WORDS,
};

static struct jit_place *
add_binding(struct jit_shape *shape, uint64_t mem)
{
   for (uint32_t i = 0; i < shape->num_bindings; i++) {
      if (shape->bindings[i].mem == mem)
         return &shape->bindings[i];
   }
   if (shape->num_bindings == JIT_MAX_MEMORIES)
      return NULL;
   struct jit_place *binding = &shape->bindings[shape->num_bindings++];
   *binding = (struct jit_place){.mem = mem};
   return binding;
}

/* The number of words that a constant index asks for; 0 when it asks for
 * none. */
static uint32_t
static_words(const struct lir_function *function, const struct lir_inst *inst)
{
   if (inst->op != LIR_OP_load32 && inst->op != LIR_OP_store32)
      return 0;
   const struct lir_inst *index = &function->insts[inst->operand[0].index];
   return index->op == LIR_OP_const32 && index->imm < MAX_STATIC_WORDS
             ? (uint32_t)index->imm + 1
             : 0;
}

static void
raise(uint32_t *most, uint32_t value)
{
   *most = value > *most ? value : *most;
}

/* Of constants: where the index is another, all words that it may be of. */
static uint32_t
static_constants(const struct lir_module *module,
                 const struct lir_function *function,
                 const struct lir_inst *inst)
{
   const uint32_t words = static_words(function, inst);

   return inst->is_inside && words == 0
             ? lir_module_declared_words(module, lir_mem_binding(inst->imm))
             : words;
}

static void
survey_memory(struct jit_shape *shape, const struct lir_module *module,
              const struct lir_function *function, const struct lir_inst *inst)
{
   const enum lir_space space = lir_mem_space(inst->imm);

   if (space < LIR_NUM_UNIFORM_SPACES) {
      struct jit_place *binding = add_binding(shape, inst->imm);

      shape->is_too_much |= !binding;
      if (binding && space == LIR_SPACE_CONST)
         raise(&binding->static_words,
               static_constants(module, function, inst));
   } else if (space != LIR_SPACE_ARRAY) {
      raise(&shape->static_lane_words[space - LIR_SPACE_INPUT],
            static_words(function, inst));
   }
   shape->writes_shared |= lir_space_is_shared(space) &&
                           lir_op_row(inst->op)->flags & LIR_FLAG_WRITE;
}

static void
survey_inst(struct jit_shape *shape, const struct lir_module *module,
            const struct lir_function *function, const struct lir_inst *inst)
{
   if (lir_op_row(inst->op)->imm == LIR_IMM_MEM)
      survey_memory(shape, module, function, inst);
   shape->has_barriers |= inst->op == LIR_OP_barrier;
}

bool
jit_survey(const struct lir_module *module, struct jit_shape *shape)
{
   *shape = (struct jit_shape){0};
   for (uint32_t k = 0; k < module->num_functions; k++) {
      const struct lir_function *function = &module->functions[k];

      for (uint32_t i = 0; i < function->num_insts; i++)
         survey_inst(shape, module, function, &function->insts[i]);
   }
   for (uint32_t i = 0; i < module->num_arrays; i++)
      shape->num_array_words += module->arrays[i].num_words;
   return !shape->is_too_much;
}

uint32_t
jit_find_place(const struct jit_shape *shape, uint64_t mem)
{
   uint32_t i = 0;

   while (shape->bindings[i].mem != mem)
      i++;
   assert(i < shape->num_bindings);
   return i;
}
