/* SPDX-License-Identifier: MIT
 *
 * Every row of TEXS with every mask, with results of 32 bits and as halves: how
 * it encodes, which registers it reads and writes, and what is in them then.
 * The tables here were typed from the specification and are not those of src/.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "row_texels.h"
#include "util/bits.h"

enum {
   THREADS = TG_MAXWELL_NUM_THREADS,
   HANDLE_INDEX = 0x28,
   RA = 8,
   RB_PAIR = 14,
   RB_SINGLE = 13,
   RD0 = 20,
   RD1 = 26,
};

/* ---- the specification's tables ------------------------------------------ */

static const struct row_case row_cases[] = {
   {"TEXS", 0, ".LZ", "1D", "s", ""},
   {"TEXS", 1, "", "2D", "s", "t"},
   {"TEXS", 2, ".LZ", "2D", "s", "t"},
   {"TEXS", 3, ".LL", "2D", "st", "l"},
   {"TEXS", 4, ".DC", "2D", "st", "c"},
   {"TEXS", 5, ".LL.DC", "2D", "st", "lc"},
   {"TEXS", 6, ".LZ.DC", "2D", "st", "c"},
   {"TEXS", 7, "", "ARRAY_2D", "as", "t"},
   {"TEXS", 8, ".LZ", "ARRAY_2D", "as", "t"},
   {"TEXS", 9, ".LZ.DC", "ARRAY_2D", "as", "tc"},
   {"TEXS", 10, "", "3D", "st", "r"},
   {"TEXS", 11, ".LZ", "3D", "st", "r"},
   {"TEXS", 12, "", "CUBE", "st", "r"},
   {"TEXS", 13, ".LL", "CUBE", "st", "rl"},
   {"TLDS", 0, ".LZ", "1D", "x", ""},
   {"TLDS", 1, ".LL", "1D", "x", "v"},
   {"TLDS", 2, ".LZ", "2D", "x", "y"},
   {"TLDS", 4, ".LZ.AOFFI", "2D", "xy", "o"},
   {"TLDS", 5, ".LL", "2D", "xy", "v"},
   {"TLDS", 6, ".LZ.MS", "2D", "xy", "m"},
   {"TLDS", 7, ".LZ", "3D", "xy", "z"},
   {"TLDS", 8, ".LZ", "ARRAY_2D", "a", "xy"},
   {"TLDS", 12, ".LL.AOFFI", "2D", "xy", "vo"},
};

/* Components of each register; of halves the low one first, - is 0. */
static const struct mask_case {
   const char *name;
   bool has_rd1;
   unsigned code;
   const char *rd0[2], *rd1[2]; /* the registers with 32 bits */
   const char *half_rd0, *half_rd1;
} mask_cases[] = {
   {"R", false, 0, {"R"}, {0}, "R-", NULL},
   {"G", false, 1, {"G"}, {0}, "G-", NULL},
   {"B", false, 2, {"B"}, {0}, "B-", NULL},
   {"A", false, 3, {"A"}, {0}, "A-", NULL},
   {"RG", false, 4, {"R", "G"}, {0}, "RG", NULL},
   {"RA", false, 5, {"R", "A"}, {0}, "RA", NULL},
   {"GA", false, 6, {"G", "A"}, {0}, "GA", NULL},
   {"BA", false, 7, {"B", "A"}, {0}, "BA", NULL},
   {"RGB", true, 0, {"R", "G"}, {"B"}, "RG", "B-"},
   {"RGA", true, 1, {"R", "G"}, {"A"}, "RG", "A-"},
   {"RBA", true, 2, {"R", "B"}, {"A"}, "RB", "A-"},
   {"GBA", true, 3, {"G", "B"}, {"A"}, "GB", "A-"},
   {"RGBA", true, 4, {"R", "G"}, {"B", "A"}, "RG", "BA"},
};

enum {
   NUM_ROWS = sizeof(row_cases) / sizeof(row_cases[0]),
   NUM_MASKS = sizeof(mask_cases) / sizeof(mask_cases[0]),
};

/* The texture of the row that is looked at. */
static struct tg_view_desc view;
static struct tg_sampler_desc sampler;

/* ---- a warp -------------------------------------------------------------- */

typedef uint32_t register_file[TG_MAXWELL_NUM_REGISTERS][THREADS];

static register_file registers, expected;

/* What a trace says, in its order. */
static struct {
   struct tg_maxwell_access accesses[16];
   unsigned count;
} trace;

static void
note_access(void *user, const struct tg_maxwell_access *access)
{
   (void)user;
   assert_true(trace.count < 16);
   trace.accesses[trace.count++] = *access;
   assert_ptr_equal(access->words, registers[access->number]);
}

static void
fill_registers(const struct row_case *row, unsigned rb)
{
   for (unsigned i = 0; i < TG_MAXWELL_NUM_REGISTERS; i++) {
      for (unsigned t = 0; t < THREADS; t++)
         registers[i][t] = 0xdead0000 + i * THREADS + t;
   }
   for (unsigned t = 0; t < THREADS; t++) {
      for (unsigned i = 0; row->ra[i]; i++)
         registers[RA + i][t] = row_operand(row, t, row->ra[i]);
      for (unsigned i = 0; row->rb[i]; i++)
         registers[rb + i][t] = row_operand(row, t, row->rb[i]);
   }
   memcpy(expected, registers, sizeof(registers));
}

/* Fills in what the registers are to be. */
static void
expect_results(const struct row_case *row, const struct mask_case *mask,
               bool is_half)
{
   for (unsigned t = 0; t < THREADS; t++) {
      for (unsigned i = 0; i < 2; i++) {
         const char *halves = i ? mask->half_rd1 : mask->half_rd0;
         const char *const *whole = i ? mask->rd1 : mask->rd0;
         const unsigned base = i ? RD1 : RD0;

         if (is_half && halves)
            expected[base][t] =
               row_half(row, t, halves[0]) | row_half(row, t, halves[1]) << 16;
         for (unsigned j = 0; j < 2 && whole[j] && !is_half; j++)
            expected[base + j][t] = row_component(row, t, whole[j][0]);
      }
   }
}

static unsigned
expect_accesses(unsigned first, unsigned base, unsigned count, bool is_write)
{
   for (unsigned i = 0; i < count; i++) {
      const struct tg_maxwell_access *access = &trace.accesses[first + i];

      assert_true(first + i < trace.count);
      assert_int_equal(access->instruction, 0);
      assert_int_equal(access->is_write, is_write);
      assert_int_equal(access->number, base + i);
      assert_int_equal(access->threads, UINT32_MAX);
   }
   return first + count;
}

static void
expect_trace(const struct row_case *row, const struct mask_case *mask,
             unsigned rb, bool is_half)
{
   const unsigned n0 = is_half || !mask->rd0[1] ? 1 : 2;
   const unsigned n1 = !mask->has_rd1 ? 0 : is_half || !mask->rd1[1] ? 1 : 2;
   unsigned next = expect_accesses(0, RA, (unsigned)strlen(row->ra), false);

   next = expect_accesses(next, rb, (unsigned)strlen(row->rb), false);
   next = expect_accesses(next, RD0, n0, true);
   next = expect_accesses(next, RD1, n1, true);
   assert_int_equal(trace.count, next);
}

static struct tg_maxwell_warp
make_warp(void)
{
   static const struct tg_view_desc *const headers[] = {&view};
   static const struct tg_sampler_desc *const samplers[] = {&sampler};
   struct tg_maxwell_warp warp = TG_MAXWELL_WARP_INIT;

   warp.registers = registers;
   warp.is_fragment = true;
   warp.headers = headers;
   warp.samplers = samplers;
   warp.num_headers = warp.num_samplers = 1;
   return warp;
}

/* ---- cases --------------------------------------------------------------- */

static struct tg_maxwell_program *
assemble(const struct row_case *row, const struct mask_case *mask, unsigned rb,
         bool is_half)
{
   struct tg_maxwell_program *program = NULL;
   char rb_name[8], rd1_name[8], text[120];

   snprintf(rb_name, sizeof(rb_name), *row->rb ? "R%u" : "RZ", rb);
   snprintf(rd1_name, sizeof(rd1_name), mask->has_rd1 ? "R%u" : "RZ", RD1);
   snprintf(text, sizeof(text), "%s%s%s %s, R%u, R%u, %s, 0x%x, %s, %s;",
            row->form, is_half ? ".F16" : "", row->modifiers, rd1_name, RD0, RA,
            rb_name, HANDLE_INDEX, row->target, mask->name);
   assert_int_equal(
      tg_maxwell_assemble(NULL, "t", text, strlen(text), NULL, &program),
      TG_OK);
   return program;
}

static void
check_case(const struct row_case *row, const struct mask_case *mask,
           bool is_half)
{
   const unsigned rb = strlen(row->rb) == 2 ? RB_PAIR : RB_SINGLE;
   struct tg_maxwell_program *program = assemble(row, mask, rb, is_half);
   struct tg_maxwell_warp warp = make_warp();
   const uint64_t word = tg_maxwell_words(program)[0];

   assert_int_equal(word >> 57 & 1, strcmp(row->form, "TLDS") == 0);
   assert_int_equal(word >> 53 & 15, row->number);
   assert_int_equal(word >> 50 & 7, mask->code);
   assert_int_equal(word >> 59 & 1, !is_half);
   assert_int_equal(tg_maxwell_check(program, TG_MAXWELL_ANY, NULL), TG_OK);

   trace.count = 0;
   fill_registers(row, rb);
   expect_results(row, mask, is_half);
   assert_int_equal(
      tg_maxwell_run(NULL, program, &warp, note_access, NULL, NULL), TG_OK);
   assert_memory_equal(registers, expected, sizeof(registers));
   expect_trace(row, mask, rb, is_half);
   tg_maxwell_program_destroy(program);
}

static void
rows_and_masks(void **state)
{
   (void)state;
   for (unsigned i = 0; i < NUM_ROWS; i++) {
      row_make_texture(&row_cases[i], &view, &sampler);
      for (unsigned j = 0; j < NUM_MASKS * 2; j++)
         check_case(&row_cases[i], &mask_cases[j / 2], j % 2);
      tg_resource_destroy(view.resource);
   }
}

/* Without a comparison in the sampler .LL.DC gives the depth itself, and all
 * others compare all the same. */
static void
absolute_levels_do_not_force_a_comparison(void **state)
{
   const struct row_case *row = &row_cases[5];
   struct tg_maxwell_program *program =
      assemble(row, &mask_cases[0], RB_PAIR, false);
   struct tg_maxwell_warp warp = make_warp();

   (void)state;
   row_make_texture(row, &view, &sampler);
   sampler.compares = false;
   fill_registers(row, RB_PAIR);
   assert_int_equal(tg_maxwell_run(NULL, program, &warp, NULL, NULL, NULL),
                    TG_OK);
   for (unsigned t = 0; t < THREADS; t++) {
      assert_int_equal(registers[RD0][t], row_depth(row, t));
   }
   tg_maxwell_program_destroy(program);
   tg_resource_destroy(view.resource);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_and_masks),
      cmocka_unit_test(absolute_levels_do_not_force_a_comparison),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
