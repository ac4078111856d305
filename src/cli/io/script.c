/* SPDX-License-Identifier: MIT
 *
 * Loading of .tgsi_test files.
 */
#include "cli/io/script.h"

#include <stdlib.h>

#include "cli/io/files.h"
#include "cli/io/work.h"

enum tg_result
cli_load_script(struct cli_call *call, const char *path,
                struct cli_kernels *kernels, struct tg_profile *profile,
                struct script **script_out)
{
   struct script_limits limits = SCRIPT_LIMITS_INIT;
   size_t length;
   char *text = cli_read_file(path, &length);
   if (!text)
      return TG_ERROR_IO;

   limits.check = call->options.check;
   limits.num_threads = (unsigned)call->options.threads;
   limits.executor = call->options.executor;
   limits.code_cache = call->code_cache;
   limits.profile = profile;
   limits.verify_each = call->options.verify_each;
   if (kernels && kernels->folder) {
      limits.print_kernel = cli_kernels_print;
      limits.print_user = kernels;
   }
   if (call->options.memory)
      limits.memory = call->options.memory;
   const struct tg_work_options work = cli_work_options(&call->options);
   limits.work = work.max_work;
   limits.seconds = work.max_seconds;
   limits.note = work.note;
   enum tg_result result = script_parse(NULL, &limits, path, text, length,
                                        call->diagnostics, script_out);
   free(text);
   return result;
}
