/* SPDX-License-Identifier: MIT
 *
 * Trivial reject of the records of a list, eight at a time: outcodes by the
 * sides of the view, and the guard band of points that are clipped as squares.
 */
#include <string.h>

#include "gpu/setup/setup_parts.h"
#include "util/clones.h"

/* ---- sides of the view --------------------------------------------------- */

/* The positions of a list, and what becomes known of them. */
struct positions {
   const uint32_t *first;
   size_t stride;         /* words */
   uint32_t count, whole; /* of which so many are eights */
   uint8_t *bits;
};

static inline struct positions
positions_of(const struct gpu_setup *setup)
{
   const struct gpu_setup_records *records = setup->records;
   return (struct positions){
      .first = records->words + setup->state->layout.position * 4u,
      .stride = records->words_per_record,
      .count = records->count,
      .whole = records->count & ~7u,
      .bits = records->bits,
   };
}

static inline const uint32_t *
position_at(const struct positions *list, uint32_t i)
{
   return list->first + i * list->stride;
}

/* Eight positions in clip space, coordinate by coordinate. */
struct eight_positions {
   tg_eight_floats x, y, w;
};

/* The halves of a vector are of two that are four apart. */
static inline struct eight_positions
eight_positions_at(const struct positions *list, uint32_t i)
{
   const uint32_t *position = position_at(list, i);
   const size_t stride = list->stride;
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
   const struct positions list = positions_of(setup);
   for (uint32_t i = 0; i < list.whole; i += 8) {
      const struct eight_positions p = eight_positions_at(&list, i);
      gpu_view_sides_of_eight(p.x, p.y, p.w, list.bits + i);
   }
   for (uint32_t i = list.whole; i < list.count; i++)
      list.bits[i] = (uint8_t)gpu_view_sides(position_at(&list, i));
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

static inline void
keep_bits(uint8_t bits[8], tg_eight which)
{
   uint8_t mask[8];
   tg_store_eight_bytes(mask, which & 0xff);
   for (unsigned i = 0; i < 8; i++)
      bits[i] &= mask[i];
}

/* Of points of one size. */
TG_CLONES static void
keep_near_points(const struct gpu_setup *setup,
                 const struct gpu_guard_band *band)
{
   const struct positions list = positions_of(setup);
   for (uint32_t i = 0; i < list.whole; i += 8) {
      const struct eight_positions p = eight_positions_at(&list, i);
      keep_bits(list.bits + i, gpu_are_eight_far_points(band, p.x, p.y, p.w));
   }
   for (uint32_t i = list.whole; i < list.count; i++) {
      if (!gpu_is_far_point(band, position_at(&list, i)))
         list.bits[i] = 0;
   }
}

static void
keep_near_points_by_size(const struct gpu_setup *setup)
{
   const struct gpu_setup_records *records = setup->records;
   const struct positions list = positions_of(setup);
   for (uint32_t i = 0; i < list.count; i++) {
      if (!(list.bits[i] & GPU_SETUP_OUTSIDE))
         continue;
      const struct gpu_guard_band band =
         gpu_find_guard_band(setup->state, records->words + i * list.stride);
      if (!gpu_is_far_point(&band, position_at(&list, i)))
         list.bits[i] = 0;
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
