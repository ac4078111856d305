/* SPDX-License-Identifier: MIT
 *
 * --profile: a profile of what a command draws, and the file of its trace.
 */
#ifndef TG_CLI_COMMANDS_PROFILING_H
#define TG_CLI_COMMANDS_PROFILING_H

#include <stdbool.h>

#include "cli/table/commands.h"
#include "tungsten/profile.h"

/* Can the file of --profile be written, if it was given? False with a sentence.
 */
bool
cli_can_profile(const struct cli_options *options);

/* Creates a profile, NULL without --profile. False with a sentence, when its
 * file cannot be written, or there is no memory. */
bool
cli_create_profile(const struct cli_options *options,
                   struct tg_profile **profile_out);

/* Prints the tables of a profile, unless JSON is printed, and writes its trace.
 * Takes NULL. False with a sentence. */
bool
cli_put_profile(const struct cli_options *options, struct tg_profile *profile);

#endif
