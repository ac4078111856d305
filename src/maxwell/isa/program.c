/* SPDX-License-Identifier: MIT
 *
 * Lifetime of programs: how one is made, asked and freed, how it comes from
 * words and becomes code.
 */
#include "maxwell/isa/program.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
   CONTROL_BITS = 21,
   BUNDLE = 4, /* a word of control bits and three instructions */
};

/* ---- building ------------------------------------------------------------ */

struct tg_maxwell_program *
maxwell_program_create(const struct tg_allocator *allocator,
                       const struct tg_source *source)
{
   struct tg_arena arena;
   tg_arena_init(&arena, allocator);

   struct tg_maxwell_program *program =
      tg_arena_alloc(&arena, sizeof(*program));
   if (!program || !tg_source_copy(&arena, source, &program->source)) {
      tg_arena_finish(&arena);
      return NULL;
   }
   program->arena = arena;
   return program;
}

/* Makes room for one more of everything. */
static bool
reserve(struct tg_maxwell_program *program)
{
   struct tg_arena *arena = &program->arena;
   uint32_t count = program->num_instructions;

   return tg_arena_reserve(arena, (void **)&program->words,
                           &program->word_capacity, count,
                           sizeof(*program->words)) &&
          tg_arena_reserve(arena, (void **)&program->controls,
                           &program->control_capacity, count,
                           sizeof(*program->controls)) &&
          tg_arena_reserve(arena, (void **)&program->positions,
                           &program->position_capacity, count,
                           sizeof(*program->positions));
}

enum tg_result
maxwell_program_add(struct tg_maxwell_program *program, uint64_t word,
                    uint32_t control, struct tg_position position)
{
   uint32_t index = program->num_instructions;

   if (index == TG_MAXWELL_MAX_INSTRUCTIONS)
      return TG_ERROR_LIMIT;
   if (!reserve(program))
      return TG_ERROR_MEMORY;
   program->words[index] = word;
   program->controls[index] = control;
   program->positions[index] = position;
   program->num_instructions++;
   return TG_OK;
}

void
maxwell_program_set_integer(struct tg_maxwell_program *program, unsigned index)
{
   program->integer_indices[index / 32] |= 1u << index % 32;
}

void
tg_maxwell_program_destroy(struct tg_maxwell_program *program)
{
   if (!program)
      return;

   struct tg_arena arena = program->arena; /* which owns the program */
   tg_arena_finish(&arena);
}

/* ---- from words ---------------------------------------------------------- */

/* A program that became whole is the caller's. */
static enum tg_result
give_or_destroy(enum tg_result result, struct tg_maxwell_program *program,
                struct tg_maxwell_program **program_out)
{
   if (result == TG_OK)
      *program_out = program;
   else
      tg_maxwell_program_destroy(program);
   return result;
}

static enum tg_result
complain(struct tg_diagnostics *diagnostics, const char *name, size_t word,
         const char *code, const char *note, const char *message)
{
   struct tg_source source = {.name = name};
   struct tg_position position = {.column = (uint32_t)word};

   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, code, &source, position, note,
               "%s", message);
   return TG_ERROR_INPUT;
}

static enum tg_result
check_count(const char *name, size_t count, struct tg_diagnostics *diagnostics)
{
   char message[64];

   if (count && count <= TG_MAXWELL_MAX_INSTRUCTIONS)
      return TG_OK;
   snprintf(message, sizeof(message), "there are %zu instructions", count);
   return complain(diagnostics, name, 0, "program-size",
                   "a program has 1 to 65536 instructions",
                   count ? message : "there is no instruction");
}

/* One that is not made of text. */
static struct tg_maxwell_program *
create_named(const struct tg_allocator *allocator, const char *name)
{
   const struct tg_source source = {.name = name};

   return maxwell_program_create(allocator, &source);
}

enum tg_result
tg_maxwell_decode(const struct tg_allocator *allocator, const char *name,
                  const uint64_t *words, const uint32_t *controls, size_t count,
                  struct tg_diagnostics *diagnostics,
                  struct tg_maxwell_program **program_out)
{
   assert(program_out);
   enum tg_result result = check_count(name, count, diagnostics);
   if (result != TG_OK)
      return result;

   struct tg_maxwell_program *program = create_named(allocator, name);
   if (!program)
      return TG_ERROR_MEMORY;

   for (size_t i = 0; result == TG_OK && i < count; i++) {
      struct tg_position position = {.column = (uint32_t)i};
      uint32_t control = controls ? controls[i] : 0;

      result = control >> CONTROL_BITS
                  ? complain(diagnostics, name, i, "control-bits",
                             "an instruction has 21 of them",
                             "there are more control bits than there can be")
                  : maxwell_program_add(program, words[i], control, position);
   }
   return give_or_destroy(result, program, program_out);
}

/* Code is whole bundles, and bit 63 of each word of control bits is clear. */
static enum tg_result
check_code(const char *name, const uint64_t *words, size_t num_words,
           struct tg_diagnostics *diagnostics)
{
   if (num_words % BUNDLE)
      return complain(diagnostics, name, num_words, "program-size",
                      "code is four words for three instructions",
                      "the code ends within a bundle");
   for (size_t i = 0; i < num_words; i += BUNDLE) {
      if (words[i] >> 63)
         return complain(diagnostics, name, i, "control-bits",
                         "control words have bit 63 clear",
                         "this is no word of control bits");
   }
   return check_count(name, num_words / BUNDLE * (BUNDLE - 1), diagnostics);
}

enum tg_result
tg_maxwell_decode_code(const struct tg_allocator *allocator, const char *name,
                       const uint64_t *words, size_t num_words,
                       struct tg_diagnostics *diagnostics,
                       struct tg_maxwell_program **program_out)
{
   assert(program_out);
   enum tg_result result = check_code(name, words, num_words, diagnostics);
   if (result != TG_OK)
      return result;

   struct tg_maxwell_program *program = create_named(allocator, name);
   if (!program)
      return TG_ERROR_MEMORY;

   for (size_t i = 0; result == TG_OK && i < num_words; i++) {
      unsigned place = i % BUNDLE;
      struct tg_position position = {.column = (uint32_t)i};

      if (place == 0)
         continue;
      uint64_t control = words[i - place] >> CONTROL_BITS * (place - 1) &
                         ((1u << CONTROL_BITS) - 1);
      result =
         maxwell_program_add(program, words[i], (uint32_t)control, position);
   }
   return give_or_destroy(result, program, program_out);
}

/* ---- to code ------------------------------------------------------------- */

/* The control bits of what fills a bundle up: those that ask for nothing. */
#define NOP_CONTROL UINT64_C(0x7e0)

static uint64_t
word_at(const struct tg_maxwell_program *program, size_t index)
{
   return index < program->num_instructions ? program->words[index]
                                            : MAXWELL_NOP;
}

static uint64_t
control_at(const struct tg_maxwell_program *program, size_t index)
{
   return index < program->num_instructions ? program->controls[index]
                                            : NOP_CONTROL;
}

size_t
maxwell_program_code_address(uint32_t index)
{
   const size_t most = BUNDLE - 1;

   return (index / most * BUNDLE + 1 + index % most) * sizeof(uint64_t);
}

size_t
tg_maxwell_num_code_words(const struct tg_maxwell_program *program)
{
   assert(program);
   const size_t most = BUNDLE - 1;

   return (program->num_instructions + most - 1) / most * BUNDLE;
}

void
tg_maxwell_encode_code(const struct tg_maxwell_program *program,
                       uint64_t *words_out)
{
   assert(program);
   assert(words_out);
   for (size_t i = 0; i < tg_maxwell_num_code_words(program); i += BUNDLE) {
      const size_t first = i / BUNDLE * (BUNDLE - 1);

      words_out[i] = 0;
      for (unsigned j = 0; j < BUNDLE - 1; j++) {
         words_out[i] |= control_at(program, first + j) << CONTROL_BITS * j;
         words_out[i + 1 + j] = word_at(program, first + j);
      }
   }
}

/* ---- asking -------------------------------------------------------------- */

uint32_t
tg_maxwell_num_instructions(const struct tg_maxwell_program *program)
{
   assert(program);
   return program->num_instructions;
}

const uint64_t *
tg_maxwell_words(const struct tg_maxwell_program *program)
{
   assert(program);
   return program->words;
}

const uint32_t *
tg_maxwell_controls(const struct tg_maxwell_program *program)
{
   assert(program);
   return program->controls;
}

bool
maxwell_program_is_integer(const struct tg_maxwell_program *program,
                           unsigned index)
{
   return program->integer_indices[index / 32] >> index % 32 & 1;
}
