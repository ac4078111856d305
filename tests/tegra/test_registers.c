/* SPDX-License-Identifier: MIT
 *
 * Real registers, and words with their end, worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mir_text.h"
#include "tegra/schedule/registers.h"
#include "util/strbuf.h"

static void
check(enum registers_how how, const char *before, const char *after)
{
   struct mir mir;
   bool fits;

   mir_read(&mir, before);
   assert_int_equal(registers_assign(&mir, how, &fits), TG_OK);
   assert_true(fits);
   assert_mir(&mir, after);
   mir_finish(&mir);
}

/* What is read last makes room in the same operation. */
static void
registers_are_used_again(void **state)
{
   (void)state;
   check(REGISTERS_PLAIN,
         "block 0, the end\n"
         "   MOVv t5.xyzw, a0.xyzw\n"
         "   MULv t6.xyzw, t5.xyzw, t5.xyzw\n"
         "   MULv t7.xyzw, t6.xyzw, t6.xyzw\n"
         "   MULv export0.xyzw, t7.xyzw, t6.xyzw\n",
         "block 0, the end\n"
         "   MOVv t0.xyzw, a0.xyzw\n"
         "   MULv t0.xyzw, t0.xyzw, t0.xyzw\n"
         "   MULv t1.xyzw, t0.xyzw, t0.xyzw\n"
         "   MULv export0.xyzw, t1.xyzw, t0.xyzw\n");
}

/* A predicated write keeps what was there: t1 is live from its first write. */
static void
predicated_writes_are_partial(void **state)
{
   (void)state;
   check(REGISTERS_PLAIN,
         "block 0, the end\n"
         "   MOVv t1.x***, a1.xyzw\n"
         "   MOVv t0.x***, a0.xyzw\n"
         "   MOVv cr1.x***, t0.xyzw\n"
         "   (cr1.xxxx <) MOVv t1.x***, c0.xyzw\n"
         "   MOVv export0.x***, t1.xyzw\n",
         "block 0, the end\n"
         "   MOVv t0.x***, a1.xyzw\n"
         "   MOVv t1.x***, a0.xyzw\n"
         "   MOVv cr1.x***, t1.xyzw\n"
         "   (cr1.xxxx <) MOVv t0.x***, c0.xyzw\n"
         "   MOVv export0.x***, t0.xyzw\n");
}

/* t0 is live around the loop, so t1 cannot have its register. */
static void
loops_keep_what_they_need(void **state)
{
   (void)state;
   check(REGISTERS_PLAIN,
         "block 0\n"
         "   MOVv t3.x***, a1.xyzw\n"
         "block 1\n"
         "   MULv t4.x***, t3.xyzw, c0.xyzw\n"
         "   MOVv cr0.x***, t4.xyzw\n"
         "   (cr0.xxxx <) BRAs block 1\n"
         "block 2, the end\n"
         "   MOVv export0.x***, c1.xyzw\n",
         "block 0\n"
         "   MOVv t0.x***, a1.xyzw\n"
         "block 1\n"
         "   MULv t1.x***, t0.xyzw, c0.xyzw\n"
         "   MOVv cr0.x***, t1.xyzw\n"
         "   (cr0.xxxx <) BRAs block 1\n"
         "block 2, the end\n"
         "   MOVv export0.x***, c1.xyzw\n");
}

/* Disjoint components share; two results of one word do not. */
static void
components_share_registers(void **state)
{
   (void)state;
   check(REGISTERS_PLAIN,
         "block 0, the end\n"
         "   MOVv t0.x***, a0.xyzw\n"
         "   MOVv t1.*yz*, a1.xyzw\n"
         "   MULv export0.x***, t0.xyzw, t1.yyyy\n"
         "   MULv t2.x***, a0.xyzw, a0.xyzw\n"
         " & RCPs t3.*y**, a0.xxxx\n"
         "   MULv export1.x***, t2.xyzw, t3.yyyy\n",
         "block 0, the end\n"
         "   MOVv t0.x***, a0.xyzw\n"
         "   MOVv t0.*yz*, a1.xyzw\n"
         "   MULv export0.x***, t0.xyzw, t0.yyyy\n"
         "   MULv t0.x***, a0.xyzw, a0.xyzw\n"
         " & RCPs t1.*y**, a0.xxxx\n"
         "   MULv export1.x***, t0.xyzw, t1.yyyy\n");
}

/* Both want x, so one moves to y, with the lanes that make it and the gate. */
static void
components_move_when_packed(void **state)
{
   (void)state;
   check(REGISTERS_PACKED,
         "block 0, the end\n"
         "   MOVv t0.xy**, a0.xyzw\n"
         "   MULv t1.xy**, a1.zwxy, c0.wzyx\n"
         "   (cr1.xyzw <) RCPs t1.x***, c0.xxxx\n"
         "   MULv export0.x***, t0.xyzw, t1.xyzw\n"
         "   MULv export0.*y**, t0.xyzw, t1.xyzw\n",
         "block 0, the end\n"
         "   MOVv t0.xy**, a0.xyzw\n"
         "   MULv t0.**zw, a1.xyzw, c0.yxwz\n"
         "   (cr1.zwxy <) RCPs t0.**z*, c0.xxxx\n"
         "   MULv export0.x***, t0.xyzw, t0.zwxy\n"
         "   MULv export0.*y**, t0.xyzw, t0.zwxy\n");
}

/* ---- programs ------------------------------------------------------------ */

/* `count` registers at once, each one component. */
static void
write_pressure(struct tg_strbuf *text, unsigned count)
{
   tg_strbuf_add(text, "block 0, the end\n");
   for (unsigned i = 0; i < count; i++)
      tg_strbuf_printf(text, "   MOVv t%u.x***, c%u.xyzw\n", i, i);
   for (unsigned i = 0; i < count; i++)
      tg_strbuf_printf(text, "   MADv t0.x***, t%u.xyzw, t0.xyzw, a0.xyzw\n",
                       count - 1 - i);
   tg_strbuf_add(text, "   MOVv export0.x***, t0.xyzw\n");
}

static enum tg_result
emit(const char *listing, unsigned optimize,
     struct tg_tegra_program **program_out, struct tg_diagnostics *diagnostics)
{
   const struct tg_tegra_compile_options options = {
      .size = sizeof(options),
      .optimize = optimize,
   };
   struct compile compile = test_compile(&options);
   struct tg_source source = {.name = "test"};
   struct mir mir;

   compile.diagnostics = diagnostics;
   mir_read(&mir, listing);
   *program_out = tegra_program_create(NULL, &source);
   assert_non_null(*program_out);
   enum tg_result result = schedule_emit(&compile, &mir, *program_out);
   mir_finish(&mir);
   return result;
}

/* 60 registers of one component need 15 of four. 130 have no room in 32. */
static void
many_narrow_values_fit(void **state)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program;
   struct tg_strbuf text = {0};

   (void)state;
   write_pressure(&text, 60);
   assert_int_equal(emit(text.data, 0, &program, NULL), TG_OK);
   tg_tegra_program_destroy(program);
   tg_strbuf_finish(&text);
   write_pressure(&text, 130);
   assert_int_equal(emit(text.data, 0, &program, diagnostics), TG_ERROR_LIMIT);
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->message,
                       "130 registers are in use after this instruction");
   tg_tegra_program_destroy(program);
   tg_strbuf_finish(&text);
   tg_diagnostics_destroy(diagnostics);
}

static void
check_words(const char *listing, unsigned num_instructions,
            const uint32_t *words)
{
   struct tg_tegra_program *program;

   assert_int_equal(emit(listing, 2, &program, NULL), TG_OK);
   assert_int_equal(tg_tegra_num_instructions(program), num_instructions);
   for (unsigned i = 0; i < 4 * num_instructions; i++)
      assert_int_equal(tg_tegra_words(program)[i], words[i]);
   tg_tegra_program_destroy(program);
}

/* The words that NVIDIA's compiler makes of the same. */
static void
words_are_those_of_the_driver(void **state)
{
   static const uint32_t pass_through[] = {
      0x401f9c6c, 0x0040000d, 0x8106c083, 0x6041ff80, //
      0x401f9c6c, 0x0040010d, 0x8106c083, 0x6041ff9d,
   };
   static const uint32_t nothing[] = {0x001f9c6c, 0x0000000d, 0x8106c083,
                                      0x60401ffd};

   (void)state;
   check_words("block 0, the end\n"
               "   MOVv export0.xyzw, a0.xyzw\n"
               "   MOVv export7.xyzw, a1.xyzw\n",
               2, pass_through);
   check_words("block 0, the end\n", 1, nothing);
}

/* ARL has an even destination, and goes beside the branch, which takes its
 * predicate without `cc`; the end, come to by a branch, is a word of its own.
 */
static void
jumps_have_targets_and_ends(void **state)
{
   static const uint32_t words[] = {
      /* v_op 1, cs, cwr, cr 0, v_rd 63, v_mask 8, rA a0 */
      0x201fdc6c,
      0x0040000d,
      0x8106c083,
      0x60411ffc, //
      /* v_op 13, v_rd 0, v_mask 8; s_op 9, p_eq alone, p_swz xxxx, iaddr 3 */
      0x00000800,
      0x4b40000d,
      0x8106c080,
      0x60411ffc, //
      /* export 0 */
      0x401f9c6c,
      0x0040000d,
      0x8106c083,
      0x6041ff80, //
      0x001f9c6c,
      0x0000000d,
      0x8106c083,
      0x60401ffd,
   };

   (void)state;
   check_words("block 0\n"
               "   ARLv.x***, a0.xyzw\n"
               "   MOVv cr0.x***, a0.xyzw\n"
               "   (cr0.xxxx =) BRAs block 2\n"
               "block 1\n"
               "   MOVv export0.xyzw, a0.xyzw\n"
               "block 2, the end\n",
               4, words);
}

static void
too_many_words_are_refused(void **state)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program;
   struct tg_strbuf text = {0};

   (void)state;
   tg_strbuf_add(&text, "block 0, the end\n");
   for (unsigned i = 0; i < 257; i++)
      tg_strbuf_add(&text, "   MULv export0.x***, a0.xyzw, a0.xyzw\n");
   assert_int_equal(emit(text.data, 0, &program, diagnostics), TG_ERROR_LIMIT);
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->message,
                       "257 instructions are needed, and this does not fit");
   tg_tegra_program_destroy(program);
   tg_strbuf_finish(&text);
   tg_diagnostics_destroy(diagnostics);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_are_used_again),
      cmocka_unit_test(predicated_writes_are_partial),
      cmocka_unit_test(loops_keep_what_they_need),
      cmocka_unit_test(components_share_registers),
      cmocka_unit_test(components_move_when_packed),
      cmocka_unit_test(many_narrow_values_fit),
      cmocka_unit_test(words_are_those_of_the_driver),
      cmocka_unit_test(jumps_have_targets_and_ends),
      cmocka_unit_test(too_many_words_are_refused),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
