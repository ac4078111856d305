/* SPDX-License-Identifier: MIT
 *
 * Drawing on a canvas.
 */
#include "canvas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "util/bits.h"

struct canvas *
canvas_create(uint32_t num_samples)
{
   struct canvas *canvas = calloc(1, sizeof(*canvas));
   assert_non_null(canvas);
   gpu_state_init(&canvas->state);
   canvas->rasterizer = gpu_default_rasterizer;
   canvas->state.rasterizer = &canvas->rasterizer;
   canvas->rasterizer.state.flatshade_first = true;
   canvas->state.framebuffer.width = CANVAS_SIZE;
   canvas->state.framebuffer.height = CANVAS_SIZE;
   canvas->state.framebuffer.samples = num_samples;
   canvas->state.viewports[0] =
      tg_viewport_of(CANVAS_SIZE, CANVAS_SIZE, false, false);
   canvas->interface = (struct gpu_interface){
      .num_attributes = CANVAS_NUM_ATTRIBUTES,
      .output = {CANVAS_ATTRIBUTE, CANVAS_ATTRIBUTE + 1},
      .back_output = {GPU_NO_REGISTER, GPU_NO_REGISTER},
      .interpolation = {GPU_INTERPOLATE_PERSPECTIVE, GPU_INTERPOLATE_CONSTANT},
   };
   memset(&canvas->layout, 0, sizeof(canvas->layout));
   canvas->layout = (struct gpu_record_layout){
      .position = 0,
      .point_size = GPU_NO_REGISTER,
      .edge_flag = GPU_NO_REGISTER,
      .layer = GPU_NO_REGISTER,
      .viewport = GPU_NO_REGISTER,
      .primitive_id = GPU_NO_REGISTER,
      .clip_vertex = GPU_NO_REGISTER,
      .clip_distance = {GPU_NO_REGISTER, GPU_NO_REGISTER},
   };
   canvas->shapes_left = CANVAS_MAX_SHAPES;
   return canvas;
}

void
canvas_destroy(struct canvas *canvas)
{
   free(canvas);
}

struct record
canvas_vertex(double x, double y)
{
   return (struct record){
      .position = {(float)(x * 2 / CANVAS_SIZE - 1),
                   (float)(y * 2 / CANVAS_SIZE - 1), 0, 1},
   };
}

/* ---- drawing ------------------------------------------------------------- */

static uint32_t *
reserve(void *user, uint32_t num_words, uint32_t *first_out)
{
   struct canvas *canvas = user;
   const uint32_t room = sizeof(canvas->words) / sizeof(*canvas->words);
   *first_out = canvas->num_words;
   if (!canvas->shapes_left || room - canvas->num_words < num_words)
      return NULL;
   canvas->num_words += num_words;
   return canvas->words + *first_out;
}

static struct gpu_shape *
room(void *user, uint32_t count)
{
   struct canvas *canvas = user;
   return canvas->shapes_left >= count ? &canvas->shapes[canvas->num_shapes]
                                       : NULL;
}

static bool
add(void *user, const struct gpu_shape *shapes, uint32_t count)
{
   struct canvas *canvas = user;
   if (canvas->shapes_left < count)
      return false;
   canvas->shapes_left -= count;
   memmove(&canvas->shapes[canvas->num_shapes], shapes,
           count * sizeof(*shapes));
   canvas->num_shapes += count;
   return true;
}

void
canvas_blocks_of_square(void (*block)(void *user, int32_t x, int32_t y,
                                      const uint16_t coverage[]),
                        void *user, int32_t x, int32_t y, int32_t size,
                        uint16_t coverage)
{
   uint16_t each[GPU_BLOCK_PIXELS];
   for (int i = 0; i < GPU_BLOCK_PIXELS; i++)
      each[i] = coverage;
   for (int32_t j = y; j < y + size; j += GPU_BLOCK_SIZE) {
      for (int32_t i = x; i < x + size; i += GPU_BLOCK_SIZE)
         block(user, i, j, each);
   }
}

/* One pixel at a time: quads may be in blocks of their own. */
static void
give_pixels(void (*block)(void *user, int32_t x, int32_t y,
                          const uint16_t coverage[]),
            void *user, const struct gpu_live_block *from, uint16_t coverage)
{
   const int32_t x = from->x, y = from->y;
   assert_true(x % 2 == 0 && y % 2 == 0);
   assert_true(from->live != 0 && from->live >> GPU_BLOCK_PIXELS == 0);
   for (int i = 0; i < GPU_BLOCK_PIXELS; i++) {
      const int32_t pixel_x = x + canvas_block_x(i);
      const int32_t pixel_y = y + canvas_block_y(i);
      uint16_t each[GPU_BLOCK_PIXELS] = {0};
      for (int k = 0; k < GPU_BLOCK_PIXELS; k++) {
         if (canvas_block_x(k) == pixel_x % GPU_BLOCK_SIZE &&
             canvas_block_y(k) == pixel_y % GPU_BLOCK_SIZE)
            each[k] = from->each ? from->each[i] : coverage;
      }
      assert_true(!from->each || !from->each[i] == !(from->live >> i & 1));
      if (!(from->live >> i & 1))
         continue;
      assert_int_equal(pixel_x / GPU_TILE_SIZE, x / GPU_TILE_SIZE);
      assert_int_equal(pixel_y / GPU_TILE_SIZE, y / GPU_TILE_SIZE);
      block(user, pixel_x & -GPU_BLOCK_SIZE, pixel_y & -GPU_BLOCK_SIZE, each);
   }
}

void
canvas_live_blocks(void (*block)(void *user, int32_t x, int32_t y,
                                 const uint16_t coverage[]),
                   void *user, const struct gpu_live_block *blocks,
                   uint32_t num_blocks, uint16_t coverage)
{
   assert_in_range(num_blocks, 1, GPU_MOST_BLOCKS);
   for (uint32_t i = 0; i < num_blocks; i++)
      give_pixels(block, user, &blocks[i], coverage);
}

static void
note_block(void *user, int32_t x, int32_t y,
           const uint16_t coverage[GPU_BLOCK_PIXELS])
{
   struct canvas *canvas = user;
   bool is_covered = false;
   assert_true(x % GPU_BLOCK_SIZE == 0 && y % GPU_BLOCK_SIZE == 0);
   for (int i = 0; i < GPU_BLOCK_PIXELS; i++) {
      const int pixel_x = x + canvas_block_x(i),
                pixel_y = y + canvas_block_y(i);
      is_covered |= coverage[i] != 0;
      for (int sample = 0; coverage[i] >> sample; sample++) {
         if (!(coverage[i] >> sample & 1))
            continue;
         assert_in_range(pixel_x, 0, CANVAS_SIZE - 1);
         assert_in_range(pixel_y, 0, CANVAS_SIZE - 1);
         canvas->count[pixel_y][pixel_x][sample]++;
      }
   }
   assert_true(is_covered);
}

static void
note_blocks(void *user, const struct gpu_live_block *blocks,
            uint32_t num_blocks, uint16_t coverage)
{
   canvas_live_blocks(note_block, user, blocks, num_blocks, coverage);
}

static void
note_square(void *user, int32_t x, int32_t y, int32_t size, uint16_t coverage)
{
   assert_true(size == GPU_BLOCK_SIZE || size == 16 || size == GPU_TILE_SIZE);
   assert_true(x % size == 0 && y % size == 0);
   canvas_blocks_of_square(note_block, user, x, y, size, coverage);
}

static void
fail_square(void *user, int32_t x, int32_t y, int32_t size, uint16_t coverage)
{
   (void)user, (void)x, (void)y, (void)size, (void)coverage;
   fail_msg("a tile that is not touched is covered");
}

static void
fail_blocks(void *user, const struct gpu_live_block *blocks,
            uint32_t num_blocks, uint16_t coverage)
{
   (void)user, (void)blocks, (void)num_blocks, (void)coverage;
   fail_msg("a tile that is not touched is covered");
}

void
canvas_raster(struct canvas *canvas, const struct gpu_shape *shape)
{
   const struct gpu_raster_sink notes = {note_blocks, note_square, canvas};
   const struct gpu_raster_sink fails = {fail_blocks, fail_square, NULL};
   for (int32_t y = 0; y < CANVAS_SIZE; y += GPU_TILE_SIZE) {
      for (int32_t x = 0; x < CANVAS_SIZE; x += GPU_TILE_SIZE)
         gpu_raster_tile(&canvas->raster, shape, x, y,
                         gpu_raster_touches(shape, x, y) ? &notes : &fails);
   }
}

static void
get_ready(struct canvas *canvas)
{
   const struct gpu_shape_sink sink = {reserve, room, add, canvas};
   const struct gpu_state *state = &canvas->state;
   if (canvas->is_ready)
      return;
   canvas->is_ready = true;
   canvas->setup_state = (struct gpu_setup_state){
      .rasterizer = &state->rasterizer->state,
      .viewports = state->viewports,
      .scissors = state->scissors,
      .clip_planes = state->clip_planes,
      .width = state->framebuffer.width,
      .height = state->framebuffer.height,
      .num_layers = state->framebuffer.layers,
      .num_samples = state->framebuffer.samples,
      .depth_kind = canvas->depth_kind,
      .layout = canvas->layout,
      .interface = &canvas->interface,
   };
   gpu_setup_init(&canvas->setup, &canvas->setup_state, &sink);
   gpu_raster_init(&canvas->raster, state);
}

/* ---- from a list of records ---------------------------------------------- */

enum { MAX_AGAIN = 64 };

/* What a primitive becomes when it is set up once more. */
struct again {
   bool is_full;
   uint32_t num_shapes, num_words;
   struct gpu_shape shapes[MAX_AGAIN];
   uint32_t words[MAX_AGAIN * 64];
};

static uint32_t *
reserve_again(void *user, uint32_t num_words, uint32_t *first_out)
{
   struct again *again = user;
   const uint32_t room = sizeof(again->words) / sizeof(*again->words);
   *first_out = again->num_words;
   again->is_full |= room - again->num_words < num_words;
   if (again->is_full)
      return NULL;
   again->num_words += num_words;
   return again->words + *first_out;
}

static struct gpu_shape *
room_again(void *user, uint32_t count)
{
   struct again *again = user;
   again->is_full |= MAX_AGAIN - again->num_shapes < count;
   return again->is_full ? NULL : &again->shapes[again->num_shapes];
}

static bool
add_again(void *user, const struct gpu_shape *shapes, uint32_t count)
{
   struct again *again = user;
   if (!room_again(again, count))
      return false;
   memmove(&again->shapes[again->num_shapes], shapes, count * sizeof(*shapes));
   again->num_shapes += count;
   return true;
}

static void
expect_shape(const struct gpu_shape *a, const struct gpu_shape *b)
{
   assert_int_equal(a->quads, b->quads);
   if (!a->quads) {
      assert_int_equal(a->num_edges, b->num_edges);
      assert_memory_equal(a->edge, b->edge, a->num_edges * sizeof(*a->edge));
   }
   assert_int_equal(a->is_cut, b->is_cut);
   assert_int_equal(a->kind, b->kind);
   assert_int_equal(a->is_round, b->is_round);
   assert_int_equal(a->is_by_pixel, b->is_by_pixel);
   assert_memory_equal(&a->min_x, &b->min_x, 4 * sizeof(a->min_x));
   assert_int_equal(a->layer, b->layer);
}

static void
expect_again(const struct again *again, const struct gpu_shape *shapes,
             uint32_t num_shapes, const uint32_t *words, uint32_t num_words)
{
   assert_int_equal(again->num_shapes, num_shapes);
   assert_int_equal(again->num_words, num_words);
   assert_memory_equal(again->words, words, num_words * sizeof(uint32_t));
   for (uint32_t i = 0; i < num_shapes; i++)
      expect_shape(&again->shapes[i], &shapes[i]);
}

/* Several triangles at once are the same as one by one: it and others that have
 * its corners, turned, mirrored, or two of them alone. */
static void
set_up_several(struct gpu_setup setup,
               const struct gpu_setup_primitive *primitive)
{
   static struct again one_by_one, at_once;
   struct gpu_setup_primitive list[GPU_SETUP_AT_ONCE];
   struct gpu_setup together = setup;
   const uint32_t count = gpu_setup_at_once(&setup);
   for (uint32_t i = 0; i < count; i++) {
      list[i] = *primitive;
      list[i].id = primitive->id + i;
      for (uint32_t k = 0; k < 3; k++) {
         const uint32_t corner = i == 3 ? k % 2 : (i + (i & 4 ? 3 - k : k)) % 3;
         list[i].number[k] = primitive->number[corner];
         list[i].vertex[k] = primitive->vertex[corner];
      }
   }
   one_by_one.is_full = at_once.is_full = false;
   one_by_one.num_shapes = one_by_one.num_words = 0;
   at_once.num_shapes = at_once.num_words = 0;
   setup.sink.user = &one_by_one;
   together.sink.user = &at_once;
   for (uint32_t i = 0; i < count; i++)
      gpu_setup_primitive(&setup, &list[i]);
   gpu_setup_primitives(&together, list, count);
   if (one_by_one.is_full)
      return;
   expect_again(&at_once, one_by_one.shapes, one_by_one.num_shapes,
                one_by_one.words, one_by_one.num_words);
   for (uint32_t i = 0; i < at_once.num_shapes; i++)
      assert_int_equal(at_once.shapes[i].constants,
                       one_by_one.shapes[i].constants);
   assert_int_equal(together.num_visible, setup.num_visible);
   assert_int_equal(together.num_polygons, setup.num_polygons);
}

/* A primitive that has the vertices of a list is the same, to the bit, where
 * they are known from another one, which another vertex provokes, and where
 * they are known from itself. */
static void
set_up_again(const struct canvas *canvas, struct gpu_setup setup,
             const struct gpu_setup_primitive *primitive, uint32_t first_shape,
             uint32_t first_word)
{
   static struct again again;
   struct record list[3];
   uint8_t bits[3];
   struct gpu_window_vertex window[3];
   struct gpu_setup_primitive numbered = *primitive;
   const unsigned count = primitive->num_vertices;
   const struct gpu_setup_records records = {
      .words = (const uint32_t *)list,
      .words_per_record = sizeof(*list) / sizeof(uint32_t),
      .count = count,
      .bits = bits,
      .window = window,
   };
   const uint32_t num_shapes = canvas->num_shapes - first_shape;
   const uint32_t num_words = canvas->num_words - first_word;
   const double stipple_pixels = setup.stipple_pixels;
   for (uint32_t i = 0; i < count; i++) {
      memcpy(&list[i], primitive->vertex[i], sizeof(list[i]));
      numbered.number[i] = i;
   }
   setup.sink =
      (struct gpu_shape_sink){reserve_again, room_again, add_again, &again};
   gpu_setup_use_records(&setup, &records, count);
   for (unsigned turn = 0; turn < 3; turn++) {
      const unsigned provoking = primitive->provoking + (turn == 0);
      numbered.provoking = (uint8_t)(provoking % count);
      setup.stipple_pixels = stipple_pixels;
      again.is_full = false;
      again.num_shapes = again.num_words = 0;
      if (!gpu_setup_is_beside(&setup, numbered.number, count))
         gpu_setup_primitive(&setup, &numbered);
      if (again.is_full)
         return;
      if (turn == 0)
         continue;
      expect_again(&again, canvas->shapes + first_shape, num_shapes,
                   canvas->words + first_word, num_words);
   }
   if (count == 3 && !gpu_setup_is_beside(&setup, numbered.number, 3))
      set_up_several(setup, &numbered);
}

static bool
set_up(struct canvas *canvas, const struct gpu_setup_primitive *primitive)
{
   const uint32_t first_shape = canvas->num_shapes;
   const uint32_t first_word = canvas->num_words;
   get_ready(canvas);
   const struct gpu_setup before = canvas->setup;
   const bool is_there = gpu_setup_primitive(&canvas->setup, primitive);
   if (is_there)
      set_up_again(canvas, before, primitive, first_shape, first_word);
   return is_there;
}

/* ---- primitives ---------------------------------------------------------- */

bool
canvas_draw_primitive(struct canvas *canvas,
                      const struct gpu_setup_primitive *primitive)
{
   const uint32_t first = canvas->num_shapes;
   const bool is_there = set_up(canvas, primitive);
   for (uint32_t i = first; i < canvas->num_shapes; i++)
      canvas_raster(canvas, &canvas->shapes[i]);
   return is_there;
}

struct gpu_setup_primitive
canvas_primitive(const struct record *vertices, unsigned count)
{
   struct gpu_setup_primitive primitive = {
      .num_vertices = (uint8_t)count,
      .edges = 7,
      .restarts_stipple = true,
   };
   for (unsigned i = 0; i < count; i++)
      primitive.vertex[i] = (const uint32_t *)&vertices[i];
   return primitive;
}

void
canvas_set_up(struct canvas *canvas, const struct record *vertices,
              unsigned count)
{
   const struct gpu_setup_primitive primitive =
      canvas_primitive(vertices, count);
   assert_true(set_up(canvas, &primitive));
}

void
canvas_draw(struct canvas *canvas, const struct record *vertices,
            unsigned count)
{
   const struct gpu_setup_primitive primitive =
      canvas_primitive(vertices, count);
   assert_true(canvas_draw_primitive(canvas, &primitive));
}

void
canvas_clear(struct canvas *canvas)
{
   memset(canvas->count, 0, sizeof(canvas->count));
   canvas->num_shapes = canvas->num_words = 0;
   canvas->shapes_left = CANVAS_MAX_SHAPES;
   canvas->is_ready = false;
}

/* ---- looking ------------------------------------------------------------- */

unsigned
canvas_at(const struct canvas *canvas, int x, int y)
{
   return canvas->count[y][x][0];
}

unsigned
canvas_num_covered(const struct canvas *canvas)
{
   unsigned count = 0;
   for (int y = 0; y < CANVAS_SIZE; y++) {
      for (int x = 0; x < CANVAS_SIZE; x++)
         count += canvas->count[y][x][0] != 0;
   }
   return count;
}

float
canvas_float(const struct canvas *canvas, uint32_t shape, unsigned word)
{
   return tg_float_of_bits(
      canvas->words[canvas->shapes[shape].constants + word]);
}

double
canvas_plane(const struct canvas *canvas, uint32_t shape, unsigned word,
             double x, double y)
{
   const double dx = x - canvas_float(canvas, shape, GPU_SHAPE_X);
   const double dy = y - canvas_float(canvas, shape, GPU_SHAPE_Y);
   return canvas_float(canvas, shape, word) +
          dx * canvas_float(canvas, shape, word + GPU_PLANE_DX) +
          dy * canvas_float(canvas, shape, word + GPU_PLANE_DY);
}

unsigned
canvas_attribute(unsigned attribute, unsigned channel)
{
   return gpu_shape_attribute(attribute, channel);
}

uint32_t
random_below(uint32_t *seed, uint32_t limit)
{
   *seed = *seed * 1664525 + 1013904223;
   return (uint32_t)((uint64_t)*seed * limit >> 32);
}
