/* SPDX-License-Identifier: MIT
 *
 * Initial contents of memory: from what a script says to a resource that holds
 * it.
 */
#ifndef TG_SCRIPT_RUN_RESOURCE_H
#define TG_SCRIPT_RUN_RESOURCE_H

#include "script/sections/place.h"

struct script_runner;

/* Makes the memory of a place. When that cannot be, a complaint has the place
 * of its section: TG_ERROR_INPUT, TG_ERROR_UNSUPPORTED, TG_ERROR_LIMIT;
 * TG_ERROR_MEMORY. */
enum tg_result
script_create_resource(struct script_runner *runner,
                       const struct script_place *place,
                       struct tg_resource **resource_out);

#endif
