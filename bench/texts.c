/* SPDX-License-Identifier: MIT
 *
 * Reads the shaders of a folder.
 */
#include "texts.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
read_text(const char *path, struct bench_text *text)
{
   FILE *file = fopen(path, "rb");

   if (!file)
      return false;
   fseek(file, 0, SEEK_END);
   text->length = (size_t)ftell(file);
   rewind(file);
   text->data = malloc(text->length + 1);
   bool is_read =
      text->data && fread(text->data, 1, text->length, file) == text->length;
   fclose(file);
   return is_read;
}

size_t
bench_read_texts(const char *folder, struct bench_text *texts, size_t num)
{
   DIR *list = opendir(folder);

   if (!list) {
      perror(folder);
      exit(2);
   }
   for (struct dirent *entry;
        (entry = readdir(list)) && num < BENCH_MAX_TEXTS;) {
      char path[4096];

      if (!strstr(entry->d_name, ".tgsi"))
         continue;
      snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
      if (!read_text(path, &texts[num]))
         continue;
      texts[num++].name = strdup(entry->d_name);
   }
   closedir(list);
   return num;
}
