/* SPDX-License-Identifier: MIT
 *
 * Polygon clipping by Sutherland and Hodgman, one plane after the other. A new
 * corner is always computed from the end of the edge that is inside, so that it
 * does not depend on the direction in which a triangle runs along its edge.
 */
#include "gpu/setup/clip.h"

#include <assert.h>
#include <string.h>

static double
user_distance(const struct gpu_clipper *clipper, unsigned plane,
              const struct gpu_corner *corner)
{
   double distance = 0.0;
   for (unsigned i = 0; i < 3; i++)
      distance += corner->share[i] * clipper->distance[i][plane];
   return distance;
}

/* Not negative inside. Doubles, so that no difference overflows. Of a plane
 * that is known a subtraction. */
static inline __attribute__((always_inline)) double
distance(const struct gpu_clipper *clipper, unsigned plane,
         const struct gpu_corner *corner)
{
   switch (plane) {
   case GPU_CLIP_W: return corner->w - GPU_CLIP_LEAST_W;
   case GPU_CLIP_LEFT: return GPU_GUARD_BAND * corner->w + corner->x;
   case GPU_CLIP_RIGHT: return GPU_GUARD_BAND * corner->w - corner->x;
   case GPU_CLIP_TOP: return GPU_GUARD_BAND * corner->w + corner->y;
   case GPU_CLIP_BOTTOM: return GPU_GUARD_BAND * corner->w - corner->y;
   case GPU_CLIP_NEAR:
      return clipper->halfz ? corner->z : corner->w + corner->z;
   case GPU_CLIP_FAR: return corner->w - corner->z;
   default: return user_distance(clipper, plane - GPU_CLIP_USER, corner);
   }
}

uint32_t
gpu_clip_outcode(const struct gpu_clipper *clipper,
                 const struct gpu_corner *corner)
{
   const uint32_t planes = clipper->planes;
   uint32_t code = 0;
#pragma GCC unroll 8
   for (unsigned plane = 0; plane < GPU_CLIP_USER; plane++)
      code |= (uint32_t)(distance(clipper, plane, corner) < 0.0) << plane;
   for (unsigned plane = GPU_CLIP_USER; planes >> plane; plane++)
      code |= (uint32_t)(distance(clipper, plane, corner) < 0.0) << plane;
   return code & planes;
}

/* Never beyond a or b, however far apart they are: w stays positive. */
static double
mix(double a, double b, double t)
{
   const double mixed = a + t * (b - a);
   const double low = a < b ? a : b, high = a < b ? b : a;
   return mixed < low ? low : mixed > high ? high : mixed;
}

/* Puts a corner on the plane exactly, so that no rounding leaves it outside. */
static void
snap(const struct gpu_clipper *clipper, unsigned plane,
     struct gpu_corner *corner)
{
   switch (plane) {
   case GPU_CLIP_W: corner->w = GPU_CLIP_LEAST_W; break;
   case GPU_CLIP_LEFT: corner->x = -GPU_GUARD_BAND * corner->w; break;
   case GPU_CLIP_RIGHT: corner->x = GPU_GUARD_BAND * corner->w; break;
   case GPU_CLIP_TOP: corner->y = -GPU_GUARD_BAND * corner->w; break;
   case GPU_CLIP_BOTTOM: corner->y = GPU_GUARD_BAND * corner->w; break;
   case GPU_CLIP_NEAR: corner->z = clipper->halfz ? 0.0 : -corner->w; break;
   case GPU_CLIP_FAR: corner->z = corner->w; break;
   default: break;
   }
}

/* Where the edge from `inside` to `outside` meets a plane, of which they are
 * so far away. */
static struct gpu_corner
meet(const struct gpu_clipper *clipper, unsigned plane,
     const struct gpu_corner *inside, double inside_distance,
     const struct gpu_corner *outside, double outside_distance)
{
   const double t = inside_distance / (inside_distance - outside_distance);
   struct gpu_corner corner = {
      .x = mix(inside->x, outside->x, t),
      .y = mix(inside->y, outside->y, t),
      .z = mix(inside->z, outside->z, t),
      .w = mix(inside->w, outside->w, t),
   };
   for (unsigned i = 0; i < 3; i++)
      corner.share[i] = mix(inside->share[i], outside->share[i], t);
   snap(clipper, plane, &corner);
   return corner;
}

/* Cuts off what is outside of a plane; returns the corners that are left.
 * Rounding may bend a sliver's outline so that it crosses the plane more than
 * twice: then nothing is left. */
static uint32_t
clip_plane(const struct gpu_clipper *clipper, unsigned plane,
           struct gpu_corner corner[GPU_MAX_POLYGON], uint32_t count)
{
   assert(count < GPU_MAX_POLYGON);
   struct gpu_corner from[GPU_MAX_POLYGON];
   double away[GPU_MAX_POLYGON];
   uint32_t num_out = 0, num_crossings = 0;
   memcpy(from, corner, count * sizeof(*from));
   for (uint32_t i = 0; i < count; i++)
      away[i] = distance(clipper, plane, &from[i]);
   for (uint32_t a = 0; a < count; a++) {
      const uint32_t b = (a + 1) % count;
      const bool a_inside = away[a] >= 0.0, b_inside = away[b] >= 0.0;
      if (a_inside)
         corner[num_out++] = from[a];
      if (a_inside == b_inside)
         continue;
      if (++num_crossings > 2)
         return 0;
      const uint32_t in = a_inside ? a : b, out = a_inside ? b : a;
      corner[num_out++] =
         meet(clipper, plane, &from[in], away[in], &from[out], away[out]);
   }
   return num_out;
}

uint32_t
gpu_clip_polygon(const struct gpu_clipper *clipper, uint32_t planes,
                 struct gpu_corner corner[GPU_MAX_POLYGON], uint32_t count)
{
   for (unsigned plane = 0; planes >> plane && count; plane++) {
      if (planes >> plane & 1)
         count = clip_plane(clipper, plane, corner, count);
   }
   return count < 3 ? 0 : count;
}

bool
gpu_clip_line(const struct gpu_clipper *clipper, uint32_t planes,
              struct gpu_corner corner[2])
{
   for (unsigned plane = 0; planes >> plane; plane++) {
      if (!(planes >> plane & 1))
         continue;
      const double away[2] = {distance(clipper, plane, &corner[0]),
                              distance(clipper, plane, &corner[1])};
      const bool is_inside[2] = {away[0] >= 0.0, away[1] >= 0.0};
      if (!is_inside[0] && !is_inside[1])
         return false;
      if (is_inside[0] && is_inside[1])
         continue;
      const unsigned in = is_inside[0] ? 0 : 1, out = 1 - in;
      corner[out] =
         meet(clipper, plane, &corner[in], away[in], &corner[out], away[out]);
   }
   return true;
}
