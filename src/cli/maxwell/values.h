/* SPDX-License-Identifier: MIT
 *
 * What `tungsten maxwell run` gives to a program: registers, predicates,
 * threads that were killed, and words of the bank of handles, from a file of
 * values and from --set.
 *
 *     R4 thread 2 = 0.5, 1      with --set: R4 and R5; c[0x28] = ... likewise
 *     R4 thread2: 3f000000      a line of a file
 *     P0 = 1, killed thread 3 = 1
 */
#ifndef TG_CLI_MAXWELL_VALUES_H
#define TG_CLI_MAXWELL_VALUES_H

#include "cli/table/handlers.h"
#include "tungsten/maxwell.h"

enum { CLI_MAXWELL_BANK = 1 << 13 /* words that instructions can name */ };

struct cli_maxwell_values {
   uint32_t registers[TG_MAXWELL_NUM_REGISTERS][TG_MAXWELL_NUM_THREADS];
   uint8_t predicates[TG_MAXWELL_NUM_THREADS];
   uint32_t killed;
   uint32_t bank[CLI_MAXWELL_BANK];
   bool is_given[CLI_MAXWELL_BANK]; /* which of these words are */
   uint32_t num_threads;            /* that it takes to have all named */
};

/* Reads --values, then --set in its order. TG_ERROR_INPUT after complaints, or
 * what went wrong otherwise. Free the values with free(). */
enum tg_result
cli_maxwell_values_read(struct cli_call *call,
                        struct cli_maxwell_values **values_out);

#endif
