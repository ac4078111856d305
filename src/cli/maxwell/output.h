/* SPDX-License-Identifier: MIT
 *
 * What `tungsten maxwell run` prints: the registers that were written, in one
 * of three forms, and the trace of a run.
 */
#ifndef TG_CLI_MAXWELL_OUTPUT_H
#define TG_CLI_MAXWELL_OUTPUT_H

#include "cli/io/run_output.h"
#include "cli/maxwell/file.h"

/* State of the trace of a run. */
struct cli_maxwell_trace {
   struct cli_lines lines; /* empty: nothing is printed */
   uint32_t next;          /* the instruction to be printed next */
   /* Threads that have written each register, and what it is then; and each
    * predicate. */
   uint32_t written[TG_MAXWELL_NUM_REGISTERS];
   bool is_half[TG_MAXWELL_NUM_REGISTERS];
   uint32_t predicates[TG_MAXWELL_NUM_PREDICATES];
};

/* Prints an access: a tg_maxwell_trace_function; `user` is the
 * cli_maxwell_trace. */
void
cli_maxwell_trace_event(void *user, const struct tg_maxwell_access *access);

/* Prints what was written, of all threads that have. */
enum tg_result
cli_print_registers(const struct cli_maxwell_trace *trace,
                    const struct tg_maxwell_warp *warp,
                    enum cli_run_format format);

#endif
