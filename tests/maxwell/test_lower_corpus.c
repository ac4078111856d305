/* SPDX-License-Identifier: MIT
 *
 * Real shaders with textures, lowered: what they give is compared, instruction
 * by instruction, with the interpreter (lower_trial.h), and what they became is
 * counted (lower_table.h). Fails on a difference, when less than nine of ten
 * instructions that have a scalar form got it, and when there are more moves
 * than one for two instructions, with all that quads need counted as moves.
 *
 *    test_lower_corpus FOLDER
 *    test_lower_corpus --table FOLDER    with what is refused, and why
 *    test_lower_corpus --half FOLDER     with packed halves
 *    test_lower_corpus --texels FOLDER   whatever the counts are
 *    test_lower_corpus --seed N FOLDER   with other inputs
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lower_table.h"
#include "lower_trial.h"
#include "maxwell/lower/plan.h"

struct totals {
   uint64_t seed;
   unsigned shaders, refused, failures;
   struct trial_totals trial;
   struct lower_table table;
};

static bool
has_textures(const struct tg_shader *shader)
{
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      if (maxwell_lower_plan_row(shader->instructions[i].opcode))
         return true;
   }
   return false;
}

static void
print_errors(const char *name, const struct tg_diagnostics *diagnostics)
{
   for (size_t i = 0; i < tg_diagnostics_count(diagnostics); i++) {
      const struct tg_diagnostic *said = tg_diagnostics_get(diagnostics, i);

      if (said->severity == TG_SEVERITY_ERROR)
         printf("%s: %s\n", name, said->message);
   }
}

static void
try_lowering(const char *name, struct tg_shader *shader, bool is_half,
             bool shows_reasons, struct totals *totals)
{
   struct tg_maxwell_lower_options options = TG_MAXWELL_LOWER_OPTIONS_INIT;
   struct trial_options trial = {.seed = totals->seed};
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_maxwell_lowering *lowering = NULL;

   options.half = is_half;
   totals->shaders++;
   if (tg_maxwell_lower(NULL, shader, &options, diagnostics, &lowering) !=
       TG_OK) {
      totals->refused++;
      if (shows_reasons)
         print_errors(name, diagnostics);
   } else {
      table_add(&totals->table, lowering);
      totals->failures +=
         !trial_run(name, shader, lowering, &trial, &totals->trial);
   }
   tg_maxwell_lowering_destroy(lowering);
   tg_diagnostics_destroy(diagnostics);
}

static void
try_file(const char *folder, const char *name, bool is_half, bool shows_reasons,
         struct totals *totals)
{
   static char text[1 << 22];
   struct tg_shader *shader = NULL;
   char path[4096];

   snprintf(path, sizeof(path), "%s/%s", folder, name);
   FILE *file = fopen(path, "rb");
   if (!file)
      return;
   size_t length = fread(text, 1, sizeof(text), file);
   fclose(file);
   if (tg_shader_parse(NULL, name, text, length, TG_DIALECT_2019, NULL,
                       &shader) == TG_OK &&
       has_textures(shader))
      try_lowering(name, shader, is_half, shows_reasons, totals);
   tg_shader_destroy(shader);
}

static void
print_totals(const struct totals *totals)
{
   printf("%u shaders with textures, %u refused, %u with differences\n",
          totals->shaders, totals->refused, totals->failures);
   printf("%lu lookups of 16 lanes, %lu texels compared, %lu not exact, by "
          "%g at most; %lu lanes unfit; %lu words of sources were in their "
          "registers\n",
          totals->trial.lookups, totals->trial.texels, totals->trial.inexact,
          totals->trial.greatest, totals->trial.unfit, totals->trial.words);
   table_print(&totals->table);
}

/* The number behind an option, or 0. */
static uint64_t
number_of(int argc, char **argv, const char *name)
{
   for (int i = 1; i < argc - 2; i++) {
      if (strcmp(argv[i], name) == 0)
         return strtoull(argv[i + 1], NULL, 0);
   }
   return 0;
}

static bool
has_option(int argc, char **argv, const char *name)
{
   for (int i = 1; i < argc - 1; i++) {
      if (strcmp(argv[i], name) == 0)
         return true;
   }
   return false;
}

int
main(int argc, char **argv)
{
   const double least_share = 0.9, most_added = 0.5;
   bool shows_reasons = has_option(argc, argv, "--table");
   bool is_half = has_option(argc, argv, "--half");
   bool counts = !has_option(argc, argv, "--texels");
   const char *folder = argc > 1 ? argv[argc - 1] : "";
   struct totals totals = {.seed = number_of(argc, argv, "--seed")};
   struct dirent **entries;
   int count = scandir(folder, &entries, NULL, alphasort);

   for (int i = 0; i < count; i++) {
      if (strstr(entries[i]->d_name, ".tgsi"))
         try_file(folder, entries[i]->d_name, is_half, shows_reasons, &totals);
      free(entries[i]);
   }
   if (count >= 0)
      free(entries);

   print_totals(&totals);
   bool is_cheap = table_share(&totals.table) >= least_share &&
                   table_added(&totals.table) <= most_added;
   return totals.table.shaders > 0 && totals.failures == 0 &&
                (is_cheap || !counts)
             ? 0
             : 1;
}
