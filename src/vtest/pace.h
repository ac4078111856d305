/* SPDX-License-Identifier: MIT
 *
 * Priorities of clients: one that keeps the processors busy for long before it
 * reads anything back comes after the others.
 */
#ifndef VTEST_PACE_H
#define VTEST_PACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Processor time of a process, of all its threads, that may pass from a
 * read-back, as frames are, to the next one, before the process is slowed:
 * nanoseconds. */
#define VTEST_PACE_MOST (UINT64_C(2) * 1000 * 1000 * 1000)

enum {
   VTEST_PACE_NICE = 10,          /* more, of what is slowed */
   VTEST_PACE_MILLISECONDS = 250, /* between looks */
};

/* A client's process, as the server sees it. */
struct vtest_pace {
   pid_t process;
   _Atomic uint32_t *num_reads; /* shared memory: the process counts */
   uint32_t seen;               /* of them at the last look */
   uint64_t begin;              /* processor time when that changed */
   bool is_slowed;
};

/* Before the process is made. False without memory. */
bool
vtest_pace_begin(struct vtest_pace *pace);

void
vtest_pace_end(struct vtest_pace *pace);

/* Has the process taken so much processor time, nanoseconds, since it was first
 * seen with as many read-backs as now? Processes that were slowed have not. */
bool
vtest_pace_is_over(struct vtest_pace *pace, uint64_t now, uint64_t most);

/* Looks at a process, and slows it when what it draws takes too much: for good,
 * as only the superuser could undo it. True when that was now. */
bool
vtest_pace_look(struct vtest_pace *pace);

#endif
