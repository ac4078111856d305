/* SPDX-License-Identifier: MIT
 *
 * What the runs of a checked test find. What it does not expect by the next
 * run, or by its end, fails it.
 */
#ifndef TG_SCRIPT_FINDINGS_H
#define TG_SCRIPT_FINDINGS_H

#include "script/runner.h"

/* Before a checked run: fails for what the last one found and nobody expected,
 * and gives the list for what is said now. TG_ERROR_INPUT, TG_ERROR_MEMORY. */
enum tg_result
script_begin_findings(struct script_runner *runner,
                      struct tg_diagnostics **list_out);

/* Behind it: a run that ended with errors has found them, which is good. */
enum tg_result
script_end_findings(const struct script_runner *runner, enum tg_result result);

/* At the end of a test: TG_ERROR_INPUT for what nobody expected. */
enum tg_result
script_report_findings(struct script_runner *runner);

#endif
