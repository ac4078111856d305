/* SPDX-License-Identifier: MIT
 *
 * Clipping: what comes out is inside, has lost nothing that was, and agrees
 * with its neighbour about their common edge.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "canvas.h"
#include "gpu/setup/clip.h"

/* Window and clip space are the same here but for the guard band, which is far
 * away: w, near, far and two user planes are left to cut. */
enum {
   PLANES = 1u << GPU_CLIP_W | 1u << GPU_CLIP_LEFT | 1u << GPU_CLIP_RIGHT |
            1u << GPU_CLIP_TOP | 1u << GPU_CLIP_BOTTOM | 1u << GPU_CLIP_NEAR |
            1u << GPU_CLIP_FAR | 3u << GPU_CLIP_USER,
};

static double
random_number(uint32_t *seed)
{
   return (double)random_below(seed, 1u << 24) / (1u << 23) - 1;
}

struct vertex {
   float position[4];
   float distance[2];
};

static struct vertex
random_vertex(uint32_t *seed)
{
   struct vertex vertex;
   for (int i = 0; i < 4; i++)
      vertex.position[i] = (float)random_number(seed) * 3;
   vertex.position[3] += 1.5f;
   /* A quarter leaves the guard band. */
   if (!random_below(seed, 4))
      vertex.position[random_below(seed, 2)] *= 1 << 20;
   for (int i = 0; i < 2; i++)
      vertex.distance[i] = (float)random_number(seed) + 0.5f;
   return vertex;
}

static uint32_t
clip(struct gpu_clipper *clipper, const struct vertex *const vertex[3],
     struct gpu_corner corner[GPU_MAX_POLYGON])
{
   uint32_t any = 0;
   clipper->planes = PLANES;
   for (int i = 0; i < 3; i++) {
      const float *p = vertex[i]->position;
      corner[i] = (struct gpu_corner){p[0], p[1], p[2], p[3], {0}};
      corner[i].share[i] = 1;
      for (int k = 0; k < 2; k++)
         clipper->distance[i][k] = vertex[i]->distance[k];
   }
   for (int i = 0; i < 3; i++)
      any |= gpu_clip_outcode(clipper, &corner[i]);
   return gpu_clip_polygon(clipper, any, corner, 3);
}

/* Corners that lie on the edge from vertex a to vertex b, in the order in which
 * they lie there. */
static uint32_t
on_edge(const struct gpu_corner *corner, uint32_t count, int a, int b,
        const struct gpu_corner *out[])
{
   uint32_t num_out = 0;
   for (uint32_t i = 0; i < count; i++) {
      if (corner[i].share[3 - a - b] != 0)
         continue;
      uint32_t at = num_out++;
      for (; at > 0 && out[at - 1]->share[a] < corner[i].share[a]; at--)
         out[at] = out[at - 1];
      out[at] = &corner[i];
   }
   return num_out;
}

/* Two triangles at the edge from a to b, which is in two places of their
 * outlines and in both directions. */
static void
neighbours_share_corners(void **test)
{
   (void)test;
   int num_compared = 0;
   uint32_t seed = 4;
   for (int round = 0; round < 20000; round++) {
      struct gpu_clipper clipper = {.halfz = round & 1};
      const struct vertex a = random_vertex(&seed), b = random_vertex(&seed);
      const struct vertex c = random_vertex(&seed), d = random_vertex(&seed);
      struct gpu_corner p[GPU_MAX_POLYGON], q[GPU_MAX_POLYGON];
      const struct gpu_corner *p_edge[GPU_MAX_POLYGON],
         *q_edge[GPU_MAX_POLYGON];
      const uint32_t num_p =
         clip(&clipper, (const struct vertex *[3]){&a, &b, &c}, p);
      const uint32_t num_q =
         clip(&clipper, (const struct vertex *[3]){&b, &d, &a}, q);
      const uint32_t num_edge = on_edge(p, num_p, 0, 1, p_edge);
      /* One that lost its edge, or vanished, has nothing to agree on. */
      if (!num_edge || !on_edge(q, num_q, 2, 0, q_edge))
         continue;
      assert_int_equal(on_edge(q, num_q, 2, 0, q_edge), num_edge);
      for (uint32_t i = 0; i < num_edge; i++) {
         assert_memory_equal(p_edge[i], q_edge[i],
                             offsetof(struct gpu_corner, share));
         num_compared++;
      }
   }
   assert_true(num_compared > 1000);
}

static bool
is_near(double value, double expected, double size)
{
   return fabs(value - expected) <= 1e-9 * (1 + size);
}

static void
what_is_left_is_inside_and_of_the_triangle(void **test)
{
   (void)test;
   int num_made = 0;
   uint32_t seed = 6;
   for (int round = 0; round < 20000; round++) {
      struct gpu_clipper clipper = {.halfz = round & 1};
      const struct vertex v[3] = {random_vertex(&seed), random_vertex(&seed),
                                  random_vertex(&seed)};
      struct gpu_corner corner[GPU_MAX_POLYGON];
      const uint32_t count = clip(
         &clipper, (const struct vertex *[3]){&v[0], &v[1], &v[2]}, corner);
      assert_true(count == 0 || (count >= 3 && count <= GPU_MAX_POLYGON));
      for (uint32_t i = 0; i < count; i++) {
         const struct gpu_corner *k = &corner[i];
         const double guard = GPU_GUARD_BAND * k->w * (1 + 1e-9);
         assert_true(k->w > 0);
         assert_true(fabs(k->x) <= guard && fabs(k->y) <= guard);
         assert_true(k->z <= k->w + 1e-9);
         assert_true(k->z >= (clipper.halfz ? 0 : -k->w) - 1e-9);
         double sum = 0, expected[4] = {0}, distance[2] = {0}, size = 0;
         for (int n = 0; n < 3; n++) {
            sum += k->share[n];
            for (int c = 0; c < 4; c++) {
               expected[c] += k->share[n] * v[n].position[c];
               size = fmax(size, fabs(v[n].position[c]));
            }
            for (int c = 0; c < 2; c++)
               distance[c] += k->share[n] * v[n].distance[c];
         }
         assert_true(is_near(sum, 1, 0));
         assert_true(is_near(k->x, expected[0], size));
         assert_true(is_near(k->y, expected[1], size));
         assert_true(is_near(k->z, expected[2], size));
         assert_true(is_near(k->w, expected[3], size));
         assert_true(distance[0] >= -1e-9 && distance[1] >= -1e-9);
         num_made += k->share[0] != 1 && k->share[1] != 1 && k->share[2] != 1;
      }
   }
   assert_true(num_made > 1000);
}

/* Vertices at the eye's plane: (1, 0, 0, 0) is infinitely far to the right. The
 * triangle's upper edge leads from (0, 0) there, its lower one from (0, 1): up
 * to the guard band it is a strip one pixel high. */
static void
corners_at_infinity_keep_their_triangles(void **test)
{
   (void)test;
   struct gpu_clipper clipper = {0};
   const struct vertex v[3] = {
      {{0, 0, 0, 1}, {1, 1}}, {{1, 0, 0, 0}, {1, 1}}, {{0, 1, 0, 1}, {1, 1}}};
   struct gpu_corner corner[GPU_MAX_POLYGON];
   const uint32_t count =
      clip(&clipper, (const struct vertex *[3]){&v[0], &v[1], &v[2]}, corner);
   assert_in_range(count, 4, GPU_MAX_POLYGON);
   double right = 0;
   for (uint32_t i = 0; i < count; i++) {
      assert_true(corner[i].w > 0);
      right = fmax(right, corner[i].x / corner[i].w);
   }
   assert_true(right == GPU_GUARD_BAND);
}

/* Behind the eye nothing is left, in front of it half of a line from (2, 0) at
 * w = 1 to (-2, 0) at w = -1 is: to infinity. */
static void
lines_are_clipped(void **test)
{
   (void)test;
   struct gpu_clipper clipper = {.planes = PLANES};
   struct gpu_corner corner[2] = {{2, 0, 0, 1, {1, 0}}, {-2, 1, 0, -1, {0, 1}}};
   const uint32_t planes = gpu_clip_outcode(&clipper, &corner[0]) |
                           gpu_clip_outcode(&clipper, &corner[1]);
   assert_true(gpu_clip_line(&clipper, planes, corner));
   assert_true(corner[0].x == 2 && corner[0].w == 1);
   assert_true(corner[1].w > 0);
   assert_true(corner[1].y / corner[1].w == GPU_GUARD_BAND);

   struct gpu_corner behind[2] = {{0, 0, 0, -1, {1, 0}}, {1, 1, 0, -2, {0, 1}}};
   assert_false(gpu_clip_line(&clipper, PLANES, behind));
}

/* Few different digits, far apart in size, next to planes: as many as can be
 * of the differences of such numbers are nothing but rounding. */
static struct vertex
strange_vertex(uint32_t *seed)
{
   struct vertex vertex = {{0}, {1, 1}};
   float *v = vertex.position;
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
   if (random_below(seed, 3) == 0)
      v[random_below(seed, 2)] = v[3] * GPU_GUARD_BAND;
   return vertex;
}

/* Rounding may put a corner of a sliver anywhere, and bend its outline. There
 * is room for what comes of it. */
static void
slivers_stay_within_bounds(void **test)
{
   (void)test;
   struct gpu_corner corner[2 * GPU_MAX_POLYGON];
   int num_left = 0;
   uint32_t seed = 8;
   for (int round = 0; round < 300000; round++) {
      struct gpu_clipper clipper = {.halfz = round & 1};
      const struct vertex a = strange_vertex(&seed), b = strange_vertex(&seed);
      const struct vertex c = strange_vertex(&seed);
      memset(corner + GPU_MAX_POLYGON, 0x5a, sizeof(*corner));
      const uint32_t count =
         clip(&clipper, (const struct vertex *[3]){&a, &b, &c}, corner);
      assert_in_range(count, 0, GPU_MAX_POLYGON);
      assert_true(((unsigned char *)(corner + GPU_MAX_POLYGON))[0] == 0x5a);
      for (uint32_t i = 0; i < count; i++) {
         assert_true(isfinite(corner[i].x) && isfinite(corner[i].y));
         num_left++;
      }
   }
   assert_true(num_left > 1000);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(neighbours_share_corners),
      cmocka_unit_test(what_is_left_is_inside_and_of_the_triangle),
      cmocka_unit_test(corners_at_infinity_keep_their_triangles),
      cmocka_unit_test(lines_are_clipped),
      cmocka_unit_test(slivers_stay_within_bounds),
   };
   return cmocka_run_group_tests_name("gpu: clip", tests, NULL, NULL);
}
