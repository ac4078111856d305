/* SPDX-License-Identifier: MIT
 *
 * The inputs of fuzz_virgl: calls of a host, one after the other.
 */
#ifndef TESTS_FUZZ_CALLS_H
#define TESTS_FUZZ_CALLS_H

#include <stdint.h>

/* As many bytes follow: those of a recording's chunk (record/format.h). */
struct fuzz_call {
   uint8_t kind; /* enum record_kind */
   uint8_t zero[3];
   uint32_t num_bytes;
};

#endif
