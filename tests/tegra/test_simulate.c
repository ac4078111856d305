/* SPDX-License-Identifier: MIT
 *
 * Programs that run: those whose results were measured on hardware, waves whose
 * lanes part, limits, traces, warnings, memory that runs out and threads.
 */
#include "sweep.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "tegra/simulate.h"
#include "util/bits.h"

enum { MAX_VERTICES = 40 };

/* ---- programs ------------------------------------------------------------ */

struct run {
   uint32_t attributes[MAX_VERTICES][TG_TEGRA_NUM_ATTRIBUTES][4];
   uint32_t constants[TG_TEGRA_NUM_CONSTANTS][4];
   uint32_t exports[MAX_VERTICES][TG_TEGRA_NUM_EXPORTS][4];
   uint8_t ends[MAX_VERTICES];
   struct tg_tegra_batch batch;
};

static void
set(uint32_t words[4], float x, float y, float z, float w)
{
   const float values[] = {x, y, z, w};

   memcpy(words, values, sizeof(values));
}

/* Two attributes, the same for each vertex. */
static void
begin(struct run *run, uint32_t num_vertices)
{
   memset(run, 0, sizeof(*run));
   for (uint32_t i = 0; i < num_vertices; i++) {
      set(run->attributes[i][0], -1, 1, 0, 1);
      set(run->attributes[i][1], 0.25f, 1, 0.5f, 0.75f);
   }
   run->batch = (struct tg_tegra_batch){
      .size = sizeof(run->batch),
      .num_vertices = num_vertices,
      .attributes = run->attributes[0][0],
      .constants = run->constants[0],
      .exports = run->exports[0][0],
      .ends = run->ends,
   };
}

static struct tg_tegra_program *
decode(const void *words, size_t size)
{
   struct tg_tegra_program *program = NULL;

   assert_int_equal(tg_tegra_decode(NULL, "t", words, size / 4, NULL, &program),
                    TG_OK);
   return program;
}

/* Runs words with the code for an instruction set and returns what is
 * complained of, to be freed. */
static char *
execute_with(const char *set, struct run *run, const void *words, size_t size)
{
   struct tg_tegra_program *program = decode(words, size);
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   assert_int_equal(simulate_run(set, program, &run->batch, diagnostics),
                    TG_OK);
   char *text = tg_diagnostics_text(diagnostics);
   tg_diagnostics_destroy(diagnostics);
   tg_tegra_program_destroy(program);
   return text;
}

static char *
execute(struct run *run, const void *words, size_t size)
{
   return execute_with(NULL, run, words, size);
}

/* Runs words that nothing is wrong with. */
static void
execute_cleanly(struct run *run, const void *words, size_t size)
{
   char *text = execute(run, words, size);

   assert_string_equal(text, "");
   tg_string_free(text);
   for (uint32_t i = 0; i < run->batch.num_vertices; i++)
      assert_int_equal(run->ends[i], TG_TEGRA_ENDED);
}

static void
expect(const uint32_t words[4], float x, float y, float z, float w)
{
   uint32_t expected[4];

   set(expected, x, y, z, w);
   assert_memory_equal(words, expected, sizeof(expected));
}

/* The position is the first attribute, export 7 the second. */
static void
expect_attributes(const struct run *run)
{
   expect(run->exports[0][0], -1, 1, 0, 1);
   expect(run->exports[0][7], 0.25f, 1, 0.5f, 0.75f);
}

/* ---- results measured on hardware ---------------------------------------- */

static void
attributes_pass_through(void **state)
{
   static const uint32_t words[][4] = {
      {0x4000006c, 0x0040000d, 0x8106c003, 0x6001ff80},
      {0x4000006c, 0x0040010d, 0x8106c003, 0x6001ff9d},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   execute_cleanly(&run, words, sizeof(words));
   expect_attributes(&run);
}

static void
exports_are_built_of_constants(void **state)
{
   static const uint32_t words[][4] = {
      {0x4000006c, 0x0040000d, 0x8106c003, 0x6001ff80},
      {0x4000006c, 0x0046400d, 0x8186c003, 0x60019f9c},
      {0x4000006c, 0x0048700d, 0x8186c003, 0x60007f9d},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   set(run.constants[100], 0.1f, 0.2f, 0, 0);
   set(run.constants[135], 0, 0, 0.3f, 0.4f);
   execute_cleanly(&run, words, sizeof(words));
   expect(run.exports[0][7], 0.1f, 0.2f, 0.3f, 0.4f);
}

static void
branches_are_taken(void **state)
{
   static const uint32_t words[][4] = {
      {0x0000086c, 0x4800000d, 0x8006c000, 0x60001ffc},
      {0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd},
      {0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd},
      {0x401f886c, 0x4840000d, 0x8106c000, 0xe001ff80},
      {0x401f806c, 0x0040000d, 0x8186c003, 0x6001ff81},
      {0x401f806c, 0x0040000d, 0x8186c003, 0x6001ff81},
      {0x401f806c, 0x0040000d, 0x8186c003, 0x6001ff81},
      {0x401f806c, 0x0040010d, 0x8106c003, 0x6001e01d},
      {0x401f806c, 0x0040000d, 0x8186c003, 0x6001ff81},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   set(run.constants[0], 1, 1, 1, 1);
   execute_cleanly(&run, words, sizeof(words));
   expect_attributes(&run);
}

static void
calls_return(void **state)
{
   static const uint32_t words[][4] = {
      {0x0000086c, 0x5b44d00d, 0x8186c000, 0x40019ffc},
      {0x481f806c, 0x0040020d, 0x8106c003, 0x6001e001},
      {0x481f886d, 0x6040050d, 0x8106c003, 0x6001ff9c},
      {0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   set(run.constants[77], -1.5f, -3.3f, 0, 0);
   execute_cleanly(&run, words, sizeof(words));
   expect_attributes(&run);
}

static void
the_stack_keeps_addresses(void **state)
{
   static const uint32_t words[][4] = {
      {0x0000006c, 0x0344d00d, 0x8186c003, 0x6001807c},
      {0x0000006c, 0x0680000d, 0x8006c003, 0x6000007c},
      {0x0000086c, 0x5800000d, 0x8006c000, 0xc0001ffc},
      {0x0000006c, 0xa000000d, 0x8006c003, 0x6000007c},
      {0x481f806c, 0x0040020d, 0x8106c003, 0x6001e000},
      {0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd},
      {0x0000006c, 0x0347b02a, 0x8186c003, 0x6001e07c},
      {0x481f886c, 0x6040050d, 0x8106c003, 0x6001ff9c},
      {0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffd},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   set(run.constants[77], -1.5f, 0, 0, 0);
   set(run.constants[123], 0, -3.3f, 0, 0);
   execute_cleanly(&run, words, sizeof(words));
   expect_attributes(&run);
}

static void
constants_are_found_through_addresses(void **state)
{
   static const uint32_t words[][4] = {
      {0x401f806c, 0x0040000d, 0x8106c003, 0x6001ff80},
      {0x0000006c, 0x034d302a, 0x8186c003, 0x60011ffc},
      {0x0000006c, 0x05cd3055, 0x0186c003, 0x60003ffc},
      {0x401f806c, 0x0045500d, 0x8186c003, 0x60019f9e},
      {0x401f806f, 0x0049b00d, 0x8186c003, 0x60007f9f},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   set(run.constants[100], 0.1f, 0.2f, 0, 0);
   set(run.constants[135], 0, 0, 0.3f, 0.4f);
   set(run.constants[211], 0, 15.9f, -19.7f, 0);
   execute_cleanly(&run, words, sizeof(words));
   expect(run.exports[0][7], 0.1f, 0.2f, 0.3f, 0.4f);
}

static void
attributes_are_found_through_addresses(void **state)
{
   static const uint32_t words[][4] = {
      {0x4000006c, 0x0040000d, 0x8106c003, 0x6001ff80},
      {0x0000006c, 0x0345f02a, 0x8186c003, 0x60011ffc},
      {0x0000006c, 0x05c5f055, 0x0186c003, 0x60003ffc},
      {0x481f806c, 0x0040000d, 0x8106c003, 0x60019f9c},
      {0x481f806f, 0x00400f0d, 0x8106c003, 0x60007f9d},
   };
   struct run run;

   (void)state;
   begin(&run, 1);
   set(run.constants[95], 0, 1.3f, -14.3f, 0);
   execute_cleanly(&run, words, sizeof(words));
   expect_attributes(&run);
}

/* ---- instructions made here ---------------------------------------------- */

/* Nothing, unconditionally; tests fill in what they want. */
static union tegra_instruction
nop(void)
{
   return (union tegra_instruction){
      .export_index = TEGRA_NO_EXPORT,
      .s_rd = TEGRA_NO_REGISTER,
      .v_rd = TEGRA_NO_REGISTER,
      .ra_swz = TEGRA_IDENTITY,
      .rb_swz = TEGRA_IDENTITY,
      .rc_swz = TEGRA_IDENTITY,
      .p_swz = TEGRA_IDENTITY,
      .p_lt = 1,
      .p_eq = 1,
      .p_gt = 1,
   };
}

static size_t
encode(const union tegra_instruction *instructions, size_t num,
       uint32_t (*words)[4])
{
   for (size_t i = 0; i < num; i++)
      tegra_encode(&instructions[i], words[i]);
   return num * sizeof(*words);
}

/* r[rd] = a[index], or an export. */
static union tegra_instruction
mov_attribute(unsigned rd, unsigned index)
{
   union tegra_instruction mov = nop();

   mov.v_op = TEGRA_VECTOR_MOV;
   mov.v_rd = (uint16_t)rd;
   mov.v_mask = TEGRA_MASK_XYZW;
   mov.ra_type = TEGRA_ATTRIBUTE;
   mov.attr_index = (uint16_t)index;
   return mov;
}

/* export[index] = r[ra], and the end. */
static union tegra_instruction
export_temporary(unsigned index, unsigned ra)
{
   union tegra_instruction mov = nop();

   mov.v_op = TEGRA_VECTOR_MOV;
   mov.v_mask = TEGRA_MASK_XYZW;
   mov.ra_type = TEGRA_TEMPORARY;
   mov.ra_index = (uint16_t)ra;
   mov.export_vec = 1;
   mov.export_index = (uint16_t)index;
   mov.end = 1;
   return mov;
}

/* r0 = a[0]; do r1 += r0 while (r0 -= 1) > 0; so that r1 is 1 + ... + a[0]. */
enum { SUM_LENGTH = 5 };

static void
make_sum(union tegra_instruction *sum)
{
   sum[0] = mov_attribute(0, 0);
   sum[1] = mov_attribute(1, 1);
   sum[2] = nop();
   sum[2].v_op = TEGRA_VECTOR_ADD;
   sum[2].v_rd = 1;
   sum[2].v_mask = TEGRA_MASK_XYZW;
   sum[2].ra_type = TEGRA_TEMPORARY;
   sum[2].ra_index = 1;
   sum[2].rc_type = TEGRA_TEMPORARY;
   sum[3] = sum[2];
   sum[3].v_rd = 0;
   sum[3].ra_index = 0;
   sum[3].rc_type = TEGRA_CONSTANT;
   sum[3].rc_neg = 1;
   sum[3].cs = 1;
   sum[3].cwr = 1;
   sum[4] = export_temporary(3, 1);
   sum[4].p_swz = TEGRA_XXXX;
   sum[4].s_op = TEGRA_SCALAR_BRA;
   sum[4].rc_swz = 2;
   sum[4].p_lt = 0;
   sum[4].p_eq = 0;
}

static void
begin_sum(struct run *run, uint32_t num_vertices)
{
   begin(run, num_vertices);
   set(run->constants[0], 1, 1, 1, 1);
   for (uint32_t i = 0; i < num_vertices; i++) {
      float count = (float)(1 + i * 7 % num_vertices);

      set(run->attributes[i][0], count, count, count, count);
      set(run->attributes[i][1], 0, 0, 0, 0);
   }
}

/* ---- lanes that part ----------------------------------------------------- */

static void
loops_end_by_themselves_in_each_lane(void **state)
{
   union tegra_instruction sum[SUM_LENGTH];
   uint32_t words[SUM_LENGTH][4];
   struct run run;

   (void)state;
   make_sum(sum);
   begin_sum(&run, 37);
   execute_cleanly(&run, words, encode(sum, SUM_LENGTH, words));
   for (uint32_t i = 0; i < 37; i++) {
      float count = (float)(1 + i * 7 % 37);
      float total = count * (count + 1) / 2;

      expect(run.exports[i][3], total, total, total, total);
   }
}

/* Two instructions, three for each turn. */
static void
steps_are_counted_in_each_lane(void **state)
{
   union tegra_instruction sum[SUM_LENGTH];
   uint32_t words[SUM_LENGTH][4];
   struct run run;

   (void)state;
   make_sum(sum);
   begin_sum(&run, 37);
   run.batch.max_steps = 2 + 3 * 20;
   char *text = execute(&run, words, encode(sum, SUM_LENGTH, words));
   assert_string_equal(text, "t: warning: instruction 2: no steps are left "
                             "(vertex 3 and 16 others)\n");
   tg_string_free(text);
   for (uint32_t i = 0; i < 37; i++) {
      uint32_t count = 1 + i * 7 % 37;

      assert_int_equal(run.ends[i],
                       count <= 20 ? TG_TEGRA_ENDED : TG_TEGRA_OUT_OF_STEPS);
   }
}

/* ---- random programs ----------------------------------------------------- */

static uint32_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(*state >> 32);
}

static uint16_t
random_below(uint64_t *seed, unsigned bound)
{
   return (uint16_t)(next_random(seed) % bound);
}

/* Anything in the fields, but mostly registers that exist and jumps that stay
 * inside. */
static union tegra_instruction
random_instruction(uint64_t *seed, unsigned length)
{
   union tegra_instruction instruction;

   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++)
      instruction.field[i] =
         (uint16_t)(next_random(seed) & ((1u << tegra_fields[i].width) - 1));
   if (next_random(seed) % 64 != 0) {
      instruction.v_rd = random_below(seed, 4);
      instruction.s_rd = random_below(seed, 4);
      instruction.ra_index = random_below(seed, 4);
      instruction.rb_index = random_below(seed, 4);
      instruction.rc_index = random_below(seed, 4);
      instruction.export_index = random_below(seed, TG_TEGRA_NUM_EXPORTS);
      instruction.v_op = random_below(seed, TEGRA_VECTOR_ARA + 1);
      instruction.s_op = random_below(seed, TEGRA_SCALAR_RSQ + 1);
   }
   switch (next_random(seed) % 16) {
   case 0: instruction.s_op = TEGRA_SCALAR_BRA; break;
   case 1: instruction.s_op = TEGRA_SCALAR_CAL; break;
   case 2: instruction.s_op = TEGRA_SCALAR_RET; break;
   case 3: instruction.v_op = TEGRA_VECTOR_PUSHA; break;
   case 4: instruction.v_op = TEGRA_VECTOR_POPA; break;
   default: break;
   }
   if (tegra_opcodes[TEGRA_SCALAR][instruction.s_op].operands ==
       TEGRA_OPERANDS_TARGET)
      instruction.rc_swz = random_below(seed, length + 1);
   instruction.end = next_random(seed) % 8 == 0;
   instruction.const_index = random_below(seed, 260);
   return instruction;
}

enum { RANDOM_LENGTH = 16 };

static void
make_random(union tegra_instruction *instructions, uint64_t *seed)
{
   for (unsigned i = 0; i < RANDOM_LENGTH; i++)
      instructions[i] = random_instruction(seed, RANDOM_LENGTH);
}

/* Mostly instructions that only compute, over four registers that hold
 * something, which are exported in the end. */
static void
make_calm(union tegra_instruction *instructions, uint64_t *seed)
{
   for (unsigned i = 0; i < 4; i++) {
      instructions[i] = mov_attribute(i, i);
      instructions[RANDOM_LENGTH - 4 + i] = export_temporary(i, i);
      instructions[RANDOM_LENGTH - 4 + i].end = i == 3;
   }
   for (unsigned i = 4; i < RANDOM_LENGTH - 4; i++) {
      union tegra_instruction *instruction = &instructions[i];
      bool is_odd = next_random(seed) % 16 == 0;

      *instruction = random_instruction(seed, RANDOM_LENGTH);
      instruction->end = 0;
      instruction->cc &= is_odd;
      instruction->cs &= is_odd;
      instruction->sat &= is_odd;
      instruction->attr_rel &= is_odd;
      instruction->const_rel &= is_odd;
      instruction->export_rel &= is_odd;
      instruction->const_index %= TG_TEGRA_NUM_CONSTANTS;
      if (tegra_opcodes[TEGRA_SCALAR][instruction->s_op].effect !=
             TEGRA_EFFECT_NONE &&
          !is_odd)
         instruction->s_op = TEGRA_SCALAR_MOV;
      if (tegra_opcodes[TEGRA_VECTOR][instruction->v_op].effect !=
             TEGRA_EFFECT_NONE &&
          !is_odd)
         instruction->v_op = TEGRA_VECTOR_MAD;
   }
}

static void
fill_in(struct run *run, uint64_t *seed)
{
   begin(run, 37);
   for (uint32_t i = 0; i < 37; i++) {
      for (unsigned k = 0; k < 64; k++) {
         float value = (float)(next_random(seed) % 64) / 8 - 4;

         run->attributes[i][k / 4][k % 4] = tg_bits_of_float(value);
      }
   }
   for (unsigned i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++)
      set(run->constants[i], (float)i - 8, -1, 0.5f, 2);
   run->batch.max_steps = 100;
}

static void
hear_nothing(void *user, const struct tg_tegra_change *change)
{
   (void)user;
   (void)change;
}

/* One NaN counts as any other. */
static void
unify_nans(struct run *run)
{
   uint32_t *words = run->exports[0][0];

   for (size_t i = 0; i < sizeof(run->exports) / sizeof(*words); i++) {
      if ((words[i] & 0x7fffffff) > 0x7f800000)
         words[i] = 0x7fc00000;
   }
}

static bool
is_there(const char *set)
{
   return exec_interpreter_for(set) != NULL;
}

/* A traced vertex is a wave of its own. With whatever instruction set. */
static void
waves_are_as_vertices_one_by_one(void **state)
{
   static const char *const sets[] = {"baseline", "avx2", "avx512"};
   static struct run together, alone;
   uint64_t seed = 1;
   unsigned num_ended = 0;

   (void)state;
   fill_in(&together, &seed);
   alone = together;
   alone.batch.attributes = alone.attributes[0][0];
   alone.batch.constants = alone.constants[0];
   alone.batch.exports = alone.exports[0][0];
   alone.batch.ends = alone.ends;
   alone.batch.trace = hear_nothing;
   for (unsigned i = 0; i < 20000; i++) {
      union tegra_instruction instructions[RANDOM_LENGTH];
      uint32_t words[RANDOM_LENGTH][4];

      if (i % 2 == 0)
         make_random(instructions, &seed);
      else
         make_calm(instructions, &seed);
      size_t size = encode(instructions, RANDOM_LENGTH, words);
      const char *set = is_there(sets[i % 3]) ? sets[i % 3] : NULL;
      char *text = execute_with(set, &together, words, size);
      char *text_alone = execute(&alone, words, size);
      assert_string_equal(text, text_alone);
      tg_string_free(text);
      tg_string_free(text_alone);
      assert_memory_equal(together.ends, alone.ends, sizeof(alone.ends));
      unify_nans(&together);
      unify_nans(&alone);
      assert_memory_equal(together.exports, alone.exports,
                          sizeof(alone.exports));
      for (unsigned k = 0; k < 37; k++)
         num_ended += together.ends[k] == TG_TEGRA_ENDED;
   }
   /* Otherwise they would say little. */
   assert_true(num_ended > 20000 * 37 / 4);
}

/* ---- traces -------------------------------------------------------------- */

struct listener {
   char text[1000];
   size_t length;
};

static void
listen(void *user, const struct tg_tegra_change *change)
{
   static const char *const names[] = {
      "step", "r", "export", "A0", "CR", "push", "pop", "jump", "end",
   };
   struct listener *listener = user;
   char *to = listener->text + listener->length;
   size_t room = sizeof(listener->text) - listener->length;

   int n = snprintf(to, room, "%u.%u %s %u", change->vertex,
                    change->instruction, names[change->kind], change->index);
   for (unsigned k = 0; k < 4; k++) {
      bool is_float = change->kind == TG_TEGRA_CHANGE_TEMPORARY ||
                      change->kind == TG_TEGRA_CHANGE_EXPORT;

      if (change->mask >> k & 1)
         n += snprintf(to + n, room - (size_t)n, " %c=%g", "xyzw"[k],
                       is_float ? (double)tg_float_of_bits(change->words[k])
                                : (double)(int32_t)change->words[k]);
   }
   n += snprintf(to + n, room - (size_t)n, "\n");
   listener->length += (size_t)n;
}

static void
trace_one(struct run *run, struct listener *listener)
{
   begin(run, 1);
   set(run->attributes[0][0], 2.5f, -1, 0, 0.5f);
   *listener = (struct listener){.length = 0};
   run->batch.trace = listen;
   run->batch.user = listener;
}

/* 0: PUSHAv MOVs r1.x, a[0]; 1: ARLv A0.x, a[0] CALs 4; 2: POPAs;
 * 3: MOVv export[A0.x + 1], a[0], the end; 4: ADDv r2.xy, a[0], a[0] RETs,
 * which sets CR1. */
static size_t
make_traced(uint32_t (*words)[4])
{
   union tegra_instruction code[5] = {
      nop(),
      mov_attribute(0, 0),
      nop(),
      mov_attribute(TEGRA_NO_REGISTER, 0),
      mov_attribute(2, 0),
   };

   code[0].v_op = TEGRA_VECTOR_PUSHA;
   code[0].s_op = TEGRA_SCALAR_MOV;
   code[0].s_rd = 1;
   code[0].s_mask = 8;
   code[0].rc_type = TEGRA_ATTRIBUTE;
   code[1].v_op = TEGRA_VECTOR_ARL;
   code[1].v_mask = 8;
   code[1].s_op = TEGRA_SCALAR_CAL;
   code[1].rc_swz = 4;
   code[2].s_op = TEGRA_SCALAR_POPA;
   code[3].export_vec = 1;
   code[3].export_rel = 1;
   code[3].export_index = 1;
   code[3].end = 1;
   code[4].v_op = TEGRA_VECTOR_ADD;
   code[4].v_mask = 12;
   code[4].rc_type = TEGRA_ATTRIBUTE;
   code[4].cs = code[4].cwr = code[4].cr = 1;
   code[4].s_op = TEGRA_SCALAR_RET;
   return encode(code, 5, words);
}

static void
changes_are_told_in_their_order(void **state)
{
   uint32_t words[5][4];
   struct listener listener;
   struct run run;

   (void)state;
   trace_one(&run, &listener);
   execute_cleanly(&run, words, make_traced(words));
   assert_string_equal(listener.text, "0.0 step 0\n"
                                      "0.0 r 1 x=2.5\n"
                                      "0.0 push 0 x=0 y=0 z=0 w=0\n"
                                      "0.1 step 0\n"
                                      "0.1 A0 0 x=2\n"
                                      "0.1 push 1 x=2\n"
                                      "0.1 jump 4\n"
                                      "0.4 step 0\n"
                                      "0.4 r 2 x=5 y=-2\n"
                                      "0.4 CR 1 x=62 y=60\n"
                                      "0.4 pop 1 x=2\n"
                                      "0.4 jump 2\n"
                                      "0.2 step 0\n"
                                      "0.2 A0 0 x=0 y=0 z=0 w=0\n"
                                      "0.2 pop 0 x=0 y=0 z=0 w=0\n"
                                      "0.3 step 0\n"
                                      "0.3 export 1 x=2.5 y=-1 z=0 w=0.5\n"
                                      "0.3 end 0\n");
}

/* A branch to itself, twice. */
static void
a_trace_ends_with_its_steps(void **state)
{
   union tegra_instruction branch = nop();
   uint32_t words[1][4];
   struct listener listener;
   struct run run;

   (void)state;
   branch.s_op = TEGRA_SCALAR_BRA;
   branch.rc_swz = 0;
   trace_one(&run, &listener);
   run.batch.max_steps = 2;
   tg_string_free(execute(&run, words, encode(&branch, 1, words)));
   assert_string_equal(listener.text, "0.0 step 0\n"
                                      "0.0 jump 0\n"
                                      "0.0 step 0\n"
                                      "0.0 jump 0\n"
                                      "0.0 end 1\n");
}

/* What aborts has changed nothing: the stack is empty, so r1 is not written. */
static void
an_abort_changes_nothing(void **state)
{
   union tegra_instruction ret = mov_attribute(1, 0);
   uint32_t words[1][4];
   struct listener listener;
   struct run run;

   (void)state;
   ret.s_op = TEGRA_SCALAR_RET;
   trace_one(&run, &listener);
   char *text = execute(&run, words, encode(&ret, 1, words));
   assert_string_equal(listener.text, "0.0 step 0\n"
                                      "0.0 end 5\n");
   assert_string_equal(
      text, "t: warning: instruction 0: the program aborts: the stack "
            "is empty (vertex 0)\n");
   tg_string_free(text);
}

/* ---- warnings ------------------------------------------------------------ */

/* r1 is written where a[0].x is not 0, so that vertices 2 and 4 read what is
 * not there; a copy under the same predicate is nothing to complain of. */
static void
reads_of_nothing_are_told(void **state)
{
   union tegra_instruction code[] = {
      mov_attribute(TEGRA_NO_REGISTER, 0),
      mov_attribute(1, 1),
      nop(),
      export_temporary(0, 1),
   };
   uint32_t words[4][4];
   struct run run;

   (void)state;
   code[0].cs = code[0].cwr = 1;
   code[1].cc = 1;
   code[1].p_swz = TEGRA_XXXX;
   code[1].p_eq = 0;
   code[2] = code[1];
   code[2].v_rd = 2;
   code[2].ra_type = TEGRA_TEMPORARY;
   code[2].ra_index = 1;
   begin(&run, 20);
   set(run.attributes[2][0], 0, 1, 1, 1);
   set(run.attributes[4][0], 0, 1, 1, 1);
   char *text = execute(&run, words, encode(code, 4, words));
   assert_string_equal(text,
                       "t: warning: instruction 3: a temporary that was never "
                       "written is read (vertex 2 and 1 other)\n"
                       "note: it is 0 here\n");
   tg_string_free(text);
   expect(run.exports[3][0], 0.25f, 1, 0.5f, 0.75f);
   expect(run.exports[4][0], 0, 0, 0, 0);
}

/* The callee writes r1, or does not; after the call it is read. */
static void
calls_are_followed_to_what_they_write(void **state)
{
   union tegra_instruction code[] = {
      mov_attribute(0, 0),
      export_temporary(0, 1),
      mov_attribute(1, 1),
   };
   uint32_t words[3][4];
   struct run run;

   (void)state;
   code[0].s_op = TEGRA_SCALAR_CAL;
   code[0].rc_swz = 2;
   code[2].s_op = TEGRA_SCALAR_RET;
   begin(&run, 1);
   execute_cleanly(&run, words, encode(code, 3, words));
   expect(run.exports[0][0], 0.25f, 1, 0.5f, 0.75f);

   code[2].v_rd = 2;
   char *text = execute(&run, words, encode(code, 3, words));
   assert_string_equal(text, "t: warning: instruction 1: a temporary that was "
                             "never written is read (vertex 0)\n"
                             "note: it is 0 here\n");
   tg_string_free(text);
}

/* c[A0.x + 255], whose address 0 is the last constant and 1 none. */
static void
constants_that_do_not_exist_are_told(void **state)
{
   union tegra_instruction code[] = {mov_attribute(0, 0), mov_attribute(1, 0)};
   uint32_t words[2][4];
   struct run run;

   (void)state;
   code[0].v_op = TEGRA_VECTOR_ARL;
   code[1].ra_type = TEGRA_CONSTANT;
   code[1].const_rel = 1;
   code[1].const_index = 255;
   code[1].export_vec = 1;
   code[1].export_index = 0;
   code[1].end = 1;
   begin(&run, 3);
   set(run.constants[255], 1, 2, 3, 4);
   for (uint32_t i = 0; i < 3; i++)
      set(run.attributes[i][0], (float)i, 0, 0, 0);
   char *text = execute(&run, words, encode(code, 2, words));
   assert_string_equal(text,
                       "t: warning: instruction 1: a constant above c[255] is "
                       "read (vertex 1 and 1 other)\n"
                       "note: it is 0 here\n");
   tg_string_free(text);
   expect(run.exports[0][0], 1, 2, 3, 4);
   expect(run.exports[1][0], 0, 0, 0, 0);
}

static void
batches_without_sense_are_refused(void **state)
{
   uint32_t words[1][4];
   union tegra_instruction end = nop();
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;

   (void)state;
   end.end = 1;
   struct tg_tegra_program *program = decode(words, encode(&end, 1, words));
   assert_int_equal(tg_tegra_run(program, &batch, NULL), TG_OK);
   batch.num_vertices = 1;
   assert_int_equal(tg_tegra_run(program, &batch, NULL), TG_ERROR_INPUT);
   tg_tegra_program_destroy(program);
}

/* ---- memory that runs out ------------------------------------------------ */

/* export[0] = 2^c[0].x and export[1] = LIT c[0], for which functions are
 * compiled. */
static size_t
make_functions(uint32_t (*words)[4])
{
   union tegra_instruction code[2] = {nop(), nop()};

   for (unsigned i = 0; i < 2; i++) {
      code[i].s_op = i == 0 ? TEGRA_SCALAR_EX2 : TEGRA_SCALAR_LIT;
      code[i].s_mask = TEGRA_MASK_XYZW;
      code[i].export_index = (uint16_t)i;
      code[i].rc_type = TEGRA_CONSTANT;
   }
   code[1].end = 1;
   return encode(code, 2, words);
}

/* Runs it on 20 vertices. */
static enum tg_result
run_functions(const struct tg_tegra_program *program)
{
   struct run run;

   begin(&run, 20);
   set(run.constants[0], 3, 2, 0, 4);
   enum tg_result result = tg_tegra_run(program, &run.batch, NULL);
   if (result == TG_OK) {
      expect(run.exports[19][0], 8, 8, 8, 8);
      expect(run.exports[19][1], 1, 3, 16, 1);
   }
   return result;
}

static enum tg_result
make_and_run(const struct tg_allocator *allocator)
{
   uint32_t words[2][4];
   struct tg_tegra_program *program = NULL;

   make_functions(words);
   enum tg_result result =
      tg_tegra_decode(allocator, "t", words[0], 8, NULL, &program);
   if (result == TG_OK)
      result = run_functions(program);
   tg_tegra_program_destroy(program);
   return result;
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(make_and_run);
}

/* ---- threads ------------------------------------------------------------- */

static void *
run_often(void *program)
{
   for (unsigned i = 0; i < 20; i++)
      assert_int_equal(run_functions(program), TG_OK);
   return NULL;
}

static void
threads_share_a_program(void **state)
{
   enum { NUM_THREADS = 4 };
   pthread_t threads[NUM_THREADS];
   uint32_t words[2][4];
   struct tg_tegra_program *program = decode(words, make_functions(words));

   (void)state;
   for (unsigned i = 0; i < NUM_THREADS; i++)
      assert_int_equal(pthread_create(&threads[i], NULL, run_often, program),
                       0);
   for (unsigned i = 0; i < NUM_THREADS; i++)
      pthread_join(threads[i], NULL);
   tg_tegra_program_destroy(program);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(attributes_pass_through),
      cmocka_unit_test(exports_are_built_of_constants),
      cmocka_unit_test(branches_are_taken),
      cmocka_unit_test(calls_return),
      cmocka_unit_test(the_stack_keeps_addresses),
      cmocka_unit_test(constants_are_found_through_addresses),
      cmocka_unit_test(attributes_are_found_through_addresses),
      cmocka_unit_test(loops_end_by_themselves_in_each_lane),
      cmocka_unit_test(steps_are_counted_in_each_lane),
      cmocka_unit_test(waves_are_as_vertices_one_by_one),
      cmocka_unit_test(changes_are_told_in_their_order),
      cmocka_unit_test(a_trace_ends_with_its_steps),
      cmocka_unit_test(an_abort_changes_nothing),
      cmocka_unit_test(reads_of_nothing_are_told),
      cmocka_unit_test(calls_are_followed_to_what_they_write),
      cmocka_unit_test(constants_that_do_not_exist_are_told),
      cmocka_unit_test(batches_without_sense_are_refused),
      cmocka_unit_test(memory_may_run_out),
      cmocka_unit_test(threads_share_a_program),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
