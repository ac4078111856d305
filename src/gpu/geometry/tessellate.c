/* SPDX-License-Identifier: MIT
 *
 * The fixed-function tessellator. A triangle is rings in each other, a quad is
 * a grid; in both the outermost strip joins an outer edge, which has points of
 * its own, to what is inside. Everything is made counterclockwise in u and v;
 * the order is turned round at the end if the mode says so.
 */
#include "gpu/geometry/tessellate.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "util/length.h"

/* Where an edge is cut: `at` has num + 1 numbers from 0 to 1. */
struct division {
   uint32_t num;
   float at[GPU_TESS_MAX_LEVEL + 1];
};

/* Points along a side, as numbers of points, in counterclockwise order. */
struct side {
   uint32_t num;
   uint16_t point[GPU_TESS_MAX_LEVEL + 1];
};

/* ---- levels -------------------------------------------------------------- */

/* Holds a level to the range of a spacing; NaN becomes its least. */
static float
clamp_level(enum gpu_tess_spacing spacing, float level)
{
   const float least = spacing == GPU_TESS_FRACTIONAL_EVEN ? 2.0f : 1.0f;
   const float most = spacing == GPU_TESS_FRACTIONAL_ODD
                         ? GPU_TESS_MAX_LEVEL - 1
                         : GPU_TESS_MAX_LEVEL;

   if (!(level > least))
      return least;
   return level < most ? level : most;
}

/* The segments for a level in range: the next whole number up of the kind that
 * the spacing asks for. */
static uint32_t
count_segments(enum gpu_tess_spacing spacing, float level)
{
   const uint32_t num = (uint32_t)ceilf(level);

   if (spacing == GPU_TESS_FRACTIONAL_ODD)
      return num | 1;
   return spacing == GPU_TESS_FRACTIONAL_EVEN ? num + (num & 1) : num;
}

/* The nearest multiple of 2^-24. */
static float
quantize(double x)
{
   return (float)(rint(x * 0x1p24) * 0x1p-24);
}

/* All segments are equal but, where the level is no whole number, the first
 * and the last: they grow from nothing as the level goes up. The second half
 * mirrors the first, exactly. Where there has to be an inside, a level of 1
 * counts as the least that is more: there are at least two segments, or three
 * in odd spacing, of which the first and the last are nothing. */
static void
divide(enum gpu_tess_spacing spacing, float level, bool has_inside,
       struct division *out)
{
   const uint32_t least = spacing == GPU_TESS_FRACTIONAL_ODD ? 3 : 2;
   const uint32_t count = count_segments(spacing, level);
   const uint32_t num = has_inside && count < least ? least : count;
   const double width = spacing == GPU_TESS_EQUAL ? 1.0 / num : 1.0 / level;
   const double first = (1.0 - width * (num - 2.0)) / 2.0;

   out->num = num;
   for (uint32_t i = 0; i <= num; i++) {
      const uint32_t nearer = i * 2 <= num ? i : num - i;
      const float at =
         nearer == 0 ? 0.0f : quantize(first + width * (nearer - 1.0));

      out->at[i] = nearer == i ? at : 1.0f - at;
   }
   if (num % 2 == 0)
      out->at[num / 2] = 0.5f;
}

/* ---- points and triangles ------------------------------------------------ */

static uint16_t
add_point(struct gpu_tess_patch *patch, float u, float v, float w)
{
   float *coord = patch->coord[patch->num_points];

   coord[0] = u;
   coord[1] = v;
   coord[2] = w;
   return (uint16_t)patch->num_points++;
}

static void
add_triangle(struct gpu_tess_patch *patch, uint16_t a, uint16_t b, uint16_t c)
{
   uint16_t *index = &patch->index[patch->num_indices];

   index[0] = a;
   index[1] = b;
   index[2] = c;
   patch->num_indices += 3;
}

static void
add_to_side(struct side *side, uint16_t point)
{
   side->point[side->num++] = point;
}

/* Fills the strip between two sides that run the same way, `inner` to the left
 * of `outer`. Whichever side's next segment has its middle further back goes
 * first. */
static void
join(struct gpu_tess_patch *patch, const struct side *outer,
     const struct side *inner)
{
   const uint32_t num_outer = outer->num - 1;
   const uint32_t num_inner = inner->num - 1;
   uint32_t i = 0, j = 0;

   while (i < num_outer || j < num_inner) {
      const bool is_outer =
         j == num_inner ||
         (i < num_outer && (2 * i + 1) * num_inner <= (2 * j + 1) * num_outer);

      if (is_outer) {
         add_triangle(patch, outer->point[i], outer->point[i + 1],
                      inner->point[j]);
         i++;
      } else {
         add_triangle(patch, outer->point[i], inner->point[j + 1],
                      inner->point[j]);
         j++;
      }
   }
}

/* ---- triangles ----------------------------------------------------------- */

/* Side s of a ring goes from corner s to the next, corners being u = 1, v = 1
 * and w = 1. A point at `at` between them, `height` above the edge. */
static uint16_t
add_ring_point(struct gpu_tess_patch *patch, unsigned s, float at, float height)
{
   float coord[3];

   assert(s < TG_LENGTH(coord));
   coord[s] = 1.0f - at - height / 2.0f;
   coord[(s + 1) % 3] = at - height / 2.0f;
   coord[(s + 2) % 3] = height;
   return add_point(patch, coord[0], coord[1], coord[2]);
}

/* A ring from points `skip` to num - `skip` of a division for each side. The
 * corner of a ring is where the perpendiculars through the first of these
 * points on its two sides meet. Points are numbered from the corner at v = 1
 * on, as Direct3D's tessellator numbers them: in point mode that is the order
 * of drawing. */
static void
add_ring(struct gpu_tess_patch *patch, const struct division *const division[3],
         uint32_t skip, struct side sides[3])
{
   for (unsigned i = 0; i < 3; i++) {
      const unsigned s = (i + 1) % 3;
      const struct division *d = division[s];
      assert(skip < TG_LENGTH(d->at));
      const float height = 2.0f * d->at[skip] / 3.0f;

      sides[s].num = 0;
      for (uint32_t j = skip; j < d->num - skip; j++)
         add_to_side(&sides[s], add_ring_point(patch, s, d->at[j], height));
   }
   for (unsigned s = 0; s < 3; s++)
      add_to_side(&sides[s], sides[(s + 1) % 3].point[0]);
}

static void
add_centre(struct gpu_tess_patch *patch, struct side sides[3])
{
   const float third = 1.0f / 3.0f;
   const uint16_t centre = add_point(patch, third, third, 1.0f - third - third);

   for (unsigned s = 0; s < 3; s++)
      sides[s] = (struct side){.num = 1, .point = {centre}};
}

static void
tessellate_triangle(const struct division outer[3],
                    const struct division *inner, struct gpu_tess_patch *patch)
{
   /* Sides from u = 1 to v = 1, to w = 1, and back lie on w, u and v = 0. */
   const struct division *const outers[3] = {&outer[2], &outer[0], &outer[1]};
   const struct division *const inners[3] = {inner, inner, inner};
   struct side sides[2][3];
   struct side *outside = sides[0], *inside = sides[1];

   add_ring(patch, outers, 0, outside);
   for (uint32_t skip = 1; skip * 2 <= inner->num; skip++) {
      struct side *const swap = outside;

      if (skip * 2 < inner->num)
         add_ring(patch, inners, skip, inside);
      else
         add_centre(patch, inside);
      for (unsigned s = 0; s < 3; s++)
         join(patch, &outside[s], &inside[s]);
      outside = inside;
      inside = swap;
   }
   if (inner->num % 2 == 1)
      add_triangle(patch, outside[0].point[0], outside[1].point[0],
                   outside[2].point[0]);
}

/* ---- quads --------------------------------------------------------------- */

/* The outer edges, counterclockwise from the origin: v = 0, u = 1, v = 1, u =
 * 0.
 */
static void
add_quad_outline(struct gpu_tess_patch *patch, const struct division outer[4],
                 struct side sides[4])
{
   static const uint8_t level_of_side[4] = {1, 2, 3, 0};

   for (unsigned s = 0; s < 4; s++) {
      const struct division *d = &outer[level_of_side[s]];

      sides[s].num = 0;
      for (uint32_t i = 0; i < d->num; i++) {
         const float at = s < 2 ? d->at[i] : d->at[d->num - i];
         const float across = s == 1 || s == 2 ? 1.0f : 0.0f;
         const bool along_u = s % 2 == 0;

         add_to_side(&sides[s], add_point(patch, along_u ? at : across,
                                          along_u ? across : at, 0.0f));
      }
   }
   for (unsigned s = 0; s < 4; s++)
      add_to_side(&sides[s], sides[(s + 1) % 4].point[0]);
}

/* The sides of the inner grid, whose columns - 1 by rows - 1 points begin at
 * `first`, row by row. */
static void
find_grid_sides(uint16_t first, uint32_t columns, uint32_t rows,
                struct side sides[4])
{
   const uint32_t width = columns - 1, height = rows - 1;

   for (unsigned s = 0; s < 4; s++)
      sides[s].num = 0;
   for (uint32_t i = 0; i < width; i++) {
      add_to_side(&sides[0], (uint16_t)(first + i));
      add_to_side(&sides[2], (uint16_t)(first + width * height - 1 - i));
   }
   for (uint32_t j = 0; j < height; j++) {
      add_to_side(&sides[1], (uint16_t)(first + width * (j + 1) - 1));
      add_to_side(&sides[3], (uint16_t)(first + width * (height - 1 - j)));
   }
}

/* A cell of the grid, split from a to d or from b to c: points a and b are of
 * one row, c and d of the next. */
static void
add_cell(struct gpu_tess_patch *patch, uint16_t a, uint16_t b, uint16_t c,
         uint16_t d, bool is_from_a)
{
   if (is_from_a) {
      add_triangle(patch, a, b, d);
      add_triangle(patch, a, d, c);
   } else {
      add_triangle(patch, a, b, c);
      add_triangle(patch, b, d, c);
   }
}

/* Diagonals of cells lead to the centre, so that corners of rings are joined,
 * as in Direct3D's tessellator; OpenGL leaves it open. */
static void
add_grid(struct gpu_tess_patch *patch, const struct division inner[2])
{
   const uint32_t width = inner[0].num - 1;
   const uint16_t first = (uint16_t)patch->num_points;

   for (uint32_t j = 1; j < inner[1].num; j++) {
      for (uint32_t i = 1; i < inner[0].num; i++)
         add_point(patch, inner[0].at[i], inner[1].at[j], 0.0f);
   }
   for (uint32_t j = 2; j < inner[1].num; j++) {
      for (uint32_t i = 2; i < inner[0].num; i++) {
         const uint16_t a = (uint16_t)(first + (j - 2) * width + (i - 2));
         const uint16_t c = (uint16_t)(a + width);
         const bool is_left = 2 * i <= inner[0].num;
         const bool is_low = 2 * j <= inner[1].num;

         add_cell(patch, a, (uint16_t)(a + 1), c, (uint16_t)(c + 1),
                  is_left == is_low);
      }
   }
}

static void
tessellate_quad(const struct division outer[4], const struct division inner[2],
                struct gpu_tess_patch *patch)
{
   struct side outside[4], inside[4];

   add_quad_outline(patch, outer, outside);
   if (inner[0].num == 1) { /* then all levels are 1 */
      add_triangle(patch, 0, 1, 2);
      add_triangle(patch, 0, 2, 3);
      return;
   }
   const uint16_t first = (uint16_t)patch->num_points;
   add_grid(patch, inner);
   find_grid_sides(first, inner[0].num, inner[1].num, inside);
   for (unsigned s = 0; s < 4; s++)
      join(patch, &outside[s], &inside[s]);
}

/* ---- lines --------------------------------------------------------------- */

static void
tessellate_lines(const struct division *lines, const struct division *segments,
                 struct gpu_tess_patch *patch)
{
   for (uint32_t j = 0; j < lines->num; j++) {
      for (uint32_t i = 0; i <= segments->num; i++) {
         const uint16_t point =
            add_point(patch, segments->at[i], lines->at[j], 0.0f);

         if (i == 0)
            continue;
         patch->index[patch->num_indices++] = (uint16_t)(point - 1);
         patch->index[patch->num_indices++] = point;
      }
   }
}

/* ---- the patch ----------------------------------------------------------- */

static unsigned
num_outer_levels(const struct gpu_tess_mode *mode)
{
   if (mode->domain == TG_PRIMITIVE_LINES)
      return 2;
   return mode->domain == TG_PRIMITIVE_QUADS ? 4 : 3;
}

static bool
is_discarded(const struct gpu_tess_mode *mode,
             const struct gpu_tess_levels *levels)
{
   for (unsigned i = 0; i < num_outer_levels(mode); i++) {
      if (!(levels->outer[i] > 0.0f))
         return true;
   }
   return false;
}

/* Divisions of the outer and inner edges. Where not all levels are 1 there is
 * an inside to join the outer edges to. */
static void
divide_area(const struct gpu_tess_mode *mode,
            const struct gpu_tess_levels *levels, struct division outer[4],
            struct division inner[2])
{
   const enum gpu_tess_spacing spacing = mode->spacing;
   const unsigned num_inner = mode->domain == TG_PRIMITIVE_QUADS ? 2 : 1;
   float level[2];
   bool has_one_segment = true;

   for (unsigned i = 0; i < num_outer_levels(mode); i++) {
      divide(spacing, clamp_level(spacing, levels->outer[i]), false, &outer[i]);
      has_one_segment &= outer[i].num == 1;
   }
   for (unsigned i = 0; i < num_inner; i++) {
      level[i] = clamp_level(spacing, levels->inner[i]);
      has_one_segment &= level[i] == 1.0f;
   }
   for (unsigned i = 0; i < num_inner; i++)
      divide(spacing, level[i], !has_one_segment, &inner[i]);
}

static void
join_nothing(struct gpu_tess_patch *patch)
{
   patch->primitive = TG_PRIMITIVE_POINTS;
   patch->num_indices = patch->num_points;
   for (uint32_t i = 0; i < patch->num_points; i++)
      patch->index[i] = (uint16_t)i;
}

static void
turn_round(struct gpu_tess_patch *patch)
{
   for (uint32_t i = 0; i < patch->num_indices; i += 3) {
      const uint16_t second = patch->index[i + 1];

      patch->index[i + 1] = patch->index[i + 2];
      patch->index[i + 2] = second;
   }
}

void
gpu_tessellate(const struct gpu_tess_mode *mode,
               const struct gpu_tess_levels *levels,
               struct gpu_tess_patch *patch)
{
   const bool has_lines = mode->domain == TG_PRIMITIVE_LINES;
   struct division outer[4], inner[2];

   patch->num_points = patch->num_indices = 0;
   patch->primitive = has_lines ? TG_PRIMITIVE_LINES : TG_PRIMITIVE_TRIANGLES;
   if (is_discarded(mode, levels))
      return;

   if (has_lines) {
      divide(GPU_TESS_EQUAL, clamp_level(GPU_TESS_EQUAL, levels->outer[0]),
             false, &outer[0]);
      divide(mode->spacing, clamp_level(mode->spacing, levels->outer[1]), false,
             &outer[1]);
      tessellate_lines(&outer[0], &outer[1], patch);
   } else {
      divide_area(mode, levels, outer, inner);
      if (mode->domain == TG_PRIMITIVE_QUADS)
         tessellate_quad(outer, inner, patch);
      else
         tessellate_triangle(outer, &inner[0], patch);
      if (mode->is_clockwise)
         turn_round(patch);
   }
   if (mode->has_points)
      join_nothing(patch);
}
