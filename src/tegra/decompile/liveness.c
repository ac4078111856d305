/* SPDX-License-Identifier: MIT
 *
 * Backward liveness at the entry: what is read, or leaves the program, before
 * it is written. The unit's simulator begins with zeros there, so zeros are
 * written first. The analysis is insensitive to calling context, so that there
 * may be more of them than needed.
 */
#include <assert.h>
#include <string.h>

#include "tegra/decompile/decompile.h"
#include "util/length.h"

/* Components, four bits each with x lowest, of all that has a value. */
enum {
   FIRST_EXPORT = TG_TEGRA_NUM_TEMPORARIES,
   FIRST_CONDITION = FIRST_EXPORT + TG_TEGRA_NUM_EXPORTS,
   ADDRESS = FIRST_CONDITION + TEGRA_NUM_CONDITIONS,
   NUM_PLACES
};

struct components {
   uint8_t masks[NUM_PLACES]; /* as in words */
};

static void
visit_condition(struct components *used,
                const union tegra_instruction *instruction, unsigned mask)
{
   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(mask, i))
         used->masks[FIRST_CONDITION + instruction->cr] |=
            tegra_mask_bit(tegra_swizzle_get(instruction->p_swz, i));
   }
}

static void
visit_unit(const struct decompile *decompile,
           const union tegra_instruction *instruction, enum tegra_unit unit,
           struct components *used, struct components *set)
{
   struct decompile_writes writes =
      decompile_instruction_writes(decompile, instruction, unit);

   for (unsigned r = 0; r < TG_TEGRA_NUM_TEMPORARIES; r++)
      used->masks[r] |= decompile_operand_components(
         instruction, unit, TEGRA_TEMPORARY, writes.mask, (int)r);
   if (decompile_predicate_writes(decompile, instruction) ==
       DECOMPILE_SOMETIMES) {
      visit_condition(used, instruction, writes.mask);
      return;
   }
   if (writes.temporary)
      set->masks[writes.rd] |= writes.temporary;
   if (writes.exported && !(instruction->export_rel && !instruction->bit120))
      set->masks[FIRST_EXPORT + instruction->export_index] |= writes.exported;
   set->masks[FIRST_CONDITION + instruction->cr] |= writes.condition;
   set->masks[ADDRESS] |= writes.address;
}

/* What an instruction reads before it writes, and what it surely writes. */
static void
visit(const struct decompile *decompile, uint32_t number,
      struct components *used, struct components *set)
{
   assert(number < TG_LENGTH(decompile->instructions));
   const union tegra_instruction *instruction =
      &decompile->instructions[number];
   enum tegra_effect effect = decompile_instruction_stack_effect(instruction);
   bool is_relative = instruction->const_rel || instruction->attr_rel ||
                      instruction->export_rel;

   *used = *set = (struct components){{0}};
   if (tegra_isa_fault(instruction) != TG_TEGRA_ENDED)
      return;
   for (unsigned u = 0; u < TEGRA_NUM_UNITS; u++)
      visit_unit(decompile, instruction, u, used, set);
   if (decompile_instruction_may_abort(decompile, instruction))
      memset(used->masks + FIRST_EXPORT, TEGRA_MASK_XYZW, TG_TEGRA_NUM_EXPORTS);
   if (decompile_predicate_jumps(decompile, instruction) == DECOMPILE_SOMETIMES)
      visit_condition(used, instruction, TEGRA_MASK_XYZW);
   if (effect == TEGRA_EFFECT_POP)
      set->masks[ADDRESS] = TEGRA_MASK_XYZW;
   if (instruction->bit120)
      return;
   if (is_relative)
      used->masks[ADDRESS] |= tegra_mask_bit(instruction->a_sel);
   if (effect == TEGRA_EFFECT_PUSH || instruction->v_op == TEGRA_VECTOR_ARA)
      used->masks[ADDRESS] = TEGRA_MASK_XYZW;
}

struct liveness {
   struct components live[TG_TEGRA_MAX_INSTRUCTIONS]; /* before each */
   struct components out;                             /* of one at work */
};

static void
add_live(void *user, int exit)
{
   struct liveness *liveness = user;

   for (unsigned i = 0; i < NUM_PLACES; i++) {
      if (exit >= 0)
         liveness->out.masks[i] |= liveness->live[exit].masks[i];
      else if (i >= FIRST_EXPORT && i < FIRST_CONDITION)
         liveness->out.masks[i] = TEGRA_MASK_XYZW;
   }
}

/* Recomputes an instruction; has anything changed? */
static bool
update(const struct decompile *decompile, struct liveness *liveness,
       uint32_t number)
{
   assert(number < TG_LENGTH(liveness->live));
   struct components used, set;
   struct components *live = &liveness->live[number];
   bool has_changed = false;

   visit(decompile, number, &used, &set);
   liveness->out = (struct components){{0}};
   decompile_for_each_flow_exit(decompile, number, add_live, liveness);
   for (unsigned i = 0; i < NUM_PLACES; i++) {
      uint8_t before = live->masks[i];

      live->masks[i] =
         (uint8_t)(used.masks[i] | (liveness->out.masks[i] & ~set.masks[i]));
      has_changed |= live->masks[i] != before;
   }
   return has_changed;
}

/* Exports that reached instructions may write. */
static void
find_exports(const struct decompile *decompile,
             bool is_written[TG_TEGRA_NUM_EXPORTS])
{
   memset(is_written, 0, TG_TEGRA_NUM_EXPORTS * sizeof(*is_written));
   for (uint32_t i = 0; i < decompile->num_instructions; i++) {
      const union tegra_instruction *instruction = &decompile->instructions[i];

      for (unsigned u = 0; u < TEGRA_NUM_UNITS && decompile->is_reached[i];
           u++) {
         if (!decompile_instruction_writes(decompile, instruction, u).exported)
            continue;
         struct decompile_range range =
            decompile_instruction_exports(decompile, instruction);
         for (int e = range.first; e < range.end; e++)
            is_written[e] = true;
      }
   }
}

static void
write_zeros(struct decompile *decompile, const char *reg, unsigned mask)
{
   if (mask)
      decompile_text_line(decompile, "MOV %s%s, %s", reg,
                          decompile_text_mask(mask).text,
                          decompile_text_float(decompile, 0).text);
}

/* Of each place: the components that may be read before they are written. NULL
 * when out of memory. */
static const uint8_t *
find_masks(struct decompile *decompile)
{
   struct liveness *liveness =
      tg_arena_alloc(&decompile->arena, sizeof(*liveness));
   bool has_changed = true;

   while (liveness && has_changed) {
      has_changed = false;
      for (uint32_t i = decompile->num_instructions; i-- > 0;)
         has_changed |= update(decompile, liveness, i);
   }
   decompile->out_of_memory |= !liveness;
   return liveness ? liveness->live[0].masks : NULL;
}

void
decompile_initialise_live(struct decompile *decompile)
{
   bool is_exported[TG_TEGRA_NUM_EXPORTS];
   const uint8_t *masks = find_masks(decompile);

   if (!masks)
      return;
   find_exports(decompile, is_exported);
   for (unsigned i = 0; i < TG_TEGRA_NUM_EXPORTS; i++) {
      if (!is_exported[i])
         continue;
      decompile->uses_export[i] = true;
      write_zeros(decompile, decompile_text_format("OUT[%u]", i).text,
                  masks[FIRST_EXPORT + i]);
   }
   for (unsigned i = 0; i < TG_TEGRA_NUM_TEMPORARIES; i++) {
      if (masks[i])
         write_zeros(decompile, decompile_text_temporary(decompile, i).text,
                     masks[i]);
   }
   for (unsigned i = 0; i < TEGRA_NUM_CONDITIONS; i++) {
      if (masks[FIRST_CONDITION + i])
         write_zeros(
            decompile,
            decompile_text_role(decompile, DECOMPILE_CONDITION + i).text,
            masks[FIRST_CONDITION + i]);
   }
   if (masks[ADDRESS]) {
      decompile->uses_address[0] = true;
      decompile_text_line(decompile, "UARL ADDR[0]%s, %s",
                          decompile_text_mask(masks[ADDRESS]).text,
                          decompile_text_integer(decompile, 0).text);
   }
}
