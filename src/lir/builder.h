/* SPDX-License-Identifier: MIT
 *
 * Writing LIR. A builder appends to one function of a module. Running out of
 * memory or over a bound makes it `failed`; it then returns value 0 from
 * everything and the caller looks at `failed` once, at the end.
 *
 * One call a statement, results in named locals: C leaves the order of
 * arguments open, and listings must not depend on the compiler.
 */
#ifndef LIR_BUILDER_H
#define LIR_BUILDER_H

#include "lir/lir.h"

struct lir_builder {
   struct lir_module *module;
   uint32_t function; /* index in the module */
   uint32_t origin;   /* given to every instruction that is appended */
   uint32_t level;    /* constructs that are open here */
   bool failed;
};

/* Adds an empty function to the module; its index, or UINT32_MAX. `name` is
 * copied. */
uint32_t
lir_module_add_function(struct lir_module *module, const char *name);

/* Adds a variable or an array; its index, or UINT32_MAX. */
uint32_t
lir_module_add_var(struct lir_module *module, enum lir_type type,
                   const char *name);
uint32_t
lir_module_add_array(struct lir_module *module, uint32_t num_words,
                     const char *name);

/* Declares that a binding of LIR_SPACE_CONST has so many words, 1 to
 * LIR_MAX_SIZE_WORDS; of several declarations the largest holds. False when out
 * of memory or over LIR_MAX_SIZES. */
bool
lir_module_declare_size(struct lir_module *module, uint32_t binding,
                        uint32_t num_words);

/* A builder at the end of a function. */
void
lir_builder_init(struct lir_builder *builder, struct lir_module *module,
                 uint32_t function);

/* Appends any operation. Asserts that operands and immediate fit its row, and
 * that the operands can be seen here. */
lir_value
lir_build(struct lir_builder *builder, enum lir_op op,
          const lir_value *operands, uint64_t imm);

/* One function for each operation that computes: lir_fadd(builder, a, b). */
#define LIR_ALU1(name, r, a_, expression, title)                               \
   static inline lir_value lir_##name(struct lir_builder *builder,             \
                                      lir_value a)                             \
   {                                                                           \
      return lir_build(builder, LIR_OP_##name, &a, 0);                         \
   }
#define LIR_ALU2(name, r, a_, b_, expression, title)                           \
   static inline lir_value lir_##name(struct lir_builder *builder,             \
                                      lir_value a, lir_value b)                \
   {                                                                           \
      const lir_value operands[2] = {a, b};                                    \
      return lir_build(builder, LIR_OP_##name, operands, 0);                   \
   }
#define LIR_ALU3(name, r, a_, b_, c_, expression, title)                       \
   static inline lir_value lir_##name(struct lir_builder *builder,             \
                                      lir_value a, lir_value b, lir_value c)   \
   {                                                                           \
      const lir_value operands[3] = {a, b, c};                                 \
      return lir_build(builder, LIR_OP_##name, operands, 0);                   \
   }
#include "lir/ops.def"

/* Constants. */
lir_value
lir_const1(struct lir_builder *builder, bool value);
lir_value
lir_const32(struct lir_builder *builder, uint32_t value);
lir_value
lir_const64(struct lir_builder *builder, uint64_t value);
lir_value
lir_constf(struct lir_builder *builder, float value);
lir_value
lir_constd(struct lir_builder *builder, double value);

/* Variables, of whichever type they have. */
lir_value
lir_getvar(struct lir_builder *builder, uint32_t var);
void
lir_setvar(struct lir_builder *builder, uint32_t var, lir_value value);

/* Writes a variable of 32 bits in all lanes, active or not. */
void
lir_putvar(struct lir_builder *builder, uint32_t var, lir_value value);

/* Other lanes and the wave. */
lir_value
lir_lane(struct lir_builder *builder);
lir_value
lir_fddx(struct lir_builder *builder, lir_value a);
lir_value
lir_fddy(struct lir_builder *builder, lir_value a);
lir_value
lir_read_quad(struct lir_builder *builder, lir_value a, lir_value lane);
lir_value
lir_ballot(struct lir_builder *builder, lir_value a);
lir_value
lir_read_first(struct lir_builder *builder, lir_value a);
lir_value
lir_read_lane(struct lir_builder *builder, lir_value a, lir_value lane);
lir_value
lir_live(struct lir_builder *builder);
void
lir_kill(struct lir_builder *builder, lir_value condition);
lir_value
lir_clock(struct lir_builder *builder);

/* Memory. `op` is LIR_OP_load8, 16 or 32, or LIR_OP_store8, 16 or 32. */
lir_value
lir_load(struct lir_builder *builder, enum lir_op op, enum lir_space space,
         uint32_t binding, lir_value index);
void
lir_store(struct lir_builder *builder, enum lir_op op, enum lir_space space,
          uint32_t binding, lir_value index, lir_value value);
lir_value
lir_load32(struct lir_builder *builder, enum lir_space space, uint32_t binding,
           lir_value index);
void
lir_store32(struct lir_builder *builder, enum lir_space space, uint32_t binding,
            lir_value index, lir_value value);

/* The bytes of a binding of a shared space. */
lir_value
lir_memsize(struct lir_builder *builder, enum lir_space space,
            uint32_t binding);

/* `op` is LIR_OP_atomic_xchg or the like; only atomic_cas looks at `compare`.
 */
lir_value
lir_atomic(struct lir_builder *builder, enum lir_op op, enum lir_space space,
           uint32_t binding, lir_value index, lir_value compare,
           lir_value value);

/* Control. The three that open return the level to give to lir_br(). */
uint32_t
lir_begin_block(struct lir_builder *builder);
uint32_t
lir_begin_if(struct lir_builder *builder, lir_value condition);
void
lir_begin_else(struct lir_builder *builder);
uint32_t
lir_begin_loop(struct lir_builder *builder);
void
lir_end(struct lir_builder *builder);
void
lir_br(struct lir_builder *builder, uint32_t level);
void
lir_call(struct lir_builder *builder, uint32_t function);

/* Parameters and results of a function that is not the first; both counts are
 * at most LIR_MAX_SLOTS. Set them before the function is filled or called. */
void
lir_set_signature(struct lir_module *module, uint32_t function,
                  uint32_t num_params, uint32_t num_results);

/* A parameter, at the beginning of a function and in their order; and a result,
 * in active lanes. */
lir_value
lir_param(struct lir_builder *builder, uint32_t param);
void
lir_set_result(struct lir_builder *builder, uint32_t result, lir_value value);

/* Calls a function with as many arguments as it has parameters, and gives as
 * many results as it has. When the builder failed, `results_out` is left. */
void
lir_call_with(struct lir_builder *builder, uint32_t function,
              const lir_value *args, lir_value *results_out);

/* Events for listeners: a traced value, a vertex, the end of a primitive. */
void
lir_trace(struct lir_builder *builder, uint64_t tag, lir_value value);
void
lir_emit(struct lir_builder *builder, lir_value stream);
void
lir_endprim(struct lir_builder *builder, lir_value stream);

#endif
