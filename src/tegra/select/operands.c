/* SPDX-License-Identifier: MIT
 *
 * Translation of TGSI operands to sources and places.
 */
#include "tegra/select/select.h"

#include <assert.h>
#include <string.h>

/* ---- sources ------------------------------------------------------------- */

static struct mir_source
immediate(const struct select *select, int32_t index)
{
   assert((unsigned)index < select->shader->num_immediates);
   struct mir_source source = mir_source_of(MIR_LITERAL, 0);

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
         return mir_source_of(MIR_CONSTANT,
                              buffer->base + (uint32_t)reg->index.offset);
   }
   return mir_source_of(MIR_UNDEFINED, 0);
}

/* Validation has seen that it is declared, if it is not chosen by an address.
 */
struct mir_source
select_register_operand(struct select *select, const struct tg_register *reg)
{
   switch ((enum tg_file)reg->file) {
   case TG_FILE_IN:
      return mir_source_of(MIR_ATTRIBUTE, (uint32_t)reg->index.offset);
   case TG_FILE_CONST: return constant(select, reg);
   case TG_FILE_IMM: return immediate(select, reg->index.offset);
   case TG_FILE_TEMP:
   case TG_FILE_LOOP:
   case TG_FILE_ADDR:
   case TG_FILE_PRED:
      return mir_source_of(MIR_TEMPORARY, register_of(select, reg));
   case TG_FILE_OUT:
      return mir_source_of(MIR_TEMPORARY,
                           select->outputs[reg->index.offset].shadow);
   case TG_FILE_SV: select_refuse(select, SELECT_REFUSED_SYSTEM_VALUE); break;
   default: select_refuse(select, SELECT_REFUSED_REGISTER); break;
   }
   return mir_source_of(MIR_UNDEFINED, 0);
}

static struct mir_source
register_source(struct select *select, const struct tg_register *reg)
{
   if (reg->has_dimension && reg->dimension.indirect) {
      select_refuse(select, SELECT_REFUSED_DIMENSION);
      return mir_source_of(MIR_UNDEFINED, 0);
   }
   if (!reg->index.indirect)
      return select_register_operand(select, reg);
   switch ((enum tg_file)reg->file) {
   case TG_FILE_IN:
   case TG_FILE_CONST: return select_addressed_register(select, reg);
   case TG_FILE_TEMP:
   case TG_FILE_IMM:
   case TG_FILE_OUT: return select_array_read(select, reg);
   default: return select_register_operand(select, reg); /* refuses */
   }
}

struct mir_source
select_bare_operand(struct select *select, unsigned index)
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
select_operand_place(struct select *select, const struct tg_register *reg,
                     unsigned mask)
{
   struct select_place place = select_no_place(mask);

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
