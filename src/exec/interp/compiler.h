/* SPDX-License-Identifier: MIT
 *
 * A module on its way to a program: what compile.c, which sees the module, and
 * decode.c, which sees one function, share.
 */
#ifndef TG_EXEC_INTERP_COMPILER_H
#define TG_EXEC_INTERP_COMPILER_H

#include "exec/interp/interp.h"

/* A call whose callee may not be decoded yet. */
struct interp_pending_call {
   uint32_t inst;
   uint32_t function;
};

struct interp_compiler {
   const struct lir_module *module;
   const struct interp_set *set;
   struct tg_arena arena; /* everything below; freed when compiled */

   struct interp_inst *insts;
   uint32_t *origins;
   uint32_t num_insts, inst_capacity, origin_capacity;

   struct interp_constant *constants;
   uint32_t num_constants;
   uint32_t *constant_table; /* hash to index + 1; 0 is empty */

   struct interp_array *arrays;
   uint32_t *slot_of_var;  /* UINT32_MAX: nobody names it */
   uint32_t *write_of_var; /* for interp_find_lifetimes() */

   /* By function. A callee's frame lies after those of all its callers. */
   uint32_t *entry; /* index of its first instruction */
   uint32_t *frame; /* offset */

   struct interp_pending_call *calls;
   uint32_t num_calls, call_capacity;

   bool has_clock, has_barriers;
   uint64_t scratch_end; /* bytes given away so far */
   enum tg_result result;
};

/* A function of the module and where its frame begins. */
struct interp_frame {
   uint32_t function;
   uint32_t begin;
   uint32_t size;     /* decoding finds out */
   bool is_recursive; /* calls put it away, since they may come back to it */
};

/* The slot of a constant that is filled in when a wave starts, or UINT32_MAX:
 * only so many are. */
uint32_t
interp_compile_find_constant(const struct interp_compiler *compiler,
                             uint64_t value, bool is_wide);

/* A constant instruction's value as its slot holds it. */
uint64_t
interp_compile_constant_value(const struct lir_inst *inst);

/* Appends the decoded function. Failure goes into compiler->result. */
void
interp_decode_function(struct interp_compiler *compiler,
                       struct interp_frame *frame);

/* Bounds an offset in the scratch; false and TG_ERROR_LIMIT beyond. */
bool
interp_compile_check_scratch(struct interp_compiler *compiler, uint64_t end);

static inline uint64_t
interp_round_up(uint64_t size)
{
   return (size + 63) / 64 * 64;
}

#endif
