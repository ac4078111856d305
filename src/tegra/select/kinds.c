/* SPDX-License-Identifier: MIT
 *
 * Type inference by constraints, iterated to a fixed point: see kinds.h. Each
 * rule says what kinds the webs of an instruction have, or which webs have one
 * in common; rules that need to know one operand before they say something of
 * others are asked again until nothing changes.
 */
#include <assert.h>

#include "tegra/select/kinds_bounds.h"
#include "tegra/select/kinds_facts.h"
#include "tegra/select/select.h"
#include "util/length.h"

#define NOTHING KINDS_EXACT_NOTHING
#define RESULT KINDS_EXACT_RESULT
#define ALL KINDS_EXACT_ALL

/* clang-format off */
const struct kinds_rule_info kinds_rules[KINDS_NUM_RULES] = {
   /* rule                     source        result        exact    is      tells  signed bounds
                                                                    linear  signs  zeros */
   [KINDS_WORDS] =            {KIND_WORD,    KIND_WORD,    NOTHING, false,  false, false, NULL},
   [KINDS_MOVE] =             {KIND_ANY,     KIND_ANY,     NOTHING, false,  false, false, NULL},
   [KINDS_CHOICE] =           {KIND_ANY,     KIND_ANY,     NOTHING, false,  false, false, NULL},
   [KINDS_TEST] =             {KIND_ANY,     KIND_ANY,     NOTHING, false,  false, false, NULL},
   [KINDS_COMPARE] =          {KIND_WORD,    KIND_MASK,    NOTHING, false,  false, false, NULL},
   [KINDS_ORDER] =            {KIND_INTEGER, KIND_MASK,    NOTHING, false,  true,  false, NULL},
   [KINDS_EQUAL] =            {KIND_ANY,     KIND_MASK,    NOTHING, false,  false, false, NULL},
   [KINDS_INTEGERS] =         {KIND_INTEGER, KIND_INTEGER, NOTHING, false,  false, false, NULL},
   [KINDS_TO] =               {KIND_WORD,    KIND_INTEGER, NOTHING, false,  false, false, NULL},
   [KINDS_FROM] =             {KIND_ANY,     KIND_WORD,    NOTHING, false,  true,  false, NULL},
   [KINDS_INDEX] =            {KIND_INTEGER, KIND_ANY,     NOTHING, false,  false, false, NULL},
   [KINDS_SCALE] =            {KIND_ANY,     KIND_WORD,    NOTHING, false,  false, false, NULL},
   [KINDS_AND] =              {KIND_ANY,     KIND_ANY,     RESULT,  false,  false, false, bounds_and},
   [KINDS_OR] =               {KIND_ANY,     KIND_ANY,     ALL,     false,  false, false, bounds_or},
   [KINDS_XOR] =              {KIND_ANY,     KIND_ANY,     ALL,     false,  false, false, bounds_xor},
   [KINDS_NOT] =              {KIND_ANY,     KIND_ANY,     ALL,     false,  false, false, bounds_not},
   [KINDS_NEGATION] =         {KIND_ANY,     KIND_INTEGER, RESULT,  false,  false, true,  bounds_negation},
   [KINDS_SUM] =              {KIND_INTEGER, KIND_INTEGER, RESULT,  true,   false, false, bounds_sum},
   [KINDS_PRODUCT] =          {KIND_INTEGER, KIND_INTEGER, RESULT,  true,   false, true,  bounds_product},
   [KINDS_PRODUCT_SUM] =      {KIND_INTEGER, KIND_INTEGER, RESULT,  true,   false, true,  bounds_product_sum},
   [KINDS_HIGH] =             {KIND_INTEGER, KIND_INTEGER, ALL,     false,  true,  true,  bounds_high},
   [KINDS_DISTANCE] =         {KIND_INTEGER, KIND_INTEGER, ALL,     false,  false, false, bounds_distance},
   [KINDS_LEAST] =            {KIND_INTEGER, KIND_INTEGER, NOTHING, false,  true,  false, bounds_least},
   [KINDS_GREATEST] =         {KIND_INTEGER, KIND_INTEGER, NOTHING, false,  true,  false, bounds_greatest},
   [KINDS_ABSOLUTE] =         {KIND_INTEGER, KIND_INTEGER, RESULT,  false,  false, false, bounds_absolute},
   [KINDS_SIGN] =             {KIND_INTEGER, KIND_INTEGER, NOTHING, false,  true,  false, bounds_sign},
   [KINDS_LEFT] =             {KIND_INTEGER, KIND_INTEGER, RESULT,  false,  false, false, bounds_left},
   [KINDS_RIGHT] =            {KIND_INTEGER, KIND_INTEGER, ALL,     false,  false, false, bounds_right},
   [KINDS_QUOTIENT] =         {KIND_INTEGER, KIND_INTEGER, ALL,     false,  false, true,  bounds_quotient},
   [KINDS_QUOTIENT_OR_ONES] = {KIND_INTEGER, KIND_INTEGER, ALL,     false,  true,  false, bounds_quotient_or_ones},
   [KINDS_REMAINDER] =        {KIND_INTEGER, KIND_INTEGER, ALL,     false,  true,  true,  bounds_remainder},
   [KINDS_FIELD] =            {KIND_INTEGER, KIND_INTEGER, ALL,     false,  false, false, bounds_field},
   [KINDS_SIGNED_FIELD] =     {KIND_INTEGER, KIND_INTEGER, ALL,     false,  false, false, bounds_signed_field},
   [KINDS_INSERT] =           {KIND_INTEGER, KIND_INTEGER, ALL,     false,  false, false, bounds_insert},
   [KINDS_COUNT] =            {KIND_INTEGER, KIND_INTEGER, ALL,     false,  true,  false, bounds_count},
   [KINDS_PLACE] =            {KIND_INTEGER, KIND_INTEGER, ALL,     false,  false, false, bounds_place},
};
/* clang-format on */

/* ---- facts --------------------------------------------------------------- */

uint32_t
kinds_web(const struct kinds *kinds, uint32_t instruction, unsigned operand,
          unsigned c)
{
   if (!kinds->facts || operand >= WEBS_MAX_OPERANDS)
      return WEB_NONE;
   return webs_find(&kinds->webs,
                    kinds->webs.operands[instruction][operand][c]);
}

enum kind
kinds_of_web(const struct kinds *kinds, uint32_t web)
{
   return web < WEB_LITERAL ? kinds->facts[web].kind : KIND_ANY;
}

/* Two kinds make words: bits are wanted that are not as kept. */
static void
set_kind(struct kinds *kinds, uint32_t web, enum kind kind)
{
   uint8_t *known;

   if (web >= WEB_LITERAL || kind == KIND_ANY)
      return;
   known = &kinds->facts[web].kind;
   if (*known == kind || *known == KIND_WORD)
      return;
   *known = *known == KIND_ANY ? (uint8_t)kind : KIND_WORD;
   kinds->changed = true;
}

static void
unite(struct kinds *kinds, uint32_t a, uint32_t b)
{
   enum kind kind_a = kinds_of_web(kinds, a);
   enum kind kind_b = kinds_of_web(kinds, b);

   if (!webs_unite(&kinds->webs, a, b))
      return;
   kinds->changed = true;
   uint32_t root = webs_find(&kinds->webs, a);
   set_kind(kinds, root, kind_a);
   set_kind(kinds, root, kind_b);
}

uint32_t
kinds_literal(const struct kinds *kinds, uint32_t instruction, unsigned operand,
              unsigned c)
{
   assert(instruction < kinds->shader->num_instructions);
   const struct tg_src *src =
      &kinds->shader->instructions[instruction].src[operand - KINDS_SRC];

   assert(c < TG_LENGTH(src->swizzle));
   return kinds->shader->immediates[src->reg.index.offset]
      .words[src->swizzle[c]];
}

void
kinds_apply(struct kinds *kinds, kinds_rule_function rule)
{
   for (uint32_t i = 0; i < kinds->shader->num_instructions; i++) {
      for (unsigned c = 0; c < 4; c++)
         rule(kinds, i, c);
   }
}

void
kinds_settle(struct kinds *kinds, kinds_rule_function rule)
{
   do {
      kinds->changed = false;
      kinds_apply(kinds, rule);
   } while (kinds->changed);
}

/* ---- rules --------------------------------------------------------------- */

/* AND, OR, XOR and NOT. A mask takes part in them with masks, which gives one;
 * AND also lets something else through where a mask is set. */
static void
apply_logic(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   assert(instruction < kinds->shader->num_instructions);
   enum kinds_rule rule =
      select_rows[kinds->shader->instructions[instruction].opcode].kinds;
   bool is_and = rule == KINDS_AND, is_not = rule == KINDS_NOT;
   uint32_t dst = kinds_web(kinds, instruction, KINDS_DST, c);
   uint32_t a = kinds_web(kinds, instruction, KINDS_SRC, c);
   uint32_t b = is_not ? a : kinds_web(kinds, instruction, KINDS_SRC + 1, c);
   enum kind kind_a = kinds_of_web(kinds, a);
   enum kind kind_b = kinds_of_web(kinds, b);

   if (kinds_of_web(kinds, dst) == KIND_MASK) {
      set_kind(kinds, a, KIND_MASK);
      set_kind(kinds, b, KIND_MASK);
   } else if (kind_a == KIND_MASK && kind_b == KIND_MASK) {
      set_kind(kinds, dst, KIND_MASK);
   } else if (is_and && kind_a == KIND_MASK && kind_b != KIND_ANY) {
      unite(kinds, dst, b);
   } else if (is_and && kind_b == KIND_MASK && kind_a != KIND_ANY) {
      unite(kinds, dst, a);
   } else if (kind_a == KIND_INTEGER || kind_b == KIND_INTEGER) {
      set_kind(kinds, a, KIND_INTEGER);
      set_kind(kinds, b, KIND_INTEGER);
      set_kind(kinds, dst, KIND_INTEGER);
   } else if (!is_and && (kind_a == KIND_MASK || kind_b == KIND_MASK)) {
      set_kind(kinds, a, KIND_MASK);
      set_kind(kinds, b, KIND_MASK);
   }
}

static void
apply_rule(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   assert(instruction < kinds->shader->num_instructions);
   uint32_t opcode = kinds->shader->instructions[instruction].opcode;
   enum kinds_rule rule = select_rows[opcode].kinds;
   uint32_t dst = kinds_web(kinds, instruction, KINDS_DST, c);
   uint32_t src[KINDS_MAX_SOURCES];

   for (unsigned i = 0; i < KINDS_MAX_SOURCES; i++)
      src[i] = kinds_web(kinds, instruction, KINDS_SRC + i, c);
   switch (rule) {
   case KINDS_MOVE: unite(kinds, dst, src[0]); break;
   case KINDS_CHOICE:
      unite(kinds, dst, src[1]);
      unite(kinds, dst, src[2]);
      break;
   case KINDS_EQUAL: unite(kinds, src[0], src[1]); break;
   case KINDS_SCALE:
      set_kind(kinds, src[0], KIND_WORD);
      set_kind(kinds, src[1], KIND_INTEGER);
      break;
   case KINDS_AND:
   case KINDS_OR:
   case KINDS_XOR:
   case KINDS_NOT: apply_logic(kinds, instruction, c); break;
   default: break;
   }
   set_kind(kinds, dst, kinds_rules[rule].result);
   for (unsigned i = 0; i < KINDS_MAX_SOURCES; i++)
      set_kind(kinds, src[i], kinds_rules[rule].source);
}

/* What rules have not settled: an operand that only literals were put in, and
 * bits of those that are not wanted otherwise. */
static void
apply_default(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   assert(instruction < kinds->shader->num_instructions);
   uint32_t dst = kinds_web(kinds, instruction, KINDS_DST, c);
   uint32_t src = kinds_web(kinds, instruction, KINDS_SRC, c);
   uint32_t other = kinds_web(kinds, instruction, KINDS_SRC + 1, c);

   switch (select_rows[kinds->shader->instructions[instruction].opcode].kinds) {
   case KINDS_EQUAL:
   case KINDS_NEGATION:
   case KINDS_FROM: break;
   case KINDS_AND:
   case KINDS_OR:
   case KINDS_XOR:
   case KINDS_NOT:
      if (kinds_of_web(kinds, dst) != KIND_ANY ||
          kinds_of_web(kinds, src) != KIND_ANY ||
          kinds_of_web(kinds, other) != KIND_ANY)
         return;
      set_kind(kinds, dst, KIND_INTEGER);
      break;
   default: return;
   }
   if (kinds_of_web(kinds, src) == KIND_ANY)
      set_kind(kinds, src, KIND_INTEGER);
}

/* ---- the shader ---------------------------------------------------------- */

/* Does it have opcodes that know more than words? */
static bool
needs_kinds(const struct tg_shader *shader)
{
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      enum kinds_rule rule = select_rows[shader->instructions[i].opcode].kinds;

      if (rule != KINDS_WORDS && rule != KINDS_MOVE)
         return true;
   }
   return false;
}

enum tg_result
kinds_create(struct tg_arena *arena, const struct tg_shader *shader,
             const struct tg_flow_info *flow, struct kinds **kinds_out)
{
   struct kinds *kinds = tg_arena_alloc(arena, sizeof(*kinds));

   if (!kinds)
      return TG_ERROR_MEMORY;
   kinds->shader = shader;
   *kinds_out = kinds;
   if (!needs_kinds(shader))
      return TG_OK;

   enum tg_result result = webs_create(&kinds->webs, arena, shader, flow);
   if (result)
      return result;
   kinds->facts =
      tg_arena_array(arena, kinds->webs.count, sizeof(*kinds->facts));
   if (!kinds->facts)
      return TG_ERROR_MEMORY;
   kinds->facts[WEB_WORDS].kind = KIND_WORD;
   kinds->facts[WEB_WORDS].may_be_minus_zero = true;
   kinds->facts[WEB_ADDRESSES].kind =
      tg_dialect_row(shader->dialect)->address_float ? KIND_WORD : KIND_INTEGER;
   kinds->facts[WEB_ADDRESSES].may_be_minus_zero = true;
   kinds_settle(kinds, apply_rule);
   kinds_apply(kinds, apply_default);
   kinds_settle(kinds, apply_rule);
   kinds_range_find_numbers(kinds);
   return TG_OK;
}

/* ---- asking -------------------------------------------------------------- */

enum kind
kinds_of(const struct kinds *kinds, uint32_t instruction, unsigned operand,
         unsigned channel)
{
   uint32_t web = kinds_web(kinds, instruction, operand, channel);

   if (web == WEB_LITERAL)
      return KIND_ANY;
   if (web == WEB_NONE || kinds->facts[web].kind == KIND_ANY)
      return KIND_WORD;
   return kinds->facts[web].kind;
}

bool
kinds_may_be_minus_zero(const struct kinds *kinds, uint32_t instruction,
                        unsigned operand, unsigned channel)
{
   uint32_t web = kinds_web(kinds, instruction, operand, channel);

   return web >= WEB_LITERAL || kinds->facts[web].may_be_minus_zero;
}

bool
kinds_is_index(const struct kinds *kinds, uint32_t instruction,
               unsigned operand, unsigned channel)
{
   uint32_t web = kinds_web(kinds, instruction, operand, channel);

   return web < WEB_LITERAL && !kinds->facts[web].is_number;
}
