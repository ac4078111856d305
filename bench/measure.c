/* SPDX-License-Identifier: MIT
 *
 * Medians and tenths.
 */
#include "measure.h"

#include <stdlib.h>

static int
compare_doubles(const void *a, const void *b)
{
   double x = *(const double *)a;
   double y = *(const double *)b;

   return (x > y) - (x < y);
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
