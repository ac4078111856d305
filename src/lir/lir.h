/* SPDX-License-Identifier: MIT
 *
 * The lane IR: what everything that runs per lane is compiled to.
 *
 * A module is a set of functions over shared variables. A function is a flat
 * list of instructions; the number of an instruction is the name of its value.
 * Values are words of 1, 32 or 64 bits, one for each of the 16 lanes of a wave,
 * written once. Control flow is structured: block, if and loop nest and are
 * closed by `end`; `br` makes the active lanes leave an enclosing construct.
 * Divergence is a mask: an instruction that computes does so in all lanes, one
 * that has an effect has it in the active lanes, and what no lane would enter
 * is skipped. A value is visible from its instruction to the end of the
 * construct that holds it; what must live longer goes through a variable.
 *
 * Leaving works like this. Each construct remembers the lanes that will go on
 * after its end: at first those that entered. `br n` takes the active lanes
 * out of every construct inside level n, and makes no lane active. `end`
 * activates the remembered lanes; that of a loop first goes back to the top
 * with the lanes that reached it, while there are any. Lanes that leave a loop
 * (br to its level) wait after its end. Level 0 is the function itself.
 *
 * A function has parameters and results, which are words. A call's arguments,
 * as many as the callee has parameters, are `arg32` directly before it, in
 * their order; `result32` directly after it have its results. A function
 * begins, after its const32 0, with `param32` for those parameters that it
 * uses, in their order. Executors know none of these: lir_pass_signatures()
 * lowers them to variables.
 *
 * One rule for passes that rewrite: `CROSS` operations see the operands of
 * lanes that are not active. The value of an operation that feeds one may not
 * change in such lanes either; getvar reads what the variable really holds
 * there. So with arg32 and putvar32, which take values to where others see
 * them. Lanes that were never launched do not count: their values may change.
 */
#ifndef LIR_LIR_H
#define LIR_LIR_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "util/arena.h"

enum { LIR_LANES = 16 };

enum lir_op {
#define LIR_ALU1(name, r, a, expression, title) LIR_OP_##name,
#define LIR_ALU2(name, r, a, b, expression, title) LIR_OP_##name,
#define LIR_ALU3(name, r, a, b, c, expression, title) LIR_OP_##name,
#define LIR_ATOMIC(name, n, expression, title) LIR_OP_##name,
#define LIR_OTHER(name, r, n, a, b, c, imm, flags, title) LIR_OP_##name,
#include "lir/ops.def"
   LIR_NUM_OPS,
   LIR_OP_none = LIR_NUM_OPS,
};

enum lir_type {
   LIR_TYPE_V,
   LIR_TYPE_B1,
   LIR_TYPE_B32,
   LIR_TYPE_B64,
};

enum lir_imm_kind {
   LIR_IMM_NONE,
   LIR_IMM_CONST,
   LIR_IMM_VAR,
   LIR_IMM_MEM,
   LIR_IMM_LEVEL,
   LIR_IMM_FUNCTION,
   LIR_IMM_SLOT,
   LIR_IMM_TAG,
};

enum lir_op_flag {
   LIR_FLAG_PURE = 1 << 0,
   LIR_FLAG_READ = 1 << 1,
   LIR_FLAG_WRITE = 1 << 2,
   LIR_FLAG_CROSS = 1 << 3,
   LIR_FLAG_UNIFORM = 1 << 4,
   LIR_FLAG_CONTROL = 1 << 5,
   LIR_FLAG_OPEN = 1 << 6,
   LIR_FLAG_CLOSE = 1 << 7,
};

struct lir_op_info {
   const char *name;
   const char *title;
   uint8_t type; /* of the result, enum lir_type */
   uint8_t num_operands;
   uint8_t operand_type[3]; /* enum lir_type */
   uint8_t imm;             /* enum lir_imm_kind */
   uint8_t flags;           /* enum lir_op_flag */
};

extern const struct lir_op_info lir_ops[LIR_NUM_OPS];

/* The row of an operation. */
static inline const struct lir_op_info *
lir_op_row(uint32_t op)
{
   assert(op < LIR_NUM_OPS);
   return &lir_ops[op];
}

/* Whether an operation gives the same with its two operands exchanged. */
extern const bool lir_op_commutes[LIR_NUM_OPS];

/* Whether an operation takes many times as long as an addition. */
extern const bool lir_op_is_slow[LIR_NUM_OPS];

/* The spaces of memory. What a binding of a uniform space holds is the same
 * memory for all lanes. In lane memory each lane has words of its own. */
enum lir_space {
   LIR_SPACE_CONST,   /* uniform, never written: constant buffers */
   LIR_SPACE_TEXTURE, /* uniform, never written: texels */
   LIR_SPACE_SURFACE, /* uniform: colour and depth of the framebuffer */
   LIR_SPACE_BUFFER,  /* uniform: vertex, index and shader buffers */
   LIR_SPACE_IMAGE,   /* uniform: texels that shaders write */
   LIR_SPACE_SHARED,  /* uniform: memory of a block of compute threads */
   LIR_SPACE_INPUT,   /* lane memory, never written */
   LIR_SPACE_SYSVAL,  /* lane memory, never written */
   LIR_SPACE_OUTPUT,  /* lane memory */
   LIR_SPACE_ARRAY,   /* lane memory of the module, zero at first; the binding
                       * is an index of lir_module.arrays */
   LIR_NUM_SPACES,
   LIR_NUM_UNIFORM_SPACES = LIR_SPACE_INPUT,
};

extern const char *const lir_space_names[LIR_NUM_SPACES];

/* Is memory of the space never written by code? */
static inline bool
lir_space_is_read_only(enum lir_space space)
{
   return space == LIR_SPACE_CONST || space == LIR_SPACE_TEXTURE ||
          space == LIR_SPACE_INPUT || space == LIR_SPACE_SYSVAL;
}

/* Can waves write what others then read? */
static inline bool
lir_space_is_shared(enum lir_space space)
{
   return space == LIR_SPACE_BUFFER || space == LIR_SPACE_IMAGE ||
          space == LIR_SPACE_SHARED;
}

/* The immediate of operations on memory, and its space and binding. */
static inline uint64_t
lir_mem(enum lir_space space, uint32_t binding)
{
   assert(space < LIR_NUM_SPACES);
   return (uint64_t)space << 32 | binding;
}
static inline enum lir_space
lir_mem_space(uint64_t imm)
{
   return (enum lir_space)(imm >> 32);
}
static inline uint32_t
lir_mem_binding(uint64_t imm)
{
   return (uint32_t)imm;
}

/* The value of instruction `index`. Every function begins with a const32 0, so
 * that a builder that ran out of memory has something harmless to return. */
typedef struct {
   uint32_t index;
} lir_value;

/* For instructions that no TGSI instruction is the cause of. */
#define LIR_NO_ORIGIN UINT32_MAX

struct lir_inst {
   uint16_t op;     /* enum lir_op */
   bool is_uniform; /* the same in all launched lanes; of a loop: lanes leave it
                     * together if all enter; lir_pass_uniformity() sets it */
   bool is_inside;  /* an access whose index is inside of the bounds in all
                     * lanes, which need no check, those of an array or of a
                     * declared size: lir_pass_bounds() sets it */
   uint32_t origin; /* TGSI instruction that it came from, or none */
   lir_value operand[3]; /* as many as the op has */
   uint8_t num_words; /* of a load that begins a run: this one and the next are
                       * loads of as many words that are next to each other;
                       * else 0: lir_pass_vectorize() sets it */
   uint64_t imm;
};

/* Purity: does the value of an instruction follow from its operands alone, as
 * that of computations and of loads of what is never written? */
static inline bool
lir_inst_is_pure(const struct lir_inst *inst)
{
   const struct lir_op_info *info = lir_op_row(inst->op);

   if (info->imm == LIR_IMM_MEM)
      return !(info->flags & LIR_FLAG_WRITE) &&
             lir_space_is_read_only(lir_mem_space(inst->imm));
   return info->flags & LIR_FLAG_PURE;
}

/* The change of nesting: 1 where a construct opens, -1 where one closes. */
static inline int
lir_level_step(const struct lir_inst *inst)
{
   const uint8_t flags = lir_op_row(inst->op)->flags;

   return !!(flags & LIR_FLAG_OPEN) - !!(flags & LIR_FLAG_CLOSE);
}

struct lir_function {
   const char *name;
   struct lir_inst *insts;
   uint32_t num_insts;
   uint32_t capacity;
   uint32_t num_params, num_results;
};

struct lir_var {
   const char *name; /* "TEMP[0].x", for listings; not unique */
   uint8_t type;     /* enum lir_type */
};

struct lir_array {
   const char *name;
   uint32_t num_words;
};

/* The declared size of a binding of LIR_SPACE_CONST. Words that are missing in
 * what is bound are 0 to loads, like all outside the bounds. */
struct lir_size {
   uint32_t binding;
   uint32_t num_words; /* 1 to LIR_MAX_SIZE_WORDS */
};

/* Bounds that the verifier holds everybody to. */
enum {
   LIR_MAX_INSTS = 1 << 22,
   LIR_MAX_VARS = 1 << 20,
   LIR_MAX_ARRAY_WORDS = 1 << 20, /* of all arrays together */
   LIR_MAX_SIZES = 32,
   LIR_MAX_SIZE_WORDS = 1 << 12, /* executors may copy as many for a wave */
   LIR_MAX_FUNCTIONS = 1 << 16,
   LIR_MAX_SLOTS = 64,      /* parameters of a function, and results */
   LIR_MAX_LEVELS = 1024,   /* constructs in each other in a function */
   LIR_MAX_CALL_DEPTH = 64, /* deeper calls end the run with TG_ERROR_LIMIT */
   LIR_MAX_RUN = 4,         /* loads in a run */
};

/* What debuggers and profilers say of a module. NULL: it is not known. */
struct lir_symbols {
   const char *name;      /* of what it was lowered from: "FRAG shader 7" */
   const char *file;      /* in which origins are */
   const uint32_t *lines; /* by origin; 0 where there is none */
   uint32_t num_lines;
};

struct lir_module {
   struct tg_arena arena;          /* owns everything below */
   struct lir_symbols symbols;     /* nothing depends on them */
   struct lir_function *functions; /* [0] is where a wave begins */
   struct lir_var *vars;
   struct lir_array *arrays;
   struct lir_size *sizes; /* at most one for a binding */
   uint32_t num_functions, num_vars, num_arrays, num_sizes;
   bool has_tiled_surfaces; /* lanes of a quad mostly look at units of a surface
                             * that are next to each other, those of all quads,
                             * too: executors may count on it for speed alone */
   uint32_t function_capacity, var_capacity, array_capacity, size_capacity;
};

/* The module lies where the caller wants it; finish frees what it owns. */
void
lir_module_init(struct lir_module *module,
                const struct tg_allocator *allocator);
void
lir_module_finish(struct lir_module *module);

/* Copies a module into an empty one. False when out of memory. */
bool
lir_module_copy(const struct lir_module *from, struct lir_module *to);

/* The declared size of a binding of LIR_SPACE_CONST in words, 0 if none. */
uint32_t
lir_module_declared_words(const struct lir_module *module, uint32_t binding);

#endif
