/* SPDX-License-Identifier: MIT
 *
 * Encoding and decoding: the rows of the tables, and everything that follows
 * from fields.def alone: how fields come out of 128 bits and go back.
 */
#include "tegra/isa/isa.h"

#include <assert.h>
#include <string.h>

#include "util/ascii.h"

/* ---- fields -------------------------------------------------------------- */

const struct tegra_field_info tegra_fields[TEGRA_NUM_FIELDS] = {
#define TEGRA_FIELD(id, lsb, width, title) {#id, title, lsb, width},
#include "tegra/isa/fields.def"
};

/* Rows follow each other without a gap, so the widths of those before a row
 * add up to its lowest bit. */
enum {
#define TEGRA_FIELD(id, lsb, width, title)                                     \
   FIRST_BIT_##id, LAST_BIT_##id = FIRST_BIT_##id + (width)-1,
#include "tegra/isa/fields.def"
   NUM_BITS
};
#define TEGRA_FIELD(id, lsb, width, title)                                     \
   static_assert(FIRST_BIT_##id == (lsb), "fields overlap or leave a gap");
#include "tegra/isa/fields.def"
static_assert(NUM_BITS == 32 * TG_TEGRA_WORDS, "an instruction has 128 bits");

/* The word that holds a bit. */
static unsigned
word_of(unsigned bit)
{
   return TG_TEGRA_WORDS - 1 - bit / 32;
}

union tegra_instruction
tegra_isa_decode(const uint32_t words[TG_TEGRA_WORDS])
{
   union tegra_instruction instruction;

   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++) {
      unsigned lsb = tegra_fields[i].lsb, width = tegra_fields[i].width;
      unsigned last = lsb + width - 1;
      uint64_t pair = words[word_of(last)];

      pair = word_of(last) == word_of(lsb) ? pair : pair << 32;
      pair |= words[word_of(lsb)];
      instruction.field[i] = pair >> lsb % 32 & ((1u << width) - 1);
   }
   return instruction;
}

void
tegra_isa_put_field(uint32_t words[TG_TEGRA_WORDS], enum tegra_field field,
                    unsigned value)
{
   unsigned lsb = tegra_fields[field].lsb, width = tegra_fields[field].width;
   unsigned low = word_of(lsb), high = word_of(lsb + width - 1);
   uint64_t mask = (UINT64_C(1) << width) - 1;
   uint64_t bits = (value & mask) << lsb % 32;

   mask <<= lsb % 32;
   words[low] = (words[low] & ~(uint32_t)mask) | (uint32_t)bits;
   if (high != low)
      words[high] =
         (words[high] & ~(uint32_t)(mask >> 32)) | (uint32_t)(bits >> 32);
}

void
tegra_isa_encode(const union tegra_instruction *instruction,
                 uint32_t words[TG_TEGRA_WORDS])
{
   memset(words, 0, TG_TEGRA_WORDS * sizeof(*words));
   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++)
      tegra_isa_put_field(words, (enum tegra_field)i, instruction->field[i]);
}

/* Does `text`, which ends in NUL, say `name`? */
static bool
is_same(const char *text, const char *name, size_t length)
{
   return tg_ascii_compare(name, text, length) == 0 && !text[length];
}

int
tegra_isa_find_field(const char *name, size_t length)
{
   for (int i = 0; i < TEGRA_NUM_FIELDS; i++) {
      if (is_same(tegra_fields[i].name, name, length))
         return i;
   }
   return -1;
}

/* ---- sources ------------------------------------------------------------- */

#define SOURCE(r)                                                              \
   {                                                                           \
      TEGRA_FIELD_##r##_type, TEGRA_FIELD_##r##_index, TEGRA_FIELD_##r##_swz,  \
         TEGRA_FIELD_##r##_neg, TEGRA_FIELD_##r##_abs                          \
   }
const struct tegra_source_fields tegra_source_fields[TEGRA_NUM_SOURCES] = {
   [TEGRA_RA] = SOURCE(ra),
   [TEGRA_RB] = SOURCE(rb),
   [TEGRA_RC] = SOURCE(rc),
};

struct tegra_operand
tegra_isa_get_source(const union tegra_instruction *instruction,
                     enum tegra_source source)
{
   const struct tegra_source_fields *fields = &tegra_source_fields[source];
   const uint16_t *field = instruction->field;
   struct tegra_operand operand = {
      .file = (uint8_t)field[fields->type],
      .index = field[fields->index],
      .swizzle = (uint8_t)field[fields->swz],
      .negate = field[fields->neg],
      .absolute = field[fields->abs],
   };

   if (operand.file == TEGRA_ATTRIBUTE) {
      operand.index = instruction->attr_index;
      operand.relative = instruction->attr_rel;
   } else if (operand.file == TEGRA_CONSTANT) {
      operand.index = instruction->const_index;
      operand.relative = instruction->const_rel;
   }
   return operand;
}

/* ---- opcodes ------------------------------------------------------------- */

#define YES true
#define NO false
#define ROW(name, alias, operands, reads, result, effect, swaps, truth,        \
            formula)                                                           \
   {                                                                           \
#name, alias, formula, TEGRA_OPERANDS_##operands, TEGRA_READS_##reads,   \
         TEGRA_RESULT_##result, TEGRA_EFFECT_##effect, swaps, truth            \
   }
const struct tegra_opcode_info tegra_opcodes[TEGRA_NUM_UNITS]
                                            [TEGRA_NUM_OPCODES] = {
                                               [TEGRA_VECTOR] =
                                                  {
#define TEGRA_VECTOR_OP(name, number, ...) [number] = ROW(name, __VA_ARGS__),
#include "tegra/isa/opcodes.def"
                                                  },
                                               [TEGRA_SCALAR] =
                                                  {
#define TEGRA_SCALAR_OP(name, number, ...) [number] = ROW(name, __VA_ARGS__),
#include "tegra/isa/opcodes.def"
#include "util/length.h"
                                                  },
};

const struct tegra_unit_fields tegra_unit_fields[TEGRA_NUM_UNITS] = {
   [TEGRA_VECTOR] = {TEGRA_FIELD_v_op, TEGRA_FIELD_v_rd, TEGRA_FIELD_v_mask},
   [TEGRA_SCALAR] = {TEGRA_FIELD_s_op, TEGRA_FIELD_s_rd, TEGRA_FIELD_s_mask},
};

#undef ROW
#undef YES
#undef NO

const char tegra_unit_letter[TEGRA_NUM_UNITS] = {'v', 's'};

int
tegra_isa_find_opcode(enum tegra_unit unit, const char *name, size_t length)
{
   for (int i = 0; i < TEGRA_NUM_OPCODES; i++) {
      assert(unit < TG_LENGTH(tegra_opcodes));
      const struct tegra_opcode_info *info = &tegra_opcodes[unit][i];

      if (info->name && (is_same(info->name, name, length) ||
                         (info->alias && is_same(info->alias, name, length))))
         return i;
   }
   return -1;
}

const struct tegra_operand_sources tegra_operand_sources[] = {
   [TEGRA_OPERANDS_NONE] = {0},
   [TEGRA_OPERANDS_A] = {1, {TEGRA_RA}},
   [TEGRA_OPERANDS_AB] = {2, {TEGRA_RA, TEGRA_RB}},
   [TEGRA_OPERANDS_AC] = {2, {TEGRA_RA, TEGRA_RC}},
   [TEGRA_OPERANDS_ABC] = {3, {TEGRA_RA, TEGRA_RB, TEGRA_RC}},
   [TEGRA_OPERANDS_C] = {1, {TEGRA_RC}},
   [TEGRA_OPERANDS_TARGET] = {0},
};

unsigned
tegra_isa_sources(const struct tegra_opcode_info *info,
                  enum tegra_source sources[TEGRA_NUM_SOURCES])
{
   unsigned count = tegra_num_sources(info);

   for (unsigned i = 0; i < count; i++)
      sources[i] = tegra_operand_sources[info->operands].source[i];
   return count;
}

unsigned
tegra_isa_components_read(const struct tegra_opcode_info *info, unsigned mask)
{
   static const uint8_t components[] = {
      [TEGRA_READS_NONE] = 0, [TEGRA_READS_X] = 8,   [TEGRA_READS_XYZ] = 14,
      [TEGRA_READS_XYW] = 13, [TEGRA_READS_YZW] = 7, [TEGRA_READS_XYZW] = 15,
   };

   return info->reads == TEGRA_READS_MASK ? mask : components[info->reads];
}

/* ---- faults -------------------------------------------------------------- */

static bool
is_bad_destination(unsigned rd)
{
   return rd >= TG_TEGRA_NUM_TEMPORARIES && rd != TEGRA_NO_REGISTER;
}

enum tg_tegra_end
tegra_isa_fault(const union tegra_instruction *instruction)
{
   bool is_relative = instruction->export_rel && !instruction->bit120;

   if (is_bad_destination(instruction->v_rd) ||
       is_bad_destination(instruction->s_rd) ||
       instruction->ra_index >= TG_TEGRA_NUM_TEMPORARIES ||
       instruction->rb_index >= TG_TEGRA_NUM_TEMPORARIES ||
       instruction->rc_index >= TG_TEGRA_NUM_TEMPORARIES)
      return TG_TEGRA_BAD_REGISTER;
   if (!is_relative && instruction->export_index >= TG_TEGRA_NUM_EXPORTS &&
       instruction->export_index != TEGRA_NO_EXPORT)
      return TG_TEGRA_BAD_EXPORT;
   if (tegra_opcodes[TEGRA_VECTOR][instruction->v_op].effect ==
          TEGRA_EFFECT_UNKNOWN ||
       tegra_opcodes[TEGRA_SCALAR][instruction->s_op].effect ==
          TEGRA_EFFECT_UNKNOWN)
      return TG_TEGRA_UNKNOWN_OPCODE;
   return TG_TEGRA_ENDED;
}

const char *
tg_tegra_end_name(enum tg_tegra_end end)
{
   static const char *const names[TG_TEGRA_NUM_ENDS] = {
      [TG_TEGRA_ENDED] = "ended",
      [TG_TEGRA_OUT_OF_STEPS] = "out of steps",
      [TG_TEGRA_BAD_REGISTER] = "bad register",
      [TG_TEGRA_BAD_EXPORT] = "bad export",
      [TG_TEGRA_STACK_OVERFLOW] = "stack overflow",
      [TG_TEGRA_STACK_UNDERFLOW] = "stack underflow",
      [TG_TEGRA_STACK_MISMATCH] = "stack mismatch",
      [TG_TEGRA_UNKNOWN_OPCODE] = "unknown opcode",
      [TG_TEGRA_RAN_OFF] = "ran off",
   };

   return (unsigned)end < TG_TEGRA_NUM_ENDS ? names[end] : "unknown";
}
