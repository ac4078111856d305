/* SPDX-License-Identifier: MIT
 *
 * Random operations, through the stages with and without optimisation: whatever
 * the passes did, exports are the same to the bit, but that one NaN counts as
 * any other, and words are never more than with one operation in each.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "mir_text.h"

enum {
   PROGRAMS = 1500,
   VERTICES = 16,
   REGISTERS = 6,
   COUNTER = REGISTERS, /* of a loop */
   EXPORTS = 4,
};

static uint64_t seed;

static uint32_t
pick(uint32_t below)
{
   seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(seed >> 33) % below;
}

/* Words that go wrong easily, and plain ones. */
static uint32_t
pick_word(void)
{
   static const uint32_t special[] = {
      0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0x3f000000,
      0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x7f7fffff, 0x00800000,
   };
   float plain = (float)((int)pick(4001) - 2000) / (float)(1u << pick(11));
   uint32_t word;

   memcpy(&word, &plain, sizeof(word));
   return pick(3) ? word : special[pick(sizeof(special) / sizeof(*special))];
}

/* ---- operations ---------------------------------------------------------- */

static uint8_t
pick_mask(void)
{
   return (uint8_t)(1 + pick(15));
}

static struct mir_source
pick_source(void)
{
   struct mir_source source = {
      .file = (uint8_t)(MIR_TEMPORARY + pick(4)),
      .negate = pick(4) == 0,
      .absolute = pick(6) == 0,
      .swizzle = pick(2) ? TEGRA_IDENTITY : (uint8_t)pick(256),
   };

   source.file = pick(3) ? source.file : MIR_TEMPORARY;
   source.index = pick(source.file == MIR_TEMPORARY ? REGISTERS : 3);
   source.relative =
      source.file == MIR_CONSTANT && source.index < 2 && pick(3) == 0;
   source.address = (uint8_t)pick(2);
   if (source.file != MIR_LITERAL)
      return source;
   source.index = 0;
   source.swizzle = TEGRA_IDENTITY;
   for (unsigned i = 0; i < 4; i++)
      source.literal[i] = pick_word();
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
   unsigned kind = pick(4);

   *unit = kind == 3 ? TEGRA_SCALAR : TEGRA_VECTOR;
   *opcode = kind < 2    ? common[pick(sizeof(common))]
             : kind == 2 ? vector[pick(sizeof(vector))]
                         : scalar[pick(sizeof(scalar))];
}

static void
add(struct mir *mir, uint32_t block, const struct mir_op *op)
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
   add(mir, block, &op);
}

static struct mir_predicate
pick_predicate(unsigned condition)
{
   unsigned tests = 1 + pick(6);

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
   op.temporary = pick(REGISTERS);
   op.source[0] = pick_source();
   op.source[1] = pick_source();
   add(mir, block, &op);
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
   add(mir, block, &op);
}

static void
add_op(struct mir *mir, uint32_t block)
{
   enum tegra_unit unit;
   unsigned opcode;
   pick_opcode(&unit, &opcode);

   struct mir_op op = mir_op(unit, opcode, 0);
   op.mask = pick_mask();
   for (unsigned i = 0; i < mir_num_sources(&op); i++)
      op.source[i] = pick_source();
   op.saturate = pick(8) == 0;
   if (pick(3))
      op.temporary = pick(REGISTERS);
   if (op.temporary == MIR_NONE || pick(8) == 0)
      op.export_index = (uint8_t)pick(EXPORTS);
   if (pick(6) == 0) {
      add_condition(mir, block, 1, pick(REGISTERS));
      op.predicate = pick_predicate(1);
   }
   add(mir, block, &op);
}

static void
add_ops(struct mir *mir, uint32_t block, unsigned most)
{
   for (unsigned i = pick(most + 1); i > 0; i--) {
      if (pick(12))
         add_op(mir, block);
      else
         add_address(mir, block);
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
   add(mir, block, &op);
}

/* Two arms, of which either may be empty, behind `block`; returns the block
 * behind them. */
static uint32_t
add_if(struct mir *mir, uint32_t block)
{
   static const struct mir_predicate always;
   struct mir_predicate predicate = pick_predicate(0);
   bool has_else = pick(2);

   add_condition(mir, block, 0, pick(REGISTERS));
   add_jump(mir, block, TEGRA_SCALAR_BRA, block + 2, predicate);
   block = add_block(mir);
   add_ops(mir, block, 4);
   if (has_else) {
      add_jump(mir, block, TEGRA_SCALAR_BRA, block + 2, always);
      block = add_block(mir);
      add_ops(mir, block, 4);
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
   .file = MIR_TEMPORARY, .swizzle = TEGRA_IDENTITY, .index = COUNTER};

/* COUNTER.x becomes a sum. */
static void
add_count(struct mir *mir, uint32_t block, struct mir_source a, uint32_t word)
{
   struct mir_op op = mir_op(TEGRA_VECTOR, TEGRA_VECTOR_ADD, 0);

   op.temporary = COUNTER;
   op.mask = 8;
   op.source[0] = a;
   op.source[1] = literal(word);
   add(mir, block, &op);
}

/* COUNTER.x becomes 2 or 3, which inputs decide. */
static void
start_count(struct mir *mir, uint32_t block)
{
   struct mir_op op = mir_op(TEGRA_VECTOR, TEGRA_VECTOR_SGE, 0);

   op.temporary = COUNTER;
   op.mask = 8;
   op.source[0] = pick_source();
   op.source[1] = pick_source();
   add(mir, block, &op);
   add_count(mir, block, counter, 0x40000000);
}

/* At most three turns; a branch in the middle may leave the loop. */
static uint32_t
add_loop(struct mir *mir, uint32_t block)
{
   struct mir_predicate positive = {.enabled = true, .greater = true};

   if (pick(2))
      add_count(mir, block, literal(0x40000000), 0x3f800000); /* 2 + 1 */
   else
      start_count(mir, block);
   block = add_block(mir);
   uint32_t first = block;
   add_ops(mir, block, 4);
   if (pick(3) == 0) {
      add_condition(mir, block, 0, pick(REGISTERS));
      add_jump(mir, block, TEGRA_SCALAR_BRA, block + 2, pick_predicate(0));
      block = add_block(mir);
      add_ops(mir, block, 4);
   }
   add_count(mir, block, counter, 0xbf800000); /* -1 */
   add_condition(mir, block, 0, COUNTER);
   add_jump(mir, block, TEGRA_SCALAR_BRA, first, positive);
   return add_block(mir);
}

/* A program and, behind its end, a subroutine that it may call. */
static void
write_program(struct mir *mir)
{
   static const struct tg_shader no_shader;
   static const struct mir_predicate always;
   bool calls = pick(4) == 0;
   uint32_t caller = MIR_NONE, block;

   mir_init(mir, NULL, &no_shader);
   mir->num_temporaries = REGISTERS + 1;
   mir->num_constants = 3;
   block = add_block(mir);
   add_ops(mir, block, 12);
   for (unsigned i = pick(3); i > 0; i--) {
      block = pick(2) ? add_if(mir, block) : add_loop(mir, block);
      add_ops(mir, block, 6);
   }
   if (calls) {
      caller = block;
      block = add_block(mir);
      add_ops(mir, block, 6);
   }
   mir->end = block;
   if (calls) {
      block = add_block(mir);
      add_jump(mir, caller, TEGRA_SCALAR_CAL, block, always);
      add_ops(mir, block, 4);
      add_jump(mir, block, TEGRA_SCALAR_RET, MIR_NONE, always);
   }
}

/* ---- compiling and running ----------------------------------------------- */

static struct tg_tegra_program *
compile(uint64_t program_seed, unsigned optimize, bool single_issue)
{
   const struct tg_tegra_compile_options options = {
      .size = sizeof(options),
      .optimize = optimize,
      .single_issue = single_issue,
   };
   struct compile compile = test_compile(&options);
   struct tg_source source = {.name = "random"};
   struct tg_tegra_program *program = tegra_program_create(NULL, &source);
   struct mir mir;

   seed = program_seed;
   write_program(&mir);
   assert_non_null(program);
   assert_null(mir_verify(&mir));
   assert_int_equal(compile_optimize(&compile, &mir), TG_OK);
   assert_int_equal(compile_ports(&compile, &mir), TG_OK);
   assert_null(mir_verify(&mir));
   assert_int_equal(compile_emit(&compile, &mir, program), TG_OK);
   assert_null(mir_verify(&mir));
   mir_finish(&mir);
   return program;
}

struct inputs {
   uint32_t attributes[VERTICES][TG_TEGRA_NUM_ATTRIBUTES][4];
   uint32_t constants[TG_TEGRA_NUM_CONSTANTS][4];
};

struct outputs {
   uint32_t exports[VERTICES][TG_TEGRA_NUM_EXPORTS][4];
   uint8_t ends[VERTICES];
};

static void
run(const struct tg_tegra_program *program, const struct inputs *inputs,
    struct outputs *outputs)
{
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;

   batch.num_vertices = VERTICES;
   batch.attributes = inputs->attributes[0][0];
   batch.constants = inputs->constants[0];
   batch.exports = outputs->exports[0][0];
   batch.ends = outputs->ends;
   assert_int_equal(tg_tegra_run(program, &batch, NULL), TG_OK);
   for (unsigned i = 0; i < VERTICES; i++)
      assert_int_equal(outputs->ends[i], TG_TEGRA_ENDED);
}

static bool
is_nan(uint32_t word)
{
   return (word & 0x7fffffff) > 0x7f800000;
}

static void
compare(const struct outputs *a, const struct outputs *b, uint64_t program_seed)
{
   const uint32_t *x = a->exports[0][0], *y = b->exports[0][0];

   for (size_t i = 0; i < sizeof(a->exports) / sizeof(*x); i++) {
      if (x[i] != y[i] && !(is_nan(x[i]) && is_nan(y[i])))
         fail_msg("program %llu, vertex %zu, export %zu.%c: %08x, not %08x",
                  (unsigned long long)program_seed, i / 64, i / 4 % 16,
                  "xyzw"[i % 4], y[i], x[i]);
   }
}

static void
fill(uint32_t *words, size_t count)
{
   for (size_t i = 0; i < count; i++)
      words[i] = pick_word();
}

static void
optimised_programs_do_the_same(void **state)
{
   static struct inputs inputs;
   static struct outputs plain, optimised, single;

   (void)state;
   for (uint64_t i = 1; i <= PROGRAMS; i++) {
      struct tg_tegra_program *programs[] = {
         compile(i, 0, false), compile(i, 2, false), compile(i, 2, true)};

      seed = i;
      fill(inputs.attributes[0][0], sizeof(inputs.attributes) / 4);
      fill(inputs.constants[0], sizeof(inputs.constants) / 4);
      run(programs[0], &inputs, &plain);
      run(programs[1], &inputs, &optimised);
      run(programs[2], &inputs, &single);
      compare(&plain, &optimised, i);
      compare(&plain, &single, i);
      assert_true(tg_tegra_num_instructions(programs[1]) <=
                  tg_tegra_num_instructions(programs[2]));
      for (unsigned j = 0; j < 3; j++)
         tg_tegra_program_destroy(programs[j]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(optimised_programs_do_the_same),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
