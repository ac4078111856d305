/* SPDX-License-Identifier: MIT
 *
 * What the reference sampler says without filtering: sizes, single texels, and
 * which level would be looked at.
 */
#include <math.h>
#include <string.h>

#include "reference_parts.h"

static int
minify(int size, int level)
{
   return size >> level > 0 ? size >> level : 1;
}

int
reference_width(const struct reference_texture *texture, int level)
{
   return minify(texture->width, level);
}

int
reference_height(const struct reference_texture *texture, int level)
{
   return minify(texture->height, level);
}

int
reference_depth(const struct reference_texture *texture, int level)
{
   return minify(texture->depth, level);
}

void
reference_swizzle(const uint8_t swizzle[4], double value[4])
{
   double from[4];

   memcpy(from, value, sizeof(from));
   for (int c = 0; c < 4; c++)
      value[c] = swizzle[c] <= TG_SWIZZLE_W ? from[swizzle[c]]
                                            : swizzle[c] == TG_SWIZZLE_1;
}

static bool
is_below(int64_t i, int size)
{
   return i >= 0 && i < size;
}

void
reference_fetch(const struct reference_texture *texture, int64_t x, int64_t y,
                int64_t z, int64_t level, int64_t sample,
                struct reference_result *result)
{
   *result = (struct reference_result){0};
   if (!is_below(level, texture->num_levels) ||
       !is_below(sample, texture->num_samples))
      return;
   const int depth = texture->target == TG_TARGET_3D
                        ? reference_depth(texture, (int)level)
                        : texture->layers;
   if (!is_below(x, reference_width(texture, (int)level)) ||
       !is_below(y, reference_height(texture, (int)level)) ||
       !is_below(z, depth))
      return;
   memcpy(
      result->value,
      reference_texel(texture, (int)level, (int)x, (int)y, (int)z, (int)sample),
      sizeof(result->value));
   reference_swizzle(texture->swizzle, result->value);
}

void
reference_query_lod(const struct reference_texture *texture,
                    const struct tg_sampler_desc *sampler,
                    const struct reference_lookup *lookup,
                    struct reference_result *result)
{
   const double lod[2] = {reference_lod(sampler, lookup, 0),
                          reference_lod(sampler, lookup, 1)};
   struct level_choice choice[2];

   *result = (struct reference_result){0};
   for (int end = 0; end < 2; end++) {
      choice[end] = reference_choose_level(texture, sampler, lod[end]);
      result->value[0] += (choice[end].level[0] + choice[end].fraction) / 2;
      result->value[1] += lod[end] / 2;
   }
   const double x[2] = {choice[0].level[0] + choice[0].fraction,
                        choice[1].level[0] + choice[1].fraction};
   /* Beside what is open, sums of biases are rounded. */
   result->tolerance[0] =
      sampler->mip_filter == TG_MIP_LINEAR ? (x[1] - x[0]) / 2 + 0x1p-18 : 0;
   result->tolerance[1] = (lod[1] - lod[0]) / 2 + 0x1p-18;
   result->is_open = lookup->footprint.is_open ||
                     (sampler->mip_filter == TG_MIP_NEAREST && x[0] != x[1]);
}

void
reference_query_size(const struct reference_texture *texture, uint32_t level,
                     struct reference_result *result)
{
   const bool has_level = level < (uint32_t)texture->num_levels;
   double *value = result->value;

   *result = (struct reference_result){.value[3] = texture->num_levels};
   if (!has_level)
      return;
   value[0] = reference_width(texture, (int)level);
   switch (texture->target) {
   case TG_TARGET_BUFFER:
   case TG_TARGET_1D: break;
   case TG_TARGET_1D_ARRAY: value[1] = texture->layers; break;
   case TG_TARGET_2D:
   case TG_TARGET_RECT:
   case TG_TARGET_CUBE:
   case TG_TARGET_2D_MSAA:
      value[1] = reference_height(texture, (int)level);
      break;
   default:
      value[1] = reference_height(texture, (int)level);
      value[2] = texture->target == TG_TARGET_3D
                    ? reference_depth(texture, (int)level)
                    : texture->layers;
      if (texture->target == TG_TARGET_CUBE_ARRAY)
         value[2] /= 6;
   }
}
