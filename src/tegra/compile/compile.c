/* SPDX-License-Identifier: MIT
 *
 * The compiler's driver: its stages, one after the other.
 */
#include "tegra/mir/compile.h"

#include <assert.h>

#include "util/sized.h"

static enum tg_result
check_shader(const struct tg_shader *shader, struct tg_diagnostics *diagnostics)
{
   enum tg_result result = tg_shader_validate(shader, diagnostics);

   if (result != TG_OK || shader->processor == TG_PROCESSOR_VERT)
      return result;
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "tegra-stage", &shader->source,
               (struct tg_position){0}, "a VERT shader does",
               "a %s shader does not run on the vertex unit",
               tg_shader_processor_name(shader));
   return TG_ERROR_UNSUPPORTED;
}

/* After each stage that succeeded. */
static enum tg_result
end_stage(const struct compile *compile, const struct mir *mir,
          const char *stage, enum tg_result result)
{
   assert(result != TG_OK || !mir_verify(mir));
   return result == TG_OK ? mir_trace(compile, mir, stage, 0) : result;
}

static enum tg_result
run_stages(const struct compile *compile, struct mir *mir,
           struct tg_tegra_program *program)
{
   enum tg_result result = select_mir(compile, mir);

   result = end_stage(compile, mir, "select", result);
   if (result == TG_OK)
      result = optimize_mir(compile, mir);
   result = end_stage(compile, mir, "optimize", result);
   if (result == TG_OK)
      result = schedule_ports(compile, mir);
   result = end_stage(compile, mir, "ports", result);
   if (result == TG_OK)
      result = schedule_emit(compile, mir, program);
   return result;
}

/* What passes made larger and does not fit is compiled once more without that.
 */
static enum tg_result
compile_twice(const struct compile *compile, const struct tg_shader *shader,
              const struct tg_allocator *allocator,
              struct tg_tegra_program *program)
{
   enum tg_result result = TG_ERROR_LIMIT;
   bool is_frugal = false, again = true;

   while (again) {
      struct mir mir;

      mir_init(&mir, allocator, shader);
      mir.is_frugal = is_frugal;
      program->mad = mir.fused ? TG_TEGRA_MAD_FUSED : TG_TEGRA_MAD_SEPARATE;
      result = run_stages(compile, &mir, program);
      is_frugal = again = result == TG_ERROR_LIMIT && mir.has_grown;
      mir_finish(&mir);
   }
   return result;
}

static bool
fits_inexactly(const struct compile *compile, const struct tg_shader *shader,
               const struct tg_allocator *allocator)
{
   struct tg_tegra_compile_options options = *compile->options;
   struct tg_tegra_program *program = NULL;

   options.exact = false;
   options.trace = NULL;
   enum tg_result result =
      tg_tegra_compile(allocator, shader, &options, NULL, &program);
   tg_tegra_program_destroy(program);
   return result == TG_OK;
}

enum tg_result
tg_tegra_compile(const struct tg_allocator *allocator,
                 const struct tg_shader *shader,
                 const struct tg_tegra_compile_options *given,
                 struct tg_diagnostics *diagnostics,
                 struct tg_tegra_program **program_out)
{
   assert(program_out);
   struct tg_tegra_compile_options options;
   char *last_listing = NULL;
   const struct compile compile = {&options, diagnostics, &last_listing,
                                   fits_inexactly};
   enum tg_result result =
      tg_tegra_compile_options_take(&options, given, diagnostics);

   if (result == TG_OK)
      result = check_shader(shader, diagnostics);
   if (result != TG_OK)
      return result;
   struct tg_tegra_program *program =
      tegra_program_create(allocator, &shader->source);
   if (!program)
      return TG_ERROR_MEMORY;

   result = compile_twice(&compile, shader, allocator, program);
   tg_string_free(last_listing);
   if (result == TG_OK)
      *program_out = program;
   else
      tg_tegra_program_destroy(program);
   return result;
}
