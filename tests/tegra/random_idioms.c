/* SPDX-License-Identifier: MIT
 *
 * What passes look for, at random. About one in eight of the things that they
 * ask for is otherwise, so that it has to stay as it is.
 */
#include "random_mir.h"

/* ---- parts --------------------------------------------------------------- */

static bool
is_odd(void)
{
   return random_mir_one_in(8);
}

static struct mir_source
of_register(uint32_t temporary, unsigned swizzle)
{
   return (struct mir_source){
      .file = MIR_TEMPORARY, .index = temporary, .swizzle = (uint8_t)swizzle};
}

/* A register of the idiom; now and then any. */
static uint32_t
pick_register(unsigned index)
{
   return is_odd() ? random_mir_below(RANDOM_REGISTERS) : RANDOM_IDIOMS + index;
}

static unsigned
pick_swizzle(void)
{
   return random_mir_below(2) ? TEGRA_IDENTITY : random_mir_below(256);
}

/* The same source, in any lanes; a literal has other words. */
static struct mir_source
vary(struct mir_source source)
{
   source.swizzle = (uint8_t)random_mir_below(256);
   if (source.file == MIR_LITERAL)
      source.swizzle = TEGRA_IDENTITY;
   for (unsigned i = 0; i < 4 && source.file == MIR_LITERAL; i++)
      source.literal[i] = random_mir_word();
   source.negate ^= is_odd();
   return is_odd() ? random_mir_source() : source;
}

/* What may be between two operations. */
static void
add_between(struct mir *mir, uint32_t block)
{
   if (is_odd())
      random_mir_add_ops(mir, block, 1);
}

static struct mir_op
move(uint32_t temporary, uint8_t mask)
{
   struct mir_op op = mir_op(TEGRA_VECTOR, TEGRA_VECTOR_MOV, 0);

   op.temporary = temporary;
   op.mask = mask;
   return op;
}

static unsigned
pick_operation(void)
{
   static const uint8_t opcodes[] = {
      TEGRA_VECTOR_MUL, TEGRA_VECTOR_ADD, TEGRA_VECTOR_MAX, TEGRA_VECTOR_MIN,
      TEGRA_VECTOR_FRC, TEGRA_VECTOR_SGE, TEGRA_VECTOR_MAD,
   };

   return opcodes[random_mir_below(sizeof(opcodes))];
}

static unsigned
pick_comparison(void)
{
   static const uint8_t opcodes[] = {
      TEGRA_VECTOR_SGE, TEGRA_VECTOR_SLT, TEGRA_VECTOR_SEQ,
      TEGRA_VECTOR_SNE, TEGRA_VECTOR_SGT, TEGRA_VECTOR_SLE,
   };

   return opcodes[random_mir_below(sizeof(opcodes))];
}

/* Reads a register as anything might. */
static void
add_reader(struct mir *mir, uint32_t block, uint32_t temporary)
{
   struct mir_op op =
      mir_op(TEGRA_VECTOR,
             random_mir_below(2) ? pick_operation() : pick_comparison(), 0);

   op.mask = random_mir_mask();
   op.saturate = random_mir_one_in(4);
   random_mir_destination(&op);
   for (unsigned i = 0; i < mir_num_sources(&op); i++)
      op.source[i] = random_mir_source();
   unsigned which = random_mir_below(mir_num_sources(&op));
   op.source[which] = of_register(temporary, pick_swizzle());
   op.source[which].negate = random_mir_below(2);
   op.source[which].absolute = random_mir_one_in(4);
   random_mir_add(mir, block, &op);
}

/* ---- idioms -------------------------------------------------------------- */

/* A sum of two to four products (dot, fuse). */
static void
add_sum_of_products(struct mir *mir, uint32_t block)
{
   struct mir_source factors[] = {random_mir_source(), random_mir_source()};
   struct mir_source sum = {0};
   unsigned count = 2 + random_mir_below(3);

   for (unsigned i = 0; i < count; i++) {
      struct mir_op op =
         mir_op(TEGRA_VECTOR, i ? TEGRA_VECTOR_MAD : TEGRA_VECTOR_MUL, 0);
      unsigned swap = random_mir_below(2), lane = random_mir_below(4);

      op.mask = is_odd() ? random_mir_mask() : (uint8_t)tegra_mask_bit(lane);
      op.temporary = pick_register(random_mir_below(2));
      op.source[swap] = vary(factors[0]);
      op.source[!swap] = vary(factors[1]);
      op.source[2] = sum;
      op.saturate = is_odd();
      if (i + 1 == count)
         random_mir_destination(&op);
      random_mir_add(mir, block, &op);
      add_between(mir, block);
      sum = of_register(op.temporary, tegra_swizzle(lane, lane, lane, lane));
   }
}

/* A product that is added, in any lanes. */
static void
add_fusible(struct mir *mir, uint32_t block)
{
   struct mir_op product = mir_op(TEGRA_VECTOR, TEGRA_VECTOR_MUL, 0);
   struct mir_op sum = mir_op(TEGRA_VECTOR, TEGRA_VECTOR_ADD, 0);
   unsigned swap = random_mir_below(2);

   product.temporary = pick_register(0);
   product.mask = TEGRA_MASK_XYZW;
   product.source[0] = random_mir_source();
   product.source[1] = random_mir_source();
   random_mir_add(mir, block, &product);
   add_between(mir, block);
   sum.mask = random_mir_mask();
   sum.source[swap] = of_register(product.temporary, pick_swizzle());
   sum.source[swap].negate = random_mir_below(2);
   sum.source[swap].absolute = is_odd();
   sum.source[!swap] = random_mir_source();
   random_mir_destination(&sum);
   random_mir_add(mir, block, &sum);
}

/* Two vectors of one kind whose parts are moved to exports (spread, merge). */
static void
add_spread_vectors(struct mir *mir, uint32_t block)
{
   struct mir_op vector = mir_op(TEGRA_VECTOR, pick_operation(), 0);
   uint8_t mask = random_mir_mask(), export = (uint8_t)random_mir_below(3);

   for (unsigned i = 0; i < mir_num_sources(&vector); i++)
      vector.source[i] = random_mir_source();
   for (unsigned i = 0; i < 2; i++) {
      vector.temporary = pick_register(i);
      vector.mask = TEGRA_MASK_XYZW;
      vector.saturate = is_odd();
      for (unsigned j = 0; j < mir_num_sources(&vector); j++)
         vector.source[j] = mir_swizzle(vector.source[j], pick_swizzle());
      random_mir_add(mir, block, &vector);
      add_between(mir, block);
   }
   for (unsigned i = 0; i < 3; i++) {
      struct mir_op op = move(MIR_NONE, i == 1 ? mask ^ TEGRA_MASK_XYZW : mask);

      if (!op.mask)
         continue;
      op.export_index = (uint8_t)(export + (i == 2));
      op.saturate = is_odd();
      op.source[0] =
         of_register(RANDOM_IDIOMS + (i == 1), random_mir_below(256));
      random_mir_add(mir, block, &op);
      add_between(mir, block);
   }
}

/* The greater or lesser of x and -x (absolute). */
static void
add_magnitude(struct mir *mir, uint32_t block)
{
   struct mir_op op =
      mir_op(TEGRA_VECTOR,
             random_mir_below(2) ? TEGRA_VECTOR_MAX : TEGRA_VECTOR_MIN, 0);

   op.mask = TEGRA_MASK_XYZW;
   op.temporary = pick_register(0);
   op.source[0] = random_mir_source();
   op.source[1] = op.source[0];
   op.source[1].negate ^= !is_odd();
   op.saturate = is_odd();
   random_mir_add(mir, block, &op);
   for (unsigned i = 0; i < 2; i++) {
      add_between(mir, block);
      add_reader(mir, block, op.temporary);
   }
}

static struct mir_source
pick_literal(void)
{
   static const uint32_t words[] = {
      0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0x3f000000,
   };
   struct mir_source source = {.file = MIR_LITERAL, .swizzle = TEGRA_IDENTITY};

   for (unsigned i = 0; i < 4; i++)
      source.literal[i] = is_odd() ? random_mir_word()
                                   : words[random_mir_below(sizeof(words) / 4)];
   return source;
}

/* A truth value of one or two comparisons, as a condition, that chooses between
 * literals (blend, condition). */
static void
add_choice(struct mir *mir, uint32_t block)
{
   struct mir_op op = mir_op(TEGRA_VECTOR, pick_comparison(), 0);
   unsigned condition = 1;
   bool joins = random_mir_below(2);

   op.temporary = pick_register(0);
   op.mask = TEGRA_MASK_XYZW;
   op.source[0] = random_mir_source();
   op.source[1] = random_mir_source();
   op.sets_condition = !joins;
   op.condition = (uint8_t)condition;
   random_mir_add(mir, block, &op);
   if (joins) {
      struct mir_op both = op;

      both.opcode = random_mir_below(2) ? TEGRA_VECTOR_MUL : TEGRA_VECTOR_MAX;
      both.source[0] = of_register(op.temporary, pick_swizzle());
      both.source[1] = of_register(op.temporary, pick_swizzle());
      both.temporary = random_mir_below(2) ? MIR_NONE : pick_register(1);
      both.sets_condition = true;
      random_mir_add(mir, block, &both);
   }
   add_between(mir, block);

   struct mir_op choice = move(pick_register(2), TEGRA_MASK_XYZW);
   choice.source[0] = pick_literal();
   random_mir_add(mir, block, &choice);
   add_between(mir, block);
   choice.mask = random_mir_mask();
   choice.source[0] = pick_literal();
   choice.predicate = random_mir_predicate(condition);
   choice.predicate.swizzle = (uint8_t)pick_swizzle();
   random_mir_add(mir, block, &choice);
   add_reader(mir, block, choice.temporary);
}

/* The same twice, in other components or the same (common, merge). */
static void
add_twice(struct mir *mir, uint32_t block)
{
   struct mir_op op = mir_op(TEGRA_VECTOR, pick_operation(), 0);

   for (unsigned i = 0; i < mir_num_sources(&op); i++)
      op.source[i] = random_mir_source();
   for (unsigned i = 0; i < 2; i++) {
      op.mask = random_mir_mask();
      op.temporary = pick_register(i);
      op.saturate ^= is_odd();
      random_mir_add(mir, block, &op);
      add_between(mir, block);
      if (random_mir_below(2))
         op.source[0] = mir_swizzle(op.source[0], pick_swizzle());
   }
   add_reader(mir, block, RANDOM_IDIOMS);
   add_reader(mir, block, RANDOM_IDIOMS + 1);
}

void
random_mir_add_idiom(struct mir *mir, uint32_t block)
{
   static void (*const idioms[])(struct mir * mir, uint32_t block) = {
      add_sum_of_products, add_fusible, add_spread_vectors,
      add_magnitude,       add_choice,  add_twice,
   };

   idioms[random_mir_below(sizeof(idioms) / sizeof(idioms[0]))](mir, block);
}
