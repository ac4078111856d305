/* SPDX-License-Identifier: MIT
 *
 * Constant folding, with the expressions of ops.def, and the rules of
 * fold.def. What a rule leaves without a use is for dce to drop.
 */
#include "lir/fold.h"

#include <assert.h>

#include "lir/evaluate.h"
#include "lir/passes.h"
#include "lir/rewrite.h"

/* ---- the rules ----------------------------------------------------------- */

#define PATTERN(...) (&(const struct lir_pattern){__VA_ARGS__})
#define A PATTERN(.kind = LIR_PATTERN_ANY, .number = 0)
#define B PATTERN(.kind = LIR_PATTERN_ANY, .number = 1)
#define C PATTERN(.kind = LIR_PATTERN_ANY, .number = 2)
#define N(value) PATTERN(.kind = LIR_PATTERN_NUMBER, .number = value)
#define OP(name, ...)                                                          \
   PATTERN(.kind = LIR_PATTERN_OP, .op = LIR_OP_##name,                        \
           .operand = {__VA_ARGS__})

const struct lir_fold_rule lir_fold_rules[] = {
#define LIR_FOLD(before, after) {before, after, #before " -> " #after},
#include "lir/fold.def"
};

#undef A
#undef B
#undef C
#undef N
#undef OP
#undef PATTERN

enum { NUM_RULES = sizeof(lir_fold_rules) / sizeof(lir_fold_rules[0]) };

const uint32_t lir_num_fold_rules = NUM_RULES;

/* The rules by the operation that they begin with. */
struct rule_index {
   uint16_t first[LIR_NUM_OPS]; /* NUM_RULES for none */
   uint16_t next[NUM_RULES];
};

static void
index_rules(struct rule_index *index)
{
   for (uint32_t op = 0; op < LIR_NUM_OPS; op++)
      index->first[op] = NUM_RULES;
   for (uint16_t i = NUM_RULES; i-- > 0;) {
      uint16_t *first = &index->first[lir_fold_rules[i].before->op];

      index->next[i] = *first;
      *first = i;
   }
}

/* ---- matching ------------------------------------------------------------ */

struct match {
   const struct lir_function *function;
   lir_value value[3]; /* what the letters stand for */
   uint8_t bound;      /* bit i: value[i] is known */
};

static bool
is_constant(const struct lir_inst *inst)
{
   return lir_op_row(inst->op)->imm == LIR_IMM_CONST;
}

static bool
match_any(struct match *match, uint64_t letter, lir_value value)
{
   if (match->bound >> letter & 1)
      return match->value[letter].index == value.index;
   match->bound |= (uint8_t)(1u << letter);
   match->value[letter] = value;
   return true;
}

static bool
match_value(struct match *match, const struct lir_pattern *pattern,
            lir_value value);

static bool
match_operands(struct match *match, const struct lir_pattern *pattern,
               const lir_value operands[3])
{
   for (unsigned i = 0; i < lir_op_row(pattern->op)->num_operands; i++) {
      if (!match_value(match, pattern->operand[i], operands[i]))
         return false;
   }
   return true;
}

static bool
match_inst(struct match *match, const struct lir_pattern *pattern,
           const struct lir_inst *inst)
{
   struct match before = *match;

   if (inst->op != pattern->op)
      return false;
   if (match_operands(match, pattern, inst->operand))
      return true;
   if (!lir_op_commutes[inst->op])
      return false;

   const lir_value exchanged[3] = {inst->operand[1], inst->operand[0]};
   *match = before;
   return match_operands(match, pattern, exchanged);
}

/* As deep as the patterns of fold.def are. */
static bool
match_value(struct match *match, const struct lir_pattern *pattern,
            lir_value value)
{
   const struct lir_inst *inst = &match->function->insts[value.index];

   switch (pattern->kind) {
   case LIR_PATTERN_ANY: return match_any(match, pattern->number, value);
   case LIR_PATTERN_NUMBER:
      return is_constant(inst) && inst->imm == pattern->number;
   case LIR_PATTERN_OP: return match_inst(match, pattern, inst);
   }
   return false;
}

/* ---- rewriting ----------------------------------------------------------- */

static void
become_constant(struct lir_rewrite *rewrite, struct lir_inst *inst,
                uint64_t number)
{
   static const enum lir_op op[] = {
      [LIR_TYPE_B1] = LIR_OP_const1,
      [LIR_TYPE_B32] = LIR_OP_const32,
      [LIR_TYPE_B64] = LIR_OP_const64,
   };

   inst->op = (uint16_t)op[lir_op_row(inst->op)->type];
   inst->imm = number;
   rewrite->changed = true;
}

static bool
evaluate(struct lir_rewrite *rewrite, struct lir_inst *inst)
{
   uint64_t operands[3] = {0};
   uint64_t result;

   for (unsigned i = 0; i < lir_op_row(inst->op)->num_operands; i++) {
      const struct lir_inst *operand =
         &rewrite->function->insts[inst->operand[i].index];

      if (!is_constant(operand))
         return false;
      operands[i] = operand->imm;
   }
   if (!lir_evaluate((enum lir_op)inst->op, operands, &result))
      return false;
   become_constant(rewrite, inst, result);
   return true;
}

/* A constant operand goes to the right, where the rules expect it. */
static void
order_operands(struct lir_rewrite *rewrite, struct lir_inst *inst)
{
   const struct lir_inst *insts = rewrite->function->insts;
   lir_value left = inst->operand[0];
   lir_value right = inst->operand[1];

   if (!lir_op_commutes[inst->op] || !is_constant(&insts[left.index]) ||
       is_constant(&insts[right.index]))
      return;
   inst->operand[0] = right;
   inst->operand[1] = left;
   rewrite->changed = true;
}

static void
apply(struct lir_rewrite *rewrite, uint32_t index,
      const struct lir_pattern *after, const struct match *match)
{
   assert(index < rewrite->function->num_insts);
   struct lir_inst *inst = &rewrite->function->insts[index];

   switch (after->kind) {
   case LIR_PATTERN_ANY:
      lir_rewrite_replace(rewrite, index, match->value[after->number]);
      break;
   case LIR_PATTERN_NUMBER:
      become_constant(rewrite, inst, after->number);
      break;
   case LIR_PATTERN_OP:
      inst->op = (uint16_t)after->op;
      for (unsigned i = 0; i < lir_op_row(after->op)->num_operands; i++)
         inst->operand[i] = match->value[after->operand[i]->number];
      rewrite->changed = true;
      break;
   }
}

static void
fold_instruction(struct lir_rewrite *rewrite, const struct rule_index *index,
                 uint32_t at)
{
   assert(at < rewrite->function->num_insts);
   struct lir_inst *inst = &rewrite->function->insts[at];

   lir_rewrite_operands(rewrite, inst);
   if (evaluate(rewrite, inst))
      return;
   order_operands(rewrite, inst);
   for (uint32_t i = index->first[inst->op]; i < NUM_RULES;
        i = index->next[i]) {
      struct match match = {.function = rewrite->function};

      if (match_inst(&match, lir_fold_rules[i].before, inst)) {
         apply(rewrite, at, lir_fold_rules[i].after, &match);
         return;
      }
   }
}

static bool
fold_function(struct lir_rewrite *rewrite, void *user)
{
   const struct rule_index *index = user;

   for (uint32_t i = 0; i < rewrite->function->num_insts; i++)
      fold_instruction(rewrite, index, i);
   return true;
}

enum tg_result
lir_pass_fold(struct lir_module *module, bool *changed_out)
{
   struct rule_index index;

   index_rules(&index);
   return lir_rewrite_module(module, fold_function, &index, changed_out);
}
