/* SPDX-License-Identifier: MIT
 *
 * Expansion of each texture instruction: its form, what must stand side by side
 * for it, and the steps around it.
 */
#include "maxwell/lower/plan.h"

#include <string.h>

/* ---- opcodes ------------------------------------------------------------- */

static const struct maxwell_lower_row rows[] = {
#define MAXWELL_LOWER_ROW(opcode, work, lod, level, channel, reference,        \
                          derivative, object)                                  \
   {TG_OPCODE_##opcode,                                                        \
    MAXWELL_LOWER_WORK_##work,                                                 \
    MAXWELL_LOD_##lod,                                                         \
    level,                                                                     \
    channel,                                                                   \
    reference,                                                                 \
    derivative,                                                                \
    object},
#include "maxwell/lower/lower.def"
};

const struct maxwell_lower_row *
maxwell_lower_plan_row(enum tg_opcode opcode)
{
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      if (rows[i].opcode == opcode)
         return &rows[i];
   }
   return NULL;
}

/* ---- tuples -------------------------------------------------------------- */

static struct maxwell_lower_tuple
tuple_of(const struct maxwell_instruction *instruction, unsigned count)
{
   return (struct maxwell_lower_tuple){
      .count = (uint8_t)count,
      .alignment = (uint8_t)maxwell_register_alignment(instruction, count)};
}

static void
plan_sources(struct maxwell_lower_plan *plan)
{
   const struct maxwell_instruction *instruction =
      &plan->fetch->words[0].instruction;
   struct maxwell_group groups[2];

   maxwell_source_registers(instruction, groups);
   for (unsigned i = 0; i < 2; i++) {
      struct maxwell_lower_tuple *tuple = &plan->fetch->sources[i];

      *tuple = tuple_of(instruction, groups[i].count);
      for (unsigned j = 0; j < groups[i].count; j++) {
         tuple->value[j] =
            plan->is_in_quad
               ? maxwell_lower_quad_operand(plan, groups[i].content[j])
               : maxwell_lower_operand(plan, groups[i].content[j]);
         if (tuple->value[j] == MAXWELL_LOWER_NONE)
            plan->result = TG_ERROR_MEMORY;
      }
   }
}

/* The values of what a word writes: of the base those that the shader wants, if
 * that may be. */
static void
plan_results(struct maxwell_lower_plan *plan, unsigned number)
{
   struct maxwell_lower_word *word = &plan->fetch->words[number];
   struct maxwell_group groups[2];

   maxwell_result_registers(&word->instruction, groups);
   for (unsigned i = 0; i < 2; i++) {
      struct maxwell_lower_tuple *tuple = &word->results[i];

      *tuple = tuple_of(&word->instruction, groups[i].count);
      for (unsigned j = 0; j < groups[i].count; j++) {
         tuple->value[j] = number == maxwell_lower_quad_base(plan)
                              ? maxwell_lower_result(plan, groups[i].content[j])
                              : maxwell_lower_fresh_operand(plan);
         if (tuple->value[j] == MAXWELL_LOWER_NONE)
            plan->result = TG_ERROR_MEMORY;
      }
   }
}

static void
bring_results(struct maxwell_lower_plan *plan)
{
   const struct maxwell_lower_word *word =
      &plan->fetch->words[maxwell_lower_quad_base(plan)];
   struct maxwell_group groups[2];

   maxwell_result_registers(&word->instruction, groups);
   for (unsigned i = 0; i < 2; i++) {
      for (unsigned j = 0; j < groups[i].count; j++) {
         if (!maxwell_lower_bring_result(plan, groups[i].content[j],
                                         word->results[i].value[j]))
            plan->result = TG_ERROR_MEMORY;
      }
   }
}

/* ---- steps --------------------------------------------------------------- */

static bool
append_step(struct tg_maxwell_lowering *lowering,
            struct maxwell_lower_fetch *fetch, struct maxwell_lower_step step)
{
   if (!tg_arena_reserve(&lowering->arena, (void **)&fetch->steps,
                         &fetch->step_capacity, fetch->num_steps,
                         sizeof(*fetch->steps)))
      return false;
   fetch->steps[fetch->num_steps++] = step;
   return true;
}

bool
maxwell_lower_plan_step(struct maxwell_lower_plan *plan,
                        struct maxwell_lower_step step)
{
   return append_step(plan->lowering, plan->fetch, step);
}

bool
maxwell_lower_plan_bare_step(struct maxwell_lower_plan *plan,
                             enum maxwell_lower_step_kind kind, unsigned word)
{
   struct maxwell_lower_step step = {.kind = (uint8_t)kind,
                                     .word = (uint8_t)word,
                                     .dst = MAXWELL_LOWER_NONE,
                                     .src = MAXWELL_LOWER_NONE,
                                     .src2 = MAXWELL_LOWER_NONE};

   return maxwell_lower_plan_step(plan, step);
}

/* Where the steps begin that belong to the words, and where those after them.
 */
static void
find_words(const struct maxwell_lower_fetch *fetch, uint32_t *begin_out,
           uint32_t *end_out)
{
   uint32_t begin = 0, end = fetch->num_steps;

   while (fetch->steps[begin].kind != MAXWELL_LOWER_STEP_FETCH &&
          fetch->steps[begin].kind != MAXWELL_LOWER_STEP_SAVE)
      begin++;
   while (fetch->steps[end - 1].kind != MAXWELL_LOWER_STEP_FETCH &&
          fetch->steps[end - 1].kind != MAXWELL_LOWER_STEP_RESTORE)
      end--;
   *begin_out = begin;
   *end_out = end;
}

bool
maxwell_lower_plan_step_at(struct tg_maxwell_lowering *lowering,
                           struct maxwell_lower_fetch *fetch,
                           struct maxwell_lower_step step, bool is_after)
{
   uint32_t begin, end;

   find_words(fetch, &begin, &end);
   if (!append_step(lowering, fetch, step))
      return false;

   uint32_t at = is_after ? end : begin;
   memmove(&fetch->steps[at + 1], &fetch->steps[at],
           (fetch->num_steps - 1 - at) * sizeof(*fetch->steps));
   fetch->steps[at] = step;
   return true;
}

/* ---- one instruction ----------------------------------------------------- */

/* As many words as there are threads in a quad, or one. */
static void
plan_words(struct maxwell_lower_plan *plan)
{
   struct maxwell_lower_fetch *fetch = plan->fetch;

   fetch->num_words = plan->is_in_quad ? MAXWELL_LOWER_QUAD : 1;
   for (uint32_t i = 1; i < fetch->num_words; i++)
      fetch->words[i] = fetch->words[0];
   for (uint32_t i = 0; i < fetch->num_words; i++)
      plan_results(plan, i);
}

static void
plan_fetch(struct maxwell_lower_plan *plan)
{
   bool good = true;

   maxwell_lower_choose_form(plan);
   if (plan->result != TG_OK)
      return;
   plan->fetch->reaches_others =
      plan->is_in_quad &&
      maxwell_lower_quad_may_be_elsewhere(plan->lowering, plan->fetch->at);
   maxwell_lower_set_slot(plan);
   if (maxwell_lower_form_is_bindless(plan)) {
      plan->handle = maxwell_lower_handle_operand(plan);
      good = plan->handle != MAXWELL_LOWER_NONE;
   }
   plan_sources(plan);
   if (plan->result == TG_OK && good)
      good =
         plan->is_in_quad
            ? maxwell_lower_fetch_in_quad(plan)
            : maxwell_lower_plan_bare_step(plan, MAXWELL_LOWER_STEP_FETCH, 0);
   plan_words(plan);
   if (plan->result == TG_OK && good && plan->is_in_quad)
      good = maxwell_lower_keep_in_quad(plan);
   bring_results(plan);
   if (!good)
      plan->result = TG_ERROR_MEMORY;
}

static enum tg_result
plan_instruction(struct tg_maxwell_lowering *lowering, uint32_t at,
                 const struct maxwell_lower_row *row)
{
   const struct tg_instruction *instruction =
      &lowering->shader->instructions[at];

   if (!tg_arena_reserve(&lowering->arena, (void **)&lowering->fetches,
                         &lowering->fetch_capacity, lowering->num_fetches,
                         sizeof(*lowering->fetches)))
      return TG_ERROR_MEMORY;

   struct maxwell_lower_fetch *fetch =
      &lowering->fetches[lowering->num_fetches++];
   struct maxwell_lower_plan plan = {.lowering = lowering,
                                     .fetch = fetch,
                                     .instruction = instruction,
                                     .row = row,
                                     .reciprocal = MAXWELL_LOWER_NONE,
                                     .handle = MAXWELL_LOWER_NONE};
   fetch->at = at;
   maxwell_lower_form_request(&plan);
   fetch->is_dead = !maxwell_lower_used_results(&plan, &plan.components);
   if (plan.components)
      plan_fetch(&plan);
   if (plan.result == TG_OK && !maxwell_lower_known_results(&plan))
      plan.result = TG_ERROR_MEMORY;
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
maxwell_lower_plan(struct tg_maxwell_lowering *lowering)
{
   const struct tg_shader *shader = lowering->shader;
   enum tg_result result = TG_OK;

   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      const struct maxwell_lower_row *row =
         maxwell_lower_plan_row(shader->instructions[i].opcode);

      if (row)
         result = worse(result, plan_instruction(lowering, i, row));
   }
   if (result == TG_OK)
      result = maxwell_lower_set_nodep(lowering);
   return result == TG_OK ? maxwell_lower_number_slots(lowering) : result;
}
