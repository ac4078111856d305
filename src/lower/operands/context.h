/* SPDX-License-Identifier: MIT
 *
 * What the lowering functions of this room share. Each opcode's row names one
 * of them, lower_op_<name>(); it reads sources and gives destinations through
 * the calls below and knows nothing of files, swizzles, masks or modifiers.
 *
 * All sources of an instruction are read before any destination is written:
 * lower_dst() only notes the value, and the caller of the lowering function
 * stores what was noted, under write mask and saturate.
 */
#ifndef TG_LOWER_OPERANDS_CONTEXT_H
#define TG_LOWER_OPERANDS_CONTEXT_H

#include "lower/lower.h"

struct lower_context {
   struct lir_builder builder; /* of the function that is being written */
   struct tg_arena *arena;     /* for what lives as long as the lowering */
   const struct tg_shader *shader;
   const struct lower_options *options;
   struct tg_diagnostics *diagnostics;
   const struct tg_dialect_info *dialect; /* its row of dialects.def */
   bool mul_zero_wins;
   enum tg_result result; /* the first thing that went wrong */

   /* The instruction at hand. */
   const struct tg_instruction *instruction;
   uint32_t instruction_index;
   const struct tg_opcode_info *info; /* its row, tgsi/analysis/instruction.h */
   enum lir_op op;                    /* its row's last column */

   /* The stack of PUSHA and POPA, once one of them was seen: alu/address.c. */
   bool has_address_stack;
   uint32_t address_stack; /* LIR array */
   uint32_t address_depth; /* variable: words on it */

   uint32_t launched; /* variable: the wave's lanes, stage/derivative.c */

   /* Of memory/object.c: what each lane got of an object of its own, and the
    * LIR array of MEMORY, PRIVATE, once they were needed. */
   bool has_result_vars, has_private_memory;
   uint32_t result_var[4];
   uint32_t private_memory;

   /* Of alu/idiom.c: the square root that the RSQ of this index computed. NULL
    * where none is looked for. */
   lir_value *roots;

   struct lower_operands *operands;   /* of the instruction: operands.c */
   struct lower_registers *registers; /* where they live: registers.c */
   struct lower_flow *flow;           /* open constructs: flow/flow.c */
   struct sample_functions *samples;  /* look things up: sample/sample.c */
};

/* A lowering function for each name in the `lower` column. */
#define TG_OPCODE(name, number, dst, min, src, dst_type, types, reads, result, \
                  group, flags, flow, closer, specs, stages, lower, lir,       \
                  title)                                                       \
   void lower_op_##lower(struct lower_context *context);
#include "tgsi/tables/opcodes.def"

/* ---- reading ------------------------------------------------------------- */

/* A channel (0 to 3, after the swizzle) of a source, with the modifiers that
 * its type in the row asks for. */
lir_value
lower_src(struct lower_context *context, unsigned src, unsigned channel);

/* The 64-bit value of pair 0 (swizzle letters x, y) or pair 1 (z, w), with
 * modifiers applied to the pair. */
lir_value
lower_src64(struct lower_context *context, unsigned src, unsigned pair);

/* lower_src64() of an operand that is a double whatever its row says, as in a
 * dialect that gave the opcode other types. */
lir_value
lower_src_double(struct lower_context *context, unsigned src, unsigned pair);

/* The source of a pair that is written: pair 0 for pair 1 where that is written
 * alone, with TG_QUIRK_PAIRS_IN_TURN, and else the pair itself. */
lir_value
lower_src_in_turn(struct lower_context *context, unsigned src, unsigned pair);

/* Reads the first `num_channels` channels of a source, x first. */
void
lower_src_vector(struct lower_context *context, unsigned src,
                 unsigned num_channels, lir_value *values_out);

/* ---- writing ------------------------------------------------------------- */

/* Does the write mask of destination `dst` have this channel? Use it to leave
 * out work; lower_dst() ignores masked channels anyway. */
bool
lower_dst_writes(const struct lower_context *context, unsigned dst,
                 unsigned channel);

/* Does the write mask of destination `dst` have a channel of pair 0 (x, y) or
 * pair 1 (z, w)? */
bool
lower_dst_writes_pair(const struct lower_context *context, unsigned dst,
                      unsigned pair);

/* Sets the result of a channel, all channels, or the two channels of a pair. */
void
lower_dst(struct lower_context *context, unsigned dst, unsigned channel,
          lir_value value);
void
lower_dst_all(struct lower_context *context, unsigned dst, lir_value value);
void
lower_dst64(struct lower_context *context, unsigned dst, unsigned pair,
            lir_value value);

/* Stores what was given so far. Only functions that open or close constructs
 * need it: their values must be stored on the right side of the edge. */
void
lower_dst_commit(struct lower_context *context);

/* ---- helpers for meanings ------------------------------------------------ */

/* A product of the shader's floats: +0 when an operand is 0 and the shader has
 * MUL_ZERO_WINS, else fmul. */
lir_value
lower_arith_product(struct lower_context *context, lir_value a, lir_value b);

/* tg_instruction_is_fused() of the instruction at hand. */
bool
lower_arith_is_fused(const struct lower_context *context);

/* a * b + c of the shader's floats: fused, or rounded after each. MUL_ZERO_WINS
 * decides the product first. */
lir_value
lower_arith_product_sum(struct lower_context *context, lir_value a, lir_value b,
                        lir_value c);

/* Is channel `channel` of the ADD or MAD at hand the floor of its first or
 * third source, by TG_QUIRK_FLOOR_BY_FRACTION? */
bool
lower_is_floor_by_fraction(const struct lower_context *context,
                           unsigned channel);

/* Makes room for square roots, if TG_QUIRK_ROOT_BY_RECIPROCALS asks for them.
 * False: no memory. */
bool
lower_roots_create(struct lower_context *context);

/* The square root that the RCP at hand is, by that quirk, or NULL. */
const lir_value *
lower_find_root(const struct lower_context *context);

/* x^y, by TG_QUIRK_GLSL_POWERS or as exact as it can be. */
lir_value
lower_pow(struct lower_context *context, lir_value x, lir_value y);

/* In the dialects of 2010 and 2011 an address register holds floats, which are
 * made integers when they index (alu/address.c); later it holds integers. */
bool
lower_address_registers_hold_floats(const struct lower_context *context);

/* The lowering fails with the first result that is not TG_OK. */
void
lower_fail(struct lower_context *context, enum tg_result result);

/* Reports that the instruction at hand cannot be lowered. */
void
lower_error(struct lower_context *context, enum tg_result result,
            const char *code, const char *format, ...)
   __attribute__((format(printf, 4, 5)));

#endif
