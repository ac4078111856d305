/* SPDX-License-Identifier: MIT
 *
 * A module made ready for code generation: one list of instructions, calls
 * inlined and dead code left out, with the uses of each value.
 */
#ifndef TG_EXEC_X86_UNIT_H
#define TG_EXEC_X86_UNIT_H

#include "lir/lir.h"

#define X86_NEVER UINT32_MAX

enum {
   X86_OP_leave =
      LIR_NUM_OPS, /* the end of a function: no instruction of LIR */
   X86_NUM_OPS,
   X86_MAX_INSTS = 1 << 14,          /* more are left to others */
   X86_MAX_SEEN = 4 * X86_MAX_INSTS, /* with dead ones, which are left out */
   X86_MAX_DEPTH = 16,               /* calls in each other */
   X86_MAX_OPEN = 1 << 12,           /* constructs in each other */
};

struct x86_inst {
   uint16_t op;
   uint8_t type;       /* of the value, enum lir_type */
   bool is_uniform;    /* as in struct lir_inst */
   bool is_inside;     /* likewise */
   bool is_invariant;  /* the same in all waves: computed before the first */
   bool has_else;      /* of an if */
   bool is_crossed;    /* of a construct: a br inside goes farther out */
   bool varies_in_use; /* of a uniform value: something that is not uses it; of
                        * an invariant, something that is no invariant */
   uint32_t origin;
   uint32_t operand[3];
   uint64_t imm;         /* of br: a level, of all functions together */
   uint32_t next_use[3]; /* of each operand's value, after this; or never */
   uint32_t first_use;   /* of the value, or never */
   uint32_t last_use;    /* of the value: the end of a loop that it enters from
                          * outside; 0 for none */
};

struct x86_unit {
   struct x86_inst *insts;
   uint32_t num_insts;
   uint32_t most_open;  /* constructs in each other, functions too */
   bool *var_is_scalar; /* for each variable: see jit_find_scalars() */
};

/* Flattens a verified module; all memory comes from `arena`. Where it need not
 * stay in order, it is scheduled. TG_ERROR_LIMIT: it is too large, or calls
 * itself. TG_ERROR_MEMORY. */
enum tg_result
x86_unit_init(struct x86_unit *unit, const struct lir_module *module,
              bool in_order, struct tg_arena *arena);

/* Gives instructions another order, in which they do the same: before their
 * uses are found. False when memory runs out. */
bool
x86_schedule(struct x86_unit *unit, struct tg_arena *arena);

/* Does nothing but its operands, and instructions that are not movable, keep an
 * instruction where it is? */
bool
x86_is_movable(const struct x86_inst *inst);

/* Does a helper compute it? See ops.def. */
bool
x86_is_call(uint16_t op);

/* How many operands an instruction has. */
static inline unsigned
x86_num_operands(const struct x86_inst *inst)
{
   return inst->op == X86_OP_leave ? 0 : lir_op_row(inst->op)->num_operands;
}

/* Constants are no uses of registers: they lie with the code. */
static inline bool
x86_is_constant(const struct x86_inst *inst)
{
   return inst->op == LIR_OP_const1 || inst->op == LIR_OP_const32 ||
          inst->op == LIR_OP_const64;
}

#endif
