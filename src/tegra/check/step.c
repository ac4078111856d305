/* SPDX-License-Identifier: MIT
 *
 * Def and use sets of an instruction: components of temporaries, exports, A0
 * and the condition registers.
 */
#include "tegra/check/check.h"

/* ---- slots --------------------------------------------------------------- */

static struct tegra_slot
make_slot(const union tegra_instruction *instruction, enum tegra_unit unit)
{
   bool is_vector = unit == TEGRA_VECTOR;
   unsigned opcode = is_vector ? instruction->v_op : instruction->s_op;
   const struct tegra_opcode_info *info = &tegra_opcodes[unit][opcode];
   bool has_result =
      info->result != TEGRA_RESULT_NONE && info->result != TEGRA_RESULT_ADDR;

   return (struct tegra_slot){
      .info = info,
      .opcode = (uint8_t)opcode,
      .destination =
         (uint8_t)(is_vector ? instruction->v_rd : instruction->s_rd),
      .mask = (uint8_t)(is_vector ? instruction->v_mask : instruction->s_mask),
      .has_result = has_result,
      .is_exported = instruction->export_vec == is_vector &&
                     (instruction->export_index != TEGRA_NO_EXPORT ||
                      instruction->export_rel),
   };
}

void
tegra_step_init(struct tegra_step *step, const uint32_t words[TG_TEGRA_WORDS])
{
   *step = (struct tegra_step){.instruction = tegra_isa_decode(words)};
   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++)
      step->slots[unit] = make_slot(&step->instruction, unit);
}

bool
tegra_step_has(const struct tegra_step *step, enum tegra_effect effect)
{
   return step->slots[TEGRA_VECTOR].info->effect == effect ||
          step->slots[TEGRA_SCALAR].info->effect == effect;
}

bool
tegra_step_is_jump(const struct tegra_step *step)
{
   return tegra_step_has(step, TEGRA_EFFECT_BRANCH) ||
          tegra_step_has(step, TEGRA_EFFECT_CALL) ||
          tegra_step_has(step, TEGRA_EFFECT_RETURN);
}

/* An odd destination is not A0. */
bool
tegra_step_slot_loads_address(const struct tegra_slot *slot)
{
   return slot->info->result == TEGRA_RESULT_ADDR && slot->destination % 2 == 0;
}

bool
tegra_step_slot_is_kept(const struct tegra_step *step,
                        const struct tegra_slot *slot)
{
   const union tegra_instruction *instruction = &step->instruction;

   if (!slot->has_result)
      return tegra_step_slot_loads_address(slot);
   return slot->destination != TEGRA_NO_REGISTER || slot->is_exported ||
          (instruction->cs && instruction->cwr);
}

/* ---- writing ------------------------------------------------------------- */

/* Where the result of a slot goes, and A0 if it is loaded. */
static void
add_writes(const struct tegra_step *step, const struct tegra_slot *slot,
           struct tegra_places *places)
{
   const union tegra_instruction *instruction = &step->instruction;
   unsigned export_index = instruction->export_index;

   if (tegra_step_slot_loads_address(slot))
      places->mask[TEGRA_PLACE_ADDRESS] |= slot->mask;
   if (!slot->has_result)
      return;
   if (slot->destination < TG_TEGRA_NUM_TEMPORARIES)
      places->mask[TEGRA_PLACE_TEMPORARY + slot->destination] |= slot->mask;
   if (slot->is_exported && export_index < TG_TEGRA_NUM_EXPORTS &&
       !instruction->export_rel)
      places->mask[TEGRA_PLACE_EXPORT + export_index] |= slot->mask;
   if (instruction->cs && instruction->cwr)
      places->mask[TEGRA_PLACE_CONDITION + instruction->cr] |= slot->mask;
}

struct tegra_places
tegra_step_writes(const struct tegra_step *step)
{
   struct tegra_places places = {{0}};

   if (step->writes != TEGRA_NEVER) {
      for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++)
         add_writes(step, &step->slots[unit], &places);
   }
   if (tegra_step_has(step, TEGRA_EFFECT_POP) &&
       !tegra_step_has(step, TEGRA_EFFECT_PUSH))
      places.mask[TEGRA_PLACE_ADDRESS] = TEGRA_MASK_XYZW;
   return places;
}

/* ---- reading ------------------------------------------------------------- */

/* The components before a swizzle that give those of `mask` after it. */
static unsigned
before_swizzle(unsigned swizzle, unsigned mask)
{
   unsigned before = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(mask, i))
         before |= tegra_mask_bit(tegra_swizzle_get(swizzle, i));
   }
   return before;
}

/* The component of A0 that indices are relative to. */
static void
add_address(const struct tegra_step *step, struct tegra_places *places)
{
   if (!step->instruction.bit120)
      places->mask[TEGRA_PLACE_ADDRESS] |=
         tegra_mask_bit(step->instruction.a_sel);
}

/* x and z are the sum of both, and so are y and w. */
static unsigned
summands(unsigned mask)
{
   return (mask & 10 ? 10 : 0) | (mask & 5 ? 5 : 0);
}

static bool
is_sum_of_address(const struct tegra_slot *slot)
{
   return slot->info->result == TEGRA_RESULT_ADDR &&
          slot->info->operands == TEGRA_OPERANDS_NONE;
}

static void
add_sources(const struct tegra_step *step, const struct tegra_slot *slot,
            unsigned needed, struct tegra_places *places)
{
   enum tegra_source sources[TEGRA_NUM_SOURCES];
   unsigned count = tegra_isa_sources(slot->info, sources);
   unsigned components = tegra_isa_components_read(slot->info, needed);

   for (unsigned i = 0; i < count; i++) {
      struct tegra_operand operand =
         tegra_isa_get_source(&step->instruction, sources[i]);

      if (operand.relative)
         add_address(step, places);
      if (operand.file == TEGRA_TEMPORARY &&
          operand.index < TG_TEGRA_NUM_TEMPORARIES)
         places->mask[TEGRA_PLACE_TEMPORARY + operand.index] |=
            before_swizzle(operand.swizzle, components);
   }
   if (is_sum_of_address(slot) && !step->instruction.bit120)
      places->mask[TEGRA_PLACE_ADDRESS] |= summands(needed);
}

struct tegra_places
tegra_step_reads(const struct tegra_step *step,
                 const uint8_t needed[TEGRA_NUM_UNITS])
{
   const union tegra_instruction *instruction = &step->instruction;
   struct tegra_places places = {{0}};
   unsigned tested = 0;

   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      if (needed[unit])
         add_sources(step, &step->slots[unit], needed[unit], &places);
      if (instruction->cc && step->writes == TEGRA_SOMETIMES)
         tested |= needed[unit];
   }
   if (instruction->export_rel)
      add_address(step, &places);
   if (step->jumps == TEGRA_SOMETIMES)
      tested = TEGRA_MASK_XYZW;
   places.mask[TEGRA_PLACE_CONDITION + instruction->cr] |=
      before_swizzle(instruction->p_swz, tested);
   if (tegra_step_has(step, TEGRA_EFFECT_PUSH) &&
       !tegra_step_has(step, TEGRA_EFFECT_POP))
      places.mask[TEGRA_PLACE_ADDRESS] = TEGRA_MASK_XYZW;
   return places;
}

bool
tegra_step_is_relative(const struct tegra_step *step)
{
   if (step->instruction.export_rel && !step->instruction.bit120)
      return true;
   for (unsigned unit = 0; unit < TEGRA_NUM_UNITS; unit++) {
      struct tegra_places places = {{0}};
      const struct tegra_slot *slot = &step->slots[unit];

      if (!is_sum_of_address(slot))
         add_sources(step, slot, TEGRA_MASK_XYZW, &places);
      if (places.mask[TEGRA_PLACE_ADDRESS])
         return true;
   }
   return false;
}
