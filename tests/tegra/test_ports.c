/* SPDX-License-Identifier: MIT
 *
 * Places of literals and copies of what does not get a port, as listings before
 * and after.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mir_text.h"

static void
keep_to_ports(struct mir *mir, const char *before, uint32_t num_constants)
{
   struct compile compile = test_compile(NULL);

   mir_read(mir, before);
   mir->num_constants = num_constants;
   assert_int_equal(schedule_ports(&compile, mir), TG_OK);
}

static void
check(const char *before, const char *after)
{
   struct mir mir;

   keep_to_ports(&mir, before, 8);
   assert_mir(&mir, after);
   mir_finish(&mir);
}

/* Equal constants, and a constant beside an attribute, need nothing. */
static void
equal_indices_share_a_port(void **state)
{
   static const char text[] =
      "block 0, the end\n"
      "   MADv export0.xyzw, c1.xyzw, -c1.wzyx, a0.xyzw\n"
      "   MULv export1.xyzw, c[A0.x + 1].xyzw, c[A0.x + 1].yyyy\n";

   (void)state;
   check(text, text);
}

/* c1 is read by the next operation too, so that it is c1 that is copied. */
static void
what_is_read_more_is_copied(void **state)
{
   (void)state;
   check("block 0, the end\n"
         "   MADv export0.xy**, c1.xyzw, c0.xyzw, c2.xxyy\n"
         "   MULv export1.x***, c1.zzzz, c3.xyzw\n",
         "block 0, the end\n"
         "   MOVs t0.xyz*, c1.xyzw\n"
         "   MOVs t1.x***, c2.xyzw\n"
         "   MADv export0.xy**, t0.xyzw, c0.xyzw, t1.xxyy\n"
         "   MULv export1.x***, t0.zzzz, c3.xyzw\n");
}

static void
attributes_have_one_port(void **state)
{
   (void)state;
   check("block 0, the end\n"
         "   ADDv export0.xyzw, -a0.xyzw, abs(a1.xyzw)\n",
         "block 0, the end\n"
         "   MOVs t0.xyzw, a1.xyzw\n"
         "   ADDv export0.xyzw, -a0.xyzw, abs(t0.xyzw)\n");
}

/* Even where the index is the same; and a copy is no good after A0 changes. */
static void
relative_and_absolute_do_not_mix(void **state)
{
   (void)state;
   check("block 0, the end\n"
         "   ADDv export0.x***, c1.xyzw, c[A0.x + 1].xyzw\n"
         "   ARLv.x***, a0.xyzw\n"
         "   ADDv export0.*y**, c2.xyzw, c[A0.x + 1].xyzw\n"
         "   ADDv export0.**z*, c3.xyzw, c[A0.x + 1].xyzw\n",
         "block 0, the end\n"
         "   MOVs t0.x***, c[A0.x + 1].xyzw\n"
         "   ADDv export0.x***, c1.xyzw, t0.xyzw\n"
         "   ARLv.x***, a0.xyzw\n"
         "   MOVs t1.*yz*, c[A0.x + 1].xyzw\n"
         "   ADDv export0.*y**, c2.xyzw, t1.xyzw\n"
         "   ADDv export0.**z*, c3.xyzw, t1.xyzw\n");
}

static void
one_component_of_an_address(void **state)
{
   (void)state;
   check("block 0, the end\n"
         "   ADDv export0.x***, a[A0.y + 1].xyzw, c[A0.x + 1].xyzw\n"
         "   MOVv export[A0.w + 2].x***, c[A0.x + 4].yyyy\n",
         "block 0, the end\n"
         "   MOVs t0.x***, c[A0.x + 1].xyzw\n"
         "   ADDv export0.x***, a[A0.y + 1].xyzw, t0.xyzw\n"
         "   MOVs t1.*y**, c[A0.x + 4].xyzw\n"
         "   MOVv export[A0.w + 2].x***, t1.yyyy\n");
}

/* 1, 2 and -1, 0.5: three words, as -1 is 1 with the sign of the source. */
static void
literals_share_words_and_signs(void **state)
{
   struct mir mir;

   (void)state;
   keep_to_ports(&mir,
                 "block 0, the end\n"
                 "   MULv export0.xy**, a0.xyzw, {3f800000 40000000 0 0}.xyzw\n"
                 "   MULv export0.**z*, a0.xyzw, {0 0 bf800000 0}.xyzw\n"
                 "   MADv export1.x***, a0.xyzw, {3f000000 0 0 0}.xyzw, "
                 "-{3f800000 0 0 0}.xyzw\n",
                 7);
   assert_mir(&mir, "block 0, the end\n"
                    "   MULv export0.xy**, a0.xyzw, c7.xyxx\n"
                    "   MULv export0.**z*, a0.xyzw, -c7.xxxx\n"
                    "   MADv export1.x***, a0.xyzw, c7.zzzz, -c7.xxxx\n");
   assert_int_equal(mir.constant_masks[7], 7);
   assert_int_equal(mir.constants[7][0], 0x3f800000);
   assert_int_equal(mir.constants[7][1], 0x40000000);
   assert_int_equal(mir.constants[7][2], 0x3f000000);
   mir_finish(&mir);
}

/* One source has one sign: 1 and -1 are two words. An absolute value has none.
 */
static void
a_source_has_one_sign(void **state)
{
   struct mir mir;

   (void)state;
   keep_to_ports(&mir,
                 "block 0, the end\n"
                 "   MULv export0.xy**, a0.xyzw, {3f800000 bf800000 0 0}.xyzw\n"
                 "   MOVv export1.x***, abs({bf800000 0 0 0}.xyzw)\n",
                 0);
   assert_mir(&mir, "block 0, the end\n"
                    "   MULv export0.xy**, a0.xyzw, c0.xyxx\n"
                    "   MOVv export1.x***, abs(c0.xxxx)\n");
   mir_finish(&mir);
}

/* Five words do not lie in one c[]. */
static void
many_literals_are_copied(void **state)
{
   (void)state;
   check("block 0, the end\n"
         "   MADv export0.xyzw, a0.xyzw, {1 2 3 4}.xyzw, {5 5 5 5}.xyzw\n",
         "block 0, the end\n"
         "   MOVs t0.xyzw, c9.xxxx\n"
         "   MADv export0.xyzw, a0.xyzw, c8.xyzw, t0.xyzw\n");
}

static void
constants_run_out(void **state)
{
   struct compile compile = test_compile(NULL);
   struct mir mir;

   (void)state;
   compile.diagnostics = tg_diagnostics_create(NULL);
   mir_read(&mir, "block 0, the end\n"
                  "   MOVv export0.xyzw, {1 2 3 4}.xyzw\n"
                  "   MOVv export0.xyzw, {1 2 3 5}.xyzw\n");
   mir.num_constants = 255;
   assert_int_equal(schedule_ports(&compile, &mir), TG_ERROR_LIMIT);
   assert_string_equal(
      tg_diagnostics_get(compile.diagnostics, 0)->message,
      "no constants are left for literals: uniforms take 255, literals before "
      "this one 1");
   tg_diagnostics_destroy(compile.diagnostics);
   mir_finish(&mir);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_indices_share_a_port),
      cmocka_unit_test(what_is_read_more_is_copied),
      cmocka_unit_test(attributes_have_one_port),
      cmocka_unit_test(relative_and_absolute_do_not_mix),
      cmocka_unit_test(one_component_of_an_address),
      cmocka_unit_test(literals_share_words_and_signs),
      cmocka_unit_test(a_source_has_one_sign),
      cmocka_unit_test(many_literals_are_copied),
      cmocka_unit_test(constants_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
