/* SPDX-License-Identifier: MIT
 *
 * Resources, views and samplers that several threads use at once: what is made
 * when it is first asked for is made once. To be run under ThreadSanitizer.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "../desc.h"
#include "complaint.h"
#include "resource/bindings.h"
#include "util/quota.h"

enum { NUM_THREADS = 6, NUM_ROUNDS = 40 };

static struct tg_quota memory;

/* What the threads share, and what each finds. */
struct shared {
   pthread_barrier_t barrier;
   struct tg_resource *texture, *samples;
   struct tg_view *view;
   struct tg_sampler *sampler;
};

struct thread {
   pthread_t id;
   struct shared *shared;
   unsigned number;
   const uint32_t *decoded; /* texels */
   const uint8_t *plane;
};

static const uint32_t formats[2] = {TG_FORMAT_DXT1_RGB, TG_FORMAT_DXT1_SRGBA};

static void
bind_shared(struct thread *thread)
{
   struct shared *shared = thread->shared;
   struct tg_bindings *bindings;
   struct resource_snapshot snapshot;

   assert_int_equal(tg_bindings_create(&memory.allocator, &bindings), TG_OK);
   assert_int_equal(tg_bindings_set_view(bindings, 3, shared->view, NULL),
                    TG_OK);
   assert_int_equal(tg_bindings_set_sampler(bindings, 3, shared->sampler, NULL),
                    TG_OK);
   assert_true(resource_snapshot_take(bindings, &snapshot));
   tg_bindings_destroy(bindings);
   resource_snapshot_drop(&snapshot);
}

static void *
run(void *user)
{
   struct thread *thread = user;
   struct shared *shared = thread->shared;
   struct tg_view_desc desc = tg_view_desc_of(shared->texture);
   struct tg_view *view;

   desc.format = formats[thread->number & 1];
   pthread_barrier_wait(&shared->barrier);
   assert_int_equal(tg_view_create(&memory.allocator, &desc, NULL, &view),
                    TG_OK);
   thread->decoded = view->binding.memory.data;
   thread->plane = resource_keep_one_color(shared->samples);
   bind_shared(thread);
   assert_true(tg_resource_get_size(shared->texture) > 0);
   tg_view_destroy(view);

   /* Each has references of its own, the last of which may be any thread's. */
   tg_view_destroy(shared->view);
   tg_sampler_destroy(shared->sampler);
   tg_resource_destroy(shared->texture);
   tg_resource_destroy(shared->samples);
   return NULL;
}

/* One reference for each thread. */
static void
share(struct shared *shared)
{
   static const struct tg_resource_desc texture_desc =
      DESC(TG_TEXTURE_2D, TG_FORMAT_DXT1_RGB, 64, 64, 1, 1, 0, 1);
   static const struct tg_resource_desc samples_desc =
      DESC(TG_TEXTURE_2D, TG_FORMAT_R8G8B8A8_UNORM, 16, 16, 1, 1, 0, 4);

   assert_int_equal(tg_resource_create(&memory.allocator, &texture_desc, NULL,
                                       &shared->texture),
                    TG_OK);
   assert_int_equal(tg_resource_create(&memory.allocator, &samples_desc, NULL,
                                       &shared->samples),
                    TG_OK);
   const struct tg_view_desc all = tg_view_desc_of(shared->samples);
   assert_int_equal(
      tg_view_create(&memory.allocator, &all, NULL, &shared->view), TG_OK);
   assert_int_equal(
      tg_sampler_create(&memory.allocator, NULL, NULL, &shared->sampler),
      TG_OK);
   for (unsigned i = 1; i < NUM_THREADS; i++) {
      tg_resource_ref(shared->texture);
      tg_resource_ref(shared->samples);
      tg_view_ref(shared->view);
      tg_sampler_ref(shared->sampler);
   }
}

/* Threads that ask for the same get the same. */
static void
what_is_lazy_is_made_once(void **state)
{
   (void)state;
   tg_quota_init(&memory, NULL, UINT64_MAX);
   for (unsigned round = 0; round < NUM_ROUNDS; round++) {
      struct thread threads[NUM_THREADS];
      struct shared shared;

      share(&shared);
      pthread_barrier_init(&shared.barrier, NULL, NUM_THREADS);
      for (unsigned i = 0; i < NUM_THREADS; i++) {
         threads[i] = (struct thread){.shared = &shared, .number = i};
         assert_int_equal(
            pthread_create(&threads[i].id, NULL, run, &threads[i]), 0);
      }
      for (unsigned i = 0; i < NUM_THREADS; i++)
         pthread_join(threads[i].id, NULL);
      for (unsigned i = 2; i < NUM_THREADS; i++)
         assert_ptr_equal(threads[i].decoded, threads[i - 2].decoded);
      assert_ptr_not_equal(threads[0].decoded, threads[1].decoded);
      for (unsigned i = 1; i < NUM_THREADS; i++)
         assert_ptr_equal(threads[i].plane, threads[0].plane);
      pthread_barrier_destroy(&shared.barrier);
      assert_int_equal(atomic_load(&memory.held), 0);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_lazy_is_made_once),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
