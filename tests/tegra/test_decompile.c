/* SPDX-License-Identifier: MIT
 *
 * Decompiling the programs that ran on hardware, and with memory that runs out.
 */
#include "sweep.h"

#include <string.h>

#include "decompiled.h"

static struct tg_tegra_program *
decode(const char *name, const uint32_t *words, size_t num_words)
{
   struct tg_tegra_program *program = NULL;

   assert_int_equal(
      tg_tegra_decode(NULL, name, words, num_words, NULL, &program), TG_OK);
   return program;
}

static void
compare(const char *name, const uint32_t *words, size_t num_words)
{
   struct decompiled_random random = {1};
   struct tg_tegra_program *program = decode(name, words, num_words);

   for (unsigned i = 0; i < 20; i++)
      assert_int_equal(decompiled_compare(program, &random, false),
                       DECOMPILED_SAME);
   tg_tegra_program_destroy(program);
}

static void
programs_of_hardware_give_the_same(void **state)
{
   (void)state;
#define TEGRA_PROGRAM(name, ...)                                               \
   {                                                                           \
      static const uint32_t words[][TG_TEGRA_WORDS] = {__VA_ARGS__};           \
                                                                               \
      compare(name, words[0], sizeof(words) / sizeof(uint32_t));               \
   }
#include "programs.def"
}

/* One of its calls does not know what is on the stack, so that there is no
 * structure. */
static const char stack[] = ".defaults nvidia\n"
                            ".asm\n"
                            "EXEC(cs)(cwr) MOVv r63, a[0];\n"
                            "EXEC(lt)(p.xxxx) CALs 3;\n"
                            "EXEC_END(export[0]=vector) MOVv r0, a[1];\n"
                            "EXEC POPAv;\n"
                            "EXEC(lt)(p.yyyy) RETs;\n"
                            "EXEC_END(export[1]=vector) MOVv r0, c[2];\n";
static const char calls[] = ".defaults nvidia\n"
                            ".constants\n"
                            "[2].x = 1.0;\n"
                            ".asm\n"
                            "EXEC CALs 3;\n"
                            "EXEC(export[1]=vector) MOVv r0, c[2];\n"
                            "EXEC_END(export[0]=vector) MOVv r0, a[1];\n"
                            "EXEC ARLv A0.xyzw, a[2];\n"
                            "EXEC(export[2]=vector) MOVv r0, c[A0.x] RETs;\n";

static const char *text; /* one of them */

static enum tg_result
decompile(const struct tg_allocator *allocator)
{
   struct tg_tegra_program *program = NULL;
   char *made = NULL;

   assert_int_equal(
      tg_tegra_assemble(NULL, "t", text, strlen(text), 0, NULL, &program),
      TG_OK);
   enum tg_result result = tg_tegra_decompile(allocator, program, NULL, &made);
   tg_string_free(made);
   tg_tegra_program_destroy(program);
   return result;
}

static void
memory_runs_out(void **state)
{
   (void)state;
   text = stack;
   sweep(decompile);
   text = calls;
   sweep(decompile);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(programs_of_hardware_give_the_same),
      cmocka_unit_test(memory_runs_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
