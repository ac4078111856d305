/* SPDX-License-Identifier: MIT
 *
 * From a shader to a program: checked, lowered, optimised, compiled.
 */
#include "run/program.h"

#include <string.h>

#include "lir/passes.h"

/* Options as this library knows them; those of an older caller are shorter. */
static struct tg_program_options
complete_options(const struct tg_program_options *given)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;

   if (given)
      memcpy(&options, given,
             given->size < sizeof(options) ? given->size : sizeof(options));
   return options;
}

/* Every module passes the verifier, or a room above this one has a bug. Then
 * it does not run. */
static enum tg_result
verify(struct lir_module *module, const struct tg_shader *shader,
       struct tg_diagnostics *diagnostics)
{
   const char *fault = lir_verify(module);

   if (!fault)
      return TG_OK;
   if (fault == lir_verify_no_memory)
      return TG_ERROR_MEMORY;
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "internal-error",
               &shader->source, (struct tg_position){0}, NULL,
               "the shader was lowered wrongly: %s", fault);
   return TG_ERROR_UNSUPPORTED;
}

/* The executor knows no shaders, and so has no words for this. */
static enum tg_result
compile(struct tg_program *program, const struct lir_module *module,
        struct tg_diagnostics *diagnostics)
{
   enum tg_result result =
      program->executor->compile(program->allocator, module, &program->code);

   if (result == TG_ERROR_LIMIT)
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "limit",
                  &program->shader->source, (struct tg_position){0}, NULL,
                  "the shader needs too much memory to be run");
   return result;
}

static enum tg_result
lower_and_compile(struct tg_program *program, struct lir_module *module,
                  const struct tg_program_options *options,
                  struct tg_diagnostics *diagnostics)
{
   const struct lower_options lower_options = {.trace = options->trace};
   const struct lir_pass_options pass_options = {
      .disable = !options->optimize,
   };
   enum tg_result result =
      lower_shader(program->shader, &lower_options, module, diagnostics);

   if (result == TG_OK)
      result = verify(module, program->shader, diagnostics);
   if (result == TG_OK)
      result = lir_optimize(module, &pass_options);
   if (result == TG_OK)
      result = verify(module, program->shader, diagnostics);
   if (result == TG_OK)
      result = compile(program, module, diagnostics);
   return result;
}

enum tg_result
tg_program_create(const struct tg_allocator *allocator,
                  const struct tg_shader *shader,
                  const struct tg_program_options *given_options,
                  struct tg_diagnostics *diagnostics,
                  struct tg_program **program_out)
{
   const struct tg_program_options options = complete_options(given_options);
   struct lir_module module;
   enum tg_result result = tg_shader_validate(shader, diagnostics);

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
      .shader = shader,
      .executor = exec_interpreter(),
   };

   lir_module_init(&module, allocator);
   result = lower_get_layout(shader, diagnostics, &program->layout);
   if (result == TG_OK)
      result = lower_and_compile(program, &module, &options, diagnostics);
   lir_module_finish(&module);
   if (result != TG_OK) {
      tg_program_destroy(program);
      return result;
   }
   *program_out = program;
   return TG_OK;
}

const char program_barrier_note[] =
   "all threads of a block must come to the same barrier";

struct tg_position
program_position(const struct tg_shader *shader, uint32_t origin)
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
   if (program->code)
      program->executor->destroy(program->code);
   program->allocator->resize(program->allocator->user, program,
                              sizeof(*program), 0);
}
