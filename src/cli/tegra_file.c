/* SPDX-License-Identifier: MIT
 *
 * The forms of a file with a program of Tegra's vertex unit.
 */
#include "cli/tegra_file.h"

#include <stdlib.h>
#include <string.h>

#include "cli/files.h"
#include "cli/words.h"

enum { UPLOAD, REVERSED }; /* the words of --order */

/* Turns the words of each instruction round, which undoes itself. What is no
 * whole instruction at the end stays, for others to complain about. */
static void
reverse(uint32_t *words, size_t num_words)
{
   for (size_t i = 0; i + TG_TEGRA_WORDS <= num_words; i += TG_TEGRA_WORDS) {
      for (unsigned j = 0; j < TG_TEGRA_WORDS / 2; j++) {
         uint32_t *a = &words[i + j];
         uint32_t *b = &words[i + TG_TEGRA_WORDS - 1 - j];
         uint32_t word = *a;

         *a = *b;
         *b = word;
      }
   }
}

/* Sets the end bit of the last whole instruction, if any. */
static void
end_last(uint32_t *words, size_t num_words)
{
   const size_t end = num_words - num_words % TG_TEGRA_WORDS;

   if (end)
      words[end - 1] |= 1;
}

/* ---- reading ------------------------------------------------------------- */

/* How many instructions have the end bit, and whether the last one has, if that
 * is bit 0 of their word `which`. */
static size_t
count_ends(const uint32_t *words, size_t num_words, unsigned which,
           bool *last_has_out)
{
   size_t count = 0;

   *last_has_out = false;
   for (size_t i = 0; i + TG_TEGRA_WORDS <= num_words; i += TG_TEGRA_WORDS) {
      *last_has_out = words[i + which] & 1;
      count += *last_has_out;
   }
   return count;
}

/* Words in the wrong order are a program as well, but seldom one that ends. Of
 * a single instruction nothing can be said. */
static void
doubt_order(const struct cli_call *call, const char *path,
            const uint32_t *words, size_t num_words)
{
   const bool is_reversed = call->options.word_order == REVERSED;
   bool ends;

   if (num_words > TG_TEGRA_WORDS &&
       count_ends(words, num_words, TG_TEGRA_WORDS - 1, &ends) == 0 &&
       count_ends(words, num_words, 0, &ends) == 1 && ends)
      cli_complain("'%s' has no instruction with the end bit; with --order=%s "
                   "the last one has it",
                   path, is_reversed ? "upload" : "reversed");
}

static enum cli_tegra_form
form_of(const char *data, size_t size)
{
   if (cli_is_hex(data, size))
      return CLI_TEGRA_HEX;
   return cli_is_text(data, size) ? CLI_TEGRA_TEXT : CLI_TEGRA_BIN;
}

static struct tg_tegra_program *
decode(struct cli_call *call, const char *path, const char *data, size_t size,
       bool is_hex)
{
   struct tg_tegra_program *program = NULL;
   size_t num_words;
   uint32_t *words =
      is_hex
         ? cli_words_from_hex(path, data, size, call->diagnostics, &num_words)
         : cli_words_from_bytes(path, data, size, &num_words);
   if (!words)
      return NULL;

   if (call->options.word_order == REVERSED)
      reverse(words, num_words);
   if (call->options.end_last)
      end_last(words, num_words);
   else
      doubt_order(call, path, words, num_words);
   cli_status_of(tg_tegra_decode(NULL, path, words, num_words,
                                 call->diagnostics, &program));
   free(words);
   return program;
}

struct tg_tegra_program *
cli_load_tegra(struct cli_call *call, const char *path,
               enum cli_tegra_form form, unsigned flags)
{
   struct tg_tegra_program *program = NULL;
   size_t size;
   char *data = cli_read(path, &size);
   if (!data)
      return NULL;

   if (form == CLI_TEGRA_AUTO)
      form = form_of(data, size);
   if (form == CLI_TEGRA_TEXT)
      cli_status_of(tg_tegra_assemble(
         NULL, path, data, size,
         flags | (call->options.end_last ? TG_TEGRA_END_LAST : 0),
         call->diagnostics, &program));
   else
      program = decode(call, path, data, size, form == CLI_TEGRA_HEX);
   free(data);
   return program;
}

/* ---- lines of text ------------------------------------------------------- */

bool
cli_tegra_lines_init(struct cli_tegra_lines *lines,
                     const struct tg_tegra_program *program)
{
   const uint32_t num_instructions = tg_tegra_num_instructions(program);
   uint32_t next = 0;
   char *save = NULL;

   *lines = (struct cli_tegra_lines){.text = tg_tegra_print(program, 0)};
   if (!lines->text)
      return false;
   for (char *line = strtok_r(lines->text, "\n", &save);
        line && next < num_instructions; line = strtok_r(NULL, "\n", &save)) {
      line += strspn(line, " \t");
      if (strncmp(line, "EXEC", 4) == 0 || strncmp(line, ".word", 5) == 0)
         lines->lines[next++] = line;
   }
   return true;
}

void
cli_tegra_lines_finish(struct cli_tegra_lines *lines)
{
   tg_string_free(lines->text);
   lines->text = NULL;
}

/* ---- writing ------------------------------------------------------------- */

uint32_t
cli_tegra_num_constants(const struct tg_tegra_program *program)
{
   uint32_t words[4], count = 0;

   for (uint32_t i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++)
      count += tg_tegra_constant(program, i, words) != 0;
   return count;
}

/* Words without the constants that belong to them are half a program. */
static bool
write_words(const struct cli_call *call, const uint32_t *words, size_t count,
            enum cli_tegra_words_form form)
{
   size_t size = 0;
   char *data = form == CLI_TEGRA_WRITE_HEX
                   ? cli_words_to_hex(words, count, TG_TEGRA_WORDS, &size)
                   : cli_words_to_bytes(words, count, &size);
   if (!data) {
      cli_status_of(TG_ERROR_MEMORY);
      return false;
   }

   bool good = cli_write(call->options.output, data, size);
   free(data);
   return good;
}

static void
tell_of_constants(const struct tg_tegra_program *program)
{
   const uint32_t count = cli_tegra_num_constants(program);

   if (count)
      cli_complain("%u constant%s of the program %s not among the words; "
                   "--format=c has them",
                   count, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}

int
cli_write_tegra_words(const struct cli_call *call,
                      const struct tg_tegra_program *program,
                      enum cli_tegra_words_form form)
{
   const size_t count =
      (size_t)tg_tegra_num_instructions(program) * TG_TEGRA_WORDS;
   const char *path = call->options.output;
   uint32_t *words = malloc(count * sizeof(*words) + 1);
   int status = CLI_OK;

   if (!words)
      return cli_status_of(TG_ERROR_MEMORY);
   memcpy(words, tg_tegra_words(program), count * sizeof(*words));
   if (call->options.word_order == REVERSED)
      reverse(words, count);
   if (form == CLI_TEGRA_WRITE_C)
      status = cli_write_string(path, cli_tegra_to_c(program, words));
   else if (write_words(call, words, count, form))
      tell_of_constants(program);
   else
      status = CLI_FAILED;
   free(words);
   return status;
}

unsigned
cli_tegra_print_flags(const struct cli_options *options)
{
   return (options->labels ? TG_TEGRA_PRINT_LABELS : 0) |
          (options->with_words ? TG_TEGRA_PRINT_WORDS : 0) |
          (options->with_fields ? TG_TEGRA_PRINT_FIELDS : 0);
}
