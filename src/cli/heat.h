/* SPDX-License-Identifier: MIT
 *
 * Heat maps: numbers of pixels as colours.
 */
#ifndef TG_CLI_HEAT_H
#define TG_CLI_HEAT_H

#include <stdbool.h>

#include "cli/handlers.h"
#include "script/script.h"

/* Writes a map beside a picture, with the map's name before the picture's
 * ending, and says what its colours mean; the exit status. */
int
cli_put_heat(struct cli_call *call, const struct script_rendering *rendering,
             enum script_map map);

#endif
