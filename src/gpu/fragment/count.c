/* SPDX-License-Identifier: MIT
 *
 * Counters of fragments: what rounds of waves that have run add to a worker's
 * statistics, and to those of pixels.
 */
#include "gpu/fragment/count.h"

#include "util/four.h"

/* The bits that are set in a word of up to 16 bits. The builtin is a call where
 * all processors of a kind are compiled for. */
static uint32_t
count_bits(uint32_t x)
{
   x -= x >> 1 & 0x5555;
   x = (x & 0x3333) + (x >> 2 & 0x3333);
   x = (x & 0x0f0f) + (x >> 4 & 0x0f0f);
   return (x & 0xff) + (x >> 8);
}

/* Samples that a kernel says have passed, of all lanes. */
static uint32_t
count_samples(const struct exec_round *round)
{
   const uint32_t *passed = round->output[GPU_FRAGMENT_PASSED];
   return tg_eight_sum(tg_load_eight(passed) + tg_load_eight(passed + 8));
}

/* Adds the fragments of a wave to the counters of their pixels. */
static void
count_pixels(const struct gpu_fragment_draw *draw,
             const struct exec_round *round, uint32_t live)
{
   const struct tg_pixel_counters *pixels = &draw->pixels;
   for (; live; live &= live - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(live);
      const uint32_t x = round->input[GPU_FRAGMENT_BASE_X][lane] +
                         round->input[GPU_FRAGMENT_X][lane];
      const uint32_t y = round->input[GPU_FRAGMENT_BASE_Y][lane] +
                         round->input[GPU_FRAGMENT_Y][lane];
      const size_t number = (size_t)y * pixels->width + x;
      if (x >= pixels->width || y >= pixels->height)
         continue;
      if (pixels->fragments)
         pixels->fragments[number]++;
      if (pixels->instructions)
         pixels->instructions[number] += round->output[GPU_FRAGMENT_COST][lane];
   }
}

void
gpu_fragment_count_rounds(const struct gpu_fragment_worker *fragments,
                          uint32_t num_rounds,
                          const uint32_t live[GPU_MAX_ROUNDS])
{
   const struct gpu_fragment_draw *draw = fragments->draw;
   uint64_t *count = fragments->worker->count;
   uint32_t num_waves = 0, num_live = 0, num_passed = 0;
   for (uint32_t i = 0; i < num_rounds; i++) {
      const struct exec_round *round = &fragments->rounds[i];
      num_waves += round->num_more + 1;
      num_live += count_bits(live[i]) * (round->num_more + 1);
      num_passed +=
         draw->tells_samples ? count_samples(round) : round->num_live;
      if (draw->pixels.width)
         count_pixels(draw, round, live[i]);
   }
   count[GPU_COUNT_FRAGMENT_WAVES] += num_waves;
   count[GPU_COUNT_FRAGMENTS] += num_live;
   count[GPU_COUNT_PS_INVOCATIONS] += num_live;
   count[GPU_COUNT_SAMPLES_PASSED] += num_passed;
}

void
gpu_fragment_count_filled(const struct gpu_fragment_worker *fragments,
                          uint32_t num_fragments)
{
   uint64_t *count = fragments->worker->count;
   count[GPU_COUNT_FRAGMENTS] += num_fragments;
   count[GPU_COUNT_PS_INVOCATIONS] += num_fragments;
   count[GPU_COUNT_SAMPLES_PASSED] += num_fragments;
}
