/* SPDX-License-Identifier: MIT
 *
 * Registers for values. What must stand side by side makes bodies: sets of
 * values with places relative to each other. A tuple takes its values into one
 * body, which joins the bodies that they were in; where two places do not
 * agree, or two values that are alive together would share one, the value is
 * moved to a new one just before the fetch (or, of a result, from it just
 * behind). Then bodies get registers, first fit.
 */
#include <assert.h>

#include "maxwell/lower.h"

enum {
   MOST_VALUES = 1 << 14,
   MOST_PAIRS = 1 << 14, /* of values of two bodies that are to be joined */
   NUM_REGISTERS = TG_MAXWELL_NUM_REGISTERS,
};

/* The body that a value is in, and where. The registers of a body are
 * base + place, with base = residue modulo modulus. */
struct member {
   uint32_t body; /* its first value */
   int32_t place;
   uint32_t next; /* the next value of the body, or LOWER_NONE */
};

struct body { /* of the value that it is named for */
   uint8_t modulus, residue;
   uint32_t last; /* value */
   uint32_t size;
};

struct place {
   struct tg_maxwell_lowering *lowering;
   uint32_t capacity; /* values that there is room for */
   struct member *members;
   struct body *bodies;
   uint32_t *conflicts; /* a row of bits for each value */
   uint32_t words;
};

/* ---- conflicts ----------------------------------------------------------- */

static bool
conflict(const struct place *place, uint32_t a, uint32_t b)
{
   const uint32_t *row = &place->conflicts[(size_t)a * place->words];

   return row[b / 32] >> b % 32 & 1;
}

static void
add_conflict(struct place *place, uint32_t a, uint32_t b)
{
   if (a == b)
      return;
   place->conflicts[(size_t)a * place->words + b / 32] |= 1u << b % 32;
   place->conflicts[(size_t)b * place->words + a / 32] |= 1u << a % 32;
}

/* One value against all that are alive somewhere. */
struct against {
   struct place *place;
   uint32_t value;
};

static void
add_live_conflict(void *user, uint32_t value)
{
   struct against *against = user;

   add_conflict(against->place, against->value, value);
}

static void
conflict_with_live(struct place *place, uint32_t value, uint32_t at,
                   bool behind)
{
   struct against against = {place, value};

   lower_each_live(place->lowering, at, behind, add_live_conflict, &against);
}

/* What an instruction writes conflicts with all that is alive behind it. */
static void
find_written_conflicts(struct place *place, uint32_t at)
{
   const struct tg_instruction *instruction =
      &place->lowering->shader->instructions[at];

   for (unsigned d = 0; d < instruction->num_dst; d++) {
      const struct tg_dst *dst = &instruction->dst[d];

      for (unsigned c = 0; c < 4; c++) {
         bool is_known = (dst->writemask >> c & 1) &&
                         !dst->reg.index.indirect && !dst->reg.has_dimension &&
                         dst->reg.index.offset >= 0;
         uint32_t value =
            is_known ? lower_value_behind(place->lowering, at, dst->reg.file,
                                          (uint32_t)dst->reg.index.offset, c)
                     : LOWER_NONE;

         if (value != LOWER_NONE)
            conflict_with_live(place, value, at, true);
      }
   }
}

static void
find_live_pair(void *user, uint32_t value)
{
   struct place *place = user;

   conflict_with_live(place, value, 0, false);
}

static bool
is_constant(const struct lower_value *value)
{
   return value->kind == LOWER_CONSTANT || value->kind == LOWER_WORD;
}

/* Constants are put into registers at the beginning and stay there. What a step
 * makes is alive around its instruction. */
static void
find_own_conflicts(struct place *place, uint32_t value)
{
   const struct tg_maxwell_lowering *lowering = place->lowering;
   const struct lower_value *info = &lowering->values[value];

   if (info->kind == LOWER_COMPONENT)
      return;
   for (uint32_t i = 0; i < lowering->num_values; i++) {
      const struct lower_value *other = &lowering->values[i];

      if (is_constant(info) || is_constant(other) ||
          (other->kind == LOWER_FRESH && other->at == info->at))
         add_conflict(place, value, i);
   }
   if (info->kind == LOWER_FRESH) {
      conflict_with_live(place, value, info->at, false);
      conflict_with_live(place, value, info->at, true);
   }
}

/* Two values that one instruction reads or writes in tuples are alive together,
 * even if they are not read later. */
static void
conflict_in_tuples(struct place *place, const struct lower_tuple tuples[2])
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

static void
find_conflicts(struct place *place)
{
   const struct tg_maxwell_lowering *lowering = place->lowering;

   lower_each_live(lowering, 0, false, find_live_pair, place);
   for (uint32_t i = 0; i < lowering->shader->num_instructions; i++)
      find_written_conflicts(place, i);
   for (uint32_t i = 0; i < lowering->num_values; i++)
      find_own_conflicts(place, i);
   for (uint32_t i = 0; i < lowering->num_fetches; i++)
      conflict_in_tuples(place, lowering->fetches[i].results);
}

/* ---- bodies -------------------------------------------------------------- */

static void
make_body(struct place *place, uint32_t value)
{
   place->members[value] = (struct member){value, 0, LOWER_NONE};
   place->bodies[value] = (struct body){1, 0, value, 1};
}

/* Would two values of two bodies share a register, which they may not, if the
 * second body lay `shift` registers higher? Of large bodies that is assumed. */
static bool
bodies_collide(const struct place *place, uint32_t a, uint32_t b, int32_t shift)
{
   const struct member *members = place->members;

   if ((uint64_t)place->bodies[a].size * place->bodies[b].size > MOST_PAIRS)
      return true;
   for (uint32_t i = a; i != LOWER_NONE; i = members[i].next) {
      for (uint32_t j = b; j != LOWER_NONE; j = members[j].next) {
         if (members[i].place == members[j].place + shift &&
             conflict(place, i, j))
            return true;
      }
   }
   return false;
}

/* Do two demands on a base agree? */
static bool
residues_agree(unsigned modulus_a, unsigned residue_a, unsigned modulus_b,
               unsigned residue_b)
{
   unsigned least = modulus_a < modulus_b ? modulus_a : modulus_b;

   return residue_a % least == residue_b % least;
}

static unsigned
modulo(int32_t value, unsigned modulus)
{
   return (unsigned)value & (modulus - 1);
}

/* Puts the second body `shift` registers higher into the first. False when they
 * cannot be together, and then nothing has changed. */
static bool
join_bodies(struct place *place, uint32_t a, uint32_t b, int32_t shift)
{
   struct body *to = &place->bodies[a];
   const struct body *from = &place->bodies[b];
   /* base of a + shift is the base of b. */
   unsigned residue = modulo((int32_t)from->residue - shift, from->modulus);

   if (!residues_agree(to->modulus, to->residue, from->modulus, residue) ||
       bodies_collide(place, a, b, shift))
      return false;
   if (from->modulus > to->modulus) {
      to->modulus = from->modulus;
      to->residue = (uint8_t)residue;
   }
   place->members[to->last].next = b;
   to->last = from->last;
   to->size += from->size;
   for (uint32_t i = b; i != LOWER_NONE; i = place->members[i].next) {
      place->members[i].body = a;
      place->members[i].place += shift;
   }
   return true;
}

/* ---- tuples -------------------------------------------------------------- */

/* Demands that a body's place is a multiple of the alignment. */
static bool
align_body(struct place *place, uint32_t body, int32_t at, unsigned alignment)
{
   struct body *info = &place->bodies[body];
   unsigned residue = modulo(-at, alignment);

   if (!residues_agree(info->modulus, info->residue, alignment, residue))
      return false;
   if (alignment > info->modulus) {
      info->modulus = (uint8_t)alignment;
      info->residue = (uint8_t)residue;
   }
   return true;
}

/* Puts a value into the body of another one, at a place. */
static bool
attach(struct place *place, uint32_t body, int32_t at, uint32_t value)
{
   const struct member *member = &place->members[value];

   if (member->body == body)
      return member->place == at;
   return join_bodies(place, body, member->body, at - member->place);
}

/* What is known of the register that a tuple begins at. */
struct demand {
   unsigned modulus, residue;
};

static bool
add_demand(struct demand *demand, unsigned modulus, unsigned residue)
{
   if (!residues_agree(demand->modulus, demand->residue, modulus, residue))
      return false;
   if (modulus > demand->modulus)
      *demand = (struct demand){modulus, residue};
   return true;
}

/* The place in its body at which a tuple begins that has the value as its
 * number `i`. */
static int32_t
origin(const struct place *place, const struct lower_tuple *tuple, unsigned i)
{
   return place->members[tuple->value[i]].place - (int32_t)i;
}

/* Can the bodies of two values of a tuple lie as it wants them to? */
static bool
can_stand_together(const struct place *place, const struct lower_tuple *tuple,
                   unsigned i, unsigned j)
{
   uint32_t a = place->members[tuple->value[i]].body;
   uint32_t b = place->members[tuple->value[j]].body;
   int32_t shift = origin(place, tuple, i) - origin(place, tuple, j);

   return a == b ? shift == 0 : !bodies_collide(place, a, b, shift);
}

/* Does something of value i's body lie where the tuple's number j belongs, that
 * conflicts with a copy there? */
static bool
is_taken(const struct place *place, const struct lower_tuple *tuple, unsigned i,
         unsigned j, uint32_t copy)
{
   const struct member *members = place->members;
   int32_t at = origin(place, tuple, i) + (int32_t)j;

   for (uint32_t k = members[tuple->value[i]].body; k != LOWER_NONE;
        k = members[k].next) {
      if (members[k].place == at && conflict(place, k, copy))
         return true;
   }
   return false;
}

/* Can the values of `kept`, a bit each, be in the tuple themselves, and copies
 * like `copy` be the others? */
static bool
can_keep(const struct place *place, const struct lower_tuple *tuple,
         unsigned kept, uint32_t copy)
{
   struct demand demand = {tuple->alignment, 0};

   for (unsigned i = 0; i < tuple->count; i++) {
      const struct body *body =
         &place->bodies[place->members[tuple->value[i]].body];
      unsigned residue =
         modulo(body->residue + origin(place, tuple, i), body->modulus);

      if (!(kept >> i & 1))
         continue;
      if (!add_demand(&demand, body->modulus, residue))
         return false;
      for (unsigned j = 0; j < tuple->count; j++) {
         bool both = kept >> j & 1;

         if (both ? j < i && !can_stand_together(place, tuple, i, j)
                  : is_taken(place, tuple, i, j, copy))
            return false;
      }
   }
   return true;
}

/* As many of a tuple's values as can be kept; none always can. */
static unsigned
most_kept(const struct place *place, const struct lower_tuple *tuple,
          uint32_t copy)
{
   unsigned best = 0;

   for (unsigned kept = 1; kept < 1u << tuple->count; kept++) {
      if (__builtin_popcount(kept) > __builtin_popcount(best) &&
          can_keep(place, tuple, kept, copy))
         best = kept;
   }
   return best;
}

/* A new value for a step to move to or from. */
static uint32_t
make_copy(struct place *place, const struct lower_fetch *fetch)
{
   struct tg_maxwell_lowering *lowering = place->lowering;
   struct lower_value info = {.kind = LOWER_FRESH, .at = fetch->at};

   assert(lowering->num_values < place->capacity);
   uint32_t copy = lower_add_value(lowering, info);
   if (copy != LOWER_NONE) {
      make_body(place, copy);
      find_own_conflicts(place, copy);
   }
   return copy;
}

/* Moves a value to a copy in front of the fetch, or from one behind it. */
static bool
add_move(struct place *place, struct lower_fetch *fetch, uint32_t value,
         uint32_t copy, bool is_result)
{
   struct lower_step step = {.kind = LOWER_STEP_MOVE,
                             .dst = is_result ? value : copy,
                             .src = is_result ? copy : value,
                             .src2 = LOWER_NONE};

   return is_result ? lower_add_step(place->lowering, fetch, step)
                    : lower_insert_step(place->lowering, fetch, step);
}

/* Brings the values of a tuple that can be into one body. */
static void
join_tuple(struct place *place, const struct lower_tuple *tuple)
{
   const struct member *first = &place->members[tuple->value[0]];
   bool good = align_body(place, first->body, first->place, tuple->alignment);

   for (unsigned i = 1; i < tuple->count; i++) {
      first = &place->members[tuple->value[0]];
      good &=
         attach(place, first->body, first->place + (int32_t)i, tuple->value[i]);
   }
   assert(good);
   (void)good;
}

/* Makes one body of a tuple, with moves for the values that cannot be in it.
 * False when out of memory. */
static bool
settle_tuple(struct place *place, struct lower_fetch *fetch,
             struct lower_tuple *tuple, bool is_result)
{
   unsigned kept = (1u << tuple->count) - 1;
   uint32_t copy = LOWER_NONE;

   if (tuple->count == 0)
      return true;
   if (!can_keep(place, tuple, kept, LOWER_NONE)) {
      copy = make_copy(place, fetch);
      if (copy == LOWER_NONE)
         return false;
      kept = most_kept(place, tuple, copy);
   }
   for (unsigned i = 0; i < tuple->count; i++) {
      if (kept >> i & 1)
         continue;
      if (copy == LOWER_NONE)
         copy = make_copy(place, fetch);
      if (copy == LOWER_NONE ||
          !add_move(place, fetch, tuple->value[i], copy, is_result))
         return false;
      tuple->value[i] = copy;
      copy = LOWER_NONE;
   }
   join_tuple(place, tuple);
   return true;
}

static bool
settle_tuples(struct place *place)
{
   struct tg_maxwell_lowering *lowering = place->lowering;

   for (uint32_t i = 0; i < lowering->num_fetches; i++) {
      struct lower_fetch *fetch = &lowering->fetches[i];

      for (unsigned t = 0; t < 2 && !fetch->is_dead; t++) {
         if (!settle_tuple(place, fetch, &fetch->sources[t], false) ||
             !settle_tuple(place, fetch, &fetch->results[t], true))
            return false;
      }
   }
   return true;
}

/* ---- registers ----------------------------------------------------------- */

struct used {
   const struct place *place;
   uint32_t *values_at[NUM_REGISTERS]; /* those that were put there */
   uint32_t num_at[NUM_REGISTERS], capacity_at[NUM_REGISTERS];
};

static bool
register_is_free(const struct used *used, int32_t reg, uint32_t value)
{
   if (reg < 0 || reg >= NUM_REGISTERS)
      return false;
   for (uint32_t i = 0; i < used->num_at[reg]; i++) {
      if (conflict(used->place, value, used->values_at[reg][i]))
         return false;
   }
   return true;
}

static bool
body_fits(const struct used *used, uint32_t body, int32_t base)
{
   const struct member *members = used->place->members;

   for (uint32_t i = body; i != LOWER_NONE; i = members[i].next) {
      if (!register_is_free(used, base + members[i].place, i))
         return false;
   }
   return true;
}

static bool
take_registers(struct used *used, uint32_t body, int32_t base)
{
   struct tg_maxwell_lowering *lowering = used->place->lowering;
   const struct member *members = used->place->members;

   for (uint32_t i = body; i != LOWER_NONE; i = members[i].next) {
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
lowest_place(const struct place *place, uint32_t body)
{
   int32_t lowest = 0;

   for (uint32_t i = body; i != LOWER_NONE; i = place->members[i].next) {
      if (place->members[i].place < lowest)
         lowest = place->members[i].place;
   }
   return lowest;
}

static enum tg_result
place_body(struct used *used, uint32_t body)
{
   const struct place *place = used->place;
   const struct body *info = &place->bodies[body];
   int32_t lowest = lowest_place(place, body);

   for (int32_t base = -lowest; base < NUM_REGISTERS - lowest; base++) {
      if (modulo(base, info->modulus) != info->residue ||
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
place_bodies(struct place *place)
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
      struct lower_step step = {.kind = LOWER_STEP_MOVE,
                                .dst = i,
                                .src = LOWER_NONE,
                                .src2 = LOWER_NONE};

      if (!is_constant(&lowering->values[i]))
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
lower_num_moves(const struct tg_maxwell_lowering *lowering)
{
   uint32_t count = lowering->num_preamble;

   for (uint32_t i = 0; i < lowering->num_fetches; i++) {
      for (uint32_t s = 0; s < lowering->fetches[i].num_steps; s++)
         count += lowering->fetches[i].steps[s].kind == LOWER_STEP_MOVE;
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
      const struct lower_fetch *fetch = &lowering->fetches[i];

      for (unsigned t = 0; t < 2; t++)
         count += fetch->sources[t].count + (uint32_t)fetch->results[t].count;
   }
   return count;
}

static enum tg_result
prepare(struct place *place)
{
   struct tg_maxwell_lowering *lowering = place->lowering;
   struct tg_arena *arena = &lowering->arena;

   place->capacity = lowering->num_values + count_places(lowering);
   if (place->capacity > MOST_VALUES)
      return tg_complain(lowering->diagnostics, TG_ERROR_LIMIT, "limit",
                         "%u values are too many to find registers for",
                         place->capacity);
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
      make_body(place, i);
   return TG_OK;
}

enum tg_result
lower_place(struct tg_maxwell_lowering *lowering)
{
   struct place place = {.lowering = lowering};
   enum tg_result result = prepare(&place);
   if (result != TG_OK)
      return result;

   find_conflicts(&place);
   if (!settle_tuples(&place) || !move_constants(lowering))
      return TG_ERROR_MEMORY;
   return place_bodies(&place);
}
