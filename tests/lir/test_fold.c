/* SPDX-License-Identifier: MIT
 *
 * Every rule of fold.def: that it is true, on special values, and that the
 * pass applies it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lir/builder.h"
#include "lir/evaluate.h"
#include "lir/fold.h"
#include "lir/passes.h"

enum { NUM_LETTERS = 3 };

/* The types of a rule's letters, LIR_TYPE_V for those that it has not. */
static void
find_types(const struct lir_pattern *pattern, enum lir_type types[NUM_LETTERS])
{
   const struct lir_op_info *info = &lir_ops[pattern->op];

   for (unsigned i = 0; i < info->num_operands; i++) {
      const struct lir_pattern *operand = pattern->operand[i];

      if (operand->kind == LIR_PATTERN_ANY)
         types[operand->number] = (enum lir_type)info->operand_type[i];
      else if (operand->kind == LIR_PATTERN_OP)
         find_types(operand, types);
   }
}

/* ---- truth --------------------------------------------------------------- */

static const uint64_t truths[] = {0, 1};

static const uint64_t words[] = {
   0,          1,          2,          5,          31,         32,
   0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0x3f800000, 0xbf800000,
   0x3f000000, 0x40490fdb, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
   0x00800000, 0x7f7fffff, 0x4b000001, 0xc0200000,
};

#define W(high) (UINT64_C(high) << 32)
static const uint64_t pairs[] = {
   0,
   1,
   2,
   63,
   0xffffffff,
   W(1),
   W(0x7fffffff) + 0xffffffff,
   W(0x80000000),
   W(0x80000000) + 1,
   UINT64_MAX,
   W(0x3ff00000),
   W(0xbff00000),
   W(0x3fe00000),
   W(0x400921fb) + 0x54442d18,
   W(0x7ff00000),
   W(0xfff00000),
   W(0x7ff80000),
   W(0x7ff00000) + 1,
   W(0x00100000),
   W(0x7fefffff) + 0xffffffff,
   W(0xc0040000),
};
#undef W

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

static uint64_t
pick(enum lir_type type, uint32_t index)
{
   switch (type) {
   case LIR_TYPE_B1: return truths[index];
   case LIR_TYPE_B32: return words[index];
   case LIR_TYPE_B64: return pairs[index];
   case LIR_TYPE_V: break;
   }
   return 0;
}

static uint32_t
num_picks(enum lir_type type)
{
   switch (type) {
   case LIR_TYPE_B1: return COUNT(truths);
   case LIR_TYPE_B32: return COUNT(words);
   case LIR_TYPE_B64: return COUNT(pairs);
   case LIR_TYPE_V: break;
   }
   return 1;
}

static uint64_t
value_of(const struct lir_pattern *pattern, const uint64_t letters[NUM_LETTERS])
{
   uint64_t operands[3] = {0};
   uint64_t result;

   if (pattern->kind == LIR_PATTERN_ANY)
      return letters[pattern->number];
   if (pattern->kind == LIR_PATTERN_NUMBER)
      return pattern->number;
   for (unsigned i = 0; i < lir_ops[pattern->op].num_operands; i++)
      operands[i] = value_of(pattern->operand[i], letters);
   assert_true(lir_evaluate(pattern->op, operands, &result));
   return result;
}

static bool
is_nan(enum lir_type type, uint64_t bits)
{
   if (type == LIR_TYPE_B32)
      return (bits & 0x7fffffff) > 0x7f800000;
   return type == LIR_TYPE_B64 && (bits & UINT64_MAX >> 1) > UINT64_C(0x7ff)
                                                                << 52;
}

static bool
computes_floats(const struct lir_pattern *pattern)
{
   char first = lir_ops[pattern->op].name[0];

   return first == 'f' || first == 'd';
}

static void
check_rule(const struct lir_fold_rule *rule, const uint64_t letters[3])
{
   enum lir_type type = (enum lir_type)lir_ops[rule->before->op].type;
   uint64_t before = value_of(rule->before, letters);
   uint64_t after = value_of(rule->after, letters);

   if (before == after || (computes_floats(rule->before) &&
                           is_nan(type, before) && is_nan(type, after)))
      return;
   fail_msg("%s: with %llx %llx %llx: %llx is not %llx", rule->text,
            (unsigned long long)letters[0], (unsigned long long)letters[1],
            (unsigned long long)letters[2], (unsigned long long)before,
            (unsigned long long)after);
}

static void
test_rules_are_true(void **state)
{
   (void)state;
   for (uint32_t i = 0; i < lir_num_fold_rules; i++) {
      const struct lir_fold_rule *rule = &lir_fold_rules[i];
      enum lir_type types[NUM_LETTERS] = {LIR_TYPE_V, LIR_TYPE_V, LIR_TYPE_V};
      uint32_t n[NUM_LETTERS];

      find_types(rule->before, types);
      for (n[0] = 0; n[0] < num_picks(types[0]); n[0]++) {
         for (n[1] = 0; n[1] < num_picks(types[1]); n[1]++) {
            for (n[2] = 0; n[2] < num_picks(types[2]); n[2]++) {
               const uint64_t letters[NUM_LETTERS] = {
                  pick(types[0], n[0]),
                  pick(types[1], n[1]),
                  pick(types[2], n[2]),
               };

               check_rule(rule, letters);
            }
         }
      }
   }
}

/* Bytes stay what they are on their way through floats: all of them. */
static void
test_bytes(void **state)
{
   unsigned count = 0;

   (void)state;
   for (uint32_t i = 0; i < lir_num_fold_rules; i++) {
      const struct lir_fold_rule *rule = &lir_fold_rules[i];

      if (rule->after->kind != LIR_PATTERN_OP || rule->after->op != LIR_OP_byte)
         continue;
      for (uint32_t byte = 0; byte < 256; byte++) {
         const uint64_t letters[NUM_LETTERS] = {byte << 16 | 0xff00ff, 2};

         check_rule(rule, letters);
      }
      count++;
   }
   assert_int_equal(count, 1);
}

/* ---- use ----------------------------------------------------------------- */

static lir_value
build_constant(struct lir_builder *b, enum lir_type type, uint64_t number)
{
   switch (type) {
   case LIR_TYPE_B1: return lir_const1(b, number);
   case LIR_TYPE_B32: return lir_const32(b, (uint32_t)number);
   default: return lir_const64(b, number);
   }
}

static lir_value
build_pattern(struct lir_builder *b, const struct lir_pattern *pattern,
              enum lir_type type, const lir_value letters[NUM_LETTERS])
{
   const struct lir_op_info *info = &lir_ops[pattern->op];
   lir_value operands[3] = {{0}, {0}, {0}};

   if (pattern->kind == LIR_PATTERN_ANY)
      return letters[pattern->number];
   if (pattern->kind == LIR_PATTERN_NUMBER)
      return build_constant(b, type, pattern->number);
   for (unsigned i = 0; i < info->num_operands; i++)
      operands[i] = build_pattern(
         b, pattern->operand[i], (enum lir_type)info->operand_type[i], letters);
   return lir_build(b, pattern->op, operands, 0);
}

/* Whether a value is what the right side of a rule says. Variable i holds
 * letter i. */
static bool
is_pattern(const struct lir_function *function, lir_value value,
           const struct lir_pattern *pattern)
{
   const struct lir_inst *inst = &function->insts[value.index];
   const struct lir_op_info *info = &lir_ops[inst->op];

   switch (pattern->kind) {
   case LIR_PATTERN_ANY:
      return info->imm == LIR_IMM_VAR && inst->imm == pattern->number;
   case LIR_PATTERN_NUMBER:
      return info->imm == LIR_IMM_CONST && inst->imm == pattern->number;
   case LIR_PATTERN_OP: break;
   }
   if (inst->op != pattern->op)
      return false;
   for (unsigned i = 0; i < info->num_operands; i++) {
      if (!is_pattern(function, inst->operand[i], pattern->operand[i]))
         return false;
   }
   return true;
}

static void
check_use(const struct lir_fold_rule *rule)
{
   enum lir_type type = (enum lir_type)lir_ops[rule->before->op].type;
   enum lir_type types[NUM_LETTERS] = {LIR_TYPE_V, LIR_TYPE_V, LIR_TYPE_V};
   lir_value letters[NUM_LETTERS] = {{0}, {0}, {0}};
   struct lir_module module;
   struct lir_builder b;
   bool changed = false;

   find_types(rule->before, types);
   lir_module_init(&module, NULL);
   lir_builder_init(&b, &module, lir_module_add_function(&module, "main"));
   for (unsigned i = 0; i < NUM_LETTERS; i++) {
      uint32_t var = lir_module_add_var(
         &module, types[i] == LIR_TYPE_V ? LIR_TYPE_B1 : types[i], "letter");

      letters[i] = lir_getvar(&b, var);
   }
   uint32_t result = lir_module_add_var(&module, type, "result");
   lir_setvar(&b, result, build_pattern(&b, rule->before, type, letters));
   assert_false(b.failed);

   assert_int_equal(lir_pass_fold(&module, &changed), TG_OK);
   assert_true(changed);
   assert_null(lir_verify(&module));
   const struct lir_function *function = &module.functions[0];
   const struct lir_inst *last = &function->insts[function->num_insts - 1];
   if (!is_pattern(function, last->operand[0], rule->after))
      fail_msg("not applied: %s\n%s", rule->text, lir_print(&module));
   lir_module_finish(&module);
}

static void
test_rules_are_used(void **state)
{
   (void)state;
   for (uint32_t i = 0; i < lir_num_fold_rules; i++)
      check_use(&lir_fold_rules[i]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rules_are_true),
      cmocka_unit_test(test_bytes),
      cmocka_unit_test(test_rules_are_used),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
