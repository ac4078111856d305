/* SPDX-License-Identifier: MIT
 *
 * A thread pool for data-parallel jobs. A job is a range of numbered items, cut
 * into pieces of so many items each; a thread that is free claims the next
 * piece. Which thread does which piece differs from time to time; what comes
 * out must not.
 *
 * Any number of jobs, from any threads, are open at the same time. Those of one
 * owner have a share of the pool's own threads: a thread that is free does a
 * piece for whom they have worked least of those that have an open job, so that
 * an owner gets as much time as others, however long its pieces are. A thread
 * that waits for a job may work on it meanwhile, which counts for nobody.
 */
#ifndef TG_UTIL_POOL_H
#define TG_UTIL_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "tungsten/base.h"

enum { TG_MAX_POOL_THREADS = 256 };

struct tg_pool;

/* The processors that this process may use, at most TG_MAX_POOL_THREADS. */
unsigned
tg_pool_count_processors(void);

/* Starts a thread in which all signals are blocked: they are for the threads of
 * the program. False, where the system gives none. */
bool
tg_pool_start_thread(pthread_t *thread_out, void *(*run)(void *), void *user);

/* A pool for `num_threads` at work: all but one are its own, the last is the
 * thread that runs a job. 0 means tg_pool_count_processors(). Where the system
 * does not give as many there are fewer. TG_ERROR_INPUT beyond
 * TG_MAX_POOL_THREADS, TG_ERROR_MEMORY. */
enum tg_result
tg_pool_create(const struct tg_allocator *allocator, unsigned num_threads,
               struct tg_pool **pool_out);

/* Ends the threads of a pool. Takes NULL. All jobs are complete, and no thread
 * but the pool's own is in one of these functions. */
void
tg_pool_destroy(struct tg_pool *pool);

/* How many threads work at most, at least 1. */
unsigned
tg_pool_num_threads(const struct tg_pool *pool);

/* The numbers of threads are below this: each of the pool's own has two. */
unsigned
tg_pool_num_places(const struct tg_pool *pool);

/* Does the items from `first` up to, and without, `end`. `thread` is below the
 * number of places, and no two threads at work on a job have the same. The
 * pool's own have 1 and up, each always the same two, so memory for each of
 * them can be shared by all jobs; 0 is the one other thread that runs the job
 * or helps. False: begin no more items of this job. May itself run and submit
 * jobs. */
typedef bool (*tg_pool_function)(void *user, unsigned thread, uint64_t first,
                                 uint64_t end);

/* ---- shares -------------------------------------------------------------- */

/* An owner of jobs, which has no open ones when it ends. Zero at first. */
struct tg_pool_share {
   /* The pool's own. */
   uint64_t time;  /* that its threads have spent, nanoseconds, and when */
   uint64_t begun; /* those began that are at work, the sum */
   uint64_t piece; /* that a piece takes; 0: it is not known */
   unsigned num_threads; /* at work */
   bool is_known;
};

/* Are there several jobs? */
bool
tg_pool_is_shared(const struct tg_pool *pool);

/* Cooperative yield in the middle of a piece that is long: a thread of the pool
 * does pieces of others whose pieces are short and who have had less. They are
 * done with another number of the thread; what is done with that one does not
 * yield. */
void
tg_pool_yield(struct tg_pool *pool, unsigned thread);

/* ---- synchronous --------------------------------------------------------- */

/* Has `work` done for the items 0 to `num_items` - 1, up to 2^63, in pieces of
 * `grain`, at least 1; smaller numbers are begun first. The caller works too,
 * and returns when nobody is at work any more. All that was written before is
 * seen by `work`, and all that it wrote is seen afterwards. */
void
tg_pool_run(struct tg_pool *pool, uint64_t num_items, uint32_t grain,
            tg_pool_function work, void *user);

/* tg_pool_run() for an owner; NULL: it has a share of its own. */
void
tg_pool_run_for(struct tg_pool *pool, struct tg_pool_share *share,
                uint64_t num_items, uint32_t grain, tg_pool_function work,
                void *user);

/* ---- asynchronous -------------------------------------------------------- */

/* The owner's memory, which stays where it is until the job is complete, and
 * can then be submitted again. */
struct tg_pool_job {
   /* Set by the owner. */
   tg_pool_function work;
   void *user;
   uint64_t num_items;   /* as in tg_pool_run() */
   uint64_t grain;       /* at least 1 */
   uint32_t max_threads; /* at work at a time, or 0; 1: pieces in sequence */
   /* Cache affinity, for up to 2^31 pieces: threads of even numbers begin the
    * first ones, others the last ones, so that from job to job most pieces are
    * done by the same thread. */
   bool has_two_ends;
   struct tg_pool_share *share; /* NULL: it has one of its own */
   /* Called once when the job is complete, by the thread that ended the last
    * piece, which sees all that `work` wrote. It may free the job and submit
    * others, but not wait. NULL: the job is waited for. */
   void (*done)(struct tg_pool_job *job);

   /* The pool's own; zero at first. */
   _Atomic uint64_t claimed; /* pieces; 32 bits for each of two ends */
   uint64_t num_pieces;
   struct tg_pool_job *next, *previous; /* in the ring, or NULL */
   struct tg_pool_waiter *waiters;
   struct tg_pool_share *payer, own;
   uint32_t num_threads; /* at work */
   bool has_helper;
   _Atomic bool is_complete; /* read without the lock */
};

/* tg_pool_run() for a job, which has no `done`: the caller is one of its
 * threads from the beginning, the only one where `max_threads` is 1. */
void
tg_pool_run_job(struct tg_pool *pool, struct tg_pool_job *job);

/* Opens a job and returns; it does not fail. A pool of one thread does the
 * whole job in this call, `done` included. All that was written before is seen
 * by the work. */
void
tg_pool_submit(struct tg_pool *pool, struct tg_pool_job *job);

/* Works on a job until none of its pieces is left to begin. Returns at once
 * where another thread helps already, `max_threads` are at work, or the job has
 * yet to be submitted. The owner sees to it that the job lives until this
 * returns, unless it is this call that completes it. */
void
tg_pool_help(struct tg_pool *pool, struct tg_pool_job *job);

/* tg_pool_help() for as long as `goes_on` says, which is asked before each
 * piece; NULL: to the end. False: it said no, and somebody may help again. */
bool
tg_pool_help_while(struct tg_pool *pool, struct tg_pool_job *job,
                   bool (*goes_on)(void *user), void *user);

/* Helps, and returns when the job, which has no `done`, is complete. All that
 * its work wrote is seen then. */
void
tg_pool_wait(struct tg_pool *pool, struct tg_pool_job *job);

#endif
