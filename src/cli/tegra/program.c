/* SPDX-License-Identifier: MIT
 *
 * The forms of a file with a program of Tegra's vertex unit.
 */
#include "cli/tegra/program.h"

#include <stdlib.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/hex_words.h"

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
   if (!cli_is_text(data, size))
      return CLI_TEGRA_BIN;
   return tg_tegra_is_host1x_log(data, size) ? CLI_TEGRA_HOST1X
                                             : CLI_TEGRA_TEXT;
}

static struct tg_tegra_program *
assemble(struct cli_call *call, const char *path, const char *text, size_t size,
         unsigned flags)
{
   struct tg_tegra_program *program = NULL;

   if (call->options.end_last)
      flags |= TG_TEGRA_END_LAST;
   cli_diagnostics_status(tg_tegra_assemble(NULL, path, text, size, flags,
                                            call->diagnostics, &program));
   return program;
}

/* Words that are instructions; they may be changed. */
static struct tg_tegra_program *
decode(struct cli_call *call, const char *path, uint32_t *words,
       size_t num_words)
{
   struct tg_tegra_program *program = NULL;

   if (call->options.word_order == REVERSED)
      reverse(words, num_words);
   if (call->options.end_last)
      end_last(words, num_words);
   else
      doubt_order(call, path, words, num_words);
   cli_diagnostics_status(tg_tegra_decode(NULL, path, words, num_words,
                                          call->diagnostics, &program));
   return program;
}

/* Options for what is no command stream, and of that alone. */
static bool
check_options(const struct cli_call *call, const char *path, bool is_stream)
{
   const struct cli_options *options = &call->options;

   if (is_stream && options->word_order == REVERSED)
      cli_complain("'%s' is a command stream, in the order of upload; it "
                   "cannot be read with --order=reversed",
                   path);
   else if (is_stream && options->end_last)
      cli_complain("'%s' is a command stream, and --end-last for what a loader "
                   "makes one of",
                   path);
   else if (!is_stream && options->upload)
      cli_complain("'%s' is no command stream, of which --upload chooses a "
                   "program",
                   path);
   else
      return true;
   return false;
}

static uint32_t *
read_words(struct cli_call *call, const char *path, const char *data,
           size_t size, bool is_hex, size_t *num_words_out)
{
   return is_hex ? cli_words_from_hex(path, data, size, call->diagnostics,
                                      num_words_out)
                 : cli_words_from_bytes(path, data, size, num_words_out);
}

/* Words as a form has them; with CLI_TEGRA_AUTO they may be a command stream as
 * well. */
static struct tg_tegra_program *
load_words(struct cli_call *call, const char *path, const char *data,
           size_t size, enum cli_tegra_form wanted, bool is_hex)
{
   struct tg_tegra_program *program = NULL;
   size_t num_words;
   uint32_t *words = read_words(call, path, data, size, is_hex, &num_words);
   if (!words)
      return NULL;

   const bool is_stream =
      wanted == CLI_TEGRA_HOST1X ||
      (wanted == CLI_TEGRA_AUTO && tg_tegra_is_host1x(words, num_words));
   if (check_options(call, path, is_stream)) {
      if (is_stream)
         cli_diagnostics_status(tg_tegra_decode_host1x(
            NULL, path, words, num_words, (uint32_t)call->options.upload,
            call->diagnostics, &program));
      else
         program = decode(call, path, words, num_words);
   }
   free(words);
   return program;
}

static struct tg_tegra_program *
load_log(struct cli_call *call, const char *path, const char *text, size_t size)
{
   struct tg_tegra_program *program = NULL;

   if (check_options(call, path, true))
      cli_diagnostics_status(tg_tegra_decode_host1x_log(
         NULL, path, text, size, (uint32_t)call->options.upload,
         call->diagnostics, &program));
   return program;
}

static struct tg_tegra_program *
load(struct cli_call *call, const char *path, const char *data, size_t size,
     enum cli_tegra_form wanted, unsigned flags)
{
   const enum cli_tegra_form looks = form_of(data, size);
   const enum cli_tegra_form form = wanted == CLI_TEGRA_AUTO ? looks : wanted;

   switch (form) {
   case CLI_TEGRA_TEXT:
      return check_options(call, path, false)
                ? assemble(call, path, data, size, flags)
                : NULL;
   case CLI_TEGRA_HOST1X:
      if (cli_is_text(data, size) && looks != CLI_TEGRA_HEX)
         return load_log(call, path, data, size);
      return load_words(call, path, data, size, form, looks == CLI_TEGRA_HEX);
   default:
      return load_words(call, path, data, size, wanted, form == CLI_TEGRA_HEX);
   }
}

struct tg_tegra_program *
cli_load_tegra_program(struct cli_call *call, const char *path,
                       enum cli_tegra_form form, unsigned flags)
{
   size_t size;
   char *data = cli_read_file(path, &size);
   if (!data)
      return NULL;

   struct tg_tegra_program *program = load(call, path, data, size, form, flags);
   free(data);
   return program;
}

/* ---- lines of text ------------------------------------------------------- */

static const char *
instruction_of(const char *line)
{
   line += strspn(line, " \t");
   return strncmp(line, "EXEC", 4) == 0 || strncmp(line, ".word", 5) == 0
             ? line
             : NULL;
}

bool
cli_tegra_program_lines_init(struct cli_lines *lines,
                             const struct tg_tegra_program *program)
{
   return cli_lines_init(lines, tg_tegra_print(program, 0),
                         tg_tegra_num_instructions(program), instruction_of);
}

/* ---- writing ------------------------------------------------------------- */

uint32_t
cli_tegra_program_num_constants(const struct tg_tegra_program *program)
{
   uint32_t words[4], count = 0;

   for (uint32_t i = 0; i < TG_TEGRA_NUM_CONSTANTS; i++)
      count += tg_tegra_constant(program, i, words) != 0;
   return count;
}

static bool
is_stream(enum cli_tegra_words_form form)
{
   return form == CLI_TEGRA_WRITE_HOST1X || form == CLI_TEGRA_WRITE_HOST1X_BIN;
}

/* The words of a form, of which there is room for enough. */
static size_t
make_words(const struct cli_call *call, const struct tg_tegra_program *program,
           enum cli_tegra_words_form form, uint32_t *words)
{
   const size_t count =
      (size_t)tg_tegra_num_instructions(program) * TG_TEGRA_WORDS;

   if (is_stream(form))
      return tg_tegra_encode_host1x(program, words, TG_TEGRA_MAX_HOST1X_WORDS);
   memcpy(words, tg_tegra_words(program), count * sizeof(*words));
   if (call->options.word_order == REVERSED)
      reverse(words, count);
   return count;
}

static int
write_words(const struct cli_call *call, const uint32_t *words, size_t count,
            bool is_hex)
{
   size_t size = 0;
   char *data = is_hex ? cli_words_to_hex(words, count, TG_TEGRA_WORDS, &size)
                       : cli_words_to_bytes(words, count, &size);
   if (!data)
      return cli_diagnostics_status(TG_ERROR_MEMORY);

   bool good = cli_write_file(call->options.output, data, size);
   free(data);
   return good ? CLI_OK : CLI_FAILED;
}

/* Words without the constants that belong to them are half a program. */
static void
warn_of_constants(const struct tg_tegra_program *program)
{
   const uint32_t count = cli_tegra_program_num_constants(program);

   if (count)
      cli_complain("%u constant%s of the program %s not among the words; "
                   "--format=c and host1x have them",
                   count, count == 1 ? "" : "s", count == 1 ? "is" : "are");
}

int
cli_write_tegra_program(const struct cli_call *call,
                        const struct tg_tegra_program *program,
                        enum cli_tegra_words_form form)
{
   uint32_t words[TG_TEGRA_MAX_HOST1X_WORDS];

   if (is_stream(form) && call->options.word_order == REVERSED) {
      cli_complain("a command stream has the order of upload, and "
                   "--order=reversed is for words alone");
      return CLI_USAGE;
   }
   const size_t count = make_words(call, program, form, words);
   if (form == CLI_TEGRA_WRITE_C)
      return cli_write_string_file(call->options.output,
                                   cli_tegra_to_c(program, words));
   int status = write_words(call, words, count,
                            form == CLI_TEGRA_WRITE_HEX ||
                               form == CLI_TEGRA_WRITE_HOST1X);
   if (status == CLI_OK && !is_stream(form))
      warn_of_constants(program);
   return status;
}

unsigned
cli_tegra_program_print_flags(const struct cli_options *options)
{
   return (options->labels ? TG_TEGRA_PRINT_LABELS : 0) |
          (options->with_words ? TG_TEGRA_PRINT_WORDS : 0) |
          (options->with_fields ? TG_TEGRA_PRINT_FIELDS : 0);
}
