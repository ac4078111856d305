/* SPDX-License-Identifier: MIT
 *
 * The checker on programs that are known to work on hardware: no errors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sweep.h"
#include "tungsten/tegra.h"

static const struct {
   const char *name;
   uint32_t words[TG_TEGRA_MAX_INSTRUCTIONS][TG_TEGRA_WORDS];
} programs[] = {
#define TEGRA_PROGRAM(name, ...) {name, {__VA_ARGS__}},
#include "programs.def"
};

/* What the checker says of `num` words. */
static enum tg_result
check_words(const struct tg_allocator *allocator, const uint32_t *words,
            size_t num, struct tg_diagnostics *diagnostics)
{
   struct tg_tegra_program *program = NULL;
   enum tg_result result =
      tg_tegra_decode(allocator, "words", words, num, NULL, &program);

   if (result == TG_OK)
      result = tg_tegra_check(program, diagnostics);
   tg_tegra_program_destroy(program);
   return result;
}

/* The programs have no instruction of four zeros. */
static size_t
num_words(size_t number)
{
   size_t count = 0;

   while (programs[number].words[count][3])
      count++;
   return count * TG_TEGRA_WORDS;
}

static void
what_works_on_hardware_has_no_errors(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
      struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
      enum tg_result result =
         check_words(NULL, programs[i].words[0], num_words(i), diagnostics);

      assert_int_equal(tg_diagnostics_num_errors(diagnostics), 0);
      assert_int_equal(result, TG_OK);
      tg_diagnostics_destroy(diagnostics);
   }
}

/* The program as text, without the end bit that grate's loader has set. */
static char *
print_unloaded(size_t number)
{
   uint32_t words[TG_TEGRA_MAX_INSTRUCTIONS * TG_TEGRA_WORDS];
   const size_t count = num_words(number);
   struct tg_tegra_program *program = NULL;

   memcpy(words, programs[number].words, sizeof(words));
   assert_int_equal(words[count - 1] & 1, 1);
   words[count - 1]--;
   assert_int_equal(
      tg_tegra_decode(NULL, "words", words, count, NULL, &program), TG_OK);
   char *text = tg_tegra_print(program, 0);
   tg_tegra_program_destroy(program);
   assert_non_null(text);
   return text;
}

static void
what_a_loader_ends_has_no_errors(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
      char *text = print_unloaded(i);
      struct tg_tegra_program *program = NULL;

      assert_int_equal(tg_tegra_assemble(NULL, "text", text, strlen(text),
                                         TG_TEGRA_END_LAST, NULL, &program),
                       TG_OK);
      assert_memory_equal(tg_tegra_words(program), programs[i].words,
                          num_words(i) * sizeof(uint32_t));
      assert_int_equal(tg_tegra_check(program, NULL), TG_OK);
      tg_tegra_program_destroy(program);
      tg_string_free(text);
   }
}

static enum tg_result
check_calls(const struct tg_allocator *allocator)
{
   return check_words(allocator, programs[4].words[0], num_words(4), NULL);
}

static void
running_out_of_memory_is_said(void **state)
{
   (void)state;
   sweep(check_calls);
}

/* Of words there are no lines. */
static void
instructions_have_numbers(void **state)
{
   static const uint32_t words[][TG_TEGRA_WORDS] = {
      {0x401f9c6c, 0x0040000d, 0x8106c083, 0x6041ff80},
      {0x401f9c6c, 0x0040010d, 0x8106c083, 0x6041ff9c},
   };
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   (void)state;
   assert_int_equal(check_words(NULL, words[0], 8, diagnostics),
                    TG_ERROR_INPUT);
   char *text = tg_diagnostics_text(diagnostics);
   assert_string_equal(
      text, "words: error: instruction 1: execution goes on after the last "
            "instruction\n"
            "note: the last instruction of a program has the end bit\n");
   tg_string_free(text);
   tg_diagnostics_destroy(diagnostics);
}

/* The assembler knows some findings, under the same codes. */
static void
nothing_is_said_twice(void **state)
{
   static const char text[] =
      "EXEC ARLv r63.x***, a[1].xyzw NOPs;\n"
      "EXEC MOVv r0.****, c[256].xyzw NOPs;\n"
      "EXEC(export[1]=vector) MOVv r63.xyzw, c[300].xyzw NOPs;\n"
      "EXEC_END(export[0]=vector) MOVv r63.xyzw, a[0].xyzw NOPs;\n";
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;

   (void)state;
   assert_int_equal(tg_tegra_assemble(NULL, "text", text, sizeof(text) - 1, 0,
                                      diagnostics, &program),
                    TG_OK);
   assert_int_equal(tg_diagnostics_count(diagnostics), 4);
   assert_int_equal(tg_tegra_check(program, diagnostics), TG_OK);
   assert_int_equal(tg_diagnostics_count(diagnostics), 4);
   tg_diagnostics_clear(diagnostics);
   assert_int_equal(tg_tegra_check(program, diagnostics), TG_OK);
   assert_int_equal(tg_diagnostics_count(diagnostics), 3);
   tg_tegra_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
}

/* Any words can be checked, and it is said whether there are errors. */
static void
any_words_can_be_checked(void **state)
{
   uint64_t seed = 1;

   (void)state;
   for (unsigned i = 0; i < 300; i++) {
      static uint32_t words[TG_TEGRA_MAX_INSTRUCTIONS * TG_TEGRA_WORDS];
      struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

      for (size_t j = 0; j < sizeof(words) / sizeof(words[0]); j++) {
         seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
         words[j] = (uint32_t)(seed >> 32);
      }
      enum tg_result result = check_words(
         NULL, words, sizeof(words) / sizeof(words[0]), diagnostics);
      assert_int_equal(result, tg_diagnostics_num_errors(diagnostics)
                                  ? TG_ERROR_INPUT
                                  : TG_OK);
      tg_diagnostics_destroy(diagnostics);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_works_on_hardware_has_no_errors),
      cmocka_unit_test(instructions_have_numbers),
      cmocka_unit_test(nothing_is_said_twice),
      cmocka_unit_test(any_words_can_be_checked),
      cmocka_unit_test(what_a_loader_ends_has_no_errors),
      cmocka_unit_test(running_out_of_memory_is_said),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
