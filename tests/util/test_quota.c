/* SPDX-License-Identifier: MIT
 *
 * Memory quotas: what is in use counts, to the byte and in every quota below,
 * what is given back does not.
 */
#include "../sweep.h"

#include <pthread.h>
#include <stdbool.h>

#include "util/memory.h"
#include "util/quota.h"

static void *
resize(struct tg_quota *quota, void *ptr, size_t old_size, size_t new_size)
{
   return quota->allocator.resize(quota->allocator.user, ptr, old_size,
                                  new_size);
}

static void
test_bound(void **state)
{
   struct tg_quota quota;

   (void)state;
   tg_quota_init(&quota, NULL, 100);
   void *a = resize(&quota, NULL, 0, 60);
   assert_non_null(a);
   assert_null(resize(&quota, NULL, 0, 41));
   assert_true(quota.refused);
   assert_null(resize(&quota, NULL, 0, SIZE_MAX - 59));
   void *b = resize(&quota, NULL, 0, 40);
   assert_non_null(b);
   assert_null(resize(&quota, b, 40, 41));
   b = resize(&quota, b, 40, 1);
   a = resize(&quota, a, 60, 99);
   assert_non_null(a);
   assert_int_equal(quota.held, 100);
   resize(&quota, a, 99, 0);
   resize(&quota, b, 1, 0);
   assert_int_equal(quota.held, 0);
   assert_null(resize(&quota, NULL, 0, SIZE_MAX));
}

static void
test_peak(void **state)
{
   struct tg_quota quota;

   (void)state;
   tg_quota_init(&quota, NULL, 100);
   assert_int_equal(quota.peak, 0);
   void *a = resize(&quota, NULL, 0, 30);
   void *b = resize(&quota, NULL, 0, 20);
   a = resize(&quota, a, 30, 10);
   assert_int_equal(quota.held, 30);
   assert_int_equal(quota.peak, 50);
   a = resize(&quota, a, 10, 31);
   assert_int_equal(quota.peak, 51);
   assert_null(resize(&quota, NULL, 0, 50));
   assert_int_equal(quota.peak, 51);
   resize(&quota, a, 31, 0);
   resize(&quota, b, 20, 0);
   assert_int_equal(quota.held, 0);
   assert_int_equal(quota.peak, 51);
}

/* Grants so many calls, and refuses all others but the freeing ones. */
static void *
grant(void *user, void *ptr, size_t old_size, size_t new_size)
{
   unsigned *num_left = user;
   const struct tg_allocator *below = tg_default_allocator();

   if (new_size && *num_left == 0)
      return NULL;
   *num_left -= new_size != 0;
   return below->resize(below->user, ptr, old_size, new_size);
}

/* What the allocator below refuses changes nothing, and is no refusal here. */
static void
test_below_refuses(void **state)
{
   unsigned num_left = 1;
   const struct tg_allocator scarce = {grant, &num_left};
   struct tg_quota quota;

   (void)state;
   tg_quota_init(&quota, &scarce, 100);
   void *a = resize(&quota, NULL, 0, 10);
   assert_non_null(a);
   assert_null(resize(&quota, NULL, 0, 10));
   assert_null(resize(&quota, a, 10, 20));
   assert_null(resize(&quota, a, 10, 5));
   assert_null(tg_alloc_zeroed(&quota.allocator, 7));
   assert_int_equal(quota.held, 10);
   assert_int_equal(quota.peak, 10);
   assert_false(quota.refused);
   resize(&quota, a, 10, 0);
   assert_int_equal(quota.held, 0);
}

static void
test_zeroed(void **state)
{
   struct tg_quota device, client;

   (void)state;
   tg_quota_init(&device, NULL, 100);
   tg_quota_init(&client, &device.allocator, 90);

   /* A copy is the same quota. */
   const struct tg_allocator copy = client.allocator;
   assert_ptr_equal(tg_quota_of(&copy), &client);
   assert_null(tg_quota_of(tg_default_allocator()));

   unsigned char *bytes = tg_alloc_zeroed(&copy, 90);
   assert_non_null(bytes);
   for (unsigned i = 0; i < 90; i++)
      assert_int_equal(bytes[i], 0);
   assert_int_equal(client.held, 90);
   assert_int_equal(client.peak, 90);
   assert_int_equal(device.held, 90);
   assert_int_equal(device.peak, 90);
   assert_null(tg_alloc_zeroed(&copy, 1));
   assert_true(client.refused);
   assert_null(tg_alloc_zeroed(&device.allocator, 11));
   assert_true(device.refused);
   resize(&client, bytes, 90, 0);
   assert_int_equal(client.held, 0);
   assert_int_equal(device.held, 0);
}

/* ---- levels -------------------------------------------------------------- */

static void
test_quota_over_quota(void **state)
{
   struct tg_quota device, clients[2];

   (void)state;
   tg_quota_init(&device, NULL, 100);
   tg_quota_init(&clients[0], &device.allocator, 70);
   tg_quota_init(&clients[1], &device.allocator, 70);

   void *a = resize(&clients[0], NULL, 0, 60);
   assert_non_null(a);
   assert_null(resize(&clients[0], NULL, 0, 11));
   assert_true(clients[0].refused);
   assert_false(device.refused);

   /* Within the client's, but not within what the other one left. */
   assert_null(resize(&clients[1], NULL, 0, 41));
   assert_true(device.refused);
   assert_false(clients[1].refused);
   assert_int_equal(clients[1].held, 0);
   assert_int_equal(device.held, 60);

   void *b = resize(&clients[1], NULL, 0, 40);
   assert_non_null(b);
   assert_int_equal(device.held, 100);
   a = resize(&clients[0], a, 60, 30);
   b = resize(&clients[1], b, 40, 70);
   assert_non_null(b);
   assert_int_equal(clients[0].held, 30);
   assert_int_equal(clients[1].held, 70);
   assert_int_equal(device.held, 100);

   resize(&clients[0], a, 30, 0);
   resize(&clients[1], b, 70, 0);
   assert_int_equal(device.held, 0);
   assert_int_equal(device.peak, 100);
   assert_int_equal(clients[0].peak, 60);
   assert_int_equal(clients[1].peak, 70);
}

/* ---- threads ------------------------------------------------------------- */

enum { NUM_USERS = 4, NUM_BLOCKS = 8, NUM_STEPS = 20000, LIMIT = 1000 };

struct user {
   struct tg_quota quota; /* over the device's */
   pthread_t thread;
   uint32_t random;
   unsigned num_granted, num_refused;
   bool is_wrong;
};

static uint32_t
draw(uint32_t *random, uint32_t below)
{
   *random = *random * 1664525 + 1013904223;
   return (uint32_t)((uint64_t)*random * below >> 32);
}

/* Resizes blocks at random. Its own quota is used by this thread alone, so what
 * that counts is known. */
static void *
use_memory(void *argument)
{
   struct user *user = argument;
   struct tg_quota *quota = &user->quota;
   const struct tg_quota *device = tg_quota_of(quota->below);
   unsigned char *blocks[NUM_BLOCKS] = {NULL};
   size_t sizes[NUM_BLOCKS] = {0};
   uint64_t held = 0;

   for (unsigned step = 0; step < NUM_STEPS; step++) {
      const uint32_t i = draw(&user->random, NUM_BLOCKS);
      const uint32_t size = draw(&user->random, 3) * draw(&user->random, 120);
      void *moved = resize(quota, blocks[i], sizes[i], size);

      user->is_wrong |= device->held > LIMIT || device->peak > LIMIT;
      if (size && !moved) {
         user->num_refused++;
         continue;
      }
      held += size;
      held -= sizes[i];
      blocks[i] = moved;
      sizes[i] = size;
      user->num_granted++;
      user->is_wrong |= quota->held != held || quota->peak < held;
   }
   for (unsigned i = 0; i < NUM_BLOCKS; i++)
      resize(quota, blocks[i], sizes[i], 0);
   return NULL;
}

static void
test_threads(void **state)
{
   struct tg_quota device;
   struct user users[NUM_USERS];
   unsigned num_refused = 0;

   (void)state;
   tg_quota_init(&device, NULL, LIMIT);
   for (unsigned i = 0; i < NUM_USERS; i++) {
      users[i] = (struct user){.random = i};
      tg_quota_init(&users[i].quota, &device.allocator, UINT64_MAX);
      assert_int_equal(
         pthread_create(&users[i].thread, NULL, use_memory, &users[i]), 0);
   }
   for (unsigned i = 0; i < NUM_USERS; i++) {
      pthread_join(users[i].thread, NULL);
      assert_false(users[i].is_wrong);
      assert_true(users[i].num_granted > 0);
      assert_int_equal(users[i].quota.held, 0);
      num_refused += users[i].num_refused;
   }
   assert_true(num_refused > 0);
   assert_int_equal(device.held, 0);
}

/* Grants all at no cost, so that threads meet where bytes are counted. */
static void *
pretend(void *user, void *ptr, size_t old_size, size_t new_size)
{
   (void)ptr;
   (void)old_size;
   return new_size ? user : NULL;
}

struct taker {
   struct tg_quota *quota;
   pthread_barrier_t *begin, *end;
   pthread_t thread;
   uint64_t num_taken;
};

/* Takes bytes until there are no more, and all then hold what they have. */
static void *
take_bytes(void *argument)
{
   struct taker *taker = argument;

   pthread_barrier_wait(taker->begin);
   while (taker->num_taken < taker->quota->most + 1000 &&
          resize(taker->quota, NULL, 0, 1))
      taker->num_taken++;
   pthread_barrier_wait(taker->end);
   for (uint64_t i = 0; i < taker->num_taken; i++)
      resize(taker->quota, taker, 1, 0);
   return NULL;
}

static void
test_last_byte(void **state)
{
   enum { NUM_TAKERS = 4, MOST = 400001 };
   char memory;
   const struct tg_allocator plenty = {pretend, &memory};
   struct tg_quota quota;
   struct taker takers[NUM_TAKERS];
   pthread_barrier_t begin, end;
   uint64_t sum = 0;

   (void)state;
   tg_quota_init(&quota, &plenty, MOST);
   pthread_barrier_init(&begin, NULL, NUM_TAKERS);
   pthread_barrier_init(&end, NULL, NUM_TAKERS);
   for (unsigned i = 0; i < NUM_TAKERS; i++) {
      takers[i] = (struct taker){.quota = &quota, .begin = &begin, .end = &end};
      assert_int_equal(
         pthread_create(&takers[i].thread, NULL, take_bytes, &takers[i]), 0);
   }
   for (unsigned i = 0; i < NUM_TAKERS; i++) {
      pthread_join(takers[i].thread, NULL);
      sum += takers[i].num_taken;
   }
   assert_int_equal(sum, MOST);
   assert_int_equal(quota.peak, MOST);
   assert_int_equal(quota.held, 0);
   pthread_barrier_destroy(&begin);
   pthread_barrier_destroy(&end);
}

/* ---- memory that runs out ------------------------------------------------ */

static enum tg_result
use_a_little(const struct tg_allocator *allocator)
{
   struct tg_quota device, client;

   tg_quota_init(&device, allocator, 1000);
   tg_quota_init(&client, &device.allocator, 1000);
   void *a = resize(&client, NULL, 0, 100);
   void *b = tg_alloc_zeroed(&client.allocator, 200);
   void *c = a ? resize(&client, a, 100, 300) : NULL;

   assert_int_equal(client.held, (b ? 200 : 0) + (c ? 300 : a ? 100 : 0));
   assert_int_equal(device.held, client.held);
   resize(&client, b, b ? 200 : 0, 0);
   resize(&client, c ? c : a, c ? 300 : a ? 100 : 0, 0);
   assert_int_equal(client.held, 0);
   assert_int_equal(device.held, 0);
   assert_false(client.refused || device.refused);
   return a && b && c ? TG_OK : TG_ERROR_MEMORY;
}

static void
test_out_of_memory(void **state)
{
   (void)state;
   sweep(use_a_little);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bound),
      cmocka_unit_test(test_peak),
      cmocka_unit_test(test_below_refuses),
      cmocka_unit_test(test_zeroed),
      cmocka_unit_test(test_quota_over_quota),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_last_byte),
      cmocka_unit_test(test_out_of_memory),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
