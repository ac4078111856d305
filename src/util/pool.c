/* SPDX-License-Identifier: MIT
 *
 * The thread pool's scheduler: fair sharing by time. The jobs that a thread can
 * join are in a ring: a worker joins the one whose share has had least, round
 * robin where several have, does a piece of it and leaves it. While it is the
 * only job the worker stays, and claims pieces with an atomic addition and
 * without the lock. A job may have two ends that threads claim from, each
 * always the same one, so that what it touches stays in its cache.
 *
 * A piece that goes on for long yields now and then: its thread does short
 * pieces of those who have had less, on the same stack. These do not yield.
 *
 * What a share has had is time on one clock, the pool's: that of the job which
 * was joined last. A share that was idle begins there, or earlier by no more
 * than MAX_CREDIT, so that who comes back after a pause is served at once, and
 * cannot make up for all of it.
 *
 * Once all pieces are claimed the first thread to leave takes the job out of
 * the ring, and the last one completes it. From then on nobody looks at it. A
 * job that has as many threads as it may is not in the ring either, until one
 * of them leaves.
 *
 * Idle workers wait at a semaphore: they spin, and then they sleep. Opening a
 * job wakes as many of them as it has pieces, and counts them as awake at once,
 * so that the next job wakes others.
 */
#include "util/pool.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>

#include "util/clock.h"
#include "util/spin.h"

/* Nanoseconds. A piece that takes less than SHORT may be done in the middle of
 * another. */
#define MAX_CREDIT ((uint64_t)1000000000)
#define SHORT ((uint64_t)5000000)

struct worker {
   struct tg_pool *pool;
   unsigned number;
   pthread_t thread;
   /* Its turn at a job, without what it did for others meanwhile. */
   struct tg_pool_job *job;
   uint64_t begun, spent;
};

struct tg_pool {
   const struct tg_allocator *allocator;
   size_t size; /* of this and the workers */
   unsigned num_workers;
   sem_t wake;

   pthread_mutex_t lock; /* of all that follows, and of what is in open jobs */
   struct tg_pool_job *ring;  /* its head, or NULL */
   uint64_t clock;            /* of shares */
   _Atomic unsigned num_jobs; /* not complete; read without the lock */
   unsigned num_idle;         /* workers that have yet to be woken */
   bool is_ending;            /* workers are to end */
   struct worker workers[];   /* number 1 on */
};

/* Sleeps in tg_pool_wait(). */
struct tg_pool_waiter {
   struct tg_pool_waiter *next;
   pthread_cond_t wake;
   bool is_over;
};

/* ---- the ring, with the lock held ---------------------------------------- */

static void
append(struct tg_pool *pool, struct tg_pool_job *job)
{
   struct tg_pool_job *head = pool->ring;

   if (!head) {
      job->next = job->previous = pool->ring = job;
      return;
   }
   job->next = head;
   job->previous = head->previous;
   head->previous->next = job;
   head->previous = job;
}

static void
take_out(struct tg_pool *pool, struct tg_pool_job *job)
{
   if (pool->ring == job)
      pool->ring = job->next == job ? NULL : job->next;
   job->previous->next = job->next;
   job->next->previous = job->previous;
   job->next = job->previous = NULL;
}

/* ---- shares, with the lock held ------------------------------------------ */

/* What it has had so far, with the pieces that are being done. */
static uint64_t
time_of(const struct tg_pool_share *share, uint64_t time)
{
   return share->time + share->num_threads * time - share->begun;
}

/* A job of it is opened. */
static void
open_share(const struct tg_pool *pool, struct tg_pool_share *share)
{
   const uint64_t credit = share->is_known ? MAX_CREDIT : 0;

   if (share->num_threads == 0 && share->time + credit < pool->clock)
      share->time = pool->clock - credit;
   share->is_known = true;
}

static void
begin_share(struct tg_pool_share *share, uint64_t time)
{
   share->num_threads++;
   share->begun += time;
}

/* What began at `begun` ends; how long it took. */
static uint64_t
end_share(struct tg_pool_share *share, uint64_t begun)
{
   const uint64_t spent = tg_clock_now() - begun;

   share->num_threads--;
   share->begun -= begun;
   share->time += spent;
   return spent;
}

/* Some pieces took so long, now and then because the system had no time for
 * them: what is known at most doubles. */
static void
note_pieces(struct tg_pool_share *share, uint64_t count, uint64_t spent)
{
   const uint64_t piece = spent / count + 1, known = share->piece;

   if (piece < known)
      share->piece = (3 * known + piece) / 4;
   else
      share->piece = !known || piece < 2 * known ? piece : 2 * known;
}

/* The job in the ring, which is not empty, whose turn it is. */
static struct tg_pool_job *
find_next(struct tg_pool *pool, uint64_t time)
{
   struct tg_pool_job *next = pool->ring;
   uint64_t least = time_of(next->payer, time);

   for (struct tg_pool_job *job = next->next; job != pool->ring;
        job = job->next) {
      const uint64_t had = time_of(job->payer, time);

      if (had < least) {
         next = job;
         least = had;
      }
   }
   if (least > pool->clock)
      pool->clock = least;
   return next;
}

/* ---- jobs, with the lock held -------------------------------------------- */

enum { END_BITS = 32 };

/* How many pieces have been claimed; of those that there are not, too. */
static uint64_t
num_claimed(const struct tg_pool_job *job, uint64_t claimed)
{
   return job->has_two_ends ? (uint32_t)claimed + (claimed >> END_BITS)
                            : claimed;
}

/* Nothing is left to begin, which does not change any more. */
static bool
is_used_up(const struct tg_pool_job *job)
{
   return num_claimed(job, atomic_load(&job->claimed)) >= job->num_pieces;
}

static bool
is_full(const struct tg_pool_job *job)
{
   return job->max_threads && job->num_threads == job->max_threads;
}

/* The calling thread begins to work on a job, which is in the ring. */
static void
join(struct tg_pool *pool, struct tg_pool_job *job)
{
   assert(job->next && !is_full(job));
   job->num_threads++;
   if (is_full(job))
      take_out(pool, job);
}

/* The lock is let go while `done` runs, from which on there may be no job. */
static void
complete(struct tg_pool *pool, struct tg_pool_job *job)
{
   pool->num_jobs--;
   job->is_complete = true;
   for (struct tg_pool_waiter *waiter = job->waiters; waiter;
        waiter = waiter->next) {
      waiter->is_over = true;
      pthread_cond_signal(&waiter->wake);
   }
   if (job->done) {
      pthread_mutex_unlock(&pool->lock);
      job->done(job);
      pthread_mutex_lock(&pool->lock);
   }
}

/* The opposite of join(). There may be no such job any more afterwards. */
static void
leave(struct tg_pool *pool, struct tg_pool_job *job)
{
   assert(job->num_threads > 0);
   job->num_threads--;
   if (!is_used_up(job)) {
      if (!job->next)
         append(pool, job);
      return;
   }
   if (job->next)
      take_out(pool, job);
   if (job->num_threads == 0)
      complete(pool, job);
}

/* How many workers a new job has something to do for; one at least notices that
 * there is nothing to do. */
static uint64_t
num_wanted(const struct tg_pool_job *job)
{
   uint64_t most = job->num_pieces ? job->num_pieces : 1;

   if (job->max_threads && job->max_threads < most)
      most = job->max_threads;
   return most - job->num_threads;
}

/* ---- working ------------------------------------------------------------- */

/* Claims the next piece, from the end that is the thread's. False when there is
 * none. */
static bool
claim_piece(struct tg_pool_job *job, unsigned thread, uint64_t *piece_out)
{
   const bool is_last = job->has_two_ends && thread % 2;
   const uint64_t one = is_last ? UINT64_C(1) << END_BITS : 1;
   const uint64_t before = atomic_fetch_add(&job->claimed, one);

   if (num_claimed(job, before) >= job->num_pieces)
      return false;
   *piece_out = !job->has_two_ends ? before
                : is_last          ? job->num_pieces - 1 - (before >> END_BITS)
                                   : (uint32_t)before;
   return true;
}

/* Claims a piece and does it. False when there is none. */
static bool
do_piece(struct tg_pool_job *job, unsigned thread)
{
   uint64_t piece;

   if (!claim_piece(job, thread, &piece))
      return false;
   const uint64_t first = piece * job->grain;
   const uint64_t left = job->num_items - first;
   const uint64_t end = first + (left < job->grain ? left : job->grain);
   if (!job->work(job->user, thread, first, end))
      atomic_store(&job->claimed, job->num_pieces);
   return true;
}

/* As thread 0, to the end, or for as long as `goes_on` says, if it is there;
 * the job is joined already. Takes the lock. False: it said no, and an idle
 * worker is woken for what is left. */
static bool
work_off(struct tg_pool *pool, struct tg_pool_job *job,
         bool (*goes_on)(void *user), void *user)
{
   bool may_go_on;

   while ((may_go_on = !goes_on || goes_on(user)) && do_piece(job, 0))
      continue;
   pthread_mutex_lock(&pool->lock);
   job->has_helper = may_go_on;
   leave(pool, job);
   if (!may_go_on && pool->ring && pool->num_idle > 0) {
      pool->num_idle--;
      sem_post(&pool->wake);
   }
   return may_go_on;
}

/* Spins, and then sleeps, until somebody posts. */
static void
wait_for_post(sem_t *wake)
{
   struct tg_spin spin = tg_spin_begin();

   while (sem_trywait(wake) != 0) {
      if (tg_spin(&spin))
         continue;
      while (sem_wait(wake) != 0)
         continue; /* interrupted */
      return;
   }
}

/* Joins the job whose turn it is; sleeps while there is none. False: the pool
 * ends. */
static bool
begin_turn(struct tg_pool *pool, struct worker *worker)
{
   while (!pool->ring && !pool->is_ending) {
      pool->num_idle++;
      pthread_mutex_unlock(&pool->lock);
      wait_for_post(&pool->wake);
      pthread_mutex_lock(&pool->lock);
   }
   if (!pool->ring)
      return false;
   worker->begun = tg_clock_now();
   worker->spent = 0;
   worker->job = find_next(pool, worker->begun);
   pool->ring = worker->job->next;
   begin_share(worker->job->payer, worker->begun);
   join(pool, worker->job);
   return true;
}

static void
end_turn(struct tg_pool *pool, struct worker *worker, uint64_t num_pieces)
{
   struct tg_pool_share *share = worker->job->payer;

   worker->spent += end_share(share, worker->begun);
   if (num_pieces)
      note_pieces(share, num_pieces, worker->spent);
   leave(pool, worker->job);
}

static void *
run_worker(void *user)
{
   struct worker *worker = user;
   struct tg_pool *pool = worker->pool;

   pthread_mutex_lock(&pool->lock);
   while (begin_turn(pool, worker)) {
      uint64_t count = 0;

      pthread_mutex_unlock(&pool->lock);
      while (do_piece(worker->job, worker->number)) {
         count++;
         if (atomic_load_explicit(&pool->num_jobs, memory_order_relaxed) != 1)
            break;
      }
      pthread_mutex_lock(&pool->lock);
      end_turn(pool, worker, count);
   }
   pthread_mutex_unlock(&pool->lock);
   return NULL;
}

/* ---- yielding ------------------------------------------------------------ */

bool
tg_pool_is_shared(const struct tg_pool *pool)
{
   return atomic_load_explicit(&pool->num_jobs, memory_order_relaxed) > 1;
}

/* A job with short pieces whose share has had less than the worker's, the least
 * of them; or NULL. */
static struct tg_pool_job *
find_short(const struct tg_pool *pool, const struct worker *worker)
{
   const uint64_t time = tg_clock_now();
   uint64_t least = time_of(worker->job->payer, time);
   struct tg_pool_job *job = pool->ring, *found = NULL;

   if (!job)
      return NULL;
   do {
      const struct tg_pool_share *share = job->payer;

      if (share != worker->job->payer && share->piece && share->piece < SHORT &&
          time_of(share, time) < least) {
         found = job;
         least = time_of(share, time);
      }
      job = job->next;
   } while (job != pool->ring);
   return found;
}

/* One piece of another job, with the lock held, which is let go meanwhile. */
static void
do_other_piece(struct tg_pool *pool, struct worker *worker,
               struct tg_pool_job *job)
{
   const uint64_t begun = tg_clock_now();

   worker->spent += end_share(worker->job->payer, worker->begun);
   begin_share(job->payer, begun);
   join(pool, job);
   pthread_mutex_unlock(&pool->lock);
   const bool is_done = do_piece(job, worker->number + pool->num_workers);
   pthread_mutex_lock(&pool->lock);
   const uint64_t spent = end_share(job->payer, begun);
   if (is_done)
      note_pieces(job->payer, 1, spent);
   leave(pool, job);
   worker->begun = tg_clock_now();
   begin_share(worker->job->payer, worker->begun);
}

void
tg_pool_yield(struct tg_pool *pool, unsigned thread)
{
   struct tg_pool_job *job;

   if (thread == 0 || thread > pool->num_workers || !tg_pool_is_shared(pool))
      return;
   struct worker *worker = &pool->workers[thread - 1];
   pthread_mutex_lock(&pool->lock);
   while ((job = find_short(pool, worker)))
      do_other_piece(pool, worker, job);
   pthread_mutex_unlock(&pool->lock);
}

/* ---- what callers do ----------------------------------------------------- */

/* Before it is in the ring, with the lock held if others know of it. */
static void
init_job(struct tg_pool_job *job)
{
   assert(job->grain > 0 && job->num_items <= UINT64_C(1) << 63);
   atomic_init(&job->claimed, 0);
   job->num_pieces =
      job->num_items / job->grain + (job->num_items % job->grain != 0);
   assert(!job->has_two_ends ||
          (job->num_pieces <= UINT64_C(1) << 31 && job->max_threads != 1));
   job->waiters = NULL;
   job->payer = job->share ? job->share : &job->own;
   job->num_threads = 0;
   job->has_helper = false;
   job->is_complete = false;
}

/* Puts a job into the ring. If it is helped the caller has joined it. */
static void
open_job(struct tg_pool *pool, struct tg_pool_job *job, bool is_helped)
{
   pthread_mutex_lock(&pool->lock);
   init_job(job);
   job->has_helper = is_helped;
   pool->num_jobs++;
   open_share(pool, job->payer);
   append(pool, job);
   if (is_helped)
      join(pool, job);
   assert(pool->num_idle <= pool->num_workers);
   const uint64_t wanted = num_wanted(job);
   unsigned num_woken =
      wanted < pool->num_idle ? (unsigned)wanted : pool->num_idle;
   pool->num_idle -= num_woken;
   pthread_mutex_unlock(&pool->lock);

   for (; num_woken > 0; num_woken--)
      sem_post(&pool->wake);
}

/* For a while. With the lock held, which is let go meanwhile. */
static void
spin_until_complete(struct tg_pool *pool, const struct tg_pool_job *job)
{
   if (job->is_complete)
      return;
   struct tg_spin spin = tg_spin_begin();

   pthread_mutex_unlock(&pool->lock);
   while (!job->is_complete && tg_spin(&spin))
      continue;
   pthread_mutex_lock(&pool->lock);
}

/* Likewise. */
static void
sleep_until_complete(struct tg_pool *pool, struct tg_pool_job *job)
{
   spin_until_complete(pool, job);
   if (job->is_complete)
      return;
   struct tg_pool_waiter self = {job->waiters, PTHREAD_COND_INITIALIZER, false};

   job->waiters = &self;
   while (!self.is_over)
      pthread_cond_wait(&self.wake, &pool->lock);
   pthread_cond_destroy(&self.wake);
}

void
tg_pool_run_job(struct tg_pool *pool, struct tg_pool_job *job)
{
   assert(!job->done);
   if (pool->num_workers == 0 || job->num_items <= job->grain) {
      init_job(job);
      while (do_piece(job, 0))
         continue;
      return;
   }
   open_job(pool, job, true);
   work_off(pool, job, NULL, NULL);
   sleep_until_complete(pool, job);
   pthread_mutex_unlock(&pool->lock);
}

void
tg_pool_run_for(struct tg_pool *pool, struct tg_pool_share *share,
                uint64_t num_items, uint32_t grain, tg_pool_function work,
                void *user)
{
   struct tg_pool_job job = {
      .work = work,
      .user = user,
      .num_items = num_items,
      .grain = grain,
      .share = share,
   };

   tg_pool_run_job(pool, &job);
}

void
tg_pool_run(struct tg_pool *pool, uint64_t num_items, uint32_t grain,
            tg_pool_function work, void *user)
{
   tg_pool_run_for(pool, NULL, num_items, grain, work, user);
}

void
tg_pool_submit(struct tg_pool *pool, struct tg_pool_job *job)
{
   const bool is_alone = pool->num_workers == 0;

   open_job(pool, job, is_alone);
   if (is_alone) {
      work_off(pool, job, NULL, NULL);
      pthread_mutex_unlock(&pool->lock);
   }
}

void
tg_pool_help(struct tg_pool *pool, struct tg_pool_job *job)
{
   tg_pool_help_while(pool, job, NULL, NULL);
}

bool
tg_pool_help_while(struct tg_pool *pool, struct tg_pool_job *job,
                   bool (*goes_on)(void *user), void *user)
{
   bool may_go_on = true;

   pthread_mutex_lock(&pool->lock);
   if (job->next && !job->has_helper) {
      job->has_helper = true;
      join(pool, job);
      pthread_mutex_unlock(&pool->lock);
      may_go_on = work_off(pool, job, goes_on, user);
   }
   pthread_mutex_unlock(&pool->lock);
   return may_go_on;
}

void
tg_pool_wait(struct tg_pool *pool, struct tg_pool_job *job)
{
   assert(!job->done);
   tg_pool_help(pool, job);
   pthread_mutex_lock(&pool->lock);
   sleep_until_complete(pool, job);
   pthread_mutex_unlock(&pool->lock);
}

/* ---- the pool ------------------------------------------------------------ */

unsigned
tg_pool_count_processors(void)
{
   cpu_set_t set;
   int count = 1;

   if (sched_getaffinity(0, sizeof(set), &set) == 0)
      count = CPU_COUNT(&set);
   return count > TG_MAX_POOL_THREADS ? TG_MAX_POOL_THREADS : (unsigned)count;
}

bool
tg_pool_start_thread(pthread_t *thread_out, void *(*run)(void *), void *user)
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
      if (!tg_pool_start_thread(&worker->thread, run_worker, worker))
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
      num_threads = tg_pool_count_processors();
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
   };
   sem_init(&pool->wake, 0, 0);
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
   assert(pool->num_jobs == 0);
   pool->is_ending = true;
   pthread_mutex_unlock(&pool->lock);
   for (unsigned i = 0; i < pool->num_workers; i++)
      sem_post(&pool->wake);
   for (unsigned i = 0; i < pool->num_workers; i++)
      pthread_join(pool->workers[i].thread, NULL);

   sem_destroy(&pool->wake);
   pthread_mutex_destroy(&pool->lock);
   pool->allocator->resize(pool->allocator->user, pool, pool->size, 0);
}

unsigned
tg_pool_num_threads(const struct tg_pool *pool)
{
   return pool->num_workers + 1;
}

unsigned
tg_pool_num_places(const struct tg_pool *pool)
{
   return 2 * pool->num_workers + 1;
}
