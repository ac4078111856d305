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
#include "util/four.h"
#include "util/minmax.h"

enum {
   TEXEL = sizeof(uint32_t),
   EIGHT_PIXELS = RESOURCE_MICROTILE_PIXELS / 2, /* two rows of a microtile */
   ROWS = RESOURCE_MICROTILE,                    /* of a strip */
   PREFETCHED = 8,                               /* microtiles ahead */
};

typedef uint8_t flags __attribute__((vector_size(EIGHT_PIXELS)));
typedef uint16_t sums __attribute__((vector_size(EIGHT_PIXELS * TEXEL)));
typedef uint64_t pairs __attribute__((vector_size(EIGHT_PIXELS * TEXEL)));

/* A row of the target or, of a strip, that which lies first in memory; and
 * where its source's begins. */
struct row {
   const struct gpu_blit *blit;
   unsigned char *to;
   ptrdiff_t to_pitch; /* of a strip: bytes to the row below in the source */
   const unsigned char *from;
   const unsigned char *is_one; /* a byte a pixel; or NULL */
   unsigned num_samples;        /* a power of two */
   size_t sample_pitch;         /* bytes from a sample to the next */
};

static const uint32_t *
column(const struct gpu_blit *blit, uint32_t x)
{
   return blit->words[GPU_BLIT_X][x];
}

/* Units from a sample to the next. */
static size_t
find_sample_pitch(const struct gpu_blit *blit)
{
   const uint32_t(*words)[GPU_BLIT_WORDS] =
      (const uint32_t(*)[GPU_BLIT_WORDS])blit->words[GPU_BLIT_SAMPLES];
   const uint32_t last = blit->key.num_samples - 1u;

   assert(words[last][GPU_BLIT_FROM] == last * words[1][GPU_BLIT_FROM]);
   (void)last;
   return words[1][GPU_BLIT_FROM];
}

static struct row
find_row(const struct gpu_blit *blit, uint64_t number)
{
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
      .num_samples = blit->key.num_samples,
      .sample_pitch = find_sample_pitch(blit) * TEXEL,
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
   const unsigned shift = (unsigned)__builtin_ctz(row->num_samples);

   for (unsigned i = 0; i < TEXEL; i++) {
      unsigned sum = row->num_samples / 2;

      for (unsigned s = 0; s < row->num_samples; s++)
         sum += from[i + (is_one ? 0 : s * row->sample_pitch)];
      to[i] =
         (unsigned char)(sum >> shift & row->blit->bits_of_channels >> i * 8);
   }
}

static void
resolve_pixels(const struct row *row, uint32_t first, uint32_t end)
{
   for (uint32_t x = first; x < end; x++)
      resolve_pixel(row, x);
}

/* ---- a microtile --------------------------------------------------------- */

static inline tg_eight
load_eight(const unsigned char *from)
{
   return tg_load_eight((const uint32_t *)(const void *)from);
}

/* Of eight pixels, of which those with all bits set in `is_one` are one colour.
 * Each texel's first and third byte, and its second and fourth, are summed by
 * themselves. */
static inline tg_eight
mean_of_samples(const struct row *row, const unsigned char *from,
                tg_eight is_one, unsigned num_samples)
{
   const tg_eight first = load_eight(from);
   const sums half = (sums){0} + (uint16_t)(num_samples / 2);
   const uint16_t shift = (uint16_t)__builtin_ctz(num_samples);
   sums even = half + ((sums)first & 0xff);
   sums odd = half + ((sums)first >> 8);

   for (unsigned s = 1; s < num_samples; s++) {
      const tg_eight other = load_eight(from + s * row->sample_pitch);
      const tg_eight texels = (first & is_one) | (other & ~is_one);

      even += (sums)texels & 0xff;
      odd += (sums)texels >> 8;
   }
   return (tg_eight)(even >> shift | odd >> shift << 8);
}

/* `is_one`: a byte a pixel, or NULL. */
static inline tg_eight
resolve_eight(const struct row *row, const unsigned char *from,
              const unsigned char *is_one, unsigned num_samples)
{
   flags one = {0};

   if (is_one)
      memcpy(&one, is_one, sizeof(one));
   if ((uint64_t)one == UINT64_C(0x0101010101010101))
      return load_eight(from);
   const tg_eight all_bits =
      (tg_eight)(__builtin_convertvector(one, tg_eight) != 0);
   return mean_of_samples(row, from, all_bits, num_samples);
}

/* Two rows, each of which is half of two quads side by side. */
static inline void
store_rows(const struct row *row, unsigned char *to, tg_eight quads)
{
   const pairs texels = (pairs)(quads & row->blit->bits_of_channels);
   const pairs rows = __builtin_shufflevector(texels, texels, 0, 2, 1, 3);

   memcpy(to, &rows, sizeof(rows) / 2);
   memcpy(to + row->to_pitch, (const char *)&rows + sizeof(rows) / 2,
          sizeof(rows) / 2);
}

static inline void
resolve_microtile(const struct row *row, uint32_t x, unsigned num_samples)
{
   const uint32_t *words = column(row->blit, x);
   const unsigned char *from = row->from + words[GPU_BLIT_FROM] * (size_t)TEXEL;
   unsigned char *to = row->to + words[GPU_BLIT_TO] * (size_t)TEXEL;
   const unsigned char *is_one =
      row->is_one ? row->is_one + words[GPU_BLIT_PIXEL] : NULL;

   store_rows(row, to, resolve_eight(row, from, is_one, num_samples));
   store_rows(row, to + 2 * row->to_pitch,
              resolve_eight(row, from + EIGHT_PIXELS * TEXEL,
                            is_one ? is_one + EIGHT_PIXELS : NULL,
                            num_samples));
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
      __builtin_prefetch(from + s * row->sample_pitch);
}

static inline void
resolve_run(const struct row *strip, struct gpu_blit_whole whole,
            unsigned num_samples)
{
   const uint32_t ahead = PREFETCHED * RESOURCE_MICROTILE;

   for (uint32_t x = whole.first; x < whole.end; x += RESOURCE_MICROTILE) {
      if (strip->is_one && x + ahead < whole.end)
         prefetch_samples(strip, x + ahead);
      resolve_microtile(strip, x, num_samples);
   }
}

/* Four samples are what programs ask for: unrolled. */
TG_CLONES static void
resolve_microtiles(const struct row *strip, struct gpu_blit_whole whole)
{
   if (strip->num_samples == 4)
      resolve_run(strip, whole, 4);
   else
      resolve_run(strip, whole, strip->num_samples);
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
