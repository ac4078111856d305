/* SPDX-License-Identifier: MIT
 *
 * What instructions hold that say little, against words of the two tools that
 * the styles are called after.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tegra/isa/implied.h"

/* What is left of `instruction` when only `said` is kept has these words. */
static void
expect(enum tegra_style style, tegra_field_set said,
       union tegra_instruction instruction,
       const uint32_t expected[TG_TEGRA_WORDS])
{
   uint32_t words[TG_TEGRA_WORDS];

   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++) {
      if (!(said & tegra_field_bit(i)))
         instruction.field[i] = 0xffff; /* must not be looked at */
   }
   tegra_imply(style, said, &instruction);
   tegra_isa_encode(&instruction, words);
   assert_memory_equal(words, expected, sizeof(words));
}

#define WORDS(...) ((const uint32_t[TG_TEGRA_WORDS]){__VA_ARGS__})
#define SAY(id) TEGRA_FIELD_BIT(id)

/* EXEC NOPv NOPs; EXEC PUSHAv; EXEC NOPv POPAs; EXEC(lt)(eq)(gt) NOPv RETs; */
static void
grate(void **state)
{
   const tegra_field_set both = SAY(v_op) | SAY(s_op);
   const tegra_field_set predicate = SAY(p_lt) | SAY(p_eq) | SAY(p_gt);

   (void)state;
   expect(TEGRA_STYLE_GRATE, both, (union tegra_instruction){.v_op = 0},
          WORDS(0x001f806c, 0x0000000d, 0x8006c003, 0x60001ffc));
   expect(TEGRA_STYLE_GRATE, SAY(v_op),
          (union tegra_instruction){.v_op = TEGRA_VECTOR_PUSHA},
          WORDS(0x0000006c, 0x0680000d, 0x8006c003, 0x6000007c));
   expect(TEGRA_STYLE_GRATE, both,
          (union tegra_instruction){.s_op = TEGRA_SCALAR_POPA},
          WORDS(0x001f806c, 0xa000000d, 0x8006c003, 0x6000007c));
   expect(TEGRA_STYLE_GRATE, both | predicate,
          (union tegra_instruction){
             .s_op = TEGRA_SCALAR_RET, .p_lt = 1, .p_eq = 1, .p_gt = 1},
          WORDS(0x001f9c6c, 0x6000000d, 0x8006c003, 0x60001ffc));
}

/* The driver's NOP with the end bit, also with both slots left out. */
static void
nvidia(void **state)
{
   const uint32_t *nop = WORDS(0x001f9c6c, 0x0000000d, 0x8106c083, 0x60401ffd);
   const union tegra_instruction end = {.end = 1};

   (void)state;
   expect(TEGRA_STYLE_NVIDIA, SAY(end) | SAY(v_op) | SAY(s_op), end, nop);
   expect(TEGRA_STYLE_NVIDIA, SAY(end), end, nop);
}

/* Whoever names one condition means no other. */
static void
one_condition_is_no_other(void **state)
{
   union tegra_instruction instruction = {.p_eq = 1};

   (void)state;
   tegra_imply(TEGRA_STYLE_NVIDIA, SAY(p_eq), &instruction);
   assert_int_equal(instruction.p_lt, 0);
   assert_int_equal(instruction.p_eq, 1);
   assert_int_equal(instruction.p_gt, 0);
}

static void
what_is_said_stays(void **state)
{
   union tegra_instruction instruction, before;

   (void)state;
   for (unsigned i = 0; i < TEGRA_NUM_FIELDS; i++)
      instruction.field[i] = (1u << tegra_fields[i].width) - 1;
   before = instruction;
   tegra_imply(TEGRA_STYLE_GRATE, (UINT64_C(1) << TEGRA_NUM_FIELDS) - 1,
               &instruction);
   assert_memory_equal(&instruction, &before, sizeof(before));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(grate),
      cmocka_unit_test(nvidia),
      cmocka_unit_test(one_condition_is_no_other),
      cmocka_unit_test(what_is_said_stays),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
