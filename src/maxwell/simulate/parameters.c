/* SPDX-License-Identifier: MIT
 *
 * Unpacking of parameters: the contents of registers as operands of the TGSI
 * opcode that does an instruction's work. A NaN among float parameters counts
 * as 0; documents say no more than that some values are sanitized.
 */
#include "maxwell/simulate/simulate.h"
#include "util/bits.h"

static uint32_t
sanitized(uint32_t word)
{
   return (word & 0x7fffffff) > 0x7f800000 ? 0 : word;
}

/* `width` bits from `lsb` on, with a sign. */
static uint32_t
signed_field(uint32_t word, unsigned lsb, unsigned width)
{
   uint32_t sign = 1u << (width - 1);
   uint32_t field = word >> lsb & ((1u << width) - 1);

   return (field ^ sign) - sign;
}

/* Offsets of a gather are six bits in a byte each, two pairs in a register;
 * others four bits each. */
static void
set_offset(struct maxwell_lookup *lookup, unsigned first, uint32_t word,
           unsigned thread)
{
   uint32_t(*offset)[3][MAXWELL_THREADS] = lookup->offset;

   if (lookup->key.opcode != TG_OPCODE_TG4) {
      for (unsigned c = 0; c < 3; c++)
         offset[0][c][thread] = signed_field(word, 4 * c, 4);
      return;
   }
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned c = 0; c < 2; c++)
         offset[first + i][c][thread] = signed_field(word, 16 * i + 8 * c, 6);
   }
}

static bool
is_lookup(const struct maxwell_lookup *lookup)
{
   return lookup->key.opcode != TG_OPCODE_TXF &&
          lookup->key.opcode != TG_OPCODE_TXF_LZ;
}

static void
set_layer(struct maxwell_lookup *lookup, uint32_t word, unsigned thread)
{
   const struct tg_target_info *target = tg_target_row(lookup->key.target);
   uint32_t layer = word & 0xffff;

   if (target->flags & TG_TARGET_FLAG_ARRAY)
      lookup->source[0][target->num_coords - 1][thread] =
         is_lookup(lookup) ? tg_bits_of_float((float)layer) : layer;
}

/* Does this opcode read a level or bias from its second operand? */
static bool
has_second_operand(enum tg_opcode opcode)
{
   return opcode == TG_OPCODE_TXL2 || opcode == TG_OPCODE_TXB2;
}

static void
set_level(struct maxwell_lookup *lookup, uint32_t word, unsigned thread)
{
   /* After the reference, where that is there. */
   const bool is_second = tg_target_row(lookup->key.target)->reference > 4;

   if (has_second_operand(lookup->key.opcode))
      lookup->source[1][is_second][thread] = word;
   else if (lookup->key.opcode == TG_OPCODE_TXQ)
      lookup->source[0][0][thread] = word;
   else
      lookup->source[0][3][thread] = word;
}

static void
set_reference(struct maxwell_lookup *lookup, uint32_t word, unsigned thread)
{
   unsigned component = tg_target_row(lookup->key.target)->reference;

   if (component)
      lookup->source[(component - 1) / 4][(component - 1) % 4][thread] = word;
}

/* Puts the content of a register where the opcode wants it. */
static void
set_parameter(struct maxwell_lookup *lookup, enum maxwell_operand operand,
              uint32_t word, unsigned thread)
{
   uint32_t(*source)[4][MAXWELL_THREADS] = lookup->source;

   switch (operand) {
   case MAXWELL_OPERAND_S:
   case MAXWELL_OPERAND_T:
   case MAXWELL_OPERAND_R:
      source[0][operand - MAXWELL_OPERAND_S][thread] = sanitized(word);
      return;
   case MAXWELL_OPERAND_X:
   case MAXWELL_OPERAND_Y:
   case MAXWELL_OPERAND_Z:
      source[0][operand - MAXWELL_OPERAND_X][thread] = word;
      return;
   case MAXWELL_OPERAND_LAYER: set_layer(lookup, word, thread); return;
   case MAXWELL_OPERAND_LOD: set_level(lookup, sanitized(word), thread); return;
   case MAXWELL_OPERAND_LEVEL: set_level(lookup, word, thread); return;
   case MAXWELL_OPERAND_DC:
      set_reference(lookup, sanitized(word), thread);
      return;
   case MAXWELL_OPERAND_OFFSET: set_offset(lookup, 0, word, thread); return;
   case MAXWELL_OPERAND_OFFSET_2: set_offset(lookup, 2, word, thread); return;
   case MAXWELL_OPERAND_LAYER_OFFSET:
      set_layer(lookup, word, thread);
      set_offset(lookup, 0, word >> 16, thread);
      return;
   case MAXWELL_OPERAND_SAMPLE: source[0][3][thread] = word; return;
   case MAXWELL_OPERAND_DSDX:
   case MAXWELL_OPERAND_DSDY:
   case MAXWELL_OPERAND_DTDX:
   case MAXWELL_OPERAND_DTDY: {
      unsigned place = operand - MAXWELL_OPERAND_DSDX;

      source[1 + place % 2][place / 2][thread] = word;
      return;
   }
   default: return;
   }
}

void
maxwell_lookup_set_parameters(struct maxwell_lookup *lookup,
                              const struct maxwell_group sources[2],
                              uint32_t (*registers)[TG_MAXWELL_NUM_THREADS])
{
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned j = 0; j < sources[i].count; j++) {
         unsigned number = sources[i].base + j;
         bool is_register = number < TG_MAXWELL_NUM_REGISTERS;

         for (unsigned t = 0; t < MAXWELL_THREADS; t++)
            set_parameter(lookup, sources[i].content[j],
                          is_register ? registers[number][t] : 0, t);
      }
   }
}
