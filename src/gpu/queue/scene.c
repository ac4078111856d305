/* SPDX-License-Identifier: MIT
 *
 * Bins: filling them batch by batch, and emptying them tile by tile.
 */
#include "gpu/queue/scene.h"

#include <assert.h>
#include <string.h>

#include "gpu/core/grow.h"
#include "gpu/fragment/count.h"
#include "gpu/raster/raster.h"
#include "gpu/raster/small.h"
#include "gpu/state/state.h"
#include "util/minmax.h"

/* Bytes of batches, and of what they keep, that a scene may hold. */
#define FULL_SCENE ((size_t)16 << 20)

enum tg_result
gpu_scene_create(const struct tg_allocator *allocator,
                 const struct tg_framebuffer_state *framebuffer,
                 struct gpu_epoch *epoch, struct gpu_scene **scene_out)
{
   void *memory = NULL, *bins = NULL;
   if (!gpu_grow(allocator, &memory, 0, sizeof(struct gpu_scene)))
      return TG_ERROR_MEMORY;
   struct gpu_scene *scene = memory;
   *scene = (struct gpu_scene){
      .allocator = allocator,
      .framebuffer = *framebuffer,
      .epoch = epoch,
      .num_columns = (framebuffer->width + GPU_TILE_SIZE - 1) / GPU_TILE_SIZE,
      .num_rows = (framebuffer->height + GPU_TILE_SIZE - 1) / GPU_TILE_SIZE,
   };
   tg_arena_init(&scene->arena, allocator);
   gpu_framebuffer_ref(framebuffer);
   pthread_mutex_init(&scene->fault_mutex, NULL);
   const uint32_t num_bins = scene->num_columns * scene->num_rows;
   if (!gpu_grow(allocator, &bins, 0, num_bins * sizeof(*scene->bins))) {
      gpu_scene_destroy(scene);
      return TG_ERROR_MEMORY;
   }
   scene->bins = bins;
   for (uint32_t i = 0; i < num_bins; i++)
      scene->bins[i] = (struct gpu_bin){GPU_NO_CHUNK, GPU_NO_CHUNK};
   *scene_out = scene;
   return TG_OK;
}

bool
gpu_scene_keep(struct gpu_scene *scene, void *object, size_t num_bytes,
               void (*drop)(void *object))
{
   struct gpu_reference *reference =
      tg_arena_alloc(&scene->arena, sizeof(*reference));
   if (!reference) {
      drop(object);
      return false;
   }
   *reference = (struct gpu_reference){drop, object, scene->references};
   scene->references = reference;
   scene->size += num_bytes;
   return true;
}

/* ---- writes -------------------------------------------------------------- */

bool
gpu_scene_add_write(struct gpu_scene *scene, struct tg_resource *buffer,
                    uint32_t offset, uint32_t num_bytes, const void *data)
{
   assert(resource_is_buffer(buffer));
   assert((uint64_t)offset + num_bytes <= buffer->desc.width);
   struct gpu_write *write = tg_arena_alloc(&scene->arena, sizeof(*write));
   void *copy = tg_arena_alloc(&scene->arena, num_bytes);
   if (!write || !copy)
      return false;
   memcpy(copy, data, num_bytes);
   *write = (struct gpu_write){
      .buffer = tg_resource_ref(buffer),
      .to = resource_hold(buffer),
      .offset = offset,
      .num_bytes = num_bytes,
      .data = copy,
   };
   if (scene->last_write)
      scene->last_write->next = write;
   else
      scene->first_write = write;
   scene->last_write = write;
   scene->size += num_bytes;
   return true;
}

void
gpu_scene_begin(struct gpu_scene *scene)
{
   for (const struct gpu_write *write = scene->first_write; write;
        write = write->next)
      memcpy((char *)write->to.memory.data + write->offset, write->data,
             write->num_bytes);
}

static void
drop_writes(struct gpu_scene *scene)
{
   for (struct gpu_write *write = scene->first_write; write;
        write = write->next) {
      resource_release(&write->to);
      tg_resource_destroy(write->buffer);
   }
   scene->first_write = scene->last_write = NULL;
}

/* ---- what it keeps ------------------------------------------------------- */

static void
drop_references(struct gpu_scene *scene)
{
   drop_writes(scene);
   for (const struct gpu_reference *reference = scene->references; reference;
        reference = reference->next)
      reference->drop(reference->object);
   scene->references = NULL;
   gpu_framebuffer_unref(&scene->framebuffer);
   scene->framebuffer = (struct tg_framebuffer_state){0};
}

static void
release(struct gpu_scene *scene, void *memory, uint32_t capacity, size_t size)
{
   gpu_grow(scene->allocator, &memory, capacity * size, 0);
}

void
gpu_scene_empty(struct gpu_scene *scene)
{
   drop_references(scene);
   for (uint32_t i = 0; i < scene->num_batches; i++) {
      gpu_call_destroy(scene->batches[i].call);
      gpu_batch_finish(&scene->batches[i]);
   }
   for (uint32_t i = 0; i < scene->num_clears; i++)
      gpu_call_destroy(scene->clears[i].call);
   if (scene->bins)
      release(scene, scene->bins, scene->num_columns * scene->num_rows,
              sizeof(*scene->bins));
   scene->bins = NULL;
   release(scene, scene->batches, scene->batch_capacity,
           sizeof(*scene->batches));
   release(scene, scene->clears, scene->clear_capacity, sizeof(*scene->clears));
   release(scene, scene->chunks, scene->chunk_capacity, sizeof(*scene->chunks));
   release(scene, scene->tiles, scene->tile_capacity, sizeof(*scene->tiles));
   scene->num_batches = scene->batch_capacity = 0;
   scene->num_clears = scene->clear_capacity = 0;
   scene->chunk_capacity = scene->tile_capacity = 0;
   scene->batches = NULL;
   scene->clears = NULL;
   scene->chunks = NULL;
   scene->tiles = NULL;
   tg_arena_finish(&scene->arena);
}

void
gpu_scene_destroy(struct gpu_scene *scene)
{
   if (!scene)
      return;
   gpu_scene_empty(scene);
   pthread_mutex_destroy(&scene->fault_mutex);
   release(scene, scene, 1, sizeof(*scene));
}

/* ---- filling ------------------------------------------------------------- */

/* Room for so many chunks more, each of which may be the first of its tile. */
static bool
reserve_chunks(struct gpu_scene *scene, uint32_t count)
{
   const struct tg_allocator *allocator = scene->allocator;
   void *chunks = scene->chunks, *tiles = scene->tiles;
   const bool has_chunks =
      gpu_reserve(allocator, &chunks, &scene->chunk_capacity, scene->num_chunks,
                  count, sizeof(*scene->chunks));
   const bool has_tiles =
      gpu_reserve(allocator, &tiles, &scene->tile_capacity, scene->num_tiles,
                  count, sizeof(*scene->tiles));
   scene->chunks = chunks;
   scene->tiles = tiles;
   return has_chunks && has_tiles;
}

static void
add_chunk(struct gpu_scene *scene, uint32_t tile, uint32_t batch,
          uint32_t first, uint32_t count)
{
   assert(tile < scene->num_columns * scene->num_rows);
   struct gpu_bin *bin = &scene->bins[tile];
   const uint32_t chunk = scene->num_chunks++;
   scene->chunks[chunk] = (struct gpu_chunk){
      .batch = batch, .count = count, .first = first, .next = GPU_NO_CHUNK};
   if (bin->first == GPU_NO_CHUNK) {
      bin->first = chunk;
      scene->tiles[scene->num_tiles++] = tile;
   } else {
      scene->chunks[bin->last].next = chunk;
   }
   bin->last = chunk;
}

/* A batch that touches no tile is not kept. */
bool
gpu_scene_add(struct gpu_scene *scene, struct gpu_batch *batch)
{
   void *batches = scene->batches;
   if (!batch->num_runs)
      return true;
   if (!gpu_reserve(scene->allocator, &batches, &scene->batch_capacity,
                    scene->num_batches, 1, sizeof(*scene->batches)))
      return false;
   scene->batches = batches;
   if (!reserve_chunks(scene, batch->num_runs))
      return false;
   struct gpu_batch *taken = &scene->batches[scene->num_batches];
   if (!gpu_batch_take(batch, &scene->arena, taken, &scene->size))
      return false;
   gpu_call_ref(taken->call);
   for (uint32_t i = 0; i < taken->num_runs; i++) {
      const struct gpu_run *run = &taken->runs[i];
      add_chunk(scene, run->tile, scene->num_batches,
                run->count == 1 ? taken->order[run->first] : run->first,
                run->count);
   }
   scene->num_batches++;
   return true;
}

bool
gpu_scene_add_clear(struct gpu_scene *scene, const struct gpu_clear *clear)
{
   const uint32_t first_column = clear->min_x / GPU_TILE_SIZE;
   const uint32_t end_column = (clear->max_x - 1) / GPU_TILE_SIZE + 1;
   const uint32_t first_row = clear->min_y / GPU_TILE_SIZE;
   const uint32_t end_row = (clear->max_y - 1) / GPU_TILE_SIZE + 1;
   void *clears = scene->clears;
   if (!gpu_reserve(scene->allocator, &clears, &scene->clear_capacity,
                    scene->num_clears, 1, sizeof(*scene->clears)))
      return false;
   scene->clears = clears;
   if (!reserve_chunks(scene,
                       (end_column - first_column) * (end_row - first_row)))
      return false;
   scene->clears[scene->num_clears] = *clear;
   gpu_call_ref(clear->call);
   for (uint32_t row = first_row; row < end_row; row++) {
      for (uint32_t column = first_column; column < end_column; column++)
         add_chunk(scene, row * scene->num_columns + column, GPU_NO_BATCH,
                   scene->num_clears, 0);
   }
   scene->num_clears++;
   return true;
}

bool
gpu_scene_is_full(const struct gpu_scene *scene)
{
   return scene->size >= FULL_SCENE;
}

/* ---- clears -------------------------------------------------------------- */

/* What is pending there of other clears is stored first. */
static void
touch_area(struct gpu_fast_clears *clears, const struct tg_scissor *area)
{
   const uint32_t x = tg_max_u32(area->min_x, clears->x);
   const uint32_t y = tg_max_u32(area->min_y, clears->y);
   gpu_fast_clear_touch(clears, (int32_t)x, (int32_t)y,
                        (int32_t)(area->max_x - x), (int32_t)(area->max_y - y));
}

/* Fills what a clear has of the tile at (x, y). */
static void
fill_tile(const struct gpu_clear *clear, uint32_t x, uint32_t y,
          struct gpu_worker *worker)
{
   struct gpu_fragment_worker *fragments = worker->fragments;
   struct gpu_fast_clears *clears = &fragments->clears;
   const struct tg_scissor area = {clear->min_x, clear->min_y, clear->max_x,
                                   clear->max_y};
   if (!gpu_pay(worker, gpu_clear_cost(clear, x, y)))
      return;
   if (!gpu_fast_clear_add(clears, &clear->surface, &clear->pattern, &area)) {
      touch_area(clears, &area);
      gpu_clear_tile(clear, x, y);
   }
   gpu_hiz_clear(&fragments->hiz, &clear->surface, &clear->pattern, &area);
}

static void
do_clear(const struct gpu_clear *clear, uint32_t x, uint32_t y,
         struct gpu_worker *worker)
{
   gpu_begin_span(worker, TG_PROFILE_CLEAR, 0);
   fill_tile(clear, x, y, worker);
   gpu_end_span(worker);
}

/* A square of the layer at hand. */
static void
fill_surface(struct gpu_fragment_worker *fragments,
             const struct tg_surface *surface,
             const struct resource_pattern *pattern, uint32_t x, uint32_t y,
             uint32_t size)
{
   struct gpu_clear clear = {
      .surface = *surface,
      .min_x = x,
      .min_y = y,
      .max_x = x + size,
      .max_y = y + size,
      .pattern = *pattern,
   };
   clear.surface.last_layer = clear.surface.first_layer;
   if (pattern->num_bytes)
      fill_tile(&clear, fragments->clears.x, fragments->clears.y,
                fragments->worker);
}

/* ---- emptying ------------------------------------------------------------ */

/* A shape on its way from the rasteriser to fragments. */
struct drawing {
   struct gpu_fragment_worker *fragments;
   struct gpu_hiz *hiz;
   const struct gpu_hiz_mode *mode;
   const struct gpu_shape *shape;
   uint16_t all_samples; /* of a pixel, a bit each */
   bool is_tested;       /* block by block; else it was, as a whole */
   uint64_t num_quads;   /* that the rasteriser gave, hidden ones too */
};

/* Are these samples covered in each pixel of a block? */
static bool
is_whole(uint16_t samples, const uint16_t coverage[GPU_BLOCK_PIXELS])
{
   const uint64_t whole = samples * UINT64_C(0x0001000100010001);
   uint64_t differ = 0;
   for (unsigned i = 0; i < GPU_BLOCK_PIXELS / 4; i++)
      differ |= gpu_quad_coverage(coverage, i) ^ whole;
   return !differ;
}

static bool
is_hidden(const struct drawing *drawing, int32_t x, int32_t y)
{
   return drawing->is_tested &&
          gpu_hiz_hides(drawing->hiz, drawing->mode, drawing->shape, x, y);
}

static void
note_drawn(const struct drawing *drawing, int32_t x, int32_t y,
           uint32_t num_quads, unsigned num_whole)
{
   if (drawing->is_tested)
      gpu_hiz_note(drawing->hiz, drawing->mode, drawing->shape->layer, x, y,
                   num_quads, num_whole);
}

/* What is cleared is there before something is drawn over it. */
static void
touch(const struct drawing *drawing, int32_t x, int32_t y, int32_t width,
      int32_t height)
{
   gpu_fast_clear_touch(&drawing->fragments->clears, x, y, width, height);
}

/* The same for all of a small shape. */
static void
touch_shape(const struct drawing *drawing, int32_t x, int32_t y)
{
   const struct gpu_shape *shape = drawing->shape;
   const int32_t min_x = tg_max_i32(shape->min_x, x);
   const int32_t min_y = tg_max_i32(shape->min_y, y);
   touch(drawing, min_x, min_y, shape->max_x + 1 - min_x,
         shape->max_y + 1 - min_y);
}

/* Are all samples of a block covered? */
static bool
is_block_whole(const struct drawing *drawing,
               const struct gpu_live_block *block, uint16_t coverage)
{
   if (block->each)
      return is_whole(drawing->all_samples, block->each);
   return block->live == 0xffff && coverage == drawing->all_samples;
}

/* Blocks that are not hidden. Returns how many. */
static uint32_t
find_visible(struct drawing *drawing, const struct gpu_live_block *blocks,
             uint32_t num_blocks, uint16_t coverage,
             struct gpu_live_block visible[GPU_MOST_BLOCKS])
{
   uint32_t count = 0;
   assert(num_blocks <= GPU_MOST_BLOCKS);
   for (uint32_t i = 0; i < num_blocks; i++) {
      const struct gpu_live_block *block = &blocks[i];
      assert(block->x % GPU_BLOCK_SIZE == 0 && block->y % GPU_BLOCK_SIZE == 0);
      if (is_hidden(drawing, block->x, block->y)) {
         drawing->num_quads += gpu_num_quads(block->live);
         continue;
      }
      visible[count++] = *block;
      touch(drawing, block->x, block->y, GPU_BLOCK_SIZE, GPU_BLOCK_SIZE);
      note_drawn(drawing, block->x, block->y, gpu_num_quads(block->live),
                 is_block_whole(drawing, block, coverage));
   }
   return count;
}

/* This, and draw_square(), are functions of struct gpu_raster_sink. */
static void
draw_blocks(void *user, const struct gpu_live_block *blocks,
            uint32_t num_blocks, uint16_t coverage)
{
   struct drawing *drawing = user;
   struct gpu_live_block visible[GPU_MOST_BLOCKS];
   if (drawing->is_tested) {
      num_blocks = find_visible(drawing, blocks, num_blocks, coverage, visible);
      blocks = visible;
   }
   drawing->num_quads +=
      gpu_fragment_blocks(drawing->fragments, blocks, num_blocks, coverage);
}

/* Pixels of a rectangle, whose parts are not hidden. */
static void
draw_rectangle(struct drawing *drawing, int32_t x, int32_t y, int32_t width,
               int32_t height, uint16_t coverage)
{
   const bool is_whole = coverage == drawing->all_samples;
   touch(drawing, x, y, width, height);
   gpu_fragment_rectangle(drawing->fragments, x, y, width, height, coverage);
   for (int32_t i = x; i < x + width; i += GPU_HIZ_SIZE) {
      const int32_t part = tg_min_i32(width, GPU_HIZ_SIZE);
      const uint32_t num_blocks =
         (uint32_t)(part * height / (GPU_BLOCK_SIZE * GPU_BLOCK_SIZE));
      note_drawn(drawing, i, y, num_blocks * 4, is_whole ? num_blocks : 0);
   }
}

/* A row of a square, as high as the parts that hierarchical depth knows: those
 * that are not hidden, as many at once as are next to each other. */
static void
draw_row(struct drawing *drawing, int32_t x, int32_t y, int32_t width,
         int32_t height, uint16_t coverage)
{
   int32_t first = x;
   for (int32_t i = x; i < x + width; i += GPU_HIZ_SIZE) {
      if (!is_hidden(drawing, i, y))
         continue;
      if (i > first)
         draw_rectangle(drawing, first, y, i - first, height, coverage);
      first = i + GPU_HIZ_SIZE;
   }
   if (first < x + width)
      draw_rectangle(drawing, first, y, x + width - first, height, coverage);
}

/* Pixels of the shape's bounds in the tile from which on it is worth while to
 * ask if it is solid. */
enum { WORTH_ASKING = 1024 };

static bool
is_worth_asking(const struct drawing *drawing)
{
   const struct gpu_shape *shape = drawing->shape;
   const int32_t x = (int32_t)drawing->hiz->x, y = (int32_t)drawing->hiz->y;
   const int32_t end_x = tg_min_i32(shape->max_x + 1, x + GPU_TILE_SIZE);
   const int32_t end_y = tg_min_i32(shape->max_y + 1, y + GPU_TILE_SIZE);
   return (end_x - tg_max_i32(shape->min_x, x)) *
             (end_y - tg_max_i32(shape->min_y, y)) >=
          WORTH_ASKING;
}

static void
fill_surfaces(struct gpu_fragment_worker *fragments,
              const struct gpu_solid *solid, uint32_t x, uint32_t y,
              uint32_t size)
{
   const struct tg_framebuffer_state *framebuffer = fragments->framebuffer;
   for (uint32_t i = 0; i < framebuffer->num_colors; i++)
      fill_surface(fragments, &framebuffer->colors[i], &solid->color[i], x, y,
                   size);
   fill_surface(fragments, &framebuffer->depth_stencil, &solid->depth, x, y,
                size);
}

static bool
passes(const struct drawing *drawing, const struct gpu_hiz_bounds *depths,
       int32_t x, int32_t y, int32_t size)
{
   return gpu_hiz_passes(drawing->hiz, drawing->mode, drawing->shape, depths, x,
                         y, size);
}

/* What is drawn next is over all that waits of the shapes before. */
static void
flush_earlier(struct gpu_fragment_worker *fragments)
{
   if (fragments->has_earlier)
      gpu_fragment_flush(fragments);
}

/* False: the shape is not solid. */
static bool
fill_square(const struct drawing *drawing, int32_t x, int32_t y, int32_t size)
{
   struct gpu_fragment_worker *fragments = drawing->fragments;
   const struct gpu_solid *solid =
      is_worth_asking(drawing) ? gpu_solid_find(fragments) : NULL;
   if (!solid ||
       !passes(drawing, solid->depth.num_bytes ? &solid->depths : NULL, x, y,
               size))
      return false;
   flush_earlier(fragments);
   fill_surfaces(fragments, solid, (uint32_t)x, (uint32_t)y, (uint32_t)size);
   return true;
}

/* False: the square is no copy of a texture's texels. */
static bool
copy_square(const struct drawing *drawing, int32_t x, int32_t y, int32_t size)
{
   struct gpu_fragment_worker *fragments = drawing->fragments;
   struct gpu_copied copied;
   if (drawing->shape->kind != GPU_SHAPE_POLYGON || drawing->mode->writes ||
       !gpu_copy_find(fragments, x, y, size, &copied) ||
       !passes(drawing, NULL, x, y, size))
      return false;
   flush_earlier(fragments);
   touch(drawing, x, y, size, size);
   if (gpu_pay(fragments->worker, gpu_copy_cost(fragments, size)))
      gpu_copy_store(fragments, &copied, x, y, size);
   return true;
}

/* Draws a square without waves. False: it takes some, or is hidden. */
static bool
draw_at_once(const struct drawing *drawing, int32_t x, int32_t y, int32_t size)
{
   if (size < GPU_GRANULE_SIZE ||
       gpu_hiz_would_hide(drawing->hiz, drawing->mode, drawing->shape, x, y) ||
       (!fill_square(drawing, x, y, size) && !copy_square(drawing, x, y, size)))
      return false;
   if (drawing->fragments->worker->fault.result == TG_OK)
      gpu_fragment_count_filled(drawing->fragments, (uint32_t)(size * size));
   return true;
}

static void
draw_square(void *user, int32_t x, int32_t y, int32_t size, uint16_t coverage)
{
   struct drawing *drawing = user;
   const int32_t height = tg_min_i32(size, GPU_HIZ_SIZE);
   drawing->num_quads += (uint32_t)(size / 2 * (size / 2));
   if (draw_at_once(drawing, x, y, size))
      return;
   for (int32_t j = y; j < y + size; j += height)
      draw_row(drawing, x, j, size, height, coverage);
}

/* A small triangle, which was tested as a whole. */
static void
draw_quads(struct drawing *drawing, const struct gpu_raster *raster)
{
   const struct gpu_shape *shape = drawing->shape;
   uint16_t coverage;
   const struct gpu_live_block block = {
      gpu_first_of_quads(shape->min_x), gpu_first_of_quads(shape->min_y),
      gpu_raster_quads(raster, shape, &coverage), NULL};
   if (!block.live)
      return;
   drawing->num_quads =
      gpu_fragment_quads(drawing->fragments, &block, coverage);
}

/* What is left of a shape where it may be seen. */
static void
raster_shape(struct drawing *drawing, const struct gpu_fragment_draw *draw,
             const uint32_t *constants, int32_t x, int32_t y)
{
   const struct gpu_raster_sink sink = {draw_blocks, draw_square, drawing};
   if (!drawing->is_tested)
      touch_shape(drawing, x, y);
   gpu_fragment_begin(drawing->fragments, draw, drawing->shape, constants);
   if (drawing->shape->quads)
      draw_quads(drawing, &draw->raster);
   else
      gpu_raster_tile(&draw->raster, drawing->shape, x, y, &sink);
}

static void
draw_shape(const struct gpu_batch *batch, const struct gpu_shape *shape,
           int32_t x, int32_t y, struct gpu_worker *worker)
{
   const struct gpu_fragment_draw *draw = batch->draw;
   const uint32_t *constants = batch->constants + shape->constants;
   struct gpu_hiz *hiz = &worker->fragments->hiz;
   struct drawing drawing = {
      .fragments = worker->fragments,
      .hiz = hiz,
      .mode = &draw->hiz,
      .shape = shape,
      .all_samples = (uint16_t)((UINT32_C(1) << draw->raster.num_samples) - 1),
      .is_tested = !shape->quads && !gpu_hiz_is_small(hiz, shape),
   };
   gpu_hiz_begin_shape(hiz, constants);
   if (drawing.is_tested || !gpu_hiz_hides_shape(hiz, &draw->hiz, shape))
      raster_shape(&drawing, draw, constants, x, y);
   worker->count[GPU_COUNT_HIDDEN_BLOCKS] += gpu_hiz_num_hidden(hiz);
   gpu_pay(worker, GPU_WORK_SHAPE + GPU_WORK_QUAD * drawing.num_quads);
}

/* ---- faults -------------------------------------------------------------- */

/* What a chunk does is counted in this. */
static struct gpu_epoch *
epoch_of(const struct gpu_scene *scene, const struct gpu_chunk *chunk)
{
   return chunk->batch == GPU_NO_BATCH
             ? scene->epoch
             : scene->batches[chunk->batch].draw->epoch;
}

static struct gpu_call *
call_of(const struct gpu_scene *scene, const struct gpu_chunk *chunk)
{
   return chunk->batch == GPU_NO_BATCH ? scene->clears[chunk->first].call
                                       : scene->batches[chunk->batch].call;
}

/* Does one come before another? One in a shader says most; then the first call
 * counts, and of it the tile with the lowest number. */
static bool
comes_first(const struct gpu_fault *fault, uint32_t tile,
            const struct gpu_fault *other, uint32_t other_tile)
{
   if (!fault->shader != !other->shader)
      return fault->shader;
   if (fault->call.number != other->call.number)
      return fault->call.number < other->call.number;
   return tile < other_tile;
}

/* Any thread. */
static void
note_fault(struct gpu_scene *scene, struct gpu_call *call,
           const struct gpu_fault *fault, uint32_t tile)
{
   if (!fault->shader && atomic_load(&call->has_fault))
      return; /* one of many tiles that leave it out */
   pthread_mutex_lock(&scene->fault_mutex);
   if (!atomic_exchange(&call->has_fault, true))
      scene->num_faults++;
   if (scene->fault.result == TG_OK ||
       comes_first(fault, tile, &scene->fault, scene->fault_tile)) {
      scene->fault = *fault;
      scene->fault_tile = tile;
   }
   pthread_mutex_unlock(&scene->fault_mutex);
}

void
gpu_scene_skip(struct gpu_scene *scene, enum tg_result result)
{
   for (uint32_t i = 0; i < scene->num_chunks; i++) {
      struct gpu_call *call = call_of(scene, &scene->chunks[i]);
      const struct gpu_fault fault = {.result = result, .call = call->name};
      note_fault(scene, call, &fault, 0);
   }
}

/* What of the clears is pending yet. */
static void
end_clears(struct gpu_fast_clears *clears, struct gpu_worker *worker)
{
   if (!clears->pending)
      return;
   gpu_begin_span(worker, TG_PROFILE_CLEAR, 0);
   gpu_fast_clear_end(clears);
   gpu_end_span(worker);
}

/* ---- shapes of a tile ---------------------------------------------------- */

/* The chunk after one, if it belongs to the same call; or NULL. */
static const struct gpu_chunk *
next_of_call(const struct gpu_scene *scene, const struct gpu_chunk *chunk)
{
   if (chunk->next == GPU_NO_CHUNK)
      return NULL;
   const struct gpu_chunk *next = &scene->chunks[chunk->next];
   return next->batch != GPU_NO_BATCH &&
                call_of(scene, next) == call_of(scene, chunk)
             ? next
             : NULL;
}

/* A shape of a batch, as its number. */
struct place {
   const struct gpu_batch *batch; /* NULL: there are no more */
   uint32_t shape;
};

/* Goes over the shapes that a call has in a tile, chunk by chunk. */
struct cursor {
   const struct gpu_scene *scene;
   const struct gpu_chunk *chunk; /* or NULL */
   const struct gpu_batch *batch;
   uint32_t next; /* shape of the chunk */
};

static void
use_chunk(struct cursor *cursor, const struct gpu_chunk *chunk)
{
   const struct gpu_scene *scene = cursor->scene;
   cursor->chunk = chunk;
   cursor->next = 0;
   if (!chunk)
      return;
   cursor->batch = &scene->batches[chunk->batch];
   if (chunk->next != GPU_NO_CHUNK)
      __builtin_prefetch(&scene->chunks[chunk->next]);
}

static struct place
take_shape(struct cursor *cursor)
{
   const struct gpu_chunk *chunk = cursor->chunk;
   const struct gpu_batch *batch = cursor->batch;
   if (!chunk)
      return (struct place){NULL, 0};
   const uint32_t i = cursor->next++;
   if (cursor->next == chunk->count)
      use_chunk(cursor, next_of_call(cursor->scene, chunk));
   const bool is_alone = chunk->count == 1;
   return (struct place){batch, is_alone ? chunk->first
                                         : batch->order[chunk->first + i]};
}

/* Software prefetching, in shapes before their turn: of the shape, and then of
 * its constants, whose place it has. What another processor has set up is in
 * its cache. */
enum { SHAPES_AHEAD = 4, CONSTANTS_AHEAD = 2, CACHE_LINE = 64 };

static inline void
prefetch(const void *memory, size_t num_bytes)
{
   const char *bytes = memory;
   for (size_t i = 0; i < num_bytes; i += CACHE_LINE)
      __builtin_prefetch(bytes + i);
   __builtin_prefetch(bytes + num_bytes - 1);
}

static void
prefetch_shape(const struct place *place)
{
   if (place->batch)
      prefetch(&place->batch->shapes[place->shape],
               sizeof(*place->batch->shapes));
}

static void
prefetch_constants(const struct place *place)
{
   const struct gpu_batch *batch = place->batch;
   if (batch)
      prefetch(batch->constants + batch->shapes[place->shape].constants,
               batch->draw->words_per_shape * sizeof(*batch->constants));
}

/* Draws what a call has in a tile from a chunk on, or what it has time for. */
static void
do_shapes(const struct gpu_scene *scene, const struct gpu_chunk *chunk,
          int32_t x, int32_t y, struct gpu_worker *worker)
{
   struct cursor cursor = {.scene = scene};
   struct place ahead[SHAPES_AHEAD];
   use_chunk(&cursor, chunk);
   gpu_begin_span(worker, TG_PROFILE_FRAGMENT,
                  cursor.batch->draw->shader->profile_shader);
   for (uint32_t i = 0; i < SHAPES_AHEAD; i++) {
      ahead[i] = take_shape(&cursor);
      prefetch_shape(&ahead[i]);
   }
   for (uint32_t i = 0; worker->fault.result == TG_OK; i++) {
      struct place *place = &ahead[i % SHAPES_AHEAD];
      const struct place now = *place;
      if (!now.batch)
         break;
      *place = take_shape(&cursor);
      prefetch_shape(place);
      prefetch_constants(&ahead[(i + CONSTANTS_AHEAD) % SHAPES_AHEAD]);
      draw_shape(now.batch, &now.batch->shapes[now.shape], x, y, worker);
   }
   gpu_fragment_flush(worker->fragments);
   gpu_end_span(worker);
}

/* Draws all that a call has in a tile from a chunk on, up to what another one
 * has. */
static void
do_call(const struct gpu_scene *scene, const struct gpu_chunk *chunk,
        uint32_t x, uint32_t y, struct gpu_worker *worker)
{
   if (chunk->batch == GPU_NO_BATCH)
      do_clear(&scene->clears[chunk->first], x, y, worker);
   else
      do_shapes(scene, chunk, (int32_t)x, (int32_t)y, worker);
}

/* The chunk with which something else than that call begins. */
static uint32_t
skip_call(const struct gpu_scene *scene, const struct gpu_chunk *chunk)
{
   const struct gpu_chunk *last = chunk;
   while (last->batch != GPU_NO_BATCH && (chunk = next_of_call(scene, last)))
      last = chunk;
   return last->next;
}

/* ---- tiles --------------------------------------------------------------- */

static void
do_chunks(struct gpu_scene *scene, struct gpu_worker *worker, uint32_t number)
{
   assert(number < scene->num_tiles);
   const uint32_t tile = scene->tiles[number];
   const uint32_t x = tile % scene->num_columns * GPU_TILE_SIZE;
   const uint32_t y = tile / scene->num_columns * GPU_TILE_SIZE;
   const struct gpu_call *ended = NULL;
   const struct gpu_chunk *chunk;
   struct gpu_epoch *epoch = scene->epoch;
   for (uint32_t i = scene->bins[tile].first; i != GPU_NO_CHUNK;
        i = skip_call(scene, chunk)) {
      chunk = &scene->chunks[i];
      struct gpu_call *call = call_of(scene, chunk);
      if (call == ended)
         continue;
      if (epoch != epoch_of(scene, chunk)) {
         gpu_worker_count(worker, epoch);
         epoch = epoch_of(scene, chunk);
      }
      gpu_call_begin(call, worker);
      if (worker->fault.result == TG_OK)
         do_call(scene, chunk, x, y, worker);
      gpu_call_end(call, worker);
      if (worker->fault.result == TG_OK)
         continue;
      note_fault(scene, call, &worker->fault, number);
      ended = call;
      gpu_hiz_forget(&worker->fragments->hiz); /* not all is drawn */
   }
   gpu_worker_count(worker, epoch);
}

void
gpu_scene_draw_tile(struct gpu_scene *scene, struct gpu_worker *worker,
                    uint32_t number)
{
   assert(number < scene->num_tiles);
   const uint32_t tile = scene->tiles[number];
   struct gpu_fragment_worker *fragments = gpu_fragment_worker(worker);
   if (!fragments) {
      gpu_scene_skip(scene, TG_ERROR_MEMORY);
      return;
   }
   if (worker->fault.result == TG_OK) {
      worker->count[GPU_COUNT_TILES]++;
      gpu_pay(worker, GPU_WORK_TILE);
   }
   gpu_fragment_begin_tile(fragments, &scene->framebuffer,
                           tile % scene->num_columns * GPU_TILE_SIZE,
                           tile / scene->num_columns * GPU_TILE_SIZE);
   do_chunks(scene, worker, number);
   end_clears(&fragments->clears, worker);
}
