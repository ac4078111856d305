/* SPDX-License-Identifier: MIT
 *
 * The trace of `tungsten maxwell run`.
 */
#ifndef TG_CLI_MAXWELL_TRACE_H
#define TG_CLI_MAXWELL_TRACE_H

#include "cli/io/lines.h"
#include "tungsten/maxwell.h"

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

#endif
