/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tgsi/analysis/instruction.h"
#include "trial_parts.h"

void
trial_fail(struct trial *trial, const char *what, uint32_t number)
{
   if (!trial->failed)
      printf("%s: instruction %u: %s %u\n", trial->name, trial->instruction,
             what, number);
   trial->failed = true;
}

/* The lanes whose quads are whole: only those have derivatives that both sides
 * must agree on. */
static uint32_t
whole_quads(uint32_t lanes)
{
   uint32_t whole = 0;

   for (unsigned lane = 0; lane < LANES; lane += 4) {
      if ((lanes >> lane & 15) == 15)
         whole |= 15u << lane;
   }
   return whole;
}

/* ---- the shader's instructions ------------------------------------------- */

static uint32_t
value_written(const struct trial *trial, unsigned dst, unsigned channel)
{
   const struct tg_register *reg =
      &trial->shader->instructions[trial->instruction].dst[dst].reg;

   return maxwell_lower_value_after(trial->lowering, trial->instruction, reg,
                                    channel);
}

static const struct maxwell_lower_fetch *
find_fetch(const struct trial *trial, uint32_t at)
{
   for (uint32_t i = 0; i < trial->lowering->num_fetches; i++) {
      if (trial->lowering->fetches[i].at == at)
         return &trial->lowering->fetches[i];
   }
   return NULL;
}

static uint32_t
lanes_written(const struct trial *trial)
{
   uint32_t lanes = 0;

   for (unsigned d = 0; d < TG_MAX_DST; d++) {
      for (unsigned c = 0; c < 4; c++) {
         if (trial->written[d][c].is_written)
            lanes |= trial->written[d][c].lanes;
      }
   }
   return lanes;
}

/* Notes what the interpreter wrote to one channel. */
static void
shade(struct trial *trial, unsigned dst, unsigned channel)
{
   const struct tg_register *reg =
      &trial->shader->instructions[trial->instruction].dst[dst].reg;
   const struct written *written = &trial->written[dst][channel];

   if (reg->index.offset >= MOST_REGISTERS)
      return;
   struct shadow *shadow =
      &trial->shadows[reg->file][reg->index.offset][channel];

   for (unsigned lane = 0; lane < LANES; lane++) {
      if (written->lanes >> lane & 1)
         shadow->words[lane] = written->words[lane];
   }
   shadow->known |= written->lanes;
}

/* Puts what the interpreter wrote into the registers. */
static void
store_written(struct trial *trial)
{
   for (unsigned d = 0; d < TG_MAX_DST; d++) {
      for (unsigned c = 0; c < 4; c++) {
         const struct written *written = &trial->written[d][c];
         uint32_t value = written->is_written ? value_written(trial, d, c)
                                              : MAXWELL_LOWER_NONE;

         for (unsigned lane = 0; lane < LANES && value != MAXWELL_LOWER_NONE;
              lane++) {
            if (written->lanes >> lane & 1)
               trial_registers(trial, value)[lane] = written->words[lane];
         }
         if (value != MAXWELL_LOWER_NONE)
            shade(trial, d, c);
      }
   }
}

static void
compare_written(struct trial *trial, const struct maxwell_lower_fetch *fetch,
                uint32_t lanes)
{
   bool is_live_channel;

   for (unsigned c = 0; c < 4; c++) {
      const struct written *written = &trial->written[0][c];
      uint32_t value =
         written->is_written ? value_written(trial, 0, c) : MAXWELL_LOWER_NONE;
      const struct tg_register *reg =
         &trial->shader->instructions[fetch->at].dst[0].reg;

      if (value == MAXWELL_LOWER_NONE)
         continue;
      is_live_channel =
         maxwell_lower_value_is_live_after(trial->lowering, fetch->at, reg, c);
      for (unsigned lane = 0; lane < LANES && is_live_channel; lane++) {
         if (written->lanes & lanes & 1u << lane)
            trial_compare(trial, fetch, lane, written->words[lane],
                          trial_registers(trial, value)[lane]);
      }
   }
}

static bool
has_loads(const struct maxwell_lower_fetch *fetch)
{
   for (uint32_t i = 0; i < fetch->num_steps; i++) {
      if (fetch->steps[i].kind == MAXWELL_LOWER_STEP_LOAD ||
          fetch->steps[i].kind == MAXWELL_LOWER_STEP_STORE)
         return true;
   }
   return false;
}

/* ---- what instructions read ---------------------------------------------- */

static struct shadow *
shadow_of(const struct trial *trial, const struct tg_register *reg,
          unsigned channel)
{
   bool is_plain = !reg->index.indirect && !reg->has_dimension &&
                   reg->index.offset >= 0 && reg->index.offset < MOST_REGISTERS;

   return is_plain ? &trial->shadows[reg->file][reg->index.offset][channel]
                   : NULL;
}

static void
check_source(struct trial *trial, uint32_t at, const struct tg_src *src,
             unsigned channel, uint32_t lanes)
{
   unsigned from = src->swizzle[channel];
   const struct shadow *shadow = shadow_of(trial, &src->reg, from);
   uint32_t value =
      shadow ? maxwell_lower_value_before(trial->lowering, at, &src->reg, from)
             : MAXWELL_LOWER_NONE;

   for (unsigned lane = 0; lane < LANES && value != MAXWELL_LOWER_NONE;
        lane++) {
      if (!(shadow->known & lanes & 1u << lane))
         continue;
      trial->totals->words++;
      if (trial_registers(trial, value)[lane] != shadow->words[lane])
         trial_fail(trial, "a source is not in its register any more: R",
                    trial->lowering->values[value].reg);
   }
}

static void
check_sources(struct trial *trial, uint32_t at, uint32_t lanes)
{
   const struct tg_instruction *instruction = &trial->shader->instructions[at];
   const struct tg_opcode_info *row =
      tg_instruction_row(trial->shader, instruction);

   for (unsigned s = 0; s < instruction->num_src; s++) {
      unsigned channels = tg_instruction_reads(instruction, row, s);

      for (unsigned c = 0; c < 4; c++) {
         if (channels >> c & 1)
            check_source(trial, at, &instruction->src[s], c, lanes);
      }
   }
}

/* An instruction that writes nothing is not heard of. If what is behind it can
 * only be reached by it, the same lanes have run it. */
static bool
is_silent(const struct trial *trial, uint32_t at)
{
   const struct tg_instruction *instruction = &trial->shader->instructions[at];
   enum tg_flow flow = tg_opcodes[instruction->opcode].flow;

   return instruction->num_dst == 0 &&
          (flow == TG_FLOW_NONE || flow == TG_FLOW_IF);
}

static void
check_all_sources(struct trial *trial, uint32_t lanes)
{
   uint32_t at = trial->instruction;

   check_sources(trial, at, lanes);
   while (at > 0 && is_silent(trial, at - 1))
      check_sources(trial, --at, lanes);
}

/* ---- one after another --------------------------------------------------- */

/* Is what it fetches that of its quad as the shader has it? */
static bool
needs_quads(const struct maxwell_lower_fetch *fetch)
{
   unsigned form = fetch->words[0].instruction.form;

   return (form == MAXWELL_FORM_TEXS || form == MAXWELL_FORM_TEX) &&
          fetch->num_words == 1;
}

/* All channels of an instruction have been heard of. */
static void
end_instruction(struct trial *trial)
{
   if (trial->instruction == MAXWELL_LOWER_NONE)
      return;

   const struct maxwell_lower_fetch *fetch =
      find_fetch(trial, trial->instruction);
   uint32_t lanes = lanes_written(trial);

   check_all_sources(trial, lanes);

   if (fetch && !fetch->is_dead && !has_loads(fetch)) {
      trial->totals->lookups++;
      trial->unfit = 0;
      trial_find_allowance(trial, fetch);
      trial_run_steps(trial, fetch, lanes);
      trial->totals->unfit +=
         (unsigned)__builtin_popcount(lanes & trial->unfit);
      lanes &= ~trial->unfit;
      compare_written(trial, fetch,
                      (needs_quads(fetch) ? whole_quads(lanes) : lanes) &
                         ~trial->options.killed);
   }
   store_written(trial);
   memset(trial->written, 0, sizeof(trial->written));
   trial->instruction = MAXWELL_LOWER_NONE;
}

static void
hear(void *user, uint32_t instruction, unsigned dst, unsigned channel,
     uint32_t lanes, const uint32_t words[LANES])
{
   struct trial *trial = user;
   struct written *written = &trial->written[dst][channel];

   if (instruction != trial->instruction || written->is_written)
      end_instruction(trial);
   trial->instruction = instruction;
   written->is_written = true;
   written->lanes = lanes;
   memcpy(written->words, words, sizeof(written->words));
}

/* ---- one shader ---------------------------------------------------------- */

static bool
begin_run(struct trial *trial)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;

   options.trace = true;
   trial->registers =
      calloc(TG_MAXWELL_NUM_REGISTERS + 1, sizeof(*trial->registers));
   trial->constants = calloc(NUM_BUFFERS, sizeof(*trial->constants));
   trial->shadows = calloc(TG_NUM_FILES, sizeof(*trial->shadows));
   if (tg_program_create(NULL, trial->shader, &options, NULL,
                         &trial->program) != TG_OK ||
       tg_run_create(trial->program, LANES, &trial->run) != TG_OK ||
       tg_bindings_create(NULL, &trial->bindings) != TG_OK)
      return false;
   trial_bind_textures(trial);
   tg_run_set_bindings(trial->run, trial->bindings);
   tg_run_set_trace(trial->run, hear, trial);
   trial->instruction = MAXWELL_LOWER_NONE;
   return true;
}

static void
end_run(struct trial *trial)
{
   tg_run_destroy(trial->run);
   tg_program_destroy(trial->program);
   tg_bindings_destroy(trial->bindings);
   for (unsigned i = 0; i < MOST_OBJECTS; i++)
      tg_resource_destroy(trial->views[i].resource);
   free(trial->registers);
   free(trial->constants);
   free(trial->shadows);
}

/* Registers keep nothing from one run to the next. */
static void
forget(struct trial *trial)
{
   for (uint32_t r = 0; r < MOST_REGISTERS; r++) {
      for (unsigned c = 0; c < 4; c++) {
         trial->shadows[TG_FILE_TEMP][r][c].known = 0;
         trial->shadows[TG_FILE_OUT][r][c].known = 0;
      }
   }
}

static void
run_all(struct trial *trial)
{
   enum { RUNS = 3 };

   if (!begin_run(trial)) {
      trial_fail(trial, "the shader does not run", 0);
      end_run(trial);
      return;
   }
   for (unsigned i = 0; i < RUNS && !trial->failed; i++) {
      forget(trial);
      trial_set_inputs(trial);
      tg_run_set_loop_budget(trial->run, 1000);
      tg_run_execute(trial->run, NULL);
      end_instruction(trial);
   }
   end_run(trial);
}

bool
trial_run(const char *name, struct tg_shader *shader,
          struct tg_maxwell_lowering *lowering,
          const struct trial_options *options, struct trial_totals *totals)
{
   struct trial trial = {.name = name,
                         .options = *options,
                         .totals = totals,
                         .shader = shader,
                         .lowering = lowering,
                         .seed = 1 + options->seed};

   trial_find_hazards(&trial);
   if (!trial.failed)
      run_all(&trial);
   return !trial.failed;
}
