/* SPDX-License-Identifier: MIT
 *
 * Kernels in files of their own, as --print-kernels asks for them.
 */
#ifndef TG_CLI_IO_KERNELS_H
#define TG_CLI_IO_KERNELS_H

#include <stdatomic.h>

#include "cli/table/handlers.h"

struct cli_kernels {
   const char *folder; /* NULL: none are written */
   _Atomic unsigned count;
   atomic_bool failed; /* something could not be written */
};

/* Makes the folder of --print-kernels unless it is there. False with a sentence
 * when nothing can be written into it. */
bool
cli_kernels_init(struct cli_kernels *kernels,
                 const struct cli_options *options);

/* A tg_kernel_function, whose user is a struct cli_kernels: writes the kernel
 * to NUMBER.KIND.lir. Any thread. */
void
cli_kernels_print(void *user, const char *kind, const char *text);

/* CLI_FAILED instead of CLI_OK when a kernel is missing. */
int
cli_kernels_status(const struct cli_kernels *kernels, int status);

#endif
