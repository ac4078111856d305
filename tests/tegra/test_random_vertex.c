/* SPDX-License-Identifier: MIT
 *
 * Random vertex shaders, on the vertex unit as the TGSI interpreter runs them
 * (corpus_try()). The unit can express all of them, so that none may be refused
 * but for its size; and a few with integers, of which the compiler has to see
 * what they are.
 *
 *    test_random_vertex FIRST-SEED NUMBER PARTS
 *    test_random_vertex --print SEED PARTS
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "random_vertex.h"
#include "tgsi/shader/shader.h"

struct totals {
   unsigned num_compiled, num_too_large, num_unclear, failures;
};

/* Is there an exponent that was computed? It may be beyond that of LIT. */
static bool
has_computed_exponent(const struct tg_shader *shader)
{
   for (uint32_t i = 0; i < shader->num_instructions; i++) {
      const struct tg_instruction *instruction = &shader->instructions[i];

      if (instruction->opcode == TG_OPCODE_POW &&
          instruction->src[1].reg.file == TG_FILE_TEMP)
         return true;
   }
   return false;
}

static void
run(uint64_t seed, unsigned parts, struct totals *totals)
{
   char *text = random_vertex(seed, parts);
   struct corpus_result result = {0};
   char name[64];

   snprintf(name, sizeof(name), "seed %llu, parts %u", (unsigned long long)seed,
            parts);
   struct tg_shader *shader =
      text ? corpus_parse(name, text, strlen(text), TG_DIALECT_2019) : NULL;
   /* With exact arithmetic only ordinary values are to come out exactly. */
   if (shader)
      corpus_try(name, shader, seed,
                 seed % 4 || has_computed_exponent(shader)
                    ? CORPUS_ALL_VALUES
                    : CORPUS_ORDINARY_VALUES,
                 &result);
   else
      result.failures++;
   totals->failures += result.failures;
   if (result.words[CORPUS_OPTIMISED] > 0) {
      totals->num_compiled++;
   } else if (result.code == TG_ERROR_LIMIT) {
      totals->num_too_large++;
   } else if (parts & RANDOM_VERTEX_INTEGERS) {
      totals->num_unclear++;
   } else {
      fprintf(stderr, "%s: is refused: %s\n", name, result.reason);
      totals->failures++;
   }
   tg_shader_destroy(shader);
   tg_string_free(text);
}

static int
print(uint64_t seed, unsigned parts)
{
   char *text = random_vertex(seed, parts);

   fputs(text ? text : "", stdout);
   tg_string_free(text);
   return 0;
}

int
main(int argc, char **argv)
{
   struct totals totals = {0};

   if (argc == 4 && strcmp(argv[1], "--print") == 0)
      return print(strtoull(argv[2], NULL, 0), (unsigned)atoi(argv[3]));
   if (argc != 4) {
      fprintf(stderr, "usage: test_random_vertex FIRST-SEED NUMBER PARTS\n");
      return 2;
   }
   uint64_t first = strtoull(argv[1], NULL, 0),
            count = strtoull(argv[2], NULL, 0);
   unsigned parts = (unsigned)strtoul(argv[3], NULL, 0);
   for (uint64_t i = 0; i < count; i++)
      run(first + i, (unsigned)i & parts, &totals);
   printf("%llu random shaders: %u compile, %u are too large, %u unclear\n",
          (unsigned long long)count, totals.num_compiled, totals.num_too_large,
          totals.num_unclear);
   return totals.failures > 0 || totals.num_compiled * 10 < count * 9;
}
