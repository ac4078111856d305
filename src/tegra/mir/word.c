/* SPDX-License-Identifier: MIT
 *
 * Encoding requirements of operations, as bits of a word.
 */
#include "tegra/mir/word.h"

#include <assert.h>

#include "tegra/isa/implied.h"
#include "tegra/mir/reads_writes.h"
#include "util/length.h"

static void
need(struct word_claim *claim, enum tegra_field field, unsigned value)
{
   tegra_isa_put_field(claim->value, field, value);
   tegra_isa_put_field(claim->needed, field, UINT16_MAX);
   tegra_isa_put_field(claim->wanted, field, UINT16_MAX);
}

/* A swizzle of which only some lanes matter. */
static void
need_lanes(struct word_claim *claim, enum tegra_field field, unsigned swizzle,
           unsigned lanes)
{
   unsigned bits = 0;

   for (unsigned i = 0; i < 4; i++) {
      if (tegra_mask_has(lanes, i))
         bits |= 3u << (6 - 2 * i);
   }
   need(claim, field, swizzle);
   tegra_isa_put_field(claim->needed, field, bits);
}

/* ---- parts of an operation ----------------------------------------------- */

static void
need_source(struct word_claim *claim, const struct mir_op *op,
            enum tegra_source which, const struct mir_source *source)
{
   assert(which < TG_LENGTH(tegra_source_fields));
   const struct tegra_source_fields *fields = &tegra_source_fields[which];
   unsigned lanes = tegra_isa_components_read(mir_info(op), op->mask);

   need(claim, fields->type, source->file);
   need(claim, fields->index,
        source->file == MIR_TEMPORARY ? source->index & 63 : 0);
   need_lanes(claim, fields->swz, source->swizzle, lanes);
   need(claim, fields->neg, source->negate);
   need(claim, fields->abs, source->absolute);
   if (source->file == MIR_CONSTANT) {
      need(claim, TEGRA_FIELD_const_index, source->index);
      need(claim, TEGRA_FIELD_const_rel, source->relative);
   } else if (source->file == MIR_ATTRIBUTE) {
      need(claim, TEGRA_FIELD_attr_index, source->index);
      need(claim, TEGRA_FIELD_attr_rel, source->relative);
   }
   if (source->relative)
      need(claim, TEGRA_FIELD_a_sel, source->address);
}

static void
need_export(struct word_claim *claim, const struct mir_op *op)
{
   if (op->export_index == TEGRA_NO_EXPORT)
      return;
   need(claim, TEGRA_FIELD_export_index, op->export_index);
   need(claim, TEGRA_FIELD_export_rel, op->export_relative);
   need(claim, TEGRA_FIELD_export_vec, op->unit == TEGRA_VECTOR);
   if (op->export_relative)
      need(claim, TEGRA_FIELD_a_sel, op->export_address);
}

static void
need_predicate(struct word_claim *claim, const struct mir_predicate *predicate,
               unsigned lanes)
{
   need(claim, TEGRA_FIELD_cr, predicate->condition);
   need(claim, TEGRA_FIELD_p_lt, predicate->less);
   need(claim, TEGRA_FIELD_p_eq, predicate->equal);
   need(claim, TEGRA_FIELD_p_gt, predicate->greater);
   need_lanes(claim, TEGRA_FIELD_p_swz, predicate->swizzle, lanes);
}

/* A jump looks at the predicate whatever `cc` is, which gates writes: those of
 * an operation beside it shall not be. */
static void
need_jump(struct word_claim *claim, const struct mir_op *op)
{
   if (op->predicate.enabled) {
      need_predicate(claim, &op->predicate, TEGRA_MASK_XYZW);
   } else {
      need(claim, TEGRA_FIELD_p_lt, 1);
      need(claim, TEGRA_FIELD_p_eq, 1);
      need(claim, TEGRA_FIELD_p_gt, 1);
   }
   need(claim, TEGRA_FIELD_cc, 0);
   if (mir_info(op)->operands == TEGRA_OPERANDS_TARGET)
      need(claim, TEGRA_FIELD_rc_swz, op->target);
}

/* What gates and follows a result. */
static void
need_gates(struct word_claim *claim, const struct mir_op *op)
{
   if (!mir_info(op)->truth)
      need(claim, TEGRA_FIELD_sat, op->saturate);
   need(claim, TEGRA_FIELD_cs, op->sets_condition);
   need(claim, TEGRA_FIELD_cwr, op->sets_condition);
   if (op->sets_condition)
      need(claim, TEGRA_FIELD_cr, op->condition);
   need(claim, TEGRA_FIELD_cc, op->predicate.enabled);
   if (op->predicate.enabled)
      need_predicate(claim, &op->predicate, op->mask);
}

/* Address registers are written only where the vector destination is even. */
static unsigned
destination(const struct mir_op *op)
{
   const struct tegra_opcode_info *info = mir_info(op);

   if (op->temporary != MIR_NONE)
      return op->temporary & 63;
   if (op->unit == TEGRA_VECTOR &&
       (info->result == TEGRA_RESULT_ADDR ||
        info->effect == TEGRA_EFFECT_PUSH || info->effect == TEGRA_EFFECT_POP))
      return 0;
   return TEGRA_NO_REGISTER;
}

void
word_claim(const struct mir_op *op, struct word_claim *claim)
{
   bool is_vector = op->unit == TEGRA_VECTOR;
   enum tegra_source sources[TEGRA_NUM_SOURCES];
   unsigned num_sources = tegra_isa_sources(mir_info(op), sources);

   *claim = (struct word_claim){{0}, {0}, {0}};
   need(claim, is_vector ? TEGRA_FIELD_v_op : TEGRA_FIELD_s_op, op->opcode);
   need(claim, is_vector ? TEGRA_FIELD_v_mask : TEGRA_FIELD_s_mask, op->mask);
   need(claim, is_vector ? TEGRA_FIELD_v_rd : TEGRA_FIELD_s_rd,
        destination(op));
   for (unsigned i = 0; i < num_sources; i++)
      need_source(claim, op, sources[i], &op->source[i]);
   need_export(claim, op);
   if (mir_is_jump(op))
      need_jump(claim, op);
   else if (mir_info(op)->result != TEGRA_RESULT_NONE)
      need_gates(claim, op);
}

/* ---- pairs --------------------------------------------------------------- */

/* The source of a vector operation that is rC, or NULL. */
static const struct mir_source *
third_source(const struct mir_op *op)
{
   enum tegra_source sources[TEGRA_NUM_SOURCES];
   unsigned count = tegra_isa_sources(mir_info(op), sources);

   return count && sources[count - 1] == TEGRA_RC ? &op->source[count - 1]
                                                  : NULL;
}

/* Registers have more numbers than the field, and a target stands where rC has
 * its swizzle. */
static bool
share_third_source(const struct mir_op *vector, const struct mir_op *scalar)
{
   const struct mir_source *a = third_source(vector);
   const struct mir_source *b = third_source(scalar);

   if (!a)
      return true;
   if (mir_info(scalar)->operands == TEGRA_OPERANDS_TARGET)
      return false;
   return !b || mir_same_register(a, b);
}

static bool
has_stack_effect(const struct mir_op *op)
{
   unsigned effect = mir_info(op)->effect;

   return effect != TEGRA_EFFECT_NONE && effect != TEGRA_EFFECT_BRANCH;
}

bool
word_can_pair(const struct mir_op *vector,
              const struct word_claim *vector_claim,
              const struct mir_op *scalar,
              const struct word_claim *scalar_claim)
{
   uint32_t clash = 0;

   for (unsigned i = 0; i < TG_TEGRA_WORDS; i++)
      clash |= (vector_claim->value[i] ^ scalar_claim->value[i]) &
               vector_claim->needed[i] & scalar_claim->needed[i];
   if (clash || !share_third_source(vector, scalar))
      return false;
   if (vector->temporary != MIR_NONE && vector->temporary == scalar->temporary)
      return false;
   if (vector->sets_condition && (vector->mask & scalar->mask))
      return false;
   if (has_stack_effect(vector) && has_stack_effect(scalar))
      return false;
   return !(mir_writes_address(vector) && mir_address_read(scalar)) &&
          !(mir_writes_address(scalar) && mir_address_read(vector)) &&
          !(mir_writes_address(scalar) && mir_writes_address(vector));
}

/* ---- the word ------------------------------------------------------------ */

static void
overlay(uint32_t words[TG_TEGRA_WORDS], const uint32_t value[TG_TEGRA_WORDS],
        const uint32_t mask[TG_TEGRA_WORDS])
{
   for (unsigned i = 0; i < TG_TEGRA_WORDS; i++)
      words[i] = (words[i] & ~mask[i]) | (value[i] & mask[i]);
}

union tegra_instruction
word_pack(const struct mir_op *ops, uint32_t num_ops)
{
   struct word_claim claims[2];
   union tegra_instruction nothing = {0};
   uint32_t words[TG_TEGRA_WORDS];

   tegra_imply(TEGRA_STYLE_NVIDIA, 0, &nothing);
   tegra_isa_encode(&nothing, words);
   for (uint32_t i = 0; i < num_ops; i++) {
      word_claim(&ops[i], &claims[i]);
      overlay(words, claims[i].value, claims[i].wanted);
   }
   for (uint32_t i = 0; i < num_ops; i++)
      overlay(words, claims[i].value, claims[i].needed);
   return tegra_isa_decode(words);
}

static bool
fight_for_a_port(const struct mir_source *a, const struct mir_source *b)
{
   bool literals = a->file == MIR_LITERAL && b->file == MIR_LITERAL;
   bool a_is_constant = a->file == MIR_CONSTANT || a->file == MIR_LITERAL;
   bool b_is_constant = b->file == MIR_CONSTANT || b->file == MIR_LITERAL;

   if (a->relative && b->relative && a->address != b->address)
      return true;
   if (a_is_constant && b_is_constant)
      return !literals && !mir_same_register(a, b);
   return a->file == MIR_ATTRIBUTE && b->file == MIR_ATTRIBUTE &&
          !mir_same_register(a, b);
}

bool
word_can_hold(const struct mir_op *op)
{
   return !fight_for_a_port(&op->source[0], &op->source[1]) &&
          !fight_for_a_port(&op->source[0], &op->source[2]) &&
          !fight_for_a_port(&op->source[1], &op->source[2]);
}
