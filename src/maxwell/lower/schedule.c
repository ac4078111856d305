/* SPDX-License-Identifier: MIT
 *
 * Scoreboard allocation (RAW, WAR and WAW hazards). A fetch releases a
 * scoreboard when its result is written, in turn, and the last one when its
 * sources are read, if another value gets their registers. What reads a result,
 * or writes a register that a fetch still reads or writes, waits. At joins and
 * branches of control flow everything is waited for.
 *
 * Fetches rely on no wait but those of fetches before them: their words are a
 * program of their own, whatever the instructions in between become. That a
 * scoreboard was waited for already makes waiting again free.
 */
#include <assert.h>

#include "maxwell/lower/lower.h"
#include "tgsi/analysis/instruction.h"
#include "util/length.h"

enum {
   NUM_WRITE_BOARDS = 5,
   READ_BOARD = 5,
   ALL_BOARDS = 63,
   NO_BOARD = 7,
   NUM_REGISTERS = TG_MAXWELL_NUM_REGISTERS,
};

/* Scoreboards, a bit each, that are released when the register has been
 * written, or read, by a fetch. */
struct boards {
   uint8_t writing[NUM_REGISTERS], reading[NUM_REGISTERS];
};

struct schedule {
   struct tg_maxwell_lowering *lowering;
   struct boards all;   /* not yet waited for by anybody */
   struct boards words; /* not yet waited for by a fetch */
   unsigned next_board;
   uint32_t *sharers; /* of a register: values that have it */
};

/* ---- waiting ------------------------------------------------------------- */

static unsigned
register_of(const struct schedule *schedule, uint32_t value)
{
   return value == MAXWELL_LOWER_NONE ? MAXWELL_RZ
                                      : schedule->lowering->values[value].reg;
}

static unsigned
boards_before_read(const struct schedule *schedule, const struct boards *boards,
                   uint32_t value)
{
   unsigned reg = register_of(schedule, value);

   return reg < NUM_REGISTERS ? boards->writing[reg] : 0;
}

static unsigned
boards_before_write(const struct schedule *schedule,
                    const struct boards *boards, uint32_t value)
{
   unsigned reg = register_of(schedule, value);

   return reg < NUM_REGISTERS ? boards->writing[reg] | boards->reading[reg] : 0;
}

static void
await(struct boards *boards, unsigned awaited)
{
   for (unsigned i = 0; i < NUM_REGISTERS && awaited; i++) {
      boards->writing[i] &= (uint8_t)~awaited;
      boards->reading[i] &= (uint8_t)~awaited;
   }
}

static unsigned
outstanding(const struct boards *boards)
{
   unsigned all = 0;

   for (unsigned i = 0; i < NUM_REGISTERS; i++)
      all |= boards->writing[i] | (unsigned)boards->reading[i];
   return all;
}

/* ---- other instructions -------------------------------------------------- */

static uint32_t
value_read(const struct schedule *schedule, uint32_t at,
           const struct tg_src *src, unsigned channel)
{
   assert(channel < TG_LENGTH(src->swizzle));
   return maxwell_lower_value_before(schedule->lowering, at, &src->reg,
                                     src->swizzle[channel]);
}

static unsigned
boards_of_reads(const struct schedule *schedule, uint32_t at)
{
   const struct tg_shader *shader = schedule->lowering->shader;
   assert(at < shader->num_instructions);
   const struct tg_instruction *instruction = &shader->instructions[at];
   const struct tg_opcode_info *row = tg_instruction_row(shader, instruction);
   unsigned boards = 0;

   for (unsigned s = 0; s < instruction->num_src; s++) {
      unsigned channels = tg_instruction_reads(instruction, row, s);

      for (unsigned c = 0; c < 4; c++) {
         if (channels >> c & 1)
            boards |= boards_before_read(
               schedule, &schedule->all,
               value_read(schedule, at, &instruction->src[s], c));
      }
   }
   return boards;
}

static unsigned
boards_of_writes(const struct schedule *schedule, uint32_t at)
{
   assert(at < schedule->lowering->shader->num_instructions);
   const struct tg_instruction *instruction =
      &schedule->lowering->shader->instructions[at];
   unsigned boards = 0;

   for (unsigned d = 0; d < instruction->num_dst; d++) {
      const struct tg_dst *dst = &instruction->dst[d];

      for (unsigned c = 0; c < 4; c++) {
         if (dst->writemask >> c & 1)
            boards |= boards_before_write(
               schedule, &schedule->all,
               maxwell_lower_value_after(schedule->lowering, at, &dst->reg, c));
      }
   }
   return boards;
}

/* ---- fetches ------------------------------------------------------------- */

static unsigned
boards_of_word(const struct schedule *schedule,
               const struct maxwell_lower_fetch *fetch,
               const struct maxwell_lower_word *word)
{
   const struct boards *words = &schedule->words;
   unsigned boards = 0;

   for (unsigned t = 0; t < 2; t++) {
      const struct maxwell_lower_tuple *sources = &fetch->sources[t];
      const struct maxwell_lower_tuple *results = &word->results[t];

      for (unsigned i = 0; i < sources->count; i++)
         boards |= boards_before_read(schedule, words, sources->value[i]);
      for (unsigned i = 0; i < results->count; i++)
         boards |= boards_before_write(schedule, words, results->value[i]);
   }
   return boards;
}

static unsigned
boards_of_step(const struct schedule *schedule,
               const struct maxwell_lower_step *step)
{
   const struct boards *all = &schedule->all;

   return boards_before_read(schedule, all, step->src) |
          boards_before_read(schedule, all, step->src2) |
          boards_before_write(schedule, all, step->dst);
}

static bool
is_result(const struct schedule *schedule,
          const struct maxwell_lower_word *word, unsigned reg)
{
   for (unsigned t = 0; t < 2; t++) {
      for (unsigned i = 0; i < word->results[t].count; i++) {
         if (register_of(schedule, word->results[t].value[i]) == reg)
            return true;
      }
   }
   return false;
}

/* May a source's register be written before a word has read it: as that of
 * another value, or since the value is written again? What is written only
 * before the fetch is so after control flow, where everything is waited for. */
static bool
may_be_written(const struct schedule *schedule,
               const struct maxwell_lower_fetch *fetch,
               const struct maxwell_lower_word *word, uint32_t number)
{
   assert(number < schedule->lowering->num_values);
   const struct maxwell_lower_value *value =
      &schedule->lowering->values[number];
   bool is_written_again =
      value->num_definitions != 0 && value->definition >= fetch->at;

   return (schedule->sharers[value->reg] > 1 || is_written_again) &&
          !is_result(schedule, word, value->reg);
}

/* Notes that a word still writes its results when the next instruction is
 * issued. */
static void
begin_writing(struct schedule *schedule, const struct maxwell_lower_word *word,
              unsigned board)
{
   for (unsigned t = 0; t < 2; t++) {
      for (unsigned i = 0; i < word->results[t].count; i++) {
         unsigned reg = register_of(schedule, word->results[t].value[i]);

         schedule->all.writing[reg] |= (uint8_t)(1u << board);
         schedule->words.writing[reg] |= (uint8_t)(1u << board);
      }
   }
}

/* The same of its sources, if another value may want their registers. True if
 * so. */
static bool
begin_reading(struct schedule *schedule,
              const struct maxwell_lower_fetch *fetch,
              const struct maxwell_lower_word *word)
{
   bool is_wanted = false;

   for (unsigned t = 0; t < 2; t++) {
      for (unsigned i = 0; i < fetch->sources[t].count; i++) {
         uint32_t value = fetch->sources[t].value[i];
         unsigned reg = register_of(schedule, value);

         if (may_be_written(schedule, fetch, word, value)) {
            schedule->all.reading[reg] |= 1 << READ_BOARD;
            schedule->words.reading[reg] |= 1 << READ_BOARD;
            is_wanted = true;
         }
      }
   }
   return is_wanted;
}

/* The first register of a group, or RZ. */
static uint16_t
base_of(const struct schedule *schedule,
        const struct maxwell_lower_tuple *tuple)
{
   return tuple->count ? (uint16_t)register_of(schedule, tuple->value[0])
                       : MAXWELL_RZ;
}

static void
set_registers(const struct schedule *schedule,
              const struct maxwell_lower_fetch *fetch,
              struct maxwell_lower_word *word)
{
   struct maxwell_instruction *instruction = &word->instruction;

   instruction->ra = base_of(schedule, &fetch->sources[0]);
   instruction->rb = base_of(schedule, &fetch->sources[1]);
   instruction->rd0 = base_of(schedule, &word->results[0]);
   if (word->results[1].count)
      instruction->rd1 = base_of(schedule, &word->results[1]);
   if (fetch->slot != MAXWELL_LOWER_NONE)
      instruction->index =
         (uint16_t)schedule->lowering->slots[fetch->slot].index;
}

static enum tg_result
schedule_word(struct schedule *schedule,
              const struct maxwell_lower_fetch *fetch,
              struct maxwell_lower_word *word, unsigned boards)
{
   struct tg_maxwell_lowering *lowering = schedule->lowering;
   struct tg_position position =
      lowering->shader->instructions[fetch->at].position;
   unsigned board = schedule->next_board;

   schedule->next_board = (board + 1) % NUM_WRITE_BOARDS;
   set_registers(schedule, fetch, word);
   word->control = (union maxwell_control){
      .stall = 1, .yield = 1, .write = (uint8_t)board, .wait = (uint8_t)boards};
   word->control.read =
      begin_reading(schedule, fetch, word) ? READ_BOARD : NO_BOARD;
   begin_writing(schedule, word, board);
   word->program_index = lowering->program->num_instructions;
   return maxwell_program_add(
      lowering->program, maxwell_isa_encode(&word->instruction), 0, position);
}

static enum tg_result
schedule_steps(struct schedule *schedule, struct maxwell_lower_fetch *fetch)
{
   enum tg_result result = TG_OK;

   for (uint32_t i = 0; i < fetch->num_steps && result == TG_OK; i++) {
      struct maxwell_lower_step *step = &fetch->steps[i];
      struct maxwell_lower_word *word = step->kind == MAXWELL_LOWER_STEP_FETCH
                                           ? &fetch->words[step->word]
                                           : NULL;
      unsigned boards = word ? boards_of_word(schedule, fetch, word)
                             : boards_of_step(schedule, step);

      step->wait = (uint8_t)boards;
      await(&schedule->all, boards);
      if (word) {
         await(&schedule->words, boards);
         result = schedule_word(schedule, fetch, word, boards);
      }
   }
   return result;
}

/* ---- phases -------------------------------------------------------------- */

/* Does another fetch follow at once? */
static bool
is_run_on(const struct tg_maxwell_lowering *lowering, uint32_t index)
{
   const struct maxwell_lower_fetch *fetches = lowering->fetches;

   return index + 1 < lowering->num_fetches &&
          fetches[index + 1].at == fetches[index].at + 1 &&
          fetches[index + 1].num_words != 0;
}

/* What the step waits for that is issued after a word, of this fetch or of the
 * one that follows at once. */
static unsigned
boards_after(const struct maxwell_lower_fetch *fetch, uint32_t word)
{
   uint32_t at = 0;

   while (fetch->steps[at].kind != MAXWELL_LOWER_STEP_FETCH ||
          fetch->steps[at].word != word)
      at++;
   return at + 1 < fetch->num_steps ? fetch->steps[at + 1].wait
                                    : fetch[1].steps[0].wait;
}

/* A scoreboard takes a cycle to be set. An instruction that waits for one at
 * once, or may do so, since it is none of ours, comes two cycles later. */
static unsigned
stall(const struct maxwell_lower_fetch *fetch, uint32_t word, bool runs_on)
{
   assert(word < TG_LENGTH(fetch->words));
   const union maxwell_control *control = &fetch->words[word].control;
   unsigned boards = 1u << control->write;

   if (control->read != NO_BOARD)
      boards |= 1u << control->read;
   return runs_on && !(boards_after(fetch, word) & boards) ? 1 : 2;
}

/* .T marks all words of a run but the last, which has .P. */
static void
set_phases(struct tg_maxwell_lowering *lowering)
{
   for (uint32_t i = 0; i < lowering->num_fetches; i++) {
      struct maxwell_lower_fetch *fetch = &lowering->fetches[i];

      for (uint32_t w = 0; w < fetch->num_words; w++) {
         struct maxwell_lower_word *word = &fetch->words[w];
         bool runs_on = w + 1 < fetch->num_words || is_run_on(lowering, i);

         word->control.t = runs_on;
         word->control.p = !runs_on;
         word->control.stall = (uint32_t)stall(fetch, w, runs_on);
         lowering->program->controls[word->program_index] =
            maxwell_isa_encode_control(&word->control);
      }
   }
}

/* ---- all ----------------------------------------------------------------- */

static bool
is_flow(const struct tg_shader *shader, uint32_t at)
{
   assert(at < shader->num_instructions);
   return tg_opcode_row(shader->instructions[at].opcode)->flow != TG_FLOW_NONE;
}

static enum tg_result
schedule_all(struct schedule *schedule)
{
   struct tg_maxwell_lowering *lowering = schedule->lowering;
   enum tg_result result = TG_OK;
   uint32_t next = 0;

   for (uint32_t i = 0;
        i < lowering->shader->num_instructions && result == TG_OK; i++) {
      if (next < lowering->num_fetches && lowering->fetches[next].at == i) {
         if (!lowering->fetches[next].is_dead)
            result = schedule_steps(schedule, &lowering->fetches[next]);
         next++;
         continue;
      }
      unsigned boards =
         is_flow(lowering->shader, i)
            ? outstanding(&schedule->all)
            : boards_of_reads(schedule, i) | boards_of_writes(schedule, i);
      lowering->waits[i] = (uint8_t)boards;
      await(&schedule->all, boards);
   }
   return result;
}

enum tg_result
maxwell_lower_schedule(struct tg_maxwell_lowering *lowering)
{
   struct tg_arena *arena = &lowering->arena;
   struct schedule schedule = {.lowering = lowering};

   lowering->program =
      maxwell_program_create(arena->allocator, &lowering->shader->source);
   lowering->waits =
      tg_arena_array(arena, lowering->shader->num_instructions, 1);
   schedule.sharers =
      tg_arena_array(arena, MAXWELL_RZ + 1, sizeof(*schedule.sharers));
   if (!lowering->program || !lowering->waits || !schedule.sharers)
      return TG_ERROR_MEMORY;
   for (uint32_t i = 0; i < lowering->num_values; i++)
      schedule.sharers[lowering->values[i].reg]++;

   enum tg_result result = schedule_all(&schedule);
   if (result == TG_OK)
      set_phases(lowering);
   return result;
}
