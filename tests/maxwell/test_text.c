/* SPDX-License-Identifier: MIT
 *
 * Text to words and back: against recorded encodings, the specification's own
 * examples, and every word that there is room for in a run.
 *
 *    test_maxwell_text [NUMBER-OF-RANDOM-WORDS]
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "maxwell/isa/isa.h"

enum { CONTROL_BITS = 21, CHUNK = 4096 };

static unsigned num_random = 200000;

struct vector {
   uint64_t word;
   uint32_t control;
   const char *text;
};

static const struct vector vectors[] = {
#define MAXWELL_RECORD(word, control, text) {word, control, text},
#define MAXWELL_WORKED(word, control, text) {word, control, text},
#include "vectors.def"
};

enum { NUM_VECTORS = sizeof(vectors) / sizeof(vectors[0]) };

static struct tg_maxwell_program *
assemble(const char *text)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_program *program = NULL;

   if (tg_maxwell_assemble(NULL, "t", text, strlen(text), diagnostics,
                           &program) != TG_OK) {
      char *complaints = tg_diagnostics_text(diagnostics);
      print_error("%s", complaints);
      tg_string_free(complaints);
   }
   tg_diagnostics_destroy(diagnostics);
   return program;
}

/* Control bits of a vector are those of the phase; one has them all. */
static void
vectors_encode(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_VECTORS; i++) {
      char text[160];
      snprintf(text, sizeof(text), "%s;", vectors[i].text);
      struct tg_maxwell_program *program = assemble(text);
      uint32_t phase = 3u << 17;

      assert_non_null(program);
      assert_int_equal(tg_maxwell_num_instructions(program), 1);
      assert_true(tg_maxwell_words(program)[0] == vectors[i].word);
      assert_int_equal(tg_maxwell_controls(program)[0],
                       vectors[i].control & phase);
      tg_maxwell_program_destroy(program);
   }
}

static bool
prints_as(uint64_t word, uint32_t control, unsigned flags, const char *expected)
{
   struct tg_maxwell_program *program = NULL;

   assert_int_equal(
      tg_maxwell_decode(NULL, "t", &word, &control, 1, NULL, &program), TG_OK);
   char *text = tg_maxwell_print(program, flags);
   size_t length = strlen(expected);
   bool is_same =
      strncmp(text, expected, length) == 0 && strcmp(text + length, ";\n") == 0;
   tg_string_free(text);
   tg_maxwell_program_destroy(program);
   return is_same;
}

/* Modifiers in another order than they are printed in; a gather's .B before
 * of the component is a handle in a register too. */
static void
modifiers_in_any_order_encode(void **state)
{
   static const struct vector cases[] = {
      {0xdec000c7a0870604, 0, "TLD4.B.A P0, R4, R6, R8, 0x0, 2D, 0xf;"},
      {0xdec00007a0870604, 0, "TLD4.B.R P0, R4, R6, R8, 0x0, 2D, 0xf;"},
      {0xdec400d7a0870604, 0, "TLD4.AOFFI.B.DC.A P0, R4, R6, R8, 0, 2D, 0xf;"},
      {0xdec00087a0870604, 0, "TLD4.B.B P0, R4, R6, R8, 0x0, 2D, 0xf;"},
      {0xca000287a0870604, 0, "TLD4.B P0, R4, R6, R8, 0x28, 2D, 0xf;"},
      {0xdf80028040570206, 0, "TLD4S.R.F16 R4, R6, R2, R5, 0x28;"},
   };

   (void)state;
   for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      struct tg_maxwell_program *program = assemble(cases[i].text);

      assert_non_null(program);
      assert_true(tg_maxwell_words(program)[0] == cases[i].word);
      tg_maxwell_program_destroy(program);
   }
   assert_null(assemble("TLD4.A.B.B P0, R4, R6, R8, 0, 2D, 0xf;"));
   assert_null(assemble("TLD4.B.B.B P0, R4, R6, R8, 0, 2D, 0xf;"));
}

/* Some records have an Rb of RZ in their text, others leave it out. */
static void
vectors_print(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_VECTORS; i++) {
      uint64_t word = vectors[i].word;
      uint32_t control = vectors[i].control & 3u << 17;
      const char *text = vectors[i].text;

      assert_true(prints_as(word, control, 0, text) ||
                  prints_as(word, control, TG_MAXWELL_PRINT_SHORT, text));
   }
}

/* The three examples at the end of the specification, as they stand there. */
static void
examples_print_letter_for_letter(void **state)
{
   static const char examples[] =
      "TEXS        RZ, R0, R19, R29, 0x1, 2D, RG;   # reads R19 & R29; "
      "writes R0 & R1\n"
      "TEXS.LL     R0, R2,  R4,  R9, 0x3, 2D, RGBA; # reads R4, R5, &  R9; "
      "writes R0, R1, R2, & R3\n"
      "TEXS.DC     R4, R0,  R8, R19, 0x2, 2D, RGBA; # reads R8, R9, & R19; "
      "writes R4, R5, R0, & R1\n";
   struct tg_maxwell_program *program = assemble(examples);

   (void)state;
   assert_non_null(program);
   assert_true(tg_maxwell_words(program)[0] == 0xd830001ff1d71300);
   assert_true(tg_maxwell_words(program)[1] == 0xd870003000970402);
   assert_true(tg_maxwell_words(program)[2] == 0xd890002041370800);
   char *text = tg_maxwell_print(program, TG_MAXWELL_PRINT_ALIGN |
                                             TG_MAXWELL_PRINT_REGISTERS);
   assert_string_equal(text, examples);
   tg_string_free(text);
   tg_maxwell_program_destroy(program);
}

/* ---- control bits -------------------------------------------------------- */

struct control_case {
   const char *text;
   uint32_t bits;
};

/* 0x7ff stalls 15 cycles and asks for nothing else. */
static const struct control_case control_cases[] = {
   {"TEXS RZ, R0, R1, R2, 0, 2D, R;", 0},
   {"TEXS.T RZ, R0, R1, R2, 0, 2D, R;", 0x020000},
   {"TEXS.P RZ, R0, R1, R2, 0, 2D, R;", 0x040000},
   {"TEXS.T RZ, R0, R1, R2, 0, 2D, R &wr=5 ?stall=1;", 0x0207b1},
   {"TEXS.P RZ, R0, R1, R2, 0, 2D, R &wr5;", 0x0407bf},
   {"TEXS RZ, R0, R1, R2, 0, 2D, R &req=0,3 &rd=2 &wr=0 ?stall=2;",
    9 << 11 | 2 << 8 | 0 << 5 | 1 << 4 | 2},
   {"TEXS RZ, R0, R1, R2, 0, 2D, R &req=0x09 &rd2 &wr0 ?stall=2;",
    9 << 11 | 2 << 8 | 0 << 5 | 1 << 4 | 2},
   {"TEXS RZ, R0, R1, R2, 0, 2D, R ?yield ?stall=1;", 0x7e1},
   {"[B0--3--:R2:W5:-:S01] TEXS RZ, R0, R1, R2, 0, 2D, R;",
    9 << 11 | 2 << 8 | 5 << 5 | 1 << 4 | 1},
   {"[B------:R-:W-:Y:S15] TEXS.T RZ, R0, R1, R2, 0, 2D, R;", 0x0207ef},
   {".word 0xd830001ff1d71300 ?t ?reuse=2;", 2 << 19 | 1 << 17 | 0x7ff},
   /* As maxas has them, its scoreboards from 1 on. */
   {"01:-:-:Y:1 TEXS RZ, R0, R1, R2, 0, 2D, R;",
    1 << 11 | 7 << 8 | 7 << 5 | 0 << 4 | 1},
   {"--:2:1:-:f @!P0 TEXS RZ, R0, R1, R2, 0, 2D, R;",
    1 << 8 | 0 << 5 | 1 << 4 | 15},
   {"3f:6:6:y:A TEXS.T RZ, R0, R1, R2, 0, 2D, R;",
    1 << 17 | 0x3f << 11 | 5 << 8 | 5 << 5 | 0 << 4 | 10},
   {"--:-:-:-:0 .word 0x1234;", 0x7f0},
   {"04:1:6:-:1 .word 0x1234;", 4 << 11 | 0 << 8 | 5 << 5 | 1 << 4 | 1},
   {"[B--2---:R0:W5:-:S01] .word 1;", 4 << 11 | 0 << 8 | 5 << 5 | 1 << 4 | 1},
   /* Braces around two that are issued together. */
   {"{ TEXS RZ, R0, R1, R2, 0, 2D, R;\n  .word 0x1234 }", 0},
   {"/*0008*/ { --:-:-:-:0 .word 0x1234;\n"
    "/*0010*/   TEXS RZ, R0, R1, R2, 0, 2D, R; } .word 1;",
    0x7f0},
   {"04:-:2:-:0 { .word 0x1234; .word 5 ?stall=2 };",
    4 << 11 | 7 << 8 | 1 << 5 | 1 << 4 | 0},
};

static void
control_bits_assemble(void **state)
{
   (void)state;
   for (size_t i = 0; i < sizeof(control_cases) / sizeof(control_cases[0]);
        i++) {
      struct tg_maxwell_program *program = assemble(control_cases[i].text);

      assert_non_null(program);
      assert_int_equal(tg_maxwell_controls(program)[0], control_cases[i].bits);
      tg_maxwell_program_destroy(program);
   }
}

static void
control_bits_print(void **state)
{
   static const uint64_t words[] = {0xd820056ff0470907, 0xd820056ff0470907,
                                    0x1234};
   static const uint32_t controls[] = {0x0207b1, 0x180001, 0x060000};
   struct tg_maxwell_program *program = NULL;

   (void)state;
   assert_int_equal(
      tg_maxwell_decode(NULL, "t", words, controls, 3, NULL, &program), TG_OK);
   char *text = tg_maxwell_print(program, TG_MAXWELL_PRINT_PREFIX);
   assert_string_equal(
      text, "[B------:R-:W5:-:S01] TEXS.T RZ, R7, R9, R4, 0x56, 2D, R;\n"
            "TEXS RZ, R7, R9, R4, 0x56, 2D, R &rd=0 &wr=0 ?stall=1 ?yield "
            "?reuse=3;\n"
            ".word 0x0000000000001234 &rd=0 &wr=0 ?stall=0 ?yield ?t ?p;\n");
   tg_string_free(text);
   tg_maxwell_program_destroy(program);
}

/* ---- addresses ----------------------------------------------------------- */

/* A word of control bits stands before each three instructions. */
static void
addresses_print(void **state)
{
   struct tg_maxwell_program *program =
      assemble("--:-:-:-:1 .word 1; .word 2; .word 3; .word 4;\n"
               "TEXS RZ, R0, R1, R2, 0, 2D, R; .word 6; .word 7;");
   static const char expected[] =
      "/*0008*/ [B------:R-:W-:-:S01] .word 0x0000000000000001;\n"
      "/*0010*/ .word 0x0000000000000002;\n"
      "/*0018*/ .word 0x0000000000000003;\n"
      "/*0028*/ .word 0x0000000000000004;\n"
      "/*0030*/ TEXS RZ, R0, R1, R2, 0x0, 2D, R;\n"
      "/*0038*/ .word 0x0000000000000006;\n"
      "/*0048*/ .word 0x0000000000000007;\n";

   (void)state;
   char *text = tg_maxwell_print(program, TG_MAXWELL_PRINT_ADDRESSES |
                                             TG_MAXWELL_PRINT_PREFIX);
   assert_string_equal(text, expected);
   tg_string_free(text);
   tg_maxwell_program_destroy(program);
}

/* ---- any word ------------------------------------------------------------ */

static uint64_t
next_random(uint64_t *state)
{
   uint64_t high, low;

   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
   high = *state >> 32;
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
   low = *state >> 32;
   return high << 32 | low;
}

/* A word of one of the forms, or one time in 16 of none. */
static uint64_t
random_word(uint64_t *seed)
{
   uint64_t word = next_random(seed);
   unsigned form = (unsigned)(next_random(seed) % (MAXWELL_NUM_FORMS + 1));

   if (form == MAXWELL_NUM_FORMS)
      return word;
   return (word & ~maxwell_forms[form].bits) | maxwell_forms[form].value;
}

static void
expect_round_trip(const uint64_t *words, const uint32_t *controls, size_t count,
                  unsigned flags)
{
   struct tg_maxwell_program *program = NULL, *again;

   assert_int_equal(
      tg_maxwell_decode(NULL, "t", words, controls, count, NULL, &program),
      TG_OK);
   char *text = tg_maxwell_print(program, flags);
   again = assemble(text);
   assert_non_null(again);
   assert_int_equal(tg_maxwell_num_instructions(again), count);
   assert_memory_equal(tg_maxwell_words(again), words, count * sizeof(*words));
   assert_memory_equal(tg_maxwell_controls(again), controls,
                       count * sizeof(*controls));
   tg_string_free(text);
   tg_maxwell_program_destroy(again);
   tg_maxwell_program_destroy(program);
}

static void
any_word_goes_through_text(void **state)
{
   static uint64_t words[CHUNK];
   static uint32_t controls[CHUNK];
   uint64_t seed = 7;

   (void)state;
   for (unsigned done = 0; done < num_random; done += CHUNK) {
      for (unsigned i = 0; i < CHUNK; i++) {
         words[i] = random_word(&seed);
         controls[i] =
            (uint32_t)next_random(&seed) & ((1u << CONTROL_BITS) - 1);
      }
      expect_round_trip(words, controls, CHUNK, next_random(&seed) & 31);
   }
}

/* A register for a group: any, or the first of a pair. */
static uint16_t
random_register(uint64_t *seed, unsigned count)
{
   return count > 1 ? next_random(seed) % 127 * 2 : next_random(seed) % 255;
}

/* A legal TEXS with what the number says: the row, the mask, the format and
 * NODEP. The rest of it is random. */
static struct maxwell_instruction
legal_texs(unsigned number, uint64_t *seed)
{
   const struct maxwell_mask *mask =
      &maxwell_masks[number / 4 % MAXWELL_NUM_MASKS];
   struct maxwell_instruction texs = {
      .form = MAXWELL_FORM_TEXS,
      .row = (uint16_t)(number / 4 / MAXWELL_NUM_MASKS),
      .wmask = mask->code,
      .fp32 = number & 1,
      .nodep = number >> 1 & 1,
      .index = next_random(seed) & MAXWELL_MAX_INDEX,
      .pred = next_random(seed) & 7,
   };
   struct maxwell_group sources[2];

   maxwell_source_registers(&texs, sources);
   texs.pnot = texs.pred != MAXWELL_PT && (next_random(seed) & 1);
   texs.ra = random_register(seed, sources[0].count);
   texs.rb =
      sources[1].count ? random_register(seed, sources[1].count) : MAXWELL_RZ;
   texs.rd0 = random_register(seed, mask->count[!texs.fp32][0]);
   texs.rd1 = MAXWELL_RZ;
   /* Beside Rd0 there are 126 other pairs. */
   if (mask->has_rd1)
      texs.rd1 = (texs.rd0 / 2 + 1 + next_random(seed) % 126) % 127 * 2;
   return texs;
}

static void
expect_legal(const uint64_t *words, size_t count)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_program *program = NULL;

   assert_int_equal(
      tg_maxwell_decode(NULL, "t", words, NULL, count, NULL, &program), TG_OK);
   assert_int_equal(tg_maxwell_check(program, TG_MAXWELL_ANY, diagnostics),
                    TG_OK);
   assert_int_equal(tg_diagnostics_count(diagnostics), 0);
   tg_maxwell_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
}

/* Every row, mask, format and NODEP of TEXS as often as it takes. */
static void
legal_texs_goes_through_text(void **state)
{
   enum { COMBINATIONS = 14 * MAXWELL_NUM_MASKS * 4 };
   static uint64_t words[COMBINATIONS];
   static uint32_t controls[COMBINATIONS];
   uint64_t seed = 9;

   (void)state;
   for (unsigned done = 0; done < num_random; done += COMBINATIONS) {
      for (unsigned i = 0; i < COMBINATIONS; i++) {
         struct maxwell_instruction texs = legal_texs(i, &seed), decoded;

         words[i] = maxwell_isa_encode(&texs);
         assert_true(maxwell_isa_decode(words[i], &decoded));
         assert_memory_equal(decoded.field, texs.field, sizeof(texs.field));
      }
      expect_legal(words, COMBINATIONS);
      expect_round_trip(words, controls, COMBINATIONS, next_random(&seed) & 31);
   }
}

int
main(int argc, char **argv)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(vectors_encode),
      cmocka_unit_test(modifiers_in_any_order_encode),
      cmocka_unit_test(vectors_print),
      cmocka_unit_test(examples_print_letter_for_letter),
      cmocka_unit_test(control_bits_assemble),
      cmocka_unit_test(control_bits_print),
      cmocka_unit_test(addresses_print),
      cmocka_unit_test(any_word_goes_through_text),
      cmocka_unit_test(legal_texs_goes_through_text),
   };

   if (argc > 1)
      num_random = (unsigned)strtoul(argv[1], NULL, 10);
   return cmocka_run_group_tests(tests, NULL, NULL);
}
