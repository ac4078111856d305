/* SPDX-License-Identifier: MIT
 *
 * Compiling to the Tegra vertex unit: a shader that compiles does so at both
 * levels, unless one has too little room; the checker finds no error in
 * what comes out, and both programs give the same exports. So do the two with
 * exact arithmetic.
 */
#include "fuzz.h"

#include "fuzz_shader.h"
#include "tegra_use.h"

/* What is told of a stage is lines, and no operation is in two instructions. */
static void
see_step(void *user, const struct tg_tegra_compile_step *step)
{
   size_t length = strlen(step->listing);

   (void)user;
   if (!length || step->listing[length - 1] != '\n' ||
       step->num_instructions > step->num_operations)
      abort();
}

static struct tg_tegra_program *
compile(const struct tg_shader *shader, unsigned optimize, bool exact,
        enum tg_result *result_out)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;

   if (!diagnostics)
      abort();
   options.optimize = optimize;
   options.exact = exact;
   options.trace = see_step;
   *result_out =
      tg_tegra_compile(NULL, shader, &options, diagnostics, &program);
   if ((*result_out == TG_OK) != (tg_diagnostics_num_errors(diagnostics) == 0))
      abort();
   tg_diagnostics_destroy(diagnostics);
   return program;
}

static bool
is_nan(uint32_t word)
{
   return (word & 0x7fffffff) > 0x7f800000;
}

/* A loop that does not end gets less far where it has more instructions. */
static void
compare(const struct tegra_outcome *a, const struct tegra_outcome *b)
{
   enum { SIZE = TG_TEGRA_NUM_EXPORTS * 4 };

   for (unsigned i = 0; i < TEGRA_VERTICES * SIZE; i++) {
      if (a->ends[i / SIZE] == TG_TEGRA_OUT_OF_STEPS ||
          b->ends[i / SIZE] == TG_TEGRA_OUT_OF_STEPS)
         continue;
      if (a->ends[i / SIZE] != b->ends[i / SIZE])
         abort();
      if (a->exports[i] != b->exports[i] &&
          !(is_nan(a->exports[i]) && is_nan(b->exports[i])))
         abort();
   }
}

/* A shader may have a loop that nothing leaves; anything else that is wrong is
 * the compiler's. */
static void
check(const struct tg_tegra_program *program)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   if (!diagnostics)
      abort();
   tg_tegra_check(program, diagnostics);
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const struct tg_diagnostic *said = tg_diagnostics_get(diagnostics, i);

      if (said->severity == TG_SEVERITY_ERROR &&
          strcmp(said->code, "endless") != 0)
         abort();
   }
   tg_diagnostics_destroy(diagnostics);
}

/* Both levels agree on what cannot be expressed at all. */
static void
compile_both(const struct tg_shader *shader, bool exact)
{
   enum tg_result plain_result, passed_result;
   struct tg_tegra_program *plain = compile(shader, 0, exact, &plain_result);
   struct tg_tegra_program *passed = compile(shader, 2, exact, &passed_result);

   if (plain_result != passed_result && plain_result != TG_ERROR_LIMIT &&
       passed_result != TG_ERROR_LIMIT)
      abort();
   if (plain)
      check(plain);
   if (passed)
      check(passed);
   if (plain && passed) {
      struct tegra_outcome a = tegra_run(plain, NULL);
      struct tegra_outcome b = tegra_run(passed, NULL);

      compare(&a, &b);
   }
   tg_tegra_program_destroy(passed);
   tg_tegra_program_destroy(plain);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct tg_shader *shader = fuzz_valid_shader(data, size);

   if (shader) {
      compile_both(shader, false);
      compile_both(shader, true);
   }
   tg_shader_destroy(shader);
   return 0;
}
