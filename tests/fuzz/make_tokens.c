/* SPDX-License-Identifier: MIT
 *
 * Seeds for fuzz_tokens: the shaders of a folder as tokens, a byte for the
 * layout in front.
 *
 *    make_tokens FOLDER OUTPUT-FOLDER
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tungsten/tgsi.h"

static char text[1 << 20];

static void
write_tokens(const char *path, const struct tg_shader *shader,
             enum tg_token_layout layout)
{
   uint32_t *words;
   size_t num_words;

   if (tg_shader_encode(shader, layout, NULL, &words, &num_words) != TG_OK)
      return;
   FILE *file = fopen(path, "wb");
   if (!file || fputc(layout == TG_TOKENS_MESA_23_3, file) == EOF ||
       fwrite(words, 4, num_words, file) != num_words || fclose(file) != 0) {
      perror(path);
      exit(1);
   }
   tg_tokens_free(words);
}

int
main(int argc, char **argv)
{
   DIR *folder = argc == 3 ? opendir(argv[1]) : NULL;

   if (!folder) {
      fprintf(stderr, "usage: make_tokens FOLDER OUTPUT-FOLDER\n");
      return 2;
   }
   mkdir(argv[2], 0777);
   for (struct dirent *entry; (entry = readdir(folder));) {
      char path[4096];
      struct tg_shader *shader = NULL;

      if (!strstr(entry->d_name, ".tgsi"))
         continue;
      snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
      FILE *file = fopen(path, "rb");
      size_t length = file ? fread(text, 1, sizeof(text), file) : 0;
      if (file)
         fclose(file);
      tg_shader_parse(NULL, path, text, length, TG_DIALECT_2019, NULL, &shader);
      if (!shader)
         continue;
      snprintf(path, sizeof(path), "%s/%s.20", argv[2], entry->d_name);
      write_tokens(path, shader, TG_TOKENS_MESA_20_0);
      snprintf(path, sizeof(path), "%s/%s.23", argv[2], entry->d_name);
      write_tokens(path, shader, TG_TOKENS_MESA_23_3);
      tg_shader_destroy(shader);
   }
   closedir(folder);
   return 0;
}
