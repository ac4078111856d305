/* SPDX-License-Identifier: MIT
 *
 * Blits by draws: squares of a shape whose shader is a texture copy, and whose
 * pixels are texels one to one, are copied from the texture.
 */
#ifndef TG_GPU_COPY_H
#define TG_GPU_COPY_H

#include "gpu/core/key.h"
#include "gpu/state/link.h"

struct gpu_fragment_worker;

enum { GPU_COPY_BYTES = 4 }; /* of a texel whose bytes change their places */

/* What a draw copies, if its shapes let it. */
struct gpu_copy {
   bool is_possible;
   bool is_perspective; /* the attribute has been divided by w */
   bool is_normalized;
   bool is_linear; /* the filter */
   bool is_plain;  /* bytes stay as they are */
   uint8_t attribute, view;
   uint8_t texel_bytes, unit; /* of the texture's format */
   /* Unless it is plain: which byte of the texture's texel each becomes, where
    * the mask has it; else it is that of `rest`. */
   uint8_t from[GPU_COPY_BYTES];
   uint32_t mask, rest;
};

/* Finds out if draws with this key are copies. */
void
gpu_copy_init(struct gpu_copy *copy, const struct tg_gpu_shader *shader,
              const struct gpu_interface *interface,
              const struct gpu_fragment_key *key);

/* Texels of the texture, a row of it for a row of the square. */
struct gpu_copied {
   const uint8_t *first;
   int64_t row_pitch; /* in bytes; negative where rows are upside down */
};

/* Finds the texels that a square of the shape at work is a copy of. False: it
 * is none. */
bool
gpu_copy_find(const struct gpu_fragment_worker *fragments, int32_t x, int32_t y,
              int32_t size, struct gpu_copied *copied_out);

/* What it costs to store a square, in units of util/work.h. */
uint64_t
gpu_copy_cost(const struct gpu_fragment_worker *fragments, int32_t size);

/* Stores the square. */
void
gpu_copy_store(const struct gpu_fragment_worker *fragments,
               const struct gpu_copied *copied, int32_t x, int32_t y,
               int32_t size);

#endif
