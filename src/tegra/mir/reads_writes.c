/* SPDX-License-Identifier: MIT
 *
 * Def and use sets of an operation, out of its row and its members.
 */
#include "tegra/mir/reads_writes.h"

unsigned
mir_address_read(const struct mir_op *op)
{
   const struct tegra_opcode_info *info = mir_info(op);
   unsigned components = 0;

   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      if (op->source[i].relative)
         components |= tegra_mask_bit(op->source[i].address);
   }
   if (op->export_relative)
      components |= tegra_mask_bit(op->export_address);
   if (info->effect == TEGRA_EFFECT_PUSH ||
       (info->result == TEGRA_RESULT_ADDR && !mir_num_sources(op)))
      components = TEGRA_MASK_XYZW;
   return components;
}

bool
mir_writes_address(const struct mir_op *op)
{
   return mir_info(op)->result == TEGRA_RESULT_ADDR ||
          mir_info(op)->effect == TEGRA_EFFECT_POP;
}

unsigned
mir_condition_read(const struct mir_op *op)
{
   unsigned lanes = mir_is_jump(op) ? tegra_mask_bit(0) : op->mask;
   unsigned components = 0;

   if (!op->predicate.enabled)
      return 0;
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(lanes, i))
         components |=
            tegra_mask_bit(tegra_swizzle_get(op->predicate.swizzle, i));
   }
   return components;
}

unsigned
mir_temporary_read(const struct mir_op *op, uint32_t temporary)
{
   unsigned components = 0;

   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      if (op->source[i].file == MIR_TEMPORARY &&
          op->source[i].index == temporary)
         components |= mir_components_read(op, i);
   }
   return components;
}

bool
mir_write_is_partial(const struct mir_op *op)
{
   return op->predicate.enabled || op->export_relative;
}

/* Jumps, pushes and pops stay in their order. */
static bool
uses_stack(const struct mir_op *op)
{
   unsigned effect = mir_info(op)->effect;

   return effect == TEGRA_EFFECT_CALL || effect == TEGRA_EFFECT_RETURN ||
          effect == TEGRA_EFFECT_PUSH || effect == TEGRA_EFFECT_POP;
}

static void
add(struct mir_access *list, unsigned *count, uint32_t location, unsigned mask)
{
   if (mask)
      list[(*count)++] = (struct mir_access){location, (uint8_t)mask};
}

unsigned
mir_reads(const struct mir *mir, const struct mir_op *op,
          struct mir_access reads[MIR_MAX_READS])
{
   uint32_t places = mir->num_temporaries;
   unsigned count = 0;

   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      if (op->source[i].file == MIR_TEMPORARY)
         add(reads, &count, op->source[i].index, mir_components_read(op, i));
   }
   add(reads, &count, places + MIR_PLACE_CONDITION + op->predicate.condition,
       mir_condition_read(op));
   add(reads, &count, places + MIR_PLACE_ADDRESS, mir_address_read(op));
   add(reads, &count, places + MIR_PLACE_STACK,
       uses_stack(op) ? TEGRA_MASK_XYZW : 0);
   return count;
}

unsigned
mir_writes(const struct mir *mir, const struct mir_op *op,
           struct mir_access writes[MIR_MAX_WRITES])
{
   const struct tegra_opcode_info *info = mir_info(op);
   uint32_t places = mir->num_temporaries;
   uint32_t exports = places + MIR_PLACE_EXPORT;
   unsigned count = 0;

   if (op->temporary != MIR_NONE)
      add(writes, &count, op->temporary, op->mask);
   if (op->sets_condition)
      add(writes, &count, places + MIR_PLACE_CONDITION + op->condition,
          op->mask);
   if (info->result == TEGRA_RESULT_ADDR)
      add(writes, &count, places + MIR_PLACE_ADDRESS, op->mask);
   if (info->effect == TEGRA_EFFECT_POP)
      add(writes, &count, places + MIR_PLACE_ADDRESS, TEGRA_MASK_XYZW);
   if (uses_stack(op))
      add(writes, &count, places + MIR_PLACE_STACK, TEGRA_MASK_XYZW);
   if (op->export_relative) {
      for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS; i++)
         add(writes, &count, exports + i, op->mask);
   } else if (op->export_index != TEGRA_NO_EXPORT) {
      add(writes, &count, exports + op->export_index, op->mask);
   }
   return count;
}
