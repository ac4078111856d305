/* SPDX-License-Identifier: MIT
 *
 * Letters, and the order of words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/ascii.h"

static void
test_case_does_not_count(void **state)
{
   (void)state;
   assert_int_equal(tg_ascii_compare("imm", "IMM", 3), 0);
   assert_int_equal(tg_ascii_compare("Imm[0]", "iMM", 3), 0);
   assert_int_equal(tg_ascii_compare("imm", "IMM", SIZE_MAX), 0);
   assert_true(tg_ascii_compare("imm", "IMMS", 4) < 0);
   assert_true(tg_ascii_compare("IMMS", "imm", 4) > 0);
}

/* An underscore stands between the cases; letters are compared as small. */
static void
test_underscore_stands_before_letters(void **state)
{
   (void)state;
   assert_true(tg_ascii_compare("TEX_LZ", "TEXB", SIZE_MAX) < 0);
   assert_true(tg_ascii_compare("tex_lz", "TEXB", SIZE_MAX) < 0);
}

/* Neither letters nor glyphs are found outside of ASCII. */
static void
test_high_bytes(void **state)
{
   (void)state;
   for (int c = 0; c < 256; c++) {
      bool is_capital = c >= 65 && c <= 90;

      assert_int_equal((unsigned char)tg_ascii_lower((char)c),
                       is_capital ? c + 32 : c);
      assert_int_equal(tg_ascii_is_printable((char)c), c >= 32 && c <= 126);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_case_does_not_count),
      cmocka_unit_test(test_underscore_stands_before_letters),
      cmocka_unit_test(test_high_bytes),
   };

   return cmocka_run_group_tests_name("ascii", tests, NULL, NULL);
}
