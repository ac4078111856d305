/* SPDX-License-Identifier: MIT
 *
 * Passes that compute the same with other operations, or with fewer.
 */
#include "pass_listing.h"

/* ---- copy ---------------------------------------------------------------- */

static void
copies_are_read_through(void **state)
{
   (void)state;
   check(optimize_copy,
         "   MOVv t0.xyzw, -abs(a0.wzyx)\n"
         "   MOVv export0.xy**, -t0.wzyx\n"
         "   MOVv export1.xy**, abs(t0.xyzw)\n",
         "   MOVv t0.xyzw, -abs(a0.wzyx)\n"
         "   MOVv export0.xy**, abs(a0.xyxx)\n"
         "   MOVv export1.xy**, abs(a0.wzww)\n");
   /* Literals of several moves, with their signs. */
   check(optimize_copy,
         "   MOVv t0.x***, {3f800000 0 0 0}.xyzw\n"
         "   MOVv t0.*y**, -{0 40000000 0 0}.xyzw\n"
         "   MULv export0.xy**, a0.xyzw, t0.yxyx\n",
         "   MOVv t0.x***, {3f800000 00000000 00000000 00000000}.xyzw\n"
         "   MOVv t0.*y**, -{00000000 40000000 00000000 00000000}.xyzw\n"
         "   MULv export0.xy**, a0.xyzw, "
         "{c0000000 3f800000 00000000 00000000}.xyzw\n");
   /* x was not moved, but y was, from there. */
   check(optimize_copy,
         "   RCPs t0.x***, a0.wwww\n"
         "   MOVv t0.*y**, t0.xxxx\n"
         "   MULv export0.xyz*, a0.xyzw, t0.xyxw\n",
         "   RCPs t0.x***, a0.wwww\n"
         "   MOVv t0.*y**, t0.xxxx\n"
         "   MULv export0.xyz*, a0.xyzw, t0.xxxx\n");
   leave(optimize_copy, "   RCPs t0.x***, a0.wwww\n"
                        "   MOVv t0.*y**, -t0.xxxx\n"
                        "   MULv export0.xy**, a0.xyzw, t0.xyzw\n");
   /* Two attributes are no source; what changed is no more what was read; a
    * saturated move is none. */
   leave(optimize_copy, "   MOVv t0.x***, a0.xyzw\n"
                        "   MOVv t0.*y**, a1.xyzw\n"
                        "   MOVv export0.xy**, t0.xyzw\n");
   leave(optimize_copy, "   MULv t1.x***, a0.xyzw, a0.xyzw\n"
                        "   MOVv t0.x***, t1.xyzw\n"
                        "   MULv t1.x***, a1.xyzw, a0.xyzw\n"
                        "   MOVv export0.x***, t0.xyzw\n");
   leave(optimize_copy, "   MOVv_sat t0.x***, a0.xyzw\n"
                        "   MOVv export0.x***, t0.xyzw\n");
   leave(optimize_copy, "   MOVv t0.x***, c[A0.x + 1].xyzw\n"
                        "   ARLv.x***, a0.xyzw\n"
                        "   MOVv export0.x***, t0.xyzw\n");
}

/* ---- common -------------------------------------------------------------- */

static void
what_was_computed_is_used(void **state)
{
   (void)state;
   check(optimize_common,
         "   MULv t0.xyz*, a0.xyzw, a1.xyzw\n"
         "   MULv t1.*y**, a0.xyzw, a1.xyzw\n"
         "   DP3v t2.*y**, a0.xyzw, a1.xyzw\n"
         "   DP3v export0.xyzw, a0.xyzw, a1.xyzw\n",
         "   MULv t0.xyz*, a0.xyzw, a1.xyzw\n"
         "   MOVv t1.*y**, t0.xyzw\n"
         "   DP3v t2.*y**, a0.xyzw, a1.xyzw\n"
         "   MOVv export0.xyzw, t2.yyyy\n");
   leave(optimize_common, "   MULv t0.x***, a0.xyzw, t0.xyzw\n"
                          "   MULv t1.x***, a0.xyzw, t0.xyzw\n"
                          "   MULv_sat t2.x***, a0.xyzw, t0.xyzw\n"
                          "   MULv t3.*y**, a0.xyzw, t0.xyzw\n");
}

/* ---- absolute ------------------------------------------------------------ */

/* Of 0 and -0 the second is the greater, so they are absolute values where the
 * sign of 0 does not matter. */
static void
magnitudes_are_read(void **state)
{
   (void)state;
   check(optimize_absolute,
         "   MAXv t0.xy**, a0.yxzw, -a0.yxzw\n"
         "   SEQv export0.x***, t0.yyyy, c0.xyzw\n"
         "   ADDv export1.x***, -t0.xyzw, {3f800000 0 0 0}.xyzw\n"
         "   MULv_sat export2.xy**, t0.xyzw, c0.xyzw\n",
         "   MAXv t0.xy**, a0.yxzw, -a0.yxzw\n"
         "   SEQv export0.x***, abs(a0.xxxx), c0.xyzw\n"
         "   ADDv export1.x***, -abs(a0.yxzw), "
         "{3f800000 00000000 00000000 00000000}.xyzw\n"
         "   MULv_sat export2.xy**, abs(a0.yxzw), c0.xyzw\n");
   check(optimize_absolute,
         "   MINv t0.x***, a0.xyzw, -a0.xyzw\n"
         "   SLTv cr1.x***, t0.xyzw, c0.xyzw\n"
         "   MADv export0.x***, t1.xyzw, t0.xyzw, {bf800000 0 0 0}.xyzw\n",
         "   MINv t0.x***, a0.xyzw, -a0.xyzw\n"
         "   SLTv cr1.x***, -abs(a0.xyzw), c0.xyzw\n"
         "   MADv export0.x***, t1.xyzw, -abs(a0.xyzw), "
         "{bf800000 00000000 00000000 00000000}.xyzw\n");
}

static void
magnitudes_with_signs_of_zero_stay(void **state)
{
   (void)state;
   leave(optimize_absolute, "   MAXv t0.x***, a0.xyzw, -a0.xyzw\n"
                            "   MOVv export0.x***, t0.xyzw\n"
                            "   RCPs export1.x***, t0.xxxx\n"
                            "   MULv export2.x***, t0.xyzw, c0.xyzw\n"
                            "   ADDv export3.x***, t0.xyzw, "
                            "{80000000 00000000 00000000 00000000}.xyzw\n"
                            "   MAXv export4.x***, t0.xyzw, "
                            "{bf800000 00000000 00000000 00000000}.xyzw\n");
   /* Another component; two attributes. */
   leave(optimize_absolute, "   MAXv t0.x***, a0.xyzw, -a0.yyyy\n"
                            "   SEQv export0.x***, t0.xyzw, c0.xyzw\n");
   leave(optimize_absolute, "   MAXv t0.x***, a0.xyzw, -a0.xyzw\n"
                            "   SEQv export0.x***, t0.xyzw, a1.xyzw\n");
}

/* ---- fuse ---------------------------------------------------------------- */

static void
products_are_added(void **state)
{
   (void)state;
   check(optimize_fuse,
         "   MULv t0.xyzw, a0.xyzw, c0.wzyx\n"
         "   ADDv export0.xy**, t1.xyzw, -t0.zwzw\n",
         "   MULv t0.xyzw, a0.xyzw, c0.wzyx\n"
         "   MADv export0.xy**, -a0.zwzw, c0.yxyx, t1.xyzw\n");
   /* Read elsewhere; two constants; a saturated product. */
   leave(optimize_fuse, "   MULv t0.xyzw, a0.xyzw, c0.wzyx\n"
                        "   ADDv export0.xy**, t1.xyzw, -t0.zwzw\n"
                        "   MOVv export1.xyzw, t0.xyzw\n");
   leave(optimize_fuse, "   MULv t0.xyzw, a0.xyzw, c0.wzyx\n"
                        "   ADDv export0.xy**, c1.xyzw, t0.zwzw\n");
   leave(optimize_fuse, "   MULv_sat t0.xyzw, a0.xyzw, c0.wzyx\n"
                        "   ADDv export0.xy**, t1.xyzw, t0.zwzw\n");
}

/* ---- dot ----------------------------------------------------------------- */

/* ((y + x) + z) + w, as DP4 adds, and three likewise. */
static void
sums_of_products_are_dot_products(void **state)
{
   (void)state;
   check(optimize_dot,
         "   MULv t0.*y**, a0.xyzw, c0.xyzw\n"
         "   MADv t1.x***, a0.xxxx, c0.xxxx, t0.yyyy\n"
         "   MADv t1.x***, c0.zzzz, a0.zzzz, t1.xxxx\n"
         "   MADv_sat export0.*y**, a0.wwww, c0.wwww, t1.xxxx\n",
         "   NOPv\n"
         "   NOPv\n"
         "   NOPv\n"
         "   DP4v_sat export0.*y**, a0.yxzw, c0.yxzw\n");
   check(optimize_dot,
         "   MULv t0.x***, -t1.xxxx, {40000000 0 0 0}.xyzw\n"
         "   MADv t0.x***, -t1.yyyy, {40400000 0 0 0}.xyzw, t0.xxxx\n"
         "   MADv t0.x***, -t1.zzzz, {40800000 0 0 0}.xyzw, t0.xxxx\n"
         "   MADv export0.x***, a0.xyzw, c0.xyzw, t0.xxxx\n",
         "   NOPv\n"
         "   NOPv\n"
         "   DP3v t0.x***, -t1.xyzx, "
         "{40000000 40400000 40800000 00000000}.xyzw\n"
         "   MADv export0.x***, a0.xyzw, c0.xyzw, t0.xxxx\n");
}

static void
factors_come_to_one_register(void **state)
{
   (void)state;
   check(optimize_dot,
         "   ADDv t0.xy**, a0.xyzw, c0.xyzw\n"
         "   ADDv t1.xy**, a0.xyzw, c1.xyzw\n"
         "   MULv t2.x***, t0.xxxx, t0.xxxx\n"
         "   MADv t3.x***, t0.yyyy, t0.yyyy, t2.xxxx\n"
         "   MADv t4.x***, t1.xxxx, t1.xxxx, t3.xxxx\n"
         "   MADv export0.x***, t1.yyyy, t1.yyyy, t4.xxxx\n",
         "   ADDv t0.xy**, a0.xyzw, c0.xyzw\n"
         "   ADDv t0.**zw, a0.zwxy, c1.zwxy\n"
         "   NOPv\n"
         "   NOPv\n"
         "   NOPv\n"
         "   DP4v export0.x***, t0.xyzw, t0.xyzw\n");
}

static void
other_sums_stay(void **state)
{
   (void)state;
   /* Two attributes; two signs; two terms. */
   leave(optimize_dot, "   MULv t0.x***, a0.xyzw, c0.xyzw\n"
                       "   MADv t0.x***, a0.yyyy, c0.yyyy, t0.xxxx\n"
                       "   MADv export0.x***, a1.zzzz, c0.zzzz, t0.xxxx\n");
   leave(optimize_dot, "   MULv t0.x***, a0.xyzw, c0.xyzw\n"
                       "   MADv t0.x***, a0.yyyy, c0.yyyy, t0.xxxx\n"
                       "   MADv export0.x***, -a0.zzzz, c0.zzzz, t0.xxxx\n");
   leave(optimize_dot, "   MULv t0.x***, a0.xyzw, c0.xyzw\n"
                       "   MADv export0.x***, a0.yyyy, c0.yyyy, t0.xxxx\n");
   /* A sum is read elsewhere; a sum is clamped; a factor is overwritten. */
   leave(optimize_dot, "   MULv t0.x***, a0.xyzw, c0.xyzw\n"
                       "   MADv t1.x***, a0.yyyy, c0.yyyy, t0.xxxx\n"
                       "   MADv export0.x***, a0.zzzz, c0.zzzz, t1.xxxx\n"
                       "   MOVv export1.x***, t1.xxxx\n");
   leave(optimize_dot, "   MULv t0.x***, a0.xyzw, c0.xyzw\n"
                       "   MADv_sat t1.x***, a0.yyyy, c0.yyyy, t0.xxxx\n"
                       "   MADv export0.x***, a0.zzzz, c0.zzzz, t1.xxxx\n");
   leave(optimize_dot, "   MULv t0.x***, t1.xyzw, c0.xyzw\n"
                       "   MADv t1.x***, t1.yyyy, c0.yyyy, t0.xxxx\n"
                       "   MADv export0.x***, t1.zzzz, c0.zzzz, t1.xxxx\n");
}

/* ---- spread -------------------------------------------------------------- */

static void
parts_of_exports_are_computed_there(void **state)
{
   (void)state;
   check(optimize_spread,
         "   MULv t0.xyzw, a0.xyzw, c0.xyzw\n"
         "   MULv t1.xyzw, a0.xxyy, c0.xyzw\n"
         "   MOVv export1.xyz*, t0.wxyw\n"
         "   MOVv_sat export2.x***, t0.zzzz\n"
         "   MOVv_sat export2.*yzw, t1.xxyz\n",
         "   NOPv\n"
         "   NOPv\n"
         "   MULv export1.xyz*, a0.wxyw, c0.wxyw\n"
         "   MULv_sat export2.x***, a0.zzzz, c0.zzzz\n"
         "   MULv_sat export2.*yzw, a0.xxxy, c0.xxyz\n");
   /* Nothing of the kind is there; it is read elsewhere; a factor is not what
    * it was. */
   leave(optimize_spread, "   MULv t0.xyzw, a0.xyzw, c0.xyzw\n"
                          "   MULv t1.xyzw, a0.xxyy, c1.xyzw\n"
                          "   MOVv export1.xyz*, t0.wxyw\n"
                          "   MOVv export2.x***, t0.zzzz\n"
                          "   MOVv export2.*yzw, t1.xxyz\n");
   leave(optimize_spread, "   MULv t0.xyzw, a0.xyzw, c0.xyzw\n"
                          "   MULv t1.xyzw, a0.xxyy, c0.xyzw\n"
                          "   MOVv_sat export2.x***, t0.zzzz\n"
                          "   MOVv export2.*yzw, t1.xxyz\n");
   leave(optimize_spread, "   MULv t0.xyzw, a0.xyzw, c0.xyzw\n"
                          "   MULv t1.xyzw, a0.xxyy, c0.xyzw\n"
                          "   MOVv export2.x***, t0.zzzz\n"
                          "   MOVv export2.*yzw, t1.xxyz\n"
                          "   RCPs export1.x***, t0.xxxx\n"
                          "   RCPs export3.x***, t1.xxxx\n");
   leave(optimize_spread, "   MULv t0.xyzw, t2.xyzw, c0.xyzw\n"
                          "   MULv t1.xyzw, t2.xxyy, c0.xyzw\n"
                          "   ADDv t2.xyzw, t2.xyzw, c0.xyzw\n"
                          "   MOVv export2.x***, t0.zzzz\n"
                          "   MOVv export2.*yzw, t1.xxyz\n"
                          "   RCPs export1.x***, t2.xxxx\n");
}

/* ---- merge --------------------------------------------------------------- */

static void
operations_become_one(void **state)
{
   (void)state;
   check(optimize_merge,
         "   MULv export0.x***, a0.yyyy, c0.xyzw\n"
         "   MULv export0.*y**, c0.wwww, a0.xyzw\n"
         "   ADDv t0.x***, a0.xyzw, {3f800000 0 0 0}.xyzw\n"
         "   ADDv t1.x***, a0.zzzz, {40000000 0 0 0}.xyzw\n"
         "   MOVv export1.xy**, t0.xxxx\n"
         "   MOVv export2.xy**, t1.xxxx\n",
         "   MULv export0.xy**, a0.yyyy, c0.xwzw\n"
         "   NOPv\n"
         "   ADDv t0.xy**, a0.xzzw, "
         "{3f800000 40000000 00000000 00000000}.xyzw\n"
         "   NOPv\n"
         "   MOVv export1.xy**, t0.xxxx\n"
         "   MOVv export2.xy**, t0.yyyy\n");
   /* Registers that are read become one, too. */
   check(optimize_merge,
         "   RSQs t0.x***, a0.xxxx\n"
         "   RSQs t1.x***, a0.yyyy\n"
         "   MULv export0.x***, a1.xyzw, t0.xyzw\n"
         "   MULv export0.*y**, a1.xyzw, t1.xxxx\n",
         "   RSQs t0.x***, a0.xxxx\n"
         "   RSQs t0.*y**, a0.yyyy\n"
         "   MULv export0.xy**, a1.xyzw, t0.xyzw\n"
         "   NOPv\n");
   /* The second reads what the first writes; of 0 and -0 the second is the
    * greater; two attributes; what is between them is in the way of both. */
   leave(optimize_merge, "   MULv t0.x***, t1.xyzw, c0.xyzw\n"
                         "   MULv t0.*y**, t0.xxxx, c0.xyzw\n");
   leave(optimize_merge, "   MAXv t0.x***, a0.xyzw, c0.xyzw\n"
                         "   MAXv t0.*y**, c0.xyzw, a0.xyzw\n");
   leave(optimize_merge, "   MULv t0.x***, a0.xyzw, c0.xyzw\n"
                         "   MULv t0.*y**, a1.xyzw, c0.xyzw\n");
   leave(optimize_merge, "   MULv export0.x***, t0.xxxx, c0.xyzw\n"
                         "   MADv export0.x***, t0.xyzw, t0.xyzw, a0.xyzw\n"
                         "   ADDv t0.*y**, t0.xyzw, a0.xyzw\n"
                         "   MULv export0.*y**, t0.yyyy, c0.xyzw\n");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_are_read_through),
      cmocka_unit_test(what_was_computed_is_used),
      cmocka_unit_test(magnitudes_are_read),
      cmocka_unit_test(magnitudes_with_signs_of_zero_stay),
      cmocka_unit_test(products_are_added),
      cmocka_unit_test(sums_of_products_are_dot_products),
      cmocka_unit_test(factors_come_to_one_register),
      cmocka_unit_test(other_sums_stay),
      cmocka_unit_test(parts_of_exports_are_computed_there),
      cmocka_unit_test(operations_become_one),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
