/* SPDX-License-Identifier: MIT
 *
 * Handle slots: which combinations of view and sampler a shader has, and where
 * their handles stand.
 */
#include "maxwell/lower/plan.h"
#include "util/diagnostics.h"

static bool
is_same_slot(const struct maxwell_lower_slot *a,
             const struct maxwell_lower_slot *b)
{
   return a->view == b->view && a->sampler == b->sampler &&
          a->is_of_faces == b->is_of_faces;
}

static uint32_t
find_slot(struct tg_maxwell_lowering *lowering, struct maxwell_lower_slot slot)
{
   for (uint32_t i = 0; i < lowering->num_slots; i++) {
      if (is_same_slot(&lowering->slots[i], &slot))
         return i;
   }
   if (!tg_arena_reserve(&lowering->arena, (void **)&lowering->slots,
                         &lowering->slot_capacity, lowering->num_slots,
                         sizeof(*lowering->slots)))
      return MAXWELL_LOWER_NONE;
   lowering->slots[lowering->num_slots] = slot;
   return lowering->num_slots++;
}

void
maxwell_lower_set_slot(struct maxwell_lower_plan *plan)
{
   const struct tg_instruction *instruction = plan->instruction;
   unsigned object = plan->row->object;
   struct maxwell_lower_slot slot = {.at = plan->fetch->at,
                                     .is_of_faces = plan->fetches_faces};

   plan->fetch->slot = MAXWELL_LOWER_NONE;
   if (maxwell_lower_form_is_bindless(plan))
      return;
   slot.view = (uint32_t)instruction->src[object].reg.index.offset;
   slot.sampler = slot.view;
   if (object + 1u < instruction->num_src &&
       instruction->src[object + 1].reg.file == TG_FILE_SAMP)
      slot.sampler = (uint32_t)instruction->src[object + 1].reg.index.offset;
   plan->fetch->slot = find_slot(plan->lowering, slot);
   if (plan->fetch->slot == MAXWELL_LOWER_NONE)
      plan->result = TG_ERROR_MEMORY;
}

/* Has the slot the number of its view and sampler? */
static bool
is_plain_slot(const struct maxwell_lower_slot *slot)
{
   return slot->view == slot->sampler && !slot->is_of_faces;
}

static enum tg_result
refuse_slot(const struct tg_maxwell_lowering *lowering,
            const struct maxwell_lower_slot *slot)
{
   const struct tg_shader *shader = lowering->shader;

   tg_diagnose(lowering->diagnostics, TG_SEVERITY_ERROR, "limit",
               &shader->source, shader->instructions[slot->at].position,
               "an instruction has 13 bits for it: 0 to 0x1fff",
               "the handle of view %u and sampler %u has index 0x%x",
               slot->view, slot->sampler, slot->index);
   return TG_ERROR_LIMIT;
}

/* Plain slots stand where their number says, others after all of them. */
enum tg_result
maxwell_lower_number_slots(struct tg_maxwell_lowering *lowering)
{
   uint32_t first = lowering->options.first_index, next = 0;

   for (uint32_t i = 0; i < lowering->num_slots; i++) {
      const struct maxwell_lower_slot *slot = &lowering->slots[i];

      if (is_plain_slot(slot) && slot->view >= next)
         next = slot->view + 1;
   }
   for (uint32_t i = 0; i < lowering->num_slots; i++) {
      struct maxwell_lower_slot *slot = &lowering->slots[i];
      uint32_t number = is_plain_slot(slot) ? slot->view : next++;

      slot->index = first > MAXWELL_MAX_INDEX ? first : first + number;
      if (slot->index > MAXWELL_MAX_INDEX)
         return refuse_slot(lowering, slot);
   }
   return TG_OK;
}
