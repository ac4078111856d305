/* SPDX-License-Identifier: MIT
 *
 * Which sides of the view the records of a list are beyond, eight at a time,
 * for trivial reject; and which of the points that are clipped as squares are
 * in the guard band.
 */
#include <string.h>

#include "gpu/setup/setup_parts.h"
#include "util/clones.h"

/* ---- sides of the view --------------------------------------------------- */

/* Eight positions in clip space, coordinate by coordinate. */
struct eight_positions {
   tg_eight_floats x, y, w;
};

/* The halves of a vector are of two that are four apart. */
static inline struct eight_positions
load_eight_positions(const uint32_t *position, size_t stride)
{
   tg_eight a = tg_load_halves(position, position + stride * 4);
   tg_eight b = tg_load_halves(position + stride, position + stride * 5);
   tg_eight c = tg_load_halves(position + stride * 2, position + stride * 6);
   tg_eight d = tg_load_halves(position + stride * 3, position + stride * 7);
   tg_transpose_twice(&a, &b, &c, &d);
   return (struct eight_positions){(tg_eight_floats)a, (tg_eight_floats)b,
                                   (tg_eight_floats)d};
}

TG_CLONES static void
find_sides(const struct gpu_setup *setup)
{
   const struct gpu_setup_records *records = setup->records;
   const size_t stride = records->words_per_record;
   const uint32_t *position = gpu_setup_first_position(setup);
   const uint32_t whole = records->count & ~7u;
   for (uint32_t i = 0; i < whole; i += 8) {
      const struct eight_positions p =
         load_eight_positions(position + i * stride, stride);
      gpu_view_sides_of_eight(p.x, p.y, p.w, records->bits + i);
   }
   for (uint32_t i = whole; i < records->count; i++)
      records->bits[i] = (uint8_t)gpu_view_sides(position + i * stride);
}

void
gpu_setup_find_sides(const struct gpu_setup *setup)
{
   const struct gpu_setup_records *records = setup->records;
   if (records->sides)
      memcpy(records->bits, records->sides, records->count);
   else
      find_sides(setup);
}

/* ---- points -------------------------------------------------------------- */

/* See gpu_is_far_point(). */
static inline void
keep_eight_near_points(const struct gpu_guard_band *band,
                       const struct eight_positions *p, uint8_t bits[8])
{
   const tg_eight_floats far_x = p->w * band->x, far_y = p->w * band->y;
   const tg_eight is_far =
      (tg_eight)(p->w > 0.0f) &
      ((tg_eight)(p->x > far_x) | (tg_eight)(p->x < -far_x) |
       (tg_eight)(p->y > far_y) | (tg_eight)(p->y < -far_y));
   uint8_t mask[8];
   tg_store_eight_bytes(mask, is_far & 0xff);
   for (unsigned i = 0; i < 8; i++)
      bits[i] &= mask[i];
}

/* Of points of one size. */
TG_CLONES static void
keep_near_points(const struct gpu_setup *setup,
                 const struct gpu_guard_band *band)
{
   const struct gpu_setup_records *records = setup->records;
   const size_t stride = records->words_per_record;
   const uint32_t *position = gpu_setup_first_position(setup);
   const uint32_t whole = records->count & ~7u;
   for (uint32_t i = 0; i < whole; i += 8) {
      const struct eight_positions p =
         load_eight_positions(position + i * stride, stride);
      keep_eight_near_points(band, &p, records->bits + i);
   }
   for (uint32_t i = whole; i < records->count; i++)
      records->bits[i] &=
         gpu_is_far_point(band, position + i * stride) ? 0xff : 0;
}

static void
keep_near_points_by_size(const struct gpu_setup *setup)
{
   const struct gpu_setup_records *records = setup->records;
   const uint32_t *record = records->words;
   for (uint32_t i = 0; i < records->count;
        i++, record += records->words_per_record) {
      if (!(records->bits[i] & GPU_SETUP_OUTSIDE))
         continue;
      const struct gpu_guard_band band =
         gpu_find_guard_band(setup->state, record);
      if (!gpu_is_far_point(&band, record + setup->state->layout.position * 4u))
         records->bits[i] = 0;
   }
}

void
gpu_setup_keep_near_points(const struct gpu_setup *setup)
{
   const struct gpu_guard_band band =
      gpu_find_guard_band(setup->state, setup->records->words);
   if (band.is_of_all)
      keep_near_points(setup, &band);
   else
      keep_near_points_by_size(setup);
}
