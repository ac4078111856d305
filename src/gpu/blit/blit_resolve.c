/* SPDX-License-Identifier: MIT
 *
 * Multisample resolves of texels of four bytes, each of which is a unorm of its
 * own, to texels of the same format: what the kernel does there, a microtile at
 * a time where the target has all of it. The mean of a byte is an integer sum,
 * rounded half up; that of a pixel of one colour is its first sample, which
 * alone is stored. Bytes that are no channel become 0.
 */
#include <assert.h>
#include <string.h>

#include "gpu/blit/blit.h"
#include "util/clones.h"
#include "util/minmax.h"

enum {
   TEXEL = sizeof(uint32_t),
   QUAD = 4 * TEXEL,          /* bytes of 2 by 2 pixels */
   ROWS = RESOURCE_MICROTILE, /* of a strip */
   PREFETCHED = 8,            /* microtiles ahead */
};

typedef uint8_t bytes __attribute__((vector_size(QUAD)));
typedef uint16_t sums __attribute__((vector_size(2 * QUAD)));
typedef uint32_t texels __attribute__((vector_size(QUAD)));
typedef uint64_t pairs __attribute__((vector_size(QUAD)));
typedef uint8_t flags __attribute__((vector_size(4)));

/* A row of the target or, of a strip, that which lies first in memory; and
 * where its source's begins. */
struct row {
   const struct gpu_blit *blit;
   unsigned char *to;
   ptrdiff_t to_pitch; /* of a strip: bytes to the row below in the source */
   const unsigned char *from;
   const unsigned char *is_one; /* a byte a pixel; or NULL */
   unsigned num_samples, shift; /* of which it is the power of two */
};

static const uint32_t *
column(const struct gpu_blit *blit, uint32_t x)
{
   return blit->words[GPU_BLIT_X][x];
}

/* Bytes from a pixel's first sample to another. */
static size_t
sample_offset(const struct row *row, unsigned sample)
{
   return row->blit->words[GPU_BLIT_SAMPLES][sample][GPU_BLIT_FROM] *
          (size_t)TEXEL;
}

static struct row
find_row(const struct gpu_blit *blit, uint64_t number)
{
   const unsigned num_samples = blit->key.num_samples;

   assert(blit->is_mean_of_bytes && blit->block_bytes == TEXEL &&
          blit->unit_bytes == TEXEL);
   return (struct row){
      .blit = blit,
      .to = (unsigned char *)blit->to.data +
            gpu_blit_row_place(blit, number, GPU_BLIT_TO) * (size_t)TEXEL,
      .from = (const unsigned char *)blit->from[0].data +
              gpu_blit_row_place(blit, number, GPU_BLIT_FROM) * (size_t)TEXEL,
      .is_one = blit->key.has_plane
                   ? (const unsigned char *)blit->from[1].data +
                        gpu_blit_row_place(blit, number, GPU_BLIT_PIXEL)
                   : NULL,
      .num_samples = num_samples,
      .shift = (unsigned)__builtin_ctz(num_samples),
   };
}

/* ---- one pixel ----------------------------------------------------------- */

static void
resolve_pixel(const struct row *row, uint32_t x)
{
   const uint32_t *words = column(row->blit, x);
   const unsigned char *from = row->from + words[GPU_BLIT_FROM] * (size_t)TEXEL;
   unsigned char *to = row->to + words[GPU_BLIT_TO] * (size_t)TEXEL;
   const bool is_one = row->is_one && row->is_one[words[GPU_BLIT_PIXEL]];

   for (unsigned i = 0; i < TEXEL; i++) {
      unsigned sum = row->num_samples / 2;

      for (unsigned s = 0; s < row->num_samples; s++)
         sum += from[i + (is_one ? 0 : sample_offset(row, s))];
      to[i] = (unsigned char)(sum >> row->shift &
                              row->blit->bits_of_channels >> i * 8);
   }
}

static void
resolve_pixels(const struct row *row, uint32_t first, uint32_t end)
{
   for (uint32_t x = first; x < end; x++)
      resolve_pixel(row, x);
}

/* ---- a microtile --------------------------------------------------------- */

/* The mean of quad number `quad`. `is_one`: all bits where a pixel is one
 * colour. */
static inline bytes
mean_of_quad(const struct row *row, const unsigned char *from, texels is_one)
{
   const uint16_t half = (uint16_t)(row->num_samples / 2);
   bytes first, other;

   memcpy(&first, from, sizeof(first));
   sums sum = __builtin_convertvector(first, sums) + half;
   for (unsigned s = 1; s < row->num_samples; s++) {
      memcpy(&other, from + sample_offset(row, s), sizeof(other));
      other = (bytes)(((texels)first & is_one) | ((texels)other & ~is_one));
      sum += __builtin_convertvector(other, sums);
   }
   return __builtin_convertvector(sum >> (uint16_t)row->shift, bytes);
}

static inline bytes
resolve_quad(const struct row *row, const unsigned char *from,
             const unsigned char *is_one)
{
   flags one = {0};
   bytes first;

   if (is_one)
      memcpy(&one, is_one, sizeof(one));
   if ((uint32_t)one == 0x01010101) {
      memcpy(&first, from, sizeof(first));
      return first;
   }
   return mean_of_quad(row, from,
                       (texels)(__builtin_convertvector(one, texels) != 0));
}

/* Rows `y` and the next: two quads side by side. */
static inline void
store_rows(const struct row *row, unsigned char *to, unsigned y, bytes left,
           bytes right)
{
   const pairs a = (pairs)left, b = (pairs)right;
   const uint32_t kept = row->blit->bits_of_channels;
   const texels upper = (texels)(pairs){a[0], b[0]} & kept;
   const texels lower = (texels)(pairs){a[1], b[1]} & kept;

   memcpy(to + y * row->to_pitch, &upper, sizeof(upper));
   memcpy(to + (y + 1) * row->to_pitch, &lower, sizeof(lower));
}

static inline void
resolve_microtile(const struct row *row, uint32_t x)
{
   const uint32_t *words = column(row->blit, x);
   const unsigned char *from = row->from + words[GPU_BLIT_FROM] * (size_t)TEXEL;
   unsigned char *to = row->to + words[GPU_BLIT_TO] * (size_t)TEXEL;
   const unsigned char *is_one =
      row->is_one ? row->is_one + words[GPU_BLIT_PIXEL] : NULL;

   for (unsigned i = 0; i < 4; i += 2) {
      const bytes left =
         resolve_quad(row, from + i * QUAD, is_one ? is_one + i * 4 : NULL);
      const bytes right = resolve_quad(row, from + (i + 1) * QUAD,
                                       is_one ? is_one + (i + 1) * 4 : NULL);

      store_rows(row, to, i, left, right);
   }
}

/* ---- strips -------------------------------------------------------------- */

/* Where a row of a microtile is from its first pixel. */
static uint32_t
place_of_row(uint32_t y)
{
   assert(y < ROWS);
   return resource_microtile_row(y, 0);
}

/* Are the pixels from `x` on the columns of a microtile? */
static bool
has_columns(const struct gpu_blit *blit, uint32_t x)
{
   const uint32_t *first = column(blit, x);

   if (first[GPU_BLIT_FROM] % RESOURCE_MICROTILE_PIXELS)
      return false;
   for (uint32_t i = 0; i < RESOURCE_MICROTILE; i++) {
      const uint32_t *words = column(blit, x + i);

      assert(words[GPU_BLIT_TO] == first[GPU_BLIT_TO] + i);
      if (words[GPU_BLIT_FROM] !=
          first[GPU_BLIT_FROM] + resource_microtile_column(i))
         return false;
   }
   return true;
}

struct gpu_blit_whole
gpu_blit_find_whole(const struct gpu_blit *blit)
{
   const uint32_t count = blit->count[GPU_BLIT_X];
   struct gpu_blit_whole whole = {0, 0};

   while (whole.first + RESOURCE_MICROTILE <= count &&
          !has_columns(blit, whole.first))
      whole.first++;
   whole.end = whole.first;
   while (whole.end + RESOURCE_MICROTILE <= count &&
          has_columns(blit, whole.end))
      whole.end += RESOURCE_MICROTILE;
   return whole;
}

/* Are the rows from `number` on those of a microtile, down or up? */
static bool
has_rows(const struct gpu_blit *blit, uint64_t number, bool is_up)
{
   const uint32_t place = gpu_blit_row_place(blit, number, GPU_BLIT_FROM);
   const uint32_t first = place - (is_up ? place_of_row(ROWS - 1) : 0);

   if (first % RESOURCE_MICROTILE_PIXELS)
      return false;
   for (unsigned i = 0; i < ROWS; i++) {
      const unsigned y = is_up ? ROWS - 1 - i : i;

      if (gpu_blit_row_place(blit, number + i, GPU_BLIT_FROM) !=
          first + place_of_row(y))
         return false;
   }
   return true;
}

/* The strip that the rows from `number` on are, from the top of the source. */
static bool
find_strip(const struct gpu_blit *blit, uint64_t number, struct row *strip)
{
   const bool is_up = has_rows(blit, number, true);
   const unsigned last = ROWS - 1;

   if (!is_up && !has_rows(blit, number, false))
      return false;
   *strip = find_row(blit, is_up ? number + last : number);
   strip->to_pitch =
      find_row(blit, is_up ? number : number + last).to - strip->to;
   strip->to_pitch /= (ptrdiff_t)last;
   return true;
}

/* Software prefetching: the other samples of the few microtiles that are not of
 * one colour, which no pattern of accesses foretells. Of each sample a
 * microtile is a cache line. */
static inline void
prefetch_samples(const struct row *row, uint32_t x)
{
   const uint32_t *words = column(row->blit, x);
   const unsigned char *from = row->from + words[GPU_BLIT_FROM] * (size_t)TEXEL;
   uint64_t one[RESOURCE_MICROTILE_PIXELS / sizeof(uint64_t)];

   memcpy(one, row->is_one + words[GPU_BLIT_PIXEL], sizeof(one));
   if ((one[0] & one[1]) == UINT64_C(0x0101010101010101))
      return;
   for (unsigned s = 1; s < row->num_samples; s++)
      __builtin_prefetch(from + sample_offset(row, s));
}

TG_CLONES static void
resolve_microtiles(const struct row *strip, struct gpu_blit_whole whole)
{
   const uint32_t ahead = PREFETCHED * RESOURCE_MICROTILE;

   for (uint32_t x = whole.first; x < whole.end; x += RESOURCE_MICROTILE) {
      if (strip->is_one && x + ahead < whole.end)
         prefetch_samples(strip, x + ahead);
      resolve_microtile(strip, x);
   }
}

static void
resolve_strip(const struct row *strip, uint64_t number,
              struct gpu_blit_whole whole)
{
   const struct gpu_blit *blit = strip->blit;

   resolve_microtiles(strip, whole);
   for (unsigned i = 0; i < ROWS; i++) {
      const struct row row = find_row(blit, number + i);

      resolve_pixels(&row, 0, whole.first);
      resolve_pixels(&row, whole.end, blit->count[GPU_BLIT_X]);
   }
}

void
gpu_blit_resolve_rows(const struct gpu_blit *blit, struct gpu_blit_whole whole,
                      uint64_t first, uint64_t end)
{
   struct row row;

   for (uint64_t i = first; i < end;) {
      if (i + ROWS <= end && find_strip(blit, i, &row)) {
         resolve_strip(&row, i, whole);
         i += ROWS;
      } else {
         row = find_row(blit, i++);
         resolve_pixels(&row, 0, blit->count[GPU_BLIT_X]);
      }
   }
}
