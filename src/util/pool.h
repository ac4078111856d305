/* SPDX-License-Identifier: MIT
 *
 * A thread pool for data-parallel jobs. A job goes over numbered items in
 * pieces; the pool's threads serve all jobs round robin, a piece of one after a
 * piece of the next, so that none starves another. Which thread does which item
 * differs from time to time; what comes out must not.
 *
 * Any number of threads may run and submit jobs at the same time.
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

/* A pool of `num_threads`, of which one is the thread that asks for a job; 0
 * means tg_count_processors(). Where the system does not give as many there are
 * fewer. TG_ERROR_INPUT beyond TG_MAX_POOL_THREADS, TG_ERROR_MEMORY. */
enum tg_result
tg_pool_create(const struct tg_allocator *allocator, unsigned num_threads,
               struct tg_pool **pool_out);

/* Takes NULL. There must be no job that is not done. */
void
tg_pool_destroy(struct tg_pool *pool);

/* At least 1; the caller's counts. */
unsigned
tg_pool_num_threads(const struct tg_pool *pool);

/* Does the items from `first` up to, and without, `end`. `thread` is below the
 * number of threads. 0 is the thread that runs or helps the job, of which there
 * is one at a time; others are the pool's, which have the same number in all
 * jobs. False: let nobody begin any more items of the job. */
typedef bool (*tg_pool_function)(void *user, unsigned thread, uint64_t first,
                                 uint64_t end);

/* Has `work` done for the items 0 to `num_items` - 1, up to 2^63, in pieces of
 * `grain`, at least 1; smaller numbers are begun first. Returns when nobody is
 * at work any more. All that was written before is seen by `work`, and all that
 * it wrote is seen afterwards. */
void
tg_pool_run(struct tg_pool *pool, uint64_t num_items, uint32_t grain,
            tg_pool_function work, void *user);

/* ---- jobs that go on by themselves --------------------------------------- */

/* The caller's memory, until it is done. */
struct tg_pool_job {
   tg_pool_function work;
   void *user;
   uint64_t num_items;
   uint64_t grain;
   /* Called once, by the thread that did the last piece, without any lock, when
    * nobody touches the job any more: it may free it and submit others. */
   void (*done)(struct tg_pool_job *job);

   /* The pool's own, from tg_pool_submit() on. */
   uint64_t next;        /* the first item that nobody has taken */
   unsigned num_working; /* threads */
   bool has_helper;
   struct tg_pool_job *before, *after; /* in the ring; NULL: not there */
};

/* Begins a job. A pool of one thread does it now, and calls `done`. */
void
tg_pool_submit(struct tg_pool *pool, struct tg_pool_job *job);

/* Takes part, as thread 0, until no item is left to begin; others may still be
 * at work then. Nothing is left if somebody else helps, or the job is done; it
 * must not be gone. */
void
tg_pool_help(struct tg_pool *pool, struct tg_pool_job *job);

#endif
