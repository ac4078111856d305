/* SPDX-License-Identifier: MIT
 *
 * Instruction selection: TGSI instructions to operations, one instruction after
 * the other. Its files share what stands here: where TGSI's registers live,
 * operands as sources and places, and operations appended to the block at hand.
 *
 * Components and masks are those of words (x highest) once an operand has
 * become a source or a place.
 */
#ifndef TEGRA_SELECT_H
#define TEGRA_SELECT_H

#include "tegra/mir/compile.h"
#include "tegra/select/kinds.h"
#include "tgsi/analysis/flow.h"

/* ---- the tables ---------------------------------------------------------- */

enum select_refusal {
#define SELECT_REFUSAL(id, code, text) SELECT_REFUSED_##id,
#include "tegra/select/refusals.def"
   SELECT_NUM_REFUSALS
};

enum select_how {
   SELECT_NOTHING, /* of numbers that no opcode has */
   SELECT_VECTOR,
   SELECT_SCALAR,
   SELECT_EXPANSION,
   SELECT_REFUSED,
};

struct select;

struct select_row {
   uint8_t how;    /* enum select_how */
   uint8_t opcode; /* VECTOR, SCALAR: of that unit */
   uint8_t reason; /* REFUSED: enum select_refusal */
   uint8_t kinds;  /* enum kinds_rule */
   void (*expand)(struct select *select);
};

/* By enum tg_opcode. */
extern const struct select_row select_rows[];

/* ---- where registers are ------------------------------------------------- */

/* A file whose registers are registers of ours: TEMP, LOOP, PRED, and ADDR for
 * what an address register is known to hold. */
struct select_file {
   uint32_t count;
   uint32_t *registers; /* by index; NONE: not used yet */
};

/* A register of OUT. */
struct select_output {
   const struct tg_declaration *declaration; /* NULL: there is none */
   uint8_t export_index;
   uint32_t shadow; /* register with the same value, for reads; or NONE */
};

/* A constant buffer: CONST[dimension][i] is c[base + i]. */
struct select_buffer {
   uint32_t dimension, base, count;
   const struct tg_declaration *declaration; /* of its highest register */
};

/* What A0 is used for: address.c. */
struct select_address {
   bool is_plain; /* there is only ADDR[0], which is A0 */
   bool reloads;  /* A0.w is loaded where it is used */
   /* What else components of A0 are. */
   unsigned num_homes;
   struct {
      uint32_t index; /* of ADDR */
      uint8_t component;
   } homes[4];
};

/* Where an operation writes, and how. */
struct select_place {
   unsigned mask;
   uint32_t temporary;   /* or MIR_NONE */
   uint8_t export_index; /* or TEGRA_NO_EXPORT */
   bool saturate;
   bool sets_condition;
   uint8_t condition; /* that it sets */
   struct mir_predicate predicate;
};

/* Where branches lead: each instruction has a label in front and after. */
enum select_side { SELECT_BEFORE, SELECT_BEHIND, SELECT_NUM_SIDES };
struct select_label {
   uint32_t block; /* NONE: not placed yet */
   bool is_used;   /* a branch leads there */
};

struct select {
   const struct compile *compile;
   struct mir *mir;
   const struct tg_shader *shader;
   enum tg_result result; /* the first failure */

   struct select_file files[TG_NUM_FILES];
   struct select_address address;
   bool predicates_are_truths; /* 1.0 and 0.0 */
   bool zero_wins;             /* the property MUL_ZERO_WINS */
   uint32_t num_outputs;
   struct select_output *outputs; /* by OUT index */
   uint32_t num_buffers;
   struct select_buffer *buffers;

   /* The instruction at hand. */
   uint32_t index;
   const struct tg_instruction *instruction;
   const struct tg_opcode_info *info;
   bool is_refused;                  /* it has been complained of */
   struct select_place result_place; /* what its operations write */
   struct select_place target;       /* where the result goes from there */

   uint32_t block; /* that operations are put after */
   struct kinds *kinds;

   /* Control flow: flow.h. */
   struct tg_flow_info flow;
   struct select_label *labels; /* by enum select_side, for each instruction */
   bool *is_branch_target;      /* by instruction: of BRA */
   uint32_t *counters;          /* by instruction: register of a REP, or NONE */
   bool is_unreachable;         /* nothing leads to the instruction at hand */
   bool is_subroutine;          /* it is in one */
};

/* Complains that it cannot be compiled: of the instruction at hand, once; or of
 * any. */
void
select_refuse(struct select *select, enum select_refusal reason);
void
select_refuse_at(struct select *select, uint32_t index,
                 enum select_refusal reason);

/* Selects operations for one instruction after those of the block at hand. */
void
select_instruction(struct select *select, uint32_t index);

/* What stands between them happens only where the predicate of the instruction
 * at hand holds, if that has no destination. */
void
select_begin_guard(struct select *select);
void
select_end_guard(struct select *select);

/* Makes an instruction the one at hand. */
void
select_begin_instruction(struct select *select, uint32_t index);

/* Walks over the main program and what it calls, into blocks. */
enum tg_result
select_program(struct select *select);

/* Finds where registers are and gives them names: layout.c. */
enum tg_result
select_layout(struct select *select);

/* Finds what becomes of address registers. */
void
select_lay_out_addresses(struct select *select);

/* ---- registers: operands.c, address.c, array.c --------------------------- */

/* A register of any file that is not chosen by an address. */
struct mir_source
select_register_operand(struct select *select, const struct tg_register *reg);
struct select_place
select_operand_place(struct select *select, const struct tg_register *reg,
                     unsigned mask);

/* An address as a float, in all components. */
struct mir_source
select_address_value(struct select *select, const struct tg_index *index);

/* Indirect addressing: a register of IN or CONST, and reads and writes of an
 * array in another file. */
struct mir_source
select_addressed_register(struct select *select, const struct tg_register *reg);
struct mir_source
select_array_read(struct select *select, const struct tg_register *reg);
void
select_array_write(struct select *select, const struct tg_register *reg,
                   unsigned mask, struct mir_source value);

/* ---- sources: operands.c, source.c --------------------------------------- */

/* Source `index` of the instruction at hand, with its swizzle and modifiers, as
 * the kind that its rule asks for. Refuses the instruction if it is another. */
struct mir_source
select_source(struct select *select, unsigned index);

/* Source `index` of the instruction at hand as whatever kind it is, and
 * literals as the bits they are. */
struct mir_source
select_bare_operand(struct select *select, unsigned index);

/* Source `index` of the instruction at hand with literals as `kind` has them;
 * true if each component of the mask is of that kind. */
bool
select_source_as(struct select *select, unsigned index, unsigned mask,
                 enum kind kind, struct mir_source *source_out);

/* Something that is not 0 where the source has a bit set. */
struct mir_source
select_source_truth(struct select *select, unsigned index, unsigned mask);

/* Something that is not 0 where the predicate of the instruction at hand, as
 * swizzled but not negated, holds. */
struct mir_source
select_predicate_source(struct select *select, unsigned mask);

/* Refuses the instruction at hand if its result is not of the kind that its
 * rule gives, or integers that may be inexact. */
void
select_check_result(struct select *select);

/* Bounds of the components of a source that is of integers. */
struct kinds_range
select_source_bounds(const struct select *select, unsigned index,
                     unsigned mask);
bool
select_source_may_be_negative(const struct select *select, unsigned index,
                              unsigned mask);

/* Is a source what the caller of a program gives, IN or CONST? */
bool
select_has_input_source(const struct select *select);

/* Is a source a literal, and what word does it have in a component then, with
 * the modifiers of integers? */
bool
select_source_is_literal(const struct select *select, unsigned index);
uint32_t
select_source_literal(struct select *select, unsigned index, unsigned c);

/* What an operation wrote to a place with a temporary. */
static inline struct mir_source
select_value(struct select_place place)
{
   return mir_source_of(MIR_TEMPORARY, place.temporary);
}

/* ---- places: place.c, result.c ------------------------------------------ */

/* Finds where the result goes. select_finish_result() moves it there if that
 * is not where select_result() and select_result_parts() had it written. */
void
select_begin_result(struct select *select);
void
select_finish_result(struct select *select);

/* For the one and last operation that writes the result. */
struct select_place
select_result(struct select *select);

/* For several operations of which later ones read sources again. */
struct select_place
select_result_parts(struct select *select);

/* A new register, of which these components are written. */
struct select_place
select_temporary_place(struct select *select, unsigned mask);

/* No register: of operations that write A0. */
struct select_place
select_no_place(unsigned mask);

/* Nowhere: only a condition register is set, to how the result compares with
 * 0. CR[0] is for branches, CR[1] for select_place_where(). */
struct select_place
select_condition_place(unsigned condition, unsigned mask);

/* A part of a place, and a place only where CR[1] is as said. */
struct select_place
select_masked_place(struct select_place place, unsigned mask);
enum select_sign { SELECT_LESS = 1, SELECT_EQUAL = 2, SELECT_GREATER = 4 };
struct select_place
select_place_where(struct select_place place, unsigned signs, unsigned swizzle);

/* ---- operations: emit.c -------------------------------------------------- */

/* Append an operation to the block at hand, if it writes anything. */
void
select_emit(struct select *select, enum tegra_unit unit, unsigned opcode,
            struct select_place place, unsigned num_sources,
            const struct mir_source *sources);
void
select_emit_vector0(struct select *select, enum tegra_vector_op opcode,
                    struct select_place place);
void
select_emit_vector1(struct select *select, enum tegra_vector_op opcode,
                    struct select_place place, struct mir_source a);
void
select_emit_vector2(struct select *select, enum tegra_vector_op opcode,
                    struct select_place place, struct mir_source a,
                    struct mir_source b);
void
select_emit_vector3(struct select *select, enum tegra_vector_op opcode,
                    struct select_place place, struct mir_source a,
                    struct mir_source b, struct mir_source c);
void
select_emit_scalar(struct select *select, enum tegra_scalar_op opcode,
                   struct select_place place, struct mir_source source);

/* The same for each component of the place, of that component of the source. */
void
select_emit_scalars(struct select *select, enum tegra_scalar_op opcode,
                    struct select_place place, struct mir_source source);

/* x to the nearest whole number, and x without its fraction, to a place from
 * which x does not come. */
void
select_round(struct select *select, struct select_place place,
             struct mir_source x);
void
select_truncate(struct select *select, struct select_place place,
                struct mir_source x);

/* ---- exact products: halves.c -------------------------------------------- */

/* The upper 12 bits of a number and what is left; NaN from 2^116 on, where it
 * overflows. x less the product of two numbers, exactly if it is about x. */
struct select_halves {
   struct mir_source high, low;
};
struct select_halves
select_split_halves(struct select *select, struct mir_source x, unsigned mask);
struct mir_source
select_halves_rest(struct select *select, struct mir_source x,
                   const struct select_halves *a, const struct select_halves *b,
                   unsigned mask);

/* x - a b, exactly where that is nearly nothing of x. */
struct mir_source
select_halves_residual(struct select *select, struct mir_source x,
                       const struct mir_source *a, const struct mir_source *b,
                       unsigned mask);

/* Is it a literal whose lower halves are 0? */
bool
select_has_short_halves(const struct mir_source *x, unsigned mask);

/* Is it a literal that is 0 in all these components? */
bool
select_has_zero_halves(const struct mir_source *x, unsigned mask);

/* ---- products: product.c ------------------------------------------------- */

/* tg_instruction_is_fused() of the instruction at hand. */
bool
select_product_is_fused(const struct select *select);

/* a b + c of expansions whose proof wants two roundings, also where MAD rounds
 * once. Where the product is exact MAD itself will do. */
void
select_rounded_product_sum(struct select *select, struct select_place place,
                           struct mir_source a, struct mir_source b,
                           struct mir_source c);

/* Likewise the dot product of DP3 or DP4. */
void
select_rounded_dot_product(struct select *select, enum tegra_vector_op opcode,
                           struct select_place place, struct mir_source a,
                           struct mir_source b);

/* Products, as the shader wants those with a zero: a b, a b + c (with one
 * rounding, or as the instruction has it), and that of the opcode DP3 or DP4.
 */
void
select_fused_product_sum(struct select *select, struct select_place place,
                         struct mir_source a, struct mir_source b,
                         struct mir_source c);
void
select_product(struct select *select, struct select_place place,
               struct mir_source a, struct mir_source b);
void
select_product_sum(struct select *select, struct select_place place,
                   struct mir_source a, struct mir_source b,
                   struct mir_source c);
void
select_dot_product(struct select *select, enum tegra_vector_op opcode,
                   struct select_place place, struct mir_source a,
                   struct mir_source b);

/* ---- quotients: quotient.c ----------------------------------------------- */

/* 1 / x for each component that the mask has; of a literal another one. */
struct mir_source
select_reciprocals(struct select *select, struct mir_source x, unsigned mask);

/* a / b, and a / sqrt(dot(a, a)), by components. */
void
select_quotient(struct select *select, struct select_place place,
                struct mir_source a, struct mir_source b);
void
select_quotient_by_length(struct select *select, enum tegra_vector_op dot,
                          struct select_place place, struct mir_source a);

/* What is to the bit a quotient, sqrt(x) and x^y of src/lower, the operands of
 * the last two in all components. docs/tegra.md says of which operands. */
void
select_exact_quotient(struct select *select, struct select_place place,
                      struct mir_source a, struct mir_source b);
void
select_exact_root(struct select *select, struct select_place place,
                  struct mir_source x);
void
select_exact_power(struct select *select, struct select_place place,
                   struct mir_source x, struct mir_source y);

/* ---- expansions ---------------------------------------------------------- */

#define SELECT_ROW_VECTOR(detail)
#define SELECT_ROW_SCALAR(detail)
#define SELECT_ROW_REFUSED(detail)
#define SELECT_ROW_EXPANSION(detail)                                           \
   void select_op_##detail(struct select *select);
#define SELECT(opcode, how, detail, rule) SELECT_ROW_##how(detail)
#include "tegra/select/select.def"
#undef SELECT_ROW_VECTOR
#undef SELECT_ROW_SCALAR
#undef SELECT_ROW_REFUSED
#undef SELECT_ROW_EXPANSION

#endif
