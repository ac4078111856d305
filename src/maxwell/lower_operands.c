/* SPDX-License-Identifier: MIT
 *
 * Values of a texture instruction's operands, with the steps that make
 * them where TGSI's are of another kind.
 */
#include <string.h>

#include "maxwell/lower_plan.h"

/* ---- values -------------------------------------------------------------- */

uint32_t
lower_fresh(struct lower_plan *plan)
{
   struct lower_value value = {.kind = LOWER_FRESH,
                               .at = plan->fetch->at,
                               .reaches_others = plan->fetch->reaches_others};

   return lower_add_value(plan->lowering, value);
}

/* A new value that a step makes; LOWER_NONE when out of memory. */
static uint32_t
make(struct lower_plan *plan, struct lower_step step)
{
   step.dst = lower_fresh(plan);
   if (step.dst == LOWER_NONE ||
       !lower_add_step(plan->lowering, plan->fetch, step))
      return LOWER_NONE;
   return step.dst;
}

static uint32_t
make_of(struct lower_plan *plan, enum lower_step_kind kind, uint32_t src,
        uint32_t src2)
{
   struct lower_step step = {.kind = (uint8_t)kind, .src = src, .src2 = src2};

   return src == LOWER_NONE ? LOWER_NONE : make(plan, step);
}

/* The value of a constant; there is one of each. */
static uint32_t
constant(struct tg_maxwell_lowering *lowering, struct lower_value value)
{
   for (uint32_t i = 0; i < lowering->num_values; i++) {
      const struct lower_value *other = &lowering->values[i];

      if (other->kind == value.kind && other->index == value.index &&
          other->channel == value.channel &&
          other->dimension == value.dimension)
         return i;
   }
   return lower_add_value(lowering, value);
}

uint32_t
lower_word(struct lower_plan *plan, uint32_t bits)
{
   struct lower_value value = {.kind = LOWER_WORD, .index = bits};

   return constant(plan->lowering, value);
}

/* ---- sources ------------------------------------------------------------- */

static bool
is_immediate(const struct lower_plan *plan, const struct tg_src *src)
{
   return src->reg.file == TG_FILE_IMM && !src->reg.index.indirect &&
          src->reg.index.offset >= 0 &&
          (uint32_t)src->reg.index.offset <
             plan->lowering->shader->num_immediates;
}

static uint32_t
modified_bits(const struct tg_src *src, uint32_t bits)
{
   if (src->absolute)
      bits &= 0x7fffffff;
   return src->negate ? bits ^ 0x80000000 : bits;
}

static uint32_t
immediate_bits(const struct lower_plan *plan, const struct tg_src *src,
               unsigned channel)
{
   const struct tg_immediate *immediate =
      &plan->lowering->shader->immediates[src->reg.index.offset];

   return modified_bits(src, immediate->words[src->swizzle[channel]]);
}

/* Is the value of a register's channel 0 because a move made it so? What was
 * never written is 0 too, so that it does not matter whether the move was. */
static bool
is_moved_zero(const struct lower_plan *plan, const struct tg_src *source,
              unsigned channel)
{
   const struct tg_maxwell_lowering *lowering = plan->lowering;
   unsigned from = source->swizzle[channel];
   uint32_t number =
      lower_value_before(lowering, plan->fetch->at, &source->reg, from);
   if (number == LOWER_NONE || source->reg.file != TG_FILE_TEMP)
      return false;

   const struct lower_value *value = &lowering->values[number];
   const struct tg_instruction *move =
      &lowering->shader->instructions[value->definition];
   return value->num_definitions == 1 && move->opcode == TG_OPCODE_MOV &&
          is_immediate(plan, &move->src[0]) &&
          (immediate_bits(plan, &move->src[0], from) & 0x7fffffff) == 0;
}

bool
lower_is_zero(const struct lower_plan *plan, unsigned src, unsigned channel)
{
   const struct tg_src *source = &plan->instruction->src[src];

   if (!is_immediate(plan, source))
      return is_moved_zero(plan, source, channel);
   return (immediate_bits(plan, source, channel) & 0x7fffffff) == 0;
}

/* "CONST[1][ADDR[0].x + 2].z", as steps show what comes from memory. */
const char *
lower_operand_text(struct lower_plan *plan, const struct tg_register *reg,
                   unsigned channel)
{
   struct tg_arena *arena = &plan->lowering->arena;
   const struct tg_index *indices[] = {&reg->dimension, &reg->index};
   const char *text = tg_files[reg->file].name;

   for (unsigned i = !reg->has_dimension; i < 2 && text; i++) {
      const struct tg_index *index = indices[i];

      text = index->indirect
                ? tg_arena_printf(arena, "%s[%s[%d].%c%+d]", text,
                                  tg_files[index->file].name, index->index,
                                  "xyzw"[index->component & 3], index -> offset)
                : tg_arena_printf(arena, "%s[%d]", text, index->offset);
   }
   return text ? tg_arena_printf(arena, "%s.%c", text, "xyzw"[channel]) : NULL;
}

static uint32_t
load(struct lower_plan *plan, const struct tg_register *reg, unsigned channel)
{
   struct lower_step step = {.kind = LOWER_STEP_LOAD,
                             .src = LOWER_NONE,
                             .src2 = LOWER_NONE,
                             .text = lower_operand_text(plan, reg, channel)};

   return step.text ? make(plan, step) : LOWER_NONE;
}

/* The value of a register's component before the instruction. */
static uint32_t
register_value(struct lower_plan *plan, const struct tg_register *reg,
               unsigned channel)
{
   if (!reg->index.indirect && !reg->dimension.indirect &&
       reg->index.offset >= 0 && reg->file == TG_FILE_CONST) {
      struct lower_value of_const = {
         .kind = LOWER_CONSTANT,
         .channel = (uint8_t)channel,
         .index = (uint32_t)reg->index.offset,
         .dimension = reg->has_dimension ? (uint32_t)reg->dimension.offset : 0};

      return constant(plan->lowering, of_const);
   }

   uint32_t value =
      lower_value_before(plan->lowering, plan->fetch->at, reg, channel);
   return value == LOWER_NONE ? load(plan, reg, channel) : value;
}

uint32_t
lower_source(struct lower_plan *plan, unsigned src, unsigned channel)
{
   const struct tg_src *operand = &plan->instruction->src[src];

   if (is_immediate(plan, operand))
      return lower_word(plan, immediate_bits(plan, operand, channel));

   uint32_t value =
      register_value(plan, &operand->reg, operand->swizzle[channel]);
   if (value == LOWER_NONE || (!operand->absolute && !operand->negate))
      return value;

   struct lower_step step = {.kind = LOWER_STEP_MODIFY,
                             .absolute = operand->absolute,
                             .negate = operand->negate,
                             .src = value,
                             .src2 = LOWER_NONE};
   return make(plan, step);
}

/* ---- what registers hold ------------------------------------------------- */

/* TXP divides coordinates and reference by w. */
static uint32_t
projected(struct lower_plan *plan, uint32_t value)
{
   if (plan->instruction->opcode != TG_OPCODE_TXP)
      return value;

   if (plan->reciprocal == LOWER_NONE)
      plan->reciprocal =
         make_of(plan, LOWER_STEP_RCP, lower_source(plan, 0, 3), LOWER_NONE);
   if (plan->reciprocal == LOWER_NONE)
      return LOWER_NONE;
   return make_of(plan, LOWER_STEP_MUL, value, plan->reciprocal);
}

/* The layer of a texel fetch is an integer. One of 16 bits would be another. */
static uint32_t
fetched_layer(struct lower_plan *plan, unsigned channel)
{
   enum { MOST = 0xffff };
   uint32_t value = lower_source(plan, 0, channel);
   if (value == LOWER_NONE)
      return value;

   const struct lower_value *info = &plan->lowering->values[value];
   if (info->kind == LOWER_WORD)
      return info->index > MOST ? lower_word(plan, MOST) : value;
   return make_of(plan, LOWER_STEP_NARROW, value, LOWER_NONE);
}

/* Of a lookup the layer is a float. A level is the same in all layers, so that
 * who asks for it names none. */
static uint32_t
layer(struct lower_plan *plan)
{
   enum { FACE = 2 };
   unsigned last = tg_targets[plan->target].num_coords - 1u;

   if (plan->row->work == LOWER_WORK_LEVEL)
      return lower_word(plan, 0);
   if (plan->row->work == LOWER_WORK_FETCH)
      return fetched_layer(plan, plan->fetches_faces ? FACE : last);
   return make_of(plan, LOWER_STEP_LAYER, lower_source(plan, 0, last),
                  LOWER_NONE);
}

static uint32_t
level(struct lower_plan *plan)
{
   if (plan->row->lod != plan->lod && plan->row->lod != MAXWELL_LOD_LB)
      return lower_word(plan, 0); /* level 0 where there is no .LZ */
   return lower_source(plan, plan->level_src, plan->level_channel);
}

static uint32_t
reference(struct lower_plan *plan)
{
   unsigned component = tg_targets[plan->target].reference;

   if (plan->row->reference != LOWER_NO_SOURCE)
      return lower_source(plan, plan->row->reference, 0);
   if (!component)
      return lower_word(plan, 0);
   return projected(
      plan, lower_source(plan, (component - 1) / 4, (component - 1) % 4));
}

/* ---- offsets ------------------------------------------------------------- */

static bool
is_gather(const struct lower_plan *plan)
{
   return plan->row->work == LOWER_WORK_GATHER;
}

/* Bits of one axis of an offset, and where they begin: of gathers six in a byte
 * each, two offsets in a register. */
static void
offset_place(const struct lower_plan *plan, unsigned number, unsigned axis,
             unsigned *shift_out, unsigned *width_out)
{
   *shift_out = is_gather(plan) ? 16 * (number % 2) + 8 * axis : 4 * axis;
   *width_out = is_gather(plan) ? 6 : 4;
}

static bool
immediate_offset(const struct lower_plan *plan,
                 const struct tg_tex_offset *from, unsigned axis, uint32_t *out)
{
   const struct tg_shader *shader = plan->lowering->shader;

   if (from->file != TG_FILE_IMM || from->index < 0 ||
       (uint32_t)from->index >= shader->num_immediates)
      return false;
   *out = shader->immediates[from->index].words[from->swizzle[axis]];
   return true;
}

/* The immediate axes of one offset. */
static uint32_t
immediate_axes(const struct lower_plan *plan, unsigned number)
{
   unsigned shift, width;
   uint32_t immediate, bits = 0;

   for (unsigned axis = 0; axis < tg_targets[plan->target].num_offsets;
        axis++) {
      offset_place(plan, number, axis, &shift, &width);
      if (immediate_offset(plan, &plan->instruction->tex_offset[number], axis,
                           &immediate))
         bits |= (immediate & ((1u << width) - 1)) << shift;
   }
   return bits;
}

/* Steps that put the other axes of one offset over `*value`, or over RZ if it
 * is LOWER_NONE. False when out of memory. */
static bool
pack_axes(struct lower_plan *plan, unsigned number, unsigned base,
          uint32_t *value)
{
   const struct tg_tex_offset *from = &plan->instruction->tex_offset[number];
   struct tg_register reg = {.file = from->file,
                             .index = {.offset = from->index}};
   unsigned shift, width;
   uint32_t immediate;

   for (unsigned axis = 0; axis < tg_targets[plan->target].num_offsets;
        axis++) {
      if (immediate_offset(plan, from, axis, &immediate))
         continue;
      offset_place(plan, number, axis, &shift, &width);
      struct lower_step step = {
         .kind = LOWER_STEP_PACK,
         .shift = (uint8_t)(base + shift),
         .width = (uint8_t)width,
         .src = *value,
         .src2 = register_value(plan, &reg, from->swizzle[axis])};

      *value = step.src2 == LOWER_NONE ? LOWER_NONE : make(plan, step);
      if (*value == LOWER_NONE)
         return false;
   }
   return true;
}

/* Offsets from number `first` on as far as they share a register, from bit
 * `base` of it on: the immediate ones as a constant, the others over it. */
static uint32_t
offset(struct lower_plan *plan, unsigned first, unsigned base)
{
   unsigned end = first + (is_gather(plan) ? 2 : 1);
   uint32_t bits = 0, value = LOWER_NONE;

   if (end > plan->instruction->num_tex_offsets)
      end = plan->instruction->num_tex_offsets;
   for (unsigned i = first; i < end; i++)
      bits |= immediate_axes(plan, i) << base;
   if (bits)
      value = lower_word(plan, bits);
   if (bits && value == LOWER_NONE)
      return LOWER_NONE;
   for (unsigned i = first; i < end; i++) {
      if (!pack_axes(plan, i, base, &value))
         return LOWER_NONE;
   }
   return value == LOWER_NONE ? lower_word(plan, 0) : value;
}

/* TXD has the layer below and the offset above. */
static uint32_t
layer_and_offset(struct lower_plan *plan)
{
   enum { BASE = 16 };
   bool is_array = tg_targets[plan->target].flags & TG_TARGET_FLAG_ARRAY;

   if (!is_array)
      return offset(plan, 0, BASE);

   uint32_t number = layer(plan);
   if (!plan->instruction->num_tex_offsets || number == LOWER_NONE)
      return number;

   struct lower_step step = {
      .kind = LOWER_STEP_OR, .src = number, .src2 = offset(plan, 0, BASE)};
   return step.src2 == LOWER_NONE ? LOWER_NONE : make(plan, step);
}

/* ---- operands ------------------------------------------------------------ */

uint32_t
lower_handle(struct lower_plan *plan)
{
   const struct tg_src *object = &plan->instruction->src[plan->row->object];
   struct lower_step step = {.kind = LOWER_STEP_LOAD,
                             .src = LOWER_NONE,
                             .src2 = LOWER_NONE,
                             .text = lower_operand_text(plan, &object->reg, 0)};

   if (!step.text)
      return LOWER_NONE;
   step.text = tg_arena_printf(&plan->lowering->arena, "handle of %.*s",
                               (int)strlen(step.text) - 2, step.text);
   return step.text ? make(plan, step) : LOWER_NONE;
}

uint32_t
lower_operand(struct lower_plan *plan, enum maxwell_operand operand)
{
   unsigned derivative = plan->row->derivative;

   switch (operand) {
   case MAXWELL_OPERAND_S:
   case MAXWELL_OPERAND_T:
   case MAXWELL_OPERAND_R:
      return projected(plan,
                       lower_source(plan, 0, operand - MAXWELL_OPERAND_S));
   case MAXWELL_OPERAND_X:
   case MAXWELL_OPERAND_Y:
   case MAXWELL_OPERAND_Z:
      return lower_source(plan, 0, operand - MAXWELL_OPERAND_X);
   case MAXWELL_OPERAND_LAYER: return layer(plan);
   case MAXWELL_OPERAND_LOD:
   case MAXWELL_OPERAND_LEVEL:
      return plan->level_src == LOWER_NO_SOURCE ? lower_word(plan, 0)
                                                : level(plan);
   case MAXWELL_OPERAND_DC: return reference(plan);
   case MAXWELL_OPERAND_OFFSET: return offset(plan, 0, 0);
   case MAXWELL_OPERAND_OFFSET_2: return offset(plan, 2, 0);
   case MAXWELL_OPERAND_LAYER_OFFSET: return layer_and_offset(plan);
   case MAXWELL_OPERAND_SAMPLE:
      return lower_source(plan, plan->level_src, plan->level_channel);
   case MAXWELL_OPERAND_HANDLE: return plan->handle;
   case MAXWELL_OPERAND_DSDX:
   case MAXWELL_OPERAND_DTDX:
      return lower_source(plan, derivative,
                          (operand - MAXWELL_OPERAND_DSDX) / 2);
   case MAXWELL_OPERAND_DSDY:
   case MAXWELL_OPERAND_DTDY:
      return lower_source(plan, derivative + 1u,
                          (operand - MAXWELL_OPERAND_DSDY) / 2);
   default: return LOWER_NONE;
   }
}
