/* SPDX-License-Identifier: MIT
 *
 * Waves of several threads over the same buffers. Over ten million atomic
 * operations none is lost and none done twice; what MEMBAR keeps apart no
 * thread sees the other way round.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec/exec.h"
#include "lir/passes.h"
#include "lower/lower.h"
#include "tgsi/shader/shader.h"

enum { NUM_THREADS = 4, NUM_BUFFERS = 3 };

/* ---- programs ------------------------------------------------------------ */

static struct exec_program *
compile(const char *text)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct exec_program *program = NULL;
   struct tg_shader *shader = NULL;
   struct lir_module module;

   enum tg_result result = tg_shader_parse(
      NULL, "test", text, strlen(text), TG_DIALECT_2019, diagnostics, &shader);
   if (result == TG_OK)
      result = tg_shader_validate(shader, diagnostics);
   lir_module_init(&module, NULL);
   if (result == TG_OK)
      result = lower_shader(shader, NULL, &module, diagnostics);
   if (result == TG_OK)
      result = lir_optimize(&module, NULL);
   if (result == TG_OK)
      result = exec_find_executor(NULL)->compile(NULL, &module, &program);
   lir_module_finish(&module);
   if (result != TG_OK)
      fail_msg("%s", tg_diagnostics_text(diagnostics));
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
   return program;
}

/* ---- threads ------------------------------------------------------------- */

struct worker {
   const struct exec_program *program;
   struct exec_memory buffers[NUM_BUFFERS];
   uint32_t number; /* IN[0].x in all lanes */
   uint32_t num_lanes, num_waves;
   unsigned num_wrong;
   pthread_t thread;
};

static void *
work(void *user)
{
   const struct exec_executor *executor = exec_find_executor(NULL);
   struct worker *worker = user;
   const size_t size = executor->scratch_size(worker->program);
   void *scratch = aligned_alloc(64, (size + 64) / 64 * 64);
   uint32_t input[4][LIR_LANES];
   struct exec_fault fault;

   for (unsigned lane = 0; lane < LIR_LANES; lane++)
      input[0][lane] = worker->number;
   for (unsigned i = 0; i < worker->num_waves; i++) {
      struct exec_wave wave = {
         .launched = (1u << worker->num_lanes) - 1,
         .live = (1u << worker->num_lanes) - 1,
         .memory[LIR_SPACE_BUFFER] = worker->buffers,
         .num_memories[LIR_SPACE_BUFFER] = NUM_BUFFERS,
         .input = {input, 4},
         .loop_budget = UINT64_C(1) << 40,
      };

      if (!scratch ||
          executor->run(worker->program, &wave, scratch, &fault) != TG_OK)
         worker->num_wrong++;
   }
   free(scratch);
   return NULL;
}

static void
run_workers(struct worker *workers, unsigned count)
{
   for (unsigned i = 0; i < count; i++)
      assert_int_equal(
         pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
   for (unsigned i = 0; i < count; i++) {
      pthread_join(workers[i].thread, NULL);
      assert_int_equal(workers[i].num_wrong, 0);
   }
}

/* ---- atomics ------------------------------------------------------------- */

enum {
   NUM_TURNS = 50,
   NUM_WAVES = 170,
   NUM_TICKETS = NUM_THREADS * NUM_WAVES * NUM_TURNS * LIR_LANES,
   NUM_ATOMICS_A_TICKET = 14, /* and those that ATOMCAS tries again */
};

_Static_assert(NUM_TICKETS *NUM_ATOMICS_A_TICKET > 7000000, "many");

/* Words of BUFFER[0]. */
enum {
   TICKET,
   UMIN,
   UMAX,
   IMIN,
   IMAX,
   XOR,
   OR,
   AND,
   INC,
   DEC,
   FADD,
   XCHG,
   EXCHANGED, /* all that XCHG gave, added up */
   CAS,
   TRIES, /* of CAS */
   NUM_WORDS,
};

enum { BOUND = 1000 }; /* of INC and DEC */

/* TEMP[0].x is the ticket, .y a number made of it. */
static const char *const atomics_text =
   "COMP\n"
   "DCL BUFFER[0..1]\n"
   "DCL TEMP[0..3]\n"
   "IMM[0] UINT32 {0, 4, 8, 12}\n"
   "IMM[1] UINT32 {16, 20, 24, 28}\n"
   "IMM[2] UINT32 {32, 36, 40, 44}\n"
   "IMM[3] UINT32 {48, 52, 56, 50}\n" /* w: NUM_TURNS */
   "IMM[4] UINT32 {1, 2654435761, 15, 1000}\n"
   "IMM[5] UINT32 {0x3f800000, 31, 2, 0xffffffff}\n"
   "BGNLOOP\n"
   "  USGE TEMP[3].x, TEMP[3].yyyy, IMM[3].wwww\n"
   "  UIF TEMP[3].xxxx\n"
   "    BRK\n"
   "  ENDIF\n"
   "  UADD TEMP[3].y, TEMP[3].yyyy, IMM[4].xxxx\n"
   "  ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[4].xxxx\n"
   "  UMUL TEMP[0].y, TEMP[0].xxxx, IMM[4].yyyy\n"
   "  USHR TEMP[0].z, TEMP[0].yyyy, IMM[4].zzzz\n"
   "  XOR TEMP[0].y, TEMP[0].yyyy, TEMP[0].zzzz\n"
   "  ATOMUMIN TEMP[1].x, BUFFER[0], IMM[0].yyyy, TEMP[0].yyyy\n"
   "  ATOMUMAX TEMP[1].x, BUFFER[0], IMM[0].zzzz, TEMP[0].yyyy\n"
   "  ATOMIMIN TEMP[1].x, BUFFER[0], IMM[0].wwww, TEMP[0].yyyy\n"
   "  ATOMIMAX TEMP[1].x, BUFFER[0], IMM[1].xxxx, TEMP[0].yyyy\n"
   "  ATOMXOR TEMP[1].x, BUFFER[0], IMM[1].yyyy, TEMP[0].yyyy\n"
   "  AND TEMP[1].y, TEMP[0].xxxx, IMM[5].yyyy\n"
   "  SHL TEMP[1].y, IMM[4].xxxx, TEMP[1].yyyy\n"
   "  ATOMOR TEMP[1].x, BUFFER[0], IMM[1].zzzz, TEMP[1].yyyy\n"
   "  NOT TEMP[1].y, TEMP[1].yyyy\n"
   "  ATOMAND TEMP[1].x, BUFFER[0], IMM[1].wwww, TEMP[1].yyyy\n"
   "  ATOMINC_WRAP TEMP[1].x, BUFFER[0], IMM[2].xxxx, IMM[4].wwww\n"
   "  ATOMDEC_WRAP TEMP[1].x, BUFFER[0], IMM[2].yyyy, IMM[4].wwww\n"
   "  ATOMFADD TEMP[1].x, BUFFER[0], IMM[2].zzzz, IMM[5].xxxx\n"
   "  ATOMXCHG TEMP[1].x, BUFFER[0], IMM[2].wwww, TEMP[0].yyyy\n"
   "  ATOMUADD TEMP[1].x, BUFFER[0], IMM[3].xxxx, TEMP[1].xxxx\n"
   "  BGNLOOP\n"
   "    LOAD TEMP[2].x, BUFFER[0], IMM[3].yyyy\n"
   "    UADD TEMP[2].y, TEMP[2].xxxx, IMM[4].xxxx\n"
   "    ATOMCAS TEMP[2].z, BUFFER[0], IMM[3].yyyy, TEMP[2].xxxx, TEMP[2].yyyy\n"
   "    USEQ TEMP[2].w, TEMP[2].xxxx, TEMP[2].zzzz\n"
   "    UADD TEMP[2].y, TEMP[3].zzzz, IMM[4].xxxx\n"
   "    MOV TEMP[3].z, TEMP[2].yyyy\n"
   "    UIF TEMP[2].wwww\n"
   "      BRK\n"
   "    ENDIF\n"
   "  ENDLOOP\n"
   "  SHL TEMP[1].y, TEMP[0].xxxx, IMM[5].zzzz\n"
   "  ATOMUADD TEMP[1].x, BUFFER[1], TEMP[1].yyyy, IMM[4].xxxx\n"
   "ENDLOOP\n"
   "ATOMUADD TEMP[1].x, BUFFER[0], IMM[3].zzzz, TEMP[3].zzzz\n"
   "END\n";

static uint32_t words[NUM_WORDS];
static uint32_t seen[NUM_TICKETS]; /* tickets */

static uint32_t
number_of(uint32_t ticket)
{
   uint32_t product = ticket * UINT32_C(2654435761);

   return product ^ product >> 15;
}

static uint32_t
float_bits(float value)
{
   uint32_t bits;

   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

static void
expect_words(void)
{
   uint32_t least = UINT32_MAX, most = 0, all = 0, sum = 0;
   int32_t least_signed = INT32_MAX, most_signed = INT32_MIN;

   for (uint32_t t = 0; t < NUM_TICKETS; t++) {
      const uint32_t number = number_of(t);
      const int32_t number_signed = (int32_t)number;

      assert_int_equal(seen[t], 1);
      least = number < least ? number : least;
      most = number > most ? number : most;
      least_signed =
         number_signed < least_signed ? number_signed : least_signed;
      most_signed = number_signed > most_signed ? number_signed : most_signed;
      all ^= number;
      sum += number;
   }
   assert_int_equal(words[TICKET], NUM_TICKETS);
   assert_int_equal(words[UMIN], least);
   assert_int_equal(words[UMAX], most);
   assert_int_equal((int32_t)words[IMIN], least_signed);
   assert_int_equal((int32_t)words[IMAX], most_signed);
   assert_int_equal(words[XOR], all);
   assert_int_equal(words[OR], UINT32_MAX);
   assert_int_equal(words[AND], 0);
   assert_int_equal(words[INC], NUM_TICKETS % BOUND);
   assert_int_equal(words[DEC], (BOUND - NUM_TICKETS % BOUND) % BOUND);
   assert_int_equal(words[FADD], float_bits((float)NUM_TICKETS));
   /* All numbers were put there, and all but the last taken away again. */
   assert_int_equal(words[EXCHANGED] + words[XCHG], sum);
   assert_int_equal(words[CAS], NUM_TICKETS);
}

static void
test_atomics(void **state)
{
   struct exec_program *program = compile(atomics_text);
   struct worker workers[NUM_THREADS];

   (void)state;
   words[UMIN] = UINT32_MAX;
   words[IMIN] = INT32_MAX;
   words[IMAX] = (uint32_t)INT32_MIN;
   words[AND] = UINT32_MAX;
   for (unsigned i = 0; i < NUM_THREADS; i++)
      workers[i] = (struct worker){
         .program = program,
         .buffers = {{words, sizeof(words)}, {seen, sizeof(seen)}},
         .num_lanes = LIR_LANES,
         .num_waves = NUM_WAVES,
      };
   run_workers(workers, NUM_THREADS);
   expect_words();

   const uint64_t num_operations =
      (uint64_t)NUM_TICKETS * (NUM_ATOMICS_A_TICKET - 1) + words[TRIES];
   printf("%llu atomic operations\n", (unsigned long long)num_operations);
   assert_true(num_operations > 10000000);
   exec_find_executor(NULL)->destroy(program);
}

/* ---- order --------------------------------------------------------------- */

enum { NUM_ROUNDS = 1000 };

/* In each round both threads wait for each other; then thread 0 writes flag 0
 * of the round and reads flag 1, thread 1 the other way round: at least one of
 * them sees the other's. Flags are words of BUFFER[0] and BUFFER[1]; in front
 * of them stands how many arrived. What was seen goes to BUFFER[2]. */
static const char *const order_text =
   "COMP\n"
   "DCL IN[0]\n"
   "DCL BUFFER[0..2]\n"
   "DCL TEMP[0..1]\n"
   "IMM[0] UINT32 {0, 1, 4, 4000}\n" /* w: 4 * NUM_ROUNDS */
   "IMM[1] UINT32 {31, 2, 0, 0}\n"
   "USNE TEMP[0].z, IN[0].xxxx, IMM[0].xxxx\n"
   "BGNLOOP\n"
   "  USGE TEMP[1].x, TEMP[0].xxxx, IMM[0].wwww\n"
   "  UIF TEMP[1].xxxx\n"
   "    BRK\n"
   "  ENDIF\n"
   "  UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\n"
   "  UADD TEMP[0].y, TEMP[0].yyyy, IMM[1].yyyy\n"
   "  ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
   "  BGNLOOP\n"
   "    LOAD TEMP[1].x, BUFFER[0], IMM[0].xxxx\n"
   "    USGE TEMP[1].x, TEMP[1].xxxx, TEMP[0].yyyy\n"
   "    UIF TEMP[1].xxxx\n"
   "      BRK\n"
   "    ENDIF\n"
   "  ENDLOOP\n"
   "  UIF TEMP[0].zzzz\n"
   "    STORE BUFFER[1].x, TEMP[0].xxxx, IMM[0].yyyy\n"
   "    MEMBAR IMM[1].xxxx\n"
   "    LOAD TEMP[1].y, BUFFER[0].xxxx, TEMP[0].xxxx\n"
   "  ELSE\n"
   "    STORE BUFFER[0].x, TEMP[0].xxxx, IMM[0].yyyy\n"
   "    MEMBAR IMM[1].xxxx\n"
   "    LOAD TEMP[1].y, BUFFER[1].xxxx, TEMP[0].xxxx\n"
   "  ENDIF\n"
   "  ATOMOR TEMP[1].x, BUFFER[2], TEMP[0].xxxx, TEMP[1].yyyy\n"
   "ENDLOOP\n"
   "END\n";

static uint32_t flags[3][NUM_ROUNDS + 1];

static void
test_order(void **state)
{
   struct exec_program *program = compile(order_text);
   struct worker workers[2];

   (void)state;
   for (unsigned i = 0; i < 2; i++)
      workers[i] = (struct worker){
         .program = program,
         .buffers = {{flags[0], sizeof(flags[0])},
                     {flags[1], sizeof(flags[1])},
                     {flags[2], sizeof(flags[2])}},
         .number = i,
         .num_lanes = 1,
         .num_waves = 1,
      };
   run_workers(workers, 2);
   for (unsigned i = 1; i <= NUM_ROUNDS; i++)
      assert_int_equal(flags[2][i], 1);
   exec_find_executor(NULL)->destroy(program);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_atomics),
      cmocka_unit_test(test_order),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
