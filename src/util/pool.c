/* SPDX-License-Identifier: MIT
 *
 * Jobs with items to begin are in a ring, under the pool's lock; a cursor goes
 * round, so each free thread takes a piece of another job than the one before.
 * A job leaves the ring when its items are used up, and is done when those that
 * took the last ones come back.
 */
#include "util/pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>

struct worker {
   struct tg_pool *pool;
   unsigned number;
   pthread_t thread;
};

struct tg_pool {
   const struct tg_allocator *allocator;
   size_t size; /* of this and the workers */
   unsigned num_workers;

   pthread_mutex_t lock; /* of all that follows, and of jobs */
   pthread_cond_t begin; /* there is a piece, or the pool is closing */
   pthread_cond_t end;   /* a run is over */
   struct tg_pool_job
      *cursor;              /* the next to be served; NULL: no job has items */
   bool is_closing;         /* workers are to end */
   struct worker workers[]; /* number 1 on */
};

/* ---- the ring ------------------------------------------------------------ */

static void
enter_ring(struct tg_pool *pool, struct tg_pool_job *job)
{
   struct tg_pool_job *cursor = pool->cursor;
   if (!cursor) {
      job->before = job->after = job;
      pool->cursor = job;
      return;
   }
   job->before = cursor->before;
   job->after = cursor;
   job->before->after = job;
   job->after->before = job;
}

static void
leave_ring(struct tg_pool *pool, struct tg_pool_job *job)
{
   if (pool->cursor == job)
      pool->cursor = job->after == job ? NULL : job->after;
   job->before->after = job->after;
   job->after->before = job->before;
   job->before = job->after = NULL;
}

/* ---- pieces -------------------------------------------------------------- */

struct piece {
   uint64_t first, end;
};

/* Of a job in the ring. The lock is held. */
static struct piece
take_piece(struct tg_pool *pool, struct tg_pool_job *job)
{
   const uint64_t left = job->num_items - job->next;
   const uint64_t count = left < job->grain ? left : job->grain;
   const struct piece piece = {job->next, job->next + count};
   pool->cursor = job->after;
   job->next = piece.end;
   job->num_working++;
   if (job->next == job->num_items)
      leave_ring(pool, job);
   return piece;
}

/* Does a piece, with the lock held before and afterwards. False: the job is
 * done, and may be gone. */
static bool
do_piece(struct tg_pool *pool, struct tg_pool_job *job, struct piece piece,
         unsigned thread)
{
   pthread_mutex_unlock(&pool->lock);
   const bool goes_on = job->work(job->user, thread, piece.first, piece.end);
   pthread_mutex_lock(&pool->lock);
   if (!goes_on && job->after)
      leave_ring(pool, job);
   if (--job->num_working > 0 || job->after)
      return true;
   if (!job->done) {
      pthread_cond_broadcast(&pool->end);
      return false;
   }
   pthread_mutex_unlock(&pool->lock);
   job->done(job);
   pthread_mutex_lock(&pool->lock);
   return false;
}

/* ---- threads ------------------------------------------------------------- */

static void *
run_worker(void *user)
{
   struct worker *worker = user;
   struct tg_pool *pool = worker->pool;

   pthread_mutex_lock(&pool->lock);
   while (!pool->is_closing) {
      struct tg_pool_job *job = pool->cursor;
      if (job)
         do_piece(pool, job, take_piece(pool, job), worker->number);
      else
         pthread_cond_wait(&pool->begin, &pool->lock);
   }
   pthread_mutex_unlock(&pool->lock);
   return NULL;
}

/* The lock is held. */
static void
open_job(struct tg_pool *pool, struct tg_pool_job *job)
{
   job->next = 0;
   job->num_working = 0;
   job->has_helper = false;
   enter_ring(pool, job);
   if (job->num_items > job->grain)
      pthread_cond_broadcast(&pool->begin);
   else
      pthread_cond_signal(&pool->begin);
}

/* The lock is held. */
static void
help(struct tg_pool *pool, struct tg_pool_job *job)
{
   job->has_helper = true;
   while (job->after) {
      if (!do_piece(pool, job, take_piece(pool, job), 0))
         return;
   }
   job->has_helper = false;
}

/* On the caller's thread alone. */
static void
run_alone(struct tg_pool_job *job)
{
   for (uint64_t first = 0; first < job->num_items;) {
      const uint64_t left = job->num_items - first;
      const uint64_t end = first + (left < job->grain ? left : job->grain);
      if (!job->work(job->user, 0, first, end))
         break;
      first = end;
   }
}

/* ---- jobs ---------------------------------------------------------------- */

void
tg_pool_run(struct tg_pool *pool, uint64_t num_items, uint32_t grain,
            tg_pool_function work, void *user)
{
   struct tg_pool_job job = {
      .work = work,
      .user = user,
      .num_items = num_items,
      .grain = grain,
   };
   if (pool->num_workers == 0 || num_items <= grain) {
      run_alone(&job);
      return;
   }
   pthread_mutex_lock(&pool->lock);
   open_job(pool, &job);
   help(pool, &job);
   while (job.num_working > 0)
      pthread_cond_wait(&pool->end, &pool->lock);
   pthread_mutex_unlock(&pool->lock);
}

void
tg_pool_submit(struct tg_pool *pool, struct tg_pool_job *job)
{
   assert(job->done && job->grain > 0);
   if (pool->num_workers == 0 || job->num_items == 0) {
      run_alone(job);
      job->done(job);
      return;
   }
   pthread_mutex_lock(&pool->lock);
   open_job(pool, job);
   pthread_mutex_unlock(&pool->lock);
}

void
tg_pool_help(struct tg_pool *pool, struct tg_pool_job *job)
{
   pthread_mutex_lock(&pool->lock);
   if (!job->has_helper)
      help(pool, job);
   pthread_mutex_unlock(&pool->lock);
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
   assert(!pool->cursor);
   pool->is_closing = true;
   pthread_cond_broadcast(&pool->begin);
   pthread_mutex_unlock(&pool->lock);
   for (unsigned i = 0; i < pool->num_workers; i++)
      pthread_join(pool->workers[i].thread, NULL);

   pthread_cond_destroy(&pool->end);
   pthread_cond_destroy(&pool->begin);
   pthread_mutex_destroy(&pool->lock);
   pool->allocator->resize(pool->allocator->user, pool, pool->size, 0);
}

unsigned
tg_pool_num_threads(const struct tg_pool *pool)
{
   return pool->num_workers + 1;
}
