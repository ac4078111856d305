/* SPDX-License-Identifier: MIT
 *
 * Programs to measure executors with, as LIR that any of them runs.
 */
#ifndef BENCH_PROGRAMS_H
#define BENCH_PROGRAMS_H

#include "lir/builder.h"

/* They read at most so many words of input and of constant buffer 0, floats
 * between 0 and 1, and write at most so many words of output. */
enum { BENCH_WORDS = 64 };

struct bench_program {
   const char *name;
   const char *title;
   void (*build)(struct lir_builder *builder);
};

extern const struct bench_program bench_programs[];
extern const unsigned bench_num_programs;

#endif
