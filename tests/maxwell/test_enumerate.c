/* SPDX-License-Identifier: MIT
 *
 * All rows, masks and registers of TEXS, legal or not: what the checker says is
 * what the rules say, which are told here once more from the specification.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tungsten/maxwell.h"

enum { RZ = 255, CHUNK = 512, NUM_ROWS = 14, NUM_CODES_BESIDE_RD1 = 5 };

/* Registers of Ra and Rb. */
static const uint8_t sources[NUM_ROWS][2] = {
   {1, 0}, {1, 1}, {1, 1}, {2, 1}, {2, 1}, {2, 2}, {2, 1},
   {2, 1}, {2, 1}, {2, 2}, {2, 1}, {2, 1}, {2, 1}, {2, 2},
};

/* Registers of Rd0 with RZ for Rd1, then of both, by the mask's code, for
 * results of 32 bits; halves have one each. */
static const uint8_t one_destination[8] = {1, 1, 1, 1, 2, 2, 2, 2};
static const uint8_t two_destinations[NUM_CODES_BESIDE_RD1][2] = {
   {2, 1}, {2, 1}, {2, 1}, {2, 1}, {2, 2},
};

/* The rules, a bit each. */
enum {
   NO_ROW = 1 << 0,
   NO_MASK = 1 << 1,
   RB_NOT_RZ = 1 << 2,
   SOURCE_RZ = 1 << 3,
   ALIGNMENT = 1 << 4,
   RANGE = 1 << 5,
   OVERLAP = 1 << 6,
   NO_RESULT = 1 << 7,
   NUM_RULES = 8,
};

static const char *const codes[NUM_RULES] = {
   "no-row",    "no-mask",        "rb-not-rz", "source-rz",
   "alignment", "register-range", "overlap",   "no-result",
};

struct texs {
   unsigned row, code, is_half, rd0, rd1, ra, rb;
};

static uint64_t
word_of(const struct texs *texs)
{
   const uint64_t word = UINT64_C(0xd) << 60 | UINT64_C(7) << 16;

   return word | (uint64_t)!texs->is_half << 59 | (uint64_t)texs->row << 53 |
          (uint64_t)texs->code << 50 | (uint64_t)texs->rd1 << 28 |
          (uint64_t)texs->rb << 20 | (uint64_t)texs->ra << 8 | texs->rd0;
}

/* ---- the rules ----------------------------------------------------------- */

static unsigned
rules_of_group(unsigned base, unsigned count)
{
   if (base == RZ)
      return 0;
   return (base % count ? ALIGNMENT : 0u) | (base + count > RZ ? RANGE : 0u);
}

static unsigned
rules_of_source(unsigned base, unsigned count)
{
   if (count == 0)
      return base == RZ ? 0 : RB_NOT_RZ;
   return base == RZ ? SOURCE_RZ : rules_of_group(base, count);
}

/* The rules that an instruction breaks. */
static unsigned
broken_rules(const struct texs *texs)
{
   const bool has_rd1 = texs->rd1 != RZ;
   const bool has_row = texs->row < NUM_ROWS;
   const bool has_mask = !has_rd1 || texs->code < NUM_CODES_BESIDE_RD1;
   if (!has_row || !has_mask)
      return (has_row ? 0u : NO_ROW) | (has_mask ? 0u : NO_MASK);

   unsigned n0 =
      has_rd1 ? two_destinations[texs->code][0] : one_destination[texs->code];
   unsigned n1 = has_rd1 ? two_destinations[texs->code][1] : 0;
   if (texs->is_half) {
      n0 = 1;
      n1 = has_rd1;
   }
   unsigned rules = rules_of_source(texs->ra, sources[texs->row][0]) |
                    rules_of_source(texs->rb, sources[texs->row][1]) |
                    rules_of_group(texs->rd0, n0);
   if (has_rd1)
      rules |= rules_of_group(texs->rd1, n1);
   if (texs->rd0 == RZ)
      return rules | NO_RESULT;
   if (has_rd1 && texs->rd0 < texs->rd1 + n1 && texs->rd1 < texs->rd0 + n0)
      rules |= OVERLAP;
   return rules;
}

/* ---- the checker --------------------------------------------------------- */

/* Instructions to be checked, a chunk at a time. */
static uint64_t words[CHUNK];
static unsigned expected[CHUNK], count;
static unsigned long num_checked, num_broken;

static unsigned
rule_of(const char *code)
{
   for (unsigned i = 0; i < NUM_RULES; i++) {
      if (strcmp(codes[i], code) == 0)
         return 1u << i;
   }
   fail_msg("another rule: %s", code);
   return 0;
}

static void
check_chunk(void)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_program *program = NULL;
   unsigned found[CHUNK] = {0};
   bool has_error = false;

   if (count == 0) {
      tg_diagnostics_destroy(diagnostics);
      return;
   }
   assert_int_equal(
      tg_maxwell_decode(NULL, "t", words, NULL, count, NULL, &program), TG_OK);
   enum tg_result result =
      tg_maxwell_check(program, TG_MAXWELL_ANY, diagnostics);
   const size_t num_said = tg_diagnostics_count(diagnostics);
   for (size_t i = 0; i < num_said; i++) {
      const struct tg_diagnostic *said = tg_diagnostics_get(diagnostics, i);

      found[said->column] |= rule_of(said->code);
      assert_non_null(said->note);
   }
   for (unsigned i = 0; i < count; i++) {
      assert_int_equal(found[i], expected[i]);
      has_error |= (expected[i] & ~(unsigned)NO_RESULT) != 0;
      num_broken += expected[i] != 0;
   }
   assert_int_equal(result, has_error ? TG_ERROR_INPUT : TG_OK);
   num_checked += count;
   count = 0;
   tg_maxwell_program_destroy(program);
   tg_diagnostics_destroy(diagnostics);
}

/* Chunks end before there are more complaints than are kept. */
static void
check(const struct texs *texs)
{
   enum { MOST_SAID = 1000, MOST_OF_ONE = 8 };
   static unsigned num_said;

   words[count] = word_of(texs);
   expected[count] = broken_rules(texs);
   num_said += expected[count] ? MOST_OF_ONE : 0;
   if (++count == CHUNK || num_said > MOST_SAID - MOST_OF_ONE) {
      check_chunk();
      num_said = 0;
   }
}

/* ---- cases --------------------------------------------------------------- */

/* A legal instruction, if row and code are. */
static struct texs
make(unsigned row, unsigned code, bool has_rd1, bool is_half)
{
   const bool has_rb = row >= NUM_ROWS || sources[row][1];

   return (struct texs){
      .row = row,
      .code = code,
      .is_half = is_half,
      .rd0 = 4,
      .rd1 = has_rd1 ? 6 : RZ,
      .ra = 8,
      .rb = has_rb ? 10 : RZ,
   };
}

static void
all_rows_and_codes(void **state)
{
   (void)state;
   for (unsigned i = 0; i < 16 * 8 * 4; i++) {
      const struct texs texs = make(i / 32, i / 4 % 8, i & 1, i >> 1 & 1);

      check(&texs);
   }
   check_chunk();
}

/* Each register takes all its values, where the others are legal. */
static void
all_registers(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_ROWS * 8 * 4; i++) {
      const struct texs legal = make(i / 32, i / 4 % 8, i & 1, i >> 1 & 1);

      for (unsigned number = 0; number <= RZ; number++) {
         struct texs texs = legal;

         texs.ra = number;
         check(&texs);
         texs = legal;
         texs.rb = number;
         check(&texs);
         texs = legal;
         texs.rd0 = number;
         check(&texs);
         texs = legal;
         texs.rd1 = number;
         check(&texs);
      }
   }
   check_chunk();
}

/* Rd0 and Rd1 near each other, and near the end. */
static void
all_pairs_of_destinations(void **state)
{
   (void)state;
   for (unsigned i = 0; i < 8 * 2 * 256; i++) {
      struct texs texs = make(3, i / 512, true, i / 256 % 2);
      const unsigned base = i % 256 < 128 ? 16 : 248;

      texs.rd0 = base + i % 8;
      texs.rd1 = base + i / 8 % 8;
      check(&texs);
   }
   check_chunk();
}

static int
tell(void **state)
{
   (void)state;
   print_message("%lu instructions, %lu of them not legal\n", num_checked,
                 num_broken);
   return 0;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_rows_and_codes),
      cmocka_unit_test(all_registers),
      cmocka_unit_test(all_pairs_of_destinations),
   };

   return cmocka_run_group_tests(tests, NULL, tell);
}
