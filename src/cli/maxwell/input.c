/* SPDX-License-Identifier: MIT
 *
 * The forms of a file with a program for Maxwell.
 */
#include "cli/maxwell/input.h"

#include <stdlib.h>
#include <string.h>

#include "cli/io/diagnostics.h"
#include "cli/io/files.h"
#include "cli/io/hex_words.h"
#include "util/strbuf.h"

enum {
   WORD_DIGITS = 16,
   CONTROL_DIGITS = 6,
};

enum tg_maxwell_version
cli_maxwell_input_version(const struct cli_options *options)
{
   static const enum tg_maxwell_version versions[] = {
      TG_MAXWELL_ANY,
      TG_MAXWELL_SPA_5_0,
      TG_MAXWELL_SPA_5_2,
   };
   return versions[options->spa];
}

/* ---- reading ------------------------------------------------------------- */

/* Words that were read. `controls` are their control bits, if they are not
 * among the words. */
struct words {
   uint64_t *words;
   uint32_t *controls;
   size_t count;
};

static void
finish(struct words *words)
{
   free(words->words);
   free(words->controls);
}

static bool
reserve(struct words *words, size_t most)
{
   words->words = calloc(most + 1, sizeof(*words->words));
   words->controls = calloc(most + 1, sizeof(*words->controls));
   if (words->words && words->controls)
      return true;
   cli_complain("out of memory");
   return false;
}

static bool
words_from_bytes(const char *path, const char *data, size_t size,
                 struct words *words)
{
   if (size % sizeof(uint64_t)) {
      cli_complain("'%s': %zu bytes are no whole number of words of 64 bits",
                   path, size);
      return false;
   }
   words->count = size / sizeof(uint64_t);
   if (!reserve(words, words->count))
      return false;
   for (size_t i = 0; i < size; i++)
      words->words[i / 8] |= (uint64_t)(unsigned char)data[i] << i % 8 * 8;
   return true;
}

/* Steps over spaces of a line, the comma between its words, and a comment. */
static const char *
skip_blanks(const char *at, const char *end)
{
   while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == ','))
      at++;
   return at < end && cli_is_hex_comment(at, end) ? end : at;
}

/* Reads the words of a line, one or two. False, with the place in `*at`, when
 * there is something else. */
static bool
read_line(const char **at, const char *end, struct words *words)
{
   uint64_t control = 0;

   *at = skip_blanks(*at, end);
   if (*at == end)
      return true;

   const char *start = *at;
   bool good = cli_read_hex(at, end, WORD_DIGITS, &words->words[words->count]);
   if (good) {
      start = *at = skip_blanks(*at, end);
      good = *at == end || cli_read_hex(at, end, CONTROL_DIGITS, &control);
   }
   if (good)
      start = *at = skip_blanks(*at, end);
   words->controls[words->count++] = (uint32_t)control;
   good = good && *at == end;
   *at = start;
   return good;
}

static bool
words_from_hex(struct cli_call *call, const char *path, const char *data,
               size_t size, struct words *words)
{
   const char *end = data + size;

   /* A word takes at least a digit, and all but the last a line end. */
   if (!reserve(words, size / 2 + 1))
      return false;
   for (const char *at = data; at < end; at++) {
      const char *line_end = cli_hex_line_end(at, end);

      if (!read_line(&at, line_end, words)) {
         cli_complain_of_hex(path, data, size, at,
                             "a word of up to 16 hexadecimal digits, and "
                             "after it up to 6 of control bits",
                             call->diagnostics);
         return false;
      }
      at = line_end;
   }
   return true;
}

static struct tg_maxwell_program *
decode(struct cli_call *call, const char *path, const char *data, size_t size,
       bool is_hex)
{
   struct tg_maxwell_program *program = NULL;
   struct words words = {0};
   bool good = is_hex ? words_from_hex(call, path, data, size, &words)
                      : words_from_bytes(path, data, size, &words);

   if (good && call->options.bundles)
      cli_diagnostics_status(tg_maxwell_decode_code(
         NULL, path, words.words, words.count, call->diagnostics, &program));
   else if (good)
      cli_diagnostics_status(tg_maxwell_decode(NULL, path, words.words,
                                               words.controls, words.count,
                                               call->diagnostics, &program));
   finish(&words);
   return program;
}

static enum cli_maxwell_form
form_of(const char *data, size_t size)
{
   if (cli_is_hex(data, size))
      return CLI_MAXWELL_HEX;
   return cli_is_text(data, size) ? CLI_MAXWELL_TEXT : CLI_MAXWELL_BIN;
}

static void
read_program(struct cli_call *call, const char *path, const char *data,
             size_t size, enum cli_maxwell_form form,
             struct cli_maxwell_input *input)
{
   if (form == CLI_MAXWELL_AUTO)
      form = form_of(data, size);
   if (form == CLI_MAXWELL_TEXT)
      cli_diagnostics_status(tg_maxwell_assemble(
         NULL, path, data, size, call->diagnostics, &input->program));
   else
      input->program = decode(call, path, data, size, form == CLI_MAXWELL_HEX);
   input->end = input->program != NULL;
   if (input->program && call->options.section) {
      cli_complain("'%s' is no cubin, and has no sections", path);
      input->end = 0;
   }
}

/* May a section be called this? .text. need not be said. */
static bool
is_called(const char *section, const char *name)
{
   static const char prefix[] = ".text.";
   const size_t length = sizeof(prefix) - 1;

   return strcmp(section, name) == 0 ||
          (strncmp(section, prefix, length) == 0 &&
           strcmp(section + length, name) == 0);
}

/* Leaves the section that --section names. */
static void
choose_section(const char *path, const char *name,
               struct cli_maxwell_input *input)
{
   for (uint32_t i = input->first; i < input->end; i++) {
      if (is_called(tg_maxwell_cubin_section_name(input->cubin, i), name)) {
         input->first = i;
         input->end = i + 1;
         return;
      }
   }
   cli_complain("'%s' has no section of code '%s'", path, name);
   input->end = 0;
}

static void
read_cubin(struct cli_call *call, const char *path, const char *data,
           size_t size, struct cli_maxwell_input *input)
{
   cli_diagnostics_status(tg_maxwell_cubin_read(
      NULL, path, data, size, call->diagnostics, &input->cubin));
   if (!input->cubin)
      return;
   input->end = tg_maxwell_cubin_num_sections(input->cubin);
   if (call->options.section)
      choose_section(path, call->options.section, input);
}

bool
cli_maxwell_input_read(struct cli_call *call, const char *path,
                       enum cli_maxwell_form form,
                       struct cli_maxwell_input *input_out)
{
   struct cli_maxwell_input input = {0};
   size_t size;
   char *data = cli_read_file(path, &size);

   if (data && form == CLI_MAXWELL_AUTO && tg_maxwell_is_elf(data, size))
      read_cubin(call, path, data, size, &input);
   else if (data)
      read_program(call, path, data, size, form, &input);
   free(data);
   *input_out = input;
   return input.first < input.end;
}

void
cli_maxwell_input_finish(struct cli_maxwell_input *input)
{
   tg_maxwell_program_destroy(input->program);
   tg_maxwell_cubin_destroy(input->cubin);
}

const struct tg_maxwell_program *
cli_maxwell_input_program(const struct cli_maxwell_input *input,
                          uint32_t number)
{
   return input->cubin ? tg_maxwell_cubin_program(input->cubin, number)
                       : input->program;
}

/* ---- lines of text ------------------------------------------------------- */

static const char *
instruction_of(const char *line)
{
   return strncmp(line, ".integer", 8) == 0 ? NULL : line;
}

bool
cli_maxwell_input_lines_init(struct cli_lines *lines,
                             const struct tg_maxwell_program *program)
{
   return cli_lines_init(lines, tg_maxwell_print(program, 0),
                         tg_maxwell_num_instructions(program), instruction_of);
}
