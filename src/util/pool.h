/* SPDX-License-Identifier: MIT
 *
 * Threads that share work: a run goes over numbered items, and each thread
 * takes some when it has nothing to do. Which thread does which item differs
 * from time to time; what comes out must not.
 *
 * Any number of threads may ask a pool to run; they get it one after the other.
 */
#ifndef TG_UTIL_POOL_H
#define TG_UTIL_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "tungsten/base.h"

enum { TG_MAX_POOL_THREADS = 256 };

struct tg_pool;

/* That this process may use, at most TG_MAX_POOL_THREADS. */
unsigned
tg_count_processors(void);

/* Starts a thread in which all signals are blocked: they are for the threads of
 * the program. False, where the system gives none. */
bool
tg_start_thread(pthread_t *thread_out, void *(*run)(void *), void *user);

/* A pool of `num_threads`, of which one is whoever asks for a run; 0 means
 * tg_count_processors(). Where the system does not
 * give as many there are fewer. TG_ERROR_INPUT beyond TG_MAX_POOL_THREADS,
 * TG_ERROR_MEMORY. */
enum tg_result
tg_pool_create(const struct tg_allocator *allocator, unsigned num_threads,
               struct tg_pool **pool_out);

/* Takes NULL. Nobody may be running. */
void
tg_pool_destroy(struct tg_pool *pool);

/* At least 1; the caller's counts. */
unsigned
tg_pool_num_threads(const struct tg_pool *pool);

/* Does the items from `first` up to, and without, `end`. `thread` is below the
 * number of threads, 0 being the caller's, and no two of one number work at the
 * same time. False: let nobody begin any more items. */
typedef bool (*tg_pool_function)(void *user, unsigned thread, uint64_t first,
                                 uint64_t end);

/* Has `work` done for the items 0 to `num_items` - 1, up to 2^63, in pieces of
 * `grain`, at least 1; smaller numbers are begun first. Returns when nobody is
 * at work any more. All that was written before is seen by `work`, and all that
 * it wrote is seen afterwards. `work` may not run this pool itself. */
void
tg_pool_run(struct tg_pool *pool, uint64_t num_items, uint32_t grain,
            tg_pool_function work, void *user);

#endif
