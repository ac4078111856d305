/* SPDX-License-Identifier: MIT
 *
 * The behaviours of dialects, once more as docs/dialects.md has them. Golden
 * tests show what each behaviour does; here stands which dialect has it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tgsi/tables/tables.h"

static const char *const names[TG_NUM_DIALECTS] = {
   [TG_DIALECT_2010] = "2010",
   [TG_DIALECT_2011] = "2011",
   [TG_DIALECT_2019] = "2019",
};

/* A 1 for each dialect that has the behaviour, from the oldest to the newest.
 */
enum {
   BEHAVIOUR_rsq_magnitude = 0110,
   BEHAVIOUR_lrp_difference = 0100,
   BEHAVIOUR_shift_by_x = 0110,
   BEHAVIOUR_compare_one = 0110,
   BEHAVIOUR_exponent_double = 0110,
   BEHAVIOUR_address_float = 0110,
   BEHAVIOUR_any_register = 0110,
   BEHAVIOUR_end_nests = 0110,
   BEHAVIOUR_color_semantic = 0110,
   BEHAVIOUR_fog_x = 0110,
   BEHAVIOUR_output_w_one = 0100,
   BEHAVIOUR_output_any = 0100,
   BEHAVIOUR_load_fetches = 0010,
   BEHAVIOUR_samples_zero = 0010,
   BEHAVIOUR_target_samples = 0010,
   BEHAVIOUR_fuses = 0001,
};

/* Columns that this list lacks do not compile. */
static const struct {
   const char *name;
   size_t member;
   unsigned dialects;
} behaviours[] = {
#define ROW(behaviour)                                                         \
   {#behaviour, offsetof(struct tg_dialect_info, behaviour),                   \
    BEHAVIOUR_##behaviour},
   TG_DIALECT_BEHAVIOURS(ROW)
#undef ROW
};

static void
test_names(void **state)
{
   (void)state;
   for (unsigned i = 0; i < TG_NUM_DIALECTS; i++)
      assert_string_equal(tg_dialect_row(i)->name, names[i]);
}

static void
test_behaviours(void **state)
{
   (void)state;
   for (size_t b = 0; b < sizeof(behaviours) / sizeof(*behaviours); b++) {
      for (unsigned i = 0; i < TG_NUM_DIALECTS; i++) {
         const char *row = (const char *)tg_dialect_row(i);
         const bool *has = (const bool *)(row + behaviours[b].member);
         const unsigned shift = 3 * (TG_NUM_DIALECTS - 1 - i);

         if (*has != (behaviours[b].dialects >> shift & 1))
            fail_msg("%s of %s", behaviours[b].name, names[i]);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_behaviours),
   };
   return cmocka_run_group_tests_name("dialects", tests, NULL, NULL);
}
