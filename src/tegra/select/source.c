/* SPDX-License-Identifier: MIT
 *
 * Sources converted to their inferred kinds: words, masks as 1.0 and 0.0,
 * integers as floats; and what is refused because it is not.
 */
#include "tegra/select/select.h"

#include <assert.h>
#include <math.h>

#include "tegra/select/kinds_bounds.h"
#include "tgsi/analysis/instruction.h"
#include "util/length.h"

/* ---- kinds of operands --------------------------------------------------- */

static enum kinds_rule
rule_of(const struct select *select)
{
   return select_rows[select->instruction->opcode].kinds;
}

static enum kind
kind_of(const struct select *select, unsigned operand, unsigned c)
{
   return kinds_of(select->kinds, select->index, operand, c);
}

/* Of two operands that are alike, of which one may be a literal. */
static enum kind
kind_of_either(const struct select *select, unsigned c)
{
   enum kind kind = kind_of(select, KINDS_SRC, c);

   if (kind == KIND_ANY)
      kind = kind_of(select, KINDS_SRC + 1, c);
   return kind == KIND_MASK ? KIND_MASK : KIND_INTEGER;
}

/* What the rule wants of a component of a source. */
static enum kind
wanted_kind(const struct select *select, unsigned index, unsigned c)
{
   enum kinds_rule rule = rule_of(select);
   enum kind kind = kinds_rules[rule].source;

   switch (rule) {
   case KINDS_MOVE:
   case KINDS_CHOICE: return kind_of(select, KINDS_DST, c);
   case KINDS_EQUAL: return kind_of_either(select, c);
   case KINDS_SCALE: return index == 0 ? KIND_WORD : KIND_INTEGER;
   case KINDS_NEGATION:
   case KINDS_FROM:
      return kind_of(select, KINDS_SRC + index, c) == KIND_MASK ? KIND_MASK
                                                                : KIND_INTEGER;
   default: return kind == KIND_ANY ? KIND_WORD : kind;
   }
}

bool
select_has_input_source(const struct select *select)
{
   for (unsigned i = 0; i < select->instruction->num_src; i++) {
      unsigned file = select->instruction->src[i].reg.file;

      if (file == TG_FILE_IN || file == TG_FILE_CONST)
         return true;
   }
   return false;
}

/* What is wrong with an operand of one kind where another is wanted. */
static enum select_refusal
reason_of(enum kind have, enum kind want)
{
   if (want != KIND_WORD)
      return have == KIND_MASK ? SELECT_REFUSED_MASK
                               : SELECT_REFUSED_NO_INTEGER;
   return have == KIND_MASK ? SELECT_REFUSED_MASK : SELECT_REFUSED_BITS;
}

/* ---- literals ------------------------------------------------------------ */

/* A word of a literal as `kind` has it; false if it is none such. */
static bool
convert_literal(uint32_t *word, enum kind kind)
{
   int32_t integer = (int32_t)*word;

   switch (kind) {
   case KIND_MASK:
      *word = tg_bits_of_float(integer ? 1.0f : 0.0f);
      return integer == 0 || integer == -1;
   case KIND_INTEGER:
      *word = tg_bits_of_float((float)integer);
      return integer >= -KINDS_EXACT && integer <= KINDS_EXACT;
   case KIND_WORD:
   case KIND_ANY: break;
   }
   return true;
}

/* Modifiers of floats change no other kind as they change bits; those of
 * integers do so with integers. */
static bool
has_foreign_modifier(const struct select *select, unsigned index,
                     enum kind kind)
{
   assert(index < select->instruction->num_src);
   const struct tg_src *src = &select->instruction->src[index];
   enum tg_type type = select->info->src_type[index];
   bool is_float = type == TG_TYPE_F32 || type == TG_TYPE_UNTYPED;

   return (src->negate || src->absolute) &&
          (kind == KIND_MASK || is_float != (kind == KIND_WORD));
}

/* ---- sources ------------------------------------------------------------- */

/* Makes one component what is wanted. */
static bool
convert_component(const struct select *select, unsigned index, unsigned c,
                  enum kind want, struct mir_source *source)
{
   enum kind have = kind_of(select, KINDS_SRC + index, c);

   if (has_foreign_modifier(select, index, want))
      return false;
   if (have == KIND_ANY)
      return convert_literal(&source->literal[c], want);
   return have == want;
}

bool
select_source_as(struct select *select, unsigned index, unsigned mask,
                 enum kind kind, struct mir_source *source_out)
{
   *source_out = select_bare_operand(select, index);
   for (unsigned c = 0; c < 4; c++) {
      if (tegra_mask_has(mask, c) &&
          !convert_component(select, index, c, kind, source_out))
         return false;
   }
   return true;
}

struct mir_source
select_source(struct select *select, unsigned index)
{
   struct mir_source source = select_bare_operand(select, index);
   unsigned reads =
      tg_instruction_reads(select->instruction, select->info, index);

   for (unsigned c = 0; c < 4; c++) {
      enum kind want = wanted_kind(select, index, c);

      if (reads & 1u << c &&
          !convert_component(select, index, c, want, &source)) {
         enum kind have = kind_of(select, KINDS_SRC + index, c);
         select_refuse(select,
                       want != KIND_WORD && select_has_input_source(select)
                          ? SELECT_REFUSED_INPUT
                          : reason_of(have, want));
         break;
      }
   }
   return source;
}

bool
select_source_is_literal(const struct select *select, unsigned index)
{
   const struct tg_register *reg = &select->instruction->src[index].reg;

   return reg->file == TG_FILE_IMM && !reg->index.indirect;
}

uint32_t
select_source_literal(struct select *select, unsigned index, unsigned c)
{
   struct mir_source source = select_bare_operand(select, index);
   assert(c < TG_LENGTH(source.literal));
   uint32_t word = source.literal[c];

   if (source.absolute && word >> 31)
      word = 0 - word;
   return source.negate ? 0 - word : word;
}

/* ---- truth --------------------------------------------------------------- */

/* Is it 0 for a comparison exactly where no bit is set? */
static bool
is_its_truth(const struct select *select, unsigned index, unsigned c)
{
   const struct tg_src *src = &select->instruction->src[index];

   return kind_of(select, KINDS_SRC + index, c) != KIND_WORD ||
          (!src->negate && !src->absolute &&
           !kinds_may_be_minus_zero(select->kinds, select->index,
                                    KINDS_SRC + index, c));
}

/* Not 0 of words that may be -0: for a comparison that is 0, but its reciprocal
 * is below 0. */
static struct mir_source
truth_of_words(struct select *select, struct mir_source value, unsigned mask)
{
   const struct mir_source zero = mir_number(0.0f);
   struct select_place is_not_zero = select_temporary_place(select, mask);
   struct select_place is_negative = select_temporary_place(select, mask);
   struct mir_source t = select_value(is_not_zero);

   select_emit_vector2(select, TEGRA_VECTOR_SNE, is_not_zero, value, zero);
   for (unsigned c = 0; c < 4; c++)
      select_emit_scalar(select, TEGRA_SCALAR_RCP,
                         select_masked_place(is_negative, tegra_mask_bit(c)),
                         mir_component(value, c));
   select_emit_vector2(select, TEGRA_VECTOR_SLT, is_negative,
                       select_value(is_negative), zero);
   select_emit_vector2(select, TEGRA_VECTOR_MAX, is_not_zero, t,
                       select_value(is_negative));
   return t;
}

struct mir_source
select_source_truth(struct select *select, unsigned index, unsigned mask)
{
   struct mir_source source = select_bare_operand(select, index);
   bool is_truth = true;

   for (unsigned c = 0; c < 4; c++) {
      if (!tegra_mask_has(mask, c))
         continue;
      if (kind_of(select, KINDS_SRC + index, c) == KIND_ANY)
         source.literal[c] = tg_bits_of_float(source.literal[c] ? 1.0f : 0.0f);
      is_truth &= is_its_truth(select, index, c);
   }
   return is_truth ? source : truth_of_words(select, source, mask);
}

struct mir_source
select_predicate_source(struct select *select, unsigned mask)
{
   const struct tg_instruction *instruction = select->instruction;
   const uint8_t *swizzle = instruction->predicate_swizzle;
   struct tg_register reg = {
      .file = TG_FILE_PRED,
      .index = {.offset = instruction->predicate_index},
   };
   struct mir_source source = mir_swizzle(
      select_register_operand(select, &reg),
      tegra_swizzle(swizzle[0], swizzle[1], swizzle[2], swizzle[3]));

   return select->predicates_are_truths ? source
                                        : truth_of_words(select, source, mask);
}

/* ---- results ------------------------------------------------------------- */

static struct kinds_range
range_of(const struct select *select, unsigned operand, unsigned c)
{
   return kinds_range(select->kinds, select->index, operand, c);
}

static bool
is_exact(const struct select *select, unsigned operand, unsigned c)
{
   struct kinds_range range = range_of(select, operand, c);

   return range.low >= -KINDS_EXACT && range.high <= KINDS_EXACT;
}

/* Is all that has to be exact? What F2I gives is, however large, and what a
 * mask lets through of it. What only finds registers need not be, as long as it
 * is large; but of operands that are large that may be small. */
static bool
is_computed_exactly(const struct select *select, unsigned c)
{
   enum kinds_exact exact = kinds_rules[rule_of(select)].exact;

   if (kind_of(select, KINDS_DST, c) != KIND_INTEGER ||
       exact == KINDS_EXACT_NOTHING)
      return true;
   for (unsigned i = 0; i < select->instruction->num_src; i++) {
      if (kind_of(select, KINDS_SRC + i, c) == KIND_MASK)
         return true;
      if (exact == KINDS_EXACT_ALL && !is_exact(select, KINDS_SRC + i, c))
         return false;
   }
   return is_exact(select, KINDS_DST, c) ||
          kinds_is_index(select->kinds, select->index, KINDS_DST, c);
}

static void
check_component(struct select *select, unsigned c)
{
   enum kind want = kinds_rules[rule_of(select)].result;
   enum kind have = kind_of(select, KINDS_DST, c);

   if ((want != KIND_ANY && have != want) ||
       (have != KIND_WORD && select->instruction->saturate))
      select_refuse(select, have == KIND_MASK || want == KIND_MASK
                               ? SELECT_REFUSED_MASK
                               : SELECT_REFUSED_BITS);
   else if (!is_computed_exactly(select, c))
      select_refuse(select, SELECT_REFUSED_RANGE);
}

/* A word with bit 31 set is one integer with a sign and another without. Which
 * of them a float stands for is seen from its bounds: only F2U gives what is
 * beyond 2^31. */
static void
check_signs(struct select *select, unsigned c)
{
   enum kinds_rule rule = rule_of(select);
   bool may_be_below = false, may_be_beyond = false;

   for (unsigned i = 0; i < select->instruction->num_src; i++) {
      struct kinds_range range = range_of(select, KINDS_SRC + i, c);
      bool is_unsigned = select->info->src_type[i] == TG_TYPE_U32;

      may_be_below |= range.low < 0;
      may_be_beyond |= range.high == 0x1p32;
      if (kinds_rules[rule].tells_signs &&
          (is_unsigned ? range.low < 0 : range.high == 0x1p32))
         select_refuse(select, SELECT_REFUSED_SIGN);
   }
   if (rule == KINDS_EQUAL && may_be_below && may_be_beyond)
      select_refuse(select, SELECT_REFUSED_SIGN);
}

void
select_check_result(struct select *select)
{
   const struct tg_instruction *instruction = select->instruction;

   if (kinds_rules[rule_of(select)].source == KIND_INTEGER &&
       select_has_input_source(select))
      select_refuse(select, SELECT_REFUSED_INPUT);
   for (unsigned c = 0; c < 4; c++) {
      if (!instruction->num_dst ||
          instruction->dst[0].reg.file == TG_FILE_ADDR ||
          !(instruction->dst[0].writemask & 1u << c))
         continue;
      check_signs(select, c);
      check_component(select, c);
   }
}

struct kinds_range
select_source_bounds(const struct select *select, unsigned index, unsigned mask)
{
   struct kinds_range range = {INFINITY, -INFINITY};

   for (unsigned c = 0; c < 4; c++) {
      if (tegra_mask_has(mask, c))
         range = bounds_hull(range, range_of(select, KINDS_SRC + index, c));
   }
   return range;
}

bool
select_source_may_be_negative(const struct select *select, unsigned index,
                              unsigned mask)
{
   return select_source_bounds(select, index, mask).low < 0;
}
