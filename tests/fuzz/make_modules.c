/* SPDX-License-Identifier: MIT
 *
 * Seeds for fuzz_lir: random modules as bytes.
 *
 *    make_modules OUTPUT-FOLDER
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "../lir/random_lir.h"
#include "lir/passes.h"
#include "lir/serialize.h"

enum { NUM_MODULES = 40 };

static void
write_module(const char *folder, unsigned seed)
{
   const struct lir_pass_options options = {0};
   struct tg_strbuf bytes = {0};
   struct lir_module module;
   char path[4096];

   random_lir(&module, seed);
   lir_optimize(&module, &options);
   lir_serialize(&module, &bytes);
   snprintf(path, sizeof(path), "%s/%u.lir", folder, seed);
   FILE *file = fopen(path, "wb");
   if (!file || fwrite(bytes.data, 1, bytes.length, file) != bytes.length ||
       fclose(file) != 0) {
      perror(path);
      exit(1);
   }
   tg_strbuf_finish(&bytes);
   lir_module_finish(&module);
}

int
main(int argc, char **argv)
{
   if (argc != 2) {
      fprintf(stderr, "usage: make_modules OUTPUT-FOLDER\n");
      return 2;
   }
   mkdir(argv[1], 0777);
   for (unsigned seed = 0; seed < NUM_MODULES; seed++)
      write_module(argv[1], seed);
   return 0;
}
