/* SPDX-License-Identifier: MIT
 *
 * Cubins for fuzz_maxwell_cubin to start from, and for transcripts.
 *
 *    make_cubins OUTPUT-FOLDER
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cubins.h"
#include "tungsten/maxwell.h"

enum { ROOM = 4096, MOST_WORDS = 64 };

static const char fetches[] =
   "[B------:R-:W0:-:S02] TEXS.T RZ, R0, R4, R5, 0x8, 2D, RG;\n"
   "[B0-----:R-:W1:-:S02] TEXS.P R2, R0, R4, R5, 0x9, 2D, RGBA;\n"
   ".word 0x5c98078000570000 ?stall=0;\n" /* MOV R0, R5 */
   "@P0 TLD4.R.B.AOFFI R4, R8, R12, 0x0, 2D, 0xf &wr=2;\n";
static const char query[] = "TXQ R0, R4, TEX_HEADER_DIMENSION, 0x28, 0xf;\n"
                            "TEXS.LL R0, R2, R5, R9, 0x3, 2D, RGBA;\n";
static const char lookup[] =
   "@!P1 TEXS.LZ RZ, R0, R4, R5, 0x1, 2D, RG &wr=0 ?stall=2;\n";

/* The code that text is; returns its number of words. */
static size_t
assemble(const char *text, uint64_t words[MOST_WORDS])
{
   struct tg_maxwell_program *program = NULL;

   if (tg_maxwell_assemble(NULL, "t", text, strlen(text), NULL, &program) !=
          TG_OK ||
       tg_maxwell_num_code_words(program) > MOST_WORDS)
      abort();
   size_t num_words = tg_maxwell_num_code_words(program);
   tg_maxwell_encode_code(program, words);
   tg_maxwell_program_destroy(program);
   return num_words;
}

static void
write_cubin(const char *folder, const char *name, unsigned sm,
            const struct cubin_section *sections, size_t count)
{
   static uint8_t bytes[ROOM];
   char path[4096];
   size_t size = cubin_make(sm, sections, count, bytes, sizeof(bytes));

   snprintf(path, sizeof(path), "%s/%s", folder, name);
   FILE *file = fopen(path, "wb");
   if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) {
      perror(path);
      exit(1);
   }
}

int
main(int argc, char **argv)
{
   uint64_t fetch_words[MOST_WORDS], query_words[MOST_WORDS];
   uint64_t lookup_words[MOST_WORDS];
   const struct cubin_section sections[] = {
      {".nv.info", query_words, 2},
      {".text._Z4drawPf", fetch_words, assemble(fetches, fetch_words)},
      {".text.query", query_words, assemble(query, query_words)},
   };
   const struct cubin_section run = {".text.lookup", lookup_words,
                                     assemble(lookup, lookup_words)};

   if (argc != 2) {
      fprintf(stderr, "usage: make_cubins OUTPUT-FOLDER\n");
      return 2;
   }
   mkdir(argv[1], 0777);
   write_cubin(argv[1], "one.cubin", 52, sections + 2, 1);
   write_cubin(argv[1], "two.cubin", 61, sections, 3);
   write_cubin(argv[1], "run.cubin", 53, &run, 1);
   write_cubin(argv[1], "volta.cubin", 70, sections, 3);
   return 0;
}
