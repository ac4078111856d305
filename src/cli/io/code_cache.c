/* SPDX-License-Identifier: MIT
 *
 * Opening of the code cache.
 */
#include "cli/io/code_cache.h"

bool
cli_open_code_cache(struct cli_call *call)
{
   struct tg_code_cache_options options = TG_CODE_CACHE_OPTIONS_INIT;

   if (!call->options.cache)
      return true;
   options.folder = call->options.cache;
   options.max_bytes = call->options.cache_limit;
   return tg_code_cache_create(NULL, &options, call->diagnostics,
                               &call->code_cache) == TG_OK;
}
