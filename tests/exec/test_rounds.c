/* SPDX-License-Identifier: MIT
 *
 * Waves that run together: what each computes, writes and costs is what it
 * would alone, whatever is computed once for all of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "lir/passes.h"

enum {
   NUM_WAVES = 5,
   NUM_INPUTS = 2,
   NUM_OUTPUTS = 5,
   STRIDE = NUM_WAVES * LIR_LANES,
   MOST_MORE = 3, /* waves of a round after its first */
   NUM_TEXELS = 32,
   SURFACE_WORDS = STRIDE * (MOST_MORE + 1),
};

/* What is run: turns of a wave's loop, and waves of its round after the first;
 * the wave that has no lanes. */
struct plan {
   uint32_t turns[NUM_WAVES];
   uint32_t num_more[NUM_WAVES];
   uint32_t missing;
};

/* Parts that a module may have, as bits. */
enum { ARRAYS = 1, TEXELS = 2, INDEXED = 4, ALL_PARTS = 7 };

/* What the waves have, and what becomes of it. */
struct side {
   uint32_t input[NUM_WAVES][NUM_INPUTS][LIR_LANES];
   uint32_t output[NUM_WAVES][MAX_OUTPUTS][LIR_LANES];
   uint32_t surface[SURFACE_WORDS];
   struct exec_memory surfaces;
   struct exec_round rounds[NUM_WAVES];
   struct exec_wave wave;
   struct exec_fault fault;
   uint64_t steps;
   uint32_t num_run;
   enum tg_result result;
};

static const uint32_t constants[8] = {5, 1, 7, 11, 2, 0x40490fdb, 6, 9};
static const struct exec_memory constant_memory = {(uint32_t *)constants,
                                                   sizeof(constants), NULL};

/* Texel i is 100 + i. */
static const uint32_t texels[NUM_TEXELS] = {
   100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110,
   111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121,
   122, 123, 124, 125, 126, 127, 128, 129, 130, 131};
static const struct exec_memory texel_memory = {(uint32_t *)texels,
                                                sizeof(texels), NULL};

static lir_value
load_input(struct lir_builder *b, uint32_t word)
{
   return lir_load32(b, LIR_SPACE_INPUT, 0, lir_const32(b, word));
}

static lir_value
load_constant(struct lir_builder *b, lir_value index)
{
   return lir_load32(b, LIR_SPACE_CONST, 0, index);
}

/* From constants alone: constants[constants[1] + 2] * 3, which is 33, and what
 * is beyond the end of them, which is 0. */
static lir_value
build_invariant(struct lir_builder *b)
{
   const lir_value one = load_constant(b, lir_const32(b, 1));
   const lir_value at = lir_iadd(b, one, lir_const32(b, 2));
   const lir_value beyond =
      load_constant(b, lir_imul(b, one, lir_const32(b, 1000)));
   const lir_value product =
      lir_imul(b, load_constant(b, at), lir_const32(b, 3));
   return lir_iadd(b, product, beyond);
}

/* Variables and arrays begin with zeros in each wave: gives 0 in output
 * `index`. */
static void
build_fresh(struct harness *harness, uint32_t index)
{
   struct lir_builder *b = &harness->b;
   const uint32_t var =
      lir_module_add_var(&harness->module, LIR_TYPE_B32, "fresh");
   const uint32_t array = lir_module_add_array(&harness->module, 2, "fresh");
   const lir_value word = lir_const32(b, 1);
   const lir_value old = lir_getvar(b, var);

   give(harness, index,
        lir_ior(b, old, lir_load32(b, LIR_SPACE_ARRAY, array, word)));
   lir_setvar(b, var, lir_const32(b, 3));
   lir_store32(b, LIR_SPACE_ARRAY, array, word, lir_lane(b));
}

/* As many turns as the greatest input 1 says. */
static void
build_loop(struct harness *harness)
{
   struct lir_builder *b = &harness->b;
   const uint32_t turn =
      lir_module_add_var(&harness->module, LIR_TYPE_B32, "turn");
   const uint32_t outside = lir_begin_block(b);

   lir_begin_loop(b);
   const lir_value next = lir_iadd(b, lir_getvar(b, turn), lir_const32(b, 1));
   lir_setvar(b, turn, next);
   lir_begin_if(b, lir_uge(b, next, load_input(b, 1)));
   lir_br(b, outside);
   lir_end(b);
   lir_end(b);
   lir_end(b);
   give(harness, 2, lir_getvar(b, turn));
}

/* What is uniform and differs from wave to wave: a word that wave 0 writes, and
 * the first lane's input. */
static void
build_varying(struct harness *harness)
{
   struct lir_builder *b = &harness->b;
   const lir_value first = lir_read_first(b, load_input(b, 0));

   const lir_value word =
      lir_load32(b, LIR_SPACE_SURFACE, 0, lir_const32(b, 0));

   give(harness, 3, lir_iadd(b, word, lir_const32(b, 7)));
   give(harness, 4, lir_iadd(b, first, lir_const32(b, 100)));
}

static lir_value
load_texel(struct lir_builder *b, lir_value index)
{
   const lir_value last = lir_const32(b, NUM_TEXELS - 1);
   return lir_load32(b, LIR_SPACE_TEXTURE, 0, lir_iand(b, index, last));
}

/* Of input 0 three times its texel, and the texel after it where it has bit 1,
 * else texel 0; and once that of a constant, which is a scalar with what is
 * computed from it, and the first lane's input. These loads
 * come before any effect, so that those of the next wave may run before. That
 * of the texel that word 0 of the surface tells, without ARRAYS, may not. */
static lir_value
build_texels(struct harness *harness, unsigned parts)
{
   struct lir_builder *b = &harness->b;
   const uint32_t var =
      lir_module_add_var(&harness->module, LIR_TYPE_B32, "next");
   const lir_value place = load_input(b, 0);
   const lir_value three = lir_const32(b, 3);
   const lir_value bit = lir_iand(b, place, lir_const32(b, 2));
   const lir_value constant = load_constant(b, lir_const32(b, 1));
   const lir_value first = lir_read_first(b, place);

   lir_begin_if(b, lir_i2b(b, bit));
   lir_setvar(b, var, lir_iadd(b, place, constant));
   lir_end(b);
   const lir_value sum =
      lir_iadd(b, lir_imul(b, load_texel(b, place), three), first);
   const lir_value next = load_texel(b, lir_getvar(b, var));
   const lir_value uniform =
      lir_imul(b, load_texel(b, constant), lir_const32(b, 1));
   const lir_value other = lir_iadd(b, next, uniform);
   const lir_value both = lir_iadd(b, sum, other);
   const lir_value result = lir_iadd(b, both, lir_getvar(b, var));
   if (parts & ARRAYS)
      return result;
   const lir_value word =
      lir_load32(b, LIR_SPACE_SURFACE, 0, lir_const32(b, 0));
   return lir_iadd(b, result, load_texel(b, word));
}

/* Input 0 at an index that the code does not know, less itself: 0. */
static lir_value
build_indexed(struct harness *harness)
{
   struct lir_builder *b = &harness->b;
   const lir_value one = load_constant(b, lir_const32(b, 1));
   const lir_value index = lir_isub(b, one, lir_const32(b, 1));
   return lir_isub(b, lir_load32(b, LIR_SPACE_INPUT, 0, index),
                   load_input(b, 0));
}

/* A run of two constants from input 0 modulo 4 on. The texel that the first one
 * tells, less itself and 100; and the second less the same: 0. Only the first
 * is for a texel. */
static lir_value
build_run(struct harness *harness)
{
   struct lir_builder *b = &harness->b;
   const lir_value at = lir_iand(b, load_input(b, 0), lir_const32(b, 3));
   const lir_value first = load_constant(b, at);
   const lir_value after = lir_iadd(b, at, lir_const32(b, 1));
   const lir_value second = load_constant(b, after);
   const lir_value expected = lir_iadd(b, first, lir_const32(b, 100));
   const lir_value difference = lir_isub(
      b, second, load_constant(b, lir_imul(b, after, lir_const32(b, 1))));
   return lir_iadd(b, lir_isub(b, load_texel(b, first), expected), difference);
}

/* Texel 7 where lanes live and 8 where they do not, less that: 0. */
static lir_value
build_live_texels(struct harness *harness)
{
   struct lir_builder *b = &harness->b;
   const lir_value live = lir_live(b);
   const lir_value index =
      lir_sel32(b, live, lir_const32(b, 7), lir_const32(b, 8));
   const lir_value expected =
      lir_sel32(b, live, lir_const32(b, 107), lir_const32(b, 108));
   return lir_isub(b, load_texel(b, index), expected);
}

/* Lanes of which input 0 is odd and at least 8 die. Those with an even one
 * compute from constants what others do not, and store it. */
static void
build(struct harness *harness, unsigned parts)
{
   struct lir_builder *b = &harness->b;
   lir_value mixed =
      parts & TEXELS ? build_texels(harness, parts) : lir_const32(b, 0);
   if (parts & TEXELS)
      mixed = lir_iadd(b, mixed, build_run(harness));
   const lir_value place = load_input(b, 0);
   const lir_value is_odd = lir_i2b(b, lir_iand(b, place, lir_const32(b, 1)));
   const lir_value is_high = lir_uge(b, place, lir_const32(b, 8));

   lir_kill(b, lir_band(b, is_odd, is_high));
   if (parts & TEXELS)
      mixed = lir_iadd(b, mixed, build_live_texels(harness));
   if (parts & INDEXED)
      mixed = lir_iadd(b, mixed, build_indexed(harness));
   give(harness, 0, build_invariant(b));
   if (parts & ARRAYS)
      build_fresh(harness, 1);
   build_varying(harness);
   build_loop(harness);
   lir_begin_if(b, lir_bnot(b, is_odd));
   const lir_value first = load_constant(b, lir_const32(b, 0));
   const lir_value square = lir_imul(b, first, first);
   const lir_value sum = lir_iadd(b, square, place);
   lir_store32(b, LIR_SPACE_SURFACE, 0, place, lir_iadd(b, sum, mixed));
   lir_end(b);
}

/* Wave w writes to words 16 w to 16 w + 15 of the surface, each lane to
 * another; those after it in its round as far behind as STRIDE says. */
static void
fill(struct side *side, const struct plan *plan)
{
   memset(side, 0, sizeof(*side));
   side->surfaces =
      (struct exec_memory){side->surface, sizeof(side->surface), NULL};
   for (uint32_t w = 0; w < NUM_WAVES; w++) {
      for (uint32_t i = 0; i < LIR_LANES; i++) {
         side->input[w][0][i] = w * LIR_LANES + (i * 7 + w) % LIR_LANES;
         side->input[w][1][i] = i < 3 ? 1 : plan->turns[w];
      }
      side->rounds[w] = (struct exec_round){
         .launched = w == plan->missing ? 0
                     : w == 1           ? 0x0ff1
                                        : 0xffff,
         .live = w == 3 ? 0x0f0f : 0xffff,
         .num_more = plan->num_more[w],
         .input = side->input[w],
         .output = side->output[w],
      };
   }
   side->wave = (struct exec_wave){
      .loop_budget = 1000,
      .moving_word = 0,
      .stride = STRIDE,
      .input = {.num_words = NUM_INPUTS},
      .output = {.num_words = MAX_OUTPUTS},
      .memory = {[LIR_SPACE_CONST] = &constant_memory,
                 [LIR_SPACE_TEXTURE] = &texel_memory,
                 [LIR_SPACE_SURFACE] = &side->surfaces},
      .num_memories = {[LIR_SPACE_CONST] = 1,
                       [LIR_SPACE_TEXTURE] = 1,
                       [LIR_SPACE_SURFACE] = 1},
   };
}

/* One by one, until one does not end. */
static void
run_round_alone(struct side *side, struct exec_round *round,
                const struct exec_executor *executor,
                const struct exec_program *program, void *scratch)
{
   const uint32_t live = round->live;

   for (uint32_t k = 0; k <= round->num_more && side->result == TG_OK; k++) {
      struct exec_wave wave = side->wave;

      for (unsigned i = 0; i < LIR_LANES && k > 0; i++)
         round->input[0][i] += STRIDE;
      wave.launched = round->launched;
      wave.live = live;
      wave.input.data = round->input;
      wave.output.data = round->output;
      side->result = executor->run(program, &wave, scratch, &side->fault);
      side->steps += wave.steps;
      round->live = wave.live;
      round->num_live += (uint32_t)__builtin_popcount(wave.live);
   }
}

static void
run_alone(struct side *side, const struct exec_executor *executor,
          const struct exec_program *program, void *scratch)
{
   side->result = TG_OK;
   for (uint32_t w = 0; w < NUM_WAVES && side->rounds[w].launched; w++) {
      run_round_alone(side, &side->rounds[w], executor, program, scratch);
      if (side->result != TG_OK)
         return;
      side->num_run++;
   }
}

static void
run_together(struct side *side, const struct exec_executor *executor,
             const struct exec_program *program, void *scratch)
{
   side->result =
      executor->run_rounds(program, &side->wave, side->rounds, NUM_WAVES,
                           scratch, &side->num_run, &side->fault);
   side->steps = side->wave.steps;
}

static void
run_on_side(struct side *side, const struct exec_executor *executor,
            const struct lir_module *module,
            void (*run)(struct side *side, const struct exec_executor *executor,
                        const struct exec_program *program, void *scratch))
{
   struct exec_program *program;

   assert_int_equal(executor->compile(NULL, module, &program), TG_OK);
   void *scratch = make_scratch(executor, program);
   run(side, executor, program, scratch);
   free(scratch);
   executor->destroy(program);
}

static void
compare(const struct side *alone, const struct side *together)
{
   assert_int_equal(together->result, alone->result);
   assert_int_equal(together->num_run, alone->num_run);
   assert_memory_equal(together->surface, alone->surface,
                       sizeof(alone->surface));
   for (uint32_t w = 0; w < NUM_WAVES; w++) {
      assert_int_equal(together->rounds[w].live, alone->rounds[w].live);
      assert_int_equal(together->rounds[w].num_live, alone->rounds[w].num_live);
      assert_int_equal(together->rounds[w].num_more, alone->rounds[w].num_more);
      for (uint32_t i = 0; i < LIR_LANES; i++) {
         if (!(alone->rounds[w].launched >> i & 1))
            continue;
         for (uint32_t word = 0; word < NUM_OUTPUTS; word++)
            assert_int_equal(together->output[w][word][i],
                             alone->output[w][word][i]);
      }
   }
   if (alone->result == TG_OK)
      return;
   assert_string_equal(together->fault.what, alone->fault.what);
   assert_int_equal(together->fault.lanes, alone->fault.lanes);
}

/* What build_texels() gives where input 0 is this and the first lane's `first`,
 * bit 1 is set, and word 0 of the surface is `word`. */
static uint32_t
mixed_at(unsigned parts, uint32_t place, uint32_t first, uint32_t word)
{
   const uint32_t texel = 100 + place % NUM_TEXELS;
   const uint32_t told = parts & ARRAYS ? 0 : 100 + word % NUM_TEXELS;
   if (!(parts & TEXELS))
      return 0;
   return texel * 3 + first + texel + 1 + 101 + place + 1 + told;
}

/* Wave 0 stores 25 to the word that the next one reads, or with texels 25,
 * texel 0 four or five times, and texel 1. Its lanes 1, 3, 5 and 7
 * have 7, 5, 3 and 1 as input 0, and 9, 11, 13 and 15 have 15 to 9. Where it is
 * the first of several their inputs are greater, and all of these die. */
static void
check_alone(const struct side *alone, unsigned parts, uint32_t num_run)
{
   const uint32_t last = STRIDE * alone->rounds[0].num_more;
   const uint32_t of_texels = (parts & ARRAYS ? 4 : 5) * 100 + 101;
   const uint32_t word = 25 + (parts & TEXELS ? of_texels : 0);

   if (alone->rounds[0].num_more > 0) {
      assert_int_equal(alone->rounds[0].live, 0x5555);
      assert_int_equal(alone->rounds[0].num_live,
                       12 + 8 * alone->rounds[0].num_more);
      assert_int_equal(alone->surface[last + 2],
                       5 * 5 + last + 2 +
                          mixed_at(parts, last + 2, last, word));
      assert_int_equal(alone->surface[2], 5 * 5 + 2 + mixed_at(parts, 2, 0, 0));
      return;
   }
   assert_int_equal(alone->num_run, num_run);
   assert_int_equal(alone->output[0][0][0], 33);
   assert_int_equal(alone->output[0][1][0], 0);
   assert_int_equal(alone->output[0][3][0], 7);
   assert_int_equal(alone->output[0][4][15], 100);
   assert_int_equal(alone->surface[2], 5 * 5 + 2 + mixed_at(parts, 2, 0, 0));
   assert_int_equal(alone->rounds[0].live, 0x55ff);
   if (num_run < 2)
      return;
   assert_int_equal(alone->output[1][3][0], word + 7);
   assert_int_equal(alone->output[1][4][4], 117);
}

/* `num_run` waves end on all executors, and then it is with `result`. Steps are
 * each executor's own; those of the JIT's code for any machine are the same,
 * whichever of it runs a wave ahead. */
static void
check(const struct plan *plan, unsigned parts, enum tg_result result,
      uint32_t num_run)
{
   static struct side alone, together;
   const struct exec_executor *executors[MAX_EXECUTORS];
   const unsigned count = all_executors(executors);
   struct harness harness;
   bool changed = false;
   uint64_t jit_steps = 0;

   begin(&harness);
   build(&harness, parts);
   assert_false(harness.b.failed);
   assert_null(lir_verify(&harness.module));
   assert_int_equal(lir_pass_uniformity(&harness.module, &changed), TG_OK);
   assert_int_equal(lir_pass_vectorize(&harness.module, &changed), TG_OK);
   assert_null(lir_verify(&harness.module));
   fill(&alone, plan);
   run_on_side(&alone, exec_interpreter(), &harness.module, run_alone);
   assert_int_equal(alone.result, result);
   check_alone(&alone, parts, num_run);
   for (unsigned e = 0; e < count; e++) {
      if (!executors[e]->run_rounds)
         continue;
      fill(&together, plan);
      run_on_side(&together, executors[e], &harness.module, run_together);
      /* One that compiles later leaves all waves to run(). */
      if (together.num_run == 0 && strcmp(executors[e]->name, "auto") == 0)
         continue;
      compare(&alone, &together);
      const uint64_t steps = together.steps;
      if (strncmp(executors[e]->name, "jit", 3) == 0) {
         assert_true(jit_steps == 0 || steps == jit_steps);
         jit_steps = steps;
      }
      fill(&together, plan);
      run_on_side(&together, executors[e], &harness.module, run_alone);
      assert_int_equal(steps, together.steps);
   }
   end(&harness);
}

/* The budget of loops is that of each wave: together they take more. */
static void
test_waves_that_end(void **state)
{
   static const struct plan plan = {
      .turns = {900, 1, 3, 1000, 700},
      .missing = NUM_WAVES,
   };

   (void)state;
   for (unsigned parts = 0; parts <= ALL_PARTS; parts++)
      check(&plan, parts, TG_OK, NUM_WAVES);
}

static void
test_rounds_of_several_waves(void **state)
{
   static const struct plan plan = {
      .turns = {500, 1, 3, 1000, 700},
      .num_more = {2, 1, 0, MOST_MORE, 1},
      .missing = NUM_WAVES,
   };

   (void)state;
   for (unsigned parts = 0; parts <= ALL_PARTS; parts++)
      check(&plan, parts, TG_OK, NUM_WAVES);
}

static void
test_a_fault_ends_them(void **state)
{
   static const struct plan plans[] = {
      {.turns = {2, 1, 5000, 1, 7}, .missing = NUM_WAVES},
      {.turns = {2, 1, 5000, 1, 7},
       .num_more = {1, 0, 2, 0, 0},
       .missing = NUM_WAVES},
   };

   (void)state;
   for (unsigned parts = 0; parts <= ALL_PARTS; parts++) {
      check(&plans[0], parts, TG_ERROR_LIMIT, 2);
      check(&plans[1], parts, TG_ERROR_LIMIT, 2);
   }
}

static void
test_a_wave_without_lanes_ends_them(void **state)
{
   struct plan plan = {.turns = {2, 1, 4, 1, 7}};

   (void)state;
   for (plan.missing = 1; plan.missing < NUM_WAVES; plan.missing++) {
      for (unsigned parts = 0; parts <= ALL_PARTS; parts++)
         check(&plan, parts, TG_OK, plan.missing);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_waves_that_end),
      cmocka_unit_test(test_rounds_of_several_waves),
      cmocka_unit_test(test_a_fault_ends_them),
      cmocka_unit_test(test_a_wave_without_lanes_ends_them),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
