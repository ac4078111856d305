/* SPDX-License-Identifier: MIT
 *
 * What a shape looks like at a place: attributes, depth, sprites.
 */
#include <math.h>
#include <string.h>

#include "reference.h"

/* ---- weights ------------------------------------------------------------- */

static double
area(struct ref_place p, struct ref_place q, struct ref_place r)
{
   return (double)((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
}

static void
triangle_weights(const struct ref_shape *shape, struct ref_place at,
                 double weight[3])
{
   const struct ref_place *p = shape->place;
   const double whole = area(p[0], p[1], p[2]);
   for (int i = 0; i < 3; i++)
      weight[i] = area(at, p[(i + 1) % 3], p[(i + 2) % 3]) / whole;
}

/* Of a cut one: a half plane is as far from the place as the vertex weighs, but
 * for the length that it was divided by. */
static void
cut_weights(const struct ref_shape *shape, struct ref_place at,
            double weight[3])
{
   const struct tg_viewport *viewport = &shape->setup->viewport;
   const double centre = shape->setup->rasterizer.half_pixel_center ? 0 : 0.5;
   const double x =
      ((double)at.x / REF_SUBPIXELS - centre - (double)viewport->translate[0]) /
      (double)viewport->scale[0];
   const double y =
      ((double)at.y / REF_SUBPIXELS - centre - (double)viewport->translate[1]) /
      (double)viewport->scale[1];
   double sum = 0;
   for (int i = 0; i < 3; i++) {
      const double *p = shape->vertex[(i + 1) % 3].position;
      const double *q = shape->vertex[(i + 2) % 3].position;
      const double share = (p[0] - x * p[3]) * (q[1] - y * q[3]) -
                           (q[0] - x * q[3]) * (p[1] - y * p[3]);
      weight[i] = share * shape->vertex[i].position[3];
      sum += weight[i];
   }
   for (int i = 0; i < 3; i++)
      weight[i] /= sum;
}

/* A place beside the line is as the nearest one on it. */
static void
line_weights(const struct ref_shape *shape, struct ref_place at,
             double weight[3])
{
   const struct ref_place *p = shape->place;
   const double dx = (double)(p[1].x - p[0].x), dy = (double)(p[1].y - p[0].y);
   const double x = (double)(at.x - p[0].x), y = (double)(at.y - p[0].y);
   weight[1] = (x * dx + y * dy) / (dx * dx + dy * dy);
   weight[0] = 1 - weight[1];
   weight[2] = 0;
}

/* How much each vertex counts for what is linear in the window. */
static void
get_weights(const struct ref_shape *shape, struct ref_place at,
            double weight[3])
{
   switch (shape->kind) {
   case REF_POINT:
      weight[0] = 1;
      weight[1] = weight[2] = 0;
      return;
   case REF_LINE: line_weights(shape, at, weight); return;
   case REF_TRIANGLE:
      if (shape->is_cut)
         cut_weights(shape, at, weight);
      else
         triangle_weights(shape, at, weight);
      return;
   }
}

/* ---- values -------------------------------------------------------------- */

double
ref_reciprocal_w(const struct ref_shape *shape, struct ref_place at)
{
   double weight[3], sum = 0;
   get_weights(shape, at, weight);
   for (int i = 0; i < (int)shape->kind; i++)
      sum += weight[i] / shape->vertex[i].position[3];
   return sum;
}

void
ref_interpolate(const struct ref_shape *shape, struct ref_place at,
                int attribute, enum ref_interpolation interpolation,
                double value_out[4])
{
   const int num_vertices = (int)shape->kind;
   double weight[3], sum = 0;
   if (interpolation == REF_CONSTANT) {
      memcpy(value_out, shape->provoking.attribute[attribute],
             4 * sizeof(*value_out));
      return;
   }
   get_weights(shape, at, weight);
   for (int i = 0; i < num_vertices; i++) {
      if (interpolation == REF_PERSPECTIVE)
         weight[i] /= shape->vertex[i].position[3];
      sum += weight[i];
   }
   for (int c = 0; c < 4; c++) {
      value_out[c] = 0;
      for (int i = 0; i < num_vertices; i++)
         value_out[c] += shape->vertex[i].attribute[attribute][c] * weight[i];
      value_out[c] /= sum;
   }
}

double
ref_depth(const struct ref_shape *shape, struct ref_place at)
{
   const struct ref_setup *setup = shape->setup;
   const double translate = (double)setup->viewport.translate[2];
   const double end = translate + (double)setup->viewport.scale[2];
   const double start = setup->rasterizer.clip_halfz
                           ? translate
                           : translate - (double)setup->viewport.scale[2];
   double weight[3], z = shape->offset;
   get_weights(shape, at, weight);
   for (int i = 0; i < (int)shape->kind; i++)
      z += weight[i] * shape->z[i];
   if (setup->rasterizer.depth_clamp)
      z = fmin(fmax(z, fmin(start, end)), fmax(start, end));
   return z;
}

void
ref_sprite(const struct ref_shape *shape, struct ref_place at, double st[2])
{
   const struct tg_rasterizer_state *r = &shape->setup->rasterizer;
   const double size = r->point_size_per_vertex ? shape->vertex[0].point_size
                                                : (double)r->point_size;
   const double side = fmax(size, 1) * REF_SUBPIXELS;
   st[0] = 0.5 + (double)(at.x - shape->place[0].x) / side;
   st[1] = 0.5 + (double)(at.y - shape->place[0].y) / side;
   if (r->sprite_coord_mode == TG_SPRITE_LOWER_LEFT)
      st[1] = 1 - st[1];
}
