/* SPDX-License-Identifier: MIT
 *
 * Bitwise logic in floats: AND, OR, XOR, NOT and UCMP, of truth values, which
 * are 1.0 and 0.0, and of integers as far as floats can do it. Bits of an
 * integer x below bit n are what a division by 2^n leaves; so x AND a literal
 * is a sum of such, and the other operations follow from AND:
 *
 *    x OR  l = (x AND NOT l) + l
 *    x XOR l = x - 2 (x AND l) + l
 *    NOT x   = -1 - x
 */
#include "tegra/select/select.h"

#include <assert.h>

#include "tegra/select/kinds_bounds.h"
#include "util/length.h"

/* ---- truth values -------------------------------------------------------- */

/* What a mask lets through: the value or 0. Where nothing can go wrong it is a
 * product. */
static void
let_through(struct select *select, struct select_place result,
            struct mir_source mask, struct mir_source value)
{
   bool is_one = value.file == MIR_LITERAL && !value.negate;
   bool is_plain = is_one;

   for (unsigned c = 0; c < 4; c++) {
      if (!tegra_mask_has(result.mask, c))
         continue;
      is_one &= value.literal[c] == 0x3f800000;
      is_plain &= value.literal[c] < 0x7f800000;
   }
   if (is_one) {
      select_emit_vector1(select, TEGRA_VECTOR_MOV, result, mask);
      return;
   }
   if (is_plain) {
      select_emit_vector2(select, TEGRA_VECTOR_MUL, result, mask, value);
      return;
   }
   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_condition_place(1, result.mask), mask);
   select_emit_vector0(select, TEGRA_VECTOR_SFL, result);
   select_emit_vector1(
      select, TEGRA_VECTOR_MOV,
      select_place_where(result, SELECT_GREATER, TEGRA_IDENTITY), value);
}

/* Truth values, and other numbers that are 0 or 1. -x >= x is true of 0. */
static void
combine_truths(struct select *select, enum kinds_rule rule,
               struct select_place result, struct mir_source a,
               struct mir_source b)
{
   switch (rule) {
   case KINDS_AND:
      select_emit_vector2(select, TEGRA_VECTOR_MUL, result, a, b);
      break;
   case KINDS_OR:
      select_emit_vector2(select, TEGRA_VECTOR_MAX, result, a, b);
      break;
   case KINDS_XOR:
      select_emit_vector2(select, TEGRA_VECTOR_SNE, result, a, b);
      break;
   default:
      select_emit_vector2(select, TEGRA_VECTOR_SGE, result, mir_negate(a), a);
      break;
   }
}

/* ---- bits of integers ---------------------------------------------------- */

/* What is wanted of an integer x: bits below bit n of its first term, less
 * those below that of its second, plus those below that of its third, and so
 * on. */
struct term {
   unsigned mask;  /* components that have it */
   unsigned whole; /* of those: where it is all of x */
   float power[4]; /* 2^n */
};

struct bits {
   unsigned num_terms;
   struct term terms[32];
};

/* A term for each place where ones begin or end, from above. */
static void
find_terms(struct bits *bits, unsigned c, struct kinds_range range,
           uint32_t word)
{
   unsigned num = 0;
   double above = bounds_power_above(range.high);

   if (range.low >= 0 && above < 0x1p32)
      word &= (uint32_t)above - 1;
   for (unsigned n = 32; n > 0; n--) {
      bool was_set = n < 32 && word >> n & 1, is_set = word >> (n - 1) & 1;
      double power = (double)(UINT64_C(1) << n);

      if (is_set == was_set)
         continue;
      struct term *term = &bits->terms[num++];
      term->mask |= tegra_mask_bit(c);
      assert(c < TG_LENGTH(term->power));
      term->power[c] = (float)power;
      if (n == 32 || (range.low >= 0 && power >= above))
         term->whole |= tegra_mask_bit(c);
   }
   bits->num_terms = num > bits->num_terms ? num : bits->num_terms;
}

/* x / 2^n has bits below bit n as its fraction. */
static void
add_term(struct select *select, struct select_place place, struct mir_source x,
         const struct term *term, unsigned index)
{
   unsigned mask = term->mask & ~term->whole;
   struct mir_source up = mir_number(0), down = mir_number(0);
   struct select_place t = select_temporary_place(select, mask);

   for (unsigned c = 0; c < 4; c++) {
      if (!tegra_mask_has(mask, c))
         continue;
      up.literal[c] =
         tg_bits_of_float(index % 2 ? -term->power[c] : term->power[c]);
      down.literal[c] = tg_bits_of_float(1 / term->power[c]);
   }
   select_emit_vector2(select, TEGRA_VECTOR_MUL, t, x, down);
   select_emit_vector1(select, TEGRA_VECTOR_FRC, t, select_value(t));
   if (index == 0) {
      select_emit_vector1(select, TEGRA_VECTOR_MOV,
                          select_masked_place(place, term->whole), x);
      select_emit_vector2(select, TEGRA_VECTOR_MUL,
                          select_masked_place(place, mask), select_value(t),
                          up);
   } else {
      select_emit_vector3(select, TEGRA_VECTOR_MAD,
                          select_masked_place(place, mask), select_value(t), up,
                          select_value(place));
   }
}

/* x AND words. */
static struct bits
bits_of(const struct select *select, unsigned mask, unsigned index,
        const uint32_t words[4])
{
   struct bits bits = {0};

   for (unsigned c = 0; c < 4; c++) {
      if (tegra_mask_has(mask, c))
         find_terms(&bits, c,
                    select_source_bounds(select, index, tegra_mask_bit(c)),
                    words[c]);
   }
   return bits;
}

/* To a place from which x does not come. */
static void
take_bits(struct select *select, struct select_place place, struct mir_source x,
          const struct bits *bits)
{
   select_emit_vector0(select, TEGRA_VECTOR_SFL,
                       select_masked_place(place, ~bits->terms[0].mask));
   for (unsigned i = 0; i < bits->num_terms; i++)
      add_term(select, place, x, &bits->terms[i], i);
}

/* F2I and F2U give what is next to the greatest integer for it, 2^31 or 2^32,
 * of which not all bits are set. Where 2^31 may be either, nobody knows. */
static bool
correct_greatest(struct select *select, struct select_place place,
                 struct mir_source x, unsigned index)
{
   struct mir_source greatest = mir_number(0), ones;
   unsigned mask = 0;

   for (unsigned c = 0; c < 4; c++) {
      unsigned bit = place.mask & tegra_mask_bit(c);
      struct kinds_range range = select_source_bounds(select, index, bit);

      if (range.high < 0x1p31)
         continue;
      if (range.low < 0 && range.high > 0x1p31)
         return false;
      mask |= bit;
      greatest.literal[c] =
         tg_bits_of_float(range.high > 0x1p31 ? 0x1p32f : 0x1p31f);
   }
   if (!select_source_as(select, 1 - index, mask, KIND_INTEGER, &ones))
      return false;
   select_emit_vector2(select, TEGRA_VECTOR_SGE,
                       select_condition_place(1, mask), x, greatest);
   select_emit_vector1(
      select, TEGRA_VECTOR_MOV,
      select_masked_place(
         select_place_where(place, SELECT_GREATER, TEGRA_IDENTITY), mask),
      ones);
   return true;
}

static bool
and_bits(struct select *select, struct select_place result, struct mir_source x,
         unsigned index, const uint32_t words[4])
{
   struct bits bits = bits_of(select, result.mask, index, words);

   if (bits.num_terms > 1) {
      struct select_place t = select_temporary_place(select, result.mask);
      take_bits(select, t, x, &bits);
      select_emit_vector1(select, TEGRA_VECTOR_MOV, result, select_value(t));
   } else {
      take_bits(select, result, x, &bits);
   }
   return correct_greatest(select, result, x, index);
}

/* OR and XOR, where sums that come up stay exact. */
static bool
add_bits(struct select *select, enum kinds_rule rule,
         struct select_place result, struct mir_source x, unsigned index,
         const uint32_t words[4])
{
   struct kinds_range all =
      bounds_hull(select_source_bounds(select, 0, result.mask),
                  select_source_bounds(select, 1, result.mask));
   struct select_place t = select_temporary_place(select, result.mask);
   struct mir_source sum = select_value(t), ones;
   uint32_t others[4];

   if (all.low < 0 && (all.low < -0x1p23 || all.high > 0x1p23))
      select_refuse(select, SELECT_REFUSED_RANGE);
   if (!select_source_as(select, 1 - index, result.mask, KIND_INTEGER, &ones))
      return false;
   for (unsigned c = 0; c < 4; c++)
      others[c] = ~words[c];

   struct bits bits =
      bits_of(select, result.mask, index, rule == KINDS_OR ? others : words);
   take_bits(select, t, x, &bits);
   if (rule == KINDS_XOR)
      select_emit_vector3(select, TEGRA_VECTOR_MAD, t, sum, mir_number(-2), x);
   select_emit_vector2(select, TEGRA_VECTOR_ADD, result, sum, ones);
   return true;
}

/* Integers that are 0 or 1. */
static bool
combine_small(struct select *select, enum kinds_rule rule,
              struct select_place result)
{
   struct kinds_range all =
      bounds_hull(select_source_bounds(select, 0, result.mask),
                  select_source_bounds(select, 1, result.mask));
   struct mir_source a, b;

   if (all.low < 0 || all.high > 1 ||
       !select_source_as(select, 0, result.mask, KIND_INTEGER, &a) ||
       !select_source_as(select, 1, result.mask, KIND_INTEGER, &b))
      return false;
   combine_truths(select, rule, result, a, b);
   return true;
}

static bool
combine_integers(struct select *select, enum kinds_rule rule,
                 struct select_place result)
{
   unsigned index = rule != KINDS_NOT && select_source_is_literal(select, 0);
   struct mir_source x;
   uint32_t words[4];

   if (!select_source_as(select, index, result.mask, KIND_INTEGER, &x))
      return false;
   if (rule == KINDS_NOT) {
      select_emit_vector2(select, TEGRA_VECTOR_ADD, result, mir_negate(x),
                          mir_number(-1));
      return true;
   }
   if (!select_source_is_literal(select, 1 - index))
      return combine_small(select, rule, result);
   for (unsigned c = 0; c < 4; c++)
      words[c] = select_source_literal(select, 1 - index, c);
   return rule == KINDS_AND ? and_bits(select, result, x, index, words)
                            : add_bits(select, rule, result, x, index, words);
}

/* ---- all of them --------------------------------------------------------- */

static enum kind
kind_of_result(const struct select *select, unsigned c)
{
   return kinds_of(select->kinds, select->index, KINDS_DST, c);
}

/* What an operand is in one component: a mask or what the result is. */
static enum kind
kind_of_side(const struct select *select, unsigned index, unsigned c)
{
   bool is_mask =
      index < select->instruction->num_src &&
      kinds_of(select->kinds, select->index, KINDS_SRC + index, c) == KIND_MASK;

   return is_mask ? KIND_MASK : kind_of_result(select, c);
}

/* Components of which operands and result are the same as in the first. */
static unsigned
components_alike(const struct select *select, unsigned mask, unsigned first)
{
   unsigned alike = 0;

   for (unsigned c = first; c < 4; c++) {
      if (tegra_mask_has(mask, c) &&
          kind_of_side(select, 0, c) == kind_of_side(select, 0, first) &&
          kind_of_side(select, 1, c) == kind_of_side(select, 1, first) &&
          kind_of_result(select, c) == kind_of_result(select, first))
         alike |= tegra_mask_bit(c);
   }
   return alike;
}

/* Components that are alike. */
static bool
combine_alike(struct select *select, struct select_place result, unsigned first)
{
   enum kinds_rule rule = select_rows[select->instruction->opcode].kinds;
   enum kind kind = kind_of_result(select, first);
   enum kind kind_a = kind_of_side(select, 0, first);
   enum kind kind_b =
      rule == KINDS_NOT ? kind_a : kind_of_side(select, 1, first);
   struct mir_source a, b;

   if (kind_a == KIND_INTEGER && kind_b == KIND_INTEGER)
      return combine_integers(select, rule, result);
   if (!select_source_as(select, 0, result.mask, kind_a, &a) ||
       !select_source_as(select, rule == KINDS_NOT ? 0 : 1, result.mask, kind_b,
                         &b))
      return false;
   if (kind_a == KIND_MASK && kind_b == KIND_MASK) {
      combine_truths(select, rule, result, a, b);
      return kind == KIND_MASK;
   }
   if (rule != KINDS_AND || (kind_a != KIND_MASK && kind_b != KIND_MASK))
      return false;
   let_through(select, result, kind_a == KIND_MASK ? a : b,
               kind_a == KIND_MASK ? b : a);
   return true;
}

/* Truth values are one operation where all components are. */
static void
combine(struct select *select)
{
   unsigned mask = select_result(select).mask, first = 0;

   if (!mask)
      return;
   while (!tegra_mask_has(mask, first))
      first++;
   bool is_one = components_alike(select, mask, first) == mask &&
                 kind_of_result(select, first) == KIND_MASK;
   struct select_place result =
      is_one ? select_result(select) : select_result_parts(select);

   for (unsigned c = first; c < 4; c++) {
      if (!tegra_mask_has(mask, c))
         continue;
      result.mask = components_alike(select, mask, c);
      if (!combine_alike(select, result, c)) {
         select_refuse(select, select_has_input_source(select)
                                  ? SELECT_REFUSED_INPUT
                                  : SELECT_REFUSED_BITWISE);
         return;
      }
      mask &= ~result.mask;
   }
}

void
select_op_and(struct select *select)
{
   combine(select);
}

void
select_op_or(struct select *select)
{
   combine(select);
}

void
select_op_xor(struct select *select)
{
   combine(select);
}

void
select_op_not(struct select *select)
{
   combine(select);
}

/* Any bit of a ? b : c. */
void
select_op_ucmp(struct select *select)
{
   struct mir_source b = select_source(select, 1);
   struct mir_source c = select_source(select, 2);
   struct select_place result = select_result_parts(select);
   struct mir_source a = select_source_truth(select, 0, result.mask);

   select_emit_vector1(select, TEGRA_VECTOR_MOV,
                       select_condition_place(1, result.mask), a);
   select_emit_vector1(select, TEGRA_VECTOR_MOV, result, c);
   select_emit_vector1(
      select, TEGRA_VECTOR_MOV,
      select_place_where(result, SELECT_LESS | SELECT_GREATER, TEGRA_IDENTITY),
      b);
}
