/* SPDX-License-Identifier: MIT
 *
 * What draws did, stage by stage, as a table or as JSON.
 */
#ifndef TG_CLI_COMMANDS_STATISTICS_H
#define TG_CLI_COMMANDS_STATISTICS_H

#include <stdbool.h>

#include "tungsten/gpu.h"
#include "util/strbuf.h"

struct cli_statistics {
   struct tg_context_statistics gpu;
   struct tg_code_statistics code; /* of the device */
   struct tg_profile *profile;     /* whose tables follow as text; or NULL */
};

/* Adds the statistics of a context as a table, a line each. */
void
cli_add_statistics(const struct cli_statistics *statistics,
                   struct tg_strbuf *out);

/* Prints the statistics of a context on standard output; false with a sentence.
 */
bool
cli_put_statistics(const struct cli_statistics *statistics, bool as_json);

#endif
