/* SPDX-License-Identifier: MIT
 *
 * Passes change nothing: random modules give the same outputs, the same memory,
 * the same events and the same live lanes before and after the pipeline, and
 * before and after each pass alone. And what the uniformity pass calls uniform
 * is. And when memory runs out on the way, the module still does the same. And
 * all executors do the same with it.
 *
 * Arguments: how many modules, 10,000 without, or a share; the seed of the
 * first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../lir/random_lir.h"
#include "../share.h"
#include "exec/exec.h"
#include "harness.h"
#include "lir/builder.h"
#include "lir/passes.h"

enum { LOOP_BUDGET = 100000, USUAL_MODULES = 10000 };

static uint64_t num_modules;
static uint64_t first_seed = 1;
static uint64_t jit_share = 100; /* of so many modules JITs compile one */

/* Everything that a wave leaves behind. */
struct outcome {
   enum tg_result result;
   uint32_t live;
   uint32_t output[RANDOM_OUTPUTS][LIR_LANES];
   uint32_t buffer[RANDOM_BUFFER_WORDS];
   uint64_t events; /* a hash of all that the listener heard */
   uint32_t num_events;
};

/* ---- listening ----------------------------------------------------------- */

static void
hear(struct outcome *outcome, uint32_t what, uint32_t lanes,
     const uint32_t value[LIR_LANES])
{
   uint64_t hash = outcome->events ^ what;

   hash = (hash ^ lanes) * UINT64_C(0x100000001b3);
   for (uint32_t i = 0; i < LIR_LANES; i++) {
      if (lanes >> i & 1)
         hash = (hash ^ value[i]) * UINT64_C(0x100000001b3);
   }
   outcome->events = hash;
   outcome->num_events++;
}

static void
hear_trace(void *user, uint64_t tag, uint32_t lanes,
           const uint32_t value[LIR_LANES])
{
   hear(user, 2 + tag, lanes, value);
}

static void
hear_emit(void *user, uint32_t lanes, const uint32_t stream[LIR_LANES])
{
   hear(user, 0, lanes, stream);
}

static void
hear_endprim(void *user, uint32_t lanes, const uint32_t stream[LIR_LANES])
{
   hear(user, 1, lanes, stream);
}

/* ---- running ------------------------------------------------------------- */

/* Some numbers that float code likes, some that it does not. */
static void
fill_memory(uint64_t seed, uint32_t *words, uint32_t num_words)
{
   static const uint32_t special[] = {0,          0x80000000, 0x3f800000,
                                      0xc0490fdb, 0x7f800000, 0x7fc00000,
                                      1,          0xffffffff};

   for (uint32_t i = 0; i < num_words; i++) {
      uint32_t bits = random_next(&seed);

      words[i] = bits & 1 ? special[bits >> 1 & 7] : random_next(&seed);
   }
}

/* Lanes come in whole quads, as derivatives want them. */
static uint32_t
random_quads(uint64_t seed)
{
   static const uint32_t masks[] = {0xffff, 0xffff, 0x00ff, 0xf00f, 0x0ff0};

   return masks[random_next(&seed) % 5];
}

typedef void (*trace_listener)(void *user, uint64_t tag, uint32_t lanes,
                               const uint32_t value[LIR_LANES]);

/* With `stops`, from barrier to barrier; how many there were. */
static unsigned
run_and_stop(const struct exec_executor *executor,
             const struct lir_module *module, uint64_t seed, bool stops,
             trace_listener trace, struct outcome *outcome)
{
   uint32_t input[RANDOM_INPUTS][LIR_LANES];
   uint32_t constants[RANDOM_CONSTS];
   struct exec_program *program;
   struct exec_fault fault;

   *outcome = (struct outcome){0};
   fill_memory(seed, &input[0][0], RANDOM_INPUTS * LIR_LANES);
   fill_memory(seed + 1, constants, RANDOM_CONSTS);
   const struct exec_memory constant_memory = {constants, RANDOM_CONSTS * 4};
   const struct exec_memory buffer_memory = {outcome->buffer,
                                             RANDOM_BUFFER_WORDS * 4};
   const struct exec_listener listener = {
      .trace = trace,
      .emit = hear_emit,
      .endprim = hear_endprim,
      .user = outcome,
   };
   struct exec_wave wave = {
      .launched = random_quads(seed),
      .live = random_quads(seed) & 0x7b5e,
      .memory = {[LIR_SPACE_CONST] = &constant_memory,
                 [LIR_SPACE_BUFFER] = &buffer_memory},
      .num_memories = {[LIR_SPACE_CONST] = 1, [LIR_SPACE_BUFFER] = 1},
      .input = {input, RANDOM_INPUTS},
      .output = {outcome->output, RANDOM_OUTPUTS},
      .loop_budget = LOOP_BUDGET,
      .listener = &listener,
      .stops_at_barriers = stops,
   };
   unsigned num_stops = 0;

   assert_int_equal(executor->compile(NULL, module, &program), TG_OK);
   void *scratch = make_scratch(executor, program);
   outcome->result = executor->run(program, &wave, scratch, &fault);
   while (outcome->result == TG_OK && wave.wait.lanes) {
      num_stops++;
      outcome->result = executor->resume(program, &wave, scratch, &fault);
   }
   outcome->live = wave.live;
   free(scratch);
   executor->destroy(program);
   return num_stops;
}

static void
run(const struct lir_module *module, uint64_t seed, trace_listener trace,
    struct outcome *outcome)
{
   run_and_stop(exec_find_executor(NULL), module, seed, false, trace, outcome);
}

/* ---- modules ------------------------------------------------------------- */

/* A random module as executors take it, without any other pass. */
static void
random_lowered(struct lir_module *module, uint64_t seed)
{
   bool changed = false;

   random_lir(module, seed);
   const char *error = lir_verify(module);
   if (error)
      fail_msg("seed %llu: %s", (unsigned long long)seed, error);
   assert_int_equal(lir_pass_signatures(module, &changed), TG_OK);
}

/* ---- comparing ----------------------------------------------------------- */

static void
complain(uint64_t seed, const char *pass, const char *what)
{
   struct lir_module module;
   const struct lir_pass_options options = {.only = pass};

   random_lir(&module, seed);
   char *before = lir_print(&module);
   lir_optimize(&module, &options);
   char *after = lir_print(&module);
   fprintf(stderr, "---- before\n%s---- after\n%s", before, after);
   tg_string_free(before);
   tg_string_free(after);
   lir_module_finish(&module);
   fail_msg("seed %llu: %s differs after %s", (unsigned long long)seed, what,
            pass ? pass : "the pipeline");
}

/* `pass` NULL for the pipeline. */
static void
compare(uint64_t seed, const char *pass, const struct outcome *expected)
{
   const struct lir_pass_options options = {.only = pass, .verify_each = true};
   struct lir_module module;
   struct outcome outcome;

   random_lir(&module, seed);
   assert_int_equal(lir_optimize(&module, &options), TG_OK);
   const char *error = lir_verify(&module);
   if (error)
      complain(seed, pass, error);
   run(&module, seed, hear_trace, &outcome);
   lir_module_finish(&module);

   if (outcome.result != expected->result)
      complain(seed, pass, "the result");
   if (outcome.result != TG_OK)
      return;
   if (outcome.live != expected->live)
      complain(seed, pass, "the live mask");
   if (memcmp(outcome.output, expected->output, sizeof(outcome.output)) != 0)
      complain(seed, pass, "an output");
   if (memcmp(outcome.buffer, expected->buffer, sizeof(outcome.buffer)) != 0)
      complain(seed, pass, "the buffer");
   if (outcome.events != expected->events ||
       outcome.num_events != expected->num_events)
      complain(seed, pass, "an event");
}

static void
test_passes(void **state)
{
   uint64_t num_finished = 0;

   (void)state;
   for (uint64_t seed = first_seed; seed < first_seed + num_modules; seed++) {
      struct lir_module module;
      struct outcome expected;

      random_lowered(&module, seed);
      run(&module, seed, hear_trace, &expected);
      lir_module_finish(&module);
      num_finished += expected.result == TG_OK;

      compare(seed, NULL, &expected);
      for (uint32_t i = 0; lir_pass_names[i]; i++)
         compare(seed, lir_pass_names[i], &expected);
   }
   /* Modules that ran out of their budget showed nothing. */
   assert_true(num_finished * 100 >= num_modules * 99);
}

/* ---- memory running out -------------------------------------------------- */

struct miser {
   uint32_t num_left; /* allocations that still succeed */
};

static void *
resize_sometimes(void *user, void *ptr, size_t old_size, size_t new_size)
{
   const struct tg_allocator *allocator = tg_default_allocator();
   struct miser *miser = user;

   if (new_size > 0 && miser->num_left-- == 0) {
      miser->num_left = 0;
      return NULL;
   }
   return allocator->resize(allocator->user, ptr, old_size, new_size);
}

/* Optimises a module with so many allocations; whether they were enough. The
 * module does the same in any case. */
static bool
compare_with(uint64_t seed, uint32_t num_allocations,
             const struct outcome *expected)
{
   struct miser miser = {num_allocations};
   const struct tg_allocator allocator = {resize_sometimes, &miser};
   struct lir_module module;
   struct outcome outcome;

   random_lir(&module, seed);
   const struct tg_allocator *usual = module.arena.allocator;
   module.arena.allocator = &allocator;
   enum tg_result result = lir_optimize(&module, NULL);
   module.arena.allocator = usual;

   assert_true(result == TG_OK || result == TG_ERROR_MEMORY);
   assert_null(lir_verify(&module));
   if (result == TG_ERROR_MEMORY) {
      bool changed = false;
      assert_int_equal(lir_pass_signatures(&module, &changed), TG_OK);
   }
   run(&module, seed, hear_trace, &outcome);
   if (memcmp(&outcome, expected, sizeof(outcome)) != 0)
      complain(seed, NULL, "something without memory");
   lir_module_finish(&module);
   return result == TG_OK;
}

static void
test_memory(void **state)
{
   (void)state;
   for (uint64_t seed = first_seed; seed < first_seed + 20; seed++) {
      struct lir_module module;
      struct outcome expected;
      uint32_t num_allocations = 0;

      random_lowered(&module, seed);
      run(&module, seed, hear_trace, &expected);
      lir_module_finish(&module);
      while (!compare_with(seed, num_allocations, &expected))
         num_allocations++;
      assert_true(num_allocations > 0);
   }
}

/* ---- barriers ------------------------------------------------------------ */

/* A barrier in front of one instruction in eight. */
static void
insert_barriers(struct lir_module *module, uint32_t function_index,
                uint64_t *seed)
{
   const struct lir_function old = module->functions[function_index];
   uint32_t *new_index = calloc(old.num_insts, sizeof(*new_index));
   struct lir_builder builder;

   assert_non_null(new_index);
   uint32_t function = lir_module_add_function(module, old.name);
   lir_builder_init(&builder, module, function);
   for (uint32_t i = 1; i < old.num_insts; i++) {
      const struct lir_inst *inst = &old.insts[i];
      lir_value operands[3] = {{0}, {0}, {0}};

      if (random_next(seed) % 8 == 0)
         lir_build(&builder, LIR_OP_barrier, NULL, 0);
      for (unsigned k = 0; k < lir_ops[inst->op].num_operands; k++)
         operands[k].index = new_index[inst->operand[k].index];
      new_index[i] =
         lir_build(&builder, (enum lir_op)inst->op, operands, inst->imm).index;
   }
   assert_false(builder.failed);
   free(new_index);
   module->functions[function_index] = module->functions[function];
   module->num_functions--;
}

/* A random module with barriers; every other one is optimised. */
static void
random_barriers(struct lir_module *module, uint64_t seed)
{
   uint64_t random = seed;

   random_lowered(module, seed);
   for (uint32_t i = 0; i < module->num_functions; i++)
      insert_barriers(module, i, &random);
   if (seed % 2)
      assert_int_equal(lir_optimize(module, NULL), TG_OK);
   assert_null(lir_verify(module));
}

/* A wave that stops at each barrier does what one does that goes on. */
static void
test_barriers(void **state)
{
   uint64_t num_stops = 0;

   (void)state;
   for (uint64_t seed = first_seed; seed < first_seed + num_modules; seed++) {
      struct lir_module module;
      struct outcome expected, outcome;

      random_barriers(&module, seed);
      run(&module, seed, hear_trace, &expected);
      num_stops += run_and_stop(exec_find_executor(NULL), &module, seed, true,
                                hear_trace, &outcome);
      if (memcmp(&outcome, &expected, sizeof(outcome)) != 0)
         complain(seed, NULL, "something behind a barrier");
      lir_module_finish(&module);
   }
   assert_true(num_stops > num_modules);
}

/* ---- executors ----------------------------------------------------------- */

/* A JIT takes a thousand times as long as an interpreter to compile. */
static bool
takes_part(const struct exec_executor *executor, uint64_t seed)
{
   return strncmp(executor->name, "jit", 3) != 0 || seed % jit_share == 0;
}

static void
compare_executors(const struct lir_module *module, uint64_t seed, bool stops)
{
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);
   struct outcome expected, outcome;

   assert_true(count > 1);
   const unsigned num_stops =
      run_and_stop(executors[0], module, seed, stops, hear_trace, &expected);
   for (unsigned i = 1; i < count; i++) {
      if (!takes_part(executors[i], seed))
         continue;
      const unsigned others =
         run_and_stop(executors[i], module, seed, stops, hear_trace, &outcome);
      if (others != num_stops ||
          memcmp(&outcome, &expected, sizeof(outcome)) != 0)
         fail_msg("seed %llu: %s does not do as %s", (unsigned long long)seed,
                  executors[i]->name, executors[0]->name);
   }
}

/* All executors do the same, also where a wave runs out of its budget. */
static void
test_executors(void **state)
{
   (void)state;
   for (uint64_t seed = first_seed; seed < first_seed + num_modules / 2;
        seed++) {
      struct lir_module module;

      random_barriers(&module, seed);
      compare_executors(&module, seed, true);
      lir_module_finish(&module);
   }
}

/* The same where a wave runs from its beginning to its end. */
static void
test_executors_without_stops(void **state)
{
   (void)state;
   for (uint64_t seed = first_seed; seed < first_seed + num_modules / 2;
        seed++) {
      struct lir_module module;

      if (seed / jit_share % 2) {
         random_lir(&module, seed);
         assert_int_equal(lir_optimize(&module, NULL), TG_OK);
      } else {
         random_lowered(&module, seed);
      }
      compare_executors(&module, seed, false);
      lir_module_finish(&module);
   }
}

/* ---- uniformity ---------------------------------------------------------- */

/* Behind each word that the pass calls uniform, a trace of it. */
static void
trace_uniform_words(struct lir_module *module, uint32_t function_index)
{
   const struct lir_function old = module->functions[function_index];
   uint32_t *new_index = calloc(old.num_insts, sizeof(*new_index));
   struct lir_builder builder;

   assert_non_null(new_index);
   uint32_t function = lir_module_add_function(module, old.name);
   lir_builder_init(&builder, module, function);
   for (uint32_t i = 1; i < old.num_insts; i++) {
      const struct lir_inst *inst = &old.insts[i];
      const struct lir_op_info *info = &lir_ops[inst->op];
      lir_value operands[3] = {{0}, {0}, {0}};

      if (inst->op == LIR_OP_trace)
         continue;
      for (unsigned k = 0; k < info->num_operands; k++)
         operands[k].index = new_index[inst->operand[k].index];
      lir_value value =
         lir_build(&builder, (enum lir_op)inst->op, operands, inst->imm);
      new_index[i] = value.index;
      if (inst->is_uniform && info->type == LIR_TYPE_B32)
         lir_trace(&builder, i, value);
   }
   assert_false(builder.failed);
   free(new_index);
   module->functions[function_index] = module->functions[function];
   module->num_functions--;
}

static bool all_traces_uniform;

/* One NaN counts as any other, also from lane to lane: which one an operation
 * gives may depend on the order of its operands, which the compiler chooses for
 * each vector of lanes. */
static bool
is_same_word(uint32_t a, uint32_t b)
{
   const uint32_t infinity = 0x7f800000;
   bool both_nan = (a & 0x7fffffff) > infinity && (b & 0x7fffffff) > infinity;

   return a == b || both_nan;
}

static void
check_uniform(void *user, uint64_t tag, uint32_t lanes,
              const uint32_t value[LIR_LANES])
{
   uint32_t first = value[__builtin_ctz(lanes)];

   (void)user;
   (void)tag;
   for (uint32_t i = 0; i < LIR_LANES; i++) {
      if ((lanes >> i & 1) && !is_same_word(value[i], first))
         all_traces_uniform = false;
   }
}

static void
test_uniformity(void **state)
{
   const struct lir_pass_options options = {.only = "uniformity"};

   (void)state;
   all_traces_uniform = true;
   for (uint64_t seed = first_seed; seed < first_seed + num_modules; seed++) {
      struct lir_module module;
      struct outcome outcome;

      random_lir(&module, seed);
      assert_int_equal(lir_optimize(&module, &options), TG_OK);
      for (uint32_t i = 0; i < module.num_functions; i++)
         trace_uniform_words(&module, i);
      assert_null(lir_verify(&module));
      run(&module, seed, check_uniform, &outcome);
      lir_module_finish(&module);
      if (!all_traces_uniform)
         fail_msg("seed %llu: a uniform value varies",
                  (unsigned long long)seed);
   }
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_passes),
      cmocka_unit_test(test_uniformity),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_barriers),
      cmocka_unit_test(test_executors),
      cmocka_unit_test(test_executors_without_stops),
   };

   num_modules =
      argc > 1 ? strtoull(argv[1], NULL, 0) : share_of(USUAL_MODULES);
   if (argc > 2)
      first_seed = strtoull(argv[2], NULL, 0);
   if (argc > 3)
      jit_share = strtoull(argv[3], NULL, 0);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
