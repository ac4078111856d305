/* SPDX-License-Identifier: MIT
 *
 * Operands of a texture instruction: their values, with the steps that convert
 * TGSI's where they are of another kind.
 */
#include <assert.h>
#include <string.h>

#include "maxwell/lower/plan.h"
#include "util/bits.h"
#include "util/length.h"

/* ---- values -------------------------------------------------------------- */

uint32_t
maxwell_lower_fresh_operand(struct maxwell_lower_plan *plan)
{
   struct maxwell_lower_value value = {.kind = MAXWELL_LOWER_FRESH,
                                       .at = plan->fetch->at,
                                       .reaches_others =
                                          plan->fetch->reaches_others};

   return maxwell_lower_add_value(plan->lowering, value);
}

uint32_t
maxwell_lower_make_operand(struct maxwell_lower_plan *plan,
                           struct maxwell_lower_step step)
{
   step.dst = maxwell_lower_fresh_operand(plan);
   if (step.dst == MAXWELL_LOWER_NONE || !maxwell_lower_plan_step(plan, step))
      return MAXWELL_LOWER_NONE;
   return step.dst;
}

static uint32_t
make_of(struct maxwell_lower_plan *plan, enum maxwell_lower_step_kind kind,
        uint32_t src, uint32_t src2)
{
   struct maxwell_lower_step step = {
      .kind = (uint8_t)kind, .src = src, .src2 = src2};

   return src == MAXWELL_LOWER_NONE ? MAXWELL_LOWER_NONE
                                    : maxwell_lower_make_operand(plan, step);
}

/* The value of a constant; there is one of each. */
static uint32_t
constant(struct tg_maxwell_lowering *lowering, struct maxwell_lower_value value)
{
   for (uint32_t i = 0; i < lowering->num_values; i++) {
      const struct maxwell_lower_value *other = &lowering->values[i];

      if (other->kind == value.kind && other->index == value.index &&
          other->channel == value.channel &&
          other->dimension == value.dimension)
         return i;
   }
   return maxwell_lower_add_value(lowering, value);
}

uint32_t
maxwell_lower_word_operand(struct maxwell_lower_plan *plan, uint32_t bits)
{
   struct maxwell_lower_value value = {.kind = MAXWELL_LOWER_WORD,
                                       .index = bits};

   return constant(plan->lowering, value);
}

/* ---- sources ------------------------------------------------------------- */

static bool
is_immediate(const struct maxwell_lower_plan *plan, const struct tg_src *src)
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
immediate_bits(const struct maxwell_lower_plan *plan, const struct tg_src *src,
               unsigned channel)
{
   assert(channel < TG_LENGTH(src->swizzle));
   const struct tg_immediate *immediate =
      &plan->lowering->shader->immediates[src->reg.index.offset];

   return modified_bits(src, immediate->words[src->swizzle[channel]]);
}

/* Is the value of a register's channel 0 because a move made it so? What was
 * never written is 0 too, so that it does not matter whether the move was. */
static bool
is_moved_zero(const struct maxwell_lower_plan *plan,
              const struct tg_src *source, unsigned channel)
{
   assert(channel < TG_LENGTH(source->swizzle));
   const struct tg_maxwell_lowering *lowering = plan->lowering;
   unsigned from = source->swizzle[channel];
   uint32_t number =
      maxwell_lower_value_before(lowering, plan->fetch->at, &source->reg, from);
   if (number == MAXWELL_LOWER_NONE || source->reg.file != TG_FILE_TEMP)
      return false;

   const struct maxwell_lower_value *value = &lowering->values[number];
   const struct tg_instruction *move =
      &lowering->shader->instructions[value->definition];
   return value->num_definitions == 1 && move->opcode == TG_OPCODE_MOV &&
          is_immediate(plan, &move->src[0]) &&
          (immediate_bits(plan, &move->src[0], from) & 0x7fffffff) == 0;
}

bool
maxwell_lower_operand_is_zero(const struct maxwell_lower_plan *plan,
                              unsigned src, unsigned channel)
{
   const struct tg_src *source = &plan->instruction->src[src];

   if (!is_immediate(plan, source))
      return is_moved_zero(plan, source, channel);
   return (immediate_bits(plan, source, channel) & 0x7fffffff) == 0;
}

/* "CONST[1][ADDR[0].x + 2].z", as steps show what comes from memory. */
const char *
maxwell_lower_operand_text(struct maxwell_lower_plan *plan,
                           const struct tg_register *reg, unsigned channel)
{
   struct tg_arena *arena = &plan->lowering->arena;
   const struct tg_index *indices[] = {&reg->dimension, &reg->index};
   const char *text = tg_file_row(reg->file)->name;

   for (unsigned i = !reg->has_dimension; i < 2 && text; i++) {
      const struct tg_index *index = indices[i];

      text = index->indirect
                ? tg_arena_printf(arena, "%s[%s[%d].%c%+d]", text,
                                  tg_file_row(index->file)->name, index->index,
                                  "xyzw"[index->component & 3], index -> offset)
                : tg_arena_printf(arena, "%s[%d]", text, index->offset);
   }
   return text ? tg_arena_printf(arena, "%s.%c", text, "xyzw"[channel]) : NULL;
}

static uint32_t
load(struct maxwell_lower_plan *plan, const struct tg_register *reg,
     unsigned channel)
{
   struct maxwell_lower_step step = {
      .kind = MAXWELL_LOWER_STEP_LOAD,
      .src = MAXWELL_LOWER_NONE,
      .src2 = MAXWELL_LOWER_NONE,
      .text = maxwell_lower_operand_text(plan, reg, channel)};

   return step.text ? maxwell_lower_make_operand(plan, step)
                    : MAXWELL_LOWER_NONE;
}

uint32_t
maxwell_lower_register_operand(struct maxwell_lower_plan *plan,
                               const struct tg_register *reg, unsigned channel)
{
   if (!reg->index.indirect && !reg->dimension.indirect &&
       reg->index.offset >= 0 && reg->file == TG_FILE_CONST) {
      struct maxwell_lower_value of_const = {
         .kind = MAXWELL_LOWER_CONSTANT,
         .channel = (uint8_t)channel,
         .index = (uint32_t)reg->index.offset,
         .dimension = reg->has_dimension ? (uint32_t)reg->dimension.offset : 0};

      return constant(plan->lowering, of_const);
   }

   uint32_t value =
      maxwell_lower_value_before(plan->lowering, plan->fetch->at, reg, channel);
   return value == MAXWELL_LOWER_NONE ? load(plan, reg, channel) : value;
}

uint32_t
maxwell_lower_source_operand(struct maxwell_lower_plan *plan, unsigned src,
                             unsigned channel)
{
   const struct tg_src *operand = &plan->instruction->src[src];

   if (is_immediate(plan, operand))
      return maxwell_lower_word_operand(plan,
                                        immediate_bits(plan, operand, channel));

   assert(channel < TG_LENGTH(operand->swizzle));
   uint32_t value = maxwell_lower_register_operand(plan, &operand->reg,
                                                   operand->swizzle[channel]);
   if (value == MAXWELL_LOWER_NONE || (!operand->absolute && !operand->negate))
      return value;

   struct maxwell_lower_step step = {.kind = MAXWELL_LOWER_STEP_MODIFY,
                                     .absolute = operand->absolute,
                                     .negate = operand->negate,
                                     .src = value,
                                     .src2 = MAXWELL_LOWER_NONE};
   return maxwell_lower_make_operand(plan, step);
}

/* ---- what registers hold ------------------------------------------------- */

/* TXP divides coordinates and reference by w. */
static uint32_t
projected(struct maxwell_lower_plan *plan, uint32_t value)
{
   if (plan->instruction->opcode != TG_OPCODE_TXP)
      return value;

   if (plan->reciprocal == MAXWELL_LOWER_NONE)
      plan->reciprocal =
         make_of(plan, MAXWELL_LOWER_STEP_RCP,
                 maxwell_lower_source_operand(plan, 0, 3), MAXWELL_LOWER_NONE);
   if (plan->reciprocal == MAXWELL_LOWER_NONE)
      return MAXWELL_LOWER_NONE;
   return make_of(plan, MAXWELL_LOWER_STEP_MUL, value, plan->reciprocal);
}

/* The layer of a texel fetch is an integer. One of 16 bits would be another. */
static uint32_t
fetched_layer(struct maxwell_lower_plan *plan, unsigned channel)
{
   const struct tg_src *operand = &plan->instruction->src[0];
   enum { MOST = 0xffff };

   if (is_immediate(plan, operand)) {
      uint32_t number = immediate_bits(plan, operand, channel);

      return maxwell_lower_word_operand(plan, number < MOST ? number : MOST);
   }
   return make_of(plan, MAXWELL_LOWER_STEP_NARROW,
                  maxwell_lower_source_operand(plan, 0, channel),
                  MAXWELL_LOWER_NONE);
}

/* floor(layer + 1/2) as 16 bits. */
static uint32_t
nearest_layer(uint32_t bits)
{
   const float most = 0xffff, raised = tg_float_of_bits(bits) + 0.5f;

   return raised > 0 ? (uint32_t)(raised < most ? raised : most) : 0;
}

/* Of a lookup it is a float. */
static uint32_t
sampled_layer(struct maxwell_lower_plan *plan, unsigned channel)
{
   const struct tg_src *operand = &plan->instruction->src[0];
   if (is_immediate(plan, operand))
      return maxwell_lower_word_operand(
         plan, nearest_layer(immediate_bits(plan, operand, channel)));

   uint32_t raised = make_of(plan, MAXWELL_LOWER_STEP_RAISE,
                             maxwell_lower_source_operand(plan, 0, channel),
                             MAXWELL_LOWER_NONE);
   struct maxwell_lower_step step = {.kind = MAXWELL_LOWER_STEP_LAYER,
                                     .dst = raised,
                                     .src = raised,
                                     .src2 = MAXWELL_LOWER_NONE};
   return raised != MAXWELL_LOWER_NONE && maxwell_lower_plan_step(plan, step)
             ? raised
             : MAXWELL_LOWER_NONE;
}

/* A level is the same in all layers, so that a query of it names none. */
static uint32_t
layer(struct maxwell_lower_plan *plan)
{
   enum { FACE = 2 };
   unsigned last = tg_target_row(plan->target)->num_coords - 1u;

   if (plan->row->work == MAXWELL_LOWER_WORK_LEVEL)
      return maxwell_lower_word_operand(plan, 0);
   if (plan->row->work == MAXWELL_LOWER_WORK_FETCH)
      return fetched_layer(plan, plan->fetches_faces ? FACE : last);
   return sampled_layer(plan, last);
}

static uint32_t
level(struct maxwell_lower_plan *plan)
{
   if (plan->row->lod != plan->lod && plan->row->lod != MAXWELL_LOD_LB)
      return maxwell_lower_word_operand(plan,
                                        0); /* level 0 where there is no .LZ */
   return maxwell_lower_source_operand(plan, plan->level_src,
                                       plan->level_channel);
}

static uint32_t
reference(struct maxwell_lower_plan *plan)
{
   unsigned component = tg_target_row(plan->target)->reference;

   if (plan->row->reference != MAXWELL_LOWER_NO_SOURCE)
      return maxwell_lower_source_operand(plan, plan->row->reference, 0);
   if (!component)
      return maxwell_lower_word_operand(plan, 0);
   return projected(plan, maxwell_lower_source_operand(
                             plan, (component - 1) / 4, (component - 1) % 4));
}

/* ---- operands ------------------------------------------------------------ */

/* TXD has the layer below and the offset above. */
static uint32_t
layer_and_offset(struct maxwell_lower_plan *plan)
{
   enum { BASE = 16 };
   bool is_array = tg_target_row(plan->target)->flags & TG_TARGET_FLAG_ARRAY;

   if (!is_array)
      return maxwell_lower_offset(plan, 0, BASE);

   uint32_t number = layer(plan);
   if (!plan->instruction->num_tex_offsets || number == MAXWELL_LOWER_NONE)
      return number;

   struct maxwell_lower_step step = {.kind = MAXWELL_LOWER_STEP_OR,
                                     .src = number,
                                     .src2 =
                                        maxwell_lower_offset(plan, 0, BASE)};
   return step.src2 == MAXWELL_LOWER_NONE
             ? MAXWELL_LOWER_NONE
             : maxwell_lower_make_operand(plan, step);
}

uint32_t
maxwell_lower_handle_operand(struct maxwell_lower_plan *plan)
{
   const struct tg_src *object = &plan->instruction->src[plan->row->object];
   struct maxwell_lower_step step = {
      .kind = MAXWELL_LOWER_STEP_LOAD,
      .src = MAXWELL_LOWER_NONE,
      .src2 = MAXWELL_LOWER_NONE,
      .text = maxwell_lower_operand_text(plan, &object->reg, 0)};

   if (!step.text)
      return MAXWELL_LOWER_NONE;
   step.text = tg_arena_printf(&plan->lowering->arena, "handle of %.*s",
                               (int)strlen(step.text) - 2, step.text);
   return step.text ? maxwell_lower_make_operand(plan, step)
                    : MAXWELL_LOWER_NONE;
}

uint32_t
maxwell_lower_operand(struct maxwell_lower_plan *plan,
                      enum maxwell_operand operand)
{
   unsigned derivative = plan->row->derivative;

   switch (operand) {
   case MAXWELL_OPERAND_S:
   case MAXWELL_OPERAND_T:
   case MAXWELL_OPERAND_R:
      return projected(plan, maxwell_lower_source_operand(
                                plan, 0, operand - MAXWELL_OPERAND_S));
   case MAXWELL_OPERAND_X:
   case MAXWELL_OPERAND_Y:
   case MAXWELL_OPERAND_Z:
      return maxwell_lower_source_operand(plan, 0, operand - MAXWELL_OPERAND_X);
   case MAXWELL_OPERAND_LAYER: return layer(plan);
   case MAXWELL_OPERAND_LOD:
   case MAXWELL_OPERAND_LEVEL:
      return plan->level_src == MAXWELL_LOWER_NO_SOURCE
                ? maxwell_lower_word_operand(plan, 0)
                : level(plan);
   case MAXWELL_OPERAND_DC: return reference(plan);
   case MAXWELL_OPERAND_OFFSET: return maxwell_lower_offset(plan, 0, 0);
   case MAXWELL_OPERAND_OFFSET_2: return maxwell_lower_offset(plan, 2, 0);
   case MAXWELL_OPERAND_LAYER_OFFSET: return layer_and_offset(plan);
   case MAXWELL_OPERAND_SAMPLE:
      return maxwell_lower_source_operand(plan, plan->level_src,
                                          plan->level_channel);
   case MAXWELL_OPERAND_HANDLE: return plan->handle;
   case MAXWELL_OPERAND_DSDX:
   case MAXWELL_OPERAND_DTDX:
      return maxwell_lower_source_operand(plan, derivative,
                                          (operand - MAXWELL_OPERAND_DSDX) / 2);
   case MAXWELL_OPERAND_DSDY:
   case MAXWELL_OPERAND_DTDY:
      return maxwell_lower_source_operand(plan, derivative + 1u,
                                          (operand - MAXWELL_OPERAND_DSDY) / 2);
   default: return MAXWELL_LOWER_NONE;
   }
}
