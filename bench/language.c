/* SPDX-License-Identifier: MIT
 *
 * How fast text becomes a checked shader, and what that takes of memory. The
 * yardstick is one pass over the same bytes that looks at each of them.
 *
 *    bench_language FOLDER
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "measure.h"
#include "texts.h"
#include "tungsten/tgsi.h"

enum { ROUNDS = 7, REPEATS = 5 };

static struct bench_text texts[BENCH_MAX_TEXTS];
static size_t num_texts, num_bytes;

static double
seconds(void)
{
   struct timespec now;

   clock_gettime(CLOCK_MONOTONIC, &now);
   return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* ---- what is timed ------------------------------------------------------- */

static volatile unsigned sink;

static void
look_at_each_byte(void)
{
   for (size_t i = 0; i < num_texts; i++) {
      unsigned lines = 0;

      for (size_t j = 0; j < texts[i].length; j++) {
         lines += texts[i].data[j] == '\n';
         /* One byte at a time, as a scanner has to. */
         __asm__ volatile("" : "+r"(lines));
      }
      sink += lines;
   }
}

static void
parse_and_validate(void)
{
   for (size_t i = 0; i < num_texts; i++) {
      struct tg_shader *shader = NULL;

      if (tg_shader_parse(NULL, "bench", texts[i].data, texts[i].length,
                          TG_DIALECT_2019, NULL, &shader) != TG_OK ||
          tg_shader_validate(shader, NULL) != TG_OK)
         abort();
      tg_shader_destroy(shader);
   }
}

/* Bytes a second. */
static double
rate(void (*work)(void))
{
   double start = seconds();

   for (unsigned i = 0; i < REPEATS; i++)
      work();
   return (double)num_bytes * REPEATS / (seconds() - start);
}

/* ---- memory -------------------------------------------------------------- */

struct meter {
   size_t in_use, most;
};

static void *
measure(void *user, void *ptr, size_t old_size, size_t new_size)
{
   struct meter *meter = user;
   void *moved = NULL;

   if (new_size) {
      moved = realloc(ptr, new_size);
      if (!moved)
         abort();
   } else {
      free(ptr);
   }
   meter->in_use += new_size;
   meter->in_use -= old_size;
   if (meter->in_use > meter->most)
      meter->most = meter->in_use;
   return moved;
}

/* Prints what shaders take when they are made and on the way there, as a
 * multiple of their text: over all, and of the worst. */
static void
report_memory(void)
{
   size_t kept = 0;
   double worst = 0;

   for (size_t i = 0; i < num_texts; i++) {
      struct meter meter = {0};
      const struct tg_allocator allocator = {measure, &meter};
      struct tg_shader *shader = NULL;

      if (tg_shader_parse(&allocator, "bench", texts[i].data, texts[i].length,
                          TG_DIALECT_2019, NULL, &shader) != TG_OK)
         abort();
      kept += meter.in_use;
      double multiple = (double)meter.most / (double)texts[i].length;
      if (multiple > worst)
         worst = multiple;
      tg_shader_destroy(shader);
   }
   printf("memory of a shader: %.1f times its text over all, "
          "%.1f at most in the worst of them\n",
          (double)kept / (double)num_bytes, worst);
}

int
main(int argc, char **argv)
{
   double scan[ROUNDS], parse[ROUNDS], ratio[ROUNDS];

   if (argc != 2) {
      fprintf(stderr, "usage: bench_language FOLDER\n");
      return 2;
   }
   num_texts = bench_read_texts(argv[1], texts, 0);
   for (size_t i = 0; i < num_texts; i++)
      num_bytes += texts[i].length;
   if (!num_texts) {
      fprintf(stderr, "no shaders in %s\n", argv[1]);
      return 2;
   }
   for (unsigned i = 0; i < ROUNDS; i++) {
      scan[i] = rate(look_at_each_byte);
      parse[i] = rate(parse_and_validate);
      ratio[i] = scan[i] / parse[i];
   }
   bench_sort(scan, ROUNDS);
   bench_sort(parse, ROUNDS);
   bench_sort(ratio, ROUNDS);
   printf("%zu shaders, %zu bytes; medians of %d interleaved rounds\n",
          num_texts, num_bytes, ROUNDS);
   printf("look at each byte    %8.1f MB/s\n", scan[ROUNDS / 2] / 1e6);
   printf("parse and validate   %8.1f MB/s\n", parse[ROUNDS / 2] / 1e6);
   printf(
      "ratio                %8.1f bytes looked at in the time of one parsed\n",
      ratio[ROUNDS / 2]);
   report_memory();
   return 0;
}
