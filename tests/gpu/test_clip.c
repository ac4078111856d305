/* SPDX-License-Identifier: MIT
 *
 * Clipping: what comes out is inside, has lost nothing that was, and agrees
 * with its neighbour about their common edge.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/clip.h"
#include "gpu/setup.h"

/* A record: position, and one attribute that says which mix of its triangle's
 * corners a vertex is. */
struct record {
   float position[4];
   float mix[4];
};

static const struct gpu_interface interface = {
   .num_attributes = 1,
   .output = {1},
   .interpolation = {GPU_INTERPOLATE_PERSPECTIVE},
};

static float
random_float(uint32_t *seed)
{
   *seed = *seed * 1664525 + 1013904223;
   return (float)(*seed >> 8) / 8388608.0f - 1;
}

static struct record
random_record(uint32_t *seed, int corner)
{
   struct record record = {{0}, {0}};
   for (int i = 0; i < 4; i++)
      record.position[i] = random_float(seed) * 3;
   record.position[3] += 1.5f;
   record.mix[corner] = 1;
   return record;
}

static uint32_t
clip(struct gpu_clipper *clipper, const struct record *a,
     const struct record *b, const struct record *c,
     const float *polygon[GPU_MAX_POLYGON])
{
   const float *const triangle[3] = {a->position, b->position, c->position};
   return gpu_clip_triangle(clipper, triangle, polygon);
}

/* Vertices of the polygon that lie on the edge from corner 0 to corner 1, in
 * the order in which they lie there. */
static uint32_t
on_edge(const float *const *polygon, uint32_t count, const float *out[])
{
   uint32_t num_out = 0;
   for (uint32_t i = 0; i < count; i++) {
      if (polygon[i][6] != 0)
         continue;
      uint32_t at = num_out++;
      for (; at > 0 && out[at - 1][4] < polygon[i][4]; at--)
         out[at] = out[at - 1];
      out[at] = polygon[i];
   }
   return num_out;
}

static void
neighbours_share_vertices(void **test)
{
   (void)test;
   struct gpu_clipper *one = calloc(2, sizeof(*one)), *two = one + 1;
   int num_compared = 0;
   uint32_t seed = 4;
   one->interface = two->interface = &interface;
   for (int round = 0; round < 20000; round++) {
      const struct record a = random_record(&seed, 0);
      const struct record b = random_record(&seed, 1);
      const struct record c = random_record(&seed, 2);
      const struct record d = random_record(&seed, 2);
      const float *p[GPU_MAX_POLYGON], *q[GPU_MAX_POLYGON];
      const float *p_edge[GPU_MAX_POLYGON], *q_edge[GPU_MAX_POLYGON];
      const uint32_t num_p = clip(one, &a, &b, &c, p);
      const uint32_t num_q = clip(two, &b, &a, &d, q);
      const uint32_t num_edge = on_edge(p, num_p, p_edge);
      /* One that lost its edge, or vanished, has nothing to agree on. */
      if (!num_edge || !on_edge(q, num_q, q_edge))
         continue;
      assert_int_equal(on_edge(q, num_q, q_edge), num_edge);
      for (uint32_t i = 0; i < num_edge; i++) {
         assert_memory_equal(p_edge[i], q_edge[i], 4 * sizeof(float));
         num_compared++;
      }
   }
   assert_true(num_compared > 1000);
   free(one);
}

static void
what_is_left_is_inside_and_of_the_triangle(void **test)
{
   (void)test;
   struct gpu_clipper *clipper = calloc(1, sizeof(*clipper));
   int num_clipped = 0;
   uint32_t seed = 6;
   clipper->interface = &interface;
   for (int round = 0; round < 20000; round++) {
      const struct record corner[3] = {random_record(&seed, 0),
                                       random_record(&seed, 1),
                                       random_record(&seed, 2)};
      const float *polygon[GPU_MAX_POLYGON];
      clipper->halfz = round & 1;
      const uint32_t count =
         clip(clipper, &corner[0], &corner[1], &corner[2], polygon);
      assert_true(count == 0 || (count >= 3 && count <= GPU_MAX_POLYGON));
      for (uint32_t i = 0; i < count; i++) {
         const float *v = polygon[i], w = v[3] * 1.0001f;
         assert_true(v[3] > 0);
         assert_true(fabsf(v[0]) <= w && fabsf(v[1]) <= w && v[2] <= w);
         assert_true(v[2] >= (clipper->halfz ? -1e-5f : -w));
         /* The position is the mix that the attribute says. */
         assert_float_equal(v[4] + v[5] + v[6], 1, 1e-4);
         for (int c = 0; c < 4; c++) {
            float expected = 0;
            for (int k = 0; k < 3; k++)
               expected += v[4 + k] * corner[k].position[c];
            assert_float_equal(v[c], expected, 1e-4);
         }
         num_clipped += v != corner[0].position && v != corner[1].position &&
                        v != corner[2].position;
      }
   }
   assert_true(num_clipped > 1000);
   free(clipper);
}

static uint32_t
random_below(uint32_t *seed, uint32_t bound)
{
   *seed = *seed * 1664525 + 1013904223;
   return (*seed >> 8) % bound;
}

/* Few different digits, far apart in size, next to planes: as many as can be
 * of the differences of such numbers are nothing but rounding. */
static struct record
strange_record(uint32_t *seed)
{
   struct record record = {{0}, {0}};
   float *v = record.position;
   const int exponent =
      random_below(seed, 2) ? (int)random_below(seed, 60) - 30 : 0;
   for (int i = 0; i < 4; i++) {
      v[i] = ldexpf((float)random_below(seed, 9) - 4, exponent);
      if (!random_below(seed, 3))
         v[i] = nextafterf(v[i], random_below(seed, 2) ? INFINITY : -INFINITY);
   }
   if (random_below(seed, 4))
      v[3] = fabsf(v[3]);
   if (random_below(seed, 2))
      v[random_below(seed, 3)] = v[3];
   return record;
}

/* The outlines of these cross a plane four times, by rounding: too many for
 * what the clipper has room for. */
static void
bent_outlines_have_room(void **test)
{
   (void)test;
   static const struct record triangles[][3] = {
      {{.position = {0x1p+16f, -0x1.8p+16f, 0x1p-148f, 0}},
       {.position = {-0x1p-30f, 0x1p-30f, 0x1p-28f, 0x1.fffffcp-31f}},
       {.position = {0x1p+14f, 0x1.000002p+15f, -0x1.8p+14f, 0x1p+14f}}},
      {{.position = {0x1.8p+12f, -0x1.000002p+13f, 0, 0}},
       {.position = {0x1.8p+17f, 0x1.800002p+17f, -0x1.000002p+18f,
                     0x1.8p+17f}},
       {.position = {-0x1p-28f, 0x1.fffffcp-29f, 0x1p-27f, 0x1.fffffcp-29f}}},
   };
   /* The second is for what would be written behind the first. */
   struct gpu_clipper *clipper = calloc(2, sizeof(*clipper));
   clipper->interface = &interface;
   clipper->halfz = true;
   for (size_t i = 0; i < sizeof(triangles) / sizeof(*triangles); i++) {
      const struct record *t = triangles[i];
      const float *polygon[2 * GPU_MAX_POLYGON];
      assert_in_range(clip(clipper, &t[0], &t[1], &t[2], polygon), 0,
                      GPU_MAX_POLYGON);
      assert_in_range(clipper->num_made, 1, GPU_MAX_CLIP_VERTICES);
   }
   free(clipper);
}

/* Rounding may put a corner of a sliver anywhere. The window has bounds all
 * the same. */
static void
slivers_stay_within_bounds(void **test)
{
   (void)test;
   const struct tg_viewport viewport = {
      .scale = {64, 32, 1},
      .translate = {64, 32, 0},
   };
   struct gpu_clipper *clipper = calloc(1, sizeof(*clipper));
   int num_left = 0;
   uint32_t seed = 8;
   clipper->interface = &interface;
   for (int round = 0; round < 200000; round++) {
      const struct record a = strange_record(&seed);
      const struct record b = strange_record(&seed);
      const struct record c = strange_record(&seed);
      const float *polygon[GPU_MAX_POLYGON];
      clipper->halfz = round & 1;
      const uint32_t count = clip(clipper, &a, &b, &c, polygon);
      for (uint32_t i = 0; i < count; i++) {
         const struct gpu_window_vertex v =
            gpu_window_vertex(&viewport, &interface, polygon[i]);
         assert_true(v.x >= 0 && v.x <= 128 * 256);
         assert_true(v.y >= 0 && v.y <= 64 * 256);
         num_left++;
      }
   }
   assert_true(num_left > 1000);
   free(clipper);
}

/* Half the way on the screen is not half the way in space: w goes from 1 to 3
 * and the edge is cut where x = w, at t = 1/2 in space (x 0 to 4, w 1 to 3: at
 * t = 1/2 both are 2), at 3/4 of the way on the screen. */
static void
linear_attributes_are_linear_on_the_screen(void **test)
{
   (void)test;
   static const struct gpu_interface both = {
      .num_attributes = 2,
      .output = {1, 2},
      .interpolation = {GPU_INTERPOLATE_PERSPECTIVE, GPU_INTERPOLATE_LINEAR},
   };
   const float v[3][12] = {
      {0, 0, 0, 1, 0, 0, 0, 0, 0},
      {4, 0, 0, 3, 1, 0, 0, 0, 1},
      {0, -0.5f, 0, 1, 0, 0, 0, 0, 0},
   };
   const float *const triangle[3] = {v[0], v[1], v[2]};
   const float *polygon[GPU_MAX_POLYGON];
   struct gpu_clipper *clipper = calloc(1, sizeof(*clipper));
   clipper->interface = &both;
   assert_int_equal(gpu_clip_triangle(clipper, triangle, polygon), 4);
   assert_true(polygon[0] == v[0]);
   assert_true(polygon[1][0] == 2 && polygon[1][3] == 2);
   assert_true(polygon[1][4] == 0.5f);
   assert_true(polygon[1][8] == 0.75f);
   free(clipper);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_share_vertices),
      cmocka_unit_test(what_is_left_is_inside_and_of_the_triangle),
      cmocka_unit_test(bent_outlines_have_room),
      cmocka_unit_test(slivers_stay_within_bounds),
      cmocka_unit_test(linear_attributes_are_linear_on_the_screen),
   };
   return cmocka_run_group_tests_name("gpu: clip", tests, NULL, NULL);
}
