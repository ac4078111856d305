/* SPDX-License-Identifier: MIT
 *
 * Strings that grow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <locale.h>
#include <string.h>

#include "tungsten/base.h"
#include "util/strbuf.h"

/* Every way to add, over the size of the first piece of memory. */
static void
test_pieces(void **state)
{
   struct tg_strbuf buf = {0};

   (void)state;
   tg_strbuf_printf(&buf, "%100d", 7);
   tg_strbuf_add_char(&buf, ',');
   tg_strbuf_add(&buf, "");
   tg_strbuf_add_n(&buf, "ABC", 2);
   tg_strbuf_double(&buf, "%6.2f", 0.5);
   assert_int_equal(buf.length, 109);

   char *text = tg_strbuf_take(&buf);
   assert_int_equal(strlen(text), 109);
   assert_string_equal(text + 98, " 7,AB  0.50");
   assert_null(buf.data);
   tg_string_free(text);

   text = tg_strbuf_take(&buf);
   assert_string_equal(text, "");
   tg_string_free(text);
}

/* U+009F is the last control character, U+00A0 a space; a byte of 0xc2 at the
 * end is the beginning of neither. */
static void
test_controls_are_hidden(void **state)
{
   static const char text[] =
      "\x1b[2J \x7f\n\t\r|\xc2\x80\xc2\x9f\xc2\xa0\xc3\x84\x80\xc2\0gone";
   struct tg_strbuf buf = {0};

   (void)state;
   tg_strbuf_add(&buf, "\x1b");
   tg_strbuf_add_foreign(&buf, text, sizeof(text), TG_CONTROLS_NONE);
   tg_strbuf_add_foreign(&buf, text, 9, TG_CONTROLS_OF_LINES);
   char *all = tg_strbuf_take(&buf);
   assert_string_equal(all, "\x1b?[2J ????|????\xc2\xa0\xc3\x84\x80\xc2"
                            "?[2J ?\n\t?");
   tg_string_free(all);
}

/* Skipped where no locale with a decimal comma is installed. */
static void
test_numbers_have_a_point(void **state)
{
   static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8",
                                       "nl_NL.UTF-8", "sv_SE.UTF-8"};
   struct tg_strbuf buf = {0};
   bool has_locale = false;

   (void)state;
   for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
      has_locale = has_locale || setlocale(LC_NUMERIC, names[i]);
   if (!has_locale)
      skip();
   tg_strbuf_double(&buf, "%g", 0.5);
   tg_strbuf_printf(&buf, " %g", 0.5);
   setlocale(LC_NUMERIC, "C");

   char *text = tg_strbuf_take(&buf);
   assert_string_equal(text, "0.5 0,5");
   tg_string_free(text);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pieces),
      cmocka_unit_test(test_controls_are_hidden),
      cmocka_unit_test(test_numbers_have_a_point),
   };

   return cmocka_run_group_tests_name("strbuf", tests, NULL, NULL);
}
