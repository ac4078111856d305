/* SPDX-License-Identifier: MIT
 *
 * Passes that change where results go, and drop those of no use.
 */
#include "pass_listing.h"

/* ---- split --------------------------------------------------------------- */

static void
registers_are_split(void **state)
{
   (void)state;
   check(optimize_split,
         "   MOVv t0.x***, a0.xyzw\n"
         "   MOVv export0.x***, t0.xyzw\n"
         "   MOVv t0.x***, a1.xyzw\n"
         "   MOVv t0.*y**, a2.xyzw\n"
         "   MOVv export1.xy**, t0.xyzw\n",
         "   MOVv t0.x***, a0.xyzw\n"
         "   MOVv export0.x***, t0.xyzw\n"
         "   MOVv t1.x***, a1.xyzw\n"
         "   MOVv t1.*y**, a2.xyzw\n"
         "   MOVv export1.xy**, t1.xyzw\n");
   /* Around a loop it is one. */
   check_listing(optimize_split,
                 "block 0\n"
                 "   MOVv t2.x***, a0.xyzw\n"
                 "block 1\n"
                 "   ADDv t2.x***, t2.xyzw, c0.xyzw\n"
                 "   MOVv cr0.x***, t2.xyzw\n"
                 "   (cr0.xxxx <) BRAs block 1\n"
                 "block 2, the end\n"
                 "   MOVv t2.x***, a0.xyzw\n"
                 "   MOVv export0.x***, t2.xyzw\n",
                 "block 0\n"
                 "   MOVv t0.x***, a0.xyzw\n"
                 "block 1\n"
                 "   ADDv t0.x***, t0.xyzw, c0.xyzw\n"
                 "   MOVv cr0.x***, t0.xyzw\n"
                 "   (cr0.xxxx <) BRAs block 1\n"
                 "block 2, the end\n"
                 "   MOVv t1.x***, a0.xyzw\n"
                 "   MOVv export0.x***, t1.xyzw\n");
}

/* ---- forward ------------------------------------------------------------- */

static void
results_go_where_they_are_wanted(void **state)
{
   (void)state;
   check(optimize_forward,
         "   MULv t0.xy**, a0.xyzw, c0.xyzw\n"
         "   DP4v t0.**z*, a0.xyzw, c0.xyzw\n"
         "   MOVv_sat export0.xyzw, t0.yxzz\n",
         "   MULv_sat export0.xy**, a0.yxzz, c0.yxzz\n"
         "   DP4v_sat export0.**zw, a0.xyzw, c0.xyzw\n"
         "   NOPv\n");
   /* Read elsewhere, with the same components. */
   check(optimize_forward,
         "   MULv t0.xy**, a0.xyzw, c0.xyzw\n"
         "   MOVv export0.xy**, t0.xyzw\n"
         "   MOVv export1.xy**, t0.yxzw\n",
         "   MULv t0 export0.xy**, a0.xyzw, c0.xyzw\n"
         "   NOPv\n"
         "   MOVv export1.xy**, t0.yxzw\n");
   /* Others; with a sign; behind another export to the same place. */
   leave(optimize_forward, "   MULv t0.xy**, a0.xyzw, c0.xyzw\n"
                           "   MOVv export0.x***, t0.xyzw\n"
                           "   MOVv export1.xy**, t0.yxzw\n");
   leave(optimize_forward, "   MULv t0.xy**, a0.xyzw, c0.xyzw\n"
                           "   MOVv export0.xy**, -t0.xyzw\n");
   leave(optimize_forward, "   MULv t0.xy**, a0.xyzw, c0.xyzw\n"
                           "   MOVv export0.x***, a0.xyzw\n"
                           "   MOVv export0.xy**, t0.xyzw\n");
}

static void
choices_go_where_they_are_wanted(void **state)
{
   (void)state;
   check(optimize_forward,
         "   MOVv t0.xy**, c0.xyzw\n"
         "   (cr1.xyxx <) MOVv t0.xy**, a0.zwzw\n"
         "   MOVv_sat export0.xy**, t0.yxzw\n",
         "   MOVv_sat export0.xy**, c0.yxzw\n"
         "   (cr1.yxxx <) MOVv_sat export0.xy**, a0.wzzw\n"
         "   NOPv\n");
   /* What was there is of another block; it is read before the choice, in
    * other components; the choice is read elsewhere. */
   leave(optimize_forward, "   (cr1.xyxx <) MOVv t0.xy**, a0.zwzw\n"
                           "   MOVv export0.xy**, t0.xyzw\n");
   leave(optimize_forward, "   MOVv t0.xy**, c0.xyzw\n"
                           "   MULv t0.x***, t0.yyyy, t0.yyyy\n"
                           "   (cr1.xyxx <) MOVv t0.*y**, a0.zwzw\n"
                           "   MOVv export0.xy**, t0.xyzw\n");
   leave(optimize_forward, "   MOVv t0.xy**, c0.xyzw\n"
                           "   (cr1.xyxx <) MOVv t0.xy**, a0.zwzw\n"
                           "   MOVv export0.xy**, t0.xyzw\n"
                           "   MULv export1.xy**, t0.xyzw, t0.xyzw\n");
}

/* ---- condition ----------------------------------------------------------- */

static void
conditions_are_set_where_they_are_computed(void **state)
{
   (void)state;
   check(optimize_condition,
         "   SGEv t0.*y**, a0.xyzw, c0.xyzw\n"
         "   MOVv cr1.xyzw, t0.yyyy\n"
         "   (cr1.xyzw <>) MOVv export0.xyzw, c1.xyzw\n",
         "   SGEv t0 cr1.*y**, a0.xyzw, c0.xyzw\n"
         "   NOPv\n"
         "   (cr1.yyyy <>) MOVv export0.xyzw, c1.xyzw\n");
   check(optimize_condition,
         "   ADDv t0.xy**, a0.xyzw, c0.xyzw\n"
         "   MOVv cr1.xy**, t0.xyzw\n"
         "   (cr1.xyxx <) MOVv export0.xy**, c1.xyzw\n",
         "   ADDv t0 cr1.xy**, a0.xyzw, c0.xyzw\n"
         "   NOPv\n"
         "   (cr1.xyxx <) MOVv export0.xy**, c1.xyzw\n");
   /* It is set; it was set again. */
   check(optimize_condition,
         "   SEQv t0 cr1.xy**, a0.xyzw, c0.xyzw\n"
         "   (cr1.xxxx >) MOVv export0.xyzw, c1.xyzw\n"
         "   MOVv cr1.*y**, t0.yyyy\n"
         "   (cr1.yyyy >) MOVv export0.xyzw, c2.xyzw\n",
         "   SEQv t0 cr1.xy**, a0.xyzw, c0.xyzw\n"
         "   (cr1.xxxx >) MOVv export0.xyzw, c1.xyzw\n"
         "   NOPv\n"
         "   (cr1.yyyy >) MOVv export0.xyzw, c2.xyzw\n");
   leave(optimize_condition, "   SEQv t0 cr1.x***, a0.xyzw, c0.xyzw\n"
                             "   MOVv cr1.x***, a1.xyzw\n"
                             "   (cr1.xxxx >) MOVv export0.xyzw, c1.xyzw\n"
                             "   MOVv cr1.x***, t0.xxxx\n"
                             "   (cr1.xxxx >) MOVv export0.xyzw, c2.xyzw\n");
   /* Something else is looked at between; y of the condition is needed. */
   leave(optimize_condition, "   MOVv cr1.x***, a0.xyzw\n"
                             "   SGEv t0.x***, a0.xyzw, c0.xyzw\n"
                             "   (cr1.xxxx <>) MOVv export0.xyzw, c1.xyzw\n"
                             "   MOVv cr1.x***, t0.xyzw\n"
                             "   (cr1.xxxx <>) MOVv export1.xyzw, c1.xyzw\n");
   leave(optimize_condition, "   MOVv cr1.*y**, a0.xyzw\n"
                             "   SGEv t0.xy**, a0.xyzw, c0.xyzw\n"
                             "   MOVv cr1.x***, t0.xyzw\n"
                             "   (cr1.xyxx <>) MOVv export1.xy**, c1.xyzw\n");
}

/* ---- coalesce ------------------------------------------------------------ */

static void
registers_of_a_move_become_one(void **state)
{
   (void)state;
   check(optimize_coalesce,
         "   FRCv t0.xy**, a0.xyzw\n"
         "   MOVv t1.x***, t0.yyyy\n"
         "   (cr1.xxxx <) MOVv t1.x***, t0.xxxx\n"
         "   MULv export0.x***, t1.xyzw, c0.xyzw\n",
         "   FRCv t0.xy**, a0.xyzw\n"
         "   NOPv\n"
         "   (cr1.xxxx <) MOVv t0.*y**, t0.xxxx\n"
         "   MULv export0.x***, t0.yxzw, c0.xyzw\n");
   check(optimize_coalesce, "   MOVv t0.xy**, t0.xyzw\n", "   NOPv\n");
   /* Around a loop. */
   check_listing(optimize_coalesce,
                 "block 0\n"
                 "   MOVv t0.x***, a0.xyzw\n"
                 "block 1\n"
                 "   MOVv t1.*y**, t0.xxxx\n"
                 "   ADDv t1.*y**, t1.xyzw, c0.xyzw\n"
                 "   MOVv t0.x***, t1.yyyy\n"
                 "   (cr0.xxxx <) BRAs block 1\n"
                 "block 2, the end\n",
                 "block 0\n"
                 "   MOVv t0.x***, a0.xyzw\n"
                 "block 1\n"
                 "   NOPv\n"
                 "   ADDv t0.x***, t0.xyzw, c0.yxzw\n"
                 "   NOPv\n"
                 "   (cr0.xxxx <) BRAs block 1\n"
                 "block 2, the end\n");
   /* What was moved is still read; the export has it in x. */
   leave(optimize_coalesce, "   FRCv t0.xy**, a0.xyzw\n"
                            "   MOVv t1.x***, t0.yyyy\n"
                            "   (cr1.xxxx <) MOVv t1.x***, t0.xxxx\n"
                            "   MULv export0.x***, t1.xyzw, t0.yyyy\n");
   leave(optimize_coalesce, "   FRCv t0.xy**, a0.xyzw\n"
                            "   MOVv t1.x***, t0.yyyy\n"
                            "   (cr1.xxxx <) MOVv t1 export0.x***, t0.xxxx\n"
                            "   MULv export1.x***, t1.xyzw, c0.xyzw\n");
}

/* ---- dead ---------------------------------------------------------------- */

static void
dead_components_go(void **state)
{
   (void)state;
   check(optimize_dead,
         "   MULv t0.xyzw, a0.xyzw, a0.xyzw\n"
         "   RCPs t1.x***, a0.xxxx\n"
         "   MOVv export0.x***, c0.xyzw\n"
         "   MOVv export0.xy**, t0.zwzw\n",
         "   MULv t0.**zw, a0.xyzw, a0.xyzw\n"
         "   MOVv export0.xy**, t0.zwzw\n");
   /* What is written under a predicate was needed before. */
   leave(optimize_dead, "   MOVv t0.x***, a0.xyzw\n"
                        "   MOVv cr1.x***, a1.xyzw\n"
                        "   (cr1.xxxx <) MOVv t0.x***, a2.xyzw\n"
                        "   MOVv export0.x***, t0.xyzw\n");
   check_listing(optimize_dead,
                 "block 0\n"
                 "   MOVv t0.x***, a0.xyzw\n"
                 "   MOVv t1.x***, a0.xyzw\n"
                 "block 1\n"
                 "   MOVv cr0.x***, t0.xyzw\n"
                 "   (cr0.xxxx <) BRAs block 1\n"
                 "block 2, the end\n",
                 "block 0\n"
                 "   MOVv t0.x***, a0.xyzw\n"
                 "block 1\n"
                 "   MOVv cr0.x***, t0.xyzw\n"
                 "   (cr0.xxxx <) BRAs block 1\n"
                 "block 2, the end\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_are_split),
      cmocka_unit_test(results_go_where_they_are_wanted),
      cmocka_unit_test(choices_go_where_they_are_wanted),
      cmocka_unit_test(conditions_are_set_where_they_are_computed),
      cmocka_unit_test(registers_of_a_move_become_one),
      cmocka_unit_test(dead_components_go),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
