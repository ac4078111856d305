/* SPDX-License-Identifier: MIT
 *
 * Code for x86-64: every operation has it, or is left to the interpreter by
 * name; values that no register is left for; what is too large; memory that is
 * never writable and executable. What code computes tests/exec compares with
 * other executors.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../exec/harness.h"
#include "../sweep.h"
#include "exec/x86/emitter.h"
#include "exec/x86/x86.h"
#include "lir/passes.h"

static struct x86_code
compile(struct lir_module *module)
{
   static struct jit_shape shape;
   struct x86_code code;

   assert_null(lir_verify(module));
   assert_true(jit_survey(module, &shape));
   assert_int_equal(x86_compile(module, &shape, NULL, &code), TG_OK);
   return code;
}

/* Is there code for the module under construction? */
static bool
has_code(struct harness *harness)
{
   assert_false(harness->b.failed);
   struct x86_code code = compile(&harness->module);
   const bool is_there = code.function != NULL;

   x86_release(&code);
   return is_there;
}

/* ---- operations ---------------------------------------------------------- */

static lir_value
any_value(struct lir_builder *b, uint8_t type)
{
   const lir_value lane = lir_lane(b);

   if (type == LIR_TYPE_B1)
      return lir_i2b(b, lane);
   return type == LIR_TYPE_B64 ? lir_u2l(b, lane) : lane;
}

static void
test_operations_that_compute(void **state)
{
   (void)state;
   for (unsigned op = 0; op < LIR_NUM_OPS; op++) {
      const struct lir_op_info *row = lir_op_row(op);
      struct harness harness;
      lir_value operand[3];

      if (row->flags != LIR_FLAG_PURE || row->num_operands == 0)
         continue;
      begin(&harness);
      for (unsigned k = 0; k < row->num_operands; k++)
         operand[k] = any_value(&harness.b, row->operand_type[k]);
      lir_build(&harness.b, (enum lir_op)op, operand, 0);
      assert_true(has_code(&harness));
      end(&harness);
   }
}

static void
test_tables(void **state)
{
   (void)state;
   for (unsigned op = 0; op < LIR_NUM_OPS; op++) {
      const struct x86_inst inst = {.op = (uint16_t)op};
      const bool is_emitted = x86_is_constant(&inst) || x86_is_control(&inst) ||
                              x86_alus[op] || x86_find_action(&inst);

      assert_int_equal(is_emitted, op != LIR_OP_clock &&
                                      lir_op_row(op)->imm != LIR_IMM_SLOT);
   }
}

/* ---- values -------------------------------------------------------------- */

enum { NUM_VALUES = 50 };

/* Squares of the lane plus k, all of them before a sum of them; with a ballot
 * between, which needs both halves, and has registers emptied. */
static void
build_sum(struct harness *harness, bool has_ballot)
{
   struct lir_builder *b = &harness->b;
   lir_value value[NUM_VALUES];

   begin(harness);
   const lir_value lane = lir_lane(b);
   for (uint32_t k = 0; k < NUM_VALUES; k++) {
      const lir_value sum = lir_iadd(b, lane, lir_const32(b, k));

      value[k] = lir_imul(b, sum, sum);
   }
   lir_value sum = lir_const32(b, 0);
   if (has_ballot)
      sum = lir_ballot(b, lir_const1(b, true));
   for (uint32_t k = 0; k < NUM_VALUES; k++)
      sum = lir_iadd(b, sum, value[k]);
   give(harness, 0, sum);
}

static void
check_sum(bool has_ballot)
{
   uint32_t expected[LIR_LANES];
   struct harness harness;

   build_sum(&harness, has_ballot);
   assert_true(has_code(&harness));
   run_on(&harness, exec_find_executor("x86"));
   assert_int_equal(harness.result, TG_OK);
   for (uint32_t lane = 0; lane < LIR_LANES; lane++) {
      expected[lane] = has_ballot ? 0xffff : 0;
      for (uint32_t k = 0; k < NUM_VALUES; k++)
         expected[lane] += (lane + k) * (lane + k);
   }
   expect(&harness, 0, expected);
   end(&harness);
}

static void
test_more_values_than_registers(void **state)
{
   (void)state;
   check_sum(false);
   check_sum(true);
}

/* ---- memory -------------------------------------------------------------- */

static const struct lir_module *swept;
static struct jit_shape swept_shape;

static enum tg_result
compile_swept(const struct tg_allocator *allocator)
{
   struct x86_code code;
   const enum tg_result result =
      x86_compile(swept, &swept_shape, allocator, &code);

   assert_int_equal(code.function != NULL, result == TG_OK);
   x86_release(&code);
   return result;
}

/* Of instructions enough that each list of them is an allocation. */
static void
test_out_of_memory(void **state)
{
   enum { LENGTH = 3000 };
   struct harness harness;

   (void)state;
   begin(&harness);
   lir_value value = lir_lane(&harness.b);
   for (unsigned i = 0; i < LENGTH; i++)
      value = lir_imul(&harness.b, value, value);
   give(&harness, 0, value);
   assert_true(jit_survey(&harness.module, &swept_shape));
   swept = &harness.module;
   sweep(compile_swept);
   end(&harness);
}

/* ---- bounds -------------------------------------------------------------- */

/* A chain of additions. */
static bool
has_code_of_chain(unsigned length)
{
   struct harness harness;

   begin(&harness);
   lir_value value = lir_lane(&harness.b);
   for (unsigned i = 0; i < length; i++)
      value = lir_iadd(&harness.b, value, value);
   give(&harness, 0, value);
   const bool is_there = has_code(&harness);
   end(&harness);
   return is_there;
}

/* Values that live across a ballot: each has 64 bytes of the stack. */
static bool
has_code_of_stack(unsigned num_values)
{
   struct harness harness;
   lir_value *values = calloc(num_values, sizeof(*values));

   assert_non_null(values);
   begin(&harness);
   const lir_value lane = lir_lane(&harness.b);
   for (unsigned i = 0; i < num_values; i++)
      values[i] = lir_iadd(&harness.b, lane, lir_const32(&harness.b, i));
   lir_value sum = lir_ballot(&harness.b, lir_const1(&harness.b, true));
   for (unsigned i = 0; i < num_values; i++)
      sum = lir_iadd(&harness.b, sum, values[i]);
   give(&harness, 0, sum);
   const bool is_there = has_code(&harness);
   end(&harness);
   free(values);
   return is_there;
}

static void
test_what_is_too_large(void **state)
{
   (void)state;
   assert_true(has_code_of_chain(X86_MAX_INSTS / 2));
   assert_false(has_code_of_chain(X86_MAX_INSTS));
   assert_true(has_code_of_stack(X86_MAX_STACK / 128));
   assert_false(has_code_of_stack(X86_MAX_STACK / 64));
}

/* Functions that call the next one; the last calls itself, if it is to. */
static bool
has_code_of_calls(unsigned depth, bool is_recursive)
{
   struct harness harness;

   begin(&harness);
   for (unsigned i = 1; i <= depth; i++)
      lir_module_add_function(&harness.module, "called");
   for (unsigned i = 0; i <= depth; i++) {
      struct lir_builder b;

      lir_builder_init(&b, &harness.module, i);
      if (i < depth || is_recursive)
         lir_call(&b, i < depth ? i + 1 : i);
   }
   const bool is_there = has_code(&harness);
   end(&harness);
   return is_there;
}

/* A function that returns at once, and then has dead code, called so often. */
static bool
has_code_of_dead_code(unsigned length, unsigned num_calls)
{
   struct harness harness;

   begin(&harness);
   const uint32_t function = lir_module_add_function(&harness.module, "called");
   struct lir_builder b;
   lir_builder_init(&b, &harness.module, function);
   lir_br(&b, 0);
   for (unsigned i = 0; i < length; i++)
      lir_lane(&b);
   lir_builder_init(&b, &harness.module, 0);
   for (unsigned i = 0; i < num_calls; i++)
      lir_call(&b, function);
   const bool is_there = has_code(&harness);
   end(&harness);
   return is_there;
}

static void
test_dead_code(void **state)
{
   (void)state;
   assert_true(has_code_of_dead_code(X86_MAX_INSTS / 2, 5));
   assert_false(has_code_of_dead_code(X86_MAX_INSTS / 2, 9));
   assert_false(has_code_of_dead_code(X86_MAX_INSTS, 1));
}

/* Constructs in each other, in the innermost of which some lanes leave the
 * function, so often: a br has to do something about each of them. */
static bool
has_code_of_branches(unsigned depth, unsigned count)
{
   struct harness harness;

   begin(&harness);
   struct lir_builder *b = &harness.b;
   const lir_value lane = lir_lane(b);
   for (unsigned i = 0; i < depth; i++)
      lir_begin_block(b);
   for (unsigned i = 0; i < count; i++) {
      lir_begin_if(b, lir_ieq(b, lane, lir_const32(b, i)));
      lir_br(b, 0);
      lir_end(b);
   }
   for (unsigned i = 0; i < depth; i++)
      lir_end(b);
   const bool is_there = has_code(&harness);
   end(&harness);
   return is_there;
}

static void
test_branches(void **state)
{
   (void)state;
   assert_true(has_code_of_branches(800, 50));
   assert_true(has_code_of_branches(5, 1000));
   assert_false(has_code_of_branches(800, 1000));
}

static void
test_calls(void **state)
{
   (void)state;
   assert_true(has_code_of_calls(X86_MAX_DEPTH - 1, false));
   assert_false(has_code_of_calls(X86_MAX_DEPTH, false));
   assert_false(has_code_of_calls(1, true));
}

/* ---- steps --------------------------------------------------------------- */

/* Additions before a branch that all lanes take alike are charged for. */
static void
test_steps_before_a_plain_if(void **state)
{
   enum { LENGTH = 100, SOME_MORE = 20 };
   const struct exec_executor *executor = exec_find_executor("x86");
   struct exec_program *program = NULL;
   struct harness harness;

   (void)state;
   begin(&harness);
   struct lir_builder *b = &harness.b;
   lir_value value = lir_lane(b);
   for (unsigned i = 0; i < LENGTH; i++)
      value = lir_iadd(b, value, value);
   lir_begin_if(b, lir_const1(b, true));
   give(&harness, 0, value);
   lir_end(b);
   assert_int_equal(executor->compile(NULL, &harness.module, &program), TG_OK);
   void *scratch = make_scratch(executor, program);
   assert_int_equal(
      executor->run(program, &harness.wave, scratch, &harness.fault), TG_OK);
   assert_in_range(harness.wave.steps, LENGTH, LENGTH + SOME_MORE);
   free(scratch);
   executor->destroy(program);
   end(&harness);
}

/* ---- memory -------------------------------------------------------------- */

/* The letters that the system has for the memory at an address. */
static void
find_rights(const void *address, char rights[5])
{
   FILE *maps = fopen("/proc/self/maps", "r");
   char line[512];

   assert_non_null(maps);
   rights[0] = '\0';
   while (!rights[0] && fgets(line, sizeof(line), maps)) {
      unsigned long first, last;
      char letters[8];

      if (sscanf(line, "%lx-%lx %7s", &first, &last, letters) == 3 &&
          first <= (uintptr_t)address && (uintptr_t)address < last)
         memcpy(rights, letters, 5);
   }
   rights[4] = '\0';
   fclose(maps);
}

static void
test_memory_is_executable_alone(void **state)
{
   struct harness harness;
   char rights[5];

   (void)state;
   build_sum(&harness, true);
   struct x86_code code = compile(&harness.module);
   assert_non_null(code.function);
   find_rights(code.memory, rights);
   assert_string_equal(rights, "r-xp");
   x86_release(&code);
   find_rights(code.memory, rights);
   assert_string_equal(rights, "");
   end(&harness);
}

/* Anonymous executable mappings. */
static unsigned
count_code(void)
{
   FILE *maps = fopen("/proc/self/maps", "r");
   char line[512];
   unsigned count = 0;

   assert_non_null(maps);
   while (fgets(line, sizeof(line), maps)) {
      char rights[8], path[256] = "";

      if (sscanf(line, "%*s %7s %*s %*s %*s %255s", rights, path) >= 1)
         count += rights[2] == 'x' && !path[0];
   }
   fclose(maps);
   return count;
}

static unsigned
count_code_of(const char *executor_name)
{
   const struct exec_executor *executor = exec_find_executor(executor_name);
   struct exec_program *program = NULL;
   struct harness harness;

   build_sum(&harness, true);
   assert_int_equal(executor->compile(NULL, &harness.module, &program), TG_OK);
   const unsigned count = count_code();
   executor->destroy(program);
   end(&harness);
   return count;
}

static void
test_the_interpreter_has_no_code(void **state)
{
   (void)state;
   forget_compiled();
   assert_int_equal(count_code_of("interp"), 0);
   assert_int_equal(count_code_of("x86"), 1);
   assert_int_equal(count_code(), 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operations_that_compute),
      cmocka_unit_test(test_tables),
      cmocka_unit_test(test_more_values_than_registers),
      cmocka_unit_test(test_out_of_memory),
      cmocka_unit_test(test_what_is_too_large),
      cmocka_unit_test(test_calls),
      cmocka_unit_test(test_dead_code),
      cmocka_unit_test(test_branches),
      cmocka_unit_test(test_steps_before_a_plain_if),
      cmocka_unit_test(test_memory_is_executable_alone),
      cmocka_unit_test(test_the_interpreter_has_no_code),
   };

   if (!x86_is_there())
      return 77; /* skipped: the machine has no AVX2 */
   return cmocka_run_group_tests_name("x86: code", tests, NULL, NULL);
}
