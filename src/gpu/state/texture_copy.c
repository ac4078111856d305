/* SPDX-License-Identifier: MIT
 *
 * Blit shaders, found by copy propagation through a shader's moves.
 */
#include "gpu/state/texture_copy.h"

#include <string.h>

#include "tgsi/shader/shader.h"
#include "tgsi/tables/tables.h"
#include "tungsten/resource.h"
#include "util/bits.h"

enum { MOST_TEMPS = 16, MOST_OUTPUTS = 4 };

/* What a channel of a register holds. */
enum origin {
   NOTHING, /* it was not written */
   INPUT,
   TEXEL, /* or a constant: a swizzle */
   OTHER,
};

struct value {
   uint8_t origin;
   uint8_t reg;     /* of an input */
   uint8_t channel; /* of an input; of a texel an enum tg_swizzle */
};

struct reader {
   const struct tg_shader *shader;
   struct value temp[MOST_TEMPS][4];
   struct value output[MOST_OUTPUTS][4];
   bool has_texel;
   struct gpu_texture_copy copy;
};

/* ---- operands ------------------------------------------------------------ */

static bool
is_plain(const struct tg_register *reg, uint32_t limit)
{
   return !reg->has_dimension && !reg->index.indirect &&
          reg->index.offset >= 0 && (uint32_t)reg->index.offset < limit;
}

/* 0 and 1 are swizzles, too. */
static struct value
read_immediate(const struct tg_shader *shader, uint32_t number,
               unsigned channel)
{
   const uint32_t word = shader->immediates[number].words[channel];
   if (word == tg_bits_of_float(0.0f))
      return (struct value){TEXEL, 0, TG_SWIZZLE_0};
   if (word == tg_bits_of_float(1.0f))
      return (struct value){TEXEL, 0, TG_SWIZZLE_1};
   return (struct value){OTHER};
}

static struct value
read_channel(const struct reader *reader, const struct tg_src *src,
             unsigned channel)
{
   const uint32_t number = (uint32_t)src->reg.index.offset;
   const unsigned from = src->swizzle[channel];
   if (src->absolute || src->negate)
      return (struct value){OTHER};
   if (src->reg.file == TG_FILE_TEMP && is_plain(&src->reg, MOST_TEMPS))
      return reader->temp[number][from];
   if (src->reg.file == TG_FILE_IN && is_plain(&src->reg, UINT8_MAX))
      return (struct value){INPUT, (uint8_t)number, (uint8_t)from};
   if (src->reg.file == TG_FILE_IMM &&
       is_plain(&src->reg, reader->shader->num_immediates))
      return read_immediate(reader->shader, number, from);
   return (struct value){OTHER};
}

static struct value *
find_target(struct reader *reader, const struct tg_register *reg)
{
   if (reg->file == TG_FILE_TEMP && is_plain(reg, MOST_TEMPS))
      return reader->temp[reg->index.offset];
   if (reg->file == TG_FILE_OUT && is_plain(reg, MOST_OUTPUTS))
      return reader->output[reg->index.offset];
   return NULL;
}

/* ---- instructions -------------------------------------------------------- */

static bool
write(struct reader *reader, const struct tg_instruction *instruction,
      const struct value values[4])
{
   struct value *target = find_target(reader, &instruction->dst[0].reg);
   for (unsigned c = 0; target && c < 4; c++) {
      if (!(instruction->dst[0].writemask >> c & 1))
         continue;
      target[c] = values[c];
      if (values[c].origin == NOTHING)
         target[c].origin = OTHER;
   }
   return target;
}

static bool
read_move(struct reader *reader, const struct tg_instruction *instruction)
{
   struct value values[4];
   for (unsigned c = 0; c < 4; c++)
      values[c] = read_channel(reader, &instruction->src[0], c);
   return write(reader, instruction, values);
}

static bool
is_coordinate(const struct value *value, unsigned channel)
{
   return value->origin == INPUT && value->channel == channel;
}

/* The one lookup. */
static bool
read_texel(struct reader *reader, const struct tg_instruction *instruction)
{
   static const struct value texel[4] = {{TEXEL, 0, TG_SWIZZLE_X},
                                         {TEXEL, 0, TG_SWIZZLE_Y},
                                         {TEXEL, 0, TG_SWIZZLE_Z},
                                         {TEXEL, 0, TG_SWIZZLE_W}};
   const struct value x = read_channel(reader, &instruction->src[0], 0);
   const struct value y = read_channel(reader, &instruction->src[0], 1);
   const struct tg_register *sampler = &instruction->src[1].reg;
   if (reader->has_texel || instruction->num_tex_offsets ||
       !is_coordinate(&x, 0) || !is_coordinate(&y, 1) || x.reg != y.reg ||
       sampler->file != TG_FILE_SAMP || !is_plain(sampler, UINT8_MAX) ||
       (instruction->target != TG_TARGET_2D &&
        instruction->target != TG_TARGET_RECT))
      return false;
   reader->has_texel = true;
   reader->copy.input = x.reg;
   reader->copy.sampler = (uint8_t)sampler->index.offset;
   reader->copy.is_rect = instruction->target == TG_TARGET_RECT;
   return write(reader, instruction, texel);
}

/* False: the shader is none. */
static bool
read_instruction(struct reader *reader,
                 const struct tg_instruction *instruction)
{
   if (instruction->has_predicate || instruction->saturate)
      return false;
   switch (instruction->opcode) {
   case TG_OPCODE_MOV: return read_move(reader, instruction);
   case TG_OPCODE_TEX: return read_texel(reader, instruction);
   default: return instruction->opcode == TG_OPCODE_END;
   }
}

/* ---- the shader ---------------------------------------------------------- */

static bool
is_written(const struct value values[4])
{
   bool found = false;
   for (unsigned c = 0; c < 4; c++)
      found |= values[c].origin != NOTHING;
   return found;
}

/* The only output that is written, which has to be texels in all channels. */
static bool
find_output(struct reader *reader)
{
   struct gpu_texture_copy *copy = &reader->copy;
   unsigned num_written = 0, num_texels = 0;
   for (unsigned i = 0; i < MOST_OUTPUTS; i++) {
      if (!is_written(reader->output[i]))
         continue;
      copy->output = (uint8_t)i;
      num_written++;
   }
   for (unsigned c = 0; c < 4; c++) {
      const struct value *value = &reader->output[copy->output][c];
      copy->swizzle[c] = value->channel;
      num_texels += value->origin == TEXEL;
   }
   return num_written == 1 && num_texels == 4;
}

void
gpu_find_texture_copy(const struct tg_shader *shader,
                      struct gpu_texture_copy *copy_out)
{
   struct reader reader = {.shader = shader};
   bool is_one = shader->processor == TG_PROCESSOR_FRAG;
   for (uint32_t i = 0; i < shader->num_instructions && is_one; i++)
      is_one = read_instruction(&reader, &shader->instructions[i]);
   is_one = is_one && reader.has_texel && find_output(&reader);
   *copy_out = is_one ? reader.copy : (struct gpu_texture_copy){0};
   copy_out->exists = is_one;
}
