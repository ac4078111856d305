/* SPDX-License-Identifier: MIT
 *
 * A scene (tile-based deferred rendering): what is drawn to one framebuffer
 * until it is flushed, in one bin for each tile. Tiles do not depend on each
 * other; within a tile shapes are drawn in the order in which they came.
 */
#ifndef TG_GPU_SCENE_H
#define TG_GPU_SCENE_H

#include <pthread.h>

#include "gpu/fragment/fragment.h"
#include "gpu/queue/batch.h"
#include "gpu/queue/clear.h"
#include "resource/resource.h"
#include "util/arena.h"

#define GPU_NO_CHUNK UINT32_MAX

/* The batch of a chunk that is a clear. */
#define GPU_NO_BATCH UINT32_MAX

/* What is to be done in a tile: a run of a batch, or a clear. */
struct gpu_chunk {
   uint32_t batch; /* or GPU_NO_BATCH: a clear */
   uint32_t count; /* of shapes */
   uint32_t first; /* where they are in the batch's order; of a single one its
                    * number; of a clear its number */
   uint32_t next;  /* or GPU_NO_CHUNK */
};

struct gpu_bin {
   uint32_t first, last; /* chunks, or GPU_NO_CHUNK */
};

/* What a scene keeps alive until it is done. */
struct gpu_reference {
   void (*drop)(void *object);
   void *object;
   struct gpu_reference *next;
};

/* Bytes of a buffer that are written before anything of the scene is drawn. */
struct gpu_write {
   struct tg_resource *buffer; /* a reference */
   struct resource_hold to;
   uint32_t offset, num_bytes;
   const void *data; /* in the arena */
   struct gpu_write *next;
};

struct gpu_queue;

struct gpu_scene {
   const struct tg_allocator *allocator;
   uint64_t number;       /* scenes are counted from 1 */
   struct tg_arena arena; /* draws, and what they point at */
   struct gpu_reference *references;
   struct gpu_write *first_write, *last_write; /* in the order of the calls */
   struct tg_framebuffer_state framebuffer;    /* with references */
   uint32_t num_columns, num_rows;
   struct gpu_bin *bins; /* row by row */

   struct gpu_batch *batches;
   uint32_t num_batches, batch_capacity;
   struct gpu_clear *clears;
   uint32_t num_clears, clear_capacity;
   struct gpu_chunk *chunks;
   uint32_t num_chunks, chunk_capacity;
   uint32_t *tiles; /* those that are not empty, by and by */
   uint32_t num_tiles, tile_capacity;
   size_t size;            /* bytes of the batches, and of what is kept */
   bool is_sequential;     /* its fragments write memory: one tile at a time */
   struct gpu_fault fault; /* the one that is reported */
   uint32_t fault_tile;
   uint64_t num_faults; /* calls that have one here first */
   pthread_mutex_t fault_mutex;

   struct gpu_epoch *epoch; /* that counts what no draw does */

   /* Of the queue. */
   struct tg_pool_job job;
   struct gpu_queue *queue;
   struct gpu_worker *caller; /* of thread 0 of the job */
   bool is_helped;            /* the caller finds nothing more to begin */
   struct gpu_scene *next;
};

/* An empty scene that counts for the epoch at work. TG_ERROR_MEMORY. */
enum tg_result
gpu_scene_create(const struct tg_allocator *allocator,
                 const struct tg_framebuffer_state *framebuffer,
                 struct gpu_epoch *epoch, struct gpu_scene **scene_out);

/* Empties a scene and frees it. Takes NULL. */
void
gpu_scene_destroy(struct gpu_scene *scene);

/* Lets go of all that it holds and uses. */
void
gpu_scene_empty(struct gpu_scene *scene);

/* Takes over what `drop` gives back, so many bytes, which is called with the
 * object when the scene is done; at once where it returns false, out of memory.
 */
bool
gpu_scene_keep(struct gpu_scene *scene, void *object, size_t num_bytes,
               void (*drop)(void *object));

/* Copies bytes that are to be written to a buffer before anything of the scene
 * is drawn, after those that were added before. They are in the buffer. False,
 * and nothing changed, when out of memory. */
bool
gpu_scene_add_write(struct gpu_scene *scene, struct tg_resource *buffer,
                    uint32_t offset, uint32_t num_bytes, const void *data);

/* Does the writes of gpu_scene_add_write(), before the first tile is drawn. */
void
gpu_scene_begin(struct gpu_scene *scene);

/* Takes what a sealed batch holds, after all others, and adds a reference on
 * its call: see gpu_batch_take(). False, and nothing changed, when out of
 * memory. */
bool
gpu_scene_add(struct gpu_scene *scene, struct gpu_batch *batch);

/* A clear of a part of the framebuffer that is not empty, after all that was
 * added; it adds a reference on the call. False, and nothing changed, when out
 * of memory. */
bool
gpu_scene_add_clear(struct gpu_scene *scene, const struct gpu_clear *clear);

/* Does so much wait that it should be drawn now? */
bool
gpu_scene_is_full(const struct gpu_scene *scene);

/* Draws one of the scene's tiles, `scene->tiles[number]`. Of a call that has a
 * fault there the tile leaves out the rest, and goes on with the next. */
void
gpu_scene_draw_tile(struct gpu_scene *scene, struct gpu_worker *worker,
                    uint32_t number);

/* Draws nothing: each of its calls has a fault. */
void
gpu_scene_skip(struct gpu_scene *scene, enum tg_result result);

#endif
