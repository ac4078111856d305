/* SPDX-License-Identifier: MIT
 *
 * The thread pool: each item is done once, by threads whose numbers are right;
 * jobs that are open at the same time take turns; each completes once.
 */
#include "../sweep.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "util/pool.h"

enum { NUM_ITEMS = 10007 };

static struct tg_pool *
make_pool(unsigned num_threads)
{
   struct tg_pool *pool = NULL;

   assert_int_equal(tg_pool_create(NULL, num_threads, &pool), TG_OK);
   return pool;
}

/* ---- each item once ------------------------------------------------------ */

struct tally {
   uint8_t times[NUM_ITEMS]; /* nobody else writes an item's byte */
   _Atomic bool is_busy[8];  /* by thread */
   _Atomic unsigned num_wrong;
   uint32_t grain;
   unsigned num_threads;
};

static bool
count_items(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct tally *tally = user;

   if (thread >= tally->num_threads || first % tally->grain != 0 ||
       end - first > tally->grain || end > NUM_ITEMS ||
       atomic_exchange(&tally->is_busy[thread], true)) {
      tally->num_wrong++;
      return false;
   }
   for (uint64_t i = first; i < end; i++)
      tally->times[i]++;
   atomic_store(&tally->is_busy[thread], false);
   return true;
}

static void
test_each_item_once(void **state)
{
   static const unsigned num_threads[] = {1, 2, 3, 8};
   static const uint32_t grains[] = {1, 7, 1000, NUM_ITEMS, UINT32_MAX};
   static struct tally tally;

   (void)state;
   for (unsigned t = 0; t < 4; t++) {
      struct tg_pool *pool = make_pool(num_threads[t]);

      assert_int_equal(tg_pool_num_threads(pool), num_threads[t]);
      for (unsigned g = 0; g < 5; g++) {
         memset(&tally, 0, sizeof(tally));
         tally.grain = grains[g];
         tally.num_threads = num_threads[t];
         tg_pool_run(pool, NUM_ITEMS, grains[g], count_items, &tally);
         assert_int_equal(tally.num_wrong, 0);
         for (unsigned i = 0; i < NUM_ITEMS; i++)
            assert_int_equal(tally.times[i], 1);
      }
      tg_pool_destroy(pool);
   }
}

static bool
fail_test(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   (void)thread;
   (void)first;
   (void)end;
   *(_Atomic bool *)user = true;
   return true;
}

static void
test_nothing_to_do(void **state)
{
   struct tg_pool *pool = make_pool(2);
   _Atomic bool was_called = false;

   (void)state;
   tg_pool_run(pool, 0, 1, fail_test, &was_called);
   assert_false(was_called);
   tg_pool_destroy(pool);
   tg_pool_destroy(NULL);
}

/* ---- all at work --------------------------------------------------------- */

/* Each of as many items as there are threads waits for all to have begun, which
 * only ends if every thread takes one. */
static bool
meet(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   (void)thread;
   (void)first;
   (void)end;
   pthread_barrier_wait(user);
   return true;
}

static void
test_all_threads_work(void **state)
{
   struct tg_pool *pool = make_pool(4);
   pthread_barrier_t barrier;

   (void)state;
   pthread_barrier_init(&barrier, NULL, 4);
   for (unsigned i = 0; i < 100; i++)
      tg_pool_run(pool, 4, 1, meet, &barrier);
   pthread_barrier_destroy(&barrier);
   tg_pool_destroy(pool);
}

/* They spin for a while, and then they sleep: jobs come in either. */
static void
test_threads_wake(void **state)
{
   struct tg_pool *pool = make_pool(4);
   pthread_barrier_t barrier;

   (void)state;
   pthread_barrier_init(&barrier, NULL, 4);
   for (unsigned i = 0; i < 20; i++) {
      const struct timespec pause = {.tv_nsec = i * 500000 % 5000000};

      nanosleep(&pause, NULL);
      tg_pool_run(pool, 4, 1, meet, &barrier);
   }
   pthread_barrier_destroy(&barrier);
   tg_pool_destroy(pool);
}

/* ---- stopping ------------------------------------------------------------ */

/* Of 2^63 items number 1000 stops. All before it were begun, and few after. */
struct stopping {
   _Atomic uint64_t num_low, num_high;
};

static bool
stop_at_1000(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct stopping *stopping = user;

   (void)thread;
   (void)end;
   (*(first < 1000 ? &stopping->num_low : &stopping->num_high))++;
   return first < 1000;
}

static void
test_stop(void **state)
{
   struct tg_pool *pool = make_pool(3);

   (void)state;
   for (unsigned i = 0; i < 20; i++) {
      struct stopping stopping = {0};

      tg_pool_run(pool, UINT64_C(1) << 63, 1, stop_at_1000, &stopping);
      assert_int_equal(stopping.num_low, 1000);
      assert_in_range(stopping.num_high, 1, 3);
   }
   tg_pool_destroy(pool);
}

/* ---- several callers ----------------------------------------------------- */

enum { NUM_CALLERS = 4, NUM_RUNS = 50 };

struct caller {
   struct tg_pool *pool;
   uint64_t sums[NUM_RUNS];
   pthread_t thread;
};

struct partial {
   uint64_t sums[3]; /* by thread, so without a lock */
};

static bool
add_numbers(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct partial *partial = user;

   for (uint64_t i = first; i < end; i++)
      partial->sums[thread] += i;
   return true;
}

static void *
call(void *user)
{
   struct caller *caller = user;

   for (unsigned i = 0; i < NUM_RUNS; i++) {
      struct partial partial = {{0}};

      tg_pool_run(caller->pool, 100 + i, 8, add_numbers, &partial);
      caller->sums[i] = partial.sums[0] + partial.sums[1] + partial.sums[2];
   }
   return NULL;
}

static void
test_several_callers(void **state)
{
   struct tg_pool *pool = make_pool(3);
   struct caller callers[NUM_CALLERS];

   (void)state;
   for (unsigned c = 0; c < NUM_CALLERS; c++) {
      callers[c].pool = pool;
      assert_int_equal(
         pthread_create(&callers[c].thread, NULL, call, &callers[c]), 0);
   }
   for (unsigned c = 0; c < NUM_CALLERS; c++) {
      pthread_join(callers[c].thread, NULL);
      for (uint64_t i = 0; i < NUM_RUNS; i++)
         assert_int_equal(callers[c].sums[i], (100 + i) * (99 + i) / 2);
   }
   tg_pool_destroy(pool);
}

/* ---- jobs that go on by themselves --------------------------------------- */

struct job {
   struct tg_pool_job job;
   struct tg_pool *pool;
   struct job *next; /* submitted when this one is done */
   pthread_mutex_t *mutex;
   pthread_cond_t *changed;
   bool *is_done; /* the last one is */
   unsigned num_items, num_of_helper;
};

static bool
count_threads(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct job *job = user;

   job->num_items += (unsigned)(end - first);
   job->num_of_helper += thread == 0 ? (unsigned)(end - first) : 0;
   return true;
}

static void
go_on(struct tg_pool_job *done)
{
   struct job *job = (struct job *)done;

   if (job->next) {
      tg_pool_submit(job->pool, &job->next->job);
      return;
   }
   pthread_mutex_lock(job->mutex);
   *job->is_done = true;
   pthread_cond_signal(job->changed);
   pthread_mutex_unlock(job->mutex);
}

/* One job after the other, each submitted by the end of the one before. */
static void
test_jobs_that_submit(void **state)
{
   static const unsigned num_threads[] = {1, 2, 4};
   static struct job jobs[100];
   pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
   pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

   (void)state;
   for (unsigned t = 0; t < 3; t++) {
      struct tg_pool *pool = make_pool(num_threads[t]);
      bool is_done = false;

      for (unsigned i = 0; i < 100; i++)
         jobs[i] = (struct job){
            .job = {.work = count_threads,
                    .user = &jobs[i],
                    .num_items = i,
                    .grain = i + 1,
                    .done = go_on},
            .pool = pool,
            .next = i < 99 ? &jobs[i + 1] : NULL,
            .mutex = &mutex,
            .changed = &changed,
            .is_done = &is_done,
         };
      tg_pool_submit(pool, &jobs[0].job);
      pthread_mutex_lock(&mutex);
      while (!is_done)
         pthread_cond_wait(&changed, &mutex);
      pthread_mutex_unlock(&mutex);
      for (unsigned i = 0; i < 100; i++)
         assert_int_equal(jobs[i].num_items, i);
      tg_pool_destroy(pool);
   }
}

static bool
wait_twice(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   (void)thread;
   (void)first;
   (void)end;
   pthread_barrier_wait(user);
   pthread_barrier_wait(user);
   return true;
}

/* The only thread is busy elsewhere: all is left to the helper, with the end.
 */
static void
test_help(void **state)
{
   struct tg_pool *pool = make_pool(2);
   pthread_barrier_t gate;
   pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
   pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
   bool is_done = false;
   struct tg_pool_job busy = {
      .work = wait_twice, .user = &gate, .num_items = 1, .grain = 1};
   struct job job = {
      .job = {.work = count_threads,
              .user = &job,
              .num_items = 10,
              .grain = 3,
              .done = go_on},
      .mutex = &mutex,
      .changed = &changed,
      .is_done = &is_done,
   };

   (void)state;
   pthread_barrier_init(&gate, NULL, 2);
   tg_pool_submit(pool, &busy);
   pthread_barrier_wait(&gate);
   tg_pool_submit(pool, &job.job);
   tg_pool_help(pool, &job.job);
   assert_true(is_done);
   assert_int_equal(job.num_of_helper, 10);
   pthread_barrier_wait(&gate);
   tg_pool_wait(pool, &busy);
   tg_pool_destroy(pool);
   pthread_barrier_destroy(&gate);
}

/* ---- two ends ------------------------------------------------------------ */

struct two_ends {
   uint8_t times[NUM_ITEMS]; /* nobody else writes an item's bytes */
   uint8_t thread[NUM_ITEMS];
   uint64_t stop_at;   /* the job ends with this item */
   uint64_t rest_each; /* items */
};

static bool
note_thread(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct two_ends *ends = user;

   for (uint64_t i = first; i < end; i++) {
      ends->times[i]++;
      ends->thread[i] = (uint8_t)thread;
   }
   if (first % ends->rest_each == 0)
      nanosleep(&(struct timespec){.tv_nsec = 1}, NULL); /* others come */
   return ends->stop_at < first || ends->stop_at >= end;
}

/* Threads of even numbers have the first items, others the last ones. */
static void
check_two_ends(const struct two_ends *ends)
{
   unsigned i = 0;

   while (i < NUM_ITEMS && ends->thread[i] % 2 == 0)
      assert_int_equal(ends->times[i++], 1);
   for (; i < NUM_ITEMS; i++) {
      assert_int_equal(ends->times[i], 1);
      assert_int_equal(ends->thread[i] % 2, 1);
   }
}

static void
test_two_ends(void **state)
{
   static const uint32_t grains[] = {1, 7, NUM_ITEMS};
   static struct two_ends ends;

   (void)state;
   for (unsigned threads = 1; threads <= 4; threads++) {
      struct tg_pool *pool = make_pool(threads);

      for (unsigned g = 0; g < 3; g++) {
         struct tg_pool_job job = {
            .work = note_thread,
            .user = &ends,
            .num_items = NUM_ITEMS,
            .grain = grains[g],
            .has_two_ends = true,
         };
         memset(&ends, 0, sizeof(ends));
         ends.stop_at = NUM_ITEMS;
         ends.rest_each = 11;
         tg_pool_submit(pool, &job);
         tg_pool_wait(pool, &job);
         check_two_ends(&ends);
      }
      tg_pool_destroy(pool);
   }
}

/* From the first on where one thread does it all, which ends the job with the
 * item that it is told. */
static void
test_one_of_two_ends(void **state)
{
   static struct two_ends ends = {.stop_at = 50, .rest_each = NUM_ITEMS};
   struct tg_pool *pool = make_pool(1);
   struct tg_pool_job job = {
      .work = note_thread,
      .user = &ends,
      .num_items = NUM_ITEMS,
      .grain = 1,
      .has_two_ends = true,
   };

   (void)state;
   tg_pool_submit(pool, &job);
   for (unsigned i = 0; i < NUM_ITEMS; i++)
      assert_int_equal(ends.times[i], i <= ends.stop_at);
   tg_pool_destroy(pool);
}

/* ---- random jobs --------------------------------------------------------- */

enum { NUM_CLIENTS = 5, NUM_ROUNDS = 120, NUM_IN_FLIGHT = 4, MAX_THREADS = 4 };

enum way { RUNS, WAITS, HEARS, HELPS_AND_HEARS, NUM_WAYS };

struct client {
   struct tg_pool *pool;
   pthread_t *owners; /* of the pool's own threads, by number */
   pthread_mutex_t *owners_lock;
   pthread_t thread;
   uint32_t random;
   _Atomic unsigned num_wrong;
};

struct random_job {
   struct tg_pool_job job;
   struct client *client;
   sem_t done;
   uint64_t stop_at; /* begins no item after it; UINT64_MAX: none */
   uint64_t sums[MAX_THREADS];
   uint64_t counts[MAX_THREADS];
   _Atomic unsigned num_busy;
};

static uint32_t
draw(uint32_t *random, uint32_t below)
{
   *random = *random * 1664525 + 1013904223;
   return (uint32_t)((uint64_t)*random * below >> 32);
}

/* A thread of the pool has one number, and no other thread has it. */
static void
check_owner(struct client *client, unsigned thread)
{
   const pthread_t self = pthread_self();

   pthread_mutex_lock(client->owners_lock);
   if (!client->owners[thread])
      client->owners[thread] = self;
   if (!pthread_equal(client->owners[thread], self))
      client->num_wrong++;
   pthread_mutex_unlock(client->owners_lock);
}

static bool
add_items(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct random_job *random = user;
   const struct tg_pool_job *job = &random->job;
   const unsigned num_busy = ++random->num_busy;

   if (thread >= tg_pool_num_threads(random->client->pool) ||
       (job->max_threads && num_busy > job->max_threads) ||
       end - first > job->grain || end > job->num_items) {
      random->client->num_wrong++;
      return false;
   }
   if (thread > 0)
      check_owner(random->client, thread);
   for (uint64_t i = first; i < end; i++)
      random->sums[thread] += i * i;
   random->counts[thread] += end - first;
   random->num_busy--;
   return random->stop_at >= end;
}

static void
post(struct tg_pool_job *job)
{
   sem_post(&((struct random_job *)job->user)->done);
}

static void
check_sum(struct random_job *random)
{
   const uint64_t n = random->job.num_items;
   const uint64_t all = n ? (n - 1) * n * (2 * n - 1) / 6 : 0;
   uint64_t sum = 0, count = 0;

   for (unsigned i = 0; i < MAX_THREADS; i++) {
      sum += random->sums[i];
      count += random->counts[i];
   }
   const bool is_right = random->stop_at == UINT64_MAX
                            ? sum == all && count == n
                            : count > random->stop_at && count <= n;
   if (!is_right || random->num_busy != 0)
      random->client->num_wrong++;
}

static void
begin_random(struct client *client, struct random_job *random, enum way way)
{
   *random = (struct random_job){
      .client = client,
      .stop_at = UINT64_MAX,
      .job =
         {
            .work = add_items,
            .done = way >= HEARS ? post : NULL,
            .user = random,
            .num_items = draw(&client->random, 150),
            .grain = 1 + draw(&client->random, 12),
            .max_threads = draw(&client->random, 4),
         },
   };
   sem_init(&random->done, 0, 0);
   if (random->job.num_items > 0 && draw(&client->random, 4) == 0)
      random->stop_at = draw(&client->random, (uint32_t)random->job.num_items);
   else if (random->job.max_threads != 1)
      random->job.has_two_ends = draw(&client->random, 2);
   if (way == RUNS) {
      random->job.max_threads = 0;
      tg_pool_run(client->pool, random->job.num_items, random->job.grain,
                  add_items, random);
   } else {
      tg_pool_submit(client->pool, &random->job);
   }
}

static void
end_random(struct client *client, struct random_job *random, enum way way)
{
   if (way == WAITS)
      tg_pool_wait(client->pool, &random->job);
   if (way == HELPS_AND_HEARS)
      tg_pool_help(client->pool, &random->job);
   if (way >= HEARS)
      sem_wait(&random->done);
   check_sum(random);
   sem_destroy(&random->done);
}

static void *
be_client(void *user)
{
   struct client *client = user;

   for (unsigned round = 0; round < NUM_ROUNDS; round++) {
      struct random_job jobs[NUM_IN_FLIGHT];
      enum way ways[NUM_IN_FLIGHT];

      for (unsigned i = 0; i < NUM_IN_FLIGHT; i++) {
         ways[i] = (enum way)draw(&client->random, NUM_WAYS);
         begin_random(client, &jobs[i], ways[i]);
      }
      for (unsigned i = 0; i < NUM_IN_FLIGHT; i++)
         end_random(client, &jobs[i], ways[i]);
   }
   return NULL;
}

static void
run_clients(unsigned num_threads)
{
   struct tg_pool *pool = make_pool(num_threads);
   struct client clients[NUM_CLIENTS];
   pthread_t owners[MAX_THREADS] = {0};
   pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

   for (unsigned c = 0; c < NUM_CLIENTS; c++) {
      clients[c] = (struct client){
         .pool = pool,
         .owners = owners,
         .owners_lock = &lock,
         .random = 100 * num_threads + c,
      };
      assert_int_equal(
         pthread_create(&clients[c].thread, NULL, be_client, &clients[c]), 0);
   }
   for (unsigned c = 0; c < NUM_CLIENTS; c++) {
      pthread_join(clients[c].thread, NULL);
      assert_int_equal(clients[c].num_wrong, 0);
   }
   for (unsigned i = 1; i < num_threads; i++) {
      for (unsigned k = 1; k < i; k++)
         assert_true(!owners[i] || owners[i] != owners[k]);
   }
   tg_pool_destroy(pool);
}

static void
test_random_jobs(void **state)
{
   (void)state;
   for (unsigned num_threads = 1; num_threads <= MAX_THREADS; num_threads++)
      run_clients(num_threads);
}

/* ---- turns --------------------------------------------------------------- */

/* One worker, which comes to the short job though others have no end. The short
 * one is opened from within a piece, or who knows how much was done meanwhile.
 */
enum { NUM_ENDLESS = 3, NUM_SHORT = 50 };

struct turns {
   struct tg_pool *pool;
   struct tg_pool_job endless[NUM_ENDLESS], small;
   unsigned num_pieces; /* of the endless jobs */
   unsigned num_short;
   bool is_over;
   sem_t ended; /* endless jobs */
};

static bool
do_short(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct turns *turns = user;

   (void)thread;
   (void)first;
   (void)end;
   turns->num_short++;
   return true;
}

static void
end_turns(struct tg_pool_job *job)
{
   ((struct turns *)job->user)->is_over = true;
}

static bool
do_endless(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct turns *turns = user;

   (void)thread;
   (void)first;
   (void)end;
   if (++turns->num_pieces == 1000)
      tg_pool_submit(turns->pool, &turns->small);
   return !turns->is_over;
}

static void
post_ended(struct tg_pool_job *job)
{
   sem_post(&((struct turns *)job->user)->ended);
}

/* For a stream of jobs: the next one. */
static void
submit_next(struct tg_pool_job *job)
{
   struct turns *turns = job->user;

   if (turns->is_over)
      sem_post(&turns->ended);
   else
      tg_pool_submit(turns->pool, &turns->endless[0]);
}

static void
run_turns(struct turns *turns, unsigned num_endless, uint64_t num_items,
          void (*done)(struct tg_pool_job *), uint32_t max_threads)
{
   *turns = (struct turns){.pool = make_pool(2)};
   turns->small = (struct tg_pool_job){
      .work = do_short,
      .done = end_turns,
      .user = turns,
      .num_items = NUM_SHORT,
      .grain = 1,
      .max_threads = max_threads,
   };
   sem_init(&turns->ended, 0, 0);
   for (unsigned i = 0; i < num_endless; i++) {
      turns->endless[i] = (struct tg_pool_job){
         .work = do_endless,
         .done = done,
         .user = turns,
         .num_items = num_items,
         .grain = 1,
         .max_threads = max_threads,
      };
      tg_pool_submit(turns->pool, &turns->endless[i]);
   }
   for (unsigned i = 0; i < num_endless; i++)
      sem_wait(&turns->ended);
   tg_pool_destroy(turns->pool);
   assert_true(turns->is_over);
   assert_int_equal(turns->num_short, NUM_SHORT);
   sem_destroy(&turns->ended);
}

/* Whether a job may have many threads or one. */
static void
test_jobs_take_turns(void **state)
{
   struct turns turns;

   (void)state;
   for (uint32_t max_threads = 0; max_threads < 2; max_threads++) {
      for (unsigned n = 1; n <= NUM_ENDLESS; n++) {
         run_turns(&turns, n, UINT64_C(1) << 63, post_ended, max_threads);
      }
   }
}

static void
test_stream_of_jobs(void **state)
{
   struct turns turns;

   (void)state;
   run_turns(&turns, 1, 1, submit_next, 0);
}

/* ---- shares -------------------------------------------------------------- */

static double
seconds(void)
{
   struct timespec time;

   clock_gettime(CLOCK_MONOTONIC, &time);
   return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void
wait(double seconds)
{
   const struct timespec time = {0, (long)(seconds * 1e9)};

   nanosleep(&time, NULL);
}

/* An owner whose jobs have pieces of one length, until all is over. */
struct owner {
   struct tg_pool *pool;
   struct tg_pool_share share;
   struct tg_pool_job job;
   double piece; /* seconds */
   double spent; /* by all pieces */
   const atomic_bool *is_over;
   sem_t ended;
};

static bool
spend(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct owner *owner = user;
   const double begun = seconds();

   (void)thread;
   (void)first;
   (void)end;
   wait(owner->piece);
   owner->spent += seconds() - begun;
   return !atomic_load(owner->is_over);
}

/* Another job of the same owner. */
static void
come_again(struct tg_pool_job *job)
{
   struct owner *owner = job->user;

   if (atomic_load(owner->is_over))
      sem_post(&owner->ended);
   else
      tg_pool_submit(owner->pool, job);
}

static void
start_owner(struct owner *owner, struct tg_pool *pool, double piece,
            const atomic_bool *is_over)
{
   *owner = (struct owner){.pool = pool, .piece = piece, .is_over = is_over};
   sem_init(&owner->ended, 0, 0);
   owner->job = (struct tg_pool_job){
      .work = spend,
      .done = come_again,
      .user = owner,
      .num_items = 4,
      .grain = 1,
      .share = &owner->share,
   };
   tg_pool_submit(pool, &owner->job);
}

/* One worker and two owners, whose pieces are 10 times as long and who come
 * with job after job, have the same time of it. */
static void
test_owners_share_time(void **state)
{
   struct tg_pool *pool = make_pool(2);
   struct owner owners[2];
   atomic_bool is_over = false;

   (void)state;
   start_owner(&owners[0], pool, 0.0005, &is_over);
   start_owner(&owners[1], pool, 0.005, &is_over);
   wait(0.25);
   atomic_store(&is_over, true);
   for (unsigned i = 0; i < 2; i++) {
      while (sem_wait(&owners[i].ended) != 0)
         continue;
      sem_destroy(&owners[i].ended);
   }
   const double ratio = owners[0].spent / owners[1].spent;
   assert_true(ratio > 0.6 && ratio < 1.6);
   tg_pool_destroy(pool);
}

/* A piece that yields until the others have done theirs. */
struct yielding {
   struct tg_pool *pool;
   struct tg_pool_share shares[2];
   struct tg_pool_job brief;
   _Atomic unsigned num_brief;
   bool is_nested; /* a brief piece that was done in the middle of the long */
   bool is_long;
   sem_t ended;
};

static bool
do_brief(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct yielding *yielding = user;

   (void)first;
   (void)end;
   yielding->num_brief++;
   if (yielding->is_long) {
      yielding->is_nested = true;
      assert_int_equal(thread, 2);
      tg_pool_yield(yielding->pool, thread);
   }
   return true;
}

static void
post_yielding(struct tg_pool_job *job)
{
   sem_post(&((struct yielding *)job->user)->ended);
}

static bool
do_long(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct yielding *yielding = user;

   (void)first;
   (void)end;
   assert_int_equal(thread, 1);
   yielding->is_long = true;
   tg_pool_submit(yielding->pool, &yielding->brief);
   while (yielding->num_brief < 16) {
      wait(0.001);
      tg_pool_yield(yielding->pool, thread);
   }
   yielding->is_long = false;
   return true;
}

/* The worker does the pieces of a job that it knows to be short in the middle
 * of a long one; else they would come after it, and it has no end. */
static void
test_yield(void **state)
{
   struct yielding yielding = {.pool = make_pool(2)};
   struct tg_pool_job job = {
      .work = do_long,
      .done = post_yielding,
      .user = &yielding,
      .num_items = 1,
      .grain = 1,
      .share = &yielding.shares[0],
   };

   (void)state;
   sem_init(&yielding.ended, 0, 0);
   yielding.brief = job;
   yielding.brief.work = do_brief;
   yielding.brief.num_items = 8;
   yielding.brief.share = &yielding.shares[1];
   tg_pool_submit(yielding.pool, &yielding.brief);
   while (sem_wait(&yielding.ended) != 0)
      continue;
   assert_int_equal(yielding.num_brief, 8);
   tg_pool_submit(yielding.pool, &job);
   for (unsigned i = 0; i < 2; i++) {
      while (sem_wait(&yielding.ended) != 0)
         continue;
   }
   assert_true(yielding.is_nested);
   assert_int_equal(yielding.num_brief, 16);
   sem_destroy(&yielding.ended);
   tg_pool_destroy(yielding.pool);
}

/* ---- bounds of threads --------------------------------------------------- */

struct sequence {
   uint64_t next; /* written by one thread after the other */
   bool is_wrong;
};

static bool
check_next(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct sequence *sequence = user;

   (void)thread;
   if (first != sequence->next)
      sequence->is_wrong = true;
   sequence->next = end;
   return true;
}

static void
test_sequences(void **state)
{
   enum { NUM_JOBS = 6 };
   struct tg_pool *pool = make_pool(4);
   struct tg_pool_job jobs[NUM_JOBS];
   struct sequence sequences[NUM_JOBS];

   (void)state;
   for (unsigned i = 0; i < NUM_JOBS; i++) {
      sequences[i] = (struct sequence){0};
      jobs[i] = (struct tg_pool_job){
         .work = check_next,
         .user = &sequences[i],
         .num_items = 1000 + i,
         .grain = 1 + i,
         .max_threads = 1,
      };
      tg_pool_submit(pool, &jobs[i]);
   }
   for (unsigned i = 0; i < NUM_JOBS; i++) {
      tg_pool_wait(pool, &jobs[i]);
      assert_false(sequences[i].is_wrong);
      assert_int_equal(sequences[i].next, 1000 + i);
   }
   tg_pool_destroy(pool);
}

/* The caller alone works on a job of one thread that it runs. */
static bool
expect_caller(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct partial *partial = user;

   partial->sums[thread] += end - first;
   return true;
}

static void
test_run_one_thread(void **state)
{
   struct tg_pool *pool = make_pool(3);
   struct partial partial = {{0}};
   struct tg_pool_job job = {
      .work = expect_caller,
      .user = &partial,
      .num_items = 5000,
      .grain = 1,
      .max_threads = 1,
   };

   (void)state;
   tg_pool_run_job(pool, &job);
   assert_int_equal(partial.sums[0], 5000);
   assert_int_equal(partial.sums[1] + partial.sums[2], 0);
   tg_pool_destroy(pool);
}

/* ---- helpers and waiters ------------------------------------------------- */

/* Its pieces wait until they are let go, so who is at work is known. */
struct gate {
   struct tg_pool *pool;
   struct tg_pool_job job;
   sem_t begun, go;
   _Atomic unsigned num_by_helper, num_done, num_waits;
};

static bool
pass_gate(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct gate *gate = user;

   (void)first;
   (void)end;
   gate->num_by_helper += thread == 0;
   sem_post(&gate->begun);
   sem_wait(&gate->go);
   gate->num_done++;
   return true;
}

static void
init_gate(struct gate *gate, struct tg_pool *pool, uint64_t num_items,
          uint32_t max_threads)
{
   *gate = (struct gate){
      .pool = pool,
      .job =
         {
            .work = pass_gate,
            .user = gate,
            .num_items = num_items,
            .grain = 1,
            .max_threads = max_threads,
         },
   };
   sem_init(&gate->begun, 0, 0);
   sem_init(&gate->go, 0, 0);
}

static void *
wait_for_gate(void *user)
{
   struct gate *gate = user;

   tg_pool_wait(gate->pool, &gate->job);
   gate->num_waits += gate->num_done == gate->job.num_items;
   return NULL;
}

/* A worker and the helper have each begun a piece; another helper has nothing
 * to do, and several may wait. */
static void
test_second_helper(void **state)
{
   struct tg_pool *pool = make_pool(2);
   struct gate gate;
   pthread_t waiters[3];

   (void)state;
   init_gate(&gate, pool, 10, 0);
   tg_pool_submit(pool, &gate.job);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(pthread_create(&waiters[i], NULL, wait_for_gate, &gate),
                       0);
   sem_wait(&gate.begun);
   sem_wait(&gate.begun);
   assert_int_equal(gate.num_by_helper, 1);
   tg_pool_help(pool, &gate.job);
   assert_int_equal(gate.num_done, 0);
   for (unsigned i = 0; i < 10; i++)
      sem_post(&gate.go);
   for (unsigned i = 0; i < 3; i++)
      pthread_join(waiters[i], NULL);
   assert_int_equal(gate.num_waits, 3);
   tg_pool_wait(pool, &gate.job);
   tg_pool_help(pool, &gate.job);
   assert_int_equal(gate.num_done, 10);
   tg_pool_destroy(pool);
}

/* The only thread that a job may have is a worker. */
static void
test_no_room_for_a_helper(void **state)
{
   struct tg_pool *pool = make_pool(3);
   struct gate gate;

   (void)state;
   init_gate(&gate, pool, 2, 1);
   tg_pool_submit(pool, &gate.job);
   sem_wait(&gate.begun);
   tg_pool_help(pool, &gate.job);
   assert_int_equal(gate.num_done, 0);
   sem_post(&gate.go);
   sem_post(&gate.go);
   tg_pool_wait(pool, &gate.job);
   assert_int_equal(gate.num_done, 2);
   tg_pool_destroy(pool);
}

/* ---- helping for a while ------------------------------------------------- */

/* A helper that does so many pieces, and before it stops waits for the pool's
 * worker to have nothing to do. */
struct visit {
   unsigned num_pieces, num_asked;
   struct gate *other; /* is let go then; or NULL */
};

static bool
goes_on(void *user)
{
   struct visit *visit = user;

   if (visit->num_asked++ < visit->num_pieces)
      return true;
   if (visit->other) {
      sem_post(&visit->other->go);
      tg_pool_wait(visit->other->pool, &visit->other->job);
      nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
   }
   return false;
}

/* A job that passes at once, while the pool's worker is busy with another. */
static void
open_gate(struct tg_pool *pool, struct gate *busy, struct gate *gate,
          uint64_t num_items, uint32_t max_threads)
{
   init_gate(busy, pool, 1, 0);
   init_gate(gate, pool, num_items, max_threads);
   tg_pool_submit(pool, &busy->job);
   sem_wait(&busy->begun);
   tg_pool_submit(pool, &gate->job);
   for (uint64_t i = 0; i < num_items; i++)
      sem_post(&gate->go);
}

/* What the helper does not do is left for the next one. */
static void
test_help_while(void **state)
{
   struct tg_pool *pool = make_pool(2);
   struct gate busy, gate;
   struct visit visit = {.num_pieces = 3}, no_visit = {0}, rest = {100};

   (void)state;
   open_gate(pool, &busy, &gate, 10, 0);
   assert_false(tg_pool_help_while(pool, &gate.job, goes_on, &no_visit));
   assert_int_equal(gate.num_done, 0);
   assert_false(tg_pool_help_while(pool, &gate.job, goes_on, &visit));
   assert_int_equal(gate.num_by_helper, 3);
   assert_int_equal(gate.num_done, 3);
   assert_true(tg_pool_help_while(pool, &gate.job, goes_on, &rest));
   assert_int_equal(gate.num_by_helper, 10);
   assert_int_equal(rest.num_asked, 8);
   assert_true(tg_pool_help_while(pool, &gate.job, goes_on, &rest));
   assert_int_equal(rest.num_asked, 8);
   sem_post(&busy.go);
   tg_pool_wait(pool, &busy.job);
   tg_pool_destroy(pool);
}

/* The worker sleeps, as the helper is all that a sequence has room for, when
 * that leaves. */
static void
test_leave_a_sequence(void **state)
{
   struct tg_pool *pool = make_pool(2);
   struct gate busy, gate;
   struct visit visit = {.num_pieces = 2, .other = &busy};
   struct timespec end;

   (void)state;
   open_gate(pool, &busy, &gate, 5, 1);
   assert_false(tg_pool_help_while(pool, &gate.job, goes_on, &visit));
   clock_gettime(CLOCK_REALTIME, &end);
   end.tv_sec += 60;
   for (unsigned i = 0; i < 5; i++)
      assert_int_equal(sem_timedwait(&gate.begun, &end), 0);
   tg_pool_wait(pool, &gate.job);
   assert_int_equal(gate.num_by_helper, 2);
   assert_int_equal(gate.num_done, 5);
   tg_pool_destroy(pool);
}

/* Jobs that are helped from before they are submitted until they are done. */
enum { NUM_EARLY = 200 };

struct early {
   struct tg_pool *pool;
   struct early_job {
      struct tg_pool_job job;
      uint64_t sums[3];
      _Atomic bool is_done;
   } jobs[NUM_EARLY];
};

static bool
sum_early(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct early_job *early = user;

   for (uint64_t i = first; i < end; i++)
      early->sums[thread] += i;
   return true;
}

static void
end_early(struct tg_pool_job *job)
{
   ((struct early_job *)job->user)->is_done = true;
}

static void *
help_early(void *user)
{
   struct early *early = user;

   for (unsigned i = 0; i < NUM_EARLY; i++) {
      while (!early->jobs[i].is_done)
         tg_pool_help(early->pool, &early->jobs[i].job);
   }
   return NULL;
}

static void
test_help_early(void **state)
{
   static struct early early;
   pthread_t helper;

   (void)state;
   early.pool = make_pool(3);
   for (unsigned i = 0; i < NUM_EARLY; i++)
      early.jobs[i].job = (struct tg_pool_job){
         .work = sum_early,
         .user = &early.jobs[i],
         .num_items = 50,
         .grain = 1,
         .done = end_early,
      };
   assert_int_equal(pthread_create(&helper, NULL, help_early, &early), 0);
   for (unsigned i = 0; i < NUM_EARLY; i++)
      tg_pool_submit(early.pool, &early.jobs[i].job);
   pthread_join(helper, NULL);
   for (unsigned i = 0; i < NUM_EARLY; i++) {
      const uint64_t *sums = early.jobs[i].sums;
      assert_int_equal(sums[0] + sums[1] + sums[2], 50 * 49 / 2);
   }
   tg_pool_destroy(early.pool);
}

/* ---- a pool of one thread ------------------------------------------------ */

static void
count_done(struct tg_pool_job *job)
{
   ++*(unsigned *)job->user;
}

static bool
do_nothing(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   (void)user;
   (void)end;
   return thread != 0 || first != 0;
}

/* A pool of one thread has done a job when submitting it returns, also one that
 * stops itself. */
static void
test_one_thread(void **state)
{
   struct tg_pool *pool = make_pool(1);
   unsigned num_done = 0;
   struct tg_pool_job job = {
      .work = do_nothing,
      .done = count_done,
      .user = &num_done,
      .num_items = 10,
      .grain = 3,
   };

   (void)state;
   for (unsigned i = 0; i < 3; i++) {
      tg_pool_submit(pool, &job);
      assert_int_equal(num_done, i + 1);
      tg_pool_help(pool, &job);
      assert_int_equal(num_done, i + 1);
   }
   job.num_items = 0;
   tg_pool_submit(pool, &job);
   assert_int_equal(num_done, 4);
   tg_pool_destroy(pool);
}

/* ---- work that runs ------------------------------------------------------ */

struct nested {
   struct tg_pool *pool;
   _Atomic uint64_t sum;
};

static bool
run_nested(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct nested *nested = user;
   struct partial partial = {{0}};

   (void)thread;
   (void)end;
   tg_pool_run(nested->pool, first + 20, 3, add_numbers, &partial);
   nested->sum += partial.sums[0] + partial.sums[1] + partial.sums[2];
   return true;
}

static void
test_work_runs(void **state)
{
   struct nested nested = {.pool = make_pool(3)};
   uint64_t sum = 0;

   (void)state;
   tg_pool_run(nested.pool, 100, 1, run_nested, &nested);
   for (uint64_t i = 20; i < 120; i++)
      sum += i * (i - 1) / 2;
   assert_int_equal(nested.sum, sum);
   tg_pool_destroy(nested.pool);
}

/* ---- making one ---------------------------------------------------------- */

static void
test_numbers_of_threads(void **state)
{
   struct tg_pool *pool = make_pool(0);

   (void)state;
   assert_in_range(tg_pool_num_threads(pool), 1, TG_MAX_POOL_THREADS);
   tg_pool_destroy(pool);
   assert_int_equal(tg_pool_create(NULL, TG_MAX_POOL_THREADS + 1, &pool),
                    TG_ERROR_INPUT);
}

static enum tg_result
create_and_destroy(const struct tg_allocator *allocator)
{
   struct tg_pool *pool = NULL;
   enum tg_result result = tg_pool_create(allocator, 2, &pool);

   tg_pool_destroy(pool);
   return result;
}

static void
test_out_of_memory(void **state)
{
   (void)state;
   sweep(create_and_destroy);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_each_item_once),
      cmocka_unit_test(test_nothing_to_do),
      cmocka_unit_test(test_all_threads_work),
      cmocka_unit_test(test_threads_wake),
      cmocka_unit_test(test_stop),
      cmocka_unit_test(test_several_callers),
      cmocka_unit_test(test_jobs_that_submit),
      cmocka_unit_test(test_help),
      cmocka_unit_test(test_two_ends),
      cmocka_unit_test(test_one_of_two_ends),
      cmocka_unit_test(test_random_jobs),
      cmocka_unit_test(test_jobs_take_turns),
      cmocka_unit_test(test_stream_of_jobs),
      cmocka_unit_test(test_owners_share_time),
      cmocka_unit_test(test_yield),
      cmocka_unit_test(test_sequences),
      cmocka_unit_test(test_run_one_thread),
      cmocka_unit_test(test_second_helper),
      cmocka_unit_test(test_no_room_for_a_helper),
      cmocka_unit_test(test_help_while),
      cmocka_unit_test(test_leave_a_sequence),
      cmocka_unit_test(test_help_early),
      cmocka_unit_test(test_one_thread),
      cmocka_unit_test(test_work_runs),
      cmocka_unit_test(test_numbers_of_threads),
      cmocka_unit_test(test_out_of_memory),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
