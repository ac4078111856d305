/* SPDX-License-Identifier: MIT
 *
 * Every operation that computes, on all combinations of special values, on
 * every executor, against its expression evaluated one lane at a time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "direct.h"
#include "harness.h"
#include "lir/evaluate.h"

/* ---- values -------------------------------------------------------------- */

static const uint32_t words[] = {
   0x00000000, 0x00000001, 0x00000002, 0x0000001f, 0x00000021, 0x007fffff,
   0x00800000, 0x33800000,             /* 2^-24 */
   0x3c00fbff, 0x3f000000,             /* a half in the low bits; 0.5 */
   0x3f800000, 0x3fc00000, 0x40200000, /* 1, 1.5, 2.5 */
   0x477fe000, 0x477ff000,             /* the largest half, and beyond */
   0x4b000001, 0x4f000000, 0x4f7fffff, /* 2^23+1, 2^31, below 2^32 */
   0x7f7fffff, 0x7f800000, 0x7fc00000, 0x7fffffff, 0x80000000, 0x80000001,
   0xbf800000, 0xbf000000, 0xc0200000, 0xcf000000, 0xff800000, 0xffffffff,
};

static const uint64_t pairs[] = {
   0x0000000000000000, 0x0000000000000001, 0x000000000000003f,
   0x00000000ffffffff, 0x0000000100000000, 0x000fffffffffffff,
   0x0010000000000000, 0x3fe0000000000000, 0x3ff0000000000000,
   0x3ff8000000000000, 0x4004000000000000, 0x36a0000000000000, /* 2^-149 */
   0x41dfffffffc00000, 0x41e0000000000000, 0x41f0000000000000,
   0x43e0000000000000, 0x43f0000000000000, 0x47efffffffffffff,
   0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000,
   0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
   0xbff0000000000000, 0xc004000000000000, 0xc1e0000000000000,
   0xc3e0000000000000, 0xfff0000000000000, 0xffffffffffffffff,
};

static const uint64_t truths[] = {0, 1};

#define COUNT(array) (unsigned)(sizeof(array) / sizeof((array)[0]))

static unsigned
num_values(enum lir_type type)
{
   return type == LIR_TYPE_B1    ? COUNT(truths)
          : type == LIR_TYPE_B32 ? COUNT(words)
          : type == LIR_TYPE_B64 ? COUNT(pairs)
                                 : 1;
}

static uint64_t
special_value(enum lir_type type, unsigned index)
{
   return type == LIR_TYPE_B1    ? truths[index]
          : type == LIR_TYPE_B32 ? words[index]
          : type == LIR_TYPE_B64 ? pairs[index]
                                 : 0;
}

/* ---- operands of which something is known -------------------------------- */

/* What is done to an operand before, so that its range is known: operations of
 * one operand, up to the first that is none. */
static const enum lir_op bounds[][4] = {
   {LIR_OP_none},
   {LIR_OP_fsat, LIR_OP_none},
   {LIR_OP_fsat, LIR_OP_fneg, LIR_OP_none},               /* -0 among them */
   {LIR_OP_fsat, LIR_OP_fneg, LIR_OP_fsqrt, LIR_OP_none}, /* -0 or NaN */
   {LIR_OP_fabs, LIR_OP_none},
   {LIR_OP_i2f, LIR_OP_none}, /* up to 2^31 */
   {LIR_OP_u2f, LIR_OP_none},
   /* Integers, and halves between them before. */
   {LIR_OP_fsat, LIR_OP_ffloor, LIR_OP_none},
   {LIR_OP_fsat, LIR_OP_fneg, LIR_OP_ffloor, LIR_OP_none},
};

static lir_value
build_bound(struct lir_builder *b, const enum lir_op *ops, lir_value value)
{
   for (; *ops != LIR_OP_none; ops++)
      value = lir_build(b, *ops, &value, 0);
   return value;
}

static uint64_t
bound_value(const enum lir_op *ops, uint64_t value)
{
   for (; *ops != LIR_OP_none; ops++) {
      const uint64_t operands[3] = {value};

      assert_true(lir_evaluate(*ops, operands, &value));
   }
   return value;
}

/* ---- the program of an operation ----------------------------------------- */

/* Operand k is input words 2k and 2k+1. */
static lir_value
build_operand(struct lir_builder *b, enum lir_type type, unsigned index)
{
   lir_value low_at = lir_const32(b, 2 * index);
   lir_value high_at = lir_const32(b, 2 * index + 1);
   lir_value low = lir_load32(b, LIR_SPACE_INPUT, 0, low_at);
   lir_value high = lir_load32(b, LIR_SPACE_INPUT, 0, high_at);

   if (type == LIR_TYPE_B1)
      return lir_i2b(b, low);
   return type == LIR_TYPE_B64 ? lir_pack64(b, low, high) : low;
}

static void
build_program(struct harness *harness, enum lir_op op,
              const enum lir_op *const bound[3])
{
   const struct lir_op_info *info = &lir_ops[op];
   struct lir_builder *b = &harness->b;
   lir_value operand[3] = {{0}};

   for (unsigned k = 0; k < info->num_operands; k++) {
      const lir_value raw = build_operand(b, info->operand_type[k], k);
      operand[k] = build_bound(b, bound[k], raw);
   }
   lir_value value = lir_build(b, op, operand, 0);
   if (info->type == LIR_TYPE_B64) {
      lir_value high = lir_hi64(b, value);
      give(harness, 1, high);
      value = lir_lo64(b, value);
   } else if (info->type == LIR_TYPE_B1) {
      value = lir_b2i(b, value);
   }
   give(harness, 0, value);
}

/* ---- running ------------------------------------------------------------- */

struct sweep {
   struct harness harness;
   const struct lir_op_info *info;
   const enum lir_op *bound[3]; /* of each operand */
   uint32_t input[6][LIR_LANES];
   uint64_t operands[LIR_LANES][3];
};

/* Combination `number` goes into a lane. */
static void
set_operands(struct sweep *sweep, unsigned number, unsigned lane)
{
   for (unsigned k = 0; k < 3; k++) {
      enum lir_type type = sweep->info->operand_type[k];
      uint64_t value = special_value(type, number % num_values(type));

      number /= num_values(type);
      sweep->operands[lane][k] = bound_value(sweep->bound[k], value);
      sweep->input[2 * k][lane] = (uint32_t)value;
      sweep->input[2 * k + 1][lane] = (uint32_t)(value >> 32);
   }
}

static uint64_t
get_result(const struct sweep *sweep, unsigned lane)
{
   uint64_t low = sweep->harness.output[0][lane];
   uint64_t high = sweep->harness.output[1][lane];

   return sweep->info->type == LIR_TYPE_B1 ? low & 1 : high << 32 | low;
}

static void
check_lanes(const struct sweep *sweep, unsigned index, const char *executor)
{
   for (unsigned lane = 0; lane < LIR_LANES; lane++) {
      const uint64_t *operands = sweep->operands[lane];
      uint64_t expected = direct_rows[index].evaluate(operands);
      uint64_t result = get_result(sweep, lane);

      if (!direct_same(index, result, expected))
         fail_msg("%s on %s of %#lx %#lx %#lx: %#lx, expected %#lx",
                  sweep->info->name, executor, operands[0], operands[1],
                  operands[2], result, expected);
   }
}

static void
sweep_op(unsigned index, const enum lir_op *first, const enum lir_op *second,
         const struct exec_executor *executor)
{
   struct sweep sweep = {
      .info = &lir_ops[direct_rows[index].op],
      .bound = {first, second, bounds[0]},
   };
   struct harness *harness = &sweep.harness;
   struct exec_program *program;
   unsigned count = 1;

   begin(harness);
   build_program(harness, direct_rows[index].op, sweep.bound);
   harness->wave.input.data = sweep.input;
   harness->wave.input.num_words = 6;
   assert_int_equal(executor->compile(NULL, &harness->module, &program), TG_OK);
   void *scratch = make_scratch(executor, program);

   for (unsigned k = 0; k < 3; k++)
      count *= num_values(sweep.info->operand_type[k]);
   for (unsigned base = 0; base < count; base += LIR_LANES) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++)
         set_operands(&sweep, (base + lane) % count, lane);
      assert_int_equal(
         executor->run(program, &harness->wave, scratch, &harness->fault),
         TG_OK);
      check_lanes(&sweep, index, executor->name);
   }
   free(scratch);
   executor->destroy(program);
   end(harness);
}

static void
test_every_op(void **state)
{
   const struct exec_executor *executors[MAX_EXECUTORS];
   unsigned count = all_executors(executors);

   (void)state;
   for (unsigned e = 0; e < count; e++) {
      for (unsigned i = 0; i < direct_num_rows; i++)
         sweep_op(i, bounds[0], bounds[0], executors[e]);
   }
}

/* Those that executors may do in another way where they know ranges. */
static bool
depends_on_range(enum lir_op op)
{
   return op == LIR_OP_fmin || op == LIR_OP_fmax || op == LIR_OP_f2i ||
          op == LIR_OP_f2u;
}

static void
test_known_ranges(void **state)
{
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);
   const unsigned num_bounds = COUNT(bounds);

   (void)state;
   for (unsigned e = 0; e < count; e++) {
      for (unsigned i = 0; i < direct_num_rows; i++) {
         if (!depends_on_range(direct_rows[i].op))
            continue;
         for (unsigned k = 1; k < num_bounds * num_bounds; k++)
            sweep_op(i, bounds[k % num_bounds], bounds[k / num_bounds],
                     executors[e]);
      }
   }
}

static void
check_zeros(struct harness *harness)
{
   uint32_t zeros[LIR_LANES];

   for (uint32_t i = 0; i < LIR_LANES; i++)
      zeros[i] = i << 31;
   assert_int_equal(harness->result, TG_OK);
   for (unsigned i = 0; i < 4; i++)
      expect(harness, i, zeros);
   for (unsigned i = 4; i < 8; i++)
      expect_all(harness, i, i < 6 ? 1u << 31 : 0);
}

/* Zeros of both signs, 0 in even lanes and -0 in odd ones, with constants: of
 * two the minimum is -0, and the maximum 0. */
static void
test_zeros(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   const lir_value plus = lir_const32(b, 0), minus = lir_const32(b, 1u << 31);
   const lir_value value = lir_ishl(b, lir_lane(b), lir_const32(b, 31));
   give(&harness, 0, lir_fmin(b, value, plus));
   give(&harness, 1, lir_fmin(b, plus, value));
   give(&harness, 2, lir_fmax(b, value, minus));
   give(&harness, 3, lir_fmax(b, minus, value));
   give(&harness, 4, lir_fmin(b, value, minus));
   give(&harness, 5, lir_fmin(b, minus, value));
   give(&harness, 6, lir_fmax(b, value, plus));
   give(&harness, 7, lir_fmax(b, plus, value));
   run_on_all(&harness, check_zeros);
   end(&harness);
}

/* Everything that is listed is found. */
static bool
is_listed_once(const char *name)
{
   unsigned times = 0;

   for (unsigned i = 0; tg_executor_name(i); i++) {
      assert_non_null(exec_find_executor(tg_executor_name(i)));
      times += strcmp(tg_executor_name(i), name) == 0;
   }
   return times == 1;
}

/* The interpreter for the machine is one of those that were compared. */
static void
test_choice(void **state)
{
   (void)state;
   assert_ptr_equal(exec_interpreter(),
                    exec_interpreter_for(exec_interpreter()->name));
   assert_non_null(exec_interpreter_for("baseline"));
   assert_null(exec_interpreter_for("abacus"));
   /* By the names that users have; the first is the usual one. */
   assert_ptr_equal(exec_find_executor(NULL),
                    exec_find_executor(tg_executor_name(0)));
   assert_ptr_equal(exec_find_executor("interp"), exec_interpreter());
   assert_ptr_equal(exec_find_executor("interp-baseline"),
                    exec_interpreter_for("baseline"));
   assert_null(exec_find_executor("abacus"));
   assert_null(exec_find_executor("interp-abacus"));
   assert_true(is_listed_once("interp"));
   assert_true(is_listed_once("interp-baseline"));
   /* One of this program's own, see exec_others. */
   assert_true(is_listed_once("scalar"));
   assert_ptr_equal(exec_find_executor("scalar"), exec_others[0]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_op),
      cmocka_unit_test(test_known_ranges),
      cmocka_unit_test(test_zeros),
      cmocka_unit_test(test_choice),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
