/* SPDX-License-Identifier: MIT
 *
 * The submission queue of a context: full scenes are drawn one after the other,
 * their tiles by the threads of the device, while the caller fills the next. A
 * device of one thread draws a scene when it is put in.
 *
 * One thread, the context's, is here at a time.
 */
#ifndef TG_GPU_QUEUE_H
#define TG_GPU_QUEUE_H

#include "gpu/queue/scene.h"

struct gpu_queue;

/* A queue of full scenes. The workers draw their tiles, for which `work` pays,
 * a part of the context's that ends when the context is lost. TG_ERROR_MEMORY.
 */
enum tg_result
gpu_queue_create(const struct tg_allocator *allocator,
                 struct gpu_workers *workers, struct tg_work *work,
                 const struct tg_context_options *options,
                 struct gpu_queue **queue_out);

/* Destroys a queue whose scenes are all done. Takes NULL. */
void
gpu_queue_destroy(struct gpu_queue *queue);

/* Submits a scene, which the queue owns from now on; its number is the one
 * before plus 1. May wait until there is room. */
void
gpu_queue_add(struct gpu_queue *queue, struct gpu_scene *scene);

/* The context's share of the device's threads, for what else it does. */
struct tg_pool_share *
gpu_queue_share(struct gpu_queue *queue);

/* The number of the last scene that was put in, and of the last that is done.
 */
uint64_t
gpu_queue_last(const struct gpu_queue *queue);
uint64_t
gpu_queue_done(struct gpu_queue *queue);

/* Waits until a scene is done, and takes part in drawing it. */
void
gpu_queue_wait(struct gpu_queue *queue, uint64_t scene);

/* Takes part in drawing what is in the queue, tile by tile, for as long as
 * `goes_on` says and there are tiles that no thread has begun. */
void
gpu_queue_help(struct gpu_queue *queue, bool (*goes_on)(void *user),
               void *user);

/* Waits so long, or for ever with UINT64_MAX. True: the scene is done. */
bool
gpu_queue_wait_at_most(struct gpu_queue *queue, uint64_t scene,
                       uint64_t nanoseconds);

/* A request for the time at which a scene is done. */
struct gpu_watch {
   uint64_t scene;
   uint64_t time; /* nanoseconds of CLOCK_MONOTONIC, once it is done */
   struct gpu_watch *next;
   bool is_waiting;
};

/* Has the time filled in at which a scene is done: at once if the scene is
 * done. */
void
gpu_queue_watch(struct gpu_queue *queue, struct gpu_watch *watch);

/* Forgets a watch, if it waits. */
void
gpu_queue_unwatch(struct gpu_queue *queue, struct gpu_watch *watch);

/* The first fault of all scenes since the last call, with a reference on its
 * shader, or NULL. */
struct gpu_fault
gpu_queue_take_fault(struct gpu_queue *queue, struct tg_shader **shader_out);

/* Counts the fault of a call that is reported already. */
void
gpu_queue_note_fault(struct gpu_queue *queue, const struct gpu_fault *fault);

/* The first of these and of scenes since the last call, without its shader, and
 * how many calls there were. */
struct gpu_fault
gpu_queue_take_faults(struct gpu_queue *queue, uint64_t *num_calls_out);

/* Whether the context was lost, and through whose fault. */
enum tg_reset_status
gpu_queue_get_status(struct gpu_queue *queue);

/* Forgets all faults, and that the context was lost. All scenes are done. */
void
gpu_queue_reset(struct gpu_queue *queue);

/* A fence of a device that is signalled when all scenes so far are done.
 * TG_ERROR_MEMORY. */
enum tg_result
gpu_queue_add_fence(struct gpu_queue *queue, struct tg_device *device,
                    struct tg_fence **fence_out);

#endif
