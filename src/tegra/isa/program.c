/* SPDX-License-Identifier: MIT
 *
 * Lifetime of programs: how one is made, asked and freed, and how it comes from
 * words.
 */
#include "tegra/isa/program.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "util/length.h"

/* ---- building ------------------------------------------------------------ */

struct tg_tegra_program *
tegra_program_create(const struct tg_allocator *allocator,
                     const struct tg_source *source)
{
   struct tg_arena arena;
   tg_arena_init(&arena, allocator);

   struct tg_tegra_program *program = tg_arena_alloc(&arena, sizeof(*program));
   if (!program || !tg_source_copy(&arena, source, &program->source)) {
      tg_arena_finish(&arena);
      return NULL;
   }
   program->arena = arena;
   return program;
}

void
tegra_program_add(struct tg_tegra_program *program,
                  const union tegra_instruction *instruction,
                  struct tg_position position)
{
   uint32_t index = program->num_instructions++;

   assert(index < TG_TEGRA_MAX_INSTRUCTIONS);
   tegra_isa_encode(instruction, program->words[index]);
   program->positions[index] = position;
}

void
tegra_program_end_last(struct tg_tegra_program *program)
{
   if (!program->num_instructions)
      return;

   uint32_t *words = program->words[program->num_instructions - 1];
   union tegra_instruction last = tegra_isa_decode(words);
   last.end = 1;
   tegra_isa_encode(&last, words);
}

void
tg_tegra_program_destroy(struct tg_tegra_program *program)
{
   if (!program)
      return;

   struct tg_arena arena = program->arena; /* which owns the program */
   tg_arena_finish(&arena);
}

/* Refuses numbers of words that are no program. */
static enum tg_result
check_num_words(const char *name, size_t num_words,
                struct tg_diagnostics *diagnostics)
{
   static const size_t most = TG_TEGRA_MAX_INSTRUCTIONS * TG_TEGRA_WORDS;
   struct tg_source source = {.name = name};
   struct tg_position position = {0};

   if (num_words && num_words % TG_TEGRA_WORDS == 0 && num_words <= most)
      return TG_OK;
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "program-size", &source,
               position, "a program is 4 to 1024 words, four an instruction",
               "%zu words are no program", num_words);
   return TG_ERROR_INPUT;
}

enum tg_result
tg_tegra_decode(const struct tg_allocator *allocator, const char *name,
                const uint32_t *words, size_t num_words,
                struct tg_diagnostics *diagnostics,
                struct tg_tegra_program **program_out)
{
   assert(program_out);
   enum tg_result result = check_num_words(name, num_words, diagnostics);
   if (result != TG_OK)
      return result;

   struct tg_source source = {.name = name};
   struct tg_tegra_program *program = tegra_program_create(allocator, &source);
   if (!program)
      return TG_ERROR_MEMORY;

   program->num_instructions = (uint32_t)(num_words / TG_TEGRA_WORDS);
   memcpy(program->words, words, num_words * sizeof(*words));
   for (uint32_t i = 0; i < program->num_instructions; i++)
      program->positions[i] = (struct tg_position){.column = i};
   *program_out = program;
   return TG_OK;
}

/* ---- asking -------------------------------------------------------------- */

uint32_t
tg_tegra_num_instructions(const struct tg_tegra_program *program)
{
   assert(program);
   return program->num_instructions;
}

const uint32_t *
tg_tegra_words(const struct tg_tegra_program *program)
{
   assert(program);
   return program->words[0];
}

unsigned
tg_tegra_constant(const struct tg_tegra_program *program, uint32_t index,
                  uint32_t words[4])
{
   assert(program);
   assert(words);
   memset(words, 0, 4 * sizeof(*words));
   if (index >= TG_TEGRA_NUM_CONSTANTS)
      return 0;
   memcpy(words, program->constants[index], 4 * sizeof(*words));
   return program->constant_masks[index];
}

uint32_t
tg_tegra_exports(const struct tg_tegra_program *program)
{
   assert(program);
   uint32_t exports = 0;

   for (uint32_t i = 0; i < program->num_instructions; i++) {
      union tegra_instruction instruction = tegra_isa_decode(program->words[i]);

      if (instruction.export_rel)
         return (1u << TG_TEGRA_NUM_EXPORTS) - 1;
      if (instruction.export_index < TG_TEGRA_NUM_EXPORTS)
         exports |= 1u << instruction.export_index;
   }
   return exports;
}

uint32_t
tegra_program_num_names(enum tg_tegra_name kind)
{
   static const uint32_t count[TEGRA_NUM_NAMES] = {
      [TG_TEGRA_ATTRIBUTE] = TG_TEGRA_NUM_ATTRIBUTES,
      [TG_TEGRA_EXPORT] = TG_TEGRA_NUM_EXPORTS,
      [TG_TEGRA_UNIFORM] = TG_TEGRA_NUM_CONSTANTS,
   };

   return (unsigned)kind < TEGRA_NUM_NAMES ? count[kind] : 0;
}

const char *
tg_tegra_name(const struct tg_tegra_program *program, enum tg_tegra_name kind,
              uint32_t index)
{
   assert(program);
   return index < tegra_program_num_names(kind) ? program->names[kind][index]
                                                : NULL;
}

/* ---- complaints ---------------------------------------------------------- */

void
tegra_program_vdiagnose(struct tg_diagnostics *diagnostics,
                        enum tg_severity severity, const char *code,
                        const struct tg_tegra_program *program, uint32_t number,
                        const char *note, const char *format, va_list args)
{
   char message[256];

   if (program->source.text) {
      assert(number < TG_LENGTH(program->positions));
      tg_vdiagnose(diagnostics, severity, code, &program->source,
                   program->positions[number], note, format, args);
      return;
   }
   vsnprintf(message, sizeof(message), format, args);
   tg_diagnose(diagnostics, severity, code, &program->source,
               (struct tg_position){0}, note, "instruction %u: %s", number,
               message);
}

void
tegra_program_diagnose(struct tg_diagnostics *diagnostics,
                       enum tg_severity severity, const char *code,
                       const struct tg_tegra_program *program, uint32_t number,
                       const char *note, const char *format, ...)
{
   va_list args;

   va_start(args, format);
   tegra_program_vdiagnose(diagnostics, severity, code, program, number, note,
                           format, args);
   va_end(args);
}
