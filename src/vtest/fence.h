/* SPDX-License-Identifier: MIT
 *
 * The fence around a process that serves one client: what it may still ask of
 * the kernel.
 */
#ifndef VTEST_FENCE_H
#define VTEST_FENCE_H

#include <stdbool.h>

/* Limits of descriptors and core files; dies with its parent. Before threads
 * are started. */
bool
vtest_limit_process(void);

/* From now on all threads of the process may use memory, threads that there
 * are, descriptors that are open, and memory files: no other file, no network,
 * no program. Anything else is refused with EPERM. False: the kernel has no
 * seccomp. */
bool
vtest_raise_fence(void);

#endif
