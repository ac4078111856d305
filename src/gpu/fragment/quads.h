/* SPDX-License-Identifier: MIT
 *
 * Lists of quads, which blocks are taken apart into.
 */
#ifndef TG_GPU_FRAGMENT_QUADS_H
#define TG_GPU_FRAGMENT_QUADS_H

#include "gpu/fragment/fragment.h"
#include "util/four.h"

/* All that GPU_MOST_BLOCKS blocks have; four words are stored, and loaded, from
 * any one on. */
enum { GPU_QUAD_LIST_ROOM = (GPU_MOST_BLOCKS + 1) * GPU_WAVE_QUADS - 1 };

/* Quads of a shape whose pixels have the same coverage or none, unless there is
 * one for each. */
struct gpu_quad_list {
   uint32_t count;
   uint32_t x[GPU_QUAD_LIST_ROOM], y[GPU_QUAD_LIST_ROOM];
   uint32_t live[GPU_QUAD_LIST_ROOM];
   /* Of four pixels; or NULL. Only gpu_list_coverage() sets it. */
   const uint16_t *each[GPU_QUAD_LIST_ROOM];
};

/* The numbers of the bits that are set. */
static const uint32_t gpu_quad_numbers[16][4] = {
   {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
   {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
};

/* A bit for each quad of a block that has pixels. */
static inline uint32_t
gpu_quad_bits(const struct gpu_live_block *block)
{
   const uint32_t quads = gpu_quads_with_pixels(block->live);
   return (quads | quads >> 3 | quads >> 6 | quads >> 9) & 0xf;
}

/* Stream compaction: appends those quads of a block that have pixels, without a
 * branch. */
static inline void
gpu_list_quads(struct gpu_quad_list *list, const struct gpu_live_block *block)
{
   const tg_four number = tg_load_four(gpu_quad_numbers[gpu_quad_bits(block)]);
   tg_store_four(list->x + list->count, (number & 1) * 2 + (uint32_t)block->x);
   tg_store_four(list->y + list->count, (number & 2) + (uint32_t)block->y);
   tg_store_four(list->live + list->count,
                 ((tg_four){0} + block->live) >> (number * 4) & 0xf);
   list->count += gpu_num_quads(block->live);
}

/* The coverage of the quads that are appended next, those of this block. */
static inline void
gpu_list_coverage(struct gpu_quad_list *list,
                  const struct gpu_live_block *block)
{
   const uint32_t *number = gpu_quad_numbers[gpu_quad_bits(block)];
   for (unsigned i = 0; i < 4; i++)
      list->each[list->count + i] =
         block->each ? block->each + number[i] * 4 : NULL;
}

#endif
