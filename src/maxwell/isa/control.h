/* SPDX-License-Identifier: MIT
 *
 * Control bits (scheduling codes) of an instruction as text: after it,
 * `&req=0,3 &rd=2 &wr=5 ?stall=1 ?yield ?reuse=1`, or before it as listings of
 * compilers' output have them, `[B0--3--:R2:W5:Y:S01]`. Bits that are all 0 but
 * for those of .T and .P are those of code that is not scheduled, and no text.
 */
#ifndef MAXWELL_ISA_CONTROL_H
#define MAXWELL_ISA_CONTROL_H

#include "maxwell/isa/isa.h"

/* Prints control bits as text, nothing if there is nothing to say. The bits of
 * .T and .P are said by the instruction, and here only if `with_phase`. */
void
maxwell_print_control(char *out, size_t size, uint32_t bits, bool with_phase,
                      bool as_prefix);

/* The control bits of an instruction that is scheduled and asks for nothing: it
 * stalls 15 cycles. */
uint32_t
maxwell_idle_control(void);

#endif
