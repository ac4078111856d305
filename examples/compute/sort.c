/* SPDX-License-Identifier: MIT
 *
 * Sorts 1,048,576 words, bitonically: pieces of 1024 in shared memory, and what
 * is farther apart step by step.
 *
 *    sort
 */
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUM_WORDS = 1 << 20, PIECE = 1024, NUM_PIECES = NUM_WORDS / PIECE };

static int
compare(const void *a, const void *b)
{
   uint32_t x = *(const uint32_t *)a;
   uint32_t y = *(const uint32_t *)b;

   return x < y ? -1 : x > y;
}

/* Sorts runs of `last` words within pieces, from runs of `first` / 2. */
static void
sort_pieces(struct kernel *kernel, uint32_t first, uint32_t last)
{
   kernel_set(kernel, (uint32_t[]){first, last}, 2);
   kernel_run(kernel, NUM_PIECES, 1);
}

/* Exchanges words that are `distance` apart, in runs of `run`. */
static void
exchange(struct kernel *kernel, uint32_t distance, uint32_t run)
{
   kernel_set(kernel, (uint32_t[]){distance, run}, 2);
   kernel_run(kernel, NUM_PIECES, 1);
}

int
main(void)
{
   struct tg_resource *buffer = make_buffer(NUM_WORDS);
   uint32_t *words = tg_resource_map_buffer(buffer);
   uint32_t *expected = malloc(NUM_WORDS * sizeof(*expected));
   struct kernel pieces, steps;
   uint32_t random = 1;

   if (!expected)
      return 1;
   for (size_t i = 0; i < NUM_WORDS; i++) {
      random = random * 1664525 + 1013904223;
      words[i] = random ^ random >> 15;
   }
   memcpy(expected, words, NUM_WORDS * sizeof(*expected));
   kernel_open(&pieces, "sort_block.comp.tgsi", NULL);
   kernel_open(&steps, "sort_step.comp.tgsi", NULL);
   kernel_bind(&pieces, 0, buffer);
   kernel_bind(&steps, 0, buffer);

   double begin = now();
   sort_pieces(&pieces, 2, PIECE);
   for (uint32_t run = 2 * PIECE; run <= NUM_WORDS; run *= 2) {
      for (uint32_t distance = run / 2; distance >= PIECE; distance /= 2)
         exchange(&steps, distance, run);
      sort_pieces(&pieces, run, run);
   }
   double seconds = now() - begin;

   size_t num_wrong = 0;
   qsort(expected, NUM_WORDS, sizeof(*expected), compare);
   for (size_t i = 0; i < NUM_WORDS; i++)
      num_wrong += words[i] != expected[i];
   printf("sort: %d words, %zu unlike plain C, %.3f s\n", NUM_WORDS, num_wrong,
          seconds);

   kernel_close(&pieces);
   kernel_close(&steps);
   tg_resource_destroy(buffer);
   free(expected);
   return num_wrong != 0;
}
