/* SPDX-License-Identifier: MIT
 *
 * Spins end: by time, and where the clock is stopped by their number of looks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/spin.h"

static void
test_time(void **state)
{
   const uint64_t begun = tg_clock_now();
   struct tg_spin spin = tg_spin_begin();

   (void)state;
   assert_true(spin.end > begun);
   spin.end = tg_clock_now();
   assert_false(tg_spin(&spin));
}

/* That is, where the end is never reached. */
static void
test_stopped_clock(void **state)
{
   struct tg_spin spin = tg_spin_begin();
   const unsigned most = spin.num_left;

   (void)state;
   spin.end = UINT64_MAX;
   for (unsigned i = 0; i < most; i++)
      assert_true(tg_spin(&spin));
   assert_false(tg_spin(&spin));
   assert_false(tg_spin(&spin));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_time),
      cmocka_unit_test(test_stopped_clock),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
