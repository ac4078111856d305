/* SPDX-License-Identifier: MIT
 *
 * Compilation of the pipeline's kernels, counted as they are made.
 */
#include "gpu/core/kernel.h"

enum tg_result
gpu_kernel_get(const struct gpu_compiler *compiler,
               const struct exec_source *source,
               struct tg_diagnostics *diagnostics,
               const struct exec_kernel **kernel_out)
{
   bool is_new;
   const enum tg_result result =
      exec_cache_get(compiler->cache, &compiler->exec, source, diagnostics,
                     kernel_out, &is_new);

   if (is_new && compiler->num_compiled)
      ++*compiler->num_compiled;
   return result;
}
