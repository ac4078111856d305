/* SPDX-License-Identifier: MIT */
#include "memory_cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct {
   enum lir_space space;
   uint32_t binding, num_bytes;
} bound[] = {
   {LIR_SPACE_BUFFER, 0, 64},
   {LIR_SPACE_BUFFER, 1, 22},
   {LIR_SPACE_BUFFER, 3, 16},
   {LIR_SPACE_BUFFER, ABI_BUFFER_GLOBAL, 32},
   {LIR_SPACE_SHARED, 0, 64},
   {LIR_SPACE_BUFFER, ABI_BUFFER_COUNTERS, 32},
   {LIR_SPACE_CONST, ABI_CONST_INPUT, 32},
   {LIR_SPACE_BUFFER, ABI_BUFFER_COUNTERS + 2, 16},
};

enum { NUM_BOUND = sizeof(bound) / sizeof(bound[0]) };

static uint32_t
word_before(unsigned memory, unsigned word)
{
   return 0x100 * memory + word;
}

void
bind_memories(struct runner *runner)
{
   for (unsigned m = 0; m < NUM_BOUND; m++) {
      struct runner_memory *memory = &runner->memories[m];

      memory->space = bound[m].space;
      memory->binding = bound[m].binding;
      memory->num_bytes = bound[m].num_bytes;
      for (unsigned w = 0; w < RUNNER_MEMORY_WORDS; w++)
         memory->words[w] = word_before(m + 1, w);
   }
   runner->num_memories = NUM_BOUND;
}

static uint32_t
word_after(const struct memory_case *row, unsigned memory, unsigned word)
{
   uint32_t value = word_before(memory, word);

   for (unsigned i = 0; i < 16 && row->changed[i].memory; i++) {
      if (row->changed[i].memory == memory && row->changed[i].word == word)
         value = row->changed[i].value;
   }
   return value;
}

static void
check_memories(const struct runner *runner, const struct memory_case *row)
{
   for (unsigned m = 0; m < NUM_BOUND; m++) {
      for (unsigned w = 0; w < RUNNER_MEMORY_WORDS; w++) {
         uint32_t expected = word_after(row, m + 1, w);

         if (runner->memories[m].words[w] != expected)
            fail_msg("%s: word %u of memory %u is 0x%x, not 0x%x", row->name, w,
                     m + 1, runner->memories[m].words[w], expected);
      }
   }
}

void
run_memory_case(const char *processor, enum tg_dialect dialect, uint32_t live,
                const struct memory_case *row)
{
   static struct runner runner;
   const char *why = NULL;
   char text[8192];

   snprintf(text, sizeof(text),
            "%s\n"
            "DCL BUFFER[0..3]\n"
            "DCL HWATOMIC[0][0..7]\n"
            "DCL HWATOMIC[2][0..3]\n"
            "%s" CASE_PREAMBLE "%s",
            processor, row->declarations ? row->declarations : "", row->body);
   runner_init(&runner, dialect, text);
   bind_memories(&runner);
   runner.live = live;
   if (runner.result == TG_OK)
      runner.result = tg_shader_validate(runner.shader, runner.diagnostics);
   bool is_right = runner_try(&runner, &why);
   if (!is_right || runner.result != TG_OK) {
      char *complaints = tg_diagnostics_text(runner.diagnostics);

      fail_msg("%s: %s, %s\n%s", row->name, is_right ? "ended" : why,
               tg_result_name(runner.result), complaints ? complaints : "");
   }
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      if (runner.output[0][lane] != row->expected[lane])
         fail_msg("%s: lane %u gave 0x%x, not 0x%x", row->name, lane,
                  runner.output[0][lane], row->expected[lane]);
   }
   check_memories(&runner, row);
   runner_finish(&runner);
}

void
run_memory_cases(const char *processor, const struct memory_case *cases,
                 size_t num_cases)
{
   for (size_t i = 0; i < num_cases; i++)
      run_memory_case(processor, TG_DIALECT_2019, 0xffff, &cases[i]);
}
