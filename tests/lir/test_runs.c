/* SPDX-License-Identifier: MIT
 *
 * Load vectorization: which loads become runs, where they go, and which marks
 * the verifier takes. Without an "after" nothing changes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "lir/builder.h"
#include "lir/passes.h"
#include "listing.h"

#define MAIN "function 0 main {\n%0 = const32 0\n%1 = lane\n"
#define ONE "%2 = const32 1\n"
#define TWO "%3 = const32 2\n"
#define THREE "%4 = const32 3\n"

static const struct {
   const char *why;
   const char *before;
   const char *after;
} rows[] = {
   {"a word and the next",
    MAIN ONE "%3 = load32 const[0], %1\n%4 = iadd %1, %2\n"
             "%5 = load32 const[0], %4\n}",
    MAIN ONE "%3 = iadd %1, %2\n%4 = run 2 load32 const[0], %1\n"
             "%5 = load32 const[0], %3\n}"},
   {"four, whose constants move too; what is between comes later",
    MAIN "%2 = load32 texture[3], %1\ntrace 0, %2\n%4 = const32 1\n"
         "%5 = iadd %1, %4\n%6 = load32 texture[3], %5\ntrace 1, %6\n"
         "%8 = const32 2\n%9 = iadd %8, %1\n%10 = load32 texture[3], %9\n"
         "%11 = const32 3\n%12 = iadd %1, %11\n%13 = load32 texture[3], %12\n"
         "%14 = iadd %10, %13\ntrace 2, %14\n}",
    MAIN "%2 = const32 1\n%3 = iadd %1, %2\n%4 = const32 2\n"
         "%5 = iadd %4, %1\n%6 = const32 3\n%7 = iadd %1, %6\n"
         "%8 = run 4 load32 texture[3], %1\n%9 = load32 texture[3], %3\n"
         "%10 = load32 texture[3], %5\n%11 = load32 texture[3], %7\n"
         "trace 0, %8\ntrace 1, %9\n%14 = iadd %10, %11\ntrace 2, %14\n}"},
   {"five are four and one, six four and two",
    MAIN ONE TWO THREE "%5 = const32 4\n%6 = const32 5\n"
                       "%7 = iadd %1, %2\n%8 = iadd %1, %3\n%9 = iadd %1, %4\n"
                       "%10 = iadd %1, %5\n%11 = iadd %1, %6\n"
                       "%12 = load32 const[0], %1\n%13 = load32 const[0], %7\n"
                       "%14 = load32 const[0], %8\n%15 = load32 const[0], %9\n"
                       "%16 = load32 const[0], %10\n"
                       "%17 = load32 const[0], %11\n}",
    MAIN ONE TWO THREE
    "%5 = const32 4\n%6 = const32 5\n"
    "%7 = iadd %1, %2\n%8 = iadd %1, %3\n%9 = iadd %1, %4\n"
    "%10 = iadd %1, %5\n%11 = iadd %1, %6\n"
    "%12 = run 4 load32 const[0], %1\n%13 = load32 const[0], %7\n"
    "%14 = load32 const[0], %8\n%15 = load32 const[0], %9\n"
    "%16 = run 2 load32 const[0], %10\n"
    "%17 = load32 const[0], %11\n}"},
   {"sums alone, one of which wraps",
    MAIN "%2 = const32 0xffffffff\n%3 = iadd %1, %2\n"
         "%4 = load32 const[0], %3\ntrace 0, %4\n%6 = load32 const[0], %1\n}",
    MAIN "%2 = const32 0xffffffff\n%3 = iadd %1, %2\n"
         "%4 = run 2 load32 const[0], %3\n%5 = load32 const[0], %1\n"
         "trace 0, %4\n}"},
   {"two runs in each other",
    MAIN ONE "%3 = ineg %1\n%4 = load32 const[0], %1\n"
             "%5 = load32 const[0], %3\n%6 = iadd %1, %2\n%7 = iadd %3, %2\n"
             "%8 = load32 const[0], %6\n%9 = load32 const[0], %7\n}",
    MAIN ONE "%3 = ineg %1\n%4 = iadd %1, %2\n"
             "%5 = run 2 load32 const[0], %1\n%6 = load32 const[0], %4\n"
             "%7 = iadd %3, %2\n%8 = run 2 load32 const[0], %3\n"
             "%9 = load32 const[0], %7\n}"},
   {"past stores and fences",
    MAIN ONE "%3 = iadd %1, %2\n%4 = load32 const[0], %1\n"
             "store32 buffer[0], %1, %4\nfence\n%7 = load32 const[0], %3\n}",
    MAIN ONE "%3 = iadd %1, %2\n%4 = run 2 load32 const[0], %1\n"
             "%5 = load32 const[0], %3\nstore32 buffer[0], %1, %4\nfence\n}"},
   {"within a construct",
    MAIN ONE "%3 = iadd %1, %2\nblock\n%5 = load32 const[0], %1\n"
             "%6 = ineg %5\n%7 = load32 const[0], %3\nend\n}",
    MAIN ONE "%3 = iadd %1, %2\nblock\n%5 = run 2 load32 const[0], %1\n"
             "%6 = load32 const[0], %3\n%7 = ineg %5\nend\n}"},
   {"in another function",
    MAIN "call 1\n}\nfunction 1 called {\n%0 = const32 0\n%1 = lane\n" ONE
         "%3 = iadd %1, %2\n%4 = load32 const[0], %1\n"
         "%5 = load32 const[0], %3\n}",
    MAIN "call 1\n}\nfunction 1 called {\n%0 = const32 0\n%1 = lane\n" ONE
         "%3 = iadd %1, %2\n%4 = run 2 load32 const[0], %1\n"
         "%5 = load32 const[0], %3\n}"},
   {"the last word first: it is no part of the run",
    MAIN ONE TWO "%4 = iadd %1, %2\n%5 = iadd %1, %3\n"
                 "%6 = load32 const[0], %5\n%7 = load32 const[0], %1\n"
                 "%8 = load32 const[0], %4\n}",
    MAIN ONE TWO "%4 = iadd %1, %2\n%5 = iadd %1, %3\n"
                 "%6 = load32 const[0], %5\n%7 = run 2 load32 const[0], %1\n"
                 "%8 = load32 const[0], %4\n}"},
   {"not with a word left out",
    MAIN ONE TWO "%4 = iadd %1, %3\n%5 = load32 const[0], %1\n"
                 "%6 = load32 const[0], %4\n}",
    NULL},
   {"not the same word twice",
    MAIN "%2 = load32 const[0], %1\n%3 = load32 const[0], %1\n}", NULL},
   {"not another sum",
    MAIN ONE "%3 = isub %1, %2\n%4 = load32 const[0], %3\n"
             "%5 = load32 const[0], %1\n}",
    NULL},
   {"not of another value",
    MAIN ONE "%3 = ineg %1\n%4 = iadd %3, %2\n%5 = load32 const[0], %1\n"
             "%6 = load32 const[0], %4\n}",
    NULL},
   {"not of another binding",
    MAIN ONE "%3 = iadd %1, %2\n%4 = load32 const[0], %1\n"
             "%5 = load32 const[1], %3\n}",
    NULL},
   {"not of another space",
    MAIN ONE "%3 = iadd %1, %2\n%4 = load32 const[0], %1\n"
             "%5 = load32 texture[0], %3\n}",
    NULL},
   {"not of memory that is written",
    MAIN ONE "%3 = iadd %1, %2\n%4 = load32 buffer[0], %1\n"
             "%5 = load32 buffer[0], %3\n%6 = load32 surface[0], %1\n"
             "%7 = load32 surface[0], %3\n}",
    NULL},
   {"not of lanes' own",
    MAIN ONE "%3 = iadd %1, %2\n%4 = load32 input[0], %1\n"
             "%5 = load32 input[0], %3\n}",
    NULL},
   {"not of halfwords",
    MAIN ONE "%3 = iadd %1, %2\n%4 = load16 const[0], %1\n"
             "%5 = load16 const[0], %3\n}",
    NULL},
   {"not what is the same in all lanes",
    MAIN "%2 = uniform const32 1\n%3 = uniform load32 const[0], %0\n"
         "%4 = uniform load32 const[0], %2\n"
         "%5 = uniform load32 const[0], %3\n%6 = uniform iadd %3, %2\n"
         "%7 = uniform load32 const[0], %6\n}",
    NULL},
   {"not into a construct",
    MAIN ONE "%3 = iadd %1, %2\n%4 = load32 const[0], %1\nblock\n"
             "%6 = load32 const[0], %3\nend\n}",
    NULL},
   {"not out of one",
    MAIN ONE "%3 = iadd %1, %2\nblock\n%5 = load32 const[0], %1\nend\n"
             "%7 = load32 const[0], %3\n}",
    NULL},
   {"not past a call",
    MAIN ONE "%3 = iadd %1, %2\n%4 = load32 const[0], %1\ncall 1\n"
             "%6 = load32 const[0], %3\n}\n"
             "function 1 called {\n%0 = const32 0\n}",
    NULL},
   {"not past a barrier",
    MAIN ONE "%3 = iadd %1, %2\n%4 = load32 const[0], %1\nbarrier\n"
             "%6 = load32 const[0], %3\n}",
    NULL},
   {"not past a clock",
    MAIN ONE "%3 = iadd %1, %2\n%4 = load32 const[0], %1\n%5 = clock\n"
             "%6 = load32 const[0], %3\n}",
    NULL},
};

static void
test_pass(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const char *after = rows[i].after ? rows[i].after : rows[i].before;
      struct lir_module module;
      bool changed = false;

      print_message("%s\n", rows[i].why);
      listing_parse(&module, rows[i].before);
      assert_null(lir_verify(&module));
      assert_int_equal(lir_pass_vectorize(&module, &changed), TG_OK);
      assert_int_equal(changed, rows[i].after != NULL);
      assert_null(lir_verify(&module));
      listing_check(&module, after);
      assert_int_equal(lir_pass_vectorize(&module, &changed), TG_OK);
      listing_check(&module, after);
      lir_module_finish(&module);
   }
}

/* Indices of words from the lane's on: %1, %5, %6, %7. %8 is none of them. */
#define WORDS                                                                  \
   MAIN ONE TWO THREE                                                          \
      "%5 = iadd %1, %2\n%6 = iadd %3, %1\n%7 = iadd %1, %4\n%8 = ineg %1\n"

static const struct {
   const char *why;
   const char *listing;
   bool is_run;
} runs[] = {
   {"two words",
    WORDS "%9 = run 2 load32 const[0], %1\n%10 = load32 const[0], %5\n}", true},
   {"from the second on",
    WORDS "%9 = run 2 load32 const[0], %5\n%10 = load32 const[0], %6\n}", true},
   {"four",
    WORDS "%9 = run 4 load32 const[0], %1\n%10 = load32 const[0], %5\n"
          "%11 = load32 const[0], %6\n%12 = load32 const[0], %7\n}",
    true},
   {"one", WORDS "%9 = run 1 load32 const[0], %1\n}", false},
   {"five",
    WORDS "%9 = const32 4\n%10 = iadd %1, %9\n"
          "%11 = run 5 load32 const[0], %1\n%12 = load32 const[0], %5\n"
          "%13 = load32 const[0], %6\n%14 = load32 const[0], %7\n"
          "%15 = load32 const[0], %10\n}",
    false},
   {"beyond the end",
    WORDS "%9 = run 3 load32 const[0], %1\n%10 = load32 const[0], %5\n}",
    false},
   {"in another order",
    WORDS "%9 = run 3 load32 const[0], %1\n%10 = load32 const[0], %6\n"
          "%11 = load32 const[0], %5\n}",
    false},
   {"backwards",
    WORDS "%9 = run 2 load32 const[0], %5\n%10 = load32 const[0], %1\n}",
    false},
   {"the third is not the next",
    WORDS "%9 = run 3 load32 const[0], %1\n%10 = load32 const[0], %5\n"
          "%11 = load32 const[0], %7\n}",
    false},
   {"of another value",
    WORDS "%9 = run 2 load32 const[0], %8\n%10 = load32 const[0], %5\n}",
    false},
   {"of another binding",
    WORDS "%9 = run 2 load32 const[0], %1\n%10 = load32 const[1], %5\n}",
    false},
   {"of a space that is written",
    WORDS "%9 = run 2 load32 buffer[0], %1\n%10 = load32 buffer[0], %5\n}",
    false},
   {"of the lanes' own words",
    WORDS "%9 = run 2 load32 input[0], %1\n%10 = load32 input[0], %5\n}",
    false},
   {"of bytes",
    WORDS "%9 = run 2 load8 const[0], %1\n%10 = load8 const[0], %5\n}", false},
   {"no load at all", WORDS "%9 = run 2 iadd %1, %2\n%10 = iadd %9, %2\n}",
    false},
   {"something between",
    WORDS "%9 = run 2 load32 const[0], %1\n%10 = ineg %9\n"
          "%11 = load32 const[0], %5\n}",
    false},
   {"runs in each other",
    WORDS "%9 = run 3 load32 const[0], %1\n"
          "%10 = run 2 load32 const[0], %5\n%11 = load32 const[0], %6\n}",
    false},
   {"an index that the run itself loads",
    WORDS "%9 = run 2 load32 const[0], %1\n%10 = load32 const[0], %9\n}",
    false},
};

static void
test_verifier(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
      struct lir_module module;

      print_message("%s\n", runs[i].why);
      listing_parse(&module, runs[i].listing);
      const char *error = lir_verify(&module);
      if (runs[i].is_run) {
         assert_null(error);
      } else {
         assert_non_null(error);
         assert_non_null(strstr(error, "begins no such run"));
      }
      lir_module_finish(&module);
   }
}

/* A mark that other passes got is not believed. */
static void
test_cleared(void **state)
{
   const struct lir_pass_options only_fold = {.only = "fold"};
   struct lir_module module;

   (void)state;
   listing_parse(&module, WORDS "%9 = run 2 load32 const[0], %1\n"
                                "%10 = load32 const[0], %5\n}");
   assert_int_equal(lir_optimize(&module, &only_fold), TG_OK);
   assert_null(lir_verify(&module));
   assert_int_equal(module.functions[0].insts[9].num_words, 0);
   lir_module_finish(&module);
}

/* The pipeline's last pass knows what is uniform. */
static void
test_pipeline(void **state)
{
   struct lir_module module;

   (void)state;
   listing_parse(&module,
                 MAIN ONE "%3 = iadd %1, %2\n%4 = load32 const[0], %1\n"
                          "%5 = load32 const[0], %3\n"
                          "%6 = load32 const[0], %0\n"
                          "%7 = iadd %6, %2\n%8 = load32 const[0], %6\n"
                          "%9 = load32 const[0], %7\ntrace 0, %4\n"
                          "trace 1, %5\ntrace 2, %8\ntrace 3, %9\n}");
   assert_int_equal(lir_optimize(&module, NULL), TG_OK);
   listing_check(
      &module,
      "function 0 main {\n%0 = uniform const32 0\n%1 = lane\n"
      "%2 = uniform const32 1\n%3 = iadd %1, %2\n"
      "%4 = run 2 load32 const[0], %1\n%5 = load32 const[0], %3\n"
      "%6 = uniform load32 const[0], %0\n%7 = uniform iadd %6, %2\n"
      "%8 = uniform load32 const[0], %6\n%9 = uniform load32 const[0], %7\n"
      "trace 0, %4\ntrace 1, %5\ntrace 2, %8\ntrace 3, %9\n}");
   lir_module_finish(&module);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pass),
      cmocka_unit_test(test_verifier),
      cmocka_unit_test(test_cleared),
      cmocka_unit_test(test_pipeline),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
