/* SPDX-License-Identifier: MIT
 *
 * What draws did, stage by stage, as a table or as JSON.
 */
#ifndef TG_CLI_COMMANDS_STATISTICS_H
#define TG_CLI_COMMANDS_STATISTICS_H

#include <stdbool.h>

#include "tungsten/gpu.h"
#include "util/strbuf.h"

/* Adds the table, a line each. */
void
cli_add_statistics(const struct tg_context_statistics *statistics,
                   struct tg_strbuf *out);

/* Prints on standard output; false with a sentence. */
bool
cli_put_statistics(const struct tg_context_statistics *statistics,
                   bool as_json);

#endif
