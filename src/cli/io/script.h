/* SPDX-License-Identifier: MIT
 *
 * Loading of a .tgsi_test file.
 */
#ifndef TG_CLI_IO_SCRIPT_H
#define TG_CLI_IO_SCRIPT_H

#include "cli/io/kernels.h"
#include "cli/table/handlers.h"
#include "script/script.h"

/* Reads and parses a file within the memory that --memory gives; the caller
 * destroys the script. Its tests write their kernels, unless there is NULL, as
 * long as the script lives, and add to the profile, or to none. The reason of a
 * failure is on standard error or in the diagnostics. */
enum tg_result
cli_load_script(struct cli_call *call, const char *path,
                struct cli_kernels *kernels, struct tg_profile *profile,
                struct script **script_out);

#endif
