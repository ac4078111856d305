/* SPDX-License-Identifier: MIT
 *
 * How far a lookup reaches in the reference sampler: the level of detail from
 * derivatives, and the probes of anisotropic filtering.
 */
#include <math.h>

#include "reference_parts.h"

/* Single precision gives the logarithm of a length of three differences to
 * about 2^-20 of itself; this leaves room. */
static const double lod_slack = 0x1p-13;

int
reference_num_axes(const struct reference_texture *texture)
{
   switch (texture->target) {
   case TG_TARGET_BUFFER:
   case TG_TARGET_1D:
   case TG_TARGET_1D_ARRAY: return 1;
   case TG_TARGET_3D: return 3;
   default: return 2;
   }
}

bool
reference_is_cube(const struct reference_texture *texture)
{
   return texture->target == TG_TARGET_CUBE ||
          texture->target == TG_TARGET_CUBE_ARRAY;
}

struct reference_footprint
reference_explicit(double lod)
{
   const double level = isnan(lod) ? 0 : lod;

   return (struct reference_footprint){
      .lod = {level, level},
      .num_probes = 1,
   };
}

/* The length, in texels of level 0, of what a derivative spans. */
static double
get_length(const struct reference_texture *texture, bool is_in_texels,
           const double coord[3], const double d[3])
{
   const int sizes[3] = {texture->width, texture->height, texture->depth};
   double ds_dt[2];
   double sum = 0;

   if (reference_is_cube(texture)) {
      reference_face_derivative(coord, d, ds_dt);
      return hypot(ds_dt[0], ds_dt[1]) * texture->width;
   }
   for (int i = 0; i < reference_num_axes(texture); i++) {
      const double texels = is_in_texels ? d[i] : d[i] * sizes[i];
      sum += texels * texels;
   }
   return sqrt(sum);
}

/* GL_EXT_texture_filter_anisotropic: as many probes along the longer side as it
 * is longer than the other, which counts as one texel at least, and the level
 * of what then remains to each. */
static void
spread(struct reference_footprint *footprint, double longer, double shorter,
       const double axis[3], int max_anisotropy)
{
   const double ratio = longer / (shorter < 1 ? 1 : shorter);
   const double count = ceil(ratio);

   footprint->num_probes = count < max_anisotropy ? (int)count : max_anisotropy;
   if (!(footprint->num_probes >= 1))
      footprint->num_probes = 1;
   for (int i = 0; i < 3; i++)
      footprint->axis[i] = axis[i];
   footprint->is_open = fabs(ratio - round(ratio)) < 0x1p-12 * ratio ||
                        fabs(longer - shorter) < 0x1p-12 * longer;
}

struct reference_footprint
reference_derivatives(const struct reference_texture *texture,
                      const struct tg_sampler_desc *sampler,
                      const double coord[3], const double dx[3],
                      const double dy[3])
{
   const bool is_in_texels =
      texture->target == TG_TARGET_RECT || sampler->unnormalized_coords;
   const double x = get_length(texture, is_in_texels, coord, dx);
   const double y = get_length(texture, is_in_texels, coord, dy);
   struct reference_footprint footprint = {.num_probes = 1};

   if (sampler->max_anisotropy > 1)
      spread(&footprint, fmax(x, y), fmin(x, y), x > y ? dx : dy,
             sampler->max_anisotropy);
   const double lod = log2(fmax(x, y) / footprint.num_probes);
   footprint.lod[0] = isnan(lod) ? 0 : lod - lod_slack;
   footprint.lod[1] = isnan(lod) ? 0 : lod + lod_slack;
   return footprint;
}

struct reference_footprint
reference_quad(const struct reference_texture *texture,
               const struct tg_sampler_desc *sampler, double coord[4][3],
               unsigned lane)
{
   double dx[3], dy[3];

   for (int i = 0; i < 3; i++) {
      dx[i] = coord[3][i] - coord[2][i];
      dy[i] = coord[0][i] - coord[2][i];
   }
   return reference_derivatives(texture, sampler, coord[lane % 4], dx, dy);
}

/* ---- levels -------------------------------------------------------------- */

struct level_choice
reference_choose_level(const struct reference_texture *texture,
                       const struct tg_sampler_desc *sampler, double lod)
{
   const int last = texture->num_levels - 1;
   const double clamped = fmax(fmin(lod, sampler->max_lod), sampler->min_lod);
   const double used = fmin(fmax(clamped, 0), last);
   struct level_choice choice = {.filter = sampler->mag_filter};

   if (!(clamped > 0))
      return choice;
   choice.filter = sampler->min_filter;
   if (sampler->mip_filter == TG_MIP_NEAREST) {
      /* Half way between two levels OpenGL takes the lower number. */
      choice.level[0] = choice.level[1] = (int)ceil(used - 0.5);
   } else if (sampler->mip_filter == TG_MIP_LINEAR) {
      choice.level[0] = (int)floor(used);
      choice.level[1] =
         choice.level[0] < last ? choice.level[0] + 1 : choice.level[0];
      choice.fraction = used - choice.level[0];
   }
   return choice;
}

double
reference_lod(const struct tg_sampler_desc *sampler,
              const struct reference_lookup *lookup, int end)
{
   const double bias = isnan(lookup->bias) ? 0 : lookup->bias;

   return lookup->footprint.lod[end] + bias + sampler->lod_bias;
}
