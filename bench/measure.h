/* SPDX-License-Identifier: MIT
 *
 * Measurements in rounds: what lies in their middle.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stddef.h>

/* Sorts measurements, the smallest first. */
void
bench_sort(double *values, size_t num);

/* Sorts them; the one in the middle. */
double
bench_median(double *values, size_t num);

#endif
