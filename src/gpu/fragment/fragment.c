/* SPDX-License-Identifier: MIT
 *
 * Packing of fragments into waves: a block of 4 by 4 pixels of which all quads
 * are covered is a wave, and other quads are packed four to a wave, those of
 * several shapes together. Waves wait until there are enough to be run at once.
 *
 * They run in the order in which they were begun, and no two shapes cover a
 * pixel in the same wave. So a quad goes into the wave that has room only if
 * all that it covers there or in waves after it is of the same shape; else it
 * begins a wave.
 */
#include <assert.h>
#include <string.h>

#include "gpu/core/grow.h"
#include "gpu/core/waves.h"
#include "gpu/fragment/count.h"
#include "gpu/fragment/quads.h"
#include "util/clones.h"
#include "util/four.h"
#include "util/length.h"
#include "util/minmax.h"

/* ---- a worker's ---------------------------------------------------------- */

/* Of the lanes of a block. */
static const uint32_t block_column[LIR_LANES] = {0, 1, 0, 1, 2, 3, 2, 3,
                                                 0, 1, 0, 1, 2, 3, 2, 3};
static const uint32_t block_row[LIR_LANES] = {0, 0, 1, 1, 0, 0, 1, 1,
                                              2, 2, 3, 3, 2, 2, 3, 3};

void
gpu_fragment_init_block(uint32_t input[GPU_FRAGMENT_INPUT_WORDS][LIR_LANES])
{
   memcpy(input[GPU_FRAGMENT_X], block_column, sizeof(*input));
   memcpy(input[GPU_FRAGMENT_Y], block_row, sizeof(*input));
   memcpy(input[GPU_FRAGMENT_TEXEL_X], block_column, sizeof(*input));
   memcpy(input[GPU_FRAGMENT_TEXEL_Y], block_row, sizeof(*input));
}

static void
settle(void *user, uint32_t x, uint32_t y)
{
   struct gpu_fragment_worker *fragments = user;
   gpu_fast_clear_touch(&fragments->clears, (int32_t)x, (int32_t)y,
                        GPU_HIZ_SIZE, GPU_HIZ_SIZE);
   gpu_fragment_flush(fragments);
}

/* Bytes of a worker, wherever it has to begin. */
enum {
   BLOCK_SIZE = sizeof(struct gpu_fragment_worker) + GPU_LANE_ALIGNMENT - 1,
};

static void
finish_fragments(struct gpu_worker *worker)
{
   void *block = worker->fragments->block;
   gpu_grow(worker->allocator, &block, BLOCK_SIZE, 0);
   worker->fragments = NULL;
}

struct gpu_fragment_worker *
gpu_fragment_worker(struct gpu_worker *worker)
{
   void *block = NULL;
   if (worker->fragments)
      return worker->fragments;
   if (!gpu_grow(worker->allocator, &block, 0, BLOCK_SIZE)) {
      gpu_worker_fail(worker, TG_ERROR_MEMORY, "out of memory");
      return NULL;
   }
   struct gpu_fragment_worker *fragments = gpu_align_lanes(block);
   memset(fragments, 0, sizeof(*fragments));
   fragments->worker = worker;
   fragments->block = block;
   fragments->open = GPU_NO_WAVE;
   for (unsigned i = 0; i < GPU_MAX_ROUNDS; i++)
      gpu_fragment_init_block(fragments->block_input[i]);
   fragments->hiz.settle = settle;
   fragments->hiz.user = fragments;
   worker->fragments = fragments;
   worker->finish_fragments = finish_fragments;
   return fragments;
}

/* ---- waves --------------------------------------------------------------- */

/* Word i of two quads, four times each. */
#define SPREAD(pair, i)                                                        \
   __builtin_shufflevector(pair, pair, i, i, i, i, i + 4, i + 4, i + 4, i + 4)

/* Stores four words of two shapes in the lanes of a quad each. */
static inline void
spread_words(uint32_t (*rows)[LIR_LANES], unsigned lane, const uint32_t *first,
             const uint32_t *second)
{
   const tg_eight words = tg_load_halves(first, second);
   tg_store_eight(&rows[0][lane], SPREAD(words, 0));
   tg_store_eight(&rows[1][lane], SPREAD(words, 1));
   tg_store_eight(&rows[2][lane], SPREAD(words, 2));
   tg_store_eight(&rows[3][lane], SPREAD(words, 3));
}

/* Stores shapes' words in the lanes of their quads, four by four, as far as the
 * kernel loads some of them. */
static inline void
store_shape_words(const struct gpu_fragment_worker *fragments,
                  const uint32_t *const constants[GPU_WAVE_QUADS],
                  uint32_t (*rows)[LIR_LANES])
{
   for (uint32_t i = 0; i < fragments->num_fours; i++) {
      const size_t word = fragments->fours[i];
      for (unsigned quad = 0; quad < GPU_WAVE_QUADS; quad += 2)
         spread_words(rows + word, quad * 4, constants[quad] + word,
                      constants[quad + 1] + word);
   }
}

/* Has a wave and a set of shape words that are free, after those that wait have
 * run if need be. */
static inline void
reserve(struct gpu_fragment_worker *fragments)
{
   if (fragments->num_rounds == GPU_MAX_ROUNDS ||
       fragments->num_sets == fragments->max_sets)
      gpu_fragment_flush(fragments);
}

static uint32_t (*take_set(struct gpu_fragment_worker *fragments))[LIR_LANES]
{
   assert(fragments->num_sets < fragments->max_sets);
   return fragments->shape_rows +
          fragments->num_sets++ * fragments->draw->words_per_shape;
}

/* `input` is for all waves. */
static inline struct exec_round *
take_round(struct gpu_fragment_worker *fragments,
           uint32_t (*input)[GPU_FRAGMENT_INPUT_WORDS][LIR_LANES],
           uint32_t (*set)[LIR_LANES])
{
   assert(fragments->num_rounds < GPU_MAX_ROUNDS);
   const uint32_t number = fragments->num_rounds++;
   struct exec_round *round = &fragments->rounds[number];
   *round = (struct exec_round){
      .input = input[number],
      .sysval = set,
      .output = fragments->output[number],
   };
   return round;
}

/* ---- the wave that has room ---------------------------------------------- */

/* Where the pixels of a quad read texels: one without coverage as one that has
 * some. */
static void
share_texels(uint32_t (*input)[LIR_LANES], uint32_t first, uint32_t live)
{
   const uint32_t covered = first + (uint32_t)__builtin_ctz(live);
   for (uint32_t missing = ~live & 0xf; missing; missing &= missing - 1) {
      const uint32_t lane = first + (uint32_t)__builtin_ctz(missing);
      input[GPU_FRAGMENT_TEXEL_X][lane] = input[GPU_FRAGMENT_X][covered];
      input[GPU_FRAGMENT_TEXEL_Y][lane] = input[GPU_FRAGMENT_Y][covered];
   }
}

/* May each lane of these pixels read its own texel, covered or not? Beyond the
 * framebuffer's sides it may not. FBFETCH reads what is covered. */
static inline bool
has_own_texels(const struct gpu_fragment_worker *fragments, int32_t x,
               int32_t y, int32_t size)
{
   return x + size <= fragments->width && y + size <= fragments->height &&
          !fragments->draw->shader->fetches_colors;
}

/* Bits of the lanes that are covered, of the first quads. */
static inline uint32_t
live_pixels(const struct gpu_quads *quads, uint32_t num_quads)
{
   const uint32_t live = quads->live[0] | quads->live[1] << 4 |
                         quads->live[2] << 8 | quads->live[3] << 12;
   return live & ((UINT32_C(1) << num_quads * 4) - 1);
}

/* Lanes without a quad are as those of the first: what they load is loaded
 * anyhow. */
static inline void
fill_idle_quads(struct gpu_quads *quads, uint32_t num_quads)
{
   for (uint32_t i = num_quads; i < GPU_WAVE_QUADS; i++) {
      quads->x[i] = quads->x[0];
      quads->y[i] = quads->y[0];
      quads->live[i] = quads->live[0];
      quads->sample[i] = quads->sample[0];
      quads->constants[i] = quads->constants[0];
   }
}

/* A word of two quads, in the lanes of each. */
static inline tg_eight
in_lanes(const uint32_t words[2])
{
   const tg_eight pair = {words[0], words[1]};
   return __builtin_shufflevector(pair, pair, 0, 0, 0, 0, 1, 1, 1, 1);
}

/* Stores where quads are in the lanes of each. */
static inline void
place_quads(const struct gpu_quads *quads, uint32_t (*input)[LIR_LANES])
{
   static const tg_eight column = {0, 1, 0, 1, 0, 1, 0, 1};
   static const tg_eight row = {0, 0, 1, 1, 0, 0, 1, 1};
   for (unsigned i = 0; i < GPU_WAVE_QUADS; i += 2) {
      const tg_eight x = in_lanes(&quads->x[i]) + column;
      const tg_eight y = in_lanes(&quads->y[i]) + row;
      tg_store_eight(&input[GPU_FRAGMENT_X][i * 4], x);
      tg_store_eight(&input[GPU_FRAGMENT_Y][i * 4], y);
      tg_store_eight(&input[GPU_FRAGMENT_TEXEL_X][i * 4], x);
      tg_store_eight(&input[GPU_FRAGMENT_TEXEL_Y][i * 4], y);
   }
}

/* Stores samples that are shaded by themselves in the lanes of their quads. */
static inline void
place_samples(const struct gpu_quads *quads, uint32_t (*input)[LIR_LANES])
{
   for (unsigned i = 0; i < GPU_WAVE_QUADS; i += 2)
      tg_store_eight(&input[GPU_FRAGMENT_SAMPLE][i * 4],
                     in_lanes(&quads->sample[i]));
}

/* This coverage for the lanes of the bits `live`. */
static inline void
cover_row(uint32_t row[LIR_LANES], uint32_t live, uint32_t coverage)
{
   tg_eight bits = {1, 2, 4, 8, 16, 32, 64, 128};
   for (unsigned i = 0; i < LIR_LANES; i += 8, bits <<= 8)
      tg_store_eight(row + i, (tg_eight)((bits & live) != 0) & coverage);
}

/* Quads that are all of the shape at work have its words where its blocks have
 * them, if it has any. */
TG_CLONES static void
fill_wave(const struct gpu_fragment_worker *fragments, struct exec_round *round)
{
   const struct gpu_quads *quads = &fragments->quads;
   place_quads(quads, round->input);
   if (fragments->draw->num_samples > 1)
      place_samples(quads, round->input);
   if (fragments->num_others == 0 && fragments->shared_set)
      round->sysval = fragments->shared_set;
   else
      store_shape_words(fragments, quads->constants, round->sysval);
   if (fragments->has_one_sample)
      cover_row(round->input[GPU_FRAGMENT_COVERAGE], round->live, 1);
   for (uint32_t i = 0; i < GPU_WAVE_QUADS && !fragments->has_all_texels; i++) {
      if (quads->live[i] != 0xf &&
          !has_own_texels(fragments, (int32_t)quads->x[i], (int32_t)quads->y[i],
                          2))
         share_texels(round->input, i * 4, quads->live[i]);
   }
}

/* These two are called once a wave: not inlined into each clone. */
static void __attribute__((noinline))
close_wave(struct gpu_fragment_worker *fragments)
{
   if (fragments->open == GPU_NO_WAVE)
      return;
   struct exec_round *round = &fragments->rounds[fragments->open];
   fill_idle_quads(&fragments->quads, fragments->num_quads);
   round->live = live_pixels(&fragments->quads, fragments->num_quads);
   fill_wave(fragments, round);
   round->launched = (UINT32_C(1) << fragments->num_quads * 4) - 1;
   fragments->open = GPU_NO_WAVE;
}

static void __attribute__((noinline))
open_wave(struct gpu_fragment_worker *fragments)
{
   reserve(fragments);
   take_round(fragments, fragments->input, take_set(fragments));
   fragments->open = fragments->num_rounds - 1;
   fragments->num_quads = fragments->num_others = 0;
   fragments->has_later = fragments->has_own = false;
}

static uint32_t
block_number(int32_t x, int32_t y)
{
   const uint32_t column = (uint32_t)x / GPU_BLOCK_SIZE % GPU_TILE_BLOCKS;
   const uint32_t row = (uint32_t)y / GPU_BLOCK_SIZE % GPU_TILE_BLOCKS;
   return row * GPU_TILE_BLOCKS + column;
}

static bool
has_block(const struct gpu_block_set *set, int32_t x, int32_t y)
{
   const uint32_t number = block_number(x, y);
   return set->bits[number / 64] >> number % 64 & 1;
}

static void
add_to_set(struct gpu_block_set *set, int32_t x, int32_t y)
{
   const uint32_t number = block_number(x, y);
   set->bits[number / 64] |= UINT64_C(1) << number % 64;
}

/* Notes a block that is a wave after the open one. */
static void
add_own(struct gpu_fragment_worker *fragments, int32_t x, int32_t y)
{
   if (!fragments->has_own)
      memset(&fragments->own, 0, sizeof(fragments->own));
   fragments->has_own = true;
   add_to_set(&fragments->own, x, y);
}

void
gpu_fragment_pass_on(struct gpu_fragment_worker *fragments)
{
   if (!fragments->has_later)
      memset(&fragments->later, 0, sizeof(fragments->later));
   for (unsigned i = 0; i < TG_LENGTH(fragments->own.bits); i++)
      fragments->later.bits[i] |= fragments->own.bits[i];
   fragments->has_later = true;
   fragments->has_own = false;
}

/* Is a pixel of this quad covered by another shape in the open wave or in one
 * after it? */
static bool
is_taken(const struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
         uint32_t live)
{
   const struct gpu_quads *quads = &fragments->quads;
   for (uint32_t i = 0; i < fragments->num_others; i++) {
      if (quads->x[i] == (uint32_t)x && quads->y[i] == (uint32_t)y &&
          quads->live[i] & live)
         return true;
   }
   return fragments->has_later && has_block(&fragments->later, x, y);
}

/* ---- quads --------------------------------------------------------------- */

/* `sample` counts where samples are shaded by themselves. */
static inline void
add_quad(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
         tg_four coverage, uint32_t live, uint32_t sample)
{
   if (fragments->open != GPU_NO_WAVE && is_taken(fragments, x, y, live))
      close_wave(fragments);
   if (fragments->open == GPU_NO_WAVE)
      open_wave(fragments);
   struct exec_round *round = &fragments->rounds[fragments->open];
   struct gpu_quads *quads = &fragments->quads;
   const uint32_t number = fragments->num_quads++;
   quads->x[number] = (uint32_t)x;
   quads->y[number] = (uint32_t)y;
   quads->live[number] = live;
   quads->sample[number] = sample;
   quads->constants[number] = fragments->constants_of_shape;
   if (!fragments->has_one_sample)
      tg_store_four(&round->input[GPU_FRAGMENT_COVERAGE][number * 4], coverage);
   if (number + 1 == GPU_WAVE_QUADS)
      close_wave(fragments);
}

static tg_four
coverage_of_quad(const uint16_t coverage[4])
{
   return (tg_four){coverage[0], coverage[1], coverage[2], coverage[3]};
}

/* Bit i: pixel i has this sample. */
static uint32_t
covered_pixels(const uint16_t coverage[4], uint32_t sample)
{
   uint32_t live = 0;
   for (uint32_t i = 0; i < 4; i++)
      live |= (uint32_t)(coverage[i] >> sample & 1) << i;
   return live;
}

/* A quad of each sample that is shaded by itself. */
static void
add_samples(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
            const uint16_t coverage[4])
{
   for (uint32_t s = 0; s < fragments->draw->num_samples; s++) {
      const uint32_t live = covered_pixels(coverage, s);
      if (live)
         add_quad(fragments, x, y, coverage_of_quad(coverage), live, s);
   }
}

/* ---- quads without samples ----------------------------------------------- */

/* How many from the first one on go into the open wave, of `most`: all, where
 * it has no quad of another shape. */
static uint32_t
count_free_quads(const struct gpu_fragment_worker *fragments,
                 const struct gpu_quad_list *list, uint32_t first,
                 uint32_t most)
{
   uint32_t num = 0;
   if (!fragments->num_others)
      return most;
   while (num < most &&
          !is_taken(fragments, (int32_t)list->x[first + num],
                    (int32_t)list->y[first + num], list->live[first + num]))
      num++;
   return num;
}

/* Stores the coverage of quads of the list from `from` on in the open wave,
 * from number `first` on. */
static void
cover_quads(struct gpu_fragment_worker *fragments, uint32_t first,
            const struct gpu_quad_list *list, uint32_t from, uint32_t num,
            uint16_t coverage)
{
   static const tg_four bits = {1, 2, 4, 8};
   uint32_t *row =
      fragments->rounds[fragments->open].input[GPU_FRAGMENT_COVERAGE] +
      first * 4;
   for (uint32_t i = 0; i < num; i++) {
      const uint16_t *each = list->each[from + i];
      const tg_four has_some = (tg_four)((bits & list->live[from + i]) != 0);
      tg_store_four(row + i * 4,
                    each ? coverage_of_quad(each) : has_some & coverage);
   }
}

/* Adds up to four quads to the open wave, which has room for them. */
static inline void
put_quads(struct gpu_fragment_worker *fragments,
          const struct gpu_quad_list *list, uint32_t first, uint32_t num,
          uint16_t coverage)
{
   struct gpu_quads *quads = &fragments->quads;
   const uint32_t at = fragments->num_quads;
   tg_store_four(quads->x + at, tg_load_four(list->x + first));
   tg_store_four(quads->y + at, tg_load_four(list->y + first));
   tg_store_four(quads->live + at, tg_load_four(list->live + first));
   for (uint32_t i = at; i < at + GPU_WAVE_QUADS; i++)
      quads->constants[i] = fragments->constants_of_shape;
   fragments->num_quads = at + num;
   if (!fragments->has_one_sample)
      cover_quads(fragments, at, list, first, num, coverage);
   if (fragments->num_quads == GPU_WAVE_QUADS)
      close_wave(fragments);
}

static inline void
add_listed_quads(struct gpu_fragment_worker *fragments,
                 const struct gpu_quad_list *list, uint16_t coverage)
{
   uint32_t num;
   for (uint32_t i = 0; i < list->count; i += num) {
      if (fragments->open == GPU_NO_WAVE)
         open_wave(fragments);
      num = count_free_quads(
         fragments, list, i,
         tg_min_u32(list->count - i, GPU_WAVE_QUADS - fragments->num_quads));
      if (num)
         put_quads(fragments, list, i, num, coverage);
      else
         close_wave(fragments);
   }
}

/* ---- blocks -------------------------------------------------------------- */

/* The words of the shape at work in all lanes, which its blocks share. */
TG_CLONES static void
share_shape_words(struct gpu_fragment_worker *fragments)
{
   const uint32_t *const constants = fragments->constants_of_shape;
   fragments->shared_set = take_set(fragments);
   store_shape_words(
      fragments,
      (const uint32_t *const[]){constants, constants, constants, constants},
      fragments->shared_set);
}

uint32_t (
   *gpu_fragment_share_shape(struct gpu_fragment_worker *fragments))[LIR_LANES]
{
   reserve(fragments);
   if (!fragments->shared_set)
      share_shape_words(fragments);
   return fragments->shared_set;
}

/* Notes that blocks in a row are waves after the one that has room. One by
 * itself may be any four quads. */
static void
note_blocks(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
            uint32_t num_blocks)
{
   const int32_t last = GPU_BLOCK_SIZE - 1;
   if (fragments->open == GPU_NO_WAVE)
      return;
   for (uint32_t i = 0; i < num_blocks; i++)
      add_own(fragments, x + (int32_t)i * GPU_BLOCK_SIZE, y);
   if ((x | y) & last) {
      add_own(fragments, x + last, y);
      add_own(fragments, x, y + last);
      add_own(fragments, x + last, y + last);
   }
}

/* Waves of blocks in a row. */
static inline struct exec_round *
take_block_round(struct gpu_fragment_worker *fragments,
                 uint32_t (*input)[GPU_FRAGMENT_INPUT_WORDS][LIR_LANES],
                 int32_t x, int32_t y, uint32_t live, uint32_t num_blocks)
{
   uint32_t(*set)[LIR_LANES] = gpu_fragment_share_shape(fragments);
   struct exec_round *round = take_round(fragments, input, set);
   round->launched = 0xffff;
   round->live = live;
   round->num_more = num_blocks - 1;
   note_blocks(fragments, x, y, num_blocks);
   return round;
}

static inline void
fill_row(uint32_t row[LIR_LANES], uint32_t word)
{
   const tg_eight words = (tg_eight){0} + word;
   for (unsigned i = 0; i < LIR_LANES; i += 8)
      tg_store_eight(row + i, words);
}

/* Waves of blocks in a row, all of which have texels, without coverage yet. */
static struct exec_round *
place_blocks(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
             uint32_t num_blocks, uint32_t live)
{
   struct exec_round *round = take_block_round(
      fragments, fragments->block_input, x, y, live, num_blocks);
   fill_row(round->input[GPU_FRAGMENT_BASE_X], (uint32_t)x);
   fill_row(round->input[GPU_FRAGMENT_BASE_Y], (uint32_t)y);
   return round;
}

/* Blocks in a row whose pixels have this coverage, those of the bits `live` in
 * each. All of them have texels. */
static void
add_blocks(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
           uint32_t num_blocks, uint32_t live, uint16_t coverage)
{
   struct exec_round *round = place_blocks(fragments, x, y, num_blocks, live);
   const uint32_t number = fragments->num_rounds - 1;
   const uint16_t known = live == 0xffff ? coverage : 0;
   if (known && fragments->block_coverage[number] == known)
      return;
   fragments->block_coverage[number] = known;
   cover_row(round->input[GPU_FRAGMENT_COVERAGE], live, coverage);
}

/* A block some of whose pixels may not read texels of their own. */
static struct exec_round *
place_partial_block(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
                    uint32_t live)
{
   struct exec_round *round =
      take_block_round(fragments, fragments->input, x, y, live, 1);
   struct gpu_quads quads;
   for (uint32_t i = 0; i < GPU_WAVE_QUADS; i++) {
      quads.x[i] = (uint32_t)x + block_column[i * 4];
      quads.y[i] = (uint32_t)y + block_row[i * 4];
   }
   place_quads(&quads, round->input);
   for (uint32_t i = 0; i < LIR_LANES; i += 4)
      share_texels(round->input, i, live >> i & 0xf);
   return round;
}

/* A block, of which each quad is covered. */
static void
add_block(struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
          const uint16_t coverage[GPU_BLOCK_PIXELS], uint32_t live)
{
   struct exec_round *round;
   if (has_own_texels(fragments, x, y, GPU_BLOCK_SIZE)) {
      round = place_blocks(fragments, x, y, 1, live);
      fragments->block_coverage[fragments->num_rounds - 1] = 0;
   } else {
      round = place_partial_block(fragments, x, y, live);
   }
   tg_widen_halves(round->input[GPU_FRAGMENT_COVERAGE], coverage, LIR_LANES);
}

/* Is a block a wave? Fragments that write memory do so in the order of quads,
 * and those of samples take more lanes. */
static bool
has_waves_of_blocks(const struct gpu_fragment_draw *draw)
{
   return draw->num_samples == 1 && !draw->is_sequential;
}

static bool
has_all_quads(uint32_t live)
{
   return gpu_quads_with_pixels(live) == 0x1111;
}

static void
spread_coverage(uint32_t live, uint16_t coverage,
                uint16_t each_out[GPU_BLOCK_PIXELS])
{
   for (unsigned i = 0; i < GPU_BLOCK_PIXELS; i++)
      each_out[i] = live >> i & 1 ? coverage : 0;
}

/* A block that is a wave. */
static inline void
add_live_block(struct gpu_fragment_worker *fragments,
               const struct gpu_live_block *block, uint16_t coverage)
{
   const int32_t x = block->x, y = block->y;
   const uint32_t live = block->live;
   uint16_t each[GPU_BLOCK_PIXELS];
   if (block->each) {
      add_block(fragments, x, y, block->each, live);
      return;
   }
   if (live == 0xffff || has_own_texels(fragments, x, y, GPU_BLOCK_SIZE)) {
      add_blocks(fragments, x, y, 1, live, coverage);
      return;
   }
   spread_coverage(live, coverage, each);
   add_block(fragments, x, y, each, live);
}

static void
add_samples_of_block(struct gpu_fragment_worker *fragments, int32_t x,
                     int32_t y, const uint16_t coverage[GPU_BLOCK_PIXELS])
{
   for (int32_t i = 0; i < 4; i++)
      add_samples(fragments, x + (i & 1) * 2, y + (i >> 1) * 2,
                  coverage + i * 4);
}

/* Blocks of draws that shade each sample by itself. */
static uint32_t
add_blocks_by_samples(struct gpu_fragment_worker *fragments,
                      const struct gpu_live_block *blocks, uint32_t num_blocks,
                      uint16_t coverage)
{
   uint32_t num_quads = 0;
   for (uint32_t i = 0; i < num_blocks; i++) {
      const struct gpu_live_block *block = &blocks[i];
      uint16_t spread[GPU_BLOCK_PIXELS];
      if (!block->each)
         spread_coverage(block->live, coverage, spread);
      add_samples_of_block(fragments, block->x, block->y,
                           block->each ? block->each : spread);
      num_quads += gpu_num_quads(block->live);
   }
   return num_quads;
}

/* Appends the quads of a block, with their coverage where pixels have several
 * samples. */
static inline void
list_block(const struct gpu_fragment_worker *fragments,
           struct gpu_quad_list *list, const struct gpu_live_block *block)
{
   if (!fragments->has_one_sample)
      gpu_list_coverage(list, block);
   gpu_list_quads(list, block);
}

/* Those that are waves come first, so that few quads of the next shape are in
 * blocks after the wave that has room. */
TG_CLONES static uint32_t
add_live_blocks(struct gpu_fragment_worker *fragments,
                const struct gpu_live_block *blocks, uint32_t num_blocks,
                uint16_t coverage)
{
   const bool has_waves = has_waves_of_blocks(fragments->draw);
   struct gpu_quad_list list;
   uint32_t waves = 0, num_waves = 0; /* blocks: a bit each, and how many */
   static_assert(GPU_MOST_BLOCKS <= 32, "waves has a bit for each");
   list.count = 0;
   for (uint32_t i = 0; i < num_blocks; i++) {
      const bool is_wave = has_waves && has_all_quads(blocks[i].live);
      struct gpu_live_block rest = blocks[i];
      rest.live = is_wave ? 0 : rest.live;
      list_block(fragments, &list, &rest);
      waves |= (uint32_t)is_wave << i;
      num_waves += is_wave;
   }
   for (; waves; waves &= waves - 1)
      add_live_block(fragments, &blocks[__builtin_ctz(waves)], coverage);
   add_listed_quads(fragments, &list, coverage);
   return num_waves * GPU_WAVE_QUADS + list.count;
}

TG_CLONES static uint32_t
add_one_block(struct gpu_fragment_worker *fragments,
              const struct gpu_live_block *block, uint16_t coverage)
{
   struct gpu_quad_list list;
   if (has_waves_of_blocks(fragments->draw) && has_all_quads(block->live)) {
      add_live_block(fragments, block, coverage);
      return GPU_WAVE_QUADS;
   }
   list.count = 0;
   list_block(fragments, &list, block);
   add_listed_quads(fragments, &list, coverage);
   return list.count;
}

uint32_t
gpu_fragment_quads(struct gpu_fragment_worker *fragments,
                   const struct gpu_live_block *block, uint16_t coverage)
{
   return fragments->draw->num_samples > 1
             ? add_blocks_by_samples(fragments, block, 1, coverage)
             : add_one_block(fragments, block, coverage);
}

uint32_t
gpu_fragment_blocks(struct gpu_fragment_worker *fragments,
                    const struct gpu_live_block *blocks, uint32_t num_blocks,
                    uint16_t coverage)
{
   assert(num_blocks <= GPU_MOST_BLOCKS);
   return fragments->draw->num_samples > 1
             ? add_blocks_by_samples(fragments, blocks, num_blocks, coverage)
             : add_live_blocks(fragments, blocks, num_blocks, coverage);
}

/* Where pixels are counted each wave is a round. */
static uint32_t
blocks_of_round(const struct gpu_fragment_draw *draw, uint32_t num_blocks)
{
   return draw->pixels.width ? 1 : num_blocks;
}

void
gpu_fragment_rectangle(struct gpu_fragment_worker *fragments, int32_t x,
                       int32_t y, int32_t width, int32_t height,
                       uint16_t coverage)
{
   const struct gpu_fragment_draw *draw = fragments->draw;
   const uint32_t num_blocks =
      blocks_of_round(draw, (uint32_t)(width / GPU_BLOCK_SIZE));
   const int32_t step = (int32_t)num_blocks * GPU_BLOCK_SIZE;
   if (!has_waves_of_blocks(draw)) {
      for (int32_t j = y; j < y + height; j += GPU_BLOCK_SIZE) {
         for (int32_t i = x; i < x + width; i += GPU_BLOCK_SIZE)
            gpu_fragment_blocks(fragments,
                                &(struct gpu_live_block){i, j, 0xffff, NULL}, 1,
                                coverage);
      }
      return;
   }
   for (int32_t j = y; j < y + height; j += GPU_BLOCK_SIZE) {
      for (int32_t i = x; i < x + width; i += step)
         add_blocks(fragments, i, j, num_blocks, 0xffff, coverage);
   }
}

/* ---- tiles, draws and shapes --------------------------------------------- */

void
gpu_fragment_begin_tile(struct gpu_fragment_worker *fragments,
                        const struct tg_framebuffer_state *framebuffer,
                        uint32_t x, uint32_t y)
{
   assert(!fragments->num_rounds);
   fragments->draw = NULL;
   fragments->width = (int32_t)framebuffer->width;
   fragments->height = (int32_t)framebuffer->height;
   fragments->framebuffer = framebuffer;
   gpu_hiz_begin(&fragments->hiz, framebuffer, x, y);
   gpu_fast_clear_begin(&fragments->clears, framebuffer, x, y);
}

/* All that does not change from wave to wave. */
static void
begin_draw(struct gpu_fragment_worker *fragments,
           const struct gpu_fragment_draw *draw)
{
   struct exec_wave *wave = &fragments->wave;
   assert(draw->words_per_shape <= GPU_MAX_SHAPE_WORDS);
   fragments->draw = draw;
   fragments->kernel = NULL;
   fragments->has_one_sample =
      draw->raster.num_samples == 1 && draw->raster.polygon_samples == 1;
   fragments->has_all_texels =
      has_own_texels(fragments, (int32_t)fragments->hiz.x,
                     (int32_t)fragments->hiz.y, GPU_TILE_SIZE);
   fragments->max_sets =
      tg_min_u32(GPU_MAX_ROUNDS, GPU_SHAPE_ROWS / draw->words_per_shape);
   resource_snapshot_bind_constants(&draw->bound, fragments->constants);
   fragments->constants[GPU_BINDING_STAGE] = (struct exec_memory){0};
   fragments->constants[GPU_BINDING_FRAME] = (struct exec_memory){
      .data = (uint32_t *)draw->frame,
      .num_bytes = sizeof(draw->frame),
   };
   *wave = (struct exec_wave){
      .input = {.num_words = GPU_FRAGMENT_INPUT_WORDS},
      .sysval = {.num_words = draw->words_per_shape},
      .output = {.num_words = GPU_FRAGMENT_OUTPUT_WORDS},
      .moving_word = GPU_FRAGMENT_BASE_X,
      .stride = GPU_BLOCK_SIZE,
   };
   resource_snapshot_bind_wave(&draw->bound, wave);
   wave->memory[LIR_SPACE_CONST] = fragments->constants;
   wave->num_memories[LIR_SPACE_CONST] = GPU_BINDING_VERTEX;
   wave->memory[LIR_SPACE_SURFACE] = draw->surfaces;
   wave->num_memories[LIR_SPACE_SURFACE] = GPU_NUM_SURFACE_BINDINGS;
}

/* The kernel loads words in ascending order. */
static void
find_fours(struct gpu_fragment_worker *fragments, const struct exec_code *code)
{
   uint32_t num = 0;
   for (uint32_t i = 0; i < code->num_sysvals; i++) {
      const uint16_t first = (uint16_t)(code->sysvals[i] & ~3u);
      if (num && fragments->fours[num - 1] == first)
         continue;
      assert(num < TG_LENGTH(fragments->fours));
      fragments->fours[num++] = first;
   }
   fragments->num_fours = num;
}

/* What waits is of one kernel. */
static void
use_kernel(struct gpu_fragment_worker *fragments,
           const struct exec_kernel *kernel)
{
   assert(kernel);
   if (fragments->kernel == kernel)
      return;
   gpu_fragment_flush(fragments);
   fragments->kernel = kernel;
   const struct exec_code *code = exec_kernel_code(kernel);
   assert(code->has_all_sysvals);
   find_fours(fragments, code);
}

void
gpu_fragment_switch(struct gpu_fragment_worker *fragments,
                    const struct gpu_fragment_draw *draw,
                    enum gpu_shape_kind kind)
{
   if (fragments->draw != draw) {
      gpu_fragment_flush(fragments);
      begin_draw(fragments, draw);
   } else if (draw->is_sequential) {
      gpu_fragment_flush(fragments);
   }
   use_kernel(fragments, draw->kernel[kind]);
}

/* Kernels add to what is there. It is cleared long before they load it, so that
 * no load waits for the store. */
static void
clear_outputs(struct gpu_fragment_worker *fragments)
{
   for (uint32_t i = 0; i < fragments->num_rounds; i++)
      memset(fragments->output[i][GPU_FRAGMENT_PASSED], 0,
             sizeof(fragments->output[i][GPU_FRAGMENT_PASSED]));
}

static void
run_rounds(struct gpu_fragment_worker *fragments)
{
   uint32_t live[GPU_MAX_ROUNDS];
   uint32_t num_run;
   close_wave(fragments);
   for (uint32_t i = 0; i < fragments->num_rounds; i++)
      live[i] = fragments->rounds[i].live;
   gpu_run_wave_rounds(fragments->worker, fragments->kernel,
                       fragments->draw->check, &fragments->wave,
                       fragments->rounds, fragments->num_rounds, &num_run);
   gpu_fragment_count_rounds(fragments, num_run, live);
   if (fragments->draw->tells_samples)
      clear_outputs(fragments);
   fragments->num_rounds = 0;
}

void
gpu_fragment_flush(struct gpu_fragment_worker *fragments)
{
   if (fragments->num_rounds)
      run_rounds(fragments);
   fragments->has_earlier = false;
   fragments->num_sets = 0;
   fragments->shared_set = NULL;
}
