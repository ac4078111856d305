/* SPDX-License-Identifier: MIT
 *
 * The folder of --cache.
 */
#ifndef TG_CLI_IO_CODE_CACHE_H
#define TG_CLI_IO_CODE_CACHE_H

#include <stdbool.h>

#include "cli/table/handlers.h"

/* Opens the cache of machine code for a call, if it was given; the caller
 * destroys it. False with a diagnostic. */
bool
cli_open_code_cache(struct cli_call *call);

#endif
