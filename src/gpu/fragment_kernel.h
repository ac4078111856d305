/* SPDX-License-Identifier: MIT
 *
 * The fragment kernel, as LIR.
 */
#ifndef TG_GPU_FRAGMENT_KERNEL_H
#define TG_GPU_FRAGMENT_KERNEL_H

#include "gpu/link.h"

/* What gpu_fragment_write_kernel() takes as `user`. */
struct gpu_fragment_writer {
   const struct gpu_shader *shader;
   const struct gpu_interface *interface;
   bool is_checked;
   const struct gpu_fragment_key *key; /* filled in by the writer */
};

/* A gpu_kernel_writer for struct gpu_fragment_key. */
enum tg_result
gpu_fragment_write_kernel(void *user, const void *key,
                          struct lir_module *module,
                          struct tg_diagnostics *diagnostics);

#endif
