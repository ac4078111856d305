/* SPDX-License-Identifier: MIT
 *
 * Two operations in a word: which may, by each rule of dual issue, and how few
 * words blocks come down to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "mir_text.h"
#include "tegra/schedule/gather.h"
#include "tegra/schedule/schedule.h"

static void
check(const char *before, const char *after)
{
   struct compile compile = test_compile(NULL);
   struct mir mir;

   mir_read(&mir, before);
   assert_int_equal(schedule_mir(&compile, &mir, true), TG_OK);
   assert_mir(&mir, after);
   mir_finish(&mir);
}

/* Two operations stay as they are, each in its word. */
static void
refuse(const char *operations)
{
   char text[512];

   snprintf(text, sizeof(text), "block 0, the end\n%s", operations);
   check(text, text);
}

static void
pair(const char *operations)
{
   struct compile compile = test_compile(NULL);
   struct mir mir;
   char text[512];

   snprintf(text, sizeof(text), "block 0, the end\n%s", operations);
   mir_read(&mir, text);
   assert_int_equal(schedule_mir(&compile, &mir, true), TG_OK);
   assert_null(mir_verify(&mir));
   assert_int_equal(mir.blocks[0].num_ops, 2);
   assert_true(mir.blocks[0].ops[1].paired);
   mir_finish(&mir);
}

/* 1. One constant, one attribute, one component of A0. */
static void
ports_are_shared(void **state)
{
   (void)state;
   pair("   MULv t0.xyzw, c1.xyzw, a1.xyzw\n   RCPs t1.x***, c1.wwww\n");
   pair("   MULv t0.xyzw, c1.xyzw, a1.xyzw\n   RCPs t1.x***, a1.wwww\n");
   refuse("   MULv t0.xyzw, c1.xyzw, a1.xyzw\n   RCPs t1.x***, c2.wwww\n");
   refuse("   MULv t0.xyzw, c1.xyzw, a1.xyzw\n   RCPs t1.x***, a0.wwww\n");
   refuse("   MULv t0.xyzw, c1.xyzw, a1.xyzw\n"
          "   RCPs t1.x***, c[A0.x + 1].wwww\n");
   pair("   MULv t0.xyzw, c[A0.x + 1].xyzw, a1.xyzw\n"
        "   RCPs t1.x***, c[A0.x + 1].wwww\n");
   refuse("   MULv t0.xyzw, c[A0.x + 1].xyzw, a1.xyzw\n"
          "   RCPs t1.x***, a[A0.y + 1].wwww\n");
}

/* 2. ADD and MAD share rC; of it only the lanes that are used. */
static void
third_source_is_shared(void **state)
{
   (void)state;
   pair("   ADDv t0.xyzw, t1.xyzw, t2.wyzx\n   RCPs t3.x***, t2.wwww\n");
   refuse("   ADDv t0.xyzw, t1.xyzw, t2.xyzw\n   RCPs t3.x***, t2.wwww\n");
   pair("   ADDv t0.*yzw, t1.xyzw, t2.xyzw\n   RCPs t3.x***, t2.wwww\n");
   refuse("   ADDv t0.*yzw, t1.xyzw, t2.xyzw\n   RCPs t3.x***, -t2.wwww\n");
   refuse("   MADv t0.*yzw, t1.xyzw, t1.xyzw, t2.xyzw\n"
          "   RCPs t3.x***, t4.wwww\n");
   /* Numbers of virtual registers do not fit the field. */
   refuse("   MADv t0.*yzw, t1.xyzw, t1.xyzw, t2.xyzw\n"
          "   RCPs t3.x***, t66.wwww\n");
   /* The other way around. */
   check("block 0, the end\n"
         "   ADDv t0.xyzw, t2.wyzx, t1.xyzw\n"
         "   RCPs t3.x***, t2.wwww\n",
         "block 0, the end\n"
         "   ADDv t0.xyzw, t1.xyzw, t2.wyzx\n"
         " & RCPs t3.x***, t2.wwww\n");
}

/* 3. A target stands in the swizzle of rC. */
static void
branches_go_without_third_source(void **state)
{
   (void)state;
   pair("   MULv t0.xyzw, t1.xyzw, t2.xyzw\n   BRAs block 0\n");
   refuse("   ADDv t0.xyzw, t1.xyzw, t2.xyzw\n   BRAs block 0\n");
   pair("   ADDv t0.xyzw, t1.xyzw, t2.xyzw\n   RETs\n");
   pair("   MOVv t0.xyzw, t1.xyzw\n   (cr0.xxxx =) BRAs block 0\n");
   refuse("   (cr0.xxxx =) MOVv t0.xyzw, t1.xyzw\n"
          "   (cr0.xxxx =) BRAs block 0\n");
}

/* 4. to 7. One export, one saturation, one predicate, one condition; two
 * destinations. */
static void
gates_are_shared(void **state)
{
   (void)state;
   refuse("   MULv export0.xyzw, t1.xyzw, t2.xyzw\n"
          "   RCPs export1.x***, t1.wwww\n");
   pair("   MULv export0.xyzw, t1.xyzw, t2.xyzw\n   RCPs t3.x***, t1.wwww\n");
   refuse("   MULv_sat t0.xyzw, t1.xyzw, t2.xyzw\n   RCPs t3.x***, t1.wwww\n");
   pair(
      "   MULv_sat t0.xyzw, t1.xyzw, t2.xyzw\n   RCPs_sat t3.x***, t1.wwww\n");
   pair("   SLTv t0.xyzw, t1.xyzw, t2.xyzw\n   RCPs_sat t3.x***, t1.wwww\n");
   refuse("   (cr0.xxxx <) MULv t0.xyzw, t1.xyzw, t2.xyzw\n"
          "   RCPs t3.x***, t1.wwww\n");
   pair("   (cr0.xxxx <) MULv t0.xyzw, t1.xyzw, t2.xyzw\n"
        "   (cr0.xxxx <) RCPs t3.x***, t1.wwww\n");
   refuse("   (cr0.xxxx <) MULv t0.xyzw, t1.xyzw, t2.xyzw\n"
          "   (cr0.yyyy <) RCPs t3.x***, t1.wwww\n");
   pair("   (cr0.xxxx <) MULv t0.*yzw, t1.xyzw, t2.xyzw\n"
        "   (cr0.yyyy <) RCPs t3.x***, t1.wwww\n");
   refuse("   MULv cr0.x***, t1.xyzw, t2.xyzw\n   RCPs t3.*y**, t1.wwww\n");
   pair("   MULv cr0.x***, t1.xyzw, t2.xyzw\n   RCPs cr0.*y**, t1.wwww\n");
   refuse("   MULv t0.x***, t1.xyzw, t2.xyzw\n   RCPs t0.*y**, t1.wwww\n");
}

/* 8. and 9. What is read was there before the word. */
static void
results_come_first(void **state)
{
   (void)state;
   refuse("   MULv t0.x***, t1.xyzw, t2.xyzw\n   RCPs t3.*y**, t0.xxxx\n");
   pair("   RCPs t3.*y**, t0.xxxx\n   MULv t0.x***, t1.xyzw, t2.xyzw\n");
   refuse("   ARLv.x***, a0.xyzw\n   MOVs t0.xyzw, c[A0.x + 0].xyzw\n");
   refuse("   MOVs t0.xyzw, c[A0.x + 0].xyzw\n   ARLv.x***, a0.xyzw\n");
   pair("   ARLv.x***, a0.xyzw\n   MOVs t0.xyzw, c0.xyzw\n");
   refuse("   PUSHAv\n   CALs block 0\n");
   refuse("   MOVv cr0.x***, t0.xyzw\n   (cr0.xxxx =) BRAs block 0\n");
}

/* A multiplication has room for a move, which becomes scalar. */
static void
moves_change_units(void **state)
{
   (void)state;
   check("block 0, the end\n"
         "   MULv t0.xyzw, a0.xxxx, c0.xyzw\n"
         "   MADv t1.xyzw, a0.yyyy, c1.xyzw, t0.xyzw\n"
         "   MADv export0.xyzw, a0.zzzz, c2.xyzw, t1.xyzw\n"
         "   MOVv export1.xyzw, a0.xyzw\n",
         "block 0, the end\n"
         "   MULv t0.xyzw, a0.xxxx, c0.xyzw\n"
         " & MOVs export1.xyzw, a0.xyzw\n"
         "   MADv t1.xyzw, a0.yyyy, c1.xyzw, t0.xyzw\n"
         "   MADv export0.xyzw, a0.zzzz, c2.xyzw, t1.xyzw\n");
}

/* c4 is the program's: 0, 1, -0, 1. */
static void
check_known_move(const char *move, const char *pair)
{
   static const uint32_t words[4] = {0, 0x3f800000, 0x80000000, 0x3f800000};
   struct compile compile = test_compile(NULL);
   char before[512], after[512];
   struct mir mir;

   snprintf(before, sizeof(before),
            "block 0, the end\n%s   RCPs t1.x***, c0.xxxx\n", move);
   snprintf(after, sizeof(after),
            "block 0, the end\n%s & RCPs t1.x***, c0.xxxx\n", pair ? pair : "");
   mir_read(&mir, before);
   memcpy(mir.constants[4], words, sizeof(words));
   mir.constant_masks[4] = 0xf;
   assert_int_equal(schedule_mir(&compile, &mir, true), TG_OK);
   assert_mir(&mir, pair ? after : before);
   mir_finish(&mir);
}

static void
moves_of_0_and_1_read_no_constant(void **state)
{
   (void)state;
   check_known_move("   MOVv t0.xyzw, c4.xxxx\n", "   SFLv t0.xyzw\n");
   check_known_move("   MOVv export0.xy**, -c4.zzxx\n",
                    "   SFLv export0.xy**\n");
   check_known_move("   MOVv t0.xy**, c4.wyxx\n", "   STRv t0.xy**\n");
   check_known_move("   MOVv t0.x***, c4.zzzz\n", NULL);
   check_known_move("   MOVv t0.x***, -c4.yyyy\n", NULL);
   check_known_move("   MOVv t0.xy**, c4.xyzw\n", NULL);
   check_known_move("   MOVv t0.x***, c5.xyzw\n", NULL);
   check_known_move("   MOVv t0.x***, c[A0.x + 4].xyzw\n", NULL);
}

/* The first multiplication with the first reciprocal leaves two that read
 * different constants. */
static void
the_search_finds_fewer_words(void **state)
{
   (void)state;
   check("block 0, the end\n"
         "   MULv t0.xyzw, t4.xyzw, c0.xyzw\n"
         "   MULv t1.xyzw, t4.xyzw, c1.xyzw\n"
         "   RCPs t2.x***, t4.xxxx\n"
         "   RCPs t3.x***, c0.xxxx\n",
         "block 0, the end\n"
         "   MULv t1.xyzw, t4.xyzw, c1.xyzw\n"
         " & RCPs t2.x***, t4.xxxx\n"
         "   MULv t0.xyzw, t4.xyzw, c0.xyzw\n"
         " & RCPs t3.x***, c0.xxxx\n");
}

/* A position of four products and two more exports: each of six operations has
 * the export of its word, but where the products go to a register first. */
static void
exports_are_gathered(void **state)
{
   (void)state;
   check("block 0, the end\n"
         "   DP4v export0.x***, a0.xyzw, c0.xyzw\n"
         "   DP4v export0.*y**, a0.xyzw, c1.xyzw\n"
         "   DP4v export0.**z*, a0.xyzw, c2.xyzw\n"
         "   DP4v export0.***w, a0.xyzw, c3.xyzw\n"
         "   MOVv export1.xyzw, c0.xyzw\n"
         "   MOVv export2.xyzw, c1.xyzw\n",
         "block 0, the end\n"
         "   DP4v t0.x***, a0.xyzw, c0.xyzw\n"
         " & MOVs export1.xyzw, c0.xyzw\n"
         "   DP4v t0.*y**, a0.xyzw, c1.xyzw\n"
         " & MOVs export2.xyzw, c1.xyzw\n"
         "   DP4v t0.**z*, a0.xyzw, c2.xyzw\n"
         "   DP4v t0.***w, a0.xyzw, c3.xyzw\n"
         "   MOVv export0.xyzw, t0.xyzw\n");
}

/* The last operation can share a word with none, for its constant or its
 * export. If the first one leaves its export to a move both find room. */
static void
exports_come_by_another_word(void **state)
{
   (void)state;
   check("block 0, the end\n"
         "   MULv export0.xyzw, a0.xyzw, a0.wzyx\n"
         "   MULv t0.xyzw, a0.xyzw, c0.xyzw\n"
         "   MULv t1.xyzw, t0.xyzw, c2.xyzw\n"
         "   MOVv export1.xyzw, c1.xyzw\n",
         "block 0, the end\n"
         "   MULv t2.xyzw, a0.xyzw, a0.wzyx\n"
         " & MOVs export1.xyzw, c1.xyzw\n"
         "   MULv t0.xyzw, a0.xyzw, c0.xyzw\n"
         " & MOVs export0.xyzw, t2.xyzw\n"
         "   MULv t1.xyzw, t0.xyzw, c2.xyzw\n");
}

/* With as many exports as words one operation more is of no use. */
static void
exports_need_words(void **state)
{
   static const char text[] = "block 0, the end\n"
                              "   MULv export0.xyzw, a0.xyzw, a0.wzyx\n"
                              "   MOVv export1.xyzw, c1.xyzw\n";

   (void)state;
   check(text, text);
}

static void
can_gather(bool expected, const char *second)
{
   struct mir_op ops[3];
   struct mir_block out = {.ops = ops, .capacity = 3};
   struct mir mir;
   char text[256];

   snprintf(text, sizeof(text),
            "block 0, the end\n   MOVv export1.x***, c1.xyzw\n   %s\n", second);
   mir_read(&mir, text);
   assert_int_equal(gather_export(&mir.blocks[0], 1, 0, 7, &out), expected);
   if (expected) {
      assert_int_equal(out.num_ops, 3);
      assert_int_equal(ops[0].temporary, 7);
      assert_int_equal(ops[1].export_index, mir.blocks[0].ops[1].export_index);
      assert_int_equal(ops[2].export_index, 1);
      assert_int_equal(ops[2].mask, ops[0].mask);
   }
   mir_finish(&mir);
}

/* The move is the last: others must not have been meant to come behind it. */
static void
others_write_other_components(void **state)
{
   (void)state;
   can_gather(true, "MOVv export1.*yzw, c2.xyzw");
   can_gather(true, "(cr1.xxxx <) MOVv export1.*yzw, c2.xyzw");
   can_gather(true, "MOVv export0.x***, c2.xyzw");
   can_gather(false, "MOVv export1.xy**, c2.xyzw");
   can_gather(false, "(cr1.xxxx <) MOVv export1.x***, c2.xyzw");
   can_gather(false, "MOVv export[A0.x + 0].x***, c2.xyzw");
}

static void
expect_least(uint32_t least, const char *operations)
{
   char text[512];
   struct mir mir;
   uint32_t found;

   snprintf(text, sizeof(text), "block 0, the end\n%s", operations);
   mir_read(&mir, text);
   assert_int_equal(schedule_least_words(&mir, &found), TG_OK);
   assert_int_equal(found, least);
   mir_finish(&mir);
}

static void
no_order_is_shorter(void **state)
{
   (void)state;
   expect_least(0, "");
   /* Each needs the one before. */
   expect_least(3, "   MOVv t0.xyzw, a0.xyzw\n"
                   "   RCPs t1.x***, t0.xxxx\n"
                   "   MOVv t2.x***, t1.xxxx\n");
   /* Three constants, none of them beside another. */
   expect_least(3, "   MOVv t0.xyzw, c0.xyzw\n"
                   "   MOVv t1.xyzw, c1.xyzw\n"
                   "   MOVv t2.xyzw, c2.xyzw\n");
   /* The first and second go together, or the second and third. */
   expect_least(2, "   MULv t0.xyzw, c0.xyzw, t9.xyzw\n"
                   "   RCPs t1.x***, t9.xxxx\n"
                   "   MULv t2.xyzw, c1.xyzw, t9.xyzw\n");
   /* Of three moves from registers any two, but one is left. */
   expect_least(2, "   MOVv t0.xyzw, t9.xyzw\n"
                   "   MOVv t1.xyzw, t9.xyzw\n"
                   "   MOVv t2.xyzw, t9.xyzw\n");
   /* What could share a word is behind two others, or before them. */
   expect_least(3, "   MULv t0.xyzw, c0.xyzw, t9.xyzw\n"
                   "   MULv t1.xyzw, t0.xyzw, c1.xyzw\n"
                   "   MULv t2.xyzw, t1.xyzw, t1.xyzw\n"
                   "   RCPs t3.x***, t1.xxxx\n");
   expect_least(4, "   RCPs t0.x***, t9.xxxx\n"
                   "   RCPs t1.x***, t9.yyyy\n"
                   "   MULv t2.xyzw, t0.xxxx, t1.xxxx\n"
                   "   MULv t3.xyzw, t2.xyzw, t1.xyzw\n");
   /* The third could be beside the first, but the second is between them; the
    * last has another constant. */
   expect_least(4, "   MULv t0.xyzw, c0.xyzw, t9.xyzw\n"
                   "   MULv t1.xyzw, t0.xyzw, c0.xyzw\n"
                   "   RCPs t2.x***, t1.xxxx\n"
                   "   RCPs t3.x***, c1.xxxx\n");
   /* Five words with six exports, gathered. */
   expect_least(5, "   DP4v export0.x***, a0.xyzw, c0.xyzw\n"
                   "   DP4v export0.*y**, a0.xyzw, c1.xyzw\n"
                   "   DP4v export0.**z*, a0.xyzw, c2.xyzw\n"
                   "   DP4v export0.***w, a0.xyzw, c3.xyzw\n"
                   "   MOVv export1.xyzw, c0.xyzw\n"
                   "   MOVv export2.xyzw, c1.xyzw\n");
}

static void
single_issue_pairs_nothing(void **state)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct compile compile = test_compile(&options);
   static const char text[] = "block 0, the end\n"
                              "   MULv t0.xyzw, a0.xyzw, c0.xyzw\n"
                              "   RCPs t2.x***, c0.xxxx\n";
   struct mir mir;

   (void)state;
   options.single_issue = true;
   mir_read(&mir, text);
   assert_int_equal(schedule_mir(&compile, &mir, true), TG_OK);
   assert_mir(&mir, text);
   mir_finish(&mir);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(ports_are_shared),
      cmocka_unit_test(third_source_is_shared),
      cmocka_unit_test(branches_go_without_third_source),
      cmocka_unit_test(gates_are_shared),
      cmocka_unit_test(results_come_first),
      cmocka_unit_test(moves_change_units),
      cmocka_unit_test(moves_of_0_and_1_read_no_constant),
      cmocka_unit_test(the_search_finds_fewer_words),
      cmocka_unit_test(exports_are_gathered),
      cmocka_unit_test(exports_come_by_another_word),
      cmocka_unit_test(exports_need_words),
      cmocka_unit_test(others_write_other_components),
      cmocka_unit_test(no_order_is_shorter),
      cmocka_unit_test(single_issue_pairs_nothing),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
