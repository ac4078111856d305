/* SPDX-License-Identifier: MIT
 *
 * Digits to numbers, at the bounds of 64 bits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "util/number.h"

static void
expect(const char *text, enum tg_number result, uint64_t number)
{
   uint64_t found = 7;

   assert_int_equal(tg_number_read(text, strlen(text), &found), result);
   assert_true(found == (result == TG_NUMBER_GOOD ? number : 7));
}

static void
decimal_and_hexadecimal(void **state)
{
   (void)state;
   expect("0", TG_NUMBER_GOOD, 0);
   expect("0010", TG_NUMBER_GOOD, 10);
   expect("18446744073709551615", TG_NUMBER_GOOD, UINT64_MAX);
   expect("18446744073709551616", TG_NUMBER_TOO_LARGE, 0);
   expect("0xFfffffffFFFFFFFF", TG_NUMBER_GOOD, UINT64_MAX);
   expect("0X10000000000000000", TG_NUMBER_TOO_LARGE, 0);
   expect("", TG_NUMBER_NONE, 0);
   expect("0x", TG_NUMBER_NONE, 0);
   expect("1a", TG_NUMBER_NONE, 0);
   expect("99999999999999999999z", TG_NUMBER_NONE, 0);
   expect("-1", TG_NUMBER_NONE, 0);
   expect("0x\xe9", TG_NUMBER_NONE, 0);
}

static void
digits_of_other_bases(void **state)
{
   uint64_t number = 0;

   (void)state;
   assert_int_equal(tg_number_of_digits("0777", 4, 8, &number), TG_NUMBER_GOOD);
   assert_int_equal(number, 511);
   assert_int_equal(tg_number_of_digits("08", 2, 8, &number), TG_NUMBER_NONE);
   assert_int_equal(tg_digit('f'), 15);
   assert_int_equal(tg_digit('g'), 16);
   assert_int_equal(tg_digit('\0'), 16);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(decimal_and_hexadecimal),
      cmocka_unit_test(digits_of_other_bases),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
