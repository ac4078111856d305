/* SPDX-License-Identifier: MIT
 *
 * The demo's surfaces.
 */
#include "surface.h"

#include <stdint.h>

static const float pi = 3.14159265f;

const struct vec3 light_position = {-2.4f, 5.8f, 5.0f};

/* ---- noise --------------------------------------------------------------- */

static float
lattice(int x, int y, int period)
{
   const uint32_t column = (uint32_t)((x % period + period) % period);
   const uint32_t row = (uint32_t)((y % period + period) % period);
   uint32_t hash = column * UINT32_C(0x9e3779b1) ^ row * UINT32_C(0x85ebca77);
   hash = (hash ^ hash >> 15) * UINT32_C(0x2c1b3c6d);
   hash = (hash ^ hash >> 12) * UINT32_C(0x297a2d39);
   hash ^= hash >> 15;
   return (float)(hash & 0xffff) / 32767.5f - 1;
}

float
noise(float x, float y, int period)
{
   const float column = floorf(x), row = floorf(y);
   const int i = (int)column, j = (int)row;
   const float s = smoothstepf(0, 1, x - column);
   const float t = smoothstepf(0, 1, y - row);
   const float top = mixf(lattice(i, j, period), lattice(i + 1, j, period), s);
   const float bottom =
      mixf(lattice(i, j + 1, period), lattice(i + 1, j + 1, period), s);
   return mixf(top, bottom, t);
}

/* Four octaves; u and v in the unit square. */
static float
cloud(float u, float v, int period)
{
   float sum = 0, weight = 0.5f;
   for (int i = 0; i < 4; i++) {
      sum += weight * noise(u * (float)period, v * (float)period, period);
      weight *= 0.5f;
      period *= 2;
   }
   return sum;
}

static void
set(float rgb[3], float r, float g, float b, float scale)
{
   rgb[0] = r * scale;
   rgb[1] = g * scale;
   rgb[2] = b * scale;
}

struct vec3
surface_point(const struct surface *surface, float u, float v)
{
   const struct vec3 base = surface->base(u, v);
   const struct vec3 normal = surface->normal(u, v);
   const float raise = surface->height * surface->relief(u, v);
   return vec3_add(base, vec3_scale(normal, raise));
}

/* ---- the knot ------------------------------------------------------------ */

static const float tube_radius = 0.42f;

/* The (2, 3) torus knot, standing on the floor. */
static struct vec3
knot_curve(float u)
{
   const float a = u * 2 * pi;
   const float r = 1.35f + 0.62f * cosf(3 * a);
   return (struct vec3){r * cosf(2 * a), 2.02f + r * sinf(2 * a) * 0.86f,
                        0.74f * sinf(3 * a)};
}

static struct vec3
knot_normal(float u, float v)
{
   const float step = 1e-3f;
   const struct vec3 here = knot_curve(u);
   const struct vec3 ahead = knot_curve(u + step);
   const struct vec3 along = vec3_normalize(vec3_sub(ahead, here));
   /* A frame that does not twist: away from the torus' own circle. */
   const float a = u * 4 * pi;
   const struct vec3 centre = {1.35f * cosf(a), 2.02f + 1.16f * sinf(a), 0};
   const struct vec3 out = vec3_sub(here, centre);
   const struct vec3 side = vec3_normalize(vec3_cross(along, out));
   const struct vec3 up = vec3_cross(side, along);
   const float angle = v * 2 * pi;
   return vec3_add(vec3_scale(up, cosf(angle)), vec3_scale(side, sinf(angle)));
}

static struct vec3
knot_base(float u, float v)
{
   return vec3_add(knot_curve(u), vec3_scale(knot_normal(u, v), tube_radius));
}

enum { SCALES_ALONG = 84, SCALES_AROUND = 12 };

/* Rows of overlapping scales: the nearest centre of a lattice whose every
 * second row is moved by half. Returns how high within its scale a point is. */
static float
knot_relief(float u, float v)
{
   const float x = u * SCALES_ALONG, y = v * SCALES_AROUND;
   float best = 0;
   for (int i = -1; i <= 1; i++) {
      const float row = floorf(x) + (float)i;
      const float shift = fmodf(row + 2 * SCALES_ALONG, 2) * 0.5f;
      const float column = floorf(y - shift + 0.5f) + shift;
      const float dx = (x - row - 0.35f) / 1.05f, dy = (y - column) / 0.62f;
      const float height = 1 - sqrtf(dx * dx + dy * dy) + 0.28f * dx;
      best = fmaxf(best, height);
   }
   return smoothstepf(0, 0.8f, best);
}

static void
knot_high_color(float u, float v, float rgb[3])
{
   const float tone = 0.92f + 0.35f * cloud(u, v, 8);
   set(rgb, 0.98f, 0.66f, 0.28f, tone);
}

static void
knot_low_color(float u, float v, float rgb[3])
{
   const float tone = 0.9f + 0.5f * cloud(v, u, 16);
   set(rgb, 0.10f, 0.38f, 0.36f, tone);
}

static float
knot_gloss(float u, float v)
{
   return clampf(0.75f + 0.5f * cloud(u, v, 32), 0.2f, 1);
}

const struct surface knot_surface = {
   .base = knot_base,
   .normal = knot_normal,
   .relief = knot_relief,
   .high_color = knot_high_color,
   .low_color = knot_low_color,
   .gloss = knot_gloss,
   .height = 0.085f,
   .columns = 588,
   .rows = 60,
   .width = 1024,
   .height_map = 128,
   .detail_size = 256,
   .repeat = {24, 3},
};

/* ---- the floor ----------------------------------------------------------- */

static const float floor_size = 22;
enum { SLABS = 17 };

static struct vec3
floor_base(float u, float v)
{
   return (struct vec3){(u - 0.5f) * floor_size, -0.12f,
                        (v - 0.6f) * floor_size};
}

static struct vec3
floor_normal(float u, float v)
{
   (void)u;
   (void)v;
   return (struct vec3){0, 1, 0};
}

/* The slab that a point is in, every second row moved by half, and the
 * distance to its edge: 0 on it, 0.5 in the middle. */
static float
slab_edge(float u, float v, int *column_out, int *row_out)
{
   const float y = v * SLABS, row = floorf(y);
   const float x = u * SLABS + 0.5f * fmodf(row, 2);
   const float column = floorf(x);
   const float dx = fminf(x - column, column + 1 - x);
   const float dy = fminf(y - row, row + 1 - y);
   *column_out = (int)column % SLABS;
   *row_out = (int)row;
   return fminf(dx, dy);
}

static float
floor_relief(float u, float v)
{
   int column, row;
   const float edge = slab_edge(u, v, &column, &row);
   const float wear = 0.02f * noise(u * 96, v * 96, 96);
   const float tilt = 0.12f * lattice(column, row, 1024);
   const float slab = smoothstepf(0.015f, 0.07f, edge + wear);
   return clampf(slab * (0.8f + tilt) + 0.05f * cloud(u, v, 64), 0, 1);
}

/* How much of the light reaches a point of the floor past the knot: the way to
 * the light is compared with points of the knot's curve. */
static float
trace_light(struct vec3 point, const struct vec3 *curve, int num_points)
{
   const struct vec3 way = vec3_sub(light_position, point);
   const float length2 = vec3_dot(way, way);
   float light = 1, contact = 1;
   for (int i = 0; i < num_points; i++) {
      const struct vec3 to_curve = vec3_sub(curve[i], point);
      const float t = clampf(vec3_dot(to_curve, way) / length2, 0, 1);
      const struct vec3 miss = vec3_sub(to_curve, vec3_scale(way, t));
      const float blur = 0.08f + 0.5f * t;
      light *= smoothstepf(tube_radius - 0.5f * blur, tube_radius + blur,
                           sqrtf(vec3_dot(miss, miss)));
      contact = fminf(contact, vec3_dot(to_curve, to_curve));
   }
   const float open = smoothstepf(0.2f, 1.5f, sqrtf(contact));
   return (0.22f + 0.78f * light) * (0.45f + 0.55f * open);
}

/* The light on the floor, on a grid of points. */
enum { LIGHT_SIZE = 192, CURVE_POINTS = 120 };
static float light_map[LIGHT_SIZE + 1][LIGHT_SIZE + 1];

void
surfaces_prepare(void)
{
   struct vec3 curve[CURVE_POINTS];
   for (int i = 0; i < CURVE_POINTS; i++)
      curve[i] = knot_curve((float)i / CURVE_POINTS);
   for (int j = 0; j <= LIGHT_SIZE; j++) {
      for (int i = 0; i <= LIGHT_SIZE; i++) {
         const float u = (float)i / LIGHT_SIZE, v = (float)j / LIGHT_SIZE;
         light_map[j][i] = trace_light(floor_base(u, v), curve, CURVE_POINTS);
      }
   }
}

static float
floor_light(float u, float v)
{
   const float x = clampf(u, 0, 0.9999f) * LIGHT_SIZE;
   const float y = clampf(v, 0, 0.9999f) * LIGHT_SIZE;
   const int i = (int)x, j = (int)y;
   const float s = x - (float)i, t = y - (float)j;
   const float top = mixf(light_map[j][i], light_map[j][i + 1], s);
   const float bottom = mixf(light_map[j + 1][i], light_map[j + 1][i + 1], s);
   return mixf(top, bottom, t);
}

static void
floor_high_color(float u, float v, float rgb[3])
{
   int column, row;
   slab_edge(u, v, &column, &row);
   const float tone = 0.62f + 0.14f * lattice(column, row, 512) +
                      0.16f * cloud(u, v, 48) +
                      0.05f * noise(u * 512, v * 512, 512);
   const float warm = 0.03f * lattice(row, column, 256);
   const float light = floor_light(u, v);
   set(rgb, tone + warm, tone * 0.95f, tone * 0.88f - warm, light);
}

static void
floor_low_color(float u, float v, float rgb[3])
{
   const float tone = 0.75f + 0.6f * cloud(u, v, 96);
   set(rgb, 0.16f, 0.21f, 0.12f, tone * floor_light(u, v));
}

static float
floor_gloss(float u, float v)
{
   return clampf(0.35f + 0.6f * cloud(u, v, 24), 0.05f, 1);
}

const struct surface floor_surface = {
   .base = floor_base,
   .normal = floor_normal,
   .relief = floor_relief,
   .high_color = floor_high_color,
   .low_color = floor_low_color,
   .gloss = floor_gloss,
   .height = 0.12f,
   .columns = 220,
   .rows = 220,
   .width = 512,
   .height_map = 512,
   .detail_size = 1024,
   .repeat = {1, 1},
};
