/* SPDX-License-Identifier: MIT
 *
 * Defaults of the two styles, field by field.
 */
#include "tegra/isa/implied.h"

const char *const tegra_style_names[TEGRA_NUM_STYLES] = {"grate", "nvidia"};

/* The destination of a slot that names none; `other` is that of the operation
 * before it. That of the stack's operations stands for A0, and is an even
 * number as those of ARL are. grate's RETs has what was read last. */
static uint16_t
implied_destination(enum tegra_style style, bool has_slot,
                    const struct tegra_opcode_info *info, uint16_t other)
{
   if (!has_slot)
      return style == TEGRA_STYLE_GRATE ? 0 : TEGRA_NO_REGISTER;
   if (info->effect == TEGRA_EFFECT_PUSH || info->effect == TEGRA_EFFECT_POP)
      return 0;
   if (info->effect == TEGRA_EFFECT_RETURN && style == TEGRA_STYLE_GRATE)
      return other;
   return TEGRA_NO_REGISTER;
}

/* What would be there if the text had nothing but the opcodes. */
static union tegra_instruction
blank(enum tegra_style style, tegra_field_set explicit,
      const union tegra_instruction *instruction)
{
   const bool is_nvidia = style == TEGRA_STYLE_NVIDIA;
   const tegra_field_set predicate =
      TEGRA_FIELD_BIT(p_lt) | TEGRA_FIELD_BIT(p_eq) | TEGRA_FIELD_BIT(p_gt);
   const bool is_always = is_nvidia && !(explicit & predicate);
   const uint16_t type = is_nvidia ? TEGRA_ATTRIBUTE : TEGRA_UNDEFINED;
   const bool has_vector = explicit & TEGRA_FIELD_BIT(v_op);
   const bool has_scalar = explicit & TEGRA_FIELD_BIT(s_op);
   const uint16_t v_rd = implied_destination(
      style, has_vector,
      &tegra_opcodes[TEGRA_VECTOR][instruction->v_op % TEGRA_NUM_OPCODES], 0);
   const bool has_v_rd = explicit & TEGRA_FIELD_BIT(v_rd);

   return (union tegra_instruction){
      .export_index = TEGRA_NO_EXPORT,
      .v_rd = v_rd,
      .s_rd = implied_destination(
         style, has_scalar,
         &tegra_opcodes[TEGRA_SCALAR][instruction->s_op % TEGRA_NUM_OPCODES],
         has_v_rd ? instruction->v_rd : v_rd),
      .ra_type = type,
      .rb_type = type,
      .rc_type = type,
      .ra_swz = TEGRA_IDENTITY,
      .rb_swz = TEGRA_IDENTITY,
      .rc_swz = TEGRA_IDENTITY,
      .p_swz = TEGRA_IDENTITY,
      .p_lt = is_always,
      .p_eq = is_always,
      .p_gt = is_always,
   };
}

void
tegra_imply(enum tegra_style style, tegra_field_set explicit,
            union tegra_instruction *instruction)
{
   const union tegra_instruction implied = blank(style, explicit, instruction);

   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++) {
      if (!(explicit & tegra_field_bit(i)))
         instruction->field[i] = implied.field[i];
   }
}

bool
tegra_source_may_be_implied(enum tegra_unit unit, unsigned opcode)
{
   return unit == TEGRA_VECTOR &&
          (opcode == TEGRA_VECTOR_SSG || opcode == TEGRA_VECTOR_TXL);
}
