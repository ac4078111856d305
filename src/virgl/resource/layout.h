/* SPDX-License-Identifier: MIT
 *
 * Layout of a resource in the memory that a client shares.
 */
#ifndef VIRGL_RESOURCE_LAYOUT_H
#define VIRGL_RESOURCE_LAYOUT_H

#include <assert.h>

#include "tungsten/resource.h"
#include "virgl/virgl.h"

/* Can its sizes be multiplied in 64 bits? What else a resource can not be shows
 * when it is created. */
bool
virgl_layout_is_bounded(const struct virgl_resource_desc *desc);

/* What a resource is stored in: blocks of its format, or the bytes of a buffer.
 */
struct tg_format_block
virgl_layout_block(const struct virgl_resource_desc *desc);

/* The size of a level in texels along an axis that has `size` in level 0. */
static inline uint32_t
virgl_minify(uint32_t size, uint32_t level)
{
   assert(level < 32);
   return size >> level ? size >> level : 1;
}

/* Blocks of so many texels each along an axis; most are of one. */
static inline uint32_t
virgl_count_blocks(uint32_t size, uint32_t block_size)
{
   return block_size == 1 ? size : (size + block_size - 1) / block_size;
}

/* Where levels of a resource lie in shared memory. */
struct virgl_level {
   uint64_t offset;
   uint64_t stride, layer_stride; /* bytes, of rows of blocks and slices */
   uint32_t width, height;        /* texels */
   uint32_t num_slices;
};

/* Finds where a level lies. False for a level that there is not. */
bool
virgl_layout_find_level(const struct virgl_resource_desc *desc, uint32_t level,
                        struct virgl_level *level_out);

#endif
