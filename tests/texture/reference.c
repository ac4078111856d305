/* SPDX-License-Identifier: MIT
 *
 * Texels and filters of the reference sampler. The order is that of OpenGL 4.6,
 * 8.14: the level, then the place in it, then wrapping of integer texel
 * indices, then texels, each compared if that is asked for, then their sum.
 */
#include "reference.h"

#include <math.h>
#include <string.h>

#include "reference_parts.h"

const double *
reference_texel(const struct reference_texture *texture, int level, int i,
                int j, int slice, int sample)
{
   if (i == REFERENCE_BORDER || j == REFERENCE_BORDER ||
       slice == REFERENCE_BORDER)
      return texture->border;
   return texture
      ->texels[level][((slice * reference_height(texture, level) + j) *
                          reference_width(texture, level) +
                       i) *
                         texture->num_samples +
                      sample];
}

/* ---- one level ----------------------------------------------------------- */

struct sampling {
   const struct reference_texture *texture;
   const struct tg_sampler_desc *sampler;
   const struct reference_lookup *lookup;
   int level, filter; /* enum tg_filter */
   double weight;     /* of this level and probe */
   /* What is found: the sum, and the least and greatest of what went in. */
   double sum[4], low[4], high[4];
   bool is_linear, is_open;
};

static double
compare(const struct sampling *sampling, double texel)
{
   double reference = sampling->lookup->reference;

   if (sampling->texture->is_fixed_point_depth)
      reference = fmin(fmax(reference, 0), 1);
   switch ((enum tg_compare)sampling->sampler->compare_func) {
   case TG_COMPARE_NEVER: return 0;
   case TG_COMPARE_LESS: return reference < texel;
   case TG_COMPARE_EQUAL: return reference == texel;
   case TG_COMPARE_LEQUAL: return reference <= texel;
   case TG_COMPARE_GREATER: return reference > texel;
   case TG_COMPARE_NOTEQUAL: return reference != texel;
   case TG_COMPARE_GEQUAL: return reference >= texel;
   case TG_COMPARE_ALWAYS: return 1;
   }
   return 0;
}

/* The texel, or (k, k, k, 1) where k says how the comparison went. */
static void
read_texel(const struct sampling *sampling, int i, int j, int slice,
           double value[4])
{
   memcpy(value,
          reference_texel(sampling->texture, sampling->level, i, j, slice, 0),
          4 * sizeof(*value));
   if (sampling->lookup->compares) {
      value[0] = compare(sampling, value[0]);
      value[1] = value[2] = value[0];
      value[3] = 1;
   }
}

static void
add(struct sampling *sampling, const double value[4], double weight)
{
   for (int c = 0; c < 4; c++) {
      sampling->sum[c] += weight * sampling->weight * value[c];
      sampling->low[c] = fmin(sampling->low[c], value[c]);
      sampling->high[c] = fmax(sampling->high[c], value[c]);
   }
}

static bool
is_in_texels(const struct sampling *sampling)
{
   return sampling->texture->target == TG_TARGET_RECT ||
          sampling->sampler->unnormalized_coords;
}

/* NaN and infinities count as 0. */
static double
to_texels(const struct sampling *sampling, double s, int size, int offset)
{
   if (!isfinite(s))
      s = 0;
   return (is_in_texels(sampling) ? s : s * size) + offset;
}

static struct taps
find_taps(struct sampling *sampling, double s, int size, enum tg_wrap mode,
          int offset)
{
   const double u = to_texels(sampling, s, size, offset);

   if (sampling->filter == TG_FILTER_LINEAR)
      return reference_find_linear(u, size, mode);
   return reference_find_nearest(
      u, size, mode, reference_slack(s, is_in_texels(sampling) ? 1 : size),
      &sampling->is_open);
}

/* floor(layer + 0.5), clamped; NaN gives 0. */
static int
find_layer(double layer, int num_layers)
{
   const double i = floor(layer + 0.5);

   return !(i > 0) ? 0 : i < num_layers ? (int)i : num_layers - 1;
}

static const struct taps one_tap = {.count = 1, .weight = {1}};

/* Everything without faces. */
static void
sample_flat(struct sampling *sampling, const double coord[3])
{
   const struct reference_texture *texture = sampling->texture;
   const int num_axes = reference_num_axes(texture);
   const int sizes[3] = {reference_width(texture, sampling->level),
                         reference_height(texture, sampling->level),
                         reference_depth(texture, sampling->level)};
   struct taps taps[3] = {one_tap, one_tap, one_tap};
   double value[4];

   for (int a = 0; a < num_axes; a++)
      taps[a] =
         find_taps(sampling, coord[a], sizes[a], sampling->sampler->wrap[a],
                   sampling->lookup->offset[a]);
   if (num_axes < 3)
      taps[2].index[0] = find_layer(sampling->lookup->layer, texture->layers);

   for (int k = 0; k < taps[2].count; k++) {
      for (int j = 0; j < taps[1].count; j++) {
         for (int i = 0; i < taps[0].count; i++) {
            read_texel(sampling, taps[0].index[i], taps[1].index[j],
                       taps[2].index[k], value);
            add(sampling, value,
                taps[0].weight[i] * taps[1].weight[j] * taps[2].weight[k]);
         }
      }
   }
}

/* ---- cubes --------------------------------------------------------------- */

static bool
is_inside(int i, int size)
{
   return i >= 0 && i < size;
}

/* A texel that may lie across an edge. Across a corner there is none; the mean
 * of the three that meet there stands for it. */
static void
read_seamless(const struct sampling *sampling, int cube, int face, int i, int j,
              double value[4])
{
   const int size = reference_width(sampling->texture, sampling->level);
   const int inner_i = i < 0 ? 0 : i < size ? i : size - 1;
   const int inner_j = j < 0 ? 0 : j < size ? j : size - 1;
   double other[2][4];

   if (is_inside(i, size) || is_inside(j, size)) {
      if (!is_inside(i, size) || !is_inside(j, size))
         reference_cross_edge(&face, &i, &j, size);
      read_texel(sampling, i, j, cube * 6 + face, value);
      return;
   }
   read_seamless(sampling, cube, face, inner_i, inner_j, value);
   read_seamless(sampling, cube, face, i, inner_j, other[0]);
   read_seamless(sampling, cube, face, inner_i, j, other[1]);
   for (int c = 0; c < 4; c++)
      value[c] = (value[c] + other[0][c] + other[1][c]) / 3;
}

static int
find_cube(const struct sampling *sampling)
{
   return find_layer(sampling->lookup->layer, sampling->texture->layers / 6);
}

/* Does linear filtering go on across the edges of faces? */
static bool
is_seamless(const struct sampling *sampling)
{
   return sampling->sampler->seamless_cube;
}

static void
sample_cube(struct sampling *sampling, const double coord[3])
{
   const int size = reference_width(sampling->texture, sampling->level);
   const struct reference_face place = reference_find_face(coord);
   const int cube = find_cube(sampling);
   const uint8_t *modes = sampling->sampler->wrap;
   double value[4];

   sampling->is_open |= place.is_open;
   if (is_seamless(sampling) && sampling->filter == TG_FILTER_LINEAR) {
      const double u = place.s * size - 0.5, v = place.t * size - 0.5;
      const double a = u - floor(u), b = v - floor(v);

      for (int corner = 0; corner < 4; corner++) {
         const int dx = corner & 1, dy = corner >> 1;
         read_seamless(sampling, cube, place.face, (int)floor(u) + dx,
                       (int)floor(v) + dy, value);
         add(sampling, value, (dx ? a : 1 - a) * (dy ? b : 1 - b));
      }
      return;
   }

   /* Each face as a texture of its own; with seamless faces nothing is beyond
    * them, and the modes do not matter. */
   const enum tg_wrap s_mode =
      is_seamless(sampling) ? TG_WRAP_CLAMP_TO_EDGE : modes[0];
   const enum tg_wrap t_mode =
      is_seamless(sampling) ? TG_WRAP_CLAMP_TO_EDGE : modes[1];
   const struct taps s = find_taps(sampling, place.s, size, s_mode, 0);
   const struct taps t = find_taps(sampling, place.t, size, t_mode, 0);
   for (int j = 0; j < t.count; j++) {
      for (int i = 0; i < s.count; i++) {
         read_texel(sampling, s.index[i], t.index[j], cube * 6 + place.face,
                    value);
         add(sampling, value, s.weight[i] * t.weight[j]);
      }
   }
}

/* ---- levels -------------------------------------------------------------- */

static void
sample_level(struct sampling *sampling, int level, double weight)
{
   const struct reference_lookup *lookup = sampling->lookup;
   const int count = lookup->footprint.num_probes;

   sampling->level = level;
   sampling->weight = weight / count;
   for (int i = 0; i < count; i++) {
      const double step = (i + 1.0) / (count + 1) - 0.5;
      double coord[3];

      for (int a = 0; a < 3; a++)
         coord[a] = lookup->coord[a] +
                    (count > 1 ? step * lookup->footprint.axis[a] : 0);
      if (reference_is_cube(sampling->texture))
         sample_cube(sampling, coord);
      else
         sample_flat(sampling, coord);
   }
}

static struct sampling
sample_at(const struct reference_texture *texture,
          const struct tg_sampler_desc *sampler,
          const struct reference_lookup *lookup,
          const struct level_choice *choice)
{
   struct sampling sampling = {
      .texture = texture,
      .sampler = sampler,
      .lookup = lookup,
      .filter = choice->filter,
   };

   for (int c = 0; c < 4; c++) {
      sampling.low[c] = INFINITY;
      sampling.high[c] = -INFINITY;
   }
   sampling.is_linear = choice->filter == TG_FILTER_LINEAR ||
                        choice->level[0] != choice->level[1] ||
                        lookup->footprint.num_probes > 1;
   sample_level(&sampling, choice->level[0], 1 - choice->fraction);
   if (choice->level[1] != choice->level[0])
      sample_level(&sampling, choice->level[1], choice->fraction);
   return sampling;
}

/* Do both ends of what the level of detail may be lead to the same texels, so
 * that what lies between leads to something between? */
static bool
is_one_choice(const struct level_choice *a, const struct level_choice *b)
{
   if (a->filter != b->filter)
      return false;
   if (a->level[0] == b->level[0] && a->level[1] == b->level[1])
      return true;
   /* Around a whole level the fractions meet. */
   return a->level[1] == b->level[0] && a->fraction > 0.999 &&
          b->fraction < 0.001;
}

void
reference_sample(const struct reference_texture *texture,
                 const struct tg_sampler_desc *sampler,
                 const struct reference_lookup *lookup,
                 struct reference_result *result)
{
   const struct level_choice first = reference_choose_level(
      texture, sampler, reference_lod(sampler, lookup, 0));
   const struct level_choice last = reference_choose_level(
      texture, sampler, reference_lod(sampler, lookup, 1));
   const struct sampling a = sample_at(texture, sampler, lookup, &first);
   const struct sampling b = sample_at(texture, sampler, lookup, &last);

   result->is_open = a.is_open || b.is_open || lookup->footprint.is_open ||
                     !is_one_choice(&first, &last);
   for (int c = 0; c < 4; c++) {
      const double range =
         fmax(a.high[c], b.high[c]) - fmin(a.low[c], b.low[c]);
      const double size = fmax(fabs(a.high[c]), fabs(a.low[c]));

      /* A step of a weight, what the level leaves open, and what single
       * precision does to a sum of terms that are as large as the texels. */
      result->value[c] = (a.sum[c] + b.sum[c]) / 2;
      result->tolerance[c] =
         a.is_linear || b.is_linear
            ? range / 256 + fabs(a.sum[c] - b.sum[c]) / 2 + size * 0x1p-20
            : 0;
   }
   reference_swizzle(texture->swizzle, result->value);
   reference_swizzle(texture->swizzle, result->tolerance);
   for (int c = 0; c < 4; c++) {
      if (texture->swizzle[c] > TG_SWIZZLE_W)
         result->tolerance[c] = 0;
   }
}

/* ---- gathers ------------------------------------------------------------- */

/* The four texels in their order: (-,+) (+,+) (+,-) (-,-). */
static const int right[4] = {0, 1, 1, 0}, below[4] = {1, 1, 0, 0};

static bool
is_near_texel_centre(double s, double u, int size)
{
   return reference_is_near_integer(u - 0.5, reference_slack(s, size));
}

static void
gather_flat(struct sampling *sampling, int (*offsets)[3], double out[4][4])
{
   const struct reference_lookup *lookup = sampling->lookup;
   const int sizes[2] = {sampling->texture->width, sampling->texture->height};
   const int slice = find_layer(lookup->layer, sampling->texture->layers);

   for (int n = 0; n < 4; n++) {
      struct taps taps[2];

      for (int a = 0; a < 2; a++) {
         const int offset = offsets ? offsets[n][a] : lookup->offset[a];

         taps[a] = find_taps(sampling, lookup->coord[a], sizes[a],
                             sampling->sampler->wrap[a], offset);
         sampling->is_open |= is_near_texel_centre(
            lookup->coord[a],
            to_texels(sampling, lookup->coord[a], sizes[a], offset),
            is_in_texels(sampling) ? 1 : sizes[a]);
      }
      read_texel(sampling, taps[0].index[offsets ? 0 : right[n]],
                 taps[1].index[offsets ? 0 : below[n]], slice, out[n]);
   }
}

static void
gather_cube(struct sampling *sampling, double out[4][4])
{
   const int size = sampling->texture->width;
   const struct reference_face place =
      reference_find_face(sampling->lookup->coord);
   const double u = place.s * size - 0.5, v = place.t * size - 0.5;
   const int cube = find_cube(sampling);
   const double slack = 0x1p-20 * size;

   sampling->is_open |= place.is_open || reference_is_near_integer(u, slack) ||
                        reference_is_near_integer(v, slack);
   for (int n = 0; n < 4; n++) {
      const int i = (int)floor(u) + right[n], j = (int)floor(v) + below[n];

      if (is_seamless(sampling)) {
         /* At a corner there are but three, and no rule for a gather. */
         sampling->is_open |= !is_inside(i, size) && !is_inside(j, size);
         read_seamless(sampling, cube, place.face, i, j, out[n]);
      } else {
         read_texel(sampling,
                    reference_wrap(i, size, sampling->sampler->wrap[0]),
                    reference_wrap(j, size, sampling->sampler->wrap[1]),
                    cube * 6 + place.face, out[n]);
      }
   }
}

void
reference_gather(const struct reference_texture *texture,
                 const struct tg_sampler_desc *sampler,
                 const struct reference_lookup *lookup, int component,
                 int (*offsets)[3], struct reference_result *result)
{
   struct sampling sampling = {
      .texture = texture,
      .sampler = sampler,
      .lookup = lookup,
      .filter = TG_FILTER_LINEAR,
   };
   double texels[4][4];

   if (reference_is_cube(texture))
      gather_cube(&sampling, texels);
   else
      gather_flat(&sampling, offsets, texels);
   *result = (struct reference_result){.is_open = sampling.is_open};
   for (int n = 0; n < 4; n++)
      result->value[n] = texels[n][component];
}
