/* SPDX-License-Identifier: MIT
 *
 * What the checker says, whole: of each FILE.s of a folder the diagnostics are
 * the text of FILE.expected, and there are none where there is no such file.
 * The file that is named for a finding has it; a finding without a file is a
 * failure.
 *
 *    test_check_golden FOLDER
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tungsten/tegra.h"

enum { MAX_TEXT = 1 << 16 };

static char text[MAX_TEXT + 1];
static char expected[MAX_TEXT + 1];

static const char *const codes[] = {
#define TEGRA_FINDING(id, severity, code, title, note) code,
#include "tegra/findings.def"
};

enum { NUM_FINDINGS = sizeof(codes) / sizeof(codes[0]) };

/* Those whose own file has them. */
static bool is_covered[NUM_FINDINGS];

/* Empty when there is no such file. */
static size_t
read_file(const char *path, char *out)
{
   FILE *file = fopen(path, "rb");
   size_t length = file ? fread(out, 1, MAX_TEXT, file) : 0;

   if (file)
      fclose(file);
   out[length] = '\0';
   return length;
}

static void
note_findings(const char *name, const struct tg_diagnostics *diagnostics)
{
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const char *code = tg_diagnostics_get(diagnostics, i)->code;
      size_t length = strlen(code);

      for (size_t j = 0; j < NUM_FINDINGS; j++) {
         if (strcmp(codes[j], code) == 0 && strncmp(name, code, length) == 0 &&
             name[length] == '.')
            is_covered[j] = true;
      }
   }
}

static bool
is_as_expected(const char *folder, const char *name)
{
   char path[4096];
   struct tg_diagnostics *assembling = tg_diagnostics_create(NULL);
   struct tg_diagnostics *checking = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;

   snprintf(path, sizeof(path), "%s/%s", folder, name);
   size_t length = read_file(path, text);
   strcpy(strrchr(path, '.'), ".expected");
   read_file(path, expected);

   enum tg_result result =
      tg_tegra_assemble(NULL, name, text, length, 0, assembling, &program);
   bool is_right = result == TG_OK;
   if (is_right) {
      result = tg_tegra_check(program, checking);
      is_right =
         (result == TG_OK) == (tg_diagnostics_num_errors(checking) == 0);
   }
   char *said = tg_diagnostics_text(program ? checking : assembling);
   is_right = is_right && strcmp(said, expected) == 0;
   if (!is_right)
      printf("---- %s: expected\n%s---- and got\n%s", name, expected, said);
   note_findings(name, checking);

   tg_string_free(said);
   tg_tegra_program_destroy(program);
   tg_diagnostics_destroy(checking);
   tg_diagnostics_destroy(assembling);
   return is_right;
}

static unsigned
count_uncovered(void)
{
   unsigned count = 0;

   for (size_t i = 0; i < NUM_FINDINGS; i++) {
      if (is_covered[i])
         continue;
      printf("no file has the finding that it is named for: %s\n", codes[i]);
      count++;
   }
   return count;
}

int
main(int argc, char **argv)
{
   DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
   unsigned count = 0, failed = 0;

   if (!folder) {
      fprintf(stderr, "usage: test_check_golden FOLDER\n");
      return 2;
   }
   for (struct dirent *entry; (entry = readdir(folder));) {
      const char *ending = strrchr(entry->d_name, '.');

      if (!ending || strcmp(ending, ".s") != 0)
         continue;
      count++;
      failed += !is_as_expected(argv[1], entry->d_name);
   }
   closedir(folder);
   printf("%u programs, %u not as expected\n", count, failed);
   return count && !failed && count_uncovered() == 0 ? 0 : 1;
}
