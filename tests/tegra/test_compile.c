/* SPDX-License-Identifier: MIT
 *
 * What a compiled shader gives when it is simulated, against what the TGSI
 * interpreter gives for the same inputs: to the bit, or as near as a row says.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sweep.h"
#include "tungsten/run.h"
#include "tungsten/tegra.h"

enum { NUM_REGISTERS = 4, NUM_ROUNDS = 64 };

/* ---- values -------------------------------------------------------------- */

static const uint32_t special[] = {
   0x00000000, 0x80000000, /* zeros */
   0x3f800000, 0xbf800000, /* ones */
   0x3f000000, 0xbf000000, 0x3fc00000, 0xbfc00000, 0x40200000,
   0xc0200000, 0x00000001, 0x80000001, 0x007fffff, /* denormals */
   0x00800000, 0x80800000, /* the least normal numbers */
   0x3effffff, 0x3f7fffff, 0x3f800001, 0xbf7fffff, /* beside 1/2 and 1 */
   0x4affffff, 0x4b000000, 0xcb000001, 0x4b7fffff, /* about 2^23 */
   0x4f000000, 0xcf000000, 0x5f800000,             /* beyond integers */
   0x7f7fffff, 0xff7fffff,                         /* the greatest */
};

/* A multiplicative generator; what it gives need not be good, only varied. */
static uint32_t
next_random(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(*state >> 32);
}

/* Half special, half of a size that shaders have, none of them infinite. */
static uint32_t
any_word(uint64_t *state)
{
   uint32_t word = next_random(state);

   if (word & 1)
      return special[next_random(state) % (sizeof(special) / sizeof(*special))];
   float number =
      ((float)(word >> 8) / 0x1p23f - 1.0f) * (word & 2 ? 100.0f : 2.0f);
   memcpy(&word, &number, sizeof(word));
   return word;
}

/* Of what rows say is near only for ordinary numbers: 2^-30 to 2^30. */
static uint32_t
ordinary_word(uint64_t *state)
{
   uint32_t word = next_random(state);

   return (word & 0x807fffff) | (97 + (word >> 8) % 60) << 23;
}

/* How many floats lie between two, of one sign or both; NaNs are one. */
static uint32_t
distance(uint32_t a, uint32_t b)
{
   bool a_is_nan = (a & 0x7fffffff) > 0x7f800000;
   bool b_is_nan = (b & 0x7fffffff) > 0x7f800000;
   int64_t x = a & 0x80000000 ? -(int64_t)(a & 0x7fffffff) - 1 : a;
   int64_t y = b & 0x80000000 ? -(int64_t)(b & 0x7fffffff) - 1 : b;

   if (a_is_nan || b_is_nan)
      return a_is_nan && b_is_nan ? 0 : UINT32_MAX;
   return (uint32_t)(x < y ? y - x : x - y);
}

/* ---- both ways ----------------------------------------------------------- */

/* Registers of all lanes: inputs of each, constants of all, what came out. */
struct values {
   uint32_t inputs[TG_MAX_LANES][TG_TEGRA_NUM_ATTRIBUTES][4];
   uint32_t constants[TG_TEGRA_NUM_CONSTANTS][4];
   uint32_t expected[TG_MAX_LANES][2][4];
   uint32_t exports[TG_MAX_LANES][TG_TEGRA_NUM_EXPORTS][4];
};

static void
fill(struct values *values, bool is_ordinary, uint64_t *seed)
{
   for (unsigned r = 0; r < NUM_REGISTERS * 4; r++) {
      for (unsigned lane = 0; lane < TG_MAX_LANES; lane++)
         values->inputs[lane][r / 4][r % 4] =
            is_ordinary ? ordinary_word(seed) : any_word(seed);
      values->constants[r / 4][r % 4] =
         is_ordinary ? ordinary_word(seed) : any_word(seed);
   }
}

static void
interpret(const struct tg_program *program, struct values *values)
{
   struct tg_run *run;

   assert_int_equal(tg_run_create(program, TG_MAX_LANES, &run), TG_OK);
   for (unsigned r = 0; r < NUM_REGISTERS; r++) {
      for (int lane = 0; lane < TG_MAX_LANES; lane++)
         tg_run_set(run, TG_RUN_INPUT, 0, r, lane, values->inputs[lane][r]);
      tg_run_set(run, TG_RUN_CONSTANT, 0, r, -1, values->constants[r]);
   }
   assert_int_equal(tg_run_execute(run, NULL), TG_OK);
   for (unsigned lane = 0; lane < TG_MAX_LANES; lane++) {
      for (unsigned o = 0; o < 2; o++)
         tg_run_get_output(run, 0, o, lane, values->expected[lane][o]);
   }
   tg_run_destroy(run);
}

static void
simulate(const struct tg_tegra_program *program, struct values *values)
{
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;

   batch.num_vertices = TG_MAX_LANES;
   batch.attributes = values->inputs[0][0];
   batch.constants = values->constants[0];
   batch.exports = values->exports[0][0];
   assert_int_equal(tg_tegra_run(program, &batch, NULL), TG_OK);
}

static void
compare(const char *body, const struct values *values, uint32_t ulps)
{
   for (unsigned i = 0; i < TG_MAX_LANES * 8; i++) {
      unsigned lane = i / 8, output = i / 4 % 2, c = i % 4;
      uint32_t expected = values->expected[lane][output][c];
      uint32_t actual = values->exports[lane][output][c];

      if (distance(expected, actual) > ulps)
         fail_msg("%sOUT[%u].%c is %08x, not %08x; IN[0] is %08x %08x %08x "
                  "%08x, IN[1] %08x %08x %08x %08x",
                  body, output, "xyzw"[c], actual, expected,
                  values -> inputs[lane][0][0], values -> inputs[lane][0][1],
                  values -> inputs[lane][0][2], values -> inputs[lane][0][3],
                  values -> inputs[lane][1][0], values -> inputs[lane][1][1],
                  values -> inputs[lane][1][2], values -> inputs[lane][1][3]);
   }
}

/* ---- rows ---------------------------------------------------------------- */

struct row {
   enum tg_dialect dialect;
   uint32_t ulps;
   bool is_ordinary;
   const char *body;
};

enum { ANY, ORDINARY };

static const struct row rows[] = {
#define COMPILED(dialect, ulps, numbers, body)                                 \
   {TG_DIALECT_##dialect, ulps, numbers, body},
#include "compiled.def"
};

static struct tg_shader *
parse(const struct tg_allocator *allocator, const struct row *row)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;
   char text[4096];

   snprintf(text, sizeof(text),
            "VERT\nDCL IN[0..3]\nDCL OUT[0], POSITION\n"
            "DCL OUT[1], GENERIC[0]\nDCL CONST[0..3]\nDCL TEMP[0..7]\n"
            "DCL ADDR[0..1]\nDCL PRED[0]\nDCL LOOP[0]\nIMM[0] FLT32 {0.5, 1.0, "
            "2.0, -3.0}\n"
            "IMM[1] INT32 {0, 1, -1, 7}\nIMM[2] FLT32 {256, 0, 0, 0}\n%sEND\n",
            row->body);
   enum tg_result result = tg_shader_parse(allocator, "row", text, strlen(text),
                                           row->dialect, diagnostics, &shader);
   if (result && result != TG_ERROR_MEMORY)
      fail_msg("%s", tg_diagnostics_text(diagnostics));
   tg_diagnostics_destroy(diagnostics);
   return shader;
}

static struct tg_tegra_program *
compile(const struct tg_shader *shader, unsigned optimize, bool exact)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;

   options.optimize = optimize;
   options.exact = exact;
   if (tg_tegra_compile(NULL, shader, &options, diagnostics, &program))
      fail_msg("%s", tg_diagnostics_text(diagnostics));
   tg_diagnostics_destroy(diagnostics);
   return program;
}

/* The ways to compile a row. With exact arithmetic nothing is to be apart that
 * is ordinary. */
enum { NUM_WAYS = 4 };

static void
check_row(const struct row *row, struct values *values)
{
   struct tg_shader *shader = parse(NULL, row);
   struct tg_tegra_program *compiled[NUM_WAYS];
   struct tg_program *program;
   uint64_t seed = 1;

   for (unsigned way = 0; way < NUM_WAYS; way++)
      compiled[way] = compile(shader, way % 2 * 2, way / 2);
   assert_int_equal(tg_program_create(NULL, shader, NULL, NULL, &program),
                    TG_OK);
   for (unsigned i = 0; i < NUM_ROUNDS; i++) {
      fill(values, row->is_ordinary, &seed);
      interpret(program, values);
      for (unsigned way = 0; way < NUM_WAYS; way++) {
         bool is_exact = way / 2 && row->is_ordinary;

         simulate(compiled[way], values);
         compare(row->body, values, is_exact ? 0 : row->ulps);
      }
   }
   tg_program_destroy(program);
   for (unsigned way = 0; way < NUM_WAYS; way++)
      tg_tegra_program_destroy(compiled[way]);
   tg_shader_destroy(shader);
}

static void
compiled_shaders_give_the_same(void **state)
{
   static struct values values;

   (void)state;
   for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
      check_row(&rows[i], &values);
}

/* ---- size ---------------------------------------------------------------- */

/* Loops of eight turns: MADs that need one another, and the count. */
static void
add_loops(char *text, size_t size, unsigned count, unsigned num_mads)
{
   size_t length = 0;

   text[0] = '\0';
   for (unsigned i = 0; i < count; i++) {
      length += (size_t)snprintf(text + length, size - length,
                                 "MOV TEMP[0].x, IMM[0].yyyy\nBGNLOOP\n");
      for (unsigned j = 0; j < num_mads; j++)
         length +=
            (size_t)snprintf(text + length, size - length,
                             "MAD TEMP[1], TEMP[1], IN[%u], IN[1]\n", i % 4);
      length +=
         (size_t)snprintf(text + length, size - length,
                          "MUL TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\n"
                          "SGE TEMP[2].x, TEMP[0].xxxx, IMM[2].xxxx\n" /* 256 */
                          "IF TEMP[2].xxxx\nBRK\nENDIF\nENDLOOP\n");
   }
   snprintf(text + length, size - length, "MOV OUT[0], TEMP[1]\n");
}

static uint32_t
count_words(unsigned num_loops, unsigned num_mads)
{
   char text[4096];
   struct row row = {TG_DIALECT_2019, 0, false, text};

   add_loops(text, sizeof(text), num_loops, num_mads);
   struct tg_shader *shader = parse(NULL, &row);
   struct tg_tegra_program *program = compile(shader, 2, false);
   uint32_t count = tg_tegra_num_instructions(program);

   tg_tegra_program_destroy(program);
   tg_shader_destroy(shader);
   return count;
}

/* A loop of eight turns with eight MADs is 64 without the loop. Five of them do
 * not fit, and stay loops. */
static void
what_does_not_fit_unrolled_stays_a_loop(void **state)
{
   (void)state;
   assert_in_range(count_words(1, 8), 64, 66);
   assert_in_range(count_words(5, 8), 5 * 8, 5 * 14);
}

/* ---- memory -------------------------------------------------------------- */

static enum tg_result
compile_a_row(const struct tg_allocator *allocator, bool exact)
{
   static const struct row row = {
      TG_DIALECT_2019, 0, false,
      "IF IN[0].x\nDIV OUT[0], IN[0], IN[1]\nELSE\nCMP OUT[0], IN[0], "
      "IMM[0], CONST[3]\nENDIF\nMOV TEMP[0], IMM[0]\nBGNLOOP\n"
      "SGE TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz\nIF TEMP[1].xxxx\nBRK\n"
      "ENDIF\nADD TEMP[0], TEMP[0], IMM[0].xxxx\nENDLOOP\n"
      "POW OUT[1], IN[0], TEMP[0]\n"};
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_shader *shader = parse(NULL, &row);
   struct tg_tegra_program *program = NULL;

   options.exact = exact;
   enum tg_result result =
      tg_tegra_compile(allocator, shader, &options, NULL, &program);

   tg_tegra_program_destroy(program);
   tg_shader_destroy(shader);
   return result;
}

static enum tg_result
compile_as_usual(const struct tg_allocator *allocator)
{
   return compile_a_row(allocator, false);
}

static enum tg_result
compile_exactly(const struct tg_allocator *allocator)
{
   return compile_a_row(allocator, true);
}

static void
memory_may_run_out(void **state)
{
   (void)state;
   sweep(compile_as_usual);
   sweep(compile_exactly);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(compiled_shaders_give_the_same),
      cmocka_unit_test(what_does_not_fit_unrolled_stays_a_loop),
      cmocka_unit_test(memory_may_run_out),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
