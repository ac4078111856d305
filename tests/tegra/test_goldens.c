/* SPDX-License-Identifier: MIT
 *
 * Runs the golden tests of folders: each vertex alone with a trace, from which
 * registers are followed, then all at once, then many copies of them, so that
 * vertices that go different ways stand side by side. All have to end alike. At
 * the end everything in the tables must have been tested.
 *
 *    test_goldens FOLDER...
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coverage.h"
#include "golden.h"
#include "tegra/isa/isa.h"

enum { NUM_COPIES = 37 }; /* no multiple of any number of lanes */

typedef uint32_t vector[4];

struct runner {
   const char *path;
   const struct golden_case *golden;
   struct tg_tegra_program *program;
   struct coverage *coverage;
   unsigned failures;
};

/* ---- telling ------------------------------------------------------------- */

static void
fail(struct runner *runner, unsigned line, const char *what)
{
   fprintf(stderr, "%s:%u: %s%s%s\n", runner->path, line, runner->golden->name,
           runner->golden->name[0] ? ": " : "", what);
   runner->failures++;
}

static void
tell_diagnostics(const struct tg_diagnostics *diagnostics)
{
   char *text = tg_diagnostics_text(diagnostics);

   fputs(text ? text : "", stderr);
   tg_string_free(text);
}

static float
as_float(uint32_t word)
{
   float value;

   memcpy(&value, &word, sizeof(value));
   return value;
}

static void
tell_vector(enum golden_kind kind, const uint32_t words[4])
{
   fprintf(stderr, "   but is");
   for (unsigned i = 0; i < 4; i++) {
      if (kind == GOLDEN_ADDRESS)
         fprintf(stderr, " %d", (int)words[i]);
      else if (kind == GOLDEN_CONDITION)
         fprintf(stderr, " %c", (int)words[i]);
      else if (kind == GOLDEN_WORDS)
         fprintf(stderr, " %08x", words[i]);
      else
         fprintf(stderr, " %.9g (0x%08x)", as_float(words[i]), words[i]);
   }
   fprintf(stderr, "\n");
}

/* ---- what a trace tells -------------------------------------------------- */

struct state {
   vector temporaries[TG_TEGRA_NUM_TEMPORARIES];
   vector exports[TG_TEGRA_NUM_EXPORTS];
   vector address;
   vector conditions[TEGRA_NUM_CONDITIONS];
   uint32_t end;
};

static void
follow(void *user, const struct tg_tegra_change *change)
{
   struct state *state = user;
   uint32_t *changed = NULL;

   if (change->kind == TG_TEGRA_CHANGE_TEMPORARY)
      changed = state->temporaries[change->index];
   else if (change->kind == TG_TEGRA_CHANGE_EXPORT)
      changed = state->exports[change->index];
   else if (change->kind == TG_TEGRA_CHANGE_ADDRESS)
      changed = state->address;
   else if (change->kind == TG_TEGRA_CHANGE_CONDITION)
      changed = state->conditions[change->index];
   else if (change->kind == TG_TEGRA_CHANGE_END)
      state->end = change->index;
   for (unsigned i = 0; changed && i < 4; i++) {
      if (change->mask >> i & 1)
         changed[i] = change->words[i];
   }
}

static const uint32_t *
find_state(const struct state *state, const struct golden_expectation *expected)
{
   switch ((enum golden_kind)expected->kind) {
   case GOLDEN_EXPORT: return state->exports[expected->index];
   case GOLDEN_TEMPORARY: return state->temporaries[expected->index];
   case GOLDEN_ADDRESS: return state->address;
   case GOLDEN_CONDITION: return state->conditions[expected->index];
   case GOLDEN_WORDS: break;
   }
   return NULL;
}

/* ---- comparing ----------------------------------------------------------- */

static void
compare_vector(struct runner *runner, const struct golden_expectation *expected,
               const uint32_t words[4])
{
   bool same = true;

   for (unsigned i = 0; i < 4; i++)
      same &= golden_matches(&expected->values[i], words[i]);
   if (same)
      return;
   fail(runner, expected->line, "is not what is expected");
   tell_vector((enum golden_kind)expected->kind, words);
}

static void
compare_words(struct runner *runner, const struct golden_expectation *expected)
{
   if (expected->index >= tg_tegra_num_instructions(runner->program)) {
      fail(runner, expected->line, "there is no such instruction");
      return;
   }
   compare_vector(runner, expected,
                  tg_tegra_words(runner->program) +
                     (size_t)expected->index * TG_TEGRA_WORDS);
}

/* Those that no line names are not written. */
static void
compare_other_exports(struct runner *runner, const struct golden_vertex *vertex,
                      const struct state *state)
{
   for (uint32_t i = 0; i < TG_TEGRA_NUM_EXPORTS; i++) {
      static const vector zero;
      bool named = false;
      for (size_t j = 0; j < vertex->num_expectations; j++)
         named |= vertex->expectations[j].kind == GOLDEN_EXPORT &&
                  vertex->expectations[j].index == i;
      if (named || memcmp(state->exports[i], zero, sizeof(zero)) == 0)
         continue;
      fail(runner, vertex->line, "an export is written that should not be");
      fprintf(stderr, "   export[%u]", i);
      tell_vector(GOLDEN_EXPORT, state->exports[i]);
   }
}

static void
compare_vertex(struct runner *runner, const struct golden_vertex *vertex,
               const struct state *state)
{
   if (state->end != (uint32_t)vertex->end) {
      fail(runner, vertex->line, "comes to another end");
      fprintf(stderr, "   %s\n",
              tg_tegra_end_name((enum tg_tegra_end)state->end));
   }
   for (size_t i = 0; i < vertex->num_expectations; i++) {
      const struct golden_expectation *expected = &vertex->expectations[i];
      const uint32_t *words = find_state(state, expected);
      if (words)
         compare_vector(runner, expected, words);
      else
         compare_words(runner, expected);
   }
   compare_other_exports(runner, vertex, state);
}

/* ---- running ------------------------------------------------------------- */

struct outcome {
   vector exports[TG_TEGRA_NUM_EXPORTS];
   uint8_t end;
};

static struct tg_tegra_batch
make_batch(const struct golden_case *golden, uint32_t num_vertices)
{
   struct tg_tegra_batch batch = TG_TEGRA_BATCH_INIT;

   batch.num_vertices = num_vertices;
   batch.constants = &golden->constants[0][0];
   batch.max_steps = golden->max_steps;
   batch.nv_dst_dph = golden->nv_dst_dph;
   return batch;
}

/* One vertex, followed; its end and exports go to `outcome`. */
static void
run_alone(struct runner *runner, const struct golden_vertex *vertex,
          struct state *state, struct outcome *outcome)
{
   struct tg_tegra_batch batch = make_batch(runner->golden, 1);

   memset(state, 0, sizeof(*state));
   for (unsigned i = 0; i < TEGRA_NUM_CONDITIONS; i++) {
      for (unsigned j = 0; j < 4; j++)
         state->conditions[i][j] = '=';
   }
   state->end = TG_TEGRA_NUM_ENDS;
   batch.attributes = &vertex->attributes[0][0];
   batch.exports = &outcome->exports[0][0];
   batch.ends = &outcome->end;
   batch.trace = follow;
   batch.user = state;
   if (tg_tegra_run(runner->program, &batch, NULL) != TG_OK)
      fail(runner, vertex->line, "does not run with a trace");
   else if (state->end != outcome->end)
      fail(runner, vertex->line, "ends otherwise than its trace tells");
   else if (memcmp(state->exports, outcome->exports, sizeof(vector[16])) != 0)
      fail(runner, vertex->line, "exports otherwise than its trace tells");
}

/* `num_copies` of all vertices, in turn. */
static void
run_together(struct runner *runner, const struct outcome *outcomes,
             uint32_t num_copies, struct tg_diagnostics *diagnostics)
{
   const struct golden_case *golden = runner->golden;
   uint32_t total = (uint32_t)golden->num_vertices * num_copies;
   struct tg_tegra_batch batch = make_batch(golden, total);
   vector(*attributes)[TG_TEGRA_NUM_ATTRIBUTES] =
      calloc(total, sizeof(*attributes));
   vector(*exports)[TG_TEGRA_NUM_EXPORTS] = calloc(total, sizeof(*exports));
   uint8_t *ends = calloc(total, 1);

   if (!attributes || !exports || !ends)
      abort();
   for (uint32_t i = 0; i < total; i++)
      memcpy(attributes[i],
             golden->vertices[i % golden->num_vertices].attributes,
             sizeof(attributes[i]));
   batch.attributes = &attributes[0][0][0];
   batch.exports = &exports[0][0][0];
   batch.ends = ends;
   if (tg_tegra_run(runner->program, &batch, diagnostics) != TG_OK)
      fail(runner, golden->line, "does not run");
   for (uint32_t i = 0; i < total; i++) {
      size_t which = i % golden->num_vertices;
      if (ends[i] == outcomes[which].end &&
          memcmp(exports[i], outcomes[which].exports, sizeof(exports[i])) == 0)
         continue;
      fail(runner, golden->vertices[which].line,
           "comes out otherwise beside other vertices than alone");
      break;
   }
   free(attributes);
   free(exports);
   free(ends);
}

/* Nothing is told but of vertices that end badly or do what is not
 * documented. */
static void
compare_findings(struct runner *runner, const struct outcome *outcomes,
                 const struct tg_diagnostics *diagnostics)
{
   bool expected = runner->golden->finding;

   for (size_t i = 0; i < runner->golden->num_vertices; i++)
      expected |= outcomes[i].end != TG_TEGRA_ENDED;
   if (runner->golden->any_finding ||
       expected == (tg_diagnostics_count(diagnostics) > 0))
      return;
   fail(runner, runner->golden->line,
        expected ? "nothing is told of it" : "this should not be told:");
   tell_diagnostics(diagnostics);
}

static void
run_program(struct runner *runner)
{
   const struct golden_case *golden = runner->golden;
   struct outcome *outcomes = calloc(golden->num_vertices, sizeof(*outcomes));
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   if (!outcomes || !diagnostics)
      abort();
   for (size_t i = 0; i < golden->num_vertices; i++) {
      struct state state;
      run_alone(runner, &golden->vertices[i], &state, &outcomes[i]);
      compare_vertex(runner, &golden->vertices[i], &state);
      coverage_add_end(runner->coverage, (enum tg_tegra_end)outcomes[i].end);
   }
   run_together(runner, outcomes, 1, diagnostics);
   compare_findings(runner, outcomes, diagnostics);
   run_together(runner, outcomes, NUM_COPIES, NULL);
   tg_diagnostics_destroy(diagnostics);
   free(outcomes);
}

static void
run_case(struct runner *runner)
{
   const struct golden_case *golden = runner->golden;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);

   if (tg_tegra_assemble(NULL, golden->name, golden->text, golden->length, 0,
                         diagnostics, &runner->program) == TG_OK) {
      coverage_add_program(runner->coverage, runner->program);
      run_program(runner);
      tg_tegra_program_destroy(runner->program);
   } else {
      fail(runner, golden->line, "does not assemble; lines count from here:");
      tell_diagnostics(diagnostics);
   }
   tg_diagnostics_destroy(diagnostics);
}

static unsigned
run_file(const char *path, struct coverage *coverage)
{
   struct runner runner = {.path = path, .coverage = coverage};
   struct golden_file file;

   coverage_begin_file(coverage);
   if (golden_read(path, &file)) {
      for (size_t i = 0; i < file.num_cases; i++) {
         runner.golden = &file.cases[i];
         run_case(&runner);
      }
      runner.failures += coverage_end_file(coverage, path, file.covers);
   } else {
      runner.failures++;
   }
   golden_finish(&file);
   return runner.failures;
}

static int
is_golden(const struct dirent *entry)
{
   const char *dot = strrchr(entry->d_name, '.');

   return dot && strcmp(dot, ".tegra_test") == 0;
}

static unsigned
run_folder(const char *folder, struct coverage *coverage)
{
   struct dirent **entries;
   int count = scandir(folder, &entries, is_golden, alphasort);
   unsigned failures = 0;

   if (count <= 0) {
      fprintf(stderr, "%s: no golden tests\n", folder);
      return 1;
   }
   for (int i = 0; i < count; i++) {
      char path[4096];
      snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
      failures += run_file(path, coverage);
      free(entries[i]);
   }
   free(entries);
   printf("%s: %d files\n", folder, count);
   return failures;
}

int
main(int argc, char **argv)
{
   struct coverage *coverage = coverage_create();
   unsigned failures = 0;

   for (int i = 1; i < argc; i++)
      failures += run_folder(argv[i], coverage);
   failures += coverage_missing(coverage);
   coverage_destroy(coverage);
   return failures > 0;
}
