/* SPDX-License-Identifier: MIT
 *
 * Heat maps: numbers of pixels as colours.
 */
#ifndef TG_CLI_COMMANDS_HEAT_H
#define TG_CLI_COMMANDS_HEAT_H

#include "script/script.h"
#include "util/strbuf.h"

/* What a map is called in the name of its file. */
const char *
cli_heat_name(enum script_map map);

/* Adds a map as a PNG file, and what its colours mean to a legend. */
enum tg_result
cli_add_heat(const struct script_rendering *rendering, enum script_map map,
             struct tg_strbuf *png, struct tg_strbuf *legend);

#endif
