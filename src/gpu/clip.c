/* SPDX-License-Identifier: MIT
 *
 * Sutherland and Hodgman's algorithm, one plane after the other. A new vertex
 * is always computed from the end of the edge that is inside, so that it does
 * not depend on the direction in which a triangle runs along its edge.
 */
#include "gpu/clip.h"

#include <math.h>
#include <string.h>

/* The planes in pairs: -w <= x, x <= w, and so on. */
static bool
is_upper(unsigned plane)
{
   return plane & 1;
}

/* Not negative inside. Doubles, so that no difference overflows. */
static double
distance(const struct gpu_clipper *clipper, unsigned plane, const float *v)
{
   const float *position = v + clipper->interface->position * 4;
   const double coordinate = position[plane / 2];
   const double w = position[3];
   if (is_upper(plane))
      return w - coordinate;
   if (plane / 2 == 2 && clipper->halfz)
      return coordinate;
   return w + coordinate;
}

static float
mix(float a, float b, double t)
{
   return (float)(a + t * ((double)b - a));
}

/* Puts the position on the plane exactly, so that no rounding leaves it
 * outside. */
static void
snap(const struct gpu_clipper *clipper, unsigned plane, float *record)
{
   float *v = record + clipper->interface->position * 4;
   if (is_upper(plane))
      v[plane / 2] = v[3];
   else if (plane / 2 == 2 && clipper->halfz)
      v[2] = 0.0f;
   else
      v[plane / 2] = -v[3];
}

/* The vertex where the edge from `inside` to `outside` meets a plane. What is
 * linear on the screen is mixed by the share of the projected edge. */
static const float *
make_vertex(struct gpu_clipper *clipper, unsigned plane, const float *inside,
            const float *outside)
{
   const struct gpu_interface *interface = clipper->interface;
   float *v = clipper->made[clipper->num_made++];
   const double d0 = distance(clipper, plane, inside);
   const double d1 = distance(clipper, plane, outside);
   const double t = d0 / (d0 - d1);
   const unsigned position = interface->position * 4;
   for (unsigned i = position; i < position + 4; i++)
      v[i] = mix(inside[i], outside[i], t);
   snap(clipper, plane, v);

   const float w = v[position + 3];
   const double screen_t = w > 0.0f ? t * outside[position + 3] / w : t;
   for (uint32_t i = 0; i < interface->num_attributes; i++) {
      if (interface->interpolation[i] == GPU_INTERPOLATE_CONSTANT ||
          interface->output[i] == GPU_NO_REGISTER ||
          interface->output[i] == interface->position)
         continue;
      const bool is_linear =
         interface->interpolation[i] == GPU_INTERPOLATE_LINEAR;
      for (unsigned c = 0; c < 4; c++) {
         const unsigned word = interface->output[i] * 4u + c;
         v[word] = mix(inside[word], outside[word], is_linear ? screen_t : t);
      }
   }
   return v;
}

/* Cuts off what is outside of a plane; returns the corners that are left.
 * Rounding may bend a sliver's outline so that it crosses the plane more than
 * twice: then nothing is left. */
static uint32_t
clip_plane(struct gpu_clipper *clipper, unsigned plane,
           const float *polygon[GPU_MAX_POLYGON], uint32_t count)
{
   const float *from[GPU_MAX_POLYGON];
   uint32_t num_out = 0, num_crossings = 0;
   memcpy(from, polygon, count * sizeof(*from));
   for (uint32_t i = 0; i < count; i++) {
      const float *a = from[i];
      const float *b = from[(i + 1) % count];
      const bool a_inside = distance(clipper, plane, a) >= 0.0;
      const bool b_inside = distance(clipper, plane, b) >= 0.0;
      if (a_inside)
         polygon[num_out++] = a;
      if (a_inside == b_inside)
         continue;
      if (++num_crossings > 2)
         return 0;
      polygon[num_out++] = a_inside ? make_vertex(clipper, plane, a, b)
                                    : make_vertex(clipper, plane, b, a);
   }
   return num_out;
}

static bool
is_finite(const struct gpu_clipper *clipper, const float *record)
{
   const float *v = record + clipper->interface->position * 4;
   return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]) && isfinite(v[3]);
}

/* Bit i: outside of plane i. */
static unsigned
outcode(const struct gpu_clipper *clipper, const float *v)
{
   unsigned code = 0;
   for (unsigned plane = 0; plane < GPU_NUM_CLIP_PLANES; plane++)
      code |= (unsigned)(distance(clipper, plane, v) < 0.0) << plane;
   return code;
}

uint32_t
gpu_clip_triangle(struct gpu_clipper *clipper, const float *const triangle[3],
                  const float *polygon_out[GPU_MAX_POLYGON])
{
   unsigned any = 0, all = ~0u;
   uint32_t count = 3;
   clipper->num_made = 0;
   for (unsigned i = 0; i < 3; i++) {
      if (!is_finite(clipper, triangle[i]))
         return 0;
      const unsigned code = outcode(clipper, triangle[i]);
      any |= code;
      all &= code;
      polygon_out[i] = triangle[i];
   }
   if (all)
      return 0;
   for (unsigned plane = 0; plane < GPU_NUM_CLIP_PLANES && count; plane++) {
      if (any >> plane & 1)
         count = clip_plane(clipper, plane, polygon_out, count);
   }
   for (uint32_t i = 0; i < count; i++) {
      if (!(polygon_out[i][clipper->interface->position * 4 + 3] > 0.0f))
         return 0;
   }
   return count < 3 ? 0 : count;
}
