/* SPDX-License-Identifier: MIT
 *
 * Each pass by itself, as listings before and after, and what it must leave
 * alone.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "mir_text.h"
#include "tegra/optimize.h"

typedef enum tg_result (*pass)(struct mir *mir, bool *changed);

static void
check_listing(pass run, const char *before, const char *after)
{
   struct mir mir;
   bool changed = false;

   mir_read(&mir, before);
   assert_int_equal(run(&mir, &changed), TG_OK);
   assert_mir(&mir, after);
   mir_finish(&mir);
}

/* Of a program of one block, without its first line. */
static void
check(pass run, const char *before, const char *after)
{
   char texts[2][1024];

   snprintf(texts[0], sizeof(texts[0]), "block 0, the end\n%s", before);
   snprintf(texts[1], sizeof(texts[1]), "block 0, the end\n%s", after);
   check_listing(run, texts[0], texts[1]);
}

static void
leave(pass run, const char *operations)
{
   check(run, operations, operations);
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
   check_listing(optimize_flow, kept, kept);
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
   check_listing(optimize_constant, text, text);
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
   check_listing(optimize_inline, text, text);
}

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
   static const char counts[][64] = {
      "a0.xyzw", "{42c80000 00000000 00000000 00000000}.xyzw"};

   (void)state;
   for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
      char text[512];

      snprintf(text, sizeof(text),
               "block 0\n"
               "   MOVv t0.x***, %s\n"
               "block 1\n"
               "   ADDv t1.x***, t1.xyzw, a1.xyzw\n"
               "   ADDv t0.x***, t0.xyzw, "
               "{bf800000 00000000 00000000 00000000}.xyzw\n"
               "   MOVv cr0.x***, t0.xyzw\n"
               "   (cr0.xxxx >) BRAs block 1\n"
               "block 2, the end\n"
               "   MOVv export0.x***, t1.xyzw\n",
               counts[i]);
      check_listing(optimize_unroll, text, text);
   }
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
   check_listing(optimize_rotate, kept, kept);
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
   check_listing(optimize_hoist, text, text);
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
   for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
      char text[1024];

      snprintf(text, sizeof(text),
               "block 0\n"
               "   MOVv t0.x***, a3.xyzw\n"
               "   MOVv t1.x***, a3.xyzw\n"
               "   MOVv cr0.x***, a0.xyzw\n"
               "   (cr0.xxxx =) BRAs block 2\n"
               "block 1\n"
               "%s"
               "block 2, the end\n"
               "   MOVv export0.x***, t0.xyzw\n"
               "   MOVv export1.x***, t1.xyzw\n",
               kept[i]);
      check_listing(optimize_predicate, text, text);
   }
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
   check_listing(optimize_predicate, text, text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(dead_components_go),
      cmocka_unit_test(registers_are_split),
      cmocka_unit_test(copies_are_read_through),
      cmocka_unit_test(what_was_computed_is_used),
      cmocka_unit_test(products_are_added),
      cmocka_unit_test(magnitudes_are_read),
      cmocka_unit_test(magnitudes_with_signs_of_zero_stay),
      cmocka_unit_test(sums_of_products_are_dot_products),
      cmocka_unit_test(factors_come_to_one_register),
      cmocka_unit_test(other_sums_stay),
      cmocka_unit_test(parts_of_exports_are_computed_there),
      cmocka_unit_test(literals_are_computed),
      cmocka_unit_test(comparisons_need_no_zero),
      cmocka_unit_test(needless_saturation_goes),
      cmocka_unit_test(operations_become_one),
      cmocka_unit_test(results_go_where_they_are_wanted),
      cmocka_unit_test(choices_go_where_they_are_wanted),
      cmocka_unit_test(conditions_are_set_where_they_are_computed),
      cmocka_unit_test(choices_of_literals_are_computed),
      cmocka_unit_test(choices_that_are_not_exact_stay),
      cmocka_unit_test(registers_of_a_move_become_one),
      cmocka_unit_test(jumps_are_shortened),
      cmocka_unit_test(branches_around_jumps_turn),
      cmocka_unit_test(calls_and_returns_turn),
      cmocka_unit_test(constants_pass_branches),
      cmocka_unit_test(indices_and_predicates_are_known),
      cmocka_unit_test(constants_keep_to_ports),
      cmocka_unit_test(calls_become_what_they_call),
      cmocka_unit_test(long_subroutines_stay),
      cmocka_unit_test(counted_loops_are_unrolled),
      cmocka_unit_test(other_loops_stay),
      cmocka_unit_test(loops_test_at_their_ends),
      cmocka_unit_test(what_does_not_change_leaves_loops),
      cmocka_unit_test(loops_with_calls_keep_all),
      cmocka_unit_test(small_arms_are_gated),
      cmocka_unit_test(chains_of_tests_are_gated),
      cmocka_unit_test(tests_within_tests_are_joined),
      cmocka_unit_test(conditions_without_opposite_stay),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
