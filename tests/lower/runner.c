/* SPDX-License-Identifier: MIT */
#include "runner.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lir/passes.h"

static uint32_t
float_bits(float value)
{
   uint32_t bits;

   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

void
runner_init(struct runner *runner, enum tg_dialect dialect, const char *text)
{
   *runner = (struct runner){
      .diagnostics = tg_diagnostics_create(NULL),
      .launched = 0xffff,
      .live = 0xffff,
      .loop_budget = 1000,
   };
   for (uint32_t lane = 0; lane < LIR_LANES; lane++) {
      runner->input[0][lane] = lane;
      runner->input[1][lane] = float_bits((float)lane);
      runner->input[2][lane] = lane & 1;
      runner->input[3][lane] = lane / 4;
      for (uint32_t w = 4; w < RUNNER_WORDS; w++)
         runner->input[w][lane] = 100 * w + lane;
      for (uint32_t w = 0; w < RUNNER_WORDS; w++)
         runner->sysval[w][lane] = 5000 + 100 * w + lane;
   }
   for (uint32_t b = 0; b < RUNNER_BUFFERS; b++) {
      for (uint32_t w = 0; w < RUNNER_CONSTANTS; w++)
         runner->constants[b][w] = 1000 * b + w;
   }
   runner->result = tg_shader_parse(NULL, "test", text, strlen(text), dialect,
                                    runner->diagnostics, &runner->shader);
   if (runner->result == TG_OK)
      runner->result =
         abi_get_layout(runner->shader, runner->diagnostics, &runner->layout);
}

void
runner_finish(struct runner *runner)
{
   tg_shader_destroy(runner->shader);
   tg_diagnostics_destroy(runner->diagnostics);
}

static void *
allocate_scratch(size_t size)
{
   /* aligned_alloc() wants a multiple, and a size. */
   return aligned_alloc(64, (size + 64) / 64 * 64);
}

enum { MAX_BINDINGS = 128 };

/* Tables for the wave. */
struct bound {
   struct exec_memory memory[LIR_NUM_UNIFORM_SPACES][MAX_BINDINGS];
};

static void
bind(struct runner *runner, struct bound *bound, struct exec_wave *wave)
{
   memset(bound, 0, sizeof(*bound));
   for (unsigned b = 0; b < RUNNER_BUFFERS; b++)
      bound->memory[LIR_SPACE_CONST][b] =
         (struct exec_memory){runner->constants[b], RUNNER_CONSTANTS * 4};
   for (unsigned c = 0; c < ABI_NUM_VIEW_CHUNKS; c++) {
      const unsigned num_words = ABI_CHUNK_VIEWS * ABI_VIEW_WORDS;

      bound->memory[LIR_SPACE_CONST][ABI_CONST_VIEWS + c] =
         (struct exec_memory){
            &runner->descriptors[ABI_VIEW_FIRST + c * num_words],
            num_words * 4};
   }
   bound->memory[LIR_SPACE_CONST][ABI_CONST_SAMPLERS] =
      (struct exec_memory){&runner->descriptors[ABI_SAMPLER_FIRST],
                           ABI_MAX_SAMPLERS * ABI_SAMPLER_WORDS * 4};
   bound->memory[LIR_SPACE_CONST][ABI_CONST_IMAGES] =
      (struct exec_memory){&runner->descriptors[ABI_IMAGE_FIRST],
                           ABI_NUM_IMAGE_BINDINGS * ABI_IMAGE_WORDS * 4};
   bound->memory[LIR_SPACE_CONST][ABI_CONST_TABLES] =
      (struct exec_memory){(uint32_t *)abi_tables, sizeof(abi_tables)};
   for (unsigned m = 0; m < runner->num_memories; m++) {
      struct runner_memory *memory = &runner->memories[m];

      bound->memory[memory->space][memory->binding] =
         (struct exec_memory){memory->words, memory->num_bytes};
   }
   for (unsigned s = 0; s < LIR_NUM_UNIFORM_SPACES; s++) {
      wave->memory[s] = bound->memory[s];
      wave->num_memories[s] = MAX_BINDINGS;
   }
}

/* Runs a module that has been verified. */
static enum tg_result
run_module(struct runner *runner, const struct lir_module *module)
{
   const struct exec_executor *executor = exec_find_executor(NULL);
   struct exec_program *program = NULL;
   static struct bound bound;
   struct exec_wave wave = {
      .launched = runner->launched,
      .live = runner->live,
      .input = {runner->input, RUNNER_WORDS},
      .sysval = {runner->sysval, RUNNER_WORDS},
      .output = {runner->output, RUNNER_WORDS},
      .loop_budget = runner->loop_budget,
      .listener = runner->listener,
   };

   bind(runner, &bound, &wave);
   enum tg_result result = executor->compile(NULL, module, &program);
   if (result)
      return result;

   void *scratch = allocate_scratch(executor->scratch_size(program));
   result = scratch ? executor->run(program, &wave, scratch, &runner->fault)
                    : TG_ERROR_MEMORY;
   free(scratch);
   executor->destroy(program);
   runner->live = wave.live;
   return result;
}

/* Lowers and runs; not right is what lir_verify() does not like. */
static bool
run_once(struct runner *runner, bool is_optimized, const char **why_out)
{
   const struct lir_pass_options passes = {.verify_each = true,
                                           .disable = !is_optimized};
   struct lir_module module;
   const char *fault = NULL;

   lir_module_init(&module, NULL);
   runner->result = lower_shader(runner->shader, &runner->options, &module,
                                 runner->diagnostics);
   if (runner->result == TG_OK) {
      fault = lir_verify(&module);
      if (!fault)
         runner->result = lir_optimize(&module, &passes);
      if (!fault && runner->result == TG_OK)
         runner->result = run_module(runner, &module);
   }
   lir_module_finish(&module);
   if (fault)
      *why_out = "the module breaks a rule of LIR";
   return !fault;
}

static bool
is_nan(uint32_t bits)
{
   return (bits & 0x7fffffff) > 0x7f800000;
}

/* One NaN counts as any other. */
static bool
is_same(const uint32_t *a, const uint32_t *b, size_t num_words)
{
   for (size_t w = 0; w < num_words; w++) {
      if (a[w] != b[w] && !(is_nan(a[w]) && is_nan(b[w])))
         return false;
   }
   return true;
}

static bool
is_same_memory(const struct runner_memory *a, const struct runner_memory *b)
{
   for (unsigned m = 0; m < RUNNER_MEMORIES; m++) {
      if (!is_same(a[m].words, b[m].words, RUNNER_MEMORY_WORDS + 1))
         return false;
   }
   return true;
}

bool
runner_try(struct runner *runner, const char **why_out)
{
   static uint32_t plain_output[RUNNER_WORDS][LIR_LANES];
   static struct runner_memory before[RUNNER_MEMORIES];
   static struct runner_memory plain_memories[RUNNER_MEMORIES];
   uint32_t live = runner->live;

   if (runner->result != TG_OK)
      return true;
   memcpy(before, runner->memories, sizeof(before));
   memset(runner->output, 0x55, sizeof(runner->output));
   if (!run_once(runner, false, why_out))
      return false;

   enum tg_result plain_result = runner->result;
   uint32_t plain_live = runner->live;
   memcpy(plain_output, runner->output, sizeof(plain_output));
   memcpy(plain_memories, runner->memories, sizeof(plain_memories));
   memcpy(runner->memories, before, sizeof(before));
   memset(runner->output, 0x55, sizeof(runner->output));
   runner->live = live;
   if (!run_once(runner, true, why_out))
      return false;
   if (runner->result != plain_result) {
      *why_out = "the passes change how the run ends";
      return false;
   }

   /* A run that was cut off stands where it stood, the two not in step. */
   if (runner->result == TG_OK &&
       (runner->live != plain_live ||
        !is_same_memory(plain_memories, runner->memories) ||
        !is_same(&plain_output[0][0], &runner->output[0][0],
                 RUNNER_WORDS * LIR_LANES))) {
      *why_out = "the passes change the results";
      return false;
   }
   return true;
}

void
runner_run(struct runner *runner)
{
   const char *why = "";

   if (!runner_try(runner, &why))
      fail_msg("%s", why);
}
