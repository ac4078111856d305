/* SPDX-License-Identifier: MIT
 *
 * Members of structs by name: printed where they are not 0, and set.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "util/members.h"
#include "util/strbuf.h"

struct inner {
   uint8_t small;
   uint16_t fruit;
};

struct outer {
   uint64_t large;
   uint16_t bounded;
   uint32_t list[3];
   struct inner one;
   struct inner two[2];
};

static const char *
fruit_name(uint32_t value)
{
   static const char *const names[] = {"none", "apple", NULL, "pear"};

   return value < 4 ? names[value] : NULL;
}

static const struct tg_member inner_members[] = {
   TG_NUMBER(inner, small),
   TG_NAMED(inner, fruit, fruit_name),
   {0},
};

static const struct tg_member outer_members[] = {
   TG_NUMBER(outer, large),
   TG_NUMBER_TO(outer, bounded, 9),
   TG_NUMBERS(outer, list),
   TG_STRUCT(outer, one, inner_members),
   TG_STRUCTS(outer, two, inner_members),
   {0},
};

static void
expect_text(const struct outer *object, const char *expected)
{
   struct tg_strbuf out = {0};

   tg_members_print(&out, outer_members, object, "> ");
   tg_strbuf_add(&out, "");
   char *text = tg_strbuf_take(&out);
   assert_string_equal(text, expected);
   tg_string_free(text);
}

static void
test_print(void **state)
{
   const struct outer object = {
      .large = UINT64_C(0x100000000),
      .list = {0, 7, 0},
      .one = {.fruit = 3},
      .two = {{.small = 0}, {.small = 255, .fruit = 2}},
   };
   const struct outer nothing = {0};

   (void)state;
   expect_text(&object, "> large 4294967296\n> list[1] 7\n> one.fruit pear\n"
                        "> two[1].small 255\n> two[1].fruit 2\n");
   expect_text(&nothing, "");
}

static void
test_set(void **state)
{
   struct outer object = {0};

   (void)state;
   assert_null(tg_members_set(outer_members, &object, "large", "0x100000000"));
   assert_null(tg_members_set(outer_members, &object, "list[2]", "9"));
   assert_null(tg_members_set(outer_members, &object, "one.fruit", "pear"));
   assert_null(tg_members_set(outer_members, &object, "two[1].small", "255"));
   assert_null(tg_members_set(outer_members, &object, "bounded", "9"));
   assert_int_equal(object.bounded, 9);
   assert_int_equal(object.large, UINT64_C(0x100000000));
   assert_int_equal(object.list[2], 9);
   assert_int_equal(object.one.fruit, 3);
   assert_int_equal(object.two[1].small, 255);
}

static void
test_refusals(void **state)
{
   static const char *const pairs[][2] = {
      {"", "1"},
      {"lar", "1"},
      {"larger", "1"},
      {"large.small", "1"},
      {"large[0]", "1"},
      {"list", "1"},
      {"list[3]", "1"},
      {"list[", "1"},
      {"list[-1]", "1"},
      {"list[1", "1"},
      {"list[1]x", "1"},
      {"one", "1"},
      {"one.", "1"},
      {"one.large", "1"},
      {"two.small", "1"},
      {"large", ""},
      {"large", "1x"},
      {"large", "-1"},
      {"large", "apple"},
      {"list[0]", "4294967296"},
      {"one.small", "256"},
      {"one.fruit", "plum"},
      {"one.fruit", "3"},
      {"bounded", "10"},
      {"large", "18446744073709551616"},
   };
   const struct outer nothing = {0};
   struct outer object = {0};

   (void)state;
   for (unsigned i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
      assert_non_null(
         tg_members_set(outer_members, &object, pairs[i][0], pairs[i][1]));
   assert_memory_equal(&object, &nothing, sizeof(object));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_print),
      cmocka_unit_test(test_set),
      cmocka_unit_test(test_refusals),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
