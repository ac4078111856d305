/* SPDX-License-Identifier: MIT
 *
 * Which modules may wait, in a loop, for what another wave writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lir/passes.h"
#include "listing.h"

struct row {
   const char *why;
   bool may_wait;
   const char *module;
};

#define MAIN "function 0 main {\n%0 = const32 0\n"
#define XY "var $0 b32 x\nvar $1 b32 y\n"

/* Something is written. */
#define WRITE "store32 shared[0], %0, %0\n"

static const struct row rows[] = {
   {"a loop that a shared word ends", true,
    MAIN WRITE
    "loop\n%3 = load32 shared[0], %0\n%4 = i2b %3\nif %4\nbr 1\nend\n"
    "end\n}"},
   {"one that ends by itself, whatever it reads and writes", false,
    XY MAIN "loop\n%2 = getvar32 $0\n%3 = ieq %2, %0\nif %3\nbr 1\nend\n"
            "%7 = load32 shared[0], %2\nstore32 shared[0], %2, %7\n"
            "%9 = iadd %2, %2\nsetvar32 $0, %9\nend\n}"},
   {"no loop", false,
    MAIN WRITE "%2 = load32 shared[0], %0\n%3 = i2b %2\nif %3\ntrace 0, %0\n"
               "end\n}"},
   {"nothing is written", false,
    MAIN "loop\n%2 = load32 shared[0], %0\n%3 = i2b %2\nif %3\nbr 1\nend\n"
         "end\n}"},
   {"nothing is read", false,
    MAIN WRITE "loop\n%3 = i2b %0\nif %3\nbr 1\nend\nend\n}"},
   {"constants are nobody's to write", false,
    MAIN WRITE "loop\n%3 = load32 const[0], %0\n%4 = load32 shared[0], %0\n"
               "%5 = i2b %3\nif %5\nbr 1\nend\nend\n}"},
   {"an atomic operation reads, too", true,
    MAIN "loop\n%2 = atomic_add buffer[0], %0, %0\n%3 = i2b %2\nif %3\nbr 1\n"
         "end\nend\n}"},
   {"by a variable, of the turn before", true,
    XY MAIN WRITE "loop\n%3 = getvar32 $0\n%4 = i2b %3\nif %4\nbr 1\nend\n"
                  "%8 = load32 shared[0], %0\nsetvar32 $0, %8\nend\n}"},
   {"by two variables, one from the other", true,
    XY MAIN WRITE "loop\n%3 = getvar32 $0\n%4 = i2b %3\nif %4\nbr 1\nend\n"
                  "%8 = getvar32 $1\nsetvar32 $0, %8\n"
                  "%10 = load32 shared[0], %0\nsetvar32 $1, %10\nend\n}"},
   {"by a variable that is set where a shared word allows it", true,
    XY MAIN WRITE
    "loop\n%3 = getvar32 $0\n%4 = i2b %3\nif %4\nbr 1\nend\n"
    "%8 = load32 shared[0], %0\n%9 = i2b %8\nif %9\nsetvar32 $0, %0\nend\n"
    "end\n}"},
   {"by one that is set where it does not leave a block", true,
    XY MAIN WRITE
    "loop\n%3 = getvar32 $0\n%4 = i2b %3\nif %4\nbr 1\nend\nblock\n"
    "%9 = load32 shared[0], %0\n%10 = i2b %9\nif %10\nbr 2\nend\n"
    "setvar32 $0, %0\nend\nend\n}"},
   {"by an else", true,
    MAIN WRITE "loop\n%3 = load32 shared[0], %0\n%4 = i2b %3\nif %4\n"
               "trace 0, %0\nelse\nbr 1\nend\nend\n}"},
   {"by an array", true,
    "array @0 4 a\n" MAIN WRITE
    "loop\n%3 = load32 array[0], %0\n%4 = i2b %3\nif %4\nbr 1\nend\n"
    "%8 = load32 shared[0], %0\nstore32 array[0], %0, %8\nend\n}"},
   {"by what other lanes have read", true,
    MAIN WRITE "loop\n%3 = load32 shared[0], %0\n%4 = read_first %3\n"
               "%5 = i2b %4\nif %5\nbr 1\nend\nend\n}"},
   {"by which lanes a shared word has left", true,
    MAIN WRITE
    "%2 = load32 shared[0], %0\n%3 = i2b %2\n%4 = const1 1\nloop\nblock\n"
    "if %3\nbr 2\nend\n%10 = ballot %4\n%11 = i2b %10\nif %11\nbr 1\nend\nend\n"
    "end\n}"},
   {"a loop in a condition by a shared word ends by itself", false,
    XY MAIN WRITE
    "%2 = load32 shared[0], %0\n%3 = i2b %2\nif %3\nloop\n%6 = getvar32 $0\n"
    "%7 = i2b %6\nif %7\nbr 2\nend\nend\nend\n}"},
   {"a shared word ends a block in a loop that ends by itself", false,
    XY MAIN WRITE
    "loop\n%3 = getvar32 $0\n%4 = i2b %3\nif %4\nbr 1\nend\nblock\n"
    "%9 = load32 shared[0], %0\n%10 = i2b %9\nif %10\nbr 2\nend\n"
    "trace 0, %0\nend\nsetvar32 $0, %0\nend\n}"},
   {"calls may do anything", true,
    MAIN WRITE "%2 = load32 shared[0], %0\ncall 1\n}\nfunction 1 f {\n"
               "%0 = const32 0\n}"},
};

static void
test_wait(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      struct lir_module module;
      bool may_wait;

      listing_parse(&module, rows[i].module);
      const char *error = lir_verify(&module);
      if (error)
         fail_msg("%s: %s", rows[i].why, error);
      assert_int_equal(lir_find_waits(&module, &may_wait), TG_OK);
      if (may_wait != rows[i].may_wait)
         fail_msg("%s: %d", rows[i].why, !rows[i].may_wait);
      lir_module_finish(&module);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_wait)};

   return cmocka_run_group_tests(tests, NULL, NULL);
}
