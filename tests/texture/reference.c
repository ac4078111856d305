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

enum { BORDER = -1 };

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

static const double *
get_texel(const struct reference_texture *texture, int level, int i, int j,
          int slice, int sample)
{
   if (i == BORDER || j == BORDER || slice == BORDER)
      return texture->border;
   return texture
      ->texels[level][((slice * reference_height(texture, level) + j) *
                          reference_width(texture, level) +
                       i) *
                         texture->num_samples +
                      sample];
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

/* ---- wrapping ------------------------------------------------------------ */

/* Table 8.20, and GL_EXT_texture_mirror_clamp, of a texel index. */
static int
wrap(int i, int size, enum tg_wrap mode)
{
   const int mirrored = i >= 0 ? i : -1 - i;
   const int repeated = ((i % size) + size) % size;
   const int back_and_forth = ((i % (2 * size)) + 2 * size) % (2 * size);

   switch (mode) {
   case TG_WRAP_REPEAT: return repeated;
   case TG_WRAP_CLAMP_TO_EDGE: return i < 0 ? 0 : i < size ? i : size - 1;
   case TG_WRAP_CLAMP:
   case TG_WRAP_CLAMP_TO_BORDER: return i < 0 || i >= size ? BORDER : i;
   case TG_WRAP_MIRROR_REPEAT:
      return back_and_forth < size ? back_and_forth
                                   : 2 * size - 1 - back_and_forth;
   case TG_WRAP_MIRROR_CLAMP_TO_EDGE:
      return mirrored < size ? mirrored : size - 1;
   case TG_WRAP_MIRROR_CLAMP:
   case TG_WRAP_MIRROR_CLAMP_TO_BORDER:
      return mirrored < size ? mirrored : BORDER;
   }
   return BORDER;
}

static bool
is_mirroring(enum tg_wrap mode)
{
   return mode >= TG_WRAP_MIRROR_REPEAT;
}

/* The texels along one axis, and how much of each. */
struct taps {
   int count;
   int index[2];
   double weight[2];
};

/* How far from a decision u must be: nothing where single precision is exact,
 * because s is a multiple of 2^-12 of moderate size. */
static double
get_slack(double s, int size)
{
   const bool is_exact =
      s * 4096 == floor(s * 4096) && fabs(s) <= 64 && size <= 64;

   return is_exact ? 0 : 0x1p-20 * fmax(fabs(s), 1) * size;
}

static bool
is_near_integer(double u, double slack)
{
   return slack > 0 && fabs(u - round(u)) <= slack;
}

/* CLAMP and MIRROR_CLAMP clamp the place itself to the texture before texels
 * are selected, so that linear filters meet the border half way. */
static double
clamp_place(double u, int size, enum tg_wrap mode)
{
   if (mode == TG_WRAP_CLAMP)
      return fmin(fmax(u, 0), size);
   if (mode == TG_WRAP_MIRROR_CLAMP)
      return fmin(fmax(u, -size), size);
   return u;
}

static struct taps
find_nearest(double u, int size, enum tg_wrap mode, double slack, bool *is_open)
{
   const double place = clamp_place(u, size, mode);
   int i = (int)floor(place);

   /* Which side of a texel's edge is its own may change when mirrored. */
   *is_open |= is_near_integer(u, slack) ||
               (is_mirroring(mode) && place == floor(place));
   if (mode == TG_WRAP_CLAMP)
      i = wrap(i, size, TG_WRAP_CLAMP_TO_EDGE);
   else if (mode == TG_WRAP_MIRROR_CLAMP)
      i = wrap(i, size, TG_WRAP_MIRROR_CLAMP_TO_EDGE);
   else
      i = wrap(i, size, mode);
   return (struct taps){.count = 1, .index = {i}, .weight = {1}};
}

static struct taps
find_linear(double u, int size, enum tg_wrap mode)
{
   const double place = clamp_place(u, size, mode) - 0.5;
   const int i = (int)floor(place);
   const double fraction = place - i;

   return (struct taps){
      .count = 2,
      .index = {wrap(i, size, mode), wrap(i + 1, size, mode)},
      .weight = {1 - fraction, fraction},
   };
}

/* ---- one level ----------------------------------------------------------- */

struct sampling {
   const struct reference_texture *texture;
   const struct tg_sampler *sampler;
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
   memcpy(value, get_texel(sampling->texture, sampling->level, i, j, slice, 0),
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
      return find_linear(u, size, mode);
   return find_nearest(u, size, mode,
                       get_slack(s, is_in_texels(sampling) ? 1 : size),
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

/* What the level of detail asks for. */
struct level_choice {
   int filter;
   int level[2];
   double fraction; /* of the second */
   bool is_open;
};

static struct level_choice
choose_level(const struct reference_texture *texture,
             const struct tg_sampler *sampler, double lod)
{
   const int last = texture->num_levels - 1;
   const double clamped = fmax(fmin(lod, sampler->max_lod), sampler->min_lod);
   const double used = fmin(fmax(clamped, 0), last);
   struct level_choice choice = {.filter = sampler->mag_filter};

   if (!(clamped > 0))
      return choice;
   choice.filter = sampler->min_filter;
   if (sampler->mip_filter == TG_MIP_NEAREST) {
      /* Half way between two levels OpenGL takes the lower number and
       * Direct3D the higher. */
      choice.level[0] = choice.level[1] = (int)floor(used + 0.5);
      choice.is_open = used + 0.5 == floor(used + 0.5);
   } else if (sampler->mip_filter == TG_MIP_LINEAR) {
      choice.level[0] = (int)floor(used);
      choice.level[1] =
         choice.level[0] < last ? choice.level[0] + 1 : choice.level[0];
      choice.fraction = used - choice.level[0];
   }
   return choice;
}

static double
get_lod(const struct tg_sampler *sampler, const struct reference_lookup *lookup,
        int end)
{
   const double bias = isnan(lookup->bias) ? 0 : lookup->bias;

   return lookup->footprint.lod[end] + bias + sampler->lod_bias;
}

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
          const struct tg_sampler *sampler,
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
   if (a->is_open || b->is_open || a->filter != b->filter)
      return false;
   if (a->level[0] == b->level[0] && a->level[1] == b->level[1])
      return true;
   /* Around a whole level the fractions meet. */
   return a->level[1] == b->level[0] && a->fraction > 0.999 &&
          b->fraction < 0.001;
}

void
reference_sample(const struct reference_texture *texture,
                 const struct tg_sampler *sampler,
                 const struct reference_lookup *lookup,
                 struct reference_result *result)
{
   const struct level_choice first =
      choose_level(texture, sampler, get_lod(sampler, lookup, 0));
   const struct level_choice last =
      choose_level(texture, sampler, get_lod(sampler, lookup, 1));
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

static bool
is_near_texel_centre(double s, double u, int size)
{
   return is_near_integer(u - 0.5, get_slack(s, size));
}

static void
gather_flat(struct sampling *sampling, int (*offsets)[3], double out[4][4])
{
   /* (-,+) (+,+) (+,-) (-,-) */
   static const int right[4] = {0, 1, 1, 0}, below[4] = {1, 1, 0, 0};
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
   static const int right[4] = {0, 1, 1, 0}, below[4] = {1, 1, 0, 0};
   const int size = sampling->texture->width;
   const struct reference_face place =
      reference_find_face(sampling->lookup->coord);
   const double u = place.s * size - 0.5, v = place.t * size - 0.5;
   const int cube = find_cube(sampling);
   const double slack = 0x1p-20 * size;

   sampling->is_open |=
      place.is_open || is_near_integer(u, slack) || is_near_integer(v, slack);
   for (int n = 0; n < 4; n++) {
      const int i = (int)floor(u) + right[n], j = (int)floor(v) + below[n];

      if (is_seamless(sampling)) {
         /* At a corner there are but three, and no rule for a gather. */
         sampling->is_open |= !is_inside(i, size) && !is_inside(j, size);
         read_seamless(sampling, cube, place.face, i, j, out[n]);
      } else {
         read_texel(sampling, wrap(i, size, sampling->sampler->wrap[0]),
                    wrap(j, size, sampling->sampler->wrap[1]),
                    cube * 6 + place.face, out[n]);
      }
   }
}

void
reference_gather(const struct reference_texture *texture,
                 const struct tg_sampler *sampler,
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

/* ---- without filters ----------------------------------------------------- */

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
   memcpy(result->value,
          get_texel(texture, (int)level, (int)x, (int)y, (int)z, (int)sample),
          sizeof(result->value));
   reference_swizzle(texture->swizzle, result->value);
}

void
reference_query_lod(const struct reference_texture *texture,
                    const struct tg_sampler *sampler,
                    const struct reference_lookup *lookup,
                    struct reference_result *result)
{
   const double lod[2] = {get_lod(sampler, lookup, 0),
                          get_lod(sampler, lookup, 1)};
   struct level_choice choice[2];

   *result = (struct reference_result){0};
   for (int end = 0; end < 2; end++) {
      choice[end] = choose_level(texture, sampler, lod[end]);
      result->value[0] += (choice[end].level[0] + choice[end].fraction) / 2;
      result->value[1] += lod[end] / 2;
   }
   const double x[2] = {choice[0].level[0] + choice[0].fraction,
                        choice[1].level[0] + choice[1].fraction};
   result->tolerance[0] =
      sampler->mip_filter == TG_MIP_LINEAR ? fabs(x[1] - x[0]) / 2 : 0;
   result->tolerance[1] = (lod[1] - lod[0]) / 2;
   result->is_open = lookup->footprint.is_open || choice[0].is_open ||
                     choice[1].is_open ||
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
