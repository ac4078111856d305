/* SPDX-License-Identifier: MIT
 *
 * The scalar executor: a second executor, for tests, to compare with the
 * interpreter. It walks the instructions of LIR as they are, one lane after the
 * other, and shares no code with the interpreter but the expressions of
 * lir/ops.def.
 *
 * A program that is linked with scalar.c has it under the name "scalar": see
 * exec_others in exec/exec.h.
 */
#ifndef TESTS_SCALAR_SCALAR_H
#define TESTS_SCALAR_SCALAR_H

#include "exec/exec.h"

extern const struct exec_executor scalar_executor;

#endif
