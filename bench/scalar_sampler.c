/* SPDX-License-Identifier: MIT
 *
 * Texture lookups in plain C, as the yardstick of sampling.
 */
#include "scalar_sampler.h"

#include <math.h>

static int
repeat(int i, int size)
{
   const int rest = i % size;

   return rest < 0 ? rest + size : rest;
}

static int
minify(int size, int level)
{
   return size >> level > 1 ? size >> level : 1;
}

static void
unpack(uint32_t texel, float out[4])
{
   for (int c = 0; c < 4; c++)
      out[c] = (float)(texel >> 8 * c & 255) * (1.0f / 255.0f);
}

void
scalar_nearest(const struct scalar_texture *texture, float s, float t,
               float texel_out[4])
{
   const int i = repeat((int)floorf(s * (float)texture->width), texture->width);
   const int j =
      repeat((int)floorf(t * (float)texture->height), texture->height);

   unpack(texture->level[0][j * texture->width + i], texel_out);
}

static void
sample_level(const struct scalar_texture *texture, int level, float s, float t,
             float texel_out[4])
{
   const int width = minify(texture->width, level);
   const int height = minify(texture->height, level);
   const float u = s * (float)width - 0.5f;
   const float v = t * (float)height - 0.5f;
   const float a = u - floorf(u);
   const float b = v - floorf(v);
   const int i0 = repeat((int)floorf(u), width);
   const int j0 = repeat((int)floorf(v), height);
   const int i1 = i0 + 1 == width ? 0 : i0 + 1;
   const int j1 = j0 + 1 == height ? 0 : j0 + 1;
   const uint32_t *row0 = texture->level[level] + j0 * width;
   const uint32_t *row1 = texture->level[level] + j1 * width;
   float texel[4][4];

   unpack(row0[i0], texel[0]);
   unpack(row0[i1], texel[1]);
   unpack(row1[i0], texel[2]);
   unpack(row1[i1], texel[3]);
   for (int c = 0; c < 4; c++) {
      const float above = texel[0][c] + a * (texel[1][c] - texel[0][c]);
      const float below = texel[2][c] + a * (texel[3][c] - texel[2][c]);

      texel_out[c] = above + b * (below - above);
   }
}

void
scalar_bilinear(const struct scalar_texture *texture, float s, float t,
                float texel_out[4])
{
   sample_level(texture, 0, s, t, texel_out);
}

static float
square(float x)
{
   return x * x;
}

static float
find_lod(const struct scalar_texture *texture, float coord[4][2])
{
   const float width = (float)texture->width;
   const float height = (float)texture->height;
   const float x = square((coord[3][0] - coord[2][0]) * width) +
                   square((coord[3][1] - coord[2][1]) * height);
   const float y = square((coord[0][0] - coord[2][0]) * width) +
                   square((coord[0][1] - coord[2][1]) * height);
   const float lod = 0.5f * log2f(x > y ? x : y);
   const float last = (float)(texture->num_levels - 1);

   return !(lod > 0) ? 0 : lod < last ? lod : last;
}

void
scalar_trilinear_quad(const struct scalar_texture *texture, float coord[4][2],
                      float texels_out[4][4])
{
   const float lod = find_lod(texture, coord);
   const int level = (int)lod;
   const int next = level + 1 < texture->num_levels ? level + 1 : level;
   const float part = lod - (float)level;

   for (int lane = 0; lane < 4; lane++) {
      float other[4];

      sample_level(texture, level, coord[lane][0], coord[lane][1],
                   texels_out[lane]);
      if (part == 0)
         continue;
      sample_level(texture, next, coord[lane][0], coord[lane][1], other);
      for (int c = 0; c < 4; c++)
         texels_out[lane][c] += part * (other[c] - texels_out[lane][c]);
   }
}
