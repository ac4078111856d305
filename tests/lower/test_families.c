/* SPDX-License-Identifier: MIT
 *
 * Opcodes whose corners are easy to get wrong, each case worked out by hand
 * from the definition of the opcode. A case is one instruction from IN to OUT;
 * it runs with and without the optimiser.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tungsten/run.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* A register. Where a case expects ANY_NAN in a word, any NaN will do. */
union vector {
   float f[4];
   uint32_t u[4];
   int32_t i[4];
   double d[2];
   uint64_t l[2];
};

enum { ANY_NAN = 0x7fc00000, NUM_INPUTS = 4 };

struct family_case {
   const char *instruction;
   union vector in[NUM_INPUTS];
   union vector out[2];
};

/* ---- running a case ------------------------------------------------------ */

/* Every shader has these, then lines of the test's own, then the case. */
static void
write_shader(char *text, size_t size, const char *lines,
             const char *instruction)
{
   snprintf(text, size,
            "VERT\n"
            "%s"
            "DCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL IN[3]\n"
            "DCL OUT[0], GENERIC[0]\nDCL OUT[1], GENERIC[1]\n"
            "%s\n"
            "END\n",
            lines, instruction);
}

static void
expect_register(const char *instruction, unsigned index,
                const union vector *expected, const union vector *got)
{
   for (unsigned c = 0; c < 4; c++) {
      if (expected->u[c] == got->u[c] ||
          (expected->u[c] == ANY_NAN && isnan(got->f[c])))
         continue;
      fail_msg("%s: OUT[%u].%c is 0x%08x (%g), expected 0x%08x (%g)",
               instruction, index, "xyzw"[c], got -> u[c], (double)got -> f[c],
               expected -> u[c], (double)expected -> f[c]);
   }
}

static void
run_program(const struct family_case *test, const struct tg_program *program)
{
   struct tg_run *run = NULL;

   assert_int_equal(tg_run_create(program, 1, &run), TG_OK);
   for (unsigned i = 0; i < NUM_INPUTS; i++)
      assert_int_equal(tg_run_set(run, TG_RUN_INPUT, 0, i, -1, test->in[i].u),
                       TG_OK);
   assert_int_equal(tg_run_execute(run, NULL), TG_OK);
   for (unsigned i = 0; i < 2; i++) {
      union vector got;
      assert_int_equal(tg_run_get_output(run, 0, i, 0, got.u), TG_OK);
      expect_register(test->instruction, i, &test->out[i], &got);
   }
   tg_run_destroy(run);
}

static void
check_case(const struct family_case *test, enum tg_dialect dialect,
           const char *lines)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct tg_shader *shader = NULL;
   char text[512];

   write_shader(text, sizeof(text), lines, test->instruction);
   if (tg_shader_parse(NULL, "case", text, strlen(text), dialect, NULL,
                       &shader) != TG_OK)
      fail_msg("cannot parse %s", test->instruction);
   for (unsigned i = 0; i < 2; i++) {
      struct tg_program *program = NULL;
      options.optimize = i == 1;
      if (tg_program_create(NULL, shader, &options, NULL, &program) != TG_OK)
         fail_msg("cannot compile %s", test->instruction);
      run_program(test, program);
      tg_program_destroy(program);
   }
   tg_shader_destroy(shader);
}

static void
check(enum tg_dialect dialect, const struct family_case *cases,
      size_t num_cases)
{
   for (size_t i = 0; i < num_cases; i++)
      check_case(&cases[i], dialect, "");
}

/* ---- arith.c and vector.c ------------------------------------------------ */

static void
lit(void **state)
{
   static const char line[] = "LIT OUT[0], IN[0]";
   static const struct family_case cases[] = {
      {line, {{{2, 0.5f, 9, 2}}}, {{{1, 2, 0.25f, 1}}}},
      {line, {{{0, 3, 0, 2}}}, {{{1, 0, 0, 1}}}},
      {line, {{{-0.0f, 3, 0, 2}}}, {{{1, 0, 0, 1}}}},
      {line, {{{NAN, 3, 0, 2}}}, {{{1, 0, 0, 1}}}},
      /* 0^0, 0^-1 */
      {line, {{{1, -5, 0, 0}}}, {{{1, 1, 1, 1}}}},
      {line, {{{1, 0, 0, -1}}}, {{{1, 1, INFINITY, 1}}}},
      /* The exponent stays in [-128, 128]. */
      {line, {{{1, 0.5f, 0, 200}}}, {{{1, 1, 0x1p-128f, 1}}}},
      {line, {{{1, 2, 0, -200}}}, {{{1, 1, 0x1p-128f, 1}}}},
      {line, {{{1, NAN, 0, 2}}}, {{{1, 1, 0, 1}}}},
      {line,
       {{{1, 2, 0, NAN}}},
       {{.u = {0x3f800000, 0x3f800000, ANY_NAN, 0x3f800000}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, cases, LENGTH(cases));
}

static void
rsq_by_dialect(void **state)
{
   static const char line[] = "RSQ OUT[0].x, IN[0].xxxx";
   static const struct family_case today[] = {
      {line, {{{4}}}, {{{0.5f}}}},
      {line, {{{-4}}}, {{.u = {ANY_NAN}}}},
      {line, {{{0}}}, {{{INFINITY}}}},
      {line, {{{-0.0f}}}, {{{-INFINITY}}}},
   };
   static const struct family_case before[] = {
      {line, {{{4}}}, {{{0.5f}}}},
      {line, {{{-4}}}, {{{0.5f}}}},
      {line, {{{-0.0f}}}, {{{INFINITY}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, today, LENGTH(today));
   check(TG_DIALECT_2011, before, LENGTH(before));
   check(TG_DIALECT_2010, before, LENGTH(before));
}

static void
rcc(void **state)
{
   static const char line[] = "RCC OUT[0].x, IN[0].xxxx";
   static const struct family_case cases[] = {
      {line, {{{2}}}, {{{0.5f}}}},
      {line, {{{-2}}}, {{{-0.5f}}}},
      {line, {{{0}}}, {{.u = {0x5f82c2dc}}}},
      {line, {{{-0.0f}}}, {{.u = {0xdf82c2dc}}}},
      {line, {{{1e30f}}}, {{.u = {0x1f7ffffd}}}},
      {line, {{{-1e30f}}}, {{.u = {0x9f7ffffd}}}},
      /* 1 / inf is +0, which is not above 0. */
      {line, {{{INFINITY}}}, {{.u = {0x9f7ffffd}}}},
      {line, {{{NAN}}}, {{.u = {ANY_NAN}}}},
   };

   (void)state;
   check(TG_DIALECT_2011, cases, LENGTH(cases));
}

/* 1 - 1e8 rounds to -1e8. */
static void
lrp_by_dialect(void **state)
{
   static const char line[] = "LRP OUT[0].x, IN[0], IN[1], IN[2]";
   static const struct family_case before[] = {
      {line, {{{1}}, {{1}}, {{1e8f}}}, {{{0}}}},
   };
   static const struct family_case today[] = {
      {line, {{{1}}, {{1}}, {{1e8f}}}, {{{1}}}},
   };

   (void)state;
   check(TG_DIALECT_2010, before, LENGTH(before));
   check(TG_DIALECT_2011, today, LENGTH(today));
   check(TG_DIALECT_2019, today, LENGTH(today));
}

static void
simple_arithmetic(void **state)
{
   static const struct family_case cases[] = {
      {"FRC OUT[0], IN[0]",
       {{{1.25f, -1.25f, -0x1p-30f, INFINITY}}},
       {{.u = {0x3e800000, 0x3f400000, 0x3f800000, ANY_NAN}}}},
      /* With a NaN the second operand; -0 is less than 0. */
      {"MIN OUT[0], IN[0], IN[1]",
       {{{NAN, 1, -0.0f, 2}}, {{1, NAN, 0.0f, -3}}},
       {{.u = {0x3f800000, ANY_NAN, 0x80000000, 0xc0400000}}}},
      {"MAX OUT[0], IN[0], IN[1]",
       {{{NAN, 1, 0.0f, 2}}, {{1, NAN, -0.0f, -3}}},
       {{.u = {0x3f800000, ANY_NAN, 0x00000000, 0x40000000}}}},
      {"MAX OUT[0], IN[0], -IN[0]",
       {{{0.0f, -0.0f, -1.5f, INFINITY}}},
       {{.u = {0x00000000, 0x00000000, 0x3fc00000, 0x7f800000}}}},
      {"DIV OUT[0], IN[0], IN[1]",
       {{{1, -1, 0, 3}}, {{0, 0, 0, 4}}},
       {{.u = {0x7f800000, 0xff800000, ANY_NAN, 0x3f400000}}}},
      /* 1 + 2^-12 squared, less 1: one rounding keeps the 2^-24. */
      {"MAD_PRECISE OUT[0].x, IN[0], IN[0], IN[1]",
       {{{0x1.001p+0f}}, {{-1}}},
       {{{0x1p-11f}}}},
      {"MAD OUT[0].x, IN[0], IN[0], IN[1]",
       {{{0x1.001p+0f}}, {{-1}}},
       {{{0x1.0008p-11f}}}},
      {"FMA OUT[0].x, IN[0], IN[0], IN[1]",
       {{{0x1.001p+0f}}, {{-1}}},
       {{{0x1.0008p-11f}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, cases, LENGTH(cases));
}

static void
old_vectors(void **state)
{
   static const struct family_case cases[] = {
      {"XPD OUT[0], IN[0], IN[1]",
       {{{1, 2, 3, 9}}, {{4, 5, 6, 9}}},
       {{{-3, 6, -3, 1}}}},
      {"X2D OUT[0], IN[0], IN[1], IN[2]",
       {{{1, 2}}, {{3, 4}}, {{5, 6, 7, 8}}},
       {{{40, 55, 40, 55}}}},
      {"RFL OUT[0], IN[0], IN[1]",
       {{{0, 0, 2}}, {{1, 2, 3}}},
       {{{-1, -2, 3, 1}}}},
      {"NRM OUT[0], IN[0]", {{{3, 0, 4, 9}}}, {{{0.6f, 0, 0.8f, 1}}}},
      {"NRM4 OUT[0], IN[0]", {{{1, -1, 1, 1}}}, {{{0.5f, -0.5f, 0.5f, 0.5f}}}},
      {"DP2A OUT[0], IN[0], IN[1], IN[2]",
       {{{1, 2}}, {{3, 4}}, {{5, 99}}},
       {{{16, 16, 16, 16}}}},
      {"DPH OUT[0], IN[0], IN[1]",
       {{{1, 2, 3, 99}}, {{4, 5, 6, 7}}},
       {{{39, 39, 39, 39}}}},
      {"DST OUT[0], IN[0], IN[1]",
       {{{9, 2, 3, 9}}, {{9, 5, 9, 7}}},
       {{{1, 10, 3, 7}}}},
      /* Low wins over a high below it. */
      {"CLAMP OUT[0], IN[0], IN[1], IN[2]",
       {{{5, 2, NAN, 0}}, {{3, 3, 0, -1}}, {{1, 1, 1, 1}}},
       {{.u = {0x3f800000, 0x40400000, ANY_NAN, 0}}}},
      {"SCS OUT[0], IN[0]", {{{0, 9, 9, 9}}}, {{{1, 0, 0, 1}}}},
   };

   (void)state;
   check(TG_DIALECT_2011, cases, LENGTH(cases));
   check(TG_DIALECT_2010, cases, LENGTH(cases));
}

static void
mul_zero_wins(void **state)
{
   static const struct family_case cases[] = {
      {"MUL OUT[0], IN[0], IN[1]",
       {{{INFINITY, -0.0f, 2, -0.0f}}, {{0, NAN, 3, 5}}},
       {{{0, 0, 6, 0}}}},
      {"FMA OUT[0], IN[0], IN[1], IN[2]",
       {{{INFINITY, -0.0f, 2, 0}}, {{0, NAN, 3, 7}}, {{-0.0f, 4, 5, NAN}}},
       {{.u = {0, 0x40800000, 0x41300000, ANY_NAN}}}},
      {"DP3 OUT[0], IN[0], IN[1]",
       {{{INFINITY, 0, 2}}, {{0, NAN, 3}}},
       {{{6, 6, 6, 6}}}},
      {"DP3_PRECISE OUT[0], IN[0], IN[1]",
       {{{INFINITY, 0, 2}}, {{0, NAN, 3}}},
       {{{6, 6, 6, 6}}}},
      {"LRP OUT[0].xy, IN[0], IN[1], IN[2]",
       {{{0, 1}}, {{INFINITY, 3}}, {{5, INFINITY}}},
       {{{5, 3}}}},
      /* No product. */
      {"DIV OUT[0].x, IN[0], IN[1]", {{{0}}, {{0}}}, {{.u = {ANY_NAN}}}},
   };

   (void)state;
   for (size_t i = 0; i < LENGTH(cases); i++)
      check_case(&cases[i], TG_DIALECT_2019, "PROPERTY MUL_ZERO_WINS 1\n");
}

/* ---- compare.c ----------------------------------------------------------- */

static void
compare(void **state)
{
   static const struct family_case cases[] = {
      {"SGT OUT[0], IN[0], IN[1]",
       {{{2, 1, NAN, 1}}, {{1, 2, 1, 1}}},
       {{{1, 0, 0, 0}}}},
      {"SLE OUT[0], IN[0], IN[1]",
       {{{2, 1, NAN, 1}}, {{1, 2, 1, 1}}},
       {{{0, 1, 0, 1}}}},
      {"SNE OUT[0], IN[0], IN[1]",
       {{{2, 1, NAN, -0.0f}}, {{1, 1, 1, 0}}},
       {{{1, 0, 1, 0}}}},
      {"FSEQ OUT[0], IN[0], IN[1]",
       {{{2, 1, NAN, -0.0f}}, {{1, 1, NAN, 0}}},
       {{.u = {0, ~0u, 0, ~0u}}}},
      {"USLT OUT[0], IN[0], IN[1]",
       {{.u = {1, ~0u, 0, 5}}, {.u = {~0u, 1, 0, 6}}},
       {{.u = {~0u, 0, 0, ~0u}}}},
      {"ISLT OUT[0], IN[0], IN[1]",
       {{.u = {1, ~0u, 0, 5}}, {.u = {~0u, 1, 0, 6}}},
       {{.u = {0, ~0u, 0, ~0u}}}},
      {"CMP OUT[0], IN[0], IN[1], IN[2]",
       {{{-1, -0.0f, NAN, 1}}, {{1, 2, 3, 4}}, {{5, 6, 7, 8}}},
       {{{1, 6, 7, 8}}}},
      {"UCMP OUT[0], IN[0], IN[1], IN[2]",
       {{.u = {0x80000000, 0, 1, 0}}, {{1, 2, 3, 4}}, {{5, 6, 7, 8}}},
       {{{1, 6, 3, 8}}}},
      {"SSG OUT[0], IN[0]", {{{-3, -0.0f, NAN, 7}}}, {{{-1, 0, 0, 1}}}},
      {"ISSG OUT[0], IN[0]",
       {{.i = {5, -7, 0, INT32_MIN}}},
       {{.i = {1, -1, 0, -1}}}},
      {"CND OUT[0], IN[0], IN[1], IN[2]",
       {{{1, 2, 3, 4}}, {{5, 6, 7, 8}}, {{0.5f, 0.75f, NAN, 1}}},
       {{{5, 2, 7, 4}}}},
      {"STR OUT[0]", {{{0}}}, {{{1, 1, 1, 1}}}},
      {"SFL OUT[0]", {{{0}}}, {{{0, 0, 0, 0}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, cases, LENGTH(cases));
}

/* ---- integer.c ----------------------------------------------------------- */

static void
shifts_by_dialect(void **state)
{
   static const char line[] = "SHL OUT[0], IN[0], IN[1]";
   static const struct family_case before[] = {
      {line,
       {{.u = {1, 1, 1, 1}}, {.u = {4, 5, 6, 33}}},
       {{.u = {16, 16, 16, 16}}}},
      {"SHR OUT[0], IN[0], IN[1]",
       {{.i = {-8, 8, 1, -1}}, {.u = {33, 0, 0, 0}}},
       {{.i = {-4, 4, 0, -1}}}},
   };
   static const struct family_case today[] = {
      {line,
       {{.u = {1, 1, 1, 1}}, {.u = {4, 5, 6, 33}}},
       {{.u = {16, 32, 64, 2}}}},
   };

   (void)state;
   check(TG_DIALECT_2010, before, LENGTH(before));
   check(TG_DIALECT_2011, before, LENGTH(before));
   check(TG_DIALECT_2019, today, LENGTH(today));
}

static void
bit_fields(void **state)
{
   static const char ibfe[] = "IBFE OUT[0], IN[0], IN[1], IN[2]";
   static const char ubfe[] = "UBFE OUT[0], IN[0], IN[1], IN[2]";
   static const char bfi[] = "BFI OUT[0], IN[0], IN[1], IN[2], IN[3]";
   static const struct family_case cases[] = {
      /* Inside the word; of no width; the whole word. */
      {ibfe,
       {{.u = {0xf80, 0x780, 0xf80, 0x80000001}},
        {.u = {7, 7, 7, 0}},
        {.u = {5, 5, 0, 32}}},
       {{.i = {-1, 15, 0, INT32_MIN + 1}}}},
      /* Beyond bit 31; offset 32 is 0; width 36 is 4; width 32 elsewhere. */
      {ibfe,
       {{.u = {0x80000000, 0x12345678, 0x12345678, ~0u}},
        {.u = {28, 32, 4, 4}},
        {.u = {8, 4, 36, 32}}},
       {{.i = {-8, -8, 7, 0}}}},
      {ubfe,
       {{.u = {0xf80, 0x780, 0xf80, 0x80000001}},
        {.u = {7, 7, 7, 0}},
        {.u = {5, 5, 0, 32}}},
       {{.u = {31, 15, 0, 0x80000001}}}},
      {ubfe,
       {{.u = {0x80000000, 0x12345678, 0x12345678, ~0u}},
        {.u = {28, 32, 4, 32}},
        {.u = {8, 4, 36, 32}}},
       {{.u = {8, 8, 7, ~0u}}}},
      {bfi,
       {{.u = {~0u, 0, 0x11111111, 0x11111111}},
        {.u = {0, ~0u, 0xabcd, 0xabcd}},
        {.u = {8, 28, 0, 5}},
        {.u = {8, 8, 32, 0}}},
       {{.u = {0xffff00ff, 0xf0000000, 0xabcd, 0x11111111}}}},
      {bfi,
       {{.u = {0x11111111, 0, 0, 0}},
        {.u = {0xabcd, 0xff, 0xff, 0}},
        {.u = {5, 36, 0, 0}},
        {.u = {32, 4, 33, 0}}},
       {{.u = {0x11111111, 0xf0, 1, 0}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, cases, LENGTH(cases));
}

static void
integers(void **state)
{
   static const struct family_case cases[] = {
      {"SAD OUT[0], IN[0], IN[1], IN[2]",
       {{.i = {3, INT32_MIN, 5, -1}},
        {.i = {10, 1, 5, 1}},
        {.u = {1, 5, 7, ~0u}}},
       {{.u = {8, 0x80000006, 7, 1}}}},
      {"UMAD OUT[0], IN[0], IN[1], IN[2]",
       {{.u = {3, ~0u, 0x10000, 0}},
        {.u = {4, ~0u, 0x10000, 9}},
        {.u = {5, 1, 7, ~0u}}},
       {{.u = {17, 2, 7, ~0u}}}},
      {"IDIV OUT[0], IN[0], IN[1]",
       {{.i = {-7, 7, INT32_MIN, 0}}, {.i = {2, 0, -1, 5}}},
       {{.i = {-3, 0, INT32_MIN, 0}}}},
      {"MOD OUT[0], IN[0], IN[1]",
       {{.i = {-7, 7, INT32_MIN, 7}}, {.i = {2, 0, -1, -4}}},
       {{.i = {-1, -1, 0, 3}}}},
      /* Saturation is for floats. */
      {"UADD_SAT OUT[0], IN[0], IN[1]",
       {{.u = {~0u, 1, 0, 0}}, {.u = {0, 1, 0, 9}}},
       {{.u = {~0u, 2, 0, 9}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, cases, LENGTH(cases));
}

/* ---- pack.c -------------------------------------------------------------- */

static void
pack(void **state)
{
   static const struct family_case cases[] = {
      {"PK2H OUT[0].x, IN[0]", {{{1, -2}}}, {{.u = {0xc0003c00}}}},
      {"PK2H OUT[0].x, IN[0]", {{{65504, 65520}}}, {{.u = {0x7c007bff}}}},
      {"PK2H OUT[0].x, IN[0]", {{{NAN, 0x1p-24f}}}, {{.u = {0x00017e00}}}},
      /* Ties: 1 + 2^-11 and 1 + 3 * 2^-11. */
      {"PK2H OUT[0].x, IN[0]",
       {{{0x1.002p+0f, 0x1.006p+0f}}},
       {{.u = {0x3c023c00}}}},
      {"PK2US OUT[0].x, IN[0]", {{{0.5f, 2}}}, {{.u = {0xffff8000}}}},
      {"PK2US OUT[0].x, IN[0]", {{{-1, NAN}}}, {{.u = {0}}}},
      {"PK4B OUT[0].x, IN[0]", {{{1, -1, 0.5f, -0.5f}}}, {{.u = {0xc040817f}}}},
      {"PK4B OUT[0].x, IN[0]", {{{NAN, -2, 2, 0.004f}}}, {{.u = {0x017f8100}}}},
      {"PK4UB OUT[0].x, IN[0]", {{{0, 1, 0.5f, NAN}}}, {{.u = {0x0080ff00}}}},
      /* The floats nearest to (n + 1/2) / scale. Times scale they are next to
       * a tie; rounded to a float they would be one. */
      {"PK4UB OUT[0].x, IN[0]",
       {{{0x1.010102p-9f, 0x1.414142p-7f, 0x1.515152p-5f, 0x1.feff00p-1f}}},
       {{.u = {0xff0b0301}}}},
      {"PK4B OUT[0].x, IN[0]",
       {{{0x1.83060cp-7f, -0x1.83060cp-7f, 0x1.c3870ep-6f, 0x1.fdfbf8p-1f}}},
       {{.u = {0x7f03ff01}}}},
      {"PK2US OUT[0].x, IN[0]",
       {{{0x1.800180p-16f, 0x1.600160p-14f}}},
       {{.u = {0x00050001}}}},
      /* Bits, which saturation leaves alone. */
      {"PK4UB_SAT OUT[0].x, IN[0]", {{{1, 1, 1, 1}}}, {{.u = {~0u}}}},
      {"UP2H OUT[0], IN[0]", {{.u = {0xc0003c00}}}, {{{1, -2, 1, -2}}}},
      {"UP2US OUT[0], IN[0]",
       {{.u = {0xffff8000}}},
       {{{32768 / 65535.0f, 1, 32768 / 65535.0f, 1}}}},
      {"UP4B OUT[0], IN[0]",
       {{.u = {0x80817f01}}},
       {{{1 / 127.0f, 1, -1, -1}}}},
      {"UP4UB OUT[0], IN[0]",
       {{.u = {0xff800100}}},
       {{{0, 1 / 255.0f, 128 / 255.0f, 1}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, cases, LENGTH(cases));
}

static void
saturate(void **state)
{
   static const struct family_case cases[] = {
      {"MOV_SAT OUT[0], IN[0]", {{{NAN, -0.0f, 2, 0.5f}}}, {{{0, 0, 1, 0.5f}}}},
      {"ADD_SAT OUT[0], IN[0], IN[1]",
       {{{1, -1, 0.25f, INFINITY}}, {{1, -1, 0.25f, 1}}},
       {{{1, 0, 0.5f, 1}}}},
      {"LG2_SAT OUT[0], IN[0].xxxx", {{{0.25f}}}, {{{0, 0, 0, 0}}}},
      {"DADD_SAT OUT[0], IN[0], IN[1]",
       {{.d = {1, 0.25}}, {.d = {1, 0.25}}},
       {{.d = {1, 0.5}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, cases, LENGTH(cases));
}

/* ---- transcendental.c ---------------------------------------------------- */

static void
exp_and_log(void **state)
{
   static const struct family_case cases[] = {
      {"EXP OUT[0], IN[0]", {{{3}}}, {{{8, 0, 8, 1}}}},
      {"EXP OUT[0].xyw, IN[0]", {{{-0.5f}}}, {{{0.5f, 0.5f, 0, 1}}}},
      {"EXP OUT[0], IN[0]", {{{-INFINITY}}}, {{{0, 0, 0, 1}}}},
      {"EXP OUT[0], IN[0]", {{{INFINITY}}}, {{{INFINITY, 0, INFINITY, 1}}}},
      {"EXP OUT[0], IN[0]",
       {{{NAN}}},
       {{.u = {ANY_NAN, ANY_NAN, ANY_NAN, 0x3f800000}}}},
      {"LOG OUT[0], IN[0]", {{{-8}}}, {{{3, 1, 3, 1}}}},
      {"LOG OUT[0], IN[0]", {{{-0.0f}}}, {{{-INFINITY, 1, -INFINITY, 1}}}},
      {"LOG OUT[0], IN[0]", {{{-INFINITY}}}, {{{INFINITY, 1, INFINITY, 1}}}},
      {"LOG OUT[0], IN[0]",
       {{{NAN}}},
       {{.u = {ANY_NAN, ANY_NAN, ANY_NAN, 0x3f800000}}}},
      /* Its logarithm rounds to 0, its exponent does not. */
      {"LOG OUT[0].xyw, IN[0]",
       {{{0x1.fffffep-1f}}},
       {{{-1, 0x1.fffffep+0f, 0, 1}}}},
      {"LOG OUT[0].xyw, IN[0]", {{{0x1.8p-148f}}}, {{{-148, 1.5f, 0, 1}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, cases, LENGTH(cases));
}

/* ---- scale.c ------------------------------------------------------------- */

static void
ldexp_rounds_once(void **state)
{
   static const char line[] = "LDEXP OUT[0], IN[0], IN[1]";
   static const struct family_case cases[] = {
      {line,
       {{{1.5f, 1, 0x1p-149f, -0x1p-149f}}, {.i = {4, -149, 276, 276}}},
       {{{24, 0x1p-149f, 0x1p+127f, -0x1p+127f}}}},
      /* 1.5 of the least float is a tie; its neighbours are none. */
      {line,
       {{{1.5f, 0x1.7ffffep+0f, 0x1.800002p+0f, 1}},
        {.i = {-149, -149, -149, -150}}},
       {{{0x1p-148f, 0x1p-149f, 0x1p-148f, 0}}}},
      {line,
       {{{0x1p-149f, 0x1.fffffep+127f, INFINITY, -0.0f}},
        {.i = {INT32_MAX, INT32_MIN, INT32_MIN, INT32_MAX}}},
       {{{INFINITY, 0, INFINITY, -0.0f}}}},
      {"LDEXP OUT[0].xy, IN[0], -IN[1]",
       {{{1, NAN}}, {.i = {-3, 1}}},
       {{.u = {0x41000000, ANY_NAN}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, cases, LENGTH(cases));
}

static void
dldexp_by_dialect(void **state)
{
   static const char line[] = "DLDEXP OUT[0], IN[0], IN[1]";
   static const struct family_case today[] = {
      {line,
       {{.d = {1.5, 0x1p-1074}}, {.i = {1, 99, 1074, 99}}},
       {{.d = {3, 1}}}},
      /* 0.75 of the least double, and a tie. */
      {line,
       {{.d = {1.5, -1}}, {.i = {-1075, 0, -1075, 0}}},
       {{.d = {0x1p-1074, -0.0}}}},
      {line,
       {{.d = {0x1p-1074, 0x1.fffffffffffffp+1023}},
        {.i = {2097, 0, -2098, 0}}},
       {{.d = {0x1p+1023, 0x1p-1074}}}},
      {line,
       {{.d = {0x1p-1074, 0x1p+1023}}, {.i = {INT32_MAX, 0, INT32_MIN, 0}}},
       {{.d = {INFINITY, 0}}}},
      {line,
       {{.d = {-INFINITY, -0.0}}, {.i = {INT32_MIN, 0, INT32_MAX, 0}}},
       {{.d = {-INFINITY, -0.0}}}},
   };
   static const struct family_case before[] = {
      {line, {{.d = {1.5, 4}}, {.d = {3, -2}}}, {{.d = {12, 1}}}},
      {"DLDEXP OUT[0], IN[0], -IN[1]",
       {{.d = {1.5, 4}}, {.d = {-3, 2}}},
       {{.d = {12, 1}}}},
      {line,
       {{.d = {1.5, 4}}, {.d = {INFINITY, -INFINITY}}},
       {{.d = {INFINITY, 0}}}},
      {line,
       {{.d = {0x1p-1074, 1}}, {.d = {2097, -1e300}}},
       {{.d = {0x1p+1023, 0}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, today, LENGTH(today));
   check(TG_DIALECT_2011, before, LENGTH(before));
}

/* 2^0.5 and 4 * 2^-1.5, near enough for a float. */
static void
dldexp_of_2011_takes_fractions(void **state)
{
   static const struct family_case test = {
      "DLDEXP TEMP[0], IN[0], IN[1]\nD2F OUT[0], TEMP[0]",
      {{.d = {1, 4}}, {.d = {0.5, -1.5}}},
      {{{0x1.6a09e6p+0f, 0x1.6a09e6p+0f, 0x1.6a09e6p+0f, 0x1.6a09e6p+0f}}},
   };

   (void)state;
   check_case(&test, TG_DIALECT_2011, "DCL TEMP[0]\n");
}

static void
dfracexp_by_dialect(void **state)
{
   static const char line[] = "DFRACEXP OUT[0], OUT[1], IN[0]";
   static const struct family_case today[] = {
      {line, {{.d = {12, 99}}}, {{.d = {0.75, 0.75}}, {.i = {4, 4, 4, 4}}}},
      {line,
       {{.d = {-0x1p-1074, 99}}},
       {{.d = {-0.5, -0.5}}, {.i = {-1073, -1073, -1073, -1073}}}},
      {line, {{.d = {-0.0, 99}}}, {{.d = {-0.0, -0.0}}, {.i = {0}}}},
      {line,
       {{.d = {INFINITY, 99}}},
       {{.d = {INFINITY, INFINITY}}, {.i = {0}}}},
      {line,
       {{.d = {0x1.fffffffffffffp+1023, 99}}},
       {{.d = {0x1.fffffffffffffp-1, 0x1.fffffffffffffp-1}},
        {.i = {1024, 1024, 1024, 1024}}}},
   };
   static const struct family_case before[] = {
      {line, {{.d = {12, 0.1875}}}, {{.d = {4, -2}}, {.d = {0.75, 0.75}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, today, LENGTH(today));
   check(TG_DIALECT_2011, before, LENGTH(before));
}

/* ---- arith64.c ----------------------------------------------------------- */

static void
double_comparisons_by_dialect(void **state)
{
   static const char line[] = "DSEQ OUT[0], IN[0], IN[1]";
   static const struct family_case today[] = {
      {line, {{.d = {1, 2}}, {.d = {1, 3}}}, {{.u = {~0u, ~0u, 0, 0}}}},
      {"DSNE OUT[0], IN[0], IN[1]",
       {{.d = {NAN, 2}}, {.d = {NAN, 2}}},
       {{.u = {~0u, ~0u, 0, 0}}}},
      {"DSLT OUT[0], IN[0], IN[1]",
       {{.d = {NAN, -2}}, {.d = {1, 2}}},
       {{.u = {0, 0, ~0u, ~0u}}}},
   };
   static const struct family_case before[] = {
      {line, {{.d = {1, 2}}, {.d = {1, 3}}}, {{.d = {1, 0}}}},
      {"DSLT OUT[0], IN[0], IN[1]",
       {{.d = {NAN, -2}}, {.d = {1, 2}}},
       {{.d = {0, 1}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, today, LENGTH(today));
   check(TG_DIALECT_2011, before, LENGTH(before));
}

static void
wide(void **state)
{
   static const struct family_case cases[] = {
      {"F2D OUT[0], IN[0]", {{{1.5f, -2, 7, 8}}}, {{.d = {1.5, -2}}}},
      {"D2F OUT[0], IN[0]", {{.d = {1.5, -2}}}, {{{1.5f, -2, 1.5f, -2}}}},
      /* Counts are 32-bit: x for pair 0, y for pair 1, modulo 64. */
      {"U64SHL OUT[0], IN[0], IN[1]",
       {{.l = {1, UINT64_C(1) << 32}}, {.u = {68, 5, 63, 63}}},
       {{.l = {16, UINT64_C(1) << 37}}}},
      {"I64SHR OUT[0], IN[0], IN[1]",
       {{.l = {UINT64_MAX << 8, 256}}, {.u = {4, 8, 63, 63}}},
       {{.l = {UINT64_MAX << 4, 1}}}},
      {"I64ABS OUT[0], IN[0]",
       {{.l = {UINT64_MAX, UINT64_C(1) << 63}}},
       {{.l = {1, UINT64_C(1) << 63}}}},
      {"I64SSG OUT[0], IN[0]",
       {{.l = {UINT64_C(1) << 63, 7}}},
       {{.l = {UINT64_MAX, 1}}}},
      {"DSSG OUT[0], IN[0]", {{.d = {NAN, -3}}}, {{.d = {0, -1}}}},
      {"DRSQ OUT[0], IN[0]", {{.d = {-0.0, 4}}}, {{.d = {-INFINITY, 0.5}}}},
      {"DRCP OUT[0], IN[0]", {{.d = {-0.0, 4}}}, {{.d = {-INFINITY, 0.25}}}},
      {"DFRAC OUT[0], IN[0]", {{.d = {-0.25, 3.5}}}, {{.d = {0.75, 0.5}}}},
      /* 1 + 2^-27 squared, less 1: two roundings lose the 2^-54. */
      {"DMAD_PRECISE OUT[0], IN[0], IN[0], IN[1]",
       {{.d = {0x1.0000002p+0, 2}}, {.d = {-1, 1}}},
       {{.d = {0x1p-26, 5}}}},
      {"DMAD OUT[0], IN[0], IN[0], IN[1]",
       {{.d = {0x1.0000002p+0, 2}}, {.d = {-1, 1}}},
       {{.d = {0x1.0000001p-26, 5}}}},
      {"U64SEQ OUT[0], IN[0], IN[1]",
       {{.l = {5, UINT64_C(1) << 32}}, {.l = {5, 0}}},
       {{.u = {~0u, ~0u, 0, 0}}}},
   };

   (void)state;
   check(TG_DIALECT_2019, cases, LENGTH(cases));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(lit),
      cmocka_unit_test(rsq_by_dialect),
      cmocka_unit_test(rcc),
      cmocka_unit_test(lrp_by_dialect),
      cmocka_unit_test(simple_arithmetic),
      cmocka_unit_test(old_vectors),
      cmocka_unit_test(mul_zero_wins),
      cmocka_unit_test(compare),
      cmocka_unit_test(shifts_by_dialect),
      cmocka_unit_test(bit_fields),
      cmocka_unit_test(integers),
      cmocka_unit_test(pack),
      cmocka_unit_test(saturate),
      cmocka_unit_test(exp_and_log),
      cmocka_unit_test(ldexp_rounds_once),
      cmocka_unit_test(dldexp_by_dialect),
      cmocka_unit_test(dldexp_of_2011_takes_fractions),
      cmocka_unit_test(dfracexp_by_dialect),
      cmocka_unit_test(double_comparisons_by_dialect),
      cmocka_unit_test(wide),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
