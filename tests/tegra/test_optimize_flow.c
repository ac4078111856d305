/* SPDX-License-Identifier: MIT
 *
 * Passes over branches, the arms of an if, and calls.
 */
#include "pass_listing.h"

/* ---- flow ---------------------------------------------------------------- */

static void
jumps_are_shortened(void **state)
{
   (void)state;
   check_listing(optimize_flow,
                 "block 0\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 2\n"
                 "block 1\n"
                 "   MOVv export0.x***, a1.xyzw\n"
                 "   BRAs block 3\n"
                 "block 2\n"
                 "   BRAs block 4\n"
                 "block 3\n"
                 "   BRAs block 4\n"
                 "block 4\n"
                 "block 5, the end\n"
                 "   MOVv export1.x***, a1.xyzw\n",
                 "block 0\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 2\n"
                 "block 1\n"
                 "   MOVv export0.x***, a1.xyzw\n"
                 "   BRAs block 2\n"
                 "block 2, the end\n"
                 "   MOVv export1.x***, a1.xyzw\n");
   /* What falls through is one block, and the end with it. */
   check_listing(optimize_flow,
                 "block 0\n"
                 "   MOVv export0.x***, a0.xyzw\n"
                 "   BRAs block 2\n"
                 "block 1\n"
                 "   MOVv export2.x***, a0.xyzw\n"
                 "block 2\n"
                 "   MOVv export1.x***, a0.xyzw\n"
                 "block 3, the end\n",
                 "block 0\n"
                 "   MOVv export0.x***, a0.xyzw\n"
                 "   BRAs block 1\n"
                 "block 1, the end\n"
                 "   MOVv export1.x***, a0.xyzw\n");
}

/* IF; BRK; ENDIF, and with CONT in the ELSE. */
static void
branches_around_jumps_turn(void **state)
{
   (void)state;
   check_listing(optimize_flow,
                 "block 0\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 2\n"
                 "block 1\n"
                 "   BRAs block 4\n"
                 "block 2\n"
                 "   MOVv cr0.x***, a1.xyzw\n"
                 "   (cr0.xxxx <>) BRAs block 4\n"
                 "block 3\n"
                 "   BRAs block 0\n"
                 "block 4, the end\n",
                 "block 0\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx <>) BRAs block 2\n"
                 "block 1\n"
                 "   MOVv cr0.x***, a1.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 0\n"
                 "block 2, the end\n");
   /* A jump that others come to stays, and one around more than a jump; "less"
    * has no opposite. */
   static const char kept[] = "block 0\n"
                              "   MOVv cr0.x***, a0.xyzw\n"
                              "   (cr0.xxxx <) BRAs block 2\n"
                              "block 1\n"
                              "   BRAs block 5\n"
                              "block 2\n"
                              "   MOVv cr0.x***, a1.xyzw\n"
                              "   (cr0.xxxx =) BRAs block 4\n"
                              "block 3\n"
                              "   MOVv export0.x***, a1.xyzw\n"
                              "   BRAs block 5\n"
                              "block 4\n"
                              "   MOVv export0.x***, a0.xyzw\n"
                              "block 5, the end\n"
                              "   MOVv export1.x***, a0.xyzw\n";
   leave_listing(optimize_flow, kept);
}

/* Calls and returns under a condition, and a call in front of a return. */
static void
calls_and_returns_turn(void **state)
{
   (void)state;
   check_listing(optimize_flow,
                 "block 0\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 2\n"
                 "block 1\n"
                 "   CALs block 3\n"
                 "block 2, the end\n"
                 "block 3\n"
                 "   MOVv cr0.x***, a1.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 6\n"
                 "block 4\n"
                 "   MOVv export0.x***, a1.xyzw\n"
                 "   CALs block 7\n"
                 "block 5\n"
                 "block 6\n"
                 "   RETs\n"
                 "block 7\n"
                 "   MOVv export1.x***, a1.xyzw\n"
                 "   RETs\n",
                 "block 0\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx <>) CALs block 2\n"
                 "block 1, the end\n"
                 "block 2\n"
                 "   MOVv cr0.x***, a1.xyzw\n"
                 "   (cr0.xxxx =) RETs\n"
                 "block 3\n"
                 "   MOVv export0.x***, a1.xyzw\n"
                 "   BRAs block 4\n"
                 "block 4\n"
                 "   MOVv export1.x***, a1.xyzw\n"
                 "   RETs\n");
}

/* ---- predicate ----------------------------------------------------------- */

static void
small_arms_are_gated(void **state)
{
   (void)state;
   check_listing(optimize_predicate,
                 "block 0\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 2\n"
                 "block 1\n"
                 "   MULv t0.x***, a1.xyzw, a1.xyzw\n"
                 "   ADDv export0.x***, t0.xyzw, a1.xyzw\n"
                 "   BRAs block 3\n"
                 "block 2\n"
                 "   MOVv export0.x***, a2.xyzw\n"
                 "block 3, the end\n",
                 "block 0\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   MULv t0.x***, a1.xyzw, a1.xyzw\n"
                 "   ADDv export0.x***, t0.xyzw, a1.xyzw\n"
                 "   (cr0.xxxx =) MOVv export0.x***, a2.xyzw\n"
                 "block 1\n"
                 "block 2\n"
                 "block 3, the end\n");
   /* The second arm reads t0, which is gated in the first therefore; what both
    * end with stays. */
   check_listing(optimize_predicate,
                 "block 0\n"
                 "   MOVv t0.x***, a3.xyzw\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 2\n"
                 "block 1\n"
                 "   MULv t0.x***, a1.xyzw, a1.xyzw\n"
                 "   BRAs block 4\n"
                 "block 2\n"
                 "   ADDv t0.x***, t0.xyzw, a2.xyzw\n"
                 "   BRAs block 4\n"
                 "block 3\n"
                 "   BRAs block 0\n"
                 "block 4, the end\n"
                 "   MOVv export0.x***, t0.xyzw\n",
                 "block 0\n"
                 "   MOVv t0.x***, a3.xyzw\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx <>) MULv t0.x***, a1.xyzw, a1.xyzw\n"
                 "   (cr0.xxxx =) ADDv t0.x***, t0.xyzw, a2.xyzw\n"
                 "   BRAs block 4\n"
                 "block 1\n"
                 "block 2\n"
                 "block 3\n"
                 "   BRAs block 0\n"
                 "block 4, the end\n"
                 "   MOVv export0.x***, t0.xyzw\n");
}

/* An if of an else goes first, and tests y where x is still to be tested. */
static void
chains_of_tests_are_gated(void **state)
{
   (void)state;
   check_listing(optimize_predicate,
                 "block 0\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 2\n"
                 "block 1\n"
                 "   MOVv t0.x***, a1.xyzw\n"
                 "   BRAs block 3\n"
                 "block 2\n"
                 "   SLTv cr0.x***, a0.wwww, c0.xyzw\n"
                 "   MOVv t0.x***, a2.xyzw\n"
                 "   (cr0.xxxx =) MOVv t0.x***, a3.xyzw\n"
                 "block 3, the end\n"
                 "   MOVv export0.x***, t0.xyzw\n",
                 "block 0\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   SLTv cr0.*y**, a0.wwww, c0.xxxx\n"
                 "   MOVv t0.x***, a2.xyzw\n"
                 "   (cr0.yyyy =) MOVv t0.x***, a3.xyzw\n"
                 "   (cr0.xxxx <>) MOVv t0.x***, a1.xyzw\n"
                 "block 1\n"
                 "block 2\n"
                 "block 3, the end\n"
                 "   MOVv export0.x***, t0.xyzw\n");
}

/* x is tested again where it is not 0, so that it is not if neither was. */
static void
tests_within_tests_are_joined(void **state)
{
   (void)state;
   check_listing(optimize_predicate,
                 "block 0\n"
                 "   MOVv t0.x***, a3.xyzw\n"
                 "   MOVv t1.x***, a3.xyzw\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 2\n"
                 "block 1\n"
                 "   MOVv t1.x***, a1.xyzw\n"
                 "   MOVv cr0.**z*, a0.yyyy\n"
                 "   (cr0.zzzz <>) MOVv t0.x***, a2.xyzw\n"
                 "block 2, the end\n"
                 "   MOVv export0.x***, t0.xyzw\n"
                 "   MOVv export1.x***, t1.xyzw\n",
                 "block 0\n"
                 "   MOVv t0.x***, a3.xyzw\n"
                 "   MOVv t1.x***, a3.xyzw\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx <>) MOVv t1.x***, a1.xyzw\n"
                 "   (cr0.xxxx <>) MOVv cr0.x***, a0.yyyy\n"
                 "   (cr0.xxxx <>) MOVv t0.x***, a2.xyzw\n"
                 "block 1\n"
                 "block 2, the end\n"
                 "   MOVv export0.x***, t0.xyzw\n"
                 "   MOVv export1.x***, t1.xyzw\n");
   /* Where the inner test is for 0 they cannot be, nor where something follows
    * that only the outer decides. */
   static const char *const kept[] = {
      "   MOVv cr0.x***, a0.yyyy\n"
      "   (cr0.xxxx =) MOVv t0.x***, a2.xyzw\n",
      "   MOVv cr0.x***, a0.yyyy\n"
      "   (cr0.xxxx <>) MOVv t0.x***, a2.xyzw\n"
      "   MOVv t1.x***, a1.xyzw\n",
   };
   leave_each(optimize_predicate,
              "block 0\n"
              "   MOVv t0.x***, a3.xyzw\n"
              "   MOVv t1.x***, a3.xyzw\n"
              "   MOVv cr0.x***, a0.xyzw\n"
              "   (cr0.xxxx =) BRAs block 2\n"
              "block 1\n",
              kept, sizeof(kept) / sizeof(kept[0]),
              "block 2, the end\n"
              "   MOVv export0.x***, t0.xyzw\n"
              "   MOVv export1.x***, t1.xyzw\n");
}

/* "less" is false of NaN, and so is "equal or greater". */
static void
conditions_without_opposite_stay(void **state)
{
   static const char text[] = "block 0\n"
                              "   MOVv cr0.x***, a0.xyzw\n"
                              "   (cr0.xxxx <) BRAs block 2\n"
                              "block 1\n"
                              "   MOVv export0.x***, a1.xyzw\n"
                              "block 2, the end\n";

   (void)state;
   leave_listing(optimize_predicate, text);
}

/* ---- inline -------------------------------------------------------------- */

/* The first call is conditional, and its subroutine returns in the middle; the
 * flow pass drops what nobody calls any more. What that calls, it calls still.
 */
static void
calls_become_what_they_call(void **state)
{
   (void)state;
   check_listing(optimize_inline,
                 "block 0\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx <>) CALs block 2\n"
                 "block 1, the end\n"
                 "block 2\n"
                 "   CALs block 4\n"
                 "block 3\n"
                 "   MOVv cr0.x***, a1.xyzw\n"
                 "   (cr0.xxxx =) RETs\n"
                 "block 4\n"
                 "   MOVv export0.x***, a1.xyzw\n"
                 "   RETs\n",
                 "block 0\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 4\n"
                 "block 1\n"
                 "   CALs block 7\n"
                 "block 2\n"
                 "   MOVv cr0.x***, a1.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 4\n"
                 "block 3\n"
                 "   MOVv export0.x***, a1.xyzw\n"
                 "   BRAs block 4\n"
                 "block 4, the end\n"
                 "block 5\n"
                 "   CALs block 7\n"
                 "block 6\n"
                 "   MOVv cr0.x***, a1.xyzw\n"
                 "   (cr0.xxxx =) RETs\n"
                 "block 7\n"
                 "   MOVv export0.x***, a1.xyzw\n"
                 "   RETs\n");
}

/* Nine operations three times would be 18 more. */
static void
long_subroutines_stay(void **state)
{
   static const char text[] = "block 0\n"
                              "   CALs block 4\n"
                              "block 1\n"
                              "   CALs block 4\n"
                              "block 2\n"
                              "   CALs block 4\n"
                              "block 3, the end\n"
                              "block 4\n"
                              "   MOVv t0.x***, a1.xyzw\n"
                              "   MOVv t1.x***, a1.xyzw\n"
                              "   MOVv t2.x***, a1.xyzw\n"
                              "   MOVv t3.x***, a1.xyzw\n"
                              "   MOVv t4.x***, a1.xyzw\n"
                              "   MOVv t5.x***, a1.xyzw\n"
                              "   MOVv t6.x***, a1.xyzw\n"
                              "   MOVv t7.x***, a1.xyzw\n"
                              "   RETs\n";

   (void)state;
   leave_listing(optimize_inline, text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(jumps_are_shortened),
      cmocka_unit_test(branches_around_jumps_turn),
      cmocka_unit_test(calls_and_returns_turn),
      cmocka_unit_test(small_arms_are_gated),
      cmocka_unit_test(chains_of_tests_are_gated),
      cmocka_unit_test(tests_within_tests_are_joined),
      cmocka_unit_test(conditions_without_opposite_stay),
      cmocka_unit_test(calls_become_what_they_call),
      cmocka_unit_test(long_subroutines_stay),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
