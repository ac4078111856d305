/* SPDX-License-Identifier: MIT
 *
 * The sandbox of a process that serves one client: a seccomp filter and
 * resource limits.
 */
#ifndef VTEST_SANDBOX_H
#define VTEST_SANDBOX_H

#include <stdbool.h>

/* Limits a process in descriptors and core files, and has it die with its
 * parent. Before threads are started. */
bool
vtest_sandbox_limit_process(void);

/* From now on all threads of the process may use memory, threads that there
 * are, descriptors that are open, and memory files: no other file, no network,
 * no program. Anything else is refused with EPERM. False: the kernel has no
 * seccomp. */
bool
vtest_enter_sandbox(void);

#endif
