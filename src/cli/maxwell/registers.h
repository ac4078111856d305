/* SPDX-License-Identifier: MIT
 *
 * What `tungsten maxwell run` prints: the registers that were written, in one
 * of three forms.
 */
#ifndef TG_CLI_MAXWELL_REGISTERS_H
#define TG_CLI_MAXWELL_REGISTERS_H

#include "cli/io/run_output.h"
#include "cli/maxwell/trace.h"
#include "util/strbuf.h"

/* Prints what was written, of all threads that have. */
enum tg_result
cli_print_registers(const struct cli_maxwell_trace *trace,
                    const struct tg_maxwell_warp *warp,
                    enum cli_run_format format);

/* A register: a float, or two halves, the low one first. */
void
cli_maxwell_add_register_word(struct tg_strbuf *out, uint32_t word,
                              bool is_half);

#endif
