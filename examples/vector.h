/* SPDX-License-Identifier: MIT
 *
 * Vectors of three and matrices of four; matrices are columns, as shaders read
 * them.
 */
#ifndef EXAMPLES_VECTOR_H
#define EXAMPLES_VECTOR_H

#include <math.h>

struct vec3 {
   float x, y, z;
};

struct mat4 {
   float column[4][4];
};

static inline struct vec3
vec3_add(struct vec3 a, struct vec3 b)
{
   return (struct vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct vec3
vec3_scale(struct vec3 a, float s)
{
   return (struct vec3){a.x * s, a.y * s, a.z * s};
}

static inline struct vec3
vec3_sub(struct vec3 a, struct vec3 b)
{
   return vec3_add(a, vec3_scale(b, -1));
}

static inline float
vec3_dot(struct vec3 a, struct vec3 b)
{
   return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct vec3
vec3_cross(struct vec3 a, struct vec3 b)
{
   return (struct vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                        a.x * b.y - a.y * b.x};
}

static inline struct vec3
vec3_normalize(struct vec3 a)
{
   return vec3_scale(a, 1 / sqrtf(vec3_dot(a, a)));
}

/* From world to eye space: the eye looks down its negative z axis. */
static inline struct mat4
mat4_look_at(struct vec3 eye, struct vec3 target)
{
   const struct vec3 up = {0, 1, 0};
   const struct vec3 back = vec3_normalize(vec3_sub(eye, target));
   const struct vec3 right = vec3_normalize(vec3_cross(up, back));
   const struct vec3 above = vec3_cross(back, right);
   return (struct mat4){{
      {right.x, above.x, back.x, 0},
      {right.y, above.y, back.y, 0},
      {right.z, above.z, back.z, 0},
      {-vec3_dot(right, eye), -vec3_dot(above, eye), -vec3_dot(back, eye), 1},
   }};
}

/* `slope` is half the picture's height at distance 1. */
static inline struct mat4
mat4_perspective(float slope, float aspect, float near, float far)
{
   return (struct mat4){{
      {1 / (slope * aspect), 0, 0, 0},
      {0, 1 / slope, 0, 0},
      {0, 0, (near + far) / (near - far), -1},
      {0, 0, 2 * near * far / (near - far), 0},
   }};
}

static inline struct mat4
mat4_without_translation(struct mat4 m)
{
   for (int i = 0; i < 4; i++)
      m.column[3][i] = 0;
   return m;
}

/* As mat4_look_at(), a box `size` wide and high and `depth` deep around where
 * the eye is. */
static inline struct mat4
mat4_parallel(float size, float depth)
{
   return (struct mat4){{
      {2 / size, 0, 0, 0},
      {0, 2 / size, 0, 0},
      {0, 0, -2 / depth, 0},
      {0, 0, 0, 1},
   }};
}

/* Turned around the y axis, made larger, then moved. */
static inline struct mat4
mat4_place(struct vec3 position, float turn, float scale)
{
   const float c = cosf(turn) * scale, s = sinf(turn) * scale;
   return (struct mat4){{
      {c, 0, -s, 0},
      {0, scale, 0, 0},
      {s, 0, c, 0},
      {position.x, position.y, position.z, 1},
   }};
}

/* First b, then a. */
static inline struct mat4
mat4_multiply(struct mat4 a, struct mat4 b)
{
   struct mat4 product = {0};
   for (int column = 0; column < 4; column++)
      for (int i = 0; i < 4; i++)
         for (int k = 0; k < 4; k++)
            product.column[column][i] += a.column[k][i] * b.column[column][k];
   return product;
}

static inline float
clampf(float x, float low, float high)
{
   return x < low ? low : x > high ? high : x;
}

static inline float
mixf(float a, float b, float t)
{
   return a + t * (b - a);
}

/* 0 below `low`, 1 above `high`, smooth between. */
static inline float
smoothstepf(float low, float high, float x)
{
   const float t = clampf((x - low) / (high - low), 0, 1);
   return t * t * (3 - 2 * t);
}

#endif
