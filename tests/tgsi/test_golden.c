/* SPDX-License-Identifier: MIT
 *
 * Shaders with their expected answer beside them: NAME.tgsi is parsed, and
 * what the parser says, followed by what the printer makes of the shader if
 * there is one, is the text of NAME.expected. Where there is no such file the
 * shader is expected to print as it is.
 *
 *    test_golden [--rebase] FOLDER
 *
 * With --rebase the expected answers are written; look at the difference
 * before you keep it.
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tungsten/tgsi.h"

enum { MAX_FILE = 1 << 20 };

static char text[MAX_FILE + 1];
static char expected[MAX_FILE + 1];
static char actual[2 * MAX_FILE];

static size_t
read_file(const char *path, char *buffer)
{
   FILE *file = fopen(path, "rb");
   size_t length = file ? fread(buffer, 1, MAX_FILE, file) : 0;

   if (file)
      fclose(file);
   buffer[length] = '\0';
   return length;
}

static void
write_file(const char *path, const char *content)
{
   FILE *file = fopen(path, "wb");

   if (!file || fputs(content, file) < 0 || fclose(file) != 0) {
      perror(path);
      exit(2);
   }
}

/* What there is to say of the text, into `actual`. */
static void
answer(const char *name, size_t length)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;
   char *printed = NULL;

   tg_shader_parse(NULL, name, text, length, TG_DIALECT_2019, diagnostics,
                   &shader);
   char *said = tg_diagnostics_text(diagnostics);
   if (shader)
      printed = tg_shader_print(shader, 0);
   snprintf(actual, sizeof(actual), "%s%s", said ? said : "out of memory\n",
            printed ? printed : "");
   tg_string_free(printed);
   tg_string_free(said);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
}

static bool
is_as_expected(const char *folder, const char *name, bool is_rebase)
{
   char path[4096];

   snprintf(path, sizeof(path), "%s/%s", folder, name);
   answer(name, read_file(path, text));
   strcpy(strrchr(path, '.'), ".expected");
   if (is_rebase) {
      if (strcmp(actual, text) != 0)
         write_file(path, actual);
      return true;
   }
   if (!read_file(path, expected))
      strcpy(expected, text);
   if (strcmp(actual, expected) == 0)
      return true;
   printf("---- %s: expected\n%s---- and got\n%s", name, expected, actual);
   return false;
}

int
main(int argc, char **argv)
{
   bool is_rebase = argc == 3 && strcmp(argv[1], "--rebase") == 0;
   const char *name = argc > 1 ? argv[argc - 1] : "";
   unsigned count = 0, failed = 0;
   DIR *folder = opendir(name);

   if (!folder) {
      fprintf(stderr, "usage: test_golden [--rebase] FOLDER\n");
      return 2;
   }
   for (struct dirent *entry; (entry = readdir(folder));) {
      const char *ending = strrchr(entry->d_name, '.');

      if (!ending || strcmp(ending, ".tgsi") != 0)
         continue;
      count++;
      failed += !is_as_expected(name, entry->d_name, is_rebase);
   }
   closedir(folder);
   printf("%u shaders, %u not as expected\n", count, failed);
   return count && !failed ? 0 : 1;
}
