/* SPDX-License-Identifier: MIT
 *
 * The rows of ops.def as an array.
 */
#include "lir/lir.h"

#define OP(name_, result, n, a, b, c, imm_, flags_, title_)                    \
   [LIR_OP_##name_] = {                                                        \
      .name = #name_,                                                          \
      .title = title_,                                                         \
      .type = LIR_TYPE_##result,                                               \
      .num_operands = n,                                                       \
      .operand_type = {LIR_TYPE_##a, LIR_TYPE_##b, LIR_TYPE_##c},              \
      .imm = LIR_IMM_##imm_,                                                   \
      .flags = flags_,                                                         \
   },

enum {
   PURE = LIR_FLAG_PURE,
   READ = LIR_FLAG_READ,
   WRITE = LIR_FLAG_WRITE,
   CROSS = LIR_FLAG_CROSS,
   UNIFORM = LIR_FLAG_UNIFORM,
   CONTROL = LIR_FLAG_CONTROL,
   OPEN = LIR_FLAG_OPEN,
   CLOSE = LIR_FLAG_CLOSE,
};

const struct lir_op_info lir_ops[LIR_NUM_OPS] = {
#define LIR_ALU1(name, r, a, expression, title)                                \
   OP(name, r, 1, a, V, V, NONE, PURE, title)
#define LIR_ALU2(name, r, a, b, expression, title)                             \
   OP(name, r, 2, a, b, V, NONE, PURE, title)
#define LIR_ALU3(name, r, a, b, c, expression, title)                          \
   OP(name, r, 3, a, b, c, NONE, PURE, title)
#define LIR_ATOMIC(name, n, expression, title)                                 \
   OP(name, B32, n, B32, B32, B32, MEM, READ | WRITE, title)
#define LIR_OTHER OP
#include "lir/ops.def"
};

const bool lir_op_commutes[LIR_NUM_OPS] = {
#define LIR_COMMUTES(name) [LIR_OP_##name] = true,
#include "lir/ops.def"
};

const bool lir_op_is_slow[LIR_NUM_OPS] = {
#define LIR_SLOW(name) [LIR_OP_##name] = true,
#include "lir/ops.def"
};

const char *const lir_space_names[LIR_NUM_SPACES] = {
   [LIR_SPACE_CONST] = "const",     [LIR_SPACE_TEXTURE] = "texture",
   [LIR_SPACE_SURFACE] = "surface", [LIR_SPACE_BUFFER] = "buffer",
   [LIR_SPACE_IMAGE] = "image",     [LIR_SPACE_SHARED] = "shared",
   [LIR_SPACE_INPUT] = "input",     [LIR_SPACE_SYSVAL] = "sysval",
   [LIR_SPACE_OUTPUT] = "output",   [LIR_SPACE_ARRAY] = "array",
};
