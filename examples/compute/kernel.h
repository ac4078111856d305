/* SPDX-License-Identifier: MIT
 *
 * What the compute examples share: a compute shader with what is bound to it.
 * Each function says what is wrong on standard error and ends the program.
 */
#ifndef EXAMPLES_COMPUTE_KERNEL_H
#define EXAMPLES_COMPUTE_KERNEL_H

#include <tungsten/run.h>

#include "../picture.h"

struct kernel {
   struct tg_diagnostics *diagnostics;
   struct tg_shader *shader;
   struct tg_program *program;
   struct tg_bindings *bindings;
   struct tg_resource *constants; /* CONST[0] */
};

/* Reads a file, of this folder unless its name begins with a slash. The executor
 * is one of tg_executor_name(); NULL: the usual one. */
void
kernel_open(struct kernel *kernel, const char *file, const char *executor);

void
kernel_close(struct kernel *kernel);

/* A buffer of words; tg_resource_map_buffer() has them. */
struct tg_resource *
make_buffer(size_t num_words);

/* Binds BUFFER[place]. */
void
kernel_bind(struct kernel *kernel, unsigned place, struct tg_resource *buffer);

/* Sets CONST[0] from its first register on; at most 64 words. */
void
kernel_set(struct kernel *kernel, const void *words, size_t num_words);

/* Runs x times y blocks; the shader says how large they are. */
void
kernel_run(struct kernel *kernel, uint32_t x, uint32_t y);

#endif
