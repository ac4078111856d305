/* SPDX-License-Identifier: MIT
 *
 * Complaints about shaders, whole. For each FILE.tgsi of a folder the text of
 * all diagnostics must be that of FILE.expected. A file named bad-* must be
 * refused, one named warn-* be accepted with a warning, and one named good-*
 * has no FILE.expected and is accepted in silence. Of a file with another
 * name, a real shader, only errors count. A name that ends in -2010 or -2011 is
 * that of a shader of that dialect.
 *
 *    test_check FOLDER
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tungsten/tgsi.h"

enum { MAX_TEXT = 1 << 20 };

static char text[MAX_TEXT + 1];
static char expected[MAX_TEXT + 1];

/* False when there is no such file. */
static bool
read_file(const char *path, char *out, size_t *length_out)
{
   FILE *file = fopen(path, "rb");

   *length_out = 0;
   if (file) {
      *length_out = fread(out, 1, MAX_TEXT, file);
      fclose(file);
   }
   out[*length_out] = '\0';
   return file != NULL;
}

static bool
starts_with(const char *name, const char *start)
{
   return strncmp(name, start, strlen(start)) == 0;
}

static enum tg_dialect
dialect_of(const char *name)
{
   if (strstr(name, "-2010."))
      return TG_DIALECT_2010;
   return strstr(name, "-2011.") ? TG_DIALECT_2011 : TG_DIALECT_2019;
}

static bool
is_as_named(const char *name, enum tg_result result, const char *complaints,
            bool has_expected)
{
   const bool is_good = starts_with(name, "good-");

   if (starts_with(name, "bad-"))
      return result == TG_ERROR_INPUT && has_expected;
   if (is_good || starts_with(name, "warn-"))
      return result == TG_OK && has_expected == !is_good &&
             is_good == !*complaints;
   return result == TG_OK;
}

static bool
check(const char *folder, const char *name)
{
   char path[4096];
   size_t length, expected_length;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;

   snprintf(path, sizeof(path), "%s/%s", folder, name);
   read_file(path, text, &length);
   strcpy(strstr(path, ".tgsi"), ".expected");
   const bool has_expected = read_file(path, expected, &expected_length);

   enum tg_result result = tg_shader_parse(
      NULL, name, text, length, dialect_of(name), diagnostics, &shader);
   if (result == TG_OK)
      result = strstr(name, "strict")
                  ? tg_shader_validate_strictly(shader, diagnostics)
                  : tg_shader_validate(shader, diagnostics);
   char *complaints = tg_diagnostics_text(diagnostics);
   bool is_right = is_as_named(name, result, complaints, has_expected);
   if (has_expected && strcmp(complaints, expected) != 0)
      is_right = false;
   if (!is_right)
      printf("%s\n---- found\n%s---- expected\n%s", name, complaints, expected);

   tg_string_free(complaints);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
   return is_right;
}

int
main(int argc, char **argv)
{
   unsigned num_files = 0, num_right = 0;
   DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;

   if (!folder) {
      fprintf(stderr, "usage: test_check FOLDER\n");
      return 2;
   }
   for (struct dirent *entry; (entry = readdir(folder));) {
      if (!strstr(entry->d_name, ".tgsi"))
         continue;
      num_files++;
      num_right += check(argv[1], entry->d_name);
   }
   closedir(folder);
   printf("%u of %u files are as expected\n", num_right, num_files);
   return num_files && num_right == num_files ? 0 : 1;
}
