/* SPDX-License-Identifier: MIT
 *
 * Texts with their expected answer beside them, for tests: what golden_answer()
 * makes of each NAME.ENDING of a folder is the text of NAME.expected. Where
 * there is no such file the text itself is expected.
 *
 *    test_golden [--rebase] FOLDER
 *
 * With --rebase the expected answers are written; look at the difference
 * before you keep it.
 */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tungsten/base.h"

enum { GOLDEN_MAX_FILE = 1 << 20 };

struct golden_files {
   const char *folder;
   bool is_rebase;
   char text[GOLDEN_MAX_FILE + 1];
   char expected[GOLDEN_MAX_FILE + 1];
   char actual[2 * GOLDEN_MAX_FILE];
};

/* Writes what there is to say of a text to `out`. */
typedef void (*golden_answer)(const char *name, const char *text, size_t length,
                              char *out, size_t size);

/* An answer that is what was diagnosed, or else another text. */
static inline void
golden_said(const struct tg_diagnostics *diagnostics, const char *otherwise,
            char *out, size_t size)
{
   char *said = tg_diagnostics_text(diagnostics);

   snprintf(out, size, "%s", said && *said ? said : otherwise);
   tg_string_free(said);
}

static size_t
golden_read(const char *path, char *buffer)
{
   FILE *file = fopen(path, "rb");
   size_t length = file ? fread(buffer, 1, GOLDEN_MAX_FILE, file) : 0;

   if (file)
      fclose(file);
   buffer[length] = '\0';
   return length;
}

static void
golden_write(const char *path, const char *content)
{
   FILE *file = fopen(path, "wb");

   if (!file || fputs(content, file) < 0 || fclose(file) != 0) {
      perror(path);
      exit(2);
   }
}

static bool
golden_is_as_expected(struct golden_files *files, const char *name,
                      golden_answer answer)
{
   char path[4096];

   snprintf(path, sizeof(path), "%s/%s", files->folder, name);
   answer(name, files->text, golden_read(path, files->text), files->actual,
          sizeof(files->actual));
   strcpy(strrchr(path, '.'), ".expected");
   if (files->is_rebase) {
      if (strcmp(files->actual, files->text) != 0)
         golden_write(path, files->actual);
      return true;
   }
   if (!golden_read(path, files->expected))
      strcpy(files->expected, files->text);
   if (strcmp(files->actual, files->expected) == 0)
      return true;
   printf("---- %s: expected\n%s---- and got\n%s", name, files->expected,
          files->actual);
   return false;
}

/* The exit status of a program with these arguments. */
static int
golden_main(int argc, char **argv, const char *ending, golden_answer answer)
{
   static struct golden_files files;
   unsigned count = 0, failed = 0;

   files.is_rebase = argc == 3 && strcmp(argv[1], "--rebase") == 0;
   files.folder = argc > 1 ? argv[argc - 1] : "";
   DIR *folder = opendir(files.folder);
   if (!folder) {
      fprintf(stderr, "usage: test_golden [--rebase] FOLDER\n");
      return 2;
   }
   for (struct dirent *entry; (entry = readdir(folder));) {
      const char *found = strrchr(entry->d_name, '.');

      if (!found || strcmp(found, ending) != 0)
         continue;
      count++;
      failed += !golden_is_as_expected(&files, entry->d_name, answer);
   }
   closedir(folder);
   printf("%u texts, %u not as expected\n", count, failed);
   return count && !failed ? 0 : 1;
}

#endif
