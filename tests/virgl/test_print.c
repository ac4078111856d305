/* SPDX-License-Identifier: MIT
 *
 * Commands as text: no word that a command must have is left out.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "util/length.h"
#include "virgl/wire/print.h"
#include "virgl/wire/protocol.h"

enum { MAX_WORDS = 64 };

struct kind {
   const char *name, *id;
   uint32_t number, object, length;
};

static const struct kind kinds[] = {
#define VIRGL_COMMAND(number, NAME, id, least, unit)                           \
   {#NAME, #id, number, 0, least},
#include "virgl/wire/commands.def"
#define VIRGL_OBJECT(number, NAME, id, least, unit, is_bound)                  \
   {#NAME, #id, VIRGL_CREATE_OBJECT, number, least},
#include "virgl/wire/objects.def"
};

static void
print(const struct kind *kind, const uint32_t *words, struct tg_strbuf *out)
{
   const struct virgl_command command = {
      .words = words,
      .length = kind->length,
      .number = kind->number,
      .object = kind->object,
   };

   virgl_print_command(&command, out);
}

/* A word of ones makes the line longer than one of zeros does, by more than an
 * empty group. */
static void
check_word(const struct kind *kind, uint32_t word)
{
   uint32_t words[MAX_WORDS] = {0};
   struct tg_strbuf without = {0}, with = {0};

   print(kind, words, &without);
   words[word] = UINT32_MAX;
   print(kind, words, &with);
   if (with.length == without.length || strstr(with.data, "{ }"))
      fail_msg("%s: word %u is not printed", kind->name, word);
   tg_strbuf_finish(&with);
   tg_strbuf_finish(&without);
}

static void
every_word_is_printed(void **test)
{
   (void)test;
   for (size_t i = 0; i < TG_LENGTH(kinds); i++) {
      assert_true(kinds[i].length < MAX_WORDS);
      if (strcmp(kinds[i].id, "refused") == 0)
         continue;
      for (uint32_t k = 1; k <= kinds[i].length; k++)
         check_word(&kinds[i], k);
   }
}

static void
expect_line(const struct virgl_command *command, const char *line)
{
   struct tg_strbuf out = {0};

   virgl_print_command(command, &out);
   assert_string_equal(out.data, line);
   tg_strbuf_finish(&out);
}

/* As long as the client says, and never beyond the command. */
static void
markers_show_their_text(void **test)
{
   uint32_t words[] = {0, 6, 0, 0, 0};
   struct virgl_command command = {
      .words = words,
      .length = 3,
      .number = VIRGL_EMIT_STRING_MARKER,
   };
   (void)test;

   memcpy(&words[2], "sky\x1bxyz", 8);
   memcpy(&words[4], "beyo", 4);
   expect_line(&command, "EMIT_STRING_MARKER length=6 \"sky?xy\"");
   words[1] = UINT32_MAX;
   expect_line(&command, "EMIT_STRING_MARKER length=4294967295 \"sky?xyz\"");
   command.length = 1;
   expect_line(&command, "EMIT_STRING_MARKER length=4294967295 \"\"");
}

static void
blits_show_their_scissor(void **test)
{
   uint32_t words[22] = {0, 1 << 10, 1 | 2 << 16, 3 | 4 << 16};
   const struct virgl_command command = {
      .words = words,
      .length = 21,
      .number = VIRGL_BLIT,
   };
   (void)test;

   expect_line(&command, "BLIT scissor min_x=1 min_y=2 max_x=3 max_y=4");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_word_is_printed),
      cmocka_unit_test(markers_show_their_text),
      cmocka_unit_test(blits_show_their_scissor),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
