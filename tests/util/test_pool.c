/* SPDX-License-Identifier: MIT
 *
 * Threads that share work.
 */
#include "../sweep.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

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

/* A job that has no end until it is told, and a short one beside it. */
struct turns {
   _Atomic uint64_t num_endless;
   _Atomic bool is_over;
   pthread_barrier_t has_begun;
   uint64_t seen[20]; /* pieces of the endless one before each of the short */
   pthread_barrier_t are_done;
};

static bool
run_endless(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct turns *turns = user;

   (void)thread;
   (void)end;
   if (first == 0)
      pthread_barrier_wait(&turns->has_begun);
   turns->num_endless++;
   return !turns->is_over;
}

static bool
look(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct turns *turns = user;

   (void)thread;
   (void)end;
   turns->seen[first] = turns->num_endless;
   turns->is_over = first == 19;
   return true;
}

static struct turns turns;

static void
tell(struct tg_pool_job *job)
{
   (void)job;
   pthread_barrier_wait(&turns.are_done);
}

/* One thread serves both in turn. */
static void
test_round_robin(void **state)
{
   struct tg_pool *pool = make_pool(2);
   struct tg_pool_job endless = {
      .work = run_endless,
      .user = &turns,
      .num_items = UINT64_C(1) << 63,
      .grain = 1,
      .done = tell,
   };
   struct tg_pool_job quick = {
      .work = look, .user = &turns, .num_items = 20, .grain = 1, .done = tell};

   (void)state;
   memset(&turns, 0, sizeof(turns));
   pthread_barrier_init(&turns.has_begun, NULL, 2);
   pthread_barrier_init(&turns.are_done, NULL, 2);
   tg_pool_submit(pool, &endless);
   tg_pool_submit(pool, &quick);
   pthread_barrier_wait(&turns.has_begun);
   pthread_barrier_wait(&turns.are_done);
   pthread_barrier_wait(&turns.are_done);
   for (unsigned i = 1; i < 20; i++)
      assert_int_equal(turns.seen[i], turns.seen[i - 1] + 1);
   tg_pool_destroy(pool);
   pthread_barrier_destroy(&turns.has_begun);
   pthread_barrier_destroy(&turns.are_done);
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

static void
ignore(struct tg_pool_job *job)
{
   (void)job;
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
   struct tg_pool_job busy = {.work = wait_twice,
                              .user = &gate,
                              .num_items = 1,
                              .grain = 1,
                              .done = ignore};
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
   tg_pool_destroy(pool);
   pthread_barrier_destroy(&gate);
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
      cmocka_unit_test(test_stop),
      cmocka_unit_test(test_several_callers),
      cmocka_unit_test(test_jobs_that_submit),
      cmocka_unit_test(test_round_robin),
      cmocka_unit_test(test_help),
      cmocka_unit_test(test_numbers_of_threads),
      cmocka_unit_test(test_out_of_memory),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
