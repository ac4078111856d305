/* SPDX-License-Identifier: MIT
 *
 * Interference: which values may not share a register: those that are alive
 * together.
 */
#include "maxwell/lower/place.h"

#include <assert.h>

static void
add_conflict(struct maxwell_lower_placement *place, uint32_t a, uint32_t b)
{
   if (a == b)
      return;
   place->conflicts[(size_t)a * place->words + b / 32] |= 1u << b % 32;
   place->conflicts[(size_t)b * place->words + a / 32] |= 1u << a % 32;
}

/* One value against all that are alive somewhere. */
struct against {
   struct maxwell_lower_placement *place;
   uint32_t value;
};

static void
add_live_conflict(void *user, uint32_t value)
{
   struct against *against = user;

   add_conflict(against->place, against->value, value);
}

static void
conflict_with_live(struct maxwell_lower_placement *place, uint32_t value,
                   uint32_t at, bool after)
{
   struct against against = {place, value};

   maxwell_lower_each_live_value(place->lowering, at, after, add_live_conflict,
                                 &against);
}

/* What an instruction writes conflicts with all that is alive after it. */
static void
find_written_conflicts(struct maxwell_lower_placement *place, uint32_t at)
{
   assert(at < place->lowering->shader->num_instructions);
   const struct tg_instruction *instruction =
      &place->lowering->shader->instructions[at];

   for (unsigned d = 0; d < instruction->num_dst; d++) {
      const struct tg_dst *dst = &instruction->dst[d];

      for (unsigned c = 0; c < 4; c++) {
         uint32_t value =
            maxwell_lower_value_after(place->lowering, at, &dst->reg, c);

         if ((dst->writemask >> c & 1) && value != MAXWELL_LOWER_NONE)
            conflict_with_live(place, value, at, true);
      }
   }
}

static void
find_live_pair(void *user, uint32_t value)
{
   struct maxwell_lower_placement *place = user;

   conflict_with_live(place, value, 0, false);
}

/* Constants are put into registers at the beginning and stay there. What a step
 * makes is alive around its instruction; if it is written in threads that are
 * elsewhere, their values may be any. */
void
maxwell_lower_find_own_conflicts(struct maxwell_lower_placement *place,
                                 uint32_t value)
{
   const struct tg_maxwell_lowering *lowering = place->lowering;
   assert(value < lowering->num_values);
   const struct maxwell_lower_value *info = &lowering->values[value];

   if (info->kind == MAXWELL_LOWER_COMPONENT)
      return;
   for (uint32_t i = 0; i < lowering->num_values; i++) {
      const struct maxwell_lower_value *other = &lowering->values[i];

      if (maxwell_lower_is_constant(info) || maxwell_lower_is_constant(other) ||
          (other->kind == MAXWELL_LOWER_FRESH && other->at == info->at) ||
          (other->kind == MAXWELL_LOWER_COMPONENT && info->reaches_others))
         add_conflict(place, value, i);
   }
   if (info->kind == MAXWELL_LOWER_FRESH) {
      conflict_with_live(place, value, info->at, false);
      conflict_with_live(place, value, info->at, true);
   }
}

/* Two values that one instruction writes in tuples are alive together, even if
 * they are not read later. */
static void
conflict_in_tuples(struct maxwell_lower_placement *place,
                   const struct maxwell_lower_tuple tuples[2])
{
   uint32_t all[2 * MAXWELL_MAX_GROUP];
   unsigned count = 0;

   for (unsigned t = 0; t < 2; t++) {
      for (unsigned i = 0; i < tuples[t].count; i++)
         all[count++] = tuples[t].value[i];
   }
   for (unsigned i = 0; i < count; i++) {
      for (unsigned j = 0; j < i; j++)
         add_conflict(place, all[i], all[j]);
   }
}

/* A value against all that the words and steps of an instruction read. */
static void
conflict_with_read(struct maxwell_lower_placement *place,
                   const struct maxwell_lower_fetch *fetch, uint32_t value)
{
   for (unsigned t = 0; t < 2; t++) {
      for (unsigned i = 0; i < fetch->sources[t].count; i++)
         add_conflict(place, value, fetch->sources[t].value[i]);
   }
   for (uint32_t i = 0; i < fetch->num_steps; i++) {
      if (fetch->steps[i].src != MAXWELL_LOWER_NONE)
         add_conflict(place, value, fetch->steps[i].src);
      if (fetch->steps[i].src2 != MAXWELL_LOWER_NONE)
         add_conflict(place, value, fetch->steps[i].src2);
   }
}

/* One word of several must not write what the others read. */
static void
conflict_in_words(struct maxwell_lower_placement *place,
                  const struct maxwell_lower_fetch *fetch)
{
   for (uint32_t w = 0; w < fetch->num_words; w++) {
      const struct maxwell_lower_tuple *results = fetch->words[w].results;

      conflict_in_tuples(place, results);
      for (unsigned t = 0; t < 2 && fetch->num_words > 1; t++) {
         for (unsigned i = 0; i < results[t].count; i++)
            conflict_with_read(place, fetch, results[t].value[i]);
      }
   }
}

void
maxwell_lower_find_conflicts(struct maxwell_lower_placement *place)
{
   const struct tg_maxwell_lowering *lowering = place->lowering;

   maxwell_lower_each_live_value(lowering, 0, false, find_live_pair, place);
   for (uint32_t i = 0; i < lowering->shader->num_instructions; i++)
      find_written_conflicts(place, i);
   for (uint32_t i = 0; i < lowering->num_values; i++)
      maxwell_lower_find_own_conflicts(place, i);
   for (uint32_t i = 0; i < lowering->num_fetches; i++)
      conflict_in_words(place, &lowering->fetches[i]);
}
