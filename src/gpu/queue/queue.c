/* SPDX-License-Identifier: MIT
 *
 * Submission of scenes, and the timeline that fences look at. Scenes of one
 * context are drawn one after the other: the first is a job of the pool, and
 * the thread that ends it submits the next. How far the queue has come is a
 * number, the timeline; it outlives the queue while there are fences.
 */
#include "gpu/queue/queue.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "gpu/core/grow.h"
#include "gpu/device/device.h"
#include "util/clock.h"
#include "util/spin.h"

/* Scenes that wait or are being drawn while one more is filled. */
enum { MAX_QUEUED = 2 };

struct timeline {
   struct tg_allocator allocator;
   pthread_mutex_t mutex;
   pthread_cond_t changed;
   _Atomic uint64_t done; /* number of the last scene that is done */
   unsigned num_users;
};

struct tg_fence {
   struct tg_refcount refs;
   struct tg_device *device; /* a reference: its allocator is the fence's */
   struct timeline *timeline;
   uint64_t scene;
};

struct gpu_queue {
   struct tg_allocator allocator;
   struct gpu_workers *workers;
   struct tg_work *work; /* that pays for the scenes, and ends with a loss */
   bool can_be_lost, shares_work;
   struct tg_pool_share share;
   struct timeline *timeline;
   uint64_t last; /* number of the last scene that was put in */

   /* What follows is guarded by the timeline's mutex. */
   struct gpu_scene *first, *newest; /* the first one is being drawn */
   bool has_helper;                  /* the caller takes part in it */
   bool is_over;                     /* and is to retire it */
   struct gpu_watch *watches;
   struct gpu_fault fault; /* the first of scenes that was not reported */
   struct tg_shader *fault_shader; /* a reference on that of the fault */
   struct gpu_fault first_fault;   /* of scenes and others, since these were: */
   uint64_t num_faults;            /* taken */
   enum tg_reset_status status;
};

/* ---- the timeline -------------------------------------------------------- */

static struct timeline *
create_timeline(const struct tg_allocator *allocator)
{
   void *memory = NULL;
   pthread_condattr_t attributes;
   if (!gpu_grow(allocator, &memory, 0, sizeof(struct timeline)))
      return NULL;
   struct timeline *timeline = memory;
   *timeline = (struct timeline){.allocator = *allocator, .num_users = 1};
   pthread_mutex_init(&timeline->mutex, NULL);
   pthread_condattr_init(&attributes);
   pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
   pthread_cond_init(&timeline->changed, &attributes);
   pthread_condattr_destroy(&attributes);
   return timeline;
}

static void
release_timeline(struct timeline *timeline)
{
   const struct tg_allocator allocator = timeline->allocator;
   void *memory = timeline;
   pthread_mutex_lock(&timeline->mutex);
   const bool is_last = --timeline->num_users == 0;
   pthread_mutex_unlock(&timeline->mutex);
   if (!is_last)
      return;
   pthread_cond_destroy(&timeline->changed);
   pthread_mutex_destroy(&timeline->mutex);
   gpu_grow(&allocator, &memory, sizeof(*timeline), 0);
}

/* ---- drawing ------------------------------------------------------------- */

/* After the end of the work tiles are gone through, and nothing is drawn. */
static bool
draw_tiles(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   struct gpu_scene *scene = user;
   struct tg_work *work = scene->queue->work;
   struct gpu_worker *worker =
      thread ? &scene->queue->workers->workers[thread] : scene->caller;
   for (uint64_t i = first; i < end; i++) {
      gpu_begin_span(worker, TG_PROFILE_TILE, 0);
      gpu_worker_begin(worker, work);
      gpu_scene_draw_tile(scene, worker, (uint32_t)i);
      gpu_worker_end(worker);
      gpu_end_span(worker);
   }
   return true;
}

/* Completes the watches of the scenes up to one. The mutex is held. */
static void
complete_watches(struct gpu_queue *queue, uint64_t scene)
{
   struct gpu_watch **link = &queue->watches;
   const uint64_t time = *link ? tg_clock_now() : 0;
   while (*link) {
      struct gpu_watch *watch = *link;
      if (watch->scene > scene) {
         link = &watch->next;
         continue;
      }
      *link = watch->next;
      watch->time = time;
      watch->is_waiting = false;
   }
}

/* ---- faults -------------------------------------------------------------- */

/* Whose fault it was, where `work` has paid. */
static enum tg_reset_status
find_guilt(const struct gpu_queue *queue, const struct gpu_fault *fault)
{
   const enum tg_work_end end = tg_work_get_end(queue->work->parent);
   if (fault->result == TG_ERROR_MEMORY)
      return TG_RESET_UNKNOWN;
   if (fault->what || fault->late > 0 || end == TG_WORK_GOES_ON)
      return TG_RESET_GUILTY;
   if (end == TG_WORK_CANCELLED)
      return TG_RESET_INNOCENT;
   return queue->shares_work ? TG_RESET_UNKNOWN : TG_RESET_GUILTY;
}

/* So many calls have had faults or were skipped. The mutex is held. */
static void
count_faults(struct gpu_queue *queue, const struct gpu_fault *fault,
             uint64_t num_calls)
{
   if (!num_calls)
      return;
   if (!queue->num_faults)
      queue->first_fault = *fault;
   queue->num_faults += num_calls;
   if (!queue->can_be_lost || queue->status != TG_RESET_NONE)
      return;
   queue->status = find_guilt(queue, fault);
   tg_work_end(queue->work, TG_WORK_LOST);
}

/* Of a scene. The first fault stays, and keeps its shader. */
static void
note_fault(struct gpu_queue *queue, const struct gpu_fault *fault,
           uint64_t num_calls)
{
   pthread_mutex_lock(&queue->timeline->mutex);
   if (queue->fault.result == TG_OK) {
      queue->fault = *fault;
      queue->fault_shader = tg_shader_ref(fault->shader);
   }
   count_faults(queue, fault, num_calls);
   pthread_mutex_unlock(&queue->timeline->mutex);
}

void
gpu_queue_note_fault(struct gpu_queue *queue, const struct gpu_fault *fault)
{
   pthread_mutex_lock(&queue->timeline->mutex);
   count_faults(queue, fault, 1);
   pthread_mutex_unlock(&queue->timeline->mutex);
}

/* ---- scenes on their way ------------------------------------------------- */

/* It is the first one now. */
static void
begin(struct gpu_scene *scene)
{
   gpu_scene_begin(scene);
   tg_pool_submit(scene->queue->workers->pool, &scene->job);
}

/* The scene has been drawn. It says so once it has let go of all that it used;
 * the queue may be gone then, unless there is another scene. */
static void
retire(struct gpu_scene *scene)
{
   struct gpu_queue *queue = scene->queue;
   struct timeline *timeline = queue->timeline;
   note_fault(queue, &scene->fault, scene->num_faults);
   gpu_workers_return(queue->workers, scene->caller);
   gpu_scene_empty(scene);
   pthread_mutex_lock(&timeline->mutex);
   struct gpu_scene *next = queue->first = scene->next;
   if (!next)
      queue->newest = NULL;
   timeline->done = scene->number;
   complete_watches(queue, scene->number);
   pthread_cond_broadcast(&timeline->changed);
   pthread_mutex_unlock(&timeline->mutex);
   gpu_scene_destroy(scene);
   if (next)
      begin(next);
   release_timeline(timeline);
}

/* While the caller helps, the scene stays there, and is left to it. */
static void
end_scene(struct tg_pool_job *job)
{
   struct gpu_scene *scene = job->user;
   struct gpu_queue *queue = scene->queue;
   pthread_mutex_lock(&queue->timeline->mutex);
   const bool has_helper = queue->has_helper;
   queue->is_over = has_helper;
   scene->is_helped = true; /* no other thread joins */
   pthread_mutex_unlock(&queue->timeline->mutex);
   if (!has_helper)
      retire(scene);
}

/* Takes part in drawing the first scene, to the end or for as long as `goes_on`
 * says, and retires it if that falls to it. The mutex is held before and
 * afterwards. False: it said no. */
static bool
help(struct gpu_queue *queue, struct gpu_scene *scene,
     bool (*goes_on)(void *user), void *user)
{
   struct timeline *timeline = queue->timeline;
   queue->has_helper = true;
   pthread_mutex_unlock(&timeline->mutex);
   const bool may_go_on =
      tg_pool_help_while(queue->workers->pool, &scene->job, goes_on, user);
   pthread_mutex_lock(&timeline->mutex);
   queue->has_helper = false;
   scene->is_helped |= may_go_on; /* nothing is left to begin */
   if (queue->is_over) {
      queue->is_over = false;
      pthread_mutex_unlock(&timeline->mutex);
      retire(scene);
      pthread_mutex_lock(&timeline->mutex);
   }
   return may_go_on;
}

/* Returns when one more scene is done, or perhaps before. The mutex is held
 * before and afterwards. */
static void
wait_for_change(struct timeline *timeline)
{
   struct tg_spin spin = tg_spin_begin();
   const uint64_t done = timeline->done;
   pthread_mutex_unlock(&timeline->mutex);
   while (timeline->done == done && tg_spin(&spin))
      continue;
   pthread_mutex_lock(&timeline->mutex);
   if (timeline->done == done)
      pthread_cond_wait(&timeline->changed, &timeline->mutex);
}

void
gpu_queue_wait(struct gpu_queue *queue, uint64_t number)
{
   assert(number <= queue->last);
   struct timeline *timeline = queue->timeline;
   pthread_mutex_lock(&timeline->mutex);
   struct tg_profile *profile =
      timeline->done < number ? queue->workers->profile : NULL;
   profile_begin(profile, TG_PROFILE_WAIT, (struct profile_subject){0});
   while (timeline->done < number) {
      if (queue->first->is_helped)
         wait_for_change(timeline);
      else
         help(queue, queue->first, NULL, NULL);
   }
   pthread_mutex_unlock(&timeline->mutex);
   profile_end(profile);
}

void
gpu_queue_help(struct gpu_queue *queue, bool (*goes_on)(void *user), void *user)
{
   struct timeline *timeline = queue->timeline;
   pthread_mutex_lock(&timeline->mutex);
   while (queue->first && !queue->first->is_helped) {
      if (!help(queue, queue->first, goes_on, user))
         break;
   }
   pthread_mutex_unlock(&timeline->mutex);
}

/* ---- the queue ----------------------------------------------------------- */

static struct timespec
time_from_now(uint64_t nanoseconds)
{
   const uint64_t most = UINT64_C(1) << 60; /* 36 years */
   const uint64_t end =
      tg_clock_now() + (nanoseconds < most ? nanoseconds : most);
   return (struct timespec){
      .tv_sec = (time_t)(end / 1000000000),
      .tv_nsec = (long)(end % 1000000000),
   };
}

/* True: the scene is done. */
static bool
wait_at_most(struct timeline *timeline, uint64_t scene, uint64_t nanoseconds,
             struct tg_profile *profile)
{
   const struct timespec end = time_from_now(nanoseconds);
   int error = 0;
   pthread_mutex_lock(&timeline->mutex);
   if (timeline->done >= scene || nanoseconds == 0)
      profile = NULL;
   profile_begin(profile, TG_PROFILE_WAIT, (struct profile_subject){0});
   while (timeline->done < scene && error != ETIMEDOUT) {
      if (nanoseconds == UINT64_MAX)
         pthread_cond_wait(&timeline->changed, &timeline->mutex);
      else
         error =
            pthread_cond_timedwait(&timeline->changed, &timeline->mutex, &end);
   }
   const bool is_done = timeline->done >= scene;
   pthread_mutex_unlock(&timeline->mutex);
   profile_end(profile);
   return is_done;
}

bool
gpu_queue_wait_at_most(struct gpu_queue *queue, uint64_t scene,
                       uint64_t nanoseconds)
{
   assert(scene <= queue->last);
   return wait_at_most(queue->timeline, scene, nanoseconds,
                       queue->workers->profile);
}

enum tg_result
gpu_queue_create(const struct tg_allocator *allocator,
                 struct gpu_workers *workers, struct tg_work *work,
                 const struct tg_context_options *options,
                 struct gpu_queue **queue_out)
{
   void *memory = NULL;
   if (!gpu_grow(allocator, &memory, 0, sizeof(struct gpu_queue)))
      return TG_ERROR_MEMORY;
   struct gpu_queue *queue = memory;
   *queue = (struct gpu_queue){
      .allocator = *allocator,
      .workers = workers,
      .work = work,
      .can_be_lost = options->on_fault == TG_FAULT_RESET,
      .shares_work = options->work != NULL,
   };
   queue->timeline = create_timeline(allocator);
   if (!queue->timeline) {
      gpu_queue_destroy(queue);
      return TG_ERROR_MEMORY;
   }
   *queue_out = queue;
   return TG_OK;
}

void
gpu_queue_destroy(struct gpu_queue *queue)
{
   void *memory = queue;
   if (!queue)
      return;
   const struct tg_allocator allocator = queue->allocator;
   assert(!queue->first);
   tg_shader_destroy(queue->fault_shader);
   if (queue->timeline)
      release_timeline(queue->timeline);
   gpu_grow(&allocator, &memory, sizeof(*queue), 0);
}

void
gpu_queue_add(struct gpu_queue *queue, struct gpu_scene *scene)
{
   assert(!scene->queue);
   struct timeline *timeline = queue->timeline;
   scene->number = ++queue->last;
   scene->queue = queue;
   scene->next = NULL;
   scene->caller = gpu_workers_borrow(queue->workers);
   if (!scene->caller)
      gpu_scene_skip(scene, TG_ERROR_MEMORY);
   scene->job = (struct tg_pool_job){
      .work = draw_tiles,
      .user = scene,
      .num_items = scene->caller ? scene->num_tiles : 0,
      .grain = 1,
      .max_threads = scene->is_sequential ? 1 : 0,
      .has_two_ends = !scene->is_sequential,
      .share = &queue->share,
      .done = end_scene,
   };
   if (scene->number > MAX_QUEUED)
      gpu_queue_wait(queue, scene->number - MAX_QUEUED);
   pthread_mutex_lock(&timeline->mutex);
   const bool is_first = !queue->first;
   if (is_first)
      queue->first = scene;
   else
      queue->newest->next = scene;
   queue->newest = scene;
   timeline->num_users++;
   pthread_mutex_unlock(&timeline->mutex);
   if (is_first)
      begin(scene);
}

struct tg_pool_share *
gpu_queue_share(struct gpu_queue *queue)
{
   return &queue->share;
}

uint64_t
gpu_queue_last(const struct gpu_queue *queue)
{
   return queue->last;
}

uint64_t
gpu_queue_done(struct gpu_queue *queue)
{
   return atomic_load_explicit(&queue->timeline->done, memory_order_acquire);
}

void
gpu_queue_watch(struct gpu_queue *queue, struct gpu_watch *watch)
{
   pthread_mutex_lock(&queue->timeline->mutex);
   watch->next = queue->watches;
   watch->is_waiting = true;
   queue->watches = watch;
   complete_watches(queue, queue->timeline->done);
   pthread_mutex_unlock(&queue->timeline->mutex);
}

void
gpu_queue_unwatch(struct gpu_queue *queue, struct gpu_watch *watch)
{
   pthread_mutex_lock(&queue->timeline->mutex);
   if (watch->is_waiting) {
      struct gpu_watch **link = &queue->watches;
      while (*link != watch)
         link = &(*link)->next;
      *link = watch->next;
      watch->is_waiting = false;
   }
   pthread_mutex_unlock(&queue->timeline->mutex);
}

struct gpu_fault
gpu_queue_take_fault(struct gpu_queue *queue, struct tg_shader **shader_out)
{
   pthread_mutex_lock(&queue->timeline->mutex);
   const struct gpu_fault fault = queue->fault;
   *shader_out = queue->fault_shader;
   queue->fault = (struct gpu_fault){.result = TG_OK};
   queue->fault_shader = NULL;
   pthread_mutex_unlock(&queue->timeline->mutex);
   return fault;
}

struct gpu_fault
gpu_queue_take_faults(struct gpu_queue *queue, uint64_t *num_calls_out)
{
   pthread_mutex_lock(&queue->timeline->mutex);
   struct gpu_fault fault = queue->first_fault;
   fault.shader = NULL; /* there may be none any more */
   *num_calls_out = queue->num_faults;
   queue->first_fault = (struct gpu_fault){.result = TG_OK};
   queue->num_faults = 0;
   pthread_mutex_unlock(&queue->timeline->mutex);
   return fault;
}

enum tg_reset_status
gpu_queue_get_status(struct gpu_queue *queue)
{
   pthread_mutex_lock(&queue->timeline->mutex);
   const enum tg_reset_status status = queue->status;
   pthread_mutex_unlock(&queue->timeline->mutex);
   return status;
}

void
gpu_queue_reset(struct gpu_queue *queue)
{
   struct tg_shader *shader;
   uint64_t num_calls;
   gpu_queue_take_faults(queue, &num_calls);
   gpu_queue_take_fault(queue, &shader);
   tg_shader_destroy(shader);
   pthread_mutex_lock(&queue->timeline->mutex);
   queue->status = TG_RESET_NONE;
   tg_work_resume(queue->work);
   pthread_mutex_unlock(&queue->timeline->mutex);
}

/* ---- fences -------------------------------------------------------------- */

enum tg_result
gpu_queue_add_fence(struct gpu_queue *queue, struct tg_device *device,
                    struct tg_fence **fence_out)
{
   struct timeline *timeline = queue->timeline;
   void *memory = NULL;
   if (!gpu_grow(&queue->allocator, &memory, 0, sizeof(struct tg_fence)))
      return TG_ERROR_MEMORY;
   struct tg_fence *fence = memory;
   *fence = (struct tg_fence){
      .refs = TG_REFCOUNT_INIT,
      .device = tg_device_ref(device),
      .timeline = timeline,
      .scene = queue->last,
   };
   pthread_mutex_lock(&timeline->mutex);
   timeline->num_users++;
   pthread_mutex_unlock(&timeline->mutex);
   *fence_out = fence;
   return TG_OK;
}

bool
tg_fence_wait(struct tg_fence *fence, uint64_t nanoseconds)
{
   assert(fence);
   return wait_at_most(fence->timeline, fence->scene, nanoseconds,
                       fence->device->options.profile);
}

struct tg_fence *
tg_fence_ref(struct tg_fence *fence)
{
   if (fence)
      tg_refcount_add(&fence->refs);
   return fence;
}

void
tg_fence_destroy(struct tg_fence *fence)
{
   void *memory = fence;
   if (!fence || !tg_refcount_drop(&fence->refs))
      return;
   struct tg_device *device = fence->device;
   release_timeline(fence->timeline);
   gpu_grow(&device->allocator, &memory, sizeof(*fence), 0);
   tg_device_destroy(device);
}
