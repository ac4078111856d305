/* SPDX-License-Identifier: MIT
 *
 * Wrapping in the reference sampler: from a place along one axis to texels.
 */
#include <math.h>

#include "reference_parts.h"

int
reference_wrap(int i, int size, enum tg_wrap mode)
{
   const int mirrored = i >= 0 ? i : -1 - i;
   const int repeated = ((i % size) + size) % size;
   const int back_and_forth = ((i % (2 * size)) + 2 * size) % (2 * size);

   switch (mode) {
   case TG_WRAP_REPEAT: return repeated;
   case TG_WRAP_CLAMP_TO_EDGE: return i < 0 ? 0 : i < size ? i : size - 1;
   case TG_WRAP_CLAMP:
   case TG_WRAP_CLAMP_TO_BORDER:
      return i < 0 || i >= size ? REFERENCE_BORDER : i;
   case TG_WRAP_MIRROR_REPEAT:
      return back_and_forth < size ? back_and_forth
                                   : 2 * size - 1 - back_and_forth;
   case TG_WRAP_MIRROR_CLAMP_TO_EDGE:
      return mirrored < size ? mirrored : size - 1;
   case TG_WRAP_MIRROR_CLAMP:
   case TG_WRAP_MIRROR_CLAMP_TO_BORDER:
      return mirrored < size ? mirrored : REFERENCE_BORDER;
   }
   return REFERENCE_BORDER;
}

static bool
is_mirroring(enum tg_wrap mode)
{
   return mode >= TG_WRAP_MIRROR_REPEAT;
}

double
reference_slack(double s, int size)
{
   const bool is_exact =
      s * 4096 == floor(s * 4096) && fabs(s) <= 64 && size <= 64;

   return is_exact ? 0 : 0x1p-20 * fmax(fabs(s), 1) * size;
}

bool
reference_is_near_integer(double u, double slack)
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

struct taps
reference_find_nearest(double u, int size, enum tg_wrap mode, double slack,
                       bool *is_open)
{
   const double place = clamp_place(u, size, mode);
   int i = (int)floor(place);

   /* Which side of a texel's edge is its own may change when mirrored. */
   *is_open |= reference_is_near_integer(u, slack) ||
               (is_mirroring(mode) && u == floor(u));
   if (mode == TG_WRAP_CLAMP)
      i = reference_wrap(i, size, TG_WRAP_CLAMP_TO_EDGE);
   else if (mode == TG_WRAP_MIRROR_CLAMP)
      i = reference_wrap(i, size, TG_WRAP_MIRROR_CLAMP_TO_EDGE);
   else
      i = reference_wrap(i, size, mode);
   return (struct taps){.count = 1, .index = {i}, .weight = {1}};
}

struct taps
reference_find_linear(double u, int size, enum tg_wrap mode)
{
   const double place = clamp_place(u, size, mode) - 0.5;
   const int i = (int)floor(place);
   const double fraction = place - i;

   return (struct taps){
      .count = 2,
      .index = {reference_wrap(i, size, mode),
                reference_wrap(i + 1, size, mode)},
      .weight = {1 - fraction, fraction},
   };
}
