/* SPDX-License-Identifier: MIT
 *
 * What each texture instruction becomes: its form, what must stand side by side
 * for it, and the steps around it.
 */
#include "maxwell/lower_plan.h"

#include <string.h>

/* ---- opcodes ------------------------------------------------------------- */

static const struct lower_row rows[] = {
#define LOWER_ROW(opcode, work, lod, level, channel, reference, derivative,    \
                  object)                                                      \
   {TG_OPCODE_##opcode,                                                        \
    LOWER_WORK_##work,                                                         \
    MAXWELL_LOD_##lod,                                                         \
    level,                                                                     \
    channel,                                                                   \
    reference,                                                                 \
    derivative,                                                                \
    object},
#include "maxwell/lower.def"
};

const struct lower_row *
lower_find_row(enum tg_opcode opcode)
{
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      if (rows[i].opcode == opcode)
         return &rows[i];
   }
   return NULL;
}

/* ---- tuples -------------------------------------------------------------- */

static void
plan_sources(struct lower_plan *plan)
{
   struct maxwell_group groups[2];

   maxwell_sources(&plan->fetch->instruction, groups);
   for (unsigned i = 0; i < 2; i++) {
      struct lower_tuple *tuple = &plan->fetch->sources[i];

      tuple->count = groups[i].count;
      tuple->alignment =
         (uint8_t)maxwell_alignment(&plan->fetch->instruction, groups[i].count);
      for (unsigned j = 0; j < groups[i].count; j++) {
         tuple->value[j] = lower_operand(plan, groups[i].content[j]);
         if (tuple->value[j] == LOWER_NONE)
            plan->result = TG_ERROR_MEMORY;
      }
   }
}

static void
plan_results(struct lower_plan *plan)
{
   bool is_half = maxwell_is_half(&plan->fetch->instruction);
   struct maxwell_group groups[2];

   maxwell_results(&plan->fetch->instruction, groups);
   for (unsigned i = 0; i < 2; i++) {
      struct lower_tuple *tuple = &plan->fetch->results[i];

      tuple->count = groups[i].count;
      tuple->alignment =
         (uint8_t)maxwell_alignment(&plan->fetch->instruction, groups[i].count);
      for (unsigned j = 0; j < groups[i].count; j++) {
         unsigned low = groups[i].content[j] & 7;
         unsigned high = groups[i].content[j] >> 4;

         tuple->value[j] = is_half ? lower_half_result(plan, low, high)
                                   : lower_result(plan, low - 1);
         if (tuple->value[j] == LOWER_NONE)
            plan->result = TG_ERROR_MEMORY;
      }
   }
}

/* ---- steps --------------------------------------------------------------- */

bool
lower_add_step(struct tg_maxwell_lowering *lowering, struct lower_fetch *fetch,
               struct lower_step step)
{
   if (!tg_arena_reserve(&lowering->arena, (void **)&fetch->steps,
                         &fetch->step_capacity, fetch->num_steps,
                         sizeof(*fetch->steps)))
      return false;
   fetch->steps[fetch->num_steps++] = step;
   return true;
}

bool
lower_insert_step(struct tg_maxwell_lowering *lowering,
                  struct lower_fetch *fetch, struct lower_step step,
                  bool is_behind)
{
   uint32_t at = 0;

   if (!lower_add_step(lowering, fetch, step))
      return false;
   while (fetch->steps[at].kind != LOWER_STEP_FETCH)
      at++;
   at += is_behind;
   memmove(&fetch->steps[at + 1], &fetch->steps[at],
           (fetch->num_steps - 1 - at) * sizeof(*fetch->steps));
   fetch->steps[at] = step;
   return true;
}

/* ---- one instruction ----------------------------------------------------- */

static void
plan_fetch(struct lower_plan *plan)
{
   struct lower_step fetch = {.kind = LOWER_STEP_FETCH,
                              .dst = LOWER_NONE,
                              .src = LOWER_NONE,
                              .src2 = LOWER_NONE};

   lower_choose_form(plan);
   if (plan->result != TG_OK)
      return;
   lower_set_slot(plan);
   if (lower_is_bindless(plan)) {
      plan->handle = lower_handle(plan);
      if (plan->handle == LOWER_NONE)
         plan->result = TG_ERROR_MEMORY;
   }
   plan_sources(plan);
   if (!lower_add_step(plan->lowering, plan->fetch, fetch))
      plan->result = TG_ERROR_MEMORY;
   plan_results(plan);
}

static enum tg_result
plan_instruction(struct tg_maxwell_lowering *lowering, uint32_t at,
                 const struct lower_row *row)
{
   const struct tg_instruction *instruction =
      &lowering->shader->instructions[at];

   if (!tg_arena_reserve(&lowering->arena, (void **)&lowering->fetches,
                         &lowering->fetch_capacity, lowering->num_fetches,
                         sizeof(*lowering->fetches)))
      return TG_ERROR_MEMORY;

   struct lower_fetch *fetch = &lowering->fetches[lowering->num_fetches++];
   struct lower_plan plan = {.lowering = lowering,
                             .fetch = fetch,
                             .instruction = instruction,
                             .row = row,
                             .reciprocal = LOWER_NONE,
                             .handle = LOWER_NONE};
   fetch->at = at;
   lower_ask(&plan);
   plan.components = lower_used_components(&plan);
   fetch->is_dead = plan.components == 0;
   if (!fetch->is_dead)
      plan_fetch(&plan);
   return plan.result;
}

/* ---- all ----------------------------------------------------------------- */

/* Keeps the first result that is worse than an instruction that was refused. */
static enum tg_result
worse(enum tg_result a, enum tg_result b)
{
   return a == TG_OK || a == TG_ERROR_UNSUPPORTED ? (b == TG_OK ? a : b) : a;
}

enum tg_result
lower_plan(struct tg_maxwell_lowering *lowering)
{
   const struct tg_shader *shader = lowering->shader;
   enum tg_result result = TG_OK;

   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      const struct lower_row *row =
         lower_find_row(shader->instructions[i].opcode);

      if (row)
         result = worse(result, plan_instruction(lowering, i, row));
   }
   if (result == TG_OK)
      result = lower_set_nodep(lowering);
   return result == TG_OK ? lower_number_slots(lowering) : result;
}
