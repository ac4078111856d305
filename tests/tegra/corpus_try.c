/* SPDX-License-Identifier: MIT
 *
 * A shader with nothing that it needs elsewhere: all that is to hold of what is
 * compiled of it, and brought back to TGSI.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "tegra/schedule/schedule.h"

/* What one shader needs; too large for a stack. */
struct work {
   const char *name;
   const struct tg_shader *shader;
   struct corpus_result *result;
   struct corpus_layout layout;
   enum corpus_values values;
   struct corpus_inputs inputs;
   /* What the shader gives; and what is expected of the unit, with exact
    * arithmetic and without. */
   struct corpus_outputs interpreted, expected[2];
   struct corpus_outputs got;
};

static const struct {
   unsigned optimize;
   bool single_issue, exact;
   const char *differs;
} ways[] = {
   [CORPUS_UNOPTIMISED] = {0, false, false, "gives something else unoptimised"},
   [CORPUS_SINGLE_ISSUE] = {2, true, false,
                            "gives something else with one operation a word"},
   [CORPUS_OPTIMISED] = {2, false, false, "gives something else optimised"},
   [CORPUS_EXACT_UNOPTIMISED] =
      {0, false, true,
       "with exact arithmetic gives something else unoptimised"},
   [CORPUS_EXACT] = {2, false, true,
                     "with exact arithmetic gives something else"},
};

static void
fail(struct work *work, const char *what)
{
   fprintf(stderr, "%s: %s\n", work->name, what);
   work->result->failures++;
}

/* ---- one shader, one way ------------------------------------------------- */

/* The first error. */
static void
take_reason(struct corpus_result *result,
            const struct tg_diagnostics *diagnostics)
{
   for (size_t i = tg_diagnostics_count(diagnostics); i-- > 0;) {
      const struct tg_diagnostic *said = tg_diagnostics_get(diagnostics, i);
      if (said->severity == TG_SEVERITY_ERROR)
         snprintf(result->reason, sizeof(result->reason), "%s", said->message);
   }
}

static struct tg_tegra_program *
compile(struct work *work, enum corpus_way way)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct tg_diagnostics *diagnostics = tg_diagnostics_create(NULL);
   struct tg_tegra_program *program = NULL;

   options.optimize = ways[way].optimize;
   options.single_issue = ways[way].single_issue;
   options.exact = ways[way].exact;
   enum tg_result code =
      tg_tegra_compile(NULL, work->shader, &options, diagnostics, &program);
   if (code == TG_OK) {
      work->result->words[way] = tg_tegra_num_instructions(program);
   } else {
      work->result->code = code;
      take_reason(work->result, diagnostics);
   }
   tg_diagnostics_destroy(diagnostics);
   return program;
}

/* As many as with one operation in each, but for what blocks could save. */
static void
find_least(struct work *work)
{
   struct tg_tegra_compile_options options = TG_TEGRA_COMPILE_OPTIONS_INIT;
   struct compile compile = {.options = &options};
   struct mir mir;
   uint32_t num_ops = 0, least = 0;

   options.optimize = 2;
   mir_init(&mir, tg_default_allocator(), work->shader);
   if (select_mir(&compile, &mir) != TG_OK ||
       optimize_mir(&compile, &mir) != TG_OK ||
       schedule_ports(&compile, &mir) != TG_OK ||
       schedule_least_words(&mir, &least) != TG_OK)
      fail(work, "has no least number of words");
   for (uint32_t i = 0; i < mir.num_blocks; i++)
      num_ops += mir.blocks[i].num_ops;
   work->result->least =
      work->result->words[CORPUS_SINGLE_ISSUE] - num_ops + least;
   mir_finish(&mir);
   if (work->result->words[CORPUS_OPTIMISED] < work->result->least)
      fail(work, "has fewer words than it can have");
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

/* Tiny and huge numbers are not divided exactly. With some among the inputs, it
 * only has to be the same unoptimised and optimised. */
static bool
expects_what_unoptimised_gives(struct work *work, enum corpus_way way)
{
   if (!ways[way].exact || work->values == CORPUS_ORDINARY_VALUES)
      return false;
   if (way == CORPUS_EXACT_UNOPTIMISED)
      work->expected[true] = work->got;
   return !work->result->words[CORPUS_EXACT_UNOPTIMISED];
}

static void
compare(struct work *work, enum corpus_way way)
{
   const struct corpus_outputs *expected = &work->expected[ways[way].exact];
   struct corpus_difference difference = {0};

   if (way == CORPUS_EXACT)
      corpus_compare(&work->layout, &work->interpreted, &work->got,
                     &work->result->exact_difference);
   if (expects_what_unoptimised_gives(work, way))
      return;
   corpus_compare(&work->layout, expected, &work->got, &difference);
   if (difference.num_different > 0) {
      fail(work, ways[way].differs);
      fprintf(stderr,
              "   %llu of %llu values, that of export[%u].%c of vertex %u by "
              "%u ulp: %08x, not %08x\n",
              (unsigned long long)difference.num_different,
              (unsigned long long)difference.num_values,
              difference.export_index, "xyzw"[difference.component],
              difference.vertex, difference.greatest,
              work->got.exports[difference.vertex][difference.export_index]
                               [difference.component],
              expected->exports[difference.vertex][difference.export_index]
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
      shader = corpus_parse("decompiled", text, strlen(text), TG_DIALECT_2019);
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
try_way(struct work *work, enum corpus_way way,
        const struct tg_tegra_program *program)
{
   if (!program)
      return;
   check(work, program);
   go_through_text(work, program);
   if (!corpus_simulate(program, &work->inputs, &work->got)) {
      fail(work, "a vertex does not end well");
      return;
   }
   compare(work, way);
   go_through_tgsi(work, program);
}

/* ---- one shader ---------------------------------------------------------- */

static bool
interpret_expanded(struct work *work, bool exact)
{
   struct tg_shader *expanded = corpus_expand(work->shader, exact);
   bool good =
      expanded && corpus_interpret(expanded, &work->layout, &work->inputs,
                                   &work->expected[exact]);

   tg_shader_destroy(expanded);
   return good;
}

/* The outputs as the shader gives them, and as is expected of the unit. */
static bool
interpret(struct work *work)
{
   bool good = corpus_interpret(work->shader, &work->layout, &work->inputs,
                                &work->interpreted) &&
               interpret_expanded(work, false) &&
               interpret_expanded(work, true);

   if (good)
      corpus_compare(&work->layout, &work->interpreted, &work->expected[false],
                     &work->result->difference);
   else
      fail(work, "is not interpreted");
   return good;
}

/* A program that is too large one way may be small enough another. */
static void
try_ways(struct work *work)
{
   struct tg_tegra_program *programs[CORPUS_NUM_WAYS];
   bool any = false;

   for (unsigned way = 0; way < CORPUS_NUM_WAYS; way++) {
      programs[way] = compile(work, (enum corpus_way)way);
      any |= programs[way] != NULL;
      if (!programs[way] && !work->result->reason[0])
         fail(work, "is refused without a reason");
   }
   if (any && work->result->code && work->result->code != TG_ERROR_LIMIT)
      fail(work, "is not compiled in all ways");
   if (work->result->words[CORPUS_SINGLE_ISSUE] && programs[CORPUS_OPTIMISED])
      find_least(work);
   if (any && interpret(work)) {
      for (unsigned way = 0; way < CORPUS_NUM_WAYS; way++)
         try_way(work, (enum corpus_way)way, programs[way]);
   }
   for (unsigned way = 0; way < CORPUS_NUM_WAYS; way++)
      tg_tegra_program_destroy(programs[way]);
}

void
corpus_try(const char *name, const struct tg_shader *shader, uint64_t seed,
           enum corpus_values values, struct corpus_result *result)
{
   struct work *work = calloc(1, sizeof(*work));

   if (!work)
      abort();
   memset(result, 0, sizeof(*result));
   result->uses = corpus_uses(shader);
   work->name = name;
   work->shader = shader;
   work->result = result;
   work->values = values;
   corpus_lay_out(shader, &work->layout);
   corpus_fill(&work->inputs, seed, values);
   try_ways(work);
   free(work);
}
