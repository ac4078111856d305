/* SPDX-License-Identifier: MIT
 *
 * The vertex shaders of real programs, on the vertex unit as the TGSI
 * interpreter runs them (corpus_try()); who is refused must be told why, and
 * not too many may be of those that the unit should be able to express.
 *
 *    test_corpus FOLDER LEAST-PERCENTAGE-OF-THOSE
 *    test_corpus --table FOLDER    the same, shader by shader
 *
 * `apart` is how many values of the interpreter's outputs are not exactly those
 * of the unit, and by how much at most, with ordinary inputs. The last two
 * columns are those of programs with exact arithmetic.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "tgsi/shader/shader.h"

/* Why shaders are refused, whatever the instruction is called. */
struct refusals {
   struct {
      char reason[200];
      unsigned count;
   } list[32];
   unsigned num;
};

struct totals {
   struct refusals refusals;
   unsigned num_shaders, num_plain, num_compiled, num_plain_compiled;
   unsigned num_exact, failures;
   unsigned num_all_ways; /* that compile in the first three ways */
   unsigned num_least;    /* with no more words than they must have */
   double log_of_words[CORPUS_OPTIMISED + 1], log_of_least;
   /* With exact arithmetic: */
   unsigned num_compiled_exactly, num_equal;
   uint32_t greatest;
};

/* ---- all of them --------------------------------------------------------- */

static void
add_refusal(struct refusals *refusals, const char *message)
{
   const unsigned most = sizeof(refusals->list) / sizeof(refusals->list[0]);
   const char *colon = strstr(message, ": ");
   const char *reason = colon ? colon + 2 : message;
   unsigned i = 0;

   while (i < refusals->num && strcmp(refusals->list[i].reason, reason) != 0)
      i++;
   if (i == most)
      return;
   if (i == refusals->num)
      snprintf(refusals->list[refusals->num++].reason,
               sizeof(refusals->list[i].reason), "%s", reason);
   refusals->list[i].count++;
}

static void
add_up_exact(struct totals *totals, const struct corpus_result *result)
{
   if (!result->words[CORPUS_EXACT])
      return;
   totals->num_compiled_exactly++;
   totals->num_equal += result->exact_difference.num_different == 0;
   if (result->exact_difference.greatest > totals->greatest)
      totals->greatest = result->exact_difference.greatest;
}

static void
add_up(struct totals *totals, const struct corpus_result *result)
{
   bool compiles = result->words[CORPUS_OPTIMISED] > 0;
   bool is_plain = result->uses == 0;

   totals->num_shaders++;
   totals->num_plain += is_plain;
   totals->num_compiled += compiles;
   totals->num_plain_compiled += is_plain && compiles;
   totals->num_exact += compiles && result->difference.num_different == 0;
   totals->failures += result->failures;
   if (!compiles)
      add_refusal(&totals->refusals, result->reason);
   add_up_exact(totals, result);
   for (unsigned way = 0; way <= CORPUS_OPTIMISED; way++) {
      if (!result->words[way])
         return;
   }
   totals->num_all_ways++;
   totals->num_least += result->words[CORPUS_OPTIMISED] == result->least;
   totals->log_of_least += log(result->least);
   for (unsigned way = 0; way <= CORPUS_OPTIMISED; way++)
      totals->log_of_words[way] += log(result->words[way]);
}

static void
print_difference(uint32_t words, const struct corpus_difference *difference)
{
   if (words == 0) {
      printf(" does not fit | |");
      return;
   }
   printf(" %u | ", words);
   if (difference->num_different > 0)
      printf("%llu of %llu, %u ulp |",
             (unsigned long long)difference->num_different,
             (unsigned long long)difference->num_values, difference->greatest);
   else
      printf("0 |");
}

static void
print_row(const char *name, const struct corpus_result *result)
{
   static const char *const names[] = {"textures", "integers", "doubles",
                                       "system values"};
   printf("| %s |", name);
   for (unsigned i = 0; i < 4; i++) {
      if (result->uses >> i & 1)
         printf(" %s", names[i]);
   }
   if (result->words[CORPUS_OPTIMISED] == 0) {
      printf(" | | | | | | | %s |\n", result->reason);
      return;
   }
   printf(" | %u | %u | %u |", result->words[CORPUS_UNOPTIMISED],
          result->words[CORPUS_SINGLE_ISSUE], result->least);
   print_difference(result->words[CORPUS_OPTIMISED], &result->difference);
   print_difference(result->words[CORPUS_EXACT], &result->exact_difference);
   printf("\n");
}

static void
print_refusals(const struct refusals *refusals)
{
   printf("\n| refused because | shaders |\n| --- | --- |\n");
   for (unsigned i = 0; i < refusals->num; i++)
      printf("| %s | %u |\n", refusals->list[i].reason,
             refusals->list[i].count);
   printf("\n");
}

static void
print_totals(const struct totals *totals)
{
   const double *logs = totals->log_of_words;
   double count = totals->num_all_ways ? totals->num_all_ways : 1;

   printf("%u vertex shaders, %u compile, %u of them exactly; of %u without "
          "textures, integers, doubles and system values %u do\n",
          totals->num_shaders, totals->num_compiled, totals->num_exact,
          totals->num_plain, totals->num_plain_compiled);
   printf(
      "words in the geometric mean: %.3f of those unoptimised, %.3f of those "
      "with one operation each\n",
      exp((logs[CORPUS_OPTIMISED] - logs[CORPUS_UNOPTIMISED]) / count),
      exp((logs[CORPUS_OPTIMISED] - logs[CORPUS_SINGLE_ISSUE]) / count));
   printf("no order of the operations is better than %.3f of those; %u of %u "
          "shaders are as short\n",
          exp((totals->log_of_least - logs[CORPUS_SINGLE_ISSUE]) / count),
          totals->num_least, totals->num_all_ways);
   printf("with exact arithmetic %u compile, %u of them give what the "
          "interpreter does; the greatest distance is %u ulp\n",
          totals->num_compiled_exactly, totals->num_equal, totals->greatest);
}

static int
is_vertex_shader(const struct dirent *entry)
{
   const char *dot = strrchr(entry->d_name, '.');

   return strncmp(entry->d_name, "vert-", 5) == 0 && dot &&
          strcmp(dot, ".tgsi") == 0;
}

/* With exact arithmetic it is ordinary values that count. */
static void
try_values(const char *path, const struct tg_shader *shader, bool table,
           struct corpus_result *result)
{
   struct corpus_result with_all_values = {0};

   if (!table)
      corpus_try(path, shader, 1, CORPUS_ALL_VALUES, &with_all_values);
   corpus_try(path, shader, 1, CORPUS_ORDINARY_VALUES, result);
   result->failures += with_all_values.failures;
}

static void
run_folder(const char *folder, bool table, struct totals *totals)
{
   struct dirent **entries;
   int count = scandir(folder, &entries, is_vertex_shader, alphasort);

   for (int i = 0; i < count; i++) {
      struct corpus_result result = {0};
      char path[4096];
      snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
      struct tg_shader *shader = corpus_read(path);
      if (shader)
         try_values(path, shader, table, &result);
      else
         result.failures++;
      tg_shader_destroy(shader);
      if (table)
         print_row(entries[i]->d_name, &result);
      add_up(totals, &result);
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
      printf("| shader | uses | -O0 | single issue | at least | -O2 | apart | "
             "exact | apart |\n"
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
   run_folder(argv[table ? 2 : 1], table, &totals);
   if (table)
      print_refusals(&totals.refusals);
   print_totals(&totals);
   if (totals.failures > 0 || totals.num_compiled == 0)
      return 1;
   unsigned least = table ? 0 : (unsigned)strtoul(argv[2], NULL, 10);
   return totals.num_plain_compiled * 100 < totals.num_plain * least;
}
