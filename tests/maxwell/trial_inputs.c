/* SPDX-License-Identifier: MIT
 *
 * What a shader on trial is given: the same numbers and textures for the
 * interpreter and for the registers of what it was lowered to.
 */
#include "../bind.h"
#include "textures.h"
#include "trial_parts.h"
#include "util/bits.h"

/* ---- inputs -------------------------------------------------------------- */

/* A multiple of 2^-8 below 2, so that sums of some are exact; small ones are as
 * frequent as large ones. */
static uint32_t
grid_input(uint32_t random)
{
   int32_t bound = 1 << (1 + random % 8);
   int32_t steps = (int32_t)(random >> 8) % bound;

   return tg_bits_of_float((float)(random & 0x80 ? -steps : steps) * 0x1p-7f);
}

/* From 1/32 to 1, with any sign. */
static uint32_t
float_input(uint32_t random)
{
   return (random & 0x807fffff) | (126 - (random >> 23) % 5) << 23;
}

/* Mostly what coordinates are like, and sometimes a small integer's bits. */
static uint32_t
coordinate_input(uint32_t random)
{
   if (random % 8 == 0)
      return random >> 16 & 7;
   return tg_bits_of_float((float)(int32_t)(random >> 8) * 0x1p-22f - 1.0f);
}

static uint32_t
random_input(struct trial *trial)
{
   uint32_t random = texture_random(&trial->seed);

   switch (trial->options.inputs) {
   case TRIAL_GRID: return grid_input(random);
   case TRIAL_FLOATS: return float_input(random);
   default: return coordinate_input(random);
   }
}

static void
set_file(struct trial *trial, enum tg_file file, enum tg_run_file run_file)
{
   for (uint32_t r = 0; r < MOST_REGISTERS; r++) {
      for (int lane = 0; lane < LANES; lane++) {
         uint32_t words[4];

         for (unsigned c = 0; c < 4; c++)
            words[c] = random_input(trial);
         if (tg_run_set(trial->run, run_file, 0, r, lane, words) != TG_OK)
            break;
         for (unsigned c = 0; c < 4; c++) {
            struct tg_register reg = {.file = (uint8_t)file,
                                      .index = {.offset = (int32_t)r}};
            uint32_t value =
               maxwell_lower_value_before(trial->lowering, 0, &reg, c);

            if (value != MAXWELL_LOWER_NONE)
               trial_registers(trial, value)[lane] = words[c];
            trial->shadows[file][r][c].words[lane] = words[c];
            trial->shadows[file][r][c].known |= 1u << lane;
         }
      }
   }
}

/* How many constants of a buffer are declared at most. */
static uint32_t
num_constants(const struct tg_shader *shader)
{
   uint32_t count = 0;

   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->file == TG_FILE_CONST && declaration->last >= count)
         count = declaration->last + 1;
   }
   return count < MOST_REGISTERS ? count : MOST_REGISTERS;
}

static void
set_constants(struct trial *trial)
{
   const struct tg_maxwell_lowering *lowering = trial->lowering;
   uint32_t count = num_constants(trial->shader);

   for (uint32_t b = 0; b < NUM_BUFFERS; b++) {
      for (uint32_t r = 0; r < count; r++) {
         for (unsigned c = 0; c < 4; c++)
            trial->constants[b][r][c] = random_input(trial);
         tg_run_set(trial->run, TG_RUN_CONSTANT, b, r, -1,
                    trial->constants[b][r]);
      }
   }
   for (uint32_t i = 0; i < lowering->num_preamble; i++) {
      uint32_t number = lowering->preamble[i].dst;
      const struct maxwell_lower_value *value = &lowering->values[number];
      uint32_t word =
         value->kind == MAXWELL_LOWER_WORD
            ? value->index
            : trial->constants[value->dimension][value->index][value->channel];

      for (unsigned lane = 0; lane < LANES; lane++)
         trial_registers(trial, number)[lane] = word;
   }
}

void
trial_set_inputs(struct trial *trial)
{
   set_file(trial, TG_FILE_IN, TG_RUN_INPUT);
   set_file(trial, TG_FILE_SV, TG_RUN_SYSVAL);
   set_constants(trial);
}

/* ---- textures ------------------------------------------------------------ */

static void
bind_texture(struct trial *trial, unsigned unit, enum tg_target target,
             enum tg_return_type type, bool is_compared)
{
   if (unit >= MOST_OBJECTS || trial->has_view[unit])
      return;
   trial->has_view[unit] = true;
   trial->views[unit] = texture_make(target, type, is_compared, unit + 1);
   trial->samplers[unit] = texture_sampler(target, is_compared);
   trial->samplers[unit].max_anisotropy = trial->options.anisotropy;
   trial->views[FACES + unit] = trial->views[unit];
   if (trial->views[unit].target == TG_TEXTURE_CUBE ||
       trial->views[unit].target == TG_TEXTURE_CUBE_ARRAY)
      trial->views[FACES + unit].target = TG_TEXTURE_2D_ARRAY;
   bind_view(trial->bindings, unit, &trial->views[unit], NULL);
}

struct maxwell_lower_plan
trial_ask(const struct trial *trial, uint32_t at)
{
   const struct tg_instruction *instruction = &trial->shader->instructions[at];
   struct maxwell_lower_fetch fetch = {.at = at};
   struct maxwell_lower_plan plan = {
      .lowering = trial->lowering,
      .fetch = &fetch,
      .instruction = instruction,
      .row = maxwell_lower_plan_row(instruction->opcode)};

   if (plan.row)
      maxwell_lower_form_request(&plan);
   plan.fetch = NULL;
   return plan;
}

static enum tg_return_type
declared_type(const struct tg_shader *shader, unsigned unit)
{
   for (uint32_t i = 0; i < shader->num_declarations; i++) {
      const struct tg_declaration *declaration = &shader->declarations[i];

      if (declaration->file == TG_FILE_SVIEW && declaration->first <= unit &&
          declaration->last >= unit)
         return declaration->return_type[0];
   }
   return TG_RETURN_TYPE_FLOAT;
}

/* Shadow targets come first: a view that is compared is one of depths. */
void
trial_bind_textures(struct trial *trial)
{
   for (unsigned pass = 0; pass < 2; pass++) {
      for (uint32_t i = 0; i < trial->shader->num_instructions; i++) {
         const struct tg_instruction *instruction =
            &trial->shader->instructions[i];
         const struct maxwell_lower_row *row =
            maxwell_lower_plan_row(instruction->opcode);
         struct maxwell_lower_plan asked = trial_ask(trial, i);

         if (!row || asked.compares != (pass == 0))
            continue;
         unsigned unit =
            (unsigned)instruction->src[row->object].reg.index.offset;
         bind_texture(trial, unit, asked.target,
                      declared_type(trial->shader, unit), asked.compares);
      }
   }
   for (unsigned i = 0; i < MOST_OBJECTS; i++)
      trial->samplers[i].size = sizeof(trial->samplers[i]);
   for (unsigned i = 0; i < MOST_OBJECTS / 2; i++)
      bind_sampler(trial->bindings, i, &trial->samplers[i], NULL);
   for (uint32_t i = 0; i < trial->lowering->num_slots; i++) {
      const struct maxwell_lower_slot *slot = &trial->lowering->slots[i];

      if (slot->index < NUM_HANDLES)
         trial->handles[slot->index] =
            (slot->view + (slot->is_of_faces ? FACES : 0)) | slot->sampler
                                                                << 20;
   }
}
