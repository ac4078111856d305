/* SPDX-License-Identifier: MIT
 *
 * List scheduling: what may change places, that chains take turns, how many
 * values there are meanwhile, and how far instructions go. That code does the
 * same in its new order is tested by tests/exec.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../exec/harness.h"
#include "exec/x86/emitter.h"

/* A module that is flattened, and its arena. */
struct scheduled {
   struct harness harness;
   struct tg_arena arena;
   struct x86_unit unit;
};

static void
begin_module(struct scheduled *s)
{
   begin(&s->harness);
   tg_arena_init(&s->arena, NULL);
}

static void
flatten(struct scheduled *s, bool in_order)
{
   assert_false(s->harness.b.failed);
   assert_int_equal(
      x86_unit_init(&s->unit, &s->harness.module, in_order, &s->arena), TG_OK);
}

/* Every operand is there before it is used. */
static void
expect_operands_first(const struct x86_unit *unit)
{
   for (uint32_t i = 0; i < unit->num_insts; i++) {
      for (unsigned k = 0; k < x86_num_operands(&unit->insts[i]); k++)
         assert_in_range(unit->insts[i].operand[k], 0, i - 1);
   }
}

static void
end_module(struct scheduled *s)
{
   tg_arena_finish(&s->arena);
   end(&s->harness);
}

/* ---- what may change places ---------------------------------------------- */

/* What is movable ends no segment, and comes before or after nothing that
 * writes. */
static void
test_movable(void **state)
{
   static struct jit_shape shape = {.writes_shared = true};
   const struct x86_emitter emitter = {.shape = &shape};
   unsigned num_movable = 0;

   (void)state;
   for (uint16_t op = 0; op < LIR_NUM_OPS; op++) {
      for (unsigned space = 0; space < LIR_NUM_SPACES; space++) {
         const struct x86_inst inst = {
            .op = op,
            .imm = lir_op_row(op)->imm == LIR_IMM_MEM
                      ? lir_mem((enum lir_space)space, 0)
                      : 0,
         };

         if (!x86_is_movable(&inst))
            continue;
         num_movable++;
         assert_true(x86_is_action_of_segment(&emitter, &inst));
         assert_int_equal(lir_op_row(op)->flags & LIR_FLAG_WRITE, 0);
      }
   }
   assert_true(num_movable > 0);
   assert_false(x86_is_movable(&(struct x86_inst){.op = X86_OP_leave}));
   assert_false(x86_is_movable(&(struct x86_inst){.op = LIR_OP_live}));
   assert_true(x86_is_movable(&(struct x86_inst){.op = LIR_OP_getvar32}));
}

/* A variable is read, written and read again. */
static void
test_variables_stay(void **state)
{
   static const uint16_t expected[] = {LIR_OP_getvar32, LIR_OP_setvar32,
                                       LIR_OP_getvar32};
   struct scheduled s;
   unsigned found = 0;

   (void)state;
   begin_module(&s);
   struct lir_builder *b = &s.harness.b;
   const uint32_t var =
      lir_module_add_var(&s.harness.module, LIR_TYPE_B32, "v");
   const lir_value before = lir_getvar(b, var);
   lir_setvar(b, var, lir_lane(b));
   lir_value after = lir_getvar(b, var);
   for (unsigned i = 0; i < 8; i++)
      after = lir_imul(b, after, after);
   give(&s.harness, 0, lir_iadd(b, before, after));
   flatten(&s, false);
   for (uint32_t i = 0; i < s.unit.num_insts; i++) {
      if (s.unit.insts[i].op == LIR_OP_getvar32 ||
          s.unit.insts[i].op == LIR_OP_setvar32)
         assert_int_equal(s.unit.insts[i].op, expected[found++]);
   }
   assert_int_equal(found, 3);
   expect_operands_first(&s.unit);
   end_module(&s);
}

/* ---- order --------------------------------------------------------------- */

enum { NUM_CHAINS = 4, CHAIN = 6 };

/* Chains one after the other, whose instructions have the number of their chain
 * as origin. */
static void
build_chains(struct harness *harness, lir_value first)
{
   struct lir_builder *b = &harness->b;
   lir_value value[NUM_CHAINS];

   for (uint32_t i = 0; i < NUM_CHAINS; i++) {
      b->origin = i;
      value[i] = first;
      for (unsigned k = 0; k < CHAIN; k++)
         value[i] = lir_imul(b, value[i], value[i]);
   }
   b->origin = LIR_NO_ORIGIN;
   for (uint32_t i = 0; i < NUM_CHAINS; i++)
      give(harness, i, value[i]);
}

static void
expect_chains(const struct x86_unit *unit, bool in_order)
{
   uint32_t number = 0;

   for (uint32_t i = 0; i < unit->num_insts; i++) {
      const struct x86_inst *inst = &unit->insts[i];

      if (inst->op != LIR_OP_imul)
         continue;
      assert_int_equal(inst->origin,
                       in_order ? number / CHAIN : number % NUM_CHAINS);
      number++;
   }
   assert_int_equal(number, NUM_CHAINS * CHAIN);
}

static void
test_chains_take_turns(void **state)
{
   (void)state;
   for (int in_order = 0; in_order <= 1; in_order++) {
      struct scheduled s;

      begin_module(&s);
      build_chains(&s.harness, lir_lane(&s.harness.b));
      flatten(&s, in_order);
      expect_chains(&s.unit, in_order);
      expect_operands_first(&s.unit);
      end_module(&s);
   }
}

/* Before the chains come values that are used twice, one after the other. */
static void
test_used_values_do_not_count(void **state)
{
   struct scheduled s;

   (void)state;
   begin_module(&s);
   struct lir_builder *b = &s.harness.b;
   lir_value value = lir_lane(b);
   for (unsigned i = 0; i < 20; i++) {
      const lir_value twice = lir_iadd(b, value, lir_const32(b, i));

      value = lir_isub(b, lir_ixor(b, twice, value), twice);
   }
   build_chains(&s.harness, value);
   flatten(&s, false);
   expect_chains(&s.unit, false);
   end_module(&s);
}

/* Code for GDB steps through lines in their order. */
static void
expect_code(bool in_order)
{
   static struct jit_shape shape;
   struct x86_emitter e;
   struct scheduled s;

   begin_module(&s);
   build_chains(&s.harness, lir_lane(&s.harness.b));
   assert_true(jit_survey(&s.harness.module, &shape));
   assert_int_equal(x86_emit(&e, &s.harness.module, &shape, &s.arena), TG_OK);
   expect_chains(&e.unit, in_order);
   end_module(&s);
}

static void
test_code_for_gdb_is_in_order(void **state)
{
   int status;

   (void)state;
   const pid_t child = fork();
   assert_true(child >= 0);
   if (child == 0) {
      setenv("TUNGSTEN_JIT_DEBUG", "gdb", true);
      expect_code(true);
      _exit(0);
   }
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_int_equal(status, 0);
   expect_code(false);
}

/* The most products and sums there are at a time that are used later. */
static uint32_t
count_values(const struct x86_unit *unit)
{
   uint32_t most = 0;

   for (uint32_t at = 0; at < unit->num_insts; at++) {
      uint32_t count = 0;

      for (uint32_t i = 0; i <= at; i++) {
         const struct x86_inst *inst = &unit->insts[i];

         count += (inst->op == LIR_OP_imul || inst->op == LIR_OP_iadd) &&
                  inst->last_use > at;
      }
      most = count > most ? count : most;
   }
   return most;
}

/* Sums of pairs of 32 products, of pairs of these, and so on: all products are
 * as far from the end. Six values are enough; the chain from there to the root
 * has one more for each of its sums but the lowest. */
static void
test_values_are_few(void **state)
{
   enum { NUM_LEAVES = 32, MOST = 6 + 4 };
   struct scheduled s;
   lir_value value[NUM_LEAVES];

   (void)state;
   begin_module(&s);
   struct lir_builder *b = &s.harness.b;
   const lir_value lane = lir_lane(b);
   for (uint32_t i = 0; i < NUM_LEAVES; i++)
      value[i] = lir_imul(b, lane, lir_const32(b, i));
   for (unsigned count = NUM_LEAVES / 2; count > 0; count /= 2) {
      for (unsigned i = 0; i < count; i++)
         value[i] = lir_iadd(b, value[2 * i], value[2 * i + 1]);
   }
   give(&s.harness, 0, value[0]);
   flatten(&s, true);
   assert_int_equal(count_values(&s.unit), NUM_LEAVES);
   flatten(&s, false);
   assert_in_range(count_values(&s.unit), 2, MOST);
   expect_operands_first(&s.unit);
   end_module(&s);
}

/* Nothing goes ahead of what is a hundred instructions before it, of however
 * long a chain it is the first. */
static void
test_the_window(void **state)
{
   enum { NUM_ALONE = 300, WINDOW = 96 };
   struct scheduled s;
   lir_value value;

   (void)state;
   begin_module(&s);
   struct lir_builder *b = &s.harness.b;
   const lir_value lane = lir_lane(b);
   for (uint32_t i = 0; i < NUM_ALONE; i++) {
      b->origin = i;
      value = lir_ixor(b, lane, lane);
   }
   value = lane;
   for (uint32_t i = 0; i < NUM_ALONE; i++) {
      b->origin = NUM_ALONE + i;
      value = lir_imul(b, value, value);
   }
   give(&s.harness, 0, value);
   flatten(&s, false);
   for (uint32_t place = 0, number = 0; place < s.unit.num_insts; place++) {
      const struct x86_inst *inst = &s.unit.insts[place];

      if (inst->op != LIR_OP_imul && inst->op != LIR_OP_ixor)
         continue;
      assert_true(inst->origin < number + WINDOW);
      number++;
   }
   end_module(&s);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_movable),
      cmocka_unit_test(test_variables_stay),
      cmocka_unit_test(test_chains_take_turns),
      cmocka_unit_test(test_used_values_do_not_count),
      cmocka_unit_test(test_code_for_gdb_is_in_order),
      cmocka_unit_test(test_values_are_few),
      cmocka_unit_test(test_the_window),
   };

   return cmocka_run_group_tests_name("x86: schedule", tests, NULL, NULL);
}
