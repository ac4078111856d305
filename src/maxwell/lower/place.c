/* SPDX-License-Identifier: MIT
 *
 * Register allocation: bodies get registers first fit, those of several values
 * before those of one.
 */
#include "maxwell/lower/place.h"

enum { MOST_VALUES = 1 << 14, NUM_REGISTERS = TG_MAXWELL_NUM_REGISTERS };

/* ---- registers ----------------------------------------------------------- */

struct used {
   const struct maxwell_lower_placement *place;
   uint32_t *values_at[NUM_REGISTERS]; /* those that were put there */
   uint32_t num_at[NUM_REGISTERS], capacity_at[NUM_REGISTERS];
};

static bool
register_is_free(const struct used *used, int32_t reg, uint32_t value)
{
   if (reg < 0 || reg >= NUM_REGISTERS)
      return false;
   for (uint32_t i = 0; i < used->num_at[reg]; i++) {
      if (maxwell_lower_conflict(used->place, value, used->values_at[reg][i]))
         return false;
   }
   return true;
}

static bool
body_fits(const struct used *used, uint32_t body, int32_t base)
{
   const struct maxwell_lower_member *members = used->place->members;

   for (uint32_t i = body; i != MAXWELL_LOWER_NONE; i = members[i].next) {
      if (!register_is_free(used, base + members[i].place, i))
         return false;
   }
   return true;
}

static bool
take_registers(struct used *used, uint32_t body, int32_t base)
{
   struct tg_maxwell_lowering *lowering = used->place->lowering;
   const struct maxwell_lower_member *members = used->place->members;

   for (uint32_t i = body; i != MAXWELL_LOWER_NONE; i = members[i].next) {
      uint32_t reg = (uint32_t)(base + members[i].place);

      if (!tg_arena_reserve(&lowering->arena, (void **)&used->values_at[reg],
                            &used->capacity_at[reg], used->num_at[reg],
                            sizeof(uint32_t)))
         return false;
      used->values_at[reg][used->num_at[reg]++] = i;
      lowering->values[i].reg = (uint16_t)reg;
      if (lowering->num_registers <= reg)
         lowering->num_registers = (uint16_t)(reg + 1);
   }
   return true;
}

static int32_t
lowest_place(const struct maxwell_lower_placement *place, uint32_t body)
{
   int32_t lowest = 0;

   for (uint32_t i = body; i != MAXWELL_LOWER_NONE;
        i = place->members[i].next) {
      if (place->members[i].place < lowest)
         lowest = place->members[i].place;
   }
   return lowest;
}

static enum tg_result
place_body(struct used *used, uint32_t body)
{
   const struct maxwell_lower_placement *place = used->place;
   const struct maxwell_lower_body *info = &place->bodies[body];
   int32_t lowest = lowest_place(place, body);

   for (int32_t base = -lowest; base < NUM_REGISTERS - lowest; base++) {
      if (maxwell_lower_modulo(base, info->modulus) != info->residue ||
          !body_fits(used, body, base))
         continue;
      return take_registers(used, body, base) ? TG_OK : TG_ERROR_MEMORY;
   }
   return tg_complain(place->lowering->diagnostics, TG_ERROR_LIMIT, "limit",
                      "%d registers do not suffice for this shader",
                      NUM_REGISTERS);
}

/* Bodies of several values come first, as they are harder to place. */
static enum tg_result
place_bodies(struct maxwell_lower_placement *place)
{
   struct tg_maxwell_lowering *lowering = place->lowering;
   struct used used = {.place = place};
   enum tg_result result = TG_OK;

   for (unsigned pass = 0; pass < 2; pass++) {
      for (uint32_t i = 0; i < lowering->num_values && result == TG_OK; i++) {
         bool is_first = place->members[i].body == i;
         bool is_single = is_first && place->bodies[i].size == 1;

         if (is_first && is_single == (pass == 1))
            result = place_body(&used, i);
      }
   }
   return result;
}

/* ---- constants ----------------------------------------------------------- */

/* Constants that something reads are moved to their registers at the start. */
static bool
move_constants(struct tg_maxwell_lowering *lowering)
{
   for (uint32_t i = 0; i < lowering->num_values; i++) {
      struct maxwell_lower_step step = {.kind = MAXWELL_LOWER_STEP_MOVE,
                                        .dst = i,
                                        .src = MAXWELL_LOWER_NONE,
                                        .src2 = MAXWELL_LOWER_NONE};

      if (!maxwell_lower_is_constant(&lowering->values[i]))
         continue;
      if (!tg_arena_reserve(&lowering->arena, (void **)&lowering->preamble,
                            &lowering->preamble_capacity,
                            lowering->num_preamble,
                            sizeof(*lowering->preamble)))
         return false;
      lowering->preamble[lowering->num_preamble++] = step;
   }
   return true;
}

uint32_t
maxwell_lower_num_placed_moves(const struct tg_maxwell_lowering *lowering)
{
   uint32_t count = lowering->num_preamble;

   for (uint32_t i = 0; i < lowering->num_fetches; i++) {
      for (uint32_t s = 0; s < lowering->fetches[i].num_steps; s++)
         count += lowering->fetches[i].steps[s].kind == MAXWELL_LOWER_STEP_MOVE;
   }
   return count;
}

/* ---- all ----------------------------------------------------------------- */

/* How many values moves can add: one for each place in a tuple. */
static uint32_t
count_places(const struct tg_maxwell_lowering *lowering)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < lowering->num_fetches; i++) {
      const struct maxwell_lower_fetch *fetch = &lowering->fetches[i];

      for (unsigned t = 0; t < 2; t++) {
         count += fetch->sources[t].count;
         for (uint32_t w = 0; w < fetch->num_words; w++)
            count += fetch->words[w].results[t].count;
      }
   }
   return count;
}

/* Room for all values and for those that moves can add. */
static enum tg_result
prepare(struct maxwell_lower_placement *place)
{
   struct tg_maxwell_lowering *lowering = place->lowering;
   struct tg_arena *arena = &lowering->arena;

   place->capacity = lowering->num_values + count_places(lowering);
   if (place->capacity > MOST_VALUES)
      return tg_complain(lowering->diagnostics, TG_ERROR_LIMIT, "limit",
                         "there are %u values to find registers for, and may "
                         "be %d",
                         place->capacity, MOST_VALUES);
   place->words = place->capacity / 32 + 1;
   place->members =
      tg_arena_array(arena, place->capacity, sizeof(*place->members));
   place->bodies =
      tg_arena_array(arena, place->capacity, sizeof(*place->bodies));
   place->conflicts = tg_arena_array(
      arena, (size_t)place->capacity * place->words, sizeof(*place->conflicts));
   if (!place->members || !place->bodies || !place->conflicts)
      return TG_ERROR_MEMORY;
   for (uint32_t i = 0; i < lowering->num_values; i++)
      maxwell_lower_make_tuple_body(place, i);
   return TG_OK;
}

enum tg_result
maxwell_lower_place(struct tg_maxwell_lowering *lowering)
{
   struct maxwell_lower_placement place = {.lowering = lowering};
   enum tg_result result = prepare(&place);
   if (result != TG_OK)
      return result;

   maxwell_lower_find_conflicts(&place);
   if (!maxwell_lower_settle_tuples(&place) || !move_constants(lowering))
      return TG_ERROR_MEMORY;
   return place_bodies(&place);
}
