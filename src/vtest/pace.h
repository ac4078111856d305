/* SPDX-License-Identifier: MIT
 *
 * Bandwidth control of clients: one that keeps the processors busy for long
 * before it reads anything back runs for a part of the time only, as long as
 * others have something to do.
 */
#ifndef VTEST_PACE_H
#define VTEST_PACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Nanoseconds. */
#define VTEST_PACE_MILLISECOND (UINT64_C(1000) * 1000)

/* Processor time of a process, of all its threads, from a read-back, as frames
 * are, to the next one, beyond which it is long. */
#define VTEST_PACE_MOST (1000 * VTEST_PACE_MILLISECOND)

/* From one look at all clients to the next; shorter while one is held. Of so
 * many short ones, which make a period, a held client runs in one. A client
 * works if it has had processor time in the last period. */
#define VTEST_PACE_STEP (250 * VTEST_PACE_MILLISECOND)
#define VTEST_PACE_SHORT_STEP (50 * VTEST_PACE_MILLISECOND)
enum { VTEST_PACE_STEPS = 10 };

/* A client's process, as the server sees it. Times are nanoseconds. */
struct vtest_pace {
   pid_t process;
   _Atomic uint32_t *num_reads; /* shared memory: the process counts */
   uint32_t seen;               /* of them at the last look */
   uint64_t begin;              /* processor time when that changed */
   uint64_t used;               /* and at the last look */
   uint64_t worked;             /* when there was more of it, or 0 */
   bool is_stopped;
   bool is_reported; /* by the server */
};

/* Makes the account of a process, before that is forked. False without memory.
 */
bool
vtest_pace_begin(struct vtest_pace *pace);

void
vtest_pace_end(struct vtest_pace *pace);

/* Notes the processor time that the process has had by now. */
void
vtest_pace_note(struct vtest_pace *pace, uint64_t used, uint64_t now);

/* Has it taken so long since it was first seen with as many read-backs? */
bool
vtest_pace_is_long(const struct vtest_pace *pace);

/* Is one of them long, and another one, which is not, at work? */
bool
vtest_pace_has_contention(const struct vtest_pace *paces, unsigned count,
                          uint64_t now);

/* Is this the part of a period in which those that are held run? */
bool
vtest_pace_is_turn(uint64_t now);

/* Looks at all processes, stops those that are long, and has them go on when it
 * is their turn or nobody else works. True: one is held. */
bool
vtest_pace_look(struct vtest_pace *paces, unsigned count, uint64_t now);

/* Lets a process that is held go on, so that it can end. */
void
vtest_pace_release(struct vtest_pace *pace);

#endif
