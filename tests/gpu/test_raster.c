/* SPDX-License-Identifier: MIT
 *
 * Coverage: the fill rule by hand, shared edges, and any triangle against a
 * reference that says the rule in another way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "canvas.h"

enum { SIZE = CANVAS_SIZE };

struct point {
   int32_t x, y; /* in 256ths of a pixel */
};

static void
draw(struct canvas *canvas, struct point a, struct point b, struct point c)
{
   const struct record vertices[3] = {
      canvas_vertex(a.x / 256.0, a.y / 256.0),
      canvas_vertex(b.x / 256.0, b.y / 256.0),
      canvas_vertex(c.x / 256.0, c.y / 256.0),
   };
   canvas->num_shapes = canvas->num_words = 0;
   canvas->shapes_left = CANVAS_MAX_SHAPES;
   canvas_draw(canvas, vertices, 3);
}

/* ---- the rule by hand ---------------------------------------------------- */

/* A rectangle of two triangles whose corners are pixel centres, (2.5, 3.5) and
 * (6.5, 8.5): its left column and top row are in, its right and bottom out;
 * with the other rule the bottom row instead of the top one. */
static void
some_edges_own_their_pixels(void **test)
{
   (void)test;
   const struct point p[4] = {
      {640, 896}, {1664, 896}, {640, 2176}, {1664, 2176}};
   /* Either diagonal, either winding. */
   const int orders[4][6] = {
      {0, 1, 2, 2, 1, 3},
      {0, 2, 1, 2, 3, 1},
      {0, 1, 3, 0, 3, 2},
      {0, 3, 1, 0, 2, 3},
   };
   struct canvas *canvas = canvas_create(1);
   for (int i = 0; i < 8; i++) {
      const int *o = orders[i / 2];
      const int first_row = i & 1 ? 4 : 3;
      canvas_clear(canvas);
      canvas->rasterizer.state.bottom_edge_rule = i & 1;
      draw(canvas, p[o[0]], p[o[1]], p[o[2]]);
      draw(canvas, p[o[3]], p[o[4]], p[o[5]]);
      for (int y = 0; y < 12; y++) {
         for (int x = 0; x < 12; x++) {
            const bool is_in =
               x >= 2 && x < 6 && y >= first_row && y < first_row + 5;
            assert_int_equal(canvas_at(canvas, x, y), is_in);
         }
      }
   }
   canvas_destroy(canvas);
}

/* A sliver between pixel centres covers nothing, and one through a centre with
 * no area neither. */
static void
slivers_cover_what_they_contain(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   draw(canvas, (struct point){129, 0}, (struct point){383, 0},
        (struct point){256, 30000});
   draw(canvas, (struct point){128, 128}, (struct point){128, 3000},
        (struct point){128, 500});
   assert_int_equal(canvas_num_covered(canvas), 0);

   /* One 256th wide, from the centres of column 4 to the right. */
   draw(canvas, (struct point){4 * 256 + 128, 0},
        (struct point){4 * 256 + 129, 0}, (struct point){4 * 256 + 128, 2560});
   for (int y = 0; y < 12; y++) {
      for (int x = 0; x < 12; x++)
         assert_int_equal(canvas_at(canvas, x, y), x == 4 && y < 10);
   }
   canvas_destroy(canvas);
}

/* A triangle over everything, in one state and another. */
static void
cover_all(struct canvas *canvas)
{
   canvas_clear(canvas);
   draw(canvas, (struct point){-1000, -1000}, (struct point){80000, -1000},
        (struct point){-1000, 80000});
}

/* Row i and the leftmost column's bit: (x + y) / 8 is odd, say. */
static void
polygons_are_stippled(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(4);
   for (uint32_t y = 0; y < 32; y++) {
      canvas->state.polygon_stipple[y] = 0;
      for (uint32_t x = 0; x < 32; x++) {
         if ((x + y) % 32 / 8 % 2)
            canvas->state.polygon_stipple[y] |= UINT32_C(0x80000000) >> x;
      }
   }
   canvas->rasterizer.state.poly_stipple_enable = true;
   cover_all(canvas);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         for (int s = 0; s < 4; s++)
            assert_int_equal(canvas->count[y][x][s],
                             (x % 32 + y % 32) % 32 / 8 % 2);
      }
   }
   canvas_destroy(canvas);
}

/* Of a triangle that is so large, which covers this many samples at the least.
 */
static void
expect_masked_edges(struct canvas *canvas, int32_t size, unsigned least)
{
   unsigned num_covered = 0;
   canvas_clear(canvas);
   draw(canvas, (struct point){100, 200}, (struct point){size, size / 6},
        (struct point){size / 6, size});
   for (int i = 0; i < SIZE * SIZE; i++) {
      for (int s = 0; s < CANVAS_MAX_SAMPLES; s++) {
         const unsigned count = canvas->count[i / SIZE][i % SIZE][s];
         assert_true(!count || 0x5a >> s & 1);
         num_covered += count;
      }
   }
   assert_true(num_covered > least);
}

static void
samples_are_masked(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(8);
   canvas->state.sample_mask = 0xffffff5a;
   cover_all(canvas);
   for (int s = 0; s < CANVAS_MAX_SAMPLES; s++)
      assert_int_equal(canvas->count[17][99][s], 0x5a >> s & 1);
   expect_masked_edges(canvas, 20000, 10000);
   expect_masked_edges(canvas, 3800, 100);
   canvas->state.sample_mask = 0xffffff00;
   cover_all(canvas);
   assert_int_equal(canvas_num_covered(canvas), 0);
   canvas_destroy(canvas);
}

/* The scissor cuts blocks, and groups of them, of a triangle over everything.
 */
static void
bounds_cut_blocks(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(1);
   canvas->rasterizer.state.scissor = true;
   for (uint16_t i = 0; i < 24; i++) {
      const struct tg_scissor area = {(uint16_t)(i + 3), (uint16_t)(29 - i),
                                      (uint16_t)(i * 2 + 41),
                                      (uint16_t)(97 - i)};
      canvas->state.scissors[0] = area;
      cover_all(canvas);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++)
            assert_int_equal(canvas_at(canvas, x, y),
                             x >= area.min_x && x < area.max_x &&
                                y >= area.min_y && y < area.max_y);
      }
   }
   canvas_destroy(canvas);
}

/* The left edge is a quarter into column 10, the right one three quarters: all
 * samples go by the centre. */
static void
without_multisample_samples_are_alike(void **test)
{
   (void)test;
   struct canvas *canvas = canvas_create(4);
   canvas->rasterizer.state.multisample = false;
   const struct point p[4] = {{10 * 256 + 64, 0},
                              {20 * 256 + 192, 0},
                              {10 * 256 + 64, 2560},
                              {20 * 256 + 192, 2560}};
   draw(canvas, p[0], p[1], p[2]);
   draw(canvas, p[2], p[1], p[3]);
   for (int x = 0; x < 30; x++) {
      for (int s = 0; s < 4; s++)
         assert_int_equal(canvas->count[5][x][s], x >= 10 && x <= 20);
   }
   canvas_destroy(canvas);
}

/* ---- shared edges -------------------------------------------------------- */

enum { CELLS = 12 };

/* A coordinate near the grid's line, on a pixel centre a third of the time. The
 * grid is a pixel wider than the picture: samples lie on the latter's rim. */
static int32_t
jitter(uint32_t *seed, int line)
{
   const int32_t cell = SIZE * 256 / CELLS;
   if (line == 0 || line == CELLS)
      return line ? (SIZE + 1) * 256 : -256;
   const int32_t offset = (int32_t)random_below(seed, cell * 2 / 5);
   const int32_t at = line * cell + offset - cell / 5;
   return random_below(seed, 3) ? at : (at & ~255) + 128;
}

static void
draw_mesh(struct canvas *canvas, uint32_t *seed)
{
   struct point p[CELLS + 1][CELLS + 1];
   for (int y = 0; y <= CELLS; y++) {
      for (int x = 0; x <= CELLS; x++) {
         p[y][x].x = jitter(seed, x);
         p[y][x].y = jitter(seed, y);
      }
   }
   for (int y = 0; y < CELLS; y++) {
      for (int x = 0; x < CELLS; x++) {
         const struct point a = p[y][x], b = p[y][x + 1];
         const struct point c = p[y + 1][x], d = p[y + 1][x + 1];
         if (random_below(seed, 2)) {
            draw(canvas, a, b, c);
            draw(canvas, b, c, d);
         } else {
            draw(canvas, d, b, a);
            draw(canvas, a, c, d);
         }
      }
   }
}

/* Meshes over the whole picture cover every sample exactly once, whichever way
 * their cells are cut and their triangles run. */
static void
meshes_are_watertight(void **test)
{
   (void)test;
   uint32_t seed = 7;
   for (int round = 0; round < 60; round++) {
      const int num_samples = 1 << round % 5;
      struct canvas *canvas = canvas_create((uint32_t)num_samples);
      canvas->rasterizer.state.bottom_edge_rule = round & 1;
      draw_mesh(canvas, &seed);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            for (int s = 0; s < num_samples; s++)
               assert_int_equal(canvas->count[y][x][s], 1);
         }
      }
      canvas_destroy(canvas);
   }
}

/* ---- large framebuffers -------------------------------------------------- */

enum { LARGE = 16384 };

/* What a fan's shapes cover of one tile. */
struct tile {
   int32_t x, y;
   uint8_t count[GPU_TILE_SIZE][GPU_TILE_SIZE][4];
};

static void
note_tile_block(void *user, int32_t x, int32_t y,
                const uint16_t coverage[GPU_BLOCK_PIXELS])
{
   struct tile *tile = user;
   for (int i = 0; i < GPU_BLOCK_PIXELS; i++) {
      uint8_t *pixel = tile->count[y - tile->y + canvas_block_y(i)]
                                  [x - tile->x + canvas_block_x(i)];
      for (int s = 0; s < 4; s++)
         pixel[s] += coverage[i] >> s & 1;
   }
}

static void
note_tile_blocks(void *user, const struct gpu_live_block *blocks,
                 uint32_t num_blocks, uint16_t coverage)
{
   canvas_live_blocks(note_tile_block, user, blocks, num_blocks, coverage);
}

static void
note_tile_square(void *user, int32_t x, int32_t y, int32_t size,
                 uint16_t coverage)
{
   canvas_blocks_of_square(note_tile_block, user, x, y, size, coverage);
}

/* Triangles around a point, out to a circle far beyond a framebuffer of 16384
 * by 16384: of some tiles, among them those around the point, each sample is
 * covered once. */
static void
fans_are_watertight(uint32_t size)
{
   static const float around[8][2] = {{-9, -9}, {0, -13}, {9, -9}, {13, 0},
                                      {9, 9},   {0, 13},  {-9, 9}, {-13, 0}};
   uint32_t seed = 3;
   for (int round = 0; round < 20; round++) {
      struct canvas *canvas = canvas_create(4);
      struct record vertices[9] = {canvas_vertex(0, 0)};
      canvas->state.framebuffer.width = canvas->state.framebuffer.height = size;
      canvas->state.viewports[0] = tg_viewport_of(size, size, false, false);
      for (int i = 0; i < 9; i++) {
         const float reach = i ? 1.0f : 0.0f;
         for (int c = 0; c < 2; c++)
            vertices[i].position[c] =
               (float)random_below(&seed, 1 << 23) / (1 << 23) - 0.5f +
               reach * around[i ? i - 1 : 0][c];
         vertices[i].position[3] = 1;
      }
      for (int i = 0; i < 8; i++) {
         const struct record triangle[3] = {vertices[0], vertices[i + 1],
                                            vertices[(i + 1) % 8 + 1]};
         canvas_set_up(canvas, triangle, 3);
      }
      assert_int_equal(canvas->num_shapes, 8);
      const float *middle = vertices[0].position;
      for (int i = 0; i < 12; i++) {
         const int32_t x = i ? (int32_t)random_below(&seed, size)
                             : (int32_t)((middle[0] + 1) * size / 2);
         const int32_t y = i ? (int32_t)random_below(&seed, size)
                             : (int32_t)((middle[1] + 1) * size / 2);
         struct tile tile = {.x = x & -64, .y = y & -64};
         for (uint32_t k = 0; k < canvas->num_shapes; k++)
            gpu_raster_tile(&canvas->raster, &canvas->shapes[k], tile.x, tile.y,
                            &(struct gpu_raster_sink){note_tile_blocks,
                                                      note_tile_square, &tile});
         for (int k = 0; k < GPU_TILE_SIZE * GPU_TILE_SIZE * 4; k++)
            assert_int_equal(((uint8_t *)tile.count)[k], 1);
      }
      canvas_destroy(canvas);
   }
}

/* Their edges are too steep for 32 bits; of smaller ones they are not, and many
 * are far away from a tile. */
static void
large_fans_are_watertight(void **test)
{
   (void)test;
   fans_are_watertight(LARGE);
   fans_are_watertight(1024);
}

/* ---- against a reference ------------------------------------------------- */

/* Direct3D's standard places, in sixteenths of a pixel from its centre. */
static const int8_t places[5][CANVAS_MAX_SAMPLES][2] = {
   {{0, 0}},
   {{4, 4}, {-4, -4}},
   {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}},
   {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}},
   {{1, 1},
    {-1, -3},
    {-3, 2},
    {4, -1},
    {-5, -2},
    {2, 5},
    {5, 3},
    {3, -5},
    {-2, 6},
    {0, -7},
    {-4, -6},
    {-6, 4},
    {-8, 0},
    {7, -4},
    {6, 7},
    {-7, -8}},
};

/* On which side of the line from p to q a place lies, were it moved by a hair
 * to the right and by a hair of that down: never on it. That is the top-left
 * rule. */
static int
side(struct point p, struct point q, struct point place)
{
   const int64_t dx = (int64_t)q.x - p.x, dy = (int64_t)q.y - p.y;
   const int64_t cross = dx * (place.y - p.y) - dy * (place.x - p.x);
   if (cross)
      return cross > 0 ? 1 : -1;
   if (dy)
      return dy < 0 ? 1 : -1;
   return dx > 0 ? 1 : -1;
}

static bool
contains(struct point a, struct point b, struct point c, struct point place)
{
   const int64_t area = ((int64_t)b.x - a.x) * ((int64_t)c.y - a.y) -
                        ((int64_t)c.x - a.x) * ((int64_t)b.y - a.y);
   const int first = side(a, b, place);
   return area != 0 && first == side(b, c, place) && first == side(c, a, place);
}

/* A corner: near the picture, on pixel centres, or as far away as nothing is
 * cut off. All are floats in clip space. */
static int32_t
random_coordinate(uint32_t *seed)
{
   switch (random_below(seed, 4)) {
   case 0: return (int32_t)random_below(seed, SIZE) * 256 + 128;
   case 1:
      return ((int32_t)random_below(seed, GPU_GUARD_BAND) -
              GPU_GUARD_BAND / 2) *
             512;
   default: return (int32_t)random_below(seed, SIZE * 512) - SIZE * 128;
   }
}

static void
draw_and_expect(struct canvas *canvas, int round, int log_samples,
                const struct point p[3], int *num_covered)
{
   draw(canvas, p[0], p[1], p[2]);
   for (int y = 0; y < SIZE; y++) {
      for (int x = 0; x < SIZE; x++) {
         for (int s = 0; s < 1 << log_samples; s++) {
            const struct point place = {
               x * 256 + 128 + places[log_samples][s][0] * 16,
               y * 256 + 128 + places[log_samples][s][1] * 16};
            const bool expected = contains(p[0], p[1], p[2], place);
            if (canvas->count[y][x][s] != expected)
               fail_msg("round %d, pixel (%d, %d), sample %d", round, x, y, s);
            *num_covered += expected;
         }
      }
   }
}

static void
check_triangle(int round, uint32_t *seed, int *num_covered)
{
   const int log_samples = round % 5;
   struct canvas *canvas = canvas_create(1u << log_samples);
   struct point p[3];
   for (int i = 0; i < 3; i++) {
      p[i].x = random_coordinate(seed);
      p[i].y = random_coordinate(seed);
   }
   draw_and_expect(canvas, round, log_samples, p, num_covered);
   canvas_destroy(canvas);
}

static void
any_triangle_matches_the_reference(void **test)
{
   (void)test;
   uint32_t seed = 99;
   int num_covered = 0;
   for (int round = 0; round < 1500; round++)
      check_triangle(round, &seed, &num_covered);
   assert_true(num_covered > 5000000);
}

static bool
is_in_scissor(const struct tg_scissor *scissor, int x, int y)
{
   return x >= scissor->min_x && x < scissor->max_x && y >= scissor->min_y &&
          y < scissor->max_y;
}

/* What a scissor leaves of a triangle is small, a square or wide, and the
 * triangle is not: its edges may be too long for 32 bits, or too steep, as they
 * are where a corner is near and others are far away. */
static void
scissors_leave_few_pixels(unsigned log_samples, int least_covered)
{
   const int num_samples = 1 << log_samples;
   uint32_t seed = 17;
   int num_covered = 0;
   struct canvas *canvas = canvas_create((uint32_t)num_samples);
   canvas->rasterizer.state.scissor = true;
   for (int round = 0; round < 4000; round++) {
      const uint32_t width = round % 2 ? 3 : SIZE - 4;
      const uint32_t left = random_below(&seed, SIZE - width);
      const uint32_t top = random_below(&seed, SIZE - 3);
      const struct tg_scissor scissor = {left, top, left + width, top + 3};
      struct point p[3];
      for (int i = 0; i < 3; i++) {
         p[i].x = random_coordinate(&seed);
         p[i].y = random_coordinate(&seed);
      }
      if (round % 4 < 2) {
         p[0].x = (int32_t)(left * 256 + random_below(&seed, 512));
         p[0].y = (int32_t)(top * 256 + random_below(&seed, 512));
         p[1].y = -GPU_GUARD_BAND * 256;
         p[2].y = GPU_GUARD_BAND * 256;
      }
      canvas_clear(canvas);
      canvas->state.scissors[0] = scissor;
      draw(canvas, p[0], p[1], p[2]);
      for (int i = 0; i < SIZE * SIZE * num_samples; i++) {
         const int s = i % num_samples;
         const int x = i / num_samples % SIZE, y = i / num_samples / SIZE;
         const struct point place = {
            x * 256 + 128 + places[log_samples][s][0] * 16,
            y * 256 + 128 + places[log_samples][s][1] * 16};
         const bool expected =
            is_in_scissor(&scissor, x, y) && contains(p[0], p[1], p[2], place);
         assert_int_equal(canvas->count[y][x][s], expected);
         num_covered += expected;
      }
   }
   canvas_destroy(canvas);
   assert_true(num_covered > least_covered);
}

static void
scissors_leave_few_pixels_of_large_triangles(void **test)
{
   (void)test;
   scissors_leave_few_pixels(0, 50000);
   scissors_leave_few_pixels(2, 200000);
}

/* Of up to 4 pixels each way, around the sides of tiles and of the picture, so
 * that bounds cut some. Most are rasterized when they are set up; what has no
 * pixel is no shape, and else edges alone say the same. */
static void
small_triangles_match_the_reference(void **test)
{
   (void)test;
   uint32_t seed = 5;
   int num_covered = 0, num_small = 0, num_dropped = 0;
   struct canvas *canvas = canvas_create(1);
   for (int round = 0; round < 3000; round++) {
      const int32_t x = (int32_t)random_below(&seed, 3) * 64 * 256;
      const int32_t y = (int32_t)random_below(&seed, 3) * 64 * 256;
      struct point p[3];
      for (int i = 0; i < 3; i++) {
         p[i].x = x + (int32_t)random_below(&seed, 4 * 256) - 2 * 256;
         p[i].y = y + (int32_t)random_below(&seed, 4 * 256) - 2 * 256;
      }
      const int num_before = num_covered;
      canvas_clear(canvas);
      draw_and_expect(canvas, round, 0, p, &num_covered);
      assert_true(canvas->num_shapes <= 1);
      if (!canvas->num_shapes) {
         assert_int_equal(num_covered, num_before);
         num_dropped++;
      } else if (canvas->shapes[0].quads) {
         struct gpu_shape edges = canvas->shapes[0];
         assert_true(num_covered > num_before);
         num_small++;
         edges.quads = 0;
         canvas_raster(canvas, &edges);
         for (int i = 0; i < SIZE * SIZE; i++)
            assert_int_not_equal(canvas->count[i / SIZE][i % SIZE][0], 1);
      }
   }
   canvas_destroy(canvas);
   assert_true(num_covered > 1200 && num_small > 400 && num_dropped > 1000);
}

/* Any of the state that leaves triangles or pixels of them out. */
static void
choose_state(struct canvas *canvas, uint32_t *seed)
{
   struct tg_rasterizer_state *rasterizer = &canvas->rasterizer.state;
   struct gpu_window_rectangles *windows = &canvas->state.window_rectangles;
   const uint32_t x = random_below(seed, SIZE), y = random_below(seed, SIZE);
   rasterizer->cull_face = (uint8_t)random_below(seed, 4);
   rasterizer->front_ccw = random_below(seed, 2);
   rasterizer->bottom_edge_rule = random_below(seed, 2);
   rasterizer->poly_stipple_enable = random_below(seed, 2);
   rasterizer->multisample = random_below(seed, 2);
   windows->include = random_below(seed, 2);
   windows->count = random_below(seed, 2) ? 1 : 0;
   windows->rectangle[0] =
      (struct tg_scissor){x & ~63u, y & ~63u, x + 5, y + 5};
   for (uint32_t i = 0; i < 32; i++)
      canvas->state.polygon_stipple[i] =
         random_below(seed, 1u << 16) << 16 | random_below(seed, 1u << 16);
}

/* Whatever is set, they are what their edges say: every pixel is covered twice
 * or not at all. Turned round they may be culled. */
static void
expect_small_triangles(uint32_t num_samples)
{
   uint32_t seed = 7;
   unsigned num_covered = 0, num_empty = 0, num_culled = 0;
   struct canvas *canvas = canvas_create(num_samples);
   for (int round = 0; round < 3000; round++) {
      struct point p[3];
      const uint32_t step = round % 2 ? 128 : 1; /* on pixels' centres */
      const int32_t x = (int32_t)random_below(&seed, SIZE) * 256;
      const int32_t y = (int32_t)random_below(&seed, SIZE) * 256;
      for (int i = 0; i < 3; i++) {
         p[i].x = x + (int32_t)(random_below(&seed, 4 * 256 / step) * step);
         p[i].y = y + (int32_t)(random_below(&seed, 4 * 256 / step) * step);
      }
      canvas_clear(canvas);
      choose_state(canvas, &seed);
      draw(canvas, p[0], p[1], p[2]);
      num_culled += !canvas->num_shapes;
      if (!canvas->num_shapes || !canvas->shapes[0].quads)
         continue;
      struct gpu_shape edges = canvas->shapes[0];
      edges.quads = 0;
      canvas_raster(canvas, &edges);
      const unsigned num = canvas_num_covered(canvas);
      num_covered += num;
      num_empty += !num;
      for (int i = 0; i < SIZE * SIZE; i++)
         assert_int_not_equal(canvas->count[i / SIZE][i % SIZE][0], 1);
   }
   canvas_destroy(canvas);
   assert_true(num_covered > 200 && num_empty > 200 && num_culled > 1000);
}

static void
small_triangles_go_by_state(void **test)
{
   (void)test;
   expect_small_triangles(1);
   expect_small_triangles(4);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(some_edges_own_their_pixels),
      cmocka_unit_test(slivers_cover_what_they_contain),
      cmocka_unit_test(polygons_are_stippled),
      cmocka_unit_test(bounds_cut_blocks),
      cmocka_unit_test(samples_are_masked),
      cmocka_unit_test(without_multisample_samples_are_alike),
      cmocka_unit_test(meshes_are_watertight),
      cmocka_unit_test(large_fans_are_watertight),
      cmocka_unit_test(any_triangle_matches_the_reference),
      cmocka_unit_test(small_triangles_match_the_reference),
      cmocka_unit_test(small_triangles_go_by_state),
      cmocka_unit_test(scissors_leave_few_pixels_of_large_triangles),
   };
   return cmocka_run_group_tests_name("gpu: raster", tests, NULL, NULL);
}
