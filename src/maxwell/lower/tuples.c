/* SPDX-License-Identifier: MIT
 *
 * Tuple coalescing. A tuple takes its values into one body, which joins the
 * bodies that they were in. Where two places do not agree, or two values that
 * are alive together would share one, as many values as can be are kept, and
 * the others are copied to new ones just before the fetch (or, of a result,
 * from them just after).
 */
#include <assert.h>

#include "maxwell/lower/place.h"
#include "util/length.h"

/* Pairs of values that are looked at when two bodies are to be joined. */
enum { MOST_PAIRS = 1 << 14 };

/* ---- bodies -------------------------------------------------------------- */

void
maxwell_lower_make_tuple_body(struct maxwell_lower_placement *place,
                              uint32_t value)
{
   place->members[value] =
      (struct maxwell_lower_member){value, 0, MAXWELL_LOWER_NONE};
   place->bodies[value] = (struct maxwell_lower_body){1, 0, value, 1};
}

/* Would two values of two bodies share a register, which they may not, if the
 * second body lay `shift` registers higher? Of large bodies that is assumed. */
static bool
bodies_collide(const struct maxwell_lower_placement *place, uint32_t a,
               uint32_t b, int32_t shift)
{
   const struct maxwell_lower_member *members = place->members;

   if ((uint64_t)place->bodies[a].size * place->bodies[b].size > MOST_PAIRS)
      return true;
   for (uint32_t i = a; i != MAXWELL_LOWER_NONE; i = members[i].next) {
      for (uint32_t j = b; j != MAXWELL_LOWER_NONE; j = members[j].next) {
         if (members[i].place == members[j].place + shift &&
             maxwell_lower_conflict(place, i, j))
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

/* Puts the second body `shift` registers higher into the first. False when they
 * cannot be together, and then nothing has changed. */
static bool
join_bodies(struct maxwell_lower_placement *place, uint32_t a, uint32_t b,
            int32_t shift)
{
   struct maxwell_lower_body *to = &place->bodies[a];
   const struct maxwell_lower_body *from = &place->bodies[b];
   /* base of a + shift is the base of b. */
   unsigned residue =
      maxwell_lower_modulo((int32_t)from->residue - shift, from->modulus);

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
   for (uint32_t i = b; i != MAXWELL_LOWER_NONE; i = place->members[i].next) {
      place->members[i].body = a;
      place->members[i].place += shift;
   }
   return true;
}

/* ---- tuples -------------------------------------------------------------- */

/* Demands that a body's place is a multiple of the alignment. */
static bool
align_body(struct maxwell_lower_placement *place, uint32_t body, int32_t at,
           unsigned alignment)
{
   struct maxwell_lower_body *info = &place->bodies[body];
   unsigned residue = maxwell_lower_modulo(-at, alignment);

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
attach(struct maxwell_lower_placement *place, uint32_t body, int32_t at,
       uint32_t value)
{
   const struct maxwell_lower_member *member = &place->members[value];

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
origin(const struct maxwell_lower_placement *place,
       const struct maxwell_lower_tuple *tuple, unsigned i)
{
   assert(i < TG_LENGTH(tuple->value));
   return place->members[tuple->value[i]].place - (int32_t)i;
}

/* Can the bodies of two values of a tuple lie as it wants them to? */
static bool
can_stand_together(const struct maxwell_lower_placement *place,
                   const struct maxwell_lower_tuple *tuple, unsigned i,
                   unsigned j)
{
   assert(i < TG_LENGTH(tuple->value));
   assert(j < TG_LENGTH(tuple->value));
   uint32_t a = place->members[tuple->value[i]].body;
   uint32_t b = place->members[tuple->value[j]].body;
   int32_t shift = origin(place, tuple, i) - origin(place, tuple, j);

   return a == b ? shift == 0 : !bodies_collide(place, a, b, shift);
}

/* Does something of value i's body lie where the tuple's number j belongs, that
 * conflicts with a copy there? */
static bool
is_taken(const struct maxwell_lower_placement *place,
         const struct maxwell_lower_tuple *tuple, unsigned i, unsigned j,
         uint32_t copy)
{
   const struct maxwell_lower_member *members = place->members;
   int32_t at = origin(place, tuple, i) + (int32_t)j;

   for (uint32_t k = members[tuple->value[i]].body; k != MAXWELL_LOWER_NONE;
        k = members[k].next) {
      if (members[k].place == at && maxwell_lower_conflict(place, k, copy))
         return true;
   }
   return false;
}

/* Can the values of `kept`, a bit each, be in the tuple themselves, and copies
 * like `copy` be the others? */
static bool
can_keep(const struct maxwell_lower_placement *place,
         const struct maxwell_lower_tuple *tuple, unsigned kept, uint32_t copy)
{
   struct demand demand = {tuple->alignment, 0};

   for (unsigned i = 0; i < tuple->count; i++) {
      const struct maxwell_lower_body *body =
         &place->bodies[place->members[tuple->value[i]].body];
      unsigned residue = maxwell_lower_modulo(
         body->residue + origin(place, tuple, i), body->modulus);

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
most_kept(const struct maxwell_lower_placement *place,
          const struct maxwell_lower_tuple *tuple, uint32_t copy)
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
make_copy(struct maxwell_lower_placement *place,
          const struct maxwell_lower_fetch *fetch)
{
   struct tg_maxwell_lowering *lowering = place->lowering;
   struct maxwell_lower_value info = {.kind = MAXWELL_LOWER_FRESH,
                                      .at = fetch->at,
                                      .reaches_others = fetch->reaches_others};

   assert(lowering->num_values < place->capacity);
   uint32_t copy = maxwell_lower_add_value(lowering, info);
   if (copy != MAXWELL_LOWER_NONE) {
      maxwell_lower_make_tuple_body(place, copy);
      maxwell_lower_find_own_conflicts(place, copy);
   }
   return copy;
}

/* What threads of a quad keep goes to the copy. */
static void
keep_in_copy(const struct maxwell_lower_fetch *fetch, uint32_t value,
             uint32_t copy)
{
   for (uint32_t i = 0; i < fetch->num_steps; i++) {
      struct maxwell_lower_step *step = &fetch->steps[i];

      if (step->kind == MAXWELL_LOWER_STEP_KEEP && step->dst == value)
         step->dst = copy;
   }
}

/* Moves a value to a copy just before the fetch, or from one just after
 * it, where the steps that follow read it. */
static bool
add_move(struct maxwell_lower_placement *place,
         struct maxwell_lower_fetch *fetch, uint32_t value, uint32_t copy,
         bool is_result)
{
   struct maxwell_lower_step step = {.kind = MAXWELL_LOWER_STEP_MOVE,
                                     .dst = is_result ? value : copy,
                                     .src = is_result ? copy : value,
                                     .src2 = MAXWELL_LOWER_NONE};

   if (is_result)
      keep_in_copy(fetch, value, copy);
   return maxwell_lower_plan_step_at(place->lowering, fetch, step, is_result);
}

/* Brings the values of a tuple that can be into one body. */
static void
join_tuple(struct maxwell_lower_placement *place,
           const struct maxwell_lower_tuple *tuple)
{
   const struct maxwell_lower_member *first = &place->members[tuple->value[0]];
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
settle_tuple(struct maxwell_lower_placement *place,
             struct maxwell_lower_fetch *fetch,
             struct maxwell_lower_tuple *tuple, bool is_result)
{
   unsigned kept = (1u << tuple->count) - 1;
   uint32_t copy = MAXWELL_LOWER_NONE;

   if (tuple->count == 0)
      return true;
   if (!can_keep(place, tuple, kept, MAXWELL_LOWER_NONE)) {
      copy = make_copy(place, fetch);
      if (copy == MAXWELL_LOWER_NONE)
         return false;
      kept = most_kept(place, tuple, copy);
   }
   for (unsigned i = 0; i < tuple->count; i++) {
      if (kept >> i & 1)
         continue;
      if (copy == MAXWELL_LOWER_NONE)
         copy = make_copy(place, fetch);
      if (copy == MAXWELL_LOWER_NONE ||
          !add_move(place, fetch, tuple->value[i], copy, is_result))
         return false;
      tuple->value[i] = copy;
      copy = MAXWELL_LOWER_NONE;
   }
   join_tuple(place, tuple);
   return true;
}

static bool
settle_fetch(struct maxwell_lower_placement *place,
             struct maxwell_lower_fetch *fetch)
{
   bool good = true;

   for (unsigned t = 0; t < 2 && good; t++) {
      good = settle_tuple(place, fetch, &fetch->sources[t], false);
      for (uint32_t w = 0; w < fetch->num_words && good; w++)
         good = settle_tuple(place, fetch, &fetch->words[w].results[t], true);
   }
   return good;
}

bool
maxwell_lower_settle_tuples(struct maxwell_lower_placement *place)
{
   struct tg_maxwell_lowering *lowering = place->lowering;

   for (uint32_t i = 0; i < lowering->num_fetches; i++) {
      if (!settle_fetch(place, &lowering->fetches[i]))
         return false;
   }
   return true;
}
