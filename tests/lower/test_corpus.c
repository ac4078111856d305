/* SPDX-License-Identifier: MIT
 *
 * Real shaders: each of a folder lowers to a module without fault, runs to its
 * end, and gives the same when optimised. Nothing is bound; shaders with what
 * does not execute yet are counted and passed over.
 *
 *    test_lower_corpus FOLDER LEAST
 *
 * LEAST is how many shaders must run.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runner.h"

enum { MAX_TEXT = 1 << 20, LOOP_BUDGET = 100000 };

static struct runner runner;
static char text[MAX_TEXT + 1];

static bool
read_text(const char *path)
{
   FILE *file = fopen(path, "rb");

   if (!file)
      return false;
   size_t length = fread(text, 1, MAX_TEXT, file);
   fclose(file);
   text[length] = '\0';
   return true;
}

/* Small numbers that differ by lane, which are also small as integers: what
 * counts to them ends. */
static void
fill_registers(void)
{
   for (unsigned w = 0; w < RUNNER_WORDS; w++) {
      for (unsigned lane = 0; lane < LIR_LANES; lane++)
         runner.input[w][lane] = runner.sysval[w][lane] = (w + lane) % 7;
   }
   for (unsigned w = 0; w < RUNNER_CONSTANTS; w++) {
      for (unsigned b = 0; b < RUNNER_BUFFERS; b++)
         runner.constants[b][w] = (w + b) % 5;
   }
}

struct counts {
   unsigned num_run, num_unsupported, num_wrong;
};

static void
run_file(const char *path, struct counts *counts)
{
   const char *why = NULL;

   if (!read_text(path)) {
      perror(path);
      counts->num_wrong++;
      return;
   }
   runner_init(&runner, TG_DIALECT_2019, text);
   runner.loop_budget = LOOP_BUDGET;
   fill_registers();
   if (runner_try(&runner, &why) && runner.result != TG_OK)
      why = tg_result_name(runner.result);
   if (!why) {
      counts->num_run++;
   } else if (runner.result == TG_ERROR_UNSUPPORTED) {
      counts->num_unsupported++;
   } else {
      char *complaints = tg_diagnostics_text(runner.diagnostics);

      printf("%s: %s (%s)\n%s", path, why,
             runner.fault.what ? runner.fault.what : "",
             complaints ? complaints : "");
      tg_string_free(complaints);
      counts->num_wrong++;
   }
   runner_finish(&runner);
}

int
main(int argc, char **argv)
{
   struct counts counts = {0};
   char path[4096];

   if (argc < 3)
      return 2;
   DIR *folder = opendir(argv[1]);
   if (!folder) {
      perror(argv[1]);
      return 2;
   }
   for (struct dirent *entry; (entry = readdir(folder));) {
      if (!strstr(entry->d_name, ".tgsi"))
         continue;
      snprintf(path, sizeof(path), "%s/%s", argv[1], entry->d_name);
      run_file(path, &counts);
   }
   closedir(folder);
   printf("%u shaders run, %u have opcodes that do not execute, %u are wrong\n",
          counts.num_run, counts.num_unsupported, counts.num_wrong);
   return counts.num_wrong || counts.num_run < (unsigned)atoi(argv[2]);
}
