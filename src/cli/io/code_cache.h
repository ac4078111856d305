/* SPDX-License-Identifier: MIT
 *
 * The folder of --cache, and the usual one.
 */
#ifndef TG_CLI_IO_CODE_CACHE_H
#define TG_CLI_IO_CODE_CACHE_H

#include <stdbool.h>

#include "cli/table/handlers.h"

/* Opens the cache of machine code for a call, if it was given; the caller
 * destroys it. False with a diagnostic. */
bool
cli_open_code_cache(struct cli_call *call);

/* Of a command that caches unless it is told not to: opens the user's folder,
 * if no other is open. There is none where that cannot be. */
void
cli_open_usual_code_cache(struct cli_call *call);

#endif
