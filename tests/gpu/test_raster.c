/* SPDX-License-Identifier: MIT
 *
 * Coverage: the fill rule by hand, shared edges, and any triangle against a
 * reference that says the rule in another way.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/raster.h"
#include "gpu/setup.h"

enum { SIZE = 128 /* pixels each way; two tiles */ };

struct point {
   int32_t x, y; /* in 256ths of a pixel */
};

/* How often each pixel was covered. */
struct picture {
   uint8_t count[SIZE][SIZE];
};

static void
note_quad(void *user, int32_t x, int32_t y, const uint16_t coverage[4])
{
   struct picture *picture = user;
   assert_true(x % 2 == 0 && y % 2 == 0);
   assert_true(coverage[0] || coverage[1] || coverage[2] || coverage[3]);
   for (int i = 0; i < 4; i++) {
      assert_true(coverage[i] <= 1);
      if (coverage[i]) {
         assert_in_range(x + (i & 1), 0, SIZE - 1);
         assert_in_range(y + (i >> 1), 0, SIZE - 1);
         picture->count[y + (i >> 1)][x + (i & 1)]++;
      }
   }
}

static void
draw(struct picture *picture, struct point a, struct point b, struct point c)
{
   const struct gpu_window_vertex v[3] = {
      {.x = a.x, .y = a.y}, {.x = b.x, .y = b.y}, {.x = c.x, .y = c.y}};
   struct gpu_shape triangle;
   if (!gpu_setup_edges(v, SIZE, SIZE, &triangle))
      return;
   for (int32_t y = 0; y < SIZE; y += GPU_TILE_SIZE) {
      for (int32_t x = 0; x < SIZE; x += GPU_TILE_SIZE) {
         if (gpu_raster_touches(&triangle, x, y))
            gpu_raster_tile(&triangle, x, y, note_quad, picture);
      }
   }
}

static uint32_t
random_below(uint32_t *seed, uint32_t limit)
{
   *seed = *seed * 1664525 + 1013904223;
   return (uint32_t)((uint64_t)*seed * limit >> 32);
}

/* ---- the rule by hand ---------------------------------------------------- */

/* A rectangle of two triangles whose corners are pixel centres, (2.5, 3.5) and
 * (6.5, 8.5): its left column and top row are in, its right and bottom out. */
static void
top_and_left_edges_own_their_pixels(void **test)
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
   for (int i = 0; i < 4; i++) {
      struct picture picture = {0};
      const int *o = orders[i];
      draw(&picture, p[o[0]], p[o[1]], p[o[2]]);
      draw(&picture, p[o[3]], p[o[4]], p[o[5]]);
      for (int y = 0; y < 12; y++) {
         for (int x = 0; x < 12; x++) {
            const bool is_in = x >= 2 && x < 6 && y >= 3 && y < 8;
            assert_int_equal(picture.count[y][x], is_in);
         }
      }
   }
}

/* A sliver between pixel centres covers nothing, and one through a centre with
 * no area neither. */
static void
slivers_cover_what_they_contain(void **test)
{
   (void)test;
   struct picture picture = {0};
   const struct picture empty = {0};
   draw(&picture, (struct point){129, 0}, (struct point){383, 0},
        (struct point){256, 30000});
   draw(&picture, (struct point){128, 128}, (struct point){128, 3000},
        (struct point){128, 500});
   assert_memory_equal(&picture, &empty, sizeof(empty));

   /* One 256th wide, from the centres of column 4 to the right. */
   draw(&picture, (struct point){4 * 256 + 128, 0},
        (struct point){4 * 256 + 129, 0}, (struct point){4 * 256 + 128, 2560});
   for (int y = 0; y < 12; y++) {
      for (int x = 0; x < 12; x++)
         assert_int_equal(picture.count[y][x], x == 4 && y < 10);
   }
}

/* ---- shared edges -------------------------------------------------------- */

enum { CELLS = 12 };

/* A coordinate near the grid's line, on a pixel centre a third of the time. */
static int32_t
jitter(uint32_t *seed, int line)
{
   const int32_t cell = SIZE * 256 / CELLS;
   if (line == 0 || line == CELLS)
      return line * SIZE * 256 / CELLS;
   const int32_t offset = (int32_t)random_below(seed, cell * 2 / 5);
   const int32_t at = line * cell + offset - cell / 5;
   return random_below(seed, 3) ? at : (at & ~255) + 128;
}

/* Meshes over the whole picture cover every pixel exactly once, whichever way
 * their cells are cut and their triangles run. */
static void
meshes_are_watertight(void **test)
{
   (void)test;
   uint32_t seed = 7;
   for (int round = 0; round < 60; round++) {
      struct picture picture = {0};
      struct point p[CELLS + 1][CELLS + 1];
      for (int y = 0; y <= CELLS; y++) {
         for (int x = 0; x <= CELLS; x++) {
            p[y][x].x = jitter(&seed, x);
            p[y][x].y = jitter(&seed, y);
         }
      }
      for (int y = 0; y < CELLS; y++) {
         for (int x = 0; x < CELLS; x++) {
            const struct point a = p[y][x], b = p[y][x + 1];
            const struct point c = p[y + 1][x], d = p[y + 1][x + 1];
            if (random_below(&seed, 2)) {
               draw(&picture, a, b, c);
               draw(&picture, b, c, d);
            } else {
               draw(&picture, d, b, a);
               draw(&picture, a, c, d);
            }
         }
      }
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++)
            assert_int_equal(picture.count[y][x], 1);
      }
   }
}

/* ---- against a reference ------------------------------------------------- */

/* On which side of the line from p to q a pixel lies, were its centre moved by
 * a hair to the right and by a hair of that down: never on it. That is the
 * top-left rule. */
static int
side(struct point p, struct point q, int32_t x, int32_t y)
{
   const int64_t dx = (int64_t)q.x - p.x, dy = (int64_t)q.y - p.y;
   const int64_t cross =
      dx * (y * 256 + 128 - p.y) - dy * (x * 256 + 128 - p.x);
   if (cross)
      return cross > 0 ? 1 : -1;
   if (dy)
      return dy < 0 ? 1 : -1;
   return dx > 0 ? 1 : -1;
}

static bool
contains(struct point a, struct point b, struct point c, int32_t x, int32_t y)
{
   const int64_t area = ((int64_t)b.x - a.x) * ((int64_t)c.y - a.y) -
                        ((int64_t)c.x - a.x) * ((int64_t)b.y - a.y);
   const int first = side(a, b, x, y);
   return area != 0 && first == side(b, c, x, y) && first == side(c, a, x, y);
}

/* A corner: near the picture, on pixel centres, or as far away as a viewport
 * lets it be. */
static int32_t
random_coordinate(uint32_t *seed)
{
   switch (random_below(seed, 4)) {
   case 0: return (int32_t)random_below(seed, SIZE) * 256 + 128;
   case 1:
      return (int32_t)random_below(seed, GPU_MAX_WINDOW * 512u) -
             GPU_MAX_WINDOW * 256;
   default: return (int32_t)random_below(seed, SIZE * 512) - SIZE * 128;
   }
}

static void
any_triangle_matches_the_reference(void **test)
{
   (void)test;
   uint32_t seed = 99;
   int num_covered = 0;
   for (int round = 0; round < 1500; round++) {
      struct picture picture = {0};
      struct point p[3];
      for (int i = 0; i < 3; i++) {
         p[i].x = random_coordinate(&seed);
         p[i].y = random_coordinate(&seed);
      }
      draw(&picture, p[0], p[1], p[2]);
      for (int y = 0; y < SIZE; y++) {
         for (int x = 0; x < SIZE; x++) {
            const bool expected = contains(p[0], p[1], p[2], x, y);
            if (picture.count[y][x] != expected)
               fail_msg("round %d, pixel (%d, %d)", round, x, y);
            num_covered += expected;
         }
      }
   }
   assert_true(num_covered > 1000000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(top_and_left_edges_own_their_pixels),
      cmocka_unit_test(slivers_cover_what_they_contain),
      cmocka_unit_test(meshes_are_watertight),
      cmocka_unit_test(any_triangle_matches_the_reference),
   };
   return cmocka_run_group_tests_name("gpu: raster", tests, NULL, NULL);
}
