/* SPDX-License-Identifier: MIT
 *
 * Register merging: the writers of registers, which components they have, and
 * new places for them.
 */
#include "tegra/optimize/unite.h"

#include <string.h>

/* ---- which can ----------------------------------------------------------- */

static void
add_op(struct unite *unite, const struct mir_op *op)
{
   for (unsigned i = 0; i < mir_num_sources(op); i++) {
      if (op->source[i].file == MIR_TEMPORARY)
         unite->values[op->source[i].index].components |=
            (uint8_t)mir_components_read(op, i);
   }
   if (op->temporary == MIR_NONE)
      return;

   struct unite_value *value = &unite->values[op->temporary];
   value->num_writers++;
   value->components |= op->mask;
   value->is_fixed |= mir_info(op)->result == TEGRA_RESULT_VEC ||
                      op->sets_condition || op->export_index != TEGRA_NO_EXPORT;
}

void
unite_look(struct unite *unite)
{
   const struct mir *mir = unite->mir;

   memset(unite->values, 0, mir->num_temporaries * sizeof(*unite->values));
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++)
         add_op(unite, &mir->blocks[i].ops[j]);
   }
}

bool
unite_can(const struct unite *unite, uint32_t a, uint32_t b)
{
   const struct unite_value *x = &unite->values[a], *y = &unite->values[b];

   return x->num_writers == 1 && y->num_writers == 1 && !y->is_fixed &&
          __builtin_popcount(x->components) +
                __builtin_popcount(y->components) <=
             4;
}

/* ---- doing it ------------------------------------------------------------ */

/* Gives each of the components a place that is not taken, its own if it can;
 * returns those places. */
static unsigned
choose_places(unsigned components, unsigned taken, unsigned place[4])
{
   unsigned chosen = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (!tegra_mask_has(components, i))
         continue;
      unsigned j = tegra_mask_has(taken | chosen, i) ? 0 : i;
      while (tegra_mask_has(taken | chosen, j))
         j++;
      place[i] = j;
      chosen |= tegra_mask_bit(j);
   }
   return chosen;
}

/* Where the components of `b` go: those that it uses to what `a` leaves free,
 * the others to what is left, so that each place has one. */
static unsigned
choose_order(unsigned a_components, unsigned b_components)
{
   unsigned place[4] = {0};
   unsigned used = choose_places(b_components, a_components, place);

   choose_places(TEGRA_MASK_XYZW & ~b_components, used, place);
   return tegra_swizzle(place[0], place[1], place[2], place[3]);
}

void
unite_as(const struct mir *mir, uint32_t a, uint32_t b, unsigned order)
{
   for (uint32_t i = 0; i < mir->num_blocks; i++) {
      for (uint32_t j = 0; j < mir->blocks[i].num_ops; j++) {
         struct mir_op *op = &mir->blocks[i].ops[j];

         for (unsigned k = 0; k < mir_num_sources(op); k++) {
            struct mir_source *source = &op->source[k];

            if (source->file != MIR_TEMPORARY || source->index != b)
               continue;
            source->index = a;
            source->swizzle = (uint8_t)tegra_swizzle_of(source->swizzle, order);
         }
         if (op->temporary == b) {
            op->temporary = a;
            mir_permute(op, order);
         }
      }
   }
}

void
unite_two(struct unite *unite, uint32_t a, uint32_t b)
{
   unite_as(
      unite->mir, a, b,
      choose_order(unite->values[a].components, unite->values[b].components));
   unite_look(unite);
}

bool
unite_start(struct unite *unite, const struct mir *mir, struct tg_arena *arena)
{
   unite->mir = mir;
   unite->values =
      tg_arena_array(arena, mir->num_temporaries, sizeof(*unite->values));
   if (unite->values)
      unite_look(unite);
   return unite->values != NULL;
}
