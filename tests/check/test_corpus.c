/* SPDX-License-Identifier: MIT
 *
 * Shaders of real programs, run with a check: nothing may be found but what is
 * listed here, which are mistakes indeed. Inputs and constants hold small
 * numbers, so that control flow goes several ways.
 *
 *    test_check_corpus FOLDER LEAST-NUMBER-THAT-RUNS
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tungsten/run.h"

/* Places in shaders, with what is wrong there. */
static const struct {
   const char *name;
   uint32_t line;
} known[] = {
   /* D2F of TEMP[16].xy into y alone. The specification takes y from zw, which
    * nobody has written; Mesa's interpreter took the first pair for the first
    * channel that is written, and its compiler relied on that. */
   {"vert-fb40d371a5e0.tgsi", 63},
};

static bool
is_known(const char *path, const struct tg_diagnostic *finding)
{
   for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
      if (strstr(path, known[i].name) && finding->line == known[i].line)
         return true;
   }
   return false;
}

struct totals {
   unsigned num_shaders, num_run, num_findings, num_known;
};

static char *
read_file(const char *path, size_t *length_out)
{
   FILE *file = fopen(path, "rb");
   if (!file)
      return NULL;

   enum { MOST = 1 << 20 };
   char *text = malloc(MOST);
   *length_out = text ? fread(text, 1, MOST, file) : 0;
   fclose(file);
   return text;
}

/* Numbers from 0 to 3, others in each lane. */
static void
set_registers(struct tg_run *run, enum tg_run_file file)
{
   enum { MAX_DIMENSIONS = 32, MAX_REGISTERS = 256 };

   for (uint32_t d = 0; d < MAX_DIMENSIONS; d++) {
      for (uint32_t r = 0; r < MAX_REGISTERS; r++) {
         for (int lane = 0; lane < TG_MAX_LANES; lane++) {
            uint32_t words[4];

            for (uint32_t c = 0; c < 4; c++)
               words[c] = (r * 4 + c + (uint32_t)lane + d) % 4;
            if (tg_run_set(run, file, d, r, file == TG_RUN_CONSTANT ? -1 : lane,
                           words) != TG_OK)
               break;
         }
      }
   }
}

static void
run_shader(const char *path, const struct tg_shader *shader,
           struct tg_diagnostics *diagnostics, struct totals *totals)
{
   struct tg_program_options options = TG_PROGRAM_OPTIONS_INIT;
   struct tg_program *program = NULL;
   struct tg_run *run = NULL;

   options.check = true;
   if (tg_program_create(NULL, shader, &options, diagnostics, &program) ==
          TG_OK &&
       tg_run_create(program, TG_MAX_LANES, &run) == TG_OK) {
      set_registers(run, TG_RUN_INPUT);

      set_registers(run, TG_RUN_CONSTANT);
      tg_diagnostics_clear(diagnostics);
      totals->num_run++;
      tg_run_execute(run, diagnostics);
      for (uint32_t i = 0; i < tg_run_num_findings(run); i++) {
         const struct tg_diagnostic *finding =
            tg_diagnostics_get(diagnostics, i);

         totals->num_findings++;
         if (finding && is_known(path, finding))
            totals->num_known++;
         else if (finding)
            printf("%s:%u: %s\n", path, (unsigned)finding->line,
                   finding->message);
      }
   }
   tg_run_destroy(run);
   tg_program_destroy(program);
}

static void
run_file(const char *path, struct totals *totals)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_shader *shader = NULL;
   size_t length;
   char *text = read_file(path, &length);

   totals->num_shaders++;
   if (text && diagnostics &&
       tg_shader_parse(NULL, path, text, length, TG_DIALECT_2019, diagnostics,
                       &shader) == TG_OK)
      run_shader(path, shader, diagnostics, totals);
   tg_shader_destroy(shader);
   tg_diagnostics_destroy(diagnostics);
   free(text);
}

static int
is_shader(const struct dirent *entry)
{
   const char *dot = strrchr(entry->d_name, '.');

   return dot && strcmp(dot, ".tgsi") == 0;
}

int
main(int argc, char **argv)
{
   struct totals totals = {0};
   struct dirent **names;
   int count = argc > 2 ? scandir(argv[1], &names, is_shader, alphasort) : -1;

   if (count < 0)
      return 2;
   for (int i = 0; i < count; i++) {
      char path[1024];

      snprintf(path, sizeof(path), "%s/%s", argv[1], names[i]->d_name);
      run_file(path, &totals);
      free(names[i]);
   }
   free(names);
   printf("%u shaders, %u run, %u findings, %u of them known\n",
          totals.num_shaders, totals.num_run, totals.num_findings,
          totals.num_known);
   return totals.num_known != totals.num_findings ||
          totals.num_known != sizeof(known) / sizeof(*known) ||
          totals.num_run < strtoul(argv[2], NULL, 10);
}
