/* SPDX-License-Identifier: MIT
 *
 * Matchings of graphs whose answers are known, and of random ones against the
 * plainest way to find them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tegra/schedule/matching.h"

enum { MAX_VERTICES = 12 };

struct graph {
   uint64_t edges[MAX_VERTICES];
   uint32_t num_vertices;
};

static void
join(struct graph *graph, unsigned a, unsigned b)
{
   graph->edges[a] |= UINT64_C(1) << b;
   graph->edges[b] |= UINT64_C(1) << a;
}

/* "ab bc": vertices are letters from a on. */
static struct graph
graph_of(uint32_t num_vertices, const char *edges)
{
   struct graph graph = {.num_vertices = num_vertices};

   for (const char *at = edges; *at; at += at[2] ? 3 : 2)
      join(&graph, (unsigned)(at[0] - 'a'), (unsigned)(at[1] - 'a'));
   return graph;
}

/* The first vertex that is left goes with nobody, or with one of the others. */
static uint32_t
count_plainly(const struct graph *graph, uint64_t left)
{
   if (!left)
      return 0;
   unsigned first = (unsigned)__builtin_ctzll(left);
   uint64_t others = left & (left - 1);
   uint32_t most = count_plainly(graph, others);

   for (uint64_t set = graph->edges[first] & others; set; set &= set - 1) {
      uint32_t count = 1 + count_plainly(graph, others & ~(set & -set));
      if (count > most)
         most = count;
   }
   return most;
}

/* Each mate has its own, by an edge. */
static void
check_mates(const struct graph *graph, const struct matching *matching)
{
   uint32_t num_mates = 0;

   for (uint32_t i = 0; i < graph->num_vertices; i++) {
      uint32_t mate = matching->mates[i];

      if (mate == MATCHING_NONE)
         continue;
      assert_true(graph->edges[i] >> mate & 1);
      assert_int_equal(matching->mates[mate], i);
      num_mates++;
   }
   assert_int_equal(num_mates, 2 * matching->size);
}

/* The size of a maximum matching and what some such leave out; as the plain way
 * has it for what is there after each vertex. */
static uint32_t
match(const struct graph *graph, uint64_t *inessential)
{
   struct tg_arena arena;
   struct matching matching;
   uint64_t present = 0;

   tg_arena_init(&arena, NULL);
   assert_true(
      matching_start(&matching, graph->edges, graph->num_vertices, 1, &arena));
   for (uint32_t i = 0; i < graph->num_vertices; i++) {
      present |= UINT64_C(1) << i;
      matching_add(&matching, i);
      assert_int_equal(matching.size, count_plainly(graph, present));
   }
   check_mates(graph, &matching);
   *inessential = 0;
   matching_find_inessential(&matching, inessential);
   for (uint32_t i = 0; i < graph->num_vertices; i++)
      assert_int_equal(*inessential >> i & 1,
                       count_plainly(graph, present & ~(UINT64_C(1) << i)) ==
                          matching.size);
   uint32_t size = matching.size;
   tg_arena_finish(&arena);
   return size;
}

static void
expect(uint32_t num_vertices, const char *edges, uint32_t size,
       uint64_t inessential)
{
   struct graph graph = graph_of(num_vertices, edges);
   uint64_t found;

   assert_int_equal(match(&graph, &found), size);
   assert_int_equal(found, inessential);
}

static void
known_graphs(void **state)
{
   (void)state;
   expect(0, "", 0, 0);
   expect(2, "", 0, 3);
   expect(2, "ab", 1, 0);
   expect(3, "ab bc", 1, 5);                    /* a or c stays over */
   expect(4, "ab bc cd", 2, 0);                 /* ab and cd, not bc */
   expect(4, "ab ac ad", 1, 14);                /* a star */
   expect(3, "ab bc ca", 1, 7);                 /* any of a triangle */
   expect(4, "ab bc ca cd", 2, 0);              /* with a tail */
   expect(6, "ab bc ca cd de ef fd", 3, 0);     /* two, by an edge */
   expect(7, "ab bc ca cd de ef fg gd", 3, 87); /* not d and f */
   expect(5, "ab bc cd de ea", 2, 31);          /* a circle of five */
   /* The first two edges have to change for the last vertex. */
   expect(6, "bc de ab ad cd ef", 3, 0);
   /* Petersen's graph: a circle of five, a star of five, and spokes. */
   expect(10, "ab bc cd de ea fh hj jg gi if af bg ch di ej", 5, 0);
}

static uint32_t
next_random(uint64_t *random)
{
   *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407u;
   return (uint32_t)(*random >> 33);
}

static void
random_graphs(void **state)
{
   uint64_t random = 1, inessential;

   (void)state;
   for (unsigned i = 0; i < 4000; i++) {
      struct graph graph = {.num_vertices = 2 + i % (MAX_VERTICES - 2)};
      unsigned one_in = 2 + i % 5;

      for (unsigned a = 0; a < graph.num_vertices; a++) {
         for (unsigned b = 0; b < a; b++) {
            if (next_random(&random) % one_in == 0)
               join(&graph, a, b);
         }
      }
      match(&graph, &inessential);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_graphs),
      cmocka_unit_test(random_graphs),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
