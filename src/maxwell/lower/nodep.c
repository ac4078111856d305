/* SPDX-License-Identifier: MIT
 *
 * Analysis for .NODEP: which fetches are followed by no derivative on any path.
 */
#include "maxwell/lower/plan.h"

/* Marks the instructions that take derivatives of their quad. */
static void
mark_derivatives(const struct tg_maxwell_lowering *lowering, bool *takes)
{
   const struct tg_shader *shader = lowering->shader;

   for (uint32_t i = 0; i < shader->num_instructions; i++)
      takes[i] = tg_opcode_row(shader->instructions[i].opcode)->flags &
                 TG_OPCODE_FLAG_DERIVS;
   for (uint32_t i = 0; i < lowering->num_fetches; i++) {
      const struct maxwell_lower_fetch *fetch = &lowering->fetches[i];

      takes[fetch->at] =
         fetch->num_words > 1 || (fetch->num_words && takes[fetch->at]);
   }
}

/* Marks the instructions after which a derivative may be taken. */
static void
find_derivatives(const struct tg_maxwell_lowering *lowering, const bool *takes,
                 bool *follows)
{
   bool changed = true;

   while (changed) {
      changed = false;
      for (uint32_t i = lowering->shader->num_instructions; i-- > 0;) {
         uint32_t next[2];
         unsigned count = maxwell_lower_live_successors(lowering, i, next);

         for (unsigned j = 0; j < count && !follows[i]; j++) {
            follows[i] = follows[next[j]] || takes[next[j]];
            changed |= follows[i];
         }
      }
   }
}

/* Of a quad's fetches the others are after all but the last. */
static void
set_nodep(struct maxwell_lower_fetch *fetch, bool derivative_follows)
{
   struct maxwell_instruction *last;

   if (!fetch->num_words || derivative_follows || fetch->needs_killed)
      return;
   last = &fetch->words[fetch->num_words - 1].instruction;
   last->nodep = maxwell_form_has(last->form, MAXWELL_FIELD_nodep);
}

/* Fetches of a fragment shader that no derivative follows need nothing of
 * killed threads. What follows a subroutine is not known. */
enum tg_result
maxwell_lower_set_nodep(struct tg_maxwell_lowering *lowering)
{
   uint32_t count = lowering->shader->num_instructions;
   bool *takes = tg_arena_array(&lowering->arena, count, sizeof(*takes));
   bool *follows = tg_arena_array(&lowering->arena, count, sizeof(*follows));

   if (!takes || !follows)
      return TG_ERROR_MEMORY;
   if (lowering->shader->processor != TG_PROCESSOR_FRAG ||
       lowering->flow.num_subroutines != 0)
      return TG_OK;
   mark_derivatives(lowering, takes);
   find_derivatives(lowering, takes, follows);
   for (uint32_t i = 0; i < lowering->num_fetches; i++)
      set_nodep(&lowering->fetches[i], follows[lowering->fetches[i].at]);
   return TG_OK;
}
