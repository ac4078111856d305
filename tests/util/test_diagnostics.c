/* SPDX-License-Identifier: MIT
 *
 * Complaints: what is kept, what is counted, and that both printed forms say
 * the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "../sweep.h"
#include "util/diagnostics.h"
#include "util/json.h"

static const struct tg_source source = {
   .name = "a.tgsi",
   .text = "FRAG\nDCL\tX\x80",
   .length = 11,
};
static const struct tg_position at_x = {.line = 2, .column = 5, .offset = 9};

static struct tg_diagnostics *
make_one(void)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   assert_non_null(diagnostics);
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "odd", &source, at_x,
               "a \"note\"", "%s is odd", "X");
   return diagnostics;
}

/* What has no glyph is shown as a space, so that the caret stands right. */
static void
test_text(void **state)
{
   struct tg_diagnostics *diagnostics = make_one();
   char *text = tg_diagnostics_text(diagnostics);

   (void)state;
   assert_string_equal(text, "a.tgsi:2:5: error: X is odd\n"
                             "DCL X \n"
                             "    ^\n"
                             "note: a \"note\"\n");
   tg_string_free(text);
   tg_diagnostics_destroy(diagnostics);
}

static const char *
string_of(const cJSON *object, const char *name)
{
   return cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
}

/* What is quoted cannot command a terminal. */
static void
test_controls(void **state)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   (void)state;
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "bad", &source, at_x, NULL,
               "unknown '%s'", "\x1b[2J\n\x7f\xc3\xa4");
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->message,
                       "unknown '?[2J??\xc3\xa4'");
   tg_diagnostics_destroy(diagnostics);
}

static void
test_json(void **state)
{
   struct tg_diagnostics *diagnostics = make_one();
   char *text = tg_diagnostics_json(diagnostics);
   cJSON *array = cJSON_Parse(text);
   const cJSON *object = cJSON_GetArrayItem(array, 0);

   (void)state;
   assert_int_equal(cJSON_GetArraySize(array), 1);
   assert_int_equal(cJSON_GetArraySize(object), 8);
   assert_string_equal(string_of(object, "severity"), "error");
   assert_string_equal(string_of(object, "code"), "odd");
   assert_string_equal(string_of(object, "file"), "a.tgsi");
   assert_int_equal(cJSON_GetObjectItem(object, "line")->valueint, 2);
   assert_int_equal(cJSON_GetObjectItem(object, "column")->valueint, 5);
   assert_string_equal(string_of(object, "message"), "X is odd");
   assert_string_equal(string_of(object, "note"), "a \"note\"");
   assert_string_equal(string_of(object, "source_line"), "DCL X ");
   cJSON_Delete(array);
   tg_string_free(text);
   tg_diagnostics_destroy(diagnostics);
}

/* Errors that come after a thousand warnings take the places of the latest. */
static void
test_more_than_are_kept(void **state)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   (void)state;
   for (int i = 0; i < 1000; i++)
      tg_diagnose(diagnostics, TG_SEVERITY_WARNING, "odd", &source, at_x, NULL,
                  "odd");
   for (int i = 0; i < 5; i++)
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "bad", &source, at_x, NULL,
                  "bad");
   assert_int_equal(tg_diagnostics_count(diagnostics), 1000);
   assert_int_equal(tg_diagnostics_num_errors(diagnostics), 5);
   assert_null(tg_diagnostics_get(diagnostics, 1000));
   for (size_t i = 0; i < 1000; i++)
      assert_string_equal(tg_diagnostics_get(diagnostics, i)->code,
                          i < 995 ? "odd" : "bad");
   for (int i = 0; i < 1000; i++)
      tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "worse", &source, at_x, NULL,
                  "worse");
   assert_string_equal(tg_diagnostics_get(diagnostics, 0)->code, "worse");
   assert_string_equal(tg_diagnostics_get(diagnostics, 999)->code, "bad");

   char *text = tg_diagnostics_text(diagnostics);
   assert_non_null(strstr(text, "2005 complaints; 1000 are shown\n"));
   tg_string_free(text);

   tg_diagnostics_clear(diagnostics);
   text = tg_diagnostics_text(diagnostics);
   assert_string_equal(text, "");
   tg_string_free(text);
   tg_diagnostics_destroy(diagnostics);
}

/* ---- memory -------------------------------------------------------------- */

/* JSON is whole or NULL, whichever allocation fails. */
static enum tg_result
write_json(const struct tg_allocator *allocator)
{
   struct tg_json json;

   tg_json_init_array(&json, allocator);
   tg_json_string(&json, json.root, NULL, "one");
   struct tg_json_value *object = tg_json_object(&json, json.root, NULL);
   for (int i = 0; i < 1000; i++)
      tg_json_number(&json, object, "number", i);
   char *text = tg_json_take(&json);
   tg_string_free(text);
   return text ? TG_OK : TG_ERROR_MEMORY;
}

static void
test_json_without_memory(void **state)
{
   (void)state;
   sweep(write_json);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_text),
      cmocka_unit_test(test_controls),
      cmocka_unit_test(test_json),
      cmocka_unit_test(test_more_than_are_kept),
      cmocka_unit_test(test_json_without_memory),
   };

   return cmocka_run_group_tests_name("diagnostics", tests, NULL, NULL);
}
