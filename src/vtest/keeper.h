/* SPDX-License-Identifier: MIT
 *
 * The keeper, the broker of a client's code cache: a process beside that of the
 * client, which has the folder that the client's can not open. It gives the
 * client objects. Of modules whose object the client had to make it has one
 * made again, by a process of its own and when there is time, and keeps that:
 * what a client says that an object is, is never kept. See docs/code-cache.md.
 */
#ifndef VTEST_KEEPER_H
#define VTEST_KEEPER_H

#include "exec/store/folder.h"

/* The client's end. */
struct vtest_keeper {
   struct tg_code_cache cache; /* for the client's device */
   int socket;                 /* -1: it has gone, and there is nothing kept */
   pthread_mutex_t mutex;      /* of the socket */
};

/* Starts the keeper of this process, which has no threads yet. `cache` is the
 * one in a folder, `executor` the name of the one that asks. False when the
 * system gives no process; then there is nothing to end. */
bool
vtest_keeper_begin(struct vtest_keeper *keeper, struct tg_code_cache *cache,
                   const char *executor);

/* After the device is gone: waits until the keeper has made what was offered to
 * it, a few seconds at most or until a signal comes. */
void
vtest_keeper_wait(struct vtest_keeper *keeper);

/* After the device is gone. The keeper ends by itself, as soon as that. */
void
vtest_keeper_end(struct vtest_keeper *keeper);

#endif
