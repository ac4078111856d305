/* SPDX-License-Identifier: MIT
 *
 * Medians and tenths, names of loads, and numbers at random.
 */
#include "measure.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int
compare_doubles(const void *a, const void *b)
{
   double x = *(const double *)a;
   double y = *(const double *)b;

   return (x > y) - (x < y);
}

double
bench_now(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void
bench_sort(double *values, size_t num)
{
   qsort(values, num, sizeof(*values), compare_doubles);
}

double
bench_median(double *values, size_t num)
{
   bench_sort(values, num);
   return values[num / 2];
}

void
bench_print_ratio(double *ratio, size_t num)
{
   const double middle = bench_median(ratio, num);

   printf("  %6.2f (%.2f to %.2f)", middle, ratio[num / 10],
          ratio[num - 1 - num / 10]);
}

bool
bench_is_wanted(const char *name, int num_names, char **names)
{
   for (int i = 0; i < num_names; i++)
      if (strcmp(names[i], name) == 0)
         return true;
   return num_names == 0;
}

void
bench_fill(float *values, size_t num, float bound)
{
   uint32_t random = 1;

   for (size_t i = 0; i < num; i++) {
      random = random * 1664525 + 1013904223;
      values[i] = (float)(random >> 8) * 0x1p-23f * bound - bound;
   }
}
