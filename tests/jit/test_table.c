/* SPDX-License-Identifier: MIT
 *
 * The tables of the LLVM IR emitter: every operation of LIR is in one of them,
 * but the clock, which is left to the interpreter, and parameters and results,
 * which are variables by then.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exec/jit/emit.h"

static void
test_operations_that_compute(void **state)
{
   (void)state;
#define CHECK(name)                                                            \
   assert_non_null(jit_alus[LIR_OP_##name]);                                   \
   assert_null(jit_actions[LIR_OP_##name]);
#define LIR_ALU1(name, r, a, expression, title) CHECK(name)
#define LIR_ALU2(name, r, a, b, expression, title) CHECK(name)
#define LIR_ALU3(name, r, a, b, c, expression, title) CHECK(name)
#include "lir/ops.def"
#undef CHECK
}

static void
test_others(void **state)
{
   (void)state;
   for (uint32_t op = 0; op < LIR_NUM_OPS; op++) {
      const bool is_left =
         op == LIR_OP_clock || lir_op_row(op)->imm == LIR_IMM_SLOT;

      assert_int_equal(!jit_alus[op] && !jit_actions[op], is_left);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operations_that_compute),
      cmocka_unit_test(test_others),
   };
   return cmocka_run_group_tests_name("jit: table", tests, NULL, NULL);
}
