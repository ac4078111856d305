/* SPDX-License-Identifier: MIT
 *
 * Passes over loops.
 */
#include "pass_listing.h"

/* ---- unroll -------------------------------------------------------------- */

/* 2, 1: two turns, either of which may be left in the middle. Where the counted
 * branch of the first would lead out stands a branch. */
static void
counted_loops_are_unrolled(void **state)
{
   (void)state;
   check_listing(optimize_unroll,
                 "block 0\n"
                 "   MOVv t0.x***, {40000000 0 0 0}.xyzw\n"
                 "block 1\n"
                 "   MOVv cr0.x***, a1.xyzw\n"
                 "   (cr0.xxxx <) BRAs block 3\n"
                 "block 2\n"
                 "   ADDv t0.x***, t0.xyzw, {bf800000 0 0 0}.xyzw\n"
                 "   MOVv cr0.x***, t0.xyzw\n"
                 "   (cr0.xxxx >) BRAs block 1\n"
                 "block 3, the end\n"
                 "   MOVv export0.x***, t0.xyzw\n",
                 "block 0\n"
                 "   MOVv t0.x***, {40000000 00000000 00000000 00000000}.xyzw\n"
                 "block 1\n"
                 "   MOVv cr0.x***, a1.xyzw\n"
                 "   (cr0.xxxx <) BRAs block 7\n"
                 "block 2\n"
                 "   ADDv t0.x***, t0.xyzw, "
                 "{bf800000 00000000 00000000 00000000}.xyzw\n"
                 "   MOVv cr0.x***, t0.xyzw\n"
                 "   BRAs block 4\n"
                 "block 3\n"
                 "   BRAs block 7\n"
                 "block 4\n"
                 "   MOVv cr0.x***, a1.xyzw\n"
                 "   (cr0.xxxx <) BRAs block 7\n"
                 "block 5\n"
                 "   ADDv t0.x***, t0.xyzw, "
                 "{bf800000 00000000 00000000 00000000}.xyzw\n"
                 "   MOVv cr0.x***, t0.xyzw\n"
                 "block 6\n"
                 "block 7, the end\n"
                 "   MOVv export0.x***, t0.xyzw\n");
}

/* An input is the number of turns; or it is 100, and too much would be left. */
static void
other_loops_stay(void **state)
{
   static const char *const counts[] = {
      "a0.xyzw\n", "{42c80000 00000000 00000000 00000000}.xyzw\n"};

   (void)state;
   leave_each(optimize_unroll,
              "block 0\n"
              "   MOVv t0.x***, ",
              counts, sizeof(counts) / sizeof(counts[0]),
              "block 1\n"
              "   ADDv t1.x***, t1.xyzw, a1.xyzw\n"
              "   ADDv t0.x***, t0.xyzw, "
              "{bf800000 00000000 00000000 00000000}.xyzw\n"
              "   MOVv cr0.x***, t0.xyzw\n"
              "   (cr0.xxxx >) BRAs block 1\n"
              "block 2, the end\n"
              "   MOVv export0.x***, t1.xyzw\n");
}

/* ---- rotate -------------------------------------------------------------- */

static void
loops_test_at_their_ends(void **state)
{
   (void)state;
   check_listing(optimize_rotate,
                 "block 0\n"
                 "   MOVv t0.x***, a0.xyzw\n"
                 "block 1\n"
                 "   SGEv cr0.x***, t0.xyzw, c0.xyzw\n"
                 "   (cr0.xxxx <>) BRAs block 3\n"
                 "block 2\n"
                 "   ADDv t0.x***, t0.xyzw, c1.xyzw\n"
                 "   BRAs block 1\n"
                 "block 3, the end\n"
                 "   MOVv export0.x***, t0.xyzw\n",
                 "block 0\n"
                 "   MOVv t0.x***, a0.xyzw\n"
                 "block 1\n"
                 "   SGEv cr0.x***, t0.xyzw, c0.xyzw\n"
                 "   (cr0.xxxx <>) BRAs block 3\n"
                 "block 2\n"
                 "   ADDv t0.x***, t0.xyzw, c1.xyzw\n"
                 "   SGEv cr0.x***, t0.xyzw, c0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 2\n"
                 "block 3, the end\n"
                 "   MOVv export0.x***, t0.xyzw\n");
   /* "less" has no opposite. */
   static const char kept[] = "block 0\n"
                              "   MOVv t0.x***, a0.xyzw\n"
                              "block 1\n"
                              "   ADDv cr0.x***, t0.xyzw, c0.xyzw\n"
                              "   (cr0.xxxx <) BRAs block 3\n"
                              "block 2\n"
                              "   ADDv t0.x***, t0.xyzw, c1.xyzw\n"
                              "   BRAs block 1\n"
                              "block 3, the end\n"
                              "   MOVv export0.x***, t0.xyzw\n";
   leave_listing(optimize_rotate, kept);
}

/* ---- hoist --------------------------------------------------------------- */

/* t1 and, of it, t2 are the same in each turn, and so is t5, though not each
 * turn computes it. t3 changes, t4 is another in the first turn, t6 is what it
 * was if the loop does not compute it, t7 is written twice. */
static void
what_does_not_change_leaves_loops(void **state)
{
   (void)state;
   check_listing(optimize_hoist,
                 "block 0\n"
                 "   MOVv t0.x***, a0.xyzw\n"
                 "   MOVv t4.x***, a1.xyzw\n"
                 "   MOVv t6.x***, a1.xyzw\n"
                 "block 1\n"
                 "   MULv export0.x***, t4.xyzw, c1.xyzw\n"
                 "   MULv t1.x***, a0.xyzw, c0.xyzw\n"
                 "   RCPs t2.x***, t1.xxxx\n"
                 "   MULv t3.x***, t2.xyzw, t0.xyzw\n"
                 "   MULv t4.x***, a0.xyzw, c2.xyzw\n"
                 "   MULv t7.x***, a0.xyzw, c2.xyzw\n"
                 "   ADDv t0.x***, t0.xyzw, t3.xyzw\n"
                 "   MULv export1.x***, t7.xyzw, c1.xyzw\n"
                 "   MOVv cr0.x***, t0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 3\n"
                 "block 2\n"
                 "   MULv t5.x***, a1.xyzw, c3.xyzw\n"
                 "   MULv t6.x***, a1.xyzw, c3.xyzw\n"
                 "   MULv t7.x***, a1.xyzw, t5.xyzw\n"
                 "   MOVv export2.x***, t7.xyzw\n"
                 "block 3\n"
                 "   ADDv cr0.x***, t0.xyzw, c1.xyzw\n"
                 "   (cr0.xxxx <) BRAs block 1\n"
                 "block 4, the end\n"
                 "   MOVv export3.x***, t6.xyzw\n",
                 "block 0\n"
                 "   MOVv t0.x***, a0.xyzw\n"
                 "   MOVv t4.x***, a1.xyzw\n"
                 "   MOVv t6.x***, a1.xyzw\n"
                 "block 1\n"
                 "   MULv t1.x***, a0.xyzw, c0.xyzw\n"
                 "   RCPs t2.x***, t1.xxxx\n"
                 "   MULv t5.x***, a1.xyzw, c3.xyzw\n"
                 "block 2\n"
                 "   MULv export0.x***, t4.xyzw, c1.xyzw\n"
                 "   MULv t3.x***, t2.xyzw, t0.xyzw\n"
                 "   MULv t4.x***, a0.xyzw, c2.xyzw\n"
                 "   MULv t7.x***, a0.xyzw, c2.xyzw\n"
                 "   ADDv t0.x***, t0.xyzw, t3.xyzw\n"
                 "   MULv export1.x***, t7.xyzw, c1.xyzw\n"
                 "   MOVv cr0.x***, t0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 4\n"
                 "block 3\n"
                 "   MULv t6.x***, a1.xyzw, c3.xyzw\n"
                 "   MULv t7.x***, a1.xyzw, t5.xyzw\n"
                 "   MOVv export2.x***, t7.xyzw\n"
                 "block 4\n"
                 "   ADDv cr0.x***, t0.xyzw, c1.xyzw\n"
                 "   (cr0.xxxx <) BRAs block 2\n"
                 "block 5, the end\n"
                 "   MOVv export3.x***, t6.xyzw\n");
}

/* A subroutine may write anything. */
static void
loops_with_calls_keep_all(void **state)
{
   static const char text[] = "block 0\n"
                              "   MOVv t0.x***, a0.xyzw\n"
                              "block 1\n"
                              "   MULv t1.x***, a0.xyzw, c0.xyzw\n"
                              "   CALs block 4\n"
                              "block 2\n"
                              "   ADDv t0.x***, t0.xyzw, t1.xyzw\n"
                              "   MOVv cr0.x***, t0.xyzw\n"
                              "   (cr0.xxxx <) BRAs block 1\n"
                              "block 3, the end\n"
                              "block 4\n"
                              "   RETs\n";

   (void)state;
   leave_listing(optimize_hoist, text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(counted_loops_are_unrolled),
      cmocka_unit_test(other_loops_stay),
      cmocka_unit_test(loops_test_at_their_ends),
      cmocka_unit_test(what_does_not_change_leaves_loops),
      cmocka_unit_test(loops_with_calls_keep_all),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
