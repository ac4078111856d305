/* SPDX-License-Identifier: MIT
 *
 * See kinds.h. Each rule says what kinds the webs of an instruction have, or
 * which webs have one in common; rules that need to know one operand before
 * they say something of others are asked again until nothing changes.
 */
#include "tegra/kinds.h"

#include <math.h>
#include <string.h>

#include "tegra/select.h"
#include "tegra/webs.h"

/* What is known of a web, at the one that stands for it. */
struct fact {
   uint8_t kind; /* enum kind */
   bool may_be_minus_zero;
   bool is_number; /* something but finding registers is done with it */
   struct kinds_range range;       /* of an integer */
   double growth_low, growth_high; /* most that it adds to itself at once */
};

struct kinds {
   const struct tg_shader *shader;
   struct webs webs;
   struct fact *facts; /* by web */
   bool changed;
};

/* ---- facts --------------------------------------------------------------- */

/* The web that stands for that of an operand; NONE where nothing was worked
 * out. */
static uint32_t
web_of(const struct kinds *kinds, uint32_t instruction, unsigned operand,
       unsigned c)
{
   if (!kinds->facts || operand >= WEBS_MAX_OPERANDS)
      return WEB_NONE;
   return webs_find(&kinds->webs,
                    kinds->webs.operands[instruction][operand][c]);
}

static enum kind
kind_of_web(const struct kinds *kinds, uint32_t web)
{
   return web < WEB_LITERAL ? kinds->facts[web].kind : KIND_ANY;
}

/* Two kinds make words: somebody wants bits that are not as kept. */
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
   enum kind kind_a = kind_of_web(kinds, a);
   enum kind kind_b = kind_of_web(kinds, b);

   if (!webs_unite(&kinds->webs, a, b))
      return;
   kinds->changed = true;
   uint32_t root = webs_find(&kinds->webs, a);
   set_kind(kinds, root, kind_a);
   set_kind(kinds, root, kind_b);
}

/* ---- rules --------------------------------------------------------------- */

static const uint32_t *
literal_word(const struct kinds *kinds, uint32_t instruction, unsigned operand,
             unsigned c)
{
   const struct tg_src *src =
      &kinds->shader->instructions[instruction].src[operand - KINDS_SRC];

   return &kinds->shader->immediates[src->reg.index.offset]
              .words[src->swizzle[c]];
}

/* AND, OR, XOR and NOT. A mask takes part in them with masks, which gives one;
 * AND also lets something else through where a mask is set. */
static void
apply_logic(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   bool is_and =
      kinds->shader->instructions[instruction].opcode == TG_OPCODE_AND;
   bool is_not = kinds->shader->instructions[instruction].num_src == 1;
   uint32_t dst = web_of(kinds, instruction, KINDS_DST, c);
   uint32_t a = web_of(kinds, instruction, KINDS_SRC, c);
   uint32_t b = is_not ? a : web_of(kinds, instruction, KINDS_SRC + 1, c);
   enum kind kind_a = kind_of_web(kinds, a);
   enum kind kind_b = kind_of_web(kinds, b);

   if (kind_of_web(kinds, dst) == KIND_MASK) {
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
   uint32_t dst = web_of(kinds, instruction, KINDS_DST, c);
   uint32_t src[3];
   enum kind src_kind = KIND_ANY, dst_kind = KIND_ANY;

   for (unsigned i = 0; i < 3; i++)
      src[i] = web_of(kinds, instruction, KINDS_SRC + i, c);
   switch ((enum kinds_rule)
              select_rows[kinds->shader->instructions[instruction].opcode]
                 .kinds) {
   case KINDS_WORDS: src_kind = dst_kind = KIND_WORD; break;
   case KINDS_MOVE: unite(kinds, dst, src[0]); break;
   case KINDS_CHOICE:
      unite(kinds, dst, src[1]);
      unite(kinds, dst, src[2]);
      break;
   case KINDS_TEST: break;
   case KINDS_COMPARE:
      src_kind = KIND_WORD;
      dst_kind = KIND_MASK;
      break;
   case KINDS_ORDER:
      src_kind = KIND_INTEGER;
      dst_kind = KIND_MASK;
      break;
   case KINDS_EQUAL:
      unite(kinds, src[0], src[1]);
      dst_kind = KIND_MASK;
      break;
   case KINDS_LOGIC: apply_logic(kinds, instruction, c); break;
   case KINDS_INTEGERS:
   case KINDS_LEFT:
   case KINDS_RIGHT: src_kind = dst_kind = KIND_INTEGER; break;
   case KINDS_NEGATION: dst_kind = KIND_INTEGER; break;
   case KINDS_TO:
      src_kind = KIND_WORD;
      dst_kind = KIND_INTEGER;
      break;
   case KINDS_FROM: dst_kind = KIND_WORD; break;
   case KINDS_INDEX: src_kind = KIND_INTEGER; break;
   }
   set_kind(kinds, dst, dst_kind);
   for (unsigned i = 0; i < 3; i++)
      set_kind(kinds, src[i], src_kind);
}

/* What rules have not settled: an operand that only literals were put in. */
static void
apply_default(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   enum kinds_rule rule =
      select_rows[kinds->shader->instructions[instruction].opcode].kinds;
   uint32_t src = web_of(kinds, instruction, KINDS_SRC, c);

   if ((rule == KINDS_EQUAL || rule == KINDS_NEGATION || rule == KINDS_FROM) &&
       kind_of_web(kinds, src) == KIND_ANY)
      set_kind(kinds, src, KIND_INTEGER);
}

static void
apply_to_all(struct kinds *kinds,
             void (*apply)(struct kinds *kinds, uint32_t instruction,
                           unsigned c))
{
   for (uint32_t i = 0; i < kinds->shader->num_instructions; i++) {
      for (unsigned c = 0; c < 4; c++)
         apply(kinds, i, c);
   }
}

/* ---- who only finds registers -------------------------------------------- */

static bool
is_sum(const struct select_row *row)
{
   return row->kinds == KINDS_INTEGERS && row->how == SELECT_VECTOR &&
          (row->opcode == TEGRA_VECTOR_ADD || row->opcode == TEGRA_VECTOR_MUL ||
           row->opcode == TEGRA_VECTOR_MAD);
}

static void
apply_use(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   const struct tg_instruction *of = &kinds->shader->instructions[instruction];
   const struct select_row *row = &select_rows[of->opcode];
   uint32_t dst = web_of(kinds, instruction, KINDS_DST, c);

   if (row->kinds == KINDS_INDEX || row->kinds == KINDS_MOVE ||
       (is_sum(row) && dst < WEB_LITERAL && !kinds->facts[dst].is_number))
      return;
   for (unsigned i = row->kinds == KINDS_CHOICE; i < of->num_src && i < 3;
        i++) {
      uint32_t web = web_of(kinds, instruction, KINDS_SRC + i, c);

      if (row->kinds == KINDS_CHOICE && i > 0)
         continue;
      if (web < WEB_LITERAL && !kinds->facts[web].is_number) {
         kinds->facts[web].is_number = true;
         kinds->changed = true;
      }
   }
}

/* ---- ranges -------------------------------------------------------------- */

/* A program executes no more instructions than this, so that what adds to
 * itself does so no more often. */
static const double most_steps = 65536;

static const struct kinds_range nothing = {0, 0};

static struct kinds_range
hull(struct kinds_range a, struct kinds_range b)
{
   return (struct kinds_range){fmin(a.low, b.low), fmax(a.high, b.high)};
}

static struct kinds_range
negated(struct kinds_range a)
{
   return (struct kinds_range){-a.high, -a.low};
}

static struct kinds_range
sum(struct kinds_range a, struct kinds_range b)
{
   return (struct kinds_range){a.low + b.low, a.high + b.high};
}

static double
times(double a, double b)
{
   return a == 0 || b == 0 ? 0 : a * b;
}

static struct kinds_range
product(struct kinds_range a, struct kinds_range b)
{
   double low = times(a.low, b.low), high = times(a.high, b.high);
   double mixed = times(a.low, b.high), other = times(a.high, b.low);

   return (struct kinds_range){
      fmin(fmin(low, high), fmin(mixed, other)),
      fmax(fmax(low, high), fmax(mixed, other)),
   };
}

static struct kinds_range
range_of_web(const struct kinds *kinds, uint32_t web)
{
   const struct fact *fact = &kinds->facts[web];

   if (fact->kind == KIND_MASK)
      return (struct kinds_range){0, 1};
   return sum(fact->range,
              (struct kinds_range){fact->growth_low * most_steps,
                                   fact->growth_high * most_steps});
}

static struct kinds_range
range_of(const struct kinds *kinds, uint32_t instruction, unsigned operand,
         unsigned c)
{
   uint32_t web = web_of(kinds, instruction, operand, c);
   struct kinds_range range = nothing;

   if (web < WEB_LITERAL)
      range = range_of_web(kinds, web);
   else if (web == WEB_LITERAL)
      range.low = range.high =
         (int32_t)*literal_word(kinds, instruction, operand, c);
   if (operand == KINDS_DST || web == WEB_NONE)
      return range;

   const struct tg_src *src =
      &kinds->shader->instructions[instruction].src[operand - KINDS_SRC];
   if (src->absolute)
      range = hull(range, negated(range));
   return src->negate ? negated(range) : range;
}

/* Of the result of an operation over integers. */
static struct kinds_range
range_of_operation(const struct select_row *row,
                   const struct kinds_range src[3])
{
   switch ((enum tegra_vector_op)row->opcode) {
   case TEGRA_VECTOR_ADD: return sum(src[0], src[1]);
   case TEGRA_VECTOR_MUL: return product(src[0], src[1]);
   case TEGRA_VECTOR_MAD: return sum(product(src[0], src[1]), src[2]);
   case TEGRA_VECTOR_SSG: return (struct kinds_range){-1, 1};
   default: return hull(hull(src[0], negated(src[0])), hull(src[1], src[2]));
   }
}

/* What is moved within its web adds nothing. */
static struct kinds_range
range_of_result(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   const struct tg_instruction *of = &kinds->shader->instructions[instruction];
   const struct select_row *row = &select_rows[of->opcode];
   struct kinds_range src[3] = {nothing, nothing, nothing};
   uint32_t dst = web_of(kinds, instruction, KINDS_DST, c);
   bool is_moved = row->kinds == KINDS_MOVE || row->kinds == KINDS_CHOICE;

   for (unsigned i = 0; i < of->num_src && i < 3; i++) {
      if (!is_moved || web_of(kinds, instruction, KINDS_SRC + i, c) != dst)
         src[i] = range_of(kinds, instruction, KINDS_SRC + i, c);
   }
   switch ((enum kinds_rule)row->kinds) {
   case KINDS_INTEGERS: return range_of_operation(row, src);
   case KINDS_LEFT: {
      double factor = exp2(fmin(31, fmax(0, src[1].high)));
      return product(src[0], (struct kinds_range){0, factor});
   }
   case KINDS_RIGHT: return hull(src[0], nothing);
   case KINDS_TO:
      return tg_opcodes[of->opcode].dst_type == TG_TYPE_U32
                ? (struct kinds_range){0, 0x1p32}
                : (struct kinds_range){-0x1p31, 0x1p31};
   case KINDS_NEGATION:
      return kind_of_web(kinds, web_of(kinds, instruction, KINDS_SRC, c)) ==
                   KIND_MASK
                ? src[0]
                : negated(src[0]);
   case KINDS_CHOICE: return hull(src[1], src[2]);
   default: return hull(src[0], src[1]); /* moves and AND */
   }
}

/* Adds an instruction's result to what its destination may hold. */
static void
apply_range(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   const struct select_row *row =
      &select_rows[kinds->shader->instructions[instruction].opcode];
   uint32_t dst = web_of(kinds, instruction, KINDS_DST, c);

   if (dst >= WEB_LITERAL || kinds->facts[dst].kind != KIND_INTEGER)
      return;
   struct fact *fact = &kinds->facts[dst];
   struct fact before = *fact;

   if (row->kinds == KINDS_INTEGERS && row->how == SELECT_VECTOR &&
       row->opcode == TEGRA_VECTOR_ADD) {
      for (unsigned i = 0; i < 2; i++) {
         if (web_of(kinds, instruction, KINDS_SRC + i, c) != dst)
            continue;
         struct kinds_range step =
            range_of(kinds, instruction, KINDS_SRC + 1 - i, c);
         fact->growth_low = fmin(fact->growth_low, step.low);
         fact->growth_high = fmax(fact->growth_high, step.high);
         kinds->changed |= fact->growth_low != before.growth_low ||
                           fact->growth_high != before.growth_high;
         return;
      }
   }
   fact->range = hull(fact->range, range_of_result(kinds, instruction, c));
   kinds->changed |= fact->range.low != before.range.low ||
                     fact->range.high != before.range.high;
}

/* What has not come to rest after a while has no bounds that we could find. */
static void
apply_endless_range(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   uint32_t dst = web_of(kinds, instruction, KINDS_DST, c);

   if (dst >= WEB_LITERAL)
      return;
   struct fact *fact = &kinds->facts[dst];
   struct fact before = *fact;

   apply_range(kinds, instruction, c);
   if (fact->range.low < before.range.low ||
       fact->growth_low < before.growth_low)
      fact->range.low = -INFINITY;
   if (fact->range.high > before.range.high ||
       fact->growth_high > before.growth_high)
      fact->range.high = INFINITY;
}

static void
find_ranges(struct kinds *kinds)
{
   unsigned patience = 8;

   kinds->facts[WEB_ADDRESSES].range = (struct kinds_range){-0x1p31, 0x1p31};
   do {
      kinds->changed = false;
      apply_to_all(kinds, patience ? apply_range : apply_endless_range);
      patience -= patience > 0;
   } while (kinds->changed);
}

/* ---- signs of zeros ------------------------------------------------------ */

static bool
has_minus_zero(struct kinds *kinds, uint32_t instruction, unsigned operand,
               unsigned c)
{
   uint32_t web = web_of(kinds, instruction, operand, c);

   if (web == WEB_LITERAL)
      return *literal_word(kinds, instruction, operand, c) == 0x80000000;
   return web != WEB_NONE && kinds->facts[web].may_be_minus_zero;
}

/* Does the result come out as -0 where no operand is one? Zeros of integers
 * have the sign of a product or of what was negated. */
static bool
makes_minus_zero(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   const struct tg_instruction *of = &kinds->shader->instructions[instruction];
   const struct select_row *row = &select_rows[of->opcode];
   bool is_negative = false;

   for (unsigned i = 0; i < of->num_src && i < 3; i++)
      is_negative |= range_of(kinds, instruction, KINDS_SRC + i, c).low < 0;
   switch ((enum kinds_rule)row->kinds) {
   case KINDS_WORDS: return tg_opcodes[of->opcode].group != TG_GROUP_COMPARE;
   case KINDS_INTEGERS:
      return is_negative && (row->opcode == TEGRA_VECTOR_MUL ||
                             row->opcode == TEGRA_VECTOR_MAD);
   case KINDS_NEGATION:
      return kind_of_web(kinds, web_of(kinds, instruction, KINDS_SRC, c)) !=
             KIND_MASK;
   case KINDS_TO: return tg_opcodes[of->opcode].dst_type != TG_TYPE_U32;
   default: return false;
   }
}

/* What is moved or added is one if it was one or is negated. */
static void
apply_minus_zero(struct kinds *kinds, uint32_t instruction, unsigned c)
{
   const struct tg_instruction *of = &kinds->shader->instructions[instruction];
   const struct select_row *row = &select_rows[of->opcode];
   uint32_t dst = web_of(kinds, instruction, KINDS_DST, c);
   bool result = false;

   if (dst >= WEB_LITERAL || kinds->facts[dst].may_be_minus_zero)
      return;
   for (unsigned i = row->kinds == KINDS_CHOICE; i < of->num_src; i++) {
      if (row->kinds != KINDS_FROM)
         result |= of->src[i].negate ||
                   has_minus_zero(kinds, instruction, KINDS_SRC + i, c);
   }
   if (row->kinds == KINDS_WORDS || row->kinds == KINDS_NEGATION)
      result = false;
   result |= makes_minus_zero(kinds, instruction, c);
   kinds->facts[dst].may_be_minus_zero = result;
   kinds->changed |= result;
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

static void
settle_with(struct kinds *kinds,
            void (*apply)(struct kinds *kinds, uint32_t instruction,
                          unsigned c))
{
   do {
      kinds->changed = false;
      apply_to_all(kinds, apply);
   } while (kinds->changed);
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
      shader->dialect == TG_DIALECT_2019 ? KIND_INTEGER : KIND_WORD;
   kinds->facts[WEB_ADDRESSES].may_be_minus_zero = true;
   settle_with(kinds, apply_rule);
   apply_to_all(kinds, apply_default);
   settle_with(kinds, apply_rule);
   settle_with(kinds, apply_use);
   find_ranges(kinds);
   settle_with(kinds, apply_minus_zero);
   return TG_OK;
}

/* ---- asking -------------------------------------------------------------- */

enum kind
kinds_of(const struct kinds *kinds, uint32_t instruction, unsigned operand,
         unsigned channel)
{
   uint32_t web = web_of(kinds, instruction, operand, channel);

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
   uint32_t web = web_of(kinds, instruction, operand, channel);

   return web >= WEB_LITERAL || kinds->facts[web].may_be_minus_zero;
}

struct kinds_range
kinds_range(const struct kinds *kinds, uint32_t instruction, unsigned operand,
            unsigned channel)
{
   return kinds->facts ? range_of(kinds, instruction, operand, channel)
                       : nothing;
}

bool
kinds_is_index(const struct kinds *kinds, uint32_t instruction,
               unsigned operand, unsigned channel)
{
   uint32_t web = web_of(kinds, instruction, operand, channel);

   return web < WEB_LITERAL && !kinds->facts[web].is_number;
}
