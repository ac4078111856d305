/* SPDX-License-Identifier: MIT
 *
 * JSON that is written, against its text and against another's parser.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "util/json.h"

/* Values of every kind, children of several parents in turn. */
static void
prints_all_kinds(void **state)
{
   struct tg_json json;

   (void)state;
   tg_json_init_object(&json, NULL);
   struct tg_json_value *list = tg_json_array(&json, json.root, "list");
   struct tg_json_value *other = tg_json_object(&json, json.root, "other");
   struct tg_json_value *last = tg_json_object(&json, list, NULL);
   tg_json_bool(&json, last, "yes", true);
   tg_json_null(&json, other, "nothing");
   tg_json_bool(&json, last, "no", false);
   tg_json_number(&json, list, NULL, -7);
   tg_json_array(&json, other, "empty");
   tg_json_object(&json, list, NULL);
   char *text = tg_json_take(&json);
   assert_string_equal(text, "{\n"
                             "\t\"list\":\t[{\n"
                             "\t\t\t\"yes\":\ttrue,\n"
                             "\t\t\t\"no\":\tfalse\n"
                             "\t\t}, -7, {}],\n"
                             "\t\"other\":\t{\n"
                             "\t\t\"nothing\":\tnull,\n"
                             "\t\t\"empty\":\t[]\n"
                             "\t}\n"
                             "}");
   tg_string_free(text);
}

/* The only element of an array that holds a string or number. */
static char *
print_string(const char *string)
{
   struct tg_json json;

   tg_json_init_array(&json, NULL);
   tg_json_string(&json, json.root, NULL, string);
   return tg_json_take(&json);
}

static void
check_string(const char *string, const char *expected)
{
   char *text = print_string(string);

   assert_string_equal(text, expected);
   tg_string_free(text);
}

static void
escapes(void **state)
{
   (void)state;
   check_string("a\"b\\c/", "[\"a\\\"b\\\\c/\"]");
   check_string("\b\f\n\r\t\x01\x1f", "[\"\\b\\f\\n\\r\\t\\u0001\\u001f\"]");
   check_string("", "[\"\"]");
}

/* RFC 3629's bounds: each sequence and its neighbours that are none. */
static void
keeps_utf8_only(void **state)
{
   static const char *const good[] = {
      "\x7f",         "\xc2\x80",         "\xdf\xbf",
      "\xe0\xa0\x80", "\xed\x9f\xbf",     "\xee\x80\x80",
      "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf",
   };
   static const char *const bad[] = {
      "\x80",
      "\xc1\xbf",
      "\xc2",
      "\xc2\x7f",
      "\xe0\x9f\xbf",
      "\xed\xa0\x80",
      "\xe1\x80",
      "\xf0\x8f\xbf\xbf",
      "\xf4\x90\x80\x80",
      "\xf5\x80\x80\x80",
      "\xff",
   };

   (void)state;
   for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
      char expected[16] = "[\"";

      strcat(strcat(expected, good[i]), "\"]");
      check_string(good[i], expected);
   }
   for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
      char *text = print_string(bad[i]);

      assert_memory_equal(text, "[\"\\ufffd", 8);
      for (const char *c = text; *c; c++)
         assert_true((unsigned char)*c < 0x80);
      tg_string_free(text);
   }
   check_string("a\xff"
                "b",
                "[\"a\\ufffdb\"]");
}

static void
check_number(double number, const char *expected)
{
   struct tg_json json;

   tg_json_init_array(&json, NULL);
   tg_json_number(&json, json.root, NULL, number);
   char *text = tg_json_take(&json);
   if (expected)
      assert_string_equal(text, expected);
   cJSON *array = cJSON_Parse(text);
   const double again = cJSON_GetArrayItem(array, 0)->valuedouble;
   if (isfinite(number))
      assert_memory_equal(&again, &number, sizeof(number));
   cJSON_Delete(array);
   tg_string_free(text);
}

/* As short as what is read back as the same number. */
static void
prints_numbers(void **state)
{
   (void)state;
   check_number(0, "[0]");
   check_number(-1, "[-1]");
   check_number(4294967295, "[4294967295]");
   check_number(0.1, "[0.1]");
   check_number(0.1f, "[0.10000000149011612]");
   check_number(1.0 / 3, NULL);
   check_number(DBL_MAX, NULL);
   check_number(DBL_MIN, NULL);
   check_number(5e-324, NULL);
   check_number(9007199254740992.0, NULL);
   check_number((double)NAN, "[null]");
   check_number((double)INFINITY, "[null]");
   check_number((double)-INFINITY, "[null]");
}

/* A point whatever the locale has. */
static void
has_a_point(void **state)
{
   (void)state;
   if (!setlocale(LC_NUMERIC, "de_DE.UTF-8"))
      return;
   prints_numbers(state);
   setlocale(LC_NUMERIC, "C");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(prints_all_kinds), cmocka_unit_test(escapes),
      cmocka_unit_test(keeps_utf8_only),  cmocka_unit_test(prints_numbers),
      cmocka_unit_test(has_a_point),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
