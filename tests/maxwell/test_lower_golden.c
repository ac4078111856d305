/* SPDX-License-Identifier: MIT
 *
 * Whole listings: each NAME.tgsi of a folder is lowered, and what comes out, or
 * why nothing does, must be what NAME.expected says. Lines there that begin
 * with "##" say how that was worked out, and "## options:" which options there
 * are. The words of a listing must be without findings.
 *
 *    test_lower_golden FOLDER
 *    test_lower_golden --print NAME.tgsi    what comes out
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tungsten/maxwell.h"

enum { MOST_TEXT = 1 << 23 };

static char *
read_file(const char *path)
{
   char *text = calloc(1, MOST_TEXT);
   FILE *file = fopen(path, "rb");

   if (file && text)
      fread(text, 1, MOST_TEXT - 1, file);
   if (file)
      fclose(file);
   return text;
}

/* ---- one shader ---------------------------------------------------------- */

static struct tg_maxwell_lower_options
read_options(const char *expected)
{
   struct tg_maxwell_lower_options options = TG_MAXWELL_LOWER_OPTIONS_INIT;
   const char *line = strstr(expected, "## options:");
   char text[256] = "";

   if (line)
      sscanf(line, "%255[^\n]", text);
   options.half = strstr(text, "half");
   options.full_only = strstr(text, "full_only");
   const char *index = strstr(text, "first_index=");
   if (index)
      options.first_index = (uint32_t)strtoul(strchr(index, '=') + 1, NULL, 0);
   return options;
}

static bool
is_without_findings(const struct tg_maxwell_lowering *lowering,
                    struct tg_diagnostics *diagnostics)
{
   const struct tg_maxwell_program *program =
      tg_maxwell_lowering_program(lowering);
   size_t before = tg_diagnostics_count(diagnostics);

   return tg_maxwell_check(program, TG_MAXWELL_ANY, diagnostics) == TG_OK &&
          tg_diagnostics_count(diagnostics) == before;
}

/* The listing, or what was complained about. The caller frees it. */
static char *
lower_text(const char *name, const char *text, const char *expected)
{
   struct tg_maxwell_lower_options options = read_options(expected);
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_lowering *lowering = NULL;
   struct tg_shader *shader = NULL;
   char *out = NULL;

   if (tg_shader_parse(NULL, name, text, strlen(text), TG_DIALECT_2019,
                       diagnostics, &shader) == TG_OK &&
       tg_maxwell_lower(NULL, shader, &options, diagnostics, &lowering) ==
          TG_OK &&
       is_without_findings(lowering, diagnostics))
      out = tg_maxwell_lowering_print(lowering);
   if (!out)
      out = tg_diagnostics_text(diagnostics);
   tg_maxwell_lowering_destroy(lowering);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
   return out;
}

/* Without the lines that explain. */
static void
remove_remarks(char *text)
{
   char *to = text;

   for (char *line = text; *line;) {
      size_t length = strcspn(line, "\n");

      length += line[length] == '\n';
      if (strncmp(line, "##", 2) != 0) {
         memmove(to, line, length);
         to += length;
      }
      line += length;
   }
   *to = '\0';
}

/* ---- all of them --------------------------------------------------------- */

static bool
try_file(const char *folder, const char *name)
{
   int length = (int)strlen(name) - (int)strlen(".tgsi");
   char path[4096];

   snprintf(path, sizeof(path), "%s/%s", folder, name);
   char *text = read_file(path);
   snprintf(path, sizeof(path), "%s/%.*s.expected", folder, length, name);
   char *expected = read_file(path);
   char *found = lower_text(name, text, expected);

   remove_remarks(expected);
   bool good = found && strcmp(found, expected) == 0;
   if (!good)
      printf("%s:\n---- expected\n%s---- found\n%s", name, expected,
             found ? found : "");
   tg_string_free(found);
   free(expected);
   free(text);
   return good;
}

static int
print_file(const char *path)
{
   const char *name = strrchr(path, '/');
   char *text = read_file(path);
   char expected_path[4096];

   snprintf(expected_path, sizeof(expected_path), "%.*s.expected",
            (int)(strlen(path) - strlen(".tgsi")), path);
   char *expected = read_file(expected_path);
   char *found = lower_text(name ? name + 1 : path, text, expected);

   fputs(found ? found : "", stdout);
   tg_string_free(found);
   free(expected);
   free(text);
   return 0;
}

int
main(int argc, char **argv)
{
   if (argc == 3 && strcmp(argv[1], "--print") == 0)
      return print_file(argv[2]);

   const char *folder = argc > 1 ? argv[1] : "";
   struct dirent **entries;
   unsigned tried = 0, good = 0;
   int count = scandir(folder, &entries, NULL, alphasort);

   for (int i = 0; i < count; i++) {
      const char *end = strstr(entries[i]->d_name, ".tgsi");

      if (end && !end[strlen(".tgsi")]) {
         tried++;
         good += try_file(folder, entries[i]->d_name);
      }
      free(entries[i]);
   }
   if (count >= 0)
      free(entries);
   printf("%u listings, %u as expected\n", tried, good);
   return tried > 0 && good == tried ? 0 : 1;
}
