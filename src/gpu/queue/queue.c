/* SPDX-License-Identifier: MIT
 *
 * One thread takes scenes out of the queue and has a pool draw their tiles. How
 * far it has come is a number, the timeline, which fences look at; it outlives
 * the queue while there are fences.
 */
#include "gpu/queue/queue.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#include "gpu/core/memory.h"

/* Scenes that wait or are being drawn while one more is filled. */
enum { MAX_QUEUED = 2 };

struct timeline {
   struct tg_allocator allocator;
   pthread_mutex_t mutex;
   pthread_cond_t changed;
   uint64_t done; /* number of the last scene that is done */
   unsigned num_users;
};

struct tg_fence {
   struct timeline *timeline;
   uint64_t scene;
};

struct gpu_queue {
   struct tg_allocator allocator;
   const struct gpu_workers *workers;
   struct timeline *timeline;
   uint64_t last; /* number of the last scene that was put in */

   /* What follows is guarded by the timeline's mutex. */
   struct gpu_scene *first, *newest;
   struct gpu_watch *watches;
   struct gpu_fault fault;
   struct tg_shader *fault_shader; /* a reference on that of the fault */
   bool is_ending;

   pthread_t thread;
   bool has_thread;
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

/* A scene that is drawn. */
struct drawing {
   const struct gpu_workers *workers;
   struct gpu_scene *scene;
};

/* After the end of the work no tile is begun. */
static bool
draw_tiles(void *user, unsigned thread, uint64_t first, uint64_t end)
{
   const struct drawing *drawing = user;
   const struct tg_work *work = drawing->workers->work;
   struct gpu_scene *scene = drawing->scene;
   struct gpu_worker *worker = &drawing->workers->workers[thread];
   for (uint64_t i = first; i < end; i++) {
      worker->fault = (struct gpu_fault){TG_OK, NULL, {0}, NULL};
      if (tg_work_has_ended(work))
         gpu_fail(worker, TG_ERROR_LIMIT, NULL);
      else
         gpu_scene_draw_tile(scene, worker, (uint32_t)i);
      if (worker->fault.result != TG_OK)
         gpu_scene_note_fault(scene, &worker->fault, (uint32_t)i);
   }
   return !tg_work_has_ended(work);
}

static void
draw_scene(struct gpu_queue *queue, struct gpu_scene *scene)
{
   struct drawing drawing = {queue->workers, scene};
   if (scene->is_sequential)
      draw_tiles(&drawing, 0, 0, scene->num_tiles);
   else
      tg_pool_run(queue->workers->pool, scene->num_tiles, 1, draw_tiles,
                  &drawing);
}

static uint64_t
now(void)
{
   struct timespec time;
   clock_gettime(CLOCK_MONOTONIC, &time);
   return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Tells those who wait for the scenes up to one. The mutex is held. */
static void
tell_watches(struct gpu_queue *queue, uint64_t scene)
{
   struct gpu_watch **link = &queue->watches;
   const uint64_t time = *link ? now() : 0;
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

/* The first fault stays, and keeps its shader. */
static void
note_fault(struct gpu_queue *queue, const struct gpu_fault *fault)
{
   pthread_mutex_lock(&queue->timeline->mutex);
   if (queue->fault.result == TG_OK) {
      queue->fault = *fault;
      queue->fault_shader = tg_shader_ref(fault->shader);
   }
   pthread_mutex_unlock(&queue->timeline->mutex);
}

/* The scene is done, and says so once it has let go of all that it used. */
static void
retire(struct gpu_queue *queue, struct gpu_scene *scene)
{
   struct timeline *timeline = queue->timeline;
   const uint64_t number = scene->number;
   note_fault(queue, &scene->fault);
   gpu_scene_destroy(scene);
   pthread_mutex_lock(&timeline->mutex);
   timeline->done = number;
   tell_watches(queue, number);
   pthread_cond_broadcast(&timeline->changed);
   pthread_mutex_unlock(&timeline->mutex);
}

/* The next scene to draw, which stays in the queue; NULL: there will be none.
 */
static struct gpu_scene *
wait_for_scene(struct gpu_queue *queue)
{
   struct timeline *timeline = queue->timeline;
   pthread_mutex_lock(&timeline->mutex);
   while (!queue->first && !queue->is_ending)
      pthread_cond_wait(&timeline->changed, &timeline->mutex);
   struct gpu_scene *scene = queue->first;
   if (scene) {
      queue->first = scene->next;
      if (!scene->next)
         queue->newest = NULL;
   }
   pthread_mutex_unlock(&timeline->mutex);
   return scene;
}

static void *
run_thread(void *user)
{
   struct gpu_queue *queue = user;
   struct gpu_scene *scene;
   while ((scene = wait_for_scene(queue))) {
      draw_scene(queue, scene);
      retire(queue, scene);
   }
   return NULL;
}

/* ---- the queue ----------------------------------------------------------- */

/* Where the system gives no thread the caller draws. */
static void
start_thread(struct gpu_queue *queue)
{
   if (queue->workers->count > 1)
      queue->has_thread = tg_start_thread(&queue->thread, run_thread, queue);
}

enum tg_result
gpu_queue_create(const struct tg_allocator *allocator,
                 const struct gpu_workers *workers,
                 struct gpu_queue **queue_out)
{
   void *memory = NULL;
   if (!gpu_grow(allocator, &memory, 0, sizeof(struct gpu_queue)))
      return TG_ERROR_MEMORY;
   struct gpu_queue *queue = memory;
   *queue = (struct gpu_queue){.allocator = *allocator, .workers = workers};
   queue->timeline = create_timeline(allocator);
   if (!queue->timeline) {
      gpu_queue_destroy(queue);
      return TG_ERROR_MEMORY;
   }
   start_thread(queue);
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
   if (queue->has_thread) {
      pthread_mutex_lock(&queue->timeline->mutex);
      queue->is_ending = true;
      pthread_cond_broadcast(&queue->timeline->changed);
      pthread_mutex_unlock(&queue->timeline->mutex);
      pthread_join(queue->thread, NULL);
   }
   tg_shader_destroy(queue->fault_shader);
   if (queue->timeline)
      release_timeline(queue->timeline);
   gpu_grow(&allocator, &memory, sizeof(*queue), 0);
}

static void
wait_until(struct timeline *timeline, uint64_t scene)
{
   pthread_mutex_lock(&timeline->mutex);
   while (timeline->done < scene)
      pthread_cond_wait(&timeline->changed, &timeline->mutex);
   pthread_mutex_unlock(&timeline->mutex);
}

void
gpu_queue_add(struct gpu_queue *queue, struct gpu_scene *scene)
{
   struct timeline *timeline = queue->timeline;
   scene->number = ++queue->last;
   scene->next = NULL;
   if (!queue->has_thread) {
      draw_scene(queue, scene);
      retire(queue, scene);
      return;
   }
   if (scene->number > MAX_QUEUED)
      wait_until(timeline, scene->number - MAX_QUEUED);
   pthread_mutex_lock(&timeline->mutex);
   if (queue->newest)
      queue->newest->next = scene;
   else
      queue->first = scene;
   queue->newest = scene;
   pthread_cond_broadcast(&timeline->changed);
   pthread_mutex_unlock(&timeline->mutex);
}

uint64_t
gpu_queue_last(const struct gpu_queue *queue)
{
   return queue->last;
}

uint64_t
gpu_queue_done(struct gpu_queue *queue)
{
   pthread_mutex_lock(&queue->timeline->mutex);
   const uint64_t done = queue->timeline->done;
   pthread_mutex_unlock(&queue->timeline->mutex);
   return done;
}

void
gpu_queue_wait(struct gpu_queue *queue, uint64_t scene)
{
   wait_until(queue->timeline, scene);
}

void
gpu_queue_watch(struct gpu_queue *queue, struct gpu_watch *watch)
{
   pthread_mutex_lock(&queue->timeline->mutex);
   watch->next = queue->watches;
   watch->is_waiting = true;
   queue->watches = watch;
   tell_watches(queue, queue->timeline->done);
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
   queue->fault = (struct gpu_fault){TG_OK, NULL, {0}, NULL};
   queue->fault_shader = NULL;
   pthread_mutex_unlock(&queue->timeline->mutex);
   return fault;
}

/* ---- fences -------------------------------------------------------------- */

enum tg_result
gpu_queue_add_fence(struct gpu_queue *queue, struct tg_fence **fence_out)
{
   struct timeline *timeline = queue->timeline;
   void *memory = NULL;
   if (!gpu_grow(&queue->allocator, &memory, 0, sizeof(struct tg_fence)))
      return TG_ERROR_MEMORY;
   struct tg_fence *fence = memory;
   *fence = (struct tg_fence){timeline, queue->last};
   pthread_mutex_lock(&timeline->mutex);
   timeline->num_users++;
   pthread_mutex_unlock(&timeline->mutex);
   *fence_out = fence;
   return TG_OK;
}

static struct timespec
time_from_now(uint64_t nanoseconds)
{
   struct timespec time;
   clock_gettime(CLOCK_MONOTONIC, &time);
   const uint64_t most = UINT64_C(1) << 60; /* 36 years */
   const uint64_t sum =
      (uint64_t)time.tv_nsec + (nanoseconds < most ? nanoseconds : most);
   time.tv_sec += (time_t)(sum / 1000000000);
   time.tv_nsec = (long)(sum % 1000000000);
   return time;
}

bool
tg_fence_wait(struct tg_fence *fence, uint64_t nanoseconds)
{
   struct timeline *timeline = fence->timeline;
   const struct timespec end = time_from_now(nanoseconds);
   int error = 0;
   pthread_mutex_lock(&timeline->mutex);
   while (timeline->done < fence->scene && error != ETIMEDOUT) {
      if (nanoseconds == UINT64_MAX)
         pthread_cond_wait(&timeline->changed, &timeline->mutex);
      else
         error =
            pthread_cond_timedwait(&timeline->changed, &timeline->mutex, &end);
   }
   const bool is_done = timeline->done >= fence->scene;
   pthread_mutex_unlock(&timeline->mutex);
   return is_done;
}

void
tg_fence_destroy(struct tg_fence *fence)
{
   if (!fence)
      return;
   struct timeline *timeline = fence->timeline;
   const struct tg_allocator allocator = timeline->allocator;
   void *memory = fence;
   gpu_grow(&allocator, &memory, sizeof(*fence), 0);
   release_timeline(timeline);
}
