/* SPDX-License-Identifier: MIT
 *
 * Type inference: what the registers of a shader hold. TGSI has no types: a
 * comparison gives ~0 or 0, a counter is an integer, and both are words like
 * any float. The unit knows floats alone. So a value that is seen to be a truth
 * value is kept as 1.0 or 0.0, and one that is seen to be an integer as the
 * float of the same value; all instructions that read it are compiled to suit.
 * What is used both as bits and otherwise stays a word, and what cannot do with
 * one is refused.
 *
 * Kinds belong to webs: all definitions of one component of a register that
 * reach a common use. So a register may hold this here and that there.
 */
#ifndef TEGRA_SELECT_KINDS_H
#define TEGRA_SELECT_KINDS_H

#include "tgsi/analysis/flow.h"
#include "util/arena.h"

enum kind {
   KIND_ANY,     /* nothing is known; also what a literal is */
   KIND_WORD,    /* the bits themselves: floats, and what may be anything */
   KIND_MASK,    /* ~0 and 0 as 1.0 and 0.0 */
   KIND_INTEGER, /* an integer as a float */
};

/* What an opcode has to do with kinds; a column of select.def. All from AND on
 * take integers and give integers, if the comment says nothing else. */
enum kinds_rule {
   KINDS_WORDS,       /* of words, gives words */
   KINDS_MOVE,        /* gives what it takes */
   KINDS_CHOICE,      /* tests source 0, gives source 1 or 2 */
   KINDS_TEST,        /* tests source 0 */
   KINDS_COMPARE,     /* of words, gives masks */
   KINDS_ORDER,       /* of integers, gives masks */
   KINDS_EQUAL,       /* of integers or masks, gives masks */
   KINDS_INTEGERS,    /* of integers, gives integers: all that is known */
   KINDS_TO,          /* of words, gives integers */
   KINDS_FROM,        /* of integers or masks, gives words */
   KINDS_INDEX,       /* of integers, gives an address */
   KINDS_SCALE,       /* of a word and an integer, gives words */
   KINDS_AND,         /* also of masks, or a mask and what it lets through */
   KINDS_OR,          /* also of masks */
   KINDS_XOR,         /* likewise */
   KINDS_NOT,         /* likewise */
   KINDS_NEGATION,    /* also of masks */
   KINDS_SUM,         /* a + b */
   KINDS_PRODUCT,     /* a b */
   KINDS_PRODUCT_SUM, /* a b + c */
   KINDS_HIGH,        /* bits 32 to 63 of a b */
   KINDS_DISTANCE,    /* |a - b| + c */
   KINDS_LEAST,
   KINDS_GREATEST,
   KINDS_ABSOLUTE,
   KINDS_SIGN,
   KINDS_LEFT,  /* a shifted by b */
   KINDS_RIGHT, /* likewise */
   KINDS_QUOTIENT,
   KINDS_QUOTIENT_OR_ONES, /* which has all bits set where the divisor is 0 */
   KINDS_REMAINDER,    /* likewise; as great as the dividend, with its sign */
   KINDS_FIELD,        /* c bits from bit b of a on */
   KINDS_SIGNED_FIELD, /* likewise */
   KINDS_INSERT,       /* a with d bits from bit c on from b */
   KINDS_COUNT,        /* of bits that are set */
   KINDS_PLACE,        /* of a bit, or -1 */
   KINDS_NUM_RULES,
};

/* Bounds of an integer. */
struct kinds_range {
   double low, high;
};

/* Those of the result, for those of the sources; 0 of what there is not. */
typedef struct kinds_range (*kinds_bounds)(const struct kinds_range *sources);

/* What may not leave KINDS_EXACT, where integers are computed. */
enum kinds_exact { KINDS_EXACT_NOTHING, KINDS_EXACT_RESULT, KINDS_EXACT_ALL };

/* By rule: what sources and the result are, whatever the operands; ANY is what
 * depends on them. */
struct kinds_rule_info {
   uint8_t source, result; /* enum kind */
   uint8_t exact;          /* enum kinds_exact */
   bool is_linear;         /* of an index makes an index */
   bool tells_signs;       /* words with bit 31 set are not what they are where
                              the type has, or has no, signs */
   bool has_signed_zeros;  /* a 0 may be -0 where a source is below 0 */
   kinds_bounds bounds;    /* NULL: those of all sources that it gives */
};

extern const struct kinds_rule_info kinds_rules[KINDS_NUM_RULES];

/* Up to here floats are as good as integers. */
#define KINDS_EXACT 16777216.0

struct kinds;

/* Type inference: works out the kinds, in memory of the arena; for a shader
 * without integers there is nothing to do. TG_ERROR_LIMIT, TG_ERROR_MEMORY. */
enum tg_result
kinds_create(struct tg_arena *arena, const struct tg_shader *shader,
             const struct tg_flow_info *flow, struct kinds **kinds_out);

/* Operands of an instruction: its destination and its sources. */
enum { KINDS_DST, KINDS_SRC, KINDS_MAX_SOURCES = 4 };

/* What component `channel`, after the swizzle, of an operand is; ANY for a
 * literal. */
enum kind
kinds_of(const struct kinds *kinds, uint32_t instruction, unsigned operand,
         unsigned channel);

/* Of a word: may it be -0, whose bits are not all 0? Of an integer: may its
 * float be -0? */
bool
kinds_may_be_minus_zero(const struct kinds *kinds, uint32_t instruction,
                        unsigned operand, unsigned channel);

/* The bounds of an integer. */
struct kinds_range
kinds_range(const struct kinds *kinds, uint32_t instruction, unsigned operand,
            unsigned channel);

/* Of an integer: does it only find registers? Then what is beyond KINDS_EXACT
 * need not be exact, only large. */
bool
kinds_is_index(const struct kinds *kinds, uint32_t instruction,
               unsigned operand, unsigned channel);

#endif
