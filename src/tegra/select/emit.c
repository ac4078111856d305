/* SPDX-License-Identifier: MIT
 *
 * Emission of operations: each is appended to the block at hand.
 */
#include "tegra/select/select.h"

#include <string.h>

/* Components of literals that are not read are 0, so that equal ones are seen
 * to be equal. */
static void
clear_unread(struct mir_op *op)
{
   unsigned components = tegra_isa_components_read(mir_info(op), op->mask);

   for (unsigned i = 0; i < TEGRA_NUM_SOURCES; i++) {
      for (unsigned c = 0; c < 4; c++) {
         if (!tegra_mask_has(components, c))
            op->source[i].literal[c] = 0;
      }
   }
}

void
select_emit(struct select *select, enum tegra_unit unit, unsigned opcode,
            struct select_place place, unsigned num_sources,
            const struct mir_source *sources)
{
   struct mir_op op = mir_op(unit, opcode, select->index);

   if (place.mask == 0 || select->is_refused)
      return;
   if (mir_info(&op)->result != TEGRA_RESULT_NONE)
      op.mask = (uint8_t)place.mask;
   op.saturate = place.saturate;
   op.temporary = place.temporary;
   op.export_index = place.export_index;
   op.sets_condition = place.sets_condition;
   op.condition = place.condition;
   op.predicate = place.predicate;
   memcpy(op.source, sources, num_sources * sizeof(*sources));
   clear_unread(&op);
   if (!mir_append(select->mir, select->block, &op))
      select->result = TG_ERROR_MEMORY;
}

void
select_emit_vector0(struct select *select, enum tegra_vector_op opcode,
                    struct select_place place)
{
   const struct mir_source none = {0};

   select_emit(select, TEGRA_VECTOR, opcode, place, 0, &none);
}

void
select_emit_vector1(struct select *select, enum tegra_vector_op opcode,
                    struct select_place place, struct mir_source a)
{
   select_emit(select, TEGRA_VECTOR, opcode, place, 1, &a);
}

void
select_emit_vector2(struct select *select, enum tegra_vector_op opcode,
                    struct select_place place, struct mir_source a,
                    struct mir_source b)
{
   const struct mir_source sources[] = {a, b};

   select_emit(select, TEGRA_VECTOR, opcode, place, 2, sources);
}

void
select_emit_vector3(struct select *select, enum tegra_vector_op opcode,
                    struct select_place place, struct mir_source a,
                    struct mir_source b, struct mir_source c)
{
   const struct mir_source sources[] = {a, b, c};

   select_emit(select, TEGRA_VECTOR, opcode, place, 3, sources);
}

void
select_emit_scalar(struct select *select, enum tegra_scalar_op opcode,
                   struct select_place place, struct mir_source source)
{
   select_emit(select, TEGRA_SCALAR, opcode, place, 1, &source);
}

/* Components that read the same one share an operation. */
void
select_emit_scalars(struct select *select, enum tegra_scalar_op opcode,
                    struct select_place place, struct mir_source source)
{
   unsigned todo = place.mask;

   for (unsigned c = 0; c < 4; c++) {
      unsigned from = tegra_swizzle_get(source.swizzle, c), same = 0;

      if (!tegra_mask_has(todo, c))
         continue;
      for (unsigned d = c; d < 4; d++) {
         if (tegra_swizzle_get(source.swizzle, d) == from)
            same |= todo & tegra_mask_bit(d);
      }
      select_emit_scalar(select, opcode, select_masked_place(place, same),
                         mir_component(source, c));
      todo &= ~same;
   }
}
