/* SPDX-License-Identifier: MIT
 *
 * Translation of TGSI operands to sources and places.
 */
#include "tegra/select/select.h"

#include <assert.h>
#include <string.h>

/* ---- masks and swizzles -------------------------------------------------- */

/* TGSI has x in the lowest bit. */
static unsigned
mask_of(unsigned writemask)
{
   unsigned mask = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (writemask & 1u << i)
         mask |= tegra_mask_bit(i);
   }
   return mask;
}

/* ---- sources ------------------------------------------------------------- */

static struct mir_source
source_of(enum mir_file file, uint32_t index)
{
   return (struct mir_source){
      .file = (uint8_t)file,
      .swizzle = TEGRA_IDENTITY,
      .index = index,
   };
}

struct mir_source
select_value(struct select_place place)
{
   return source_of(MIR_TEMPORARY, place.temporary);
}

uint32_t
select_bits(float number)
{
   uint32_t bits;

   memcpy(&bits, &number, sizeof(bits));
   return bits;
}

float
select_float(uint32_t bits)
{
   float number;

   memcpy(&number, &bits, sizeof(number));
   return number;
}

struct mir_source
select_number(float number)
{
   struct mir_source source = source_of(MIR_LITERAL, 0);

   for (unsigned i = 0; i < 4; i++)
      source.literal[i] = select_bits(number);
   return source;
}

struct mir_source
select_component(struct mir_source source, unsigned component)
{
   return mir_swizzle(
      source, tegra_swizzle(component, component, component, component));
}

struct mir_source
select_negate(struct mir_source source)
{
   source.negate = !source.negate;
   return source;
}

struct mir_source
select_absolute(struct mir_source source)
{
   source.absolute = true;
   source.negate = false;
   return source;
}

struct mir_source
select_plain(struct mir_source source)
{
   if (source.file != MIR_LITERAL)
      return source;
   for (unsigned i = 0; i < 4; i++)
      source.literal[i] = mir_literal(&source, i);
   source.absolute = source.negate = false;
   return source;
}

static struct mir_source
immediate(const struct select *select, int32_t index)
{
   assert((unsigned)index < select->shader->num_immediates);
   struct mir_source source = source_of(MIR_LITERAL, 0);

   memcpy(source.literal, select->shader->immediates[index].words,
          sizeof(source.literal));
   return source;
}

/* The register that a register of TGSI is. */
static uint32_t
register_of(struct select *select, const struct tg_register *reg)
{
   uint32_t *number = &select->files[reg->file].registers[reg->index.offset];

   if (*number == MIR_NONE)
      *number = mir_add_temporary(select->mir);
   return *number;
}

static struct mir_source
constant(const struct select *select, const struct tg_register *reg)
{
   uint32_t dimension =
      reg->has_dimension ? (uint32_t)reg->dimension.offset : 0;

   for (uint32_t i = 0; i < select->num_buffers; i++) {
      const struct select_buffer *buffer = &select->buffers[i];

      if (buffer->dimension == dimension)
         return source_of(MIR_CONSTANT,
                          buffer->base + (uint32_t)reg->index.offset);
   }
   return source_of(MIR_UNDEFINED, 0);
}

/* Validation has seen that it is declared, if it is not chosen by an address.
 */
struct mir_source
select_register(struct select *select, const struct tg_register *reg)
{
   switch ((enum tg_file)reg->file) {
   case TG_FILE_IN:
      return source_of(MIR_ATTRIBUTE, (uint32_t)reg->index.offset);
   case TG_FILE_CONST: return constant(select, reg);
   case TG_FILE_IMM: return immediate(select, reg->index.offset);
   case TG_FILE_TEMP:
   case TG_FILE_LOOP:
   case TG_FILE_ADDR:
   case TG_FILE_PRED: return source_of(MIR_TEMPORARY, register_of(select, reg));
   case TG_FILE_OUT:
      return source_of(MIR_TEMPORARY,
                       select->outputs[reg->index.offset].shadow);
   case TG_FILE_SV: select_refuse(select, SELECT_REFUSED_SYSTEM_VALUE); break;
   default: select_refuse(select, SELECT_REFUSED_REGISTER); break;
   }
   return source_of(MIR_UNDEFINED, 0);
}

static struct mir_source
register_source(struct select *select, const struct tg_register *reg)
{
   if (reg->has_dimension && reg->dimension.indirect) {
      select_refuse(select, SELECT_REFUSED_DIMENSION);
      return source_of(MIR_UNDEFINED, 0);
   }
   if (!reg->index.indirect)
      return select_register(select, reg);
   switch ((enum tg_file)reg->file) {
   case TG_FILE_IN:
   case TG_FILE_CONST: return select_relative(select, reg);
   case TG_FILE_TEMP:
   case TG_FILE_IMM:
   case TG_FILE_OUT: return select_array_read(select, reg);
   default: return select_register(select, reg); /* refuses */
   }
}

struct mir_source
select_bare_source(struct select *select, unsigned index)
{
   assert(index < select->instruction->num_src);
   const struct tg_src *src = &select->instruction->src[index];
   struct mir_source source = register_source(select, &src->reg);

   source =
      mir_swizzle(source, tegra_swizzle(src->swizzle[0], src->swizzle[1],
                                        src->swizzle[2], src->swizzle[3]));
   source.absolute = src->absolute;
   source.negate = src->negate;
   return source;
}

/* ---- places -------------------------------------------------------------- */

struct select_place
select_nowhere(unsigned mask)
{
   return (struct select_place){
      .mask = mask,
      .temporary = MIR_NONE,
      .export_index = TEGRA_NO_EXPORT,
   };
}

struct select_place
select_temporary(struct select *select, unsigned mask)
{
   struct select_place place = select_nowhere(mask);

   place.temporary = mir_add_temporary(select->mir);
   return place;
}

struct select_place
select_condition(unsigned condition, unsigned mask)
{
   struct select_place place = select_nowhere(mask);

   place.sets_condition = true;
   place.condition = (uint8_t)condition;
   return place;
}

struct select_place
select_masked(struct select_place place, unsigned mask)
{
   place.mask &= mask;
   return place;
}

struct select_place
select_where(struct select_place place, unsigned signs, unsigned swizzle)
{
   place.predicate = (struct mir_predicate){
      .enabled = true,
      .condition = 1,
      .swizzle = (uint8_t)swizzle,
      .less = signs & SELECT_LESS,
      .equal = signs & SELECT_EQUAL,
      .greater = signs & SELECT_GREATER,
   };
   return place;
}

/* ---- results ------------------------------------------------------------- */

struct select_place
select_register_place(struct select *select, const struct tg_register *reg,
                      unsigned mask)
{
   struct select_place place = select_nowhere(mask);

   switch ((enum tg_file)reg->file) {
   case TG_FILE_TEMP:
   case TG_FILE_PRED:
   case TG_FILE_LOOP: place.temporary = register_of(select, reg); break;
   case TG_FILE_OUT:
      place.temporary = select->outputs[reg->index.offset].shadow;
      place.export_index = select->outputs[reg->index.offset].export_index;
      break;
   case TG_FILE_ADDR: /* what writes one finds the place itself */
      if (select->info->group != TG_GROUP_ADDRESS)
         select_refuse(select, SELECT_REFUSED_ADDRESS);
      break;
   default: select_refuse(select, SELECT_REFUSED_REGISTER); break;
   }
   return place;
}

void
select_begin_result(struct select *select)
{
   const struct tg_instruction *instruction = select->instruction;

   if (instruction->num_dst == 0)
      return;
   const struct tg_register *reg = &instruction->dst[0].reg;
   unsigned mask = mask_of(instruction->dst[0].writemask);
   bool is_array = reg->index.indirect;
   if (is_array && reg->file != TG_FILE_TEMP && reg->file != TG_FILE_OUT)
      select_refuse(select, SELECT_REFUSED_REGISTER);
   select->target = is_array ? select_nowhere(mask)
                             : select_register_place(select, reg, mask);
   select->result_place = select->target;
   if (is_array || instruction->has_predicate ||
       instruction->saturate == TG_SATURATE_MINUS_ONE_ONE)
      select->result_place = select_temporary(select, mask);
   select->result_place.saturate =
      instruction->saturate == TG_SATURATE_ZERO_ONE;
}

/* The result to where it belongs, in the components that the predicate has. */
static void
move_result(struct select *select, struct mir_source value)
{
   const struct tg_instruction *instruction = select->instruction;
   struct select_place target = select->target;

   if (instruction->dst[0].reg.index.indirect) {
      if (instruction->has_predicate)
         select_refuse(select, SELECT_REFUSED_PREDICATE);
      select_array_write(select, &instruction->dst[0].reg, target.mask, value);
      return;
   }
   if (instruction->has_predicate) {
      select_vector1(select, TEGRA_VECTOR_MOV, select_condition(1, target.mask),
                     select_predicate(select, target.mask));
      target = select_where(target,
                            instruction->predicate_negate
                               ? SELECT_EQUAL
                               : SELECT_LESS | SELECT_GREATER,
                            TEGRA_IDENTITY);
   }
   select_vector1(select, TEGRA_VECTOR_MOV, target, value);
}

void
select_finish_result(struct select *select)
{
   struct select_place result = select->result_place;
   struct mir_source value = select_value(result);
   bool is_plain = !select->instruction->has_predicate &&
                   select->instruction->num_dst > 0 &&
                   !select->instruction->dst[0].reg.index.indirect;

   if (select->instruction->num_dst == 0 ||
       (result.temporary == select->target.temporary &&
        result.export_index == select->target.export_index))
      return;
   if (select->instruction->saturate == TG_SATURATE_MINUS_ONE_ONE) {
      select_vector2(select, TEGRA_VECTOR_MAX, result, value,
                     select_number(-1.0f));
      select_vector2(select, TEGRA_VECTOR_MIN,
                     is_plain ? select->target : result, value,
                     select_number(1.0f));
      if (is_plain)
         return;
   }
   move_result(select, value);
}

struct select_place
select_result(struct select *select)
{
   return select->result_place;
}

/* Does an operand of the instruction at hand read what it writes? */
static bool
reads_own_result(const struct select *select)
{
   const struct tg_instruction *instruction = select->instruction;
   const struct tg_register *dst = &instruction->dst[0].reg;

   for (unsigned i = 0; i < instruction->num_src; i++) {
      const struct tg_register *src = &instruction->src[i].reg;

      if (src->file == dst->file &&
          (src->index.indirect || dst->index.indirect ||
           src->index.offset == dst->index.offset))
         return true;
   }
   return false;
}

struct select_place
select_parts(struct select *select)
{
   bool saturate = select->result_place.saturate;

   if (reads_own_result(select)) {
      select->result_place = select_temporary(select, select->target.mask);
      select->result_place.saturate = saturate;
   }
   return select->result_place;
}
