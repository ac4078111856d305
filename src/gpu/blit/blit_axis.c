/* SPDX-License-Identifier: MIT
 *
 * The mapping from positions of the target to positions of the source.
 *
 * The centre of position p is at t = (p + 1/2 - to.start) / to.length of the
 * way through the target's box, and so the source's place is s = from.start +
 * t * from.length. Both are kept as a fraction over 2 * |to.length|, of which
 * no numerator reaches 2^63: t is between 0 and 1.
 */
#include "gpu/blit/blit_axis.h"

#include "util/bits.h"
#include "util/minmax.h"

/* A place of the source: whole texels and numerator / denominator, of which the
 * fraction is below 1. */
struct place {
   int64_t whole;
   uint64_t numerator, denominator;
};

/* The positions of the target that are in its box and may be drawn; empty when
 * first is not less than end. */
struct range {
   int64_t first, end;
};

static uint64_t
magnitude(int32_t length)
{
   return (uint64_t)(length < 0 ? -(int64_t)length : length);
}

bool
gpu_blit_axis_is_filtered(const struct gpu_blit_axis *axis)
{
   return axis->is_linear &&
          magnitude(axis->to.length) != magnitude(axis->from.length);
}

static struct range
find_range(const struct gpu_blit_axis *axis)
{
   const int64_t start = axis->to.start;
   const int64_t end = start + axis->to.length;
   const struct range box = {tg_min_i64(start, end), tg_max_i64(start, end)};

   if (!axis->to.length || !axis->from.length)
      return (struct range){0};
   return (struct range){
      tg_max_i64(box.first, axis->min),
      tg_min_i64(box.end, tg_min_i64(axis->to.size, axis->max)),
   };
}

uint32_t
gpu_blit_axis_bound(const struct gpu_blit_axis *axis)
{
   const struct range range = find_range(axis);

   return range.first < range.end ? (uint32_t)(range.end - range.first) : 0;
}

/* The place that is `numerator` / `denominator` texels from the box's start. */
static struct place
find_place(const struct gpu_blit_axis *axis, int64_t numerator)
{
   const int64_t denominator = 2 * (int64_t)magnitude(axis->to.length);
   int64_t whole = numerator / denominator;
   int64_t rest = numerator % denominator;

   if (rest < 0) {
      whole--;
      rest += denominator;
   }
   return (struct place){
      .whole = axis->from.start + whole,
      .numerator = (uint64_t)rest,
      .denominator = (uint64_t)denominator,
   };
}

static uint32_t
hold(int64_t position, uint32_t size)
{
   return (uint32_t)tg_max_i64(0, tg_min_i64(position, (int64_t)size - 1));
}

/* Half a texel back lies the first of the two whose centres are around. */
static void
fill_filtered(const struct gpu_blit_axis *axis, int64_t numerator,
              uint32_t words[GPU_BLIT_WORDS])
{
   const struct place place =
      find_place(axis, numerator - (int64_t)magnitude(axis->to.length));
   const double weight = (double)place.numerator / (double)place.denominator;

   words[GPU_BLIT_FROM] = hold(place.whole, axis->from.size);
   words[GPU_BLIT_FROM_NEXT] = hold(place.whole + 1, axis->from.size);
   words[GPU_BLIT_WEIGHT] = tg_bits_of_float((float)weight);
}

/* False when the position's centre is outside of the source. */
static bool
fill_position(const struct gpu_blit_axis *axis, int64_t position,
              uint32_t words[GPU_BLIT_WORDS])
{
   const int64_t halves = 2 * (position - axis->to.start) + 1;
   const int64_t along = axis->to.length < 0 ? -halves : halves;
   const int64_t numerator = along * axis->from.length;
   const struct place centre = find_place(axis, numerator);

   if (centre.whole < 0 || centre.whole >= axis->from.size)
      return false;
   words[GPU_BLIT_TO] = (uint32_t)position;
   words[GPU_BLIT_FROM] = (uint32_t)centre.whole;
   words[GPU_BLIT_PIXEL] = (uint32_t)centre.whole;
   if (gpu_blit_axis_is_filtered(axis))
      fill_filtered(axis, numerator, words);
   return true;
}

uint32_t
gpu_blit_axis_fill(const struct gpu_blit_axis *axis,
                   uint32_t (*words_out)[GPU_BLIT_WORDS])
{
   const struct range range = find_range(axis);
   uint32_t count = 0;

   for (int64_t i = range.first; i < range.end; i++)
      count += fill_position(axis, i, words_out[count]);
   return count;
}
