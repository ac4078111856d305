/* SPDX-License-Identifier: MIT
 *
 * Workers sleep until there is a job that they have not seen, join it, and
 * leave it when its items are used up. Whoever asked for it works too, then
 * closes it and waits for those that joined; a worker that wakes up too late
 * finds nothing and sleeps on.
 */
#include "util/pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

struct job {
   tg_pool_function work;
   void *user;
   uint64_t num_items;
   uint32_t grain;
   _Atomic uint64_t next; /* the first item that nobody has taken */
};

struct worker {
   struct tg_pool *pool;
   unsigned number;
   pthread_t thread;
};

struct tg_pool {
   const struct tg_allocator *allocator;
   size_t size; /* of this and the workers */
   unsigned num_workers;

   pthread_mutex_t turn; /* held during a run */
   pthread_mutex_t lock; /* of all that follows */
   pthread_cond_t begin, end;
   struct job *job;         /* open to be joined, or NULL */
   uint64_t num_jobs;       /* so far: the number of the last one */
   unsigned num_working;    /* workers that have joined it */
   bool is_closing;         /* workers are to end */
   struct worker workers[]; /* number 1 on */
};

/* ---- working ------------------------------------------------------------- */

static void
work_on(struct job *job, unsigned thread)
{
   for (;;) {
      uint64_t first = atomic_fetch_add(&job->next, job->grain);

      if (first >= job->num_items)
         return;
      uint64_t left = job->num_items - first;
      uint64_t end = first + (left < job->grain ? left : job->grain);
      if (!job->work(job->user, thread, first, end))
         atomic_store(&job->next, job->num_items);
   }
}

/* Waits, with the lock held, for a job after number `seen`. NULL: go home. */
static struct job *
next_job(struct tg_pool *pool, uint64_t seen)
{
   while (!pool->is_closing && (!pool->job || pool->num_jobs == seen))
      pthread_cond_wait(&pool->begin, &pool->lock);
   return pool->is_closing ? NULL : pool->job;
}

static void *
run_worker(void *user)
{
   struct worker *worker = user;
   struct tg_pool *pool = worker->pool;
   uint64_t seen = 0;
   struct job *job;

   pthread_mutex_lock(&pool->lock);
   while ((job = next_job(pool, seen))) {
      seen = pool->num_jobs;
      pool->num_working++;
      pthread_mutex_unlock(&pool->lock);
      work_on(job, worker->number);
      pthread_mutex_lock(&pool->lock);
      if (--pool->num_working == 0)
         pthread_cond_signal(&pool->end);
   }
   pthread_mutex_unlock(&pool->lock);
   return NULL;
}

static void
open_job(struct tg_pool *pool, struct job *job)
{
   pthread_mutex_lock(&pool->lock);
   pool->job = job;
   pool->num_jobs++;
   pthread_cond_broadcast(&pool->begin);
   pthread_mutex_unlock(&pool->lock);
}

static void
close_job(struct tg_pool *pool)
{
   pthread_mutex_lock(&pool->lock);
   pool->job = NULL;
   while (pool->num_working > 0)
      pthread_cond_wait(&pool->end, &pool->lock);
   pthread_mutex_unlock(&pool->lock);
}

void
tg_pool_run(struct tg_pool *pool, uint64_t num_items, uint32_t grain,
            tg_pool_function work, void *user)
{
   struct job job = {
      .work = work,
      .user = user,
      .num_items = num_items,
      .grain = grain,
   };
   bool is_shared = pool->num_workers > 0 && num_items > grain;

   pthread_mutex_lock(&pool->turn);
   if (is_shared)
      open_job(pool, &job);
   work_on(&job, 0);
   if (is_shared)
      close_job(pool);
   pthread_mutex_unlock(&pool->turn);
}

/* ---- the pool ------------------------------------------------------------ */

unsigned
tg_count_processors(void)
{
   cpu_set_t set;
   int count = 1;

   if (sched_getaffinity(0, sizeof(set), &set) == 0)
      count = CPU_COUNT(&set);
   return count > TG_MAX_POOL_THREADS ? TG_MAX_POOL_THREADS : (unsigned)count;
}

bool
tg_start_thread(pthread_t *thread_out, void *(*run)(void *), void *user)
{
   sigset_t all, old;

   sigfillset(&all);
   pthread_sigmask(SIG_SETMASK, &all, &old);
   const bool is_started = pthread_create(thread_out, NULL, run, user) == 0;
   pthread_sigmask(SIG_SETMASK, &old, NULL);
   return is_started;
}

static void
start_workers(struct tg_pool *pool, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      struct worker *worker = &pool->workers[i];

      *worker = (struct worker){.pool = pool, .number = i + 1};
      if (!tg_start_thread(&worker->thread, run_worker, worker))
         break;
      pool->num_workers++;
   }
}

enum tg_result
tg_pool_create(const struct tg_allocator *allocator, unsigned num_threads,
               struct tg_pool **pool_out)
{
   if (num_threads > TG_MAX_POOL_THREADS)
      return TG_ERROR_INPUT;
   if (num_threads == 0)
      num_threads = tg_count_processors();
   if (!allocator)
      allocator = tg_default_allocator();

   size_t size =
      sizeof(struct tg_pool) + (num_threads - 1) * sizeof(struct worker);
   struct tg_pool *pool = allocator->resize(allocator->user, NULL, 0, size);
   if (!pool)
      return TG_ERROR_MEMORY;
   *pool = (struct tg_pool){
      .allocator = allocator,
      .size = size,
      .turn = PTHREAD_MUTEX_INITIALIZER,
      .lock = PTHREAD_MUTEX_INITIALIZER,
      .begin = PTHREAD_COND_INITIALIZER,
      .end = PTHREAD_COND_INITIALIZER,
   };
   start_workers(pool, num_threads - 1);
   *pool_out = pool;
   return TG_OK;
}

void
tg_pool_destroy(struct tg_pool *pool)
{
   if (!pool)
      return;
   pthread_mutex_lock(&pool->lock);
   pool->is_closing = true;
   pthread_cond_broadcast(&pool->begin);
   pthread_mutex_unlock(&pool->lock);
   for (unsigned i = 0; i < pool->num_workers; i++)
      pthread_join(pool->workers[i].thread, NULL);

   pthread_cond_destroy(&pool->end);
   pthread_cond_destroy(&pool->begin);
   pthread_mutex_destroy(&pool->lock);
   pthread_mutex_destroy(&pool->turn);
   pool->allocator->resize(pool->allocator->user, pool, pool->size, 0);
}

unsigned
tg_pool_num_threads(const struct tg_pool *pool)
{
   return pool->num_workers + 1;
}
