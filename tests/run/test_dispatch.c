/* SPDX-License-Identifier: MIT
 *
 * Compute shaders over grids, with threads of their own and with those of a
 * pool.
 */
#include "../sweep.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "run/dispatch.h"
#include "util/pool.h"
#include "util/quota.h"

/* ---- help ---------------------------------------------------------------- */

/* A program with BUFFER[0]. */
struct session {
   struct tg_pool *pool; /* that dispatches run on; NULL: their own */
   struct tg_diagnostics *diagnostics;
   struct tg_shader *shader;
   struct tg_program *program;
   struct tg_resource *buffer;
   struct tg_bindings *bindings;
   uint32_t *words;
   uint32_t num_words;
};

static struct tg_resource *
make_buffer(uint32_t num_words)
{
   const struct tg_resource_desc desc = {
      .size = sizeof(desc),
      .target = TG_TEXTURE_BUFFER,
      .width = num_words * 4,
      .height = 1,
      .depth = 1,
      .layers = 1,
   };
   struct tg_resource *buffer = NULL;

   assert_int_equal(tg_resource_create(NULL, &desc, NULL, &buffer), TG_OK);
   return buffer;
}

/* What the programs are run by; NULL: the usual one. */
static const char *executor;

static void
open_dialect(struct session *session, const char *text, uint32_t num_words,
             enum tg_dialect dialect)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;

   options.executor = executor;
   memset(session, 0, sizeof(*session));
   session->diagnostics = tg_diagnostics_create(NULL);
   enum tg_result result =
      tg_shader_parse(NULL, "test", text, strlen(text), dialect,
                      session->diagnostics, &session->shader);
   if (result == TG_OK)
      result = tg_program_create(NULL, session->shader, &options,
                                 session->diagnostics, &session->program);
   if (result != TG_OK)
      fail_msg("%s", tg_diagnostics_text(session->diagnostics));
   session->num_words = num_words;
   session->buffer = make_buffer(num_words);
   session->words = tg_resource_map_buffer(session->buffer);
   assert_int_equal(tg_bindings_create(NULL, &session->bindings), TG_OK);
   assert_int_equal(tg_bindings_set_buffer(session->bindings, TG_BUFFER_SHADER,
                                           0, session->buffer, 0, num_words * 4,
                                           NULL),
                    TG_OK);
}

static void
open(struct session *session, const char *text, uint32_t num_words)
{
   open_dialect(session, text, num_words, TG_DIALECT_2019);
}

static void
close(struct session *session)
{
   tg_bindings_destroy(session->bindings);
   tg_resource_destroy(session->buffer);
   tg_program_destroy(session->program);
   tg_shader_destroy(session->shader);
   tg_diagnostics_destroy(session->diagnostics);
}

static enum tg_result
dispatch(struct session *session, const struct tg_grid *grid)
{
   memset(session->words, 0, (size_t)session->num_words * 4);
   tg_diagnostics_clear(session->diagnostics);
   return run_dispatch_on(session->pool, NULL, NULL, session->program,
                          session->bindings, grid, session->diagnostics, NULL);
}

/* The message of the only diagnostic, and its line. */
static void
expect_complaint(const struct session *session, uint32_t line,
                 const char *message)
{
   const struct tg_diagnostic *diagnostic =
      tg_diagnostics_get(session->diagnostics, 0);

   assert_non_null(diagnostic);
   assert_int_equal(tg_diagnostics_count(session->diagnostics), 1);
   assert_string_equal(diagnostic->message, message);
   assert_int_equal(diagnostic->line, line);
}

/* Dispatches with 1, 2, 3 and 8 threads; a result and a complaint each time. */
static void
expect_fault(struct session *session, struct tg_grid grid, uint32_t line,
             const char *message)
{
   static const unsigned num_threads[] = {1, 2, 3, 8};

   for (unsigned i = 0; i < 4; i++) {
      grid.num_threads = num_threads[i];
      assert_int_equal(dispatch(session, &grid), TG_ERROR_LIMIT);
      expect_complaint(session, line, message);
   }
}

/* SV[0] to SV[3], BUFFER[0], MEMORY[0], IMM[1] as given, and in TEMP[0].x the
 * number of the thread in the grid, in .y that of the block, in .z how many
 * threads a block has, in .w the number of the thread in its block. Instruction
 * i, from 8 on, stands in line 11 + i. */
#define HEAD(imm1)                                                             \
   "COMP\n"                                                                    \
   "DCL SV[0], THREAD_ID\n"                                                    \
   "DCL SV[1], BLOCK_ID\n"                                                     \
   "DCL SV[2], BLOCK_SIZE\n"                                                   \
   "DCL SV[3], GRID_SIZE\n"                                                    \
   "DCL BUFFER[0]\n"                                                           \
   "DCL MEMORY[0], SHARED\n"                                                   \
   "DCL TEMP[0..4]\n"                                                          \
   "IMM[0] UINT32 {4, 1, 0, 64}\n"                                             \
   "IMM[1] UINT32 {" imm1 "}\n"                                                \
   "  0: UMAD TEMP[0].w, SV[0].zzzz, SV[2].yyyy, SV[0].yyyy\n"                 \
   "  1: UMAD TEMP[0].w, TEMP[0].wwww, SV[2].xxxx, SV[0].xxxx\n"               \
   "  2: UMAD TEMP[0].y, SV[1].zzzz, SV[3].yyyy, SV[1].yyyy\n"                 \
   "  3: UMAD TEMP[0].y, TEMP[0].yyyy, SV[3].xxxx, SV[1].xxxx\n"               \
   "  4: UMUL TEMP[0].z, SV[2].xxxx, SV[2].yyyy\n"                             \
   "  5: UMUL TEMP[0].z, TEMP[0].zzzz, SV[2].zzzz\n"                           \
   "  6: UMAD TEMP[0].x, TEMP[0].yyyy, TEMP[0].zzzz, TEMP[0].wwww\n"           \
   "  7: NOP\n"

/* ---- system values ------------------------------------------------------- */

/* Twelve registers of each thread, at twelve times its number: those of HEAD,
 * then the others. */
static const char sysval_text[] = //
   "COMP\n"
   "DCL SV[0], THREAD_ID\n"
   "DCL SV[1], BLOCK_ID\n"
   "DCL SV[2], BLOCK_SIZE\n"
   "DCL SV[3], GRID_SIZE\n"
   "DCL SV[4], WORK_DIM\n"
   "DCL SV[5], SUBGROUP_SIZE\n"
   "DCL SV[6], SUBGROUP_INVOCATION\n"
   "DCL SV[7], SUBGROUP_EQ_MASK\n"
   "DCL SV[8], SUBGROUP_GE_MASK\n"
   "DCL SV[9], SUBGROUP_GT_MASK\n"
   "DCL SV[10], SUBGROUP_LE_MASK\n"
   "DCL SV[11], SUBGROUP_LT_MASK\n"
   "DCL BUFFER[0]\n"
   "DCL TEMP[0..1]\n"
   "IMM[0] UINT32 {192, 16, 0, 0}\n"
   "  0: UMAD TEMP[0].w, SV[0].zzzz, SV[2].yyyy, SV[0].yyyy\n"
   "  1: UMAD TEMP[0].w, TEMP[0].wwww, SV[2].xxxx, SV[0].xxxx\n"
   "  2: UMAD TEMP[0].y, SV[1].zzzz, SV[3].yyyy, SV[1].yyyy\n"
   "  3: UMAD TEMP[0].y, TEMP[0].yyyy, SV[3].xxxx, SV[1].xxxx\n"
   "  4: UMUL TEMP[0].z, SV[2].xxxx, SV[2].yyyy\n"
   "  5: UMUL TEMP[0].z, TEMP[0].zzzz, SV[2].zzzz\n"
   "  6: UMAD TEMP[0].x, TEMP[0].yyyy, TEMP[0].zzzz, TEMP[0].wwww\n"
   "  7: UMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\n"
#define STORE_SYSVAL(n)                                                        \
   "STORE BUFFER[0], TEMP[1].xxxx, SV[" #n "]\n"                               \
   "UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n"
   STORE_SYSVAL(0) STORE_SYSVAL(1) STORE_SYSVAL(2) STORE_SYSVAL(3)   //
   STORE_SYSVAL(4) STORE_SYSVAL(5) STORE_SYSVAL(6) STORE_SYSVAL(7)   //
   STORE_SYSVAL(8) STORE_SYSVAL(9) STORE_SYSVAL(10) STORE_SYSVAL(11) //
   "END\n";

static void
expect_sysval(const struct session *session, uint32_t thread, uint32_t reg,
              uint32_t x, uint32_t y, uint32_t z)
{
   const uint32_t *words = &session->words[(thread * 12 + reg) * 4];

   assert_int_equal(words[0], x);
   assert_int_equal(words[1], y);
   assert_int_equal(words[2], z);
   assert_int_equal(words[3], reg == 2 || reg == 3); /* BLOCK_SIZE, GRID_SIZE */
}

/* Bit by bit: is `lane` related to lane `i` as the mask says? */
static uint32_t
mask_of(uint32_t lane, bool (*is_in)(uint32_t i, uint32_t lane))
{
   uint32_t mask = 0;

   for (uint32_t i = 0; i < 16; i++) {
      if (is_in(i, lane))
         mask |= UINT32_C(1) << i;
   }
   return mask;
}

static bool
is_equal(uint32_t i, uint32_t lane)
{
   return i == lane;
}
static bool
is_greater_or_equal(uint32_t i, uint32_t lane)
{
   return i >= lane;
}
static bool
is_greater(uint32_t i, uint32_t lane)
{
   return i > lane;
}
static bool
is_less_or_equal(uint32_t i, uint32_t lane)
{
   return i <= lane;
}
static bool
is_less(uint32_t i, uint32_t lane)
{
   return i < lane;
}

static void
expect_sysvals(const struct session *session, uint32_t thread,
               const uint32_t id[3], const uint32_t block[3])
{
   uint32_t lane = (id[0] + 5 * (id[1] + 3 * id[2])) % 16;

   expect_sysval(session, thread, 0, id[0], id[1], id[2]);
   expect_sysval(session, thread, 1, block[0], block[1], block[2]);
   expect_sysval(session, thread, 2, 5, 3, 2);
   expect_sysval(session, thread, 3, 3, 2, 4);
   expect_sysval(session, thread, 4, 2, 0, 0);
   expect_sysval(session, thread, 5, 16, 0, 0);
   expect_sysval(session, thread, 6, lane, 0, 0);
   expect_sysval(session, thread, 7, mask_of(lane, is_equal), 0, 0);
   expect_sysval(session, thread, 8, mask_of(lane, is_greater_or_equal), 0, 0);
   expect_sysval(session, thread, 9, mask_of(lane, is_greater), 0, 0);
   expect_sysval(session, thread, 10, mask_of(lane, is_less_or_equal), 0, 0);
   expect_sysval(session, thread, 11, mask_of(lane, is_less), 0, 0);
}

/* 24 blocks of 30 threads: two waves, of which the second lacks two lanes. */
static void
test_sysvals(void **state)
{
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;
   uint32_t thread = 0;

   (void)state;
   open(&session, sysval_text, 24 * 30 * 12 * 4);
   memcpy(grid.block, (uint32_t[]){5, 3, 2}, sizeof(grid.block));
   memcpy(grid.grid, (uint64_t[]){3, 2, 4}, sizeof(grid.grid));
   grid.work_dim = 2;
   grid.num_threads = 2;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   for (uint32_t block = 0; block < 24; block++) {
      for (uint32_t i = 0; i < 30; i++)
         expect_sysvals(&session, thread++,
                        (uint32_t[]){i % 5, i / 5 % 3, i / 15},
                        (uint32_t[]){block % 3, block / 3 % 2, block / 6});
   }
   close(&session);
}

/* Each thread adds 1 to a word of its own and 1 to a common one: extra lanes of
 * a last wave are not there, and no block is done twice or left out. */
static const char count_text[] = //
   HEAD("0, 0, 0, 0")            //
   "  8: UMAD TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx, "
   "IMM[0].xxxx\n"
   "  9: ATOMUADD TEMP[2].x, BUFFER[0], TEMP[1].xxxx, "
   "IMM[0].yyyy\n"
   " 10: ATOMUADD TEMP[2].x, BUFFER[0], IMM[0].zzzz, "
   "IMM[0].yyyy\n"
   " 11: END\n";

static void
test_each_thread_once(void **state)
{
   static const unsigned num_threads[] = {1, 2, 3, 8};
   static const uint32_t sizes[] = {1, 15, 16, 17, 333, 1024};
   struct session session;

   (void)state;
   open(&session, count_text, 1 + 50 * 1024);
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned s = 0; s < 6; s++) {
         struct tg_grid grid = TG_GRID_INIT;

         grid.block[0] = sizes[s];
         grid.grid[1] = 50;
         grid.num_threads = num_threads[i];
         assert_int_equal(dispatch(&session, &grid), TG_OK);
         assert_int_equal(session.words[0], 50 * sizes[s]);
         for (uint32_t k = 1; k < session.num_words; k++)
            assert_int_equal(session.words[k], k <= 50 * sizes[s]);
      }
   }
   close(&session);
}

/* 10^7 threads: each adds to one of 16 words, and gives its number in the grid
 * to a minimum and a maximum. */
static const char atomics_text[] = //
   HEAD("15, 64, 68, 100")         //
   "  8: AND TEMP[1].x, TEMP[0].xxxx, IMM[1].xxxx\n"
   "  9: UMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx\n"
   " 10: ATOMUADD TEMP[2].x, BUFFER[0], TEMP[1].xxxx, IMM[0].yyyy\n"
   " 11: UADD TEMP[1].x, TEMP[0].xxxx, IMM[1].wwww\n"
   " 12: NOT TEMP[1].y, TEMP[1].xxxx\n"
   " 13: ATOMUMAX TEMP[2].x, BUFFER[0], IMM[1].yyyy, TEMP[1].xxxx\n"
   " 14: ATOMUMAX TEMP[2].x, BUFFER[0], IMM[1].zzzz, TEMP[1].yyyy\n"
   " 15: END\n";

static void
test_ten_million_atomics(void **state)
{
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   open(&session, atomics_text, 18);
   grid.block[0] = 1000;
   grid.grid[0] = 10000;
   grid.num_threads = 3;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   for (unsigned i = 0; i < 16; i++)
      assert_int_equal(session.words[i], 625000);
   assert_int_equal(session.words[16], 10000099);
   assert_int_equal(~session.words[17], 100);
   close(&session);
}

/* ---- barriers ------------------------------------------------------------ */

/* Thread t writes 3 t + its block to word t of shared memory and reads that of
 * thread 1023 - t. */
static const char reverse_text[] = //
   HEAD("1023, 3, 4096, 0")        //
   "  8: UMUL TEMP[1].x, TEMP[0].wwww, IMM[0].xxxx\n"
   "  9: UMAD TEMP[2].x, TEMP[0].wwww, IMM[1].yyyy, "
   "TEMP[0].yyyy\n"
   " 10: STORE MEMORY[0].x, TEMP[1].xxxx, TEMP[2].xxxx\n"
   " 11: BARRIER\n"
   " 12: UADD TEMP[1].x, IMM[1].xxxx, -TEMP[0].wwww\n"
   " 13: UMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx\n"
   " 14: LOAD TEMP[2].x, MEMORY[0], TEMP[1].xxxx\n"
   " 15: UMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\n"
   " 16: STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx\n"
   " 17: END\n";

static void
test_shared_memory(void **state)
{
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   open(&session, reverse_text, 4 * 1024);
   memcpy(grid.block, (uint32_t[]){32, 8, 4}, sizeof(grid.block));
   grid.grid[0] = 4;
   grid.num_threads = 2;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   for (uint32_t i = 0; i < session.num_words; i++)
      assert_int_equal(session.words[i], 3 * (1023 - i % 1024) + i / 1024);
   close(&session);
}

/* Each block finds its shared memory zero, adds what it finds to a count, and
 * leaves something there. `shared_size` 8 leaves the third word outside. */
static const char dirty_text[] = //
   HEAD("4, 65532, 0, 0")        //
   "  8: LOAD TEMP[1].x, MEMORY[0], IMM[1].xxxx\n"
   "  9: LOAD TEMP[3].x, MEMORY[0], IMM[1].yyyy\n"
   " 10: ATOMUADD TEMP[2].x, BUFFER[0], IMM[0].zzzz, "
   "TEMP[1].xxxx\n"
   " 11: ATOMUADD TEMP[2].x, BUFFER[0], IMM[0].zzzz, "
   "TEMP[3].xxxx\n"
   " 12: BARRIER\n"
   " 13: STORE MEMORY[0].x, IMM[1].xxxx, IMM[0].yyyy\n"
   " 14: STORE MEMORY[0].x, IMM[1].yyyy, IMM[0].yyyy\n"
   " 15: LOAD TEMP[1].x, MEMORY[0], IMM[1].xxxx\n"
   " 16: LOAD TEMP[3].x, MEMORY[0], IMM[1].yyyy\n"
   " 17: MOV TEMP[1].y, TEMP[3].xxxx\n"
   " 18: STORE BUFFER[0].xy, IMM[0].xxxx, TEMP[1]\n"
   " 19: END\n";

static void
test_shared_memory_is_zero(void **state)
{
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   open(&session, dirty_text, 4);
   grid.block[0] = 40;
   grid.grid[0] = 100;
   grid.num_threads = 3;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   assert_int_equal(session.words[0], 0);
   assert_int_equal(session.words[1], 1);
   assert_int_equal(session.words[2], 1);

   grid.shared_size = 8;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   assert_int_equal(session.words[0], 0);
   assert_int_equal(session.words[1], 1);
   assert_int_equal(session.words[2], 0);
   close(&session);
}

/* The sum of the threads' numbers, by halves: 256 threads, 8 turns. */
static const char tree_text[] = //
   HEAD("128, 1, 0, 0")         //
   "  8: UMUL TEMP[1].x, TEMP[0].wwww, IMM[0].xxxx\n"
   "  9: UADD TEMP[2].x, TEMP[0].xxxx, IMM[0].yyyy\n"
   " 10: STORE MEMORY[0].x, TEMP[1].xxxx, TEMP[2].xxxx\n"
   " 11: MOV TEMP[1].y, IMM[1].xxxx\n"
   " 12: BGNLOOP\n"
   " 13:   BARRIER\n"
   " 14:   USEQ TEMP[2].y, TEMP[1].yyyy, IMM[0].zzzz\n"
   " 15:   UIF TEMP[2].yyyy\n"
   " 16:     BRK\n"
   " 17:   ENDIF\n"
   " 18:   USLT TEMP[2].y, TEMP[0].wwww, TEMP[1].yyyy\n"
   " 19:   UIF TEMP[2].yyyy\n"
   " 20:     UMAD TEMP[3].x, TEMP[1].yyyy, IMM[0].xxxx, "
   "TEMP[1].xxxx\n"
   " 21:     LOAD TEMP[2].x, MEMORY[0], TEMP[1].xxxx\n"
   " 22:     LOAD TEMP[3].x, MEMORY[0], TEMP[3].xxxx\n"
   " 23:     UADD TEMP[2].x, TEMP[2].xxxx, TEMP[3].xxxx\n"
   " 24:     STORE MEMORY[0].x, TEMP[1].xxxx, TEMP[2].xxxx\n"
   " 25:   ENDIF\n"
   " 26:   USHR TEMP[1].y, TEMP[1].yyyy, IMM[1].yyyy\n"
   " 27: ENDLOOP\n"
   " 28: LOAD TEMP[2].x, MEMORY[0], IMM[0].zzzz\n"
   " 29: UMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\n"
   " 30: STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[2].xxxx\n"
   " 31: END\n";

static void
test_barrier_in_loop(void **state)
{
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   open(&session, tree_text, 10 * 256);
   grid.block[0] = 256;
   grid.grid[2] = 10;
   grid.num_threads = 2;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   for (uint32_t i = 0; i < session.num_words; i++) {
      uint32_t first = i / 256 * 256;

      /* first + 1 to first + 256 */
      assert_int_equal(session.words[i], 256 * first + 256 * 257 / 2);
   }
   close(&session);
}

/* A subroutine, called twice, and by itself once in each of them: threads write
 * the sum so far of a ring's neighbours, in step. */
static const char subroutine_text[] = //
   HEAD("127, 3, 0, 0")               //
   "  8: MOV TEMP[4].x, TEMP[0].wwww\n"
   "  9: MOV TEMP[4].y, IMM[0].zzzz\n"
   " 10: CAL :16\n"
   " 11: MOV TEMP[4].y, IMM[0].zzzz\n"
   " 12: CAL :16\n"
   " 13: UMUL TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\n"
   " 14: STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[4].xxxx\n"
   " 15: RET\n"
   " 16: BGNSUB\n"
   " 17:   UMUL TEMP[1].x, TEMP[0].wwww, IMM[0].xxxx\n"
   " 18:   STORE MEMORY[0].x, TEMP[1].xxxx, TEMP[4].xxxx\n"
   " 19:   BARRIER\n"
   " 20:   UADD TEMP[1].x, TEMP[0].wwww, IMM[0].yyyy\n"
   " 21:   AND TEMP[1].x, TEMP[1].xxxx, IMM[1].xxxx\n"
   " 22:   UMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx\n"
   " 23:   LOAD TEMP[2].x, MEMORY[0], TEMP[1].xxxx\n"
   " 24:   UADD TEMP[4].x, TEMP[4].xxxx, TEMP[2].xxxx\n"
   " 25:   BARRIER\n"
   " 26:   UADD TEMP[4].y, TEMP[4].yyyy, IMM[0].yyyy\n"
   " 27:   USLT TEMP[2].x, TEMP[4].yyyy, IMM[1].yyyy\n"
   " 28:   UIF TEMP[2].xxxx\n"
   " 29:     CAL :16\n"
   " 30:   ENDIF\n"
   " 31: ENDSUB\n"
   " 32: END\n";

static void
test_barrier_in_subroutine(void **state)
{
   uint32_t ring[128], next[128];
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   for (uint32_t i = 0; i < 128; i++)
      ring[i] = i;
   for (unsigned turn = 0; turn < 6; turn++) {
      for (uint32_t i = 0; i < 128; i++)
         next[i] = ring[i] + ring[(i + 1) % 128];
      memcpy(ring, next, sizeof(ring));
   }
   open(&session, subroutine_text, 128);
   grid.block[0] = 128;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   assert_memory_equal(session.words, ring, sizeof(ring));
   close(&session);
}

/* ---- barriers that are not reached --------------------------------------- */

/* From block (1, 1, 0) on, number 3, thread 20 of 40 goes past. */
#define SKIPS_IN_BLOCK_3                                                       \
   HEAD("20, 2, 0, 0")                                                         \
   "  8: USNE TEMP[1].x, TEMP[0].wwww, IMM[1].xxxx\n"                          \
   "  9: USGE TEMP[1].y, IMM[1].yyyy, TEMP[0].yyyy\n"                          \
   " 10: OR TEMP[1].x, TEMP[1].xxxx, TEMP[1].yyyy\n"

static struct tg_grid
grid_of_blocks(uint32_t num_threads)
{
   struct tg_grid grid = TG_GRID_INIT;

   memcpy(grid.block, (uint32_t[]){8, num_threads / 8, 1}, sizeof(grid.block));
   memcpy(grid.grid, (uint64_t[]){2, 20, 3}, sizeof(grid.grid));
   return grid;
}

static void
test_divergent_barrier(void **state)
{
   static const char text[] = SKIPS_IN_BLOCK_3 //
      " 11: UIF TEMP[1].xxxx\n"
      " 12:   BARRIER\n"
      " 13: ENDIF\n"
      " 14: END\n";
   struct session session;

   (void)state;
   open(&session, text, 1);
   expect_fault(&session, grid_of_blocks(40), 23,
                "thread (4, 2, 0) of block (1, 1, 0) does not reach this "
                "barrier");
   close(&session);
}

/* A thread that has ended is not there either. */
static void
test_barrier_after_return(void **state)
{
   static const char text[] = SKIPS_IN_BLOCK_3 //
      " 11: NOT TEMP[1].x, TEMP[1].xxxx\n"
      " 12: UIF TEMP[1].xxxx\n"
      " 13:   RET\n"
      " 14: ENDIF\n"
      " 15: BARRIER\n"
      " 16: END\n";
   struct session session;

   (void)state;
   open(&session, text, 1);
   expect_fault(&session, grid_of_blocks(40), 26,
                "thread (4, 2, 0) of block (1, 1, 0) does not reach this "
                "barrier");
   close(&session);
}

/* A whole wave that ends, threads 16 to 31, while others wait. */
static void
test_wave_ends_early(void **state)
{
   static const char text[] = HEAD("4, 1, 0, 0") //
      "  8: USHR TEMP[1].x, TEMP[0].wwww, IMM[1].xxxx\n"
      "  9: USNE TEMP[1].x, TEMP[1].xxxx, IMM[1].yyyy\n"
      " 10: UIF TEMP[1].xxxx\n"
      " 11:   BARRIER\n"
      " 12: ENDIF\n"
      " 13: END\n";
   struct session session;

   (void)state;
   open(&session, text, 1);
   expect_fault(&session, grid_of_blocks(64), 22,
                "thread (0, 2, 0) of block (0, 0, 0) does not reach this "
                "barrier");
   close(&session);
}

/* Two waves at two barriers. The one that stands first is named. */
static void
test_two_barriers(void **state)
{
   static const char text[] = HEAD("16, 0, 0, 0") //
      "  8: USLT TEMP[1].x, TEMP[0].wwww, IMM[1].xxxx\n"
      "  9: UIF TEMP[1].xxxx\n"
      " 10:   BARRIER\n"
      " 11: ELSE\n"
      " 12:   BARRIER\n"
      " 13: ENDIF\n"
      " 14: END\n";
   struct session session;

   (void)state;
   open(&session, text, 1);
   expect_fault(&session, grid_of_blocks(32), 21,
                "thread (0, 2, 0) of block (0, 0, 0) does not reach this "
                "barrier");
   /* One wave alone reaches it whole. */
   struct tg_grid grid = grid_of_blocks(16);
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   close(&session);
}

/* At the same BARRIER, but the second wave has left out a turn: in one wave
 * that would be divergence, and so it is in two. */
static void
test_other_turn(void **state)
{
   static const char text[] = HEAD("16, 3, 0, 0") //
      "  8: MOV TEMP[1].x, IMM[0].zzzz\n"
      "  9: USLT TEMP[2].x, TEMP[0].wwww, IMM[1].xxxx\n"
      " 10: BGNLOOP\n"
      " 11:   UADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n"
      " 12:   USEQ TEMP[2].y, TEMP[1].xxxx, IMM[0].yyyy\n"
      " 13:   AND TEMP[2].y, TEMP[2].yyyy, TEMP[2].xxxx\n"
      " 14:   UIF TEMP[2].yyyy\n"
      " 15:     CONT\n"
      " 16:   ENDIF\n"
      " 17:   BARRIER\n"
      " 18:   USGE TEMP[2].y, TEMP[1].xxxx, IMM[1].yyyy\n"
      " 19:   UIF TEMP[2].yyyy\n"
      " 20:     BRK\n"
      " 21:   ENDIF\n"
      " 22: ENDLOOP\n"
      " 23: END\n";
   struct session session;

   (void)state;
   open(&session, text, 1);
   expect_fault(&session, grid_of_blocks(32), 28,
                "thread (0, 2, 0) of block (0, 0, 0) does not reach this "
                "barrier");
   close(&session);
}

/* ---- budgets ------------------------------------------------------------- */

/* Blocks 5, 7 and all from 100 on never end, from a thread on. */
#define ENDLESS                                                                \
   "  8: USEQ TEMP[1].x, TEMP[0].yyyy, IMM[1].xxxx\n"                          \
   "  9: USEQ TEMP[1].y, TEMP[0].yyyy, IMM[1].yyyy\n"                          \
   " 10: OR TEMP[1].x, TEMP[1].xxxx, TEMP[1].yyyy\n"                           \
   " 11: USGE TEMP[1].y, TEMP[0].yyyy, IMM[1].zzzz\n"                          \
   " 12: OR TEMP[1].x, TEMP[1].xxxx, TEMP[1].yyyy\n"                           \
   " 13: USGE TEMP[1].y, TEMP[0].wwww, IMM[1].wwww\n"                          \
   " 14: AND TEMP[1].x, TEMP[1].xxxx, TEMP[1].yyyy\n"                          \
   " 15: UMUL TEMP[2].x, TEMP[0].yyyy, IMM[0].xxxx\n"                          \
   " 16: STORE BUFFER[0].x, TEMP[2].xxxx, IMM[0].yyyy\n"                       \
   " 17: BGNLOOP\n"                                                            \
   " 18:   NOT TEMP[1].y, TEMP[1].xxxx\n"                                      \
   " 19:   UIF TEMP[1].yyyy\n"                                                 \
   " 20:     BRK\n"                                                            \
   " 21:   ENDIF\n"                                                            \
   " 22: ENDLOOP\n"                                                            \
   " 23: END\n"

static const char endless_text[] = HEAD("5, 7, 100, 3") ENDLESS;
static const char later_text[] = HEAD("5, 7, 100, 37") ENDLESS;

static void
test_loop_budget(void **state)
{
   struct tg_grid grid = grid_of_blocks(16);
   struct session session;

   (void)state;
   open(&session, endless_text, 120);
   grid.loop_budget = 1000;
   expect_fault(&session, grid, 33,
                "the loop budget is used up in thread (3, 0, 0) of block "
                "(1, 2, 0)");
   for (unsigned i = 0; i < 5; i++)
      assert_int_equal(session.words[i], 1);
   close(&session);
}

/* Of the block's third wave. */
static void
test_loop_budget_of_a_later_wave(void **state)
{
   struct tg_grid grid = grid_of_blocks(40);
   struct session session;

   (void)state;
   open(&session, later_text, 120);
   grid.loop_budget = 1000;
   expect_fault(&session, grid, 33,
                "the loop budget is used up in thread (5, 4, 0) of block "
                "(1, 2, 0)");
   close(&session);
}

/* ---- large grids --------------------------------------------------------- */

struct watcher {
   unsigned num_calls, most_calls;
   double last;
};

static bool
watch(void *user, double fraction)
{
   struct watcher *watcher = user;

   assert_true(fraction >= watcher->last && fraction <= 1.0);
   watcher->last = fraction;
   return ++watcher->num_calls == watcher->most_calls;
}

/* 2^96 blocks of a thread: the caller has enough of it soon. */
static void
test_large_grid_is_stopped(void **state)
{
   struct watcher watcher = {.most_calls = 5};
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   open(&session, count_text, 1);
   for (unsigned i = 0; i < 3; i++)
      grid.grid[i] = UINT64_C(1) << 32;
   grid.progress = watch;
   grid.user = &watcher;
   grid.num_threads = 2;
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_LIMIT);
   assert_int_equal(watcher.num_calls, 5);
   assert_int_equal(tg_diagnostics_count(session.diagnostics), 0);
   assert_true(session.words[0] > 0);

   grid.grid[1]++;
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_INPUT);
   expect_complaint(&session, 0, "a grid has more than 2^32 blocks along y");
   close(&session);
}

/* Block 70000 never ends. The grid's sizes are words of 0 here, so the shader
 * looks at the block's number along x alone. */
static void
test_large_grid_faults(void **state)
{
   static const char endless[] = HEAD("70000, 0, 0, 0") //
      "  8: BGNLOOP\n"
      "  9:   USNE TEMP[1].x, SV[1].xxxx, IMM[1].xxxx\n"
      " 10:   UIF TEMP[1].xxxx\n"
      " 11:     BRK\n"
      " 12:   ENDIF\n"
      " 13: ENDLOOP\n"
      " 14: END\n";
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   open(&session, endless, 1);
   for (unsigned i = 0; i < 3; i++)
      grid.grid[i] = UINT64_C(1) << 32;
   expect_fault(&session, grid, 24,
                "the loop budget is used up in thread (0, 0, 0) of block "
                "(70000, 0, 0)");
   close(&session);
}

/* Progress comes from the caller's thread and ends at 1, if that thread does
 * the last piece; with one thread it does. */
static void
test_progress(void **state)
{
   struct watcher watcher = {0};
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   open(&session, count_text, 1);
   grid.grid[0] = 1000;
   grid.progress = watch;
   grid.user = &watcher;
   grid.num_threads = 1;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   assert_true(watcher.num_calls > 10);
   assert_true(watcher.last == 1.0);
   assert_int_equal(session.words[0], 1000);
   close(&session);
}

/* ---- pools --------------------------------------------------------------- */

static struct tg_pool *
make_pool(unsigned num_threads)
{
   struct tg_pool *pool = NULL;

   assert_int_equal(tg_pool_create(NULL, num_threads, &pool), TG_OK);
   assert_int_equal(tg_pool_num_threads(pool), num_threads);
   return pool;
}

static const unsigned pool_sizes[] = {1, 2, 3, 8};

/* Whether the grid asks for fewer threads than the pool has, for as many, or
 * for more. */
static void
test_on_a_pool(void **state)
{
   static const unsigned num_threads[] = {0, 1, 2, 5, 8, 100};
   struct session session;

   (void)state;
   open(&session, count_text, 1 + 50 * 33);
   for (unsigned p = 0; p < 4; p++) {
      session.pool = make_pool(pool_sizes[p]);
      for (unsigned i = 0; i < 6; i++) {
         struct tg_grid grid = TG_GRID_INIT;

         grid.block[0] = 33;
         grid.grid[1] = 50;
         grid.num_threads = num_threads[i];
         assert_int_equal(dispatch(&session, &grid), TG_OK);
         assert_int_equal(session.words[0], 50 * 33);
         for (uint32_t k = 1; k < session.num_words; k++)
            assert_int_equal(session.words[k], 1);
      }
      tg_pool_destroy(session.pool);
   }
   close(&session);
}

static void
test_faults_on_a_pool(void **state)
{
   struct tg_grid grid = grid_of_blocks(16);
   struct session session;

   (void)state;
   open(&session, endless_text, 120);
   grid.loop_budget = 1000;
   for (unsigned p = 0; p < 4; p++) {
      session.pool = make_pool(pool_sizes[p]);
      for (unsigned i = 0; i < 10; i++)
         expect_fault(&session, grid, 33,
                      "the loop budget is used up in thread (3, 0, 0) of block "
                      "(1, 2, 0)");
      tg_pool_destroy(session.pool);
   }
   close(&session);
}

struct caller {
   pthread_t thread;
   unsigned num_calls, most_calls;
   bool is_wrong;
};

static bool
watch_caller(void *user, double fraction)
{
   struct caller *caller = user;

   (void)fraction;
   if (!pthread_equal(caller->thread, pthread_self()))
      caller->is_wrong = true;
   return ++caller->num_calls == caller->most_calls;
}

/* The caller's thread is the one that is told, and the only one at work where
 * the grid asks for one. */
static void
test_progress_on_a_pool(void **state)
{
   struct caller caller = {.thread = pthread_self(), .most_calls = 5};
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   open(&session, count_text, 1);
   session.pool = make_pool(3);
   grid.grid[0] = UINT64_C(1) << 32;
   grid.progress = watch_caller;
   grid.user = &caller;
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_LIMIT);
   assert_int_equal(caller.num_calls, 5);

   caller.num_calls = caller.most_calls = 0;
   grid.grid[0] = 100000;
   grid.num_threads = 1;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   assert_int_equal(session.words[0], 100000);
   assert_true(caller.num_calls >= 100000 / 64);
   assert_false(caller.is_wrong);
   tg_pool_destroy(session.pool);
   close(&session);
}

enum { NUM_USERS = 4, NUM_DISPATCHES = 20 };

struct user {
   struct session session;
   pthread_t thread;
   bool is_wrong;
};

static void *
dispatch_often(void *argument)
{
   struct user *user = argument;

   for (uint32_t i = 1; i <= NUM_DISPATCHES; i++) {
      struct tg_grid grid = TG_GRID_INIT;

      grid.block[0] = 20;
      grid.grid[0] = i * 7;
      grid.num_threads = i % 4;
      user->is_wrong |= dispatch(&user->session, &grid) != TG_OK ||
                        user->session.words[0] != i * 7 * 20;
   }
   return NULL;
}

static void
test_dispatches_share_a_pool(void **state)
{
   struct tg_pool *pool = make_pool(3);
   struct user users[NUM_USERS];

   (void)state;
   for (unsigned i = 0; i < NUM_USERS; i++) {
      open(&users[i].session, count_text, 1);
      users[i].session.pool = pool;
      users[i].is_wrong = false;
      assert_int_equal(
         pthread_create(&users[i].thread, NULL, dispatch_often, &users[i]), 0);
   }
   for (unsigned i = 0; i < NUM_USERS; i++) {
      pthread_join(users[i].thread, NULL);
      assert_false(users[i].is_wrong);
      close(&users[i].session);
   }
   tg_pool_destroy(pool);
}

/* Where there is memory for some of the pool's threads these do all. */
static void
test_memory_for_some_threads(void **state)
{
   struct tg_grid grid = TG_GRID_INIT;
   struct tg_quota quota;
   struct session session;
   unsigned num_done = 0;

   (void)state;
   open(&session, count_text, 1);
   tg_program_destroy(session.program);
   tg_quota_init(&quota, NULL, UINT64_MAX);
   assert_int_equal(tg_program_create(&quota.allocator, session.shader, NULL,
                                      NULL, &session.program),
                    TG_OK);
   session.pool = make_pool(8);
   grid.block[0] = 100;
   grid.grid[0] = 300;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   const uint64_t held = quota.held;
   const uint64_t step = (quota.peak - held) / 16;
   for (uint64_t more = 0; more < 16; more++) {
      quota.most = held + more * step;
      const enum tg_result result = dispatch(&session, &grid);

      if (result == TG_OK)
         assert_int_equal(session.words[0], 30000);
      else
         assert_int_equal(result, TG_ERROR_MEMORY);
      assert_int_equal(quota.held, held);
      num_done += result == TG_OK;
   }
   assert_in_range(num_done, 1, 15);
   tg_pool_destroy(session.pool);
   close(&session);
}

/* ---- where the grid comes from ------------------------------------------- */

static void
test_indirect(void **state)
{
   struct tg_resource *sizes = make_buffer(5);
   uint32_t *words = tg_resource_map_buffer(sizes);
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   open(&session, count_text, 1);
   memcpy(words, (uint32_t[]){9, 9, 3, 4, 5}, 5 * sizeof(*words));
   grid.indirect = sizes;
   grid.indirect_offset = 8;
   grid.num_threads = 1;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   assert_int_equal(session.words[0], 60);

   words[3] = 0;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   assert_int_equal(session.words[0], 0);

   grid.indirect_offset = 12;
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_INPUT);
   expect_complaint(&session, 0,
                    "the size of the grid is not in the buffer: offset 12 of "
                    "20 bytes");
   grid.indirect_offset = 2;
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_INPUT);
   close(&session);
   tg_resource_destroy(sizes);
}

/* ---- sizes of blocks ----------------------------------------------------- */

static void
test_fixed_block(void **state)
{
   static const char text[] = //
      "COMP\n"
      "PROPERTY CS_FIXED_BLOCK_WIDTH 6\n"
      "PROPERTY CS_FIXED_BLOCK_HEIGHT 7\n"
      "PROPERTY CS_FIXED_BLOCK_DEPTH 1\n"
      "DCL BUFFER[0]\n"
      "DCL TEMP[0]\n"
      "IMM[0] UINT32 {0, 1, 0, 0}\n"
      "ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy\n"
      "END\n";
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   open(&session, text, 1);
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   assert_int_equal(session.words[0], 42);

   memcpy(grid.block, (uint32_t[]){6, 0, 1}, sizeof(grid.block));
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   assert_int_equal(session.words[0], 42);

   grid.block[1] = 8;
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_INPUT);
   expect_complaint(&session, 0,
                    "a block has 8 threads along y, and the shader says 7");
   close(&session);
}

static void
test_refused(void **state)
{
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   open(&session, count_text, 1);
   memcpy(grid.block, (uint32_t[]){32, 32, 2}, sizeof(grid.block));
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_INPUT);
   expect_complaint(&session, 0, "a block has more than 1024 threads");
   memcpy(grid.block, (uint32_t[]){UINT32_MAX, 1, 1}, sizeof(grid.block));
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_INPUT);
   expect_complaint(&session, 0, "a block has more than 1024 threads");
   grid.block[0] = 1;

   grid.shared_size = 65537;
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_INPUT);
   expect_complaint(&session, 0,
                    "a block has more than 65536 bytes of shared memory");
   grid.shared_size = 0;

   grid.num_threads = 257;
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_INPUT);
   expect_complaint(&session, 0, "there are more than 256 threads");
   grid.num_threads = 0;

   grid.entry = 3;
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_INPUT);
   expect_complaint(&session, 0, "there is no subroutine at instruction 3");
   close(&session);

   open(&session, "VERT\nEND\n", 1);
   grid.entry = 0;
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_INPUT);
   expect_complaint(&session, 0, "only compute shaders have a grid");
   close(&session);
}

/* ---- kernels ------------------------------------------------------------- */

/* Two kernels, and a subroutine that both call. */
static void
test_kernels(void **state)
{
   static const char text[] = //
      "COMP\n"
      "DCL BUFFER[0]\n"
      "DCL TEMP[0..1]\n"
      "IMM[0] UINT32 {0, 1, 100, 10000}\n"
      "  0: BGNSUB\n"
      "  1:   MOV TEMP[0].x, IMM[0].yyyy\n"
      "  2:   CAL :8\n"
      "  3: ENDSUB\n"
      "  4: BGNSUB\n"
      "  5:   MOV TEMP[0].x, IMM[0].zzzz\n"
      "  6:   CAL :8\n"
      "  7: ENDSUB\n"
      "  8: BGNSUB\n"
      "  9:   ATOMUADD TEMP[1].x, BUFFER[0], IMM[0].xxxx, TEMP[0].xxxx\n"
      " 10: ENDSUB\n"
      " 11: END\n";
   struct tg_grid grid = TG_GRID_INIT;
   struct session session;

   (void)state;
   open_dialect(&session, text, 1, TG_DIALECT_2011);
   grid.grid[0] = 7;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   assert_int_equal(session.words[0], 7);
   grid.entry = 4;
   assert_int_equal(dispatch(&session, &grid), TG_OK);
   assert_int_equal(session.words[0], 700);
   grid.entry = 5;
   assert_int_equal(dispatch(&session, &grid), TG_ERROR_INPUT);
   expect_complaint(&session, 0, "there is no subroutine at instruction 5");
   close(&session);
}

/* ---- memory that runs out ------------------------------------------------ */

/* With memory for one thread only there is one, so fewer allocations need
 * succeed than are made. */
static enum tg_result
dispatch_once(const struct tg_allocator *allocator)
{
   struct tg_grid grid = TG_GRID_INIT;
   struct tg_shader *shader = NULL;
   struct tg_program *program = NULL;
   enum tg_result result =
      tg_shader_parse(NULL, "test", tree_text, strlen(tree_text),
                      TG_DIALECT_2019, NULL, &shader);

   assert_int_equal(result, TG_OK);
   result = tg_program_create(allocator, shader, NULL, NULL, &program);
   grid.block[0] = 256;
   grid.grid[0] = 1;
   if (result == TG_OK)
      result = tg_dispatch(program, NULL, &grid, NULL);
   tg_program_destroy(program);
   tg_shader_destroy(shader);
   return result;
}

static void
test_out_of_memory(void **state)
{
   (void)state;
   sweep(dispatch_once);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sysvals),
      cmocka_unit_test(test_each_thread_once),
      cmocka_unit_test(test_ten_million_atomics),
      cmocka_unit_test(test_shared_memory),
      cmocka_unit_test(test_shared_memory_is_zero),
      cmocka_unit_test(test_barrier_in_loop),
      cmocka_unit_test(test_barrier_in_subroutine),
      cmocka_unit_test(test_divergent_barrier),
      cmocka_unit_test(test_barrier_after_return),
      cmocka_unit_test(test_wave_ends_early),
      cmocka_unit_test(test_two_barriers),
      cmocka_unit_test(test_other_turn),
      cmocka_unit_test(test_loop_budget),
      cmocka_unit_test(test_loop_budget_of_a_later_wave),
      cmocka_unit_test(test_large_grid_is_stopped),
      cmocka_unit_test(test_large_grid_faults),
      cmocka_unit_test(test_progress),
      cmocka_unit_test(test_on_a_pool),
      cmocka_unit_test(test_faults_on_a_pool),
      cmocka_unit_test(test_progress_on_a_pool),
      cmocka_unit_test(test_dispatches_share_a_pool),
      cmocka_unit_test(test_memory_for_some_threads),
      cmocka_unit_test(test_indirect),
      cmocka_unit_test(test_fixed_block),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_kernels),
      cmocka_unit_test(test_out_of_memory),
   };

   int num_failed = 0;

   for (unsigned i = 0; (executor = tg_executor_name(i)) != NULL; i++) {
      print_message("with %s\n", executor);
      num_failed += cmocka_run_group_tests(tests, NULL, NULL);
   }
   return num_failed;
}
