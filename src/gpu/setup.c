/* SPDX-License-Identifier: MIT
 *
 * Edges and planes. Edges are exact. Planes are worked out in doubles from the
 * same rounded positions, and rounded to floats once.
 */
#include "gpu/setup.h"

#include <math.h>
#include <string.h>

enum {
   SUBPIXELS = 1 << GPU_SUBPIXEL_BITS,
   HALF = SUBPIXELS / 2,
};

/* ---- positions ----------------------------------------------------------- */

/* What clipping left is within [-1, 1], but for its rounding: where large
 * coordinates cancel out, that may be anything. */
static double
to_window(const struct tg_viewport *viewport, const float *position, unsigned i)
{
   const double quotient = (double)position[i] / position[3];
   const double ndc = fmin(fmax(quotient, -1.0), 1.0);
   return ndc * viewport->scale[i] + viewport->translate[i];
}

/* To the nearest, halves up. */
static int32_t
to_fixed(double coordinate)
{
   return (int32_t)floor(coordinate * SUBPIXELS + 0.5);
}

struct gpu_window_vertex
gpu_window_vertex(const struct tg_viewport *viewport,
                  const struct gpu_interface *interface, const float *record)
{
   const float *position = record + interface->position * 4;
   return (struct gpu_window_vertex){
      .x = to_fixed(to_window(viewport, position, 0)),
      .y = to_fixed(to_window(viewport, position, 1)),
      .z = to_window(viewport, position, 2),
      .reciprocal_w = 1.0 / position[3],
      .record = record,
   };
}

int64_t
gpu_area(const struct gpu_window_vertex v[3])
{
   const int64_t dx1 = (int64_t)v[1].x - v[0].x;
   const int64_t dy1 = (int64_t)v[1].y - v[0].y;
   const int64_t dx2 = (int64_t)v[2].x - v[0].x;
   const int64_t dy2 = (int64_t)v[2].y - v[0].y;
   return dx1 * dy2 - dx2 * dy1;
}

/* ---- edges --------------------------------------------------------------- */

/* The edge from p to q of a clockwise triangle. Its inside is to the right of
 * a left edge and below a top edge; only these two own the pixels on them. */
static struct gpu_edge
make_edge(const struct gpu_window_vertex *p, const struct gpu_window_vertex *q)
{
   const int64_t a = (int64_t)p->y - q->y;
   const int64_t b = (int64_t)q->x - p->x;
   const bool is_left = a > 0;
   const bool is_top = a == 0 && b > 0;
   const int64_t at_centre = a * (HALF - p->x) + b * (HALF - p->y);
   return (struct gpu_edge){
      .dx = a * SUBPIXELS,
      .dy = b * SUBPIXELS,
      .c = at_centre - (is_left || is_top ? 0 : 1),
   };
}

/* The first pixel whose centre is at or behind a coordinate, and the last one
 * whose centre is at or before it. Shifts round down. */
static int32_t
first_pixel(int32_t fixed)
{
   return (fixed - HALF + SUBPIXELS - 1) >> GPU_SUBPIXEL_BITS;
}

static int32_t
last_pixel(int32_t fixed)
{
   return (fixed - HALF) >> GPU_SUBPIXEL_BITS;
}

static int32_t
min3(int32_t a, int32_t b, int32_t c)
{
   const int32_t ab = a < b ? a : b;
   return ab < c ? ab : c;
}

static int32_t
max3(int32_t a, int32_t b, int32_t c)
{
   const int32_t ab = a > b ? a : b;
   return ab > c ? ab : c;
}

static int32_t
clamp(int32_t x, int32_t low, int32_t high)
{
   return x < low ? low : x > high ? high : x;
}

bool
gpu_setup_edges(const struct gpu_window_vertex v[3], uint32_t width,
                uint32_t height, struct gpu_shape *shape_out)
{
   const int64_t area = gpu_area(v);
   if (!area)
      return false;
   const struct gpu_window_vertex *second = area > 0 ? &v[1] : &v[2];
   const struct gpu_window_vertex *third = area > 0 ? &v[2] : &v[1];
   const int32_t w = (int32_t)width, h = (int32_t)height;

   *shape_out = (struct gpu_shape){
      .num_edges = 3,
      .edge =
         {
            make_edge(&v[0], second),
            make_edge(second, third),
            make_edge(third, &v[0]),
         },
      .min_x = clamp(first_pixel(min3(v[0].x, v[1].x, v[2].x)), 0, w),
      .min_y = clamp(first_pixel(min3(v[0].y, v[1].y, v[2].y)), 0, h),
      .max_x = clamp(last_pixel(max3(v[0].x, v[1].x, v[2].x)), -1, w - 1),
      .max_y = clamp(last_pixel(max3(v[0].y, v[1].y, v[2].y)), -1, h - 1),
   };
   return shape_out->min_x <= shape_out->max_x &&
          shape_out->min_y <= shape_out->max_y;
}

/* ---- planes -------------------------------------------------------------- */

/* How a plane's two slopes and its value at the reference follow from the
 * values at three vertices. Lengths are in pixels. */
struct plane_basis {
   double dx1, dy1, dx2, dy2; /* from vertex 0 to the others */
   double area;
   double to_reference_x, to_reference_y; /* from vertex 0 */
};

static void
store_float(uint32_t *word, float value)
{
   memcpy(word, &value, sizeof(value));
}

static void
store_plane(const struct plane_basis *basis, const double value[3],
            uint32_t *words)
{
   const double d1 = value[1] - value[0];
   const double d2 = value[2] - value[0];
   const double dx = (d1 * basis->dy2 - d2 * basis->dy1) / basis->area;
   const double dy = (d2 * basis->dx1 - d1 * basis->dx2) / basis->area;
   const double at_reference =
      value[0] + dx * basis->to_reference_x + dy * basis->to_reference_y;
   store_float(&words[0], (float)at_reference);
   store_float(&words[1], (float)dx);
   store_float(&words[2], (float)dy);
}

static struct plane_basis
make_basis(const struct gpu_window_vertex v[3], int32_t x, int32_t y)
{
   const double scale = 1.0 / SUBPIXELS;
   const struct plane_basis basis = {
      .dx1 = (v[1].x - v[0].x) * scale,
      .dy1 = (v[1].y - v[0].y) * scale,
      .dx2 = (v[2].x - v[0].x) * scale,
      .dy2 = (v[2].y - v[0].y) * scale,
      .area = (double)gpu_area(v) * scale * scale,
      .to_reference_x = x - v[0].x * scale,
      .to_reference_y = y - v[0].y * scale,
   };
   return basis;
}

static void
store_attribute(const struct gpu_setup_info *info,
                const struct gpu_window_vertex v[3],
                const struct plane_basis *basis, uint32_t attribute,
                uint32_t *words)
{
   const uint8_t interpolation = info->interface->interpolation[attribute];
   if (info->interface->output[attribute] == GPU_NO_REGISTER) {
      memset(words, 0, 4 * GPU_SHAPE_PLANE_WORDS * sizeof(*words));
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      const unsigned word = info->interface->output[attribute] * 4u + c;
      uint32_t *plane = words + c * GPU_SHAPE_PLANE_WORDS;
      if (interpolation == GPU_INTERPOLATE_CONSTANT) {
         memcpy(&plane[0], &info->provoking[word], sizeof(*plane));
         plane[1] = plane[2] = 0;
         continue;
      }
      double value[3];
      for (unsigned i = 0; i < 3; i++) {
         value[i] = v[i].record[word];
         if (interpolation == GPU_INTERPOLATE_PERSPECTIVE)
            value[i] *= v[i].reciprocal_w;
      }
      store_plane(basis, value, plane);
   }
}

void
gpu_setup_planes(const struct gpu_setup_info *info,
                 const struct gpu_window_vertex v[3], uint32_t *words)
{
   /* A pixel corner near the triangle, so that little is lost in rounding. */
   const int32_t x = v[0].x >> GPU_SUBPIXEL_BITS;
   const int32_t y = v[0].y >> GPU_SUBPIXEL_BITS;
   const struct plane_basis basis = make_basis(v, x, y);
   const double z[3] = {v[0].z, v[1].z, v[2].z};
   const double w[3] = {v[0].reciprocal_w, v[1].reciprocal_w,
                        v[2].reciprocal_w};

   store_float(&words[GPU_SHAPE_X], (float)x);
   store_float(&words[GPU_SHAPE_Y], (float)y);
   store_float(&words[GPU_SHAPE_FACE], info->is_front ? 1.0f : -1.0f);
   words[GPU_SHAPE_ID] = info->primitive_id;
   words[GPU_SHAPE_LAYER] = info->layer;
   words[GPU_SHAPE_VIEWPORT] = info->viewport;
   store_float(&words[GPU_SHAPE_MIN_DEPTH], info->min_depth);
   store_float(&words[GPU_SHAPE_MAX_DEPTH], info->max_depth);
   memset(&words[GPU_SHAPE_ACROSS], 0,
          (GPU_SHAPE_Z - GPU_SHAPE_ACROSS) * sizeof(*words));
   store_plane(&basis, z, &words[GPU_SHAPE_Z]);
   store_plane(&basis, w, &words[GPU_SHAPE_W]);
   for (uint32_t i = 0; i < info->interface->num_attributes; i++)
      store_attribute(info, v, &basis, i,
                      words + GPU_SHAPE_ATTRIBUTES +
                         i * 4 * GPU_SHAPE_PLANE_WORDS);
}
