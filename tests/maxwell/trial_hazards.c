/* SPDX-License-Identifier: MIT
 *
 * Whether everybody waits who has to. Words write and read their registers some
 * time after they were issued, in no order; they have done so when their
 * scoreboards were waited for. The shader is walked through from its first
 * instruction to its last; where flow comes together or parts nothing may be
 * under way. Then its words are alone, as nobody knows what stands in between.
 */
#include "tgsi/analysis/instruction.h"
#include "trial_parts.h"

enum { NO_BOARD = 7, REGISTERS = TG_MAXWELL_NUM_REGISTERS };

/* A word that may still be under way. What was written was read before. */
struct pending {
   const struct maxwell_lower_fetch *fetch;
   const struct maxwell_lower_word *word;
   bool is_reading, is_writing;
};

struct hazards {
   struct trial *trial;
   struct pending pending[MAXWELL_LOWER_QUAD * 64];
   unsigned count;
};

static bool
has_register(const struct trial *trial,
             const struct maxwell_lower_tuple tuples[2], unsigned reg)
{
   for (unsigned t = 0; t < 2; t++) {
      for (unsigned i = 0; i < tuples[t].count; i++) {
         if (trial->lowering->values[tuples[t].value[i]].reg == reg)
            return true;
      }
   }
   return false;
}

static void
await(struct hazards *hazards, unsigned boards)
{
   unsigned kept = 0;

   for (unsigned i = 0; i < hazards->count; i++) {
      struct pending *pending = &hazards->pending[i];
      const union maxwell_control *control = &pending->word->control;

      if (control->read != NO_BOARD && boards >> control->read & 1)
         pending->is_reading = false;
      if (boards >> control->write & 1)
         pending->is_reading = pending->is_writing = false;
      if (pending->is_reading || pending->is_writing)
         hazards->pending[kept++] = *pending;
   }
   hazards->count = kept;
}

static void
access(const struct hazards *hazards, uint32_t at, uint32_t value,
       bool is_write)
{
   struct trial *trial = hazards->trial;
   if (value == MAXWELL_LOWER_NONE)
      return;

   unsigned reg = trial->lowering->values[value].reg;
   for (unsigned i = 0; i < hazards->count; i++) {
      const struct pending *pending = &hazards->pending[i];

      trial->instruction = at;
      if (pending->is_writing &&
          has_register(trial, pending->word->results, reg))
         trial_fail(trial, "a fetch still writes R", reg);
      if (is_write && pending->is_reading &&
          has_register(trial, pending->fetch->sources, reg))
         trial_fail(trial, "a fetch still reads R", reg);
   }
}

static void
access_tuples(const struct hazards *hazards, uint32_t at,
              const struct maxwell_lower_tuple tuples[2], bool is_write)
{
   for (unsigned t = 0; t < 2; t++) {
      for (unsigned i = 0; i < tuples[t].count; i++)
         access(hazards, at, tuples[t].value[i], is_write);
   }
}

static void
issue_word(struct hazards *hazards, const struct maxwell_lower_fetch *fetch,
           const struct maxwell_lower_word *word)
{
   await(hazards, word->control.wait);
   access_tuples(hazards, fetch->at, fetch->sources, false);
   access_tuples(hazards, fetch->at, word->results, true);
   if (hazards->count < sizeof(hazards->pending) / sizeof(hazards->pending[0]))
      hazards->pending[hazards->count++] =
         (struct pending){fetch, word, true, true};
}

static void
issue_fetch(struct hazards *hazards, const struct maxwell_lower_fetch *fetch)
{
   for (uint32_t i = 0; i < fetch->num_steps; i++) {
      const struct maxwell_lower_step *step = &fetch->steps[i];

      if (step->kind == MAXWELL_LOWER_STEP_FETCH) {
         issue_word(hazards, fetch, &fetch->words[step->word]);
         continue;
      }
      await(hazards, step->wait);
      access(hazards, fetch->at, step->src, false);
      access(hazards, fetch->at, step->src2, false);
      access(hazards, fetch->at, step->dst, true);
   }
}

/* What is no texture instruction. */
static void
issue_other(struct hazards *hazards, uint32_t at)
{
   struct trial *trial = hazards->trial;
   const struct tg_instruction *instruction = &trial->shader->instructions[at];
   const struct tg_opcode_info *row =
      tg_instruction_row(trial->shader, instruction);

   await(hazards, trial->lowering->waits[at]);
   for (unsigned s = 0; s < instruction->num_src; s++) {
      const struct tg_src *src = &instruction->src[s];
      unsigned channels = tg_instruction_reads(instruction, row, s);

      for (unsigned c = 0; c < 4; c++) {
         if (channels >> c & 1)
            access(hazards, at,
                   maxwell_lower_value_before(trial->lowering, at, &src->reg,
                                              src->swizzle[c]),
                   false);
      }
   }
   for (unsigned d = 0; d < instruction->num_dst; d++) {
      const struct tg_dst *dst = &instruction->dst[d];

      for (unsigned c = 0; c < 4; c++) {
         if (dst->writemask >> c & 1)
            access(hazards, at,
                   maxwell_lower_value_after(trial->lowering, at, &dst->reg, c),
                   true);
      }
   }
   if (tg_opcodes[instruction->opcode].flow != TG_FLOW_NONE && hazards->count)
      trial_fail(trial, "fetches are under way at the flow of instruction", at);
}

static void
walk_shader(struct trial *trial)
{
   struct hazards hazards = {.trial = trial};
   const struct tg_maxwell_lowering *lowering = trial->lowering;
   uint32_t next = 0;

   for (uint32_t i = 0; i < trial->shader->num_instructions; i++) {
      if (next < lowering->num_fetches && lowering->fetches[next].at == i)
         issue_fetch(&hazards, &lowering->fetches[next++]);
      else
         issue_other(&hazards, i);
   }
}

static void
walk_words(struct trial *trial)
{
   struct hazards hazards = {.trial = trial};

   for (uint32_t i = 0; i < trial->lowering->num_fetches; i++) {
      const struct maxwell_lower_fetch *fetch = &trial->lowering->fetches[i];

      for (uint32_t w = 0; w < fetch->num_words; w++)
         issue_word(&hazards, fetch, &fetch->words[w]);
   }
}

void
trial_find_hazards(struct trial *trial)
{
   walk_shader(trial);
   walk_words(trial);
}
