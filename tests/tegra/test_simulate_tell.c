/* SPDX-License-Identifier: MIT
 *
 * What a run tells of itself: traces, warnings, refusals; memory that runs out,
 * and threads that share a program.
 */
#include "sweep.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "simulate_run.h"
#include "util/bits.h"

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
   batch.num_vertices = 0;
   batch.mad = TG_TEGRA_MAD_FUSED + 1;
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
