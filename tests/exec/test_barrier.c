/* SPDX-License-Identifier: MIT
 *
 * Waves that stop at barriers and go on behind them, several in turn over one
 * memory, as a block of compute threads does: one by one, and as rounds where
 * the executor runs them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec/store.h"
#include "harness.h"
#include "lir/passes.h"

enum { NUM_WAVES = 3, MAX_STOPS = 64 };

/* Waves of one program; wave w finds its number in word 0 of its input. */
struct block {
   const struct exec_executor *executor;
   struct exec_program *program;
   uint32_t shared_words[64];
   struct exec_memory shared;
   uint32_t input[NUM_WAVES][1][LIR_LANES];
   uint32_t output[NUM_WAVES][MAX_OUTPUTS][LIR_LANES];
   struct exec_wave waves[NUM_WAVES];
   void *scratch[NUM_WAVES];
   struct exec_fault fault;
   bool wants_rounds;
   bool has_rounds; /* out: the executor ran them */
   uint64_t steps;  /* out: of run_block() */
   struct exec_round rounds[NUM_WAVES];
   struct exec_wave common;
};

static void
open_block(struct block *block, const struct exec_executor *executor,
           struct lir_module *module)
{
   memset(block, 0, sizeof(*block));
   block->executor = executor;
   assert_null(lir_verify(module));
   assert_int_equal(executor->compile(NULL, module, &block->program), TG_OK);
   block->shared = (struct exec_memory){
      block->shared_words,
      sizeof(block->shared_words),
   };
   for (unsigned w = 0; w < NUM_WAVES; w++) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++)
         block->input[w][0][lane] = w;
      block->waves[w] = (struct exec_wave){
         .launched = 0xffff,
         .live = 0xffff,
         .stops_at_barriers = true,
         .memory[LIR_SPACE_SHARED] = &block->shared,
         .num_memories[LIR_SPACE_SHARED] = 1,
         .input = {block->input[w], 1},
         .output = {block->output[w], MAX_OUTPUTS},
         .loop_budget = 1000,
      };
      block->scratch[w] = make_scratch(executor, block->program);
   }
}

static void
close_block(struct block *block)
{
   for (unsigned w = 0; w < NUM_WAVES; w++)
      free(block->scratch[w]);
   block->executor->destroy(block->program);
}

static enum tg_result
start(struct block *block, unsigned w)
{
   return block->executor->run(block->program, &block->waves[w],
                               block->scratch[w], &block->fault);
}

static enum tg_result
resume(struct block *block, unsigned w)
{
   return block->executor->resume(block->program, &block->waves[w],
                                  block->scratch[w], &block->fault);
}

static void
run_one_by_one(struct block *block,
               enum tg_result (*run)(struct block *block, unsigned w))
{
   for (unsigned w = 0; w < NUM_WAVES; w++) {
      assert_int_equal(run(block, w), TG_OK);
      block->steps += block->waves[w].steps;
   }
}

static void
begin_rounds(struct block *block)
{
   block->common = block->waves[0];
   for (unsigned w = 0; w < NUM_WAVES; w++)
      block->rounds[w] = (struct exec_round){
         .launched = 0xffff,
         .live = 0xffff,
         .input = block->input[w],
         .output = block->output[w],
         .scratch = block->scratch[w],
      };
}

/* What rounds leave the waves have; false if none has run. */
static bool
end_rounds(struct block *block, enum tg_result result, uint32_t num_run)
{
   assert_int_equal(result, TG_OK);
   if (num_run == 0)
      return false;
   assert_int_equal(num_run, NUM_WAVES);
   for (unsigned w = 0; w < NUM_WAVES; w++)
      block->waves[w].wait = block->rounds[w].wait;
   block->steps += block->common.steps;
   return true;
}

static bool
start_rounds(struct block *block)
{
   uint32_t num_run = 0;

   if (!block->wants_rounds)
      return false;
   begin_rounds(block);
   const enum tg_result result = block->executor->run_rounds(
      block->program, &block->common, block->rounds, NUM_WAVES,
      block->scratch[0], &num_run, &block->fault);
   return end_rounds(block, result, num_run);
}

static void
resume_rounds(struct block *block)
{
   uint32_t num_run = 0;
   const enum tg_result result = block->executor->resume_rounds(
      block->program, &block->common, block->rounds, NUM_WAVES,
      block->scratch[0], &num_run, &block->fault);

   assert_true(end_rounds(block, result, num_run));
}

/* Runs the waves in turn from barrier to barrier; how often they stopped. */
static unsigned
run_block(struct block *block)
{
   unsigned num_stops = 0;

   block->has_rounds = start_rounds(block);
   if (!block->has_rounds)
      run_one_by_one(block, start);
   while (block->waves[0].wait.lanes) {
      assert_true(++num_stops < MAX_STOPS);
      for (unsigned w = 0; w < NUM_WAVES; w++) {
         assert_int_equal(block->waves[w].wait.lanes, 0xffff);
         assert_true(block->waves[w].wait.visit == block->waves[0].wait.visit);
      }
      if (block->has_rounds)
         resume_rounds(block);
      else
         run_one_by_one(block, resume);
   }
   for (unsigned w = 0; w < NUM_WAVES; w++)
      assert_int_equal(block->waves[w].wait.lanes, 0);
   return num_stops;
}

/* Runs `check` with a block of the module's waves on every executor. As rounds
 * they take the same steps. */
static void
on_all(struct lir_module *module, void (*check)(struct block *block))
{
   const struct exec_executor *executors[MAX_EXECUTORS];
   unsigned count = all_executors(executors);
   static struct block block;

   for (unsigned i = 0; i < count; i++) {
      open_block(&block, executors[i], module);
      check(&block);
      const uint64_t steps = block.steps;
      close_block(&block);
      if (!executors[i]->run_rounds)
         continue;
      open_block(&block, executors[i], module);
      block.wants_rounds = true;
      check(&block);
      assert_true(block.steps == steps);
      close_block(&block);
   }
}

/* LLVM's code runs waves with barriers as rounds. */
static void
expect_rounds(const struct block *block)
{
   if (block->wants_rounds && strcmp(block->executor->name, "jit") == 0)
      assert_true(block->has_rounds);
}

static void
barrier(struct lir_builder *b)
{
   lir_build(b, LIR_OP_barrier, NULL, 0);
}

static lir_value
wave_number(struct lir_builder *b)
{
   return lir_load32(b, LIR_SPACE_INPUT, 0, lir_const32(b, 0));
}

/* Adds `number` to a word of shared memory that all waves know. */
static void
add_to_word(struct lir_builder *b, uint32_t word, lir_value number)
{
   lir_value at = lir_const32(b, word);
   lir_value old = lir_load32(b, LIR_SPACE_SHARED, 0, at);
   lir_value sum = lir_iadd(b, old, number);

   lir_store32(b, LIR_SPACE_SHARED, 0, at, sum);
}

static void
give_word(struct harness *harness, uint32_t output, uint32_t word)
{
   struct lir_builder *b = &harness->b;

   give(harness, output,
        lir_load32(b, LIR_SPACE_SHARED, 0, lir_const32(b, word)));
}

static void
expect_in_all(const struct block *block, uint32_t output, uint32_t expected)
{
   for (unsigned w = 0; w < NUM_WAVES; w++) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++)
         assert_int_equal(block->output[w][output][lane], expected);
   }
}

/* ---- what is seen behind a barrier --------------------------------------- */

/* Values of before live on, in slots and in variables. */
static void
check_exchange(struct block *block)
{
   assert_true(block->executor->has_barriers(block->program));
   assert_int_equal(run_block(block), 1);
   expect_rounds(block);
   expect_in_all(block, 0, 1 + 2 + 3);
   for (unsigned w = 0; w < NUM_WAVES; w++) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++) {
         assert_int_equal(block->output[w][1][lane], w + 1 + lane);
         assert_int_equal(block->output[w][2][lane], w + 2);
      }
   }
}

static void
test_exchange(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   uint32_t var = lir_module_add_var(&harness.module, LIR_TYPE_B32, "v");
   lir_value one = lir_const32(b, 1);
   lir_value number = wave_number(b);
   lir_value next = lir_iadd(b, number, one);
   lir_setvar(b, var, next);
   add_to_word(b, 5, next);
   /* These two are still carried from handler to handler at the barrier. */
   lir_value lane = lir_lane(b);
   lir_value sum = lir_iadd(b, next, lane);
   lir_value second = lir_iadd(b, next, one);
   barrier(b);
   give(&harness, 1, lir_iadd(b, sum, lir_const32(b, 0)));
   give(&harness, 2, second);
   give_word(&harness, 0, 5);
   on_all(&harness.module, check_exchange);
   end(&harness);
}

/* Without being asked to, a wave does not stop. */
static void
check_alone(struct block *block)
{
   block->waves[0].stops_at_barriers = false;
   assert_int_equal(start(block, 0), TG_OK);
   assert_int_equal(block->waves[0].wait.lanes, 0);
   assert_int_equal(block->output[0][0][7], 1);
}

static void
test_alone(void **state)
{
   struct harness harness;

   (void)state;
   begin(&harness);
   barrier(&harness.b);
   give(&harness, 0, lir_const32(&harness.b, 1));
   on_all(&harness.module, check_alone);
   end(&harness);
}

static void
check_no_barrier(struct block *block)
{
   assert_false(block->executor->has_barriers(block->program));
   assert_int_equal(run_block(block), 0);
}

static void
test_no_barrier(void **state)
{
   struct harness harness;

   (void)state;
   begin(&harness);
   give(&harness, 0, lir_const32(&harness.b, 1));
   on_all(&harness.module, check_no_barrier);
   end(&harness);
}

/* A value that no wave changes, over a barrier that comes after its load: what
 * is made of it is the same for all waves too. */
static void
check_constant(struct block *block)
{
   uint32_t words[2] = {0, 41};
   const struct exec_memory constants = {words, sizeof(words)};

   for (unsigned w = 0; w < NUM_WAVES; w++) {
      block->waves[w].memory[LIR_SPACE_CONST] = &constants;
      block->waves[w].num_memories[LIR_SPACE_CONST] = 1;
   }
   assert_int_equal(run_block(block), 1);
   for (unsigned w = 0; w < NUM_WAVES; w++)
      assert_int_equal(block->output[w][0][w], 42);
}

static void
test_constant(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;
   bool has_changed;

   (void)state;
   begin(&harness);
   lir_value word = lir_load32(b, LIR_SPACE_CONST, 0, lir_const32(b, 1));
   barrier(b);
   give(&harness, 0, lir_iadd(b, word, lir_const32(b, 1)));
   assert_int_equal(lir_pass_uniformity(&harness.module, &has_changed), TG_OK);
   on_all(&harness.module, check_constant);
   end(&harness);
}

/* ---- where barriers stand ------------------------------------------------ */

/* In each of five turns every wave adds 1 to a word, and takes what it then is
 * into its sum: 3 + 6 + 9 + 12 + 15. A second barrier keeps the turns apart. */
static void
build_turn(struct harness *harness, uint32_t sum, uint32_t turns)
{
   struct lir_builder *b = &harness->b;
   lir_value one = lir_const32(b, 1);

   add_to_word(b, 0, one);
   barrier(b);
   lir_value old = lir_getvar(b, sum);
   lir_value at = lir_const32(b, 0);
   lir_value word = lir_load32(b, LIR_SPACE_SHARED, 0, at);
   lir_value new_sum = lir_iadd(b, old, word);
   lir_setvar(b, sum, new_sum);
   barrier(b);
   lir_value turn = lir_getvar(b, turns);
   lir_value next = lir_iadd(b, turn, one);
   lir_setvar(b, turns, next);
}

static void
check_turns(struct block *block)
{
   assert_int_equal(run_block(block), 10);
   expect_in_all(block, 0, 45);
}

static void
test_in_loop(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   uint32_t sum = lir_module_add_var(&harness.module, LIR_TYPE_B32, "sum");
   uint32_t turns = lir_module_add_var(&harness.module, LIR_TYPE_B32, "turns");
   uint32_t loop = lir_begin_loop(b);
   lir_value turn = lir_getvar(b, turns);
   lir_value five = lir_const32(b, 5);
   lir_begin_if(b, lir_uge(b, turn, five));
   lir_br(b, loop);
   lir_end(b);
   build_turn(&harness, sum, turns);
   lir_end(b);
   give(&harness, 0, lir_getvar(b, sum));
   on_all(&harness.module, check_turns);
   end(&harness);
}

/* The same five turns, each a call of a function. */
static void
test_in_function(void **state)
{
   struct harness harness;

   (void)state;
   begin(&harness);
   uint32_t function = lir_module_add_function(&harness.module, "turn");
   uint32_t sum = lir_module_add_var(&harness.module, LIR_TYPE_B32, "sum");
   uint32_t turns = lir_module_add_var(&harness.module, LIR_TYPE_B32, "turns");
   for (unsigned i = 0; i < 5; i++)
      lir_call(&harness.b, function);
   give(&harness, 0, lir_getvar(&harness.b, sum));
   lir_builder_init(&harness.b, &harness.module, function);
   build_turn(&harness, sum, turns);
   on_all(&harness.module, check_turns);
   end(&harness);
}

/* And as a function that calls itself, with a value that must survive the call,
 * and so the saved frame the barrier: 0 + 1 + 2 + 3 + 4. */
static void
check_recursion(struct block *block)
{
   check_turns(block);
   expect_in_all(block, 1, 10);
}

static void
test_in_recursion(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   uint32_t function = lir_module_add_function(&harness.module, "turn");
   uint32_t sum = lir_module_add_var(&harness.module, LIR_TYPE_B32, "sum");
   uint32_t turns = lir_module_add_var(&harness.module, LIR_TYPE_B32, "turns");
   uint32_t depths =
      lir_module_add_var(&harness.module, LIR_TYPE_B32, "depths");
   lir_call(b, function);
   give(&harness, 0, lir_getvar(b, sum));
   give(&harness, 1, lir_getvar(b, depths));

   lir_builder_init(b, &harness.module, function);
   lir_value turn = lir_getvar(b, turns);
   lir_value five = lir_const32(b, 5);
   lir_begin_if(b, lir_ult(b, turn, five));
   build_turn(&harness, sum, turns);
   lir_call(b, function);
   lir_value old = lir_getvar(b, depths);
   lir_value new_depths = lir_iadd(b, old, turn);
   lir_setvar(b, depths, new_depths);
   lir_end(b);
   on_all(&harness.module, check_recursion);
   end(&harness);
}

/* ---- what is told -------------------------------------------------------- */

/* Lanes 4 to 15 stand at the barrier of line 7, then all at that of line 9. */
static void
check_place(struct block *block)
{
   struct exec_wave *wave = &block->waves[1];

   assert_int_equal(start(block, 1), TG_OK);
   assert_int_equal(wave->wait.lanes, 0xfff0);
   assert_int_equal(wave->wait.origin, 7);
   assert_int_equal(resume(block, 1), TG_OK);
   assert_int_equal(wave->wait.lanes, 0xffff);
   assert_int_equal(wave->wait.origin, 9);
   assert_int_equal(resume(block, 1), TG_OK);
   assert_int_equal(wave->wait.lanes, 0);
   assert_int_equal(wave->live, 0xffff);
}

static void
test_place(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   lir_value lane = lir_lane(b);
   lir_value four = lir_const32(b, 4);
   lir_begin_if(b, lir_uge(b, lane, four));
   b->origin = 7;
   barrier(b);
   lir_end(b);
   b->origin = 9;
   barrier(b);
   on_all(&harness.module, check_place);
   end(&harness);
}

/* Runs one wave alone; the visits of barriers that it made, and how many. */
static unsigned
record_visits(struct block *block, uint64_t visits[MAX_STOPS])
{
   const struct exec_wave *wave = &block->waves[0];
   unsigned count = 0;

   assert_int_equal(start(block, 0), TG_OK);
   while (wave->wait.lanes) {
      assert_true(count < MAX_STOPS);
      visits[count++] = wave->wait.visit;
      assert_int_equal(resume(block, 0), TG_OK);
   }
   return count;
}

/* No two visits are one, be it in other turns, by other calls, or of another
 * barrier; and the next wave makes the same ones. */
static void
check_visits(struct block *block)
{
   uint64_t visits[MAX_STOPS], again[MAX_STOPS];
   unsigned count = record_visits(block, visits);

   assert_int_equal(count, 2 * (2 * 3 + 1) * 2);
   for (unsigned i = 0; i < count; i++) {
      for (unsigned k = 0; k < i; k++)
         assert_true(visits[i] != visits[k]);
   }
   assert_int_equal(record_visits(block, again), count);
   assert_memory_equal(again, visits, count * sizeof(visits[0]));
}

/* Goes `number` times round what the caller builds up to end_turns(). */
static void
begin_turns(struct lir_builder *b, uint32_t turns, uint32_t number)
{
   uint32_t loop;

   lir_setvar(b, turns, lir_const32(b, 0));
   loop = lir_begin_loop(b);
   lir_value turn = lir_getvar(b, turns);
   lir_value most = lir_const32(b, number);
   lir_begin_if(b, lir_uge(b, turn, most));
   lir_br(b, loop);
   lir_end(b);
   lir_value one = lir_const32(b, 1);
   lir_value next = lir_iadd(b, turn, one);
   lir_setvar(b, turns, next);
}

/* Twice: two calls of a function, which goes three times round a loop with two
 * barriers, and then comes to one behind it. */
static void
build_visits(struct harness *harness)
{
   struct lir_builder *b = &harness->b;

   begin(harness);
   uint32_t function = lir_module_add_function(&harness->module, "turns");
   uint32_t outer = lir_module_add_var(&harness->module, LIR_TYPE_B32, "outer");
   uint32_t inner = lir_module_add_var(&harness->module, LIR_TYPE_B32, "inner");
   begin_turns(b, outer, 2);
   lir_call(b, function);
   lir_call(b, function);
   lir_end(b);

   lir_builder_init(b, &harness->module, function);
   begin_turns(b, inner, 3);
   barrier(b);
   barrier(b);
   lir_end(b);
   barrier(b);
}

static void
test_visits(void **state)
{
   struct harness harness;

   (void)state;
   build_visits(&harness);
   on_all(&harness.module, check_visits);
   end(&harness);
}

/* The interpreter and the JIT, which may share a block, agree on visits. */
static void
test_same_visits(void **state)
{
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned num_executors = all_executors(executors);
   uint64_t first[MAX_STOPS], visits[MAX_STOPS];
   static struct block block;
   struct harness harness;
   bool has_first = false;

   (void)state;
   build_visits(&harness);
   for (unsigned i = 0; i < num_executors; i++) {
      if (executors[i] == exec_others[0])
         continue;
      open_block(&block, executors[i], &harness.module);
      const unsigned count = record_visits(&block, has_first ? visits : first);
      if (has_first)
         assert_memory_equal(visits, first, count * sizeof(first[0]));
      has_first = true;
      close_block(&block);
   }
   assert_true(has_first);
   end(&harness);
}

/* ---- what lives on ------------------------------------------------------- */

/* Lanes 3 to 15 stop at the barrier, in the second and third turn of a loop. */
static void
check_kinds(struct block *block)
{
   assert_int_equal(start(block, 2), TG_OK);
   for (unsigned turn = 0; turn < 3; turn++) {
      assert_int_equal(block->waves[2].wait.lanes, 0xfff8);
      assert_int_equal(resume(block, 2), TG_OK);
   }
   assert_int_equal(block->waves[2].wait.lanes, 0);
   assert_int_equal(block->waves[2].live, 0xffdf);
   for (uint32_t lane = 0; lane < LIR_LANES; lane++) {
      const uint32_t turns = lane < 3 ? 0 : 3;
      const uint64_t pair = (uint64_t)(lane + 7) << 32 | lane;
      const uint64_t sum = turns * (pair + (lane & 1 ? 100 : 200) + 2);

      assert_int_equal(block->output[2][0][lane], (uint32_t)sum);
      assert_int_equal(block->output[2][1][lane], (uint32_t)(sum >> 32));
      assert_int_equal(block->output[2][2][lane], lane < 3 ? 50 : 60);
   }
}

/* A pair, the number of the wave and masks, from before the loop, are used in
 * it after the barrier, a truth value before, which is after that of the turn
 * before. Lane 5 is killed before all. */
static void
test_kinds(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   const uint32_t turns =
      lir_module_add_var(&harness.module, LIR_TYPE_B32, "turns");
   const uint32_t sum =
      lir_module_add_var(&harness.module, LIR_TYPE_B64, "sum");
   const uint32_t arm =
      lir_module_add_var(&harness.module, LIR_TYPE_B32, "arm");
   const lir_value lane = lir_lane(b);
   const lir_value seven = lir_const32(b, 7);
   const lir_value high = lir_iadd(b, lane, seven);
   const lir_value pair = lir_pack64(b, lane, high);
   const lir_value one = lir_const32(b, 1);
   const lir_value wave = wave_number(b);
   const lir_value sum_of_both = lir_iadd(b, lane, wave);
   const lir_value odd_bit = lir_iand(b, sum_of_both, one);
   const lir_value is_odd = lir_i2b(b, odd_bit);
   const lir_value number = lir_u2l(b, wave);
   lir_kill(b, lir_ieq(b, lane, lir_const32(b, 5)));
   lir_begin_if(b, lir_uge(b, lane, lir_const32(b, 3)));
   begin_turns(b, turns, 3);
   const lir_value hundred = lir_const64(b, 100);
   const lir_value hundreds = lir_const64(b, 200);
   const lir_value chosen = lir_sel64(b, is_odd, hundred, hundreds);
   barrier(b);
   const lir_value old = lir_getvar(b, sum);
   const lir_value more = lir_ladd(b, pair, chosen);
   const lir_value most = lir_ladd(b, more, number);
   lir_setvar(b, sum, lir_ladd(b, old, most));
   lir_end(b);
   lir_setvar(b, arm, lir_const32(b, 60));
   lir_begin_else(b);
   lir_setvar(b, arm, lir_const32(b, 50));
   lir_end(b);
   give(&harness, 0, lir_lo64(b, lir_getvar(b, sum)));
   give(&harness, 1, lir_hi64(b, lir_getvar(b, sum)));
   give(&harness, 2, lir_getvar(b, arm));
   on_all(&harness.module, check_kinds);
   end(&harness);
}

/* The JIT has places for 256 rows that a wave leaves at a barrier; of what
 * leaves more it makes no code. */
static void
check_many(const struct exec_executor *executor, struct lir_module *module,
           unsigned num_vars)
{
   static struct block block;

   open_block(&block, executor, module);
   assert_int_equal(start(&block, 0), TG_OK);
   assert_int_equal(block.waves[0].wait.lanes, 0xffff);
   assert_int_equal(resume(&block, 0), TG_OK);
   for (uint32_t lane = 0; lane < LIR_LANES; lane++) {
      uint32_t sum = 0;

      for (uint32_t i = 1 - lane % 2; i < num_vars; i += 2)
         sum += i;
      assert_int_equal(block.output[0][0][lane], sum);
   }
   close_block(&block);
}

static void
check_code(const struct lir_module *module, bool has_code)
{
   const struct exec_executor *jit = exec_find_executor("jit");
   struct exec_counters counters = {0};
   const struct exec_build build = {.counters = &counters};
   struct exec_program *program;

   if (!jit)
      return;
   assert_int_equal(jit->compile(&build, module, &program), TG_OK);
   assert_int_equal(counters.compiled, has_code);
   jit->destroy(program);
}

/* Variable i is 1 where lane + i is odd, else 0, and i times it is added to the
 * sum. Words take a row each. */
static void
build_many(struct harness *harness, unsigned num_vars)
{
   struct lir_builder *b = &harness->b;

   begin(harness);
   const lir_value one = lir_const32(b, 1);
   const lir_value zero = lir_const32(b, 0);
   for (uint32_t i = 0; i < num_vars; i++) {
      const uint32_t var =
         lir_module_add_var(&harness->module, LIR_TYPE_B32, "var");
      const lir_value lane = lir_lane(b);
      const lir_value number = lir_const32(b, i);
      const lir_value both = lir_iadd(b, lane, number);
      const lir_value bit = lir_iand(b, both, one);

      assert_int_equal(var, i);
      lir_setvar(b, var, bit);
   }
   barrier(b);
   lir_value sum = zero;
   for (uint32_t i = 0; i < num_vars; i++) {
      const lir_value is_odd = lir_getvar(b, i);
      const lir_value number = lir_const32(b, i);

      sum = lir_iadd(b, sum, lir_imul(b, is_odd, number));
   }
   give(harness, 0, sum);
}

static void
test_many(void **state)
{
   static const unsigned nums[] = {200, 300};
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned num_executors = all_executors(executors);

   (void)state;
   for (unsigned n = 0; n < 2; n++) {
      struct harness harness;

      build_many(&harness, nums[n]);
      check_code(&harness.module, n == 0);
      for (unsigned i = 0; i < num_executors; i++)
         check_many(executors[i], &harness.module, nums[n]);
      end(&harness);
   }
}

/* ---- budgets ------------------------------------------------------------- */

/* The budget and the count of instructions are those of the whole wave. */
static void
check_budget(struct block *block)
{
   struct exec_wave *wave = &block->waves[0];

   wave->loop_budget = 5;
   assert_int_equal(start(block, 0), TG_OK);
   for (unsigned i = 0; i < 5; i++) {
      assert_int_equal(wave->wait.lanes, 0xffff);
      assert_int_equal(wave->loop_budget, 5 - i);
      assert_int_equal(resume(block, 0), TG_OK);
   }
   assert_int_equal(resume(block, 0), TG_ERROR_LIMIT);
   assert_int_equal(wave->wait.lanes, 0);
   assert_string_equal(block->fault.what, "the loop budget is used up");
}

static void
test_budget(void **state)
{
   struct harness harness;

   (void)state;
   begin(&harness);
   lir_begin_loop(&harness.b);
   barrier(&harness.b);
   lir_end(&harness.b);
   on_all(&harness.module, check_budget);
   end(&harness);
}

/* A barrier counts as one instruction; the other is the const32 that every
 * function begins with. */
static void
check_clock(struct block *block)
{
   run_block(block);
   expect_in_all(block, 0, 2);
}

static void
test_clock(void **state)
{
   struct harness harness;
   struct lir_builder *b = &harness.b;

   (void)state;
   begin(&harness);
   barrier(b);
   lir_value count = lir_clock(b);
   give(&harness, 0, lir_lo64(b, count));
   on_all(&harness.module, check_clock);
   end(&harness);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exchange),     cmocka_unit_test(test_alone),
      cmocka_unit_test(test_no_barrier),   cmocka_unit_test(test_constant),
      cmocka_unit_test(test_in_loop),      cmocka_unit_test(test_in_function),
      cmocka_unit_test(test_in_recursion), cmocka_unit_test(test_place),
      cmocka_unit_test(test_visits),       cmocka_unit_test(test_same_visits),
      cmocka_unit_test(test_kinds),        cmocka_unit_test(test_many),
      cmocka_unit_test(test_budget),       cmocka_unit_test(test_clock),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
