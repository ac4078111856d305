/* SPDX-License-Identifier: MIT
 *
 * Measurements in rounds: what lies in their middle; and numbers to measure
 * with.
 */
#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

/* Seconds, from any time on. */
double
bench_now(void);

/* Sorts measurements, the smallest first. */
void
bench_sort(double *values, size_t num);

/* Sorts them; the one in the middle. */
double
bench_median(double *values, size_t num);

/* Prints the median of ratios, with their first and last tenth. */
void
bench_print_ratio(double *ratio, size_t num);

/* Is this load among the names of the command line, or are there none? */
bool
bench_is_wanted(const char *name, int num_names, char **names);

/* The same numbers each time, from -bound to bound, which is a power of two. */
void
bench_fill(float *values, size_t num, float bound);

#endif
