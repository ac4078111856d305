/* SPDX-License-Identifier: MIT
 *
 * Creation of programs from shaders.
 */
#include "run/program.h"

#include <assert.h>

#include "run/variant.h"
#include "tgsi/analysis/info.h"
#include "util/sized.h"

enum { DEFAULT_LOOP_BUDGET = 1000000 };

/* Iterations of a loop times instructions of the shader. */
static const uint64_t default_work = UINT64_C(1) << 27;

static enum tg_result
find_uses(struct tg_program *program)
{
   struct tg_info info;
   enum tg_result result = tg_info_scan(program->shader, &info);

   if (result == TG_OK)
      program->uses = info.uses;
   return result;
}

enum tg_result
tg_program_create(const struct tg_allocator *allocator,
                  const struct tg_shader *shader,
                  const struct tg_program_options *given_options,
                  struct tg_diagnostics *diagnostics,
                  struct tg_program **program_out)
{
   assert(program_out);
   struct tg_program_options options;
   enum tg_result result =
      tg_program_options_take(&options, given_options, diagnostics);

   if (result == TG_OK)
      result = tg_shader_validate(shader, diagnostics);
   if (result == TG_OK && !exec_find_executor(options.executor))
      result = tg_complain(diagnostics, TG_ERROR_INPUT, "executor",
                           "there is no executor '%s' on this machine",
                           options.executor);
   if (result != TG_OK)
      return result;
   if (!allocator)
      allocator = tg_default_allocator();
   struct tg_program *program =
      allocator->resize(allocator->user, NULL, 0, sizeof(*program));
   if (!program)
      return TG_ERROR_MEMORY;
   *program = (struct tg_program){
      .allocator = allocator,
      .shader = tg_shader_ref(shader),
      .options = options,
      .executor = exec_find_executor(options.executor),
   };

   result = abi_get_layout(shader, diagnostics, &program->layout);
   if (result == TG_OK)
      result = find_uses(program);
   if (result == TG_OK)
      result = run_variants_create(program, diagnostics);
   if (result != TG_OK) {
      tg_program_destroy(program);
      return result;
   }
   *program_out = program;
   return TG_OK;
}

uint32_t
run_program_shared_bytes(const struct tg_program *program)
{
   return program->uses & TG_USES_SHARED_MEMORY ? TG_MAX_SHARED_MEMORY : 0;
}

/* An iteration of a long shader takes long. */
uint64_t
run_program_default_loop_budget(const struct tg_program *program)
{
   uint64_t iterations = default_work / (program->shader->num_instructions + 1);

   return iterations < DEFAULT_LOOP_BUDGET ? iterations : DEFAULT_LOOP_BUDGET;
}

const char run_barrier_note[] =
   "all threads of a block must come to the same barrier";

struct tg_position
run_program_position(const struct tg_shader *shader, uint32_t origin)
{
   if (origin >= shader->num_instructions)
      return (struct tg_position){0};
   return shader->instructions[origin].position;
}

void
tg_program_destroy(struct tg_program *program)
{
   if (!program)
      return;
   run_variants_destroy(program);
   tg_shader_destroy(program->shader);
   program->allocator->resize(program->allocator->user, program,
                              sizeof(*program), 0);
}
