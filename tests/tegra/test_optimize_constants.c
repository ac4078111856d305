/* SPDX-License-Identifier: MIT
 *
 * What passes make of literals and of words that are known.
 */
#include "pass_listing.h"

/* ---- constant ------------------------------------------------------------ */

/* 2 reaches the second block, and so it is not less than 1: the branch is never
 * taken, t0 is 2 in block 2 as well, and what block 3 wrote there is not. */
static void
constants_pass_branches(void **state)
{
   (void)state;
   check_listing(
      optimize_constant,
      "block 0\n"
      "   MOVv t0.xy**, {40000000 3f800000 0 0}.xyzw\n"
      "   MOVv cr0.x***, a0.xyzw\n"
      "   (cr0.xxxx =) BRAs block 1\n"
      "block 1\n"
      "   SLTv cr0.x***, t0.xyzw, {3f800000 0 0 0}.xyzw\n"
      "   (cr0.xxxx >) BRAs block 3\n"
      "block 2, the end\n"
      "   ADDv export0.xy**, a0.xyzw, -t0.xyzw\n"
      "block 3\n"
      "   MOVv t0.x***, {40400000 0 0 0}.xyzw\n"
      "   BRAs block 2\n",
      "block 0\n"
      "   MOVv t0.xy**, "
      "{40000000 3f800000 00000000 00000000}.xyzw\n"
      "   MOVv cr0.x***, a0.xyzw\n"
      "   (cr0.xxxx =) BRAs block 1\n"
      "block 1\n"
      "   SLTv cr0.x***, {40000000 00000000 00000000 00000000}.xyzw, "
      "{3f800000 00000000 00000000 00000000}.xyzw\n"
      "block 2, the end\n"
      "   ADDv export0.xy**, a0.xyzw, "
      "{c0000000 bf800000 00000000 00000000}.xyzw\n"
      "block 3\n"
      "   MOVv t0.x***, {40400000 00000000 00000000 00000000}.xyzw\n"
      "   BRAs block 2\n");
   /* Where ways with different words meet nothing is known, but y is 1 on
    * both; nor of what a subroutine may have written. */
   check_listing(optimize_constant,
                 "block 0\n"
                 "   MOVv t0.xy**, {40000000 3f800000 0 0}.xyzw\n"
                 "   MOVv t1.x***, {40000000 0 0 0}.xyzw\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 2\n"
                 "block 1\n"
                 "   MOVv t0.xy**, {40400000 3f800000 0 0}.xyzw\n"
                 "block 2\n"
                 "   ADDv export0.xy**, a0.xyzw, t0.xyzw\n"
                 "   ADDv export1.xy**, a0.xyzw, t0.yyyy\n"
                 "   CALs block 4\n"
                 "block 3, the end\n"
                 "   ADDv export2.xy**, t1.xxxx, t0.yyyy\n"
                 "block 4\n"
                 "   MOVv t1.x***, a0.xyzw\n"
                 "   RETs\n",
                 "block 0\n"
                 "   MOVv t0.xy**, "
                 "{40000000 3f800000 00000000 00000000}.xyzw\n"
                 "   MOVv t1.x***, {40000000 00000000 00000000 00000000}.xyzw\n"
                 "   MOVv cr0.x***, a0.xyzw\n"
                 "   (cr0.xxxx =) BRAs block 2\n"
                 "block 1\n"
                 "   MOVv t0.xy**, "
                 "{40400000 3f800000 00000000 00000000}.xyzw\n"
                 "block 2\n"
                 "   ADDv export0.xy**, a0.xyzw, t0.xyzw\n"
                 "   ADDv export1.xy**, a0.xyzw, "
                 "{3f800000 3f800000 00000000 00000000}.xyzw\n"
                 "   CALs block 4\n"
                 "block 3, the end\n"
                 "   ADDv export2.xy**, t1.xxxx, "
                 "{3f800000 3f800000 00000000 00000000}.xyzw\n"
                 "block 4\n"
                 "   MOVv t1.x***, a0.xyzw\n"
                 "   RETs\n");
}

/* A0 is (1, -3): of c0 to c2, c[-1] is none and c[3] none. Of NaN "not equal"
 * holds; a component whose predicate does not hold is not written. */
static void
indices_and_predicates_are_known(void **state)
{
   struct mir mir;
   bool changed = false;

   (void)state;
   mir_read(&mir, "block 0, the end\n"
                  "   ARLv.xy**, {3fc00000 c0200000 0 0}.xyzw\n"
                  "   MOVv export0.x***, c[A0.x + 0].xyzw\n"
                  "   MOVv export0.*y**, c[A0.y + 2].xyzw\n"
                  "   MOVv export0.**z*, a[A0.x + 1].xyzw\n"
                  "   MOVv export0.***w, c[A0.x + 2].xyzw\n"
                  "   MOVv cr1.xyz*, {7fc00000 0 c0000000 0}.xyzw\n"
                  "   (cr1.xxxx <>) MOVv export1.x***, a0.xyzw\n"
                  "   (cr1.xyzz <) MOVv export2.xyz*, a0.xyzw\n"
                  "   (cr1.yyyy <) MOVv export3.xy**, a0.xyzw\n"
                  "   (cr1.xyww =) MOVv export4.xyzw, a0.xyzw\n");
   mir.num_constants = 3;
   assert_int_equal(optimize_constant(&mir, &changed), TG_OK);
   assert_mir(&mir,
              "block 0, the end\n"
              "   ARLv.xy**, {3fc00000 c0200000 00000000 00000000}.xyzw\n"
              "   MOVv export0.x***, c1.xyzw\n"
              "   MOVv export0.*y**, c[A0.y + 2].xyzw\n"
              "   MOVv export0.**z*, a2.xyzw\n"
              "   MOVv export0.***w, c[A0.x + 2].xyzw\n"
              "   MOVv cr1.xyz*, {7fc00000 00000000 c0000000 00000000}.xyzw\n"
              "   MOVv export1.x***, a0.xyzw\n"
              "   MOVv export2.**z*, a0.xyzw\n"
              "   MOVv export4.*yzw, a0.xyzw\n");
   mir_finish(&mir);
}

/* c0 is read already, and another constant would have to be copied. */
static void
constants_keep_to_ports(void **state)
{
   static const char text[] =
      "block 0\n"
      "   MOVv t0.x***, {40000000 00000000 00000000 00000000}.xyzw\n"
      "block 1\n"
      "   ADDv t1.x***, c0.xyzw, t0.xyzw\n"
      "   MOVv cr0.x***, t1.xyzw\n"
      "   (cr0.xxxx <) BRAs block 1\n"
      "block 2, the end\n";

   (void)state;
   leave_listing(optimize_constant, text);
}

/* ---- fold ---------------------------------------------------------------- */

/* 1.5 * 2 + 0.25 = 3.25. x + 0 is not x where x is -0. */
static void
literals_are_computed(void **state)
{
   (void)state;
   check(optimize_fold,
         "   MADv t0.x***, {3fc00000 0 0 0}.xyzw, {40000000 0 0 0}.xyzw, "
         "{3e800000 0 0 0}.xyzw\n"
         "   MULv t1.xy**, {bf800000 bf800000 0 0}.xyzw, a0.xyzw\n"
         "   MADv t2.x***, a0.xyzw, {3f800000 0 0 0}.xyzw, c0.xyzw\n"
         "   ADDv t3.x***, {80000000 0 0 0}.xyzw, a0.xyzw\n"
         "   ADDv t4.x***, {00000000 0 0 0}.xyzw, a0.xyzw\n"
         "   MULv t5.xy**, {3f800000 bf800000 0 0}.xyzw, a0.xyzw\n",
         "   MOVv t0.x***, {40500000 00000000 00000000 00000000}.xyzw\n"
         "   MOVv t1.xy**, -a0.xyzw\n"
         "   ADDv t2.x***, a0.xyzw, c0.xyzw\n"
         "   MOVv t3.x***, a0.xyzw\n"
         "   ADDv t4.x***, {00000000 00000000 00000000 00000000}.xyzw, "
         "a0.xyzw\n"
         "   MULv t5.xy**, {3f800000 bf800000 00000000 00000000}.xyzw, "
         "a0.xyzw\n");
   /* 2 >= 3, 2 >= -3; floor of -1.5; 1 / 4; 0.75 + 0.75 clamped. */
   check(optimize_fold,
         "   SGEv cr1.xy**, {40000000 40000000 0 0}.xyzw, "
         "{40400000 c0400000 0 0}.xyzw\n"
         "   FLRv t0.x***, -{3fc00000 0 0 0}.xyzw\n"
         "   RCPs t0.*y**, {40800000 0 0 0}.xyzw\n"
         "   ADDv_sat t0.**z*, {0 0 3f400000 0}.xyzw, {0 0 3f400000 0}.xyzw\n",
         "   MOVv cr1.xy**, {00000000 3f800000 00000000 00000000}.xyzw\n"
         "   MOVv t0.x***, {c0000000 00000000 00000000 00000000}.xyzw\n"
         "   MOVv t0.*y**, {00000000 3e800000 00000000 00000000}.xyzw\n"
         "   MOVv t0.**z*, {00000000 00000000 3f800000 00000000}.xyzw\n");
}

/* 0 < x is -x < x, and x >= -0 is x >= -x. 1 < x is only that. */
static void
comparisons_need_no_zero(void **state)
{
   (void)state;
   check(optimize_fold,
         "   SLTv t0.xy**, {0 0 3f800000 0}.xyzw, a0.zwzw\n"
         "   SGEv cr1.x***, -abs(a0.yyyy), {80000000 0 0 0}.xyzw\n",
         "   SLTv t0.xy**, -a0.zwzw, a0.zwzw\n"
         "   SGEv cr1.x***, -abs(a0.yyyy), abs(a0.yyyy)\n");
   leave(optimize_fold,
         "   SLTv t0.xy**, {00000000 3f800000 00000000 00000000}.xyzw, "
         "a0.xyzw\n"
         "   MAXv t1.x***, {00000000 00000000 00000000 00000000}.xyzw, "
         "a0.xyzw\n");
}

static void
needless_saturation_goes(void **state)
{
   (void)state;
   check(optimize_fold,
         "   MOVv_sat t0.xyz*, {40000000 c0000000 3f000000 0}.xyzw\n"
         "   SEQv_sat t1.x***, a0.xyzw, c0.xyzw\n",
         "   MOVv t0.xyz*, {3f800000 00000000 3f000000 00000000}.xyzw\n"
         "   SEQv t1.x***, a0.xyzw, c0.xyzw\n");
   leave(optimize_fold, "   FRCv_sat t1.x***, a0.xyzw\n");
}

/* ---- blend --------------------------------------------------------------- */

/* From 1 to 0 it is -1, from 0 to 1 it is 1. */
static void
choices_of_literals_are_computed(void **state)
{
   (void)state;
   check(optimize_blend,
         "   SGEv cr1.x***, a0.xyzw, c0.xyzw\n"
         "   MOVv export1.xyzw, {3f800000 0 0 40000000}.xyzw\n"
         "   (cr1.xxxx <>) MOVv export1.xyz*, {0 3f800000 0 0}.xyzw\n",
         "   SGEv t0 cr1.x***, a0.xyzw, c0.xyzw\n"
         "   NOPv\n"
         "   MADv export1.xyzw, t0.xxxx, "
         "{bf800000 3f800000 00000000 00000000}.xyzw, "
         "{3f800000 00000000 00000000 40000000}.xyzw\n");
   /* 2 where both are so, else 0, as a product; y chooses for x. */
   check(
      optimize_blend,
      "   SLTv t0.xy**, a0.xyzw, c0.xyzw\n"
      "   MULv t1 cr1.*y**, t0.xxxx, t0.yyyy\n"
      "   MOVv t2.x***, {40000000 0 0 0}.xyzw\n"
      "   (cr1.yyyy =) MOVv t2.x***, {0 0 0 0}.xyzw\n"
      "   MULv export0.x***, t2.xyzw, a0.xyzw\n",
      "   SLTv t0.xy**, a0.xyzw, c0.xyzw\n"
      "   MULv t1 cr1.*y**, t0.xxxx, t0.yyyy\n"
      "   NOPv\n"
      "   MULv t2.x***, t1.yyyy, {40000000 00000000 00000000 00000000}.xyzw\n"
      "   MULv export0.x***, t2.xyzw, a0.xyzw\n");
}

static void
choices_that_are_not_exact_stay(void **state)
{
   (void)state;
   /* 1e8 + (1 - 1e8) = 0; 0 * 1 + -0 = 0. */
   leave(optimize_blend,
         "   SGEv cr1.x***, a0.xyzw, c0.xyzw\n"
         "   MOVv export1.x***, {4cbebc20 00000000 00000000 00000000}.xyzw\n"
         "   (cr1.xxxx <>) MOVv export1.x***, "
         "{3f800000 00000000 00000000 00000000}.xyzw\n");
   leave(optimize_blend,
         "   SGEv cr1.x***, a0.xyzw, c0.xyzw\n"
         "   MOVv export1.x***, {80000000 00000000 00000000 00000000}.xyzw\n"
         "   (cr1.xxxx <>) MOVv export1.x***, "
         "{3f800000 00000000 00000000 00000000}.xyzw\n");
   /* No truth value; something else sets the condition; what is there before is
    * read. */
   leave(optimize_blend,
         "   ADDv cr1.x***, a0.xyzw, c0.xyzw\n"
         "   MOVv export1.x***, {00000000 00000000 00000000 00000000}.xyzw\n"
         "   (cr1.xxxx <>) MOVv export1.x***, "
         "{3f800000 00000000 00000000 00000000}.xyzw\n");
   leave(optimize_blend,
         "   SGEv cr1.x***, a0.xyzw, c0.xyzw\n"
         "   MOVv cr1.x***, a1.xyzw\n"
         "   MOVv export1.x***, {00000000 00000000 00000000 00000000}.xyzw\n"
         "   (cr1.xxxx <>) MOVv export1.x***, "
         "{3f800000 00000000 00000000 00000000}.xyzw\n");
   leave(optimize_blend,
         "   SGEv cr1.x***, a0.xyzw, c0.xyzw\n"
         "   MOVv t0.x***, {00000000 00000000 00000000 00000000}.xyzw\n"
         "   MULv export0.x***, t0.xyzw, a0.xyzw\n"
         "   (cr1.xxxx <>) MOVv t0.x***, "
         "{3f800000 00000000 00000000 00000000}.xyzw\n"
         "   MULv export1.x***, t0.xyzw, a0.xyzw\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(constants_pass_branches),
      cmocka_unit_test(indices_and_predicates_are_known),
      cmocka_unit_test(constants_keep_to_ports),
      cmocka_unit_test(literals_are_computed),
      cmocka_unit_test(comparisons_need_no_zero),
      cmocka_unit_test(needless_saturation_goes),
      cmocka_unit_test(choices_of_literals_are_computed),
      cmocka_unit_test(choices_that_are_not_exact_stay),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
