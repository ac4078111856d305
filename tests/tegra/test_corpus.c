/* SPDX-License-Identifier: MIT
 *
 * The vertex shaders of real programs, as the TGSI interpreter runs them and as
 * the vertex unit does, on 1,000 random vertices each: compiled with and
 * without optimisation, with one operation a word, brought back to TGSI, and
 * through text. Who compiles must give what the interpreter gives; who does not
 * must have said why.
 *
 *    test_corpus FOLDER LEAST-SHARE-THAT-COMPILES
 *    test_corpus --table FOLDER    the same, shader by shader
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "tgsi/shader.h"

/* How a shader is compiled. */
enum way { UNOPTIMISED, SINGLE_ISSUE, OPTIMISED, NUM_WAYS };

struct row {
   const char *path;
   unsigned uses;            /* enum corpus_uses */
   uint32_t words[NUM_WAYS]; /* instructions; 0: refused */
   char reason[200];
   /* Between the shader and what is expected of the unit. */
   struct corpus_difference difference;
   unsigned failures;
};

/* What one shader needs; too large for a stack. */
struct work {
   struct row *row;
   const struct tg_shader *shader;
   struct corpus_layout layout;
   struct corpus_inputs inputs;
   struct corpus_outputs expected, got;
};

struct totals {
   unsigned num_shaders, num_plain, num_compiled, num_plain_compiled;
   unsigned num_exact, failures;
   double log_of_words[NUM_WAYS];
};

static void
fail(struct work *work, const char *what)
{
   fprintf(stderr, "%s: %s\n", work->row->path, what);
   work->row->failures++;
}

/* ---- one shader, one way ------------------------------------------------- */

/* The first error. */
static void
take_reason(struct row *row, const struct tg_diagnostics *diagnostics)
{
   for (size_t i = tg_diagnostics_count(diagnostics); i-- > 0;) {
      const struct tg_diagnostic *said = tg_diagnostics_get(diagnostics, i);
      if (said->severity == TG_SEVERITY_ERROR)
         snprintf(row->reason, sizeof(row->reason), "%s", said->message);
   }
}

static struct tg_tegra_program *
compile(struct work *work, enum way way)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;

   options.optimize = way == UNOPTIMISED ? 0 : 2;
   options.single_issue = way == SINGLE_ISSUE;
   if (tg_tegra_compile(NULL, work->shader, &options, diagnostics, &program) ==
       TG_OK)
      work->row->words[way] = tg_tegra_num_instructions(program);
   else
      take_reason(work->row, diagnostics);
   tg_diagnostics_destroy(diagnostics);
   return program;
}

static void
check(struct work *work, const struct tg_tegra_program *program)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   if (tg_tegra_check(program, diagnostics) != TG_OK) {
      char *text = tg_diagnostics_text(diagnostics);
      fail(work, "the checker complains:");
      fputs(text ? text : "", stderr);
      tg_string_free(text);
   }
   tg_diagnostics_destroy(diagnostics);
}

/* What is printed is assembled to the same words. */
static void
go_through_text(struct work *work, const struct tg_tegra_program *program)
{
   char *text = tg_tegra_print(program, TG_TEGRA_PRINT_LABELS);
   uint32_t count = tg_tegra_num_instructions(program);
   struct tg_tegra_program *again = NULL;

   if (!text || tg_tegra_assemble(NULL, "printed", text, strlen(text), 0, NULL,
                                  &again) != TG_OK)
      fail(work, "its text does not assemble");
   else if (tg_tegra_num_instructions(again) != count ||
            memcmp(tg_tegra_words(again), tg_tegra_words(program),
                   (size_t)count * TG_TEGRA_WORDS * sizeof(uint32_t)) != 0)
      fail(work, "its text assembles to other words");
   tg_tegra_program_destroy(again);
   tg_string_free(text);
}

static void
compare(struct work *work, const char *what)
{
   struct corpus_difference difference = {0};

   corpus_compare(&work->layout, &work->expected, &work->got, &difference);
   if (difference.num_different > 0) {
      fail(work, what);
      fprintf(stderr,
              "   %llu of %llu values, that of export[%u].%c of vertex %u by "
              "%u ulp: %08x, not %08x\n",
              (unsigned long long)difference.num_different,
              (unsigned long long)difference.num_values,
              difference.export_index, "xyzw"[difference.component],
              difference.vertex, difference.greatest,
              work->got.exports[difference.vertex][difference.export_index]
                               [difference.component],
              work->expected.exports[difference.vertex][difference.export_index]
                                    [difference.component]);
   }
}

/* Brought back to TGSI it gives what the program gives, to the bit. */
static void
go_through_tgsi(struct work *work, const struct tg_tegra_program *program)
{
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct corpus_layout layout;
   struct tg_shader *shader = NULL;
   char *text = NULL;

   if (tg_tegra_decompile(NULL, program, diagnostics, &text) == TG_OK)
      shader = corpus_parse("decompiled", text, strlen(text));
   corpus_lay_out_decompiled(&layout);
   if (!shader) {
      fail(work, "is not brought back to TGSI");
   } else {
      struct corpus_outputs *back = malloc(sizeof(*back));
      struct corpus_difference difference = {0};

      if (!back || !corpus_interpret(shader, &layout, &work->inputs, back))
         fail(work, "does not run as TGSI again");
      else
         corpus_compare(&work->layout, &work->got, back, &difference);
      if (difference.num_different > 0)
         fail(work, "gives something else as TGSI again");
      free(back);
   }
   tg_shader_destroy(shader);
   tg_string_free(text);
   tg_diagnostics_destroy(diagnostics);
}

static void
try_way(struct work *work, enum way way, const struct tg_tegra_program *program)
{
   static const char *const differs[] = {
      [UNOPTIMISED] = "gives something else unoptimised",
      [SINGLE_ISSUE] = "gives something else with one operation a word",
      [OPTIMISED] = "gives something else optimised",
   };

   if (!program)
      return;
   check(work, program);
   go_through_text(work, program);
   if (!corpus_simulate(program, &work->inputs, &work->got)) {
      fail(work, "a vertex does not end well");
      return;
   }
   compare(work, differs[way]);
   go_through_tgsi(work, program);
}

/* ---- one shader ---------------------------------------------------------- */

/* The outputs as the shader gives them, and as is expected of the unit. */
static bool
interpret(struct work *work)
{
   struct tg_shader *expanded = corpus_expand(work->shader);
   bool good =
      expanded &&
      corpus_interpret(work->shader, &work->layout, &work->inputs,
                       &work->got) &&
      corpus_interpret(expanded, &work->layout, &work->inputs, &work->expected);

   if (good)
      corpus_compare(&work->layout, &work->got, &work->expected,
                     &work->row->difference);
   else
      fail(work, "is not interpreted");
   tg_shader_destroy(expanded);
   return good;
}

static void
try_ways(struct work *work)
{
   struct tg_tegra_program *programs[NUM_WAYS];

   for (unsigned way = 0; way < NUM_WAYS; way++) {
      programs[way] = compile(work, (enum way)way);
      if (!programs[way] != !programs[0])
         fail(work, "is not compiled in all ways");
   }
   if (programs[0] && interpret(work)) {
      for (unsigned way = 0; way < NUM_WAYS; way++)
         try_way(work, (enum way)way, programs[way]);
   }
   for (unsigned way = 0; way < NUM_WAYS; way++)
      tg_tegra_program_destroy(programs[way]);
}

static void
run_shader(const struct tg_shader *shader, struct row *row)
{
   struct work *work = calloc(1, sizeof(*work));

   if (!work)
      abort();
   row->uses = corpus_uses(shader);
   work->row = row;
   work->shader = shader;
   corpus_lay_out(shader, &work->layout);
   corpus_fill(&work->inputs, 1);
   try_ways(work);
   free(work);
}

/* ---- all of them --------------------------------------------------------- */

static void
add_up(struct totals *totals, const struct row *row)
{
   bool compiles = row->words[OPTIMISED] > 0;
   bool is_plain = row->uses == 0;

   totals->num_shaders++;
   totals->num_plain += is_plain;
   totals->num_compiled += compiles;
   totals->num_plain_compiled += is_plain && compiles;
   totals->num_exact += compiles && row->difference.num_different == 0;
   totals->failures += row->failures;
   for (unsigned way = 0; compiles && way < NUM_WAYS; way++)
      totals->log_of_words[way] += log(row->words[way]);
}

static void
print_row(const struct row *row)
{
   static const char *const names[] = {"textures", "integers", "doubles",
                                       "system values"};
   const char *slash = strrchr(row->path, '/');

   printf("| %s |", slash ? slash + 1 : row->path);
   for (unsigned i = 0; i < 4; i++) {
      if (row->uses >> i & 1)
         printf(" %s", names[i]);
   }
   if (row->words[OPTIMISED] == 0)
      printf(" | | | | %s |\n", row->reason);
   else
      printf(" | %u | %u | %u | %llu of %llu, %u ulp |\n",
             row->words[UNOPTIMISED], row->words[SINGLE_ISSUE],
             row->words[OPTIMISED],
             (unsigned long long)row->difference.num_different,
             (unsigned long long)row->difference.num_values,
             row->difference.greatest);
}

static void
print_totals(const struct totals *totals)
{
   const double *logs = totals->log_of_words;
   double count = totals->num_compiled ? totals->num_compiled : 1;

   printf("%u vertex shaders, %u compile, %u of them exactly; of %u without "
          "textures, integers, doubles and system values %u do\n",
          totals->num_shaders, totals->num_compiled, totals->num_exact,
          totals->num_plain, totals->num_plain_compiled);
   printf(
      "words in the geometric mean: %.2f of those unoptimised, %.2f of those "
      "with one operation each\n",
      exp((logs[OPTIMISED] - logs[UNOPTIMISED]) / count),
      exp((logs[OPTIMISED] - logs[SINGLE_ISSUE]) / count));
}

static int
is_vertex_shader(const struct dirent *entry)
{
   const char *dot = strrchr(entry->d_name, '.');

   return strncmp(entry->d_name, "vert-", 5) == 0 && dot &&
          strcmp(dot, ".tgsi") == 0;
}

static void
run_folder(const char *folder, bool table, struct totals *totals)
{
   struct dirent **entries;
   int count = scandir(folder, &entries, is_vertex_shader, alphasort);

   for (int i = 0; i < count; i++) {
      char path[4096];
      struct row row = {.path = path};
      snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
      struct tg_shader *shader = corpus_read(path);
      if (shader)
         run_shader(shader, &row);
      else
         row.failures++;
      tg_shader_destroy(shader);
      if (table)
         print_row(&row);
      add_up(totals, &row);
      free(entries[i]);
   }
   if (count >= 0)
      free(entries);
}

int
main(int argc, char **argv)
{
   bool table = argc == 3 && strcmp(argv[1], "--table") == 0;
   struct totals totals = {0};

   if (argc != 3) {
      fprintf(stderr, "usage: test_corpus FOLDER PERCENT | --table FOLDER\n");
      return 2;
   }
   if (table)
      printf("| shader | uses | -O0 | single issue | -O2 | apart |\n"
             "| --- | --- | --- | --- | --- | --- |\n");
   run_folder(argv[table ? 2 : 1], table, &totals);
   print_totals(&totals);
   if (totals.failures > 0 || totals.num_compiled == 0)
      return 1;
   unsigned least = table ? 0 : (unsigned)strtoul(argv[2], NULL, 10);
   return totals.num_plain_compiled * 100 < totals.num_plain * least;
}
