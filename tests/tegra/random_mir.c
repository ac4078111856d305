/* SPDX-License-Identifier: MIT
 *
 * Random programs of operations: their numbers, operations and blocks.
 */
#include "random_mir.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static uint64_t seed;

uint32_t
random_mir_below(uint32_t bound)
{
   seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(seed >> 33) % bound;
}

uint32_t
random_mir_word(void)
{
   static const uint32_t special[] = {
      0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0x3f000000,
      0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x7f7fffff, 0x00800000,
   };
   float plain = (float)((int)random_mir_below(4001) - 2000) /
                 (float)(1u << random_mir_below(11));
   uint32_t word;

   memcpy(&word, &plain, sizeof(word));
   return random_mir_below(3)
             ? word
             : special[random_mir_below(sizeof(special) / sizeof(*special))];
}

/* ---- operations ---------------------------------------------------------- */

uint8_t
random_mir_mask(void)
{
   return (uint8_t)(1 + random_mir_below(15));
}

struct mir_source
random_mir_source(void)
{
   struct mir_source source = {
      .file = (uint8_t)(MIR_TEMPORARY + random_mir_below(4)),
      .negate = random_mir_one_in(4),
      .absolute = random_mir_one_in(6),
      .swizzle =
         random_mir_below(2) ? TEGRA_IDENTITY : (uint8_t)random_mir_below(256),
   };

   source.file = random_mir_below(3) ? source.file : MIR_TEMPORARY;
   source.index = random_mir_below(3);
   if (source.file == MIR_TEMPORARY)
      source.index =
         random_mir_below(random_mir_one_in(8) ? RANDOM_ALL : RANDOM_REGISTERS);
   source.relative =
      source.file == MIR_CONSTANT && source.index < 2 && random_mir_one_in(3);
   source.address = (uint8_t)random_mir_below(2);
   if (source.file != MIR_LITERAL)
      return source;
   source.index = 0;
   source.swizzle = TEGRA_IDENTITY;
   for (unsigned i = 0; i < 4; i++)
      source.literal[i] = random_mir_word();
   return source;
}

/* Moves, sums and products are what there is most of. */
static void
pick_opcode(enum tegra_unit *unit, unsigned *opcode)
{
   static const uint8_t common[] = {
      TEGRA_VECTOR_MOV, TEGRA_VECTOR_MOV, TEGRA_VECTOR_MUL,
      TEGRA_VECTOR_ADD, TEGRA_VECTOR_MAD, TEGRA_VECTOR_DP4,
   };
   static const uint8_t vector[] = {
      TEGRA_VECTOR_DP3, TEGRA_VECTOR_DST, TEGRA_VECTOR_MIN, TEGRA_VECTOR_MAX,
      TEGRA_VECTOR_SLT, TEGRA_VECTOR_SGE, TEGRA_VECTOR_FRC, TEGRA_VECTOR_FLR,
      TEGRA_VECTOR_SEQ, TEGRA_VECTOR_SFL, TEGRA_VECTOR_SNE, TEGRA_VECTOR_STR,
      TEGRA_VECTOR_SSG,
   };
   static const uint8_t scalar[] = {
      TEGRA_SCALAR_MOV, TEGRA_SCALAR_RCP, TEGRA_SCALAR_RSQ,
      TEGRA_SCALAR_EXP, TEGRA_SCALAR_LIT,
   };
   unsigned kind = random_mir_below(4);

   *unit = kind == 3 ? TEGRA_SCALAR : TEGRA_VECTOR;
   *opcode = kind < 2    ? common[random_mir_below(sizeof(common))]
             : kind == 2 ? vector[random_mir_below(sizeof(vector))]
                         : scalar[random_mir_below(sizeof(scalar))];
}

void
random_mir_add(struct mir *mir, uint32_t block, const struct mir_op *op)
{
   assert_true(mir_append(mir, block, op));
}

/* A condition of a register's x in CR[condition].x. */
static void
add_condition(struct mir *mir, uint32_t block, unsigned condition,
              uint32_t temporary)
{
   struct mir_op op = mir_op(TEGRA_VECTOR, TEGRA_VECTOR_MOV, 0);

   op.mask = 8;
   op.sets_condition = true;
   op.condition = (uint8_t)condition;
   op.source[0] = (struct mir_source){
      .file = MIR_TEMPORARY, .swizzle = TEGRA_IDENTITY, .index = temporary};
   random_mir_add(mir, block, &op);
}

struct mir_predicate
random_mir_predicate(unsigned condition)
{
   unsigned tests = 1 + random_mir_below(6);

   return (struct mir_predicate){
      .enabled = true,
      .condition = (uint8_t)condition,
      .less = tests & 1,
      .equal = tests & 2,
      .greater = tests & 4,
   };
}

/* A0 = 0 or 1: what is behind the uniforms depends on where literals are. */
static void
add_address(struct mir *mir, uint32_t block)
{
   struct mir_op op = mir_op(TEGRA_VECTOR, TEGRA_VECTOR_SGE, 0);

   op.mask = TEGRA_MASK_XYZW;
   op.temporary = random_mir_below(RANDOM_REGISTERS);
   op.source[0] = random_mir_source();
   op.source[1] = random_mir_source();
   random_mir_add(mir, block, &op);
   op = (struct mir_op){
      .unit = TEGRA_VECTOR,
      .opcode = TEGRA_VECTOR_ARL,
      .mask = 12,
      .temporary = MIR_NONE,
      .export_index = TEGRA_NO_EXPORT,
      .source = {{.file = MIR_TEMPORARY,
                  .swizzle = TEGRA_IDENTITY,
                  .index = op.temporary}},
      .target = MIR_NONE,
   };
   random_mir_add(mir, block, &op);
}

void
random_mir_destination(struct mir_op *op)
{
   if (random_mir_below(3))
      op->temporary = random_mir_below(RANDOM_REGISTERS);
   if (op->temporary == MIR_NONE || random_mir_one_in(8))
      op->export_index = (uint8_t)random_mir_below(RANDOM_EXPORTS);
}

static void
add_op(struct mir *mir, uint32_t block)
{
   enum tegra_unit unit;
   unsigned opcode;
   pick_opcode(&unit, &opcode);

   struct mir_op op = mir_op(unit, opcode, 0);
   op.mask = random_mir_mask();
   for (unsigned i = 0; i < mir_num_sources(&op); i++)
      op.source[i] = random_mir_source();
   op.saturate = random_mir_one_in(8);
   random_mir_destination(&op);
   if (random_mir_one_in(6)) {
      add_condition(mir, block, 1, random_mir_below(RANDOM_REGISTERS));
      op.predicate = random_mir_predicate(1);
   }
   random_mir_add(mir, block, &op);
}

void
random_mir_add_ops(struct mir *mir, uint32_t block, unsigned most)
{
   for (unsigned i = random_mir_below(most + 1); i > 0; i--) {
      if (random_mir_one_in(12))
         add_address(mir, block);
      else if (random_mir_one_in(6))
         random_mir_add_idiom(mir, block);
      else
         add_op(mir, block);
   }
}

/* ---- programs ------------------------------------------------------------ */

static uint32_t
add_block(struct mir *mir)
{
   uint32_t block = mir_add_block(mir);

   assert_int_not_equal(block, MIR_NONE);
   return block;
}

static void
add_jump(struct mir *mir, uint32_t block, unsigned opcode, uint32_t target,
         struct mir_predicate predicate)
{
   struct mir_op op = mir_op(TEGRA_SCALAR, opcode, 0);

   op.target = target;
   op.predicate = predicate;
   random_mir_add(mir, block, &op);
}

/* Two arms, of which either may be empty, behind `block`; returns the block
 * behind them. */
static uint32_t
add_if(struct mir *mir, uint32_t block)
{
   static const struct mir_predicate always;
   struct mir_predicate predicate = random_mir_predicate(0);
   bool has_else = random_mir_below(2);

   add_condition(mir, block, 0, random_mir_below(RANDOM_REGISTERS));
   add_jump(mir, block, TEGRA_SCALAR_BRA, block + 2, predicate);
   block = add_block(mir);
   random_mir_add_ops(mir, block, 4);
   if (has_else) {
      add_jump(mir, block, TEGRA_SCALAR_BRA, block + 2, always);
      block = add_block(mir);
      random_mir_add_ops(mir, block, 4);
   }
   return add_block(mir);
}

static struct mir_source
literal(uint32_t word)
{
   return (struct mir_source){
      .file = MIR_LITERAL, .swizzle = TEGRA_IDENTITY, .literal = {word}};
}

static const struct mir_source counter = {
   .file = MIR_TEMPORARY, .swizzle = TEGRA_IDENTITY, .index = RANDOM_COUNTER};

/* RANDOM_COUNTER.x becomes a sum. */
static void
add_count(struct mir *mir, uint32_t block, struct mir_source a, uint32_t word)
{
   struct mir_op op = mir_op(TEGRA_VECTOR, TEGRA_VECTOR_ADD, 0);

   op.temporary = RANDOM_COUNTER;
   op.mask = 8;
   op.source[0] = a;
   op.source[1] = literal(word);
   random_mir_add(mir, block, &op);
}

/* RANDOM_COUNTER.x becomes 2 or 3, which inputs decide. */
static void
start_count(struct mir *mir, uint32_t block)
{
   struct mir_op op = mir_op(TEGRA_VECTOR, TEGRA_VECTOR_SGE, 0);

   op.temporary = RANDOM_COUNTER;
   op.mask = 8;
   op.source[0] = random_mir_source();
   op.source[1] = random_mir_source();
   random_mir_add(mir, block, &op);
   add_count(mir, block, counter, 0x40000000);
}

/* At most three turns; a branch in the middle may leave the loop. */
static uint32_t
add_loop(struct mir *mir, uint32_t block)
{
   struct mir_predicate positive = {.enabled = true, .greater = true};

   if (random_mir_below(2))
      add_count(mir, block, literal(0x40000000), 0x3f800000); /* 2 + 1 */
   else
      start_count(mir, block);
   block = add_block(mir);
   uint32_t first = block;
   random_mir_add_ops(mir, block, 4);
   if (random_mir_one_in(3)) {
      add_condition(mir, block, 0, random_mir_below(RANDOM_REGISTERS));
      add_jump(mir, block, TEGRA_SCALAR_BRA, block + 2,
               random_mir_predicate(0));
      block = add_block(mir);
      random_mir_add_ops(mir, block, 4);
   }
   add_count(mir, block, counter, 0xbf800000); /* -1 */
   add_condition(mir, block, 0, RANDOM_COUNTER);
   add_jump(mir, block, TEGRA_SCALAR_BRA, first, positive);
   return add_block(mir);
}

/* The same with the test at the top: while the counter is not 0. */
static uint32_t
add_loop_with_test_at_top(struct mir *mir, uint32_t block)
{
   static const struct mir_predicate always;
   struct mir_predicate is_zero = {.enabled = true, .equal = true};

   start_count(mir, block);
   block = add_block(mir);
   uint32_t top = block;
   random_mir_add_ops(mir, block, 2);
   add_condition(mir, block, 0, RANDOM_COUNTER);
   add_jump(mir, block, TEGRA_SCALAR_BRA, block + 2, is_zero);
   block = add_block(mir);
   random_mir_add_ops(mir, block, 4);
   add_count(mir, block, counter, 0xbf800000); /* -1 */
   add_jump(mir, block, TEGRA_SCALAR_BRA, top, always);
   return add_block(mir);
}

static uint32_t
add_construct(struct mir *mir, uint32_t block)
{
   switch (random_mir_below(4)) {
   case 0: return add_loop(mir, block);
   case 1: return add_loop_with_test_at_top(mir, block);
   default: return add_if(mir, block);
   }
}

/* A program and, behind its end, a subroutine that it may call. */
void
random_mir(uint64_t program_seed, struct mir *mir)
{
   static const struct tg_shader no_shader;
   static const struct mir_predicate always;
   uint32_t caller = MIR_NONE, block;

   seed = program_seed;
   bool calls = random_mir_one_in(4);
   mir_init(mir, NULL, &no_shader);
   mir->num_temporaries = RANDOM_ALL;
   mir->num_constants = 3;
   block = add_block(mir);
   random_mir_add_ops(mir, block, 12);
   for (unsigned i = random_mir_below(3); i > 0; i--) {
      block = add_construct(mir, block);
      random_mir_add_ops(mir, block, 6);
   }
   if (calls) {
      caller = block;
      block = add_block(mir);
      random_mir_add_ops(mir, block, 6);
   }
   mir->end = block;
   if (calls) {
      block = add_block(mir);
      add_jump(mir, caller, TEGRA_SCALAR_CAL, block, always);
      random_mir_add_ops(mir, block, 4);
      add_jump(mir, block, TEGRA_SCALAR_RET, MIR_NONE, always);
   }
}
