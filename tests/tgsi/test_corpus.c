/* SPDX-License-Identifier: MIT
 *
 * Real shaders: each file of the folder named is Mesa's own print of a shader,
 * so it parses without a word of complaint and prints as the very same bytes,
 * also after it has been tokens, in either layout that can say it.
 *
 *    test_corpus FOLDER
 */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tungsten/tgsi.h"

enum { MAX_TEXT = 1 << 20 };

static char text[MAX_TEXT + 1];

static size_t
read_text(const char *path)
{
   FILE *file = fopen(path, "rb");

   if (!file) {
      perror(path);
      exit(2);
   }
   size_t length = fread(text, 1, MAX_TEXT, file);
   fclose(file);
   text[length] = '\0';
   return length;
}

/* Some drivers ask for floats as bits; the texts themselves say which. */
static unsigned
flags_of(const char *shader)
{
   const char *first = strstr(shader, "FLT32 {");

   return first && strncmp(first, "FLT32 {0x", 9) == 0 ? TG_PRINT_FLOATS_AS_HEX
                                                       : 0;
}

/* Does the shader print as `text` after it has been tokens? What a layout has
 * no number for (DFRACEXP in 23.3) it may refuse. */
static bool
survives_tokens(const char *path, const struct tg_shader *shader,
                enum tg_token_layout layout, unsigned *num_refused)
{
   struct tg_shader *decoded = NULL;
   uint32_t *words = NULL;
   size_t num_words = 0;
   char *printed = NULL;

   if (tg_shader_encode(shader, layout, NULL, &words, &num_words) != TG_OK) {
      ++*num_refused;
      return true;
   }
   if (tg_shader_decode(NULL, path, words, num_words, layout, TG_DIALECT_2019,
                        NULL, &decoded) == TG_OK)
      printed = tg_shader_print(decoded, flags_of(text));
   bool is_same = printed && strcmp(printed, text) == 0;
   if (!is_same)
      printf("%s: is another shader after it was tokens\n", path);
   tg_string_free(printed);
   tg_shader_destroy(decoded);
   tg_tokens_free(words);
   return is_same;
}

static unsigned num_refused20, num_refused23;

static bool
is_faithful(const char *path)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;
   char *printed = NULL;
   size_t length = read_text(path);

   tg_shader_parse(NULL, path, text, length, TG_DIALECT_2019, diagnostics,
                   &shader);
   char *complaints = tg_diagnostics_text(diagnostics);
   bool is_silent = shader && complaints && !*complaints;
   if (!is_silent)
      printf("%s", complaints ? complaints : "out of memory\n");
   if (shader)
      printed = tg_shader_print(shader, flags_of(text));
   bool is_same = printed && strcmp(printed, text) == 0;
   if (printed && !is_same)
      printf("%s: is printed otherwise\n", path);
   if (is_same)
      is_same =
         survives_tokens(path, shader, TG_TOKENS_MESA_20_0, &num_refused20) &&
         survives_tokens(path, shader, TG_TOKENS_MESA_23_3, &num_refused23);

   tg_string_free(printed);
   tg_string_free(complaints);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
   return is_silent && is_same;
}

int
main(int argc, char **argv)
{
   unsigned num_shaders = 0, num_faithful = 0;
   DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;

   if (!folder) {
      fprintf(stderr, "usage: test_corpus FOLDER\n");
      return 2;
   }
   for (struct dirent *entry; (entry = readdir(folder));) {
      char path[4096];

      if (!strstr(entry->d_name, ".tgsi"))
         continue;
      snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
      num_shaders++;
      num_faithful += is_faithful(path);
   }
   closedir(folder);
   printf("%u of %u shaders print as they were\n", num_faithful, num_shaders);
   printf("tokens of Mesa 20.0 cannot say %u of them, of Mesa 23.3 %u\n",
          num_refused20, num_refused23);
   return num_shaders && num_faithful == num_shaders && !num_refused20 ? 0 : 1;
}
