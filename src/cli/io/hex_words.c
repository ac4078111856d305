/* SPDX-License-Identifier: MIT
 *
 * The two forms of a file of words.
 */
#include "cli/io/hex_words.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "util/diagnostics.h"

enum { HEX_SIZE = 9 /* eight digits, space or newline */ };

char *
cli_words_to_bytes(const uint32_t *words, size_t num_words, size_t *size_out)
{
   unsigned char *bytes = malloc(num_words * 4 + 1);

   for (size_t i = 0; bytes && i < num_words; i++) {
      for (unsigned j = 0; j < 4; j++)
         bytes[i * 4 + j] = (unsigned char)(words[i] >> j * 8);
   }
   *size_out = num_words * 4;
   return (char *)bytes;
}

char *
cli_words_to_hex(const uint32_t *words, size_t num_words,
                 unsigned words_per_line, size_t *size_out)
{
   char *text = malloc(num_words * HEX_SIZE + 1);

   for (size_t i = 0; text && i < num_words; i++) {
      bool ends_line = (i + 1) % words_per_line == 0 || i + 1 == num_words;

      snprintf(text + i * HEX_SIZE, HEX_SIZE + 1, "%08x%c", words[i],
               ends_line ? '\n' : ' ');
   }
   *size_out = num_words * HEX_SIZE;
   return text;
}

/* ---- reading ------------------------------------------------------------- */

const char *
cli_hex_line_end(const char *at, const char *end)
{
   const char *found = memchr(at, '\n', (size_t)(end - at));

   return found ? found : end;
}

bool
cli_is_hex_comment(const char *at, const char *end)
{
   return *at == '#' || (end - at > 1 && at[0] == '/' && at[1] == '/');
}

/* Steps over what stands between words. */
static const char *
skip_space(const char *at, const char *end)
{
   while (at < end) {
      if (isspace((unsigned char)*at) || *at == ',')
         at++;
      else if (cli_is_hex_comment(at, end))
         at = cli_hex_line_end(at, end);
      else
         break;
   }
   return at;
}

bool
cli_read_hex(const char **at, const char *end, unsigned most_digits,
             uint64_t *word_out)
{
   const char *c = *at;
   uint64_t word = 0;
   unsigned num_digits = 0;

   if (end - c > 2 && c[0] == '0' && (c[1] == 'x' || c[1] == 'X'))
      c += 2;
   for (; c < end && isxdigit((unsigned char)*c); c++, num_digits++) {
      int digit = isdigit((unsigned char)*c)
                     ? *c - '0'
                     : tolower((unsigned char)*c) - 'a' + 10;
      word = word << 4 | (uint64_t)digit;
   }
   *at = c;
   *word_out = word;
   return num_digits >= 1 && num_digits <= most_digits &&
          (c == end || isspace((unsigned char)*c) || *c == ',');
}

bool
cli_is_text(const char *data, size_t size)
{
   for (size_t i = 0; i < size; i++) {
      if (iscntrl((unsigned char)data[i]) && !isspace((unsigned char)data[i]))
         return false;
   }
   return true;
}

bool
cli_first_hex(const char *at, const char *end, unsigned most_digits,
              uint64_t *word_out)
{
   at = skip_space(at, end);
   return at < end && cli_read_hex(&at, end, most_digits, word_out);
}

bool
cli_is_hex(const char *data, size_t size)
{
   const char *end = data + size;
   const char *at = skip_space(data, end);
   uint64_t word;

   return cli_is_text(data, size) &&
          (at == end || cli_read_hex(&at, end, UINT_MAX, &word));
}

void
cli_complain_of_hex(const char *path, const char *data, size_t size,
                    const char *at, const char *expected,
                    struct tg_diagnostics *diagnostics)
{
   const char *shown = cli_is_text(data, size) ? data : NULL;
   const struct tg_source source = {path, shown, size};
   struct tg_position position = {
      .line = 1,
      .offset = (uint32_t)(at - data),
   };
   const char *line = data;

   for (const char *c = data; c < at; c++) {
      if (*c != '\n')
         continue;
      line = c + 1;
      position.line++;
   }
   position.column = (uint32_t)(at - line) + 1;
   tg_diagnose(diagnostics, TG_SEVERITY_ERROR, "words", &source, position, NULL,
               "expected %s", expected);
}

uint32_t *
cli_words_from_hex(const char *path, const char *data, size_t size,
                   struct tg_diagnostics *diagnostics, size_t *num_words_out)
{
   /* A word takes at least a digit, and all but the last a space. */
   uint32_t *words = calloc(size / 2 + 1, sizeof(*words));
   if (!words) {
      cli_complain("out of memory");
      return NULL;
   }
   const char *end = data + size;
   size_t count = 0;
   for (const char *at = skip_space(data, end); at < end;
        at = skip_space(at, end)) {
      const char *start = at;
      uint64_t word;

      if (!cli_read_hex(&at, end, CLI_HEX_DIGITS, &word)) {
         cli_complain_of_hex(path, data, size, start,
                             "a word of up to eight hexadecimal digits",
                             diagnostics);
         free(words);
         return NULL;
      }
      words[count++] = (uint32_t)word;
   }
   *num_words_out = count;
   return words;
}

uint32_t *
cli_words_from_bytes(const char *path, const char *data, size_t size,
                     size_t *num_words_out)
{
   if (size % 4) {
      cli_complain("'%s': %zu bytes are no whole number of words", path, size);
      return NULL;
   }
   uint32_t *words = calloc(size / 4 + 1, sizeof(*words));
   if (!words) {
      cli_complain("out of memory");
      return NULL;
   }
   for (size_t i = 0; i < size; i++)
      words[i / 4] |= (uint32_t)(unsigned char)data[i] << i % 4 * 8;
   *num_words_out = size / 4;
   return words;
}
