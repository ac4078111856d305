/* SPDX-License-Identifier: MIT
 *
 * The list of executors beside the interpreter. It has a file for itself, so
 * that a program which defines the list links without this one.
 */
#include "exec/exec.h"

const struct exec_executor *const exec_others[] = {NULL};
