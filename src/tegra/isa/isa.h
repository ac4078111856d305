/* SPDX-License-Identifier: MIT
 *
 * The instruction set as data: the rows of fields.def and opcodes.def, an
 * instruction with a member for each field, and the way between that and its
 * 128 bits, which loses nothing in either direction.
 *
 *   127                                                                      0
 *   +-----------------+-----------------+-----------------+------------------+
 *   | words[0]    W3  | words[1]    W2  | words[2]    W1  | words[3]    W0   |
 *   +-----------------+-----------------+-----------------+------------------+
 *     flags, predicate  opcodes, indices  rA, rB, rC        masks, export
 */
#ifndef TEGRA_ISA_H
#define TEGRA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tungsten/tegra.h"

/* ---- fields -------------------------------------------------------------- */

enum tegra_field {
#define TEGRA_FIELD(id, lsb, width, title) TEGRA_FIELD_##id,
#include "tegra/isa/fields.def"
   TEGRA_NUM_FIELDS
};

struct tegra_field_info {
   const char *name;
   const char *title;
   uint8_t lsb, width;
};

extern const struct tegra_field_info tegra_fields[TEGRA_NUM_FIELDS];

/* An instruction; as an array, by enum tegra_field. */
union tegra_instruction {
   struct {
#define TEGRA_FIELD(id, lsb, width, title) uint16_t id;
#include "tegra/isa/fields.def"
   };
   uint16_t field[TEGRA_NUM_FIELDS];
};

/* Unpacks the four words of an instruction. */
union tegra_instruction
tegra_isa_decode(const uint32_t words[TG_TEGRA_WORDS]);

/* Sets one field. A value that is too large for it loses its high bits. */
void
tegra_isa_put_field(uint32_t words[TG_TEGRA_WORDS], enum tegra_field field,
                    unsigned value);

/* Packs the four words of an instruction. Values that are too large for their
 * fields lose their high bits. */
void
tegra_isa_encode(const union tegra_instruction *instruction,
                 uint32_t words[TG_TEGRA_WORDS]);

/* The field with this name, letters compared without case, or -1. */
int
tegra_isa_find_field(const char *name, size_t length);

/* ---- numbers with a meaning ---------------------------------------------- */

enum {
   TEGRA_NO_REGISTER = 63, /* of a destination */
   TEGRA_NO_EXPORT = 31,
   TEGRA_NUM_CONSTANT_INDICES = 1024, /* of which 256 exist */
   TEGRA_NUM_CONDITIONS = 2,          /* condition registers */
   TEGRA_IDENTITY = 0x1b,             /* the swizzle xyzw */
   TEGRA_XXXX = 0x00,                 /* the swizzle xxxx */
   TEGRA_LIT_LIMIT = 128,             /* of its exponent, either way */
};

/* Masks of components. */
enum {
   TEGRA_MASK_X = 8,
   TEGRA_MASK_Y = 4,
   TEGRA_MASK_Z = 2,
   TEGRA_MASK_W = 1,
   TEGRA_MASK_XY = TEGRA_MASK_X | TEGRA_MASK_Y,
   TEGRA_MASK_XYZ = TEGRA_MASK_XY | TEGRA_MASK_Z,
   TEGRA_MASK_XYZW = TEGRA_MASK_XYZ | TEGRA_MASK_W,
};

/* Types of a source. */
enum tegra_file {
   TEGRA_UNDEFINED,
   TEGRA_TEMPORARY,
   TEGRA_ATTRIBUTE,
   TEGRA_CONSTANT,
};

/* Components in swizzles and masks stand with x in the highest bits: component
 * 0 is x. */
static inline unsigned
tegra_swizzle_get(unsigned swizzle, unsigned component)
{
   return swizzle >> (6 - 2 * component) & 3;
}
static inline unsigned
tegra_swizzle(unsigned x, unsigned y, unsigned z, unsigned w)
{
   return x << 6 | y << 4 | z << 2 | w;
}
/* What `swizzle` picks of the lanes of `inner`. */
static inline unsigned
tegra_swizzle_of(unsigned swizzle, unsigned inner)
{
   return tegra_swizzle(
      tegra_swizzle_get(inner, tegra_swizzle_get(swizzle, 0)),
      tegra_swizzle_get(inner, tegra_swizzle_get(swizzle, 1)),
      tegra_swizzle_get(inner, tegra_swizzle_get(swizzle, 2)),
      tegra_swizzle_get(inner, tegra_swizzle_get(swizzle, 3)));
}
static inline unsigned
tegra_mask_bit(unsigned component)
{
   return 8u >> component;
}
static inline bool
tegra_mask_has(unsigned mask, unsigned component)
{
   return (mask & tegra_mask_bit(component)) != 0;
}
/* The first component that a mask has; it has one. */
static inline unsigned
tegra_mask_first(unsigned mask)
{
   return (unsigned)__builtin_clz(mask) - 28;
}
/* `swizzle` with lanes of another. */
static inline unsigned
tegra_swizzle_with(unsigned swizzle, unsigned lanes, unsigned other)
{
   unsigned bits = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(lanes, i))
         bits |= 3u << (6 - 2 * i);
   }
   return (swizzle & ~bits) | (other & bits);
}

/* ---- sources ------------------------------------------------------------- */

enum tegra_source { TEGRA_RA, TEGRA_RB, TEGRA_RC, TEGRA_NUM_SOURCES };

/* The five fields of a source. */
struct tegra_source_fields {
   uint8_t type, index, swz, neg, abs; /* enum tegra_field */
};

extern const struct tegra_source_fields tegra_source_fields[TEGRA_NUM_SOURCES];

/* A source as it stands in an instruction. */
struct tegra_operand {
   uint8_t file;   /* enum tegra_file */
   uint16_t index; /* of the temporary, attribute or constant */
   bool relative;  /* to A0.a_sel */
   uint8_t swizzle;
   bool negate, absolute;
};

struct tegra_operand
tegra_isa_get_source(const union tegra_instruction *instruction,
                     enum tegra_source source);

/* ---- opcodes ------------------------------------------------------------- */

enum tegra_unit { TEGRA_VECTOR, TEGRA_SCALAR, TEGRA_NUM_UNITS };

enum tegra_vector_op {
#define TEGRA_VECTOR_OP(name, number, ...) TEGRA_VECTOR_##name = number,
#include "tegra/isa/opcodes.def"
};

enum tegra_scalar_op {
#define TEGRA_SCALAR_OP(name, number, ...) TEGRA_SCALAR_##name = number,
#include "tegra/isa/opcodes.def"
};

enum { TEGRA_NUM_OPCODES = 32 }; /* of each unit, known or not */

enum tegra_operands {
   TEGRA_OPERANDS_NONE,
   TEGRA_OPERANDS_A,
   TEGRA_OPERANDS_AB,
   TEGRA_OPERANDS_AC,
   TEGRA_OPERANDS_ABC,
   TEGRA_OPERANDS_C,
   TEGRA_OPERANDS_TARGET,
};

enum tegra_reads {
   TEGRA_READS_NONE,
   TEGRA_READS_MASK,
   TEGRA_READS_X,
   TEGRA_READS_XYZ,
   TEGRA_READS_XYW,
   TEGRA_READS_YZW,
   TEGRA_READS_XYZW,
};

enum tegra_result {
   TEGRA_RESULT_NONE,
   TEGRA_RESULT_COMP,
   TEGRA_RESULT_REPL,
   TEGRA_RESULT_VEC,
   TEGRA_RESULT_ADDR,
};

enum tegra_effect {
   TEGRA_EFFECT_UNKNOWN, /* what has no row has this */
   TEGRA_EFFECT_NONE,
   TEGRA_EFFECT_BRANCH,
   TEGRA_EFFECT_CALL,
   TEGRA_EFFECT_RETURN,
   TEGRA_EFFECT_PUSH,
   TEGRA_EFFECT_POP,
};

struct tegra_opcode_info {
   const char *name;    /* without the letter of its unit; NULL: no row */
   const char *alias;   /* or NULL */
   const char *formula; /* NULL: no row */
   uint8_t operands;    /* enum tegra_operands */
   uint8_t reads;       /* enum tegra_reads */
   uint8_t result;      /* enum tegra_result */
   uint8_t effect;      /* enum tegra_effect */
   bool swaps;          /* the first two sources may change places */
   bool truth;          /* its results are 1 or 0 */
};

extern const struct tegra_opcode_info tegra_opcodes[TEGRA_NUM_UNITS]
                                                   [TEGRA_NUM_OPCODES];

/* The fields of an operation. */
struct tegra_unit_fields {
   uint8_t op, rd, mask; /* enum tegra_field */
};

extern const struct tegra_unit_fields tegra_unit_fields[TEGRA_NUM_UNITS];

/* The letter after names of a unit's opcodes: 'v' or 's'. */
extern const char tegra_unit_letter[TEGRA_NUM_UNITS];

/* The opcode of a unit with this name or alias, without the letter after it,
 * letters compared without case, or -1. */
int
tegra_isa_find_opcode(enum tegra_unit unit, const char *name, size_t length);

/* The sources of opcodes with such operands, in the order of the text. */
extern const struct tegra_operand_sources {
   uint8_t count, source[TEGRA_NUM_SOURCES];
} tegra_operand_sources[];

static inline unsigned
tegra_num_sources(const struct tegra_opcode_info *info)
{
   return tegra_operand_sources[info->operands].count;
}

/* The sources that an opcode reads, in the order of the text; returns how
 * many. */
unsigned
tegra_isa_sources(const struct tegra_opcode_info *info,
                  enum tegra_source sources[TEGRA_NUM_SOURCES]);

/* The components of each source, after the swizzle, that an opcode looks at
 * when it writes those of `mask`; bits as in masks. */
unsigned
tegra_isa_components_read(const struct tegra_opcode_info *info, unsigned mask);

/* ---- faults -------------------------------------------------------------- */

/* The fault that ends a program before an instruction whatever the state is, or
 * TG_TEGRA_ENDED. An export whose number is relative is not looked at. */
enum tg_tegra_end
tegra_isa_fault(const union tegra_instruction *instruction);

#endif
