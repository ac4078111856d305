/* SPDX-License-Identifier: MIT
 *
 * Printers of `tungsten run`: the output registers in one of three forms, and
 * the trace of a run.
 */
#ifndef TG_CLI_IO_RUN_OUTPUT_H
#define TG_CLI_IO_RUN_OUTPUT_H

#include "cli/table/commands.h"
#include "script/run/emitted.h"

/* The words of run's --format, and what --json asks for. */
enum cli_run_format {
   CLI_RUN_TEXT,
   CLI_RUN_HEX,
   CLI_RUN_JSON,
};

/* What --format asks for, or --json. */
enum cli_run_format
cli_run_format(const struct cli_options *options);

/* Prints the outputs of a run; what was emitted comes first, in its order. */
enum tg_result
cli_print_outputs(const struct tg_run *run,
                  const struct script_emitted *emitted, unsigned num_lanes,
                  enum cli_run_format format);

/* Prints instructions with the values that they write. */
struct cli_trace;

/* Creates the printer of a trace. The shader must outlive it. NULL when out of
 * memory. */
struct cli_trace *
cli_run_trace_create(const struct tg_shader *shader);

/* Destroys the printer of a trace. Takes NULL. */
void
cli_run_trace_destroy(struct cli_trace *trace);

/* Prints an event: a tg_trace_function; `user` is the cli_trace. */
void
cli_run_trace_event(void *user, uint32_t instruction, unsigned dst,
                    unsigned channel, uint32_t lanes,
                    const uint32_t words[TG_MAX_LANES]);

#endif
