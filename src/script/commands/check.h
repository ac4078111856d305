/* SPDX-License-Identifier: MIT
 *
 * Expectations of what the runs of a checked test find. What it does not expect
 * by the next run, or by its end, fails it.
 */
#ifndef TG_SCRIPT_COMMANDS_CHECK_H
#define TG_SCRIPT_COMMANDS_CHECK_H

#include "script/commands/commands.h"

/* Runs the shader of a command. What is said of the run itself goes to `said`,
 * all else to `diagnostics`. */
typedef enum tg_result (*script_run_function)(
   struct script_runner *runner, const struct script_command *command,
   struct tg_diagnostics *diagnostics, struct tg_diagnostics *said);

/* Carries out a command that runs a shader; it fails, with `failure`, if that
 * does not run to its end. A checked run may end with errors: they are what it
 * found. */
enum tg_result
script_check_execution(struct script_runner *runner,
                       const struct script_command *command,
                       script_run_function run, const char *failure);

/* At the end of a test: TG_ERROR_INPUT for what was not expected. */
enum tg_result
script_check_report_findings(struct script_runner *runner);

#endif
