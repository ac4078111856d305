/* SPDX-License-Identifier: MIT
 *
 * PoCL, the yardstick of the compute benchmark.
 */
#ifndef BENCH_OPENCL_H
#define BENCH_OPENCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OPENCL_NUM_BUFFERS = 3 };

struct opencl;

/* Compiles the kernels of a file for the processor. NULL, and a sentence on
 * standard output, where there is no PoCL. */
struct opencl *
opencl_open(const char *path);

void
opencl_close(struct opencl *opencl);

/* What a kernel runs on. */
struct opencl_work {
   const char *kernel;
   const uint32_t *constants;
   size_t num_constants;
   uint32_t *words[OPENCL_NUM_BUFFERS]; /* before, and afterwards */
   size_t num_words[OPENCL_NUM_BUFFERS];
   size_t block[2], grid[2];
};

struct opencl_kernel;

struct opencl_kernel *
opencl_prepare(struct opencl *opencl, const struct opencl_work *work);

/* Runs it to its end. */
void
opencl_run(struct opencl *opencl, struct opencl_kernel *kernel);

/* Fetches what the buffers have become. */
void
opencl_finish(struct opencl *opencl, struct opencl_kernel *kernel);

#endif
