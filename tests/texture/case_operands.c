/* SPDX-License-Identifier: MIT
 *
 * What the 16 lanes of a case give to the opcode.
 */
#include <math.h>
#include <string.h>

#include "case_parts.h"

static void
set_float(struct texture_case *c, unsigned lane, unsigned source,
          unsigned component, double value)
{
   const float word = (float)value;

   memcpy(&c->sources[lane][source][component], &word, sizeof(word));
}

static double
get_texel_size(const struct texture_case *c, unsigned axis)
{
   const struct reference_texture *texture = &c->subject.reference;
   const int sizes[3] = {texture->width, texture->height, texture->depth};

   return is_in_texels(c) ? 1 : 1.0 / sizes[axis];
}

/* An odd multiple of 2^-12: with sizes of up to 64 texels single precision is
 * exact in all that is done with it, and it is on no texel's edge. */
static double
to_grid(const struct texture_case *c, double x)
{
   return c->subject.reference.width > 64 ? x
                                          : floor(x * 2048) / 2048 + 1.0 / 4096;
}

static double
pick_place(const struct texture_case *c, unsigned axis,
           struct random_source *random)
{
   const struct reference_texture *texture = &c->subject.reference;
   const int sizes[3] = {texture->width, texture->height, texture->depth};
   const double extent = sizes[axis] * get_texel_size(c, axis);

   /* On the edge of a texel, or in its middle, of some sizes. */
   if (random_below(random, 8) == 0)
      return random_around(random, 128) / 64.0;
   return to_grid(c, (random_part(random) * 4 - 1.5) * extent);
}

/* A direction of any length; often near an edge or a corner of a face. */
static void
pick_direction(const struct texture_case *c, double v[3],
               struct random_source *random)
{
   const int axis = random_below(random, 3);
   const double length =
      ldexp(1 + random_part(random), random_below(random, 6) - 3);

   for (int i = 0; i < 3; i++) {
      double x = random_part(random) * 1.96 - 0.98;

      if (random_below(random, 3) == 0)
         x = copysign(1 - random_part(random) * get_texel_size(c, 0), x);
      v[i] = x * length;
   }
   v[axis] = random_below(random, 2) ? length : -length;
}

/* Do other lanes or the level depend on the coordinates? */
static bool
has_footprint(const struct texture_case *c)
{
   const enum texture_level level = get_opcode(c)->level;

   return get_form(c) == FORM_LOD ||
          (get_form(c) == FORM_LOOKUP &&
           (level == LEVEL_QUAD || level == LEVEL_BIAS));
}

static void
pick_coord(const struct texture_case *c, double coord[3],
           struct random_source *random)
{
   static const double strange[] = {NAN, INFINITY, -INFINITY};

   if (is_cube(c)) {
      pick_direction(c, coord, random);
      return;
   }
   for (unsigned i = 0; i < 3; i++)
      coord[i] = !has_footprint(c) && random_below(random, 32) == 0
                    ? strange[random_below(random, COUNT(strange))]
                    : pick_place(c, i, random);
}

/* How many texels a pixel spans. */
static double
pick_span(const struct texture_case *c, struct random_source *random)
{
   const int num_levels = c->subject.reference.num_levels;

   return exp2(random_part(random) * (num_levels + 2) - 2);
}

static void
pick_derivative(const struct texture_case *c, double span, double length,
                double d[3], struct random_source *random)
{
   double sum = 0;

   for (int i = 0; i < 3; i++) {
      d[i] = random_part(random) * 2 - 1;
      if (i < get_target(c)->num_derivs)
         sum += d[i] * d[i];
   }
   for (unsigned i = 0; i < 3; i++)
      d[i] *= span / sqrt(sum + 1e-6) *
              (is_cube(c) ? 2 * length * get_texel_size(c, 0)
                          : get_texel_size(c, i));
}

static double
get_length(const double v[3])
{
   return fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
}

/* The lanes of a quad lie where two derivatives lead from the one at the
 * bottom left; the fourth lies anywhere. */
static void
pick_quad(const struct texture_case *c, double coord[4][3],
          struct random_source *random)
{
   double dx[3], dy[3];
   const double span = pick_span(c, random);

   pick_coord(c, coord[2], random);
   pick_coord(c, coord[1], random);
   pick_derivative(c, span, get_length(coord[2]), dx, random);
   pick_derivative(c, span * random_part(random), get_length(coord[2]), dy,
                   random);
   for (unsigned i = 0; i < 3; i++) {
      coord[0][i] = coord[2][i] + dy[i];
      coord[3][i] = coord[2][i] + dx[i];
      if (!is_cube(c)) {
         coord[0][i] = to_grid(c, coord[0][i]);
         coord[3][i] = to_grid(c, coord[3][i]);
      }
   }
}

/* A reference that may well be equal to a texel. */
static double
pick_reference(const struct texture_case *c, struct random_source *random)
{
   const struct reference_texture *texture = &c->subject.reference;

   if (random_below(random, 3) == 0)
      return texture->texels[0][random_below(random, texture->width)][0];
   return random_part(random) * 1.5 - 0.25;
}

static int
get_num_layers(const struct texture_case *c)
{
   const int layers = c->subject.reference.layers;

   return is_cube(c) ? layers / 6 : layers;
}

/* Powers of two divide exactly. */
static double
pick_divisor(struct random_source *random)
{
   const double w = ldexp(1, random_below(random, 5) - 2);

   return random_below(random, 4) == 0 ? -w : w;
}

static void
set_extra(struct texture_case *c, unsigned lane, double length,
          struct random_source *random)
{
   const struct texture_opcode *opcode = get_opcode(c);
   const unsigned source = get_operand_source(c);
   const unsigned component = get_operand_component(c);

   switch ((enum texture_level)opcode->level) {
   case LEVEL_QUAD:
   case LEVEL_ZERO: break;
   case LEVEL_BIAS:
      set_float(c, lane, source, component, random_around(random, 96) / 32.0);
      break;
   case LEVEL_LOD:
      set_float(c, lane, source, component,
                random_below(random, 16) == 0
                   ? NAN
                   : random_around(random, 256) / 32.0);
      break;
   case LEVEL_DERIVATIVES: {
      const double span = pick_span(c, random);
      double d[3];

      for (unsigned i = 0; i < 2; i++) {
         pick_derivative(c, i ? span * random_part(random) : span, length, d,
                         random);
         for (unsigned k = 0; k < get_target(c)->num_derivs; k++)
            set_float(c, lane, source + i, k, d[k]);
      }
   }
   }
   if (opcode->compares)
      set_float(c, lane, source, 0, pick_reference(c, random));
}

/* What is behind the coordinates in the first source, or in the second. */
static void
set_lookup(struct texture_case *c, unsigned lane, const double coord[3],
           struct random_source *random)
{
   const struct tg_target_info *target = get_target(c);
   const bool divides = get_opcode(c)->divides;
   const double w = divides ? pick_divisor(random) : 1;

   for (unsigned i = 0; i < target->num_derivs; i++)
      set_float(c, lane, 0, i, coord[i] * w);
   if (target->flags & TG_TARGET_FLAG_ARRAY) {
      const double layer =
         random_below(random, 12) == 0
            ? NAN
            : random_below(random, 8 * get_num_layers(c) + 16) / 8.0 - 1;
      set_float(c, lane, 0, target->num_coords - 1u, layer);
   }
   if (target->reference == 5)
      set_float(c, lane, 1, 0, pick_reference(c, random));
   else if (target->reference > 0)
      set_float(c, lane, 0, target->reference - 1u,
                pick_reference(c, random) * w);
   if (divides)
      set_float(c, lane, 0, 3, w);
   set_extra(c, lane, get_length(coord), random);
}

/* Some that lie a little or far outside. */
static uint32_t
pick_index(int size, struct random_source *random)
{
   static const uint32_t far[] = {UINT32_MAX, INT32_MAX, UINT32_C(1) << 31,
                                  1000};

   if (random_below(random, 12) == 0)
      return far[random_below(random, COUNT(far))];
   if (random_below(random, 10) == 0)
      return (uint32_t)size;
   return (uint32_t)random_below(random, size);
}

static void
set_fetch(struct texture_case *c, unsigned lane, struct random_source *random)
{
   const struct reference_texture *texture = &c->subject.reference;
   const struct tg_target_info *target = get_target(c);
   const unsigned source = get_operand_source(c);
   const int sizes[3] = {texture->width, texture->height, texture->depth};
   const bool has_level = !is_msaa(c) && c->target != TG_TARGET_BUFFER;
   const int level = random_below(random, texture->num_levels);
   const int slice = get_slice_component(c);
   uint32_t(*words)[4] = c->sources[lane];

   for (unsigned i = 0; i < target->num_derivs; i++)
      words[0][i] =
         pick_index(has_level ? 1 + (sizes[i] >> level) : sizes[i], random);
   if (slice >= 0)
      words[0][slice] = pick_index(texture->layers, random);
   if (is_msaa(c))
      words[source][source ? 0 : 3] = pick_index(texture->num_samples, random);
   else if (c->view_target == TG_TARGET_RECT)
      words[0][3] = 0;
   else
      words[0][3] = random_below(random, 8) == 0
                       ? pick_index(texture->num_levels, random)
                       : (uint32_t)level;
}

static void
set_offsets(struct texture_case *c, struct random_source *random)
{
   for (unsigned i = 0; i < 4; i++) {
      for (unsigned k = 0; k < 3; k++)
         c->offsets[i][k] = random_around(random, 8);
   }
   for (unsigned lane = 0; lane < TG_MAX_LANES; lane++) {
      for (unsigned k = 0; k < 3; k++)
         c->sources[lane][CASE_OFFSETS][k] =
            (uint32_t)random_around(random, 20);
   }
}

void
case_pick_operands(struct texture_case *c, struct random_source *random)
{
   for (unsigned lane = 0; lane < TG_MAX_LANES; lane += 4) {
      double coord[4][3];

      if (has_footprint(c))
         pick_quad(c, coord, random);
      else
         for (unsigned i = 0; i < 4; i++)
            pick_coord(c, coord[i], random);
      for (unsigned i = 0; i < 4; i++) {
         switch (get_form(c)) {
         case FORM_FETCH: set_fetch(c, lane + i, random); break;
         case FORM_SIZE:
            c->sources[lane + i][0][0] =
               pick_index(c->subject.reference.num_levels, random);
            break;
         case FORM_POSITION:
            c->sources[lane + i][1][0] =
               pick_index(c->subject.reference.num_samples, random);
            break;
         default: set_lookup(c, lane + i, coord[i], random);
         }
      }
   }
   set_offsets(c, random);
}
