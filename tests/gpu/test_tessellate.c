/* SPDX-License-Identifier: MIT
 *
 * The tessellator: small patches by hand, and for many levels what must hold of
 * every patch: the triangles turn the right way, fill the domain and leave no
 * gap, and outer edges depend on their own level alone.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "gpu/geometry/tessellate.h"

static struct gpu_tess_patch patch, other;

static void
run(uint8_t domain, enum gpu_tess_spacing spacing, const float levels[6])
{
   const struct gpu_tess_mode mode = {.domain = domain, .spacing = spacing};
   struct gpu_tess_levels given;

   memcpy(given.outer, levels, sizeof(given.outer));
   memcpy(given.inner, levels + 4, sizeof(given.inner));
   gpu_tessellate(&mode, &given, &patch);
}

static void
expect_point(unsigned i, double u, double v, double w)
{
   assert_true(i < patch.num_points);
   assert_true(fabs(patch.coord[i][0] - u) < 1e-6);
   assert_true(fabs(patch.coord[i][1] - v) < 1e-6);
   assert_true(fabs(patch.coord[i][2] - w) < 1e-6);
}

/* Is there a point with these very coordinates? */
static bool
has_point(float u, float v, float w)
{
   for (uint32_t i = 0; i < patch.num_points; i++) {
      const float *coord = patch.coord[i];

      if (coord[0] == u && coord[1] == v && coord[2] == w)
         return true;
   }
   return false;
}

/* ---- by hand ------------------------------------------------------------- */

static void
test_one_triangle(void **state)
{
   (void)state;
   run(TG_PRIMITIVE_TRIANGLES, GPU_TESS_EQUAL, (float[6]){1, 1, 1, 0, 1, 0});
   assert_int_equal(patch.primitive, TG_PRIMITIVE_TRIANGLES);
   assert_int_equal(patch.num_points, 3);
   assert_int_equal(patch.num_indices, 3);
   expect_point(patch.index[0], 1, 0, 0);
   expect_point(patch.index[1], 0, 1, 0);
   expect_point(patch.index[2], 0, 0, 1);
   expect_point(0, 0, 1, 0);
   expect_point(2, 1, 0, 0);
}

/* Two segments inside: a centre, joined to each outer segment. Edges u = 0, v =
 * 0, w = 0 have 1, 2 and 4. The centre's w is 1 - u - v, rounded twice. */
static void
test_centre(void **state)
{
   (void)state;
   run(TG_PRIMITIVE_TRIANGLES, GPU_TESS_EQUAL, (float[6]){1, 2, 4, 0, 2, 0});
   assert_int_equal(patch.num_points, 3 + 0 + 1 + 3 + 1);
   assert_int_equal(patch.num_indices, 7 * 3);
   assert_true(has_point(0.5f, 0, 0.5f));
   assert_true(has_point(0.75f, 0.25f, 0));
   assert_true(has_point(0.5f, 0.5f, 0));
   assert_true(has_point(0.25f, 0.75f, 0));
   expect_point(patch.num_points - 1, 1 / 3.0, 1 / 3.0, 1 / 3.0);
   assert_true(has_point(0x1.555556p-2f, 0x1.555556p-2f, 0x1.555552p-2f));
}

/* Three segments inside: the inner triangle's corner is where the lines
 * perpendicular to two sides through their first thirds meet, 4/9 of the way
 * from corner to opposite side: (5/9, 2/9, 2/9). */
static void
test_inner_triangle(void **state)
{
   (void)state;
   run(TG_PRIMITIVE_TRIANGLES, GPU_TESS_EQUAL, (float[6]){1, 1, 1, 0, 3, 0});
   assert_int_equal(patch.num_points, 6);
   assert_int_equal(patch.num_indices, (6 + 1) * 3);
   expect_point(3, 2 / 9.0, 5 / 9.0, 2 / 9.0);
   expect_point(4, 2 / 9.0, 2 / 9.0, 5 / 9.0);
   expect_point(5, 5 / 9.0, 2 / 9.0, 2 / 9.0);
}

/* Quads: outer levels 1, 2, 1, 1 for u = 0, v = 0, u = 1, v = 1. An inner level
 * of 1 beside others counts as 2 where spacing is equal. */
static void
test_quads(void **state)
{
   (void)state;
   run(TG_PRIMITIVE_QUADS, GPU_TESS_EQUAL, (float[6]){1, 1, 1, 1, 1, 1});
   assert_int_equal(patch.num_points, 4);
   assert_int_equal(patch.num_indices, 6);
   run(TG_PRIMITIVE_QUADS, GPU_TESS_EQUAL, (float[6]){1, 2, 1, 1, 1, 1});
   assert_int_equal(patch.num_points, 5 + 1);
   assert_int_equal(patch.num_indices, 5 * 3);
   assert_true(has_point(0.5f, 0, 0));
   assert_true(has_point(0.5f, 0.5f, 0));
   run(TG_PRIMITIVE_QUADS, GPU_TESS_EQUAL, (float[6]){1, 1, 1, 1, 4, 3});
   assert_int_equal(patch.num_points, 4 + 3 * 2);
   expect_point(4, 1 / 4.0, 1 / 3.0, 0);
   expect_point(9, 3 / 4.0, 2 / 3.0, 0);
}

/* How many triangles have both points, which are those of an edge. */
static unsigned
num_triangles_at(const double from[2], const double to[2])
{
   unsigned count = 0;

   for (uint32_t i = 0; i < patch.num_indices; i += 3) {
      unsigned found = 0;

      for (unsigned k = 0; k < 3; k++) {
         const float *coord = patch.coord[patch.index[i + k]];

         found += fabs(coord[0] - from[0]) + fabs(coord[1] - from[1]) < 1e-6;
         found += fabs(coord[0] - to[0]) + fabs(coord[1] - to[1]) < 1e-6;
      }
      count += found == 2;
   }
   return count;
}

/* An inner level of 1 beside others counts as 3 in odd spacing, the first and
 * the last of which are nothing: the area inside is all of the patch. */
static void
test_inside_of_level_one(void **state)
{
   (void)state;
   run(TG_PRIMITIVE_QUADS, GPU_TESS_FRACTIONAL_ODD,
       (float[6]){1, 2, 1, 1, 1, 1});
   assert_int_equal(patch.num_points, 4 + 2 + 4);
   assert_int_equal(patch.num_indices, ((4 + 2) + 4 + 2) * 3);
   for (unsigned i = 0; i < 4; i++)
      assert_true(patch.coord[6 + i][0] == (float)(i & 1) &&
                  patch.coord[6 + i][1] == (float)(i >> 1));
   run(TG_PRIMITIVE_TRIANGLES, GPU_TESS_FRACTIONAL_ODD,
       (float[6]){1, 2, 1, 0, 1, 0});
   assert_int_equal(patch.num_points, 3 + 2 + 3);
   for (unsigned i = 5; i < 8; i++) {
      const float *coord = patch.coord[i];
      assert_true(coord[0] + coord[1] + coord[2] == 1.0f);
      assert_true(fmaxf(coord[0], fmaxf(coord[1], coord[2])) == 1.0f);
   }
}

/* An edge leads from each corner of a ring to that of the next one inside. */
static void
expect_joined_corners(unsigned columns, unsigned rows)
{
   const unsigned least = columns < rows ? columns : rows;

   run(TG_PRIMITIVE_QUADS, GPU_TESS_EQUAL,
       (float[6]){1, 2, 3, 4, (float)columns, (float)rows});
   for (unsigned ring = 1; ring + 1 <= least / 2; ring++) {
      for (unsigned corner = 0; corner < 4; corner++) {
         double at[2][2];

         for (unsigned i = 0; i < 2; i++) {
            const double u = (double)(ring + i) / columns;
            const double v = (double)(ring + i) / rows;

            at[i][0] = corner & 1 ? 1 - u : u;
            at[i][1] = corner & 2 ? 1 - v : v;
         }
         assert_int_equal(num_triangles_at(at[0], at[1]), 2);
      }
   }
}

static void
test_corners_of_rings(void **state)
{
   (void)state;
   for (unsigned n = 4; n <= 9; n++) {
      expect_joined_corners(n, n + 3);
      expect_joined_corners(n + 3, n);
   }
}

/* Level 3.5 in even spacing: 4 segments, the two in the middle 1/3.5 long, the
 * first and last what is left: (1 - 2/3.5) / 2. In odd spacing level 2: 3
 * segments, the middle 1/2, the others 1/4. Lines have equal distances whatever
 * the spacing, and none at v = 1. */
static void
test_lines(void **state)
{
   (void)state;
   run(TG_PRIMITIVE_LINES, GPU_TESS_FRACTIONAL_EVEN,
       (float[6]){2.5f, 3.5f, 0, 0, 0, 0});
   assert_int_equal(patch.primitive, TG_PRIMITIVE_LINES);
   assert_int_equal(patch.num_points, 3 * 5);
   assert_int_equal(patch.num_indices, 3 * 4 * 2);
   expect_point(1, (1 - 2 / 3.5) / 2, 0, 0);
   expect_point(2, 0.5, 0, 0);
   expect_point(3, (1 + 2 / 3.5) / 2, 0, 0);
   expect_point(5, 0, 1 / 3.0, 0);
   expect_point(14, 1, 2 / 3.0, 0);
   run(TG_PRIMITIVE_LINES, GPU_TESS_FRACTIONAL_ODD,
       (float[6]){1, 2, 0, 0, 0, 0});
   assert_int_equal(patch.num_points, 4);
   expect_point(1, 0.25, 0, 0);
   expect_point(2, 0.75, 0, 0);
}

static void
test_levels_out_of_range(void **state)
{
   (void)state;
   run(TG_PRIMITIVE_TRIANGLES, GPU_TESS_EQUAL, (float[6]){1, NAN, 1, 1, 1, 1});
   assert_int_equal(patch.num_points, 0);
   assert_int_equal(patch.num_indices, 0);
   run(TG_PRIMITIVE_QUADS, GPU_TESS_EQUAL, (float[6]){1, 1, 1, 0, 1, 1});
   assert_int_equal(patch.num_points, 0);
   run(TG_PRIMITIVE_LINES, GPU_TESS_EQUAL, (float[6]){-1, 1, 1, 1, 1, 1});
   assert_int_equal(patch.num_points, 0);

   /* Outer levels that a domain has not do not matter, nor does an inner NaN.
    */
   run(TG_PRIMITIVE_TRIANGLES, GPU_TESS_EQUAL,
       (float[6]){1, 1, 1, NAN, NAN, NAN});
   assert_int_equal(patch.num_indices, 3);

   run(TG_PRIMITIVE_QUADS, GPU_TESS_EQUAL,
       (float[6]){1e9f, 65, INFINITY, 64, INFINITY, 1e30f});
   assert_int_equal(patch.num_points, GPU_TESS_MAX_POINTS);
   assert_int_equal(patch.num_indices, GPU_TESS_MAX_INDICES);
   run(TG_PRIMITIVE_LINES, GPU_TESS_FRACTIONAL_ODD,
       (float[6]){100, 100, 0, 0, 0, 0});
   assert_int_equal(patch.num_points, 64 * 64);
}

static void
test_points(void **state)
{
   struct gpu_tess_mode mode = {
      .domain = TG_PRIMITIVE_QUADS,
      .spacing = GPU_TESS_EQUAL,
      .has_points = true,
   };
   const struct gpu_tess_levels levels = {{1, 1, 1, 1}, {2, 2}};

   (void)state;
   gpu_tessellate(&mode, &levels, &patch);
   assert_int_equal(patch.primitive, TG_PRIMITIVE_POINTS);
   assert_int_equal(patch.num_points, 5);
   assert_int_equal(patch.num_indices, 5);
   for (uint16_t i = 0; i < 5; i++)
      assert_int_equal(patch.index[i], i);
}

static void
test_winding(void **state)
{
   struct gpu_tess_mode mode = {
      .domain = TG_PRIMITIVE_TRIANGLES,
      .spacing = GPU_TESS_EQUAL,
      .is_clockwise = true,
   };
   const struct gpu_tess_levels levels = {{2, 3, 4, 0}, {5, 0}};

   (void)state;
   gpu_tessellate(&mode, &levels, &other);
   mode.is_clockwise = false;
   gpu_tessellate(&mode, &levels, &patch);
   assert_int_equal(other.num_indices, patch.num_indices);
   for (uint32_t i = 0; i < patch.num_indices; i += 3) {
      assert_int_equal(other.index[i], patch.index[i]);
      assert_int_equal(other.index[i + 1], patch.index[i + 2]);
      assert_int_equal(other.index[i + 2], patch.index[i + 1]);
   }
}

/* ---- of every patch ------------------------------------------------------ */

/* Twice the area in u and v, positive when counterclockwise. */
static double
area2(const uint16_t index[3])
{
   const float *a = patch.coord[index[0]];
   const float *b = patch.coord[index[1]];
   const float *c = patch.coord[index[2]];

   return ((double)b[0] - a[0]) * ((double)c[1] - a[1]) -
          ((double)c[0] - a[0]) * ((double)b[1] - a[1]);
}

static bool
is_on_outline(uint8_t domain, uint16_t a, uint16_t b)
{
   const float *p = patch.coord[a], *q = patch.coord[b];

   for (unsigned c = 0; c < 3; c++) {
      if (domain == TG_PRIMITIVE_QUADS && c == 2)
         continue;
      if (p[c] == 0.0f && q[c] == 0.0f)
         return true;
      if (domain == TG_PRIMITIVE_QUADS && p[c] == 1.0f && q[c] == 1.0f)
         return true;
   }
   return false;
}

/* How often each directed edge occurs. */
static uint8_t edges[GPU_TESS_MAX_POINTS][GPU_TESS_MAX_POINTS];

static void
check_edges(uint8_t domain)
{
   memset(edges, 0, sizeof(edges));
   for (uint32_t i = 0; i < patch.num_indices; i++) {
      const uint32_t next = i % 3 == 2 ? i - 2 : i + 1;

      edges[patch.index[i]][patch.index[next]]++;
   }
   for (uint32_t i = 0; i < patch.num_indices; i++) {
      const uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
      const uint16_t a = patch.index[i], b = patch.index[next];

      assert_int_equal(edges[a][b], 1);
      if (!edges[b][a])
         assert_true(is_on_outline(domain, a, b));
   }
}

static void
check_patch(uint8_t domain)
{
   double total = 0;

   for (uint32_t i = 0; i < patch.num_indices; i++)
      assert_true(patch.index[i] < patch.num_points);
   for (uint32_t i = 0; i < patch.num_indices; i += 3) {
      const double area = area2(&patch.index[i]);

      assert_true(area > -1e-6); /* of slivers rounding decides */
      total += area;
   }
   assert_true(fabs(total - (domain == TG_PRIMITIVE_QUADS ? 2 : 1)) < 1e-4);
   for (uint32_t i = 0; i < patch.num_points; i++) {
      const float *coord = patch.coord[i];
      const double sum = (double)coord[0] + coord[1] + coord[2];

      for (unsigned c = 0; c < 3; c++)
         assert_true(coord[c] >= 0.0f && coord[c] <= 1.0f);
      if (domain == TG_PRIMITIVE_TRIANGLES)
         assert_true(fabs(sum - 1) < 1e-6);
   }
   check_edges(domain);
}

static uint32_t
next_random(uint32_t *seed)
{
   *seed = *seed * 1664525 + 1013904223;
   return *seed >> 8;
}

static void
test_many(void **state)
{
   uint32_t seed = 7;

   (void)state;
   for (unsigned i = 0; i < 600; i++) {
      const uint8_t domain =
         i % 2 ? TG_PRIMITIVE_QUADS : TG_PRIMITIVE_TRIANGLES;
      const uint32_t most = i % 7 == 0 ? 66 : 9;
      float levels[6];

      for (unsigned k = 0; k < 6; k++) {
         levels[k] = (float)(next_random(&seed) % (most * 8) + 1) / 8.0f;
         if (next_random(&seed) % 4 == 0)
            levels[k] = ceilf(levels[k]);
      }
      run(domain, (enum gpu_tess_spacing)(i / 2 % 3), levels);
      check_patch(domain);
   }
}

/* ---- neighbours ---------------------------------------------------------- */

/* All points of an outer edge, by where they lie along it, in the order in
 * which they stand. */
static uint32_t
edge_of_quad(unsigned across, float value, float at[GPU_TESS_MAX_LEVEL + 1])
{
   uint32_t num = 0;

   for (uint32_t i = 0; i < patch.num_points; i++) {
      if (patch.coord[i][across] == value)
         at[num++] = patch.coord[i][1 - across];
   }
   return num;
}

/* The edge u = 0 of any patch with its level there has the same points as the
 * edge u = 1 of another one with that level there; and each point's mirror
 * image is one too. */
static void
test_neighbours(void **state)
{
   (void)state;
   for (unsigned i = 1; i < 64 * 4; i++) {
      const enum gpu_tess_spacing spacing = i % 3;
      const float level = (float)i / 4.0f;
      float left[GPU_TESS_MAX_LEVEL + 1], right[GPU_TESS_MAX_LEVEL + 1];

      run(TG_PRIMITIVE_QUADS, spacing, (float[6]){level, 3, 5, 2, 7, 4});
      const uint32_t num_left = edge_of_quad(0, 0.0f, left);
      run(TG_PRIMITIVE_QUADS, spacing, (float[6]){2, 1, level, 9, 3, 12});
      const uint32_t num_right = edge_of_quad(0, 1.0f, right);

      assert_int_equal(num_left, num_right);
      for (uint32_t k = 0; k < num_left; k++) {
         bool found = false, found_mirrored = false;

         for (uint32_t l = 0; l < num_right; l++) {
            found |= left[k] == right[l];
            found_mirrored |= 1.0f - left[k] == right[l];
         }
         assert_true(found && found_mirrored);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_triangle),
      cmocka_unit_test(test_centre),
      cmocka_unit_test(test_inner_triangle),
      cmocka_unit_test(test_quads),
      cmocka_unit_test(test_inside_of_level_one),
      cmocka_unit_test(test_corners_of_rings),
      cmocka_unit_test(test_lines),
      cmocka_unit_test(test_levels_out_of_range),
      cmocka_unit_test(test_points),
      cmocka_unit_test(test_winding),
      cmocka_unit_test(test_many),
      cmocka_unit_test(test_neighbours),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
