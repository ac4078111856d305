/* SPDX-License-Identifier: MIT
 *
 * Packing of texel offsets, several to a register: the immediate ones as a
 * constant, and steps that put the others over it.
 */
#include "maxwell/lower/plan.h"

#include <assert.h>

#include "util/length.h"

static bool
is_gather(const struct maxwell_lower_plan *plan)
{
   return plan->row->work == MAXWELL_LOWER_WORK_GATHER;
}

/* Bits of one axis of an offset, and where they begin: of gathers six in a byte
 * each, two offsets in a register. */
static void
offset_place(const struct maxwell_lower_plan *plan, unsigned number,
             unsigned axis, unsigned *shift_out, unsigned *width_out)
{
   *shift_out = is_gather(plan) ? 16 * (number % 2) + 8 * axis : 4 * axis;
   *width_out = is_gather(plan) ? 6 : 4;
}

static bool
immediate_offset(const struct maxwell_lower_plan *plan,
                 const struct tg_tex_offset *from, unsigned axis, uint32_t *out)
{
   const struct tg_shader *shader = plan->lowering->shader;

   if (from->file != TG_FILE_IMM || from->index < 0 ||
       (uint32_t)from->index >= shader->num_immediates)
      return false;
   assert(axis < TG_LENGTH(from->swizzle));
   *out = shader->immediates[from->index].words[from->swizzle[axis]];
   return true;
}

/* The immediate axes of one offset. */
static uint32_t
immediate_axes(const struct maxwell_lower_plan *plan, unsigned number)
{
   unsigned shift, width;
   uint32_t immediate, bits = 0;

   for (unsigned axis = 0; axis < tg_target_row(plan->target)->num_offsets;
        axis++) {
      offset_place(plan, number, axis, &shift, &width);
      if (immediate_offset(plan, &plan->instruction->tex_offset[number], axis,
                           &immediate))
         bits |= (immediate & ((1u << width) - 1)) << shift;
   }
   return bits;
}

/* Steps that put the other axes of one offset over `*value`, or over RZ if it
 * is MAXWELL_LOWER_NONE. False when out of memory. */
static bool
pack_axes(struct maxwell_lower_plan *plan, unsigned number, unsigned base,
          uint32_t *value)
{
   const struct tg_tex_offset *from = &plan->instruction->tex_offset[number];
   struct tg_register reg = {.file = from->file,
                             .index = {.offset = from->index}};
   unsigned shift, width;
   uint32_t immediate;

   for (unsigned axis = 0; axis < tg_target_row(plan->target)->num_offsets;
        axis++) {
      if (immediate_offset(plan, from, axis, &immediate))
         continue;
      offset_place(plan, number, axis, &shift, &width);
      struct maxwell_lower_step step = {.kind = MAXWELL_LOWER_STEP_PACK,
                                        .shift = (uint8_t)(base + shift),
                                        .width = (uint8_t)width,
                                        .src = *value,
                                        .src2 = maxwell_lower_register_operand(
                                           plan, &reg, from->swizzle[axis])};

      *value = step.src2 == MAXWELL_LOWER_NONE
                  ? MAXWELL_LOWER_NONE
                  : maxwell_lower_make_operand(plan, step);
      if (*value == MAXWELL_LOWER_NONE)
         return false;
   }
   return true;
}

uint32_t
maxwell_lower_offset(struct maxwell_lower_plan *plan, unsigned first,
                     unsigned base)
{
   unsigned end = first + (is_gather(plan) ? 2 : 1);
   uint32_t bits = 0, value = MAXWELL_LOWER_NONE;

   if (end > plan->instruction->num_tex_offsets)
      end = plan->instruction->num_tex_offsets;
   for (unsigned i = first; i < end; i++)
      bits |= immediate_axes(plan, i) << base;
   if (bits)
      value = maxwell_lower_word_operand(plan, bits);
   if (bits && value == MAXWELL_LOWER_NONE)
      return MAXWELL_LOWER_NONE;
   for (unsigned i = first; i < end; i++) {
      if (!pack_axes(plan, i, base, &value))
         return MAXWELL_LOWER_NONE;
   }
   return value == MAXWELL_LOWER_NONE ? maxwell_lower_word_operand(plan, 0)
                                      : value;
}
